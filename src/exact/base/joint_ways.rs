//! What a whole spin pays by ways: windows are counted reel by reel, those with the same runs still open together.
//!
//! Only the number of cells that each column gives each symbol matters, so columns are merged by that first. From the
//! last reel runs are read on the mirrored window: then both ends are open until the end.

use super::joint::{Joint, Starts};
use crate::game::columns::scatter_cells;
use crate::game::rules::{Direction, Reels, SymbolId};
use crate::game::ways::{WayRun, WayWin};
use crate::game::window::{Evaluator, Role};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Windows so far with the same future.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    /// By pay: the run from the first reel, `None` once it is broken, and its win so far.
    left: Vec<(Option<WayRun>, WayWin)>,
    /// By pay, where the last reel is read first: the columns since the last that broke a run, the pay's cells alone.
    since: Vec<Vec<Cells>>,
    scatters: Starts,
}

/// Cells of a column, sorted by symbol.
type Cells = Vec<SymbolId>;

/// Windows by state and what is certain to be paid.
type Front = FxHashMap<State, FxHashMap<u64, u64>>;

/// Looks that a step of one pay is worth.
const STEP_WORK: usize = 25;

struct Column {
    cells: Cells,
    scatters: Starts,
    weight: u64,
}

/// Every window, or `None` beyond `work_max` steps.
pub fn joint(reels: &Reels, evaluator: &Evaluator, work_max: u64) -> Option<Joint> {
    let scatters = evaluator.scatter_symbols();
    let pays = evaluator.line_pays().len();
    let count = evaluator.columns().reels();
    let start = State {
        left: vec![(Some(WayRun::start()), WayWin::default()); pays],
        since: vec![Vec::new(); pays],
        scatters: vec![0; scatters.len()],
    };
    let mut front = Front::default();
    front.insert(start, FxHashMap::from_iter([(0, 1)]));
    let mut work = 0u64;
    for reel in 0..count {
        let columns = columns(reels, evaluator, &scatters, reel);
        work += front.values().map(|windows| ((windows.len() + STEP_WORK * pays) * columns.len()) as u64).sum::<u64>();
        if work > work_max {
            return None;
        }
        let states: Vec<(State, FxHashMap<u64, u64>)> = front.into_iter().collect();
        front = states
            .par_iter()
            .with_min_len(256)
            .fold(Front::default, |mut next, (state, windows)| {
                for column in &columns {
                    let (after, paid) = step(evaluator, state, column, reel + 1, count);
                    let into = next.entry(after).or_default();
                    for (&pay, &windows) in windows {
                        *into.entry(pay + paid).or_insert(0) += windows * column.weight;
                    }
                }
                next
            })
            .reduce(Front::default, merge);
    }
    let lines = evaluator.line_combinations().count();
    let mut joint = Joint::default();
    for (state, windows) in front {
        let of_scatters = scatters.iter().zip(&state.scatters);
        let of_scatters: u64 =
            of_scatters.map(|(&symbol, &cells)| evaluator.scatter_pay(symbol, usize::from(cells))).sum();
        let starts: Starts = std::iter::repeat_n(0, lines).chain(state.scatters).collect();
        for (pay, windows) in windows {
            joint.count(&starts, pay + of_scatters, windows);
        }
    }
    Some(joint)
}

fn merge(one: Front, other: Front) -> Front {
    let (mut into, from) = if one.len() < other.len() { (other, one) } else { (one, other) };
    for (state, windows) in from {
        let known = into.entry(state).or_default();
        for (pay, count) in windows {
            *known.entry(pay).or_insert(0) += count;
        }
    }
    into
}

/// The different columns of a reel.
fn columns(reels: &Reels, evaluator: &Evaluator, scatters: &[SymbolId], reel: usize) -> Vec<Column> {
    let columns = evaluator.columns();
    let mut known: FxHashMap<(Cells, Starts), u64> = FxHashMap::default();
    for (stop, &weight) in reels.strip_sets[evaluator.strip_set()][reel].weights.iter().enumerate() {
        let mut cells = columns.shown(reel, stop).to_vec();
        cells.sort_unstable();
        let count = |&symbol: &SymbolId| scatter_cells(reels, columns.drawn(reel, stop), symbol) as u8;
        *known.entry((cells, scatters.iter().map(count).collect())).or_insert(0) += weight;
    }
    let some = known.into_iter().filter(|(_, weight)| *weight > 0);
    some.map(|((cells, scatters), weight)| Column { cells, scatters, weight }).collect()
}

/// The state after one more reel, the `count`th of `reels`, and what became certain.
fn step(evaluator: &Evaluator, state: &State, column: &Column, count: usize, reels: usize) -> (State, u64) {
    let mut paid = 0;
    let from_left = evaluator.direction() != Direction::Right;
    let from_right = evaluator.direction() != Direction::Left;
    let mut next = state.clone();
    for (scatter, &cells) in next.scatters.iter_mut().zip(&column.scatters) {
        *scatter += cells;
    }
    for pay in 0..state.left.len() {
        let rules = &evaluator.line_pays()[pay];
        let (run, win) = &state.left[pay];
        let run = run.as_ref().filter(|_| from_left).and_then(|run| run.step(evaluator, pay, &column.cells));
        let win = run.as_ref().map_or(*win, |run| win.extended(evaluator, rules, count, run));
        let ends = run.is_none() || count == reels || rules.pays[count..].iter().all(|&pay| pay == 0);
        let covers = win.count == reels;
        if ends {
            paid += evaluator.way_pay(pay, win);
        }
        // A win that is paid is forgotten, but not that it covers all reels: that is known at the last one alone.
        next.left[pay] = if ends { (None, WayWin::default()) } else { (run, win) };
        if !from_right {
            continue;
        }
        let on: Cells =
            column.cells.iter().copied().filter(|&cell| evaluator.role(pay, cell) != Role::Neither).collect();
        match on.is_empty() {
            true => next.since[pay].clear(),
            false => next.since[pay].push(on),
        }
        if count == reels {
            let run = std::mem::take(&mut next.since[pay]);
            let win = WayWin::of(evaluator, pay, run.iter().rev().map(Vec::as_slice));
            if !covers {
                paid += evaluator.way_pay(pay, win);
            }
        }
    }
    (next, paid)
}
