//! The command as tests run it.
#![allow(dead_code, reason = "no test file uses all of it")]

use assert_cmd::Command;
use std::fs;
use std::path::Path;

/// The binary.
pub fn jackpot() -> Command {
    Command::cargo_bin("jackpot").expect("the binary")
}

/// A folder that goes with the test.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Runs a command that must end with a code; (stdout, stderr).
pub fn ends(command: &mut Command, code: i32) -> (String, String) {
    let output = command.output().expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    assert!(!err.contains("panicked"), "{err}");
    (out, err)
}

/// Plays a shipped game for 600,000 spins.
pub fn play(game: &str, out: &Path, more: &[&str]) -> (String, String) {
    let game = format!("configs/{game}.toml");
    ends(jackpot().args(["run", &game, "--spins", "600k", "--quiet", "--out"]).arg(out).args(more), 0)
}

/// The bytes of a folder's result.
pub fn result(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("result.json")).expect("result.json")
}

/// Names of all files of a folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Every file of a folder with its bytes.
pub fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).expect("a file"));
    names(folder).into_iter().map(read).collect()
}
