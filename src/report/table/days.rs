//! What a run says in days, where the game says how much it is played.

use super::super::traffic::{InDays, days_text};
use super::super::view::View;
use super::super::view::jackpots::Figures;
use super::layout::{Cell, Row};
use super::words::bet_text;
use super::{Line, Section};

/// Most rows of pools.
const ROWS_MAX: usize = 40;

/// How often levels fall in days, and what the pools owe at the end.
pub fn days(view: &View) -> Section {
    let Some(traffic) = &view.result.game.traffic else { return Section::default() };
    let spins = view.spins() as f64;
    let mut rows: Vec<Row> = Vec::new();
    let mut sentences = Vec::new();
    for level in &view.levels {
        let name = &level.record.name;
        if level.pools.len() == 1 {
            let (row, sentence) = row(view, name, &level.all, true);
            rows.push(row);
            sentences.extend(sentence);
            continue;
        }
        rows.push(row(view, name, &level.all, false).0);
        for pool in &level.pools {
            let bet = view.bet_amount(pool.record.bet_index).map_or(String::new(), |bet| bet_text(view, bet));
            rows.push(row(view, &format!("{name} at {bet}"), &pool.figures, true).0);
        }
    }
    rows.truncate(ROWS_MAX);
    let mut before = sentences;
    let days = traffic.days(spins);
    let until = traffic.date_after(days).map_or(String::new(), |date| format!(", to {date}"));
    let liability = super::super::numbers::signed(view.totals.liability, |units| view.unit.rounded_text(units));
    let owed = match view.levels.is_empty() {
        true => String::new(),
        false => format!("; then the pools stand {} {liability} above their seeds", view.unit.currency),
    };
    before.push(format!("the run is {} {}{until}{owed}", days_text(days), traffic.words()));
    let before = before.into_iter().map(|text| Line::Wrapped(text, "  ")).collect();
    let header = vec!["pool", "every", "median", "95 % within", "longest"];
    Section { before, header, rows, ..Section::default() }
}

/// The row of a pool, or of a level; in words if it was hit.
fn row(view: &View, name: &str, figures: &Figures, is_one_pool: bool) -> (Row, Option<String>) {
    let days = InDays::new(view, figures, is_one_pool);
    let cell = |days: Option<f64>| {
        days.map_or_else(Cell::missing, |days| {
            let text = days_text(days);
            let short =
                text.replace(" days", " d").replace(" day", " d").replace(" hours", " h").replace(" minutes", " min");
            Cell::new(text, short)
        })
    };
    let sentence = days
        .every
        .zip(days.within_95)
        .map(|(every, within)| format!("{name}: every {}, 95 % within {}", days_text(every), days_text(within)));
    ((name.to_owned(), [days.every, days.median, days.within_95, days.longest].map(cell).to_vec()), sentence)
}
