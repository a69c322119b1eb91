//! Spins in days, for games that say how much they are played.

use super::result::TrafficRecord;
use super::view::View;
use super::view::jackpots::Figures;
use crate::money::Grouped;
use jiff::ToSpan;
use jiff::civil::Date;

impl TrafficRecord {
    /// Days that so many spins of the game take.
    pub fn days(&self, spins: f64) -> f64 {
        spins / self.spins_per_day as f64
    }

    /// The day on which so many whole days from the first are over; `None` if no first day is named, or it is beyond the
    /// calendar.
    pub fn date_after(&self, days: f64) -> Option<String> {
        let from: Date = self.from.as_ref()?.parse().ok()?;
        let days = days.floor();
        if !(0.0..=3e6).contains(&days) {
            return None;
        }
        from.checked_add((days as i64).days()).ok().map(|date| date.to_string())
    }

    /// "at 50,000 spins a day".
    pub fn words(&self) -> String {
        format!("at {} spins a day", Grouped(self.spins_per_day.into()))
    }
}

/// A pool, or a level, in days; `None` where nothing was seen. Gaps are those of one pool: of several at once they say
/// nothing about the level.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InDays {
    /// Mean days for each hit.
    pub every: Option<f64>,
    pub median: Option<f64>,
    pub within_95: Option<f64>,
    pub longest: Option<f64>,
}

impl InDays {
    /// All missing where the game doesn't say how much it is played.
    pub fn new(view: &View, figures: &Figures, is_one_pool: bool) -> Self {
        let Some(traffic) = &view.result.game.traffic else { return Self::default() };
        let spins = view.spins() as f64;
        let own = figures.qualifying_spins;
        // Spins of the whole game for each of its own.
        let days = |gap: Option<u64>| {
            let gap = gap.filter(|_| is_one_pool && own > 0);
            gap.map(|gap| traffic.days(gap as f64 * spins / own as f64))
        };
        Self {
            every: (figures.hits > 0).then(|| traffic.days(spins / figures.hits as f64)),
            median: days(figures.gap.median),
            within_95: days(figures.gap.percentile_95),
            longest: days(figures.longest_drought),
        }
    }
}

/// A number of days for people: whole where there are many, in hours and minutes where it is less than one.
pub fn days_text(days: f64) -> String {
    let of = |value: f64, one: &str| {
        let shown = if value < 10.0 { format!("{value:.1}") } else { Grouped(value.round() as u128).to_string() };
        format!("{} {one}{}", shown.trim_end_matches(".0"), if shown == "1.0" { "" } else { "s" })
    };
    if !days.is_finite() {
        "never".into()
    } else if days >= 1.0 {
        of(days, "day")
    } else if days * 24.0 >= 1.0 {
        of(days * 24.0, "hour")
    } else {
        of(days * 1_440.0, "minute")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_shown_in_the_unit_that_suits_them() {
        let shown = [(41.2, "41 days"), (1.0, "1 day"), (2.5, "2.5 days"), (0.5, "12 hours"), (0.01, "14 minutes")];
        shown.iter().for_each(|&(days, text)| assert_eq!(days_text(days), text));
        assert_eq!((days_text(1234.5), days_text(f64::INFINITY)), ("1,235 days".to_owned(), "never".to_owned()));
    }

    #[test]
    fn dates_are_counted_from_the_first_day() {
        let traffic = |from: Option<&str>| TrafficRecord { spins_per_day: 1_000, from: from.map(str::to_owned) };
        assert_eq!(traffic(Some("2027-12-31")).date_after(60.5).as_deref(), Some("2028-02-29"));
        assert_eq!((traffic(None).date_after(1.0), traffic(Some("2027-01-01")).date_after(1e12)), (None, None));
        assert_eq!(traffic(None).days(2_500.0), 2.5);
    }
}
