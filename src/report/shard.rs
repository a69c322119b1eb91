//! `shard.json`: what one shard of a run counted. Its facts stand beside it in `facts.bin`.

use super::result::{GameRecord, PlanRecord};
use super::sealed::{checksums, hex, lines};
use crate::tally::BaseTally;
use serde::{Deserialize, Serialize};

/// Version of the layout of `shard.json` and `facts.bin`.
pub const SHARD_SCHEMA: u32 = 2;

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
    pub base: BaseTally,
    /// SHA-256 of `facts.bin`.
    pub facts_sha256: String,
    /// SHA-256 over the whole file as it is written with this field empty.
    pub checksum: String,
}

/// All that is read of a file before its version is known.
#[derive(Deserialize)]
struct Version {
    schema: u64,
    jackpot: String,
}

impl ShardRecord {
    /// The file, sealed.
    pub fn to_json_bytes(mut self) -> Vec<u8> {
        self.checksum.clear();
        self.checksum = hex(&lines(&self));
        lines(&self)
    }

    /// Reads a `shard.json` of this very version; says what else was found. Refuses a changed file.
    pub fn from_json_bytes(bytes: &[u8]) -> Result<Self, String> {
        let version: Version = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let (ours, crate_version) = (u64::from(SHARD_SCHEMA), env!("CARGO_PKG_VERSION"));
        if version.schema != ours || version.jackpot != crate_version {
            return Err(format!(
                "it was made by jackpot {} (layout {}), this is {crate_version} (layout {ours}): play all shards and merge \
                 them with one version",
                version.jackpot, version.schema
            ));
        }
        match checksums(bytes) {
            None => Err("shard.json has no checksum".into()),
            Some((found, computed)) if found != computed => Err(format!(
                "shard.json was changed after it was written: its checksum says {found}, its content gives {computed}"
            )),
            Some(_) => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
        }
    }
}
