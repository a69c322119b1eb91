//! How a counted quantity spreads: standard deviations from exact sums, percentiles from histograms.

use crate::metrics::interval::quantile_ranks;
use crate::tally::Histogram;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Mean, deviation and percentiles. What the counts can't give is `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    pub mean: Option<f64>,
    pub deviation: Option<f64>,
    pub minimum: Option<u64>,
    pub median: Option<u64>,
    pub percentile_95: Option<u64>,
    pub percentile_99: Option<u64>,
    pub maximum: Option<u64>,
    /// 95 % intervals of median, 95 % and 99 %, by ranks of independent values.
    pub ranges: [Option<(u64, u64)>; 3],
}

/// What the divisor of a variance takes off the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Divisor {
    /// The count itself: the deviation of the values that were seen.
    Count,
    /// One less: an estimate from a sample.
    CountLessOne,
}

/// Standard deviation from exact sums: sqrt((nΣx² - (Σx)²) / (n · divisor)). Needs two values.
pub fn deviation(sum: u128, sum_squares: u128, count: u64, divisor: Divisor) -> Option<f64> {
    if count < 2 {
        return None;
    }
    let sum = BigUint::from(sum);
    let scaled = BigUint::from(sum_squares) * count;
    let square = &sum * &sum;
    let excess = (scaled >= square).then(|| scaled - square)?.to_f64()?;
    let divisor = match divisor {
        Divisor::Count => count,
        Divisor::CountLessOne => count - 1,
    };
    Some((excess / count as f64 / divisor as f64).sqrt())
}

/// Median, 95 % and 99 %: the lowest value of the bucket below or in which that share of the values lies.
pub fn percentiles(histogram: &Histogram) -> Option<[u64; 3]> {
    let highest = histogram.counts().last()?.0;
    let digits = digits(histogram.exact_bits());
    let mut counts = hdrhistogram::Histogram::<u64>::new_with_bounds(1, highest.max(2), digits).ok()?;
    for &(value, times) in histogram.counts() {
        counts.record_n(value, times).ok()?;
    }
    let at = |share: f64| counts.lowest_equivalent(counts.value_at_quantile(share));
    Some([at(0.5), at(0.95), at(0.99)])
}

/// 95 % intervals of median, 95 % and 99 %; `None` where too few values bound one.
pub fn ranges(histogram: &Histogram) -> [Option<(u64, u64)>; 3] {
    let total = histogram.total();
    let at = |rank: u64| {
        let mut below = 0;
        let bucket = histogram.counts().iter().find(|&&(_, count)| {
            below += count;
            below >= rank
        });
        bucket.map_or(0, |&(value, _)| value)
    };
    [0.5, 0.95, 0.99].map(|share| quantile_ranks(share, total).map(|(low, high)| (at(low), at(high))))
}

/// Decimal digits that so many significant bits are good for.
pub fn digits(exact_bits: u32) -> u8 {
    match exact_bits {
        0..8 => 1,
        8..11 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_exact_even_of_huge_amounts() {
        // 1 and 3: variance 1 of the two, 2 of a sample.
        assert_eq!(deviation(4, 10, 2, Divisor::Count), Some(1.0));
        assert_eq!(deviation(4, 10, 2, Divisor::CountLessOne), Some(2f64.sqrt()));
        assert_eq!(deviation(4, 16, 1, Divisor::Count), None);
        let amount = 10u128.pow(18);
        assert_eq!(deviation(3 * amount, 3 * amount * amount, 3, Divisor::CountLessOne), Some(0.0));
    }

    #[test]
    fn percentiles_are_those_of_the_ranked_values() {
        let mut histogram = Histogram::new(11);
        (1..=200).for_each(|value| histogram.record(value, 1));
        assert_eq!(percentiles(&histogram), Some([100, 190, 198]));
        assert_eq!(percentiles(&Histogram::new(11)), None);
        assert_eq!(ranges(&histogram), [Some((86, 115)), Some((183, 198)), None]);
        assert_eq!(ranges(&Histogram::new(11)), [None; 3]);
    }

    #[test]
    fn large_values_keep_their_bucket_at_both_precisions() {
        for bits in [8, 11] {
            for value in [1_000_003, (1 << 62) + 12_345, u64::MAX >> 1] {
                let mut histogram = Histogram::new(bits);
                histogram.record(value, 3);
                assert_eq!(percentiles(&histogram).unwrap()[1], histogram.bucket(value), "{bits} {value}");
            }
        }
    }
}
