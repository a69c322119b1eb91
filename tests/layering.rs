//! Holds the code to the table of `docs/architecture.md`: which folder may use which, and how long a file may be.

use std::fs;
use std::path::{Path, PathBuf};

/// Lines at which a source file fails; most should stay well below 300.
const LINES_MAX: usize = 500;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        // Unit tests in files of their own are no shipped code.
        let is_test = path.starts_with("src") && path.file_stem().is_some_and(|stem| stem == "tests");
        if is_test {
            continue;
        } else if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a source file")
}

/// Code of a file without its comments and its tests.
fn code(text: &str) -> String {
    let shipped = text.split("#[cfg(test)]").next().unwrap_or("");
    shipped.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn uses(code: &str, module: &str) -> bool {
    code.contains(&format!("crate::{module}")) || code.contains(&format!("jackpot::{module}"))
}

/// (folder or file, what it must not use, and why).
fn forbidden() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![
        ("src/money.rs", vec!["game", "pool", "sim", "tally", "exact", "report", "config", "cli", "rng"]),
        ("src/rng.rs", vec!["game", "pool", "sim", "tally", "exact", "report", "config", "cli", "money"]),
        (
            "src/metrics",
            vec!["game", "pool", "sim", "tally", "exact", "report", "config", "tune", "cli", "rng", "money"],
        ),
        (
            "src/redis_link",
            vec![
                "game", "pool", "sim", "tally", "exact", "report", "config", "tune", "metrics", "parity", "cli", "rng",
            ],
        ),
        ("src/tune", vec!["report", "cli", "tally", "rng"]),
        ("src/game", vec!["pool", "sim", "tally", "exact", "report", "config", "tune", "metrics", "parity", "cli"]),
        ("src/pool", vec!["game", "sim", "tally", "exact", "report", "config", "tune", "metrics", "parity", "cli"]),
        ("src/tally", vec!["game", "pool", "sim", "exact", "report", "config", "tune", "metrics", "parity", "cli"]),
        ("src/sim", vec!["exact", "report", "config", "tune", "parity", "cli"]),
        ("src/exact", vec!["sim", "report", "config", "tune", "parity", "cli", "tally"]),
        ("src/config", vec!["sim", "exact", "report", "tune", "parity", "cli", "tally"]),
        ("src/parity", vec!["config", "exact", "tune", "cli"]),
        ("src/report", vec!["sim", "exact", "config", "tune", "parity", "cli", "game", "pool", "rng"]),
    ]
}

#[test]
fn each_folder_uses_only_what_it_may() {
    let mut broken = Vec::new();
    for (place, modules) in forbidden() {
        let files = if place.ends_with(".rs") { vec![PathBuf::from(place)] } else { sources(Path::new(place)) };
        assert!(!files.is_empty(), "{place} has no source file: the table is out of date");
        for file in files {
            let code = code(&read(&file));
            broken.extend(
                modules
                    .iter()
                    .filter(|module| uses(&code, module))
                    .map(|module| format!("{} uses {module}", file.display())),
            );
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn only_the_link_knows_the_client_library() {
    // A module `redis` of ours is named by `super::`, `pub mod` or `pub use`.
    let ours = |line: &str| line.starts_with("pub use redis::") || line.contains("pool::redis::");
    let names = |file: &Path| code(&read(file)).lines().any(|line| line.contains("redis::") && !ours(line));
    let sources = sources(Path::new("src"));
    let (link, others): (Vec<_>, Vec<_>) = sources.iter().partition(|file| file.starts_with("src/redis_link"));
    assert!(link.iter().any(|file| names(file)), "the check sees nothing");
    let broken: Vec<_> = others.iter().filter(|file| names(file)).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn only_the_command_line_prints_exits_and_reads_the_clock() {
    let words = ["println!", "eprintln!", "print!(", "process::exit", "indicatif", "Instant::now", "SystemTime"];
    let mut broken = Vec::new();
    for file in sources(Path::new("src")).into_iter().filter(|file| !file.starts_with("src/cli")) {
        let code = code(&read(&file));
        broken.extend(
            words.iter().filter(|word| code.contains(**word)).map(|word| format!("{}: {word}", file.display())),
        );
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn money_pools_playing_and_committing_know_no_floating_point() {
    let places = ["src/money.rs", "src/pool", "src/sim", "src/game", "src/rng.rs"];
    let files = places
        .iter()
        .flat_map(|place| if place.ends_with(".rs") { vec![PathBuf::from(place)] } else { sources(Path::new(place)) });
    let broken: Vec<_> = files
        .filter(|file| {
            let code = code(&read(file));
            code.contains("f64") || code.contains("f32")
        })
        .collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn no_source_file_is_too_long() {
    let files = sources(Path::new("src")).into_iter().chain(sources(Path::new("tests")));
    let long: Vec<_> =
        files.map(|file| (read(&file).lines().count(), file)).filter(|(lines, _)| *lines > LINES_MAX).collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn the_check_itself_sees_a_forbidden_use() {
    assert!(uses(&code("use crate::sim::Plan; // why"), "sim"));
    assert!(!uses(&code("// use crate::sim::Plan;"), "sim"));
    assert!(!uses(&code("#[cfg(test)]\nmod tests { use crate::sim::Plan; }"), "sim"));
}
