//! The same game, rng seed and spin count give the same bytes on any number of threads and shards.

mod support;

use jackpot::pool::Trigger;
use jackpot::sim::reuse::{PlayedSpins, plays_same_spins};
use jackpot::sim::run::run_shard;
use jackpot::sim::{Commit, Options, Plan, Run, Shard, Silent, merge, run};
use support::{Game, games};

fn plan() -> Plan {
    Plan { chunk_spins: 8_192, ..Plan::new(20_240_229, 700_001) }
}

fn ordered(game: &Game, threads: usize) -> Run {
    let options = Options { threads, ..Options::default() };
    run(&game.model.game, &game.model.jackpots, &plan(), options, &Silent).expect("a run")
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    for game in games() {
        let one = ordered(&game, 1);
        for threads in [2, 3, 8] {
            assert_eq!(ordered(&game, threads), one, "{} on {threads} threads", game.name);
        }
    }
}

#[test]
fn shards_merge_to_the_undivided_run() {
    for game in games() {
        let whole = ordered(&game, 2);
        for count in [1, 3, 7] {
            let mut facts = Vec::new();
            let mut bases = Vec::new();
            for index in 1..=count {
                let (game, jackpots) = (&game.model.game, &game.model.jackpots);
                let shard = Shard { index, count };
                let (base, _) = run_shard(game, jackpots, &plan(), shard, 2, &mut facts, &Silent).expect("a shard");
                bases.push(base);
            }
            bases.reverse();
            let (rules, jackpots) = (&game.model.game, &game.model.jackpots);
            let merged = merge(rules, jackpots, &plan(), None, &bases, &mut facts.as_slice(), None).expect("a merge");
            assert_eq!(merged, whole, "{} of {count} shards", game.name);
        }
    }
}

/// A game whose jackpots, and pool unit, differ from those of the shipped one.
fn with_other_jackpots(game: &Game) -> jackpot::config::Model {
    let path = std::path::Path::new("configs").join(format!("{}.toml", game.name));
    let file = jackpot::config::GameFile::open(&path).expect("a game");
    let other = |level: &str, key: &str, value: &str| -> jackpot::config::Override {
        format!("{level}.{key}={value}").parse().expect("a change")
    };
    let levels = &game.model.jackpots.levels;
    let changes: Vec<_> = levels
        .iter()
        .flat_map(|level| {
            let rate = other(&level.name, "contribution", "0.12347%");
            let odds = matches!(level.trigger, Trigger::Odds { .. });
            std::iter::once(rate).chain(odds.then(|| other(&level.name, "trigger.odds", "777")))
        })
        .collect();
    file.model(&changes).expect("a changed game")
}

#[test]
fn games_that_differ_in_jackpots_share_their_spins() {
    for game in games().into_iter().filter(|game| !game.model.jackpots.levels.is_empty()) {
        let own = (&game.model.game, &game.model.jackpots);
        let spins = PlayedSpins::new(own.0, own.1, &plan(), &Silent).expect("spins").expect("all of them");
        assert_eq!(spins.run(own.0, own.1, None).expect("a run"), ordered(&game, 2), "{}", game.name);
        let other = with_other_jackpots(&game);
        let changed = (&other.game, &other.jackpots);
        assert!(plays_same_spins(own, changed), "{}", game.name);
        let options = Options { threads: 2, ..Options::default() };
        let anew = run(changed.0, changed.1, &plan(), options, &Silent).expect("a run");
        assert_eq!(spins.run(changed.0, changed.1, None).expect("a run"), anew, "{}", game.name);
    }
}

#[test]
fn games_of_other_bets_share_no_spins() {
    let games = games();
    let house = &games.iter().find(|game| game.name == "house").expect("the house game").model;
    let mut other = house.game.clone();
    other.bets.mix[0] += 1;
    assert!(!plays_same_spins((&house.game, &house.jackpots), (&other, &house.jackpots)));
    let mut dearer = house.game.clone();
    dearer.bets.amounts[1] += 1;
    assert!(!plays_same_spins((&house.game, &house.jackpots), (&dearer, &house.jackpots)));
}

#[test]
fn another_rng_seed_gives_another_run() {
    for game in games() {
        let options = Options { threads: 2, ..Options::default() };
        let plan = Plan { rng_seed: 1, ..plan() };
        let other = run(&game.model.game, &game.model.jackpots, &plan, options, &Silent).expect("a run");
        assert_ne!(other.base, ordered(&game, 2).base, "{}", game.name);
    }
}

#[test]
fn a_live_run_on_eight_threads_loses_and_makes_no_money() {
    for game in games() {
        let options = Options { threads: 8, commit: Commit::Live, ..Options::default() };
        let live = run(&game.model.game, &game.model.jackpots, &plan(), options, &Silent).expect("a live run");
        let whole = ordered(&game, 2);
        assert_eq!(live.base, whole.base, "{}: what spins pay doesn't depend on pools", game.name);
        let levels = game.model.jackpots.levels.iter();
        let rules = levels.flat_map(|level| (0..level.pool_count()).map(move |_| level));
        for ((pool, ordered), level) in live.pools.iter().zip(&whole.pools).zip(rules) {
            assert_eq!((pool.residue(), pool.reserve_residue()), (0, 0), "{} {}", game.name, level.name);
            assert_eq!(pool.contributions, ordered.contributions, "{} {}", game.name, level.name);
            assert_eq!(pool.hidden, ordered.hidden, "{} {}", game.name, level.name);
            if !matches!(level.trigger, Trigger::MustHitBy { .. }) && game.model.jackpots.exclusive.is_empty() {
                assert_eq!(pool.hits, ordered.hits, "{} {}: odds hits depend on no balance", game.name, level.name);
            }
        }
    }
}
