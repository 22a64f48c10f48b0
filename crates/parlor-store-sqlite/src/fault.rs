//! The database's errors as the store's own.

use parlor_store::{OpenError, ReadError, WriteError};
use rusqlite::{Error, ErrorCode};

pub(crate) fn write_error(error: &Error) -> WriteError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => WriteError::Full,
        Some(ErrorCode::ReadOnly) => WriteError::ReadOnly,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => WriteError::Busy,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => WriteError::Damaged(error.to_string()),
        _ if is_nonsense(error) => WriteError::Damaged(error.to_string()),
        _ => WriteError::Io(error.to_string()),
    }
}

/// Whether the error is about the disk as a whole, and no single write is to blame.
pub(crate) fn is_everybodys(error: &Error) -> bool {
    use ErrorCode as Code;
    matches!(
        error.sqlite_error_code(),
        Some(
            Code::DiskFull
                | Code::ReadOnly
                | Code::DatabaseBusy
                | Code::DatabaseLocked
                | Code::SystemIoFailure
                | Code::CannotOpen
        )
    )
}

pub(crate) fn read_error(error: &Error) -> ReadError {
    match write_error(error) {
        WriteError::Busy => ReadError::Busy,
        WriteError::Damaged(why) => ReadError::Damaged(why),
        _ => ReadError::Io(error.to_string()),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
pub(crate) fn open_error(error: Error) -> OpenError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::Foreign,
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged(error.to_string()),
        Some(ErrorCode::DiskFull) => OpenError::Full,
        // The index of the write-ahead log found no room.
        Some(ErrorCode::SystemIoFailure) if is_shm_size(&error) => OpenError::Full,
        _ => OpenError::Io(error.to_string()),
    }
}

pub(crate) fn damaged(faults: &[String]) -> OpenError {
    OpenError::Damaged(faults.join("; "))
}

fn is_shm_size(error: &Error) -> bool {
    matches!(error, Error::SqliteFailure(failure, _) if failure.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}

/// What is stored does not make sense: to SQLite that is a value it could not convert.
pub(crate) fn nonsense(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, why.into())
}

fn is_nonsense(error: &Error) -> bool {
    matches!(error, Error::FromSqlConversionFailure(..))
}
