//! `jackpot run`: plays games and writes their results.

use super::arguments::RunArguments;
use super::assertions::Assertions;
use super::checkpoint::Checkpoint;
use super::failure::Failure;
use super::hit_log::HitLog;
use super::job::{Job, commit, prepare, refuse_combinations, threads};
use super::printer::Printer;
use super::progress::{Bar, catch_interrupts, interrupted};
use super::provenance::{self, Played};
use super::{assemble, ledger, output, redis_server, repeat, shard, until};
use crate::money::Grouped;
use crate::pool::{RedisPools, RunPools};
use crate::report;
use crate::report::files::Staged;
use crate::report::readings::readings;
use crate::report::result::RunResult;
use crate::sim::run::{Keeper, Resume};
use crate::sim::{self, Options, Plan};
use std::time::Instant;
use tempfile::NamedTempFile;

/// Plays every game of the command line. A bad one doesn't stop the others; the worst code is returned.
pub fn run(arguments: &RunArguments) -> Result<u8, Failure> {
    refuse_combinations(arguments)?;
    let mut assertions = Assertions::new(&arguments.assert, arguments.force)?;
    catch_interrupts();
    let mut code = 0;
    let mut jobs: Vec<Job> = Vec::new();
    for path in &arguments.games {
        let prepared = prepare(path, arguments, &jobs);
        let checked = prepared.and_then(|job| {
            assertions.refuse_unknown(&job.model)?;
            until::refuse_unknown(arguments.until.as_ref(), &job.model)?;
            Ok(job)
        });
        match checked {
            Ok(job) => jobs.push(job),
            Err(failure) => {
                failure.print();
                code = code.max(failure.exit_code());
            }
        }
    }
    let mut printer = Printer::new(arguments.format, arguments.games.len());
    for job in &jobs {
        let outcome = if interrupted() {
            Err(Failure::Incomplete(format!("interrupted before {} was played", job.model.file_name)))
        } else if arguments.shard.is_some() {
            shard::run(job, arguments)
        } else if let Some(runs) = arguments.repeat {
            repeat::run(job, arguments, runs, &mut printer, &mut assertions)
        } else {
            run_one(job, arguments, &mut printer, &mut assertions)
        };
        code = code.max(outcome.map_or_else(
            |failure| {
                failure.print();
                failure.exit_code()
            },
            |()| 0,
        ));
    }
    if arguments.shard.is_none() {
        let is_text = printer.is_text();
        printer.finish()?;
        code = code.max(assertions.finish(is_text)?);
    }
    Ok(code)
}

/// What one run of a game left.
pub struct Outcome {
    pub result: RunResult,
    /// The log of hits, if one was asked for.
    pub log: Option<NamedTempFile>,
    pub threads: usize,
    /// What was kept of a run that is over now.
    pub checkpoint: Option<Checkpoint>,
    /// Why a run that was to end at a narrow interval ended at its most spins.
    pub exhausted: Option<String>,
}

/// Plays one run of a game.
pub fn play(job: &Job, arguments: &RunArguments, rng_seed: u64) -> Result<Outcome, Failure> {
    let plan = Plan::new(rng_seed, arguments.spins);
    let threads = threads(arguments, plan.chunk_count());
    let bar = Bar::new(&job.model.file_name, plan.spins, arguments.quiet);
    let mut log = if arguments.log_hits { Some(HitLog::create(&job.folder, &job.model)?) } else { None };
    let mut write_hit = log.as_mut().map(|log| |hit: &crate::tally::Hit| log.write(hit, &job.model));
    let (mut keeper, mut kept) = match &arguments.checkpoint {
        Some(file) => {
            let (keeper, kept) = Checkpoint::open(file, job, &plan, None, arguments)?;
            (Some(keeper), kept)
        }
        None => (None, None),
    };
    let pools = redis_server::pools(&job.model, arguments)?;
    let options = Options {
        threads,
        commit: commit(arguments),
        openings: job.openings.clone(),
        log: write_hit.as_mut().map(|write| write as sim::commit::HitLog<'_>),
        keeper: keeper.as_mut().map(|keeper| keeper as &mut (dyn Keeper + Send)),
        resume: kept.as_mut().map(|kept| Resume {
            chunks: kept.chunks,
            base: kept.base.clone(),
            facts: &mut kept.facts,
        }),
        store: pools.as_ref().map(|pools| pools as &dyn RunPools),
    };
    let run = sim::run(&job.model.game, &job.model.jackpots, &plan, options, &bar);
    bar.finish();
    let removed = pools.as_ref().map_or(Ok(()), RedisPools::remove);
    let run = run?;
    removed?;
    let log = log.map(|log| log.finish(&job.folder)).transpose()?;
    let run_is_over = run.complete;
    let result = assemble::result(&job.model, &job.base, &plan, commit(arguments), job.openings.as_deref(), run);
    ledger::check(&result)?;
    Ok(Outcome { result, log, threads, checkpoint: keeper.filter(|_| run_is_over), exhausted: None })
}

fn run_one(
    job: &Job,
    arguments: &RunArguments,
    printer: &mut Printer,
    assertions: &mut Assertions,
) -> Result<(), Failure> {
    let clock = Instant::now();
    let outcome = match &arguments.until {
        Some(rule) => until::play(job, arguments, rule)?,
        None => play(job, arguments, arguments.seed)?,
    };
    let Outcome { result, log, threads, checkpoint, exhausted } = outcome;
    let seconds = clock.elapsed().as_secs_f64();
    let spins = result.plan.spins_done;
    let mut staged = Staged::new(&job.folder);
    provenance::stage(&mut staged, seconds, Some(Played { spins, threads }))?;
    if let Some(log) = log {
        staged.add("hits.csv", log)?;
    }
    report::stage_all(&result, &mut staged)?;
    output::replace(staged, &job.folder, arguments.force)?;
    checkpoint.map_or(Ok(()), Checkpoint::remove)?;
    printer.result(&result)?;
    assertions.judge(&job.model.file_name, &[readings(&result)])?;
    if !result.plan.complete {
        return Err(Failure::Incomplete(format!(
            "interrupted after {} of {} spins; the files in {} hold what was played and are marked incomplete",
            Grouped(spins.into()),
            Grouped(result.plan.spins.into()),
            job.folder.display()
        )));
    }
    if let Some(why) = exhausted {
        return Err(Failure::Incomplete(why));
    }
    if !arguments.quiet && printer.is_table() {
        eprintln!(
            "{seconds:.2} s, {:.1} M spins/s on {threads} {}; files in {}",
            spins as f64 / seconds / 1e6,
            if threads == 1 { "thread" } else { "threads" },
            job.folder.display()
        );
    }
    Ok(())
}
