//! Bets and the mix in which players choose them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::not_negative;
use crate::config::amount::{Exact, shown};
use crate::config::findings::{At, Notes};
use crate::config::wire::{List, WireBets};

const BETS_MAX: usize = 10_000;
const MIX_SUM_MAX: u64 = 1 << 24;

/// Bets before the pool unit is known, as far as they could be read and are right.
pub(super) struct DraftBets {
    /// Number of bets, if it is sure.
    pub count: Option<usize>,
    /// Total bets in the currency's major unit; `count` of them.
    pub amounts: Vec<Option<At<Exact>>>,
    /// As in [`crate::game::Bets::mix`]; only if the number of bets is sure.
    pub mix: Option<Vec<u64>>,
}

impl DraftBets {
    /// The bet of an index, if it is known.
    pub fn amount(&self, index: usize) -> Option<&Exact> {
        self.amounts.get(index).and_then(|amount| amount.as_ref()).map(|amount| &amount.value)
    }

    /// Number of bets to go through: one where the number is not known.
    pub fn places(&self) -> usize {
        self.count.unwrap_or(1)
    }
}

pub(super) fn bets(notes: &Notes, wire: Option<&WireBets>) -> DraftBets {
    let amounts = wire.and_then(|wire| wire.amounts.as_ref());
    let written = amounts.map(List::len);
    let count = written.filter(|count| (1..=BETS_MAX).contains(count));
    if let (Some(amounts), None) = (amounts, count) {
        notes.error(
            amounts.span,
            "bet-count",
            format!("{} bets", amounts.len()),
            format!("expected 1 to {BETS_MAX} bets"),
            "list the total bets, such as amounts = [0.20, 1.00]",
        );
    }
    let amounts = amounts.map_or_else(Vec::new, |amounts| {
        amounts.items.iter().map(|amount| amount.clone().filter(|amount| positive(notes, amount))).collect()
    });
    let mix = match wire.and_then(|wire| wire.mix.as_ref()) {
        None if wire.is_some_and(|wire| wire.unread.has("mix")) => None,
        None => count.map(|count| vec![1; count]),
        Some(mix) => mix_weights(notes, mix, count),
    };
    DraftBets { count, amounts, mix: mix.filter(|_| count.is_some()) }
}

fn positive(notes: &Notes, amount: &At<Exact>) -> bool {
    let sound = amount.value > Exact::zero();
    if !sound {
        notes.error(
            amount.span,
            "bet-not-positive",
            format!("a bet of {}", shown(&amount.value)),
            "expected more than 0",
            "a bet is the total stake of a spin, in the currency's major unit",
        );
    }
    sound
}

fn mix_weights(notes: &Notes, mix: &List<Exact>, count: Option<usize>) -> Option<Vec<u64>> {
    let signs: Vec<bool> = mix.known().map(|weight| not_negative(notes, weight, "a weight of the mix")).collect();
    if let Some(count) = count.filter(|count| *count != mix.len()) {
        notes.error(
            mix.span,
            "mix-length",
            format!("a mix of {} weights for {count} bets", mix.len()),
            format!("expected {count} weights"),
            "give each bet its weight, in the order of `amounts`",
        );
        return None;
    }
    if signs.contains(&false) || !mix.is_whole() {
        return None;
    }
    let weights: Vec<&Exact> = mix.known().map(|weight| &weight.value).collect();
    let scale = weights.iter().fold(BigInt::one(), |scale, weight| scale.lcm(weight.denom()));
    let whole: Vec<BigInt> =
        weights.iter().map(|weight| (*weight * Exact::from_integer(scale.clone())).to_integer()).collect();
    let divisor = whole.iter().fold(BigInt::zero(), |divisor, weight| divisor.gcd(weight));
    if divisor.is_zero() {
        notes.error(
            mix.span,
            "mix-empty",
            "a mix of zeros",
            "expected a weight above 0",
            "a weight is the relative number of spins at its bet; leave `mix` out for equal weights",
        );
        return None;
    }
    let weights: Vec<BigInt> = whole.iter().map(|weight| weight / &divisor).collect();
    let sum: BigInt = weights.iter().sum();
    if sum > BigInt::from(MIX_SUM_MAX) {
        notes.error(
            mix.span,
            "mix-too-fine",
            format!("a mix that needs {sum} equal parts"),
            format!("expected at most {MIX_SUM_MAX} parts"),
            "round the weights to fewer digits",
        );
        return None;
    }
    weights.iter().map(ToPrimitive::to_u64).collect()
}
