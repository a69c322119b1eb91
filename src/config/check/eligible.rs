//! Which bets a level is for, and whether it can ever hit.

use num_traits::Zero;

use super::bets::DraftBets;
use super::combinations::unreachable;
use super::money::Known;
use crate::config::amount::Exact;
use crate::config::findings::Notes;
use crate::config::wire::{WireLevel, WireTrigger};

/// Whether each bet contributes and can win; `None` where that is not known.
pub(super) fn eligible(notes: &Notes, level: &WireLevel, bets: &DraftBets) -> Option<Vec<bool>> {
    let listed = listed(notes, level, bets);
    match (&level.eligible, &level.eligible_from) {
        _ if level.unread.has("eligible") || level.unread.has("eligible_from") => None,
        (None, None) => Some(vec![true; bets.places()]),
        (None, Some(least)) => (0..bets.places()).map(|index| Some(*bets.amount(index)? >= least.value)).collect(),
        (Some(_), None) => listed,
        (Some(indexes), Some(_)) => {
            notes.error(
                indexes.span,
                "eligible-kind",
                "both `eligible` and `eligible_from`",
                "expected one of them",
                "keep the list of bet indexes, or the least bet",
            );
            None
        }
    }
}

fn listed(notes: &Notes, level: &WireLevel, bets: &DraftBets) -> Option<Vec<bool>> {
    let indexes = level.eligible.as_ref()?;
    let mut eligible = vec![false; bets.count?];
    let mut sound = indexes.is_whole();
    for index in indexes.known() {
        match usize::try_from(index.value).ok().and_then(|index| eligible.get_mut(index)) {
            Some(entry) => *entry = true,
            None => {
                sound = false;
                notes.error(
                    index.span,
                    "bet-index",
                    format!("bet index {} of {} bets", index.value, eligible.len()),
                    format!("expected 0 to {}", eligible.len() - 1),
                    "bets are counted from 0, in the order of [bets] amounts",
                );
            }
        }
    }
    sound.then_some(eligible)
}

/// Reports a level that no bet can hit, or whose meter never moves towards its bound.
pub(super) fn reachable(
    notes: &Notes,
    level: &WireLevel,
    bets: &DraftBets,
    eligible: Option<&[bool]>,
    contributions: &Known<Exact>,
) {
    let place = level.name.as_ref().map_or(level.span, |name| name.span);
    let played: Option<Vec<usize>> = eligible.zip(bets.mix.as_ref()).map(|(eligible, mix)| {
        let both = eligible.iter().zip(mix).enumerate();
        both.filter(|(_, (eligible, weight))| **eligible && **weight > 0).map(|(index, _)| index).collect()
    });
    let nobody = level.eligible.as_ref().is_some_and(|list| list.items.is_empty()) && level.eligible_from.is_none();
    if nobody || played.as_ref().is_some_and(Vec::is_empty) {
        let message = format!("the level `{}` can never hit: no bet that is played is eligible", level.name_text());
        let eligible = level.eligible.as_ref().map(|list| list.span);
        let span = eligible.or(level.eligible_from.as_ref().map(|least| least.span)).unwrap_or(place);
        unreachable(notes, span, message);
        return;
    }
    if !matches!(level.trigger, Some(WireTrigger::MustHitBy { .. })) || contributions.is_empty() {
        return;
    }
    let is_zero =
        |index: usize| contributions.get(index).and_then(|rate| rate.as_ref()).is_some_and(|rate| rate.value.is_zero());
    if played.unwrap_or_else(|| (0..contributions.len()).collect()).into_iter().all(is_zero) {
        let message =
            format!("the level `{}` can never hit: its meter doesn't grow towards must_hit_by", level.name_text());
        unreachable(notes, level.contribution.as_ref().map_or(place, |found| found.span()), message);
    }
}
