//! `repeat.json` and `repeats.csv`: how the figures of several runs of a game spread, beside what is expected of a run.

use super::markdown;
use super::numbers::{figure, significant};
use super::result::RunResult;
use super::sealed::{DERIVED_DIGITS, RESULT_FILE};
use super::table::layout::{Cell, Row, cut, table, wrap};
use super::table::words::{count, counted, decimal, mean, percent};
use crate::metrics::catalogue::{is_headline, words};
use crate::metrics::{Reading, Readings, Unit};
use crate::tally::decimal_text;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

/// Version of the layout of `repeat.json`.
const REPEAT_SCHEMA: u32 = 2;

/// The file of a folder that several runs of a game were written to.
const REPEAT_FILE: &str = "repeat.json";

/// How the figures of several runs spread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeats {
    repeat_schema: u32,
    jackpot_version: String,
    /// Name of the game, and stem of its file's name.
    game: String,
    game_file: String,
    currency_code: String,
    /// Checksum of the `result.json` beside it, that of the first run.
    result_checksum: String,
    /// Rng seed of the first run; the others have those after it.
    #[serde(with = "decimal_text")]
    rng_seed: u64,
    runs: usize,
    /// Spins of each run.
    spins: u64,
    figures: Vec<Spread>,
}

/// How one figure spreads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spread {
    figure: String,
    unit: Unit,
    /// Runs that have the figure.
    runs: usize,
    mean: f64,
    /// Sample standard deviation; `None` for a single run.
    sd: Option<f64>,
    minimum: f64,
    percentile_5: f64,
    median: f64,
    percentile_95: f64,
    maximum: f64,
    /// What such a run is expected to show.
    expected: Option<f64>,
    expected_is_approximate: bool,
}

/// Why `repeat.json` could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{path} is not what jackpot run --repeat wrote beside {RESULT_FILE}: {detail}\n  help: repeat the runs")]
pub struct RepeatsError {
    path: String,
    detail: String,
}

impl Repeats {
    /// From the first run and the figures of all, each with its rng seed.
    pub fn new(first: &RunResult, rows: &[(u64, Readings)]) -> Self {
        let count = rows.first().map_or(0, |(_, readings)| readings.iter().count());
        let of = |index: usize| -> Vec<&Reading> { rows.iter().filter_map(|(_, row)| row.iter().nth(index)).collect() };
        Self {
            repeat_schema: REPEAT_SCHEMA,
            jackpot_version: first.jackpot.clone(),
            game: first.game.name.clone(),
            game_file: first.game.file.clone(),
            currency_code: first.game.currency.clone(),
            result_checksum: first.checksum.clone(),
            rng_seed: first.plan.rng_seed,
            runs: rows.len(),
            spins: first.plan.spins,
            figures: (0..count).filter_map(|index| Spread::new(&of(index))).collect(),
        }
    }

    /// Those beside a result, if its folder is of several runs; `path` is the folder, not the file in it.
    pub fn beside(path: &Path, result: &RunResult) -> Result<Option<Self>, RepeatsError> {
        let file = path.join(REPEAT_FILE);
        if !path.is_dir() || !file.exists() {
            return Ok(None);
        }
        let error = |detail: String| RepeatsError { path: file.display().to_string(), detail };
        let bytes = std::fs::read(&file).map_err(|problem| error(problem.to_string()))?;
        let repeats: Self = serde_json::from_slice(&bytes).map_err(|problem| error(problem.to_string()))?;
        if repeats.repeat_schema != REPEAT_SCHEMA {
            return Err(error(format!("layout version {}, this reads {REPEAT_SCHEMA}", repeats.repeat_schema)));
        }
        if repeats.result_checksum != result.checksum {
            return Err(error("its runs are those of another result".into()));
        }
        Ok(Some(repeats))
    }

    /// The figures of every run in a folder of several, from `repeats.csv`. Values alone: intervals are those of the spread.
    pub fn readings(path: &Path, first: &RunResult) -> Result<Vec<Readings>, RepeatsError> {
        let file = path.join("repeats.csv");
        let error = |detail: String| RepeatsError { path: file.display().to_string(), detail };
        let names: Vec<(String, Unit)> =
            super::readings::readings(first).iter().map(|reading| (reading.name.clone(), reading.unit)).collect();
        let mut rows = csv::Reader::from_path(&file).map_err(|problem| error(problem.to_string()))?;
        let header = rows.headers().map_err(|problem| error(problem.to_string()))?.clone();
        let mut runs = Vec::new();
        for row in rows.records() {
            let row = row.map_err(|problem| error(problem.to_string()))?;
            let mut readings = Readings::default();
            for (name, unit) in &names {
                let cell = header.iter().position(|column| column == name).and_then(|column| row.get(column));
                let cell = cell.ok_or_else(|| error(format!("it has no column {name}")))?;
                let value = if cell.is_empty() {
                    None
                } else {
                    Some(cell.parse().map_err(|_| error(format!("{name} is {cell:?}")))?)
                };
                readings.add(Reading::estimate(name, *unit, value, None));
            }
            runs.push(readings);
        }
        if runs.is_empty() { Err(error("it has no row".into())) } else { Ok(runs) }
    }

    /// `repeats.csv`: a row for each run.
    pub fn write_rows(first: &RunResult, rows: &[(u64, Readings)], writer: &mut dyn Write) -> io::Result<()> {
        let names: Vec<&str> =
            rows.first().map_or(Vec::new(), |(_, row)| row.iter().map(|reading| reading.name.as_str()).collect());
        let mut csv = csv::Writer::from_writer(writer);
        csv.write_record([&["game", "rng_seed"], &names[..], &["currency_code"]].concat())?;
        for (rng_seed, row) in rows {
            let mut cells = vec![first.game.file.clone(), rng_seed.to_string()];
            cells.extend(row.iter().map(|cell| figure(cell.value)));
            cells.push(first.game.currency.clone());
            csv.write_record(cells)?;
        }
        csv.flush()
    }

    /// `repeat.json`.
    pub fn to_json_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("plain data");
        bytes.push(b'\n');
        bytes
    }

    /// A row for each figure.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let header = "game,figure,runs,mean,sd,minimum,percentile_5,median,percentile_95,maximum,expected,\
                      expected_is_approximate,currency_code";
        csv.write_record(header.split(',')).expect("memory");
        for spread in &self.figures {
            let mut row = vec![self.game_file.clone(), spread.figure.clone(), spread.runs.to_string()];
            row.extend([Some(spread.mean), spread.sd, Some(spread.minimum), Some(spread.percentile_5)].map(figure));
            row.extend([spread.median, spread.percentile_95, spread.maximum].map(|value| figure(Some(value))));
            row.push(figure(spread.expected));
            row.push(if spread.expected_is_approximate { "yes" } else { "" }.into());
            row.push(self.currency_code.clone());
            csv.write_record(row).expect("memory");
        }
        csv.into_inner().expect("memory")
    }

    /// For a terminal of 80 columns.
    pub fn to_table(&self) -> String {
        let mut lines = vec![cut(&self.game, 80)];
        lines.extend(wrap(&self.sentence(), ""));
        lines.push(String::new());
        lines.extend(table(&HEADER, &self.rows()));
        lines.extend(wrap(&self.note(), ""));
        lines.join("\n") + "\n"
    }

    /// In Markdown.
    pub fn to_markdown(&self) -> String {
        let title = format!("# {}\n\n{}\n\n", markdown::escaped(&self.game), self.sentence());
        title + &markdown::table(&HEADER, &self.rows()) + "\n" + &markdown::escaped(&self.note()) + "\n"
    }

    fn sentence(&self) -> String {
        format!(
            "{} of {} each, rng seeds from {} on; amounts in {}. Nine runs in ten lie between 5 % and 95 %.",
            counted(self.runs as u64, "run"),
            counted(self.spins, "spin"),
            self.rng_seed,
            self.currency_code
        )
    }

    fn note(&self) -> String {
        let mut text = String::from(
            "expected: the mean that runs of this length should show; of a mean amount, in the \
                                     long run; - where nothing is known.",
        );
        if self.figures.iter().any(|spread| spread.expected_is_approximate && spread.expected.is_some()) {
            text += " ~: approximate.";
        }
        text + " result.json is the first run; repeats.csv has a row for each."
    }

    fn rows(&self) -> Vec<Row> {
        (self.figures.iter().filter(|spread| is_headline(&spread.figure)))
            .map(|spread| {
                let show = |value: Option<f64>| spread.cell(value);
                let mut cells: Vec<Cell> = [Some(spread.mean), spread.sd].map(show).into();
                cells.extend([spread.percentile_5, spread.median, spread.percentile_95].map(|value| show(Some(value))));
                let expected = show(spread.expected);
                cells.push(if spread.expected_is_approximate { expected.marked() } else { expected });
                (words(&spread.figure), cells)
            })
            .collect()
    }
}

const HEADER: [&str; 7] = ["figure", "mean", "SD", "5 %", "median", "95 %", "expected"];

impl Spread {
    /// Of a figure over all runs; `None` if no run has it.
    fn new(figures: &[&Reading]) -> Option<Self> {
        let mut values: Vec<f64> = figures.iter().filter_map(|figure| figure.value).collect();
        values.sort_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        let runs = values.len();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let middle = mean(&values);
        let squares = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>();
        // The value below or at which the share of the runs lies.
        let percentile = |share: f64| values[((share * runs as f64).ceil() as usize).clamp(1, runs) - 1];
        let expected: Vec<f64> = figures.iter().filter_map(|figure| figure.expected).collect();
        let stable = |value: f64| significant(value, DERIVED_DIGITS);
        Some(Self {
            figure: figures[0].name.clone(),
            unit: figures[0].unit,
            runs,
            mean: stable(middle),
            sd: (runs > 1).then(|| stable((squares / (runs - 1) as f64).sqrt())),
            minimum: stable(first),
            percentile_5: stable(percentile(0.05)),
            median: stable(percentile(0.5)),
            percentile_95: stable(percentile(0.95)),
            maximum: stable(last),
            expected: (!expected.is_empty()).then(|| stable(mean(&expected))),
            expected_is_approximate: figures.iter().any(|figure| figure.approximate),
        })
    }

    /// A value in the unit that the figure's name ends in.
    fn cell(&self, value: Option<f64>) -> Cell {
        let Some(number) = value else { return Cell::missing() };
        match self.unit {
            Unit::Share => percent(value),
            Unit::Currency => decimal(number, 2),
            Unit::Bets | Unit::LineBets => decimal(number, 4),
            _ if number >= 0.0 && number.fract() == 0.0 => count(number as u64),
            Unit::Number | Unit::Spins | Unit::Days => mean(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::readings::readings;
    use super::super::sample::{huge, sample};
    use super::super::table::layout::columns;
    use super::*;

    fn three() -> (RunResult, Repeats) {
        let first = sample();
        let rows: Vec<_> = (0..3)
            .map(|run| {
                let mut row = Readings::default();
                readings(&first).iter().cloned().for_each(|reading| {
                    let value = if reading.name == "rtp" { Some(0.5 + 0.1 * f64::from(run)) } else { reading.value };
                    row.add(Reading { value, ..reading });
                });
                (7 + u64::try_from(run).unwrap(), row)
            })
            .collect();
        let repeats = Repeats::new(&first, &rows);
        (first, repeats)
    }

    #[test]
    fn a_spread_has_the_figures_counted_by_hand_and_its_expectation() {
        let (_, repeats) = three();
        let total = &repeats.figures[0];
        assert_eq!((total.mean, total.sd, total.median), (0.6, Some(0.1), 0.6));
        assert_eq!((total.percentile_5, total.percentile_95, total.maximum), (0.5, 0.7, 0.7));
        let hits = repeats.figures.iter().find(|spread| spread.figure == "mini.hits").unwrap();
        assert_eq!((hits.mean, hits.sd, hits.expected), (3.0, Some(0.0), Some(4.0)));
    }

    #[test]
    fn the_table_fits_80_columns_and_speaks_in_words() {
        let many = huge();
        let wide = Repeats::new(&many, &[(1, readings(&many)), (2, readings(&many))]);
        for repeats in [three().1, wide] {
            let text = repeats.to_table();
            assert!(text.lines().all(|line| columns(line) <= 80), "{text}");
            assert!(text.contains("mini: accrued, %") && text.contains("expected"), "{text}");
            assert!(!text.contains("_share"), "{text}");
        }
    }

    #[test]
    fn repeats_are_read_as_they_were_written_and_belong_to_their_result() {
        let (first, repeats) = three();
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Repeats::beside(folder.path(), &first).unwrap(), None);
        std::fs::write(folder.path().join(REPEAT_FILE), repeats.to_json_bytes()).unwrap();
        assert_eq!(Repeats::beside(folder.path(), &first).unwrap(), Some(repeats));
        let mut other = first;
        other.plan.rng_seed = 1;
        other.seal();
        assert!(Repeats::beside(folder.path(), &other).unwrap_err().to_string().contains("another result"));
    }
}
