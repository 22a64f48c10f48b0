//! Files that only their owner may read, and copies that are whole or not there.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use parlor_store::OpenError;

/// The database writes beside its file: the write-ahead log and its index.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// The file and those the database keeps beside it.
pub(crate) fn family(path: &Path) -> Vec<PathBuf> {
    let with = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    std::iter::once(path.to_owned()).chain(BESIDE.map(with)).collect()
}

/// Locks the store for this process. The lock is a file of its own, which stays: one that is deleted could be locked
/// twice. The system unlocks it when the process ends, however it ends.
pub(crate) fn lock(path: &Path) -> Result<File, OpenError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(PathBuf::from(name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Makes sure that the file is there and that nobody else may read it. The database gives the files beside it the
/// same mode.
pub(crate) fn private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    for file in family(path) {
        if file.exists() {
            close_to_others(&file)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn close_to_others(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if fs::metadata(file)?.permissions().mode() & 0o777 == 0o600 {
        return Ok(());
    }
    fs::set_permissions(file, fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn close_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives a file its last name, durably.
pub(crate) fn publish(partial: &Path, path: &Path) -> io::Result<()> {
    File::open(partial)?.sync_all()?;
    fs::rename(partial, path)?;
    sync_folder(path)
}

/// Makes the entry of a file in its folder durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
