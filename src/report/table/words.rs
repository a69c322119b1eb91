//! Figures as people read them, and the sentences at the head of a report.

use super::super::numbers::{major, signed};
use super::super::view::View;
use super::super::view::compare::{Comparison, Outcome};
use super::super::view::parts::Part;
use super::layout::Cell;
use crate::money::Grouped;

/// Most figures far from expectation that are listed.
const WARNINGS_SHOWN: usize = 5;

/// A share as a percentage of four decimals, without the sign.
pub fn percent(share: Option<f64>) -> Cell {
    let Some(share) = share else { return Cell::missing() };
    let percent = share * 100.0;
    Cell::new(format!("{percent:.4}"), short(percent))
}

/// The same in a sentence.
pub fn percent_text(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{:.4} %", share * 100.0))
}

/// A whole number with its thousands grouped.
pub fn count(number: u64) -> Cell {
    Cell::new(Grouped(number.into()).to_string(), short(number as f64))
}

/// A whole number that may be missing.
pub fn count_if(number: Option<u64>) -> Cell {
    number.map_or(Cell::missing(), count)
}

/// A mean count: whole where it is large, with decimals where it is small.
pub fn mean(value: Option<f64>) -> Cell {
    value.map_or(Cell::missing(), |value| Cell::new(mean_text(value), short(value)))
}

/// The text of a mean count.
pub fn mean_text(value: f64) -> String {
    if value.abs() < 100.0 {
        let text = format!("{value:.2}");
        let trimmed = text.strip_suffix(".00").unwrap_or(&text);
        trimmed.to_owned()
    } else {
        signed(value.round() as i128, |whole| Grouped(whole).to_string())
    }
}

/// A bet: rounded to the minor unit only if that changes nothing.
pub fn bet_text(view: &View, amount: u64) -> String {
    view.unit.grouped_text(amount.into())
}

/// A sum of money in full where it has parts of a minor unit, as of small bets.
pub fn money_exact(view: &View, units: u128) -> Cell {
    Cell::new(view.unit.grouped_text(units), short(major(&view.unit, units as f64)))
}

/// An amount of money, rounded to the currency's minor unit.
pub fn money(view: &View, units: u128) -> Cell {
    Cell::new(view.unit.rounded_text(units), short(major(&view.unit, units as f64)))
}

/// An amount that may be below 0.
pub fn money_signed(view: &View, units: i128) -> Cell {
    Cell::new(signed(units, |units| view.unit.rounded_text(units)), short(major(&view.unit, units as f64)))
}

/// An amount that may be missing.
pub fn money_if(view: &View, units: Option<u64>) -> Cell {
    units.map_or(Cell::missing(), |units| money(view, units.into()))
}

/// A mean amount in pool units.
pub fn money_mean(view: &View, units: Option<f64>) -> Cell {
    units.map_or(Cell::missing(), |units| money(view, units.round() as u128))
}

/// A z-score, or the word for why there is none.
pub fn score(comparison: &Comparison, z: Option<f64>) -> Cell {
    let cell = match (&comparison.outcome, z) {
        (Outcome::FewHits { p_value: Some(p), .. }, _) => Cell::word(format!("p {p:.3}")),
        (Outcome::FewHits { .. }, _) => return Cell::word("few hits"),
        (Outcome::Cycle { within: true }, _) => return Cell::word("in cycle"),
        (Outcome::Cycle { within: false }, _) if comparison.approximate => Cell::word("outside"),
        (Outcome::Cycle { within: false }, _) => return Cell::word("OUTSIDE"),
        (_, Some(z)) => Cell::new(format!("{z:+.2}"), short(z)),
        _ => return Cell::missing(),
    };
    mark_if(comparison.approximate, cell)
}

/// A figure marked where it is approximate or estimated.
pub fn mark_if(marked: bool, cell: Cell) -> Cell {
    if marked { cell.marked() } else { cell }
}

/// A figure with so many decimals, thousands grouped.
pub fn decimal(value: f64, decimals: usize) -> Cell {
    Cell::new(grouped(value, decimals), short(value))
}

/// The text of a figure with so many decimals, thousands grouped.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (number, sign) = text.strip_prefix('-').map_or((text.as_str(), ""), |number| (number, "-"));
    let (whole, rest) = number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), |whole: u128| Grouped(whole).to_string());
    rest.map_or(format!("{sign}{whole}"), |rest| format!("{sign}{whole}.{rest}"))
}

/// A number of things: `1 spin`, `2,000 spins`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", Grouped(number.into()), if number == 1 { "" } else { "s" })
}

/// Half an interval's width, or the word for why there is none.
pub fn half_width(part: &Part, share: Option<f64>) -> Cell {
    match share {
        None if part.few_hits && part.paid.value.is_some() => Cell::word("few hits"),
        share => mark_if(part.estimated, percent(share)),
    }
}

/// At most nine characters: `1,234`, `12.3M`, `1.23e+18`.
pub fn short(value: f64) -> String {
    let size = value.abs();
    for (bound, divisor, letter) in
        [(1e4, 1.0, ""), (1e6, 1e3, "k"), (1e9, 1e6, "M"), (1e12, 1e9, "G"), (1e15, 1e12, "T")]
    {
        // What rounds up to the bound takes the next letter.
        if size < bound - divisor * 0.005 {
            let scaled = value / divisor;
            let decimals = if letter.is_empty() && scaled.fract() == 0.0 { 0 } else { 2 };
            return grouped(scaled, decimals) + letter;
        }
    }
    format!("{value:.2e}")
}

/// What a designer asks first: what came back, how often, how much in jackpots, and whether to trust it.
pub fn headline(view: &View) -> Vec<String> {
    let plan = &view.result.plan;
    let code = &view.unit.currency;
    let mut sentences = Vec::new();
    if !plan.complete {
        sentences.push(format!(
            "INCOMPLETE: interrupted after {} of {} spins; all figures are of those.",
            Grouped(plan.spins_done.into()),
            Grouped(plan.spins.into())
        ));
    }
    if view.spins() == 0 {
        sentences.push("No spin was played: there is nothing to report.".into());
        return sentences;
    }
    let parts = &view.parts;
    let mut shares = vec![format!("{} from the base game", percent_text(parts.base.paid.value))];
    if !view.play.features.is_empty() {
        shares.push(format!("{} from features", percent_text(parts.features.paid.value)));
    }
    if let Some(jackpots) = &parts.jackpots {
        shares.push(format!("{} from jackpots", percent_text(jackpots.paid.value)));
    }
    sentences.push(format!(
        "In {} players got back {} of {code} {} wagered: {}.",
        counted(view.spins(), "spin"),
        percent_text(parts.total.paid.value),
        view.unit.rounded_text(view.wagered),
        shares.join(", ")
    ));
    let lines = counted(view.result.game.lines.into(), "line");
    let mut play = match view.play.hit_frequency.filter(|&share| share > 0.0) {
        None => format!("No spin paid ({lines})."),
        Some(1.0) => format!("Every spin paid ({lines})."),
        Some(share) => format!("1 spin in {} pays ({lines}).", mean_text(1.0 / share)),
    };
    if let Some(sigma) = view.play.sigma {
        play += &format!(" A spin's return has a standard deviation of {sigma:.2} x bet.");
    }
    sentences.push(play);
    sentences.extend(jackpot_sentence(view));
    sentences.extend(judgement(view));
    sentences
}

fn spins_text(spins: f64) -> String {
    match mean_text(spins).as_str() {
        "1" => "spin".into(),
        number => format!("{number} spins"),
    }
}

fn jackpot_sentence(view: &View) -> Option<String> {
    if view.levels.is_empty() {
        return None;
    }
    let code = &view.unit.currency;
    let liability = signed(view.totals.liability, |units| view.unit.rounded_text(units));
    if view.totals.hits == 0 {
        return Some(format!("No jackpot was won. The pools end {code} {liability} above their seeds."));
    }
    let (level, amount) = (view.levels.iter())
        .filter_map(|level| level.all.amount.maximum.map(|amount| (&level.record.name, amount)))
        .max_by_key(|&(_, amount)| amount)?;
    Some(format!(
        "A jackpot falls every {}; the largest, {level}, paid {code} {}. The pools end {code} {liability} above their \
         seeds.",
        spins_text(view.spins() as f64 / view.totals.hits as f64),
        view.unit.rounded_text(amount.into())
    ))
}

/// Whether jackpots agree with what a run of this length is expected to show.
fn judgement(view: &View) -> Vec<String> {
    let mut sentences: Vec<String> =
        view.warnings.iter().take(WARNINGS_SHOWN).map(|text| format!("! {text}.")).collect();
    if view.warnings.len() > WARNINGS_SHOWN {
        sentences.push(format!(
            "! {} more are far from expectation: see jackpots.csv.",
            view.warnings.len() - WARNINGS_SHOWN
        ));
    }
    if view.totals.residue != 0 {
        sentences.push("! The ledger does not add up: this is a bug of jackpot.".into());
    }
    let compared =
        |judged: fn(&Comparison) -> bool| view.levels.iter().filter(|level| judged(&level.all.comparison)).count();
    let agreeing = compared(|comparison| {
        !comparison.approximate && matches!(comparison.outcome, Outcome::Scores { .. } | Outcome::Cycle { .. })
    });
    let few = compared(Comparison::has_few_hits);
    let approximate = compared(|comparison| comparison.approximate && !comparison.has_few_hits());
    let unknown = compared(|comparison| matches!(comparison.outcome, Outcome::Unknown));
    if sentences.is_empty() && agreeing > 0 {
        let all = if agreeing == view.levels.len() {
            "Every jackpot level agrees"
        } else {
            "Jackpot levels with enough hits and an exact expectation agree"
        };
        sentences.push(format!("{all} with what a run of this length is expected to show."));
    }
    if few > 0 {
        sentences.push(format!(
            "Too few hits are expected to judge {few} of {}.",
            counted(view.levels.len() as u64, "level")
        ));
    }
    if approximate > 0 {
        sentences.push(format!(
            "The expectation of {approximate} of {} is approximate: nothing is judged by it.",
            counted(view.levels.len() as u64, "level")
        ));
    }
    if unknown > 0 {
        sentences
            .push(format!("There is no expectation for {unknown} of {}.", counted(view.levels.len() as u64, "level")));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_have_at_most_nine_characters() {
        for value in [0.0, 1.5, -9_999.99, 123_456.0, -999_999.0, 1e9, 123.456e12, -1.8e30, 3.4e38] {
            assert!(short(value).len() <= 9, "{}", short(value));
        }
        assert_eq!(
            (short(1_234.0).as_str(), short(12_345.0).as_str(), short(2.5e9).as_str()),
            ("1,234", "12.35k", "2.50G")
        );
    }
}
