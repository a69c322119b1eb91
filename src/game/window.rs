//! The value of one window of symbols, line by line: slow, general, and the meaning that the compiled form keeps.

use super::columns::{Columns, scatter_cells};
use super::rules::{
    Combination, Counted, Direction, LinePay, Reels, Spared, Stacking, SymbolId, WildsAnywhere, by_count,
};
use super::ways::{Factor, WayWin};
use std::sync::Arc;

/// A place on a line beyond those that are known; no strip shows it.
pub const UNKNOWN: SymbolId = SymbolId::MAX;

/// In which spins a window is valued: paid spins, or the free spins of one feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Paid,
    /// Position in [`Reels::free_spins`].
    Free(usize),
}

/// What a paid or free spin's window pays and starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Lines or ways, and scatters, in return units, the mode's multiplier included.
    pub pay: u64,
    /// Starts of each bonus, in the order of [`Reels::bonuses`].
    pub bonus_starts: Vec<u64>,
    /// Free spins awarded by each feature (retriggered, in a free spin of that feature).
    pub free_spins: Vec<u64>,
    /// Whether each entry of [`Reels::jackpots`] is shown.
    pub jackpots: Vec<bool>,
}

/// The combination that a payline pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineWin {
    /// Position in [`Reels::line_pays`].
    pub combination: usize,
    /// Symbols that count.
    pub count: usize,
    /// Return units, the mode's factor included.
    pub pay: u64,
}

/// What one payline pays, and whether it starts anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LineValue {
    pub pay: u64,
    pub starts: bool,
}

/// Values windows of a game in one mode.
#[derive(Debug, Clone)]
pub struct Evaluator<'a> {
    reels: &'a Reels,
    mode: Mode,
    columns: Arc<Columns>,
    /// Whether a symbol has a line pay of its own, by symbol.
    own_pay: Vec<bool>,
    /// For each line pay and symbol: counts as a member, stands in as a wild, or neither.
    roles: Vec<Vec<Role>>,
}

/// What a symbol is to a line pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// One of the pay's own symbols.
    Member,
    /// A wild that stands in.
    Wild,
    Neither,
}

impl<'a> Evaluator<'a> {
    /// For a game's reels in a mode.
    pub fn new(reels: &'a Reels, mode: Mode) -> Self {
        let own_pay = (0..reels.symbols.len())
            .map(|symbol| {
                reels.line_pays.iter().any(|pay| pay.counted == Counted::Run && pay.of == [symbol as SymbolId])
            })
            .collect();
        let roles = reels
            .line_pays
            .iter()
            .map(|pay| (0..reels.symbols.len()).map(|symbol| role(reels, &pay.of, symbol as SymbolId)).collect())
            .collect();
        let columns = Arc::new(Columns::new(reels, mode, strip_set(reels, mode)));
        Self { reels, mode, columns, own_pay, roles }
    }

    /// Strip set that this mode's spins show.
    pub fn strip_set(&self) -> usize {
        strip_set(self.reels, self.mode)
    }

    /// What each stop shows.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The pays of lines or ways.
    pub fn line_pays(&self) -> &'a [LinePay] {
        &self.reels.line_pays
    }

    /// From which end runs are read.
    pub fn direction(&self) -> Direction {
        self.reels.direction
    }

    /// What a symbol is to a pay.
    #[inline]
    pub fn role(&self, pay: usize, symbol: SymbolId) -> Role {
        self.roles[pay][usize::from(symbol)]
    }

    /// Whether a symbol has a pay of its own that is counted in a run.
    pub fn has_own_pay(&self, symbol: SymbolId) -> bool {
        self.own_pay[usize::from(symbol)]
    }

    /// A symbol's multiplier; 1 for none.
    pub fn multiplier(&self, symbol: SymbolId) -> u64 {
        self.reels.symbols[usize::from(symbol)].wild.as_ref().map_or(1, |wild| wild.multiplier)
    }

    /// What a symbol's multiplier does to a way of a pay.
    pub fn way_factor(&self, pay: usize, symbol: SymbolId) -> Factor {
        let Some(wild) = &self.reels.symbols[usize::from(symbol)].wild else { return Factor::Each(1) };
        match self.multiplies(&self.reels.line_pays[pay], symbol, true) {
            true if wild.stacking == Stacking::Once && wild.multiplier > 1 => Factor::Once,
            true => Factor::Each(wild.multiplier),
            false => Factor::Each(1),
        }
    }

    /// Factor of this mode on an award.
    pub fn factor(&self, award: Spared) -> u64 {
        match self.mode {
            Mode::Paid => 1,
            Mode::Free(feature) => {
                let feature = &self.reels.free_spins[feature];
                if feature.spared.contains(&award) { 1 } else { feature.multiplier }
            }
        }
    }

    /// What a line pays, the mode's factor included. Places may be [`UNKNOWN`].
    pub fn line_pay(&self, line: &[SymbolId]) -> u64 {
        self.line_wins(line).into_iter().flatten().map(|win| win.pay).sum()
    }

    /// What a line pays: its best win from the first reel, and from the last one. One alone where only one end is read, or
    /// where one covers the whole line. Places may be [`UNKNOWN`].
    pub fn line_wins(&self, line: &[SymbolId]) -> [Option<LineWin>; 2] {
        if self.is_replaced(line) {
            return [None, None];
        }
        let backwards = || {
            let reversed: Vec<SymbolId> = line.iter().rev().copied().collect();
            self.best(&reversed)
        };
        match self.reels.direction {
            Direction::Left => [self.best(line).map(|best| best.win), None],
            Direction::Right => [None, backwards().map(|best| best.win)],
            Direction::Both => {
                let (left, right) = (self.best(line), backwards());
                let covering = [&left, &right].into_iter().flatten().any(|best| best.covers);
                let value = |best: &Option<Best>| best.as_ref().map_or(0, |best| best.value);
                match covering {
                    false => [left.map(|best| best.win), right.map(|best| best.win)],
                    true if value(&right) > value(&left) => [None, right.map(|best| best.win)],
                    true => [left.map(|best| best.win), None],
                }
            }
        }
    }

    /// Whether a line pays a jackpot in place of its win.
    fn is_replaced(&self, line: &[SymbolId]) -> bool {
        self.replaced().iter().any(|combination| match combination {
            Combination::Line { of, count, wilds } => self.line_shows(of, *count, *wilds, line),
            Combination::Scatter { .. } => false,
        })
    }

    fn replaced(&self) -> &[Combination] {
        if self.mode == Mode::Paid { &self.reels.replaced } else { &[] }
    }

    /// The best combination of a line as read from its beginning: the greatest before the mode's factor, of equal ones the
    /// earlier pay, then the shorter run.
    fn best(&self, line: &[SymbolId]) -> Option<Best> {
        let mut best: Option<Best> = None;
        for (position, pay) in self.reels.line_pays.iter().enumerate() {
            let is_run = pay.counted == Counted::Run;
            let mut consider = |count: usize, value: u64| {
                if best.as_ref().is_none_or(|best| value > best.value) {
                    let factor = self.factor(Spared::Line { pay: position, count });
                    let win = LineWin { combination: position, count, pay: value * factor };
                    best = Some(Best { value, covers: !is_run || count == line.len(), win });
                }
            };
            match pay.counted {
                Counted::Run => self.runs(pay, &self.roles[position], line, &mut consider),
                Counted::Anywhere(wilds) => self.scattered(pay, &self.roles[position], wilds, line, &mut consider),
            }
        }
        best
    }

    /// What each pay wins by ways: from the first reel, and from the last one; once where it covers all reels.
    pub fn way_wins(&self, pay: usize, shown: &[&[SymbolId]]) -> [WayWin; 2] {
        let left = || WayWin::of(self, pay, shown.iter().copied());
        let right = || WayWin::of(self, pay, shown.iter().rev().copied());
        match self.reels.direction {
            Direction::Left => [left(), WayWin::default()],
            Direction::Right => [WayWin::default(), right()],
            Direction::Both => match left() {
                left if left.count == shown.len() => [left, WayWin::default()],
                left => [left, right()],
            },
        }
    }

    /// Pay of a win by ways, the mode's factor included.
    pub fn way_pay(&self, pay: usize, win: WayWin) -> u64 {
        match win.count {
            0 => 0,
            count => {
                let factor = self.factor(Spared::Line { pay, count });
                win.ways * self.reels.line_pays[pay].pays[count - 1] * factor
            }
        }
    }

    /// Whether a longer known line could pay or start something else than this one with its unknown places.
    pub fn is_open(&self, line: &[SymbolId]) -> bool {
        let known = line.iter().take_while(|&&symbol| symbol != UNKNOWN).count();
        if self.reels.direction != Direction::Left {
            return known < line.len()
                && !(self.reels.line_pays.is_empty() && self.line_combinations().next().is_none());
        }
        let pays_open = self.reels.line_pays.iter().zip(&self.roles).any(|(pay, roles)| match pay.counted {
            Counted::Anywhere(_) => true,
            Counted::Run => {
                line[..known].iter().all(|&symbol| roles[usize::from(symbol)] != Role::Neither)
                    && pay.pays[known..].iter().any(|&pay| pay > 0)
            }
        });
        pays_open
            || self.line_combinations().any(|(of, count, wilds)| {
                known < count && line[..known].iter().all(|&symbol| self.shows(of, wilds, symbol))
            })
    }

    /// Whether a line shows a combination from an end that is read.
    pub fn line_shows(&self, of: &[SymbolId], count: usize, wilds: bool, line: &[SymbolId]) -> bool {
        let all = |part: &[SymbolId]| part.iter().all(|&symbol| symbol != UNKNOWN && self.shows(of, wilds, symbol));
        let (left, right) = (&line[..count], &line[line.len() - count..]);
        match self.reels.direction {
            Direction::Left => all(left),
            Direction::Right => all(right),
            Direction::Both => all(left) || all(right),
        }
    }

    /// Whether a line starts a bonus or shows a jackpot combination.
    pub fn line_starts(&self, line: &[SymbolId]) -> bool {
        self.line_combinations().any(|(of, count, wilds)| self.line_shows(of, count, wilds, line))
    }

    /// Pay for `count` cells of a scatter symbol, the mode's factor included.
    pub fn scatter_pay(&self, symbol: SymbolId, count: usize) -> u64 {
        let is_replaced = self.replaced().iter().any(|combination| {
            matches!(combination, Combination::Scatter { symbol: of, count: least } if *of == symbol && count >= *least)
        });
        if is_replaced {
            return 0;
        }
        let pays = self.reels.scatter_pays.iter().enumerate().filter(|(_, pay)| pay.symbol == symbol);
        pays.map(|(position, pay)| by_count(&pay.pays, count) * self.factor(Spared::Scatter { pay: position })).sum()
    }

    /// Whether `count` cells of a scatter symbol start a feature or show a jackpot combination.
    pub fn scatter_starts(&self, symbol: SymbolId, count: usize) -> bool {
        let free_spins = (0..self.reels.free_spins.len()).any(|feature| {
            self.reels.free_spins[feature].scatter == Some(symbol) && self.free_spins(feature, count) > 0
        });
        free_spins
            || self.combinations().any(|combination| match combination {
                Combination::Scatter { symbol: wanted, count: least } => *wanted == symbol && count >= *least,
                Combination::Line { .. } => false,
            })
    }

    /// Symbols that count anywhere in the window.
    pub fn scatter_symbols(&self) -> Vec<SymbolId> {
        let pays = self.reels.scatter_pays.iter().map(|pay| pay.symbol);
        let features = self.reels.free_spins.iter().filter_map(|feature| feature.scatter);
        let combinations = self.combinations().filter_map(|combination| match combination {
            Combination::Scatter { symbol, .. } => Some(*symbol),
            Combination::Line { .. } => None,
        });
        let mut symbols: Vec<_> = pays.chain(features).chain(combinations).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// Values the window that shows these stops (one per reel, as positions in the strip).
    pub fn outcome(&self, stops: &[usize]) -> Outcome {
        let columns: Vec<(&[SymbolId], &[SymbolId])> = stops
            .iter()
            .enumerate()
            .map(|(reel, &stop)| (self.columns.shown(reel, stop), self.columns.drawn(reel, stop)))
            .collect();
        self.outcome_of(&columns)
    }

    /// Values a window: for each reel what lines and ways see, and what scatters are counted in.
    pub fn outcome_of(&self, columns: &[(&[SymbolId], &[SymbolId])]) -> Outcome {
        let reels = self.reels;
        let lines: Vec<Vec<SymbolId>> = reels
            .lines
            .iter()
            .map(|rows| rows.iter().zip(columns).map(|(&row, (shown, _))| shown[row]).collect())
            .collect();
        let count = |symbol: SymbolId| columns.iter().map(|(_, drawn)| scatter_cells(reels, drawn, symbol)).sum();
        let starts = |combination: &Combination| match combination {
            Combination::Line { of, count, wilds } => {
                lines.iter().filter(|line| self.line_shows(of, *count, *wilds, line)).count() as u64
            }
            Combination::Scatter { symbol, count: least } => u64::from(count(*symbol) >= *least),
        };
        let mut pay = lines.iter().map(|line| self.line_pay(line)).sum();
        if reels.by_ways {
            let shown: Vec<&[SymbolId]> = columns.iter().map(|&(shown, _)| shown).collect();
            for position in 0..reels.line_pays.len() {
                pay += self.way_wins(position, &shown).map(|win| self.way_pay(position, win)).iter().sum::<u64>();
            }
        }
        let mut paid: Vec<SymbolId> = Vec::new();
        for scatter in &reels.scatter_pays {
            if !paid.contains(&scatter.symbol) {
                paid.push(scatter.symbol);
                pay += self.scatter_pay(scatter.symbol, count(scatter.symbol));
            }
        }
        Outcome {
            pay,
            bonus_starts: reels.bonuses.iter().map(|bonus| starts(&bonus.trigger)).collect(),
            free_spins: (0..reels.free_spins.len())
                .map(|feature| {
                    let scatter = reels.free_spins[feature].scatter;
                    scatter.map_or(0, |symbol| self.free_spins(feature, count(symbol)))
                })
                .collect(),
            jackpots: reels.jackpots.iter().map(|(_, combination)| starts(combination) > 0).collect(),
        }
    }

    /// Free spins that a feature awards for `count` scatters, in this mode.
    pub fn free_spins(&self, feature: usize, count: usize) -> u64 {
        let rules = &self.reels.free_spins[feature];
        match self.mode {
            Mode::Paid => by_count(&rules.awards, count),
            Mode::Free(played) if played == feature => by_count(&rules.retriggers, count),
            Mode::Free(_) => 0,
        }
    }

    /// Combinations that matter in this mode: jackpots are for paid spins alone.
    fn combinations(&self) -> impl Iterator<Item = &Combination> {
        let jackpots = if self.mode == Mode::Paid { self.reels.jackpots.as_slice() } else { &[] };
        self.reels.bonuses.iter().map(|bonus| &bonus.trigger).chain(jackpots.iter().map(|(_, combination)| combination))
    }

    /// Combinations on a line that start something, as (symbols, count, wilds stand in): bonuses, then jackpots.
    pub fn line_combinations(&self) -> impl Iterator<Item = (&[SymbolId], usize, bool)> {
        self.combinations().filter_map(|combination| match combination {
            Combination::Line { of, count, wilds } => Some((of.as_slice(), *count, *wilds)),
            Combination::Scatter { .. } => None,
        })
    }

    fn shows(&self, of: &[SymbolId], wilds: bool, symbol: SymbolId) -> bool {
        match role(self.reels, of, symbol) {
            Role::Member => true,
            Role::Wild => wilds,
            Role::Neither => false,
        }
    }

    /// Each prefix of the run from the line's beginning, with its value.
    fn runs(&self, pay: &LinePay, roles: &[Role], line: &[SymbolId], consider: &mut dyn FnMut(usize, u64)) {
        let mut real = false;
        let mut own_paying_wild = false;
        for (index, &symbol) in line.iter().enumerate() {
            if symbol == UNKNOWN {
                return;
            }
            match roles[usize::from(symbol)] {
                Role::Neither => return,
                Role::Member => real = true,
                Role::Wild => own_paying_wild |= self.own_pay[usize::from(symbol)],
            }
            // A run of wilds alone pays as another symbol only where the wilds have no pay of their own.
            if pay.pays[index] > 0 && (real || !own_paying_wild) {
                consider(index + 1, pay.pays[index] * self.wild_factor(pay, &line[..=index], true));
            }
        }
    }

    fn scattered(
        &self,
        pay: &LinePay,
        roles: &[Role],
        wilds: WildsAnywhere,
        line: &[SymbolId],
        consider: &mut dyn FnMut(usize, u64),
    ) {
        let count = |wanted: Role| {
            line.iter().filter(|&&symbol| symbol != UNKNOWN && roles[usize::from(symbol)] == wanted).count()
        };
        let (real, standing_in) = (count(Role::Member), count(Role::Wild));
        let total = match wilds {
            WildsAnywhere::Multiply => real,
            WildsAnywhere::Count => real + standing_in,
            WildsAnywhere::CountWithReal if real > 0 => real + standing_in,
            WildsAnywhere::CountWithReal => 0,
        };
        if total > 0 && pay.pays[total - 1] > 0 {
            consider(total, pay.pays[total - 1] * self.wild_factor(pay, line, false));
        }
    }

    /// Factor of the wilds among these symbols that take part in the pay.
    fn wild_factor(&self, pay: &LinePay, symbols: &[SymbolId], members_multiply: bool) -> u64 {
        let mut factor = 1;
        for (position, &symbol) in symbols.iter().enumerate() {
            if symbol == UNKNOWN {
                continue;
            }
            let Some(wild) = &self.reels.symbols[usize::from(symbol)].wild else { continue };
            let multiplies = self.multiplies(pay, symbol, members_multiply);
            let counted_before = wild.stacking == Stacking::Once && symbols[..position].contains(&symbol);
            if multiplies && !counted_before {
                factor *= wild.multiplier;
            }
        }
        factor
    }

    /// Whether a wild's multiplier applies in a pay.
    fn multiplies(&self, pay: &LinePay, symbol: SymbolId, members_multiply: bool) -> bool {
        let wild = self.reels.symbols[usize::from(symbol)].wild.as_ref();
        match role(self.reels, &pay.of, symbol) {
            Role::Wild => true,
            Role::Member => members_multiply && (pay.of.len() > 1 || wild.is_some_and(|wild| wild.own_pay_multiplied)),
            Role::Neither => false,
        }
    }
}

/// The best win of a line, as read from one end.
struct Best {
    /// Return units before the mode's factor.
    value: u64,
    /// Whether it takes the whole line.
    covers: bool,
    win: LineWin,
}

fn strip_set(reels: &Reels, mode: Mode) -> usize {
    match mode {
        Mode::Paid => 0,
        Mode::Free(feature) => reels.free_spins[feature].strip_set,
    }
}

fn role(reels: &Reels, of: &[SymbolId], symbol: SymbolId) -> Role {
    if of.contains(&symbol) {
        return Role::Member;
    }
    match reels.symbols.get(usize::from(symbol)).and_then(|symbol| symbol.wild.as_ref()) {
        Some(wild) if of.iter().any(|member| !wild.not_for.contains(member)) => Role::Wild,
        _ => Role::Neither,
    }
}
