//! The file: who may read it, whose it is, whether it is sound.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use parlor_store::conformance::{Rig, open_table, said, saying, send, table};
use parlor_store::{MatchLog, MatchSelector, OpenError, ReadError, Write, WriteError};
use parlor_store_sqlite::{Options, SqliteStore};

use crate::bench::{Folder, bench, number, open, raw, with};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("the file is there").permissions().mode() & 0o777
}

fn refused(path: &Path) -> OpenError {
    SqliteStore::open(path, Options::default()).err().expect("it does not open")
}

#[test]
fn only_the_owner_may_read_the_files() {
    let bench = bench();
    open_table(&*bench.store, "t");
    for suffix in ["", "-wal", "-shm"] {
        assert_eq!(mode(&with(&bench.path, suffix)), 0o600, "{suffix}");
    }
}

#[test]
fn a_file_that_others_may_read_is_closed_to_them_when_opened() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    drop(open(&path));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
    drop(open(&path));
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn a_closed_store_is_one_file_and_goes_on_where_it_stopped() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = open(&path);
    open_table(&store, "t");
    let told = send(&store, Write::Append(saying("t", 1, "last word")));
    drop(store);
    assert_eq!(told.recv().expect("what waits is still done"), Ok(2));
    assert!(!with(&path, "-wal").exists());
    assert_eq!(said(&open(&path), "t"), ["last word"]);
}

#[test]
fn the_file_is_in_wal_mode_and_names_its_schema() {
    let bench = bench();
    let journal: String =
        raw(&bench.path).pragma_query_value(None, "journal_mode", |row| row.get(0)).expect("it says");
    assert_eq!(journal, "wal");
    assert_eq!(number(&bench.path, "PRAGMA user_version"), i64::from(SqliteStore::schema()));
}

#[test]
fn files_of_other_programs_and_later_builds_are_left_alone() {
    let folder = Folder::new();
    let foreign = folder.file("foreign.sqlite");
    raw(&foreign).execute_batch("CREATE TABLE theirs (x)").expect("it is a database");
    assert!(matches!(refused(&foreign), OpenError::Foreign));

    let text = folder.file("text");
    std::fs::write(
        &text,
        "no database, but long enough to be taken for one by its length alone. ".repeat(20),
    )
    .expect("it can be written");
    assert!(matches!(refused(&text), OpenError::Foreign));

    let newer = folder.file("newer.sqlite");
    drop(open(&newer));
    raw(&newer).pragma_update(None, "user_version", 99).expect("it can be changed");
    assert!(matches!(refused(&newer), OpenError::TooNew { found: 99, .. }));
    assert_eq!(number(&newer, "PRAGMA user_version"), 99);
}

#[test]
fn a_damaged_entry_is_told_and_its_neighbours_go_on() {
    let mut bench = bench();
    for name in ["a", "b", "c"] {
        open_table(&*bench.store, name);
    }
    // The writer must not remember where the table stands.
    bench.crash();
    raw(&bench.path)
        .execute("UPDATE chunk SET body = zeroblob(length(body)) WHERE place >> 32 = 2", [])
        .expect("it can be damaged");
    let store = bench.store.clone();
    assert!(matches!(store.read(&table("b"), MatchSelector::Last), Err(ReadError::Damaged(_))));
    bench.hold_back(true);
    let sent = ["a", "b", "c"].map(|name| send(&*store, Write::Append(saying(name, 1, "x"))));
    bench.hold_back(false);
    let [a, b, c] = sent.map(|told| told.recv().expect("it is told"));
    assert_eq!((a, c), (Ok(2), Ok(2)));
    assert!(matches!(b, Err(WriteError::Damaged(_))));
    assert_eq!(store.health().failing, None, "one table's damage is not the store's");
    assert_eq!(store.integrity(), Ok(Vec::new()), "the file itself is sound");
}

#[test]
fn one_wrong_letter_in_a_record_is_noticed() {
    let bench = bench();
    open_table(&*bench.store, "t");
    assert_eq!(bench.store.append(saying("t", 1, "fold")), Ok(2));
    let conn = raw(&bench.path);
    let last = "SELECT body FROM chunk ORDER BY place DESC LIMIT 1";
    let mut body: Vec<u8> = conn.query_row(last, [], |row| row.get(0)).expect("it is there");
    let at = body.windows(4).position(|word| word == b"fold").expect("it is JSON");
    body[at] = b'h';
    conn.execute("UPDATE chunk SET body = ?1 WHERE place = (SELECT max(place) FROM chunk)", [body])
        .expect("it can be damaged");
    assert!(matches!(bench.store.read(&table("t"), MatchSelector::Last), Err(ReadError::Damaged(_))));
}

#[test]
fn an_error_names_no_secret() {
    let bench = bench();
    open_table(&*bench.store, "t");
    raw(&bench.path)
        .execute("UPDATE chunk SET body = substr(body, 1, 100), crc = crc + 1", [])
        .expect("damage");
    let error = bench.store.read(&table("t"), MatchSelector::Last).expect_err("it is damaged");
    let seed = parlor_core::Seed::from_text("conformance").to_hex();
    assert!(!error.to_string().contains(&seed[..16]));
}

/// Makes an index that lacks what was written last, as a disk does that loses a page.
fn forget_index_entries(path: &Path) {
    let of_index = |conn: &rusqlite::Connection, sql: &str| {
        conn.execute_batch(&format!("PRAGMA writable_schema = ON; {sql} PRAGMA writable_schema = OFF;"))
            .expect("the schema is ours to break");
    };
    let conn = rusqlite::Connection::open(path).expect("it opens");
    let row: (i64, String) = conn
        .query_row("SELECT rootpage, sql FROM sqlite_schema WHERE name = 'game_table_finished'", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .expect("the index is there");
    of_index(&conn, "DELETE FROM sqlite_schema WHERE name = 'game_table_finished';");
    drop(conn);
    let conn = rusqlite::Connection::open(path).expect("it opens");
    conn.execute("UPDATE game_table SET state = 2, changed_ms = 77", []).expect("without the index");
    let (page, sql) = row;
    of_index(
        &conn,
        &format!(
            "INSERT INTO sqlite_schema VALUES ('index', 'game_table_finished', 'game_table', {page}, '{sql}');"
        ),
    );
}

#[test]
fn indexes_are_mended_and_the_store_as_it_was_is_kept() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let served = Options { serve: true, ..Options::default() };
    let store = SqliteStore::open(&path, served).expect("the store opens");
    open_table(&store, "t");
    assert!(matches!(SqliteStore::repair(&path), Err(OpenError::InUse)), "not while it is served");
    drop(store);
    let sound = SqliteStore::repair(&path).expect("it can be looked at");
    assert!(sound.found.is_empty() && sound.kept.is_none(), "nothing to do: {sound:?}");
    forget_index_entries(&path);
    let mended = SqliteStore::repair(&path).expect("it can be mended");
    assert!(!mended.found.is_empty() && mended.left.is_empty(), "{mended:?}");
    let kept = mended.kept.expect("a copy");
    assert!(!rusqlite_findings(&kept).is_empty(), "the copy is as it was");
    let store = open(&path);
    assert_eq!(store.integrity(), Ok(Vec::new()));
    assert_eq!(store.finished_beyond(0), Ok(Some(77)));
}

fn rusqlite_findings(path: &Path) -> Vec<String> {
    let conn = rusqlite::Connection::open(path).expect("it opens");
    let mut check = conn.prepare("PRAGMA integrity_check").expect("it can be asked");
    let rows = check.query_map([], |row| row.get::<_, String>(0)).expect("it answers");
    rows.map(|row| row.expect("a text")).filter(|row| row != "ok").collect()
}

#[test]
fn what_is_lost_in_the_tables_is_left_as_it_is_and_said() {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = open(&path);
    open_table(&store, "t");
    drop(store);
    let page = number(&path, "SELECT rootpage FROM sqlite_schema WHERE name = 'game_table'") as usize;
    let size = number(&path, "PRAGMA page_size") as usize;
    let mut bytes = std::fs::read(&path).expect("it is there");
    bytes[(page - 1) * size..page * size].fill(0xEE);
    std::fs::write(&path, &bytes).expect("it is ours");
    let told = SqliteStore::repair(&path).expect("it can be looked at");
    assert!(!told.found.is_empty() && told.left == told.found && told.kept.is_none(), "{told:?}");
    assert_eq!(std::fs::read(&path).expect("it is there"), bytes, "not a byte is changed");
}
