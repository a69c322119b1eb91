//! RTP by part: base, features, each jackpot level with its seed and its growth, and their sums.

use super::super::numbers::ratio;
use super::super::result::{ExactBetRecord, Expectation, RunResult};
use super::BetView;
use super::compare::{HITS_FEW, Outcome};
use super::estimate::paid_variances;
use super::jackpots::LevelView;
use super::play::Play;
use crate::tally::interval::Z_95;

/// All parts of RTP.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    pub total: Part,
    pub base: Part,
    pub features: Part,
    pub base_and_features: Part,
    /// `None` in a game without levels.
    pub jackpots: Option<Part>,
    /// In the order of the levels.
    pub levels: Vec<Part>,
}

/// One part of RTP.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    pub paid_money: u128,
    pub accrued_money: i128,
    /// What was paid, as a share of all stakes.
    pub paid: Share,
    /// Paid and growth of pools; differs from `paid` for jackpots alone.
    pub accrued: Share,
    /// Long-run expectation.
    pub long_run: Option<f64>,
    /// Figure of the game's `[published]` section.
    pub published: Option<f64>,
    /// Too few events for an interval to mean anything.
    pub few_hits: bool,
    /// The expectation, or that of a part of a sum, neglects something of weight.
    pub approximate: bool,
    /// The interval, or that of a part of a sum, is estimated from the run's own hits.
    pub estimated: bool,
    /// Half-width that this part adds to a sum, even where it is not shown.
    pub(in crate::report) reach: Option<f64>,
    pub(in crate::report) reach_accrued: Option<f64>,
}

/// A share of all stakes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    pub value: Option<f64>,
    /// Half the width of its 95 % interval.
    pub half_width: Option<f64>,
    /// What a run of this length is expected to show.
    pub expected: Option<f64>,
    /// (value - expected) / standard deviation.
    pub z: Option<f64>,
}

impl Parts {
    /// From what was counted.
    pub fn new(
        result: &RunResult,
        bets: &[BetView],
        levels: &[LevelView],
        play: &Play,
        wagered: u128,
        effective_spins: Option<f64>,
    ) -> Self {
        let published = |keys: &[&str]| published(result, keys);
        let spins = |money: u128, sigma: Option<f64>, events: u64, keys: &[&str]| {
            let reach = effective_spins.zip(sigma).map(|(spins, sigma)| Z_95 * sigma / spins.sqrt());
            Part::of_spins(money, wagered, reach, events, published(keys))
        };
        let base_money = bets.iter().map(|bet| bet.paid_base).sum();
        let features_money = bets.iter().map(|bet| bet.paid_features).sum();
        let triggers = result.base.by_feature.iter().map(|feature| feature.triggers).sum();
        let base = spins(base_money, play.sigma_base, result.base.hits_base, &["base"]);
        let mut features = spins(features_money, play.sigma_features, triggers, &["features", "free_spins"]);
        if result.features.is_empty() {
            features.few_hits = false;
        }
        let keys = ["base_and_features", "rtp_without_jackpots"];
        let base_and_features = spins(base_money + features_money, play.sigma, result.base.hits, &keys);
        let (mut base, mut base_and_features) = (base, base_and_features);
        if let Some(exact) = &result.exact {
            let by_bet = |figure: &dyn Fn(&ExactBetRecord) -> f64, same: f64| match exact.by_bet.is_empty() {
                true => same,
                false => of_stakes(bets, &exact.by_bet, wagered, figure),
            };
            for (part, sigma) in [(&mut base, Sigma::Base), (&mut base_and_features, Sigma::All)] {
                part.reach = reach_by_bet(bets, &exact.by_bet, wagered, sigma).or(part.reach);
                part.reach_accrued = part.reach;
                let shown = part.reach.filter(|_| !part.few_hits);
                (part.paid.half_width, part.accrued.half_width) = (shown, shown);
            }
            base.expect(by_bet(&|bet| bet.base, exact.base));
            features.expect(by_bet(&|bet| bet.features, exact.features.iter().sum()));
            base_and_features.expect(by_bet(&|bet| bet.base + bet.features, exact.without_jackpots));
        }
        let levels: Vec<Part> = (levels.iter())
            .map(|level| {
                let name = &level.record.name;
                Part::of_level(level, wagered, published(&[name, &format!("{name}_limit")]))
            })
            .collect();
        let jackpots = (!levels.is_empty()).then(|| Part::sum(levels.iter(), wagered, published(&["jackpots"])));
        let total = Part::sum([&base_and_features].into_iter().chain(&jackpots), wagered, published(&["rtp"]));
        Self { total, base, features, base_and_features, jackpots, levels }
    }
}

impl Part {
    fn of_spins(money: u128, wagered: u128, reach: Option<f64>, events: u64, published: Option<f64>) -> Self {
        let few_hits = events as f64 <= HITS_FEW;
        let paid = Share { value: ratio(money, wagered), half_width: reach.filter(|_| !few_hits), ..Share::default() };
        Self {
            paid_money: money,
            accrued_money: money as i128,
            paid,
            accrued: paid,
            published,
            few_hits,
            reach,
            reach_accrued: reach,
            ..Self::default()
        }
    }

    /// Sets what enumeration says: for base game and features a run of any length is expected to show the long run.
    fn expect(&mut self, exact: f64) {
        self.long_run = Some(exact);
        for (share, reach) in [(&mut self.paid, self.reach), (&mut self.accrued, self.reach_accrued)] {
            share.expected = share.value.map(|_| exact);
            share.z = share
                .value
                .zip(reach)
                .filter(|_| !self.few_hits)
                .and_then(|(value, reach)| (reach > 0.0).then(|| (value - exact) * Z_95 / reach));
        }
    }

    fn of_level(level: &LevelView, wagered: u128, published: Option<f64>) -> Self {
        let expected = level.record.expected.as_ref();
        let comparison = &level.all.comparison;
        // Without an expectation the run's own hits give the interval.
        let own = if expected.is_none() { paid_variances(level.record) } else { None };
        let few_hits = comparison.has_few_hits() || (own.is_some() && level.all.hits as f64 <= HITS_FEW);
        let stakes = wagered as f64;
        let share = |figure: fn(&Expectation) -> f64| {
            expected.filter(|_| wagered > 0).map(|expected| figure(expected) / stakes)
        };
        // Where a process has no variance, its tolerance stands for the interval in sums.
        let cycle = matches!(comparison.outcome, Outcome::Cycle { .. });
        let reach = if cycle { share(|e| e.paid_tolerance) } else { share(|e| Z_95 * e.paid_sd) };
        let reach_accrued = if cycle { share(|e| e.paid_tolerance) } else { share(|e| Z_95 * e.accrued_sd) };
        let own = own.filter(|_| wagered > 0);
        let reach = reach.or(own.map(|own| Z_95 * own.paid.sqrt() / stakes));
        let reach_accrued = reach_accrued.or(own.map(|own| Z_95 * own.accrued.sqrt() / stakes));
        let shown = |reach: Option<f64>| reach.filter(|_| !few_hits);
        Self {
            paid_money: level.all.paid,
            accrued_money: level.all.accrued,
            paid: Share {
                value: level.rtp_paid,
                half_width: shown(reach),
                expected: share(|e| e.paid),
                z: comparison.z_paid(),
            },
            accrued: Share {
                value: level.rtp_accrued,
                half_width: shown(reach_accrued),
                expected: share(|e| e.accrued),
                z: comparison.z_accrued(),
            },
            long_run: expected.map(|expected| expected.rtp_seed + expected.rtp_growth),
            published,
            few_hits,
            approximate: comparison.approximate,
            estimated: own.is_some(),
            reach,
            reach_accrued,
        }
    }

    /// A sum of parts that vary independently: half-widths add as squares. Missing where one of them is.
    fn sum<'a>(parts: impl Iterator<Item = &'a Self>, wagered: u128, published: Option<f64>) -> Self {
        let parts: Vec<&Self> = parts.collect();
        let add = |figure: fn(&Self) -> Option<f64>| parts.iter().map(|part| figure(part)).sum::<Option<f64>>();
        let reach = |figure: fn(&Self) -> Option<f64>| {
            (parts.iter().map(|part| figure(part).map(|reach| reach * reach)).sum::<Option<f64>>()).map(f64::sqrt)
        };
        let paid_money = parts.iter().map(|part| part.paid_money).sum();
        let accrued_money: i128 = parts.iter().map(|part| part.accrued_money).sum();
        let (reach, reach_accrued) = (reach(|part| part.reach), reach(|part| part.reach_accrued));
        let few_hits = parts.iter().all(|part| part.few_hits);
        let shown = |reach: Option<f64>| reach.filter(|_| !few_hits);
        // A sum has a z where each of its parts has one: no cycle stands for a spread, and nothing is neglected.
        let all_have_z = parts.iter().all(|part| part.paid.z.is_some() && !part.approximate);
        let (value, expected) = (ratio(paid_money, wagered), add(|part| part.paid.expected));
        let off = value.zip(expected).map(|(value, expected)| value - expected);
        let z = off.zip(reach).filter(|(_, reach)| all_have_z && *reach > 0.0).map(|(off, reach)| off * Z_95 / reach);
        Self {
            paid_money,
            accrued_money,
            paid: Share { value, half_width: shown(reach), expected, z },
            accrued: Share {
                value: (wagered > 0).then(|| accrued_money as f64 / wagered as f64),
                half_width: shown(reach_accrued),
                expected: add(|part| part.accrued.expected),
                z: None,
            },
            long_run: add(|part| part.long_run),
            published,
            few_hits,
            approximate: parts.iter().any(|part| part.approximate),
            estimated: parts.iter().any(|part| part.estimated),
            reach,
            reach_accrued,
        }
    }
}

/// What is expected of the stakes that were made, where bets don't all play alike.
fn of_stakes(
    bets: &[BetView],
    exact: &[ExactBetRecord],
    wagered: u128,
    figure: &dyn Fn(&ExactBetRecord) -> f64,
) -> f64 {
    let sum: f64 = bets.iter().zip(exact).map(|(bet, exact)| bet.wagered as f64 * figure(exact)).sum();
    if wagered > 0 { sum / wagered as f64 } else { 0.0 }
}

#[derive(Clone, Copy)]
enum Sigma {
    Base,
    All,
}

/// Half the width of the interval of what was paid, given the stakes, where bets don't all play alike: the variances of the
/// bets add up. `None` where they play alike, or one of them is not known.
fn reach_by_bet(bets: &[BetView], exact: &[ExactBetRecord], wagered: u128, sigma: Sigma) -> Option<f64> {
    if exact.is_empty() || wagered == 0 {
        return None;
    }
    let variance = bets.iter().zip(exact).map(|(bet, exact)| {
        let sigma = match sigma {
            Sigma::Base => exact.sigma_base?,
            Sigma::All => exact.sigma?,
        };
        Some(bet.spins as f64 * (bet.amount as f64 * sigma).powi(2))
    });
    Some(Z_95 * variance.sum::<Option<f64>>()?.sqrt() / wagered as f64)
}

/// A published share under one of these keys, of 1.
fn published(result: &RunResult, keys: &[&str]) -> Option<f64> {
    let (_, text) = result.game.published.iter().find(|(key, _)| keys.contains(&key.as_str()))?;
    Some(text.trim().strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0)
}

/// Whether a published figure stands beside a part of RTP.
pub fn is_shown_with_parts(key: &str, result: &RunResult) -> bool {
    let keys = ["base", "features", "free_spins", "base_and_features", "rtp_without_jackpots", "jackpots", "rtp"];
    let level = key.strip_suffix("_limit").unwrap_or(key);
    let has_row = keys.contains(&key) || result.levels.iter().any(|record| record.name == level || record.name == key);
    has_row && published(result, &[key]).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::sample;
    use super::super::View;
    use super::Z_95;

    #[test]
    fn rtp_adds_up_and_its_intervals_are_those_of_each_law() {
        let mut result = sample();
        result.base.hits = 60;
        let view = View::new(&result);
        let parts = &view.parts;
        // Base 1,200 + 1,200 and features 600, of 8,000.
        assert_eq!((parts.base.paid.value, parts.features.paid.value), (Some(0.3), Some(0.075)));
        assert_eq!(parts.total.paid.value, Some(5_500.0 / 8_000.0));
        assert_eq!(parts.total.accrued.value, Some(5_600.0 / 8_000.0));
        // sigma^2 = (60 * 3900 - 210^2) / 3600 / 10^2 = .5275; effective spins 53.33.
        let spins = Z_95 * (0.5275f64 / (64.0 / 1.2)).sqrt();
        assert!((parts.base_and_features.paid.half_width.unwrap() - spins).abs() < 1e-12);
        // Four hits are expected: too few for an interval of the level, but its spread widens the total.
        assert!(parts.levels[0].few_hits);
        assert_eq!(parts.levels[0].paid.half_width, None);
        let level = Z_95 * 1_000.0 / 8_000.0;
        assert!((parts.total.paid.half_width.unwrap() - spins.hypot(level)).abs() < 1e-12);
        assert_eq!(parts.levels[0].paid.expected, Some(0.25));
        assert!((parts.levels[0].long_run.unwrap() - 0.3).abs() < 1e-12);
        assert_eq!((parts.total.published, parts.base.published), (Some(0.7), None));
        assert_eq!(parts.total.paid.expected, None);
    }

    #[test]
    fn a_level_without_an_expectation_is_judged_by_its_own_hits() {
        let mut result = sample();
        result.base.hits = 60;
        result.levels[0].expected = None;
        let view = View::new(&result);
        let (total, level) = (&view.parts.total, &view.parts.levels[0]);
        assert_eq!((level.paid.expected, total.paid.expected), (None, None));
        // Three hits are too few for an interval of the level, but its spread widens the total.
        assert_eq!((level.few_hits, level.paid.half_width), (true, None));
        assert!(total.estimated && total.paid.half_width > view.parts.base_and_features.paid.half_width);
        // No hit at all tells nothing of the spread.
        result.levels[0].pools[0].tally = result.levels[0].pools[1].tally.clone();
        let view = View::new(&result);
        assert_eq!((view.parts.total.paid.half_width, view.parts.total.estimated), (None, false));
    }
}
