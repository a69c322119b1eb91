//! Numbers as people write them, to exact fractions: `0.15`, `27/11000`, `0.40%`, `50 x bet`.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, ToPrimitive, Zero};

/// An exact number.
pub(super) type Exact = BigRational;

/// What an amount is a multiple of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// The currency's major unit.
    Money,
    Bet,
    LineBet,
}

/// An amount of money, or a multiple of the bet.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub value: Exact,
    pub measure: Measure,
}

const EXPONENT_MAX: u32 = 30;
const LENGTH_MAX: usize = 60;

/// A decimal (`0.15`, `1e6`, `1_000`) or a fraction (`27/11000`). Exact.
pub(super) fn number(text: &str) -> Option<Exact> {
    let text = text.trim();
    if text.len() > LENGTH_MAX {
        return None;
    }
    match text.split_once('/') {
        None => decimal(text),
        Some((above, below)) => {
            let (above, below) = (decimal(above.trim())?, decimal(below.trim())?);
            if below.is_zero() { None } else { Some(above / below) }
        }
    }
}

/// A number, or one with `%` behind it.
pub(super) fn rate(text: &str) -> Option<Exact> {
    match text.trim().strip_suffix('%') {
        Some(percent) => Some(number(percent)? / whole(100)),
        None => number(text),
    }
}

/// A number, or one with `x bet`, `x total bet` or `x line bet` behind it.
pub(super) fn amount(text: &str) -> Option<Amount> {
    let text = text.trim();
    let Some((value, measure)) = text.split_once('x') else {
        return Some(Amount { value: number(text)?, measure: Measure::Money });
    };
    let measure = match measure.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["bet"] | ["total", "bet"] => Measure::Bet,
        ["line", "bet"] => Measure::LineBet,
        _ => return None,
    };
    Some(Amount { value: number(value)?, measure })
}

/// A whole number as an exact one.
pub(super) fn whole(value: u64) -> Exact {
    Exact::from_integer(BigInt::from(value))
}

/// Short decimal text for messages, at most six decimals, rounded.
pub(super) fn shown(value: &Exact) -> String {
    if value.is_integer() {
        return value.to_integer().to_string();
    }
    let million = (value * whole(1_000_000)).round().to_integer();
    let negative = million < BigInt::zero();
    let digits = format!("{:0>7}", million.magnitude().to_string());
    let (whole, decimals) = digits.split_at(digits.len() - 6);
    let text = format!("{}{whole}.{decimals}", if negative { "-" } else { "" });
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn decimal(text: &str) -> Option<Exact> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-BigInt::one(), rest),
        None => (BigInt::one(), text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    if exponent.unsigned_abs() > EXPONENT_MAX {
        return None;
    }
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    if digits.contains('.') && decimals.is_empty() {
        return None;
    }
    let whole = plain_digits(whole, decimals.is_empty())?;
    let decimals = plain_digits(decimals, true)?;
    let all = format!("{whole}{decimals}");
    if all.is_empty() {
        return None;
    }
    if let Some(value) = small(&all, decimals.len(), exponent) {
        return Some(if sign < BigInt::zero() { -value } else { value });
    }
    let ten = BigInt::from(10);
    let mut value = Exact::new(sign * all.parse::<BigInt>().ok()?, ten.clone().pow(decimals.len() as u32));
    let power = Exact::from_integer(ten.pow(exponent.unsigned_abs()));
    value = if exponent < 0 { value / power } else { value * power };
    Some(value)
}

/// A product, quickly where all parts are small.
pub(super) fn times(one: &Exact, other: &Exact) -> Exact {
    let quick = || {
        let small = |number: &BigInt| number.to_u64().map(u128::from);
        let above = small(one.numer())? * small(other.numer())?;
        let below = small(one.denom())? * small(other.denom())?;
        let common = above.gcd(&below);
        Some(Exact::new_raw(BigInt::from(above / common), BigInt::from(below / common)))
    };
    quick().unwrap_or_else(|| one * other)
}

/// Digits over a power of ten, where both fit into 64 bits: reduced without large numbers.
fn small(digits: &str, decimals: usize, exponent: i32) -> Option<Exact> {
    let mut above: u64 = digits.parse().ok()?;
    let places = i64::try_from(decimals).ok()? - i64::from(exponent);
    if places <= 0 {
        above = above.checked_mul(10u64.checked_pow(u32::try_from(-places).ok()?)?)?;
        return Some(whole(above));
    }
    let below = 10u64.checked_pow(u32::try_from(places).ok()?)?;
    let common = above.gcd(&below);
    Some(Exact::new_raw(BigInt::from(above / common), BigInt::from(below / common)))
}

/// Digits without their `_`, each of which stands between two digits.
fn plain_digits(text: &str, may_be_grouped: bool) -> Option<String> {
    let grouped = text.contains('_');
    let well_placed = !text.starts_with('_') && !text.ends_with('_') && !text.contains("__");
    if grouped && !(well_placed && (may_be_grouped || !text.is_empty())) {
        return None;
    }
    let digits: String = text.chars().filter(|&character| character != '_').collect();
    digits.chars().all(|character| character.is_ascii_digit()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(above: i64, below: i64) -> Exact {
        Exact::new(above.into(), below.into())
    }

    #[test]
    fn numbers_are_exact() {
        let cases = [
            ("0.15", fraction(15, 100)),
            (".5", fraction(1, 2)),
            ("27/11000", fraction(27, 11000)),
            ("1_000.25", fraction(100_025, 100)),
            ("2.5e3", fraction(2500, 1)),
            ("1e-3", fraction(1, 1000)),
            ("-3", fraction(-3, 1)),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        for text in ["", ".", "1.", "1/0", "one", "1e99", "1__0", "0x10", "1 2", "nan", "inf", "--1"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn rates_and_amounts_carry_their_measure() {
        assert_eq!(rate("0.40%"), Some(fraction(4, 1000)));
        assert_eq!(rate("0.004"), Some(fraction(4, 1000)));
        assert_eq!(amount("50 x bet"), Some(Amount { value: fraction(50, 1), measure: Measure::Bet }));
        assert_eq!(amount("50x line bet"), Some(Amount { value: fraction(50, 1), measure: Measure::LineBet }));
        assert_eq!(amount("10000.00"), Some(Amount { value: fraction(10_000, 1), measure: Measure::Money }));
        assert_eq!(amount("50 x win"), None);
        assert_eq!(amount("5%"), None);
    }

    #[test]
    fn products_are_the_same_quickly_or_not() {
        let parts = [fraction(0, 1), fraction(15, 100), fraction(27, 11000), fraction(-5, 3), fraction(1 << 40, 3)];
        for one in &parts {
            for other in &parts {
                assert_eq!(times(one, other), one * other);
                assert_eq!(times(one, other).denom(), (one * other).denom());
            }
        }
        let huge = Exact::from_integer(BigInt::from(u64::MAX)) * whole(4);
        assert_eq!(times(&huge, &fraction(1, 8)), &huge * fraction(1, 8));
    }

    #[test]
    fn messages_show_short_decimals() {
        assert_eq!(shown(&fraction(1, 3)), "0.333333");
        assert_eq!(shown(&fraction(-5, 2)), "-2.5");
        assert_eq!(shown(&fraction(10, 1)), "10");
    }
}
