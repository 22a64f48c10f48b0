//! The store is who it was: what is written to a file that has lost its name is not acknowledged.

use std::fs;
use std::path::Path;

use parlor_store::conformance::{open_table, said, saying};
use parlor_store::{MatchLog, OpenError, Write, WriteError};
use parlor_store_sqlite::{Options, SqliteStore};

use crate::bench::{Folder, open, with};

/// Does this to the files of a running store, and returns why the next write is refused.
fn refused_after(fault: impl FnOnce(&Path)) -> (SqliteStore, Folder, WriteError) {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = open(&path);
    open_table(&store, "t");
    fault(&path);
    let error = store.append(saying("t", 1, "lost")).expect_err("nothing is acknowledged");
    assert!(error.passes(), "the table waits: {error}");
    assert_eq!(store.health().failing, Some(error.clone()));
    assert_eq!(store.probe(), Err(error.clone()));
    (store, folder, error)
}

#[test]
fn nothing_is_acknowledged_once_the_file_is_deleted() {
    let (_store, _folder, error) = refused_after(|path| fs::remove_file(path).expect("deleted"));
    assert!(error.to_string().contains("deleted or moved"), "{error}");
}

#[test]
fn nothing_is_acknowledged_once_another_file_has_its_name() {
    let (_store, _folder, error) = refused_after(|path| {
        let copy = with(path, ".copy");
        fs::copy(path, &copy).expect("copied");
        fs::rename(&copy, path).expect("replaced");
    });
    assert!(error.to_string().contains("another file"), "{error}");
}

#[test]
fn nothing_is_acknowledged_once_the_file_is_cut_short() {
    let (_store, _folder, error) = refused_after(|path| {
        let file = fs::OpenOptions::new().write(true).open(path).expect("opened");
        file.set_len(1000).expect("cut short");
    });
    assert!(error.to_string().contains("cut short"), "{error}");
}

#[test]
fn nothing_is_acknowledged_once_the_write_ahead_log_is_deleted() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = open(&path);
    open_table(&store, "t");
    assert_eq!(store.append(saying("t", 1, "kept")), Ok(2));
    fs::remove_file(with(&path, "-wal")).expect("deleted");
    let error = store.append(saying("t", 2, "lost")).expect_err("it would be gone");
    assert!(matches!(&error, WriteError::Lost(why) if why.contains("write-ahead log")), "{error}");
}

#[test]
fn a_file_that_comes_back_is_written_again_without_a_restart() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = open(&path);
    open_table(&store, "t");
    let away = with(&path, ".away");
    fs::rename(&path, &away).expect("moved");
    assert!(store.append(saying("t", 1, "kept")).is_err());
    assert!(store.write(Write::Probe).is_err(), "a probe finds it too");
    fs::rename(&away, &path).expect("moved back");
    assert_eq!(store.probe(), Ok(()));
    assert_eq!(store.append(saying("t", 1, "kept")), Ok(2), "the same append");
    assert_eq!(store.health().failing, None);
    drop(store);
    assert_eq!(said(&open(&path), "t"), ["kept"]);
}

#[test]
fn a_damaged_file_is_found_by_a_probe_and_written_no_more() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = open(&path);
    open_table(&store, "t");
    assert_eq!(store.probe(), Ok(()));
    // Into the file itself: the write-ahead log would cover it.
    drop(rusqlite::Connection::open(&path).expect("opened").query_row(
        "PRAGMA wal_checkpoint(TRUNCATE)",
        [],
        |_| Ok(()),
    ));
    let sound = fs::read(&path).expect("read");
    let mut broken = sound.clone();
    broken[..100].fill(0xAB);
    overwrite(&path, &broken);
    let error = store.probe().expect_err("the header is gone");
    assert!(error.to_string().contains("damaged"), "{error}");
    assert!(store.append(saying("t", 1, "lost")).is_err(), "nothing is written on top of it");
    overwrite(&path, &sound);
    assert_eq!(store.probe(), Ok(()), "it is what it was");
    assert_eq!(store.append(saying("t", 1, "kept")), Ok(2));
}

/// Writes a file anew under the same name and number.
fn overwrite(path: &Path, bytes: &[u8]) {
    use std::io::Write as _;
    let mut file = fs::OpenOptions::new().write(true).open(path).expect("opened");
    file.write_all(bytes).expect("written");
}

#[test]
fn a_second_process_does_not_serve_the_same_store() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let serve = || SqliteStore::open(&path, Options { serve: true, ..Options::default() });
    let first = serve().expect("it opens");
    assert!(matches!(serve().err(), Some(OpenError::InUse)));
    drop(open(&path)); // A tool looks at it or copies it.
    assert!(matches!(serve().err(), Some(OpenError::InUse)), "and does not unlock it");
    drop(first);
    assert!(serve().is_ok(), "the lock ends with its process");
}
