//! Draws from a weighted list, exactly by its weights.

/// A weighted list prepared for drawing: position i belongs to the numbers from the sum of the weights before it up to,
/// not including, that sum plus its own.
///
/// Found through a guide table (Chen & Asau 1974): the numbers are cut into equal ranges, and each range knows the first
/// position in it. Most ranges hold one position or two neighbours, which one comparison tells apart without a branch.
/// Ranges that lie wholly in the first position, often most of them, share one entry, so that the table stays in the
/// first cache.
#[derive(Debug, Clone)]
pub struct Weighted {
    total: u64,
    /// Sum of the weights up to and including each position.
    ends: Vec<u64>,
    /// First position of each range after the head, with [`MANY`] set if the range holds more than two.
    guide: Vec<u32>,
    /// Ranges, but one, that the first entry stands for.
    head: u64,
    shift: u32,
}

const MANY: u32 = 1 << 31;
const GUIDE_LENGTH_MAX: u64 = 1 << 13;

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
        let shift = (64 - (total - 1).leading_zeros()).saturating_sub(GUIDE_LENGTH_MAX.ilog2());
        let position = |number: u64| ends.partition_point(|&end| end <= number) as u32;
        let range_count = ((total - 1) >> shift) + 1;
        let head = (ends[0] >> shift).clamp(1, range_count) - 1;
        let guide = (head..range_count)
            .map(|range| {
                let first = position(range << shift);
                let last = position(((range << shift) | ((1 << shift) - 1)).min(total - 1));
                if last - first < 2 { first } else { first | MANY }
            })
            .collect();
        Self { total, ends, guide, head, shift }
    }

    /// Sum of the weights.
    #[inline(always)]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Position to which a number below [`Self::total`] belongs.
    #[inline(always)]
    pub fn position(&self, number: u64) -> usize {
        let range = (number >> self.shift).saturating_sub(self.head) as usize;
        let entry = self.guide[range];
        if entry & MANY != 0 {
            return self.search(number, range);
        }
        entry as usize + usize::from(number >= self.ends[entry as usize])
    }

    /// First number of a position.
    pub fn start(&self, position: usize) -> u64 {
        position.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    #[cold]
    #[inline(never)]
    fn search(&self, number: u64, range: usize) -> usize {
        let entry = |range: usize| (self.guide[range] & !MANY) as usize;
        let first = entry(range);
        let last = if range + 1 < self.guide.len() { entry(range + 1) } else { self.ends.len() - 1 };
        first + self.ends[first..last].partition_point(|&end| end <= number)
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

    #[test]
    fn sums_up_to_the_last_u64_work() {
        let weighted = Weighted::new(&[1, u64::MAX - 2, 1]);
        assert_eq!(weighted.position(0), 0);
        assert_eq!(weighted.position(1), 1);
        assert_eq!(weighted.position(u64::MAX - 2), 1);
        assert_eq!(weighted.position(u64::MAX - 1), 2);
    }
}
