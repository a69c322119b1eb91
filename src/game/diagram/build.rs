//! Builds the diagram of a mode reel by reel: states that have the same future become one node.

use super::open_ways::{OpenWays, Step};
use super::{EDGES_MAX, END, EVENT, EVENT_EDGE, Edge};
use crate::game::automaton::{LineAutomaton, LineState};
use crate::game::columns::{Columns, scatter_cells};
use crate::game::rules::{Reels, SymbolId};
use crate::game::window::Evaluator;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Numbers the states that steps lead to and makes the steps edges.
fn edges(steps: Vec<(State, u64)>, last: bool) -> (Vec<Edge>, Vec<State>) {
    let mut known: FxHashMap<State, u32> = FxHashMap::default();
    let mut states = Vec::new();
    let edges = steps
        .into_iter()
        .map(|(state, value)| {
            let value = value.min(EVENT) as u32;
            if last || state.is_settled() {
                return Edge { next: END, value };
            }
            if let Some(&next) = known.get(&state) {
                return Edge { next, value };
            }
            let next = states.len() as u32;
            states.push(state.clone());
            known.insert(state, next);
            Edge { next, value }
        })
        .collect();
    (edges, states)
}

/// What is still open after some reels.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    /// Open lines as (line, node), then scatter counts, in one list.
    counts: Box<[u32]>,
    /// Open ways, by pay.
    ways: Vec<(u32, OpenWays)>,
}

impl State {
    fn is_settled(&self) -> bool {
        self.ways.is_empty() && self.counts.iter().all(|&part| part == SETTLED)
    }
}

/// In a state: the scatter's pay and starts are certain.
const SETTLED: u32 = u32::MAX;

pub(super) struct Builder<'e, 'a> {
    reels: &'a Reels,
    evaluator: &'e Evaluator<'a>,
    automaton: LineAutomaton,
    scatters: Vec<SymbolId>,
    /// Cells of each scatter that a stop shows: `[reel][position][scatter]`.
    cells: Vec<Vec<Vec<u32>>>,
    /// Most cells of each scatter on this reel and all after it: `[reel][scatter]`.
    cells_left: Vec<Vec<u32>>,
}

impl<'e, 'a> Builder<'e, 'a> {
    pub(super) fn new(reels: &'a Reels, evaluator: &'e Evaluator<'a>) -> Self {
        let shown = symbols_shown(evaluator.columns());
        let scatters = evaluator.scatter_symbols();
        let columns = evaluator.columns();
        let cells: Vec<Vec<Vec<u32>>> = (0..columns.reels())
            .map(|reel| {
                let counts = |stop: usize| {
                    let cells = |&symbol: &SymbolId| scatter_cells(reels, columns.drawn(reel, stop), symbol) as u32;
                    scatters.iter().map(cells).collect()
                };
                (0..columns.stops(reel)).map(counts).collect()
            })
            .collect();
        let mut cells_left = vec![vec![0; scatters.len()]; columns.reels() + 1];
        for reel in (0..columns.reels()).rev() {
            for scatter in 0..scatters.len() {
                let most = cells[reel].iter().map(|at| at[scatter]).max().unwrap_or(0);
                cells_left[reel][scatter] = cells_left[reel + 1][scatter] + most;
            }
        }
        let automaton = LineAutomaton::new(evaluator, reels.symbols.len(), &shown);
        Self { reels, evaluator, automaton, scatters, cells, cells_left }
    }

    pub(super) fn build(&self) -> (Vec<Edge>, Vec<Vec<Edge>>) {
        let strips = &self.reels.strip_sets[self.evaluator.strip_set()];
        let lengths: Vec<usize> = strips.iter().map(|strip| strip.stops.len()).collect();
        let mut start: Vec<u32> = Vec::new();
        let mut value = 0;
        for line in 0..self.reels.lines.len() as u32 {
            match self.automaton.start {
                LineState::Done(done) => value += edge_value(done.pay, done.starts),
                LineState::Open(node) => start.extend([line, node]),
            }
        }
        for scatter in 0..self.scatters.len() {
            let (state, settled) = self.settle(0, scatter, 0);
            start.push(state);
            value += settled;
        }
        let ways = if self.reels.by_ways { 0..self.reels.line_pays.len() as u32 } else { 0..0 };
        let ways = ways.map(|pay| (pay, OpenWays::start(self.evaluator))).collect();
        let mut states = vec![State { counts: start.into_boxed_slice(), ways }];
        let mut values = vec![value];
        let covered = lengths.len().min(2);
        let mut first = Vec::new();
        for reel in 0..covered {
            let last = reel + 1 == lengths.len();
            let steps: Vec<(State, u64)> = states
                .par_iter()
                .zip(&values)
                .flat_map_iter(|(state, &value)| {
                    (0..lengths[reel]).map(move |position| {
                        let (next, step) = self.step(state, reel, position);
                        (next, value + step)
                    })
                })
                .collect();
            if reel + 1 == covered {
                let (edges, next_states) = edges(steps, last);
                (first, states) = (edges, next_states);
            } else {
                (states, values) = steps.into_iter().unzip();
            }
        }
        let mut tables = Vec::new();
        let mut edge_count = first.len();
        for reel in covered..lengths.len() {
            let last = reel + 1 == lengths.len();
            edge_count += states.len() * lengths[reel];
            if edge_count > EDGES_MAX {
                // No room for this reel: whatever is still open is valued window by window.
                let previous = tables.last_mut().unwrap_or(&mut first);
                for edge in previous.iter_mut().filter(|edge| edge.next != END) {
                    *edge = EVENT_EDGE;
                }
                break;
            }
            let steps: Vec<(State, u64)> = states
                .par_iter()
                .flat_map_iter(|state| (0..lengths[reel]).map(move |position| self.step(state, reel, position)))
                .collect();
            let (edges, next_states) = edges(steps, last);
            states = next_states;
            tables.push(edges);
        }
        (first, tables)
    }

    /// The state after one more stop, and what became certain.
    fn step(&self, state: &State, reel: usize, position: usize) -> (State, u64) {
        let columns = self.evaluator.columns();
        let shown = columns.shown(reel, position);
        let (lines, scatters) = state.counts.split_at(state.counts.len() - self.scatters.len());
        let mut next = Vec::with_capacity(state.counts.len());
        let mut value = 0;
        for pair in lines.chunks_exact(2) {
            let row = self.reels.lines[pair[0] as usize][reel];
            match self.automaton.next(pair[1], shown[row]) {
                LineState::Done(done) => value += edge_value(done.pay, done.starts),
                LineState::Open(node) => next.extend([pair[0], node]),
            }
        }
        for (scatter, &count) in scatters.iter().enumerate() {
            if count == SETTLED {
                next.push(SETTLED);
            } else {
                let (state, settled) = self.settle(reel + 1, scatter, count + self.cells[reel][position][scatter]);
                next.push(state);
                value += settled;
            }
        }
        let mut ways = Vec::with_capacity(state.ways.len());
        for (pay, open) in &state.ways {
            match open.step(self.evaluator, *pay as usize, shown, reel, columns.reels()) {
                Step::Open(open) => ways.push((*pay, open)),
                Step::Certain(certain) => value += certain,
            }
        }
        (State { counts: next.into_boxed_slice(), ways }, value)
    }

    /// A scatter's count before a reel, or [`SETTLED`] with what it pays if no further cell can change that.
    fn settle(&self, reel: usize, scatter: usize, count: u32) -> (u32, u64) {
        let symbol = self.scatters[scatter];
        let worth = |count: u32| {
            let pay = self.evaluator.scatter_pay(symbol, count as usize);
            edge_value(pay, self.evaluator.scatter_starts(symbol, count as usize))
        };
        let now = worth(count);
        let certain = (count..=count + self.cells_left[reel][scatter]).all(|possible| worth(possible) == now);
        if certain { (SETTLED, now) } else { (count, 0) }
    }
}

/// Symbols that each reel shows to lines.
fn symbols_shown(columns: &Columns) -> Vec<Vec<SymbolId>> {
    let of_reel = |reel: usize| {
        let stops = 0..columns.stops(reel);
        let mut symbols: Vec<SymbolId> = stops.flat_map(|stop| columns.shown(reel, stop).to_vec()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    };
    (0..columns.reels()).map(of_reel).collect()
}

fn edge_value(pay: u64, starts: bool) -> u64 {
    if starts { EVENT } else { pay }
}
