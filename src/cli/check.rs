//! `jackpot check`: every finding of every game file.

use super::arguments::CheckArguments;
use super::failure::{Failure, show_diagnostic};
use super::returns;
use crate::exact::base::BaseFigures;

/// Checks game files; the exit code is 2 if one has an error.
pub fn check(arguments: &CheckArguments) -> Result<u8, Failure> {
    let mut code = 0;
    let mut lines = String::new();
    for path in &arguments.games {
        match super::job::load(path, &arguments.set) {
            Ok(model) => {
                model.warnings.iter().for_each(|warning| show_diagnostic(warning));
                let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
                let above = returns::above_stakes(&model, &base);
                above.iter().for_each(|warning| eprintln!("{warning}"));
                let warnings = match model.warnings.len() + above.iter().len() {
                    0 => String::new(),
                    1 => ", 1 warning".into(),
                    count => format!(", {count} warnings"),
                };
                lines += &format!(
                    "{}: good, {}, {}{warnings}\n",
                    path.display(),
                    counted(model.game.bets.count(), "bet"),
                    counted(model.jackpots.pool_count(), "jackpot pool")
                );
            }
            Err(failure) => {
                failure.print();
                code = code.max(failure.exit_code());
            }
        }
    }
    super::print(lines.as_bytes())?;
    Ok(code)
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
