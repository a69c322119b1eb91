//! A game file: TOML text to checked rules.
//!
//! This module owns the language of game files (`docs/games.md`) and every rule that a file must keep. It builds
//! [`Game`] and [`Jackpots`], exact and in whole numbers, or reports all findings at once; it plays nothing. The types
//! of the file as written don't leave it.

mod amount;
mod changes;
mod check;
mod currency;
mod edit;
mod file;
mod findings;
mod schema;
mod shapes;
mod starter;
mod strips;
mod subject;
mod table;
mod text;
mod wire;

use std::io;
use std::path::Path;

use toml::de::DeTable;

use crate::game::Game;
use crate::money::PoolUnit;
use crate::pool::Jackpots;
use findings::{Notes, Span};

pub use changes::changes;
pub use edit::Override;
pub use file::GameFile;
pub use findings::{ConfigError, Finding, Severity};
pub use schema::{SCHEMA_FILE, schema};
pub use starter::Starter;
pub use subject::{load_subject, parse_subject};

/// A game file that was read and keeps every rule.
#[derive(Debug, Clone)]
pub struct Model {
    /// The file's name without folder and ending: `classic-hits`.
    pub file_name: String,
    /// The TOML text as read.
    pub text: String,
    /// SHA-256 of the text, as 64 hexadecimal digits.
    pub sha256: String,
    /// The tables beside the file, in order of their first use.
    pub attachments: Vec<Attachment>,
    /// Where the figures come from, as the file says.
    pub source: String,
    /// What else the file says about itself.
    pub note: Option<String>,
    /// Currency and pool unit.
    pub unit: PoolUnit,
    /// Bets, and what a spin can pay before any jackpot.
    pub game: Game,
    /// All jackpot levels.
    pub jackpots: Jackpots,
    /// The `[published]` figures as (key, text), in order of the file.
    pub published: Vec<(String, String)>,
    /// How much the game is played, if the file says so.
    pub traffic: Option<Traffic>,
    /// Findings that don't make the game unusable.
    pub warnings: Vec<Finding>,
}

/// Notes what is no TOML.
fn report_syntax(notes: &Notes, mistakes: &[toml::de::Error]) {
    for mistake in mistakes {
        let span = mistake.span().unwrap_or(0..0);
        notes.error(
            Span { file: 0, start: span.start, end: span.end },
            "toml-syntax",
            mistake.message().lines().collect::<Vec<_>>().join(", "),
            "not TOML from here",
            "text stands in quotes, lists in [ ], tables in { } on one line or as [section]",
        );
    }
}

/// How much a game is played. Bets come in the shares of their mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    pub spins_per_day: u64,
    /// The first day.
    pub from: Option<jiff::civil::Date>,
}

/// A table beside a game file: strips or outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Path as written in the game file.
    pub path: String,
    /// The text as read.
    pub text: String,
    /// SHA-256 of the text, as 64 hexadecimal digits.
    pub sha256: String,
}

/// Reads and checks a game file and the tables beside it.
///
/// # Errors
/// [`ConfigError::Unreadable`] if the file is no regular file, too large or no UTF-8 text, else all findings if one of them is an error.
pub fn load(path: &Path) -> Result<Model, ConfigError> {
    GameFile::open(path)?.model(&[])
}

/// Checks the text of a game file. `file_name` stands in findings; `read` gives the text of a table by its path as
/// written in the file.
///
/// # Errors
/// [`ConfigError::Findings`] if a finding is an error.
pub fn parse(file_name: &str, text: &str, read: &dyn Fn(&str) -> io::Result<String>) -> Result<Model, ConfigError> {
    let notes = Notes::new(file_name, text);
    let (document, mistakes) = DeTable::parse_recoverable(text);
    report_syntax(&notes, &mistakes);
    if !mistakes.is_empty() {
        return Err(ConfigError::Findings(notes.into_findings()));
    }
    let wire = wire::read(&notes, document.get_ref(), text);
    let context = check::Context::new(&notes, read);
    let checked = check::check(&context, &wire);
    let attachments = context.into_attachments();
    let (Some(checked), Some(source)) = (checked.filter(|_| notes.error_count() == 0), wire.source) else {
        return Err(ConfigError::Findings(notes.into_findings()));
    };
    Ok(Model {
        file_name: file_name.to_string(),
        text: text.to_string(),
        sha256: check::sha256_text(text),
        attachments,
        source: source.value,
        note: wire.note.map(|note| note.value),
        unit: checked.unit,
        game: checked.game,
        jackpots: checked.jackpots,
        published: wire.published,
        traffic: checked.traffic,
        warnings: notes.into_findings(),
    })
}
