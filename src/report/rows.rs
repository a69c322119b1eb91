//! Rows of a sweep: CSV with one header, or a JSON object a line.

use super::numbers::figure;
use super::sealed::DERIVED_DIGITS;
use crate::metrics::Readings;
use crate::metrics::catalogue::is_headline;
use serde_json::{Map, Value};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    Csv,
    JsonLines,
}

/// The columns of a sweep: they depend on the games and what varies alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    format: RowFormat,
    paths: Vec<String>,
    exact: Vec<String>,
    run: Vec<String>,
}

/// What is known of one point.
#[derive(Debug, Clone)]
pub struct PointRow {
    pub game: String,
    /// Position in the grid, from 0.
    pub point: u64,
    pub values: Vec<String>,
    pub outcome: Result<PointFigures, String>,
}

/// The figures of a point.
#[derive(Debug, Clone)]
pub struct PointFigures {
    /// SHA-256 of the changed game file's text.
    pub sha256: String,
    pub exact: Readings,
    /// (spins, rng seed, figures) of its run.
    pub run: Option<(u64, u64, Readings)>,
}

/// Figures of pools are left to `jackpot exact` and `run`.
fn is_shown(name: &str) -> bool {
    !name.contains('@')
}

impl Columns {
    /// From the figures of one point of each game; later games may have other levels.
    pub fn new(format: RowFormat, paths: Vec<String>, samples: &[PointFigures]) -> Self {
        let mut columns = Self { format, paths, exact: Vec::new(), run: Vec::new() };
        let add = |list: &mut Vec<String>, name: &str| {
            if !list.iter().any(|known| known == name) {
                list.push(name.to_owned());
            }
        };
        for sample in samples {
            sample.exact.iter().filter(|reading| is_shown(&reading.name)).for_each(|reading| {
                add(&mut columns.exact, &reading.name);
            });
            let run = sample.run.iter().flat_map(|(.., readings)| readings.iter());
            run.filter(|reading| is_headline(&reading.name)).for_each(|reading| add(&mut columns.run, &reading.name));
        }
        columns
    }

    /// The first line, if there is one.
    pub fn header(&self) -> String {
        if self.format == RowFormat::JsonLines {
            return String::new();
        }
        let mut names: Vec<String> = ["game", "point"].map(String::from).to_vec();
        names.extend(self.paths.iter().map(|path| format!("set {path}")));
        names.extend(["error", "game_sha256"].map(String::from));
        names.extend(self.exact.iter().map(|name| format!("exact {name}")));
        if !self.run.is_empty() {
            names.extend(["spins", "rng_seed"].map(String::from));
        }
        names.extend(
            self.run.iter().flat_map(|name| [name.clone(), format!("{name} low_95"), format!("{name} high_95")]),
        );
        csv_line(&names)
    }

    /// A row.
    pub fn row(&self, row: &PointRow) -> String {
        match self.format {
            RowFormat::Csv => self.csv(row),
            RowFormat::JsonLines => json(row),
        }
    }

    fn csv(&self, row: &PointRow) -> String {
        let mut cells = vec![row.game.clone(), row.point.to_string()];
        cells.extend(row.values.iter().cloned());
        let figures = row.outcome.as_ref();
        cells.push(figures.err().cloned().unwrap_or_default());
        let figures = figures.ok();
        cells.push(figures.map_or(String::new(), |figures| figures.sha256.clone()));
        let exact = |name: &String| figures.and_then(|figures| figures.exact.value(name));
        cells.extend(self.exact.iter().map(|name| figure(exact(name))));
        let run = figures.and_then(|figures| figures.run.as_ref());
        if !self.run.is_empty() {
            cells.push(run.map_or(String::new(), |(spins, ..)| spins.to_string()));
            cells.push(run.map_or(String::new(), |(_, seed, _)| seed.to_string()));
        }
        for name in &self.run {
            let reading = run.and_then(|(.., readings)| readings.get(name));
            let interval = reading.and_then(|reading| reading.interval);
            cells.push(figure(reading.and_then(|reading| reading.value)));
            cells.push(figure(interval.map(|(low, _)| low)));
            cells.push(figure(interval.map(|(_, high)| high)));
        }
        csv_line(&cells)
    }
}

fn csv_line(cells: &[String]) -> String {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(cells).expect("memory takes every byte");
    String::from_utf8(csv.into_inner().expect("memory takes every byte")).expect("text")
}

fn json(row: &PointRow) -> String {
    let number = |value: Option<f64>| {
        let value = value.filter(|value| value.is_finite());
        value.map_or(Value::Null, |value| super::numbers::significant(value, DERIVED_DIGITS).into())
    };
    let mut object = Map::new();
    object.insert("game".into(), row.game.clone().into());
    object.insert("point".into(), row.point.into());
    object.insert("set".into(), row.values.clone().into());
    match &row.outcome {
        Err(error) => {
            object.insert("error".into(), error.clone().into());
        }
        Ok(figures) => {
            object.insert("game_sha256".into(), figures.sha256.clone().into());
            let exact = figures.exact.iter().filter(|reading| is_shown(&reading.name));
            let exact: Map<String, Value> =
                exact.map(|reading| (reading.name.clone(), number(reading.value))).collect();
            object.insert("exact".into(), exact.into());
            if let Some((spins, rng_seed, readings)) = &figures.run {
                object.insert("spins".into(), (*spins).into());
                // As text, since it may pass 2^53.
                object.insert("rng_seed".into(), rng_seed.to_string().into());
                let run = readings.iter().filter(|reading| is_headline(&reading.name)).map(|reading| {
                    let interval =
                        reading.interval.map(|(low, high)| Value::from(vec![number(Some(low)), number(Some(high))]));
                    let own = serde_json::json!({ "value": number(reading.value), "interval_95": interval });
                    (reading.name.clone(), own)
                });
                object.insert("run".into(), run.collect::<Map<String, Value>>().into());
            }
        }
    }
    Value::from(object).to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Reading, Unit};

    fn figures() -> PointFigures {
        let mut exact = Readings::default();
        exact.add(Reading::exact("rtp", Unit::Share, Some(0.95)));
        exact.add(Reading::exact("mini@0.amount_mean", Unit::Currency, Some(5.0)));
        let mut run = Readings::default();
        run.add(Reading::estimate("rtp", Unit::Share, Some(0.94), Some((0.93, 0.95))));
        PointFigures { sha256: "ab".into(), exact, run: Some((10, u64::MAX, run)) }
    }

    fn row(outcome: Result<PointFigures, String>) -> PointRow {
        PointRow { game: "house".into(), point: 3, values: vec!["[1, 2]".into()], outcome }
    }

    #[test]
    fn every_row_has_the_cells_of_the_header() {
        let columns = Columns::new(RowFormat::Csv, vec!["bets.mix".into()], &[figures()]);
        assert_eq!(
            columns.header(),
            "game,point,set bets.mix,error,game_sha256,exact rtp,spins,rng_seed,rtp,rtp low_95,rtp high_95\n"
        );
        assert_eq!(
            columns.row(&row(Ok(figures()))),
            "house,3,\"[1, 2]\",,ab,0.95,10,18446744073709551615,0.94,0.93,0.95\n"
        );
        assert_eq!(columns.row(&row(Err("bad".into()))), "house,3,\"[1, 2]\",bad,,,,,,,\n");
    }

    #[test]
    fn json_rows_are_objects_on_a_line() {
        let columns = Columns::new(RowFormat::JsonLines, vec!["bets.mix".into()], &[figures()]);
        assert_eq!(columns.header(), "");
        let text = columns.row(&row(Ok(figures())));
        let value: Value = serde_json::from_str(text.trim_end()).unwrap();
        assert_eq!((&value["exact"]["rtp"], &value["rng_seed"]), (&0.95.into(), &"18446744073709551615".into()));
        assert_eq!(value["run"]["rtp"]["interval_95"][1], 0.95);
        assert_eq!(text.matches('\n').count(), 1);
        let bad: Value = serde_json::from_str(columns.row(&row(Err("bad".into()))).trim_end()).unwrap();
        assert_eq!(bad["error"], "bad");
    }
}
