//! Features and their tables as written.

use toml::de::DeValue;

use super::node::{self, Node, Table};
use super::play::{pair, strips, texts};
use super::{
    List, Pairs, Unread, Weighted, WireBonus, WireCombination, WireFreeSpins, WireRetrigger, WireSegment, WireTable,
};
use crate::config::findings::{At, Notes};

pub(super) fn features<'a>(notes: &'a Notes, root: &Table<'a>) -> (Vec<WireFreeSpins>, Vec<WireBonus>) {
    let (mut free_spins, mut bonuses) = (Vec::new(), Vec::new());
    for feature in root.tables("feature") {
        let kinds = ["free_spins", "bonus"].iter().filter(|kind| feature.entries.contains_key(**kind)).count();
        if kinds > 1 || feature.entries.is_empty() {
            notes.error(
                feature.span,
                "feature-kind",
                format!("a [[feature]] with {kinds} kinds of feature"),
                "expected exactly one of `free_spins`, `bonus`",
                "give each feature its own [[feature]]",
            );
        }
        if let Some(table) = feature.table("free_spins", "free_spins") {
            let mut read = free(notes, &table);
            read.unread = table.finish();
            free_spins.push(read);
        }
        if let Some(table) = feature.table("bonus", "bonus") {
            let mut read = WireBonus {
                name: table.need("name", node::text, "name = \"lobster bonus\""),
                trigger: combination(notes, &table),
                draw: table.need("draw", node::text, "draw = \"prizes\", with a [tables.prizes]"),
            };
            read.trigger.unread = table.finish();
            bonuses.push(read);
        }
        feature.finish();
    }
    (free_spins, bonuses)
}

fn free<'a>(notes: &'a Notes, table: &Table<'a>) -> WireFreeSpins {
    WireFreeSpins {
        span: table.span,
        unread: Unread::default(),
        name: table.get("name", node::text),
        scatter: table.get("scatter", node::text),
        from: table.get("from", node::whole),
        spins: table.get("spins", node::whole),
        by_count: table.table("by_count", "`by_count`").map(|counts| by_count(notes, &counts)),
        multiplier: table.get("multiplier", node::whole),
        retrigger: table.get("retrigger", retrigger),
        limit: table.get("limit", node::whole),
        strips: strips(notes, table),
        weights: table.list("weights", node::text),
        spare: table.list("spare", node::text),
        sticky: table.list("sticky", node::text),
    }
}

/// `{ 3 = 6, 4 = 10 }`, in order of the counts.
fn by_count<'a>(notes: &'a Notes, table: &Table<'a>) -> (Pairs<u64, At<u64>>, bool) {
    let (mut entries, mut whole) = (Vec::new(), true);
    for (key, value) in table.rest() {
        let spins = node::whole(notes, value, "a number of spins");
        match key.value.parse() {
            Ok(count) => entries.push((At { value: count, span: key.span }, spins)),
            Err(_) => {
                whole = false;
                notes.error(
                    key.span,
                    "bad-number",
                    format!("`{}` is no number of scatters", key.value),
                    "expected a whole number",
                    "write by_count = { 3 = 6, 4 = 10, 5 = 16 }: scatters = spins",
                );
            }
        }
    }
    entries.sort_by_key(|(count, _)| count.value);
    (At { value: entries, span: table.span }, whole)
}

fn retrigger<'a>(notes: &'a Notes, value: Node<'a>, what: &str) -> Option<At<WireRetrigger>> {
    let read = match value.get_ref() {
        DeValue::Boolean(false) => WireRetrigger::None,
        DeValue::String(text) if text == "same" => WireRetrigger::Same,
        DeValue::Integer(_) => WireRetrigger::Spins(node::whole(notes, value, what)?.value),
        _ => {
            let expected = "expected false, a number of spins, or \"same\"";
            return node::wrong_type(notes, value, what, expected, "\"same\" awards again what the trigger awards");
        }
    };
    Some(At { value: read, span: node::span(value) })
}

/// The keys that name a combination; the table's other keys are the caller's.
pub(super) fn combination<'a>(notes: &'a Notes, table: &Table<'a>) -> WireCombination {
    WireCombination {
        span: table.span,
        unread: Unread::default(),
        line: texts(table, notes, "line"),
        count: table.get("count", node::whole),
        wilds: table.get("wilds", node::flag),
        scatter: table.get("scatter", node::text),
        from: table.get("from", node::whole),
        award: None,
    }
}

pub(super) fn tables<'a>(notes: &'a Notes, root: &Table<'a>) -> Vec<WireTable> {
    let Some(all) = root.table("tables", "[tables]") else { return Vec::new() };
    let entries = all.rest().into_iter().map(|(name, value)| {
        let table = node::table(notes, value, &format!("[tables.{}]", name.value));
        let found = table.as_ref();
        WireTable {
            of: found.and_then(|table| table.get("of", node::text)),
            draws: found.and_then(|table| rows(table, "draws")),
            prizes: found.and_then(|table| rows(table, "prizes")),
            segments: found.and_then(|table| table.list("segments", segment)),
            unit: found.and_then(|table| table.get("unit", node::text)),
            unread: table.map_or_else(|| Unread::all(&["draws", "prizes", "segments"]), Table::finish),
            name,
        }
    });
    entries.collect()
}

fn rows<'a>(table: &Table<'a>, key: &'static str) -> Option<List<Weighted>> {
    table.list(key, |notes, value, what| {
        pair(notes, value, what).map(|read| At { value: read, span: node::span(value) })
    })
}

/// `{ pay, weight, draws, of, again, jackpot, free_spins, feature }`.
fn segment<'a>(notes: &'a Notes, value: Node<'a>, _what: &str) -> Option<At<WireSegment>> {
    let table = node::table(notes, value, "a segment")?;
    let mut segment = WireSegment {
        unread: Unread::default(),
        pay: table.get("pay", node::number),
        weight: table.need("weight", node::whole, "weight = 1"),
        draws: table.get("draws", node::whole),
        of: table.get("of", node::text),
        again: table.get("again", node::flag),
        jackpots: texts(&table, notes, "jackpot"),
        free_spins: table.get("free_spins", node::whole),
        feature: table.get("feature", node::text),
    };
    segment.unread = table.finish();
    Some(At { value: segment, span: node::span(value) })
}
