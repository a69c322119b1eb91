//! No finding hides another: single mistakes in two good, rich games, alone, two by two and all together.

use jackpot::config::{self, Finding, Severity};

const REELS: &str = r#"name = "Rich"
currency = "USD"
source = "a test"
[bets]
amounts = [0.30, 0.60]
mix = [3, 1]
lines = 3
[reels]
rows = 3
strips = [
  "A B C W S A B C",
  "A B C W S A B C",
  "A B C W S A B C",
]
[symbols.W]
wild = true
multiplier = 2
stacking = "once"
not_for = ["S"]
[pays.line]
shapes = ["111", "000", "222"]
A = [0, 0, 10]
B = [0, 2, 5]
any = { of = ["A", "C"], pays = [0, 0, 1] }
[pays.scatter]
S = [0, 0, 5]
[[feature]]
[feature.free_spins]
scatter = "S"
from = 3
spins = 10
multiplier = 2
retrigger = 5
spare = ["A x3"]
[[feature]]
[feature.bonus]
name = "bonus"
line = "C"
count = 3
draw = "picks"
[[feature]]
[feature.free_spins]
name = "golden"
limit = 40
[[feature]]
[feature.bonus]
name = "wheel bonus"
scatter = "B"
from = 2
draw = "wheel"
[tables.wheel]
segments = [
  { pay = 7, weight = 5 },
  { pay = 2, weight = 3, again = true },
  { draws = 2, of = "picks", weight = 2 },
  { free_spins = 4, feature = "golden", weight = 3 },
  { jackpot = "super", weight = 1 },
]
[tables.picks]
draws = [[2, 1], [3, 1]]
of = "prizes"
[tables.prizes]
prizes = [[10, 2], [5, 1]]
[jackpots]
exclusive = ["grand", "major"]
[[jackpot]]
level = "mini"
contribution = "1%"
seed = "10 x bet"
pool = "per bet"
cap = "50 x bet"
trigger = { odds = 1_000 }
eligible = [0, 1]
[[jackpot]]
level = "major"
contribution = "0.5%"
reserve = "0.1%"
surplus = "kept"
seed = "100.00"
pool = "linked"
[jackpot.trigger]
must_hit_by = "500.00"
law = "uniform"
pays = "meter"
[[jackpot]]
level = "grand"
contribution = "0.1%"
seed = "1000.00"
pool = "linked"
eligible_from = "0.60"
[jackpot.trigger.symbols]
scatter = "S"
from = 3
[[jackpot]]
level = "super"
contribution = "0.2%"
seed = "77.00"
pool = "linked"
"#;

const OUTCOMES: &str = r#"name = "Rich"
currency = "EUR"
source = "a test"
[bets]
amounts = [1, 2]
mix = [3, 1]
[outcomes]
unit = "credits"
bet_credits = 3
rows = [
  [0, 900],
  [5, 99],
  [9, 10],
  { pay = 12, weight = 9, jackpot = "mini" },
  { pay = 100, weight = 1, jackpot = "grand" },
]
[[jackpot]]
level = "mini"
contribution = "1%"
seed = "10.00"
pool = "linked"
[[jackpot]]
level = "grand"
contribution = ["0.5%", "0.4%"]
seed = ["100.00", "200.00"]
pool = "per bet"
"#;

/// The line as it stands, what stands there instead, and the code of the finding.
type Edit = (&'static str, &'static str, &'static str);

const REEL_EDITS: [Edit; 81] = [
    ("name = \"Rich\"", "name = \"Ri\\u001bch\"", "control-character"),
    ("name = \"Rich\"", "nam = \"Rich\"", "unknown-key"),
    ("currency = \"USD\"", "currency = \"USX\"", "unknown-currency"),
    ("source = \"a test\"", "source = \"\"", "empty-text"),
    ("amounts = [0.30, 0.60]", "amounts = [0.30, -1]", "bet-not-positive"),
    ("amounts = [0.30, 0.60]", "amounts = [0.30, nan]", "bad-number"),
    ("amounts = [0.30, 0.60]", "", "missing-key"),
    ("mix = [3, 1]", "mix = [3, -1]", "negative"),
    ("mix = [3, 1]", "mix = [0, 0]", "mix-empty"),
    ("mix = [3, 1]", "mix = [3, 1, 1]", "mix-length"),
    ("mix = [3, 1]", "mix = \"equal\"", "wrong-type"),
    ("lines = 3", "lines = 30", "line-count"),
    ("lines = 3", "lines = 3000", "line-count"),
    ("lines = 3", "lines = \"3\"", "wrong-type"),
    ("rows = 3", "rows = 0", "out-of-range"),
    ("rows = 3", "rows = \"3\"", "wrong-type"),
    ("  \"A B C W S A B C\",", "  \"A B\",", "strip-length"),
    ("  \"A B C W S A B C\",", "  \"\",", "strip-length"),
    ("  \"A B C W S A B C\",", "  7,", "wrong-type"),
    ("wild = true", "wild = \"yes\"", "wrong-type"),
    ("multiplier = 2", "multiplier = 0", "out-of-range"),
    ("stacking = \"once\"", "stacking = \"twice\"", "unknown-choice"),
    ("not_for = [\"S\"]", "not_for = [\"T\"]", "unknown-symbol"),
    ("shapes = [\"111\", \"000\", \"222\"]", "shapes = [\"111\", \"000\", \"22\"]", "line-length"),
    ("shapes = [\"111\", \"000\", \"222\"]", "shapes = [\"1113\", \"0003\", \"2223\"]", "line-length"),
    ("shapes = [\"111\", \"000\", \"222\"]", "shapes = [\"113\", \"000\", \"222\"]", "line-window"),
    ("shapes = [\"111\", \"000\", \"222\"]", "shapes = \"centre\"", "unknown-shapes"),
    ("shapes = [\"111\", \"000\", \"222\"]", "shapes = 5", "wrong-type"),
    ("A = [0, 0, 10]", "A = [0, 0, -10]", "negative"),
    ("A = [0, 0, 10]", "A = [0, 0, \"1/1000000007\"]", "pays-too-fine"),
    ("A = [0, 0, 10]", "A = [0, 0, 9e13]", "pay-too-large"),
    ("B = [0, 2, 5]", "D = [0, 2, 5]", "pay-on-no-reel"),
    ("B = [0, 2, 5]", "B = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]", "pays-length"),
    (
        "any = { of = [\"A\", \"C\"], pays = [0, 0, 1] }",
        "any = { of = [\"A\", \"X\"], pays = [0, 0, 1] }",
        "unknown-symbol",
    ),
    ("S = [0, 0, 5]", "S = [0, 0, \"five\"]", "bad-number"),
    ("S = [0, 0, 5]", "T = [0, 0, 5]", "pay-on-no-reel"),
    ("scatter = \"S\"", "scatter = \"Z\"", "unknown-symbol"),
    ("from = 3", "from = 101", "out-of-range"),
    ("spins = 10", "spins = 0", "out-of-range"),
    ("retrigger = 5", "retrigger = \"often\"", "wrong-type"),
    ("spare = [\"A x3\"]", "spare = [\"A\"]", "unknown-award"),
    ("line = \"C\"", "line = \"K\"", "unknown-symbol"),
    ("count = 3", "count = 11", "out-of-range"),
    ("draw = \"picks\"", "draw = \"pick\"", "unknown-table"),
    ("draws = [[2, 1], [3, 1]]", "draws = [[2.5, 1], [3, 1]]", "out-of-range"),
    ("of = \"prizes\"", "of = \"prize\"", "unknown-table"),
    ("prizes = [[10, 2], [5, 1]]", "prizes = [[-10, 2], [5, 1]]", "negative"),
    ("prizes = [[10, 2], [5, 1]]", "prizes = [[10, 0], [5, 0]]", "weight-sum"),
    ("  { pay = 7, weight = 5 },", "  { pay = -7, weight = 5 },", "negative"),
    (
        "  { pay = 7, weight = 5 },",
        "  { pay = 7, weight = 5, again = true, of = \"prizes\", draws = -1 },",
        "bad-number",
    ),
    (
        "  { pay = 7, weight = 5 },",
        "  { pay = 7, weight = 5, free_spins = 9_999_999, feature = \"golden\" },",
        "out-of-range",
    ),
    ("  { pay = 2, weight = 3, again = true },", "  { pay = 2, weight = 3, again = 1 },", "wrong-type"),
    ("  { draws = 2, of = \"picks\", weight = 2 },", "  { draws = 2, of = \"pick\", weight = 2 },", "unknown-table"),
    ("  { draws = 2, of = \"picks\", weight = 2 },", "  { draws = 2, weight = 2 },", "missing-key"),
    ("  { draws = 2, of = \"picks\", weight = 2 },", "  { draws = 2, of = \"wheel\", weight = 2 },", "table-cycle"),
    (
        "  { free_spins = 4, feature = \"golden\", weight = 3 },",
        "  { free_spins = 4, feature = \"golden\", weight = 0 },",
        "unreachable-trigger",
    ),
    (
        "  { free_spins = 4, feature = \"golden\", weight = 3 },",
        "  { free_spins = 4, feature = 7, weight = 3 },",
        "wrong-type",
    ),
    ("  { jackpot = \"super\", weight = 1 },", "  { jackpot = \"super\", weight = 0 },", "unreachable-trigger"),
    ("  { jackpot = \"super\", weight = 1 },", "  { jackpot = [\"super\", 1], weight = 1 },", "wrong-type"),
    ("limit = 40", "limit = 3", "out-of-range"),
    ("seed = \"77.00\"", "seed = \"77.00\"\ntrigger = { odds = 99 }", "trigger-kind"),
    ("exclusive = [\"grand\", \"major\"]", "exclusive = [\"grand\", \"minor\"]", "unknown-level"),
    ("level = \"mini\"", "level = \"mi ni\"", "level-name"),
    ("contribution = \"1%\"", "contribution = \"-1%\"", "rate-range"),
    ("contribution = \"1%\"", "contribution = [\"1%\", \"101%\"]", "rate-range"),
    ("cap = \"50 x bet\"", "cap = \"5 x bet\"", "cap-below-seed"),
    ("trigger = { odds = 1_000 }", "trigger = { odds = 0 }", "odds-not-positive"),
    ("trigger = { odds = 1_000 }", "trigger = { odds = 0.5 }", "probability-above-1"),
    ("eligible = [0, 1]", "eligible = [0, 2]", "bet-index"),
    ("eligible = [0, 1]", "eligible = [0, -2]", "bad-number"),
    ("reserve = \"0.1%\"", "reserve = \"101%\"", "rate-range"),
    ("surplus = \"kept\"", "surplus = \"lost\"", "unknown-choice"),
    ("must_hit_by = \"500.00\"", "must_hit_by = \"100.00\"", "must-hit-by-not-above-seed"),
    ("law = \"uniform\"", "law = \"none\"", "unknown-choice"),
    ("pays = \"meter\"", "pays = 1", "wrong-type"),
    ("contribution = \"0.5%\"", "contribution = \"0\"", "unreachable-trigger"),
    ("seed = \"1000.00\"", "seed = \"10 x bet\"", "linked-amount"),
    ("seed = \"1000.00\"", "seed = \"-1\"", "negative"),
    ("eligible_from = \"0.60\"", "eligible_from = \"1 x bet\"", "bad-number"),
    ("pool = \"per bet\"", "pool = \"per bets\"", "unknown-choice"),
    ("contribution = \"0.1%\"", "contribution = \"0.1%\"\nodds = 5", "unknown-key"),
];

const OUTCOME_EDITS: [Edit; 14] = [
    ("currency = \"EUR\"", "", "missing-key"),
    ("amounts = [1, 2]", "amounts = []", "bet-count"),
    ("mix = [3, 1]", "mix = [\"x\", 1]", "bad-number"),
    ("unit = \"credits\"", "unit = \"credit\"", "unknown-choice"),
    ("bet_credits = 3", "bet_credits = 0", "bet-credits"),
    ("  [0, 900],", "  [0, -900],", "bad-number"),
    ("  [5, 99],", "  [-5, 99],", "negative"),
    ("  [9, 10],", "  [9, \"ten\"],", "wrong-type"),
    (
        "  { pay = 12, weight = 9, jackpot = \"mini\" },",
        "  { pay = 12, weight = 0, jackpot = \"mini\" },",
        "unreachable-trigger",
    ),
    (
        "  { pay = 12, weight = 9, jackpot = \"mini\" },",
        "  { pay = 12, weight = 9, jackpot = [\"mini\", \"max\"] },",
        "unknown-level",
    ),
    ("contribution = \"1%\"", "contribution = \"1e\"", "bad-number"),
    ("seed = \"10.00\"", "seed = \"-10.00\"", "negative"),
    ("contribution = [\"0.5%\", \"0.4%\"]", "contribution = [\"0.5%\", \"140%\"]", "rate-range"),
    ("seed = [\"100.00\", \"200.00\"]", "seed = [\"100.00\", \"-200.00\"]", "negative"),
];

fn findings(text: &str) -> Vec<Finding> {
    let read = |_: &str| Err(std::io::Error::other("no file"));
    match config::parse("test.toml", text, &read) {
        Ok(model) => model.warnings,
        Err(error) => error.findings().to_vec(),
    }
}

/// Whether a mistake can't be known beside another one.
fn is_unknowable(hiding: &Edit, hidden: &Edit) -> bool {
    let needs_symbols = ["unknown-symbol", "pay-on-no-reel", "strip-length"];
    match hiding.1 {
        // The strip may have any symbol.
        "  7," => needs_symbols.contains(&hidden.2),
        // No bets, so that no index and no length is wrong; the mix counts for nothing.
        "" if hiding.0.starts_with("amounts") => ["bet-index", "mix-length"].contains(&hidden.2),
        // A short strip and a low line fit a window whose rows are not known.
        _ if hiding.0 == "rows = 3" => hidden.1 == "  \"A B\"," || hidden.2 == "line-window",
        // Another segment awards the feature, and a trigger is one too many whatever the segment's weight.
        _ if hidden.2 == "unreachable-trigger" && hidden.0.contains("golden") => hiding.1.contains("9_999_999"),
        _ if hidden.2 == "unreachable-trigger" && hidden.0.contains("super") => hiding.2 == "trigger-kind",
        // Paylines that are not known may be any number of lines.
        "shapes = \"centre\"" | "shapes = 5" => hidden.1 == "lines = 30",
        _ => false,
    }
}

fn edited(text: &str, edits: &[&Edit]) -> (String, Vec<(usize, &'static str)>) {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut expected = Vec::new();
    for (old, new, code) in edits {
        let index = text.lines().position(|line| line == *old).unwrap_or_else(|| panic!("no line {old}"));
        lines[index] = new.to_string();
        expected.push((index, *code));
    }
    (lines.join("\n"), expected)
}

fn codes(found: &[Finding]) -> Vec<&'static str> {
    let mut codes: Vec<_> =
        found.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes
}

/// The findings expected, those found, if they differ.
fn difference(text: &str, edits: &[&Edit]) -> Option<String> {
    let (broken, expected) = edited(text, edits);
    let mut expected: Vec<_> = expected.into_iter().map(|(_, code)| code).collect();
    expected.sort_unstable();
    let found = findings(&broken);
    (codes(&found) != expected).then(|| {
        let shown = found.iter().map(|f| format!("\n      {} :{} {}", f.code, f.line, f.message));
        let news: Vec<_> = edits.iter().map(|edit| edit.1).collect();
        format!("{news:?}: expected {expected:?}, found{}", shown.collect::<String>())
    })
}

/// Goal: every mistake is reported whatever else is wrong, and nothing is reported that is no mistake of its own.
/// Method: each edit alone, and each pair of edits of different lines, gives exactly its own findings.
#[test]
fn no_mistake_hides_another_or_brings_one_along() {
    let mut wrong = Vec::new();
    for (text, edits) in [(REELS, &REEL_EDITS[..]), (OUTCOMES, &OUTCOME_EDITS[..])] {
        assert_eq!(codes(&findings(text)), Vec::<&str>::new());
        for (position, one) in edits.iter().enumerate() {
            wrong.extend(difference(text, &[one]));
            for other in edits[..position].iter().filter(|other| other.0 != one.0) {
                if !is_unknowable(one, other) && !is_unknowable(other, one) {
                    wrong.extend(difference(text, &[one, other]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{} in all", wrong[..wrong.len().min(40)].join("\n"), wrong.len());
}

/// Goal: all mistakes are reported at once. Method: from each edit on, one edit of each line, as many as can be.
#[test]
fn all_mistakes_together_are_reported() {
    let mut wrong = Vec::new();
    for (text, edits) in [(REELS, &REEL_EDITS[..]), (OUTCOMES, &OUTCOME_EDITS[..])] {
        for start in 0..edits.len() {
            let mut chosen: Vec<&Edit> = Vec::new();
            for edit in edits[start..].iter().chain(&edits[..start]) {
                let fits =
                    |other: &&Edit| other.0 != edit.0 && !is_unknowable(edit, other) && !is_unknowable(other, edit);
                if chosen.iter().all(fits) {
                    chosen.push(edit);
                }
            }
            assert!(chosen.len() >= 10, "{}", chosen.len());
            wrong.extend(difference(text, &chosen));
        }
    }
    assert!(wrong.is_empty(), "{}\n{} in all", wrong[..wrong.len().min(3)].join("\n"), wrong.len());
}
