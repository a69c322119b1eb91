//! Reels: strips, weights, rows.

use super::{Context, limit, plain_text, strips, unknown_name};
use crate::config::findings::{At, Notes, Span};
use crate::config::wire::{List, Pairs, WireFreeSpins, WireReels, WireStrips};
use crate::game::{Strip, SymbolId};

pub(super) use crate::config::strips::REELS_MAX;

const ROWS_MAX: u64 = 10;
/// Most cells of a window.
pub(super) const CELLS_MAX: usize = REELS_MAX * ROWS_MAX as usize;
const STOPS_MAX: usize = 10_000;
const SYMBOLS_MAX: usize = 255;
const WEIGHT_SUM_MAX: u64 = 1 << 32;

/// The strips of a game and its symbols in order of their first stop, as far as they are right.
#[derive(Default)]
pub(super) struct Layout {
    pub symbols: Vec<String>,
    /// Whether every strip could be read, so that a name that is not among the symbols is wrong.
    pub is_whole: bool,
    pub rows: Option<usize>,
    pub reels: Option<usize>,
    /// The base game's strips, then those of features; `None` where stops or weights are wrong.
    pub sets: Vec<Option<Vec<Strip>>>,
    /// Strip set of each free-spins feature.
    pub feature_sets: Vec<usize>,
}

impl Layout {
    /// The strips and the rows of a set, if both are known.
    pub fn window(&self, set: usize) -> Option<(&[Strip], usize)> {
        self.sets.get(set).and_then(|strips| strips.as_deref()).zip(self.rows)
    }

    /// Cells of the window.
    pub fn cells(&self) -> Option<usize> {
        self.reels.zip(self.rows).map(|(reels, rows)| reels * rows)
    }

    /// Position of a symbol; a name that stands on no reel is a finding.
    pub fn symbol(&self, notes: &Notes, name: &At<String>) -> Option<SymbolId> {
        let found = self.position(&name.value);
        if found.is_none() && self.is_whole {
            unknown_name(notes, name, "unknown-symbol", "symbol", self.symbols.iter().map(String::as_str));
        }
        found
    }

    pub fn position(&self, name: &str) -> Option<SymbolId> {
        self.symbols.iter().position(|symbol| symbol == name).and_then(|position| SymbolId::try_from(position).ok())
    }

    /// All of a list, if all are known.
    pub fn symbol_list(&self, notes: &Notes, names: &List<String>) -> Option<Vec<SymbolId>> {
        if names.items.is_empty() {
            notes.error(
                names.span,
                "empty-list",
                "a list of no symbols",
                "expected at least one symbol",
                "name the symbols that count",
            );
            return None;
        }
        let found: Vec<_> =
            names.items.iter().map(|name| name.as_ref().and_then(|name| self.symbol(notes, name))).collect();
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

pub(super) fn layout(context: &Context, wire: Option<&WireReels>, features: &[WireFreeSpins]) -> Layout {
    let Some(wire) = wire else { return Layout { feature_sets: vec![0; features.len()], ..Layout::default() } };
    let notes = context.notes;
    let rows = wire.rows.as_ref().and_then(|rows| limit(notes, rows, "the number of rows", 1, ROWS_MAX));
    let mut layout = Layout { rows: rows.map(|rows| rows as usize), is_whole: true, ..Layout::default() };
    let base = base_set(context, &mut layout, wire);
    layout.reels = base.reels;
    layout.sets.push(base.strips);
    for feature in features {
        let Some(own) = &feature.strips else {
            if let (Some(weights), false) = (&feature.weights, feature.unread.has("strips")) {
                notes.error(
                    weights.span,
                    "strips-kind",
                    "`weights` without `strips`",
                    "expected only beside a feature's own strips",
                    "remove `weights`: the feature plays on the base game's reels",
                );
            }
            if feature.unread.has("strips") {
                layout.is_whole = false;
                layout.feature_sets.push(layout.sets.len());
                layout.sets.push(None);
            } else {
                layout.feature_sets.push(0);
            }
            continue;
        };
        layout.feature_sets.push(layout.sets.len());
        let set = strip_set(context, &mut layout, own, feature.weights.as_ref());
        if let (Some(own_reels), Some(reels)) = (set.reels, layout.reels)
            && own_reels != reels
        {
            notes.error(
                strips_span(own),
                "reel-count",
                format!("{own_reels} strips for {reels} reels"),
                "expected as many as [reels] has",
                "a feature's own strips replace those of every reel",
            );
        }
        layout.sets.push(set.strips);
    }
    if layout.symbols.len() > SYMBOLS_MAX {
        layout.is_whole = false;
        notes.error(
            wire.span,
            "symbol-count",
            format!("{} different symbols on the strips", layout.symbols.len()),
            format!("expected at most {SYMBOLS_MAX}"),
            "give stops that pay alike the same name",
        );
    }
    layout
}

/// The strips of one set, as far as they are right.
#[derive(Default)]
struct Set {
    reels: Option<usize>,
    strips: Option<Vec<Strip>>,
}

fn base_set(context: &Context, layout: &mut Layout, wire: &WireReels) -> Set {
    let notes = context.notes;
    match (&wire.strips, &wire.counts) {
        (Some(strips), None) => strip_set(context, layout, strips, wire.weights.as_ref()),
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
            let mut set = counted_set(notes, layout, counts);
            if let Some(rows) = layout.rows.filter(|rows| *rows > 1) {
                notes.error(
                    counts.span,
                    "order-needed",
                    format!("`counts` without an order of stops, in a window of {rows} rows"),
                    "expected `strips`, since rows above one another depend on the order",
                    "write the stops in order as `strips`, or set rows = 1",
                );
                set.strips = None;
            }
            set
        }
        (None, None) if wire.unread.has("strips") || wire.unread.has("counts") => {
            layout.is_whole = false;
            Set::default()
        }
        _ => {
            layout.is_whole = false;
            let both = wire.strips.is_some();
            notes.error(
                wire.span,
                "strips-kind",
                if both { "both `strips` and `counts`" } else { "[reels] with no strips" },
                "expected `strips` or `counts`",
                "write strips = \"strips/game.csv\", strips = [\"A K Q\", ...] or counts = { A = [1, 2, 1] }",
            );
            Set::default()
        }
    }
}

fn strips_span(strips: &WireStrips) -> Span {
    match strips {
        WireStrips::File(path) => path.span,
        WireStrips::Inline(list) => list.span,
    }
}

fn strip_set(context: &Context, layout: &mut Layout, strips: &WireStrips, weights: Option<&List<String>>) -> Set {
    let notes = context.notes;
    let errors = notes.error_count();
    let reels: Vec<Option<Vec<At<String>>>> = match strips {
        WireStrips::Inline(list) => {
            list.items.iter().map(|text| text.as_ref().map(|text| strips::words(notes, text))).collect()
        }
        WireStrips::File(path) => {
            let text = context.attached(path);
            let Some(columns) = text.and_then(|(text, file)| strips::read(notes, &text, file)) else {
                layout.is_whole = false;
                return Set::default();
            };
            columns.into_iter().map(Some).collect()
        }
    };
    let span = strips_span(strips);
    // An empty column of a table was reported, and whether it is a reel is not known.
    let is_empty_column = |words: &Vec<At<String>>| matches!(strips, WireStrips::File(_)) && words.is_empty();
    let is_sure = !reels.iter().flatten().any(is_empty_column);
    let count = Some(reels.len()).filter(|count| (1..=REELS_MAX).contains(count) && is_sure);
    if count.is_none() && is_sure {
        layout.is_whole &= !reels.is_empty();
        notes.error(
            span,
            "reel-count",
            format!("strips for {} reels", reels.len()),
            format!("expected 1 to {REELS_MAX} reels"),
            "one text, or one CSV column, per reel",
        );
    }
    let mut set = Vec::new();
    for (reel, words) in reels.iter().enumerate() {
        let Some(words) = words else {
            layout.is_whole = false;
            set.push(None);
            continue;
        };
        let least = layout.rows.unwrap_or(1);
        if (words.len() < least || words.len() > STOPS_MAX) && !is_empty_column(words) {
            let window = layout.rows.map_or_else(String::new, |rows| format!(" in a window of {rows} rows"));
            let inline = match strips {
                WireStrips::Inline(list) => list.items[reel].as_ref().map(|text| text.span),
                WireStrips::File(_) => None,
            };
            notes.error(
                words.first().map(|word| word.span).or(inline).unwrap_or(span),
                "strip-length",
                format!("reel {} has {} stops{window}", reel + 1, words.len()),
                format!("expected {least} to {STOPS_MAX} stops"),
                "a strip has at least as many stops as the window has rows",
            );
        }
        let stops: Vec<SymbolId> = words
            .iter()
            .map(|word| {
                if layout.position(&word.value).is_none() {
                    plain_text(notes, word, "a symbol");
                }
                layout.intern(&word.value)
            })
            .collect();
        let weights = vec![1; stops.len()];
        set.push(Some(Strip { stops, weights }));
    }
    if let Some(weights) = weights {
        stop_weights(notes, weights, &mut set);
    }
    let strips = set.into_iter().collect::<Option<Vec<_>>>().filter(|_| notes.error_count() == errors);
    Set { reels: count, strips }
}

fn stop_weights(notes: &Notes, texts: &List<String>, set: &mut [Option<Strip>]) {
    if texts.len() != set.len() {
        notes.error(
            texts.span,
            "weights-length",
            format!("weights for {} of {} reels", texts.len(), set.len()),
            "expected one text per reel",
            "give every reel its weights, such as \"1 2 1\"",
        );
        return;
    }
    for (reel, (text, strip)) in texts.items.iter().zip(set).enumerate() {
        let Some(text) = text else { continue };
        let weights = strips::words(notes, text);
        let read: Vec<Option<u64>> = weights.iter().map(|word| stop_weight(notes, word)).collect();
        let Some(strip) = strip else { continue };
        if read.len() != strip.stops.len() {
            notes.error(
                text.span,
                "weights-length",
                format!("{} weights for the {} stops of reel {}", read.len(), strip.stops.len(), reel + 1),
                format!("expected {} weights", strip.stops.len()),
                "give every stop a whole number, in the order of the strip",
            );
        } else if let Some(read) = read.into_iter().collect::<Option<Vec<u64>>>() {
            strip.weights = read;
            weight_sum(notes, text.span, &strip.weights, &format!("the weights of reel {}", reel + 1));
        }
    }
}

fn stop_weight(notes: &Notes, word: &At<String>) -> Option<u64> {
    let read = word.value.parse().ok();
    if read.is_none() {
        notes.error(
            word.span,
            "bad-number",
            format!("the weight `{}`", word.value),
            "expected a whole number from 0",
            "weights are whole numbers, split by blanks",
        );
    }
    read
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

fn counted_set(notes: &Notes, layout: &mut Layout, counts: &Pairs<String, List<u64>>) -> Set {
    let lists = || counts.value.iter().filter_map(|(_, list)| list.as_ref());
    let reels = lists().next().map_or(0, List::len);
    for (name, _) in &counts.value {
        plain_text(notes, name, "a symbol");
        layout.intern(&name.value);
    }
    if lists().next().is_none() && !counts.value.is_empty() {
        return Set::default();
    }
    if reels == 0 || reels > REELS_MAX {
        notes.error(
            counts.span,
            "reel-count",
            format!("counts for {reels} reels"),
            format!("expected 1 to {REELS_MAX} reels"),
            "write counts = { A = [1, 2, 1], K = [3, 2, 4] }: stops of each symbol, reel by reel",
        );
        return Set::default();
    }
    let mut set = vec![Strip { stops: Vec::new(), weights: Vec::new() }; reels];
    let mut sound = true;
    for (name, list) in &counts.value {
        let Some(list) = list else {
            sound = false;
            continue;
        };
        if list.len() != reels {
            sound = false;
            notes.error(
                list.span,
                "counts-length",
                format!("`{}` is counted on {} of {reels} reels", name.value, list.len()),
                format!("expected {reels} counts"),
                "write 0 for a reel without the symbol",
            );
            continue;
        }
        let symbol = layout.position(&name.value).unwrap_or(SymbolId::MAX);
        sound &= list.is_whole();
        for (strip, count) in set.iter_mut().zip(&list.items) {
            let Some(count) = count.as_ref().filter(|count| count.value > 0) else { continue };
            strip.stops.push(symbol);
            strip.weights.push(count.value);
        }
    }
    // A count that is not known may be the one that makes the sum.
    if sound {
        for (reel, strip) in set.iter().enumerate() {
            sound &= weight_sum(notes, counts.span, &strip.weights, &format!("the counts of reel {}", reel + 1));
        }
    }
    Set { reels: Some(reels), strips: sound.then_some(set) }
}
