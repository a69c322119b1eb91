//! Goal: what is approximate is so by no more than it says. Method: thousands of runs played spin by spin.

use super::player::{Generator, Repeats, play};
use super::*;

const RUNS: usize = 6000;

/// Plays a level of one bet `RUNS` times.
fn repeat(level: &Level, spins: usize, opening: u64) -> Repeats {
    let mut generator = Generator(spins as u64);
    let row = vec![0; spins];
    Repeats((0..RUNS).map(|_| play(level, &row, opening, &mut generator)).collect())
}

/// Plays a linked level on shuffled bets `RUNS` times.
fn repeat_mixed(level: &Level, spins: [usize; 2]) -> Repeats {
    let mut generator = Generator(spins[0] as u64);
    let mut row: Vec<usize> = std::iter::repeat_n(0, spins[0]).chain(std::iter::repeat_n(1, spins[1])).collect();
    let opening = level.seeds[0];
    Repeats(
        (0..RUNS)
            .map(|_| {
                generator.shuffle(&mut row);
                play(level, &row, opening, &mut generator)
            })
            .collect(),
    )
}

fn expect_mixed(level: &Level, spins: [usize; 2]) -> Expected {
    let table = bets(&[100, 400], &[3, 1]);
    let spins = spins.map(|count| count as u64);
    let (levels, _) = expected(&table, &one(level.clone()), &spins, &[level.seeds[0]], &[None]);
    levels[0].clone().expect("a law is known")
}

#[test]
fn odds_agree_with_repeats() {
    let level = odds_level(10, 2_000, 100);
    for spins in [200, 10_000] {
        let found = expect(level.clone(), spins as u64);
        repeat(&level, spins, 2_000).assert_agree(&found, 0.0, 0.0, &format!("odds, {spins} spins"));
    }
}

#[test]
fn odds_under_a_cap_agree_with_repeats() {
    let level = Level { caps: Some(vec![2_777]), ..odds_level(10, 2_000, 100) };
    for spins in [150, 5_000] {
        let found = expect(level.clone(), spins as u64);
        repeat(&level, spins, 2_000).assert_agree(&found, 0.0, 0.0, &format!("capped odds, {spins} spins"));
    }
}

#[test]
fn overflow_carried_to_the_next_seed_agrees_with_repeats() {
    for room in [2_000, 1_300, 1_000, 500] {
        let level =
            Level { caps: Some(vec![2_000 + room]), overflow: Overflow::NextSeed, ..odds_level(10, 2_000, 100) };
        for spins in [300, 5_000, 20_000] {
            let found = expect(level.clone(), spins as u64);
            let what = format!("overflow carried over {room}, {spins} spins");
            repeat(&level, spins, 2_000).assert_agree(&found, 0.01, 0.05, &what);
        }
    }
}

#[test]
fn a_uniform_must_hit_by_agrees_with_repeats() {
    let level = must_hit_by(7, 1_000, 2_400, ThresholdLaw::Uniform);
    for spins in [30, 300, 5_000] {
        let found = expect(level.clone(), spins as u64);
        repeat(&level, spins, 1_000).assert_agree(&found, 0.0, 0.0, &format!("uniform, {spins} spins"));
    }
    let capped = Level { caps: Some(vec![2_400]), ..must_hit_by(90, 1_000, 2_400, ThresholdLaw::Uniform) };
    for overflow in [Overflow::House, Overflow::NextSeed] {
        let level = Level { overflow, ..capped.clone() };
        let found = expect(level.clone(), 400);
        repeat(&level, 400, 1_000).assert_agree(
            &found,
            0.02,
            0.02,
            &format!("uniform, at most the bound, {overflow:?}"),
        );
    }
}

#[test]
fn a_spin_that_fills_the_room_hits_every_time() {
    for overflow in [Overflow::House, Overflow::NextSeed] {
        for law in [ThresholdLaw::Uniform, ThresholdLaw::AtCap, weighted(&[1_450, 1_500], &[1, 9])] {
            let level = Level { caps: Some(vec![1_500]), overflow, ..must_hit_by(600, 1_000, 1_500, law.clone()) };
            let shown = play(&level, &[0; 20], 1_000, &mut Generator(1));
            let found = expect(level, 20);
            for (found, shown) in [found.hits, found.paid, found.accrued].into_iter().zip(shown) {
                close(found, shown, 1e-6, &format!("{law:?}, {overflow:?}"));
            }
            close(found.amount_mean, 1_500.0, 1e-9, "amount");
        }
    }
}

#[test]
fn a_pool_cut_into_cells_agrees_with_whole_spins() {
    let cycles = |filling| renewal::UniformCycles { filling, ahead: 0.0 };
    for hits in [0.3, 2.0, 9.0, 60.0] {
        let whole = cycles(20_000.0).after(10_000.0 * hits);
        let cut = cycles(2e7).after(1e7 * hits);
        close(cut.hits, whole.hits, 3e-4 * (1.0 + hits), "hits");
        close(cut.hits_variance, whole.hits_variance, 3e-4 * (1.0 + hits), "variance of hits");
        close(cut.age / 1e7, whole.age / 1e4, 3e-4, "age");
        close(cut.hits_and_age / 1e7, whole.hits_and_age / 1e4, 3e-4, "covariance");
    }
}

#[test]
fn linked_pools_on_shuffled_bets_agree_with_repeats() {
    let spins = [1_500, 500];
    let odds = linked(500, Trigger::Odds { hits: vec![1, 4], of: 400 });
    repeat_mixed(&odds, spins).assert_agree(&expect_mixed(&odds, spins), 0.01, 0.02, "linked odds");
    let uniform = linked(500, Trigger::MustHitBy { bounds: vec![1_500], law: ThresholdLaw::Uniform });
    repeat_mixed(&uniform, spins).assert_agree(&expect_mixed(&uniform, spins), 0.01, 0.02, "linked must-hit-by");
}

#[test]
fn weighted_pieces_agree_with_repeats() {
    let pieces = || weighted(&[1_700, 2_260, 2_400], &[2, 0, 8]);
    let level = must_hit_by(7, 1_000, 2_400, pieces());
    for spins in [150, 300, 5_000] {
        let found = expect(level.clone(), spins as u64);
        assert_eq!(found.basis, "exact");
        repeat(&level, spins, 1_000).assert_agree(&found, 0.0, 0.0, &format!("pieces, {spins} spins"));
    }
    for overflow in [Overflow::House, Overflow::NextSeed] {
        let level = Level { caps: Some(vec![2_400]), overflow, ..must_hit_by(20, 1_000, 2_400, pieces()) };
        let what = format!("pieces, at most the bound, {overflow:?}");
        repeat(&level, 1_000, 1_000).assert_agree(&expect(level.clone(), 1_000), 0.02, 0.05, &what);
    }
    let spins = [1_500, 500];
    let pieces = weighted(&[700, 1_350, 1_500], &[2, 0, 8]);
    let mixed = linked(500, Trigger::MustHitBy { bounds: vec![1_500], law: pieces });
    repeat_mixed(&mixed, spins).assert_agree(&expect_mixed(&mixed, spins), 0.02, 0.05, "linked pieces");
}

#[test]
fn weighted_pieces_cut_into_cells_agree_with_whole_spins() {
    // The same law by fewer and by many spins; the figures in cycles are the same in the limit.
    let found = |contribution: u64, cycles: f64| {
        let level = must_hit_by(contribution, 0, 2_000_000_000, weighted(&[1_000_000_000, 2_000_000_000], &[1, 9]));
        let mean = 1.4e9 / contribution as f64 + 0.5;
        expect(level, (mean * cycles) as u64)
    };
    for cycles in [0.7, 3.3, 40.0] {
        let (whole, cut) = (found(1_000_000, cycles), found(1_000, cycles));
        assert_eq!((whole.basis.as_str(), cut.basis.starts_with("runs are cut into cells")), ("exact", true));
        close(cut.hits, whole.hits, 3e-3, "hits");
        close(cut.hits_sd, whole.hits_sd, 3e-3 * (1.0 + whole.hits_sd), "SD of hits");
        close(cut.paid / cut.amount_mean, whole.paid / whole.amount_mean, 3e-3, "paid");
        close(cut.paid_sd / cut.amount_mean, whole.paid_sd / whole.amount_mean, 3e-3, "SD of paid");
    }
    let narrow = must_hit_by(1_000, 0, 2_000_000_000, weighted(&[1_980_000_000, 2_000_000_000], &[0, 1]));
    let found = expect(narrow, 100_000_000_000);
    assert!(found.basis.contains("still come in step"), "{}", found.basis);
}

#[test]
fn at_the_cap_one_bet_is_exact() {
    for (contribution, bound) in [(7, 1_500), (10, 1_500), (501, 1_500), (700, 1_500)] {
        for (caps, overflow) in
            [(None, Overflow::House), (Some(vec![bound]), Overflow::House), (Some(vec![bound]), Overflow::NextSeed)]
        {
            for (spins, opening) in [(0, 1_000), (1, 1_000), (71, 1_000), (72, 1_400), (1_000, 1_000), (4_321, 1_490)] {
                let rules = must_hit_by(contribution, 1_000, bound, ThresholdLaw::AtCap);
                let rules = Level { caps: caps.clone(), overflow, ..rules };
                let shown = play(&rules, &vec![0; spins], opening, &mut Generator(1));
                let (levels, _) =
                    expected(&bets(&[100], &[1]), &one(rules.clone()), &[spins as u64], &[opening], &[None]);
                let found = levels[0].as_ref().expect("known");
                let what = format!("{rules:?}, {spins} from {opening}");
                assert_eq!([found.hits, found.paid, found.accrued], shown, "{what}");
                assert_eq!([found.hits_sd, found.paid_sd], [0.0; 2], "{what}");
            }
        }
    }
}

#[test]
fn at_the_cap_mixed_bets_stay_within_the_tolerance() {
    for (caps, overflow) in [(None, Overflow::House), (Some(1_507), Overflow::House), (Some(1_507), Overflow::NextSeed)]
    {
        let rules = linked(500, Trigger::MustHitBy { bounds: vec![1_507], law: ThresholdLaw::AtCap });
        let rules = Level { caps: caps.map(|cap| vec![cap]), overflow, ..rules };
        for spins in [[150, 50], [1_500, 500], [30_000, 10_000]] {
            let found = expect_mixed(&rules, spins);
            let repeats = Repeats(repeat_mixed(&rules, spins).0.into_iter().take(500).collect());
            for shown in &repeats.0 {
                close(shown[0], found.hits, found.hits_tolerance, "hits");
                close(shown[1], found.paid, found.paid_tolerance, "paid");
            }
            let mean = repeats.0.iter().map(|shown| shown[0]).sum::<f64>() / 500.0;
            println!(
                "{caps:?} {overflow:?} {spins:?}: hits {} found {mean}, tolerance {}",
                found.hits, found.hits_tolerance
            );
            close(mean, found.hits, 0.5, "mean hits");
        }
    }
}

#[test]
fn the_interval_for_the_mix_agrees_with_repeats() {
    // A linked level of equal odds: RTP falls as the bet rises. Bets are drawn, not shuffled.
    let table = bets(&[100, 400], &[3, 1]);
    let rules = linked(5_000, Trigger::Odds { hits: vec![1, 1], of: 50 });
    let game = one(rules.clone());
    let accrual = accrual_by_bet(&table, &game, &[None])[0].clone().expect("known");
    let spins = 2_000;
    let (levels, _) = expected(&table, &game, &[1_500, 500], &[5_000], &[None]);
    let given = levels[0].as_ref().expect("known");
    let stakes = 1_500.0 * 100.0 + 500.0 * 400.0;
    let variance =
        (given.accrued_sd / stakes) * (given.accrued_sd / stakes) + rtp_variance_of_mix(&table, &accrual, spins);
    let mut generator = Generator(7);
    let rtps: Vec<f64> = (0..RUNS)
        .map(|_| {
            let row: Vec<usize> = (0..spins).map(|_| usize::from(generator.below(4) == 3)).collect();
            let stakes: u64 = row.iter().map(|&bet| table.amounts[bet]).sum();
            play(&rules, &row, 5_000, &mut generator)[2] / stakes as f64
        })
        .collect();
    let mean = rtps.iter().sum::<f64>() / RUNS as f64;
    let found = rtps.iter().map(|rtp| (rtp - mean) * (rtp - mean)).sum::<f64>() / RUNS as f64;
    println!("variance of RTP found / expected: {}", found / variance);
    // Standard error of a variance of 6,000 nearly normal values: 1.8 %.
    close(found / variance, 1.0, 0.073, "variance of RTP");
}
