//! `jackpot report`: renders a result again, from its files alone.

use super::arguments::ReportArguments;
use super::assertions::Assertions;
use super::failure::Failure;
use super::output;
use super::printer::Printer;
use crate::report;
use crate::report::files::Staged;
use crate::report::readings::readings;
use crate::report::repeats::Repeats;
use crate::report::result::RunResult;
use std::path::Path;

/// Renders a result, and writes its files anew where asked to. Of the folder of a repeated run, first how the figures
/// spread.
pub fn report(arguments: &ReportArguments) -> Result<u8, Failure> {
    let result = RunResult::read(&arguments.result).map_err(|error| Failure::Result(error.to_string()))?;
    let repeats = Repeats::beside(&arguments.result, &result).map_err(|error| Failure::Result(error.to_string()))?;
    let mut assertions = Assertions::new(&arguments.assert, arguments.force)?;
    if let Some(folder) = &arguments.out {
        refuse_loss(&result, folder)?;
        output::prepare(folder, arguments.force)?;
        let mut staged = Staged::new(folder);
        report::stage_all(&result, &mut staged)?;
        output::replace_and_keep(staged, folder, arguments.force)?;
    }
    let mut printer = Printer::new(arguments.format, 1);
    if let Some(repeats) = &repeats {
        printer.repeats(repeats)?;
    }
    if repeats.is_none() || printer.is_text() {
        printer.result(&result)?;
    }
    let is_text = printer.is_text();
    printer.finish()?;
    let runs = match &repeats {
        Some(_) => Repeats::readings(&arguments.result, &result).map_err(|error| Failure::Result(error.to_string()))?,
        None => vec![readings(&result)],
    };
    let incomplete = !result.plan.complete && !arguments.assert.assert.is_empty();
    assertions.judge(&result.game.file, &runs)?;
    let code = assertions.finish(is_text)?;
    if incomplete {
        return Err(Failure::Incomplete(
            "the run was interrupted: what was asserted is of the part that was played".into(),
        ));
    }
    Ok(code)
}

/// A report can't make the hits, shards, repeats and times of another run again, so it leaves their folder alone.
fn refuse_loss(result: &RunResult, folder: &Path) -> Result<(), Failure> {
    let lost = output::irreplaceable(folder);
    let same = RunResult::read(folder).is_ok_and(|there| there.checksum == result.checksum);
    if lost.is_empty() || same {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "the output folder {} holds {} of another run, which a report can't make\n  help: name another folder with --out \
         DIR",
        folder.display(),
        lost.join(", ")
    )))
}
