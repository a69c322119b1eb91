//! What a whole spin pays: all lines and scatters of a window at once, by classes of what the first reels show.
//!
//! Two beginnings of a line are of one class if every ending gives both the same pay and the same starts. The stops of the
//! first reels are counted by the classes of their lines and the scatters that they show; each different state is then
//! met with every stop of the last reels.

use super::joint_ways;
use crate::game::columns::scatter_cells;
use crate::game::rules::{Combination, Reels, SymbolId};
use crate::game::window::{Evaluator, UNKNOWN};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most work that an enumeration takes on, in looks at a line: seconds on two cores.
pub const WORK_MAX: u64 = 4_000_000_000;

/// Most choices of stops of the first reels.
const BEGINNINGS_MAX: u64 = 1 << 24;

/// What a window starts: the number of lines that show each of [`Evaluator::line_combinations`], and the cells that show
/// each of [`Evaluator::scatter_symbols`].
pub type Starts = Vec<u8>;

/// Windows of one kind, with the sums of their pays and squares of pays in return units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    pub windows: u64,
    /// Those that pay nothing.
    pub idle: u64,
    pub pays: u128,
    pub squares: u128,
}

/// Every window of a mode, counted once for each choice of virtual stops.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Joint {
    /// Windows by pay in return units.
    pub distribution: BTreeMap<u64, u64>,
    /// By what they start.
    pub by_starts: BTreeMap<Starts, Sums>,
}

impl Joint {
    /// Enumerates a mode, or `None` if that takes more than `work_max` looks.
    pub fn new(reels: &Reels, evaluator: &Evaluator, work_max: u64) -> Option<Self> {
        match reels.by_ways {
            true => joint_ways::joint(reels, evaluator, work_max),
            false => Enumeration::new(reels, evaluator).run(work_max),
        }
    }

    /// Counts windows that start the same and pay the same.
    pub fn count(&mut self, starts: &Starts, pay: u64, windows: u64) {
        *self.distribution.entry(pay).or_insert(0) += windows;
        let sums = match self.by_starts.get_mut(starts) {
            Some(sums) => sums,
            None => self.by_starts.entry(starts.clone()).or_default(),
        };
        sums.windows += windows;
        sums.idle += if pay == 0 { windows } else { 0 };
        sums.pays += u128::from(windows) * u128::from(pay);
        sums.squares += u128::from(windows) * u128::from(pay) * u128::from(pay);
    }

    fn merge(mut self, other: Self) -> Self {
        for (pay, windows) in other.distribution {
            *self.distribution.entry(pay).or_insert(0) += windows;
        }
        for (starts, sums) in other.by_starts {
            let into = self.by_starts.entry(starts).or_default();
            into.windows += sums.windows;
            into.idle += sums.idle;
            into.pays += sums.pays;
            into.squares += sums.squares;
        }
        self
    }
}

/// What a whole line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct LineEnd {
    pay: u64,
    /// One byte for each line combination: 1 if it shows.
    starts: u64,
}

/// State after the first reels: lines by (shape of the ending, class), sorted; cells of each scatter; what is certain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    open: Vec<(u16, u32)>,
    /// One byte for each scatter.
    scatters: u64,
    settled: LineEnd,
}

struct Enumeration<'e, 'a> {
    reels: &'a Reels,
    evaluator: &'e Evaluator<'a>,
    scatters: Vec<SymbolId>,
    combinations: usize,
    /// Reels of the beginning.
    split: usize,
    /// Rows on the last reels, each once.
    shapes: Vec<Vec<usize>>,
    /// By line: position in `shapes`.
    shape_of: Vec<u16>,
}

/// One choice of stops of the last reels.
struct Ending {
    weight: u64,
    /// By shape: index of the symbols into a class's table.
    symbols: Vec<u32>,
    /// One byte for each scatter.
    scatters: u64,
}

impl<'e, 'a> Enumeration<'e, 'a> {
    fn new(reels: &'a Reels, evaluator: &'e Evaluator<'a>) -> Self {
        let count = reels.strip_sets[evaluator.strip_set()].len();
        let split = if count > 3 { count - 2 } else { count - 1 };
        let mut shapes: Vec<Vec<usize>> = reels.lines.iter().map(|line| line[split..].to_vec()).collect();
        shapes.sort();
        shapes.dedup();
        let shape_of = reels.lines.iter();
        let shape_of =
            shape_of.map(|line| shapes.binary_search(&line[split..].to_vec()).expect("it was put there") as u16);
        Self {
            reels,
            evaluator,
            scatters: evaluator.scatter_symbols(),
            combinations: evaluator.line_combinations().count(),
            split,
            shape_of: shape_of.collect(),
            shapes,
        }
    }

    fn run(&self, work_max: u64) -> Option<Joint> {
        let strips = &self.reels.strip_sets[self.evaluator.strip_set()];
        let lengths: Vec<u64> = strips.iter().map(|strip| strip.stops.len() as u64).collect();
        let beginnings: u64 = lengths[..self.split].iter().try_fold(1u64, |all, &length| all.checked_mul(length))?;
        // Counts of lines and of cells must fit the bytes that they are kept in.
        let bytes = self.combinations <= 8 && self.scatters.len() <= 8;
        let counts = self.reels.lines.len().max(self.reels.rows * strips.len());
        if beginnings > BEGINNINGS_MAX || !bytes || counts > 255 {
            return None;
        }
        let classes = Classes::new(self);
        let states = self.states(&classes, beginnings);
        let endings = self.endings();
        let work: u64 = states.iter().map(|(state, _)| (state.open.len() as u64 + 1) * endings.len() as u64).sum();
        if work > work_max {
            return None;
        }
        let joint = states
            .par_chunks(64)
            .map(|states| {
                let mut counter = Counter::default();
                for (state, windows) in states {
                    self.meet(&classes, state, *windows, &endings, &mut counter);
                }
                self.finish(counter)
            })
            .reduce(Joint::default, Joint::merge);
        Some(joint)
    }

    /// States after the first reels, with the choices of virtual stops that lead there; in no particular order.
    fn states(&self, classes: &Classes, beginnings: u64) -> Vec<(State, u64)> {
        let strips = &self.reels.strip_sets[self.evaluator.strip_set()];
        let merge = |mut left: FxHashMap<State, u64>, right: FxHashMap<State, u64>| {
            for (state, windows) in right {
                *left.entry(state).or_insert(0) += windows;
            }
            left
        };
        (0..beginnings as usize)
            .into_par_iter()
            .with_min_len(1 << 10)
            .fold(FxHashMap::<State, u64>::default, |mut known, index| {
                let (mut rest, mut stops, mut weight) = (index, [0; 32], 1u64);
                for (reel, strip) in strips[..self.split].iter().enumerate() {
                    stops[reel] = rest % strip.stops.len();
                    rest /= strip.stops.len();
                    weight *= strip.weights[stops[reel]];
                }
                if weight > 0 {
                    *known.entry(self.state(classes, &stops[..self.split])).or_insert(0) += weight;
                }
                known
            })
            .reduce(FxHashMap::default, merge)
            .into_iter()
            .collect()
    }

    fn state(&self, classes: &Classes, stops: &[usize]) -> State {
        let columns = self.evaluator.columns();
        let mut open = Vec::new();
        let mut settled = LineEnd::default();
        for (line, &shape) in self.reels.lines.iter().zip(&self.shape_of) {
            let symbols =
                stops.iter().enumerate().map(|(reel, &stop)| usize::from(columns.shown(reel, stop)[line[reel]]));
            match classes.of_beginning[symbols.fold(0, |index, symbol| index * self.reels.symbols.len() + symbol)] {
                Class::Settled(end) => {
                    settled.pay += end.pay;
                    settled.starts += end.starts;
                }
                Class::Open(class) => open.push((shape, class)),
            }
        }
        open.sort_unstable();
        let scatters = stops.iter().enumerate().map(|(reel, &stop)| self.cells(reel, stop)).sum();
        State { open, scatters, settled }
    }

    /// Cells of each scatter that a stop shows, one byte each.
    fn cells(&self, reel: usize, stop: usize) -> u64 {
        let column = self.evaluator.columns().drawn(reel, stop);
        let count = |symbol: SymbolId| scatter_cells(self.reels, column, symbol) as u64;
        self.scatters.iter().enumerate().map(|(at, &symbol)| count(symbol) << (8 * at)).sum()
    }

    /// Every choice of stops of the last reels; those that look the same on every line and scatter together.
    fn endings(&self) -> Vec<Ending> {
        let strips = &self.reels.strip_sets[self.evaluator.strip_set()][self.split..];
        let count: usize = strips.iter().map(|strip| strip.stops.len()).product();
        let mut known: FxHashMap<(u64, Vec<u32>), u64> = FxHashMap::default();
        for index in 0..count {
            let (mut rest, mut stops, mut weight) = (index, Vec::new(), 1);
            for strip in strips {
                let stop = rest % strip.stops.len();
                rest /= strip.stops.len();
                weight *= strip.weights[stop];
                stops.push(stop);
            }
            let symbols = self.shapes.iter().map(|rows| {
                let symbols = (self.split..).zip(&stops).zip(rows);
                symbols.fold(0, |index, ((reel, &stop), &row)| {
                    let symbol = self.evaluator.columns().shown(reel, stop)[row];
                    index * self.reels.symbols.len() as u32 + u32::from(symbol)
                })
            });
            let scatters = stops.iter().enumerate().map(|(reel, &stop)| self.cells(self.split + reel, stop)).sum();
            *known.entry((scatters, symbols.collect())).or_insert(0) += weight;
        }
        let endings = known.into_iter().filter(|(_, weight)| *weight > 0);
        let mut endings: Vec<Ending> =
            endings.map(|((scatters, symbols), weight)| Ending { weight, symbols, scatters }).collect();
        endings.sort_by_key(|ending| ending.scatters);
        endings
    }

    /// Meets a state with every ending.
    fn meet(&self, classes: &Classes, state: &State, windows: u64, endings: &[Ending], counter: &mut Counter) {
        for ending in endings {
            let mut end = state.settled;
            for &(shape, class) in &state.open {
                let line = classes.tables[class as usize][ending.symbols[usize::from(shape)] as usize];
                end.pay += line.pay;
                end.starts += line.starts;
            }
            counter.add((end.starts, state.scatters + ending.scatters), end.pay, windows * ending.weight);
        }
    }

    /// Adds what scatters pay, and unpacks what is started.
    fn finish(&self, counter: Counter) -> Joint {
        let mut joint = Joint::default();
        for ((starts, scatters), at) in counter.kinds {
            let cells = |at: usize| (scatters >> (8 * at)) as u8;
            let of_scatters = self.scatters.iter().enumerate();
            let of_scatters: u64 =
                of_scatters.map(|(at, &symbol)| self.evaluator.scatter_pay(symbol, usize::from(cells(at)))).sum();
            let lines = (0..self.combinations).map(|at| (starts >> (8 * at)) as u8);
            let key = lines.chain((0..self.scatters.len()).map(cells)).collect();
            for (&pay, &windows) in &counter.pays[at] {
                joint.count(&key, pay + of_scatters, windows);
            }
        }
        joint
    }
}

/// What a window starts, packed: lines by combination, cells by scatter.
type Kind = (u64, u64);

/// Windows by kind and by what their lines pay.
#[derive(Default)]
struct Counter {
    /// Position in `pays`.
    kinds: FxHashMap<Kind, usize>,
    pays: Vec<FxHashMap<u64, u64>>,
    last: Option<(Kind, usize)>,
}

impl Counter {
    #[inline]
    fn add(&mut self, kind: Kind, pay: u64, windows: u64) {
        let at = match self.last {
            Some((last, at)) if last == kind => at,
            _ => {
                let fresh = self.pays.len();
                let at = *self.kinds.entry(kind).or_insert(fresh);
                if at == fresh {
                    self.pays.push(FxHashMap::default());
                }
                self.last = Some((kind, at));
                at
            }
        };
        *self.pays[at].entry(pay).or_insert(0) += windows;
    }
}

/// Beginnings of lines by what can become of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Settled(LineEnd),
    Open(u32),
}

struct Classes {
    /// By the symbols of the first reels, read as digits.
    of_beginning: Vec<Class>,
    /// By class, then by the symbols of the last reels, read as digits.
    tables: Vec<Vec<LineEnd>>,
}

impl Classes {
    fn new(enumeration: &Enumeration) -> Self {
        let symbols = enumeration.reels.symbols.len();
        let reels = enumeration.reels.strip_sets[enumeration.evaluator.strip_set()].len();
        let (split, rest) = (enumeration.split, reels - enumeration.split);
        let digits = |mut index: usize, count: usize| {
            let mut line = vec![0; count];
            for digit in line.iter_mut().rev() {
                *digit = (index % symbols) as SymbolId;
                index /= symbols;
            }
            line
        };
        let endings: Vec<Vec<SymbolId>> = (0..symbols.pow(rest as u32)).map(|index| digits(index, rest)).collect();
        let outcomes: Vec<Vec<LineEnd>> = (0..symbols.pow(split as u32))
            .into_par_iter()
            .map(|index| {
                let mut line = digits(index, split);
                line.resize(reels, UNKNOWN);
                if !enumeration.evaluator.is_open(&line) {
                    return vec![enumeration.end(&line)];
                }
                let mut outcomes = Vec::with_capacity(endings.len());
                for ending in &endings {
                    line[split..].copy_from_slice(ending);
                    outcomes.push(enumeration.end(&line));
                }
                if outcomes.iter().all(|end| *end == outcomes[0]) { vec![outcomes[0]] } else { outcomes }
            })
            .collect();
        let mut known: FxHashMap<Vec<LineEnd>, u32> = FxHashMap::default();
        let mut tables = Vec::new();
        let of_beginning = outcomes
            .into_iter()
            .map(|outcomes| {
                if outcomes.len() == 1 {
                    return Class::Settled(outcomes[0]);
                }
                Class::Open(*known.entry(outcomes).or_insert_with_key(|outcomes| {
                    tables.push(outcomes.clone());
                    tables.len() as u32 - 1
                }))
            })
            .collect();
        Self { of_beginning, tables }
    }
}

impl Enumeration<'_, '_> {
    fn end(&self, line: &[SymbolId]) -> LineEnd {
        let shows = self
            .evaluator
            .line_combinations()
            .map(|(of, count, wilds)| u64::from(self.evaluator.line_shows(of, count, wilds, line)));
        LineEnd {
            pay: self.evaluator.line_pay(line),
            starts: shows.enumerate().map(|(at, shows)| shows << (8 * at)).sum(),
        }
    }
}

/// How often a combination of the mode shows in a window of some starts: lines, or once for a scatter.
pub fn shows(evaluator: &Evaluator, starts: &Starts, combination: &Combination) -> u64 {
    let scatters = evaluator.scatter_symbols();
    let lines = evaluator.line_combinations().count();
    match combination {
        Combination::Scatter { symbol, count } => {
            let at = scatters.iter().position(|other| other == symbol).expect("every scatter of the mode is counted");
            u64::from(usize::from(starts[lines + at]) >= *count)
        }
        Combination::Line { of, count, wilds } => {
            let mut all = evaluator.line_combinations();
            let at = all.position(|(o, c, w)| o == of.as_slice() && c == *count && w == *wilds);
            at.map_or(0, |at| u64::from(starts[at]))
        }
    }
}
