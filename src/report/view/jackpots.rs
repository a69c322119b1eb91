//! Figures of pools, and of levels as sums over their pools.

use super::super::numbers::ratio;
use super::super::result::{Expectation, Law, LevelRecord, PoolRecord, RunResult};
use super::compare::Comparison;
use super::spread::{Divisor, Spread, deviation, digits, percentiles, ranges};
use crate::tally::Histogram;

/// One level.
#[derive(Debug)]
pub struct LevelView<'a> {
    pub record: &'a LevelRecord,
    /// All its pools together. Amounts and spins between hits are those of every pool, each in its own qualifying spins.
    pub all: Figures,
    pub pools: Vec<PoolView<'a>>,
    /// Money paid, its seed part and its growth part, and money accrued, as shares of all stakes.
    pub rtp_paid: Option<f64>,
    pub rtp_seed: Option<f64>,
    pub rtp_growth: Option<f64>,
    pub rtp_accrued: Option<f64>,
}

/// One pool.
#[derive(Debug)]
pub struct PoolView<'a> {
    pub record: &'a PoolRecord,
    pub figures: Figures,
}

/// Hits and money of a pool or a level, in pool units.
#[derive(Debug)]
pub struct Figures {
    pub hits: u64,
    pub qualifying_spins: u64,
    pub suppressed: u64,
    pub deferred: u64,
    pub short_resets: u64,
    /// Qualifying spins for each hit.
    pub spins_per_hit: Option<f64>,
    pub comparison: Comparison,
    pub opening: u128,
    pub contributions: u128,
    pub hidden: u128,
    pub seeds: u128,
    pub top_ups: u128,
    pub from_reserve: u128,
    pub paid: u128,
    pub paid_seed: u128,
    /// Paid and growth of the pool's balance.
    pub accrued: i128,
    pub overflow: u128,
    /// What other levels' hits left for these pools.
    pub received: u128,
    pub released: u128,
    pub closing: u128,
    pub meter: u128,
    pub reserve_closing: u128,
    /// Meter minus seed.
    pub liability: i128,
    /// What pools and reserves are off by, without sign; 0 unless the conservation law broke.
    pub residue: u128,
    pub amount: Spread,
    /// Spins between hits; without mean and extremes.
    pub gap: Spread,
    pub longest_drought: Option<u64>,
    /// Decimal digits that percentiles are good for.
    pub percentile_digits: u8,
}

/// All levels of a result.
pub fn level_views(result: &RunResult, wagered: u128) -> Vec<LevelView<'_>> {
    result.levels.iter().map(|level| level_view(level, wagered)).collect()
}

fn level_view(record: &LevelRecord, wagered: u128) -> LevelView<'_> {
    let all = Figures::new(&record.pools.iter().collect::<Vec<_>>(), record.expected.as_ref(), record.law);
    let pools = (record.pools.iter())
        .map(|pool| PoolView { record: pool, figures: Figures::new(&[pool], pool.expected.as_ref(), record.law) })
        .collect();
    LevelView {
        record,
        rtp_paid: ratio(all.paid, wagered),
        rtp_seed: ratio(all.paid_seed, wagered),
        rtp_growth: ratio(all.paid - all.paid_seed, wagered),
        rtp_accrued: (wagered > 0).then(|| all.accrued as f64 / wagered as f64),
        all,
        pools,
    }
}

/// Hits won at a bet, and what they paid.
pub fn won_at(result: &RunResult, bet_index: usize) -> (u64, u128) {
    let pools = result.levels.iter().flat_map(|level| &level.pools);
    pools.fold((0, 0), |(hits, paid), pool| match pool.bet_index {
        None => (
            hits + pool.tally.hits_by_bet.get(bet_index).copied().unwrap_or(0),
            paid + pool.tally.paid_by_bet.get(bet_index).copied().unwrap_or(0),
        ),
        Some(index) if index == bet_index => (hits + pool.tally.hits, paid + pool.tally.paid),
        Some(_) => (hits, paid),
    })
}

impl Figures {
    fn new(pools: &[&PoolRecord], expected: Option<&Expectation>, law: Law) -> Self {
        let count = |value: fn(&PoolRecord) -> u64| pools.iter().map(|pool| value(pool)).sum::<u64>();
        let money = |value: fn(&PoolRecord) -> u128| pools.iter().map(|pool| value(pool)).sum::<u128>();
        let signed = |value: fn(&PoolRecord) -> i128| pools.iter().map(|pool| value(pool)).sum::<i128>();
        let hits = count(|pool| pool.tally.hits);
        let paid = money(|pool| pool.tally.paid);
        let qualifying_spins = count(|pool| pool.tally.qualifying_spins);
        let accrued =
            signed(|pool| pool.tally.paid as i128 + i128::from(pool.tally.closing) - i128::from(pool.tally.opening));
        Self {
            hits,
            qualifying_spins,
            suppressed: count(|pool| pool.tally.suppressed),
            deferred: count(|pool| pool.tally.deferred),
            short_resets: count(|pool| pool.tally.short_resets),
            spins_per_hit: ratio(qualifying_spins.into(), hits.into()),
            comparison: Comparison::new(expected, law, hits, paid, accrued),
            opening: money(|pool| pool.tally.opening.into()),
            contributions: money(|pool| pool.tally.contributions),
            hidden: money(|pool| pool.tally.hidden),
            seeds: money(|pool| pool.tally.seeds),
            top_ups: money(|pool| pool.tally.top_ups),
            from_reserve: money(|pool| pool.tally.from_reserve),
            paid,
            paid_seed: money(|pool| pool.tally.paid_seed),
            accrued,
            overflow: money(|pool| pool.tally.overflow),
            received: money(|pool| pool.tally.received),
            released: money(|pool| pool.tally.released),
            closing: money(|pool| pool.tally.closing.into()),
            meter: money(|pool| pool.tally.closing_meter.into()),
            reserve_closing: money(|pool| pool.tally.reserve_closing.into()),
            liability: signed(|pool| i128::from(pool.tally.closing_meter) - i128::from(pool.seed)),
            residue: money(|pool| pool.tally.residue().unsigned_abs() + pool.tally.reserve_residue().unsigned_abs()),
            amount: amounts(pools, hits, paid),
            gap: gaps(pools),
            longest_drought: (pools.iter().map(|pool| pool.tally.longest_drought))
                .collect::<Option<Vec<_>>>()
                .and_then(|droughts| droughts.into_iter().max()),
            percentile_digits: pools.first().map_or(3, |pool| digits(pool.tally.amounts.exact_bits())),
        }
    }
}

/// One histogram of all pools; `None` if they have none, or of different precision.
fn joined(pools: &[&PoolRecord], histogram: fn(&PoolRecord) -> &Histogram) -> Option<Histogram> {
    let (first, others) = pools.split_first()?;
    let mut joined = histogram(first).clone();
    for other in others {
        if histogram(other).exact_bits() != joined.exact_bits() {
            return None;
        }
        joined.merge(histogram(other));
    }
    Some(joined)
}

fn amounts(pools: &[&PoolRecord], hits: u64, paid: u128) -> Spread {
    let minimum = pools.iter().filter_map(|pool| pool.tally.amount_min).min();
    let maximum = pools.iter().filter_map(|pool| pool.tally.amount_max).max();
    // Buckets are rounded down; no percentile lies below the least amount.
    let within = |value: u64| value.clamp(minimum.unwrap_or(value), maximum.unwrap_or(value));
    let all = joined(pools, |pool| &pool.tally.amounts);
    let ranked = all.as_ref().and_then(percentiles).map(|values| values.map(within));
    let squares = pools.iter().try_fold(0u128, |sum, pool| sum.checked_add(pool.tally.paid_squares));
    Spread {
        mean: ratio(paid, hits.into()),
        // A sum that stays at its bound is no sum.
        deviation: (squares.filter(|&squares| squares < u128::MAX))
            .and_then(|squares| deviation(paid, squares, hits, Divisor::CountLessOne)),
        minimum,
        median: ranked.map(|values| values[0]),
        percentile_95: ranked.map(|values| values[1]),
        percentile_99: ranked.map(|values| values[2]),
        maximum,
        ranges: all.map_or([None; 3], |all| ranges(&all)),
    }
}

fn gaps(pools: &[&PoolRecord]) -> Spread {
    let all = joined(pools, |pool| &pool.tally.gaps);
    let ranked = all.as_ref().and_then(percentiles);
    Spread {
        ranges: all.map_or([None; 3], |all| ranges(&all)),
        median: ranked.map(|values| values[0]),
        percentile_95: ranked.map(|values| values[1]),
        percentile_99: ranked.map(|values| values[2]),
        ..Spread::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::sample;
    use super::super::View;

    #[test]
    fn a_pool_has_the_figures_counted_by_hand() {
        let result = sample();
        let view = View::new(&result);
        let figures = &view.levels[0].pools[0].figures;
        assert_eq!((figures.hits, figures.paid, figures.spins_per_hit), (3, 2_500, Some(40.0 / 3.0)));
        // Amounts 700, 800, 1000: mean 2500/3, sample variance (133.33^2 + 33.33^2 + 166.67^2) / 2.
        assert_eq!(figures.amount.mean, Some(2_500.0 / 3.0));
        assert!((figures.amount.deviation.unwrap() - 152.752_523).abs() < 1e-6);
        assert_eq!((figures.amount.minimum, figures.amount.maximum), (Some(700), Some(1_000)));
        assert_eq!((figures.amount.median, figures.amount.percentile_99), (Some(800), Some(1_000)));
        assert_eq!((figures.gap.median, figures.gap.percentile_95), (Some(10), Some(20)));
        assert_eq!((figures.longest_drought, figures.liability, figures.accrued), (Some(20), 100, 2_600));
        let level = &view.levels[0];
        assert_eq!((level.rtp_paid, level.rtp_seed), (Some(0.3125), Some(0.1875)));
        assert_eq!((level.rtp_growth, level.rtp_accrued), (Some(0.125), Some(0.325)));
    }

    #[test]
    fn percentiles_stay_between_least_and_largest() {
        let mut result = sample();
        let tally = &mut result.levels[0].pools[0].tally;
        let mut fresh = crate::tally::PoolTally::new(tally.opening, 1, 11);
        (0..3).for_each(|_| fresh.record_amount(1_000_003, 600, 0));
        *tally = fresh;
        let view = View::new(&result);
        let amount = &view.levels[0].pools[0].figures.amount;
        assert_eq!((amount.median, amount.deviation), (Some(1_000_003), Some(0.0)));
    }

    #[test]
    fn what_a_live_run_cannot_know_is_missing() {
        let mut result = sample();
        let tally = &mut result.levels[0].pools[0].tally;
        tally.gaps = crate::tally::Histogram::new(11);
        tally.longest_drought = None;
        let view = View::new(&result);
        assert_eq!((view.levels[0].all.gap.median, view.levels[0].all.longest_drought), (None, None));
    }
}
