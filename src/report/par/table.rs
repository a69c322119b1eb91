//! The sheet for a terminal of 80 columns.

use super::{Metric, ParSheet, Unit};
use crate::money::Grouped;
use crate::report::table::layout::{Cell, rule, table, wrap};
use crate::report::table::words::{mean_text, short};
use crate::report::view::play::RANGES as WIN_RANGES;
use std::io::{self, Write};

/// Most rows of pools that are printed.
pub(super) const POOLS_SHOWN: usize = 40;

pub fn render(sheet: &ParSheet, writer: &mut dyn Write) -> io::Result<()> {
    let mut lines = wrap(&headline(sheet), "");
    lines.extend(section("RTP, % of the total bet", metrics("part", &sheet.rtp)));
    lines.extend(section("Play", metrics("figure", &sheet.play)));
    if !sheet.by_bet.is_empty() {
        lines.extend(section("By bet", metrics("bet and figure", &sheet.by_bet)));
    }
    if !sheet.combinations.is_empty() {
        let title = match sheet.by_ways {
            true => "Combinations (pays of one way, x bet; multipliers count as ways)",
            false => "Combinations (pays of lines and their RTP: of one line's bet)",
        };
        lines.extend(section(title, combinations(sheet)));
    }
    if !sheet.payouts.is_empty() {
        lines.extend(section("Wins of a spin, x bet, before features", wins(sheet)));
    }
    if !sheet.pools.is_empty() {
        lines.extend(section(&format!("Jackpots: how often and how much, {}", sheet.currency), pools(sheet)));
        lines.extend(section("Jackpots: who pays, and when it is worth playing", worth(sheet)));
        if sheet.pools.iter().any(|pool| pool.overflow_mean.is_some()) {
            lines.extend(section(&format!("Caps in the long run, {}", sheet.currency), caps(sheet)));
        }
        if sheet.pools.iter().any(|pool| pool.reserve_short.is_some()) {
            lines.extend(section(&format!("Reserves in the long run, {}", sheet.currency), reserves(sheet)));
        }
        if sheet.pools.iter().any(|pool| pool.limit_rtp.is_some()) {
            lines.extend(section("Must-hit-by in the limit of small bets", limits(sheet)));
        }
    }
    if let Some(days) = &sheet.days {
        lines.extend(section(&format!("Jackpots in days, {}", days.traffic.words()), days.lines(&sheet.currency)));
    }
    let title = format!("What a run of {} spins shows, % (95 %)", Grouped(sheet.spins.into()));
    lines.extend(section(&title, finite(sheet)));
    if !sheet.confidence.is_empty() {
        lines.extend(section("RTP without jackpots over so many spins, 95 % between", confidence(sheet)));
    }
    if !sheet.notes.is_empty() || !sheet.not_compared.is_empty() {
        let mut notes: Vec<String> = sheet.notes.iter().flat_map(|note| wrap(note, "  ")).collect();
        for (key, text) in &sheet.not_compared {
            notes.extend(wrap(&format!("published, not compared: {key} = {text}"), "  "));
        }
        lines.extend(section("Notes", notes));
    }
    for line in lines {
        writeln!(writer, "{line}")?;
    }
    Ok(())
}

/// What the game returns, how it plays, and whether that is what is published.
pub fn headline(sheet: &ParSheet) -> String {
    let value = |key: &str| sheet.metrics().find(|metric| metric.key == key).and_then(|metric| metric.value);
    let mut text = format!("{}:", sheet.game);
    match value("rtp") {
        Some(rtp) => text += &format!(" returns {:.4} % in the long run", rtp * 100.0),
        None => text += " its RTP can't be known exactly, see the notes",
    }
    if let Some(frequency) = value("hit_frequency") {
        text += &format!(", pays on {:.2} % of spins", frequency * 100.0);
    }
    if let Some(sigma) = value("sigma") {
        text += &format!(", sigma {sigma:.3} x bet");
    }
    text += ".";
    let compared =
        sheet.metrics().filter(|metric| metric.published.as_ref().is_some_and(|p| p.agrees.is_some())).count();
    let differing: Vec<&str> = sheet.differing().map(|metric| metric.key.as_str()).collect();
    if compared > 0 && differing.is_empty() {
        text += &match compared {
            1 => " The published figure agrees.".to_owned(),
            _ => format!(" All {compared} published figures agree."),
        };
    } else if compared > 0 {
        text += &format!(" Of {compared} published figures, these DIFFER: {}.", differing.join(", "));
    }
    text
}

fn section(title: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    [vec![String::new(), rule(title)], lines].concat()
}

/// A figure as people read it.
pub fn text(metric: &Metric) -> String {
    let Some(value) = metric.value else { return "-".into() };
    match metric.unit {
        Unit::Share => format!("{:.4} %", value * 100.0),
        Unit::Spins => format!("1 in {}", mean_text(value)),
        Unit::Bets => format!("{value:.4} x bet"),
        Unit::LineBets => format!("{value:.2} x line bet"),
        Unit::Days => format!("{value:.1} days"),
        Unit::Currency | Unit::Number if value.fract() == 0.0 && value.abs() < 1e15 => {
            Grouped(value as u128).to_string()
        }
        Unit::Currency | Unit::Number => format!("{value:.4}"),
    }
}

fn metrics(first: &str, metrics: &[Metric]) -> Vec<String> {
    let rows: Vec<(String, Vec<Cell>)> = metrics
        .iter()
        .map(|metric| {
            let published = metric.published.as_ref();
            let mark = match published.and_then(|published| published.agrees) {
                Some(true) => "✓",
                Some(false) => "✗ DIFFERS",
                None => "",
            };
            let published = published.map_or(String::new(), |published| published.text.clone());
            (
                metric.label.clone(),
                vec![Cell::new(text(metric), text(metric)), Cell::new(published.clone(), published), Cell::word(mark)],
            )
        })
        .collect();
    let mut lines = table(&[first, "exact", "published", ""], &rows);
    for metric in metrics {
        if let Some(fraction) = metric.fraction.as_ref().filter(|fraction| metric.key == "rtp" && fraction.len() < 60) {
            lines.push(format!("the whole as a fraction: {fraction}"));
        }
    }
    // Figures that are missing for one reason are named together.
    let noted: Vec<(&str, &str)> =
        metrics.iter().filter_map(|metric| Some((metric.note.as_deref()?, metric.label.as_str()))).collect();
    for same in noted.chunk_by(|one, next| one.0 == next.0) {
        let labels: Vec<&str> = same.iter().map(|(_, label)| *label).collect();
        lines.extend(wrap(&format!("{}: {}", labels.join(", "), same[0].0), "  "));
    }
    lines
}

fn plain(text: String) -> Cell {
    Cell::new(text.clone(), text)
}

fn percent(share: f64) -> Cell {
    plain(format!("{:.4}", share * 100.0))
}

fn money(value: f64) -> Cell {
    let cents = (value * 100.0).round();
    let (whole, rest) = ((cents / 100.0).trunc(), cents % 100.0);
    Cell::new(format!("{}.{:02}", Grouped(whole as u128), rest as u64), short(value))
}

fn spins(value: f64) -> Cell {
    Cell::new(mean_text(value), short(value))
}

fn combinations(sheet: &ParSheet) -> Vec<String> {
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .combinations
        .iter()
        .map(|row| {
            let name = match (row.name.as_str(), row.is_scatter) {
                ("", _) => "outcome".to_owned(),
                (name, true) => format!("{} {name} anywhere", row.count),
                (name, false) => format!("{} {name}", row.count),
            };
            let pay = if row.pay.fract() == 0.0 { mean_text(row.pay) } else { format!("{:.3}", row.pay) };
            (name, vec![plain(pay), plain(row.windows.clone()), spins(row.one_in), percent(row.rtp)])
        })
        .collect();
    table(&["combination", "pays x", "ways", "1 in", "RTP %"], &rows)
}

/// The distribution of a spin's win, in the ranges of a run's report.
fn wins(sheet: &ParSheet) -> Vec<String> {
    let cycle: f64 = sheet.payouts.iter().map(|&(_, windows)| windows as f64).sum();
    let mut rows: Vec<(String, Vec<Cell>)> = Vec::new();
    let mut range = |label: String, low: f64, high: f64| {
        let within = sheet.payouts.iter().filter(|(pay, _)| (low..high).contains(pay));
        let (windows, paid) =
            within.fold((0.0, 0.0), |sum, &(pay, windows)| (sum.0 + windows as f64, sum.1 + pay * windows as f64));
        if windows > 0.0 {
            let cells = vec![percent(windows / cycle), spins(cycle / windows), percent(paid / cycle)];
            rows.push((label, cells));
        }
    };
    range("0".into(), 0.0, f64::MIN_POSITIVE);
    let mut low = f64::MIN_POSITIVE;
    for high in WIN_RANGES {
        let from = if low < 1.0 { 0 } else { low as u64 };
        match high {
            u64::MAX => range(format!("{} +", Grouped(from.into())), low, f64::INFINITY),
            _ => range(format!("{} - {}", Grouped(from.into()), Grouped(high.into())), low, high as f64),
        }
        low = high as f64;
    }
    table(&["x bet", "% of spins", "1 in", "% RTP"], &rows)
}

fn name(pool: &super::PoolRow) -> String {
    pool.bet.as_ref().map_or(pool.level.clone(), |bet| format!("{} at {bet}", pool.level))
}

fn pools(sheet: &ParSheet) -> Vec<String> {
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .pools
        .iter()
        .take(POOLS_SHOWN)
        .map(|pool| {
            let cells = vec![
                spins(pool.hits_one_in),
                spins(pool.gap_median),
                spins(pool.gap_95),
                money(pool.amount_mean),
                money(pool.amount_deviation),
                money(pool.coin_in),
            ];
            (name(pool), cells)
        })
        .collect();
    let mut lines = table(&["pool", "spins", "median", "95 %", "mean", "SD", "coin-in"], &rows);
    if sheet.pools.len() > POOLS_SHOWN {
        lines.push(format!("... and {} more pools: --format json has them all", sheet.pools.len() - POOLS_SHOWN));
    }
    lines
}

fn worth(sheet: &ParSheet) -> Vec<String> {
    let optional = |value: Option<f64>, cell: fn(f64) -> Cell| value.map_or(Cell::missing(), cell);
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .pools
        .iter()
        .take(POOLS_SHOWN)
        .map(|pool| {
            let cells = vec![
                percent(pool.rtp_seed),
                percent(pool.rtp_growth),
                percent(pool.rtp_at_seed),
                percent(pool.rtp_at_mean),
                optional(pool.rtp_at_cap, percent),
                optional(pool.break_even, money),
            ];
            (name(pool), cells)
        })
        .collect();
    table(&["pool", "seed %", "growth %", "at seed", "at mean", "at cap", "even at"], &rows)
}

fn caps(sheet: &ParSheet) -> Vec<String> {
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .pools
        .iter()
        .take(POOLS_SHOWN)
        .filter_map(|pool| {
            let (cap, overflow) = (pool.cap?, pool.overflow_mean?);
            let share = overflow / (pool.amount_mean - pool.seed + overflow).max(f64::MIN_POSITIVE);
            Some((name(pool), vec![money(cap), money(overflow), percent(share)]))
        })
        .collect();
    table(&["pool", "cap", "overflow a hit", "% of growth"], &rows)
}

fn reserves(sheet: &ParSheet) -> Vec<String> {
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .pools
        .iter()
        .take(POOLS_SHOWN)
        .filter_map(|pool| {
            let (short, error) = (pool.reserve_short?, pool.reserve_short_error?);
            let off = if error > 0.0 { percent(error) } else { Cell::word("exact") };
            let grows = if pool.reserve_grows == Some(true) { "grows without end" } else { "" };
            Some((name(pool), vec![percent(short), off, money(pool.reserve_top_up?), Cell::word(grows)]))
        })
        .collect();
    let mut lines = table(&["pool", "short %", "± at most", "house adds", ""], &rows);
    lines.extend(wrap("short: hits at which the reserve doesn't hold a seed; house adds: mean a hit", ""));
    lines
}

fn limits(sheet: &ParSheet) -> Vec<String> {
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .pools
        .iter()
        .take(POOLS_SHOWN)
        .filter_map(|pool| {
            let (rtp, mean, coin_in) = (pool.limit_rtp?, pool.limit_amount_mean?, pool.limit_coin_in?);
            Some((name(pool), vec![percent(rtp), money(mean), money(coin_in)]))
        })
        .collect();
    table(&["pool", "RTP %", "mean", "coin-in"], &rows)
}

fn finite(sheet: &ParSheet) -> Vec<String> {
    let reach = |value: Option<f64>| value.map_or(Cell::missing(), percent);
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .finite
        .iter()
        .map(|row| {
            let cells = vec![
                percent(row.paid),
                reach(row.paid_half_width),
                percent(row.accrued),
                reach(row.accrued_half_width),
            ];
            (row.part.clone(), cells)
        })
        .collect();
    let mut lines = table(&["part", "paid", "±", "accrued", "±"], &rows);
    for row in sheet.finite.iter().filter(|row| row.basis != "exact") {
        lines.extend(wrap(&format!("{}: {}", row.part, row.basis), "  "));
    }
    lines
}

fn confidence(sheet: &ParSheet) -> Vec<String> {
    let rows: Vec<(String, Vec<Cell>)> = sheet
        .confidence
        .iter()
        .map(|row| (Grouped(row.spins.into()).to_string(), vec![percent(row.low), percent(row.high)]))
        .collect();
    let mut lines = table(&["spins", "low %", "high %"], &rows);
    let precision: Vec<String> = sheet
        .precision
        .iter()
        .map(|&(half, spins)| format!("± {} takes {}", half * 100.0, Grouped(spins.ceil() as u128)))
        .collect();
    lines.extend(wrap(&format!("Spins at one bet for so many points: {}", precision.join("; ")), "  "));
    lines
}
