use jackpot::{config, sim::*};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let model = match config::load(std::path::Path::new(&args[1])) {
        Ok(m) => m,
        Err(e) => {
            println!("{e:?}");
            return;
        }
    };
    let t: usize = args[3].parse().unwrap();
    let live = args.len() > 4;
    let spins: f64 = args[2].parse().unwrap();
    let t0 = Instant::now();
    let c = compiled::Compiled::new(&model.game, &model.jackpots, 65536);
    let build = t0.elapsed();
    if let compiled::Base::Reels(d) = &c.base {
        println!("build {build:?} edges {} cycle {}", d.edge_count(), d.cycle());
    }
    let mut times = vec![];
    for n in [spins, spins * 3.0] {
        let plan = Plan::new(1, n as u64);
        let t0 = Instant::now();
        let r = run(
            &model.game,
            &model.jackpots,
            &plan,
            Options { threads: t, commit: if live { Commit::Live } else { Commit::Ordered }, ..Default::default() },
            &Silent,
        )
        .unwrap();
        times.push(t0.elapsed().as_secs_f64());
        let paid: u128 = r
            .base
            .base_by_bet
            .iter()
            .zip(&model.game.bets.amounts)
            .map(|(r, a)| r * *a as u128 / model.game.return_scale as u128)
            .sum();
        let f: u128 = r
            .base
            .features_by_bet
            .iter()
            .zip(&model.game.bets.amounts)
            .map(|(r, a)| r * *a as u128 / model.game.return_scale as u128)
            .sum();
        let w: u128 =
            r.base.spins_by_bet.iter().zip(&model.game.bets.amounts).map(|(r, a)| *r as u128 * *a as u128).sum();
        println!(
            "{:.3}s base {:.4}% feat {:.4}% hitf {:.5}",
            times.last().unwrap(),
            100.0 * paid as f64 / w as f64,
            100.0 * f as f64 / w as f64,
            r.base.hits_base as f64 / r.spins_done as f64
        );
        if n > spins {
            let mut k = 0;
            for l in &model.jackpots.levels {
                let mut p = 0u128;
                let mut h = 0;
                for _ in 0..l.pool_count() {
                    let t = &r.pools[k];
                    assert_eq!(t.residue(), 0);
                    assert_eq!(t.reserve_residue(), 0);
                    p += t.paid;
                    h += t.hits;
                    k += 1
                }
                println!("{} hits {h} rtp {:.4}%", l.name, 100.0 * p as f64 / w as f64);
            }
        }
    }
    println!(
        "ns/spin on difference: {:.2} (x threads {:.2})",
        (times[1] - times[0]) / (2.0 * spins) * 1e9,
        (times[1] - times[0]) / (2.0 * spins) * 1e9 * t as f64
    );
}
