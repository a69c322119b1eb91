//! Reel strips and outcome rows as text, cut into words that know their place.

use super::findings::{At, Notes, Span};

/// One word per stop, per reel.
pub(super) type Words = Vec<Vec<At<String>>>;

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

/// Rows of a CSV that was added to the notes as `file`: cells without the white space around them. Empty lines and
/// lines that start with `#` are skipped. Quotes have no meaning.
pub(super) fn cells(text: &str, file: usize) -> Vec<Vec<At<String>>> {
    let mut rows = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        // A spreadsheet may put a byte order mark before the first cell.
        let bare = line.trim_start_matches('\u{feff}');
        let content = bare.trim_end_matches(['\n', '\r']);
        if !content.trim().is_empty() && !content.trim_start().starts_with('#') {
            let mut start = line_start + line.len() - bare.len();
            let row = content.split(',').map(|cell| {
                let lead = cell.len() - cell.trim_start().len();
                let value = cell.trim().to_string();
                let span = Span { file, start: start + lead, end: start + lead + value.len() };
                start += cell.len() + 1;
                At { value, span }
            });
            rows.push(row.collect());
        }
        line_start += line.len();
    }
    rows
}

/// Strips from a CSV: one column a reel, one row a stop, blank cells below a shorter reel.
pub(super) fn strip_columns(notes: &Notes, text: &str, file: usize) -> Words {
    let mut reels: Words = Vec::new();
    let mut ended: Vec<Option<Span>> = Vec::new();
    for row in cells(text, file) {
        for (reel, cell) in row.into_iter().enumerate() {
            if reel == reels.len() {
                reels.push(Vec::new());
                ended.push(None);
            }
            if cell.value.is_empty() {
                ended[reel].get_or_insert(cell.span);
            } else {
                if let Some(blank) = ended[reel].take() {
                    notes.error(
                        blank,
                        "strip-gap",
                        format!("a blank cell within the strip of reel {}", reel + 1),
                        "expected a symbol",
                        "blank cells stand only below the last stop; name a blank stop, such as `blank`",
                    );
                }
                reels[reel].push(cell);
            }
        }
    }
    while reels.last().is_some_and(Vec::is_empty) {
        reels.pop();
    }
    reels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_cells_know_their_place() {
        let file = "strips = [\"A  K\"]";
        let notes = Notes::new("test", file);
        let found = words(&notes, &At { value: "A  K".into(), span: Span { file: 0, start: 10, end: 16 } });
        assert_eq!(found.iter().map(|word| &file[word.span.start..word.span.end]).collect::<Vec<_>>(), ["A", "K"]);
        let text = "# strips\r\nA, B\r\nC,\r\n";
        let csv = notes.add_source("csv", text);
        let reels = strip_columns(&notes, text, csv);
        assert_eq!(reels.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let place = reels[1][0].span;
        assert_eq!((&text[place.start..place.end], place.file), ("B", 1));
    }
}
