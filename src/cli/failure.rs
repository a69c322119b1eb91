//! Every way a command can fail, with its exit code and what is shown.

use crate::config::ConfigError;
use crate::pool::StoreError;
use crate::redis_link::LinkError;
use crate::report::files::{WriteError, reason};
use crate::sim::RunError;
use crate::sim::commit::CommitError;
use std::io;
use std::path::PathBuf;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that can't be done; the text says what was found, expected, and to do.
    Usage(String),
    /// A game file that can't be read or is wrong.
    Game(Box<ConfigError>),
    /// A result or shard that can't be read or doesn't fit.
    Result(String),
    /// Something is missing: shards, or an interrupted run's rest.
    Incomplete(String),
    /// A file could not be written.
    Output { path: PathBuf, error: io::Error },
    /// The engine failed.
    Run(RunError),
    /// The conservation law broke; the ledger.
    Conservation(String),
}

impl Failure {
    /// The exit code of the documented table.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Game(_) | Self::Result(_) => 2,
            Self::Incomplete(_) => 4,
            Self::Output { .. } | Self::Run(RunError::Commit(CommitError::Log(_))) => 6,
            Self::Run(RunError::Facts(_)) => 6,
            Self::Run(RunError::Commit(CommitError::Store(StoreError::Link(error)))) => match error {
                LinkError::Address(_) => 2,
                LinkError::Unreachable { .. } | LinkError::Lost { .. } | LinkError::Refused { .. } => 3,
            },
            Self::Run(RunError::Commit(CommitError::Store(StoreError::Failed(_)))) => 3,
            Self::Run(RunError::Commit(CommitError::Store(_)) | RunError::Threads(_)) => 2,
            Self::Run(RunError::Commit(CommitError::Diverged { .. })) | Self::Conservation(_) => 70,
        }
    }

    /// Shows the failure on stderr.
    pub fn print(&self) {
        match self {
            Self::Usage(text) | Self::Result(text) | Self::Incomplete(text) => eprintln!("error: {text}"),
            Self::Game(error) => show_diagnostic(error.as_ref()),
            Self::Output { path, error } => eprintln!(
                "error: {} could not be written: {}\n  help: free some space or choose another folder with --out; nothing \
                 half-written was left under a final name",
                path.display(),
                reason(error)
            ),
            Self::Run(error) => eprintln!("error: {error}"),
            Self::Conservation(ledger) => eprintln!(
                "error: money was lost or made: the conservation law broke. This is a bug of jackpot; please report it \
                 with the game file, the rng seed and this ledger:\n{ledger}"
            ),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::Output { path: error.path, error: error.source }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Run(RunError::Commit(CommitError::Store(error)))
    }
}

/// Replaces a panic's text by a plain one: a panic is a bug, and its reader is no programmer.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        eprintln!(
            "error: jackpot stopped because of a bug in itself{place}: {}\n  help: please report it with the command \
             line and the game file; no result was written",
            info.payload_as_str().unwrap_or("no reason given")
        );
        std::process::exit(70);
    }));
}

/// Shows findings of a game file with their source lines underlined.
pub fn show_diagnostic(diagnostic: &dyn miette::Diagnostic) {
    use std::io::IsTerminal;
    let theme = if std::io::stderr().is_terminal() {
        miette::GraphicalTheme::unicode()
    } else {
        miette::GraphicalTheme::unicode_nocolor()
    };
    let mut text = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(80).with_links(false);
    match handler.render_report(&mut text, diagnostic) {
        Ok(()) => eprintln!("{text}"),
        Err(_) => eprintln!("error: {diagnostic}"),
    }
}
