//! Mean and variance of prize tables, also nested ones, exactly.

use crate::game::rules::{Prize, Reels};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// First two moments of what one draw from a table pays, in return units.
#[derive(Debug, Clone, PartialEq)]
pub struct PrizeMoments {
    pub mean: BigRational,
    pub mean_square: BigRational,
}

impl PrizeMoments {
    /// Of a table; a draw of several prizes is a sum of independent ones.
    pub fn new(reels: &Reels, table: usize) -> Self {
        let rows = &reels.prize_tables[table].rows;
        let total = whole(rows.iter().map(|&(_, weight)| u128::from(weight)).sum());
        let (mut mean, mut mean_square) = (BigRational::zero(), BigRational::zero());
        for &(prize, weight) in rows {
            let share = whole(weight.into()) / &total;
            let (one, square) = match prize {
                Prize::Pay(pay) => (whole(pay.into()), whole(u128::from(pay) * u128::from(pay))),
                Prize::Draws { count, table } => {
                    let each = Self::new(reels, table);
                    let mean = whole(count.into()) * &each.mean;
                    (mean.clone(), whole(count.into()) * each.variance() + &mean * &mean)
                }
            };
            mean += &share * one;
            mean_square += share * square;
        }
        Self { mean, mean_square }
    }

    /// Variance of one draw.
    pub fn variance(&self) -> BigRational {
        &self.mean_square - &self.mean * &self.mean
    }
}

/// A whole number as a fraction.
pub fn whole(number: u128) -> BigRational {
    BigRational::from(BigInt::from(number))
}
