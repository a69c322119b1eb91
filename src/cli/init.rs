//! `jackpot init`: a commented game to begin with, from flags or a few questions.

use super::arguments::InitArguments;
use super::failure::Failure;
use super::output::{refuse_file, write_file};
use crate::config::{self, Starter};
use crate::exact::base::BaseFigures;
use crate::metrics::quantity::shown;
use crate::tune::figures;
use std::io::IsTerminal;

const NAME: &str = "My game";
const CURRENCY: &str = "USD";
const BETS: &str = "0.20,0.40,1.00,2.00,5.00";
const LEVELS: &str = "mini,minor,major,grand";

/// Writes the game, unless something stands in its place.
pub fn init(arguments: &InitArguments) -> Result<u8, Failure> {
    refuse_file(&arguments.file, arguments.force)?;
    let starter = if arguments.asks() { asked()? } else { from_flags(arguments) };
    let text = starter.text().map_err(|errors| Failure::Usage(errors.join("\nerror: ")))?;
    let name = arguments.file.display().to_string();
    let model = config::parse(&name, &text, &|_| Err(std::io::Error::other("a starter has no tables")))
        .map_err(|error| Failure::Game(Box::new(error)))?;
    let base = BaseFigures::new(&model.game, model.jackpots.levels.len());
    let readings = figures::readings(&model, &base);
    write_file(&arguments.file, text.as_bytes(), arguments.force)?;
    let figure = |metric: &str| readings.get(metric).and_then(|reading| Some(shown(reading.value?, reading.unit)));
    let known = |metric: &str| figure(metric).unwrap_or_else(|| "an unknown share".into());
    let text = format!(
        "{name}: {} returns {}, {} of it from {} jackpot levels\nnext:\n  jackpot exact {name}\n  jackpot run {name} --spins 20M\n",
        model.game.name,
        known("rtp"),
        figure("jackpots").unwrap_or_else(|| "nothing".into()),
        model.jackpots.levels.len()
    );
    super::print(text.as_bytes())?;
    Ok(0)
}

impl InitArguments {
    /// Questions are asked where someone can answer them, and nothing was said.
    fn asks(&self) -> bool {
        let said = self.name.is_some()
            || self.currency.is_some()
            || self.bets.is_some()
            || self.levels.is_some()
            || self.linked.is_some()
            || self.yes;
        !said && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// The last level is linked unless something else is said.
fn linked(levels: &[String]) -> Vec<String> {
    levels.last().filter(|_| levels.len() > 1).cloned().into_iter().collect()
}

fn from_flags(arguments: &InitArguments) -> Starter {
    let levels = list(arguments.levels.as_deref().unwrap_or(LEVELS));
    Starter {
        name: arguments.name.clone().unwrap_or_else(|| NAME.into()),
        currency: arguments.currency.clone().unwrap_or_else(|| CURRENCY.into()),
        bets: list(arguments.bets.as_deref().unwrap_or(BETS)),
        linked: arguments.linked.as_deref().map_or_else(|| linked(&levels), list),
        levels,
    }
}

fn asked() -> Result<Starter, Failure> {
    let ask = |question: &str, default: &str| {
        let answer = dialoguer::Input::<String>::new()
            .with_prompt(question)
            .default(default.to_owned())
            .allow_empty(true)
            .interact_text();
        answer
            .map_err(|error| Failure::Usage(format!("no answer could be read: {error}\n  help: use flags, see --help")))
    };
    let name = ask("Name of the game", NAME)?;
    let currency = ask("Currency", CURRENCY)?;
    let bets = list(&ask("Total bets, smallest first", BETS)?);
    let levels = list(&ask("Jackpot levels, smallest first", LEVELS)?);
    let default = linked(&levels).join(",");
    let linked = list(&ask("Levels with one pool for all bets", &default)?);
    Ok(Starter { name, currency, bets, levels, linked })
}
