//! What parity found: plain data, as its JSON says it.

use serde::Serialize;

/// Version of the layout of the JSON.
pub const PARITY_SCHEMA: u32 = 1;

/// What a check says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Pass,
    Fail,
    /// It could not be found out here; the text says why.
    Undecided,
    /// It doesn't apply to this subject or server.
    Skipped,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    pub phase: &'static str,
    pub name: String,
    pub verdict: Verdict,
    /// One sentence.
    pub found: String,
}

impl Check {
    /// A check with its verdict.
    pub fn new(phase: &'static str, name: &str, verdict: Verdict, found: String) -> Self {
        Self { phase, name: name.to_owned(), verdict, found }
    }

    /// A check that fails if there is something wrong.
    pub fn of(phase: &'static str, name: &str, wrong: Option<String>, right: &str) -> Self {
        match wrong {
            Some(found) => Self::new(phase, name, Verdict::Fail, found),
            None => Self::new(phase, name, Verdict::Pass, right.to_owned()),
        }
    }
}

/// What one pool lost, got twice, or drifted, over a replay. Amounts in the currency's major unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PoolMoney {
    pub field: String,
    pub level: String,
    /// Money that came in and was neither paid nor is left, against the model.
    pub lost: String,
    /// Money that was paid or is left and never came in.
    pub doubled: String,
    /// Lost less doubled, for a million spins.
    pub net_lost_per_million_spins: String,
    /// Largest distance from exact money that the server's own arithmetic made, and the first operation with any.
    pub drift: String,
    pub drift_from_operation: Option<u64>,
}

/// A step whose reply isn't the model's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// Operations before it, and the spin (from 0), unless it is at segment grain.
    pub operation: u64,
    pub spin: Option<u64>,
    pub field: String,
    /// The commands, as redis-cli takes them.
    pub commands: Vec<String>,
    pub expected: String,
    pub found: String,
    /// What the field held before, by the model, and is to hold after it.
    pub before: String,
    pub after: String,
    /// What it does hold at the end of the batch.
    pub left: String,
}

/// All that parity found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub parity_schema: u32,
    pub jackpot_version: &'static str,
    pub game: String,
    pub subject: String,
    pub server: String,
    pub currency: String,
    pub rng_seed: u64,
    pub spins: u64,
    pub grain: &'static str,
    pub operations: u64,
    pub passed: usize,
    pub failed: usize,
    pub undecided: usize,
    pub skipped: usize,
    pub checks: Vec<Check>,
    pub divergence: Option<Divergence>,
    pub pools: Vec<PoolMoney>,
}

impl Report {
    /// How many checks have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.checks.iter().filter(|check| check.verdict == verdict).count()
    }
}
