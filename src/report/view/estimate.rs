//! How much a level without an expectation may vary, from its own hits: docs/mathematics.md, "From the hits alone".

use super::super::result::{Law, LevelRecord, PoolRecord};
use super::spread::{Divisor, deviation};

/// Variances of a run's sums, in pool units squared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variances {
    pub paid: f64,
    pub accrued: f64,
}

/// Of a level whose spins are independent trials of unknown odds. `None` for other laws, and for a level without hits: it
/// tells nothing of how they vary.
pub fn paid_variances(level: &LevelRecord) -> Option<Variances> {
    if level.law != Law::Odds || level.pools.iter().all(|pool| pool.tally.hits == 0) {
        return None;
    }
    let played = level.pools.iter().filter(|pool| pool.tally.qualifying_spins > 0).map(of_pool);
    Some(played.fold(Variances { paid: 0.0, accrued: 0.0 }, |sum, own| Variances {
        paid: sum.paid + own.paid,
        accrued: sum.accrued + own.accrued,
    }))
}

fn of_pool(pool: &PoolRecord) -> Variances {
    let tally = &pool.tally;
    if tally.hits == 0 {
        // As if it had been hit once, at the end.
        let meter = tally.closing_meter as f64;
        return Variances { paid: meter * meter, accrued: meter * meter };
    }
    let hits = tally.hits as f64;
    let misses = 1.0 - hits / tally.qualifying_spins as f64;
    let mean = tally.paid as f64 / hits;
    let reached = pool.cap.is_some_and(|cap| tally.amount_max.is_some_and(|largest| largest >= cap));
    if reached {
        // Growth that was cut no longer makes up for a short wait with a later long one: amounts and their number are
        // taken as independent, which is the most that they can vary together.
        let deviation = deviation(tally.paid, tally.paid_squares, tally.hits, Divisor::Count).unwrap_or(0.0);
        let paid = hits * (deviation * deviation + mean * mean * misses);
        return Variances { paid, accrued: paid };
    }
    // paid = opening + contributions + seed x hits - closing: all but the number of hits and the growth at the end is
    // fixed by the spins.
    let seed = pool.seed as f64;
    let growth = (mean - seed).max(0.0);
    let accrued = seed * seed * hits * misses;
    Variances { paid: accrued + 2.0 * seed * growth + growth * growth, accrued }
}

#[cfg(test)]
mod tests {
    use super::super::super::sample::sample;
    use super::*;

    #[test]
    fn variances_are_those_worked_out_by_hand() {
        let mut level = sample().levels.remove(0);
        level.pools.truncate(1);
        // Three hits in 40 spins, 700 + 800 + 1000, seed 500: growth of 1000/3 a hit.
        let growth = 1_000.0 / 3.0;
        let accrued = 500.0 * 500.0 * 3.0 * (37.0 / 40.0);
        let own = paid_variances(&level).unwrap();
        assert!((own.accrued - accrued).abs() < 1e-6);
        assert!((own.paid - (accrued + 1_000.0 * growth + growth * growth)).abs() < 1e-6);
        // At the cap: 3 x (variance 15,555.6 + (2500/3)^2 x 37/40).
        level.pools[0].cap = Some(1_000);
        let capped = 3.0 * (140_000.0 / 9.0 + (2_500.0f64 / 3.0).powi(2) * 37.0 / 40.0);
        assert!((paid_variances(&level).unwrap().paid - capped).abs() < 1e-6);
        level.law = Law::MustHitByUniform;
        assert_eq!(paid_variances(&level), None);
    }
}
