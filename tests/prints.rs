//! What commands print, for people and for programs.

mod command;

use command::{ends, folder, jackpot, play};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Two small bets; `MORE` stands for levels.
const GAME: &str = r#"
name = "Small bets"
currency = "USD"
source = "ours"

[bets]
amounts = [FIRST, SECOND]
lines = 1

[outcomes]
rows = [[0, 3], [2, 1]]
MORE"#;

/// A must-hit-by that a likely level often defers.
const DEFERRED: &str = r#"
[jackpots]
exclusive = ["mini", "mhb"]

[[jackpot]]
level = "mini"
contribution = "1%"
seed = "0.10"
pool = "linked"
trigger = { odds = 2 }

[[jackpot]]
level = "mhb"
contribution = "5%"
seed = "1.00"
pool = "linked"
trigger = { must_hit_by = "1.10" }
"#;

/// A level that the reels trigger.
const SYMBOLS: &str = r#"
[[jackpot]]
level = "stars"
contribution = "1%"
seed = "10.00"
pool = "linked"
trigger = { symbols = { scatter = "star", from = 3 } }
"#;

fn write_game(path: &Path, bets: [&str; 2], more: &str) {
    let game = GAME.replace("FIRST", bets[0]).replace("SECOND", bets[1]).replace("MORE", more);
    fs::write(path, game).expect("a game");
}

fn print(games: &[&str], out: &Path, more: &[&str]) -> String {
    let games = games.iter().map(|game| format!("configs/{game}.toml"));
    ends(jackpot().arg("run").args(games).args(["--spins", "200k", "--quiet", "--out"]).arg(out).args(more), 0).0
}

fn rows(text: &str) -> Vec<Vec<csv::StringRecord>> {
    let read =
        |table: &str| csv::Reader::from_reader(table.as_bytes()).records().map(|row| row.expect("a row")).collect();
    text.split("\n\n").map(read).collect()
}

#[test]
fn several_games_are_one_json_array_and_one_is_an_object() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let one: serde_json::Value =
        serde_json::from_str(&print(&["house"], &at("one"), &["--format", "json"])).expect("one object");
    assert!(one.is_object());
    let two: serde_json::Value =
        serde_json::from_str(&print(&["house", "megabucks"], &at("two"), &["--format", "json"])).expect("one array");
    assert_eq!(two.as_array().expect("an array").len(), 2);
    assert_eq!(two[0], one);
    let repeats = print(&["house", "megabucks"], &at("repeats"), &["--format", "json", "--repeat", "2"]);
    let repeats: serde_json::Value = serde_json::from_str(&repeats).expect("one array");
    assert_eq!(repeats[1]["runs"], 2);
    let (text, _) = ends(jackpot().args(["run", "none.toml", "no.toml", "--format", "json"]), 2);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("an array"), serde_json::json!([]));
}

#[test]
fn several_games_share_each_csv_table() {
    let folder = folder();
    let text = print(&["house", "sizzling", "megabucks"], &folder.path().join("out"), &["--format", "csv"]);
    let tables = rows(&text);
    assert_eq!(tables.len(), 2, "rtp and jackpots");
    let games = |table: &[csv::StringRecord]| table.iter().map(|row| row[0].to_owned()).collect::<HashSet<_>>();
    assert_eq!(games(&tables[0]).len(), 3);
    // Sizzling has no levels.
    assert_eq!(games(&tables[1]), HashSet::from(["house".to_owned(), "megabucks".to_owned()]));
    let header = |game: &str| {
        let file = fs::read_to_string(folder.path().join("out").join(game).join("jackpots.csv")).expect("jackpots.csv");
        file.lines().next().expect("a header").to_owned()
    };
    assert_eq!(header("sizzling"), header("house"));
}

#[test]
fn keys_of_the_summary_have_no_blanks() {
    let folder = folder();
    let text = print(&["cleopatra", "lobstermania"], &folder.path().join("out"), &["--format", "json"]);
    let games: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&text).expect("an array");
    let plain =
        |key: &String| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    for game in &games {
        assert!(game.keys().all(plain), "{:?}", game.keys().find(|key| !plain(key)));
    }
    assert!(games[0].contains_key("feature_free_spins_triggers"), "{:?}", games[0].keys());
}

#[test]
fn repeats_fit_80_columns_and_are_shown_again_by_report() {
    let folder = folder();
    let out = folder.path().join("out");
    for format in ["table", "md", "csv", "json"] {
        let text = print(&["house"], &out, &["--repeat", "3", "--force", "--format", format]);
        let (again, _) = ends(jackpot().arg("report").arg(&out).args(["--format", format]), 0);
        assert!(again.starts_with(&text), "{format}: {text}\n{again}");
        if format == "table" {
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            assert!(text.contains("mini: RTP, %") && text.contains("expected") && !text.contains("_share"), "{text}");
            assert!(text.contains("3 runs of 200,000 spins"), "{text}");
            assert!(again.contains("── Ledger"), "the first run follows: {again}");
        }
    }
    let (single, _) = ends(jackpot().arg("report").arg(out.join("result.json")), 0);
    assert!(!single.contains("3 runs of"), "{single}");
}

#[test]
fn bets_below_the_minor_unit_are_shown_exactly() {
    let folder = folder();
    let path = folder.path().join("small.toml");
    write_game(&path, ["0.045", "0.0475"], "");
    let command = ["--spins", "200k", "--quiet", "--out"];
    let (text, _) = ends(jackpot().arg("run").arg(&path).args(command).arg(folder.path().join("out")), 0);
    for words in ["0.045 USD", "0.0475 USD"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
    assert!(text.contains("(1 line)"), "{text}");
}

#[test]
fn an_approximate_expectation_raises_no_alarm() {
    let folder = folder();
    let path = folder.path().join("small.toml");
    write_game(&path, ["0.05", "0.10"], DEFERRED);
    let command = ["--spins", "2M", "--quiet", "--out"];
    let out = folder.path().join("out");
    let (text, _) = ends(jackpot().arg("run").arg(&path).args(command).arg(&out), 0);
    assert!(!text.contains("far from expectation") && text.contains("is approximate"), "{text}");
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("summary.json")).expect("summary.json")).expect("JSON");
    assert_eq!(summary["far_from_expectation_count"], 0);
    assert_eq!(summary["level_mhb_verdict"], "approximate");
    let z = summary["level_mhb_hits_z"].as_f64().expect("a score");
    assert!(z.abs() > 4.0, "the deferral that is neglected shows: {z}");
}

#[test]
fn an_opening_stands_in_the_result_and_in_the_summary() {
    let folder = folder();
    let out = folder.path().join("out");
    let (text, _) = play("house", &out, &["--opening", "grand=12500.00"]);
    assert!(text.contains("opened apart from the seeds, USD: grand 12,500.00"), "{text}");
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(out.join(name)).expect("a file")).expect("JSON")
    };
    assert!(read("result.json")["plan"]["openings"].as_array().is_some_and(|pools| pools.len() == 16));
    assert_eq!(read("summary.json")["opened_pools"], 1);
}

#[test]
fn a_run_has_no_more_threads_than_chunks() {
    let folder = folder();
    let out = folder.path().join("out");
    play("megabucks", &out, &["--threads", "1000"]);
    let run: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("run.json")).expect("run.json")).expect("JSON");
    assert_eq!(run["threads"], 10, "600,000 spins are 10 chunks");
    let (_, error) = ends(jackpot().args(["run", "configs/house.toml", "--threads", "20000"]), 2);
    assert!(error.contains("1024"), "{error}");
}

#[test]
fn an_amount_that_is_no_decimal_is_rounded_and_its_unit_a_fraction() {
    let folder = folder();
    let (text, _) = play("cross-dock", &folder.path().join("out"), &[]);
    assert!(text.contains("1/55,000"), "{text}");
}

#[test]
fn a_level_that_the_reels_trigger_has_an_exact_expectation() {
    let folder = folder();
    fs::create_dir(folder.path().join("strips")).expect("a folder");
    for entry in fs::read_dir("configs/strips").expect("strips") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.path().join("strips").join(path.file_name().expect("a name"))).expect("a copy");
    }
    let game = fs::read_to_string("configs/sizzling.toml").expect("a shipped game");
    let path = folder.path().join("stars.toml");
    let (before, published) = game.split_once("[published]").expect("published figures");
    fs::write(&path, format!("{before}{SYMBOLS}\n[published]{published}")).expect("a game");
    let out = folder.path().join("out");
    let (text, _) = ends(jackpot().arg("run").arg(&path).args(["--spins", "1M", "--quiet", "--out"]).arg(&out), 0);
    assert!(!text.contains("estimated from the hits of this run"), "{text}");
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("summary.json")).expect("summary.json")).expect("JSON");
    for part in ["level_stars", "jackpots", "total"] {
        assert!(summary[format!("{part}_rtp_paid_half_width_95_share")].is_number(), "{part}");
        assert!(summary[format!("{part}_rtp_paid_expected_share")].is_number(), "{part}");
        assert_eq!(summary[format!("{part}_rtp_paid_half_width_is_estimated")], false, "{part}");
    }
}
