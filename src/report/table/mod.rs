//! The summary for a terminal of 80 columns: first what a designer asks in ten seconds, then the sections.

mod jackpots;
pub(in crate::report) mod layout;
mod play;
pub(in crate::report) mod words;

use super::view::View;
use layout::{rule, wrap};
use std::io::{self, Write};

/// Writes the summary.
pub fn render(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    let mut lines = headline(view);
    lines.extend(section("Run", play::run(view)));
    lines.extend(section("RTP by part, % of the amount wagered", play::rtp(view)));
    lines.extend(section("RTP by bet, % of the amount wagered at it", play::bets(view)));
    lines.extend(section("Play, before jackpots", play::play(view)));
    lines.extend(section("Wins, x bet, before jackpots", play::wins(view)));
    if !view.levels.is_empty() {
        lines.extend(section("Jackpots: how often", jackpots::how_often(view)));
        lines.extend(section(&format!("Jackpots: how much, {}", view.unit.currency), jackpots::how_much(view)));
        lines.extend(section(&format!("Jackpots: now, {}", view.unit.currency), jackpots::now(view)));
        lines.extend(section(&format!("Pools, amounts in {}", view.unit.currency), jackpots::pools(view)));
    }
    lines.extend(section("Largest wins, before jackpots", play::largest(view)));
    if !view.levels.is_empty() {
        lines.extend(section("Ledger of all pools", jackpots::ledger(view)));
    }
    lines.extend(section("Files", files(view)));
    lines.iter().try_for_each(|line| writeln!(writer, "{line}"))
}

fn section(title: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    [String::new(), rule(title)].into_iter().chain(lines).collect()
}

/// What a designer wants to know first.
fn headline(view: &View) -> Vec<String> {
    let mut lines = vec![layout::cut(&view.result.game.name, layout::WIDTH)];
    for sentence in words::headline(view) {
        lines.extend(wrap(&sentence, "  "));
    }
    lines
}

fn files(view: &View) -> Vec<String> {
    let mut text = String::from(
        "result.json has everything, exact; summary.json the headlines; rtp.csv, jackpots.csv, payouts.csv and \
         convergence.csv the figures behind these tables",
    );
    if view.result.series.meters.iter().any(|points| !points.is_empty()) {
        text += "; meters.csv each pool's meter along the run";
    }
    wrap(&(text + ". docs/reports.md describes every field."), "")
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
