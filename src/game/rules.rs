//! The rules of a game, checked and in whole numbers. `config` builds them; nothing here can be inconsistent with a
//! game file that passed its check.

/// Position of a symbol in [`Reels::symbols`].
pub type SymbolId = u8;

/// A game: who bets what, and what a spin can pay before any jackpot.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// Name as written in the game file.
    pub name: String,
    pub bets: Bets,
    /// Return units in one total bet: every pay is a multiple of `bet / return_scale`.
    pub return_scale: u64,
    pub play: Play,
    /// What is played at some bets in place of [`Game::play`]: other pays, with the same features and levels in the same
    /// order.
    pub variants: Vec<Variant>,
}

/// A play of some bets.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Bet indexes; none stands in two variants.
    pub bets: Vec<usize>,
    pub play: Play,
}

/// The bets a player may choose, by bet index.
#[derive(Debug, Clone, PartialEq)]
pub struct Bets {
    /// Total bet in pool units; each is a multiple of [`Game::return_scale`].
    pub amounts: Vec<u64>,
    /// Relative weight with which a spin is made at each bet; at least one is positive, their sum at most 2^24.
    pub mix: Vec<u64>,
    /// Lines played, for reports. 1 for an outcome table unless the file says otherwise.
    pub lines: u32,
}

/// How a spin's pay comes about.
#[derive(Debug, Clone, PartialEq)]
pub enum Play {
    Reels(Box<Reels>),
    Outcomes(Outcomes),
}

/// A game that is known only as a table of outcomes.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes {
    pub rows: Vec<OutcomeRow>,
}

/// One outcome: drawn with probability `weight` / sum of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeRow {
    /// Pay in return units.
    pub pay: u64,
    pub weight: u64,
    /// Jackpot levels (positions in the game's list of levels) that this outcome triggers.
    pub jackpots: Vec<usize>,
}

/// A game of reels.
#[derive(Debug, Clone, PartialEq)]
pub struct Reels {
    pub symbols: Vec<Symbol>,
    /// Strip sets: set 0 is the base game's, others belong to features.
    pub strip_sets: Vec<Vec<Strip>>,
    /// Rows of the window, the same for every reel.
    pub rows: usize,
    /// Each payline as a row (0 = top) per reel. May be empty, and is where line pays are counted by ways.
    pub lines: Vec<Vec<usize>>,
    pub line_pays: Vec<LinePay>,
    /// Whether `line_pays` are paid for each way through the window instead of on lines: one cell of each reel of a run.
    pub by_ways: bool,
    pub direction: Direction,
    pub scatter_pays: Vec<ScatterPay>,
    /// Weighted tables that bonuses draw from; a table refers only to tables, never in a cycle.
    pub prize_tables: Vec<PrizeTable>,
    pub bonuses: Vec<Bonus>,
    pub free_spins: Vec<FreeSpins>,
    /// Jackpot levels that the reels trigger, as (position in the game's list of levels, what triggers it).
    pub jackpots: Vec<(usize, Combination)>,
    /// Combinations that pay their jackpot alone: in a paid spin a line that shows one pays nothing else, and a scatter that
    /// counts so often doesn't pay.
    pub replaced: Vec<Combination>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    pub name: String,
    pub wild: Option<Wild>,
    /// As a scatter it counts once for each reel that shows it, not for each cell.
    pub once_a_reel: bool,
}

/// A symbol that stands for others.
#[derive(Debug, Clone, PartialEq)]
pub struct Wild {
    /// Symbols it does not stand for (itself excluded).
    pub not_for: Vec<SymbolId>,
    /// Factor on a line win that it takes part in; 1 for none.
    pub multiplier: u64,
    /// What several wilds in one win do.
    pub stacking: Stacking,
    /// Whether a win of this wild alone, by its own pay, is multiplied too.
    pub own_pay_multiplied: bool,
    pub expands: Expands,
}

/// In which spins a wild that shows fills its reel. Scatters are counted before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Expands {
    #[default]
    Never,
    Always,
    PaidSpins,
    FreeSpins,
}

/// From which end of the reels runs are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    #[default]
    Left,
    Right,
    /// From both: a line pays its best win from each end, but only the better of the two where one covers the whole
    /// line. By ways each pay counts from both ends, and once where its run covers all reels.
    Both,
}

/// What several multiplying wilds in one win do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stacking {
    /// Two of x2 make x4.
    Product,
    /// Any number of x2 makes x2.
    Once,
}

/// One reel: its stops in order, top to bottom, around the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    pub stops: Vec<SymbolId>,
    /// Weight of each stop being the *top* row of the window; all 1 for a physical reel.
    pub weights: Vec<u64>,
}

/// A combination on a payline and what it pays.
#[derive(Debug, Clone, PartialEq)]
pub struct LinePay {
    /// The symbol's or combination's name, as in the file.
    pub name: String,
    /// Symbols that count; more than one for a mixed combination ("any bar").
    pub of: Vec<SymbolId>,
    pub counted: Counted,
    /// Pay in return units for 1, 2, ... of them; 0 pays nothing. As long as there are reels.
    pub pays: Vec<u64>,
}

/// How a combination is counted on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// The unbroken run from the end that [`Reels::direction`] names, wilds standing in.
    Run,
    /// Anywhere on the line; what wilds do there is said by [`WildsAnywhere`].
    Anywhere(WildsAnywhere),
}

/// What a wild does for a combination counted anywhere on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WildsAnywhere {
    /// It doesn't count, but its multiplier applies.
    Multiply,
    /// It counts as one of them, and its multiplier applies.
    Count,
    /// It counts, and multiplies, if at least one real symbol shows.
    CountWithReal,
}

/// Pay for a symbol anywhere in the window, counted per cell.
#[derive(Debug, Clone, PartialEq)]
pub struct ScatterPay {
    pub symbol: SymbolId,
    /// Pay in return units for 1, 2, ... cells; a higher count than the list has pays as its last.
    pub pays: Vec<u64>,
}

/// Something seen on the reels that starts a bonus or a jackpot.
#[derive(Debug, Clone, PartialEq)]
pub enum Combination {
    /// An unbroken run of at least `count` of these symbols on a payline, from the end that [`Reels::direction`] names
    /// (for both: from either). Wilds stand in only if `wilds` says so.
    Line { of: Vec<SymbolId>, count: usize, wilds: bool },
    /// At least `count` cells of the window show it.
    Scatter { symbol: SymbolId, count: usize },
}

/// A prize drawn from tables. Started by each payline that shows a line combination, or once by a scatter.
#[derive(Debug, Clone, PartialEq)]
pub struct Bonus {
    pub name: String,
    pub trigger: Combination,
    /// Position in [`Reels::prize_tables`].
    pub table: usize,
}

/// A weighted table of prizes, of numbers of draws from another table, or of the segments of a wheel.
#[derive(Debug, Clone, PartialEq)]
pub struct PrizeTable {
    pub name: String,
    /// (prize, weight) in order of the file. At least one row of positive weight does not draw again.
    pub rows: Vec<(Prize, u64)>,
}

/// All that one draw from a table awards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prize {
    /// Pay in return units.
    pub pay: u64,
    /// Independent draws from another table.
    pub draws: Option<Draws>,
    /// Jackpot levels (positions in the game's list of levels) that it triggers on the paid spin, each at most once a
    /// spin, in order.
    pub jackpots: Vec<usize>,
    /// Free spins that it awards; nothing in a free spin.
    pub free_spins: Option<SpinsAward>,
    /// Whether the same table is drawn from once more after all this.
    pub again: bool,
}

/// Independent draws from a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draws {
    pub count: u64,
    /// Position in [`Reels::prize_tables`].
    pub table: usize,
}

/// Free spins of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpinsAward {
    /// Position in [`Reels::free_spins`].
    pub feature: usize,
    pub spins: u64,
}

/// Free spins, started by scatters in a paid spin or awarded by a wheel.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeSpins {
    pub name: String,
    /// What is counted; `None` where a wheel alone awards them.
    pub scatter: Option<SymbolId>,
    /// Spins awarded for 1, 2, ... scatters; a higher count than the list has awards as its last.
    pub awards: Vec<u64>,
    /// The same for scatters seen in a free spin; all 0 where there is no retrigger.
    pub retriggers: Vec<u64>,
    /// Most spins that one trigger can lead to, retriggers included.
    pub spins_max: Option<u64>,
    /// Factor on everything that a free spin pays, but for `spared`.
    pub multiplier: u64,
    pub spared: Vec<Spared>,
    /// Position in [`Reels::strip_sets`].
    pub strip_set: usize,
    /// Symbols that stay where they show until the feature ends, over whatever is drawn there. No retriggers then.
    pub sticky: Vec<SymbolId>,
}

/// An award that the multiplier of free spins leaves as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spared {
    /// `count` of [`Reels::line_pays`] at this position.
    Line { pay: usize, count: usize },
    /// Wins of [`Reels::scatter_pays`] at this position.
    Scatter { pay: usize },
    /// Prizes of [`Reels::bonuses`] at this position.
    Bonus { bonus: usize },
}

impl Game {
    /// Every play: that of most bets, then the variants.
    pub fn plays(&self) -> impl Iterator<Item = &Play> + Clone {
        std::iter::once(&self.play).chain(self.variants.iter().map(|variant| &variant.play))
    }

    /// Whether spins pay the same before jackpots as in another game: what is known of one holds for the other.
    pub fn plays_like(&self, other: &Self) -> bool {
        let proportional = || {
            let pairs = || self.bets.amounts.iter().zip(&other.bets.amounts);
            let cross = |(&a, &b): (&u64, &u64), (&c, &d): (&u64, &u64)| {
                u128::from(a) * u128::from(d) == u128::from(c) * u128::from(b)
            };
            self.bets.mix == other.bets.mix && pairs().zip(pairs().skip(1)).all(|(one, next)| cross(one, next))
        };
        self.return_scale == other.return_scale
            && self.play == other.play
            && self.variants == other.variants
            && (self.variants.is_empty() || proportional())
    }

    /// Position in [`Game::plays`] of what is played at a bet.
    pub fn play_of(&self, bet_index: usize) -> usize {
        self.variants.iter().position(|variant| variant.bets.contains(&bet_index)).map_or(0, |position| position + 1)
    }
}

impl Play {
    /// The reels, unless it is a table of outcomes.
    pub fn reels(&self) -> Option<&Reels> {
        match self {
            Self::Reels(reels) => Some(reels),
            Self::Outcomes(_) => None,
        }
    }
}

impl Prize {
    /// A pay in return units alone.
    pub fn pay(pay: u64) -> Self {
        Self { pay, ..Self::default() }
    }

    /// So many draws from another table alone.
    pub fn draws(count: u64, table: usize) -> Self {
        Self { draws: Some(Draws { count, table }), ..Self::default() }
    }
}

impl Bets {
    /// Number of bets.
    pub fn count(&self) -> usize {
        self.amounts.len()
    }

    /// Sum of the mix weights.
    pub fn mix_total(&self) -> u64 {
        self.mix.iter().sum()
    }
}

impl Strip {
    /// Sum of the weights: the number of (virtual) stops.
    pub fn stop_count(&self) -> u64 {
        self.weights.iter().sum()
    }
}

/// Entry `count - 1` of a table by count, the last one for higher counts, 0 for count 0 or an empty table.
pub fn by_count(table: &[u64], count: usize) -> u64 {
    match (count, table.last()) {
        (0, _) | (_, None) => 0,
        (_, Some(last)) => table.get(count - 1).copied().unwrap_or(*last),
    }
}
