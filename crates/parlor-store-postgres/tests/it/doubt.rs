//! A commit that nobody knows the end of is settled before anybody is told; a store that went back takes nothing.

use std::time::Duration;

use parlor_store::conformance::{
    Rig as _, append, balance, fund, move_chips, open_table, purse, said, say, saying, send, table,
};
use parlor_store::{Accounts as _, Append, AuditLine, Epoch, MatchLog, Owner, TableState, Write};
use serde_json::json;

use crate::bench::{Bench, bench, failing_over, open};
use crate::proxy::{Cut, Proxy};
use crate::servers::until;

/// Long enough for a wrong answer to arrive.
const A_WHILE: Duration = Duration::from_millis(400);
/// A backend that waits for the standby to confirm its commit.
const WAITING: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

/// One flush with much that would be refused, or done twice, if it were simply sent again after it was stored.
fn one_flush(at: u32) -> Vec<(Write, Result<u64, &'static str>)> {
    let (seq, text) = (u64::from(at), format!("bet {at}"));
    let transfers = vec![move_chips(&purse("ann"), &Owner::Table(table("t")), 10)];
    let paused = Append { state: Some(TableState::Paused), ..append("u", seq, Vec::new()) };
    let by_its_owner = Append { epoch: Epoch(seq), ..saying("w", at, &text) };
    let line = AuditLine { at_ms: seq, what: text.clone(), about: json!(null) };
    vec![
        (Write::Append(Append { transfers, ..append("t", seq, vec![say(1, at, &text)]) }), Ok(seq + 1)),
        (Write::Append(paused), Ok(seq)),
        (Write::Append(saying("u", at, &text)), Ok(seq + 1)),
        (Write::Append(by_its_owner), Ok(seq + 1)),
        (Write::Claim { table: table("w"), epoch: Epoch(seq + 1) }, Ok(seq + 1)),
        (Write::Append(saying("v", at, "stale")), Err("conflict")),
        (Write::Audit(line), Ok(0)),
    ]
}

/// Sends writes so that they become one flush, the second from now; says how they ended.
fn in_one_flush(bench: &Bench, store: &dyn MatchLog, writes: Vec<Write>) -> Vec<Result<u64, &'static str>> {
    let admin = bench.admin();
    admin.run("BEGIN; LOCK TABLE parlor.node IN SHARE MODE");
    let first = send(store, Write::Probe);
    until("the writer waits with it", || store.health().flushing_ms.is_some());
    let sent: Vec<_> = writes.into_iter().map(|write| send(store, write)).collect();
    admin.run("ROLLBACK");
    assert_eq!(first.recv().expect("it is told"), Ok(0));
    let told = sent.into_iter().map(|told| told.recv().expect("it is told"));
    told.map(|told| told.map_err(|error| error.code())).collect()
}

/// Cites `seen_is_durable`.
#[test]
fn a_commit_in_doubt_is_settled_before_anybody_is_told() {
    let Some(bench) = bench() else { return };
    let (socket, port) = (bench.servers.socket(), bench.servers.port());
    let proxy = Proxy::new(socket, port);
    let url = bench.servers.url_on(&[port], &bench.database);
    let store = open(&url.replace(socket, proxy.folder.to_str().expect("text")));
    fund(&store, "ann", 100);
    for name in ["t", "u", "w"] {
        open_table(&store, name);
    }
    for (at, cut) in [(1, Cut::BeforeTheAnswer), (2, Cut::BeforeTheCommit), (3, Cut::BeforeTheAnswer)] {
        let (writes, expected): (Vec<_>, Vec<_>) = one_flush(at).into_iter().unzip();
        // The first commit is not this flush's.
        proxy.arm(cut, 1);
        assert_eq!(in_one_flush(&bench, &store, writes), expected, "{cut:?}");
        assert_eq!((proxy.cuts(), store.unknown_commits()), (at, u64::from(at)), "{cut:?}");
    }
    let bets = ["bet 1", "bet 2", "bet 3"];
    for name in ["t", "u", "w"] {
        assert_eq!(said(&store, name), bets, "table {name}");
    }
    assert_eq!(balance(&store, &purse("ann")), 70);
    assert_eq!(store.audit_lines(None, 100).expect("read").len(), 3);
    assert_eq!(store.audit(), Ok(Vec::new()));
}

/// Cites `seen_is_durable`.
#[test]
fn a_commit_that_the_standby_may_not_have_is_in_doubt() {
    let Some(mut bench) = failing_over() else { return };
    let store = bench.store.clone();
    open_table(&*store, "t");
    for (seq, end) in [(1, "pg_cancel_backend"), (2, "pg_terminate_backend")] {
        bench.hold_back(true);
        let sent = send(&*store, Write::Append(saying("t", seq, "a")));
        let admin = bench.servers.admin("postgres");
        until("the commit waits for the standby", || admin.number(WAITING) == 1);
        admin.rows(&format!("SELECT {end}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"));
        std::thread::sleep(A_WHILE);
        assert!(sent.try_recv().is_err(), "{end}: nobody is told before the standby has it");
        bench.hold_back(false);
        assert_eq!(sent.recv().expect("it is told"), Ok(u64::from(seq) + 1), "{end}");
    }
    assert_eq!(store.unknown_commits(), 2);
    assert_eq!(said(&*store, "t"), ["a", "a"]);
}

#[test]
fn what_only_the_old_primary_has_is_stored_again_on_the_new_one() {
    let Some(mut bench) = failing_over() else { return };
    let store = bench.store.clone();
    open_table(&*store, "t");
    assert_eq!(store.append(saying("t", 1, "a")), Ok(2));
    bench.hold_back(true);
    let sent = send(&*store, Write::Append(saying("t", 2, "b")));
    let admin = bench.servers.admin("postgres");
    until("the commit waits for the standby", || admin.number(WAITING) == 1);
    bench.servers.fail_over();
    assert_eq!(sent.recv().expect("it is told"), Ok(3));
    assert_eq!(said(&*store, "t"), ["a", "b"]);
    assert_eq!(store.append(saying("t", 3, "c")), Ok(4));
    bench.thawed();
}

/// Cites `seen_is_durable`.
#[test]
fn an_old_copy_in_the_place_of_the_store_takes_nothing() {
    let Some(bench) = bench() else { return };
    let (store, database) = (&bench.store, &bench.database);
    open_table(&**store, "t");
    let admin = bench.servers.admin("postgres");
    bench.servers.cut(database);
    admin.run(&format!("CREATE DATABASE parlor_copy TEMPLATE {database}"));
    assert_eq!(store.append(saying("t", 1, "a")), Ok(2));
    bench.servers.cut(database);
    admin.run(&format!("ALTER DATABASE {database} RENAME TO parlor_lost"));
    admin.run(&format!("ALTER DATABASE parlor_copy RENAME TO {database}"));
    for _ in 0..2 {
        let error = store.append(saying("t", 2, "b")).expect_err("it went back");
        assert_eq!((error.code(), error.passes()), ("went_back", false), "{error}");
    }
    assert_eq!(store.health().failing.map(|error| error.code()), Some("went_back"));
    // What was put in its place is taken away again.
    bench.servers.cut(database);
    admin.run(&format!("ALTER DATABASE {database} RENAME TO parlor_copy"));
    admin.run(&format!("ALTER DATABASE parlor_lost RENAME TO {database}"));
    assert_eq!(store.append(saying("t", 2, "b")), Ok(3));
    assert_eq!(said(&**store, "t"), ["a", "b"]);
}

#[test]
fn a_table_that_went_back_has_no_new_owner() {
    let Some(bench) = bench() else { return };
    let store = &bench.store;
    for name in ["t", "neighbour"] {
        open_table(&**store, name);
    }
    assert_eq!(store.append(saying("t", 1, "a")), Ok(2));
    let admin = bench.admin();
    admin.run(
        "UPDATE parlor.game_table SET seq = 1, record_seq = 0 WHERE id = 't';
         DELETE FROM parlor.chunk WHERE first_seq = 2",
    );
    let error = store.append(saying("t", 2, "b")).expect_err("it went back");
    assert_eq!(error.to_string(), "the store went back: 2 were acknowledged, and it has 1");
    assert_eq!(store.claim(&table("t"), Epoch(9)).map_err(|error| error.code()), Err("went_back"));
    assert_eq!(store.append(saying("neighbour", 1, "a")), Ok(2));
}
