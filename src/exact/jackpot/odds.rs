//! A pool won by odds or symbols: every spin hits with the same probability, whatever the meter.
//!
//! Write p for the hit probability per spin, q = 1 - p, c for the contribution per spin, R for the seed, D for the room
//! between seed and cap, J = D / c, N for the spins, H for the hits, A for the spins since the last hit (or since the
//! start). Counting spins backwards from the end, P(A >= a) = q^a for a <= N, and given A >= a the first N - a spins
//! are untouched; all moments below follow from that and from finite geometric sums. At the cap the excess goes to the
//! house: a spin overflows whole if none of the J before it hit.
//!
//! paid = c N + R H - overflow - growth at the end, accrued = c N + R H - overflow (from the seed on).
//!
//! Exact where J is whole or infinite; else J is left a fraction, an error of p^2/8 of the overflow.

use super::run::FiniteRun;
use crate::exact::elementary::{exp, minus_ln_one_minus};

/// One pool. Money in pool units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OddsPool {
    pub spins: f64,
    /// Hit probability per spin, in (0, 1].
    pub chance: f64,
    /// Growth per spin; may be 0.
    pub contribution: f64,
    pub seed: f64,
    /// Room between seed and cap, growth beyond which goes to the house; `None` without a cap.
    pub headroom: Option<f64>,
}

impl OddsPool {
    /// q^k.
    fn miss(&self, k: f64) -> f64 {
        if k <= 0.0 { 1.0 } else { exp(-k * minus_ln_one_minus(self.chance)) }
    }

    /// Sum of q^a over a = 1..=k.
    fn misses(&self, k: f64) -> f64 {
        let chance = self.chance;
        if k * chance < 1e-6 {
            k - 0.5 * chance * k * (k + 1.0)
        } else {
            (1.0 - chance) * (1.0 - self.miss(k)) / chance
        }
    }

    /// Sum of a q^a over a = 1..=k.
    fn weighted_misses(&self, k: f64) -> f64 {
        let chance = self.chance;
        if k * chance < 1e-4 {
            (1.0 - chance) * k * (k + 1.0) * (0.5 - chance * (k - 1.0) / 3.0)
        } else {
            (1.0 - chance) * (1.0 - self.miss(k) * (1.0 + k * chance)) / (chance * chance)
        }
    }

    /// Spins that fill the room up to the cap.
    fn filling(&self) -> f64 {
        match self.headroom {
            Some(room) if self.contribution > 0.0 => room / self.contribution,
            _ => f64::INFINITY,
        }
    }

    /// Mean growth above the cap since the last hit.
    pub fn above_cap(&self) -> f64 {
        let most = self.filling().min(self.spins);
        self.contribution * (self.misses(self.spins) - self.misses(most))
    }

    /// Probability of no hit in the whole run.
    pub fn hitless(&self) -> f64 {
        self.miss(self.spins)
    }

    /// Mean and standard deviation of a hit's amount in the long run: the gap is geometric, growth stops at the cap.
    pub fn amount(&self) -> (f64, f64) {
        let (c, p, q) = (self.contribution, self.chance, 1.0 - self.chance);
        let Some(room) = self.headroom.filter(|_| c > 0.0) else {
            return (self.seed + c / p, c * q.sqrt() / p);
        };
        let full = (room / c).floor();
        let beyond = self.miss(full);
        let mean = c * (1.0 - beyond) / p + (room - c * full) * beyond;
        // Sum of c^2 (2 l - 1) q^(l - 1) over l = 1..=full, then the last, partial step.
        let steps = 2.0 * self.weighted_misses(full) / q.max(f64::MIN_POSITIVE) - (1.0 - beyond) / p;
        let steps = if q == 0.0 { full.min(1.0) } else { steps };
        let square = c * c * steps + (room * room - c * c * full * full) * beyond;
        (self.seed + mean, (square - mean * mean).max(0.0).sqrt())
    }

    /// What a run from the seed on is expected to show.
    pub fn run(&self) -> FiniteRun {
        let Self { spins, chance: p, contribution: c, seed, .. } = *self;
        let q = 1.0 - p;
        let filling = self.filling();
        let most = filling.min(spins);
        // Growth at the end, c min(A, J).
        let closing = c * self.misses(most);
        let closing_variance =
            (c * c * (2.0 * self.weighted_misses(most) - self.misses(most)) - closing * closing).max(0.0);
        let hits_and_closing = -c * p * self.weighted_misses(most);
        let overflow = self.overflow(filling);
        let hits = spins * p;
        let hits_variance = spins * p * q;
        let accrued = c * spins + seed * hits - overflow.mean;
        let accrued_variance = seed * seed * hits_variance + overflow.variance - 2.0 * seed * overflow.with_hits;
        let paid_variance =
            accrued_variance + closing_variance - 2.0 * (seed * hits_and_closing - overflow.with_closing);
        FiniteRun {
            hits,
            hits_variance,
            paid: accrued - closing,
            paid_variance: paid_variance.max(0.0),
            accrued,
            accrued_variance: accrued_variance.max(0.0),
            ..FiniteRun::default()
        }
    }

    /// Overflow over the run, and how it varies with hits and with the growth at the end.
    fn overflow(&self, filling: f64) -> Overflow {
        let Self { spins, chance: p, contribution: c, .. } = *self;
        // Spins that can overflow at all.
        let able = spins - filling;
        if able <= 0.0 {
            return Overflow::default();
        }
        let full = self.miss(filling);
        // Two spins k apart both overflow with probability q^(J + k); from k = J on they are independent.
        let near = filling.min(able);
        let pairs =
            able * self.misses(near) - self.weighted_misses(near) - full * (able * near - 0.5 * near * (near + 1.0));
        let variance = c * c * full * (able * (1.0 - full) + 2.0 * pairs);
        // Covariance with 1{A >= a}, summed over a = 1..=J; beyond `able` spins back, all overflow lies within them.
        let q_over_p = (1.0 - p) / p;
        let mut with_ages = q_over_p * (near - self.misses(near)) - self.weighted_misses(near);
        if able < filling {
            with_ages += (filling - able) * self.misses(able) - able * (self.misses(filling) - self.misses(able));
        }
        Overflow {
            mean: c * able * full,
            variance: variance.max(0.0),
            with_hits: -c * p * filling * full * able,
            with_closing: c * c * full * with_ages,
        }
    }
}

/// Moments of the overflow of a run.
#[derive(Default)]
struct Overflow {
    mean: f64,
    variance: f64,
    /// Covariance with the number of hits.
    with_hits: f64,
    /// Covariance with the growth at the end.
    with_closing: f64,
}
