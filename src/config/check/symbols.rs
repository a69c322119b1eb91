//! Symbols and what wilds do.

use super::reels::Layout;
use super::{choice, limit};
use crate::config::findings::{Notes, name_help};
use crate::config::wire::WireSymbol;
use crate::game::{Expands, Stacking, Symbol, SymbolId, Wild};

const MULTIPLIER_MAX: u64 = 1_000_000;
const EXPANDS: [(&str, Expands); 4] = [
    ("always", Expands::Always),
    ("paid spins", Expands::PaidSpins),
    ("free spins", Expands::FreeSpins),
    ("never", Expands::Never),
];

/// All symbols with their options.
pub(super) fn symbols(notes: &Notes, wire: &[WireSymbol], layout: &Layout) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> =
        layout.symbols.iter().map(|name| Symbol { name: name.clone(), wild: None, once_a_reel: false }).collect();
    for options in wire {
        let id = layout.position(&options.name.value);
        if id.is_none() && layout.is_whole {
            notes.error(
                options.name.span,
                "symbol-on-no-reel",
                format!("the symbol `{}` stands on no reel", options.name.value),
                "expected a symbol of the strips",
                name_help(&options.name.value, layout.symbols.iter().map(String::as_str)),
            );
        }
        let wild = wild(notes, options, layout);
        let counted = [("per cell", false), ("per reel", true)];
        let once_a_reel = choice(notes, options.counted.as_ref(), "counted", &counted, false);
        if let Some(id) = id {
            symbols[usize::from(id)].wild = wild;
            symbols[usize::from(id)].once_a_reel = once_a_reel.unwrap_or(false);
        }
    }
    symbols
}

/// A wild with what is right of it, so that nothing else seems wrong because of it.
fn wild(notes: &Notes, options: &WireSymbol, layout: &Layout) -> Option<Wild> {
    let is_wild = options.unread.has("wild") || options.wild.as_ref().is_some_and(|wild| wild.value);
    // A symbol that multiplies what it is part of, and stands for no other.
    let multiplies = options.multiplier.is_some();
    if !is_wild {
        let spans = [
            options.stacking.as_ref().filter(|_| !multiplies).map(|found| found.span),
            options.not_for.as_ref().map(|found| found.span),
            options.own_pay_multiplied.as_ref().filter(|_| !multiplies).map(|found| found.span),
            options.expands.as_ref().map(|found| found.span),
        ];
        if let Some(span) = spans.into_iter().flatten().next() {
            notes.error(
                span,
                "not-wild",
                format!("`{}` has options of a wild and is none", options.name.value),
                "expected only beside wild = true",
                "add wild = true; a symbol that only multiplies what it is part of has a `multiplier` alone",
            );
        }
    }
    let not_for = options.not_for.as_ref().filter(|names| !names.items.is_empty());
    let stackings = [("product", Stacking::Product), ("once", Stacking::Once)];
    let multiplier = options.multiplier.as_ref();
    let wild = Wild {
        not_for: not_for.and_then(|names| layout.symbol_list(notes, names)).unwrap_or_default(),
        multiplier: multiplier.and_then(|found| limit(notes, found, "the multiplier", 1, MULTIPLIER_MAX)).unwrap_or(1),
        stacking: choice(notes, options.stacking.as_ref(), "stacking", &stackings, Stacking::Product)
            .unwrap_or(Stacking::Product),
        own_pay_multiplied: options.own_pay_multiplied.as_ref().is_none_or(|flag| flag.value),
        expands: choice(notes, options.expands.as_ref(), "expands", &EXPANDS, Expands::Never).unwrap_or_default(),
    };
    match (is_wild, multiplies) {
        (true, _) => Some(wild),
        (false, true) => {
            let everything = (0..layout.symbols.len()).map(|symbol| symbol as SymbolId).collect();
            Some(Wild { not_for: everything, expands: Expands::Never, ..wild })
        }
        (false, false) => None,
    }
}
