//! The designer's commands as they are typed: tune, sweep, diff, metrics, assertions, changes to a game.

mod command;

use command::{ends, folder, jackpot, play};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// One level by odds, the example of docs/mathematics.md: R 1000, p 1e-4, a bet of 1.
const ONE_LEVEL: &str = r#"# a comment that stays
name = "One level"
currency = "USD"
source = "the arithmetic of one level: our own"

[bets]
amounts = [1.00]
mix = [1]
lines = 1

[outcomes]
rows = [[0, 9], [5, 1]]

[[jackpot]]
level = "grand"
contribution = "1%"    # to be tuned
seed = "1000.00"
pool = "linked"
trigger = { odds = 10_000 }
"#;

fn one_level(folder: &Path) -> PathBuf {
    let path = folder.join("one.toml");
    fs::write(&path, ONE_LEVEL).expect("a game file");
    path
}

fn tuned(game: &Path, arguments: &[&str], code: i32) -> serde_json::Value {
    let mut command = jackpot();
    command.arg("tune").arg(game).args(["--exact-only", "--quiet", "--format", "json"]).args(arguments);
    serde_json::from_str(&ends(&mut command, code).0).expect("JSON")
}

fn found(document: &serde_json::Value, place: usize) -> &str {
    document["values"][place]["found"].as_str().expect("a value")
}

#[test]
fn tune_solves_the_examples_of_jackpot_arithmetic() {
    let folder = folder();
    let game = one_level(folder.path());
    // c + R p / b = .12.
    let document = tuned(&game, &["--target", "grand.rtp=12%", "--vary", "grand.contribution"], 0);
    assert_eq!(found(&document, 0), "2%");
    // The cap for a mean of 1126.42, by the law of single spins and in its limit.
    for (metric, cap) in [("grand.amount_mean", "1199.98"), ("grand.amount_limit", "1199.99")] {
        let target = format!("{metric}=1126.42");
        let arguments =
            ["--set", "grand.contribution=2%", "--target", &target, "--vary", "grand.cap.at=1000.00..5000.00"];
        assert_eq!(found(&tuned(&game, &arguments, 0), 0), cap, "{metric}");
    }
    // A must-hit-by from 350 with .2 %: the bound for a coin-in a hit of 12,500.
    let arguments = ["--set", "grand.contribution=0.2%", "--set", "grand.seed=350.00"];
    let bound = ["--set", "grand.trigger={ must_hit_by = \"450.00\" }", "--vary", "grand.trigger.must_hit_by"];
    let document = tuned(&game, &[&arguments[..], &bound, &["--target", "grand.coin_in_limit=12_500"]].concat(), 0);
    assert_eq!(found(&document, 0), "400");
    // Days: 50,000 spins a day, every 40 days.
    let traffic =
        ["--set", "traffic.spins_per_day=50000", "--vary", "grand.trigger.odds", "--target", "grand.days_per_hit=40"];
    assert_eq!(found(&tuned(&game, &traffic, 0), 0), "2000000");
}

#[test]
fn tune_meets_three_targets_with_three_values_and_writes_the_game_with_its_comments() {
    let folder = folder();
    let game = one_level(folder.path());
    let out = folder.path().join("tuned.toml");
    let vary = ["--vary", "grand.contribution", "--vary", "grand.seed", "--vary", "grand.trigger.odds"];
    let target = ["--target", "rtp=60%", "--target", "grand.rtp_seed=4%", "--target", "grand.coin_in=40_000"];
    let document = tuned(&game, &[&vary[..], &target, &["--out", out.to_str().expect("a path")]].concat(), 0);
    // .5 of the table + .04 of seeds + .06 of growth; 40,000 spins x .04 = a seed of 1,600.
    assert_eq!([found(&document, 0), found(&document, 1), found(&document, 2)], ["6%", "1600", "40000"]);
    let expected = ONE_LEVEL
        .replace("\"1%\"", "\"6%\"")
        .replace("\"1000.00\"", "\"1600\"")
        .replace("odds = 10_000", "odds = 40000");
    assert_eq!(fs::read_to_string(&out).expect("the tuned game"), expected);
    let (_, told) = ends(jackpot().arg("tune").arg(&game).args(vary).args(target).arg("--out").arg(&out), 2);
    assert!(told.contains("--force"), "{told}");
    ends(jackpot().arg("check").arg(&out), 0);
}

#[test]
fn tune_checks_what_it_found_by_a_run() {
    let folder = folder();
    let game = one_level(folder.path());
    let arguments = ["--target", "grand.rtp=12%", "--vary", "grand.contribution", "--spins", "20M", "--format", "json"];
    let (text, _) = ends(jackpot().arg("tune").arg(&game).args(arguments), 0);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let target = &document["targets"][0];
    let (low, high) = (target["simulated_interval_95"][0].as_f64(), target["simulated_interval_95"][1].as_f64());
    // Within twice the 95 % interval of a fixed rng seed.
    let (low, high) = (low.expect("an end"), high.expect("an end"));
    let reach = high - low;
    assert!(low - reach < 0.12 && 0.12 < high + reach && reach < 0.02, "{text}");
}

#[test]
fn tune_finds_what_only_runs_can_tell_the_same_on_any_number_of_threads() {
    let folder = folder();
    let game = one_level(folder.path());
    let arguments = [
        "--target",
        "share(grand.liability > 300) = 30%",
        "--vary",
        "grand.contribution=0.1%..20%",
        "--spins",
        "100k",
        "--repeat",
        "60",
        "--quiet",
        "--format",
        "json",
    ];
    let find = |threads: &str| ends(jackpot().arg("tune").arg(&game).args(arguments).args(["--threads", threads]), 0).0;
    let one = find("1");
    assert_eq!(one, find("3"));
    let document: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    let share = document["targets"][0]["found"].as_f64().expect("a share");
    assert!((share - 0.3).abs() < 0.02, "{one}");
    // The growth of a level with G = c / p exceeds 300 with probability e^(-300 / G): .3 at c 2.5 %.
    let rate: f64 = found(&document, 0).trim_end_matches('%').parse().expect("a rate");
    assert!((1.5..4.0).contains(&rate), "{rate}");
}

#[test]
fn an_infeasible_target_says_what_binds_and_what_is_nearest() {
    let folder = folder();
    let game = one_level(folder.path());
    let document = tuned(&game, &["--target", "rtp=40%", "--vary", "grand.contribution"], 1);
    let binding = document["binding"].as_str().expect("a reason");
    assert!(binding.contains("grand.contribution would have to go beyond 0% to 100%"), "{binding}");
    assert_eq!((found(&document, 0), &document["feasible"]), ("0%", &false.into()));
    // A cap below the seed is no game.
    let cap = ["--target", "grand.amount_mean=900", "--vary", "grand.cap.at=0.00..5000.00"];
    let binding = tuned(&game, &cap, 1)["binding"].as_str().expect("a reason").to_owned();
    assert!(binding.contains("beyond this grand.cap.at there is no game"), "{binding}");
}

#[test]
fn all_that_keeps_a_search_from_starting_is_told_at_once() {
    let folder = folder();
    let game = one_level(folder.path());
    let arguments = ["--target", "grand.rtb=12%", "--vary", "grand.cap.at", "--vary", "grnd.seed=1..2"];
    let (_, told) = ends(jackpot().arg("tune").arg(&game).args(arguments), 2);
    for part in
        ["did you mean grand.rtp?", "grand.cap.at: the game has no single value there", "1 --target and 2 --vary"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn assertions_pass_fail_or_are_undecided() {
    let folder = folder();
    let game = one_level(folder.path());
    let exact = |assertion: &str, code| ends(jackpot().arg("exact").arg(&game).args(["--assert", assertion]), code);
    exact("rtp in 61%..61%", 0);
    assert!(exact("rtp < 61%", 1).0.contains("FAILED"), "a bound that is met exactly is not below it");
    assert!(exact("rtb < 61%", 2).1.contains("did you mean rtp?"));
    let out = folder.path().join("run");
    let run = |assertion: &str, code| {
        let mut command = jackpot();
        command.arg("run").arg(&game).args(["--spins", "20k", "--force", "--quiet", "--out"]).arg(&out);
        ends(command.args(["--assert", assertion]), code)
    };
    run("base in 40%..60%", 0);
    run("base > 70%", 1);
    assert!(run("grand.amuont_mean > 1", 2).1.contains("did you mean grand.amount_mean?"));
    // Two hits are expected in 20,000 spins, so that the amount has no interval, and RTP a wide one.
    run("grand.rtp in 0%..100%", 4);
    assert!(run("base > 50%", 4).0.contains("straddles"));
    let never = ["--set", "grand.trigger.odds=1_000_000_000"];
    let mut command = jackpot();
    command.arg("run").arg(&game).args(never).args(["--spins", "20k", "--force", "--quiet", "--out"]).arg(&out);
    let (text, _) = ends(command.args(["--assert", "grand.amount_mean > 0"]), 4);
    assert!(text.contains("nothing was seen that could tell it"), "{text}");
}

#[test]
fn an_unknown_metric_is_refused_before_anything_is_played() {
    let folder = folder();
    let out = folder.path().join("run");
    let arguments = ["run", "configs/house.toml", "--spins", "10T", "--quiet", "--assert", "grand.amuont > 1", "--out"];
    let (_, told) = ends(jackpot().args(arguments).arg(&out), 2);
    assert!(told.contains("there is no metric") && told.contains("did you mean"), "{told}");
}

#[test]
fn verdicts_are_written_once_and_report_judges_again() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (junit, json) = (at("junit.xml"), at("verdicts.json"));
    play("house", &at("run"), &[]);
    let report = |more: &[&str], code| {
        let mut command = jackpot();
        command.arg("report").arg(at("run")).args(["--assert", "base in 70%..76%", "--assert", "base > 90%"]);
        ends(command.arg("--junit").arg(&junit).arg("--verdicts").arg(&json).args(more), code)
    };
    let (text, _) = report(&[], 1);
    assert!(text.contains("1 passed, 1 failed, 0 undecided"), "{text}");
    assert!(fs::read_to_string(&junit).expect("junit").contains("tests=\"2\" failures=\"1\" errors=\"0\""));
    let document: serde_json::Value = serde_json::from_slice(&fs::read(&json).expect("json")).expect("JSON");
    assert_eq!((&document["failed"], &document["verdicts"][0]["verdict"]), (&1.into(), &"pass".into()));
    assert!(report(&[], 2).1.contains("--force"));
    report(&["--force"], 1);
}

#[test]
fn figures_of_several_runs_are_asserted_and_read_again() {
    let folder = folder();
    let out = folder.path().join("repeat");
    let assertion = ["--assert", "mean(rtp) in 80%..110%", "--assert", "share(rtp > 300%) < 50%"];
    play("house", &out, &[&["--repeat", "5"][..], &assertion].concat());
    let (text, _) = ends(jackpot().arg("report").arg(&out).args(assertion), 0);
    assert!(text.contains("2 passed"), "{text}");
    let (_, told) = ends(jackpot().arg("report").arg(out.join("result.json")).args(["--assert", "p99(rtp) < 2"]), 2);
    assert!(told.contains("--repeat"), "{told}");
}

#[test]
fn every_listed_metric_can_be_asked_for() {
    for game in ["house", "cross-dock", "lobstermania"] {
        let path = format!("configs/{game}.toml");
        let (text, _) = ends(jackpot().args(["metrics", &path, "--format", "json"]), 0);
        let list: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
        assert!(list.len() > 20);
        let names = |of_a_run: bool| {
            let chosen = list.iter().filter(move |row| (row["exact_value"] == "of a run") == of_a_run);
            chosen.map(|row| format!("{} > -1", row["name"].as_str().expect("a name")))
        };
        let exact: Vec<String> = names(false).flat_map(|assertion| ["--assert".to_owned(), assertion]).collect();
        let mut command = jackpot();
        let output = command.args(["exact", &path]).args(exact).output().expect("it runs");
        assert!([0, 4].contains(&output.status.code().expect("a code")), "{}", String::from_utf8_lossy(&output.stderr));
        let folder = folder();
        // Only some levels have a reserve.
        let run: Vec<String> = names(true)
            .filter(|name| !name.contains(".reserve "))
            .flat_map(|assertion| ["--assert".to_owned(), assertion])
            .collect();
        let mut command = jackpot();
        command.args(["run", &path, "--spins", "100k", "--quiet", "--out"]).arg(folder.path()).args(run);
        let output = command.output().expect("it runs");
        assert!(
            [0, 1, 4].contains(&output.status.code().expect("a code")),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn a_changed_value_is_that_of_a_changed_file_and_wrong_ones_are_told_alike() {
    let folder = folder();
    let game = one_level(folder.path());
    let changed = folder.path().join("changed.toml");
    fs::write(&changed, ONE_LEVEL.replace("\"1%\"", "\"2%\"")).expect("a game file");
    let sheet = |arguments: &[&str], path: &Path| {
        ends(jackpot().arg("exact").arg(path).args(["--format", "csv"]).args(arguments), 0).0
    };
    let with_set = sheet(&["--set", "grand.contribution=2%"], &game);
    assert_eq!(with_set.replace("one,", "changed,"), sheet(&[], &changed));
    let (_, told) =
        ends(jackpot().arg("check").arg(&game).args(["--set", "grand.contribution=200%", "--set", "x.y=1"]), 2);
    assert!(told.contains("there is no level or section `x`"), "{told}");
    let (_, told) = ends(jackpot().arg("check").arg(&game).args(["--set", "grand.contribution=200%"]), 2);
    assert!(told.contains("rate-range") && told.contains("with grand.contribution=200%"), "{told}");
}

fn sweep(out: &Path, more: &[&str]) -> assert_cmd::Command {
    let mut command = jackpot();
    command.args(["sweep", "configs/house.toml", "--quiet", "--out"]).arg(out).args(more);
    command
}

#[test]
fn a_row_of_a_sweep_is_the_run_of_its_values() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let vary =
        ["--vary", "grand.contribution=0.1%..0.3%:0.1%", "--vary", "mini.trigger.odds=500,2000", "--spins", "600k"];
    ends(&mut sweep(&at("sweep.csv"), &[&vary[..], &["--threads", "1"]].concat()), 0);
    ends(&mut sweep(&at("again.csv"), &[&vary[..], &["--threads", "3"]].concat()), 0);
    let text = fs::read_to_string(at("sweep.csv")).expect("the rows");
    assert_eq!(text, fs::read_to_string(at("again.csv")).expect("the rows"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 6);
    let cell = |row: usize, name: &str| {
        let column = header.iter().position(|column| column == name).unwrap_or_else(|| panic!("{name}"));
        rows[row][column].parse::<f64>().expect("a number")
    };
    play("house", &at("run"), &["--set", "grand.contribution=0.2%", "--set", "mini.trigger.odds=2000"]);
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(at("run").join("summary.json")).expect("a summary")).expect("JSON");
    assert_eq!(Some(cell(3, "rtp")), summary["total_rtp_paid_share"].as_f64());
    assert_eq!(Some(cell(3, "mini.hits")), summary["level_mini_hits"].as_f64());
    let changes = ["--set", "grand.contribution=0.2%", "--set", "mini.trigger.odds=2000"];
    let (sheet, _) = ends(jackpot().args(["exact", "configs/house.toml", "--format", "csv"]).args(changes), 0);
    let exact = sheet.lines().find_map(|line| line.strip_prefix("house,rtp,")).expect("the whole game");
    assert_eq!(cell(3, "exact rtp").to_string(), exact.split(',').next().expect("a value"));
}

#[test]
fn a_bad_point_has_its_error_and_the_others_their_figures() {
    let folder = folder();
    let out = folder.path().join("sweep.jsonl");
    let vary = ["--vary", "grand.contribution=0.1%,200%,0.3%", "--exact-only"];
    let (_, told) = ends(&mut sweep(&out, &vary), 2);
    assert!(told.contains("rate-range"), "{told}");
    let rows: Vec<serde_json::Value> = fs::read_to_string(&out)
        .expect("the rows")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 3);
    assert!(rows[1]["error"].is_string() && rows[1]["exact"].is_null());
    assert!(rows[2]["exact"]["rtp"].is_number() && rows[2]["set"][0] == "0.3%");
}

#[test]
fn a_sweep_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let vary =
        ["--vary", "grand.contribution=0.001%..0.4%:0.001%", "--vary", "mini.trigger.odds=500,0,2000", "--exact-only"];
    ends(&mut sweep(&at("whole.csv"), &vary), 2);
    let whole = fs::read(at("whole.csv")).expect("the rows");
    let out = at("killed.csv");
    let mut kills = 0;
    for round in 0..20u64 {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("jackpot"))
            .args(["sweep", "configs/house.toml", "--quiet", "--resume", "--out"])
            .arg(&out)
            .args(vary)
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        std::thread::sleep(Duration::from_millis(30 + round * 7919 % 130));
        kills += usize::from(child.try_wait().expect("its state").is_none());
        child.kill().expect("it can be killed");
        child.wait().expect("its end");
        if out.exists() {
            let there = fs::read(&out).expect("the rows");
            assert!(whole.starts_with(&there), "round {round}: rows that are not those of the whole sweep");
            // A power failure may leave a part of a row: cut one off.
            if round % 3 == 0 && there.len() > 10 {
                fs::write(&out, &there[..there.len() - 7]).expect("a cut file");
            }
        }
    }
    assert!(kills > 0, "every sweep was over before it was killed");
    ends(&mut sweep(&out, &[&vary[..], &["--resume"]].concat()), 2);
    assert!(fs::read(&out).expect("the rows") == whole);
}

#[test]
fn a_sweep_goes_on_only_with_its_own_file() {
    let folder = folder();
    let out = folder.path().join("sweep.csv");
    let vary =
        |step: &str| ["--vary".to_owned(), format!("grand.contribution=0.1%..0.2%:{step}"), "--exact-only".to_owned()];
    let go = |step: &str, more: &[&str], code| {
        let vary = vary(step);
        let vary: Vec<&str> = vary.iter().map(String::as_str).collect();
        ends(&mut sweep(&out, &[&vary[..], more].concat()), code).1
    };
    go("0.02%", &[], 0);
    assert!(go("0.02%", &[], 2).contains("--resume"));
    assert!(go("0.01%", &["--resume"], 2).contains("not of this sweep"));
    assert!(go("0.1%", &["--resume"], 2).contains("6 rows, the grid 2 points"));
    let text = fs::read_to_string(&out).expect("the rows");
    fs::write(&out, text.replacen(",0.95", ",0.94", 1)).expect("a changed file");
    assert!(go("0.02%", &["--resume"], 2).contains("other values or figures"));
    go("0.02%", &["--force"], 0);
    assert_eq!(fs::read_to_string(&out).expect("the rows"), text);
}

#[test]
fn diff_tells_what_changed_and_what_is_noise() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let game = one_level(folder.path());
    let other = at("other.toml");
    fs::write(&other, ONE_LEVEL.replace("\"1%\"", "\"2%\"")).expect("a game file");
    let json = |a: &Path, b: &Path| -> serde_json::Value {
        let (text, _) = ends(jackpot().arg("diff").arg(a).arg(b).args(["--format", "json"]), 0);
        serde_json::from_str(&text).expect("JSON")
    };
    let document = json(&game, &other);
    assert_eq!(document["changes"][0]["what"], "grand.contribution");
    let verdict = |document: &serde_json::Value, name: &str| {
        let figures = document["figures"].as_array().expect("figures").iter();
        let own = figures.clone().find(|figure| figure["name"] == name).unwrap_or_else(|| panic!("{name}"));
        (own["verdict"].as_str().expect("a verdict").to_owned(), own["paired"] == true)
    };
    assert_eq!(verdict(&document, "rtp"), ("differs".into(), false));
    assert_eq!(verdict(&document, "base"), ("same".into(), false));
    let run = |game: &Path, out: &Path, seed: &str| {
        let arguments = ["--spins", "20M", "--quiet", "--seed", seed, "--out"];
        ends(jackpot().arg("run").arg(game).args(arguments).arg(out), 0);
    };
    run(&game, &at("a"), "1");
    run(&other, &at("b"), "1");
    run(&game, &at("c"), "2");
    let paired = json(&at("a"), &at("b"));
    assert_eq!(verdict(&paired, "rtp"), ("differs".into(), true));
    assert_eq!(verdict(&paired, "base").0, "same");
    let noise = json(&at("a"), &at("c"));
    assert_eq!(verdict(&noise, "rtp"), ("within_noise".into(), false));
    assert_eq!(noise["changes"][0]["what"], "rng seed");
    assert!(ends(jackpot().arg("diff").arg(at("a")).arg(&game), 2).1.contains("one is a game file"));
    let euro = at("euro.toml");
    fs::write(&euro, ONE_LEVEL.replace("USD", "EUR")).expect("a game file");
    assert!(ends(jackpot().arg("diff").arg(&game).arg(&euro), 2).1.contains("one currency"));
    assert!(ends(jackpot().arg("diff").arg(&game).arg(at("nowhere")), 2).1.contains("is not there"));
}

#[test]
fn traffic_turns_spins_into_days() {
    let folder = folder();
    let game = one_level(folder.path());
    let traffic = ["--set", "traffic.spins_per_day=50000", "--set", "traffic.from=2027-01-01"];
    let (sheet, _) = ends(jackpot().arg("exact").arg(&game).args(traffic), 0);
    // 1 in 10,000 spins: a fifth of a day; 95 % within 2.9957 x as long.
    assert!(sheet.contains("grand: every 4.8 hours, 95 % within 14 hours"), "{sheet}");
    // Growth of c (1 - p) / p = 99.99 is owed on average.
    assert!(sheet.contains("USD 99.99 after 30 days") && sheet.contains("(2027-01-31)"), "{sheet}");
    let out = folder.path().join("run");
    let mut command = jackpot();
    command.arg("run").arg(&game).args(traffic).args(["--spins", "5M", "--quiet", "--out"]).arg(&out);
    let (text, _) = ends(&mut command, 0);
    assert!(text.contains("the run is 100 days at 50,000 spins a day, to 2027-04-11"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let rows = fs::read_to_string(out.join("jackpots.csv")).expect("jackpots.csv");
    assert!(rows.lines().next().expect("a header").contains("days_per_hit,days_between_95_percent"));
    let (_, told) = ends(jackpot().arg("exact").arg(&game).args(["--assert", "grand.days_per_hit < 1"]), 2);
    assert!(told.contains("[traffic]"), "{told}");
}
