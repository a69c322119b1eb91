//! `jackpot parity`: whether a Redis does what the model does.

use super::arguments::{FormatArgument, RedisArguments, SetArguments, parse_spins};
use super::failure::Failure;
use super::progress::{Bar, catch_interrupts, interrupted};
use super::{job, output, print, redis_server};
use crate::config;
use crate::parity::outcome::{Check, Verdict};
use crate::parity::{self, Question, controls, render};
use crate::pool::redis::CLAIM_SCRIPT;
use crate::sim::Plan;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Our own commands, for those who name no others.
const OURS: &str = include_str!("../../configs/subjects/ours.toml");

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GrainArgument {
    /// Every spin's own operations
    Spin,
    /// What an ordered run sends: growth between two hits at once
    Segment,
}

#[derive(Debug, Args)]
pub struct ParityArguments {
    /// Game file (TOML)
    #[arg(value_name = "GAME")]
    pub game: PathBuf,
    #[command(flatten)]
    pub set: SetArguments,
    #[command(flatten)]
    pub redis: RedisArguments,
    /// The commands to be tested (TOML); ours if none is given
    #[arg(long, value_name = "FILE")]
    pub subject: Option<PathBuf>,
    /// Number of spins, such as 250k or 1M
    #[arg(long, default_value = "250k", value_parser = parse_spins)]
    pub spins: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 42)]
    pub seed: u64,
    /// What is sent: the operations of every spin, or those of an ordered run
    #[arg(long, value_enum, default_value_t = GrainArgument::Spin)]
    pub grain: GrainArgument,
    /// Prefix of all keys, which nobody else may use; a private one if none is given
    #[arg(long, value_name = "TEXT")]
    pub prefix: Option<String>,
    /// Allow a server that is not on this machine; SCRIPT FLUSH is not sent to it
    #[arg(long)]
    pub allow_remote: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = FormatArgument::Table)]
    pub format: FormatArgument,
    /// Also write the checks as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Replace the file of --junit
    #[arg(long)]
    pub force: bool,
    /// No progress bar and no warnings
    #[arg(long)]
    pub quiet: bool,
}

/// Runs all phases, prints what was found, and gives the code: 5 if a planted defect was missed, 1 if a check failed, 4 if one is
/// undecided.
pub fn parity(arguments: &ParityArguments) -> Result<u8, Failure> {
    let address = redis_server::address(&arguments.redis)?;
    if !address.is_local() && !arguments.allow_remote {
        return Err(Failure::Usage(format!(
            "{address} is not on this machine, and parity writes to it\n  help: add --allow-remote if that server is for tests"
        )));
    }
    if arguments.prefix.as_deref().is_some_and(str::is_empty) {
        return Err(Failure::Usage(
            "--prefix is empty: a run must have keys of its own\n  help: leave --prefix away".to_owned(),
        ));
    }
    arguments.junit.as_ref().map_or(Ok(()), |file| output::refuse_file(file, arguments.force))?;
    let game = |error| Failure::Game(Box::new(error));
    let subject = match &arguments.subject {
        Some(path) => config::load_subject(path),
        None => config::parse_subject("ours.toml", OURS, &|_| Ok(CLAIM_SCRIPT.to_owned())),
    };
    let subject = subject.map_err(game);
    let (model, subject) = match (job::load(&arguments.game, &arguments.set), subject) {
        (Ok(model), Ok(subject)) => (model, subject),
        (Err(failure), Ok(_)) | (Ok(_), Err(failure)) => return Err(failure),
        (Err(failure), Err(other)) => {
            failure.print();
            return Err(other);
        }
    };
    if model.jackpots.pool_count() == 0 {
        return Err(Failure::Usage(format!(
            "{} has no jackpot, so there is nothing to compare\n  help: give a game with a [[jackpots]] level",
            arguments.game.display()
        )));
    }
    catch_interrupts();
    let prefix = arguments.prefix.clone().unwrap_or_else(|| redis_server::private_prefix("parity"));
    let question = Question {
        game: &model.game,
        jackpots: &model.jackpots,
        unit: &model.unit,
        game_name: &model.file_name,
        subject: &subject,
        address: &address,
        prefix: &prefix,
        plan: Plan::new(arguments.seed, arguments.spins),
        by_spin: arguments.grain == GrainArgument::Spin,
        flush: address.is_local(),
    };
    let bar = Bar::new(&model.file_name, arguments.spins, arguments.quiet);
    let report = parity::run(&question, &bar);
    bar.finish();
    let report = report?;
    if interrupted() {
        return Err(Failure::Incomplete("interrupted: nothing is said of parity".to_owned()));
    }
    if let Some(file) = &arguments.junit {
        output::write_file(file, render::junit_xml(&report).as_bytes(), arguments.force)?;
    }
    if std::env::var_os("GITHUB_ACTIONS").is_some() {
        render::annotations(&report).iter().for_each(|line| eprintln!("{line}"));
    }
    match arguments.format {
        FormatArgument::Json => print(&render::json(&report))?,
        _ => print(render::table(&report).as_bytes())?,
    }
    let is_missed = |check: &Check| check.phase == controls::PHASE && check.verdict == Verdict::Fail;
    if report.checks.iter().any(is_missed) {
        return Ok(5);
    }
    // Where nothing was replayed, nothing is said of parity.
    let is_open = report.count(Verdict::Undecided) > 0 || report.operations == 0;
    Ok(match (report.count(Verdict::Fail), is_open) {
        (0, false) => 0,
        (0, _) => 4,
        _ => 1,
    })
}
