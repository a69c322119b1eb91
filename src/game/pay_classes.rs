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
    /// One position for each pay, then one for all outcomes that start something, if there are any.
    classes: Weighted,
    pays: Vec<u64>,
    plain: u64,
}

impl PayClasses {
    /// From the plain outcomes as (pay, weight), each pay once and weights positive, and the weight of all others. The
    /// sum is positive and fits u64.
    pub fn new(mut plain: Vec<(u64, u64)>, special: u64) -> Self {
        plain.sort_unstable_by_key(|&(pay, weight)| (Reverse(weight), pay));
        let mut weights: Vec<u64> = plain.iter().map(|&(_, weight)| weight).collect();
        let sum = weights.iter().sum();
        weights.extend((special > 0).then_some(special));
        Self { classes: Weighted::new(&weights), pays: plain.iter().map(|&(pay, _)| pay).collect(), plain: sum }
    }

    /// Sum of all weights.
    #[inline(always)]
    pub fn total(&self) -> u64 {
        self.classes.total()
    }

    /// Pay in return units of each plain class.
    pub fn pays(&self) -> &[u64] {
        &self.pays
    }

    /// Class of a number below [`Self::total`]: a position in [`Self::pays`], or their count for what starts something.
    #[inline(always)]
    pub fn class(&self, number: u64) -> usize {
        self.classes.position(number)
    }

    /// The outcome that a number below [`Self::total`] stands for.
    #[inline]
    pub fn outcome(&self, number: u64) -> Drawn {
        match number.checked_sub(self.plain) {
            None => Drawn::Pays(self.pays[self.class(number)]),
            Some(rank) => Drawn::Starts(rank),
        }
    }

    /// Which outcome of its class a number stands for, from 0.
    pub fn rank(&self, number: u64) -> u64 {
        number - self.classes.start(self.class(number))
    }
}
