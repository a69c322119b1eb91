//! How a pool's meter grows, and the closed forms that need nothing else.

use crate::exact::elementary::exp;

/// Contributions of a pool's spins. Money in pool units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contributions {
    pub mean: f64,
    /// E c^2 and E c^3, c the contribution of a spin.
    pub square: f64,
    pub cube: f64,
    /// Greatest common divisor of the contributions that occur.
    pub step: u64,
    /// The contribution of every spin, where there is only one.
    pub constant: Option<u64>,
}

impl Contributions {
    /// Of spins made with these weights; `None` if no spin has weight.
    pub fn new(weighted: impl Iterator<Item = (f64, u64)> + Clone) -> Option<Self> {
        let mut occurring = weighted.filter(|&(weight, _)| weight > 0.0);
        let total: f64 = occurring.clone().map(|(weight, _)| weight).sum();
        if total <= 0.0 {
            return None;
        }
        let power = |exponent: i32| {
            occurring.clone().map(|(weight, c)| weight / total * (0..exponent).fold(1.0, |all, _| all * c as f64)).sum()
        };
        let (mean, square, cube) = (power(1), power(2), power(3));
        let step = occurring.clone().fold(0, |step, (_, c)| num_integer::gcd(step, c));
        let first = occurring.next().map(|(_, c)| c)?;
        let constant = occurring.all(|(_, c)| c == first).then_some(first);
        Some(Self { mean, square, cube, step, constant })
    }

    /// The same with `income` more a spin, an even part of each: what other levels send.
    pub fn with_income(self, income: f64) -> Self {
        if income <= 0.0 {
            return self;
        }
        let Self { mean, square, cube, .. } = self;
        Self {
            mean: mean + income,
            square: square + income * (2.0 * mean + income),
            cube: cube + income * (3.0 * square + income * (3.0 * mean + income)),
            step: 1,
            constant: None,
        }
    }

    /// Mean and variance of the part of a spin's contribution that lies past a level which was crossed in it, in the
    /// continuous limit: E c^2 / 2 E c and E c^3 / 3 E c less its square (Cox, *Renewal Theory*, 1962, chapter 5: the
    /// forward recurrence time).
    pub fn overshoot(&self) -> (f64, f64) {
        let mean = self.square / (2.0 * self.mean);
        (mean, (self.cube / (3.0 * self.mean) - mean * mean).max(0.0))
    }
}

/// Mean growth from hit to hit of a pool with odds, G = contribution per spin / hit probability per spin.
pub fn growth_mean(contribution: f64, chance: f64) -> f64 {
    contribution / chance
}

/// Mean growth that a hit pays under a cap, the excess dropped: G (1 - e^(-D/G)), D the room between seed and cap.
pub fn capped_growth_mean(growth: f64, headroom: f64) -> f64 {
    growth * (1.0 - exp(-headroom / growth))
}

/// Mean overflow per hit under a cap, G e^(-D/G).
pub fn overflow_per_hit(growth: f64, headroom: f64) -> f64 {
    growth * exp(-headroom / growth)
}

/// A reserve that is emptied at each hit and then holds `reserve_mean` on average, exponentially distributed: the
/// probability that it falls short of the seed, and the mean top-up per hit, R - m (1 - e^(-R/m)).
pub fn reserve_shortfall(seed: f64, reserve_mean: f64) -> (f64, f64) {
    let short = 1.0 - exp(-seed / reserve_mean);
    (short, seed - reserve_mean * short)
}

/// Long-run RTP of a must-hit-by pool with a uniform threshold, small contributions at rate c: c (M + R) / (M - R).
pub fn must_hit_by_rtp(seed: f64, bound: f64, rate: f64) -> f64 {
    rate * (bound + seed) / (bound - seed)
}

/// Meter from which the next bet on a uniform must-hit-by is worth playing, f the return of the rest of the game:
/// M (1 - f) / (1 - f + c).
pub fn break_even_next_bet(bound: f64, rate: f64, fixed_return: f64) -> f64 {
    bound * (1.0 - fixed_return) / (1.0 - fixed_return + rate)
}

/// Meter from which playing until the hit is worth it: M (1 - f - c) / (1 - f + c).
pub fn break_even_to_the_hit(bound: f64, rate: f64, fixed_return: f64) -> f64 {
    bound * (1.0 - fixed_return - rate) / (1.0 - fixed_return + rate)
}
