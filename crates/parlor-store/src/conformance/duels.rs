//! Several writers for one table.

use std::sync::Arc;
use std::thread;

use super::Rig;
use super::fixture::*;
use crate::error::WriteError;
use crate::log::MatchLog;
use crate::write::{Append, Epoch};

const WRITERS: usize = 8;
const WINS: usize = 25;

/// Of eight writers who want the same place exactly one gets it, every time, and nothing is lost.
pub fn eight_writers_duel_and_nothing_is_lost(rig: &mut dyn Rig) {
    let log = rig.store();
    open_table(&*log, "t");
    let duel = |writer: usize| {
        let log: Arc<dyn MatchLog> = log.clone();
        thread::spawn(move || win(&*log, writer))
    };
    let duellists: Vec<_> = (0..WRITERS).map(duel).collect();
    let mut won: Vec<(u64, String)> =
        duellists.into_iter().flat_map(|writer| writer.join().expect("no writer panics")).collect();
    won.sort();
    let places: Vec<u64> = won.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(places, (2..2 + (WRITERS * WINS) as u64).collect::<Vec<_>>(), "one winner for each place");
    let texts: Vec<String> = won.into_iter().map(|(_, text)| text).collect();
    assert_eq!(said(&*log, "t"), texts, "and what it wrote is there");
}

/// Writes until it has won so many places; returns them with what it wrote there.
fn win(log: &dyn MatchLog, writer: usize) -> Vec<(u64, String)> {
    let (mut expected, mut won) = (1, Vec::new());
    while won.len() < WINS {
        let text = format!("writer {writer}, win {}", won.len());
        match log.append(saying("t", expected, &text)) {
            Ok(seq) => {
                expected = seq as u32;
                won.push((seq, text));
            }
            Err(WriteError::Conflict { seq, .. }) => expected = seq as u32,
            Err(error) => panic!("writer {writer}: {error}"),
        }
    }
    won
}

/// After a new owner has claimed a table the old one gets nothing in, not even what it had sent before.
pub fn a_higher_epoch_takes_over(rig: &mut dyn Rig) {
    let log = rig.store();
    let by = |epoch: u64, append: Append| Append { epoch: Epoch(epoch), ..append };
    assert_eq!(log.claim(&table("t"), Epoch(2)), Err(WriteError::Unknown));
    open_table(&*log, "t");
    assert_eq!(log.append(by(3, saying("t", 1, "unclaimed"))).expect_err("claim first").code(), "conflict");

    rig.hold_back(true);
    let before = send(&*log, crate::Write::Append(saying("t", 1, "old")));
    let claim = send(&*log, crate::Write::Claim { table: table("t"), epoch: Epoch(3) });
    let after = send(&*log, crate::Write::Append(saying("t", 2, "too late")));
    rig.hold_back(false);
    assert_eq!((before.recv().unwrap(), claim.recv().unwrap()), (Ok(2), Ok(2)));
    let conflict = WriteError::Conflict { epoch: Epoch(3), seq: 2 };
    assert_eq!(after.recv().unwrap(), Err(conflict.clone()));
    assert_eq!(
        log.append(saying("t", 1, "old")),
        Err(conflict.clone()),
        "a retry is fenced off like any other"
    );
    assert_eq!(log.claim(&table("t"), Epoch(2)), Err(conflict));
    assert_eq!(log.claim(&table("t"), Epoch(3)), Ok(2), "claiming again is well");

    rig.crash();
    let log = rig.store();
    assert_eq!(log.append(saying("t", 2, "too late")).expect_err("still fenced off").code(), "conflict");
    assert_eq!(log.append(by(3, saying("t", 2, "new"))), Ok(3));
    assert_eq!(said(&*log, "t"), ["old", "new"]);
    assert_eq!(log.table(&table("t")).unwrap().expect("it is listed").epoch, Epoch(3));
}

/// No epoch is given out twice, not even after a crash.
pub fn epochs_only_rise(rig: &mut dyn Rig) {
    let mut last = Epoch(0);
    for _ in 0..3 {
        for _ in 0..3 {
            let next = rig.store().new_epoch().unwrap();
            assert!(next > last);
            last = next;
        }
        rig.crash();
    }
}
