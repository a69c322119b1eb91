//! What each stop of a mode's reels shows, expanding wilds filled in.

use super::rules::{Expands, Reels, SymbolId};
use super::window::Mode;

/// The columns of a mode.
#[derive(Debug, Clone)]
pub struct Columns {
    rows: usize,
    /// `[reel][stop]`: cells from the top.
    drawn: Vec<Vec<Vec<SymbolId>>>,
    /// The same once expanding wilds have filled their reels; empty where none does.
    expanded: Vec<Vec<Vec<SymbolId>>>,
}

impl Columns {
    /// Of a game in a mode, on the mode's strips.
    pub fn new(reels: &Reels, mode: Mode, strip_set: usize) -> Self {
        let drawn: Vec<Vec<Vec<SymbolId>>> = reels.strip_sets[strip_set]
            .iter()
            .map(|strip| {
                let length = strip.stops.len();
                (0..length).map(|top| (0..reels.rows).map(|row| strip.stops[(top + row) % length]).collect()).collect()
            })
            .collect();
        let some_expand = (0..reels.symbols.len()).any(|symbol| expands(reels, mode, symbol as SymbolId));
        let expanded = if some_expand {
            let expand = |column: &Vec<SymbolId>| expanded(reels, mode, column);
            drawn.iter().map(|reel| reel.iter().map(expand).collect()).collect()
        } else {
            Vec::new()
        };
        Self { rows: reels.rows, drawn, expanded }
    }

    /// Number of reels.
    pub fn reels(&self) -> usize {
        self.drawn.len()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of stops of a reel.
    pub fn stops(&self, reel: usize) -> usize {
        self.drawn[reel].len()
    }

    /// What lines and ways see of a stop.
    #[inline]
    pub fn shown(&self, reel: usize, stop: usize) -> &[SymbolId] {
        if self.expanded.is_empty() { &self.drawn[reel][stop] } else { &self.expanded[reel][stop] }
    }

    /// What scatters are counted in.
    #[inline]
    pub fn drawn(&self, reel: usize, stop: usize) -> &[SymbolId] {
        &self.drawn[reel][stop]
    }
}

/// A column after its topmost expanding wild, if it shows one, has filled it.
pub fn expanded(reels: &Reels, mode: Mode, column: &[SymbolId]) -> Vec<SymbolId> {
    match column.iter().find(|&&symbol| expands(reels, mode, symbol)) {
        Some(&wild) => vec![wild; column.len()],
        None => column.to_vec(),
    }
}

fn expands(reels: &Reels, mode: Mode, symbol: SymbolId) -> bool {
    reels.symbols[usize::from(symbol)].wild.as_ref().is_some_and(|wild| match wild.expands {
        Expands::Never => false,
        Expands::Always => true,
        Expands::PaidSpins => mode == Mode::Paid,
        Expands::FreeSpins => mode != Mode::Paid,
    })
}

/// How often a column counts for a scatter.
pub fn scatter_cells(reels: &Reels, column: &[SymbolId], scatter: SymbolId) -> usize {
    let cells = column.iter().filter(|&&symbol| symbol == scatter).count();
    if reels.symbols[usize::from(scatter)].once_a_reel { cells.min(1) } else { cells }
}
