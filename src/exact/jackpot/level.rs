//! One pool of a level: which spins feed it, its long run, and its finite run.

use super::at_cap::AtCapPool;
use super::carried;
use super::growth::Contributions;
use super::must_hit_by::UniformPool;
use super::odds::OddsPool;
use super::piecewise::Piecewise;
use super::renewal;
use super::run::FiniteRun;
use super::weighted::{self, WeightedPool};
use crate::game::rules::Bets;
use crate::pool::{Level, Overflow, ThresholdLaw, Trigger};

/// Bet indexes whose spins feed a pool.
fn feeding(level: &Level, pool: usize) -> impl Iterator<Item = usize> + Clone + '_ {
    (0..level.eligible.len()).filter(move |&bet| level.eligible[bet] && level.pool_of(bet) == pool)
}

/// A pool in the long run, its bets made as in the mix. Money in pool units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongRun {
    /// Hits per spin of the pool's own.
    pub rate: f64,
    /// Growth contributed per hit.
    pub contributed: f64,
    pub amount_mean: f64,
    pub amount_deviation: f64,
    /// The lesser of seed and amount, per hit.
    pub seed_paid: f64,
    /// Mean stake of the pool's own spins.
    pub stake: f64,
    /// Sum of the mix weights of the pool's own bets.
    pub weight: f64,
}

impl LongRun {
    /// What a hit of this level leaves above its cap, on average.
    pub fn overflow(&self, seed: f64) -> f64 {
        (self.contributed + seed - self.amount_mean).max(0.0)
    }

    /// `None` if no spin feeds the pool or it can never hit. `chances` by bet index; not used for must-hit-by. `income`:
    /// what other levels send to the pool per spin of its own.
    pub fn new(bets: &Bets, level: &Level, pool: usize, chances: Option<&[f64]>, income: f64) -> Option<Self> {
        // A pool of one bet has a long run even if the mix never makes that bet.
        let share = |bet: usize| if level.linked { bets.mix[bet] as f64 } else { 1.0 };
        let total: f64 = feeding(level, pool).map(share).sum();
        let mean =
            |value: &dyn Fn(usize) -> f64| feeding(level, pool).map(|bet| share(bet) * value(bet)).sum::<f64>() / total;
        let contributions = Contributions::new(feeding(level, pool).map(|bet| (share(bet), level.contributions[bet])))?
            .with_income(income);
        let (rate, contributed, amount_mean, amount_deviation) = if let Trigger::MustHitBy { law, .. } = &level.trigger
        {
            if contributions.mean <= 0.0 {
                return None;
            }
            let (contributed, mean, deviation) = match law {
                ThresholdLaw::Uniform => {
                    let pool = uniform(level, pool, contributions, 0.0, level.seeds[pool]);
                    let cycle = pool.cycle();
                    (cycle.contributed, pool.seed + cycle.paid, cycle.paid_variance.sqrt())
                }
                ThresholdLaw::AtCap => at_cap(level, pool, contributions, 0, 0, level.seeds[pool]).cycle(),
                ThresholdLaw::Weighted { .. } => {
                    let pool = weighted_pool(level, pool, contributions, 0.0, level.seeds[pool])?;
                    let cycle = pool.cycle();
                    (cycle.contributed, pool.seed + cycle.paid, cycle.paid_variance.sqrt())
                }
            };
            (contributions.mean / contributed, contributed, mean, deviation)
        } else {
            let chances = chances?;
            let rate = mean(&|bet| chances[bet]);
            if rate <= 0.0 {
                return None;
            }
            let pool = odds(level, pool, contributions.mean, rate, 0.0);
            let growth = contributions.mean / rate;
            let (amount, deviation) = match (level.overflow, pool.headroom) {
                (Overflow::NextSeed, Some(room)) if growth > 0.0 => carried::amount(pool.seed, growth, room),
                _ => pool.amount(),
            };
            (rate, growth, amount, deviation)
        };
        Some(Self {
            rate,
            contributed,
            amount_mean,
            amount_deviation,
            seed_paid: amount_mean.min(level.seeds[pool] as f64),
            stake: mean(&|bet| bets.amounts[bet] as f64),
            weight: feeding(level, pool).map(|bet| bets.mix[bet] as f64).sum(),
        })
    }
}

/// What a pool is expected to show over a run with these spins at each bet; the caller has a [`LongRun`] of it.
pub fn finite_run(
    level: &Level,
    pool: usize,
    chances: Option<&[f64]>,
    spins_by_bet: &[u64],
    opening: u64,
    income: f64,
) -> Option<FiniteRun> {
    let spins: u64 = feeding(level, pool).map(|bet| spins_by_bet[bet]).sum();
    let weighted = feeding(level, pool).map(|bet| (spins_by_bet[bet] as f64, level.contributions[bet]));
    let Some(contributions) = Contributions::new(weighted) else { return Some(FiniteRun::default()) };
    let contributions = contributions.with_income(income);
    let count = spins as f64;
    if let Trigger::MustHitBy { law, .. } = &level.trigger {
        let growth: u128 =
            feeding(level, pool).map(|bet| u128::from(spins_by_bet[bet]) * u128::from(level.contributions[bet])).sum();
        let growth = growth + (income * count) as u128;
        return Some(match law {
            _ if growth == 0 => FiniteRun::default(),
            ThresholdLaw::Uniform => uniform(level, pool, contributions, count, opening).run(),
            ThresholdLaw::AtCap => at_cap(level, pool, contributions, spins, growth, opening).run(),
            ThresholdLaw::Weighted { .. } => weighted_pool(level, pool, contributions, count, opening)?.run(),
        });
    }
    let chances = chances?;
    let weighted_chance = |value: &dyn Fn(f64) -> f64| {
        feeding(level, pool).map(|bet| spins_by_bet[bet] as f64 * value(chances[bet])).sum::<f64>()
    };
    let hits = weighted_chance(&|chance| chance);
    if hits <= 0.0 {
        let accrued = contributions.mean * count;
        return Some(FiniteRun { accrued, ..FiniteRun::default() });
    }
    let law = odds(level, pool, contributions.mean, hits / count, count);
    let run = match (level.overflow, law.headroom) {
        (Overflow::NextSeed, Some(room)) => carried::run(&law, room),
        (Overflow::Level(_), Some(_)) => {
            let run = law.run();
            FiniteRun { accrued: run.accrued + law.above_cap(), ..run }
        }
        _ => law.run(),
    };
    // Bets with unequal odds: hits are a little less varied than if all had the mean.
    let unequal = weighted_chance(&|chance| (chance - hits / count) * (chance - hits / count));
    let lost = law.seed * law.seed * unequal;
    let run = FiniteRun {
        hits_variance: (run.hits_variance - unequal).max(0.0),
        paid_variance: (run.paid_variance - lost).max(0.0),
        accrued_variance: (run.accrued_variance - lost).max(0.0),
        ..run
    };
    let paid_at_most = level.award(pool, opening) as f64;
    Some(run.opened_above_seed(paid_at_most - law.seed, law.hitless()))
}

fn odds(level: &Level, pool: usize, contribution: f64, chance: f64, spins: f64) -> OddsPool {
    let seed = level.seeds[pool];
    let headroom = level.caps.as_ref().map(|caps| caps[pool].saturating_sub(seed) as f64);
    OddsPool { spins, chance, contribution, seed: seed as f64, headroom }
}

fn bound(level: &Level, pool: usize) -> u64 {
    match &level.trigger {
        Trigger::MustHitBy { bounds, .. } => bounds[pool],
        Trigger::Odds { .. } | Trigger::Symbols => unreachable!("only a must-hit-by has a bound"),
    }
}

fn uniform(level: &Level, pool: usize, contributions: Contributions, spins: f64, opening: u64) -> UniformPool {
    UniformPool {
        spins,
        contributions,
        seed: level.seeds[pool] as f64,
        bound: bound(level, pool) as f64,
        opening: opening as f64,
        at_most_bound: level.caps.as_ref().map(|_| level.overflow),
    }
}

fn weighted_pool(
    level: &Level,
    pool: usize,
    contributions: Contributions,
    spins: f64,
    opening: u64,
) -> Option<WeightedPool> {
    Some(WeightedPool {
        spins,
        contributions,
        seed: level.seeds[pool] as f64,
        law: pieces(level, pool)?,
        opening: opening as f64,
        at_most_bound: level.caps.as_ref().map(|_| level.overflow),
    })
}

/// The law of the growth to a threshold of weighted pieces.
pub fn pieces(level: &Level, pool: usize) -> Option<Piecewise> {
    match &level.trigger {
        Trigger::MustHitBy { law: ThresholdLaw::Weighted { weights, ends }, .. } => {
            Some(Piecewise::new(level.seeds[pool], &ends[pool], weights))
        }
        _ => None,
    }
}

/// Whether a run of so many of its own spins is too long for a must-hit-by to be followed spin by spin.
pub fn is_cut(level: &Level, pool: usize, long: &LongRun, spins: f64) -> bool {
    match pieces(level, pool) {
        Some(law) => weighted::is_cut(&law, long.contributed * long.rate, spins),
        None => renewal::is_cut(2.0 / long.rate - 1.0, spins),
    }
}

/// Whether a piece of a weighted threshold that can be drawn is hardly wider than a spin's contribution.
pub fn has_narrow_pieces(level: &Level, pool: usize) -> bool {
    let largest = feeding(level, pool).map(|bet| level.contributions[bet]).max().unwrap_or(0) as f64;
    pieces(level, pool).is_some_and(|law| {
        law.pieces().iter().any(|piece| piece.share > 0.0 && piece.end - piece.start < 10.0 * largest)
    })
}

fn at_cap(
    level: &Level,
    pool: usize,
    contributions: Contributions,
    spins: u64,
    growth: u128,
    opening: u64,
) -> AtCapPool {
    AtCapPool {
        spins,
        growth,
        contributions,
        seed: level.seeds[pool],
        bound: bound(level, pool),
        opening,
        at_most_bound: level.caps.as_ref().map(|_| level.overflow),
    }
}
