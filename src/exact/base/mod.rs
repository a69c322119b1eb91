//! What a game pays before jackpots, by enumeration of its windows or outcomes: RTP by part as a fraction, the
//! distribution of a spin's pay, sigma with features included.

pub mod awards;
pub mod free;
pub mod joint;
mod joint_ways;
pub mod law;
pub mod lines;
mod mixed;
pub mod mode;
pub mod prizes;
pub mod reach;
pub mod sticky;
mod table;
pub mod ways;

use crate::game::rules::{Game, Outcomes, Play, Reels};
use crate::game::window::Mode;
use free::{FreeFigures, Trigger};
use mode::ModeFigures;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use prizes::{PrizeMoments, whole};
use std::collections::BTreeMap;

/// A figure: as a fraction where it is one, and to rounding.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub fraction: Option<BigRational>,
    pub value: f64,
}

impl Figure {
    fn exact(fraction: BigRational) -> Self {
        Self { value: fraction.to_f64().unwrap_or(f64::NAN), fraction: Some(fraction) }
    }

    fn plus(&self, other: &Self) -> Self {
        let fraction = self.fraction.as_ref().zip(other.fraction.as_ref()).map(|(one, other)| one + other);
        Self { value: self.value + other.value, fraction }
    }

    fn zero() -> Self {
        Self::exact(BigRational::zero())
    }
}

/// One feature of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureFigures {
    /// Triggers a paid spin: for a bonus, lines that start it. `None` where wheels award free spins and the windows are too
    /// many to enumerate.
    pub triggers: Option<Figure>,
    /// Mean and standard deviation of one trigger's pay, in return units.
    pub mean: Option<Figure>,
    pub deviation: Option<f64>,
    /// Share of the bet that it returns.
    pub rtp: Figure,
    /// Mean free spins played, or prizes drawn, a trigger; `None` for bonuses.
    pub plays: Option<f64>,
}

/// A combination of symbols that pays.
#[derive(Debug, Clone, PartialEq)]
pub struct CombinationFigures {
    /// As the game file names it, and how many of them.
    pub name: String,
    pub count: usize,
    /// Return units.
    pub pay: u64,
    /// Windows that show it, summed over lines; by ways the ways, multipliers counted in.
    pub windows: u128,
    pub is_scatter: bool,
    /// Position in [`BaseFigures::plays`] of the only play that pays it so; `None` where all do.
    pub play: Option<usize>,
}

/// Everything about a spin before jackpots. Shares are of the total bet.
#[derive(Debug, Clone)]
pub struct BaseFigures {
    /// Windows or weights.
    pub cycle: u64,
    pub lines_played: usize,
    pub lines: Figure,
    pub scatters: Figure,
    /// Lines and scatters, or the outcome table.
    pub base: Figure,
    /// Free spins, then bonuses, as the game lists them.
    pub features: Vec<FeatureFigures>,
    /// Everything.
    pub rtp: Figure,
    pub combinations: Vec<CombinationFigures>,
    /// Chance that one line pays, averaged over lines; sigma of one line, in total bets x lines (its own bet).
    pub line_hit_frequency: Option<f64>,
    pub line_sigma: Option<f64>,
    /// Windows by pay in return units; `None` if they are too many to enumerate.
    pub distribution: Option<BTreeMap<u64, u64>>,
    /// Chance that a spin pays on lines or scatters; that it also may start a feature; that it pays at least the bet.
    pub hit_frequency: Option<f64>,
    pub hit_or_trigger: Option<f64>,
    pub win_of_bet: Option<f64>,
    /// Standard deviation of a spin's return in total bets: base alone, and with features.
    pub sigma_base: Option<f64>,
    pub sigma: Option<f64>,
    /// Chance a spin that the reels, a wheel or the table trigger each level; `None` for levels with another trigger, and
    /// where it can't be enumerated.
    pub symbol_chances: Vec<Option<Figure>>,
    /// Of each play, where bets don't all play alike ([`Game::plays`]); the figures above are then those of the mix.
    pub plays: Vec<BaseFigures>,
}

impl BaseFigures {
    /// Of a game with so many jackpot levels.
    pub fn new(game: &Game, level_count: usize) -> Self {
        match game.variants.is_empty() {
            true => of_play(game, &game.play, level_count),
            false => mixed::of_game(game, level_count),
        }
    }

    /// What is played at a bet.
    pub fn at_bet(&self, game: &Game, bet_index: usize) -> &Self {
        self.plays.get(game.play_of(bet_index)).unwrap_or(self)
    }
}

fn of_play(game: &Game, play: &Play, level_count: usize) -> BaseFigures {
    match play {
        Play::Reels(reels) => of_reels(game, reels, level_count),
        Play::Outcomes(outcomes) => table::of_outcomes(game, outcomes, level_count),
    }
}

fn of_reels(game: &Game, reels: &Reels, level_count: usize) -> BaseFigures {
    let paid = ModeFigures::new(reels, Mode::Paid);
    let scale = whole(game.return_scale.into());
    let windows = whole(paid.cycle.into());
    let share = |sum: u128| Figure::exact(whole(sum) / (&windows * &scale));
    let modes: Vec<ModeFigures> =
        (0..reels.free_spins.len()).map(|at| ModeFigures::new(reels, Mode::Free(at))).collect();
    let free: Vec<FreeFigures> = (reels.free_spins.iter().zip(&modes).enumerate())
        .map(|(at, (feature, mode))| FreeFigures::new(feature, at, mode))
        .collect();
    let kinds = paid.kinds();
    let lines = share(paid.line_pays());
    let scatters = share(paid.all_scatter_pays());
    let base = lines.plus(&scatters);
    let mut features: Vec<FeatureFigures> = (free.iter().enumerate())
        .map(|(at, free)| match awards::by_wheel(reels, at) {
            true => awards::figures(reels, &paid, kinds.as_deref(), at, free, &scale),
            false => of_free_spins(&paid, at, free, &scale),
        })
        .collect();
    let prizes = PrizeMoments::of_all(reels);
    for bonus in &reels.bonuses {
        let prize = &prizes[bonus.table];
        let triggers = whole(paid.starts(&bonus.trigger)) / &windows;
        features.push(FeatureFigures {
            rtp: Figure::exact(&triggers * &prize.mean / &scale),
            deviation: prize.variance().to_f64().map(f64::sqrt),
            mean: Some(Figure::exact(prize.mean.clone())),
            triggers: Some(Figure::exact(triggers)),
            plays: None,
        });
    }
    let rtp = features.iter().fold(base.clone(), |sum, feature| sum.plus(&feature.rtp));
    let spread = kinds.as_deref().and_then(|kinds| Spread::new(game, reels, &paid, kinds, &free, rtp.value));
    let line_windows = paid.cycle as f64 * reels.lines.len() as f64;
    let has_lines = !reels.lines.is_empty() && !reels.line_pays.is_empty();
    BaseFigures {
        cycle: paid.cycle,
        lines_played: reels.lines.len(),
        combinations: combinations(reels, &paid),
        line_hit_frequency: has_lines.then(|| paid.lines.hits as f64 / line_windows),
        line_sigma: has_lines.then(|| {
            let mean = paid.lines.pays() as f64 / line_windows;
            let bet = game.return_scale as f64 / reels.lines.len() as f64;
            (paid.lines.squares as f64 / line_windows - mean * mean).sqrt() / bet
        }),
        distribution: paid.joint.as_ref().map(|joint| joint.distribution.clone()),
        hit_frequency: spread.as_ref().map(|spread| spread.hit_frequency),
        hit_or_trigger: spread.as_ref().map(|spread| spread.hit_or_trigger),
        win_of_bet: spread.as_ref().map(|spread| spread.win_of_bet),
        sigma_base: spread.as_ref().map(|spread| spread.sigma_base),
        sigma: spread.as_ref().and_then(|spread| spread.sigma),
        symbol_chances: symbol_chances(reels, &paid, &modes, level_count),
        plays: Vec::new(),
        lines,
        scatters,
        base,
        features,
        rtp,
    }
}

fn of_free_spins(paid: &ModeFigures, at: usize, free: &FreeFigures, scale: &BigRational) -> FeatureFigures {
    let windows = whole(paid.cycle.into());
    let awards = paid.awards(at);
    let all: u128 = awards.values().sum();
    let (mut mean, mut square, mut spins, mut sum) = (Figure::zero(), Some(0.0), 0.0, 0.0);
    for (&award, &starting) in &awards {
        let share = starting as f64 / all as f64;
        let trigger = free.trigger(award).unwrap_or(Trigger {
            mean: f64::INFINITY,
            mean_exact: None,
            mean_square: None,
            spins: f64::INFINITY,
        });
        let exact = trigger.mean_exact.map(|exact| exact * whole(starting) / whole(all));
        mean = mean.plus(&Figure { fraction: exact, value: share * trigger.mean });
        square = square.zip(trigger.mean_square).map(|(sum, square)| sum + share * square);
        spins += share * trigger.spins;
        sum += share * trigger.mean;
    }
    let triggers = whole(all) / &windows;
    let scale_value = scale.to_f64().unwrap_or(f64::NAN);
    FeatureFigures {
        rtp: Figure {
            value: triggers.to_f64().unwrap_or(f64::NAN) * mean.value / scale_value,
            fraction: mean.fraction.as_ref().map(|mean| mean * &triggers / scale),
        },
        deviation: square.map(|square| (square - sum * sum).max(0.0).sqrt()),
        mean: Some(mean),
        triggers: Some(Figure::exact(triggers)),
        plays: Some(spins),
    }
}

/// Combinations that pay, as the game lists them, longest first.
fn combinations(reels: &Reels, paid: &ModeFigures) -> Vec<CombinationFigures> {
    let mut rows: Vec<CombinationFigures> = (paid.lines.wins.iter().chain(&paid.ways.wins))
        .filter(|(win, _)| win.pay > 0)
        .map(|(win, &windows)| CombinationFigures {
            name: reels.line_pays[win.combination].name.clone(),
            count: win.count,
            pay: win.pay,
            windows,
            is_scatter: false,
            play: None,
        })
        .collect();
    for scatter in &reels.scatter_pays {
        for (count, &windows) in paid.scatters[&scatter.symbol].iter().enumerate() {
            let pay = paid.scatter_pay(scatter.symbol, count);
            if pay > 0 && windows > 0 {
                let name = reels.symbols[usize::from(scatter.symbol)].name.clone();
                rows.push(CombinationFigures { name, count, pay, windows, is_scatter: true, play: None });
            }
        }
    }
    rows
}

fn symbol_chances(reels: &Reels, paid: &ModeFigures, free: &[ModeFigures], level_count: usize) -> Vec<Option<Figure>> {
    let mut chances: Vec<Option<Figure>> = (0..level_count)
        .map(|level| reach::on_wheels(reels, level).then(|| reach::chance(reels, paid, free, level))?)
        .collect();
    for (level, combination) in &reels.jackpots {
        chances[*level] =
            paid.windows_showing(combination).map(|windows| Figure::exact(whole(windows) / whole(paid.cycle.into())));
    }
    chances
}

/// What needs all lines of a window at once.
struct Spread {
    hit_frequency: f64,
    hit_or_trigger: f64,
    win_of_bet: f64,
    sigma_base: f64,
    sigma: Option<f64>,
}

impl Spread {
    fn new(
        game: &Game,
        reels: &Reels,
        paid: &ModeFigures,
        kinds: &[mode::Kind],
        free: &[FreeFigures],
        rtp: f64,
    ) -> Option<Self> {
        let joint = paid.joint.as_ref()?;
        let cycle = paid.cycle as f64;
        let scale = game.return_scale as f64;
        let share = |windows: u64| windows as f64 / cycle;
        let paying = |least: u64| joint.distribution.range(least..).map(|(_, &windows)| windows).sum::<u64>();
        let square = awards::spin_square(reels, kinds, free);
        let base_square: f64 =
            joint.distribution.iter().map(|(&pay, &windows)| share(windows) * pay as f64 * pay as f64).sum();
        let base_mean: f64 = joint.distribution.iter().map(|(&pay, &windows)| share(windows) * pay as f64).sum();
        let starts = |kind: &mode::Kind| kind.bonus_starts.iter().chain(&kind.free_spins).any(|&starts| starts > 0);
        let idle = kinds.iter().filter(|kind| !starts(kind));
        Some(Self {
            hit_frequency: share(paying(1)),
            hit_or_trigger: 1.0 - idle.map(|kind| kind.idle).sum::<f64>(),
            win_of_bet: share(paying(game.return_scale)),
            sigma_base: (base_square - base_mean * base_mean).max(0.0).sqrt() / scale,
            sigma: square.map(|square| (square / (scale * scale) - rtp * rtp).max(0.0).sqrt()),
        })
    }
}

fn outcome_weight(outcomes: &Outcomes) -> u64 {
    outcomes.rows.iter().map(|row| row.weight).sum()
}
