//! How a team's own service keeps pools in Redis: its keys, its commands, and how it reads a reply. Plain data;
//! `config` reads it, `parity` tests it.

use crate::redis_link::Batch;

/// What the field of a pool holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// The whole meter: it starts and resets at the seed.
    Meter,
    /// What players added since the last hit: it starts and resets at 0, and the seed is paid beside it.
    Growth,
}

/// How an amount is written in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Whole pool units, for HINCRBY.
    Integer,
    /// A decimal text of the currency's major unit, for HINCRBYFLOAT.
    Float,
}

/// How an amount is cut to the decimals that a subject writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    HalfEven,
    HalfUp,
    Down,
}

/// How the service reads a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A 64-bit integer.
    Integer,
    /// All decimals of a text.
    Text,
    /// A 64-bit floating point number.
    Float,
    /// It isn't read.
    Nothing,
}

/// What stands for a value in a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The run's private prefix.
    Prefix,
    /// The game's file name.
    Game,
    BetIndex,
    Level,
    /// The subject's key, field, and journal of this claim.
    Key,
    Field,
    Journal,
    /// What is added, or opened with.
    Amount,
    /// What a claim leaves.
    Reset,
    /// The ordinal of the hit: the same in a retry.
    Claim,
}

impl Slot {
    /// Every slot with its name in a template.
    pub const NAMES: [(Self, &'static str); 10] = [
        (Self::Prefix, "prefix"),
        (Self::Game, "game"),
        (Self::BetIndex, "bet_index"),
        (Self::Level, "level"),
        (Self::Key, "key"),
        (Self::Field, "field"),
        (Self::Journal, "journal"),
        (Self::Amount, "amount"),
        (Self::Reset, "reset"),
        (Self::Claim, "claim"),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|&(slot, _)| slot)
    }
}

/// A text with slots: `TBI:{bet_index}_JL:{level}`. Two braces stand for one: `{{{prefix}}}` is a hash tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Slot(Slot),
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
                plain.push(sign);
                rest = after;
            } else if sign == '{' {
                let end = rest.find('}').ok_or_else(|| "a { is never closed".to_owned())?;
                let name = &rest[1..end];
                let slot = Slot::named(name).ok_or_else(|| format!("there is no {{{name}}}"))?;
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Slot(slot));
                rest = &rest[end + 1..];
            } else if sign == '}' {
                return Err("a } closes nothing; write }} for the sign itself".to_owned());
            } else {
                plain.push(sign);
                rest = &rest[sign.len_utf8()..];
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self(pieces))
    }

    /// Whether a slot occurs in it.
    pub fn has(&self, slot: Slot) -> bool {
        self.0.contains(&Piece::Slot(slot))
    }

    /// The first slot in it that is not among these.
    pub fn other_than(&self, allowed: &[Slot]) -> Option<&'static str> {
        let slots = self.0.iter().filter_map(|piece| if let Piece::Slot(slot) = piece { Some(*slot) } else { None });
        let other = slots.into_iter().find(|slot| !allowed.contains(slot))?;
        Slot::NAMES.iter().find(|(slot, _)| *slot == other).map(|&(_, name)| name)
    }

    /// The text with every slot filled.
    pub fn fill<'v>(&self, value: &impl Fn(Slot) -> &'v str) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Slot(slot) => value(*slot).to_owned(),
        };
        self.0.iter().map(piece).collect()
    }
}

/// The words of a command.
pub type Words = Vec<Template>;

/// What is sent for one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Commands one after another, each sent when the reply of the one before is there.
    Steps(Vec<Words>),
    /// Commands sent at once, which is no transaction.
    Pipeline(Vec<Words>),
    /// Commands between MULTI and EXEC.
    Transaction(Vec<Words>),
    Script(Script),
}

/// A Lua script of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    pub text: String,
    /// Where it stands, for messages; `None` for one of our own.
    pub file: Option<String>,
    pub keys: Words,
    pub arguments: Words,
    /// The SHA that the service has written down; `None` if it asks for the SHA of the text.
    pub sha: Option<String>,
    /// Whether the service sends the text again when the server has forgotten it.
    pub reload: bool,
}

/// One operation of a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub form: Form,
    /// The command whose reply is the operation's, from 0. Always 0 for a script.
    pub reply_of: usize,
    pub reading: Reading,
    /// Whether nil, where it is the reply, is read as 0.
    pub nil_is_zero: bool,
}

/// The commands of a service that keeps pools in hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub name: String,
    pub note: Option<String>,
    pub holds: Holds,
    pub encoding: Encoding,
    /// Decimals of an amount that is sent, 0 to 17, and how it is cut to them (float only).
    pub decimals: u32,
    pub rounding: Rounding,
    pub key: Template,
    pub field: Template,
    pub journal: Option<Template>,
    pub open: Action,
    pub add: Action,
    pub claim: Action,
}

impl Action {
    /// Every command's words; those of a script are its keys and arguments.
    pub fn words(&self) -> Vec<&Template> {
        match &self.form {
            Form::Steps(all) | Form::Pipeline(all) | Form::Transaction(all) => all.iter().flatten().collect(),
            Form::Script(script) => script.keys.iter().chain(&script.arguments).collect(),
        }
    }

    /// Whether it uses a command, by its first word.
    pub fn uses(&self, command: &str) -> bool {
        let is_it = |words: &Words| words.first().is_some_and(|word| word.fill(&|_| "").eq_ignore_ascii_case(command));
        match &self.form {
            Form::Steps(all) | Form::Pipeline(all) | Form::Transaction(all) => all.iter().any(is_it),
            Form::Script(_) => false,
        }
    }

    /// Most commands that one operation sends.
    pub fn command_count(&self) -> usize {
        match &self.form {
            Form::Steps(all) | Form::Pipeline(all) => all.len(),
            Form::Transaction(all) => all.len() + 2,
            Form::Script(_) => 1,
        }
    }
}

/// Appends commands whose slots are filled.
pub fn push_filled<'v>(batch: &mut Batch, words: &[Template], value: &impl Fn(Slot) -> &'v str) {
    batch.command(words.len());
    for word in words {
        match word.0.as_slice() {
            [Piece::Slot(slot)] => batch.word(value(*slot).as_bytes()),
            [Piece::Text(text)] => batch.word(text.as_bytes()),
            _ => batch.word(word.fill(value).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_and_wrong_ones_named() {
        let template = Template::parse("{{{prefix}}}:TBI:{bet_index}").unwrap();
        let value = |slot| if slot == Slot::Prefix { "p" } else { "3" };
        assert_eq!(template.fill(&value), "{p}:TBI:3");
        assert!(template.has(Slot::Prefix) && !template.has(Slot::Level));
        assert_eq!(template.other_than(&[Slot::Prefix]), Some("bet_index"));
        for (text, reason) in [("{", "never closed"), ("a}b", "closes nothing"), ("{seed}", "no {seed}")] {
            assert!(Template::parse(text).unwrap_err().contains(reason), "{text}");
        }
    }
}
