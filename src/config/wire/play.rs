//! Bets, reels, symbols, pays and outcome tables as written.

use toml::de::DeValue;

use super::node::{self, Node, Table};
use super::{
    WireBets, WireLinePay, WireLinePays, WireOutcome, WireOutcomes, WireReels, WireScatterPays, WireShape, WireShapes,
    WireStrips, WireSymbol,
};
use crate::config::findings::{At, Notes};

pub(super) fn bets<'a>(root: &Table<'a>) -> Option<WireBets> {
    if !root.entries.contains_key("bets") {
        root.missing("bets", "[bets] with amounts = [0.20, 1.00]");
    }
    let table = root.table("bets", "[bets]")?;
    if !table.entries.contains_key("amounts") {
        table.missing("amounts", "amounts = [0.20, 1.00]");
    }
    let bets = WireBets {
        amounts: table.list("amounts", node::number),
        mix: table.list("mix", node::number),
        lines: table.get("lines", node::whole),
    };
    table.finish();
    Some(bets)
}

pub(super) fn reels<'a>(notes: &'a Notes, root: &Table<'a>) -> Option<WireReels> {
    let errors = notes.error_count();
    let table = root.table("reels", "[reels]")?;
    let counts = table.table("counts", "`counts`").map(|counts| {
        let entries = counts.rest().into_iter().filter_map(|(name, value)| {
            let what = format!("`{}`", name.value);
            node::list(notes, value, &what, node::whole).map(|list| (name, list))
        });
        At { value: entries.collect(), span: counts.span }
    });
    let mut reels = WireReels {
        span: table.span,
        flawed: false,
        rows: table.need("rows", node::whole, "rows = 3"),
        strips: strips(notes, &table),
        weights: table.list("weights", node::text),
        counts,
    };
    table.finish();
    reels.flawed = notes.error_count() > errors;
    Some(reels)
}

/// The `strips` of the base game or of a feature.
pub(super) fn strips<'a>(notes: &'a Notes, table: &Table<'a>) -> Option<WireStrips> {
    let value = table.node("strips")?;
    match value.get_ref() {
        DeValue::String(_) => node::text(notes, value, "`strips`").map(WireStrips::File),
        DeValue::Array(_) => node::list(notes, value, "`strips`", node::text).map(WireStrips::Inline),
        _ => {
            let expected = "expected the path of a CSV, or a list with one text per reel";
            let help = "write strips = \"strips/game.csv\" or strips = [\"A K Q\", \"A K J\", ...]";
            node::wrong_type::<()>(notes, value, "`strips`", expected, help);
            None
        }
    }
}

pub(super) fn symbols<'a>(notes: &'a Notes, root: &Table<'a>) -> Vec<WireSymbol> {
    let Some(table) = root.table("symbols", "[symbols]") else { return Vec::new() };
    let entries = table.rest().into_iter().filter_map(|(name, value)| {
        let options = node::table(notes, value, &format!("the symbol `{}`", name.value))?;
        let symbol = WireSymbol {
            name,
            wild: options.get("wild", node::flag),
            multiplier: options.get("multiplier", node::whole),
            stacking: options.get("stacking", node::text),
            not_for: options.list("not_for", node::text),
            own_pay_multiplied: options.get("own_pay_multiplied", node::flag),
        };
        options.finish();
        Some(symbol)
    });
    entries.collect()
}

pub(super) fn line_pays<'a>(notes: &'a Notes, pays: &Table<'a>) -> Option<WireLinePays> {
    let errors = notes.error_count();
    let table = pays.table("line", "[pays.line]")?;
    let shapes = table.node("shapes").and_then(|value| match value.get_ref() {
        DeValue::String(_) => node::text(notes, value, "`shapes`").map(WireShapes::Named),
        _ => node::list(notes, value, "`shapes`", shape).map(WireShapes::List),
    });
    let unit = table.get("unit", node::text);
    let flawed = notes.error_count() > errors;
    let entries = table.rest().into_iter().filter_map(|(name, value)| match value.get_ref() {
        DeValue::Table(_) => {
            let options = node::table(notes, value, &format!("the combination `{}`", name.value))?;
            for (key, example) in [("of", "of = [\"bar1\", \"bar2\"]"), ("pays", "pays = [0, 0, 5]")] {
                if !options.entries.contains_key(key) {
                    options.missing(key, example);
                }
            }
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
    Some(WireLinePays { span: table.span, flawed, shapes, unit, pays: entries.collect() })
}

fn shape<'a>(notes: &'a Notes, value: Node<'a>, what: &str) -> Option<At<WireShape>> {
    match value.get_ref() {
        DeValue::String(text) => Some(At { value: WireShape::Digits(text.to_string()), span: node::span(value) }),
        DeValue::Array(_) => node::list(notes, value, what, node::whole).map(|list| At {
            value: WireShape::Rows(list.value.into_iter().map(|row| row.value).collect()),
            span: list.span,
        }),
        _ => {
            let expected = "expected the row of each reel, 0 = top";
            node::wrong_type(notes, value, what, expected, "write \"01210\" or [0, 1, 2, 1, 0]")
        }
    }
}

pub(super) fn scatter_pays<'a>(notes: &'a Notes, pays: &Table<'a>) -> Option<WireScatterPays> {
    let table = pays.table("scatter", "[pays.scatter]")?;
    let unit = table.get("unit", node::text);
    let entries = table.rest().into_iter().filter_map(|(name, value)| {
        let what = format!("the pays of `{}`", name.value);
        node::list(notes, value, &what, node::number).map(|list| (name, list))
    });
    Some(WireScatterPays { unit, pays: entries.collect() })
}

pub(super) fn outcomes<'a>(notes: &'a Notes, root: &Table<'a>) -> Option<WireOutcomes> {
    let errors = notes.error_count();
    let table = root.table("outcomes", "[outcomes]")?;
    let mut outcomes = WireOutcomes {
        span: table.span,
        flawed: false,
        unit: table.get("unit", node::text),
        bet_credits: table.get("bet_credits", node::number),
        rows: table
            .list("rows", outcome)
            .map(|list| At { value: list.value.into_iter().map(|row| row.value).collect(), span: list.span }),
        table: table.get("table", node::text),
    };
    table.finish();
    outcomes.flawed = notes.error_count() > errors;
    Some(outcomes)
}

/// `[pay, weight]` or `{ pay, weight, jackpot }`.
fn outcome<'a>(notes: &'a Notes, value: Node<'a>, what: &str) -> Option<At<WireOutcome>> {
    if let DeValue::Array(_) = value.get_ref() {
        let (pay, weight) = pair(notes, value, what)?;
        return Some(At { value: WireOutcome { pay, weight, jackpots: Vec::new() }, span: node::span(value) });
    }
    let table = node::table(notes, value, what)?;
    let pay = table.need("pay", node::number, "pay = 5");
    let weight = table.need("weight", node::whole, "weight = 1");
    let jackpots = texts(&table, notes, "jackpot");
    table.finish();
    Some(At { value: WireOutcome { pay: pay?, weight: weight?, jackpots }, span: node::span(value) })
}

/// A text or a list of texts.
pub(super) fn texts<'a>(table: &Table<'a>, notes: &'a Notes, key: &'static str) -> Vec<At<String>> {
    let Some(value) = table.node(key) else { return Vec::new() };
    let what = format!("`{key}`");
    match value.get_ref() {
        DeValue::Array(_) => node::list(notes, value, &what, node::text).map_or(Vec::new(), |list| list.value),
        _ => node::text(notes, value, &what).into_iter().collect(),
    }
}

/// `[number, weight]`.
pub(super) fn pair<'a>(
    notes: &'a Notes,
    value: Node<'a>,
    what: &str,
) -> Option<(At<crate::config::amount::Exact>, At<u64>)> {
    match value.get_ref() {
        DeValue::Array(items) if items.len() == 2 => {
            let number = node::number(notes, &items[0], &format!("the first of {what}"));
            let weight = node::whole(notes, &items[1], "a weight");
            Some((number?, weight?))
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
