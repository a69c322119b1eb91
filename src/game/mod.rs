//! What one spin can pay: bets, reels, pays, features, outcome tables.
//!
//! This module owns the rules of a game as exact integers ([`Game`]) and what follows from them alone: the value of a
//! window ([`window`]), the compiled form that the engine plays ([`diagram`]), outcomes in the order
//! of their pay ([`pay_classes`]), and weighted draws ([`weighted`]). It
//! draws no random number by itself, keeps no money, and knows nothing of pools, stores or reports.
//!
//! Everything that a spin pays is a whole number of *return units*: the total bet divided by
//! [`Game::return_scale`]. A line pay of 5 x line bet in a game of 20 lines is 5 units at a scale of 20.

pub mod automaton;
pub mod columns;
pub mod diagram;
pub mod pay_classes;
pub mod rules;
pub mod ways;
pub mod weighted;
pub mod window;

pub use rules::*;
