//! Goal: every shipped game plays as the exact answer says, and its jackpots as their law says a run of this length
//! should.
//! Method: one run each at a fixed rng seed; z-scores from exact moments, tolerances of one cycle where a level has no
//! variance, and exact Poisson probabilities where hits are few.

mod support;

use jackpot::config;
use jackpot::exact::base::BaseFigures;
use jackpot::exact::jackpot::expected;
use jackpot::sim::run::seeds;
use jackpot::sim::{Options, Plan, Run, Silent, run};
use jackpot::tally::Moments;
use jackpot::tally::interval::mean_and_deviation;
use support::{Game, games};

const SPINS: u64 = 4_000_000;
const Z_MAX: f64 = 4.0;

fn play(game: &Game) -> Run {
    let options = Options { threads: 2, ..Options::default() };
    run(&game.model.game, &game.model.jackpots, &Plan::new(7, SPINS), options, &Silent).expect("a run")
}

/// z of a mean return per bet; `None` where nothing varies and the mean is right.
fn z_of_mean(moments: &Moments, spins: u64, scale: u64, expected: f64) -> Option<f64> {
    let (mean, deviation) = mean_and_deviation(moments, spins).expect("spins were made");
    let (mean, deviation) = (mean / scale as f64, deviation / scale as f64);
    if deviation == 0.0 && mean == expected {
        return None;
    }
    Some((mean - expected) / (deviation / (spins as f64).sqrt()))
}

/// Goal: each part is as the exact answer says, and all parts together are too. Method: z-scores of base, features and
/// hits; their squares add up to about their number if nothing is wrong, in whatever small way.
#[test]
fn base_and_features_agree_with_the_exact_figures() {
    let (mut squares, mut count) = (0.0, 0);
    for game in games() {
        let exact = BaseFigures::new(&game.model.game, game.model.jackpots.levels.len());
        let base = play(&game).base;
        let scale = game.model.game.return_scale;
        let mut scores = Vec::new();
        let features = exact.features.iter().map(|feature| feature.rtp.value).sum();
        for (part, moments, expected) in [
            ("base", &base.base, exact.base.value),
            ("features", &base.features, features),
            ("returns", &base.returns, exact.rtp.value),
        ] {
            scores.extend(z_of_mean(moments, SPINS, scale, expected).map(|z| (part, z)));
        }
        let frequencies = [
            ("hits", base.hits_base, exact.hit_frequency),
            ("hits or triggers", base.hits_or_triggers, exact.hit_or_trigger),
            ("wins of the bet", base.wins_of_bet, exact.win_of_bet.filter(|_| exact.features.is_empty())),
        ];
        for (part, hits, p) in frequencies {
            // With features, a win of the bet counts what they paid too.
            let Some(p) = p else { continue };
            scores.push((part, (hits as f64 / SPINS as f64 - p) / (p * (1.0 - p) / SPINS as f64).sqrt()));
        }
        let (_, sigma) = mean_and_deviation(&base.returns, SPINS).expect("spins were made");
        // How much sticky free games vary is known by simulation alone: 3.7253 by the source of machine F.
        let expected = exact.sigma.unwrap_or(3.7253);
        assert!((sigma / scale as f64 / expected - 1.0).abs() < 0.15, "{} sigma {sigma} {expected}", game.name);
        for (part, z) in scores {
            assert!(z.abs() < Z_MAX, "{} {part}: z {z:.2}", game.name);
            if part != "returns" && part != "hits or triggers" {
                squares += z * z;
                count += 1;
            }
        }
    }
    // Parts of one game are correlated, so the bound is a wide one.
    let (n, spread) = (f64::from(count), (2.0 * f64::from(count)).sqrt());
    assert!((squares - n).abs() < 5.0 * spread, "{count} z-scores whose squares add up to {squares:.1}");
}

#[test]
fn a_wrong_figure_would_be_seen() {
    let games = games();
    let game = games.iter().find(|game| game.name == "double-diamond-deluxe").expect("a shipped game");
    let base = play(game).base;
    let z = z_of_mean(&base.base, SPINS, game.model.game.return_scale, 0.95).expect("it varies");
    assert!(z.abs() > Z_MAX, "z {z}");
}

/// Probability that a Poisson count lies as far out as this one, both sides.
fn poisson_p_value(mean: f64, count: u64) -> f64 {
    let mut term = (-mean).exp();
    let (mut below, mut upto) = (0.0, term);
    for k in 1..=count {
        below = upto;
        term *= mean / k as f64;
        upto += term;
    }
    (2.0 * upto.min(1.0 - below)).min(1.0)
}

#[test]
fn jackpots_agree_with_the_law_of_their_trigger() {
    let mut levels_checked = 0;
    for game in games() {
        let model = &game.model;
        let played = play(&game);
        let no_symbols = vec![None; model.jackpots.levels.len()];
        let (by_level, _) = expected(
            &model.game.bets,
            &model.jackpots,
            &played.base.spins_by_bet,
            &seeds(&model.jackpots),
            &no_symbols,
        );
        let mut pools = played.pools.iter();
        for (level, expected) in model.jackpots.levels.iter().zip(by_level) {
            let own: Vec<_> = (0..level.pool_count()).map(|_| pools.next().expect("a pool")).collect();
            let hits: u64 = own.iter().map(|pool| pool.hits).sum();
            let paid: u128 = own.iter().map(|pool| pool.paid).sum();
            let Some(law) = expected else { continue };
            levels_checked += 1;
            let place = format!("{} {}", game.name, level.name);
            if law.hits_tolerance > 0.0 {
                let (hits_off, paid_off) = ((hits as f64 - law.hits).abs(), (paid as f64 - law.paid).abs());
                assert!(hits_off <= law.hits_tolerance, "{place}: {hits} hits, {} expected", law.hits);
                assert!(paid_off <= law.paid_tolerance, "{place}: {paid} paid, {} expected", law.paid);
            } else if law.hits < 30.0 {
                let p = poisson_p_value(law.hits, hits);
                assert!(p > 6e-5, "{place}: {hits} hits, {} expected, p {p}", law.hits);
            } else {
                let z_hits = (hits as f64 - law.hits) / law.hits_sd;
                let z_paid = (paid as f64 - law.paid) / law.paid_sd;
                assert!(z_hits.abs() < Z_MAX, "{place} hits: z {z_hits:.2}");
                assert!(z_paid.abs() < Z_MAX, "{place} paid: z {z_paid:.2}");
            }
        }
    }
    assert!(levels_checked >= 12, "only {levels_checked} levels were checked");
}

/// Goal: a wheel plays as the exact figures say: free spins, the bonus, their spread, and the jackpot that it triggers.
/// Method: the example of docs/games.md, 4 M spins.
#[test]
fn the_wheel_of_the_documentation_agrees_with_the_exact_figures() {
    let text = std::fs::read_to_string("docs/games.md").expect("docs/games.md");
    let blocks = text.split("```toml\n").filter_map(|rest| rest.split_once("```").map(|(block, _)| block));
    let block = blocks.into_iter().find(|block| block.starts_with("name = \"Wheel")).expect("an example with a wheel");
    let read = |_: &str| Err(std::io::Error::other("no file"));
    let model = config::parse("wheel.toml", block, &read).unwrap_or_else(|error| panic!("{error}"));
    let game = Game { name: model.game.name.clone(), model };
    let exact = BaseFigures::new(&game.model.game, 1);
    let played = play(&game);
    let scale = game.model.game.return_scale;
    let mut scores = Vec::new();
    for (tally, feature) in played.base.by_feature.iter().zip(&exact.features) {
        let mean = feature.mean.as_ref().expect("enumerated").value;
        scores.extend(z_of_mean(&tally.returns, tally.triggers, 1, mean));
        let p = feature.triggers.as_ref().expect("enumerated").value;
        scores.push((tally.triggers as f64 - SPINS as f64 * p) / (SPINS as f64 * p * (1.0 - p)).sqrt());
        let (_, deviation) = mean_and_deviation(&tally.returns, tally.triggers).expect("it starts");
        assert!((deviation / feature.deviation.expect("enumerated") - 1.0).abs() < 0.05, "SD {deviation}");
    }
    scores.extend(z_of_mean(&played.base.returns, SPINS, scale, exact.rtp.value));
    let chance = exact.symbol_chances[0].as_ref().expect("the wheel triggers it").value;
    let (bets, jackpots) = (&game.model.game.bets, &game.model.jackpots);
    let (by_level, _) = expected(bets, jackpots, &played.base.spins_by_bet, &seeds(jackpots), &[Some(chance)]);
    let law = by_level[0].clone().expect("its chance is known");
    let hits: u64 = played.pools.iter().map(|pool| pool.hits).sum();
    let paid: u128 = played.pools.iter().map(|pool| pool.paid).sum();
    scores.push((hits as f64 - law.hits) / law.hits_sd);
    scores.push((paid as f64 - law.paid) / law.paid_sd);
    assert!(scores.len() == 7 && scores.iter().all(|z| z.abs() < Z_MAX), "{scores:.2?}");
    let (_, sigma) = mean_and_deviation(&played.base.returns, SPINS).expect("spins were made");
    assert!((sigma / scale as f64 / exact.sigma.expect("enumerated") - 1.0).abs() < 0.02, "sigma {sigma}");
}
