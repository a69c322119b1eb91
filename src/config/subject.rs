//! The file of a subject: TOML text to the commands of a service. It reports all findings at once, as a game file does.

use std::io;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::findings::{At, Notes, Span, name_help};
use super::text;
use super::wire::node::{self, Node, Table, wrong_type};
use super::{ConfigError, report_syntax};
use crate::pool::subject::{Action, Encoding, Form, Holds, Reading, Rounding, Script, Slot, Subject, Template, Words};

/// Most decimals that Redis writes.
const DECIMALS_MAX: u64 = 17;

/// Reads and checks a subject's file and the scripts beside it.
///
/// # Errors
/// [`ConfigError::Unreadable`] if the file can't be read, else all findings.
pub fn load_subject(path: &Path) -> Result<Subject, ConfigError> {
    let text = text::read(path).map_err(|reason| ConfigError::Unreadable {
        path: path.into(),
        help: text::help(reason.kind(), "give the path of a subject, such as configs/subjects/production.toml"),
        reason: reason.to_string(),
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse_subject(&path.display().to_string(), &text, &|name| text::read(&folder.join(name)))
}

/// Checks the text of a subject. `read` gives the text of a script by its path as written.
///
/// # Errors
/// [`ConfigError::Findings`].
pub fn parse_subject(
    name: &str,
    text: &str,
    read: &dyn Fn(&str) -> io::Result<String>,
) -> Result<Subject, ConfigError> {
    let notes = Notes::new(name, text);
    let (document, mistakes) = DeTable::parse_recoverable(text);
    report_syntax(&notes, &mistakes);
    let subject = if mistakes.is_empty() { Reader { notes: &notes, read }.subject(document.get_ref()) } else { None };
    match subject.filter(|_| notes.error_count() == 0) {
        Some(subject) => Ok(subject),
        None => Err(ConfigError::Findings(notes.into_findings())),
    }
}

struct Reader<'a> {
    notes: &'a Notes,
    read: &'a dyn Fn(&str) -> io::Result<String>,
}

/// Values of a keyword.
type Choices<T> = [(&'static str, T)];

const POOL: [Slot; 4] = [Slot::Prefix, Slot::Game, Slot::BetIndex, Slot::Level];

impl<'a> Reader<'a> {
    fn subject(&self, entries: &'a DeTable<'a>) -> Option<Subject> {
        let root = Table::new(self.notes, entries, Span::default(), "the subject");
        let name = root.need("name", node::text, "name = \"our-service\"");
        let note = root.get("note", node::text);
        root.expect("value", "value = \"meter\"");
        root.expect("encoding", "encoding = \"integer\"");
        let holds = self.choice(&root, "value", &[("meter", Holds::Meter), ("growth", Holds::Growth)]);
        let encoding = self.choice(&root, "encoding", &[("integer", Encoding::Integer), ("float", Encoding::Float)]);
        let decimals = root.get("decimals", node::whole).filter(|decimals| {
            let fits = decimals.value <= DECIMALS_MAX;
            if !fits {
                let found = format!("`decimals` is {}", decimals.value);
                self.notes.error(decimals.span, "limit", found, "expected 0 to 17", "Redis writes at most 17 decimals");
            }
            fits
        });
        let roundings = [("half-even", Rounding::HalfEven), ("half-up", Rounding::HalfUp), ("down", Rounding::Down)];
        let rounding = self.choice(&root, "rounding", &roundings);
        if let (Some(Encoding::Integer), Some(span)) = (encoding, decimals.as_ref().map(|decimals| decimals.span)) {
            self.notes.error(
                span,
                "no-decimals",
                "`decimals` is for encoding = \"float\"",
                "whole pool units have no decimals",
                "remove it",
            );
        }
        root.expect("key", "key = \"{prefix}:{game}\"");
        root.expect("field", "field = \"TBI:{bet_index}_JL:{level}\"");
        let key = self.template(&root, "key", &POOL);
        if let Some(key) = key.as_ref().filter(|key| !key.value.has(Slot::Prefix)) {
            self.notes.error(
                key.span,
                "no-prefix",
                "the key has no {prefix}",
                "expected {prefix} in it",
                "a run must have keys of its own: put {prefix} before the name, such as \"{prefix}:pools\"",
            );
        }
        let field = self.template(&root, "field", &POOL[1..]);
        let journal_slots = [&POOL[..], &[Slot::Key, Slot::Field, Slot::Claim]].concat();
        let journal = self.template(&root, "journal", &journal_slots);
        if let Some(journal) = journal.as_ref().filter(|journal| !journal.value.has(Slot::Claim)) {
            self.notes.error(
                journal.span,
                "no-claim",
                "the journal has no {claim}",
                "expected {claim} in it",
                "each claim needs an entry of its own: \"{key}:claim:{field}:{claim}\"",
            );
        }
        let has_journal = journal.is_some();
        let open = self.action(&root, "open", &[Slot::Amount], has_journal);
        let add = self.action(&root, "add", &[Slot::Amount], has_journal);
        let claim = self.action(&root, "claim", &[Slot::Reset, Slot::Claim, Slot::Journal], has_journal);
        root.finish();
        Some(Subject {
            name: name?.value,
            note: note.map(|note| note.value),
            holds: holds?,
            encoding: encoding?,
            decimals: decimals.map_or(DECIMALS_MAX, |decimals| decimals.value) as u32,
            rounding: rounding.unwrap_or(Rounding::HalfEven),
            key: key?.value,
            field: field?.value,
            journal: journal.map(|journal| journal.value),
            open: open?,
            add: add?,
            claim: claim?,
        })
    }

    fn choice<T: Copy>(&self, table: &Table<'a>, key: &'static str, choices: &Choices<T>) -> Option<T> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        table.read(key, |node| {
            let word = node::text(self.notes, node, &format!("`{key}`"))?;
            let found = choices.iter().find(|(name, _)| *name == word.value);
            if found.is_none() {
                self.notes.error(
                    word.span,
                    "unknown-word",
                    format!("`{key}` is \"{}\"", word.value),
                    format!("expected {}", names.join(", ")),
                    name_help(&word.value, names.iter().copied()),
                );
            }
            found.map(|&(_, value)| value)
        })
    }

    fn template(&self, table: &Table<'a>, key: &'static str, slots: &[Slot]) -> Option<At<Template>> {
        table.read(key, |node| self.filled(node, &format!("`{key}`"), slots))
    }

    fn filled(&self, node: Node<'a>, what: &str, slots: &[Slot]) -> Option<At<Template>> {
        let text = node::text(self.notes, node, what)?;
        let known: Vec<String> = Slot::NAMES
            .iter()
            .filter(|(slot, _)| slots.contains(slot))
            .map(|(_, name)| format!("{{{name}}}"))
            .collect();
        let read = Template::parse(&text.value).and_then(|template| match template.other_than(slots) {
            Some(other) => Err(format!("{{{other}}} has no value here")),
            None => Ok(template),
        });
        match read {
            Ok(value) => Some(At { value, span: text.span }),
            Err(reason) => {
                self.notes.error(
                    text.span,
                    "template",
                    format!("{what} is \"{}\": {reason}", text.value),
                    "not a template",
                    format!("known here: {}; a brace itself is written twice", known.join(", ")),
                );
                None
            }
        }
    }

    fn words(&self, node: Node<'a>, what: &str, slots: &[Slot]) -> Option<Words> {
        let DeValue::Array(items) = node.get_ref() else {
            let help = "write the words of the command: [\"HGET\", \"{key}\", \"{field}\"]";
            return wrong_type::<Words>(self.notes, node, what, "expected a list of words", help).map(|at| at.value);
        };
        let words: Vec<_> = items.iter().map(|item| self.filled(item, what, slots)).collect();
        words.into_iter().map(|word| word.map(|word| word.value)).collect()
    }

    fn commands(&self, node: Node<'a>, what: &str, slots: &[Slot]) -> Option<Vec<Words>> {
        let items: Vec<Node> = match node.get_ref() {
            DeValue::Array(items) if !items.is_empty() => items.iter().collect(),
            _ => {
                let help = "write a list of commands: [[\"HGET\", \"{key}\", \"{field}\"], [\"HSET\", ...]]";
                let wrong = wrong_type::<Vec<Words>>(self.notes, node, what, "expected a list of commands", help);
                return wrong.map(|at| at.value);
            }
        };
        let commands: Vec<_> = items.into_iter().map(|item| self.words(item, what, slots)).collect();
        commands.into_iter().collect()
    }

    fn action(&self, root: &Table<'a>, key: &'static str, own: &[Slot], has_journal: bool) -> Option<Action> {
        root.expect(key, "[open], [add] and [claim], each with command = [...] or script = \"...\"");
        let table = root.table(key, &format!("[{key}]"))?;
        let mut slots = [&POOL[..], &[Slot::Key, Slot::Field], own].concat();
        slots.retain(|slot| has_journal || *slot != Slot::Journal);
        let single = |key| table.read(key, |node| self.words(node, &format!("`{key}`"), &slots));
        let several = |key| table.read(key, |node| self.commands(node, &format!("`{key}`"), &slots));
        let command = single("command").map(|words| Form::Steps(vec![words]));
        let steps = several("steps").map(Form::Steps);
        let pipeline = several("pipeline").map(Form::Pipeline);
        let transaction = several("transaction").map(Form::Transaction);
        let script = table.get("script", node::text).and_then(|file| self.script(&file));
        let keys = single("keys").unwrap_or_default();
        let arguments = single("arguments").unwrap_or_default();
        let sha = table.get("sha", node::text).map(|sha| sha.value);
        let reload = table.get("reload", node::flag).is_none_or(|reload| reload.value);
        let script =
            script.map(|(file, text)| Form::Script(Script { text, file: Some(file), keys, arguments, sha, reload }));
        let reply_of = table.get("reply_of", node::whole);
        let readings = [("integer", Reading::Integer), ("text", Reading::Text), ("float", Reading::Float)];
        let reading = self.choice(&table, "reply", &readings);
        let nil_is_zero = table.get("nil_is_zero", node::flag).is_some_and(|flag| flag.value);
        let ways = ["command", "steps", "pipeline", "transaction", "script"];
        let written = ways.iter().filter(|way| table.entries.contains_key(**way)).count();
        if written != 1 {
            self.notes.error(
                table.span,
                "one-way",
                format!("[{key}] says in {written} ways what is sent"),
                "expected exactly one",
                format!("write one of {}", ways.join(", ")),
            );
        }
        table.finish();
        let form = command.or(steps).or(pipeline).or(transaction).or(script)?;
        let reply_of = match reply_of {
            None => 0,
            Some(position) => {
                let most = match &form {
                    Form::Steps(all) | Form::Pipeline(all) | Form::Transaction(all) => all.len() as u64,
                    Form::Script(_) => 1,
                };
                if position.value >= most {
                    self.notes.error(
                        position.span,
                        "limit",
                        format!("`reply_of` is {}", position.value),
                        format!("expected a command from 0 to {}", most - 1),
                        "commands are counted from 0",
                    );
                    return None;
                }
                position.value as usize
            }
        };
        Some(Action { form, reply_of, reading: reading.unwrap_or(Reading::Nothing), nil_is_zero })
    }

    fn script(&self, file: &At<String>) -> Option<(String, String)> {
        match (self.read)(&file.value) {
            Ok(text) => Some((file.value.clone(), text)),
            Err(reason) => {
                self.notes.error(
                    file.span,
                    "unreadable",
                    format!("{} can't be read: {reason}", file.value),
                    "expected a Lua file beside the subject's file",
                    "paths are relative to the folder of the subject's file",
                );
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: [&str; 6] = ["ours", "production", "naive", "multi", "hgetdel", "float-text"];

    #[test]
    fn every_shipped_subject_is_read() {
        for name in SHIPPED {
            let path = format!("configs/subjects/{name}.toml");
            let subject = load_subject(Path::new(&path)).unwrap_or_else(|error| panic!("{path}: {error:?}"));
            assert_eq!(subject.name, name);
        }
    }

    #[test]
    fn our_script_is_the_one_that_the_store_sends() {
        let subject = load_subject(Path::new("configs/subjects/ours.toml")).unwrap();
        let Form::Script(script) = subject.claim.form else { panic!("a script") };
        assert_eq!(script.text, crate::pool::redis::CLAIM_SCRIPT);
    }

    #[test]
    fn all_mistakes_are_found_at_once() {
        let text = r#"
            name = "x"
            value = "meters"
            encoding = "integer"
            decimals = 20
            key = "pools"
            field = "{claim}"
            [open]
            command = "HSETNX"
            [add]
            comand = ["HINCRBY", "{key}", "{field}", "{amount}"]
            [claim]
            script = "gone.lua"
            keys = ["{journal}"]
        "#;
        let gone = |_: &str| Err(io::Error::from(io::ErrorKind::NotFound));
        let ConfigError::Findings(findings) = parse_subject("x.toml", text, &gone).unwrap_err() else { panic!() };
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
        for code in ["unknown-word", "limit", "no-prefix", "template", "wrong-type", "unknown-key", "unreadable"] {
            assert!(codes.contains(&code), "{code} of {codes:?}");
        }
    }
}
