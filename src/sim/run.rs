//! A run from start to end: waves of chunks are played in parallel while the wave before is committed in order.

use super::commit::{CommitError, Committer, HitLog};
use super::compiled::Compiled;
use super::facts::ChunkFacts;
use super::live::LiveRun;
use super::observer::{Observer, Progress};
use super::plan::{Plan, Shard};
use super::play::{Worker, play_chunk};
use crate::game::Game;
use crate::pool::{Jackpots, LivePools, MemoryPools, PoolStore, RunPools};
use crate::tally::{BaseTally, PoolTally, Series};
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Mutex;

/// How what was played reaches the pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Commit {
    /// In the order of play: exact and reproducible.
    #[default]
    Ordered,
    /// Every thread adds and claims spin by spin, as production traffic does. Amounts depend on interleaving.
    Live,
}

/// How a run is made; none of it changes the bytes of an ordered result.
pub struct Options<'l> {
    pub threads: usize,
    pub commit: Commit,
    /// What each pool opens at, by position among all pools; the seeds if `None`.
    pub openings: Option<Vec<u64>>,
    /// Receives each hit in order of play (ordered runs only).
    pub log: Option<HitLog<'l>>,
    /// Holds the pools; memory if `None`.
    pub store: Option<&'l dyn RunPools>,
    /// Told of every wave, so that the run can be gone on with (ordered runs only).
    pub keeper: Option<&'l mut (dyn Keeper + Send)>,
    /// What an interrupted run left.
    pub resume: Option<Resume<'l>>,
}

/// Keeps what was played, so that it needn't be played again.
pub trait Keeper {
    /// Takes the facts of the chunks that were played since the call before, in order. `chunks` are played in all, and `base`
    /// gives what they paid: asked for only where it is to be kept.
    ///
    /// # Errors
    /// Whatever keeps it from keeping: the run ends.
    fn wave(&mut self, facts: &[ChunkFacts], chunks: u64, base: &dyn Fn() -> BaseTally) -> io::Result<()>;
}

/// What was kept of a run: its first chunks.
pub struct Resume<'l> {
    pub chunks: u64,
    pub base: BaseTally,
    /// Their facts, in order, as [`ChunkFacts::write`] writes them.
    pub facts: &'l mut (dyn io::Read + Send),
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { threads: 1, commit: Commit::Ordered, openings: None, log: None, store: None, keeper: None, resume: None }
    }
}

/// What a run did.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub spins_done: u64,
    /// Whether all spins of the plan were played.
    pub complete: bool,
    pub base: BaseTally,
    /// By position among all pools.
    pub pools: Vec<PoolTally>,
    pub series: Series,
}

/// Why a run ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error("the facts of a shard: {0}")]
    Facts(#[from] io::Error),
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// What the seeds alone would open every pool at.
pub fn seeds(jackpots: &Jackpots) -> Vec<u64> {
    jackpots.levels.iter().flat_map(|level| level.seeds.iter().copied()).collect()
}

/// Plays a whole run.
pub fn run(
    game: &Game,
    jackpots: &Jackpots,
    plan: &Plan,
    options: Options<'_>,
    observer: &dyn Observer,
) -> Result<Run, RunError> {
    let openings = options.openings.unwrap_or_else(|| seeds(jackpots));
    let memory = MemoryPools::new(jackpots.pool_count());
    let store = options.store.map_or(&memory as &dyn PoolStore, |store| store);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    threads.install(|| {
        let compiled = Compiled::new(game, jackpots, plan);
        match options.commit {
            Commit::Ordered => {
                let mut committer = Committer::new(plan, &game.bets, jackpots, &openings, store, options.log)?;
                let mut kept = None;
                let mut chunks = plan.chunks(Shard::WHOLE);
                if let Some(resume) = options.resume {
                    for _ in 0..resume.chunks {
                        committer.commit(ChunkFacts::read(&mut &mut *resume.facts)?)?;
                    }
                    (kept, chunks.start) = (Some(resume.base), resume.chunks);
                }
                let keeping = Keeping { keeper: options.keeper, kept: kept.as_ref() };
                let (mut base, chunks) = play(&compiled, plan, chunks, observer, keeping, &mut |facts| {
                    committer.commit(facts)?;
                    Ok(Progress {
                        spins_done: plan.chunk_start(committer.chunks_done()),
                        spins: plan.spins,
                        wagered: committer.wagered(),
                        paid: committer.paid(),
                    })
                })?;
                let (pools, series) = committer.finish()?;
                kept.iter().for_each(|kept| base.merge(kept));
                Ok(finished(plan, chunks.end, base, pools, series))
            }
            Commit::Live => {
                store.open(&openings).map_err(CommitError::Store)?;
                match options.store {
                    Some(store) => live(&compiled, plan, &openings, store, observer),
                    None => live(&compiled, plan, &openings, &memory, observer),
                }
            }
        }
    })
}

/// Plays a whole run live, against pools that are open.
fn live(
    compiled: &Compiled,
    plan: &Plan,
    openings: &[u64],
    store: &(impl LivePools + ?Sized),
    observer: &dyn Observer,
) -> Result<Run, RunError> {
    let live = LiveRun::new(compiled, plan, openings, store);
    let (base, chunks_done) = live.play(observer).map_err(CommitError::Store)?;
    let pools = live.finish(&base).map_err(CommitError::Store)?;
    Ok(finished(plan, chunks_done, base, pools, Series::default()))
}

pub(super) fn finished(plan: &Plan, chunks_done: u64, base: BaseTally, pools: Vec<PoolTally>, series: Series) -> Run {
    let spins_done = plan.chunk_start(chunks_done);
    Run { spins_done, complete: spins_done == plan.spins, base, pools, series }
}

/// Plays one shard: its tally is returned, its facts are written in order. The chunks that were played.
pub fn run_shard(
    game: &Game,
    jackpots: &Jackpots,
    plan: &Plan,
    shard: Shard,
    threads: usize,
    facts_out: &mut (dyn Write + Send),
    observer: &dyn Observer,
) -> Result<(BaseTally, Range<u64>), RunError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let chunks = plan.chunks(shard);
    let (mut spins_done, mut wagered, mut paid) = (0, 0, 0);
    let spins = plan.chunk_start(chunks.end) - plan.chunk_start(chunks.start);
    threads.install(|| {
        let compiled = Compiled::new(game, jackpots, plan);
        play(&compiled, plan, chunks, observer, Keeping::default(), &mut |facts: ChunkFacts| {
            facts.write(&mut &mut *facts_out)?;
            let by_bet = facts.spins_by_bet.iter().zip(&game.bets.amounts);
            wagered += by_bet.map(|(&spins, &bet)| u128::from(spins) * u128::from(bet)).sum::<u128>();
            paid += facts.paid_base + facts.paid_features;
            spins_done += facts.spins_by_bet.iter().map(|&spins| u64::from(spins)).sum::<u64>();
            Ok(Progress { spins_done, spins, wagered, paid })
        })
    })
}

/// Joins all shards of a run: their tallies, and their facts in order of the chunks. The result is that of the undivided
/// run.
pub fn merge(
    game: &Game,
    jackpots: &Jackpots,
    plan: &Plan,
    openings: Option<Vec<u64>>,
    bases: &[BaseTally],
    facts_in: &mut dyn io::Read,
    log: Option<HitLog<'_>>,
) -> Result<Run, RunError> {
    let openings = openings.unwrap_or_else(|| seeds(jackpots));
    let store = MemoryPools::new(jackpots.pool_count());
    let mut committer = Committer::new(plan, &game.bets, jackpots, &openings, &store, log)?;
    for _ in 0..plan.chunk_count() {
        committer.commit(ChunkFacts::read(&mut &mut *facts_in)?)?;
    }
    let (mut base, others) = (bases[0].clone(), &bases[1..]);
    others.iter().for_each(|other| base.merge(other));
    let (pools, series) = committer.finish()?;
    Ok(finished(plan, plan.chunk_count(), base, pools, series))
}

/// Who keeps what is played, and what was kept before.
#[derive(Default)]
pub(super) struct Keeping<'k, 'l> {
    pub keeper: Option<&'l mut (dyn Keeper + Send)>,
    pub kept: Option<&'k BaseTally>,
}

impl Keeping<'_, '_> {
    fn wave(&mut self, compiled: &Compiled, workers: &Workers, facts: &[ChunkFacts], chunks: u64) -> io::Result<()> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let base = || {
            let mut base = workers.tally(compiled);
            self.kept.iter().for_each(|kept| base.merge(kept));
            base
        };
        keeper.wave(facts, chunks, &base)
    }
}

type Sink<'s> = &'s mut (dyn FnMut(ChunkFacts) -> Result<Progress, RunError> + Send);

/// Plays chunks in waves, in parallel, and hands their facts to the sink in order. Ends early, between waves, if the
/// observer asks for it.
pub(super) fn play(
    compiled: &Compiled,
    plan: &Plan,
    chunks: Range<u64>,
    observer: &dyn Observer,
    mut keeping: Keeping,
    sink: Sink<'_>,
) -> Result<(BaseTally, Range<u64>), RunError> {
    let workers = Workers::default();
    let wave_length = (rayon::current_num_threads() as u64 * 32).max(64);
    let wave = |start: u64| start..(start + wave_length).min(chunks.end);
    let mut playing = wave(chunks.start);
    let mut ready = workers.play_wave(compiled, plan, playing.clone());
    keeping.wave(compiled, &workers, &ready, playing.end)?;
    loop {
        let next = if observer.stop_requested() { playing.end..playing.end } else { wave(playing.end) };
        let (committed, played) = rayon::join(
            || -> Result<(), RunError> {
                let mut last = None;
                for facts in ready.drain(..) {
                    last = Some(sink(facts)?);
                }
                if let Some(progress) = last {
                    observer.progress(&progress);
                }
                Ok(())
            },
            || workers.play_wave(compiled, plan, next.clone()),
        );
        committed?;
        if next.is_empty() {
            return Ok((workers.into_tally(compiled), chunks.start..playing.end));
        }
        keeping.wave(compiled, &workers, &played, next.end)?;
        (ready, playing) = (played, next);
    }
}

/// Workers at rest: as many as were ever busy at once.
#[derive(Default)]
pub(super) struct Workers(Mutex<Vec<Worker>>);

impl Workers {
    /// Lends a worker to a task.
    pub(super) fn with<T>(&self, compiled: &Compiled, task: impl FnOnce(&mut Worker) -> T) -> T {
        let rested = self.0.lock().expect("no task panics while it holds the lock").pop();
        let mut worker = rested.unwrap_or_else(|| Worker::new(compiled));
        let result = task(&mut worker);
        self.0.lock().expect("no task panics while it holds the lock").push(worker);
        result
    }

    fn play_wave(&self, compiled: &Compiled, plan: &Plan, chunks: Range<u64>) -> Vec<ChunkFacts> {
        (chunks.start as usize..chunks.end as usize)
            .into_par_iter()
            .map(|chunk| self.with(compiled, |worker| play_chunk(compiled, plan, chunk as u64, worker)))
            .collect()
    }

    /// All that the workers counted so far; none of them is at work.
    fn tally(&self, compiled: &Compiled) -> BaseTally {
        let rested = self.0.lock().expect("no task panics while it holds the lock").clone();
        Self(Mutex::new(rested)).into_tally(compiled)
    }

    /// All that the workers counted.
    pub(super) fn into_tally(self, compiled: &Compiled) -> BaseTally {
        let mut tally = BaseTally::new(compiled.game.bets.count(), compiled.feature_count());
        for worker in self.0.into_inner().expect("no task panicked") {
            tally.merge(&worker.into_tally(compiled));
        }
        tally
    }
}
