//! What one window shows and pays, read straight from the rules: every line, every pay, every prefix.

use super::Defect;
use jackpot::game::{
    Combination, Counted, LinePay, Reels, Spared, Stacking, Strip, SymbolId, Wild, WildsAnywhere, by_count,
};

/// The visible symbols.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// By row, then by reel.
    pub rows: Vec<Vec<SymbolId>>,
}

/// What multiplies the pays of a window: 1 and nothing spared for a paid spin.
#[derive(Debug, Clone, Copy)]
pub struct Factor<'a> {
    pub multiplier: u64,
    pub spared: &'a [Spared],
}

impl Factor<'_> {
    /// The factor of a paid spin.
    pub const ONE: Factor<'static> = Factor { multiplier: 1, spared: &[] };

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
        Self { rows: (0..rows).map(|row| (0..strips.len()).map(|reel| cell(row, reel)).collect()).collect() }
    }

    /// Cells that show a symbol.
    pub fn count(&self, symbol: SymbolId) -> usize {
        self.rows.iter().flatten().filter(|&&shown| shown == symbol).count()
    }

    fn line(&self, rows: &[usize]) -> Vec<SymbolId> {
        rows.iter().enumerate().map(|(reel, &row)| self.rows[row][reel]).collect()
    }

    fn lines(&self, reels: &Reels) -> Vec<Vec<SymbolId>> {
        reels.lines.iter().map(|rows| self.line(rows)).collect()
    }

    /// Everything that the lines and scatters pay, in return units.
    pub fn pay(&self, reels: &Reels, factor: &Factor, defect: Option<Defect>) -> u64 {
        let mut sum = 0;
        for (position, line) in self.lines(reels).iter().enumerate() {
            let pay = line_value(reels, line, factor, defect);
            let excess = defect == Some(Defect::FirstLineOffByOne) && position == 0 && pay > 0;
            sum += pay + u64::from(excess);
        }
        for (pay, scatter) in reels.scatter_pays.iter().enumerate() {
            let value = factor.apply(Spared::Scatter { pay }, by_count(&scatter.pays, self.count(scatter.symbol)));
            sum += if defect == Some(Defect::ScatterTwice) { 2 * value } else { value };
        }
        sum
    }

    /// How often a combination shows: the number of paylines, or once for a scatter.
    pub fn shows(&self, reels: &Reels, combination: &Combination) -> usize {
        match combination {
            Combination::Scatter { symbol, count } => usize::from(self.count(*symbol) >= *count),
            Combination::Line { of, count, wilds } => {
                let fits = |symbol: SymbolId| of.contains(&symbol) || (*wilds && stands_for_any(reels, symbol, of));
                self.lines(reels).iter().filter(|line| line[..*count].iter().all(|&symbol| fits(symbol))).count()
            }
        }
    }
}

/// What a line pays: its greatest value; of equal ones the earlier pay, then the shorter prefix, is the one that may be
/// spared.
pub fn line_value(reels: &Reels, line: &[SymbolId], factor: &Factor, defect: Option<Defect>) -> u64 {
    let mut best: Option<(u64, Spared)> = None;
    for (pay, rule) in reels.line_pays.iter().enumerate() {
        let candidates = match rule.counted {
            Counted::FromLeft => from_left(reels, rule, line, defect),
            Counted::Anywhere(wilds) => anywhere(reels, rule, wilds, line, defect).into_iter().collect(),
        };
        for (count, value) in candidates {
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, Spared::Line { pay, count }));
            }
        }
    }
    best.map_or(0, |(value, award)| factor.apply(award, value))
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
    reels.line_pays.iter().any(|rule| rule.counted == Counted::FromLeft && rule.of == [symbol])
}
