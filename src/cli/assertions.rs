//! `--assert`: judges figures, shows and writes the verdicts.

use super::arguments::AssertArguments;
use super::failure::Failure;
use super::output::{refuse_file, write_file};
use crate::config::Model;
use crate::metrics::Readings;
use crate::metrics::assertion::{Assertion, Judged, Verdict};
use crate::metrics::catalogue;
use crate::report::verdicts;

/// The assertions of a command, and what was found so far.
pub struct Assertions<'a> {
    arguments: &'a AssertArguments,
    judged: Vec<Judged>,
    /// Whether files may be replaced.
    force: bool,
}

impl<'a> Assertions<'a> {
    /// Of a command line; files that would be overwritten are refused.
    pub fn new(arguments: &'a AssertArguments, force: bool) -> Result<Self, Failure> {
        for file in [&arguments.junit, &arguments.verdicts].into_iter().flatten() {
            refuse_file(file, force)?;
        }
        Ok(Self { arguments, judged: Vec::new(), force })
    }

    /// Refuses names that no run of a game has, before it is played.
    pub fn refuse_unknown(&self, model: &Model) -> Result<(), Failure> {
        let told = |assertion| told_unknown(assertion, model).map(|told| format!("--assert {told}"));
        let unknown: Vec<String> = self.arguments.assert.iter().filter_map(told).collect();
        if unknown.is_empty() { Ok(()) } else { Err(Failure::Usage(unknown.join("\nerror: "))) }
    }

    /// Judges the figures of one or several runs of a game, or its exact ones.
    pub fn judge(&mut self, game: &str, runs: &[Readings]) -> Result<(), Failure> {
        let mut errors = Vec::new();
        for assertion in &self.arguments.assert {
            match assertion.judge(game, runs) {
                Ok(judged) => self.judged.push(judged),
                Err(error) => errors.push(format!("--assert {:?}: {error}", assertion.text)),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(Failure::Usage(errors.join("\nerror: "))) }
    }

    /// Shows and writes the verdicts: on stdout beside a text for people, else on stderr. The exit code.
    pub fn finish(self, is_text: bool) -> Result<u8, Failure> {
        if self.judged.is_empty() {
            return Ok(0);
        }
        let table = verdicts::to_table(&self.judged);
        if is_text {
            super::print(table.as_bytes())?;
        } else {
            eprint!("{}", table.trim_start_matches('\n'));
        }
        if let Some(file) = &self.arguments.junit {
            write_file(file, verdicts::to_junit(&self.judged).as_bytes(), self.force)?;
        }
        if let Some(file) = &self.arguments.verdicts {
            write_file(file, &verdicts::to_json_bytes(&self.judged), self.force)?;
        }
        let any = |verdict| self.judged.iter().any(|judged| judged.verdict == verdict);
        // A failure is certain, whatever else is undecided.
        Ok(if any(Verdict::Fail) {
            1
        } else if any(Verdict::Undecided) {
            4
        } else {
            0
        })
    }
}

/// What to say of an assertion on a figure that no run of a game has.
pub fn told_unknown(assertion: &Assertion, model: &Model) -> Option<String> {
    let levels: Vec<(&str, usize)> =
        model.jackpots.levels.iter().map(|level| (level.name.as_str(), level.pool_count())).collect();
    let error = catalogue::of_a_run(assertion.expression.metric(), &levels).err()?;
    Some(format!("{:?}: {error}", assertion.text))
}
