//! Stores of earlier schemas, as they were written then: every later build opens them.

use std::fmt::Write as _;
use std::path::Path;

use parlor_store::conformance::{
    append, balance, chips, fund, move_chips, move_for, open, player, purse, said, say, saying, table,
};
use parlor_store::{
    Accounts, Append, Facts, HoldId, MatchLog, MatchSelector, OpenHold, Owner, Player, Reason, TableState,
    Write,
};
use parlor_store_sqlite::SqliteStore;
use rusqlite::Connection;

use crate::bench::{Folder, number, open as open_store, raw};

/// Stores of earlier schemas, each as the last build of that schema wrote it.
const GOLDEN: [(i64, &str); 4] = [
    (1, include_str!("../golden/v1.sql")),
    (4, include_str!("../golden/v4.sql")),
    (5, include_str!("../golden/v5.sql")),
    (6, include_str!("../golden/v6.sql")),
];

/// What the golden store holds. Changing this means writing another golden store, never this one again.
fn fill(store: &SqliteStore) {
    fund(store, "ann", 100);
    let hold = HoldId::new("h1").expect("a good name");
    store.write(Write::hold(&hold, &player("ann"), &chips(), 40, 2)).expect("Ann has it");
    let facts = Some(Facts(serde_json::json!({ "listed": true })));
    let first = append("running", 0, vec![open(1), say(1, 1, "a"), open(2)]);
    store.append(Append { facts, at_ms: 3, ..first }).expect("it is new");
    let buy_in = vec![move_chips(&Owner::Hold(hold), &Owner::Table(table("running")), 30)];
    let record = append("running", 3, vec![say(2, 1, "b")]);
    store.append(Append { transfers: buy_in, at_ms: 4, ..record }).expect("it follows");
    let finished = append("finished", 0, vec![open(1), say(1, 1, "end")]);
    store.append(Append { state: Some(TableState::Finished), at_ms: 5, ..finished }).expect("it is new");
    let ann = Player::new(player("ann"), "Ann", [7; 32], 1);
    store.write(Write::Player(ann)).expect("the token is free");
}

fn check(store: &SqliteStore) {
    let last = store.read(&table("running"), MatchSelector::Last).unwrap().expect("it is there");
    assert_eq!((last.header.match_no, last.records.len(), last.seq), (2, 1, 4));
    assert_eq!(last.header.seed, parlor_core::Seed::from_text("conformance"));
    assert_eq!(said(store, "running"), ["a", "b"]);
    let info = store.table(&table("running")).unwrap().expect("it is there");
    assert_eq!((info.created_ms, info.updated_ms, info.state), (3, 4, TableState::Running));
    assert_eq!(info.facts.0["listed"], true);
    assert_eq!(store.table(&table("finished")).unwrap().expect("it is there").state, TableState::Finished);
    assert_eq!(balance(store, &purse("ann")), 60);
    assert_eq!(balance(store, &Owner::Table(table("running"))), 30);
    let lines = store.statement(&purse("ann"), None, None, 9).unwrap();
    let lines: Vec<_> = lines.iter().map(|line| (line.at_ms, line.change, line.balance)).collect();
    assert_eq!(lines, [(2, -40, 60), (0, 100, 100)]);
    let holds = store.holds(None, 9).unwrap();
    let (hold, amount, payer, at_ms) = (HoldId::new("h1").expect("a good name"), 10, purse("ann"), 2);
    assert_eq!(holds, [OpenHold { hold, currency: chips(), amount, payer, at_ms }]);
    assert_eq!(store.due(&table("running"), &chips()), Ok(vec![(player("ann"), 30)]));
    assert_eq!(store.audit(), Ok(Vec::new()));
    assert_eq!(store.integrity(), Ok(Vec::new()));
    let ann = store.player_by_token(&[7; 32]).unwrap().expect("the player is there");
    assert_eq!((ann.name.as_str(), ann.created_ms), ("Ann", 1));
}

#[test]
fn a_store_of_an_earlier_schema_is_opened_and_goes_on() {
    for (schema, sql) in GOLDEN {
        goes_on(schema, sql);
    }
}

fn goes_on(schema: i64, sql: &str) {
    let folder = Folder::new();
    let path = folder.file("old.sqlite");
    raw(&path).execute_batch(sql).expect("it is SQL");
    assert_eq!(number(&path, "PRAGMA user_version"), schema);
    let store = open_store(&path);
    assert_eq!(number(&path, "PRAGMA user_version"), i64::from(SqliteStore::schema()));
    check(&store);
    // A retry from before the upgrade is still recognised.
    let retry = append("running", 3, vec![say(2, 1, "b")]);
    let hold = Owner::Hold(HoldId::new("h1").expect("a good name"));
    let transfers = vec![move_for(Reason::BuyIn, &hold, &Owner::Table(table("running")), 30)];
    assert_eq!(store.append(Append { transfers, ..retry }), Ok(4));
    let hold = HoldId::new("h1").expect("a good name");
    assert_eq!(store.write(Write::hold(&hold, &player("ann"), &chips(), 40, 2)), Ok(0));
    assert_eq!(store.append(append("running", 4, vec![say(2, 2, "c")])), Ok(5));
    assert_eq!(store.append(saying("finished", 2, "late")), Ok(3));
}

#[test]
fn a_migrated_store_has_the_layout_of_a_new_one() {
    let folder = Folder::new();
    let new = folder.file("new.sqlite");
    drop(open_store(&new));
    let layout = |path: &Path| -> Vec<String> {
        let conn = raw(path);
        let sql =
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY name";
        let mut statement = conn.prepare(sql).expect("it is SQL");
        let rows = statement.query_map([], |row| row.get(0)).expect("there are rows");
        rows.map(|row| row.expect("it is text")).collect()
    };
    for (schema, sql) in GOLDEN {
        let old = folder.file(&format!("v{schema}.sqlite"));
        raw(&old).execute_batch(sql).expect("it is SQL");
        drop(open_store(&old));
        assert_eq!(layout(&old), layout(&new), "from schema {schema}");
    }
}

/// Writes the golden store of the current schema, when a new one is due:
/// `PARLOR_GOLDEN=$PWD/crates/parlor-store-sqlite/tests/golden/vN.sql cargo test -p parlor-store-sqlite golden`.
#[test]
fn write_golden() {
    let Some(target) = std::env::var_os("PARLOR_GOLDEN") else { return };
    let folder = Folder::new();
    let path = folder.file("golden.sqlite");
    let store = open_store(&path);
    fill(&store);
    check(&store);
    drop(store);
    std::fs::write(target, dump(&raw(&path))).expect("it can be written");
}

/// A database as SQL.
fn dump(conn: &Connection) -> String {
    let mut out = String::new();
    for pragma in ["application_id", "user_version"] {
        let value: i64 = conn.pragma_query_value(None, pragma, |row| row.get(0)).expect("it says");
        writeln!(out, "PRAGMA {pragma} = {value};").expect("text");
    }
    let mut schema = conn
        .prepare(
            "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
        )
        .expect("it is SQL");
    let mut rows = schema.query([]).expect("there are rows");
    while let Some(row) = rows.next().expect("there are rows") {
        let (kind, name, sql): (String, String, String) =
            (row.get_unwrap(0), row.get_unwrap(1), row.get_unwrap(2));
        writeln!(out, "{sql};").expect("text");
        if kind == "table" {
            dump_rows(conn, &name, &mut out);
        }
    }
    out
}

fn dump_rows(conn: &Connection, name: &str, out: &mut String) {
    let columns = conn.prepare(&format!("SELECT * FROM {name}")).expect("it is SQL");
    let quoted: Vec<String> = columns.column_names().map(|column| format!("quote({column})")).collect();
    let mut statement =
        conn.prepare(&format!("SELECT {} FROM {name}", quoted.join(", "))).expect("it is SQL");
    let mut rows = statement.query([]).expect("there are rows");
    while let Some(row) = rows.next().expect("there are rows") {
        let values: Vec<String> = (0..quoted.len()).map(|n| row.get_unwrap(n)).collect();
        writeln!(out, "INSERT INTO {name} VALUES ({});", values.join(", ")).expect("text");
    }
}
