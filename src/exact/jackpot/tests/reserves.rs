//! Reserves held against their recursion, hit by hit.

use super::super::piecewise::Piecewise;
use super::super::reserve::{Gap, figures};
use crate::pool::Surplus;

/// A plain generator, apart from the product's own.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }
}

/// (short, top-up) over many hits, and the standard error of `short` by batches.
fn played(surplus: Surplus, hidden: f64, seed: f64, mut spins: impl FnMut(f64) -> f64) -> (f64, f64, f64) {
    let mut draws = Draws(7);
    let (batches, size) = (200, 5_000);
    let (mut reserve, mut shorts, mut top_up) = (0.0, Vec::new(), 0.0);
    for batch in 0..=batches {
        let mut short = 0;
        for _ in 0..size {
            reserve += hidden * spins(draws.next());
            // The first batch lets it settle.
            if batch > 0 {
                short += usize::from(reserve < seed - 1e-9);
                top_up += f64::max(seed - reserve, 0.0);
            }
            reserve = match surplus {
                Surplus::Kept => f64::max(reserve - seed, 0.0),
                Surplus::Released => 0.0,
            };
        }
        if batch > 0 {
            shorts.push(short as f64 / size as f64);
        }
    }
    let mean = shorts.iter().sum::<f64>() / batches as f64;
    let variance = shorts.iter().map(|short| (short - mean).powi(2)).sum::<f64>() / (batches - 1) as f64;
    (mean, top_up / (batches * size) as f64, (variance / batches as f64).sqrt())
}

fn check(surplus: Surplus, gap: Gap, hidden: f64, seed: f64, spins: impl FnMut(f64) -> f64) {
    let exact = figures(surplus, &gap, hidden, seed).expect("something goes in");
    let (short, top_up, error) = played(surplus, hidden, seed, spins);
    let what = format!("{surplus:?} {gap:?} {hidden}: {short} and {top_up}, exactly {exact:?}");
    assert!((exact.short - short).abs() <= 4.5 * error + exact.short_error + 1e-12, "{what}");
    assert!((exact.top_up - top_up).abs() <= 0.03 * seed, "{what}");
}

/// Goal: odds and must-hit-by, kept and released, with reserves from thin to ample. Method: a million hits each.
#[test]
fn reserves_agree_with_their_recursion() {
    let seed = 1_000.0;
    for surplus in [Surplus::Kept, Surplus::Released] {
        for hidden in [0.3, 1.0, 4.0, 8.0, 9.5] {
            let p: f64 = 0.01;
            check(surplus, Gap::Odds(p), hidden, seed, |draw| (draw.ln() / (1.0 - p).ln()).ceil().max(1.0));
            let law = Piecewise::new(0, &[200], &[1]);
            check(surplus, Gap::Threshold(law), hidden, seed, |draw| (200.0 * draw).ceil());
            let heavy = Piecewise::new(0, &[100, 200], &[1, 3]);
            let spins = |draw: f64| if draw < 0.25 { 400.0 * draw } else { 100.0 + 400.0 / 3.0 * (draw - 0.25) };
            check(surplus, Gap::Threshold(heavy), hidden, seed, |draw| spins(draw).ceil());
            check(surplus, Gap::Fixed(100.0), hidden, seed, |_| 100.0);
        }
    }
}

/// Goal: the figures of a reserve that takes in a seed a hit, and is emptied: 1 - 1/e and R/e.
#[test]
fn an_emptied_reserve_agrees_with_its_limit() {
    let found = figures(Surplus::Released, &Gap::Odds(1e-4), 0.1, 1_000.0).expect("something goes in");
    assert!((found.short - 0.632_12).abs() < 5e-5 && (found.top_up - 367.88).abs() < 0.05, "{found:?}");
    let ample = figures(Surplus::Kept, &Gap::Odds(1e-4), 0.11, 1_000.0).expect("something goes in");
    assert!(ample.grows && ample.short == 0.0 && ample.top_up == 0.0);
    assert_eq!(figures(Surplus::Kept, &Gap::Odds(0.5), 0.0, 10.0), None);
}
