//! Parity: whether a Redis does what the model does. Each phase is a file, and its checks have verdicts.

pub mod amount;
pub mod concurrent;
pub mod controls;
pub mod edges;
pub mod extended;
pub mod outcome;
pub mod preflight;
pub mod record;
pub mod render;
pub mod replay;
pub mod target;

use crate::game::Game;
use crate::money::PoolUnit;
use crate::pool::subject::Subject;
use crate::pool::{Jackpots, StoreError};
use crate::redis_link::{Address, Link, LinkError};
use crate::sim::commit::CommitError;
use crate::sim::observer::Observer;
use crate::sim::run::{RunError, seeds};
use crate::sim::{self, Commit, Options, Plan};
use outcome::{Check, PARITY_SCHEMA, PoolMoney, Report, Verdict};
use preflight::Server;
use record::Recorder;
use replay::Replay;
use std::sync::mpsc::sync_channel;
use target::{Target, keys_under};

/// What is compared.
pub struct Question<'q> {
    pub game: &'q Game,
    pub jackpots: &'q Jackpots,
    pub unit: &'q PoolUnit,
    pub game_name: &'q str,
    pub subject: &'q Subject,
    pub address: &'q Address,
    /// The run's own.
    pub prefix: &'q str,
    pub plan: Plan,
    /// Spin by spin, or as an ordered run settles its chunks.
    pub by_spin: bool,
    /// Whether SCRIPT FLUSH may be sent.
    pub flush: bool,
}

/// Why a server that can't be asked ends the run.
fn unasked(error: LinkError) -> RunError {
    RunError::Commit(CommitError::Store(StoreError::Link(error)))
}

/// Runs all phases. The keys of the run are deleted whatever happens; keys that were there before stay.
///
/// # Errors
/// [`RunError`] if the server can't be asked.
pub fn run(question: &Question, observer: &dyn Observer) -> Result<Report, RunError> {
    let mut link = Link::open(question.address).map_err(unasked)?;
    let foreign = keys_under(&mut link, question.prefix, false).map_err(unasked)?;
    let report = phases(question, &mut link, foreign, observer);
    if foreign == 0 {
        Link::open(question.address)
            .and_then(|mut link| keys_under(&mut link, question.prefix, true))
            .map_err(unasked)?;
    }
    report
}

/// `foreign`: keys under the prefix that are not ours; nothing is written then.
fn phases(question: &Question, link: &mut Link, foreign: usize, observer: &dyn Observer) -> Result<Report, RunError> {
    let Question { jackpots, unit, subject, prefix, plan, .. } = *question;
    let server = Server::ask(link, subject).map_err(unasked)?;
    let mut target = Target::new(subject, jackpots, unit, question.game_name, prefix);
    let mut report = Report {
        parity_schema: PARITY_SCHEMA,
        jackpot_version: env!("CARGO_PKG_VERSION"),
        game: question.game_name.to_owned(),
        subject: subject.name.clone(),
        server: format!("{} {} at {}", server.kind, server.version, question.address),
        currency: unit.currency.clone(),
        rng_seed: plan.rng_seed,
        spins: plan.spins,
        grain: if question.by_spin { "spin" } else { "segment" },
        operations: 0,
        passed: 0,
        failed: 0,
        undecided: 0,
        skipped: 0,
        checks: preflight::checks(link, &server, &mut target, foreign).map_err(unasked)?,
        divergence: None,
        pools: Vec::new(),
    };
    if !server.commands.is_empty() {
        let found = format!("{} {} has no {}", server.kind, server.version, server.commands.join(", "));
        report.checks.push(Check::new("replay", "commands", Verdict::Skipped, found));
    } else if foreign == 0 {
        replay(question, link, &target, server.is_emulated(), observer, &mut report)?;
        let edges = target.under(&format!("{prefix}:edges"));
        report.checks.extend(edges::checks(link, &edges, question.flush).map_err(unasked)?);
        let races = target.under(&format!("{prefix}:races"));
        report.checks.extend(concurrent::checks(link, &races).map_err(unasked)?);
        let planted = target.under(&format!("{prefix}:planted"));
        report.checks.extend(controls::checks(link, &planted).map_err(unasked)?);
    }
    report.passed = report.count(Verdict::Pass);
    report.failed = report.count(Verdict::Fail);
    report.undecided = report.count(Verdict::Undecided);
    report.skipped = report.count(Verdict::Skipped);
    Ok(report)
}

/// Plays the run and its copy on the server at once.
fn replay(
    question: &Question,
    link: &mut Link,
    target: &Target,
    is_emulated: bool,
    observer: &dyn Observer,
    report: &mut Report,
) -> Result<(), RunError> {
    let openings = seeds(question.jackpots);
    let held: Vec<i128> = openings.iter().enumerate().map(|(pool, &meter)| target.held(pool, meter)).collect();
    target.open(link, &held).map_err(unasked)?;
    let mut replay = Replay::new(target, held, is_emulated);
    replay.checkpoint(link).map_err(unasked)?;
    let (sink, source) = sync_channel(16);
    std::thread::scope(|scope| {
        let player = scope.spawn(move || {
            let recorder = Recorder::new(question.jackpots.pool_count(), sink);
            let commit = if question.by_spin { Commit::Live } else { Commit::Ordered };
            let options = Options { commit, store: Some(&recorder), ..Options::default() };
            let run = sim::run(question.game, question.jackpots, &question.plan, options, observer)?;
            recorder.finish().map_err(CommitError::Store)?;
            Ok::<_, RunError>(run)
        });
        let mut fed = Ok(());
        // A sender that nobody reads ends the run.
        for batch in source {
            fed = replay.feed(link, &batch);
            if fed.is_err() {
                break;
            }
        }
        let played = player.join().expect("the run doesn't panic");
        fed.map_err(unasked)?;
        played.map(|_| ())
    })?;
    replay.checkpoint(link).map_err(unasked)?;
    tell(question, replay, report);
    Ok(())
}

/// What a replay found, as checks.
fn tell(question: &Question, replay: Replay, report: &mut Report) {
    let (unit, spins) = (question.unit, question.plan.spins);
    report.operations = replay.operations;
    let wrong =
        (replay.divergences > 0).then(|| format!("{} of {} operations diverge", replay.divergences, replay.operations));
    let right = format!("no divergence in {} operations", replay.operations);
    report.checks.push(Check::of("replay", "replies and balances", wrong, &right));
    let wrong = (replay.inexact > 0).then(|| {
        let first = replay.first_inexact.clone().unwrap_or_default();
        format!("{} claims paid what is not exact money; the first: {first}", replay.inexact)
    });
    report.checks.push(Check::of(
        "replay",
        "exact money",
        wrong,
        "every claim that the model expected is exact to half a pool unit",
    ));
    let scale = replay.target.scale;
    let money = |atoms: i128| {
        let micro = scale.micro_units(atoms);
        let units = (micro.unsigned_abs() + 500_000) / 1_000_000;
        let sign = if micro < 0 && units > 0 { "-" } else { "" };
        format!("{sign}{}", unit.exact_text(units))
    };
    let lost: i128 = replay.money.iter().map(|money| money.lost).sum();
    let doubled: i128 = replay.money.iter().map(|money| money.doubled).sum();
    let a_million = |atoms: i128| atoms * 1_000_000 / i128::from(spins.max(1));
    let wrong = (lost != 0 || doubled != 0).then(|| {
        format!(
            "{} {} lost and {} doubled in {spins} spins: {} lost per million spins",
            unit.currency,
            money(lost),
            money(doubled),
            money(a_million(lost - doubled))
        )
    });
    report.checks.push(Check::of("replay", "money", wrong, "nothing lost, nothing doubled"));
    for (words, sums) in replay.target.pools.iter().zip(&replay.money) {
        report.pools.push(PoolMoney {
            field: words.field.clone(),
            level: words.level.clone(),
            lost: money(sums.lost),
            doubled: money(sums.doubled),
            net_lost_per_million_spins: money(a_million(sums.lost - sums.doubled)),
            drift: scale.text(sums.drift),
            drift_from_operation: sums.drift_from,
        });
    }
    report.divergence = replay.first;
}
