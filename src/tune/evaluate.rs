//! Games that are changed again and again: each is checked anew, and what enumeration says of its play is kept.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::{ConfigError, GameFile, Model, Override};
use crate::exact::base::BaseFigures;
use crate::game::Game;
use crate::metrics::Readings;

use super::figures;

/// A game file, and the exact figures of every play that its changes made.
#[derive(Debug)]
pub struct Workbench {
    file: GameFile,
    /// Changes that hold for every point.
    fixed: Vec<Override>,
    known: Mutex<Vec<Known>>,
}

#[derive(Debug, Clone)]
struct Known {
    game: Arc<Game>,
    levels: usize,
    base: Arc<BaseFigures>,
}

/// A changed game with what enumeration says of it.
#[derive(Debug, Clone)]
pub struct Variation {
    pub model: Model,
    pub base: Arc<BaseFigures>,
}

impl Workbench {
    /// Of a game file with changes that hold for every point.
    ///
    /// # Errors
    /// A file that can't be read.
    pub fn open(path: &Path, fixed: &[Override]) -> Result<Self, ConfigError> {
        Ok(Self { file: GameFile::open(path)?, fixed: fixed.to_vec(), known: Mutex::default() })
    }

    /// The game file.
    pub fn file(&self) -> &GameFile {
        &self.file
    }

    /// The text of the changed game file.
    ///
    /// # Errors
    /// Changes that name nothing.
    pub fn text(&self, changes: &[Override]) -> Result<String, ConfigError> {
        self.file.text(&[&self.fixed[..], changes].concat())
    }

    /// What stands at the path of a change, as it would be typed; `None` if no single value does.
    pub fn current(&self, change: &Override) -> Option<String> {
        self.file.current(&self.fixed, change)
    }

    /// The changed game.
    ///
    /// # Errors
    /// All findings.
    pub fn variation(&self, changes: &[Override]) -> Result<Variation, ConfigError> {
        let model = self.file.model(&[&self.fixed[..], changes].concat())?;
        let base = self.base(&model);
        Ok(Variation { model, base })
    }

    /// Enumerated once for all games that play alike. Of several threads that miss it at once each may enumerate.
    fn base(&self, model: &Model) -> Arc<BaseFigures> {
        let levels = model.jackpots.levels.len();
        let alike = |known: &Known| known.levels == levels && known.game.plays_like(&model.game);
        let list = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(base) = list().iter().find(|known| alike(known)).map(|known| Arc::clone(&known.base)) {
            return base;
        }
        let base = Arc::new(BaseFigures::new(&model.game, levels));
        list().push(Known { game: Arc::new(model.game.clone()), levels, base: Arc::clone(&base) });
        base
    }
}

impl Variation {
    /// Every figure that is known exactly.
    pub fn readings(&self) -> Readings {
        figures::readings(&self.model, &self.base)
    }
}
