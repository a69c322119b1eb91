//! Bonuses and free spins of one paid spin, drawn in the order in which they are played.

use super::Defect;
use super::draws;
use super::window::{Factor, Window};
use super::windows::Windows;
use jackpot::game::{Draws, FreeSpins, Reels, Spared, SpinsAward, Strip, SymbolId, by_count};
use jackpot::rng::Stream;
use jackpot::tally::FeatureTally;

/// What the features of one paid spin did.
pub struct FeaturesPlayed {
    /// Whether any was started.
    pub started: bool,
    /// Return units of all of them.
    pub pay: u64,
    /// By level, how often wheels came to it.
    pub levels: Vec<u64>,
}

/// What the draws of one bonus came to.
#[derive(Default)]
struct Drawn {
    pay: u64,
    /// Rows that draw no further.
    plays: u64,
    /// Levels and free spins in order, as they came.
    levels: Vec<usize>,
    awards: Vec<SpinsAward>,
}

/// Plays everything that a paid window starts. `free` are the windows of each feature's free spins; `tallies` are free
/// spins, then bonuses.
pub fn play(
    reels: &Reels,
    level_count: usize,
    window: &Window,
    free: &mut [Windows],
    stream: &mut Stream,
    tallies: &mut [FeatureTally],
    defect: Option<Defect>,
) -> FeaturesPlayed {
    let mut played = FeaturesPlayed { started: false, pay: 0, levels: vec![0; level_count] };
    let mut awarded = Vec::new();
    for (position, bonus) in reels.bonuses.iter().enumerate() {
        let tally = &mut tallies[reels.free_spins.len() + position];
        for _ in 0..window.shows(reels, &bonus.trigger) {
            let mut drawn = Drawn::default();
            prize(reels, bonus.table, stream, &mut drawn, defect);
            tally.plays += drawn.plays;
            count_trigger(tally, drawn.pay);
            played.started = true;
            played.pay += drawn.pay;
            drawn.levels.iter().for_each(|&level| played.levels[level] += 1);
            awarded.extend(drawn.awards);
        }
    }
    for (position, feature) in reels.free_spins.iter().enumerate() {
        let by_scatter = feature.scatter.map_or(0, |symbol| by_count(&feature.awards, window.count(reels, symbol)));
        let by_wheel: u64 = awarded.iter().filter(|award| award.feature == position).map(|award| award.spins).sum();
        let award = by_scatter + by_wheel;
        if award > 0 {
            let tally = &mut tallies[position];
            let Drawn { pay, levels, .. } =
                free_spins(reels, feature, award, &mut free[position], stream, tally, defect);
            count_trigger(tally, pay);
            levels.iter().for_each(|&level| played.levels[level] += 1);
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

/// Draws from a prize table down to its prizes; then again, if the row says so.
fn prize(reels: &Reels, table: usize, stream: &mut Stream, drawn: &mut Drawn, defect: Option<Defect>) {
    let rows = &reels.prize_tables[table].rows;
    let value = stream.below(rows.iter().map(|(_, weight)| weight).sum());
    let row = &rows[draws::position_of(rows.iter().map(|(_, weight)| *weight), value)].0;
    drawn.pay += row.pay;
    drawn.levels.extend(&row.jackpots);
    drawn.awards.extend(row.free_spins);
    match row.draws {
        None => drawn.plays += 1,
        Some(Draws { count, table }) => (0..count).for_each(|_| prize(reels, table, stream, drawn, defect)),
    }
    if row.again && defect != Some(Defect::AgainIgnored) {
        prize(reels, table, stream, drawn, defect);
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

/// What one trigger of free spins comes to; it awards no more by wheels.
fn free_spins(
    reels: &Reels,
    feature: &FreeSpins,
    award: u64,
    windows: &mut Windows,
    stream: &mut Stream,
    tally: &mut FeatureTally,
    defect: Option<Defect>,
) -> Drawn {
    let limit = feature.spins_max.unwrap_or(u64::MAX);
    let strips = &reels.strip_sets[feature.strip_set];
    let factor = Factor { multiplier: feature.multiplier, spared: &feature.spared, is_paid: false };
    let mut stuck = Stuck::default();
    let (mut played, mut remaining, mut all) = (0, award.min(limit), Drawn::default());
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
        all.pay += window.pay(reels, &factor, defect);
        for (position, bonus) in reels.bonuses.iter().enumerate() {
            for _ in 0..window.shows(reels, &bonus.trigger) {
                let mut drawn = Drawn::default();
                prize(reels, bonus.table, stream, &mut drawn, defect);
                all.levels.extend(drawn.levels);
                all.pay += factor.apply(Spared::Bonus { bonus: position }, drawn.pay);
            }
        }
        let more = feature.scatter.map_or(0, |symbol| by_count(&feature.retriggers, window.count(reels, symbol)));
        if more > 0 {
            tally.retriggers += 1;
            remaining = (remaining + more).min(limit - played);
        }
    }
    tally.plays += played;
    all
}
