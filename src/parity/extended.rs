//! HINCRBYFLOAT as an x86-64 Redis computes it: both texts become 80-bit numbers with 64 bits of mantissa, their sum is
//! rounded to 64 bits, and the result is written with 17 decimals. Every step rounds half to even.
//!
//! Source: Redis' `hincrbyfloatCommand` and `ld2string` (LD_STR_HUMAN, `%.17Lf`); C's `long double` on x86-64.

/// 10^17: atoms of one.
const PER_ONE: u128 = 100_000_000_000_000_000;

/// mantissa x 2^exponent; the mantissa's top bit is set unless the number is 0.
#[derive(Clone, Copy)]
struct Extended {
    mantissa: u64,
    exponent: i32,
}

/// What the field holds after an increment, both in atoms of 10^-17 and not negative. `None` beyond 2^124 atoms.
pub fn sum(held: i128, increment: i128) -> Option<i128> {
    let (held, increment) = (read(u128::try_from(held).ok()?)?, read(u128::try_from(increment).ok()?)?);
    written(add(held, increment)?)
}

/// Atoms to the nearest number.
fn read(atoms: u128) -> Option<Extended> {
    if atoms == 0 {
        return Some(Extended { mantissa: 0, exponent: 0 });
    }
    let shift = 124u32.checked_sub(128 - atoms.leading_zeros())?;
    let numerator = atoms << shift;
    let (quotient, rest) = (numerator / PER_ONE, numerator % PER_ONE);
    Some(rounded(quotient, rest > 0, -(shift as i32)))
}

/// `number` x 2^exponent, and a little more if `sticky`, to 64 bits.
fn rounded(number: u128, sticky: bool, exponent: i32) -> Extended {
    let excess = 64 - number.leading_zeros() as i32;
    if excess <= 0 {
        return Extended { mantissa: (number << -excess) as u64, exponent: exponent + excess };
    }
    let (kept, cut) = (number >> excess, number & ((1 << excess) - 1));
    let half = 1u128 << (excess - 1);
    let up = cut > half || (cut == half && (sticky || kept % 2 == 1));
    let kept = kept + u128::from(up);
    if kept >> 64 == 0 {
        Extended { mantissa: kept as u64, exponent: exponent + excess }
    } else {
        Extended { mantissa: (kept >> 1) as u64, exponent: exponent + excess + 1 }
    }
}

fn add(one: Extended, other: Extended) -> Option<Extended> {
    if one.mantissa == 0 || other.mantissa == 0 {
        return Some(if one.mantissa == 0 { other } else { one });
    }
    let (large, small) = if one.exponent >= other.exponent { (one, other) } else { (other, one) };
    let apart = large.exponent - small.exponent;
    if apart > 65 {
        return Some(large);
    }
    // The small one may be 65 bits below: two bits under the large one's last say all that rounding asks for.
    let (shift, drop) = if apart <= 62 { (apart, 0) } else { (62, apart - 62) };
    let (kept, cut) = (small.mantissa >> drop, small.mantissa & ((1u64 << drop) - 1));
    let sum = (u128::from(large.mantissa) << shift) + u128::from(kept);
    Some(rounded(sum, cut > 0, large.exponent - shift))
}

/// Atoms of a number, rounded.
fn written(number: Extended) -> Option<i128> {
    let product = u128::from(number.mantissa) * PER_ONE;
    let atoms = match number.exponent {
        exponent @ 0.. => product.checked_shl(exponent as u32).filter(|shifted| shifted >> exponent == product)?,
        exponent if exponent <= -128 => 0,
        exponent => {
            let (whole, cut) = (product >> -exponent, product & ((1u128 << -exponent) - 1));
            let half = 1u128 << (-exponent - 1);
            whole + u128::from(cut > half || (cut == half && whole % 2 == 1))
        }
    };
    i128::try_from(atoms).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: i128 = PER_ONE as i128;

    /// Figures of redis 7.0.15 on x86-64.
    #[test]
    fn it_drifts_where_redis_does() {
        let first_wrong = |increment: i128| {
            let mut held = 0;
            (1..=10_000).find(|step| {
                held = sum(held, increment).unwrap();
                held != increment * step
            })
        };
        assert_eq!(first_wrong(ONE / 100), Some(6_417));
        assert_eq!(first_wrong(ONE / 10), Some(1_281));
        assert_eq!(first_wrong(ONE * 11 / 10), Some(119));
        assert_eq!(first_wrong(ONE / 4), None);
    }

    #[test]
    fn a_million_cents_end_where_redis_ends() {
        let after = |increment| (0..1_000_000).fold(0, |held, _| sum(held, increment).unwrap());
        assert_eq!(after(ONE / 100), 999_999_999_999_987_749_888);
        assert_eq!(after(ONE / 10), 10_000_000_000_000_087_324_992);
    }

    #[test]
    fn reported_cases_are_held() {
        // redis#10618, redis#3695.
        assert_eq!(sum(5_200 * ONE, ONE * 1_043 / 100), Some(521_043_000_000_000_000_016));
        assert_eq!(sum(128 * ONE, ONE / 10), Some(12_810_000_000_000_000_001));
    }
}
