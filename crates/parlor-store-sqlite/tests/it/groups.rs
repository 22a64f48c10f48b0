//! Flushes of many tables in one row, and what becomes of them.

use std::time::Duration;

use parlor_store::conformance::{Rig, append, open, open_table, said, saying, send, table};
use parlor_store::{Append, Listing, MatchLog, MatchSelector, ReadError, TableState, Write};
use parlor_store_sqlite::Together;

use crate::bench::{Bench, bench, bench_with, number, raw};

const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/// Nothing is carried over before the store is opened anew.
const GATHER: Together = Together { tables_min: 8, bytes_max: usize::MAX, wait: Duration::ZERO };

/// Stores this of every table in one flush.
fn flush(bench: &mut Bench, write: impl Fn(&str) -> Append) {
    bench.hold_back(true);
    let sent: Vec<_> = NAMES.map(|name| send(&*bench.store, Write::Append(write(name)))).into();
    bench.hold_back(false);
    for told in sent {
        assert!(told.recv().expect("it is told").is_ok());
    }
}

/// Rows of flushes, and of tables.
fn rows(bench: &Bench) -> (i64, i64) {
    // The writer carries over when it has told the senders: this waits until it is free.
    bench.store.set_read_only(false).expect("the writer is there");
    (number(&bench.path, "SELECT count(*) FROM flush"), number(&bench.path, "SELECT count(*) FROM chunk"))
}

#[test]
fn a_flush_of_many_tables_is_one_row_and_one_of_few_a_row_for_each() {
    let mut bench = bench();
    flush(&mut bench, |name| append(name, 0, vec![open(1)]));
    assert_eq!(rows(&bench), (1, 0));
    assert_eq!(bench.store.append(saying("a", 1, "alone")), Ok(2));
    assert_eq!(rows(&bench), (1, 1));
    flush(&mut bench, |name| saying(name, if name == "a" { 2 } else { 1 }, "together"));
    assert_eq!(rows(&bench), (2, 1));
    assert_eq!(said(&*bench.store, "a"), ["alone", "together"], "in their order, wherever they lie");
    assert_eq!(said(&*bench.store, "b"), ["together"]);
    let listed = bench.store.tables(&Listing::default()).expect("they are there");
    assert_eq!(listed.iter().map(|info| info.seq).collect::<Vec<_>>(), [3, 2, 2, 2, 2, 2, 2, 2, 2]);
}

#[test]
fn what_was_put_together_is_carried_over_into_one_row_for_each_table() {
    let mut bench = bench_with(Together { tables_min: 8, bytes_max: 20_000, wait: Duration::ZERO });
    flush(&mut bench, |name| append(name, 0, vec![open(1)]));
    let mut seq = 0;
    while rows(&bench).1 == 0 {
        seq += 1;
        assert!(seq < 100, "it is never carried over");
        flush(&mut bench, |name| saying(name, seq, &seq.to_string()));
    }
    assert_eq!(rows(&bench), (0, NAMES.len() as i64));
    let expected: Vec<String> = (1..=seq).map(|n| n.to_string()).collect();
    for name in NAMES {
        assert_eq!(said(&*bench.store, name), expected);
    }
    assert_eq!(bench.store.integrity(), Ok(Vec::new()));
}

#[test]
fn a_store_that_is_opened_has_carried_everything_over() {
    let mut bench = bench_with(GATHER);
    flush(&mut bench, |name| append(name, 0, vec![open(1)]));
    flush(&mut bench, |name| saying(name, 1, name));
    assert_eq!(rows(&bench), (2, 0));
    bench.crash();
    assert_eq!(rows(&bench), (0, NAMES.len() as i64));
    for name in NAMES {
        assert_eq!(said(&*bench.store, name), [name]);
    }
    flush(&mut bench, |name| saying(name, 2, "on"));
    assert_eq!(said(&*bench.store, "i"), ["i", "on"]);
}

#[test]
fn tables_that_are_forgotten_leave_nothing_behind() {
    let mut bench = bench_with(GATHER);
    flush(&mut bench, |name| append(name, 0, vec![open(1)]));
    flush(&mut bench, |name| Append {
        state: Some(TableState::Finished),
        at_ms: 5,
        ..saying(name, 1, "end")
    });
    assert_eq!(bench.store.sweep(5, 100), Ok(0), "not yet: their last word is from then");
    assert_eq!(bench.store.sweep(6, 5), Ok(5));
    assert_eq!(rows(&bench), (0, 4));
    bench.crash();
    assert_eq!(rows(&bench), (0, 4));
    assert_eq!(bench.store.read(&table("a"), MatchSelector::Last), Ok(None));
    assert_eq!(said(&*bench.store, "i"), ["end"]);
}

#[test]
fn a_damaged_entry_is_its_tables_trouble_and_stays_for_whoever_can_mend_it() {
    let mut bench = bench_with(GATHER);
    flush(&mut bench, |name| append(name, 0, vec![open(1)]));
    flush(&mut bench, |name| saying(name, 1, name));
    let conn = raw(&bench.path);
    let mut body: Vec<u8> =
        conn.query_row("SELECT body FROM flush WHERE no = 2", [], |row| row.get(0)).expect("it is there");
    let at = body.windows(3).position(|word| word == b"\"c\"").expect("it is JSON");
    body[at + 1] = b'x';
    conn.execute("UPDATE flush SET body = ?1 WHERE no = 2", [body]).expect("it can be damaged");
    assert!(matches!(bench.store.read(&table("c"), MatchSelector::Last), Err(ReadError::Damaged(_))));
    assert_eq!(said(&*bench.store, "b"), ["b"]);
    bench.crash();
    assert_eq!(rows(&bench), (1, NAMES.len() as i64), "the flush before it is carried over");
    assert!(matches!(bench.store.read(&table("c"), MatchSelector::Last), Err(ReadError::Damaged(_))));
    assert_eq!(said(&*bench.store, "b"), ["b"], "its neighbours are still read");
    assert_eq!(bench.store.append(saying("b", 2, "on")), Ok(3), "and go on");
}

#[test]
fn a_damaged_directory_is_everybodys_trouble() {
    let mut bench = bench_with(GATHER);
    flush(&mut bench, |name| append(name, 0, vec![open(1)]));
    raw(&bench.path).execute("UPDATE flush SET crc = crc + 1", []).expect("it can be damaged");
    // Nobody knows any more whose entries it held: a table must not look shorter than it was.
    for name in NAMES {
        assert!(matches!(bench.store.read(&table(name), MatchSelector::Last), Err(ReadError::Damaged(_))));
    }
    assert!(matches!(bench.store.tables(&Listing::default()), Err(ReadError::Damaged(_))));
}

#[test]
fn a_disk_that_takes_nothing_for_a_while_loses_nothing() {
    let mut bench = bench_with(Together { tables_min: 8, bytes_max: 1, wait: Duration::ZERO });
    open_table(&*bench.store, "other");
    bench.set_read_only(true);
    bench.hold_back(true);
    let refused = NAMES.map(|name| send(&*bench.store, Write::Append(append(name, 0, vec![open(1)]))));
    bench.hold_back(false);
    assert!(refused.iter().all(|told| told.recv().expect("it is told").is_err()));
    bench.set_read_only(false);
    flush(&mut bench, |name| append(name, 0, vec![open(1)]));
    assert_eq!(rows(&bench), (0, NAMES.len() as i64 + 1));
    assert_eq!(said(&*bench.store, "a"), [""; 0]);
}
