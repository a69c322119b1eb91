//! Intervals from exact counts: the first floating-point figures.

use super::Moments;

/// z of a two-sided 95 % interval.
pub const Z_95: f64 = 1.959963984540054;

/// Mean and standard deviation of a quantity over `count` spins, from exact sums.
pub fn mean_and_deviation(moments: &Moments, count: u64) -> Option<(f64, f64)> {
    if count == 0 {
        return None;
    }
    let n = count as f64;
    let mean = moments.sum as f64 / n;
    let variance = (moments.sum_squares as f64 / n - mean * mean).max(0.0);
    Some((mean, variance.sqrt()))
}
