//! Which spin of a chunk was made at which bet: asked only where the very spin of a hit matters.

use super::bets::BetTable;
use super::plan::Plan;
use crate::game::Bets;

/// The bets of one chunk, spin by spin.
#[derive(Debug)]
pub struct Timeline {
    bets: Vec<u16>,
}

impl Timeline {
    /// From the bet index of each spin.
    pub fn new(bets: Vec<u16>) -> Self {
        Self { bets }
    }

    /// Bet index of a spin.
    pub fn bet(&self, offset: usize) -> usize {
        usize::from(self.bets[offset])
    }

    /// Offset of the `nth` spin (from 1) at a bet index, counted from an offset on.
    pub fn nth(&self, bet_index: usize, from: usize, nth: u64) -> Option<usize> {
        let mut left = nth;
        for (offset, &bet) in self.bets.iter().enumerate().skip(from) {
            left -= u64::from(usize::from(bet) == bet_index);
            if left == 0 {
                return Some(offset);
            }
        }
        None
    }

    /// First spin from an offset on at which the contributions since that offset, this spin's included, reach `needed`.
    /// If nothing is needed any more: the first spin at an eligible bet.
    pub fn reach(&self, contributions: &[u64], eligible: &[bool], from: usize, needed: u64) -> Option<usize> {
        let rest = &self.bets[from.min(self.bets.len())..];
        if needed == 0 {
            return rest.iter().position(|&bet| eligible[usize::from(bet)]).map(|found| from + found);
        }
        let mut grown = 0;
        for (offset, &bet) in rest.iter().enumerate() {
            grown += contributions[usize::from(bet)];
            if grown >= needed {
                return Some(from + offset);
            }
        }
        None
    }

    /// Adds the spins of a range of offsets to counts by bet index.
    pub fn count(&self, from: usize, to: usize, counts: &mut [u64]) {
        for &bet in &self.bets[from..to] {
            counts[usize::from(bet)] += 1;
        }
    }
}

/// How far an in-order walk through a chunk has come.
pub struct Cursor {
    pub offset: usize,
    /// Spins of the run before `offset`, by bet index.
    pub counts: Vec<u64>,
}

impl Cursor {
    /// Goes on to an offset.
    pub fn advance(&mut self, timeline: &Timeline, to: usize) {
        timeline.count(self.offset, to, &mut self.counts);
        self.offset = to;
    }
}

/// The bets of a chunk, drawn again only if they are asked for.
pub struct LazyTimeline<'a> {
    /// The bets as they were played; empty if they must be drawn again.
    pub bets: Vec<u16>,
    pub made: Option<Timeline>,
    pub table: &'a Bets,
    pub plan: Plan,
    pub chunk: u64,
}

impl LazyTimeline<'_> {
    /// The bets, drawn if need be.
    pub fn get(&mut self) -> &Timeline {
        let Self { bets, made, table, plan, chunk } = self;
        made.get_or_insert_with(|| {
            let mut bets = std::mem::take(bets);
            if bets.is_empty() {
                bets.resize(plan.chunk_length(*chunk) as usize, 0);
                let mut stream = BetTable::stream(plan.rng_seed, *chunk);
                BetTable::new(table).draw(&mut stream, &mut bets);
            }
            Timeline::new(bets)
        })
    }
}
