//! `jackpot run`: plays games and writes their results.

use super::arguments::{CommitArgument, FormatArgument, RunArguments};
use super::assemble;
use super::failure::{Failure, show_diagnostic};
use super::hit_log::HitLog;
use super::progress::{Bar, catch_interrupts, interrupted};
use super::{opening, output, repeat, shard};
use crate::config::{self, Model};
use crate::report::result::RunResult;
use crate::report::{self, Format};
use crate::sim::{self, Commit, Options, Plan};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A game that passed its check, and where its files go.
pub struct Job {
    pub model: Model,
    pub folder: PathBuf,
    pub openings: Option<Vec<u64>>,
}

/// Plays every game of the command line. A bad one doesn't stop the others; the worst code is returned.
pub fn run(arguments: &RunArguments) -> Result<u8, Failure> {
    refuse_combinations(arguments)?;
    catch_interrupts();
    let mut code = 0;
    let mut jobs: Vec<Job> = Vec::new();
    for path in &arguments.games {
        match prepare(path, arguments, &jobs) {
            Ok(job) => jobs.push(job),
            Err(failure) => {
                failure.print();
                code = code.max(failure.exit_code());
            }
        }
    }
    for (position, job) in jobs.iter().enumerate() {
        if interrupted() {
            break;
        }
        if position > 0 && arguments.format == FormatArgument::Table {
            super::print(b"\n")?;
        }
        let outcome = if arguments.shard.is_some() {
            shard::run(job, arguments)
        } else if let Some(runs) = arguments.repeat {
            repeat::run(job, arguments, runs)
        } else {
            run_one(job, arguments)
        };
        code = code.max(outcome.unwrap_or_else(|failure| {
            failure.print();
            failure.exit_code()
        }));
    }
    Ok(code)
}

fn refuse_combinations(arguments: &RunArguments) -> Result<(), Failure> {
    let live = arguments.commit == CommitArgument::Live;
    let refused = [
        (
            live && arguments.shard.is_some(),
            "--commit live with --shard: live shards can't be merged; play the run whole",
        ),
        (
            live && arguments.log_hits,
            "--commit live with --log-hits: a live run has no order of hits; use --commit ordered",
        ),
        (arguments.shard.is_some() && arguments.repeat.is_some(), "--shard with --repeat: shard one run at a time"),
        (
            arguments.shard.is_some() && arguments.log_hits,
            "--shard with --log-hits: a shard doesn't know its amounts; give --log-hits to `jackpot merge`",
        ),
        (
            arguments.repeat.is_some() && arguments.log_hits,
            "--repeat with --log-hits: log the hits of one run, with its rng seed",
        ),
    ];
    let found: Vec<_> = refused.iter().filter(|(refused, _)| *refused).map(|&(_, text)| text).collect();
    if found.is_empty() { Ok(()) } else { Err(Failure::Usage(found.join("\nerror: "))) }
}

/// Checks a game and its output folder before any work.
fn prepare(path: &Path, arguments: &RunArguments, others: &[Job]) -> Result<Job, Failure> {
    let model = config::load(path).map_err(|error| Failure::Game(Box::new(error)))?;
    if !arguments.quiet {
        model.warnings.iter().for_each(|warning| show_diagnostic(warning));
    }
    let openings = opening::openings(&model, &arguments.opening)?;
    let folder = match (&arguments.out, arguments.games.len()) {
        (None, _) => Path::new("reports").join(&model.file_name),
        (Some(out), 1) => out.clone(),
        (Some(out), _) => out.join(&model.file_name),
    };
    if others.iter().any(|other| other.folder == folder) {
        return Err(Failure::Usage(format!(
            "two games would write into {}\n  help: give the files different names, or run them one by one with --out",
            folder.display()
        )));
    }
    output::prepare(&folder, arguments.force)?;
    Ok(Job { model, folder, openings })
}

/// The engine's word for the argument.
pub fn commit(arguments: &RunArguments) -> Commit {
    match arguments.commit {
        CommitArgument::Ordered => Commit::Ordered,
        CommitArgument::Live => Commit::Live,
    }
}

/// Number of threads asked for, or one for each core.
pub fn threads(arguments: &RunArguments) -> usize {
    arguments.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, |threads| threads.get())
}

/// The report's word for the argument.
pub fn format(argument: FormatArgument) -> Format {
    match argument {
        FormatArgument::Table => Format::Table,
        FormatArgument::Json => Format::Json,
        FormatArgument::Csv => Format::Csv,
        FormatArgument::Md => Format::Markdown,
    }
}

/// Plays one run of a game: its result.
pub fn play(job: &Job, arguments: &RunArguments, rng_seed: u64) -> Result<RunResult, Failure> {
    let plan = Plan::new(rng_seed, arguments.spins);
    let bar = Bar::new(&job.model.file_name, plan.spins, arguments.quiet);
    let mut log = if arguments.log_hits { Some(HitLog::create(&job.folder, &job.model)?) } else { None };
    let mut write_hit = log.as_mut().map(|log| |hit: &crate::tally::Hit| log.write(hit, &job.model));
    let options = Options {
        threads: threads(arguments),
        commit: commit(arguments),
        openings: job.openings.clone(),
        log: write_hit.as_mut().map(|write| write as sim::commit::HitLog<'_>),
    };
    let run = sim::run(&job.model.game, &job.model.jackpots, &plan, options, &bar);
    bar.finish();
    let run = run?;
    if let Some(log) = log {
        log.finish(&job.folder)?;
    }
    Ok(assemble::result(&job.model, &plan, commit(arguments), job.openings.as_deref(), run))
}

fn run_one(job: &Job, arguments: &RunArguments) -> Result<u8, Failure> {
    let clock = Instant::now();
    let result = play(job, arguments, arguments.seed)?;
    let seconds = clock.elapsed().as_secs_f64();
    check_ledger(&result)?;
    write_files(&result, &job.folder)?;
    write_provenance(&job.folder, threads(arguments), seconds, result.plan.spins_done)?;
    show(&result, arguments.format)?;
    if !result.plan.complete {
        return Err(Failure::Incomplete(format!(
            "interrupted after {} of {} spins; the files in {} hold what was played and are marked incomplete",
            result.plan.spins_done,
            result.plan.spins,
            job.folder.display()
        )));
    }
    if !arguments.quiet && arguments.format == FormatArgument::Table {
        let rate = result.plan.spins_done as f64 / seconds / 1e6;
        eprintln!(
            "{seconds:.2} s, {rate:.1} M spins/s on {} threads; files in {}",
            threads(arguments),
            job.folder.display()
        );
    }
    Ok(0)
}

/// Prints a result.
pub fn show(result: &RunResult, argument: FormatArgument) -> Result<(), Failure> {
    let mut text = Vec::new();
    report::render(format(argument), result, &mut text)
        .map_err(|error| Failure::Output { path: "standard output".into(), error })?;
    super::print(&text)
}

/// Refuses a result whose money doesn't add up.
pub fn check_ledger(result: &RunResult) -> Result<(), Failure> {
    let pools = result.levels.iter().flat_map(|level| &level.pools);
    let broken: Vec<String> = pools
        .filter(|pool| pool.tally.residue() != 0 || pool.tally.reserve_residue() != 0)
        .map(|pool| {
            let tally = &pool.tally;
            format!(
                "{}: opening {} + contributions {} + seeds {} + top-ups {} + from reserve {} - paid {} - closing {} - \
                 overflow {} = {}; reserve: in {} - used {} - released {} - closing {} = {}",
                pool.field,
                tally.opening,
                tally.contributions,
                tally.seeds,
                tally.top_ups,
                tally.from_reserve,
                tally.paid,
                tally.closing,
                tally.overflow,
                tally.residue(),
                tally.hidden,
                tally.from_reserve,
                tally.released,
                tally.reserve_closing,
                tally.reserve_residue()
            )
        })
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(Failure::Conservation(broken.join("\n"))) }
}

/// Writes result.json and all files derived from it.
pub fn write_files(result: &RunResult, folder: &Path) -> Result<(), Failure> {
    Ok(report::write_all(result, folder)?)
}

/// `run.json`: what differs from machine to machine and from time to time.
#[derive(Debug, Serialize)]
struct Provenance {
    command: Vec<String>,
    jackpot: &'static str,
    threads: usize,
    operating_system: &'static str,
    architecture: &'static str,
    finished_unix_seconds: u64,
    seconds: f64,
    spins_per_second: f64,
}

/// Writes `run.json` beside a result.
pub fn write_provenance(folder: &Path, threads: usize, seconds: f64, spins: u64) -> Result<(), Failure> {
    let provenance = Provenance {
        command: std::env::args().collect(),
        jackpot: env!("CARGO_PKG_VERSION"),
        threads,
        operating_system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        finished_unix_seconds: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        seconds,
        spins_per_second: spins as f64 / seconds,
    };
    let mut bytes = serde_json::to_vec_pretty(&provenance).expect("plain data");
    bytes.push(b'\n');
    output::write(&folder.join("run.json"), &bytes)
}
