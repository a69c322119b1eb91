//! The chance that wheels trigger a jackpot level on a paid spin, at least once, by the chance that they don't.
//!
//! g, that one draw doesn't reach the level, solves g = sum of p x [row doesn't] x g(nested)^draws x (g if again). A paid
//! spin misses it with every draw of its bonuses, and with every free spin in which a bonus may start: without a limit,
//! the tree of one free spin misses it with the root h of h = E(g^starts h^retriggers) (a branching process; Harris 1963,
//! chapter I); with a limit, the chance follows from the last spin back.

use super::Figure;
use super::awards::{Drawn, by_wheel, spins};
use super::mode::{Kind, ModeFigures};
use super::prizes::{Moments, Tables, rounded_share, share, together, whole, without};
use crate::game::rules::{Combination, Prize, Reels};
use num_rational::BigRational;
use num_traits::{NumRef, Zero};

/// Most factors of a chance that is kept as a fraction.
const FACTORS_MAX: u64 = 200;

/// Longest limit of free spins that is followed spin by spin.
const LIMIT_MAX: u64 = 5_000;

/// Whether a row of any table triggers a level.
pub fn on_wheels(reels: &Reels, level: usize) -> bool {
    reels.prize_tables.iter().flat_map(|table| &table.rows).any(|(prize, _)| prize.jackpots.contains(&level))
}

/// The chance a paid spin; `None` where the windows are too many to enumerate.
pub fn chance(reels: &Reels, paid: &ModeFigures, free: &[ModeFigures], level: usize) -> Option<Figure> {
    let misses: Vec<f64> = table_misses(reels, level, &rounded_share);
    let able: Vec<bool> = reels.bonuses.iter().map(|bonus| misses[bonus.table] < 1.0).collect();
    let bonuses = || reels.bonuses.iter().zip(&able).filter(|(_, able)| **able).map(|(bonus, _)| bonus);
    // What sticks may start a bonus that no window of the strips does.
    let sticks = |at: usize| !reels.free_spins[at].sticky.is_empty() && bonuses().next().is_some();
    let in_free_spins =
        |(at, mode): (usize, &ModeFigures)| sticks(at) || bonuses().any(|bonus| mode.starts(&bonus.trigger) > 0);
    if free.iter().enumerate().any(in_free_spins) {
        let missing: Option<Vec<Misses>> = (reels.free_spins.iter().zip(free).enumerate())
            .map(|(at, (_, mode))| match in_free_spins((at, mode)) {
                true => Misses::new(reels, mode, at, &misses),
                false => Some(Misses::Certain),
            })
            .collect();
        let value = with_free_spins(reels, &paid.kinds()?, level, &missing?)?;
        return Some(Figure { fraction: None, value });
    }
    let lines = reels.lines.len() as u64;
    let once = |bonus: &&crate::game::rules::Bonus| lines <= 1 || matches!(bonus.trigger, Combination::Scatter { .. });
    let by_table = factors(reels);
    let factors = bonuses().map(|bonus| by_table[bonus.table]).max().unwrap_or(0);
    let fraction_misses = || table_misses::<BigRational>(reels, level, &share);
    match bonuses().collect::<Vec<_>>().as_slice() {
        [] => Some(Figure::zero()),
        [bonus] if once(bonus) => {
            let starts = whole(paid.starts(&bonus.trigger)) / whole(paid.cycle.into());
            Some(match factors <= FACTORS_MAX {
                true => Figure::exact(starts * without(fraction_misses()[bonus.table].clone())),
                false => {
                    let value = super::awards::rounded(&starts) * (1.0 - misses[bonus.table]);
                    Figure { fraction: None, value }
                }
            })
        }
        _ => {
            let kinds = paid.kinds()?;
            let most = kinds.iter().map(|kind| kind.bonus_starts.iter().sum()).max().unwrap_or(0u64);
            if factors.saturating_mul(most) > FACTORS_MAX {
                let value = kinds.iter().map(|kind| kind.chance * (1.0 - all_miss(reels, &misses, kind))).sum();
                return Some(Figure { fraction: None, value });
            }
            let misses = fraction_misses();
            let hits = kinds.iter().fold(BigRational::zero(), |sum, kind| {
                sum + whole(kind.windows.into()) * without(all_miss(reels, &misses, kind))
            });
            Some(Figure::exact(hits / whole(paid.cycle.into())))
        }
    }
}

/// The chance that one draw from each table doesn't reach a level.
fn table_misses<T: NumRef + Clone>(reels: &Reels, level: usize, weight: &dyn Fn(u64, u64) -> T) -> Vec<T> {
    let tables = Tables { reels, caps: Vec::new() };
    let row = |prize: &Prize| (Vec::new(), missing_row(prize, level));
    let drawn = tables.draws(weight, &row);
    drawn.into_iter().map(|awards| together(&awards.unwrap_or_default()).chance).collect()
}

/// A row that counts only if it doesn't trigger the level.
fn missing_row<T: NumRef + Clone>(prize: &Prize, level: usize) -> Moments<T> {
    let chance = if prize.jackpots.contains(&level) { T::zero() } else { T::one() };
    Moments { chance, mean: T::zero(), square: T::zero() }
}

/// The chance that no bonus of a kind of window reaches the level.
fn all_miss<T: NumRef + Clone>(reels: &Reels, misses: &[T], kind: &Kind) -> T {
    let bonuses = reels.bonuses.iter().zip(&kind.bonus_starts);
    bonuses.fold(T::one(), |all, (bonus, &starts)| all * num_traits::pow(misses[bonus.table].clone(), starts as usize))
}

/// By products alone, so that every machine gives the same bits.
fn to_power(chance: f64, times: u64) -> f64 {
    num_traits::pow(chance, usize::try_from(times).unwrap_or(usize::MAX))
}

/// How many chances of rows are multiplied in one draw from each table, at most, each spin of a wheel counted once.
fn factors(reels: &Reels) -> Vec<u64> {
    let mut found = vec![1u64; reels.prize_tables.len()];
    // Tables never lead back to themselves, so this ends.
    loop {
        let of_row = |prize: &Prize| prize.draws.map_or(0, |draws| draws.count.saturating_mul(found[draws.table]));
        let tables = reels.prize_tables.iter();
        let next: Vec<u64> = tables
            .map(|table| table.rows.iter().map(|(prize, _)| of_row(prize)).fold(1, u64::saturating_add))
            .collect();
        if next == found {
            return found;
        }
        found = next;
    }
}

/// The chance that the free spins of a feature don't reach a level, by the number of spins awarded.
enum Misses {
    Certain,
    /// Each awarded spin by itself, with all that it retriggers; at most so many count.
    Each(f64, u64),
    /// By spins awarded, up to the limit.
    Limited(Vec<f64>),
}

impl Misses {
    fn new(reels: &Reels, mode: &ModeFigures, feature: usize, misses: &[f64]) -> Option<Self> {
        let kinds = mode.kinds()?;
        let kinds: Vec<(f64, u64)> = (kinds.iter())
            .map(|kind| (kind.chance * all_miss(reels, misses, kind), kind.free_spins[feature]))
            .collect();
        let limit = reels.free_spins[feature].spins_max;
        let retriggers = mode.awards(feature).values().any(|&windows| windows > 0);
        if !retriggers {
            return Some(Self::Each(kinds.iter().map(|kind| kind.0).sum(), limit.unwrap_or(u64::MAX)));
        }
        let Some(limit) = limit else {
            let next = |h: f64| kinds.iter().map(|&(chance, more)| chance * to_power(h, more)).sum::<f64>();
            let mut root = 1.0;
            for _ in 0..100_000 {
                let better = next(root);
                if (root - better).abs() <= 1e-17 {
                    break;
                }
                root = better;
            }
            return Some(Self::Each(root, u64::MAX));
        };
        let limit = usize::try_from(limit).ok().filter(|&limit| limit as u64 <= LIMIT_MAX)?;
        // As in `FreeFigures`: from the last spin that the limit allows, by spins left.
        let mut after = vec![1.0];
        for played in (0..limit).rev() {
            let most = limit - played;
            let mut now = vec![1.0; most + 1];
            for (left, entry) in now.iter_mut().enumerate().skip(1) {
                let next = |more: u64| (left - 1 + usize::try_from(more).unwrap_or(limit)).min(most - 1);
                *entry = kinds.iter().map(|&(chance, more)| chance * after[next(more)]).sum();
            }
            after = now;
        }
        Some(Self::Limited(after))
    }

    fn of(&self, award: u64) -> f64 {
        match self {
            Self::Certain => 1.0,
            Self::Each(each, most) => to_power(*each, award.min(*most)),
            Self::Limited(by_award) => by_award[(award as usize).min(by_award.len() - 1)],
        }
    }
}

fn with_free_spins(reels: &Reels, kinds: &[Kind], level: usize, missing: &[Misses]) -> Option<f64> {
    // Spins that multiply chances count in their row; others are counted by number.
    let limited = |feature: &usize| {
        by_wheel(reels, *feature)
            && match &missing[*feature] {
                Misses::Certain | Misses::Each(_, u64::MAX) => false,
                Misses::Each(..) | Misses::Limited(_) => true,
            }
    };
    let counted: Vec<usize> = (0..missing.len()).filter(limited).collect();
    let caps = counted.iter().map(|&feature| reels.free_spins[feature].spins_max.unwrap_or(u64::MAX)).collect();
    let tables = Tables { reels, caps };
    let row = |prize: &Prize| {
        let mut moments: Moments<f64> = missing_row(prize, level);
        if let Some(award) = prize.free_spins.filter(|award| !counted.contains(&award.feature)) {
            moments.chance *= missing[award.feature].of(award.spins);
        }
        (counted.iter().map(|&feature| spins(prize, feature)).collect(), moments)
    };
    let mut drawn = Drawn::new(&tables, tables.draws(&rounded_share, &row));
    let mut hits = 0.0;
    for kind in kinds {
        let mut misses = 0.0;
        for (awards, draws) in drawn.of(&kind.bonus_starts)? {
            let all = kind.free_spins.iter().zip(missing).enumerate().fold(
                draws.chance,
                |all, (feature, (&by_scatter, missing))| {
                    let at = counted.iter().position(|&other| other == feature);
                    all * missing.of(by_scatter + at.map_or(0, |at| awards[at]))
                },
            );
            misses += all;
        }
        hits += kind.chance * (1.0 - misses);
    }
    Some(hits)
}
