//! A game to begin with: reels, free spins and jackpot levels, each part explained.

use std::fmt::Write;

/// What a starter game is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Starter {
    pub name: String,
    pub currency: String,
    /// Total bets as typed.
    pub bets: Vec<String>,
    /// Names of the levels, the smallest first.
    pub levels: Vec<String>,
    /// Levels with one pool for all bets.
    pub linked: Vec<String>,
}

/// Most bets and levels of a starter.
const BETS_MAX: usize = 20;
const LEVELS_MAX: usize = 12;

/// A level of a given rank: contribution in hundredths of a percent, seed in bets, 1 in so many spins.
const RANKS: [(u32, u64, u64); 4] = [(50, 10, 2_000), (40, 50, 20_000), (30, 500, 400_000), (25, 5_000, 10_000_000)];

impl Starter {
    /// The game file.
    ///
    /// # Errors
    /// Everything that gives no game, a line each.
    pub fn text(&self) -> Result<String, Vec<String>> {
        let errors = self.errors();
        if errors.is_empty() { Ok(self.written()) } else { Err(errors) }
    }

    fn errors(&self) -> Vec<String> {
        let mut errors = Vec::new();
        if self.name.trim().is_empty() || self.name.chars().any(|sign| sign.is_control() || "\"\\".contains(sign)) {
            errors.push(format!("the name {:?} is no name: letters, digits and blanks on one line", self.name));
        }
        if super::currency::minor_digits(&self.currency).is_none() {
            errors.push(format!("{:?} is no currency of ISO 4217, such as USD, EUR or JPY", self.currency));
        }
        if self.bets.is_empty() || self.bets.len() > BETS_MAX {
            errors.push(format!("there are {} bets: give 1 to {BETS_MAX}, such as 0.20,1.00", self.bets.len()));
        }
        for bet in &self.bets {
            let sound = super::amount::number(bet)
                .is_some_and(|bet| bet > super::amount::whole(0) && bet <= super::amount::whole(1_000_000));
            if !sound {
                errors.push(format!("{bet:?} is no bet: give an amount above 0 and up to 1,000,000, such as 0.20"));
            }
        }
        if self.levels.len() > LEVELS_MAX {
            errors.push(format!("there are {} levels: at most {LEVELS_MAX}", self.levels.len()));
        }
        for (place, level) in self.levels.iter().enumerate() {
            let strange = |sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | '-'));
            if level.is_empty() || level.contains(strange) {
                errors.push(format!("{level:?} is no name of a level: letters, digits, - and _ alone"));
            }
            if self.levels[..place].contains(level) {
                errors.push(format!("the level {level} stands twice"));
            }
        }
        for level in self.linked.iter().filter(|level| !self.levels.contains(level)) {
            errors.push(format!("there is no level {level:?} to be linked; the levels are {}", self.levels.join(", ")));
        }
        errors
    }

    fn written(&self) -> String {
        let mut text = String::new();
        let (name, currency) = (&self.name, &self.currency);
        let bets = self.bets.join(", ");
        let mix: Vec<String> = (0..self.bets.len()).map(|place| (self.bets.len() - place).to_string()).collect();
        let _ = write!(
            text,
            r#"# A game to begin with. `jackpot check` finds mistakes, `jackpot exact` prints what it returns, `jackpot run` plays it.
# Editors complete and explain every key after `jackpot schema > game.schema.json`, with this as the first line:
# #:schema ./game.schema.json

name = "{name}"
currency = "{currency}"
source = "our own"                            # where the figures come from

# Who bets what. A bet is the total stake of a spin; its place in the list, from 0, is its bet index.
[bets]
amounts = [{bets}]
mix = [{}]                                    # relative number of spins at each bet

# The reels: a text for each reel, a word for each stop. All stops of a reel are equally likely.
[reels]
rows = 3
strips = [
    "W A K S Q C A Q K C Q A C K Q C K Q C A",
    "A K Q W C S K A C Q K C Q A K C Q K C Q",
    "K Q A C W Q K C S A Q C K Q C A K C Q C",
]

# W stands for every symbol but the scatter.
[symbols]
W = {{ wild = true, not_for = ["S"] }}

# Wins on five lines, from the left, x line bet: for 1, 2 and 3 of a kind. 111 is the middle row.
[pays.line]
shapes = ["111", "000", "222", "012", "210"]
W = [0, 0, 250]
A = [0, 0, 25]
K = [0, 0, 14]
Q = [0, 0, 7]
C = [0, 0, 4]

# Three scatters anywhere pay 2 x total bet and start ten free spins, in which wins count double.
[pays.scatter]
S = [0, 0, 2]

[[feature]]
free_spins = {{ scatter = "S", from = 3, spins = 10, multiplier = 2 }}
"#,
            mix.join(", ")
        );
        for (rank, level) in self.levels.iter().enumerate() {
            text += &self.level(rank, level);
        }
        if self.levels.is_empty() {
            text += "\n# Jackpots: add [[jackpot]] sections, with level, contribution, seed, pool and trigger.\n";
        }
        text += "\n# How much the game is played: turns spins into days in every report. Take the # away and put your own figure.\n";
        text += "# [traffic]\n# spins_per_day = 50_000\n";
        text
    }

    fn level(&self, rank: usize, level: &str) -> String {
        // The first level is the commonest and the last the rarest, whatever their number.
        let (last, most) = (self.levels.len().saturating_sub(1), RANKS.len() - 1);
        let (rate, seed, odds) = RANKS[(rank * most + last / 2).checked_div(last).unwrap_or(0)];
        let contribution = format!("0.{rate:02}%");
        let returned = f64::from(rate) / 100.0 + seed as f64 / odds as f64 * 100.0;
        let grouped = crate::money::Grouped(odds.into()).to_string().replace(',', "_");
        let spins = crate::money::Grouped(odds.into());
        if self.linked.iter().any(|linked| linked == level) {
            let (per, seed) = (self.largest(), self.seed_of_linked(seed));
            return format!(
                r#"
# One pool for all bets. Odds are proportional to the bet, so that every bet is worth the same: about {returned:.3} % of RTP.
[[jackpot]]
level = "{level}"
contribution = "{contribution}"                        # of every bet, to the meter
seed = "{seed}"                               # what the house puts in after a hit
pool = "linked"
trigger = {{ odds = {grouped}, per = "{per}" }}    # 1 in {spins} spins at the largest bet
"#
            );
        }
        format!(
            r#"
# A pool for each bet: {contribution} of the bet grows it, and the seed returns the rest of about {returned:.3} % of RTP.
[[jackpot]]
level = "{level}"
contribution = "{contribution}"
seed = "{seed} x bet"
pool = "per bet"
trigger = {{ odds = {grouped} }}                  # 1 in {spins} spins, at every bet
"#
        )
    }

    /// A linked pool's seed, in the currency: so many of the largest bet.
    fn seed_of_linked(&self, bets: u64) -> String {
        let largest = super::amount::number(&self.largest()).unwrap_or_else(|| super::amount::whole(1));
        super::amount::shown(&(largest * super::amount::whole(bets)))
    }

    fn largest(&self) -> String {
        let largest = self.bets.iter().filter_map(|bet| Some((super::amount::number(bet)?, bet))).max();
        largest.map_or_else(|| "1".to_owned(), |(_, bet)| bet.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starter(bets: &[&str], levels: &[&str], linked: &[&str]) -> Starter {
        let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        Starter {
            name: "My game".into(),
            currency: "EUR".into(),
            bets: owned(bets),
            levels: owned(levels),
            linked: owned(linked),
        }
    }

    #[test]
    fn every_starter_keeps_every_rule() {
        let levels = [&[][..], &["mini"], &["mini", "grand"], &["a", "b", "c", "d"], &["1", "2", "3", "4", "5", "6"]];
        for bets in [&["1"][..], &["0.20", "1.00"], &["0.01", "0.05", "0.25", "1", "100"]] {
            for levels in levels {
                for linked in [&[][..], levels.get(levels.len().saturating_sub(1)..).unwrap_or(&[]), levels] {
                    let text = starter(bets, levels, linked).text().unwrap();
                    let model = super::super::parse("starter", &text, &|_| Err(std::io::Error::other("none")));
                    let model = model.unwrap_or_else(|error| panic!("{text}\n{:?}", error.findings()));
                    assert!(model.warnings.is_empty(), "{text}\n{:?}", model.warnings);
                    assert_eq!((model.jackpots.levels.len(), model.game.bets.count()), (levels.len(), bets.len()));
                }
            }
        }
    }

    #[test]
    fn what_gives_no_game_is_told_at_once() {
        let mut wrong = starter(&["0", "x"], &["mini", "mini", "a b"], &["grand"]);
        wrong.currency = "EURO".into();
        wrong.name = String::new();
        let errors = wrong.text().unwrap_err();
        assert_eq!(errors.len(), 7, "{errors:?}");
    }
}
