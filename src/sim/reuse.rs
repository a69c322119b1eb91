//! Games that differ in their jackpots alone share the spins that were played: the reels once, the jackpots for each.

use super::bets::BetTable;
use super::commit::Committer;
use super::compiled::{Compiled, OddsTable};
use super::facts::{ChunkFacts, TriggerFact};
use super::observer::{Observer, Progress};
use super::plan::{Plan, Shard};
use super::play::odds_triggers;
use super::run::{Keeping, Run, RunError, finished, play, seeds};
use crate::game::Game;
use crate::pool::{Jackpots, MemoryPools, Trigger};
use crate::tally::BaseTally;

/// What the spins of a run did before jackpots, and which symbols levels they triggered.
#[derive(Debug, Clone)]
pub struct PlayedSpins {
    plan: Plan,
    /// First bet in pool units, for games of another pool unit.
    amount: u64,
    base: BaseTally,
    chunks: Vec<ChunkFacts>,
}

/// Whether the spins of one game are those of another but for what their jackpots make of them.
pub fn plays_same_spins(one: (&Game, &Jackpots), other: (&Game, &Jackpots)) -> bool {
    let ((game, jackpots), (other_game, other_jackpots)) = (one, other);
    let (bets, others) = (&game.bets, &other_game.bets);
    let proportional = bets.amounts.iter().zip(&others.amounts).all(|(&amount, &other)| {
        u128::from(amount) * u128::from(others.amounts[0]) == u128::from(other) * u128::from(bets.amounts[0])
    });
    // What the reels trigger is noted by level, for eligible bets.
    let levels_alike = jackpots.levels.len() == other_jackpots.levels.len()
        && jackpots.levels.iter().zip(&other_jackpots.levels).all(|(level, other)| {
            let symbols = |trigger: &Trigger| matches!(trigger, Trigger::Symbols);
            symbols(&level.trigger) == symbols(&other.trigger)
                && (!symbols(&level.trigger) || level.eligible == other.eligible && level.linked == other.linked)
        });
    bets.mix == others.mix
        && bets.amounts.len() == others.amounts.len()
        && proportional
        && levels_alike
        && game.plays_like(other_game)
}

impl PlayedSpins {
    /// Plays the spins of a run, on the threads of the caller. `None` if the observer asked for an end.
    pub fn new(
        game: &Game,
        jackpots: &Jackpots,
        plan: &Plan,
        observer: &dyn Observer,
    ) -> Result<Option<Self>, RunError> {
        let mut compiled = Compiled::new(game, jackpots, plan);
        compiled.odds.clear();
        compiled.keeps_bets = false;
        let mut chunks = Vec::new();
        let (mut spins_done, mut wagered, mut paid) = (0, 0, 0);
        let (base, played) = play(
            &compiled,
            plan,
            plan.chunks(Shard::WHOLE),
            observer,
            Keeping::default(),
            &mut |facts: ChunkFacts| {
                let by_bet = facts.spins_by_bet.iter().zip(&game.bets.amounts);
                wagered += by_bet.map(|(&spins, &bet)| u128::from(spins) * u128::from(bet)).sum::<u128>();
                paid += facts.paid_base + facts.paid_features;
                spins_done += facts.spins_by_bet.iter().map(|&spins| u64::from(spins)).sum::<u64>();
                chunks.push(facts);
                Ok(Progress { spins_done, spins: plan.spins, wagered, paid })
            },
        )?;
        let whole = played.end == plan.chunk_count();
        Ok(whole.then(|| Self { plan: *plan, amount: game.bets.amounts[0], base, chunks }))
    }

    /// The run of a game for which [`plays_same_spins`] holds: that which playing it anew would give. Uses one thread.
    ///
    /// # Errors
    /// As a run.
    pub fn run(&self, game: &Game, jackpots: &Jackpots, openings: Option<&[u64]>) -> Result<Run, RunError> {
        let plan = &self.plan;
        let store = MemoryPools::new(jackpots.pool_count());
        let openings = openings.map_or_else(|| seeds(jackpots), <[u64]>::to_vec);
        let mut committer = Committer::new(plan, &game.bets, jackpots, &openings, &store, None)?;
        let tables = OddsTable::all(jackpots, plan);
        let bets = BetTable::new(&game.bets);
        for (chunk, facts) in self.chunks.iter().enumerate() {
            committer.commit(self.facts(facts, chunk as u64, game, jackpots, &tables, &bets))?;
        }
        let (pools, series) = committer.finish()?;
        Ok(finished(plan, plan.chunk_count(), self.base.clone(), pools, series))
    }

    /// A chunk's facts in the pool unit of another game, with the hits by odds of that game.
    fn facts(
        &self,
        facts: &ChunkFacts,
        chunk: u64,
        game: &Game,
        jackpots: &Jackpots,
        tables: &[OddsTable],
        table: &BetTable,
    ) -> ChunkFacts {
        let amount = |units: u128| {
            units / u128::from(self.amount) * u128::from(game.bets.amounts[0])
                + units % u128::from(self.amount) * u128::from(game.bets.amounts[0]) / u128::from(self.amount)
        };
        let mut own = ChunkFacts {
            paid_base: amount(facts.paid_base),
            paid_features: amount(facts.paid_features),
            ..facts.clone()
        };
        let drawn = std::cell::OnceCell::new();
        let bets = || -> &[u16] {
            drawn.get_or_init(|| {
                let mut bets = vec![0; self.plan.chunk_length(chunk) as usize];
                table.draw(&mut BetTable::stream(self.plan.rng_seed, chunk), &mut bets);
                bets
            })
        };
        let triggers = odds_triggers(tables, jackpots, &self.plan, chunk, &mut || bets());
        let (mut done, mut counts) = (0, vec![0u32; game.bets.count()]);
        for (offset, level) in triggers {
            let at = offset as usize;
            bets()[done..=at].iter().for_each(|&bet| counts[usize::from(bet)] += 1);
            done = at + 1;
            let bet_index = bets()[at];
            let counts_at = own.counts.len() as u32;
            if jackpots.levels[usize::from(level)].linked {
                own.counts.extend(&counts);
            } else {
                own.counts.push(counts[usize::from(bet_index)]);
            }
            own.triggers.push(TriggerFact { offset, level, bet_index, counts_at });
        }
        own.sort_triggers();
        own
    }
}
