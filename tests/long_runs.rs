//! Runs that are killed and gone on with, and runs that end at a narrow interval.

mod command;

use command::{contents, ends, folder, jackpot, play, result};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const SPINS: &str = "60M";

fn long(game: &str, out: &Path, more: &[&str]) -> assert_cmd::Command {
    let mut command = jackpot();
    command.args(["run", &format!("configs/{game}.toml"), "--quiet", "--force", "--out"]).arg(out).args(more);
    command
}

/// Starts a run and kills it after a while; whether it was still at work.
fn kill(game: &str, out: &Path, arguments: &[&str], after: u64) -> bool {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("jackpot"))
        .args(["run", &format!("configs/{game}.toml"), "--quiet", "--force", "--out"])
        .arg(out)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command runs");
    std::thread::sleep(Duration::from_millis(after));
    let at_work = child.try_wait().expect("its state").is_none();
    child.kill().expect("it can be killed");
    child.wait().expect("its end");
    at_work
}

/// All files but the one that differs from machine to machine.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    contents(folder).into_iter().filter(|(name, _)| name != "run.json").collect()
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let file = at("kept");
    let (mut kills, mut resumed) = (0, 0);
    for (game, extra) in [("house", &["--log-hits"][..]), ("cross-dock", &[])] {
        ends(&mut long(game, &at("whole"), &[&["--spins", SPINS][..], extra].concat()), 0);
        for round in 0..10u64 {
            let threads = (1 + round % 3).to_string();
            let own = ["--spins", SPINS, "--threads", &threads, "--checkpoint-every", "0", "--checkpoint"];
            let arguments = [&own[..], &[file.to_str().expect("a path")], extra].concat();
            resumed += usize::from(file.exists());
            kills += usize::from(kill(game, &at("killed"), &arguments, 400 + round * 7919 % 900));
            let facts = at("kept.facts");
            if round % 2 == 0 && file.exists() && facts.exists() {
                // What a crash may leave behind the facts that the checkpoint names.
                let mut bytes = fs::read(&facts).expect("facts");
                bytes.extend([7; 100]);
                fs::write(&facts, bytes).expect("facts");
            }
        }
        let own = ["--spins", SPINS, "--checkpoint", file.to_str().expect("a path")];
        ends(&mut long(game, &at("killed"), &[&own[..], extra].concat()), 0);
        assert!(files(&at("killed")) == files(&at("whole")), "{game}");
        assert!(!file.exists() && !at("kept.facts").exists(), "the files of a run that is over are removed");
    }
    assert!(kills >= 10 && resumed >= 5, "{kills} kills, {resumed} runs gone on with");
}

#[test]
fn a_checkpoint_of_another_run_or_a_changed_one_is_refused() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let file = at("kept");
    let go = |game: &str, more: &[&str], code| {
        let own = ["--checkpoint", file.to_str().expect("a path"), "--checkpoint-every", "0"];
        ends(&mut long(game, &at("run"), &[&own[..], more].concat()), code).1
    };
    while !file.exists() {
        let arguments = ["--spins", "2G", "--checkpoint-every", "0", "--checkpoint", file.to_str().expect("a path")];
        kill("house", &at("run"), &arguments, 500);
    }
    let spins = ["--spins", "2G"];
    assert!(go("house", &["--spins", "3G"], 2).contains("its plan is of 2000000000 spins"));
    assert!(go("house", &["--spins", "2G", "--seed", "2"], 2).contains("its rng seed is 1"));
    assert!(go("house", &["--spins", "2G", "--set", "grand.contribution=0.3%"], 2).contains("its game is house"));
    assert!(go("classic-hits", &spins, 2).contains("its game is house"));
    assert!(go("house", &["--until", "ci(rtp) < 0.01%", "--max-spins", "2G"], 2).contains("after its spins"));
    assert!(go("house", &["--spins", "2G", "--commit", "live"], 2).contains("one whole run in order"));
    let facts = fs::read(at("kept.facts")).expect("facts");
    let record = fs::read(&file).expect("a record");
    let mut changed = facts.clone();
    changed[100] ^= 1;
    fs::write(at("kept.facts"), &changed).expect("facts");
    assert!(go("house", &spins, 2).contains("not what belongs to the checkpoint"));
    fs::write(at("kept.facts"), &facts[..50]).expect("facts");
    assert!(go("house", &spins, 2).contains("not what belongs to the checkpoint"));
    fs::write(at("kept.facts"), &facts).expect("facts");
    let text = String::from_utf8(record).expect("text");
    fs::write(&file, text.replacen("\"hits\": ", "\"hits\": 1", 1)).expect("a record");
    assert!(go("house", &spins, 2).contains("it was changed after it was written"));
    fs::write(&file, "{}").expect("a record");
    assert!(go("house", &spins, 2).contains("no checkpoint of jackpot"));
}

#[test]
fn a_run_ends_at_the_first_look_at_which_the_interval_is_narrow_enough() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let until = ["--until", "ci(base) < 0.4%", "--max-spins", "100M"];
    for threads in ["1", "2", "3"] {
        ends(&mut long("house", &at(threads), &[&until[..], &["--threads", threads]].concat()), 0);
    }
    assert!(result(&at("1")) == result(&at("2")) && result(&at("1")) == result(&at("3")));
    let document: serde_json::Value = serde_json::from_slice(&result(&at("1"))).expect("JSON");
    let spins = document["plan"]["spins_done"].as_u64().expect("spins");
    assert!(spins < 100_000_000 && document["plan"]["until"]["reached"] == true, "{}", document["plan"]);
    let width = |folder: &Path| {
        let summary: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.join("summary.json")).expect("a summary")).expect("JSON");
        summary["base_rtp_paid_half_width_95_share"].as_f64().expect("a width")
    };
    assert!(width(&at("1")) < 0.004);
    // The run of so many spins is the same but for the rule.
    let count = spins.to_string();
    ends(&mut long("house", &at("plain"), &["--spins", &count]), 0);
    let mut plain: serde_json::Value = serde_json::from_slice(&result(&at("plain"))).expect("JSON");
    let mut own = document.clone();
    own["plan"].as_object_mut().expect("a plan").remove("until");
    (own["checksum"], plain["checksum"]) = (serde_json::Value::Null, serde_json::Value::Null);
    assert_eq!(own, plain);
    // At the look before, a fifth of the spins earlier, it was wider.
    let before = (spins * 5 / 6).to_string();
    ends(&mut long("house", &at("before"), &["--spins", &before]), 0);
    assert!(width(&at("before")) > 0.004);
    let (text, _) = ends(jackpot().arg("report").arg(at("1")), 0);
    assert!(text.contains("Intervals are sequential"), "{text}");
}

#[test]
fn a_rule_that_is_not_reached_or_makes_no_sense_is_told() {
    let folder = folder();
    let out = folder.path().join("run");
    let go = |rule: &str, more: &[&str], code| {
        ends(&mut long("house", &out, &[&["--until", rule, "--max-spins", "2M"][..], more].concat()), code).1
    };
    assert!(go("ci(rtp) < 0.001%", &[], 4).contains("was not reached in 2,000,000 spins"));
    assert!(out.join("result.json").exists());
    assert!(go("ci(grand.rtp) < 1%", &[], 4).contains("too few hits"));
    assert!(go("rtp < 97%", &[], 2).contains("expected ci(METRIC) < WIDTH"));
    assert!(go("ci(grnd.rtp) < 1%", &[], 2).contains("did you mean grand.rtp?"));
    assert!(go("ci(rtp) < 1%", &["--repeat", "3"], 2).contains("--until with"));
    go("ci(rtp) < 1%", &["--spins", "1M"], 2);
}

#[test]
fn a_killed_run_with_a_rule_ends_at_the_same_spin() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let file = at("kept");
    let until = ["--until", "ci(base) < 0.06%", "--max-spins", "1G"];
    ends(&mut long("house", &at("whole"), &until), 0);
    let own = [&until[..], &["--checkpoint-every", "0", "--checkpoint", file.to_str().expect("a path")]].concat();
    let kills = (0..6u64).filter(|round| kill("house", &at("killed"), &own, 100 + round * 83)).count();
    ends(&mut long("house", &at("killed"), &own), 0);
    assert!(result(&at("killed")) == result(&at("whole")) && kills > 0, "{kills} kills");
    play("house", &at("other"), &[]);
}
