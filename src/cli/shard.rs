//! `jackpot run --shard i/n`: plays one part of a run and leaves its tally and its facts.

use super::arguments::RunArguments;
use super::failure::Failure;
use super::progress::Bar;
use super::run::{Job, commit, threads, write_provenance};
use super::{assemble, output};
use crate::report::result::PlanRecord;
use crate::report::shard::{SHARD_SCHEMA, ShardRecord};
use crate::rng::GENERATOR;
use crate::sim::run::run_shard;
use crate::sim::{Plan, Shard};
use sha2::{Digest, Sha256};
use std::io::{self, BufWriter, Write};
use std::time::Instant;
use tempfile::NamedTempFile;

/// Plays a shard of a game.
pub fn run(job: &Job, arguments: &RunArguments) -> Result<u8, Failure> {
    let (index, count) = arguments.shard.expect("asked for");
    let plan = Plan::new(arguments.seed, arguments.spins);
    if count > plan.chunk_count() {
        return Err(Failure::Usage(format!(
            "--shard {index}/{count}: the run has only {} chunks of {} spins\n  help: use at most that many shards",
            plan.chunk_count(),
            plan.chunk_spins
        )));
    }
    let clock = Instant::now();
    let chunks = plan.chunks(Shard { index, count });
    let spins = plan.chunk_start(chunks.end) - plan.chunk_start(chunks.start);
    let bar = Bar::new(&format!("{} {index}/{count}", job.model.file_name), spins, arguments.quiet);
    let facts_path = job.folder.join("facts.bin");
    let failure = |error| Failure::Output { path: facts_path.clone(), error };
    let file = NamedTempFile::new_in(&job.folder).map_err(failure)?;
    let mut out = Hashing { out: BufWriter::new(file), hash: Sha256::new() };
    let (game, jackpots) = (&job.model.game, &job.model.jackpots);
    let played = run_shard(game, jackpots, &plan, Shard { index, count }, threads(arguments), &mut out, &bar);
    bar.finish();
    let (base, played) = played?;
    let file = out.out.into_inner().map_err(|error| failure(error.into_error()))?;
    file.as_file().sync_all().map_err(failure)?;
    if played != chunks {
        return Err(Failure::Incomplete(format!(
            "interrupted after {} of {spins} spins of the shard; a part of a shard can't be merged, so nothing was written\
             \n  help: play the shard again",
            plan.chunk_start(played.end) - plan.chunk_start(played.start)
        )));
    }
    output::publish(file, &facts_path)?;
    let record = ShardRecord {
        schema: SHARD_SCHEMA,
        jackpot: env!("CARGO_PKG_VERSION").into(),
        game: assemble::game_record(&job.model),
        plan: PlanRecord {
            rng_seed: plan.rng_seed,
            generator: GENERATOR.into(),
            chunk_spins: plan.chunk_spins,
            spins: plan.spins,
            spins_done: spins,
            complete: true,
            commit: assemble::commit_name(commit(arguments)).into(),
        },
        index,
        count,
        openings: job.openings.as_ref().map(|openings| openings.iter().map(u64::to_string).collect()),
        base,
        facts_sha256: hex(&out.hash.finalize()),
    };
    let bytes = serde_json::to_vec(&record).expect("plain data");
    output::write(&job.folder.join("shard.json"), &bytes)?;
    write_provenance(&job.folder, threads(arguments), clock.elapsed().as_secs_f64(), spins)?;
    super::print(
        format!("shard {index}/{count} of {}: {spins} spins; files in {}\n", job.model.file_name, job.folder.display())
            .as_bytes(),
    )?;
    Ok(0)
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
