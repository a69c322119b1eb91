//! Ways of one pay that are still open after some reels.

use crate::game::rules::Direction;
use crate::game::ways::{WayRun, WayWin};
use crate::game::window::Evaluator;

/// Where one pay stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct OpenWays {
    /// The run from the first reel, while it is unbroken, and its win so far.
    left: Option<WayRun>,
    left_win: WayWin,
    /// Where the last reel is read first: the run up to now from each reel on, from the first of an unbroken row of them.
    suffixes: Vec<WayRun>,
}

/// One pay after one more reel.
pub(super) enum Step {
    Open(OpenWays),
    /// What it pays is certain.
    Certain(u64),
}

impl OpenWays {
    /// Before the first reel.
    pub(super) fn start(evaluator: &Evaluator) -> Self {
        let left = (evaluator.direction() != Direction::Right).then(WayRun::start);
        Self { left, left_win: WayWin::default(), suffixes: Vec::new() }
    }

    /// After one more reel, the `reel`th of `reels` from 0, that shows a column.
    pub(super) fn step(&self, evaluator: &Evaluator, pay: usize, column: &[u8], reel: usize, reels: usize) -> Step {
        let rules = &evaluator.line_pays()[pay];
        let last = reel + 1 == reels;
        let mut next = Self { left: None, left_win: self.left_win, suffixes: Vec::new() };
        if let Some(run) = self.left.as_ref().and_then(|run| run.step(evaluator, pay, column)) {
            next.left_win = next.left_win.extended(evaluator, rules, reel + 1, &run);
            if !last && rules.pays[reel + 1..].iter().any(|&pay| pay > 0) {
                next.left = Some(run);
            }
        }
        if evaluator.direction() == Direction::Left {
            return match next.left {
                None => Step::Certain(evaluator.way_pay(pay, next.left_win)),
                Some(_) => Step::Open(next),
            };
        }
        let begun = [WayRun::start()];
        let runs = self.suffixes.iter().chain(&begun);
        next.suffixes = runs.filter_map(|run| run.step(evaluator, pay, column)).collect();
        if !last {
            return Step::Open(next);
        }
        let mut right_win = WayWin::default();
        for (run, count) in next.suffixes.iter().rev().zip(1..) {
            right_win = right_win.extended(evaluator, rules, count, run);
        }
        let covered = next.left_win.count == reels;
        let of_right = if covered { 0 } else { evaluator.way_pay(pay, right_win) };
        Step::Certain(evaluator.way_pay(pay, next.left_win) + of_right)
    }
}
