//! The money of jackpots: rules of a level, the pools, and the stores that hold them.
//!
//! A pool is the money of one (bet index, level); a linked level has one for all bets. [`rules`] says what a level does
//! with money; [`PoolStore`] holds balances and knows nothing of rules.

pub mod memory;
pub mod rules;

pub use memory::MemoryPools;
pub use rules::*;

/// Identifies a claim, so that a store can answer it once: the pool and the ordinal of the hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClaimId {
    /// Position in the list of all pools.
    pub pool: usize,
    /// Hits of this pool before this one.
    pub ordinal: u64,
}

/// One step on a pool. Amounts in pool units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolOperation {
    /// Adds to a balance; the reply is the new balance.
    Add { pool: usize, units: u64 },
    /// Takes the whole balance and leaves `reset`, as one indivisible step; the reply is the balance taken.
    Claim { claim: ClaimId, reset: u64 },
}

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A balance would pass `i64::MAX`.
    #[error("pool {pool}: the balance would pass {}, the most that every store can hold", i64::MAX)]
    Overflow { pool: usize },
    /// The store cannot be reached or answered with an error.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// Holds the balance of every pool. Knows no rules.
pub trait PoolStore: Sync {
    /// Sets every balance. Called once, before anything else.
    fn open(&self, balances: &[u64]) -> Result<(), StoreError>;

    /// Applies operations in order; one reply each.
    fn apply(&self, operations: &[PoolOperation], replies: &mut Vec<u64>) -> Result<(), StoreError>;

    /// Every balance.
    fn balances(&self) -> Result<Vec<u64>, StoreError>;
}
