//! Facts about where a rule ends: what looks like an abortive draw, a river, a furiten or a yaku and is none.

use parlor_riichi::table::{Phase, RiichiState, Settings};

use crate::scene::{Play, Scene, seat};

/// Tenpai on 4m and 7m with tanyao and pinfu.
const TENPAI_47M: &str = "56m234567p234s88s";

fn ronin() -> Scene {
    Scene::new(Settings::ronin())
}

fn goes_on(play: &Play) -> bool {
    matches!(play.table.phase(), Phase::Turn { .. })
}

/// Checklist 11: four dragons are no four winds, and neither are four winds after a kan.
#[test]
fn only_four_uninterrupted_winds_end_a_round() {
    let dragons = ["258m369p147s123z5z", "147m258p369s1235z", "147m258p369s1235z", "147m258p369s1345z"];
    let run = "0 discard 5z, 1 discard 5z, 2 discard 5z, 3 discard 5z";
    assert!(goes_on(&ronin().hands(dragons).start().run(run).passed()));
    let winds = ["257m369p147s567z1z", "8888m25p369s1235z", "147m258p369s1235z", "147m258p369s1345z"];
    let run = "0 discard 1z, 1 closed 8m, 1 discard 1z, 2 discard 1z, 3 discard 1z";
    assert!(goes_on(&ronin().hands(winds).start().run(run).passed()));
}

fn three_kans() -> Play {
    let hands = ["1111222233334m", "6666p258p369s12z", "", ""];
    let scene = Scene { rinshan: "4m4m5z6z", ..ronin().hands(hands).draws("4m") };
    scene.start().run("0 closed 1m, 0 closed 2m, 0 closed 3m")
}

/// Checklist 11: four kans end a round when two seats have made them, and only when the discard has passed; a fifth is never
/// possible.
#[test]
fn four_kans_of_two_seats_end_a_round() {
    let three = three_kans().run("0 discard 5z").passed();
    assert!(goes_on(&three), "three kans end nothing");
    let by_two = three.run("1 closed 6p");
    assert!(goes_on(&by_two), "not before the discard");
    let ended = by_two.run("1 discard 6z").passed();
    assert_eq!((ended.draw_kind().as_str(), ended.next()), ("FourKans", Some((0, 1, 0))));
    let by_one = three_kans().run("0 closed 4m, 0 discard 6z").passed();
    assert!(goes_on(&by_one), "one seat may have all four");
    assert_eq!(by_one.refused("1 closed 6p"), "invalid_kan", "there is no fifth");
    let strict = Scene { rinshan: "4m4m5z6z", ..ronin().with(|s| s.four_kans_min_players = 1) };
    let strict = strict.hands(["1111222233334m", "", "", ""]).draws("4m").start();
    let strict = strict.run("0 closed 1m, 0 closed 2m, 0 closed 3m, 0 closed 4m, 0 discard 6z").passed();
    assert_eq!(strict.draw_kind(), "FourKans");
}

/// Checklist 11: under the fourth kan of two seats a discard can be won, and called by nobody: the round ends with it.
#[test]
fn nothing_is_called_under_the_fourth_kan() {
    let fourth = |scene: Scene, last: &'static str| {
        let hands = ["1111222233334m", "6666p258p369s12z", "58m69m147p147s66z5z", last];
        let scene = Scene { rinshan: "4m4m5z6z", ..scene.hands(hands).draws("4m") };
        let play = scene.start().run("0 closed 1m, 0 closed 2m, 0 closed 3m, 0 discard 5z").passed();
        play.run("1 closed 6p, 1 discard 6z")
    };
    assert_eq!(fourth(ronin(), "").draw_kind(), "FourKans", "nobody is asked");
    let won = fourth(ronin(), "11p99p22s88s44z77z6z");
    assert!(won.table.offer(seat(3)).ron && won.table.offer(seat(2)).is_empty());
    assert_eq!(won.clone().run("3 ron").wins()[0].who, seat(3));
    assert_eq!(won.passed().draw_kind(), "FourKans");
    let on = fourth(ronin().with(|settings| settings.abort_four_kans = false), "");
    assert!(on.table.offer(seat(2)).pon, "where four kans end nothing a pair may call");
}

/// Checklist 1: the last discard can be won, and called by nobody.
#[test]
fn nothing_is_called_with_the_last_discard() {
    let scene = Scene { last: "7m", ..ronin().hands(["", "", "56777m147p258s12z", ""]) };
    let last = scene.start().down_to(0);
    assert_eq!(last.clone().run("1 discard 7m").draw_kind(), "Exhaustive", "a set and a run lie ready");
    let early = ronin().hands(["", "", "56777m147p258s12z", ""]).draws("1z7m").start();
    let offer = early.run("0 discard 1z, 1 discard 7m").table.offer(seat(2));
    assert!(offer.pon && offer.kan && offer.chi, "any other can be called in three ways");
}

/// Checklist 12: a river of terminals from which a tile was called is none.
#[test]
fn a_called_tile_spoils_a_river() {
    let mut own = ["1m", "9m", "1p", "9p", "1s"].iter().flat_map(|tile| [*tile; 4]);
    let mut others = ["2m", "4m", "6m", "8m", "2p", "4p", "6p", "8p", "2s", "4s", "6s", "8s", "3m"]
        .iter()
        .flat_map(|tile| [*tile; 4]);
    let mut draws = "9s".to_owned();
    for index in 1..70 {
        // The call by the last seat gives the dealer the next draw.
        draws += if index % 4 == 1 { own.next() } else { others.next() }.expect("enough tiles");
    }
    let draws: &'static str = Box::leak(draws.into_boxed_str());
    let scene = ronin().hands(["", "", "", "99s357m357p357s57z"]).draws(draws);
    let called = scene.start().run("0 discard 9s, 3 pon, 3 discard 3m");
    let called = called.exhaust();
    assert_eq!(called.draw_kind(), "Exhaustive");
}

/// Checklist 8 and 10: a closed kan of a wait makes furiten only whoever could have robbed it.
#[test]
fn a_closed_kan_that_cannot_be_robbed_makes_nobody_furiten() {
    let play = ronin().hands(["7777m258p369s123z", TENPAI_47M, "", ""]).start().run("0 closed 7m");
    assert!(goes_on(&play), "only thirteen orphans rob a closed kan");
    assert!(!play.table.player(seat(1)).furiten().is_furiten());
}

/// Checklist 6: a riichi on one's first discard is double only if nobody has called before.
#[test]
fn a_call_before_it_makes_a_riichi_single() {
    let hands = ["", "", "55z147m258p369s12z", TENPAI_47M];
    let called = ronin().hands(hands).draws("5z1z").start();
    let called = called.run("0 discard 5z, 2 pon, 2 discard 1z, 3 riichi 1z").passed();
    assert_eq!(called.table.player(seat(3)).riichi(), RiichiState::Accepted { double: false });
    let first = ronin().hands(["", "", "", TENPAI_47M]).draws("1z2z3z1z").start();
    let first = first.run("0 discard 1z, 1 discard 2z, 2 discard 3z, 3 riichi 1z").passed();
    assert_eq!(first.table.player(seat(3)).riichi(), RiichiState::Accepted { double: true });
}

/// Checklist 1: no kan when too little is left: two tiles for ronin, one for tenhou.
#[test]
fn a_kan_needs_tiles_in_the_wall() {
    let four = |seat: usize| {
        let mut hands = [""; 4];
        hands[seat] = "1111m258p369s123z";
        hands
    };
    // The seats that draw with two, one and no tile left.
    for (settings, left, by, allowed) in [
        (Settings::ronin(), 2, 3, true),
        (Settings::ronin(), 1, 0, false),
        (Settings::tenhou(), 1, 0, true),
        (Settings::tenhou(), 0, 1, false),
    ] {
        let play = Scene::new(settings).hands(four(by)).start().down_to(left);
        assert_eq!(play.allows(&format!("{by} closed 1m")), allowed, "{left} left");
    }
}

/// Checklist 6: a seat in riichi calls nothing.
#[test]
fn riichi_calls_nothing() {
    let play = ronin().hands(["123456m123p11s78s", "", "", ""]).draws("1z1s").start();
    let play = play.run("0 riichi 1z, 1 discard 1s");
    assert!(goes_on(&play), "its pair of 1s is asked for nothing");
}

/// The dealer's eighth win in a row is a yaku where it is played, the seventh is none.
#[test]
fn the_eighth_win_in_a_row_is_a_yaku() {
    for (wins, is_yaku) in [(6, false), (7, true)] {
        let scene = ronin().with(|settings| settings.paarenchan = true).hands([TENPAI_47M, "", "", ""]);
        let play = scene.at(|standing| standing.dealer_wins = wins).draws("1z7m").start();
        let play = play.run("0 discard 1z, 1 discard 7m, 0 ron");
        assert_eq!(play.yaku().contains("Paarenchan"), is_yaku, "{}", play.yaku());
    }
}

/// Ura indicators are turned for a seat in riichi alone.
#[test]
fn ura_needs_riichi() {
    let without = ronin().hands(["", TENPAI_47M, "", ""]).draws("7m").start().run("0 discard 7m, 1 ron");
    assert!(without.wins()[0].ura_indicators.is_empty());
    let scene = ronin().hands([TENPAI_47M, "", "", ""]).draws("1z7m");
    let with = scene.start().run("0 riichi 1z, 1 discard 7m, 0 ron");
    assert_eq!(with.wins()[0].ura_indicators.len(), 1);
}

/// An indicator that a kan turned has its own below it, where the table plays with those. Cites 003-17.
#[test]
fn a_kan_turns_an_ura_of_its_own() {
    for (kan_ura_dora, count) in [(true, 2), (false, 1)] {
        let scene = ronin().with(|settings| settings.kan_ura_dora = kan_ura_dora).draws("8s7m");
        let scene = Scene { rinshan: "2z", ..scene.hands(["56m234p234s8s1111z", "", "", ""]) };
        let play = scene.start().run("0 closed 1z, 0 riichi 2z, 1 discard 7m, 0 ron");
        assert_eq!(play.wins()[0].ura_indicators.len(), count, "{kan_ura_dora}");
    }
}

/// Checklist 14: in the last hand a dealer who leads with 30000 ends the game by tenpai too, where that is played; one who
/// does not lead goes on.
#[test]
fn a_dealer_ends_the_game_only_in_the_lead() {
    for (tenpai_yame, next) in [(true, None), (false, Some((7, 1, 0)))] {
        let scene = Scene::new(Settings::tenhou()).with(|settings| settings.tenpai_yame = tenpai_yame);
        let scene =
            scene.at(|standing| (standing.kyoku, standing.scores) = (7, [20_000, 20_000, 20_000, 40_000]));
        let play = scene.hands(["", "", "", TENPAI_47M]).start().exhaust();
        assert_eq!((play.draw_kind().as_str(), play.next()), ("Exhaustive", next));
    }
    let scene = Scene::new(Settings::tenhou()).hands(["", "", "", TENPAI_47M]).draws("1z7m");
    let scene =
        scene.at(|standing| (standing.kyoku, standing.scores) = (7, [45_000, 13_000, 13_000, 29_000]));
    let play = scene.start().run("3 discard 1z, 0 discard 7m, 3 ron");
    assert_eq!(play.next(), Some((7, 1, 0)), "31900 points, but not in the lead");
}

/// A round in which seat 1 draws and discards terminals alone, to its end.
pub(crate) fn river_of_terminals() -> Play {
    let mut own = ["1m", "9m", "1p", "9p", "1s"].iter().flat_map(|tile| [*tile; 4]);
    let mut others = ["2m", "4m", "6m", "8m", "2p", "4p", "6p", "8p", "2s", "4s", "6s", "8s", "3m"]
        .iter()
        .flat_map(|tile| [*tile; 4]);
    let draws: String =
        (0..70).map(|n| if n % 4 == 1 { own.next() } else { others.next() }.expect("enough tiles")).collect();
    ronin().draws(Box::leak(draws.into_boxed_str())).start().exhaust()
}

/// Checklist 12: another seat's river is paid twice by the dealer.
#[test]
fn the_dealer_pays_twice_for_anothers_river() {
    let play = river_of_terminals();
    assert_eq!((play.draw_kind().as_str(), play.deltas()), ("NagashiMangan", [-4000, 8000, -2000, -2000]));
}
