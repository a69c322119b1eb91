//! What starts a bonus or a jackpot on the reels, and whether it can ever be seen.

use super::reels::{CELLS_MAX, Layout, REELS_MAX};
use super::scatters::{self, Scatter};
use crate::config::findings::{At, Notes, Span};
use crate::config::wire::WireCombination;
use crate::game::{Combination, Direction, Expands, Strip, Symbol, SymbolId};

/// The base game that combinations are seen in.
pub(super) struct Scene<'a> {
    pub layout: &'a Layout,
    pub symbols: &'a [Symbol],
    /// `None` where the paylines are not known.
    pub lines: Option<&'a [Vec<usize>]>,
    /// `None` where it is not known.
    pub direction: Option<Direction>,
}

/// Checks one; unreachable ones are findings.
pub(super) fn combination(notes: &Notes, wire: &WireCombination, what: &str, scene: &Scene) -> Option<Combination> {
    match (&wire.line, &wire.scatter) {
        (Some(line), None) => {
            stray(notes, wire.from.as_ref().map(|found| found.span), "`from` belongs to `scatter`", "write `count`");
            let of = scene.layout.symbol_list(notes, line);
            let high = scene.layout.reels.unwrap_or(REELS_MAX);
            let count = counted(notes, wire.count.as_ref(), wire, what, "count", high);
            let wilds = wire.wilds.as_ref().is_some_and(|wilds| wilds.value);
            let (of, count) = (of?, count?);
            if !line_may_be_seen(scene, &of, count, wilds || wire.unread.has("wilds")) {
                unreachable(
                    notes,
                    line.span,
                    format!("{what} can never happen: no payline can show {count} of these in a run"),
                );
                return None;
            }
            Some(Combination::Line { of, count, wilds })
        }
        (None, Some(name)) => {
            let place = wire.count.as_ref().map(|found| found.span);
            stray(notes, place, "`count` belongs to `line`", "write `from`, the least number of cells");
            stray(notes, wire.wilds.as_ref().map(|found| found.span), "`wilds` belongs to `line`", "remove it");
            let symbol = scene.layout.symbol(notes, name);
            let high = scene.layout.cells().unwrap_or(CELLS_MAX);
            let count = counted(notes, wire.from.as_ref(), wire, what, "from", high);
            let (symbol, count) = (symbol?, count?);
            let most =
                scene.layout.window(0).map(|(set, rows)| scatters::most(set, rows, Scatter::of(scene.symbols, symbol)));
            if let Some(most) = most.filter(|most| *most < count) {
                let message =
                    format!("{what} can never happen: the window shows at most {most} `{}`, not {count}", name.value);
                unreachable(notes, name.span, message);
                return None;
            }
            Some(Combination::Scatter { symbol, count })
        }
        (None, None) if wire.unread.has("line") || wire.unread.has("scatter") => None,
        (line, _) => {
            notes.error(
                wire.span,
                "combination-kind",
                format!("{what} with {}", if line.is_some() { "both `line` and `scatter`" } else { "no symbols" }),
                "expected `line` with `count`, or `scatter` with `from`",
                "write line = \"seven\", count = 5 or scatter = \"star\", from = 5",
            );
            None
        }
    }
}

fn stray(notes: &Notes, span: Option<Span>, message: &str, help: &str) {
    if let Some(span) = span {
        notes.error(span, "combination-kind", message, "not expected here", help);
    }
}

fn counted(
    notes: &Notes,
    found: Option<&At<u64>>,
    wire: &WireCombination,
    what: &str,
    key: &str,
    high: usize,
) -> Option<usize> {
    let Some(found) = found else {
        if wire.unread.has(key) {
            return None;
        }
        notes.error(
            wire.span,
            "missing-key",
            format!("{what} has no `{key}`"),
            format!("expected a `{key}`"),
            format!("add {key} = 3"),
        );
        return None;
    };
    super::limit(notes, found, &format!("`{key}`"), 1, high as u64).map(|count| count as usize)
}

/// Reports something that can never happen.
pub(super) fn unreachable(notes: &Notes, span: Span, message: String) {
    notes.error(
        span,
        "unreachable-trigger",
        message,
        "can never happen",
        "change the trigger, or the strips, bets or rates that it needs",
    );
}

/// Whether a payline can show them; true where that is not known.
fn line_may_be_seen(scene: &Scene, of: &[SymbolId], count: usize, wilds: bool) -> bool {
    let (Some(lines), Some((set, rows))) = (scene.lines, scene.layout.window(0)) else { return true };
    let counts = |symbol: SymbolId| {
        let stands_in = || {
            let wild = scene.symbols[usize::from(symbol)].wild.as_ref();
            wild.is_some_and(|wild| of.iter().any(|symbol| !wild.not_for.contains(symbol)))
        };
        of.contains(&symbol) || (wilds && stands_in())
    };
    let fills = |symbol: SymbolId| {
        let wild = scene.symbols[usize::from(symbol)].wild.as_ref();
        wild.is_some_and(|wild| matches!(wild.expands, Expands::Always | Expands::PaidSpins))
    };
    let seen = |(&row, strip): (&usize, &Strip)| {
        let length = strip.stops.len();
        let shows = |top: usize, row: usize| strip.stops[(top + row) % length];
        (0..length).filter(|&top| strip.weights[top] > 0).any(|top| {
            let filled = (0..rows).map(|other| shows(top, other)).any(|symbol| fills(symbol) && counts(symbol));
            filled || counts(shows(top, row))
        })
    };
    lines.iter().any(|line| {
        let left = || line.iter().zip(set).take(count).all(seen);
        let right = || line.iter().zip(set).rev().take(count).all(seen);
        match scene.direction {
            Some(Direction::Left) => left(),
            Some(Direction::Right) => right(),
            Some(Direction::Both) | None => left() || right(),
        }
    })
}
