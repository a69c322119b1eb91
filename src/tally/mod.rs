//! Exact counts of what happened, which merge in any order to the same bytes.
//!
//! Everything here is a whole number. [`BaseTally`] counts what spins paid before any jackpot, in return units;
//! [`PoolTally`] counts the money of one pool, in pool units. [`interval`] has the first floating-point figures.

mod base;
mod histogram;
pub mod interval;
mod pool;
mod series;

pub use base::{BaseTally, FeatureTally, LARGEST_KEPT, Moments, Win};
pub use histogram::Histogram;
pub use pool::{Hit, PoolTally};
pub use series::{ConvergencePoint, MeterPoint, Series};

/// Serialises a `u64` or `u128` as decimal text, so that no reader of JSON loses its last digits.
pub mod decimal_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::{fmt::Display, str::FromStr};

    /// Writes the number as text.
    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    /// Reads the number from text.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
    where
        T::Err: Display,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }

    /// The same for a number that may be missing.
    pub mod option {
        use super::*;

        /// Writes the number as text, or null.
        pub fn serialize<T: Display, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
            match value {
                Some(value) => serializer.serialize_some(&value.to_string()),
                None => serializer.serialize_none(),
            }
        }

        /// Reads the number from text, or null.
        pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error>
        where
            T::Err: Display,
        {
            let text = Option::<String>::deserialize(deserializer)?;
            text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
        }
    }

    /// The same for a list.
    pub mod list {
        use super::*;
        use serde::ser::SerializeSeq;

        /// Writes each number as text.
        pub fn serialize<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
            let mut list = serializer.serialize_seq(Some(values.len()))?;
            for value in values {
                list.serialize_element(&value.to_string())?;
            }
            list.end()
        }

        /// Reads each number from text.
        pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error>
        where
            T::Err: Display,
        {
            let texts = Vec::<String>::deserialize(deserializer)?;
            texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
        }
    }
}
