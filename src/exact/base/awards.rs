//! Free spins that wheels award, beside those of scatters: all that one paid spin awards, and what it pays in all.

use super::free::{FreeFigures, Trigger};
use super::mode::{Kind, ModeFigures};
use super::prizes::{Awards, Moments, PrizeMoments, Tables, rounded_share, value_moments, whole};
use super::{FeatureFigures, Figure};
use crate::game::rules::{Prize, Reels};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use std::collections::BTreeMap;

/// Whether a prize of any table awards spins of a feature.
pub fn by_wheel(reels: &Reels, feature: usize) -> bool {
    let rows = reels.prize_tables.iter().flat_map(|table| &table.rows);
    rows.into_iter().any(|(prize, weight)| *weight > 0 && spins(prize, feature) > 0)
}

/// Spins of a feature that a prize awards.
pub fn spins(prize: &Prize, feature: usize) -> u64 {
    prize.free_spins.filter(|award| award.feature == feature).map_or(0, |award| award.spins)
}

/// Features with a limit, whose spins wheels award: the number of spins awarded must be known to know what they pay.
/// Spins of other features are like so many independent prizes.
fn counted(reels: &Reels) -> Vec<usize> {
    let limited = |feature: &usize| reels.free_spins[*feature].spins_max.is_some();
    (0..reels.free_spins.len()).filter(limited).filter(|&feature| by_wheel(reels, feature)).collect()
}

/// The draws of all bonuses that windows start, by how often they start each.
#[derive(Debug)]
pub struct Drawn<'a, T> {
    tables: &'a Tables<'a>,
    by_table: Vec<Option<Awards<T>>>,
    known: BTreeMap<Vec<u64>, Option<Awards<T>>>,
}

impl<'a, T: num_traits::NumRef + Clone> Drawn<'a, T> {
    /// From one draw of each table.
    pub fn new(tables: &'a Tables<'a>, by_table: Vec<Option<Awards<T>>>) -> Self {
        Self { tables, by_table, known: BTreeMap::new() }
    }

    /// Of so many starts of each bonus; `None` where the awards are too many to tell apart.
    pub fn of(&mut self, starts: &[u64]) -> Option<&Awards<T>> {
        let (tables, by_table) = (self.tables, &self.by_table);
        let entry = self.known.entry(starts.to_vec()).or_insert_with(|| {
            let mut all = tables.nothing();
            for (bonus, &count) in tables.reels.bonuses.iter().zip(starts).filter(|(_, count)| **count > 0) {
                all = tables.and(&all, &tables.times(by_table[bonus.table].clone()?, count)?)?;
            }
            Some(all)
        });
        entry.as_ref()
    }
}

/// Mean square of all that a paid spin pays, in return units; `None` where it can't be enumerated.
pub fn spin_square(reels: &Reels, kinds: &[Kind], free: &[FreeFigures]) -> Option<f64> {
    let counted = counted(reels);
    let limits = counted.iter().map(|&feature| reels.free_spins[feature].spins_max);
    let tables = Tables { reels, caps: limits.map(|limit| limit.unwrap_or(u64::MAX)).collect() };
    let tree = |feature: usize| {
        let one = free[feature].trigger(1)?;
        Some(Moments { chance: 1.0, mean: one.mean, square: one.mean_square.unwrap_or(f64::NAN) })
    };
    let trees: Vec<Option<Moments<f64>>> =
        (0..free.len()).map(|feature| if by_wheel(reels, feature) { tree(feature) } else { None }).collect();
    let row = |prize: &Prize| {
        let pay = Moments::of(prize.pay as f64);
        let folded = prize.free_spins.filter(|award| !counted.contains(&award.feature));
        let spun = folded.and_then(|award| Some(trees[award.feature].as_ref()?.times(award.spins)));
        let awards = counted.iter().map(|&feature| spins(prize, feature)).collect();
        (awards, spun.map_or(pay.clone(), |spun| pay.and(&spun)))
    };
    let mut drawn = Drawn::new(&tables, tables.draws(&rounded_share, &row));
    let mut triggers = BTreeMap::new();
    let mut trigger = |feature: usize, award: u64| {
        triggers.entry((feature, award)).or_insert_with(|| free[feature].trigger(award)).clone()
    };
    let mut square = 0.0;
    for kind in kinds {
        for (awards, draws) in drawn.of(&kind.bonus_starts)? {
            // Free spins are independent of what their trigger pays, given the award.
            let (mut mean, mut variance) = (0.0, 0.0);
            for (feature, &scattered) in kind.free_spins.iter().enumerate() {
                let wheeled = counted.iter().position(|&other| other == feature).map_or(0, |at| awards[at]);
                if scattered + wheeled > 0 {
                    let trigger = trigger(feature, scattered + wheeled)?;
                    mean += trigger.mean;
                    variance += trigger.mean_square? - trigger.mean * trigger.mean;
                }
            }
            let features_mean = draws.mean + draws.chance * mean;
            let features_square = draws.square + 2.0 * draws.mean * mean + draws.chance * (variance + mean * mean);
            square += draws.chance * kind.base_square + 2.0 * kind.base * features_mean + kind.chance * features_square;
        }
    }
    Some(square).filter(|square| square.is_finite())
}

/// What a paid spin awards of a feature in all.
#[derive(Debug, Clone)]
pub struct PaidAwards {
    /// Chance that it awards any.
    pub chance: f64,
    /// Mean number of spins, and of its square.
    pub mean: f64,
    pub square: f64,
    /// Chances by number of spins, up to the limit, for a feature that has one.
    pub by_spins: Option<BTreeMap<u64, f64>>,
}

impl PaidAwards {
    /// Of a feature, by kinds of paid windows.
    pub fn new(reels: &Reels, kinds: &[Kind], feature: usize) -> Option<Self> {
        let limit = reels.free_spins[feature].spins_max;
        let tables = Tables { reels, caps: vec![limit.unwrap_or(1)] };
        // Without a limit the number itself doesn't matter: whether it is 0, and its moments.
        let row = |prize: &Prize| {
            let spins = spins(prize, feature);
            (vec![limit.map_or(spins.min(1), |_| spins)], Moments::of(spins as f64))
        };
        let mut drawn = Drawn::new(&tables, tables.draws(&rounded_share, &row));
        let mut found = Self { chance: 0.0, mean: 0.0, square: 0.0, by_spins: limit.map(|_| BTreeMap::new()) };
        for kind in kinds {
            let scattered = kind.free_spins[feature];
            for (awards, draws) in drawn.of(&kind.bonus_starts)? {
                let spins = scattered as f64;
                found.mean += kind.chance * (draws.mean + spins * draws.chance);
                found.square += kind.chance * (draws.square + 2.0 * spins * draws.mean + spins * spins * draws.chance);
                if scattered + awards[0] > 0 {
                    found.chance += kind.chance * draws.chance;
                    if let (Some(by_spins), Some(limit)) = (&mut found.by_spins, limit) {
                        *by_spins.entry((scattered + awards[0]).min(limit)).or_insert(0.0) +=
                            kind.chance * draws.chance;
                    }
                }
            }
        }
        Some(found)
    }
}

/// Mean number of spins of a feature that a paid spin awards, by scatters and wheels, exactly.
pub fn mean_award(reels: &Reels, paid: &ModeFigures, feature: usize) -> BigRational {
    let by_scatter: u128 = paid.awards(feature).iter().map(|(&award, &windows)| u128::from(award) * windows).sum();
    let each: Vec<PrizeMoments> = value_moments(reels, &|prize| whole(spins(prize, feature).into()));
    let by_wheel = reels
        .bonuses
        .iter()
        .fold(BigRational::zero(), |sum, bonus| sum + whole(paid.starts(&bonus.trigger)) * &each[bonus.table].mean);
    (whole(by_scatter) + by_wheel) / whole(paid.cycle.into())
}

/// Free spins that wheels award, with or without scatters. What both award on one spin adds up before it is played.
pub fn figures(
    reels: &Reels,
    paid: &ModeFigures,
    kinds: Option<&[Kind]>,
    at: usize,
    free: &FreeFigures,
    scale: &BigRational,
) -> FeatureFigures {
    let found = kinds.and_then(|kinds| PaidAwards::new(reels, kinds, at));
    let per_trigger = |value: f64| found.as_ref().filter(|found| found.chance > 0.0).map(|found| value / found.chance);
    let scale_value = rounded(scale);
    // (mean a paid spin, mean square a paid spin, spins played a paid spin)
    let (rtp, square, spins) = match reels.free_spins[at].spins_max {
        None if reels.free_spins[at].sticky.is_empty() => {
            let each = free.trigger(1);
            let all = mean_award(reels, paid, at);
            let mean = each.as_ref().and_then(|each| each.mean_exact.as_ref()).map(|each| each * &all / scale);
            let square = each.as_ref().zip(found.as_ref()).and_then(|(each, found)| {
                let variance = each.mean_square? - each.mean * each.mean;
                Some(found.mean * variance + found.square * each.mean * each.mean)
            });
            let spins = each.map(|each| each.spins * rounded(&all));
            let unknown = Figure { fraction: None, value: f64::NAN };
            (mean.map_or(unknown, Figure::exact), square, spins)
        }
        _ => {
            let by_spins = found.as_ref().and_then(|found| found.by_spins.as_ref());
            let played: Option<Vec<(f64, Trigger)>> = by_spins.and_then(|by_spins| {
                by_spins.iter().map(|(&award, &chance)| Some((chance, free.trigger(award)?))).collect()
            });
            let sum = |value: &dyn Fn(&Trigger) -> Option<f64>| {
                played.as_ref()?.iter().map(|(chance, trigger)| Some(chance * value(trigger)?)).sum::<Option<f64>>()
            };
            let mean = sum(&|trigger| Some(trigger.mean)).unwrap_or(f64::NAN);
            let rtp = Figure { fraction: None, value: mean / scale_value };
            (rtp, sum(&|trigger| trigger.mean_square), sum(&|trigger| Some(trigger.spins)))
        }
    };
    let mean = per_trigger(rtp.value * scale_value);
    FeatureFigures {
        rtp,
        deviation: square.and_then(per_trigger).zip(mean).map(|(square, mean)| (square - mean * mean).max(0.0).sqrt()),
        mean: mean.map(|value| Figure { fraction: None, value }),
        triggers: found.as_ref().map(|found| Figure { fraction: None, value: found.chance }),
        plays: spins.and_then(per_trigger),
    }
}

/// A fraction to rounding.
pub fn rounded(fraction: &BigRational) -> f64 {
    fraction.to_f64().unwrap_or(f64::NAN)
}
