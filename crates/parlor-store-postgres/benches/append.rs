//! What an append costs, beside SQLite: `cargo bench -p parlor-store-postgres`, with the address of an empty database in
//! `PARLOR_BENCH_POSTGRES` (`host=/run/postgresql user=postgres dbname=bench`, or `postgres://…`).
//!
//! Each driver stores the same records in the same run, so many in a flush: as many tables send their next append when
//! they are told of the last, as tables do whose players wait. How long a commit takes depends on the database's own
//! set-up: say with a figure whether it has a synchronous standby, and on which disks.

use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use parlor_core::{AskId, Body, By, Json, Record, Seat};
use parlor_store::conformance::{append, open};
use parlor_store::{Append, LogEntry, MatchLog, Write};
use parlor_store_postgres::{Options, PostgresStore};
use parlor_store_sqlite::SqliteStore;

/// Tables that wait at once: what a flush can gather.
const BATCHES: [usize; 5] = [1, 8, 32, 128, 512];
/// How long each row of the table takes.
const ROW: Duration = Duration::from_secs(4);

fn main() {
    let Ok(url) = std::env::var("PARLOR_BENCH_POSTGRES") else {
        println!("SKIPPED: PostgreSQL: no database is named in PARLOR_BENCH_POSTGRES");
        return;
    };
    let postgres = PostgresStore::open(&url, Options::default()).expect("the database opens");
    let folder = std::env::temp_dir().join(format!("parlor-postgres-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files takes one more");
    let sqlite = SqliteStore::open(&folder.join("store.sqlite"), parlor_store_sqlite::Options::default());
    let sqlite = sqlite.expect("the store opens");
    println!(
        "{:<8} {:>14} {:>14} {:>8}   {:>26}",
        "tables", "sqlite rec/s", "postgres rec/s", "ratio", "postgres p50 / p99 ms"
    );
    for tables in BATCHES {
        let (ours, _) = row(&sqlite, tables);
        let (theirs, mut waits) = row(&postgres, tables);
        waits.sort_unstable();
        let ms = |part: f64| waits[((waits.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
        let ratio = theirs / ours;
        println!(
            "{tables:<8} {ours:>14.0} {theirs:>14.0} {ratio:>8.2}   {:>12.1} / {:>9.1}",
            ms(0.5),
            ms(0.99)
        );
    }
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

/// Records per second, and how long each append waited.
fn row(log: &dyn MatchLog, tables: usize) -> (f64, Vec<Duration>) {
    let names: Vec<String> = (0..tables).map(|n| format!("{tables}-{n}")).collect();
    for name in &names {
        log.append(append(name, 0, vec![open(1)])).expect("the table is new");
    }
    let (tell, told) = channel();
    let (mut seqs, mut since, mut waits) = (vec![0; tables], vec![Instant::now(); tables], Vec::new());
    let started = Instant::now();
    for (n, name) in names.iter().enumerate() {
        since[n] = Instant::now();
        send(log, name, n, &mut seqs[n], &tell);
    }
    let mut pending = tables;
    while pending > 0 {
        let n = told.recv().expect("every append is told of");
        pending -= 1;
        waits.push(since[n].elapsed());
        if started.elapsed() < ROW {
            pending += 1;
            since[n] = Instant::now();
            send(log, &names[n], n, &mut seqs[n], &tell);
        }
    }
    (waits.len() as f64 / started.elapsed().as_secs_f64(), waits)
}

fn send(log: &dyn MatchLog, name: &str, n: usize, seq: &mut u32, tell: &Sender<usize>) {
    *seq += 1;
    let entry = LogEntry::Record { match_no: 1, record: record(*seq).into() };
    let tell = tell.clone();
    let done = move |result: Result<u64, _>| {
        result.expect("the append is taken");
        tell.send(n).expect("somebody waits");
    };
    let append = Append { at_ms: 1, ..append(name, u64::from(*seq), vec![entry]) };
    log.submit(Write::Append(append), Box::new(done));
}

fn record(seq: u32) -> Record {
    let answer = Json::from(seq % 64);
    let body = Body::Answer { seat: Seat::new((seq % 2) as u8), ask: AskId(seq), answer };
    Record { seq, at: u64::from(seq) * 1000, by: By::Human, key: None, body }
}
