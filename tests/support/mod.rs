//! The shipped games, for every test that runs them all.

use jackpot::config::{self, Model};
use std::path::Path;

/// A shipped game.
pub struct Game {
    pub name: String,
    pub model: Model,
}

/// The games that ship; a user's own files beside them are none of the tests' business.
const SHIPPED: [&str; 20] = [
    "ags-5000",
    "ainsworth",
    "classic-hits",
    "classic-sevens",
    "cleopatra",
    "cross-dock",
    "diamond-line",
    "double-diamond",
    "double-diamond-deluxe",
    "double-strike",
    "gold-rush",
    "hands-on-r-a",
    "hands-on-r-b",
    "house",
    "lobstermania",
    "mega-drop",
    "megabucks",
    "neon-nights",
    "sizzling",
    "teaching-32",
];

/// Every shipped game, in order of name.
pub fn games() -> Vec<Game> {
    SHIPPED
        .iter()
        .map(|name| {
            let path = Path::new("configs").join(name).with_extension("toml");
            let model = config::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Game { name: model.file_name.clone(), model }
        })
        .collect()
}
