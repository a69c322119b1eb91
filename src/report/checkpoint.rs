//! What a run leaves from time to time, so that it can be gone on with. The facts of its chunks stand in a file beside it.

use super::result::{GameRecord, PlanRecord};
use super::sealed::{checksums, hex, lines};
use crate::tally::BaseTally;
use serde::{Deserialize, Serialize};

/// Version of the layout of both files.
const CHECKPOINT_SCHEMA: u32 = 1;

/// A run's first chunks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointRecord {
    pub checkpoint_schema: u32,
    pub jackpot: String,
    pub game: GameRecord,
    /// The plan of the whole run; `spins_done` counts what was played.
    pub plan: PlanRecord,
    /// The rule that ends it, if there is one.
    pub until: Option<String>,
    pub chunks: u64,
    pub base: BaseTally,
    /// Bytes of the facts that belong to those chunks, and their SHA-256; what stands behind them was played later.
    pub facts_length: u64,
    pub facts_sha256: String,
    /// SHA-256 over the whole file as it is written with this field empty.
    pub checksum: String,
}

/// All that is read of a file before its version is known.
#[derive(Deserialize)]
struct Version {
    checkpoint_schema: u32,
    jackpot: String,
}

impl CheckpointRecord {
    /// The version that records are made with.
    pub fn schema() -> u32 {
        CHECKPOINT_SCHEMA
    }

    /// The file, sealed.
    pub fn to_json_bytes(mut self) -> Vec<u8> {
        self.checksum.clear();
        self.checksum = hex(&lines(&self));
        lines(&self)
    }

    /// Reads a checkpoint of this very version.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn from_json_bytes(bytes: &[u8]) -> Result<Self, String> {
        let version: Version =
            serde_json::from_slice(bytes).map_err(|error| format!("it is no checkpoint of jackpot ({error})"))?;
        let ours = env!("CARGO_PKG_VERSION");
        if version.checkpoint_schema != CHECKPOINT_SCHEMA || version.jackpot != ours {
            return Err(format!(
                "it was made by jackpot {} (layout {}), this is {ours} (layout {CHECKPOINT_SCHEMA})",
                version.jackpot, version.checkpoint_schema
            ));
        }
        match checksums(bytes) {
            Some((found, computed)) if found == computed => {
                serde_json::from_slice(bytes).map_err(|error| error.to_string())
            }
            _ => Err("it was changed after it was written".into()),
        }
    }

    /// What of another record is of another run, in words.
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        let plan = |record: &Self| PlanRecord { spins_done: 0, complete: true, ..record.plan.clone() };
        if self.game.sha256 != other.game.sha256 {
            return Some(format!("its game is {} with sha256 {}", self.game.file, &self.game.sha256[..16]));
        }
        if self.game.attachments != other.game.attachments {
            return Some("a table beside its game has other content".into());
        }
        let (own, others) = (plan(self), plan(other));
        let differences = [
            (own.rng_seed != others.rng_seed).then(|| format!("its rng seed is {}", own.rng_seed)),
            (own.spins != others.spins).then(|| format!("its plan is of {} spins", own.spins)),
            (own.openings != others.openings).then(|| "its pools opened at other amounts".to_owned()),
            (self.until != other.until).then(|| match &self.until {
                Some(rule) => format!("it was to end at {rule}"),
                None => "it was to end after its spins".into(),
            }),
            (own != others).then(|| "its plan is another".to_owned()),
        ];
        differences.into_iter().flatten().next()
    }
}
