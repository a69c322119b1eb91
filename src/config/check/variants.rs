//! Pays that differ by bet: `[[pays.only]]`, and jackpots that stand in for a win at the bets that are eligible.

use super::bets::DraftBets;
use super::jackpots::DraftLevel;
use super::limit;
use super::pays::{PayUnit, Scale, at_bets_unit, pay_entries, scatter_entries};
use super::reels::Layout;
use super::triggers::OfLevel;
use crate::config::findings::Notes;
use crate::config::wire::{WireGame, WireOnly};
use crate::game::{LinePay, Play, Reels, ScatterPay, Variant};

const COINS_MAX: u64 = 1_000_000;

/// Pays of some bets in place of those of the same name, or beside them.
pub(super) struct Only {
    bets: Vec<usize>,
    pub line_pays: Vec<Option<LinePay>>,
    pub scatter_pays: Vec<Option<ScatterPay>>,
}

/// Pays of lines or ways, and of scatters; `None` where one is wrong.
type Pays = (Vec<Option<LinePay>>, Vec<Option<ScatterPay>>);

/// Every `[[pays.only]]`; one for each number of coins where pays are written in coins.
pub(super) fn onlys(notes: &Notes, wire: &WireGame, bets: &DraftBets, layout: &Layout, scale: &Scale) -> Vec<Only> {
    let mut found = Vec::new();
    let coins = wire.bets.as_ref().and_then(|bets| bets.coins.as_ref());
    if let Some(coins) = coins.filter(|coins| bets.count.is_some_and(|count| count != coins.len())) {
        notes.error(
            coins.span,
            "coins-length",
            format!("coins of {} for {} bets", coins.len(), bets.places()),
            format!("expected {}", bets.places()),
            "give each bet its number of coins, in the order of `amounts`",
        );
    }
    for coins in coins.iter().flat_map(|coins| coins.known()) {
        limit(notes, coins, "the coins of a bet", 1, COINS_MAX);
    }
    let mut taken: Vec<usize> = Vec::new();
    for only in &wire.onlys {
        let named = bet_indexes(notes, only, bets, &mut taken);
        let mut first: Option<Pays> = None;
        for (unit, bets) in by_coins(notes, wire, only, &named) {
            // What is wrong is reported once, whatever the number of coins.
            let (line_pays, scatter_pays) = match &first {
                None => (
                    pay_entries(notes, &only.line, unit.line, layout, scale),
                    scatter_entries(notes, &only.scatter, unit.scatter, layout, scale),
                ),
                Some((lines, scatters)) => {
                    let (mut lines, mut scatters) = (lines.clone(), scatters.clone());
                    for (pay, wire) in
                        lines.iter_mut().zip(&only.line).filter_map(|(pay, wire)| pay.as_mut().zip(wire.pays.as_ref()))
                    {
                        scale.rewrite(&mut pay.pays, wire, unit.line);
                    }
                    for (pay, wire) in scatters
                        .iter_mut()
                        .zip(&only.scatter)
                        .filter_map(|(pay, (_, wire))| pay.as_mut().zip(wire.as_ref()))
                    {
                        scale.rewrite(&mut pay.pays, wire, unit.scatter);
                    }
                    (lines, scatters)
                }
            };
            first.get_or_insert_with(|| (line_pays.clone(), scatter_pays.clone()));
            found.push(Only { bets, line_pays, scatter_pays });
        }
    }
    found
}

fn bet_indexes(notes: &Notes, only: &WireOnly, bets: &DraftBets, taken: &mut Vec<usize>) -> Vec<usize> {
    let mut named = Vec::new();
    for index in only.bets.iter().flat_map(|list| list.known()) {
        let position =
            usize::try_from(index.value).ok().filter(|&position| bets.count.is_none_or(|count| position < count));
        match position {
            Some(position) if !taken.contains(&position) => {
                taken.push(position);
                named.push(position);
            }
            Some(_) => notes.error(
                index.span,
                "duplicate-bet",
                format!("a second [[pays.only]] for bet index {}", index.value),
                "expected each bet once",
                "write all pays of a bet in one [[pays.only]]",
            ),
            None => notes.error(
                index.span,
                "bet-index",
                format!("bet index {} of {} bets", index.value, bets.places()),
                format!("expected 0 to {}", bets.places() - 1),
                "bets are counted from 0, in the order of [bets] amounts",
            ),
        }
    }
    named
}

/// Units of lines and scatters.
struct Units {
    line: PayUnit,
    scatter: PayUnit,
}

/// Bets by the unit of their pays: one entry, or one for each number of coins.
fn by_coins(notes: &Notes, wire: &WireGame, only: &WireOnly, bets: &[usize]) -> Vec<(Units, Vec<usize>)> {
    let (line, scatter) = at_bets_unit(notes, wire, only);
    if line != PayUnit::Coins(0) {
        return vec![(Units { line, scatter }, bets.to_vec())];
    }
    let coins = wire.bets.as_ref().and_then(|bets| bets.coins.as_ref());
    let Some(coins) = coins else {
        notes.error(
            only.span,
            "coins-missing",
            "pays in coins, and no coins",
            "expected `coins` in [bets]",
            "add coins = [1, 2, 3]: the coins of each bet",
        );
        return Vec::new();
    };
    let mut found: Vec<(u64, Vec<usize>)> = Vec::new();
    for &bet in bets {
        let Some(Some(count)) = coins.items.get(bet) else { continue };
        match found.iter_mut().find(|(known, _)| *known == count.value) {
            Some((_, bets)) => bets.push(bet),
            None => found.push((count.value, vec![bet])),
        }
    }
    let units = |count| Units { line: PayUnit::Coins(count), scatter: PayUnit::Coins(count) };
    found.into_iter().map(|(count, bets)| (units(count), bets)).collect()
}

/// The play of every bet: what the first bet plays, and the others where they differ.
pub(super) fn plays(
    reels: Reels,
    onlys: Vec<Only>,
    replacing: &[OfLevel],
    levels: &[DraftLevel],
    bet_count: usize,
) -> (Play, Vec<Variant>) {
    let of_bet = |bet: usize| {
        let mut own = reels.clone();
        for only in onlys.iter().filter(|only| only.bets.contains(&bet)) {
            for pay in only.line_pays.iter().flatten() {
                match own.line_pays.iter_mut().find(|other| other.name == pay.name) {
                    Some(other) => *other = pay.clone(),
                    None => own.line_pays.push(pay.clone()),
                }
            }
            for pay in only.scatter_pays.iter().flatten() {
                match own.scatter_pays.iter_mut().find(|other| other.symbol == pay.symbol) {
                    Some(other) => *other = pay.clone(),
                    None => own.scatter_pays.push(pay.clone()),
                }
            }
        }
        let eligible = |level: usize| levels[level].eligible.as_ref().is_some_and(|eligible| eligible[bet]);
        own.replaced = replacing
            .iter()
            .filter(|(level, _)| eligible(*level))
            .map(|(_, combination)| combination.clone())
            .collect();
        own
    };
    if onlys.is_empty() && replacing.is_empty() {
        return (Play::Reels(Box::new(reels)), Vec::new());
    }
    let mut known: Vec<(Reels, Vec<usize>)> = Vec::new();
    for bet in 0..bet_count {
        let own = of_bet(bet);
        match known.iter_mut().find(|(other, _)| *other == own) {
            Some((_, bets)) => bets.push(bet),
            None => known.push((own, vec![bet])),
        }
    }
    let mut plays = known.into_iter().map(|(reels, bets)| (Play::Reels(Box::new(reels)), bets));
    let (first, _) = plays.next().expect("a game has a bet");
    (first, plays.map(|(play, bets)| Variant { bets, play }).collect())
}
