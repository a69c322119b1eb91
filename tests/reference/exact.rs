//! Exact figures three ways: every window read by the reference, the enumeration of `exact`, and the order of windows
//! that the engine draws from.

use super::features::Stuck;
use super::random_reels::reels;
use super::window::{Factor, Window};
use super::{Defect, every_window, sample};
use jackpot::exact::base::BaseFigures;
use jackpot::exact::base::mode::ModeFigures;
use jackpot::exact::base::prizes::PrizeMoments;
use jackpot::game::diagram::Diagram;
use jackpot::game::diagram::order::STEPS_MAX;
use jackpot::game::pay_classes::Drawn;
use jackpot::game::window::Mode;
use jackpot::game::{Draws, Game, Play, Prize, Reels, Spared, by_count};
use num_traits::ToPrimitive;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Spins after which a wheel of the tests has ended: at most (2/3)^80 are left.
const AGAIN_FOLLOWED: usize = 80;

/// Cycles up to which every number of the engine's order is looked at.
const NUMBERS_MAX: u64 = 50_000;

/// What all windows of a mode do together.
#[derive(Debug, Default, PartialEq)]
struct All {
    cycle: u128,
    /// Windows by what they pay on lines and scatters.
    distribution: BTreeMap<u64, u128>,
    /// Starts of each bonus.
    bonuses: Vec<u128>,
    /// Windows by free spins awarded, for each feature.
    awards: Vec<BTreeMap<u64, u128>>,
    /// Windows that show each jackpot combination.
    jackpots: Vec<u128>,
}

fn factor(reels: &Reels, mode: Mode) -> (usize, Factor<'_>) {
    match mode {
        Mode::Paid => (0, Factor::ONE),
        Mode::Free(feature) => {
            let rules = &reels.free_spins[feature];
            (rules.strip_set, Factor { multiplier: rules.multiplier, spared: &rules.spared, is_paid: false })
        }
    }
}

fn award(reels: &Reels, mode: Mode, feature: usize, window: &Window) -> u64 {
    let rules = &reels.free_spins[feature];
    let shown = rules.scatter.map_or(0, |symbol| window.count(reels, symbol));
    match mode {
        Mode::Paid => by_count(&rules.awards, shown),
        Mode::Free(played) if played == feature => by_count(&rules.retriggers, shown),
        Mode::Free(_) => 0,
    }
}

/// Reads every window.
fn all(reels: &Reels, mode: Mode, defect: Option<Defect>) -> All {
    let (strip_set, factor) = factor(reels, mode);
    let mut all = All {
        bonuses: vec![0; reels.bonuses.len()],
        awards: vec![BTreeMap::new(); reels.free_spins.len()],
        jackpots: vec![0; reels.jackpots.len()],
        ..All::default()
    };
    for (window, weight) in every_window(reels, strip_set, mode != Mode::Paid).filter(|(_, weight)| *weight > 0) {
        let weight = u128::from(weight);
        all.cycle += weight;
        *all.distribution.entry(window.pay(reels, &factor, defect)).or_insert(0) += weight;
        for (sum, bonus) in all.bonuses.iter_mut().zip(&reels.bonuses) {
            *sum += weight * window.shows(reels, &bonus.trigger) as u128;
        }
        for feature in 0..reels.free_spins.len() {
            let award = award(reels, mode, feature, &window);
            if award > 0 {
                *all.awards[feature].entry(award).or_insert(0) += weight;
            }
        }
        for (sum, (_, combination)) in all.jackpots.iter_mut().zip(&reels.jackpots) {
            *sum += if window.shows(reels, combination) > 0 { weight } else { 0 };
        }
    }
    all
}

/// What differs between all windows and the exact figures of a mode, if anything.
fn difference(reels: &Reels, mode: Mode, all: &All) -> Option<String> {
    let exact = ModeFigures::new(reels, mode);
    let differs =
        |what: &str, one: String, other: String| (one != other).then(|| format!("{what}: {one}, exact {other}"));
    if let Some(feature) = sticky(reels, mode) {
        return sticky_differs(reels, feature, &exact);
    }
    let Some(joint) = &exact.joint else { return Some("the windows were not enumerated".into()) };
    let distribution: BTreeMap<u64, u128> =
        joint.distribution.iter().map(|(&pay, &windows)| (pay, windows.into())).collect();
    let pays: u128 = all.distribution.iter().map(|(&pay, windows)| u128::from(pay) * windows).sum();
    let mut found = differs("cycle", all.cycle.to_string(), exact.cycle.to_string())
        .or_else(|| differs("pays", pays.to_string(), (exact.line_pays() + exact.all_scatter_pays()).to_string()))
        .or_else(|| differs("distribution", format!("{:?}", all.distribution), format!("{distribution:?}")));
    for (bonus, starts) in reels.bonuses.iter().zip(&all.bonuses) {
        found = found.or_else(|| differs("bonus", starts.to_string(), exact.starts(&bonus.trigger).to_string()));
    }
    for (feature, awards) in all.awards.iter().enumerate() {
        found = found.or_else(|| differs("awards", format!("{awards:?}"), format!("{:?}", exact.awards(feature))));
    }
    for ((_, combination), windows) in reels.jackpots.iter().zip(&all.jackpots).filter(|_| mode == Mode::Paid) {
        let ours = exact.windows_showing(combination);
        found = found.or_else(|| differs("jackpot", format!("{:?}", Some(*windows)), format!("{ours:?}")));
    }
    found.or_else(|| moments_differ(reels, mode, &exact))
}

/// First two moments of a window's pay with its bonuses, window by window.
fn moments_differ(reels: &Reels, mode: Mode, exact: &ModeFigures) -> Option<String> {
    let (strip_set, factor) = factor(reels, mode);
    let (mut mean, mut square, mut cycle) = (0.0, 0.0, 0.0);
    for (window, weight) in every_window(reels, strip_set, mode != Mode::Paid) {
        let (mut pay, mut variance) = (window.pay(reels, &factor, None) as f64, 0.0);
        for (position, bonus) in reels.bonuses.iter().enumerate() {
            let (one, own_square) = prize(reels, bonus.table);
            let times = factor.apply(Spared::Bonus { bonus: position }, 1) as f64;
            let starts = window.shows(reels, &bonus.trigger) as f64;
            pay += starts * times * one;
            variance += starts * times * times * (own_square - one * one);
        }
        mean += weight as f64 * pay;
        square += weight as f64 * (variance + pay * pay);
        cycle += weight as f64;
    }
    let kinds = exact.kinds()?;
    let ours = |value: &dyn Fn(&jackpot::exact::base::mode::Kind) -> f64| kinds.iter().map(value).sum::<f64>();
    let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs().max(1.0);
    let exact_mean = exact.mean().to_f64()?;
    let good = near(ours(&|kind| kind.chance), 1.0)
        && near(ours(&|kind| kind.pay), mean / cycle)
        && near(exact_mean, mean / cycle)
        && near(ours(&|kind| kind.pay_square), square / cycle);
    (!good).then(|| format!("moments: {} and {}, exact mean {exact_mean}", mean / cycle, square / cycle))
}

/// A feature in which symbols stick.
fn sticky(reels: &Reels, mode: Mode) -> Option<usize> {
    match mode {
        Mode::Free(feature) if !reels.free_spins[feature].sticky.is_empty() => Some(feature),
        Mode::Paid | Mode::Free(_) => None,
    }
}

/// Mean pay of the first spins in which symbols stick, by every window under everything that may be stuck.
fn sticky_means(reels: &Reels, feature: usize, spins: usize, defect: Option<Defect>) -> Option<Vec<f64>> {
    let rules = &reels.free_spins[feature];
    let (strip_set, factor) = factor(reels, Mode::Free(feature));
    let windows: Vec<(Window, u64)> = every_window(reels, strip_set, true).filter(|(_, weight)| *weight > 0).collect();
    let cycle: f64 = windows.iter().map(|(_, weight)| *weight as f64).sum();
    let mut before: BTreeMap<Stuck, f64> = BTreeMap::from([(Stuck::default(), 1.0)]);
    let mut means = Vec::new();
    for _ in 0..spins {
        if before.len() * windows.len() > WORK_MAX {
            return None;
        }
        let mut after: BTreeMap<Stuck, f64> = BTreeMap::new();
        let mut mean = 0.0;
        for (mut stuck, chance) in before {
            let known = stuck.clone();
            for (window, weight) in &windows {
                let chance = chance * *weight as f64 / cycle;
                let window = known.cover(window.clone()).expanded(reels, true, defect);
                mean += chance * window.pay(reels, &factor, defect) as f64;
                for (position, bonus) in reels.bonuses.iter().enumerate() {
                    let times = factor.apply(Spared::Bonus { bonus: position }, 1) as f64;
                    mean += chance * times * window.shows(reels, &bonus.trigger) as f64 * prize(reels, bonus.table).0;
                }
                if defect != Some(Defect::StickyForgotten) {
                    stuck.keep(&window, &rules.sticky);
                }
                *after.entry(stuck.clone()).or_insert(0.0) += chance;
            }
        }
        means.push(mean);
        before = after;
    }
    Some(means)
}

/// Windows times states that [`sticky_means`] looks at for one spin.
const WORK_MAX: usize = 100_000;

fn sticky_differs(reels: &Reels, feature: usize, exact: &ModeFigures) -> Option<String> {
    let mut ours = exact.sticky_means(feature)?;
    let theirs = (1..=3).rev().find_map(|spins| sticky_means(reels, feature, spins, None)).unwrap_or_default();
    let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * other.abs().max(1.0);
    let good = ours.first(theirs.len()).iter().zip(&theirs).all(near);
    (!good).then(|| format!("sticky means: {theirs:?}, exact {:?}", ours.first(theirs.len())))
}

/// Mean and mean square of what a draw from a table pays, by its definition: a wheel is followed until so little is left
/// that it doesn't count.
fn prize(reels: &Reels, table: usize) -> (f64, f64) {
    let rows = &reels.prize_tables[table].rows;
    let total: f64 = rows.iter().map(|(_, weight)| *weight as f64).sum();
    // (chance, mean, mean square) of what a row pays by itself.
    let own = |(row, weight): &(Prize, u64)| {
        let (mut one, mut variance) = (row.pay as f64, 0.0);
        if let Some(Draws { count, table }) = row.draws {
            let (each, square) = prize(reels, table);
            one += count as f64 * each;
            variance = count as f64 * (square - each * each);
        }
        (*weight as f64 / total, one, variance + one * one)
    };
    let (mut mean, mut square) = (0.0, 0.0);
    let own: Vec<_> = rows.iter().map(|row| (own(row), row.0.again)).collect();
    for _ in 0..AGAIN_FOLLOWED {
        let (last_mean, last_square) = (mean, square);
        (mean, square) = own.iter().fold((0.0, 0.0), |(mean, square), &((chance, one, own_square), again)| {
            let (then, then_square) = if again { (last_mean, last_square) } else { (0.0, 0.0) };
            (mean + chance * (one + then), square + chance * (own_square + 2.0 * one * then + then_square))
        });
    }
    (mean, square)
}

/// Windows by pay in the engine's order, plain ones and those that start something together.
fn engine(reels: &Reels, mode: Mode) -> Option<BTreeMap<u64, u128>> {
    let diagram = Diagram::new(reels, mode, STEPS_MAX);
    let classes = diagram.order()?.classes();
    if classes.total() > NUMBERS_MAX {
        return None;
    }
    let mut distribution = BTreeMap::new();
    for number in 0..classes.total() {
        let pay = match classes.outcome(number) {
            Drawn::Pays(pay) => pay,
            Drawn::Starts(rank) => diagram.special_outcome(rank).pay,
        };
        *distribution.entry(pay).or_insert(0) += 1;
    }
    Some(distribution)
}

fn modes(reels: &Reels) -> impl Iterator<Item = Mode> + use<> {
    std::iter::once(Mode::Paid).chain((0..reels.free_spins.len()).map(Mode::Free))
}

/// Number of random games: 2,000 unless `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000).max(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    /// Goal: on any small game the three agree, to the window. Method: paid and free spins of random reels.
    #[test]
    fn every_window_the_enumeration_and_the_engines_order_agree(reels in reels(vec![0])) {
        for mode in modes(&reels) {
            let all = all(&reels, mode, None);
            if let Some(difference) = difference(&reels, mode, &all) {
                prop_assert!(false, "{mode:?}: {difference}");
            }
            if let Some(engine) = engine(&reels, mode).filter(|_| sticky(&reels, mode).is_none()) {
                prop_assert_eq!(&engine, &all.distribution, "the engine's order in {:?}", mode);
            }
        }
    }
}

/// Goal: the comparison sees a broken evaluator. Method: the reference with each planted defect of a window's pay.
#[test]
fn a_broken_evaluator_is_seen() {
    let (Game { play: Play::Reels(reels), .. }, _) = sample::mixed() else { panic!("a game of reels") };
    assert_eq!(difference(&reels, Mode::Paid, &all(&reels, Mode::Paid, None)), None);
    for defect in [Defect::FirstLineOffByOne, Defect::WildTwice, Defect::ScatterTwice] {
        let broken = all(&reels, Mode::Paid, Some(defect));
        assert!(difference(&reels, Mode::Paid, &broken).is_some(), "{defect:?}");
        assert_ne!(engine(&reels, Mode::Paid), Some(broken.distribution), "{defect:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases() / 4) })]

    /// Goal: what bets that play differently do together. Method: every window of every bet's play, weighted by the mix.
    #[test]
    fn games_of_several_plays_agree_with_their_windows((game, jackpots) in super::random_game::game()) {
        let exact = BaseFigures::new(&game, jackpots.levels.len());
        let (mut staked, mut paid, mut spins) = (0.0, 0.0, 0.0);
        let (mut hits, mut mean, mut square) = (0.0, 0.0, 0.0);
        for bet in 0..game.bets.count() {
            let Play::Reels(reels) = game.plays().nth(game.play_of(bet)).expect("it has one") else { return Ok(()) };
            let all = all(reels, Mode::Paid, None);
            let (amount, times) = (game.bets.amounts[bet] as f64, game.bets.mix[bet] as f64);
            (staked, spins) = (staked + times * amount, spins + times);
            for (&pay, &windows) in &all.distribution {
                let chance = windows as f64 / all.cycle as f64 * times;
                let x_bet = pay as f64 / game.return_scale as f64;
                paid += chance * amount * x_bet;
                hits += if pay > 0 { chance } else { 0.0 };
                mean += chance * x_bet;
                square += chance * x_bet * x_bet;
            }
        }
        let sigma = (square / spins - (mean / spins).powi(2)).max(0.0).sqrt();
        let near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * other.abs().max(1.0);
        prop_assert!(near(exact.base.value, paid / staked), "RTP {} and {}", exact.base.value, paid / staked);
        prop_assert!(near(exact.hit_frequency.expect("enumerated"), hits / spins));
        prop_assert!(near(exact.sigma_base.expect("enumerated"), sigma), "{:?} and {sigma}", exact.sigma_base);
    }
}

/// Goal: nested tables have the moments of their definition.
#[test]
fn prizes_of_the_sample_have_the_moments_of_their_definition() {
    let (Game { play: Play::Reels(reels), .. }, _) = sample::mixed() else { panic!("a game of reels") };
    for table in 0..reels.prize_tables.len() {
        let (mean, square) = prize(&reels, table);
        let exact = PrizeMoments::new(&reels, table);
        assert!(
            (exact.mean.to_f64().unwrap() - mean).abs() < 1e-9
                && (exact.mean_square.to_f64().unwrap() - square).abs() < 1e-6
        );
    }
}
