//! Plays what a paid spin started: bonuses, then free spins, in the order of the game.

use super::compiled::{CompiledPlay, FreeReels};
use super::sticky::Stuck;
use crate::game::diagram::{Diagram, EVENT};
use crate::game::pay_classes::Drawn;
use crate::game::window::Outcome;
use crate::game::{Reels, Spared};
use crate::rng::{Stream, rejected};
use crate::tally::FeatureTally;

/// Where what the features of one spin pay ends, in return units. The check of a game keeps this out of any run's reach.
const PAY_END: u64 = 1 << 62;

/// What the features of one paid spin did.
#[derive(Debug, Default)]
pub struct Played {
    /// Return units that they paid together.
    pub pay: u64,
    /// Jackpot levels that wheels triggered, each once.
    pub levels: Vec<usize>,
}

/// What the draws of one paid or free spin add up to.
#[derive(Debug, Default)]
struct Drawings {
    pay: u64,
    /// Prizes drawn: rows that draw no further.
    prizes: u64,
    /// Free spins awarded, by feature.
    free_spins: Vec<u64>,
}

/// Plays all features that an outcome starts; counts them in `tallies`.
pub fn play(
    compiled: &CompiledPlay,
    reels: &Reels,
    outcome: &Outcome,
    stream: &mut Stream,
    tallies: &mut [FeatureTally],
) -> Played {
    let mut played = Played::default();
    let bonuses_at = reels.free_spins.len();
    let mut awards = outcome.free_spins.clone();
    for (bonus, &starts) in outcome.bonus_starts.iter().enumerate() {
        let tally = &mut tallies[bonuses_at + bonus];
        for _ in 0..starts {
            let mut drawn = Drawings { free_spins: std::mem::take(&mut awards), ..Drawings::default() };
            draw(compiled, reels, reels.bonuses[bonus].table, stream, &mut drawn, &mut played.levels);
            awards = drawn.free_spins;
            tally.triggers += 1;
            tally.plays += drawn.prizes;
            tally.returns.add(drawn.pay, 1);
            played.pay = played.pay.saturating_add(drawn.pay);
        }
    }
    for (feature, &award) in awards.iter().enumerate() {
        if award > 0 {
            let pay = free_spins(compiled, reels, feature, award, stream, &mut tallies[feature], &mut played.levels);
            tallies[feature].triggers += 1;
            tallies[feature].returns.add(pay, 1);
            played.pay = played.pay.saturating_add(pay);
        }
    }
    played.pay = played.pay.min(PAY_END);
    played
}

/// One draw from a prize table, and those that it leads to. Nests as deeply as tables refer to each other; spins again in
/// a loop.
fn draw(
    compiled: &CompiledPlay,
    reels: &Reels,
    table: usize,
    stream: &mut Stream,
    drawn: &mut Drawings,
    levels: &mut Vec<usize>,
) {
    let weights = &compiled.prizes[table];
    loop {
        let row = weights.position(stream.below(weights.total()));
        let prize = &reels.prize_tables[table].rows[row].0;
        drawn.pay = drawn.pay.saturating_add(prize.pay);
        for level in &prize.jackpots {
            if !levels.contains(level) {
                levels.push(*level);
            }
        }
        if let Some(award) = prize.free_spins
            && let Some(spins) = drawn.free_spins.get_mut(award.feature)
        {
            *spins = spins.saturating_add(award.spins);
        }
        match prize.draws {
            Some(draws) => {
                for _ in 0..draws.count {
                    draw(compiled, reels, draws.table, stream, drawn, levels);
                }
            }
            None => drawn.prizes += 1,
        }
        if !prize.again {
            return;
        }
    }
}

fn free_spins(
    compiled: &CompiledPlay,
    reels: &Reels,
    feature: usize,
    award: u64,
    stream: &mut Stream,
    tally: &mut FeatureTally,
    levels: &mut Vec<usize>,
) -> u64 {
    let rules = &reels.free_spins[feature];
    let windows = &compiled.free[feature];
    let mut stuck = windows.nothing_stuck();
    let spins_max = rules.spins_max.unwrap_or(u64::MAX);
    let mut remaining = award.min(spins_max);
    let (mut played, mut total) = (0, 0u64);
    while remaining > 0 {
        remaining -= 1;
        played += 1;
        let outcome = match spin(windows, &mut stuck, stream) {
            Spin::Plain(pay) => {
                total = total.saturating_add(pay);
                continue;
            }
            Spin::Special(outcome) => outcome,
        };
        total = total.saturating_add(outcome.pay);
        for (bonus, &starts) in outcome.bonus_starts.iter().enumerate() {
            let factor = windows.evaluator().factor(Spared::Bonus { bonus });
            for _ in 0..starts {
                // No slots for free spins: a free spin is awarded none by a wheel.
                let mut drawn = Drawings::default();
                draw(compiled, reels, reels.bonuses[bonus].table, stream, &mut drawn, levels);
                total = total.saturating_add(factor.saturating_mul(drawn.pay));
            }
        }
        let retrigger = outcome.free_spins[feature];
        if retrigger > 0 {
            tally.retriggers += 1;
            remaining = remaining.saturating_add(retrigger).min(spins_max - played);
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
