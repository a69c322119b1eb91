//! What one window shows and pays, read straight from the rules: every line, every pay, every prefix.

use super::Defect;
use jackpot::game::{
    Combination, Counted, Direction, Expands, LinePay, Reels, Spared, Stacking, Strip, SymbolId, Wild, WildsAnywhere,
    by_count,
};

/// The visible symbols.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// By row, then by reel, as drawn: scatters are counted here.
    pub rows: Vec<Vec<SymbolId>>,
    /// The same after wilds have expanded.
    pub shown: Vec<Vec<SymbolId>>,
}

/// What multiplies the pays of a window: 1 and nothing spared for a paid spin.
#[derive(Debug, Clone, Copy)]
pub struct Factor<'a> {
    pub multiplier: u64,
    pub spared: &'a [Spared],
    /// Whether the spin is a paid one: jackpots stand in for wins there alone.
    pub is_paid: bool,
}

impl Factor<'_> {
    /// The factor of a paid spin.
    pub const ONE: Factor<'static> = Factor { multiplier: 1, spared: &[], is_paid: true };

    /// An award in return units, multiplied unless it is spared.
    pub fn apply(&self, award: Spared, value: u64) -> u64 {
        if self.spared.contains(&award) { value } else { value * self.multiplier }
    }
}

impl Window {
    /// The window with these stops in its top row.
    pub fn at(strips: &[Strip], rows: usize, stops: &[usize]) -> Self {
        let cell = |row: usize, reel: usize| {
            let strip = &strips[reel].stops;
            strip[(stops[reel] + row) % strip.len()]
        };
        Self::of((0..rows).map(|row| (0..strips.len()).map(|reel| cell(row, reel)).collect()).collect())
    }

    /// The window of these rows.
    pub fn of(rows: Vec<Vec<SymbolId>>) -> Self {
        Self { shown: rows.clone(), rows }
    }

    /// The same with its wilds expanded, as in a paid or a free spin.
    pub fn expanded(mut self, reels: &Reels, is_free: bool, defect: Option<Defect>) -> Self {
        if defect == Some(Defect::WildNotExpanded) {
            return self;
        }
        for reel in 0..self.rows[0].len() {
            let column: Vec<SymbolId> = self.rows.iter().map(|row| row[reel]).collect();
            let expands = |&&symbol: &&SymbolId| match wild(reels, symbol).map(|wild| wild.expands) {
                Some(Expands::Always) => true,
                Some(Expands::PaidSpins) => !is_free,
                Some(Expands::FreeSpins) => is_free,
                Some(Expands::Never) | None => false,
            };
            if let Some(&wild) = column.iter().find(expands) {
                self.shown.iter_mut().for_each(|row| row[reel] = wild);
            }
        }
        self
    }

    /// Cells, or reels, that show a scatter.
    pub fn count(&self, reels: &Reels, symbol: SymbolId) -> usize {
        let on_reel = |reel: usize| self.rows.iter().filter(|row| row[reel] == symbol).count();
        let cells = (0..self.rows[0].len()).map(on_reel);
        match reels.symbols[usize::from(symbol)].once_a_reel {
            true => cells.filter(|&cells| cells > 0).count(),
            false => cells.sum(),
        }
    }

    fn line(&self, rows: &[usize]) -> Vec<SymbolId> {
        rows.iter().enumerate().map(|(reel, &row)| self.shown[row][reel]).collect()
    }

    fn lines(&self, reels: &Reels) -> Vec<Vec<SymbolId>> {
        reels.lines.iter().map(|rows| self.line(rows)).collect()
    }

    /// Everything that the lines and scatters pay, in return units.
    pub fn pay(&self, reels: &Reels, factor: &Factor, defect: Option<Defect>) -> u64 {
        let mut sum = 0;
        let replaced: &[Combination] =
            if factor.is_paid && defect != Some(Defect::ReplacedPaidToo) { &reels.replaced } else { &[] };
        for (position, line) in self.lines(reels).iter().enumerate() {
            if replaced.iter().any(|combination| line_shows(reels, line, combination)) {
                continue;
            }
            let pay = line_value(reels, line, factor, defect);
            let excess = defect == Some(Defect::FirstLineOffByOne) && position == 0 && pay > 0;
            sum += pay + u64::from(excess);
        }
        if reels.by_ways {
            let ways: u64 = (0..reels.line_pays.len()).map(|pay| self.ways(reels, pay, factor, defect)).sum();
            sum += ways + u64::from(defect == Some(Defect::FirstLineOffByOne) && ways > 0);
        }
        for (pay, scatter) in reels.scatter_pays.iter().enumerate() {
            let count = match defect {
                Some(Defect::ScatterPerCell) => {
                    self.rows.iter().flatten().filter(|&&symbol| symbol == scatter.symbol).count()
                }
                _ => self.count(reels, scatter.symbol),
            };
            let stands_in = |combination: &Combination| match combination {
                Combination::Scatter { symbol, .. } => *symbol == scatter.symbol && self.shows(reels, combination) > 0,
                Combination::Line { .. } => false,
            };
            if replaced.iter().any(stands_in) {
                continue;
            }
            let value = factor.apply(Spared::Scatter { pay }, by_count(&scatter.pays, count));
            sum += if defect == Some(Defect::ScatterTwice) { 2 * value } else { value };
        }
        sum
    }

    /// What one pay wins by ways, from the ends that are read.
    fn ways(&self, reels: &Reels, pay: usize, factor: &Factor, defect: Option<Defect>) -> u64 {
        let columns: Vec<Vec<SymbolId>> =
            (0..self.shown[0].len()).map(|reel| self.shown.iter().map(|row| row[reel]).collect()).collect();
        let reversed: Vec<Vec<SymbolId>> = columns.iter().rev().cloned().collect();
        let of = |columns: &[Vec<SymbolId>]| ways_from_left(reels, pay, columns, factor, defect);
        match reels.direction {
            Direction::Left => of(&columns).1,
            Direction::Right => of(&reversed).1,
            Direction::Both => {
                let ((count, left), (_, right)) = (of(&columns), of(&reversed));
                let once = count == columns.len() && defect != Some(Defect::WholeLineTwice);
                if once { left } else { left + right }
            }
        }
    }

    /// How often a combination shows: the number of paylines, or once for a scatter.
    pub fn shows(&self, reels: &Reels, combination: &Combination) -> usize {
        match combination {
            Combination::Scatter { symbol, count } => usize::from(self.count(reels, *symbol) >= *count),
            Combination::Line { .. } => {
                self.lines(reels).iter().filter(|line| line_shows(reels, line, combination)).count()
            }
        }
    }
}

/// Whether a line shows a combination of lines from an end that is read.
fn line_shows(reels: &Reels, line: &[SymbolId], combination: &Combination) -> bool {
    let Combination::Line { of, count, wilds } = combination else { return false };
    let fits = |symbol: SymbolId| of.contains(&symbol) || (*wilds && stands_for_any(reels, symbol, of));
    let left = line.iter().take(*count).all(|&symbol| fits(symbol));
    let right = line.iter().rev().take(*count).all(|&symbol| fits(symbol));
    match reels.direction {
        Direction::Left => left,
        Direction::Right => right,
        Direction::Both => left || right,
    }
}

/// What a line pays, from the ends that are read: the better end alone where it covers the whole line.
pub fn line_value(reels: &Reels, line: &[SymbolId], factor: &Factor, defect: Option<Defect>) -> u64 {
    let reversed: Vec<SymbolId> = line.iter().rev().copied().collect();
    let pay = |best: Option<(u64, Spared, bool)>| best.map_or(0, |(value, award, _)| factor.apply(award, value));
    let left = best_from_left(reels, line, defect);
    let right = best_from_left(reels, &reversed, defect);
    match reels.direction {
        Direction::Left => pay(left),
        Direction::Right => pay(right),
        Direction::Both => {
            let covers = [left, right].into_iter().flatten().any(|(_, _, covers)| covers);
            let value = |best: Option<(u64, Spared, bool)>| best.map_or(0, |(value, _, _)| value);
            match covers && defect != Some(Defect::WholeLineTwice) {
                true if value(right) > value(left) => pay(right),
                true => pay(left),
                false => pay(left) + pay(right),
            }
        }
    }
}

/// A line's greatest value as read from its beginning, and whether it covers the line; of equal ones the earlier pay, then
/// the shorter prefix, is the one that may be spared.
fn best_from_left(reels: &Reels, line: &[SymbolId], defect: Option<Defect>) -> Option<(u64, Spared, bool)> {
    let mut best: Option<(u64, Spared, bool)> = None;
    for (pay, rule) in reels.line_pays.iter().enumerate() {
        let candidates = match rule.counted {
            Counted::Run => from_left(reels, rule, line, defect),
            Counted::Anywhere(wilds) => anywhere(reels, rule, wilds, line, defect).into_iter().collect(),
        };
        for (count, value) in candidates {
            if best.is_none_or(|(most, _, _)| value > most) {
                let covers = rule.counted != Counted::Run || count == line.len();
                best = Some((value, Spared::Line { pay, count }, covers));
            }
        }
    }
    best
}

/// Reels and value of a pay by ways: every choice of a matching cell on each reel of the run is valued by itself.
fn ways_from_left(
    reels: &Reels,
    pay: usize,
    columns: &[Vec<SymbolId>],
    factor: &Factor,
    defect: Option<Defect>,
) -> (usize, u64) {
    let rule = &reels.line_pays[pay];
    let matches = |symbol: &SymbolId| rule.of.contains(symbol) || stands_for_any(reels, *symbol, &rule.of);
    let run = columns.iter().take_while(|column| column.iter().any(matches)).count();
    let paying = |count: &usize| rule.pays.get(count - 1).is_some_and(|&pay| pay > 0);
    let Some(count) = (1..=run).rev().find(paying) else { return (0, 0) };
    let mut ways: Vec<Vec<SymbolId>> = vec![Vec::new()];
    for column in &columns[..count] {
        let mut cells: Vec<SymbolId> = column.iter().copied().filter(|symbol| matches(symbol)).collect();
        if defect == Some(Defect::WaysPerReel) {
            cells.dedup();
        }
        let longer = |way: Vec<SymbolId>| {
            let longer = |&cell: &SymbolId| [way.as_slice(), &[cell]].concat();
            cells.iter().map(longer).collect::<Vec<_>>()
        };
        ways = ways.into_iter().flat_map(longer).collect();
    }
    let value = |way: &Vec<SymbolId>| {
        let prefixes = from_left(reels, rule, way, defect);
        prefixes.into_iter().find(|(length, _)| *length == count).map_or(0, |(_, value)| value)
    };
    (count, factor.apply(Spared::Line { pay, count }, ways.iter().map(value).sum()))
}

/// (Length, value) of every prefix that pays, the shortest first.
fn from_left(reels: &Reels, rule: &LinePay, line: &[SymbolId], defect: Option<Defect>) -> Vec<(usize, u64)> {
    let matches = |symbol: SymbolId| rule.of.contains(&symbol) || stands_for_any(reels, symbol, &rule.of);
    let run = line.iter().take_while(|&&symbol| matches(symbol)).count();
    let mut found = Vec::new();
    for length in 1..=run {
        let pay = rule.pays.get(length - 1).copied().unwrap_or(0);
        let prefix = &line[..length];
        let all_stand_in = prefix.iter().all(|symbol| !rule.of.contains(symbol));
        let one_has_own_pay = prefix.iter().any(|&symbol| has_own_pay(reels, symbol));
        if pay == 0 || (all_stand_in && one_has_own_pay) {
            continue;
        }
        let multiplying = prefix.iter().copied().filter(|&symbol| match wild(reels, symbol) {
            None => false,
            Some(wild) => rule.of != [symbol] || wild.own_pay_multiplied,
        });
        found.push((length, pay * product(reels, multiplying.collect(), defect)));
    }
    found
}

/// (Count, value) of a combination counted anywhere on the line.
fn anywhere(
    reels: &Reels,
    rule: &LinePay,
    wilds: WildsAnywhere,
    line: &[SymbolId],
    defect: Option<Defect>,
) -> Option<(usize, u64)> {
    let real = line.iter().filter(|symbol| rule.of.contains(symbol)).count();
    let standing: Vec<SymbolId> =
        line.iter().copied().filter(|&symbol| stands_for_any(reels, symbol, &rule.of)).collect();
    let count = match wilds {
        WildsAnywhere::Multiply => real,
        WildsAnywhere::Count => real + standing.len(),
        WildsAnywhere::CountWithReal if real > 0 => real + standing.len(),
        WildsAnywhere::CountWithReal => 0,
    };
    let pay = if count == 0 { 0 } else { rule.pays.get(count - 1).copied().unwrap_or(0) };
    (pay > 0).then(|| (count, pay * product(reels, standing, defect)))
}

/// The factor of several wilds of one win.
fn product(reels: &Reels, mut wilds: Vec<SymbolId>, defect: Option<Defect>) -> u64 {
    wilds.sort_unstable();
    let mut factor = 1;
    for same in wilds.chunk_by(|a, b| a == b) {
        let wild = wild(reels, same[0]).expect("only wilds multiply");
        factor *= match wild.stacking {
            Stacking::Product => wild.multiplier.pow(same.len() as u32),
            Stacking::Once => wild.multiplier,
        };
    }
    if defect == Some(Defect::WildTwice) { factor * factor } else { factor }
}

fn wild(reels: &Reels, symbol: SymbolId) -> Option<&Wild> {
    reels.symbols[usize::from(symbol)].wild.as_ref()
}

/// Whether a symbol is a wild outside `of` that stands for a member of it.
fn stands_for_any(reels: &Reels, symbol: SymbolId, of: &[SymbolId]) -> bool {
    let Some(wild) = wild(reels, symbol) else { return false };
    !of.contains(&symbol) && of.iter().any(|member| !wild.not_for.contains(member))
}

/// Whether a line pay counted from the left is for exactly this symbol.
fn has_own_pay(reels: &Reels, symbol: SymbolId) -> bool {
    reels.line_pays.iter().any(|rule| rule.counted == Counted::Run && rule.of == [symbol])
}
