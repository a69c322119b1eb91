//! Elementary functions in plain Rust arithmetic. Those of `std` come from the platform's mathematical library and may
//! differ in the last bit from machine to machine; these give the same bits everywhere. Relative error below 1e-14
//! where nothing else is said.

const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// e^x: 0 below -708, infinite above 709.
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < -708.0 {
        return 0.0;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    let power = (x * std::f64::consts::LOG2_E).round();
    let rest = (x - power * LN_2_HIGH) - power * LN_2_LOW;
    let series = (1..=18).rev().fold(1.0, |sum, k| 1.0 + sum * rest / f64::from(k));
    series * f64::from_bits(((1023 + power as i64) as u64) << 52)
}

/// -ln(1 - p) for 0 <= p <= 1; infinite at 1. By the series of 2 artanh(p / (2 - p)), after square roots of 1 - p
/// where it is small.
pub fn minus_ln_one_minus(p: f64) -> f64 {
    if p >= 1.0 {
        return f64::INFINITY;
    }
    if p > 0.5 {
        let root = (1.0 - p).sqrt();
        return 2.0 * minus_ln_one_minus(1.0 - root);
    }
    let ratio = p / (2.0 - p);
    let square = ratio * ratio;
    2.0 * ratio * (0..=20).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1))
}

/// Density of the standard normal law.
pub fn normal_density(z: f64) -> f64 {
    exp(-0.5 * z * z) * 0.398_942_280_401_432_7
}

/// Probability that a standard normal variable is at most z. Absolute error below 1e-13; by its power series, beyond
/// 4 by the continued fraction of the tail (Abramowitz and Stegun, *Handbook of Mathematical Functions*, 26.2.11 and
/// 26.2.14).
pub fn normal_below(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_below(-z);
    }
    if z > 4.0 {
        let fraction = (1..=60).rev().fold(z, |below, k| z + f64::from(k) / below);
        return 1.0 - normal_density(z) / fraction;
    }
    let (mut term, mut sum) = (z, z);
    for k in 1..=80 {
        term *= z * z / f64::from(2 * k + 1);
        sum += term;
    }
    0.5 + normal_density(z) * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_platform() {
        for k in -300..=300 {
            let x = f64::from(k) * 0.37;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-14, "exp({x})");
        }
        for p in [0.0_f64, 1e-12, 1e-4, 0.05, 0.3, 0.5, 0.75, 0.99, 0.999_999] {
            let expected = -(-p).ln_1p();
            assert!((minus_ln_one_minus(p) - expected).abs() <= 1e-14 * expected, "p {p}");
        }
        assert_eq!(minus_ln_one_minus(1.0), f64::INFINITY);
    }

    #[test]
    fn the_normal_law_has_its_known_values() {
        for (z, expected) in
            [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (1.959_963_984_540_054, 0.975), (5.0, 0.999_999_713_348_428)]
        {
            assert!((normal_below(z) - expected).abs() < 1e-13, "z {z}");
            assert!((normal_below(-z) - (1.0 - expected)).abs() < 1e-13, "z -{z}");
        }
    }
}
