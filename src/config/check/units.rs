//! The pool unit: the largest part of the minor unit of which every amount is a whole number.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::bets::DraftBets;
use super::jackpots::DraftLevel;
use super::pays::Scale;
use super::triggers::DraftTrigger;
use crate::config::amount::{Exact, shown, whole};
use crate::config::currency;
use crate::config::findings::{At, Notes, Span};
use crate::money::{BALANCE_MAX, PER_MINOR_MAX, PoolUnit};
use crate::pool::{Level, Trigger};

/// Chooses D; the unit, the bets and the levels in pool units.
pub(super) fn units(
    notes: &Notes,
    currency: &str,
    minor_digits: u32,
    bets: &DraftBets,
    scale: &Scale,
    levels: Vec<DraftLevel>,
) -> Option<(PoolUnit, Vec<u64>, Vec<Level>)> {
    debug_assert_eq!(currency::minor_digits(currency), Some(minor_digits));
    let minor = whole(10u64.pow(minor_digits));
    let mut finder = Finder { notes, minor: &minor, per_minor: BigInt::one() };
    for bet in &bets.amounts {
        let part = &bet.value / whole(scale.per_bet);
        let what = format!("a bet of {} in {} parts (so that every pay is whole)", shown(&bet.value), scale.per_bet);
        finder.include(&part, bet.span, &what)?;
    }
    for level in &levels {
        for (rates, what) in [(Some(&level.contributions), "the contribution"), (level.hidden.as_ref(), "the reserve")]
        {
            for (index, rate) in rates.into_iter().flatten().enumerate().filter(|(index, _)| level.eligible[*index]) {
                let bet = &bets.amounts[index].value;
                finder.include(&(&rate.value * bet), rate.span, &format!("{what} from a bet of {}", shown(bet)))?;
            }
        }
        let bounds = match &level.trigger {
            DraftTrigger::MustHitBy { bounds, .. } => Some(bounds),
            _ => None,
        };
        for (amounts, what) in
            [(Some(&level.seeds), "the seed"), (level.caps.as_ref(), "the cap"), (bounds, "must_hit_by")]
        {
            for amount in amounts.into_iter().flatten() {
                finder.include(&amount.value, amount.span, &format!("{what} of {}", shown(&amount.value)))?;
            }
        }
    }
    let per_minor = finder.per_minor.to_u64()?;
    let unit = PoolUnit { currency: currency.to_string(), minor_digits, per_minor };
    let converter = Converter { notes, per_major: minor * whole(per_minor) };
    let amounts = converter.all(&bets.amounts, "a bet");
    let levels: Vec<_> = levels.into_iter().map(|level| converter.level(level, bets)).collect();
    Some((unit, amounts?, levels.into_iter().collect::<Option<_>>()?))
}

struct Finder<'a> {
    notes: &'a Notes,
    minor: &'a Exact,
    per_minor: BigInt,
}

impl Finder<'_> {
    fn include(&mut self, value: &Exact, span: Span, what: &str) -> Option<()> {
        let needed = self.per_minor.lcm((value * self.minor).denom());
        if needed > BigInt::from(PER_MINOR_MAX) {
            self.notes.error(
                span,
                "pool-unit-too-fine",
                format!("{what} would need pool units of 1/{needed} of the minor unit"),
                format!("expected at most {PER_MINOR_MAX} pool units in a minor unit"),
                "write rates and amounts with fewer digits, or with the same denominators",
            );
            return None;
        }
        self.per_minor = needed;
        Some(())
    }
}

struct Converter<'a> {
    notes: &'a Notes,
    per_major: Exact,
}

impl Converter<'_> {
    fn one(&self, found: &At<Exact>, what: &str) -> Option<u64> {
        let units = (&found.value * &self.per_major).to_integer();
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

    fn all(&self, found: &[At<Exact>], what: &str) -> Option<Vec<u64>> {
        found.iter().map(|found| self.one(found, what)).collect()
    }

    /// Contribution of each bet.
    fn shares(&self, rates: &[At<Exact>], bets: &DraftBets, eligible: &[bool]) -> Option<Vec<u64>> {
        let share = |((rate, bet), &eligible): ((&At<Exact>, &At<Exact>), &bool)| {
            if eligible { (&rate.value * &bet.value * &self.per_major).to_integer().to_u64() } else { Some(0) }
        };
        rates.iter().zip(&bets.amounts).zip(eligible).map(share).collect()
    }

    fn level(&self, draft: DraftLevel, bets: &DraftBets) -> Option<Level> {
        let hidden = match &draft.hidden {
            Some(rates) => self.shares(rates, bets, &draft.eligible)?,
            None => vec![0; bets.count()],
        };
        let trigger = match draft.trigger {
            DraftTrigger::Odds { hits, of } => Trigger::Odds { hits, of },
            DraftTrigger::MustHitBy { bounds, law, .. } => {
                Trigger::MustHitBy { bounds: self.all(&bounds, "must_hit_by")?, law }
            }
            DraftTrigger::Symbols => Trigger::Symbols,
        };
        Some(Level {
            name: draft.name,
            linked: draft.linked,
            contributions: self.shares(&draft.contributions, bets, &draft.eligible)?,
            hidden,
            eligible: draft.eligible,
            seeds: self.all(&draft.seeds, "the seed")?,
            caps: match &draft.caps {
                Some(caps) => Some(self.all(caps, "the cap")?),
                None => None,
            },
            overflow: draft.overflow,
            reserve: draft.reserve,
            trigger,
        })
    }
}
