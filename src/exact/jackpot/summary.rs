//! What a designer asks of each pool in the long run: how often, how big, who pays, when it is worth playing.

use super::LongRun;
use super::chance::{Flows, flows};
use super::piecewise::Piecewise;
use super::reserve::{self, Gap, ReserveFigures};
use crate::exact::elementary::{exp, minus_ln_one_minus};
use crate::game::rules::Bets;
use crate::pool::{Jackpots, Level, Overflow, ThresholdLaw, Trigger};

/// A pool in the long run. Money in pool units, shares of the stakes of the pool's own bets.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolSummary {
    pub level: usize,
    /// Bet index that feeds it; `None` for a linked pool.
    pub bet_index: Option<usize>,
    pub seed: u64,
    /// Most that a hit pays, or the bound of a must-hit-by.
    pub cap: Option<u64>,
    /// Hits a spin of the pool's own.
    pub chance: f64,
    /// Spins of its own between hits: mean; half and 95 % of the gaps are at most so long.
    pub gap_mean: f64,
    pub gap_median: f64,
    pub gap_95: f64,
    pub coin_in: f64,
    pub amount_mean: f64,
    pub amount_deviation: f64,
    pub rtp_seed: f64,
    pub rtp_growth: f64,
    /// Sum of the mix weights of its own bets, and the mean stake there.
    pub weight: f64,
    pub stake: f64,
    /// Share that the next bet returns on average if the meter stands at the seed, the mean amount, or the cap.
    pub rtp_at_seed: f64,
    pub rtp_at_mean: f64,
    pub rtp_at_cap: Option<f64>,
    /// Meter at which the next bet returns its stake, given what else the game returns.
    pub break_even: Option<f64>,
    /// The same for whoever plays until it hits; uniform must-hit-by alone, where every bet helps the next.
    pub break_even_to_hit: Option<f64>,
    /// For a must-hit-by, in the limit of bets that are small beside its span.
    pub limit: Option<Limit>,
    /// Mean amount of a level that hits by chance, in the limit of bets that are small beside its growth: R + G (1 - e^(-(M -
    /// R) / G)). `None` where overflow is carried to the next seed.
    pub odds_limit: Option<f64>,
    /// What a hit leaves above the cap on average, where there is one.
    pub overflow: Option<f64>,
    /// What its reserve pays of the seeds, if it has one.
    pub reserve: Option<ReserveFigures>,
}

/// A must-hit-by in the limit of small bets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    pub rtp: f64,
    pub amount_mean: f64,
    pub coin_in: f64,
}

/// Every pool that some bet feeds and that can hit. `fixed_return`: what the game returns without jackpots at a bet index,
/// or in the mix (`None`), for the break-even.
pub fn summaries(
    bets: &Bets,
    jackpots: &Jackpots,
    symbol_chance: &[Option<f64>],
    fixed_return: &dyn Fn(Option<usize>) -> f64,
) -> Vec<PoolSummary> {
    let Flows { chances, incomes } = flows(bets, jackpots, symbol_chance);
    let mut all = Vec::new();
    for (level, rules) in jackpots.levels.iter().enumerate() {
        for (pool, &income) in incomes[level].iter().enumerate() {
            let Some(long) = LongRun::new(bets, rules, pool, chances[level].as_deref(), income) else { continue };
            all.push(PoolSummary {
                level,
                ..summary(bets, rules, pool, &long, income, fixed_return((!rules.linked).then_some(pool)))
            });
        }
    }
    all
}

fn summary(bets: &Bets, rules: &Level, pool: usize, long: &LongRun, income: f64, fixed: f64) -> PoolSummary {
    let own = |value: &dyn Fn(usize) -> f64| {
        let feeding = (0..bets.count()).filter(|&bet| rules.eligible[bet] && rules.pool_of(bet) == pool);
        let share = |bet: usize| if rules.linked { bets.mix[bet] as f64 } else { 1.0 };
        let total: f64 = feeding.clone().map(share).sum();
        feeding.map(|bet| share(bet) * value(bet)).sum::<f64>() / total
    };
    let contribution = own(&|bet| rules.contributions[bet] as f64);
    let seed = rules.seeds[pool] as f64;
    let cap = rules.caps.as_ref().map(|caps| caps[pool]);
    let bound = match &rules.trigger {
        Trigger::MustHitBy { bounds, law } => Some((bounds[pool] as f64, law, bounds[pool])),
        Trigger::Odds { .. } | Trigger::Symbols => None,
    };
    let pieces = super::level::pieces(rules, pool);
    let (p, left) = (long.rate, 1.0 - fixed);
    let share = contribution / long.stake;
    let growth = contribution + income;
    let (gap_median, gap_95) = match bound {
        None => (geometric(p, 0.5), geometric(p, 0.95)),
        Some((bound, ThresholdLaw::Uniform, _)) => {
            let span = (bound - seed) / growth;
            ((0.5 * span).ceil(), (0.95 * span).ceil())
        }
        Some((bound, ThresholdLaw::AtCap, _)) => {
            let span = ((bound - seed) / growth).ceil();
            (span, span)
        }
        Some((_, ThresholdLaw::Weighted { .. }, _)) => {
            let spins = |q: f64| (pieces.as_ref().map_or(0.0, |law| law.quantile(q)) / growth).ceil();
            (spins(0.5), spins(0.95))
        }
    };
    // The next bet's chance at a meter m of a uniform must-hit-by is its contribution over what is left, M - m.
    let rtp_at = |meter: f64| match bound {
        None => p * meter / long.stake,
        Some((bound, ThresholdLaw::Uniform, _)) => share * meter / (bound - meter),
        Some((_, ThresholdLaw::AtCap, _)) => 0.0,
        Some((_, ThresholdLaw::Weighted { .. }, _)) => {
            pieces.as_ref().map_or(0.0, |law| share * meter * law.hazard(meter - seed))
        }
    };
    let break_even = match bound {
        _ if left <= 0.0 => None,
        None => Some(long.stake * left / p).filter(|&meter| cap.is_none_or(|cap| meter <= cap as f64)),
        Some((bound, ThresholdLaw::Uniform, _)) => Some(bound * left / (left + share)),
        // The bet that takes the meter to the cap.
        Some((bound, ThresholdLaw::AtCap, _)) => Some(bound - contribution),
        Some((_, ThresholdLaw::Weighted { .. }, _)) => {
            pieces.as_ref().and_then(|law| weighted_break_even(law, seed, left / share))
        }
    };
    let gap = match (bound, &pieces) {
        (None, _) => Gap::Odds(p),
        (Some((bound, ThresholdLaw::AtCap, _)), _) => Gap::Fixed(((bound - seed) / contribution).ceil()),
        (Some((_, ThresholdLaw::Uniform, end)), _) => {
            Gap::Threshold(Piecewise::new(rules.seeds[pool], &[end], &[1]).scaled(1.0 / contribution))
        }
        (Some(_), pieces) => pieces.as_ref().map_or(Gap::Odds(p), |law| Gap::Threshold(law.scaled(1.0 / contribution))),
    };
    let hidden = own(&|bet| rules.hidden[bet] as f64);
    let full = growth / p;
    let odds_limit = match (bound, cap, rules.overflow) {
        (None, None, _) => Some(seed + full),
        (None, Some(cap), Overflow::House | Overflow::Level(_)) if full > 0.0 => {
            Some(seed + full * (1.0 - exp(-(cap as f64 - seed) / full)))
        }
        _ => None,
    };
    PoolSummary {
        odds_limit,
        overflow: rules.caps.as_ref().map(|_| long.overflow(seed)),
        reserve: rules.reserve.and_then(|surplus| reserve::figures(surplus, &gap, hidden, seed)),
        level: 0,
        bet_index: (!rules.linked).then_some(pool),
        seed: rules.seeds[pool],
        cap: cap.or(bound.map(|(_, _, bound)| bound)),
        chance: p,
        gap_mean: 1.0 / p,
        gap_median,
        gap_95,
        coin_in: long.stake / p,
        amount_mean: long.amount_mean,
        amount_deviation: long.amount_deviation,
        rtp_seed: p * long.seed_paid / long.stake,
        rtp_growth: p * (long.amount_mean - long.seed_paid) / long.stake,
        weight: long.weight,
        stake: long.stake,
        rtp_at_seed: rtp_at(seed),
        rtp_at_mean: rtp_at(long.amount_mean),
        rtp_at_cap: cap.filter(|_| bound.is_none()).map(|cap| rtp_at(cap as f64)),
        break_even,
        // Of a meter m the threshold is uniform on (m, M]: (M + m)/2 to come for (M - m)/2 of growth, each unit of which
        // costs 1/share x the house edge.
        break_even_to_hit: match bound {
            Some((bound, ThresholdLaw::Uniform, _)) if left > share => {
                Some(bound * (left - share) / (left + share)).filter(|&meter| meter >= seed)
            }
            _ => None,
        },
        limit: bound.map(|(bound, law, _)| match law {
            ThresholdLaw::Uniform => Limit {
                rtp: share * (bound + seed) / (bound - seed),
                amount_mean: (bound + seed) / 2.0,
                coin_in: (bound - seed) / (2.0 * share),
            },
            ThresholdLaw::AtCap => {
                Limit { rtp: share * bound / (bound - seed), amount_mean: bound, coin_in: (bound - seed) / share }
            }
            ThresholdLaw::Weighted { .. } => {
                let growth = pieces.as_ref().map_or(0.0, |law| law.moments().0);
                let amount_mean = seed + growth;
                Limit { rtp: share * amount_mean / growth, amount_mean, coin_in: growth / share }
            }
        }),
    }
}

/// Least meter m at which the next bet on weighted pieces returns `odds` / 1 of its stake: m x hazard = odds, and in
/// each piece m x density / (what lies above m) rises with m. In a later piece of less weight it may fall below again.
fn weighted_break_even(law: &Piecewise, seed: f64, odds: f64) -> Option<f64> {
    law.pieces().iter().filter(|piece| piece.share > 0.0).find_map(|piece| {
        let (density, above) = (piece.density(), 1.0 - piece.below - piece.share);
        let end = seed + piece.end;
        let meter = odds * (above + density * end) / (density * (1.0 + odds));
        (meter < end).then(|| meter.max(seed + piece.start))
    })
}

/// Least number of spins by which a hit has come with probability `q`.
fn geometric(p: f64, q: f64) -> f64 {
    if p >= 1.0 { 1.0 } else { (minus_ln_one_minus(q) / minus_ln_one_minus(p)).ceil() }
}
