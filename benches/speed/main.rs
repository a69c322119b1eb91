//! The published speed figures, each as nanoseconds per spin and as a ratio to something measured in the same run.
//!
//! A run is timed as the difference between two lengths, so that set-up doesn't count: 300 M and 100 M spins for
//! classic-hits, 40 M and 10 M elsewhere. Criterion takes the samples; the table at the end is made from its medians.

mod games;
mod rivals;
mod workbench;

use criterion::{Criterion, SamplingMode};
use games::{classic_hits, outcome_game, sizzling};
use jackpot::config::Model;
use jackpot::sim::{Commit, Options, Plan, Silent, run};
use std::time::{Duration, Instant};

/// Two lengths of run, in spins.
type Lengths = (u64, u64);

const FULL: Lengths = (100_000_000, 300_000_000);
const BRIEF: Lengths = (10_000_000, 40_000_000);

fn timed(model: &Model, spins: u64, threads: usize, commit: Commit) -> Duration {
    let options = Options { threads, commit, ..Options::default() };
    let clock = Instant::now();
    let run = run(&model.game, &model.jackpots, &Plan::new(1, spins), options, &Silent).expect("a run");
    assert_eq!(run.spins_done, spins);
    clock.elapsed()
}

/// Time of the spins by which the longer run is longer.
fn difference(model: &Model, (short, long): Lengths, threads: usize, commit: Commit) -> Duration {
    timed(model, long, threads, commit).saturating_sub(timed(model, short, threads, commit))
}

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("speed");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).warm_up_time(Duration::from_millis(1));
    let mut engine = |name: &str, model: &Model, lengths: Lengths, threads: usize, commit: Commit| {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| difference(model, lengths, threads, commit)).sum())
        });
    };
    let classic = classic_hits();
    engine("classic-hits-1", &classic, FULL, 1, Commit::Ordered);
    engine("classic-hits-2", &classic, FULL, 2, Commit::Ordered);
    engine("classic-hits-live-2", &classic, BRIEF, 2, Commit::Live);
    engine("sizzling-1", &sizzling(), BRIEF, 1, Commit::Ordered);
    for (name, bets) in [("pools-4", 1), ("pools-40", 10), ("pools-400", 100), ("pools-4000", 1000)] {
        engine(name, &outcome_game(bets), BRIEF, 1, Commit::Ordered);
    }
    let mut rival = |name: &str, task: &dyn Fn(u64) -> Duration| {
        group.bench_function(name, |bencher| bencher.iter_custom(|times| task(times * rivals::SPINS)));
    };
    rival("naive-game", &|spins| rivals::naive_game(&classic, spins));
    rival("atomics-2", &|spins| rivals::atomics(2, spins));
    rival("f64-swap-2", &|spins| rivals::f64_compare_and_swap(2, spins));
    rival("mutex-map-2", &|spins| rivals::mutex_map(2, spins));
    let mut bench = |name: &str, task: &dyn Fn() -> Duration| {
        group.bench_function(name, |bencher| bencher.iter_custom(|times| (0..times).map(|_| task()).sum()));
    };
    bench("exact-points", &|| workbench::exact_points(workbench::POINTS));
    bench("jackpots-anew", &|| workbench::jackpots_alone(false));
    bench("jackpots-shared", &|| workbench::jackpots_alone(true));
    group.finish();
}

/// Median nanoseconds per spin that criterion kept for a benchmark.
fn median(name: &str, spins: u64) -> Option<f64> {
    let path = format!("target/criterion/speed/{name}/new/estimates.json");
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into());
    let text = std::fs::read_to_string(path.replacen("target", &target, 1)).ok()?;
    let estimates: serde_json::Value = serde_json::from_str(&text).ok()?;
    Some(estimates["median"]["point_estimate"].as_f64()? / spins as f64)
}

fn print_table() {
    let (full, brief) = (FULL.1 - FULL.0, BRIEF.1 - BRIEF.0);
    let Some(base) = median("classic-hits-1", full) else { return };
    println!("\n| what | ns/spin | x classic-hits on 1 thread |\n|---|---|---|");
    let row = |name: &str, what: &str, spins: u64| {
        if let Some(time) = median(name, spins) {
            println!("| {what} | {time:.2} | {:.2} |", time / base);
        }
    };
    row("classic-hits-1", "classic-hits, 15 must-hit-by pools, 1 thread", full);
    row("classic-hits-2", "the same, 2 threads", full);
    row("classic-hits-live-2", "the same, 2 threads, `--commit live`", brief);
    row("sizzling-1", "sizzling (5x3, 5 lines), 1 thread", brief);
    row("pools-4", "outcome table, 4 odds pools (1 bet), 1 thread", brief);
    row("pools-40", "outcome table, 40 odds pools (10 bets)", brief);
    row("pools-400", "outcome table, 400 odds pools (100 bets)", brief);
    row("pools-4000", "outcome table, 4,000 odds pools (1,000 bets)", brief);
    row("naive-game", "classic-hits written naively, pools in f64, no statistics, 1 thread", rivals::SPINS);
    row("atomics-2", "bare padded atomics, 3 adds a spin, 2 threads", rivals::SPINS);
    row("f64-swap-2", "compare-and-swap on f64 bits, 3 adds a spin, 2 threads", rivals::SPINS);
    row("mutex-map-2", "mutex and hash map, 3 adds a spin, 2 threads", rivals::SPINS);
    row("jackpots-anew", "house with other jackpots, played anew, 1 thread", workbench::SPINS);
    row("jackpots-shared", "the same on shared spins, as in a sweep", workbench::SPINS);
    if let Some(point) = median("exact-points", workbench::POINTS) {
        println!("\nAn exact point of a sweep of the house game: {:.3} ms on all cores.", point / 1e6);
    }
    if let (Some(one), Some(two)) = (median("classic-hits-1", full), median("classic-hits-2", full)) {
        println!("\nTwo threads: {:.2} x one.", one / two);
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    print_table();
}
