//! The workbench: exact points of a sweep, and spins that points share.

use jackpot::config::Override;
use jackpot::sim::reuse::PlayedSpins;
use jackpot::sim::{Options, Plan, Silent, run};
use jackpot::tune::evaluate::Workbench;
use rayon::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};

/// Exact points of one sample.
pub const POINTS: u64 = 2_000;

/// Spins of the run that points share.
pub const SPINS: u64 = 20_000_000;

fn house() -> Workbench {
    Workbench::open(Path::new("configs/house.toml"), &[]).expect("the house game")
}

fn change(text: String) -> Override {
    text.parse().expect("a change")
}

/// Exact figures of games that differ in one rate, on all cores; the play is enumerated before.
pub fn exact_points(points: u64) -> Duration {
    let house = house();
    house.variation(&[]).expect("the house game");
    let clock = Instant::now();
    let all: f64 = (0..points)
        .into_par_iter()
        .map(|point| {
            let rate = change(format!("grand.contribution=0.{:05}%", point % 50_000 + 1));
            house.variation(&[rate]).expect("a game").readings().value("rtp").expect("it is known")
        })
        .sum();
    assert!(all > 0.0);
    clock.elapsed()
}

/// A run of the house game with other jackpots: played anew, or on spins that were played before. One thread.
pub fn jackpots_alone(shared: bool) -> Duration {
    let house = house();
    let model = house.variation(&[]).expect("the house game").model;
    let other = house.variation(&[change("mini.trigger.odds=1000".into())]).expect("a game").model;
    let plan = Plan::new(1, SPINS);
    let spins = PlayedSpins::new(&model.game, &model.jackpots, &plan, &Silent).expect("spins").expect("all of them");
    let clock = Instant::now();
    let done = match shared {
        true => spins.run(&other.game, &other.jackpots, None).expect("a run"),
        false => run(&other.game, &other.jackpots, &plan, Options::default(), &Silent).expect("a run"),
    };
    assert!(done.complete);
    clock.elapsed()
}
