//! A disk that is really full. Needs a small one: `mount -t tmpfs -o size=2m tmpfs DIR`, then `PARLOR_SMALL_DISK=DIR`.

use std::fs;
use std::path::PathBuf;

use parlor_store::conformance::{append, open, said, saying};
use parlor_store::{MatchLog, Write, WriteError};

use crate::bench::open as open_store;

/// Bytes that another program has put there and will take away again.
const BALLAST_BYTES: usize = 1_000_000;

#[test]
fn a_disk_that_is_really_full_is_told_and_recovers() {
    let Some(folder) = std::env::var_os("PARLOR_SMALL_DISK").map(PathBuf::from) else { return };
    let (path, ballast) = (folder.join("store.sqlite"), folder.join("ballast"));
    fs::write(&ballast, vec![0; BALLAST_BYTES]).expect("there is room at first");
    let store = open_store(&path);
    assert_eq!(store.append(append("t", 0, vec![open(1)])), Ok(1));
    let filler = "x".repeat(20_000);
    let mut seq = 1;
    let error = loop {
        match store.append(saying("t", seq, &filler)) {
            Ok(_) => seq += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, WriteError::Full);
    assert_eq!(store.write(Write::Probe), Err(WriteError::Full));
    assert_eq!(said(&store, "t").len(), seq as usize - 1, "what is there can be read");
    fs::remove_file(&ballast).expect("it is ours");
    assert_eq!(store.write(Write::Probe), Ok(0));
    assert_eq!(
        store.append(saying("t", seq, &filler)),
        Ok(u64::from(seq) + 1),
        "the same append, no restart"
    );
    assert_eq!(store.integrity(), Ok(Vec::new()));
    drop(store);
    assert_eq!(said(&open_store(&path), "t").len(), seq as usize);
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(crate::bench::with(&path, suffix));
    }
}
