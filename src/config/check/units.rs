//! The pool unit: the largest part of the minor unit of which every amount is a whole number.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::bets::DraftBets;
use super::jackpots::DraftLevel;
use super::money::Known;
use super::pays::Scale;
use super::thresholds;
use super::triggers::DraftTrigger;
use crate::config::amount::{Exact, shown, times, whole};
use crate::config::findings::{At, Notes, Span};
use crate::money::{BALANCE_MAX, PER_MINOR_MAX, PoolUnit};
use crate::pool::{Level, Trigger};

/// Most digits that a currency's minor unit has.
const MINOR_DIGITS_MAX: u32 = 4;

/// The unit, the bets and the levels in pool units.
pub(super) struct Units {
    pub unit: PoolUnit,
    pub amounts: Vec<u64>,
    pub levels: Vec<Level>,
}

/// An amount that must be a whole number of pool units.
struct Part {
    value: Exact,
    span: Span,
    /// What it is, and of what amount.
    what: &'static str,
    of: Exact,
    /// Parts of a bet that every pay is a whole number of; 1 for other amounts.
    parts: u64,
}

impl Part {
    fn words(&self) -> String {
        match self.parts {
            1 => format!("{} of {}", self.what, shown(&self.of)),
            parts => format!("a bet of {} in {parts} parts (so that every pay is whole)", shown(&self.of)),
        }
    }
}

/// Chooses D, from what is known. Amounts that don't fit are findings, and so `None`.
pub(super) fn units(
    notes: &Notes,
    currency: Option<(&str, u32)>,
    bets: &DraftBets,
    scale: &Scale,
    levels: Vec<DraftLevel>,
) -> Option<Units> {
    // Of a currency that is not known the finest unit is taken here, and the coarsest for the size of amounts.
    let digits = currency.map_or(MINOR_DIGITS_MAX, |(_, digits)| digits);
    let minor = whole(10u64.pow(digits));
    let denominator = |part: &Part| times(&part.value, &minor).denom().clone();
    let mut parts: Vec<(BigInt, Part)> =
        parts(bets, scale, &levels).into_iter().map(|part| (denominator(&part), part)).collect();
    // The finest come last, so that they are the ones that don't fit.
    parts.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut per_minor = BigInt::one();
    let mut reported = Vec::new();
    for (denominator, part) in &parts {
        if per_minor.is_multiple_of(denominator) {
            continue;
        }
        let needed = per_minor.lcm(denominator);
        if needed <= BigInt::from(PER_MINOR_MAX) {
            per_minor = needed;
        } else if !reported.contains(&part.span) {
            // A value that stands for several bets is reported once.
            reported.push(part.span);
            notes.error(
                part.span,
                "pool-unit-too-fine",
                format!("{} would need pool units of 1/{needed} of the minor unit", part.words()),
                format!("expected at most {PER_MINOR_MAX} pool units in a minor unit"),
                "write rates and amounts with fewer digits, or with the same denominators",
            );
        }
    }
    let per_minor = per_minor.to_u64()?;
    let per_major = if currency.is_some() { minor * whole(per_minor) } else { whole(1) };
    let converter = Converter { notes, per_major, unit_is_known: currency.is_some() };
    let amounts = converter.all(&bets.amounts, "a bet");
    let levels: Vec<_> = levels.into_iter().map(|level| converter.level(level, bets)).collect();
    let (currency, minor_digits) = currency?;
    let unit = PoolUnit { currency: currency.to_string(), minor_digits, per_minor };
    Some(Units { unit, amounts: amounts?, levels: levels.into_iter().collect::<Option<_>>()? })
}

fn parts(bets: &DraftBets, scale: &Scale, levels: &[DraftLevel]) -> Vec<Part> {
    let mut parts = Vec::new();
    for bet in bets.amounts.iter().flatten() {
        let (of, value) = (bet.value.clone(), &bet.value / whole(scale.per_bet));
        parts.push(Part { value, span: bet.span, what: "a bet", of, parts: scale.per_bet });
    }
    for level in levels {
        let eligible =
            |index: usize| level.eligible.as_ref().is_some_and(|eligible| eligible.get(index) == Some(&true));
        let rates = [
            (Some(&level.contributions), "the contribution from a bet"),
            (level.hidden.as_ref(), "the reserve from a bet"),
        ];
        for (rates, what) in rates {
            for (index, rate) in rates.into_iter().flatten().enumerate().filter(|(index, _)| eligible(*index)) {
                let (Some(rate), Some(bet)) = (rate, bets.amount(index)) else { continue };
                parts.push(Part { value: times(&rate.value, bet), span: rate.span, what, of: bet.clone(), parts: 1 });
            }
        }
        let bounds = match &level.trigger {
            Some(DraftTrigger::MustHitBy { bounds, .. }) => Some(bounds),
            _ => None,
        };
        for (amounts, what) in
            [(Some(&level.seeds), "the seed"), (level.caps.as_ref(), "the cap"), (bounds, "must_hit_by")]
        {
            for amount in amounts.into_iter().flatten().flatten() {
                let (value, of) = (amount.value.clone(), amount.value.clone());
                parts.push(Part { value, span: amount.span, what, of, parts: 1 });
            }
        }
    }
    parts
}

struct Converter<'a> {
    notes: &'a Notes,
    per_major: Exact,
    unit_is_known: bool,
}

impl Converter<'_> {
    fn one(&self, found: &At<Exact>, what: &str) -> Option<u64> {
        let units = times(&found.value, &self.per_major).to_integer();
        let sound = units.to_u64().filter(|&units| units <= BALANCE_MAX);
        if sound.is_none() {
            self.notes.error(
                found.span,
                "amount-too-large",
                format!("{what} of {} is {units} pool units", shown(&found.value)),
                format!("expected at most {BALANCE_MAX} pool units"),
                "lower it, or write rates with fewer digits so that a pool unit is larger",
            );
        }
        sound
    }

    /// All, if each is known and fits; those that don't fit are reported once per place in the file.
    fn all(&self, found: &Known<Exact>, what: &str) -> Option<Vec<u64>> {
        let mut reported: Option<Span> = None;
        let mut units = Vec::new();
        for found in found.iter().flatten() {
            if reported == Some(found.span) {
                continue;
            }
            match self.one(found, what) {
                Some(one) => units.push(one),
                None => reported = Some(found.span),
            }
        }
        (units.len() == found.len()).then_some(units)
    }

    /// Contribution of each bet.
    fn shares(&self, rates: &Known<Exact>, bets: &DraftBets, eligible: &[bool]) -> Option<Vec<u64>> {
        let share = |(index, rate): (usize, &Option<At<Exact>>)| {
            let (rate, bet) = (rate.as_ref()?, bets.amount(index)?);
            if *eligible.get(index)? {
                times(&times(&rate.value, bet), &self.per_major).to_integer().to_u64()
            } else {
                Some(0)
            }
        };
        rates.iter().enumerate().map(share).collect()
    }

    fn level(&self, draft: DraftLevel, bets: &DraftBets) -> Option<Level> {
        let seeds = self.all(&draft.seeds, "the seed");
        let bounds = match &draft.trigger {
            Some(DraftTrigger::MustHitBy { bounds, .. }) => self.all(bounds, "must_hit_by"),
            _ => None,
        };
        let caps = match (&draft.trigger, &draft.caps) {
            // The bounds again, or a cap that is refused beside them.
            (Some(DraftTrigger::MustHitBy { pays_at_most: true, .. }), Some(_)) => Some(bounds.clone()?),
            (_, Some(caps)) => Some(self.all(caps, "the cap")?),
            (_, None) => None,
        };
        let eligible = draft.eligible?;
        let hidden = match &draft.hidden {
            Some(rates) => self.shares(rates, bets, &eligible)?,
            None => vec![0; bets.places()],
        };
        let trigger = match draft.trigger? {
            DraftTrigger::Odds { hits, of } => Trigger::Odds { hits, of },
            DraftTrigger::MustHitBy { law, .. } => {
                let bounds = bounds?;
                let law = thresholds::in_units(self.notes, self.unit_is_known, &law, seeds.as_ref()?, &bounds)?;
                Trigger::MustHitBy { bounds, law }
            }
            DraftTrigger::Symbols => Trigger::Symbols,
        };
        Some(Level {
            name: draft.name?,
            linked: draft.linked?,
            contributions: self.shares(&draft.contributions, bets, &eligible)?,
            hidden,
            eligible,
            seeds: seeds?,
            caps,
            overflow: draft.overflow,
            reserve: draft.reserve,
            trigger,
        })
    }
}
