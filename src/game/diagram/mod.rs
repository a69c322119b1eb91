//! A game of reels compiled into a diagram that is walked one stop per reel.
//!
//! A node stands for all windows so far after which the same remaining stops pay the same; an edge carries what became
//! certain by its stop. Most walks end early: once no line and no scatter can change any more, the pay is known. The
//! first two reels share one table. Walking needs no symbols, no lines and no branches on them.
//!
//! Where the windows can be counted along the edges in good time, they are put in the order of what they pay
//! ([`order`]), and a spin needs one look instead of a walk.

mod build;
mod open_ways;
pub mod order;

use super::rules::Reels;
use super::weighted::Weighted;
use super::window::{Evaluator, Mode, Outcome};
use build::Builder;
use order::{Counted, PayOrder, Windows};

/// A walk's value of this much or more means that the spin starts something, or pays too much for the tables: value the
/// window itself.
pub const EVENT: u64 = u32::MAX as u64;

/// Most edges of a diagram, 8 bytes each. What doesn't fit is valued window by window.
const EDGES_MAX: usize = 4 << 20;

const END: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    /// Row of the next reel's table; [`END`] if nothing can change any more.
    next: u32,
    /// Return units that became certain, or [`EVENT`].
    value: u32,
}

const EVENT_EDGE: Edge = Edge { next: END, value: EVENT as u32 };

/// The compiled reels of one mode.
#[derive(Debug)]
pub struct Diagram<'a> {
    reels: &'a Reels,
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
    order: Option<PayOrder>,
}

impl<'a> Diagram<'a> {
    /// Compiles a mode of a game, on all threads of the current rayon pool. The windows are put in order if that takes
    /// at most `order_steps` steps.
    pub fn new(reels: &'a Reels, mode: Mode, order_steps: u64) -> Self {
        let evaluator = Evaluator::new(reels, mode);
        let strips = &reels.strip_sets[evaluator.strip_set()];
        let stop_counts: Vec<u64> = strips.iter().map(|strip| strip.stop_count()).collect();
        let weighted = strips.iter().any(|strip| strip.weights.iter().any(|&weight| weight != 1));
        let (first, tables) = Builder::new(reels, &evaluator).build();
        let counted = Counted {
            first: &first,
            tables: &tables,
            weights: strips.iter().map(|strip| strip.weights.as_slice()).collect(),
            stop_counts: &stop_counts,
        };
        let order = PayOrder::new(&counted, order_steps);
        Self {
            reels,
            order,
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

    /// The order of the windows, if they are in order.
    #[inline(always)]
    pub fn order(&self) -> Option<&PayOrder> {
        self.order.as_ref()
    }

    /// For windows in order: which of them a number below the cycle stands for.
    pub fn windows(&self) -> Option<Windows<'_>> {
        self.order.as_ref().map(|order| Windows::new(self.counted(), order))
    }

    fn counted(&self) -> Counted<'_> {
        let strips = &self.reels.strip_sets[self.evaluator.strip_set()];
        Counted {
            first: &self.first,
            tables: &self.tables,
            weights: strips.iter().map(|strip| strip.weights.as_slice()).collect(),
            stop_counts: &self.stop_counts,
        }
    }

    /// The stops, as positions on the strips, that a random number stands for where windows are not in order: its
    /// product with the stop count of each reel in turn, the fraction carried on.
    fn stops(&self, random: u64) -> Vec<usize> {
        let mut rest = random;
        (0..self.stop_counts.len())
            .map(|reel| {
                let (stop, next) = crate::rng::scale(rest, self.stop_counts[reel]);
                rest = next;
                self.position(reel, stop)
            })
            .collect()
    }

    /// Values the window that a random number stands for where windows are not in order, without the tables.
    pub fn outcome(&self, random: u64) -> Outcome {
        self.evaluator.outcome(&self.stops(random))
    }

    /// For windows in order: values the `rank`th of those that start something.
    pub fn special_outcome(&self, rank: u64) -> Outcome {
        let order = self.order.as_ref().expect("the windows are in order");
        self.evaluator.outcome(&order.special_stops(&self.counted(), rank))
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
            let edge = table[next as usize * self.lengths[reel] + self.position(reel, stop)];
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
        let pack = |next: u32, index: usize| u64::from(next) << 32 | index as u64;
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
                let edge = table[(walk >> 32) as usize * length + position(reel, stop)];
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
#[derive(Debug, Clone, Default)]
pub struct WalkScratch {
    from: OpenWalks,
    to: OpenWalks,
}

#[derive(Debug, Clone)]
struct OpenWalks {
    rests: Box<[u64; BLOCK]>,
    open: Box<[u64; BLOCK]>,
}

impl Default for OpenWalks {
    fn default() -> Self {
        Self { rests: Box::new([0; BLOCK]), open: Box::new([0; BLOCK]) }
    }
}
