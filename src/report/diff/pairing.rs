//! Two runs with the same random numbers: what differs between them varies less than either. Its interval comes from the
//! differences between the points of their series (batch means).

use super::super::result::RunResult;
use crate::metrics::interval;
use crate::tally::ConvergencePoint;

/// Fewest batches that an interval is made of.
const BATCHES_MIN: usize = 20;

/// Two runs whose spins were made at the same bets with the same random numbers.
pub struct Pairs<'r> {
    a: &'r RunResult,
    b: &'r RunResult,
}

impl<'r> Pairs<'r> {
    /// `None` if they are no pair.
    pub fn new(a: &'r RunResult, b: &'r RunResult) -> Option<Self> {
        let plan = |result: &RunResult| {
            let plan = &result.plan;
            (plan.rng_seed, plan.generator.clone(), plan.chunk_spins, plan.spins_done, plan.commit.clone())
        };
        let spins = |result: &RunResult| result.series.convergence.iter().map(|point| point.spins).collect::<Vec<_>>();
        let alike = plan(a) == plan(b) && a.plan.commit == "ordered" && a.base.spins_by_bet == b.base.spins_by_bet;
        (alike && spins(a) == spins(b) && spins(a).len() >= BATCHES_MIN).then_some(Self { a, b })
    }

    /// The 95 % interval of the difference of a part of RTP; `None` for other figures.
    pub fn interval(&self, name: &str) -> Option<(f64, f64)> {
        let batches = |result: &RunResult| shares(result, name);
        let (of_a, of_b) = (batches(self.a)?, batches(self.b)?);
        let weights: Vec<f64> = of_a.iter().map(|(wagered, _)| *wagered).collect();
        let total: f64 = weights.iter().sum();
        let differences: Vec<f64> = of_a.iter().zip(&of_b).map(|((_, a), (_, b))| b - a).collect();
        let mean =
            weights.iter().zip(&differences).map(|(weight, difference)| weight * difference).sum::<f64>() / total;
        let count = differences.len() as f64;
        let squares: f64 =
            weights.iter().zip(&differences).map(|(weight, own)| (weight / total * (own - mean)).powi(2)).sum();
        // Of a weighted mean: the deviation that as many equal batches would have.
        interval::mean(mean, (squares * count * count / (count - 1.0)).sqrt(), count)
    }
}

/// Wagered, and the share that a part paid, between each two points.
fn shares(result: &RunResult, name: &str) -> Option<Vec<(f64, f64)>> {
    let level = |level: &str| result.levels.iter().position(|own| own.name == level);
    let sum = |list: &[u128]| list.iter().sum::<u128>() as i128;
    let signed = |list: &[i128]| list.iter().sum::<i128>();
    let without = |point: &ConvergencePoint| (point.paid_base + point.paid_features) as i128;
    let money: Box<dyn Fn(&ConvergencePoint) -> i128> = match name {
        "rtp" => Box::new(move |point| without(point) + sum(&point.paid_by_level)),
        "rtp_accrued" => Box::new(move |point| without(point) + signed(&point.accrued_by_level)),
        "base" => Box::new(|point| point.paid_base as i128),
        "features" => Box::new(|point| point.paid_features as i128),
        "without_jackpots" => Box::new(without),
        "jackpots" => Box::new(move |point| sum(&point.paid_by_level)),
        "jackpots_accrued" => Box::new(move |point| signed(&point.accrued_by_level)),
        _ => {
            let (own, short) = name.rsplit_once('.')?;
            let own = level(own)?;
            match short {
                "rtp" => Box::new(move |point| point.paid_by_level[own] as i128),
                "rtp_accrued" => Box::new(move |point| point.accrued_by_level[own]),
                _ => return None,
            }
        }
    };
    let mut before = (0u128, 0i128);
    let points = result.series.convergence.iter().map(|point| {
        let now = (point.wagered, money(point));
        let (wagered, paid) = ((now.0 - before.0) as f64, (now.1 - before.1) as f64);
        before = now;
        (wagered, paid / wagered)
    });
    Some(points.collect())
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::sample;
    use super::*;

    fn run(paid: impl Fn(u64) -> u128) -> RunResult {
        let mut result = sample();
        let mut sums = (0, 0);
        result.series.convergence = (1..=40)
            .map(|point| {
                sums = (sums.0 + paid(point), sums.1 + 1_000);
                ConvergencePoint {
                    spins: point,
                    wagered: sums.1,
                    paid_base: sums.0,
                    paid_features: 0,
                    paid_by_level: vec![0],
                    accrued_by_level: vec![0],
                }
            })
            .collect();
        result
    }

    #[test]
    fn what_both_share_cancels() {
        // Both vary by hundreds, their difference by 1.
        let wild = |point: u64| u128::from(point * 7919 % 400);
        let (a, b) = (run(wild), run(|point| wild(point) + 10 + u128::from(point % 2)));
        let pairs = Pairs::new(&a, &b).unwrap();
        let (low, high) = pairs.interval("base").unwrap();
        assert!(low > 0.0103 && high < 0.0107, "{low} {high}");
        assert_eq!(pairs.interval("sigma"), None);
    }

    #[test]
    fn other_random_numbers_make_no_pair() {
        let (a, mut b) = (run(u128::from), run(u128::from));
        b.plan.rng_seed ^= 1;
        assert!(Pairs::new(&a, &b).is_none());
    }
}
