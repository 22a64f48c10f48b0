//! The store in memory.

use std::sync::Arc;

use parlor_store::conformance::{self, Rig, append, open, said, saying, send};
use parlor_store::{MemoryLog, Store, Syncs, Write};

struct Bench {
    log: Arc<MemoryLog>,
}

fn bench() -> Bench {
    Bench { log: Arc::new(MemoryLog::new(Syncs::AtOnce)) }
}

/// Bytes that still fit on a disk that is about to be full.
const LEFT_BYTES: u64 = 50_000;

impl Rig for Bench {
    fn store(&self) -> Arc<dyn Store> {
        self.log.clone()
    }

    fn hold_back(&mut self, held: bool) {
        self.log.set_syncs(if held { Syncs::ByHand } else { Syncs::AtOnce });
        if !held {
            self.log.sync();
        }
    }

    fn crash(&mut self) {
        self.log.crash();
        self.log.set_syncs(Syncs::AtOnce);
    }

    fn set_full(&mut self, full: bool) {
        self.log.set_quota(full.then_some(LEFT_BYTES));
    }

    fn set_read_only(&mut self, read_only: bool) {
        self.log.set_read_only(read_only);
    }
}

parlor_store::conformance_tests!(bench);

/// The suite fails on a disk that acknowledges a write and forgets it.
#[test]
fn a_disk_that_lies_is_caught() {
    struct Liar(Bench);
    impl Rig for Liar {
        fn store(&self) -> Arc<dyn Store> {
            self.0.store()
        }
        fn hold_back(&mut self, _: bool) {}
        fn crash(&mut self) {
            self.0.log.crash();
        }
        fn set_full(&mut self, _: bool) {}
        fn set_read_only(&mut self, _: bool) {}
    }
    let caught = std::panic::catch_unwind(|| {
        let mut liar = Liar(bench());
        liar.0.log.set_syncs(Syncs::Lying);
        conformance::what_was_acknowledged_survives_every_crash(&mut liar);
    });
    assert!(caught.is_err());
}

#[test]
fn what_waits_is_told_by_the_sync_and_not_before() {
    let log = MemoryLog::new(Syncs::ByHand);
    let told = send(&log, Write::Append(append("t", 0, vec![open(1)])));
    let more = send(&log, Write::Append(saying("t", 1, "a")));
    assert_eq!(log.unsynced(), 2);
    assert!(told.try_recv().is_err());
    log.sync();
    assert_eq!((told.recv().unwrap(), more.recv().unwrap()), (Ok(1), Ok(2)));
    assert_eq!(said(&log, "t"), ["a"]);
}
