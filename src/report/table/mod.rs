//! The summary for a terminal of 80 columns: first what a designer asks in ten seconds, then the sections.

mod days;
mod jackpots;
pub mod layout;
mod play;
pub(in crate::report) mod words;

use super::view::View;
use layout::{Row, rule, wrap};
use std::io::{self, Write};

/// One section of a summary, whatever it is rendered to.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub title: String,
    pub before: Vec<Line>,
    /// Header and rows; none if there are no rows.
    pub header: Vec<&'static str>,
    pub rows: Vec<Row>,
    pub after: Vec<Line>,
}

/// A line or a paragraph.
#[derive(Debug)]
pub(super) enum Line {
    /// Stands as it is, cut where it is too long.
    Fixed(String),
    /// Broken at blanks, with lines after the first indented.
    Wrapped(String, &'static str),
}

impl Line {
    /// A paragraph; none if there are no words.
    fn paragraph(text: &str) -> Vec<Self> {
        if text.is_empty() { Vec::new() } else { vec![Self::Wrapped(text.to_owned(), "")] }
    }

    fn lines(&self) -> Vec<String> {
        match self {
            Self::Fixed(text) => vec![layout::cut(text, layout::WIDTH)],
            Self::Wrapped(text, indent) => wrap(text, indent),
        }
    }

    /// The words alone.
    pub fn text(&self) -> String {
        let (Self::Fixed(text) | Self::Wrapped(text, _)) = self;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// All sections of a summary.
pub(super) fn sections(view: &View) -> Vec<Section> {
    let code = &view.unit.currency;
    let titled = |title: &str, section: Section| Section { title: title.to_owned(), ..section };
    let mut sections = vec![
        titled("Run", play::run(view)),
        titled("RTP by part, % of the amount wagered", play::rtp(view)),
        titled("RTP by bet, % of the amount wagered at it", play::bets(view)),
        titled("Play, before jackpots", play::play(view)),
        titled("Wins, x bet, before jackpots", play::wins(view)),
    ];
    if !view.levels.is_empty() {
        sections.push(titled("Jackpots: how often", jackpots::how_often(view)));
        sections.push(titled("Jackpots: in days", days::days(view)));
        sections.push(titled(&format!("Jackpots: how much, {code}"), jackpots::how_much(view)));
        sections.push(titled(&format!("Jackpots: now, {code}"), jackpots::now(view)));
        sections.push(titled(&format!("Pools, amounts in {code}"), jackpots::pools(view)));
    }
    sections.push(titled(&format!("Largest wins, {code}, before jackpots"), play::largest(view)));
    if !view.levels.is_empty() {
        sections.push(titled("Ledger of all pools", jackpots::ledger(view)));
    }
    sections.push(titled("Files", files(view)));
    sections.retain(|section| !(section.before.is_empty() && section.rows.is_empty() && section.after.is_empty()));
    sections
}

/// Writes the summary.
pub fn render(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let mut lines = headline(view);
    for section in sections(view) {
        lines.extend([String::new(), rule(&section.title)]);
        lines.extend(section.before.iter().flat_map(Line::lines));
        if !section.rows.is_empty() {
            lines.extend(layout::table(&section.header, &section.rows));
        }
        lines.extend(section.after.iter().flat_map(Line::lines));
    }
    lines.iter().try_for_each(|line| writeln!(writer, "{line}"))
}

/// What a designer wants to know first.
fn headline(view: &View) -> Vec<String> {
    let mut lines = vec![layout::cut(&view.result.game.name, layout::WIDTH)];
    for sentence in words::headline(view) {
        lines.extend(wrap(&sentence, "  "));
    }
    lines
}

fn files(view: &View) -> Section {
    let mut text = String::from(
        "result.json has everything, exact; summary.json the headlines; rtp.csv, jackpots.csv, payouts.csv and \
         convergence.csv the figures behind these tables",
    );
    if view.result.series.meters.iter().any(|points| !points.is_empty()) {
        text += "; meters.csv each pool's meter along the run";
    }
    let after = Line::paragraph(&(text + ". docs/reports.md describes every field."));
    Section { after, ..Section::default() }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{empty, huge, sample};
    use super::*;
    use crate::report::result::{Law, RunResult};

    fn rendered(result: &RunResult) -> String {
        let mut bytes = Vec::new();
        render(&View::new(result), &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn many_pools(count: usize) -> RunResult {
        let mut result = huge();
        let pool = result.levels[1].pools[0].clone();
        result.levels[1].pools = vec![pool; count];
        result
    }

    #[test]
    fn no_line_is_wider_than_80_columns() {
        let mut at_cap = sample();
        at_cap.levels[0].law = Law::MustHitByAtCap;
        for result in [sample(), empty(), huge(), many_pools(30), many_pools(400), at_cap] {
            let text = rendered(&result);
            for line in text.lines() {
                assert!(layout::columns(line) <= layout::WIDTH, "{}: {line}", layout::columns(line));
                assert_eq!(line, line.trim_end());
            }
        }
    }

    #[test]
    fn the_summary_says_what_came_back_and_what_could_not_be_judged() {
        let text = rendered(&sample());
        for phrase in [
            "players got back 68.7500 %",
            "base            30.0000",
            "few hits",
            "residue 0",
            "1 spin in 4 pays",
            "(5 lines)",
            "spins_per_feature 60",
        ] {
            assert!(text.contains(phrase), "no {phrase:?} in\n{text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }

    #[test]
    fn a_run_without_spins_shows_no_figure_rather_than_zero() {
        let text = rendered(&empty());
        assert!(text.contains("No spin was played") && !text.contains("0.0000"), "{text}");
    }

    #[test]
    fn many_pools_are_left_to_the_file() {
        assert!(rendered(&many_pools(400)).contains("jackpots.csv has each of the 406 pools"));
    }

    #[test]
    fn what_is_far_from_expectation_is_pointed_out_in_words() {
        let text = rendered(&huge());
        assert!(text.contains("far from expectation"), "{text}");
    }
}
