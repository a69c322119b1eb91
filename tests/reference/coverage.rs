//! Whether the random games reach what they are there to reach: a rule that never comes up is not compared.

use super::{Defect, Played, Reference, random_game};
use jackpot::game::{Game, Play, PrizeTable, Reels};
use jackpot::pool::{Jackpots, ThresholdLaw, Trigger};
use jackpot::sim::Plan;
use jackpot::tally::FeatureTally;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

const GAMES: usize = 400;

/// Goal: each of these events comes up in at least 1 of 100 random games. Method: a fixed sample of games, 1,000 spins each.
#[test]
fn random_games_reach_every_rule() {
    let mut runner = TestRunner::deterministic();
    let mut reached = vec![0; EVENTS.len()];
    for rng_seed in 0..GAMES as u64 {
        let (game, jackpots) = random_game::game().new_tree(&mut runner).expect("no filter rejects").current();
        let run = Reference {
            game: &game,
            jackpots: &jackpots,
            plan: Plan { chunk_spins: 150, ..Plan::new(rng_seed, 1_000) },
            defect: None,
        }
        .play();
        for (count, (_, happened)) in reached.iter_mut().zip(EVENTS) {
            *count += usize::from(happened(&game, &jackpots, &run));
        }
    }
    for (count, (event, _)) in reached.into_iter().zip(EVENTS) {
        println!("{event}: {count} of {GAMES} games");
        assert!(count * 100 >= GAMES, "{event}: {count} of {GAMES} games");
    }
}

/// Goal: every mistake in a window, in what sticks or in a law of thresholds or in an overflow shows in at least 1 of 200 random games, so the agreement of both
/// engines on them means something. Method: the same sample, the sound reference against one with each defect.
#[test]
fn random_games_show_every_mistake() {
    let mut runner = TestRunner::deterministic();
    let mut seen = [0; MISTAKES.len()];
    for rng_seed in 0..GAMES as u64 {
        let (game, jackpots) = random_game::game().new_tree(&mut runner).expect("no filter rejects").current();
        let play = |defect| {
            let plan = Plan { chunk_spins: 150, ..Plan::new(rng_seed, 800) };
            Reference { game: &game, jackpots: &jackpots, plan, defect }.play()
        };
        let sound = play(None);
        for (count, defect) in seen.iter_mut().zip(MISTAKES) {
            let wrong = play(Some(defect));
            *count += usize::from(wrong.base != sound.base || wrong.pools != sound.pools);
        }
    }
    for (count, defect) in seen.into_iter().zip(MISTAKES) {
        println!("{defect:?}: {count} of {GAMES} games");
        assert!(count * 200 >= GAMES, "{defect:?}: {count} of {GAMES} games");
    }
}

const MISTAKES: [Defect; 12] = [
    Defect::FirstLineOffByOne,
    Defect::WildTwice,
    Defect::ScatterTwice,
    Defect::ScatterPerCell,
    Defect::WaysPerReel,
    Defect::WholeLineTwice,
    Defect::WildNotExpanded,
    Defect::StickyForgotten,
    Defect::ReplacedPaidToo,
    Defect::PlayOfFirstBet,
    Defect::WeightOfNextPiece,
    Defect::OverflowBeforeOthersPay,
];

type Happened = fn(&Game, &Jackpots, &Played) -> bool;

const EVENTS: &[(&str, Happened)] = &[
    ("an outcome table", |game, _, _| matches!(game.play, Play::Outcomes(_))),
    ("a base win in reels", |game, _, run| matches!(game.play, Play::Reels(_)) && run.base.hits_base > 0),
    ("free spins", |game, _, run| features(game, run).0.iter().any(|tally| tally.returns.sum > 0)),
    ("a retrigger", |game, _, run| features(game, run).0.iter().any(|tally| tally.retriggers > 0)),
    ("a bonus", |game, _, run| features(game, run).1.iter().any(|tally| tally.returns.sum > 0)),
    ("a wheel that spins again", |game, _, run| {
        let again = |tables: &[PrizeTable], table: usize| tables[table].rows.iter().any(|(prize, _)| prize.again);
        reels(game).is_some_and(|reels| {
            let bonuses = reels.bonuses.iter().zip(features(game, run).1);
            bonuses.into_iter().any(|(bonus, tally)| again(&reels.prize_tables, bonus.table) && tally.triggers > 0)
        })
    }),
    ("free spins by a wheel alone", |game, _, run| {
        reels(game).is_some_and(|reels| {
            let mut features = reels.free_spins.iter().zip(features(game, run).0);
            features.any(|(rules, tally)| rules.scatter.is_none() && tally.triggers > 0)
        })
    }),
    ("a jackpot by a wheel", |game, jackpots, run| {
        reels(game).is_some_and(|reels| {
            let by_reels = |level: usize| reels.jackpots.iter().any(|(other, _)| *other == level);
            let by_wheel = |level: usize| jackpots.levels[level].trigger == Trigger::Symbols && !by_reels(level);
            run.hits.iter().any(|hit| by_wheel(hit.level))
        })
    }),
    ("hits of two levels", |_, jackpots, run| {
        (0..jackpots.levels.len()).filter(|&level| run.hits.iter().any(|hit| hit.level == level)).count() > 1
    }),
    ("two hits on one spin", |_, _, run| run.hits.windows(2).any(|pair| pair[0].spin == pair[1].spin)),
    ("a hit at each of two bets", |_, _, run| {
        run.pools.iter().any(|pool| pool.hits_by_bet.iter().filter(|&&hits| hits > 0).count() > 1)
    }),
    ("a must-hit-by", |_, jackpots, run| {
        let due = |level: usize| matches!(jackpots.levels[level].trigger, Trigger::MustHitBy { .. });
        run.hits.iter().any(|hit| due(hit.level))
    }),
    ("a must-hit-by of weighted pieces", |_, jackpots, run| {
        let weighted = |level: usize| match &jackpots.levels[level].trigger {
            Trigger::MustHitBy { law: ThresholdLaw::Weighted { weights, .. }, .. } => {
                weights.iter().filter(|&&weight| weight > 0).count() > 1
            }
            _ => false,
        };
        run.hits.iter().any(|hit| weighted(hit.level))
    }),
    ("a jackpot of symbols", |_, jackpots, run| {
        run.hits.iter().any(|hit| jackpots.levels[hit.level].trigger == Trigger::Symbols)
    }),
    ("a suppressed hit", |_, _, run| run.pools.iter().any(|pool| pool.suppressed > 0)),
    ("a deferred hit", |_, _, run| run.pools.iter().any(|pool| pool.deferred > 0)),
    ("overflow to the house", |_, _, run| run.pools.iter().any(|pool| pool.overflow > 0 && pool.hits > 0)),
    ("overflow held at the end", |_, _, run| run.pools.iter().any(|pool| pool.closing > pool.closing_meter)),
    ("overflow to another level", |_, _, run| run.pools.iter().any(|pool| pool.received > 0)),
    ("a short reset", |_, _, run| run.pools.iter().any(|pool| pool.short_resets > 0)),
    ("a seed out of the reserve", |_, _, run| run.pools.iter().any(|pool| pool.from_reserve > 0)),
    ("a released surplus", |_, _, run| run.pools.iter().any(|pool| pool.released > 0)),
];

fn reels(game: &Game) -> Option<&Reels> {
    match &game.play {
        Play::Reels(reels) => Some(reels),
        Play::Outcomes(_) => None,
    }
}

/// Tallies of free spins, and tallies of bonuses.
fn features<'a>(game: &Game, run: &'a Played) -> (&'a [FeatureTally], &'a [FeatureTally]) {
    let free_spins = match &game.play {
        Play::Reels(reels) => reels.free_spins.len(),
        Play::Outcomes(_) => 0,
    };
    run.base.by_feature.split_at(free_spins)
}
