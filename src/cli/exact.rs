//! `jackpot exact`: the answer without playing.

use super::arguments::{ExactArguments, FormatArgument};
use super::assemble::par_sheet_from;
use super::assertions::Assertions;
use super::failure::{Failure, show_diagnostic};
use crate::config::Model;
use crate::exact::base::BaseFigures;
use crate::metrics::{Reading, Readings};
use crate::report::par::ParSheet;
use crate::tune::figures;

/// Prints the PAR sheet of every game. A bad game file doesn't stop the others; the worst code is returned.
pub fn exact(arguments: &ExactArguments) -> Result<u8, Failure> {
    let mut assertions = Assertions::new(&arguments.assert, arguments.force)?;
    let mut code = 0;
    let mut sheets = Vec::new();
    // Games that differ in their jackpots alone share one enumeration.
    let mut known: Vec<(Model, BaseFigures)> = Vec::new();
    for path in &arguments.games {
        match super::job::load(path, &arguments.set) {
            Ok(model) => {
                model.warnings.iter().for_each(|warning| show_diagnostic(warning));
                let alike = |other: &Model| {
                    other.game.plays_like(&model.game) && other.jackpots.levels.len() == model.jackpots.levels.len()
                };
                let at = known.iter().position(|(other, _)| alike(other)).unwrap_or(known.len());
                if at == known.len() {
                    let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
                    known.push((model.clone(), base));
                }
                let sheet = par_sheet_from(&model, &known[at].1, arguments.spins, arguments.z);
                let readings = readings_of_sheet(&sheet, figures::readings(&model, &known[at].1));
                if let Err(failure) = assertions.judge(&model.file_name, &[readings]) {
                    failure.print();
                    code = code.max(failure.exit_code());
                }
                sheets.push(sheet);
            }
            Err(failure) => {
                failure.print();
                code = code.max(failure.exit_code());
            }
        }
    }
    let mut text = Vec::new();
    for (position, sheet) in sheets.iter().enumerate() {
        let written = match arguments.format {
            FormatArgument::Json if arguments.games.len() > 1 => break,
            FormatArgument::Json => sheet.json(&mut text),
            FormatArgument::Csv => sheet.csv(&mut text, position == 0),
            FormatArgument::Md => sheet.markdown(&mut text),
            FormatArgument::Table => {
                if position > 0 {
                    text.push(b'\n');
                }
                sheet.table(&mut text)
            }
        };
        written.expect("memory takes what is written");
    }
    if arguments.format == FormatArgument::Json && arguments.games.len() > 1 {
        text = serde_json::to_vec_pretty(&sheets).expect("a sheet is JSON");
        text.push(b'\n');
    }
    super::print(&text)?;
    Ok(code.max(assertions.finish(matches!(arguments.format, FormatArgument::Table | FormatArgument::Md))?))
}

/// All figures of a sheet by name: the catalogue's, then those of the published keys.
pub fn readings_of_sheet(sheet: &ParSheet, mut readings: Readings) -> Readings {
    for metric in sheet.metrics().filter(|metric| !metric.key.is_empty()) {
        if readings.get(&metric.key).is_none() {
            readings.add(Reading::exact(&metric.key, metric.unit, metric.value));
        }
    }
    readings
}
