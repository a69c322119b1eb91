//! `--target`: a figure and the value that it should have: `rtp=96%`, `p99(grand.liability) = 50_000`.

use crate::metrics::catalogue::definition;
use crate::metrics::expression::Expression;
use crate::metrics::quantity::{fits, number};
use std::str::FromStr;

/// A figure that is to have a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    pub expression: Expression,
    pub value: f64,
    /// How far off is near enough; without it, as near as the steps of the values allow.
    pub tolerance: Option<f64>,
}

impl Target {
    /// Whether the exact answer alone can tell the figure.
    pub fn is_exact(&self) -> bool {
        matches!(&self.expression, Expression::Metric(name) if definition(name).is_none_or(|entry| entry.exact))
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected METRIC=VALUE such as rtp=96%, grand.days_per_hit=41 or p99(grand.liability)=50_000";
        let outside = text.rfind(')').map_or(0, |at| at + 1);
        let at = outside + text[outside..].find('=').ok_or(expected)?;
        let expression: Expression = text[..at].parse()?;
        let value = &text[at + 1..];
        let (value, tolerance) = match value.split_once('±').or_else(|| value.split_once("+-")) {
            Some((value, tolerance)) => (value, Some(tolerance)),
            None => (value, None),
        };
        let unit = match &expression {
            Expression::Share(..) => Some(crate::metrics::Unit::Share),
            other => definition(other.metric()).map(|entry| entry.unit),
        };
        let read = |text: &str| -> Result<f64, String> {
            let read = number(text)?;
            unit.map_or(Ok(()), |unit| fits(unit, read, text)).map(|()| read)
        };
        let tolerance = tolerance.map(read).transpose()?;
        if tolerance.is_some_and(|tolerance| tolerance < 0.0) {
            return Err(format!("the tolerance of {text:?} is negative"));
        }
        Ok(Self { expression, value: read(value)?, tolerance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read() {
        let target: Target = "grand.rtp = 0.5% ± 0.01%".parse().unwrap();
        assert_eq!((target.value, target.tolerance, target.is_exact()), (0.005, Some(0.0001), true));
        assert!(!"p99(grand.liability)=5k".parse::<Target>().unwrap().is_exact());
        assert!(!"share(grand.reserve_short > 0) = 5%".parse::<Target>().unwrap().is_exact());
        assert!(!"grand.amount_95=100".parse::<Target>().unwrap().is_exact());
        for text in ["rtp", "rtp=", "rtp=96", "rtp=x", "=1", "rtp=96%±-1%"] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
