//! A grid of variations: every combination of some values, the last one changing first.

use super::vary::Vary;
use crate::config::Override;

/// Most points of a grid.
pub const POINTS_MAX: u64 = 10_000_000;

/// Paths and the values that they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    axes: Vec<(String, Vec<String>)>,
}

/// One point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub values: Vec<String>,
    pub changes: Vec<Override>,
}

impl Grid {
    /// Of the values that vary.
    ///
    /// # Errors
    /// Everything that gives no grid, a line each.
    pub fn new(varies: &[Vary]) -> Result<Self, Vec<String>> {
        let mut errors = Vec::new();
        let mut axes: Vec<(String, Vec<String>)> = Vec::new();
        for vary in varies {
            let path = &vary.path;
            if axes.iter().any(|(other, _)| other == path) {
                errors.push(format!("--vary {path} stands twice\n  help: write all its values in one"));
            }
            match vary.values.all() {
                Ok(values) => {
                    let wrong = values.iter().find_map(|value| Override::new(path, value).err());
                    errors.extend(wrong.map(|error| format!("--vary {path}: {error}")));
                    axes.push((path.clone(), values));
                }
                Err(error) => errors.push(format!("--vary {path}: {error}")),
            }
        }
        let grid = Self { axes };
        let points = grid.axes.iter().try_fold(1u64, |points, (_, values)| points.checked_mul(values.len() as u64));
        if points.is_none_or(|points| points > POINTS_MAX) {
            errors.push(format!("the grid has more than {POINTS_MAX} points\n  help: vary less, or in wider steps"));
        }
        if errors.is_empty() { Ok(grid) } else { Err(errors) }
    }

    /// The paths that vary.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(|(path, _)| path.as_str())
    }

    /// Number of points.
    pub fn len(&self) -> u64 {
        self.axes.iter().map(|(_, values)| values.len() as u64).product()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A point by its position from 0.
    pub fn point(&self, position: u64) -> Point {
        let mut rest = position;
        let mut values: Vec<String> = Vec::new();
        for (_, all) in self.axes.iter().rev() {
            values.push(all[(rest % all.len() as u64) as usize].clone());
            rest /= all.len() as u64;
        }
        values.reverse();
        let change = |(path, value): (&str, &String)| Override::new(path, value).expect("the grid was checked");
        Point { changes: self.paths().zip(&values).map(change).collect(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(varies: &[&str]) -> Result<Grid, Vec<String>> {
        let varies: Vec<Vary> = varies.iter().map(|text| text.parse().unwrap()).collect();
        Grid::new(&varies)
    }

    #[test]
    fn the_last_value_changes_first() {
        let grid = grid(&["a=1,2", "b=x..y".replace("x..y", "5..7:1").as_str()]).unwrap();
        let values: Vec<String> = (0..grid.len()).map(|point| grid.point(point).values.join(" ")).collect();
        assert_eq!(values, ["1 5", "1 6", "1 7", "2 5", "2 6", "2 7"]);
        assert_eq!(grid.point(4).changes[1].value(), "6");
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let errors = grid(&["a=1..9", "b=1,2", "b=3", ".c=1"]).unwrap_err();
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert!(grid(&["a=1..9999:1", "b=1..9999:1"]).unwrap_err()[0].contains("points"));
    }
}
