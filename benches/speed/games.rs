//! The games that are timed.

use jackpot::config::{self, Model};
use std::path::Path;

/// The game that `make run` plays.
pub fn classic_hits() -> Model {
    config::load(Path::new("configs/classic-hits.toml")).expect("a shipped game")
}

/// A 5x3 game of five lines without jackpots.
pub fn sizzling() -> Model {
    config::load(Path::new("configs/sizzling.toml")).expect("a shipped game")
}

/// An outcome table of 500 rows with four odds levels at each of so many bets.
pub fn outcome_game(bets: usize) -> Model {
    let rows: Vec<String> =
        (0..500u64).map(|row| format!("[{}, {}]", row * 37 % 400, 1 + 100_000 / (row + 1))).collect();
    let amounts: Vec<String> = (1..=bets).map(|bet| format!("\"{}.00\"", bet)).collect();
    let levels: Vec<String> = [("mini", 2_000), ("minor", 20_000), ("major", 500_000), ("grand", 20_000_000)]
        .iter()
        .map(|(level, odds)| {
            format!(
                "[[jackpot]]\nlevel = \"{level}\"\ncontribution = \"0.5%\"\nseed = \"50 x bet\"\npool = \"per bet\"\n\
                 trigger = {{ odds = {odds} }}\n"
            )
        })
        .collect();
    let text = format!(
        "name = \"Outcome table\"\ncurrency = \"USD\"\nsource = \"made for a benchmark\"\n\n[bets]\namounts = [{}]\n\n\
         [outcomes]\nunit = \"credits\"\nbet_credits = 100\nrows = [{}]\n\n{}",
        amounts.join(", "),
        rows.join(", "),
        levels.join("\n")
    );
    config::parse("outcome-table", &text, &|_| Err(std::io::ErrorKind::NotFound.into())).expect("a good game")
}
