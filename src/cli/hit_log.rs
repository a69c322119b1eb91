//! `hits.csv`: every jackpot hit, streamed while the run goes on.

use super::failure::Failure;
use crate::config::Model;
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
    /// Begins a log in a folder.
    pub fn create(folder: &Path, model: &Model) -> Result<Self, Failure> {
        let failure = |error| Failure::Output { path: folder.join("hits.csv"), error };
        let mut out = BufWriter::new(NamedTempFile::new_in(folder).map_err(failure)?);
        writeln!(out, "spin,level,pool,bet_index,amount_{},spins_since_last_hit", model.unit.currency.to_lowercase())
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
            "{},{},TBI:{pool_bet}_JL:{},{},{},{}",
            text(hit.spin),
            level.name,
            level.name,
            hit.bet_index,
            model.unit.exact_text(hit.amount.into()),
            text(hit.gap)
        )
    }

    /// Gives the log its name.
    pub fn finish(self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join("hits.csv");
        let failure = |error| Failure::Output { path: path.clone(), error };
        let file = self.out.into_inner().map_err(|error| failure(error.into_error()))?;
        file.as_file().sync_all().map_err(failure)?;
        super::output::publish(file, &path)
    }
}
