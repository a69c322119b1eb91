//! Bonuses and free spins of one paid spin, drawn in the order in which they are played.

use super::Defect;
use super::draws;
use super::window::{Factor, Window};
use super::windows::Windows;
use jackpot::game::{FreeSpins, Prize, Reels, Spared, Strip, SymbolId, by_count};
use jackpot::rng::Stream;
use jackpot::tally::FeatureTally;

/// What the features of one paid spin did.
pub struct FeaturesPlayed {
    /// Whether any was started.
    pub started: bool,
    /// Return units of all of them.
    pub pay: u64,
}

/// Plays everything that a paid window starts. `free` are the windows of each feature's free spins; `tallies` are free
/// spins, then bonuses.
pub fn play(
    reels: &Reels,
    window: &Window,
    free: &mut [Windows],
    stream: &mut Stream,
    tallies: &mut [FeatureTally],
    defect: Option<Defect>,
) -> FeaturesPlayed {
    let mut played = FeaturesPlayed { started: false, pay: 0 };
    for (position, bonus) in reels.bonuses.iter().enumerate() {
        let tally = &mut tallies[reels.free_spins.len() + position];
        for _ in 0..window.shows(reels, &bonus.trigger) {
            let pay = prize(reels, bonus.table, stream, &mut tally.plays);
            count_trigger(tally, pay);
            played.started = true;
            played.pay += pay;
        }
    }
    for (position, feature) in reels.free_spins.iter().enumerate() {
        let award = by_count(&feature.awards, window.count(reels, feature.scatter));
        if award > 0 {
            let pay = free_spins(reels, feature, award, &mut free[position], stream, &mut tallies[position], defect);
            count_trigger(&mut tallies[position], pay);
            played.started = true;
            played.pay += pay;
        }
    }
    played
}

fn count_trigger(tally: &mut FeatureTally, pay: u64) {
    tally.triggers += 1;
    tally.returns.sum += u128::from(pay);
    tally.returns.sum_squares += u128::from(pay) * u128::from(pay);
}

/// Draws from a prize table down to its prizes; `plays` counts those.
fn prize(reels: &Reels, table: usize, stream: &mut Stream, plays: &mut u64) -> u64 {
    let rows = &reels.prize_tables[table].rows;
    let value = stream.below(rows.iter().map(|(_, weight)| weight).sum());
    match rows[draws::position_of(rows.iter().map(|(_, weight)| *weight), value)].0 {
        Prize::Pay(pay) => {
            *plays += 1;
            pay
        }
        Prize::Draws { count, table } => (0..count).map(|_| prize(reels, table, stream, plays)).sum(),
    }
}

/// Cells in which a symbol stays, as (row, reel, symbol).
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stuck(Vec<(usize, usize, SymbolId)>);

impl Stuck {
    /// A drawn window under the symbols that are stuck.
    pub fn cover(&self, mut window: Window) -> Window {
        for &(row, reel, symbol) in &self.0 {
            window.rows[row][reel] = symbol;
        }
        Window::of(window.rows)
    }

    /// Keeps what a window shows of these symbols.
    pub fn keep(&mut self, window: &Window, sticky: &[SymbolId]) {
        self.0.clear();
        for (row, symbols) in window.shown.iter().enumerate() {
            for (reel, &symbol) in symbols.iter().enumerate().filter(|(_, symbol)| sticky.contains(symbol)) {
                self.0.push((row, reel, symbol));
            }
        }
    }
}

/// Return units of one trigger of free spins.
fn free_spins(
    reels: &Reels,
    feature: &FreeSpins,
    award: u64,
    windows: &mut Windows,
    stream: &mut Stream,
    tally: &mut FeatureTally,
    defect: Option<Defect>,
) -> u64 {
    let limit = feature.spins_max.unwrap_or(u64::MAX);
    let strips = &reels.strip_sets[feature.strip_set];
    let factor = Factor { multiplier: feature.multiplier, spared: &feature.spared, is_paid: false };
    let mut stuck = Stuck::default();
    let (mut played, mut remaining, mut pay) = (0, award.min(limit), 0);
    while remaining > 0 {
        remaining -= 1;
        played += 1;
        let window = if feature.sticky.is_empty() {
            let number = stream.bits();
            let stops = windows.stops(reels, feature.strip_set, number, stream);
            Window::at(strips, reels.rows, &stops).expanded(reels, true, defect)
        } else {
            let position = |strip: &Strip| {
                let value = stream.below(strip.weights.iter().sum());
                draws::position_of(strip.weights.iter().copied(), value)
            };
            let stops: Vec<usize> = strips.iter().map(position).collect();
            stuck.cover(Window::at(strips, reels.rows, &stops)).expanded(reels, true, defect)
        };
        if defect != Some(Defect::StickyForgotten) {
            stuck.keep(&window, &feature.sticky);
        }
        pay += window.pay(reels, &factor, defect);
        for (position, bonus) in reels.bonuses.iter().enumerate() {
            for _ in 0..window.shows(reels, &bonus.trigger) {
                let prize = prize(reels, bonus.table, stream, &mut 0);
                pay += factor.apply(Spared::Bonus { bonus: position }, prize);
            }
        }
        let more = by_count(&feature.retriggers, window.count(reels, feature.scatter));
        if more > 0 {
            tally.retriggers += 1;
            remaining = (remaining + more).min(limit - played);
        }
    }
    tally.plays += played;
    pay
}
