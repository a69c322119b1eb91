//! A list of short cells with a longer text behind them, in every format.

use super::markdown;
use super::table::layout::{columns, wrap};

/// Rows under a header.
pub struct Listing {
    pub header: Vec<&'static str>,
    /// What the longer text is.
    pub text: &'static str,
    pub rows: Vec<Row>,
}

/// One row.
pub struct Row {
    pub cells: Vec<String>,
    pub text: String,
}

impl Listing {
    /// For a terminal of 80 columns; without the first column unless it says something.
    pub fn to_table(&self, with_first: bool) -> String {
        let from = usize::from(!with_first);
        let all = || self.rows.iter().map(|row| row.cells.iter().skip(from).map(String::as_str).collect::<Vec<_>>());
        let header: Vec<&str> = self.header.iter().skip(from).copied().collect();
        let width = |place: usize| {
            let cells = all().map(|cells| columns(cells.get(place).unwrap_or(&"")));
            cells.chain([columns(header[place])]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let line = |cells: &[&str]| {
            let padded = cells.iter().zip(&widths).map(|(cell, width)| {
                let missing = width.saturating_sub(columns(cell));
                format!("{cell}{}", " ".repeat(missing))
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut lines = vec![line(&header)];
        for (cells, row) in all().zip(&self.rows) {
            lines.push(line(&cells));
            lines.extend(wrap(&row.text, "").into_iter().map(|text| format!("    {text}")));
        }
        lines.join("\n") + "\n"
    }

    /// An array of objects, their keys as in the CSV.
    pub fn to_json(&self) -> String {
        let objects: Vec<serde_json::Map<String, serde_json::Value>> = self
            .rows
            .iter()
            .map(|row| {
                let cells = self.keys().into_iter().zip(row.cells.iter().chain([&row.text]));
                cells.map(|(key, cell)| (key, cell.clone().into())).collect()
            })
            .collect();
        serde_json::to_string_pretty(&objects).expect("plain data") + "\n"
    }

    /// As CSV.
    pub fn to_csv(&self) -> String {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(self.keys()).expect("memory");
        self.rows.iter().for_each(|row| csv.write_record(row.cells.iter().chain([&row.text])).expect("memory"));
        String::from_utf8(csv.into_inner().expect("memory")).expect("text")
    }

    /// As a Markdown table.
    pub fn to_markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let header: Vec<String> = self.header.iter().chain([&self.text]).map(ToString::to_string).collect();
        let rule = line(vec!["---".into(); header.len()]);
        let rows = self
            .rows
            .iter()
            .map(|row| line(row.cells.iter().chain([&row.text]).map(|cell| markdown::escaped(cell)).collect()));
        line(header) + &rule + &rows.collect::<String>()
    }

    fn keys(&self) -> Vec<String> {
        self.header.iter().chain([&self.text]).map(|title| title.replace(' ', "_")).collect()
    }
}
