//! The designer's workbench: named exact figures of a game, grids of variations, and the values that meet a target.

pub mod figures;
