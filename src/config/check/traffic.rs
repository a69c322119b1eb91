//! How much a game is played: what turns spins into days.

use super::limit;
use crate::config::Traffic;
use crate::config::findings::Notes;
use crate::config::wire::WireTraffic;

/// Most spins a day: all the world's slots together make fewer.
const SPINS_PER_DAY_MAX: u64 = 1_000_000_000_000;

/// `None` if it can't be read.
pub fn traffic(notes: &Notes, wire: &WireTraffic) -> Option<Traffic> {
    let spins_per_day = limit(notes, wire.spins_per_day.as_ref()?, "`spins_per_day`", 1, SPINS_PER_DAY_MAX)?;
    Some(Traffic { spins_per_day, from: wire.from.as_ref().map(|from| from.value) })
}
