//! What one would write without this engine: the same work done naively.

use jackpot::config::Model;
use jackpot::game::Play;
use jackpot::game::window::{Evaluator, Mode};
use jackpot::pool::MemoryPools;
use jackpot::rng::{Purpose, Stream};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Spins that one measurement makes.
pub const SPINS: u64 = 1_000_000;

const BETS: u64 = 5;
const LEVELS: usize = 3;

/// Draws stops, builds the window and values every line, spin by spin.
pub fn naive_window(model: &Model, spins: u64) -> Duration {
    let Play::Reels(reels) = &model.game.play else { panic!("a game of reels") };
    let evaluator = Evaluator::new(reels, Mode::Paid);
    let mut stream = Stream::new(1, Purpose::Reels, 0, 0);
    let lengths: Vec<u64> = reels.strip_sets[0].iter().map(|strip| strip.stops.len() as u64).collect();
    let clock = Instant::now();
    let mut paid = 0;
    for _ in 0..spins {
        let stops: Vec<usize> = lengths.iter().map(|&length| stream.below(length) as usize).collect();
        paid += evaluator.outcome(&stops).pay;
    }
    black_box(paid);
    clock.elapsed()
}

/// Adds a spin's share to three pools of a random bet, on several threads at once; the time of a spin is the wall time
/// over all spins of all threads.
fn pools(threads: usize, spins: u64, add: impl Fn(usize) + Sync) -> Duration {
    let each = spins / threads as u64;
    let clock = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let add = &add;
            scope.spawn(move || {
                let mut stream = Stream::new(1, Purpose::Bets, thread as u64, 0);
                for _ in 0..each {
                    let bet = stream.below(BETS) as usize;
                    (0..LEVELS).for_each(|level| add(level * BETS as usize + bet));
                }
            });
        }
    });
    clock.elapsed()
}

/// The product's own padded pools, and nothing else.
pub fn atomics(threads: usize, spins: u64) -> Duration {
    let store = MemoryPools::new(LEVELS * BETS as usize);
    pools(threads, spins, |pool| {
        black_box(store.add(pool, 3));
    })
}

/// Pools of f64 bits, exchanged until nobody interferes.
pub fn f64_compare_and_swap(threads: usize, spins: u64) -> Duration {
    let store: Vec<AtomicU64> = (0..LEVELS * BETS as usize).map(|_| AtomicU64::new(0)).collect();
    pools(threads, spins, |pool| {
        let add = |bits| Some((f64::from_bits(bits) + 0.03).to_bits());
        let _ = black_box(store[pool].fetch_update(Ordering::Relaxed, Ordering::Relaxed, add));
    })
}

/// Pools in a hash map behind one lock.
pub fn mutex_map(threads: usize, spins: u64) -> Duration {
    let store: Mutex<HashMap<usize, f64>> = Mutex::default();
    pools(threads, spins, |pool| {
        *store.lock().expect("no thread panics").entry(pool).or_insert(0.0) += 0.03;
    })
}
