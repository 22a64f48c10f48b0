//! Whether the file that the writer writes is still the one that has the store's name.
//!
//! Apart from the writer, because the system keeps a file alive that was deleted or moved: SQLite goes on writing to it,
//! every write succeeds, and all of it is gone with the process. So the names are looked up before each flush. The files
//! themselves are never opened here: closing one would end SQLite's locks on it.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use parlor_store::WriteError;

use crate::file::family;

/// The files that were opened, by what the system calls them.
pub(crate) struct Identity {
    main: PathBuf,
    wal: PathBuf,
    opened: Option<FileId>,
    /// None until the database has made its write-ahead log.
    log: Option<FileId>,
    /// The most bytes that the file was seen to have: it never shrinks.
    bytes_seen: u64,
}

/// A file's device and number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileId(u64, u64);

#[cfg(unix)]
fn id_of(metadata: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    FileId(metadata.dev(), metadata.ino())
}

/// Other systems do not let a file go that is open.
#[cfg(not(unix))]
fn id_of(_: &Metadata) -> FileId {
    FileId(0, 0)
}

impl Identity {
    /// The files as they are now: right after the database has opened them.
    pub(crate) fn of(path: &Path) -> Self {
        let [main, wal, _] = <[PathBuf; 3]>::try_from(family(path)).expect("three files");
        let seen = main.metadata().ok();
        let bytes_seen = seen.as_ref().map_or(0, Metadata::len);
        Self { main, wal, opened: seen.as_ref().map(id_of), log: None, bytes_seen }
    }

    /// Why what is written now would not be found again, if that is so. It passes when the file is back.
    pub(crate) fn check(&mut self) -> Result<(), WriteError> {
        let lost = |why: &str| Err(WriteError::Lost(why.to_owned()));
        let Ok(metadata) = self.main.metadata() else { return lost("it was deleted or moved") };
        if Some(id_of(&metadata)) != self.opened {
            return lost("another file has its name");
        }
        if metadata.len() < self.bytes_seen {
            return lost("it was cut short");
        }
        self.bytes_seen = metadata.len();
        let log = self.wal.metadata().ok().as_ref().map(id_of);
        if self.log.is_some() && log != self.log {
            return lost("its write-ahead log was deleted or replaced");
        }
        self.log = log;
        Ok(())
    }
}
