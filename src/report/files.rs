//! Whole files or none: all files of a folder are written under temporary names beside their places, and named together
//! once every one of them is complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How the names of our temporary files begin.
const TEMPORARY_PREFIX: &str = ".jackpot-";
/// How they end.
const TEMPORARY_SUFFIX: &str = ".tmp";

/// A file that could not be written; nothing was left under its name.
#[derive(Debug, thiserror::Error)]
#[error("{} could not be written: {}", path.display(), reason(source))]
pub struct WriteError {
    pub path: PathBuf,
    pub source: io::Error,
}

/// Why a file could not be written, without the name of a temporary file.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    }
}

/// A new temporary file in a folder; removed when dropped.
pub fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX).tempfile_in(folder)
}

/// Whether a file's name is that of a temporary file of ours, as a killed process leaves it.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)
}

/// Files of one folder under temporary names, until all are complete. Dropped before that, it leaves the folder as it
/// was.
#[derive(Debug)]
pub struct Staged {
    folder: PathBuf,
    files: Vec<(&'static str, NamedTempFile)>,
}

impl Staged {
    /// For a folder that exists.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), files: Vec::new() }
    }

    /// Writes a whole file.
    pub fn write(
        &mut self,
        name: &'static str,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let write = || {
            let mut writer = BufWriter::new(temporary(&self.folder)?);
            content(&mut writer)?;
            writer.into_inner().map_err(io::IntoInnerError::into_error)
        };
        let file = write().map_err(|source| self.failure(name, source))?;
        self.add(name, file)
    }

    /// Takes a complete temporary file of the same folder.
    pub fn add(&mut self, name: &'static str, file: NamedTempFile) -> Result<(), WriteError> {
        settle(&file).map_err(|source| self.failure(name, source))?;
        self.files.push((name, file));
        Ok(())
    }

    /// Gives all files their names, in the order in which they were written, over files of these names. The names.
    pub fn publish(self) -> Result<Vec<&'static str>, WriteError> {
        let mut names = Vec::new();
        for (name, file) in self.files {
            let path = self.folder.join(name);
            file.persist(&path).map_err(|error| WriteError { path, source: error.error })?;
            names.push(name);
        }
        // The renames themselves last once the folder is synced; not every file system can do that.
        let _ = std::fs::File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(names)
    }

    fn failure(&self, name: &str, source: io::Error) -> WriteError {
        WriteError { path: self.folder.join(name), source }
    }
}

/// Readable by all whom the folder admits, and on the disk.
fn settle(file: &NamedTempFile) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.as_file().sync_all()
}

/// Writes one whole file over whatever has its name.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let mut file = temporary(folder)?;
        file.write_all(bytes)?;
        settle(&file)?;
        file.persist(path).map(drop).map_err(|error| error.error)
    };
    write().map_err(|source| WriteError { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_midway_leaves_the_old_files_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rtp.csv");
        std::fs::write(&path, b"old").unwrap();
        let mut staged = Staged::new(folder.path());
        staged.write("rtp.csv", |writer| writer.write_all(b"new")).unwrap();
        let error = staged
            .write("meters.csv", |writer| {
                writer.write_all(b"half")?;
                Err(io::Error::from(io::ErrorKind::StorageFull))
            })
            .unwrap_err();
        assert!(error.to_string().contains("meters.csv could not be written"), "{error}");
        drop(staged);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn files_get_their_names_together() {
        let folder = tempfile::tempdir().unwrap();
        let mut staged = Staged::new(folder.path());
        for name in ["rtp.csv", "result.json"] {
            staged.write(name, |writer| writer.write_all(b"new")).unwrap();
        }
        let names = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let before: Vec<_> = names();
        assert!(before.iter().all(|name| is_temporary(name.to_str().unwrap())), "{before:?}");
        assert_eq!(staged.publish().unwrap(), ["rtp.csv", "result.json"]);
        let after: Vec<_> = names();
        assert!(after.len() == 2 && after.iter().all(|name| !is_temporary(name.to_str().unwrap())), "{after:?}");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_an_error_that_names_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        for place in [file.as_path(), Path::new("/proc")] {
            let error = Staged::new(place).write("rtp.csv", |_| Ok(())).unwrap_err().to_string();
            assert!(error.contains("rtp.csv") && !error.contains(TEMPORARY_PREFIX), "{error}");
        }
    }
}
