//! Plain text in 80 columns: rules, wrapped sentences, and tables that shorten their figures before they break a line.

/// Width of a terminal that everything fits into.
pub const WIDTH: usize = 80;

/// Least width that a first column of names is cut to.
const NAME_WIDTH_MIN: usize = 8;

/// A figure in full, and in at most nine characters.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    full: String,
    short: String,
}

impl Cell {
    /// A figure with a shorter form.
    pub fn new(full: String, short: String) -> Self {
        Self { full, short }
    }

    /// A short word.
    pub fn word(text: impl Into<String>) -> Self {
        let full = text.into();
        Self { short: cut(&full, 9), full }
    }

    /// A missing figure.
    pub fn missing() -> Self {
        Self::word("-")
    }

    /// The figure in full.
    pub fn full(&self) -> &str {
        &self.full
    }

    /// The same figure marked as approximate or estimated; a missing one stays as it is.
    pub fn marked(self) -> Self {
        let mark = |text: String| if text.is_empty() || text == "-" { text } else { format!("~{text}") };
        Self { full: mark(self.full), short: mark(self.short) }
    }
}

/// A row of a table: its name and its figures.
pub type Row = (String, Vec<Cell>);

/// A section's title and a rule to the right edge.
pub fn rule(title: &str) -> String {
    let title = cut(title, WIDTH - 6);
    let rest = WIDTH - 4 - columns(&title);
    format!("── {title} {}", "─".repeat(rest))
}

/// A text cut to a width, with an ellipsis where something is missing.
pub fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut shown = String::new();
    let mut used = 0;
    for letter in text.chars() {
        used += letter_columns(letter);
        if used + 1 > width {
            break;
        }
        shown.push(letter);
    }
    shown + "…"
}

/// A text cut in its middle, where it is too wide: names differ at their ends more often than there.
fn cut_middle(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let tail_width = width.saturating_sub(1) / 2;
    let mut tail: Vec<char> = Vec::new();
    let mut used = 0;
    for letter in text.chars().rev() {
        used += letter_columns(letter);
        if used > tail_width {
            break;
        }
        tail.push(letter);
    }
    let tail: String = tail.into_iter().rev().collect();
    cut(text, width - columns(&tail)) + &tail
}

/// Names cut to a width, such that those that differ still do: an ordinal stands for what two have lost.
pub fn cut_apart(names: &[&str], width: usize) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    for (position, name) in names.iter().enumerate() {
        let taken = |text: &String| (0..position).any(|other| shown[other] == *text && names[other] != *name);
        let mut text = cut_middle(name, width);
        let mut ordinal = 2;
        while taken(&text) {
            let mark = format!("…{ordinal}");
            text = cut(name, width.saturating_sub(columns(&mark) - 1)).trim_end_matches('…').to_owned() + &mark;
            ordinal += 1;
        }
        shown.push(text);
    }
    shown
}

/// Columns that a text takes: East Asian letters take two each.
pub fn columns(text: &str) -> usize {
    text.chars().map(letter_columns).sum()
}

fn letter_columns(letter: char) -> usize {
    match letter as u32 {
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F => 2,
        0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0x1F300..=0x1FAFF | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

/// A text broken into lines at spaces; words that are longer than a line are cut.
pub fn wrap(text: &str, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = cut(word, WIDTH - columns(indent));
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(&word) <= WIDTH => {
                line.push(' ');
                line.push_str(&word);
            }
            Some(_) => lines.push(format!("{indent}{word}")),
            None => lines.push(word),
        }
    }
    lines
}

/// Lines of a table: a first column of names to the left, figures to the right. Where it is too wide, the widest
/// columns take their short forms, then names are cut.
pub fn table(header: &[&str], rows: &[Row]) -> Vec<String> {
    let count = header.len() - 1;
    let mut short = vec![false; count];
    let width = |column: usize, short: bool| {
        let cells = rows.iter().map(|(_, cells)| {
            cells.get(column).map_or(0, |cell| columns(if short { &cell.short } else { &cell.full }))
        });
        cells.max().unwrap_or(0).max(columns(header[column + 1]))
    };
    let name_width = rows.iter().map(|(name, _)| columns(name)).max().unwrap_or(0).max(columns(header[0]));
    let used = |short: &[bool]| (0..count).map(|column| 2 + width(column, short[column])).sum::<usize>();
    while used(&short) + name_width.min(16) > WIDTH {
        let widest = (0..count)
            .filter(|&column| !short[column] && width(column, true) < width(column, false))
            .max_by_key(|&column| width(column, false));
        let Some(widest) = widest else { break };
        short[widest] = true;
    }
    let name_width = name_width.min(WIDTH.saturating_sub(used(&short)).max(NAME_WIDTH_MIN));
    let names = cut_apart(&rows.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), name_width);
    let line = |name: &str, cells: &dyn Fn(usize) -> String| {
        let mut line = format!("{name}{}", " ".repeat(name_width - columns(name)));
        for (column, &short) in short.iter().enumerate() {
            let cell = cells(column);
            line += &" ".repeat(2 + width(column, short).saturating_sub(columns(&cell)));
            line += &cell;
        }
        cut(line.trim_end(), WIDTH)
    };
    let mut lines = vec![line(header[0], &|column| header[column + 1].to_owned())];
    for (name, (_, cells)) in names.iter().zip(rows) {
        lines.push(line(name, &|column| match cells.get(column) {
            Some(cell) if short[column] => cell.short.clone(),
            Some(cell) => cell.full.clone(),
            None => String::new(),
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_too_wide_shortens_its_widest_column_and_then_its_names() {
        let rows = vec![(
            "a name that is rather long".to_owned(),
            vec![Cell::new("9".repeat(60), "9e59".into()), Cell::word("x")],
        )];
        let lines = table(&["level", "hits", "z"], &rows);
        assert_eq!(lines[1], "a name that is rather long  9e59  x");
        let rows = vec![("n".repeat(90), vec![Cell::word("12"), Cell::missing()])];
        let lines = table(&["level", "hits", "z"], &rows);
        assert_eq!(columns(&lines[1]), WIDTH);
        assert!(lines[1].contains("…nnn"), "{}", lines[1]);
    }

    #[test]
    fn names_that_differ_are_never_cut_alike() {
        let ends = cut_apart(&["the-long-name-of-the-mini", "the-long-name-of-the-major", "short"], 14);
        assert_eq!(ends, ["the-lon…e-mini", "the-lon…-major", "short"]);
        let middles = cut_apart(&["aaaaaaaa-1-bbbbbbbb", "aaaaaaaa-2-bbbbbbbb", "aaaaaaaa-3-bbbbbbbb"], 12);
        assert!(middles[0] != middles[1] && middles[1] != middles[2] && middles[0] != middles[2], "{middles:?}");
        assert!(middles.iter().all(|name| columns(name) <= 12), "{middles:?}");
        assert_eq!(cut_apart(&["  of it seed", "  of it seed"], 80)[1], "  of it seed");
    }

    #[test]
    fn long_texts_wrap_and_wide_letters_count_twice() {
        let lines = wrap(&"word ".repeat(40), "  ");
        assert!(lines.len() > 2 && lines.iter().all(|line| columns(line) <= WIDTH), "{lines:?}");
        assert_eq!(cut("大奖池", 5), "大奖…");
        assert_eq!(columns(&rule(&"大".repeat(60)).replace('─', "")), 2 + 73);
    }
}
