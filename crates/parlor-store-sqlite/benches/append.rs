//! What an append costs, alone and in company: `cargo bench -p parlor-store-sqlite`.
//!
//! The disk's own time for the same bytes is printed first: figures of two machines, or of two days on one machine,
//! compare only against it. CPU time is that of all threads: packing, queueing, judging, SQLite.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use parlor_core::{AskId, Body, By, Json, Record, Seat};
use parlor_store::conformance::{append, open};
use parlor_store::{
    Append, Epoch, Listing, LogEntry, MatchLog, MatchSelector, MemoryLog, Syncs, TableInfo, Write,
};
use parlor_store_sqlite::{Options, SqliteStore};

/// Records in one run of a row of the table.
const RECORDS: usize = 40_000;
/// Records in one run where each waits for the disk alone.
const RECORDS_ALONE: usize = 2_000;

fn main() {
    let folder = std::env::temp_dir().join(format!("parlor-store-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder for temporary files takes one more");
    let bytes = serde_json::to_vec(&record(1)).expect("a record is JSON").len();
    println!("a record of {bytes} bytes in {}", folder.display());
    println!("the disk alone: {:.0} fdatasync/s", syncs(&folder.join("plain"), RECORDS_ALONE));
    println!("{:<44} {:>11} {:>12} {:>14}", "", "records/s", "writes/s", "CPU µs/record");
    for (tables, batch) in [(1, 1), (20, 1), (100, 1), (200, 1), (1000, 1), (1, 20), (1, 100), (100, 20)] {
        let path = folder.join(format!("{tables}-{batch}.sqlite"));
        let store = SqliteStore::open(&path, Options::default()).expect("the store opens");
        row(&store, "sqlite", tables, batch, if tables * batch == 1 { RECORDS_ALONE } else { RECORDS });
    }
    restart(&folder.join("1000-1.sqlite"));
    row(&MemoryLog::new(Syncs::AtOnce), "memory", 100, 1, RECORDS);
    fs::remove_dir_all(&folder).expect("it is ours");
}

/// A new process takes all tables over: lists them, claims them, reads the last match of each.
fn restart(path: &Path) {
    let started = Instant::now();
    let ms = || started.elapsed().as_secs_f64() * 1e3;
    let store = SqliteStore::open(path, Options::default()).expect("the store opens");
    let epoch = Epoch(store.new_epoch().expect("there is one").0 + 1);
    let tables = store.tables(&Listing::default()).expect("they are listed");
    let listed = ms();
    let (tell, told) = channel();
    for info in &tables {
        let (table, tell) = (info.table.clone(), tell.clone());
        let done = move |result: Result<u64, _>| tell.send(result.is_ok()).expect("somebody waits");
        store.submit(Write::Claim { table, epoch }, Box::new(done));
    }
    assert!(told.iter().take(tables.len()).all(|well| well));
    let claimed = ms();
    let read = |info: &TableInfo| store.read(&info.table, MatchSelector::Last).expect("it is sound");
    let records: usize = tables.iter().filter_map(read).map(|found| found.records.len()).sum();
    println!(
        "restart: {} tables opened and listed in {listed:.0} ms, claimed in {:.0} ms, {records} records read in {:.0} ms",
        tables.len(),
        claimed - listed,
        ms() - claimed
    );
}

/// Each table sends its next append when it is told of the last, as a table does whose players wait.
fn row(log: &dyn MatchLog, driver: &str, tables: usize, batch: usize, records: usize) {
    let names: Vec<String> = (0..tables).map(|n| format!("t{n}")).collect();
    for name in &names {
        log.append(append(name, 0, vec![open(1)])).expect("the table is new");
    }
    let rounds = records / batch;
    let (tell, told) = channel();
    let mut seqs = vec![0; tables];
    let (cpu, wall) = (cpu_ns(), Instant::now());
    for (n, name) in names.iter().enumerate().take(rounds) {
        send(log, name, n, batch, &mut seqs, &tell);
    }
    let mut sent = tables.min(rounds);
    for _ in 0..rounds {
        let n = told.recv().expect("every append is told of");
        if sent < rounds {
            sent += 1;
            send(log, &names[n], n, batch, &mut seqs, &tell);
        }
    }
    let (cpu_us, seconds) = ((cpu_ns() - cpu) as f64 / 1e3, wall.elapsed().as_secs_f64());
    let what = format!("{driver}: {tables} tables, {batch} records an append");
    let stored = (rounds * batch) as f64;
    println!(
        "{what:<44} {:>11.0} {:>12.0} {:>14.2}",
        stored / seconds,
        rounds as f64 / seconds,
        cpu_us / stored
    );
}

fn send(log: &dyn MatchLog, name: &str, n: usize, batch: usize, seqs: &mut [u32], tell: &Sender<usize>) {
    let first = seqs[n] + 1;
    seqs[n] += batch as u32;
    let entries =
        (first..=seqs[n]).map(|seq| LogEntry::Record { match_no: 1, record: record(seq).into() }).collect();
    let tell = tell.clone();
    let done = move |result: Result<u64, _>| {
        result.expect("the append is taken");
        tell.send(n).expect("somebody waits");
    };
    log.submit(Write::Append(Append { at_ms: 1, ..append(name, u64::from(first), entries) }), Box::new(done));
}

fn record(seq: u32) -> Record {
    let answer = Json::from(seq % 64);
    let body = Body::Answer { seat: Seat::new((seq % 2) as u8), ask: AskId(seq), answer };
    Record { seq, at: u64::from(seq) * 1000, by: By::Human, key: None, body }
}

/// What the disk does by itself: a record's bytes, then wait until they are there.
fn syncs(path: &Path, times: usize) -> f64 {
    let mut file = File::create(path).expect("it can be written");
    let started = Instant::now();
    for _ in 0..times {
        file.write_all(&[7; 64]).expect("there is room");
        file.sync_data().expect("the disk works");
    }
    times as f64 / started.elapsed().as_secs_f64()
}

/// Nanoseconds that the threads of this process have spent on a core; 0 where the system does not say.
fn cpu_ns() -> u64 {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return 0 };
    let of = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    tasks.flatten().filter_map(of).sum()
}
