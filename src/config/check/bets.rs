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

/// Bets before the pool unit is known.
pub(super) struct DraftBets {
    /// Total bets in the currency's major unit.
    pub amounts: Vec<At<Exact>>,
    /// As in [`crate::game::Bets::mix`].
    pub mix: Vec<u64>,
}

impl DraftBets {
    pub fn count(&self) -> usize {
        self.amounts.len()
    }
}

pub(super) fn bets(notes: &Notes, wire: Option<&WireBets>) -> Option<DraftBets> {
    let wire = wire?;
    let amounts = wire.amounts.as_ref()?;
    let count = amounts.value.len();
    if count == 0 || count > BETS_MAX {
        notes.error(
            amounts.span,
            "bet-count",
            format!("{count} bets"),
            format!("expected 1 to {BETS_MAX} bets"),
            "list the total bets, such as amounts = [0.20, 1.00]",
        );
        return None;
    }
    let mut sound = true;
    for amount in &amounts.value {
        if amount.value <= Exact::zero() {
            sound = false;
            notes.error(
                amount.span,
                "bet-not-positive",
                format!("a bet of {}", shown(&amount.value)),
                "expected more than 0",
                "a bet is the total stake of a spin, in the currency's major unit",
            );
        }
    }
    let mix = match &wire.mix {
        None => Some(vec![1; count]),
        Some(mix) => mix_weights(notes, mix, count),
    };
    let bets = DraftBets { amounts: amounts.value.clone(), mix: mix? };
    sound.then_some(bets)
}

fn mix_weights(notes: &Notes, mix: &List<Exact>, count: usize) -> Option<Vec<u64>> {
    if mix.value.len() != count {
        notes.error(
            mix.span,
            "mix-length",
            format!("a mix of {} weights for {count} bets", mix.value.len()),
            format!("expected {count} weights"),
            "give each bet its weight, in the order of `amounts`",
        );
        return None;
    }
    let signs: Vec<bool> = mix.value.iter().map(|weight| not_negative(notes, weight, "a weight of the mix")).collect();
    if signs.contains(&false) {
        return None;
    }
    let scale = mix.value.iter().fold(BigInt::one(), |scale, weight| scale.lcm(weight.value.denom()));
    let whole: Vec<BigInt> =
        mix.value.iter().map(|weight| (&weight.value * Exact::from_integer(scale.clone())).to_integer()).collect();
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
