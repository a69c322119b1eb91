//! Whether the pays of the largest window can be summed, and the draws of one bonus be played.

use num_bigint::BigInt;
use num_integer::Integer;

use num_traits::Zero;

use super::pays::PAY_MAX;
use super::prize_tables::DEPTH_MAX;
use crate::config::findings::Notes;
use crate::config::wire::WireGame;
use crate::game::{Bonus, FreeSpins, LinePay, Prize, PrizeTable, ScatterPay, Stacking, Strip, Symbol, SymbolId};

/// Most draws, and most free spins without a limit, that one draw of a bonus may lead to. A wheel counts as spun as often
/// as it is on average, each time to the most.
const DRAWN_MAX: u64 = 10_000_000;

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
    pub free_spins: &'a [Option<FreeSpins>],
}

/// Reports bonuses that would take too long to play.
pub(super) fn longest(notes: &Notes, wire: &WireGame, parts: &Parts) {
    let draws = greatest(parts, &|_| 1);
    let spins = greatest(parts, &|prize| {
        let unlimited =
            |feature: usize| parts.free_spins[feature].as_ref().is_some_and(|rules| rules.spins_max.is_none());
        prize.free_spins.filter(|award| unlimited(award.feature)).map_or(0, |award| award.spins)
    });
    for (bonus, found) in parts.bonuses.iter().zip(&wire.bonuses) {
        let Some(table) = bonus.as_ref().map(|bonus| bonus.table) else { continue };
        for (count, what) in [(&draws[table], "draws"), (&spins[table], "free spins")] {
            if *count > BigInt::from(DRAWN_MAX) {
                notes.error(
                    found.draw.as_ref().map_or(found.trigger.span, |draw| draw.span),
                    "bonus-too-long",
                    format!("one draw could lead to {count} {what}"),
                    format!("expected at most {DRAWN_MAX}; a wheel counts as spun as often as it is on average"),
                    "lower `draws`, the weights of the segments that spin again, or the free spins, or limit those",
                );
            }
        }
    }
}

/// Reports a game whose largest window can't be summed. What is not known counts as 0.
pub(super) fn largest(notes: &Notes, wire: &WireGame, parts: &Parts) {
    let line_max = parts.line_pays.iter().flatten().flat_map(|pay| &pay.pays).max().copied().unwrap_or(0);
    let scatters = parts.scatter_pays.iter().flatten();
    let scatter_max: BigInt = scatters.map(|pay| BigInt::from(pay.pays.iter().max().copied().unwrap_or(0))).sum();
    let factors = parts.sets.iter().flatten().map(|set| wild_factor(parts, set));
    let factor: BigInt = factors.max().unwrap_or_else(|| BigInt::from(1));
    let bonuses = parts.bonuses.iter().flatten();
    let pays = greatest(parts, &|prize| prize.pay);
    let bonus_max: BigInt = bonuses.map(|bonus| &pays[bonus.table]).sum();
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

/// The most that one draw of each table can lead to, by what its rows count for: each spin of a wheel to its greatest
/// segment, as many spins as there are on average. What is not known counts as 0.
fn greatest(parts: &Parts, value: &dyn Fn(&Prize) -> u64) -> Vec<BigInt> {
    let mut found = vec![BigInt::ZERO; parts.tables.len()];
    // Tables nest no deeper, and none draws from itself.
    for _ in 0..=DEPTH_MAX {
        let of_row = |prize: &Prize| {
            let drawn = prize.draws.map_or(BigInt::ZERO, |draws| BigInt::from(draws.count) * &found[draws.table]);
            BigInt::from(value(prize)) + drawn
        };
        let of_table = |table: &Option<PrizeTable>| {
            let Some(table) = table else { return BigInt::ZERO };
            let all: u64 = table.rows.iter().map(|(_, weight)| weight).sum();
            let ending: u64 = table.rows.iter().filter(|(prize, _)| !prize.again).map(|(_, weight)| weight).sum();
            let most = table.rows.iter().map(|(prize, _)| of_row(prize)).max().unwrap_or_default();
            Integer::div_ceil(&(most * all), &BigInt::from(ending.max(1)))
        };
        found = parts.tables.iter().map(of_table).collect();
    }
    found
}
