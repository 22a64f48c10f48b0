//! Answers from outside: which tile a name means, what is refused with which code, and what no honest client can send.

use parlor_riichi::sets::TileSet;
use parlor_riichi::table::{Action, Answer, KanName, Settings, TileName, Viewer};
use parlor_riichi::text::read_tiles;
use parlor_riichi::tile::Tile;

use crate::scene::{Scene, seat};

fn ronin() -> Scene {
    Scene::new(Settings::ronin())
}

fn text(text: &str) -> TileName {
    TileName::Text(text.into())
}

fn id(tile: u8) -> TileName {
    TileName::Id(tile.into())
}

/// Cites 003/R1: a text names a kind; the drawn tile if it is one, else the lowest id; a plain five is not the red one.
#[test]
fn a_text_names_the_drawn_tile_or_the_lowest() {
    let play = ronin().hands(["11m0m258p369s1234z", "", "", ""]).draws("1m").start();
    let tile = |name: &str| match play.table.check(seat(0), &Answer::Discard(text(name))) {
        Ok(Action::Discard(tile)) => Some(tile),
        _ => None,
    };
    assert_eq!(tile("1m"), play.table.player(seat(0)).drawn(), "the third of them was drawn");
    assert_eq!(tile("2p").map(Tile::id), Some(40), "the lowest that is held");
    assert_eq!(tile("0m").map(Tile::id), Some(16));
    assert_eq!(tile("5m"), None, "only the red one is held");
    for (name, code) in [("9z", "validation_error"), ("12m", "validation_error"), ("9m", "invalid_discard")] {
        let refusal = play.table.check(seat(0), &Answer::Discard(text(name))).unwrap_err();
        assert_eq!(refusal.code.name(), code, "{name}");
    }
}

/// Cites 003/R11, 003-19: forged is a tile that the seat never held, in answer to a request that stands.
#[test]
fn only_what_was_never_held_is_forged() {
    let hands = ["123m258p369s1234z", "44m258p369s12356z", "", ""];
    let play = ronin().hands(hands).draws("4m").start();
    let forged = |play: &crate::scene::Play, by: u8, answer: Answer| {
        play.table.check(seat(by), &answer).unwrap_err().forged
    };
    assert!(forged(&play, 0, Answer::Discard(id(135))), "never held");
    assert!(forged(&play, 0, Answer::Riichi(text("7z"))));
    assert!(forged(&play, 0, Answer::Kan(Some(KanName::Closed), Some(id(135)))));
    assert!(!forged(&play, 1, Answer::Discard(id(135))), "not asked: a slow client sends this");
    assert!(
        !forged(&play, 0, Answer::Discard(TileName::Id(136))),
        "no tile at all is a badly shaped message"
    );
    let thrown = play.run("0 discard 4m");
    let pair = |a: u8, b: u8| Answer::Pon(Some([id(a), id(b)]));
    assert!(forged(&thrown, 1, pair(134, 135)));
    let own: Vec<Tile> = read_tiles("44m", &mut TileSet::EMPTY.clone(), true).unwrap();
    assert!(thrown.table.check(seat(1), &pair(own[0].id(), own[1].id())).is_ok());
    // Held a moment ago, and given away since.
    let later = thrown.run("1 pon, 1 discard 6z, 2 discard, 3 discard");
    let first = later.table.player(seat(0)).river()[0].tile;
    let refusal = later.table.check(seat(0), &Answer::Discard(id(first.id()))).unwrap_err();
    assert_eq!((refusal.code.name(), refusal.forged), ("invalid_discard", false));
}

/// Cites 003/R15: where there is one way to call, tiles may be left out; a pon without them takes plain tiles.
#[test]
fn tiles_may_be_left_out_where_there_is_one_way() {
    let play = ronin().hands(["", "055m6m258p369s12z3z", "", ""]).draws("5m").start().run("0 discard 5m");
    match play.table.check(seat(1), &Answer::Pon(None)) {
        Ok(Action::Pon(own)) => assert!(own.iter().all(|tile| !tile.is_red())),
        other => panic!("{other:?}"),
    }
    assert!(matches!(play.table.check(seat(1), &Answer::Kan(None, None)), Ok(Action::Daiminkan)));
    let message = play.table.check(seat(1), &Answer::Chi(None)).unwrap_err();
    assert_eq!(message.code.name(), "invalid_chi");
}

/// Cites 003-19: each fault has its code.
#[test]
fn a_refusal_carries_its_code() {
    let play = ronin().hands(["123m258p369s1234z", "44m258p369s12356z", "", ""]).draws("4m").start();
    for (by, answer, code) in [
        (1, Answer::Discard(text("2p")), "not_your_turn"),
        (1, Answer::Tsumo, "not_your_turn"),
        (1, Answer::Pass, "invalid_pass"),
        (1, Answer::Ron, "invalid_ron"),
        (1, Answer::Pon(None), "invalid_pon"),
        (1, Answer::Chi(None), "invalid_chi"),
        (1, Answer::Confirm, "invalid_action"),
        (0, Answer::Pass, "invalid_pass"),
        (0, Answer::Ron, "invalid_ron"),
        (0, Answer::Tsumo, "invalid_tsumo"),
        (0, Answer::Nine, "cannot_call_kyuushu"),
        (0, Answer::Kan(None, None), "invalid_kan"),
        (0, Answer::Riichi(text("1z")), "invalid_riichi"),
    ] {
        assert_eq!(play.table.check(seat(by), &answer).unwrap_err().code.name(), code, "{by}: {answer:?}");
    }
}

/// A view depends on nothing that its viewer may not know: other hands, the wall, ura. Cites 003-9, 003/R7.
#[test]
fn a_view_is_the_same_whatever_is_hidden() {
    // The same discards and own tiles; hands of the others, wall and dead wall differ.
    let one = ronin().hands(["123m258p369s1234z", "44m258p369s12355z", "", ""]).draws("7z6z7z6z");
    let two = Scene { rinshan: "1p", ura: "1p", ..ronin() };
    let two = two.hands(["123m258p369s1234z", "77m347p147s12355z", "", ""]).draws("7z6z7z6z");
    let same = |scene: Scene| {
        Scene { dora: "9p", ..scene }.start().run("0 discard 7z, 1 discard 6z, 2 discard 7z, 3 discard 6z")
    };
    let (one, two) = (same(one), same(two));
    for viewer in [Viewer::Seat(seat(0)), Viewer::Gallery] {
        let mut views = [one.table.view(viewer), two.table.view(viewer)];
        // What seat 0 drew last is its own to know, and was left to the wall.
        for view in &mut views {
            if let Some(own) = &mut view.own {
                own.tiles = TileSet::EMPTY;
                own.drawn = None;
                own.turn = None;
            }
        }
        assert_eq!(views[0], views[1]);
    }
    let gallery = serde_json::to_value(one.table.view(Viewer::Gallery)).unwrap();
    assert!(gallery["own"].is_null());
}
