//! Puts the windows of a diagram in the order of what they pay, by counting them along its edges.

use super::{END, EVENT, Edge};
use crate::game::pay_classes::{Drawn, PayClasses};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Most steps of a count that [`PayOrder::new`] makes, unless a caller allows others: about a quarter of a second.
pub const STEPS_MAX: u64 = 1 << 23;

/// The windows of a mode in the order of [`PayClasses`]; those of a class by their stops, the first reel's first. A window counts once for each virtual stop that shows it.
#[derive(Debug)]
pub struct PayOrder {
    classes: PayClasses,
    /// Windows that start something: by edge of the first table, summed up; and by node of each later table.
    special_first: Vec<u64>,
    special_nodes: Vec<Vec<u64>>,
}

/// Tables and weights of a diagram, as the count needs them.
pub(super) struct Counted<'d> {
    pub first: &'d [Edge],
    pub tables: &'d [Vec<Edge>],
    /// Weight of each stop of each reel.
    pub weights: Vec<&'d [u64]>,
    /// Virtual stops of each reel.
    pub stop_counts: &'d [u64],
}

/// Where a count stands: windows by (node, pay so far).
type Front = FxHashMap<(u32, u64), u64>;

impl PayOrder {
    /// Counts all windows, or `None` if that takes more than `steps_max` steps.
    pub(super) fn new(counted: &Counted, steps_max: u64) -> Option<Self> {
        if steps_max == 0 {
            return None;
        }
        let mut plain = FxHashMap::default();
        let mut special = 0;
        let mut front = Front::default();
        let mut steps = 0;
        for (index, edge) in counted.first.iter().enumerate() {
            let weight = counted.first_weight(index);
            let after = counted.windows_after(counted.reels_of_first());
            match *edge {
                Edge { value, .. } if u64::from(value) == EVENT => special += weight * after,
                Edge { next: END, value } => *plain.entry(u64::from(value)).or_insert(0) += weight * after,
                Edge { next, value } => *front.entry((next, u64::from(value))).or_insert(0) += weight,
            }
        }
        for (table, reel) in counted.tables.iter().zip(counted.reels_of_first()..) {
            let after = counted.windows_after(reel + 1);
            let mut by_node: Vec<((u32, u64), u64)> = front.drain().collect();
            by_node.sort_unstable();
            let nodes: Vec<&[((u32, u64), u64)]> = by_node.chunk_by(|a, b| a.0.0 == b.0.0).collect();
            let edges: Vec<Vec<(Edge, u64)>> =
                nodes.par_iter().map(|node| counted.distinct_edges(table, reel, node[0].0.0)).collect();
            steps += nodes.iter().zip(&edges).map(|(node, edges)| (node.len() * edges.len()) as u64).sum::<u64>();
            if steps > steps_max {
                return None;
            }
            for (node, edges) in nodes.iter().zip(&edges) {
                for &((_, pay), windows) in *node {
                    for &(edge, weight) in edges {
                        let windows = windows * weight;
                        match edge {
                            Edge { value, .. } if u64::from(value) == EVENT => special += windows * after,
                            Edge { next: END, value } => {
                                *plain.entry(pay + u64::from(value)).or_insert(0) += windows * after;
                            }
                            Edge { next, value } => {
                                *front.entry((next, pay + u64::from(value))).or_insert(0) += windows
                            }
                        }
                    }
                }
            }
        }
        let special_nodes = if special > 0 { counted.special_by_node() } else { Vec::new() };
        let special_first = if special > 0 { counted.special_by_first(&special_nodes) } else { Vec::new() };
        Some(Self { classes: PayClasses::new(plain.into_iter().collect(), special), special_first, special_nodes })
    }

    /// The classes of pays that spins are drawn from.
    #[inline(always)]
    pub fn classes(&self) -> &PayClasses {
        &self.classes
    }

    /// Stops, as positions on the strips, of the `rank`th window that starts something.
    pub(super) fn special_stops(&self, counted: &Counted, rank: u64) -> Vec<usize> {
        counted.unrank(rank, &self.special_first, |reel, edge, _| {
            counted.special_after(edge, reel, self.special_nodes.get(reel + 1 - counted.reels_of_first()))
        })
    }
}

/// Finds the very window that a number stands for, plain or not. What it counts for that, it keeps.
pub struct Windows<'d> {
    counted: Counted<'d>,
    order: &'d PayOrder,
    /// By pay: windows that pay it, by edge of the first table, summed up.
    first: FxHashMap<u64, Vec<u64>>,
    /// Completions by (reel, node, pay still to come).
    nodes: FxHashMap<(usize, u32, u64), u64>,
}

impl<'d> Windows<'d> {
    pub(super) fn new(counted: Counted<'d>, order: &'d PayOrder) -> Self {
        Self { counted, order, first: FxHashMap::default(), nodes: FxHashMap::default() }
    }

    /// Stops, as positions on the strips, of the window that a number below the cycle stands for.
    pub fn stops(&mut self, number: u64) -> Vec<usize> {
        let classes = &self.order.classes;
        let pay = match classes.outcome(number) {
            Drawn::Pays(pay) => pay,
            Drawn::Starts(rank) => return self.order.special_stops(&self.counted, rank),
        };
        let (counted, nodes) = (&self.counted, &mut self.nodes);
        let last = counted.reels_of_first() - 1;
        let first = self.first.entry(pay).or_insert_with(|| {
            let edges = counted.first.iter().enumerate();
            let windows =
                edges.map(|(index, &edge)| counted.first_weight(index) * counted.paying_after(edge, last, pay, nodes));
            sums(windows)
        });
        counted.unrank(classes.rank(number), first, |reel, edge, paid| match pay.checked_sub(paid) {
            Some(left) => counted.paying_after(edge, reel, left, nodes),
            None => 0,
        })
    }
}

fn sums(windows: impl Iterator<Item = u64>) -> Vec<u64> {
    windows
        .scan(0, |sum, windows| {
            *sum += windows;
            Some(*sum)
        })
        .collect()
}

impl Counted<'_> {
    /// Reels that the first table covers.
    pub fn reels_of_first(&self) -> usize {
        self.weights.len().min(2)
    }

    /// Windows that one window of the reels before `reel` can become.
    pub fn windows_after(&self, reel: usize) -> u64 {
        self.stop_counts[reel..].iter().product()
    }

    pub fn edge(&self, table: &[Edge], reel: usize, node: u32, position: usize) -> Edge {
        table[node as usize * self.weights[reel].len() + position]
    }

    pub fn first_weight(&self, index: usize) -> u64 {
        let (row, column) = self.first_positions(index);
        self.weights[0][row] * column.map_or(1, |column| self.weights[1][column])
    }

    fn first_positions(&self, index: usize) -> (usize, Option<usize>) {
        match self.weights.get(1) {
            None => (index, None),
            Some(second) => (index / second.len(), Some(index % second.len())),
        }
    }

    pub fn push_first(&self, index: usize, stops: &mut Vec<usize>) {
        let (row, column) = self.first_positions(index);
        stops.push(row);
        stops.extend(column);
    }

    /// The `rank`th window of a class. `first` sums up the class's windows by edge of the first table; `windows` gives,
    /// for a reel, an edge there and what was paid before it, how many completions after the edge belong to the class.
    fn unrank(&self, rank: u64, first: &[u64], mut windows: impl FnMut(usize, Edge, u64) -> u64) -> Vec<usize> {
        let mut stops = Vec::with_capacity(self.weights.len());
        let index = first.partition_point(|&sum| sum <= rank);
        self.push_first(index, &mut stops);
        let mut edge = self.first[index];
        let mut rank = rank - index.checked_sub(1).map_or(0, |before| first[before]);
        // Windows that show the stops found so far: one for each choice of virtual stops.
        let mut same = self.first_weight(index);
        let mut paid = 0;
        for reel in self.reels_of_first()..self.weights.len() {
            // Without a next node nothing depends on the stops that follow.
            let row = (u64::from(edge.value) != EVENT && edge.next != END).then_some(edge.next);
            paid += u64::from(edge.value);
            for (position, &weight) in self.weights[reel].iter().enumerate() {
                let next = row.map(|row| self.edge(&self.tables[reel - self.reels_of_first()], reel, row, position));
                let completions = match next {
                    Some(next) => windows(reel, next, paid),
                    None => self.windows_after(reel + 1),
                };
                if rank < same * weight * completions {
                    same *= weight;
                    stops.push(position);
                    edge = next.unwrap_or(edge);
                    break;
                }
                rank -= same * weight * completions;
            }
        }
        stops
    }

    /// Completions after an edge of a reel that pay exactly `pay`, the edge's own value included.
    fn paying_after(&self, edge: Edge, reel: usize, pay: u64, nodes: &mut FxHashMap<(usize, u32, u64), u64>) -> u64 {
        match (edge, pay.checked_sub(u64::from(edge.value))) {
            (Edge { value, .. }, _) if u64::from(value) == EVENT => 0,
            (_, None) => 0,
            (Edge { next: END, .. }, Some(left)) => {
                if left == 0 {
                    self.windows_after(reel + 1)
                } else {
                    0
                }
            }
            (Edge { next, .. }, Some(left)) => {
                if let Some(&known) = nodes.get(&(reel + 1, next, left)) {
                    return known;
                }
                let table = &self.tables[reel + 1 - self.reels_of_first()];
                let edges = self.distinct_edges(table, reel + 1, next);
                let windows = edges
                    .into_iter()
                    .map(|(edge, weight)| weight * self.paying_after(edge, reel + 1, left, nodes))
                    .sum();
                nodes.insert((reel + 1, next, left), windows);
                windows
            }
        }
    }

    /// The different edges of a node with the weight of each, in the order in which they appear.
    fn distinct_edges(&self, table: &[Edge], reel: usize, node: u32) -> Vec<(Edge, u64)> {
        let mut distinct: Vec<(Edge, u64)> = Vec::new();
        for (position, &weight) in self.weights[reel].iter().enumerate() {
            let edge = self.edge(table, reel, node, position);
            match distinct.iter_mut().find(|(known, _)| *known == edge) {
                Some((_, sum)) => *sum += weight,
                None => distinct.push((edge, weight)),
            }
        }
        distinct
    }

    /// Windows that start something, by node of each table: of the reel that the table is for and all after it.
    fn special_by_node(&self) -> Vec<Vec<u64>> {
        let mut by_table: Vec<Vec<u64>> = vec![Vec::new(); self.tables.len()];
        for index in (0..self.tables.len()).rev() {
            let reel = self.reels_of_first() + index;
            let length = self.weights[reel].len();
            let after = by_table.get(index + 1).cloned();
            by_table[index] = self.tables[index]
                .par_chunks(length)
                .map(|edges| {
                    let edges = edges.iter().zip(self.weights[reel]);
                    edges.map(|(&edge, &weight)| weight * self.special_after(edge, reel, after.as_ref())).sum()
                })
                .collect();
        }
        by_table
    }

    fn special_by_first(&self, nodes: &[Vec<u64>]) -> Vec<u64> {
        let last = self.reels_of_first() - 1;
        let edges = self.first.iter().enumerate();
        sums(edges.map(|(index, &edge)| self.first_weight(index) * self.special_after(edge, last, nodes.first())))
    }

    /// Completions after an edge of a reel that start something.
    fn special_after(&self, edge: Edge, reel: usize, nodes_after: Option<&Vec<u64>>) -> u64 {
        match edge {
            Edge { value, .. } if u64::from(value) == EVENT => self.windows_after(reel + 1),
            Edge { next: END, .. } => 0,
            Edge { next, .. } => nodes_after.map_or(0, |nodes| nodes[next as usize]),
        }
    }
}
