//! Sections on the run, RTP, play and wins.

use super::super::view::View;
use super::super::view::parts::{Part, is_shown_with_parts};
use super::super::view::play::VI_Z;
use super::layout::{Cell, Row};
use super::words::{
    bet_text, count, counted, decimal, half_width, mark_if, mean, mean_text, money_exact, percent, percent_text,
};
use super::{Line, Section};
use crate::money::Grouped;

/// Most bets that are listed.
const BETS_SHOWN: usize = 12;

/// Most openings that are listed.
const OPENINGS_SHOWN: usize = 12;

/// What was run.
pub fn run(view: &View) -> Section {
    let (plan, game) = (&view.result.plan, &view.result.game);
    let mut after = Line::paragraph(&format!(
        "{}, rng seed {}, commit {}, {}, chunks of {}, jackpot {}",
        counted(plan.spins_done, "spin"),
        plan.rng_seed,
        plan.commit,
        plan.generator,
        counted(plan.chunk_spins.into(), "spin"),
        view.result.jackpot
    ));
    let sha256 = game.sha256.get(..16).unwrap_or(&game.sha256);
    after.push(Line::Fixed(format!("game file {}, sha256 {sha256}", game.file)));
    after.extend(Line::paragraph(&openings(view)));
    if let Some(until) = &plan.until {
        let ended = if until.reached { "reached" } else { "not reached" };
        after.extend(Line::paragraph(&format!(
            "played until {}: {ended} at look {} (at most {}). Intervals are sequential: the run ended because one was narrow, \
             which makes them a little too narrow.",
            until.rule,
            until.looks,
            counted(until.max_spins, "spin")
        )));
    }
    let published: Vec<String> = (game.published.iter())
        .filter(|(key, _)| !is_shown_with_parts(key, view.result))
        .map(|(key, value)| format!("{key} {value}"))
        .collect();
    if !published.is_empty() {
        after.push(Line::Wrapped(format!("also published: {}", published.join(", ")), "  "));
    }
    Section { after, ..Section::default() }
}

/// Pools that didn't open at their seeds.
fn openings(view: &View) -> String {
    let mut opened = Vec::new();
    for level in &view.levels {
        for pool in level.pools.iter().filter(|pool| pool.record.tally.opening != pool.record.seed) {
            let bet = view.bet_amount(pool.record.bet_index).map(|bet| format!(" at {}", bet_text(view, bet)));
            let amount = view.unit.grouped_text(pool.record.tally.opening.into());
            opened.push(format!("{}{} {amount}", level.record.name, bet.unwrap_or_default()));
        }
    }
    if opened.is_empty() {
        return String::new();
    }
    let more = opened.len().saturating_sub(OPENINGS_SHOWN);
    opened.truncate(OPENINGS_SHOWN);
    let rest = if more > 0 { format!(" and {} more", Grouped(more as u128)) } else { String::new() };
    format!("opened apart from the seeds, {}: {}{rest}", view.unit.currency, opened.join(", "))
}

/// RTP by part.
pub fn rtp(view: &View) -> Section {
    if view.spins() == 0 {
        return Section::default();
    }
    let parts = &view.parts;
    let mut rows =
        vec![part_row("total", &parts.total, z_of(&parts.total)), part_row("base", &parts.base, z_of(&parts.base))];
    if !view.play.features.is_empty() {
        rows.push(part_row("features", &parts.features, z_of(&parts.features)));
    }
    if view.levels.len() > 1 {
        rows.extend(parts.jackpots.iter().map(|part| part_row("jackpots", part, z_of(part))));
    }
    let mut cycles = false;
    for (level, part) in view.levels.iter().zip(&parts.levels) {
        let score = super::words::score(&level.all.comparison, part.paid.z);
        cycles |= level.all.comparison.verdict().ends_with("cycle");
        rows.push(part_row(&level.record.name, part, score));
        rows.push(("  of it seed".into(), vec![percent(level.rtp_seed)]));
        rows.push(("  of it growth".into(), vec![percent(level.rtp_growth)]));
    }
    let published = all_parts(view).any(|part| part.published.is_some());
    let mut header = vec!["", "paid", "± 95 %", "accrued", "expected", "diff", "z", "printed"];
    if !published {
        header.pop();
    }
    let mut notes = Vec::new();
    if published {
        notes.push("printed: as published.");
    }
    if !view.levels.is_empty() {
        notes.push("accrued: paid and what the pools grew; expected: what this very run should have paid, exactly for");
        notes.push("base and features.");
    }
    if cycles {
        notes.push("in cycle: such a level has no variance but its sawtooth; ± is one cycle of each pool.");
    }
    if all_parts(view).any(|part| part.few_hits) {
        notes.push("few hits: at most 30; an interval would mean nothing. p: chance of a count at most as likely.");
    }
    if all_parts(view).any(|part| part.approximate) {
        notes.push("~ before expected and z: approximate, and not judged.");
    }
    if all_parts(view).any(|part| part.estimated && part.paid.half_width.is_some()) {
        notes.push("~ before ±: estimated from the hits of this run, for want of an expectation.");
    }
    Section { header, rows, after: Line::paragraph(&notes.join(" ")), ..Section::default() }
}

fn z_of(part: &Part) -> Cell {
    part.paid.z.map_or(Cell::default(), |z| Cell::word(format!("{z:+.2}")))
}

fn all_parts<'a>(view: &'a View) -> impl Iterator<Item = &'a Part> {
    let parts = &view.parts;
    [&parts.total, &parts.base, &parts.features].into_iter().chain(&parts.jackpots).chain(&parts.levels)
}

fn part_row(name: &str, part: &Part, score: Cell) -> Row {
    let optional = |share: Option<f64>| share.map_or(Cell::default(), |share| percent(Some(share)));
    let mut cells = vec![percent(part.paid.value), half_width(part, part.paid.half_width), percent(part.accrued.value)];
    let expected = mark_if(part.approximate, optional(part.paid.expected));
    let difference = part.paid.value.zip(part.paid.expected).map(|(value, expected)| (value - expected) * 100.0);
    let difference = difference.map_or(Cell::default(), |points| Cell::word(format!("{points:+.4}")));
    cells.extend([expected, difference, score, optional(part.published)]);
    (name.into(), cells)
}

/// RTP by bet: who pays for whom.
pub fn bets(view: &View) -> Section {
    if view.bets.len() < 2 || view.spins() == 0 {
        return Section::default();
    }
    let with_features = !view.play.features.is_empty();
    let mut header = vec!["bet", "spins", "base"];
    if with_features {
        header.push("features");
    }
    header.extend(["jackpots", "total", "jackpot hits"]);
    let rows: Vec<_> = (view.bets.iter().take(BETS_SHOWN))
        .map(|bet| {
            let mut cells = vec![count(bet.spins), percent(bet.rtp_base)];
            if with_features {
                cells.push(percent(bet.rtp_features));
            }
            cells.extend([percent(bet.rtp_jackpots), percent(bet.rtp), count(bet.jackpot_hits)]);
            (format!("{} {}", bet_text(view, bet.amount), view.unit.currency), cells)
        })
        .collect();
    let mut after = Vec::new();
    if view.bets.len() > BETS_SHOWN {
        let more = (view.bets.len() - BETS_SHOWN) as u64;
        after.push(Line::Fixed(format!("and {}: see rtp.csv", counted(more, "more bet"))));
    }
    Section { header, rows, after, ..Section::default() }
}

/// Hit frequency, sigma, features.
pub fn play(view: &View) -> Section {
    if view.spins() == 0 {
        return Section::default();
    }
    let play = &view.play;
    let exact = view.result.exact.clone().unwrap_or_default();
    let beside =
        |exact: Option<f64>| exact.map_or(String::new(), |exact| format!(", exact {}", percent_text(Some(exact))));
    let mut lines = vec![format!(
        "hit frequency      {} of spins pay ({}){}",
        percent_text(play.hit_frequency),
        counted(view.result.game.lines.into(), "line"),
        beside(exact.hit_frequency.filter(|_| play.features.is_empty()))
    )];
    if !play.features.is_empty() {
        lines.push(format!(
            "                   {} pay or start a feature{}",
            percent_text(play.hit_or_trigger_frequency),
            beside(exact.hit_or_trigger_frequency)
        ));
        lines.push(format!(
            "                   {} pay in the base game{}",
            percent_text(play.hit_frequency_base),
            beside(exact.hit_frequency)
        ));
    }
    lines.push(format!(
        "win of the bet     {} of spins pay at least their bet",
        percent_text(play.win_of_bet_frequency)
    ));
    if let (Some(sigma), Some(index)) = (play.sigma, play.volatility_index) {
        let exact = exact.sigma.map_or(String::new(), |exact| format!(" (exact {exact:.4})"));
        lines.push(format!("volatility         sigma {sigma:.4}{exact} x bet, VI {index:.4} at z {VI_Z}"));
    }
    if let Some(effective) = view.effective_spins {
        let text =
            format!("effective spins    {}: as many at one bet would tell as much about RTP", mean_text(effective));
        lines.push(text);
    }
    let mut rows = Vec::new();
    if !play.features.is_empty() {
        let decimals = |value: Option<f64>| value.map_or(Cell::missing(), |value| decimal(value, 3));
        rows = (play.features.iter())
            .map(|feature| {
                let cells = vec![
                    count(feature.triggers),
                    mean(feature.spins_per_trigger),
                    decimals(feature.mean_x_bet),
                    decimals(feature.deviation_x_bet),
                    decimals(feature.plays_per_trigger),
                ];
                (feature.name.clone(), cells)
            })
            .collect();
    }
    let header = vec!["feature", "triggers", "1 in spins", "mean x bet", "SD x bet", "plays each"];
    Section { before: lines.into_iter().map(Line::Fixed).collect(), header, rows, ..Section::default() }
}

/// The win table by range.
pub fn wins(view: &View) -> Section {
    if view.spins() == 0 {
        return Section::default();
    }
    let last = view.play.wins.iter().rposition(|range| range.spins > 0).map_or(0, |last| last + 1);
    let rows: Vec<_> = (view.play.wins.iter().take(last))
        .map(|range| {
            let cells = vec![count(range.spins), percent(range.share), mean(range.one_in), percent(range.rtp)];
            (range.label.clone(), cells)
        })
        .collect();
    let mut after = Vec::new();
    if view.result.base.payouts.counts().last().is_some_and(|&(pay, _)| pay >= view.play.exact_below) {
        let from = view.play.exact_below as f64 / view.result.game.return_scale as f64;
        after = Line::paragraph(&format!(
            "wins of {} x bet and more are rounded down by at most 1 in 32,768",
            mean_text(from)
        ));
    }
    Section { header: vec!["x bet", "spins", "% of spins", "1 in", "% RTP"], rows, after, ..Section::default() }
}

/// The largest wins.
pub fn largest(view: &View) -> Section {
    let rows: Vec<_> = (view.play.largest.iter().take(5))
        .map(|win| {
            let cells = vec![money_exact(view, win.money), money_exact(view, win.bet.into()), count(win.spin)];
            (format!("{} x bet", mean_text(win.x_bet)), cells)
        })
        .collect();
    Section { header: vec!["", "amount", "bet", "spin, from 0"], rows, ..Section::default() }
}
