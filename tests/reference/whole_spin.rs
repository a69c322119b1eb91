//! Whole paid spins with all that they lead to, three moments of them by definition: wheels are followed spin by spin until
//! nearly nothing is left, free spins generation by generation or up to their limit, and every window is read.

use super::random_reels::reels;
use super::window::{Factor, Window};
use super::{every_window, sample};
use jackpot::exact::base::BaseFigures;
use jackpot::game::{Game, Play, Prize, Reels, Spared, by_count};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Free spins that one paid spin may award by wheels; more are too unlikely to count.
const AWARDS: usize = 320;
/// Spins of a wheel that are followed: at most 1 in 4 goes on.
const AGAIN_FOLLOWED: usize = 24;
/// Generations of free spins that are followed: each has at most 0.8 times those of the one before.
const GENERATIONS: usize = 150;

/// Draws: by free spins awarded, (chance, mean pay, mean square), and the chance that the level isn't reached.
#[derive(Clone)]
struct Draws {
    by_award: Vec<[f64; 4]>,
}

impl Draws {
    fn none() -> Self {
        let mut by_award = vec![[0.0; 4]; AWARDS + 1];
        by_award[0] = [1.0, 0.0, 0.0, 1.0];
        Self { by_award }
    }

    fn and(&self, other: &Self) -> Self {
        let mut both = vec![[0.0; 4]; AWARDS + 1];
        let some = |draws: &Self| -> Vec<(usize, [f64; 4])> {
            draws.by_award.iter().copied().enumerate().filter(|(_, row)| row[0] > 0.0).collect()
        };
        for (here, [p, x, xx, miss]) in some(self) {
            for (there, [q, y, yy, miss_too]) in some(other) {
                let sum = &mut both[(here + there).min(AWARDS)];
                sum[0] += p * q;
                sum[1] += x * q + p * y;
                sum[2] += xx * q + 2.0 * x * y + p * yy;
                sum[3] += miss * miss_too;
            }
        }
        Self { by_award: both }
    }

    /// One draw from a table.
    fn from_table(reels: &Reels, table: usize) -> Self {
        let rows = &reels.prize_tables[table].rows;
        let total: f64 = rows.iter().map(|(_, weight)| *weight as f64).sum();
        let own: Vec<Self> =
            rows.iter().map(|(prize, weight)| Self::own(reels, prize, *weight as f64 / total)).collect();
        let mut drawn = Self { by_award: vec![[0.0; 4]; AWARDS + 1] };
        let followed = if rows.iter().any(|(prize, _)| prize.again) { AGAIN_FOLLOWED } else { 1 };
        for _ in 0..followed {
            let mut next = vec![[0.0; 4]; AWARDS + 1];
            for (own, (prize, _)) in own.iter().zip(rows) {
                let all = if prize.again { own.and(&drawn) } else { own.clone() };
                for (sum, row) in next.iter_mut().zip(all.by_award) {
                    (0..4).for_each(|part| sum[part] += row[part]);
                }
            }
            drawn = Self { by_award: next };
        }
        drawn
    }

    fn own(reels: &Reels, prize: &Prize, chance: f64) -> Self {
        let pay = prize.pay as f64;
        let mut by_award = vec![[0.0; 4]; AWARDS + 1];
        let award = prize.free_spins.map_or(0, |award| award.spins as usize);
        let miss = if prize.jackpots.is_empty() { chance } else { 0.0 };
        by_award[award] = [chance, chance * pay, chance * pay * pay, miss];
        let mut own = Self { by_award };
        for _ in 0..prize.draws.map_or(0, |draws| draws.count) {
            own = own.and(&Self::from_table(reels, prize.draws.expect("it draws").table));
        }
        own
    }

    /// Sums over all awards.
    fn all(&self) -> [f64; 4] {
        self.by_award.iter().fold([0.0; 4], |sum, row| std::array::from_fn(|part| sum[part] + row[part]))
    }
}

/// What free spins come to: mean, mean square, chance that the level isn't reached, spins played.
type Played = [f64; 4];

/// What one free spin does, by the spins that it adds: (added, chance, mean, mean square, chance of a miss).
fn free_windows(reels: &Reels, feature: usize, tables: &[Draws]) -> Vec<(u64, [f64; 4])> {
    let rules = &reels.free_spins[feature];
    let factor = Factor { multiplier: rules.multiplier, spared: &rules.spared, is_paid: false };
    let mut by_more: BTreeMap<u64, [f64; 4]> = BTreeMap::new();
    let mut cycle = 0.0;
    for (window, weight) in every_window(reels, rules.strip_set, true) {
        let (mut mean, mut variance, mut miss) = (window.pay(reels, &factor, None) as f64, 0.0, 1.0);
        for (position, bonus) in reels.bonuses.iter().enumerate() {
            let [_, one, square, one_miss] = tables[bonus.table].all();
            let times = factor.apply(Spared::Bonus { bonus: position }, 1) as f64;
            for _ in 0..window.shows(reels, &bonus.trigger) {
                mean += times * one;
                variance += times * times * (square - one * one);
                miss *= one_miss;
            }
        }
        let more = rules.scatter.map_or(0, |symbol| by_count(&rules.retriggers, window.count(reels, symbol)));
        let weight = weight as f64;
        let sum = by_more.entry(more).or_insert([0.0; 4]);
        let here = [weight, weight * mean, weight * (variance + mean * mean), weight * miss];
        *sum = std::array::from_fn(|part| sum[part] + here[part]);
        cycle += weight;
    }
    by_more.into_iter().map(|(more, sums)| (more, sums.map(|sum| sum / cycle))).collect()
}

/// Free spins of a feature, by spins awarded.
fn free_spins(reels: &Reels, feature: usize, tables: &[Draws]) -> Vec<Played> {
    let windows = free_windows(reels, feature, tables);
    let Some(limit) = reels.free_spins[feature].spins_max else {
        let (mut mean, mut square, mut miss, mut spins) = (0.0, 0.0, 1.0, 0.0);
        for _ in 0..GENERATIONS {
            let mut next = [0.0, 0.0, 0.0, 1.0];
            for &(more, [p, x, xx, m]) in &windows {
                let more = more as f64;
                let (then, then_square) = (more * mean, more * (square - mean * mean) + (more * mean).powi(2));
                next[0] += x + p * then;
                next[1] += xx + 2.0 * x * then + p * then_square;
                next[2] += m * f64::powf(miss, more);
                next[3] += p * more * spins;
            }
            [mean, square, miss, spins] = next;
        }
        return (0..=AWARDS)
            .map(|award| {
                let award = award as f64;
                [award * mean, award * (square - mean * mean) + (award * mean).powi(2), miss.powf(award), award * spins]
            })
            .collect();
    };
    let mut known = BTreeMap::new();
    (0..=AWARDS as u64).map(|award| limited(&windows, limit, 0, award.min(limit), &mut known)).collect()
}

/// What is to come after so many spins, with so many left.
fn limited(
    windows: &[(u64, [f64; 4])],
    limit: u64,
    played: u64,
    left: u64,
    known: &mut BTreeMap<(u64, u64), Played>,
) -> Played {
    if left == 0 {
        return [0.0, 0.0, 1.0, 0.0];
    }
    if let Some(found) = known.get(&(played, left)) {
        return *found;
    }
    let mut sum = [0.0, 0.0, 0.0, 1.0];
    for &(more, [p, x, xx, m]) in windows {
        let next = (left - 1 + more).min(limit - played - 1);
        let [mean, square, miss, spins] = limited(windows, limit, played + 1, next, known);
        sum[0] += x + p * mean;
        sum[1] += xx + 2.0 * x * mean + p * square;
        sum[2] += m * miss;
        sum[3] += p * spins;
    }
    known.insert((played, left), sum);
    sum
}

/// Everything about a paid spin that the exact figures say too, named.
fn by_definition(reels: &Reels, scale: f64) -> Vec<(String, f64)> {
    let tables: Vec<Draws> = (0..reels.prize_tables.len()).map(|table| Draws::from_table(reels, table)).collect();
    let features = reels.free_spins.len();
    let free: Vec<Vec<Played>> = (0..features).map(|feature| free_spins(reels, feature, &tables)).collect();
    let on_wheel = feature_on_wheel(reels);
    let mut drawn: BTreeMap<Vec<usize>, Draws> = BTreeMap::new();
    let (mut cycle, mut mean, mut square, mut hit) = (0.0, 0.0, 0.0, 0.0);
    // (triggers, mean, mean square, spins) of each feature.
    let mut by_feature = vec![[0.0; 4]; features];
    for (window, weight) in every_window(reels, 0, false).filter(|(_, weight)| *weight > 0) {
        let weight = weight as f64;
        cycle += weight;
        let base = window.pay(reels, &Factor::ONE, None) as f64;
        let starts: Vec<usize> = reels.bonuses.iter().map(|bonus| window.shows(reels, &bonus.trigger)).collect();
        let draws = drawn.entry(starts.clone()).or_insert_with(|| {
            let all = reels.bonuses.iter().zip(&starts).flat_map(|(bonus, &starts)| vec![bonus.table; starts]);
            all.fold(Draws::none(), |sum, table| sum.and(&tables[table]))
        });
        for (wheeled, &[p, x, xx, miss]) in draws.by_award.iter().enumerate().filter(|(_, row)| row[0] > 0.0) {
            let (mut free_mean, mut free_variance, mut missing) = (0.0, 0.0, miss);
            for (feature, rules) in reels.free_spins.iter().enumerate() {
                let scattered = scattered(reels, &window, &rules.awards, rules.scatter);
                let award = scattered + if on_wheel == Some(feature) { wheeled } else { 0 };
                let [one, one_square, one_miss, spins] = free[feature][award.min(AWARDS)];
                free_mean += one;
                free_variance += one_square - one * one;
                missing *= one_miss;
                if award > 0 {
                    let here = [1.0, one, one_square, spins];
                    (0..4).for_each(|part| by_feature[feature][part] += weight * p * here[part]);
                }
            }
            mean += weight * (p * (base + free_mean) + x);
            square += weight * (p * (free_variance + (base + free_mean).powi(2)) + 2.0 * (base + free_mean) * x + xx);
            hit += weight * (p - missing);
        }
    }
    let (mean, square) = (mean / cycle, square / cycle);
    let mut figures = vec![
        ("rtp".to_string(), mean / scale),
        ("square".to_string(), square / scale / scale),
        ("hit".to_string(), hit / cycle),
    ];
    for (feature, [triggers, mean, square, spins]) in by_feature.into_iter().enumerate() {
        figures.push((format!("triggers {feature}"), triggers / cycle));
        figures.push((format!("rtp {feature}"), mean / cycle / scale));
        if triggers > 0.0 {
            figures.push((format!("mean {feature}"), mean / triggers));
            figures.push((format!("square {feature}"), square / triggers));
            figures.push((format!("plays {feature}"), spins / triggers));
        }
    }
    figures
}

fn scattered(reels: &Reels, window: &Window, awards: &[u64], scatter: Option<u8>) -> usize {
    scatter.map_or(0, |symbol| by_count(awards, window.count(reels, symbol)) as usize)
}

fn exactly(game: &Game) -> Vec<(String, f64)> {
    let Play::Reels(reels) = &game.play else { panic!("a game of reels") };
    let levels = reels.jackpots.iter().map(|(level, _)| level + 1).max().unwrap_or(1);
    let exact = BaseFigures::new(game, levels);
    let or_nan = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let mut figures = vec![
        ("rtp".to_string(), exact.rtp.value),
        ("square".to_string(), or_nan(exact.sigma).powi(2) + exact.rtp.value.powi(2)),
        ("hit".to_string(), exact.symbol_chances[0].as_ref().map_or(0.0, |chance| chance.value)),
    ];
    for feature in 0..reels.free_spins.len() {
        let found = &exact.features[feature];
        let triggers = found.triggers.as_ref().map_or(f64::NAN, |triggers| triggers.value);
        figures.push((format!("triggers {feature}"), triggers));
        figures.push((format!("rtp {feature}"), found.rtp.value));
        if triggers != 0.0 {
            let mean = or_nan(found.mean.as_ref().map(|mean| mean.value));
            figures.push((format!("mean {feature}"), mean));
            figures.push((format!("square {feature}"), or_nan(found.deviation).powi(2) + mean * mean));
            figures.push((format!("plays {feature}"), or_nan(found.plays)));
        }
    }
    figures
}

/// The first figure that differs.
fn difference(game: &Game, ours: &[(String, f64)]) -> Option<String> {
    let exact = exactly(game);
    if ours.len() != exact.len() {
        return Some(format!("{ours:?}, exactly {exact:?}"));
    }
    let near = |one: f64, other: f64| (one - other).abs() <= 1e-7 * one.abs().max(1e-3);
    let pairs = ours.iter().zip(&exact);
    let mut differing = pairs.filter(|((name, one), (same, other))| name != same || !near(*one, *other));
    differing.next().map(|(one, other)| format!("{one:?}, exactly {other:?}"))
}

fn feature_on_wheel(reels: &Reels) -> Option<usize> {
    let rows = reels.prize_tables.iter().flat_map(|table| &table.rows);
    rows.filter_map(|(prize, _)| prize.free_spins).map(|award| award.feature).next()
}

/// Without symbols that stick, one feature on wheels at most, and at most 1 in 4 segments that spin again, so that it can all be followed.
fn followed(mut reels: Reels) -> Reels {
    reels.free_spins.iter_mut().for_each(|feature| feature.sticky.clear());
    let on_wheel = feature_on_wheel(&reels);
    for table in &mut reels.prize_tables {
        let again: u64 = table.rows.iter().filter(|(prize, _)| prize.again).map(|(_, weight)| weight).sum();
        table.rows[0].1 = table.rows[0].1.max(3 * again);
        for (prize, _) in &mut table.rows {
            prize.free_spins = prize.free_spins.filter(|award| on_wheel == Some(award.feature));
            prize.free_spins.iter_mut().for_each(|award| award.spins = award.spins.min(2));
        }
    }
    reels
}

/// Number of random games: 300 unless `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(300).max(300)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    /// Goal: RTP, variance, features and the chance of a level on wheels are exact, whatever leads to what. Method: random
    /// small games, every paid window.
    #[test]
    fn whole_spins_agree_with_their_definition(reels in reels(vec![0]).prop_map(followed)) {
        let ours = by_definition_of_level(&reels);
        let game = sample::game(1, Play::Reels(Box::new(reels)));
        if let Some(difference) = difference(&game, &ours) {
            prop_assert!(false, "{difference}");
        }
    }
}

/// With the chance of level 0 by the reels, where they trigger it.
fn by_definition_of_level(reels: &Reels) -> Vec<(String, f64)> {
    let mut figures = by_definition(reels, 10.0);
    if let Some((_, combination)) = reels.jackpots.first() {
        let (mut shown, mut cycle) = (0.0, 0.0);
        for (window, weight) in every_window(reels, 0, false) {
            cycle += weight as f64;
            shown += if window.shows(reels, combination) > 0 { weight as f64 } else { 0.0 };
        }
        figures[2].1 = shown / cycle;
    }
    figures
}

type Change = fn(&mut Prize);

/// Goal: the comparison sees a wheel that doesn't spin again, a level that is forgotten and free spins that are not
/// awarded. Method: the sample with a wheel, its rules changed on one side alone.
#[test]
fn a_wheel_that_differs_is_seen() {
    let (game, _) = sample::wheels();
    let Play::Reels(sound) = &game.play else { panic!("a game of reels") };
    assert_eq!(difference(&game, &by_definition(sound, 10.0)), None);
    let changes: [(&str, Change); 4] = [
        ("square", |prize| prize.again = false),
        ("hit", |prize| prize.jackpots.clear()),
        ("rtp", |prize| prize.free_spins = None),
        ("rtp", |prize| prize.draws = None),
    ];
    for (figure, change) in changes {
        let mut broken = sound.clone();
        broken.prize_tables.iter_mut().flat_map(|table| &mut table.rows).for_each(|(prize, _)| change(prize));
        let (ours, theirs) = (by_definition(&broken, 10.0), by_definition(sound, 10.0));
        let value = |figures: &[(String, f64)]| figures.iter().find(|(name, _)| name == figure).map(|found| found.1);
        assert_ne!(value(&ours), value(&theirs), "{figure}");
        assert!(difference(&game, &ours).is_some(), "{figure}");
    }
}

/// Goal: the random games are rich. Method: a fixed sample, and how many of it have a level on wheels, within free spins
/// too, free spins by wheels with and without a limit, and wheels that spin again.
#[test]
fn random_whole_spins_reach_what_they_are_for() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut counts = [0; 5];
    for _ in 0..400 {
        let reels = reels(vec![0]).prop_map(followed).new_tree(&mut runner).expect("no filter rejects").current();
        let figures = by_definition(&reels, 10.0);
        let value = |key: &str| figures.iter().find(|(name, _)| name == key).map_or(0.0, |found| found.1);
        let on_wheel = feature_on_wheel(&reels).filter(|feature| value(&format!("rtp {feature}")) > 0.0);
        let limited = |feature: usize| reels.free_spins[feature].spins_max.is_some();
        let tables: Vec<Draws> = (0..reels.prize_tables.len()).map(|table| Draws::from_table(&reels, table)).collect();
        let within = (0..reels.free_spins.len()).any(|feature| {
            value(&format!("triggers {feature}")) > 0.0 && free_spins(&reels, feature, &tables)[1][2] < 1.0
        });
        let again = reels
            .bonuses
            .iter()
            .any(|bonus| reels.prize_tables[bonus.table].rows.iter().any(|(prize, weight)| prize.again && *weight > 0));
        let found = [
            value("hit") > 0.0,
            within,
            on_wheel.is_some_and(limited),
            on_wheel.is_some_and(|feature| !limited(feature)),
            again,
        ];
        (0..5).for_each(|at| counts[at] += usize::from(found[at]));
    }
    println!("hit, within, limited, unlimited, again: {counts:?} of 400");
    assert!(counts.iter().all(|&count| count >= 8), "{counts:?}");
}
