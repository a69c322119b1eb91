//! Exact answers: what the rules alone say that a run should show. Nothing here may use `sim`: that the two agree is
//! evidence only as long as neither knows the other.

pub mod base;
pub mod elementary;
pub mod jackpot;
