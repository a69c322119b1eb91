//! Which spin of a chunk was made at which bet: asked only where the very spin of a hit matters.

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
