//! Random small games with their jackpots, shrinkable, and within what a checked game file may hold.

use super::random_jackpots::{BETS_MAX, jackpots};
use super::random_reels::{outcomes, reels};
use jackpot::game::{Bets, Game, Play, Variant};
use jackpot::pool::{Jackpots, Trigger};
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::prelude::*;

/// Most that the weights of a mix sum to.
const MIX_MAX: u64 = 1 << 24;

/// A game and its jackpots.
pub fn game() -> impl Strategy<Value = (Game, Jackpots)> {
    (1..=BETS_MAX).prop_flat_map(|bet_count| (Just(bet_count), jackpots(bet_count))).prop_flat_map(
        |(bet_count, jackpots)| {
            let symbol_levels: Vec<usize> = (0..jackpots.levels.len())
                .filter(|&level| jackpots.levels[level].trigger == Trigger::Symbols)
                .collect();
            let play = prop_oneof![
                4 => reels(symbol_levels.clone()).prop_map(|reels| Play::Reels(Box::new(reels))),
                1 => outcomes(symbol_levels).prop_map(Play::Outcomes),
            ];
            let variants = vec((vec(weighted(0.5), bet_count), 0u64..7, any::<bool>()), 0..=2);
            ((1u64..20), bets(bet_count), play, Just(jackpots), variants).prop_map(
                |(return_scale, mut bets, play, jackpots, variants)| {
                    bets.amounts.iter_mut().for_each(|amount| *amount *= return_scale);
                    let variants = different(&play, variants);
                    (Game { name: "random".to_string(), bets, return_scale, play, variants }, jackpots)
                },
            )
        },
    )
}

/// Plays of some bets that pay otherwise: more, and with or without what jackpots stand in for.
fn different(play: &Play, variants: Vec<(Vec<bool>, u64, bool)>) -> Vec<Variant> {
    let mut taken = Vec::new();
    let mut found = Vec::new();
    for (bets, more, replaces) in variants {
        let bets: Vec<usize> = (0..bets.len()).filter(|bet| bets[*bet] && !taken.contains(bet)).collect();
        taken.extend(bets.iter().copied());
        let mut play = play.clone();
        match &mut play {
            Play::Reels(reels) => {
                reels.line_pays.iter_mut().flat_map(|pay| &mut pay.pays).for_each(|pay| *pay += more);
                reels.scatter_pays.iter_mut().flat_map(|pay| &mut pay.pays).for_each(|pay| *pay *= more);
                if !replaces {
                    reels.replaced.clear();
                }
            }
            Play::Outcomes(outcomes) => outcomes.rows.iter_mut().for_each(|row| row.pay *= more),
        }
        if !bets.is_empty() {
            found.push(Variant { bets, play });
        }
    }
    found
}

/// Amounts are in return scales.
fn bets(bet_count: usize) -> impl Strategy<Value = Bets> {
    (vec(1u64..6, bet_count), vec(0u64..9, bet_count), 0..bet_count, prop_oneof![2 => Just(0), 1 => 60_000u64..65_000])
        .prop_map(move |(amounts, mut mix, always, below_max)| {
            mix[always] += 1;
            if below_max > 0 {
                // At a sum of about 2^24 - 2^16 numbers are rejected most often: 1 in 260.
                let (sum, target) = (mix.iter().sum::<u64>(), MIX_MAX - below_max);
                mix.iter_mut().for_each(|weight| *weight *= target / sum);
                mix[always] += target % sum;
            }
            Bets { amounts, mix, lines: 1 }
        })
}
