//! Negative controls: a planted defect must show in the figures that it touches, and in no others.

use super::sample::{mixed, wheels};
use super::{Defect, Played, Reference};
use jackpot::sim::Plan;

fn played(defect: Option<Defect>) -> Played {
    let (game, jackpots) = mixed();
    Reference { game: &game, jackpots: &jackpots, plan: Plan { chunk_spins: 300, ..Plan::new(5, 2_000) }, defect }
        .play()
}

/// Goal: a comparison of base, pools and hits would see each of these mistakes. Method: the sound reference against the
/// same with one defect.
#[test]
fn a_planted_defect_disagrees_where_it_should() {
    let sound = played(None);
    for defect in [Defect::FirstLineOffByOne, Defect::WildTwice, Defect::ScatterTwice] {
        let wrong = played(Some(defect));
        assert_ne!(sound.base, wrong.base, "{defect:?}");
        assert_eq!(sound.pools, wrong.pools, "{defect:?}");
        assert_eq!(sound.hits, wrong.hits, "{defect:?}");
    }
    for defect in [Defect::ContributionAfterTrigger, Defect::SurplusLost] {
        let wrong = played(Some(defect));
        assert_eq!(sound.base, wrong.base, "{defect:?}");
        assert_ne!(sound.pools, wrong.pools, "{defect:?}");
    }
}

/// Goal: the controls stand on a game in which everything happens.
#[test]
fn the_game_of_the_controls_does_everything() {
    let sound = played(None);
    let [free_spins, bonus] = &sound.base.by_feature[..] else { panic!("two features") };
    assert!(free_spins.triggers > 10 && free_spins.retriggers > 10 && bonus.triggers > 10);
    let [mini, minor, major] = &sound.pools[..] else { panic!("three pools") };
    assert!(mini.deferred > 0 && mini.hits > 10 && minor.hits > 10 && major.hits > 10);
    assert!(minor.from_reserve > 0 && minor.reserve_closing > 0);
    assert!(sound.pools.iter().all(|pool| pool.residue() == 0 && pool.reserve_residue() == 0));
}

/// Goal: money that vanishes breaks the conservation law, which a run checks by itself.
#[test]
fn a_lost_surplus_breaks_the_conservation_law() {
    assert!(played(Some(Defect::SurplusLost)).pools.iter().any(|pool| pool.reserve_residue() != 0));
}

/// Goal: so are the mistakes of a wheel: one that is never spun again pays and triggers less; a level that it comes to
/// twice on one spin hits once.
#[test]
fn a_defect_of_a_wheel_disagrees_where_it_should() {
    let (game, jackpots) = wheels();
    let plan = Plan { chunk_spins: 300, ..Plan::new(5, 2_000) };
    let played = |defect| Reference { game: &game, jackpots: &jackpots, plan, defect }.play();
    let sound = played(None);
    let hits = |played: &Played| played.hits.iter().filter(|hit| hit.level == 0).count();
    assert!(hits(&sound) > 20 && sound.base.by_feature.iter().all(|tally| tally.triggers > 50));
    let spun_once = played(Some(Defect::AgainIgnored));
    assert!(spun_once.base.features.sum < sound.base.features.sum && hits(&spun_once) < hits(&sound));
    let hit_twice = played(Some(Defect::WheelHitsTwice));
    assert_eq!(sound.base, hit_twice.base);
    assert!(hits(&hit_twice) > hits(&sound));
}
