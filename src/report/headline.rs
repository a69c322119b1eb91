//! The figures of a run that are followed over several runs: each with its name in files, its words for people, and what
//! a run is expected to show.

use super::numbers::{major, slugs};
use super::result::RunResult;
use super::view::View;
use super::view::parts::{Part, Share};

/// One figure of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its name in files; ends in its unit.
    pub name: String,
    /// Its name in tables.
    pub words: String,
    pub value: Option<f64>,
    pub expected: Option<f64>,
    /// Whether the expectation neglects something of weight.
    pub approximate: bool,
}

/// The figures of a result, in an order that depends on the game alone. Names hold no comma.
pub fn figures(result: &RunResult) -> Vec<Figure> {
    let view = View::new(result);
    let mut figures = Vec::new();
    let mut add = |name: String, words: String, value: Option<f64>, expected: Option<f64>, approximate: bool| {
        figures.push(Figure { name, words, value, expected, approximate });
    };
    let mut share = |name: &str, words: &str, share: &Share, part: &Part| {
        add(format!("{name}_share"), words.to_owned(), share.value, share.expected, part.approximate);
    };
    let parts = &view.parts;
    share("rtp_total_paid", "RTP, %", &parts.total.paid, &parts.total);
    share("rtp_total_accrued", "accrued, %", &parts.total.accrued, &parts.total);
    share("rtp_base", "base, %", &parts.base.paid, &parts.base);
    if !view.play.features.is_empty() {
        share("rtp_features", "features, %", &parts.features.paid, &parts.features);
    }
    if let Some(jackpots) = &parts.jackpots {
        share("rtp_jackpots_paid", "jackpots, %", &jackpots.paid, jackpots);
        share("rtp_jackpots_accrued", "jackpots accrued, %", &jackpots.accrued, jackpots);
    }
    add("hit_frequency_share".into(), "hit frequency, %".into(), view.play.hit_frequency, None, false);
    add("sigma_x_bet".into(), "sigma, x bet".into(), view.play.sigma, None, false);
    let currency = |units: f64| major(&view.unit, units);
    let names = slugs(view.levels.iter().map(|level| level.record.name.as_str()));
    for ((level, part), slug) in view.levels.iter().zip(&parts.levels).zip(names) {
        let expected = level.record.expected.as_ref();
        let amount = &level.all.amount;
        let mut add = |figure: &str, words: &str, value: Option<f64>, expected: Option<f64>| {
            let words = format!("{}: {words}", level.record.name);
            add(format!("level_{slug}_{figure}"), words, value, expected, part.approximate);
        };
        add("rtp_paid_share", "RTP, %", part.paid.value, part.paid.expected);
        add("rtp_accrued_share", "accrued, %", part.accrued.value, part.accrued.expected);
        add("hits", "hits", Some(level.all.hits as f64), expected.map(|expected| expected.hits));
        add(
            "amount_mean_currency",
            "mean amount",
            amount.mean.map(currency),
            expected.map(|expected| currency(expected.amount_mean)),
        );
        let largest = amount.maximum.map(|units| currency(units as f64));
        add("amount_max_currency", "largest", largest, None);
        add("liability_currency", "liability", Some(currency(level.all.liability as f64)), None);
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::super::sample::{empty, sample};
    use super::*;

    #[test]
    fn figures_have_the_same_names_in_every_run_of_a_game() {
        let names = |result: &RunResult| figures(result).into_iter().map(|figure| figure.name).collect::<Vec<_>>();
        assert_eq!(names(&empty()), names(&sample()));
        let all = figures(&sample());
        assert_eq!((all[0].name.as_str(), all[0].value), ("rtp_total_paid_share", Some(0.6875)));
        let hits = all.iter().find(|figure| figure.name == "level_mini_hits").unwrap();
        assert_eq!((hits.words.as_str(), hits.value, hits.expected), ("mini: hits", Some(3.0), Some(4.0)));
    }
}
