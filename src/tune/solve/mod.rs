//! Finds the positions of knobs at which figures meet their targets. Deterministic; asks for figures as seldom as it can.
//!
//! One knob is bracketed and then closed in on by false position with halving (Illinois). Several are found by Newton's
//! method on the logarithms of knobs and figures, which most of them are powers of; then the nearest steps are compared.

mod linear;
#[cfg(test)]
mod tests;

use linear::least;
use std::collections::HashMap;

/// A position of every knob, in steps.
pub type Position = Vec<i128>;

/// What is known of a position.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured {
    /// Every target's figure.
    Figures(Vec<f64>),
    /// No such game, or no such figure: why.
    Refused(String),
}

/// What is to be solved.
pub struct Problem<'p> {
    pub targets: Vec<f64>,
    /// Lowest and highest position of each knob, and where it stands now.
    pub bounds: Vec<(i128, i128)>,
    pub start: Position,
    pub measure: &'p mut dyn FnMut(&[i128]) -> Measured,
    /// How near is near enough to stop, relative to a target: 0 for exact figures.
    pub resolution: f64,
    /// How narrow is narrow enough, relative to the knob: 0 for the single step.
    pub grain: f64,
}

/// Where the search ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    pub position: Position,
    pub figures: Vec<f64>,
    /// Why no nearer position was found, where the targets are not met to the width of a step.
    pub binding: Option<Binding>,
    /// Positions that were measured.
    pub asked: usize,
}

/// What keeps a target from being met.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// A knob's bound.
    Bound(usize),
    /// Beyond this position of a knob there is no game: why.
    Refused(usize, String),
    /// The knob doesn't change the figure.
    NoEffect(usize),
    /// The knobs can't be told apart by these targets, or the search came to rest elsewhere.
    Dependent,
}

/// Why there is nothing to search.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsolvable(pub String);

/// Solves a problem with as many knobs as targets.
///
/// # Errors
/// If not even the start is a game with these figures, or any near it.
pub fn solve(problem: Problem) -> Result<Solution, Unsolvable> {
    let mut search = Search {
        targets: problem.targets,
        bounds: problem.bounds,
        measure: problem.measure,
        resolution: problem.resolution,
        grain: problem.grain,
        known: HashMap::new(),
    };
    let start = search.first(&problem.start)?;
    match search.targets.len() {
        1 => Ok(search.one(start)),
        _ => Ok(search.several(start)),
    }
}

struct Search<'p> {
    targets: Vec<f64>,
    bounds: Vec<(i128, i128)>,
    measure: &'p mut dyn FnMut(&[i128]) -> Measured,
    resolution: f64,
    grain: f64,
    known: HashMap<Position, Measured>,
}

/// Most rounds of Newton's method.
const ROUNDS_MAX: usize = 40;

impl Search<'_> {
    fn at(&mut self, position: &[i128]) -> Measured {
        if let Some(known) = self.known.get(position) {
            return known.clone();
        }
        let measured = (self.measure)(position);
        self.known.insert(position.to_vec(), measured.clone());
        measured
    }

    fn figures(&mut self, position: &[i128]) -> Option<Vec<f64>> {
        match self.at(position) {
            Measured::Figures(figures) => Some(figures),
            Measured::Refused(_) => None,
        }
    }

    /// The start, or a position between the bounds near it that is a game.
    fn first(&mut self, start: &[i128]) -> Result<Position, Unsolvable> {
        let reason = match self.at(start) {
            Measured::Figures(_) => return Ok(start.to_vec()),
            Measured::Refused(reason) => reason,
        };
        for part in [2, 1, 3] {
            let between = |&(low, high): &(i128, i128)| low + (high - low) * part / 4;
            let position: Position = self.bounds.iter().map(between).collect();
            if self.figures(&position).is_some() {
                return Ok(position);
            }
        }
        Err(Unsolvable(reason))
    }

    /// How far each figure is off, relative to its target.
    fn off(&self, figures: &[f64]) -> Vec<f64> {
        let scale = |target: f64| if target == 0.0 { 1.0 } else { target.abs() };
        figures.iter().zip(&self.targets).map(|(figure, &target)| (figure - target) / scale(target)).collect()
    }

    fn worst(&self, figures: &[f64]) -> f64 {
        self.off(figures).into_iter().map(f64::abs).fold(0.0, f64::max)
    }

    fn solution(&self, position: Position, figures: Vec<f64>, binding: Option<Binding>) -> Solution {
        Solution { position, figures, binding, asked: self.known.len() }
    }

    fn one(&mut self, start: Position) -> Solution {
        let (low, high) = self.bounds[0];
        let k0 = start[0];
        let off = |search: &mut Self, k: i128| -> Option<f64> {
            let figures = search.figures(&[k])?;
            Some(search.off(&figures)[0])
        };
        let g0 = off(self, k0).expect("the start was measured");
        let end = |search: &mut Self, k: i128, binding| {
            let figures = search.figures(&[k]).expect("it was measured");
            search.solution(vec![k], figures, binding)
        };
        if g0.abs() <= self.resolution {
            return end(self, k0, None);
        }
        // Which way leads to the target: the first step that changes the figure.
        let mut direction = 0;
        let mut reach = 1i128.max(k0.abs() / 256);
        while direction == 0 && reach <= high - low {
            for sign in [1, -1] {
                let k = k0 + sign * reach;
                let change = if (low..=high).contains(&k) { off(self, k).map(|g| g - g0) } else { None };
                if let Some(change) = change.filter(|change| *change != 0.0) {
                    direction = if (change > 0.0) == (g0 < 0.0) { sign } else { -sign };
                    break;
                }
            }
            reach *= 4;
        }
        if direction == 0 {
            return end(self, k0, Some(Binding::NoEffect(0)));
        }
        // Wider and wider until the target lies between, a bound is reached, or there is no game any more.
        let (mut near, mut near_off) = (k0, g0);
        let mut step = 1i128.max(k0.abs() / 16);
        let (far, far_off) = loop {
            let next = (near + direction * step).clamp(low, high);
            match off(self, next) {
                _ if next == near => return end(self, near, Some(Binding::Bound(0))),
                Some(g) if (g > 0.0) != (g0 > 0.0) || g == 0.0 => break (next, g),
                Some(g) => (near, near_off) = (next, g),
                None => {
                    let (edge, reason) = self.edge(near, next);
                    let g = off(self, edge).expect("the edge is a game");
                    if (g > 0.0) != (g0 > 0.0) || g == 0.0 {
                        break (edge, g);
                    }
                    return end(self, edge, Some(Binding::Refused(0, reason)));
                }
            }
            step *= 2;
        };
        let k = self.close_in((near, near_off), (far, far_off));
        end(self, k, None)
    }

    /// The last game between one and a position that is none, and why that is none.
    fn edge(&mut self, mut game: i128, mut none: i128) -> (i128, String) {
        while (game - none).abs() > 1 {
            let middle = game + (none - game) / 2;
            if self.figures(&[middle]).is_some() { game = middle } else { none = middle }
        }
        match self.at(&[none]) {
            Measured::Refused(reason) => (game, reason),
            Measured::Figures(_) => (game, String::new()),
        }
    }

    /// The position nearest to the target between two on either side of it.
    fn close_in(&mut self, mut a: (i128, f64), mut b: (i128, f64)) -> i128 {
        let (mut weight_a, mut weight_b) = (a.1, b.1);
        let mut halve = false;
        let grain = self.grain;
        let narrow = |a: i128, b: i128| (a - b).abs() as f64 <= 1f64.max(grain * a.abs() as f64);
        while !narrow(a.0, b.0) && b.1.abs() > self.resolution && a.1.abs() > self.resolution {
            let width = (b.0 - a.0).abs();
            let share = weight_a / (weight_a - weight_b);
            let guess = a.0 + ((b.0 - a.0) as f64 * share).round() as i128;
            let (least, most) = (a.0.min(b.0) + 1, a.0.max(b.0) - 1);
            let k = if halve || !share.is_finite() { a.0 + (b.0 - a.0) / 2 } else { guess.clamp(least, most) };
            let Some(figures) = self.figures(&[k]) else { break };
            let g = self.off(&figures)[0];
            if (g > 0.0) == (a.1 > 0.0) {
                a = (k, g);
                (weight_a, weight_b) = (g, weight_b / 2.0);
            } else {
                b = (k, g);
                (weight_a, weight_b) = (weight_a / 2.0, g);
            }
            // False position can creep; halving then makes up for it.
            halve = (b.0 - a.0).abs() > width / 2;
        }
        if a.1.abs() < b.1.abs() { a.0 } else { b.0 }
    }

    fn several(&mut self, start: Position) -> Solution {
        let count = self.targets.len();
        let (mut position, mut figures) = (start.clone(), self.figures(&start).expect("the start was measured"));
        let mut binding = None;
        for _ in 0..ROUNDS_MAX {
            if self.worst(&figures) <= self.resolution {
                break;
            }
            let slopes = match self.slopes(&position, &figures) {
                Ok(slopes) => slopes,
                Err(knob) => {
                    binding = Some(Binding::NoEffect(knob));
                    break;
                }
            };
            let residuals: Vec<f64> = (0..count)
                .map(|target| self.scaled(target, self.targets[target]) - self.scaled(target, figures[target]))
                .collect();
            let Some(step) = least(&slopes, &residuals) else {
                binding = Some(Binding::Dependent);
                break;
            };
            let Some((next, better)) = self.advance(&position, &figures, &step) else { break };
            (position, figures) = (next, better);
        }
        (position, figures) = self.polish(position, figures);
        if binding.is_none() && self.worst(&figures) > self.width_of_steps(&position, &figures) {
            let at_bound = (0..count).find(|&knob| {
                let (low, high) = self.bounds[knob];
                position[knob] == low || position[knob] == high
            });
            binding = Some(at_bound.map_or_else(|| self.refused_beside(&position), Binding::Bound));
        }
        self.solution(position, figures, binding)
    }

    /// Why there is no game beside a position, if there is none.
    fn refused_beside(&mut self, position: &[i128]) -> Binding {
        for knob in 0..position.len() {
            for sign in [1, -1] {
                let mut beside = position.to_vec();
                beside[knob] += sign;
                if let Measured::Refused(reason) = self.at(&beside) {
                    return Binding::Refused(knob, reason);
                }
            }
        }
        Binding::Dependent
    }

    /// A figure on the scale on which Newton's method works: its logarithm, where target and figure have one.
    fn scaled(&self, target: usize, figure: f64) -> f64 {
        let wanted = self.targets[target];
        if wanted > 0.0 && figure > 0.0 { (figure / wanted).ln() } else { (figure - wanted) / wanted.abs().max(1e-12) }
    }

    /// d scaled figure / d ln knob (or per knob near 0), by one small step of each; or a knob without effect.
    fn slopes(&mut self, position: &[i128], figures: &[f64]) -> Result<Vec<Vec<f64>>, usize> {
        let count = position.len();
        let mut slopes = vec![vec![0.0; count]; count];
        for knob in 0..count {
            let (low, high) = self.bounds[knob];
            let mut reach = 1i128.max(position[knob].abs() / 1_000);
            let mut found = false;
            while !found && reach <= high - low {
                for sign in [1, -1] {
                    let mut beside = position.to_vec();
                    beside[knob] += sign * reach;
                    if !(low..=high).contains(&beside[knob]) {
                        continue;
                    }
                    let Some(other) = self.figures(&beside) else { continue };
                    let width = coordinate(beside[knob]) - coordinate(position[knob]);
                    let own: Vec<f64> = (0..count)
                        .map(|target| {
                            (self.scaled(target, other[target]) - self.scaled(target, figures[target])) / width
                        })
                        .collect();
                    if own.iter().any(|slope| *slope != 0.0 && slope.is_finite()) {
                        (0..count).for_each(|target| slopes[target][knob] = own[target]);
                        found = true;
                        break;
                    }
                }
                reach *= 8;
            }
            if !found {
                return Err(knob);
            }
        }
        Ok(slopes)
    }

    /// A better position along a step, the step shortened until there is one.
    fn advance(&mut self, position: &[i128], figures: &[f64], step: &[f64]) -> Option<(Position, Vec<f64>)> {
        let longest = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
        let mut share = (4f64.ln() / longest).min(1.0);
        for _ in 0..30 {
            let next: Position = position
                .iter()
                .zip(step)
                .zip(&self.bounds)
                .map(|((&k, &part), &(low, high))| knob_at(coordinate(k) + share * part).clamp(low, high))
                .collect();
            if next == position {
                return None;
            }
            if let Some(better) = self.figures(&next).filter(|better| self.worst(better) < self.worst(figures)) {
                return Some((next, better));
            }
            share /= 2.0;
        }
        None
    }

    /// The best of all positions one step away, as long as there is a better one.
    fn polish(&mut self, mut position: Position, mut figures: Vec<f64>) -> (Position, Vec<f64>) {
        let count = position.len();
        for _ in 0..ROUNDS_MAX {
            if self.worst(&figures) <= self.resolution || count > 4 {
                break;
            }
            let mut best: Option<(Position, Vec<f64>)> = None;
            for code in 0..3usize.pow(count as u32) {
                let beside: Position = (0..count)
                    .map(|knob| {
                        let (low, high) = self.bounds[knob];
                        (position[knob] + (code / 3usize.pow(knob as u32) % 3) as i128 - 1).clamp(low, high)
                    })
                    .collect();
                let Some(other) = self.figures(&beside) else { continue };
                if self.worst(&other) < best.as_ref().map_or(self.worst(&figures), |(_, best)| self.worst(best)) {
                    best = Some((beside, other));
                }
            }
            match best {
                Some((beside, other)) => (position, figures) = (beside, other),
                None => break,
            }
        }
        (position, figures)
    }

    /// How far one step of every knob moves the figure that it moves most: no position need be nearer.
    fn width_of_steps(&mut self, position: &[i128], figures: &[f64]) -> f64 {
        let mut width = 0.0f64;
        for knob in 0..position.len() {
            let moved = [1, -1].into_iter().filter_map(|sign| {
                let mut beside = position.to_vec();
                beside[knob] += sign;
                let other = self.figures(&beside)?;
                let off = self.off(&other).into_iter().zip(self.off(figures)).map(|(one, other)| (one - other).abs());
                Some(off.fold(0.0, f64::max))
            });
            width += moved.fold(0.0, f64::max);
        }
        width
    }
}

/// The scale of a knob: logarithmic, and even near 0.
fn coordinate(k: i128) -> f64 {
    (k as f64).asinh()
}

fn knob_at(coordinate: f64) -> i128 {
    coordinate.sinh().round() as i128
}
