//! `jackpot run --repeat K`: K independent runs, and how every headline figure spreads over them.

use super::arguments::RunArguments;
use super::assertions::Assertions;
use super::failure::Failure;
use super::job::Job;
use super::output;
use super::printer::Printer;
use super::progress::interrupted;
use super::provenance::{self, Played};
use super::run::play;
use crate::metrics::Readings;
use crate::report::files::Staged;
use crate::report::readings::readings;
use crate::report::repeats::Repeats;
use crate::report::stage_all;
use std::time::Instant;

/// Plays the runs with the rng seeds from the given one on. The first one's files are written as for a single run.
pub fn run(
    job: &Job,
    arguments: &RunArguments,
    runs: u64,
    printer: &mut Printer,
    assertions: &mut Assertions,
) -> Result<(), Failure> {
    let clock = Instant::now();
    let mut first = None;
    let mut rows = Vec::new();
    let mut played = Played { spins: 0, threads: 1 };
    for rng_seed in arguments.seed..=arguments.seed + (runs - 1) {
        let outcome = play(job, arguments, rng_seed)?;
        if !outcome.result.plan.complete {
            break;
        }
        played = Played { spins: played.spins + outcome.result.plan.spins_done, threads: outcome.threads };
        rows.push((rng_seed, readings(&outcome.result)));
        first.get_or_insert(outcome.result);
        if interrupted() {
            break;
        }
    }
    let Some(first) = first else {
        return Err(Failure::Incomplete("interrupted before the first run was complete; nothing was written".into()));
    };
    let repeats = Repeats::new(&first, &rows);
    let mut staged = Staged::new(&job.folder);
    provenance::stage(&mut staged, clock.elapsed().as_secs_f64(), Some(played))?;
    staged.write("repeats.csv", |writer| Repeats::write_rows(&first, &rows, writer))?;
    staged.write("repeat.json", |writer| writer.write_all(&repeats.to_json_bytes()))?;
    stage_all(&first, &mut staged)?;
    output::replace(staged, &job.folder, arguments.force)?;
    printer.repeats(&repeats)?;
    let all: Vec<Readings> = rows.into_iter().map(|(_, readings)| readings).collect();
    assertions.judge(&job.model.file_name, &all)?;
    if (all.len() as u64) < runs {
        return Err(Failure::Incomplete(format!(
            "interrupted after {} of {runs} runs; the files in {} hold those",
            all.len(),
            job.folder.display()
        )));
    }
    Ok(())
}
