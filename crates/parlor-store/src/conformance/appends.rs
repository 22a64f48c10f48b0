//! Appending and reading by one owner.

use super::Rig;
use super::fixture::*;
use crate::error::WriteError;
use crate::log::{ListOrder, Listing, MatchSelector};
use crate::write::{Append, ENTRIES_PER_APPEND_MAX, Facts, LogEntry, TableState, WRITE_BYTES_MAX, Write};

/// A match comes back as it was: header, records, state, facts.
pub fn what_was_appended_is_read_back(rig: &mut dyn Rig) {
    let log = rig.store();
    let facts = Some(Facts(serde_json::json!({ "root": "secret" })));
    let first = Append { facts: facts.clone(), at_ms: 7, ..append("t", 0, vec![open(1), say(1, 1, "a")]) };
    assert_eq!(log.append(first), Ok(2));
    assert_eq!(log.append(Append { at_ms: 9, ..saying("t", 2, "b") }), Ok(3));

    let found = log.read(&table("t"), MatchSelector::Last).unwrap().expect("it is there");
    let LogEntry::Open(header) = open(1) else { unreachable!() };
    assert_eq!((found.header, found.seq, found.epoch), (*header, 3, FIRST));
    assert_eq!(found.records.iter().map(|record| record.seq).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(said(&*log, "t"), ["a", "b"]);

    let info = log.table(&table("t")).unwrap().expect("it is listed");
    assert_eq!((info.game.as_str(), info.seats, info.match_no, info.seq), ("conformance", 2, 1, 3));
    assert_eq!((info.created_ms, info.updated_ms, info.state), (7, 9, TableState::Running));
    assert_eq!(Some(info.facts), facts);
    assert_eq!(log.read(&table("other"), MatchSelector::Last), Ok(None));
    assert_eq!(log.table(&table("other")), Ok(None));
}

/// A closing record and the next opening are one append; any match can be read.
pub fn a_table_is_a_chain_of_matches(rig: &mut dyn Rig) {
    let log = rig.store();
    open_table(&*log, "t");
    for n in 1..=5 {
        let seq = u64::from(n - 1) * 2 + 1;
        let link = vec![say(n, 1, &format!("end of {n}")), open(n + 1)];
        assert_eq!(log.append(append("t", seq, link)), Ok(seq + 2));
    }
    let third = log.read(&table("t"), MatchSelector::Match(3)).unwrap().expect("it is there");
    assert_eq!((third.header.match_no, third.records.len(), third.seq), (3, 1, 11));
    let last = log.read(&table("t"), MatchSelector::Last).unwrap().expect("it is there");
    assert_eq!((last.header.match_no, last.records.len()), (6, 0));
    assert_eq!(log.read(&table("t"), MatchSelector::Match(7)), Ok(None));
    assert_eq!(log.read(&table("t"), MatchSelector::Match(0)), Ok(None));
    assert_eq!(log.table(&table("t")).unwrap().expect("it is listed").match_no, 6);
}

/// Gaps, repetitions, other matches, records without a match and what is too big are refused by name.
pub fn an_entry_must_follow_the_one_before_it(rig: &mut dyn Rig) {
    let log = rig.store();
    let malformed = |append| {
        let error = log.append(append).expect_err("it cannot be right");
        assert_eq!(error.code(), "malformed", "{error}");
        assert!(!error.passes());
    };
    malformed(append("t", 0, vec![say(1, 1, "no match")]));
    malformed(append("t", 0, vec![open(2)]));
    assert_eq!(log.append(append("t", 0, Vec::new())), Err(WriteError::Unknown));
    open_table(&*log, "t");
    malformed(append("t", 1, vec![say(1, 2, "a gap")]));
    malformed(append("t", 1, vec![say(2, 1, "another match")]));
    malformed(append("t", 1, vec![open(1)]));
    malformed(append("t", 1, vec![open(3)]));
    malformed(append("t", 1, (1..=ENTRIES_PER_APPEND_MAX as u32 + 1).map(|n| say(1, n, "x")).collect()));
    let big = append("t", 1, vec![say(1, 1, &"x".repeat(WRITE_BYTES_MAX))]);
    assert_eq!(log.append(big).expect_err("it is too big").code(), "too_large");
    let found = log.read(&table("t"), MatchSelector::Last).unwrap().expect("it is there");
    assert_eq!((found.seq, found.records.len()), (1, 0), "nothing of all that was stored");
}

/// A writer who expects too few or too many entries is told how many there are.
pub fn a_stale_sequence_is_a_conflict(rig: &mut dyn Rig) {
    let log = rig.store();
    let nothing = WriteError::Conflict { epoch: crate::Epoch(0), seq: 0 };
    assert_eq!(log.append(saying("t", 1, "too early")), Err(nothing));
    open_table(&*log, "t");
    assert_eq!(log.append(saying("t", 1, "first")), Ok(2));
    let conflict = WriteError::Conflict { epoch: FIRST, seq: 2 };
    assert_eq!(log.append(saying("t", 1, "second")), Err(conflict.clone()));
    assert_eq!(log.append(saying("t", 3, "third")), Err(conflict.clone()));
    assert_eq!(log.append(append("t", 0, vec![open(1), say(1, 1, "x")])), Err(conflict.clone()));
    assert!(!conflict.passes(), "trying the same again will not help");
    assert_eq!(said(&*log, "t"), ["first"]);
}

/// An append that is there already succeeds, and is stored once; one that only looks like it is a conflict.
pub fn the_same_append_again_is_recognised(rig: &mut dyn Rig) {
    let log = rig.store();
    open_table(&*log, "t");
    open_table(&*log, "t");
    let pair = append("t", 1, vec![say(1, 1, "a"), say(1, 2, "b")]);
    assert_eq!(log.append(pair.clone()), Ok(3));
    assert_eq!(log.append(saying("t", 3, "c")), Ok(4));
    for _ in 0..2 {
        assert_eq!(log.append(pair.clone()), Ok(3), "its own end, not the table's");
    }
    let longer = append("t", 1, vec![say(1, 1, "a"), say(1, 2, "b"), say(1, 3, "other")]);
    assert_eq!(log.append(longer).expect_err("it is another").code(), "conflict");
    rig.crash();
    let log = rig.store();
    assert_eq!(log.append(pair), Ok(3));
    assert_eq!(said(&*log, "t"), ["a", "b", "c"]);
}

/// The acknowledgement is late: the sender retries while the first write is still pending, and after it is stored.
pub fn an_ambiguous_timeout_then_a_retry_stores_once(rig: &mut dyn Rig) {
    let log = rig.store();
    open_table(&*log, "t");
    rig.hold_back(true);
    let first = send(&*log, Write::Append(saying("t", 1, "a")));
    assert!(first.try_recv().is_err(), "nobody is told before it is durable");
    let again = send(&*log, Write::Append(saying("t", 1, "a")));
    let other = send(&*log, Write::Append(saying("t", 1, "b")));
    assert!(said(&*log, "t").is_empty(), "nobody reads what is not durable");
    rig.hold_back(false);
    assert_eq!((first.recv().unwrap(), again.recv().unwrap()), (Ok(2), Ok(2)));
    assert_eq!(other.recv().unwrap().expect_err("it came too late").code(), "conflict");
    assert_eq!(log.append(saying("t", 1, "a")), Ok(2));
    assert_eq!(said(&*log, "t"), ["a"]);
}

/// Many appends of many tables in one flush: each table's own come in their order.
pub fn a_flush_of_many_appends_keeps_their_order(rig: &mut dyn Rig) {
    let log = rig.store();
    let names: Vec<String> = (0..20).map(|n| format!("t{n}")).collect();
    for name in &names {
        open_table(&*log, name);
    }
    rig.hold_back(true);
    let mut sent = Vec::new();
    for seq in 1..=30 {
        for name in &names {
            let append = saying(name, seq, &format!("{name} {seq}"));
            sent.push((u64::from(seq) + 1, send(&*log, Write::Append(append))));
        }
    }
    rig.hold_back(false);
    for (seq, told) in sent {
        assert_eq!(told.recv().unwrap(), Ok(seq));
    }
    for name in &names {
        assert_eq!(said(&*log, name), (1..=30).map(|seq| format!("{name} {seq}")).collect::<Vec<_>>());
    }
}

/// The list is complete, in order, and can be had page by page and by state.
pub fn tables_are_listed_in_pages(rig: &mut dyn Rig) {
    let log = rig.store();
    for n in 0..10 {
        open_table(&*log, &format!("t{n}"));
    }
    let done = Append { state: Some(TableState::Finished), at_ms: 5, ..append("t3", 1, Vec::new()) };
    assert_eq!(log.append(done.clone()), Ok(1));
    assert_eq!(log.append(done), Ok(1), "saying it again changes nothing");
    let list = |listing: Listing| -> Vec<String> {
        log.tables(&listing).unwrap().iter().map(|info| info.table.to_string()).collect()
    };
    assert_eq!(list(Listing::default()).len(), 10);
    assert_eq!(list(Listing { limit: 2, after: Some(table("t4")), ..Listing::default() }), ["t5", "t6"]);
    assert_eq!(list(Listing { state: Some(TableState::Finished), ..Listing::default() }), ["t3"]);
    assert_eq!(list(Listing { state: Some(TableState::Running), ..Listing::default() }).len(), 9);
}

/// The newest table comes first, page by page, also when only one game or one state is wanted.
pub fn tables_are_listed_newest_first(rig: &mut dyn Rig) {
    let log = rig.store();
    for name in ["m", "z", "a", "q"] {
        open_table(&*log, name);
    }
    assert_eq!(log.append(Append { state: Some(TableState::Finished), ..append("z", 1, Vec::new()) }), Ok(1));
    rig.crash();
    let log = rig.store();
    let list = |listing: Listing| -> Vec<String> {
        log.tables(&listing).unwrap().iter().map(|info| info.table.to_string()).collect()
    };
    let newest = Listing { order: ListOrder::Newest, ..Listing::default() };
    assert_eq!(list(newest.clone()), ["q", "a", "z", "m"]);
    let page = |after: &str| Listing { after: Some(table(after)), limit: 2, ..newest.clone() };
    assert_eq!((list(page("q")), list(page("z"))), (vec!["a".into(), "z".into()], vec!["m".into()]));
    assert_eq!(
        list(page("nobody")),
        Vec::<String>::new(),
        "after a table that is gone nothing is known to follow"
    );
    assert_eq!(list(Listing { state: Some(TableState::Running), ..newest.clone() }), ["q", "a", "m"]);
    let game = log.tables(&newest).unwrap()[0].game.clone();
    assert_eq!(list(Listing { game: Some(game), ..page("q") }), ["a", "z"]);
    assert_eq!(list(Listing { game: Some("another".to_owned()), ..newest }), Vec::<String>::new());
}
