//! Named sets of paylines. Each line is written as the row (0 = top) of each reel.

/// A named set of paylines.
pub(super) struct ShapeSet {
    pub name: &'static str,
    pub rows: usize,
    lines: &'static str,
}

/// Name of the set that is the middle row of any window with a middle row.
pub(super) const CENTER: &str = "center";

const SETS: [ShapeSet; 6] = [
    // The 20 lines of Cleopatra.
    ShapeSet {
        name: "igt-20",
        rows: 3,
        lines: "11111 00000 22222 01210 21012 00122 22100 10121 12101 01112 21110 10012 12210 11012 11210 \
            00121 22101 10122 12100 00012",
    },
    // The 15 lines of Lucky Larry's Lobstermania.
    ShapeSet {
        name: "lobstermania-15",
        rows: 3,
        lines: "11111 00000 22222 01210 21012 22100 00122 12101 10121 21110 01112 12210 10012 11210 11012",
    },
    // The 20 lines of Cross-dock.
    ShapeSet {
        name: "crossdock-20",
        rows: 3,
        lines: "11111 00000 22222 01210 21012 00100 22122 10001 12221 10101 12121 01110 21112 01010 21212 \
            11011 11211 00122 22100 02020",
    },
    // The 20 lines of Neon Nights.
    ShapeSet {
        name: "neon-20",
        rows: 3,
        lines: "11111 00000 22222 01210 21012 10001 12221 00122 22100 12101 10121 01110 21112 01010 21212 \
            11011 11211 00200 22022 02220",
    },
    // The 40 lines of Gold Rush.
    ShapeSet {
        name: "gold-40",
        rows: 4,
        lines: "11111 22222 00000 33333 01210 32123 12321 21012 01110 32223 10001 23332 12221 21112 00100 \
            33233 11011 22322 11211 22122 01010 32323 10101 23232 12121 21212 00123 33210 01233 32100 \
            10121 23212 01222 32111 11100 22233 00012 33321 12101 21232",
    },
    // Middle, top, bottom, V, and V upside down.
    ShapeSet { name: "five-5", rows: 3, lines: "11111 00000 22222 01210 21012" },
];

impl ShapeSet {
    /// Reels that the lines run over.
    pub fn reels(&self) -> usize {
        self.lines.find(' ').unwrap_or(self.lines.len())
    }

    /// The lines, as rows per reel.
    pub fn lines(&self) -> Vec<Vec<usize>> {
        self.lines.split_whitespace().filter_map(digits).collect()
    }
}

/// The set of a name.
pub(super) fn named(name: &str) -> Option<&'static ShapeSet> {
    SETS.iter().find(|set| set.name == name)
}

/// All names, [`CENTER`] included.
pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
    std::iter::once(CENTER).chain(SETS.iter().map(|set| set.name))
}

/// A line written as digits: `01210`.
pub(super) fn digits(text: &str) -> Option<Vec<usize>> {
    text.chars().map(|character| character.to_digit(10).map(|digit| digit as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_its_window_and_stands_once() {
        for set in &SETS {
            let lines = set.lines();
            assert!(lines.iter().all(|line| line.len() == set.reels() && line.iter().all(|&row| row < set.rows)));
            let mut distinct = lines.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), lines.len(), "{}", set.name);
            let count = set.name.rsplit('-').next().and_then(|count| count.parse().ok());
            assert_eq!(count, Some(lines.len()), "{}", set.name);
        }
    }
}
