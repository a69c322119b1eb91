//! The conservation law, checked at the end of every run.

use super::failure::Failure;
use crate::report::result::RunResult;

/// Refuses a result whose money doesn't add up.
pub fn check(result: &RunResult) -> Result<(), Failure> {
    let pools = result.levels.iter().flat_map(|level| &level.pools);
    let broken: Vec<String> = pools
        .filter(|pool| pool.tally.residue() != 0 || pool.tally.reserve_residue() != 0)
        .map(|pool| {
            let tally = &pool.tally;
            format!(
                "{}: opening {} + contributions {} + seeds {} + top-ups {} + from reserve {} + received {} - paid {} - closing {} - \
                 overflow {} = {}; reserve: in {} - used {} - released {} - closing {} = {}",
                pool.field,
                tally.opening,
                tally.contributions,
                tally.seeds,
                tally.top_ups,
                tally.from_reserve,
                tally.received,
                tally.paid,
                tally.closing,
                tally.overflow,
                tally.residue(),
                tally.hidden,
                tally.from_reserve,
                tally.released,
                tally.reserve_closing,
                tally.reserve_residue()
            )
        })
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(Failure::Conservation(broken.join("\n"))) }
}
