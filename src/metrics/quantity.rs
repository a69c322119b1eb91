//! Numbers of bounds and targets, as people write them: `95.5%`, `1_000`, `2.5M`, `1e-3`.

use super::Unit;

/// A number, with `%` as a hundredth and k, M, G as powers of a thousand.
///
/// # Errors
/// What was expected.
pub fn number(text: &str) -> Result<f64, String> {
    let expected = || format!("{:?} is no number: expected one such as 95.5%, 1_000, 2.5M or 1e-3", text.trim());
    let plain: String = text.trim().chars().filter(|&sign| sign != '_').collect();
    let (digits, factor) = match plain.char_indices().last() {
        Some((at, '%')) => (&plain[..at], 0.01),
        Some((at, 'k' | 'K')) => (&plain[..at], 1e3),
        Some((at, 'M')) => (&plain[..at], 1e6),
        Some((at, 'G')) => (&plain[..at], 1e9),
        _ => (plain.as_str(), 1.0),
    };
    let digits = digits.trim();
    if !digits.starts_with(|sign: char| sign.is_ascii_digit() || matches!(sign, '-' | '+' | '.')) {
        return Err(expected());
    }
    // Division, so that 95.5 % is the double nearest to .955.
    let value = digits.parse::<f64>().map_err(|_| expected())?;
    let value = if factor == 0.01 { value / 100.0 } else { value * factor };
    if value.is_finite() { Ok(value) } else { Err(expected()) }
}

/// Share beyond which a missing `%` is meant.
const SHARE_MAX: f64 = 20.0;

/// Refuses a bound of a share that was surely meant in percent.
pub fn fits(unit: Unit, value: f64, text: &str) -> Result<(), String> {
    if unit == Unit::Share && value.abs() > SHARE_MAX {
        return Err(format!("{} is {:.0} %; did you mean {}%?", text.trim(), value * 100.0, text.trim()));
    }
    Ok(())
}

/// A figure for people, in its unit.
pub fn shown(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.4} %", value * 100.0),
        Unit::Bets => format!("{value:.4} x bet"),
        Unit::LineBets => format!("{value:.4} x line bet"),
        Unit::Days => format!("{} days", grouped(value, 2)),
        Unit::Spins => grouped(value, 1),
        Unit::Currency => grouped(value, 2),
        Unit::Number => grouped(value, 4),
    }
}

/// With commas between thousands, and decimals unless it is whole.
fn grouped(value: f64, decimals: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return format!("{value:e}");
    }
    let decimals = if value.fract() == 0.0 { 0 } else { decimals };
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut digits = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            digits.push(',');
        }
        digits.push(digit);
    }
    let sign = if value < 0.0 { "-" } else { "" };
    if rest.is_empty() { format!("{sign}{digits}") } else { format!("{sign}{digits}.{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!((number("95.5%"), number(" 1_000 "), number("2.5M")), (Ok(0.955), Ok(1e3), Ok(2.5e6)));
        assert_eq!((number("-1e-3"), number(".5")), (Ok(-1e-3), Ok(0.5)));
        for text in ["", "%", "nan", "inf", "ten", "1..2", "1e999", "5 %%"] {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(fits(Unit::Share, 95.5, "95.5").unwrap_err().contains("95.5%?"));
        assert!(fits(Unit::Spins, 95.5, "95.5").is_ok());
    }

    #[test]
    fn figures_are_shown_in_their_unit() {
        assert_eq!(shown(0.95432, Unit::Share), "95.4320 %");
        assert_eq!(shown(-1_234_567.891, Unit::Currency), "-1,234,567.89");
        assert_eq!(shown(1000.0, Unit::Number), "1,000");
    }
}
