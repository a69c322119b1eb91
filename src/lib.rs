//! Monte-Carlo simulation of slot games with progressive jackpots.

pub mod game;
pub mod money;
pub mod pool;
