//! `jackpot run --repeat K`: K independent runs, and how every headline figure spreads over them.

use super::arguments::{FormatArgument, RunArguments};
use super::failure::Failure;
use super::output;
use super::progress::interrupted;
use super::run::{Job, check_ledger, play, threads, write_files, write_provenance};
use crate::report::{self, Format};
use serde::Serialize;
use std::time::Instant;

/// A run's rng seed and its headline figures.
type Row = (u64, Vec<(String, Option<f64>)>);

/// How a figure spreads over the runs.
#[derive(Debug, Serialize)]
struct Spread {
    figure: String,
    runs: usize,
    mean: f64,
    /// Sample standard deviation; absent for a single run.
    sd: Option<f64>,
    minimum: f64,
    percentile_5: f64,
    median: f64,
    percentile_95: f64,
    maximum: f64,
}

/// Plays the runs with the rng seeds from the given one on. The first one's files are written as for a single run.
pub fn run(job: &Job, arguments: &RunArguments, runs: u64) -> Result<u8, Failure> {
    let clock = Instant::now();
    let last = arguments.seed.checked_add(runs - 1).ok_or_else(|| {
        Failure::Usage(format!(
            "--repeat {runs}: rng seeds from {} on would pass 2^64 - 1; use a smaller --seed",
            arguments.seed
        ))
    })?;
    let mut rows: Vec<Row> = Vec::new();
    let mut spins_done = 0;
    for rng_seed in arguments.seed..=last {
        let result = play(job, arguments, rng_seed)?;
        check_ledger(&result)?;
        if !result.plan.complete {
            break;
        }
        if rng_seed == arguments.seed {
            write_files(&result, &job.folder)?;
        }
        spins_done += result.plan.spins_done;
        rows.push((rng_seed, report::headline(&result)));
        if interrupted() {
            break;
        }
    }
    let Some((_, first)) = rows.first() else {
        return Err(Failure::Incomplete("interrupted before the first run was complete; nothing was written".into()));
    };
    let names: Vec<String> = first.iter().map(|(name, _)| name.clone()).collect();
    let spreads: Vec<Spread> = names
        .iter()
        .enumerate()
        .filter_map(|(figure, name)| spread(name, rows.iter().filter_map(|(_, values)| values[figure].1).collect()))
        .collect();
    write_rows(job, &names, &rows)?;
    let mut bytes = serde_json::to_vec_pretty(&spreads).expect("plain data");
    bytes.push(b'\n');
    output::write(&job.folder.join("repeat.json"), &bytes)?;
    let seconds = clock.elapsed().as_secs_f64();
    write_provenance(&job.folder, threads(arguments), seconds, spins_done)?;
    match super::run::format(arguments.format) {
        Format::Json => super::print(&bytes)?,
        Format::Csv => super::print(spread_csv(&spreads).as_bytes())?,
        Format::Table | Format::Markdown => {
            super::print(spread_table(job, arguments.format, rows.len(), arguments.spins, &spreads).as_bytes())?
        }
    }
    if (rows.len() as u64) < runs {
        return Err(Failure::Incomplete(format!(
            "interrupted after {} of {runs} runs; the files in {} hold those",
            rows.len(),
            job.folder.display()
        )));
    }
    Ok(0)
}

fn spread(figure: &str, mut values: Vec<f64>) -> Option<Spread> {
    values.sort_by(f64::total_cmp);
    let runs = values.len();
    let (first, last) = (*values.first()?, *values.last()?);
    let mean = values.iter().sum::<f64>() / runs as f64;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    // The value below or at which the share of the runs lies.
    let percentile = |share: f64| values[((share * runs as f64).ceil() as usize).clamp(1, runs) - 1];
    Some(Spread {
        figure: figure.into(),
        runs,
        mean,
        sd: (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt()),
        minimum: first,
        percentile_5: percentile(0.05),
        median: percentile(0.5),
        percentile_95: percentile(0.95),
        maximum: last,
    })
}

fn write_rows(job: &Job, names: &[String], rows: &[Row]) -> Result<(), Failure> {
    let mut text = format!("rng_seed,{}\n", names.join(","));
    for (rng_seed, values) in rows {
        text += &rng_seed.to_string();
        for (_, value) in values {
            text.push(',');
            text += &value.map_or(String::new(), |value| value.to_string());
        }
        text.push('\n');
    }
    output::write(&job.folder.join("repeats.csv"), text.as_bytes())
}

fn spread_csv(spreads: &[Spread]) -> String {
    let mut text = String::from("figure,runs,mean,sd,minimum,percentile_5,median,percentile_95,maximum\n");
    for spread in spreads {
        text += &format!(
            "{},{},{},{},{},{},{},{},{}\n",
            spread.figure,
            spread.runs,
            spread.mean,
            spread.sd.map_or(String::new(), |sd| sd.to_string()),
            spread.minimum,
            spread.percentile_5,
            spread.median,
            spread.percentile_95,
            spread.maximum
        );
    }
    text
}

fn spread_table(job: &Job, format: FormatArgument, runs: usize, spins: u64, spreads: &[Spread]) -> String {
    use comfy_table::{CellAlignment, Table, presets};
    let mut table = Table::new();
    let style = if format == FormatArgument::Md { presets::ASCII_MARKDOWN } else { presets::UTF8_HORIZONTAL_ONLY };
    table.load_style(style);
    table.set_header(["figure", "mean", "SD", "5 %", "median", "95 %"]);
    for spread in spreads {
        let number = significant;
        table.add_row([
            spread.figure.clone(),
            number(spread.mean),
            spread.sd.map_or("-".into(), number),
            number(spread.percentile_5),
            number(spread.median),
            number(spread.percentile_95),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.set_width(80);
    format!("{}: {runs} runs of {spins} spins each\n\n{table}\n", job.model.game.name)
}

/// A figure with six significant digits.
fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if magnitude > 8 { format!("{value:.3e}") } else { format!("{value:.*}", (5 - magnitude).clamp(0, 8) as usize) }
}
