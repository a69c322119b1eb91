//! Amounts as a subject's fields hold them: whole *atoms*, one pool unit each where the encoding is integer, 10^-17 of
//! the currency's major unit where it is float, since Redis writes 17 decimals.

use crate::money::PoolUnit;
use crate::pool::subject::{Encoding, Reading, Rounding, Subject};
use crate::redis_link::Reply;

/// Atoms of one major unit where the encoding is float.
pub const PER_MAJOR: i128 = 100_000_000_000_000_000;

/// Decimals that an atom has.
const DECIMALS: u32 = 17;

/// How amounts of a game are written by a subject.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    encoding: Encoding,
    decimals: u32,
    rounding: Rounding,
    units_per_major: i128,
}

impl Scale {
    /// For the amounts of a game.
    pub fn new(subject: &Subject, unit: &PoolUnit) -> Self {
        Self {
            encoding: subject.encoding,
            decimals: subject.decimals,
            rounding: subject.rounding,
            units_per_major: unit.per_major() as i128,
        }
    }

    /// Atoms of an amount that is sent, cut to the subject's decimals.
    pub fn atoms(&self, units: u64) -> i128 {
        let units = i128::from(units);
        if self.encoding == Encoding::Integer {
            return units;
        }
        let step = 10i128.pow(DECIMALS - self.decimals);
        divided(units * (PER_MAJOR / step), self.units_per_major, self.rounding) * step
    }

    /// Pool units, times a million, of so many atoms: exact enough to name what was lost.
    pub fn micro_units(&self, atoms: i128) -> i128 {
        match self.encoding {
            Encoding::Integer => atoms * 1_000_000,
            // Atoms are below 10^30 and units_per_major is at most 10^12: divided first by what both have in common.
            Encoding::Float => {
                divided(atoms / 1_000 * self.units_per_major, PER_MAJOR / 1_000_000_000, Rounding::HalfEven)
            }
        }
    }

    /// Atoms as text, as they are sent.
    pub fn text(&self, atoms: i128) -> String {
        match self.encoding {
            Encoding::Integer => atoms.to_string(),
            Encoding::Float => decimal(atoms),
        }
    }

    /// Atoms of one pool unit, rounded down; at least 1.
    pub fn unit(&self) -> i128 {
        match self.encoding {
            Encoding::Integer => 1,
            Encoding::Float => (PER_MAJOR / self.units_per_major).max(1),
        }
    }

    /// What the service makes of a reply.
    pub fn read(&self, reply: &Reply, reading: Reading, nil_is_zero: bool) -> Read {
        match reply {
            Reply::Error(reason) => Read::Refused(reason.clone()),
            Reply::Nil if nil_is_zero => Read::Amount(0),
            Reply::Array(items) if items.len() == 1 => self.read(&items[0], reading, nil_is_zero),
            _ => self.number(reply, reading).map_or_else(|| Read::Nonsense(reply.to_string()), Read::Amount),
        }
    }

    fn number(&self, reply: &Reply, reading: Reading) -> Option<i128> {
        let text = match reply {
            Reply::Integer(number) => return Some(i128::from(*number) * self.whole()),
            Reply::Text(bytes) => std::str::from_utf8(bytes).ok()?,
            _ => return None,
        };
        match (reading, self.encoding) {
            (Reading::Integer, _) | (Reading::Text, Encoding::Integer) => {
                text.parse::<i64>().ok().map(|number| i128::from(number) * self.whole())
            }
            (Reading::Text | Reading::Nothing, _) => self.parse(text),
            (Reading::Float, _) => text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| {
                // 17 decimals hold more than the number does.
                self.parse(&format!("{number:.17}")).unwrap_or(i128::MAX)
            }),
        }
    }

    /// Atoms of a whole number that is read.
    fn whole(&self) -> i128 {
        match self.encoding {
            Encoding::Integer => 1,
            Encoding::Float => PER_MAJOR,
        }
    }

    /// Atoms of a text in the form in which they are stored: digits, with decimals where the encoding has them.
    pub fn parse(&self, text: &str) -> Option<i128> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 20 || decimals.len() > 17 || !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let whole: i128 = whole.parse().ok()?;
        match self.encoding {
            Encoding::Integer if decimals.is_empty() && !digits.contains('.') => Some(sign * whole),
            Encoding::Integer => {
                // 12.0 is 12 units; a part of a unit is no amount here.
                decimals.bytes().all(|byte| byte == b'0').then_some(sign * whole)
            }
            Encoding::Float => {
                let decimals: i128 = format!("{decimals:0<17}").parse().ok()?;
                Some(sign * (whole * PER_MAJOR + decimals))
            }
        }
    }
}

/// What the service makes of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// In atoms.
    Amount(i128),
    /// The server refused.
    Refused(String),
    /// A reply that is no amount, as redis-cli shows it.
    Nonsense(String),
}

impl Read {
    /// The amount; nothing else pays anything.
    pub fn amount(&self) -> Option<i128> {
        if let Self::Amount(atoms) = self { Some(*atoms) } else { None }
    }
}

/// Atoms as a decimal text without trailing zeros.
fn decimal(atoms: i128) -> String {
    let sign = if atoms < 0 { "-" } else { "" };
    let (whole, rest) = (atoms.unsigned_abs() / PER_MAJOR as u128, atoms.unsigned_abs() % PER_MAJOR as u128);
    let decimals = format!("{rest:017}");
    let decimals = decimals.trim_end_matches('0');
    if decimals.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") }
}

/// A quotient rounded to a whole number; the divisor is positive.
fn divided(number: i128, divisor: i128, rounding: Rounding) -> i128 {
    let (floor, rest) = (number.div_euclid(divisor), number.rem_euclid(divisor));
    let up = match (rounding, (2 * rest).cmp(&divisor)) {
        (Rounding::Down, _) | (_, std::cmp::Ordering::Less) => false,
        (_, std::cmp::Ordering::Greater) | (Rounding::HalfUp, _) => true,
        (Rounding::HalfEven, _) => floor % 2 != 0,
    };
    floor + i128::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(encoding: Encoding, decimals: u32, rounding: Rounding) -> Scale {
        Scale { encoding, decimals, rounding, units_per_major: 10_000 }
    }

    #[test]
    fn amounts_are_cut_as_the_subject_says() {
        let text = |decimals, rounding, units| {
            let scale = scale(Encoding::Float, decimals, rounding);
            scale.text(scale.atoms(units))
        };
        assert_eq!(text(17, Rounding::HalfEven, 127_501), "12.7501");
        for (rounding, cut) in [(Rounding::HalfEven, "0.12"), (Rounding::HalfUp, "0.13"), (Rounding::Down, "0.12")] {
            assert_eq!(text(2, rounding, 1_250), cut);
        }
        let thirds = Scale { units_per_major: 3, ..scale(Encoding::Float, 17, Rounding::HalfEven) };
        assert_eq!(thirds.text(thirds.atoms(2)), "0.66666666666666667");
        assert_eq!(thirds.micro_units(thirds.atoms(2)), 2_000_000);
    }

    #[test]
    fn replies_are_read_as_the_service_reads_them() {
        let float = scale(Encoding::Float, 17, Rounding::HalfEven);
        let text = |text: &str| Reply::Text(text.into());
        let read = |reply: &Reply, reading| float.read(reply, reading, false);
        assert_eq!(read(&Reply::Integer(12), Reading::Integer), Read::Amount(12 * PER_MAJOR));
        assert_eq!(read(&text("12.75"), Reading::Text), Read::Amount(12 * PER_MAJOR + PER_MAJOR / 4 * 3));
        assert_eq!(
            read(&text("1.0000000000133288e+5"), Reading::Float),
            read(&text("100000.00000133288"), Reading::Float)
        );
        assert!(matches!(read(&Reply::Nil, Reading::Integer), Read::Nonsense(_)));
        assert_eq!(float.read(&Reply::Nil, Reading::Integer, true), Read::Amount(0));
        for bad in ["", "12abc", "1e3", "inf", "nan", "0x10"] {
            assert!(matches!(read(&text(bad), Reading::Text), Read::Nonsense(_)), "{bad}");
        }
    }
}
