//! `--assert`: a figure held against bounds. It passes if its whole interval keeps them, fails if none of it does, and is
//! undecided where it straddles a bound or nothing is known.

use super::expression::{Comparison, Expression, Unanswerable};
use super::quantity::{fits, number, shown};
use super::{NO_SAMPLES, Reading, Readings, Unit};
use serde::Serialize;
use std::str::FromStr;

/// Bounds of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Assertion {
    /// As typed.
    pub text: String,
    pub expression: Expression,
    bounds: Bounds,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Bounds {
    One(Comparison, f64),
    /// Both ends included.
    Within(f64, f64),
}

/// Whether an assertion holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Pass,
    Fail,
    Undecided,
}

/// An assertion, and what was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Stem of the game file's name.
    pub game: String,
    pub assertion: String,
    pub verdict: Verdict,
    /// What was found, in words.
    pub found: String,
    pub unit: Unit,
    pub value: Option<f64>,
    pub interval: Option<(f64, f64)>,
}

impl Bounds {
    fn holds(self, figure: f64) -> bool {
        match self {
            Self::One(comparison, bound) => comparison.holds(figure, bound),
            Self::Within(low, high) => (low..=high).contains(&figure),
        }
    }

    /// Whether no figure between two keeps the bounds.
    fn excludes(self, low: f64, high: f64) -> bool {
        match self {
            Self::One(..) => !self.holds(low) && !self.holds(high),
            Self::Within(least, most) => high < least || low > most,
        }
    }

    fn numbers(self) -> Vec<f64> {
        match self {
            Self::One(_, bound) => vec![bound],
            Self::Within(low, high) => vec![low, high],
        }
    }
}

impl Assertion {
    /// Whether it only bounds the figure from above.
    pub fn is_upper_bound(&self) -> bool {
        matches!(self.bounds, Bounds::One(Comparison::Below | Comparison::AtMost, _))
    }

    /// Judges the figures of one or several runs, or the exact ones.
    ///
    /// # Errors
    /// An unknown metric, a bound that doesn't suit its unit, or one run where several are needed: in words.
    pub fn judge(&self, game: &str, runs: &[Readings]) -> Result<Judged, String> {
        let reading = self.expression.read(runs).map_err(|error| match error {
            Unanswerable::Unknown(text) => text,
            Unanswerable::NeedsRuns => {
                format!("{} is a figure of several runs\n  help: play them with --repeat K", self.expression)
            }
        })?;
        self.bounds.numbers().into_iter().try_for_each(|bound| fits(reading.unit, bound, &bound.to_string()))?;
        let verdict = match reading.value.and(reading.interval) {
            None => Verdict::Undecided,
            Some((low, high)) if self.bounds.holds(low) && self.bounds.holds(high) => Verdict::Pass,
            Some((low, high)) if self.bounds.excludes(low, high) => Verdict::Fail,
            Some(_) => Verdict::Undecided,
        };
        Ok(Judged {
            game: game.to_owned(),
            assertion: self.text.clone(),
            verdict,
            found: found(&reading, verdict),
            unit: reading.unit,
            value: reading.value,
            interval: reading.interval.filter(|_| reading.value.is_some()),
        })
    }
}

fn found(reading: &Reading, verdict: Verdict) -> String {
    let text = |value: f64| shown(value, reading.unit);
    match (reading.value, reading.interval) {
        (None, _) => reading.lack.unwrap_or(NO_SAMPLES).to_owned(),
        (Some(value), None) => format!("{}, but {}", text(value), reading.lack.unwrap_or(super::NO_INTERVAL)),
        (Some(value), Some((low, high))) if low == high => format!("{}, exactly", text(value)),
        (Some(value), Some((low, high))) => {
            let straddles = if verdict == Verdict::Undecided { ": the interval straddles the bound" } else { "" };
            format!("{}, 95 % between {} and {}{straddles}", text(value), text(low), text(high))
        }
    }
}

impl FromStr for Assertion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected METRIC in A..B, or METRIC with <, <=, > or >= and a bound: 'rtp in 95.5%..96.5%', \
                        'grand.amount_mean > 5_000'";
        let (expression, bounds) = if let Some((expression, range)) = text.split_once(" in ") {
            let (low, high) = range.split_once("..").ok_or(expected)?;
            let (low, high) = (number(low)?, number(high.trim_start_matches('='))?);
            if low > high {
                return Err(format!("{range} is empty: its lower bound is the higher"));
            }
            (expression, Bounds::Within(low, high))
        } else {
            // A sign inside brackets belongs to the expression.
            let outside = text.rfind(')').map_or(0, |at| at + 1);
            let (at, sign, comparison) = Comparison::SIGNS
                .into_iter()
                .find_map(|(sign, comparison)| Some((outside + text[outside..].find(sign)?, sign, comparison)))
                .ok_or(expected)?;
            (&text[..at], Bounds::One(comparison, number(&text[at + sign.len()..])?))
        };
        Ok(Self { text: text.trim().to_owned(), expression: expression.parse()?, bounds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(assertion: &str, value: Option<f64>, interval: Option<(f64, f64)>) -> Judged {
        let mut readings = Readings::default();
        readings.add(Reading::estimate("rtp", Unit::Share, value, interval));
        assertion.parse::<Assertion>().unwrap().judge("game", &[readings]).unwrap()
    }

    #[test]
    fn the_whole_interval_decides() {
        let verdict = |assertion, low, high| judged(assertion, Some(0.96), Some((low, high))).verdict;
        assert_eq!(verdict("rtp in 95.5%..96.5%", 0.955, 0.965), Verdict::Pass);
        assert_eq!(verdict("rtp in 95.5%..96.5%", 0.9549, 0.9561), Verdict::Undecided);
        assert_eq!(verdict("rtp in 95.5%..96.5%", 0.90, 0.99), Verdict::Undecided);
        assert_eq!(verdict("rtp in 95.5%..96.5%", 0.966, 0.967), Verdict::Fail);
        assert_eq!(verdict("rtp<=.96", 0.95, 0.96), Verdict::Pass);
        assert_eq!(verdict("rtp < .96", 0.95, 0.96), Verdict::Undecided);
        assert_eq!(verdict("rtp < .96", 0.96, 0.97), Verdict::Fail);
        assert_eq!(verdict("ci(rtp) < 0.1%", 0.9599, 0.9601), Verdict::Pass);
    }

    #[test]
    fn without_samples_or_interval_nothing_passes() {
        for assertion in ["rtp > 0", "rtp < 1", "rtp in 0..1", "ci(rtp) < 1"] {
            assert_eq!(judged(assertion, None, None).verdict, Verdict::Undecided, "{assertion}");
            assert_eq!(judged(assertion, Some(0.5), None).verdict, Verdict::Undecided, "{assertion}");
        }
        assert_eq!(judged("rtp > 0", None, None).found, NO_SAMPLES);
    }

    #[test]
    fn what_is_no_assertion_is_refused() {
        for text in ["", "rtp", "rtp = 1", "rtp in 1..", "rtp in 2..1", "rtp < x", "< 1", "rtp == 3"] {
            assert!(text.parse::<Assertion>().is_err(), "{text}");
        }
        let mut readings = Readings::default();
        readings.add(Reading::exact("rtp", Unit::Share, Some(0.9)));
        let judge = |text: &str| text.parse::<Assertion>().unwrap().judge("g", &[readings.clone()]);
        assert!(judge("rtb < 1").unwrap_err().contains("did you mean rtp?"));
        assert!(judge("rtp < 95").unwrap_err().contains("did you mean 95%?"));
        assert!(judge("p99(rtp) < 1").unwrap_err().contains("--repeat"));
        assert!("share(rtp > 0.5) < 10%".parse::<Assertion>().is_ok());
    }
}
