//! `summary.json`: every headline figure, flat, with its unit in its name. Money is decimal text in the currency's major
//! unit, derived figures are numbers, what is missing is `null`.

use super::numbers::{major, signed, significant, slugs};
use super::sealed::DERIVED_DIGITS;
use super::traffic::InDays;
use super::view::View;
use super::view::parts::Part;
use serde_json::Value;
use std::io::{self, Write};

/// Version of the layout of `summary.json`.
pub const SUMMARY_SCHEMA: u32 = 1;

/// Writes the summary, a figure a line.
pub fn render(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let figures = figures(view);
    writer.write_all(b"{\n")?;
    for (position, (name, value)) in figures.iter().enumerate() {
        let comma = if position + 1 < figures.len() { "," } else { "" };
        writeln!(writer, "  {}: {value}{comma}", Value::from(name.as_str()))?;
    }
    writer.write_all(b"}\n")
}

fn number(value: Option<f64>) -> Value {
    // serde_json writes no infinity: it becomes null, as a missing figure does.
    value.map_or(Value::Null, |value| Value::from(significant(value, DERIVED_DIGITS)))
}

/// Names and values, in order.
type Figures = Vec<(String, Value)>;

fn figures(view: &View) -> Figures {
    let result = view.result;
    let plan = &result.plan;
    let money = |units: u128| Value::from(view.unit.exact_text(units));
    let mut list: Figures = Vec::new();
    let mut add = |name: &str, value: Value| list.push((name.to_owned(), value));
    add("summary_schema", SUMMARY_SCHEMA.into());
    add("jackpot_version", result.jackpot.as_str().into());
    add("game", result.game.name.as_str().into());
    add("game_sha256", result.game.sha256.as_str().into());
    add("result_checksum", result.checksum.as_str().into());
    add("rng_seed", plan.rng_seed.to_string().into());
    add("commit", plan.commit.as_str().into());
    add("complete", plan.complete.into());
    add("spins", plan.spins_done.into());
    let traffic = result.game.traffic.as_ref();
    add("traffic_spins_per_day", traffic.map_or(Value::Null, |traffic| traffic.spins_per_day.into()));
    add("traffic_days", number(traffic.map(|traffic| traffic.days(plan.spins_done as f64))));
    add("lines", result.game.lines.into());
    add("currency_code", view.unit.currency.as_str().into());
    add("wagered_currency", money(view.wagered));
    add("effective_spins", number(view.effective_spins));
    let play = &view.play;
    add("hit_frequency_share", number(play.hit_frequency));
    add("hit_or_trigger_frequency_share", number(play.hit_or_trigger_frequency));
    add("hit_frequency_base_share", number(play.hit_frequency_base));
    add("win_of_bet_frequency_share", number(play.win_of_bet_frequency));
    add("sigma_x_bet", number(play.sigma));
    add("volatility_index_z_1_645_x_bet", number(play.volatility_index));
    add("largest_win_x_bet", number(play.largest.first().map(|win| win.x_bet)));
    let totals = &view.totals;
    add("pools", totals.pools.into());
    let all_pools = view.levels.iter().flat_map(|level| &level.pools);
    let opened = all_pools.filter(|pool| pool.record.tally.opening != pool.record.seed).count();
    add("opened_pools", opened.into());
    add("jackpot_hits", totals.hits.into());
    add("contributions_currency", money(totals.contributions));
    add("seeds_currency", money(totals.seeds));
    add("top_ups_currency", money(totals.top_ups));
    add("overflow_currency", money(totals.overflow));
    add("reserve_currency", money(totals.reserve));
    add("liability_currency", signed_money(view, totals.liability));
    add("residue_currency", money(totals.residue));
    add("far_from_expectation_count", view.warnings.len().into());
    part(view, &mut list, "total", &view.parts.total);
    part(view, &mut list, "base", &view.parts.base);
    part(view, &mut list, "features", &view.parts.features);
    part(view, &mut list, "base_and_features", &view.parts.base_and_features);
    if let Some(jackpots) = &view.parts.jackpots {
        part(view, &mut list, "jackpots", jackpots);
    }
    features(view, &mut list);
    levels(view, &mut list);
    for bet in &view.bets {
        let name = |figure: &str| format!("bet_{}_{figure}", bet.bet_index);
        list.push((name("amount_currency"), money(bet.amount.into())));
        list.push((name("spins"), bet.spins.into()));
        list.push((name("rtp_paid_share"), number(bet.rtp)));
    }
    list
}

fn signed_money(view: &View, amount: i128) -> Value {
    signed(amount, |units| view.unit.exact_text(units)).into()
}

fn part(view: &View, list: &mut Figures, name: &str, part: &Part) {
    let mut add = |figure: &str, value: Value| list.push((format!("{name}_{figure}"), value));
    add("paid_currency", view.unit.exact_text(part.paid_money).into());
    add("rtp_paid_share", number(part.paid.value));
    add("rtp_paid_half_width_95_share", number(part.paid.half_width));
    add("rtp_paid_half_width_is_estimated", part.estimated.into());
    add("rtp_paid_expected_share", number(part.paid.expected));
    add("expected_is_approximate", part.approximate.into());
    add("rtp_paid_z", number(part.paid.z));
    add("rtp_accrued_share", number(part.accrued.value));
    add("rtp_accrued_half_width_95_share", number(part.accrued.half_width));
    add("rtp_accrued_expected_share", number(part.accrued.expected));
    add("rtp_accrued_z", number(part.accrued.z));
    add("rtp_long_run_share", number(part.long_run));
    add("rtp_published_share", number(part.published));
    add("too_few_hits", part.few_hits.into());
}

fn features(view: &View, list: &mut Figures) {
    let names = slugs(view.play.features.iter().map(|feature| feature.name.as_str()));
    for (feature, name) in view.play.features.iter().zip(names) {
        let mut add = |figure: &str, value: Value| list.push((format!("feature_{name}_{figure}"), value));
        add("kind", feature.kind.as_str().into());
        add("triggers", feature.triggers.into());
        add("spins_per_trigger", number(feature.spins_per_trigger));
        add("mean_x_bet", number(feature.mean_x_bet));
        add("sd_x_bet", number(feature.deviation_x_bet));
        add("plays_per_trigger", number(feature.plays_per_trigger));
    }
}

fn levels(view: &View, list: &mut Figures) {
    let names = slugs(view.levels.iter().map(|level| level.record.name.as_str()));
    for ((level, share), name) in view.levels.iter().zip(&view.parts.levels).zip(names) {
        let name = format!("level_{name}");
        part(view, list, &name, share);
        let figures = &level.all;
        let mut add = |figure: &str, value: Value| list.push((format!("{name}_{figure}"), value));
        add("rtp_seed_share", number(level.rtp_seed));
        add("rtp_growth_share", number(level.rtp_growth));
        add("hits", figures.hits.into());
        add("hits_expected", number(level.record.expected.as_ref().map(|expected| expected.hits)));
        add("hits_z", number(figures.comparison.z_hits()));
        add("hits_p_value", number(figures.comparison.p_value()));
        add("verdict", figures.comparison.verdict().into());
        add("spins_per_hit", number(figures.spins_per_hit));
        add("spins_between_median", whole(figures.gap.median));
        add("spins_between_95_percent", whole(figures.gap.percentile_95));
        add("spins_between_99_percent", whole(figures.gap.percentile_99));
        add("longest_drought_spins", whole(figures.longest_drought));
        let days = InDays::new(view, figures, level.pools.len() == 1);
        add("days_per_hit", number(days.every));
        add("days_between_95_percent", number(days.within_95));
        let mean = |units: Option<f64>| number(units.map(|units| major(&view.unit, units)));
        let money = |units: Option<u64>| units.map_or(Value::Null, |units| view.unit.exact_text(units.into()).into());
        add("amount_mean_currency", mean(figures.amount.mean));
        add("amount_sd_currency", mean(figures.amount.deviation));
        add("amount_min_currency", money(figures.amount.minimum));
        add("amount_median_currency", money(figures.amount.median));
        add("amount_95_percent_currency", money(figures.amount.percentile_95));
        add("amount_99_percent_currency", money(figures.amount.percentile_99));
        add("amount_max_currency", money(figures.amount.maximum));
        add("percentile_digits", figures.percentile_digits.into());
        add("meters_currency", view.unit.exact_text(figures.meter).into());
        add("liability_currency", signed_money(view, figures.liability));
        add("overflow_currency", view.unit.exact_text(figures.overflow).into());
        add("reserve_currency", view.unit.exact_text(figures.reserve_closing).into());
    }
}

fn whole(value: Option<u64>) -> Value {
    value.map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::super::result::RunResult;
    use super::super::sample::{empty, huge, sample};
    use super::*;
    use std::collections::HashSet;

    fn rendered(result: &RunResult) -> Value {
        let mut bytes = Vec::new();
        render(&View::new(result), &mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn the_summary_is_flat_and_has_the_figures_counted_by_hand() {
        let summary = rendered(&sample());
        assert_eq!(summary["rng_seed"], "18446744073709551615");
        assert_eq!(summary["wagered_currency"], "80.00");
        assert_eq!(summary["total_rtp_paid_share"], 0.6875);
        assert_eq!(summary["level_mini_hits"], 3);
        assert_eq!(summary["level_mini_amount_max_currency"], "10.00");
        assert_eq!(summary["level_mini_rtp_paid_half_width_95_share"], Value::Null);
        assert!(summary.as_object().unwrap().values().all(|value| !value.is_object() && !value.is_array()));
    }

    #[test]
    fn what_is_missing_is_null_and_no_name_comes_twice() {
        let summary = rendered(&empty());
        for name in ["total_rtp_paid_share", "sigma_x_bet", "level_mini_amount_mean_currency", "largest_win_x_bet"] {
            assert_eq!(summary[name], Value::Null, "{name}");
        }
        for result in [empty(), sample(), huge()] {
            let list = figures(&View::new(&result));
            let names: HashSet<_> = list.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(names.len(), list.len());
        }
    }
}
