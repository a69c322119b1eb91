//! What makes a level hit: odds, must-hit-by, symbols.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::bets::DraftBets;
use super::choice;
use super::combinations::{Scene, combination};
use super::money::{Equal, Pools, above_seed, pool_amounts};
use crate::config::amount::{Amount, Exact, shown};
use crate::config::findings::{At, Notes};
use crate::config::wire::{PerBet, WireLevel, WireTrigger};
use crate::game::Combination;
use crate::pool::{Overflow, ThresholdLaw};

/// The words for where an overflow goes.
pub(super) const OVERFLOWS: [(&str, Overflow); 2] = [("house", Overflow::House), ("next seed", Overflow::NextSeed)];

/// A trigger before the pool unit is known.
pub(super) enum DraftTrigger {
    Odds { hits: Vec<u64>, of: u64 },
    MustHitBy { bounds: Vec<At<Exact>>, law: ThresholdLaw, pays_at_most: bool, overflow: Overflow },
    Symbols,
}

/// `1 in odds`, or `bet / per in odds`.
pub(super) fn odds(
    notes: &Notes,
    odds: &At<Exact>,
    per: Option<&At<Exact>>,
    bets: &DraftBets,
    eligible: &[bool],
) -> Option<DraftTrigger> {
    let found = [Some((odds, "the odds")), per.map(|per| (per, "`per`"))];
    for (value, what) in found.into_iter().flatten() {
        if !value.value.is_positive() {
            notes.error(
                value.span,
                "odds-not-positive",
                format!("{what}: {}", shown(&value.value)),
                "expected more than 0",
                "odds = 2_000 means 1 in 2,000 spins",
            );
            return None;
        }
    }
    let chance = |bet: &At<Exact>| match per {
        None => odds.value.recip(),
        Some(per) => &bet.value / (&per.value * &odds.value),
    };
    let chances: Vec<Exact> = bets
        .amounts
        .iter()
        .zip(eligible)
        .map(|(bet, &eligible)| if eligible { chance(bet) } else { Exact::zero() })
        .collect();
    if let Some((bet, _)) = bets.amounts.iter().zip(&chances).find(|(_, chance)| **chance > Exact::one()) {
        notes.error(
            odds.span,
            "probability-above-1",
            format!("odds of {} give a probability above 1 at a bet of {}", shown(&odds.value), shown(&bet.value)),
            "expected a probability of at most 1 at every eligible bet",
            "odds = 2_000 means 1 in 2,000 spins: write larger odds, or a larger `per`",
        );
        return None;
    }
    let of = chances.iter().fold(BigInt::one(), |of, chance| of.lcm(chance.denom()));
    let Some(total) = of.to_u64().filter(|&of| of <= i64::MAX as u64) else {
        notes.error(
            odds.span,
            "odds-too-fine",
            "the probabilities of the bets have no common denominator below 2^63",
            "expected rounder odds",
            "write odds with fewer digits",
        );
        return None;
    };
    let scale = Exact::from_integer(of);
    let hits = chances.iter().map(|chance| (chance * &scale).to_integer().to_u64()).collect::<Option<_>>()?;
    Some(DraftTrigger::Odds { hits, of: total })
}

/// The options beside a bound, as written.
pub(super) struct MustHitBy<'a> {
    pub bound: &'a PerBet<Amount>,
    pub law: Option<&'a At<String>>,
    pub pays: Option<&'a At<String>>,
    pub overflow: Option<&'a At<String>>,
}

pub(super) fn must_hit_by(
    notes: &Notes,
    wire: &MustHitBy,
    pools: &Pools,
    seeds: Option<&[At<Exact>]>,
) -> Option<DraftTrigger> {
    let bounds = pool_amounts(notes, pools, wire.bound, "must_hit_by");
    let law = [("uniform", ThresholdLaw::Uniform), ("at cap", ThresholdLaw::AtCap)];
    let law = choice(notes, wire.law, "law", &law, ThresholdLaw::Uniform);
    let pays = choice(notes, wire.pays, "pays", &[("meter", false), ("at most the cap", true)], false);
    let overflow = choice(notes, wire.overflow, "overflow", &OVERFLOWS, Overflow::House);
    if let (Some(false), Some(overflow)) = (pays, wire.overflow) {
        notes.error(
            overflow.span,
            "overflow-without-cap",
            "`overflow` where a hit pays the meter",
            "expected only with pays = \"at most the cap\"",
            "add pays = \"at most the cap\", or remove `overflow`",
        );
    }
    let bounds = bounds?;
    let above = above_seed(notes, &bounds, seeds?, "must-hit-by-not-above-seed", "must_hit_by", Equal::Refused);
    let (law, pays_at_most, overflow) = (law?, pays?, overflow?);
    above.then_some(DraftTrigger::MustHitBy { bounds, law, pays_at_most, overflow })
}

/// Levels that the reels trigger.
pub(super) fn symbol_triggers(notes: &Notes, levels: &[WireLevel], scene: &Scene) -> Vec<(usize, Combination)> {
    let mut found = Vec::new();
    for (position, level) in levels.iter().enumerate() {
        if let Some(WireTrigger::Symbols(wire)) = &level.trigger {
            let what = format!("the level `{}`", level.name_text());
            found.extend(combination(notes, wire, &what, scene).map(|combination| (position, combination)));
        }
    }
    found
}
