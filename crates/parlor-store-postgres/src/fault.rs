//! What can go wrong between the driver and the database, and what it means for a write.

use parlor_store::{OpenError, ReadError, WriteError};
use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

pub(crate) type Result<T> = std::result::Result<T, Fault>;

/// Why an attempt has ended.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The database, or the connection to it, says so.
    Database(Error),
    /// What is stored does not make sense.
    Nonsense(String),
    /// Tables are not where the writer thought: it looks at them again, under their locks.
    Stale,
    /// No primary can be reached, or none that may be written to.
    Away(String),
    /// The connection was given up: another primary has a higher timeline, or a commit is in doubt.
    GivenUp,
    /// The store has less than it has acknowledged.
    WentBack { acknowledged: u64, found: u64 },
    /// Another process writes under this node's name.
    Replaced,
    /// The same, and a commit was in doubt: nobody will ever know.
    ReplacedInDoubt,
}

/// What is to be done about a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remedy {
    /// Connect again and ask what became of it.
    Reconnect,
    /// The same once more: another transaction was in the way.
    Again,
    /// Nothing: the store as a whole does not take writes.
    Everybodys,
    /// One write may be to blame.
    ThisWrites,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl Fault {
    pub(crate) fn remedy(&self) -> Remedy {
        match self {
            Self::Stale => Remedy::Again,
            Self::Away(_) | Self::GivenUp => Remedy::Reconnect,
            Self::WentBack { .. } | Self::Replaced | Self::ReplacedInDoubt => Remedy::Everybodys,
            Self::Nonsense(_) => Remedy::ThisWrites,
            Self::Database(error) => error.as_db_error().map_or_else(|| remedy_without_word(error), remedy),
        }
    }

    /// Whether the connection is no longer of use.
    pub(crate) fn breaks(&self) -> bool {
        self.remedy() == Remedy::Reconnect
    }

    /// Whether the session may not write: the database was made read-only, or is no primary any more.
    pub(crate) fn is_read_only(&self) -> bool {
        matches!(self, Self::Database(error) if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION))
    }

    pub(crate) fn write_error(&self) -> WriteError {
        match self {
            Self::Nonsense(why) => WriteError::Damaged(why.clone()),
            Self::WentBack { acknowledged, found } => {
                WriteError::WentBack { acknowledged: *acknowledged, found: *found }
            }
            Self::Replaced => WriteError::Lost("another process writes to it under this node's name".into()),
            Self::Away(why) => WriteError::Io(why.clone()),
            Self::Stale => WriteError::Busy,
            Self::GivenUp | Self::ReplacedInDoubt => WriteError::Closed,
            Self::Database(error) => match error.code() {
                Some(&SqlState::DISK_FULL) => WriteError::Full,
                Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => WriteError::ReadOnly,
                Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_DEADLOCK_DETECTED) => WriteError::Busy,
                Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => {
                    WriteError::Damaged(words(error))
                }
                _ => WriteError::Io(words(error)),
            },
        }
    }

    pub(crate) fn read_error(&self) -> ReadError {
        match self.write_error() {
            WriteError::Busy => ReadError::Busy,
            WriteError::Damaged(why) => ReadError::Damaged(why),
            other => ReadError::Io(other.to_string()),
        }
    }

    pub(crate) fn open_error(&self) -> OpenError {
        match self.write_error() {
            WriteError::Full => OpenError::Full,
            WriteError::Damaged(why) => OpenError::Damaged(why),
            WriteError::Io(why) => OpenError::Io(why),
            other => OpenError::Io(other.to_string()),
        }
    }
}

/// What is stored does not make sense.
pub(crate) fn nonsense(why: impl ToString) -> Fault {
    Fault::Nonsense(why.to_string())
}

/// The database's own words: the crate's say only that there are some.
pub(crate) fn words(error: &Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(db), _) => db.message().to_owned(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

/// An error that the database did not send: the connection is gone, unless the value itself could not be sent.
fn remedy_without_word(error: &Error) -> Remedy {
    let text = error.to_string();
    let of_the_value = text.starts_with("error serializing") || text.starts_with("error deserializing");
    if of_the_value { Remedy::ThisWrites } else { Remedy::Reconnect }
}

fn remedy(error: &DbError) -> Remedy {
    let fatal = matches!(error.parsed_severity(), Some(Severity::Fatal | Severity::Panic));
    // Class 57: the server stops, starts or was told to end the session; 08: the connection.
    let class = &error.code().code()[..2];
    if fatal || class == "57" || class == "08" || *error.code() == SqlState::TOO_MANY_CONNECTIONS {
        return Remedy::Reconnect;
    }
    match *error.code() {
        SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::UNIQUE_VIOLATION => Remedy::Again,
        SqlState::READ_ONLY_SQL_TRANSACTION | SqlState::LOCK_NOT_AVAILABLE => Remedy::Everybodys,
        _ if class == "53" => Remedy::Everybodys,
        _ => Remedy::ThisWrites,
    }
}
