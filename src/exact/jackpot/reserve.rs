//! How often a reserve falls short of the seed it must pay at a hit, and what the house then adds, in the long run.
//!
//! X is what the reserve takes in from hit to hit, m its mean, R the seed. A surplus that is released leaves nothing:
//! P(X < R) and E max(0, R - X). One that is kept follows W' = max(0, W + X - R), Lindley's recursion (see `carried`).
//! Nothing of it is lost, so that the house adds R - m a hit, or nothing in the long run if m >= R; for odds, X is
//! exponential and W + X too, with mean m / (1 - s), s the root of `held_probability`: P(short) = 1 - s.
//!
//! Approximate: odds take X as exponential, a relative p; a must-hit-by takes the spins of a cycle as those of the
//! threshold and half a spin, a relative contribution / (bound - seed). How often a kept reserve of a must-hit-by falls
//! short has no closed form here unless it never does, or always.

use super::carried::held_probability;
use super::growth::reserve_shortfall;
use super::level::{LongRun, pieces};
use super::piecewise::Piecewise;
use crate::pool::{Level, Surplus, ThresholdLaw, Trigger};

/// Of one pool's reserve, per hit, in the long run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortfall {
    /// Probability that it holds less than the seed; `None` where that is not known.
    pub probability: Option<f64>,
    /// Mean that the house adds, in pool units.
    pub top_up: f64,
}

/// `hidden`: what a spin of the pool's own adds to the reserve, on average. `None` without a reserve.
pub fn shortfall(level: &Level, pool: usize, long: &LongRun, hidden: f64) -> Option<Shortfall> {
    let surplus = level.reserve?;
    let seed = level.seeds[pool] as f64;
    let mean = hidden / long.rate;
    if seed <= 0.0 {
        return Some(Shortfall { probability: Some(0.0), top_up: 0.0 });
    }
    if mean <= 0.0 {
        return Some(Shortfall { probability: Some(1.0), top_up: seed });
    }
    let growth = match &level.trigger {
        Trigger::MustHitBy { bounds, law } => Some(match law {
            ThresholdLaw::Uniform => Piecewise::new(level.seeds[pool], &[bounds[pool]], &[1]),
            ThresholdLaw::AtCap => Piecewise::new(level.seeds[pool], &[bounds[pool] - 1, bounds[pool]], &[0, 1]),
            ThresholdLaw::Weighted { .. } => pieces(level, pool)?,
        }),
        Trigger::Odds { .. } | Trigger::Symbols => None,
    };
    Some(match (surplus, growth) {
        (Surplus::Released, None) => {
            let (probability, top_up) = reserve_shortfall(seed, mean);
            Shortfall { probability: Some(probability), top_up }
        }
        (Surplus::Released, Some(growth)) => {
            // The mean of X is kept.
            let intake = growth.scaled((mean - 0.5 * hidden).max(0.0) / growth.moments().0);
            let place = seed - 0.5 * hidden;
            Shortfall { probability: Some(intake.upto(place)), top_up: intake.below(place) }
        }
        (Surplus::Kept, _) if mean >= seed => Shortfall { probability: Some(0.0), top_up: 0.0 },
        (Surplus::Kept, None) => {
            Shortfall { probability: Some(1.0 - held_probability(mean, seed)), top_up: seed - mean }
        }
        (Surplus::Kept, Some(growth)) => {
            let most = growth.width() * mean / growth.moments().0;
            Shortfall { probability: (most < seed).then_some(1.0), top_up: seed - mean }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::level::LongRun;
    use super::*;
    use crate::game::rules::Bets;
    use crate::pool::Overflow;

    fn level(trigger: Trigger, surplus: Surplus) -> Level {
        Level {
            name: "grand".to_owned(),
            linked: true,
            eligible: vec![true],
            contributions: vec![3],
            hidden: vec![5],
            seeds: vec![1_000],
            caps: None,
            overflow: Overflow::House,
            reserve: Some(surplus),
            trigger,
        }
    }

    /// Goal: figures are those of reserves played. Method: hits drawn one by one, from an own generator.
    #[test]
    fn shortfalls_agree_with_reserves_played() {
        let bets = Bets { amounts: vec![100], mix: vec![1], lines: 1 };
        let odds = |of| Trigger::Odds { hits: vec![1], of };
        let due = |law| Trigger::MustHitBy { bounds: vec![1_900], law };
        let weighted = ThresholdLaw::Weighted { weights: vec![1, 4], ends: vec![vec![1_500, 1_900]] };
        let cases = [odds(200), odds(160), due(ThresholdLaw::Uniform), due(weighted), due(ThresholdLaw::AtCap)];
        for trigger in cases {
            for surplus in [Surplus::Released, Surplus::Kept] {
                let rules = level(trigger.clone(), surplus);
                let long = LongRun::new(&bets, &rules, 0, Some(&[chance(&trigger)]), 0.0).expect("it hits");
                let found = shortfall(&rules, 0, &long, 5.0).expect("it has a reserve");
                let (short, top_up) = played(&rules);
                let what = format!("{trigger:?}, {surplus:?}: {found:?}, played {short} and {top_up}");
                if let Some(probability) = found.probability {
                    assert!((probability - short).abs() < 0.012, "{what}");
                }
                assert!((found.top_up - top_up).abs() < 8.0, "{what}");
            }
        }
    }

    fn chance(trigger: &Trigger) -> f64 {
        match trigger {
            Trigger::Odds { of, .. } => 1.0 / *of as f64,
            _ => 0.0,
        }
    }

    fn played(rules: &Level) -> (f64, f64) {
        const HITS: u64 = 60_000;
        let (mut state, mut reserve) = (1u64, 0u64);
        let (mut short, mut top_ups) = (0u64, 0u64);
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((u128::from(state >> 11) * u128::from(n)) >> 53) as u64
        };
        for _ in 0..HITS {
            let mut spins = 1;
            match &rules.trigger {
                Trigger::Odds { of, .. } => {
                    while below(*of) > 0 {
                        spins += 1;
                    }
                }
                Trigger::MustHitBy { law, .. } => {
                    let growth = match law {
                        ThresholdLaw::Uniform => 1 + below(900),
                        ThresholdLaw::AtCap => 900,
                        ThresholdLaw::Weighted { .. } if below(5) == 0 => 1 + below(500),
                        ThresholdLaw::Weighted { .. } => 501 + below(400),
                    };
                    spins = growth.div_ceil(3);
                }
                Trigger::Symbols => {}
            }
            reserve += 5 * spins;
            let paid = reserve.min(1_000);
            short += u64::from(paid < 1_000);
            top_ups += 1_000 - paid;
            reserve = if rules.reserve == Some(Surplus::Kept) { reserve - paid } else { 0 };
        }
        (short as f64 / HITS as f64, top_ups as f64 / HITS as f64)
    }
}
