//! A must-hit-by pool whose threshold is drawn from weighted pieces: growth per hit, amounts, and what a run shows.
//!
//! P(J <= j), J the spins from hit to hit, is piecewise linear: with a constant contribution c it is the threshold's
//! law at j c, exact. With several contributions it is that law by the mean contribution, its unit changed so that the
//! mean of J is that of threshold + overshoot. The renewal equation is solved on a lattice of cells as in `renewal`, a
//! prefix sum for each piece. Where a run is cut into cells their unit keeps the mean of J; its variance is then off by
//! a relative 2 / (cells of a mean cycle) at most.
//!
//! A law with a small spread keeps hits in step with the start for many cycles: the lattice is as long as the spread
//! asks for, 25 / (2 pi^2 v) cycles, v the relative variance of J (the renewal equation's roots next to 0 lie at
//! 2 pi i k - 2 pi^2 k^2 v per cycle), within 24 and 1,200. Beyond it the moments go on as straight lines; whether hits
//! had settled by then is asked of the solution itself.

use super::growth::Contributions;
use super::must_hit_by::{CycleGrowth, Reset};
use super::piecewise::Piecewise;
use super::renewal::{CELLS_MAX, RenewalMoments};
use super::run::FiniteRun;
use crate::pool::Overflow;

/// Least and most mean cycles that a lattice follows.
const CYCLES: (f64, f64) = (24.0, 1_200.0);
/// Relative ripple of the hits per cell below which they have settled.
const RIPPLE_MAX: f64 = 1e-6;

/// One pool. Money in pool units.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedPool {
    pub spins: f64,
    pub contributions: Contributions,
    pub seed: f64,
    /// Of threshold less seed.
    pub law: Piecewise,
    pub opening: f64,
    /// Where the excess over the bound goes, if a hit pays at most the bound.
    pub at_most_bound: Option<Overflow>,
}

impl WeightedPool {
    /// Mean and variance of the growth to a hit, and the mean excess over the bound.
    fn growth_and_excess(&self) -> (f64, f64, f64) {
        let c = &self.contributions;
        let width = self.law.width();
        match c.constant {
            Some(_) => {
                let (spins, variance) = self.law.scaled(1.0 / c.mean).whole_moments();
                let most = (width / c.mean).ceil();
                let excess = (most * c.mean - width) * (1.0 - self.law.upto((most - 1.0) * c.mean));
                (c.mean * spins, c.mean * c.mean * variance, excess)
            }
            None => {
                let (mean, variance) = self.law.moments();
                let (overshoot, spread) = c.overshoot();
                let excess = (c.cube / (6.0 * c.mean) * self.law.density_at_end()).min(overshoot);
                (mean + overshoot, variance + spread, excess)
            }
        }
    }

    /// Growth from hit to hit.
    pub fn cycle(&self) -> CycleGrowth {
        let (mean, variance, excess) = self.growth_and_excess();
        let Some(overflow) = self.at_most_bound else {
            return CycleGrowth { contributed: mean, paid: mean, paid_variance: variance };
        };
        let (c, width) = (&self.contributions, self.law.width());
        let paid = mean - excess;
        let longest = (width / c.mean).ceil() * c.mean;
        let paid_variance = match c.constant {
            // In place of the longest cycle's growth, the width.
            Some(_) => (variance + mean * mean - excess * (longest + width) - paid * paid).max(0.0),
            None => variance,
        };
        let contributed = if overflow != Overflow::NextSeed { mean } else { paid.max(c.mean) };
        CycleGrowth { contributed, paid, paid_variance }
    }

    /// What a run is expected to show, and whether it is longer than the lattice while hits still come in step.
    pub fn run(&self) -> FiniteRun {
        let c = self.contributions.mean;
        let (mean, _, excess) = self.growth_and_excess();
        let (spins, dropped) = match self.at_most_bound {
            Some(Overflow::House | Overflow::Level(_)) => (mean / c, excess),
            // The excess is carried over, which shortens the next cycle.
            Some(Overflow::NextSeed) => (((mean - excess) / c).max(1.0), 0.0),
            None => (mean / c, 0.0),
        };
        let own = self.law.scaled(1.0 / c);
        let exact = self.contributions.constant.is_some() && self.at_most_bound != Some(Overflow::NextSeed);
        let law = if exact { own } else { own.with_whole_mean(spins) };
        let cycles = Cycles { law, ahead: (self.opening - self.seed) / c };
        let (moments, unsettled) = cycles.after(self.spins);
        let carried = self.at_most_bound.is_some() && dropped == 0.0;
        let reset = Reset {
            contribution: c,
            seed: self.seed,
            dropped,
            // A spin that adds more than the whole room hits every time, and the excess is never paid.
            unpaid: if carried { (c - self.law.width()).max(0.0) } else { 0.0 },
        };
        let run = reset.run(self.spins, &moments, self.opening - self.seed);
        FiniteRun { unsettled, ..run }
    }
}

/// Cycles of one pool, in spins.
struct Cycles {
    law: Piecewise,
    /// Spins that the opening is ahead of the seed; negative if it is behind.
    ahead: f64,
}

/// Spins that a lattice follows for a law of spins: all that a run has, or enough for hits to settle.
fn followed(law: &Piecewise, spins: f64) -> f64 {
    let (mean, variance) = law.whole_moments();
    let pi = std::f64::consts::PI;
    let settling = 25.0 * mean * mean / (2.0 * pi * pi * variance.max(1e-300));
    let cycles = settling.clamp(CYCLES.0, CYCLES.1);
    // Sums of floating-point numbers drift over longer ways than needed.
    spins.min((mean * cycles).max(12.0 * law.width()).max(0.1 * CELLS_MAX))
}

/// Whether a run of a pool with this law of growth is too long to be followed spin by spin.
pub fn is_cut(law: &Piecewise, contribution: f64, spins: f64) -> bool {
    followed(&law.scaled(1.0 / contribution), spins) > CELLS_MAX
}

impl Cycles {
    /// Moments after `spins`, and whether they go on as straight lines that were not reached.
    fn after(&self, spins: f64) -> (RenewalMoments, bool) {
        let followed = followed(&self.law, spins);
        let cell = (followed / CELLS_MAX).max(1.0);
        let (mean, variance) = self.law.whole_moments();
        let law = if cell > 1.0 { self.law.scaled(1.0 / cell).with_whole_mean(mean / cell) } else { self.law.clone() };
        let scale = law.width() / self.law.width();
        let at = ((spins + 0.5) / cell - 0.5).max(0.0);
        let end = if followed < spins { (followed / cell).ceil() } else { at.ceil() };
        let lattice = Lattice::new(law, self.ahead * scale, end as usize);
        let moments = lattice.moments(at, mean / cell, variance / (cell * cell));
        let unsettled = followed < spins && lattice.ripple(cell / mean) > RIPPLE_MAX;
        let moments = RenewalMoments {
            age: cell * (moments.age + 0.5) - 0.5,
            age_variance: cell * cell * moments.age_variance,
            hits_and_age: cell * moments.hits_and_age,
            ..moments
        };
        (moments, unsettled)
    }
}

/// Renewal densities on a lattice of cells.
struct Lattice {
    law: Piecewise,
    ahead: f64,
    /// By cell: the sums over k of (1, k, k^2) P(k-th hit there).
    densities: Vec<[f64; 3]>,
}

/// Cells `from..=to` that each have the same probability of being J.
struct Run {
    from: usize,
    to: usize,
    probability: f64,
}

/// The law of J by cells: stretches of equal probability inside the pieces, single cells at their ends.
fn runs(law: &Piecewise) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut done = 0;
    for piece in law.pieces() {
        // Cells from `inner` to `last` lie within the piece alone.
        let (inner, last) = (piece.start.ceil() as usize + 1, piece.end.floor() as usize);
        let mut single = |cell: usize| {
            if cell > done {
                let probability = law.upto(cell as f64) - law.upto(cell as f64 - 1.0);
                runs.push(Run { from: cell, to: cell, probability });
                done = cell;
            }
        };
        single(inner - 1);
        if inner <= last {
            runs.push(Run { from: inner, to: last, probability: piece.density() });
            done = last;
        }
    }
    let end = law.width().ceil() as usize;
    if end > done {
        runs.push(Run { from: end, to: end, probability: 1.0 - law.upto(end as f64 - 1.0) });
    }
    runs.retain(|run| run.probability > 0.0);
    runs
}

impl Lattice {
    fn new(law: Piecewise, ahead: f64, count: usize) -> Self {
        let runs = runs(&law);
        let mut densities = Vec::with_capacity(count + 1);
        densities.push([0.0; 3]);
        // sums[cell + 1]: of the densities up to a cell.
        let mut sums = Vec::with_capacity(count + 2);
        sums.extend([[0.0; 3]; 2]);
        let mut before = 0.0;
        for cell in 1..=count {
            let upto = law.upto(ahead + cell as f64);
            let first = upto - before;
            before = upto;
            let mut w = [0.0; 3];
            for run in runs.iter().take_while(|run| run.from < cell) {
                let (high, low) = (sums[cell - run.from + 1], sums[cell.saturating_sub(run.to)]);
                for (power, sum) in w.iter_mut().enumerate() {
                    *sum += run.probability * (high[power] - low[power]);
                }
            }
            let density = [first + w[0], first + w[1] + w[0], first + w[2] + 2.0 * w[1] + w[0]];
            let sum: [f64; 3] = sums[cell];
            sums.push(std::array::from_fn(|power| sum[power] + density[power]));
            densities.push(density);
        }
        Self { law, ahead, densities }
    }

    /// Probability that the first hit comes within so many cells.
    fn first(&self, cells: f64) -> f64 {
        if cells < 1.0 { 0.0 } else { self.law.upto(self.ahead + cells) }
    }

    /// Moments where the process is looked at: between two cells in proportion, beyond the last by the straight line.
    fn moments(&self, at: f64, mean: f64, variance: f64) -> RenewalMoments {
        let end = self.densities.len() - 1;
        let below = (at.floor() as usize).min(end);
        let [low, high] = [self.raw(below), self.raw((below + 1).min(end))];
        let share = (at - below as f64).min(1.0);
        let raw: [f64; 6] = std::array::from_fn(|index| low[index] + share * (high[index] - low[index]));
        let [hits, hits_square, age, age_square, hits_age, hitless] = raw;
        let beyond = (at - end as f64).max(0.0);
        RenewalMoments {
            hits: hits + beyond / mean,
            hits_variance: (hits_square - hits * hits).max(0.0) + beyond * variance / (mean * mean * mean),
            age,
            age_variance: (age_square - age * age).max(0.0),
            hits_and_age: hits_age - hits * age,
            hitless,
        }
    }

    /// E H, E H^2, E A, E A^2, E H A and the probability of no hit, at a cell: the last hit lies A cells back, and no
    /// other followed.
    fn raw(&self, cell: usize) -> [f64; 6] {
        let hitless = 1.0 - self.first(cell as f64);
        let now = cell as f64;
        let mut sums = [0.0, 0.0, hitless * now, hitless * now * now, 0.0, hitless];
        for back in 0..cell.min(self.law.width().ceil() as usize) {
            let age = back as f64;
            let survival = 1.0 - self.law.upto(age);
            let [hit, hits, squares] = self.densities[cell - back];
            sums[0] += hits * survival;
            sums[1] += squares * survival;
            sums[2] += age * hit * survival;
            sums[3] += age * age * hit * survival;
            sums[4] += age * hits * survival;
        }
        sums
    }

    /// Greatest difference of the hits in a cell from their long-run rate, relative to it, over the last longest cycle.
    fn ripple(&self, rate: f64) -> f64 {
        let longest = (self.law.width().ceil() as usize).min(self.densities.len());
        let rate = if rate > 0.0 { rate } else { 1.0 };
        let last = &self.densities[self.densities.len() - longest..];
        last.iter().map(|[hits, _, _]| (hits / rate - 1.0).abs()).fold(0.0, f64::max)
    }
}
