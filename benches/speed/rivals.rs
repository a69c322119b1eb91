//! What one would write without this engine: the same work done naively.

use jackpot::config::Model;
use jackpot::game::window::{Evaluator, Mode};
use jackpot::game::{Play, Reels};
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

/// What a careful programmer writes first for classic-hits: draws stops, fills the window, reads each line from the left
/// with wilds, adds to three pools of the bet and pays what has reached its cap. All in f64, spin by spin, no tables but
/// the paytable.
pub fn naive_game(model: &Model, spins: u64) -> Duration {
    let Play::Reels(reels) = &model.game.play else { panic!("a game of reels") };
    let naive = Naive::new(reels);
    let evaluator = Evaluator::new(reels, Mode::Paid);
    let mut stream = Stream::new(1, Purpose::Reels, 0, 0);
    for _ in 0..1_000 {
        let stops = naive.stops(&mut stream);
        let same = naive.pay(&stops) == evaluator.outcome(&stops).pay;
        assert!(same, "the rival does the same work");
    }
    let mut pools = [[0.0f64; BETS as usize]; LEVELS];
    let bets = [0.15, 0.30, 0.45, 0.75, 1.50];
    let mut paid = 0.0;
    let clock = Instant::now();
    for _ in 0..spins {
        let bet = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4][stream.below(20) as usize];
        let stops = naive.stops(&mut stream);
        paid += naive.pay(&stops) as f64 / 15.0 * bets[bet];
        for ((level, share), cap) in pools.iter_mut().zip([0.02, 0.01, 0.004]).zip([3.0, 12.5, 75.0]) {
            level[bet] += bets[bet] * share;
            if level[bet] >= cap * bets[bet] / 0.15 {
                paid += level[bet];
                level[bet] = 0.0;
            }
        }
    }
    black_box(paid);
    clock.elapsed()
}

struct Naive {
    strips: Vec<Vec<u8>>,
    lines: Vec<[usize; 5]>,
    wild: u8,
    wild_stands_for: Vec<bool>,
    /// By symbol and count.
    pays: Vec<[u64; 6]>,
}

impl Naive {
    fn new(reels: &Reels) -> Self {
        let wild = reels.symbols.iter().position(|symbol| symbol.wild.is_some()).expect("classic-hits has a wild");
        let rules = reels.symbols[wild].wild.as_ref().expect("just found");
        let mut pays = vec![[0; 6]; reels.symbols.len()];
        for pay in &reels.line_pays {
            pays[usize::from(pay.of[0])][1..].copy_from_slice(&pay.pays);
        }
        Self {
            strips: reels.strip_sets[0].iter().map(|strip| strip.stops.clone()).collect(),
            lines: reels.lines.iter().map(|line| std::array::from_fn(|reel| line[reel])).collect(),
            wild: wild as u8,
            wild_stands_for: (0..reels.symbols.len() as u8).map(|symbol| !rules.not_for.contains(&symbol)).collect(),
            pays,
        }
    }

    fn stops(&self, stream: &mut Stream) -> [usize; 5] {
        std::array::from_fn(|reel| stream.below(self.strips[reel].len() as u64) as usize)
    }

    fn pay(&self, stops: &[usize; 5]) -> u64 {
        let window: [[u8; 3]; 5] = std::array::from_fn(|reel| {
            let strip = &self.strips[reel];
            std::array::from_fn(|row| strip[(stops[reel] + row) % strip.len()])
        });
        self.lines.iter().map(|line| self.line(std::array::from_fn(|reel| window[reel][line[reel]]))).sum()
    }

    fn line(&self, line: [u8; 5]) -> u64 {
        let wilds = line.iter().take_while(|&&symbol| symbol == self.wild).count();
        let of_wilds = self.pays[usize::from(self.wild)][wilds];
        let Some(&symbol) = line.get(wilds) else { return of_wilds };
        if wilds > 0 && !self.wild_stands_for[usize::from(symbol)] {
            return of_wilds;
        }
        let stands = self.wild_stands_for[usize::from(symbol)];
        let run = line.iter().take_while(|&&other| other == symbol || (other == self.wild && stands)).count();
        of_wilds.max(self.pays[usize::from(symbol)][run])
    }
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
