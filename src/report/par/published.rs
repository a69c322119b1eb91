//! A published figure as it is printed, and whether ours rounds to it.

use serde::Serialize;

/// A figure from a file's `[published]` section.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// As written.
    pub text: String,
    /// Whether ours agrees to the last printed digit; `None` where one of them is no number.
    pub agrees: Option<bool>,
}

impl Published {
    /// Compares a printed figure ("96.2%", "330.16 x line bet", "1730") with ours, of 1 where it is a share.
    pub fn new(text: &str, ours: Option<f64>) -> Self {
        let agrees = printed(text).zip(ours).map(|((figure, step), ours)| {
            // Half a step either way, and what the two conversions may lose.
            (ours - figure).abs() <= step / 2.0 + 1e-12 * figure.abs().max(step)
        });
        Self { text: text.to_owned(), agrees }
    }
}

/// The figure, and what one unit of its last digit is worth.
fn printed(text: &str) -> Option<(f64, f64)> {
    let text = text.trim();
    let end =
        text.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ',' | '-')).unwrap_or(text.len());
    let digits = text[..end].replace(',', "");
    let figure: f64 = digits.parse().ok()?;
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let unit = if text[end..].trim_start().starts_with('%') { 0.01 } else { 1.0 };
    Some((figure * unit, 10f64.powi(-(decimals as i32)) * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_figure_agrees_if_ours_rounds_to_it() {
        let agrees = |text: &str, ours: f64| Published::new(text, Some(ours)).agrees;
        assert_eq!(agrees("96.2%", 0.962_041), Some(true));
        assert_eq!(agrees("96.2%", 0.962_51), Some(false));
        assert_eq!(agrees("66.4700%", 0.664_699_89), Some(true));
        assert_eq!(agrees("1730", 1729.6), Some(true));
        assert_eq!(agrees("8,107,500", 8_107_500.0), Some(true));
        assert_eq!(agrees("330.16 x line bet", 330.163), Some(true));
        assert_eq!(agrees("10.476 (z 1.65)", 10.4769), Some(false));
        assert_eq!(agrees("about a tenth", 0.1), None);
        assert_eq!(Published::new("1%", None).agrees, None);
    }
}
