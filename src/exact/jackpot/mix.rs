//! RTP by bet, and the interval of a long-run RTP where it differs by bet.

use super::chance::{Flows, flows};
use super::level::LongRun;
use crate::exact::elementary::exp;
use crate::game::rules::Bets;
use crate::pool::{Jackpots, Overflow, Trigger};

/// What a level pays, in the long run, per unit staked at each bet, as the players at that bet see it: hits there x
/// mean amount. For a linked level with odds proportional to the bet it is the same at every bet. By level and bet
/// index; 0 where the bet is not eligible, `None` where unknown.
pub fn rtp_by_bet(bets: &Bets, jackpots: &Jackpots, symbol_chance: &[Option<f64>]) -> Vec<Option<Vec<f64>>> {
    by_bet(bets, jackpots, symbol_chance, |_, bet, chance, pool| chance * pool.amount_mean / bets.amounts[bet] as f64)
}

/// What one more spin at a bet adds to the payments of a level in the long run, whoever wins them, per unit staked: its
/// contribution (what of it is not lost at the cap) and the seeds of its hits. This, not [`rtp_by_bet`], belongs in
/// [`rtp_variance_of_mix`]. The same as `rtp_by_bet` for a level with a pool per bet.
pub fn accrual_by_bet(bets: &Bets, jackpots: &Jackpots, symbol_chance: &[Option<f64>]) -> Vec<Option<Vec<f64>>> {
    by_bet(bets, jackpots, symbol_chance, |level, bet, chance, pool| {
        let rules = &jackpots.levels[level];
        let stake = bets.amounts[bet] as f64;
        let contribution = rules.contributions[bet] as f64;
        let seed = rules.seeds[rules.pool_of(bet)] as f64;
        let must_hit_by = matches!(rules.trigger, Trigger::MustHitBy { .. });
        let receives = jackpots.levels.iter().any(|other| other.overflow == Overflow::Level(level));
        if must_hit_by || receives || !rules.linked {
            return chance * pool.amount_mean / stake;
        }
        let growth = pool.contributed;
        match (&rules.caps, rules.overflow) {
            (Some(caps), Overflow::House | Overflow::Level(_)) if growth > 0.0 => {
                // Derivative of hits x (R + G (1 - e^-x)), x = D / G, with G = contributions / hits.
                let x = (caps[0] as f64 - seed) / growth;
                let kept = 1.0 - exp(-x) * (1.0 + x);
                (chance * (pool.amount_mean - growth * kept) + contribution * kept) / stake
            }
            (Some(caps), Overflow::NextSeed) if seed + growth >= caps[0] as f64 => chance * pool.amount_mean / stake,
            _ => (contribution + chance * seed) / stake,
        }
    })
}

fn by_bet(
    bets: &Bets,
    jackpots: &Jackpots,
    symbol_chance: &[Option<f64>],
    value: impl Fn(usize, usize, f64, &LongRun) -> f64,
) -> Vec<Option<Vec<f64>>> {
    let Flows { chances, incomes } = flows(bets, jackpots, symbol_chance);
    jackpots
        .levels
        .iter()
        .zip(&chances)
        .enumerate()
        .map(|(index, (level, chances))| {
            let chances = chances.as_ref()?;
            Some(
                (0..bets.count())
                    .map(|bet| {
                        let place = level.pool_of(bet);
                        let pool = LongRun::new(bets, level, place, Some(chances), incomes[index][place]);
                        let pool = pool.filter(|_| level.eligible[bet]);
                        pool.map_or(0.0, |pool| value(index, bet, chances[bet], &pool))
                    })
                    .collect(),
            )
        })
        .collect()
}

/// The part of a run's RTP variance that comes from the spins at each bet being random: N Var_mix(b (r_b - r)) / (N E
/// b)^2, r the RTP of the mix. Added to the variance given the spins per bet (`paid_sd` or `accrued_sd` over the
/// stakes, squared). 0 if RTP is the same at every bet.
///
/// Source: the delta method for a ratio of two random sums (Cochran, *Sampling Techniques*, 1977, section 2.11).
pub fn rtp_variance_of_mix(bets: &Bets, accrual_by_bet: &[f64], spins: u64) -> f64 {
    let total = bets.mix_total() as f64;
    let mean = |value: &dyn Fn(usize) -> f64| {
        (0..bets.count()).map(|bet| bets.mix[bet] as f64 / total * value(bet)).sum::<f64>()
    };
    let amount = |bet: usize| bets.amounts[bet] as f64;
    let stake = mean(&amount);
    let rtp = mean(&|bet| amount(bet) * accrual_by_bet[bet]) / stake;
    // The deviations have mean 0 by the choice of `rtp`.
    let variance = mean(&|bet| {
        let deviation = amount(bet) * (accrual_by_bet[bet] - rtp);
        deviation * deviation
    });
    variance / (spins as f64 * stake * stake)
}
