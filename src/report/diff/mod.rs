//! What differs between two games, two runs, or two series of runs: each figure's difference with its interval.

mod pairing;
mod render;

use super::numbers::significant;
use super::readings::readings;
use super::result::RunResult;
use super::sealed::DERIVED_DIGITS;
use crate::metrics::{Readings, Unit, interval};
use serde::Serialize;

/// Version of the layout of the JSON.
const DIFF_SCHEMA: u32 = 1;

/// The whole comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    diff_schema: u32,
    jackpot_version: String,
    /// The names of the two games.
    pub a: String,
    pub b: String,
    /// What the figures are of, in words.
    pub basis: String,
    /// What changed in the game files and the plans.
    pub changes: Vec<Change>,
    /// What is to be known beside the figures.
    pub notes: Vec<String>,
    pub figures: Vec<Difference>,
}

/// Something that is written differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub what: String,
    pub a: Option<String>,
    pub b: Option<String>,
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub name: String,
    pub unit: Unit,
    pub a: Option<f64>,
    pub b: Option<f64>,
    /// B - A.
    pub difference: Option<f64>,
    pub interval_95: Option<(f64, f64)>,
    pub verdict: Verdict,
    /// Whether the interval is of differences between spins with the same random numbers.
    pub paired: bool,
}

/// What a difference means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Both are the same.
    Same,
    /// The interval holds 0.
    WithinNoise,
    Differs,
    /// One of them is missing, or no interval is known.
    Unknown,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::WithinNoise => "within noise",
            Self::Differs => "differs",
            Self::Unknown => "not known",
        }
    }
}

type Interval = Option<(f64, f64)>;

impl Difference {
    fn new(name: &str, unit: Unit, a: Option<f64>, b: Option<f64>, interval: Interval, paired: bool) -> Self {
        let difference = a.zip(b).map(|(a, b)| b - a);
        let verdict = match (difference, interval) {
            (Some(0.0), _) => Verdict::Same,
            (None, _) if a.is_none() && b.is_none() => Verdict::Same,
            (None, _) | (_, None) => Verdict::Unknown,
            (_, Some((low, high))) if low <= 0.0 && high >= 0.0 => Verdict::WithinNoise,
            _ => Verdict::Differs,
        };
        let stable = |value: Option<f64>| value.map(|value| significant(value, DERIVED_DIGITS));
        let interval = interval.filter(|_| difference.is_some());
        Self {
            name: name.to_owned(),
            unit,
            a: stable(a),
            b: stable(b),
            difference: stable(difference),
            interval_95: interval
                .map(|(low, high)| (significant(low, DERIVED_DIGITS), significant(high, DERIVED_DIGITS))),
            verdict,
            paired,
        }
    }
}

/// The interval of a difference from those of its ends, each distance squared and added (Newcombe 1998, method 10).
fn of_ends((a, (a_low, a_high)): (f64, (f64, f64)), (b, (b_low, b_high)): (f64, (f64, f64))) -> (f64, f64) {
    let difference = b - a;
    (difference - (b - b_low).hypot(a_high - a), difference + (b_high - b).hypot(a - a_low))
}

/// Figures of pools stand in neither.
fn is_shown(name: &str) -> bool {
    !name.contains('@')
}

/// Names of both, those of the first in its order.
fn names<'r>(a: &'r Readings, b: &'r Readings) -> Vec<(&'r str, Unit)> {
    let first = a.iter().map(|reading| (reading.name.as_str(), reading.unit));
    let second = b.iter().filter(|reading| a.get(&reading.name).is_none());
    let second = second.map(|reading| (reading.name.as_str(), reading.unit));
    first.chain(second).filter(|(name, _)| is_shown(name)).collect()
}

impl Diff {
    fn new(a: &str, b: &str, basis: String, changes: Vec<Change>, figures: Vec<Difference>) -> Self {
        let jackpot_version = env!("CARGO_PKG_VERSION").to_owned();
        let (a, b) = (a.to_owned(), b.to_owned());
        Self { diff_schema: DIFF_SCHEMA, jackpot_version, a, b, basis, changes, notes: Vec::new(), figures }
    }

    /// Of the exact figures of two games.
    pub fn of_games((a, exact_a): (&str, &Readings), (b, exact_b): (&str, &Readings), changes: Vec<Change>) -> Self {
        let figures = names(exact_a, exact_b).into_iter().map(|(name, unit)| {
            let (one, other) = (exact_a.value(name), exact_b.value(name));
            // What is less than rounding in floating point is no difference.
            let alike =
                one.zip(other).is_some_and(|(one, other)| (one - other).abs() <= 1e-9 * one.abs().max(other.abs()));
            let other = if alike { one } else { other };
            let interval = one.zip(other).map(|(one, other)| (other - one, other - one));
            Difference::new(name, unit, one, other, interval, false)
        });
        let figures = figures.collect();
        Self::new(a, b, "the exact figures of both games, in the long run".into(), changes, figures)
    }

    /// Of two runs.
    pub fn of_results(a: &RunResult, b: &RunResult, changes: Vec<Change>) -> Self {
        let (of_a, of_b) = (readings(a), readings(b));
        let pairs = pairing::Pairs::new(a, b);
        let figures = names(&of_a, &of_b).into_iter().map(|(name, unit)| {
            let (one, other) = (of_a.get(name), of_b.get(name));
            let (value_a, value_b) = (one.and_then(|one| one.value), other.and_then(|other| other.value));
            if let Some(interval) = pairs.as_ref().and_then(|pairs| pairs.interval(name)) {
                return Difference::new(name, unit, value_a, value_b, Some(interval), true);
            }
            let ends = |value: Option<f64>, interval: Interval| {
                // A fact of a run says nothing of how it varies.
                value.zip(interval.filter(|(low, high)| low < high))
            };
            let one = ends(value_a, one.and_then(|one| one.interval));
            let other = ends(value_b, other.and_then(|other| other.interval));
            Difference::new(name, unit, value_a, value_b, one.zip(other).map(|(one, other)| of_ends(one, other)), false)
        });
        let figures = figures.collect();
        let spins = |result: &RunResult| crate::money::Grouped(result.plan.spins_done.into()).to_string();
        let mut basis = format!("a run of {} spins and one of {}", spins(a), spins(b));
        if pairs.is_some() {
            basis += ", with the same random numbers: parts of RTP are compared spins by spins";
        }
        let mut diff = Self::new(&a.game.name, &b.game.name, basis, changes, figures);
        if a.plan.spins_done != b.plan.spins_done && !(a.levels.is_empty() && b.levels.is_empty()) {
            diff.notes.push(
                "the runs are of different lengths, and what jackpots pay starts low in each: compare accrued figures"
                    .into(),
            );
        }
        for (result, which) in [(a, "A"), (b, "B")] {
            if !result.plan.complete {
                diff.notes.push(format!("{which} was interrupted: its figures are of the part that was played"));
            }
        }
        diff
    }

    /// Of several runs of each; those with the same rng seeds are taken in pairs.
    pub fn of_repeats(
        (a, runs_a): (&RunResult, &[Readings]),
        (b, runs_b): (&RunResult, &[Readings]),
        changes: Vec<Change>,
    ) -> Self {
        let paired = a.plan.rng_seed == b.plan.rng_seed && runs_a.len() == runs_b.len();
        let figures = names(&runs_a[0], &runs_b[0]).into_iter().map(|(name, unit)| {
            let values = |runs: &[Readings]| -> Vec<f64> { runs.iter().filter_map(|run| run.value(name)).collect() };
            let (of_a, of_b) = (values(runs_a), values(runs_b));
            let all = of_a.len() == runs_a.len() && of_b.len() == runs_b.len();
            let ((mean_a, se_a), (mean_b, se_b)) = (moments(&of_a), moments(&of_b));
            let interval = match paired && all {
                true => {
                    let differences: Vec<f64> = of_a.iter().zip(&of_b).map(|(a, b)| b - a).collect();
                    let (mean, deviation) = moments(&differences);
                    mean.zip(deviation).and_then(|(mean, sd)| interval::mean(mean, sd, differences.len() as f64))
                }
                false => {
                    let ends = |mean: Option<f64>, sd: Option<f64>, count: usize| {
                        mean.zip(mean.zip(sd).and_then(|(mean, sd)| interval::mean(mean, sd, count as f64)))
                    };
                    let one = ends(mean_a, se_a, of_a.len());
                    one.zip(ends(mean_b, se_b, of_b.len())).map(|(one, other)| of_ends(one, other))
                }
            };
            Difference::new(name, unit, mean_a, mean_b, interval, paired && all)
        });
        let figures = figures.collect();
        let how = if paired { ", in pairs of the same rng seed" } else { "" };
        let basis = format!("the means of {} runs and of {}{how}", runs_a.len(), runs_b.len());
        Self::new(&a.game.name, &b.game.name, basis, changes, figures)
    }

    /// How many figures have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.figures.iter().filter(|figure| figure.verdict == verdict).count()
    }
}

/// Mean and sample deviation.
fn moments(values: &[f64]) -> (Option<f64>, Option<f64>) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (None, None);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (Some(mean), (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;
    use crate::metrics::Reading;

    fn of(values: &[(&str, f64)]) -> Readings {
        let mut readings = Readings::default();
        values.iter().for_each(|(name, value)| readings.add(Reading::exact(*name, Unit::Share, Some(*value))));
        readings
    }

    #[test]
    fn exact_figures_differ_or_are_the_same() {
        let (a, b) = (of(&[("rtp", 0.9), ("base", 0.8)]), of(&[("rtp", 0.95), ("base", 0.8), ("grand.rtp", 0.1)]));
        let diff = Diff::of_games(("a", &a), ("b", &b), Vec::new());
        let verdicts: Vec<Verdict> = diff.figures.iter().map(|figure| figure.verdict).collect();
        assert_eq!(verdicts, [Verdict::Differs, Verdict::Same, Verdict::Unknown]);
        assert_eq!(diff.figures[0].difference, Some(0.05));
        let (a, b) = (of(&[("rtp", 25_000.0)]), of(&[("rtp", 25_000.0 * (1.0 + 1e-12))]));
        assert_eq!(Diff::of_games(("a", &a), ("b", &b), Vec::new()).figures[0].verdict, Verdict::Same);
    }

    #[test]
    fn a_difference_of_intervals_is_known() {
        // Newcombe's example: 56/70 and 48/80 give .2 (.0524, .3339).
        let share = |count: f64, total: f64| (count / total, interval::share(count, total).unwrap());
        let (low, high) = of_ends(share(48.0, 80.0), share(56.0, 70.0));
        assert!((low - 0.0524).abs() < 1e-4 && (high - 0.3339).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn the_same_result_differs_in_nothing() {
        let result = sample();
        let diff = Diff::of_results(&result, &result, Vec::new());
        assert_eq!(diff.count(Verdict::Differs) + diff.count(Verdict::WithinNoise), 0);
        assert!(diff.count(Verdict::Same) > 10);
    }

    #[test]
    fn repeated_runs_of_the_same_seeds_are_paired() {
        let result = sample();
        let runs = |add: f64| [0.5, 0.7, 0.6, 0.9].map(|value| of(&[("rtp", value + add)]));
        let (a, b) = (runs(0.0), runs(0.01));
        let paired = Diff::of_repeats((&result, &a), (&result, &b), Vec::new());
        assert_eq!((paired.figures[0].verdict, paired.figures[0].paired), (Verdict::Differs, true));
        let other = RunResult {
            plan: super::super::result::PlanRecord { rng_seed: 99, ..result.plan.clone() },
            ..result.clone()
        };
        let apart = Diff::of_repeats((&result, &a), (&other, &b), Vec::new());
        assert_eq!((apart.figures[0].verdict, apart.figures[0].paired), (Verdict::WithinNoise, false));
    }
}
