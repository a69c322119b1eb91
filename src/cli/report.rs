//! `jackpot report`: renders a result again, from `result.json` alone.

use super::arguments::ReportArguments;
use super::failure::Failure;
use super::output;
use super::run::{show, write_files};
use crate::report::result::RunResult;

/// Renders a result, and writes its files anew where asked to.
pub fn report(arguments: &ReportArguments) -> Result<u8, Failure> {
    let result = RunResult::read(&arguments.result).map_err(|error| Failure::Result(error.to_string()))?;
    if let Some(folder) = &arguments.out {
        output::prepare(folder, arguments.force)?;
        write_files(&result, folder)?;
    }
    show(&result, arguments.format)?;
    Ok(0)
}
