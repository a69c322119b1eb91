//! What makes a level hit: odds, must-hit-by, symbols.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::bets::DraftBets;
use super::choice;
use super::combinations::{Scene, combination};
use super::money::{Equal, Known, Pools, above_seed, pool_amounts};
use super::overflows;
use super::thresholds::{self, DraftLaw};
use crate::config::amount::{Amount, Exact, shown};
use crate::config::findings::{At, Notes};
use crate::config::wire::{PerBet, WireGame, WireLaw, WireLevel, WireOverflow, WireTrigger};
use crate::game::Combination;
use crate::pool::Overflow;

/// A trigger before the pool unit is known.
pub(super) enum DraftTrigger {
    Odds { hits: Vec<u64>, of: u64 },
    MustHitBy { bounds: Known<Exact>, law: DraftLaw, pays_at_most: bool, overflow: Overflow },
    Symbols,
}

/// Odds as written: `1 in odds`, or `bet / per in odds`.
pub(super) struct Odds<'a> {
    pub odds: Option<&'a At<Exact>>,
    pub per: Option<&'a At<Exact>>,
    /// Whether `per` is written and could not be read.
    pub per_unread: bool,
}

/// `eligible` is absent where it is not known.
pub(super) fn odds(notes: &Notes, wire: &Odds, bets: &DraftBets, eligible: Option<&[bool]>) -> Option<DraftTrigger> {
    let mut sound = true;
    for (value, what) in [(wire.odds, "the odds"), (wire.per, "`per`")] {
        let Some(value) = value.filter(|value| !value.value.is_positive()) else { continue };
        sound = false;
        notes.error(
            value.span,
            "odds-not-positive",
            format!("{what}: {}", shown(&value.value)),
            "expected more than 0",
            "odds = 2_000 means 1 in 2,000 spins",
        );
    }
    let odds = wire.odds.filter(|_| sound && !wire.per_unread)?;
    // Without `per` the chance is the same at every bet, known or not.
    let chance = |index: usize| match wire.per {
        None => Some(odds.value.recip()),
        Some(per) => Some(bets.amount(index)? / (&per.value * &odds.value)),
    };
    let chances: Vec<Option<Exact>> = (0..bets.places())
        .map(|index| match eligible.map(|eligible| eligible.get(index).copied().unwrap_or(false)) {
            Some(true) => chance(index),
            Some(false) => Some(Exact::zero()),
            None => chance(index).filter(|_| wire.per.is_none()),
        })
        .collect();
    if let Some(index) = chances.iter().position(|chance| chance.as_ref().is_some_and(|chance| *chance > Exact::one()))
    {
        let bet = bets.amount(index).map_or_else(String::new, |bet| format!(" at a bet of {}", shown(bet)));
        notes.error(
            odds.span,
            "probability-above-1",
            format!("odds of {} give a probability above 1{bet}", shown(&odds.value)),
            "expected a probability of at most 1 at every eligible bet",
            "odds = 2_000 means 1 in 2,000 spins: write larger odds, or a larger `per`",
        );
        return None;
    }
    let of = chances.iter().flatten().fold(BigInt::one(), |of, chance| of.lcm(chance.denom()));
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
    let hits = chances.iter().map(|chance| (chance.as_ref()? * &scale).to_integer().to_u64()).collect::<Option<_>>()?;
    Some(DraftTrigger::Odds { hits, of: total })
}

/// The options beside a bound, as written.
pub(super) struct MustHitBy<'a> {
    pub bound: Option<&'a PerBet<Amount>>,
    pub law: Option<&'a WireLaw>,
    /// Whether `law` is written and could not be read.
    pub law_unread: bool,
    pub pays: Option<&'a At<String>>,
    /// Whether `pays` is written and could not be read.
    pub pays_unread: bool,
    pub overflow: Option<&'a WireOverflow>,
    /// Every level, by which an overflow may name one.
    pub wire: &'a WireGame,
}

pub(super) fn must_hit_by(
    notes: &Notes,
    wire: &MustHitBy,
    pools: &Pools,
    seeds: &Known<Amount>,
) -> Option<DraftTrigger> {
    let law = thresholds::law(notes, wire.law).filter(|_| !wire.law_unread);
    let pays = choice(notes, wire.pays, "pays", &[("meter", false), ("at most the cap", true)], false);
    let overflow = overflows::overflow(notes, wire.overflow, wire.wire);
    if let (Some(false), Some(overflow)) = (pays.filter(|_| !wire.pays_unread), wire.overflow) {
        notes.error(
            overflow.span(),
            "overflow-without-cap",
            "`overflow` where a hit pays the meter",
            "expected only with pays = \"at most the cap\"",
            "add pays = \"at most the cap\", or remove `overflow`",
        );
    }
    let bounds = pool_amounts(notes, pools, wire.bound?, "must_hit_by");
    above_seed(notes, pools, &bounds, seeds, "must-hit-by-not-above-seed", "must_hit_by", Equal::Refused);
    let bounds = pools.resolved(&bounds);
    Some(DraftTrigger::MustHitBy { bounds, law: law?, pays_at_most: pays?, overflow: overflow? })
}

/// A level's position and what triggers it.
pub(super) type OfLevel = (usize, Combination);

/// Levels that the reels trigger, and those of them whose award stands in for the win of the symbols.
pub(super) fn symbol_triggers(notes: &Notes, levels: &[WireLevel], scene: &Scene) -> (Vec<OfLevel>, Vec<OfLevel>) {
    let (mut found, mut replacing) = (Vec::new(), Vec::new());
    for (position, level) in levels.iter().enumerate() {
        if let Some(WireTrigger::Symbols(wire)) = &level.trigger {
            let what = format!("the level `{}`", level.name_text());
            let replaces = choice(notes, wire.award.as_ref(), "award", &[("adds", false), ("replaces", true)], false);
            let read = combination(notes, wire, &what, scene).map(|combination| (position, combination));
            replacing.extend(read.clone().filter(|_| replaces == Some(true)));
            found.extend(read);
        }
    }
    (found, replacing)
}
