//! Results for tests, small enough to be worked out by hand.

use super::result::*;
use crate::tally::{BaseTally, ConvergencePoint, FeatureTally, MeterPoint, PoolTally, Series, Win};

/// An expectation of nothing, to be filled in.
pub fn expectation() -> Expectation {
    Expectation {
        hits: 0.0,
        hits_sd: 0.0,
        paid: 0.0,
        paid_sd: 0.0,
        accrued: 0.0,
        accrued_sd: 0.0,
        rtp_seed: 0.0,
        rtp_growth: 0.0,
        amount_mean: 0.0,
        amount_sd: 0.0,
        hits_tolerance: 0.0,
        paid_tolerance: 0.0,
        basis: "exact".into(),
    }
}

/// A game of two bets, 1.00 and 2.00 (a pool unit is a cent, a return unit a tenth of the bet), one feature and one
/// level with a pool per bet. Of 60 spins, 40 are at the lower bet.
///
/// Lower bet: 12 spins pay 1 x bet. Higher bet: 2 spins pay 3 x bet, one more pays 3 x bet by its feature. The pool of the
/// lower bet is won three times, with 7.00, 8.00 and 10.00, after 10, 5 and 20 spins.
pub fn sample() -> RunResult {
    let mut result = empty();
    result.plan.spins_done = 60;
    result.base.spins_by_bet = vec![40, 20];
    result.base.base_by_bet = vec![120, 60];
    result.base.features_by_bet = vec![0, 30];
    result.base.count_plain(0, 45, 10);
    result.base.count_plain(10, 12, 10);
    result.base.count_plain(30, 2, 10);
    result.base.count_featured(0, 30, 10);
    for (pay, spin, bet_index) in [(30, 7, 1), (30, 9, 1), (30, 50, 1), (10, 3, 0)] {
        result.base.offer(Win { pay, spin, bet_index });
    }
    let mut feature = FeatureTally { triggers: 1, plays: 10, ..FeatureTally::default() };
    feature.returns.add(30, 1);
    result.base.by_feature = vec![feature];
    let tally = &mut result.levels[0].pools[0].tally;
    for (amount, gap) in [(700, 10), (800, 5), (1_000, 20)] {
        tally.record_amount(amount, 500, 0);
        tally.gaps.record(gap, 1);
    }
    tally.qualifying_spins = 40;
    tally.longest_drought = Some(20);
    tally.seeds = 1_500;
    tally.contributions = 1_100;
    tally.closing = 600;
    tally.closing_meter = 600;
    result.levels[0].pools[1].tally.qualifying_spins = 20;
    let expected = Expectation {
        hits: 4.0,
        hits_sd: 2.0,
        paid: 2_000.0,
        paid_sd: 1_000.0,
        accrued: 2_400.0,
        accrued_sd: 800.0,
        rtp_seed: 0.2,
        rtp_growth: 0.1,
        amount_mean: 750.0,
        amount_sd: 150.0,
        ..expectation()
    };
    result.levels[0].expected = Some(expected);
    result.series.convergence = vec![ConvergencePoint {
        spins: 60,
        wagered: 8_000,
        paid_base: 2_400,
        paid_features: 600,
        paid_by_level: vec![2_500],
        accrued_by_level: vec![2_600],
    }];
    result.series.meters = vec![vec![MeterPoint { spins: 60, lowest: 500, highest: 1_000, last: 600 }], Vec::new()];
    result.seal();
    result
}

/// The same game before any spin, without expectations.
pub fn empty() -> RunResult {
    let pool = |index: usize, seed: u64| PoolRecord {
        field: format!("TBI:{index}_JL:mini"),
        bet_index: Some(index),
        seed,
        cap: None,
        tally: PoolTally::new(seed, 1, 11),
        expected: None,
    };
    let mut result = RunResult {
        schema: SCHEMA,
        jackpot: "0.1.0".into(),
        game: GameRecord {
            name: "Two bets".into(),
            file: "two-bets".into(),
            source: "ours".into(),
            sha256: "00".into(),
            text: "name = \"Two bets\"\n".into(),
            attachments: Vec::new(),
            currency: "USD".into(),
            minor_digits: 2,
            units_per_minor: 1,
            return_scale: 10,
            lines: 5,
            published: vec![("rtp".into(), "70%".into()), ("spins_per_feature".into(), "60".into())],
            traffic: None,
        },
        plan: PlanRecord {
            rng_seed: u64::MAX,
            generator: "pcg".into(),
            chunk_spins: 60,
            spins: 60,
            spins_done: 0,
            complete: true,
            commit: "ordered".into(),
            openings: None,
            until: None,
        },
        bets: vec![BetRecord { amount: 100, mix: 2 }, BetRecord { amount: 200, mix: 1 }],
        base: BaseTally::new(2, 1),
        features: vec![FeatureRecord { name: "free".into(), kind: "free spins".into() }],
        levels: vec![LevelRecord {
            name: "mini".into(),
            linked: false,
            trigger: "1 in 15 a spin".into(),
            law: Law::Odds,
            not_for: Vec::new(),
            pools: vec![pool(0, 500), pool(1, 1_000)],
            expected: None,
        }],
        exact: None,
        series: Series::default(),
        checksum: String::new(),
    };
    result.seal();
    result
}

/// A game of many levels with long names and amounts near every bound, after as many spins as a run may have.
pub fn huge() -> RunResult {
    let mut result = sample();
    let spins = 10_000_000_000_000;
    result.game.name =
        "A game whose name is far too long to stand on one line of a terminal, and then some more".into();
    result.game.published.push(("a_long_key_of_a_published_figure".repeat(4), "1".into()));
    result.plan.spins = spins;
    result.plan.spins_done = spins - 1;
    result.plan.complete = false;
    result.bets =
        vec![BetRecord { amount: 1_000_000_000_000, mix: 2 }, BetRecord { amount: 2_000_000_000_000, mix: 1 }];
    result.base.spins_by_bet = vec![spins / 2, spins / 2];
    result.base.base_by_bet = vec![40_000_000_000_000, 45_000_000_000_000];
    result.base.count_plain(1_000_000_000, spins, 10);
    result.base.largest[0] = Win { pay: u64::MAX / 1_000, spin: spins - 1, bet_index: 1 };
    let mut level = result.levels[0].clone();
    for pool in &mut level.pools {
        pool.seed = 1 << 60;
        let mut tally = PoolTally::new(1 << 60, 1, 8);
        for amount in [1 << 62, (1 << 63) - 1, 1 << 61] {
            tally.record_amount(amount, 1 << 60, 0);
            tally.gaps.record(spins / 3, 1);
        }
        tally.hits = spins / 2;
        tally.qualifying_spins = spins;
        tally.paid = u128::MAX >> 40;
        tally.overflow = u128::MAX >> 41;
        tally.contributions = u128::MAX >> 42;
        tally.longest_drought = Some(spins);
        pool.tally = tally;
        pool.expected = Some(Expectation { hits: 1e12, hits_sd: 1e3, paid: 1e25, paid_sd: 1e20, ..expectation() });
    }
    level.expected = level.pools[0].expected.clone();
    for name in ["a-level-with-a-very-long-name-that-does-not-fit", "mega", "大奖池-一个非常长的名字-一个非常长的名字"]
    {
        level.name = name.into();
        result.levels.push(level.clone());
    }
    for point in &mut result.series.convergence {
        point.paid_by_level = vec![2_500; 4];
        point.accrued_by_level = vec![-2_600; 4];
    }
    result.seal();
    result
}
