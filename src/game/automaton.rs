//! One payline as an automaton: reads a symbol per reel and ends as soon as its value is certain.

use super::rules::SymbolId;
use super::window::{Evaluator, LineValue, UNKNOWN};
use rustc_hash::FxHashMap;

/// Where a line stands after some reels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineState {
    /// Its value is certain whatever follows.
    Done(LineValue),
    /// To be continued at this node.
    Open(u32),
}

/// The automaton of a line: the same for all lines of a mode, since a line's value depends on its symbols alone.
#[derive(Debug, Clone)]
pub struct LineAutomaton {
    pub start: LineState,
    /// By node, then symbol. A symbol that the node's reel doesn't show leads nowhere in particular.
    nodes: Vec<Vec<LineState>>,
}

impl LineAutomaton {
    /// Of a game in a mode; `shown[reel]` are the symbols that the reel shows.
    pub fn new(evaluator: &Evaluator, symbol_count: usize, shown: &[Vec<SymbolId>]) -> Self {
        let mut builder = Builder { evaluator, symbol_count, shown, nodes: Vec::new(), known: FxHashMap::default() };
        let start = builder.state(&mut vec![UNKNOWN; shown.len()], 0);
        Self { start, nodes: builder.nodes }
    }

    /// The state after a symbol.
    #[inline]
    pub fn next(&self, node: u32, symbol: SymbolId) -> LineState {
        self.nodes[node as usize][usize::from(symbol)]
    }
}

struct Builder<'a> {
    evaluator: &'a Evaluator<'a>,
    symbol_count: usize,
    shown: &'a [Vec<SymbolId>],
    nodes: Vec<Vec<LineState>>,
    known: FxHashMap<Vec<LineState>, u32>,
}

impl Builder<'_> {
    fn state(&mut self, line: &mut Vec<SymbolId>, reel: usize) -> LineState {
        let value = || LineValue { pay: self.evaluator.line_pay(line), starts: self.evaluator.line_starts(line) };
        if reel == line.len() || !self.evaluator.is_open(line) {
            return LineState::Done(value());
        }
        let mut next = vec![LineState::Done(LineValue::default()); self.symbol_count];
        for position in 0..self.shown[reel].len() {
            let symbol = self.shown[reel][position];
            line[reel] = symbol;
            next[usize::from(symbol)] = self.state(line, reel + 1);
        }
        line[reel] = UNKNOWN;
        let first = next[usize::from(self.shown[reel][0])];
        if matches!(first, LineState::Done(_)) && self.shown[reel].iter().all(|&s| next[usize::from(s)] == first) {
            return first;
        }
        let fresh = self.nodes.len() as u32;
        let node = *self.known.entry(next.clone()).or_insert(fresh);
        if node == fresh {
            self.nodes.push(next);
        }
        LineState::Open(node)
    }
}
