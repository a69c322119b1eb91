//! `result.json`: the one versioned record of a run, exact and complete. Every report is a view of it.
//!
//! Money is in pool units, as decimal text where it may pass 2^53; pays of spins are in return units
//! (`bet / return_scale`). Derived figures stand only under `expected`, which is computed apart from the simulation.

use crate::tally::{BaseTally, PoolTally, Series, decimal_text};
use serde::{Deserialize, Serialize};

/// Version of the layout of `result.json`.
pub const SCHEMA: u32 = 1;

/// The whole file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    pub schema: u32,
    /// Version of the crate that made it.
    pub jackpot: String,
    pub game: GameRecord,
    pub plan: PlanRecord,
    pub bets: Vec<BetRecord>,
    /// What spins paid before any jackpot.
    pub base: BaseTally,
    /// Name and kind of each feature, in the order of `base.by_feature`.
    pub features: Vec<FeatureRecord>,
    pub levels: Vec<LevelRecord>,
    /// What enumeration says of base game and features; missing in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactRecord>,
    pub series: Series,
    /// SHA-256 over the whole file as it is written with this field empty.
    pub checksum: String,
}

/// The game as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    pub name: String,
    /// Stem of the game file's name.
    pub file: String,
    pub source: String,
    pub sha256: String,
    pub text: String,
    pub attachments: Vec<AttachmentRecord>,
    pub currency: String,
    pub minor_digits: u32,
    /// D: pool units in one minor unit of the currency.
    pub units_per_minor: u64,
    /// Return units in one total bet.
    pub return_scale: u64,
    pub lines: u32,
    /// Figures of the file's `[published]` section, as written.
    pub published: Vec<(String, String)>,
    /// The file's `[traffic]` section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<TrafficRecord>,
}

/// How much the game is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrafficRecord {
    pub spins_per_day: u64,
    /// The first day, YYYY-MM-DD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// A file beside the game file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachmentRecord {
    pub path: String,
    pub sha256: String,
    pub text: String,
}

/// What was to be played, and what was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanRecord {
    #[serde(with = "decimal_text")]
    pub rng_seed: u64,
    pub generator: String,
    pub chunk_spins: u32,
    /// Spins asked for.
    pub spins: u64,
    /// Spins played: fewer only if the run was interrupted.
    pub spins_done: u64,
    pub complete: bool,
    /// "ordered" or "live".
    pub commit: String,
    /// What each pool opened at, in pool units and in the order of the pools, if the command line named an opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<Vec<String>>,
    /// The rule that ended the run, if it was played until an interval was narrow enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<UntilRecord>,
}

/// A run that was looked at again and again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UntilRecord {
    pub rule: String,
    pub max_spins: u64,
    /// Looks that were taken, the last one included.
    pub looks: u64,
    pub reached: bool,
}

/// One bet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BetRecord {
    /// Total bet in pool units.
    #[serde(with = "decimal_text")]
    pub amount: u64,
    /// Weight of the bet in the mix.
    pub mix: u64,
}

/// A feature's name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureRecord {
    pub name: String,
    /// "free spins" or "bonus".
    pub kind: String,
}

/// One jackpot level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelRecord {
    pub name: String,
    pub linked: bool,
    /// The trigger in words: "1 in 2,000 at every bet", "must hit by, at the cap".
    pub trigger: String,
    /// The law that intervals of this level rest on.
    pub law: Law,
    /// Bet indexes that neither feed nor win it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_for: Vec<usize>,
    pub pools: Vec<PoolRecord>,
    /// What a run of this length is expected to show for the level as a whole.
    pub expected: Option<Expectation>,
}

/// The exact answer for what spins pay before any jackpot. Shares are of the total bet, sigma is in total bets; what takes
/// all lines of a window at once is missing where those are too many.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactRecord {
    pub base: f64,
    /// Share that each feature returns, in the order of `features`.
    pub features: Vec<f64>,
    pub without_jackpots: f64,
    /// The same as a fraction, where it is one.
    pub without_jackpots_fraction: Option<String>,
    pub sigma_base: Option<f64>,
    pub sigma: Option<f64>,
    pub hit_frequency: Option<f64>,
    pub hit_or_trigger_frequency: Option<f64>,
    /// At each bet, where bets don't all play alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_bet: Vec<ExactBetRecord>,
}

/// The exact answer at one bet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactBetRecord {
    pub base: f64,
    pub features: f64,
    pub sigma_base: Option<f64>,
    pub sigma: Option<f64>,
}

/// What kind of process a level's hits are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Independent trials.
    Odds,
    /// A renewal process with random thresholds.
    MustHitByUniform,
    /// A must-hit-by whose threshold is drawn from weighted pieces.
    MustHitByWeighted,
    /// No variance but the sawtooth: compare within one cycle a pool.
    MustHitByAtCap,
}

/// One pool of a level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolRecord {
    /// `TBI:{bet_index}_JL:{level}`.
    pub field: String,
    /// Bet index that feeds it; `None` for a linked pool.
    pub bet_index: Option<usize>,
    #[serde(with = "decimal_text")]
    pub seed: u64,
    /// Most that a hit pays, or the bound of a must-hit-by.
    #[serde(with = "decimal_text::option")]
    pub cap: Option<u64>,
    pub tally: PoolTally,
    /// What a run of this length is expected to show for this pool.
    pub expected: Option<Expectation>,
}

/// What a finite run is expected to show, by the law of the trigger, from the seed on. Money in pool units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Hits: mean and standard deviation.
    pub hits: f64,
    pub hits_sd: f64,
    /// Paid: mean, start-up bias included, and standard deviation.
    pub paid: f64,
    pub paid_sd: f64,
    /// Contributions + seeds by the house and the reserve: paid plus growth of liability; mean and standard deviation.
    pub accrued: f64,
    pub accrued_sd: f64,
    /// Long-run share of the stakes (of this pool's own bets for a pool, of all bets for a level) that is paid as seed.
    pub rtp_seed: f64,
    /// The same for growth.
    pub rtp_growth: f64,
    /// Long-run mean and standard deviation of an amount.
    pub amount_mean: f64,
    pub amount_sd: f64,
    /// Most by which hits and paid may differ from expectation where the process has no variance (at the cap): one
    /// cycle a pool. 0 elsewhere.
    pub hits_tolerance: f64,
    pub paid_tolerance: f64,
    /// How exact the above is: "exact", or what was neglected.
    pub basis: String,
}
