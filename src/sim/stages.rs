//! A run that is looked at before it is over: its chunks are played stage by stage, and the facts of all of them are kept, so
//! that at any stage the run up to there is known as if it had been the whole plan.

use super::commit::Committer;
use super::compiled::Compiled;
use super::facts::ChunkFacts;
use super::observer::{Observer, Progress};
use super::plan::Plan;
use super::run::{Keeper, Keeping, Resume, Run, RunError, finished, play, seeds};
use crate::game::Game;
use crate::pool::{Jackpots, MemoryPools};
use crate::tally::BaseTally;

/// Chunks after which the first look is taken.
const FIRST_LOOK: u64 = 4;

/// Chunks after which a run is looked at: each time a quarter of a doubling more, and at the end. They depend on the plan
/// alone.
pub fn looks(plan: &Plan) -> Vec<u64> {
    let all = plan.chunk_count();
    let mut looks = Vec::new();
    let mut quarters = 0u32;
    loop {
        // Fourth roots of 2, 4 and 8 in 1/65,536.
        let part = [65_536u128, 77_936, 92_682, 110_218][quarters as usize % 4];
        let chunks = (u128::from(FIRST_LOOK) << (quarters / 4)) * part / 65_536;
        if chunks >= u128::from(all) {
            looks.push(all);
            return looks;
        }
        if looks.last() != Some(&(chunks as u64)) {
            looks.push(chunks as u64);
        }
        quarters += 1;
    }
}

/// What was played so far.
pub struct Stages<'a> {
    compiled: Compiled<'a>,
    plan: Plan,
    base: BaseTally,
    facts: Vec<ChunkFacts>,
}

impl<'a> Stages<'a> {
    /// Before the first chunk, or behind what an interrupted run left.
    ///
    /// # Errors
    /// Facts that can't be read.
    pub fn new(game: &'a Game, jackpots: &'a Jackpots, plan: &Plan, resume: Option<Resume>) -> Result<Self, RunError> {
        let compiled = Compiled::new(game, jackpots, plan);
        let mut stages = Self {
            base: BaseTally::new(game.bets.count(), compiled.feature_count()),
            compiled,
            plan: *plan,
            facts: Vec::new(),
        };
        if let Some(resume) = resume {
            for _ in 0..resume.chunks {
                stages.facts.push(ChunkFacts::read(&mut &mut *resume.facts)?);
            }
            stages.base = resume.base;
        }
        Ok(stages)
    }

    /// Chunks played so far.
    pub fn chunks(&self) -> u64 {
        self.facts.len() as u64
    }

    /// Plays on to a number of chunks, on the threads of the caller; less far if the observer asks for an end.
    ///
    /// # Errors
    /// As a run.
    pub fn advance(
        &mut self,
        to: u64,
        observer: &dyn Observer,
        keeper: Option<&mut (dyn Keeper + Send)>,
    ) -> Result<(), RunError> {
        if self.chunks() >= to {
            return Ok(());
        }
        let amounts = &self.compiled.game.bets.amounts;
        let (plan, facts) = (self.plan, &mut self.facts);
        let (mut wagered, mut paid) = (0, 0);
        let chunks = facts.len() as u64..to;
        let keeping = Keeping { keeper, kept: Some(&self.base) };
        let (played, _) = play(&self.compiled, &plan, chunks, observer, keeping, &mut |own: ChunkFacts| {
            wagered += own
                .spins_by_bet
                .iter()
                .zip(amounts)
                .map(|(&spins, &bet)| u128::from(spins) * u128::from(bet))
                .sum::<u128>();
            paid += own.paid_base + own.paid_features;
            facts.push(ChunkFacts { bets: Vec::new(), ..own });
            Ok(Progress { spins_done: plan.chunk_start(facts.len() as u64), spins: plan.spins, wagered, paid })
        })?;
        self.base.merge(&played);
        Ok(())
    }

    /// The run up to here: that of a plan of so many spins.
    ///
    /// # Errors
    /// As a run.
    pub fn run(&self, openings: Option<&[u64]>) -> Result<(Plan, Run), RunError> {
        let (game, jackpots) = (self.compiled.game, self.compiled.jackpots);
        let plan = Plan { spins: self.plan.chunk_start(self.chunks()), ..self.plan };
        let store = MemoryPools::new(jackpots.pool_count());
        let openings = openings.map_or_else(|| seeds(jackpots), <[u64]>::to_vec);
        let mut committer = Committer::new(&plan, &game.bets, jackpots, &openings, &store, None)?;
        self.facts.iter().try_for_each(|facts| committer.commit(facts.clone()))?;
        let (pools, series) = committer.finish()?;
        Ok((plan, finished(&plan, plan.chunk_count(), self.base.clone(), pools, series)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_rise_to_the_end_and_depend_on_the_plan_alone() {
        let plan = Plan { chunk_spins: 1_000, ..Plan::new(1, 1_000_500) };
        let looks = looks(&plan);
        assert_eq!((looks.first(), looks.last()), (Some(&4), Some(&1_001)));
        assert!(looks.windows(2).all(|pair| pair[0] < pair[1] && pair[1] <= pair[0] * 5 / 4 + 1), "{looks:?}");
        assert_eq!(super::looks(&Plan::new(1, 10)), [1]);
    }
}
