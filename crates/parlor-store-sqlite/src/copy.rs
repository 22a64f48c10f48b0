//! Copies of a whole store: taken while it works, put back where none is.

use std::fs;
use std::path::{Path, PathBuf};

use parlor_store::OpenError;
use rusqlite::{Connection, OpenFlags};

use crate::fault::{damaged, open_error};
use crate::{file, journal, schema};

/// Copies the store in `from`, as it stands at one instant, into a new file `to`.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), OpenError> {
    if let Some(there) = file::family(to).iter().find(|file| file.exists()) {
        return Err(OpenError::Exists(there.display().to_string()));
    }
    let conn = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(open_error)?;
    if schema::check_file(&conn)? == 0 {
        return Err(OpenError::Foreign);
    }
    let partial = partial(to);
    for leftover in file::family(&partial) {
        if leftover.exists() {
            fs::remove_file(leftover)?;
        }
    }
    // The database fills an empty file: made here, it is private from its first byte.
    file::private(&partial)?;
    let result = fill(&conn, &partial).and_then(|()| Ok(file::publish(&partial, to)?));
    if result.is_err() {
        let _ = fs::remove_file(&partial);
    }
    result
}

fn fill(conn: &Connection, partial: &Path) -> Result<(), OpenError> {
    let name = partial.to_str().ok_or_else(|| OpenError::Io("a path that is no text".to_owned()))?;
    conn.execute("VACUUM INTO ?1", [name]).map_err(open_error)?;
    check(partial)
}

/// A copy that is not sound, or whose books do not add up, is none.
fn check(path: &Path) -> Result<(), OpenError> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(open_error)?;
    schema::check_file(&conn)?;
    schema::sound(&conn)?;
    let faults = journal::audit(&conn).map_err(open_error)?;
    if faults.is_empty() { Ok(()) } else { Err(damaged(&faults)) }
}

fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}
