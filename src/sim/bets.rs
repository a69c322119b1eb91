//! Draws the bet of each spin, in the mix in which players choose them.

use crate::game::Bets;
use crate::game::weighted::Weighted;
use crate::rng::{BlockStream, Purpose, rejected_16, rejected_32, scale_16, scale_32};

/// Draws the bets of a chunk from their own stream.
#[derive(Debug)]
pub struct BetTable {
    mix: Weighted,
    count: usize,
    /// Bet index of each number below the sum of the mix, where that sum is small.
    direct: Option<Vec<u16>>,
}

/// Largest sum of a mix that 16 bits a spin are drawn for, and looked up directly; else 32.
pub const NARROW_MAX: u64 = 1 << 10;

/// Spins that are worked on at once: so many that what one loop writes has left the store buffer before the next reads
/// it in other widths.
const PART: usize = 512;

impl BetTable {
    /// For a list of bets.
    pub fn new(bets: &Bets) -> Self {
        let mix = Weighted::new(&bets.mix);
        let direct =
            (mix.total() <= NARROW_MAX).then(|| (0..mix.total()).map(|number| mix.position(number) as u16).collect());
        Self { mix, count: bets.count(), direct }
    }

    /// The stream of a chunk's bets.
    pub fn stream(rng_seed: u64, chunk: u64) -> BlockStream {
        BlockStream::new(rng_seed, Purpose::Bets, chunk)
    }

    /// Bet indexes of all spins of a chunk, from its fresh stream. Each number of the stream serves four spins, or two
    /// where the sum of the mix is above [`NARROW_MAX`], its low bits first.
    pub fn draw(&self, stream: &mut BlockStream, bets: &mut [u16]) {
        if self.count == 1 {
            bets.fill(0);
            return;
        }
        match &self.direct {
            Some(direct) => self.draw_narrow(direct, stream, bets),
            None => self.draw_wide(stream, bets),
        }
    }

    fn draw_narrow(&self, direct: &[u16], stream: &mut BlockStream, bets: &mut [u16]) {
        let total = self.mix.total() as u16;
        let refused = total.wrapping_neg() % total;
        let mut numbers = [0; PART / 4];
        let (mut bits, mut values) = ([0u16; PART], [0u16; PART]);
        for bets in bets.chunks_mut(PART) {
            stream.fill(&mut numbers);
            for (four, number) in bits.chunks_exact_mut(4).zip(&numbers) {
                let bytes = number.to_le_bytes();
                (0..4).for_each(|part| four[part] = u16::from_le_bytes([bytes[2 * part], bytes[2 * part + 1]]));
            }
            // Values first and in plain loops, which compilers make vectors of.
            let mut any_refused = false;
            for (value, &bits) in values.iter_mut().zip(&bits) {
                let (drawn, rest) = scale_16(bits, total);
                any_refused |= rest < refused;
                *value = drawn;
            }
            if any_refused {
                for (value, &bits) in values.iter_mut().zip(&bits).take(bets.len()) {
                    let mut rest = scale_16(bits, total).1;
                    while rejected_16(rest, total) {
                        (*value, rest) = scale_16(stream.spare().bits() as u16, total);
                    }
                }
            }
            look_up(direct, &values, bets);
        }
    }

    fn draw_wide(&self, stream: &mut BlockStream, bets: &mut [u16]) {
        let total = self.mix.total() as u32;
        let mut numbers = [0; PART / 2];
        for bets in bets.chunks_mut(PART) {
            stream.fill(&mut numbers);
            for (bets, &number) in bets.chunks_mut(2).zip(&numbers) {
                for (bet, mut bits) in bets.iter_mut().zip([number as u32, (number >> 32) as u32]) {
                    while rejected_32(scale_32(bits, total).1, total) {
                        bits = stream.spare().bits() as u32;
                    }
                    *bet = self.mix.pick(u64::from(bits) << 32).0 as u16;
                }
            }
        }
    }
}

/// Kept apart, so that its loop has the registers for itself.
#[inline(never)]
fn look_up(direct: &[u16], values: &[u16; PART], bets: &mut [u16]) {
    let (fours, rest) = bets.as_chunks_mut::<4>();
    let (fours_of_values, rest_of_values) = values[..4 * fours.len() + rest.len()].as_chunks::<4>();
    for (bets, values) in fours.iter_mut().zip(fours_of_values) {
        *bets = values.map(|value| direct[usize::from(value)]);
    }
    rest.iter_mut().zip(rest_of_values).for_each(|(bet, &value)| *bet = direct[usize::from(value)]);
}
