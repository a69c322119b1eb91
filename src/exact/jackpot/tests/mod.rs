//! The laws held against published numbers, against every outcome of small runs, and against repeats played spin by
//! spin by a player of its own, which knows nothing of `sim`.

mod closed_forms;
mod enumeration;
mod player;
mod repeats;
mod reserves;

use super::*;
use crate::pool::{Overflow, ThresholdLaw, Trigger};

/// A level with one bet of 100 units, no cap, no reserve, paid by the house.
fn level(contribution: u64, seed: u64, trigger: Trigger) -> Level {
    Level {
        name: "grand".to_owned(),
        linked: true,
        eligible: vec![true],
        contributions: vec![contribution],
        hidden: vec![0],
        seeds: vec![seed],
        caps: None,
        overflow: Overflow::House,
        reserve: None,
        trigger,
    }
}

fn odds_level(contribution: u64, seed: u64, one_in: u64) -> Level {
    level(contribution, seed, Trigger::Odds { hits: vec![1], of: one_in })
}

fn must_hit_by(contribution: u64, seed: u64, bound: u64, law: ThresholdLaw) -> Level {
    level(contribution, seed, Trigger::MustHitBy { bounds: vec![bound], law })
}

/// Weighted pieces of a level with one pool.
fn weighted(ends: &[u64], weights: &[u64]) -> ThresholdLaw {
    ThresholdLaw::Weighted { weights: weights.to_vec(), ends: vec![ends.to_vec()] }
}

/// Every threshold of a must-hit-by with one pool, and its probability.
fn thresholds(seed: u64, bound: u64, law: &ThresholdLaw) -> Vec<(u64, f64)> {
    match law {
        ThresholdLaw::AtCap => vec![(bound, 1.0)],
        ThresholdLaw::Uniform => (seed + 1..=bound).map(|due| (due, 1.0 / (bound - seed) as f64)).collect(),
        ThresholdLaw::Weighted { weights, ends } => {
            let total: u64 = weights.iter().sum();
            let mut start = seed;
            let mut all = Vec::new();
            for (&end, &weight) in ends[0].iter().zip(weights) {
                all.extend((start + 1..=end).map(|due| (due, weight as f64 / total as f64 / (end - start) as f64)));
                start = end;
            }
            all
        }
    }
}

/// A linked level of bets 100 and 400, which contribute 3 and 12.
fn linked(seed: u64, trigger: Trigger) -> Level {
    Level { eligible: vec![true; 2], contributions: vec![3, 12], hidden: vec![0; 2], ..level(0, seed, trigger) }
}

fn one(level: Level) -> Jackpots {
    Jackpots { levels: vec![level], exclusive: Vec::new() }
}

fn bets(amounts: &[u64], mix: &[u64]) -> Bets {
    Bets { amounts: amounts.to_vec(), mix: mix.to_vec(), lines: 1 }
}

/// The expectation of a game's only level, opened at its seed, at one bet of 100 units.
fn expect(level: Level, spins: u64) -> Expected {
    let opening = level.seeds[0];
    let (levels, pools) = expected(&bets(&[100], &[1]), &one(level), &[spins], &[opening], &[None]);
    let [Some(level), Some(pool)] = [&levels[0], &pools[0]] else { panic!("a law is known") };
    assert_eq!((level.paid, level.paid_sd, &level.basis), (pool.paid, pool.paid_sd, &pool.basis));
    close(level.amount_sd, pool.amount_sd, 1e-4 * pool.amount_mean, "SD of amount of a linked level and of its pool");
    pool.clone()
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: found {found}, expected {expected} within {tolerance}");
}
