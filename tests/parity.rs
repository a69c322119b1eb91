//! `jackpot parity` against real servers: what passes, what fails, and what it says.

mod command;
mod redis;

use command::{ends, folder, jackpot};
use redis::{Server, free_port};

fn parity(server: &Server, subject: &str, more: &[&str], code: i32) -> serde_json::Value {
    let subject = format!("configs/subjects/{subject}.toml");
    let url = server.url();
    let mut command = jackpot();
    command.args(["parity", "configs/classic-hits.toml", "--redis", &url, "--subject", &subject]);
    let (out, _) = ends(command.args(["--quiet", "--format", "json"]).args(more), code);
    serde_json::from_str(&out).expect("JSON")
}

fn failed(report: &serde_json::Value) -> Vec<String> {
    let checks = report["checks"].as_array().expect("checks");
    let of = |check: &serde_json::Value| format!("{}: {}", check["name"], check["found"]).replace('"', "");
    checks.iter().filter(|check| check["verdict"] == "fail").map(of).collect()
}

fn has(failed: &[String], start: &str) -> bool {
    failed.iter().any(|line| line.starts_with(start))
}

#[test]
fn our_commands_pass_and_leave_nothing() {
    let server = Server::start();
    for grain in ["spin", "segment"] {
        let report = parity(&server, "ours", &["--spins", "200k", "--grain", grain], 0);
        assert_eq!((&report["failed"], &report["undecided"]), (&0.into(), &0.into()), "{report}");
        assert!(report["operations"].as_u64().unwrap() > 100);
        let checks = report["checks"].as_array().unwrap();
        let caught = checks.iter().filter(|check| check["phase"] == "controls" && check["verdict"] == "pass");
        assert_eq!(caught.count(), 4, "{report}");
    }
    assert_eq!(server.keys(), Vec::<String>::new());
}

#[test]
fn productions_claim_fails_in_every_known_way() {
    let server = Server::start();
    let report = parity(&server, "production", &["--spins", "200k"], 1);
    let failed = failed(&report);
    let names =
        ["replies and balances", "money", "missing field", "12.75", "2^53 + 1", "i64::MAX", "12abc", "lost reply"];
    for name in names {
        assert!(has(&failed, name), "{name} of {failed:#?}");
    }
    let of = |start: &str| failed.iter().find(|line| line.starts_with(start)).expect("a check");
    assert!(of("12.75").contains("paid 12,"));
    assert!(of("missing field").contains("(nil)"));
    assert!(of("i64::MAX").contains("-9223372036854775808"));
    assert!(of("money").contains("lost per million spins"));
    // Only claims lose: the growth itself is Redis' own arithmetic, to the last decimal.
    let divergence = &report["divergence"];
    assert!(divergence["commands"][0].as_str().unwrap().starts_with("EVAL"), "{divergence}");
    assert!(
        divergence["expected"]
            .as_str()
            .unwrap()
            .starts_with(divergence["found"].as_str().unwrap().trim_start_matches("(integer) "))
    );
}

#[test]
fn drift_is_told_and_is_no_divergence() {
    let server = Server::start();
    let report = parity(&server, "float-text", &["--spins", "200k"], 0);
    let drifts = |pool: &serde_json::Value| pool["drift"] != "0" && pool["drift_from_operation"].is_u64();
    assert!(report["pools"].as_array().unwrap().iter().any(drifts), "{report}");
}

#[test]
fn other_subjects_say_what_they_lack() {
    let server = Server::start();
    for subject in ["naive", "multi"] {
        let failed = failed(&parity(&server, subject, &["--spins", "50k"], 1));
        assert!(has(&failed, "lost reply") && has(&failed, "12abc"), "{failed:#?}");
        assert!(!has(&failed, "replies and balances") && !has(&failed, "i64::MAX"), "{failed:#?}");
        assert_eq!(has(&failed, "balance:"), subject == "naive", "{failed:#?}");
    }
    // Redis 7 has no HGETDEL: nothing is said of it.
    let report = parity(&server, "hgetdel", &["--spins", "50k"], 4);
    assert_eq!(report["operations"], 0);
}

#[test]
fn a_prefix_that_is_used_is_left_alone() {
    let server = Server::start();
    server.link().must(&["SET", "mine:1", "1"]).unwrap();
    let report = parity(&server, "ours", &["--prefix", "mine", "--spins", "1k"], 1);
    assert!(has(&failed(&report), "prefix"));
    assert_eq!(server.keys(), ["mine:1"]);
    // Also where the server refuses scripts, so that there is no report.
    let server = Server::with(&["--rename-command", "SCRIPT", ""]);
    server.link().must(&["SET", "mine:1", "1"]).unwrap();
    let url = server.url();
    let mut command = jackpot();
    command.args(["parity", "configs/classic-hits.toml", "--quiet", "--prefix", "mine", "--redis", &url]);
    ends(&mut command, 3);
    assert_eq!(server.keys(), ["mine:1"]);
}

#[test]
fn no_server_is_never_a_pass() {
    let url = format!("redis://127.0.0.1:{}", free_port());
    let (_, error) = ends(jackpot().args(["parity", "configs/classic-hits.toml", "--quiet", "--redis", &url]), 3);
    assert!(error.contains("can't be reached"), "{error}");
    let far = ["parity", "configs/classic-hits.toml", "--redis", "redis://10.255.255.1:6379"];
    let (_, error) = ends(jackpot().args(far), 2);
    assert!(error.contains("--allow-remote"), "{error}");
}

#[test]
fn a_ci_job_gets_junit_and_annotations() {
    let (server, folder) = (Server::start(), folder());
    let file = folder.path().join("parity.xml");
    let url = server.url();
    let mut command = jackpot();
    command.args(["parity", "configs/classic-hits.toml", "--quiet", "--redis", &url, "--spins", "20k", "--junit"]);
    command.arg(&file).args(["--subject", "configs/subjects/production.toml"]).env("GITHUB_ACTIONS", "true");
    let (out, error) = ends(&mut command, 1);
    assert!(error.contains("::error title=parity lost reply::"), "{error}");
    assert!(out.lines().last().unwrap().contains(" failed, "), "{out}");
    let xml = std::fs::read_to_string(file).unwrap();
    assert!(xml.contains("<testsuite") && xml.contains("lost reply"), "{xml}");
}

/// A change of our subject, and the check that has to find it.
fn mutant(claim: &[(&str, &str)], subject: &[(&str, &str)], code: i32) -> (serde_json::Value, Vec<String>) {
    let (server, folder) = (Server::start(), folder());
    let read = |name: &str| std::fs::read_to_string(format!("configs/subjects/{name}")).unwrap();
    let changed = |mut text: String, changes: &[(&str, &str)]| {
        for (from, to) in changes {
            assert!(text.contains(from), "{from} is not there to be changed");
            text = text.replace(from, to);
        }
        text
    };
    std::fs::write(folder.path().join("ours-claim.lua"), changed(read("ours-claim.lua"), claim)).unwrap();
    let file = folder.path().join("ours.toml");
    std::fs::write(&file, changed(read("ours.toml"), subject)).unwrap();
    let url = server.url();
    let mut command = jackpot();
    command.args(["parity", "configs/classic-hits.toml", "--redis", &url, "--quiet", "--format", "json"]);
    let (out, _) = ends(command.args(["--spins", "100k", "--subject"]).arg(&file), code);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let failed = failed(&report);
    (report, failed)
}

#[test]
fn planted_defects_are_caught_and_named() {
    const LEAVE: &str = "redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])";
    const JOURNAL: &str = "redis.call('SET', KEYS[2], held, 'PX', ARGV[3])";
    const ADD: &str = r#"["HINCRBY", "{key}", "{field}", "{amount}"]"#;
    let add = |command: &'static str| vec![(ADD, command)];
    type Changes = Vec<(&'static str, &'static str)>;
    let defects: Vec<(&str, Changes, Changes, &str)> = vec![
        ("wrong field", vec![(LEAVE, "redis.call('HSET', KEYS[1], 'other', ARGV[2])")], vec![], "replies and balances"),
        (
            "seed not restored",
            vec![(LEAVE, "redis.call('HSET', KEYS[1], ARGV[1], '0')")],
            vec![],
            "replies and balances",
        ),
        ("claim not resetting", vec![(LEAVE, "local _ = 0")], vec![], "replies and balances"),
        ("no journal: a retry is paid anew", vec![(JOURNAL, "local _ = 0")], vec![], "lost reply"),
        (
            "float rounding",
            vec![("return held", "return tostring(math.floor(tonumber(held) / 100) * 100)")],
            vec![],
            "replies and balances",
        ),
        (
            "a unit off by one",
            vec![("return held", "return string.format('%d', tonumber(held) - 1)")],
            vec![],
            "replies and balances",
        ),
        (
            "stale script SHA",
            vec![],
            vec![("reply = \"text\"", "reply = \"text\"\nsha = \"0000000000000000000000000000000000000000\"")],
            "script",
        ),
        (
            "increment in floating point",
            vec![],
            add(r#"["HINCRBYFLOAT", "{key}", "{field}", "{amount}"]"#),
            "add at i64::MAX",
        ),
        (
            "levels share a field",
            vec![],
            vec![("field = \"TBI:{bet_index}_JL:{level}\"", "field = \"TBI:{bet_index}\"")],
            "replies and balances",
        ),
    ];
    for (defect, claim, subject, check) in &defects {
        let (report, failed) = mutant(claim, subject, 1);
        assert!(has(&failed, check), "{defect}: {check} is not among {failed:#?}");
        if *check == "replies and balances" {
            assert!(report["divergence"]["operation"].is_u64(), "{defect}: {report}");
        }
    }
    let (_, failed) = mutant(&[], &[], 0);
    assert!(failed.is_empty());
}
