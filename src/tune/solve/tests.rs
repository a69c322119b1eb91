use super::*;

fn solved(targets: &[f64], bounds: &[(i128, i128)], start: &[i128], measure: fn(&[i128]) -> Measured) -> Solution {
    let mut measure = measure;
    let problem = Problem {
        targets: targets.to_vec(),
        bounds: bounds.to_vec(),
        start: start.to_vec(),
        measure: &mut measure,
        resolution: 0.0,
        grain: 0.0,
    };
    solve(problem).unwrap()
}

fn figures(values: &[f64]) -> Measured {
    Measured::Figures(values.to_vec())
}

#[test]
fn one_knob_is_found_to_its_nearest_step_in_few_questions() {
    // Rising, falling, and steep.
    let found = solved(&[0.12], &[(0, 1_000_000)], &[4_000], |k| figures(&[0.1 + k[0] as f64 * 1e-6]));
    assert_eq!((found.position[0], found.binding.clone()), (20_000, None));
    assert!(found.asked < 16, "{}", found.asked);
    let found = solved(&[0.05], &[(1, 10_000_000)], &[1_000_000], |k| figures(&[200.0 / k[0] as f64]));
    assert_eq!(found.position[0], 4_000);
    assert!(found.asked < 40, "{}", found.asked);
    let found = solved(&[7.3], &[(0, 100)], &[50], |k| figures(&[k[0] as f64]));
    assert_eq!((found.position[0], found.figures[0]), (7, 7.0));
}

#[test]
fn what_binds_is_told() {
    let found = solved(&[2.0], &[(0, 100)], &[50], |k| figures(&[k[0] as f64 / 100.0]));
    assert_eq!((found.position[0], found.binding), (100, Some(Binding::Bound(0))));
    let found = solved(&[2.0], &[(0, 1_000)], &[50], |k| match k[0] {
        k if k > 137 => Measured::Refused("no".into()),
        k => figures(&[k as f64 / 100.0]),
    });
    assert_eq!((found.position[0], found.binding), (137, Some(Binding::Refused(0, "no".into()))));
    let found = solved(&[2.0], &[(0, 1_000)], &[50], |_| figures(&[1.0]));
    assert_eq!(found.binding, Some(Binding::NoEffect(0)));
    let found = solved(&[200.0, 300.0], &[(1, 999), (1, 999)], &[5, 5], |k| {
        let sum = (k[0] + k[1]) as f64;
        figures(&[sum, 2.0 * sum])
    });
    assert!(found.binding.is_some(), "{found:?}");
}

#[test]
fn three_knobs_meet_three_targets() {
    // RTP with a base game, the part of it that is seed, spins between hits.
    let measure = |k: &[i128]| {
        let (rate, seed, odds) = (k[0] as f64 * 1e-6, k[1] as f64 * 0.01, k[2] as f64);
        figures(&[0.9 + rate + seed / odds, seed / odds, odds])
    };
    let found = solved(
        &[0.96, 0.03, 10_000.0],
        &[(0, 1_000_000), (1, 10_000_000), (1, 1_000_000)],
        &[4_000, 20_000, 500],
        measure,
    );
    assert_eq!(found.binding, None, "{found:?}");
    assert!(
        found.figures.iter().zip([0.96, 0.03, 10_000.0]).all(|(found, wanted)| (found / wanted - 1.0).abs() < 1e-4),
        "{found:?}"
    );
}

#[test]
fn targets_that_agree_are_met_although_one_follows_from_the_others() {
    // The mean amount is RTP x spins between hits.
    let measure = |k: &[i128]| {
        let (rate, seed, odds) = (k[0] as f64 * 1e-6, k[1] as f64 * 0.01, k[2] as f64);
        figures(&[rate + seed / odds, seed + rate * odds, odds])
    };
    let bounds = [(0, 1_000_000), (1, 10_000_000), (1, 1_000_000)];
    let found = solved(&[0.12, 1_200.0, 10_000.0], &bounds, &[10_000, 100_000, 10_000], measure);
    assert_eq!(found.binding, None, "{found:?}");
    let found = solved(&[0.13, 1_200.0, 10_000.0], &bounds, &[10_000, 100_000, 10_000], measure);
    assert_eq!(found.binding, Some(Binding::Dependent), "{found:?}");
}

#[test]
fn a_start_that_is_no_game_is_left_for_one_that_is() {
    let found = solved(&[60.0], &[(0, 100)], &[0], |k| match k[0] {
        0 => Measured::Refused("nothing".into()),
        k => figures(&[k as f64]),
    });
    assert_eq!(found.position[0], 60);
}
