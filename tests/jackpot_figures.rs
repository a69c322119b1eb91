//! Goal: jackpot levels return what is published or was simulated elsewhere, and what this engine plays. Sources stand
//! in the game files; the other figures are those of `docs/mathematics.md`.

mod support;

use jackpot::cli::par_sheet;
use jackpot::config::{self, Model};
use jackpot::exact::jackpot::{expected, rtp_by_bet};
use jackpot::report::par::{ParSheet, PoolRow};
use jackpot::sim::run::run_shard;
use jackpot::sim::{Commit, Options, Plan, Shard, Silent, merge, run};
use support::games;

fn within(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected} within {tolerance}");
}

fn shipped(name: &str) -> ParSheet {
    let game = games().into_iter().find(|game| game.name == name).unwrap_or_else(|| panic!("{name} is shipped"));
    par_sheet(&game.model, 1_000_000, None)
}

/// A game that pays half of each bet before its levels.
fn model(bets: &str, levels: &str) -> Model {
    let text = format!(
        "name = \"t\"\ncurrency = \"USD\"\nsource = \"t\"\n[bets]\n{bets}\n[outcomes]\nrows = [[\"0.5\", 1]]\n{levels}"
    );
    config::parse("t", &text, &|_| Err(std::io::ErrorKind::NotFound.into())).unwrap_or_else(|error| panic!("{error:?}"))
}

fn level(name: &str, contribution: &str, seed: &str, rest: &str) -> String {
    format!(
        "[[jackpot]]\nlevel = \"{name}\"\ncontribution = \"{contribution}\"\nseed = \"{seed}\"\npool = \"linked\"\n{rest}\n"
    )
}

fn rtp(pool: &PoolRow) -> f64 {
    pool.rtp_seed + pool.rtp_growth
}

#[test]
fn the_pieces_of_ags_give_the_mean_that_was_observed() {
    let sheet = shipped("ags-5000");
    let pool = &sheet.pools[0];
    within(pool.limit_amount_mean.expect("a must-hit-by"), 4_945.49, 1e-9, "mean amount");
    within(pool.limit_coin_in.expect("a must-hit-by"), 945.49 * 375.0, 1e-6, "coin-in per hit");
    within(pool.amount_mean, 4_945.49, 0.01, "mean amount, spin by spin");
}

#[test]
fn mega_drop_returns_its_rates_and_reseeds_a_quarter() {
    let sheet = shipped("mega-drop");
    for (pool, rate) in sheet.pools.iter().zip([0.004, 0.007, 0.009]) {
        within(rtp(pool), rate, 1e-6, &pool.level);
        within(pool.rtp_seed / rtp(pool), 0.25, 1e-3, &pool.level);
    }
    within(sheet.pools.iter().map(rtp).sum(), 0.02, 1e-6, "all levels");
}

#[test]
fn odds_return_contribution_and_seed() {
    let text = level("m", "2%", "1000", "trigger = { odds = 10_000 }");
    let pool = par_sheet(&model("amounts = [1]", &text), 400_000_000, None).pools.swap_remove(0);
    within(rtp(&pool), 0.12, 1e-12, "RTP");
    within(pool.amount_mean, 1_200.0, 1e-9, "mean");
    within(pool.amount_deviation, 200.0, 0.02, "SD");
}

#[test]
fn a_linked_level_of_equal_odds_returns_less_at_larger_bets() {
    let bets = "amounts = [0.2, 0.4, 0.8, 1.6, 4.0]\nmix = [40, 25, 20, 10, 5]";
    let at_bets = |trigger: &str| {
        let model = model(bets, &level("m", "1.5%", "500", trigger));
        rtp_by_bet(&model.game.bets, &model.jackpots, &[None])[0].clone().expect("odds are known")
    };
    for (found, published) in at_bets("trigger = { odds = \"100000/7\" }").iter().zip([0.2275, 0.11375, 0.05688]) {
        within(*found, published, 6e-6, "equal odds");
    }
    for found in at_bets("trigger = { odds = 10_000, per = \"1\" }") {
        within(found, 0.065, 1e-12, "odds in proportion");
    }
}

#[test]
fn finite_runs_have_the_bias_and_the_variance_that_were_simulated() {
    // Seed, contribution, spins, mean and SD of what 20,000 simulated batches paid, with their errors.
    let runs = [
        ("200", "10%", 1_000_000, 0.119_018, 2_331.3, 6e-5, 0.01),
        ("200", "10%", 100_000, 0.1101, 1_346.2, 2e-4, 0.01),
        ("1000", "2%", 1_000_000, 0.119_833, 10_029.1, 3e-4, 0.01),
        ("0", "10%", 1_000_000, 0.099_004, 984.1, 5e-5, 0.03),
    ];
    for (seed, rate, spins, mean, deviation, error, error_of_deviation) in runs {
        let model = model("amounts = [1]", &level("m", rate, seed, "trigger = { odds = 10_000 }"));
        let opening = model.jackpots.levels[0].seeds[0];
        let (levels, _) = expected(&model.game.bets, &model.jackpots, &[spins], &[opening], &[None]);
        let found = levels[0].clone().expect("odds are known");
        let unit = model.unit.per_major() as f64;
        within(found.paid / unit / spins as f64, mean, error, "mean");
        within(found.paid_sd / unit / deviation, 1.0, error_of_deviation, "SD");
    }
}

/// Two capped levels that feed a third.
fn sending() -> Model {
    let text = [
        level("mini", "2%", "10", "cap = { at = \"14\", overflow = { level = \"minor\" } }\ntrigger = { odds = 300 }"),
        level("major", "1%", "20", "trigger = { must_hit_by = \"21\", law = [[\"50%\", 1], [\"100%\", 3]], pays = \"at most the cap\", overflow = { level = \"minor\" } }"),
        level("minor", "0.5%", "50", "trigger = { odds = 2_000 }"),
    ]
    .concat();
    model("amounts = [1, 2]\nmix = [3, 1]", &text)
}

/// Goal: what one level leaves above its cap arrives at the other. Method: twelve million spins of mixed bets, against
/// the long run by algebra.
#[test]
fn overflow_to_another_level_returns_what_the_algebra_says() {
    let model = sending();
    let spins = 12_000_000;
    let played = run(&model.game, &model.jackpots, &Plan::new(7, spins), Options::default(), &Silent).expect("played");
    let seeds: Vec<u64> = model.jackpots.levels.iter().map(|level| level.seeds[0]).collect();
    let (_, pools) =
        expected(&model.game.bets, &model.jackpots, &played.base.spins_by_bet, &seeds, &[None, None, None]);
    for (tally, found) in played.pools.iter().zip(&pools) {
        let found = found.clone().expect("a law is known");
        let mean = tally.paid as f64 / tally.hits as f64;
        println!("{mean} {} {} {} {}", found.amount_mean, tally.hits, found.hits, found.basis);
        let error = 5.0 * found.amount_sd / (tally.hits as f64).sqrt() + 2e-4 * mean;
        within(mean, found.amount_mean, error, "amount");
        within(tally.hits as f64 / found.hits, 1.0, 5.0 / found.hits.sqrt(), "hits");
    }
    let sent = played.pools[0].overflow + played.pools[1].overflow;
    assert!(sent > 0 && sent == played.pools[2].received);
    let receiver = pools[2].as_ref().expect("a law is known");
    assert!(receiver.basis.contains("what other levels send"), "{}", receiver.basis);
    let growth = (receiver.amount_mean - seeds[2] as f64) * receiver.hits;
    let fed = (played.pools[2].contributions + played.pools[2].received) as f64;
    within(growth / fed, 1.0, 0.01, "growth of the receiver");
}

/// Goal: threads, shards and live commit keep the money of an overflow. Method: the same run in each way.
#[test]
fn overflow_is_the_same_in_shards_and_conserved_live() {
    let Model { game, jackpots, .. } = &sending();
    let plan = Plan { chunk_spins: 5_000, ..Plan::new(11, 300_001) };
    let played = |threads, commit| {
        run(game, jackpots, &plan, Options { threads, commit, ..Options::default() }, &Silent).expect("played")
    };
    let whole = played(1, Commit::Ordered);
    assert_eq!(whole, played(3, Commit::Ordered));
    let (mut facts, mut bases) = (Vec::new(), Vec::new());
    for index in 1..=3 {
        let shard = Shard { index, count: 3 };
        bases.push(run_shard(game, jackpots, &plan, shard, 2, &mut facts, &Silent).expect("a shard").0);
    }
    assert_eq!(merge(game, jackpots, &plan, None, &bases, &mut facts.as_slice(), None).expect("merged"), whole);
    for threads in [1, 3] {
        let live = played(threads, Commit::Live);
        assert!(live.pools.iter().all(|pool| pool.residue() == 0));
        assert!(live.pools[2].received > 0);
        assert_eq!(live.pools[0].overflow + live.pools[1].overflow, live.pools[2].received);
        assert_eq!(live.pools[0].hits, whole.pools[0].hits);
    }
}
