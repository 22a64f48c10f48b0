use parlor_core::record::Record;
use parlor_core::{Account, Body, By, EncodedRecord, Money, Outcome, Posting, Seat, Seats};
use parlor_host::TableSettings;
use parlor_store::{Currency, Owner, PlayerId};

use super::*;
use crate::house::chat::KeptChat;

fn record(match_no: u32, seq: u32) -> RecordWrite {
    let body = Body::Chat { seat: None, name: "ann".to_owned(), text: "hm".to_owned() };
    let record = EncodedRecord::from(Record { seq, at: 0, by: By::Human, key: None, body });
    RecordWrite { match_no, record: Some(record), ..RecordWrite::default() }
}

fn entry(write: RecordWrite, facts: &TableFacts) -> Entry {
    Entry::new(write, &GameDef::for_game::<parlor_oxo::Oxo>(), &id(), facts, None)
}

fn append(match_no: u32, seq: u32) -> Entry {
    entry(record(match_no, seq), &facts(false))
}

fn facts(staked: bool) -> TableFacts {
    TableFacts {
        leavers: Vec::new(),
        root: String::new(),
        sessions: Vec::new(),
        owner: None,
        owner_player: None,
        bots: 0,
        settings: TableSettings::default(),
        players: vec![Some("ann".to_owned()), Some("bob".to_owned())],
        staked,
        money: Money::Tokens,
        rated: false,
        spectator_delay_ms: 0,
        invite: None,
        continued: None,
        result: None,
        beside: Json::Null,
        chat: KeptChat::default(),
    }
}

fn id() -> TableId {
    TableId::new("t").expect("a good name")
}

fn batch(entries: Vec<Entry>) -> Batch {
    Batch::of(entries, 7)
}

/// Builds the write that is due, for a running table.
fn write(store_queue: &mut StoreQueue) -> Option<StoreAppend> {
    let (facts, appends) = (facts(false), store_queue.due()?);
    Some(store_queue.write(batch(appends), id(), Epoch(1), (TableState::Running, &facts)))
}

#[test]
fn what_comes_while_the_store_is_at_work_is_one_write_after_it() {
    let mut store_queue = StoreQueue::new(5);
    assert!(store_queue.is_idle() && store_queue.due().is_none(), "nothing is to be stored");
    store_queue.push(append(1, 1));
    let first = write(&mut store_queue).expect("due");
    assert_eq!((first.expected_seq, first.entries.len()), (5, 1));
    store_queue.push(append(1, 2));
    store_queue.push(append(1, 3));
    assert!(!store_queue.is_idle() && store_queue.due().is_none(), "one write at a time");
    let stored = store_queue.stored().expect("it was at work");
    assert_eq!(stored.last, RecordId { match_no: 1, seq: 1 });
    let second = write(&mut store_queue).expect("due");
    assert_eq!((second.expected_seq, second.entries.len()), (6, 2));
    assert_eq!(store_queue.stored().expect("it was at work").last, RecordId { match_no: 1, seq: 3 });
    assert!(store_queue.is_idle() && store_queue.stored().is_none(), "nothing is under way");
}

#[test]
fn state_and_facts_are_written_when_they_change_and_again_after_a_failure() {
    let beside = |write: StoreAppend| (write.state.is_some(), write.facts.is_some());
    let mut store_queue = StoreQueue::new(0);
    assert_eq!(write(&mut store_queue).map(beside), Some((true, true)), "a new table");
    store_queue.stored();
    store_queue.push(append(1, 1));
    assert_eq!(write(&mut store_queue).map(beside), Some((false, false)), "as they were");
    store_queue.failed(Failure::Refused);
    assert_eq!(write(&mut store_queue).map(beside), Some((true, true)), "the store may not have them");
    store_queue.stored();
    store_queue.facts_changed();
    assert_eq!(write(&mut store_queue).map(beside), Some((false, true)));
}

#[test]
fn after_a_failure_nothing_that_waited_has_happened() {
    for (failure, stalls) in [(Failure::Passing, true), (Failure::Refused, false), (Failure::Moved, false)] {
        let mut store_queue = StoreQueue::new(5);
        store_queue.push(append(1, 1));
        write(&mut store_queue).expect("due");
        store_queue.push(append(1, 2));
        store_queue.failed(failure);
        assert!(store_queue.is_idle(), "{failure:?}");
        assert_eq!(store_queue.stalled(), stalls, "{failure:?}");
        assert_eq!(store_queue.due().is_none(), stalls, "{failure:?}");
        store_queue.back();
        let next = write(&mut store_queue).expect("its facts are due");
        assert_eq!((next.expected_seq, next.entries.len()), (5, 0), "{failure:?}");
    }
}

#[test]
fn a_table_that_did_not_come_to_be_hands_in_nothing() {
    let mut store_queue = StoreQueue::new(0);
    write(&mut store_queue).expect("due");
    store_queue.push(append(1, 1));
    store_queue.close();
    assert!(store_queue.due().is_none() && !store_queue.is_idle() && !store_queue.stalled());
}

#[test]
fn a_failure_is_told_by_its_error() {
    let unfunded = WriteError::Unfunded {
        owner: Owner::House,
        currency: Currency::new("tokens").expect("a good name"),
        balance: 0,
        needed: 1,
    };
    for (error, failure) in [
        (WriteError::Conflict { epoch: Epoch(2), seq: 1 }, Failure::Moved),
        (WriteError::WentBack { acknowledged: 2, found: 1 }, Failure::Moved),
        (unfunded, Failure::Refused),
        (WriteError::Unknown, Failure::Refused),
        (WriteError::Busy, Failure::Passing),
        (WriteError::Closed, Failure::Passing),
    ] {
        assert_eq!(Failure::of(&error), failure, "{error}");
    }
}

#[test]
fn a_batch_moves_tokens_only_at_a_staked_table() {
    let posting = Posting { from: Account::Seat(Seat::new(1)), to: Account::Table, amount: 3 };
    let ends = Some(Outcome::win(Seats::only(Seat::new(0)), 2, "won"));
    let last = |facts: &TableFacts| {
        entry(RecordWrite { postings: vec![posting], ends: ends.clone(), ..record(2, 4) }, facts)
    };
    let free = batch(vec![append(2, 3), last(&facts(false))]);
    assert_eq!((free.last, free.entries.len()), (RecordId { match_no: 2, seq: 4 }, 2));
    assert_eq!((free.transfers.len(), free.played.len()), (0, 2));
    let staked = batch(vec![last(&facts(true))]);
    let bob = Owner::Player(PlayerId::new("bob").expect("a good name"));
    assert_eq!(staked.transfers.iter().map(|t| (&t.from, t.amount)).collect::<Vec<_>>(), [(&bob, 3)]);
    assert_eq!(batch(Vec::new()).last, RecordId { match_no: 7, seq: 0 });
}

/// Tokens go to the player who sat there when the record was made, however late it is written.
#[test]
fn who_sits_behind_a_seat_is_fixed_when_the_record_is_made() {
    let posting = Posting { from: Account::Table, to: Account::Seat(Seat::new(1)), amount: 3 };
    let mut facts = facts(true);
    let left = entry(RecordWrite { postings: vec![posting], ..record(1, 1) }, &facts);
    facts.players[1] = Some("cid".to_owned());
    let bob = Owner::Player(PlayerId::new("bob").expect("a good name"));
    assert_eq!(batch(vec![left]).transfers[0].to, bob);
}
