//! `jackpot metrics`: every name that assertions, targets and sweeps know.

use super::arguments::{FormatArgument, MetricsArguments};
use super::assemble::par_sheet_from;
use super::exact::readings_of_sheet;
use super::failure::Failure;
use crate::exact::base::BaseFigures;
use crate::metrics::catalogue::{CATALOGUE, Scope, definition, of_a_run};
use crate::metrics::quantity::shown;
use crate::metrics::{Reading, Unit};
use crate::report::listing::{Listing, Row};
use crate::tune::figures;

/// Spins of the run that a sheet foretells; no metric depends on it.
const SPINS: u64 = 1_000_000;

/// Prints the names of all games, or those of the given ones with their exact values.
pub fn metrics(arguments: &MetricsArguments) -> Result<u8, Failure> {
    let mut code = 0;
    let mut rows = Vec::new();
    if arguments.games.is_empty() {
        rows.extend(CATALOGUE.iter().map(|entry| {
            let name = match entry.scope {
                Scope::Game => entry.name.to_owned(),
                Scope::Level => format!("LEVEL.{}", entry.name),
            };
            let from = match (entry.exact, entry.run) {
                (true, true) => "exact, run",
                (true, false) => "exact",
                _ => "run",
            };
            Row { cells: vec![name, entry.unit.name().into(), from.into()], text: entry.meaning.into() }
        }));
    }
    for path in &arguments.games {
        match super::job::load(path, &arguments.set) {
            Ok(model) => {
                let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
                let sheet = par_sheet_from(&model, &base, SPINS, None);
                let readings = readings_of_sheet(&sheet, figures::readings(&model, &base));
                let label = |reading: &Reading| {
                    let label =
                        sheet.metrics().find(|metric| metric.key == reading.name).map(|metric| metric.label.clone());
                    definition(&reading.name).map_or(label.unwrap_or_default(), |entry| entry.meaning.to_owned())
                };
                let levels: Vec<&str> = model.jackpots.levels.iter().map(|level| level.name.as_str()).collect();
                rows.extend(readings.iter().map(|reading| row(&model.file_name, reading, label(reading))));
                rows.extend(of_runs_alone(&levels).map(|(name, unit, meaning)| Row {
                    cells: vec![model.file_name.clone(), name, unit.name().into(), "of a run".into()],
                    text: meaning.into(),
                }));
            }
            Err(failure) => {
                failure.print();
                code = code.max(failure.exit_code());
            }
        }
    }
    let listing = match arguments.games.is_empty() {
        true => Listing { header: vec!["name", "unit", "known from"], text: "meaning", rows },
        false => Listing { header: vec!["game", "name", "unit", "exact value"], text: "meaning", rows },
    };
    let text = match arguments.format {
        FormatArgument::Table => listing.to_table(arguments.games.len() > 1 || arguments.games.is_empty()),
        FormatArgument::Json => listing.to_json(),
        FormatArgument::Csv => listing.to_csv(),
        FormatArgument::Md => listing.to_markdown(),
    };
    if !listing.rows.is_empty() {
        super::print(text.as_bytes())?;
    }
    Ok(code)
}

fn row(game: &str, reading: &Reading, text: String) -> Row {
    let value =
        reading.value.map_or_else(|| reading.lack.unwrap_or("-").to_owned(), |value| shown(value, reading.unit));
    Row { cells: vec![game.to_owned(), reading.name.clone(), reading.unit.name().into(), value], text }
}

/// Names that only a run can tell, of the game and of each level.
fn of_runs_alone<'l>(levels: &'l [&str]) -> impl Iterator<Item = (String, Unit, &'static str)> + 'l {
    let runs = || CATALOGUE.iter().filter(|entry| entry.run && !entry.exact);
    let of_game = runs().filter(|entry| entry.scope == Scope::Game).map(|entry| (entry.name.to_owned(), entry));
    let named: Vec<(&str, usize)> = levels.iter().map(|level| (*level, 1)).collect();
    let of_levels = levels.iter().flat_map(move |level| {
        runs().filter(|entry| entry.scope == Scope::Level).map(move |entry| (format!("{level}.{}", entry.name), entry))
    });
    let all = of_game.chain(of_levels).filter(move |(name, _)| of_a_run(name, &named).is_ok());
    all.map(|(name, entry)| (name, entry.unit, entry.meaning))
}
