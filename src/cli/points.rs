//! Points of a sweep or a search: played on common random numbers, spins shared where only jackpots differ.

use super::assemble;
use super::failure::Failure;
use super::ledger;
use super::progress::{Bar, interrupted};
use crate::config::Model;
use crate::metrics::Readings;
use crate::report::readings::readings;
use crate::sim::reuse::{PlayedSpins, plays_same_spins};
use crate::sim::{Commit, Plan, Silent};
use crate::tune::evaluate::Variation;
use rayon::ThreadPool;
use std::sync::{Arc, Mutex, PoisonError};

/// Spins that were played, each with the game that they are of.
pub struct Player {
    spins: u64,
    threads: ThreadPool,
    played: Mutex<Vec<Played>>,
}

struct Played {
    rng_seed: u64,
    model: Model,
    spins: Arc<PlayedSpins>,
}

/// Played spins that are kept at once; each keeps a little for each chunk and each jackpot that symbols trigger.
const KEPT_MAX: usize = 1_024;

impl Player {
    /// Of runs of so many spins, on so many threads.
    pub fn new(spins: u64, threads: Option<u16>) -> Result<Self, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(cores, usize::from)).build();
        let threads = threads.map_err(|error| Failure::Run(error.into()))?;
        Ok(Self { spins, threads, played: Mutex::default() })
    }

    /// The threads that points are worked out on.
    pub fn threads(&self) -> &ThreadPool {
        &self.threads
    }

    /// Plays the spins of a game, unless those of one that plays alike are there.
    ///
    /// # Errors
    /// As a run; interrupted.
    pub fn prepare(&self, variation: &Variation, rng_seed: u64, name: &str, quiet: bool) -> Result<(), Failure> {
        if self.find(&variation.model, rng_seed).is_some() {
            return Ok(());
        }
        let bar = Bar::new(name, self.spins, quiet);
        let model = &variation.model;
        let played =
            self.threads.install(|| PlayedSpins::new(&model.game, &model.jackpots, &self.plan(rng_seed), &bar));
        bar.finish();
        self.keep(model, rng_seed, played?)
    }

    /// The figures of one run. Uses one thread, if [`Self::prepare`] was called for a game that plays alike.
    ///
    /// # Errors
    /// As a run; a broken conservation law; interrupted.
    pub fn readings(&self, variation: &Variation, rng_seed: u64) -> Result<Readings, Failure> {
        let model = &variation.model;
        let plan = self.plan(rng_seed);
        let spins = match self.find(model, rng_seed) {
            Some(spins) => spins,
            None => {
                self.keep(model, rng_seed, PlayedSpins::new(&model.game, &model.jackpots, &plan, &Silent)?)?;
                self.find(model, rng_seed).expect("it was put there")
            }
        };
        if interrupted() {
            return Err(interruption());
        }
        let run = spins.run(&model.game, &model.jackpots, None)?;
        let result = assemble::result(model, &variation.base, &plan, Commit::Ordered, None, run);
        ledger::check(&result)?;
        Ok(readings(&result))
    }

    fn plan(&self, rng_seed: u64) -> Plan {
        Plan::new(rng_seed, self.spins)
    }

    fn find(&self, model: &Model, rng_seed: u64) -> Option<Arc<PlayedSpins>> {
        let played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = |played: &&Played| {
            played.rng_seed == rng_seed
                && plays_same_spins((&played.model.game, &played.model.jackpots), (&model.game, &model.jackpots))
        };
        played.iter().find(alike).map(|played| Arc::clone(&played.spins))
    }

    fn keep(&self, model: &Model, rng_seed: u64, spins: Option<PlayedSpins>) -> Result<(), Failure> {
        let spins = Arc::new(spins.ok_or_else(interruption)?);
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        if played.len() >= KEPT_MAX {
            played.remove(0);
        }
        played.push(Played { rng_seed, model: model.clone(), spins });
        Ok(())
    }
}

fn interruption() -> Failure {
    Failure::Incomplete("interrupted".into())
}
