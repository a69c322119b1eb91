//! The command as a user types it: files, exit codes, messages.

mod command;

use command::{ends, folder, jackpot, play, result};
use std::fs;

#[test]
fn a_run_prints_a_summary_of_80_columns_and_writes_its_files() {
    let folder = folder();
    let out = folder.path().join("run");
    let (text, _) = play("classic-hits", &out, &["--log-hits"]);
    assert!(text.contains("mini") && text.contains("RTP"), "{text}");
    let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:?}");
    let files =
        ["result.json", "run.json", "summary.json", "rtp.csv", "jackpots.csv", "payouts.csv", "convergence.csv"];
    for file in files.iter().chain(&["hits.csv"]) {
        assert!(out.join(file).is_file(), "{file}");
    }
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("summary.json")).expect("summary.json")).expect("JSON");
    assert!(summary.is_object());
}

#[test]
fn threads_and_shards_change_no_byte_of_the_result() {
    let folder = folder();
    for game in ["classic-hits", "cross-dock", "house"] {
        let at = |name: &str| folder.path().join(format!("{game}-{name}"));
        play(game, &at("whole"), &["--threads", "1"]);
        for threads in ["2", "3", "8"] {
            play(game, &at(threads), &["--threads", threads]);
            assert!(result(&at("whole")) == result(&at(threads)), "{game} on {threads} threads");
        }
        for count in [1, 3, 7] {
            let shards: Vec<_> = (1..=count).map(|index| at(&format!("shard-{index}-{count}"))).collect();
            for (shard, index) in shards.iter().zip(1..) {
                play(game, shard, &["--shard", &format!("{index}/{count}")]);
            }
            let merged = at(&format!("merged-{count}"));
            ends(jackpot().arg("merge").args(shards.iter().rev()).arg("--out").arg(&merged), 0);
            assert!(result(&at("whole")) == result(&merged), "{game} of {count} shards");
        }
    }
}

#[test]
fn merge_refuses_what_is_not_one_run_and_lists_what_is_missing() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    play("house", &at("1"), &["--shard", "1/3"]);
    play("house", &at("2"), &["--shard", "2/3"]);
    play("house", &at("other-seed"), &["--shard", "3/3", "--seed", "9"]);
    play("classic-hits", &at("other-game"), &["--shard", "3/3"]);
    let merge = |shards: &[&str], code| {
        let shards = shards.iter().map(|name| at(name));
        ends(jackpot().arg("merge").args(shards).arg("--out").arg(at("merged")), code).1
    };
    assert!(merge(&["1", "2"], 4).contains("3/3"));
    assert!(merge(&["1", "2", "other-seed"], 2).contains("rng seed"));
    assert!(merge(&["1", "2", "other-game"], 2).contains("game"));
    assert!(merge(&["1", "1"], 2).contains("twice"));
    fs::write(at("2").join("facts.bin"), b"changed").expect("a changed file");
    assert!(merge(&["1", "2"], 2).contains("facts.bin"));
    assert!(!at("merged").join("result.json").exists());
}

#[test]
fn report_renders_a_result_again_and_refuses_a_changed_one() {
    let folder = folder();
    let out = folder.path().join("run");
    let (summary, _) = play("double-diamond", &out, &[]);
    let (again, _) = ends(jackpot().arg("report").arg(&out), 0);
    assert_eq!(summary, again);
    for format in ["json", "csv", "md"] {
        assert!(!ends(jackpot().arg("report").arg(&out).args(["--format", format]), 0).0.is_empty(), "{format}");
    }
    let text = String::from_utf8(result(&out)).expect("UTF-8");
    fs::write(out.join("result.json"), text.replacen("\"hits\"", "\"hitz\"", 1)).expect("a changed file");
    let (_, error) = ends(jackpot().arg("report").arg(&out), 2);
    assert!(error.contains("result.json"), "{error}");
}

#[test]
fn an_existing_folder_is_refused_without_force() {
    let folder = folder();
    let out = folder.path().join("run");
    play("megabucks", &out, &[]);
    let before = result(&out);
    let again = ["run", "configs/megabucks.toml", "--spins", "1M", "--out"];
    let (_, error) = ends(jackpot().args(again).arg(&out), 2);
    assert!(error.contains("--force"), "{error}");
    assert_eq!(result(&out), before);
    ends(jackpot().args(again).arg(&out).arg("--force"), 0);
    assert_ne!(result(&out), before);
}

#[test]
fn a_bad_game_shows_every_finding_and_stops_no_other() {
    let folder = folder();
    let good = fs::read_to_string("configs/double-diamond-deluxe.toml").expect("a shipped game");
    let bad = good.replace("amounts", "amonts").replace("currency = \"USD\"", "currency = \"US\"");
    let path = folder.path().join("bad.toml");
    fs::write(&path, bad).expect("a bad game");
    let out = folder.path().join("out");
    let command = ["run", "configs/double-diamond-deluxe.toml", "--spins", "100k", "--out"];
    let (text, error) = ends(jackpot().args(command).arg(&out).arg(&path), 2);
    assert!(error.contains("amonts") && error.contains("amounts") && error.contains("US"), "{error}");
    assert!(text.contains("RTP"), "the good game is played: {text}");
    assert!(out.join("double-diamond-deluxe/result.json").is_file());
    assert!(!out.join("bad").exists());
    let (_, error) = ends(jackpot().arg("check").arg(folder.path().join("none.toml")), 2);
    assert!(error.contains("none.toml"), "{error}");
}

#[test]
fn options_that_contradict_each_other_are_refused_with_the_reason() {
    let folder = folder();
    let refused = |more: &[&str]| {
        let command = ["run", "configs/house.toml", "--out"];
        ends(jackpot().args(command).arg(folder.path().join("out")).args(more), 2).1
    };
    assert!(refused(&["--commit", "live", "--shard", "1/2"]).contains("live"));
    assert!(refused(&["--opening", "grnd=1.00"]).contains("grand"));
    assert!(refused(&["--opening", "mini=abc"]).contains("abc"));
    assert!(refused(&["--shard", "3/2"]).contains("i/n"));
    assert!(refused(&["--spins", "many"]).contains("100M"));
    assert!(refused(&["--spins", "1M", "--shard", "1/1000"]).contains("chunks"));
}

#[test]
fn an_opening_is_booked_and_a_live_run_balances() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    play("classic-hits", &at("seed"), &[]);
    play("classic-hits", &at("opened"), &["--opening", "mini=19.99"]);
    assert_ne!(result(&at("seed")), result(&at("opened")));
    play("cross-dock", &at("live"), &["--commit", "live", "--threads", "8"]);
}

#[test]
fn repeats_are_the_runs_of_their_rng_seeds() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    play("house", &at("repeat"), &["--repeat", "3", "--seed", "5"]);
    play("house", &at("first"), &["--seed", "5"]);
    assert_eq!(result(&at("repeat")), result(&at("first")));
    let rows = fs::read_to_string(at("repeat").join("repeats.csv")).expect("repeats.csv");
    let seeds: Vec<_> = rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap_or("")).collect();
    assert_eq!(seeds, ["5", "6", "7"]);
}

/// Every command of the README's tour, as a shell runs it, in a folder with the shipped games. Runs are shorter.
#[test]
fn the_tour_goes_as_the_readme_says() {
    let readme = fs::read_to_string("README.md").expect("the README");
    let (_, tour) = readme.split_once("## A tour").expect("the tour");
    let (tour, _) = tour.split_once("\n## ").expect("its end");
    let blocks: Vec<&str> =
        tour.split("```sh\n").skip(2).filter_map(|rest| rest.split_once("```")).map(|(block, _)| block).collect();
    assert!(blocks.len() >= 8, "{}", blocks.len());
    let folder = folder();
    let binary = assert_cmd::cargo::cargo_bin("jackpot");
    let mut script = format!("set -e\njackpot() {{ \"{}\" \"$@\"; }}\nmkdir reports\n", binary.display());
    for block in blocks {
        script += &block
            .replace("--spins 20M", "--spins 2M")
            .replace("--spins 40M", "--spins 4M")
            .replace("--spins 5M", "--spins 200k");
    }
    let copied = std::process::Command::new("cp").args(["-r", "configs"]).arg(folder.path()).status().expect("cp");
    assert!(copied.success());
    let output =
        std::process::Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().expect("bash");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}\n{told}");
    let said = String::from_utf8_lossy(&output.stdout);
    for part in
        ["every target is met", "✓ passed: rtp in 94.9%..95.1%", "mini.contribution:", "published figures agree"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("reports/sweep.csv")).expect("the rows").lines().count(), 16);
}

#[test]
fn make_follows_the_target_folder() {
    assert!(!fs::read_to_string("Makefile").expect("the Makefile").contains("target/release"));
}

#[test]
fn reels_that_return_more_than_is_staked_are_warned_of() {
    let folder = folder();
    let path = folder.path().join("generous.toml");
    let game = fs::read_to_string("configs/teaching-32.toml").expect("a shipped game");
    fs::write(&path, game.replace("S7 = [0, 0, 2000]", "S7 = [0, 0, 20000]")).expect("a game");
    let (text, error) = ends(jackpot().arg("check").arg(&path), 0);
    assert!(text.contains("1 warning") && error.contains("returns 148.17 % of what is staked"), "{text}{error}");
    let (text, error) = ends(jackpot().args(["check", "configs/teaching-32.toml"]), 0);
    assert!(!text.contains("warning") && error.is_empty(), "{text}{error}");
}

#[test]
fn exact_prints_a_sheet_of_80_columns_and_json_of_all_games() {
    let games = ["configs/cross-dock.toml", "configs/megabucks.toml"];
    let (text, _) = ends(jackpot().arg("exact").args(games), 0);
    let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:?}");
    assert!(text.contains("All 6 published figures agree") && text.contains("All 4 published figures agree"), "{text}");
    let (json, _) = ends(jackpot().arg("exact").args(games).args(["--format", "json"]), 0);
    let sheets: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(sheets.as_array().map(Vec::len), Some(2));
    assert_eq!(sheets[0]["payouts"].as_array().map(Vec::len), Some(1_291));
    let (csv, _) = ends(jackpot().arg("exact").args(games).args(["--format", "csv"]), 0);
    assert!(csv.starts_with("game,key,value") && csv.contains("megabucks,rtp,0.886186"), "{csv}");
    ends(jackpot().args(["exact", "configs/nowhere.toml"]), 2);
}
