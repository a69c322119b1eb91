//! Goal: the schema knows exactly the keys that the reader knows. Method: the reader tells every key that it asks for, of
//! every game file and every bad one; the sets are compared.

use super::*;
use crate::config::wire::node::asked;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Keys = BTreeMap<String, BTreeSet<&'static str>>;

/// A table's name without the name that the game gave it.
fn kind(what: &str) -> String {
    let plain = what.split(" `").next().unwrap_or(what);
    let named = ["the symbol", "the combination"].contains(&plain);
    if named {
        plain.to_owned()
    } else if what.starts_with("[tables.") {
        "[tables]".to_owned()
    } else {
        what.to_owned()
    }
}

fn of_reader() -> Keys {
    let mut keys = Keys::new();
    let mut read = |folder: &Path| {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                asked::clear();
                let _ = crate::config::load(&path);
                asked::take().into_iter().for_each(|(what, key)| {
                    keys.entry(kind(&what)).or_default().insert(key);
                });
            }
        }
    };
    read(Path::new("configs"));
    read(Path::new("tests/bad_games"));
    // Names of the game, of which any table has its own.
    for places in ["`counts`", "`by_count`", "[symbols]", "[published]", "`line`", "`scatter`"] {
        assert_eq!(keys.remove(places).unwrap_or_default(), BTreeSet::new(), "{places}");
    }
    keys
}

fn of_schema() -> Keys {
    let objects = [
        game(),
        bets(),
        traffic(),
        jackpots(),
        overflow_to_level(),
        cap(),
        symbols_trigger(),
        level(),
        play::reels(),
        play::symbol(),
        play::pays(),
        play::combination_pay(),
        play::line_pays("[pays.line]"),
        play::line_pays("[pays.ways]"),
        play::scatter_pays(),
        play::only(),
        play::feature(),
        play::free_spins(),
        play::bonus(),
        play::segment(),
        play::outcome(),
        play::outcomes(),
    ];
    let mut keys: Keys = objects
        .iter()
        .map(|object| (object.what.to_owned(), object.keys.iter().map(|(name, _)| *name).collect()))
        .collect();
    let table = play::table();
    keys.insert("[tables]".into(), table.keys.iter().map(|(name, _)| *name).collect());
    let trigger = ["odds", "per", "must_hit_by", "law", "pays", "overflow", "symbols"];
    keys.insert("`trigger`".into(), trigger.into_iter().collect());
    keys
}

#[test]
fn the_schema_has_the_keys_that_the_reader_asks_for() {
    let (reader, schema) = (of_reader(), of_schema());
    for (what, keys) in &reader {
        assert_eq!(schema.get(what), Some(keys), "{what}");
    }
    let unread: Vec<_> = schema.keys().filter(|what| !reader.contains_key(*what)).collect();
    assert!(unread.is_empty(), "no game file has {unread:?}");
}

/// Every list of words in the schema, with the key that it is of.
fn enums(value: &serde_json::Value, key: &str, found: &mut BTreeSet<(String, BTreeSet<String>)>) {
    if let Some(words) = value.get("enum").and_then(|words| words.as_array()) {
        found.insert((key.to_owned(), words.iter().filter_map(|word| word.as_str()).map(str::to_owned).collect()));
    }
    match value {
        serde_json::Value::Object(map) => map.iter().for_each(|(name, own)| {
            let is_key = name != "properties" && map.len() > 1 && own.is_object() && own.get("description").is_some();
            enums(own, if is_key || own.get("description").is_some() { name } else { key }, found);
        }),
        serde_json::Value::Array(list) => list.iter().for_each(|own| enums(own, key, found)),
        _ => {}
    }
}

#[test]
fn the_schema_has_the_words_that_the_reader_takes() {
    let _ = of_reader();
    let read: BTreeSet<(String, BTreeSet<String>)> =
        asked::take_words().into_iter().map(|(key, words)| (key, words.into_iter().collect())).collect();
    let document: serde_json::Value = serde_json::from_str(&schema()).expect("JSON");
    let mut written = BTreeSet::new();
    enums(&document, "", &mut written);
    assert!(read.len() >= 10, "{read:?}");
    let missing: Vec<_> = read.difference(&written).collect();
    let unknown: Vec<_> = written.difference(&read).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "missing {missing:#?}\nunknown {unknown:#?}");
}

#[test]
fn a_key_that_only_the_reader_knows_is_seen() {
    let mut schema = of_schema();
    schema.get_mut("[bets]").expect("it is there").remove("coins");
    assert_ne!(schema, of_reader());
}

#[test]
fn every_key_is_described() {
    fn missing(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
        if let Some(properties) = value.get("properties").and_then(|properties| properties.as_object()) {
            for (name, own) in properties {
                if own["description"].as_str().is_none_or(|text| text.len() < 8) {
                    found.push(format!("{path}.{name}"));
                }
            }
        }
        match value {
            serde_json::Value::Object(map) => {
                map.iter().for_each(|(name, own)| missing(own, &format!("{path}.{name}"), found))
            }
            serde_json::Value::Array(list) => list.iter().for_each(|own| missing(own, path, found)),
            _ => {}
        }
    }
    let document: serde_json::Value = serde_json::from_str(&schema()).expect("JSON");
    let mut found = Vec::new();
    missing(&document, "", &mut found);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn the_shipped_schema_is_that_of_the_command() {
    let shipped = std::fs::read_to_string("configs/game.schema.json").expect("the schema");
    assert!(shipped == schema(), "write it anew: jackpot schema > configs/game.schema.json");
}
