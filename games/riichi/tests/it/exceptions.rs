//! Facts about exceptions: second turns, kans in a row, several rivers, sticks that stay, a dealer who wins second.

use parlor_riichi::rules::Renhou;
use parlor_riichi::table::{Event, KanDora, LeftoverRiichiBets, Nagashi, RiichiState, Settings};

use crate::scene::{Play, Scene, seat};

/// Tenpai on 4m and 7m with tanyao and pinfu: 2000 points by ron, 2900 for a dealer.
const TENPAI_47M: &str = "56m234567p234s88s";
const FAR: [&str; 4] = ["147m258p369s1234z", "147m258p369s1235z", "258m369p147s5671z", "258m369p147s5672z"];

fn ronin() -> Scene {
    Scene::new(Settings::ronin())
}

fn tenhou() -> Scene {
    Scene::new(Settings::tenhou())
}

/// Checklist 2: an indicator that waits is turned before that of the next kan.
#[test]
fn a_second_kan_turns_what_the_first_still_owes() {
    let scene = Scene { rinshan: "5z6z", ..tenhou().hands(["", "111m9999p58s1234z", "", ""]).draws("1m") };
    let play = scene.start().run("0 discard 1m, 1 kan, 1 closed 9p, 1 discard 5z").passed();
    let course = play.course();
    assert!(course.ends_with("daiminkan1 rinshan1 ankan1 dora dora rinshan1 discard1 draw2"), "{course}");
    assert_eq!(play.table.dora().len(), 3);
}

/// Checklist 2: it is turned when the second kan is declared, so it counts for a seat that robs that kan; the robbed kan itself
/// turns none.
#[test]
fn who_robs_a_second_kan_has_the_indicator_of_the_first() {
    for (open_kan_dora, dora) in [(KanDora::BeforeDiscard, 2), (KanDora::AfterDiscardPasses, 0)] {
        let scene = tenhou().with(|settings| settings.open_kan_dora = open_kan_dora);
        let scene = scene.hands(["", "11z77m258p369s567z", TENPAI_47M, ""]).draws("1z9s9s7m9p9p8p1z");
        // 7s shows the pair of 8s.
        let play = Scene { rinshan: "7m", dora: "3z7s", ..scene }.start().run(
            "0 discard 1z, 1 pon, 1 discard 5z, 2 discard, 3 discard, 0 discard 7m, 2 pass, 1 pon, 1 discard 6z, \
             2 discard, 3 discard, 0 discard, 1 added 1z, 1 added 7m, 2 ron",
        );
        assert!(play.yaku().contains("Chankan"), "{}", play.yaku());
        assert_eq!(play.wins()[0].dora, dora, "{open_kan_dora:?}");
    }
}

/// Checklist 2: without indicators of kans none is turned; without the first one it counts for nobody.
#[test]
fn indicators_count_where_the_settings_say() {
    let scene = ronin().with(|settings| (settings.kan_dora, settings.kan_ura_dora) = (false, false));
    let play = scene.hands(["1111m258p369s123z", "", "", ""]).start().run("0 closed 1m, 0 discard").passed();
    assert_eq!(play.table.dora().len(), 1, "{}", play.course());
    for (omote_dora, dora) in [(true, 2), (false, 0)] {
        let scene =
            ronin().with(|settings| (settings.omote_dora, settings.kan_ura_dora) = (omote_dora, false));
        // 7s shows the pair of 8s.
        let scene = Scene { dora: "7s", ..scene.hands(["", TENPAI_47M, "", ""]).draws("7m") };
        let win = scene.start().run("0 discard 7m, 1 ron");
        assert_eq!(win.wins()[0].dora, dora, "{omote_dora}");
    }
}

/// Checklist 6: a riichi on the second turn is single, though nobody has called.
#[test]
fn a_riichi_on_the_second_turn_is_single() {
    let scene = ronin().hands([TENPAI_47M, "", "", ""]).draws("1z2z3z4z5z");
    let play =
        scene.start().run("0 discard 1z, 1 discard 2z, 2 discard 3z, 3 discard 4z, 0 riichi 5z").passed();
    assert_eq!(play.table.player(seat(0)).riichi(), RiichiState::Accepted { double: false });
}

/// Checklist 8: furiten is told when it changes and not before.
#[test]
fn who_is_not_furiten_hears_nothing() {
    let play = ronin().hands(FAR).start().run("0 discard, 1 discard, 2 discard, 3 discard").passed();
    assert!(!play.events.iter().any(|event| matches!(event, Event::Furiten { .. })));
}

/// Checklist 11: nine kinds are for the first draw, not for the second.
#[test]
fn nine_kinds_are_too_late_on_the_second_turn() {
    let scene = ronin().hands(["19m19p19s12z258m36p", "", "", ""]).draws("3z5z5z6z4z");
    let play = scene.start();
    assert!(play.allows("0 nine"));
    let later = play.run("0 discard 2m, 1 discard, 2 discard, 3 discard");
    assert_eq!(later.refused("0 nine"), "cannot_call_kyuushu");
}

/// Seats of a river draw terminals and honors, all others the middle tiles; everybody discards what they draw.
fn rivers(scene: Scene, with: &[usize]) -> Play {
    let orphans = ["1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z"];
    let middle = ["2m", "4m", "6m", "8m", "2p", "4p", "6p", "8p", "2s", "4s", "6s", "8s", "3m"];
    let mut own = orphans.iter().flat_map(|tile| [*tile; 4]);
    let mut others = middle.iter().flat_map(|tile| [*tile; 4]);
    let draws: String = (0..70)
        .map(|n| if with.contains(&(n % 4)) { own.next() } else { others.next() }.expect("enough tiles"))
        .collect();
    scene.draws(Box::leak(draws.into_boxed_str())).start().exhaust()
}

/// Tenpai on 7p, of tiles that no river needs.
const TENPAI_7P: &str = "555777m333555p7p";

/// Checklist 12: each river is paid; sticks stay, honba is not paid, nobody pays for being noten.
#[test]
fn several_rivers_are_paid_and_sticks_stay() {
    let scene = |nagashi| {
        let scene = ronin().with(|settings| settings.nagashi = nagashi);
        scene.at(|standing| (standing.honba, standing.sticks, standing.scores[2]) = (1, 2, 23_000))
    };
    let two = rivers(scene(Nagashi::Draw), &[0, 1]);
    assert_eq!((two.draw_kind().as_str(), two.deltas()), ("NagashiMangan", [8000, 4000, -6000, -6000]));
    assert_eq!(two.next(), Some((1, 2, 2)), "the dealer is not tenpai");
    let tenpai = rivers(scene(Nagashi::Draw).hands([TENPAI_7P, "", "", ""]), &[1]);
    assert_eq!(tenpai.deltas(), [-4000, 8000, -2000, -2000], "no payment for tenpai beside it");
    assert_eq!(tenpai.next(), Some((0, 2, 2)), "a dealer who is tenpai stays");
    let won = rivers(scene(Nagashi::Win), &[1]);
    assert_eq!(won.deltas(), [-4100, 8300 + 2000, -2100, -2100], "as a win it takes honba and sticks");
    assert_eq!(won.next(), Some((1, 0, 0)));
}

/// Checklist 14 and 15: a ron pays 300 for each honba, and one of another than the dealer ends them.
#[test]
fn honba_are_paid_and_end_with_anothers_win() {
    let scene = |honba| {
        let scene = tenhou().at(|standing| standing.honba = honba).hands(["", TENPAI_47M, "", ""]);
        Scene { dora: "3z", ..scene }
    };
    let ron = scene(2).draws("7m").start().run("0 discard 7m, 1 ron");
    assert_eq!((ron.deltas(), ron.next()), ([-2600, 2600, 0, 0], Some((1, 0, 0))));
    let tsumo = |honba| scene(honba).draws("1z7m").start().run("0 discard 1z, 1 tsumo").deltas();
    let (plain, more) = (tsumo(0), tsumo(2));
    let paid: Vec<i32> = more.iter().zip(plain).map(|(with, without)| with - without).collect();
    assert_eq!(paid, [-200, 600, -200, -200]);
}

/// Checklist 14: a dealer who wins second in a double ron stays.
#[test]
fn a_dealer_who_wins_second_stays() {
    let hands = [TENPAI_47M, "", "56m345678p345s77s", ""];
    let play = ronin().hands(hands).draws("1z7m").start();
    let play = play.run("0 discard 1z, 1 discard 7m, 2 ron, 0 ron");
    let who: Vec<usize> = play.wins().iter().map(|win| win.who.index()).collect();
    assert_eq!((who, play.next()), (vec![2, 0], Some((0, 1, 0))));
}

/// Checklist 14: a dealer who leads the last hand below 30000 goes on.
#[test]
fn a_dealer_below_the_target_goes_on() {
    let scene = Scene { dora: "3z", ..tenhou().hands(["", "", "", TENPAI_47M]).draws("1z7m") };
    let scene =
        scene.at(|standing| (standing.kyoku, standing.scores) = (7, [24_500, 24_500, 24_500, 26_500]));
    let play = scene.start().run("3 discard 1z, 0 discard 7m, 3 ron");
    assert_eq!(play.next(), Some((7, 1, 0)), "29400 points");
}

/// Checklist 18: a call before it, and there is no renhou.
#[test]
fn a_call_ends_renhou() {
    let scene = ronin().hands(["", "55z147m258p369s12z", "", TENPAI_47M]).draws("5z7m");
    let play = scene.start().run("0 discard 5z, 1 pon, 1 discard 1z, 2 discard 7m, 3 ron");
    assert!(!play.yaku().contains("Renhou"), "{}", play.yaku());
    let play = ronin().hands(["", "", "", TENPAI_47M]).draws("5z6z7m").start();
    let play = play.run("0 discard 5z, 1 discard 6z, 2 discard 7m, 3 ron");
    assert!(play.yaku().contains("Renhou"), "{}", play.yaku());
}

/// Checklist 1 and 16: the tile after a kan is no last tile, even if nothing is left to draw.
#[test]
fn the_tile_after_a_kan_is_not_the_last_of_the_wall() {
    let hands = ["1z147m258p369s234z", "111z234m567p23s88s", "", ""];
    let scene = Scene { rinshan: "1s", ..tenhou().hands(hands) };
    let play = scene.start().down_to(1).run("0 discard 1z, 1 kan");
    assert_eq!(play.table.left(), 0);
    let yaku = play.run("1 tsumo").yaku();
    assert!(yaku.contains("Rinshan") && !yaku.contains("Haitei"), "{yaku}");
}

/// Checklist 16, cites 003/R12: four han and 30 fu are rounded up to a mangan where the setting says.
#[test]
fn kiriage_rounds_up_at_the_table() {
    for (kiriage_mangan, points) in [(false, 7700), (true, 8000)] {
        let scene = tenhou().with(|settings| settings.kiriage_mangan = kiriage_mangan);
        let scene = Scene { dora: "7s", ..scene.hands(["", TENPAI_47M, "", ""]).draws("7m") };
        let win = scene.start().run("0 discard 7m, 1 ron");
        assert_eq!((win.wins()[0].han, win.wins()[0].fu, win.wins()[0].points), (4, 30, points));
    }
}

/// Checklist 20: sticks that are left over go to the first, or are lost.
#[test]
fn sticks_left_over_go_where_the_setting_says() {
    for (leftover, first) in [(LeftoverRiichiBets::Winner, 33_000), (LeftoverRiichiBets::Lost, 31_000)] {
        let scene = tenhou().with(|settings| settings.leftover_riichi_bets = leftover).hands(FAR);
        let scene = scene.at(|standing| {
            (standing.kyoku, standing.sticks) = (7, 2);
            standing.scores = [31_000, 25_000, 22_000, 20_000];
        });
        let end = *scene.start().exhaust().table.game_end().expect("over");
        assert_eq!(end.scores[0], first);
    }
}

fn ema() -> Scene {
    Scene::new(Settings::ema())
}

/// Checklist 5, 9, 12 and 16, cites 003/R14: `ema` plays by the edition of 2016.
#[test]
fn ema_is_the_edition_of_2016() {
    let swap = ema().hands(["", "3456m258p369s123z", "", ""]).draws("3m");
    let swap = swap.start().run("0 discard 3m, 1 chi 45m");
    assert_eq!(swap.refused("1 discard 3m"), "invalid_discard");
    assert_eq!(swap.refused("1 discard 6m"), "invalid_discard");
    let river = rivers(ema(), &[0]);
    assert_eq!((river.draw_kind().as_str(), river.deltas()), ("Exhaustive", [0; 4]));
    let scene = ema().with(|settings| settings.renhou = Renhou::Off).hands(["", TENPAI_47M, "", ""]);
    let scene = Scene { dora: "7s", ..scene.draws("7m") };
    let rounded = scene.start().run("0 discard 7m, 1 ron");
    assert_eq!((rounded.wins()[0].han, rounded.wins()[0].fu, rounded.wins()[0].points), (4, 30, 7700));
    let hands = ["", "56m234567p234s88s", "56m345678p345s77s", ""];
    let two = ema().hands(hands).at(|standing| standing.honba = 2).draws("7m");
    let two = two.start().run("0 discard 7m, 1 ron, 2 ron");
    assert_eq!(two.wins().iter().map(|win| win.honba).collect::<Vec<_>>(), [2, 2], "counters to each");
    let dragons = ema().hands(["", "555666777z1122z", "", ""]).draws("1z").start().run("0 discard 1z, 1 ron");
    assert_eq!(
        (dragons.yaku().as_str(), dragons.wins()[0].points),
        ("Daisangen, Tsuu Iisou", 32_000),
        "one yakuman"
    );
}
