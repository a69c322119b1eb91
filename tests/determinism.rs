//! The same game, rng seed and spin count give the same bytes on any number of threads and shards.

mod support;

use jackpot::pool::Trigger;
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
