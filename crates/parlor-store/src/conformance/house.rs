//! What a server keeps beside its logs.

use super::Rig;
use super::fixture::*;
use crate::accounts::Player;
use crate::error::WriteError;
use crate::ledger::Owner;
use crate::log::MatchSelector;
use crate::write::{Append, TableState, Write};

/// Old finished tables go, whole; running, young and staked ones stay.
pub fn finished_tables_are_forgotten_unless_tokens_lie_there(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 10);
    let finish = |name: &str, at_ms| Append {
        state: Some(TableState::Finished),
        at_ms,
        ..append(name, 0, vec![open(1), say(1, 1, "end")])
    };
    for (name, at_ms) in [("old", 10), ("older", 5), ("young", 100), ("staked", 1)] {
        assert_eq!(log.append(finish(name, at_ms)), Ok(2));
    }
    open_table(&*log, "running");
    let pot = Owner::Table(table("staked"));
    let stake = vec![move_chips(&purse("ann"), &pot, 10)];
    assert_eq!(log.append(Append { transfers: stake, at_ms: 1, ..saying("staked", 2, "late") }), Ok(3));

    let beyond: Vec<Option<u64>> = (0..5).map(|kept| log.finished_beyond(kept).expect("read")).collect();
    assert_eq!(beyond, [Some(100), Some(10), Some(5), Some(1), None]);

    assert_eq!(log.sweep(50, 1), Ok(1));
    assert_eq!(log.sweep(50, 100), Ok(1));
    assert_eq!(log.sweep(50, 100), Ok(0));
    let names: Vec<String> =
        log.tables(&crate::Listing::default()).unwrap().iter().map(|info| info.table.to_string()).collect();
    assert_eq!(names, ["running", "staked", "young"]);
    assert_eq!(log.read(&table("old"), MatchSelector::Last), Ok(None));

    // The name may be used again: for a new table with nothing of the old one.
    open_table(&*log, "old");
    assert!(said(&*log, "old").is_empty());
    let pay = Append { transfers: vec![move_chips(&pot, &purse("ann"), 10)], ..saying("staked", 3, "paid") };
    assert_eq!(log.append(pay), Ok(4));
    assert_eq!(log.sweep(50, 100), Ok(1), "once it is empty it goes like the others");
    assert_eq!(log.audit(), Ok(Vec::new()), "the books outlive the tables");
}

/// A player is found by the hash of their token; nobody else can have it; they can change it.
pub fn a_token_is_one_players_only(rig: &mut dyn Rig) {
    let log = rig.store();
    let somebody = |name: &str, token| Player::new(player(name), &name.to_uppercase(), [token; 32], 5);
    let (ann, bob) = (somebody("ann", 201), somebody("bob", 201));
    assert_eq!(log.write(Write::Player(ann.clone())), Ok(0));
    assert_eq!(log.write(Write::Player(ann.clone())), Ok(0), "saying it again changes nothing");
    assert_eq!(log.write(Write::Player(bob)), Err(WriteError::KeyReused("token".to_owned())));
    assert_eq!(log.player(&player("ann")), Ok(Some(ann.clone())));
    assert_eq!(log.player(&player("bob")), Ok(None));
    assert_eq!(log.player_by_token(&[201; 32]), Ok(Some(ann.clone())));
    assert!(!format!("{ann:?}").contains("201"), "Debug shows no hash");
    let changed = Player { token_hash: [2; 32], ..ann };
    assert_eq!(log.write(Write::Player(changed.clone())), Ok(0));
    rig.crash();
    assert_eq!(rig.store().player_by_token(&[201; 32]), Ok(None));
    assert_eq!(rig.store().player_by_token(&[2; 32]), Ok(Some(changed)));
}
