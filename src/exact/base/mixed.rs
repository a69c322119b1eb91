//! A game whose bets don't all play alike: each play's figures, and those of the mix.
//!
//! What is a share of the stakes is weighted by stakes, what is a share of spins by spins: a spin's return in total bets is
//! a mixture over bets, of mean sum n R and mean square sum n (sigma² + R²), n the share of spins.

use super::prizes::whole;
use super::{BaseFigures, CombinationFigures, FeatureFigures, Figure, of_play};
use crate::game::rules::Game;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

/// The weights of a play.
struct Weights {
    /// Of all that is staked, and of all spins.
    stakes: BigRational,
    spins: BigRational,
}

impl Weights {
    fn of(game: &Game) -> Vec<Self> {
        let bets = &game.bets;
        let sum = |play: usize, value: &dyn Fn(usize) -> u128| {
            whole((0..bets.count()).filter(|&bet| game.play_of(bet) == play).map(value).sum())
        };
        let stake = |bet: usize| u128::from(bets.amounts[bet]) * u128::from(bets.mix[bet]);
        let all_stakes = whole((0..bets.count()).map(stake).sum());
        let all_spins = whole(bets.mix_total().into());
        let plays = 0..=game.variants.len();
        plays
            .map(|play| Self {
                stakes: sum(play, &stake) / &all_stakes,
                spins: sum(play, &|bet| bets.mix[bet].into()) / &all_spins,
            })
            .collect()
    }
}

/// The figures of a game with variants.
pub fn of_game(game: &Game, level_count: usize) -> BaseFigures {
    let plays: Vec<BaseFigures> = game.plays().map(|play| of_play(game, play, level_count)).collect();
    let weights = Weights::of(game);
    let by = |weight: &dyn Fn(&Weights) -> &BigRational, figure: &dyn Fn(&BaseFigures) -> Figure| {
        let parts = plays.iter().zip(&weights).map(|(play, weights)| scaled(&figure(play), weight(weights)));
        parts.fold(Figure::zero(), |sum, part| sum.plus(&part))
    };
    let by_stakes = |figure: &dyn Fn(&BaseFigures) -> Figure| by(&|weights| &weights.stakes, figure);
    let spins: Vec<f64> = weights.iter().map(|weights| weights.spins.to_f64().unwrap_or(f64::NAN)).collect();
    let by_spins = |figure: &dyn Fn(&BaseFigures) -> Option<f64>| {
        plays.iter().zip(&spins).map(|(play, spins)| Some(spins * figure(play)?)).sum::<Option<f64>>()
    };
    let sigma = |sigma: &dyn Fn(&BaseFigures) -> Option<f64>, rtp: &dyn Fn(&BaseFigures) -> f64| {
        let square = by_spins(&|play| Some(sigma(play)?.powi(2) + rtp(play).powi(2)))?;
        let mean = by_spins(&|play| Some(rtp(play)))?;
        Some((square - mean * mean).max(0.0).sqrt())
    };
    let features = (0..plays[0].features.len()).map(|at| {
        let of: Vec<&FeatureFigures> = plays.iter().map(|play| &play.features[at]).collect();
        feature(&of, &spins, by_stakes(&|play| play.features[at].rtp.clone()))
    });
    let first = &plays[0];
    BaseFigures {
        cycle: first.cycle,
        lines_played: first.lines_played,
        lines: by_stakes(&|play| play.lines.clone()),
        scatters: by_stakes(&|play| play.scatters.clone()),
        base: by_stakes(&|play| play.base.clone()),
        rtp: by_stakes(&|play| play.rtp.clone()),
        features: features.collect(),
        combinations: combinations(&plays),
        line_hit_frequency: by_spins(&|play| play.line_hit_frequency),
        line_sigma: None,
        distribution: None,
        hit_frequency: by_spins(&|play| play.hit_frequency),
        hit_or_trigger: by_spins(&|play| play.hit_or_trigger),
        win_of_bet: by_spins(&|play| play.win_of_bet),
        sigma_base: sigma(&|play| play.sigma_base, &|play| play.base.value),
        sigma: sigma(&|play| play.sigma, &|play| play.rtp.value),
        symbol_chances: first.symbol_chances.clone(),
        plays,
    }
}

fn scaled(figure: &Figure, by: &BigRational) -> Figure {
    let value = figure.value * by.to_f64().unwrap_or(f64::NAN);
    Figure {
        fraction: figure.fraction.as_ref().map(|fraction| fraction * by),
        value: if by.is_zero() { 0.0 } else { value },
    }
}

/// A feature over all plays, by how often each starts it.
fn feature(of: &[&FeatureFigures], spins: &[f64], rtp: Figure) -> FeatureFigures {
    let triggers: Option<Vec<f64>> =
        of.iter().zip(spins).map(|(feature, spins)| Some(spins * feature.triggers.as_ref()?.value)).collect();
    let all = triggers.as_ref().map(|triggers| triggers.iter().sum::<f64>());
    let mean_of = |value: &dyn Fn(&FeatureFigures) -> Option<f64>| {
        let sum = of.iter().zip(triggers.as_ref()?).map(|(feature, starts)| Some(starts * value(feature)?));
        Some(sum.sum::<Option<f64>>()? / all?)
    };
    let mean = mean_of(&|feature| Some(feature.mean.as_ref()?.value));
    let square = mean_of(&|feature| Some(feature.deviation?.powi(2) + feature.mean.as_ref()?.value.powi(2)));
    FeatureFigures {
        rtp,
        triggers: all.map(|value| Figure { fraction: None, value }),
        mean: mean.map(|value| Figure { fraction: None, value }),
        deviation: square.zip(mean).map(|(square, mean)| (square - mean * mean).max(0.0).sqrt()),
        plays: mean_of(&|feature| feature.plays),
    }
}

/// Combinations that pay alike everywhere, then those of each play alone.
fn combinations(plays: &[BaseFigures]) -> Vec<CombinationFigures> {
    let everywhere =
        |row: &CombinationFigures| plays.iter().all(|play| play.combinations.iter().any(|other| other == row));
    let common = plays[0].combinations.iter().filter(|row| everywhere(row)).cloned();
    let own = plays.iter().enumerate().flat_map(|(at, play)| {
        let rows = play.combinations.iter().filter(|row| !everywhere(row));
        rows.map(move |row| CombinationFigures { play: Some(at), ..row.clone() })
    });
    common.chain(own).collect()
}
