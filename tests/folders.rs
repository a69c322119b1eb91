//! Output folders: nothing is lost before its replacement is complete, and what can't be written is refused at once.

mod command;

use command::{contents, ends, folder, jackpot, names, play, result};
use std::fs;
use std::path::Path;

#[test]
fn a_usage_error_leaves_an_old_result_alone_even_with_force() {
    let folder = folder();
    let out = folder.path().join("run");
    play("megabucks", &out, &["--log-hits"]);
    let before = contents(&out);
    let refused = |more: &[&str]| {
        let command = ["run", "configs/megabucks.toml", "--force", "--out"];
        let (_, error) = ends(jackpot().args(command).arg(&out).args(more), 2);
        assert!(contents(&out) == before, "{more:?}: {error}");
    };
    refused(&["--spins", "1k", "--shard", "2/2"]);
    refused(&["--repeat", "3", "--seed", "18446744073709551615"]);
    refused(&["--opening", "none=1.00"]);
    refused(&["--threads", "1025"]);
}

#[test]
fn force_replaces_a_whole_result_and_leaves_other_files() {
    let folder = folder();
    let out = folder.path().join("run");
    play("megabucks", &out, &["--log-hits"]);
    for name in ["notes.txt", ".jackpot-Ab12.tmp"] {
        fs::write(out.join(name), name).expect("a file");
    }
    play("megabucks", &out, &["--force", "--shard", "1/1"]);
    assert_eq!(names(&out), ["facts.bin", "notes.txt", "run.json", "shard.json"]);
    play("megabucks", &out, &["--force"]);
    let files =
        "convergence.csv jackpots.csv meters.csv notes.txt payouts.csv result.json rtp.csv run.json summary.json";
    assert_eq!(names(&out).join(" "), files);
    // What a killed run leaves doesn't occupy a folder.
    let killed = folder.path().join("killed");
    fs::create_dir(&killed).expect("a folder");
    fs::write(killed.join(".jackpot-Ab12.tmp"), "").expect("a file");
    play("megabucks", &killed, &[]);
}

#[test]
fn merge_refuses_a_shard_as_its_output() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    play("house", &at("1"), &["--shard", "1/2"]);
    play("house", &at("2"), &["--shard", "2/2"]);
    let before = contents(&at("1"));
    let merge =
        |out: &Path| jackpot().arg("merge").arg(at("1")).arg(at("2")).arg("--force").arg("--out").arg(out).unwrap();
    let refused = std::panic::catch_unwind(|| merge(&at("2").join("../1")));
    assert!(refused.is_err() && contents(&at("1")) == before);
    merge(&at("whole"));
    let run: serde_json::Value =
        serde_json::from_slice(&fs::read(at("whole").join("run.json")).expect("run.json")).expect("JSON");
    assert!(run.get("threads").is_none() && run.get("spins_per_second").is_none() && run.get("seconds").is_some());
}

#[test]
fn merge_refuses_a_changed_shard() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    play("house", &at("1"), &["--shard", "1/1"]);
    let path = at("1").join("shard.json");
    let text = fs::read_to_string(&path).expect("shard.json");
    let changed =
        text.replacen("\"hits_base\": \"", "\"hits_base\": \"1", 1).replacen("\"hits_base\": ", "\"hits_base\": 1", 1);
    assert_ne!(changed, text);
    fs::write(&path, changed).expect("a changed file");
    let (_, error) = ends(jackpot().arg("merge").arg(at("1")).arg("--out").arg(at("whole")), 2);
    assert!(error.contains("was changed"), "{error}");
}

#[test]
fn report_never_deletes_what_it_cannot_make_again() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    play("house", &at("run"), &["--log-hits"]);
    let before = contents(&at("run"));
    let report = |from: &str, to: &str, code| {
        ends(jackpot().arg("report").arg(at(from)).arg("--out").arg(at(to)).arg("--force"), code).1
    };
    report("run", "run", 0);
    assert!(contents(&at("run")) == before);
    play("megabucks", &at("other"), &[]);
    let error = report("other", "run", 2);
    assert!(error.contains("hits.csv") && contents(&at("run")) == before, "{error}");
    report("run", "copy", 0);
    report("other", "copy", 0);
    assert_eq!(result(&at("other")), result(&at("copy")));
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_by_its_name() {
    let command = ["run", "configs/megabucks.toml", "--spins", "1k", "--out", "/proc/jackpot-none"];
    let (_, error) = ends(jackpot().args(command), 2);
    assert!(error.contains("/proc/jackpot-none can't be written"), "{error}");
    assert!(!error.contains("space") && !error.contains(".tmp"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_polite_kill_writes_what_was_played_and_leaves_the_next_game_alone() {
    use std::process::{Command, Stdio};
    let folder = folder();
    let out = folder.path().join("out");
    play("megabucks", &out.join("megabucks"), &[]);
    let before = contents(&out.join("megabucks"));
    let games = ["configs/classic-hits.toml", "configs/megabucks.toml"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_jackpot"))
        .arg("run")
        .args(games)
        .args(["--spins", "5T", "--threads", "1", "--quiet", "--force", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
    let code = child.wait().expect("the command ends").code();
    let mut error = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut error).expect("UTF-8");
    assert_eq!(code, Some(4), "{error}");
    assert!(error.contains("of 5,000,000,000,000 spins") && error.contains("before megabucks was played"), "{error}");
    assert!(out.join("classic-hits/result.json").is_file());
    assert!(contents(&out.join("megabucks")) == before);
    assert!(names(&out.join("classic-hits")).iter().all(|name| !name.starts_with('.')));
}
