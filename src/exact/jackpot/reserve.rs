//! What a reserve pays of the seeds in the long run, and what the house has to add.
//!
//! Between hits the reserve grows by X = h J, h the hidden contribution of a spin and J the spins from hit to hit. A hit takes
//! min(reserve, R) of it and the house adds the rest. A *released* reserve starts every time from nothing. A *kept* one is
//! Lindley's recursion W' = max(0, W + X - R), the waiting time of a queue with services X at intervals R: if E X < R the
//! house adds R - E X a hit, since nothing else goes in or out; else the reserve grows without end and the house adds
//! nothing.
//!
//! For odds J is geometric, and the root s below 1 of s = (1 - p (1 - s))^(R/h) is the chance that the reserve exceeds a
//! seed: the queue Geo/D/1 looked at by its arrivals (Asmussen, *Applied Probability and Queues*, 2003, chapter III.6; with p small it
//! is the root of s = exp(-(R / E X)(1 - s)) of D/M/1). Exact where R / h is whole. For a must-hit-by, by Spitzer's identity
//! (1956), P(short) = exp(-sum over n of P(S_n >= 0) / n), S_n the sum of n differences X - R: the first ones on two grids,
//! extrapolated, the others by Edgeworth's series; the error is the extrapolation's step and what one spin can matter.

use super::piecewise::Piecewise;
use crate::exact::elementary::{exp, minus_ln_one_minus, normal_below, normal_density};
use crate::pool::Surplus;

/// Spins from hit to hit, as a reserve needs them.
#[derive(Debug, Clone)]
pub enum Gap {
    /// Hits with probability p a spin.
    Odds(f64),
    /// The threshold's law, in spins.
    Threshold(Piecewise),
    /// Always so many spins.
    Fixed(f64),
}

/// A reserve in the long run. Money in pool units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReserveFigures {
    /// Chance that the reserve doesn't hold a whole seed when the level hits.
    pub short: f64,
    /// How far `short` may be off; 0 where it is worked out in closed form.
    pub short_error: f64,
    /// Mean that the house adds a hit.
    pub top_up: f64,
    /// Whether a kept reserve takes in more than its seeds cost, and so grows without end.
    pub grows: bool,
}

/// Most spins in a seed that make up a grid by themselves.
const SPINS_MAX: f64 = 64.0;

/// Cells of the coarser grid in a seed.
const CELLS: usize = 32;

/// Sums S_n that are followed on a grid, and the first that are taken together.
const FOLLOWED: usize = 20;
const TOGETHER: f64 = 2_000.0;

/// Of a pool whose spins add `hidden` on average and whose seed is `seed`; `None` if nothing goes in or the seed is 0.
pub fn figures(surplus: Surplus, gap: &Gap, hidden: f64, seed: f64) -> Option<ReserveFigures> {
    if hidden <= 0.0 || seed <= 0.0 {
        return None;
    }
    Some(match surplus {
        Surplus::Released => released(gap, hidden, seed),
        Surplus::Kept => kept(gap, hidden, seed),
    })
}

/// Spins to a hit, on average.
fn mean(gap: &Gap) -> f64 {
    match gap {
        Gap::Odds(p) => 1.0 / p,
        Gap::Threshold(law) => law.whole_moments().0,
        Gap::Fixed(spins) => *spins,
    }
}

fn released(gap: &Gap, hidden: f64, seed: f64) -> ReserveFigures {
    // The most spins that don't make up a seed.
    let most = (seed / hidden).ceil() - 1.0;
    let (short, top_up) = match gap {
        Gap::Odds(p) => {
            let none = exp(-most * minus_ln_one_minus(*p));
            let spins = (1.0 - (most + 1.0) * none + most * none * (1.0 - p)) / p;
            (1.0 - none, seed * (1.0 - none) - hidden * spins)
        }
        // By parts: (R - h k) F(k) + h sum of F(j) for j < k, the sum along the pieces, which are straight.
        Gap::Threshold(law) => {
            let steps = most.clamp(1.0, 100_000.0).floor();
            let step = most / steps;
            let inner: f64 = (0..steps as usize).map(|at| law.upto((at as f64 + 0.5) * step)).sum::<f64>() * step;
            let sum = (inner - 0.5 * law.upto(most)).max(0.0);
            let short = law.upto(most);
            (short, (seed - hidden * most) * short + hidden * sum)
        }
        Gap::Fixed(spins) => {
            let missing = (seed - hidden * spins).max(0.0);
            (if missing > 0.0 { 1.0 } else { 0.0 }, missing)
        }
    };
    ReserveFigures { short, short_error: 0.0, top_up: top_up.max(0.0), grows: false }
}

fn kept(gap: &Gap, hidden: f64, seed: f64) -> ReserveFigures {
    let income = hidden * mean(gap);
    if income >= seed {
        return ReserveFigures { short: 0.0, short_error: 0.0, top_up: 0.0, grows: income > seed };
    }
    let top_up = seed - income;
    let (short, short_error) = match gap {
        Gap::Odds(p) => (1.0 - root(*p, seed / hidden), 0.0),
        Gap::Threshold(law) => {
            let spins = seed / hidden;
            if spins <= SPINS_MAX && spins.fract() == 0.0 {
                (spitzer(law, spins as usize, Place::Whole), 1e-4)
            } else {
                let in_seeds = law.scaled(hidden / seed);
                let [coarse, fine] =
                    [CELLS, 2 * CELLS].map(|cells| spitzer(&in_seeds.scaled(cells as f64), cells, Place::Middle));
                let extrapolated = (2.0 * fine - coarse).clamp(0.0, 1.0);
                // That spins come one by one may matter by as much as one of them.
                (extrapolated, (extrapolated - fine).abs() + 1e-4 + hidden / seed)
            }
        }
        Gap::Fixed(_) => (1.0, 0.0),
    };
    ReserveFigures { short, short_error, top_up, grows: false }
}

/// The root below 1 of s = (1 - p (1 - s))^r: from 0 on the right side lies above s up to it.
fn root(p: f64, r: f64) -> f64 {
    let above = |s: f64| exp(-r * minus_ln_one_minus(p * (1.0 - s))) > s;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if above(middle) { low = middle } else { high = middle }
    }
    low
}

/// What a cell of a grid stands for: all up to a whole number of spins, or what lies around its middle.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Whole,
    Middle,
}

/// Chance that a kept reserve is short, by Spitzer's identity on a grid of so many cells in a seed. `law`: what comes in
/// between hits, in cells.
fn spitzer(law: &Piecewise, cells: usize, place: Place) -> f64 {
    let widest = law.width().ceil() as usize + 1;
    let after = if place == Place::Whole { 0.0 } else { 0.5 };
    let income: Vec<f64> =
        (0..=widest).map(|at| law.upto(at as f64 + after) - law.upto(at as f64 + after - 1.0)).collect();
    let mut sum = 0.0;
    let mut total = vec![1.0];
    for count in 1..=FOLLOWED {
        let mut next = vec![0.0; total.len() + widest];
        for (at, &chance) in total.iter().enumerate().filter(|(_, chance)| **chance > 1e-16) {
            for (more, &weight) in income.iter().enumerate() {
                next[at + more] += chance * weight;
            }
        }
        total = next;
        // Half of the cell around so many seeds is enough.
        let enough: f64 = total.iter().skip(count * cells + 1).sum();
        let around = total.get(count * cells).copied().unwrap_or(0.0);
        sum += (enough + (1.0 - after) * around) / count as f64;
    }
    exp(-sum - tail(law, cells as f64, place))
}

/// The sum's further terms, P(S_n >= 0) by Edgeworth's series in the cumulants of X.
fn tail(law: &Piecewise, seed: f64, place: Place) -> f64 {
    let (mean, variance) = if place == Place::Whole { law.whole_moments() } else { law.moments() };
    let (third, fourth) = law.higher_moments();
    let sigma = variance.sqrt();
    let (skewness, excess) = (third / sigma.powi(3), fourth / (variance * variance) - 3.0);
    let term = |count: f64| {
        let root = count.sqrt();
        // On whole numbers half a step less is enough.
        let step = if place == Place::Whole { 0.5 / (root * sigma) } else { 0.0 };
        let x = root * (seed - mean) / sigma - step;
        let corrections = skewness / (6.0 * root) * (x * x - 1.0)
            + excess / (24.0 * count) * (x.powi(3) - 3.0 * x)
            + skewness * skewness / (72.0 * count) * (x.powi(5) - 10.0 * x.powi(3) + 15.0 * x);
        (normal_below(-x) + normal_density(x) * corrections).clamp(0.0, 1.0)
    };
    let singly: f64 = (FOLLOWED + 1..TOGETHER as usize).map(|count| term(count as f64) / count as f64).sum();
    // Beyond, the sum of f(n) / n is the integral of f over ln n.
    let step = 0.01;
    let mut together = 0.0;
    let mut place = minus_ln_one_minus(1.0 - 1.0 / (TOGETHER - 0.5)) + 0.5 * step;
    loop {
        let value = term(exp(place));
        together += step * value;
        place += step;
        if value < 1e-12 || place > 60.0 {
            return singly + together;
        }
    }
}
