//! A game file that is read once and checked as often as it is changed.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use toml_edit::DocumentMut;

use super::edit::{self, Override};
use super::findings::{ConfigError, Notes};
use super::{Model, parse, text};

/// The text of a game file and of the tables beside it.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    text: String,
    /// The text as a document that can be changed; `None` if it is no TOML.
    document: OnceLock<Option<DocumentMut>>,
    /// Tables by their path as written, or why one can't be read.
    tables: Mutex<HashMap<String, Table>>,
}

type Table = Result<Arc<str>, (io::ErrorKind, String)>;

impl GameFile {
    /// Reads a game file.
    ///
    /// # Errors
    /// [`ConfigError::Unreadable`] if the file is no regular file, too large or no UTF-8 text.
    pub fn open(path: &Path) -> Result<Self, ConfigError> {
        let text = text::read(path).map_err(|reason| ConfigError::Unreadable {
            path: path.into(),
            help: text::help(reason.kind(), "give the path of a game file, such as configs/classic-hits.toml"),
            reason: reason.to_string(),
        })?;
        Ok(Self { path: path.to_path_buf(), text, document: OnceLock::new(), tables: Mutex::default() })
    }

    /// Its path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name without folder and ending.
    pub fn stem(&self) -> String {
        self.path
            .file_stem()
            .map_or_else(|| self.path.display().to_string(), |stem| stem.to_string_lossy().into_owned())
    }

    /// The text with some changes made; comments and layout stay.
    ///
    /// # Errors
    /// [`ConfigError::Findings`] for changes that name nothing.
    pub fn text(&self, overrides: &[Override]) -> Result<String, ConfigError> {
        if overrides.is_empty() {
            return Ok(self.text.clone());
        }
        let notes = Notes::new(&self.path.display().to_string(), &self.text);
        // A text that is no TOML is reported when it is read.
        let Some(document) = self.document.get_or_init(|| self.text.parse().ok()) else { return Ok(self.text.clone()) };
        edit::apply(document, overrides, &notes).ok_or_else(|| ConfigError::Findings(notes.into_findings()))
    }

    /// What stands at the path of a change after some others were made, as it would be typed; `None` if no single value does.
    pub fn current(&self, overrides: &[Override], change: &Override) -> Option<String> {
        edit::current(&self.text(overrides).ok()?, change)
    }

    /// Checks the file with some changes made. What is found of a changed file is shown in its changed text.
    ///
    /// # Errors
    /// [`ConfigError::Findings`] if a finding is an error.
    pub fn model(&self, overrides: &[Override]) -> Result<Model, ConfigError> {
        let text = self.text(overrides)?;
        let mut name = self.path.display().to_string();
        if let [first, rest @ ..] = overrides {
            name += &format!(" with {}={}", first.path(), first.value());
            rest.iter().for_each(|change| name += &format!(", {}={}", change.path(), change.value()));
        }
        let mut model = parse(&name, &text, &|relative| self.table(relative))?;
        model.file_name = self.stem();
        Ok(model)
    }

    fn table(&self, relative: &str) -> io::Result<String> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let table = tables.entry(relative.to_owned()).or_insert_with(|| {
            text::read(&folder.join(relative)).map(Arc::from).map_err(|error| (error.kind(), error.to_string()))
        });
        match table {
            Ok(text) => Ok(text.to_string()),
            Err((kind, reason)) => Err(io::Error::new(*kind, reason.clone())),
        }
    }
}
