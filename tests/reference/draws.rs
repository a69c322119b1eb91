//! What a spin draws: its bet, its stops or its outcome, and where odds hit. Each draw as the definition of a run words
//! it, one spin at a time.

use jackpot::game::{Bets, Strip};
use jackpot::rng::{BlockStream, Purpose, Stream, rejected, rejected_16, rejected_32, scale, scale_16, scale_32};
use num_bigint::BigUint;

/// The numbers of a block stream, one after the other.
pub struct Numbers {
    stream: BlockStream,
    block: [u64; 4],
    used: usize,
}

impl Numbers {
    /// The numbers of a purpose in a chunk.
    pub fn new(rng_seed: u64, purpose: Purpose, chunk: u64) -> Self {
        Self { stream: BlockStream::new(rng_seed, purpose, chunk), block: [0; 4], used: 4 }
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        if self.used == 4 {
            self.stream.fill(&mut self.block);
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// What replaces rejected numbers.
    pub fn spare(&mut self) -> &mut Stream {
        self.stream.spare()
    }
}

/// First position whose cumulative weight passes `value`.
pub fn position_of(weights: impl IntoIterator<Item = u64>, value: u64) -> usize {
    let mut cumulative = 0;
    for (position, weight) in weights.into_iter().enumerate() {
        cumulative += weight;
        if cumulative > value {
            return position;
        }
    }
    panic!("{value} is drawn below the sum of the weights");
}

/// The bet index of each spin of a chunk.
pub fn bets(bets: &Bets, rng_seed: u64, chunk: u64, length: u64) -> Vec<usize> {
    if bets.amounts.len() == 1 {
        return vec![0; length as usize];
    }
    let total: u64 = bets.mix.iter().sum();
    let bits_each = if total <= 1024 { 16 } else { 32 };
    let mut numbers = Numbers::new(rng_seed, Purpose::Bets, chunk);
    let mut number = 0;
    let mut drawn = Vec::new();
    for spin in 0..length {
        let part = spin % (64 / bits_each);
        if part == 0 {
            number = numbers.next();
        }
        let mut bits = number >> (part * bits_each);
        let value = loop {
            let (value, refused) = if bits_each == 16 {
                let (value, rest) = scale_16(bits as u16, total as u16);
                (u64::from(value), rejected_16(rest, total as u16))
            } else {
                let (value, rest) = scale_32(bits as u32, total as u32);
                (u64::from(value), rejected_32(rest, total as u32))
            };
            if !refused {
                break value;
            }
            bits = numbers.spare().bits();
        };
        drawn.push(position_of(bets.mix.iter().copied(), value));
    }
    drawn
}

/// The stop of each reel from one number; a rejected one is replaced from `spare`.
pub fn stops_in_turn(strips: &[Strip], mut number: u64, spare: &mut Stream) -> Vec<usize> {
    let combinations: u64 = strips.iter().map(|strip| strip.weights.iter().sum::<u64>()).product();
    loop {
        let mut rest = number;
        let mut stops = Vec::new();
        for strip in strips {
            let (value, left) = scale(rest, strip.weights.iter().sum());
            stops.push(position_of(strip.weights.iter().copied(), value));
            rest = left;
        }
        if !rejected(rest, combinations) {
            return stops;
        }
        number = spare.bits();
    }
}

/// Whether each spin of a chunk hits a level of odds `hits[bet] / of`.
pub fn odds_hits(stream: &mut Stream, hits: &[u64], of: u64, bets: &[usize]) -> Vec<bool> {
    let mut hit = vec![false; bets.len()];
    let hits_max = hits.iter().copied().max().unwrap_or(0);
    if hits_max == 0 {
        return hit;
    }
    let miss = (BigUint::from(of - hits_max) << 128u32) / of;
    let mut candidate = 0;
    loop {
        let uniform = (BigUint::from(stream.bits()) << 64u32) + (BigUint::from(1u32) << 63u32);
        let mut survival = (BigUint::from(1u32) << 128u32) - 1u32;
        while candidate < bets.len() {
            survival = (survival * &miss) >> 128u32;
            if survival <= uniform {
                break;
            }
            candidate += 1;
        }
        if candidate >= bets.len() {
            return hit;
        }
        let chance = hits[bets[candidate]];
        hit[candidate] = chance == hits_max || stream.below(hits_max) < chance;
        candidate += 1;
    }
}
