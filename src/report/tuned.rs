//! What `jackpot tune` found: for people, as JSON and as CSV.

use super::markdown;
use super::numbers::figure;
use super::table::layout::{Cell, Row, rule, table, wrap};
use crate::metrics::Unit;
use crate::metrics::quantity::shown;
use serde::Serialize;

/// Version of the layout of the JSON.
const TUNED_SCHEMA: u32 = 1;

/// Values that were found, and the figures that they give.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tuned {
    pub game: String,
    /// Whether every target is met.
    pub feasible: bool,
    pub values: Vec<ValueRow>,
    pub targets: Vec<TargetRow>,
    /// What keeps the targets from being met, in words.
    pub binding: Option<String>,
    /// Games that were worked out.
    pub games_tried: usize,
    /// What the simulated figures are of, in words; `None` if nothing was played.
    pub simulation: Option<String>,
}

/// A value of the game file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueRow {
    pub path: String,
    pub was: Option<String>,
    pub found: String,
    pub range: String,
}

/// A figure that was wanted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetRow {
    pub metric: String,
    pub unit: Unit,
    pub wanted: f64,
    pub tolerance: Option<f64>,
    /// `None` if only runs can tell it.
    pub exact: Option<f64>,
    /// What the search saw: the exact figure, or that of its runs.
    pub found: f64,
    pub met: bool,
    /// Of a run that the search didn't see.
    pub simulated: Option<f64>,
    pub simulated_interval_95: Option<(f64, f64)>,
}

#[derive(Serialize)]
struct Document<'t> {
    tuned_schema: u32,
    jackpot_version: &'static str,
    #[serde(flatten)]
    tuned: &'t Tuned,
}

impl Tuned {
    /// For a terminal of 80 columns.
    pub fn to_table(&self) -> String {
        let mut lines = wrap(&self.sentence(), "  ");
        lines.extend([String::new(), rule("Values")]);
        lines.extend(table(&["value", "was", "found", "searched"], &self.value_rows()));
        lines.extend([String::new(), rule("Targets")]);
        lines.extend(table(&["figure", "wanted", "exact", "simulated", "95 % from", "to"], &self.target_rows()));
        lines.extend(wrap(&self.note(), ""));
        lines.join("\n") + "\n"
    }

    /// In Markdown.
    pub fn to_markdown(&self) -> String {
        let values = markdown::table(&["value", "was", "found", "searched"], &self.value_rows());
        let targets =
            markdown::table(&["figure", "wanted", "exact", "simulated", "95 % from", "to"], &self.target_rows());
        let (title, sentence) = (markdown::escaped(&self.game), markdown::escaped(&self.sentence()));
        format!("# {title}\n\n{sentence}\n\n{values}\n{targets}\n{}\n", markdown::escaped(&self.note()))
    }

    /// As JSON.
    pub fn to_json_bytes(&self) -> Vec<u8> {
        let document = Document { tuned_schema: TUNED_SCHEMA, jackpot_version: env!("CARGO_PKG_VERSION"), tuned: self };
        let mut bytes = serde_json::to_vec_pretty(&document).expect("plain data");
        bytes.push(b'\n');
        bytes
    }

    /// As CSV: a row for each target, with the values that were found.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let header = "game,metric,unit,wanted,tolerance,exact,found,met,simulated,simulated_low_95,simulated_high_95";
        let paths = self.values.iter().map(|value| format!("set {}", value.path));
        csv.write_record(header.split(',').map(str::to_owned).chain(paths)).expect("memory");
        for target in &self.targets {
            let interval = target.simulated_interval_95;
            let mut cells = vec![self.game.clone(), target.metric.clone(), target.unit.name().to_owned()];
            cells.extend([Some(target.wanted), target.tolerance, target.exact, Some(target.found)].map(figure));
            cells.push(target.met.to_string());
            cells.extend([target.simulated, interval.map(|(low, _)| low), interval.map(|(_, high)| high)].map(figure));
            cells.extend(self.values.iter().map(|value| value.found.clone()));
            csv.write_record(cells).expect("memory");
        }
        csv.into_inner().expect("memory")
    }

    fn sentence(&self) -> String {
        match (&self.binding, self.feasible) {
            (Some(binding), false) => format!("{}: NOT met. {binding}. The nearest values are below.", self.game),
            (None, false) => format!("{}: NOT met within the tolerance. The nearest values are below.", self.game),
            (_, true) => format!("{}: every target is met as nearly as the steps of its values allow.", self.game),
        }
    }

    fn note(&self) -> String {
        let tried = match self.games_tried {
            1 => "1 game was worked out.".to_owned(),
            count => format!("{count} games were worked out."),
        };
        match &self.simulation {
            Some(simulation) => format!("{tried} simulated: {simulation}."),
            None => tried,
        }
    }

    fn value_rows(&self) -> Vec<Row> {
        let cell = |text: &str| Cell::new(text.to_owned(), text.to_owned());
        (self.values.iter())
            .map(|value| {
                let was = value.was.as_deref().map_or_else(Cell::missing, cell);
                (value.path.clone(), vec![was, cell(&value.found), cell(&value.range)])
            })
            .collect()
    }

    fn target_rows(&self) -> Vec<Row> {
        (self.targets.iter())
            .map(|target| {
                let cell = |value: Option<f64>| {
                    let text = value.map_or("-".to_owned(), |value| shown(value, target.unit).replace(" x bet", ""));
                    Cell::new(text.clone(), text)
                };
                let exact = target.exact.map_or_else(|| cell(Some(target.found)).marked(), |exact| cell(Some(exact)));
                let interval = target.simulated_interval_95;
                let mut cells = vec![cell(Some(target.wanted)), exact, cell(target.simulated)];
                cells.extend([cell(interval.map(|(low, _)| low)), cell(interval.map(|(_, high)| high))]);
                (target.metric.clone(), cells)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::layout::columns;
    use super::*;

    fn tuned(feasible: bool) -> Tuned {
        Tuned {
            game: "House four-level".into(),
            feasible,
            values: vec![ValueRow {
                path: "grand.contribution".into(),
                was: Some("0.25%".into()),
                found: "0.3178%".into(),
                range: "0% to 100% by 0.0001%".into(),
            }],
            targets: vec![TargetRow {
                metric: "p99(grand.liability)".into(),
                unit: Unit::Currency,
                wanted: 50_000.0,
                tolerance: None,
                exact: None,
                found: 50_001.25,
                met: feasible,
                simulated: Some(49_000.5),
                simulated_interval_95: Some((48_000.0, 51_000.0)),
            }],
            binding: (!feasible).then(|| "grand.contribution is at its bound".into()),
            games_tried: 12,
            simulation: Some("100 runs of 1,000,000 spins".into()),
        }
    }

    #[test]
    fn the_table_fits_80_columns_and_says_whether_it_is_met() {
        for feasible in [true, false] {
            let text = tuned(feasible).to_table();
            assert!(text.lines().all(|line| columns(line) <= 80), "{text}");
            assert!(text.contains("0.3178%") && text.contains("~50,001.25") && text.contains("12 games"), "{text}");
            assert_eq!(text.contains("NOT met"), !feasible);
        }
    }

    #[test]
    fn files_hold_what_was_found() {
        let json: serde_json::Value = serde_json::from_slice(&tuned(true).to_json_bytes()).unwrap();
        assert_eq!(
            (&json["values"][0]["found"], &json["targets"][0]["exact"]),
            (&"0.3178%".into(), &serde_json::Value::Null)
        );
        let csv = String::from_utf8(tuned(true).to_csv()).unwrap();
        assert!(csv.lines().nth(1).unwrap().ends_with("50001.25,true,49000.5,48000,51000,0.3178%"), "{csv}");
    }
}
