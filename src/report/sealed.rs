//! `result.json` as bytes: how a result is sealed, written and read again.

use super::layout_json::LineFormatter;
use super::result::{ExactRecord, Expectation, RunResult, SCHEMA};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// Significant digits that derived figures are kept to.
pub const DERIVED_DIGITS: usize = 12;

/// Name of the file in a run's folder.
pub const RESULT_FILE: &str = "result.json";

const CHECKSUM_KEY: &[u8] = b"\"checksum\": \"";

/// Why a result could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(
        "{} could not be read: {source}\n  help: name the folder of a run, or its result.json",
        path.display()
    )]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(
        "{} holds a shard, not a result\n  help: merge all shards of the run first: jackpot merge DIR... --out DIR",
        path.display()
    )]
    Shard { path: PathBuf },
    #[error(
        "{} is not a result of jackpot run: {detail}\n  help: name a result.json as jackpot run wrote it",
        path.display()
    )]
    Malformed { path: PathBuf, detail: String },
    #[error(
        "{} has layout version {found}; this jackpot reads version {SCHEMA}\n  help: use the jackpot that made it, or run \
         the game again",
        path.display()
    )]
    Schema { path: PathBuf, found: u64 },
    #[error(
        "{} was changed after it was written: its checksum says {found}, its content gives {computed}\n  help: run the \
         game again, or take an unchanged copy",
        path.display()
    )]
    Checksum { path: PathBuf, found: String, computed: String },
}

/// All that is read of a file before its version is known.
#[derive(Deserialize)]
struct Version {
    schema: u64,
}

impl RunResult {
    /// The file as it is written: fixed order and layout, the same bytes on every machine.
    pub fn to_json_bytes(&self) -> Vec<u8> {
        lines(self)
    }

    /// Rounds the expectations to [`DERIVED_DIGITS`] digits, so that they are read as they were written, and sets the
    /// checksum. An expectation that is not finite is left out.
    pub fn seal(&mut self) {
        for level in &mut self.levels {
            settle(&mut level.expected);
            level.pools.iter_mut().for_each(|pool| settle(&mut pool.expected));
        }
        if let Some(exact) = &mut self.exact {
            settle_exact(exact);
        }
        self.checksum.clear();
        self.checksum = hex(&self.to_json_bytes());
    }

    /// Reads a `result.json`, or the one in a folder; refuses other layouts and files that were changed.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let file = if path.is_dir() { path.join(RESULT_FILE) } else { path.to_path_buf() };
        let bytes = std::fs::read(&file).map_err(|source| match file.parent() {
            Some(folder) if folder.join("shard.json").exists() => ReadError::Shard { path: folder.to_path_buf() },
            _ => ReadError::Unreadable { path: file.clone(), source },
        })?;
        Self::from_json_bytes(&bytes, &file)
    }

    /// Reads the bytes of a `result.json`; `path` is named in errors.
    pub fn from_json_bytes(bytes: &[u8], path: &Path) -> Result<Self, ReadError> {
        let path = path.to_path_buf();
        let version: Version = match serde_json::from_slice(bytes) {
            Ok(version) => version,
            Err(error) => return Err(ReadError::Malformed { path, detail: error.to_string() }),
        };
        if version.schema != u64::from(SCHEMA) {
            return Err(ReadError::Schema { path, found: version.schema });
        }
        match checksums(bytes) {
            None => return Err(ReadError::Malformed { path, detail: "it has no checksum".into() }),
            Some((found, computed)) if found != computed => return Err(ReadError::Checksum { path, found, computed }),
            Some(_) => {}
        }
        serde_json::from_slice(bytes).map_err(|error| ReadError::Malformed { path, detail: error.to_string() })
    }
}

/// JSON in the layout of our sealed files.
pub(super) fn lines(record: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, LineFormatter::default());
    record.serialize(&mut serializer).expect("plain data is written to memory");
    bytes.push(b'\n');
    bytes
}

/// The checksum that a file carries, and the one that its content gives.
pub(super) fn checksums(bytes: &[u8]) -> Option<(String, String)> {
    let (found, unsealed) = split_checksum(bytes)?;
    Some((found, hex(&unsealed)))
}

/// The checksum that a file carries, and the file with that field empty. The field is the last one.
fn split_checksum(bytes: &[u8]) -> Option<(String, Vec<u8>)> {
    let start = bytes.windows(CHECKSUM_KEY.len()).rposition(|window| window == CHECKSUM_KEY)? + CHECKSUM_KEY.len();
    let length = bytes[start..].iter().position(|&byte| byte == b'"')?;
    let found = String::from_utf8_lossy(&bytes[start..start + length]).into_owned();
    Some((found, [&bytes[..start], &bytes[start + length..]].concat()))
}

/// SHA-256 of bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn settle(expected: &mut Option<Expectation>) {
    let Some(figures) = expected else { return };
    let all = [
        &mut figures.hits,
        &mut figures.hits_sd,
        &mut figures.paid,
        &mut figures.paid_sd,
        &mut figures.accrued,
        &mut figures.accrued_sd,
        &mut figures.rtp_seed,
        &mut figures.rtp_growth,
        &mut figures.amount_mean,
        &mut figures.amount_sd,
        &mut figures.hits_tolerance,
        &mut figures.paid_tolerance,
    ];
    if all.iter().any(|figure| !figure.is_finite()) {
        *expected = None;
        return;
    }
    all.into_iter().for_each(|figure| *figure = stable(*figure));
}

fn settle_exact(exact: &mut ExactRecord) {
    let shares = [&mut exact.base, &mut exact.without_jackpots].into_iter().chain(&mut exact.features);
    shares.for_each(|share| *share = stable(*share));
    let optional =
        [&mut exact.sigma_base, &mut exact.sigma, &mut exact.hit_frequency, &mut exact.hit_or_trigger_frequency];
    for figure in optional {
        *figure = figure.filter(|figure| figure.is_finite()).map(stable);
    }
}

/// The figure rounded, and such that reading what is written gives it back to the last bit.
fn stable(figure: f64) -> f64 {
    let mut figure = super::numbers::significant(figure, DERIVED_DIGITS);
    for _ in 0..8 {
        let read = serde_json::to_string(&figure).ok().and_then(|text| serde_json::from_str::<f64>(&text).ok());
        match read {
            Some(read) if read != figure => figure = read,
            _ => break,
        }
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;

    #[test]
    fn a_result_is_read_as_it_was_written() {
        let mut result = sample();
        result.levels[0].expected.as_mut().unwrap().rtp_seed = 1.0 / 3.0e13;
        result.seal();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(RESULT_FILE), result.to_json_bytes()).unwrap();
        assert_eq!(RunResult::read(folder.path()).unwrap(), result);
        assert_eq!(RunResult::read(&folder.path().join(RESULT_FILE)).unwrap().to_json_bytes(), result.to_json_bytes());
    }

    #[test]
    fn any_changed_byte_is_refused() {
        let bytes = sample().to_json_bytes();
        let refused = |position: usize| {
            let mut changed = bytes.clone();
            changed[position] ^= 1;
            RunResult::from_json_bytes(&changed, Path::new("result.json")).is_err()
        };
        assert!(RunResult::from_json_bytes(&bytes, Path::new("result.json")).is_ok());
        for position in (0..bytes.len()).step_by(7) {
            assert!(
                refused(position),
                "{:?}",
                String::from_utf8_lossy(&bytes[position.saturating_sub(20)..position + 1])
            );
        }
    }

    #[test]
    fn errors_say_what_was_found_and_what_to_do() {
        let bytes = String::from_utf8(sample().to_json_bytes()).unwrap();
        let error = |text: &str| {
            RunResult::from_json_bytes(text.as_bytes(), Path::new("a/result.json")).unwrap_err().to_string()
        };
        let other = error(&bytes.replace("\"schema\": 1", "\"schema\": 9"));
        assert!(other.contains("version 9") && other.contains("reads version 1"), "{other}");
        let changed = error(&bytes.replace("\"hits\": 3", "\"hits\": 4"));
        assert!(changed.contains("was changed") && changed.contains("help:"), "{changed}");
        assert!(error("not json").contains("is not a result"));
        let folder = tempfile::tempdir().unwrap();
        assert!(RunResult::read(folder.path()).unwrap_err().to_string().contains("could not be read"));
        std::fs::write(folder.path().join("shard.json"), "{}").unwrap();
        assert!(RunResult::read(folder.path()).unwrap_err().to_string().contains("merge all shards"));
    }

    #[test]
    fn an_expectation_that_is_not_finite_is_left_out() {
        let mut result = sample();
        result.levels[0].expected.as_mut().unwrap().paid_sd = f64::NAN;
        result.seal();
        assert_eq!(result.levels[0].expected, None);
    }
}
