//! Pays: their units, the scale that makes them whole, and what the reels pay.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use super::lines::LINES_MAX;
use super::outcomes::Rows;
use super::reels::{CELLS_MAX, Layout, REELS_MAX};
use super::{choice, not_negative, plain_text};
use crate::config::amount::{Exact, shown, whole};
use crate::config::findings::{At, Notes, name_help};
use crate::config::wire::{List, WireGame, WireLinePay, WireLinePays, WireOnly, WireScatterPays};
use crate::game::{Counted, LinePay, ScatterPay, WildsAnywhere};

/// Largest sum of pays of one window, in return units, exclusive.
pub(super) const PAY_MAX: u64 = 1 << 31;
const SCALE_MAX: u64 = 1_000_000_000;

/// What a pay is a multiple of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PayUnit {
    TotalBet,
    LineBet,
    Credits,
    /// Coins, of so many in the bet; 0 where that is still to be looked up.
    Coins(u64),
}

const BETS: [(&str, PayUnit); 2] = [("line bet", PayUnit::LineBet), ("total bet", PayUnit::TotalBet)];
const OUTCOMES: [(&str, PayUnit); 2] = [("total bet", PayUnit::TotalBet), ("credits", PayUnit::Credits)];

/// How pays become whole return units.
pub(super) struct Scale {
    /// `None` where the number of lines is not known.
    lines: Option<Exact>,
    /// `None` where the credits of a bet are not known.
    bet_credits: Option<Exact>,
    /// [`crate::game::Game::return_scale`]; a divisor of it where pays are wrong or not known.
    pub per_bet: u64,
}

impl Scale {
    /// What a unit is a part of, of a total bet.
    fn parts(&self, unit: PayUnit) -> Option<Exact> {
        match unit {
            PayUnit::TotalBet => Some(whole(1)),
            PayUnit::LineBet => self.lines.clone(),
            PayUnit::Credits => self.bet_credits.clone(),
            PayUnit::Coins(coins) => Some(whole(coins.max(1))),
        }
    }

    /// A pay in return units; 0 for one that is wrong or can't be told.
    pub fn units(&self, value: &Exact, unit: PayUnit) -> u64 {
        // Most pays are whole, and so are the parts of a bet: then no fraction is needed.
        let small = |number: &Exact| number.is_integer().then(|| number.numer().to_u64()).flatten();
        let parts = self.parts(unit);
        let quick = small(value).zip(parts.as_ref().and_then(small)).filter(|&(_, parts)| parts > 0);
        let quick = quick.and_then(|(value, parts)| Some(value.checked_mul(self.per_bet)? / parts));
        if let Some(units) = quick {
            return Some(units).filter(|&units| units < PAY_MAX).unwrap_or(0);
        }
        let units = parts.map(|parts| (value / parts * whole(self.per_bet)).to_integer());
        units.and_then(|units| units.to_u64()).filter(|&units| units < PAY_MAX).unwrap_or(0)
    }

    /// Puts the pays of a list in the place of others, in return units.
    pub fn rewrite(&self, pays: &mut [u64], list: &List<Exact>, unit: PayUnit) {
        for (pay, written) in pays.iter_mut().zip(&list.items) {
            *pay = written.as_ref().map_or(0, |written| self.units(&written.value, unit));
        }
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

/// The least scale at which every pay is whole. A pay that is negative, too fine or too large is a finding.
pub(super) fn scale(notes: &Notes, wire: &WireGame, lines: Option<u64>, outcome_rows: &Rows) -> Scale {
    let bet_credits = match wire.outcomes.as_ref() {
        Some(outcomes) => outcomes.bet_credits.as_ref().map(|credits| credits.value.clone()),
        None => Some(whole(1)),
    };
    let bet_credits = bet_credits.filter(Signed::is_positive);
    let mut scale = Scale { lines: lines.map(whole), bet_credits, per_bet: 1 };
    let pays = every_pay(wire, outcome_rows);
    let mut sound: Vec<_> = pays.into_iter().filter(|(pay, _)| not_negative(notes, pay, "a pay")).collect();
    // The finest come last, so that they are the ones that don't fit.
    let part = |pay: &At<Exact>, unit: PayUnit, scale: &Scale| match scale.parts(unit) {
        Some(parts) => &pay.value / parts,
        None => pay.value.clone(),
    };
    sound.sort_by_cached_key(|(pay, unit)| part(pay, *unit, &scale).denom().clone());
    sound.retain(|(pay, unit)| {
        // Cutting a credit needs a number of credits; cutting a line bet can only need more parts.
        if *unit == PayUnit::Credits && scale.bet_credits.is_none() {
            return false;
        }
        let needed = BigInt::from(scale.per_bet).lcm(part(pay, *unit, &scale).denom());
        let fits = needed.to_u64().filter(|&needed| needed <= SCALE_MAX);
        match fits {
            Some(needed) => scale.per_bet = needed,
            None => notes.error(
                pay.span,
                "pays-too-fine",
                format!("a total bet would have to be cut into {needed} parts for this pay"),
                format!("expected at most {SCALE_MAX} parts"),
                "write pays with fewer digits, or with the same denominators",
            ),
        }
        fits.is_some()
    });
    for (pay, unit) in sound {
        // Of lines that are not known there are at most so many.
        let parts = scale.parts(unit).unwrap_or_else(|| whole(LINES_MAX * scale.per_bet));
        if &pay.value / parts * whole(scale.per_bet) >= whole(PAY_MAX) {
            notes.error(
                pay.span,
                "pay-too-large",
                format!("a pay of {} is above 2^31 parts of {} in a total bet", shown(&pay.value), scale.per_bet),
                "expected a smaller pay",
                "lower the pay, or write the other pays with fewer digits",
            );
        }
    }
    scale
}

fn every_pay<'a>(wire: &'a WireGame, outcomes: &'a Rows) -> Vec<(&'a At<Exact>, PayUnit)> {
    let mut pays = Vec::new();
    if let Some(lines) = &wire.line_pays {
        let unit = silent_unit(lines.unit.as_ref(), &BETS, pays_unit(lines));
        let lists = lines.pays.iter().filter_map(|pay| pay.pays.as_ref());
        pays.extend(lists.flat_map(List::known).map(|pay| (pay, unit)));
    }
    if let Some(scatters) = &wire.scatter_pays {
        let unit = silent_unit(scatters.unit.as_ref(), &BETS, PayUnit::TotalBet);
        let lists = scatters.pays.iter().filter_map(|(_, list)| list.as_ref());
        pays.extend(lists.flat_map(List::known).map(|pay| (pay, unit)));
    }
    pays.extend(at_bets(wire));
    for table in &wire.tables {
        let unit = silent_unit(table.unit.as_ref(), &BETS, PayUnit::LineBet);
        let prizes = table.prizes.iter().flat_map(List::known).filter_map(|row| row.value.0.as_ref());
        let segments = table.segments.iter().flat_map(List::known).filter_map(|segment| segment.value.pay.as_ref());
        pays.extend(prizes.chain(segments).map(|prize| (prize, unit)));
    }
    let unit = outcome_unit(wire);
    pays.extend(outcomes.rows.iter().filter_map(|row| row.pay.as_ref()).map(|pay| (pay, unit)));
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
    let unit = bet_unit(notes, wire.unit.as_ref(), pays_unit(wire));
    for pay in &wire.pays {
        if let Some(counted) = pay.counted.as_ref().filter(|counted| wire.by_ways && counted.value == "anywhere") {
            notes.error(
                counted.span,
                "ways-anywhere",
                format!("`{}` is counted anywhere, by ways", pay.name.value),
                "expected a run of reels",
                "ways are runs; a symbol anywhere in the window is a scatter: [pays.scatter]",
            );
        }
    }
    pay_entries(notes, &wire.pays, unit, layout, scale)
}

/// One entry per pay, `None` where it is wrong.
pub(super) fn pay_entries(
    notes: &Notes,
    pays: &[WireLinePay],
    unit: PayUnit,
    layout: &Layout,
    scale: &Scale,
) -> Vec<Option<LinePay>> {
    pays.iter().map(|pay| line_pay(notes, pay, unit, layout, scale)).collect()
}

/// Unit of line or way pays where the file names none.
fn pays_unit(wire: &WireLinePays) -> PayUnit {
    if wire.by_ways { PayUnit::TotalBet } else { PayUnit::LineBet }
}

fn line_pay(notes: &Notes, wire: &WireLinePay, unit: PayUnit, layout: &Layout, scale: &Scale) -> Option<LinePay> {
    let of = match (&wire.of, wire.mixed) {
        (Some(of), _) => layout.symbol_list(notes, of),
        (None, true) => None,
        (None, false) => own_symbol(notes, &wire.name, layout).map(|symbol| vec![symbol]),
    };
    if wire.mixed {
        plain_text(notes, &wire.name, "a combination");
    }
    let counted = counted(notes, wire);
    let list = wire.pays.as_ref()?;
    let mut pays = pay_list(notes, list, &wire.name.value, layout.reels, REELS_MAX, unit, scale)?;
    if let Some(reels) = layout.reels.filter(|reels| pays.len() < *reels) {
        notes.warning(
            list.span,
            "pays-short",
            format!("`{}` has {} pays on {reels} reels", wire.name.value, pays.len()),
            "more than these of a kind pay nothing",
            "write one pay per count, 0 for none",
        );
        pays.resize(reels, 0);
    }
    Some(LinePay { name: wire.name.value.clone(), of: of?, counted: counted?, pays })
}

fn own_symbol(notes: &Notes, name: &At<String>, layout: &Layout) -> Option<crate::game::SymbolId> {
    let found = layout.position(&name.value);
    if found.is_none() && layout.is_whole {
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
    let anywhere = choice(
        notes,
        wire.counted.as_ref(),
        "counted",
        &[("in a run", false), ("from left", false), ("anywhere", true)],
        false,
    )?;
    if !anywhere {
        if let Some(wilds) = &wire.wilds {
            notes.error(
                wilds.span,
                "wilds-from-left",
                "`wilds` in a combination counted in a run",
                "expected only with counted = \"anywhere\"",
                "in a run a wild always stands in; what it is not for is said in [symbols]",
            );
            return None;
        }
        return Some(Counted::Run);
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
    count: Option<usize>,
    count_max: usize,
    unit: PayUnit,
    scale: &Scale,
) -> Option<Vec<u64>> {
    let count_max = count.unwrap_or(count_max);
    if list.items.is_empty() || list.len() > count_max {
        notes.error(
            list.span,
            "pays-length",
            format!("`{name}` has {} pays", list.len()),
            format!("expected 1 to {count_max} pays"),
            "write the pay for 1, 2, 3, ... of them, 0 for none",
        );
        return None;
    }
    Some(list.items.iter().map(|pay| pay.as_ref().map_or(0, |pay| scale.units(&pay.value, unit))).collect())
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
    scatter_entries(notes, &wire.pays, unit, layout, scale)
}

/// One entry per pay, `None` where it is wrong.
pub(super) fn scatter_entries(
    notes: &Notes,
    pays: &[(At<String>, Option<List<Exact>>)],
    unit: PayUnit,
    layout: &Layout,
    scale: &Scale,
) -> Vec<Option<ScatterPay>> {
    let cells = layout.cells();
    let read = |(name, list): &(At<String>, Option<List<Exact>>)| {
        let symbol = own_symbol(notes, name, layout);
        let pays = pay_list(notes, list.as_ref()?, &name.value, cells, CELLS_MAX, unit, scale);
        Some(ScatterPay { symbol: symbol?, pays: pays? })
    };
    pays.iter().map(read).collect()
}

const AT_BETS: [(&str, PayUnit); 3] =
    [("line bet", PayUnit::LineBet), ("total bet", PayUnit::TotalBet), ("coin", PayUnit::Coins(0))];

/// Units of the lines and scatters of a [[pays.only]]: its own, or those of the game.
pub(super) fn at_bets_unit(notes: &Notes, wire: &WireGame, only: &WireOnly) -> (PayUnit, PayUnit) {
    let own = only.unit.as_ref().and_then(|unit| choice(notes, Some(unit), "unit", &AT_BETS, PayUnit::TotalBet));
    silent_at_bets_unit(wire, own)
}

fn silent_at_bets_unit(wire: &WireGame, own: Option<PayUnit>) -> (PayUnit, PayUnit) {
    let of_lines = wire
        .line_pays
        .as_ref()
        .map_or(PayUnit::LineBet, |lines| silent_unit(lines.unit.as_ref(), &BETS, pays_unit(lines)));
    let scatters = wire.scatter_pays.as_ref().and_then(|scatters| scatters.unit.as_ref());
    let of_scatters = silent_unit(scatters, &BETS, PayUnit::TotalBet);
    (own.unwrap_or(of_lines), own.unwrap_or(of_scatters))
}

/// Every pay of [[pays.only]] with its unit, once for each number of coins.
fn at_bets(wire: &WireGame) -> Vec<(&At<Exact>, PayUnit)> {
    let mut found = Vec::new();
    for only in &wire.onlys {
        let own = only.unit.as_ref().and_then(|unit| AT_BETS.iter().find(|(word, _)| *word == unit.value));
        let (line, scatter) = silent_at_bets_unit(wire, own.map(|(_, unit)| *unit));
        let coins = wire.bets.as_ref().and_then(|bets| bets.coins.as_ref());
        let coins_of =
            |bet: &At<u64>| coins?.items.get(usize::try_from(bet.value).ok()?)?.as_ref().map(|coins| coins.value);
        let numbers: Vec<u64> = only.bets.iter().flat_map(List::known).filter_map(coins_of).collect();
        let lines = only.line.iter().filter_map(|pay| Some((pay.pays.as_ref()?, line)));
        let scatters = only.scatter.iter().filter_map(|(_, list)| Some((list.as_ref()?, scatter)));
        for (list, unit) in lines.chain(scatters) {
            match unit {
                PayUnit::Coins(_) => {
                    let each = |&coins: &u64| list.known().map(move |pay| (pay, PayUnit::Coins(coins)));
                    found.extend(numbers.iter().flat_map(each));
                }
                unit => found.extend(list.known().map(|pay| (pay, unit))),
            }
        }
    }
    found
}
