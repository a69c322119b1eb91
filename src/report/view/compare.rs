//! What was simulated against what a run of this length is expected to show.

use super::super::result::{Expectation, Law};

/// Beyond this many standard deviations a figure is called far from expectation.
pub const Z_FAR: f64 = 4.0;
/// At so many expected hits or fewer, a standard deviation says too little.
pub const HITS_FEW: f64 = 30.0;
/// Two-sided chance of a normal figure beyond [`Z_FAR`].
const P_FAR: f64 = 6.33e-5;

/// What an expectation may neglect and still be judged by: each is far below the width of an interval.
const NEGLIGIBLE: [&str; 5] = [
    "exact",
    "a sawtooth ",
    "the order of the bets, ",
    "runs are cut into cells, ",
    "how the excess over the bound varies",
];

/// Whether an expectation neglects something of weight, by its basis. What is not known to be negligible is not.
pub fn is_approximate(expected: &Expectation) -> bool {
    !expected.basis.split("; ").all(|part| NEGLIGIBLE.iter().any(|known| part.starts_with(known)))
}

/// How a pool or level compares with its expectation.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub outcome: Outcome,
    /// The expectation neglects something of weight: it is shown, and nothing is judged by it.
    pub approximate: bool,
}

/// What a comparison gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// There is no expectation.
    Unknown,
    /// (simulated - expected) / standard deviation.
    Scores { hits: Option<f64>, paid: Option<f64>, accrued: Option<f64> },
    /// Too few expected hits for a score. By a Poisson law, for independent trials: the chance of a count at most as
    /// likely, and the 95 % interval of the mean count.
    FewHits { p_value: Option<f64>, hits_interval: Option<(f64, f64)> },
    /// A process without variance: whether hits and paid are within one cycle a pool of what is expected.
    Cycle { within: bool },
}

impl Comparison {
    /// Compares hits, paid and accrued money in pool units.
    pub fn new(expected: Option<&Expectation>, law: Law, hits: u64, paid: u128, accrued: i128) -> Self {
        let outcome = expected.map_or(Outcome::Unknown, |expected| Outcome::new(expected, law, hits, paid, accrued));
        Self { outcome, approximate: expected.is_some_and(is_approximate) }
    }

    /// z-score of hits.
    pub fn z_hits(&self) -> Option<f64> {
        if let Outcome::Scores { hits, .. } = self.outcome { hits } else { None }
    }

    /// z-score of what was paid.
    pub fn z_paid(&self) -> Option<f64> {
        if let Outcome::Scores { paid, .. } = self.outcome { paid } else { None }
    }

    /// z-score of what accrued.
    pub fn z_accrued(&self) -> Option<f64> {
        if let Outcome::Scores { accrued, .. } = self.outcome { accrued } else { None }
    }

    /// Exact p-value, where there are too few hits for a score.
    pub fn p_value(&self) -> Option<f64> {
        if let Outcome::FewHits { p_value, .. } = self.outcome { p_value } else { None }
    }

    /// 95 % interval of the mean number of hits, where there are few.
    pub fn hits_interval(&self) -> Option<(f64, f64)> {
        if let Outcome::FewHits { hits_interval, .. } = self.outcome { hits_interval } else { None }
    }

    /// Whether a standard deviation says too little.
    pub fn has_few_hits(&self) -> bool {
        matches!(self.outcome, Outcome::FewHits { .. })
    }

    /// One word: `agrees`, `far`, `approximate`, `too few hits`, `within a cycle`, `beyond a cycle`, or blank.
    pub fn verdict(&self) -> &'static str {
        match self.outcome {
            Outcome::Unknown => "",
            Outcome::Cycle { within: true } => "within a cycle",
            _ if self.approximate && (self.outcome.far().is_some() || !self.has_few_hits()) => "approximate",
            Outcome::Cycle { within: false } => "beyond a cycle",
            _ if self.far().is_some() => "far",
            Outcome::FewHits { .. } => "too few hits",
            Outcome::Scores { .. } => "agrees",
        }
    }

    /// In words, what is far from expectation.
    pub fn far(&self) -> Option<String> {
        if self.approximate { None } else { self.outcome.far() }
    }
}

impl Outcome {
    fn new(expected: &Expectation, law: Law, hits: u64, paid: u128, accrued: i128) -> Self {
        let hits_off = hits as f64 - expected.hits;
        let paid_off = paid as f64 - expected.paid;
        if expected.hits_tolerance > 0.0 || law == Law::MustHitByAtCap {
            // A hair more than the tolerance, for what is lost in floating point.
            let inside = |off: f64, tolerance: f64| off.abs() <= tolerance * (1.0 + 1e-9) + 1e-6;
            return Self::Cycle {
                within: inside(hits_off, expected.hits_tolerance) && inside(paid_off, expected.paid_tolerance),
            };
        }
        if expected.hits <= HITS_FEW {
            let independent = law == Law::Odds && expected.hits > 0.0;
            return Self::FewHits {
                p_value: independent.then(|| poisson_p_value(expected.hits, hits)),
                hits_interval: (law == Law::Odds && hits <= 1_000).then(|| poisson_interval(hits)),
            };
        }
        let score = |off: f64, deviation: f64| (deviation > 0.0).then(|| off / deviation);
        Self::Scores {
            hits: score(hits_off, expected.hits_sd),
            paid: score(paid_off, expected.paid_sd),
            accrued: score(accrued as f64 - expected.accrued, expected.accrued_sd),
        }
    }

    fn far(&self) -> Option<String> {
        match self {
            Self::Scores { hits, paid, accrued } => {
                let far = [("hits", hits), ("paid", paid), ("accrued", accrued)];
                let far: Vec<_> = (far.into_iter())
                    .filter_map(|(name, z)| z.filter(|z| z.abs() > Z_FAR).map(|z| format!("{name} by z {z:+.1}")))
                    .collect();
                (!far.is_empty()).then(|| far.join(", "))
            }
            Self::FewHits { p_value: Some(p), .. } if *p < P_FAR => {
                Some(format!("a count of hits this unlikely has a chance of {p:.1e}"))
            }
            Self::Cycle { within: false } => Some("hits or paid by more than one cycle of each pool".into()),
            _ => None,
        }
    }
}

/// Two-sided exact p-value of a Poisson count: the chance of all counts at most as likely as the one seen. The mean is
/// at most [`HITS_FEW`].
pub fn poisson_p_value(mean: f64, count: u64) -> f64 {
    let last = (count.min(2_000) as usize).max(300);
    let weights = poisson_weights(mean, last);
    let seen = weights[count.min(last as u64) as usize];
    let all: f64 = weights.iter().sum();
    let as_unlikely: f64 = weights.iter().filter(|&&weight| weight <= seen * (1.0 + 1e-7)).sum();
    (as_unlikely / all).min(1.0)
}

/// mean^k / k! for k from 0: chances but for a common factor, without an exponential.
fn poisson_weights(mean: f64, last: usize) -> Vec<f64> {
    let mut weights = Vec::with_capacity(last + 1);
    let mut weight = 1.0;
    for k in 0..=last {
        weights.push(weight);
        weight *= mean / (k + 1) as f64;
    }
    weights
}

/// Exact 95 % interval of a Poisson mean after a count of hits (Garwood 1936). For counts up to 1,000.
pub fn poisson_interval(count: u64) -> (f64, f64) {
    let count_high = count as f64 + 10.0 * ((count + 1) as f64).sqrt() + 10.0;
    // P(at most k | mean), by sums scaled down against overflow.
    let at_most = |k: u64, mean: f64| {
        let (mut weight, mut below, mut all) = (1.0f64, 0.0f64, 0.0f64);
        let last = (mean + 12.0 * mean.sqrt() + 40.0) as u64;
        for j in 0..=last.max(k) {
            all += weight;
            if j <= k {
                below += weight;
            }
            weight *= mean / (j + 1) as f64;
            if all > 1e200 {
                (weight, below, all) = (weight * 1e-200, below * 1e-200, all * 1e-200);
            }
        }
        below / all
    };
    let solve = |reached: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0, count_high);
        for _ in 0..80 {
            let middle = (low + high) / 2.0;
            if reached(middle) { high = middle } else { low = middle }
        }
        (low + high) / 2.0
    };
    let low = if count == 0 { 0.0 } else { solve(&|mean| 1.0 - at_most(count - 1, mean) >= 0.025) };
    (low, solve(&|mean| at_most(count, mean) <= 0.025))
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::expectation;
    use super::*;

    #[test]
    fn a_score_is_the_distance_in_standard_deviations() {
        let expected = Expectation { hits: 100.0, hits_sd: 10.0, paid: 1e4, paid_sd: 500.0, ..expectation() };
        let comparison = Comparison::new(Some(&expected), Law::Odds, 145, 10_500, 0);
        assert_eq!((comparison.z_hits(), comparison.z_paid()), (Some(4.5), Some(1.0)));
        assert_eq!(comparison.far().unwrap(), "hits by z +4.5");
        assert_eq!(comparison.verdict(), "far");
    }

    #[test]
    fn few_hits_have_an_exact_chance_and_no_score() {
        let expected = Expectation { hits: 2.0, hits_sd: 2f64.sqrt(), ..expectation() };
        let comparison = Comparison::new(Some(&expected), Law::Odds, 0, 0, 0);
        assert_eq!((comparison.z_hits(), comparison.verdict()), (None, "too few hits"));
        // P(0) = e^-2 = .135335; counts at most as likely: 0 and 4 and more, .135335 + .142877.
        assert!((comparison.p_value().unwrap() - 0.278_212).abs() < 1e-6);
        let (low, high) = comparison.hits_interval().unwrap();
        assert!(low == 0.0 && (high - 3.688_879).abs() < 1e-5, "{high}");
        let renewal = Comparison::new(Some(&expected), Law::MustHitByUniform, 0, 0, 0);
        assert_eq!((renewal.p_value(), renewal.verdict()), (None, "too few hits"));
        let many = Comparison::new(Some(&expected), Law::Odds, 40, 0, 0);
        assert_eq!(many.verdict(), "far");
    }

    #[test]
    fn the_interval_of_ten_hits_is_the_published_one() {
        let (low, high) = poisson_interval(10);
        assert!((low - 4.795_389).abs() < 1e-5 && (high - 18.390_356).abs() < 1e-5, "{low} {high}");
        let (low, high) = poisson_interval(900);
        assert!(low > 840.0 && low < 843.0 && high > 960.0 && high < 962.0, "{low} {high}");
    }

    #[test]
    fn at_the_cap_one_cycle_decides() {
        let expected = Expectation {
            hits: 10.4,
            hits_sd: 0.0,
            paid: 1_040.0,
            hits_tolerance: 1.0,
            paid_tolerance: 100.0,
            ..expectation()
        };
        let at = |hits, paid| Comparison::new(Some(&expected), Law::MustHitByAtCap, hits, paid, 0);
        assert_eq!(at(10, 1_000).outcome, Outcome::Cycle { within: true });
        assert_eq!(at(12, 1_200).verdict(), "beyond a cycle");
    }

    #[test]
    fn without_an_expectation_nothing_is_said() {
        let comparison = Comparison::new(None, Law::Odds, 3, 1, 1);
        assert_eq!((comparison.verdict(), comparison.far(), comparison.z_hits()), ("", None, None));
    }

    #[test]
    fn an_approximate_expectation_is_shown_and_raises_no_alarm() {
        let at = |basis: &str, law: Law| {
            let many = Expectation { hits: 100.0, hits_sd: 10.0, basis: basis.into(), ..expectation() };
            Comparison::new(Some(&many), law, 50, 0, 0)
        };
        let deferred = at("runs are cut into cells, by little; a hit that a higher level defers by a spin", Law::Odds);
        assert_eq!((deferred.z_hits(), deferred.far(), deferred.verdict()), (Some(-5.0), None, "approximate"));
        let cycle = at("a hit that a higher level defers by a spin", Law::MustHitByAtCap);
        assert_eq!((cycle.far(), cycle.verdict()), (None, "approximate"));
        let order = at("the order of the bets, of the relative size of the hit probability", Law::Odds);
        assert_eq!(order.verdict(), "far");
        let few = Expectation { hits: 2.0, basis: "something new".into(), ..expectation() };
        assert_eq!(Comparison::new(Some(&few), Law::Odds, 40, 0, 0).far(), None);
        assert_eq!(Comparison::new(Some(&few), Law::Odds, 2, 0, 0).verdict(), "too few hits");
    }
}
