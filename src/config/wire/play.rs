//! Bets, reels, symbols, pays and outcome tables as written.

use toml::de::DeValue;

use super::node::{self, Node, Table};
use super::{
    List, Unread, Weighted, WireBets, WireLinePay, WireLinePays, WireOnly, WireOutcome, WireOutcomes, WireReels,
    WireScatterPays, WireShape, WireShapes, WireStrips, WireSymbol,
};
use crate::config::amount::Exact;
use crate::config::findings::{At, Notes};

pub(super) fn bets<'a>(root: &Table<'a>) -> Option<WireBets> {
    root.expect("bets", "[bets] with amounts = [0.20, 1.00]");
    let table = root.table("bets", "[bets]")?;
    table.expect("amounts", "amounts = [0.20, 1.00]");
    let mut bets = WireBets {
        amounts: table.list("amounts", node::number),
        mix: table.list("mix", node::number),
        lines: table.get("lines", node::whole),
        coins: table.list("coins", node::whole),
        unread: Unread::default(),
    };
    bets.unread = table.finish();
    Some(bets)
}

pub(super) fn reels<'a>(notes: &'a Notes, root: &Table<'a>) -> Option<WireReels> {
    let table = root.table("reels", "[reels]")?;
    let counts = table.table("counts", "`counts`").map(|counts| {
        let entries = counts.rest().into_iter().map(|(name, value)| {
            let list = node::list(notes, value, &format!("`{}`", name.value), node::whole);
            (name, list)
        });
        At { value: entries.collect(), span: counts.span }
    });
    let mut reels = WireReels {
        span: table.span,
        unread: Unread::default(),
        rows: table.need("rows", node::whole, "rows = 3"),
        strips: strips(notes, &table),
        weights: table.list("weights", node::text),
        counts,
    };
    reels.unread = table.finish();
    Some(reels)
}

/// The `strips` of the base game or of a feature.
pub(super) fn strips<'a>(notes: &'a Notes, table: &Table<'a>) -> Option<WireStrips> {
    table.read("strips", |value| match value.get_ref() {
        DeValue::String(_) => node::text(notes, value, "`strips`").map(WireStrips::File),
        DeValue::Array(_) => node::list(notes, value, "`strips`", node::text).map(WireStrips::Inline),
        _ => {
            let expected = "expected the path of a CSV, or a list with one text per reel";
            let help = "write strips = \"strips/game.csv\" or strips = [\"A K Q\", \"A K J\", ...]";
            node::wrong_type::<()>(notes, value, "`strips`", expected, help);
            None
        }
    })
}

pub(super) fn symbols<'a>(notes: &'a Notes, root: &Table<'a>) -> Vec<WireSymbol> {
    let Some(table) = root.table("symbols", "[symbols]") else { return Vec::new() };
    let entries = table.rest().into_iter().map(|(name, value)| {
        let options = node::table(notes, value, &format!("the symbol `{}`", name.value));
        let found = options.as_ref();
        WireSymbol {
            wild: found.and_then(|options| options.get("wild", node::flag)),
            multiplier: found.and_then(|options| options.get("multiplier", node::whole)),
            stacking: found.and_then(|options| options.get("stacking", node::text)),
            not_for: found.and_then(|options| options.list("not_for", node::text)),
            own_pay_multiplied: found.and_then(|options| options.get("own_pay_multiplied", node::flag)),
            expands: found.and_then(|options| options.get("expands", expands)),
            counted: found.and_then(|options| options.get("counted", node::text)),
            unread: options.map_or_else(|| Unread::all(&["wild"]), Table::finish),
            name,
        }
    });
    entries.collect()
}

/// `true`, or the spins in which a wild expands.
fn expands<'a>(notes: &'a Notes, value: Node<'a>, what: &str) -> Option<At<String>> {
    let word = match value.get_ref() {
        DeValue::Boolean(true) => "always".to_string(),
        DeValue::Boolean(false) => "never".to_string(),
        DeValue::String(text) => text.to_string(),
        _ => {
            let expected = "expected true, \"paid spins\" or \"free spins\"";
            return node::wrong_type(notes, value, what, expected, "expands = true fills the reel in every spin");
        }
    };
    Some(At { value: word, span: node::span(value) })
}

/// [pays.line] or [pays.ways]; the latter, with a finding, where there are both.
pub(super) fn line_or_way_pays<'a>(notes: &'a Notes, pays: &Table<'a>) -> Option<WireLinePays> {
    let lines = pays.table("line", "[pays.line]").map(|table| line_pays(notes, &table, false));
    let ways = pays.table("ways", "[pays.ways]").map(|table| line_pays(notes, &table, true));
    if let (Some(_), Some(ways)) = (&lines, &ways) {
        notes.error(
            ways.span,
            "pays-kind",
            "a game with both [pays.line] and [pays.ways]",
            "expected one of them",
            "keep the pays on lines, or those by ways",
        );
    }
    ways.or(lines)
}

fn line_pays<'a>(notes: &'a Notes, table: &Table<'a>, by_ways: bool) -> WireLinePays {
    let shapes = table.read("shapes", |value| match value.get_ref() {
        DeValue::String(_) => node::text(notes, value, "`shapes`").map(WireShapes::Named),
        _ => node::list(notes, value, "`shapes`", shape).map(WireShapes::List),
    });
    let unit = table.get("unit", node::text);
    let direction = table.get("direction", node::text);
    let shapes_unread = shapes.is_none() && table.entries.contains_key("shapes");
    let pays = pay_entries(notes, table);
    WireLinePays { span: table.span, by_ways, direction, shapes, shapes_unread, unit, pays }
}

/// Pays by name: the other keys of a table.
fn pay_entries<'a>(notes: &'a Notes, table: &Table<'a>) -> Vec<WireLinePay> {
    let entries = table.rest().into_iter().filter_map(|(name, value)| match value.get_ref() {
        DeValue::Table(_) => {
            let options = node::table(notes, value, &format!("the combination `{}`", name.value))?;
            options.expect("of", "of = [\"bar1\", \"bar2\"]");
            options.expect("pays", "pays = [0, 0, 5]");
            let pay = WireLinePay {
                name,
                of: options.list("of", node::text),
                mixed: true,
                pays: options.list("pays", node::number),
                counted: options.get("counted", node::text),
                wilds: options.get("wilds", node::text),
            };
            options.finish();
            Some(pay)
        }
        _ => {
            let what = format!("the pays of `{}`", name.value);
            let pays = node::list(notes, value, &what, node::number);
            Some(WireLinePay { name, of: None, mixed: false, pays, counted: None, wilds: None })
        }
    });
    entries.collect()
}

/// Every [[pays.only]].
pub(super) fn onlys<'a>(notes: &'a Notes, pays: &Table<'a>) -> Vec<WireOnly> {
    let read = |table: Table<'a>| {
        table.expect("bets", "bets = [2]");
        let only = WireOnly {
            span: table.span,
            bets: table.list("bets", node::whole),
            unit: table.get("unit", node::text),
            line: table.table("line", "`line`").map_or_else(Vec::new, |line| pay_entries(notes, &line)),
            scatter: table
                .table("scatter", "`scatter`")
                .map_or_else(Vec::new, |scatter| scatter_entries(notes, &scatter)),
        };
        table.finish();
        only
    };
    pays.tables("only").into_iter().map(read).collect()
}

fn shape<'a>(notes: &'a Notes, value: Node<'a>, what: &str) -> Option<At<WireShape>> {
    match value.get_ref() {
        DeValue::String(text) => Some(At { value: WireShape::Digits(text.to_string()), span: node::span(value) }),
        DeValue::Array(_) => {
            node::list(notes, value, what, node::whole).map(|list| At { span: list.span, value: WireShape::Rows(list) })
        }
        _ => {
            let expected = "expected the row of each reel, 0 = top";
            node::wrong_type(notes, value, what, expected, "write \"01210\" or [0, 1, 2, 1, 0]")
        }
    }
}

pub(super) fn scatter_pays<'a>(notes: &'a Notes, pays: &Table<'a>) -> Option<WireScatterPays> {
    let table = pays.table("scatter", "[pays.scatter]")?;
    let unit = table.get("unit", node::text);
    Some(WireScatterPays { unit, pays: scatter_entries(notes, &table) })
}

fn scatter_entries<'a>(notes: &'a Notes, table: &Table<'a>) -> Vec<(At<String>, Option<List<Exact>>)> {
    let entries = table.rest().into_iter().map(|(name, value)| {
        let list = node::list(notes, value, &format!("the pays of `{}`", name.value), node::number);
        (name, list)
    });
    entries.collect()
}

pub(super) fn outcomes<'a>(root: &Table<'a>) -> Option<WireOutcomes> {
    let table = root.table("outcomes", "[outcomes]")?;
    let mut outcomes = WireOutcomes {
        span: table.span,
        unread: Unread::default(),
        unit: table.get("unit", node::text),
        bet_credits: table.get("bet_credits", node::number),
        rows: table.list("rows", outcome),
        table: table.get("table", node::text),
    };
    outcomes.unread = table.finish();
    Some(outcomes)
}

/// `[pay, weight]` or `{ pay, weight, jackpot }`.
fn outcome<'a>(notes: &'a Notes, value: Node<'a>, what: &str) -> Option<At<WireOutcome>> {
    if let DeValue::Array(_) = value.get_ref() {
        let (pay, weight) = pair(notes, value, what)?;
        let jackpots = Some(List { span: node::span(value), items: Vec::new() });
        return Some(At { value: WireOutcome { pay, weight, jackpots }, span: node::span(value) });
    }
    let table = node::table(notes, value, what)?;
    let pay = table.need("pay", node::number, "pay = 5");
    let weight = table.need("weight", node::whole, "weight = 1");
    let jackpots = texts(&table, notes, "jackpot");
    let unread = table.finish();
    let jackpots = match jackpots {
        None if !unread.has("jackpot") => Some(List { span: node::span(value), items: Vec::new() }),
        read => read,
    };
    Some(At { value: WireOutcome { pay, weight, jackpots }, span: node::span(value) })
}

/// A text or a list of texts.
pub(super) fn texts<'a>(table: &Table<'a>, notes: &'a Notes, key: &'static str) -> Option<List<String>> {
    table.read(key, |value| {
        let what = format!("`{key}`");
        match value.get_ref() {
            DeValue::Array(_) => node::list(notes, value, &what, node::text),
            _ => node::text(notes, value, &what).map(|text| List { span: text.span, items: vec![Some(text)] }),
        }
    })
}

/// `[number, weight]`.
pub(super) fn pair<'a>(notes: &'a Notes, value: Node<'a>, what: &str) -> Option<Weighted> {
    match value.get_ref() {
        DeValue::Array(items) if items.len() == 2 => {
            let number = node::number(notes, &items[0], &format!("the first of {what}"));
            let weight = node::whole(notes, &items[1], "a weight");
            Some((number, weight))
        }
        _ => {
            node::wrong_type::<()>(
                notes,
                value,
                what,
                "expected [number, weight]",
                "write two numbers, such as [10, 5]",
            );
            None
        }
    }
}
