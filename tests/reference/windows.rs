//! Which window a random number stands for, in each mode of a game.

use super::draws::{position_of, stops_in_turn};
use super::window::{Factor, Window};
use jackpot::game::diagram::{self, Diagram};
use jackpot::game::window::Mode;
use jackpot::game::{Reels, Strip, by_count};
use jackpot::rng::{Stream, rejected, scale};
use std::collections::BTreeMap;

/// Games of at most this many windows are put in order by looking at every window.
const LISTED_MAX: u64 = 20_000;

/// The windows of one mode, as numbers stand for them.
pub enum Windows<'d> {
    /// In order, every one.
    Listed(Vec<Vec<usize>>),
    /// In order, too many to list: the fast engine says which window, this one what it pays.
    Counted(Box<diagram::order::Windows<'d>>, u64),
    /// Not in order: each reel's stop in turn.
    InTurn,
}

impl<'d> Windows<'d> {
    /// Of a compiled mode.
    pub fn new(reels: &Reels, mode: Mode, diagram: &'d Diagram) -> Self {
        match diagram.windows() {
            None => Self::InTurn,
            Some(_) if diagram.cycle() <= LISTED_MAX => Self::Listed(in_order(reels, mode)),
            Some(windows) => Self::Counted(Box::new(windows), diagram.cycle()),
        }
    }

    /// The stops that a number stands for; a rejected one is replaced from `spare`.
    pub fn stops(&mut self, reels: &Reels, strip_set: usize, number: u64, spare: &mut Stream) -> Vec<usize> {
        match self {
            Self::InTurn => stops_in_turn(&reels.strip_sets[strip_set], number, spare),
            Self::Listed(windows) => {
                let value = unbiased(number, windows.len() as u64, spare);
                windows[value as usize].clone()
            }
            Self::Counted(windows, cycle) => {
                let value = unbiased(number, *cycle, spare);
                windows.stops(value)
            }
        }
    }
}

/// A number of 0..total; a rejected one is replaced from `spare`.
pub fn unbiased(mut number: u64, total: u64, spare: &mut Stream) -> u64 {
    loop {
        let (value, rest) = scale(number, total);
        if !rejected(rest, total) {
            return value;
        }
        number = spare.bits();
    }
}

/// Every window of a mode as the definition orders them: plain ones by how many windows pay the same, most first, of
/// equally many by pay; then those that start something; of the same kind by their stops.
fn in_order(reels: &Reels, mode: Mode) -> Vec<Vec<usize>> {
    let feature = match mode {
        Mode::Paid => None,
        Mode::Free(feature) => Some(feature),
    };
    let strip_set = feature.map_or(0, |feature| reels.free_spins[feature].strip_set);
    let factor = feature.map_or(Factor::ONE, |feature| {
        let rules = &reels.free_spins[feature];
        Factor { multiplier: rules.multiplier, spared: &rules.spared, is_paid: false }
    });
    let mut plain: BTreeMap<u64, Vec<Vec<usize>>> = BTreeMap::new();
    let mut starting = Vec::new();
    for stops in every_virtual_stops(&reels.strip_sets[strip_set]) {
        let window = Window::at(&reels.strip_sets[strip_set], reels.rows, &stops);
        let window = window.expanded(reels, feature.is_some(), None);
        if starts_something(reels, feature, &window) {
            starting.push(stops);
        } else {
            plain.entry(window.pay(reels, &factor, None)).or_default().push(stops);
        }
    }
    let mut classes: Vec<_> = plain.into_iter().collect();
    classes.sort_by_key(|(pay, windows)| (std::cmp::Reverse(windows.len()), *pay));
    classes.into_iter().flat_map(|(_, windows)| windows).chain(starting).collect()
}

/// The position of each reel's stop, for every choice of virtual stops, in order of positions.
fn every_virtual_stops(strips: &[Strip]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for strip in strips {
        let stops: Vec<usize> = strip
            .weights
            .iter()
            .enumerate()
            .flat_map(|(position, &weight)| std::iter::repeat_n(position, weight as usize))
            .collect();
        let longer =
            |known: Vec<usize>| stops.iter().map(move |&stop| [known.as_slice(), &[stop]].concat()).collect::<Vec<_>>();
        all = all.into_iter().flat_map(longer).collect();
    }
    all.sort();
    all
}

fn starts_something(reels: &Reels, feature: Option<usize>, window: &Window) -> bool {
    let bonus = reels.bonuses.iter().any(|bonus| window.shows(reels, &bonus.trigger) > 0);
    bonus
        || match feature {
            Some(feature) => {
                let rules = &reels.free_spins[feature];
                rules.scatter.is_some_and(|symbol| by_count(&rules.retriggers, window.count(reels, symbol)) > 0)
            }
            None => {
                let mut features = reels.free_spins.iter();
                features.any(|rules| {
                    rules.scatter.is_some_and(|symbol| by_count(&rules.awards, window.count(reels, symbol)) > 0)
                }) || reels.jackpots.iter().any(|(_, combination)| window.shows(reels, combination) > 0)
            }
        }
}

/// The row of an outcome table that a number stands for: rows that pay alone by how often their pay comes, most first,
/// of equally frequent ones by pay; then those that trigger a jackpot, as they stand.
pub fn row(outcomes: &jackpot::game::Outcomes, number: u64, spare: &mut Stream) -> usize {
    let value = unbiased(number, outcomes.rows.iter().map(|row| row.weight).sum(), spare);
    let plain_weight = |pay: u64| -> u64 {
        let same = outcomes.rows.iter().filter(|row| row.jackpots.is_empty() && row.pay == pay);
        same.map(|row| row.weight).sum()
    };
    let mut order: Vec<usize> = (0..outcomes.rows.len()).collect();
    order.sort_by_cached_key(|&position| {
        let row = &outcomes.rows[position];
        match row.jackpots.is_empty() {
            true => (0, std::cmp::Reverse(plain_weight(row.pay)), row.pay),
            false => (1, std::cmp::Reverse(0), 0),
        }
    });
    order[position_of(order.iter().map(|&position| outcomes.rows[position].weight), value)]
}
