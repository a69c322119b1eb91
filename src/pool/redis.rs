//! Pools in Redis, in the layout of production: one hash a game, a field `TBI:{bet_index}_JL:{level}` a pool, whole pool
//! units. A claim is a script with a journal, so that a retry after a lost reply pays the same amount.

use super::{ClaimId, LivePools, PoolOperation, PoolStore, StoreError};
use crate::redis_link::{Address, Batch, Digits, Link, LinkError, Reply, keys};
use std::sync::Mutex;

/// The claim script: the same file that the subject of our commands sends.
pub const CLAIM_SCRIPT: &str = include_str!("../../configs/subjects/ours-claim.lua");

/// Most operations that are sent at once; more gain nothing.
pub const BATCH_LENGTH: usize = 1_000;

/// How long keys outlive the last operation, in milliseconds: what a run that died leaves goes by itself.
const EXPIRY_MS: &str = "3600000";

/// The pools of one run.
pub struct RedisPools {
    address: Address,
    /// Hash of the pools. It starts with a hash tag, so that all keys of the run are on one node of a cluster.
    key: String,
    fields: Vec<String>,
    script_sha: String,
    /// Connections at rest: as many as were ever busy at once.
    links: Mutex<Vec<Link>>,
}

impl RedisPools {
    /// Connects, and loads the claim script. `prefix` is the run's own; `fields` names every pool.
    ///
    /// # Errors
    /// [`StoreError::Link`] if the server can't be reached or refuses scripts.
    pub fn connect(address: &Address, prefix: &str, game: &str, fields: Vec<String>) -> Result<Self, StoreError> {
        let mut link = Link::open(address)?;
        let script_sha = link.must(&["SCRIPT", "LOAD", CLAIM_SCRIPT])?.text().unwrap_or_default();
        let key = format!("{{{prefix}}}:{game}");
        Ok(Self { address: address.clone(), key, fields, script_sha, links: Mutex::new(vec![link]) })
    }

    /// Key of the hash.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Deletes all keys of the run.
    ///
    /// # Errors
    /// [`StoreError::Link`].
    pub fn remove(&self) -> Result<(), StoreError> {
        self.with_link(|link| Ok(keys::starting_with(link, &self.key, true).map(drop)?))
    }

    fn with_link<T>(&self, task: impl FnOnce(&mut Link) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let rested = self.links.lock().expect("no task panics while it holds the lock").pop();
        let mut link = rested.map_or_else(|| Link::open(&self.address), Ok)?;
        let done = task(&mut link);
        // A connection that failed may still get replies to what was asked before: it is not used again.
        if !matches!(done, Err(StoreError::Link(_))) {
            self.links.lock().expect("no task panics while it holds the lock").push(link);
        }
        done
    }

    fn push_add(&self, batch: &mut Batch, pool: usize, units: u64) {
        batch.command(4);
        batch.word(b"HINCRBY");
        batch.word(self.key.as_bytes());
        batch.word(self.fields[pool].as_bytes());
        batch.word(Digits::default().write(units));
    }

    /// `by_text`: sends the script itself, so that it is known to the server from then on.
    fn push_claim(&self, batch: &mut Batch, claim: ClaimId, reset: u64, by_text: bool) {
        let field = &self.fields[claim.pool];
        batch.command(8);
        batch.word(if by_text { b"EVAL" } else { b"EVALSHA" });
        batch.word(if by_text { CLAIM_SCRIPT.as_bytes() } else { self.script_sha.as_bytes() });
        batch.word(b"2");
        batch.word(self.key.as_bytes());
        batch.word(format!("{}:claim:{field}:{}", self.key, claim.ordinal).as_bytes());
        batch.word(field.as_bytes());
        batch.word(Digits::default().write(reset));
        batch.word(EXPIRY_MS.as_bytes());
    }

    /// Applies one batch as a transaction: all of it or, if the connection is lost before its end, none. Nobody can
    /// make the server forget the script in between.
    fn apply_batch(&self, operations: &[PoolOperation], replies: &mut Vec<u64>) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        batch.push(&["MULTI"]);
        let mut is_known = false;
        for operation in operations {
            match *operation {
                PoolOperation::Add { pool, units } => self.push_add(&mut batch, pool, units),
                PoolOperation::Claim { claim, reset } => {
                    self.push_claim(&mut batch, claim, reset, !is_known);
                    is_known = true;
                }
            }
        }
        batch.push(&["PEXPIRE", &self.key, EXPIRY_MS]);
        batch.push(&["EXEC"]);
        let answers = self.with_link(|link| {
            let mut answers = Vec::with_capacity(batch.len());
            link.send(&batch, &mut answers)?;
            Ok(answers)
        })?;
        let Some(Reply::Array(done)) = answers.last() else {
            let refused = answers.iter().find(|reply| matches!(reply, Reply::Error(_))).or(answers.last());
            return Err(StoreError::Failed(format!(
                "the server refused a batch as a whole: {}",
                refused.map(Reply::to_string).unwrap_or_default()
            )));
        };
        for (operation, reply) in operations.iter().zip(done) {
            replies.push(self.units(operation.pool(), reply)?);
        }
        Ok(())
    }

    fn units(&self, pool: usize, reply: &Reply) -> Result<u64, StoreError> {
        reply.units().ok_or_else(|| match reply {
            Reply::Error(reason) if reason.contains("overflow") => StoreError::Overflow { pool },
            other => StoreError::Failed(format!("{} of {} answered {other}", self.fields[pool], self.key)),
        })
    }
}

impl PoolStore for RedisPools {
    fn open(&self, balances: &[u64]) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        for (field, &balance) in self.fields.iter().zip(balances) {
            batch.push(&["HSETNX", &self.key, field, &balance.to_string()]);
        }
        batch.push(&["PEXPIRE", &self.key, EXPIRY_MS]);
        let mut answers = Vec::new();
        self.with_link(|link| Ok(link.send(&batch, &mut answers)?))?;
        match answers.iter().zip(&self.fields).find(|(answer, _)| **answer != Reply::Integer(1)) {
            None => Ok(()),
            Some((Reply::Integer(0), field)) => Err(StoreError::Failed(format!(
                "{field} of {} is there already: another run uses this prefix, or left it",
                self.key
            ))),
            Some((reply, field)) => Err(StoreError::Failed(format!("{field} of {} answered {reply}", self.key))),
        }
    }

    fn apply(&self, operations: &[PoolOperation], replies: &mut Vec<u64>) -> Result<(), StoreError> {
        operations.chunks(BATCH_LENGTH).try_for_each(|batch| self.apply_batch(batch, replies))
    }

    fn balances(&self) -> Result<Vec<u64>, StoreError> {
        let mut words = vec!["HMGET", &self.key];
        words.extend(self.fields.iter().map(String::as_str));
        let answer = self.with_link(|link| Ok(link.must(&words)?))?;
        let Reply::Array(values) = answer else {
            return Err(StoreError::Failed(format!("HMGET of {} answered {answer}", self.key)));
        };
        let held = values.iter().enumerate();
        held.map(|(pool, value)| if *value == Reply::Nil { Ok(0) } else { self.units(pool, value) }).collect()
    }
}

impl LivePools for RedisPools {
    fn add_all(&self, adds: &[(usize, u64)], balances: &mut [u64]) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        adds.iter().for_each(|&(pool, units)| self.push_add(&mut batch, pool, units));
        let mut answers = Vec::with_capacity(adds.len());
        self.with_link(|link| Ok(link.send(&batch, &mut answers)?))?;
        for ((&(pool, _), answer), balance) in adds.iter().zip(&answers).zip(balances) {
            *balance = self.units(pool, answer)?;
        }
        Ok(())
    }

    /// A lost reply is asked for again, once: the journal answers with what was paid.
    fn claim(&self, claim: ClaimId, reset: u64) -> Result<u64, StoreError> {
        let mut batch = Batch::default();
        self.push_claim(&mut batch, claim, reset, true);
        let ask = || {
            let mut answers = Vec::new();
            self.with_link(|link| Ok(link.send(&batch, &mut answers)?))?;
            Ok(answers)
        };
        let answers = match ask() {
            Err(StoreError::Link(LinkError::Lost { .. })) => ask()?,
            answers => answers?,
        };
        self.units(claim.pool, answers.first().unwrap_or(&Reply::Nil))
    }

    fn balance(&self, pool: usize) -> Result<u64, StoreError> {
        let reply = self.with_link(|link| Ok(link.must(&["HGET", &self.key, &self.fields[pool]])?))?;
        if reply == Reply::Nil { Ok(0) } else { self.units(pool, &reply) }
    }
}
