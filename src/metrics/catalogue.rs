//! What each name means, in which unit, and who can tell it: the exact answer, a run, or both.

use super::{Reading, Unit};

/// What a name is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The game as a whole.
    Game,
    /// A level, or one pool of it: `LEVEL.name`, `LEVEL@BET.name`.
    Level,
}

/// One entry of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Without the level before it.
    pub name: &'static str,
    pub scope: Scope,
    pub unit: Unit,
    /// Whether `jackpot exact` can tell it, and whether a run can.
    pub exact: bool,
    pub run: bool,
    /// Whether it stands in the table of repeated runs.
    pub headline: bool,
    /// Short, for tables.
    pub words: &'static str,
    pub meaning: &'static str,
}

const BOTH: (bool, bool) = (true, true);
const EXACT: (bool, bool) = (true, false);
const RUN: (bool, bool) = (false, true);

const fn game(
    name: &'static str,
    unit: Unit,
    (exact, run): (bool, bool),
    headline: bool,
    words: &'static str,
    meaning: &'static str,
) -> Definition {
    Definition { name, scope: Scope::Game, unit, exact, run, headline, words, meaning }
}

const fn level(
    name: &'static str,
    unit: Unit,
    (exact, run): (bool, bool),
    headline: bool,
    words: &'static str,
    meaning: &'static str,
) -> Definition {
    Definition { name, scope: Scope::Level, unit, exact, run, headline, words, meaning }
}

use Unit::{Bets, Currency, Days, Number, Share, Spins};

/// Every name. Those of a published PAR sheet stand beside these in `jackpot exact`.
pub const CATALOGUE: [Definition; 50] = [
    game("rtp", Share, BOTH, true, "RTP, %", "paid / wagered: base, features and jackpots"),
    game("rtp_accrued", Share, RUN, true, "accrued, %", "the same, with the growth of the pools counted as paid"),
    game("base", Share, BOTH, true, "base, %", "part of RTP that the base game returns"),
    game("features", Share, BOTH, true, "features, %", "part of RTP that free spins and bonuses return"),
    game("without_jackpots", Share, BOTH, false, "without jackpots, %", "base and features together"),
    game("jackpots", Share, BOTH, true, "jackpots, %", "part of RTP that all levels pay"),
    game("jackpots_accrued", Share, RUN, true, "jackpots accrued, %", "the same, with the growth of the pools"),
    game("hit_frequency", Share, BOTH, true, "hit frequency, %", "share of spins that pay anything before jackpots"),
    game("hit_or_trigger", Share, BOTH, false, "hit or trigger, %", "share of spins that pay or start a feature"),
    game("win_of_bet", Share, BOTH, false, "win of the bet, %", "share of spins that pay at least their bet"),
    game("sigma", Bets, BOTH, true, "sigma, x bet", "standard deviation of a spin's return before jackpots"),
    game("sigma_base", Bets, BOTH, false, "sigma of the base, x bet", "the same of the base game alone"),
    game("vi", Number, BOTH, false, "volatility index", "sigma x z: 1.645, or the z of the PAR sheet in `exact`"),
    game("jackpot_hits", Number, RUN, false, "jackpot hits", "hits of all levels"),
    game("liability", Currency, RUN, false, "liability", "all meters minus all seeds, at the end"),
    game("overflow", Currency, RUN, false, "overflow", "growth above caps that left the pools"),
    level("rtp", Share, BOTH, true, "RTP, %", "what the level pays / all that is wagered"),
    level("rtp_accrued", Share, RUN, true, "accrued, %", "the same, with the growth of its pools counted as paid"),
    level("rtp_seed", Share, BOTH, false, "RTP of seeds, %", "the part of it that is seed"),
    level("rtp_growth", Share, BOTH, false, "RTP of growth, %", "the part of it that is growth"),
    level("hits", Number, RUN, true, "hits", "times that it was won"),
    level("spins_per_hit", Spins, BOTH, false, "spins a hit", "spins of the game, at any bet, for each hit"),
    level("gap_mean", Spins, BOTH, false, "gap", "spins at the bets of a pool between its hits: mean"),
    level("gap_median", Spins, BOTH, false, "median gap", "the same: half of the gaps are at most so long"),
    level("gap_95", Spins, BOTH, false, "95 % of gaps", "the same: 95 % of the gaps are at most so long"),
    level("gap_max", Spins, RUN, false, "longest gap", "longest run of such spins without a hit"),
    level("hits_per_day", Number, BOTH, false, "hits a day", "hits on a day of [traffic] spins_per_day"),
    level("days_per_hit", Days, BOTH, false, "days a hit", "mean days between hits of the level"),
    level("days_95", Days, BOTH, false, "95 % within", "95 % of the gaps of a pool are at most so many days"),
    level("coin_in", Currency, BOTH, false, "coin-in a hit", "wagered at the bets of the level for each hit"),
    level("amount_mean", Currency, BOTH, true, "mean amount", "mean of the amounts won"),
    level("amount_sd", Currency, BOTH, false, "SD of amounts", "their standard deviation"),
    level("amount_median", Currency, RUN, false, "median amount", "half of the amounts are at most so large"),
    level("amount_95", Currency, RUN, false, "95 % of amounts", "95 % of the amounts are at most so large"),
    level("amount_99", Currency, RUN, false, "99 % of amounts", "99 % of the amounts are at most so large"),
    level("amount_min", Currency, RUN, false, "least", "least amount won"),
    level("amount_max", Currency, RUN, true, "largest", "largest amount won"),
    level(
        "rtp_limit",
        Share,
        EXACT,
        false,
        "RTP in the limit",
        "of a must-hit-by, in the limit of bets small beside its span",
    ),
    level(
        "amount_limit",
        Currency,
        EXACT,
        false,
        "amount in the limit",
        "mean amount in the limit of bets that are small beside its growth",
    ),
    level("coin_in_limit", Currency, EXACT, false, "coin-in in the limit", "coin-in a hit in the same limit"),
    level("overflow_mean", Currency, BOTH, false, "overflow a hit", "what a hit leaves above the cap, on average"),
    level(
        "reserve_short",
        Share,
        BOTH,
        false,
        "reserve short, %",
        "share of resets at which the reserve is short of the seed",
    ),
    level("top_up_mean", Currency, BOTH, false, "top-up a hit", "what the house adds to short reserves, for each hit"),
    level("break_even", Currency, EXACT, false, "break-even", "meter at which the next bet returns its stake"),
    level(
        "break_even_to_hit",
        Currency,
        EXACT,
        false,
        "break-even to the hit",
        "the same for whoever plays until it hits",
    ),
    level("meter", Currency, RUN, false, "meter", "what its next hits would pay, at the end"),
    level("liability", Currency, RUN, true, "liability", "meters minus seeds, at the end"),
    level("reserve", Currency, RUN, false, "reserve", "what its reserves hold at the end"),
    level("overflow", Currency, RUN, false, "overflow", "growth above the cap that left its pools"),
    level("suppressed", Number, RUN, false, "suppressed", "hits lost because another level won the spin"),
];

/// The entry of a name: without level, or behind a level and a dot.
pub fn definition(name: &str) -> Option<&'static Definition> {
    let (scope, short) = match name.rsplit_once('.') {
        Some((_, short)) => (Scope::Level, short),
        None => (Scope::Game, name),
    };
    CATALOGUE.iter().find(|definition| definition.scope == scope && definition.name == short)
}

/// Whether a run of a game with these levels, each with its number of pools, can have a figure of this name; if not, what to
/// say.
pub fn of_a_run(name: &str, levels: &[(&str, usize)]) -> Result<(), String> {
    let known = definition(name).filter(|definition| definition.run);
    let Some((place, short)) = name.rsplit_once('.') else {
        let of_levels = name.starts_with("jackpot") || ["liability", "overflow"].contains(&name);
        return match known {
            Some(_) if of_levels && levels.is_empty() => Err(format!("the game has no jackpot level, so no {name}")),
            Some(_) => Ok(()),
            None => Err(unknown(name, levels)),
        };
    };
    let (level, pool) = place.split_once('@').map_or((place, None), |(level, pool)| (level, Some(pool)));
    let pools = levels.iter().find(|(known, _)| *known == level).map(|&(_, pools)| pools);
    let has_pool = |pools: usize| match pool {
        None => true,
        // What a level returns is not told of its pools.
        Some(pool) => pools > 1 && !short.starts_with("rtp") && pool.parse::<usize>().is_ok_and(|pool| pool < pools),
    };
    if known.is_some() && pools.is_some_and(has_pool) { Ok(()) } else { Err(unknown(name, levels)) }
}

fn unknown(name: &str, levels: &[(&str, usize)]) -> String {
    let mut readings = super::Readings::default();
    for entry in CATALOGUE.iter().filter(|entry| entry.run) {
        let mut add = |name: String| readings.add(Reading::exact(name, entry.unit, None));
        match entry.scope {
            Scope::Game => add(entry.name.to_owned()),
            Scope::Level => levels.iter().for_each(|(level, pools)| {
                add(format!("{level}.{}", entry.name));
                (0..*pools).filter(|_| *pools > 1).for_each(|pool| add(format!("{level}@{pool}.{}", entry.name)));
            }),
        }
    }
    readings.unknown(name)
}

/// A name in words: "grand: mean amount".
pub fn words(name: &str) -> String {
    let words = definition(name).map_or(name, |definition| definition.words);
    match name.rsplit_once('.') {
        Some((level, _)) => format!("{level}: {words}"),
        None => words.to_owned(),
    }
}

/// Whether a name stands in the table of repeated runs: game and level figures, not those of pools.
pub fn is_headline(name: &str) -> bool {
    definition(name).is_some_and(|definition| definition.headline) && !name.contains('@')
}

/// What to say of a name that exists, but not among these.
pub fn is_known_elsewhere(name: &str, readings: &[Reading]) -> Option<String> {
    let definition = definition(name)?;
    let of_known_level = match name.rsplit_once('.') {
        Some((level, _)) => readings.iter().any(|reading| reading.name.starts_with(&format!("{level}."))),
        None => true,
    };
    if !of_known_level {
        return None;
    }
    // Every run has this figure, and no sheet.
    let of_a_run = readings.iter().any(|reading| reading.name == "rtp_accrued");
    Some(match (definition.exact, definition.run) {
        (true, false) => format!("{} is known exactly only: ask `jackpot exact`", definition.name),
        (false, true) if !of_a_run => {
            format!("{} is known of a run only: ask `jackpot run` or `report`", definition.name)
        }
        _ if definition.unit == Days || definition.name == "hits_per_day" => {
            "days need the game's traffic: write [traffic] with spins_per_day = 50_000".to_owned()
        }
        _ => format!("this game has no {}", definition.name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_once_and_has_a_meaning() {
        for (position, entry) in CATALOGUE.iter().enumerate() {
            let twice =
                CATALOGUE[..position].iter().any(|other| (other.scope, other.name) == (entry.scope, entry.name));
            assert!(!twice && !entry.meaning.is_empty() && (entry.exact || entry.run), "{}", entry.name);
        }
    }

    #[test]
    fn names_are_found_behind_their_level() {
        assert_eq!(definition("mini@2.amount_mean").unwrap().unit, Unit::Currency);
        assert_eq!(words("grand.amount_mean"), "grand: mean amount");
        assert!(is_headline("grand.hits") && !is_headline("mini@0.hits") && !is_headline("vi"));
        assert_eq!(definition("grand.vi"), None);
    }

    #[test]
    fn a_run_is_asked_only_for_what_it_can_tell() {
        let levels = [("mini", 2), ("grand", 1)];
        let good = ["rtp", "mini.hits", "mini@1.hits", "grand.rtp"];
        good.iter().for_each(|name| assert_eq!(of_a_run(name, &levels), Ok(()), "{name}"));
        for name in ["rtb", "mini@2.hits", "grand@0.hits", "mini@1.rtp", "major.hits", "grand.break_even", "hits"] {
            assert!(of_a_run(name, &levels).is_err(), "{name}");
        }
        assert!(of_a_run("grand.amuont_mean", &levels).unwrap_err().contains("did you mean grand.amount_mean?"));
        assert!(of_a_run("grand.break_even", &levels).unwrap_err().contains("jackpot exact"));
    }
}
