//! Tables of outcomes.

use num_traits::Signed;

use super::pays::{PayUnit, Scale, check_outcome_unit};
use super::{Context, unknown_name};
use crate::config::amount::{self, Exact};
use crate::config::findings::{At, Notes, Span};
use crate::config::table;
use crate::config::wire::{List, WireGame, WireLevel, WireOutcome, WireOutcomes};
use crate::game::{OutcomeRow, Outcomes};

const WEIGHT_SUM_MAX: u64 = i64::MAX as u64;

/// One outcome as written in the game file or in its CSV, as far as it could be read.
pub(super) struct Row {
    pub pay: Option<At<Exact>>,
    pub weight: Option<At<u64>>,
    pub jackpots: Vec<At<String>>,
}

/// All outcomes, as far as they could be read.
pub(super) struct Rows {
    pub rows: Vec<Row>,
    /// Whether every level that they name is known.
    pub are_named: bool,
}

/// Whether an outcome names a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    No,
    /// Only outcomes that never come do; the first place.
    OfNoWeight(Span),
    Yes,
}

impl Rows {
    pub fn naming(&self, level: &str) -> Naming {
        let mut found = Naming::No;
        for row in &self.rows {
            let Some(name) = row.jackpots.iter().find(|name| name.value == level) else { continue };
            if row.weight.as_ref().is_none_or(|weight| weight.value > 0) {
                return Naming::Yes;
            }
            if found == Naming::No {
                found = Naming::OfNoWeight(name.span);
            }
        }
        found
    }
}

/// The rows of the game file or of its CSV.
pub(super) fn rows(context: &Context, wire: Option<&WireOutcomes>) -> Rows {
    let Some(wire) = wire else { return Rows { rows: Vec::new(), are_named: true } };
    let notes = context.notes;
    match (&wire.rows, &wire.table) {
        (Some(list), None) => {
            let row = |row: &At<WireOutcome>| Row {
                pay: row.value.pay.clone(),
                weight: row.value.weight.clone(),
                jackpots: row.value.jackpots.iter().flat_map(|names| names.known().cloned()).collect(),
            };
            let are_named =
                list.is_whole() && list.known().all(|row| row.value.jackpots.as_ref().is_some_and(List::is_whole));
            let rows = Rows { rows: list.known().map(row).collect(), are_named };
            weights(notes, &rows.rows, list.is_whole(), list.span);
            rows
        }
        (None, Some(path)) => {
            let Some((text, file)) = context.attached(path) else { return Rows { rows: Vec::new(), are_named: false } };
            let lines = table::lines(notes, &text, file, ',').into_iter().filter(|line| !line.is_comment);
            let rows: Vec<_> = lines.map(|line| csv_row(notes, &line.cells)).collect();
            let are_named = rows.iter().all(Option::is_some);
            let rows: Vec<Row> = rows.into_iter().flatten().collect();
            weights(notes, &rows, are_named, path.span);
            Rows { rows, are_named }
        }
        (None, None) if wire.unread.has("rows") || wire.unread.has("table") => {
            Rows { rows: Vec::new(), are_named: false }
        }
        (list, _) => {
            notes.error(
                wire.span,
                "outcomes-kind",
                if list.is_some() { "both `rows` and `table`" } else { "[outcomes] without rows" },
                "expected `rows` or `table`",
                "write rows = [[pay, weight], ...] or table = \"outcomes.csv\"",
            );
            Rows { rows: Vec::new(), are_named: false }
        }
    }
}

fn csv_row(notes: &Notes, cells: &[At<String>]) -> Option<Row> {
    let (pay, weight) = match cells {
        [pay, weight] | [pay, weight, _] => (pay, weight),
        _ => {
            notes.error(
                cells[0].span,
                "outcome-row",
                format!("a row of {} cells", cells.len()),
                "expected pay, weight, and the jackpots if any",
                "write one outcome per line, such as 15,24354",
            );
            return None;
        }
    };
    let value = amount::number(&pay.value);
    let count = weight.value.parse::<u64>().ok();
    for (cell, sound) in [(pay, value.is_some()), (weight, count.is_some())] {
        if !sound {
            notes.error(
                cell.span,
                "bad-number",
                format!("`{}` in a table of outcomes", cell.value),
                "expected a number (whole for a weight)",
                "write pay,weight; lines that start with # are comments",
            );
        }
    }
    let jackpots = cells.get(2).map_or(Vec::new(), |cell| {
        let words = cell.value.split_whitespace().map(|word| At { value: word.to_string(), span: cell.span });
        words.collect()
    });
    let (pay, weight) = (pay.span, weight.span);
    Some(Row {
        pay: value.map(|value| At { value, span: pay }),
        weight: count.map(|value| At { value, span: weight }),
        jackpots,
    })
}

/// Reports weights whose sum can't be drawn from, as far as they are known.
fn weights(notes: &Notes, rows: &[Row], is_whole: bool, span: Span) {
    let known = rows.iter().filter_map(|row| row.weight.as_ref());
    let sum: u128 = known.map(|weight| u128::from(weight.value)).sum();
    let is_whole = is_whole && rows.iter().all(|row| row.weight.is_some());
    if (sum == 0 && is_whole) || sum > u128::from(WEIGHT_SUM_MAX) {
        notes.error(
            span,
            "weight-sum",
            format!("the weights of the outcomes sum to {sum}"),
            format!("expected 1 to {WEIGHT_SUM_MAX}"),
            "a weight is the relative chance of its outcome",
        );
    }
}

/// Outcomes in return units, with their levels by position.
pub(super) fn outcomes(
    notes: &Notes,
    game: &WireGame,
    wire: &WireOutcomes,
    rows: &Rows,
    scale: &Scale,
) -> Option<Outcomes> {
    check_outcome_unit(notes, wire.unit.as_ref());
    // A unit that can't be read may be `credits`.
    let unit_is_known = !wire.unread.has("unit")
        && wire.unit.as_ref().is_none_or(|unit| ["credits", "total bet"].contains(&unit.value.as_str()));
    let unit = wire.unit.as_ref().is_some_and(|unit| unit.value == "credits");
    match &wire.bet_credits {
        Some(credits) if (!unit && unit_is_known) || !credits.value.is_positive() => notes.error(
            credits.span,
            "bet-credits",
            if credits.value.is_positive() {
                "`bet_credits` where pays are not in credits"
            } else {
                "a bet of no credits"
            },
            "expected more than 0, with unit = \"credits\"",
            "write unit = \"credits\" and bet_credits = 3 for pays in credits of a 3-credit bet",
        ),
        None if unit && !wire.unread.has("bet_credits") => notes.error(
            wire.span,
            "missing-key",
            "[outcomes] in credits has no `bet_credits`",
            "expected `bet_credits`",
            "add bet_credits = 3, the credits of a total bet",
        ),
        _ => {}
    }
    let unit = if unit { PayUnit::Credits } else { PayUnit::TotalBet };
    let row = |row: &Row| {
        let positions: Vec<_> = row
            .jackpots
            .iter()
            .map(|name| {
                let found = game.levels.iter().position(|level| level.name_text() == name.value);
                if found.is_none() && game.levels_are_named() {
                    unknown_name(notes, name, "unknown-level", "level", game.levels.iter().map(WireLevel::name_text));
                }
                found
            })
            .collect();
        let mut jackpots: Vec<usize> = positions.into_iter().collect::<Option<_>>()?;
        jackpots.sort_unstable();
        jackpots.dedup();
        let pay = scale.units(&row.pay.as_ref()?.value, unit);
        Some(OutcomeRow { pay, weight: row.weight.as_ref()?.value, jackpots })
    };
    let rows: Vec<_> = rows.rows.iter().map(row).collect();
    Some(Outcomes { rows: rows.into_iter().collect::<Option<_>>()? })
}
