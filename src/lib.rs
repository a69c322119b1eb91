//! Monte-Carlo simulation of slot games with progressive jackpots.

pub mod cli;
pub mod config;
pub mod exact;
pub mod game;
pub mod metrics;
pub mod money;
pub mod parity;
pub mod pool;
pub mod redis_link;
pub mod report;
pub mod rng;
pub mod sim;
pub mod tally;
pub mod tune;
