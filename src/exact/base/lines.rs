//! What the paylines pay, line by line: every combination of symbols, weighted by how many stops show it.

use crate::game::rules::{Reels, SymbolId};
use crate::game::window::{Evaluator, LineWin, UNKNOWN};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Sums over all lines and all windows. A window counts once for each choice of virtual stops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineFigures {
    /// Windows in which a line pays a combination, summed over lines.
    pub wins: BTreeMap<LineWin, u128>,
    /// Windows in which a line shows each of [`Evaluator::line_combinations`], summed over lines.
    pub starts: Vec<u128>,
}

impl LineFigures {
    /// Reads every line of a mode.
    pub fn new(reels: &Reels, evaluator: &Evaluator) -> Self {
        let strips = &reels.strip_sets[evaluator.strip_set()];
        let even = strips.iter().all(|strip| strip.weights.iter().all(|&weight| weight == strip.weights[0]));
        // Where every stop is as likely as another, a symbol is as frequent in one row as in another.
        let mut profiles: BTreeMap<Vec<usize>, u128> = BTreeMap::new();
        for line in &reels.lines {
            *profiles.entry(if even { vec![0; line.len()] } else { line.clone() }).or_insert(0) += 1;
        }
        let mut sum = Self { starts: vec![0; evaluator.line_combinations().count()], ..Self::default() };
        for (rows, lines) in profiles {
            let shown: Vec<Vec<(SymbolId, u64)>> = rows
                .iter()
                .zip(strips)
                .map(|(&row, strip)| {
                    let mut weights: BTreeMap<SymbolId, u64> = BTreeMap::new();
                    for (stop, &weight) in strip.weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                        *weights.entry(strip.stops[(stop + row) % strip.stops.len()]).or_insert(0) += weight;
                    }
                    weights.into_iter().collect()
                })
                .collect();
            let line = read(evaluator, &shown);
            for (win, windows) in line.wins {
                *sum.wins.entry(win).or_insert(0) += windows * lines;
            }
            sum.starts.iter_mut().zip(line.starts).for_each(|(sum, windows)| *sum += windows * lines);
        }
        sum
    }

    /// Sum of all pays over all windows, in return units.
    pub fn pays(&self) -> u128 {
        self.wins.iter().map(|(win, windows)| u128::from(win.pay) * windows).sum()
    }

    /// Sum of squares of each line's pay over all windows and lines.
    pub fn squares(&self) -> u128 {
        self.wins.iter().map(|(win, windows)| u128::from(win.pay) * u128::from(win.pay) * windows).sum()
    }

    /// Windows in which a line pays, summed over lines.
    pub fn hits(&self) -> u128 {
        self.wins.iter().filter(|(win, _)| win.pay > 0).map(|(_, windows)| windows).sum()
    }
}

/// One line, `shown[reel]` being the symbols there with their weights.
fn read(evaluator: &Evaluator, shown: &[Vec<(SymbolId, u64)>]) -> LineFigures {
    let combinations = evaluator.line_combinations().count();
    shown[0]
        .par_iter()
        .map(|&(symbol, weight)| {
            let mut figures = LineFigures { starts: vec![0; combinations], ..LineFigures::default() };
            let mut line = vec![UNKNOWN; shown.len()];
            line[0] = symbol;
            extend(evaluator, shown, &mut line, 1, weight.into(), &mut figures);
            figures
        })
        .reduce(
            || LineFigures { starts: vec![0; combinations], ..LineFigures::default() },
            |mut left, right| {
                for (win, windows) in right.wins {
                    *left.wins.entry(win).or_insert(0) += windows;
                }
                left.starts.iter_mut().zip(right.starts).for_each(|(sum, windows)| *sum += windows);
                left
            },
        )
}

fn extend(
    evaluator: &Evaluator,
    shown: &[Vec<(SymbolId, u64)>],
    line: &mut Vec<SymbolId>,
    known: usize,
    windows: u128,
    figures: &mut LineFigures,
) {
    if known < line.len() && evaluator.is_open(line) {
        for &(symbol, weight) in &shown[known] {
            line[known] = symbol;
            extend(evaluator, shown, line, known + 1, windows * u128::from(weight), figures);
        }
        line[known] = UNKNOWN;
        return;
    }
    let rest: u128 =
        shown[known..].iter().map(|symbols| symbols.iter().map(|&(_, w)| u128::from(w)).sum::<u128>()).product();
    if let Some(win) = evaluator.line_win(line) {
        *figures.wins.entry(win).or_insert(0) += windows * rest;
    }
    for (sum, (of, count, wilds)) in figures.starts.iter_mut().zip(evaluator.line_combinations()) {
        if evaluator.line_shows(of, count, wilds, line) {
            *sum += windows * rest;
        }
    }
}
