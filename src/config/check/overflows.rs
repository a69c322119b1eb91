//! Where growth above a cap goes: the house, the next seed, or another level.

use super::jackpots::DraftLevel;
use super::{choice, unknown_name};
use crate::config::findings::{At, Notes};
use crate::config::wire::{WireGame, WireLevel, WireOverflow, WireTrigger};
use crate::pool::Overflow;

/// What is written; the house if nothing is. `None` for a word or a level that is not known.
pub(super) fn overflow(notes: &Notes, found: Option<&WireOverflow>, wire: &WireGame) -> Option<Overflow> {
    match found {
        None => Some(Overflow::House),
        Some(WireOverflow::Word(word)) => {
            let words = [("house", Overflow::House), ("next seed", Overflow::NextSeed)];
            choice(notes, Some(word), "overflow", &words, Overflow::House)
        }
        Some(WireOverflow::Level(name)) => {
            let position = wire.levels.iter().position(|level| level.name_text() == name.value);
            if position.is_none() && wire.levels_are_named() {
                unknown_name(notes, name, "unknown-level", "level", wire.levels.iter().map(WireLevel::name_text));
            }
            position.map(Overflow::Level)
        }
    }
}

/// The name in an overflow to a level.
fn name(level: &WireLevel) -> Option<&At<String>> {
    let trigger = match &level.trigger {
        Some(WireTrigger::MustHitBy { overflow, .. }) => overflow.as_ref(),
        _ => None,
    };
    [trigger, level.cap_overflow.as_ref()].into_iter().flatten().find_map(|found| match found {
        WireOverflow::Level(name) => Some(name),
        WireOverflow::Word(_) => None,
    })
}

/// What overflows from level to level: nothing comes back, and the receiver is for every bet of the sender.
pub(super) fn between(notes: &Notes, wire: &WireGame, drafts: &[DraftLevel]) {
    let next = |level: usize| match drafts[level].overflow {
        Overflow::Level(to) => Some(to),
        Overflow::House | Overflow::NextSeed => None,
    };
    for (from, (draft, level)) in drafts.iter().zip(&wire.levels).enumerate() {
        let (Some(to), Some(name)) = (next(from), name(level)) else { continue };
        let own = level.name_text();
        if comes_back(from, drafts.len(), next) {
            let message = if to == from {
                format!("`{own}` overflows to itself")
            } else {
                format!("what `{own}` sends to `{}` comes back to it", name.value)
            };
            let help = "send it to a level that sends nothing back, or to the \"next seed\"";
            notes.error(name.span, "overflow-cycle", message, "expected another level", help);
            continue;
        }
        let (Some(sends), Some(receives)) = (&draft.eligible, &drafts[to].eligible) else { continue };
        if let Some(bet) = sends.iter().zip(receives).position(|(sends, receives)| *sends && !receives) {
            notes.error(
                name.span,
                "overflow-not-eligible",
                format!("`{own}` is for bet index {bet}, and `{}` is not", name.value),
                "expected a level that is for every bet that this one is for",
                "name another level, or make that bet eligible there",
            );
        }
    }
}

fn comes_back(from: usize, count: usize, next: impl Fn(usize) -> Option<usize>) -> bool {
    let mut level = from;
    for _ in 0..count {
        match next(level) {
            Some(to) if to == from => return true,
            Some(to) => level = to,
            None => return false,
        }
    }
    false
}
