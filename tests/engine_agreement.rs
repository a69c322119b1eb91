//! The fast engine against the reference: base statistics, accounts of pools and every hit must be equal, exactly.

mod reference;
mod support;

use jackpot::game::diagram::Diagram;
use jackpot::game::diagram::order::STEPS_MAX;
use jackpot::game::pay_classes::Drawn;
use jackpot::game::window::Mode;
use jackpot::game::{Game, Play};
use jackpot::pool::Jackpots;
use jackpot::rng::{Purpose, Stream};
use jackpot::sim::{CHUNK_SPINS, Options, Plan, Silent, run};
use jackpot::tally::Hit;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use reference::{Defect, Played, Reference, random_game, sample};

/// The fast engine's run, in the reference's terms.
fn fast(game: &Game, jackpots: &Jackpots, plan: &Plan, threads: usize) -> Played {
    let mut hits: Vec<Hit> = Vec::new();
    let mut log = |hit: &Hit| {
        hits.push(*hit);
        Ok(())
    };
    let options = Options { threads, log: Some(&mut log), ..Options::default() };
    let logged = run(game, jackpots, plan, options, &Silent).expect("a run in memory succeeds");
    let unlogged = run(game, jackpots, plan, Options { threads, ..Options::default() }, &Silent);
    assert_eq!(logged, unlogged.expect("a run in memory succeeds"), "a log of hits changes no figure");
    assert!(logged.complete && logged.spins_done == plan.spins);
    Played { base: logged.base, pools: logged.pools, hits }
}

/// The reference's run, sound unless a defect is planted.
fn slow(game: &Game, jackpots: &Jackpots, plan: &Plan, defect: Option<Defect>) -> Played {
    Reference { game, jackpots, plan: *plan, defect }.play()
}

/// What differs first, if anything: the hits, then the pools, then the base.
fn first_difference(fast: &Played, reference: &Played) -> Option<String> {
    let pairs = fast.hits.iter().zip(&reference.hits).enumerate();
    if let Some((position, (fast, reference))) = pairs.into_iter().find(|(_, (fast, reference))| fast != reference) {
        return Some(format!("hit {position}\nfast      {fast:?}\nreference {reference:?}"));
    }
    if fast.hits.len() != reference.hits.len() {
        let more = fast.hits.len().max(reference.hits.len());
        let last = [fast, reference].into_iter().find(|played| played.hits.len() == more)?.hits.last();
        return Some(format!("{} hits, not {}; the last is {last:?}", fast.hits.len(), reference.hits.len()));
    }
    if fast.pools.len() != reference.pools.len() {
        return Some(format!("{} pools, not {}", fast.pools.len(), reference.pools.len()));
    }
    let pairs = fast.pools.iter().zip(&reference.pools).enumerate();
    if let Some((position, (fast, reference))) = pairs.into_iter().find(|(_, (fast, reference))| fast != reference) {
        return Some(format!("pool {position}\nfast      {fast:?}\nreference {reference:?}"));
    }
    (fast.base != reference.base).then(|| format!("base\nfast      {:?}\nreference {:?}", fast.base, reference.base))
}

/// Number of random games: 192 unless `PROPTEST_CASES` says otherwise.
fn cases() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(192);
    let failures = FileFailurePersistence::WithSource("proptest-regressions");
    ProptestConfig { cases, failure_persistence: Some(Box::new(failures)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    /// Goal: on any small game both engines agree to the last hit. Method: several chunks, the last one short as a rule,
    /// on one to three threads.
    #[test]
    fn both_engines_agree_on_random_games(
        (game, jackpots) in random_game::game(),
        rng_seed in any::<u64>(),
        spins in 1u64..5_000,
        chunk_spins in prop_oneof![6 => 64u32..500, 1 => 1u32..64, 1 => 500u32..=CHUNK_SPINS],
        threads in 1usize..=3,
        in_order in any::<bool>(),
    ) {
        let order_steps = if in_order { STEPS_MAX } else { 0 };
        let plan = Plan { rng_seed, spins, chunk_spins, order_steps };
        let reference = slow(&game, &jackpots, &plan, None);
        for pool in &reference.pools {
            prop_assert_eq!((pool.residue(), pool.reserve_residue()), (0, 0), "the reference conserves money");
        }
        if let Some(difference) = first_difference(&fast(&game, &jackpots, &plan, threads), &reference) {
            prop_assert!(false, "{}", difference);
        }
    }
}

/// Goal: both engines agree on every game that is shipped. Method: chunks of the usual size and small ones, and windows
/// out of order too.
#[test]
fn both_engines_agree_on_every_shipped_game() {
    for support::Game { name, model } in support::games() {
        let usual = Plan::new(20_260_101, 200_000);
        for plan in [usual, Plan { chunk_spins: 7_001, ..usual }, Plan { order_steps: 0, ..usual }] {
            let reference = slow(&model.game, &model.jackpots, &plan, None);
            if let Some(difference) = first_difference(&fast(&model.game, &model.jackpots, &plan, 2), &reference) {
                panic!("{name} with {plan:?}: {difference}");
            }
        }
    }
}

/// Goal: numbers stand for windows one to one, also where there are too many to list. Method: pairs of neighbours and of
/// far numbers in every shipped game; a later number of the same pay stands for a later window, by the reference's pays.
#[test]
fn later_numbers_of_a_pay_stand_for_later_windows() {
    for support::Game { name, model } in support::games() {
        let Play::Reels(reels) = &model.game.play else { continue };
        let diagram = Diagram::new(reels, Mode::Paid, STEPS_MAX);
        let classes = diagram.order().expect("shipped games are put in order").classes();
        assert_eq!(classes.total(), diagram.cycle(), "{name}: every window belongs to a class");
        let virtual_stops = reels.strip_sets[0].iter().any(|strip| strip.weights.iter().any(|&weight| weight != 1));
        let mut windows = diagram.windows().expect("the same");
        let mut stream = Stream::new(1, Purpose::Reels, 0, 0);
        for _ in 0..2_000 {
            let number = stream.below(diagram.cycle() - 1);
            let far = number + stream.below(diagram.cycle() - number);
            for later in [number + 1, far] {
                let same = classes.outcome(number) == classes.outcome(later);
                let both_start = [number, later].iter().all(|&n| matches!(classes.outcome(n), Drawn::Starts(_)));
                if later > number && (same || both_start) {
                    let (window, later_window) = (windows.stops(number), windows.stops(later));
                    // Virtual stops of one position show the same window.
                    let is_same = virtual_stops && window == later_window;
                    assert!(window < later_window || is_same, "{name}: {number} and {later}");
                }
            }
            let outcome = diagram.evaluator().outcome(&windows.stops(number));
            if let Drawn::Pays(pay) = classes.outcome(number) {
                assert_eq!(outcome.pay, pay, "{name}: number {number}");
            }
        }
    }
}

/// Goal: the comparison sees a mistake. Method: the fast engine against the reference with each planted defect.
#[test]
fn the_comparison_sees_every_planted_defect() {
    use Defect::{ContributionAfterTrigger, FirstLineOffByOne, ScatterTwice, SurplusLost, WildTwice};
    let (game, jackpots) = sample::mixed();
    let plan = Plan { chunk_spins: 300, ..Plan::new(5, 2_000) };
    let fast = fast(&game, &jackpots, &plan, 2);
    assert_eq!(first_difference(&fast, &slow(&game, &jackpots, &plan, None)), None);
    for defect in [FirstLineOffByOne, WildTwice, ScatterTwice, ContributionAfterTrigger, SurplusLost] {
        assert!(first_difference(&fast, &slow(&game, &jackpots, &plan, Some(defect))).is_some(), "{defect:?}");
    }
    let (game, jackpots) = sample::wheels();
    let fast = self::fast(&game, &jackpots, &plan, 2);
    assert_eq!(first_difference(&fast, &slow(&game, &jackpots, &plan, None)), None);
    for defect in [Defect::AgainIgnored, Defect::WheelHitsTwice] {
        assert!(first_difference(&fast, &slow(&game, &jackpots, &plan, Some(defect))).is_some(), "{defect:?}");
    }
}
