//! What a command prints of its results: for people as they come, for programs one document of all of them.

use super::arguments::FormatArgument;
use super::failure::Failure;
use crate::report::repeats::Repeats;
use crate::report::result::RunResult;
use crate::report::{self, Format};

/// Prints the results of one command.
pub struct Printer {
    format: Format,
    /// Whether more than one game was asked for.
    several: bool,
    /// Whether anything was shown.
    shown: bool,
    objects: Vec<Vec<u8>>,
    /// Each table with the rows of all games so far.
    tables: Vec<Vec<u8>>,
}

impl Printer {
    /// For so many games.
    pub fn new(argument: FormatArgument, games: usize) -> Self {
        let format = match argument {
            FormatArgument::Table => Format::Table,
            FormatArgument::Json => Format::Json,
            FormatArgument::Csv => Format::Csv,
            FormatArgument::Md => Format::Markdown,
        };
        Self { format, several: games > 1, shown: false, objects: Vec::new(), tables: Vec::new() }
    }

    /// A result of one run.
    pub fn result(&mut self, result: &RunResult) -> Result<(), Failure> {
        if self.format == Format::Csv {
            self.rows(report::tables(result));
            return Ok(());
        }
        let mut text = Vec::new();
        report::render(self.format, result, &mut text)
            .map_err(|error| Failure::Output { path: "standard output".into(), error })?;
        self.document(text)
    }

    /// How the figures of several runs spread.
    pub fn repeats(&mut self, repeats: &Repeats) -> Result<(), Failure> {
        match self.format {
            Format::Csv => {
                self.rows(vec![repeats.to_csv()]);
                Ok(())
            }
            Format::Json => self.document(repeats.to_json_bytes()),
            Format::Table => self.document(repeats.to_table().into_bytes()),
            Format::Markdown => self.document(repeats.to_markdown().into_bytes()),
        }
    }

    /// Whether this is the format that people read in a terminal.
    pub fn is_table(&self) -> bool {
        self.format == Format::Table
    }

    /// Whether people read it.
    pub fn is_text(&self) -> bool {
        matches!(self.format, Format::Table | Format::Markdown)
    }

    fn document(&mut self, text: Vec<u8>) -> Result<(), Failure> {
        if !self.is_text() {
            self.objects.push(text);
            return Ok(());
        }
        if self.shown {
            super::print(b"\n")?;
        }
        self.shown = true;
        super::print(&text)
    }

    /// Rows of another game go under the header that stands already.
    fn rows(&mut self, tables: Vec<Vec<u8>>) {
        if self.tables.is_empty() {
            self.tables = tables;
            return;
        }
        for (all, table) in self.tables.iter_mut().zip(&tables) {
            let header = table.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            all.extend_from_slice(&table[header..]);
        }
    }

    /// Prints what was held back.
    pub fn finish(self) -> Result<(), Failure> {
        match self.format {
            Format::Table | Format::Markdown => Ok(()),
            Format::Csv => super::print(&self.tables.join(&b"\n"[..])),
            Format::Json if self.several => {
                let objects: Vec<&[u8]> = self.objects.iter().map(|object| object.trim_ascii_end()).collect();
                super::print(&[b"[\n", &objects.join(&b",\n"[..])[..], b"\n]\n"].concat())
            }
            Format::Json => super::print(&self.objects.concat()),
        }
    }
}
