//! The engine: plays chunks of spins in parallel and commits what they did to the pools.
//!
//! [`plan`] cuts a run into chunks and shards; [`play`] plays a chunk, pure and in parallel, to a tally and to small
//! [`facts`]; [`commit`] applies the facts in order to the pools; [`live`] lets every thread add and claim for itself;
//! [`run`] puts them together, and [`reuse`] for many games at once that differ in jackpots alone. The definition of a run is the in-order commit: chunk after chunk, spin after spin.

mod account;
mod bets;
mod books;
pub mod commit;
pub mod compiled;
pub mod facts;
mod features;
pub mod live;
pub mod observer;
pub mod plan;
pub mod play;
mod points;
pub mod reuse;
pub mod run;
pub mod stages;
mod sticky;
mod timeline;

pub use observer::{Observer, Progress, Silent};
pub use plan::{CHUNK_SPINS, Plan, Shard};
pub use run::{Commit, Options, Run, RunError, merge, run};
