//! A game made ready to be played: tables for bets, base outcomes, features and odds.

use super::bets::BetTable;
use super::plan::Plan;
use super::sticky::{StickyReels, Stuck};
use crate::game::diagram::Diagram;
use crate::game::pay_classes::PayClasses;
use crate::game::weighted::Weighted;
use crate::game::window::{Evaluator, Mode};
use crate::game::{Game, Outcomes, Play, Reels};
use crate::pool::{Jackpots, Level, Trigger};
use crate::rng::Gaps;
use std::collections::BTreeMap;

/// Everything that playing needs, built once for a game.
#[derive(Debug)]
pub struct Compiled<'a> {
    pub game: &'a Game,
    pub jackpots: &'a Jackpots,
    pub bets: BetTable,
    /// What can be played, as [`Game::plays`] lists it, and which of it at each bet.
    pub plays: Vec<CompiledPlay<'a>>,
    pub play_of_bet: Vec<u16>,
    /// What a spin of each class adds, play after play. Classes are those of [`Base::classes`], of reels that must be walked
    /// the pays themselves; the spins of a play's last one are looked at one by one.
    pub steps: Vec<Step>,
    pub odds: Vec<OddsTable>,
    /// Whether the committer needs to know the very spin of a must-hit-by.
    pub keeps_bets: bool,
}

/// One play, ready to be played.
#[derive(Debug)]
pub struct CompiledPlay<'a> {
    pub play: &'a Play,
    pub base: Base<'a>,
    /// Its first class in [`Compiled::steps`], and how many classes it has.
    pub class_start: u16,
    pub class_count: usize,
    /// Free spins of each feature.
    pub free: Vec<FreeReels<'a>>,
    /// Weights of each prize table.
    pub prizes: Vec<Weighted>,
}

/// One spin in a [`Step`].
pub const SPIN: u64 = 1 << 46;

/// What a plain spin adds to a counter: [`SPIN`], for itself, plus what it pays in return units. So one addition counts
/// both: a chunk has at most 2^16 spins, whose pays below 2^30 add up to less than [`SPIN`].
pub type Step = u64;

/// The step of spins that are looked at one by one: above every other.
pub const LOOK: Step = u64::MAX;

/// Classes that a 16-bit number can name, and most plays: one a bet.
const CLASSES_MAX: usize = 1 << 16;
const PLAYS_MAX: usize = 10_000;

fn step(&pay: &u64) -> Step {
    if pay < 1 << 30 { SPIN + pay } else { LOOK }
}

/// What a paid spin pays before features and jackpots.
#[derive(Debug)]
pub enum Base<'a> {
    Reels(Diagram<'a>),
    Outcomes(OutcomeOrder),
}

/// The rows of an outcome table in the order of [`PayClasses`]; those that trigger a jackpot as they stand in the table.
#[derive(Debug)]
pub struct OutcomeOrder {
    classes: PayClasses,
    /// Rows that trigger a jackpot, and their weights.
    special_rows: Vec<usize>,
    specials: Option<Weighted>,
}

impl OutcomeOrder {
    fn new(outcomes: &Outcomes) -> Self {
        let mut plain: BTreeMap<u64, u64> = BTreeMap::new();
        let mut special_rows = Vec::new();
        let mut special_weights = Vec::new();
        for (position, row) in outcomes.rows.iter().enumerate().filter(|(_, row)| row.weight > 0) {
            if row.jackpots.is_empty() {
                *plain.entry(row.pay).or_insert(0) += row.weight;
            } else {
                special_rows.push(position);
                special_weights.push(row.weight);
            }
        }
        Self {
            classes: PayClasses::new(plain.into_iter().collect(), special_weights.iter().sum()),
            specials: (!special_rows.is_empty()).then(|| Weighted::new(&special_weights)),
            special_rows,
        }
    }

    /// Position in the table of a row that triggers a jackpot, by its rank among those.
    pub fn special_row(&self, rank: u64) -> usize {
        let specials = self.specials.as_ref().expect("a rank exists only where rows trigger jackpots");
        self.special_rows[specials.position(rank)]
    }
}

impl Base<'_> {
    /// Windows, or the sum of the weights of outcomes.
    pub fn total(&self) -> u64 {
        match self {
            Self::Reels(diagram) => diagram.cycle(),
            Self::Outcomes(order) => order.classes.total(),
        }
    }

    /// The classes of pays that spins are drawn from; `None` for reels that must be walked.
    #[inline(always)]
    pub fn classes(&self) -> Option<&PayClasses> {
        match self {
            Self::Reels(diagram) => diagram.order().map(|order| order.classes()),
            Self::Outcomes(order) => Some(&order.classes),
        }
    }
}

/// What a feature's free spins show.
#[derive(Debug)]
pub enum FreeReels<'a> {
    /// Every spin alike.
    Alike(Box<Diagram<'a>>),
    Sticky(StickyReels<'a>),
}

impl<'a> FreeReels<'a> {
    fn new(reels: &'a Reels, feature: usize, order_steps: u64) -> Self {
        match reels.free_spins[feature].sticky.is_empty() {
            true => Self::Alike(Box::new(Diagram::new(reels, Mode::Free(feature), order_steps))),
            false => Self::Sticky(StickyReels::new(reels, feature)),
        }
    }

    /// The evaluator of the feature's spins.
    pub fn evaluator(&self) -> &Evaluator<'a> {
        match self {
            Self::Alike(diagram) => diagram.evaluator(),
            Self::Sticky(reels) => reels.evaluator(),
        }
    }

    /// What lies over the reels before the first spin.
    pub fn nothing_stuck(&self) -> Stuck {
        match self {
            Self::Alike(_) => Stuck::new(),
            Self::Sticky(reels) => reels.nothing_stuck(),
        }
    }
}

/// An odds level, ready to be drawn.
#[derive(Debug)]
pub struct OddsTable {
    pub level: usize,
    pub gaps: Gaps,
    pub hits_max: u64,
}

impl OddsTable {
    /// Those of all levels that can hit. The plan bounds the gaps between hits.
    pub fn all(jackpots: &Jackpots, plan: &Plan) -> Vec<Self> {
        let bits = 64 - u64::from(plan.chunk_spins).leading_zeros();
        let table = |(level, rules): (usize, &Level)| match &rules.trigger {
            Trigger::Odds { hits, of } => {
                let hits_max = hits.iter().copied().max().filter(|&hits| hits > 0)?;
                Some(Self { level, gaps: Gaps::new(hits_max, *of, bits), hits_max })
            }
            _ => None,
        };
        jackpots.levels.iter().enumerate().filter_map(table).collect()
    }
}

impl<'a> Compiled<'a> {
    /// Builds the tables, in parallel where they are large. The plan bounds the gaps between odds hits and the
    /// work of putting windows in order.
    pub fn new(game: &'a Game, jackpots: &'a Jackpots, plan: &Plan) -> Self {
        let odds = OddsTable::all(jackpots, plan);
        let mut steps = Vec::new();
        let alone = game.variants.is_empty();
        let plays: Vec<CompiledPlay> =
            game.plays().map(|play| CompiledPlay::new(play, plan.order_steps, alone, &mut steps)).collect();
        Self {
            game,
            jackpots,
            bets: BetTable::new(&game.bets),
            play_of_bet: (0..game.bets.count()).map(|bet| game.play_of(bet) as u16).collect(),
            plays,
            steps,
            odds,
            keeps_bets: super::commit::needs_positions(jackpots),
        }
    }

    /// Number of features: free spins, then bonuses.
    pub fn feature_count(&self) -> usize {
        self.game.play.reels().map_or(0, |reels| reels.free_spins.len() + reels.bonuses.len())
    }
}

impl<'a> CompiledPlay<'a> {
    /// Compiles a play and appends its classes.
    fn new(play: &'a Play, order_steps: u64, alone: bool, steps: &mut Vec<Step>) -> Self {
        let base = match play {
            Play::Reels(reels) => Base::Reels(Diagram::new(reels, Mode::Paid, order_steps)),
            Play::Outcomes(outcomes) => Base::Outcomes(OutcomeOrder::new(outcomes)),
        };
        let mut own: Vec<Step> = match base.classes() {
            Some(classes) => classes.frequent_pays().iter().map(step).collect(),
            None => (0..u64::from(u16::MAX)).map(|pay| step(&pay)).collect(),
        };
        // Of several plays those whose classes find no room are looked at spin by spin, and so are reels that are walked.
        if !alone && (base.classes().is_none() || steps.len() + own.len() + PLAYS_MAX > CLASSES_MAX) {
            own.clear();
        }
        let class_start = steps.len() as u16;
        own.push(LOOK);
        steps.extend(&own);
        let reels = play.reels();
        Self {
            play,
            base,
            class_start,
            class_count: own.len(),
            free: reels.map_or(Vec::new(), |reels| {
                (0..reels.free_spins.len()).map(|feature| FreeReels::new(reels, feature, order_steps)).collect()
            }),
            prizes: reels.map_or(Vec::new(), |reels| {
                let weights = |rows: &[(_, u64)]| rows.iter().map(|&(_, weight)| weight).collect::<Vec<_>>();
                reels.prize_tables.iter().map(|table| Weighted::new(&weights(&table.rows))).collect()
            }),
        }
    }
}
