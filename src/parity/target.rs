//! The pools of a run in a real server, by the commands of a subject.

use super::amount::{Read, Scale};
use crate::money::PoolUnit;
use crate::pool::subject::{Action, Form, Holds, Slot, Subject, push_filled};
use crate::pool::{Jackpots, PoolOperation};
use crate::redis_link::{Batch, Link, LinkError, Reply, keys};

/// A pool's words.
#[derive(Debug, Clone)]
pub struct PoolWords {
    pub bet_index: String,
    pub level: String,
    pub key: String,
    pub field: String,
    /// What the subject doesn't hold: the seed where it holds growth, in pool units.
    pub beside: u64,
}

/// A subject's pools under one prefix.
#[derive(Clone)]
pub struct Target<'s> {
    pub subject: &'s Subject,
    pub scale: Scale,
    pub prefix: String,
    pub game: String,
    pub pools: Vec<PoolWords>,
    /// SHA of the claim's script as the server computes it.
    sha: Option<String>,
}

/// One operation in a subject's own terms, in atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The reply is the new balance.
    Add { pool: usize, atoms: i128 },
    /// The reply is what was held.
    Claim { pool: usize, ordinal: u64, reset: i128 },
}

impl Step {
    /// The pool that it is on.
    pub fn pool(&self) -> usize {
        match *self {
            Self::Add { pool, .. } | Self::Claim { pool, .. } => pool,
        }
    }
}

impl<'s> Target<'s> {
    /// The pools of a game.
    pub fn new(subject: &'s Subject, jackpots: &Jackpots, unit: &PoolUnit, game: &str, prefix: &str) -> Self {
        let levels = jackpots.levels.iter();
        let words = levels.flat_map(|level| {
            level.seeds.iter().enumerate().map(move |(bet, &seed)| PoolWords {
                bet_index: bet.to_string(),
                level: level.name.clone(),
                key: String::new(),
                field: String::new(),
                beside: if subject.holds == Holds::Growth { seed } else { 0 },
            })
        });
        let mut target = Self {
            subject,
            scale: Scale::new(subject, unit),
            prefix: String::new(),
            game: game.to_owned(),
            pools: words.collect(),
            sha: None,
        };
        target.set_prefix(prefix);
        target
    }

    /// The same pools under another prefix.
    pub fn under(&self, prefix: &str) -> Self {
        let mut other = self.clone();
        other.set_prefix(prefix);
        other
    }

    /// The same pools by another subject's commands, of the same encoding, under another prefix.
    pub fn with<'o>(&self, subject: &'o Subject, prefix: &str) -> Target<'o> {
        let mut other = Target {
            subject,
            scale: self.scale,
            prefix: String::new(),
            game: self.game.clone(),
            pools: self.pools.clone(),
            sha: None,
        };
        other.set_prefix(prefix);
        other
    }

    fn set_prefix(&mut self, prefix: &str) {
        prefix.clone_into(&mut self.prefix);
        for pool in &mut self.pools {
            let value = |slot| match slot {
                Slot::Prefix => prefix,
                Slot::Game => self.game.as_str(),
                Slot::BetIndex => &pool.bet_index,
                Slot::Level => &pool.level,
                _ => "",
            };
            (pool.key, pool.field) = (self.subject.key.fill(&value), self.subject.field.fill(&value));
        }
    }

    /// Loads the scripts, once.
    ///
    /// # Errors
    /// [`LinkError`], also where the server refuses scripts.
    pub fn load(&mut self, link: &mut Link) -> Result<(), LinkError> {
        if let Form::Script(script) = &self.subject.claim.form {
            self.sha = link.must(&["SCRIPT", "LOAD", &script.text])?.text();
        }
        Ok(())
    }

    /// SHA of the claim's script as the server computes it.
    pub fn sha(&self) -> Option<&str> {
        self.sha.as_deref()
    }

    /// What an operation of the model is in the subject's terms: a claim may need an add, where it leaves more than the
    /// subject resets to.
    pub fn steps(&self, operation: &PoolOperation) -> (Step, Option<Step>) {
        match *operation {
            PoolOperation::Add { pool, units } => (Step::Add { pool, atoms: self.scale.atoms(units) }, None),
            PoolOperation::Claim { claim, reset } => {
                let pool = claim.pool;
                let left = self.held(pool, reset);
                if self.subject.holds == Holds::Meter {
                    return (Step::Claim { pool, ordinal: claim.ordinal, reset: left }, None);
                }
                let more = (left > 0).then_some(Step::Add { pool, atoms: left });
                (Step::Claim { pool, ordinal: claim.ordinal, reset: 0 }, more)
            }
        }
    }

    /// What the field holds for a meter in pool units.
    pub fn held(&self, pool: usize, meter: u64) -> i128 {
        let beside = self.pools[pool].beside;
        if meter >= beside { self.scale.atoms(meter - beside) } else { -self.scale.atoms(beside - meter) }
    }

    /// Opens every pool that isn't there.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn open(&self, link: &mut Link, held: &[i128]) -> Result<(), LinkError> {
        let mut batch = Batch::default();
        for (pool, &atoms) in held.iter().enumerate() {
            self.push(&mut batch, &self.subject.open, pool, atoms, 0, 0, true);
        }
        self.push_expiry(&mut batch);
        let mut replies = Vec::new();
        link.send(&batch, &mut replies)?;
        match replies.iter().find(|reply| matches!(reply, Reply::Error(_))) {
            None => Ok(()),
            Some(reply) => Err(LinkError::Refused {
                address: link.address().to_string(),
                command: "what [open] of the subject sends".to_owned(),
                reason: reply.to_string(),
            }),
        }
    }

    /// Lets all hashes go an hour after the last sign of life.
    pub fn push_expiry(&self, batch: &mut Batch) {
        let mut keys: Vec<&str> = self.pools.iter().map(|pool| pool.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter().for_each(|key| batch.push(&["PEXPIRE", key, "3600000"]));
    }

    /// Appends a step; how many replies it has. `by_text`: a script whose service loads it anew is sent whole.
    pub fn push_step(&self, batch: &mut Batch, step: &Step, by_text: bool) -> usize {
        match *step {
            Step::Add { pool, atoms } => self.push(batch, &self.subject.add, pool, atoms, 0, 0, by_text),
            Step::Claim { pool, ordinal, reset } => {
                self.push(batch, &self.subject.claim, pool, 0, ordinal, reset, by_text)
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the values of all slots")]
    fn push(
        &self,
        batch: &mut Batch,
        action: &Action,
        pool: usize,
        amount: i128,
        ordinal: u64,
        reset: i128,
        by_text: bool,
    ) -> usize {
        let before = batch.len();
        let words = &self.pools[pool];
        let (amount, reset, ordinal) = (self.scale.text(amount), self.scale.text(reset), ordinal.to_string());
        let plain = |slot| match slot {
            Slot::Prefix => self.prefix.as_str(),
            Slot::Game => &self.game,
            Slot::BetIndex => &words.bet_index,
            Slot::Level => &words.level,
            Slot::Key => &words.key,
            Slot::Field => &words.field,
            Slot::Amount => &amount,
            Slot::Reset => &reset,
            Slot::Claim => &ordinal,
            Slot::Journal => "",
        };
        let journal = match &self.subject.journal {
            Some(journal) if action.words().iter().any(|word| word.has(Slot::Journal)) => journal.fill(&plain),
            _ => String::new(),
        };
        let value = |slot| if slot == Slot::Journal { journal.as_str() } else { plain(slot) };
        match &action.form {
            Form::Steps(all) | Form::Pipeline(all) => all.iter().for_each(|words| push_filled(batch, words, &value)),
            Form::Transaction(all) => {
                batch.push(&["MULTI"]);
                all.iter().for_each(|words| push_filled(batch, words, &value));
                batch.push(&["EXEC"]);
            }
            Form::Script(script) => {
                let whole = by_text && script.reload && script.sha.is_none();
                batch.command(3 + script.keys.len() + script.arguments.len());
                batch.word(if whole { b"EVAL" } else { b"EVALSHA" });
                let sha = script.sha.as_deref().or(self.sha.as_deref()).unwrap_or_default();
                batch.word(if whole { script.text.as_bytes() } else { sha.as_bytes() });
                batch.word(script.keys.len().to_string().as_bytes());
                for word in script.keys.iter().chain(&script.arguments) {
                    batch.word(word.fill(&value).as_bytes());
                }
            }
        }
        batch.len() - before
    }

    /// What the subject sends for a step.
    pub fn action(&self, step: &Step) -> &'s Action {
        match step {
            Step::Add { .. } => &self.subject.add,
            Step::Claim { .. } => &self.subject.claim,
        }
    }

    /// What the service makes of the replies to a step.
    pub fn read(&self, step: &Step, replies: &[Reply]) -> Read {
        let action = self.action(step);
        let reply = match &action.form {
            Form::Steps(_) | Form::Pipeline(_) => replies.get(action.reply_of),
            Form::Script(_) => replies.first(),
            Form::Transaction(_) => match replies.last() {
                Some(Reply::Array(items)) => items.get(action.reply_of),
                other => other,
            },
        };
        let error = replies.iter().find(|reply| matches!(reply, Reply::Error(_)));
        let reply = error.or(reply).unwrap_or(&Reply::Nil);
        self.scale.read(reply, action.reading, action.nil_is_zero)
    }

    /// Does one step as the service does it: steps wait for one another. `gap` runs between two of them.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn ask(&self, link: &mut Link, step: &Step, gap: &dyn Fn()) -> Result<Read, LinkError> {
        let mut batch = Batch::default();
        self.push_step(&mut batch, step, true);
        let mut replies = Vec::with_capacity(4);
        match &self.action(step).form {
            Form::Steps(all) if all.len() > 1 => {
                for (position, one) in batch.split().into_iter().enumerate() {
                    if position > 0 {
                        gap();
                    }
                    link.send(&one, &mut replies)?;
                }
            }
            _ => link.send(&batch, &mut replies)?,
        }
        Ok(self.read(step, &replies))
    }

    /// The steps as commands: one per line, words quoted for a shell; a script's text by its file.
    pub fn shell_lines(&self, step: &Step) -> Vec<String> {
        let mut batch = Batch::default();
        self.push_step(&mut batch, step, true);
        batch.words().iter().map(|words| shell_line(words)).collect()
    }

    /// What every field holds as text; `None` where there is none.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn texts(&self, link: &mut Link) -> Result<Vec<Reply>, LinkError> {
        let mut batch = Batch::default();
        self.pools.iter().for_each(|pool| batch.push(&["HGET", &pool.key, &pool.field]));
        let mut replies = Vec::with_capacity(self.pools.len());
        link.send(&batch, &mut replies)?;
        Ok(replies)
    }

    /// What every pool holds, in atoms; a missing field holds 0, and what is no amount holds nothing.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn balances(&self, link: &mut Link) -> Result<Vec<Option<i128>>, LinkError> {
        Ok(self.texts(link)?.iter().map(|text| self.balance(text)).collect())
    }

    /// What a field of this text holds.
    pub fn balance(&self, text: &Reply) -> Option<i128> {
        match text {
            Reply::Nil => Some(0),
            reply => reply.text().and_then(|text| self.scale.parse(&text)),
        }
    }
}

/// Words of a command, quoted where a shell needs it.
pub fn shell_line(words: &[Vec<u8>]) -> String {
    let quoted = |word: &Vec<u8>| {
        let text = String::from_utf8_lossy(word);
        let is_plain =
            !text.is_empty() && text.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-:.,+=/@".contains(sign));
        if is_plain { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Keys of a run: how many there are, deleted if wanted. A subject's keys start with the prefix, or with a hash tag of it.
///
/// # Errors
/// [`LinkError`].
pub fn keys_under(link: &mut Link, prefix: &str, delete: bool) -> Result<usize, LinkError> {
    let plain = keys::starting_with(link, prefix, delete)?;
    Ok(plain + keys::starting_with(link, &format!("{{{prefix}"), delete)?)
}
