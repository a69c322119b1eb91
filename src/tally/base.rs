//! What spins paid before any jackpot.

use super::{Histogram, decimal_text};
use serde::{Deserialize, Serialize};

/// How many of the largest wins are kept.
pub const LARGEST_KEPT: usize = 10;

/// Significant bits of payouts in [`BaseTally::payouts`]: exact below 65,536 return units.
const PAYOUT_BITS: u32 = 16;

/// Sum and sum of squares of a whole-numbered quantity over spins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Moments {
    #[serde(with = "decimal_text")]
    pub sum: u128,
    #[serde(with = "decimal_text")]
    pub sum_squares: u128,
}

impl Moments {
    /// Adds a value seen `times` times.
    #[inline]
    pub fn add(&mut self, value: u64, times: u64) {
        let value = u128::from(value);
        self.sum += value * u128::from(times);
        self.sum_squares += value * value * u128::from(times);
    }

    /// Adds another pair of sums.
    pub fn merge(&mut self, other: &Self) {
        self.sum += other.sum;
        self.sum_squares += other.sum_squares;
    }
}

/// A large win: return units, at which bet, on which spin (from 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Win {
    pub pay: u64,
    pub spin: u64,
    pub bet_index: usize,
}

/// Counts of one feature: free spins or a bonus. Values in return units, per trigger.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FeatureTally {
    /// Times that a paid spin started it (a bonus once for each line that shows it).
    pub triggers: u64,
    /// Free spins played; for a bonus, prizes drawn.
    pub plays: u64,
    /// Free spins that awarded more free spins.
    pub retriggers: u64,
    /// Sums over triggers of what one trigger paid.
    pub returns: Moments,
}

/// Everything that spins paid before any jackpot. Features stand in the order free spins, then bonuses, as the game
/// lists them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseTally {
    pub spins_by_bet: Vec<u64>,
    /// Return units paid by the base game at each bet; times the bet / return scale it is money.
    #[serde(with = "decimal_text::list")]
    pub base_by_bet: Vec<u128>,
    /// The same for features.
    #[serde(with = "decimal_text::list")]
    pub features_by_bet: Vec<u128>,
    /// Spins that paid anything, base or features.
    pub hits: u64,
    /// Spins that paid anything in the base game.
    pub hits_base: u64,
    /// Spins that paid anything or started a feature.
    pub hits_or_triggers: u64,
    /// Spins that paid at least their bet.
    pub wins_of_bet: u64,
    /// Per spin: base and features together.
    pub returns: Moments,
    /// Per spin: base alone.
    pub base: Moments,
    /// Per spin: features alone.
    pub features: Moments,
    /// Spins by total return in units, 0 included; values of 65,536 and more are rounded down to 16 bits.
    pub payouts: Histogram,
    /// The largest, then earliest, first.
    pub largest: Vec<Win>,
    pub by_feature: Vec<FeatureTally>,
}

impl BaseTally {
    /// Nothing counted yet.
    pub fn new(bet_count: usize, feature_count: usize) -> Self {
        Self {
            spins_by_bet: vec![0; bet_count],
            base_by_bet: vec![0; bet_count],
            features_by_bet: vec![0; bet_count],
            hits: 0,
            hits_base: 0,
            hits_or_triggers: 0,
            wins_of_bet: 0,
            returns: Moments::default(),
            base: Moments::default(),
            features: Moments::default(),
            payouts: Histogram::new(PAYOUT_BITS),
            largest: Vec::new(),
            by_feature: vec![FeatureTally::default(); feature_count],
        }
    }

    /// Spins counted.
    pub fn spins(&self) -> u64 {
        self.spins_by_bet.iter().sum()
    }

    /// Least pay that would enter the list of largest wins.
    pub fn largest_floor(&self) -> u64 {
        if self.largest.len() < LARGEST_KEPT { 1 } else { self.largest[LARGEST_KEPT - 1].pay }
    }

    /// Offers a win to the list of largest ones.
    pub fn offer(&mut self, win: Win) {
        if win.pay == 0 {
            return;
        }
        let position = self.largest.partition_point(|kept| (kept.pay, win.spin) > (win.pay, kept.spin));
        self.largest.insert(position, win);
        self.largest.truncate(LARGEST_KEPT);
    }

    /// Counts spins without features that paid `pay` in the base game: hits, moments, payouts; not the sums by bet.
    pub fn count_plain(&mut self, pay: u64, times: u64, return_scale: u64) {
        if times == 0 {
            return;
        }
        self.base.add(pay, times);
        self.returns.add(pay, times);
        self.payouts.record(pay, times);
        if pay > 0 {
            self.hits += times;
            self.hits_base += times;
            self.hits_or_triggers += times;
        }
        if pay >= return_scale {
            self.wins_of_bet += times;
        }
    }

    /// Counts a spin that started a feature. Not the sums by bet.
    pub fn count_featured(&mut self, base: u64, features: u64, return_scale: u64) {
        let pay = base + features;
        self.base.add(base, 1);
        self.features.add(features, 1);
        self.returns.add(pay, 1);
        self.payouts.record(pay, 1);
        self.hits += u64::from(pay > 0);
        self.hits_base += u64::from(base > 0);
        self.hits_or_triggers += 1;
        self.wins_of_bet += u64::from(pay >= return_scale);
    }

    /// Adds all that another tally of the same game counted.
    pub fn merge(&mut self, other: &Self) {
        fn add<T: Copy + std::ops::AddAssign>(into: &mut [T], from: &[T]) {
            into.iter_mut().zip(from).for_each(|(into, from)| *into += *from);
        }
        add(&mut self.spins_by_bet, &other.spins_by_bet);
        add(&mut self.base_by_bet, &other.base_by_bet);
        add(&mut self.features_by_bet, &other.features_by_bet);
        self.hits += other.hits;
        self.hits_base += other.hits_base;
        self.hits_or_triggers += other.hits_or_triggers;
        self.wins_of_bet += other.wins_of_bet;
        self.returns.merge(&other.returns);
        self.base.merge(&other.base);
        self.features.merge(&other.features);
        self.payouts.merge(&other.payouts);
        for &win in &other.largest {
            self.offer(win);
        }
        for (into, from) in self.by_feature.iter_mut().zip(&other.by_feature) {
            into.triggers += from.triggers;
            into.plays += from.plays;
            into.retriggers += from.retriggers;
            into.returns.merge(&from.returns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_largest_wins_the_earlier_spin_stands_first() {
        let mut tally = BaseTally::new(1, 0);
        for (pay, spin) in [(5, 9), (7, 3), (5, 2), (7, 8), (0, 1)] {
            tally.offer(Win { pay, spin, bet_index: 0 });
        }
        let order: Vec<_> = tally.largest.iter().map(|win| (win.pay, win.spin)).collect();
        assert_eq!(order, [(7, 3), (7, 8), (5, 2), (5, 9)]);
    }
}
