//! What a server replies, with nothing lost.

use redis::Value;
use std::fmt;

/// A reply. Numbers stay what the server sent: an integer or a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Nil,
    Integer(i64),
    /// Bytes, or a word such as OK or QUEUED.
    Text(Vec<u8>),
    Array(Vec<Reply>),
    /// What the server refused, and why.
    Error(String),
}

impl Reply {
    /// The bytes of a text.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// A text as UTF-8; what is none is shown by a sign that stands for it.
    pub fn text(&self) -> Option<String> {
        self.bytes().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// A whole number of at least 0: an integer, or a text in the form in which Redis writes integers.
    #[inline]
    pub fn units(&self) -> Option<u64> {
        match self {
            Self::Integer(number) => u64::try_from(*number).ok(),
            Self::Text(bytes) => canonical(bytes),
            _ => None,
        }
    }
}

/// Digits without a sign or a leading zero, up to `i64::MAX`.
fn canonical(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 19 || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    let mut digits = bytes.iter().map(|byte| byte.is_ascii_digit().then(|| u64::from(byte - b'0')));
    let number = digits.try_fold(0u64, |number, digit| number.checked_mul(10)?.checked_add(digit?))?;
    (number <= i64::MAX as u64).then_some(number)
}

impl fmt::Display for Reply {
    /// As `redis-cli` shows it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => formatter.write_str("(nil)"),
            Self::Integer(number) => write!(formatter, "(integer) {number}"),
            Self::Text(bytes) => write!(formatter, "\"{}\"", bytes.escape_ascii()),
            Self::Array(items) => {
                let items: Vec<String> = items.iter().map(Reply::to_string).collect();
                write!(formatter, "[{}]", items.join(", "))
            }
            Self::Error(reason) => write!(formatter, "(error) {reason}"),
        }
    }
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        match value {
            Value::Nil => Self::Nil,
            Value::Int(number) => Self::Integer(number),
            Value::BulkString(bytes) => Self::Text(bytes),
            Value::SimpleString(text) => Self::Text(text.into_bytes()),
            Value::Okay => Self::Text(b"OK".to_vec()),
            Value::Array(items) | Value::Set(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Value::Map(pairs) => {
                Self::Array(pairs.into_iter().flat_map(|(key, value)| [Self::from(key), Self::from(value)]).collect())
            }
            Value::ServerError(error) => {
                Self::Error(format!("{} {}", error.code(), error.details().unwrap_or_default()).trim_end().to_owned())
            }
            Value::Boolean(yes) => Self::Integer(yes.into()),
            Value::Double(number) => Self::Text(number.to_string().into_bytes()),
            Value::VerbatimString { text, .. } => Self::Text(text.into_bytes()),
            Value::BigNumber(digits) => Self::Text(digits),
            other => Self::Error(format!("a reply of a kind that no command here has: {other:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_redis_writes_is_a_whole_number() {
        for (text, units) in [("0", Some(0)), ("12", Some(12)), ("9223372036854775807", Some(i64::MAX as u64))] {
            assert_eq!(Reply::Text(text.into()).units(), units);
        }
        for text in ["", "-1", "+7", "007", "12.0", "1e3", "9223372036854775808", "99999999999999999999", " 5"] {
            assert_eq!(Reply::Text(text.into()).units(), None, "{text}");
        }
        assert_eq!((Reply::Integer(-1).units(), Reply::Nil.units()), (None, None));
    }
}
