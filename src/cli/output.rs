//! Output folders: refused before the work if they can't be written, and changed only once every new file is complete.

use super::failure::Failure;
use crate::report::RESULT_FILES;
use crate::report::files::{Staged, is_temporary, reason, temporary, write_whole};
use std::io;
use std::path::{Path, PathBuf};

/// Files that runs, shards and repeats leave in their folders beside those of a result.
const OTHER_FILES: [&str; 6] = ["run.json", "hits.csv", "shard.json", "facts.bin", "repeats.csv", "repeat.json"];

/// Sees that an output folder can be written; creates it if it isn't there, and changes nothing in it. A folder with
/// anything in it is refused unless `force`.
pub fn prepare(folder: &Path, force: bool) -> Result<(), Failure> {
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Usage(format!(
            "the output folder {} is a file\n  help: name a folder with --out DIR",
            folder.display()
        )));
    }
    let occupied = (|| {
        std::fs::create_dir_all(folder)?;
        temporary(folder)?.close()?;
        Ok(!entries(folder)?.iter().all(|name| is_temporary(name)))
    })()
    .map_err(|error| unwritable(folder, error))?;
    if occupied && !force {
        return Err(Failure::Usage(format!(
            "the output folder {} is not empty\n  help: name another folder with --out DIR, or replace its results with \
             --force",
            folder.display()
        )));
    }
    Ok(())
}

fn unwritable(folder: &Path, error: io::Error) -> Failure {
    use io::ErrorKind::{QuotaExceeded, StorageFull};
    if matches!(error.kind(), StorageFull | QuotaExceeded) {
        return Failure::Output { path: folder.to_path_buf(), error };
    }
    Failure::Usage(format!(
        "the output folder {} can't be written: {}\n  help: name a folder that you may write with --out DIR",
        folder.display(),
        reason(&error)
    ))
}

fn entries(folder: &Path) -> io::Result<Vec<String>> {
    std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// Gives the new files their names; what an earlier run left in the folder and this one doesn't write goes after that,
/// as do temporary files of a killed one. Files that are not ours stay.
pub fn replace(staged: Staged, folder: &Path, force: bool) -> Result<(), Failure> {
    let written = staged.publish()?;
    let ours = |name: &str| RESULT_FILES.iter().chain(&OTHER_FILES).any(|file| *file == name);
    sweep(folder, force, |name| is_temporary(name) || (ours(name) && !written.contains(&name)))
}

/// The same, but nothing goes that isn't replaced, except temporary files of a killed run.
pub fn replace_and_keep(staged: Staged, folder: &Path, force: bool) -> Result<(), Failure> {
    staged.publish()?;
    sweep(folder, force, is_temporary)
}

fn sweep(folder: &Path, force: bool, goes: impl Fn(&str) -> bool) -> Result<(), Failure> {
    if !force {
        return Ok(());
    }
    let failure = |error| Failure::Output { path: folder.to_path_buf(), error };
    for name in entries(folder).map_err(failure)?.iter().filter(|name| goes(name)) {
        std::fs::remove_file(folder.join(name)).map_err(failure)?;
    }
    Ok(())
}

/// Refuses a file that exists, unless `force`, and one whose folder doesn't.
pub fn refuse_file(file: &Path, force: bool) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let problem = if file.is_dir() {
        "is a folder\n  help: name a file"
    } else if !folder.is_dir() {
        "is in a folder that doesn't exist\n  help: make the folder first, or name another file"
    } else if file.exists() && !force {
        "exists\n  help: name another file, or replace it with --force"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(format!("{} {problem}", file.display())))
}

/// Writes a whole file or nothing.
pub fn write_file(file: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    refuse_file(file, force)?;
    Ok(write_whole(file, bytes)?)
}

/// Files of ours in a folder that can't be made from a `result.json`.
pub fn irreplaceable(folder: &Path) -> Vec<&'static str> {
    OTHER_FILES.into_iter().filter(|name| folder.join(name).exists()).collect()
}

/// Whether two names stand for the same folder.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> { path.canonicalize().ok() };
    one == other || real(one).is_some_and(|one| real(other) == Some(one))
}
