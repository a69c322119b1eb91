//! Where a server is: URL, password, database, time limit.

use super::LinkError;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

/// How long a connection or a reply is waited for unless the address says otherwise.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A server's address. It shows no password.
#[derive(Debug, Clone)]
pub struct Address {
    info: ConnectionInfo,
    timeout: Duration,
}

impl Address {
    /// Reads `redis://[user][:password@]host[:port][/database]`, `rediss://` for TLS, or `unix:///path/to.sock?db=1`.
    ///
    /// # Errors
    /// [`LinkError::Address`]. It doesn't repeat the text, which may hold a password.
    pub fn parse(url: &str) -> Result<Self, LinkError> {
        let expected = "expected redis://[user:password@]host[:port][/database], rediss://... for TLS, or \
                        unix:///path/to.sock[?db=1]";
        let info = url.trim().into_connection_info().map_err(|error| {
            let detail = error.detail().map(|detail| format!(" ({detail})")).unwrap_or_default();
            LinkError::Address(format!("--redis is no address of a Redis server{detail}: {expected}"))
        })?;
        if !info.addr().is_supported() {
            return Err(LinkError::Address(
                "--redis asks for TLS, which this build doesn't have\n  help: build jackpot with `cargo build --release \
                 --features tls`"
                    .to_owned(),
            ));
        }
        Ok(Self { info, timeout: TIMEOUT })
    }

    /// The same with another limit of time, of at least a millisecond.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.max(Duration::from_millis(1));
        self
    }

    pub(super) fn info(&self) -> &ConnectionInfo {
        &self.info
    }

    /// How long a connection or a reply is waited for.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Whether the server is on this machine.
    pub fn is_local(&self) -> bool {
        match self.info.addr() {
            ConnectionAddr::Tcp(host, _) | ConnectionAddr::TcpTls { host, .. } => {
                host == "localhost"
                    || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            }
            ConnectionAddr::Unix(_) => true,
            _ => false,
        }
    }

    /// How `redis-cli` is told where to go.
    pub fn client_options(&self) -> String {
        let database = match self.info.redis_settings().db() {
            0 => String::new(),
            database => format!(" -n {database}"),
        };
        let place = match self.info.addr() {
            ConnectionAddr::Tcp(host, port) => format!("-h {host} -p {port}"),
            ConnectionAddr::TcpTls { host, port, .. } => format!("--tls -h {host} -p {port}"),
            ConnectionAddr::Unix(path) => format!("-s {}", path.display()),
            _ => String::new(),
        };
        place + &database
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let database = match self.info.redis_settings().db() {
            0 => String::new(),
            database => format!(", database {database}"),
        };
        match self.info.addr() {
            ConnectionAddr::Tcp(host, port) => write!(formatter, "{host}:{port}{database}"),
            ConnectionAddr::TcpTls { host, port, .. } => write!(formatter, "{host}:{port} (TLS){database}"),
            ConnectionAddr::Unix(path) => write!(formatter, "{}{database}", path.display()),
            _ => formatter.write_str("an address of an unknown kind"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_never_show_a_password() {
        let address = Address::parse("redis://me:secret@127.0.0.1:7000/3").unwrap();
        assert_eq!(address.to_string(), "127.0.0.1:7000, database 3");
        assert_eq!(address.client_options(), "-h 127.0.0.1 -p 7000 -n 3");
        assert!(address.is_local());
        assert!(Address::parse("unix:///tmp/a.sock").unwrap().is_local());
        assert!(Address::parse("redis://localhost").unwrap().is_local());
        assert!(!Address::parse("redis://example.com:6379").unwrap().is_local());
        for bad in ["", "secret", "http://secret@host", "redis://host/secret"] {
            let text = Address::parse(bad).unwrap_err().to_string();
            assert!(text.contains("expected redis://") && !text.contains("secret"), "{text}");
        }
    }
}
