//! Tables of prizes and of draws: weights, references, no cycles.

use num_traits::{Signed, ToPrimitive};

use super::pays::{PayUnit, Scale, bet_unit};
use super::reels::weight_sum;
use super::unknown_name;
use crate::config::amount::shown;
use crate::config::findings::Notes;
use crate::config::wire::WireTable;
use crate::game::{Prize, PrizeTable};

const DRAWS_MAX: u64 = 1_000_000;
const DEPTH_MAX: usize = 16;

/// In order of the file.
pub(super) fn tables(notes: &Notes, wire: &[WireTable], scale: &Scale) -> Option<Vec<PrizeTable>> {
    let read: Vec<_> = wire.iter().map(|table| prize_table(notes, table, wire, scale)).collect();
    let tables: Vec<PrizeTable> = read.into_iter().collect::<Option<_>>()?;
    let mut sound = true;
    for (position, table) in tables.iter().enumerate() {
        if depth(&tables, position, 0).is_none() {
            sound = false;
            notes.error(
                wire[position].name.span,
                "table-cycle",
                format!("the table `{}` leads back to itself, or over more than {DEPTH_MAX} tables", table.name),
                "expected to end at a table of prizes",
                "let the last `of` name a table with `prizes`",
            );
        }
    }
    sound.then_some(tables)
}

fn depth(tables: &[PrizeTable], position: usize, above: usize) -> Option<usize> {
    if above == DEPTH_MAX {
        return None;
    }
    // All rows of a table draw from the same table.
    match tables[position].rows.first() {
        Some((Prize::Draws { table, .. }, _)) => depth(tables, *table, above + 1),
        _ => Some(above),
    }
}

fn prize_table(notes: &Notes, wire: &WireTable, all: &[WireTable], scale: &Scale) -> Option<PrizeTable> {
    let name = wire.name.value.clone();
    let (rows, draws) = match (&wire.prizes, &wire.draws) {
        (Some(prizes), None) => (prizes, false),
        (None, Some(draws)) => (draws, true),
        _ if wire.flawed => return None,
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
    if rows.value.is_empty() {
        notes.error(
            rows.span,
            "empty-list",
            format!("the table `{name}` has no rows"),
            "expected at least one row",
            "write [number, weight]",
        );
        return None;
    }
    let weights: Vec<u64> = rows.value.iter().map(|(_, weight)| weight.value).collect();
    let mut sound = weight_sum(notes, rows.span, &weights, &format!("the weights of `{name}`"));
    let mut target = None;
    match (&wire.of, draws) {
        (Some(of), true) => {
            target = all.iter().position(|table| table.name.value == of.value);
            if target.is_none() {
                sound = false;
                unknown_name(notes, of, "unknown-table", "table", all.iter().map(|table| table.name.value.as_str()));
            }
        }
        (None, true) if wire.flawed => sound = false,
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
    for (value, weight) in &rows.value {
        if let Some(table) = target {
            let count = value.value.is_integer().then(|| value.value.to_integer().to_u64()).flatten();
            match count.filter(|&count| !value.value.is_negative() && count <= DRAWS_MAX) {
                Some(count) => read.push((Prize::Draws { count, table }, weight.value)),
                None => {
                    sound = false;
                    notes.error(
                        value.span,
                        "out-of-range",
                        format!("{} draws", shown(&value.value)),
                        format!("expected a whole number from 0 to {DRAWS_MAX}"),
                        "write [number of draws, weight]",
                    );
                }
            }
        } else {
            read.push((Prize::Pay(scale.units(&value.value, unit)), weight.value));
        }
    }
    sound.then_some(PrizeTable { name, rows: read })
}
