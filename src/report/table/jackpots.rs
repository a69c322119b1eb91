//! Sections on jackpots: how often, how much, what the pools hold, and their ledger.

use super::super::numbers::signed;
use super::super::result::Expectation;
use super::super::view::View;
use super::super::view::compare::Comparison;
use super::super::view::jackpots::LevelView;
use super::layout::{Cell, Row, cut_apart};
use super::words::{
    bet_text, count, count_if, counted, mark_if, mean, money, money_if, money_mean, money_signed, score,
};
use super::{Line, Section};
use crate::money::Grouped;

/// Most pools that are listed.
const POOLS_SHOWN: usize = 40;

/// Hits against expectation, and spins between hits.
pub fn how_often(view: &View) -> Section {
    let row = |level: &LevelView| {
        let all = &level.all;
        vec![
            count(all.hits),
            expected_hits(level.record.expected.as_ref(), &all.comparison),
            score(&all.comparison, all.comparison.z_hits()),
            mean(all.spins_per_hit),
            count_if(all.gap.median),
            count_if(all.gap.percentile_95),
            count_if(all.longest_drought),
        ]
    };
    let mut notes = String::from("1 in and the columns after it: spins at the bets of a pool, between its hits.");
    for level in &view.levels {
        if let Some((low, high)) = level.all.comparison.hits_interval() {
            notes += &format!(" {}: the mean number of hits lies in {low:.2} - {high:.2} (95 %).", level.record.name);
        }
        if level.all.suppressed > 0 {
            let lost = counted(level.all.suppressed, "hit");
            notes += &format!(" {}: {lost} lost to another level.", level.record.name);
        }
        if level.all.comparison.approximate {
            let basis = level.record.expected.as_ref().map_or("", |expected| &expected.basis);
            notes += &format!(" {}: ~ is approximate and not judged; neglected: {basis}.", level.record.name);
        }
    }
    let mut after = Line::paragraph(&notes);
    let triggers = view.levels.iter().map(|level| format!("{}: {}", level.record.name, level.record.trigger));
    after.extend(triggers.map(Line::Fixed));
    let header = vec!["level", "hits", "expected", "z", "1 in", "median", "95 %", "longest"];
    Section { header, rows: rows(view, row), after, ..Section::default() }
}

fn expected_hits(expected: Option<&Expectation>, comparison: &Comparison) -> Cell {
    mark_if(comparison.approximate, mean(expected.map(|expected| expected.hits)))
}

/// Amounts that were won.
pub fn how_much(view: &View) -> Section {
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
    let digits = view.levels.iter().map(|level| level.all.percentile_digits).min().unwrap_or(3);
    let after = vec![Line::Fixed(format!("median and percentiles are good to {digits} significant digits"))];
    let header = vec!["level", "mean", "SD", "least", "median", "95 %", "largest"];
    Section { header, rows: rows(view, row), after, ..Section::default() }
}

/// What the pools hold at the end.
pub fn now(view: &View) -> Section {
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
    let header = vec!["level", "pools", "meters", "liability", "overflow", "reserve", "top-ups"];
    Section { header, rows, ..Section::default() }
}

fn rows<'a>(view: &View<'a>, row: impl Fn(&LevelView<'a>) -> Vec<Cell>) -> Vec<Row> {
    view.levels.iter().map(|level| (level.record.name.clone(), row(level))).collect()
}

/// Each pool, where there are not too many.
pub fn pools(view: &View) -> Section {
    let pool_count = view.totals.pools;
    if pool_count == view.levels.len() && view.levels.iter().all(|level| level.record.linked) {
        return Section::default();
    }
    if pool_count > POOLS_SHOWN {
        let text = format!("jackpots.csv has each of the {} pools", Grouped(pool_count as u128));
        return Section { after: vec![Line::Fixed(text)], ..Section::default() };
    }
    let names: Vec<&str> = view.levels.iter().map(|level| level.record.name.as_str()).collect();
    let rows: Vec<_> = (view.levels.iter().zip(cut_apart(&names, 14)))
        .flat_map(|(level, name)| level.pools.iter().map(move |pool| (level, name.clone(), pool)))
        .map(|(level, name, pool)| {
            let figures = &pool.figures;
            let bet = view.bet_amount(pool.record.bet_index);
            let name = match bet {
                Some(amount) => format!("{name} at {}", bet_text(view, amount)),
                None => level.record.name.clone(),
            };
            let cells = vec![
                count(figures.hits),
                expected_hits(pool.record.expected.as_ref(), &figures.comparison),
                score(&figures.comparison, figures.comparison.z_hits()),
                money_mean(view, figures.amount.mean),
                money_if(view, figures.amount.maximum),
                money(view, figures.meter),
            ];
            (name, cells)
        })
        .collect();
    let header = vec!["pool", "hits", "expected", "z", "mean", "largest", "meter"];
    Section { header, rows, ..Section::default() }
}

/// Money in and out of all pools, and what is left over: nothing.
pub fn ledger(view: &View) -> Section {
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
    if totals.received > 0 {
        sum += &format!(" + received {}", text(totals.received));
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
    let text = format!(
        "{sum}; residue {residue}, exactly counted in units of {} {}",
        view.unit.unit_text(),
        view.unit.currency
    );
    Section { after: vec![Line::Wrapped(text, "  ")], ..Section::default() }
}
