//! Outcomes in the order of what they pay, drawn through one small table.

use super::weighted::Weighted;
use std::cmp::Reverse;

/// An outcome drawn from [`PayClasses`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// A plain one: return units.
    Pays(u64),
    /// One that starts something: which of those, from 0.
    Starts(u64),
}

/// All outcomes of a spin, put in order: plain ones by what they pay, the most frequent pay first, of equally frequent
/// ones the lower; then those that start something.
///
/// A number below [`Self::total`] stands for one outcome. Outcomes of equal pay stand together, so a spin needs one look
/// into a table of as many entries as there are different pays.
#[derive(Debug, Clone)]
pub struct PayClasses {
    /// One position for each frequent pay, then one for all other outcomes, if there are any.
    classes: Weighted,
    frequent: usize,
    pays: Vec<u64>,
    /// First number of each pay, then of what starts something.
    starts: Vec<u64>,
}

/// Most pays that have a class of their own, so that a class fits u16.
const FREQUENT_MAX: usize = u16::MAX as usize;

impl PayClasses {
    /// From the plain outcomes as (pay, weight), each pay once and weights positive, and the weight of all others. The
    /// sum is positive and fits u64.
    pub fn new(plain: Vec<(u64, u64)>, special: u64) -> Self {
        Self::with_frequent(plain, special, FREQUENT_MAX)
    }

    fn with_frequent(mut plain: Vec<(u64, u64)>, special: u64, frequent_max: usize) -> Self {
        plain.sort_unstable_by_key(|&(pay, weight)| (Reverse(weight), pay));
        let frequent = plain.len().min(frequent_max);
        let mut weights: Vec<u64> = plain[..frequent].iter().map(|&(_, weight)| weight).collect();
        let others = special + plain[frequent..].iter().map(|&(_, weight)| weight).sum::<u64>();
        weights.extend((others > 0).then_some(others));
        let mut starts = vec![0];
        starts.extend(plain.iter().scan(0, |sum, &(_, weight)| {
            *sum += weight;
            Some(*sum)
        }));
        Self { classes: Weighted::new(&weights), frequent, pays: plain.iter().map(|&(pay, _)| pay).collect(), starts }
    }

    /// Sum of all weights.
    #[inline(always)]
    pub fn total(&self) -> u64 {
        self.classes.total()
    }

    /// Pay in return units of each frequent class.
    pub fn frequent_pays(&self) -> &[u64] {
        &self.pays[..self.frequent]
    }

    /// Class of the number that a random one scales to, and the fraction left by scaling. A class is a position in
    /// [`Self::frequent_pays`], or their count for all other outcomes.
    #[inline(always)]
    pub fn pick(&self, random: u64) -> (u16, u64) {
        let (class, rest) = self.classes.pick(random);
        (class as u16, rest)
    }

    /// The outcome that a number below [`Self::total`] stands for.
    pub fn outcome(&self, number: u64) -> Drawn {
        match self.pays.get(self.position(number)) {
            Some(&pay) => Drawn::Pays(pay),
            None => Drawn::Starts(self.rank(number)),
        }
    }

    /// Which outcome of its pay, or of those that start something, a number stands for, from 0.
    pub fn rank(&self, number: u64) -> u64 {
        number - self.starts[self.position(number)]
    }

    /// Position among all pays, or their count for what starts something.
    fn position(&self, number: u64) -> usize {
        self.starts.partition_point(|&start| start <= number) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Goal: every pay has its weight, also where only few have a class of their own. Method: every number.
        #[test]
        fn each_pay_and_what_starts_something_have_their_weights(
            weights in prop::collection::vec(1u64..300, 0..40),
            special in 0u64..300,
            frequent_max in 0usize..50,
        ) {
            prop_assume!(special > 0 || !weights.is_empty());
            let plain: Vec<(u64, u64)> = weights.iter().enumerate().map(|(pay, &weight)| (pay as u64, weight)).collect();
            let classes = PayClasses::with_frequent(plain, special, frequent_max);
            let mut found = vec![0; weights.len()];
            let mut starting = 0;
            for number in 0..classes.total() {
                match classes.outcome(number) {
                    Drawn::Pays(pay) => {
                        prop_assert_eq!(classes.rank(number), found[pay as usize], "windows of a pay stand together");
                        found[pay as usize] += 1;
                    }
                    Drawn::Starts(rank) => {
                        prop_assert_eq!(rank, starting);
                        starting += 1;
                    }
                }
            }
            prop_assert_eq!((found, starting), (weights, special));
        }
    }
}
