//! What a table of strips says about itself: a row of reel names, and a column that counts the stops.

use super::Grid;
use crate::config::findings::{At, Notes};

/// The number in the name of a reel: `Reel 2`, `reel_2`, `R2`.
fn reel_number(text: &str) -> Option<usize> {
    let text = text.trim().to_lowercase();
    let rest = ["reel", "strip", "column", "col", "r"].iter().find_map(|word| text.strip_prefix(word))?;
    rest.trim_start_matches([' ', '_', '-', '#', '.']).parse().ok()
}

/// Names of a column that counts stops.
fn counts_stops(text: &str) -> bool {
    let words = [
        "", "#", "reel", "stop", "stops", "index", "idx", "pos", "pos.", "position", "row", "no", "no.", "nr", "nr.",
        "number",
    ];
    words.contains(&text.to_lowercase().as_str())
}

/// Whether all are names of reels, each once.
pub(super) fn are_labels(cells: &[At<String>]) -> bool {
    let distinct =
        |(position, cell): (usize, &At<String>)| cells[..position].iter().all(|other| other.value != cell.value);
    labels(cells) == cells.len() && cells.iter().enumerate().all(distinct)
}

/// How many cells are names of reels.
pub(super) fn labels(cells: &[At<String>]) -> usize {
    cells.iter().filter(|cell| reel_number(&cell.value).is_some()).count()
}

/// The number of each column's reel, if a header says them; `None` for a column that counts the stops.
pub(super) type Order = Option<Vec<Option<usize>>>;

/// Reads and takes away a row of reel names. The outer `None` is a header that can't be read, which is a finding.
pub(super) fn header(notes: &Notes, grid: &mut Grid) -> Option<Order> {
    let Some(first) = grid.first().cloned() else { return Some(None) };
    let rest = &grid[1..];
    let recurs = |cell: &At<String>| rest.iter().flatten().any(|other| other.value == cell.value);
    let named = labels(&first);
    if named == 0 || first.iter().any(|cell| reel_number(&cell.value).is_some() && recurs(cell)) {
        return plain_numbers(notes, grid);
    }
    let numbers: Vec<Option<usize>> = first.iter().map(|cell| reel_number(&cell.value)).collect();
    let named_later = numbers.iter().skip(1).all(Option::is_some);
    let is_counted = numbers[0].is_none() && counts_stops(&first[0].value) && named_later;
    if !is_counted && named < first.len() {
        // One word that looks like the name of a reel among other symbols is a symbol.
        if named == 1 && first.len() > 2 {
            return Some(None);
        }
        let other = first.iter().find(|cell| reel_number(&cell.value).is_none()).unwrap_or(&first[0]);
        let what = if other.value.is_empty() { "a column without a name".into() } else { format!("`{}`", other.value) };
        notes.error(
            other.span,
            "strip-header",
            format!("{what} in a row of reel names"),
            "expected the name of a reel, such as Reel 1",
            "name every reel, or remove the row of names",
        );
        return None;
    }
    let mut sorted: Vec<usize> = numbers.iter().flatten().copied().collect();
    sorted.sort_unstable();
    let runs = sorted.windows(2).all(|pair| pair[1] == pair[0] + 1);
    if !runs || sorted[0] > 1 {
        let shown: Vec<String> = numbers.iter().flatten().map(ToString::to_string).collect();
        notes.error(
            first[usize::from(is_counted)].span,
            "strip-header",
            format!("reels that are numbered {}", shown.join(", ")),
            format!("expected the numbers 1 to {}, each once", sorted.len()),
            "give every reel its own number",
        );
        return None;
    }
    grid.remove(0);
    Some(Some(numbers))
}

/// A first row of `1, 2, 3, ...` is a header where no other cell is a number.
fn plain_numbers(notes: &Notes, grid: &mut Grid) -> Option<Order> {
    let first = &grid[0];
    let skipped = usize::from(first.len() > 2 && counts_stops(&first[0].value));
    let numbers: Option<Vec<usize>> = first[skipped..].iter().map(|cell| cell.value.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1 && grid.len() > 1) else { return Some(None) };
    let upwards = numbers.iter().copied().eq(1..=numbers.len());
    if !upwards && !numbers.iter().copied().eq((1..=numbers.len()).rev()) {
        return Some(None);
    }
    let is_number = |cell: &At<String>| cell.value.parse::<usize>().is_ok();
    let stops = || grid[1..].iter().flat_map(|row| &row[skipped..]);
    if skipped == 1 || !stops().any(is_number) {
        let mut order: Vec<Option<usize>> = vec![None; skipped];
        order.extend(numbers.into_iter().map(Some));
        grid.remove(0);
        return Some(Some(order));
    }
    notes.warning(
        first[0].span,
        "strip-header",
        "a first row that counts the columns, in a table of symbols that are numbers",
        "read as the first stops",
        "if it is a header, write Reel 1, Reel 2, ... instead",
    );
    Some(None)
}

/// Takes away a first column that counts the stops. What is left of the order is a number for every column. The outer
/// `None` is a column that can't be told, which is a finding.
pub(super) fn without_index(notes: &Notes, grid: &mut Grid, order: Order) -> Option<Option<Vec<usize>>> {
    let told = order.as_ref().map(|order| order.first().is_some_and(Option::is_none));
    let numbers = order.map(|order| order.into_iter().flatten().collect());
    if told == Some(false) || grid.first().is_none_or(|row| row.len() < 2) {
        return Some(numbers);
    }
    let counts: Vec<Option<usize>> = grid.iter().map(|row| row[0].value.parse().ok()).collect();
    let start = counts.first().copied().flatten().filter(|start| *start <= 1);
    let wrong = |start: usize| counts.iter().enumerate().position(|(row, count)| *count != Some(start + row));
    if told == Some(true) {
        // Without any values the column is an empty one beside the names.
        if let Some(row) = wrong(start.unwrap_or(1)).filter(|_| grid.iter().any(|row| !row[0].value.is_empty())) {
            notes.error(
                grid[row][0].span,
                "strip-index",
                format!("`{}` in the column that counts the stops", grid[row][0].value),
                format!("expected {}", start.unwrap_or(1) + row),
                "a stop may be missing or stand twice; number the stops one by one, from 0 or 1",
            );
            return None;
        }
    } else {
        // Two rows or less count nothing.
        let Some(start) = start.filter(|start| grid.len() > 2 && wrong(*start).is_none()) else { return Some(numbers) };
        let stops = || grid.iter().flat_map(|row| &row[1..]).filter(|cell| !cell.value.is_empty());
        let is_clear = stops().any(|cell| cell.value.parse::<usize>().is_err())
            || (start..start + grid.len()).any(|count| stops().all(|cell| cell.value.parse() != Ok(count)));
        if !is_clear {
            notes.error(
                grid[0][0].span,
                "strip-index",
                format!("a first column that counts from {start} to {}", start + grid.len() - 1),
                "either the symbols of reel 1, or the numbers of the stops",
                "add a first row that says which: Reel 1, Reel 2, ... or stop, Reel 1, ...",
            );
            return None;
        }
    }
    for row in grid.iter_mut() {
        row.remove(0);
    }
    Some(numbers)
}
