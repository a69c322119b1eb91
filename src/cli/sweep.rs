//! `jackpot sweep`: every combination of some values of game files, a row each.

use super::arguments::{RowFormatArgument, SweepArguments};
use super::failure::{Failure, show_diagnostic};
use super::output::refuse_file;
use super::points::Player;
use super::progress::{Count, catch_interrupts, interrupted};
use crate::config::{ConfigError, Severity};
use crate::money::Grouped;
use crate::report::rows::{Columns, PointFigures, PointRow, RowFormat};
use crate::tune::evaluate::{Variation, Workbench};
use crate::tune::sweep::Grid;
use rayon::prelude::*;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

/// Points that are worked out between two writes.
const BLOCK: u64 = 256;

/// Bad points that are told in full.
const TOLD_MAX: u64 = 5;

/// Works out every point. A bad one has its error in its row and doesn't stop the others; the worst code is returned.
pub fn sweep(arguments: &SweepArguments) -> Result<u8, Failure> {
    let grid = Grid::new(&arguments.vary).map_err(|errors| Failure::Usage(errors.join("\nerror: ")))?;
    if let Some(file) = arguments.out.as_ref().filter(|file| !(arguments.resume && file.exists())) {
        refuse_file(file, arguments.force).map_err(|failure| match failure {
            Failure::Usage(text) if file.is_file() => {
                Failure::Usage(format!("{text}; go on with an interrupted sweep with --resume"))
            }
            other => other,
        })?;
    }
    catch_interrupts();
    let clock = Instant::now();
    let mut code = 0;
    let mut games = Vec::new();
    for path in &arguments.games {
        match Workbench::open(path, &arguments.set.set) {
            Ok(game) => games.push(game),
            Err(error) => {
                show_diagnostic(&error);
                code = 2;
            }
        }
    }
    if games.is_empty() {
        return Ok(code);
    }
    let mut sweep = Sweep::new(arguments, &grid, games)?;
    let done = sweep.work()?;
    if !arguments.quiet {
        let bad = if sweep.bad > 0 { format!(", {} of them bad", Grouped(sweep.bad.into())) } else { String::new() };
        let noun = if done == 1 { "point" } else { "points" };
        eprintln!("{} {noun}{bad} in {:.2} s", Grouped(done.into()), clock.elapsed().as_secs_f64());
    }
    if interrupted() {
        return Err(Failure::Incomplete(match &arguments.out {
            Some(file) => format!(
                "interrupted after {} of {} points\n  help: go on with the same command and --resume; {} holds them",
                Grouped(sweep.next.into()),
                Grouped(sweep.total().into()),
                file.display()
            ),
            None => "interrupted".into(),
        }));
    }
    Ok(code.max(if sweep.bad > 0 { 2 } else { 0 }))
}

struct Sweep<'a> {
    arguments: &'a SweepArguments,
    grid: &'a Grid,
    games: Vec<Workbench>,
    player: Player,
    columns: Columns,
    /// The next point of all games.
    next: u64,
    bad: u64,
}

impl<'a> Sweep<'a> {
    fn new(arguments: &'a SweepArguments, grid: &'a Grid, games: Vec<Workbench>) -> Result<Self, Failure> {
        let player = Player::new(arguments.spins, arguments.threads)?;
        let paths = grid.paths().map(str::to_owned).collect();
        let format = match (arguments.format, arguments.out.as_ref().and_then(|file| file.extension())) {
            (Some(RowFormatArgument::Jsonl), _) => RowFormat::JsonLines,
            (None, Some(ending)) if ending == "jsonl" || ending == "ndjson" => RowFormat::JsonLines,
            _ => RowFormat::Csv,
        };
        let columns = Columns::new(format, Vec::new(), &[]);
        let mut sweep = Self { arguments, grid, games, player, columns, next: 0, bad: 0 };
        let mut samples = Vec::new();
        for game in 0..sweep.games.len() {
            samples.extend(sweep.sample(game)?);
        }
        sweep.columns = Columns::new(format, paths, &samples);
        Ok(sweep)
    }

    /// The figures of a game's first good point, which tell the columns; its play is ready for all points then.
    fn sample(&self, game: usize) -> Result<Option<PointFigures>, Failure> {
        let good = (0..self.grid.len()).find_map(|point| {
            let changes = self.grid.point(point).changes;
            self.games[game].variation(&changes).ok()
        });
        let Some(variation) = good else { return Ok(None) };
        if !self.arguments.exact_only {
            self.player.prepare(
                &variation,
                self.arguments.seed,
                &self.games[game].file().stem(),
                self.arguments.quiet,
            )?;
        }
        self.figures(&variation).map(Some)
    }

    fn figures(&self, variation: &Variation) -> Result<PointFigures, Failure> {
        let run = match self.arguments.exact_only {
            true => None,
            false => {
                let seed = self.arguments.seed;
                Some((self.arguments.spins, seed, self.player.readings(variation, seed)?))
            }
        };
        Ok(PointFigures { sha256: variation.model.sha256.clone(), exact: variation.readings(), run })
    }

    fn total(&self) -> u64 {
        self.grid.len() * self.games.len() as u64
    }

    /// The row of a point, and its findings if it is bad.
    fn row(&self, place: u64) -> Result<(PointRow, Option<ConfigError>), Failure> {
        let (game, point) = ((place / self.grid.len()) as usize, place % self.grid.len());
        let game = &self.games[game];
        let own = self.grid.point(point);
        let row = |outcome| PointRow { game: game.file().stem(), point, values: own.values.clone(), outcome };
        match game.variation(&own.changes) {
            Ok(variation) => Ok((row(Ok(self.figures(&variation)?)), None)),
            Err(error) => Ok((row(Err(in_short(&error))), Some(error))),
        }
    }

    /// Works out all points that are not written yet, and writes them in order. How many.
    fn work(&mut self) -> Result<u64, Failure> {
        let mut out = match &self.arguments.out {
            Some(file) => Out::File(self.open(file)?),
            None => {
                super::print(self.columns.header().as_bytes())?;
                Out::Stdout
            }
        };
        let from = self.next;
        let bar = Count::new("sweep", self.total(), self.arguments.quiet);
        while self.next < self.total() && !interrupted() {
            let block = self.next..(self.next + BLOCK).min(self.total());
            let rows: Vec<_> = self.player.threads().install(|| {
                // Of an interrupted block only what stands before the first missing row is written.
                block.into_par_iter().map(|place| if interrupted() { None } else { Some(self.row(place)) }).collect()
            });
            let mut text = String::new();
            for row in rows.into_iter().map_while(|row| row) {
                let (row, findings) = match row {
                    Err(Failure::Incomplete(_)) if interrupted() => break,
                    other => other?,
                };
                text += &self.columns.row(&row);
                self.next += 1;
                if let Some(findings) = findings {
                    self.bad += 1;
                    if self.bad <= TOLD_MAX {
                        show_diagnostic(&findings);
                    }
                }
            }
            out.write(&text, self.arguments.out.as_deref())?;
            bar.at(self.next);
        }
        bar.finish();
        if self.bad > TOLD_MAX {
            eprintln!("{} more bad points: their errors stand in their rows", Grouped((self.bad - TOLD_MAX).into()));
        }
        Ok(self.next - from)
    }

    /// The file to write to, behind the whole rows that an interrupted sweep left in it.
    fn open(&mut self, path: &Path) -> Result<File, Failure> {
        let failure = |error: io::Error| Failure::Output { path: path.to_path_buf(), error };
        let header = self.columns.header();
        let resumed = self.arguments.resume && path.exists();
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(!resumed).open(path).map_err(failure)?;
        if !resumed {
            file.write_all(header.as_bytes()).map_err(failure)?;
            return Ok(file);
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failure)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole == 0 || (text.len() < header.len() && header.starts_with(&text)) {
            file.set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| file.write_all(header.as_bytes()))
                .map_err(failure)?;
            return Ok(file);
        }
        let refuse = |why: String| {
            let help = "help: resume with the command that began it, or replace the file with --force";
            Failure::Usage(format!("{} is not of this sweep: {why}\n  {help}", path.display()))
        };
        let rows: Vec<&str> = match text[..whole].strip_prefix(&header) {
            Some(rows) => split_rows(rows),
            None => return Err(refuse("its columns are others".into())),
        };
        if rows.len() as u64 > self.total() {
            return Err(refuse(format!("it has {} rows, the grid {} points", rows.len(), self.total())));
        }
        // The first and the last row are worked out again: they hold game, values, spins, rng seed and version's figures.
        for place in [0, rows.len().saturating_sub(1)] {
            if let Some(row) = rows.get(place) {
                let anew = self.columns.row(&self.row(place as u64)?.0);
                if *row != anew {
                    return Err(refuse(format!("its row {} has other values or figures", place + 1)));
                }
            }
        }
        self.next = rows.len() as u64;
        let written = header.len() + rows.iter().map(|row| row.len()).sum::<usize>();
        self.bad = rows.iter().filter(|row| self.is_bad(row)).count() as u64;
        file.set_len(written as u64).and_then(|()| file.seek(SeekFrom::End(0)).map(drop)).map_err(failure)?;
        if !self.arguments.quiet {
            eprintln!("going on behind {} rows of {}", Grouped(self.next.into()), path.display());
        }
        Ok(file)
    }

    fn is_bad(&self, row: &str) -> bool {
        if let Some(object) = row.strip_prefix('{') {
            return object.contains("\"error\":");
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row.as_bytes());
        let error_at = 2 + self.grid.paths().count();
        reader.records().next().is_some_and(|record| record.is_ok_and(|cells| !cells[error_at].is_empty()))
    }
}

/// Rows with their line ends; a line end within quotes is none.
fn split_rows(text: &str) -> Vec<&str> {
    let (mut rows, mut start, mut quoted) = (Vec::new(), 0, false);
    let json = text.starts_with('{');
    for (at, sign) in text.char_indices() {
        quoted ^= sign == '"' && !json;
        if sign == '\n' && !quoted {
            rows.push(&text[start..=at]);
            start = at + 1;
        }
    }
    rows
}

/// All findings of a point on one line.
pub fn in_short(error: &ConfigError) -> String {
    let findings = error.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let told: Vec<String> = findings.map(|finding| format!("{}: {}", finding.message, finding.expected)).collect();
    if told.is_empty() { error.to_string() } else { told.join("; ") }
}

enum Out {
    Stdout,
    File(File),
}

impl Out {
    fn write(&mut self, text: &str, path: Option<&Path>) -> Result<(), Failure> {
        match self {
            Self::Stdout => super::print(text.as_bytes()),
            Self::File(file) => (file.write_all(text.as_bytes()).and_then(|()| file.flush()))
                .map_err(|error| Failure::Output { path: path.unwrap_or(Path::new("")).to_path_buf(), error }),
        }
    }
}
