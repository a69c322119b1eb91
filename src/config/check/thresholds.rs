//! How the hidden threshold of a must-hit-by is drawn: a word, or weighted pieces of the way from seed to bound.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::choice;
use super::reels::weight_sum;
use crate::config::amount::{Exact, shown, whole};
use crate::config::findings::{At, Notes};
use crate::config::wire::{List, WireLaw, WirePiece};
use crate::pool::ThresholdLaw;

/// Most pieces of a law.
const PIECES_MAX: usize = 1000;

/// A law before the pool unit is known.
#[derive(Clone)]
pub(super) enum DraftLaw {
    Uniform,
    AtCap,
    /// The share of the way at which each piece ends, and its weight.
    Pieces(Vec<(At<Exact>, u64)>),
}

/// The law as written; uniform if it is left out.
pub(super) fn law(notes: &Notes, wire: Option<&WireLaw>) -> Option<DraftLaw> {
    match wire {
        None => Some(DraftLaw::Uniform),
        Some(WireLaw::Word(word)) => {
            let at_cap = choice(notes, Some(word), "law", &[("uniform", false), ("at cap", true)], false)?;
            Some(if at_cap { DraftLaw::AtCap } else { DraftLaw::Uniform })
        }
        Some(WireLaw::Pieces(list)) => pieces(notes, list),
    }
}

fn pieces(notes: &Notes, list: &List<WirePiece>) -> Option<DraftLaw> {
    const HELP: &str =
        "write the ends of the pieces in order, the last at \"100%\": law = [[\"90%\", 1], [\"100%\", 9]]";
    let complain =
        |span, message: String, expected: &str| notes.error(span, "threshold-pieces", message, expected, HELP);
    if list.len() == 0 || list.len() > PIECES_MAX {
        complain(list.span, format!("a `law` of {} pieces", list.len()), "expected 1 to 1000 pieces");
        return None;
    }
    let percent = |share: &Exact| shown(&(share * whole(100)));
    let mut sound = true;
    let mut before = Exact::zero();
    // An end that is not known may lie anywhere: the next is compared with the last that is.
    for end in list.known().filter_map(|piece| piece.value.end.as_ref()) {
        if end.value <= before || end.value > Exact::one() {
            sound = false;
            let expected = if end.value <= before {
                format!("expected more than {} %", percent(&before))
            } else {
                "expected at most 100 %".to_string()
            };
            complain(end.span, format!("a piece ends at {} % of the way", percent(&end.value)), &expected);
            break;
        }
        before = end.value.clone();
    }
    let last = list.items.last().and_then(Option::as_ref).and_then(|piece| piece.value.end.as_ref());
    if let Some(last) = last.filter(|last| sound && last.value < Exact::one()) {
        sound = false;
        let message = format!("the last piece ends at {} % of the way", percent(&last.value));
        complain(last.span, message, "expected \"100%\"");
    }
    let weights: Option<Vec<u64>> =
        list.items.iter().map(|piece| Some(piece.as_ref()?.value.weight.as_ref()?.value)).collect();
    let weights = weights.filter(|weights| weight_sum(notes, list.span, weights, "the weights of `law`"))?;
    let ends: Option<Vec<At<Exact>>> = list.items.iter().map(|piece| piece.as_ref()?.value.end.clone()).collect();
    ends.filter(|_| sound).map(|ends| DraftLaw::Pieces(ends.into_iter().zip(weights).collect()))
}

/// The law in pool units: a piece ends at seed + the whole part of width x share. A piece that has a weight and no
/// threshold in it is a finding, if the pool unit is known.
pub(super) fn in_units(
    notes: &Notes,
    unit_is_known: bool,
    draft: &DraftLaw,
    seeds: &[u64],
    bounds: &[u64],
) -> Option<ThresholdLaw> {
    let pieces = match draft {
        DraftLaw::Uniform => return Some(ThresholdLaw::Uniform),
        DraftLaw::AtCap => return Some(ThresholdLaw::AtCap),
        DraftLaw::Pieces(pieces) => pieces,
    };
    let mut all = Vec::new();
    for (&seed, &bound) in seeds.iter().zip(bounds) {
        // A bound that is not above its seed was reported.
        let width = bound.checked_sub(seed)?;
        let mut ends: Vec<u64> = Vec::new();
        for (end, weight) in pieces {
            let grown = (&end.value * Exact::from_integer(BigInt::from(width))).floor().to_integer();
            let last = seed + if grown.is_negative() { 0 } else { grown.to_u64()? };
            if *weight > 0 && unit_is_known && last == *ends.last().unwrap_or(&seed) {
                notes.error(
                    end.span,
                    "empty-piece",
                    format!("no threshold lies in this piece: the way is {width} pool units long"),
                    "expected a piece of at least one pool unit, or a weight of 0",
                    "make the piece wider, or give it a weight of 0",
                );
                return None;
            }
            ends.push(last);
        }
        all.push(ends);
    }
    Some(ThresholdLaw::Weighted { weights: pieces.iter().map(|(_, weight)| *weight).collect(), ends: all })
}
