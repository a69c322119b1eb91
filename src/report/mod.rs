//! Reports: `result.json` and every view of it. This module reads results; it never plays, and knows no game rules.
//!
//! [`result::RunResult`] is the record, [`view::View`] has every figure derived from it, and a file per format writes
//! those down. `docs/reports.md` describes every field.

pub mod csv;
pub mod files;
pub mod json;
mod layout_json;
pub mod markdown;
mod numbers;
pub mod par;
pub mod result;
#[cfg(test)]
mod sample;
pub mod sealed;
pub mod shard;
pub mod table;
pub mod view;

use files::{WriteError, write_atomically};
use result::RunResult;
use std::io::{self, Write};
use std::path::Path;
use view::View;

pub use json::headline;
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
        Format::Csv => csv::render(&view, writer),
        Format::Markdown => markdown::render(&view, writer),
    }
}

/// Writes `result.json` and every file that is a view of it into a folder that exists. No file ever stands half-written
/// under its name. `result.json` comes last: where it stands, the others do.
pub fn write_all(result: &RunResult, folder: &Path) -> Result<(), WriteError> {
    type Render = fn(&View, &mut dyn Write) -> io::Result<()>;
    let files: [(&str, Render); 6] = [
        ("summary.json", json::render),
        ("rtp.csv", csv::rtp),
        ("jackpots.csv", csv::jackpots),
        ("payouts.csv", csv::payouts),
        ("convergence.csv", csv::convergence),
        ("meters.csv", csv::meters),
    ];
    let view = View::new(result);
    for (name, render) in files {
        write_atomically(&folder.join(name), |writer| render(&view, writer))?;
    }
    write_atomically(&folder.join(sealed::RESULT_FILE), |writer| writer.write_all(&result.to_json_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sample::{empty, huge, sample};

    #[test]
    fn a_result_that_is_read_again_gives_the_same_files() {
        for result in [sample(), empty(), huge()] {
            let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
            write_all(&result, folders[0].path()).unwrap();
            write_all(&RunResult::read(folders[0].path()).unwrap(), folders[1].path()).unwrap();
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
        let error = write_all(&sample(), Path::new("/nowhere/at/all")).unwrap_err();
        assert!(error.to_string().starts_with("/nowhere/at/all/summary.json could not be written"), "{error}");
    }
}
