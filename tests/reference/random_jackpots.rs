//! Random jackpot rules, shrinkable: amounts are small, so that hits are frequent.

use jackpot::pool::{Jackpots, Level, Overflow, Surplus, ThresholdLaw, Trigger};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::{bool::weighted, option};

/// Most bets of a random game.
pub const BETS_MAX: usize = 4;
/// Most levels of a random game.
pub const LEVELS_MAX: usize = 4;

/// A trigger as numbers, before the number of bets and pools is known.
#[derive(Debug, Clone)]
enum Draft {
    /// 1 in so many at every eligible bet.
    Equal(u64),
    /// Bet index + 1, or another share, in so many; `stretch` multiplies both sides.
    Shares {
        shares: Vec<u64>,
        above: u64,
        stretch: u64,
    },
    MustHitBy {
        rooms: Vec<u64>,
        law: Law,
        pays_bound_at_most: bool,
    },
    Symbols,
}

/// A law of thresholds as numbers.
#[derive(Debug, Clone)]
enum Law {
    Uniform,
    AtCap,
    /// Per cent of the way at which a piece ends, and its weight; the last ends at the bound.
    Pieces(Vec<(u64, u64)>),
}

impl Law {
    /// Between these seeds and bounds. A piece that is empty in some pool has no weight; the last has some.
    fn rules(&self, seeds: &[u64], bounds: &[u64]) -> ThresholdLaw {
        let Self::Pieces(pieces) = self else {
            return if matches!(self, Self::AtCap) { ThresholdLaw::AtCap } else { ThresholdLaw::Uniform };
        };
        let mut shares: Vec<u64> = pieces.iter().map(|&(share, _)| share).collect();
        shares.sort_unstable();
        shares.pop();
        let ends: Vec<Vec<u64>> = seeds
            .iter()
            .zip(bounds)
            .map(|(&seed, &bound)| {
                let inner = shares.iter().map(|share| seed + ((bound - seed) * share / 100).min(bound - seed - 1));
                inner.chain([bound]).collect()
            })
            .collect();
        let is_empty = |piece: usize| {
            ends.iter().zip(seeds).any(|(ends, &seed)| ends[piece] == if piece == 0 { seed } else { ends[piece - 1] })
        };
        let mut weights: Vec<u64> =
            pieces.iter().enumerate().map(|(piece, &(_, weight))| if is_empty(piece) { 0 } else { weight }).collect();
        if weights.iter().all(|&weight| weight == 0) {
            weights[pieces.len() - 1] = 1;
        }
        ThresholdLaw::Weighted { weights, ends }
    }
}

/// 0 to 4 levels, independent, exclusive or both.
pub fn jackpots(bet_count: usize) -> impl Strategy<Value = Jackpots> {
    let order = Just((0..LEVELS_MAX).collect::<Vec<_>>()).prop_shuffle();
    let sent = (Just((0..LEVELS_MAX).collect::<Vec<_>>()).prop_shuffle(), vec(0..LEVELS_MAX, LEVELS_MAX));
    (vec(level(bet_count), 0..=LEVELS_MAX), order, 0..=LEVELS_MAX, sent).prop_map(
        |(mut levels, mut exclusive, kept, sent)| {
            exclusive.retain(|&level| level < levels.len());
            exclusive.truncate(kept);
            send_overflow(&mut levels, &sent.0, &sent.1);
            Jackpots { levels, exclusive }
        },
    )
}

/// Some capped levels send to one that comes later in `order`, so that nothing comes back.
fn send_overflow(levels: &mut [Level], order: &[usize], steps: &[usize]) {
    for (place, &from) in order.iter().enumerate() {
        let Some(&to) = order.get(place + steps[place]).filter(|&&to| to != from) else { continue };
        if from.max(to) >= levels.len() || levels[from].caps.is_none() {
            continue;
        }
        // The receiver is for every bet of the sender, if only to receive.
        let sends = levels[from].eligible.clone();
        levels[to].eligible.iter_mut().zip(sends).for_each(|(receives, sends)| *receives |= sends);
        levels[from].overflow = Overflow::Level(to);
    }
}

fn draft() -> impl Strategy<Value = Draft> {
    let pieces = vec((0u64..=100, 0u64..4), 1..4).prop_map(Law::Pieces);
    let law = prop_oneof![Just(Law::Uniform), Just(Law::AtCap), pieces];
    prop_oneof![
        prop_oneof![1 => 1u64..4, 6 => 10u64..300].prop_map(Draft::Equal),
        (vec(0u64..5, BETS_MAX), 0u64..200, prop_oneof![2 => Just(1), 1 => 1u64..1 << 54])
            .prop_map(|(shares, above, stretch)| Draft::Shares { shares, above, stretch }),
        (vec(1u64..120, BETS_MAX), law, any::<bool>()).prop_map(|(rooms, law, pays_bound_at_most)| Draft::MustHitBy {
            rooms,
            law,
            pays_bound_at_most
        }),
        Just(Draft::Symbols),
    ]
}

fn level(bet_count: usize) -> impl Strategy<Value = Level> {
    let places = (any::<bool>(), vec(weighted(0.8), bet_count), 0..bet_count);
    let rates = (vec(0u64..6, bet_count), vec(0u64..4, bet_count));
    let amounts = (vec(0u64..60, BETS_MAX), option::of(vec(0u64..100, BETS_MAX)));
    let overflow = prop_oneof![Just(Overflow::House), Just(Overflow::NextSeed)];
    let reserve = option::weighted(0.4, prop_oneof![Just(Surplus::Kept), Just(Surplus::Released)]);
    (places, rates, amounts, overflow, reserve, draft()).prop_map(
        move |((linked, mut eligible, always), (mut contributions, mut hidden), amounts, overflow, reserve, draft)| {
            eligible[always] = true;
            for bet in 0..bet_count {
                contributions[bet] *= u64::from(eligible[bet]);
                hidden[bet] *= u64::from(eligible[bet] && reserve.is_some());
            }
            let pool_count = if linked { 1 } else { bet_count };
            let seeds = amounts.0[..pool_count].to_vec();
            let over_seeds =
                |rooms: &[u64]| seeds.iter().zip(rooms).map(|(seed, room)| seed + room).collect::<Vec<_>>();
            let trigger = trigger(&draft, &eligible, &seeds, over_seeds);
            let caps = match (&trigger, &draft) {
                (Trigger::MustHitBy { bounds, .. }, Draft::MustHitBy { pays_bound_at_most: true, .. }) => {
                    Some(bounds.clone())
                }
                (Trigger::MustHitBy { .. }, _) => None,
                _ => amounts.1.map(|rooms| over_seeds(&rooms)),
            };
            let name = "level".to_string();
            Level { name, linked, eligible, contributions, hidden, seeds, caps, overflow, reserve, trigger }
        },
    )
}

fn trigger(draft: &Draft, eligible: &[bool], seeds: &[u64], over_seeds: impl Fn(&[u64]) -> Vec<u64>) -> Trigger {
    match draft {
        Draft::Equal(of) => {
            Trigger::Odds { hits: eligible.iter().map(|&eligible| u64::from(eligible)).collect(), of: *of }
        }
        Draft::Shares { shares, above, stretch } => {
            // An eligible bet has a share of at least 1 in the largest share + `above`.
            let shares = eligible.iter().zip(shares).map(|(&eligible, share)| u64::from(eligible) * (share + 1));
            let hits: Vec<u64> = shares.map(|share| share * stretch).collect();
            let most = hits.iter().copied().max().unwrap_or(0);
            Trigger::Odds { of: most + above * stretch, hits }
        }
        Draft::MustHitBy { rooms, law, .. } => {
            let bounds = over_seeds(rooms);
            let law = law.rules(seeds, &bounds);
            Trigger::MustHitBy { bounds, law }
        }
        Draft::Symbols => Trigger::Symbols,
    }
}
