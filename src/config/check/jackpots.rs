//! Jackpot levels: names, pools, rates, seeds, caps, reserves, eligibility.

use num_traits::{One, Signed, Zero};

use super::bets::DraftBets;
use super::combinations::unreachable;
use super::money::{Equal, Pools, above_seed, pool_amounts, rates};
use super::outcomes::Row;
use super::triggers::{DraftTrigger, MustHitBy, OVERFLOWS, must_hit_by, odds};
use super::{choice, unknown_name};
use crate::config::amount::{Exact, shown, whole};
use crate::config::findings::{At, Notes};
use crate::config::wire::{WireGame, WireLevel, WireTrigger};
use crate::pool::{Overflow, Surplus};

const LEVELS_MAX: usize = 1000;

/// A level before the pool unit is known. Money is in the currency's major unit.
pub(super) struct DraftLevel {
    pub name: String,
    pub linked: bool,
    pub eligible: Vec<bool>,
    /// Rate of the bet, by bet index; also where not eligible.
    pub contributions: Vec<At<Exact>>,
    pub hidden: Option<Vec<At<Exact>>>,
    pub reserve: Option<Surplus>,
    pub seeds: Vec<At<Exact>>,
    pub caps: Option<Vec<At<Exact>>>,
    pub overflow: Overflow,
    pub trigger: DraftTrigger,
}

/// All levels, in order of the file.
pub(super) fn levels(
    notes: &Notes,
    wire: &WireGame,
    bets: &DraftBets,
    lines: u64,
    outcome_rows: &[Row],
) -> Option<Vec<DraftLevel>> {
    if let Some(level) = wire.levels.get(LEVELS_MAX) {
        let message = format!("{} levels", wire.levels.len());
        notes.error(level.span, "level-count", message, format!("expected at most {LEVELS_MAX}"), "remove levels");
        return None;
    }
    let drafts: Vec<_> = wire
        .levels
        .iter()
        .enumerate()
        .map(|(position, level)| {
            level_name(notes, &wire.levels, position);
            let named = outcome_rows
                .iter()
                .any(|row| row.weight.value > 0 && row.jackpots.iter().any(|name| name.value == level.name_text()));
            draft(notes, level, bets, lines, named, wire.reels.is_some())
        })
        .collect();
    let drafts: Vec<DraftLevel> = drafts.into_iter().collect::<Option<_>>()?;
    rate_sum(notes, wire, bets, &drafts);
    Some(drafts)
}

fn level_name(notes: &Notes, levels: &[WireLevel], position: usize) {
    let Some(name) = &levels[position].name else { return };
    if levels[..position].iter().any(|level| level.name_text() == name.value) {
        notes.error(
            name.span,
            "duplicate-level",
            format!("a second level `{}`", name.value),
            "expected another name",
            "give each level its own name",
        );
    }
    let plain = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    if name.value.is_empty() || !name.value.chars().all(plain) {
        notes.error(
            name.span,
            "level-name",
            format!("the level name `{}`", name.value),
            "expected letters, digits, `-` and `_`",
            "the name stands in field names and options, so it has no blanks",
        );
    }
}

fn draft(
    notes: &Notes,
    level: &WireLevel,
    bets: &DraftBets,
    lines: u64,
    named: bool,
    has_reels: bool,
) -> Option<DraftLevel> {
    let linked = choice(notes, level.pool.as_ref(), "pool", &[("per bet", false), ("linked", true)], false);
    let eligible = eligible(notes, level, bets);
    let contributions = level.contribution.as_ref();
    let contributions = contributions.and_then(|found| rates(notes, found, bets.count(), "the contribution"));
    let hidden = level.reserve.as_ref().map(|found| rates(notes, found, bets.count(), "the reserve"));
    let surplus = [("kept", Surplus::Kept), ("released", Surplus::Released)];
    let surplus = choice(notes, level.surplus.as_ref(), "surplus", &surplus, Surplus::Kept);
    if let (Some(surplus), None) = (&level.surplus, &level.reserve) {
        notes.error(
            surplus.span,
            "surplus-without-reserve",
            "`surplus` without a reserve",
            "expected only beside `reserve`",
            "add reserve = \"0.025%\", or remove `surplus`",
        );
    }
    let pools = Pools { bets, lines, linked: linked? };
    let seeds = level.seed.as_ref().and_then(|found| pool_amounts(notes, &pools, found, "the seed"));
    let caps = level.cap.as_ref().map(|found| pool_amounts(notes, &pools, found, "the cap"));
    if let (Some(Some(caps)), Some(seeds)) = (&caps, &seeds) {
        above_seed(notes, caps, seeds, "cap-below-seed", "the cap", Equal::Allowed);
    }
    let cap_overflow = choice(notes, level.cap_overflow.as_ref(), "overflow", &OVERFLOWS, Overflow::House);
    let eligible = eligible?;
    let trigger = trigger(notes, level, &pools, seeds.as_deref(), &eligible, named, has_reels);
    reachable(notes, level, bets, &eligible, contributions.as_deref());
    let mut drafted = DraftLevel {
        name: level.name.as_ref()?.value.clone(),
        linked: pools.linked,
        eligible,
        contributions: contributions?,
        reserve: if level.reserve.is_some() { Some(surplus?) } else { None },
        hidden: match hidden {
            Some(hidden) => Some(hidden?),
            None => None,
        },
        seeds: seeds?,
        caps: match caps {
            Some(caps) => Some(caps?),
            None => None,
        },
        overflow: cap_overflow?,
        trigger: trigger?,
    };
    if let DraftTrigger::MustHitBy { bounds, pays_at_most: true, overflow, .. } = &drafted.trigger {
        drafted.caps = Some(bounds.clone());
        drafted.overflow = *overflow;
    }
    Some(drafted)
}

fn trigger(
    notes: &Notes,
    level: &WireLevel,
    pools: &Pools,
    seeds: Option<&[At<Exact>]>,
    eligible: &[bool],
    named: bool,
    has_reels: bool,
) -> Option<DraftTrigger> {
    if named && level.trigger_written {
        notes.error(
            level.span,
            "trigger-kind",
            format!("`{}` has a trigger, and an outcome names it too", level.name_text()),
            "expected one way to hit",
            "remove the `trigger`, or the outcome's `jackpot`",
        );
        return None;
    }
    match &level.trigger {
        None if named => Some(DraftTrigger::Symbols),
        None => {
            if !level.trigger_written {
                notes.error(
                    level.span,
                    "missing-key",
                    format!("the level `{}` has no `trigger`", level.name_text()),
                    "expected a `trigger` here",
                    "add trigger = { odds = 2_000 }, or name the level in an outcome",
                );
            }
            None
        }
        Some(WireTrigger::Odds { odds: found, per }) => odds(notes, found, per.as_ref(), pools.bets, eligible),
        Some(WireTrigger::MustHitBy { bound, law, pays, overflow }) => {
            if let Some(cap) = &level.cap {
                notes.error(
                    cap.span(),
                    "cap-with-must-hit-by",
                    "a `cap` beside must_hit_by, which is a cap itself",
                    "not expected here",
                    "to pay no more than the bound, write pays = \"at most the cap\" in the trigger",
                );
            }
            let wire = MustHitBy { bound, law: law.as_ref(), pays: pays.as_ref(), overflow: overflow.as_ref() };
            must_hit_by(notes, &wire, pools, seeds)
        }
        Some(WireTrigger::Symbols(found)) => {
            if !has_reels {
                notes.error(
                    found.span,
                    "needs-reels",
                    "a trigger by symbols in a game of outcomes",
                    "expected only in a game of [reels]",
                    "name the level in an outcome: { pay = 0, weight = 1, jackpot = \"grand\" }",
                );
                return None;
            }
            Some(DraftTrigger::Symbols)
        }
    }
}

fn eligible(notes: &Notes, level: &WireLevel, bets: &DraftBets) -> Option<Vec<bool>> {
    match (&level.eligible, &level.eligible_from) {
        (None, None) => Some(vec![true; bets.count()]),
        (None, Some(least)) => Some(bets.amounts.iter().map(|bet| bet.value >= least.value).collect()),
        (Some(indexes), None) => {
            let mut eligible = vec![false; bets.count()];
            let mut sound = true;
            for index in &indexes.value {
                match eligible.get_mut(index.value as usize) {
                    Some(entry) => *entry = true,
                    None => {
                        sound = false;
                        notes.error(
                            index.span,
                            "bet-index",
                            format!("bet index {} of {} bets", index.value, bets.count()),
                            format!("expected 0 to {}", bets.count() - 1),
                            "bets are counted from 0, in the order of [bets] amounts",
                        );
                    }
                }
            }
            sound.then_some(eligible)
        }
        (Some(indexes), Some(_)) => {
            notes.error(
                indexes.span,
                "eligible-kind",
                "both `eligible` and `eligible_from`",
                "expected one of them",
                "keep the list of bet indexes, or the least bet",
            );
            None
        }
    }
}

fn reachable(
    notes: &Notes,
    level: &WireLevel,
    bets: &DraftBets,
    eligible: &[bool],
    contributions: Option<&[At<Exact>]>,
) {
    let played = |index: &usize| eligible[*index] && bets.mix[*index] > 0;
    let place = level.name.as_ref().map_or(level.span, |name| name.span);
    if !(0..bets.count()).any(|index| played(&index)) {
        let message = format!("the level `{}` can never hit: no bet that is played is eligible", level.name_text());
        let eligible = level.eligible.as_ref().map(|list| list.span);
        let span = eligible.or(level.eligible_from.as_ref().map(|least| least.span)).unwrap_or(place);
        unreachable(notes, span, message);
    } else if let (Some(contributions), Some(WireTrigger::MustHitBy { .. })) = (contributions, &level.trigger)
        && (0..bets.count()).filter(played).all(|index| contributions[index].value.is_zero())
    {
        let message =
            format!("the level `{}` can never hit: its meter doesn't grow towards must_hit_by", level.name_text());
        unreachable(notes, level.contribution.as_ref().map_or(place, |found| found.span()), message);
    }
}

fn rate_sum(notes: &Notes, wire: &WireGame, bets: &DraftBets, drafts: &[DraftLevel]) {
    for index in 0..bets.count() {
        let rate = |draft: &DraftLevel| {
            let hidden = draft.hidden.as_ref().map_or_else(Exact::zero, |hidden| hidden[index].value.clone());
            if draft.eligible[index] { &draft.contributions[index].value + hidden } else { Exact::zero() }
        };
        let sum: Exact = drafts.iter().map(rate).sum();
        if (&sum - Exact::one()).is_positive() {
            let last = wire.levels.last().and_then(|level| level.contribution.as_ref());
            notes.error(
                last.map_or(wire.span, |found| found.span()),
                "rate-sum",
                format!(
                    "the levels take {} % of a bet of {}",
                    shown(&(sum * whole(100))),
                    shown(&bets.amounts[index].value)
                ),
                "expected at most 100 % in all, reserves included",
                "lower the contributions",
            );
            return;
        }
    }
}

/// Positions of the exclusive levels, highest first.
pub(super) fn exclusive(notes: &Notes, wire: &WireGame) -> Vec<usize> {
    let mut positions = Vec::new();
    for name in &wire.exclusive {
        match wire.levels.iter().position(|level| level.name_text() == name.value) {
            Some(position) if positions.contains(&position) => notes.error(
                name.span,
                "duplicate-level",
                format!("`{}` stands twice in `exclusive`", name.value),
                "expected each level once",
                "remove one of them",
            ),
            Some(position) => positions.push(position),
            None => {
                unknown_name(notes, name, "unknown-level", "level", wire.levels.iter().map(WireLevel::name_text));
            }
        }
    }
    positions
}
