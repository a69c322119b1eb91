//! The books of a run: the account of every pool, and what was done to it, told to the store in batches. Every reply is
//! compared with the account.

use super::account::Account;
use super::commit::CommitError;
use crate::pool::{ClaimId, PoolOperation, PoolStore};
use crate::tally::{Hit, PoolTally};

/// Accounts and store, kept the same.
pub struct Books<'a> {
    store: &'a dyn PoolStore,
    /// By position among all pools.
    pub accounts: Vec<Account<'a>>,
    operations: Vec<PoolOperation>,
    /// The reply to each operation.
    expected: Vec<u64>,
    keeps_hits: bool,
    /// Hits since they were last taken, where they are kept.
    pub hits: Vec<Hit>,
}

impl<'a> Books<'a> {
    /// Of pools that the store has opened.
    pub fn new(store: &'a dyn PoolStore, accounts: Vec<Account<'a>>, keeps_hits: bool) -> Self {
        Self { store, accounts, operations: Vec::new(), expected: Vec::new(), keeps_hits, hits: Vec::new() }
    }

    /// Settles a pool and pays it, in the account and in the store; what the hit sends to another level.
    pub fn hit(&mut self, pool: usize, bet_index: usize, counts: &[u64], spin: Option<u64>) -> u64 {
        self.settle(pool, counts);
        let account = &mut self.accounts[pool];
        let claim = ClaimId { pool, ordinal: account.tally.hits };
        self.expected.push(account.meter);
        let (hit, sent) = account.hit(bet_index, spin);
        self.operations.push(PoolOperation::Claim { claim, reset: account.meter });
        if self.keeps_hits {
            self.hits.push(hit);
        }
        sent
    }

    /// Settles a pool and adds what another level's hit sent.
    pub fn receive(&mut self, pool: usize, counts: &[u64], units: u64) {
        self.settle(pool, counts);
        let account = &mut self.accounts[pool];
        account.receive(units);
        self.operations.push(PoolOperation::Add { pool, units });
        self.expected.push(account.meter);
    }

    fn settle(&mut self, pool: usize, counts: &[u64]) {
        let account = &mut self.accounts[pool];
        let units = account.settle(counts);
        if units > 0 {
            self.operations.push(PoolOperation::Add { pool, units });
            self.expected.push(account.meter);
        }
    }

    /// Whether enough has gathered to be sent to the store.
    pub fn is_full(&self) -> bool {
        self.operations.len() >= 1024
    }

    /// Sends what has gathered to the store and compares its replies.
    pub fn flush(&mut self) -> Result<(), CommitError> {
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

    /// Settles every pool at these counts of spins at every bet.
    pub fn settle_all(&mut self, by_bet: &[u64]) {
        for pool in 0..self.accounts.len() {
            let counts = self.accounts[pool].own_counts(by_bet).to_vec();
            self.settle(pool, &counts);
        }
    }

    /// Closes every account; checks the store's balances once more.
    pub fn close(mut self) -> Result<Vec<PoolTally>, CommitError> {
        self.flush()?;
        for (pool, (found, account)) in self.store.balances()?.into_iter().zip(&self.accounts).enumerate() {
            if found != account.meter {
                return Err(CommitError::Diverged { pool, found, expected: account.meter });
            }
        }
        Ok(self.accounts.into_iter().map(Account::finish).collect())
    }
}
