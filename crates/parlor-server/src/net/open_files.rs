//! How many files the process may have open: each connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that are not connections: the store, its log, the runtime, the pages, a reserve.
const OTHER_FILES: u64 = 64;

/// Raises the process's limit of open files as far as it may; returns how many there may be.
pub(crate) fn raise() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    if limit.current < limit.maximum || (limit.current.is_some() && limit.maximum.is_none()) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Says how many connections the system allows, as far as the process can raise its limit, beside how many are wanted.
#[must_use]
pub fn open_files_report(connections_wanted: usize) -> String {
    let files = raise();
    let room = connections_max(files);
    if room < connections_wanted {
        format!("{files} open files: {room} connections instead of {connections_wanted}; raise `ulimit -n`")
    } else {
        format!("{files} open files, enough for {connections_wanted} connections")
    }
}

/// How many connections fit under a limit of open files.
pub(crate) fn connections_max(files: u64) -> usize {
    usize::try_from(files.saturating_sub(OTHER_FILES).max(OTHER_FILES)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_files_are_kept_for_the_store() {
        assert_eq!(connections_max(1024), 960);
        assert_eq!(connections_max(10), 64, "a server that small must still be reached");
    }

    #[test]
    fn a_limit_that_is_too_low_is_named_with_what_to_do() {
        assert!(open_files_report(1).ends_with("enough for 1 connections"));
        if raise() < u64::MAX {
            assert!(open_files_report(usize::MAX).ends_with("raise `ulimit -n`"));
        }
    }

    #[test]
    fn the_limit_is_as_high_as_it_may_be() {
        assert_eq!(Some(raise()).filter(|files| *files < u64::MAX), getrlimit(Resource::Nofile).maximum);
    }
}
