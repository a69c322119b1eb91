//! `--opening LEVEL=AMOUNT`: what pools open at.

use super::failure::Failure;
use crate::config::Model;
use crate::money::{BALANCE_MAX, PoolUnit};
use crate::sim::run::seeds;

/// What each pool opens at: the seed, or what the options say. `None` if no option is given.
pub fn openings(model: &Model, options: &[String]) -> Result<Option<Vec<u64>>, Failure> {
    if options.is_empty() {
        return Ok(None);
    }
    let mut openings = seeds(&model.jackpots);
    let offsets = model.jackpots.pool_offsets();
    let mut findings = Vec::new();
    for option in options {
        match read(model, option) {
            Ok((level, pool, units)) => {
                let count = model.jackpots.levels[level].pool_count();
                let pools = pool.map_or(0..count, |pool| pool..pool + 1);
                openings[offsets[level] + pools.start..offsets[level] + pools.end].fill(units);
            }
            Err(finding) => findings.push(format!("--opening {option}: {finding}")),
        }
    }
    if findings.is_empty() { Ok(Some(openings)) } else { Err(Failure::Usage(findings.join("\n       "))) }
}

fn read(model: &Model, option: &str) -> Result<(usize, Option<usize>, u64), String> {
    let expected = "expected LEVEL=AMOUNT such as grand=12500.00, or LEVEL@BET_INDEX=AMOUNT for one bet index";
    let (place, amount) = option.split_once('=').ok_or(expected)?;
    let (name, bet_index) = match place.split_once('@') {
        Some((name, index)) => (name, Some(index.parse::<usize>().map_err(|_| expected)?)),
        None => (place, None),
    };
    let names = || model.jackpots.levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>().join(", ");
    let level = (model.jackpots.levels.iter().position(|level| level.name == name))
        .ok_or_else(|| format!("there is no level {name:?}; the game has {}", names()))?;
    let rules = &model.jackpots.levels[level];
    match bet_index {
        Some(_) if rules.linked => return Err(format!("{name} is linked: it has one pool, {name}=AMOUNT")),
        Some(index) if index >= rules.pool_count() => {
            return Err(format!("there is no bet index {index}; the last is {}", rules.pool_count() - 1));
        }
        _ => {}
    }
    let units = units(&model.unit, amount).ok_or_else(|| {
        format!(
            "{amount:?} is no amount that the pools of this game can hold: expected {} with at most the digits of a pool \
             unit, {}",
            model.unit.currency,
            model.unit.unit_text()
        )
    })?;
    Ok((level, bet_index, units))
}

/// A decimal amount of the currency's major unit in pool units, if it is a whole number of them.
fn units(unit: &PoolUnit, text: &str) -> Option<u64> {
    let plain: String = text.chars().filter(|&c| c != ',' && c != '_').collect();
    let (whole, decimals) = plain.split_once('.').unwrap_or((&plain, ""));
    let digits = format!("{whole}{decimals}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let scale = 10u128.checked_pow(decimals.len() as u32)?;
    let scaled = digits.parse::<u128>().ok()?.checked_mul(unit.per_major())?;
    let units = u64::try_from(scaled / scale).ok()?;
    (scaled.is_multiple_of(scale) && units <= BALANCE_MAX).then_some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_exact_or_refused() {
        let unit = PoolUnit { currency: "USD".into(), minor_digits: 2, per_minor: 10 };
        assert_eq!(units(&unit, "12.5"), Some(12_500));
        assert_eq!(units(&unit, "1,000.005"), Some(1_000_005));
        assert_eq!(units(&unit, "0.0001"), None);
        for text in ["", ".", "-1", "1e3", "99999999999999999999"] {
            assert_eq!(units(&unit, text), None, "{text}");
        }
    }
}
