//! Free spins in which symbols stay where they show.

use crate::game::columns::expanded;
use crate::game::weighted::Weighted;
use crate::game::window::{Evaluator, Mode, Outcome, UNKNOWN};
use crate::game::{Reels, SymbolId};
use crate::rng::Stream;

/// The reels of a feature in which symbols stick.
#[derive(Debug)]
pub struct StickyReels<'a> {
    reels: &'a Reels,
    evaluator: Evaluator<'a>,
    sticky: &'a [SymbolId],
    /// By reel, the weights of its stops.
    stops: Vec<Weighted>,
}

/// What is stuck, by reel and row; [`UNKNOWN`] where nothing is.
pub type Stuck = Vec<Vec<SymbolId>>;

impl<'a> StickyReels<'a> {
    /// Of the feature at a position.
    pub fn new(reels: &'a Reels, feature: usize) -> Self {
        let evaluator = Evaluator::new(reels, Mode::Free(feature));
        let stops = reels.strip_sets[evaluator.strip_set()].iter().map(|strip| Weighted::new(&strip.weights)).collect();
        Self { reels, sticky: &reels.free_spins[feature].sticky, stops, evaluator }
    }

    /// The evaluator of the feature's spins.
    pub fn evaluator(&self) -> &Evaluator<'a> {
        &self.evaluator
    }

    /// Nothing yet.
    pub fn nothing_stuck(&self) -> Stuck {
        vec![vec![UNKNOWN; self.reels.rows]; self.stops.len()]
    }

    /// Plays one spin: a number for each reel in turn. What is stuck lies over what is drawn; then wilds expand; what shows
    /// then sticks.
    pub fn spin(&self, stuck: &mut Stuck, stream: &mut Stream) -> Outcome {
        let mut drawn = std::mem::take(stuck);
        for (reel, cells) in drawn.iter_mut().enumerate() {
            let stop = self.stops[reel].position(stream.below(self.stops[reel].total()));
            for (cell, &below) in cells.iter_mut().zip(self.evaluator.columns().drawn(reel, stop)) {
                if *cell == UNKNOWN {
                    *cell = below;
                }
            }
        }
        let shown: Stuck = drawn.iter().map(|column| expanded(self.reels, self.evaluator.mode(), column)).collect();
        let columns: Vec<(&[SymbolId], &[SymbolId])> =
            shown.iter().zip(&drawn).map(|(shown, drawn)| (shown.as_slice(), drawn.as_slice())).collect();
        let outcome = self.evaluator.outcome_of(&columns);
        *stuck = shown;
        for cell in stuck.iter_mut().flatten().filter(|cell| !self.sticky.contains(cell)) {
            *cell = UNKNOWN;
        }
        outcome
    }
}
