//! Random numbers: one stream for each (rng seed, purpose, index), and unbiased draws from it.
//!
//! A stream's key is written word by word into a ChaCha8 seed, whose output fills the whole state of the PCG generators
//! that are then drawn from; so two keys that differ anywhere give unrelated states. Nothing here depends on threads,
//! platform or time.

use rand::{Rng as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_pcg::Pcg64Mcg;

/// Name of the generator, as it stands in results.
pub const GENERATOR: &str = "pcg64-mcg keyed by chacha8, v1";

/// What a stream is used for; its number is part of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The bet of each spin; index = chunk.
    Bets = 1,
    /// The stops, or the row of the outcome table, of each paid spin; index = chunk.
    Reels = 2,
    /// Free spins and bonus prizes, in the order in which they are played; index = chunk.
    Features = 3,
    /// Gaps between odds hits, and whether a candidate is accepted; index = chunk, sub-index = level.
    Triggers = 4,
    /// The hidden threshold of a must-hit-by; index = pool, sub-index = ordinal of the hit it leads to.
    Thresholds = 5,
}

fn keyed(rng_seed: u64, purpose: Purpose, index: u64, sub_index: u64) -> ChaCha8Rng {
    let mut key = [0u8; 32];
    for (slot, word) in key.chunks_exact_mut(8).zip([rng_seed, purpose as u64, index, sub_index]) {
        slot.copy_from_slice(&word.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

fn generator(source: &mut ChaCha8Rng) -> Pcg64Mcg {
    let (low, high) = (source.next_u64(), source.next_u64());
    Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low))
}

/// Numbers drawn one at a time.
#[derive(Debug, Clone)]
pub struct Stream(Pcg64Mcg);

impl Stream {
    /// The stream of a key.
    pub fn new(rng_seed: u64, purpose: Purpose, index: u64, sub_index: u64) -> Self {
        Self(generator(&mut keyed(rng_seed, purpose, index, sub_index)))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number uniform on 0..n, n > 0: multiply and reject (Lemire 2019, "Fast random integer generation in an
    /// interval"), so without bias.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        loop {
            let (value, rest) = scale(self.bits(), n);
            if !rejected(rest, n) {
                return value;
            }
        }
    }
}

/// Numbers drawn in blocks from four interleaved generators: number i of the stream is the next of generator i mod 4.
/// A fifth generator of the same key replaces numbers that an unbiased draw rejects.
#[derive(Debug, Clone)]
pub struct BlockStream {
    lanes: [Pcg64Mcg; 4],
    spare: Stream,
}

impl BlockStream {
    /// The stream of a key.
    pub fn new(rng_seed: u64, purpose: Purpose, index: u64) -> Self {
        let mut source = keyed(rng_seed, purpose, index, 0);
        let lanes = std::array::from_fn(|_| generator(&mut source));
        Self { lanes, spare: Stream(generator(&mut source)) }
    }

    /// Fills a block; its length is a multiple of 4.
    #[inline]
    pub fn fill(&mut self, block: &mut [u64]) {
        debug_assert!(block.len().is_multiple_of(4));
        let [mut a, mut b, mut c, mut d] = self.lanes.clone();
        for four in block.chunks_exact_mut(4) {
            four[0] = a.next_u64();
            four[1] = b.next_u64();
            four[2] = c.next_u64();
            four[3] = d.next_u64();
        }
        self.lanes = [a, b, c, d];
    }

    /// The generator that replaces rejected numbers.
    #[inline]
    pub fn spare(&mut self) -> &mut Stream {
        &mut self.spare
    }
}

/// High and low word of `random` x n: the value drawn from 0..n, and the fraction left over, uniform on 2^64 itself for
/// practical purposes, from which a further factor can be drawn (mixed radix).
#[inline(always)]
pub fn scale(random: u64, n: u64) -> (u64, u64) {
    let product = u128::from(random) * u128::from(n);
    ((product >> 64) as u64, product as u64)
}

/// Whether the fraction left by drawing from 0..n falls into the part that would bias the draw.
#[inline(always)]
pub fn rejected(rest: u64, n: u64) -> bool {
    rest < n && rest < n.wrapping_neg() % n
}

/// The same as [`scale`] for 32 bits.
#[inline(always)]
pub fn scale_32(random: u32, n: u32) -> (u32, u32) {
    let product = u64::from(random) * u64::from(n);
    ((product >> 32) as u32, product as u32)
}

/// The same as [`rejected`] for 32 bits.
#[inline(always)]
pub fn rejected_32(rest: u32, n: u32) -> bool {
    rest < n && rest < n.wrapping_neg() % n
}

/// The same as [`scale`] for 16 bits.
#[inline(always)]
pub fn scale_16(random: u16, n: u16) -> (u16, u16) {
    let product = u32::from(random) * u32::from(n);
    ((product >> 16) as u16, product as u16)
}

/// The same as [`rejected`] for 16 bits.
#[inline(always)]
pub fn rejected_16(rest: u16, n: u16) -> bool {
    rest < n && rest < n.wrapping_neg() % n
}

/// Number of misses before the first success of independent trials.
///
/// The gap is the largest k with (1-p)^k > U, found by binary descent on the powers (1-p)^(2^j), which are kept as
/// 128-bit fractions; U is a 64-bit uniform number (plus half a step), so every probability is met to 2^-64.
#[derive(Debug, Clone)]
pub struct Gaps {
    /// (1-p)^(2^j) as a fraction of 2^128, rounded down.
    powers: Vec<u128>,
}

impl Gaps {
    /// For trials that succeed with probability `hits / of`, 0 < hits <= of, and gaps below 2^`bits`.
    pub fn new(hits: u64, of: u64, bits: u32) -> Self {
        let miss = u128::from(of - hits);
        let of = u128::from(of);
        let high = (miss << 64) / of;
        let low = (((miss << 64) % of) << 64) / of;
        // p = 0 cannot occur; p = 1 gives 0. 1 - p itself is below 1, so `high` fits 64 bits.
        let mut power = high << 64 | low;
        let mut powers = Vec::with_capacity(bits as usize);
        for _ in 0..bits {
            powers.push(power);
            power = multiply_high(power, power);
        }
        Self { powers }
    }

    /// The next gap, or `None` if it is 2^bits - 1 or more.
    pub fn draw(&self, stream: &mut Stream) -> Option<u64> {
        let uniform = u128::from(stream.bits()) << 64 | 1 << 63;
        let mut survival = u128::MAX;
        let mut gap = 0u64;
        for (bit, &power) in self.powers.iter().enumerate().rev() {
            let next = multiply_high(survival, power);
            if next > uniform {
                survival = next;
                gap |= 1 << bit;
            }
        }
        (gap != (1 << self.powers.len()) - 1).then_some(gap)
    }
}

/// High 128 bits of a 256-bit product.
fn multiply_high(a: u128, b: u128) -> u128 {
    let (a_high, a_low) = (a >> 64, a & u128::from(u64::MAX));
    let (b_high, b_low) = (b >> 64, b & u128::from(u64::MAX));
    let middle_1 = a_high * b_low + ((a_low * b_low) >> 64);
    let middle_2 = a_low * b_high + (middle_1 & u128::from(u64::MAX));
    a_high * b_high + (middle_1 >> 64) + (middle_2 >> 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: a gap has the law it claims. Method: the gap is compared with trial-by-trial survival for the same
    /// numbers, and its mean with (1-p)/p.
    #[test]
    fn gaps_agree_with_trial_by_trial_survival() {
        for (hits, of) in [(1, 2), (1, 7), (3, 10), (1, 200)] {
            let gaps = Gaps::new(hits, of, 17);
            let mut stream = Stream::new(7, Purpose::Triggers, 0, 0);
            let mut copy = stream.clone();
            let miss = Gaps::new(hits, of, 1).powers[0];
            let mut sum = 0;
            for _ in 0..2000 {
                let gap = gaps.draw(&mut stream).expect("short gaps");
                let uniform = u128::from(copy.bits()) << 64 | 1 << 63;
                let mut survival = multiply_high(u128::MAX, miss);
                let mut expected = 0;
                while survival > uniform {
                    survival = multiply_high(survival, miss);
                    expected += 1;
                }
                assert_eq!(gap, expected);
                sum += gap;
            }
            let p = hits as f64 / of as f64;
            let (mean, sd) = ((1.0 - p) / p, (1.0 - p).sqrt() / p);
            let z = (sum as f64 / 2000.0 - mean) / (sd / 2000f64.sqrt());
            assert!(z.abs() < 4.0, "1 in {}: z {z}", of / hits);
        }
    }

    #[test]
    fn a_certain_hit_has_no_gap_and_a_rare_one_none_in_sight() {
        let mut stream = Stream::new(1, Purpose::Triggers, 0, 0);
        assert!((0..100).all(|_| Gaps::new(5, 5, 17).draw(&mut stream) == Some(0)));
        assert!((0..100).all(|_| Gaps::new(1, 1 << 62, 17).draw(&mut stream).is_none()));
    }

    #[test]
    fn streams_of_different_keys_differ() {
        let first = |seed, purpose, index, sub| Stream::new(seed, purpose, index, sub).bits();
        let base = first(1, Purpose::Bets, 0, 0);
        assert_ne!(base, first(0, Purpose::Bets, 0, 0));
        assert_ne!(base, first(1, Purpose::Reels, 0, 0));
        assert_ne!(base, first(1, Purpose::Bets, 1, 0));
        assert_ne!(base, first(1, Purpose::Bets, 0, 1));
    }

    /// Goal: no bias. Method: 2^32 / 3 has a remainder; every rejected value is one of the first `2^32 mod n` products.
    #[test]
    fn rejection_leaves_equally_many_numbers_for_each_value() {
        let n = 200u32;
        let accepted = |value: u32| {
            let first = (u64::from(value) << 32).div_ceil(u64::from(n));
            let last = ((u64::from(value) + 1) << 32).div_ceil(u64::from(n));
            let refused =
                (first..last).take(3).filter(|&random| rejected_32(scale_32(random as u32, n).1, n)).count() as u64;
            last - first - refused
        };
        assert!((0..n).all(|value| accepted(value) == (1 << 32) / u64::from(n)));
    }
}
