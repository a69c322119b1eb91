//! Every figure that has a name: what it means, its unit, and a reading of it with its interval.
//!
//! A name is that of the game as a whole, `rtp`; of a level, `grand.amount_mean`; or of one pool of a level,
//! `mini@2.amount_mean`, 2 being the bet index. [`catalogue`] lists them, [`expression`] combines them over several runs,
//! [`assertion`] holds them against bounds. Pure: readings are made where the figures are.

pub mod assertion;
pub mod catalogue;
pub mod expression;
pub mod interval;
pub mod quantity;

use serde::{Deserialize, Serialize};

/// What a figure is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A share of 1, shown in percent.
    Share,
    /// A mean number of spins: 1 in N.
    Spins,
    /// Total bets.
    Bets,
    /// Bets on one line.
    LineBets,
    /// The game's currency.
    Currency,
    /// A plain number.
    Number,
    /// Days of the game's traffic.
    Days,
}

impl Unit {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Spins => "spins",
            Self::Bets => "bets",
            Self::LineBets => "line_bets",
            Self::Currency => "currency",
            Self::Number => "number",
            Self::Days => "days",
        }
    }
}

/// A figure of one game or one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub name: String,
    pub unit: Unit,
    /// `None` where it is not known, or nothing was seen that could tell it.
    pub value: Option<f64>,
    /// Where the true value lies with 95 %: the value itself if it is exact or a fact of a run. `None` where no
    /// interval is known.
    pub interval: Option<(f64, f64)>,
    /// What a run of this length is expected to show.
    pub expected: Option<f64>,
    /// Whether the expectation neglects something of weight.
    pub approximate: bool,
    /// Why there is no value or no interval, if there isn't.
    pub lack: Option<&'static str>,
}

/// Why a reading has no interval.
pub const NO_INTERVAL: &str = "no interval is known for it";

/// Why a reading has no value.
pub const NO_SAMPLES: &str = "nothing was seen that could tell it";

impl Reading {
    /// A figure that is exact, or a fact of a run.
    pub fn exact(name: impl Into<String>, unit: Unit, value: Option<f64>) -> Self {
        let value = value.filter(|value| value.is_finite());
        Self {
            name: name.into(),
            unit,
            value,
            interval: value.map(|value| (value, value)),
            expected: None,
            approximate: false,
            lack: value.is_none().then_some("it can't be known exactly"),
        }
    }

    /// An estimate with its interval.
    pub fn estimate(name: impl Into<String>, unit: Unit, value: Option<f64>, interval: Option<(f64, f64)>) -> Self {
        let value = value.filter(|value| value.is_finite());
        let lack = match (value, interval) {
            (None, _) => Some(NO_SAMPLES),
            (_, None) => Some(NO_INTERVAL),
            _ => None,
        };
        Self { interval: interval.filter(|_| value.is_some()), lack, ..Self::exact(name, unit, value) }
    }

    /// The same with what a run is expected to show.
    pub fn expecting(self, expected: Option<f64>, approximate: bool) -> Self {
        Self { expected, approximate, ..self }
    }

    /// The same with another reason for what it lacks.
    pub fn lacking(self, lack: &'static str) -> Self {
        Self { lack: self.lack.map(|_| lack), ..self }
    }
}

/// All figures of one game or run, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Readings {
    all: Vec<Reading>,
}

impl Readings {
    /// Adds a figure; of two with one name the first counts.
    pub fn add(&mut self, reading: Reading) {
        self.all.push(reading);
    }

    /// In the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Reading> {
        self.all.iter()
    }

    /// A figure by its name.
    pub fn get(&self, name: &str) -> Option<&Reading> {
        self.all.iter().find(|reading| reading.name == name)
    }

    /// The value of a figure, if it is known.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.get(name)?.value
    }

    /// What to say of a name that is none of these: the nearest, or where to find them.
    pub fn unknown(&self, name: &str) -> String {
        let near = self
            .all
            .iter()
            .map(|reading| (strsim::damerau_levenshtein(name, &reading.name), &reading.name))
            .filter(|(distance, known)| *distance <= 1 + known.len().min(name.len()) / 3)
            .min_by_key(|(distance, _)| *distance);
        let elsewhere = catalogue::is_known_elsewhere(name, &self.all);
        let help = match near {
            _ if elsewhere.is_some() => elsewhere.unwrap_or_default(),
            Some((_, known)) => format!("did you mean {known}?"),
            None => "`jackpot metrics GAME` lists the names of a game".to_owned(),
        };
        format!("there is no metric {name:?}\n  help: {help}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_without_a_value_says_why() {
        let none = Reading::exact("rtp", Unit::Share, Some(f64::NAN));
        assert_eq!((none.value, none.interval, none.lack.is_some()), (None, None, true));
        let estimate = Reading::estimate("rtp", Unit::Share, Some(0.9), None);
        assert_eq!((estimate.interval, estimate.lack), (None, Some(NO_INTERVAL)));
        assert_eq!(Reading::estimate("rtp", Unit::Share, None, None).lack, Some(NO_SAMPLES));
        assert_eq!(Reading::exact("rtp", Unit::Share, Some(0.9)).lacking("because").lack, None);
    }

    #[test]
    fn a_wrong_name_is_told_with_the_nearest() {
        let mut readings = Readings::default();
        for name in ["rtp", "grand.hits", "grand.rtp"] {
            readings.add(Reading::exact(name, Unit::Share, Some(1.0)));
        }
        assert!(readings.unknown("grand.hts").ends_with("did you mean grand.hits?"));
        assert!(readings.unknown("wholly different").contains("jackpot metrics"));
    }
}
