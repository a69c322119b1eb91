//! Plays what a paid spin started: bonuses, then free spins, in the order of the game.

use super::compiled::{CompiledPlay, FreeReels};
use super::sticky::Stuck;
use crate::game::diagram::{Diagram, EVENT};
use crate::game::pay_classes::Drawn;
use crate::game::window::Outcome;
use crate::game::{Prize, Reels, Spared};
use crate::rng::{Stream, rejected};
use crate::tally::FeatureTally;

/// Plays all features that an outcome starts; counts them in `tallies`. Return units that they paid together.
pub fn play(
    compiled: &CompiledPlay,
    reels: &Reels,
    outcome: &Outcome,
    stream: &mut Stream,
    tallies: &mut [FeatureTally],
) -> u64 {
    let mut total = 0;
    let bonuses_at = reels.free_spins.len();
    for (bonus, &starts) in outcome.bonus_starts.iter().enumerate() {
        let tally = &mut tallies[bonuses_at + bonus];
        for _ in 0..starts {
            let mut prizes = 0;
            let pay = draw(compiled, reels, reels.bonuses[bonus].table, stream, &mut prizes);
            tally.triggers += 1;
            tally.plays += prizes;
            tally.returns.add(pay, 1);
            total += pay;
        }
    }
    for (feature, &award) in outcome.free_spins.iter().enumerate() {
        if award > 0 {
            let pay = free_spins(compiled, reels, feature, award, stream, &mut tallies[feature]);
            tallies[feature].triggers += 1;
            tallies[feature].returns.add(pay, 1);
            total += pay;
        }
    }
    total
}

/// One draw from a prize table: return units; counts the prizes.
fn draw(compiled: &CompiledPlay, reels: &Reels, table: usize, stream: &mut Stream, prizes: &mut u64) -> u64 {
    let weights = &compiled.prizes[table];
    let row = weights.position(stream.below(weights.total()));
    match reels.prize_tables[table].rows[row].0 {
        Prize::Pay(pay) => {
            *prizes += 1;
            pay
        }
        Prize::Draws { count, table } => (0..count).map(|_| draw(compiled, reels, table, stream, prizes)).sum(),
    }
}

fn free_spins(
    compiled: &CompiledPlay,
    reels: &Reels,
    feature: usize,
    award: u64,
    stream: &mut Stream,
    tally: &mut FeatureTally,
) -> u64 {
    let rules = &reels.free_spins[feature];
    let windows = &compiled.free[feature];
    let mut stuck = windows.nothing_stuck();
    let spins_max = rules.spins_max.unwrap_or(u64::MAX);
    let mut remaining = award.min(spins_max);
    let (mut played, mut total) = (0, 0);
    while remaining > 0 {
        remaining -= 1;
        played += 1;
        let outcome = match spin(windows, &mut stuck, stream) {
            Spin::Plain(pay) => {
                total += pay;
                continue;
            }
            Spin::Special(outcome) => outcome,
        };
        total += outcome.pay;
        for (bonus, &starts) in outcome.bonus_starts.iter().enumerate() {
            let factor = windows.evaluator().factor(Spared::Bonus { bonus });
            for _ in 0..starts {
                total += factor * draw(compiled, reels, reels.bonuses[bonus].table, stream, &mut 0);
            }
        }
        let retrigger = outcome.free_spins[feature];
        if retrigger > 0 {
            tally.retriggers += 1;
            remaining = (remaining + retrigger).min(spins_max - played);
        }
    }
    tally.plays += played;
    total
}

enum Spin {
    /// Pays, and starts nothing.
    Plain(u64),
    Special(Outcome),
}

/// Plays one free spin.
fn spin(windows: &FreeReels, stuck: &mut Stuck, stream: &mut Stream) -> Spin {
    match windows {
        FreeReels::Alike(diagram) => window(diagram, stream),
        FreeReels::Sticky(reels) => Spin::Special(reels.spin(stuck, stream)),
    }
}

/// Plays one window, each with equal chance.
fn window(diagram: &Diagram, stream: &mut Stream) -> Spin {
    let cycle = diagram.cycle();
    if let Some(order) = diagram.order() {
        let classes = order.classes();
        let number = stream.below(cycle);
        return match classes.outcome(number) {
            Drawn::Pays(pay) => Spin::Plain(pay),
            Drawn::Starts(rank) => Spin::Special(diagram.special_outcome(rank)),
        };
    }
    let random = loop {
        let random = stream.bits();
        if !rejected(random.wrapping_mul(cycle), cycle) {
            break random;
        }
    };
    match diagram.walk(random) {
        value if value < EVENT => Spin::Plain(value),
        _ => Spin::Special(diagram.outcome(random)),
    }
}
