//! Wheels: tables of segments, and what they name.

use super::pays::{PayUnit, Scale};
use super::prize_tables::DRAWS_MAX;
use super::{limit, unknown_name};
use crate::config::findings::{At, Notes, Span};
use crate::config::wire::{List, WireGame, WireLevel, WireSegment, WireTable};
use crate::game::{Draws, Prize, SpinsAward};

/// Most free spins that a segment may award.
const SPINS_MAX: u64 = 10_000;

/// Whether a segment names a level or free spins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    No,
    /// Only segments that never come do; the first place.
    NeverReached(Span),
    Yes,
}

/// The rows of a wheel; `None` where one is wrong.
pub(super) fn segments(
    notes: &Notes,
    list: &List<WireSegment>,
    game: &WireGame,
    unit: PayUnit,
    scale: &Scale,
) -> Option<Vec<(Prize, u64)>> {
    let rows: Vec<Option<(Prize, u64)>> =
        list.items.iter().map(|found| segment(notes, found.as_ref()?, game, unit, scale)).collect();
    let weighted = |segment: &At<WireSegment>| segment.value.weight.as_ref().is_none_or(|weight| weight.value > 0);
    let again = |segment: &At<WireSegment>| segment.value.again.as_ref().is_some_and(|again| again.value);
    let mut coming = list.known().filter(|segment| weighted(segment)).peekable();
    if list.is_whole() && coming.peek().is_some() && coming.all(again) {
        notes.error(
            list.span,
            "wheel-endless",
            "every segment of this wheel spins it again, so it never ends",
            "expected a segment with a weight above 0 and without `again`",
            "remove `again = true` from a segment",
        );
        return None;
    }
    rows.into_iter().collect()
}

fn segment(
    notes: &Notes,
    found: &At<WireSegment>,
    game: &WireGame,
    unit: PayUnit,
    scale: &Scale,
) -> Option<(Prize, u64)> {
    let wire = &found.value;
    let unread = ["pay", "weight", "draws", "of", "again", "jackpot", "free_spins", "feature"];
    let mut sound = !unread.iter().any(|key| wire.unread.has(key));
    let draws = draws(notes, found, game, &mut sound);
    let jackpots = jackpots(notes, wire, game, &mut sound);
    let free_spins = free_spins(notes, found, game, &mut sound);
    let prize = Prize {
        pay: wire.pay.as_ref().map_or(0, |pay| scale.units(&pay.value, unit)),
        draws,
        jackpots,
        free_spins,
        again: wire.again.as_ref().is_some_and(|again| again.value),
    };
    Some((prize, wire.weight.as_ref()?.value)).filter(|_| sound)
}

fn draws(notes: &Notes, found: &At<WireSegment>, game: &WireGame, sound: &mut bool) -> Option<Draws> {
    let wire = &found.value;
    let count = match &wire.draws {
        Some(draws) => limit(notes, draws, "`draws`", 0, DRAWS_MAX),
        None => Some(1),
    };
    let Some(of) = &wire.of else {
        if let Some(draws) = wire.draws.as_ref().filter(|_| !wire.unread.has("of")) {
            *sound = false;
            notes.error(
                draws.span,
                "missing-key",
                "a segment has `draws` and no `of`",
                "expected `of` beside `draws`",
                "add of = \"table\", the table that is drawn from",
            );
        }
        return None;
    };
    let table = game.tables.iter().position(|table| table.name.value == of.value);
    if table.is_none() {
        unknown_name(notes, of, "unknown-table", "table", game.tables.iter().map(|table| table.name.value.as_str()));
    }
    let draws = table.zip(count).map(|(table, count)| Draws { count, table });
    *sound &= draws.is_some();
    draws
}

fn jackpots(notes: &Notes, wire: &WireSegment, game: &WireGame, sound: &mut bool) -> Vec<usize> {
    let Some(names) = &wire.jackpots else { return Vec::new() };
    *sound &= names.is_whole();
    let mut positions = Vec::new();
    for name in names.known() {
        match game.levels.iter().position(|level| level.name_text() == name.value) {
            Some(position) => positions.push(position),
            None => {
                *sound = false;
                if game.levels_are_named() {
                    unknown_name(notes, name, "unknown-level", "level", game.levels.iter().map(WireLevel::name_text));
                }
            }
        }
    }
    positions.sort_unstable();
    positions.dedup();
    positions
}

fn free_spins(notes: &Notes, found: &At<WireSegment>, game: &WireGame, sound: &mut bool) -> Option<SpinsAward> {
    let wire = &found.value;
    let Some(spins) = &wire.free_spins else {
        if let Some(feature) = wire.feature.as_ref().filter(|_| !wire.unread.has("free_spins")) {
            *sound = false;
            notes.error(
                feature.span,
                "missing-key",
                "a segment names a feature and no number of free spins",
                "expected `free_spins` beside `feature`",
                "add free_spins = 8",
            );
        }
        return None;
    };
    let count = limit(notes, spins, "`free_spins`", 1, SPINS_MAX);
    let features = named_features(wire, game);
    if features.len() != 1 && !game.unread.has("feature") && !wire.unread.has("feature") {
        let all: Vec<String> = (0..game.free_spins.len()).map(|position| game.free_spins_name(position)).collect();
        match &wire.feature {
            Some(name) if features.is_empty() => {
                unknown_name(notes, name, "unknown-feature", "feature", all.iter().map(String::as_str));
            }
            _ => notes.error(
                wire.feature.as_ref().map_or(spins.span, |name| name.span),
                "unknown-feature",
                format!("free spins of which feature? there are {}", features.len()),
                "expected exactly one",
                match features.len() {
                    0 => "add a [[feature]] with free_spins = { name = \"free spins\" }",
                    _ => "give each feature its own name, and add feature = \"free spins\"",
                },
            ),
        }
    }
    let award = match (features.as_slice(), count) {
        ([feature], Some(spins)) => Some(SpinsAward { feature: *feature, spins }),
        _ => None,
    };
    *sound &= award.is_some();
    award
}

/// Free spins that a segment's `feature` may mean; all of them where it is left out.
fn named_features(wire: &WireSegment, game: &WireGame) -> Vec<usize> {
    let named =
        |position: &usize| wire.feature.as_ref().is_none_or(|name| game.free_spins_name(*position) == name.value);
    (0..game.free_spins.len()).filter(named).collect()
}

/// Whether a segment names a level.
pub(super) fn naming_level(game: &WireGame, level: &str) -> Naming {
    naming(game, |segment| {
        let names = segment.value.jackpots.as_ref()?;
        names.known().find(|name| name.value == level).map(|name| name.span)
    })
}

/// Whether a segment awards spins of a feature.
pub(super) fn naming_feature(game: &WireGame, feature: usize) -> Naming {
    naming(game, |segment| {
        let spins = segment.value.free_spins.as_ref()?;
        named_features(&segment.value, game).contains(&feature).then_some(spins.span)
    })
}

/// Whether all that segments name is known.
pub(super) fn are_named(game: &WireGame) -> bool {
    let known = |segment: &At<WireSegment>| {
        ["jackpot", "free_spins", "feature"].iter().all(|key| !segment.value.unread.has(key))
            && segment.value.jackpots.as_ref().is_none_or(List::is_whole)
    };
    let table = |table: &WireTable| !table.unread.has("segments") && table.segments.as_ref().is_none_or(List::is_whole);
    !game.unread.has("tables") && game.tables.iter().all(table) && game.segments().all(known)
}

/// Most spins of a feature that one segment awards, of those that it may.
pub(super) fn most_spins(game: &WireGame, feature: usize) -> u64 {
    let awards = game.segments().filter(|segment| named_features(&segment.value, game).contains(&feature));
    let spins = awards.filter_map(|segment| segment.value.free_spins.as_ref()).map(|spins| spins.value);
    spins.filter(|&spins| spins <= SPINS_MAX).max().unwrap_or(0)
}

fn naming(game: &WireGame, place: impl Fn(&At<WireSegment>) -> Option<Span>) -> Naming {
    let reached = reached(game);
    let mut found = Naming::No;
    for (position, table) in game.tables.iter().enumerate() {
        for segment in table.segments.iter().flat_map(List::known) {
            let Some(span) = place(segment) else { continue };
            if reached[position] && segment.value.weight.as_ref().is_none_or(|weight| weight.value > 0) {
                return Naming::Yes;
            }
            if found == Naming::No {
                found = Naming::NeverReached(span);
            }
        }
    }
    found
}

/// Tables that a bonus may lead to; all of them where that is not known.
fn reached(game: &WireGame) -> Vec<bool> {
    let position = |name: &At<String>| game.tables.iter().position(|table| table.name.value == name.value);
    let mut reached = vec![false; game.tables.len()];
    let is_known = |table: &WireTable| {
        ["draws", "of", "segments"].iter().all(|key| !table.unread.has(key))
            && table.segments.as_ref().is_none_or(List::is_whole)
            && table.segments.iter().flat_map(List::known).all(|segment| !segment.value.unread.has("of"))
    };
    let starts: Option<Vec<usize>> = game.bonuses.iter().map(|bonus| bonus.draw.as_ref().and_then(&position)).collect();
    let Some(mut open) = starts.filter(|_| !game.unread.has("feature") && game.tables.iter().all(is_known)) else {
        return vec![true; game.tables.len()];
    };
    while let Some(table) = open.pop() {
        if std::mem::replace(&mut reached[table], true) {
            continue;
        }
        let table = &game.tables[table];
        open.extend(table.of.as_ref().filter(|_| table.draws.is_some()).and_then(&position));
        for segment in table.segments.iter().flat_map(List::known) {
            let never = |found: &Option<At<u64>>| found.as_ref().is_some_and(|found| found.value == 0);
            if !never(&segment.value.weight) && !never(&segment.value.draws) {
                open.extend(segment.value.of.as_ref().and_then(&position));
            }
        }
    }
    reached
}
