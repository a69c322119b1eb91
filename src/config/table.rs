//! Tables as text: lines and cells that know their place, and the sign that separates cells.

use super::findings::{At, Notes, Span};

/// Signs that may separate cells, with their names.
const SEPARATORS: [(char, &str); 3] = [(',', "a comma"), (';', "a semicolon"), ('\t', "a tab")];

/// A line that is not empty.
pub(super) struct Line {
    /// Values without the blanks and quotes around them.
    pub cells: Vec<At<String>>,
    /// Whether it starts with `#`.
    pub is_comment: bool,
}

/// The lines of a table that was added to the notes as `file`, without empty ones. A line ends with LF, CR or both.
pub(super) fn lines(notes: &Notes, text: &str, file: usize, separator: char) -> Vec<Line> {
    let mut found = Vec::new();
    for (start, content) in raw_lines(text) {
        let is_comment = is_comment(content);
        let cells = cells(content, separator).into_iter().map(|(offset, raw)| {
            let span = Span { file, start: start + offset, end: start + offset + raw.len() };
            match unquoted(raw) {
                Some(value) => At { value, span },
                None => {
                    if !is_comment {
                        notes.error(
                            span,
                            "csv-quote",
                            "a quote that is not closed on its line",
                            "expected a closing quote",
                            "close the quote in the same line, or write a quote within a cell twice",
                        );
                    }
                    At { value: raw.to_string(), span }
                }
            }
        });
        found.push(Line { cells: cells.collect(), is_comment });
    }
    found
}

/// The one sign that separates cells; a table with several is a finding.
pub(super) fn separator(notes: &Notes, text: &str, file: usize) -> Option<char> {
    let mut counts = [0; 3];
    let mut firsts = [None; 3];
    for (start, content) in raw_lines(text).into_iter().filter(|(_, content)| !is_comment(content)) {
        for (offset, sign) in separators(content) {
            let Some(kind) = SEPARATORS.iter().position(|(separator, _)| *separator == sign) else { continue };
            counts[kind] += 1;
            firsts[kind].get_or_insert(start + offset);
        }
    }
    let used = counts.iter().filter(|count| **count > 0).count();
    let most = (0..SEPARATORS.len()).rev().max_by_key(|kind| counts[*kind]).unwrap_or(0);
    let rarest =
        (0..SEPARATORS.len()).filter(|kind| counts[*kind] > 0 && *kind != most).min_by_key(|kind| counts[*kind]);
    let Some((rarest, place)) = rarest.and_then(|kind| Some((kind, firsts[kind]?))).filter(|_| used > 1) else {
        return Some(if used == 0 { ',' } else { SEPARATORS[most].0 });
    };
    notes.error(
        Span { file, start: place, end: place + 1 },
        "csv-separator",
        format!("{} in a table whose cells are separated by {}", SEPARATORS[rarest].1, name_of_many(most)),
        "expected one sign between all cells",
        "separate all cells by commas, and put a symbol that has such a sign in quotes",
    );
    None
}

fn name_of_many(kind: usize) -> &'static str {
    ["commas", "semicolons", "tabs"][kind]
}

/// Lines that are not blank, with their start.
fn raw_lines(text: &str) -> Vec<(usize, &str)> {
    // A spreadsheet may put a byte order mark before the first cell.
    let body = text.trim_start_matches('\u{feff}');
    let mut start = text.len() - body.len();
    let mut found = Vec::new();
    for line in body.split(['\n', '\r']) {
        if !line.trim().is_empty() {
            found.push((start, line));
        }
        start += line.len() + 1;
    }
    found
}

/// A comment starts with `#`, which a spreadsheet may put in quotes; the keycap emoji of that sign is a symbol.
fn is_comment(content: &str) -> bool {
    let content = content.trim_start();
    let rest = content.strip_prefix('"').unwrap_or(content).strip_prefix('#');
    rest.is_some_and(|rest| !rest.starts_with(['\u{fe0f}', '\u{20e3}']))
}

/// Separating signs outside quotes, with their place. A tab beside another sign, or around the line of others, is a
/// blank.
fn separators(content: &str) -> Vec<(usize, char)> {
    let is_sign = |sign: char| SEPARATORS.iter().any(|(separator, _)| *separator == sign);
    let mut found: Vec<(usize, char)> = Vec::new();
    let (mut in_quotes, mut at_start) = (false, true);
    for (offset, sign) in content.char_indices() {
        if sign == '"' && (in_quotes || at_start) {
            in_quotes = !in_quotes;
        } else if !in_quotes && is_sign(sign) {
            found.push((offset, sign));
        }
        at_start = (at_start && sign.is_whitespace()) || is_sign(sign);
    }
    let has_others = found.iter().any(|(_, sign)| *sign != '\t');
    found.retain(|(offset, sign)| {
        let (before, after) = (content[..*offset].trim_end(), content[*offset..].trim_start());
        let beside = before.ends_with([',', ';']) || after.starts_with([',', ';']);
        let outside = before.is_empty() || after.is_empty();
        *sign != '\t' || !has_others || !(beside || outside)
    });
    found
}

/// Raw cells without the blanks around them, with their place.
fn cells(content: &str, separator: char) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    let (mut in_quotes, mut at_start) = (false, true);
    for (offset, sign) in content.char_indices() {
        if sign == '"' && (in_quotes || at_start) {
            in_quotes = !in_quotes;
            at_start = false;
        } else if sign == separator && !in_quotes {
            found.push((start, &content[start..offset]));
            start = offset + sign.len_utf8();
            at_start = true;
        } else {
            at_start = at_start && sign.is_whitespace();
        }
    }
    found.push((start, &content[start..]));
    let place = |start: usize, cell: &str| start + cell.len() - cell.trim_start().len();
    found.into_iter().map(|(start, cell)| (place(start, cell), cell.trim())).collect()
}

/// The value of a raw cell; `None` if its quote isn't closed.
fn unquoted(raw: &str) -> Option<String> {
    let Some(inner) = raw.strip_prefix('"') else { return Some(raw.to_string()) };
    let inner = inner.strip_suffix('"')?;
    let value = inner.replace("\"\"", "\u{0}");
    if value.contains('"') { None } else { Some(value.replace('\u{0}', "\"").trim().to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, separator: char) -> Vec<Vec<String>> {
        let notes = Notes::new("test", text);
        let lines = lines(&notes, text, 0, separator);
        lines.into_iter().map(|line| line.cells.into_iter().map(|cell| cell.value).collect()).collect()
    }

    #[test]
    fn cells_are_cut_outside_quotes_and_know_their_place() {
        assert_eq!(
            values("A, \"B,C\" ,\"say \"\"x\"\"\"\r7\u{fe0f}\u{20e3};9,\n\n", ','),
            [vec!["A", "B,C", "say \"x\""], vec!["7\u{fe0f}\u{20e3};9", ""]]
        );
        let text = "\u{feff}# strips\r\n A, B\r\n";
        let notes = Notes::new("test", text);
        let found = lines(&notes, text, 0, ',');
        assert!(found[0].is_comment && !found[1].is_comment);
        let place = found[1].cells[1].span;
        assert_eq!(&text[place.start..place.end], "B");
    }

    #[test]
    fn one_sign_separates_all_cells() {
        let sign = |text: &str| {
            let notes = Notes::new("test", text);
            (separator(&notes, text, 0), notes.error_count())
        };
        assert_eq!(sign("# a;b\nA,\tB\nC,D"), (Some(','), 0));
        assert_eq!(sign("A;\"B,C\"\nD;E"), (Some(';'), 0));
        assert_eq!(sign("A\t\tB\n"), (Some('\t'), 0));
        assert_eq!(sign("A\nB\n"), (Some(','), 0));
        assert_eq!(sign("A;B;C\nA;B,C;D\n"), (None, 1));
    }
}
