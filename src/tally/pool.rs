//! The money and the hits of one pool.

use super::{Histogram, decimal_text};
use serde::{Deserialize, Serialize};

/// One jackpot won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Position of the level in the game's list.
    pub level: usize,
    /// Pool within the level: the bet index, or 0 for a linked level.
    pub pool: usize,
    /// Bet index of the winning spin.
    pub bet_index: usize,
    /// Amount paid, in pool units.
    pub amount: u64,
    /// Spin, from 0; `None` where it was not worked out.
    pub spin: Option<u64>,
    /// Qualifying spins since the previous hit of this pool (or the start), this one included; `None` in live mode.
    pub gap: Option<u64>,
}

/// Exact account of one pool over a run, in pool units.
///
/// `opening + contributions + seeds + top_ups + from_reserve = paid + closing + overflow` and
/// `hidden = from_reserve + released + reserve_closing`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolTally {
    /// Spins at bets that feed this pool.
    pub qualifying_spins: u64,
    #[serde(with = "decimal_text")]
    pub opening: u64,
    /// Visible contributions.
    #[serde(with = "decimal_text")]
    pub contributions: u128,
    /// Contributions to the reserve.
    #[serde(with = "decimal_text")]
    pub hidden: u128,
    /// Seeds paid by the house at resets.
    #[serde(with = "decimal_text")]
    pub seeds: u128,
    /// What the house added where a reserve fell short of the seed.
    #[serde(with = "decimal_text")]
    pub top_ups: u128,
    /// Seeds paid out of the reserve.
    #[serde(with = "decimal_text")]
    pub from_reserve: u128,
    /// What hits of other levels left above their caps for this pool.
    #[serde(with = "decimal_text", default)]
    pub received: u128,
    #[serde(with = "decimal_text")]
    pub paid: u128,
    /// Part of `paid` that was seed: the lesser of amount and seed, hit by hit.
    #[serde(with = "decimal_text")]
    pub paid_seed: u128,
    /// Sum of squared amounts; stays at the largest u128 if it would pass it.
    #[serde(with = "decimal_text")]
    pub paid_squares: u128,
    /// Growth above the cap that left the pool: to the house, closing excess included, or to another level at hits.
    #[serde(with = "decimal_text")]
    pub overflow: u128,
    /// Surplus of the reserve that went to the house.
    #[serde(with = "decimal_text")]
    pub released: u128,
    /// What the pool holds at the end: the meter, and overflow held for the next seed.
    #[serde(with = "decimal_text")]
    pub closing: u64,
    /// What the next hit would pay at most: `closing` up to the cap.
    #[serde(with = "decimal_text")]
    pub closing_meter: u64,
    #[serde(with = "decimal_text")]
    pub reserve_closing: u64,
    pub hits: u64,
    /// Hits lost because another level of an exclusive order won the spin.
    pub suppressed: u64,
    /// Eligible spins at which a must-hit-by was due, but another level won.
    pub deferred: u64,
    /// Resets at which the reserve fell short of the seed.
    pub short_resets: u64,
    /// Hits by bet index; one entry unless linked.
    pub hits_by_bet: Vec<u64>,
    #[serde(with = "decimal_text::list")]
    pub paid_by_bet: Vec<u128>,
    #[serde(with = "decimal_text::option")]
    pub amount_min: Option<u64>,
    #[serde(with = "decimal_text::option")]
    pub amount_max: Option<u64>,
    /// Amounts paid.
    pub amounts: Histogram,
    /// Qualifying spins between hits, the first counted from the start. Empty in live mode.
    pub gaps: Histogram,
    /// Longest run of qualifying spins without a hit, the one still open included; `None` in live mode.
    pub longest_drought: Option<u64>,
}

impl PoolTally {
    /// An untouched pool that opens at `opening`, won by `bet_count` bets, with histograms of so many significant bits.
    pub fn new(opening: u64, bet_count: usize, exact_bits: u32) -> Self {
        Self {
            qualifying_spins: 0,
            opening,
            contributions: 0,
            hidden: 0,
            seeds: 0,
            top_ups: 0,
            from_reserve: 0,
            received: 0,
            paid: 0,
            paid_seed: 0,
            paid_squares: 0,
            overflow: 0,
            released: 0,
            closing: opening,
            closing_meter: opening,
            reserve_closing: 0,
            hits: 0,
            suppressed: 0,
            deferred: 0,
            short_resets: 0,
            hits_by_bet: vec![0; bet_count],
            paid_by_bet: vec![0; bet_count],
            amount_min: None,
            amount_max: None,
            amounts: Histogram::new(exact_bits),
            gaps: Histogram::new(exact_bits),
            longest_drought: Some(0),
        }
    }

    /// Counts a hit of an amount; `winner` is its place in the lists by bet.
    pub fn record_amount(&mut self, amount: u64, seed: u64, winner: usize) {
        self.hits += 1;
        self.paid += u128::from(amount);
        self.paid_seed += u128::from(amount.min(seed));
        self.paid_squares = self.paid_squares.saturating_add(u128::from(amount) * u128::from(amount));
        self.hits_by_bet[winner] += 1;
        self.paid_by_bet[winner] += u128::from(amount);
        self.amount_min = Some(self.amount_min.map_or(amount, |least| least.min(amount)));
        self.amount_max = self.amount_max.max(Some(amount));
        self.amounts.record(amount, 1);
    }

    /// Adds the hits, and what their resets cost, that another thread counted for the same pool.
    pub fn merge_hits(&mut self, other: &Self) {
        self.seeds += other.seeds;
        self.top_ups += other.top_ups;
        self.from_reserve += other.from_reserve;
        self.received += other.received;
        self.released += other.released;
        self.overflow += other.overflow;
        self.short_resets += other.short_resets;
        self.suppressed += other.suppressed;
        self.deferred += other.deferred;
        self.hits += other.hits;
        self.paid += other.paid;
        self.paid_seed += other.paid_seed;
        self.paid_squares = self.paid_squares.saturating_add(other.paid_squares);
        self.hits_by_bet.iter_mut().zip(&other.hits_by_bet).for_each(|(hits, more)| *hits += more);
        self.paid_by_bet.iter_mut().zip(&other.paid_by_bet).for_each(|(paid, more)| *paid += more);
        let amounts_min = [self.amount_min, other.amount_min];
        self.amount_min = amounts_min.into_iter().flatten().min();
        self.amount_max = self.amount_max.max(other.amount_max);
        self.amounts.merge(&other.amounts);
    }

    /// Money in minus money out of the pool: 0 unless the conservation law broke.
    pub fn residue(&self) -> i128 {
        let entered = u128::from(self.opening)
            + self.contributions
            + self.seeds
            + self.top_ups
            + self.from_reserve
            + self.received;
        let left = self.paid + u128::from(self.closing) + self.overflow;
        entered as i128 - left as i128
    }

    /// Money in minus money out of the reserve: 0 unless the conservation law broke.
    pub fn reserve_residue(&self) -> i128 {
        self.hidden as i128 - (self.from_reserve + self.released + u128::from(self.reserve_closing)) as i128
    }
}
