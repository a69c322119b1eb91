//! `shard.json`: what one shard of a run counted. Its facts stand beside it in `facts.bin`.

use super::result::{GameRecord, PlanRecord};
use crate::tally::BaseTally;
use serde::{Deserialize, Serialize};

/// Version of the layout of `shard.json` and `facts.bin`.
pub const SHARD_SCHEMA: u32 = 1;

/// One shard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardRecord {
    pub schema: u32,
    pub jackpot: String,
    pub game: GameRecord,
    /// The plan of the whole run; `spins_done` counts this shard's spins alone.
    pub plan: PlanRecord,
    /// From 1.
    pub index: u64,
    pub count: u64,
    /// What each pool opens at; the seeds if absent.
    pub openings: Option<Vec<String>>,
    pub base: BaseTally,
    /// SHA-256 of `facts.bin`.
    pub facts_sha256: String,
}
