//! `jackpot diff A B`: two games or two results.

use super::arguments::{DiffArguments, FormatArgument};
use super::assemble::par_sheet_from;
use super::exact::readings_of_sheet;
use super::failure::Failure;
use crate::config::{Model, changes};
use crate::exact::base::BaseFigures;
use crate::metrics::Readings;
use crate::report::diff::{Change, Diff};
use crate::report::repeats::Repeats;
use crate::report::result::{AttachmentRecord, GameRecord, RunResult};
use crate::tune::figures;
use std::path::Path;

/// Spins of the run that a sheet foretells; no metric depends on it.
const SPINS: u64 = 1_000_000;

/// One side of a comparison.
enum Side {
    Game(Box<Model>, Readings),
    Result(Box<RunResult>, Option<Vec<Readings>>),
}

/// Compares and prints.
pub fn diff(arguments: &DiffArguments) -> Result<u8, Failure> {
    let (a, b) = (read(&arguments.a), read(&arguments.b));
    let (a, b) = match (a, b) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(one), Err(other)) => {
            one.print();
            return Err(other);
        }
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let diff = compare(arguments, &a, &b)?;
    let text = match arguments.format {
        FormatArgument::Table => diff.to_table().into_bytes(),
        FormatArgument::Json => diff.to_json_bytes(),
        FormatArgument::Csv => diff.to_csv(),
        FormatArgument::Md => diff.to_markdown().into_bytes(),
    };
    super::print(&text)?;
    Ok(0)
}

fn read(path: &Path) -> Result<Side, Failure> {
    let is_game = path.extension().is_some_and(|ending| ending == "toml");
    if !path.exists() {
        return Err(Failure::Usage(format!(
            "{} is not there\n  help: name two game files, or two folders of runs",
            path.display()
        )));
    }
    if is_game {
        let model = super::job::load(path, &Default::default())?;
        let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
        let sheet = par_sheet_from(&model, &base, SPINS, None);
        let all = readings_of_sheet(&sheet, figures::readings(&model, &base));
        let mut readings = Readings::default();
        all.iter()
            .filter(|reading| !is_told_twice(&reading.name, &model))
            .for_each(|reading| readings.add(reading.clone()));
        return Ok(Side::Game(Box::new(model), readings));
    }
    let result = RunResult::read(path).map_err(|error| Failure::Result(error.to_string()))?;
    let told = |error: crate::report::repeats::RepeatsError| Failure::Result(error.to_string());
    let runs = match Repeats::beside(path, &result).map_err(told)? {
        Some(_) => Some(Repeats::readings(path, &result).map_err(told)?),
        None => None,
    };
    Ok(Side::Result(Box::new(result), runs))
}

/// Whether a figure of the sheet is one of the catalogue under another name.
fn is_told_twice(name: &str, model: &Model) -> bool {
    let of_level = ["_seed", "_growth", "_limit", "_limit_amount"].iter().find_map(|end| name.strip_suffix(end));
    let level = of_level.unwrap_or(name);
    ["seed", "growth", "rtp_without_jackpots", "variance"].contains(&name)
        || model.jackpots.levels.iter().any(|own| own.name == level)
}

fn compare(arguments: &DiffArguments, a: &Side, b: &Side) -> Result<Diff, Failure> {
    let refuse = |why: String| {
        let (a, b) = (arguments.a.display(), arguments.b.display());
        Err(Failure::Usage(format!("{a} and {b} can't be compared: {why}")))
    };
    let currencies = match (a, b) {
        (Side::Game(a, _), Side::Game(b, _)) => (&a.unit.currency, &b.unit.currency),
        (Side::Result(a, _), Side::Result(b, _)) => (&a.game.currency, &b.game.currency),
        _ => {
            return refuse(
                "one is a game file, the other a result\n  help: play the game file, or compare two of a kind".into(),
            );
        }
    };
    if currencies.0 != currencies.1 {
        return refuse(format!(
            "the amounts of one are in {}, those of the other in {}\n  help: compare games of one currency",
            currencies.0, currencies.1
        ));
    }
    Ok(match (a, b) {
        (Side::Game(a, exact_a), Side::Game(b, exact_b)) => {
            let changed = changed(&super::assemble::game_record(a), &super::assemble::game_record(b));
            Diff::of_games((&a.game.name, exact_a), (&b.game.name, exact_b), changed)
        }
        (Side::Result(a, runs_a), Side::Result(b, runs_b)) => {
            let changed = [changed(&a.game, &b.game), plans(a, b)].concat();
            match (runs_a, runs_b) {
                (Some(runs_a), Some(runs_b)) => Diff::of_repeats((a, runs_a), (b, runs_b), changed),
                (None, None) => Diff::of_results(a, b, changed),
                _ => {
                    return refuse(
                        "one is of several runs, the other of one\n  help: name the result.json of the first to compare \
                         its first run"
                            .into(),
                    );
                }
            }
        }
        _ => unreachable!("both are of a kind"),
    })
}

/// What changed in the game files and the tables beside them.
fn changed(a: &GameRecord, b: &GameRecord) -> Vec<Change> {
    let mut all: Vec<Change> =
        changes(&a.text, &b.text).into_iter().map(|(what, a, b)| Change { what, a, b }).collect();
    let sha = |file: Option<&AttachmentRecord>| {
        file.map(|file| format!("sha256 {}", &file.sha256[..16.min(file.sha256.len())]))
    };
    let mut paths: Vec<&str> = a.attachments.iter().chain(&b.attachments).map(|file| file.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let find = |files: &[AttachmentRecord]| sha(files.iter().find(|file| file.path == path));
        let (one, other) = (find(&a.attachments), find(&b.attachments));
        if one != other {
            all.push(Change { what: format!("table {path}"), a: one, b: other });
        }
    }
    all
}

/// What changed in the plans.
fn plans(a: &RunResult, b: &RunResult) -> Vec<Change> {
    let facts = |result: &RunResult| {
        let plan = &result.plan;
        [
            ("spins", Some(plan.spins_done.to_string())),
            ("rng seed", Some(plan.rng_seed.to_string())),
            ("commit", Some(plan.commit.clone())),
            ("generator", Some(plan.generator.clone())),
            ("chunk", Some(plan.chunk_spins.to_string())),
            ("openings", plan.openings.as_ref().map(|openings| openings.join(", "))),
            ("jackpot", Some(result.jackpot.clone())),
        ]
    };
    (facts(a).into_iter().zip(facts(b)))
        .filter(|((_, a), (_, b))| a != b)
        .map(|((what, a), (_, b))| Change { what: what.into(), a, b })
        .collect()
}
