//! Amounts and rates per bet and per pool, before the pool unit is known.

use num_traits::{One, Signed};

use super::bets::DraftBets;
use crate::config::amount::{Amount, Exact, Measure, shown, whole};
use crate::config::findings::{At, Notes};
use crate::config::wire::PerBet;

/// One value per bet.
pub(super) fn spread<T: Clone>(notes: &Notes, found: &PerBet<T>, count: usize, what: &str) -> Option<Vec<At<T>>> {
    match found {
        PerBet::One(one) => Some(vec![one.clone(); count]),
        PerBet::List(list) if list.value.len() == count => Some(list.value.clone()),
        PerBet::List(list) => {
            notes.error(
                list.span,
                "per-bet-length",
                format!("{what} has {} values for {count} bets", list.value.len()),
                format!("expected one value, or {count}"),
                "give each bet its value, in the order of [bets] amounts",
            );
            None
        }
    }
}

/// A rate of the bet, 0 to 100 %, per bet.
pub(super) fn rates(notes: &Notes, found: &PerBet<Exact>, count: usize, what: &str) -> Option<Vec<At<Exact>>> {
    let out_of_range = |rate: &At<Exact>| rate.value.is_negative() || rate.value > Exact::one();
    let all = match found {
        PerBet::One(one) => std::slice::from_ref(one),
        PerBet::List(list) => list.value.as_slice(),
    };
    for rate in all.iter().filter(|rate| out_of_range(rate)) {
        let percent = shown(&(&rate.value * whole(100)));
        notes.error(
            rate.span,
            "rate-range",
            format!("{what} is {percent} % of the bet"),
            "expected 0 % to 100 %",
            "a rate is a share of the bet: 0.4 % is \"0.40%\" or 0.004",
        );
    }
    spread(notes, found, count, what).filter(|_| !all.iter().any(out_of_range))
}

/// What amounts of a level depend on.
pub(super) struct Pools<'a> {
    pub bets: &'a DraftBets,
    pub lines: u64,
    pub linked: bool,
}

/// An amount per pool, in the currency's major unit: one for a linked level, else one per bet. Negative ones are
/// findings.
pub(super) fn pool_amounts(notes: &Notes, pools: &Pools, found: &PerBet<Amount>, what: &str) -> Option<Vec<At<Exact>>> {
    let all = match found {
        PerBet::One(one) => std::slice::from_ref(one),
        PerBet::List(list) => list.value.as_slice(),
    };
    let mut sound = true;
    for amount in all.iter().filter(|amount| amount.value.value.is_negative()) {
        sound = false;
        let message = format!("{what} is negative");
        notes.error(amount.span, "negative", message, "expected 0 or more", "remove the minus sign");
    }
    if pools.linked {
        let PerBet::One(At { value: Amount { value, measure: Measure::Money }, span }) = found else {
            notes.error(
                found.span(),
                "linked-amount",
                format!("{what} of a linked level depends on the bet"),
                "expected one amount of money",
                "a linked level has one pool for all bets: write an amount, or pool = \"per bet\"",
            );
            return None;
        };
        return sound.then(|| vec![At { value: value.clone(), span: *span }]);
    }
    let amounts = spread(notes, found, pools.bets.count(), what)?;
    let per_pool = amounts.iter().zip(&pools.bets.amounts).map(|(amount, bet)| {
        let value = match amount.value.measure {
            Measure::Money => amount.value.value.clone(),
            Measure::Bet => &amount.value.value * &bet.value,
            Measure::LineBet => &amount.value.value * &bet.value / whole(pools.lines),
        };
        At { value, span: amount.span }
    });
    sound.then(|| per_pool.collect())
}

/// Reports a value per pool that is not above (or, for `least`, not at least) the seed of its pool.
pub(super) fn above_seed(
    notes: &Notes,
    values: &[At<Exact>],
    seeds: &[At<Exact>],
    code: &'static str,
    what: &str,
    may_equal: Equal,
) -> bool {
    for (value, seed) in values.iter().zip(seeds) {
        if value.value > seed.value || (may_equal == Equal::Allowed && value.value == seed.value) {
            continue;
        }
        let expected = match may_equal {
            Equal::Allowed => "expected at least",
            Equal::Refused => "expected more than",
        };
        notes.error(
            value.span,
            code,
            format!("{what} of {} is not above the seed of {}", shown(&value.value), shown(&seed.value)),
            format!("{expected} {}", shown(&seed.value)),
            format!("raise {what}, or lower the seed"),
        );
        return false;
    }
    true
}

/// Whether a value may equal the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Equal {
    Allowed,
    Refused,
}
