//! One server for one database.

use std::time::Instant;

use parlor_store::conformance::{open_table, saying};
use parlor_store::{MatchLog as _, OpenError, Write};
use parlor_store_postgres::{Options, PostgresStore};

use crate::bench::bench;

fn serve(url: &str, node: Option<&str>) -> Result<PostgresStore, OpenError> {
    PostgresStore::open(url, Options { serve: true, node: node.map(str::to_owned), ..Options::default() })
}

#[test]
fn a_second_server_on_a_database_is_refused() {
    let Some(bench) = bench() else { return };
    let first = serve(&bench.url(), None).expect("it is the only one");
    for node in [None, Some("another")] {
        let refused = serve(&bench.url(), node).err().expect("the first one is alive");
        assert!(matches!(refused, OpenError::InUse), "{refused}");
    }
    assert_eq!(first.write(Write::Probe), Ok(0), "it was not disturbed");
    drop(first);
    let started = Instant::now();
    drop(serve(&bench.url(), Some("another")).expect("the first one has stopped"));
    assert!(started.elapsed().as_secs() < 3, "and said so");
}

#[test]
fn a_server_that_was_killed_is_followed_when_it_counts_as_dead() {
    let Some(bench) = bench() else { return };
    let first = serve(&bench.url(), None).expect("it is the only one");
    open_table(&first, "t");
    first.kill();
    let second = serve(&bench.url(), None).expect("nothing is heard of the first one");
    assert_eq!(second.append(saying("t", 1, "a")), Ok(2));
}

#[test]
fn a_process_whose_name_another_has_taken_stores_nothing_more() {
    let Some(bench) = bench() else { return };
    open_table(&*bench.store, "t");
    let second = crate::bench::open(&bench.url());
    assert_eq!(second.append(saying("t", 1, "a")), Ok(2));
    let error = bench.store.append(saying("t", 2, "b")).expect_err("its name was taken");
    assert_eq!((error.code(), error.passes()), ("lost", true), "{error}");
    assert_eq!(second.append(saying("t", 2, "b")), Ok(3));
}

#[test]
fn a_database_of_somebody_else_is_not_touched() {
    let Some(bench) = bench() else { return };
    let admin = bench.admin();
    admin.run("DROP SCHEMA parlor CASCADE; CREATE SCHEMA parlor; CREATE TABLE parlor.theirs (n INTEGER)");
    let refused = PostgresStore::open(&bench.url(), Options::default()).err().expect("it is not ours");
    assert!(matches!(refused, OpenError::Foreign), "{refused}");
    admin.run("DROP SCHEMA parlor CASCADE");
    drop(PostgresStore::open(&bench.url(), Options::default()).expect("an empty database will do"));
    admin.run("UPDATE parlor.meta SET value = 99 WHERE name = 'schema'");
    let refused = PostgresStore::open(&bench.url(), Options::default()).err().expect("it is too new");
    let known = PostgresStore::schema();
    assert!(matches!(refused, OpenError::TooNew { found: 99, known: k } if k == known), "{refused}");
}

#[test]
fn a_read_on_a_runtime_thread_lets_the_other_tasks_go_on() {
    let Some(mut bench) = bench() else { return };
    open_table(&*bench.store, "t");
    let store = bench.store.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a thread more");
    // The store's readers wait for a primary that is away, on the runtime's only thread.
    let primary = bench.servers.primary();
    bench.servers.kill(primary);
    let reading = runtime.spawn(async move { parlor_store::conformance::said(&*store, "t").len() });
    std::thread::sleep(std::time::Duration::from_millis(200));
    let other = runtime.spawn(async { 7 });
    let other =
        runtime.block_on(async { tokio::time::timeout(std::time::Duration::from_secs(2), other).await });
    assert_eq!(other.expect("it is not held up").expect("it runs"), 7);
    assert!(!reading.is_finished());
    bench.servers.restart();
    assert_eq!(runtime.block_on(reading).expect("it is read"), 0);
}
