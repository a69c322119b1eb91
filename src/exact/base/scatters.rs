//! How many cells of the window show a scatter: a sum over independent reels.

use crate::game::rules::{Reels, SymbolId};

/// Windows in which so many cells (the index) show a symbol; virtual stops count each.
pub fn windows_by_count(reels: &Reels, strip_set: usize, symbol: SymbolId) -> Vec<u128> {
    let mut windows: Vec<u128> = vec![1];
    for strip in &reels.strip_sets[strip_set] {
        let mut on_reel = vec![0u128; reels.rows + 1];
        for (stop, &weight) in strip.weights.iter().enumerate() {
            let shows = |row: &usize| strip.stops[(stop + row) % strip.stops.len()] == symbol;
            on_reel[(0..reels.rows).filter(shows).count()] += u128::from(weight);
        }
        let mut sum = vec![0; windows.len() + reels.rows];
        for (before, &ways) in windows.iter().enumerate() {
            for (here, &weight) in on_reel.iter().enumerate() {
                sum[before + here] += ways * weight;
            }
        }
        windows = sum;
    }
    while windows.len() > 1 && windows.last() == Some(&0) {
        windows.pop();
    }
    windows
}
