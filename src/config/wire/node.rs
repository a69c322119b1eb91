//! Reads one value of a TOML document at a time. Every wrong type, missing key and unknown key becomes a finding, and
//! reading goes on.

use std::cell::RefCell;

use jiff::civil::Date;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::amount::{self, Amount, Exact, Measure};
use crate::config::findings::{At, Notes, Span, nearest};

pub(in crate::config) type Node<'a> = &'a Spanned<DeValue<'a>>;

/// Something that is read from one value.
pub(in crate::config) type Read<'a, T> = fn(&'a Notes, Node<'a>, &str) -> Option<At<T>>;

/// One value for all bets, or a list with one per bet.
#[derive(Debug, Clone)]
pub(in crate::config) enum PerBet<T> {
    One(At<T>),
    List(List<T>),
}

/// A list as written. An entry that could not be read was reported and is `None`.
#[derive(Debug, Clone)]
pub(in crate::config) struct List<T> {
    pub span: Span,
    pub items: Vec<Option<At<T>>>,
}

impl<T> List<T> {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The entries that could be read.
    pub fn known(&self) -> impl Iterator<Item = &At<T>> {
        self.items.iter().flatten()
    }

    pub fn is_whole(&self) -> bool {
        self.items.iter().all(Option::is_some)
    }
}

/// The known keys of a table that are written but could not be read, or that a misspelt key may stand for. They were
/// reported, so they only seem to be missing.
#[derive(Debug, Clone, Default)]
pub(in crate::config) struct Unread(Vec<String>);

impl Unread {
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|unread| unread == key)
    }

    /// Everything is said to be unread: the table itself can't be read.
    pub fn all(keys: &[&str]) -> Self {
        Self(keys.iter().map(ToString::to_string).collect())
    }
}

impl<T> PerBet<T> {
    pub fn span(&self) -> Span {
        match self {
            Self::One(one) => one.span,
            Self::List(list) => list.span,
        }
    }

    /// The values that could be read.
    pub fn known(&self) -> Vec<&At<T>> {
        match self {
            Self::One(one) => vec![one],
            Self::List(list) => list.known().collect(),
        }
    }
}

/// A TOML table that remembers which keys were asked for.
pub(in crate::config) struct Table<'a> {
    pub entries: &'a DeTable<'a>,
    pub span: Span,
    /// What it is, for messages: `[bets]`.
    pub what: String,
    known: RefCell<Vec<&'static str>>,
    unread: RefCell<Vec<&'static str>>,
    /// Needed keys that are not there, with an example.
    absent: RefCell<Vec<(&'static str, &'static str)>>,
    notes: &'a Notes,
}

impl<'a> Table<'a> {
    pub fn new(notes: &'a Notes, entries: &'a DeTable<'a>, span: Span, what: &str) -> Self {
        Self {
            entries,
            span,
            what: what.to_string(),
            known: RefCell::default(),
            unread: RefCell::default(),
            absent: RefCell::default(),
            notes,
        }
    }

    /// The value of a key that is known here.
    pub fn node(&self, key: &'static str) -> Option<Node<'a>> {
        #[cfg(test)]
        asked::note(&self.what, key);
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.entries.get(key)
    }

    /// What `read` makes of the value of a key; remembers a value that can't be read.
    pub fn read<T>(&self, key: &'static str, read: impl FnOnce(Node<'a>) -> Option<T>) -> Option<T> {
        let node = self.node(key)?;
        let found = read(node);
        if found.is_none() {
            self.unread.borrow_mut().push(key);
        }
        found
    }

    pub fn get<T>(&self, key: &'static str, read: Read<'a, T>) -> Option<At<T>> {
        self.read(key, |node| read(self.notes, node, &format!("`{key}`")))
    }

    /// The value of a key that must be there.
    pub fn need<T>(&self, key: &'static str, read: Read<'a, T>, example: &'static str) -> Option<At<T>> {
        self.expect(key, example);
        self.get(key, read)
    }

    /// Says that a key must be there.
    pub fn expect(&self, key: &'static str, example: &'static str) {
        if !self.entries.contains_key(key) {
            self.absent.borrow_mut().push((key, example));
        }
    }

    pub fn list<T>(&self, key: &'static str, read: Read<'a, T>) -> Option<List<T>> {
        self.read(key, |node| list(self.notes, node, &format!("`{key}`"), read))
    }

    pub fn per_bet<T>(&self, key: &'static str, read: Read<'a, T>) -> Option<PerBet<T>> {
        self.read(key, |node| match node.get_ref() {
            DeValue::Array(_) => list(self.notes, node, &format!("`{key}`"), read).map(PerBet::List),
            _ => read(self.notes, node, &format!("`{key}`")).map(PerBet::One),
        })
    }

    /// A table below this one.
    pub fn table(&self, key: &'static str, what: &str) -> Option<Table<'a>> {
        self.read(key, |node| table(self.notes, node, what))
    }

    /// Tables of an array of tables, `[[key]]`.
    pub fn tables(&self, key: &'static str) -> Vec<Table<'a>> {
        let what = format!("[[{key}]]");
        let Some(node) = self.node(key) else { return Vec::new() };
        match node.get_ref() {
            DeValue::Array(items) => {
                let read: Vec<_> = items.iter().map(|item| table(self.notes, item, &what)).collect();
                if read.iter().any(Option::is_none) {
                    self.unread.borrow_mut().push(key);
                }
                read.into_iter().flatten().collect()
            }
            _ => {
                self.unread.borrow_mut().push(key);
                let expected = format!("expected one or more {what} sections");
                wrong_type::<()>(
                    self.notes,
                    node,
                    &format!("`{key}`"),
                    &expected,
                    &format!("write {what} on its own line"),
                );
                Vec::new()
            }
        }
    }

    /// All entries but the known ones, in order of the file.
    pub fn rest(&self) -> Vec<(At<String>, Node<'a>)> {
        let known = self.known.borrow();
        let mut rest: Vec<_> = self
            .entries
            .iter()
            .filter(|(key, _)| !known.contains(&key.get_ref().as_ref()))
            .map(|(key, node)| {
                let span = key.span();
                let span = Span { file: 0, start: span.start, end: span.end };
                (At { value: key.get_ref().to_string(), span }, node)
            })
            .collect();
        rest.sort_by_key(|(key, _)| key.span.start);
        rest
    }

    /// Reports every needed key that is missing and every key that nobody asked for, a misspelt key once.
    pub fn finish(self) -> Unread {
        let known = self.known.borrow();
        let mut unread: Vec<String> = self.unread.borrow().iter().map(ToString::to_string).collect();
        for (key, _) in self.rest() {
            let free = known.iter().copied().filter(|name| !self.entries.contains_key(*name));
            let meant = nearest(&key.value, free).or_else(|| nearest(&key.value, known.iter().copied()));
            unread.extend(meant.map(ToString::to_string));
            let help = match meant {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("known here: {}", known.join(", ")),
            };
            self.notes.error(
                key.span,
                "unknown-key",
                format!("unknown key `{}` in {}", key.value, self.what),
                "expected a known key",
                help,
            );
        }
        let absent = self.absent.borrow();
        for (key, example) in absent.iter().filter(|(key, _)| !unread.iter().any(|unread| unread == key)) {
            self.notes.error(
                self.span,
                "missing-key",
                format!("{} has no `{key}`", self.what),
                format!("expected a `{key}` here"),
                format!("add `{example}`"),
            );
        }
        Unread(unread)
    }
}

pub(in crate::config) fn span(node: Node) -> Span {
    let span = node.span();
    Span { file: 0, start: span.start, end: span.end }
}

fn at<T>(node: Node, value: T) -> Option<At<T>> {
    Some(At { value, span: span(node) })
}

pub(in crate::config) fn wrong_type<T>(
    notes: &Notes,
    node: Node,
    what: &str,
    expected: &str,
    help: &str,
) -> Option<At<T>> {
    let found = match node.get_ref() {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    notes.error(span(node), "wrong-type", format!("{what} is {found}"), expected, help);
    None
}

pub(in crate::config) fn table<'a>(notes: &'a Notes, node: Node<'a>, what: &str) -> Option<Table<'a>> {
    match node.get_ref() {
        DeValue::Table(entries) => Some(Table::new(notes, entries, span(node), what)),
        _ => {
            wrong_type::<()>(notes, node, what, "expected a table", "write `{ key = value, ... }` or a [section]");
            None
        }
    }
}

pub(in crate::config) fn list<'a, T>(
    notes: &'a Notes,
    node: Node<'a>,
    what: &str,
    read: Read<'a, T>,
) -> Option<List<T>> {
    let DeValue::Array(items) = node.get_ref() else {
        wrong_type::<()>(notes, node, what, "expected a list", "write `[a, b, c]`");
        return None;
    };
    let entry = format!("an entry of {what}");
    Some(List { span: span(node), items: items.iter().map(|item| read(notes, item, &entry)).collect() })
}

pub(in crate::config) fn text(notes: &Notes, node: Node, what: &str) -> Option<At<String>> {
    match node.get_ref() {
        DeValue::String(text) => at(node, text.to_string()),
        _ => wrong_type(notes, node, what, "expected text", "put it in quotes"),
    }
}

pub(in crate::config) fn flag(notes: &Notes, node: Node, what: &str) -> Option<At<bool>> {
    match node.get_ref() {
        DeValue::Boolean(flag) => at(node, *flag),
        _ => wrong_type(notes, node, what, "expected true or false", "write true or false, without quotes"),
    }
}

/// A day, as TOML writes it or as text: 2027-01-31.
pub(in crate::config) fn date(notes: &Notes, node: Node, what: &str) -> Option<At<Date>> {
    let day = match node.get_ref() {
        DeValue::String(text) => text.parse().ok(),
        DeValue::Datetime(day) if day.time.is_none() => day.to_string().parse().ok(),
        _ => None,
    };
    match day {
        Some(day) => at(node, day),
        None => wrong_type(notes, node, what, "expected a day, such as 2027-01-31", "write year-month-day"),
    }
}

/// A whole number from 0, not in quotes.
pub(in crate::config) fn whole(notes: &Notes, node: Node, what: &str) -> Option<At<u64>> {
    match node.get_ref() {
        DeValue::Integer(number) => match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(value) => at(node, value),
            Err(_) => bad_number(notes, node, what, "a whole number from 0"),
        },
        _ => wrong_type(notes, node, what, "expected a whole number", "write it without quotes and decimals"),
    }
}

/// A number, or decimal or fraction text: `0.15`, `"27/11000"`.
pub(in crate::config) fn number(notes: &Notes, node: Node, what: &str) -> Option<At<Exact>> {
    parsed(notes, node, what, amount::number, "a decimal number or a fraction, such as 0.15 or \"27/11000\"")
}

/// The same, or a percentage in quotes.
pub(in crate::config) fn rate(notes: &Notes, node: Node, what: &str) -> Option<At<Exact>> {
    parsed(notes, node, what, amount::rate, "a rate, such as \"0.40%\" or \"27/11000\"")
}

/// The same as a number, or `"50 x bet"`.
pub(in crate::config) fn money(notes: &Notes, node: Node, what: &str) -> Option<At<Amount>> {
    parsed(notes, node, what, amount::amount, "an amount, such as \"10000.00\" or \"50 x bet\"")
}

/// An amount of money that can't depend on the bet.
pub(in crate::config) fn plain_money(notes: &Notes, node: Node, what: &str) -> Option<At<Exact>> {
    let read =
        |text: &str| amount::amount(text).filter(|found| found.measure == Measure::Money).map(|found| found.value);
    parsed(notes, node, what, read, "an amount of money, such as \"1.00\"")
}

fn parsed<T>(
    notes: &Notes,
    node: Node,
    what: &str,
    parse: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Option<At<T>> {
    let value = match node.get_ref() {
        DeValue::String(text) => parse(text),
        DeValue::Float(number) => parse(number.as_str()),
        DeValue::Integer(number) if number.radix() == 10 => parse(number.as_str()),
        DeValue::Integer(_) => None,
        _ => {
            return wrong_type(notes, node, what, &format!("expected {expected}"), "write a number, or text in quotes");
        }
    };
    match value {
        Some(value) => at(node, value),
        None => bad_number(notes, node, what, expected),
    }
}

fn bad_number<T>(notes: &Notes, node: Node, what: &str, expected: &str) -> Option<At<T>> {
    let found = notes.text(span(node));
    notes.error(
        span(node),
        "bad-number",
        format!("{what} is {found}, which is no number of this kind"),
        format!("expected {expected}"),
        format!("write {expected}"),
    );
    None
}

/// Tells tests which keys the reader asks for, by table.
#[cfg(test)]
pub(in crate::config) mod asked {
    use std::cell::RefCell;

    thread_local! {
        static ASKED: RefCell<Vec<(String, &'static str)>> = const { RefCell::new(Vec::new()) };
        static WORDS: RefCell<Vec<(String, Vec<String>)>> = const { RefCell::new(Vec::new()) };
    }

    /// The words that a key may have.
    pub fn note_words(key: &str, words: Vec<String>) {
        WORDS.with_borrow_mut(|all| all.push((key.to_owned(), words)));
    }

    pub fn take_words() -> Vec<(String, Vec<String>)> {
        WORDS.take()
    }

    pub fn note(what: &str, key: &'static str) {
        ASKED.with_borrow_mut(|asked| asked.push((what.to_owned(), key)));
    }

    pub fn clear() {
        ASKED.with_borrow_mut(Vec::clear);
    }

    pub fn take() -> Vec<(String, &'static str)> {
        ASKED.take()
    }
}
