//! `--set path=value`: changes to the text of a game file, with its comments and layout kept.
//!
//! A path names keys as the file nests them, `bets.mix`; a level, feature or other entry of a list by its name,
//! `grand.contribution` or `jackpot.grand.contribution`; an entry of a plain list by its place from 0, `bets.mix[2]`.

use std::str::FromStr;

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::findings::{Notes, Span, name_help};

/// Sections that a game file may have, for a path into one that isn't there yet.
const SECTIONS: [&str; 15] = [
    "name",
    "currency",
    "source",
    "note",
    "bets",
    "reels",
    "outcomes",
    "symbols",
    "pays",
    "feature",
    "tables",
    "jackpot",
    "jackpots",
    "published",
    "traffic",
];

/// A change to a game file, as it is typed: `grand.contribution=0.3%`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    text: String,
    path: Vec<Segment>,
    /// Where the value starts in the text.
    value_at: usize,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Segment {
    step: Step,
    /// Bytes of the text.
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// Why a change can't be made: where in its text, what was found, what was expected, what to do.
struct Misfit {
    start: usize,
    end: usize,
    code: &'static str,
    message: String,
    expected: String,
    help: String,
}

impl Override {
    /// From a path and a value.
    ///
    /// # Errors
    /// A path that is none, in words.
    pub fn new(path: &str, value: &str) -> Result<Self, String> {
        format!("{path}={value}").parse()
    }

    /// The path as typed.
    pub fn path(&self) -> &str {
        self.text[..self.value_at - 1].trim()
    }

    /// The value as typed.
    pub fn value(&self) -> &str {
        self.text[self.value_at..].trim()
    }
}

impl FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected PATH=VALUE such as grand.contribution=0.3%, mini.trigger.odds=500 or bets.mix[2]=10";
        let (path, value) = split(text).ok_or(expected)?;
        if value.trim().is_empty() {
            return Err(format!("there is no value behind `=`; {expected}"));
        }
        Ok(Self { text: text.to_owned(), path: segments(path).ok_or(expected)?, value_at: path.len() + 1 })
    }
}

/// Parts of a text on either side of the first `=` that stands outside quotes.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let at = text.char_indices().find(|&(_, sign)| {
        quoted ^= sign == '"';
        sign == '=' && !quoted
    });
    at.map(|(at, _)| (&text[..at], &text[at + 1..]))
}

fn segments(path: &str) -> Option<Vec<Segment>> {
    let mut segments = Vec::new();
    let mut at = path.len() - path.trim_start().len();
    let end = path.trim_end().len();
    while at < end {
        let rest = &path[at..end];
        let (length, step) = if let Some(quoted) = rest.strip_prefix('"') {
            let close = quoted.find('"')?;
            (close + 2, Step::Key(quoted[..close].to_owned()))
        } else if let Some(index) = rest.strip_prefix('[') {
            let close = index.find(']')?;
            (close + 2, Step::Index(index[..close].trim().parse().ok()?))
        } else {
            let length = rest.find(['.', '[']).unwrap_or(rest.len());
            let key = rest[..length].trim();
            (length, Step::Key(if key.is_empty() { return None } else { key.to_owned() }))
        };
        segments.push(Segment { step, start: at, end: at + length });
        at += length;
        match path[at..end].chars().next() {
            Some('.') if at + 1 < end => at += 1,
            Some('[') | None => {}
            Some(_) => return None,
        }
    }
    matches!(segments.first()?.step, Step::Key(_)).then_some(segments)
}

/// The text with the changes made, in their order. Changes that can't be made are findings.
pub(super) fn apply(document: &DocumentMut, overrides: &[Override], notes: &Notes) -> Option<String> {
    let mut document = document.clone();
    let mut whole = true;
    for change in overrides {
        let value = read_value(change.value());
        if let Err(misfit) = set_at_root(document.as_table_mut(), &change.path, value) {
            whole = false;
            let file = notes.add_source("--set", &change.text);
            let span = Span { file, start: misfit.start, end: misfit.end };
            notes.error(span, misfit.code, misfit.message, misfit.expected, misfit.help);
        }
    }
    whole.then(|| document.to_string())
}

/// What stands at a path, as it would be typed; `None` if nothing does, or a whole table or list.
pub(super) fn current(text: &str, change: &Override) -> Option<String> {
    let document: DocumentMut = text.parse().ok()?;
    let root = document.as_item();
    let (first, rest) = change.path.split_first()?;
    let Step::Key(name) = &first.step else { return None };
    let (item, rest) = match root.get(name) {
        Some(item) => (item, rest),
        None => (root.get("jackpot")?, &change.path[..]),
    };
    let mut item = item.clone();
    for segment in rest {
        item = inner(&item, &segment.step)?;
    }
    match item.as_value()? {
        Value::String(text) => Some(text.value().clone()),
        Value::Array(_) | Value::InlineTable(_) => None,
        other => Some(other.to_string().trim().to_owned()),
    }
}

fn inner(item: &Item, step: &Step) -> Option<Item> {
    let named = |tables: Vec<(Option<String>, Item)>, name: &str| {
        tables.into_iter().find(|(own, _)| own.as_deref() == Some(name)).map(|(_, item)| item)
    };
    match (item, step) {
        (Item::ArrayOfTables(tables), Step::Key(name)) => {
            named(tables.iter().map(|table| (name_of(table), Item::Table(table.clone()))).collect(), name)
        }
        (Item::ArrayOfTables(tables), Step::Index(place)) => tables.get(*place).cloned().map(Item::Table),
        (Item::Value(Value::Array(list)), Step::Index(place)) => list.get(*place).cloned().map(Item::Value),
        (Item::Value(Value::Array(list)), Step::Key(name)) => {
            let own = |value: &Value| name_of(value.as_inline_table()? as &dyn TableLike);
            named(list.iter().map(|value| (own(value), Item::Value(value.clone()))).collect(), name)
        }
        (_, Step::Key(name)) => item.get(name).cloned(),
        _ => None,
    }
}

/// A value as TOML if it is that, else as a text: `0.3%`, `50 x bet`.
fn read_value(text: &str) -> Value {
    text.parse().unwrap_or_else(|_| Value::from(text))
}

type Outcome = Result<(), Misfit>;

fn set_at_root(root: &mut Table, path: &[Segment], value: Value) -> Outcome {
    let (first, rest) = path.split_first().expect("a path has a first step");
    let Step::Key(name) = &first.step else { return Err(no_entry(first, "the game file")) };
    if root.contains_key(name) {
        return set_in_table(root, path, value, "the game file");
    }
    let levels = names(root.get("jackpot"));
    if levels.contains(name) {
        if rest.is_empty() {
            return Err(Misfit {
                start: first.start,
                end: first.end,
                code: "set-section",
                message: format!("`{name}` is a whole level"),
                expected: "expected a key of it".into(),
                help: format!("such as {name}.contribution, {name}.seed or {name}.trigger.odds"),
            });
        }
        return set_in_item(root.get_mut("jackpot").expect("its levels were read"), path, value, "[[jackpot]]");
    }
    if !SECTIONS.contains(&name.as_str()) {
        let known = levels.iter().map(String::as_str).chain(SECTIONS);
        return Err(Misfit {
            start: first.start,
            end: first.end,
            code: "set-unknown",
            message: format!("there is no level or section `{name}`"),
            expected: "expected a level or a section of the game file".into(),
            help: name_help(name, known),
        });
    }
    if !rest.is_empty() {
        root.insert(name, Item::Table(Table::new()));
    }
    set_in_table(root, path, value, "the game file")
}

fn set_in_table(table: &mut dyn TableLike, path: &[Segment], value: Value, what: &str) -> Outcome {
    let (first, rest) = path.split_first().expect("a path has a first step");
    let Step::Key(name) = &first.step else { return Err(no_entry(first, what)) };
    if rest.is_empty() {
        match table.get_mut(name) {
            Some(Item::Value(old)) => replace(old, value),
            Some(Item::None) | None => {
                table.insert(name, Item::Value(value));
            }
            Some(_) => {
                return Err(Misfit {
                    start: first.start,
                    end: first.end,
                    code: "set-section",
                    message: format!("`{name}` is a section"),
                    expected: "expected a key of it".into(),
                    help: format!("name what is to be changed in it: {name}.KEY=VALUE"),
                });
            }
        }
        return Ok(());
    }
    if table.get(name).is_none_or(Item::is_none) {
        table.insert(name, Item::Value(Value::InlineTable(InlineTable::new())));
    }
    set_in_item(table.get_mut(name).expect("it was put there"), rest, value, name)
}

fn set_in_item(item: &mut Item, path: &[Segment], value: Value, what: &str) -> Outcome {
    match item {
        Item::Table(table) => set_in_table(table, path, value, what),
        Item::ArrayOfTables(tables) => {
            let known: Vec<String> = tables.iter().filter_map(|table| name_of(table)).collect();
            let (first, rest) = path.split_first().expect("a path has a first step");
            let place = place(first, &known, tables.len()).filter(|_| !rest.is_empty());
            match place.and_then(|place| tables.get_mut(place)) {
                Some(table) => set_in_table(table, rest, value, what),
                None => Err(no_such(first, what, &known, tables.len())),
            }
        }
        Item::Value(inner) => set_in_value(inner, path, value, what),
        Item::None => Err(no_entry(&path[0], what)),
    }
}

fn set_in_value(item: &mut Value, path: &[Segment], value: Value, what: &str) -> Outcome {
    match item {
        Value::InlineTable(table) => set_in_table(table, path, value, what),
        Value::Array(list) => {
            let known: Vec<String> =
                list.iter().filter_map(|entry| name_of(entry.as_inline_table()? as &dyn TableLike)).collect();
            let (first, rest) = path.split_first().expect("a path has a first step");
            let length = list.len();
            match place(first, &known, length).and_then(|place| list.get_mut(place)) {
                Some(old) if rest.is_empty() => {
                    replace(old, value);
                    Ok(())
                }
                Some(inner) => set_in_value(inner, rest, value, what),
                None => Err(no_such(first, what, &known, length)),
            }
        }
        _ => Err(no_entry(&path[0], what)),
    }
}

/// Puts a value in the place of another, its spaces and comments kept; a number in the place of a text as a text.
fn replace(old: &mut Value, mut value: Value) {
    if old.is_str() && (value.is_integer() || value.is_float()) {
        value = Value::from(value.to_string().trim());
    }
    *value.decor_mut() = old.decor().clone();
    *old = value;
}

fn name_of(table: &dyn TableLike) -> Option<String> {
    ["level", "name"].iter().find_map(|key| table.get(key)?.as_str()).map(str::to_owned)
}

fn names(item: Option<&Item>) -> Vec<String> {
    match item {
        Some(Item::ArrayOfTables(tables)) => tables.iter().filter_map(|table| name_of(table)).collect(),
        Some(Item::Value(Value::Array(list))) => {
            list.iter().filter_map(|entry| name_of(entry.as_inline_table()? as &dyn TableLike)).collect()
        }
        _ => Vec::new(),
    }
}

fn place(segment: &Segment, known: &[String], length: usize) -> Option<usize> {
    match &segment.step {
        Step::Index(index) => Some(*index).filter(|index| *index < length),
        Step::Key(name) => known.iter().position(|known| known == name),
    }
}

fn no_such(segment: &Segment, what: &str, known: &[String], length: usize) -> Misfit {
    let (message, help) = match &segment.step {
        Step::Index(_) if length == 0 => (format!("{what} is empty"), "write the whole list".to_owned()),
        Step::Index(index) => {
            (format!("{what} has no entry [{index}]"), format!("the last is [{}]", length.saturating_sub(1)))
        }
        Step::Key(name) if known.is_empty() => {
            (format!("`{name}` is no place in {what}"), format!("write {what}[0] for its first entry"))
        }
        Step::Key(name) => (format!("{what} has no entry `{name}`"), name_help(name, known.iter().map(String::as_str))),
    };
    Misfit {
        start: segment.start,
        end: segment.end,
        code: "set-unknown",
        message,
        expected: "expected an entry of the list, by name or place from 0, and a key".into(),
        help,
    }
}

fn no_entry(segment: &Segment, what: &str) -> Misfit {
    Misfit {
        start: segment.start,
        end: segment.end,
        code: "set-inside",
        message: format!("{what} has no parts to name"),
        expected: "expected the value to be set as a whole here".into(),
        help: "shorten the path, or write the whole value".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "name = \"a\" # who\n\n[bets]\nmix = [40, 25] # weights\n\n[[jackpot]]\nlevel = \"mini\"\n\
                        contribution = \"0.40%\"   # of the bet\ntrigger = { odds = 2_000 }\n\n[[jackpot]]\nlevel = \"grand\"\n";

    fn edited(changes: &[&str]) -> Result<String, String> {
        let overrides: Vec<Override> = changes.iter().map(|text| text.parse().unwrap()).collect();
        let notes = Notes::new("game", GAME);
        let text = apply(&GAME.parse().unwrap(), &overrides, &notes);
        let findings = notes.into_findings();
        let told: Vec<String> = findings
            .iter()
            .map(|finding| format!("{} @{}: {}", finding.message, finding.column, finding.help))
            .collect();
        if findings.is_empty() { Ok(text.unwrap()) } else { Err(told.join("\n")) }
    }

    #[test]
    fn a_value_changes_and_all_around_it_stays() {
        let changed = |change: &str, from: &str, to: &str| {
            assert_eq!(edited(&[change]).unwrap(), GAME.replace(from, to), "{change}");
        };
        changed("mini.contribution=0.5%", "\"0.40%\"", "\"0.5%\"");
        changed("jackpot.mini.trigger.odds = 500", "2_000", "500");
        changed("jackpot[0].trigger.odds=500", "2_000", "500");
        changed("bets.mix[1]=7", "25", "7");
        changed("mini.contribution=0.004", "\"0.40%\"", "\"0.004\"");
        changed("bets.mix=[1, 2]", "[40, 25]", "[1, 2]");
        changed("name=b c", "\"a\"", "\"b c\"");
        assert_eq!(edited(&["mini.seed=50 x bet"]).unwrap().matches("seed = \"50 x bet\"").count(), 1);
        assert!(edited(&["traffic.spins_per_day=1000"]).unwrap().ends_with("\n[traffic]\nspins_per_day = 1000\n"));
        assert!(edited(&["grand.cap.at=9"]).unwrap().contains("cap = { at = 9 }"));
    }

    #[test]
    fn a_path_that_leads_nowhere_is_told_with_its_place() {
        let told = |change: &str| edited(&[change]).unwrap_err();
        assert_eq!(told("grnd.seed=1"), "there is no level or section `grnd` @1: did you mean `grand`?");
        assert_eq!(told("bets.mix[2]=1"), "mix has no entry [2] @9: the last is [1]");
        assert!(told("jackpot.mino.seed=1").contains("jackpot has no entry `mino` @9: did you mean `mini`?"));
        assert!(told("mini.contribution.at=1").contains("contribution has no parts to name @19"));
        assert!(told("mini=1").contains("`mini` is a whole level"));
        assert!(told("bets=1").contains("`bets` is a section"));
        assert_eq!(edited(&["grnd.seed=1", "bets=2"]).unwrap_err().lines().count(), 2);
    }

    #[test]
    fn what_stands_at_a_path_is_read_as_it_would_be_typed() {
        let at = |path: &str| current(GAME, &Override::new(path, "0").unwrap());
        assert_eq!(at("mini.contribution").as_deref(), Some("0.40%"));
        assert_eq!(at("jackpot[0].trigger.odds").as_deref(), Some("2_000"));
        assert_eq!(at("bets.mix[1]").as_deref(), Some("25"));
        assert_eq!((at("bets.mix"), at("mini.seed"), at("nowhere.x")), (None, None, None));
    }

    #[test]
    fn only_path_and_value_make_a_change() {
        for text in ["", "a", "=1", "a=", "a.=1", ".a=1", "a[x]=1", "[0]=1", "a[0]b=1", "a..b=1"] {
            assert!(text.parse::<Override>().is_err(), "{text}");
        }
        let quoted: Override = "pays.line.\"a=b.c\"[2] = 7".parse().unwrap();
        assert_eq!((quoted.path(), quoted.value()), ("pays.line.\"a=b.c\"[2]", "7"));
        assert_eq!(quoted.path.len(), 4);
    }
}
