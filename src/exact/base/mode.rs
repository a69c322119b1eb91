//! Everything that the windows of one mode pay and start.

use super::joint::{Joint, WORK_MAX, shows};
use super::law::Law;
use super::lines::LineFigures;
use super::prizes::{PrizeMoments, whole};
use super::sticky::StickyMeans;
use super::ways::WayFigures;
use crate::game::rules::{Combination, Reels, Spared, SymbolId};
use crate::game::window::{Evaluator, Mode};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// The figures of a mode.
#[derive(Debug, Clone)]
pub struct ModeFigures<'a> {
    reels: &'a Reels,
    evaluator: Evaluator<'a>,
    /// Windows, virtual stops counted.
    pub cycle: u64,
    pub lines: LineFigures<u128>,
    pub ways: WayFigures<u128>,
    /// By scatter symbol: windows by number of cells that show it.
    pub scatters: BTreeMap<SymbolId, Vec<u128>>,
    /// All lines and scatters of a window at once; `None` beyond the budget of work, and where symbols stick.
    pub joint: Option<Joint>,
}

impl<'a> ModeFigures<'a> {
    /// Enumerates a mode.
    pub fn new(reels: &'a Reels, mode: Mode) -> Self {
        let evaluator = Evaluator::new(reels, mode);
        let law = Law::of_strips(reels, &evaluator);
        let is_sticky = matches!(mode, Mode::Free(feature) if !reels.free_spins[feature].sticky.is_empty());
        let counts = |symbol: SymbolId| (symbol, law.scatter_counts(reels, symbol));
        Self {
            cycle: reels.strip_sets[evaluator.strip_set()].iter().map(|strip| strip.stop_count()).product(),
            lines: LineFigures::new(reels, &evaluator, &law),
            ways: WayFigures::new(&evaluator, reels.by_ways, &law),
            scatters: evaluator.scatter_symbols().into_iter().map(counts).collect(),
            joint: if is_sticky { None } else { Joint::new(reels, &evaluator, WORK_MAX) },
            reels,
            evaluator,
        }
    }

    /// Sum over all windows of what lines or ways pay.
    pub fn line_pays(&self) -> u128 {
        self.lines.pays() + self.ways.pays()
    }

    /// Pay for so many cells of a scatter.
    pub fn scatter_pay(&self, symbol: SymbolId, count: usize) -> u64 {
        self.evaluator.scatter_pay(symbol, count)
    }

    /// Sum over all windows of what a scatter pays.
    pub fn scatter_pays(&self, symbol: SymbolId) -> u128 {
        let counts = self.scatters.get(&symbol).into_iter().flatten().enumerate();
        counts.map(|(count, &windows)| windows * u128::from(self.evaluator.scatter_pay(symbol, count))).sum()
    }

    /// Sum over all windows of all that scatters pay.
    pub fn all_scatter_pays(&self) -> u128 {
        self.scatters.keys().map(|&symbol| self.scatter_pays(symbol)).sum()
    }

    /// Sum over all windows of how often a combination shows: lines, or once for a scatter.
    pub fn starts(&self, combination: &Combination) -> u128 {
        match combination {
            Combination::Scatter { symbol, count } => self.scatters[symbol].iter().skip(*count).sum(),
            Combination::Line { of, count, wilds } => {
                let mut all = self.evaluator.line_combinations();
                let at = all.position(|(o, c, w)| o == of.as_slice() && c == *count && w == *wilds);
                at.map_or(0, |at| self.lines.starts[at])
            }
        }
    }

    /// Windows in which a combination shows at all; `None` where that takes all lines at once and they are too many.
    pub fn windows_showing(&self, combination: &Combination) -> Option<u128> {
        if matches!(combination, Combination::Scatter { .. }) || self.reels.lines.len() <= 1 {
            return Some(self.starts(combination));
        }
        let kinds = self.joint.as_ref()?.by_starts.iter();
        let showing = kinds.filter(|(starts, _)| shows(&self.evaluator, starts, combination) > 0);
        Some(showing.map(|(_, sums)| u128::from(sums.windows)).sum())
    }

    /// Windows by the number of free spins of a feature that they award; awards of 0 left out.
    pub fn awards(&self, feature: usize) -> BTreeMap<u64, u128> {
        let mut awards = BTreeMap::new();
        let scatter = self.reels.free_spins[feature].scatter;
        let counts = scatter.and_then(|symbol| self.scatters.get(&symbol)).into_iter().flatten();
        for (count, &windows) in counts.enumerate() {
            let award = self.evaluator.free_spins(feature, count);
            if award > 0 && windows > 0 {
                *awards.entry(award).or_insert(0) += windows;
            }
        }
        awards
    }

    /// Where symbols stick in a feature: the mean pay of its spins, one after the other.
    pub fn sticky_means(&self, feature: usize) -> Option<StickyMeans> {
        let sticks = !self.reels.free_spins[feature].sticky.is_empty();
        sticks.then(|| StickyMeans::new(self.reels, feature))
    }

    /// Mean of what a window's lines, scatters and bonuses pay, in return units.
    pub fn mean(&self) -> BigRational {
        let mut sum = whole(self.line_pays() + self.all_scatter_pays());
        let prizes = PrizeMoments::of_all(self.reels);
        for (at, bonus) in self.reels.bonuses.iter().enumerate() {
            let factor = self.evaluator.factor(Spared::Bonus { bonus: at });
            sum += whole(self.starts(&bonus.trigger) * u128::from(factor)) * &prizes[bonus.table].mean;
        }
        sum / whole(self.cycle.into())
    }

    /// Kinds of windows by what they start, with the moments of what they pay, bonuses included; `None` where the windows
    /// are too many to enumerate.
    pub fn kinds(&self) -> Option<Vec<Kind>> {
        let cycle = self.cycle as f64;
        let moments = PrizeMoments::of_all(self.reels);
        let prizes: Vec<(f64, f64)> = (self.reels.bonuses.iter().enumerate())
            .map(|(at, bonus)| {
                let moments = &moments[bonus.table];
                let factor = self.evaluator.factor(Spared::Bonus { bonus: at }) as f64;
                let float = |value: &BigRational| value.to_f64().unwrap_or(f64::NAN);
                (factor * float(&moments.mean), factor * factor * float(&moments.variance()))
            })
            .collect();
        let kinds = self.joint.as_ref()?.by_starts.iter().map(|(starts, sums)| {
            let chance = sums.windows as f64 / cycle;
            let (base, base_square) = (sums.pays as f64 / cycle, sums.squares as f64 / cycle);
            let (mut mean, mut variance) = (0.0, 0.0);
            let bonus_starts: Vec<u64> =
                (self.reels.bonuses.iter()).map(|bonus| shows(&self.evaluator, starts, &bonus.trigger)).collect();
            for (&times, &(prize, prize_variance)) in bonus_starts.iter().zip(&prizes) {
                let times = times as f64;
                mean += times * prize;
                variance += times * prize_variance;
            }
            Kind {
                windows: sums.windows,
                chance,
                base,
                base_square,
                pay: base + chance * mean,
                pay_square: base_square + 2.0 * base * mean + chance * (variance + mean * mean),
                free_spins: (0..self.reels.free_spins.len())
                    .map(|feature| {
                        let scatter = self.reels.free_spins[feature].scatter;
                        let at = self.evaluator.scatter_symbols().iter().position(|&other| Some(other) == scatter);
                        let lines = self.evaluator.line_combinations().count();
                        at.map_or(0, |at| self.evaluator.free_spins(feature, usize::from(starts[lines + at])))
                    })
                    .collect(),
                bonus_starts,
                idle: sums.idle as f64 / cycle,
            }
        });
        Some(kinds.collect())
    }
}

/// Windows that start the same, as shares of the cycle; pays in return units.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    pub windows: u64,
    /// Chance of a window of this kind.
    pub chance: f64,
    /// Mean over all windows of what lines and scatters of this kind pay, and of its square.
    pub base: f64,
    pub base_square: f64,
    /// Mean over all windows of what those of this kind pay, bonuses included, and of its square.
    pub pay: f64,
    pub pay_square: f64,
    /// Free spins awarded by scatters, by feature.
    pub free_spins: Vec<u64>,
    /// Starts of each bonus.
    pub bonus_starts: Vec<u64>,
    /// Chance of a window of this kind that pays nothing.
    pub idle: f64,
}
