//! The exact figures of a game by name, in the long run.

use crate::config::Model;
use crate::exact::base::BaseFigures;
use crate::exact::jackpot::rtp_by_bet;
use crate::exact::jackpot::summary::{PoolSummary, summaries};
use crate::metrics::catalogue::definition;
use crate::metrics::{Reading, Readings, Unit};

/// Every figure that is known exactly. `base` is of a game that plays like this one.
pub fn readings(model: &Model, base: &BaseFigures) -> Readings {
    let chances: Vec<Option<f64>> =
        base.symbol_chances.iter().map(|chance| chance.as_ref().map(|chance| chance.value)).collect();
    let fixed = |bet: Option<usize>| bet.map_or(base, |bet| base.at_bet(&model.game, bet)).rtp.value;
    let pools = summaries(&model.game.bets, &model.jackpots, &chances, &fixed);
    let mut readings = Readings::default();
    let mut add = |name: &str, value: Option<f64>| {
        let unit = definition(name).map_or(Unit::Number, |definition| definition.unit);
        readings.add(Reading::exact(name, unit, value));
    };
    let levels = Levels { model, pools: &pools };
    let jackpots = (0..model.jackpots.levels.len()).map(|level| levels.rtp(level)).sum::<Option<f64>>();
    add("rtp", jackpots.map(|jackpots| base.rtp.value + jackpots));
    add("base", Some(base.base.value));
    add("features", Some(base.features.iter().map(|feature| feature.rtp.value).sum()));
    add("without_jackpots", Some(base.rtp.value));
    if !model.jackpots.levels.is_empty() {
        add("jackpots", jackpots);
    }
    let by_bet = rtp_by_bet(&model.game.bets, &model.jackpots, &chances);
    for bet in (0..model.game.bets.count()).filter(|_| model.game.bets.count() > 1) {
        let jackpots = by_bet.iter().map(|level| Some(level.as_ref()?[bet])).sum::<Option<f64>>();
        readings.add(Reading::exact(
            format!("rtp_at_{bet}"),
            Unit::Share,
            jackpots.map(|jackpots| base.at_bet(&model.game, bet).rtp.value + jackpots),
        ));
    }
    let mut add = |name: &str, value: Option<f64>| {
        let unit = definition(name).map_or(Unit::Number, |definition| definition.unit);
        readings.add(Reading::exact(name, unit, value));
    };
    add("hit_frequency", base.hit_frequency);
    add("hit_or_trigger", base.hit_or_trigger);
    add("win_of_bet", base.win_of_bet);
    add("sigma", base.sigma);
    add("sigma_base", base.sigma_base);
    for level in 0..model.jackpots.levels.len() {
        levels.add(level, &mut add);
    }
    readings
}

/// The pools of all levels, those that can hit.
struct Levels<'a> {
    model: &'a Model,
    pools: &'a [PoolSummary],
}

impl Levels<'_> {
    fn of(&self, level: usize) -> impl Iterator<Item = &PoolSummary> + Clone {
        self.pools.iter().filter(move |pool| pool.level == level)
    }

    /// Whether each pool that some bet feeds is known.
    fn is_whole(&self, level: usize) -> bool {
        let rules = &self.model.jackpots.levels[level];
        let fed = if rules.linked { 1 } else { rules.eligible.iter().filter(|&&eligible| eligible).count() };
        self.of(level).count() == fed
    }

    /// Mean stake of a spin by the mix.
    fn stake(&self) -> f64 {
        let bets = &self.model.game.bets;
        let sum: f64 = bets.amounts.iter().zip(&bets.mix).map(|(&bet, &mix)| bet as f64 * mix as f64).sum();
        sum / bets.mix_total() as f64
    }

    /// Sum over the pools of a level of a figure per spin of its own, per spin of the game.
    fn per_spin(&self, level: usize, figure: impl Fn(&PoolSummary) -> f64) -> f64 {
        let total = self.model.game.bets.mix_total() as f64;
        self.of(level).map(|pool| pool.weight / total * figure(pool)).sum()
    }

    fn rtp(&self, level: usize) -> Option<f64> {
        let paid = self.per_spin(level, |pool| pool.stake * (pool.rtp_seed + pool.rtp_growth));
        self.is_whole(level).then(|| paid / self.stake())
    }

    fn add(&self, level: usize, add: &mut dyn FnMut(&str, Option<f64>)) {
        let name = &self.model.jackpots.levels[level].name;
        let whole = self.is_whole(level);
        let known = |value: f64| Some(value).filter(|_| whole);
        let mut own = |short: &str, value: Option<f64>| add(&format!("{name}.{short}"), value);
        let major = self.model.unit.per_major() as f64;
        let hits = self.per_spin(level, |pool| pool.chance);
        let of_hits = |figure: &dyn Fn(&PoolSummary) -> f64| {
            known(self.per_spin(level, |pool| pool.chance * figure(pool)) / hits)
        };
        own("rtp", self.rtp(level));
        own("rtp_seed", known(self.per_spin(level, |pool| pool.stake * pool.rtp_seed) / self.stake()));
        own("rtp_growth", known(self.per_spin(level, |pool| pool.stake * pool.rtp_growth) / self.stake()));
        own("spins_per_hit", known(1.0 / hits));
        own("coin_in", known(self.per_spin(level, |pool| pool.stake) / hits / major));
        own("gap_mean", known(self.per_spin(level, |_| 1.0) / hits));
        // Of a level with several pools these are told of each.
        let only = self.only(level);
        if let Some(pool) = only {
            own("gap_median", Some(pool.gap_median));
            own("gap_95", Some(pool.gap_95));
        }
        if let Some(traffic) = self.model.traffic {
            let day = traffic.spins_per_day as f64;
            own("hits_per_day", known(hits * day));
            own("days_per_hit", known(1.0 / hits / day));
            if let Some(pool) = only {
                own("days_95", Some(pool.gap_95 / self.share(pool) / day));
            }
        }
        let mean = of_hits(&|pool| pool.amount_mean);
        own("amount_mean", mean.map(|mean| mean / major));
        let square = of_hits(&|pool| pool.amount_mean.powi(2) + pool.amount_deviation.powi(2));
        let deviation = mean.zip(square).map(|(mean, square)| (square - mean * mean).max(0.0).sqrt());
        let deviation = only.map_or(deviation, |pool| Some(pool.amount_deviation));
        own("amount_sd", deviation.map(|deviation| deviation / major));
        if let Some(amount) = of_hits(&|pool| pool.odds_limit.unwrap_or(f64::NAN)).filter(|amount| amount.is_finite()) {
            own("amount_limit", Some(amount / major));
            own("coin_in_limit", known(self.per_spin(level, |pool| pool.stake) / hits / major));
        }
        if self.of(level).all(|pool| pool.limit.is_some()) && whole {
            let limit = |figure: &dyn Fn(&PoolSummary) -> Option<f64>| {
                let hits: f64 =
                    self.per_spin(level, |pool| pool.stake / pool.limit.map_or(f64::NAN, |limit| limit.coin_in));
                Some(self.per_spin(level, |pool| figure(pool).unwrap_or(f64::NAN)) / hits)
            };
            let paid = self.per_spin(level, |pool| pool.stake * pool.limit.map_or(f64::NAN, |limit| limit.rtp));
            own("rtp_limit", Some(paid / self.stake()));
            own(
                "amount_limit",
                limit(&|pool| pool.limit.map(|limit| limit.amount_mean * pool.stake / limit.coin_in))
                    .map(|amount| amount / major),
            );
            own("coin_in_limit", limit(&|pool| Some(pool.stake)).map(|coin_in| coin_in / major));
        }
        if self.of(level).any(|pool| pool.overflow.is_some()) {
            own("overflow_mean", of_hits(&|pool| pool.overflow.unwrap_or(0.0)).map(|overflow| overflow / major));
        }
        if self.of(level).any(|pool| pool.reserve.is_some()) {
            own("reserve_short", of_hits(&|pool| pool.reserve.as_ref().map_or(f64::NAN, |reserve| reserve.short)));
            let top_up = of_hits(&|pool| pool.reserve.as_ref().map_or(f64::NAN, |reserve| reserve.top_up));
            own("top_up_mean", top_up.map(|top_up| top_up / major));
        }
        if let Some(pool) = only {
            own("break_even", pool.break_even.map(|meter| meter / major));
            own("break_even_to_hit", pool.break_even_to_hit.map(|meter| meter / major));
        }
        if self.model.jackpots.levels[level].pool_count() > 1 {
            self.of(level).for_each(|pool| self.add_pool(name, pool, add));
        }
    }

    /// Share of all spins that are at a pool's bets.
    fn share(&self, pool: &PoolSummary) -> f64 {
        pool.weight / self.model.game.bets.mix_total() as f64
    }

    /// The pool of a level that has only one.
    fn only(&self, level: usize) -> Option<&PoolSummary> {
        let mut pools = self.of(level);
        let first = pools.next()?;
        (pools.next().is_none() && self.is_whole(level)).then_some(first)
    }

    fn add_pool(&self, level: &str, pool: &PoolSummary, add: &mut dyn FnMut(&str, Option<f64>)) {
        let bet = pool.bet_index.unwrap_or(0);
        let major = self.model.unit.per_major() as f64;
        let share = self.share(pool);
        let mut own = |short: &str, value: Option<f64>| add(&format!("{level}@{bet}.{short}"), value);
        let money = |units: Option<f64>| units.map(|units| units / major);
        own("spins_per_hit", Some(1.0 / (share * pool.chance)));
        own("coin_in", money(Some(pool.coin_in)));
        own("gap_mean", Some(pool.gap_mean));
        own("gap_median", Some(pool.gap_median));
        own("gap_95", Some(pool.gap_95));
        if let Some(traffic) = self.model.traffic {
            let day = traffic.spins_per_day as f64;
            own("hits_per_day", Some(share * pool.chance * day));
            own("days_per_hit", Some(1.0 / (share * pool.chance) / day));
            own("days_95", Some(pool.gap_95 / share / day));
        }
        own("amount_mean", money(Some(pool.amount_mean)));
        own("amount_sd", money(Some(pool.amount_deviation)));
        if let Some(limit) = pool.limit {
            own("amount_limit", money(Some(limit.amount_mean)));
            own("coin_in_limit", money(Some(limit.coin_in)));
        }
        if let Some(amount) = pool.odds_limit {
            own("amount_limit", money(Some(amount)));
            own("coin_in_limit", money(Some(pool.coin_in)));
        }
        own("overflow_mean", money(pool.overflow));
        if let Some(reserve) = &pool.reserve {
            own("reserve_short", Some(reserve.short));
            own("top_up_mean", money(Some(reserve.top_up)));
        }
        own("break_even", money(pool.break_even));
        own("break_even_to_hit", money(pool.break_even_to_hit));
    }
}
