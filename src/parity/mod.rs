//! Parity: whether a Redis does what the model does.

pub mod amount;
pub mod extended;
pub mod target;
pub mod record;
