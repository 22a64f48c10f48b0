//! Group commit: what is stored together, and when it is acknowledged.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use parlor_store::conformance::{Rig, append, open, open_table, said, saying, send, table};
use parlor_store::{Append, Epoch, MatchLog, Write, WriteError};
use parlor_store_sqlite::{Flush, Options, SqliteStore, Together};

use crate::bench::{Folder, bench, number, open as open_store, raw};

#[test]
fn what_waits_goes_into_one_transaction_and_a_tables_entries_into_one_row() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let flushes: Arc<Mutex<Vec<Flush>>> = Arc::default();
    let seen = flushes.clone();
    let observer = Box::new(move |flush| seen.lock().expect("nobody panics").push(flush));
    let options = Options { observer: Some(observer), ..Options::default() };
    let store = SqliteStore::open(&path, options).expect("it opens");

    let held = store.hold_back().expect("the writer is there");
    let mut sent = Vec::new();
    for name in ["a", "b", "c"] {
        sent.push(send(&store, Write::Append(append(name, 0, vec![open(1)]))));
        sent.extend((1..=20).map(|seq| send(&store, Write::Append(saying(name, seq, "x")))));
    }
    sent.push(send(&store, Write::Append(saying("a", 50, "stale"))));
    drop(held);
    let refused = sent.iter().filter(|told| told.recv().expect("it is told").is_err()).count();
    assert_eq!(refused, 1);
    let flushes = flushes.lock().expect("nobody panics").clone();
    assert_eq!(flushes.iter().map(|flush| (flush.writes, flush.refused)).collect::<Vec<_>>(), [(64, 1)]);
    assert_eq!(number(&path, "SELECT count(*) FROM chunk"), 3);
}

/// After a flush of many the next one waits for company; after one of few it does not.
#[test]
fn where_many_write_a_flush_waits_for_company_and_where_few_do_it_does_not() {
    let folder = Folder::new();
    let flushes: Arc<Mutex<Vec<usize>>> = Arc::default();
    let seen = flushes.clone();
    let observer = Box::new(move |flush: Flush| seen.lock().expect("nobody panics").push(flush.writes));
    let together = Together { tables_min: 3, wait: Duration::from_secs(2), ..Together::default() };
    let options = Options { observer: Some(observer), together, ..Options::default() };
    let store = SqliteStore::open(&folder.file("store.sqlite"), options).expect("it opens");

    let held = store.hold_back().expect("the writer is there");
    let many: Vec<_> = (0..3).map(|_| send(&store, Write::Probe)).collect();
    drop(held);
    many.iter().for_each(|told| assert_eq!(told.recv().expect("it is told"), Ok(0)));
    let first = send(&store, Write::Probe);
    let second = send(&store, Write::Probe);
    assert_eq!(first.recv().expect("it is told"), Ok(0));
    assert_eq!(second.recv().expect("it is told"), Ok(0));
    // Two are few: the next write is stored at once, and alone.
    let began = Instant::now();
    assert_eq!(store.write(Write::Probe), Ok(0));
    assert!(began.elapsed() < Duration::from_secs(2), "nobody was waited for");
    assert_eq!(*flushes.lock().expect("nobody panics"), [3, 2, 1]);
}

#[test]
fn a_sender_who_panics_does_the_others_no_harm() {
    let bench = bench();
    open_table(&*bench.store, "t");
    bench.store.submit(Write::Append(saying("t", 1, "a")), Box::new(|_| panic!("planted")));
    assert_eq!(bench.store.append(saying("t", 2, "b")), Ok(3));
}

#[test]
fn the_last_sender_may_close_the_store() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = Arc::new(open_store(&path));
    let (tell, told) = channel();
    let last = store.clone();
    let held = store.hold_back().expect("the writer is there");
    let done = move |result| {
        drop(last);
        tell.send(result).expect("the test listens");
    };
    store.submit(Write::Append(append("t", 0, vec![open(1)])), Box::new(done));
    drop(store);
    drop(held);
    assert_eq!(told.recv().expect("it is told"), Ok(1));
}

#[test]
fn a_queue_that_is_full_says_so() {
    let mut bench = bench();
    bench.hold_back(true);
    let mut taken = Vec::new();
    let error = loop {
        let told = send(&*bench.store, Write::Probe);
        if let Ok(result) = told.try_recv() {
            break result.expect_err("nothing is stored");
        }
        taken.push(told);
        assert!(taken.len() < 100_000, "the queue has no limit");
    };
    assert_eq!(error, WriteError::Overloaded);
    assert!(error.passes());
    assert_eq!(bench.store.health().queued, taken.len() as u64);
    // Not one by one into a database: the process dies.
    bench.crash();
}

#[test]
fn two_processes_with_one_file_are_fenced_like_any_two_owners() {
    let bench = bench();
    let (old, new) = (&*bench.store, &open_store(&bench.path));
    open_table(old, "t");
    assert_eq!(old.append(saying("t", 1, "old")), Ok(2));
    let epoch = new.new_epoch().expect("there is one");
    let epoch = Epoch(epoch.0 + 1);
    assert_eq!(new.claim(&table("t"), epoch), Ok(2));
    assert_eq!(new.append(Append { epoch, ..saying("t", 2, "new") }), Ok(3));
    // The first has remembered where the table stood, and must not trust it.
    let conflict = WriteError::Conflict { epoch, seq: 3 };
    assert_eq!(old.append(saying("t", 2, "old")), Err(conflict));
    assert_eq!(said(old, "t"), ["old", "new"]);
}

#[test]
fn a_store_that_another_process_keeps_locked_says_so_and_recovers() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let options = Options { busy_ms_max: Some(20), ..Options::default() };
    let store = SqliteStore::open(&path, options).expect("it opens");
    open_table(&store, "t");
    let other = raw(&path);
    other.execute_batch("BEGIN IMMEDIATE").expect("it is free");
    assert_eq!(store.append(saying("t", 1, "a")), Err(WriteError::Busy));
    assert_eq!(store.health().failing, Some(WriteError::Busy));
    assert!(said(&store, "t").is_empty(), "reading goes on");
    other.execute_batch("ROLLBACK").expect("it is ours");
    assert_eq!(store.append(saying("t", 1, "a")), Ok(2));
    assert_eq!(store.health().failing, None);
}

#[test]
fn a_writer_that_is_gone_is_told() {
    let bench = bench();
    bench.store.hold_back().expect("the writer is there").kill();
    assert_eq!(bench.store.write(Write::Probe), Err(WriteError::Closed));
    // It has let go of its queue; its thread may take a moment longer to end.
    while bench.store.health().failing != Some(WriteError::Closed) {
        std::thread::yield_now();
    }
}
