//! Tables of strips as they are met: each file of `tests/strips` is read as the same reels, or as those named here.

use std::path::Path;

use jackpot::config::{self, ConfigError, Finding, Model, Severity};
use jackpot::game::Play;

/// The reels of most files.
const REELS: [&str; 3] = ["A #️⃣ 777 9 S", "B 777 9 S A A", "🍒 7️⃣ B A #️⃣ 9 S"];

fn parse(table: &str) -> Result<Model, ConfigError> {
    let text = "name = \"Strips\"\ncurrency = \"USD\"\nsource = \"a test\"\n[bets]\namounts = [1]\n[reels]\nrows = 2\n\
                strips = \"strips.csv\"\n";
    config::parse("test.toml", text, &|_| Ok(table.to_string()))
}

fn reels(table: &str) -> Vec<String> {
    let model = parse(table).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let Play::Reels(reels) = &model.game.play else { panic!("a game of reels") };
    let name = |&stop: &u8| reels.symbols[usize::from(stop)].name.clone();
    reels.strip_sets[0].iter().map(|strip| strip.stops.iter().map(name).collect::<Vec<_>>().join(" ")).collect()
}

fn findings(table: &str) -> Vec<Finding> {
    match parse(table) {
        Ok(model) => model.warnings,
        Err(error) => error.findings().to_vec(),
    }
}

/// Goal: every accepted form is read as it is meant. Method: the same reels are written in each form.
#[test]
fn every_form_gives_the_same_reels() {
    let others = ["wide", "digits", "digits-index"];
    let mut count = 0;
    for entry in std::fs::read_dir("tests/strips").expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.extension().is_none_or(|end| end != "csv") || others.contains(&name.as_str()) {
            continue;
        }
        count += 1;
        assert_eq!(reels(&std::fs::read_to_string(&path).expect("a table")), REELS, "{name}");
    }
    assert!(count >= 20);
}

#[test]
fn more_columns_than_reels_are_a_reel_per_row() {
    let table = std::fs::read_to_string("tests/strips/wide.csv").expect("a table");
    assert_eq!(reels(&table), ["A B A B A B A B A B A B", "B A A S B A A S B A A S"]);
}

#[test]
fn symbols_may_be_numbers_beside_numbers_of_stops() {
    let table = |name: &str| std::fs::read_to_string(Path::new("tests/strips").join(name)).expect("a table");
    assert_eq!(reels(&table("digits.csv")), ["1 3 2 1", "3 1 3 2"]);
    assert_eq!(reels(&table("digits-index.csv")), ["1 3 2 1", "2 1 3 2"]);
}

/// Goal: what can't be told is said, at its cell, and brings nothing else along.
#[test]
fn what_cannot_be_told_is_a_finding_at_its_cell() {
    let cases = [
        // Symbols of reel 1, or numbers of the stops.
        ("1,3,2\n2,1,3\n3,2,1\n", "strip-index", (1, 1)),
        ("A;B;C\nA;B,C;D\n", "csv-separator", (2, 4)),
        ("A\tB\nA,B\nA\tC\n", "csv-separator", (2, 2)),
        ("A,\"B\nA,B\n", "csv-quote", (1, 3)),
        ("Reel 1,Reel 1\nA,B\nB,A\n", "strip-header", (1, 1)),
        ("Reel 2,Reel 3\nA,B\nB,A\n", "strip-header", (1, 1)),
        ("Reel 1,Reel 2,\nA,B,C\nB,A,C\n", "strip-header", (1, 15)),
        ("stop,Reel 1\n1,A\n3,B\n", "strip-index", (3, 1)),
        ("A,B\n,B\nA,B\n", "strip-gap", (2, 1)),
        ("A,,B\nA,,B\n", "strip-gap", (1, 3)),
        ("Reel 1,A,,B,C\nReel 2,A,B,C,B\n", "strip-gap", (1, 10)),
        // Warnings: the table can be used.
        ("1,2\n2,1\n1,1\n", "strip-header", (1, 1)),
        ("Wild,A\nwild,A\nWild,B\n", "similar-symbols", (2, 1)),
        ("Red 7,A\nRed7,A\n", "similar-symbols", (2, 1)),
    ];
    for (table, code, place) in cases {
        let found: Vec<_> = findings(table).iter().map(|f| (f.file.clone(), f.code, (f.line, f.column))).collect();
        assert_eq!(found, [("strips.csv".to_string(), code, place)], "{table}");
    }
}

#[test]
fn a_table_without_cells_is_no_reels() {
    for table in ["", "# nothing\n", ",,\n", "Reel 1,Reel 2\n"] {
        let found = findings(table);
        let errors = found.iter().filter(|finding| finding.severity == Severity::Error).count();
        assert!(errors >= 1, "{table}: {found:?}");
    }
}
