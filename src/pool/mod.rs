//! The money of jackpots: rules of a level, the pools, and the stores that hold them.
//!
//! A pool is the money of one (bet index, level); a linked level has one for all bets. [`rules`] says what a level does
//! with money; [`PoolStore`] holds balances and knows nothing of rules.

pub mod rules;

pub use rules::*;
