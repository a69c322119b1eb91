//! A must-hit-by pool with a uniform threshold: a renewal process, not a Poisson one.
//!
//! The spins J from hit to hit have P(J <= j) = min(1, j / K), K the number of spins (a fraction allowed) that fill the
//! room between seed and bound. The moments of hits and age are computed without approximation on a lattice of cells by
//! the renewal equation: with u(t) the probability of a hit at t, u(t) = f1(t) + sum of P(J = j) u(t - j), and likewise
//! for the sums over k of k and k^2 times P(k-th hit at t). Source: Feller, *An Introduction to Probability Theory and
//! Its Applications* I, chapter XIII; Cox, *Renewal Theory* (1962), chapters 2-4.
//!
//! A cell is one spin if the run, or twelve times K, is at most [`CELLS_MAX`] spins: then all is exact. Otherwise the
//! shorter of the two is cut into so many cells, the mean of J kept, its variance low by a relative 2 / (cells of K),
//! at most 1e-4. Beyond twelve times K the moments are straight lines (to e^-25: the renewal equation's next root for a
//! uniform law is -2.09 / K), and are extended as such.

/// Most cells that a run is cut into.
pub const CELLS_MAX: f64 = 240_000.0;

/// Longest cycles after which the moments are straight lines.
const CYCLES_MAX: f64 = 12.0;

/// Cycles of one pool, in spins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformCycles {
    /// K: spins that fill the room between seed and bound; above 0.
    pub filling: f64,
    /// Spins that the opening is ahead of the seed; negative if it is behind.
    pub ahead: f64,
}

/// Moments of a renewal process seen after some spins.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RenewalMoments {
    pub hits: f64,
    pub hits_variance: f64,
    /// Spins since the last hit, or since the start.
    pub age: f64,
    pub age_variance: f64,
    pub hits_and_age: f64,
    /// Probability of no hit at all.
    pub hitless: f64,
}

/// Mean and variance of J = ceil(K U), U uniform on (0, 1]: exact sums.
pub fn cycle_moments(filling: f64) -> (f64, f64) {
    let steps = filling.ceil();
    let before = steps - 1.0;
    let mean = steps - steps * before / (2.0 * filling);
    let square = steps * steps - (before * steps * (2.0 * steps - 1.0) / 3.0 + steps * before / 2.0) / filling;
    (mean, (square - mean * mean).max(0.0))
}

/// Whether a run is too long to be followed spin by spin.
pub fn is_cut(filling: f64, spins: f64) -> bool {
    spins.min(CYCLES_MAX * filling) > CELLS_MAX
}

impl UniformCycles {
    /// Moments after `spins`.
    pub fn after(&self, spins: f64) -> RenewalMoments {
        // A whole spin of K/2 + 1/2 on average is kept as K'/2 + 1/2 cells.
        let cell = (spins.min(CYCLES_MAX * self.filling) / CELLS_MAX).max(1.0);
        let filling = (self.filling + 1.0) / cell - 1.0;
        let lattice = Lattice::new(filling, self.ahead / cell, (spins + 0.5) / cell - 0.5);
        let moments = lattice.moments();
        RenewalMoments {
            age: cell * (moments.age + 0.5) - 0.5,
            age_variance: cell * cell * moments.age_variance,
            hits_and_age: cell * moments.hits_and_age,
            ..moments
        }
    }
}

/// Renewal densities on a lattice of cells.
struct Lattice {
    filling: f64,
    ahead: f64,
    /// Where the process is looked at, in cells.
    at: f64,
    /// By cell, of the last ones alone: the sums over k of (1, k, k^2) P(k-th hit there).
    densities: Recent,
    /// The last cell.
    end: usize,
}

/// Entries by number, of which only the last are kept.
struct Recent {
    entries: Vec<[f64; 3]>,
    mask: usize,
}

impl Recent {
    /// Keeps at least so many.
    fn new(kept: usize) -> Self {
        let size = kept.next_power_of_two();
        Self { entries: vec![[0.0; 3]; size], mask: size - 1 }
    }

    fn at(&self, number: usize) -> [f64; 3] {
        self.entries[number & self.mask]
    }

    fn set(&mut self, number: usize, entry: [f64; 3]) {
        self.entries[number & self.mask] = entry;
    }
}

impl Lattice {
    fn new(filling: f64, ahead: f64, at: f64) -> Self {
        let horizon = (CYCLES_MAX * filling.ceil()).max(0.1 * CELLS_MAX);
        let count = at.max(0.0).min(horizon).ceil() as usize;
        let whole = filling.floor() as usize;
        let last = 1.0 - whole as f64 / filling;
        // A hit lies at most a whole cycle back, and the last two cells are looked at.
        let kept = whole.min(count) + 4;
        let mut lattice = Self { filling, ahead, at: at.max(0.0), densities: Recent::new(kept), end: count };
        let mut sums = Recent::new(kept);
        let share = 1.0 / filling;
        let mut before = 0.0;
        for cell in 1..=count {
            let upto = lattice.first(cell as f64);
            let first = upto - before;
            before = upto;
            let from = cell.saturating_sub(whole);
            let tail = cell.checked_sub(whole + 1).map_or([0.0; 3], |index| lattice.densities.at(index));
            let (sum, left_out) = (sums.at(cell), sums.at(from));
            let w: [f64; 3] = std::array::from_fn(|power| (sum[power] - left_out[power]) * share + last * tail[power]);
            let density = [first + w[0], first + w[1] + w[0], first + w[2] + 2.0 * w[1] + w[0]];
            sums.set(cell + 1, std::array::from_fn(|power| sum[power] + density[power]));
            lattice.densities.set(cell, density);
        }
        lattice
    }

    /// Probability that the first hit comes within so many cells.
    fn first(&self, cells: f64) -> f64 {
        if cells < 1.0 { 0.0 } else { ((self.ahead + cells) / self.filling).clamp(0.0, 1.0) }
    }

    /// Moments where the process is looked at: between two cells in proportion, beyond the last by the straight line.
    fn moments(&self) -> RenewalMoments {
        let end = self.end;
        let below = (self.at.floor() as usize).min(end);
        let [low, high] = [self.raw(below), self.raw((below + 1).min(end))];
        let share = (self.at - below as f64).min(1.0);
        let raw: [f64; 6] = std::array::from_fn(|index| low[index] + share * (high[index] - low[index]));
        let [hits, hits_square, age, age_square, hits_age, hitless] = raw;
        let beyond = (self.at - end as f64).max(0.0);
        let (mean, variance) = cycle_moments(self.filling);
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
        for back in 0..cell.min(self.filling.ceil() as usize) {
            let age = back as f64;
            let survival = 1.0 - (age / self.filling).min(1.0);
            let [hit, hits, squares] = self.densities.at(cell - back);
            sums[0] += hits * survival;
            sums[1] += squares * survival;
            sums[2] += age * hit * survival;
            sums[3] += age * age * hit * survival;
            sums[4] += age * hits * survival;
        }
        sums
    }
}
