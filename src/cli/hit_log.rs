//! `hits.csv`: every jackpot hit, streamed while the run goes on.

use super::failure::Failure;
use crate::config::Model;
use crate::report::files::temporary;
use crate::tally::Hit;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// The log of hits, under a temporary name until it is complete.
pub struct HitLog {
    out: BufWriter<NamedTempFile>,
    rows: Vec<LevelNames>,
}

struct LevelNames {
    name: String,
    linked: bool,
}

impl HitLog {
    /// Begins a log in a folder, under a temporary name.
    pub fn create(folder: &Path, model: &Model) -> Result<Self, Failure> {
        let failure = |error| Failure::Output { path: folder.join("hits.csv"), error };
        let mut out = BufWriter::new(temporary(folder).map_err(failure)?);
        writeln!(out, "spin,level,pool,bet_index,amount_currency,spins_since_last_hit,currency_code")
            .map_err(failure)?;
        let levels = model.jackpots.levels.iter();
        Ok(Self {
            out,
            rows: levels.map(|level| LevelNames { name: level.name.clone(), linked: level.linked }).collect(),
        })
    }

    /// Writes a hit.
    pub fn write(&mut self, hit: &Hit, model: &Model) -> io::Result<()> {
        let level = &self.rows[hit.level];
        let pool_bet = if level.linked { 0 } else { hit.pool };
        let text = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        writeln!(
            self.out,
            "{},{},TBI:{pool_bet}_JL:{},{},{},{},{}",
            text(hit.spin),
            level.name,
            level.name,
            hit.bet_index,
            model.unit.exact_text(hit.amount.into()),
            text(hit.gap),
            model.unit.currency
        )
    }

    /// The complete log, still under its temporary name.
    pub fn finish(self, folder: &Path) -> Result<NamedTempFile, Failure> {
        let path = folder.join("hits.csv");
        self.out.into_inner().map_err(|error| Failure::Output { path, error: error.into_error() })
    }
}
