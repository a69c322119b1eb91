//! Whether the pays of the largest window can be summed.

use num_bigint::BigInt;

use num_traits::Zero;

use super::pays::PAY_MAX;
use super::prize_tables::DEPTH_MAX;
use crate::config::findings::Notes;
use crate::config::wire::WireGame;
use crate::game::{Bonus, LinePay, Prize, PrizeTable, ScatterPay, Stacking, Strip, Symbol, SymbolId};

/// What a window can pay, as far as it is known.
pub(super) struct Parts<'a> {
    pub symbols: &'a [Symbol],
    pub sets: &'a [Option<Vec<Strip>>],
    pub lines: usize,
    pub line_pays: &'a [Option<LinePay>],
    pub scatter_pays: &'a [Option<ScatterPay>],
    pub tables: &'a [Option<PrizeTable>],
    pub bonuses: &'a [Option<Bonus>],
    pub rows: usize,
    pub by_ways: bool,
    pub both_ends: bool,
}

/// Reports a game whose largest window can't be summed. What is not known counts as 0.
pub(super) fn largest(notes: &Notes, wire: &WireGame, parts: &Parts) {
    let line_max = parts.line_pays.iter().flatten().flat_map(|pay| &pay.pays).max().copied().unwrap_or(0);
    let scatters = parts.scatter_pays.iter().flatten();
    let scatter_max: BigInt = scatters.map(|pay| BigInt::from(pay.pays.iter().max().copied().unwrap_or(0))).sum();
    let factors = parts.sets.iter().flatten().map(|set| wild_factor(parts, set));
    let factor: BigInt = factors.max().unwrap_or_else(|| BigInt::from(1));
    let bonuses = parts.bonuses.iter().flatten();
    let bonus_max: BigInt = bonuses.map(|bonus| table_max(parts, bonus.table, 0)).sum();
    let lines = BigInt::from(parts.lines);
    let ends = if parts.both_ends { 2 } else { 1 };
    let (runs, starts, counted) = if parts.by_ways {
        (ways_max(parts), BigInt::from(1), "ways".to_string())
    } else {
        let counted = format!("{lines} lines x {line_max} x wild {factor}");
        (&lines * BigInt::from(line_max) * &factor, lines.clone(), counted)
    };
    let total = runs * BigInt::from(ends) + scatter_max + starts * bonus_max;
    if total < BigInt::from(PAY_MAX) {
        return;
    }
    let span = wire.line_pays.as_ref().map_or(wire.span, |pays| pays.span);
    notes.error(
        span,
        "pays-overflow",
        format!("pays of one window could sum to {total} return units ({counted}, scatters, bonuses)"),
        format!("expected less than {PAY_MAX}"),
        "lower the top pays or the wild multiplier, or write pays with fewer digits",
    );
}

/// Most that ways can pay: for each pay the most ways of every reel, multipliers counted in.
fn ways_max(parts: &Parts) -> BigInt {
    let of_set =
        |set: &Vec<Strip>| parts.line_pays.iter().flatten().map(|pay| ways_of(parts, set, pay)).sum::<BigInt>();
    parts.sets.iter().flatten().map(of_set).max().unwrap_or_default()
}

fn ways_of(parts: &Parts, set: &[Strip], pay: &LinePay) -> BigInt {
    let wild = |symbol: SymbolId| parts.symbols.get(usize::from(symbol)).and_then(|symbol| symbol.wild.as_ref());
    let cell = |symbol: SymbolId| match wild(symbol) {
        Some(wild) => wild.multiplier,
        None => u64::from(pay.of.contains(&symbol)),
    };
    let (mut ways, mut most) = (BigInt::from(1), BigInt::zero());
    for (strip, &pays) in set.iter().zip(&pay.pays) {
        let length = strip.stops.len();
        let shown = |top: usize| (0..parts.rows).map(move |row| strip.stops[(top + row) % length]);
        // A wild may fill its reel.
        let column = |top: usize| {
            let filled = shown(top).filter(|&symbol| wild(symbol).is_some()).map(cell).max().unwrap_or(0);
            shown(top).map(cell).sum::<u64>().max(filled * parts.rows as u64)
        };
        ways *= (0..length).map(column).max().unwrap_or(0);
        most = most.max(&ways * BigInt::from(pays));
    }
    most
}

fn wild_factor(parts: &Parts, set: &[Strip]) -> BigInt {
    let mut product = BigInt::from(1);
    let mut once = 1;
    for strip in set {
        let mut on_reel = 1;
        let symbols = strip.stops.iter().filter_map(|&stop| parts.symbols.get(usize::from(stop)));
        for wild in symbols.filter_map(|symbol| symbol.wild.as_ref()) {
            match wild.stacking {
                Stacking::Product => on_reel = on_reel.max(wild.multiplier),
                Stacking::Once => once = once.max(wild.multiplier),
            }
        }
        product *= on_reel;
    }
    product * once
}

fn table_max(parts: &Parts, table: usize, above: usize) -> BigInt {
    let Some(Some(found)) = parts.tables.get(table).filter(|_| above <= DEPTH_MAX) else { return BigInt::ZERO };
    let value = |(prize, _): &(Prize, u64)| match *prize {
        Prize::Pay(pay) => BigInt::from(pay),
        Prize::Draws { count, table } => BigInt::from(count) * table_max(parts, table, above + 1),
    };
    found.rows.iter().map(value).max().unwrap_or_default()
}
