//! How often each reel shows each column: reels are independent of each other, so most figures need no more.

use crate::game::rules::{Reels, SymbolId};
use crate::game::window::Evaluator;
use num_traits::{NumAssign, NumCast, Zero};
use std::collections::BTreeMap;
use std::iter::Sum;

/// Windows are counted in whole numbers where they are drawn alike, and in shares of 1 where they depend on what was drawn
/// before.
pub trait Weight: NumAssign + NumCast + Copy + Send + Sync + Sum {}

impl<W: NumAssign + NumCast + Copy + Send + Sync + Sum> Weight for W {}

/// A whole number as a weight.
pub fn weight<W: Weight>(number: u64) -> W {
    W::from(number).expect("a weight is wide enough for any pay")
}

/// One column with its weight.
#[derive(Debug, Clone)]
pub struct Column<W> {
    /// What lines and ways see, from the top.
    pub shown: Vec<SymbolId>,
    /// What scatters are counted in.
    pub drawn: Vec<SymbolId>,
    pub weight: W,
}

/// The columns of every reel.
#[derive(Debug, Clone)]
pub struct Law<W> {
    pub reels: Vec<Vec<Column<W>>>,
}

impl Law<u128> {
    /// Of a mode's strips, every stop as often as its weight says.
    pub fn of_strips(reels: &Reels, evaluator: &Evaluator) -> Self {
        let columns = evaluator.columns();
        let strips = reels.strip_sets[evaluator.strip_set()].iter().enumerate();
        let of_strip = strips.map(|(reel, strip)| {
            let stops = strip.weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
            stops
                .map(|(stop, &weight)| Column {
                    shown: columns.shown(reel, stop).to_vec(),
                    drawn: columns.drawn(reel, stop).to_vec(),
                    weight: weight.into(),
                })
                .collect()
        });
        Self { reels: of_strip.collect() }
    }
}

impl<W: Weight> Law<W> {
    /// Weight of all columns of a reel.
    pub fn total(&self, reel: usize) -> W {
        self.reels[reel].iter().map(|column| column.weight).sum()
    }

    /// Weight of all windows.
    pub fn cycle(&self) -> W {
        (0..self.reels.len()).fold(W::one(), |all, reel| all * self.total(reel))
    }

    /// How often a reel shows each symbol in a row.
    pub fn in_row(&self, reel: usize, row: usize) -> Vec<(SymbolId, W)> {
        let mut weights: BTreeMap<SymbolId, W> = BTreeMap::new();
        for column in &self.reels[reel] {
            *weights.entry(column.shown[row]).or_insert_with(W::zero) += column.weight;
        }
        weights.into_iter().collect()
    }

    /// Windows in which so many cells (the index) count for a scatter.
    pub fn scatter_counts(&self, reels: &Reels, scatter: SymbolId) -> Vec<W> {
        let mut windows = vec![W::one()];
        for columns in &self.reels {
            let mut on_reel = vec![W::zero(); reels.rows + 1];
            for column in columns {
                on_reel[crate::game::columns::scatter_cells(reels, &column.drawn, scatter)] += column.weight;
            }
            let mut sum = vec![W::zero(); windows.len() + reels.rows];
            for (before, &ways) in windows.iter().enumerate() {
                for (here, &weight) in on_reel.iter().enumerate() {
                    sum[before + here] += ways * weight;
                }
            }
            windows = sum;
        }
        while windows.len() > 1 && windows.last().is_some_and(Zero::is_zero) {
            windows.pop();
        }
        windows
    }
}
