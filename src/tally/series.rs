//! Figures along the run, at chunk boundaries that the total spin count fixes.

use super::decimal_text;
use serde::{Deserialize, Serialize};

/// State of the whole game after some spins. Money in pool units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvergencePoint {
    pub spins: u64,
    #[serde(with = "decimal_text")]
    pub wagered: u128,
    #[serde(with = "decimal_text")]
    pub paid_base: u128,
    #[serde(with = "decimal_text")]
    pub paid_features: u128,
    /// By level.
    #[serde(with = "decimal_text::list")]
    pub paid_by_level: Vec<u128>,
    /// Paid plus growth of liability, by level.
    #[serde(with = "decimal_text::list")]
    pub accrued_by_level: Vec<i128>,
}

/// A pool's meter between two points of the series: its lowest and highest value since the point before, and its last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeterPoint {
    pub spins: u64,
    #[serde(with = "decimal_text")]
    pub lowest: u64,
    #[serde(with = "decimal_text")]
    pub highest: u64,
    #[serde(with = "decimal_text")]
    pub last: u64,
}

/// All series of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Series {
    pub convergence: Vec<ConvergencePoint>,
    /// By pool, in the order of all pools; empty where a game has too many pools for a series.
    pub meters: Vec<Vec<MeterPoint>>,
}
