//! A warning where a game returns more than it takes, as far as that is cheap to know: the mean of a table of outcomes
//! and the closed forms of the jackpots. The mean of reels is not worked out here. Figures are for the message alone.

use crate::config::findings::Notes;
use crate::config::wire::WireGame;
use crate::game::{Game, Play};
use crate::pool::{Jackpots, Level, ThresholdLaw, Trigger};

/// Warns if the known part of RTP is above 100 %.
pub(super) fn warn(notes: &Notes, wire: &WireGame, game: &Game, jackpots: &Jackpots) {
    let base = match &game.play {
        Play::Reels(_) => 0.0,
        Play::Outcomes(outcomes) => {
            let weight: f64 = outcomes.rows.iter().map(|row| row.weight as f64).sum();
            let pays: f64 = outcomes.rows.iter().map(|row| row.pay as f64 * row.weight as f64).sum();
            pays / weight / game.return_scale as f64
        }
    };
    let levels: f64 = (0..jackpots.levels.len()).map(|position| level_return(game, jackpots, position)).sum();
    if base + levels <= 1.0 + 1e-9 {
        return;
    }
    let parts = match &game.play {
        Play::Reels(_) => format!("the jackpots alone return {:.2} %", levels * 100.0),
        Play::Outcomes(_) => {
            format!("outcomes return {:.2} % and jackpots {:.2} %", base * 100.0, levels * 100.0)
        }
    };
    notes.warning(
        wire.name.as_ref().map_or(wire.span, |name| name.span),
        "rtp-above-100",
        format!("{parts} of what is wagered"),
        "RTP above 100 %",
        "a must-hit-by that hits at random returns c(M+R)/(M-R), odds return c + R p/b; check rates, seeds and odds",
    );
}

/// Share of the money wagered that a level returns in the long run.
fn level_return(game: &Game, jackpots: &Jackpots, position: usize) -> f64 {
    let level = &jackpots.levels[position];
    let pools = (0..level.pool_count()).map(|pool| pool_return(game, level, position, pool));
    let wagered: f64 = (0..game.bets.count()).map(|bet| spins(game, bet) * game.bets.amounts[bet] as f64).sum();
    pools.sum::<f64>() / wagered
}

fn spins(game: &Game, bet: usize) -> f64 {
    game.bets.mix[bet] as f64 / game.bets.mix_total() as f64
}

/// Pool units that a pool pays per spin of the game.
fn pool_return(game: &Game, level: &Level, position: usize, pool: usize) -> f64 {
    let bets = (0..game.bets.count()).filter(|&bet| level.eligible[bet] && level.pool_of(bet) == pool);
    let (mut grown, mut hits) = (0.0, 0.0);
    for bet in bets {
        grown += spins(game, bet) * level.contributions[bet] as f64;
        hits += spins(game, bet) * chance(game, level, position, bet);
    }
    let seed = level.seeds[pool] as f64;
    let cap = level.caps.as_ref().map(|caps| caps[pool] as f64);
    if let Trigger::MustHitBy { bounds, law } = &level.trigger {
        let bound = bounds[pool] as f64;
        let mean = match law {
            ThresholdLaw::Uniform => (seed + bound) / 2.0,
            ThresholdLaw::AtCap => bound,
            ThresholdLaw::Weighted { weights, ends } => weighted_mean(weights, &ends[pool], seed),
        };
        return grown * mean / (mean - seed);
    }
    if hits == 0.0 {
        return 0.0;
    }
    let growth = grown / hits;
    let growth = cap.map_or(growth, |cap| growth * (1.0 - (-(cap - seed) / growth.max(1e-300)).exp()));
    hits * (seed + growth)
}

/// Mean threshold of weighted pieces, in pool units, the lattice neglected.
fn weighted_mean(weights: &[u64], ends: &[u64], seed: f64) -> f64 {
    let starts = std::iter::once(seed).chain(ends.iter().map(|&end| end as f64));
    let total: f64 = weights.iter().map(|&weight| weight as f64).sum();
    let middles = starts.zip(ends).map(|(start, &end)| (start + end as f64) / 2.0);
    middles.zip(weights).map(|(middle, &weight)| middle * weight as f64).sum::<f64>() / total
}

/// Probability of a hit; 0 where only the reels know it.
fn chance(game: &Game, level: &Level, position: usize, bet: usize) -> f64 {
    match (&level.trigger, &game.play) {
        (Trigger::Odds { hits, of }, _) => hits[bet] as f64 / *of as f64,
        (Trigger::Symbols, Play::Outcomes(outcomes)) => {
            let weight: f64 = outcomes.rows.iter().map(|row| row.weight as f64).sum();
            let named = outcomes.rows.iter().filter(|row| row.jackpots.contains(&position));
            named.map(|row| row.weight as f64).sum::<f64>() / weight
        }
        _ => 0.0,
    }
}
