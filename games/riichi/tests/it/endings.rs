//! Facts about ends: special wins, liability, nagashi mangan, which round follows, and the end of the game.

use parlor_riichi::table::{Event, Nagashi, Settings, TieBreak};

use crate::scene::{Play, Scene, seat};

/// Tenpai on 4m and 7m with tanyao and pinfu: 2000 points by ron, 2900 for a dealer.
const TENPAI_47M: &str = "56m234567p234s88s";

fn ronin() -> Scene {
    Scene::new(Settings::ronin())
}

fn tenhou() -> Scene {
    Scene::new(Settings::tenhou())
}

/// Cites 003-16. The wins that only a moment makes.
#[test]
fn a_moment_can_be_a_yaku() {
    let haitei = Scene { last: "7m", ..tenhou().hands(["", TENPAI_47M, "", ""]) };
    let haitei = haitei.start().down_to(0);
    assert!(haitei.allows("1 tsumo") && haitei.refused("1 closed 8s") == "invalid_kan");
    assert!(haitei.run("1 tsumo").yaku().contains("Haitei"));
    // The other 4m and 7m are where nobody discards them.
    let houtei = Scene { last: "7m", ..tenhou().hands(["4444m777m147p25s1z", "", TENPAI_47M, ""]) };
    let houtei = houtei.start().down_to(0).run("1 discard 7m");
    assert!(houtei.table.offer(seat(2)).ron && houtei.run("2 ron").yaku().contains("Houtei"));
    let rinshan = Scene { rinshan: "1s", ..ronin().hands(["111z234m567p23s88s", "", "", ""]).draws("1z") };
    let rinshan = rinshan.start().run("0 closed 1z, 0 tsumo");
    assert!(rinshan.yaku().contains("Rinshan"), "{}", rinshan.yaku());
    let tenhou_win = ronin().hands([TENPAI_47M, "", "", ""]).draws("7m").start().run("0 tsumo");
    assert_eq!(tenhou_win.yaku(), "Tenhou");
    let chiihou = ronin().hands(["", TENPAI_47M, "", ""]).draws("1z7m").start().run("0 discard 1z, 1 tsumo");
    assert_eq!(chiihou.yaku(), "Chiihou");
}

/// Checklist 18, cites 003/R12: renhou is five han for ronin, nothing for tenhou.
#[test]
fn renhou_counts_where_the_setting_says() {
    let win =
        |scene: Scene| scene.hands(["", TENPAI_47M, "", ""]).draws("7m").start().run("0 discard 7m, 1 ron");
    assert!(win(ronin()).yaku().contains("Renhou"));
    assert_eq!(win(tenhou()).yaku(), "Pinfu, Tanyao");
}

/// Checklist 15, cites 003-16: who fed the third dragon pays a self-draw alone and shares a ron.
#[test]
fn who_feeds_the_third_dragon_is_liable() {
    let start = || {
        let scene = ronin().hands(["", "556677z23m99p45s1s", "", ""]).draws("5z6z9s7z9s9s8s1m");
        scene.start().run(
            "0 discard 5z, 1 pon, 1 discard 1s, 2 discard 6z, 1 pon, 1 discard 4s, 2 discard, 3 discard 7z, 1 pon, \
             1 discard 5s, 2 discard, 3 discard, 0 discard",
        )
    };
    let tsumo = start().run("1 tsumo");
    assert_eq!((tsumo.yaku().as_str(), tsumo.deltas()), ("Daisangen", [0, 32_000, 0, -32_000]));
    let scene = ronin().hands(["", "556677z23m99p45s1s", "", ""]).draws("5z6z9s7z1m");
    let ron = scene.start().run(
        "0 discard 5z, 1 pon, 1 discard 1s, 2 discard 6z, 1 pon, 1 discard 4s, 2 discard, 3 discard 7z, 1 pon, \
         1 discard 5s, 2 discard 1m, 1 ron",
    );
    assert_eq!(ron.deltas(), [0, 32_000, -16_000, -16_000]);
}

/// A wall in which the dealer draws only terminals and the others none.
fn nagashi(scene: Scene) -> Play {
    let own: Vec<String> =
        ["1m", "9m", "1p", "9p", "1s"].iter().flat_map(|tile| vec![(*tile).to_owned(); 4]).collect();
    let middle = ["2m", "4m", "6m", "8m", "2p", "4p", "6p", "8p", "2s", "4s", "6s", "8s", "3m"];
    let others: Vec<String> = middle.iter().flat_map(|tile| vec![(*tile).to_owned(); 4]).collect();
    let mut draws = String::new();
    let (mut own, mut others) = (own.into_iter(), others.into_iter());
    for index in 0..70 {
        draws += &if index % 4 == 0 { own.next().unwrap() } else { others.next().unwrap() };
    }
    Scene { draws: Box::leak(draws.into_boxed_str()), ..scene }.start().exhaust()
}

/// Checklist 12, cites 003-12.
#[test]
fn a_river_of_terminals_is_paid_like_a_mangan() {
    let at = |scene: Scene| nagashi(scene.at(|standing| (standing.honba, standing.sticks) = (2, 0)));
    let draw = at(ronin());
    assert_eq!((draw.draw_kind().as_str(), draw.deltas()), ("NagashiMangan", [12_000, -4000, -4000, -4000]));
    assert_eq!(
        draw.next(),
        Some((1, 3, 0)),
        "no honba is paid, the dealer is not tenpai, a draw adds a honba"
    );
    let win = at(ronin().with(|settings| settings.nagashi = Nagashi::Win));
    assert_eq!((win.deltas(), win.next()), ([12_600, -4200, -4200, -4200], Some((0, 3, 0))));
    let off = at(ronin().with(|settings| settings.nagashi = Nagashi::Off));
    assert_eq!(off.draw_kind(), "Exhaustive");
}

/// One win in a hand of a game, and what follows: the next hand, honba and sticks, or none if the game is over.
fn after_win(settings: Settings, kyoku: u8, scores: [i32; 4], winner: u8) -> Option<(u8, u16, u16)> {
    let dealer = kyoku % 4;
    let mut hands = [""; 4];
    hands[usize::from(winner)] = TENPAI_47M;
    let scene = Scene { dora: "3z", ..Scene::new(settings).hands(hands) };
    let scene = scene.at(|standing| (standing.kyoku, standing.scores) = (kyoku, scores));
    let play = if winner == dealer {
        // The next in turn feeds the dealer.
        let next = (dealer + 1) % 4;
        scene.draws("1z7m").start().run(&format!("{dealer} discard 1z, {next} discard 7m, {dealer} ron"))
    } else {
        scene.draws("7m").start().run(&format!("{dealer} discard 7m, {winner} ron"))
    };
    assert_eq!(play.next().is_none(), play.table.game_end().is_some());
    play.next()
}

/// Checklist 14 and 19, cites 003-12, 003-17.
#[test]
fn the_game_ends_when_the_rules_say() {
    let (tenhou, ronin, ema) = (
        Settings::tenhou(),
        Settings { renhou: Settings::tenhou().renhou, ..Settings::ronin() },
        Settings::ema(),
    );
    let even = [25_000; 4];
    let west = [25_000, 22_000, 31_000, 22_000];
    let east_only = Settings { game_type: parlor_riichi::table::GameType::East, ..tenhou };
    let no_overtime = Settings { enchousen: parlor_riichi::table::Enchousen::None, ..tenhou };
    for (what, settings, kyoku, scores, winner, next) in [
        ("the dealer wins and stays", tenhou, 0, even, 0, Some((0, 1, 0))),
        ("another wins: the next is dealer", tenhou, 0, even, 2, Some((1, 0, 0))),
        ("nobody has 30000: West", tenhou, 7, even, 0, Some((8, 0, 0))),
        ("without overtime that is the end", no_overtime, 7, even, 0, None),
        ("East only", east_only, 3, [29_000, 25_000, 23_000, 23_000], 0, None),
        ("somebody has 30000", tenhou, 7, [29_000, 25_000, 23_000, 23_000], 0, None),
        ("the dealer leads with 30000: it ends", tenhou, 7, [24_000, 24_000, 23_000, 29_000], 3, None),
        ("unless a dealer may go on", ronin, 7, [24_000, 24_000, 23_000, 29_000], 3, Some((7, 1, 0))),
        (
            "the dealer wins and does not lead",
            tenhou,
            7,
            [40_000, 24_000, 23_000, 13_000],
            3,
            Some((7, 1, 0)),
        ),
        ("West: a dealer who stays goes first", tenhou, 8, west, 0, Some((8, 1, 0))),
        ("West: the points end it", ronin, 8, west, 0, None),
        ("West 4 is the last", tenhou, 11, even, 0, None),
        ("below 0", tenhou, 0, [1500, 30_000, 34_250, 34_250], 2, None),
        ("exactly 0 plays on", tenhou, 0, [2000, 30_000, 34_000, 34_000], 2, Some((1, 0, 0))),
        ("EMA plays on below 0", ema, 0, [1500, 30_000, 44_250, 44_250], 2, Some((1, 0, 0))),
        ("EMA has no overtime", ema, 7, [30_000; 4], 0, None),
    ] {
        assert_eq!(after_win(settings, kyoku, scores, winner), next, "{what}");
    }
}

/// Checklist 20, cites 003-12: sticks, ties, uma and oka.
#[test]
fn the_final_points_add_up() {
    let end = |settings: Settings, scores: [i32; 4], sticks: u16| {
        let scene = Scene::new(settings).at(|standing| {
            (standing.kyoku, standing.scores, standing.sticks) = (7, scores, sticks);
        });
        let play =
            scene.hands(["147m258p369s1234z", "147m258p369s1235z", "258m369p147s5671z", "258m369p147s5672z"]);
        *play.start().exhaust().table.game_end().expect("over")
    };
    let first = end(Settings::tenhou(), [31_000, 27_000, 22_000, 19_000], 1);
    assert_eq!(
        (first.scores, first.places),
        ([32_000, 27_000, 22_000, 19_000], [1, 2, 3, 4]),
        "the stick is the first's"
    );
    assert_eq!(first.points, [420, 70, -180, -310]);
    // 500 falls towards the target, 600 away from it.
    let rounded = end(Settings::tenhou(), [35_500, 30_500, 19_500, 14_500], 0);
    assert_eq!(rounded.points[1..], [100, -200, -350]);
    let tied = end(Settings::tenhou(), [30_000, 30_000, 20_000, 20_000], 0);
    assert_eq!(tied.places, [1, 2, 3, 4], "the nearer to the first dealer is ahead");
    let shared = Settings { tie_break: TieBreak::Share, ..Settings::ema() };
    let shared = end(shared, [35_000, 35_000, 25_000, 25_000], 0);
    assert_eq!((shared.places, shared.points), ([1, 1, 3, 3], [150, 150, -150, -150]));
}

/// Checklist 20: of equal scores the seat nearer to the first dealer is ahead, not the lower number.
#[test]
fn ties_go_by_the_first_dealer() {
    for (first_dealer, places) in [(0, [1, 3, 2, 4]), (1, [2, 3, 1, 4]), (2, [2, 4, 1, 3]), (3, [1, 4, 2, 3])]
    {
        let scene = tenhou().at(|standing| {
            (standing.kyoku, standing.scores) = (7, [30_000, 20_000, 30_000, 20_000]);
            standing.first_dealer = seat(first_dealer);
        });
        let scene =
            scene.hands(["147m258p369s1234z", "147m258p369s1235z", "258m369p147s5671z", "258m369p147s5672z"]);
        let end = *scene.start().exhaust().table.game_end().expect("over");
        assert_eq!(end.places, places, "seat {first_dealer} dealt first");
    }
}

/// Cites 003-6, 003-26: a round ends with everybody's word, and the next begins with a new wall.
#[test]
fn the_next_round_waits_for_every_seat() {
    use parlor_riichi::table::{Action, Answer, Wall};
    let mut play = tenhou().start().exhaust();
    for number in 0..4 {
        assert_eq!(play.table.check(seat(number), &Answer::Pass).unwrap_err().code.name(), "invalid_action");
        let action = play.table.check(seat(number), &Answer::Confirm).unwrap();
        assert_eq!(action, Action::Confirm);
        let (table, events) = (&mut play.table, &mut play.events);
        table.apply(seat(number), action, &mut |_| Wall::sorted(), &mut |event| events.push(event));
        let started = play.events.iter().filter(|event| matches!(event, Event::RoundStarted { .. })).count();
        assert_eq!(started, if number == 3 { 2 } else { 1 });
        assert_eq!(
            play.table.check(seat(number), &Answer::Confirm).unwrap_err().code.name(),
            "invalid_action"
        );
    }
}
