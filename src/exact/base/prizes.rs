//! What draws from prize tables come to, also from nested ones and from wheels that spin again.
//!
//! One draw of a table is X = Y, or Y + X' where its row draws again: so with s and a the sums over rows that end and that
//! draw again, X = s / (1 - a) in the algebra of (chance, first moment, second moment). Rows are left out, or weighted,
//! for the chance that something doesn't happen.

use crate::game::rules::{Prize, Reels};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Num, NumRef};
use std::collections::BTreeMap;

/// Most products of two parts that one distribution of awards may take.
const WORK_MAX: usize = 4_000_000;

/// A chance, and the mean over it of a value and of its square: `(P, E(X; .), E(X²; .))`.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments<T> {
    pub chance: T,
    pub mean: T,
    pub square: T,
}

impl<T: NumRef + Clone> Moments<T> {
    /// A certain value.
    pub fn of(value: T) -> Self {
        Self { chance: T::one(), square: value.clone() * &value, mean: value }
    }

    fn zero() -> Self {
        Self { chance: T::zero(), mean: T::zero(), square: T::zero() }
    }

    fn plus(self, other: &Self) -> Self {
        Self { chance: self.chance + &other.chance, mean: self.mean + &other.mean, square: self.square + &other.square }
    }

    fn scaled(&self, factor: &T) -> Self {
        let times = |value: &T| value.clone() * factor;
        Self { chance: times(&self.chance), mean: times(&self.mean), square: times(&self.square) }
    }

    /// Of the sum of two independent values.
    pub fn and(&self, other: &Self) -> Self {
        let product = |one: &T, other: &T| one.clone() * other;
        let cross = product(&self.mean, &other.mean);
        Self {
            chance: product(&self.chance, &other.chance),
            mean: product(&self.mean, &other.chance) + product(&self.chance, &other.mean),
            square: product(&self.square, &other.chance) + product(&self.chance, &other.square) + cross.clone() + cross,
        }
    }

    /// The sum of so many independent ones.
    pub fn times(&self, count: u64) -> Self {
        power(count, Self::of(T::zero()), self.clone(), &|one, other| Some(one.and(other))).unwrap_or_else(Self::zero)
    }

    /// X with X = self, or `again` and then X.
    fn after(&self, again: &Self) -> Self {
        let rest = T::one() - &again.chance;
        let chance = self.chance.clone() / &rest;
        let mean = (self.mean.clone() + again.mean.clone() * &chance) / &rest;
        let cross = again.mean.clone() * &mean;
        let square = (self.square.clone() + cross.clone() + cross + again.square.clone() * &chance) / &rest;
        Self { chance, mean, square }
    }
}

/// By squaring; `None` once a product is.
fn power<V: Clone>(mut count: u64, one: V, mut base: V, product: &dyn Fn(&V, &V) -> Option<V>) -> Option<V> {
    let mut result = one;
    while count > 0 {
        if count % 2 == 1 {
            result = product(&result, &base)?;
        }
        count /= 2;
        if count > 0 {
            base = product(&base, &base)?;
        }
    }
    Some(result)
}

/// Free spins that draws award, by feature, of those that are counted; the moments of all else, for each.
pub type Awards<T> = BTreeMap<Vec<u64>, Moments<T>>;

/// What one row of a table does by itself: counted awards, and the moments of the rest.
pub type Row<'r, T> = &'r dyn Fn(&Prize) -> (Vec<u64>, Moments<T>);

/// Draws from the tables of a game. Awards are counted up to `caps`.
#[derive(Debug)]
pub struct Tables<'a> {
    pub reels: &'a Reels,
    pub caps: Vec<u64>,
}

impl Tables<'_> {
    /// One draw from each table; `None` where awards are too many to tell apart.
    pub fn draws<T: NumRef + Clone>(&self, weight: &dyn Fn(u64, u64) -> T, row: Row<T>) -> Vec<Option<Awards<T>>> {
        let mut known: Vec<Option<Option<Awards<T>>>> = vec![None; self.reels.prize_tables.len()];
        for table in 0..known.len() {
            self.draw(table, weight, row, &mut known);
        }
        known.into_iter().map(Option::flatten).collect()
    }

    fn draw<T: NumRef + Clone>(
        &self,
        table: usize,
        weight: &dyn Fn(u64, u64) -> T,
        row: Row<T>,
        known: &mut Vec<Option<Option<Awards<T>>>>,
    ) -> Option<Awards<T>> {
        if let Some(found) = &known[table] {
            return found.clone();
        }
        let rows = &self.reels.prize_tables[table].rows;
        let all: u64 = rows.iter().map(|(_, weight)| weight).sum();
        let (mut ending, mut again) = (Some(Awards::new()), Some(Awards::new()));
        for (prize, share) in rows.iter().filter(|(_, share)| *share > 0) {
            let (awards, moments) = row(prize);
            let own = Awards::from([(self.capped(&awards, &[]), moments.scaled(&weight(*share, all)))]);
            let nested = prize.draws.map(|draws| {
                let one = self.draw(draws.table, weight, row, known)?;
                self.times(one, draws.count)
            });
            let drawn = match nested {
                Some(nested) => nested.and_then(|nested| self.and(&own, &nested)),
                None => Some(own),
            };
            let into = if prize.again { &mut again } else { &mut ending };
            *into = into.take().zip(drawn).map(|(sum, drawn)| added(sum, &drawn));
        }
        let found = ending.zip(again).and_then(|(ending, again)| self.after(ending, &again));
        known[table] = Some(found.clone());
        found
    }

    /// So many independent draws.
    pub fn times<T: NumRef + Clone>(&self, one: Awards<T>, count: u64) -> Option<Awards<T>> {
        power(count, self.nothing(), one, &|one, other| self.and(one, other))
    }

    /// No draw at all.
    pub fn nothing<T: NumRef + Clone>(&self) -> Awards<T> {
        Awards::from([(vec![0; self.caps.len()], Moments::of(T::zero()))])
    }

    /// Both of two independent draws.
    pub fn and<T: NumRef + Clone>(&self, one: &Awards<T>, other: &Awards<T>) -> Option<Awards<T>> {
        if one.len().saturating_mul(other.len()) > WORK_MAX {
            return None;
        }
        let mut both = Awards::new();
        for (here, moments) in one {
            for (there, others) in other {
                add(&mut both, self.capped(here, there), moments.and(others));
            }
        }
        Some(both)
    }

    fn capped(&self, one: &[u64], other: &[u64]) -> Vec<u64> {
        let other = other.iter().chain(std::iter::repeat(&0));
        one.iter().zip(other).zip(&self.caps).map(|((one, other), cap)| one.saturating_add(*other).min(*cap)).collect()
    }

    /// X = ending, or again and then X: solved award by award, the fewest spins first, since spins only become more.
    fn after<T: NumRef + Clone>(&self, ending: Awards<T>, again: &Awards<T>) -> Option<Awards<T>> {
        if again.is_empty() {
            return Some(ending);
        }
        let by_sum = |awards: Vec<u64>| (awards.iter().sum::<u64>(), awards);
        let mut open: BTreeMap<(u64, Vec<u64>), Moments<T>> =
            ending.into_iter().map(|(awards, moments)| (by_sum(awards), moments)).collect();
        let mut found = Awards::new();
        let mut work = 0;
        while let Some(((_, awards), ending)) = open.pop_first() {
            work += again.len();
            if work > WORK_MAX {
                return None;
            }
            let stays = |more: &&Vec<u64>| self.capped(&awards, more) == awards;
            let staying = again.iter().filter(|(more, _)| stays(more));
            let staying = staying.fold(Moments::zero(), |sum, (_, moments)| sum.plus(moments));
            let here = ending.after(&staying);
            for (more, moments) in again.iter().filter(|(more, _)| !stays(more)) {
                let entry = open.entry(by_sum(self.capped(&awards, more)));
                let sum = entry.or_insert_with(Moments::zero);
                *sum = sum.clone().plus(&moments.and(&here));
            }
            found.insert(awards, here);
        }
        Some(found)
    }
}

fn add<T: NumRef + Clone>(sums: &mut Awards<T>, awards: Vec<u64>, moments: Moments<T>) {
    let sum = sums.entry(awards).or_insert_with(Moments::zero);
    *sum = sum.clone().plus(&moments);
}

fn added<T: NumRef + Clone>(mut sums: Awards<T>, others: &Awards<T>) -> Awards<T> {
    for (awards, moments) in others {
        add(&mut sums, awards.clone(), moments.clone());
    }
    sums
}

/// Of all awards together.
pub fn together<T: NumRef + Clone>(awards: &Awards<T>) -> Moments<T> {
    awards.values().fold(Moments::zero(), Moments::plus)
}

/// First two moments of what one draw from a table pays, in return units, free spins left out.
#[derive(Debug, Clone, PartialEq)]
pub struct PrizeMoments {
    pub mean: BigRational,
    pub mean_square: BigRational,
}

impl PrizeMoments {
    /// Of each table, exactly.
    pub fn of_all(reels: &Reels) -> Vec<Self> {
        value_moments(reels, &|prize| whole(prize.pay.into()))
    }

    /// Of one table.
    pub fn new(reels: &Reels, table: usize) -> Self {
        Self::of_all(reels).swap_remove(table)
    }

    /// Variance of one draw.
    pub fn variance(&self) -> BigRational {
        &self.mean_square - &self.mean * &self.mean
    }
}

/// First two moments of the sum of a value over the rows of one draw, for each table.
pub fn value_moments(reels: &Reels, value: &dyn Fn(&Prize) -> BigRational) -> Vec<PrizeMoments> {
    let tables = Tables { reels, caps: Vec::new() };
    let drawn = tables.draws(&share, &|prize| (Vec::new(), Moments::of(value(prize))));
    // Without counted awards there is one sum for each table.
    let moments = drawn.into_iter().map(|awards| together(&awards.unwrap_or_default()));
    moments.map(|moments| PrizeMoments { mean: moments.mean, mean_square: moments.square }).collect()
}

/// The chance of a weight, as a fraction.
pub fn share(weight: u64, all: u64) -> BigRational {
    BigRational::new(weight.into(), all.into())
}

/// The same to rounding.
pub fn rounded_share(weight: u64, all: u64) -> f64 {
    weight as f64 / all as f64
}

/// A whole number as a fraction.
pub fn whole(number: u128) -> BigRational {
    BigRational::from(BigInt::from(number))
}

/// 1 less a value.
pub fn without<T: Num>(value: T) -> T {
    T::one() - value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::PrizeTable;

    /// A wheel of 10: 20 five times; 5 and again three times; two draws of 10 or 30; nothing but a level.
    fn wheel() -> Reels {
        let rows = vec![
            (Prize::pay(20), 5),
            (Prize { again: true, ..Prize::pay(5) }, 3),
            (Prize::draws(2, 1), 1),
            (Prize { jackpots: vec![0], ..Prize::default() }, 1),
        ];
        let gold = vec![(Prize::pay(10), 1), (Prize::pay(30), 1)];
        let table = |name: &str, rows| PrizeTable { name: name.into(), rows };
        Reels {
            symbols: Vec::new(),
            strip_sets: Vec::new(),
            rows: 1,
            lines: Vec::new(),
            line_pays: Vec::new(),
            by_ways: false,
            direction: crate::game::Direction::Left,
            replaced: Vec::new(),
            scatter_pays: Vec::new(),
            prize_tables: vec![table("wheel", rows), table("gold", gold)],
            bonuses: Vec::new(),
            free_spins: Vec::new(),
            jackpots: Vec::new(),
        }
    }

    fn fraction(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    /// By hand: m = .5 x 20 + .3 (5 + m) + .1 x 40, so m = 155/7. E X² = .5 x 400 + .3 (25 + 10 m + E X²) + .1 (2 x 100 +
    /// 40²), so E X² = 31775/49.
    #[test]
    fn a_wheel_that_spins_again_has_the_moments_worked_by_hand() {
        let moments = PrizeMoments::new(&wheel(), 0);
        assert_eq!((moments.mean, moments.mean_square), (fraction(155, 7), fraction(31775, 49)));
    }

    /// By hand: the level is missed with g = .6 + .3 g, so g = 6/7. Awards counted up to 2, with one for each spin again:
    /// none with .7, one with .3 x .7, two or more with the rest.
    #[test]
    fn chances_of_a_wheel_are_as_worked_by_hand() {
        let reels = wheel();
        let tables = Tables { reels: &reels, caps: Vec::new() };
        let missing = |prize: &Prize| {
            let zero = fraction(0, 1);
            let chance = fraction(i64::from(prize.jackpots.is_empty()), 1);
            (Vec::new(), Moments { chance, mean: zero.clone(), square: zero })
        };
        let drawn = tables.draws(&share, &missing);
        assert_eq!(drawn[0].as_ref().map(|awards| together(awards).chance), Some(fraction(6, 7)));
        let tables = Tables { reels: &reels, caps: vec![2] };
        let spun = |prize: &Prize| (vec![u64::from(prize.again)], Moments::of(whole(prize.pay.into())));
        let awards = tables.draws(&share, &spun).swap_remove(0).expect("few awards");
        let chances: Vec<BigRational> = awards.values().map(|moments| moments.chance.clone()).collect();
        assert_eq!(chances, [fraction(7, 10), fraction(21, 100), fraction(9, 100)]);
        assert_eq!(together(&awards).mean, fraction(155, 7));
        assert_eq!(together(&awards).square, fraction(31775, 49));
    }
}
