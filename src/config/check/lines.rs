//! Paylines: named sets, given lists, and how many are played.

use super::reels::Layout;
use super::unknown_name;
use crate::config::findings::{At, Notes};
use crate::config::shapes;
use crate::config::wire::{WireGame, WireShape, WireShapes};

const LINES_MAX: u64 = 1000;

/// The paylines that are played.
pub(super) struct Lines {
    /// Row of each reel, line by line; empty without line pays and for a table of outcomes.
    pub rows: Vec<Vec<usize>>,
    /// Lines in a total bet: what a line bet is a share of.
    pub count: u32,
}

/// `layout` is absent for a table of outcomes, or where the reels are wrong.
pub(super) fn lines(notes: &Notes, wire: &WireGame, layout: Option<&Layout>) -> Option<Lines> {
    let played = wire.bets.as_ref().and_then(|bets| bets.lines.as_ref());
    if let Some(played) = played.filter(|played| !(1..=LINES_MAX).contains(&played.value)) {
        notes.error(
            played.span,
            "line-count",
            format!("{} lines played", played.value),
            format!("expected 1 to {LINES_MAX}"),
            "`lines` is the number of paylines that a total bet covers",
        );
        return None;
    }
    let Some(layout) = layout else {
        let count = played.map_or(1, |played| played.value) as u32;
        return wire.reels.is_none().then_some(Lines { rows: Vec::new(), count });
    };
    let needs_lines = wire.line_pays.is_some();
    let mut rows = match wire.line_pays.as_ref().and_then(|pays| pays.shapes.as_ref()) {
        Some(WireShapes::Named(name)) => named(notes, name, layout)?,
        Some(WireShapes::List(list)) => listed(notes, list, layout)?,
        None if layout.rows == 1 && needs_lines => vec![vec![0; layout.reels()]],
        None => {
            if let Some(pays) = wire.line_pays.as_ref() {
                if pays.flawed {
                    return None;
                }
                notes.error(
                    pays.span,
                    "missing-key",
                    format!("[pays.line] has no `shapes` for a window of {} rows", layout.rows),
                    "expected the paylines",
                    "add shapes = \"center\", a named set, or a list such as [\"11111\", \"00000\"]",
                );
                return None;
            }
            Vec::new()
        }
    };
    let Some(played) = played else {
        return Some(Lines { count: rows.len().max(1) as u32, rows });
    };
    if needs_lines && played.value > rows.len() as u64 {
        notes.error(
            played.span,
            "line-count",
            format!("{} lines played of {} paylines", played.value, rows.len()),
            format!("expected at most {}", rows.len()),
            "leave `lines` out to play every payline; fewer play the first ones of the list",
        );
        return None;
    }
    rows.truncate(played.value as usize);
    Some(Lines { count: played.value as u32, rows })
}

fn named(notes: &Notes, name: &At<String>, layout: &Layout) -> Option<Vec<Vec<usize>>> {
    if name.value == shapes::CENTER {
        if layout.rows % 2 == 1 {
            return Some(vec![vec![layout.rows / 2; layout.reels()]]);
        }
        notes.error(
            name.span,
            "line-window",
            format!("\"center\" in a window of {} rows", layout.rows),
            "expected an odd number of rows",
            "write the line by its rows, such as shapes = [\"11111\"]",
        );
        return None;
    }
    let Some(set) = shapes::named(&name.value) else {
        unknown_name(notes, name, "unknown-shapes", "set of paylines", shapes::names());
        return None;
    };
    if (set.reels(), set.rows) != (layout.reels(), layout.rows) {
        notes.error(
            name.span,
            "line-window",
            format!("\"{}\" is for {} reels of {} rows", name.value, set.reels(), set.rows),
            format!("expected lines for {} reels of {} rows", layout.reels(), layout.rows),
            "choose another set, or list the lines",
        );
        return None;
    }
    Some(set.lines())
}

fn listed(notes: &Notes, list: &At<Vec<At<WireShape>>>, layout: &Layout) -> Option<Vec<Vec<usize>>> {
    if list.value.is_empty() || list.value.len() as u64 > LINES_MAX {
        notes.error(
            list.span,
            "line-count",
            format!("{} paylines", list.value.len()),
            format!("expected 1 to {LINES_MAX}"),
            "list each line as the row of each reel, 0 = top",
        );
        return None;
    }
    let lines: Vec<_> = list.value.iter().map(|shape| line(notes, shape, layout)).collect();
    lines.into_iter().collect()
}

fn line(notes: &Notes, shape: &At<WireShape>, layout: &Layout) -> Option<Vec<usize>> {
    let rows = match &shape.value {
        WireShape::Digits(text) => shapes::digits(text),
        WireShape::Rows(rows) => rows.iter().map(|&row| usize::try_from(row).ok()).collect(),
    };
    let Some(rows) = rows.filter(|rows| rows.len() == layout.reels()) else {
        notes.error(
            shape.span,
            "line-length",
            "a payline that is not one row per reel",
            format!("expected {} rows", layout.reels()),
            "write one digit per reel, 0 = top, such as \"01210\"",
        );
        return None;
    };
    if let Some(row) = rows.iter().find(|&&row| row >= layout.rows) {
        notes.error(
            shape.span,
            "line-window",
            format!("a payline through row {row} of a window with {} rows", layout.rows),
            format!("expected rows 0 to {}", layout.rows - 1),
            "rows are counted from 0 at the top",
        );
        return None;
    }
    Some(rows)
}
