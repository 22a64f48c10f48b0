//! A process that is killed while it writes.

use std::io::{BufRead, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;

use parlor_store::conformance::{append, open, said, saying};
use parlor_store::{MatchLog, Write};

use crate::bench::{Folder, open as open_store};

/// Set for the child: the file to write to.
const FILE: &str = "PARLOR_STORE_KILL_FILE";
/// Acknowledged writes after which the child is killed.
const ACKNOWLEDGED: usize = 2_000;
const TABLES: u32 = 20;

/// Started by the test below; alone it does nothing.
#[test]
fn the_process_that_is_killed() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let store = Arc::new(open_store(&PathBuf::from(file)));
    for n in 0..TABLES {
        assert_eq!(store.append(append(&format!("t{n}"), 0, vec![open(1)])), Ok(1));
    }
    let (tell, told) = channel();
    let mut seqs = vec![0; TABLES as usize];
    let send = |n: u32, seqs: &mut Vec<u32>| {
        seqs[n as usize] += 1;
        let (seq, tell) = (seqs[n as usize], tell.clone());
        let done = move |result: Result<u64, _>| {
            assert!(result.is_ok());
            let _ = tell.send((n, seq));
        };
        store.submit(Write::Append(saying(&format!("t{n}"), seq, &seq.to_string())), Box::new(done));
    };
    for n in 0..TABLES {
        send(n, &mut seqs);
    }
    let mut out = std::io::stdout().lock();
    while let Ok((n, seq)) = told.recv() {
        writeln!(out, "\nstored {n} {seq}").expect("somebody listens");
        out.flush().expect("somebody listens");
        send(n, &mut seqs);
    }
}

#[test]
fn everything_acknowledged_is_there_after_kill_9() {
    for _ in 0..2 {
        let folder = Folder::new();
        let path = folder.file("store.sqlite");
        let mut child = Command::new(std::env::current_exe().expect("it runs"))
            .args(["--exact", "kill::the_process_that_is_killed", "--nocapture"])
            .env(FILE, &path)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
        let mut acknowledged = vec![0; TABLES as usize];
        let stored = lines.filter_map(|line| {
            let (n, seq) = line.strip_prefix("stored ")?.split_once(' ')?;
            Some((n.parse::<usize>().ok()?, seq.parse::<usize>().ok()?))
        });
        for (n, seq) in stored.take(ACKNOWLEDGED) {
            acknowledged[n] = seq;
        }
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
        assert_eq!(acknowledged.iter().sum::<usize>(), ACKNOWLEDGED);

        let store = open_store(&path);
        assert_eq!(store.integrity(), Ok(Vec::new()));
        for (n, least) in acknowledged.into_iter().enumerate() {
            let texts = said(&store, &format!("t{n}"));
            assert!(texts.len() >= least, "table {n}: {} of {least}", texts.len());
            assert_eq!(texts, (1..=texts.len()).map(|seq| seq.to_string()).collect::<Vec<_>>());
        }
    }
}
