//! A continuous law that is uniform in each of a few pieces: its distribution function is piecewise linear.
//!
//! A threshold drawn from weighted pieces is a whole number of pool units, uniform in its piece: at whole numbers its
//! distribution function is that of the continuous law, so that sums over spins are exact.

/// Pieces from 0 on, in any unit: pool units, spins or cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Piecewise {
    pieces: Vec<Piece>,
}

/// One piece, uniform on (start, end]; the density is 0 where it has no weight. Empty pieces are left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    pub start: f64,
    pub end: f64,
    /// Probability of all that lies below the piece, and of the piece.
    pub below: f64,
    pub share: f64,
}

impl Piece {
    /// Probability per unit.
    pub fn density(&self) -> f64 {
        self.share / (self.end - self.start)
    }
}

impl Piecewise {
    /// Of the growth from a seed to a threshold, given the last threshold of each piece.
    pub fn new(seed: u64, ends: &[u64], weights: &[u64]) -> Self {
        let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let share = |weight: u128| weight as f64 / total as f64;
        let (mut start, mut before) = (seed, 0);
        let mut pieces = Vec::new();
        for (&end, &weight) in ends.iter().zip(weights) {
            if end > start {
                let [from, to] = [start - seed, end - seed].map(|units| units as f64);
                pieces.push(Piece { start: from, end: to, below: share(before), share: share(weight.into()) });
            }
            before += u128::from(weight);
            start = end;
        }
        Self { pieces }
    }

    /// In order, without gaps.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The end of the last piece.
    pub fn width(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.end)
    }

    /// Density of the last piece.
    pub fn density_at_end(&self) -> f64 {
        self.pieces.last().map_or(0.0, Piece::density)
    }

    /// The same law with another unit: every place times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        let scale = |piece: &Piece| Piece { start: piece.start * factor, end: piece.end * factor, ..*piece };
        Self { pieces: self.pieces.iter().map(scale).collect() }
    }

    /// Probability of at most `x`.
    pub fn upto(&self, x: f64) -> f64 {
        let index = self.pieces.partition_point(|piece| piece.end <= x);
        match self.pieces.get(index) {
            _ if x <= 0.0 => 0.0,
            None => 1.0,
            Some(piece) => piece.below + (x - piece.start) * piece.density(),
        }
    }

    /// Probability per unit of lying just above `x`, given that it does not lie below; infinite at the end.
    pub fn hazard(&self, x: f64) -> f64 {
        let left = 1.0 - self.upto(x);
        let piece = self.pieces.iter().find(|piece| x < piece.end).filter(|_| left > 0.0);
        piece.map_or(f64::INFINITY, |piece| piece.density() / left)
    }

    /// Least place that has a probability of at least `q` at or below it.
    pub fn quantile(&self, q: f64) -> f64 {
        let holds = |piece: &&Piece| piece.share > 0.0 && piece.below + piece.share >= q - 1e-15;
        self.pieces
            .iter()
            .find(holds)
            .map_or(self.width(), |piece| (piece.start + (q - piece.below).max(0.0) / piece.density()).min(piece.end))
    }

    /// E max(0, x - X): the integral of the distribution function up to `x`.
    pub fn below(&self, x: f64) -> f64 {
        let inside: f64 = (self.pieces.iter())
            .map(|piece| {
                let length = (x.min(piece.end) - piece.start).max(0.0);
                length * (piece.below + 0.5 * length * piece.density())
            })
            .sum();
        inside + (x - self.width()).max(0.0)
    }

    /// Mean and variance.
    pub fn moments(&self) -> (f64, f64) {
        let middle = |piece: &Piece| 0.5 * (piece.start + piece.end);
        let mean: f64 = self.pieces.iter().map(|piece| piece.share * middle(piece)).sum();
        let variance = self.pieces.iter().map(|piece| {
            let (off, width) = (middle(piece) - mean, piece.end - piece.start);
            piece.share * (off * off + width * width / 12.0)
        });
        (mean, variance.sum())
    }

    /// Third and fourth central moments.
    pub fn higher_moments(&self) -> (f64, f64) {
        let (mean, _) = self.moments();
        let of = |piece: &Piece| {
            let (off, width) = (0.5 * (piece.start + piece.end) - mean, piece.end - piece.start);
            // About its own middle a piece has variance w²/12 and fourth moment w⁴/80.
            let (second, own) = (width * width / 12.0, width.powi(4) / 80.0);
            (
                piece.share * (off.powi(3) + 3.0 * off * second),
                piece.share * (off.powi(4) + 6.0 * off * off * second + own),
            )
        };
        self.pieces.iter().map(of).fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1))
    }

    /// Mean and variance of the least whole number that is at least X: sums of P(J > j) and (2j + 1) P(J > j), in
    /// closed form by pieces.
    pub fn whole_moments(&self) -> (f64, f64) {
        let (mut mean, mut square) = (0.0, 0.0);
        for piece in &self.pieces {
            // The whole numbers in [start, end), at which P(X > j) = above - density j.
            let (from, to) = (piece.start.ceil(), piece.end.ceil());
            let count = to - from;
            if count <= 0.0 {
                continue;
            }
            let density = piece.density();
            let above = 1.0 - piece.below - density * (from - piece.start);
            // Sums over k = 0..count of 1, k, k^2.
            let first = 0.5 * count * (count - 1.0);
            let second = first * (2.0 * count - 1.0) / 3.0;
            mean += above * count - density * first;
            square += above * ((2.0 * from + 1.0) * count + 2.0 * first)
                - density * ((2.0 * from + 1.0) * first + 2.0 * second);
        }
        (mean, (square - mean * mean).max(0.0))
    }

    /// The same law with its unit changed so little that the least whole number has this mean (at least 1).
    pub fn with_whole_mean(&self, mean: f64) -> Self {
        let (own, _) = self.moments();
        let mut factor = (mean - 0.5).max(0.25) / own;
        for _ in 0..40 {
            let off = mean - self.scaled(factor).whole_moments().0;
            if off.abs() <= 1e-13 * mean {
                break;
            }
            factor = (factor + off / own).max(0.25 * factor);
        }
        self.scaled(factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: moments of the spins to a threshold are those of the threshold counted out. Method: every threshold of
    /// small laws, each with its probability.
    #[test]
    fn whole_moments_are_those_of_the_counted_law() {
        for (ends, weights) in [(vec![3, 7, 20], vec![2, 0, 5]), (vec![0, 1, 30], vec![0, 9, 1]), (vec![11], vec![4])] {
            let law = Piecewise::new(0, &ends, &weights);
            for c in 1..=25u64 {
                let total: u64 = weights.iter().sum();
                let (mut start, mut mean, mut square) = (0, 0.0, 0.0);
                for (&end, &weight) in ends.iter().zip(&weights) {
                    for threshold in start + 1..=end {
                        let share = weight as f64 / total as f64 / (end - start) as f64;
                        let spins = threshold.div_ceil(c) as f64;
                        mean += share * spins;
                        square += share * spins * spins;
                        let before = law.upto(threshold as f64) - law.upto(threshold as f64 - 1.0);
                        assert!((before - share).abs() < 1e-12);
                    }
                    start = end;
                }
                let (found, variance) = law.scaled(1.0 / c as f64).whole_moments();
                assert!((found - mean).abs() < 1e-9, "{ends:?} by {c}: {found} and {mean}");
                assert!((variance - (square - mean * mean)).abs() < 1e-9, "{ends:?} by {c}");
            }
        }
    }

    #[test]
    fn a_quantile_has_its_probability_below_it() {
        let law = Piecewise::new(10, &[15, 25, 30], &[1, 0, 3]);
        assert_eq!(law.quantile(0.25), 5.0);
        assert_eq!(law.quantile(0.625), 17.5);
        assert_eq!(law.upto(17.5), 0.625);
        assert_eq!(law.quantile(1.0), 20.0);
    }
}
