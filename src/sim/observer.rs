//! How a run tells the outside where it is, and is told to stop.

/// Where a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    pub spins_done: u64,
    pub spins: u64,
    /// Pool units, all before jackpots.
    pub wagered: u128,
    /// Pool units, base and features.
    pub paid: u128,
}

/// Told of progress between waves of chunks; both methods are called from one thread at a time.
pub trait Observer: Sync {
    /// After each wave.
    fn progress(&self, _progress: &Progress) {}

    /// Whether the run should end after what is already played.
    fn stop_requested(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}
