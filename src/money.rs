//! Amounts of money as whole numbers, and how they are written.
//!
//! A *pool unit* is the currency's minor unit divided by D, chosen per game so that every bet x rate, seed, cap and pay
//! is a whole number of them. No floating point occurs here.

use std::fmt;

/// The currency of a game and the size of its pool unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolUnit {
    /// ISO 4217 code.
    pub currency: String,
    /// Decimal digits of the minor unit: 2 for USD, 0 for JPY, 3 for KWD.
    pub minor_digits: u32,
    /// D: pool units in one minor unit, 1 to 10^9.
    pub per_minor: u64,
}

/// Largest D that a game may need; above it the file is refused.
pub const PER_MINOR_MAX: u64 = 1_000_000_000;

/// Largest balance of a pool: memory and Redis share one domain.
pub const BALANCE_MAX: u64 = i64::MAX as u64;

impl PoolUnit {
    /// Pool units in one major unit of the currency.
    pub fn per_major(&self) -> u128 {
        u128::from(self.per_minor) * 10u128.pow(self.minor_digits)
    }

    /// The amount in the currency's major unit with all its decimals where they end, else rounded half away from zero to
    /// nine decimals of the minor unit. At least the minor digits are written: `12.50`, `0.002`.
    pub fn exact_text(&self, units: u128) -> String {
        let (whole, decimals) = self.digits(units);
        if decimals.is_empty() { whole.to_string() } else { format!("{whole}.{decimals}") }
    }

    /// The same with thousands grouped: `1,234.50`, `0.0475`.
    pub fn grouped_text(&self, units: u128) -> String {
        let (whole, decimals) = self.digits(units);
        if decimals.is_empty() { Grouped(whole).to_string() } else { format!("{}.{decimals}", Grouped(whole)) }
    }

    /// One pool unit in the major unit: a decimal if it is one, else a fraction: `0.0001`, `1/55,000`.
    pub fn unit_text(&self) -> String {
        let mut rest = self.per_major();
        for prime in [2, 5] {
            while rest.is_multiple_of(prime) {
                rest /= prime;
            }
        }
        if rest == 1 { self.exact_text(1) } else { format!("1/{}", Grouped(self.per_major())) }
    }

    fn digits(&self, units: u128) -> (u128, String) {
        let per_major = self.per_major();
        let (mut whole, mut rest) = (units / per_major, units % per_major);
        let (mut decimals, mut length) = (0u128, 0);
        let least = self.minor_digits as usize;
        while length < least + 9 && (rest > 0 || length < least) {
            rest *= 10;
            decimals = decimals * 10 + rest / per_major;
            length += 1;
            rest %= per_major;
        }
        if rest * 2 >= per_major {
            decimals += 1;
            whole += decimals / 10u128.pow(length as u32);
            decimals %= 10u128.pow(length as u32);
        }
        let text = if length == 0 { String::new() } else { format!("{decimals:0length$}") };
        (whole, text)
    }

    /// The amount rounded half up to the minor unit, thousands grouped: `1,234.50`.
    pub fn rounded_text(&self, units: u128) -> String {
        let per_minor = u128::from(self.per_minor);
        let minor = (units + per_minor / 2) / per_minor;
        let scale = 10u128.pow(self.minor_digits);
        let whole = Grouped(minor / scale);
        if self.minor_digits == 0 {
            whole.to_string()
        } else {
            format!("{whole}.{:0width$}", minor % scale, width = self.minor_digits as usize)
        }
    }
}

/// A whole number with its thousands grouped by commas.
pub struct Grouped(pub u128);

impl fmt::Display for Grouped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() + digits.len() / 3);
        for (position, digit) in digits.chars().enumerate() {
            if position > 0 && (digits.len() - position).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        formatter.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_with_the_digits_of_their_currency() {
        let usd = PoolUnit { currency: "USD".into(), minor_digits: 2, per_minor: 1000 };
        assert_eq!(usd.exact_text(1_250_000), "12.50");
        assert_eq!(usd.exact_text(1_250_001), "12.50001");
        assert_eq!(usd.rounded_text(123_456_789_500), "1,234,567.90");
        let jpy = PoolUnit { currency: "JPY".into(), minor_digits: 0, per_minor: 3 };
        assert_eq!(jpy.exact_text(4), "1.333333333");
        assert_eq!(jpy.rounded_text(4), "1");
        assert_eq!((jpy.exact_text(5), jpy.unit_text().as_str()), ("1.666666667".into(), "1/3"));
        let cross = PoolUnit { currency: "USD".into(), minor_digits: 2, per_minor: 550 };
        assert_eq!((cross.exact_text(1).as_str(), cross.unit_text().as_str()), ("0.00001818182", "1/55,000"));
        assert_eq!(cross.exact_text(55_000 * 3 - 1), "2.99998181818");
        let fine = PoolUnit { currency: "JPY".into(), minor_digits: 0, per_minor: 999_999_999 };
        assert_eq!(fine.exact_text(1_999_999_997), "1.999999999");
        assert_eq!(
            (usd.unit_text().as_str(), usd.grouped_text(123_456_789_501).as_str()),
            ("0.00001", "1,234,567.89501")
        );
    }
}
