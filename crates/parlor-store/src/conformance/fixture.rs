//! Tables, players and records to try a driver with.

use std::sync::mpsc::{Receiver, channel};

use parlor_core::record::{FORMAT, JsonText};
use parlor_core::{Body, By, Header, Record, Seed, Undo};

use crate::accounts::Accounts;
use crate::error::WriteError;
use crate::id::{Currency, HoldId, PlayerId, TableId};
use crate::ledger::{Owner, Reason, Transfer};
use crate::log::{MatchLog, MatchSelector, StoredMatch};
use crate::write::{Append, Epoch, LogEntry, Write};

/// The epoch of writers who are alone.
pub const FIRST: Epoch = Epoch(1);

/// The table of this name.
#[must_use]
pub fn table(name: &str) -> TableId {
    TableId::new(name).expect("a good name")
}

/// The currency that the suite plays for.
#[must_use]
pub fn chips() -> Currency {
    Currency::new("chips").expect("a good name")
}

/// The player of this name.
#[must_use]
pub fn player(name: &str) -> PlayerId {
    PlayerId::new(name).expect("a good name")
}

/// The hold of this name.
#[must_use]
pub fn hold(name: &str) -> HoldId {
    HoldId::new(name).expect("a good name")
}

/// A payment outside of any table.
#[must_use]
pub fn post(key: &str, transfers: Vec<Transfer>) -> Write {
    Write::Post { key: key.to_owned(), transfers, at_ms: 0 }
}

/// Their account.
#[must_use]
pub fn purse(name: &str) -> Owner {
    Owner::Player(player(name))
}

/// Chips on their way.
#[must_use]
pub fn move_chips(from: &Owner, to: &Owner, amount: i64) -> Transfer {
    move_for(Reason::Other, from, to, amount)
}

/// Chips on their way, and why.
#[must_use]
pub fn move_for(reason: Reason, from: &Owner, to: &Owner, amount: i64) -> Transfer {
    Transfer { from: from.clone(), to: to.clone(), currency: chips(), amount, reason }
}

/// A match opens.
#[must_use]
pub fn open(match_no: u32) -> LogEntry {
    LogEntry::Open(Box::new(Header {
        format: FORMAT,
        game: "conformance".to_owned(),
        rules: 1,
        identity: None,
        settings: JsonText::default(),
        seats: 2,
        seated: Vec::new(),
        undo: Undo::None,
        seed: Seed::from_text("conformance"),
        seeded: true,
        commitment: None,
        nonces: Vec::new(),
        match_no,
        carry: None,
        counts: Vec::new(),
        house: JsonText::default(),
    }))
}

/// Somebody says something: a record like any other.
#[must_use]
pub fn say(match_no: u32, seq: u32, text: &str) -> LogEntry {
    let body = Body::Chat { seat: None, name: "tester".to_owned(), text: text.to_owned() };
    let record = Record { seq, at: u64::from(seq), by: By::Human, key: None, body };
    LogEntry::Record { match_no, record: record.into() }
}

/// An append by the first owner.
#[must_use]
pub fn append(name: &str, expected_seq: u64, entries: Vec<LogEntry>) -> Append {
    Append::new(table(name), FIRST, expected_seq, entries)
}

/// Record `seq` of the first match, on top of all before it.
#[must_use]
pub fn saying(name: &str, seq: u32, text: &str) -> Append {
    append(name, u64::from(seq), vec![say(1, seq, text)])
}

/// Opens a table with its first match.
pub fn open_table(log: &dyn MatchLog, name: &str) {
    assert_eq!(log.append(append(name, 0, vec![open(1)])), Ok(1));
}

/// Gives a player chips.
pub fn fund(log: &dyn MatchLog, name: &str, amount: i64) {
    let transfers = vec![move_chips(&Owner::Mint, &purse(name), amount)];
    let key = format!("fund/{name}");
    assert_eq!(log.write(Write::Post { key, transfers, at_ms: 0 }), Ok(0));
}

/// What an account holds.
pub fn balance(accounts: &dyn Accounts, owner: &Owner) -> i64 {
    accounts.balance(owner, &chips()).expect("it can be read")
}

/// What was said at a table, match after match.
pub fn said(log: &dyn MatchLog, name: &str) -> Vec<String> {
    let read = |match_no| log.read(&table(name), MatchSelector::Match(match_no)).expect("it can be read");
    let matches: Vec<StoredMatch> = (1..).map_while(read).collect();
    let entries: usize = matches.iter().map(|found| 1 + found.records.len()).sum();
    let numbered = matches.last().map_or(0, |last| last.seq);
    assert_eq!(entries as u64, numbered, "entries are numbered without a gap");
    let text = |record: Record| match record.body {
        Body::Chat { text, .. } => Some(text),
        _ => None,
    };
    matches.into_iter().flat_map(|found| found.records).filter_map(text).collect()
}

/// Hands a write in; its end can be waited for.
pub fn send(log: &dyn MatchLog, write: Write) -> Receiver<Result<u64, WriteError>> {
    let (tell, told) = channel();
    log.submit(
        write,
        Box::new(move |result| {
            // Nobody need be listening.
            let _ = tell.send(result);
        }),
    );
    told
}

/// A size from the environment, or the one for every day.
#[must_use]
pub fn size(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}
