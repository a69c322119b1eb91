//! The summary in Markdown.

use super::numbers::{figure, major, signed};
use super::table::words;
use super::view::View;
use super::view::parts::Part;
use std::io::{self, Write};

/// Writes the summary.
pub fn render(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    writeln!(writer, "# {}\n", escaped(&view.result.game.name))?;
    for sentence in words::headline(view) {
        writeln!(writer, "- {}", escaped(&sentence))?;
    }
    let plan = &view.result.plan;
    writeln!(
        writer,
        "\n{} spins, rng seed {}, commit {}, jackpot {}\n",
        plan.spins_done, plan.rng_seed, plan.commit, view.result.jackpot
    )?;
    rtp(view, writer)?;
    wins(view, writer)?;
    jackpots(view, writer)
}

/// Characters of names that Markdown would read as markup.
fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '|' | '*' | '_' | '`' | '<' | '[' | '#' | '\\') {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

fn row(writer: &mut dyn Write, cells: &[String]) -> io::Result<()> {
    writeln!(writer, "| {} |", cells.join(" | "))
}

/// The first column to the left, figures to the right.
fn header(writer: &mut dyn Write, title: &str, names: &[&str]) -> io::Result<()> {
    writeln!(writer, "\n## {title}\n")?;
    row(writer, &names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())?;
    writeln!(writer, "|---|{}", "--:|".repeat(names.len() - 1))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{:.4}", share * 100.0))
}

fn rtp(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    header(writer, "RTP by part, %", &["part", "paid", "± 95 %", "accrued", "expected", "z", "published"])?;
    let mut part = |name: &str, part: &Part| {
        let half_width = if part.few_hits { "too few hits".into() } else { percent(part.paid.half_width) };
        let z = part.paid.z.map_or("-".into(), |z| format!("{z:+.2}"));
        let cells = [
            percent(part.paid.value),
            half_width,
            percent(part.accrued.value),
            percent(part.paid.expected),
            z,
            percent(part.published),
        ];
        row(writer, &[&[escaped(name)], &cells[..]].concat())
    };
    part("total", &view.parts.total)?;
    part("base", &view.parts.base)?;
    part("features", &view.parts.features)?;
    for (level, share) in view.levels.iter().zip(&view.parts.levels) {
        part(&level.record.name, share)?;
    }
    Ok(())
}

fn wins(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    header(writer, "Wins before jackpots", &["x bet", "spins", "% of spins", "1 in", "% RTP"])?;
    for range in &view.play.wins {
        let one_in = range.one_in.map_or("-".into(), words::mean_text);
        row(writer, &[range.label.clone(), range.spins.to_string(), percent(range.share), one_in, percent(range.rtp)])?;
    }
    Ok(())
}

fn jackpots(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    if view.levels.is_empty() {
        return Ok(());
    }
    let title = format!("Jackpots, amounts in {}", view.unit.currency);
    let names = ["level", "hits", "expected", "verdict", "spins a hit", "mean", "SD", "largest", "meters", "liability"];
    header(writer, &title, &names)?;
    for level in &view.levels {
        let all = &level.all;
        let mean = |units: Option<f64>| units.map_or("-".into(), |units| format!("{:.2}", major(&view.unit, units)));
        let cells = [
            escaped(&level.record.name),
            all.hits.to_string(),
            level.record.expected.as_ref().map_or("-".into(), |expected| figure(Some(expected.hits))),
            all.comparison.verdict().into(),
            all.spins_per_hit.map_or("-".into(), words::mean_text),
            mean(all.amount.mean),
            mean(all.amount.deviation),
            all.amount.maximum.map_or("-".into(), |amount| view.unit.rounded_text(amount.into())),
            view.unit.rounded_text(all.meter),
            signed(all.liability, |units| view.unit.rounded_text(units)),
        ];
        row(writer, &cells)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::sample::{empty, huge, sample};
    use super::*;

    #[test]
    fn every_row_of_a_table_has_as_many_cells_as_its_header() {
        for result in [sample(), empty(), huge()] {
            let mut bytes = Vec::new();
            render(&View::new(&result), &mut bytes).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            for table in text.split("\n## ").skip(1) {
                let counts: Vec<_> =
                    table.lines().filter(|line| line.starts_with('|')).map(|line| line.matches('|').count()).collect();
                assert!(counts.len() > 2 && counts.iter().all(|&count| count == counts[0]), "{table}");
            }
        }
    }
}
