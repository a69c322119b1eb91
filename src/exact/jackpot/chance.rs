//! How likely a spin at each bet is to win each level, by the rules and the exclusive order.

use super::level::LongRun;
use crate::game::rules::Bets;
use crate::pool::{Jackpots, Level, Overflow, Trigger};

/// Hit probability per spin, by level and bet index; `None` for a level that is, or is suppressed by one that is,
/// triggered by symbols of unknown probability. For a must-hit-by: hits per spin in the long run.
///
/// A lower level of the exclusive order hits if its own trigger comes and no higher one: p x product of (1 - p of the
/// higher). Exact for odds; for symbols and must-hit-by as if triggers were independent. A must-hit-by is not lost but
/// deferred by a spin, which is neglected.
pub fn chances(bets: &Bets, jackpots: &Jackpots, symbol_chance: &[Option<f64>]) -> Vec<Option<Vec<f64>>> {
    flows(bets, jackpots, symbol_chance).chances
}

/// How often levels hit and what they send to one another, which depend on each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Flows {
    /// As [`chances`] gives them.
    pub chances: Vec<Option<Vec<f64>>>,
    /// By level and pool: pool units that other levels send per spin of the pool's own.
    pub incomes: Vec<Vec<f64>>,
}

/// What no level sends does not matter: then one round is enough.
pub fn flows(bets: &Bets, jackpots: &Jackpots, symbol_chance: &[Option<f64>]) -> Flows {
    let nothing: Vec<Vec<f64>> = jackpots.levels.iter().map(|level| vec![0.0; level.pool_count()]).collect();
    let mut flows = Flows { chances: chances_given(bets, jackpots, symbol_chance, &nothing), incomes: nothing };
    // A must-hit-by of an exclusive order may take hits from a level that feeds it: few rounds settle that.
    let sends = jackpots.levels.iter().any(|level| matches!(level.overflow, Overflow::Level(_)));
    for _ in 0..if sends { jackpots.levels.len().min(8) + 4 } else { 0 } {
        flows.incomes = incomes(bets, jackpots, &flows);
        flows.chances = chances_given(bets, jackpots, symbol_chance, &flows.incomes);
    }
    flows
}

/// What levels that hit so often, and receive so much, send: by hit rate at each bet x mean overflow of a hit.
fn incomes(bets: &Bets, jackpots: &Jackpots, flows: &Flows) -> Vec<Vec<f64>> {
    let mut incomes: Vec<Vec<f64>> = jackpots.levels.iter().map(|level| vec![0.0; level.pool_count()]).collect();
    for (index, sender) in jackpots.levels.iter().enumerate() {
        let (Overflow::Level(to), Some(chances)) = (sender.overflow, &flows.chances[index]) else { continue };
        let receiver = &jackpots.levels[to];
        let share = |bet: usize| if receiver.linked { bets.mix[bet] as f64 } else { 1.0 };
        for bet in (0..bets.count()).filter(|&bet| sender.eligible[bet]) {
            let (from, into) = (sender.pool_of(bet), receiver.pool_of(bet));
            let Some(long) = LongRun::new(bets, sender, from, Some(chances), flows.incomes[index][from]) else {
                continue;
            };
            let own = (0..bets.count()).filter(|&own| receiver.eligible[own] && receiver.pool_of(own) == into);
            let total: f64 = own.map(share).sum();
            let units = chances[bet] * long.overflow(sender.seeds[from] as f64);
            incomes[to][into] += if total > 0.0 { units * share(bet) / total } else { 0.0 };
        }
    }
    incomes
}

fn chances_given(
    bets: &Bets,
    jackpots: &Jackpots,
    symbol_chance: &[Option<f64>],
    incomes: &[Vec<f64>],
) -> Vec<Option<Vec<f64>>> {
    let own: Vec<Option<Vec<f64>>> = jackpots
        .levels
        .iter()
        .enumerate()
        .map(|(index, level)| own_chances(bets, level, symbol_chance.get(index).copied().flatten(), &incomes[index]))
        .collect();
    let mut effective = own.clone();
    let mut missed: Option<Vec<f64>> = Some(vec![1.0; bets.count()]);
    for &level in &jackpots.exclusive {
        if !matches!(jackpots.levels[level].trigger, Trigger::MustHitBy { .. }) {
            effective[level] = match (&own[level], &missed) {
                (Some(own), Some(missed)) => Some(own.iter().zip(missed).map(|(p, missed)| p * missed).collect()),
                _ => None,
            };
        }
        missed = match (missed, &own[level]) {
            (Some(missed), Some(own)) => Some(missed.iter().zip(own).map(|(missed, p)| missed * (1.0 - p)).collect()),
            _ => None,
        };
    }
    effective
}

/// The same without regard to other levels.
fn own_chances(bets: &Bets, level: &Level, symbol_chance: Option<f64>, incomes: &[f64]) -> Option<Vec<f64>> {
    match &level.trigger {
        Trigger::Odds { hits, of } => Some(
            hits.iter()
                .zip(&level.eligible)
                .map(|(&hits, &eligible)| if eligible { hits as f64 / *of as f64 } else { 0.0 })
                .collect(),
        ),
        Trigger::Symbols => symbol_chance
            .map(|chance| level.eligible.iter().map(|&eligible| if eligible { chance } else { 0.0 }).collect()),
        Trigger::MustHitBy { .. } => Some(
            (0..bets.count())
                .map(|bet| {
                    let income = incomes[level.pool_of(bet)];
                    let pool = level.pool_of(bet);
                    let cycle = LongRun::new(bets, level, pool, None, income).filter(|_| level.eligible[bet]);
                    cycle.map_or(0.0, |cycle| (level.contributions[bet] as f64 + income) / cycle.contributed)
                })
                .collect(),
        ),
    }
}
