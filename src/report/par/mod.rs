//! The PAR sheet: what `jackpot exact` prints. A record of figures with the published ones beside them, and its views.

mod days;
mod markdown;
mod published;
mod table;

use serde::Serialize;
use std::io::{self, Write};

pub use crate::metrics::Unit;
pub use days::{Days, DaysRow, LiabilityRow};
pub use published::Published;

/// Version of the sheet's layout as JSON.
pub const SCHEMA: u32 = 1;

/// One figure with its name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metric {
    /// As it is written in a file's `[published]` section.
    pub key: String,
    pub label: String,
    pub unit: Unit,
    /// `None` where it can't be known; `note` says why.
    pub value: Option<f64>,
    /// The same as a fraction, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
}

impl Metric {
    /// A figure without a published one.
    pub fn new(key: &str, label: &str, unit: Unit, value: Option<f64>) -> Self {
        let value = value.filter(|value| value.is_finite());
        Self { key: key.into(), label: label.into(), unit, value, fraction: None, note: None, published: None }
    }
}

/// A combination that pays.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CombinationRow {
    pub name: String,
    pub count: usize,
    /// In total bets for scatters and outcome tables, in line bets for lines.
    pub pay: f64,
    /// Windows that show it on one line, or anywhere; weights of an outcome table.
    pub windows: String,
    /// One in so many spins, on one line or anywhere.
    pub one_in: f64,
    /// What it returns: of one line's bet, or of the total bet.
    pub rtp: f64,
    pub is_scatter: bool,
}

/// One pool in the long run. Money in the currency.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PoolRow {
    pub level: String,
    /// Bet that feeds it; `None` for a linked pool.
    pub bet: Option<String>,
    pub seed: f64,
    pub cap: Option<f64>,
    pub hits_one_in: f64,
    pub gap_median: f64,
    pub gap_95: f64,
    pub coin_in: f64,
    pub amount_mean: f64,
    pub amount_deviation: f64,
    pub rtp_seed: f64,
    pub rtp_growth: f64,
    pub rtp_at_seed: f64,
    pub rtp_at_mean: f64,
    pub rtp_at_cap: Option<f64>,
    pub break_even: Option<f64>,
    pub break_even_to_hit: Option<f64>,
    pub limit_rtp: Option<f64>,
    pub limit_amount_mean: Option<f64>,
    pub limit_coin_in: Option<f64>,
    /// What a hit leaves above the cap on average, where there is one.
    pub overflow_mean: Option<f64>,
    /// Chance that the reserve is short of a seed at a hit, how far that may be off, and what the house adds a hit.
    pub reserve_short: Option<f64>,
    pub reserve_short_error: Option<f64>,
    pub reserve_top_up: Option<f64>,
    /// Whether a kept reserve takes in more than its seeds cost.
    pub reserve_grows: Option<bool>,
}

/// What a run of so many spins is expected to show of a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FiniteRow {
    pub part: String,
    /// Expected share paid, the bias of the start included, and half its 95 % interval.
    pub paid: f64,
    pub paid_half_width: Option<f64>,
    pub accrued: f64,
    pub accrued_half_width: Option<f64>,
    /// How exact: "exact", or what was neglected.
    pub basis: String,
}

/// RTP over so many spins: between `low` and `high` in 95 % of runs, jackpots left out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ConfidenceRow {
    pub spins: u64,
    pub low: f64,
    pub high: f64,
}

/// The whole sheet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParSheet {
    pub schema: u32,
    /// Version of the crate.
    pub jackpot: String,
    pub game: String,
    pub file: String,
    pub source: String,
    pub sha256: String,
    pub currency: String,
    pub bets: Vec<String>,
    /// RTP by part, then the game as a whole.
    pub rtp: Vec<Metric>,
    pub play: Vec<Metric>,
    /// Figures of each bet, where they differ.
    pub by_bet: Vec<Metric>,
    /// Whether combinations are counted by ways.
    pub by_ways: bool,
    pub combinations: Vec<CombinationRow>,
    /// (pay in total bets, windows), rising; empty if not enumerated.
    pub payouts: Vec<(f64, u64)>,
    pub pools: Vec<PoolRow>,
    /// Jackpots in days, where the game says how much it is played.
    pub days: Option<Days>,
    /// Spins of the run that `finite` is of.
    pub spins: u64,
    pub finite: Vec<FiniteRow>,
    pub confidence: Vec<ConfidenceRow>,
    /// (half width, spins of one bet that reach it at 95 %).
    pub precision: Vec<(f64, f64)>,
    /// Published figures that nothing here is compared with.
    pub not_compared: Vec<(String, String)>,
    /// What is to be known beside the figures.
    pub notes: Vec<String>,
}

impl ParSheet {
    /// Every figure with a name, in order.
    pub fn metrics(&self) -> impl Iterator<Item = &Metric> {
        self.rtp.iter().chain(&self.play).chain(&self.by_bet)
    }

    /// Puts the published figures beside ours.
    pub fn compare(&mut self, published: &[(String, String)]) {
        for (key, text) in published {
            let mut metrics = self.rtp.iter_mut().chain(&mut self.play).chain(&mut self.by_bet);
            match metrics.find(|metric| metric.key == *key) {
                Some(metric) => metric.published = Some(Published::new(text, metric.value)),
                None => self.not_compared.push((key.clone(), text.clone())),
            }
        }
    }

    /// Published figures that differ from ours.
    pub fn differing(&self) -> impl Iterator<Item = &Metric> {
        self.metrics()
            .filter(|metric| metric.published.as_ref().is_some_and(|published| published.agrees == Some(false)))
    }

    /// Writes the sheet as JSON.
    pub fn json(&self, writer: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *writer, self)?;
        writeln!(writer)
    }

    /// Writes every named figure as CSV, under a header unless it stands already.
    pub fn csv(&self, writer: &mut dyn Write, with_header: bool) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        if with_header {
            csv.write_record(["game", "key", "value", "unit", "fraction", "published", "agrees"])?;
        }
        for metric in self.metrics() {
            let unit = serde_json::to_value(metric.unit).ok().and_then(|unit| unit.as_str().map(str::to_owned));
            let published = metric.published.as_ref();
            csv.write_record([
                self.file.as_str(),
                &metric.key,
                &super::numbers::figure(metric.value),
                &unit.unwrap_or_default(),
                metric.fraction.as_deref().unwrap_or(""),
                published.map_or("", |published| &published.text),
                &published.and_then(|published| published.agrees).map_or(String::new(), |agrees| agrees.to_string()),
            ])?;
        }
        csv.flush()
    }

    /// Writes the sheet for a terminal of 80 columns.
    pub fn table(&self, writer: &mut dyn Write) -> io::Result<()> {
        table::render(self, writer)
    }

    /// Writes the sheet as Markdown.
    pub fn markdown(&self, writer: &mut dyn Write) -> io::Result<()> {
        markdown::render(self, writer)
    }
}
