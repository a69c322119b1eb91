//! Goal: the laws are exact where they say so. Method: every outcome of a short run, with its probability.

use super::*;
use std::collections::HashMap;

/// Probability by (hits, paid, accrued).
type Outcomes = HashMap<(u64, u64, u64), f64>;

/// Mean and standard deviation of each figure.
fn figures(outcomes: &Outcomes) -> [(f64, f64); 3] {
    std::array::from_fn(|figure| {
        let value = |key: &(u64, u64, u64)| [key.0, key.1, key.2][figure] as f64;
        let mean: f64 = outcomes.iter().map(|(key, chance)| chance * value(key)).sum();
        let square: f64 = outcomes.iter().map(|(key, chance)| chance * (value(key) - mean) * (value(key) - mean)).sum();
        (mean, square.sqrt())
    })
}

/// Every outcome of a run on the level's only bet: the state is (hits, paid, meter), and for a must-hit-by the
/// threshold, drawn when it is first needed.
fn enumerate(level: &Level, spins: u64, opening: u64) -> Outcomes {
    let (seed, contribution) = (level.seeds[0], level.contributions[0]);
    let thresholds: Vec<(u64, f64)> = match &level.trigger {
        Trigger::MustHitBy { bounds, law } => thresholds(seed, bounds[0], law),
        _ => vec![(0, 1.0)],
    };
    let mut states: HashMap<(u64, u64, u64, u64), f64> =
        thresholds.iter().map(|&(threshold, chance)| ((0, 0, opening, threshold), chance)).collect();
    for _ in 0..spins {
        let mut next = HashMap::new();
        for (&(hits, paid, meter, threshold), &chance) in &states {
            let meter = meter + contribution;
            let hit = match &level.trigger {
                Trigger::Odds { hits, of } => hits[0] as f64 / *of as f64,
                _ => f64::from(u8::from(meter >= threshold)),
            };
            *next.entry((hits, paid, meter, threshold)).or_insert(0.0) += chance * (1.0 - hit);
            for &(threshold, drawn) in &thresholds {
                let state = (hits + 1, paid + level.award(0, meter), seed, threshold);
                *next.entry(state).or_insert(0.0) += chance * hit * drawn;
            }
        }
        next.retain(|_, chance| *chance > 0.0);
        states = next;
    }
    let mut outcomes = Outcomes::new();
    for ((hits, paid, meter, _), chance) in states {
        *outcomes.entry((hits, paid, paid + level.award(0, meter) - opening.min(paid + meter))).or_insert(0.0) +=
            chance;
    }
    outcomes
}

fn assert_exact(level: Level, spins: u64, opening: u64) {
    let what = format!("{:?}, caps {:?}, {spins} spins from {opening}", level.trigger, level.caps);
    let outcomes = figures(&enumerate(&level, spins, opening));
    let (levels, _) = expected(&bets(&[100], &[1]), &one(level), &[spins], &[opening], &[None]);
    let found = levels[0].clone().expect("a law is known");
    let found = [(found.hits, found.hits_sd), (found.paid, found.paid_sd), (found.accrued, found.accrued_sd)];
    for (figure, ((mean, deviation), (found_mean, found_deviation))) in outcomes.into_iter().zip(found).enumerate() {
        close(found_mean, mean, 1e-8 * (1.0 + mean), &format!("mean of figure {figure}, {what}"));
        // Compared as squares: a deviation of 0 is a difference of nearly equal numbers.
        let (square, found_square) = (deviation * deviation, found_deviation * found_deviation);
        close(found_square, square, 1e-8 * (1.0 + square + mean), &format!("variance of figure {figure}, {what}"));
    }
}

#[test]
fn odds_without_a_cap_are_exact_from_any_opening() {
    for (one_in, spins) in [(2, 1), (2, 12), (5, 13), (20, 14)] {
        for opening in [10, 25, 3] {
            assert_exact(odds_level(3, 10, one_in), spins, opening);
        }
    }
    assert_exact(odds_level(3, 10, 1), 9, 10);
}

#[test]
fn odds_under_a_cap_that_whole_contributions_reach_are_exact() {
    for one_in in [2, 5, 20] {
        for steps in [0, 1, 4, 8, 10, 30] {
            for spins in [1, 4, 9, 14] {
                let level = Level { caps: Some(vec![10 + 3 * steps]), ..odds_level(3, 10, one_in) };
                assert_exact(level, spins, 10);
            }
        }
    }
}

#[test]
fn a_uniform_must_hit_by_is_exact_from_any_opening() {
    for (contribution, bound) in [(2, 17), (3, 16), (1, 15), (9, 15), (5, 16)] {
        for spins in [1, 2, 7, 16] {
            for opening in [10, 13, 16] {
                assert_exact(must_hit_by(contribution, 10, bound, ThresholdLaw::Uniform), spins, opening);
            }
        }
    }
}

#[test]
fn a_weighted_must_hit_by_is_exact_from_any_opening() {
    let laws = [weighted(&[12, 18], &[1, 9]), weighted(&[11, 11, 16, 18], &[3, 0, 0, 2]), weighted(&[17, 18], &[0, 1])];
    for law in laws {
        for contribution in [1, 2, 3, 9] {
            for spins in [1, 2, 7, 16] {
                for opening in [10, 13, 17] {
                    assert_exact(must_hit_by(contribution, 10, 18, law.clone()), spins, opening);
                }
            }
        }
    }
}

#[test]
fn one_piece_is_the_uniform_law() {
    for (contribution, opening, spins) in [(3, 1_000, 5_000), (7, 1_200, 90), (11, 900, 100_000)] {
        let found = |law| {
            let level = must_hit_by(contribution, 1_000, 2_400, law);
            expected(&bets(&[100], &[1]), &one(level), &[spins], &[opening], &[None]).0[0].clone().expect("known")
        };
        let (pieces, uniform) = (found(weighted(&[1_700, 2_400], &[1, 1])), found(ThresholdLaw::Uniform));
        for (one, other) in [
            (pieces.hits, uniform.hits),
            (pieces.hits_sd, uniform.hits_sd),
            (pieces.paid, uniform.paid),
            (pieces.paid_sd, uniform.paid_sd),
            (pieces.amount_mean, uniform.amount_mean),
            (pieces.amount_sd, uniform.amount_sd),
        ] {
            close(one, other, 1e-7 * (1.0 + other), "one law in two forms");
        }
        assert_eq!(pieces.basis, "exact");
    }
}
