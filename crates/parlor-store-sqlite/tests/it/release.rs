//! The store that release 0.1.0 left, as SQL: every later build opens it, and no token moves by that.

use std::path::Path;

use parlor_core::Json;
use parlor_store::{
    Accounts, Currency, Listing, MatchLog, MatchSelector, Owner, ROWS_PER_PAGE_MAX, Reason, TableState,
};
use parlor_store_sqlite::SqliteStore;

use crate::bench::{Folder, number, open, raw};

const STORE: &str = include_str!("../../../../conformance/golden/0.1.0/store.sql");

/// Every account as the file has it.
fn accounts(path: &Path) -> Vec<(String, String, i64)> {
    let conn = raw(path);
    let mut rows =
        conn.prepare("SELECT owner, currency, balance FROM account ORDER BY no").expect("it is SQL");
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("there are rows");
    rows.map(|row| row.expect("an account")).collect()
}

#[test]
fn a_store_of_0_1_0_is_opened_and_the_balances_are_equal() {
    let folder = Folder::new();
    let path = folder.file("golden.sqlite");
    raw(&path).execute_batch(STORE).expect("it is SQL");
    assert_eq!(number(&path, "PRAGMA user_version"), 3);
    let before = accounts(&path);
    assert!(before.len() > 6, "players, tables, the house and the mint");
    let store = open(&path);
    assert_eq!(number(&path, "PRAGMA user_version"), i64::from(SqliteStore::schema()));
    for (owner, currency, balance) in before {
        let (of, currency) =
            (Owner::parse(&owner).expect("an owner"), Currency::new(&currency).expect("a name"));
        assert_eq!(store.balance(&of, &currency), Ok(balance), "{owner}");
    }
    assert_eq!((store.audit(), store.integrity()), (Ok(Vec::new()), Ok(Vec::new())));
}

#[test]
fn the_statements_of_a_0_1_0_store_add_up_and_give_no_reasons() {
    let folder = Folder::new();
    let path = folder.file("golden.sqlite");
    raw(&path).execute_batch(STORE).expect("it is SQL");
    let accounts = accounts(&path);
    let store = open(&path);
    let mut sides = 0;
    for (owner, currency, mut left) in accounts {
        let (of, currency) =
            (Owner::parse(&owner).expect("an owner"), Currency::new(&currency).expect("a name"));
        let lines = store.statement(&of, Some(&currency), None, ROWS_PER_PAGE_MAX).expect("it can be read");
        sides += lines.len() as i64;
        for line in lines {
            assert_eq!((line.balance, line.reason), (left, Reason::Other), "{owner}: {line:?}");
            assert_eq!(line.table.is_some(), line.key.is_none(), "{owner}: {line:?}");
            left -= line.change;
        }
        assert_eq!(left, 0, "{owner} began with nothing");
    }
    assert!(sides > 20, "{sides} lines");
    assert_eq!(sides, 2 * number(&path, "SELECT count(*) FROM leg"));
    assert_eq!(store.holds(None, 10).map(|holds| holds.len()), Ok(0));
}

#[test]
fn a_copy_of_a_0_1_0_store_can_be_put_back_and_opened() {
    let folder = Folder::new();
    let (path, copy) = (folder.file("golden.sqlite"), folder.file("copy.sqlite"));
    raw(&path).execute_batch(STORE).expect("it is SQL");
    SqliteStore::restore(&path, &copy).expect("its books balance");
    assert_eq!(number(&copy, "PRAGMA user_version"), 3, "a copy is what it was");
    assert_eq!(accounts(&copy), accounts(&path));
    assert_eq!(open(&copy).audit(), Ok(Vec::new()));
}

#[test]
fn every_log_of_a_0_1_0_store_can_be_read() {
    let folder = Folder::new();
    let path = folder.file("golden.sqlite");
    raw(&path).execute_batch(STORE).expect("it is SQL");
    let store = open(&path);
    let tables = store.tables(&Listing::default()).expect("it can be read");
    for state in [TableState::Running, TableState::Paused, TableState::Finished] {
        assert!(tables.iter().any(|info| info.state == state), "a table that is {state:?}");
    }
    assert!(tables.iter().any(|info| info.match_no > 1), "matches that are linked");
    for info in tables {
        for n in 1..=info.match_no {
            let stored = store
                .read(&info.table, MatchSelector::Match(n))
                .expect("it can be read")
                .expect("it is there");
            assert_eq!((stored.header.match_no, stored.header.game.as_str()), (n, info.game.as_str()));
            assert!(stored.records.iter().zip(1..).all(|(record, seq)| record.seq == seq));
        }
        assert_ne!(info.facts.0, Json::Null, "{}", info.table);
    }
}
