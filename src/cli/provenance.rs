//! `run.json`: what differs from machine to machine and from time to time.

use super::failure::Failure;
use crate::report::files::Staged;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Debug, Serialize)]
struct Provenance {
    command: Vec<String>,
    jackpot: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
    operating_system: &'static str,
    architecture: &'static str,
    finished_unix_seconds: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    spins_per_second: Option<f64>,
}

/// Spins that this very command played, and on how many threads.
#[derive(Debug, Clone, Copy)]
pub struct Played {
    pub spins: u64,
    pub threads: usize,
}

/// Writes `run.json` beside a result; a merge plays nothing.
pub fn stage(staged: &mut Staged, seconds: f64, played: Option<Played>) -> Result<(), Failure> {
    let provenance = Provenance {
        command: std::env::args().collect(),
        jackpot: env!("CARGO_PKG_VERSION"),
        threads: played.map(|played| played.threads),
        operating_system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        finished_unix_seconds: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        seconds,
        spins_per_second: played.map(|played| played.spins as f64 / seconds),
    };
    let mut bytes = serde_json::to_vec_pretty(&provenance).expect("plain data");
    bytes.push(b'\n');
    Ok(staged.write("run.json", |writer| writer.write_all(&bytes))?)
}
