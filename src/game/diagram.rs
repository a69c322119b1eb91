//! A game of reels compiled into a diagram that is walked one stop per reel.
//!
//! A node stands for all windows so far after which the same remaining stops pay the same; an edge carries what became
//! certain by its stop. Most walks end early: once no line and no scatter can change any more, the pay is known. The
//! first two reels share one table. Walking needs no symbols, no lines and no branches on them.

use super::automaton::{LineAutomaton, LineState};
use super::rules::{Reels, SymbolId};
use super::weighted::Weighted;
use super::window::{Evaluator, Mode, Outcome};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A walk's value of this much or more means that the spin starts something, or pays too much for the tables: value the
/// window itself with [`Diagram::outcome`].
pub const EVENT: u64 = u16::MAX as u64;

/// Most edges of a diagram (4 bytes each, so that usual games fit the second cache). What doesn't fit is valued window by
/// window.
const EDGES_MAX: usize = 4 << 20;

const END: u16 = u16::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    /// Row of the next reel's table; [`END`] if nothing can change any more.
    next: u16,
    /// Return units that became certain, or [`EVENT`].
    value: u16,
}

const EVENT_EDGE: Edge = Edge { next: END, value: EVENT as u16 };

/// The compiled reels of one mode.
#[derive(Debug)]
pub struct Diagram<'a> {
    evaluator: Evaluator<'a>,
    /// Virtual stops of each reel.
    stop_counts: Vec<u64>,
    /// Position on the strip of each virtual stop; `None` where every stop has weight 1.
    positions: Option<Vec<Weighted>>,
    /// Stops on each strip.
    lengths: Vec<usize>,
    cycle: u64,
    first: Vec<Edge>,
    /// Tables of the reels after those that `first` covers.
    tables: Vec<Vec<Edge>>,
}

impl<'a> Diagram<'a> {
    /// Compiles a mode of a game, on all threads of the current rayon pool.
    pub fn new(reels: &'a Reels, mode: Mode) -> Self {
        let evaluator = Evaluator::new(reels, mode);
        let strips = &reels.strip_sets[evaluator.strip_set()];
        let stop_counts: Vec<u64> = strips.iter().map(|strip| strip.stop_count()).collect();
        let weighted = strips.iter().any(|strip| strip.weights.iter().any(|&weight| weight != 1));
        let (first, tables) = Builder::new(reels, &evaluator).build();
        Self {
            positions: weighted.then(|| strips.iter().map(|strip| Weighted::new(&strip.weights)).collect()),
            lengths: strips.iter().map(|strip| strip.stops.len()).collect(),
            cycle: stop_counts.iter().product(),
            stop_counts,
            evaluator,
            first,
            tables,
        }
    }

    /// Number of windows, virtual stops counted: the product of the reels' stops.
    #[inline(always)]
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Number of edges in all tables.
    pub fn edge_count(&self) -> usize {
        self.first.len() + self.tables.iter().map(Vec::len).sum::<usize>()
    }

    /// The stops, as positions on the strips, that a random number below 2^64 stands for: its product with the stop
    /// count of each reel in turn, the fraction carried on.
    pub fn stops(&self, random: u64) -> Vec<usize> {
        let mut rest = random;
        (0..self.stop_counts.len())
            .map(|reel| {
                let (stop, next) = crate::rng::scale(rest, self.stop_counts[reel]);
                rest = next;
                self.position(reel, stop)
            })
            .collect()
    }

    /// Values the window that a random number stands for, without the tables.
    pub fn outcome(&self, random: u64) -> Outcome {
        self.evaluator.outcome(&self.stops(random))
    }

    /// The evaluator of this mode.
    pub fn evaluator(&self) -> &Evaluator<'a> {
        &self.evaluator
    }

    #[inline(always)]
    fn position(&self, reel: usize, stop: u64) -> usize {
        match &self.positions {
            None => stop as usize,
            Some(positions) => positions[reel].position(stop),
        }
    }

    /// Walks one number: its pay, or [`EVENT`] and more.
    #[inline]
    pub fn walk(&self, random: u64) -> u64 {
        let (edge, mut rest) = self.first_edge(random);
        let (mut value, mut next) = (u64::from(edge.value), edge.next);
        for (table, reel) in self.tables.iter().zip(2..) {
            if next == END {
                break;
            }
            let (stop, fraction) = crate::rng::scale(rest, self.stop_counts[reel]);
            rest = fraction;
            let edge = table[usize::from(next) * self.lengths[reel] + self.position(reel, stop)];
            value += u64::from(edge.value);
            next = edge.next;
        }
        value
    }

    #[inline(always)]
    fn first_edge(&self, random: u64) -> (Edge, u64) {
        if self.stop_counts.len() == 1 {
            let (stop, rest) = crate::rng::scale(random, self.stop_counts[0]);
            (self.first[self.position(0, stop)], rest)
        } else if self.positions.is_none() {
            let (pair, rest) = crate::rng::scale(random, self.stop_counts[0] * self.stop_counts[1]);
            (self.first[pair as usize], rest)
        } else {
            let (stop_0, rest) = crate::rng::scale(random, self.stop_counts[0]);
            let (stop_1, rest) = crate::rng::scale(rest, self.stop_counts[1]);
            (self.first[self.position(0, stop_0) * self.lengths[1] + self.position(1, stop_1)], rest)
        }
    }

    /// Walks a block of numbers, reel by reel over those walks that are still open: `values[i]` becomes the walk of
    /// `randoms[i]`.
    pub fn walk_block(&self, randoms: &[u64; BLOCK], values: &mut [u64; BLOCK], scratch: &mut WalkScratch) {
        match (&self.positions, self.stop_counts.len()) {
            (None, 2..) => {
                let pairs = self.stop_counts[0] * self.stop_counts[1];
                let first = |random| {
                    let (pair, rest) = crate::rng::scale(random, pairs);
                    (self.first[pair as usize], rest)
                };
                self.walk_block_by(randoms, values, scratch, first, |_, stop| stop as usize);
            }
            _ => {
                let first = |random| self.first_edge(random);
                self.walk_block_by(randoms, values, scratch, first, |reel, stop| self.position(reel, stop));
            }
        }
    }

    #[inline(always)]
    fn walk_block_by(
        &self,
        randoms: &[u64; BLOCK],
        values: &mut [u64; BLOCK],
        scratch: &mut WalkScratch,
        first: impl Fn(u64) -> (Edge, u64),
        position: impl Fn(usize, u64) -> usize,
    ) {
        // Indexes are masked so that the compiler knows them to lie within a block.
        const MASK: usize = BLOCK - 1;
        let WalkScratch { from, to } = scratch;
        // An open walk: the row where it goes on, and its index in the block.
        let pack = |next: u16, index: usize| u32::from(next) << 16 | index as u32;
        let mut open_count = 0;
        for index in 0..BLOCK {
            let (edge, rest) = first(randoms[index]);
            values[index] = u64::from(edge.value);
            from.rests[open_count & MASK] = rest;
            from.open[open_count & MASK] = pack(edge.next, index);
            open_count += usize::from(edge.next != END);
        }
        for (table, reel) in self.tables.iter().zip(2..) {
            let (stop_count, length) = (self.stop_counts[reel], self.lengths[reel]);
            let mut still_open = 0;
            for slot in 0..open_count {
                let walk = from.open[slot & MASK];
                let index = walk as usize & MASK;
                let (stop, rest) = crate::rng::scale(from.rests[slot & MASK], stop_count);
                let edge = table[(walk >> 16) as usize * length + position(reel, stop)];
                values[index] += u64::from(edge.value);
                to.rests[still_open & MASK] = rest;
                to.open[still_open & MASK] = pack(edge.next, index);
                still_open += usize::from(edge.next != END);
            }
            open_count = still_open;
            std::mem::swap(from, to);
        }
    }
}

/// Numbers that [`Diagram::walk_block`] walks at once.
pub const BLOCK: usize = 256;

/// Room for [`Diagram::walk_block`], to be used again.
///
/// Open walks are read from one list and written to another: were it one list, a processor could not tell early that a
/// write doesn't concern the next read, and would wait for every edge.
#[derive(Debug, Default)]
pub struct WalkScratch {
    from: OpenWalks,
    to: OpenWalks,
}

#[derive(Debug)]
struct OpenWalks {
    rests: Box<[u64; BLOCK]>,
    open: Box<[u32; BLOCK]>,
}

impl Default for OpenWalks {
    fn default() -> Self {
        Self { rests: Box::new([0; BLOCK]), open: Box::new([0; BLOCK]) }
    }
}

/// Numbers the states that steps lead to and makes the steps edges.
fn edges(steps: Vec<(State, u64)>, last: bool) -> (Vec<Edge>, Vec<State>) {
    let mut known: FxHashMap<State, u16> = FxHashMap::default();
    let mut states = Vec::new();
    let edges = steps
        .into_iter()
        .map(|(state, value)| {
            let value = value.min(EVENT) as u16;
            if last || state.iter().all(|&part| part == SETTLED) {
                return Edge { next: END, value };
            }
            if let Some(&next) = known.get(&state) {
                return Edge { next, value };
            }
            let next = states.len() as u16;
            if next == END {
                return EVENT_EDGE;
            }
            states.push(state.clone());
            known.insert(state, next);
            Edge { next, value }
        })
        .collect();
    (edges, states)
}

/// What is still open after some reels: open lines as (line, node), then scatter counts, in one list.
type State = Box<[u32]>;

/// In a state: the scatter's pay and starts are certain.
const SETTLED: u32 = u32::MAX;

struct Builder<'e, 'a> {
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
    fn new(reels: &'a Reels, evaluator: &'e Evaluator<'a>) -> Self {
        let strips = &reels.strip_sets[evaluator.strip_set()];
        let shown: Vec<Vec<SymbolId>> = strips
            .iter()
            .map(|strip| {
                let mut symbols = strip.stops.clone();
                symbols.sort_unstable();
                symbols.dedup();
                symbols
            })
            .collect();
        let scatters = evaluator.scatter_symbols();
        let cells: Vec<Vec<Vec<u32>>> = strips
            .iter()
            .map(|strip| {
                let length = strip.stops.len();
                let visible = |position: usize, symbol: SymbolId| {
                    (0..reels.rows).filter(|row| strip.stops[(position + row) % length] == symbol).count() as u32
                };
                (0..length).map(|at| scatters.iter().map(|&symbol| visible(at, symbol)).collect()).collect()
            })
            .collect();
        let mut cells_left = vec![vec![0; scatters.len()]; strips.len() + 1];
        for reel in (0..strips.len()).rev() {
            for scatter in 0..scatters.len() {
                let most = cells[reel].iter().map(|at| at[scatter]).max().unwrap_or(0);
                cells_left[reel][scatter] = cells_left[reel + 1][scatter] + most;
            }
        }
        let automaton = LineAutomaton::new(evaluator, reels.symbols.len(), &shown);
        Self { reels, evaluator, automaton, scatters, cells, cells_left }
    }

    fn build(&self) -> (Vec<Edge>, Vec<Vec<Edge>>) {
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
        let mut states = vec![start.into_boxed_slice()];
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
    fn step(&self, state: &[u32], reel: usize, position: usize) -> (State, u64) {
        let strip = &self.reels.strip_sets[self.evaluator.strip_set()][reel].stops;
        let (lines, scatters) = state.split_at(state.len() - self.scatters.len());
        let mut next = Vec::with_capacity(state.len());
        let mut value = 0;
        for pair in lines.chunks_exact(2) {
            let row = self.reels.lines[pair[0] as usize][reel];
            let symbol = strip[(position + row) % strip.len()];
            match self.automaton.next(pair[1], symbol) {
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
        (next.into_boxed_slice(), value)
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

fn edge_value(pay: u64, starts: bool) -> u64 {
    if starts { EVENT } else { pay }
}
