//! Reads one value of a TOML document at a time. Every wrong type, missing key and unknown key becomes a finding, and
//! reading goes on.

use std::cell::RefCell;

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
    List(At<Vec<At<T>>>),
}

impl<T> PerBet<T> {
    pub fn span(&self) -> Span {
        match self {
            Self::One(one) => one.span,
            Self::List(list) => list.span,
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
    notes: &'a Notes,
}

impl<'a> Table<'a> {
    pub fn new(notes: &'a Notes, entries: &'a DeTable<'a>, span: Span, what: &str) -> Self {
        Self { entries, span, what: what.to_string(), known: RefCell::default(), notes }
    }

    /// The value of a key that is known here.
    pub fn node(&self, key: &'static str) -> Option<Node<'a>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.entries.get(key)
    }

    pub fn get<T>(&self, key: &'static str, read: Read<'a, T>) -> Option<At<T>> {
        self.node(key).and_then(|node| read(self.notes, node, &format!("`{key}`")))
    }

    /// The value of a key that must be there.
    pub fn need<T>(&self, key: &'static str, read: Read<'a, T>, example: &str) -> Option<At<T>> {
        if !self.entries.contains_key(key) {
            self.missing(key, example);
        }
        self.get(key, read)
    }

    pub fn list<T>(&self, key: &'static str, read: Read<'a, T>) -> Option<At<Vec<At<T>>>> {
        self.node(key).and_then(|node| list(self.notes, node, &format!("`{key}`"), read))
    }

    pub fn per_bet<T>(&self, key: &'static str, read: Read<'a, T>) -> Option<PerBet<T>> {
        let node = self.node(key)?;
        match node.get_ref() {
            DeValue::Array(_) => list(self.notes, node, &format!("`{key}`"), read).map(PerBet::List),
            _ => read(self.notes, node, &format!("`{key}`")).map(PerBet::One),
        }
    }

    /// A table below this one.
    pub fn table(&self, key: &'static str, what: &str) -> Option<Table<'a>> {
        self.node(key).and_then(|node| table(self.notes, node, what))
    }

    /// Tables of an array of tables, `[[key]]`.
    pub fn tables(&self, key: &'static str) -> Vec<Table<'a>> {
        let what = format!("[[{key}]]");
        let Some(node) = self.node(key) else { return Vec::new() };
        match node.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| table(self.notes, item, &what)).collect(),
            _ => {
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

    pub fn missing(&self, key: &str, example: &str) {
        self.notes.error(
            self.span,
            "missing-key",
            format!("{} has no `{key}`", self.what),
            format!("expected a `{key}` here"),
            format!("add `{example}`"),
        );
    }

    /// Reports every key that nobody asked for.
    pub fn finish(self) {
        let known = self.known.borrow();
        for (key, _) in self.rest() {
            let all = known.iter().copied();
            let help = match nearest(&key.value, all.clone()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("known here: {}", all.collect::<Vec<_>>().join(", ")),
            };
            self.notes.error(
                key.span,
                "unknown-key",
                format!("unknown key `{}` in {}", key.value, self.what),
                "expected a known key",
                help,
            );
        }
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
) -> Option<At<Vec<At<T>>>> {
    let DeValue::Array(items) = node.get_ref() else {
        return wrong_type(notes, node, what, "expected a list", "write `[a, b, c]`");
    };
    let entry = format!("an entry of {what}");
    let read: Vec<_> = items.iter().map(|item| read(notes, item, &entry)).collect();
    read.into_iter().collect::<Option<Vec<_>>>().and_then(|values| at(node, values))
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
