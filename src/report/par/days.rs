//! The sheet in days, where the game says how much it is played.

use super::super::result::TrafficRecord;
use super::super::table::layout::{Cell, table, wrap};
use super::super::traffic::days_text;
use crate::money::Grouped;
use serde::Serialize;

/// Jackpots in days.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Days {
    pub traffic: TrafficRecord,
    /// Of each pool.
    pub pools: Vec<DaysRow>,
    /// What is owed to players after some days, from the seeds on.
    pub liability: Vec<LiabilityRow>,
}

/// How often a pool is hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DaysRow {
    pub level: String,
    pub bet: Option<String>,
    pub hits_per_day: f64,
    pub days_mean: f64,
    pub days_median: f64,
    pub days_95: f64,
}

/// What all pools are expected to stand above their seeds. Money in the currency.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiabilityRow {
    pub days: u64,
    pub date: Option<String>,
    pub spins: u64,
    /// `None` where a level's law is not known.
    pub expected: Option<f64>,
    /// By level.
    pub levels: Vec<Option<f64>>,
}

impl Days {
    /// The lines of its section.
    pub fn lines(&self, currency: &str) -> Vec<String> {
        let name = |row: &DaysRow| row.bet.as_ref().map_or(row.level.clone(), |bet| format!("{} at {bet}", row.level));
        let mut lines = Vec::new();
        for row in self.pools.iter().filter(|row| row.bet.is_none()) {
            let text =
                format!("{}: every {}, 95 % within {}", row.level, days_text(row.days_mean), days_text(row.days_95));
            lines.extend(wrap(&text, "  "));
        }
        let plain = |text: String| Cell::new(text.clone(), text);
        let rows: Vec<(String, Vec<Cell>)> = self
            .pools
            .iter()
            .take(super::table::POOLS_SHOWN)
            .map(|row| {
                let cells = [row.days_mean, row.days_median, row.days_95].map(|days| plain(days_text(days)));
                (name(row), cells.to_vec())
            })
            .collect();
        lines.extend(table(&["pool", "every", "median", "95 % within"], &rows));
        let known: Vec<String> = (self.liability.iter())
            .filter_map(|row| {
                let date = row.date.as_ref().map_or(String::new(), |date| format!(" ({date})"));
                let amount = row.expected?.max(0.0);
                let cents = (amount * 100.0).round() as u128;
                let after = if row.days == 1 { "1 day".into() } else { format!("{} days", Grouped(row.days.into())) };
                Some(format!("{} {}.{:02} after {after}{date}", currency, Grouped(cents / 100), cents % 100))
            })
            .collect();
        if !known.is_empty() {
            let text = format!("expected liability, all pools above their seeds: {}", known.join("; "));
            lines.extend(wrap(&text, "  "));
        }
        lines
    }
}
