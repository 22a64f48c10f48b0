//! Of several primaries, the one with the highest timeline; and never one below the highest that was seen.

use std::time::Duration;

use parlor_store::conformance::{open_table, said, saying, send};
use parlor_store::{MatchLog as _, Write};

use crate::bench::failing_over;
use crate::servers::Servers;

/// Long enough for a wrong answer to arrive.
const A_WHILE: Duration = Duration::from_millis(1_500);
/// Commits wait for no standby.
const ALONE: [&str; 2] = ["ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()"];

/// Cites `seen_is_durable`.
#[test]
fn a_deposed_primary_that_still_takes_writes_is_not_written_to() {
    let Some(mut bench) = failing_over() else { return };
    let store = bench.store.clone();
    open_table(&*store, "t");
    let (old, new) = (bench.servers.primary(), 1 - bench.servers.primary());
    for sql in ALONE {
        bench.admin().run(sql);
    }
    bench.servers.promote();
    for sql in ALONE {
        bench.admin().run(sql);
    }
    // Both say that they are primaries, and wait for nobody.
    let old_one = bench.servers.url_on(&[Servers::ports()[old]], &bench.database);
    crate::bench::open_as(&old_one, "whoever").write(Write::Probe).expect("the old one takes writes");
    bench.cut_on(old);
    assert_eq!(store.append(saying("t", 1, "a")), Ok(2));
    assert_eq!(bench.entries_on(new), 2, "it is on the higher timeline");
    assert_eq!(bench.entries_on(old), 1, "and there alone");

    // The higher one is away: nobody is told anything by the lower one.
    bench.servers.kill(new);
    let sent = send(&*store, Write::Append(saying("t", 2, "b")));
    std::thread::sleep(A_WHILE);
    assert!(sent.try_recv().is_err(), "the lower timeline takes nothing");
    let failing = store.health().failing.expect("it says so").to_string();
    assert!(failing.contains("timeline"), "{failing}");
    bench.servers.start_server(new);
    assert_eq!(sent.recv().expect("it is told"), Ok(3));
    assert_eq!(said(&*store, "t"), ["a", "b"]);
    bench.servers.set_standby_required();
    bench.servers.attach_standby();
}

#[test]
fn a_primary_that_is_frozen_is_left_when_another_is_promoted() {
    let Some(mut bench) = failing_over() else { return };
    let store = bench.store.clone();
    open_table(&*store, "t");
    let old = bench.servers.primary();
    bench.servers.freeze(old, true);
    let sent = send(&*store, Write::Append(saying("t", 1, "a")));
    std::thread::sleep(Duration::from_millis(200));
    assert!(sent.try_recv().is_err());
    bench.servers.promote();
    bench.servers.attach_standby();
    assert_eq!(sent.recv().expect("it is told"), Ok(2));
    assert_eq!(said(&*store, "t"), ["a"]);
}
