//! The shipped games, for every test that runs them all.

use jackpot::config::{self, Model};
use std::path::PathBuf;

/// A shipped game.
pub struct Game {
    pub name: String,
    pub model: Model,
}

/// Every game under `configs/`, in order of name.
pub fn games() -> Vec<Game> {
    let mut files: Vec<PathBuf> = std::fs::read_dir("configs")
        .expect("the folder of games")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 9, "the shipped games are missing");
    files
        .into_iter()
        .map(|path| {
            let model = config::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Game { name: model.file_name.clone(), model }
        })
        .collect()
}
