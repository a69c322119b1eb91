//! Free spins and bonuses.

use super::combinations::{Scene, combination, unreachable};
use super::reels::{CELLS_MAX, Layout, REELS_MAX};
use super::scatters::{self, Scatter};
use super::wheels::{self, Naming};
use super::{limit, plain_text, unknown_name};
use crate::config::amount::{shown, whole};
use crate::config::findings::{At, Notes};
use crate::config::wire::{Pairs, WireBonus, WireFreeSpins, WireGame, WireRetrigger};
use crate::game::{Bonus, FreeSpins, Spared, Symbol, SymbolId};

const SPINS_MAX: u64 = 10_000;
const LIMIT_MAX: u64 = 1_000_000;
const MULTIPLIER_MAX: u64 = 1_000_000;

/// In order of the file; `None` where one is wrong.
pub(super) fn bonuses(notes: &Notes, game: &WireGame, scene: &Scene) -> Vec<Option<Bonus>> {
    let (wire, tables) = (&game.bonuses, &game.tables);
    let read = |(position, bonus): (usize, &WireBonus)| {
        let name = bonus.name.as_ref();
        let what = name.map_or("the bonus".to_string(), |name| format!("the bonus `{}`", name.value));
        let same = |other: &WireBonus| other.name.as_ref().map(|name| &name.value) == name.map(|name| &name.value);
        if let Some(name) = name {
            plain_text(notes, name, "a bonus");
        }
        if let Some(name) = name.filter(|_| wire[..position].iter().any(same)) {
            let message = format!("{what} stands twice");
            notes.error(name.span, "duplicate-name", message, "expected another name", "give each bonus its own name");
        }
        let trigger = combination(notes, &bonus.trigger, &what, scene);
        let draw = bonus.draw.as_ref()?;
        let table = tables.iter().position(|table| table.name.value == draw.value);
        if table.is_none() && !game.unread.has("tables") {
            unknown_name(notes, draw, "unknown-table", "table", tables.iter().map(|table| table.name.value.as_str()));
        }
        Some(Bonus { name: name?.value.clone(), trigger: trigger?, table: table? })
    };
    wire.iter().enumerate().map(read).collect()
}

/// In order of the file; `None` where one is wrong.
pub(super) fn free_spins(
    notes: &Notes,
    wire: &WireGame,
    layout: &Layout,
    symbols: &[Symbol],
) -> Vec<Option<FreeSpins>> {
    let read = |(position, feature): (usize, &WireFreeSpins)| {
        let counts_scatters = !awarded_by_wheels_alone(notes, wire, feature, position);
        let scatter = feature.scatter.as_ref().and_then(|name| layout.symbol(notes, name));
        let awards = match counts_scatters {
            true if feature.scatter.is_some() || awards_are_said(feature) => awards(notes, feature, layout),
            true => None,
            false => Some(Vec::new()),
        };
        let multiplier = feature.multiplier.as_ref();
        let multiplier = multiplier.map_or(Some(1), |found| limit(notes, found, "the multiplier", 1, MULTIPLIER_MAX));
        let spared = spared(notes, feature, wire, layout);
        let spins_max = spins_max(notes, feature, awards.as_deref(), wheels::most_spins(wire, position));
        let set = layout.feature_sets[position];
        if let Some(name) = &feature.name {
            plain_text(notes, name, "a feature");
        }
        let sticky = sticky(notes, feature, layout);
        let awards = awards?;
        let counted = scatter.map(|scatter| Scatter::of(symbols, scatter));
        let retriggers = match feature.retrigger.as_ref().map(|found| &found.value) {
            None | Some(WireRetrigger::None | WireRetrigger::Spins(0)) => Vec::new(),
            Some(WireRetrigger::Same) => awards.clone(),
            Some(WireRetrigger::Spins(spins)) => {
                awards.iter().map(|&award| if award > 0 { *spins } else { 0 }).collect()
            }
        };
        if counts_scatters && scatter.is_none() {
            return None;
        }
        let by_wheel = wheels::naming_feature(wire, position) == Naming::Yes;
        if let (Some(counted), Some((base, rows)), false) = (counted, layout.window(0), by_wheel) {
            let most = scatters::most(base, rows, counted);
            if let Some(from) = awards.iter().position(|&award| award > 0).filter(|from| most <= *from) {
                let message = format!(
                    "free spins can never start: the window shows at most {most} `{}`, not {}",
                    layout.symbols[usize::from(counted.symbol)],
                    from + 1
                );
                unreachable(notes, feature.scatter.as_ref().map_or(feature.span, |name| name.span), message);
            }
        }
        let unlimited = feature.limit.is_none() && !feature.unread.has("limit");
        let mean = counted.zip(layout.window(set));
        let mean = mean.map(|(counted, (set, rows))| scatters::mean_award(set, rows, counted, &retriggers));
        if let Some(mean) = mean.filter(|mean| unlimited && *mean >= whole(1)) {
            notes.error(
                feature.retrigger.as_ref().map_or(feature.span, |found| found.span),
                "retrigger-endless",
                format!("a free spin retriggers {} free spins on average, so their mean is not finite", shown(&mean)),
                "expected less than 1",
                "award fewer spins, need more scatters, or add limit = the most spins of one trigger",
            );
        }
        let name = wire.free_spins_name(position);
        let (multiplier, spared) = (multiplier?, spared?);
        Some(FreeSpins {
            name,
            scatter,
            awards,
            retriggers,
            spins_max,
            multiplier,
            spared,
            strip_set: set,
            sticky: sticky?,
        })
    };
    wire.free_spins.iter().enumerate().map(read).collect()
}

/// Symbols that stick; none where the list is wrong.
fn sticky(notes: &Notes, feature: &WireFreeSpins, layout: &Layout) -> Option<Vec<SymbolId>> {
    let Some(names) = feature.sticky.as_ref().filter(|names| !names.items.is_empty()) else { return Some(Vec::new()) };
    let retriggers = feature.retrigger.as_ref();
    let retriggers = retriggers.filter(|found| !matches!(found.value, WireRetrigger::None | WireRetrigger::Spins(0)));
    if let Some(retriggers) = retriggers {
        notes.error(
            retriggers.span,
            "sticky-retrigger",
            "free spins with both `sticky` and `retrigger`",
            "expected one of them",
            "symbols stick for the spins of one trigger: remove `retrigger`, or `sticky`",
        );
    }
    layout.symbol_list(notes, names)
}

/// Whether it is written what scatters award.
fn awards_are_said(feature: &WireFreeSpins) -> bool {
    let written = feature.from.is_some() || feature.spins.is_some() || feature.by_count.is_some();
    written || ["from", "spins", "by_count"].iter().any(|key| feature.unread.has(key))
}

/// Whether a feature counts no scatter, so that wheels alone award its spins. If none does, or it has rules for scatters,
/// that is a finding.
fn awarded_by_wheels_alone(notes: &Notes, wire: &WireGame, feature: &WireFreeSpins, position: usize) -> bool {
    if feature.scatter.is_some() || feature.unread.has("scatter") {
        return false;
    }
    let retriggers = feature.retrigger.as_ref().is_some_and(|found| !matches!(found.value, WireRetrigger::None));
    let counts = retriggers || feature.unread.has("retrigger") || awards_are_said(feature);
    match wheels::naming_feature(wire, position) {
        Naming::NeverReached(span) if !counts => unreachable(
            notes,
            span,
            format!("the free spins `{}` can never start: no draw comes to this segment", wire.free_spins_name(position)),
        ),
        Naming::Yes if !counts => {}
        Naming::No if !counts && !wheels::are_named(wire) => {}
        _ => notes.error(
            feature.span,
            "missing-key",
            if counts { "free_spins has no `scatter`" } else { "free_spins has no `scatter`, and no wheel awards it" },
            "expected a `scatter` here",
            "add `scatter = \"symbol\"`; without it a wheel awards the spins, and scatters neither award nor retrigger any",
        ),
    }
    !counts
}

/// Spins by number of scatters, from 1.
fn awards(notes: &Notes, feature: &WireFreeSpins, layout: &Layout) -> Option<Vec<u64>> {
    let cells = layout.cells().unwrap_or(CELLS_MAX) as u64;
    let from = feature.from.as_ref().map(|from| limit(notes, from, "`from`", 1, cells));
    let spins = feature.spins.as_ref().map(|spins| limit(notes, spins, "`spins`", 1, SPINS_MAX));
    let counts = feature.by_count.as_ref().map(|(counts, whole)| (by_count(notes, counts, cells), whole));
    match (from, spins, counts) {
        (Some(from), Some(spins), None) => {
            let mut awards = vec![0; from? as usize - 1];
            awards.push(spins?);
            Some(awards)
        }
        (None, None, Some((awards, _))) if awards.as_ref().is_none_or(|awards| !awards.is_empty()) => awards,
        (None, None, Some((_, false))) => None,
        _ if ["from", "spins", "by_count"].iter().any(|key| feature.unread.has(key)) => None,
        _ => {
            notes.error(
                feature.span,
                "award-kind",
                "free spins without a clear award",
                "expected `from` and `spins`, or `by_count`",
                "write from = 3, spins = 15 or by_count = { 3 = 6, 4 = 10, 5 = 16 }",
            );
            None
        }
    }
}

/// A count that is not listed awards as the next lower one.
fn by_count(notes: &Notes, counts: &Pairs<u64, At<u64>>, cells: u64) -> Option<Vec<u64>> {
    let mut sound = true;
    let mut awards: Vec<u64> = Vec::new();
    for (count, spins) in &counts.value {
        let count = limit(notes, count, "a number of scatters", 1, cells);
        let spins = spins.as_ref().and_then(|spins| limit(notes, spins, "a number of spins", 0, SPINS_MAX));
        match (count, spins) {
            (Some(count), Some(spins)) => {
                awards.resize(count as usize - 1, awards.last().copied().unwrap_or(0));
                awards.push(spins);
            }
            _ => sound = false,
        }
    }
    sound.then_some(awards)
}

fn spins_max(notes: &Notes, feature: &WireFreeSpins, awards: Option<&[u64]>, by_wheel: u64) -> Option<u64> {
    let least = awards.unwrap_or_default().iter().copied().max().unwrap_or(1).max(by_wheel).clamp(1, LIMIT_MAX);
    feature.limit.as_ref().and_then(|found| limit(notes, found, "`limit`", least, LIMIT_MAX))
}

/// Awards are looked up by the names in the file, so that they are known even where a pay is wrong.
fn spared(notes: &Notes, feature: &WireFreeSpins, wire: &WireGame, layout: &Layout) -> Option<Vec<Spared>> {
    let Some(spare) = &feature.spare else {
        return if feature.unread.has("spare") { None } else { Some(Vec::new()) };
    };
    let names_are_known = !wire.unread_pays.has("line")
        && !wire.unread_pays.has("scatter")
        && !wire.unread.has("feature")
        && wire.bonuses.iter().all(|bonus| bonus.name.is_some());
    let read = |found: &At<String>| {
        let counted = found.value.rsplit_once(" x").and_then(|(name, count)| Some((name, count.parse().ok()?)));
        if let (Some((name, count)), Some(lines)) = (counted, &wire.line_pays) {
            let pay = lines.pays.iter().position(|pay| pay.name.value == name);
            if let Some(pay) = pay.filter(|_| (1..=layout.reels.unwrap_or(REELS_MAX)).contains(&count)) {
                return Some(Spared::Line { pay, count });
            }
        }
        let scatters = wire.scatter_pays.iter().flat_map(|scatters| &scatters.pays);
        if let Some(pay) = scatters.into_iter().position(|(name, _)| name.value == found.value) {
            return Some(Spared::Scatter { pay });
        }
        let named = |bonus: &WireBonus| bonus.name.as_ref().is_some_and(|name| name.value == found.value);
        if let Some(bonus) = wire.bonuses.iter().position(named) {
            return Some(Spared::Bonus { bonus });
        }
        if names_are_known {
            notes.error(
                found.span,
                "unknown-award",
                format!("`{}` is no award", found.value),
                "expected \"symbol x5\", a scatter that pays, or a bonus",
                "write the name in [pays.line] and a count, such as \"wild x5\"",
            );
        }
        None
    };
    let spared: Vec<_> = spare.items.iter().map(|found| found.as_ref().and_then(read)).collect();
    spared.into_iter().collect()
}
