//! Whole files or none: written under a temporary name in the same folder, then renamed.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that could not be written; nothing was left under its name.
#[derive(Debug, thiserror::Error)]
#[error("{} could not be written: {source}", path.display())]
pub struct WriteError {
    pub path: PathBuf,
    pub source: io::Error,
}

/// Writes a file so that its name never stands for a part of it: a full disk or a killed process leaves at most a
/// temporary file.
pub fn write_atomically(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), WriteError> {
    publish(path, content).map_err(|source| WriteError { path: path.to_path_buf(), source })
}

fn publish(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    let mut writer = BufWriter::new(file.as_file_mut());
    content(&mut writer)?;
    writer.flush()?;
    drop(writer);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The rename itself lasts once the folder is synced; not every file system can do that.
    let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_midway_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rtp.csv");
        write_atomically(&path, |writer| writer.write_all(b"old")).unwrap();
        let error = write_atomically(&path, |writer| {
            writer.write_all(b"half")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        })
        .unwrap_err();
        assert!(error.to_string().contains("rtp.csv could not be written"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(write_atomically(&file.join("rtp.csv"), |_| Ok(())).is_err());
        assert!(write_atomically(Path::new("/proc/rtp.csv"), |_| Ok(())).is_err());
    }
}
