//! What a run of one pool is expected to show, whatever its law.

/// Mean and variance of what one pool shows over a run. Money in pool units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FiniteRun {
    pub hits: f64,
    pub hits_variance: f64,
    pub paid: f64,
    pub paid_variance: f64,
    /// Paid plus growth of liability: contributions + seeds - overflow to the house.
    pub accrued: f64,
    pub accrued_variance: f64,
    /// At the cap: most by which hits, and paid, may differ from expectation; 0 elsewhere.
    pub hits_tolerance: f64,
    pub paid_tolerance: f64,
    /// A must-hit-by whose run is longer than was followed, while hits still come in step with its start.
    pub unsettled: bool,
}

impl FiniteRun {
    /// The same pool opened at `surplus` above its seed (below, if negative), which the first hit pays; `hitless` is
    /// the probability of no hit at all.
    ///
    /// Without a hit nothing is paid, so that Cov(hit at least once, paid) = hitless x E paid.
    pub fn opened_above_seed(self, surplus: f64, hitless: f64) -> Self {
        let hit = 1.0 - hitless;
        Self {
            paid: self.paid + surplus * hit,
            paid_variance: self.paid_variance + surplus * surplus * hit * hitless + 2.0 * surplus * hitless * self.paid,
            ..self
        }
    }

    /// The sum of two pools that are independent, given the spins at each bet.
    pub fn plus(self, other: &Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            hits_variance: self.hits_variance + other.hits_variance,
            paid: self.paid + other.paid,
            paid_variance: self.paid_variance + other.paid_variance,
            accrued: self.accrued + other.accrued,
            accrued_variance: self.accrued_variance + other.accrued_variance,
            hits_tolerance: self.hits_tolerance + other.hits_tolerance,
            paid_tolerance: self.paid_tolerance + other.paid_tolerance,
            unsettled: self.unsettled || other.unsettled,
        }
    }
}
