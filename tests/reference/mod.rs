//! The reference engine: a run played spin by spin, in order, in the most obvious way, from the definition alone.
//!
//! It shares with the fast engine the types of the rules, the generators of random numbers and the types of the tallies,
//! and nothing of how either is used. [`window`] and [`features`] say what a spin pays, [`draws`] what it draws, and
//! [`jackpots`] what it does to the pools. [`random_game`] makes small games to compare both engines on.

mod by_hand;
mod controls;
mod coverage;
mod draws;
mod exact;
mod features;
mod jackpots;
pub mod random_game;
mod random_jackpots;
mod random_reels;
pub mod sample;
mod whole_spin;
mod window;
mod windows;

use jackpot::game::diagram::Diagram;
use jackpot::game::window::Mode;
use jackpot::game::{Game, Play, Reels};
use jackpot::pool::{Jackpots, Trigger};
use jackpot::rng::{Purpose, Stream};
use jackpot::sim::Plan;
use jackpot::tally::{BaseTally, Hit, LARGEST_KEPT, Moments, PoolTally, Win};
use window::{Factor, Window};
use windows::Windows;

/// A mistake planted into the reference, to show that a comparison would see one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// Each pay of the first line is one too much.
    FirstLineOffByOne,
    /// The factor of wilds is applied twice.
    WildTwice,
    /// Scatter pays are paid twice.
    ScatterTwice,
    /// A scatter that counts once a reel pays for each cell.
    ScatterPerCell,
    /// Two cells of a reel with the same symbol one under the other make one way.
    WaysPerReel,
    /// Where both ends are read, a win over the whole line is paid from each.
    WholeLineTwice,
    /// An expanding wild stays in its cell.
    WildNotExpanded,
    /// Sticky symbols don't stick.
    StickyForgotten,
    /// Where a jackpot stands in for a win, both are paid.
    ReplacedPaidToo,
    /// Every bet plays what the first one does.
    PlayOfFirstBet,
    /// A spin contributes after the triggers are tested and the hits are claimed.
    ContributionAfterTrigger,
    /// What a reserve holds after a reset vanishes.
    SurplusLost,
    /// A wheel is spun once, whatever its segment says.
    AgainIgnored,
    /// A level that wheels come to twice on one spin hits twice.
    WheelHitsTwice,
    /// A weighted threshold is drawn from the piece after the one that was drawn.
    WeightOfNextPiece,
    /// Overflow reaches its level before that level's hit of the same spin is paid.
    OverflowBeforeOthersPay,
}

/// A run as the definition has it.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'a> {
    pub game: &'a Game,
    pub jackpots: &'a Jackpots,
    pub plan: Plan,
    pub defect: Option<Defect>,
}

/// All that a run yields.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    pub base: BaseTally,
    /// Level by level, pool by pool.
    pub pools: Vec<PoolTally>,
    /// In order of play; of one spin in order of levels.
    pub hits: Vec<Hit>,
}

/// What one spin did before any jackpot.
struct Spin {
    base: u64,
    features: u64,
    started_feature: bool,
    /// By level, what the outcome triggers.
    symbols: Vec<bool>,
    /// By level, hits beyond the first: none, but for a defect.
    more_hits: Vec<bool>,
}

impl Reference<'_> {
    /// Plays chunk after chunk, spin after spin.
    pub fn play(&self) -> Played {
        let bet_count = self.game.bets.amounts.len();
        let feature_count = match &self.game.play {
            Play::Reels(reels) => reels.free_spins.len() + reels.bonuses.len(),
            Play::Outcomes(_) => 0,
        };
        let mut base = BaseTally::new(bet_count, feature_count);
        let mut pools = jackpots::Pools::new(self.jackpots, bet_count, self.plan.rng_seed, self.defect);
        let plays: Vec<&Play> = self.game.plays().collect();
        let diagrams: Vec<Vec<(Mode, Option<Diagram>)>> = plays.iter().map(|play| self.diagrams(play)).collect();
        let mut windows: Vec<Vec<Windows>> = (plays.iter().zip(&diagrams))
            .map(|(play, diagrams)| match play {
                Play::Outcomes(_) => Vec::new(),
                Play::Reels(reels) => diagrams
                    .iter()
                    .map(|(mode, diagram)| match diagram {
                        Some(diagram) => Windows::new(reels, *mode, diagram),
                        None => Windows::InTurn,
                    })
                    .collect(),
            })
            .collect();
        let (spins, chunk_spins) = (self.plan.spins, u64::from(self.plan.chunk_spins));
        for chunk in 0..spins.div_ceil(chunk_spins) {
            let first = chunk * chunk_spins;
            let length = chunk_spins.min(spins - first);
            let bets = draws::bets(&self.game.bets, self.plan.rng_seed, chunk, length);
            let odds = self.odds(chunk, &bets);
            let mut numbers = draws::Numbers::new(self.plan.rng_seed, Purpose::Reels, chunk);
            let mut feature_stream = Stream::new(self.plan.rng_seed, Purpose::Features, chunk, 0);
            for (offset, &bet) in bets.iter().enumerate() {
                let index = first + offset as u64;
                let play = match self.defect {
                    Some(Defect::PlayOfFirstBet) => self.game.play_of(0),
                    _ => self.game.play_of(bet),
                };
                let spin = self.spin(plays[play], &mut numbers, &mut feature_stream, &mut windows[play], &mut base);
                count(&mut base, &spin, self.game.return_scale, Win { pay: 0, spin: index, bet_index: bet });
                let shown: Vec<bool> =
                    (0..odds.len()).map(|level| odds[level][offset] || spin.symbols[level]).collect();
                pools.spin(index, bet, &shown);
                if spin.more_hits.contains(&true) {
                    pools.hit_again(index, bet, &spin.more_hits);
                }
            }
        }
        let (pools, hits) = pools.close();
        Played { base, pools, hits }
    }

    /// The diagram of each mode, but where symbols stick: there each reel is drawn for itself.
    fn diagrams<'p>(&self, play: &'p Play) -> Vec<(Mode, Option<Diagram<'p>>)> {
        let Play::Reels(reels) = play else { return Vec::new() };
        let sticks = |mode| matches!(mode, Mode::Free(feature) if !reels.free_spins[feature].sticky.is_empty());
        let modes = std::iter::once(Mode::Paid).chain((0..reels.free_spins.len()).map(Mode::Free));
        let diagram = |mode| (!sticks(mode)).then(|| Diagram::new(reels, mode, self.plan.order_steps));
        modes.map(|mode| (mode, diagram(mode))).collect()
    }

    /// By level, by spin of the chunk: whether odds hit.
    fn odds(&self, chunk: u64, bets: &[usize]) -> Vec<Vec<bool>> {
        let of_level = |(level, rule): (usize, &jackpot::pool::Level)| match &rule.trigger {
            Trigger::Odds { hits, of } => {
                let mut stream = Stream::new(self.plan.rng_seed, Purpose::Triggers, chunk, level as u64);
                draws::odds_hits(&mut stream, hits, *of, bets)
            }
            Trigger::MustHitBy { .. } | Trigger::Symbols => vec![false; bets.len()],
        };
        self.jackpots.levels.iter().enumerate().map(of_level).collect()
    }

    /// Plays one spin; `windows` are those of the paid mode, then of each feature's free spins.
    fn spin(
        &self,
        play: &Play,
        numbers: &mut draws::Numbers,
        feature_stream: &mut Stream,
        windows: &mut [Windows],
        base: &mut BaseTally,
    ) -> Spin {
        let number = numbers.next();
        let mut symbols = vec![false; self.jackpots.levels.len()];
        match play {
            Play::Outcomes(outcomes) => {
                let row = &outcomes.rows[windows::row(outcomes, number, numbers.spare())];
                row.jackpots.iter().for_each(|&level| symbols[level] = true);
                let more_hits = vec![false; symbols.len()];
                Spin { base: row.pay, features: 0, started_feature: false, symbols, more_hits }
            }
            Play::Reels(reels) => {
                let (paid, free) = windows.split_first_mut().expect("reels have a paid mode");
                let stops = paid.stops(reels, 0, number, numbers.spare());
                let window = Window::at(&reels.strip_sets[0], reels.rows, &stops).expanded(reels, false, self.defect);
                let tallies = &mut base.by_feature;
                let played = features::play(reels, symbols.len(), &window, free, feature_stream, tallies, self.defect);
                for (symbol, &times) in symbols.iter_mut().zip(&played.levels) {
                    *symbol |= times > 0;
                }
                let twice = self.defect == Some(Defect::WheelHitsTwice);
                let more_hits = played.levels.iter().map(|&times| twice && times > 1).collect();
                for (level, combination) in &reels.jackpots {
                    symbols[*level] |= window.shows(reels, combination) > 0;
                }
                Spin {
                    base: window.pay(reels, &Factor::ONE, self.defect),
                    features: played.pay,
                    started_feature: played.started,
                    symbols,
                    more_hits,
                }
            }
        }
    }
}

/// Counts one spin; `place` says where it was made.
fn count(tally: &mut BaseTally, spin: &Spin, return_scale: u64, place: Win) {
    let pay = spin.base + spin.features;
    tally.spins_by_bet[place.bet_index] += 1;
    tally.base_by_bet[place.bet_index] += u128::from(spin.base);
    tally.features_by_bet[place.bet_index] += u128::from(spin.features);
    tally.hits += u64::from(pay > 0);
    tally.hits_base += u64::from(spin.base > 0);
    tally.hits_or_triggers += u64::from(pay > 0 || spin.started_feature);
    tally.wins_of_bet += u64::from(pay >= return_scale);
    add(&mut tally.returns, pay);
    add(&mut tally.base, spin.base);
    add(&mut tally.features, spin.features);
    tally.payouts.record(pay, 1);
    if pay > 0 {
        tally.largest.push(Win { pay, ..place });
        tally.largest.sort_by_key(|win| (std::cmp::Reverse(win.pay), win.spin));
        tally.largest.truncate(LARGEST_KEPT);
    }
}

fn add(moments: &mut Moments, value: u64) {
    moments.sum += u128::from(value);
    moments.sum_squares += u128::from(value) * u128::from(value);
}

/// Every window of a paid or free spin with its weight.
fn every_window(reels: &Reels, strip_set: usize, is_free: bool) -> impl Iterator<Item = (Window, u64)> {
    let strips = &reels.strip_sets[strip_set];
    let count: usize = strips.iter().map(|strip| strip.stops.len()).product();
    (0..count).map(move |index| {
        let mut rest = index;
        let mut weight = 1;
        let mut stops = Vec::new();
        for strip in strips {
            let stop = rest % strip.stops.len();
            rest /= strip.stops.len();
            weight *= strip.weights[stop];
            stops.push(stop);
        }
        (Window::at(strips, reels.rows, &stops).expanded(reels, is_free, None), weight)
    })
}
