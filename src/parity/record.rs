//! Plays a run against the pools in memory and hands on every operation with its reply.

use crate::pool::{ClaimId, LivePools, MemoryPools, PoolOperation, PoolStore, StoreError};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;

/// Operations that are handed on at once.
pub const BATCH_LENGTH: usize = 1_000;

/// An operation of the run. The reply is the model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// Number of the spin, from 0; [`NO_SPIN`] at segment grain.
    pub spin: u64,
    pub operation: PoolOperation,
    pub reply: u64,
}

/// At segment grain an operation stands for many spins.
pub const NO_SPIN: u64 = u64::MAX;

/// The pools of a run on one thread.
pub struct Recorder {
    memory: MemoryPools,
    spin: AtomicU64,
    batch: Mutex<Vec<Recorded>>,
    sink: SyncSender<Vec<Recorded>>,
}

impl Recorder {
    /// Hands on to `sink`; nobody listening ends the run.
    pub fn new(pool_count: usize, sink: SyncSender<Vec<Recorded>>) -> Self {
        Self { memory: MemoryPools::new(pool_count), spin: AtomicU64::new(NO_SPIN), batch: Mutex::default(), sink }
    }

    /// Hands on what is left; the balances.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if nobody listens.
    pub fn finish(&self) -> Result<Vec<u64>, StoreError> {
        let rest = std::mem::take(&mut *self.batch.lock().expect("one thread"));
        self.send(rest)?;
        self.memory.balances()
    }

    fn send(&self, batch: Vec<Recorded>) -> Result<(), StoreError> {
        self.sink.send(batch).map_err(|_| StoreError::Failed("the replay ended before the run".to_owned()))
    }

    fn record(&self, operation: PoolOperation, reply: u64) -> Result<(), StoreError> {
        let spin = self.spin.load(Ordering::Relaxed);
        let mut batch = self.batch.lock().expect("one thread");
        batch.push(Recorded { spin, operation, reply });
        if batch.len() < BATCH_LENGTH {
            return Ok(());
        }
        let full = std::mem::replace(&mut *batch, Vec::with_capacity(BATCH_LENGTH));
        drop(batch);
        self.send(full)
    }
}

impl PoolStore for Recorder {
    fn open(&self, balances: &[u64]) -> Result<(), StoreError> {
        self.memory.open(balances)
    }

    fn apply(&self, operations: &[PoolOperation], replies: &mut Vec<u64>) -> Result<(), StoreError> {
        let before = replies.len();
        self.memory.apply(operations, replies)?;
        operations.iter().zip(&replies[before..]).try_for_each(|(&operation, &reply)| self.record(operation, reply))
    }

    fn balances(&self) -> Result<Vec<u64>, StoreError> {
        self.memory.balances()
    }
}

impl LivePools for Recorder {
    fn add_all(&self, adds: &[(usize, u64)], balances: &mut [u64]) -> Result<(), StoreError> {
        LivePools::add_all(&self.memory, adds, balances)?;
        let mut made = adds.iter().zip(balances.iter());
        made.try_for_each(|(&(pool, units), &reply)| self.record(PoolOperation::Add { pool, units }, reply))
    }

    fn claim(&self, claim: ClaimId, reset: u64) -> Result<u64, StoreError> {
        let paid = LivePools::claim(&self.memory, claim, reset)?;
        self.record(PoolOperation::Claim { claim, reset }, paid)?;
        Ok(paid)
    }

    fn balance(&self, pool: usize) -> Result<u64, StoreError> {
        Ok(self.memory.balance(pool))
    }

    fn at_spin(&self, spin: u64) {
        self.spin.store(spin, Ordering::Relaxed);
    }
}
