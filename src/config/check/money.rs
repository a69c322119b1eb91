//! Amounts and rates per bet and per pool, before the pool unit is known.

use num_traits::{One, Signed};

use super::bets::DraftBets;
use crate::config::amount::{Amount, Exact, Measure, shown, whole};
use crate::config::findings::{At, Notes};
use crate::config::wire::PerBet;

/// One value for each place of a list of bets or pools; `None` where it is not known.
pub(super) type Known<T> = Vec<Option<At<T>>>;

/// One value per bet.
fn spread<T: Clone>(notes: &Notes, found: &PerBet<T>, count: Option<usize>, what: &str) -> Known<T> {
    match found {
        PerBet::One(one) => vec![Some(one.clone()); count.unwrap_or(1)],
        PerBet::List(list) => match count.filter(|count| *count != list.len()) {
            None => list.items.clone(),
            Some(count) => {
                notes.error(
                    list.span,
                    "per-bet-length",
                    format!("{what} has {} values for {count} bets", list.len()),
                    format!("expected one value, or {count}"),
                    "give each bet its value, in the order of [bets] amounts",
                );
                vec![None; count]
            }
        },
    }
}

/// A rate of the bet, 0 to 100 %, per bet. Others are findings and not known.
pub(super) fn rates(notes: &Notes, found: &PerBet<Exact>, count: Option<usize>, what: &str) -> Known<Exact> {
    let out_of_range = |rate: &At<Exact>| rate.value.is_negative() || rate.value > Exact::one();
    for rate in found.known().into_iter().filter(|rate| out_of_range(rate)) {
        let percent = shown(&(&rate.value * whole(100)));
        notes.error(
            rate.span,
            "rate-range",
            format!("{what} is {percent} % of the bet"),
            "expected 0 % to 100 %",
            "a rate is a share of the bet: 0.4 % is \"0.40%\" or 0.004",
        );
    }
    let rates = spread(notes, found, count, what);
    rates.into_iter().map(|rate| rate.filter(|rate| !out_of_range(rate))).collect()
}

/// What amounts of a level depend on.
pub(super) struct Pools<'a> {
    pub bets: &'a DraftBets,
    pub lines: Option<u64>,
    pub linked: Option<bool>,
}

impl Pools<'_> {
    /// Money of the pool with this index, if it is known.
    fn money(&self, amount: &Amount, index: usize) -> Option<Exact> {
        match amount.measure {
            Measure::Money => Some(amount.value.clone()),
            Measure::Bet => Some(&amount.value * self.bets.amount(index)?),
            Measure::LineBet => Some(&amount.value * self.bets.amount(index)? / whole(self.lines?)),
        }
    }

    /// Amounts in the currency's major unit.
    pub fn resolved(&self, amounts: &Known<Amount>) -> Known<Exact> {
        let one = |(index, amount): (usize, &Option<At<Amount>>)| {
            let amount = amount.as_ref()?;
            self.money(&amount.value, index).map(|value| At { value, span: amount.span })
        };
        amounts.iter().enumerate().map(one).collect()
    }
}

/// An amount per pool: one for a linked level, else one per bet. Negative ones are findings and not known.
pub(super) fn pool_amounts(notes: &Notes, pools: &Pools, found: &PerBet<Amount>, what: &str) -> Known<Amount> {
    for amount in found.known().into_iter().filter(|amount| amount.value.value.is_negative()) {
        let message = format!("{what} is negative");
        notes.error(amount.span, "negative", message, "expected 0 or more", "remove the minus sign");
    }
    let amounts = if pools.linked == Some(true) {
        match found {
            PerBet::One(one) if one.value.measure == Measure::Money => vec![Some(one.clone())],
            _ => {
                notes.error(
                    found.span(),
                    "linked-amount",
                    format!("{what} of a linked level depends on the bet"),
                    "expected one amount of money",
                    "a linked level has one pool for all bets: write an amount, or pool = \"per bet\"",
                );
                vec![None]
            }
        }
    } else {
        spread(notes, found, pools.bets.count, what)
    };
    amounts.into_iter().map(|amount| amount.filter(|amount| !amount.value.value.is_negative())).collect()
}

/// Reports the first value per pool that is not above the seed of its pool, or not at least the seed. Multiples of the
/// same thing are compared even where the bet is not known.
pub(super) fn above_seed(
    notes: &Notes,
    pools: &Pools,
    values: &Known<Amount>,
    seeds: &Known<Amount>,
    code: &'static str,
    what: &str,
    may_equal: Equal,
) {
    let at = |amounts: &Known<Amount>, index: usize| match amounts.as_slice() {
        [one] => one.clone(),
        many => many.get(index).cloned().flatten(),
    };
    for index in 0..values.len().max(seeds.len()) {
        let (Some(value), Some(seed)) = (at(values, index), at(seeds, index)) else { continue };
        let money = pools.money(&value.value, index).zip(pools.money(&seed.value, index));
        let same =
            (value.value.measure == seed.value.measure).then(|| (value.value.value.clone(), seed.value.value.clone()));
        let Some((found, least)) = money.or(same) else { continue };
        if found > least || (may_equal == Equal::Allowed && found == least) {
            continue;
        }
        let (is, expected) = match may_equal {
            Equal::Allowed => ("below", "expected at least"),
            Equal::Refused => ("not above", "expected more than"),
        };
        notes.error(
            value.span,
            code,
            format!("{what} of {} is {is} the seed of {}", shown(&found), shown(&least)),
            format!("{expected} {}", shown(&least)),
            format!("raise {what}, or lower the seed"),
        );
        return;
    }
}

/// Whether a value may equal the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Equal {
    Allowed,
    Refused,
}
