//! `jackpot tune`: the values of a game file that give figures wanted of it.

use super::arguments::{FormatArgument, TuneArguments};
use super::failure::{Failure, show_diagnostic};
use super::output::{is_same, refuse_file, write_file};
use super::points::Player;
use super::progress::{Count, catch_interrupts};
use super::sweep::in_short;
use crate::config::Override;
use crate::metrics::Readings;
use crate::metrics::catalogue::{definition, of_a_run};
use crate::money::Grouped;
use crate::report::tuned::{TargetRow, Tuned, ValueRow};
use crate::tune::evaluate::{Variation, Workbench};
use crate::tune::knob::Knob;
use crate::tune::solve::{Binding, Measured, Problem, Solution, solve};
use crate::tune::target::Target;
use rayon::prelude::*;
use std::path::Path;

/// How near a figure of runs need come to its target, and how narrow the search need become: they vary by more.
const RESOLUTION: f64 = 2e-3;
const GRAIN: f64 = 1e-3;

/// Searches, checks by a run, prints, and writes the tuned game file.
pub fn tune(arguments: &TuneArguments) -> Result<u8, Failure> {
    catch_interrupts();
    if let Some(file) = &arguments.out {
        refuse_file(file, arguments.force)?;
    }
    let game = |error| Failure::Game(Box::new(error));
    let workbench = Workbench::open(&arguments.game, &arguments.set.set).map_err(game)?;
    let now = workbench.variation(&[]).map_err(game)?;
    now.model.warnings.iter().filter(|_| !arguments.quiet).for_each(|warning| show_diagnostic(warning));
    let knobs = knobs(arguments, &workbench, &now)?;
    if let Some(file) = &arguments.out {
        refuse_other_folder(file, &now, &arguments.game)?;
    }
    let search = Search {
        arguments,
        workbench: &workbench,
        knobs: &knobs,
        player: Player::new(arguments.spins, arguments.threads)?,
    };
    let solution = search.solve()?;
    let tuned = search.tuned(&now, &solution)?;
    let text = match arguments.format {
        FormatArgument::Table => tuned.to_table().into_bytes(),
        FormatArgument::Json => tuned.to_json_bytes(),
        FormatArgument::Csv => tuned.to_csv(),
        FormatArgument::Md => tuned.to_markdown().into_bytes(),
    };
    super::print(&text)?;
    search.write(&tuned, &solution)?;
    Ok(u8::from(!tuned.feasible))
}

/// The values to turn, and everything about them and the targets that can't be searched.
fn knobs(arguments: &TuneArguments, workbench: &Workbench, now: &Variation) -> Result<Vec<Knob>, Failure> {
    let mut errors = Vec::new();
    let mut knobs: Vec<Knob> = Vec::new();
    for vary in &arguments.vary {
        match Knob::new(vary, workbench, &now.model) {
            Ok(knob) if knobs.iter().any(|other| other.path == knob.path) => {
                errors.push(format!("--vary {} stands twice", knob.path));
            }
            Ok(knob) => knobs.push(knob),
            Err(error) => errors.push(error),
        }
    }
    let (targets, varied) = (arguments.target.len(), arguments.vary.len());
    if targets != varied {
        errors.push(format!(
            "{targets} --target and {varied} --vary: as many values as targets are needed, so that there is one answer\n  \
             help: fix the other values with --set, or add targets"
        ));
    }
    let levels: Vec<(&str, usize)> =
        now.model.jackpots.levels.iter().map(|level| (level.name.as_str(), level.pool_count())).collect();
    let exact = now.readings();
    for target in &arguments.target {
        let name = target.expression.metric();
        let error = match target.is_exact() {
            true if exact.get(name).is_none() => Some(exact.unknown(name)),
            true => None,
            false => of_a_run(name, &levels).err(),
        };
        errors.extend(error.map(|error| format!("--target {}: {error}", target.expression)));
    }
    if errors.is_empty() { Ok(knobs) } else { Err(Failure::Usage(errors.join("\nerror: "))) }
}

/// A tuned game file in another folder would not find its tables.
fn refuse_other_folder(file: &Path, now: &Variation, game: &Path) -> Result<(), Failure> {
    let folder = |path: &Path| {
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
    };
    match now.model.attachments.first() {
        Some(table) if !is_same(&folder(file), &folder(game)) => Err(Failure::Usage(format!(
            "{} is not beside {}, whose table {} is found from its folder\n  help: write it to {}",
            file.display(),
            game.display(),
            table.path,
            folder(game).display()
        ))),
        _ => Ok(()),
    }
}

struct Search<'s> {
    arguments: &'s TuneArguments,
    workbench: &'s Workbench,
    knobs: &'s [Knob],
    player: Player,
}

impl Search<'_> {
    fn targets(&self) -> &[Target] {
        &self.arguments.target
    }

    fn needs_runs(&self) -> bool {
        self.targets().iter().any(|target| !target.is_exact())
    }

    fn changes(&self, position: &[i128]) -> Vec<Override> {
        self.knobs.iter().zip(position).map(|(knob, &position)| knob.change(position)).collect()
    }

    fn solve(&self) -> Result<Solution, Failure> {
        let mut failure = None;
        let needs_runs = self.needs_runs();
        let bar = Count::new("games tried", 0, self.arguments.quiet || !needs_runs);
        let mut tried = 0;
        let mut measure = |position: &[i128]| -> Measured {
            if failure.is_some() {
                return Measured::Refused("the search was ended".into());
            }
            tried += 1;
            bar.at(tried);
            let variation = match self.workbench.variation(&self.changes(position)) {
                Ok(variation) => variation,
                Err(error) => return Measured::Refused(in_short(&error)),
            };
            self.figures(&variation, self.arguments.seed).unwrap_or_else(|error| {
                failure = Some(error);
                Measured::Refused("the search was ended".into())
            })
        };
        let problem = Problem {
            targets: self.targets().iter().map(|target| target.value).collect(),
            bounds: self.knobs.iter().map(|knob| (knob.low, knob.high)).collect(),
            start: self.knobs.iter().map(|knob| knob.start).collect(),
            measure: &mut measure,
            resolution: if needs_runs { RESOLUTION } else { 0.0 },
            grain: if needs_runs { GRAIN } else { 0.0 },
        };
        let solution = solve(problem);
        bar.finish();
        if let Some(failure) = failure {
            return Err(failure);
        }
        solution.map_err(|error| {
            Failure::Usage(format!(
                "no value between the bounds was found that is a game with these figures: {}\n  help: give bounds \
                 within which it is one: --vary PATH=LOW..HIGH",
                error.0
            ))
        })
    }

    /// Figures of every target: exact ones, and those of runs with the rng seeds from one on.
    fn figures(&self, variation: &Variation, rng_seed: u64) -> Result<Measured, Failure> {
        let exact = variation.readings();
        let runs = if self.needs_runs() { self.runs(variation, rng_seed)? } else { Vec::new() };
        let mut figures = Vec::new();
        for target in self.targets() {
            let source = if target.is_exact() { std::slice::from_ref(&exact) } else { &runs };
            match target.expression.read(source).map(|reading| (reading.value, reading.lack)) {
                Ok((Some(value), _)) => figures.push(value),
                Ok((None, lack)) => {
                    let lack = lack.unwrap_or("it has no value");
                    return Ok(Measured::Refused(format!("{}: {lack}", target.expression)));
                }
                Err(_) => return Ok(Measured::Refused(format!("the game has no {}", target.expression))),
            }
        }
        Ok(Measured::Figures(figures))
    }

    fn runs(&self, variation: &Variation, rng_seed: u64) -> Result<Vec<Readings>, Failure> {
        let seeds: Vec<u64> = (0..self.arguments.repeat).map(|run| rng_seed.wrapping_add(run)).collect();
        self.player
            .threads()
            .install(|| seeds.into_par_iter().map(|rng_seed| self.player.readings(variation, rng_seed)).collect())
    }

    /// What was found, with the figures of runs that the search didn't see.
    fn tuned(&self, now: &Variation, solution: &Solution) -> Result<Tuned, Failure> {
        let variation = self
            .workbench
            .variation(&self.changes(&solution.position))
            .map_err(|error| Failure::Game(Box::new(error)))?;
        let exact = variation.readings();
        let spins = Grouped(self.arguments.spins.into());
        let (checks, simulation) = if self.arguments.exact_only {
            (Vec::new(), None)
        } else if self.needs_runs() {
            // Other rng seeds than those of the search.
            let first = self.arguments.seed.wrapping_add(self.arguments.repeat);
            let words = format!("{} runs of {spins} spins, rng seeds from {first} on", self.arguments.repeat);
            (self.runs(&variation, first)?, Some(words))
        } else {
            let name = &variation.model.file_name;
            self.player.prepare(&variation, self.arguments.seed, name, self.arguments.quiet)?;
            let words = format!("a run of {spins} spins, rng seed {}", self.arguments.seed);
            (vec![self.player.readings(&variation, self.arguments.seed)?], Some(words))
        };
        let targets: Vec<TargetRow> = self
            .targets()
            .iter()
            .zip(&solution.figures)
            .map(|(target, &found)| {
                let check = if checks.is_empty() { None } else { target.expression.read(&checks).ok() };
                let name = target.expression.metric();
                let unit = exact.get(name).map(|reading| reading.unit).or(definition(name).map(|entry| entry.unit));
                let unit = if matches!(target.expression, crate::metrics::expression::Expression::Share(..)) {
                    Some(crate::metrics::Unit::Share)
                } else {
                    unit
                };
                let met = match target.tolerance {
                    Some(tolerance) => (found - target.value).abs() <= tolerance,
                    None => solution.binding.is_none(),
                };
                TargetRow {
                    metric: target.expression.to_string(),
                    unit: unit.unwrap_or(crate::metrics::Unit::Number),
                    wanted: target.value,
                    tolerance: target.tolerance,
                    exact: target.is_exact().then_some(found),
                    found,
                    met,
                    simulated: check.as_ref().and_then(|reading| reading.value),
                    simulated_interval_95: check.and_then(|reading| reading.interval).filter(|(low, high)| low < high),
                }
            })
            .collect();
        Ok(Tuned {
            game: now.model.game.name.clone(),
            feasible: targets.iter().all(|target| target.met),
            values: (self.knobs.iter().zip(&solution.position))
                .map(|(knob, &position)| ValueRow {
                    path: knob.path.clone(),
                    was: knob.was.clone(),
                    found: knob.text(position),
                    range: knob.range(),
                })
                .collect(),
            targets,
            binding: solution.binding.as_ref().map(|binding| self.words(binding)),
            games_tried: solution.asked,
            simulation,
        })
    }

    /// What keeps a target from being met.
    fn words(&self, binding: &Binding) -> String {
        match binding {
            Binding::Bound(knob) => {
                let knob = &self.knobs[*knob];
                let chosen = if knob.bounded { "" } else { "; others can be given as --vary PATH=LOW..HIGH" };
                format!("{} would have to go beyond {}{chosen}", knob.path, knob.range())
            }
            Binding::Refused(knob, why) => format!("beyond this {} there is no game: {why}", self.knobs[*knob].path),
            Binding::NoEffect(knob) => format!("{} changes none of the targets", self.knobs[*knob].path),
            Binding::Dependent => {
                "the values can't bring the targets nearer together: each moves all of them alike".into()
            }
        }
    }

    /// Writes the tuned file, or says how to.
    fn write(&self, tuned: &Tuned, solution: &Solution) -> Result<(), Failure> {
        let changes = self.changes(&solution.position);
        match &self.arguments.out {
            Some(file) if tuned.feasible => {
                let text = self.workbench.text(&changes).map_err(|error| Failure::Game(Box::new(error)))?;
                write_file(file, text.as_bytes(), self.arguments.force)?;
                if !self.arguments.quiet {
                    eprintln!("the tuned game is in {}", file.display());
                }
            }
            Some(file) => eprintln!("{} was not written, since the targets are not met", file.display()),
            None if !self.arguments.quiet && self.arguments.format == FormatArgument::Table => {
                let set: Vec<String> =
                    tuned.values.iter().map(|value| format!("--set '{}={}'", value.path, value.found)).collect();
                eprintln!("to use it: --out FILE, or {}", set.join(" "));
            }
            None => {}
        }
        Ok(())
    }
}
