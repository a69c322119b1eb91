//! What changed between the texts of two game files, by path.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

/// (path, what stands in the first file, and in the second), in order of the paths in the first file.
pub type Changed = (String, Option<String>, Option<String>);

/// Every value that differs. Entries of lists of sections go by their names. A text that is no TOML has no values.
pub fn changes(one: &str, other: &str) -> Vec<Changed> {
    let (mut order, of_one) = leaves(one);
    let (more, of_other) = leaves(other);
    order.extend(more.into_iter().filter(|path| !of_one.contains_key(path)));
    order
        .into_iter()
        .filter_map(|path| {
            let (a, b) = (of_one.get(&path).cloned(), of_other.get(&path).cloned());
            (a != b).then_some((path, a, b))
        })
        .collect()
}

type Leaves = (Vec<String>, BTreeMap<String, String>);

fn leaves(text: &str) -> Leaves {
    let (document, _) = DeTable::parse_recoverable(text);
    let mut found = Vec::new();
    let mut entries: Vec<_> = document.get_ref().iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in entries {
        collect(key.get_ref(), value.get_ref(), &mut found);
    }
    (found.iter().map(|(path, _)| path.clone()).collect(), found.into_iter().collect())
}

fn collect(path: &str, value: &DeValue, found: &mut Vec<(String, String)>) {
    match value {
        DeValue::Table(table) => {
            let mut entries: Vec<_> = table.iter().collect();
            entries.sort_by_key(|(key, _)| key.span().start);
            for (key, inner) in entries {
                // A level goes by its name alone, as in --set.
                let inner_path = match path.strip_prefix("jackpot.") {
                    Some(level) => format!("{level}.{}", key.get_ref()),
                    None => format!("{path}.{}", key.get_ref()),
                };
                collect(&inner_path, inner.get_ref(), found);
            }
        }
        DeValue::Array(list) if list.iter().any(|entry| matches!(entry.get_ref(), DeValue::Table(_))) => {
            for (place, entry) in list.iter().enumerate() {
                let name = match entry.get_ref() {
                    DeValue::Table(table) => {
                        ["level", "name"].iter().find_map(|key| table.get(*key)?.get_ref().as_str())
                    }
                    _ => None,
                };
                let own = name.map_or_else(|| format!("{path}[{place}]"), |name| format!("{path}.{name}"));
                collect(&own, entry.get_ref(), found);
            }
        }
        leaf => found.push((path.to_owned(), shown(leaf))),
    }
}

/// A value on one line.
fn shown(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(list) => {
            let entries: Vec<String> = list.iter().map(|entry| shown(entry.get_ref())).collect();
            format!("[{}]", entries.join(", "))
        }
        DeValue::Table(_) => "{...}".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found_by_path_and_level() {
        let one = "name = \"a\"\n[bets]\nmix = [1, 2]\n[[jackpot]]\nlevel = \"grand\"\nseed = \"1\"\ntrigger = { odds = 5 }\n";
        let other =
            one.replace("[1, 2]", "[1, 3]").replace("odds = 5", "odds = 7").replace("seed = \"1\"\n", "") + "cap = 9\n";
        let expected = [
            ("bets.mix", Some("[1, 2]"), Some("[1, 3]")),
            ("grand.seed", Some("1"), None),
            ("grand.trigger.odds", Some("5"), Some("7")),
            ("grand.cap", None, Some("9")),
        ];
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let expected: Vec<Changed> =
            expected.iter().map(|&(path, a, b)| (path.to_owned(), owned(a), owned(b))).collect();
        assert_eq!(changes(one, &other), expected);
        assert!(changes(one, &format!("# a comment\n{one}")).is_empty());
    }
}
