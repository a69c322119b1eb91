//! Paylines: named sets, given lists, and how many are played.

use super::reels::Layout;
use super::unknown_name;
use crate::config::findings::{At, Notes};
use crate::config::shapes;
use crate::config::wire::{List, WireGame, WireShape, WireShapes};

/// Most paylines of a game.
pub(super) const LINES_MAX: u64 = 1000;

/// The paylines that are played, as far as they are known.
pub(super) struct Lines {
    /// Row of each reel, line by line; empty without line pays and for a table of outcomes.
    pub rows: Option<Vec<Vec<usize>>>,
    /// Lines in a total bet: what a line bet is a share of.
    pub count: Option<u32>,
}

/// The lines of `shapes`, and their number where only that is known.
struct Shapes {
    rows: Option<Vec<Vec<usize>>>,
    count: Option<usize>,
}

impl Shapes {
    const UNKNOWN: Self = Self { rows: None, count: None };

    fn of(rows: Vec<Vec<usize>>) -> Self {
        Self { count: Some(rows.len()), rows: Some(rows) }
    }
}

pub(super) fn lines(notes: &Notes, wire: &WireGame, layout: &Layout) -> Lines {
    let in_bets = wire.bets.as_ref();
    let written = in_bets.and_then(|bets| bets.lines.as_ref());
    let played = written.filter(|played| (1..=LINES_MAX).contains(&played.value));
    if let (Some(written), None) = (written, played) {
        notes.error(
            written.span,
            "line-count",
            format!("{} lines played", written.value),
            format!("expected 1 to {LINES_MAX}"),
            "`lines` is the number of paylines that a total bet covers",
        );
    }
    let is_unread = in_bets.map_or(wire.unread.has("bets"), |bets| bets.unread.has("lines"));
    let count_is_known = written.is_none() == played.is_none() && !is_unread;
    let shapes = shapes(notes, wire, layout);
    let on_lines = wire.line_pays.as_ref().is_some_and(|pays| !pays.by_ways);
    if let (Some(played), Some(count), true) = (played, shapes.count, on_lines)
        && played.value > count as u64
    {
        notes.error(
            played.span,
            "line-count",
            format!("{} lines played of {count} paylines", played.value),
            format!("expected at most {count}"),
            "leave `lines` out to play every payline; fewer play the first ones of the list",
        );
        return Lines { rows: shapes.rows, count: None };
    }
    let rows = shapes.rows.map(|mut rows| {
        rows.truncate(played.map_or(usize::MAX, |played| played.value as usize));
        rows
    });
    let count = match played {
        Some(played) => Some(played.value as u32),
        None => shapes.count.map(|count| count.max(1) as u32).filter(|_| count_is_known),
    };
    Lines { rows, count }
}

fn shapes(notes: &Notes, wire: &WireGame, layout: &Layout) -> Shapes {
    let Some(pays) = &wire.line_pays else {
        return if wire.unread_pays.has("line") { Shapes::UNKNOWN } else { Shapes::of(Vec::new()) };
    };
    if pays.by_ways {
        if pays.shapes.is_some() || pays.shapes_unread {
            notes.error(
                pays.span,
                "ways-shapes",
                "[pays.ways] with `shapes`",
                "expected no paylines: every choice of one cell a reel is a way",
                "remove `shapes`, or name the section [pays.line]",
            );
        }
        return Shapes::of(Vec::new());
    }
    match &pays.shapes {
        Some(WireShapes::Named(name)) => named(notes, name, layout),
        Some(WireShapes::List(list)) => listed(notes, list, layout),
        None if pays.shapes_unread => Shapes::UNKNOWN,
        None => match (layout.rows, layout.reels) {
            (Some(1), Some(reels)) => Shapes::of(vec![vec![0; reels]]),
            (Some(1), None) => Shapes { rows: None, count: Some(1) },
            (None, _) => Shapes::UNKNOWN,
            (Some(rows), _) => {
                notes.error(
                    pays.span,
                    "missing-key",
                    format!("[pays.line] has no `shapes` for a window of {rows} rows"),
                    "expected the paylines",
                    "add shapes = \"center\", a named set, or a list such as [\"11111\", \"00000\"]",
                );
                Shapes::UNKNOWN
            }
        },
    }
}

fn named(notes: &Notes, name: &At<String>, layout: &Layout) -> Shapes {
    if name.value == shapes::CENTER {
        match (layout.rows, layout.reels) {
            (Some(rows), _) if rows % 2 == 0 => {
                notes.error(
                    name.span,
                    "line-window",
                    format!("\"center\" in a window of {rows} rows"),
                    "expected an odd number of rows",
                    "write the line by its rows, such as shapes = [\"11111\"]",
                );
                return Shapes { rows: None, count: Some(1) };
            }
            (Some(rows), Some(reels)) => return Shapes::of(vec![vec![rows / 2; reels]]),
            _ => return Shapes { rows: None, count: Some(1) },
        }
    }
    let Some(set) = shapes::named(&name.value) else {
        unknown_name(notes, name, "unknown-shapes", "set of paylines", shapes::names());
        return Shapes::UNKNOWN;
    };
    let fits = |own: usize, window: Option<usize>| window.is_none_or(|window| window == own);
    if !fits(set.reels(), layout.reels) || !fits(set.rows, layout.rows) {
        let part = |count: Option<usize>, what: &str| count.map(|count| format!("{count} {what}"));
        let window: Vec<String> =
            [part(layout.reels, "reels"), part(layout.rows, "rows")].into_iter().flatten().collect();
        notes.error(
            name.span,
            "line-window",
            format!("\"{}\" is for {} reels of {} rows", name.value, set.reels(), set.rows),
            format!("expected lines for {}", window.join(" of ")),
            "choose another set, or list the lines",
        );
        return Shapes::UNKNOWN;
    }
    Shapes::of(set.lines())
}

fn listed(notes: &Notes, list: &List<WireShape>, layout: &Layout) -> Shapes {
    if list.items.is_empty() || list.len() as u64 > LINES_MAX {
        notes.error(
            list.span,
            "line-count",
            format!("{} paylines", list.len()),
            format!("expected 1 to {LINES_MAX}"),
            "list each line as the row of each reel, 0 = top",
        );
        return Shapes::UNKNOWN;
    }
    if let Some((length, reels)) = common_length(list).zip(layout.reels).filter(|(length, reels)| length != reels) {
        notes.error(
            list.span,
            "line-length",
            format!("paylines of {length} rows for {reels} reels"),
            format!("expected {reels} rows in each"),
            "write one digit per reel, 0 = top, such as \"01210\"",
        );
        return Shapes { rows: None, count: Some(list.len()) };
    }
    let lines: Vec<_> =
        list.items.iter().map(|shape| shape.as_ref().and_then(|shape| line(notes, shape, layout))).collect();
    Shapes { rows: lines.into_iter().collect(), count: Some(list.len()) }
}

/// The length of two or more lines that are all of the same length: then it is one mistake if it is wrong.
fn common_length(list: &List<WireShape>) -> Option<usize> {
    let length = |shape: &At<WireShape>| match &shape.value {
        WireShape::Digits(text) => text.chars().count(),
        WireShape::Rows(rows) => rows.len(),
    };
    let first = list.known().next().map(length)?;
    (list.len() > 1 && list.known().all(|shape| length(shape) == first)).then_some(first)
}

/// A line, if it is right as far as the window is known.
fn line(notes: &Notes, shape: &At<WireShape>, layout: &Layout) -> Option<Vec<usize>> {
    let rows = match &shape.value {
        WireShape::Digits(text) => shapes::digits(text),
        WireShape::Rows(list) if !list.is_whole() => return None,
        WireShape::Rows(list) => list.known().map(|row| usize::try_from(row.value).ok()).collect(),
    };
    let Some(rows) = rows.filter(|rows| layout.reels.is_none_or(|reels| rows.len() == reels)) else {
        notes.error(
            shape.span,
            "line-length",
            "a payline that is not one row per reel",
            layout.reels.map_or_else(|| "expected digits".to_string(), |reels| format!("expected {reels} rows")),
            "write one digit per reel, 0 = top, such as \"01210\"",
        );
        return None;
    };
    if let Some((row, high)) = layout.rows.and_then(|high| Some((rows.iter().find(|&&row| row >= high)?, high))) {
        notes.error(
            shape.span,
            "line-window",
            format!("a payline through row {row} of a window with {high} rows"),
            format!("expected rows 0 to {}", high - 1),
            "rows are counted from 0 at the top",
        );
        return None;
    }
    Some(rows)
}
