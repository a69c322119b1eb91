//! Jackpot levels: names, pools, rates, seeds, caps, reserves, triggers.

use num_traits::{One, Signed, Zero};

use super::bets::DraftBets;
use super::eligible::{eligible, reachable};
use super::money::{Equal, Known, Pools, above_seed, pool_amounts, rates};
use super::outcomes::{Naming, Rows};
use super::overflows::{between, overflow};
use super::triggers::{DraftTrigger, MustHitBy, Odds, must_hit_by, odds};
use super::{choice, unknown_name, wheels};
use crate::config::amount::{Amount, Exact, shown, whole};
use crate::config::findings::Notes;
use crate::config::wire::{PerBet, WireGame, WireLevel, WireTrigger};
use crate::pool::{Overflow, Surplus};

const LEVELS_MAX: usize = 1000;

/// A level before the pool unit is known, as far as it is right. Money is in the currency's major unit.
pub(super) struct DraftLevel {
    pub name: Option<String>,
    pub linked: Option<bool>,
    pub eligible: Option<Vec<bool>>,
    /// Rate of the bet, by bet index; also where not eligible.
    pub contributions: Known<Exact>,
    pub hidden: Option<Known<Exact>>,
    pub reserve: Option<Surplus>,
    pub seeds: Known<Exact>,
    pub caps: Option<Known<Exact>>,
    pub overflow: Overflow,
    pub trigger: Option<DraftTrigger>,
}

/// What levels depend on.
pub(super) struct Setting<'a> {
    pub wire: &'a WireGame,
    pub bets: &'a DraftBets,
    pub lines: Option<u64>,
    pub outcomes: &'a Rows,
}

/// All levels, in order of the file.
pub(super) fn levels(notes: &Notes, setting: &Setting) -> Vec<DraftLevel> {
    let wire = setting.wire;
    if let Some(level) = wire.levels.get(LEVELS_MAX) {
        let message = format!("{} levels", wire.levels.len());
        notes.error(level.span, "level-count", message, format!("expected at most {LEVELS_MAX}"), "remove levels");
    }
    let drafts: Vec<DraftLevel> = wire
        .levels
        .iter()
        .enumerate()
        .map(|(position, level)| {
            level_name(notes, &wire.levels, position);
            draft(notes, level, setting)
        })
        .collect();
    rate_sum(notes, wire, setting.bets, &drafts);
    between(notes, wire, &drafts);
    drafts
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

fn draft(notes: &Notes, level: &WireLevel, setting: &Setting) -> DraftLevel {
    let bets = setting.bets;
    let pool = level.pool.as_ref().map(|_| &[("per bet", false), ("linked", true)]);
    let linked = pool.and_then(|words| choice(notes, level.pool.as_ref(), "pool", words, false));
    let eligible = eligible(notes, level, bets);
    let unknown = || vec![None; bets.places()];
    let rates = |found: &PerBet<Exact>, what: &str| rates(notes, found, bets.count, what);
    let contributions = level.contribution.as_ref().map_or_else(unknown, |found| rates(found, "the contribution"));
    let hidden = level.reserve.as_ref().map(|found| rates(found, "the reserve"));
    let surplus = [("kept", Surplus::Kept), ("released", Surplus::Released)];
    let surplus = choice(notes, level.surplus.as_ref(), "surplus", &surplus, Surplus::Kept);
    if let (Some(surplus), None, false) = (&level.surplus, &level.reserve, level.unread.has("reserve")) {
        notes.error(
            surplus.span,
            "surplus-without-reserve",
            "`surplus` without a reserve",
            "expected only beside `reserve`",
            "add reserve = \"0.025%\", or remove `surplus`",
        );
    }
    let pools = Pools { bets, lines: setting.lines, linked };
    let seeds = level.seed.as_ref().map_or_else(Vec::new, |found| pool_amounts(notes, &pools, found, "the seed"));
    let caps = level.cap.as_ref().map(|found| pool_amounts(notes, &pools, found, "the cap"));
    if let Some(caps) = &caps {
        above_seed(notes, &pools, caps, &seeds, "cap-below-seed", "the cap", Equal::Allowed);
    }
    let cap_overflow = overflow(notes, level.cap_overflow.as_ref(), setting.wire);
    let trigger = trigger(notes, level, setting, &pools, &seeds, eligible.as_deref());
    reachable(notes, level, bets, eligible.as_deref(), &contributions);
    let mut drafted = DraftLevel {
        name: level.name.as_ref().map(|name| name.value.clone()),
        linked,
        eligible,
        contributions,
        reserve: level.reserve.as_ref().and(surplus),
        hidden,
        seeds: pools.resolved(&seeds),
        caps: caps.map(|caps| pools.resolved(&caps)),
        overflow: cap_overflow.unwrap_or(Overflow::House),
        trigger,
    };
    if let Some(DraftTrigger::MustHitBy { bounds, pays_at_most: true, overflow, .. }) = &drafted.trigger {
        drafted.caps = Some(bounds.clone());
        drafted.overflow = *overflow;
    }
    drafted
}

fn trigger(
    notes: &Notes,
    level: &WireLevel,
    setting: &Setting,
    pools: &Pools,
    seeds: &Known<Amount>,
    eligible: Option<&[bool]>,
) -> Option<DraftTrigger> {
    let named = setting.outcomes.naming(level.name_text());
    let on_wheel = wheels::naming_level(setting.wire, level.name_text());
    let written = level.trigger.is_some() || level.unread.has("trigger");
    let by = [("an outcome", named != Naming::No), ("a segment of a wheel", on_wheel != wheels::Naming::No)];
    if let Some((by, _)) = by.iter().find(|(_, named)| written && *named) {
        notes.error(
            level.span,
            "trigger-kind",
            format!("`{}` has a trigger, and {by} names it too", level.name_text()),
            "expected one way to hit",
            format!("remove the `trigger`, or the `jackpot` of {by}"),
        );
    }
    match &level.trigger {
        None => {
            if on_wheel == wheels::Naming::No {
                untriggered(notes, level, setting, named, written);
            } else if let wheels::Naming::NeverReached(span) = on_wheel {
                notes.error(
                    span,
                    "unreachable-trigger",
                    format!("the level `{}` can never hit: no draw comes to this segment", level.name_text()),
                    "named here",
                    "give the segment a weight above 0 in a table that a bonus draws from, or give the level a `trigger`",
                );
            }
            Some(DraftTrigger::Symbols)
        }
        Some(WireTrigger::Odds { odds: found, per, unread }) => {
            let wire = Odds { odds: found.as_ref(), per: per.as_ref(), per_unread: unread.has("per") };
            odds(notes, &wire, pools.bets, eligible)
        }
        Some(WireTrigger::MustHitBy { bound, law, pays, overflow, unread }) => {
            if let Some(cap) = &level.cap {
                notes.error(
                    cap.span(),
                    "cap-with-must-hit-by",
                    "a `cap` beside must_hit_by, which is a cap itself",
                    "not expected here",
                    "to pay no more than the bound, write pays = \"at most the cap\" in the trigger",
                );
            }
            let wire = MustHitBy {
                bound: bound.as_ref(),
                law: law.as_ref(),
                law_unread: unread.has("law"),
                pays: pays.as_ref(),
                pays_unread: unread.has("pays"),
                overflow: overflow.as_ref(),
                wire: setting.wire,
            };
            must_hit_by(notes, &wire, pools, seeds)
        }
        Some(WireTrigger::Symbols(found)) => {
            if setting.wire.reels.is_none() && setting.wire.outcomes.is_some() {
                notes.error(
                    found.span,
                    "needs-reels",
                    "a trigger by symbols in a game of outcomes",
                    "expected only in a game of [reels]",
                    "name the level in an outcome: { pay = 0, weight = 1, jackpot = \"grand\" }",
                );
            }
            Some(DraftTrigger::Symbols)
        }
    }
}

/// Reports a level without a trigger that no outcome can hit either.
fn untriggered(notes: &Notes, level: &WireLevel, setting: &Setting, named: Naming, written: bool) {
    match named {
        Naming::OfNoWeight(span) if !written => notes.error(
            span,
            "unreachable-trigger",
            format!("the level `{}` can never hit: the outcome that names it has a weight of 0", level.name_text()),
            "named here",
            "give the outcome a weight above 0, or give the level a `trigger` and don't name it here",
        ),
        Naming::No
            if !written
                && wheels::are_named(setting.wire)
                && (setting.wire.outcomes.is_none() || (setting.outcomes.are_named && level.name.is_some())) =>
        {
            let help = match &setting.wire.outcomes {
                Some(_) => "add trigger = { odds = 2_000 }, or name the level in an outcome",
                None => "add trigger = { odds = 2_000 }",
            };
            notes.error(
                level.span,
                "missing-key",
                format!("the level `{}` has no `trigger`", level.name_text()),
                "expected a `trigger` here",
                help,
            );
        }
        _ => {}
    }
}

/// Rates that are not known count as 0, so that a finding doesn't depend on them.
fn rate_sum(notes: &Notes, wire: &WireGame, bets: &DraftBets, drafts: &[DraftLevel]) {
    for index in 0..bets.places() {
        let at = |rates: &Known<Exact>| {
            let rate = rates.get(index).and_then(|rate| rate.as_ref());
            rate.map_or_else(Exact::zero, |rate| rate.value.clone())
        };
        let rate = |draft: &DraftLevel| {
            let eligible = draft.eligible.as_ref().and_then(|eligible| eligible.get(index)).copied().unwrap_or(false);
            let hidden = draft.hidden.as_ref().map_or_else(Exact::zero, at);
            if eligible { at(&draft.contributions) + hidden } else { Exact::zero() }
        };
        let sum: Exact = drafts.iter().map(rate).sum();
        if (&sum - Exact::one()).is_positive() {
            let last = wire.levels.last().and_then(|level| level.contribution.as_ref());
            let bet =
                bets.amount(index).map_or_else(|| "the bet".to_string(), |bet| format!("a bet of {}", shown(bet)));
            notes.error(
                last.map_or(wire.span, |found| found.span()),
                "rate-sum",
                format!("the levels take {} % of {bet}", shown(&(sum * whole(100)))),
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
            None if !wire.levels_are_named() => {}
            None => {
                unknown_name(notes, name, "unknown-level", "level", wire.levels.iter().map(WireLevel::name_text));
            }
        }
    }
    positions
}
