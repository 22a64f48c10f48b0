//! `parlor ledger`: the ledger of a store.

use std::path::Path;

use parlor_store::{Currency, MatchLog, Owner, Player, PlayerId, Reason, Transfer, Write};
use parlor_store_sqlite::{Options, SqliteStore};

use crate::tools::{Dir, parlor};

#[test]
fn the_books_of_a_store_are_counted_again() {
    let folder = Dir::new();
    let file = folder.file("books.sqlite");
    let path = file.as_str();
    assert_eq!(parlor(&["ledger", "audit", "--database", path]).code, 1, "there is no such store");
    let store = SqliteStore::open(Path::new(path), Options::default()).expect("it opens");
    let id = PlayerId::new("ann").expect("a good name");
    let gift = Transfer {
        from: Owner::Mint,
        to: Owner::Player(id.clone()),
        currency: Currency::new("tokens").expect("a good name"),
        amount: 10,
        reason: Reason::Welcome,
    };
    let player = Player::new(id, "Ann", [1; 32], 0);
    let write = Write::PlayerPays { player, key: "welcome".to_owned(), transfers: vec![gift], at_ms: 0 };
    store.write(write).expect("stored");
    drop(store);
    let audit = parlor(&["ledger", "audit", "--database", path]);
    assert_eq!((audit.code, audit.out.lines().last()), (0, Some("the ledger balances")), "{}", audit.err);
    let json = parlor(&["ledger", "audit", "--database", path, "--json"]).json();
    assert_eq!((json["minted"].as_i64(), json["faults"].as_array().map(Vec::len)), (Some(10), Some(0)));
    assert_eq!(parlor(&["ledger", "balance", "ann", "--database", path]).out.trim(), "10 tokens");
    assert_eq!(parlor(&["ledger", "balance", "bob", "--database", path]).code, 1);
}
