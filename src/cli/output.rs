//! Output folders: refused before the work if they can't be written, and never left half-written.

use super::failure::Failure;
use crate::report::files::write_atomically;
use std::path::Path;
use tempfile::NamedTempFile;

/// Files that a run or a shard leaves in its folder.
const RUN_FILES: [&str; 10] = [
    "result.json",
    "run.json",
    "summary.json",
    "rtp.csv",
    "jackpots.csv",
    "payouts.csv",
    "convergence.csv",
    "meters.csv",
    "hits.csv",
    "shard.json",
];
const MORE_FILES: [&str; 3] = ["facts.bin", "repeats.csv", "repeat.json"];

/// Makes an output folder ready: creates it, sees that it can be written, and removes what an earlier run left there.
/// A folder with anything in it is refused unless `force`.
pub fn prepare(folder: &Path, force: bool) -> Result<(), Failure> {
    let failure = |error| Failure::Output { path: folder.to_path_buf(), error };
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Usage(format!(
            "the output folder {} is a file\n  help: name a folder with --out DIR",
            folder.display()
        )));
    }
    std::fs::create_dir_all(folder).map_err(failure)?;
    NamedTempFile::new_in(folder).map_err(failure)?;
    let occupied = std::fs::read_dir(folder).map_err(failure)?.next().is_some();
    if occupied && !force {
        return Err(Failure::Usage(format!(
            "the output folder {} is not empty\n  help: name another folder with --out DIR, or replace its results with \
             --force",
            folder.display()
        )));
    }
    for name in RUN_FILES.iter().chain(&MORE_FILES) {
        match std::fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failure(error)),
            _ => {}
        }
    }
    Ok(())
}

/// Writes a whole file, or none.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Ok(write_atomically(path, |out| out.write_all(bytes))?)
}

/// Gives a complete temporary file its name, readable by all whom the folder admits.
pub fn publish(file: NamedTempFile, path: &Path) -> Result<(), Failure> {
    let failure = |error| Failure::Output { path: path.to_path_buf(), error };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644)).map_err(failure)?;
    }
    file.persist(path).map_err(|error| failure(error.error))?;
    Ok(())
}
