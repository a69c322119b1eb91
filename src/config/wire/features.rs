//! Features and their tables as written.

use toml::de::DeValue;

use super::node::{self, Node, Table};
use super::play::{pair, strips, texts};
use super::{Pairs, WireBonus, WireCombination, WireFreeSpins, WireRetrigger, WireTable};
use crate::config::amount::Exact;
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
            let errors = notes.error_count();
            let mut read = free(notes, &table);
            table.finish();
            read.flawed = notes.error_count() > errors;
            free_spins.push(read);
        }
        if let Some(table) = feature.table("bonus", "bonus") {
            bonuses.push(WireBonus {
                name: table.need("name", node::text, "name = \"lobster bonus\""),
                trigger: combination(notes, &table),
                draw: table.need("draw", node::text, "draw = \"prizes\", with a [tables.prizes]"),
            });
            table.finish();
        }
        feature.finish();
    }
    (free_spins, bonuses)
}

fn free<'a>(notes: &'a Notes, table: &Table<'a>) -> WireFreeSpins {
    WireFreeSpins {
        span: table.span,
        flawed: false,
        name: table.get("name", node::text),
        scatter: table.need("scatter", node::text, "scatter = \"symbol\""),
        from: table.get("from", node::whole),
        spins: table.get("spins", node::whole),
        by_count: table.table("by_count", "`by_count`").map(|counts| by_count(notes, &counts)),
        multiplier: table.get("multiplier", node::whole),
        retrigger: table.get("retrigger", retrigger),
        limit: table.get("limit", node::whole),
        strips: strips(notes, table),
        weights: table.list("weights", node::text),
        spare: table.list("spare", node::text),
    }
}

/// `{ 3 = 6, 4 = 10 }`, in order of the counts.
fn by_count<'a>(notes: &'a Notes, table: &Table<'a>) -> Pairs<u64, At<u64>> {
    let mut entries = Vec::new();
    for (key, value) in table.rest() {
        let spins = node::whole(notes, value, "a number of spins");
        match key.value.parse() {
            Ok(count) => entries.extend(spins.map(|spins| (At { value: count, span: key.span }, spins))),
            Err(_) => notes.error(
                key.span,
                "bad-number",
                format!("`{}` is no number of scatters", key.value),
                "expected a whole number",
                "write by_count = { 3 = 6, 4 = 10, 5 = 16 }: scatters = spins",
            ),
        }
    }
    entries.sort_by_key(|(count, _)| count.value);
    At { value: entries, span: table.span }
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
    let errors = notes.error_count();
    let line_node = table.node("line");
    let line = line_node.map(|value| At { value: texts(table, notes, "line"), span: node::span(value) });
    let mut read = WireCombination {
        span: table.span,
        flawed: false,
        line,
        count: table.get("count", node::whole),
        wilds: table.get("wilds", node::flag),
        scatter: table.get("scatter", node::text),
        from: table.get("from", node::whole),
    };
    read.flawed = notes.error_count() > errors;
    read
}

pub(super) fn tables<'a>(notes: &'a Notes, root: &Table<'a>) -> Vec<WireTable> {
    let Some(all) = root.table("tables", "[tables]") else { return Vec::new() };
    let entries = all.rest().into_iter().filter_map(|(name, value)| {
        let errors = notes.error_count();
        let table = node::table(notes, value, &format!("[tables.{}]", name.value))?;
        let mut read = WireTable {
            name,
            flawed: false,
            of: table.get("of", node::text),
            draws: rows(&table, "draws"),
            prizes: rows(&table, "prizes"),
            unit: table.get("unit", node::text),
        };
        table.finish();
        read.flawed = notes.error_count() > errors;
        Some(read)
    });
    entries.collect()
}

fn rows<'a>(table: &Table<'a>, key: &'static str) -> Option<Pairs<Exact, At<u64>>> {
    let list = table.list(key, |notes, value, what| {
        pair(notes, value, what).map(|read| At { value: read, span: node::span(value) })
    })?;
    Some(At { value: list.value.into_iter().map(|row| row.value).collect(), span: list.span })
}
