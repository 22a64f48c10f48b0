//! What can be mended of a damaged store without inventing anything: indexes, which are made from the tables. What is lost
//! in the tables themselves only a backup has.

use std::fs;
use std::path::{Path, PathBuf};

use parlor_store::OpenError;
use rusqlite::{Connection, OpenFlags};

use crate::fault::open_error;
use crate::{file, schema};

/// What was found in a store, and what was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// What was wrong; empty if nothing was.
    pub found: Vec<String>,
    /// What is wrong still.
    pub left: Vec<String>,
    /// Where the store is kept as it was, if anything was changed.
    pub kept: Option<PathBuf>,
}

/// Only such findings are about indexes.
const OF_INDEXES: [&str; 3] =
    ["missing from index", "wrong # of entries in index", "non-unique entry in index"];

fn is_of_an_index(finding: &str) -> bool {
    OF_INDEXES.iter().any(|part| finding.contains(part))
}

/// Mends what can be mended. Nothing is changed before a copy of the files is kept beside them.
pub(crate) fn repair(path: &Path) -> Result<Repair, OpenError> {
    let _ours_alone = file::lock(path)?;
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(open_error)?;
    if schema::check_file(&conn)? == 0 {
        return Err(OpenError::Foreign);
    }
    let found = findings(&conn);
    let mut repair = Repair { left: found.clone(), found, kept: None };
    if repair.found.is_empty() || !repair.found.iter().all(|finding| is_of_an_index(finding)) {
        return Ok(repair);
    }
    repair.kept = Some(keep(path)?);
    conn.execute_batch("REINDEX").map_err(open_error)?;
    repair.left = findings(&conn);
    Ok(repair)
}

/// What the database finds wrong; that it cannot even look is a finding, too.
fn findings(conn: &Connection) -> Vec<String> {
    schema::integrity(conn).unwrap_or_else(|error| vec![error.to_string()])
}

/// Copies the store's files, as they are, under a name that is free.
fn keep(path: &Path) -> Result<PathBuf, OpenError> {
    let named = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".damaged-{n}"));
        PathBuf::from(name)
    };
    let free = |copy: &PathBuf| !file::family(copy).iter().any(|file| file.exists());
    let copy = (1..1_000).map(named).find(free);
    let copy = copy.ok_or_else(|| OpenError::Exists(named(1).display().to_string()))?;
    for (from, to) in file::family(path).iter().zip(file::family(&copy)) {
        if from.exists() {
            file::private(&to)?;
            fs::copy(from, &to)?;
        }
    }
    Ok(copy)
}
