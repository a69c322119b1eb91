//! A game that is known only as a table of outcomes.

use super::prizes::whole;
use super::{BaseFigures, CombinationFigures, Figure, outcome_weight};
use crate::game::rules::{Game, Outcomes};
use std::collections::BTreeMap;

/// Everything that the table says.
pub fn of_outcomes(game: &Game, outcomes: &Outcomes, level_count: usize) -> BaseFigures {
    let cycle = outcome_weight(outcomes);
    let (total, scale) = (whole(cycle.into()), game.return_scale);
    let mut distribution: BTreeMap<u64, u64> = BTreeMap::new();
    for row in outcomes.rows.iter().filter(|row| row.weight > 0) {
        *distribution.entry(row.pay).or_insert(0) += row.weight;
    }
    let sum = |power: u32| -> f64 {
        distribution
            .iter()
            .map(|(&pay, &weight)| weight as f64 / cycle as f64 * (pay as f64 / scale as f64).powi(power as i32))
            .sum()
    };
    let pays: num_bigint::BigUint =
        distribution.iter().map(|(&pay, &weight)| num_bigint::BigUint::from(pay) * weight).sum();
    let fraction = num_rational::BigRational::from(num_bigint::BigInt::from(pays)) / (&total * whole(scale.into()));
    let base = Figure::exact(fraction);
    let share = |least: u64| distribution.range(least..).map(|(_, &weight)| weight).sum::<u64>() as f64 / cycle as f64;
    let sigma = (sum(2) - sum(1) * sum(1)).max(0.0).sqrt();
    let mut chances = vec![None; level_count];
    for (level, chance) in chances.iter_mut().enumerate() {
        let rows = outcomes.rows.iter().filter(|row| row.jackpots.contains(&level));
        let weight: u64 = rows.map(|row| row.weight).sum();
        *chance = (weight > 0).then(|| Figure::exact(whole(weight.into()) / &total));
    }
    BaseFigures {
        cycle,
        lines_played: 0,
        lines: Figure::zero(),
        scatters: Figure::zero(),
        rtp: base.clone(),
        base,
        features: Vec::new(),
        combinations: distribution
            .iter()
            .filter(|(pay, _)| **pay > 0)
            .map(|(&pay, &weight)| CombinationFigures {
                name: String::new(),
                count: 0,
                pay,
                windows: weight.into(),
                is_scatter: false,
                play: None,
            })
            .collect(),
        line_hit_frequency: None,
        line_sigma: None,
        hit_frequency: Some(share(1)),
        hit_or_trigger: Some(share(1)),
        win_of_bet: Some(share(scale)),
        sigma_base: Some(sigma),
        sigma: Some(sigma),
        symbol_chances: chances,
        plays: Vec::new(),
        distribution: Some(distribution),
    }
}
