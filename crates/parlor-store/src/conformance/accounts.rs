//! Accounts, histories and ratings: written with what causes them, once.

use parlor_core::MatchResult;

use super::Rig;
use super::fixture::*;
use crate::accounts::{AuditLine, HeadToHead, Played, Player, Points, RatingRow};
use crate::error::WriteError;
use crate::id::TableId;
use crate::ledger::Owner;
use crate::write::{Append, Facts, Write};

fn account(name: &str, token: u8) -> Player {
    Player::new(player(&name.to_lowercase()), name, [token; 32], 1)
}

/// No two players have the same name, in whatever case, until one closes their account.
pub fn a_name_is_one_players_only(rig: &mut dyn Rig) {
    let log = rig.store();
    let (ann, mut bob) = (account("Ann", 1), account("Bob", 2));
    assert_eq!(log.write(Write::Player(ann.clone())), Ok(0));
    assert_eq!(log.write(Write::Player(bob.clone())), Ok(0));
    for taken in ["Ann", "ANN", "aNN"] {
        bob.name = taken.to_owned();
        assert_eq!(log.write(Write::Player(bob.clone())), Err(WriteError::NameTaken));
    }
    assert_eq!(log.player_by_name("aNn"), Ok(Some(ann.clone())));
    assert_eq!(log.player(&player("bob")).unwrap().expect("he is there").name, "Bob", "he keeps his own");
    let gone = Player { name: "gone".to_owned(), deleted_ms: Some(9), ..ann };
    assert_eq!(log.write(Write::Player(gone.clone())), Ok(0));
    assert_eq!(log.write(Write::Player(bob)), Ok(0), "the name is free");
    assert_eq!(log.player_by_name("gone"), Ok(None), "nobody is found by what is left of him");
    rig.crash();
    assert_eq!(rig.store().player(&player("ann")), Ok(Some(gone)));
}

/// An account changes with the tokens that pay for it, or not at all, and once.
pub fn an_account_and_its_tokens_change_together(rig: &mut dyn Rig) {
    let log = rig.store();
    let pays = |player: &Player, key: &str, transfers| Write::PlayerPays {
        player: player.clone(),
        key: key.to_owned(),
        transfers,
        at_ms: 0,
    };
    let ann = account("Ann", 1);
    let gift = vec![move_chips(&Owner::Mint, &purse("ann"), 10)];
    for _ in 0..2 {
        assert_eq!(log.write(pays(&ann, "welcome", gift.clone())), Ok(0));
        assert_eq!(balance(&*log, &purse("ann")), 10);
    }
    let other = Player { id: player("other"), ..account("ANN", 3) };
    let other = pays(&other, "welcome 2", vec![move_chips(&Owner::Mint, &purse("x"), 10)]);
    assert_eq!(log.write(other), Err(WriteError::NameTaken));
    assert_eq!(balance(&*log, &purse("x")), 0, "a refused name costs nothing");
    let preferences = r#"{"some": "text"}"#.to_owned();
    let renamed = Player { name: "Anna".to_owned(), renames: 1, preferences, ..ann };
    let fee = |amount| vec![move_chips(&purse("ann"), &Owner::Burn, amount)];
    assert_eq!(log.write(pays(&renamed, "rename 1", fee(11))).expect_err("too dear").code(), "unfunded");
    assert_eq!(log.player(&player("ann")).unwrap().expect("he is there").name, "Ann");
    assert_eq!(log.write(pays(&renamed, "rename 1", fee(3))), Ok(0));
    rig.crash();
    assert_eq!(rig.store().player(&player("ann")), Ok(Some(renamed.clone())));
    assert_eq!(
        rig.store().write(pays(&renamed, "rename 1", fee(4))).expect_err("another").code(),
        "key_reused"
    );
    assert_eq!(balance(&*rig.store(), &purse("ann")), 7);
    assert_eq!(rig.store().audit(), Ok(Vec::new()));
}

/// A match counts with the entry that ends it: once, however often that is sent, and never below the floor.
pub fn a_match_is_rated_once_with_the_entry_that_ends_it(rig: &mut dyn Rig) {
    let log = rig.store();
    open_table(&*log, "t");
    let played = |name: &str, went, by| Played {
        player: player(name),
        match_no: 1,
        game: "oxo".to_owned(),
        seat: 0,
        went,
        reason: "line".to_owned(),
        points: Some(Points { by, floor: 0 }),
    };
    let ends = |seq, by| Append {
        played: vec![played("ann", MatchResult::Won, by), played("bob", MatchResult::Lost, -2)],
        at_ms: 7,
        ..saying("t", seq, "end")
    };
    for _ in 0..3 {
        assert_eq!(log.append(ends(1, 5)), Ok(2), "the same again changes nothing");
    }
    let stands = |points, won, lost| RatingRow { game: "oxo".to_owned(), points, won, lost, drawn: 0 };
    assert_eq!(log.standings(&player("ann")), Ok(vec![stands(5, 1, 0)]));
    assert_eq!(log.standings(&player("bob")), Ok(vec![stands(0, 0, 1)]), "nobody falls below the floor");
    assert_eq!(log.append(ends(2, 5)), Ok(3));
    let unrated = Played { points: None, went: MatchResult::Stopped, ..played("ann", MatchResult::Won, 0) };
    assert_eq!(log.append(Append { played: vec![unrated.clone()], ..saying("t", 3, "stop") }), Ok(4));
    rig.crash();
    let log = rig.store();
    assert_eq!(log.standings(&player("ann")), Ok(vec![stands(10, 2, 0)]));
    let history = log.history(&player("ann"), None, 2).unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!((&history[0].played, history[0].table.as_str()), (&unrated, "t"));
    let older = log.history(&player("ann"), Some(history[1].no), 10).unwrap();
    assert_eq!(older.iter().map(|past| past.at_ms).collect::<Vec<_>>(), [7]);
}

/// Who leads in a game; and how the matches went that two players have both played.
pub fn the_highest_ratings_lead_and_two_players_are_compared(rig: &mut dyn Rig) {
    let log = rig.store();
    for (name, token) in [("Ann", 1), ("Bob", 2), ("Cleo", 3)] {
        assert_eq!(log.write(Write::Player(account(name, token))), Ok(0));
    }
    let gone = Player { deleted_ms: Some(9), ..account("Dan", 4) };
    assert_eq!(log.write(Write::Player(gone)), Ok(0));
    let plays = |name: &str, went, by| {
        let (match_no, reason) = (1, "line".to_owned());
        let points = Some(Points { by, floor: 0 });
        Played { player: player(name), match_no, game: "oxo".to_owned(), seat: 0, went, reason, points }
    };
    use MatchResult::{Drawn, Lost, Stopped, Won};
    let ends = [
        ("t1", [plays("ann", Won, 5), plays("bob", Lost, 1)]),
        ("t2", [plays("ann", Lost, 1), plays("bob", Won, 9)]),
        ("t3", [plays("ann", Drawn, 2), plays("bob", Drawn, 2)]),
        ("t4", [plays("ann", Stopped, 0), plays("bob", Stopped, 0)]),
        ("t5", [plays("cleo", Won, 9), plays("dan", Won, 99)]),
        ("t6", [Played { game: "draft".to_owned(), ..plays("ann", Won, 7) }, plays("cleo", Lost, 0)]),
    ];
    for (name, played) in ends {
        open_table(&*log, name);
        assert_eq!(log.append(Append { played: played.to_vec(), ..saying(name, 1, "end") }), Ok(2));
    }
    rig.crash();
    let log = rig.store();
    let leaders = |limit| -> Vec<(String, i64)> {
        let leaders = log.leaders("oxo", limit).expect("they can be read");
        leaders.into_iter().map(|(player, row)| (player.name, row.points)).collect()
    };
    let lead = |name: &str, points| (name.to_owned(), points);
    assert_eq!(
        leaders(9),
        [lead("Bob", 12), lead("Cleo", 9), lead("Ann", 8)],
        "closed accounts lead nothing"
    );
    assert_eq!(leaders(1), [lead("Bob", 12)]);
    assert_eq!(log.leaders("nothing", 9), Ok(Vec::new()));
    let games =
        |one: &str, other: &str| log.head_to_head(&player(one), &player(other)).expect("they can be read");
    let row = |game: &str, won, lost, drawn| HeadToHead { game: game.to_owned(), won, lost, drawn };
    assert_eq!(games("ann", "bob"), [row("oxo", 1, 1, 1)], "what was stopped does not count");
    assert_eq!(games("bob", "ann"), [row("oxo", 1, 1, 1)]);
    assert_eq!(games("ann", "cleo"), [row("draft", 1, 0, 0)]);
    assert_eq!(games("bob", "cleo"), []);
}

/// A table that stops gives every player back what they put there since it was last empty.
pub fn a_stopped_table_knows_what_it_owes_to_whom(rig: &mut dyn Rig) {
    let log = rig.store();
    let names = ["ann", "bob", "cleo"];
    for name in names {
        fund(&*log, name, 100);
    }
    open_table(&*log, "t");
    let pot = Owner::Table(table("t"));
    let mut seq = 0;
    let mut event = |transfers| {
        seq += 1;
        assert_eq!(log.append(Append { transfers, ..saying("t", seq, "x") }), Ok(u64::from(seq) + 1));
    };
    let put = |name: &str, amount| move_chips(&purse(name), &pot, amount);
    let due = || -> Vec<(String, i64)> {
        let due = log.due(&table("t"), &chips()).expect("it can be read");
        due.into_iter().map(|(player, due)| (player.to_string(), due)).collect()
    };
    let owed = |all: &[(&str, i64)]| -> Vec<(String, i64)> {
        all.iter().map(|(name, due)| ((*name).to_owned(), *due)).collect()
    };
    assert_eq!(due(), owed(&[]));
    event(vec![put("ann", 1), put("bob", 1)]);
    assert_eq!(due(), owed(&[("ann", 1), ("bob", 1)]));
    event(vec![move_chips(&pot, &purse("bob"), 2)]);
    assert_eq!(due(), owed(&[]), "a match that was paid out is settled");
    event(vec![put("ann", 30), put("bob", 10), put("cleo", 10)]);
    assert_eq!(due(), owed(&[("ann", 30), ("bob", 10), ("cleo", 10)]), "what Ann lost before is lost");
    event(vec![move_chips(&pot, &purse("cleo"), 10), move_chips(&pot, &Owner::House, 3)]);
    assert_eq!(due(), owed(&[("ann", 28), ("bob", 9)]), "37 lie there: a rake is borne by all");
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// The store keeps a room until the server drops it, and the audit log for good.
pub fn rooms_and_the_audit_log_are_kept(rig: &mut dyn Rig) {
    let room = |n: i64| Some(Facts(serde_json::json!({ "n": n })));
    let id = |name: &str| TableId::new(name).expect("a good name");
    let keep = |name: &str, body| Write::Room { id: id(name), body };
    for write in [keep("b", room(1)), keep("a", room(2)), keep("b", room(3)), keep("c", room(4))] {
        assert_eq!(rig.store().write(write), Ok(0));
    }
    assert_eq!(rig.store().write(keep("c", None)), Ok(0));
    rig.crash();
    let rooms = rig.store().rooms().unwrap();
    let rooms: Vec<(&str, i64)> =
        rooms.iter().map(|(id, body)| (id.as_str(), body.0["n"].as_i64().unwrap())).collect();
    assert_eq!(rooms, [("a", 2), ("b", 3)]);
    for n in 1..=3 {
        let line = AuditLine { at_ms: n, what: "kill".to_owned(), about: serde_json::json!({ "n": n }) };
        assert_eq!(rig.store().write(Write::Audit(line)), Ok(0));
    }
    rig.crash();
    let lines = rig.store().audit_lines(None, 2).unwrap();
    assert_eq!(lines.iter().map(|(_, line)| line.at_ms).collect::<Vec<_>>(), [3, 2]);
    let older = rig.store().audit_lines(Some(lines[1].0), 9).unwrap();
    assert_eq!(older.iter().map(|(_, line)| line.at_ms).collect::<Vec<_>>(), [1]);
}
