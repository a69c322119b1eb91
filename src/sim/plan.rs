//! How many spins, in which chunks, and which of them a shard plays.

use crate::game::diagram::order::STEPS_MAX;
use std::ops::Range;

/// Spins in a chunk, unless a test asks for others.
pub const CHUNK_SPINS: u32 = 65_536;

/// Most spins of a run.
pub const SPINS_MAX: u64 = 10_000_000_000_000;

/// What is to be played. With the game it determines every byte of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    pub rng_seed: u64,
    /// Spins of the whole run, all shards together.
    pub spins: u64,
    /// Spins in each chunk but the last; at most 65,536.
    pub chunk_spins: u32,
    /// Most steps of work for putting a mode's windows in the order of their pay.
    pub order_steps: u64,
}

/// One contiguous part of a run's chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: u64,
    pub count: u64,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Self = Self { index: 1, count: 1 };
}

impl Plan {
    /// A plan as users run it.
    pub fn new(rng_seed: u64, spins: u64) -> Self {
        Self { rng_seed, spins, chunk_spins: CHUNK_SPINS, order_steps: STEPS_MAX }
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> u64 {
        self.spins.div_ceil(u64::from(self.chunk_spins))
    }

    /// First spin of a chunk.
    pub fn chunk_start(&self, chunk: u64) -> u64 {
        (chunk * u64::from(self.chunk_spins)).min(self.spins)
    }

    /// Spins in a chunk.
    pub fn chunk_length(&self, chunk: u64) -> u32 {
        (self.chunk_start(chunk + 1) - self.chunk_start(chunk)) as u32
    }

    /// Chunks that a shard plays.
    pub fn chunks(&self, shard: Shard) -> Range<u64> {
        let boundary =
            |index: u64| (u128::from(self.chunk_count()) * u128::from(index) / u128::from(shard.count)) as u64;
        boundary(shard.index - 1)..boundary(shard.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_every_chunk_once_and_chunks_every_spin() {
        for (spins, chunk_spins, shards) in [(1, 10, 3), (100, 10, 3), (101, 10, 7), (65_536 * 5, 65_536, 5)] {
            let plan = Plan { chunk_spins, ..Plan::new(1, spins) };
            let mut next = 0;
            for index in 1..=shards {
                let chunks = plan.chunks(Shard { index, count: shards });
                assert_eq!(chunks.start, next);
                next = chunks.end;
            }
            assert_eq!(next, plan.chunk_count());
            assert_eq!((0..next).map(|chunk| u64::from(plan.chunk_length(chunk))).sum::<u64>(), spins);
        }
    }
}
