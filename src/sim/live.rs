//! Live commit: every thread adds and claims spin by spin against the shared pools, as production traffic does.
//!
//! Amounts, and for must-hit-by and reserves counts too, depend on how threads interleave; the conservation law does
//! not, and is checked the same way.

use super::account::{histogram_bits, reset, threshold};
use super::compiled::Compiled;
use super::facts::TriggerFact;
use super::observer::{Observer, Progress};
use super::plan::Plan;
use super::play::{Worker, play_chunk};
use super::run::Workers;
use crate::pool::memory::Padded;
use crate::pool::{ClaimId, Jackpots, Level, LivePools, Overflow, StoreError, Trigger};
use crate::tally::{BaseTally, PoolTally};
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A threshold that somebody is claiming for.
const CLAIMING: u64 = u64::MAX;

/// The shared state of a live run.
pub struct LiveRun<'a, S: ?Sized> {
    compiled: &'a Compiled<'a>,
    jackpots: &'a Jackpots,
    plan: Plan,
    openings: &'a [u64],
    store: &'a S,
    /// By pool; [`CLAIMING`] also for pools that are no must-hit-by.
    thresholds: Vec<Padded>,
    reserves: Vec<Padded>,
    /// Thresholds drawn so far, by pool.
    ordinals: Vec<AtomicU64>,
    /// Claims made so far, by pool.
    claims: Vec<AtomicU64>,
    /// For each bet index, what a spin there adds to which pool.
    shares: Vec<Vec<Share>>,
    /// The same as (pool, units).
    adds: Vec<Vec<(usize, u64)>>,
    tallies: Mutex<Vec<Vec<PoolTally>>>,
}

#[derive(Debug, Clone, Copy)]
struct Share {
    level: usize,
    pool: usize,
    contribution: u64,
    hidden: u64,
    is_must_hit_by: bool,
}

impl<'a, S: LivePools + ?Sized> LiveRun<'a, S> {
    /// At the start of a run; the store is open already.
    pub fn new(compiled: &'a Compiled<'a>, plan: &Plan, openings: &'a [u64], store: &'a S) -> Self {
        let jackpots = compiled.jackpots;
        let offsets = jackpots.pool_offsets();
        let first_threshold = |level: usize, rules: &Level, pool: usize| {
            threshold(rules, pool, plan.rng_seed, offsets[level] + pool, 0).unwrap_or(CLAIMING)
        };
        let thresholds = jackpots
            .levels
            .iter()
            .enumerate()
            .flat_map(|(level, rules)| (0..rules.pool_count()).map(move |pool| (level, rules, pool)));
        let share = |bet: usize, level: usize, rules: &Level| Share {
            level,
            pool: offsets[level] + rules.pool_of(bet),
            contribution: rules.contributions[bet],
            hidden: rules.hidden[bet],
            is_must_hit_by: matches!(rules.trigger, Trigger::MustHitBy { .. }),
        };
        let shares: Vec<Vec<Share>> = (0..compiled.game.bets.count())
            .map(|bet| {
                let levels = jackpots.levels.iter().enumerate();
                levels.filter(|(_, rules)| rules.eligible[bet]).map(|(level, rules)| share(bet, level, rules)).collect()
            })
            .collect();
        let adds = shares.iter().map(|shares| shares.iter().map(|share| (share.pool, share.contribution)).collect());
        Self {
            compiled,
            jackpots,
            plan: *plan,
            openings,
            store,
            thresholds: thresholds
                .map(|(level, rules, pool)| Padded(AtomicU64::new(first_threshold(level, rules, pool))))
                .collect(),
            reserves: openings.iter().map(|_| Padded::default()).collect(),
            ordinals: openings.iter().map(|_| AtomicU64::new(1)).collect(),
            claims: openings.iter().map(|_| AtomicU64::new(0)).collect(),
            adds: adds.collect(),
            shares,
            tallies: Mutex::new(Vec::new()),
        }
    }

    /// Plays all chunks of the plan; how many were played.
    ///
    /// # Errors
    /// What the store failed at; the run is lost.
    pub fn play(&self, observer: &dyn Observer) -> Result<(BaseTally, u64), StoreError> {
        let workers = Workers::default();
        let chunk_count = self.plan.chunk_count();
        let wave_length = rayon::current_num_threads() as u64 * 8;
        let mut progress = Progress { spins_done: 0, spins: self.plan.spins, wagered: 0, paid: 0 };
        let mut start = 0;
        while start < chunk_count && !observer.stop_requested() {
            let end = (start + wave_length).min(chunk_count);
            let money: Result<Vec<(u128, u128)>, StoreError> = (start as usize..end as usize)
                .into_par_iter()
                .map(|chunk| {
                    workers.with(self.compiled, |worker| {
                        let facts = play_chunk(self.compiled, &self.plan, chunk as u64, worker);
                        self.commit(worker, &facts.triggers, self.plan.chunk_start(chunk as u64))?;
                        let by_bet = facts.spins_by_bet.iter().zip(&self.compiled.game.bets.amounts);
                        let wagered = by_bet.map(|(&spins, &bet)| u128::from(spins) * u128::from(bet)).sum();
                        Ok((wagered, facts.paid_base + facts.paid_features))
                    })
                })
                .collect();
            for (wagered, paid) in money? {
                progress.wagered += wagered;
                progress.paid += paid;
            }
            progress.spins_done = self.plan.chunk_start(end);
            observer.progress(&progress);
            start = end;
        }
        Ok((workers.into_tally(self.compiled), start))
    }

    /// Adds and claims for the chunk that a worker just played, from a spin of the plan on.
    fn commit(&self, worker: &Worker, triggers: &[TriggerFact], first_spin: u64) -> Result<(), StoreError> {
        let rested = self.tallies.lock().expect("no task panics while it holds the lock").pop();
        let mut tallies = rested.unwrap_or_else(|| self.empty_tallies());
        let mut triggers = triggers.iter().peekable();
        let mut called: Vec<(usize, usize)> = Vec::new();
        let mut balances = vec![0; self.jackpots.levels.len()];
        let mut next_trigger = triggers.peek().map_or(usize::MAX, |fact| fact.offset as usize);
        for (offset, &bet) in worker.bets.iter().enumerate() {
            let shares = &self.shares[usize::from(bet)];
            self.store.at_spin(first_spin + offset as u64);
            self.store.add_all(&self.adds[usize::from(bet)], &mut balances)?;
            for (share, &balance) in shares.iter().zip(&balances) {
                if share.hidden > 0 {
                    self.reserves[share.pool].0.fetch_add(share.hidden, Ordering::Relaxed);
                }
                if share.is_must_hit_by && balance >= self.thresholds[share.pool].0.load(Ordering::Relaxed) {
                    called.push((share.level, share.pool));
                }
            }
            if offset == next_trigger {
                while let Some(fact) = triggers.next_if(|fact| fact.offset as usize == offset) {
                    let level = usize::from(fact.level);
                    let share = self.shares[usize::from(bet)].iter().find(|share| share.level == level);
                    called.extend(share.map(|share| (level, share.pool)));
                }
                next_trigger = triggers.peek().map_or(usize::MAX, |fact| fact.offset as usize);
            }
            if !called.is_empty() {
                self.claim_called(&mut called, usize::from(bet), &mut tallies)?;
            }
        }
        self.tallies.lock().expect("no task panics while it holds the lock").push(tallies);
        Ok(())
    }

    /// Claims for the levels that a spin called, by the exclusive order.
    #[cold]
    fn claim_called(
        &self,
        called: &mut Vec<(usize, usize)>,
        bet_index: usize,
        tallies: &mut [PoolTally],
    ) -> Result<(), StoreError> {
        let exclusive = &self.jackpots.exclusive;
        called.sort_unstable_by_key(|&(level, _)| (exclusive.iter().position(|&other| other == level), level));
        let mut order_is_won = false;
        let mut sent: Vec<(usize, u64)> = Vec::new();
        for (level, pool) in called.drain(..) {
            let is_exclusive = exclusive.contains(&level);
            let is_must_hit_by = matches!(self.jackpots.levels[level].trigger, Trigger::MustHitBy { .. });
            if is_exclusive && order_is_won {
                if is_must_hit_by {
                    tallies[pool].deferred += 1;
                } else {
                    tallies[pool].suppressed += 1;
                }
            } else if !is_must_hit_by {
                sent.extend(self.claim(level, pool, bet_index, tallies)?);
                order_is_won |= is_exclusive;
            } else if let Some(due) = self.own_threshold(pool)? {
                sent.extend(self.claim(level, pool, bet_index, tallies)?);
                let pool_in_level = pool - self.jackpots.pool_offsets()[level];
                let ordinal = self.ordinals[pool].fetch_add(1, Ordering::Relaxed);
                let rules = &self.jackpots.levels[level];
                let next = threshold(rules, pool_in_level, self.plan.rng_seed, pool, ordinal).unwrap_or(due);
                self.thresholds[pool].0.store(next, Ordering::Release);
                order_is_won |= is_exclusive;
            }
        }
        for (pool, units) in sent {
            self.store.add_all(&[(pool, units)], &mut [0])?;
            tallies[pool].received += u128::from(units);
        }
        Ok(())
    }

    /// Swaps a threshold that the meter has reached for [`CLAIMING`]: who succeeds owns the hit.
    fn own_threshold(&self, pool: usize) -> Result<Option<u64>, StoreError> {
        let threshold = &self.thresholds[pool].0;
        let due = threshold.load(Ordering::Acquire);
        if due == CLAIMING || threshold.compare_exchange(due, CLAIMING, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return Ok(None);
        }
        // The balance that called us may have been paid to another thread since, and the same threshold drawn anew.
        if self.store.balance(pool)? < due {
            threshold.store(due, Ordering::Release);
            return Ok(None);
        }
        Ok(Some(due))
    }

    /// Pays a pool; what the hit sends, and to which pool.
    fn claim(
        &self,
        level: usize,
        pool: usize,
        bet_index: usize,
        tallies: &mut [PoolTally],
    ) -> Result<Option<(usize, u64)>, StoreError> {
        let rules = &self.jackpots.levels[level];
        let pool_in_level = pool - self.jackpots.pool_offsets()[level];
        let seed = rules.seeds[pool_in_level];
        let claim = ClaimId { pool, ordinal: self.claims[pool].fetch_add(1, Ordering::Relaxed) };
        let meter = self.store.claim(claim, seed)?;
        let amount = rules.award(pool_in_level, meter);
        let excess = meter - amount;
        let mut paid_out = reset(rules, seed, 0);
        let _ = self.reserves[pool].0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |reserve| {
            paid_out = reset(rules, seed, reserve);
            Some(reserve - paid_out.from_reserve - paid_out.released)
        });
        let tally = &mut tallies[pool];
        tally.seeds += u128::from(paid_out.house);
        tally.top_ups += u128::from(paid_out.top_up);
        tally.from_reserve += u128::from(paid_out.from_reserve);
        tally.released += u128::from(paid_out.released);
        tally.short_resets += u64::from(paid_out.top_up > 0);
        match rules.overflow {
            Overflow::House | Overflow::Level(_) => tally.overflow += u128::from(excess),
            Overflow::NextSeed => {
                self.store.add_all(&[(pool, excess)], &mut [0])?;
            }
        }
        tally.record_amount(amount, seed, if rules.linked { bet_index } else { 0 });
        let Overflow::Level(to) = rules.overflow else { return Ok(None) };
        let receiver = self.jackpots.pool_offsets()[to] + self.jackpots.levels[to].pool_of(bet_index);
        Ok((excess > 0).then_some((receiver, excess)))
    }

    fn empty_tallies(&self) -> Vec<PoolTally> {
        let bits = histogram_bits(self.openings.len());
        let levels = self.jackpots.levels.iter();
        let bet_counts = levels.flat_map(|rules| {
            let bets = if rules.linked { rules.eligible.len() } else { 1 };
            (0..rules.pool_count()).map(move |_| bets)
        });
        self.openings.iter().zip(bet_counts).map(|(&opening, bets)| PoolTally::new(opening, bets, bits)).collect()
    }

    /// Adds up all threads' hits, books contributions from the spins made, and closes the pools.
    ///
    /// # Errors
    /// What the store failed at.
    pub fn finish(self, base: &BaseTally) -> Result<Vec<PoolTally>, StoreError> {
        let mut pools = self.empty_tallies();
        let tallies = std::mem::take(&mut *self.tallies.lock().expect("no task panicked"));
        for tallies in tallies {
            pools.iter_mut().zip(&tallies).for_each(|(pool, other)| pool.merge_hits(other));
        }
        for (shares, &spins) in self.shares.iter().zip(&base.spins_by_bet) {
            for share in shares {
                let pool = &mut pools[share.pool];
                pool.qualifying_spins += spins;
                pool.contributions += u128::from(spins) * u128::from(share.contribution);
                pool.hidden += u128::from(spins) * u128::from(share.hidden);
            }
        }
        let levels = self.jackpots.levels.iter();
        let rules = levels.flat_map(|rules| (0..rules.pool_count()).map(move |pool| (rules, pool)));
        for ((pool, (rules, pool_in_level)), position) in pools.iter_mut().zip(rules).zip(0..) {
            let meter = self.store.balance(position)?;
            pool.closing_meter = rules.award(pool_in_level, meter);
            pool.closing = if rules.overflow == Overflow::House { pool.closing_meter } else { meter };
            pool.overflow += u128::from(meter - pool.closing);
            pool.reserve_closing = self.reserves[position].0.load(Ordering::Relaxed);
            pool.longest_drought = None;
        }
        Ok(pools)
    }
}
