//! The summary in Markdown: the sentences and sections of the terminal's, every figure in full.

use super::table::layout::Row;
use super::table::{sections, words};
use super::view::View;
use std::io::{self, Write};

/// Writes the summary.
pub fn render(view: &View, writer: &mut dyn Write) -> io::Result<()> {
    writeln!(writer, "# {}\n", escaped(&view.result.game.name))?;
    for sentence in words::headline(view) {
        writeln!(writer, "- {}", escaped(&sentence))?;
    }
    for section in sections(view) {
        writeln!(writer, "\n## {}", escaped(&section.title))?;
        list(&section.before, writer)?;
        if !section.rows.is_empty() {
            write!(writer, "\n{}", table(&section.header, &section.rows))?;
        }
        list(&section.after, writer)?;
    }
    Ok(())
}

fn list(lines: &[super::table::Line], writer: &mut dyn Write) -> io::Result<()> {
    if !lines.is_empty() {
        writeln!(writer)?;
    }
    lines.iter().try_for_each(|line| writeln!(writer, "- {}", escaped(&line.text())))
}

/// Characters that Markdown would read as markup.
pub(super) fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '|' | '*' | '_' | '`' | '<' | '[' | '#' | '~' | '\\') {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

/// A table: the first column to the left, figures to the right.
pub(super) fn table(header: &[&str], rows: &[Row]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(header.iter().map(|name| escaped(name)).collect());
    text += &format!("|---|{}\n", "--:|".repeat(header.len() - 1));
    for (name, cells) in rows {
        let mut cells: Vec<String> = cells.iter().map(|cell| escaped(cell.full())).collect();
        cells.resize(header.len() - 1, String::new());
        text += &line([vec![escaped(name.trim_start())], cells].concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::sample::{empty, huge, sample};
    use super::*;

    fn rendered(result: &super::super::result::RunResult) -> String {
        let mut bytes = Vec::new();
        render(&View::new(result), &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_row_of_a_table_has_as_many_cells_as_its_header() {
        for result in [sample(), empty(), huge()] {
            let text = rendered(&result);
            for section in text.split("\n## ").skip(1) {
                let rows = section.lines().filter(|line| line.starts_with('|'));
                let counts: Vec<_> = rows.map(|line| line.replace("\\|", "").matches('|').count()).collect();
                assert!(counts.iter().all(|&count| count == counts[0]), "{section}");
            }
        }
    }

    #[test]
    fn it_has_every_section_of_the_terminal() {
        let result = sample();
        let view = View::new(&result);
        let text = rendered(&result);
        for section in sections(&view) {
            assert!(text.contains(&format!("## {}", escaped(&section.title))), "{}", section.title);
        }
        for row in ["| of it seed | 18.7500 |", "| of it growth | 12.5000 |", "p 1.000", "residue 0"] {
            assert!(text.contains(row), "no {row} in {text}");
        }
    }
}
