//! What jackpot levels are expected to show over a run of given spins per bet, by the law of their triggers. The
//! formulas, with numbers, stand in `docs/mathematics.md`.

pub mod at_cap;
mod basis;
pub mod carried;
mod chance;
pub mod growth;
mod level;
pub mod mix;
pub mod must_hit_by;
pub mod odds;
pub mod piecewise;
pub mod renewal;
pub mod reserve;
mod run;
pub mod summary;
#[cfg(test)]
mod tests;
pub mod weighted;

pub use chance::chances;
pub use level::LongRun;
pub use mix::{accrual_by_bet, rtp_by_bet, rtp_variance_of_mix};
pub use run::FiniteRun;

use chance::Flows;

use crate::game::rules::Bets;
use crate::pool::{Jackpots, Level};
use rayon::prelude::*;

/// What a finite run is expected to show, given its spins at each bet, from its opening on. Money in pool units.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    pub hits: f64,
    pub hits_sd: f64,
    /// Paid, the bias of the start included.
    pub paid: f64,
    pub paid_sd: f64,
    /// Paid plus growth of liability: contributions + seeds - overflow to the house.
    pub accrued: f64,
    pub accrued_sd: f64,
    /// Long-run share of the stakes (of the pool's own bets for a pool, of all bets by the mix for a level) that is
    /// paid as seed.
    pub rtp_seed: f64,
    /// The same for growth.
    pub rtp_growth: f64,
    /// Long-run mean and standard deviation of an amount.
    pub amount_mean: f64,
    pub amount_sd: f64,
    /// Most by which hits and paid may differ from expectation at the cap, where the standard deviations are 0. 0
    /// elsewhere.
    pub hits_tolerance: f64,
    pub paid_tolerance: f64,
    /// "exact", or what was neglected.
    pub basis: String,
}

/// What a run with these spins at each bet is expected to show: by level, and by pool in the order of all pools.
///
/// `spins_by_bet` is as realised, and everything is conditional on it; for the rest of the variance of an RTP see
/// [`rtp_variance_of_mix`]. `openings` by pool; `symbol_chance` by level: hit probability per eligible spin of a
/// symbols trigger, `None` if unknown or another trigger. A pool is `None` that no eligible bet feeds, that can never
/// hit, or whose probability is unknown; a level if one of its pools with an eligible bet is.
pub fn expected(
    bets: &Bets,
    jackpots: &Jackpots,
    spins_by_bet: &[u64],
    openings: &[u64],
    symbol_chance: &[Option<f64>],
) -> (Vec<Option<Expected>>, Vec<Option<Expected>>) {
    let Flows { chances, incomes } = chance::flows(bets, jackpots, symbol_chance);
    let offsets = jackpots.pool_offsets();
    let stake = bets.amounts.iter().zip(&bets.mix).map(|(&bet, &mix)| bet as f64 * mix as f64).sum::<f64>();
    let places: Vec<Place> = (jackpots.levels.iter().enumerate())
        .flat_map(|(level, rules)| (0..rules.pool_count()).map(move |pool| (level, pool)))
        .map(|(level, pool)| Place {
            level,
            pool,
            opening: openings[offsets[level] + pool],
            income: incomes[level][pool],
        })
        .collect();
    let all: Vec<Option<Part>> = (places.par_iter())
        .map(|&place| Part::new(bets, jackpots, place, chances[place.level].as_deref(), spins_by_bet))
        .collect();
    let pools = all.iter().map(|part| part.as_ref().map(Part::expected)).collect();
    let mut all = all.into_iter();
    let levels = (jackpots.levels.iter())
        .map(|rules| {
            let own: Vec<Option<Part>> = all.by_ref().take(rules.pool_count()).collect();
            let complete = (0..own.len()).all(|pool| own[pool].is_some() || !(rules.linked || rules.eligible[pool]));
            let parts: Vec<Part> = own.into_iter().flatten().collect();
            (complete && !parts.is_empty()).then(|| level_total(&parts, stake))
        })
        .collect();
    (levels, pools)
}

/// Which pool, what it opens at, and what other levels send to it per spin of its own.
#[derive(Clone, Copy)]
struct Place {
    level: usize,
    pool: usize,
    opening: u64,
    income: f64,
}

/// One pool: its finite run and its long run.
struct Part {
    run: FiniteRun,
    long: LongRun,
    basis: String,
}

impl Part {
    fn new(
        bets: &Bets,
        jackpots: &Jackpots,
        place: Place,
        chances: Option<&[f64]>,
        spins_by_bet: &[u64],
    ) -> Option<Self> {
        let Place { level, pool, opening, income } = place;
        let rules = &jackpots.levels[level];
        let long = LongRun::new(bets, rules, pool, chances, income)?;
        let run = level::finite_run(rules, pool, chances, spins_by_bet, opening, income)?;
        let spins: f64 = (0..spins_by_bet.len())
            .filter(|&bet| rules.eligible[bet] && rules.pool_of(bet) == pool)
            .map(|bet| spins_by_bet[bet] as f64)
            .sum();
        let circumstances = basis::Circumstances {
            mixed: is_mixed(rules, chances, spins_by_bet),
            opened: opening != rules.seeds[pool],
            cut: level::is_cut(rules, pool, &long, spins),
            narrow: level::has_narrow_pieces(rules, pool),
            unsettled: run.unsettled,
        };
        Some(Self { run, long, basis: basis::basis(jackpots, level, circumstances) })
    }

    fn expected(&self) -> Expected {
        let LongRun { rate, amount_mean, amount_deviation, seed_paid, stake, .. } = self.long;
        Expected {
            rtp_seed: rate * seed_paid / stake,
            rtp_growth: rate * (amount_mean - seed_paid) / stake,
            amount_mean,
            amount_sd: amount_deviation,
            ..figures(&self.run, self.basis.clone())
        }
    }
}

/// Whether spins of unequal contributions or odds feed a linked pool.
fn is_mixed(rules: &Level, chances: Option<&[f64]>, spins_by_bet: &[u64]) -> bool {
    let mut kinds = (0..spins_by_bet.len())
        .filter(|&bet| rules.linked && rules.eligible[bet] && spins_by_bet[bet] > 0)
        .map(|bet| (rules.contributions[bet], chances.map_or(0.0, |chances| chances[bet])));
    kinds.next().is_some_and(|first| kinds.any(|kind| kind != first))
}

/// The pools of a level together; they are independent, given the spins at each bet. `stake` is the sum of bet x mix
/// weight over all bets.
fn level_total(parts: &[Part], stake: f64) -> Expected {
    let run = parts.iter().fold(FiniteRun::default(), |sum, part| sum.plus(&part.run));
    let total = |value: &dyn Fn(&LongRun) -> f64| {
        parts.iter().map(|part| part.long.weight * part.long.rate * value(&part.long)).sum::<f64>()
    };
    let hits = total(&|_| 1.0);
    let paid = total(&|pool| pool.amount_mean);
    let seeds = total(&|pool| pool.seed_paid);
    let squares = total(&|pool| pool.amount_deviation * pool.amount_deviation + pool.amount_mean * pool.amount_mean);
    // Where the mix makes none of these bets, the first pool's figures stand.
    let first = &parts[0].long;
    let (mean, deviation) = if hits > 0.0 {
        let mean = paid / hits;
        (mean, (squares / hits - mean * mean).max(0.0).sqrt())
    } else {
        (first.amount_mean, first.amount_deviation)
    };
    let mut bases: Vec<&str> = Vec::new();
    for part in parts {
        if part.basis != "exact" && !bases.contains(&part.basis.as_str()) {
            bases.push(&part.basis);
        }
    }
    let basis = if bases.is_empty() { "exact".to_owned() } else { bases.join("; ") };
    Expected {
        rtp_seed: seeds / stake,
        rtp_growth: (paid - seeds) / stake,
        amount_mean: mean,
        amount_sd: deviation,
        ..figures(&run, basis)
    }
}

/// The figures of the run; those of the long run are left 0.
fn figures(run: &FiniteRun, basis: String) -> Expected {
    Expected {
        hits: run.hits,
        hits_sd: run.hits_variance.sqrt(),
        paid: run.paid,
        paid_sd: run.paid_variance.sqrt(),
        accrued: run.accrued,
        accrued_sd: run.accrued_variance.sqrt(),
        rtp_seed: 0.0,
        rtp_growth: 0.0,
        amount_mean: 0.0,
        amount_sd: 0.0,
        hits_tolerance: run.hits_tolerance,
        paid_tolerance: run.paid_tolerance,
        basis,
    }
}
