//! Pays: their units, the scale that makes them whole, and what the reels pay.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use super::outcomes::Row;
use super::reels::Layout;
use super::{choice, not_negative};
use crate::config::amount::{Exact, shown, whole};
use crate::config::findings::{At, Notes, name_help};
use crate::config::wire::{List, WireGame, WireLinePay, WireLinePays, WireScatterPays};
use crate::game::{Counted, LinePay, Prize, Reels, ScatterPay, Stacking, WildsAnywhere};

/// Largest sum of pays of one window, in return units, exclusive.
const PAY_MAX: u64 = 1 << 31;
const SCALE_MAX: u64 = 1_000_000_000;

/// What a pay is a multiple of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PayUnit {
    TotalBet,
    LineBet,
    Credits,
}

const BETS: [(&str, PayUnit); 2] = [("line bet", PayUnit::LineBet), ("total bet", PayUnit::TotalBet)];
const OUTCOMES: [(&str, PayUnit); 2] = [("total bet", PayUnit::TotalBet), ("credits", PayUnit::Credits)];

/// How pays become whole return units.
pub(super) struct Scale {
    lines: Exact,
    bet_credits: Exact,
    /// [`crate::game::Game::return_scale`].
    pub per_bet: u64,
}

impl Scale {
    fn of_bet(&self, value: &Exact, unit: PayUnit) -> Exact {
        match unit {
            PayUnit::TotalBet => value.clone(),
            PayUnit::LineBet => value / &self.lines,
            PayUnit::Credits => value / &self.bet_credits,
        }
    }

    /// A pay in return units; 0 for one that was reported as wrong.
    pub fn units(&self, value: &Exact, unit: PayUnit) -> u64 {
        (self.of_bet(value, unit) * whole(self.per_bet))
            .to_integer()
            .to_u64()
            .filter(|&units| units < PAY_MAX)
            .unwrap_or(0)
    }
}

/// Unit of line pays and of prizes.
pub(super) fn bet_unit(notes: &Notes, found: Option<&At<String>>, default: PayUnit) -> PayUnit {
    choice(notes, found, "unit", &BETS, default).unwrap_or(default)
}

fn silent_unit(found: Option<&At<String>>, options: &[(&str, PayUnit)], default: PayUnit) -> PayUnit {
    let meaning = found.and_then(|found| options.iter().find(|(word, _)| *word == found.value));
    meaning.map_or(default, |(_, unit)| *unit)
}

/// Unit of an outcome table, without reporting.
pub(super) fn outcome_unit(wire: &WireGame) -> PayUnit {
    let unit = wire.outcomes.as_ref().and_then(|outcomes| outcomes.unit.as_ref());
    silent_unit(unit, &OUTCOMES, PayUnit::TotalBet)
}

/// Reports a wrong unit of an outcome table.
pub(super) fn check_outcome_unit(notes: &Notes, found: Option<&At<String>>) {
    choice(notes, found, "unit", &OUTCOMES, PayUnit::TotalBet);
}

/// The least scale at which every pay is whole. A pay that is negative or too large is a finding.
pub(super) fn scale(notes: &Notes, wire: &WireGame, lines: u64, outcome_rows: &[Row]) -> Option<Scale> {
    let credits = wire.outcomes.as_ref().and_then(|outcomes| outcomes.bet_credits.as_ref());
    let bet_credits = credits.map(|credits| credits.value.clone()).filter(Signed::is_positive);
    let mut scale = Scale { lines: whole(lines), bet_credits: bet_credits.unwrap_or_else(|| whole(1)), per_bet: 1 };
    for (pay, unit) in every_pay(wire, outcome_rows) {
        if !not_negative(notes, pay, "a pay") {
            continue;
        }
        let needed = BigInt::from(scale.per_bet).lcm(scale.of_bet(&pay.value, unit).denom());
        match needed.to_u64().filter(|&needed| needed <= SCALE_MAX) {
            Some(needed) => scale.per_bet = needed,
            None => {
                notes.error(
                    pay.span,
                    "pays-too-fine",
                    format!("a total bet would have to be cut into {needed} parts for this pay"),
                    format!("expected at most {SCALE_MAX} parts"),
                    "write pays with fewer digits, or with the same denominators",
                );
                return None;
            }
        }
    }
    for (pay, unit) in every_pay(wire, outcome_rows) {
        if scale.of_bet(&pay.value, unit) * whole(scale.per_bet) >= whole(PAY_MAX) {
            notes.error(
                pay.span,
                "pay-too-large",
                format!("a pay of {} is above 2^31 parts of {} in a total bet", shown(&pay.value), scale.per_bet),
                "expected a smaller pay",
                "lower the pay, or write the other pays with fewer digits",
            );
        }
    }
    Some(scale)
}

fn every_pay<'a>(wire: &'a WireGame, outcome_rows: &'a [Row]) -> Vec<(&'a At<Exact>, PayUnit)> {
    let mut pays = Vec::new();
    if let Some(lines) = &wire.line_pays {
        let unit = silent_unit(lines.unit.as_ref(), &BETS, PayUnit::LineBet);
        let lists = lines.pays.iter().filter_map(|pay| pay.pays.as_ref());
        pays.extend(lists.flat_map(|list| &list.value).map(|pay| (pay, unit)));
    }
    if let Some(scatters) = &wire.scatter_pays {
        let unit = silent_unit(scatters.unit.as_ref(), &BETS, PayUnit::TotalBet);
        pays.extend(scatters.pays.iter().flat_map(|(_, list)| &list.value).map(|pay| (pay, unit)));
    }
    for table in &wire.tables {
        let unit = silent_unit(table.unit.as_ref(), &BETS, PayUnit::LineBet);
        pays.extend(table.prizes.iter().flat_map(|rows| &rows.value).map(|(prize, _)| (prize, unit)));
    }
    let unit = outcome_unit(wire);
    pays.extend(outcome_rows.iter().map(|row| (&row.pay, unit)));
    pays
}

/// One entry per pay of the file, `None` where it is wrong.
pub(super) fn line_pays(
    notes: &Notes,
    wire: Option<&WireLinePays>,
    layout: &Layout,
    scale: &Scale,
) -> Vec<Option<LinePay>> {
    let Some(wire) = wire else { return Vec::new() };
    let unit = bet_unit(notes, wire.unit.as_ref(), PayUnit::LineBet);
    wire.pays.iter().map(|pay| line_pay(notes, pay, unit, layout, scale)).collect()
}

fn line_pay(notes: &Notes, wire: &WireLinePay, unit: PayUnit, layout: &Layout, scale: &Scale) -> Option<LinePay> {
    let of = match (&wire.of, wire.mixed) {
        (Some(of), _) => layout.symbol_list(notes, of),
        (None, true) => None,
        (None, false) => own_symbol(notes, &wire.name, layout).map(|symbol| vec![symbol]),
    };
    let counted = counted(notes, wire);
    let list = wire.pays.as_ref()?;
    let pays = pay_list(notes, list, &wire.name.value, layout.reels(), unit, scale);
    let mut pays = pays?;
    if pays.len() < layout.reels() {
        notes.warning(
            list.span,
            "pays-short",
            format!("`{}` has {} pays on {} reels", wire.name.value, pays.len(), layout.reels()),
            "more than these of a kind pay nothing",
            "write one pay per count, 0 for none",
        );
        pays.resize(layout.reels(), 0);
    }
    Some(LinePay { name: wire.name.value.clone(), of: of?, counted: counted?, pays })
}

fn own_symbol(notes: &Notes, name: &At<String>, layout: &Layout) -> Option<crate::game::SymbolId> {
    let found = layout.position(&name.value);
    if found.is_none() {
        notes.error(
            name.span,
            "pay-on-no-reel",
            format!("a pay for `{}`, which stands on no reel", name.value),
            "expected a symbol of the strips",
            name_help(&name.value, layout.symbols.iter().map(String::as_str)),
        );
    }
    found
}

fn counted(notes: &Notes, wire: &WireLinePay) -> Option<Counted> {
    let anywhere = choice(notes, wire.counted.as_ref(), "counted", &[("from left", false), ("anywhere", true)], false)?;
    if !anywhere {
        if let Some(wilds) = &wire.wilds {
            notes.error(
                wilds.span,
                "wilds-from-left",
                "`wilds` in a combination counted from the left",
                "expected only with counted = \"anywhere\"",
                "from the left a wild always stands in; what it is not for is said in [symbols]",
            );
            return None;
        }
        return Some(Counted::FromLeft);
    }
    let options = [
        ("multiply", WildsAnywhere::Multiply),
        ("count", WildsAnywhere::Count),
        ("count with a real one", WildsAnywhere::CountWithReal),
    ];
    choice(notes, wire.wilds.as_ref(), "wilds", &options, WildsAnywhere::Multiply).map(Counted::Anywhere)
}

fn pay_list(
    notes: &Notes,
    list: &List<Exact>,
    name: &str,
    count_max: usize,
    unit: PayUnit,
    scale: &Scale,
) -> Option<Vec<u64>> {
    if list.value.is_empty() || list.value.len() > count_max {
        notes.error(
            list.span,
            "pays-length",
            format!("`{name}` has {} pays", list.value.len()),
            format!("expected 1 to {count_max} pays"),
            "write the pay for 1, 2, 3, ... of them, 0 for none",
        );
        return None;
    }
    Some(list.value.iter().map(|pay| scale.units(&pay.value, unit)).collect())
}

/// One entry per pay of the file, `None` where it is wrong.
pub(super) fn scatter_pays(
    notes: &Notes,
    wire: Option<&WireScatterPays>,
    layout: &Layout,
    scale: &Scale,
) -> Vec<Option<ScatterPay>> {
    let Some(wire) = wire else { return Vec::new() };
    let unit = bet_unit(notes, wire.unit.as_ref(), PayUnit::TotalBet);
    let read = |(name, list): &(At<String>, List<Exact>)| {
        let symbol = own_symbol(notes, name, layout);
        let pays = pay_list(notes, list, &name.value, layout.reels() * layout.rows, unit, scale);
        Some(ScatterPay { symbol: symbol?, pays: pays? })
    };
    wire.pays.iter().map(read).collect()
}

/// Reports a game whose largest window can't be summed.
pub(super) fn largest(notes: &Notes, wire: &WireGame, reels: &Reels) {
    let line_max = reels.line_pays.iter().flat_map(|pay| &pay.pays).max().copied().unwrap_or(0);
    let scatter_max: BigInt =
        reels.scatter_pays.iter().map(|pay| BigInt::from(pay.pays.iter().max().copied().unwrap_or(0))).sum();
    let factor: BigInt = reels.strip_sets.iter().map(|set| wild_factor(reels, set)).max().unwrap_or_default();
    let bonus_max: BigInt = reels.bonuses.iter().map(|bonus| table_max(reels, bonus.table)).sum();
    let lines = BigInt::from(reels.lines.len());
    let total = &lines * BigInt::from(line_max) * &factor + scatter_max + &lines * bonus_max;
    if total < BigInt::from(PAY_MAX) {
        return;
    }
    let span = wire.line_pays.as_ref().map_or(wire.span, |pays| pays.span);
    notes.error(
        span,
        "pays-overflow",
        format!(
            "pays of one window could sum to {total} return units ({lines} lines x {line_max} x wild {factor}, scatters, bonuses)"
        ),
        format!("expected less than {PAY_MAX}"),
        "lower the top pays or the wild multiplier, or write pays with fewer digits",
    );
}

fn wild_factor(reels: &Reels, set: &[crate::game::Strip]) -> BigInt {
    let mut product = BigInt::from(1);
    let mut once = 1;
    for strip in set {
        let mut on_reel = 1;
        for wild in strip.stops.iter().filter_map(|&stop| reels.symbols[usize::from(stop)].wild.as_ref()) {
            match wild.stacking {
                Stacking::Product => on_reel = on_reel.max(wild.multiplier),
                Stacking::Once => once = once.max(wild.multiplier),
            }
        }
        product *= on_reel;
    }
    product * once
}

fn table_max(reels: &Reels, table: usize) -> BigInt {
    let value = |(prize, _): &(Prize, u64)| match *prize {
        Prize::Pay(pay) => BigInt::from(pay),
        Prize::Draws { count, table } => BigInt::from(count) * table_max(reels, table),
    };
    reels.prize_tables[table].rows.iter().map(value).max().unwrap_or_default()
}
