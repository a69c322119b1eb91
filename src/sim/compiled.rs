//! A game made ready to be played: tables for bets, base outcomes, features and odds.

use crate::game::diagram::{Diagram, EVENT};
use crate::game::weighted::Weighted;
use crate::game::window::Mode;
use crate::game::{Bets, Game, Play, Reels};
use crate::pool::{Jackpots, Trigger};
use crate::rng::{BlockStream, Gaps, Purpose, scale_32};

/// Everything that playing needs, built once for a game.
#[derive(Debug)]
pub struct Compiled<'a> {
    pub game: &'a Game,
    pub jackpots: &'a Jackpots,
    pub bets: BetTable,
    pub base: Base<'a>,
    /// Free spins of each feature.
    pub free: Vec<Diagram<'a>>,
    /// Weights of each prize table.
    pub prizes: Vec<Weighted>,
    pub odds: Vec<OddsTable>,
    /// Whether the committer needs to know the very spin of a must-hit-by.
    pub keeps_bets: bool,
}

/// What a paid spin pays before features and jackpots.
#[derive(Debug)]
pub enum Base<'a> {
    Reels(Diagram<'a>),
    Outcomes {
        rows: Weighted,
        /// By row: return units, or [`EVENT`] where the row triggers a jackpot or pays too much for a table.
        values: Vec<u64>,
    },
}

/// An odds level, ready to be drawn.
#[derive(Debug)]
pub struct OddsTable {
    pub level: usize,
    pub gaps: Gaps,
    pub hits_max: u64,
}

/// Draws the bets of a chunk from their own stream.
#[derive(Debug)]
pub struct BetTable {
    mix: Weighted,
    count: usize,
    /// Bet index of each number below the sum of the mix, where that sum is small.
    direct: Option<Vec<u16>>,
}

/// Numbers of the bet stream that are worked on at once.
const PART: usize = 32;

/// Largest sum of a mix that is looked up directly.
const DIRECT_MAX: u64 = 1 << 12;

impl BetTable {
    /// For a list of bets.
    pub fn new(bets: &Bets) -> Self {
        let mix = Weighted::new(&bets.mix);
        let direct =
            (mix.total() <= DIRECT_MAX).then(|| (0..mix.total()).map(|number| mix.position(number) as u16).collect());
        Self { mix, count: bets.count(), direct }
    }

    /// The stream of a chunk's bets.
    pub fn stream(rng_seed: u64, chunk: u64) -> BlockStream {
        BlockStream::new(rng_seed, Purpose::Bets, chunk)
    }

    /// Bet indexes of the next spins; all blocks of a chunk but the last have a length that is a multiple of 8.
    /// Each number of the stream serves two spins, its low half first.
    #[inline]
    pub fn draw(&self, stream: &mut BlockStream, numbers: &mut Vec<u64>, bets: &mut [u16]) {
        if self.count == 1 {
            bets.fill(0);
            return;
        }
        numbers.resize(bets.len().div_ceil(8) * 4, 0);
        stream.fill(numbers);
        let total = self.mix.total() as u32;
        let refused = total.wrapping_neg() % total;
        for (bets, numbers) in bets.chunks_mut(2 * PART).zip(numbers.chunks(PART)) {
            // Values first and in one plain loop, which compilers make vectors of; a refused one is very rare.
            let mut values = [0u32; 2 * PART];
            let mut any_refused = false;
            for (pair, &number) in values.chunks_exact_mut(2).zip(numbers) {
                let (low, low_rest) = scale_32(number as u32, total);
                let (high, high_rest) = scale_32((number >> 32) as u32, total);
                any_refused |= (low_rest < refused) | (high_rest < refused);
                (pair[0], pair[1]) = (low, high);
            }
            if any_refused {
                for (index, value) in values.iter_mut().enumerate().take(bets.len()) {
                    let mut rest = scale_32((numbers[index / 2] >> (index % 2 * 32)) as u32, total).1;
                    while rest < refused {
                        (*value, rest) = scale_32(stream.spare().bits() as u32, total);
                    }
                }
            }
            match &self.direct {
                Some(direct) => bets.iter_mut().zip(values).for_each(|(bet, value)| *bet = direct[value as usize]),
                None => bets
                    .iter_mut()
                    .zip(values)
                    .for_each(|(bet, value)| *bet = self.mix.position(u64::from(value)) as u16),
            }
        }
    }
}

impl<'a> Compiled<'a> {
    /// Builds the tables, in parallel where they are large. `chunk_spins` bounds the gaps between odds hits.
    pub fn new(game: &'a Game, jackpots: &'a Jackpots, chunk_spins: u32) -> Self {
        let reels = reels(game);
        let bits = 64 - u64::from(chunk_spins).leading_zeros();
        let odds = jackpots
            .levels
            .iter()
            .enumerate()
            .filter_map(|(level, rules)| match &rules.trigger {
                Trigger::Odds { hits, of } => {
                    let hits_max = hits.iter().copied().max().filter(|&hits| hits > 0)?;
                    Some(OddsTable { level, gaps: Gaps::new(hits_max, *of, bits), hits_max })
                }
                _ => None,
            })
            .collect();
        Self {
            game,
            jackpots,
            bets: BetTable::new(&game.bets),
            base: match &game.play {
                Play::Reels(reels) => Base::Reels(Diagram::new(reels, Mode::Paid)),
                Play::Outcomes(outcomes) => Base::Outcomes {
                    rows: Weighted::new(&outcomes.rows.iter().map(|row| row.weight).collect::<Vec<_>>()),
                    values: outcomes
                        .rows
                        .iter()
                        .map(|row| if row.jackpots.is_empty() { row.pay.min(EVENT) } else { EVENT })
                        .collect(),
                },
            },
            free: reels.map_or(Vec::new(), |reels| {
                (0..reels.free_spins.len()).map(|feature| Diagram::new(reels, Mode::Free(feature))).collect()
            }),
            prizes: reels.map_or(Vec::new(), |reels| {
                let weights = |rows: &[(_, u64)]| rows.iter().map(|&(_, weight)| weight).collect::<Vec<_>>();
                reels.prize_tables.iter().map(|table| Weighted::new(&weights(&table.rows))).collect()
            }),
            odds,
            keeps_bets: super::commit::needs_positions(jackpots),
        }
    }

    /// The game's reels, if it has any.
    pub fn reels(&self) -> Option<&'a Reels> {
        reels(self.game)
    }

    /// Number of features: free spins, then bonuses.
    pub fn feature_count(&self) -> usize {
        self.reels().map_or(0, |reels| reels.free_spins.len() + reels.bonuses.len())
    }
}

fn reels(game: &Game) -> Option<&Reels> {
    match &game.play {
        Play::Reels(reels) => Some(reels),
        Play::Outcomes(_) => None,
    }
}
