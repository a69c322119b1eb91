//! Plays one pool spin by spin, in the plainest way, and gathers repeats.

use super::*;

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub struct Generator(pub u64);

impl Generator {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    pub fn shuffle(&mut self, items: &mut [usize]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// What a run showed: hits, paid, accrued.
pub type Shown = [f64; 3];

/// Plays a linked level on a row of bets.
pub fn play(level: &Level, bets: &[usize], opening: u64, generator: &mut Generator) -> Shown {
    let seed = level.seeds[0];
    let threshold = |generator: &mut Generator| match &level.trigger {
        Trigger::MustHitBy { bounds, law: ThresholdLaw::AtCap } => bounds[0],
        Trigger::MustHitBy { bounds, law: ThresholdLaw::Uniform } => seed + 1 + generator.below(bounds[0] - seed),
        Trigger::MustHitBy { law: ThresholdLaw::Weighted { weights, ends }, .. } => {
            let mut left = generator.below(weights.iter().sum());
            let piece = weights.iter().position(|&weight| {
                let is_here = left < weight;
                left = left.saturating_sub(weight);
                is_here
            });
            let piece = piece.expect("drawn below the sum");
            let start = if piece == 0 { seed } else { ends[0][piece - 1] };
            start + 1 + generator.below(ends[0][piece] - start)
        }
        _ => 0,
    };
    let (mut meter, mut due) = (opening, threshold(generator));
    let (mut hits, mut paid) = (0u64, 0u64);
    for &bet in bets {
        meter += level.contributions[bet];
        let hit = match &level.trigger {
            Trigger::Odds { hits, of } => generator.below(*of) < hits[bet],
            _ => meter >= due,
        };
        if hit {
            let amount = level.award(0, meter);
            hits += 1;
            paid += amount;
            meter = if level.overflow == Overflow::NextSeed { seed + meter - amount } else { seed };
            due = threshold(generator);
        }
    }
    let closing = if level.overflow == Overflow::NextSeed { meter } else { level.award(0, meter) };
    [hits as f64, paid as f64, paid as f64 + closing as f64 - opening as f64]
}

/// Means and variances over repeats, and their standard errors.
pub struct Repeats(pub Vec<Shown>);

impl Repeats {
    /// z of the mean, and of the variance, of one of the three figures, against what was expected.
    pub fn z(&self, figure: usize, mean: f64, deviation: f64) -> (f64, f64) {
        let count = self.0.len() as f64;
        let found = self.0.iter().map(|shown| shown[figure]).sum::<f64>() / count;
        let squares: Vec<f64> = self.0.iter().map(|shown| (shown[figure] - mean) * (shown[figure] - mean)).collect();
        let variance = squares.iter().sum::<f64>() / count;
        let fourth = squares.iter().map(|square| (square - variance) * (square - variance)).sum::<f64>() / count;
        let error = (variance / count).sqrt().max(1e-9 * mean.abs()).max(1e-12);
        let error_of_variance = (fourth / count).sqrt().max(1e-9 * mean * mean).max(1e-12);
        ((found - mean) / error, (variance - deviation * deviation) / error_of_variance)
    }

    /// Panics unless hits, paid and accrued agree within |z| < 4, the means also within `bias` standard deviations and
    /// the variances within a relative `spread` (what the law neglects).
    pub fn assert_agree(&self, expected: &Expected, bias: f64, spread: f64, what: &str) {
        let figures = [
            ("hits", expected.hits, expected.hits_sd),
            ("paid", expected.paid, expected.paid_sd),
            ("accrued", expected.accrued, expected.accrued_sd),
        ];
        for (figure, (name, mean, deviation)) in figures.into_iter().enumerate() {
            let (of_mean, of_variance) = self.z(figure, mean, deviation);
            let root = (self.0.len() as f64).sqrt();
            println!(
                "{what}, {name}: mean {mean:.4}, sd {deviation:.4}, z {of_mean:.2}, z of variance {of_variance:.2}"
            );
            assert!(of_mean.abs() < 4.0 + bias * root, "{what}: mean of {name}, z {of_mean}");
            assert!(of_variance.abs() < 4.0 + spread * root, "{what}: variance of {name}, z {of_variance}");
        }
    }
}
