//! What a chunk of spins leaves for the committer: spins per bet, money paid before jackpots, and triggers in order.

use std::io::{self, Read, Write};

/// Facts of one chunk. They depend on no balance, so chunks are played in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChunkFacts {
    /// Spins at each bet index.
    pub spins_by_bet: Vec<u32>,
    /// Paid by the base game, in pool units.
    pub paid_base: u128,
    /// Paid by features, in pool units.
    pub paid_features: u128,
    /// Odds and symbols triggers, by offset, then level.
    pub triggers: Vec<TriggerFact>,
    /// Spin counts that triggers refer to.
    pub counts: Vec<u32>,
    /// Bet index of each spin, where the committer will need them; not written, since they can be drawn again.
    pub bets: Vec<u16>,
}

/// A level's trigger came up at a spin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerFact {
    /// Spin within the chunk, from 0.
    pub offset: u32,
    pub level: u16,
    pub bet_index: u16,
    /// Where in `counts` stand the spins made so far in the chunk, this one included: at every bet index for a linked
    /// level, else at this bet index alone.
    pub counts_at: u32,
}

impl ChunkFacts {
    /// Puts triggers in order: by spin, then by level.
    pub fn sort_triggers(&mut self) {
        self.triggers.sort_unstable_by_key(|trigger| (trigger.offset, trigger.level));
    }

    /// Writes the facts as a stream of variable-length integers.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut put = |value: u128| write_varint(out, value);
        put(self.spins_by_bet.len() as u128)?;
        for &spins in &self.spins_by_bet {
            put(spins.into())?;
        }
        put(self.paid_base)?;
        put(self.paid_features)?;
        put(self.triggers.len() as u128)?;
        for trigger in &self.triggers {
            put(trigger.offset.into())?;
            put(trigger.level.into())?;
            put(trigger.bet_index.into())?;
            put(trigger.counts_at.into())?;
        }
        put(self.counts.len() as u128)?;
        for &count in &self.counts {
            put(count.into())?;
        }
        Ok(())
    }

    /// Reads facts as [`Self::write`] wrote them.
    pub fn read(input: &mut impl Read) -> io::Result<Self> {
        fn list<T>(input: &mut impl Read, mut item: impl FnMut(u128) -> io::Result<T>) -> io::Result<Vec<T>> {
            let length = narrow::<u32>(read_varint(input)?)?;
            (0..length).map(|_| item(read_varint(input)?)).collect()
        }
        let spins_by_bet = list(input, narrow)?;
        let paid_base = read_varint(input)?;
        let paid_features = read_varint(input)?;
        let length = narrow::<u32>(read_varint(input)?)?;
        let mut triggers = Vec::new();
        for _ in 0..length {
            triggers.push(TriggerFact {
                offset: narrow(read_varint(input)?)?,
                level: narrow(read_varint(input)?)?,
                bet_index: narrow(read_varint(input)?)?,
                counts_at: narrow(read_varint(input)?)?,
            });
        }
        let counts = list(input, narrow)?;
        Ok(Self { spins_by_bet, paid_base, paid_features, triggers, counts, bets: Vec::new() })
    }
}

fn narrow<T: TryFrom<u128>>(value: u128) -> io::Result<T> {
    T::try_from(value).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "a number is out of its range"))
}

fn write_varint(out: &mut impl Write, mut value: u128) -> io::Result<()> {
    let mut bytes = [0u8; 19];
    let mut length = 0;
    loop {
        let more = value >= 128;
        bytes[length] = (value & 127) as u8 | u8::from(more) << 7;
        length += 1;
        value >>= 7;
        if !more {
            return out.write_all(&bytes[..length]);
        }
    }
}

fn read_varint(input: &mut impl Read) -> io::Result<u128> {
    let mut value = 0u128;
    for shift in (0..128).step_by(7) {
        let mut byte = [0u8];
        input.read_exact(&mut byte)?;
        value |= u128::from(byte[0] & 127) << shift;
        if byte[0] & 128 == 0 {
            return Ok(value);
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "a number has no end"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_as_they_were_written() {
        let facts = ChunkFacts {
            spins_by_bet: vec![3, 0, 65_536],
            paid_base: u128::from(u64::MAX) * 1000,
            paid_features: 127,
            triggers: vec![TriggerFact { offset: 65_535, level: 3, bet_index: 2, counts_at: 1 }],
            counts: vec![1, 2, 300],
            bets: Vec::new(),
        };
        let mut bytes = Vec::new();
        facts.write(&mut bytes).unwrap();
        assert_eq!(ChunkFacts::read(&mut bytes.as_slice()).unwrap(), facts);
        let cut = &bytes[..bytes.len() - 1];
        assert!(ChunkFacts::read(&mut &cut[..]).is_err());
    }
}
