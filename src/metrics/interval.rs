//! 95 % intervals of counts, shares, and figures over several runs.

/// z of a two-sided 95 % interval.
const Z_95: f64 = 1.959963984540054;

/// Of a share, `count` of `total` independent trials (Wilson 1927). `None` without a trial.
pub fn share(count: f64, total: f64) -> Option<(f64, f64)> {
    if total <= 0.0 {
        return None;
    }
    let (p, z2) = (count / total, Z_95 * Z_95);
    let middle = (p + z2 / (2.0 * total)) / (1.0 + z2 / total);
    let reach = Z_95 * (p * (1.0 - p) / total + z2 / (4.0 * total * total)).sqrt() / (1.0 + z2 / total);
    let low = if count <= 0.0 { 0.0 } else { (middle - reach).max(0.0) };
    let high = if count >= total { 1.0 } else { (middle + reach).min(1.0) };
    Some((low, high))
}

/// Of a mean of `count` values with a sample deviation, by Student's law (the first terms of Cornish and Fisher).
/// `None` with fewer than two.
pub fn mean(mean: f64, deviation: f64, count: f64) -> Option<(f64, f64)> {
    if count < 2.0 {
        return None;
    }
    let (z, degrees) = (Z_95, count - 1.0);
    let t = match degrees as u64 {
        1 => 12.706,
        2 => 4.303,
        3 => 3.182,
        _ => {
            z + (z.powi(3) + z) / (4.0 * degrees)
                + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * degrees * degrees)
        }
    };
    let reach = t * deviation / count.sqrt();
    Some((mean - reach, mean + reach))
}

/// Ranks, from 1, between which the `share` quantile of `count` values lies with 95 %. `None` where there are too few
/// values to bound it on either side.
pub fn quantile_ranks(share: f64, count: u64) -> Option<(u64, u64)> {
    let n = count as f64;
    let reach = Z_95 * (n * share * (1.0 - share)).sqrt();
    let (low, high) = ((n * share - reach).floor(), (n * share + reach).ceil() + 1.0);
    (low >= 1.0 && high <= n).then_some((low as u64, high as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_the_known_ones() {
        let (low, high) = share(10.0, 100.0).unwrap();
        assert!((low - 0.055_229).abs() < 1e-5 && (high - 0.174_368).abs() < 1e-5, "{low} {high}");
        assert_eq!(share(0.0, 50.0).unwrap().0, 0.0);
        // t of 9 degrees: 2.262.
        let (low, high) = mean(5.0, 1.0, 10.0).unwrap();
        assert!((high - low - 2.0 * 2.262 / 10f64.sqrt()).abs() < 5e-3, "{low} {high}");
        assert_eq!((share(0.0, 0.0), mean(1.0, 0.0, 1.0)), (None, None));
    }

    #[test]
    fn a_quantile_needs_values_on_both_sides() {
        assert_eq!(quantile_ranks(0.5, 100), Some((40, 61)));
        assert_eq!((quantile_ranks(0.99, 100), quantile_ranks(0.5, 0)), (None, None));
    }
}
