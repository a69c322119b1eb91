//! Free spins with retriggers: a branching process.
//!
//! Each free spin pays X and awards Z more; without a limit the tree that one spin starts pays T = X + T1 + ... + TZ, so
//! E T = E X / (1 - E Z) and E T² = (E X² + 2 E(XZ) E T + E(Z(Z-1)) (E T)²) / (1 - E Z) (Harris 1963, The Theory of
//! Branching Processes, chapter I). A limit couples the spins; then both moments follow by recursion on (spins played,
//! spins left), to rounding.

use super::mode::ModeFigures;
use super::prizes::whole;
use super::sticky::StickyMeans;
use crate::game::rules::FreeSpins;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};

/// What a trigger of free spins leads to, by the number of spins that it awards.
#[derive(Debug, Clone)]
pub struct FreeFigures {
    feature: FreeSpins,
    /// Mean of one free spin's pay, in return units, and of the spins that it awards.
    pub spin_mean: BigRational,
    pub more_mean: BigRational,
    /// E X², by kind of award: (chance, E X, E X²) by number of further spins; `None` if not enumerated.
    kinds: Option<Vec<(u64, f64, f64, f64)>>,
    /// Where symbols stick: the means of so many spins as were asked for.
    sticky: Option<RefCell<StickyMeans>>,
    /// Under a limit: (mean, mean square, spins) of a trigger by the spins that it awards.
    by_award: OnceCell<Option<Vec<(f64, f64, f64)>>>,
}

/// Moments of one trigger.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    /// Mean pay in return units; a fraction where there is no limit that can bind.
    pub mean: f64,
    pub mean_exact: Option<BigRational>,
    /// Mean square of the pay; `None` if the windows of a free spin are too many.
    pub mean_square: Option<f64>,
    /// Mean number of free spins played.
    pub spins: f64,
}

impl FreeFigures {
    /// Of a feature, given the figures of its free spins.
    pub fn new(feature: &FreeSpins, position: usize, mode: &ModeFigures) -> Self {
        let more: u128 = mode.awards(position).iter().map(|(&award, &windows)| u128::from(award) * windows).sum();
        let kinds = mode.kinds().map(|kinds| {
            let mut by_award: FxHashMap<u64, (f64, f64, f64)> = FxHashMap::default();
            for kind in kinds {
                let sum = by_award.entry(kind.free_spins[position]).or_default();
                *sum = (sum.0 + kind.chance, sum.1 + kind.pay, sum.2 + kind.pay_square);
            }
            let mut kinds: Vec<_> = by_award.into_iter().map(|(award, (p, x, xx))| (award, p, x, xx)).collect();
            kinds.sort_by_key(|kind| kind.0);
            kinds
        });
        Self {
            feature: feature.clone(),
            spin_mean: mode.mean(),
            more_mean: whole(more) / whole(mode.cycle.into()),
            kinds,
            sticky: mode.sticky_means(position).map(RefCell::new),
            by_award: OnceCell::new(),
        }
    }

    /// Moments of a trigger that awards so many spins; `None` if spins without end are to be expected.
    pub fn trigger(&self, award: u64) -> Option<Trigger> {
        let limit = self.feature.spins_max.filter(|_| !self.more_mean.is_zero());
        let award = award.min(self.feature.spins_max.unwrap_or(u64::MAX));
        if let Some(means) = &self.sticky {
            let mean = means.borrow_mut().sum(usize::try_from(award).ok()?);
            return Some(Trigger { mean, mean_exact: None, mean_square: None, spins: award as f64 });
        }
        match limit {
            Some(limit) => self.limited(award, limit),
            None => self.unlimited(award),
        }
    }

    fn unlimited(&self, award: u64) -> Option<Trigger> {
        let left = BigRational::one() - &self.more_mean;
        if left <= BigRational::zero() {
            return None;
        }
        let tree = &self.spin_mean / &left;
        let mean = whole(award.into()) * &tree;
        let (t, m) = (tree.to_f64()?, self.more_mean.to_f64()?);
        let mean_square = self.kinds.as_ref().map(|kinds| {
            let sum = |value: &dyn Fn(f64, f64, f64, f64) -> f64| {
                kinds.iter().map(|&(z, p, x, xx)| value(z as f64, p, x, xx)).sum::<f64>()
            };
            let square = sum(&|_, _, _, xx| xx)
                + 2.0 * t * sum(&|z, _, x, _| z * x)
                + t * t * sum(&|z, p, _, _| z * (z - 1.0) * p);
            let variance = square / (1.0 - m) - t * t;
            award as f64 * variance + (award as f64 * t).powi(2)
        });
        Some(Trigger {
            mean: mean.to_f64()?,
            mean_exact: Some(mean),
            mean_square,
            spins: award as f64 / left.to_f64()?,
        })
    }

    fn limited(&self, award: u64, limit: u64) -> Option<Trigger> {
        let by_award = self.by_award.get_or_init(|| self.recursion(limit)).as_ref()?;
        let &(mean, square, spins) = by_award.get(usize::try_from(award).ok()?)?;
        Some(Trigger { mean, mean_exact: None, mean_square: Some(square), spins })
    }

    /// By recursion from the last spin that the limit allows. Further spins are cut so that played + left <= limit.
    fn recursion(&self, limit: u64) -> Option<Vec<(f64, f64, f64)>> {
        let kinds = self.kinds.as_ref()?;
        let (x, xx) = kinds.iter().fold((0.0, 0.0), |sum, kind| (sum.0 + kind.2, sum.1 + kind.3));
        // After `played` spins: (mean, mean square, spins) of what is still to come, by spins left.
        let limit = usize::try_from(limit).ok().filter(|&limit| limit <= 5_000)?;
        let mut after: Vec<(f64, f64, f64)> = vec![(0.0, 0.0, 0.0)];
        for played in (0..limit).rev() {
            // With `left` spins to go one is played; then `left - 1 + z`, at most what the limit leaves.
            let most = limit - played;
            let mut now = vec![(0.0, 0.0, 0.0); most + 1];
            for (left, entry) in now.iter_mut().enumerate().skip(1) {
                let (mut mean, mut square, mut spins) = (x, xx, 1.0);
                for &(more, chance, pay, _) in kinds {
                    let next = (left - 1 + more as usize).min(most - 1);
                    let (m, s, n) = after[next];
                    mean += chance * m;
                    square += 2.0 * pay * m + chance * s;
                    spins += chance * n;
                }
                *entry = (mean, square, spins);
            }
            after = now;
        }
        Some(after)
    }
}
