//! How likely a spin at each bet is to win each level, by the rules and the exclusive order.

use super::level::LongRun;
use crate::game::rules::Bets;
use crate::pool::{Jackpots, Level, Trigger};

/// Hit probability per spin, by level and bet index; `None` for a level that is, or is suppressed by one that is,
/// triggered by symbols of unknown probability. For a must-hit-by: hits per spin in the long run.
///
/// A lower level of the exclusive order hits if its own trigger comes and no higher one: p x product of (1 - p of the
/// higher). Exact for odds; for symbols and must-hit-by as if triggers were independent. A must-hit-by is not lost but
/// deferred by a spin, which is neglected.
pub fn chances(bets: &Bets, jackpots: &Jackpots, symbol_chance: &[Option<f64>]) -> Vec<Option<Vec<f64>>> {
    let own: Vec<Option<Vec<f64>>> = jackpots
        .levels
        .iter()
        .enumerate()
        .map(|(index, level)| own_chances(bets, level, symbol_chance.get(index).copied().flatten()))
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
fn own_chances(bets: &Bets, level: &Level, symbol_chance: Option<f64>) -> Option<Vec<f64>> {
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
                    let cycle = LongRun::new(bets, level, level.pool_of(bet), None).filter(|_| level.eligible[bet]);
                    cycle.map_or(0.0, |cycle| level.contributions[bet] as f64 / cycle.contributed)
                })
                .collect(),
        ),
    }
}
