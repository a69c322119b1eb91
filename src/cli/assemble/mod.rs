//! Puts a run, its game and its expectation together to a result.

mod days;
mod sheet;

use crate::config::Model;
use crate::exact::base::BaseFigures;
use crate::exact::jackpot::{Expected, expected};
use crate::game::{Game, Play};
use crate::money::{Grouped, PoolUnit};
use crate::pool::{Level, ThresholdLaw, Trigger};
use crate::report::result::{
    AttachmentRecord, BetRecord, ExactBetRecord, ExactRecord, Expectation, FeatureRecord, GameRecord, Law, LevelRecord,
    PlanRecord, PoolRecord, RunResult, SCHEMA,
};
use crate::rng::GENERATOR;
use crate::sim::run::seeds;
use crate::sim::{Commit, Plan, Run};

pub use sheet::{fixed_return, par_sheet, par_sheet_from};

/// The game as it stands in results and shards.
pub fn game_record(model: &Model) -> GameRecord {
    GameRecord {
        name: model.game.name.clone(),
        file: model.file_name.clone(),
        source: model.source.clone(),
        sha256: model.sha256.clone(),
        text: model.text.clone(),
        attachments: model
            .attachments
            .iter()
            .map(|file| AttachmentRecord {
                path: file.path.clone(),
                sha256: file.sha256.clone(),
                text: file.text.clone(),
            })
            .collect(),
        currency: model.unit.currency.clone(),
        minor_digits: model.unit.minor_digits,
        units_per_minor: model.unit.per_minor,
        return_scale: model.game.return_scale,
        lines: model.game.bets.lines,
        published: model.published.clone(),
        traffic: days::traffic_record(model),
    }
}

/// The whole result of a run, sealed. `base` are the exact figures of the same game.
pub fn result(
    model: &Model,
    base: &BaseFigures,
    plan: &Plan,
    commit: Commit,
    openings: Option<&[u64]>,
    run: Run,
) -> RunResult {
    let (by_level, by_pool) = expectations(model, base, openings, &run);
    let mut result = RunResult {
        schema: SCHEMA,
        jackpot: env!("CARGO_PKG_VERSION").into(),
        game: game_record(model),
        plan: PlanRecord { complete: run.complete, ..plan_record(plan, commit, openings, run.spins_done) },
        bets: (model.game.bets.amounts.iter().zip(&model.game.bets.mix))
            .map(|(&amount, &mix)| BetRecord { amount, mix })
            .collect(),
        features: features(&model.game),
        levels: levels(model, &run, by_level, by_pool),
        exact: base.rtp.value.is_finite().then(|| exact_record(&model.game, base)),
        base: run.base,
        series: run.series,
        checksum: String::new(),
    };
    result.seal();
    result
}

/// The plan as it stands in results and shards, of so many spins played in full.
pub fn plan_record(plan: &Plan, commit: Commit, openings: Option<&[u64]>, spins_done: u64) -> PlanRecord {
    PlanRecord {
        rng_seed: plan.rng_seed,
        generator: GENERATOR.into(),
        chunk_spins: plan.chunk_spins,
        spins: plan.spins,
        spins_done,
        complete: true,
        commit: match commit {
            Commit::Ordered => "ordered".into(),
            Commit::Live => "live".into(),
        },
        openings: openings.map(|openings| openings.iter().map(u64::to_string).collect()),
        until: None,
    }
}

type Expectations = (Vec<Option<Expected>>, Vec<Option<Expected>>);

fn expectations(model: &Model, base: &BaseFigures, openings: Option<&[u64]>, run: &Run) -> Expectations {
    let seeds = seeds(&model.jackpots);
    let chances = symbol_chances_of(base);
    expected(&model.game.bets, &model.jackpots, &run.base.spins_by_bet, openings.unwrap_or(&seeds), &chances)
}

fn exact_record(game: &Game, base: &BaseFigures) -> ExactRecord {
    ExactRecord {
        base: base.base.value,
        features: base.features.iter().map(|feature| feature.rtp.value).collect(),
        without_jackpots: base.rtp.value,
        without_jackpots_fraction: base.rtp.fraction.as_ref().map(ToString::to_string),
        sigma_base: base.sigma_base,
        sigma: base.sigma,
        hit_frequency: base.hit_frequency,
        hit_or_trigger_frequency: base.hit_or_trigger,
        by_bet: match base.plays.is_empty() {
            true => Vec::new(),
            false => (0..game.bets.count()).map(|bet| exact_bet_record(base.at_bet(game, bet))).collect(),
        },
    }
}

fn exact_bet_record(base: &BaseFigures) -> ExactBetRecord {
    ExactBetRecord {
        base: base.base.value,
        features: base.features.iter().map(|feature| feature.rtp.value).sum(),
        sigma_base: base.sigma_base,
        sigma: base.sigma,
    }
}

/// Chance per spin of each level that the reels or an outcome table trigger.
pub fn symbol_chances_of(base: &BaseFigures) -> Vec<Option<f64>> {
    base.symbol_chances.iter().map(|chance| chance.as_ref().map(|chance| chance.value)).collect()
}

fn features(game: &Game) -> Vec<FeatureRecord> {
    let Play::Reels(reels) = &game.play else { return Vec::new() };
    let free = reels.free_spins.iter().map(|feature| (feature.name.clone(), "free spins"));
    let bonus = reels.bonuses.iter().map(|bonus| (bonus.name.clone(), "bonus"));
    free.chain(bonus).map(|(name, kind)| FeatureRecord { name, kind: kind.into() }).collect()
}

fn levels(
    model: &Model,
    run: &Run,
    by_level: Vec<Option<Expected>>,
    by_pool: Vec<Option<Expected>>,
) -> Vec<LevelRecord> {
    let mut pools = run.pools.iter().zip(by_pool);
    (model.jackpots.levels.iter().zip(by_level))
        .map(|(level, expected)| LevelRecord {
            name: level.name.clone(),
            linked: level.linked,
            trigger: trigger(level, model),
            law: law(level),
            not_for: (0..level.eligible.len()).filter(|&bet| !level.eligible[bet]).collect(),
            pools: (0..level.pool_count())
                .zip(&mut pools)
                .map(|(pool, (tally, expected))| PoolRecord {
                    field: format!("TBI:{pool}_JL:{}", level.name),
                    bet_index: (!level.linked).then_some(pool),
                    seed: level.seeds[pool],
                    cap: cap(level, pool),
                    tally: tally.clone(),
                    expected: expected.map(expectation),
                })
                .collect(),
            expected: expected.map(expectation),
        })
        .collect()
}

fn cap(level: &Level, pool: usize) -> Option<u64> {
    match (&level.caps, &level.trigger) {
        (Some(caps), _) => Some(caps[pool]),
        (None, Trigger::MustHitBy { bounds, .. }) => Some(bounds[pool]),
        (None, _) => None,
    }
}

fn law(level: &Level) -> Law {
    match level.trigger {
        Trigger::Odds { .. } | Trigger::Symbols => Law::Odds,
        Trigger::MustHitBy { law: ThresholdLaw::Uniform, .. } => Law::MustHitByUniform,
        Trigger::MustHitBy { law: ThresholdLaw::Weighted { .. }, .. } => Law::MustHitByWeighted,
        Trigger::MustHitBy { law: ThresholdLaw::AtCap, .. } => Law::MustHitByAtCap,
    }
}

/// A trigger in words.
fn trigger(level: &Level, model: &Model) -> String {
    match &level.trigger {
        Trigger::Symbols => "symbols".into(),
        Trigger::Odds { hits, of } => odds(hits, *of, &model.game.bets.amounts, &level.eligible, &model.unit),
        Trigger::MustHitBy { law, .. } => {
            let law = match law {
                ThresholdLaw::Uniform => "uniform",
                ThresholdLaw::Weighted { .. } => "weighted",
                ThresholdLaw::AtCap => "at the cap",
            };
            format!("must hit by, {law}")
        }
    }
}

fn odds(hits: &[u64], of: u64, bets: &[u64], eligible: &[bool], unit: &PoolUnit) -> String {
    let one_in = |hits: u64, of: u128| Grouped((of + u128::from(hits) / 2) / u128::from(hits)).to_string();
    let playing: Vec<usize> = (0..hits.len()).filter(|&bet| eligible[bet] && hits[bet] > 0).collect();
    let Some(&first) = playing.first() else { return "never".into() };
    if playing.iter().all(|&bet| hits[bet] == hits[first]) {
        return format!("1 in {} a spin", one_in(hits[first], of.into()));
    }
    let proportional = playing
        .iter()
        .all(|&bet| u128::from(hits[bet]) * u128::from(bets[first]) == u128::from(hits[first]) * u128::from(bets[bet]));
    if proportional {
        // Odds for one major unit of the currency staked.
        let of = u128::from(of) * u128::from(bets[first]) / unit.per_major();
        format!("1 in {} per 1 {} staked", one_in(hits[first], of), unit.currency)
    } else {
        "odds by bet".into()
    }
}

fn expectation(expected: Expected) -> Expectation {
    Expectation {
        hits: expected.hits,
        hits_sd: expected.hits_sd,
        paid: expected.paid,
        paid_sd: expected.paid_sd,
        accrued: expected.accrued,
        accrued_sd: expected.accrued_sd,
        rtp_seed: expected.rtp_seed,
        rtp_growth: expected.rtp_growth,
        amount_mean: expected.amount_mean,
        amount_sd: expected.amount_sd,
        hits_tolerance: expected.hits_tolerance,
        paid_tolerance: expected.paid_tolerance,
        basis: expected.basis,
    }
}
