//! What a jackpot level does with money: contribution, seed, cap, reserve, trigger, order. All amounts are whole pool
//! units. `config` builds these rules, checked.

/// Every jackpot level of a game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Jackpots {
    /// In the order of the file; a level's position is its index everywhere.
    pub levels: Vec<Level>,
    /// Levels of which at most one is won on a spin, the first of this list winning. Empty: all are independent.
    /// Levels that are not in the list are independent of it.
    pub exclusive: Vec<usize>,
}

/// One jackpot level.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Free-form name: mini, grand.
    pub name: String,
    /// One pool for all bets (`true`) or one per bet index.
    pub linked: bool,
    /// Whether a spin at a bet index contributes and can win.
    pub eligible: Vec<bool>,
    /// Pool units that a spin adds to the meter, by bet index; 0 where not eligible.
    pub contributions: Vec<u64>,
    /// Pool units that a spin adds to the reserve, by bet index; all 0 without a reserve.
    pub hidden: Vec<u64>,
    /// What a pool starts from after a hit, by pool: per bet index, or one entry if linked.
    pub seeds: Vec<u64>,
    /// Most that a hit pays, by pool. For `must_hit_by` it is the bound itself where the game says that a hit pays at
    /// most the cap; `None` pays the meter, overshoot included.
    pub caps: Option<Vec<u64>>,
    pub overflow: Overflow,
    pub reserve: Option<Surplus>,
    pub trigger: Trigger,
}

/// Where growth above the cap goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    House,
    /// The next reset is seed + all overflow held, even above the cap; the house still pays the seed.
    NextSeed,
    /// A hit sends it to the pool of another level that its bet feeds; it arrives once every level's hit of that spin
    /// is paid. No level sends to itself, not even by way of others, and the other is for every bet that this is for.
    Level(usize),
}

/// What happens to a reserve's surplus over the seed at a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surplus {
    /// It stays in the reserve.
    Kept,
    /// It goes to the house, booked as a transfer out.
    Released,
}

/// What makes a level hit.
#[derive(Debug, Clone, PartialEq)]
pub enum Trigger {
    /// A spin at bet index b hits with probability `hits[b] / of`. `hits` is 0 where the bet is not eligible.
    Odds { hits: Vec<u64>, of: u64 },
    /// Hits at the first eligible spin at which meter >= threshold; the threshold lies in (seed, bound].
    MustHitBy {
        /// By pool, each above its seed.
        bounds: Vec<u64>,
        law: ThresholdLaw,
    },
    /// An outcome of the reels or of the outcome table, named in the game's rules.
    Symbols,
}

/// How the hidden threshold of a must-hit-by is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThresholdLaw {
    /// A whole number of pool units, uniform on (seed, bound].
    Uniform,
    /// Always the bound.
    AtCap,
    /// First a piece of the way from seed to bound, by weight, then a whole number of pool units, uniform in it.
    Weighted {
        /// By piece; their sum is at least 1 and below 2^63. A piece with a weight is not empty.
        weights: Vec<u64>,
        /// By pool, the last threshold of each piece: never falling, the last is the bound. A piece starts above the
        /// end of the one before, the first above the seed.
        ends: Vec<Vec<u64>>,
    },
}

impl Level {
    /// Number of pools: one if linked, else one per bet index.
    pub fn pool_count(&self) -> usize {
        self.seeds.len()
    }

    /// The pool, within this level, that a bet index feeds.
    pub fn pool_of(&self, bet_index: usize) -> usize {
        if self.linked { 0 } else { bet_index }
    }

    /// Amount that a hit pays of a meter that may stand above the cap, in pool units.
    pub fn award(&self, pool: usize, meter: u64) -> u64 {
        self.caps.as_ref().map_or(meter, |caps| meter.min(caps[pool]))
    }
}

impl Jackpots {
    /// Position of a level's first pool in the list of all pools: level by level, bet by bet.
    pub fn pool_offsets(&self) -> Vec<usize> {
        self.levels
            .iter()
            .scan(0, |next, level| {
                let offset = *next;
                *next += level.pool_count();
                Some(offset)
            })
            .collect()
    }

    /// Names of all pools in production's layout: `TBI:{bet_index}_JL:{level}`, bet index 0 for a linked level.
    pub fn fields(&self) -> Vec<String> {
        let levels = self.levels.iter();
        levels
            .flat_map(|level| (0..level.pool_count()).map(|bet_index| format!("TBI:{bet_index}_JL:{}", level.name)))
            .collect()
    }

    /// Number of pools of all levels.
    pub fn pool_count(&self) -> usize {
        self.levels.iter().map(Level::pool_count).sum()
    }
}
