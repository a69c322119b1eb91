//! Goal: a 95 % interval covers the exact value in 95 % of runs. Method: repeats at different rng seeds of a game with
//! mixed bets on real reels; 200 in the tests, 1,000 and a narrower bound with `JACKPOT_SOAK=1`.

use jackpot::cli::result;
use jackpot::config;
use jackpot::exact::base::BaseFigures;
use jackpot::report::view::View;
use jackpot::report::view::parts::Share;
use jackpot::sim::{Commit, Options, Plan, Silent, run};
use std::collections::BTreeMap;
use std::path::Path;

const SPINS: u64 = 150_000;

/// Levels of every law whose interval is one; bets in a mix.
const LEVELS: &str = r#"
[[jackpot]]
level = "odds"
contribution = "1%"
seed = "20 x bet"
pool = "per bet"
trigger = { odds = 400 }

[[jackpot]]
level = "linked"
contribution = "0.8%"
seed = "25.00"
pool = "linked"
trigger = { odds = 1_500, per = "1.00" }

[[jackpot]]
level = "mystery"
contribution = "1%"
seed = "5 x bet"
pool = "per bet"
trigger = { must_hit_by = "15 x bet" }
"#;

#[test]
fn intervals_cover_the_exact_value_as_often_as_they_say() {
    let soak = std::env::var_os("JACKPOT_SOAK").is_some();
    let (repeats, allowed) = if soak { (1_000, 0.02) } else { (200, 0.06) };
    let text = std::fs::read_to_string("configs/cleopatra.toml").expect("a shipped game");
    let (reels, _) = text.split_once("[published]").expect("published figures");
    let read = |path: &str| std::fs::read_to_string(Path::new("configs").join(path));
    let model = config::parse("calibration", &format!("{reels}{LEVELS}"), &read).expect("a good game");
    let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
    let mut covered: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 1..=repeats {
        let plan = Plan::new(seed, SPINS);
        let options = Options { threads: 2, ..Options::default() };
        let played = run(&model.game, &model.jackpots, &plan, options, &Silent).expect("a run");
        let result = result(&model, &base, &plan, Commit::Ordered, None, played);
        let view = View::new(&result);
        let mut judge = |name: String, share: &Share| {
            let (value, half) = (share.value.expect("a value"), share.half_width.expect("an interval"));
            let expected = share.expected.unwrap_or_else(|| panic!("{name} has an exact value"));
            *covered.entry(name).or_insert(0) += u32::from((value - expected).abs() <= half);
        };
        judge("base".into(), &view.parts.base.paid);
        judge("features".into(), &view.parts.features.paid);
        judge("base and features".into(), &view.parts.base_and_features.paid);
        for (level, part) in view.levels.iter().zip(&view.parts.levels) {
            judge(format!("{} paid", level.record.name), &part.paid);
            judge(format!("{} accrued", level.record.name), &part.accrued);
        }
        judge("total".into(), &view.parts.total.paid);
    }
    assert_eq!(covered.len(), 10, "{covered:?}");
    for (name, times) in covered {
        let share = f64::from(times) / repeats as f64;
        println!("{name}: {:.1} %", share * 100.0);
        assert!((share - 0.95).abs() <= allowed, "{name}: covered in {:.1} % of {repeats} runs", share * 100.0);
    }
}
