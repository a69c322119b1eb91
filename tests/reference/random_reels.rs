//! Random small reels and outcome tables, shrinkable.
//!
//! Every list is generated at its full size as plain numbers, then cut to the size of the game at hand, so that both the
//! size and the numbers shrink.

use super::every_window;
use jackpot::game::{
    Bonus, Combination, Counted, Direction, Draws, Expands, FreeSpins, LinePay, OutcomeRow, Outcomes, Prize,
    PrizeTable, Reels, ScatterPay, Spared, SpinsAward, Stacking, Strip, Symbol, SymbolId, Wild, WildsAnywhere,
    by_count,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::{bool::weighted, option};

const SYMBOLS: u8 = 5;
const REELS_MAX: usize = 4;
const ROWS_MAX: usize = 3;
const TABLES: usize = 3;

/// Outcome tables of up to 5 rows; a row may name any of `symbol_levels`.
pub fn outcomes(symbol_levels: Vec<usize>) -> impl Strategy<Value = Outcomes> {
    let row = (0u64..50, 0u64..9, vec(weighted(0.3), symbol_levels.len()));
    (vec(row, 1..=5), prop_oneof![3 => Just(1), 1 => 1u64..1 << 57]).prop_map(move |(rows, stretch)| {
        let row = |(position, (pay, weight, named)): (usize, (u64, u64, Vec<bool>))| OutcomeRow {
            pay: if position == 0 { 0 } else { pay },
            weight: (weight + u64::from(position == 0)) * stretch,
            jackpots: symbol_levels.iter().zip(named).filter(|(_, named)| *named).map(|(&level, _)| level).collect(),
        };
        Outcomes { rows: rows.into_iter().enumerate().map(row).collect() }
    })
}

/// Reels of every kind of rule; each of `symbol_levels` gets a combination, or is left to wheels.
pub fn reels(symbol_levels: Vec<usize>) -> impl Strategy<Value = Reels> {
    let size = (2..=REELS_MAX, 1..=ROWS_MAX);
    let layout = (
        vec((option::weighted(0.3, wild()), weighted(0.2)), usize::from(SYMBOLS)),
        vec((vec(strip(), REELS_MAX), weighted(0.2)), 1..=3),
        vec(vec(0..ROWS_MAX, REELS_MAX), 0..=4),
    );
    let pays = (vec(line_pay(), 0..=6), vec((0..SYMBOLS, vec(0u64..9, 1..=6)), 0..=2));
    let features =
        (vec(vec((prize(), 0u64..4), 1..=3), TABLES), vec((combination(), 0..TABLES), 0..=2), vec(free_spins(), 0..=2));
    let direction = prop_oneof![4 => Just(Direction::Left), 1 => Just(Direction::Right), 2 => Just(Direction::Both)];
    let reading = (weighted(0.25), direction);
    let by_level = vec((combination(), weighted(0.6), weighted(0.6)), symbol_levels.len());
    (size, layout, pays, features, by_level, reading).prop_map(
        move |((reels, rows), (symbols, strip_sets, lines), pays, features, combinations, (by_ways, direction))| {
            let symbols = symbols.into_iter().zip(0..).map(|((wild, once), id)| symbol(id, wild, once)).collect();
            let lines = if by_ways { Vec::new() } else { lines };
            let strip_sets = strip_sets.into_iter().map(|(set, stretched)| cut_strips(set, reels, rows, stretched));
            let lines = lines.into_iter().map(|line| line.into_iter().take(reels).map(|row| row % rows).collect());
            let mut cut = Reels {
                symbols,
                strip_sets: strip_sets.collect(),
                rows,
                lines: lines.collect(),
                line_pays: pays.0.into_iter().map(|pay| cut_line_pay(pay, reels, by_ways)).collect(),
                by_ways,
                direction,
                scatter_pays: scatter_pays(pays.1, reels * rows),
                prize_tables: Vec::new(),
                bonuses: Vec::new(),
                free_spins: Vec::new(),
                jackpots: Vec::new(),
                replaced: Vec::new(),
            };
            let bonus = |(trigger, table)| Bonus { name: "bonus".to_string(), trigger: cut_to(trigger, &cut), table };
            let bonuses = features.1.into_iter().map(bonus).collect();
            let levels = || symbol_levels.iter().copied().zip(&combinations);
            let on_wheels: Vec<usize> =
                levels().filter(|(_, (_, on_wheel, _))| *on_wheel).map(|(level, _)| level).collect();
            let shown: Vec<(usize, Combination, bool)> = levels()
                .filter(|(level, _)| !on_wheels.contains(level))
                .map(|(level, (rule, _, replaces))| (level, cut_to(rule.clone(), &cut), *replaces))
                .collect();
            cut.replaced = shown.iter().filter(|(_, _, replaces)| *replaces).map(|(_, rule, _)| rule.clone()).collect();
            let jackpots = shown.into_iter().map(|(level, rule, _)| (level, rule)).collect();
            let feature_count = features.2.len();
            let tables = features.0.into_iter().enumerate();
            cut.prize_tables = tables.map(|table| prize_table(table, &on_wheels, feature_count)).collect();
            cut.bonuses = bonuses;
            cut.jackpots = jackpots;
            cut.free_spins = features.2.into_iter().map(|feature| cut_free_spins(feature, &cut)).collect();
            cut
        },
    )
}

fn cut_line_pay(pay: LinePay, reels: usize, by_ways: bool) -> LinePay {
    let counted = if by_ways { Counted::Run } else { pay.counted };
    LinePay { pays: cut_list(pay.pays, reels), counted, ..pay }
}

fn symbol(id: SymbolId, wild: Option<Wild>, once_a_reel: bool) -> Symbol {
    let wild = wild.map(|mut wild| {
        wild.not_for.retain(|&other| other != id);
        wild
    });
    Symbol { name: format!("symbol {id}"), wild, once_a_reel }
}

fn wild() -> impl Strategy<Value = Wild> {
    let stacking = prop_oneof![Just(Stacking::Product), Just(Stacking::Once)];
    let expands = prop_oneof![
        5 => Just(Expands::Never),
        1 => Just(Expands::Always),
        1 => Just(Expands::PaidSpins),
        1 => Just(Expands::FreeSpins),
    ];
    (vec(weighted(0.2), usize::from(SYMBOLS)), 1u64..4, stacking, any::<bool>(), expands).prop_map(
        |(not_for, multiplier, stacking, own_pay_multiplied, expands)| {
            let not_for = (0..SYMBOLS).zip(not_for).filter(|(_, not)| *not).map(|(id, _)| id).collect();
            Wild { not_for, multiplier, stacking, own_pay_multiplied, expands }
        },
    )
}

/// (symbol, weight) of each stop; weights count only in a strip that is weighted.
fn strip() -> impl Strategy<Value = (Vec<(SymbolId, u64)>, bool)> {
    (vec((0..SYMBOLS, 0u64..5), 2..=6), weighted(0.4))
}

/// Strips of at least as many stops as rows. Stretched ones have so many virtual stops that numbers are rejected often.
fn cut_strips(set: Vec<(Vec<(SymbolId, u64)>, bool)>, reels: usize, rows: usize, stretched: bool) -> Vec<Strip> {
    let cut = |(stops, is_weighted): (Vec<(SymbolId, u64)>, bool)| {
        let length = stops.len().max(rows);
        let stops: Vec<_> = stops.into_iter().cycle().take(length).collect();
        let mut weights: Vec<_> = stops.iter().map(|(_, weight)| if is_weighted { *weight } else { 1 }).collect();
        if weights.iter().sum::<u64>() == 0 {
            weights[0] = 1;
        }
        Strip { stops: stops.into_iter().map(|(symbol, _)| symbol).collect(), weights }
    };
    let mut strips: Vec<_> = set.into_iter().take(reels).map(cut).collect();
    if stretched {
        let widest = strips.iter().map(Strip::stop_count).max().unwrap_or(1);
        let factor = (1u64 << (62 / reels as u64).min(32)) / widest;
        strips.iter_mut().flat_map(|strip| &mut strip.weights).for_each(|weight| *weight *= factor);
    }
    strips
}

fn line_pay() -> impl Strategy<Value = LinePay> {
    let counted = prop_oneof![
        4 => Just(Counted::Run),
        1 => Just(Counted::Anywhere(WildsAnywhere::Multiply)),
        1 => Just(Counted::Anywhere(WildsAnywhere::Count)),
        1 => Just(Counted::Anywhere(WildsAnywhere::CountWithReal)),
    ];
    let pay = prop_oneof![1 => Just(0u64), 2 => 1u64..12];
    (some_symbols(), counted, vec(pay, REELS_MAX)).prop_map(|(of, counted, pays)| LinePay {
        name: format!("{of:?}"),
        of,
        counted,
        pays,
    })
}

/// One symbol mostly, or several, in order.
fn some_symbols() -> impl Strategy<Value = Vec<SymbolId>> {
    prop_oneof![
        2 => (0..SYMBOLS).prop_map(|symbol| vec![symbol]),
        1 => (1u8..1 << SYMBOLS).prop_map(|set| (0..SYMBOLS).filter(|id| set >> id & 1 == 1).collect()),
    ]
}

fn combination() -> impl Strategy<Value = Combination> {
    prop_oneof![
        (some_symbols(), 2..=REELS_MAX, any::<bool>()).prop_map(|(of, count, wilds)| Combination::Line {
            of,
            count,
            wilds
        }),
        (0..SYMBOLS, 2..=4usize).prop_map(|(symbol, count)| Combination::Scatter { symbol, count }),
    ]
}

fn cut_to(combination: Combination, reels: &Reels) -> Combination {
    match combination {
        Combination::Line { of, count, wilds } => {
            Combination::Line { of, count: count.min(reels.strip_sets[0].len()), wilds }
        }
        scatter @ Combination::Scatter { .. } => scatter,
    }
}

fn cut_list(mut list: Vec<u64>, length: usize) -> Vec<u64> {
    list.truncate(length);
    list
}

fn scatter_pays(raw: Vec<(SymbolId, Vec<u64>)>, cells: usize) -> Vec<ScatterPay> {
    let mut found: Vec<ScatterPay> = Vec::new();
    for (symbol, pays) in raw {
        if found.iter().all(|other| other.symbol != symbol) {
            found.push(ScatterPay { symbol, pays: cut_list(pays, cells) });
        }
    }
    found
}

/// A pay, draws, or a segment of a wheel. Levels are positions among those left to wheels.
fn prize() -> impl Strategy<Value = Prize> {
    let draws = || (0u64..=3, 0..TABLES).prop_map(|(count, table)| Draws { count, table });
    let award = (0..2usize, 1u64..6).prop_map(|(feature, spins)| SpinsAward { feature, spins });
    let levels = vec(weighted(0.6), 4)
        .prop_map(|named| (0..4).zip(named).filter(|(_, named)| *named).map(|(level, _)| level).collect());
    let segment = (0u64..15, option::weighted(0.3, draws()), levels, option::weighted(0.7, award), weighted(0.4));
    prop_oneof![
        2 => (0u64..15).prop_map(Prize::pay),
        2 => draws().prop_map(|draws| Prize::draws(draws.count, draws.table)),
        4 => segment.prop_map(|(pay, draws, jackpots, free_spins, again)| Prize {
            pay,
            draws,
            jackpots,
            free_spins,
            again
        }),
    ]
}

/// A table that draws only from later ones, and ends after three draws on average at most.
fn prize_table((position, rows): (usize, Vec<(Prize, u64)>), on_wheels: &[usize], feature_count: usize) -> PrizeTable {
    let cut = |(mut prize, weight): (Prize, u64)| {
        if let Some(draws) = prize.draws.filter(|draws| draws.table <= position) {
            prize.draws = None;
            prize.pay += draws.count;
        }
        prize.jackpots = prize.jackpots.iter().filter_map(|&at| on_wheels.get(at).copied()).collect();
        prize.free_spins = prize.free_spins.filter(|award| award.feature < feature_count);
        (prize, weight)
    };
    let mut rows: Vec<_> = rows.into_iter().map(cut).collect();
    rows[0].0.again = false;
    rows[0].1 += if rows.iter().any(|(prize, _)| prize.again) { 3 } else { 1 };
    PrizeTable { name: format!("table {position}"), rows }
}

fn free_spins() -> impl Strategy<Value = FreeSpins> {
    let spared = prop_oneof![
        (0..6usize, 1..=REELS_MAX).prop_map(|(pay, count)| Spared::Line { pay, count }),
        (0..2usize).prop_map(|pay| Spared::Scatter { pay }),
        (0..2usize).prop_map(|bonus| Spared::Bonus { bonus }),
    ];
    (
        (option::weighted(0.65, 0..SYMBOLS), vec(0u64..5, 1..=4), prop_oneof![Just(vec![]), vec(0u64..4, 1..=4)]),
        (option::weighted(0.6, 0u64..20), 1u64..4, vec(spared, 0..=3), 0..3usize),
        prop_oneof![3 => Just(vec![]), 1 => some_symbols()],
    )
        .prop_map(|((scatter, awards, retriggers), (spins_max, multiplier, spared, strip_set), sticky)| {
            FreeSpins {
                name: "free spins".to_string(),
                scatter,
                awards,
                retriggers: if sticky.is_empty() { retriggers } else { Vec::new() },
                spins_max,
                multiplier,
                spared,
                strip_set,
                sticky,
            }
        })
}

/// Limits free spins that would have no finite mean, and drops what the game doesn't have.
fn cut_free_spins(mut feature: FreeSpins, reels: &Reels) -> FreeSpins {
    feature.strip_set %= reels.strip_sets.len();
    if feature.scatter.is_none() {
        feature.awards.clear();
        feature.retriggers.clear();
    }
    let award_most = feature.awards.iter().copied().max().unwrap_or(0);
    feature.spins_max = feature.spins_max.map(|spins| spins + award_most.max(1));
    let (mut ways, mut retriggers) = (0u128, 0u128);
    for (window, weight) in every_window(reels, feature.strip_set, true) {
        ways += u128::from(weight);
        let shown = feature.scatter.map_or(0, |symbol| window.count(reels, symbol));
        retriggers += u128::from(by_count(&feature.retriggers, shown) * weight);
    }
    if feature.spins_max.is_none() && retriggers * 10 > ways * 8 {
        feature.spins_max = Some(award_most + 12);
    }
    feature.spared.retain(|spared| match *spared {
        Spared::Line { pay, count } => pay < reels.line_pays.len() && count <= reels.strip_sets[0].len(),
        Spared::Scatter { pay } => pay < reels.scatter_pays.len(),
        Spared::Bonus { bonus } => bonus < reels.bonuses.len(),
    });
    feature
}
