//! `jackpot run --shard i/n`: plays one part of a run and leaves its tally and its facts.

use super::arguments::RunArguments;
use super::failure::Failure;
use super::job::{Job, commit, threads};
use super::progress::Bar;
use super::provenance::{self, Played};
use super::{assemble, output};
use crate::money::Grouped;
use crate::report::files::{Staged, temporary};
use crate::report::shard::{SHARD_SCHEMA, ShardRecord};
use crate::sim::run::run_shard;
use crate::sim::{Plan, Shard};
use sha2::{Digest, Sha256};
use std::io::{self, BufWriter, Write};
use std::time::Instant;

/// Plays a shard of a game.
pub fn run(job: &Job, arguments: &RunArguments) -> Result<(), Failure> {
    let (index, count) = arguments.shard.expect("asked for");
    let plan = Plan::new(arguments.seed, arguments.spins);
    let clock = Instant::now();
    let chunks = plan.chunks(Shard { index, count });
    let threads = threads(arguments, chunks.end - chunks.start);
    let spins = plan.chunk_start(chunks.end) - plan.chunk_start(chunks.start);
    let bar = Bar::new(&format!("{} {index}/{count}", job.model.file_name), spins, arguments.quiet);
    let failure = |error| Failure::Output { path: job.folder.join("facts.bin"), error };
    let file = temporary(&job.folder).map_err(failure)?;
    let mut out = Hashing { out: BufWriter::new(file), hash: Sha256::new() };
    let (game, jackpots) = (&job.model.game, &job.model.jackpots);
    let played = run_shard(game, jackpots, &plan, Shard { index, count }, threads, &mut out, &bar);
    bar.finish();
    let (base, played) = played?;
    if played != chunks {
        return Err(Failure::Incomplete(format!(
            "interrupted after {} of {} spins of the shard; a part of a shard can't be merged, so nothing was written\n  \
             help: play the shard again",
            Grouped((plan.chunk_start(played.end) - plan.chunk_start(played.start)).into()),
            Grouped(spins.into())
        )));
    }
    let mut staged = Staged::new(&job.folder);
    staged.add("facts.bin", out.out.into_inner().map_err(|error| failure(error.into_error()))?)?;
    provenance::stage(&mut staged, clock.elapsed().as_secs_f64(), Some(Played { spins, threads }))?;
    let record = ShardRecord {
        schema: SHARD_SCHEMA,
        jackpot: env!("CARGO_PKG_VERSION").into(),
        game: assemble::game_record(&job.model),
        plan: assemble::plan_record(&plan, commit(arguments), job.openings.as_deref(), spins),
        index,
        count,
        base,
        facts_sha256: hex(&out.hash.finalize()),
        checksum: String::new(),
    };
    let bytes = record.to_json_bytes();
    staged.write("shard.json", |writer| writer.write_all(&bytes))?;
    output::replace(staged, &job.folder, arguments.force)?;
    if !arguments.quiet {
        eprintln!(
            "shard {index}/{count} of {}: {} {}; files in {}",
            job.model.file_name,
            Grouped(spins.into()),
            if spins == 1 { "spin" } else { "spins" },
            job.folder.display()
        );
    }
    Ok(())
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A writer that keeps the SHA-256 of what passes.
struct Hashing<W> {
    out: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
