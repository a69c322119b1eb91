//! `--vary`: which value of a game file varies, and over what: `grand.contribution=0.1%..0.5%:0.05%`,
//! `mini.trigger.odds=200,500,1000`.

use std::fmt;
use std::str::FromStr;

/// Most values of one range.
const VALUES_MAX: i128 = 1_000_000;

/// Most decimals that a value may have.
const DECIMALS_MAX: usize = 12;

/// A path into a game file and the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vary {
    pub path: String,
    pub values: Values,
}

/// What a value varies over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// As typed.
    List(Vec<String>),
    /// From one to another, both included; without a step in as many decimals as make sense.
    Range { low: Number, high: Number, step: Option<Number> },
    /// Wherever the game allows.
    Open,
}

/// A decimal number with what stands behind it: `0.05%`, `50 x bet`, `200`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// The number without its point.
    pub digits: i128,
    pub decimals: usize,
    /// `%`, ` x bet`, or nothing.
    pub suffix: String,
}

impl Number {
    /// The same number with more decimals. Those that it has stay.
    pub fn widened(&self, decimals: usize) -> Self {
        let more = decimals.saturating_sub(self.decimals);
        Self {
            digits: self.digits * 10i128.pow(more as u32),
            decimals: self.decimals + more,
            suffix: self.suffix.clone(),
        }
    }

    /// Its value, the suffix left aside.
    pub fn value(&self) -> f64 {
        self.digits as f64 / 10f64.powi(self.decimals as i32)
    }

    /// Another number in the same decimals and with the same suffix.
    pub fn with(&self, digits: i128) -> Self {
        Self { digits, ..self.clone() }
    }
}

impl fmt::Display for Number {
    /// Without zeros at the end of its decimals.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = format!("{:0>width$}", self.digits.unsigned_abs(), width = self.decimals + 1);
        let (whole, decimals) = plain.split_at(plain.len() - self.decimals);
        let decimals = decimals.trim_end_matches('0');
        let sign = if self.digits < 0 { "-" } else { "" };
        let point = if decimals.is_empty() { "" } else { "." };
        write!(formatter, "{sign}{whole}{point}{decimals}{}", self.suffix)
    }
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let error = || format!("{text:?} is no decimal number such as 0.5%, 200, 10000.00 or 50 x bet");
        let end =
            text.find(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | '_' | '-'))).unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let suffix = match suffix.split_whitespace().collect::<Vec<_>>().join(" ").as_str() {
            "" => "",
            "%" => "%",
            "x bet" => " x bet",
            "x total bet" => " x total bet",
            "x line bet" => " x line bet",
            _ => return Err(error()),
        };
        let plain: String = number.chars().filter(|&sign| sign != '_').collect();
        let (whole, decimals) = plain.split_once('.').unwrap_or((&plain, ""));
        if decimals.len() > DECIMALS_MAX || whole.len() > 20 {
            return Err(error());
        }
        let digits = format!("{whole}{decimals}").parse().map_err(|_| error())?;
        Ok(Self { digits, decimals: decimals.len(), suffix: suffix.to_owned() })
    }
}

impl Values {
    /// Every value of a list or a range with a step, in order.
    ///
    /// # Errors
    /// What is missing or too much.
    pub fn all(&self) -> Result<Vec<String>, String> {
        match self {
            Self::List(values) => Ok(values.clone()),
            Self::Range { low, high, step: Some(step) } => {
                if step.digits <= 0 {
                    return Err(format!("the step {step} is not above 0"));
                }
                let count = (high.digits - low.digits) / step.digits + 1;
                if count > VALUES_MAX {
                    return Err(format!("{count} values are more than {VALUES_MAX}; widen the step {step}"));
                }
                Ok((0..count).map(|place| low.with(low.digits + place * step.digits).to_string()).collect())
            }
            Self::Range { low, high, step: None } => Err(format!("a step is missing: {low}..{high}:STEP")),
            Self::Open => Err("values are missing: PATH=0.1%..0.5%:0.05% or PATH=200,500,1000".into()),
        }
    }
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((path, values)) = text.split_once('=') else {
            let path = text.trim();
            return if path.is_empty() {
                Err("a path is missing".into())
            } else {
                Ok(Self { path: path.into(), values: Values::Open })
            };
        };
        let path = path.trim().to_owned();
        if path.is_empty() {
            return Err(format!("{text:?} has no path before `=`"));
        }
        let values = match values.split_once("..") {
            Some((low, high)) => {
                let (high, step) = match high.rsplit_once(':') {
                    Some((high, step)) => (high, Some(step.parse()?)),
                    None => (high, None),
                };
                range(low.parse()?, high.parse()?, step)?
            }
            None => {
                // A comma within brackets is part of a value.
                let list = list(values);
                if list.iter().any(String::is_empty) {
                    return Err(format!("{text:?} has an empty value"));
                }
                Values::List(list)
            }
        };
        Ok(Self { path, values })
    }
}

/// Both ends, and the step, in the same decimals and with the same suffix; a bare end takes that of the other.
fn range(low: Number, high: Number, step: Option<Number>) -> Result<Values, String> {
    let suffixes: Vec<&str> =
        [Some(&low), Some(&high), step.as_ref()].into_iter().flatten().map(|number| number.suffix.as_str()).collect();
    let suffix = suffixes.iter().find(|suffix| !suffix.is_empty()).copied().unwrap_or("").to_owned();
    if suffixes.iter().any(|other| !other.is_empty() && *other != suffix) {
        return Err(format!("the ends and the step of {low}..{high} are not of one kind"));
    }
    let decimals =
        [low.decimals, high.decimals, step.as_ref().map_or(0, |step| step.decimals)].into_iter().max().unwrap_or(0);
    let alike = |number: Number| Number { suffix: suffix.clone(), ..number.widened(decimals) };
    let (low, high) = (alike(low), alike(high));
    if low.digits > high.digits {
        return Err(format!("the range {low}..{high} is empty: its lower end is the higher"));
    }
    Ok(Values::Range { low, high, step: step.map(alike) })
}

fn list(text: &str) -> Vec<String> {
    let (mut depth, mut quoted) = (0i32, false);
    let mut values = vec![String::new()];
    for sign in text.chars() {
        match sign {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ',' if depth == 0 && !quoted => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        values.last_mut().expect("it is never empty").push(sign);
    }
    values.iter().map(|value| value.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<String>, String> {
        text.parse::<Vary>()?.values.all()
    }

    #[test]
    fn ranges_and_lists_give_their_values_exactly() {
        assert_eq!(values("a.b=0.1%..0.5%:0.1%").unwrap(), ["0.1%", "0.2%", "0.3%", "0.4%", "0.5%"]);
        assert_eq!(values("a=1..3:1").unwrap(), ["1", "2", "3"]);
        assert_eq!(values("a=10 x bet..20 x bet:5").unwrap(), ["10 x bet", "15 x bet", "20 x bet"]);
        assert_eq!(values("a=0.5..1:.25").unwrap(), ["0.5", "0.75", "1"]);
        assert_eq!(values("a=200, 500,1_000").unwrap(), ["200", "500", "1_000"]);
        assert_eq!(values("bets.mix=[1, 2],[3, 4]").unwrap(), ["[1, 2]", "[3, 4]"]);
    }

    #[test]
    fn what_gives_no_values_is_refused() {
        for text in ["a=1..2", "a", "a=2..1:1", "a=1..2:0", "a=1%..2 x bet:1", "a=0..1e9:1", "a=1,,2", "a=x..y:1", "=1"]
        {
            assert!(values(text).is_err(), "{text}");
        }
        assert!(values("a=0..10000000:1").unwrap_err().contains("widen the step"));
    }

    #[test]
    fn numbers_are_written_as_short_as_they_are() {
        for (text, shown) in
            [("0.050%", "0.05%"), ("200.00", "200"), ("-1.5", "-1.5"), ("50x bet", "50 x bet"), (".5", "0.5")]
        {
            assert_eq!(text.parse::<Number>().unwrap().to_string(), shown);
        }
    }
}
