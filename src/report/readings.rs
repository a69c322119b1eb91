//! The named figures of a run, each with its interval and what such a run is expected to show.

use super::numbers::major;
use super::result::{Expectation, Law, RunResult};
use super::view::View;
use super::view::jackpots::{Figures, LevelView};
use super::view::parts::{Part, Share};
use crate::metrics::catalogue::definition;
use crate::metrics::{Reading, Readings, Unit, interval};
use crate::tally::Histogram;
use crate::tally::interval::Z_95;

/// Every figure of a result, in an order that depends on the game alone.
pub fn readings(result: &RunResult) -> Readings {
    let view = View::new(result);
    let mut readings = Readings::default();
    let parts = &view.parts;
    let mut add = |reading: Reading| readings.add(reading);
    add(share("rtp", &parts.total.paid, &parts.total));
    add(share("rtp_accrued", &parts.total.accrued, &parts.total));
    add(share("base", &parts.base.paid, &parts.base));
    add(share("features", &parts.features.paid, &parts.features));
    add(share("without_jackpots", &parts.base_and_features.paid, &parts.base_and_features));
    if let Some(jackpots) = &parts.jackpots {
        add(share("jackpots", &jackpots.paid, jackpots));
        add(share("jackpots_accrued", &jackpots.accrued, jackpots));
    }
    play(&view, &mut add);
    if !view.levels.is_empty() {
        add(Reading::exact("jackpot_hits", Unit::Number, Some(view.totals.hits as f64)));
        let currency = |units: f64| Some(major(&view.unit, units));
        add(Reading::exact("liability", Unit::Currency, currency(view.totals.liability as f64)));
        add(Reading::exact("overflow", Unit::Currency, currency(view.totals.overflow as f64)));
    }
    for (level, part) in view.levels.iter().zip(&parts.levels) {
        level_readings(&view, level, part, &mut add);
    }
    readings
}

fn share(name: &str, share: &Share, part: &Part) -> Reading {
    let interval = share.value.zip(share.half_width).map(|(value, half)| (value - half, value + half));
    let few = "too few hits for an interval";
    let reading =
        Reading::estimate(name, Unit::Share, share.value, interval).expecting(share.expected, part.approximate);
    if part.few_hits { reading.lacking(few) } else { reading }
}

fn play(view: &View, add: &mut dyn FnMut(Reading)) {
    let (base, play) = (&view.result.base, &view.play);
    let exact = view.result.exact.as_ref();
    let spins = view.spins() as f64;
    let counted = |name: &str, value: Option<f64>, count: u64, expected: Option<f64>| {
        Reading::estimate(name, Unit::Share, value, interval::share(count as f64, spins)).expecting(expected, false)
    };
    let expected = exact.and_then(|exact| exact.hit_frequency);
    add(counted("hit_frequency", play.hit_frequency, base.hits, expected));
    let expected = exact.and_then(|exact| exact.hit_or_trigger_frequency);
    add(counted("hit_or_trigger", play.hit_or_trigger_frequency, base.hits_or_triggers, expected));
    add(counted("win_of_bet", play.win_of_bet_frequency, base.wins_of_bet, None));
    let scale = view.result.game.return_scale as f64;
    let around = |value: Option<f64>| {
        let value = value?;
        let reach = Z_95 * deviation_error(&base.payouts, scale, value)?;
        Some((value - reach, value + reach))
    };
    let sigma = Reading::estimate("sigma", Unit::Bets, play.sigma, around(play.sigma));
    add(sigma.expecting(exact.and_then(|exact| exact.sigma), false));
    let reading = Reading::estimate("sigma_base", Unit::Bets, play.sigma_base, None);
    add(reading.expecting(exact.and_then(|exact| exact.sigma_base), false));
    let times = |value: f64| value * super::view::play::VI_Z;
    let interval = around(play.sigma).map(|(low, high)| (times(low), times(high)));
    add(Reading::estimate("vi", Unit::Number, play.volatility_index, interval));
}

/// Standard error of a standard deviation of spins' pays, x bet: of s² it is sqrt((m4 - s^4) / n), m4 the fourth central
/// moment. `None` with fewer than two spins or none that varies.
fn deviation_error(payouts: &Histogram, scale: f64, sigma: f64) -> Option<f64> {
    let total = payouts.total() as f64;
    if total < 2.0 || sigma <= 0.0 {
        return None;
    }
    let pays = || payouts.counts().iter().map(|&(pay, count)| (pay as f64 / scale, count as f64));
    let mean = pays().map(|(pay, count)| pay * count).sum::<f64>() / total;
    let fourth = pays().map(|(pay, count)| count * (pay - mean).powi(4)).sum::<f64>() / total;
    let square_error = ((fourth - sigma.powi(4)).max(0.0) / total).sqrt();
    Some(square_error / (2.0 * sigma))
}

fn level_readings(view: &View, level: &LevelView, part: &Part, add: &mut dyn FnMut(Reading)) {
    let name = &level.record.name;
    let dotted = |short: &str| format!("{name}.{short}");
    add(share(&dotted("rtp"), &part.paid, part));
    add(share(&dotted("rtp_accrued"), &part.accrued, part));
    add(Reading::estimate(dotted("rtp_seed"), Unit::Share, level.rtp_seed, None));
    add(Reading::estimate(dotted("rtp_growth"), Unit::Share, level.rtp_growth, None));
    let record = level.record;
    let staked =
        (view.bets.iter()).filter(|bet| !record.not_for.contains(&bet.bet_index)).map(|bet| bet.wagered).sum::<u128>();
    let all = Scope {
        view,
        name: name.clone(),
        figures: &level.all,
        law: record.law,
        staked: major(&view.unit, staked as f64),
        is_one_pool: level.pools.len() == 1,
    };
    all.readings(record.expected.as_ref(), add);
    let pools = level.pools.iter().filter_map(|pool| Some((pool.record.bet_index?, pool)));
    for (bet, pool) in pools.filter(|_| level.pools.len() > 1) {
        let wagered: u128 = view.bets.iter().filter(|own| own.bet_index == bet).map(|own| own.wagered).sum();
        let own = Scope {
            view,
            name: format!("{name}@{bet}"),
            figures: &pool.figures,
            law: record.law,
            staked: major(&view.unit, wagered as f64),
            is_one_pool: true,
        };
        own.readings(pool.record.expected.as_ref(), add);
    }
}

/// The figures of a level or a pool.
struct Scope<'v> {
    view: &'v View<'v>,
    name: String,
    figures: &'v Figures,
    law: Law,
    /// Wagered at the bets that feed it, in the currency.
    staked: f64,
    is_one_pool: bool,
}

impl Scope<'_> {
    fn named(&self, short: &str, value: Option<f64>, interval: Option<(f64, f64)>) -> Reading {
        let name = format!("{}.{short}", self.name);
        let unit = definition(&name).map_or(Unit::Number, |definition| definition.unit);
        Reading::estimate(name, unit, value, interval)
    }

    fn fact(&self, short: &str, value: Option<f64>) -> Reading {
        let lack = self.named(short, value, None).lack.filter(|_| value.is_none());
        Reading { lack, ..self.named(short, value, value.map(|value| (value, value))) }
    }

    fn readings(&self, expected: Option<&Expectation>, add: &mut dyn FnMut(Reading)) {
        self.how_often(expected, add);
        self.how_much(expected, add);
        self.what_is_held(add);
    }

    fn how_often(&self, expected: Option<&Expectation>, add: &mut dyn FnMut(Reading)) {
        let (figures, hits) = (self.figures, self.figures.hits as f64);
        let fact = self.fact("hits", Some(hits));
        add(fact.expecting(expected.map(|expected| expected.hits), figures.comparison.approximate));
        // Of the mean count: exact for a few independent hits, else by the deviation of its law.
        let around = |deviation: f64| ((hits - Z_95 * deviation).max(0.0), hits + Z_95 * deviation);
        let range = match (figures.comparison.hits_interval(), expected) {
            (Some(range), _) => Some(range),
            (None, _) if hits == 0.0 => None,
            (None, Some(expected)) if expected.hits_tolerance > 0.0 => {
                Some(((hits - expected.hits_tolerance).max(0.0), hits + expected.hits_tolerance))
            }
            (None, Some(expected)) => Some(around(expected.hits_sd)),
            (None, None) => Some(around(hits.sqrt())).filter(|_| self.law == Law::Odds),
        };
        let per_hit = |whole: f64| {
            let per = |count: f64| (count > 0.0).then(|| whole / count);
            // Without a bound above where no hit would be no surprise.
            (per(hits), range.map(|(low, high)| (whole / high, per(low).unwrap_or(f64::INFINITY))))
        };
        let spins = self.view.spins() as f64;
        let own_spins = figures.qualifying_spins as f64;
        let named =
            |short: &str, (value, interval): (Option<f64>, Option<(f64, f64)>)| self.named(short, value, interval);
        let spins_per_hit = per_hit(spins);
        add(named("spins_per_hit", spins_per_hit));
        add(named("coin_in", per_hit(self.staked)));
        add(named("gap_mean", per_hit(own_spins)));
        let gap = &figures.gap;
        let ranked = |value: Option<u64>, place: usize| {
            (value.map(|spins| spins as f64), gap.ranges[place].map(|(low, high)| (low as f64, high as f64)))
        };
        add(named("gap_median", ranked(gap.median, 0)));
        add(named("gap_95", ranked(gap.percentile_95, 1)));
        add(self.fact("gap_max", figures.longest_drought.map(|spins| spins as f64)));
        let Some(traffic) = &self.view.result.game.traffic else { return };
        let day = traffic.spins_per_day as f64;
        let (value, interval) = spins_per_hit;
        let per_day = (value.map(|spins| day / spins), interval.map(|(low, high)| (day / high, day / low)));
        add(named("hits_per_day", per_day));
        let days = |spins: f64| spins / day;
        add(named("days_per_hit", (value.map(days), interval.map(|(low, high)| (days(low), days(high))))));
        if self.is_one_pool && own_spins > 0.0 {
            let (value, interval) = ranked(gap.percentile_95, 1);
            let days = |own: f64| own / own_spins * spins / day;
            add(named("days_95", (value.map(days), interval.map(|(low, high)| (days(low), days(high))))));
        }
    }

    fn how_much(&self, expected: Option<&Expectation>, add: &mut dyn FnMut(Reading)) {
        let (figures, hits) = (self.figures, self.figures.hits as f64);
        let currency = |units: f64| major(&self.view.unit, units);
        let amount = &figures.amount;
        let mean = amount.mean.map(currency);
        let deviation = amount.deviation.map(currency);
        let range = mean.zip(deviation).and_then(|(mean, deviation)| interval::mean(mean, deviation, hits));
        let expected_mean = expected.map(|expected| currency(expected.amount_mean));
        add(self.named("amount_mean", mean, range).expecting(expected_mean, figures.comparison.approximate));
        add(self.named("amount_sd", deviation, None));
        let whole = |value: Option<u64>| value.map(|units| currency(units as f64));
        let ranked =
            |place: usize| amount.ranges[place].map(|(low, high)| (currency(low as f64), currency(high as f64)));
        add(self.named("amount_median", whole(amount.median), ranked(0)));
        add(self.named("amount_95", whole(amount.percentile_95), ranked(1)));
        add(self.named("amount_99", whole(amount.percentile_99), ranked(2)));
        add(self.fact("amount_min", whole(amount.minimum)));
        add(self.fact("amount_max", whole(amount.maximum)));
        let per_hit = |money: u128| (hits > 0.0).then(|| currency(money as f64) / hits);
        add(self.named("overflow_mean", per_hit(figures.overflow), None));
        if figures.hidden > 0 {
            // A reset carries over to the next, so that they are not independent trials.
            let short = (hits > 0.0).then(|| figures.short_resets as f64 / hits);
            add(self.named("reserve_short", short, None));
            add(self.named("top_up_mean", per_hit(figures.top_ups), None));
        }
    }

    /// Facts of the run.
    fn what_is_held(&self, add: &mut dyn FnMut(Reading)) {
        let figures = self.figures;
        let currency = |units: f64| Some(major(&self.view.unit, units));
        add(self.fact("meter", currency(figures.meter as f64)));
        add(self.fact("liability", currency(figures.liability as f64)));
        if figures.hidden > 0 {
            add(self.fact("reserve", currency(figures.reserve_closing as f64)));
        }
        add(self.fact("overflow", currency(figures.overflow as f64)));
        add(self.fact("suppressed", Some(figures.suppressed as f64)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{empty, sample};
    use super::*;
    use crate::metrics::catalogue::CATALOGUE;

    #[test]
    fn a_game_has_the_same_names_in_every_run_and_all_of_them_have_a_meaning() {
        let names =
            |result: &RunResult| readings(result).iter().map(|reading| reading.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&empty()), names(&sample()));
        for reading in readings(&sample()).iter() {
            let entry = definition(&reading.name).unwrap_or_else(|| panic!("{} has no meaning", reading.name));
            assert!(entry.run && entry.unit == reading.unit, "{}", reading.name);
        }
        assert!(CATALOGUE.len() > 40);
    }

    #[test]
    fn figures_are_those_counted_by_hand() {
        let all = readings(&sample());
        assert_eq!(all.value("rtp"), Some(0.6875));
        let hits = all.get("mini.hits").unwrap();
        assert_eq!((hits.value, hits.expected, hits.interval), (Some(3.0), Some(4.0), Some((3.0, 3.0))));
        // 60 spins, 3 hits; the exact interval of three Poisson hits is .6187 to 8.7673.
        let spins = all.get("mini.spins_per_hit").unwrap();
        let (low, high) = spins.interval.unwrap();
        assert_eq!(spins.value, Some(20.0));
        assert!((low - 60.0 / 8.767_3).abs() < 1e-3 && (high - 60.0 / 0.618_7).abs() < 1e-2, "{low} {high}");
    }

    #[test]
    fn what_was_not_seen_has_no_value() {
        let all = readings(&empty());
        for name in ["rtp", "hit_frequency", "sigma", "mini.amount_mean", "mini.spins_per_hit"] {
            let reading = all.get(name).unwrap();
            assert_eq!((reading.value, reading.interval), (None, None), "{name}");
            assert!(reading.lack.is_some(), "{name}");
        }
    }
}
