//! `--checkpoint FILE`: what was played is kept, so that a killed run goes on where it was.

use super::arguments::RunArguments;
use super::assemble;
use super::failure::Failure;
use super::job::Job;
use super::output::write_file;
use super::shard::hex;
use crate::money::Grouped;
use crate::report::checkpoint::CheckpointRecord;
use crate::sim::facts::ChunkFacts;
use crate::sim::run::Keeper;
use crate::sim::{Commit, Plan};
use crate::tally::BaseTally;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Keeps a run's facts, and from time to time where it is.
pub struct Checkpoint {
    file: PathBuf,
    facts: BufWriter<File>,
    hash: Sha256,
    length: u64,
    /// The record but for what changes.
    empty: CheckpointRecord,
    every: Duration,
    last: Instant,
}

/// What was kept: chunks, what they paid, and where their facts are read.
pub struct Kept {
    pub chunks: u64,
    pub base: BaseTally,
    pub facts: BufReader<File>,
}

/// The file of the facts beside a checkpoint.
fn facts_file(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".facts");
    name.into()
}

impl Checkpoint {
    /// For a run of a game. If the file is there, what was kept of the same run.
    pub fn open(
        file: &Path,
        job: &Job,
        plan: &Plan,
        until: Option<&str>,
        arguments: &RunArguments,
    ) -> Result<(Self, Option<Kept>), Failure> {
        let empty = CheckpointRecord {
            checkpoint_schema: CheckpointRecord::schema(),
            jackpot: env!("CARGO_PKG_VERSION").into(),
            game: assemble::game_record(&job.model),
            plan: assemble::plan_record(plan, Commit::Ordered, job.openings.as_deref(), 0),
            until: until.map(str::to_owned),
            chunks: 0,
            base: BaseTally::new(job.model.game.bets.count(), 0),
            facts_length: 0,
            facts_sha256: String::new(),
            checksum: String::new(),
        };
        let kept = match std::fs::read(file) {
            Ok(bytes) => Some(read(file, &bytes, &empty)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(refuse(file, &error.to_string())),
        };
        let path = facts_file(file);
        let failure = |error: io::Error| Failure::Output { path: path.clone(), error };
        let mut facts = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(kept.is_none())
            .open(&path)
            .map_err(failure)?;
        let (mut hash, mut length) = (Sha256::new(), 0);
        if let Some(record) = &kept {
            length = record.facts_length;
            let hashed = hash_of((&facts).take(length), &mut hash).map_err(failure)?;
            if hashed != length || hex(&hash.clone().finalize()) != record.facts_sha256 {
                return Err(refuse(&path, "it is not what belongs to the checkpoint"));
            }
            // What was written after the checkpoint is played again.
            facts.set_len(length).and_then(|()| facts.seek(SeekFrom::End(0)).map(drop)).map_err(failure)?;
        }
        let kept = match kept {
            None => None,
            Some(record) => {
                if !arguments.quiet {
                    let spins = plan.chunk_start(record.chunks);
                    eprintln!("going on behind {} spins of {}", Grouped(spins.into()), file.display());
                }
                let facts = BufReader::new(File::open(&path).map_err(failure)?);
                Some(Kept { chunks: record.chunks, base: record.base, facts })
            }
        };
        let every = Duration::from_secs_f64(arguments.checkpoint_every);
        let facts = BufWriter::new(facts);
        let own = Self { file: file.to_path_buf(), facts, hash, length, empty, every, last: Instant::now() };
        Ok((own, kept))
    }

    /// Removes both files: the run is over.
    pub fn remove(self) -> Result<(), Failure> {
        for path in [self.file.clone(), facts_file(&self.file)] {
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Failure::Output { path, error }),
                _ => {}
            }
        }
        Ok(())
    }
}

fn refuse(file: &Path, why: &str) -> Failure {
    Failure::Usage(format!(
        "the checkpoint {} is not of this run: {why}\n  help: go on with the command that began it, or remove the file to \
         begin anew",
        file.display()
    ))
}

fn read(file: &Path, bytes: &[u8], own: &CheckpointRecord) -> Result<CheckpointRecord, Failure> {
    let record = CheckpointRecord::from_json_bytes(bytes).map_err(|why| refuse(file, &why))?;
    match record.differs_from(own) {
        Some(why) => Err(refuse(file, &why)),
        None => Ok(record),
    }
}

/// Hashes all that is read; how much it was.
fn hash_of(input: impl Read, hash: &mut Sha256) -> io::Result<u64> {
    let mut input = BufReader::new(input);
    let (mut bytes, mut length) = (vec![0; 1 << 16], 0);
    loop {
        match input.read(&mut bytes)? {
            0 => return Ok(length),
            read => {
                hash.update(&bytes[..read]);
                length += read as u64;
            }
        }
    }
}

/// Passes bytes on, hashed and counted.
struct Hashing<'h> {
    out: &'h mut BufWriter<File>,
    hash: &'h mut Sha256,
    length: &'h mut u64,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        *self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Keeper for Checkpoint {
    fn wave(&mut self, facts: &[ChunkFacts], chunks: u64, base: &dyn Fn() -> BaseTally) -> io::Result<()> {
        let mut out = Hashing { out: &mut self.facts, hash: &mut self.hash, length: &mut self.length };
        facts.iter().try_for_each(|facts| facts.write(&mut out))?;
        if self.last.elapsed() < self.every {
            return Ok(());
        }
        // The facts are on the disk before the record that names them.
        self.facts.flush()?;
        self.facts.get_ref().sync_data()?;
        let record = CheckpointRecord {
            chunks,
            base: base(),
            facts_length: self.length,
            facts_sha256: hex(&self.hash.clone().finalize()),
            ..self.empty.clone()
        };
        write_file(&self.file, &record.to_json_bytes(), true).map_err(|failure| match failure {
            Failure::Output { error, .. } => error,
            _ => io::Error::other("the checkpoint could not be written"),
        })?;
        self.last = Instant::now();
        Ok(())
    }
}
