//! A game's jackpots in days of its traffic.

use super::sheet::spins_by_bet;
use crate::config::Model;
use crate::exact::jackpot::expected;
use crate::exact::jackpot::summary::PoolSummary;
use crate::report::par::{Days, DaysRow, LiabilityRow};
use crate::report::result::TrafficRecord;
use crate::sim::plan::SPINS_MAX;
use crate::sim::run::seeds;

/// Days after which the liability is told.
const LIABILITY_DAYS: [u64; 4] = [30, 90, 365, 1_825];

/// The record of a game's traffic.
pub fn traffic_record(model: &Model) -> Option<TrafficRecord> {
    let traffic = model.traffic?;
    Some(TrafficRecord { spins_per_day: traffic.spins_per_day, from: traffic.from.map(|day| day.to_string()) })
}

/// `None` if the game doesn't say how much it is played, or has no level.
pub fn days(model: &Model, pools: &[PoolSummary], chances: &[Option<f64>]) -> Option<Days> {
    let traffic = traffic_record(model).filter(|_| !model.jackpots.levels.is_empty())?;
    let total = model.game.bets.mix_total() as f64;
    let rows = pools.iter().filter(|pool| pool.weight > 0.0).map(|pool| {
        let days = |own: f64| traffic.days(own * total / pool.weight);
        DaysRow {
            level: model.jackpots.levels[pool.level].name.clone(),
            bet: pool.bet_index.map(|bet| model.unit.exact_text(model.game.bets.amounts[bet].into())),
            hits_per_day: 1.0 / days(pool.gap_mean),
            days_mean: days(pool.gap_mean),
            days_median: days(pool.gap_median),
            days_95: days(pool.gap_95),
        }
    });
    let rows = rows.collect();
    let liability = LIABILITY_DAYS.into_iter().filter_map(|days| {
        let spins = days.checked_mul(traffic.spins_per_day).filter(|&spins| spins <= SPINS_MAX)?;
        Some(liability(model, chances, &traffic, days, spins))
    });
    let liability = liability.collect();
    Some(Days { traffic, pools: rows, liability })
}

/// What stands above the seeds is what accrued and was not paid.
fn liability(model: &Model, chances: &[Option<f64>], traffic: &TrafficRecord, days: u64, spins: u64) -> LiabilityRow {
    let by_bet = spins_by_bet(model, spins);
    let (levels, _) = expected(&model.game.bets, &model.jackpots, &by_bet, &seeds(&model.jackpots), chances);
    let major = model.unit.per_major() as f64;
    let levels: Vec<Option<f64>> =
        levels.into_iter().map(|level| level.map(|level| (level.accrued - level.paid) / major)).collect();
    LiabilityRow { days, date: traffic.date_after(days as f64), spins, expected: levels.iter().copied().sum(), levels }
}
