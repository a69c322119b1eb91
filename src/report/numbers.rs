//! Derived figures as text, with a fixed number of digits, and money with its sign.

use super::sealed::DERIVED_DIGITS;
use crate::money::PoolUnit;

/// A figure rounded to so many significant digits.
pub fn significant(figure: f64, digits: usize) -> f64 {
    format!("{figure:.*e}", digits.saturating_sub(1)).parse().unwrap_or(figure)
}

/// A figure for a file: twelve significant digits, blank where it is missing.
pub fn figure(value: Option<f64>) -> String {
    value
        .filter(|value| value.is_finite())
        .map_or(String::new(), |value| significant(value, DERIVED_DIGITS).to_string())
}

/// A share of the whole; `None` if there is no whole.
pub fn ratio(part: u128, whole: u128) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Amounts below 0 have a minus sign.
pub fn signed(amount: i128, text: impl Fn(u128) -> String) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}{}", text(amount.unsigned_abs()))
}

/// An amount in the currency's major unit as a number, for means and the like.
pub fn major(unit: &PoolUnit, units: f64) -> f64 {
    units / unit.per_major() as f64
}

/// Names as parts of keys: letters and digits in small letters, `_` for all else; no two alike.
pub fn slugs<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut slugs: Vec<String> = Vec::new();
    for name in names {
        let plain: String =
            name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect::<String>();
        let plain = plain.to_lowercase();
        let mut slug = plain.clone();
        let mut ordinal = 2;
        while slugs.contains(&slug) {
            slug = format!("{plain}_{ordinal}");
            ordinal += 1;
        }
        slugs.push(slug);
    }
    slugs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_twelve_digits_and_a_missing_one_is_blank() {
        assert_eq!(figure(Some(2.0 / 3.0)), "0.666666666667");
        assert_eq!(figure(Some(0.1 + 0.2)), "0.3");
        assert_eq!(figure(None), "");
        assert_eq!(figure(Some(f64::INFINITY)), "");
        assert_eq!(ratio(1, 0), None);
    }

    #[test]
    fn keys_have_no_blanks_and_are_never_alike() {
        let names = ["free spins", "free-spins", "Mini", "mini_2", "mini", "大"];
        assert_eq!(slugs(names.into_iter()), ["free_spins", "free_spins_2", "mini", "mini_2", "mini_3", "大"]);
    }
}
