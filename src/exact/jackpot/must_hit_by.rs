//! A must-hit-by pool: growth per hit, amounts, and what a run shows. The process itself is in `renewal`.
//!
//! The threshold less the seed is a whole number uniform on 1..=W. With a constant contribution c the hit comes after
//! J = ceil((T - R) / c) spins and the meter has grown by J c: exact. With several contributions (a linked pool) the
//! growth is the threshold plus an overshoot of mean E c^2 / 2 E c less half a unit; what depends on the order of
//! the bets beyond that is neglected: a relative c / W of the variances.

use super::growth::Contributions;
use super::renewal::{RenewalMoments, UniformCycles, cycle_moments};
use super::run::FiniteRun;
use crate::pool::Overflow;

/// One pool with a uniform threshold. Money in pool units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformPool {
    pub spins: f64,
    pub contributions: Contributions,
    pub seed: f64,
    pub bound: f64,
    pub opening: f64,
    /// Where the excess over the bound goes, if a hit pays at most the bound.
    pub at_most_bound: Option<Overflow>,
}

/// Growth from hit to hit, in the long run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CycleGrowth {
    /// Contributed per hit.
    pub contributed: f64,
    /// Paid per hit on top of the seed, mean and variance.
    pub paid: f64,
    pub paid_variance: f64,
}

impl UniformPool {
    fn width(&self) -> f64 {
        self.bound - self.seed
    }

    /// Spins that fill the room between seed and bound, and the mean excess over the bound per hit.
    fn filling_and_excess(&self) -> (f64, f64) {
        let c = &self.contributions;
        let width = self.width();
        let filling = width / c.mean + c.square / (c.mean * c.mean) - 1.0;
        let excess = match c.constant {
            // Only a cycle of the greatest length can end past the bound.
            Some(_) => {
                let most = (width / c.mean).ceil();
                (most * c.mean - width) * (1.0 - (most - 1.0) * c.mean / width)
            }
            // The bound lies anywhere in the spin that crosses it: E c^3 / 6 W E c.
            None => c.cube / (6.0 * c.mean * width),
        };
        (filling, excess)
    }

    /// Growth from hit to hit.
    pub fn cycle(&self) -> CycleGrowth {
        let c = &self.contributions;
        let (filling, excess) = self.filling_and_excess();
        let width = self.width();
        let (mean, variance) = match c.constant {
            Some(_) => {
                let (spins, variance) = cycle_moments(filling);
                (c.mean * spins, c.mean * c.mean * variance)
            }
            None => {
                let (overshoot, variance) = c.overshoot();
                (0.5 * width + overshoot, width * width / 12.0 + variance)
            }
        };
        match self.at_most_bound {
            None => CycleGrowth { contributed: mean, paid: mean, paid_variance: variance },
            Some(overflow) => {
                let paid = mean - excess;
                // In place of the longest cycle's growth, the width.
                let longest = width + if excess > 0.0 { (width / c.mean).ceil() * c.mean - width } else { 0.0 };
                let square = variance + mean * mean - excess * (longest + width);
                let paid_variance = match c.constant {
                    Some(_) => (square - paid * paid).max(0.0),
                    None => variance,
                };
                let contributed = if overflow != Overflow::NextSeed { mean } else { paid.max(c.mean) };
                CycleGrowth { contributed, paid, paid_variance }
            }
        }
    }

    /// What a run is expected to show: paid = contributions + R H - excess - growth at the end.
    pub fn run(&self) -> FiniteRun {
        let c = self.contributions.mean;
        let (mut filling, excess) = self.filling_and_excess();
        let dropped = match self.at_most_bound {
            Some(Overflow::House | Overflow::Level(_)) => excess,
            // The excess is carried over, which shortens the next cycle.
            Some(Overflow::NextSeed) => {
                filling = (filling - 2.0 * excess / c).max(0.5);
                0.0
            }
            None => 0.0,
        };
        let cycles = UniformCycles { filling, ahead: (self.opening - self.seed) / c };
        let moments = cycles.after(self.spins);
        // A spin that adds more than the whole room hits every time, and the excess is never paid.
        let unpaid = if self.at_most_bound.is_some() && dropped == 0.0 { (c - self.width()).max(0.0) } else { 0.0 };
        let reset = Reset { contribution: c, seed: self.seed, dropped, unpaid };
        reset.run(self.spins, &moments, self.opening - self.seed)
    }
}

/// What a hit does with money, on average.
#[derive(Debug, Clone, Copy)]
pub struct Reset {
    /// Mean growth per spin.
    pub contribution: f64,
    pub seed: f64,
    /// Excess over the bound per hit that goes to the house.
    pub dropped: f64,
    /// What a hit leaves that is never paid.
    pub unpaid: f64,
}

impl Reset {
    /// What a run is expected to show, given the moments of hits and of the spins since the last.
    pub fn run(&self, spins: f64, moments: &RenewalMoments, surplus: f64) -> FiniteRun {
        let Self { contribution: c, unpaid, .. } = *self;
        let reset = self.seed - self.dropped;
        let accrued = c * spins + reset * moments.hits;
        let accrued_variance = reset * reset * moments.hits_variance;
        FiniteRun {
            hits: moments.hits,
            hits_variance: moments.hits_variance,
            paid: accrued - c * moments.age - unpaid * moments.hits,
            paid_variance: (accrued_variance + c * c * moments.age_variance - 2.0 * reset * c * moments.hits_and_age)
                .max(0.0),
            accrued,
            accrued_variance,
            ..FiniteRun::default()
        }
        .opened_above_seed(surplus, moments.hitless)
    }
}
