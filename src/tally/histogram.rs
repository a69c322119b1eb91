//! Counts by value, kept sparse: (lowest value of its bucket, count) pairs in order.

use serde::{Deserialize, Serialize};

/// Sparse counts of whole numbers. Values below 2^`exact_bits` are kept exactly; above, a value is rounded down to
/// `exact_bits` significant bits, as an HDR histogram does. 11 bits are three decimal digits, 8 bits two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    exact_bits: u32,
    /// In increasing order of value; the values as decimal text in JSON.
    #[serde(with = "pairs")]
    counts: Vec<(u64, u64)>,
}

impl Histogram {
    /// An empty histogram.
    pub fn new(exact_bits: u32) -> Self {
        Self { exact_bits, counts: Vec::new() }
    }

    /// Number of significant bits that are kept.
    pub fn exact_bits(&self) -> u32 {
        self.exact_bits
    }

    /// Lowest value of the bucket that a value falls into.
    pub fn bucket(&self, value: u64) -> u64 {
        let bits = 64 - value.leading_zeros();
        let dropped = bits.saturating_sub(self.exact_bits);
        value >> dropped << dropped
    }

    /// Counts a value `times` times.
    pub fn record(&mut self, value: u64, times: u64) {
        let bucket = self.bucket(value);
        match self.counts.binary_search_by_key(&bucket, |&(lowest, _)| lowest) {
            Ok(position) => self.counts[position].1 += times,
            Err(position) => self.counts.insert(position, (bucket, times)),
        }
    }

    /// Adds all counts of another histogram of the same precision.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.exact_bits, other.exact_bits, "histograms of one precision merge");
        for &(value, times) in &other.counts {
            self.record(value, times);
        }
    }

    /// (lowest value of the bucket, count), in increasing order.
    pub fn counts(&self) -> &[(u64, u64)] {
        &self.counts
    }

    /// Number of values counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| count).sum()
    }
}

/// (value, count) pairs with the value as decimal text.
mod pairs {
    use serde::{Deserialize, Deserializer, Serializer, de::Error, ser::SerializeSeq};

    pub fn serialize<S: Serializer>(pairs: &[(u64, u64)], serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(pairs.len()))?;
        for (value, count) in pairs {
            list.serialize_element(&(value.to_string(), count))?;
        }
        list.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(u64, u64)>, D::Error> {
        let pairs = Vec::<(String, u64)>::deserialize(deserializer)?;
        pairs.into_iter().map(|(value, count)| Ok((value.parse().map_err(D::Error::custom)?, count))).collect()
    }
}
