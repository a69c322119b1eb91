//! A must-hit-by pool that always hits at its bound: a sawtooth, which varies only with the order of the bets, if at
//! all. Its runs have no standard deviation but a tolerance.
//!
//! With one contribution the count is exact. With several, the growth of a cycle is the bound less the seed, rounded
//! up to what contributions can reach, plus the overshoot E c^2 / 2 E c less half the contributions' common step; the
//! k-th hit is normally distributed about k cycles, and the tolerance is widened by five of its standard deviations.

use super::growth::Contributions;
use super::run::FiniteRun;
use crate::exact::elementary::normal_below;
use crate::pool::Overflow;

/// One pool. Money in pool units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtCapPool {
    pub spins: u64,
    /// Contributions of all the run's spins.
    pub growth: u128,
    pub contributions: Contributions,
    pub seed: u64,
    pub bound: u64,
    pub opening: u64,
    /// Where the excess over the bound goes, if a hit pays at most the bound.
    pub at_most_bound: Option<Overflow>,
}

impl AtCapPool {
    fn width(&self) -> u64 {
        self.bound - self.seed
    }

    /// Mean and variance of the growth contributed per hit, in the long run.
    fn contributed(&self) -> (f64, f64) {
        let width = self.width();
        let (overshoot, variance) = self.contributions.overshoot();
        match (self.at_most_bound, self.contributions.constant) {
            (Some(Overflow::NextSeed), Some(c)) => (width.max(c) as f64, 0.0),
            (Some(Overflow::NextSeed), None) => (width as f64, 0.0),
            (_, Some(c)) => (width.div_ceil(c) as f64 * c as f64, 0.0),
            (_, None) => {
                let step = self.contributions.step;
                (width.div_ceil(step) as f64 * step as f64 + overshoot - 0.5 * step as f64, variance)
            }
        }
    }

    /// Mean growth contributed per hit, and mean and standard deviation of an amount, in the long run.
    pub fn cycle(&self) -> (f64, f64, f64) {
        let (contributed, variance) = self.contributed();
        match self.at_most_bound {
            Some(_) => (contributed, self.bound as f64, 0.0),
            None => (contributed, self.seed as f64 + contributed, variance.sqrt()),
        }
    }

    /// What a run is expected to show.
    pub fn run(&self) -> FiniteRun {
        match self.contributions.constant {
            Some(c) => self.run_of_equal_spins(c),
            None => self.run_of_mixed_spins(),
        }
    }

    fn run_of_equal_spins(&self, c: u64) -> FiniteRun {
        let (seed, bound) = (u128::from(self.seed), u128::from(self.bound));
        let (spins, step) = (u128::from(self.spins), u128::from(c));
        let width = bound - seed;
        let first = u128::from(self.bound.saturating_sub(self.opening)).div_ceil(step).max(1);
        let carried = self.at_most_bound == Some(Overflow::NextSeed);
        let later = if carried && step < width { None } else { Some(width.div_ceil(step)) };
        let hits = match later {
            _ if spins < first => 0,
            Some(cycle) => 1 + (spins - first) / cycle,
            // The meter passes seed + k x width as if it were never reset.
            None => {
                let passed = (spins * step + u128::from(self.opening)).saturating_sub(seed);
                (passed / width).max(1)
            }
        };
        let first_amount = u128::from(self.opening) + first * step;
        let later_amount = seed + later.unwrap_or(1) * step;
        let (paid, excess) = match self.at_most_bound {
            _ if hits == 0 => (0, 0),
            None => (first_amount + (hits - 1) * later_amount, 0),
            Some(overflow) => {
                let excess = first_amount - bound + (hits - 1) * later_amount.saturating_sub(bound);
                (hits * bound, if overflow != Overflow::NextSeed { excess } else { 0 })
            }
        };
        FiniteRun {
            hits: hits as f64,
            paid: paid as f64,
            accrued: (spins * step + seed * hits - excess) as f64,
            hits_tolerance: 1.0,
            paid_tolerance: first_amount.max(later_amount) as f64,
            ..FiniteRun::default()
        }
    }

    fn run_of_mixed_spins(&self) -> FiniteRun {
        let (contributed, variance) = self.contributed();
        let (_, amount, _) = self.cycle();
        let growth = self.growth as f64;
        let ahead = self.opening as f64 - self.seed as f64;
        let cycles = ((growth + ahead) / contributed).max(0.0);
        let spread = (cycles * variance).sqrt() / contributed;
        let hits = hits_of_spread_cycles(cycles, spread);
        let surplus = if hits > 0.0 && self.at_most_bound.is_none() { ahead } else { 0.0 };
        let dropped = match self.at_most_bound {
            Some(Overflow::House | Overflow::Level(_)) => contributed - self.width() as f64,
            _ => 0.0,
        };
        let hits_tolerance = 1.0 + 5.0 * spread;
        FiniteRun {
            hits,
            paid: (hits * amount + surplus * hits.min(1.0)).max(0.0),
            accrued: growth + (self.seed as f64 - dropped) * hits,
            hits_tolerance,
            paid_tolerance: hits_tolerance * (amount + ahead.abs()),
            ..FiniteRun::default()
        }
    }
}

/// Mean number of hits by `cycles` mean cycles, the k-th hit being normal about k with a standard deviation of
/// `spread`: the whole cycles while that is small, half a cycle less than `cycles` once it is large.
fn hits_of_spread_cycles(cycles: f64, spread: f64) -> f64 {
    if spread < 1e-9 {
        return (cycles + 1e-9).floor();
    }
    if spread > 50.0 {
        return cycles - 0.5;
    }
    let low = (cycles - 9.0 * spread).floor().max(0.0);
    let count = (18.0 * spread).ceil() as u64 + 3;
    low + (1..=count).map(|k| normal_below((cycles - low - k as f64) / spread)).sum::<f64>()
}
