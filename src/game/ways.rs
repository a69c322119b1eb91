//! Runs by ways: of how many choices of one cell a reel a pay's run consists, multipliers counted in.

use super::rules::{LinePay, SymbolId};
use super::window::{Evaluator, Role};
use num_traits::{NumAssign, NumCast};

/// Ways of one pay through some reels in a row, by what matters for how they pay. Counted in `W`: whole numbers for a
/// window, sums or means over windows elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct WayRun<W = u64> {
    kinds: Vec<(Kind, W)>,
}

/// Ways that go on alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
struct Kind {
    /// A cell shows a symbol of the pay itself.
    real: bool,
    /// A cell shows a wild with a pay of its own.
    own_paying_wild: bool,
    /// Wilds seen whose multiplier applies once, as bits by symbol.
    once: [u64; 4],
}

impl<W: NumAssign + NumCast + Copy> WayRun<W> {
    /// No reel yet: one way.
    pub fn start() -> Self {
        Self { kinds: vec![(Kind::default(), W::one())] }
    }

    /// Through one more reel, or `None` if none of its cells goes on.
    pub fn step(&self, evaluator: &Evaluator, pay: usize, column: &[SymbolId]) -> Option<Self> {
        self.step_by(evaluator, pay, column.iter().map(|&symbol| (symbol, W::one())))
    }

    /// The same with a number of cells for each symbol.
    pub fn step_by(
        &self,
        evaluator: &Evaluator,
        pay: usize,
        cells: impl Iterator<Item = (SymbolId, W)>,
    ) -> Option<Self> {
        let mut kinds: Vec<(Kind, W)> = Vec::new();
        for (symbol, count) in cells {
            let role = evaluator.role(pay, symbol);
            if role == Role::Neither {
                continue;
            }
            for &(kind, ways) in &self.kinds {
                let mut next = kind;
                next.real |= role == Role::Member;
                next.own_paying_wild |= role == Role::Wild && evaluator.has_own_pay(symbol);
                let mut ways = ways * count;
                match evaluator.way_factor(pay, symbol) {
                    Factor::Each(factor) => ways *= number(factor),
                    Factor::Once => next.once[symbol as usize / 64] |= 1 << (symbol % 64),
                }
                match kinds.iter_mut().find(|(known, _)| *known == next) {
                    Some((_, sum)) => *sum += ways,
                    None => kinds.push((next, ways)),
                }
            }
        }
        kinds.sort_unstable_by_key(|(kind, _)| *kind);
        (!kinds.is_empty()).then_some(Self { kinds })
    }

    /// Ways that pay, each as often as its multipliers say. A way of wilds alone pays as another symbol only where the
    /// wilds have no pay of their own.
    pub fn paying(&self, evaluator: &Evaluator) -> W {
        let paying = self.kinds.iter().filter(|(kind, _)| kind.real || !kind.own_paying_wild);
        paying.fold(W::zero(), |sum, &(kind, ways)| sum + ways * number(once_factor(evaluator, &kind.once)))
    }
}

fn number<W: NumCast>(number: u64) -> W {
    W::from(number).expect("counts of ways are wide enough for a multiplier")
}

/// What a cell's multiplier does to a way through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// Multiplies with every cell.
    Each(u64),
    /// Multiplies once, however many such cells.
    Once,
}

fn once_factor(evaluator: &Evaluator, once: &[u64; 4]) -> u64 {
    let mut factor = 1;
    for (word, &bits) in once.iter().enumerate().filter(|(_, bits)| **bits != 0) {
        let symbols = (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| word * 64 + bit);
        factor *= symbols.map(|symbol| evaluator.multiplier(symbol as SymbolId)).product::<u64>();
    }
    factor
}

/// A pay's win by ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WayWin {
    /// Reels: of the numbers that have a pay the greatest that the run reaches; 0 for none.
    pub count: usize,
    /// Ways, multipliers counted in.
    pub ways: u64,
}

impl WayWin {
    /// The win after one more reel of a run.
    pub fn extended(self, evaluator: &Evaluator, rules: &LinePay, count: usize, run: &WayRun) -> Self {
        if rules.pays[count - 1] > 0 { Self { count, ways: run.paying(evaluator) } } else { self }
    }

    /// The longest win of a pay over columns in their order of reading.
    pub fn of<'c>(evaluator: &Evaluator, pay: usize, columns: impl Iterator<Item = &'c [SymbolId]>) -> Self {
        let rules = &evaluator.line_pays()[pay];
        let mut win = Self::default();
        let mut run = WayRun::start();
        for (column, count) in columns.zip(1..) {
            match run.step(evaluator, pay, column) {
                Some(next) => run = next,
                None => break,
            }
            win = win.extended(evaluator, rules, count, &run);
        }
        win
    }
}
