//! Fixed small games for tests by hand and for the negative controls.

use jackpot::game::{
    Bets, Bonus, Combination, Counted, Direction, Expands, FreeSpins, Game, LinePay, OutcomeRow, Outcomes, Play, Prize,
    PrizeTable, Reels, ScatterPay, Spared, SpinsAward, Stacking, Strip, Symbol, SymbolId, Wild,
};
use jackpot::pool::{Jackpots, Level, Overflow, Surplus, ThresholdLaw, Trigger};

/// A symbol that is no wild.
pub fn symbol(name: &str) -> Symbol {
    Symbol { name: name.to_string(), wild: None, once_a_reel: false }
}

/// A wild that stands for everything, its own pay not multiplied.
pub fn wild(name: &str, multiplier: u64, stacking: Stacking) -> Symbol {
    let wild = Wild { not_for: Vec::new(), multiplier, stacking, own_pay_multiplied: false, expands: Expands::Never };
    Symbol { name: name.to_string(), wild: Some(wild), once_a_reel: false }
}

/// A strip of equally likely stops.
pub fn strip(stops: &[SymbolId]) -> Strip {
    Strip { stops: stops.to_vec(), weights: vec![1; stops.len()] }
}

/// A pay counted from the left.
pub fn line_pay(of: &[SymbolId], pays: &[u64]) -> LinePay {
    LinePay { name: format!("{of:?}"), of: of.to_vec(), counted: Counted::Run, pays: pays.to_vec() }
}

/// Reels with these strips and lines that pay nothing yet.
pub fn reels(symbols: Vec<Symbol>, strips: Vec<Strip>, rows: usize, lines: Vec<Vec<usize>>) -> Reels {
    Reels {
        symbols,
        strip_sets: vec![strips],
        rows,
        lines,
        line_pays: Vec::new(),
        by_ways: false,
        direction: Direction::Left,
        scatter_pays: Vec::new(),
        prize_tables: Vec::new(),
        bonuses: Vec::new(),
        free_spins: Vec::new(),
        jackpots: Vec::new(),
        replaced: Vec::new(),
    }
}

/// A game of bets of 10, 20, ... that are made equally often.
pub fn game(bet_count: u64, play: Play) -> Game {
    let bets =
        Bets { amounts: (1..=bet_count).map(|bet| 10 * bet).collect(), mix: vec![1; bet_count as usize], lines: 1 };
    Game { name: "sample".to_string(), bets, return_scale: 10, play, variants: Vec::new() }
}

/// A game that always pays nothing and names no level.
pub fn idle_game(bet_count: u64) -> Game {
    let rows = vec![OutcomeRow { pay: 0, weight: 1, jackpots: Vec::new() }];
    game(bet_count, Play::Outcomes(Outcomes { rows }))
}

/// A linked level of one eligible bet without cap or reserve.
pub fn level(contribution: u64, seed: u64, trigger: Trigger) -> Level {
    Level {
        name: "level".to_string(),
        linked: true,
        eligible: vec![true],
        contributions: vec![contribution],
        hidden: vec![0],
        seeds: vec![seed],
        caps: None,
        overflow: Overflow::House,
        reserve: None,
        trigger,
    }
}

/// A must-hit-by that always hits at its bound.
pub fn at_cap(bound: u64) -> Trigger {
    Trigger::MustHitBy { bounds: vec![bound], law: ThresholdLaw::AtCap }
}

/// A small game with a wild, a scatter, a bonus, free spins, and levels of every kind.
pub fn mixed() -> (Game, Jackpots) {
    let symbols = vec![symbol("low"), symbol("high"), wild("wild", 2, Stacking::Product), symbol("scatter")];
    let strips = vec![strip(&[0, 1, 2, 3, 0]), strip(&[1, 0, 3, 2, 0, 0]), strip(&[2, 0, 1, 3])];
    let mut reels = reels(symbols, strips, 2, vec![vec![0, 0, 0], vec![1, 1, 1], vec![0, 1, 0]]);
    reels.line_pays = vec![line_pay(&[0], &[0, 1, 4]), line_pay(&[1], &[0, 3, 9]), line_pay(&[2], &[0, 0, 50])];
    reels.scatter_pays = vec![ScatterPay { symbol: 3, pays: vec![0, 2, 7] }];
    reels.prize_tables = vec![
        PrizeTable { name: "draws".to_string(), rows: vec![(Prize::draws(2, 1), 1)] },
        PrizeTable { name: "prizes".to_string(), rows: vec![(Prize::pay(3), 2), (Prize::pay(8), 1)] },
    ];
    let three_high = Combination::Line { of: vec![1], count: 3, wilds: false };
    reels.bonuses = vec![Bonus { name: "bonus".to_string(), trigger: three_high, table: 0 }];
    reels.free_spins = vec![FreeSpins {
        name: "free spins".to_string(),
        scatter: Some(3),
        awards: vec![0, 0, 4],
        retriggers: vec![0, 0, 2],
        spins_max: Some(9),
        multiplier: 3,
        spared: vec![Spared::Line { pay: 1, count: 3 }],
        strip_set: 0,
        sticky: Vec::new(),
    }];
    reels.jackpots = vec![(2, Combination::Line { of: vec![2], count: 3, wilds: false })];
    let all = |value: u64| vec![value; 2];
    let base = Level { eligible: vec![true; 2], contributions: vec![1, 2], hidden: all(0), ..level(0, 20, at_cap(26)) };
    let mini = Level { name: "mini".to_string(), ..base.clone() };
    let minor = Level {
        name: "minor".to_string(),
        hidden: all(3),
        reserve: Some(Surplus::Kept),
        trigger: Trigger::Odds { hits: vec![1, 2], of: 60 },
        ..base.clone()
    };
    let major = Level {
        name: "major".to_string(),
        caps: Some(vec![80]),
        overflow: Overflow::NextSeed,
        trigger: Trigger::Symbols,
        ..base
    };
    (game(2, Play::Reels(Box::new(reels))), Jackpots { levels: vec![mini, minor, major], exclusive: vec![2, 0] })
}

/// The same with a wheel that spins again, draws, triggers the first level and awards free spins, which start it too.
pub fn wheels() -> (Game, Jackpots) {
    let (mut game, mut jackpots) = mixed();
    let Play::Reels(reels) = &mut game.play else { unreachable!("a game of reels") };
    let award = Some(SpinsAward { feature: 0, spins: 2 });
    reels.prize_tables[0].rows = vec![
        (Prize { again: true, ..Prize::pay(5) }, 2),
        (Prize { again: true, jackpots: vec![0], ..Prize::default() }, 1),
        (Prize { free_spins: award, ..Prize::draws(2, 1) }, 1),
        (Prize::pay(20), 7),
    ];
    reels.bonuses[0].trigger = Combination::Line { of: vec![1], count: 2, wilds: true };
    jackpots.levels[0].trigger = Trigger::Symbols;
    jackpots.exclusive = Vec::new();
    (game, jackpots)
}
