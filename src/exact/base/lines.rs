//! What the paylines pay, line by line: every combination of symbols, weighted by how many stops show it.

use super::law::{Law, Weight, weight};
use crate::game::rules::{Reels, SymbolId};
use crate::game::window::{Evaluator, LineWin, UNKNOWN};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Sums over all lines and all windows. A window counts once for each choice of virtual stops.
#[derive(Debug, Clone, PartialEq)]
pub struct LineFigures<W> {
    /// Windows in which a line pays a combination, summed over lines.
    pub wins: BTreeMap<LineWin, W>,
    /// Windows in which a line pays, and the squares of what it pays, summed over lines.
    pub hits: W,
    pub squares: W,
    /// Windows in which a line shows each of [`Evaluator::line_combinations`], summed over lines.
    pub starts: Vec<W>,
}

impl<W: Weight> LineFigures<W> {
    /// Reads every line of a mode.
    pub fn new(reels: &Reels, evaluator: &Evaluator, law: &Law<W>) -> Self {
        // Lines that see the same symbols equally often on every reel are read once.
        let rows: Vec<Vec<Vec<(SymbolId, W)>>> =
            (0..law.reels.len()).map(|reel| (0..reels.rows).map(|row| law.in_row(reel, row)).collect()).collect();
        let alike: Vec<Vec<usize>> = (rows.iter())
            .map(|rows| rows.iter().map(|row| rows.iter().position(|other| other == row).unwrap_or(0)).collect())
            .collect();
        let mut profiles: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
        for line in &reels.lines {
            let profile = line.iter().zip(&alike).map(|(&row, alike)| alike[row]).collect();
            *profiles.entry(profile).or_insert(0) += 1;
        }
        let mut sum = Self::none(evaluator);
        for (profile, lines) in profiles {
            let shown: Vec<&[(SymbolId, W)]> =
                profile.iter().zip(&rows).map(|(&row, rows)| rows[row].as_slice()).collect();
            sum = sum.plus(read(evaluator, &shown), weight(lines));
        }
        sum
    }

    fn none(evaluator: &Evaluator) -> Self {
        let starts = vec![W::zero(); evaluator.line_combinations().count()];
        Self { wins: BTreeMap::new(), hits: W::zero(), squares: W::zero(), starts }
    }

    /// The sum with so many times another.
    fn plus(mut self, other: Self, times: W) -> Self {
        for (win, windows) in other.wins {
            *self.wins.entry(win).or_insert_with(W::zero) += windows * times;
        }
        self.hits += other.hits * times;
        self.squares += other.squares * times;
        self.starts.iter_mut().zip(other.starts).for_each(|(sum, windows)| *sum += windows * times);
        self
    }

    /// Sum of all pays over all windows, in return units.
    pub fn pays(&self) -> W {
        self.wins.iter().map(|(win, &windows)| weight::<W>(win.pay) * windows).sum()
    }
}

/// One line, `shown[reel]` being the symbols there with their weights.
fn read<W: Weight>(evaluator: &Evaluator, shown: &[&[(SymbolId, W)]]) -> LineFigures<W> {
    shown[0]
        .par_iter()
        .map(|&(symbol, weight)| {
            let mut figures = LineFigures::none(evaluator);
            let mut line = vec![UNKNOWN; shown.len()];
            line[0] = symbol;
            extend(evaluator, shown, &mut line, 1, weight, &mut figures);
            figures
        })
        .reduce(|| LineFigures::none(evaluator), |left, right| left.plus(right, W::one()))
}

fn extend<W: Weight>(
    evaluator: &Evaluator,
    shown: &[&[(SymbolId, W)]],
    line: &mut Vec<SymbolId>,
    known: usize,
    windows: W,
    figures: &mut LineFigures<W>,
) {
    if known < line.len() && evaluator.is_open(line) {
        for &(symbol, weight) in shown[known] {
            line[known] = symbol;
            extend(evaluator, shown, line, known + 1, windows * weight, figures);
        }
        line[known] = UNKNOWN;
        return;
    }
    let rest = |symbols: &&[(SymbolId, W)]| symbols.iter().map(|&(_, weight)| weight).sum::<W>();
    let windows = shown[known..].iter().map(rest).fold(windows, |all, total| all * total);
    let mut pay = 0;
    for win in evaluator.line_wins(line).into_iter().flatten() {
        *figures.wins.entry(win).or_insert_with(W::zero) += windows;
        pay += win.pay;
    }
    if pay > 0 {
        figures.hits += windows;
        figures.squares += windows * weight(pay) * weight(pay);
    }
    for (sum, (of, count, wilds)) in figures.starts.iter_mut().zip(evaluator.line_combinations()) {
        if evaluator.line_shows(of, count, wilds, line) {
            *sum += windows;
        }
    }
}
