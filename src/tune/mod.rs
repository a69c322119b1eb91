//! The designer's workbench: named exact figures of a game, grids of variations, and the values that meet a target.

pub mod evaluate;
pub mod figures;
pub mod knob;
pub mod solve;
pub mod sweep;
pub mod target;
pub mod vary;
