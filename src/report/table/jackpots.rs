//! Sections on jackpots: how often, how much, what the pools hold, and their ledger.

use super::super::numbers::signed;
use super::super::view::View;
use super::super::view::jackpots::LevelView;
use super::layout::{Cell, table, wrap};
use super::words::{count, count_if, mean, money, money_if, money_mean, money_signed, score};
use crate::money::Grouped;

/// Most pools that are listed.
const POOLS_SHOWN: usize = 40;

/// Hits against expectation, and spins between hits.
pub fn how_often(view: &View) -> Vec<String> {
    let row = |level: &LevelView| {
        let all = &level.all;
        vec![
            count(all.hits),
            mean(level.record.expected.as_ref().map(|expected| expected.hits)),
            score(&all.comparison, all.comparison.z_hits()),
            mean(all.spins_per_hit),
            count_if(all.gap.median),
            count_if(all.gap.percentile_95),
            count_if(all.longest_drought),
        ]
    };
    let mut lines = table(&["level", "hits", "expected", "z", "1 in", "median", "95 %", "longest"], &rows(view, row));
    let mut notes = String::from("1 in and the columns after it: spins at the bets of a pool, between its hits.");
    for level in &view.levels {
        if let Some((low, high)) = level.all.comparison.hits_interval() {
            notes += &format!(" {}: the mean number of hits lies in {low:.2} - {high:.2} (95 %).", level.record.name);
        }
        if level.all.suppressed > 0 {
            notes += &format!(
                " {}: {} hits lost to another level.",
                level.record.name,
                Grouped(level.all.suppressed.into())
            );
        }
    }
    lines.extend(wrap(&notes, ""));
    lines.extend(view.levels.iter().map(|level| {
        super::layout::cut(&format!("{}: {}", level.record.name, level.record.trigger), super::layout::WIDTH)
    }));
    lines
}

/// Amounts that were won.
pub fn how_much(view: &View) -> Vec<String> {
    let row = |level: &LevelView| {
        let amount = &level.all.amount;
        vec![
            money_mean(view, amount.mean),
            money_mean(view, amount.deviation),
            money_if(view, amount.minimum),
            money_if(view, amount.median),
            money_if(view, amount.percentile_95),
            money_if(view, amount.maximum),
        ]
    };
    let mut lines = table(&["level", "mean", "SD", "least", "median", "95 %", "largest"], &rows(view, row));
    let digits = view.levels.iter().map(|level| level.all.percentile_digits).min().unwrap_or(3);
    lines.push(format!("median and percentiles are good to {digits} significant digits"));
    lines
}

/// What the pools hold at the end.
pub fn now(view: &View) -> Vec<String> {
    let row = |level: &LevelView| {
        let all = &level.all;
        vec![
            count(level.pools.len() as u64),
            money(view, all.meter),
            money_signed(view, all.liability),
            money(view, all.overflow),
            money(view, all.reserve_closing),
            money(view, all.top_ups),
        ]
    };
    let mut rows = rows(view, row);
    let totals = &view.totals;
    if view.levels.len() > 1 {
        let meters = view.levels.iter().map(|level| level.all.meter).sum();
        let cells = vec![
            count(totals.pools as u64),
            money(view, meters),
            money_signed(view, totals.liability),
            money(view, totals.overflow),
            money(view, totals.reserve),
            money(view, totals.top_ups),
        ];
        rows.push(("all".into(), cells));
    }
    table(&["level", "pools", "meters", "liability", "overflow", "reserve", "top-ups"], &rows)
}

fn rows<'a>(view: &View<'a>, row: impl Fn(&LevelView<'a>) -> Vec<Cell>) -> Vec<(String, Vec<Cell>)> {
    view.levels.iter().map(|level| (level.record.name.clone(), row(level))).collect()
}

/// Each pool, where there are not too many.
pub fn pools(view: &View) -> Vec<String> {
    let pool_count = view.totals.pools;
    if pool_count == view.levels.len() && view.levels.iter().all(|level| level.record.linked) {
        return Vec::new();
    }
    if pool_count > POOLS_SHOWN {
        return vec![format!("jackpots.csv has each of the {pool_count} pools")];
    }
    let rows: Vec<_> = (view.levels.iter())
        .flat_map(|level| level.pools.iter().map(move |pool| (level, pool)))
        .map(|(level, pool)| {
            let figures = &pool.figures;
            let bet = view.bet_amount(pool.record.bet_index);
            let name = match bet {
                Some(amount) => {
                    let amount = view.unit.rounded_text(amount.into());
                    format!("{} at {amount}", super::layout::cut(&level.record.name, 14))
                }
                None => level.record.name.clone(),
            };
            let cells = vec![
                count(figures.hits),
                mean(pool.record.expected.as_ref().map(|expected| expected.hits)),
                score(&figures.comparison, figures.comparison.z_hits()),
                money_mean(view, figures.amount.mean),
                money_if(view, figures.amount.maximum),
                money(view, figures.meter),
            ];
            (name, cells)
        })
        .collect();
    table(&["pool", "hits", "expected", "z", "mean", "largest", "meter"], &rows)
}

/// Money in and out of all pools, and what is left over: nothing.
pub fn ledger(view: &View) -> Vec<String> {
    let totals = &view.totals;
    let text = |units: u128| view.unit.rounded_text(units);
    let mut sum = format!(
        "opening {} + contributions {} + seeds {}",
        text(totals.opening),
        text(totals.contributions),
        text(totals.seeds)
    );
    if totals.top_ups > 0 {
        sum += &format!(" + top-ups {}", text(totals.top_ups));
    }
    if totals.from_reserve > 0 {
        sum += &format!(" + from reserve {}", text(totals.from_reserve));
    }
    sum += &format!(
        " = paid {} + closing {} + overflow {}",
        text(totals.paid),
        text(totals.closing),
        text(totals.overflow)
    );
    let residue = if totals.residue == 0 {
        "0".into()
    } else {
        signed(totals.residue as i128, |units| view.unit.exact_text(units))
    };
    wrap(
        &format!(
            "{sum}; residue {residue}, exactly counted in units of {} {}",
            view.unit.exact_text(1),
            view.unit.currency
        ),
        "  ",
    )
}
