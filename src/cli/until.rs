//! `--until RULE`: plays until an interval is narrow enough. The run is looked at after chunks that its plan fixes, so that it
//! ends at the same spin on any number of threads.

use super::arguments::RunArguments;
use super::assemble;
use super::assertions::told_unknown;
use super::checkpoint::Checkpoint;
use super::failure::Failure;
use super::job::{Job, threads};
use super::ledger;
use super::progress::{Bar, interrupted};
use super::run::Outcome;
use crate::config::Model;
use crate::metrics::assertion::{Assertion, Verdict};
use crate::metrics::expression::Expression;
use crate::money::Grouped;
use crate::report::readings::readings;
use crate::report::result::UntilRecord;
use crate::sim::run::{Keeper, Resume};
use crate::sim::stages::{Stages, looks};
use crate::sim::{Commit, Plan};

/// Refuses rules that are not of the width of an interval, and names that the game doesn't have.
pub fn refuse_unknown(rule: Option<&Assertion>, model: &Model) -> Result<(), Failure> {
    let Some(rule) = rule else { return Ok(()) };
    if !matches!(rule.expression, Expression::HalfWidth(_)) || !rule.is_upper_bound() {
        return Err(Failure::Usage(format!(
            "--until {:?}: expected ci(METRIC) < WIDTH, such as 'ci(rtp) < 0.05%'\n  help: a rule on the figure itself would \
             end the run when it happens to look right",
            rule.text
        )));
    }
    told_unknown(rule, model).map_or(Ok(()), |told| Err(Failure::Usage(format!("--until {told}"))))
}

/// Plays until the rule holds, or the most spins are made.
pub fn play(job: &Job, arguments: &RunArguments, rule: &Assertion) -> Result<Outcome, Failure> {
    let plan = Plan::new(arguments.seed, arguments.max_spins);
    let threads = threads(arguments, plan.chunk_count());
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| Failure::Run(error.into()))?;
    let (mut keeper, mut kept) = match &arguments.checkpoint {
        Some(file) => {
            let (keeper, kept) = Checkpoint::open(file, job, &plan, Some(&rule.text), arguments)?;
            (Some(keeper), kept)
        }
        None => (None, None),
    };
    let resume =
        kept.as_mut().map(|kept| Resume { chunks: kept.chunks, base: kept.base.clone(), facts: &mut kept.facts });
    let (game, jackpots) = (&job.model.game, &job.model.jackpots);
    let mut stages = pool.install(|| Stages::new(game, jackpots, &plan, resume))?;
    let bar = Bar::new(&job.model.file_name, plan.spins, arguments.quiet);
    let all = looks(&plan);
    for (look, &chunks) in all.iter().enumerate() {
        // A run that goes on was not at its end at the looks before.
        if chunks < stages.chunks() {
            continue;
        }
        let keep = keeper.as_mut().map(|keeper| keeper as &mut (dyn Keeper + Send));
        pool.install(|| stages.advance(chunks, &bar, keep))?;
        let (so_far, run) = pool.install(|| stages.run(job.openings.as_deref()))?;
        let until =
            UntilRecord { rule: rule.text.clone(), max_spins: plan.spins, looks: look as u64 + 1, reached: true };
        let mut result =
            assemble::result(&job.model, &job.base, &so_far, Commit::Ordered, job.openings.as_deref(), run);
        let judged = rule.judge(&job.model.file_name, &[readings(&result)]).map_err(Failure::Usage)?;
        let reached = judged.verdict == Verdict::Pass && stages.chunks() == chunks;
        let is_last = reached || look + 1 == all.len() || interrupted();
        if !is_last {
            continue;
        }
        bar.finish();
        result.plan.until = Some(UntilRecord { reached, ..until });
        // One that was interrupted is not the run that its plan says.
        result.plan.complete = reached || stages.chunks() == plan.chunk_count();
        result.plan.spins = if result.plan.complete { result.plan.spins_done } else { plan.spins };
        result.seal();
        ledger::check(&result)?;
        let exhausted = (!reached && result.plan.complete).then(|| {
            format!(
                "{} was not reached in {} spins, the most allowed: found {}\n  help: allow more with --max-spins, or a wider \
                 interval",
                rule.text,
                Grouped(plan.spins.into()),
                judged.found
            )
        });
        let checkpoint = keeper.filter(|_| result.plan.complete);
        return Ok(Outcome { result, log: None, threads, checkpoint, exhausted });
    }
    unreachable!("the last look is the last")
}
