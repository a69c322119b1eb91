//! Goal: the published numbers come out. Method: amounts are in hundredths, the bet is 1.00.

use super::growth::*;
use super::*;

/// R 200, b 1, c .1, p 1e-4: G 1000, RTP .12.
fn reference() -> Level {
    odds_level(10, 20_000, 10_000)
}

#[test]
fn a_finite_run_of_odds_is_biased_and_its_payouts_are_not_independent() {
    let million = expect(reference(), 1_000_000);
    close(million.paid / 1e8, 0.119_000_1, 1e-7, "paid RTP of a million spins");
    close(million.accrued / 1e8, 0.12, 1e-12, "accrued RTP");
    close(million.paid_sd / 100.0, 2323.8, 0.2, "SD of paid");
    close(million.accrued_sd / 100.0, 2000.0, 0.2, "SD of accrued");
    close(million.hits, 100.0, 1e-9, "hits");
    assert_eq!(million.basis, "exact");
    let tenth = expect(reference(), 100_000);
    close(tenth.paid / 1e7, 0.11, 2e-6, "paid RTP of 100,000 spins");
    close(tenth.paid_sd / 100.0, 1341.6, 0.7, "SD of paid in 100,000 spins");
    close(tenth.rtp_seed, 0.02, 1e-15, "seed part");
    close(tenth.rtp_growth, 0.1, 1e-15, "growth part");
    close(tenth.amount_mean, 120_000.0, 1e-6, "amount");
    close(tenth.amount_sd, 100_000.0, 6.0, "SD of amount");
}

#[test]
fn short_runs_follow_the_poisson_forms() {
    for spins in [100, 5_000, 20_000, 70_000] {
        let n = spins as f64 / 1e4;
        let miss = (-n).exp();
        let found = expect(reference(), spins);
        let (seed, growth) = (20_000.0, 100_000.0);
        close(found.paid, seed * n + growth * (n - 1.0 + miss), 10.0, "paid");
        let variance = seed * seed * n
            + growth * growth * (1.0 - 2.0 * n * miss - miss * miss)
            + 2.0 * seed * growth * (1.0 - (1.0 + n) * miss);
        close(found.paid_sd / variance.sqrt(), 1.0, 2e-4, "SD of paid");
    }
}

#[test]
fn a_cap_drops_the_tail_of_the_growth() {
    close(1000.0 + capped_growth_mean(200.0, 200.0), 1126.42, 0.005, "amount under a cap");
    close(overflow_per_hit(200.0, 200.0), 73.58, 0.005, "overflow per hit");
    let capped = Level { caps: Some(vec![120_000]), ..odds_level(2, 100_000, 10_000) };
    let found = expect(capped.clone(), 400_000_000);
    close(found.amount_mean / 100.0, 1126.42, 0.01, "amount under a cap, spin by spin");
    close(found.rtp_seed + found.rtp_growth, 0.112_642, 2e-6, "RTP");
    close(found.paid / 4e10, 0.112_642, 2e-6, "paid RTP of a long run");
    let carried = expect(Level { caps: Some(vec![150_000]), overflow: Overflow::NextSeed, ..capped }, 400_000_000);
    close(carried.rtp_seed + carried.rtp_growth, 0.12, 1e-9, "RTP with overflow carried");
    close(carried.paid / 4e10, 0.12, 1e-6, "paid RTP with overflow carried");
}

#[test]
fn a_reserve_falls_short_as_published() {
    let (short, top_up) = reserve_shortfall(1000.0, 1000.0);
    close(short, 0.6321, 5e-5, "probability of falling short");
    close(top_up, 367.9, 0.05, "mean top-up");
}

#[test]
fn a_uniform_must_hit_by_has_its_published_figures() {
    // 350 to 400 at .002 of 1.00: in units of 1/1000, 2 units a spin.
    let found = expect(must_hit_by(2, 350_000, 400_000, ThresholdLaw::Uniform), 100_000_000);
    close(found.amount_mean / 1000.0, 375.001, 1e-9, "amount");
    // The bet is 1000 units, not 100. A whole last spin lowers RTP by 1 / 25,000.
    close((found.rtp_seed + found.rtp_growth) * 0.1, 0.002 * 375.001 / 25.001, 1e-12, "RTP");
    close(must_hit_by_rtp(350.0, 400.0, 0.002), 0.03, 1e-15, "RTP, closed form");
    close(break_even_next_bet(400.0, 0.002, 0.88), 393.443, 5e-4, "break-even of the next bet");
    close(break_even_to_the_hit(400.0, 0.002, 0.88), 386.885, 5e-4, "break-even until the hit");
}

#[test]
fn a_must_hit_by_is_biased_by_a_third_of_its_bound() {
    for (seed, bound) in [(10_000, 50_000), (350_000, 400_000), (200_000, 1_000_000)] {
        let spins = (bound - seed) * 400;
        let found = expect(must_hit_by(1, seed, bound, ThresholdLaw::Uniform), spins);
        let growth = spins as f64;
        // Growth per hit is half the width and half a spin.
        let rtp = 1.0 + seed as f64 / (0.5 * (bound - seed) as f64 + 0.5);
        close((found.paid - rtp * growth) / bound as f64, -1.0 / 3.0, 2e-4, "paid bias in bounds");
        close((found.accrued - rtp * growth) / seed as f64, -1.0 / 3.0, 1e-3, "accrued bias in seeds");
        close(found.hits, 800.0 - 1.0 / 3.0, 0.03, "hits");
        close(found.hits_sd, 16.33, 0.01, "SD of hits");
    }
}

#[test]
fn linked_odds_proportional_to_the_bet_return_the_same_at_every_bet() {
    // R 500, c .015, k 1e-4; units of 1/1000.
    let table = bets(&[200, 400, 800, 1600, 4000], &[40, 25, 20, 10, 5]);
    let proportional = Level {
        eligible: vec![true; 5],
        contributions: vec![3, 6, 12, 24, 60],
        hidden: vec![0; 5],
        seeds: vec![500_000],
        ..level(0, 0, Trigger::Odds { hits: vec![1, 2, 4, 8, 20], of: 50_000 })
    };
    let equal = Level { trigger: Trigger::Odds { hits: vec![1; 5], of: 10_000 }, ..proportional.clone() };
    let by_bet = |level: &Level| rtp_by_bet(&table, &one(level.clone()), &[None])[0].clone().expect("known");
    for rtp in by_bet(&proportional) {
        close(rtp, 0.065, 1e-12, "proportional odds");
    }
    // Mean bet .64... at equal odds: amount 500 + .015 x .64 x 10^4... falls as 1 / bet.
    let falling = by_bet(&equal);
    for bet in 1..5 {
        close(falling[bet] * table.amounts[bet] as f64, falling[0] * 200.0, 1e-9, "equal odds");
    }
    let (levels, pools) = expected(
        &table,
        &one(proportional),
        &[40_000_000, 25_000_000, 20_000_000, 10_000_000, 5_000_000],
        &[500_000],
        &[],
    );
    let [Some(level), Some(pool)] = [&levels[0], &pools[0]] else { panic!("known") };
    close(level.rtp_seed + level.rtp_growth, 0.065, 1e-12, "RTP of the level");
    close(pool.rtp_growth, 0.015, 1e-12, "growth part");
    assert!(level.basis.contains("order of the bets"), "{}", level.basis);
}

#[test]
fn the_mix_adds_nothing_where_rtp_is_the_same_at_every_bet() {
    let table = bets(&[100, 400], &[3, 1]);
    assert!(rtp_variance_of_mix(&table, &[0.1, 0.1], 1000) < 1e-30);
    // Var of b (r_b - r) / (E b)^2 by hand: E b 175, r .08, deviations 2 and -6... over 3 : 1.
    let rtp: f64 = (3.0 * 100.0 * 0.1 + 400.0 * 0.06) / 700.0;
    let variance = 0.75 * (100.0 * (0.1 - rtp)).powi(2) + 0.25 * (400.0 * (0.06 - rtp)).powi(2);
    close(rtp_variance_of_mix(&table, &[0.1, 0.06], 1000), variance / (1000.0 * 175.0 * 175.0), 1e-18, "variance");
}

#[test]
fn an_exclusive_order_lowers_the_odds_of_lower_levels() {
    let upper = odds_level(1, 100, 10);
    let lower = odds_level(1, 100, 4);
    let game = Jackpots { levels: vec![lower, upper], exclusive: vec![1, 0] };
    let found = chances(&bets(&[100], &[1]), &game, &[None, None]);
    close(found[0].as_ref().expect("known")[0], 0.225, 1e-15, "lower");
    close(found[1].as_ref().expect("known")[0], 0.1, 1e-15, "upper");
}

#[test]
fn unknown_symbols_stay_unknown_and_known_ones_are_odds() {
    let symbols = level(10, 20_000, Trigger::Symbols);
    let table = bets(&[100], &[1]);
    assert_eq!(expected(&table, &one(symbols.clone()), &[1000], &[20_000], &[None]), (vec![None], vec![None]));
    let (known, _) = expected(&table, &one(symbols), &[1_000_000], &[20_000], &[Some(1e-4)]);
    let known = known[0].as_ref().expect("known");
    close(known.paid, expect(reference(), 1_000_000).paid, 1e-6, "paid");
}

#[test]
fn a_level_is_the_sum_of_its_pools_and_skips_bets_that_are_not_eligible() {
    let table = bets(&[100, 400, 1000], &[3, 1, 1]);
    let level = Level {
        linked: false,
        eligible: vec![true, true, false],
        contributions: vec![10, 40, 0],
        hidden: vec![0; 3],
        seeds: vec![20_000, 80_000, 0],
        ..level(0, 0, Trigger::Odds { hits: vec![1, 1, 0], of: 10_000 })
    };
    let (levels, pools) = expected(&table, &one(level), &[300_000, 100_000, 100_000], &[20_000, 80_000, 0], &[None]);
    let [Some(low), Some(high), None] = &pools[..] else { panic!("two pools have a law") };
    let total = levels[0].as_ref().expect("known");
    close(total.paid, low.paid + high.paid, 1e-6, "paid");
    close(total.paid_sd, low.paid_sd.hypot(high.paid_sd), 1e-6, "SD of paid");
    close(low.rtp_seed + low.rtp_growth, 0.12, 1e-12, "RTP of a pool's own bets");
    close(total.rtp_seed + total.rtp_growth, 0.12 * 700.0 / 1700.0, 1e-12, "RTP of all bets");
    close(total.amount_mean, 0.75 * low.amount_mean + 0.25 * high.amount_mean, 1e-6, "amount");
}

#[test]
fn runs_of_any_length_stay_finite_and_in_order() {
    let laws = [
        odds_level(10, 20_000, 49_836_032),
        Level { caps: Some(vec![50_000]), ..odds_level(10, 20_000, 1_000) },
        Level { caps: Some(vec![50_000]), overflow: Overflow::NextSeed, ..odds_level(10, 20_000, 1_000) },
        must_hit_by(3, 350_000, 400_000, ThresholdLaw::Uniform),
        must_hit_by(3, 1_000_000_000, 400_000_000_000, ThresholdLaw::Uniform),
        must_hit_by(3, 350_000, 400_000, ThresholdLaw::AtCap),
    ];
    for law in laws {
        let mut last = 0.0;
        for spins in [0, 1, 10, 1_000, 1_000_000, 10_000_000_000] {
            let found = expect(law.clone(), spins);
            let figures = [found.hits, found.hits_sd, found.paid, found.paid_sd, found.accrued, found.accrued_sd];
            assert!(figures.iter().all(|figure| figure.is_finite() && *figure >= 0.0), "{law:?}, {spins}: {found:?}");
            assert!(found.paid >= last, "{law:?}: paid falls at {spins} spins");
            last = found.paid;
        }
    }
}
