//! Redis servers of the tests' own: each in its own folder, on its own port and socket, stopped by its process id.
#![allow(dead_code, reason = "no test file uses all of it")]

use jackpot::redis_link::{Address, Link, Reply};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A running server; it ends with the value.
pub struct Server {
    process: Child,
    pub port: u16,
    pub folder: tempfile::TempDir,
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

impl Server {
    /// A server that keeps nothing on disk.
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// A server with more options: `&["--requirepass", "secret"]`.
    pub fn with(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // The port may be taken between the look and the start: then another is tried.
        for _ in 0..20 {
            let port = free_port();
            let mut process = Command::new("redis-server")
                .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--unixsocket"])
                .arg(folder.path().join("redis.sock"))
                .arg("--dir")
                .arg(folder.path())
                .arg("--logfile")
                .arg(folder.path().join("log"))
                .args(options)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .expect("redis-server, which `make setup` installs");
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(20) {
                if process.try_wait().expect("a process").is_some() {
                    break;
                }
                if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                    return Self { process, port, folder };
                }
                sleep(Duration::from_millis(10));
            }
            let _ = process.kill();
            let _ = process.wait();
        }
        panic!("no redis-server could be started in {}", folder.path().display());
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("redis.sock")
    }

    pub fn address(&self) -> Address {
        Address::parse(&self.url()).expect("an address")
    }

    pub fn link(&self) -> Link {
        Link::open(&self.address()).expect("a connection")
    }

    /// Names of all keys, in order.
    pub fn keys(&self) -> Vec<String> {
        let Reply::Array(keys) = self.link().must(&["KEYS", "*"]).expect("KEYS") else { panic!("a list of keys") };
        let mut keys: Vec<String> = keys.iter().filter_map(Reply::text).collect();
        keys.sort();
        keys
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
