//! In words, how exact an expectation is.

use crate::pool::{Jackpots, Overflow, ThresholdLaw, Trigger};

/// What else than the rules decides how exact the expectation of a pool is.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances {
    /// It is fed by bets of several contributions or odds.
    pub mixed: bool,
    /// It does not open at its seed.
    pub opened: bool,
    /// Its must-hit-by is too long to be followed spin by spin.
    pub cut: bool,
    /// A piece of its threshold is hardly wider than a contribution.
    pub narrow: bool,
    /// Its run is longer than was followed, and its hits still come in step with the start.
    pub unsettled: bool,
}

/// "exact", or what was neglected for a pool of this level.
pub fn basis(jackpots: &Jackpots, level_index: usize, circumstances: Circumstances) -> String {
    let Circumstances { mixed, opened, cut, narrow, unsettled } = circumstances;
    let level = &jackpots.levels[level_index];
    let mut neglected: Vec<&str> = Vec::new();
    match &level.trigger {
        Trigger::Odds { .. } | Trigger::Symbols => {
            if mixed {
                neglected.push("the order of the bets, of the relative size of the hit probability");
            }
            match (&level.caps, level.overflow) {
                (Some(_), Overflow::NextSeed) => {
                    neglected.push("overflow held at the end is approximate (long-run RTP is not, below the cap)");
                }
                (Some(_), Overflow::House | Overflow::Level(_)) if opened => {
                    neglected.push("an opening nearer the cap overflows sooner");
                }
                _ => {}
            }
        }
        Trigger::MustHitBy { law: ThresholdLaw::Uniform | ThresholdLaw::Weighted { .. }, .. } => {
            let is_weighted = matches!(level.trigger, Trigger::MustHitBy { law: ThresholdLaw::Weighted { .. }, .. });
            if mixed {
                neglected.push("the order of the bets, a relative contribution / (bound - seed) of the variances");
            }
            if cut {
                neglected.push(if is_weighted {
                    "runs are cut into cells, at most 1 / 100 of the variances"
                } else {
                    "runs are cut into cells, at most 1 / 10,000 of the variances"
                });
            }
            if mixed && narrow {
                neglected.push("where bets of several contributions cross a piece that is hardly wider than they are");
            }
            if unsettled {
                neglected.push("hits that still come in step with the start of the run");
            }
            match (&level.caps, level.overflow) {
                (Some(_), Overflow::House | Overflow::Level(_)) => {
                    neglected.push("how the excess over the bound varies");
                }
                (Some(_), Overflow::NextSeed) => neglected.push("how the excess over the bound that is carried varies"),
                (None, _) => {}
            }
        }
        Trigger::MustHitBy { law: ThresholdLaw::AtCap, .. } => {
            neglected.push(if mixed {
                "a sawtooth whose overshoot depends on the order of the bets: compare within the tolerance"
            } else {
                "a sawtooth without variance: compare within the tolerance"
            });
        }
    }
    if matches!((&level.trigger, level.overflow), (Trigger::Odds { .. } | Trigger::Symbols, Overflow::Level(_))) {
        neglected.push("how what stands above the cap at the end varies");
    }
    if jackpots.levels.iter().any(|other| other.overflow == Overflow::Level(level_index)) {
        neglected.push("what other levels send is taken as an even part of each spin");
    }
    if let Some(place) = jackpots.exclusive.iter().position(|&level| level == level_index) {
        let kind = |level: usize| &jackpots.levels[level].trigger;
        let higher = &jackpots.exclusive[..place];
        match kind(level_index) {
            Trigger::MustHitBy { .. } if !higher.is_empty() => {
                neglected.push("a hit that a higher level defers by a spin");
            }
            Trigger::Odds { .. } | Trigger::Symbols
                if higher.iter().any(|&level| !matches!(kind(level), Trigger::Odds { .. })) =>
            {
                neglected.push("suppression by higher levels is taken as independent");
            }
            _ => {}
        }
    }
    if neglected.is_empty() { "exact".to_owned() } else { neglected.join("; ") }
}
