//! Applies the facts of chunks, in order, to the pools.
//!
//! Growth is settled by counting spins, not spin by spin. Odds and symbols hits come with the spins made so far. A
//! must-hit-by of a pool per bet is placed by division; the very spin matters only for a linked pool, for an exclusive
//! order, and for the log of hits: then the chunk's bets are looked up.

use super::account::Account;
use super::books::Books;
use super::facts::{ChunkFacts, TriggerFact};
use super::plan::Plan;
use super::points::Points;
use super::timeline::{Cursor, LazyTimeline};
use crate::game::Bets;
use crate::pool::{Jackpots, Overflow, PoolStore, StoreError, Trigger};
use crate::tally::{ConvergencePoint, Hit, PoolTally, Series};

/// Whether the committer has to know at which spin of a chunk a must-hit-by came due.
pub fn needs_positions(jackpots: &Jackpots) -> bool {
    jackpots.levels.iter().enumerate().any(|(level, rules)| {
        matches!(rules.overflow, Overflow::Level(_))
            || matches!(rules.trigger, Trigger::MustHitBy { .. })
                && (rules.linked || jackpots.exclusive.contains(&level))
    })
}

/// By level: whether its hits depend on the order of other levels' hits within a chunk.
fn timed(jackpots: &Jackpots) -> Vec<bool> {
    let mut timed = vec![false; jackpots.levels.len()];
    for (level, rules) in jackpots.levels.iter().enumerate() {
        if let Overflow::Level(to) = rules.overflow {
            (timed[level], timed[to]) = (true, true);
        }
    }
    let is_due = |level: usize| matches!(jackpots.levels[level].trigger, Trigger::MustHitBy { .. });
    if jackpots.exclusive.iter().any(|&level| timed[level] || is_due(level)) {
        jackpots.exclusive.iter().for_each(|&level| timed[level] = true);
    }
    timed
}

/// A pool that a spin would hit.
struct Call {
    pool: usize,
    /// A must-hit-by, which waits if another level wins; else the hit is lost.
    is_due: bool,
}

/// Why a commit failed.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store's balance is not the account's: money was lost or made.
    #[error("pool {pool}: the store replied {found} to an operation that must give {expected}")]
    Diverged { pool: usize, found: u64, expected: u64 },
    /// The log of hits could not be written.
    #[error("the log of hits: {0}")]
    Log(std::io::Error),
}

/// Receives each hit, in order of play.
pub type HitLog<'l> = &'l mut (dyn FnMut(&Hit) -> std::io::Result<()> + Send);

/// Commits chunk after chunk.
pub struct Committer<'a, 'l> {
    plan: Plan,
    jackpots: &'a Jackpots,
    bets: &'a Bets,
    points: Points,
    books: Books<'a>,
    pool_offsets: Vec<usize>,
    /// By level: whether it is played event by event, in order of spin.
    timed: Vec<bool>,
    /// Spins of the run so far, by bet index.
    counts: Vec<u64>,
    chunks_done: u64,
    paid_base: u128,
    paid_features: u128,
    series: Series,
    log: Option<HitLog<'l>>,
}

impl<'a, 'l> Committer<'a, 'l> {
    /// At the start of a run. `openings`: what each pool opens at.
    pub fn new(
        plan: &Plan,
        bets: &'a Bets,
        jackpots: &'a Jackpots,
        openings: &[u64],
        store: &'a dyn PoolStore,
        log: Option<HitLog<'l>>,
    ) -> Result<Self, CommitError> {
        store.open(openings)?;
        let pools = jackpots.levels.iter().enumerate();
        let accounts: Vec<Account> = pools
            .flat_map(|(level, rules)| (0..rules.pool_count()).map(move |pool| (level, pool)))
            .zip(openings)
            .map(|((level, pool), &opening)| Account::new(jackpots, level, pool, opening, plan.rng_seed))
            .collect();
        let points = Points::new(plan, accounts.len());
        Ok(Self {
            plan: *plan,
            jackpots,
            bets,
            series: Series { convergence: Vec::new(), meters: vec![Vec::new(); accounts.len()] },
            points,
            books: Books::new(store, accounts, log.is_some()),
            pool_offsets: jackpots.pool_offsets(),
            timed: timed(jackpots),
            counts: vec![0; bets.count()],
            chunks_done: 0,
            paid_base: 0,
            paid_features: 0,
            log,
        })
    }

    /// Chunks committed so far, from the start of the run.
    pub fn chunks_done(&self) -> u64 {
        self.chunks_done
    }

    /// Pool units staked so far.
    pub fn wagered(&self) -> u128 {
        self.counts.iter().zip(&self.bets.amounts).map(|(&spins, &bet)| u128::from(spins) * u128::from(bet)).sum()
    }

    /// Pool units paid so far by base and features.
    pub fn paid(&self) -> u128 {
        self.paid_base + self.paid_features
    }

    /// Commits the next chunk.
    pub fn commit(&mut self, mut facts: ChunkFacts) -> Result<(), CommitError> {
        let before = self.counts.clone();
        for (count, &spins) in self.counts.iter_mut().zip(&facts.spins_by_bet) {
            *count += u64::from(spins);
        }
        self.paid_base += facts.paid_base;
        self.paid_features += facts.paid_features;
        let mut timeline = LazyTimeline {
            bets: std::mem::take(&mut facts.bets),
            made: None,
            table: self.bets,
            plan: self.plan,
            chunk: self.chunks_done,
        };
        self.commit_triggers(&facts, &before)?;
        for pool in 0..self.books.accounts.len() {
            let account = &self.books.accounts[pool];
            if account.threshold.is_some() && !self.timed[account.level] {
                if self.books.accounts[pool].rules().linked {
                    self.commit_linked(pool, &before, &mut timeline)?;
                } else {
                    self.commit_counted(pool, &before, &mut timeline)?;
                }
            }
        }
        if self.timed.contains(&true) {
            self.commit_timed(&facts, &before, &mut timeline);
        }
        self.chunks_done += 1;
        self.write_log()?;
        self.take_points()?;
        if self.books.is_full() { self.books.flush() } else { Ok(()) }
    }

    /// Odds and symbols triggers of levels that are placed by counting.
    fn commit_triggers(&mut self, facts: &ChunkFacts, before: &[u64]) -> Result<(), CommitError> {
        let exclusive = &self.jackpots.exclusive;
        for same_spin in facts.triggers.chunk_by(|one, next| one.offset == next.offset) {
            let winner = exclusive.iter().find(|&&level| same_spin.iter().any(|fact| usize::from(fact.level) == level));
            for fact in same_spin {
                let level = usize::from(fact.level);
                let is_exclusive = exclusive.contains(&level);
                if self.timed[level] {
                    continue;
                }
                if is_exclusive && winner != Some(&level) {
                    let pool = self.pool(level, usize::from(fact.bet_index));
                    self.books.accounts[pool].tally.suppressed += 1;
                } else {
                    self.commit_fact(facts, fact, before);
                }
            }
        }
        Ok(())
    }

    /// A hit whose spin counts stand in the facts.
    fn commit_fact(&mut self, facts: &ChunkFacts, fact: &TriggerFact, before: &[u64]) {
        let (level, bet_index) = (usize::from(fact.level), usize::from(fact.bet_index));
        let pool = self.pool(level, bet_index);
        let at = fact.counts_at as usize;
        let spin = self.plan.chunk_start(self.chunks_done) + u64::from(fact.offset);
        if self.jackpots.levels[level].linked {
            let counts: Vec<u64> =
                before.iter().zip(&facts.counts[at..]).map(|(&before, &here)| before + u64::from(here)).collect();
            self.books.hit(pool, bet_index, &counts, Some(spin));
        } else {
            self.books.hit(pool, bet_index, &[before[bet_index] + u64::from(facts.counts[at])], Some(spin));
        }
    }

    /// Hits of a must-hit-by with a pool per bet, placed by counting.
    fn commit_counted(&mut self, pool: usize, before: &[u64], timeline: &mut LazyTimeline) -> Result<(), CommitError> {
        let bet_index = self.books.accounts[pool].pool_in_level;
        while let Some(due) = self.books.accounts[pool].due_count().filter(|&due| due <= self.counts[bet_index]) {
            let spin = self.log.is_some().then(|| {
                let offset = timeline.get().nth(bet_index, 0, due - before[bet_index]).expect("due in this chunk");
                self.plan.chunk_start(self.chunks_done) + offset as u64
            });
            self.books.hit(pool, bet_index, &[due], spin);
        }
        Ok(())
    }

    /// Hits of a linked must-hit-by: the spin that reaches the threshold is looked up.
    fn commit_linked(&mut self, pool: usize, before: &[u64], timeline: &mut LazyTimeline) -> Result<(), CommitError> {
        let mut cursor = Cursor { offset: 0, counts: before.to_vec() };
        while let Some(offset) = self.due_offset(pool, &cursor, timeline) {
            cursor.advance(timeline.get(), offset + 1);
            let spin = self.plan.chunk_start(self.chunks_done) + offset as u64;
            self.books.hit(pool, timeline.get().bet(offset), &cursor.counts, Some(spin));
        }
        Ok(())
    }

    /// Offset, from a cursor on, at which a must-hit-by comes due in this chunk. The pool is settled up to the cursor or
    /// earlier.
    fn due_offset(&self, pool: usize, cursor: &Cursor, timeline: &mut LazyTimeline) -> Option<usize> {
        let account = &self.books.accounts[pool];
        let rules = account.rules();
        let bet_index = account.pool_in_level;
        if !rules.linked {
            let due = account.due_count()?.max(cursor.counts[bet_index] + 1);
            return if due > self.counts[bet_index] {
                None
            } else {
                timeline.get().nth(bet_index, cursor.offset, due - cursor.counts[bet_index])
            };
        }
        let grown = account.growth_since(&cursor.counts);
        let needed = account.threshold?.saturating_sub(account.meter + grown);
        let to_come: u64 =
            (0..self.counts.len()).map(|bet| (self.counts[bet] - cursor.counts[bet]) * rules.contributions[bet]).sum();
        if needed > to_come {
            return None;
        }
        timeline.get().reach(&rules.contributions, &rules.eligible, cursor.offset, needed)
    }

    /// Levels whose hits touch one another, event by event: an exclusive order with a must-hit-by in it, and levels that
    /// send or receive overflow.
    fn commit_timed(&mut self, facts: &ChunkFacts, before: &[u64], timeline: &mut LazyTimeline) {
        let timed = self.timed.clone();
        let mut triggers = facts.triggers.iter().filter(|fact| timed[usize::from(fact.level)]).peekable();
        let mut cursor = Cursor { offset: 0, counts: before.to_vec() };
        let accounts = self.books.accounts.iter().enumerate();
        let pools: Vec<usize> = accounts
            .filter(|(_, account)| account.threshold.is_some() && timed[account.level])
            .map(|(pool, _)| pool)
            .collect();
        let mut due: Vec<(usize, Option<usize>)> =
            pools.iter().map(|&pool| (pool, self.due_offset(pool, &cursor, timeline))).collect();
        loop {
            let next_due = due.iter().filter_map(|&(_, offset)| offset).min();
            let next_fact = triggers.peek().map(|fact| fact.offset as usize);
            let Some(offset) = next_due.into_iter().chain(next_fact).min() else { return };
            let mut called: Vec<Call> = Vec::new();
            while let Some(fact) = triggers.next_if(|fact| fact.offset as usize == offset) {
                let pool = self.pool(usize::from(fact.level), usize::from(fact.bet_index));
                called.push(Call { pool, is_due: false });
            }
            called.extend(
                due.iter().filter(|&&(_, at)| at == Some(offset)).map(|&(pool, _)| Call { pool, is_due: true }),
            );
            cursor.advance(timeline.get(), offset + 1);
            let received = self.claim_called(&called, timeline.get().bet(offset), offset, &cursor);
            for (pool, at) in due.iter_mut().filter(|(pool, at)| *at == Some(offset) || received.contains(pool)) {
                *at = self.due_offset(*pool, &cursor, timeline);
            }
        }
    }

    /// Pays the levels that a spin called, by the exclusive order; then what they send arrives. The pools that received.
    fn claim_called(&mut self, called: &[Call], bet_index: usize, offset: usize, cursor: &Cursor) -> Vec<usize> {
        let spin = self.plan.chunk_start(self.chunks_done) + offset as u64;
        let rank = |pool: usize| {
            let level = self.books.accounts[pool].level;
            self.jackpots.exclusive.iter().position(|&other| other == level)
        };
        let winner = called.iter().filter_map(|call| rank(call.pool)).min();
        let lost: Vec<bool> =
            called.iter().map(|call| rank(call.pool).is_some_and(|own| Some(own) != winner)).collect();
        let mut sent: Vec<(usize, u64)> = Vec::new();
        for (call, lost) in called.iter().zip(lost) {
            let account = &mut self.books.accounts[call.pool];
            if !lost {
                let to = account.rules().overflow;
                let counts = account.own_counts(&cursor.counts).to_vec();
                let units = self.books.hit(call.pool, bet_index, &counts, Some(spin));
                if let Overflow::Level(to) = to {
                    sent.extend((units > 0).then_some((self.pool(to, bet_index), units)));
                }
            } else if call.is_due {
                account.tally.deferred += 1;
            } else {
                account.tally.suppressed += 1;
            }
        }
        for &(pool, units) in &sent {
            let counts = self.books.accounts[pool].own_counts(&cursor.counts).to_vec();
            self.books.receive(pool, &counts, units);
        }
        sent.into_iter().map(|(pool, _)| pool).collect()
    }

    fn pool(&self, level: usize, bet_index: usize) -> usize {
        self.pool_offsets[level] + self.jackpots.levels[level].pool_of(bet_index)
    }

    fn write_log(&mut self) -> Result<(), CommitError> {
        if let Some(log) = &mut self.log {
            self.books.hits.sort_by_key(|hit| (hit.spin, hit.level));
            for hit in self.books.hits.drain(..) {
                log(&hit).map_err(CommitError::Log)?;
            }
        }
        Ok(())
    }

    fn take_points(&mut self) -> Result<(), CommitError> {
        let (convergence, meters) =
            (self.points.is_convergence(self.chunks_done), self.points.is_meter(self.chunks_done));
        if !convergence && !meters {
            return Ok(());
        }
        self.books.settle_all(&self.counts);
        let spins = self.plan.chunk_start(self.chunks_done);
        if convergence {
            let mut paid_by_level = vec![0; self.jackpots.levels.len()];
            let mut accrued_by_level = vec![0; self.jackpots.levels.len()];
            for account in &self.books.accounts {
                paid_by_level[account.level] += account.tally.paid;
                accrued_by_level[account.level] += account.accrued();
            }
            self.series.convergence.push(ConvergencePoint {
                spins,
                wagered: self.wagered(),
                paid_base: self.paid_base,
                paid_features: self.paid_features,
                paid_by_level,
                accrued_by_level,
            });
        }
        if meters {
            for (account, meter) in self.books.accounts.iter_mut().zip(&mut self.series.meters) {
                meter.push(account.meter_point(spins));
            }
        }
        Ok(())
    }

    /// Settles and closes every account; checks the store's balances once more.
    pub fn finish(mut self) -> Result<(Vec<PoolTally>, Series), CommitError> {
        self.books.settle_all(&self.counts);
        Ok((self.books.close()?, self.series))
    }
}
