//! How many cells of a window show a symbol: exact counts over all stops.

use num_bigint::BigInt;
use num_traits::Zero;

use crate::config::amount::{Exact, whole};
use crate::game::{Strip, Symbol, SymbolId, by_count};

/// A scatter, and whether it counts once a reel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scatter {
    pub symbol: SymbolId,
    pub once_a_reel: bool,
}

impl Scatter {
    pub fn of(symbols: &[Symbol], symbol: SymbolId) -> Self {
        let once_a_reel = symbols.get(usize::from(symbol)).is_some_and(|symbol| symbol.once_a_reel);
        Self { symbol, once_a_reel }
    }
}

/// Combinations of (weighted) stops by the number of cells that count for a scatter, from 0.
pub(super) fn distribution(set: &[Strip], rows: usize, scatter: Scatter) -> Vec<BigInt> {
    let mut total = vec![BigInt::from(1)];
    for strip in set {
        let mut reel = vec![0u64; rows + 1];
        for (top, &weight) in strip.weights.iter().enumerate() {
            let shows = |row: &usize| strip.stops[(top + row) % strip.stops.len()] == scatter.symbol;
            let count = (0..rows).filter(shows).count().min(if scatter.once_a_reel { 1 } else { rows });
            reel[count] += weight;
        }
        let mut next = vec![BigInt::zero(); total.len() + rows];
        for (so_far, ways) in total.iter().enumerate() {
            for (count, &weight) in reel.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                next[so_far + count] += ways * weight;
            }
        }
        total = next;
    }
    total
}

/// Most cells that can count.
pub(super) fn most(set: &[Strip], rows: usize, scatter: Scatter) -> usize {
    distribution(set, rows, scatter).iter().rposition(|ways| !ways.is_zero()).unwrap_or(0)
}

/// Mean of a table by count: spins awarded per spin.
pub(super) fn mean_award(set: &[Strip], rows: usize, scatter: Scatter, awards: &[u64]) -> Exact {
    let ways = distribution(set, rows, scatter);
    let sum = ways.iter().enumerate().map(|(count, ways)| ways * by_count(awards, count)).sum();
    let cycle: BigInt = ways.iter().sum();
    if cycle.is_zero() { whole(0) } else { Exact::new(sum, cycle) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_per_stop_around_the_end() {
        let strip = Strip { stops: vec![0, 1, 1, 2], weights: vec![1, 1, 1, 3] };
        // Windows of two rows from the top: 0 1, 1 1, 1 2, 2 0 (three times).
        let one = Scatter { symbol: 1, once_a_reel: false };
        let two = Scatter { symbol: 2, once_a_reel: false };
        let counts = distribution(std::slice::from_ref(&strip), 2, one);
        assert_eq!(counts, [3, 2, 1].map(BigInt::from));
        assert_eq!(most(&[strip.clone(), strip.clone()], 2, one), 4);
        let once = Scatter { once_a_reel: true, ..one };
        assert_eq!(distribution(std::slice::from_ref(&strip), 2, once), [3, 3, 0].map(BigInt::from));
        assert_eq!(distribution(std::slice::from_ref(&strip), 2, two), [2, 4, 0].map(BigInt::from));
        assert_eq!(mean_award(&[strip], 2, one, &[0, 12]), Exact::from_integer(2.into()));
    }
}
