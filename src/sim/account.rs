//! The account of one pool as the committer keeps it: growth settled by counting, hits, resets.

use crate::pool::{Jackpots, Level, Overflow, Surplus, ThresholdLaw, Trigger};
use crate::rng::{Purpose, Stream};
use crate::tally::{Hit, MeterPoint, PoolTally};

/// Significant bits of the histograms of amounts and gaps, by number of pools: three decimal digits, or two where a
/// game has so many pools that three would need too much memory.
pub fn histogram_bits(pool_count: usize) -> u32 {
    if pool_count <= 256 { 11 } else { 8 }
}

/// Draws the threshold that leads to a pool's hit of an ordinal. `pool` is its position among all pools.
pub fn threshold(level: &Level, pool_in_level: usize, rng_seed: u64, pool: usize, ordinal: u64) -> Option<u64> {
    let Trigger::MustHitBy { bounds, law } = &level.trigger else { return None };
    let (seed, bound) = (level.seeds[pool_in_level], bounds[pool_in_level]);
    let stream = || Stream::new(rng_seed, Purpose::Thresholds, pool as u64, ordinal);
    Some(match law {
        ThresholdLaw::AtCap => bound,
        ThresholdLaw::Uniform => seed + 1 + stream().below(bound - seed),
        ThresholdLaw::Weighted { weights, ends } => {
            weighted_threshold(weights, &ends[pool_in_level], seed, &mut stream())
        }
    })
}

/// The piece by its weight, then a threshold uniform in it.
fn weighted_threshold(weights: &[u64], ends: &[u64], seed: u64, stream: &mut Stream) -> u64 {
    let mut left = stream.below(weights.iter().sum());
    let mut start = seed;
    for (&weight, &end) in weights.iter().zip(ends) {
        if left < weight {
            return start + 1 + stream.below(end - start);
        }
        left -= weight;
        start = end;
    }
    start
}

/// What a reset after a hit costs, and where the money comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reset {
    pub house: u64,
    pub top_up: u64,
    pub from_reserve: u64,
    /// Surplus of the reserve that the house takes.
    pub released: u64,
}

/// Who pays a seed, given what the reserve holds.
pub fn reset(level: &Level, seed: u64, reserve: u64) -> Reset {
    let Some(surplus) = level.reserve else {
        return Reset { house: seed, top_up: 0, from_reserve: 0, released: 0 };
    };
    let from_reserve = reserve.min(seed);
    let left = reserve - from_reserve;
    let released = if surplus == Surplus::Released { left } else { 0 };
    Reset { house: 0, top_up: seed - from_reserve, from_reserve, released }
}

/// The running account of one pool.
#[derive(Debug)]
pub struct Account<'a> {
    rules: &'a Level,
    pub level: usize,
    pub pool_in_level: usize,
    /// Position among all pools.
    pub pool: usize,
    rng_seed: u64,
    /// Balance, which may stand above the cap.
    pub meter: u64,
    reserve: u64,
    /// Spins of the run that are settled: at every bet if linked, else at this pool's bet alone.
    settled: Vec<u64>,
    qualifying_at_hit: u64,
    pub threshold: Option<u64>,
    pub tally: PoolTally,
    lowest: u64,
    highest: u64,
}

impl<'a> Account<'a> {
    /// A pool that opens at `opening`.
    pub fn new(jackpots: &'a Jackpots, level: usize, pool_in_level: usize, opening: u64, rng_seed: u64) -> Self {
        let rules = &jackpots.levels[level];
        let pool = jackpots.pool_offsets()[level] + pool_in_level;
        let bet_count = rules.eligible.len();
        let bets = if rules.linked { bet_count } else { 1 };
        let meter = rules.award(pool_in_level, opening);
        Self {
            rules,
            level,
            pool_in_level,
            pool,
            rng_seed,
            meter: opening,
            reserve: 0,
            settled: vec![0; bets],
            qualifying_at_hit: 0,
            threshold: threshold(rules, pool_in_level, rng_seed, pool, 0),
            tally: PoolTally::new(opening, bets, histogram_bits(jackpots.pool_count())),
            lowest: meter,
            highest: meter,
        }
    }

    /// The rules of its level.
    pub fn rules(&self) -> &'a Level {
        self.rules
    }

    /// Bet indexes that the pool's counts stand for.
    fn bets(&self) -> std::ops::Range<usize> {
        if self.rules.linked { 0..self.settled.len() } else { self.pool_in_level..self.pool_in_level + 1 }
    }

    /// Books all spins up to these counts (at every bet, or at the pool's own); the growth of the meter.
    pub fn settle(&mut self, counts: &[u64]) -> u64 {
        let (mut growth, mut hidden) = (0, 0);
        for (slot, bet) in self.bets().enumerate() {
            if self.rules.eligible[bet] {
                let spins = counts[slot] - self.settled[slot];
                growth += spins * self.rules.contributions[bet];
                hidden += spins * self.rules.hidden[bet];
                self.tally.qualifying_spins += spins;
            }
            self.settled[slot] = counts[slot];
        }
        self.meter += growth;
        self.reserve += hidden;
        self.tally.contributions += u128::from(growth);
        self.tally.hidden += u128::from(hidden);
        self.highest = self.highest.max(self.displayed());
        growth
    }

    /// Growth of a linked pool's meter since it was settled, at these counts of spins at every bet.
    pub fn growth_since(&self, counts: &[u64]) -> u64 {
        let spins = counts.iter().zip(&self.settled).map(|(now, settled)| now - settled);
        spins.zip(&self.rules.contributions).map(|(spins, contribution)| spins * contribution).sum()
    }

    /// The counts that belong to this pool, out of those at every bet.
    pub fn own_counts<'c>(&self, by_bet: &'c [u64]) -> &'c [u64] {
        &by_bet[self.bets()]
    }

    /// Spins at the pool's own bet at which a must-hit-by will be due, as a count from the start of the run; `None` for
    /// a linked pool, or one that no spin can bring there.
    pub fn due_count(&self) -> Option<u64> {
        let needed = self.threshold?.saturating_sub(self.meter);
        let contribution = self.rules.contributions[self.pool_in_level];
        match (needed, contribution) {
            _ if self.rules.linked || !self.rules.eligible[self.pool_in_level] => None,
            (0, _) => Some(self.settled[0] + 1),
            (_, 0) => None,
            (needed, contribution) => Some(self.settled[0] + needed.div_ceil(contribution)),
        }
    }

    fn displayed(&self) -> u64 {
        self.rules.award(self.pool_in_level, self.meter)
    }

    /// Adds what another level's hit left above its cap. The spins up to that hit are settled already.
    pub fn receive(&mut self, units: u64) {
        self.meter += units;
        self.tally.received += u128::from(units);
        self.highest = self.highest.max(self.displayed());
    }

    /// Pays the meter and resets it; the hit, and what it sends to another level. The spins up to the hit are settled
    /// already.
    pub fn hit(&mut self, bet_index: usize, spin: Option<u64>) -> (Hit, u64) {
        let seed = self.rules.seeds[self.pool_in_level];
        let amount = self.displayed();
        let excess = self.meter - amount;
        let reset = reset(self.rules, seed, self.reserve);
        self.reserve -= reset.from_reserve + reset.released;
        let tally = &mut self.tally;
        tally.seeds += u128::from(reset.house);
        tally.top_ups += u128::from(reset.top_up);
        tally.from_reserve += u128::from(reset.from_reserve);
        tally.released += u128::from(reset.released);
        tally.short_resets += u64::from(reset.top_up > 0);
        self.meter = match self.rules.overflow {
            Overflow::House | Overflow::Level(_) => {
                tally.overflow += u128::from(excess);
                seed
            }
            Overflow::NextSeed => seed + excess,
        };
        let gap = tally.qualifying_spins - self.qualifying_at_hit;
        self.qualifying_at_hit = tally.qualifying_spins;
        tally.record_amount(amount, seed, if self.rules.linked { bet_index } else { 0 });
        tally.gaps.record(gap, 1);
        tally.longest_drought = tally.longest_drought.max(Some(gap));
        self.threshold = threshold(self.rules, self.pool_in_level, self.rng_seed, self.pool, tally.hits);
        self.lowest = self.lowest.min(self.displayed());
        let sent = if matches!(self.rules.overflow, Overflow::Level(_)) { excess } else { 0 };
        (Hit { level: self.level, pool: self.pool_in_level, bet_index, amount, spin, gap: Some(gap) }, sent)
    }

    /// The meter since the last point of the series.
    pub fn meter_point(&mut self, spins: u64) -> MeterPoint {
        let last = self.displayed();
        let point = MeterPoint { spins, lowest: self.lowest.min(last), highest: self.highest.max(last), last };
        (self.lowest, self.highest) = (last, last);
        point
    }

    /// Paid plus growth of liability so far.
    pub fn accrued(&self) -> i128 {
        self.tally.paid as i128 + i128::from(self.closing().0) - i128::from(self.tally.opening)
    }

    /// What the pool holds, and the growth above its cap that is the house's.
    fn closing(&self) -> (u64, u64) {
        match self.rules.overflow {
            Overflow::House => (self.displayed(), self.meter - self.displayed()),
            Overflow::NextSeed | Overflow::Level(_) => (self.meter, 0),
        }
    }

    /// Closes the account.
    pub fn finish(mut self) -> PoolTally {
        let (closing, excess) = self.closing();
        let closing_meter = self.displayed();
        let tally = &mut self.tally;
        tally.closing = closing;
        tally.closing_meter = closing_meter;
        tally.overflow += u128::from(excess);
        tally.reserve_closing = self.reserve;
        tally.longest_drought = tally.longest_drought.max(Some(tally.qualifying_spins - self.qualifying_at_hit));
        self.tally
    }
}
