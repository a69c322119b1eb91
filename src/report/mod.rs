//! Reports: `result.json` and every view of it. This module reads results; it never plays, and knows no game rules.
//!
//! [`result::RunResult`] is the record, [`view::View`] has every figure derived from it, and a file per format writes
//! those down. `docs/reports.md` describes every field.

pub mod checkpoint;
pub mod csv;
pub mod diff;
pub mod files;
pub mod json;
mod layout_json;
pub mod listing;
pub mod markdown;
mod numbers;
pub mod par;
pub mod readings;
pub mod repeats;
pub mod result;
pub mod rows;
#[cfg(test)]
mod sample;
pub mod sealed;
pub mod shard;
pub mod table;
pub mod traffic;
pub mod tuned;
pub mod verdicts;
pub mod view;

use files::{Staged, WriteError};
use result::RunResult;
use std::io::{self, Write};
use view::View;

pub use sealed::ReadError;

/// A form that a report is printed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal of 80 columns.
    Table,
    /// `summary.json`.
    Json,
    /// `rtp.csv`, an empty line, `jackpots.csv`.
    Csv,
    Markdown,
}

/// Writes a report of a result.
pub fn render(format: Format, result: &RunResult, writer: &mut dyn Write) -> io::Result<()> {
    let view = View::new(result);
    match format {
        Format::Table => table::render(&view, writer),
        Format::Json => json::render(&view, writer),
        Format::Csv => writer.write_all(&tables(result).join(&b"\n"[..])),
        Format::Markdown => markdown::render(&view, writer),
    }
}

/// `rtp.csv` and `jackpots.csv`. Their headers are the same for every game.
pub fn tables(result: &RunResult) -> Vec<Vec<u8>> {
    let view = View::new(result);
    let table = |render: fn(&View, &mut dyn Write) -> io::Result<()>| {
        let mut bytes = Vec::new();
        render(&view, &mut bytes).expect("memory takes every byte");
        bytes
    };
    vec![table(csv::rtp), table(csv::jackpots)]
}

/// Files that [`stage_all`] writes: `result.json` and every view of it.
pub const RESULT_FILES: [&str; 7] =
    ["summary.json", "rtp.csv", "jackpots.csv", "payouts.csv", "convergence.csv", "meters.csv", sealed::RESULT_FILE];

/// Writes `result.json` and every file that is a view of it under temporary names. `result.json` comes last: where it
/// stands, the others do.
pub fn stage_all(result: &RunResult, staged: &mut Staged) -> Result<(), WriteError> {
    type Render = fn(&View, &mut dyn Write) -> io::Result<()>;
    let renders: [Render; 7] =
        [json::render, csv::rtp, csv::jackpots, csv::payouts, csv::convergence, csv::meters, |view, writer| {
            writer.write_all(&view.result.to_json_bytes())
        }];
    let view = View::new(result);
    for (name, render) in RESULT_FILES.into_iter().zip(renders) {
        staged.write(name, |writer| render(&view, writer))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sample::{empty, huge, sample};
    use std::path::Path;

    fn write(result: &RunResult, folder: &Path) {
        let mut staged = Staged::new(folder);
        stage_all(result, &mut staged).unwrap();
        staged.publish().unwrap();
    }

    #[test]
    fn a_result_that_is_read_again_gives_the_same_files() {
        for result in [sample(), empty(), huge()] {
            let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
            write(&result, folders[0].path());
            write(&RunResult::read(folders[0].path()).unwrap(), folders[1].path());
            let mut names: Vec<_> = (std::fs::read_dir(folders[0].path()).unwrap())
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            let expected = "convergence.csv jackpots.csv meters.csv payouts.csv result.json rtp.csv summary.json";
            assert_eq!(names.join(" "), expected);
            for name in names {
                let read = |folder: &tempfile::TempDir| std::fs::read(folder.path().join(&name)).unwrap();
                assert_eq!(read(&folders[0]), read(&folders[1]), "{name}");
            }
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_that_names_the_file() {
        let error = stage_all(&sample(), &mut Staged::new(Path::new("/nowhere/at/all"))).unwrap_err();
        assert!(error.to_string().starts_with("/nowhere/at/all/summary.json could not be written"), "{error}");
    }
}
