//! A value of a game file that may be turned, in steps between bounds.

use crate::config::{Model, Override};

use super::evaluate::Workbench;
use super::vary::{Number, Values, Vary};

/// A value that may be turned. Its positions are whole numbers of steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    pub path: String,
    /// What stands in the file now, as typed.
    pub was: Option<String>,
    /// Position 0 in the decimals and with the suffix of every position.
    unit: Number,
    step: i128,
    pub low: i128,
    pub high: i128,
    pub start: i128,
    /// Whether the bounds were given, and not chosen here.
    pub bounded: bool,
}

/// A value without bounds of its own may grow by this factor.
const GROWTH_MAX: i128 = 1_000;

impl Knob {
    /// Of a path as the file has it now.
    ///
    /// # Errors
    /// What is needed for a value that isn't there, or is no plain decimal.
    pub fn new(vary: &Vary, workbench: &Workbench, model: &Model) -> Result<Self, String> {
        let path = &vary.path;
        let change =
            Override::new(path, "0").map_err(|_| format!("--vary {path}: {path:?} is no path into a game file"))?;
        let was = workbench.current(&change);
        let now: Option<Number> = was.as_deref().and_then(|text| text.parse().ok());
        let help = format!("give bounds in the form that it should have, such as --vary '{path}=0.1%..1%'");
        let (low, high, step, bounded) = match &vary.values {
            Values::List(_) => {
                return Err(format!("--vary {path}: a list of values can't be searched\n  help: {help}"));
            }
            Values::Range { low, high, step } => (low.clone(), high.clone(), step.clone(), true),
            Values::Open => {
                let now = now.clone().ok_or_else(|| match &was {
                    Some(text) => format!("--vary {path}: {text:?} is no plain decimal\n  help: {help}"),
                    None => format!("--vary {path}: the game has no single value there\n  help: {help}"),
                })?;
                let unit = now.widened(decimals(path, &now, model));
                let high = match unit.suffix.as_str() {
                    "%" => unit.with(100 * 10i128.pow(unit.decimals as u32)),
                    _ if unit.digits <= 0 => {
                        return Err(format!("--vary {path}: it is {now}, which gives no bounds\n  help: {help}"));
                    }
                    _ => unit.with(unit.digits.saturating_mul(GROWTH_MAX)),
                };
                (unit.with(i128::from(path.ends_with("odds"))), high, None, false)
            }
        };
        let finest = low.decimals.max(if step.is_some() { 0 } else { decimals(path, &low, model) });
        let (low, high) = (low.widened(finest), high.widened(finest));
        let step = step.map_or(1, |step| step.widened(finest).digits);
        if step <= 0 {
            return Err(format!("--vary {path}: the step is not above 0"));
        }
        let start = now.filter(|now| now.suffix == low.suffix).map(|now| {
            let digits = now.value() * 10f64.powi(finest as i32);
            (digits.round() as i128).clamp(low.digits, high.digits)
        });
        let start = start.unwrap_or((low.digits + high.digits) / 2);
        Ok(Self {
            path: path.clone(),
            was,
            unit: low.with(0),
            step,
            low: (low.digits + step - 1).div_euclid(step),
            high: high.digits.div_euclid(step),
            start: (start / step).clamp((low.digits + step - 1).div_euclid(step), high.digits.div_euclid(step)),
            bounded,
        })
    }

    /// A position as it is written.
    pub fn text(&self, position: i128) -> String {
        self.unit.with(position * self.step).to_string()
    }

    /// The change that turns it to a position.
    pub fn change(&self, position: i128) -> Override {
        Override::new(&self.path, &self.text(position)).expect("the path was read")
    }

    /// Its bounds and its step, in words.
    pub fn range(&self) -> String {
        format!("{} to {} by {}", self.text(self.low), self.text(self.high), self.text(1))
    }
}

/// Decimals that a value of this kind sensibly has.
fn decimals(path: &str, number: &Number, model: &Model) -> usize {
    let key = path.rsplit('.').next().unwrap_or(path);
    let counted = ["odds", "mix", "spins", "spins_per_day", "weight", "weights", "retrigger", "multiplier"];
    match number.suffix.as_str() {
        "%" => 4,
        "" if counted.iter().any(|counted| key.split('[').next() == Some(counted)) => 0,
        "" if ["contribution", "reserve"].contains(&key) => 6,
        "" => model.unit.minor_digits as usize,
        _ => 2,
    }
}
