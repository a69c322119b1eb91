//! Pools in memory: one lock-free `AtomicU64` a pool, each on cache lines of its own.

use super::{ClaimId, LivePools, PoolOperation, PoolStore, StoreError};
use crate::money::BALANCE_MAX;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number alone on its cache lines, so that threads on neighbouring pools don't disturb each other. 128 bytes, since
/// processors fetch lines in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Padded(pub AtomicU64);

/// Balances keyed by bet index and level.
#[derive(Debug)]
pub struct MemoryPools {
    balances: Vec<Padded>,
}

impl MemoryPools {
    /// So many pools, all at 0.
    pub fn new(pool_count: usize) -> Self {
        Self { balances: (0..pool_count).map(|_| Padded::default()).collect() }
    }

    /// Adds units; the new balance. Wraps only beyond u64, which a checked plan can't reach.
    #[inline]
    pub fn add(&self, pool: usize, units: u64) -> u64 {
        // Relaxed suffices: each balance is a single location, and no other memory is published through it.
        self.balances[pool].0.fetch_add(units, Ordering::Relaxed) + units
    }

    /// Takes the whole balance and leaves `reset`.
    #[inline]
    pub fn claim(&self, pool: usize, reset: u64) -> u64 {
        self.balances[pool].0.swap(reset, Ordering::Relaxed)
    }

    /// The balance now.
    #[inline]
    pub fn balance(&self, pool: usize) -> u64 {
        self.balances[pool].0.load(Ordering::Relaxed)
    }
}

impl PoolStore for MemoryPools {
    fn open(&self, balances: &[u64]) -> Result<(), StoreError> {
        for (pool, &balance) in self.balances.iter().zip(balances) {
            pool.0.store(balance, Ordering::Relaxed);
        }
        Ok(())
    }

    fn apply(&self, operations: &[PoolOperation], replies: &mut Vec<u64>) -> Result<(), StoreError> {
        for operation in operations {
            replies.push(match *operation {
                PoolOperation::Add { pool, units } => {
                    let balance = self.add(pool, units);
                    if balance > BALANCE_MAX {
                        return Err(StoreError::Overflow { pool });
                    }
                    balance
                }
                PoolOperation::Claim { claim, reset } => self.claim(claim.pool, reset),
            });
        }
        Ok(())
    }

    fn balances(&self) -> Result<Vec<u64>, StoreError> {
        Ok((0..self.balances.len()).map(|pool| self.balance(pool)).collect())
    }
}

impl LivePools for MemoryPools {
    #[inline]
    fn add_all(&self, adds: &[(usize, u64)], balances: &mut [u64]) -> Result<(), StoreError> {
        for (&(pool, units), balance) in adds.iter().zip(balances) {
            *balance = self.add(pool, units);
        }
        Ok(())
    }

    #[inline]
    fn claim(&self, claim: ClaimId, reset: u64) -> Result<u64, StoreError> {
        Ok(self.claim(claim.pool, reset))
    }

    #[inline]
    fn balance(&self, pool: usize) -> Result<u64, StoreError> {
        Ok(self.balance(pool))
    }
}
