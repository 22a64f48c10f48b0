//! Crashes, full disks, read-only disks, and neighbours.

use super::Rig;
use super::fixture::*;
use crate::error::WriteError;
use crate::ledger::Owner;
use crate::log::MatchSelector;
use crate::write::{Append, Write};

/// Appends after which a disk with a quota must be full.
const APPENDS_UNTIL_FULL_MAX: u32 = 10_000;
/// Characters in each of them.
const FILLER_CHARS: usize = 20_000;

/// What was not durable is gone as if it had never been sent, and can be sent again.
pub fn unsynced_writes_are_lost_whole_and_can_be_made_again(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 100);
    open_table(&*log, "a");
    open_table(&*log, "b");
    rig.hold_back(true);
    let bet = |seq: u32| {
        let transfers = vec![move_chips(&purse("ann"), &Owner::Table(table("a")), 10)];
        Append { transfers, ..saying("a", seq, &format!("bet {seq}")) }
    };
    let writes: Vec<Write> =
        (1..=5).flat_map(|seq| [bet(seq), saying("b", seq, "x")]).map(Write::Append).collect();
    let sent: Vec<_> = writes.iter().map(|write| send(&*log, write.clone())).collect();
    rig.crash();
    for told in sent {
        assert!(told.recv().is_err(), "nobody is told anything about them, ever");
    }
    let log = rig.store();
    assert_eq!((said(&*log, "a").len(), said(&*log, "b").len()), (0, 0));
    assert_eq!(balance(&*log, &purse("ann")), 100);
    for write in writes {
        assert!(log.write(write).is_ok());
    }
    assert_eq!((said(&*log, "a").len(), said(&*log, "b").len()), (5, 5));
    assert_eq!(balance(&*log, &Owner::Table(table("a"))), 50);
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// A crash after every few writes: whatever was said to be stored is there, in its place.
pub fn what_was_acknowledged_survives_every_crash(rig: &mut dyn Rig) {
    open_table(&*rig.store(), "t");
    let mut seq = 0;
    for crash in 1..=12 {
        for _ in 0..crash {
            seq += 1;
            assert_eq!(rig.store().append(saying("t", seq, &seq.to_string())), Ok(u64::from(seq) + 1));
        }
        rig.hold_back(true);
        let lost = send(&*rig.store(), Write::Append(saying("t", seq + 1, "lost")));
        rig.crash();
        assert!(lost.recv().is_err());
        let found = rig.store().read(&table("t"), MatchSelector::Last).unwrap().expect("it is there");
        assert_eq!((found.seq, found.records.len()), (u64::from(seq) + 1, seq as usize));
    }
    assert_eq!(said(&*rig.store(), "t"), (1..=seq).map(|n| n.to_string()).collect::<Vec<_>>());
}

/// A full disk: refused by name, nothing half-written, reading goes on; with room again the same append is taken.
pub fn a_full_disk_is_told_and_recovers(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 1_000_000);
    open_table(&*log, "t");
    rig.set_full(true);
    let filler = "x".repeat(FILLER_CHARS);
    let bet = |seq: u32| {
        let transfers = vec![move_chips(&purse("ann"), &Owner::Table(table("t")), 1)];
        Append { transfers, ..saying("t", seq, &filler) }
    };
    let mut seq = 0;
    let error = loop {
        match log.append(bet(seq + 1)) {
            Ok(_) => seq += 1,
            Err(error) => break error,
        }
        assert!(seq < APPENDS_UNTIL_FULL_MAX, "the disk never fills up");
    };
    assert_eq!(error, WriteError::Full);
    assert!(error.passes());
    assert_eq!(log.health().failing, Some(WriteError::Full));
    assert_eq!(log.append(bet(seq + 1)), Err(WriteError::Full), "and again");
    assert_eq!(said(&*log, "t").len(), seq as usize, "what is there can be read");
    assert_eq!(balance(&*log, &Owner::Table(table("t"))), i64::from(seq), "no token moved without its entry");
    rig.set_full(false);
    assert_eq!(log.write(Write::Probe), Ok(0));
    assert_eq!(log.health().failing, None);
    assert_eq!(log.append(bet(seq + 1)), Ok(u64::from(seq) + 2), "the same append, no restart");
    assert_eq!(said(&*log, "t").len(), seq as usize + 1);
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// A read-only disk: the same.
pub fn a_read_only_disk_is_told_and_recovers(rig: &mut dyn Rig) {
    let log = rig.store();
    open_table(&*log, "t");
    rig.set_read_only(true);
    let append = saying("t", 1, "a");
    assert_eq!(log.append(append.clone()), Err(WriteError::ReadOnly));
    assert_eq!(log.write(Write::Probe), Err(WriteError::ReadOnly));
    assert_eq!(log.new_epoch(), Err(WriteError::ReadOnly));
    assert_eq!(log.sweep(1, 1), Err(WriteError::ReadOnly));
    assert_eq!(log.health().failing, Some(WriteError::ReadOnly));
    assert!(said(&*log, "t").is_empty());
    rig.set_read_only(false);
    assert_eq!(log.append(append), Ok(2));
    assert_eq!(log.health().failing, None);
    assert_eq!(said(&*log, "t"), ["a"]);
}

/// In one flush with the wrong, the stale and the unfunded, the others are stored as if alone.
pub fn a_refused_write_does_its_neighbours_no_harm(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 10);
    for name in ["a", "b", "c", "d"] {
        open_table(&*log, name);
    }
    let bet = |name: &str, amount| {
        let transfers = vec![move_chips(&purse("ann"), &Owner::Table(table(name)), amount)];
        Write::Append(Append { transfers, ..saying(name, 1, "bet") })
    };
    rig.hold_back(true);
    let sent = [
        (send(&*log, Write::Append(saying("a", 1, "well"))), Ok(2)),
        (send(&*log, Write::Append(saying("b", 7, "stale"))), Err("conflict")),
        (send(&*log, bet("c", 11)), Err("unfunded")),
        (send(&*log, bet("d", 7)), Ok(2)),
        (send(&*log, bet("b", 4)), Err("unfunded")),
        (send(&*log, bet("b", 3)), Ok(2)),
        (send(&*log, Write::Append(append("c", 1, vec![say(9, 1, "wrong")]))), Err("malformed")),
        (send(&*log, Write::Append(saying("c", 1, "well"))), Ok(2)),
    ];
    rig.hold_back(false);
    for (n, (told, expected)) in sent.into_iter().enumerate() {
        assert_eq!(told.recv().unwrap().map_err(|error| error.code()), expected, "write {n}");
    }
    for name in ["a", "b", "c", "d"] {
        assert_eq!(said(&*log, name).len(), 1, "table {name}");
    }
    assert_eq!(balance(&*log, &purse("ann")), 0);
    assert_eq!(log.audit(), Ok(Vec::new()));
}
