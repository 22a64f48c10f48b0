//! Facts about play: a hand or a river, an action, what follows. Each names the line of the checklist it shows.

use parlor_riichi::table::{Event, HonbaMulti, KanDora, MultiRon, Phase, Settings, Viewer};

use crate::scene::{Scene, seat};

/// Tenpai on 4m and 7m with tanyao and pinfu.
const TENPAI_47M: &str = "56m234567p234s88s";
/// Far from everything.
const FAR: &str = "147m258p369s1234z";
const FAR_TOO: &str = "147m258p369s1235z";
const FAR_AS_WELL: &str = "258m369p147s567z1z";

fn ronin() -> Scene {
    Scene::new(Settings::ronin())
}

fn tenhou() -> Scene {
    Scene::new(Settings::tenhou())
}

/// Cites 003-12. Checklist 1: 4-4-4-1, then the dealer's fourteenth; 70 draws.
#[test]
fn a_round_has_seventy_draws() {
    let play = ronin().start().exhaust();
    let draws = play.events.iter().filter(|event| matches!(event, Event::Draw { .. })).count();
    assert_eq!(draws, 70);
}

/// Cites 003-12. Checklist 1: each kan takes one from the end; no chi, pon or kan on the last discard.
#[test]
fn a_kan_takes_a_draw_from_the_end() {
    let scene = ronin().hands(["1111m258p369s123z", "", "", ""]);
    let play = scene.start().run("0 closed 1m").exhaust();
    let draws = play.events.iter().filter(|event| matches!(event, Event::Draw { .. })).count();
    assert_eq!(draws, 70, "69 from the wall and one after the kan");
    assert_eq!(play.table.left(), 0);
}

/// Checklist 2, cites 003-15: when the indicator of a kan is turned.
#[test]
fn the_indicator_of_a_kan_is_turned_when_the_setting_says() {
    let course = |when: KanDora| {
        let scene =
            ronin().with(|settings| settings.open_kan_dora = when).hands(["", "111m99p258s1234z6z", "", ""]);
        let play = scene.draws("1m").start().run("0 discard 1m, 1 kan, 1 discard 6z").passed();
        play.course().split("daiminkan1 ").nth(1).unwrap().to_owned()
    };
    assert_eq!(course(KanDora::Immediate), "dora rinshan1 discard1 draw2");
    assert_eq!(course(KanDora::BeforeDiscard), "rinshan1 dora discard1 draw2");
    assert_eq!(course(KanDora::AfterDiscardPasses), "rinshan1 discard1 dora draw2");
}

/// Checklist 2: a closed kan turns its indicator before the draw; a ron on the discard stops one that waits.
#[test]
fn a_closed_kan_turns_at_once_and_a_ron_stops_a_late_one() {
    let closed = ronin().hands(["1111m258p369s123z", "", "", ""]).start().run("0 closed 1m");
    assert!(closed.course().ends_with("ankan0 dora rinshan0"), "{}", closed.course());
    let scene = ronin().hands(["", "111m99p258s12344z", TENPAI_47M, ""]).draws("1m");
    let scene = Scene { rinshan: "7m", ..scene };
    let play = scene.start().run("0 discard 1m, 1 kan, 1 discard 7m, 2 ron");
    assert_eq!(play.table.dora().len(), 1);
    assert_eq!(play.wins()[0].who, seat(2));
}

/// Checklist 4, cites 003-11, 003/R5: a seat that may ron is offered only that, unless the setting lets it choose.
#[test]
fn a_seat_that_may_ron_is_offered_only_that() {
    // Waits for 7m and 1z with a pair of each and seat wind south worth nothing: 777m is a set of its own.
    let hands = ["", "234m234p234s77m55z", FAR_AS_WELL, ""];
    let only = ronin().hands(hands).draws("5z").start().run("0 discard 5z");
    let offer = only.table.offer(seat(1));
    assert!(offer.ron && !offer.pon, "{offer:?}");
    let both =
        ronin().with(|s| s.ron_caller_may_meld = true).hands(hands).draws("5z").start().run("0 discard 5z");
    let offer = both.table.offer(seat(1));
    assert!(offer.ron && offer.pon, "{offer:?}");
    // Melding instead is passing the ron: furiten.
    let melded = both.run("1 pon, 1 discard 4s");
    assert!(melded.table.player(seat(1)).river().len() == 1);
}

/// Checklist 4, cites 003-15: ron before pon before chi, whatever the order of the answers.
#[test]
fn ron_beats_pon_beats_chi() {
    let hands = ["", "56m258p369s12345z", "77m258p369s12346z", TENPAI_47M];
    let start = || ronin().hands(hands).draws("7m").start().run("0 discard 7m");
    let ron = start().run("1 chi 56m, 2 pon, 3 ron");
    assert_eq!(ron.wins()[0].who, seat(3));
    let pon = start().run("1 chi 56m, 2 pon, 3 pass");
    assert!(pon.course().ends_with("pon2"), "{}", pon.course());
    let chi = start().run("1 chi 56m, 2 pass, 3 pass");
    assert!(chi.course().ends_with("chi1"), "{}", chi.course());
    assert!(start().run("1 chi 56m, 2 pon").table.round_result().is_none(), "it waits for the last answer");
}

/// Checklist 5, cites 003-16: the called kind and the other end of its run.
#[test]
fn a_call_forbids_the_discards_that_would_swap() {
    let scene = || ronin().hands(["", "3456m258p369s123z", "", ""]).draws("3m");
    let play = scene().start().run("0 discard 3m, 1 chi 45m");
    assert_eq!(play.refused("1 discard 3m"), "invalid_discard");
    assert_eq!(play.refused("1 discard 6m"), "invalid_discard");
    assert!(play.allows("1 discard 2p"));
    let free = scene().with(|s| (s.kuikae_forbidden, s.suji_kuikae_forbidden) = (false, false));
    let play = free.start().run("0 discard 3m, 1 chi 45m");
    assert!(play.allows("1 discard 3m") && play.allows("1 discard 6m"));
    let pon = ronin().hands(["", "333m258p369s1234z", "", ""]).draws("3m").start().run("0 discard 3m, 1 pon");
    assert_eq!(pon.refused("1 discard 3m"), "invalid_discard");
}

/// Checklist 3, cites 003-16: a red five and a plain one are two ways to call, where there are red fives.
#[test]
fn a_red_five_is_another_way_to_call() {
    let hands = ["", "0567m258p369s123z", "", ""];
    let play = ronin().hands(hands).draws("4m").start().run("0 discard 4m");
    let tile = play.table.player(seat(0)).river()[0].tile;
    assert_eq!(play.table.chi_options(seat(1), tile).len(), 2, "0m6m and 5m6m");
    assert_eq!(play.refused("1 chi"), "invalid_chi", "which of the two is not said");
    assert!(play.allows("1 chi 06m") && play.allows("1 chi 56m"));
    let plain = ronin().with(|s| s.red_fives = false).hands(hands).draws("4m").start().run("0 discard 4m");
    assert_eq!(plain.table.chi_options(seat(1), tile).len(), 1);
}

/// Checklist 6, cites 003-13, 003-19: what riichi needs.
#[test]
fn riichi_needs_a_closed_tenpai_hand_a_stick_and_four_tiles() {
    let scene = || ronin().hands([TENPAI_47M, FAR, FAR_TOO, FAR_AS_WELL]).draws("1z");
    assert!(scene().start().allows("0 riichi 1z"));
    assert_eq!(scene().start().refused("0 riichi 8s"), "invalid_riichi", "not tenpai without it");
    let poor = scene().at(|standing| standing.scores = [900, 30_000, 30_000, 39_100]).start();
    assert_eq!(poor.refused("0 riichi 1z"), "invalid_riichi");
    let enough = scene().at(|standing| standing.scores = [1000, 30_000, 30_000, 39_000]).start();
    let enough = enough.run("0 riichi 1z").passed();
    assert_eq!(enough.table.standing().scores[0], 0, "a seat may go down to nothing");
    let late = scene().with(|s| s.min_wall_for_riichi = 70).start();
    assert_eq!(late.refused("0 riichi 1z"), "invalid_riichi", "69 tiles are left after the first draw");
    let open = ronin().hands(["", "56m234567p23s88s1z", "", ""]).draws("4s2m3m5m1z");
    let open = open.start().run("0 discard 4s, 1 chi 23s, 1 discard 1z");
    let open = open.run("2 discard, 3 discard, 0 discard, 1 discard").passed();
    assert!(!open.table.player(seat(1)).is_closed());
}

/// Checklist 6, cites 003-15: the stick is paid when the discard has passed; not if it is ronned.
#[test]
fn a_ronned_riichi_costs_no_stick() {
    let hands = ["3458m234567p234s", TENPAI_47M, "", ""];
    let play = ronin().hands(hands).draws("7m").start().run("0 riichi 7m");
    let ronned = play.clone().run("1 ron");
    assert_eq!((ronned.wins()[0].sticks, ronned.deltas()[0] < 0), (0, true));
    assert_eq!(ronned.table.standing().scores.iter().sum::<i32>(), 100_000);
    let passed = play.passed();
    assert_eq!(passed.table.standing().sticks, 1);
    assert!(passed.course().contains("discard0 accepted0"), "{}", passed.course());
}

/// Checklist 6: after riichi only the drawn tile, and a closed kan that changes nothing.
#[test]
fn riichi_leaves_only_the_drawn_tile() {
    let hands = ["555z234567p23s88s", "", "", ""];
    let play = ronin().hands(hands).draws("1z1m1m1m5z").start();
    let play = play.run("0 riichi 1z, 1 discard 1m, 2 discard 1m, 3 discard 1m");
    assert_eq!(play.refused("0 discard 8s"), "invalid_discard");
    assert!(play.allows("0 discard 5z"));
    assert!(play.allows("0 closed 5z"), "the waits 1s and 4s stay");
    assert_eq!(play.refused("0 riichi 5z"), "invalid_riichi");
    let never = ronin().with(|s| s.riichi_kan = parlor_riichi::rules::RiichiKan::Never).hands(hands);
    let never =
        never.draws("1z1m1m1m5z").start().run("0 riichi 1z, 1 discard 1m, 2 discard 1m, 3 discard 1m");
    assert_eq!(never.refused("0 closed 5z"), "invalid_kan");
}

/// Checklist 6 and 7: double riichi on the first turn, ippatsu to the own next discard, ended by a call.
#[test]
fn double_riichi_and_ippatsu_end_with_a_call() {
    let hands = [TENPAI_47M, "99m258p369s1235z7z", FAR_AS_WELL, ""];
    let at_once = ronin()
        .hands(hands)
        .draws("1z9s9s7m")
        .start()
        .run("0 riichi 1z, 1 discard, 2 discard, 3 discard 7m, 0 ron");
    assert!(at_once.yaku().contains("Double Riichi, Ippatsu"), "{}", at_once.yaku());
    let called = ronin().hands(hands).draws("1z9s9m9s9s7m").start();
    let called = called
        .run("0 riichi 1z, 1 discard 9s, 2 discard 9m, 1 pon, 1 discard 7z, 2 discard, 3 discard, 0 tsumo");
    assert!(!called.yaku().contains("Ippatsu"), "{}", called.yaku());
    let late = ronin().hands(hands).draws("1z9s9s1m2z9m8p7p7m").start();
    let late = late.run(
        "0 riichi 1z, 1 discard, 2 discard, 3 discard, 0 discard, 1 discard, 2 discard, 3 discard, 0 tsumo",
    );
    assert!(!late.yaku().contains("Ippatsu"), "{}", late.yaku());
}

/// Checklist 8, cites 003-14, 003-16: the three kinds of furiten, each with the tile that causes it.
#[test]
fn furiten_has_three_kinds_and_names_its_tile() {
    let hands = ["", TENPAI_47M, FAR, ""];
    // Passing a winning tile: until the own next discard.
    let play = ronin().hands(hands).draws("4m1z7m").start().run("0 discard 4m, 1 pass");
    let furiten = play.table.player(seat(1)).furiten();
    assert_eq!(furiten.missed.map(|tile| tile.to_string()), Some("4m".into()));
    let told = |play: &crate::scene::Play| {
        let is_own = |event: &&Event| matches!(event, Event::Furiten { seat: to, .. } if *to == seat(1));
        play.events.iter().filter(is_own).count()
    };
    assert_eq!(told(&play), 1);
    let discarded = play.run("1 discard 1z");
    assert!(!discarded.table.player(seat(1)).furiten().is_furiten());
    assert_eq!(told(&discarded), 2, "told when it begins and when it ends");
    assert!(discarded.run("2 discard 7m").table.offer(seat(1)).ron);
    // An own discard: every wait is blocked, also the one that was not discarded.
    let play = ronin().hands(["", "456m234567p234s8s", "", ""]).draws("1z8s1m7m").start();
    let play = play.run("0 discard 1z, 1 discard 4m, 2 discard 1m, 3 discard 7m");
    assert!(!play.table.offer(seat(1)).ron);
    let kinds: Vec<String> =
        play.table.player(seat(1)).furiten().discards.iter().map(|k| k.to_string()).collect();
    assert_eq!(kinds, ["4m"]);
    // After riichi a miss is for good, but a self-draw wins.
    let play = ronin().hands([TENPAI_47M, FAR, FAR_TOO, ""]).draws("1z4m1m1m7m").start();
    let play = play.run("0 riichi 1z, 1 discard 4m, 0 pass, 2 discard 1m, 3 discard 1m");
    assert!(play.table.player(seat(0)).furiten().missed_in_riichi.is_some());
    assert!(play.allows("0 tsumo"));
}

/// Checklist 8: a tile that goes by without a yaku makes furiten too.
#[test]
fn a_wait_without_a_yaku_makes_furiten() {
    // Waits for 8p alone; a ron has no yaku.
    let play = tenhou().hands(["", "123m456p79p123s99s", "", ""]).draws("8p1z6p").start();
    let play = play.run("0 discard 8p");
    assert!(!play.table.offer(seat(1)).ron, "no yaku, no ron");
    assert_eq!(play.refused("1 ron"), "invalid_ron");
    assert!(play.passed().table.player(seat(1)).furiten().is_furiten());
}

/// Checklist 9: two on one tile, three on one tile, and who gets honba and sticks. Cites 003-15.
#[test]
fn several_winners_of_one_tile() {
    let hands = ["", "56m234567p234s88s", "56m345678p345s77s", "56m345678p678s22s"];
    let at = |multi: MultiRon, honba: HonbaMulti, steps: &str| {
        let scene = ronin().with(|s| (s.multi_ron, s.honba_multi) = (multi, honba)).hands(hands);
        let scene = scene.at(|standing| {
            (standing.honba, standing.sticks, standing.scores) = (2, 1, [24_000, 25_000, 25_000, 25_000])
        });
        scene.draws("7m").start().run("0 discard 7m").run(steps)
    };
    let two = at(MultiRon::Double, HonbaMulti::All, "1 pass, 2 ron, 3 ron");
    let paid: Vec<(u16, u16)> = two.wins().iter().map(|win| (win.honba, win.sticks)).collect();
    assert_eq!(paid, [(2, 1), (2, 0)], "honba to each, sticks to the first in turn order");
    let first = at(MultiRon::Double, HonbaMulti::First, "1 pass, 3 ron, 2 ron");
    let paid: Vec<(usize, u16, u16)> =
        first.wins().iter().map(|win| (win.who.index(), win.honba, win.sticks)).collect();
    assert_eq!(paid, [(2, 2, 1), (3, 0, 0)]);
    let three = at(MultiRon::Double, HonbaMulti::All, "1 ron, 2 ron, 3 ron");
    assert_eq!((three.draw_kind().as_str(), three.next()), ("TripleRon", Some((0, 3, 1))));
    let all = at(MultiRon::Triple, HonbaMulti::All, "1 ron, 2 ron, 3 ron");
    assert_eq!(all.wins().len(), 3);
    let bump = at(MultiRon::HeadBump, HonbaMulti::All, "1 ron, 2 ron, 3 ron");
    assert_eq!(bump.wins().iter().map(|win| win.who.index()).collect::<Vec<_>>(), [1]);
}

/// Checklist 10, cites 003-15: an added kan can be robbed, which keeps ippatsu and turns no indicator; declining
/// completes it, and is a miss.
#[test]
fn an_added_kan_can_be_robbed() {
    let hands = ["", "77m258p369s12356z", TENPAI_47M, ""];
    let play = ronin().hands(hands).draws("7m1z2z3z7m").start();
    let play = play.run(
        "0 discard 7m, 2 pass, 1 pon, 1 discard 6z, 2 riichi 1z, 3 discard 2z, 0 discard 3z, 1 added 7m",
    );
    assert!(play.table.offer(seat(2)).ron);
    let robbed = play.clone().run("2 ron");
    assert!(robbed.yaku().contains("Ippatsu, Chankan"), "{}", robbed.yaku());
    assert_eq!((robbed.table.dora().len(), robbed.wins()[0].from), (1, Some(seat(1))));
    let declined = play.run("2 pass");
    assert!(declined.course().ends_with("kakan1 rinshan1"), "{}", declined.course());
    assert!(declined.table.player(seat(2)).furiten().missed_in_riichi.is_some());
}

/// Checklist 10: thirteen orphans rob a closed kan, where the setting lets them.
#[test]
fn thirteen_orphans_rob_a_closed_kan() {
    let hands = ["777z258m369p147s1s", "119m19p9s1234566z", "", ""];
    let hands = [hands[0], "119m19p19s123456z", hands[2], hands[3]];
    let play = ronin().hands(hands).draws("7z").start().run("0 closed 7z");
    assert!(play.table.offer(seat(1)).ron);
    assert_eq!(play.run("1 ron").yaku(), "Kokushi Musou");
    let off = tenhou().hands(hands).draws("7z").start().run("0 closed 7z");
    assert!(off.course().ends_with("ankan0 dora rinshan0"), "{}", off.course());
}

/// Checklist 11: nine kinds, only on an own first draw that nothing came before. Cites 003-13.
#[test]
fn nine_kinds_end_a_round_on_the_first_draw() {
    let nine = "19m19p19s12z258m36p";
    let play = ronin().hands([nine, "", "", ""]).draws("3z").start();
    assert_eq!(
        (play.clone().run("0 nine").draw_kind().as_str(), play.run("0 nine").next()),
        ("NineKinds", Some((0, 1, 0)))
    );
    let eight = ronin().hands([nine, "", "", ""]).draws("5m").start();
    assert_eq!(eight.refused("0 nine"), "cannot_call_kyuushu", "eight kinds");
    let off = ronin().with(|s| s.abort_nine_kinds = false).hands([nine, "", "", ""]).draws("3z").start();
    assert_eq!(off.refused("0 nine"), "cannot_call_kyuushu");
    let called = ronin().hands(["", "55z258m369p147s55p", nine, ""]).draws("5z3z").start();
    let called = called.run("0 discard 5z, 1 pon, 1 discard 2m");
    assert_eq!(called.refused("2 nine"), "cannot_call_kyuushu", "a call came before");
}

/// Checklist 11: four times the same wind on the first turn.
#[test]
fn four_winds_end_a_round() {
    let hands = ["258m369p147s567z1z", "147m258p369s1235z", "147m258p369s1235z", "147m258p369s1345z"];
    let play =
        ronin().hands(hands).start().run("0 discard 1z, 1 discard 1z, 2 discard 1z, 3 discard 1z").passed();
    assert_eq!(play.draw_kind(), "FourWinds");
    let off = ronin().with(|s| s.abort_four_winds = false).hands(hands).start();
    let off = off.run("0 discard 1z, 1 discard 1z, 2 discard 1z, 3 discard 1z").passed();
    assert!(matches!(off.table.phase(), Phase::Turn { .. }));
}

/// Checklist 11: four riichi; all four sticks are paid and stay.
#[test]
fn four_riichi_end_a_round() {
    let hands = ["123m456p789s1155z", "234m567p123s2266z", "345m678p234s3377z", "456m123p345s44z99m"];
    let play = ronin().hands(hands).draws("8m8m8m8m").start();
    let play = play.run("0 riichi 8m, 1 riichi 8m, 2 riichi 8m, 3 riichi 8m").passed();
    assert_eq!((play.draw_kind().as_str(), play.next()), ("FourRiichi", Some((0, 1, 4))));
    assert_eq!(play.table.standing().scores, [24_000; 4]);
}

/// Checklist 13: keishiki tenpai counts, a wait on tiles one holds all of does not; 3000 are shared.
#[test]
fn tenpai_is_paid_at_an_exhaustive_draw() {
    let hands = [TENPAI_47M, FAR, FAR_TOO, FAR_AS_WELL];
    let play = ronin().hands(hands).start().exhaust();
    assert_eq!(play.deltas(), [3000, -1000, -1000, -1000]);
    assert_eq!(play.next(), Some((0, 1, 0)), "the dealer was tenpai and stays");
    let pass = ronin().with(|s| s.renchan_on_tenpai = false).hands(hands).start().exhaust();
    assert_eq!(pass.next(), Some((1, 1, 0)), "a draw adds a honba in any case");
}

/// What a viewer hears: own tiles, nobody else's. Cites 003-9.
#[test]
fn events_show_a_viewer_their_own_tiles_alone() {
    let play = ronin().start().run("0 discard");
    for viewer in [Viewer::Seat(seat(1)), Viewer::Gallery] {
        for event in play.events.iter().filter_map(|event| event.seen_by(viewer)) {
            match event {
                Event::Draw { seat: by, tile, .. } => assert_eq!(tile.is_some(), viewer == Viewer::Seat(by)),
                Event::RoundStarted { hands, .. } => {
                    let shown: Vec<bool> = hands.iter().map(|hand| !hand.is_empty()).collect();
                    assert_eq!(shown, [false, viewer == Viewer::Seat(seat(1)), false, false]);
                }
                Event::Furiten { seat: to, .. } => assert_eq!(viewer, Viewer::Seat(to)),
                _ => {}
            }
        }
    }
}
