//! Draws from a weighted list, exactly by its weights.

use crate::rng::scale;

/// A weighted list prepared for drawing: position i belongs to the numbers from the sum of the weights before it up to,
/// not including, that sum plus its own.
///
/// A random number below 2^64 is scaled to a number below the sum of all weights. Its position is found through a guide
/// table (Chen & Asau 1974): random numbers are cut into equal ranges, and each range knows the first position in it.
/// Most ranges hold one position or two neighbours, which one comparison tells apart without a branch.
#[derive(Debug, Clone)]
pub struct Weighted {
    total: u64,
    /// Sum of the weights up to and including each position.
    ends: Vec<u64>,
    /// First position of each range of random numbers, or [`MANY`] if it holds more than two, or one that is too large.
    guide: Box<[u16; GUIDE_LENGTH]>,
}

const MANY: u16 = u16::MAX;
const GUIDE_BITS: u32 = 13;
const GUIDE_LENGTH: usize = 1 << GUIDE_BITS;

impl Weighted {
    /// From weights whose sum is positive and fits u64.
    pub fn new(weights: &[u64]) -> Self {
        let ends: Vec<u64> = weights
            .iter()
            .scan(0u64, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        let total = *ends.last().expect("a weighted list has entries");
        assert!(total > 0, "a weighted list has a positive sum");
        let position = |random: u64| {
            let number = scale(random, total).0;
            ends.partition_point(|&end| end <= number)
        };
        let mut guide = Box::new([MANY; GUIDE_LENGTH]);
        for (range, entry) in guide.iter_mut().enumerate() {
            let least = (range as u64) << (64 - GUIDE_BITS);
            let (first, last) = (position(least), position(least | (u64::MAX >> GUIDE_BITS)));
            if last - first < 2 && first < usize::from(MANY) {
                *entry = first as u16;
            }
        }
        Self { total, ends, guide }
    }

    /// Sum of the weights.
    #[inline(always)]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Position to which a number below [`Self::total`] belongs.
    pub fn position(&self, number: u64) -> usize {
        self.ends.partition_point(|&end| end <= number)
    }

    /// Position to which the number that a random one scales to belongs, and the fraction left by scaling, by which a
    /// biased draw is told.
    #[inline(always)]
    pub fn pick(&self, random: u64) -> (usize, u64) {
        let (number, rest) = scale(random, self.total);
        let entry = self.guide[(random >> (64 - GUIDE_BITS)) as usize];
        if entry == MANY {
            return (self.search(number), rest);
        }
        let first = usize::from(entry);
        (first + usize::from(number >= self.ends[first]), rest)
    }

    #[cold]
    #[inline(never)]
    fn search(&self, number: u64) -> usize {
        self.position(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_position_is_found_for_exactly_its_weight(weights in prop::collection::vec(0u64..2000, 1..60)) {
            prop_assume!(weights.iter().sum::<u64>() > 0);
            let weighted = Weighted::new(&weights);
            let mut found = vec![0u64; weights.len()];
            for number in 0..weighted.total() {
                found[weighted.position(number)] += 1;
            }
            prop_assert_eq!(found, weights);
        }
    }

    /// Goal: the guide changes nothing. Method: random numbers at the edges of ranges and positions, and between.
    #[test]
    fn picking_agrees_with_searching() {
        let lists: [Vec<u64>; 5] = [
            vec![1],
            vec![0, 5, 0, 1, 0],
            (1..=500).map(|row| 1 + 100_000 / row).collect(),
            (0..70_000).map(|row| 1 + row % 3).collect(),
            vec![u64::MAX / 2, 1, 1, 1, u64::MAX / 2 - 5],
        ];
        for weights in lists {
            let weighted = Weighted::new(&weights);
            let edges = (0..1u64 << 15).map(|step| step << 49);
            let stream = (0..1u64 << 15).map(|step| step.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            for random in edges.flat_map(|edge| [edge, edge.wrapping_sub(1)]).chain(stream) {
                let (number, rest) = scale(random, weighted.total());
                assert_eq!(weighted.pick(random), (weighted.position(number), rest));
            }
        }
    }

    #[test]
    fn sums_up_to_the_last_u64_work() {
        let weighted = Weighted::new(&[1, u64::MAX - 2, 1]);
        assert_eq!(weighted.position(0), 0);
        assert_eq!(weighted.position(1), 1);
        assert_eq!(weighted.position(u64::MAX - 2), 1);
        assert_eq!(weighted.position(u64::MAX - 1), 2);
    }
}
