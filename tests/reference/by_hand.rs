//! The reference held to windows and pools worked out by hand, and to figures published or enumerated elsewhere.

use super::sample::{at_cap, game, idle_game, level, line_pay, reels, strip, symbol, wild};
use super::window::{Factor, Window, line_value};
use super::{Reference, every_window};
use jackpot::game::{
    Counted, FreeSpins, Game, LinePay, OutcomeRow, Outcomes, Play, Reels, ScatterPay, Spared, Stacking, Symbol,
    SymbolId, WildsAnywhere,
};
use jackpot::pool::{Jackpots, Level, Overflow, Surplus, Trigger};
use jackpot::sim::Plan;
use std::collections::BTreeMap;

const A: SymbolId = 0;
const B: SymbolId = 1;
/// Doubles, and doubles again.
const W: SymbolId = 2;
/// Triples once.
const V: SymbolId = 3;

fn symbols() -> Vec<Symbol> {
    vec![symbol("A"), symbol("B"), wild("W", 2, Stacking::Product), wild("V", 3, Stacking::Once)]
}

fn three_reels(line_pays: Vec<LinePay>) -> Reels {
    Reels { line_pays, ..reels(symbols(), vec![strip(&[A]), strip(&[A]), strip(&[A])], 1, vec![vec![0, 0, 0]]) }
}

fn value(reels: &Reels, line: [SymbolId; 3]) -> u64 {
    line_value(reels, &line, &Factor::ONE, None)
}

#[test]
fn wilds_from_the_left_stand_in_multiply_and_keep_their_own_pay() {
    let mut reels = three_reels(vec![line_pay(&[A], &[0, 2, 10])]);
    // W and V have no pay of their own, so they pay as A even alone.
    for (line, pay) in [
        ([A, A, A], 10),
        ([A, A, B], 2),
        ([B, A, A], 0),
        ([A, W, A], 20),
        ([W, W, A], 40),
        ([V, A, V], 30),
        ([W, V, A], 60),
        ([W, W, B], 8),
        ([W, W, W], 80),
    ] {
        assert_eq!(value(&reels, line), pay, "{line:?}");
    }
    // With a pay of its own, W alone pays that and nothing else, and is not multiplied. V, which has none, stands for W.
    reels.line_pays.push(line_pay(&[W], &[0, 0, 50]));
    for (line, pay) in [([W, W, W], 50), ([W, W, B], 0), ([W, W, A], 40), ([V, V, V], 150), ([W, V, V], 150)] {
        assert_eq!(value(&reels, line), pay, "{line:?}");
    }
    let own = |reels: &mut Reels, change: fn(&mut jackpot::game::Wild)| {
        change(reels.symbols[usize::from(W)].wild.as_mut().expect("W is a wild"));
    };
    own(&mut reels, |wild| wild.own_pay_multiplied = true);
    assert_eq!(value(&reels, [W, W, W]), 400);
    own(&mut reels, |wild| wild.not_for = vec![A]);
    for (line, pay) in [([A, W, A], 0), ([A, A, W], 2), ([W, W, W], 400)] {
        assert_eq!(value(&reels, line), pay, "{line:?}");
    }
}

#[test]
fn a_mixed_pay_with_the_wild_in_it_takes_it_as_real_and_multiplies() {
    let reels = three_reels(vec![line_pay(&[W], &[0, 0, 4]), line_pay(&[A, W], &[0, 0, 5])]);
    for (line, pay) in [([A, W, W], 20), ([W, W, W], 40), ([A, B, W], 0), ([A, A, A], 5)] {
        assert_eq!(value(&reels, line), pay, "{line:?}");
    }
}

#[test]
fn wilds_of_a_combination_anywhere_multiply_or_count() {
    let with = |wilds| {
        let rule = LinePay { counted: Counted::Anywhere(wilds), ..line_pay(&[A], &[2, 5, 11]) };
        three_reels(vec![rule])
    };
    use WildsAnywhere::{Count, CountWithReal, Multiply};
    for (line, multiply, count, count_with_real) in [
        ([B, B, A], 2, 2, 2),
        ([A, B, A], 5, 5, 5),
        ([B, W, A], 4, 10, 10),
        ([W, A, W], 8, 44, 44),
        ([B, W, B], 0, 4, 0),
        ([V, W, V], 0, 66, 0),
        ([B, B, B], 0, 0, 0),
    ] {
        assert_eq!(value(&with(Multiply), line), multiply, "{line:?}");
        assert_eq!(value(&with(Count), line), count, "{line:?}");
        assert_eq!(value(&with(CountWithReal), line), count_with_real, "{line:?}");
    }
}

#[test]
fn a_spared_award_is_not_multiplied_and_of_equal_ones_the_first_decides() {
    let reels = three_reels(vec![line_pay(&[A], &[0, 10, 10]), line_pay(&[A, B], &[0, 0, 10])]);
    let spared = [Spared::Line { pay: 0, count: 2 }];
    let factor = Factor { multiplier: 3, spared: &spared, is_paid: true };
    for (line, pay) in [([A, A, A], 10), ([A, A, B], 10), ([B, A, A], 30), ([A, A, W], 60), ([A, W, W], 120)] {
        assert_eq!(line_value(&reels, &line, &factor, None), pay, "{line:?}");
    }
    let scatters = Reels { scatter_pays: vec![ScatterPay { symbol: B, pays: vec![0, 7] }], ..reels };
    let window = Window::of(vec![vec![B, B, B]]);
    assert_eq!(window.pay(&scatters, &factor, None), 51);
    assert_eq!(window.pay(&scatters, &Factor { spared: &[Spared::Scatter { pay: 0 }], ..factor }, None), 37);
}

/// Source of strips and figures: slotopol/server on GitHub at f9550406, game/slot/igt/doublediamond; `recomputed` in
/// slotopol_double_diamond.json of our notes, by an enumeration of others.
#[test]
fn double_diamond_pays_what_its_enumeration_says() {
    let strips = [
        "2060405040602050303020504050503001004040605030",
        "5050010020503050603020505040604040304020306040",
        "6040404020603020604050203050503001003050505040",
    ];
    let strips = strips.map(|stops| strip(&stops.bytes().map(|digit| digit - b'0').collect::<Vec<_>>()));
    let names = ["blank", "diamond", "seven", "bar3", "bar2", "bar1", "cherry"].map(symbol);
    let mut reels = reels(names.to_vec(), strips.to_vec(), 1, vec![vec![0, 0, 0]]);
    reels.symbols[1] = wild("diamond", 2, Stacking::Product);
    let three = |of: SymbolId, pay: u64| line_pay(&[of], &[0, 0, pay]);
    reels.line_pays = vec![three(1, 1000), three(2, 80), three(3, 40), three(4, 25), three(5, 10), three(6, 10)];
    reels.line_pays.push(line_pay(&[3, 4, 5], &[0, 0, 5]));
    let cherries = line_pay(&[6], &[2, 5, 10]);
    reels.line_pays.push(LinePay { counted: Counted::Anywhere(WildsAnywhere::Multiply), ..cherries });
    let mut ways: BTreeMap<u64, u64> = BTreeMap::new();
    for (window, weight) in every_window(&reels, 0, false) {
        *ways.entry(window.pay(&reels, &Factor::ONE, None)).or_default() += weight;
    }
    let expected = [
        (0, 75348),
        (2, 15876),
        (4, 756),
        (5, 4104),
        (10, 687),
        (20, 135),
        (25, 125),
        (40, 91),
        (50, 75),
        (80, 75),
        (100, 15),
        (160, 39),
        (320, 9),
        (1000, 1),
    ];
    assert_eq!(ways.iter().map(|(pay, ways)| pay * ways).sum::<u64>(), 93_001);
    assert_eq!(ways.values().sum::<u64>(), 97_336);
    assert_eq!(ways.range(1..).map(|(_, ways)| ways).sum::<u64>(), 21_988);
    assert_eq!(ways.into_iter().collect::<Vec<_>>(), expected);
}

/// Source: slotopol/server on GitHub at f9550406, game/slot/igt/cleopatra; `recomputed` in
/// slotopol_cleopatra_95007.json of our notes. A line sees only how often each symbol stands on each reel, so strips
/// are cut down to one weighted stop a symbol.
#[test]
fn one_line_of_cleopatra_pays_what_its_enumeration_says() {
    let strips = [
        "2 12 5 11 6 12 4 7 3 9 10 11 5 8 6 7 2 9 4 7 8 1 9 4 12 5 10 3 8 6 13 11 3 10",
        "11 12 3 9 8 4 9 5 7 2 9 6 7 2 8 5 11 6 8 10 3 12 2 10 11 1 10 4 13 6 7 5 12 3",
        "9 4 7 5 11 4 10 1 12 2 7 5 13 4 11 2 12 7 6 12 3 10 9 6 8 3 9 10 8 6 11 5 8 3",
        "3 10 5 11 6 7 11 6 7 2 13 3 9 2 10 1 12 11 3 12 4 9 8 5 10 2 8 5 7 12 4 8 6 9",
        "7 9 2 10 6 12 10 3 8 4 7 6 11 5 12 4 11 5 9 6 7 8 5 10 4 9 2 12 1 8 3 13 11 3",
    ];
    let counted = |stops: &str| {
        let mut weights = vec![0; 14];
        stops.split(' ').for_each(|stop| weights[stop.parse::<usize>().expect("a symbol")] += 1);
        jackpot::game::Strip { stops: (0..14).collect(), weights }
    };
    let names = (0..14).map(|id: u8| symbol(&id.to_string())).collect();
    let mut reels = reels(names, strips.map(counted).to_vec(), 1, vec![vec![0; 5]]);
    reels.symbols[1] = wild("cleopatra", 2, Stacking::Once);
    reels.symbols[1].wild.as_mut().expect("a wild").not_for = vec![13];
    let pays: [[u64; 5]; 12] = [
        [0, 10, 200, 2000, 10000],
        [0, 2, 25, 100, 750],
        [0, 2, 25, 100, 750],
        [0, 0, 15, 100, 400],
        [0, 0, 10, 75, 250],
        [0, 0, 10, 50, 250],
        [0, 0, 10, 50, 125],
        [0, 0, 5, 50, 100],
        [0, 0, 5, 25, 100],
        [0, 0, 5, 25, 100],
        [0, 0, 5, 25, 100],
        [0, 2, 5, 25, 100],
    ];
    reels.line_pays = pays.iter().zip(1..).map(|(pays, symbol)| line_pay(&[symbol], pays)).collect();
    let (mut sum, mut sum_squares, mut hits) = (0, 0, 0);
    for (window, weight) in every_window(&reels, 0, false).filter(|(_, weight)| *weight > 0) {
        let pay = window.pay(&reels, &Factor::ONE, None);
        sum += weight * pay;
        sum_squares += weight * pay * pay;
        hits += weight * u64::from(pay > 0);
    }
    assert_eq!((sum, sum_squares, hits), (26_366_717, 5_112_822_789, 2_187_152));
}

fn played(game: &Game, levels: Vec<Level>, exclusive: Vec<usize>, spins: u64) -> super::Played {
    let jackpots = Jackpots { levels, exclusive };
    let run =
        Reference { game, jackpots: &jackpots, plan: Plan { chunk_spins: 4, ..Plan::new(1, spins) }, defect: None }
            .play();
    assert!(run.pools.iter().all(|pool| pool.residue() == 0 && pool.reserve_residue() == 0));
    run
}

fn placed(run: &super::Played) -> Vec<(usize, u64, u64)> {
    run.hits.iter().map(|hit| (hit.level, hit.spin.expect("always known"), hit.amount)).collect()
}

/// 3 a spin from 10: 13, 16, 19, 22.
#[test]
fn growth_above_a_cap_goes_to_the_house_or_to_the_next_seed() {
    let capped = Level { caps: Some(vec![20]), ..level(3, 10, at_cap(20)) };
    let run = played(&idle_game(1), vec![capped.clone()], vec![], 10);
    assert_eq!(placed(&run), [(0, 3, 20), (0, 7, 20)]);
    let pool = &run.pools[0];
    assert_eq!((pool.overflow, pool.closing, pool.seeds, pool.longest_drought), (4, 16, 20, Some(4)));

    let carried = Level { overflow: Overflow::NextSeed, ..capped };
    let run = played(&idle_game(1), vec![carried], vec![], 10);
    assert_eq!(placed(&run), [(0, 3, 20), (0, 6, 20), (0, 9, 20)]);
    assert_eq!((run.pools[0].overflow, run.pools[0].closing), (0, 10));

    let uncapped = played(&idle_game(1), vec![level(3, 10, at_cap(20))], vec![], 10);
    assert_eq!(placed(&uncapped), [(0, 3, 22), (0, 7, 22)]);
}

#[test]
fn a_reserve_pays_the_next_seed_and_its_surplus_is_kept_or_released() {
    let with = |hidden, surplus| {
        let level = Level { hidden: vec![hidden], reserve: Some(surplus), ..level(3, 10, at_cap(20)) };
        let pool = played(&idle_game(1), vec![level], vec![], 9).pools.remove(0);
        assert_eq!((pool.hits, pool.seeds), (2, 0));
        (pool.from_reserve, pool.top_ups, pool.released, pool.short_resets, pool.reserve_closing)
    };
    assert_eq!(with(1, Surplus::Kept), (8, 12, 0, 2, 1));
    assert_eq!(with(4, Surplus::Kept), (20, 0, 0, 0, 16));
    assert_eq!(with(4, Surplus::Released), (20, 0, 12, 0, 4));
}

/// Both are due on spin 3; the one that waits hits on spin 4 with one more contribution.
#[test]
fn of_exclusive_levels_a_due_one_waits_and_a_shown_one_is_lost() {
    let due = level(3, 10, at_cap(20));
    let run = played(&idle_game(1), vec![due.clone(), due.clone()], vec![1, 0], 5);
    assert_eq!(placed(&run), [(1, 3, 22), (0, 4, 25)]);
    assert_eq!((run.pools[0].deferred, run.pools[1].deferred), (1, 0));

    let rows = vec![OutcomeRow { pay: 0, weight: 1, jackpots: vec![0, 1, 2] }];
    let always = game(1, Play::Outcomes(Outcomes { rows }));
    let shown = |contribution| level(contribution, 5, Trigger::Symbols);
    let run = played(&always, vec![shown(1), shown(2), shown(3)], vec![2, 0], 2);
    assert_eq!(placed(&run), [(1, 0, 7), (2, 0, 8), (1, 1, 7), (2, 1, 8)]);
    assert_eq!((run.pools[0].suppressed, run.pools[0].closing), (2, 7));
}

#[test]
fn odds_hit_as_often_as_they_say_at_each_bet() {
    let odds = Level {
        eligible: vec![true; 3],
        contributions: vec![0; 3],
        hidden: vec![0; 3],
        ..level(0, 1, Trigger::Odds { hits: vec![1, 2, 10], of: 10 })
    };
    let game = idle_game(3);
    let jackpots = Jackpots { levels: vec![odds], exclusive: vec![] };
    let run = Reference {
        game: &game,
        jackpots: &jackpots,
        plan: Plan { chunk_spins: 1_000, ..Plan::new(3, 90_000) },
        defect: None,
    }
    .play();
    for (bet, chance) in [0.1, 0.2, 1.0].into_iter().enumerate() {
        let (spins, hits) = (run.base.spins_by_bet[bet] as f64, run.pools[0].hits_by_bet[bet] as f64);
        let deviation = (spins * chance * (1.0 - chance)).sqrt();
        assert!((hits - spins * chance).abs() <= 4.0 * deviation, "bet {bet}: {hits} of {spins}");
    }
}

/// Every cell is a scatter: 2 spins are awarded, each adds 3, 7 is the limit. A free spin pays 4 x 5.
#[test]
fn free_spins_stop_at_their_limit_and_count_every_retrigger() {
    let mut reels = reels(vec![symbol("scatter")], vec![strip(&[0]), strip(&[0])], 1, vec![]);
    reels.scatter_pays = vec![ScatterPay { symbol: 0, pays: vec![5] }];
    reels.free_spins = vec![FreeSpins {
        name: "free spins".to_string(),
        scatter: Some(0),
        awards: vec![0, 2],
        retriggers: vec![3],
        spins_max: Some(7),
        multiplier: 4,
        spared: vec![],
        strip_set: 0,
        sticky: vec![],
    }];
    let run = played(&game(1, Play::Reels(Box::new(reels))), vec![], vec![], 6);
    let tally = &run.base.by_feature[0];
    assert_eq!((tally.triggers, tally.plays, tally.retriggers, tally.returns.sum), (6, 42, 42, 6 * 140));
    assert_eq!((run.base.base.sum, run.base.returns.sum, run.base.wins_of_bet), (30, 870, 6));
    assert_eq!(run.base.returns.sum_squares, 6 * 145 * 145);
}

/// Two of the Classic Hits pools at a line bet of 1 cent (.15 a spin; pool units of 1e-4): the uniform mini takes 500.5 spins
/// a hit, 75.075 of coin-in and not the 75 of small bets; the minor at its cap takes 8,334 spins, 1,250.1 and not 1,250.
/// Source of the pools: community-collected figures of IGT Classic Hits.
#[test]
fn pools_of_classic_hits_take_the_coin_in_of_whole_spins() {
    use jackpot::pool::ThresholdLaw;
    let capped = |contribution, seed, bound, law| Level {
        caps: Some(vec![bound]),
        ..level(contribution, seed, Trigger::MustHitBy { bounds: vec![bound], law })
    };
    let mini = capped(30, 170_000, 200_000, ThresholdLaw::Uniform);
    let minor = capped(15, 375_000, 500_000, ThresholdLaw::AtCap);
    let spins = 400_000u64;
    let run = played(&idle_game(1), vec![mini, minor], vec![], spins);
    let mini = &run.pools[0];
    // Gaps are uniform on 1..=1,000: hits are a renewal process with variance n/3, starting 1/3 of a hit behind.
    let expected = spins as f64 / 500.5 - 1.0 / 3.0;
    let z = (mini.hits as f64 - expected) / (expected / 3.0).sqrt();
    assert!(z.abs() < 4.0, "{} hits, expected {expected}: z {z}", mini.hits);
    // What a hit pays at most the cap: of all thresholds together, seed + 15,015 less the excess over the bound.
    let (rtp, error) = (mini.paid as f64 / (1_500.0 * spins as f64), 4.0 * (expected / 3.0).sqrt() * 170_000.0);
    assert!((rtp - 0.246_440).abs() < error / (1_500.0 * spins as f64), "mini returns {rtp}");
    let minor = &run.pools[1];
    assert_eq!(minor.hits, spins / 8_334);
    let at: Vec<u64> = placed(&run).iter().filter(|hit| hit.0 == 1).map(|hit| hit.1 + 1).collect();
    assert!(at.iter().enumerate().all(|(hit, &spin)| spin == (hit as u64 + 1) * 8_334), "{at:?}");
    assert!(run.hits.iter().filter(|hit| hit.level == 1).all(|hit| hit.amount == 500_000));
    assert!((500_000.0f64 / (8_334.0 * 1_500.0) - 0.039_997).abs() < 5e-7);
}
