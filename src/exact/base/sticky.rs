//! Free spins in which symbols stick: what each of them pays on average.
//!
//! Reels stay independent of each other, so it is enough to follow each reel's stuck cells: a Markov chain over what is
//! stuck there, started empty. A cell that shows a sticky symbol with probability w is stuck after n spins with
//! probability 1 - (1 - w)^n. What the spins pay together is correlated through the stuck cells; its variance is not
//! known here.

use super::law::{Column, Law};
use super::lines::LineFigures;
use super::prizes::PrizeMoments;
use super::ways::WayFigures;
use crate::game::columns::expanded;
use crate::game::rules::{Combination, FreeSpins, Reels, Spared, SymbolId};
use crate::game::window::{Evaluator, Mode, UNKNOWN};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// What is stuck on a reel: a symbol by row, [`UNKNOWN`] where none is.
type Stuck = Vec<SymbolId>;

/// Mean pays of the spins of one trigger, in return units, bonuses included. Worked out as far as they are asked for.
#[derive(Debug, Clone)]
pub struct StickyMeans {
    reels: Reels,
    feature: usize,
    /// By reel: the chance of what is stuck there after the spins so far.
    stuck: Vec<BTreeMap<Stuck, f64>>,
    means: Vec<f64>,
    /// Whether one more spin changes nothing that counts.
    settled: bool,
}

impl StickyMeans {
    /// Of the feature at a position.
    pub fn new(reels: &Reels, feature: usize) -> Self {
        let nothing = BTreeMap::from([(vec![UNKNOWN; reels.rows], 1.0)]);
        let count = reels.strip_sets[reels.free_spins[feature].strip_set].len();
        Self { reels: reels.clone(), feature, stuck: vec![nothing; count], means: Vec::new(), settled: false }
    }

    /// Of the first spins.
    pub fn first(&mut self, spins: usize) -> &[f64] {
        if self.means.len() < spins {
            let evaluator = Evaluator::new(&self.reels, Mode::Free(self.feature));
            while self.means.len() < spins {
                if let (true, Some(&last)) = (self.settled, self.means.last()) {
                    self.means.resize(spins, last);
                    break;
                }
                let before = self.stuck.clone();
                let law = law(&self.reels, &evaluator, &self.reels.free_spins[self.feature], &mut self.stuck);
                self.means.push(mean(&self.reels, &evaluator, &law));
                self.settled = alike(&before, &self.stuck);
            }
        }
        &self.means[..spins]
    }

    /// Of all of the first spins together.
    pub fn sum(&mut self, spins: usize) -> f64 {
        self.first(spins).iter().sum()
    }
}

/// Whether what is stuck has the same chances, to rounding.
fn alike(one: &[BTreeMap<Stuck, f64>], other: &[BTreeMap<Stuck, f64>]) -> bool {
    one.iter().zip(other).all(|(one, other)| {
        let off = |(stuck, chance): (&Stuck, &f64)| (chance - one.get(stuck).unwrap_or(&0.0)).abs();
        other.iter().map(off).sum::<f64>() < 1e-14
    })
}

/// What one spin shows, and what is stuck after it.
fn law(reels: &Reels, evaluator: &Evaluator, feature: &FreeSpins, stuck: &mut [BTreeMap<Stuck, f64>]) -> Law<f64> {
    let columns = evaluator.columns();
    let mut law = Law { reels: Vec::new() };
    for (reel, stuck) in stuck.iter_mut().enumerate() {
        let strip = &reels.strip_sets[evaluator.strip_set()][reel];
        let total = strip.stop_count() as f64;
        let mut seen: BTreeMap<(Stuck, Stuck), f64> = BTreeMap::new();
        let mut after: BTreeMap<Stuck, f64> = BTreeMap::new();
        for (before, &chance) in stuck.iter() {
            for (stop, &weight) in strip.weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                let cells = before.iter().zip(columns.drawn(reel, stop));
                let drawn: Stuck = cells.map(|(&stuck, &drawn)| if stuck == UNKNOWN { drawn } else { stuck }).collect();
                let shown = expanded(reels, evaluator.mode(), &drawn);
                let sticks = |&symbol: &SymbolId| if feature.sticky.contains(&symbol) { symbol } else { UNKNOWN };
                let chance = chance * weight as f64 / total;
                *after.entry(shown.iter().map(sticks).collect()).or_insert(0.0) += chance;
                *seen.entry((shown, drawn)).or_insert(0.0) += chance;
            }
        }
        *stuck = after;
        law.reels.push(seen.into_iter().map(|((shown, drawn), weight)| Column { shown, drawn, weight }).collect());
    }
    law
}

/// Mean of what a window of a law pays, in return units.
fn mean(reels: &Reels, evaluator: &Evaluator, law: &Law<f64>) -> f64 {
    let lines = LineFigures::new(reels, evaluator, law);
    let mut mean = lines.pays() + WayFigures::new(evaluator, reels.by_ways, law).pays();
    let counts: BTreeMap<SymbolId, Vec<f64>> =
        (evaluator.scatter_symbols().into_iter()).map(|symbol| (symbol, law.scatter_counts(reels, symbol))).collect();
    for (&symbol, counts) in &counts {
        let pays =
            counts.iter().enumerate().map(|(cells, chance)| chance * evaluator.scatter_pay(symbol, cells) as f64);
        mean += pays.sum::<f64>();
    }
    let prizes = PrizeMoments::of_all(reels);
    for (at, bonus) in reels.bonuses.iter().enumerate() {
        let starts: f64 = match &bonus.trigger {
            Combination::Scatter { symbol, count } => counts[symbol].iter().skip(*count).sum(),
            Combination::Line { of, count, wilds } => {
                let mut all = evaluator.line_combinations();
                let at = all.position(|(o, c, w)| o == of.as_slice() && c == *count && w == *wilds);
                at.map_or(0.0, |at| lines.starts[at])
            }
        };
        let factor = evaluator.factor(Spared::Bonus { bonus: at }) as f64;
        mean += starts * factor * prizes[bonus.table].mean.to_f64().unwrap_or(f64::NAN);
    }
    mean
}
