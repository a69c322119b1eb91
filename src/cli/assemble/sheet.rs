//! Puts a game's exact figures together to a PAR sheet.

use super::symbol_chances_of;
use crate::config::Model;
use crate::exact::base::{BaseFigures, Figure};
use crate::exact::jackpot::summary::{PoolSummary, summaries};
use crate::exact::jackpot::{accrual_by_bet, expected, rtp_by_bet, rtp_variance_of_mix};
use crate::game::{Combination, Game, Play, Reels};
use crate::report::par::{CombinationRow, ConfidenceRow, FiniteRow, Metric, ParSheet, PoolRow, SCHEMA, Unit};
use crate::sim::run::seeds;

/// Least chance a spin that a jackpot may have by common rules: 1 in 100 million (GLI-11).
const CHANCE_LEAST: f64 = 1e-8;

const Z_95: f64 = 1.959_963_984_540_054;

/// The z of 90 %, of which a volatility index is made if nothing else is said.
const Z_90: f64 = 1.645;

/// The z that a published volatility index names: "10.476 (z 1.65)".
fn published_z(model: &Model) -> Option<f64> {
    let (_, text) = model.published.iter().find(|(key, _)| key == "vi")?;
    text.split_once("(z ")?.1.trim_end().strip_suffix(')')?.trim().parse().ok().filter(|&z: &f64| z > 0.0)
}

/// The sheet of a game, with what a run of so many spins is expected to show; `z` is that of the volatility index, by
/// default the published one's.
pub fn par_sheet(model: &Model, spins: u64, z: Option<f64>) -> ParSheet {
    par_sheet_from(model, &BaseFigures::new(&model.game, model.jackpots.levels.len()), spins, z)
}

/// The same from what is known of a game that plays like this one ([`Game::plays_like`]) and has as many levels: after a
/// change of jackpots nothing is enumerated again.
pub fn par_sheet_from(model: &Model, base: &BaseFigures, spins: u64, z: Option<f64>) -> ParSheet {
    let z = z.or_else(|| published_z(model)).unwrap_or(Z_90);
    let chances = symbol_chances_of(base);
    let pools = summaries(&model.game.bets, &model.jackpots, &chances, &|bet| fixed_return(&model.game, base, bet));
    let mut sheet = ParSheet {
        schema: SCHEMA,
        jackpot: env!("CARGO_PKG_VERSION").into(),
        game: model.game.name.clone(),
        file: model.file_name.clone(),
        source: model.source.clone(),
        sha256: model.sha256.clone(),
        currency: model.unit.currency.clone(),
        bets: model.game.bets.amounts.iter().map(|&bet| model.unit.exact_text(bet.into())).collect(),
        rtp: rtp(model, base, &pools),
        by_bet: by_bet(model, base, &chances),
        by_ways: by_ways(model),
        play: play(model, base, z).into_iter().chain(mean_limits(model, &pools)).collect(),
        combinations: combinations(model, base),
        payouts: base.distribution.iter().flatten().map(|(&pay, &windows)| (bets(model, pay), windows)).collect(),
        pools: pools.iter().map(|pool| pool_row(model, pool)).collect(),
        days: super::days::days(model, &pools, &chances),
        spins,
        finite: finite(model, base, &chances, spins),
        confidence: confidence(base),
        precision: precision(base),
        not_compared: Vec::new(),
        notes: notes(model, base, &pools, &chances),
    };
    sheet.compare(&model.published);
    sheet
}

/// What a game returns without jackpots at a bet, or in the mix.
pub fn fixed_return(game: &Game, base: &BaseFigures, bet_index: Option<usize>) -> f64 {
    bet_index.map_or(base, |bet| base.at_bet(game, bet)).rtp.value
}

/// Most bets with figures of their own.
const BETS_SHOWN: usize = 20;

/// The figures of each bet, where they differ or jackpots make them differ.
fn by_bet(model: &Model, base: &BaseFigures, chances: &[Option<f64>]) -> Vec<Metric> {
    let count = model.game.bets.count();
    if !(2..=BETS_SHOWN).contains(&count) || (base.plays.is_empty() && model.jackpots.levels.is_empty()) {
        return Vec::new();
    }
    let levels = rtp_by_bet(&model.game.bets, &model.jackpots, chances);
    let mut metrics = Vec::new();
    for bet in 0..count {
        let own = base.at_bet(&model.game, bet);
        let amount = model.unit.exact_text(model.game.bets.amounts[bet].into());
        let jackpots: Option<f64> = levels.iter().map(|level| Some(level.as_ref()?[bet])).sum();
        let rtp = jackpots.map(|jackpots| own.rtp.value + jackpots);
        metrics.push(Metric::new(&format!("rtp_at_{bet}"), &format!("{amount}: returns"), Unit::Share, rtp));
        if !base.plays.is_empty() {
            let metric = |key: &str, label: &str, unit: Unit, value: Option<f64>| {
                Metric::new(&format!("{key}_at_{bet}"), &format!("{amount}: {label}"), unit, value)
            };
            metrics.push(metric("hit_frequency", "spins that pay", Unit::Share, own.hit_frequency));
            metrics.push(metric("sigma", "sigma", Unit::Bets, own.sigma));
        }
    }
    metrics
}

fn bets(model: &Model, pay: u64) -> f64 {
    pay as f64 / model.game.return_scale as f64
}

fn share(key: &str, label: &str, figure: &Figure) -> Metric {
    let fraction = figure.fraction.as_ref().map(ToString::to_string);
    Metric { fraction, ..Metric::new(key, label, Unit::Share, Some(figure.value)) }
}

fn reels(model: &Model) -> Option<&Reels> {
    match &model.game.play {
        Play::Reels(reels) => Some(reels),
        Play::Outcomes(_) => None,
    }
}

fn by_ways(model: &Model) -> bool {
    reels(model).is_some_and(|reels| reels.by_ways)
}

/// A name as a key: lower case, words joined by underscores.
fn key(name: &str) -> String {
    name.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).collect::<Vec<_>>().join("_")
}

fn rtp(model: &Model, base: &BaseFigures, pools: &[PoolSummary]) -> Vec<Metric> {
    let mut metrics = Vec::new();
    if reels(model).is_some() {
        let label = if by_ways(model) { "ways" } else { "lines" };
        metrics.push(share("line", label, &base.lines));
        metrics.push(share("scatter", "scatters", &base.scatters));
    }
    metrics.push(share("base", "base game", &base.base));
    let names = reels(model).into_iter().flat_map(|reels| {
        let free = reels.free_spins.iter().map(|feature| &feature.name);
        free.chain(reels.bonuses.iter().map(|bonus| &bonus.name))
    });
    for (feature, name) in base.features.iter().zip(names) {
        metrics.push(share(&key(name), name, &feature.rtp));
    }
    if base.features.len() > 1 {
        let value = base.features.iter().map(|feature| feature.rtp.value).sum();
        metrics.push(Metric::new("features", "all features", Unit::Share, Some(value)));
    }
    if model.jackpots.levels.is_empty() {
        metrics.push(share("rtp", "the whole game", &base.rtp));
        return metrics;
    }
    metrics.push(share("rtp_without_jackpots", "without jackpots", &base.rtp));
    let all_bets = model.game.bets.mix_total() as f64;
    let stake: f64 = (model.game.bets.amounts.iter().zip(&model.game.bets.mix))
        .map(|(&bet, &mix)| bet as f64 * mix as f64 / all_bets)
        .sum();
    // A pool's share of its own stakes counts by what is staked there.
    let total = |level: Option<usize>, value: &dyn Fn(&PoolSummary) -> f64| {
        let of = pools.iter().filter(|pool| level.is_none_or(|level| pool.level == level));
        of.map(|pool| pool.weight / all_bets * pool.stake / stake * value(pool)).sum::<f64>()
    };
    let known = |level: usize| pools.iter().any(|pool| pool.level == level);
    for (level, rules) in model.jackpots.levels.iter().enumerate() {
        let value = known(level).then(|| total(Some(level), &|pool| pool.rtp_seed + pool.rtp_growth));
        metrics.push(Metric::new(&rules.name, &format!("jackpot {}", rules.name), Unit::Share, value));
        let limits = pools.iter().filter(|pool| pool.level == level);
        if limits.clone().any(|pool| pool.limit.is_some()) {
            let limit = total(Some(level), &|pool| pool.limit.map_or(f64::NAN, |limit| limit.rtp));
            let label = format!("{} if bets were small", rules.name);
            metrics.push(Metric::new(&format!("{}_limit", rules.name), &label, Unit::Share, Some(limit)));
        }
    }
    let all_known = (0..model.jackpots.levels.len()).all(known);
    let of_all = |value: &dyn Fn(&PoolSummary) -> f64| all_known.then(|| total(None, value));
    metrics.push(Metric::new("seed", "jackpots, their seeds", Unit::Share, of_all(&|pool| pool.rtp_seed)));
    metrics.push(Metric::new("growth", "jackpots, their growth", Unit::Share, of_all(&|pool| pool.rtp_growth)));
    let jackpots = of_all(&|pool| pool.rtp_seed + pool.rtp_growth);
    metrics.push(Metric::new("jackpots", "all jackpots", Unit::Share, jackpots));
    let whole = jackpots.map(|jackpots| base.rtp.value + jackpots);
    metrics.push(Metric::new("rtp", "the whole game", Unit::Share, whole));
    metrics
}

fn play(model: &Model, base: &BaseFigures, z: f64) -> Vec<Metric> {
    let sticky = reels(model).is_some_and(|reels| reels.free_spins.iter().any(|feature| !feature.sticky.is_empty()));
    let beyond = match base.distribution {
        None => "all lines of a window at once are too many to enumerate",
        Some(_) if sticky => {
            "symbols stick in a feature, and how much what it pays varies is not known exactly; `run` estimates it"
        }
        Some(_) => "the free spins that can be awarded are too many to follow",
    };
    let joint = |key: &str, label: &str, unit: Unit, value: Option<f64>| Metric {
        note: value.is_none().then(|| beyond.into()),
        ..Metric::new(key, label, unit, value)
    };
    let mut metrics = vec![
        Metric::new("cycle", "cycle", Unit::Number, Some(base.cycle as f64)),
        joint("hit_frequency", "spins that pay", Unit::Share, base.hit_frequency),
        joint("hit_or_trigger", "or that start a feature", Unit::Share, base.hit_or_trigger),
        joint("win_of_bet", "spins that win their bet", Unit::Share, base.win_of_bet),
        joint("sigma_base", "sigma of the base game", Unit::Bets, base.sigma_base),
        joint("sigma", "sigma", Unit::Bets, base.sigma),
        joint("variance", "variance", Unit::Number, base.sigma.map(|sigma| sigma * sigma)),
        joint("vi", &format!("volatility index, z {z}"), Unit::Number, base.sigma.map(|sigma| z * sigma)),
    ];
    if let Some(frequency) = base.line_hit_frequency {
        metrics.push(Metric::new("line_hit_frequency", "one line pays", Unit::Share, Some(frequency)));
        metrics.push(Metric::new("line_sigma", "sigma of one line", Unit::LineBets, base.line_sigma));
        let others: f64 = base.combinations.iter().filter(|row| row.is_scatter).map(|row| row.windows as f64).sum();
        let bonuses: f64 = bonus_starts(model, base).sum();
        let one_line = frequency + others / base.cycle as f64 + bonuses;
        let label = "line, scatter or bonus";
        metrics.push(Metric::new("hit_frequency_of_one_line", label, Unit::Share, Some(one_line)));
    }
    let lines = base.combinations.iter().filter(|row| !row.is_scatter && !by_ways(model));
    if let Some(top) = lines.max_by_key(|row| row.pay) {
        let per = base.cycle as f64 * base.lines_played.max(1) as f64 / top.windows as f64;
        let label = if base.lines_played > 1 { "top award, one line" } else { "top award" };
        metrics.push(Metric::new("spins_per_jackpot", label, Unit::Spins, Some(per)));
    }
    let names = reels(model).into_iter().flat_map(|reels| reels.free_spins.iter().map(|feature| &feature.name));
    for (feature, name) in base.features.iter().zip(names) {
        let one_in = feature.triggers.as_ref().map(|triggers| 1.0 / triggers.value);
        let per_spin = model.game.return_scale as f64;
        let mean = feature.mean.as_ref().map(|mean| mean.value / per_spin);
        metrics.push(joint("spins_per_feature", &format!("{name}: started"), Unit::Spins, one_in));
        metrics.push(joint("spins_in_feature", &format!("{name}: spins each"), Unit::Number, feature.plays));
        metrics.push(joint("feature_mean", &format!("{name}: pays"), Unit::Bets, mean));
        let deviation = feature.deviation.map(|deviation| deviation / per_spin);
        metrics.push(joint("feature_sd", &format!("{name}: SD"), Unit::Bets, deviation));
    }
    let bonuses = base.features.iter().skip(reels(model).map_or(0, |reels| reels.free_spins.len()));
    let rules = reels(model).into_iter().flat_map(|reels| &reels.bonuses);
    for (bonus, rules) in bonuses.zip(rules) {
        // One that scatters start is counted in total bets and spins, one of lines in bets and starts of a line.
        let (per, started, unit) = match rules.trigger {
            Combination::Line { .. } => (base.lines_played.max(1) as f64, ", one line", Unit::LineBets),
            Combination::Scatter { .. } => (1.0, ": started", Unit::Bets),
        };
        let (name, bet) = (&rules.name, model.game.return_scale as f64 / per);
        let one_in = bonus.triggers.as_ref().map(|triggers| per / triggers.value);
        metrics.push(Metric::new("spins_per_bonus", &format!("{name}{started}"), Unit::Spins, one_in));
        let mean = bonus.mean.as_ref().map(|mean| mean.value / bet);
        metrics.push(Metric::new("bonus_mean", &format!("{name}: pays"), unit, mean));
        let deviation = bonus.deviation.map(|deviation| deviation / bet);
        metrics.push(Metric::new("bonus_sd", &format!("{name}: SD"), unit, deviation));
    }
    metrics
}

/// Mean starts of each bonus by one line and what is anywhere in the window.
fn bonus_starts<'b>(model: &'b Model, base: &'b BaseFigures) -> impl Iterator<Item = f64> + 'b {
    let (free, rules) = reels(model).map_or((0, &[][..]), |reels| (reels.free_spins.len(), &reels.bonuses[..]));
    base.features.iter().skip(free).zip(rules).filter_map(|(bonus, rules)| {
        let lines = match rules.trigger {
            Combination::Line { .. } => base.lines_played.max(1),
            Combination::Scatter { .. } => 1,
        };
        bonus.triggers.as_ref().map(|triggers| triggers.value / lines as f64)
    })
}

/// Mean amounts of linked must-hit-by levels in the limit of small bets.
fn mean_limits(model: &Model, pools: &[PoolSummary]) -> impl Iterator<Item = Metric> {
    pools.iter().filter(|pool| pool.bet_index.is_none()).filter_map(|pool| {
        let name = &model.jackpots.levels[pool.level].name;
        let mean = pool.limit?.amount_mean / model.unit.per_major() as f64;
        let label = format!("{name}: mean if bets were small");
        Some(Metric::new(&format!("{name}_limit_amount"), &label, Unit::Currency, Some(mean)))
    })
}

fn combinations(model: &Model, base: &BaseFigures) -> Vec<CombinationRow> {
    let lines = base.lines_played.max(1) as u128;
    let mut rows: Vec<CombinationRow> = base
        .combinations
        .iter()
        .map(|row| {
            let on_lines = if row.is_scatter { 1 } else { lines };
            // In one division, so that whole pays are whole.
            let pay = row.pay as f64 * on_lines as f64 / model.game.return_scale as f64;
            let chance = row.windows as f64 / on_lines as f64 / base.cycle as f64;
            let windows = row.windows / on_lines;
            let even = row.windows.is_multiple_of(on_lines);
            CombinationRow {
                name: row.play.map_or_else(|| row.name.clone(), |play| format!("{}{}", row.name, at_bets(model, play))),
                count: row.count,
                pay,
                windows: if even { windows.to_string() } else { format!("~{windows}") },
                one_in: 1.0 / chance,
                rtp: pay * chance,
                is_scatter: row.is_scatter,
            }
        })
        .collect();
    rows.sort_by(|a, b| a.is_scatter.cmp(&b.is_scatter).then(b.pay.total_cmp(&a.pay)));
    rows
}

/// The bets of a play, in words.
fn at_bets(model: &Model, play: usize) -> String {
    let bets = (0..model.game.bets.count()).filter(|&bet| model.game.play_of(bet) == play);
    let mut amounts: Vec<String> = bets.map(|bet| model.unit.exact_text(model.game.bets.amounts[bet].into())).collect();
    let more = amounts.len().saturating_sub(3);
    amounts.truncate(3);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(" at {}{rest}", amounts.join(", "))
}

fn pool_row(model: &Model, pool: &PoolSummary) -> PoolRow {
    let major = |units: f64| units / model.unit.per_major() as f64;
    let bet = pool.bet_index.map(|bet| model.unit.exact_text(model.game.bets.amounts[bet].into()));
    PoolRow {
        level: model.jackpots.levels[pool.level].name.clone(),
        bet,
        seed: major(pool.seed as f64),
        cap: pool.cap.map(|cap| major(cap as f64)),
        hits_one_in: pool.gap_mean,
        gap_median: pool.gap_median,
        gap_95: pool.gap_95,
        coin_in: major(pool.coin_in),
        amount_mean: major(pool.amount_mean),
        amount_deviation: major(pool.amount_deviation),
        rtp_seed: pool.rtp_seed,
        rtp_growth: pool.rtp_growth,
        rtp_at_seed: pool.rtp_at_seed,
        rtp_at_mean: pool.rtp_at_mean,
        rtp_at_cap: pool.rtp_at_cap,
        break_even: pool.break_even.map(major),
        break_even_to_hit: pool.break_even_to_hit.map(major),
        overflow_mean: pool.overflow.map(major),
        reserve_short: pool.reserve.map(|reserve| reserve.short),
        reserve_short_error: pool.reserve.map(|reserve| reserve.short_error),
        reserve_top_up: pool.reserve.map(|reserve| major(reserve.top_up)),
        reserve_grows: pool.reserve.map(|reserve| reserve.grows),
        limit_rtp: pool.limit.map(|limit| limit.rtp),
        limit_amount_mean: pool.limit.map(|limit| major(limit.amount_mean)),
        limit_coin_in: pool.limit.map(|limit| major(limit.coin_in)),
    }
}

/// Bets in the mix, as spins of a run: rounded, the sum kept.
pub fn spins_by_bet(model: &Model, spins: u64) -> Vec<u64> {
    let total = u128::from(model.game.bets.mix_total());
    let mut before = 0u128;
    let mut made = 0;
    (model.game.bets.mix.iter())
        .map(|&mix| {
            before += u128::from(mix);
            let until = (u128::from(spins) * before / total) as u64;
            let here = until - made;
            made = until;
            here
        })
        .collect()
}

fn finite(model: &Model, base: &BaseFigures, chances: &[Option<f64>], spins: u64) -> Vec<FiniteRow> {
    let game_bets = &model.game.bets;
    let by_bet = spins_by_bet(model, spins);
    let stakes = || game_bets.amounts.iter().zip(&by_bet).map(|(&bet, &spins)| (bet as f64, spins as f64));
    let wagered: f64 = stakes().map(|(bet, spins)| bet * spins).sum();
    let squares: f64 = stakes().map(|(bet, spins)| bet * bet * spins).sum();
    let effective = wagered * wagered / squares;
    let reach = |sigma: Option<f64>| sigma.map(|sigma| Z_95 * sigma / effective.sqrt());
    let base_row = |part: &str, value: f64, sigma: Option<f64>| FiniteRow {
        part: part.into(),
        paid: value,
        paid_half_width: reach(sigma),
        accrued: value,
        accrued_half_width: reach(sigma),
        basis: "exact".into(),
    };
    let mut rows = vec![base_row("base game", base.base.value, base.sigma_base)];
    if !base.features.is_empty() && base.rtp.value.is_finite() {
        rows.push(base_row("base and features", base.rtp.value, base.sigma));
    }
    let (levels, _) = expected(game_bets, &model.jackpots, &by_bet, &seeds(&model.jackpots), chances);
    let accruals = accrual_by_bet(game_bets, &model.jackpots, chances);
    let mut all_known = base.rtp.value.is_finite();
    let (mut paid, mut accrued) = (base.rtp.value, base.rtp.value);
    let whole_reach = reach(base.sigma).map(|reach| reach * reach);
    let (mut paid_square, mut accrued_square) = (whole_reach, whole_reach);
    for ((level, expected), accrual) in model.jackpots.levels.iter().zip(levels).zip(accruals) {
        let Some(expected) = expected else {
            all_known = false;
            continue;
        };
        let mix = accrual.map_or(0.0, |accrual| rtp_variance_of_mix(game_bets, &accrual, spins));
        let half = |deviation: f64| Z_95 * ((deviation / wagered).powi(2) + mix).sqrt();
        let row = FiniteRow {
            part: level.name.clone(),
            paid: expected.paid / wagered,
            paid_half_width: Some(half(expected.paid_sd)),
            accrued: expected.accrued / wagered,
            accrued_half_width: Some(half(expected.accrued_sd)),
            basis: expected.basis,
        };
        paid += row.paid;
        accrued += row.accrued;
        paid_square = paid_square.zip(row.paid_half_width).map(|(sum, half)| sum + half * half);
        accrued_square = accrued_square.zip(row.accrued_half_width).map(|(sum, half)| sum + half * half);
        rows.push(row);
    }
    if !model.jackpots.levels.is_empty() && all_known {
        rows.push(FiniteRow {
            part: "the whole game".into(),
            paid,
            paid_half_width: paid_square.map(f64::sqrt),
            accrued,
            accrued_half_width: accrued_square.map(f64::sqrt),
            basis: "exact".into(),
        });
    }
    rows
}

fn confidence(base: &BaseFigures) -> Vec<ConfidenceRow> {
    let Some(sigma) = base.sigma else { return Vec::new() };
    (3..=9)
        .map(|power| {
            let spins = 10u64.pow(power);
            let half = Z_95 * sigma / (spins as f64).sqrt();
            ConfidenceRow { spins, low: base.rtp.value - half, high: base.rtp.value + half }
        })
        .collect()
}

fn precision(base: &BaseFigures) -> Vec<(f64, f64)> {
    let Some(sigma) = base.sigma else { return Vec::new() };
    [0.01, 0.005, 0.001, 0.0005, 0.0001].map(|half| (half, (Z_95 * sigma / half).powi(2))).to_vec()
}

fn notes(model: &Model, base: &BaseFigures, pools: &[PoolSummary], chances: &[Option<f64>]) -> Vec<String> {
    let mut notes = Vec::new();
    let name = |pool: &PoolSummary| &model.jackpots.levels[pool.level].name;
    for pool in pools.iter().filter(|pool| pool.chance < CHANCE_LEAST) {
        let one_in = 1.0 / pool.chance;
        notes.push(format!("{}: 1 in {one_in:.0} spins is rarer than 1 in 100 million (GLI-11)", name(pool)));
    }
    if base.rtp.value > 1.0 {
        notes.push(format!("the game returns {:.2} % without jackpots: more than is staked", base.rtp.value * 100.0));
    }
    for (level, by_bet) in model.jackpots.levels.iter().zip(rtp_by_bet(&model.game.bets, &model.jackpots, chances)) {
        // New Jersey: RTP may not fall by more than .01 points as the bet rises.
        let Some(by_bet) = by_bet else {
            notes.push(format!("{}: its chance is not known, so neither is what it returns", level.name));
            continue;
        };
        let falls = (1..by_bet.len()).find(|&bet| by_bet[bet] < by_bet[bet - 1] - 1e-4);
        if let Some(bet) = falls {
            notes.push(format!(
                "{}: RTP falls from {:.4} % at bet index {} to {:.4} % at {bet}",
                level.name,
                by_bet[bet - 1] * 100.0,
                bet - 1,
                by_bet[bet] * 100.0
            ));
        }
    }
    notes
}
