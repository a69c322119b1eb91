//! A comparison for people, as JSON, and as CSV.

use super::super::markdown;
use super::super::numbers::figure;
use super::super::table::layout::{Cell, Row, columns, cut, rule, table, wrap};
use super::{Diff, Difference, Verdict};
use crate::metrics::Unit;
use crate::metrics::catalogue::words;
use crate::metrics::quantity::shown;
use crate::money::Grouped;

/// Most changes that are listed.
const CHANGES_SHOWN: usize = 40;

const HEADER: [&str; 6] = ["figure", "A", "B", "B - A", "± 95 %", "verdict"];

impl Diff {
    /// For a terminal of 80 columns.
    pub fn to_table(&self) -> String {
        let mut lines = vec![cut(&format!("A: {}", self.a), 80), cut(&format!("B: {}", self.b), 80)];
        lines.extend(wrap(&self.sentence(), "  "));
        lines.extend([String::new(), rule("What changed")]);
        lines.extend(self.change_lines());
        lines.extend([String::new(), rule("Figures")]);
        let rows = self.rows();
        if !rows.is_empty() {
            lines.extend(table(&HEADER, &rows));
        }
        lines.extend(wrap(&self.note(), ""));
        lines.join("\n") + "\n"
    }

    /// In Markdown.
    pub fn to_markdown(&self) -> String {
        let escaped = markdown::escaped;
        let mut text = format!("# {} → {}\n\n{}\n\n", escaped(&self.a), escaped(&self.b), escaped(&self.sentence()));
        self.change_lines().iter().for_each(|line| text += &format!("- {}\n", escaped(line.trim())));
        text += &format!("\n{}\n{}\n", markdown::table(&HEADER, &self.rows()), escaped(&self.note()));
        text
    }

    /// As JSON.
    pub fn to_json_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("plain data");
        bytes.push(b'\n');
        bytes
    }

    /// As CSV: every figure.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let header = "metric,unit,a,b,difference,difference_low_95,difference_high_95,verdict,paired";
        csv.write_record(header.split(',')).expect("memory");
        for own in &self.figures {
            let interval = own.interval_95;
            let mut cells = vec![own.name.clone(), own.unit.name().to_owned()];
            cells.extend([own.a, own.b, own.difference].map(figure));
            cells.extend([interval.map(|(low, _)| low), interval.map(|(_, high)| high)].map(figure));
            cells.extend([own.verdict.words().to_owned(), own.paired.to_string()]);
            csv.write_record(cells).expect("memory");
        }
        csv.into_inner().expect("memory")
    }

    fn sentence(&self) -> String {
        let of = |verdict| self.count(verdict);
        let differing = match of(Verdict::Differs) {
            0 => "No figure differs".to_owned(),
            1 => "1 figure differs".to_owned(),
            count => format!("{count} figures differ"),
        };
        let noise = match of(Verdict::WithinNoise) {
            0 => String::new(),
            count => format!(", {count} within noise"),
        };
        format!("{differing}{noise}, {} the same. Compared are {}.", of(Verdict::Same), self.basis)
    }

    fn change_lines(&self) -> Vec<String> {
        if self.changes.is_empty() {
            return vec!["nothing in the game and the plan".into()];
        }
        let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "(not there)".into());
        let shown = self.changes.iter().take(CHANGES_SHOWN);
        let mut lines: Vec<String> = shown
            .flat_map(|change| {
                let line = format!("{}: {} → {}", change.what, side(&change.a), side(&change.b));
                if columns(&line) <= 80 { vec![line] } else { wrap(&line, "  ") }
            })
            .collect();
        let more = self.changes.len().saturating_sub(CHANGES_SHOWN);
        if more > 0 {
            lines.push(format!("and {} more", Grouped(more as u128)));
        }
        lines
    }

    fn note(&self) -> String {
        let mut text = String::from(
            "95 %: the difference lies within this of B - A; - where no interval is known, as for facts of a run.",
        );
        if self.figures.iter().any(|own| own.paired && own.verdict != Verdict::Same) {
            text += " =: from pairs of the same random numbers.";
        }
        for note in &self.notes {
            text += &format!(" Note: {note}.");
        }
        text + " Figures that are the same are left out; pools are compared by `--format json` of each."
    }

    fn rows(&self) -> Vec<Row> {
        self.figures.iter().filter(|own| own.verdict != Verdict::Same).map(row).collect()
    }
}

fn row(own: &Difference) -> Row {
    let text = |value: f64| match own.unit {
        Unit::Share => format!("{:.4} %", value * 100.0),
        _ => shown(value, own.unit).replace(" x bet", "").replace(" days", ""),
    };
    let cell = |value: Option<f64>| {
        let text = value.map_or("-".to_owned(), text);
        Cell::new(text.clone(), text.replace(" %", ""))
    };
    let signed = own.difference.map(|value| format!("{}{}", if value > 0.0 { "+" } else { "" }, text(value)));
    let signed = signed.unwrap_or_else(|| "-".into());
    let half = own.interval_95.map(|(low, high)| (high - low) / 2.0).filter(|half| *half > 0.0);
    let half = match half {
        Some(half) if own.paired => {
            Cell::new(format!("= {}", text(half)), format!("={}", text(half).replace(" %", "")))
        }
        other => cell(other),
    };
    let verdict = match own.verdict {
        Verdict::Differs => "DIFFERS",
        other => other.words(),
    };
    let cells = vec![
        cell(own.a),
        cell(own.b),
        Cell::new(signed.clone(), signed.replace(" %", "")),
        half,
        Cell::new(verdict.into(), verdict.replace("within ", "").replace("not known", "-")),
    ];
    (words(&own.name), cells)
}

#[cfg(test)]
mod tests {
    use super::super::{Change, Diff};
    use crate::metrics::{Reading, Readings, Unit};
    use crate::report::table::layout::columns;

    fn diff() -> Diff {
        let of = |rtp: f64, amount: f64| {
            let mut readings = Readings::default();
            readings.add(Reading::exact("rtp", Unit::Share, Some(rtp)));
            readings.add(Reading::exact("grand.amount_mean", Unit::Currency, Some(amount)));
            readings
        };
        let changes = vec![
            Change { what: "grand.contribution".into(), a: Some("0.25%".into()), b: Some("0.3%".into()) },
            Change { what: "grand.cap".into(), a: None, b: Some("long ".repeat(40)) },
        ];
        Diff::of_games(("House four-level", &of(0.9, 1e6)), ("Mine", &of(0.91, 1.2e7)), changes)
    }

    #[test]
    fn a_comparison_fits_80_columns_and_speaks_in_words() {
        let text = diff().to_table();
        assert!(text.lines().all(|line| columns(line) <= 80), "{text}");
        for part in ["0.25% → 0.3%", "(not there)", "DIFFERS", "grand: mean amount", "2 figures differ"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn files_hold_every_figure() {
        let json: serde_json::Value = serde_json::from_slice(&diff().to_json_bytes()).unwrap();
        assert_eq!(
            (&json["figures"][0]["difference"], &json["changes"][0]["what"]),
            (&0.01.into(), &"grand.contribution".into())
        );
        let csv = String::from_utf8(diff().to_csv()).unwrap();
        assert!(csv.contains("rtp,share,0.9,0.91,0.01,0.01,0.01,differs,false"), "{csv}");
    }
}
