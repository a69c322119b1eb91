//! Base and features as played: hit frequency, sigma, the win table, the largest wins.

use super::super::result::RunResult;
use super::spread::{Divisor, deviation};
use crate::money::Grouped;
use crate::tally::Moments;

/// z that the volatility index is stated with.
pub const VI_Z: f64 = 1.645;

/// Upper bounds of the ranges of the win table, x bet; the last range has none.
pub const RANGES: [u64; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, u64::MAX];

/// Play before any jackpot.
#[derive(Debug, Clone, PartialEq)]
pub struct Play {
    /// Share of spins that pay anything.
    pub hit_frequency: Option<f64>,
    /// Share of spins that pay anything or start a feature.
    pub hit_or_trigger_frequency: Option<f64>,
    pub hit_frequency_base: Option<f64>,
    /// Share of spins that pay at least their bet.
    pub win_of_bet_frequency: Option<f64>,
    /// Standard deviation of a spin's return, x bet.
    pub sigma: Option<f64>,
    pub sigma_base: Option<f64>,
    pub sigma_features: Option<f64>,
    /// Volatility index: [`VI_Z`] x sigma.
    pub volatility_index: Option<f64>,
    pub features: Vec<FeatureView>,
    pub wins: Vec<WinRange>,
    /// Pays from here on, in return units, are rounded down in the win table to 16 significant bits.
    pub exact_below: u64,
    pub largest: Vec<LargestWin>,
}

/// One feature, per trigger and x bet.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureView {
    pub name: String,
    pub kind: String,
    pub triggers: u64,
    pub spins_per_trigger: Option<f64>,
    pub mean_x_bet: Option<f64>,
    pub deviation_x_bet: Option<f64>,
    pub plays_per_trigger: Option<f64>,
    pub retriggers: u64,
}

/// Spins that paid within a range.
#[derive(Debug, Clone, PartialEq)]
pub struct WinRange {
    /// "0", "0 - 1", "1 - 2", "1,000 +": at least the first, less than the second, x bet.
    pub label: String,
    pub spins: u64,
    pub share: Option<f64>,
    /// Spins for each of them; `None` if there is none.
    pub one_in: Option<f64>,
    /// What they paid, x bet, for each spin played. Not weighted by stakes.
    pub rtp: Option<f64>,
}

/// One of the largest wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargestWin {
    pub x_bet: f64,
    /// In pool units.
    pub money: u128,
    pub bet: u64,
    pub spin: u64,
}

/// Pays in return units at a bet, as money. Exact, since a game's pool unit is chosen so.
pub fn money_of_pays(pays: u128, bet: u64, return_scale: u64) -> u128 {
    let (bet, scale) = (u128::from(bet), u128::from(return_scale.max(1)));
    pays / scale * bet + pays % scale * bet / scale
}

impl Play {
    /// From what was counted.
    pub fn new(result: &RunResult) -> Self {
        let base = &result.base;
        let spins = base.spins();
        let scale = result.game.return_scale as f64;
        let share = |count: u64| (spins > 0).then(|| count as f64 / spins as f64);
        let sigma = |moments: &Moments| {
            deviation(moments.sum, moments.sum_squares, spins, Divisor::Count).map(|deviation| deviation / scale)
        };
        Self {
            hit_frequency: share(base.hits),
            hit_or_trigger_frequency: share(base.hits_or_triggers),
            hit_frequency_base: share(base.hits_base),
            win_of_bet_frequency: share(base.wins_of_bet),
            sigma: sigma(&base.returns),
            sigma_base: sigma(&base.base),
            sigma_features: sigma(&base.features),
            volatility_index: sigma(&base.returns).map(|sigma| VI_Z * sigma),
            features: features(result, spins, scale),
            wins: wins(result, spins),
            exact_below: 1 << base.payouts.exact_bits().min(63),
            largest: (base.largest.iter())
                .map(|win| {
                    let bet = result.bets.get(win.bet_index).map_or(0, |bet| bet.amount);
                    LargestWin {
                        x_bet: win.pay as f64 / scale,
                        money: money_of_pays(win.pay.into(), bet, result.game.return_scale),
                        bet,
                        spin: win.spin,
                    }
                })
                .collect(),
        }
    }
}

fn features(result: &RunResult, spins: u64, scale: f64) -> Vec<FeatureView> {
    (result.features.iter().zip(&result.base.by_feature))
        .map(|(record, tally)| {
            let per_trigger = |count: f64| (tally.triggers > 0).then(|| count / tally.triggers as f64);
            FeatureView {
                name: record.name.clone(),
                kind: record.kind.clone(),
                triggers: tally.triggers,
                spins_per_trigger: per_trigger(spins as f64),
                mean_x_bet: per_trigger(tally.returns.sum as f64 / scale),
                deviation_x_bet: deviation(
                    tally.returns.sum,
                    tally.returns.sum_squares,
                    tally.triggers,
                    Divisor::CountLessOne,
                )
                .map(|deviation| deviation / scale),
                plays_per_trigger: per_trigger(tally.plays as f64),
                retriggers: tally.retriggers,
            }
        })
        .collect()
}

fn wins(result: &RunResult, spins: u64) -> Vec<WinRange> {
    let scale = result.game.return_scale;
    let range = |label: String, low: u128, high: u128| {
        let within = result.base.payouts.counts().iter().filter(|(pay, _)| (low..high).contains(&u128::from(*pay)));
        let (count, units) = within.fold((0, 0u128), |(count, units), &(pay, times)| {
            (count + times, units + u128::from(pay) * u128::from(times))
        });
        WinRange {
            label,
            spins: count,
            share: (spins > 0).then(|| count as f64 / spins as f64),
            one_in: (count > 0).then(|| spins as f64 / count as f64),
            rtp: (spins > 0).then(|| units as f64 / scale as f64 / spins as f64),
        }
    };
    let mut ranges = vec![range("0".into(), 0, 1)];
    let mut low = 0;
    for high in RANGES {
        let text = |bound: u64| Grouped(bound.into());
        let label =
            if high == u64::MAX { format!("{} +", text(low)) } else { format!("{} - {}", text(low), text(high)) };
        let bound = |x_bet: u64| u128::from(x_bet) * u128::from(scale);
        ranges.push(range(label, bound(low).max(1), if high == u64::MAX { u128::MAX } else { bound(high) }));
        low = high;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::sample;
    use super::*;

    #[test]
    fn play_has_the_figures_counted_by_hand() {
        let play = Play::new(&sample());
        assert_eq!((play.hit_frequency, play.win_of_bet_frequency), (Some(0.25), Some(0.25)));
        assert!((play.sigma.unwrap() - 0.5275f64.sqrt()).abs() < 1e-12);
        assert!((play.volatility_index.unwrap() - 1.645 * 0.5275f64.sqrt()).abs() < 1e-12);
        let feature = &play.features[0];
        assert_eq!(
            (feature.spins_per_trigger, feature.mean_x_bet, feature.deviation_x_bet),
            (Some(60.0), Some(3.0), None)
        );
        let counts: Vec<_> = play.wins.iter().map(|range| range.spins).collect();
        assert_eq!(counts, [45, 0, 12, 3, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!((play.wins[2].one_in, play.wins[3].rtp), (Some(5.0), Some(0.15)));
        assert_eq!((play.wins[1].one_in, play.wins[1].label.as_str()), (None, "0 - 1"));
        assert_eq!((play.largest[0].x_bet, play.largest[0].money), (3.0, 600));
    }

    #[test]
    fn money_of_pays_does_not_overflow() {
        assert_eq!(money_of_pays(10u128.pow(19), 10u64.pow(18), 1_000_000), 10u128.pow(31));
        assert_eq!(money_of_pays(15, 100, 10), 150);
    }
}
