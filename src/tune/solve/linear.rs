//! Small systems of linear equations.

/// The shortest step that meets the residuals as nearly as any: targets may depend on each other and agree (Levenberg 1944,
/// with a damping that is lost in rounding).
pub fn least(slopes: &[Vec<f64>], residuals: &[f64]) -> Option<Vec<f64>> {
    let count = residuals.len();
    let dot = |one: usize, other: usize| (0..count).map(|row| slopes[row][one] * slopes[row][other]).sum::<f64>();
    let trace: f64 = (0..count).map(|knob| dot(knob, knob)).sum();
    let rows = (0..count)
        .map(|one| (0..count).map(|other| dot(one, other) + if one == other { 1e-9 * trace } else { 0.0 }).collect())
        .collect();
    let right = (0..count).map(|knob| (0..count).map(|row| slopes[row][knob] * residuals[row]).sum()).collect();
    linear(rows, right)
}

/// Solves a small linear system by elimination; `None` if it is as good as singular.
fn linear(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let count = right.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        let largest = rows.iter().flatten().fold(0.0f64, |largest, value| largest.max(value.abs()));
        if rows[pivot][column].abs() <= 1e-15 * largest {
            return None;
        }
        rows.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..count {
            let factor = rows[row][column] / rows[column][column];
            let pivot_row = rows[column].clone();
            rows[row].iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            right[row] -= factor * right[column];
        }
    }
    let mut solution = vec![0.0; count];
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| rows[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / rows[row][row];
    }
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}
