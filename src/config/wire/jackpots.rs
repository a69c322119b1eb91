//! Jackpot levels as written.

use toml::de::DeValue;

use super::features::combination;
use super::node::{self, Node, Table};
use super::{Unread, WireLaw, WireLevel, WireOverflow, WirePiece, WireTrigger};
use crate::config::findings::{At, Notes};

pub(super) fn levels<'a>(notes: &'a Notes, root: &Table<'a>) -> Vec<WireLevel> {
    root.tables("jackpot").into_iter().map(|table| level(notes, table)).collect()
}

fn level<'a>(notes: &'a Notes, table: Table<'a>) -> WireLevel {
    table.expect("contribution", "contribution = \"0.40%\"");
    table.expect("seed", "seed = \"100.00\"");
    let capped_table = table.entries.get("cap").is_some_and(|cap| matches!(cap.get_ref(), DeValue::Table(_)));
    let (cap, cap_overflow) = if capped_table {
        let parts = table.table("cap", "`cap`").map(|cap| {
            cap.expect("at", "at = \"250000.00\"");
            let parts = (cap.per_bet("at", node::money), cap.read("overflow", |node| overflow(notes, node)));
            cap.finish();
            parts
        });
        parts.unwrap_or_default()
    } else {
        (table.per_bet("cap", node::money), None)
    };
    let mut level = WireLevel {
        span: table.span,
        name: table.need("level", node::text, "level = \"mini\""),
        contribution: table.per_bet("contribution", node::rate),
        reserve: table.per_bet("reserve", node::rate),
        surplus: table.get("surplus", node::text),
        seed: table.per_bet("seed", node::money),
        pool: table.need("pool", node::text, "pool = \"per bet\""),
        trigger: table
            .read("trigger", |node| node::table(notes, node, "`trigger`").and_then(|found| trigger(notes, found))),
        eligible: table.list("eligible", node::whole),
        eligible_from: table.get("eligible_from", node::plain_money),
        cap,
        cap_overflow,
        unread: Unread::default(),
    };
    level.unread = table.finish();
    level
}

fn trigger<'a>(notes: &'a Notes, table: Table<'a>) -> Option<WireTrigger> {
    let kinds = ["odds", "must_hit_by", "symbols"];
    let found: Vec<&str> = kinds.into_iter().filter(|kind| table.entries.contains_key(*kind)).collect();
    match found.as_slice() {
        ["odds"] => {
            let odds = table.get("odds", node::number);
            let per = table.get("per", node::plain_money);
            Some(WireTrigger::Odds { odds, per, unread: table.finish() })
        }
        ["must_hit_by"] => {
            let bound = table.per_bet("must_hit_by", node::money);
            let law = table.read("law", |node| law(notes, node));
            let pays = table.get("pays", node::text);
            let overflow = table.read("overflow", |node| overflow(notes, node));
            Some(WireTrigger::MustHitBy { bound, law, pays, overflow, unread: table.finish() })
        }
        ["symbols"] => {
            let read = table.table("symbols", "`symbols`").map(|symbols| {
                let mut read = combination(notes, &symbols);
                read.award = symbols.get("award", node::text);
                read.unread = symbols.finish();
                WireTrigger::Symbols(read)
            });
            table.finish();
            read
        }
        _ => {
            for kind in kinds {
                table.node(kind);
            }
            if found.len() > 1 || table.entries.is_empty() {
                notes.error(
                    table.span,
                    "trigger-kind",
                    format!("a trigger with {} kinds", found.len()),
                    "expected exactly one of `odds`, `must_hit_by`, `symbols`",
                    "write trigger = { odds = 2_000 }",
                );
                return None;
            }
            table.finish();
            None
        }
    }
}

/// A word, or `{ level = "minor" }`.
fn overflow<'a>(notes: &'a Notes, node: Node<'a>) -> Option<WireOverflow> {
    match node.get_ref() {
        DeValue::Table(_) => {
            let table = node::table(notes, node, "`overflow`")?;
            let name = table.need("level", node::text, "level = \"minor\"");
            table.finish();
            name.map(WireOverflow::Level)
        }
        _ => node::text(notes, node, "`overflow`").map(WireOverflow::Word),
    }
}

/// A word, or a list of `[share, weight]`.
fn law(notes: &Notes, node: Node) -> Option<WireLaw> {
    match node.get_ref() {
        DeValue::Array(_) => node::list(notes, node, "`law`", piece).map(WireLaw::Pieces),
        _ => node::text(notes, node, "`law`").map(WireLaw::Word),
    }
}

fn piece(notes: &Notes, node: Node, what: &str) -> Option<At<WirePiece>> {
    match node.get_ref() {
        DeValue::Array(items) if items.len() == 2 => {
            let end = node::rate(notes, &items[0], &format!("the first of {what}"));
            let weight = node::whole(notes, &items[1], "a weight");
            Some(At { value: WirePiece { end, weight }, span: node::span(node) })
        }
        _ => {
            let help = "write the share of the way at which the piece ends, and its weight, such as [\"90%\", 1]";
            node::wrong_type(notes, node, what, "expected [share, weight]", help)
        }
    }
}

pub(super) fn exclusive<'a>(root: &Table<'a>) -> Vec<At<String>> {
    let Some(table) = root.table("jackpots", "[jackpots]") else { return Vec::new() };
    let list =
        table.list("exclusive", node::text).map_or(Vec::new(), |list| list.items.into_iter().flatten().collect());
    table.finish();
    list
}
