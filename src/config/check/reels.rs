//! Reels: strips, weights, rows, symbols.

use super::{Context, choice, limit, strips, unknown_name};
use crate::config::findings::{At, Notes, Span, name_help};
use crate::config::wire::{List, Pairs, WireFreeSpins, WireReels, WireStrips, WireSymbol};
use crate::game::{Stacking, Strip, Symbol, SymbolId, Wild};

const REELS_MAX: usize = 10;
const ROWS_MAX: u64 = 10;
const STOPS_MAX: usize = 10_000;
const SYMBOLS_MAX: usize = 255;
const WEIGHT_SUM_MAX: u64 = 1 << 32;
const MULTIPLIER_MAX: u64 = 1_000_000;

/// The strips of a game, and its symbols in order of their first stop.
pub(super) struct Layout {
    pub symbols: Vec<String>,
    pub rows: usize,
    pub sets: Vec<Vec<Strip>>,
    /// Strip set of each free-spins feature.
    pub feature_sets: Vec<usize>,
}

impl Layout {
    pub fn reels(&self) -> usize {
        self.sets[0].len()
    }

    /// Position of a symbol; a name that stands on no reel is a finding.
    pub fn symbol(&self, notes: &Notes, name: &At<String>) -> Option<SymbolId> {
        let found = self.position(&name.value);
        if found.is_none() {
            unknown_name(notes, name, "unknown-symbol", "symbol", self.symbols.iter().map(String::as_str));
        }
        found
    }

    pub fn position(&self, name: &str) -> Option<SymbolId> {
        self.symbols.iter().position(|symbol| symbol == name).and_then(|position| SymbolId::try_from(position).ok())
    }

    /// All of a list, if all are known.
    pub fn symbol_list(&self, notes: &Notes, names: &List<String>) -> Option<Vec<SymbolId>> {
        if names.value.is_empty() {
            notes.error(
                names.span,
                "empty-list",
                "a list of no symbols",
                "expected at least one symbol",
                "name the symbols that count",
            );
            return None;
        }
        let found: Vec<_> = names.value.iter().map(|name| self.symbol(notes, name)).collect();
        let mut found: Vec<SymbolId> = found.into_iter().collect::<Option<_>>()?;
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    fn intern(&mut self, name: &str) -> SymbolId {
        let position = self.symbols.iter().position(|symbol| symbol == name).unwrap_or_else(|| {
            self.symbols.push(name.to_string());
            self.symbols.len() - 1
        });
        SymbolId::try_from(position).unwrap_or(SymbolId::MAX)
    }
}

pub(super) fn layout(context: &Context, wire: &WireReels, features: &[WireFreeSpins]) -> Option<Layout> {
    let notes = context.notes;
    let rows = wire.rows.as_ref().and_then(|rows| limit(notes, rows, "the number of rows", 1, ROWS_MAX));
    let mut layout =
        Layout { symbols: Vec::new(), rows: rows.unwrap_or(1) as usize, sets: Vec::new(), feature_sets: Vec::new() };
    let base = match (&wire.strips, &wire.counts) {
        (Some(strips), None) => strip_set(context, &mut layout, strips, wire.weights.as_ref()),
        (None, Some(counts)) => {
            if let Some(weights) = &wire.weights {
                notes.error(
                    weights.span,
                    "strips-kind",
                    "`weights` beside `counts`",
                    "expected only with `strips`",
                    "`counts` are weights already: remove `weights`",
                );
            }
            if rows.is_some_and(|rows| rows > 1) {
                notes.error(
                    counts.span,
                    "order-needed",
                    format!("`counts` without an order of stops, in a window of {} rows", layout.rows),
                    "expected `strips`, since rows above one another depend on the order",
                    "write the stops in order as `strips`, or set rows = 1",
                );
                return None;
            }
            counted_set(notes, &mut layout, counts)
        }
        (None, None) if wire.flawed => None,
        _ => {
            let both = wire.strips.is_some();
            notes.error(
                wire.span,
                "strips-kind",
                if both { "both `strips` and `counts`" } else { "[reels] with no strips" },
                "expected `strips` or `counts`",
                "write strips = \"strips/game.csv\", strips = [\"A K Q\", ...] or counts = { A = [1, 2, 1] }",
            );
            None
        }
    };
    layout.sets.push(base?);
    for feature in features {
        let Some(own) = &feature.strips else {
            if let Some(weights) = &feature.weights {
                notes.error(
                    weights.span,
                    "strips-kind",
                    "`weights` without `strips`",
                    "expected only beside a feature's own strips",
                    "remove `weights`: the feature plays on the base game's reels",
                );
            }
            layout.feature_sets.push(0);
            continue;
        };
        layout.feature_sets.push(layout.sets.len());
        let set = strip_set(context, &mut layout, own, feature.weights.as_ref())?;
        if set.len() != layout.reels() {
            notes.error(
                strips_span(own),
                "reel-count",
                format!("{} strips for {} reels", set.len(), layout.reels()),
                "expected as many as [reels] has",
                "a feature's own strips replace those of every reel",
            );
            return None;
        }
        layout.sets.push(set);
    }
    if layout.symbols.len() > SYMBOLS_MAX {
        notes.error(
            wire.span,
            "symbol-count",
            format!("{} different symbols on the strips", layout.symbols.len()),
            format!("expected at most {SYMBOLS_MAX}"),
            "give stops that pay alike the same name",
        );
        return None;
    }
    rows.map(|_| layout)
}

fn strips_span(strips: &WireStrips) -> Span {
    match strips {
        WireStrips::File(path) => path.span,
        WireStrips::Inline(list) => list.span,
    }
}

fn strip_set(
    context: &Context,
    layout: &mut Layout,
    strips: &WireStrips,
    weights: Option<&List<String>>,
) -> Option<Vec<Strip>> {
    let notes = context.notes;
    let errors = notes.error_count();
    let reels = match strips {
        WireStrips::Inline(list) => list.value.iter().map(|text| strips::words(notes, text)).collect(),
        WireStrips::File(path) => {
            let (text, file) = context.attached(path)?;
            strips::strip_columns(notes, &text, file)
        }
    };
    let span = strips_span(strips);
    if reels.is_empty() || reels.len() > REELS_MAX {
        notes.error(
            span,
            "reel-count",
            format!("strips for {} reels", reels.len()),
            format!("expected 1 to {REELS_MAX} reels"),
            "one text, or one CSV column, per reel",
        );
        return None;
    }
    let mut set = Vec::new();
    for (reel, words) in reels.iter().enumerate() {
        if words.len() < layout.rows || words.len() > STOPS_MAX {
            notes.error(
                words.first().map_or(span, |word| word.span),
                "strip-length",
                format!("reel {} has {} stops in a window of {} rows", reel + 1, words.len(), layout.rows),
                format!("expected {} to {STOPS_MAX} stops", layout.rows),
                "a strip has at least as many stops as the window has rows",
            );
        }
        let stops: Vec<SymbolId> = words.iter().map(|word| layout.intern(&word.value)).collect();
        let weights = vec![1; stops.len()];
        set.push(Strip { stops, weights });
    }
    if let Some(weights) = weights {
        stop_weights(notes, weights, &mut set);
    }
    (notes.error_count() == errors).then_some(set)
}

fn stop_weights(notes: &Notes, texts: &List<String>, set: &mut [Strip]) {
    if texts.value.len() != set.len() {
        notes.error(
            texts.span,
            "weights-length",
            format!("weights for {} of {} reels", texts.value.len(), set.len()),
            "expected one text per reel",
            "give every reel its weights, such as \"1 2 1\"",
        );
        return;
    }
    for (reel, (text, strip)) in texts.value.iter().zip(set).enumerate() {
        let words = strips::words(notes, text);
        if words.len() != strip.stops.len() {
            notes.error(
                text.span,
                "weights-length",
                format!("{} weights for the {} stops of reel {}", words.len(), strip.stops.len(), reel + 1),
                format!("expected {} weights", strip.stops.len()),
                "give every stop a whole number, in the order of the strip",
            );
            continue;
        }
        for (weight, word) in strip.weights.iter_mut().zip(words) {
            match word.value.parse() {
                Ok(value) => *weight = value,
                Err(_) => notes.error(
                    word.span,
                    "bad-number",
                    format!("the weight `{}`", word.value),
                    "expected a whole number from 0",
                    "weights are whole numbers, split by blanks",
                ),
            }
        }
        weight_sum(notes, text.span, &strip.weights, &format!("the weights of reel {}", reel + 1));
    }
}

/// Reports weights whose sum can't be drawn from.
pub(super) fn weight_sum(notes: &Notes, span: Span, weights: &[u64], what: &str) -> bool {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let sound = sum > 0 && sum <= u128::from(WEIGHT_SUM_MAX);
    if !sound {
        notes.error(
            span,
            "weight-sum",
            format!("{what} sum to {sum}"),
            format!("expected 1 to {WEIGHT_SUM_MAX}"),
            "a weight is the relative chance of its entry; at least one is above 0",
        );
    }
    sound
}

fn counted_set(notes: &Notes, layout: &mut Layout, counts: &Pairs<String, List<u64>>) -> Option<Vec<Strip>> {
    let reels = counts.value.first().map_or(0, |(_, list)| list.value.len());
    if reels == 0 || reels > REELS_MAX {
        notes.error(
            counts.span,
            "reel-count",
            format!("counts for {reels} reels"),
            format!("expected 1 to {REELS_MAX} reels"),
            "write counts = { A = [1, 2, 1], K = [3, 2, 4] }: stops of each symbol, reel by reel",
        );
        return None;
    }
    let mut set = vec![Strip { stops: Vec::new(), weights: Vec::new() }; reels];
    let mut sound = true;
    for (name, list) in &counts.value {
        if list.value.len() != reels {
            sound = false;
            notes.error(
                list.span,
                "counts-length",
                format!("`{}` is counted on {} of {reels} reels", name.value, list.value.len()),
                format!("expected {reels} counts"),
                "write 0 for a reel without the symbol",
            );
            continue;
        }
        let symbol = layout.intern(&name.value);
        for (strip, count) in set.iter_mut().zip(&list.value).filter(|(_, count)| count.value > 0) {
            strip.stops.push(symbol);
            strip.weights.push(count.value);
        }
    }
    for (reel, strip) in set.iter().enumerate() {
        sound &= weight_sum(notes, counts.span, &strip.weights, &format!("the counts of reel {}", reel + 1));
    }
    sound.then_some(set)
}

/// All symbols with their options.
pub(super) fn symbols(notes: &Notes, wire: &[WireSymbol], layout: &Layout) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> =
        layout.symbols.iter().map(|name| Symbol { name: name.clone(), wild: None }).collect();
    for options in wire {
        let id = layout.position(&options.name.value);
        if id.is_none() {
            notes.error(
                options.name.span,
                "symbol-on-no-reel",
                format!("the symbol `{}` stands on no reel", options.name.value),
                "expected a symbol of the strips",
                name_help(&options.name.value, layout.symbols.iter().map(String::as_str)),
            );
        }
        let wild = wild(notes, options, layout);
        if let Some(id) = id {
            symbols[usize::from(id)].wild = wild;
        }
    }
    symbols
}

fn wild(notes: &Notes, options: &WireSymbol, layout: &Layout) -> Option<Wild> {
    if !options.wild.as_ref().is_some_and(|wild| wild.value) {
        let spans = [
            options.multiplier.as_ref().map(|found| found.span),
            options.stacking.as_ref().map(|found| found.span),
            options.not_for.as_ref().map(|found| found.span),
            options.own_pay_multiplied.as_ref().map(|found| found.span),
        ];
        if let Some(span) = spans.into_iter().flatten().next() {
            notes.error(
                span,
                "not-wild",
                format!("`{}` has options of a wild and is none", options.name.value),
                "expected only beside wild = true",
                "add wild = true",
            );
        }
        return None;
    }
    let not_for = options.not_for.as_ref().filter(|names| !names.value.is_empty());
    let stackings = [("product", Stacking::Product), ("once", Stacking::Once)];
    Some(Wild {
        not_for: not_for.and_then(|names| layout.symbol_list(notes, names)).unwrap_or_default(),
        multiplier: match &options.multiplier {
            Some(multiplier) => limit(notes, multiplier, "the multiplier", 1, MULTIPLIER_MAX)?,
            None => 1,
        },
        stacking: choice(notes, options.stacking.as_ref(), "stacking", &stackings, Stacking::Product)?,
        own_pay_multiplied: options.own_pay_multiplied.as_ref().is_none_or(|flag| flag.value),
    })
}
