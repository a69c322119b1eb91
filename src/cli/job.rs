//! A game of the command line and where its files go: all that can be refused is refused before any work.

use super::arguments::{CommitArgument, RunArguments, SetArguments, StoreArgument};
use super::failure::{Failure, show_diagnostic};
use super::{opening, output, returns};
use crate::config::{GameFile, Model};
use crate::exact::base::BaseFigures;
use crate::money::Grouped;
use crate::sim::{Commit, Plan};
use std::path::{Path, PathBuf};

/// A game that passed its check, and where its files go.
pub struct Job {
    pub model: Model,
    /// What enumeration says of it, for all its runs.
    pub base: BaseFigures,
    pub folder: PathBuf,
    pub openings: Option<Vec<u64>>,
}

/// Refuses options that contradict each other or the number of spins, whatever the game.
pub fn refuse_combinations(arguments: &RunArguments) -> Result<(), Failure> {
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
        (
            arguments.shard.is_some() && arguments.store == StoreArgument::Redis,
            "--shard with --store redis: a shard touches no pool; give its pools to `jackpot run` as a whole",
        ),
        (
            arguments.until.is_some() && arguments.store == StoreArgument::Redis,
            "--until with --store redis: every look would play the pools anew; play a run of so many spins on Redis",
        ),
        (arguments.shard.is_some() && arguments.repeat.is_some(), "--shard with --repeat: shard one run at a time"),
        (
            arguments.shard.is_some() && arguments.log_hits,
            "--shard with --log-hits: a shard doesn't know its amounts; give --log-hits to `jackpot merge`",
        ),
        (
            arguments.until.is_some()
                && (live || arguments.shard.is_some() || arguments.repeat.is_some() || arguments.log_hits),
            "--until with --commit live, --shard, --repeat or --log-hits: its looks need one whole run in order; log the hits \
             of a run of as many spins",
        ),
        (
            arguments.checkpoint.is_some() && (live || arguments.shard.is_some() || arguments.repeat.is_some()),
            "--checkpoint with --commit live, --shard or --repeat: it keeps one whole run in order",
        ),
        (
            arguments.checkpoint.is_some() && arguments.games.len() > 1,
            "--checkpoint with several games: it keeps one run; give each game its own command and file",
        ),
        (
            arguments.shard.is_some() && !arguments.assert.assert.is_empty(),
            "--shard with --assert: a shard has no figures; play it whole, or merge and `jackpot report DIR --assert`",
        ),
        (
            arguments.repeat.is_some() && arguments.log_hits,
            "--repeat with --log-hits: log the hits of one run, with its rng seed",
        ),
    ];
    let mut found: Vec<String> =
        refused.iter().filter(|(refused, _)| *refused).map(|&(_, text)| text.to_owned()).collect();
    let plan = Plan::new(arguments.seed, arguments.spins);
    if let Some((index, count)) = arguments.shard.filter(|&(_, count)| count > plan.chunk_count()) {
        let chunks = plan.chunk_count();
        found.push(format!(
            "--shard {index}/{count}: the run has only {} {} of {} spins\n  help: use at most that many shards",
            Grouped(chunks.into()),
            if chunks == 1 { "chunk" } else { "chunks" },
            Grouped(plan.chunk_spins.into())
        ));
    }
    if let Some(runs) = arguments.repeat.filter(|runs| arguments.seed.checked_add(runs - 1).is_none()) {
        found.push(format!(
            "--repeat {runs}: rng seeds from {} on would pass 2^64 - 1; use a smaller --seed",
            arguments.seed
        ));
    }
    if found.is_empty() { Ok(()) } else { Err(Failure::Usage(found.join("\nerror: "))) }
}

/// Reads and checks a game with the changes of the command line.
pub fn load(path: &Path, changes: &SetArguments) -> Result<Model, Failure> {
    let game = || |error| Failure::Game(Box::new(error));
    GameFile::open(path).map_err(game())?.model(&changes.set).map_err(game())
}

/// Checks a game and its output folder.
pub fn prepare(path: &Path, arguments: &RunArguments, others: &[Job]) -> Result<Job, Failure> {
    let model = load(path, &arguments.set)?;
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
    let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
    if let Some(warning) = returns::above_stakes(&model, &base).filter(|_| !arguments.quiet) {
        eprintln!("{warning}");
    }
    Ok(Job { model, base, folder, openings })
}

/// The engine's word for the argument.
pub fn commit(arguments: &RunArguments) -> Commit {
    match arguments.commit {
        CommitArgument::Ordered => Commit::Ordered,
        CommitArgument::Live => Commit::Live,
    }
}

/// Most threads of a run. A thread that looks for work looks at all others, so that idle ones cost the square of their
/// number.
pub const THREADS_MAX: i64 = 1_024;

/// Number of threads asked for, or one for each core; no more than there are chunks to play.
pub fn threads(arguments: &RunArguments, chunks: u64) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let threads = arguments.threads.map_or_else(cores, usize::from);
    threads.min(usize::try_from(chunks).unwrap_or(usize::MAX)).max(1)
}
