//! Tables of prizes and of draws: weights, references, no cycles.

use num_traits::{Signed, ToPrimitive};

use super::pays::{PayUnit, Scale, bet_unit};
use super::reels::weight_sum;
use super::{plain_text, unknown_name};
use crate::config::amount::{Exact, shown};
use crate::config::findings::{At, Notes};
use crate::config::wire::{Weighted, WireTable};
use crate::game::{Prize, PrizeTable};

const DRAWS_MAX: u64 = 1_000_000;
/// Most tables that one draw may lead over.
pub(super) const DEPTH_MAX: usize = 16;

/// In order of the file; `None` where one is wrong.
pub(super) fn tables(notes: &Notes, wire: &[WireTable], scale: &Scale) -> Vec<Option<PrizeTable>> {
    let links: Vec<Option<usize>> = wire.iter().map(|table| target(table, wire)).collect();
    let mut tables: Vec<_> = wire.iter().map(|table| prize_table(notes, table, wire, scale)).collect();
    for (position, table) in wire.iter().enumerate() {
        if is_too_deep(&links, position) {
            tables[position] = None;
            notes.error(
                table.name.span,
                "table-cycle",
                format!("the table `{}` leads back to itself, or over more than {DEPTH_MAX} tables", table.name.value),
                "expected to end at a table of prizes",
                "let the last `of` name a table with `prizes`",
            );
        }
    }
    tables
}

/// The table that a table of draws draws from.
fn target(wire: &WireTable, all: &[WireTable]) -> Option<usize> {
    let of = wire.of.as_ref().filter(|_| wire.draws.is_some() && wire.prizes.is_none())?;
    all.iter().position(|table| table.name.value == of.value)
}

fn is_too_deep(links: &[Option<usize>], position: usize) -> bool {
    let mut next = links[position];
    for _ in 0..DEPTH_MAX {
        match next {
            Some(position) => next = links[position],
            None => return false,
        }
    }
    true
}

fn prize_table(notes: &Notes, wire: &WireTable, all: &[WireTable], scale: &Scale) -> Option<PrizeTable> {
    plain_text(notes, &wire.name, "a table");
    let name = wire.name.value.clone();
    let (rows, draws) = match (&wire.prizes, &wire.draws) {
        (Some(prizes), None) => (prizes, false),
        (None, Some(draws)) => (draws, true),
        (None, None) if wire.unread.has("prizes") || wire.unread.has("draws") => return None,
        _ => {
            notes.error(
                wire.name.span,
                "table-kind",
                format!("the table `{name}` needs either prizes or draws"),
                "expected exactly one of `prizes`, `draws`",
                "write prizes = [[prize, weight], ...], or draws = [[count, weight], ...] with of = \"table\"",
            );
            return None;
        }
    };
    let mut sound = true;
    if rows.items.is_empty() {
        sound = false;
        notes.error(
            rows.span,
            "empty-list",
            format!("the table `{name}` has no rows"),
            "expected at least one row",
            "write [number, weight]",
        );
    }
    let weight = |row: &Option<At<Weighted>>| Some(row.as_ref()?.value.1.as_ref()?.value);
    match rows.items.iter().map(weight).collect::<Option<Vec<u64>>>() {
        Some(weights) if !weights.is_empty() => {
            sound &= weight_sum(notes, rows.span, &weights, &format!("the weights of `{name}`"));
        }
        _ => sound = false,
    }
    let target = target(wire, all);
    match (&wire.of, draws) {
        (Some(of), true) => {
            if target.is_none() {
                sound = false;
                unknown_name(notes, of, "unknown-table", "table", all.iter().map(|table| table.name.value.as_str()));
            }
        }
        (None, true) if wire.unread.has("of") => sound = false,
        (None, true) => {
            sound = false;
            notes.error(
                wire.name.span,
                "missing-key",
                format!("[tables.{name}] has draws and no `of`"),
                "expected `of`",
                "add of = \"table\", the table that is drawn from",
            );
        }
        (Some(of), false) => {
            sound = false;
            notes.error(
                of.span,
                "table-kind",
                format!("[tables.{name}] has prizes and `of`"),
                "expected `of` only with `draws`",
                "remove `of`",
            );
        }
        (None, false) => {}
    }
    if draws && let Some(unit) = &wire.unit {
        sound = false;
        notes.error(
            unit.span,
            "table-kind",
            format!("[tables.{name}] has draws and a `unit`"),
            "expected `unit` only with `prizes`",
            "say the unit at the table of prizes",
        );
    }
    let unit = bet_unit(notes, wire.unit.as_ref(), PayUnit::LineBet);
    let mut read = Vec::new();
    for (value, weight) in rows.known().map(|row| (&row.value.0, &row.value.1)) {
        let Some(value) = value else { continue };
        let prize = if draws {
            draw_count(notes, value).zip(target).map(|(count, table)| Prize::Draws { count, table })
        } else {
            Some(Prize::Pay(scale.units(&value.value, unit)))
        };
        match (prize, weight) {
            (Some(prize), Some(weight)) => read.push((prize, weight.value)),
            _ => sound = false,
        }
    }
    sound.then_some(PrizeTable { name, rows: read })
}

fn draw_count(notes: &Notes, found: &At<Exact>) -> Option<u64> {
    let count = found.value.is_integer().then(|| found.value.to_integer().to_u64()).flatten();
    let count = count.filter(|&count| !found.value.is_negative() && count <= DRAWS_MAX);
    if count.is_none() {
        notes.error(
            found.span,
            "out-of-range",
            format!("{} draws", shown(&found.value)),
            format!("expected a whole number from 0 to {DRAWS_MAX}"),
            "write [number of draws, weight]",
        );
    }
    count
}
