//! Free spins and bonuses.

use super::combinations::{Scene, combination, unreachable};
use super::reels::Layout;
use super::{limit, scatters, unknown_name};
use crate::config::amount::{shown, whole};
use crate::config::findings::{At, Notes};
use crate::config::wire::{WireBonus, WireFreeSpins, WireGame, WireRetrigger, WireTable};
use crate::game::{Bonus, FreeSpins, LinePay, ScatterPay, Spared};

const SPINS_MAX: u64 = 10_000;
const LIMIT_MAX: u64 = 1_000_000;
const MULTIPLIER_MAX: u64 = 1_000_000;

pub(super) fn bonuses(notes: &Notes, wire: &[WireBonus], tables: &[WireTable], scene: &Scene) -> Option<Vec<Bonus>> {
    let read = |(position, bonus): (usize, &WireBonus)| {
        let name = bonus.name.as_ref();
        let what = name.map_or("the bonus".to_string(), |name| format!("the bonus `{}`", name.value));
        let same = |other: &WireBonus| other.name.as_ref().map(|name| &name.value) == name.map(|name| &name.value);
        if let Some(name) = name.filter(|_| wire[..position].iter().any(same)) {
            let message = format!("{what} stands twice");
            notes.error(name.span, "duplicate-name", message, "expected another name", "give each bonus its own name");
        }
        let trigger = combination(notes, &bonus.trigger, &what, scene);
        let draw = bonus.draw.as_ref()?;
        let table = tables.iter().position(|table| table.name.value == draw.value);
        if table.is_none() {
            unknown_name(notes, draw, "unknown-table", "table", tables.iter().map(|table| table.name.value.as_str()));
        }
        Some(Bonus { name: name?.value.clone(), trigger: trigger?, table: table? })
    };
    let bonuses: Vec<_> = wire.iter().enumerate().map(read).collect();
    bonuses.into_iter().collect()
}

pub(super) fn free_spins(
    notes: &Notes,
    wire: &WireGame,
    layout: &Layout,
    line_pays: &[Option<LinePay>],
    scatter_pays: &[Option<ScatterPay>],
) -> Option<Vec<FreeSpins>> {
    let read = |(position, feature): (usize, &WireFreeSpins)| {
        let scatter = feature.scatter.as_ref().and_then(|name| layout.symbol(notes, name));
        let awards = awards(notes, feature, layout);
        let multiplier = feature.multiplier.as_ref();
        let multiplier = multiplier.map_or(Some(1), |found| limit(notes, found, "the multiplier", 1, MULTIPLIER_MAX));
        let spared = spared(notes, feature, wire, layout, line_pays, scatter_pays);
        let (scatter, awards) = (scatter?, awards?);
        let retriggers = match feature.retrigger.as_ref().map(|found| &found.value) {
            None | Some(WireRetrigger::None | WireRetrigger::Spins(0)) => Vec::new(),
            Some(WireRetrigger::Same) => awards.clone(),
            Some(WireRetrigger::Spins(spins)) => {
                awards.iter().map(|&award| if award > 0 { *spins } else { 0 }).collect()
            }
        };
        let spins_max = spins_max(notes, feature, &awards);
        let set = layout.feature_sets[position];
        let most = scatters::most(&layout.sets[0], layout.rows, scatter);
        if let Some(from) = awards.iter().position(|&award| award > 0).filter(|from| most <= *from) {
            let message = format!(
                "free spins can never start: the window shows at most {most} `{}`, not {}",
                layout.symbols[usize::from(scatter)],
                from + 1
            );
            unreachable(notes, feature.scatter.as_ref().map_or(feature.span, |name| name.span), message);
        }
        let mean = scatters::mean_award(&layout.sets[set], layout.rows, scatter, &retriggers);
        if spins_max.is_none() && mean >= whole(1) {
            notes.error(
                feature.retrigger.as_ref().map_or(feature.span, |found| found.span),
                "retrigger-endless",
                format!("a free spin retriggers {} free spins on average, so their mean is not finite", shown(&mean)),
                "expected less than 1",
                "award fewer spins, need more scatters, or add limit = the most spins of one trigger",
            );
        }
        let name = feature.name.as_ref().map(|name| name.value.clone());
        let name = name.unwrap_or_else(|| match wire.free_spins.len() {
            1 => "free spins".to_string(),
            _ => format!("free spins {}", position + 1),
        });
        let (multiplier, spared) = (multiplier?, spared?);
        Some(FreeSpins { name, scatter, awards, retriggers, spins_max, multiplier, spared, strip_set: set })
    };
    let features: Vec<_> = wire.free_spins.iter().enumerate().map(read).collect();
    features.into_iter().collect()
}

/// Spins by number of scatters, from 1.
fn awards(notes: &Notes, feature: &WireFreeSpins, layout: &Layout) -> Option<Vec<u64>> {
    let cells = (layout.reels() * layout.rows) as u64;
    match (&feature.from, &feature.spins, &feature.by_count) {
        (Some(from), Some(spins), None) => {
            let from = limit(notes, from, "`from`", 1, cells);
            let spins = limit(notes, spins, "`spins`", 1, SPINS_MAX);
            let mut awards = vec![0; from? as usize - 1];
            awards.push(spins?);
            Some(awards)
        }
        (None, None, Some(counts)) if !counts.value.is_empty() => {
            let mut awards: Vec<u64> = Vec::new();
            for (count, spins) in &counts.value {
                let count = limit(notes, count, "a number of scatters", 1, cells)? as usize;
                let spins = limit(notes, spins, "a number of spins", 0, SPINS_MAX)?;
                // A count that is not listed awards as the next lower one.
                awards.resize(count - 1, awards.last().copied().unwrap_or(0));
                awards.push(spins);
            }
            Some(awards)
        }
        _ if feature.flawed => None,
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

fn spins_max(notes: &Notes, feature: &WireFreeSpins, awards: &[u64]) -> Option<u64> {
    let least = awards.iter().copied().max().unwrap_or(1).max(1);
    feature.limit.as_ref().and_then(|found| limit(notes, found, "`limit`", least, LIMIT_MAX))
}

fn spared(
    notes: &Notes,
    feature: &WireFreeSpins,
    wire: &WireGame,
    layout: &Layout,
    line_pays: &[Option<LinePay>],
    scatter_pays: &[Option<ScatterPay>],
) -> Option<Vec<Spared>> {
    let Some(spare) = &feature.spare else { return Some(Vec::new()) };
    if line_pays.iter().any(Option::is_none) || scatter_pays.iter().any(Option::is_none) {
        return None;
    }
    let read = |found: &At<String>| {
        let counted = found.value.rsplit_once(" x").and_then(|(name, count)| Some((name, count.parse().ok()?)));
        if let Some((name, count)) = counted {
            let pay = line_pays.iter().flatten().position(|pay| pay.name == name);
            if let Some(pay) = pay.filter(|_| (1..=layout.reels()).contains(&count)) {
                return Some(Spared::Line { pay, count });
            }
        }
        let symbol = layout.position(&found.value);
        if let Some(pay) = scatter_pays.iter().flatten().position(|pay| Some(pay.symbol) == symbol) {
            return Some(Spared::Scatter { pay });
        }
        let named = |bonus: &WireBonus| bonus.name.as_ref().is_some_and(|name| name.value == found.value);
        if let Some(bonus) = wire.bonuses.iter().position(named) {
            return Some(Spared::Bonus { bonus });
        }
        notes.error(
            found.span,
            "unknown-award",
            format!("`{}` is no award", found.value),
            "expected \"symbol x5\", a scatter that pays, or a bonus",
            "write the name in [pays.line] and a count, such as \"wild x5\"",
        );
        None
    };
    let spared: Vec<_> = spare.value.iter().map(read).collect();
    spared.into_iter().collect()
}
