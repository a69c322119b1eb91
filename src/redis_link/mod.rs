//! Connections to a Redis server: the only place that knows the client library.
//!
//! Commands are written to a [`Batch`], sent at once, and answered one by one: an error that the server replies is a
//! [`Reply`] like any other, so that it can't hide what the rest of the batch did. Only a lost connection is an error.

mod address;
pub mod keys;
mod reply;

pub use address::Address;
pub use reply::Reply;

use redis::ConnectionLike;
use std::time::Duration;

/// Why a server could not be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// An address that is none; the text says what was expected.
    #[error("{0}")]
    Address(String),
    /// No connection could be made.
    #[error(
        "Redis at {address} can't be reached: {reason}\n  help: start the server, or correct the address of --redis; a \
         password goes into the URL, best by the environment variable JACKPOT_REDIS_URL"
    )]
    Unreachable { address: String, reason: String },
    /// The connection was lost while a reply was awaited: what was sent may or may not have been done.
    #[error(
        "the connection to Redis at {address} was lost: {reason}\n  help: what was sent last may or may not have been \
         done; look at the server's log, then run again"
    )]
    Lost { address: String, reason: String },
    /// The server refused a command that has to work.
    #[error("Redis at {address} refused {command}: {reason}")]
    Refused { address: String, command: String, reason: String },
}

/// Commands in the protocol of Redis, written one after another.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    count: usize,
}

impl Batch {
    /// Adds a command of so many words; the words follow by [`Self::word`].
    #[inline]
    pub fn command(&mut self, words: usize) {
        self.bytes.push(b'*');
        self.number(words as u64);
        self.count += 1;
    }

    /// The next word of the command.
    #[inline]
    pub fn word(&mut self, word: &[u8]) {
        self.bytes.push(b'$');
        self.number(word.len() as u64);
        self.bytes.extend_from_slice(word);
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// Adds a whole command.
    pub fn push<W: AsRef<[u8]>>(&mut self, words: &[W]) {
        self.command(words.len());
        words.iter().for_each(|word| self.word(word.as_ref()));
    }

    fn number(&mut self, number: u64) {
        let mut digits = Digits::default();
        self.bytes.extend_from_slice(digits.write(number));
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// The words of every command.
    pub fn words(&self) -> Vec<Vec<Vec<u8>>> {
        let mut commands: Vec<Vec<Vec<u8>>> = Vec::new();
        let mut rest = self.bytes.as_slice();
        while let Some(end) = rest.windows(2).position(|pair| pair == b"\r\n") {
            let (kind, length) = (rest[0], std::str::from_utf8(&rest[1..end]).ok().and_then(|text| text.parse().ok()));
            rest = &rest[end + 2..];
            match (kind, length, commands.last_mut()) {
                (b'$', Some(length), Some(words)) => {
                    words.push(rest[..length].to_vec());
                    rest = &rest[length + 2..];
                }
                _ => commands.push(Vec::new()),
            }
        }
        commands
    }

    /// Each command as a batch of its own.
    pub fn split(&self) -> Vec<Batch> {
        let one = |words: &Vec<Vec<u8>>| {
            let mut batch = Batch::default();
            batch.push(words);
            batch
        };
        self.words().iter().map(one).collect()
    }

    /// Commands in it.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether it has no command.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes to be sent.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.count = 0;
    }
}

/// Decimal digits of a number, without an allocation.
#[derive(Debug, Default)]
pub struct Digits([u8; 20]);

impl Digits {
    /// The digits of a number.
    #[inline]
    pub fn write(&mut self, mut number: u64) -> &[u8] {
        let mut start = self.0.len();
        loop {
            start -= 1;
            self.0[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                return &self.0[start..];
            }
        }
    }
}

/// One connection.
pub struct Link {
    connection: redis::Connection,
    address: Address,
}

impl Link {
    /// Connects, with the address' password and database, and asks for a sign of life.
    ///
    /// # Errors
    /// [`LinkError::Unreachable`], also for a refused password.
    pub fn open(address: &Address) -> Result<Self, LinkError> {
        let failed =
            |error: redis::RedisError| LinkError::Unreachable { address: address.to_string(), reason: reason(&error) };
        let client = redis::Client::open(address.info().clone()).map_err(failed)?;
        let connection = client.get_connection_with_timeout(address.timeout()).map_err(failed)?;
        connection.set_read_timeout(Some(address.timeout())).map_err(failed)?;
        connection.set_write_timeout(Some(address.timeout())).map_err(failed)?;
        let mut link = Self { connection, address: address.clone() };
        match link.ask(&["PING"])? {
            Reply::Error(reason) => Err(LinkError::Unreachable { address: address.to_string(), reason }),
            _ => Ok(link),
        }
    }

    /// Where it leads to.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// How long a reply is waited for from now on.
    pub fn set_timeout(&mut self, timeout: Duration) -> Result<(), LinkError> {
        self.connection.set_read_timeout(Some(timeout)).map_err(|error| self.lost(&error))
    }

    /// Sends one command and waits for its reply.
    ///
    /// # Errors
    /// [`LinkError::Lost`].
    pub fn ask<W: AsRef<[u8]>>(&mut self, words: &[W]) -> Result<Reply, LinkError> {
        let mut batch = Batch::default();
        batch.push(words);
        let reply = self.connection.req_packed_command(batch.bytes());
        match reply {
            Ok(value) => Ok(Reply::from(value)),
            Err(error) => self.server_error(error),
        }
    }

    /// The same, where an error of the server ends the work.
    ///
    /// # Errors
    /// [`LinkError::Lost`], [`LinkError::Refused`].
    pub fn must<W: AsRef<[u8]>>(&mut self, words: &[W]) -> Result<Reply, LinkError> {
        match self.ask(words)? {
            Reply::Error(reason) => Err(LinkError::Refused {
                address: self.address.to_string(),
                command: words
                    .first()
                    .map(|word| String::from_utf8_lossy(word.as_ref()).into_owned())
                    .unwrap_or_default(),
                reason,
            }),
            reply => Ok(reply),
        }
    }

    /// Sends all commands at once; a reply for each.
    ///
    /// # Errors
    /// [`LinkError::Lost`].
    pub fn send(&mut self, batch: &Batch, replies: &mut Vec<Reply>) -> Result<(), LinkError> {
        if batch.is_empty() {
            return Ok(());
        }
        let values = self.connection.req_packed_commands(batch.bytes(), 0, batch.len());
        let values = values.map_err(|error| self.lost(&error))?;
        replies.extend(values.into_iter().map(Reply::from));
        Ok(())
    }

    /// Sends a batch whose replies the batch itself switches off but for the last, then another with its replies. When it
    /// returns the first is done, and nobody knows what it replied.
    ///
    /// # Errors
    /// [`LinkError::Lost`].
    pub fn send_unanswered(&mut self, silent: &Batch, then: &Batch, replies: &mut Vec<Reply>) -> Result<(), LinkError> {
        let bytes = [silent.bytes(), then.bytes()].concat();
        let values = self.connection.req_packed_commands(&bytes, 0, 1 + then.len());
        replies.extend(values.map_err(|error| self.lost(&error))?.into_iter().map(Reply::from));
        Ok(())
    }

    /// Sends commands and waits for no reply: the connection is of no more use but to be dropped.
    ///
    /// # Errors
    /// [`LinkError::Lost`].
    pub fn send_and_leave(mut self, batch: &Batch) -> Result<(), LinkError> {
        let sent = self.connection.send_packed_command(batch.bytes());
        sent.map_err(|error| self.lost(&error))
    }

    fn server_error(&self, error: redis::RedisError) -> Result<Reply, LinkError> {
        match (error.code(), error.is_io_error()) {
            (Some(code), false) => {
                Ok(Reply::Error(format!("{code} {}", error.detail().unwrap_or_default()).trim_end().to_owned()))
            }
            _ => Err(self.lost(&error)),
        }
    }

    fn lost(&self, error: &redis::RedisError) -> LinkError {
        LinkError::Lost { address: self.address.to_string(), reason: reason(error) }
    }
}

/// An error of the client in one line, in its own words.
fn reason(error: &redis::RedisError) -> String {
    let text = match (error.is_timeout(), error.is_connection_refusal()) {
        (true, _) => "no reply in time".to_owned(),
        (_, true) => "nothing listens there".to_owned(),
        _ => error.to_string(),
    };
    text.lines().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_written_in_the_protocol() {
        let mut batch = Batch::default();
        batch.push(&["GET", "é"]);
        batch.push(&["PING"]);
        assert_eq!(batch.bytes(), "*2\r\n$3\r\nGET\r\n$2\r\né\r\n*1\r\n$4\r\nPING\r\n".as_bytes());
        assert_eq!(batch.len(), 2);
        assert_eq!(Digits::default().write(0), b"0");
        assert_eq!(Digits::default().write(u64::MAX), b"18446744073709551615");
    }
}
