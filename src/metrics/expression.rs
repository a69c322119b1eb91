//! A metric, or a figure of a metric over several runs: `rtp`, `ci(rtp)`, `p99(grand.liability)`,
//! `share(grand.reserve_short > 0)`.

use super::quantity::{self, number};
use super::{NO_SAMPLES, Reading, Readings, Unit, interval};
use std::fmt;
use std::str::FromStr;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// The figure itself; of several runs, its mean.
    Metric(String),
    /// Half the width of its 95 % interval.
    HalfWidth(String),
    /// A figure of its values over several runs.
    Over(Function, String),
    /// Share of the runs in which it keeps a bound.
    Share(String, Comparison, f64),
}

/// A figure of several values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Mean,
    Deviation,
    Least,
    Largest,
    /// At most so large in so many percent of the runs.
    Percentile(u8),
}

/// How a figure is held against a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Below,
    AtMost,
    Above,
    AtLeast,
}

impl Comparison {
    /// In the order in which they must be looked for.
    pub(super) const SIGNS: [(&'static str, Self); 4] =
        [("<=", Self::AtMost), (">=", Self::AtLeast), ("<", Self::Below), (">", Self::Above)];

    /// Whether a figure keeps the bound.
    pub fn holds(self, figure: f64, bound: f64) -> bool {
        match self {
            Self::Below => figure < bound,
            Self::AtMost => figure <= bound,
            Self::Above => figure > bound,
            Self::AtLeast => figure >= bound,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::AtLeast => ">=",
        })
    }
}

/// Why an expression has no value here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswerable {
    /// No such metric, in words.
    Unknown(String),
    /// It needs several runs.
    NeedsRuns,
}

impl Expression {
    /// The name of its metric.
    pub fn metric(&self) -> &str {
        match self {
            Self::Metric(name) | Self::HalfWidth(name) | Self::Over(_, name) | Self::Share(name, ..) => name,
        }
    }

    /// Whether it is of several runs.
    pub fn needs_runs(&self) -> bool {
        matches!(self, Self::Over(..) | Self::Share(..))
    }

    /// Reads it off the figures of one or several runs.
    ///
    /// # Errors
    /// An unknown metric, or one run where several are needed.
    pub fn read(&self, runs: &[Readings]) -> Result<Reading, Unanswerable> {
        let name = self.metric();
        let first = &runs[0];
        let reading = first.get(name).ok_or_else(|| Unanswerable::Unknown(first.unknown(name)))?;
        let values = || -> Vec<f64> { runs.iter().filter_map(|run| run.value(name)).collect() };
        let unit = reading.unit;
        Ok(match self {
            _ if self.needs_runs() && runs.len() < 2 => return Err(Unanswerable::NeedsRuns),
            Self::Metric(_) if runs.len() == 1 => reading.clone(),
            Self::Metric(_) => over(Function::Mean, unit, values(), runs.len()),
            Self::HalfWidth(_) => {
                let own =
                    if runs.len() == 1 { reading.clone() } else { over(Function::Mean, unit, values(), runs.len()) };
                let half = own.interval.map(|(low, high)| (high - low) / 2.0);
                Reading { lack: own.lack, ..Reading::exact("", unit, half) }
            }
            Self::Over(function, _) => over(*function, unit, values(), runs.len()),
            Self::Share(_, comparison, bound) => {
                let values = values();
                let holding = values.iter().filter(|&&value| comparison.holds(value, *bound)).count() as f64;
                let total = values.len() as f64;
                let share = (total > 0.0).then(|| holding / total);
                Reading::estimate("", Unit::Share, share, interval::share(holding, total))
            }
        })
        .map(|reading| Reading { name: self.to_string(), ..reading })
    }
}

fn over(function: Function, unit: Unit, mut values: Vec<f64>, runs: usize) -> Reading {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    let (Some(&least), Some(&largest)) = (values.first(), values.last()) else {
        return Reading::estimate("", unit, None, None).lacking(NO_SAMPLES);
    };
    let mean = values.iter().sum::<f64>() / count as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
    match function {
        Function::Mean => {
            let interval = deviation.and_then(|deviation| interval::mean(mean, deviation, count as f64));
            Reading::estimate("", unit, Some(mean), interval)
        }
        // Of a normal figure; others may vary more.
        Function::Deviation => {
            let interval = deviation.filter(|_| count > 30).map(|deviation| {
                let reach = 1.96 * deviation / (2.0 * (count - 1) as f64).sqrt();
                (deviation - reach, deviation + reach)
            });
            Reading::estimate("", unit, deviation, interval)
        }
        // What these runs show is a fact, if all of them show it.
        Function::Least | Function::Largest => {
            let extreme = if function == Function::Least { least } else { largest };
            Reading::exact("", unit, Some(extreme).filter(|_| count == runs)).lacking(NO_SAMPLES)
        }
        Function::Percentile(percent) => {
            let share = f64::from(percent) / 100.0;
            let at = |rank: u64| values[rank as usize - 1];
            let rank = ((share * count as f64).ceil() as u64).clamp(1, count as u64);
            let ranks = interval::quantile_ranks(share, count as u64);
            Reading::estimate("", unit, Some(at(rank)), ranks.map(|(low, high)| (at(low), at(high))))
                .lacking("too few runs bound this percentile on both sides")
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metric(name) => write!(formatter, "{name}"),
            Self::HalfWidth(name) => write!(formatter, "ci({name})"),
            Self::Over(Function::Mean, name) => write!(formatter, "mean({name})"),
            Self::Over(Function::Deviation, name) => write!(formatter, "sd({name})"),
            Self::Over(Function::Least, name) => write!(formatter, "min({name})"),
            Self::Over(Function::Largest, name) => write!(formatter, "max({name})"),
            Self::Over(Function::Percentile(percent), name) => write!(formatter, "p{percent}({name})"),
            Self::Share(name, comparison, bound) => write!(formatter, "share({name} {comparison} {bound})"),
        }
    }
}

impl FromStr for Expression {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let Some((function, inner)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
            return Ok(Self::Metric(name(text)?));
        };
        let (function, inner) = (function.trim(), inner.trim());
        if function == "share" {
            let (sign, comparison) = Comparison::SIGNS
                .into_iter()
                .find(|(sign, _)| inner.contains(sign))
                .ok_or("share(...) needs a bound, such as share(grand.reserve_short > 0)")?;
            let (metric, bound) = inner.split_once(sign).expect("it contains the sign");
            let (metric, value) = (name(metric)?, number(bound)?);
            if let Some(definition) = super::catalogue::definition(&metric) {
                quantity::fits(definition.unit, value, bound)?;
            }
            return Ok(Self::Share(metric, comparison, value));
        }
        let metric = name(inner)?;
        let percentile = || function.strip_prefix('p')?.parse().ok().filter(|percent| (1..=99).contains(percent));
        Ok(match function {
            "ci" => Self::HalfWidth(metric),
            "mean" => Self::Over(Function::Mean, metric),
            "sd" => Self::Over(Function::Deviation, metric),
            "min" => Self::Over(Function::Least, metric),
            "max" => Self::Over(Function::Largest, metric),
            _ => Self::Over(
                Function::Percentile(percentile().ok_or_else(|| {
                    format!("{function}(...) is none of ci, mean, sd, min, max, p1 to p99 and share")
                })?),
                metric,
            ),
        })
    }
}

/// A metric's name: no blanks, brackets or signs of comparison.
fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let strange = text.is_empty() || text.contains(|sign: char| sign.is_whitespace() || "()<>=,".contains(sign));
    if strange {
        Err(format!("{text:?} is no name of a metric, such as rtp or grand.amount_mean"))
    } else {
        Ok(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(values: &[Option<f64>]) -> Vec<Readings> {
        let of = |value: Option<f64>| {
            let mut readings = Readings::default();
            readings.add(Reading::estimate("rtp", Unit::Share, value, value.map(|value| (value - 0.1, value + 0.1))));
            readings
        };
        values.iter().map(|&value| of(value)).collect()
    }

    fn value(text: &str, runs: &[Readings]) -> Option<f64> {
        text.parse::<Expression>().unwrap().read(runs).unwrap().value
    }

    #[test]
    fn expressions_are_read_and_shown_alike() {
        for text in
            ["rtp", "ci(rtp)", "mean(a.b)", "sd(x)", "min(x)", "max(x)", "p99(grand.liability)", "share(a > 0.5)"]
        {
            assert_eq!(text.parse::<Expression>().unwrap().to_string(), text);
        }
        for text in ["", "p0(x)", "p100(x)", "median(x)", "share(x)", "a b", "ci()", "share(rtp > 95)"] {
            assert!(text.parse::<Expression>().is_err(), "{text}");
        }
    }

    #[test]
    fn figures_of_several_runs_are_those_counted_by_hand() {
        let five = runs(&[Some(0.5), Some(0.1), Some(0.2), None, Some(0.4)]);
        assert!((value("mean(rtp)", &five).unwrap() - 0.3).abs() < 1e-12);
        assert_eq!(value("p50(rtp)", &five), Some(0.2));
        assert_eq!((value("min(rtp)", &five), value("share(rtp > 0.3)", &five)), (None, Some(0.5)));
        let all = &five[..3];
        assert_eq!((value("min(rtp)", all), value("max(rtp)", all)), (Some(0.1), Some(0.5)));
        assert!((value("ci(rtp)", &all[..1]).unwrap() - 0.1).abs() < 1e-12);
        let percentile: Expression = "p50(rtp)".parse().unwrap();
        assert_eq!(percentile.read(all).unwrap().interval, None);
        assert_eq!(percentile.read(&all[..1]), Err(Unanswerable::NeedsRuns));
        let unknown: Expression = "rtb".parse().unwrap();
        assert!(matches!(unknown.read(all), Err(Unanswerable::Unknown(text)) if text.contains("did you mean rtp?")));
    }
}
