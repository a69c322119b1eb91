//! Tables of prizes, of draws and of segments: weights, references, no cycles.

use num_traits::{Signed, ToPrimitive};

use super::pays::{PayUnit, Scale, bet_unit};
use super::reels::weight_sum;
use super::{plain_text, unknown_name, wheels};
use crate::config::amount::{Exact, shown};
use crate::config::findings::{At, Notes};
use crate::config::wire::{List, WireGame, WireTable};
use crate::game::{Prize, PrizeTable};

/// Most draws that a row may lead to.
pub(super) const DRAWS_MAX: u64 = 1_000_000;
/// Most tables that one draw may lead over.
pub(super) const DEPTH_MAX: usize = 16;

/// In order of the file; `None` where one is wrong.
pub(super) fn tables(notes: &Notes, game: &WireGame, scale: &Scale) -> Vec<Option<PrizeTable>> {
    let wire = &game.tables;
    let links: Vec<Vec<usize>> = wire.iter().map(|table| targets(table, wire)).collect();
    let mut tables: Vec<_> = wire.iter().map(|table| prize_table(notes, table, game, scale)).collect();
    for (position, table) in wire.iter().enumerate() {
        if is_too_deep(&links, position) {
            tables[position] = None;
            notes.error(
                table.name.span,
                "table-cycle",
                format!("the table `{}` leads back to itself, or over more than {DEPTH_MAX} tables", table.name.value),
                "expected to end at a table of prizes",
                "let the last `of` name a table with `prizes`; a wheel is spun again by again = true",
            );
        }
    }
    tables
}

/// The tables that a table draws from.
fn targets(wire: &WireTable, all: &[WireTable]) -> Vec<usize> {
    let of = wire.of.as_ref().filter(|_| wire.draws.is_some() && wire.prizes.is_none());
    let segments = wire.segments.iter().flat_map(List::known).filter_map(|segment| segment.value.of.as_ref());
    let named = of.into_iter().chain(segments);
    named.filter_map(|of| all.iter().position(|table| table.name.value == of.value)).collect()
}

fn is_too_deep(links: &[Vec<usize>], position: usize) -> bool {
    let mut next = links[position].clone();
    for _ in 0..DEPTH_MAX {
        next = next.into_iter().flat_map(|position| links[position].iter().copied()).collect();
        next.sort_unstable();
        next.dedup();
    }
    !next.is_empty()
}

fn prize_table(notes: &Notes, wire: &WireTable, game: &WireGame, scale: &Scale) -> Option<PrizeTable> {
    plain_text(notes, &wire.name, "a table");
    let name = wire.name.value.clone();
    let (rows, draws) = match (&wire.prizes, &wire.draws, &wire.segments) {
        (Some(prizes), None, None) => (prizes, false),
        (None, Some(draws), None) => (draws, true),
        (None, None, Some(segments)) => {
            let mut sound = weights(notes, segments, &name, |segment| segment.weight.as_ref());
            if let Some(of) = &wire.of {
                sound = false;
                notes.error(
                    of.span,
                    "table-kind",
                    format!("[tables.{name}] has segments and `of`"),
                    "expected `of` in a segment",
                    "write { draws = 2, of = \"table\", weight = 1 } among the segments",
                );
            }
            let unit = bet_unit(notes, wire.unit.as_ref(), PayUnit::LineBet);
            let rows = wheels::segments(notes, segments, game, unit, scale)?;
            return sound.then_some(PrizeTable { name, rows });
        }
        (None, None, None) if ["prizes", "draws", "segments"].iter().any(|key| wire.unread.has(key)) => return None,
        _ => {
            notes.error(
                wire.name.span,
                "table-kind",
                format!("the table `{name}` needs either prizes or draws, or segments"),
                "expected exactly one of `prizes`, `draws`, `segments`",
                "write prizes = [[prize, weight], ...], draws = [[count, weight], ...] with of = \"table\", or segments",
            );
            return None;
        }
    };
    let all = &game.tables;
    let mut sound = weights(notes, rows, &name, |row| row.1.as_ref());
    let target = targets(wire, all).first().copied();
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
            draw_count(notes, value).zip(target).map(|(count, table)| Prize::draws(count, table))
        } else {
            Some(Prize::pay(scale.units(&value.value, unit)))
        };
        match (prize, weight) {
            (Some(prize), Some(weight)) => read.push((prize, weight.value)),
            _ => sound = false,
        }
    }
    sound.then_some(PrizeTable { name, rows: read })
}

/// Reports a table without rows, or whose weights can't be drawn from.
fn weights<T>(notes: &Notes, rows: &List<T>, name: &str, weight: fn(&T) -> Option<&At<u64>>) -> bool {
    if rows.items.is_empty() {
        notes.error(
            rows.span,
            "empty-list",
            format!("the table `{name}` has no rows"),
            "expected at least one row",
            "write [number, weight]",
        );
        return false;
    }
    let weights = rows.items.iter().map(|row| Some(weight(&row.as_ref()?.value)?.value)).collect::<Option<Vec<u64>>>();
    weights.is_some_and(|weights| weight_sum(notes, rows.span, &weights, &format!("the weights of `{name}`")))
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
