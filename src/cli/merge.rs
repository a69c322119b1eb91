//! `jackpot merge`: joins all shards of a run into the bytes of the undivided run.

use super::arguments::MergeArguments;
use super::failure::Failure;
use super::hit_log::HitLog;
use super::printer::Printer;
use super::{assemble, ledger, output, provenance};
use crate::config::{self, Model};
use crate::exact::base::BaseFigures;
use crate::report;
use crate::report::files::Staged;
use crate::report::shard::ShardRecord;
use crate::sim::{self, Commit, Plan};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Joins shards.
pub fn merge(arguments: &MergeArguments) -> Result<u8, Failure> {
    let clock = Instant::now();
    if let Some(shard) = arguments.shards.iter().find(|shard| output::is_same(shard, &arguments.out)) {
        return Err(Failure::Usage(format!(
            "--out {} is the folder of a shard, {}: its files are needed\n  help: name another folder with --out DIR",
            arguments.out.display(),
            shard.display()
        )));
    }
    let shards = read_all(&arguments.shards)?;
    let first = &shards[0].record;
    let model = game(first)?;
    output::prepare(&arguments.out, arguments.force)?;
    let plan = Plan { chunk_spins: first.plan.chunk_spins, ..Plan::new(first.plan.rng_seed, first.plan.spins) };
    let openings = openings(first)?;
    let bases: Vec<_> = shards.iter().map(|shard| shard.record.base.clone()).collect();
    let mut facts: Box<dyn Read> = Box::new(io::empty());
    for shard in &shards {
        let file = File::open(shard.folder.join("facts.bin")).map_err(|error| unreadable(&shard.folder, &error))?;
        facts = Box::new(facts.chain(BufReader::new(file)));
    }
    let mut log = if arguments.log_hits { Some(HitLog::create(&arguments.out, &model)?) } else { None };
    let mut write_hit = log.as_mut().map(|log| |hit: &crate::tally::Hit| log.write(hit, &model));
    let log_argument = write_hit.as_mut().map(|write| write as sim::commit::HitLog<'_>);
    let run = sim::merge(&model.game, &model.jackpots, &plan, openings.clone(), &bases, &mut facts, log_argument)?;
    let log = log.map(|log| log.finish(&arguments.out)).transpose()?;
    let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
    let result = assemble::result(&model, &base, &plan, Commit::Ordered, openings.as_deref(), run);
    ledger::check(&result)?;
    let mut staged = Staged::new(&arguments.out);
    provenance::stage(&mut staged, clock.elapsed().as_secs_f64(), None)?;
    if let Some(log) = log {
        staged.add("hits.csv", log)?;
    }
    report::stage_all(&result, &mut staged)?;
    output::replace(staged, &arguments.out, arguments.force)?;
    let mut printer = Printer::new(arguments.format, 1);
    printer.result(&result)?;
    printer.finish()?;
    Ok(0)
}

struct ShardFolder {
    folder: PathBuf,
    record: ShardRecord,
}

fn unreadable(folder: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Result(format!(
        "{} holds no shard that can be read: {error}\n  help: name the folder that `jackpot run --shard i/n --out DIR` \
         wrote",
        folder.display()
    ))
}

/// Reads every shard and sees that together they are one whole run.
fn read_all(folders: &[PathBuf]) -> Result<Vec<ShardFolder>, Failure> {
    let mut shards = Vec::new();
    let mut findings = Vec::new();
    for folder in folders {
        match read(folder) {
            Ok(record) => shards.push(ShardFolder { folder: folder.clone(), record }),
            Err(Failure::Result(finding)) => findings.push(finding),
            Err(failure) => return Err(failure),
        }
    }
    if let Some(first) = shards.first() {
        for other in &shards[1..] {
            findings.extend(differences(first, other));
        }
    }
    shards.sort_by_key(|shard| shard.record.index);
    for pair in shards.windows(2) {
        if pair[0].record.index == pair[1].record.index {
            findings.push(format!(
                "shard {}/{} is given twice: {} and {}",
                pair[0].record.index,
                pair[0].record.count,
                pair[0].folder.display(),
                pair[1].folder.display()
            ));
        }
    }
    if !findings.is_empty() {
        return Err(Failure::Result(findings.join("\nerror: ")));
    }
    let count = shards[0].record.count;
    let missing: Vec<String> = (1..=count)
        .filter(|index| shards.iter().all(|shard| shard.record.index != *index))
        .map(|index| format!("{index}/{count}"))
        .collect();
    if missing.is_empty() {
        return Ok(shards);
    }
    Err(Failure::Incomplete(format!(
        "missing shards: {}\n  help: play them with `jackpot run --shard` and the same game, rng seed and spins",
        missing.join(", ")
    )))
}

fn read(folder: &Path) -> Result<ShardRecord, Failure> {
    let bytes = std::fs::read(folder.join("shard.json")).map_err(|error| unreadable(folder, &error))?;
    let record = ShardRecord::from_json_bytes(&bytes).map_err(|error| unreadable(folder, &error))?;
    if record.plan.commit != "ordered" {
        return Err(Failure::Result(format!("{}: a live shard can't be merged", folder.display())));
    }
    let mut hash = Sha256::new();
    let mut file = File::open(folder.join("facts.bin")).map_err(|error| unreadable(folder, &error))?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = file.read(&mut buffer).map_err(|error| unreadable(folder, &error))?;
        if length == 0 {
            break;
        }
        hash.update(&buffer[..length]);
    }
    if super::shard::hex(&hash.finalize()) != record.facts_sha256 {
        return Err(Failure::Result(format!(
            "{}: facts.bin is not the file that the shard wrote (its SHA-256 differs)\n  help: copy or play the shard again",
            folder.display()
        )));
    }
    Ok(record)
}

/// What keeps two shards from being of one run.
fn differences(one: &ShardFolder, other: &ShardFolder) -> Vec<String> {
    let (a, b) = (&one.record, &other.record);
    let mut found = Vec::new();
    let mut compare = |what: &str, a: String, b: String| {
        if a != b {
            let (one, other) = (one.folder.display(), other.folder.display());
            found.push(format!("{one} and {other} are of different runs: {what} {a} and {b}"));
        }
    };
    compare("game (SHA-256)", a.game.sha256.clone(), b.game.sha256.clone());
    let attachments = |record: &ShardRecord| {
        record.game.attachments.iter().map(|file| file.sha256.as_str()).collect::<Vec<_>>().join("+")
    };
    compare("tables beside the game (SHA-256)", attachments(a), attachments(b));
    compare("rng seed", a.plan.rng_seed.to_string(), b.plan.rng_seed.to_string());
    compare("spins", a.plan.spins.to_string(), b.plan.spins.to_string());
    compare("generator", a.plan.generator.clone(), b.plan.generator.clone());
    compare("chunk size", a.plan.chunk_spins.to_string(), b.plan.chunk_spins.to_string());
    compare("number of shards", a.count.to_string(), b.count.to_string());
    compare("openings", format!("{:?}", a.plan.openings), format!("{:?}", b.plan.openings));
    found
}

/// The game as the shard keeps it.
fn game(record: &ShardRecord) -> Result<Model, Failure> {
    let attachment = |path: &str| {
        let found = record.game.attachments.iter().find(|file| file.path == path);
        found.map(|file| file.text.clone()).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let mut model = config::parse(&record.game.file, &record.game.text, &attachment)
        .map_err(|error| Failure::Game(Box::new(error)))?;
    model.file_name = record.game.file.clone();
    Ok(model)
}

fn openings(record: &ShardRecord) -> Result<Option<Vec<u64>>, Failure> {
    let Some(openings) = &record.plan.openings else { return Ok(None) };
    let read: Result<Vec<u64>, _> = openings.iter().map(|text| text.parse()).collect();
    read.map(Some).map_err(|error| Failure::Result(format!("shard.json: an opening is no whole number: {error}")))
}
