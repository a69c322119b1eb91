//! What ways pay, pay by pay: reels are independent, so a mean of products is a product of means.

use super::law::{Law, Weight, weight};
use crate::game::rules::{Direction, SymbolId};
use crate::game::ways::WayRun;
use crate::game::window::{Evaluator, LineWin, Role};
use std::collections::BTreeMap;

/// Ways summed over all windows, multipliers counted in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WayFigures<W> {
    /// By pay and number of reels; the pay is that of one way, the mode's factor included.
    pub wins: BTreeMap<LineWin, W>,
}

impl<W: Weight> WayFigures<W> {
    /// Reads every pay of a mode; nothing where it pays on lines.
    pub fn new(evaluator: &Evaluator, by_ways: bool, law: &Law<W>) -> Self {
        let mut figures = Self { wins: BTreeMap::new() };
        if !by_ways {
            return figures;
        }
        let reversed = Law { reels: law.reels.iter().rev().cloned().collect() };
        for pay in 0..evaluator.line_pays().len() {
            let covers = *evaluator.line_pays()[pay].pays.last().unwrap_or(&0) > 0;
            if evaluator.direction() != Direction::Right {
                figures.read(evaluator, pay, law, false);
            }
            if evaluator.direction() != Direction::Left {
                // A win over all reels counts once.
                figures.read(evaluator, pay, &reversed, covers && evaluator.direction() == Direction::Both);
            }
        }
        figures
    }

    /// Sum of all pays over all windows, in return units.
    pub fn pays(&self) -> W {
        self.wins.iter().map(|(win, &ways)| weight::<W>(win.pay) * ways).sum()
    }

    /// Adds one pay, read from the first reel of a law; runs over all reels left out if `short`.
    fn read(&mut self, evaluator: &Evaluator, pay: usize, law: &Law<W>, short: bool) {
        let rules = &evaluator.line_pays()[pay];
        let reels = law.reels.len();
        let goes_on = |symbol: &SymbolId| evaluator.role(pay, *symbol) != Role::Neither;
        let broken: Vec<W> = (law.reels.iter())
            .map(|columns| {
                let none = columns.iter().filter(|column| !column.shown.iter().any(goes_on));
                none.map(|column| column.weight).sum()
            })
            .collect();
        let totals: Vec<W> = (0..reels).map(|reel| law.total(reel)).collect();
        let mut run = WayRun::start();
        for count in 1..=reels {
            let columns = law.reels[count - 1].iter();
            let cells = columns.flat_map(|column| column.shown.iter().map(|&symbol| (symbol, column.weight)));
            let Some(next) = run.step_by(evaluator, pay, cells) else { return };
            run = next;
            if rules.pays[count - 1] == 0 || (short && count == reels) {
                continue;
            }
            // The run may go on over reels that have no pay of their own.
            let longer = (count + 1..=reels).find(|&longer| rules.pays[longer - 1] > 0);
            let after: W = totals[count..].iter().fold(W::one(), |all, &total| all * total);
            let too_long = longer.map_or(W::zero(), |longer| {
                let on = (count..longer).fold(W::one(), |all, reel| all * (totals[reel] - broken[reel]));
                totals[longer..].iter().fold(on, |all, &total| all * total)
            });
            let ways = run.paying(evaluator) * (after - too_long);
            if !ways.is_zero() {
                let factor = evaluator.factor(crate::game::Spared::Line { pay, count });
                let win = LineWin { combination: pay, count, pay: rules.pays[count - 1] * factor };
                *self.wins.entry(win).or_insert_with(W::zero) += ways;
            }
        }
    }
}
