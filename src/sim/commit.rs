//! Applies the facts of chunks, in order, to the pools.
//!
//! Growth is settled by counting spins, not spin by spin. Odds and symbols hits come with the spins made so far. A
//! must-hit-by of a pool per bet is placed by division; the very spin matters only for a linked pool, for an exclusive
//! order, and for the log of hits: then the chunk's bets are looked up.

use super::account::Account;
use super::bets::BetTable;
use super::facts::{ChunkFacts, TriggerFact};
use super::plan::Plan;
use super::points::Points;
use super::timeline::Timeline;
use crate::game::Bets;
use crate::pool::{ClaimId, Jackpots, PoolOperation, PoolStore, StoreError, Trigger};
use crate::tally::{ConvergencePoint, Hit, PoolTally, Series};

/// Whether the committer has to know at which spin of a chunk a must-hit-by came due.
pub fn needs_positions(jackpots: &Jackpots) -> bool {
    jackpots.levels.iter().enumerate().any(|(level, rules)| {
        matches!(rules.trigger, Trigger::MustHitBy { .. }) && (rules.linked || jackpots.exclusive.contains(&level))
    })
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
    store: &'a dyn PoolStore,
    points: Points,
    accounts: Vec<Account<'a>>,
    pool_offsets: Vec<usize>,
    /// Exclusive levels of which at least one is a must-hit-by: these are played event by event.
    timed_exclusive: bool,
    /// Spins of the run so far, by bet index.
    counts: Vec<u64>,
    chunks_done: u64,
    paid_base: u128,
    paid_features: u128,
    series: Series,
    operations: Vec<PoolOperation>,
    expected: Vec<u64>,
    log: Option<HitLog<'l>>,
    /// Hits of the chunk at hand, for the log.
    hits: Vec<Hit>,
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
            store,
            series: Series { convergence: Vec::new(), meters: vec![Vec::new(); accounts.len()] },
            points,
            accounts,
            pool_offsets: jackpots.pool_offsets(),
            timed_exclusive: jackpots
                .exclusive
                .iter()
                .any(|&level| matches!(jackpots.levels[level].trigger, Trigger::MustHitBy { .. })),
            counts: vec![0; bets.count()],
            chunks_done: 0,
            paid_base: 0,
            paid_features: 0,
            operations: Vec::new(),
            expected: Vec::new(),
            log,
            hits: Vec::new(),
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
        for pool in 0..self.accounts.len() {
            let timed = self.timed_exclusive && self.jackpots.exclusive.contains(&self.accounts[pool].level);
            if self.accounts[pool].threshold.is_some() && !timed {
                if self.accounts[pool].rules().linked {
                    self.commit_linked(pool, &before, &mut timeline)?;
                } else {
                    self.commit_counted(pool, &before, &mut timeline)?;
                }
            }
        }
        if self.timed_exclusive {
            self.commit_exclusive(&facts, &before, &mut timeline)?;
        }
        self.chunks_done += 1;
        self.write_log()?;
        self.take_points()?;
        if self.operations.len() >= 1024 { self.flush() } else { Ok(()) }
    }

    /// Odds and symbols triggers that no must-hit-by can suppress.
    fn commit_triggers(&mut self, facts: &ChunkFacts, before: &[u64]) -> Result<(), CommitError> {
        let exclusive = &self.jackpots.exclusive;
        for same_spin in facts.triggers.chunk_by(|one, next| one.offset == next.offset) {
            let winner = exclusive.iter().find(|&&level| same_spin.iter().any(|fact| usize::from(fact.level) == level));
            for fact in same_spin {
                let level = usize::from(fact.level);
                let is_exclusive = exclusive.contains(&level);
                if is_exclusive && self.timed_exclusive {
                    continue;
                }
                if is_exclusive && winner != Some(&level) {
                    let pool = self.pool(level, usize::from(fact.bet_index));
                    self.accounts[pool].tally.suppressed += 1;
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
            self.hit(pool, bet_index, &counts, Some(spin));
        } else {
            self.hit(pool, bet_index, &[before[bet_index] + u64::from(facts.counts[at])], Some(spin));
        }
    }

    /// Hits of a must-hit-by with a pool per bet, placed by counting.
    fn commit_counted(&mut self, pool: usize, before: &[u64], timeline: &mut LazyTimeline) -> Result<(), CommitError> {
        let bet_index = self.accounts[pool].pool_in_level;
        while let Some(due) = self.accounts[pool].due_count().filter(|&due| due <= self.counts[bet_index]) {
            let spin = self.log.is_some().then(|| {
                let offset = timeline.get().nth(bet_index, 0, due - before[bet_index]).expect("due in this chunk");
                self.plan.chunk_start(self.chunks_done) + offset as u64
            });
            self.hit(pool, bet_index, &[due], spin);
        }
        Ok(())
    }

    /// Hits of a linked must-hit-by: the spin that reaches the threshold is looked up.
    fn commit_linked(&mut self, pool: usize, before: &[u64], timeline: &mut LazyTimeline) -> Result<(), CommitError> {
        let mut cursor = Cursor { offset: 0, counts: before.to_vec() };
        while let Some(offset) = self.due_offset(pool, &cursor, timeline) {
            cursor.advance(timeline.get(), offset + 1);
            let spin = self.plan.chunk_start(self.chunks_done) + offset as u64;
            self.hit(pool, timeline.get().bet(offset), &cursor.counts, Some(spin));
        }
        Ok(())
    }

    /// Offset, from a cursor on, at which a must-hit-by comes due in this chunk. The pool is settled up to the cursor or
    /// earlier.
    fn due_offset(&self, pool: usize, cursor: &Cursor, timeline: &mut LazyTimeline) -> Option<usize> {
        let account = &self.accounts[pool];
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

    /// An exclusive order with a must-hit-by in it, event by event.
    fn commit_exclusive(
        &mut self,
        facts: &ChunkFacts,
        before: &[u64],
        timeline: &mut LazyTimeline,
    ) -> Result<(), CommitError> {
        let exclusive = self.jackpots.exclusive.clone();
        let mut triggers = facts.triggers.iter().filter(|fact| exclusive.contains(&usize::from(fact.level))).peekable();
        let mut cursor = Cursor { offset: 0, counts: before.to_vec() };
        let pools: Vec<usize> = (0..self.accounts.len())
            .filter(|&pool| self.accounts[pool].threshold.is_some() && exclusive.contains(&self.accounts[pool].level))
            .collect();
        let mut due: Vec<(usize, Option<usize>)> =
            pools.iter().map(|&pool| (pool, self.due_offset(pool, &cursor, timeline))).collect();
        loop {
            let next_due = due.iter().filter_map(|&(_, offset)| offset).min();
            let next_fact = triggers.peek().map(|fact| fact.offset as usize);
            let Some(offset) = next_due.into_iter().chain(next_fact).min() else { return Ok(()) };
            let mut called: Vec<(usize, Option<&TriggerFact>)> = Vec::new();
            while let Some(fact) = triggers.next_if(|fact| fact.offset as usize == offset) {
                called.push((self.pool(usize::from(fact.level), usize::from(fact.bet_index)), Some(fact)));
            }
            called.extend(due.iter().filter(|&&(_, at)| at == Some(offset)).map(|&(pool, _)| (pool, None)));
            let rank = |pool: usize| exclusive.iter().position(|&level| level == self.accounts[pool].level);
            let winner =
                called.iter().map(|&(pool, _)| pool).min_by_key(|&pool| rank(pool)).expect("a level is called");
            cursor.advance(timeline.get(), offset + 1);
            let bet_index = timeline.get().bet(offset);
            for (pool, fact) in called {
                if pool == winner {
                    let counts = self.accounts[pool].own_counts(&cursor.counts).to_vec();
                    let spin = self.plan.chunk_start(self.chunks_done) + offset as u64;
                    self.hit(pool, bet_index, &counts, Some(spin));
                } else if fact.is_some() {
                    self.accounts[pool].tally.suppressed += 1;
                } else {
                    self.accounts[pool].tally.deferred += 1;
                }
            }
            for (pool, at) in due.iter_mut().filter(|(_, at)| *at == Some(offset)) {
                *at = self.due_offset(*pool, &cursor, timeline);
            }
        }
    }

    fn pool(&self, level: usize, bet_index: usize) -> usize {
        self.pool_offsets[level] + self.jackpots.levels[level].pool_of(bet_index)
    }

    /// Settles a pool and pays it, in the account and in the store.
    fn hit(&mut self, pool: usize, bet_index: usize, counts: &[u64], spin: Option<u64>) {
        self.settle(pool, counts);
        let account = &mut self.accounts[pool];
        let claim = ClaimId { pool, ordinal: account.tally.hits };
        self.expected.push(account.meter);
        let hit = account.hit(bet_index, spin);
        self.operations.push(PoolOperation::Claim { claim, reset: account.meter });
        if self.log.is_some() {
            self.hits.push(hit);
        }
    }

    fn settle(&mut self, pool: usize, counts: &[u64]) {
        let account = &mut self.accounts[pool];
        let units = account.settle(counts);
        if units > 0 {
            self.operations.push(PoolOperation::Add { pool, units });
            self.expected.push(account.meter);
        }
    }

    /// Sends what has gathered to the store and compares its replies.
    fn flush(&mut self) -> Result<(), CommitError> {
        let mut replies = Vec::with_capacity(self.operations.len());
        self.store.apply(&self.operations, &mut replies)?;
        for ((operation, found), expected) in self.operations.drain(..).zip(replies).zip(self.expected.drain(..)) {
            if found != expected {
                let pool = match operation {
                    PoolOperation::Add { pool, .. } => pool,
                    PoolOperation::Claim { claim, .. } => claim.pool,
                };
                return Err(CommitError::Diverged { pool, found, expected });
            }
        }
        Ok(())
    }

    fn write_log(&mut self) -> Result<(), CommitError> {
        if let Some(log) = &mut self.log {
            self.hits.sort_by_key(|hit| (hit.spin, hit.level));
            for hit in self.hits.drain(..) {
                log(&hit).map_err(CommitError::Log)?;
            }
        }
        Ok(())
    }

    fn settle_all(&mut self) {
        for pool in 0..self.accounts.len() {
            let counts = self.accounts[pool].own_counts(&self.counts).to_vec();
            self.settle(pool, &counts);
        }
    }

    fn take_points(&mut self) -> Result<(), CommitError> {
        let (convergence, meters) =
            (self.points.is_convergence(self.chunks_done), self.points.is_meter(self.chunks_done));
        if !convergence && !meters {
            return Ok(());
        }
        self.settle_all();
        let spins = self.plan.chunk_start(self.chunks_done);
        if convergence {
            let mut paid_by_level = vec![0; self.jackpots.levels.len()];
            let mut accrued_by_level = vec![0; self.jackpots.levels.len()];
            for account in &self.accounts {
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
            for (account, meter) in self.accounts.iter_mut().zip(&mut self.series.meters) {
                meter.push(account.meter_point(spins));
            }
        }
        Ok(())
    }

    /// Settles and closes every account; checks the store's balances once more.
    pub fn finish(mut self) -> Result<(Vec<PoolTally>, Series), CommitError> {
        self.settle_all();
        self.flush()?;
        for (pool, (found, account)) in self.store.balances()?.into_iter().zip(&self.accounts).enumerate() {
            if found != account.meter {
                return Err(CommitError::Diverged { pool, found, expected: account.meter });
            }
        }
        let tallies = self.accounts.into_iter().map(Account::finish).collect();
        Ok((tallies, self.series))
    }
}

/// How far an in-order walk through a chunk has come.
struct Cursor {
    offset: usize,
    /// Spins of the run before `offset`, by bet index.
    counts: Vec<u64>,
}

impl Cursor {
    fn advance(&mut self, timeline: &Timeline, to: usize) {
        timeline.count(self.offset, to, &mut self.counts);
        self.offset = to;
    }
}

/// The bets of a chunk, drawn again only if they are asked for.
struct LazyTimeline<'a> {
    bets: Vec<u16>,
    made: Option<Timeline>,
    table: &'a Bets,
    plan: Plan,
    chunk: u64,
}

impl LazyTimeline<'_> {
    fn get(&mut self) -> &Timeline {
        let Self { bets, made, table, plan, chunk } = self;
        made.get_or_insert_with(|| {
            let mut bets = std::mem::take(bets);
            if bets.is_empty() {
                bets.resize(plan.chunk_length(*chunk) as usize, 0);
                let mut stream = BetTable::stream(plan.rng_seed, *chunk);
                BetTable::new(table).draw(&mut stream, &mut bets);
            }
            Timeline::new(bets)
        })
    }
}
