//! Reel strips as text, cut into words that know their place.

mod header;

use super::findings::{At, Notes, Span};
use super::table::{self, Line};

/// Most reels of a game.
pub(super) const REELS_MAX: usize = 10;

/// One word per stop, per reel.
pub(super) type Words = Vec<Vec<At<String>>>;

/// Cells row by row, all rows of the same length.
type Grid = Vec<Vec<At<String>>>;

/// Words of a text value in the game file, split at white space.
pub(super) fn words(notes: &Notes, text: &At<String>) -> Vec<At<String>> {
    let raw = notes.text(text.span);
    let body = raw.find(text.value.as_str()).filter(|_| !text.value.is_empty());
    let mut found = Vec::new();
    let mut position = 0;
    for word in text.value.split_whitespace() {
        position += text.value[position..].find(word).unwrap_or(0);
        let span = body.map_or(text.span, |body| {
            let start = text.span.start + body + position;
            Span { file: text.span.file, start, end: start + word.len() }
        });
        found.push(At { value: word.to_string(), span });
        position += word.len();
    }
    found
}

/// Strips from a CSV that was added to the notes as `file`: one column a reel, one row a stop. `None` if it can't be
/// told how it is meant, which is a finding.
pub(super) fn read(notes: &Notes, text: &str, file: usize) -> Option<Words> {
    let separator = table::separator(notes, text, file)?;
    let errors = notes.error_count();
    let lines = table::lines(notes, text, file, separator);
    if notes.error_count() > errors {
        return None;
    }
    let mut grid = grid(lines);
    if is_transposed(&grid) {
        grid = transposed(&grid);
    }
    let order = header::header(notes, &mut grid)?;
    let order = header::without_index(notes, &mut grid, order)?;
    let columns = transposed(&grid);
    let mut reels: Words = columns.into_iter().enumerate().map(|(reel, column)| strip(notes, column, reel)).collect();
    if let Some(order) = order {
        let mut numbered: Vec<_> = order.into_iter().zip(reels).collect();
        numbered.sort_by_key(|(number, _)| *number);
        reels = numbered.into_iter().map(|(_, reel)| reel).collect();
    }
    similar_symbols(notes, &reels);
    Some(reels)
}

/// Cells row by row, each row as long as the longest. Comments, blank rows and blank columns at the end are left out.
fn grid(lines: Vec<Line>) -> Grid {
    let is_header = |line: &Line| line.cells[0].value == "#" && header::labels(&line.cells[1..]) > 0;
    let blank = |row: &Vec<At<String>>| row.iter().all(|cell| cell.value.is_empty());
    let rows = lines.into_iter().filter(|line| !line.is_comment || is_header(line)).map(|line| line.cells);
    let mut rows: Grid = rows.filter(|row| !blank(row)).collect();
    let used = |row: &Vec<At<String>>| row.iter().rposition(|cell| !cell.value.is_empty()).map_or(0, |last| last + 1);
    let width = rows.iter().map(used).max().unwrap_or(0);
    for row in &mut rows {
        row.truncate(width);
        let end = row.last().map_or(Span::default(), |cell| Span { start: cell.span.end, ..cell.span });
        row.resize(width, At { value: String::new(), span: end });
    }
    rows
}

/// Whether a row is a reel: the first column says so, or there are too many columns and few rows.
fn is_transposed(grid: &Grid) -> bool {
    let width = grid.first().map_or(0, Vec::len);
    let first: Vec<At<String>> = grid.iter().map(|row| row[0].clone()).collect();
    let below = first.get(1..).unwrap_or_default();
    let labelled = header::are_labels(&first) || (below.len() > 1 && header::are_labels(below));
    (labelled && first.len() > 1 && width > 1) || (width > REELS_MAX && grid.len() <= REELS_MAX)
}

fn transposed(grid: &Grid) -> Grid {
    let width = grid.first().map_or(0, Vec::len);
    (0..width).map(|column| grid.iter().map(|row| row[column].clone()).collect()).collect()
}

/// The stops of one reel, without the blank cells below the last.
fn strip(notes: &Notes, mut column: Vec<At<String>>, reel: usize) -> Vec<At<String>> {
    let last = column.iter().rposition(|cell| !cell.value.is_empty());
    if last.is_none() {
        notes.error(
            column.first().map_or(Span::default(), |cell| cell.span),
            "strip-gap",
            format!("column {} is empty, and columns after it are not", reel + 1),
            "expected a symbol",
            "remove the empty column, or fill it in",
        );
    }
    column.truncate(last.map_or(0, |last| last + 1));
    let mut in_gap = false;
    column.retain(|cell| {
        let blank = cell.value.is_empty();
        if blank && !in_gap {
            notes.error(
                cell.span,
                "strip-gap",
                format!("a blank cell within the strip of reel {}", reel + 1),
                "expected a symbol",
                "blank cells stand only below the last stop; name a blank stop, such as `blank`",
            );
        }
        in_gap = blank;
        !blank
    });
    column
}

/// Warns of symbols that differ only by blanks, case or signs that can't be seen.
fn similar_symbols(notes: &Notes, reels: &Words) {
    let bare = |text: &str| -> String {
        let unseen =
            |sign: char| sign.is_whitespace() || matches!(sign, '\u{200b}'..='\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
        text.chars().filter(|sign| !unseen(*sign)).flat_map(char::to_lowercase).collect()
    };
    let mut seen: Vec<(String, Vec<&str>)> = Vec::new();
    for cell in reels.iter().flatten() {
        let key = bare(&cell.value);
        let Some((_, names)) = seen.iter_mut().find(|(known, _)| *known == key) else {
            seen.push((key, vec![cell.value.as_str()]));
            continue;
        };
        if !names.contains(&cell.value.as_str()) {
            notes.warning(
                cell.span,
                "similar-symbols",
                format!("`{}` differs from `{}` only by blanks or case", cell.value, names[0]),
                "another symbol, as it is written",
                "write both alike if they are the same symbol",
            );
            names.push(&cell.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_place() {
        let file = "strips = [\"A  K\"]";
        let notes = Notes::new("test", file);
        let found = words(&notes, &At { value: "A  K".into(), span: Span { file: 0, start: 10, end: 16 } });
        assert_eq!(found.iter().map(|word| &file[word.span.start..word.span.end]).collect::<Vec<_>>(), ["A", "K"]);
    }
}
