//! The pools, one spin at a time: money first, then triggers, then claims.

use super::Defect;
use super::draws::position_of;
use jackpot::pool::{Jackpots, Level, Overflow, Surplus, ThresholdLaw, Trigger};
use jackpot::rng::{Purpose, Stream};
use jackpot::tally::{Hit, PoolTally};

/// Significant bits of the histograms of a game of at most 256 pools.
const HISTOGRAM_BITS: u32 = 11;

struct Pool {
    tally: PoolTally,
    meter: u64,
    reserve: u64,
    /// Qualifying spins since the last hit.
    since_hit: u64,
    longest: u64,
}

/// Every pool of a game at some moment of a run.
pub struct Pools<'a> {
    jackpots: &'a Jackpots,
    rng_seed: u64,
    defect: Option<Defect>,
    /// By level, then by pool.
    pools: Vec<Vec<Pool>>,
    hits: Vec<Hit>,
}

impl<'a> Pools<'a> {
    /// Every pool at its seed.
    pub fn new(jackpots: &'a Jackpots, bet_count: usize, rng_seed: u64, defect: Option<Defect>) -> Self {
        let pool = |level: &Level, seed: u64| Pool {
            tally: PoolTally::new(seed, if level.linked { bet_count } else { 1 }, HISTOGRAM_BITS),
            meter: seed,
            reserve: 0,
            since_hit: 0,
            longest: 0,
        };
        let of_level = |level: &Level| level.seeds.iter().map(|&seed| pool(level, seed)).collect();
        let pools = jackpots.levels.iter().map(of_level).collect();
        Self { jackpots, rng_seed, defect, pools, hits: Vec::new() }
    }

    /// One paid spin. `shown`, by level: whether odds or symbols hit, if the bet is eligible.
    pub fn spin(&mut self, spin: u64, bet: usize, shown: &[bool]) {
        let late = self.defect == Some(Defect::ContributionAfterTrigger);
        if !late {
            self.contribute(bet);
        }
        let levels = &self.jackpots.levels;
        let triggered: Vec<usize> = (0..levels.len())
            .filter(|&index| levels[index].eligible[bet])
            .filter(|&index| self.threshold(index, bet).map_or(shown[index], |due| self.meter(index, bet) >= due))
            .collect();
        let mut overflows: Vec<(usize, u64)> = Vec::new();
        let winner = self.jackpots.exclusive.iter().find(|index| triggered.contains(index));
        for index in triggered {
            if self.jackpots.exclusive.contains(&index) && winner != Some(&index) {
                let tally = &mut self.pools[index][levels[index].pool_of(bet)].tally;
                match levels[index].trigger {
                    Trigger::MustHitBy { .. } => tally.deferred += 1,
                    Trigger::Odds { .. } | Trigger::Symbols => tally.suppressed += 1,
                }
            } else {
                let above = self.claim(index, spin, bet);
                if let Overflow::Level(to) = levels[index].overflow {
                    if self.defect == Some(Defect::OverflowBeforeOthersPay) {
                        self.receive(to, bet, above);
                    } else {
                        overflows.push((to, above));
                    }
                }
            }
        }
        for (to, above) in overflows {
            self.receive(to, bet, above);
        }
        if late {
            self.contribute(bet);
        }
    }

    /// A defect: more hits of the same spin.
    pub fn hit_again(&mut self, spin: u64, bet: usize, shown: &[bool]) {
        for (index, level) in self.jackpots.levels.iter().enumerate() {
            if shown[index] && level.eligible[bet] {
                self.claim(index, spin, bet);
            }
        }
    }

    fn contribute(&mut self, bet: usize) {
        for (level, pools) in self.jackpots.levels.iter().zip(&mut self.pools) {
            if level.eligible[bet] {
                let pool = &mut pools[level.pool_of(bet)];
                pool.meter += level.contributions[bet];
                pool.reserve += level.hidden[bet];
                pool.since_hit += 1;
                pool.tally.qualifying_spins += 1;
                pool.tally.contributions += u128::from(level.contributions[bet]);
                pool.tally.hidden += u128::from(level.hidden[bet]);
            }
        }
    }

    /// What another level's hit left above its cap.
    fn receive(&mut self, index: usize, bet: usize, units: u64) {
        let pool = &mut self.pools[index][self.jackpots.levels[index].pool_of(bet)];
        pool.meter += units;
        pool.tally.received += u128::from(units);
    }

    fn meter(&self, index: usize, bet: usize) -> u64 {
        self.pools[index][self.jackpots.levels[index].pool_of(bet)].meter
    }

    /// The threshold of a must-hit-by, drawn anew at every question.
    fn threshold(&self, index: usize, bet: usize) -> Option<u64> {
        let level = &self.jackpots.levels[index];
        let Trigger::MustHitBy { bounds, law } = &level.trigger else { return None };
        let pool = level.pool_of(bet);
        let (seed, bound) = (level.seeds[pool], bounds[pool]);
        let ordinal = self.pools[index][pool].tally.hits;
        let global: usize = self.pools[..index].iter().map(Vec::len).sum::<usize>() + pool;
        Some(match law {
            ThresholdLaw::AtCap => bound,
            ThresholdLaw::Uniform => {
                let mut stream = Stream::new(self.rng_seed, Purpose::Thresholds, global as u64, ordinal);
                seed + 1 + stream.below(bound - seed)
            }
            ThresholdLaw::Weighted { weights, ends } => {
                let mut stream = Stream::new(self.rng_seed, Purpose::Thresholds, global as u64, ordinal);
                let piece = position_of(weights.iter().copied(), stream.below(weights.iter().sum()));
                let piece =
                    if self.defect == Some(Defect::WeightOfNextPiece) { (piece + 1) % weights.len() } else { piece };
                let start = if piece == 0 { seed } else { ends[pool][piece - 1] };
                start + 1 + stream.below((ends[pool][piece] - start).max(1))
            }
        })
    }

    /// Pays a pool; what its meter had above the cap.
    fn claim(&mut self, index: usize, spin: u64, bet: usize) -> u64 {
        let level = &self.jackpots.levels[index];
        let position = level.pool_of(bet);
        let pool = &mut self.pools[index][position];
        let seed = level.seeds[position];
        let tally = &mut pool.tally;

        let amount = capped(level, position, pool.meter);
        let excess = pool.meter - amount;
        let carried = match level.overflow {
            Overflow::House | Overflow::Level(_) => {
                tally.overflow += u128::from(excess);
                0
            }
            Overflow::NextSeed => excess,
        };
        match level.reserve {
            None => tally.seeds += u128::from(seed),
            Some(surplus) => {
                let taken = pool.reserve.min(seed);
                pool.reserve -= taken;
                tally.from_reserve += u128::from(taken);
                tally.top_ups += u128::from(seed - taken);
                tally.short_resets += u64::from(taken < seed);
                if surplus == Surplus::Released {
                    tally.released += u128::from(pool.reserve);
                    pool.reserve = 0;
                }
                if self.defect == Some(Defect::SurplusLost) {
                    pool.reserve = 0;
                }
            }
        }
        pool.meter = seed + carried;

        let winner = if level.linked { bet } else { 0 };
        tally.hits += 1;
        tally.hits_by_bet[winner] += 1;
        tally.paid += u128::from(amount);
        tally.paid_by_bet[winner] += u128::from(amount);
        tally.paid_seed += u128::from(amount.min(seed));
        tally.paid_squares = tally.paid_squares.saturating_add(u128::from(amount) * u128::from(amount));
        tally.amount_min = Some(tally.amount_min.unwrap_or(amount).min(amount));
        tally.amount_max = Some(tally.amount_max.unwrap_or(amount).max(amount));
        tally.amounts.record(amount, 1);
        tally.gaps.record(pool.since_hit, 1);
        pool.longest = pool.longest.max(pool.since_hit);
        let gap = Some(pool.since_hit);
        pool.since_hit = 0;
        self.hits.push(Hit { level: index, pool: position, bet_index: bet, amount, spin: Some(spin), gap });
        excess
    }

    /// The accounts of all pools, level by level, and all hits in order of play.
    pub fn close(self) -> (Vec<PoolTally>, Vec<Hit>) {
        let mut tallies = Vec::new();
        for (level, pools) in self.jackpots.levels.iter().zip(self.pools) {
            for (position, pool) in pools.into_iter().enumerate() {
                let mut tally = pool.tally;
                tally.closing_meter = capped(level, position, pool.meter);
                tally.closing = match level.overflow {
                    Overflow::House => tally.closing_meter,
                    Overflow::NextSeed | Overflow::Level(_) => pool.meter,
                };
                tally.overflow += u128::from(pool.meter - tally.closing);
                tally.reserve_closing = pool.reserve;
                tally.longest_drought = Some(pool.longest.max(pool.since_hit));
                tallies.push(tally);
            }
        }
        (tallies, self.hits)
    }
}

/// What a hit pays of a meter.
fn capped(level: &Level, pool: usize, meter: u64) -> u64 {
    match &level.caps {
        None => meter,
        Some(caps) => meter.min(caps[pool]),
    }
}
