//! Tables of outcomes.

use num_traits::Signed;

use super::pays::{PayUnit, Scale, check_outcome_unit};
use super::{Context, unknown_name};
use crate::config::amount::{self, Exact};
use crate::config::findings::{At, Notes, Span};
use crate::config::strips;
use crate::config::wire::WireOutcomes;
use crate::game::{OutcomeRow, Outcomes};

const WEIGHT_SUM_MAX: u64 = i64::MAX as u64;

/// One outcome as written in the game file or in its CSV.
pub(super) struct Row {
    pub pay: At<Exact>,
    pub weight: At<u64>,
    pub jackpots: Vec<At<String>>,
}

/// The rows of the game file or of its CSV.
pub(super) fn rows(context: &Context, wire: &WireOutcomes) -> Option<Vec<Row>> {
    let notes = context.notes;
    match (&wire.rows, &wire.table) {
        (Some(rows), None) => {
            let row = |row: &crate::config::wire::WireOutcome| Row {
                pay: row.pay.clone(),
                weight: row.weight.clone(),
                jackpots: row.jackpots.clone(),
            };
            checked(notes, rows.value.iter().map(row).collect(), rows.span)
        }
        (None, Some(path)) => {
            let (text, file) = context.attached(path)?;
            let rows: Vec<_> = strips::cells(&text, file).iter().map(|cells| csv_row(notes, cells)).collect();
            checked(notes, rows.into_iter().collect::<Option<_>>()?, path.span)
        }
        (None, None) if wire.flawed => None,
        (rows, _) => {
            notes.error(
                wire.span,
                "outcomes-kind",
                if rows.is_some() { "both `rows` and `table`" } else { "[outcomes] without rows" },
                "expected `rows` or `table`",
                "write rows = [[pay, weight], ...] or table = \"outcomes.csv\"",
            );
            None
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
    Some(Row { pay: At { value: value?, span: pay.span }, weight: At { value: count?, span: weight.span }, jackpots })
}

fn checked(notes: &Notes, rows: Vec<Row>, span: Span) -> Option<Vec<Row>> {
    let sum: u128 = rows.iter().map(|row| u128::from(row.weight.value)).sum();
    if sum == 0 || sum > u128::from(WEIGHT_SUM_MAX) {
        notes.error(
            span,
            "weight-sum",
            format!("the weights of the outcomes sum to {sum}"),
            format!("expected 1 to {WEIGHT_SUM_MAX}"),
            "a weight is the relative chance of its outcome",
        );
        return None;
    }
    Some(rows)
}

/// Outcomes in return units, with their levels by position.
pub(super) fn outcomes(
    notes: &Notes,
    wire: &WireOutcomes,
    rows: &[Row],
    scale: &Scale,
    levels: &[&str],
) -> Option<Outcomes> {
    check_outcome_unit(notes, wire.unit.as_ref());
    let unit = wire.unit.as_ref().is_some_and(|unit| unit.value == "credits");
    match &wire.bet_credits {
        Some(credits) if !unit || !credits.value.is_positive() => notes.error(
            credits.span,
            "bet-credits",
            if unit { "a bet of no credits" } else { "`bet_credits` where pays are not in credits" },
            "expected more than 0, with unit = \"credits\"",
            "write unit = \"credits\" and bet_credits = 3 for pays in credits of a 3-credit bet",
        ),
        None if unit && !wire.flawed => notes.error(
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
                let found = levels.iter().position(|level| *level == name.value);
                if found.is_none() {
                    unknown_name(notes, name, "unknown-level", "level", levels.iter().copied());
                }
                found
            })
            .collect();
        let mut jackpots: Vec<usize> = positions.into_iter().collect::<Option<_>>()?;
        jackpots.sort_unstable();
        jackpots.dedup();
        Some(OutcomeRow { pay: scale.units(&row.pay.value, unit), weight: row.weight.value, jackpots })
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    Some(Outcomes { rows: rows.into_iter().collect::<Option<_>>()? })
}
