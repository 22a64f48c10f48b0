//! Backup and restore.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parlor_store::conformance::{balance, fund, open_table, purse, said, saying};
use parlor_store::{MatchLog, OpenError};
use parlor_store_sqlite::SqliteStore;

use crate::bench::{bench, open, raw};

#[test]
fn a_backup_taken_while_people_play_is_one_instant() {
    let bench = bench();
    let store = bench.store.clone();
    fund(&*store, "ann", 500);
    open_table(&*store, "t");
    assert_eq!(store.append(saying("t", 1, "1")), Ok(2));
    let stop = Arc::new(AtomicBool::new(false));
    let playing = {
        let (store, stop) = (store.clone(), stop.clone());
        std::thread::spawn(move || {
            let mut seq = 1;
            while !stop.load(Ordering::Relaxed) {
                seq += 1;
                assert_eq!(store.append(saying("t", seq, &seq.to_string())), Ok(u64::from(seq) + 1));
            }
        })
    };
    let copy = bench.folder.file("backup.sqlite");
    let result = store.backup(&copy);
    stop.store(true, Ordering::Relaxed);
    playing.join().expect("play goes on");
    result.expect("there is a copy");

    assert_eq!(std::fs::metadata(&copy).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert!(!bench.folder.file("backup.sqlite.partial").exists());
    let restored = bench.folder.file("restored.sqlite");
    SqliteStore::restore(&copy, &restored).expect("it can be put back");
    let restored = open(&restored);
    let texts = said(&restored, "t");
    assert_eq!(texts, (1..=texts.len()).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(balance(&restored, &purse("ann")), 500);
    assert_eq!(restored.integrity(), Ok(Vec::new()));
    let seq = texts.len() as u32 + 1;
    assert_eq!(restored.append(saying("t", seq, "on")), Ok(u64::from(seq) + 1), "play goes on from there");
}

#[test]
fn nothing_is_overwritten_and_nothing_unsound_put_back() {
    let bench = bench();
    open_table(&*bench.store, "t");
    fund(&*bench.store, "ann", 5);
    let copy = bench.folder.file("backup.sqlite");
    bench.store.backup(&copy).expect("there is a copy");
    assert!(matches!(bench.store.backup(&copy), Err(OpenError::Exists(_))));
    assert!(matches!(SqliteStore::restore(&copy, &bench.path), Err(OpenError::Exists(_))));

    let target = bench.folder.file("restored.sqlite");
    raw(&copy).execute("UPDATE account SET balance = balance + 1", []).expect("it can be forged");
    assert!(matches!(SqliteStore::restore(&copy, &target), Err(OpenError::Damaged(_))));
    let text = bench.folder.file("text");
    std::fs::write(&text, "no database").expect("it can be written");
    assert!(matches!(SqliteStore::restore(&text, &target), Err(OpenError::Foreign)));
    let empty = bench.folder.file("empty");
    std::fs::write(&empty, "").expect("it can be written");
    assert!(matches!(SqliteStore::restore(&empty, &target), Err(OpenError::Foreign)));
    assert!(SqliteStore::restore(&bench.folder.file("missing"), &target).is_err());
    assert!(!target.exists() && !bench.folder.file("restored.sqlite.partial").exists());
}
