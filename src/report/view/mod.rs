//! Every figure of a report, derived once from a result. A figure that a run can't give is `None`, never 0.
//!
//! Shares and returns are of 1, not percent; money is in pool units. Standard deviations of spins are those of the
//! spins played; those of amounts are sample ones (divisor n - 1).

pub mod compare;
mod estimate;
pub mod jackpots;
pub mod parts;
pub mod play;
pub mod spread;

use super::numbers::ratio;
use super::result::RunResult;
use crate::money::PoolUnit;
use compare::Comparison;
use jackpots::{LevelView, level_views};
use parts::Parts;
use play::{Play, money_of_pays};

/// All derived figures of a result.
#[derive(Debug)]
pub struct View<'a> {
    pub result: &'a RunResult,
    pub unit: PoolUnit,
    pub wagered: u128,
    /// (Σb)² / Σb²: spins at one bet that would tell as much about RTP as these at several.
    pub effective_spins: Option<f64>,
    pub parts: Parts,
    pub play: Play,
    pub levels: Vec<LevelView<'a>>,
    pub bets: Vec<BetView>,
    pub totals: Totals,
    /// What is far from expectation, in words.
    pub warnings: Vec<String>,
}

/// One bet: who pays for whom.
#[derive(Debug, Clone, PartialEq)]
pub struct BetView {
    pub bet_index: usize,
    pub amount: u64,
    pub spins: u64,
    pub wagered: u128,
    pub paid_base: u128,
    pub paid_features: u128,
    pub paid_jackpots: u128,
    pub rtp_base: Option<f64>,
    pub rtp_features: Option<f64>,
    pub rtp_jackpots: Option<f64>,
    pub rtp: Option<f64>,
    pub jackpot_hits: u64,
}

/// Sums over all pools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub pools: usize,
    pub hits: u64,
    pub opening: u128,
    pub contributions: u128,
    pub seeds: u128,
    pub top_ups: u128,
    pub from_reserve: u128,
    pub paid: u128,
    pub closing: u128,
    pub overflow: u128,
    pub received: u128,
    pub hidden: u128,
    pub released: u128,
    pub reserve: u128,
    /// Meters minus seeds; below 0 where pools stand below their seeds.
    pub liability: i128,
    /// Sum of what each pool is off by, without sign: 0 unless the conservation law broke.
    pub residue: u128,
}

impl<'a> View<'a> {
    /// Derives everything.
    pub fn new(result: &'a RunResult) -> Self {
        let game = &result.game;
        let unit = PoolUnit {
            currency: game.currency.clone(),
            minor_digits: game.minor_digits,
            per_minor: game.units_per_minor,
        };
        let bets = bet_views(result);
        let wagered = bets.iter().map(|bet| bet.wagered).sum();
        let squares: f64 = bets.iter().map(|bet| bet.spins as f64 * (bet.amount as f64).powi(2)).sum();
        let effective_spins = (squares > 0.0).then(|| (wagered as f64).powi(2) / squares);
        let levels = level_views(result, wagered);
        let play = Play::new(result);
        let parts = Parts::new(result, &bets, &levels, &play, wagered, effective_spins);
        Self {
            unit,
            wagered,
            effective_spins,
            totals: totals(&levels),
            warnings: warnings(&parts, &levels),
            parts,
            play,
            levels,
            bets,
            result,
        }
    }

    /// Spins played.
    pub fn spins(&self) -> u64 {
        self.result.base.spins()
    }

    /// The bet that feeds a pool, in the currency; `None` for a linked pool.
    pub fn bet_amount(&self, bet_index: Option<usize>) -> Option<u64> {
        bet_index.and_then(|index| self.result.bets.get(index)).map(|bet| bet.amount)
    }
}

fn bet_views(result: &RunResult) -> Vec<BetView> {
    let base = &result.base;
    let scale = result.game.return_scale;
    let of = |list: &[u128], index: usize| list.get(index).copied().unwrap_or(0);
    (result.bets.iter().enumerate())
        .map(|(bet_index, bet)| {
            let spins = base.spins_by_bet.get(bet_index).copied().unwrap_or(0);
            let wagered = u128::from(spins) * u128::from(bet.amount);
            let paid_base = money_of_pays(of(&base.base_by_bet, bet_index), bet.amount, scale);
            let paid_features = money_of_pays(of(&base.features_by_bet, bet_index), bet.amount, scale);
            let (jackpot_hits, paid_jackpots) = jackpots::won_at(result, bet_index);
            BetView {
                bet_index,
                amount: bet.amount,
                spins,
                wagered,
                paid_base,
                paid_features,
                paid_jackpots,
                rtp_base: ratio(paid_base, wagered),
                rtp_features: ratio(paid_features, wagered),
                rtp_jackpots: ratio(paid_jackpots, wagered),
                rtp: ratio(paid_base + paid_features + paid_jackpots, wagered),
                jackpot_hits,
            }
        })
        .collect()
}

fn totals(levels: &[LevelView]) -> Totals {
    levels.iter().map(|level| (level, &level.all)).fold(Totals::default(), |sum, (level, figures)| Totals {
        pools: sum.pools + level.pools.len(),
        hits: sum.hits + figures.hits,
        opening: sum.opening + figures.opening,
        contributions: sum.contributions + figures.contributions,
        seeds: sum.seeds + figures.seeds,
        top_ups: sum.top_ups + figures.top_ups,
        from_reserve: sum.from_reserve + figures.from_reserve,
        paid: sum.paid + figures.paid,
        closing: sum.closing + figures.closing,
        overflow: sum.overflow + figures.overflow,
        received: sum.received + figures.received,
        hidden: sum.hidden + figures.hidden,
        released: sum.released + figures.released,
        reserve: sum.reserve + figures.reserve_closing,
        liability: sum.liability + figures.liability,
        residue: sum.residue + figures.residue,
    })
}

/// |z| from which a figure is pointed out.
const Z_FAR: f64 = 4.0;

fn warnings(parts: &Parts, levels: &[LevelView]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (name, part) in [("the base game", &parts.base), ("features together", &parts.features)] {
        if let Some(z) = part.paid.z.filter(|z| z.abs() > Z_FAR) {
            warnings.push(format!("{name} returned far from what is exact: z {z:+.1}"));
        }
    }
    for level in levels {
        warnings.extend(sentence(&level.record.name, &level.all.comparison));
        if level.pools.len() > 1 {
            for pool in &level.pools {
                warnings.extend(sentence(&pool.record.field, &pool.figures.comparison));
            }
        }
    }
    warnings
}

fn sentence(name: &str, comparison: &Comparison) -> Option<String> {
    comparison.far().map(|how| format!("{name} is far from expectation: {how}"))
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;

    #[test]
    fn each_bet_pays_what_was_counted_by_hand() {
        let result = sample();
        let view = View::new(&result);
        assert_eq!(view.wagered, 8_000);
        let bet = &view.bets[1];
        assert_eq!(
            (bet.spins, bet.wagered, bet.paid_base, bet.paid_features, bet.paid_jackpots),
            (20, 4_000, 1_200, 600, 0)
        );
        assert_eq!(
            (bet.rtp_base, bet.rtp_features, bet.rtp_jackpots, bet.rtp),
            (Some(0.3), Some(0.15), Some(0.0), Some(0.45))
        );
        let bet = &view.bets[0];
        assert_eq!((bet.paid_jackpots, bet.jackpot_hits), (2_500, 3));
        // (8000)^2 / (40 * 100^2 + 20 * 200^2)
        assert_eq!(view.effective_spins, Some(64e6 / 1.2e6));
    }

    #[test]
    fn a_run_without_spins_has_no_figures_rather_than_zeros() {
        let result = super::super::sample::empty();
        let view = View::new(&result);
        assert_eq!(view.parts.total.paid.value, None);
        assert_eq!(view.parts.base.paid.half_width, None);
        assert_eq!(view.play.hit_frequency, None);
        assert_eq!(view.play.sigma, None);
        assert_eq!(view.effective_spins, None);
        assert_eq!(view.levels[0].all.amount.mean, None);
        assert_eq!(view.levels[0].all.amount.median, None);
        assert_eq!(view.levels[0].all.gap.median, None);
        assert!(view.bets.iter().all(|bet| bet.rtp.is_none()));
    }

    #[test]
    fn the_ledger_of_all_pools_adds_up() {
        let result = sample();
        let totals = View::new(&result).totals;
        assert_eq!(
            totals.opening + totals.contributions + totals.seeds + totals.top_ups + totals.from_reserve,
            totals.paid + totals.closing + totals.overflow
        );
        assert_eq!((totals.residue, totals.hits, totals.pools, totals.liability), (0, 3, 2, 100));
    }
}
