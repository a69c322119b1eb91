//! The money of jackpots: rules of a level, the pools, and the stores that hold them.
//!
//! A pool is the money of one (bet index, level); a linked level has one for all bets. [`rules`] says what a level does
//! with money; [`PoolStore`] holds balances and knows nothing of rules.

pub mod memory;
pub mod redis;
pub mod rules;
pub mod subject;

pub use memory::MemoryPools;
pub use redis::RedisPools;
pub use rules::*;

use crate::redis_link::LinkError;

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

impl PoolOperation {
    /// The pool that it is on.
    pub fn pool(&self) -> usize {
        match *self {
            Self::Add { pool, .. } => pool,
            Self::Claim { claim, .. } => claim.pool,
        }
    }
}

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A balance would pass `i64::MAX`.
    #[error("pool {pool}: the balance would pass {}, the most that every store can hold", i64::MAX)]
    Overflow { pool: usize },
    /// The store answered with an error, or with what is no balance.
    #[error("the store failed: {0}")]
    Failed(String),
    /// The server can't be reached.
    #[error(transparent)]
    Link(#[from] LinkError),
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

/// A store whose every operation is done at once, from any thread: what live commit needs.
pub trait LivePools: Sync {
    /// Adds to several (pool, units), in this order; `balances` receives the new balance of each.
    fn add_all(&self, adds: &[(usize, u64)], balances: &mut [u64]) -> Result<(), StoreError>;

    /// Takes the whole balance and leaves `reset`, as one indivisible step; the balance taken.
    fn claim(&self, claim: ClaimId, reset: u64) -> Result<u64, StoreError>;

    /// The balance now.
    fn balance(&self, pool: usize) -> Result<u64, StoreError>;

    /// Told at each spin, before its first operation: its number within the plan, from 0.
    #[inline]
    fn at_spin(&self, _spin: u64) {}
}

/// Pools that a run can be played against, in order or live.
pub trait RunPools: PoolStore + LivePools {}

impl<S: PoolStore + LivePools> RunPools for S {}
