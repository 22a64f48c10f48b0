//! The table as the house serves it: what is asked and for how long, who hears what, what time does, what is refused.

use parlor_core::logfile::LogFile;
use parlor_core::{Account, AskId, Game, Input, Json, NoOutput, Output, Rng, Seat, Seats, TimeLimit, Viewer};
use parlor_riichi::dialect;
use parlor_riichi::game::log::{play_log, seat_names, write_notation};
use parlor_riichi::game::{Riichi, TableAnswer, TableEvent, TableSettings, decide, replay};
use parlor_riichi::table::script::play;
use parlor_riichi::table::tenhou6::{self, Heading};
use parlor_riichi::table::{
    Action, Answer, Bot, Event, KuikaeReason, Pace, Phase, Settings, TileName, Worth, mjai,
};
use parlor_riichi::tile::Tile;
use parlor_testkit::random::random_match;
use serde_json::json;

use crate::scene::{Play, Scene};

/// What was told, to whom, and what the banks were given.
#[derive(Default)]
struct Ear {
    told: Vec<(Seats, TableEvent)>,
    bonuses: Vec<(u32, u32)>,
}

impl Output<TableEvent> for Ear {
    fn emit(&mut self, to: Seats, event: TableEvent) {
        self.told.push((to, event));
    }
    fn post(&mut self, _: Account, _: Account, _: i64) {}
    fn add_time(&mut self, _: Seats, add_ms: u32, cap_ms: u32) {
        self.bonuses.push((add_ms, cap_ms));
    }
    fn mark_revealed(&mut self) {}
}

/// A position at the pace of the house.
struct Served {
    game: Riichi,
    ear: Ear,
    rng: Rng,
}

impl Served {
    fn of(play: &Play, pace: Pace) -> Self {
        Self { game: Riichi::resumed(play.table.clone(), pace), ear: Ear::default(), rng: Rng::fast(1) }
    }

    fn ask(&self) -> parlor_core::Ask {
        self.game.open_asks()[0]
    }

    fn answer(&mut self, seat: u8, mv: Action) {
        self.ear.told.clear();
        let input = Input::Answer { seat: Seat::new(seat), ask: self.ask().id, mv };
        self.game.apply(input, &mut self.rng, &mut self.ear);
    }

    fn elapse(&mut self, seat: Option<u8>) {
        self.ear.told.clear();
        let input = Input::Elapsed { ask: self.ask().id, seat: seat.map(Seat::new) };
        self.game.apply(input, &mut self.rng, &mut self.ear);
    }

    /// Who hears something, without the gallery.
    fn hearers(&self) -> Seats {
        self.ear.told.iter().fold(Seats::NONE, |all, (to, _)| all.and(*to)).shared(Seats::first(4))
    }

    fn last_discard(&self) -> Option<(usize, Tile, bool)> {
        self.ear.told.iter().rev().find_map(|(_, event)| match event {
            TableEvent::Table(Event::Discard { seat, tile, tsumogiri, .. }) => {
                Some((seat.index(), *tile, *tsumogiri))
            }
            _ => None,
        })
    }
}

fn tile(play: &Play, seat: u8) -> Tile {
    play.table.player(crate::scene::seat(seat)).drawn().expect("a drawn tile")
}

/// Cites 003-17, 003/R8, 003/R12.
#[test]
fn wrong_settings_are_refused_with_every_field_named() {
    let wrong = json!({
        "preset": "house", "profile": "slow", "standInBot": "mortal", "uma": [1, 2, 3, 4], "colour": "red",
        "turnBaseMs": -1, "callBaseMs": 99_999_999, "sashikomi": true,
    });
    let text = TableSettings::read(&wrong).expect_err("wrong").to_string();
    for field in ["preset", "profile", "standInBot", "uma", "colour", "turnBaseMs", "callBaseMs", "sashikomi"]
    {
        assert!(text.contains(field), "{field} is not named: {text}");
    }
    let good =
        json!({"preset": "soul", "profile": "standard", "ronCallerMayMeld": false, "turnFloorMs": 700});
    let settings = TableSettings::read(&good).expect("right");
    assert_eq!((settings.rules.ron_caller_may_meld, settings.pace.turn_floor_ms), (false, 700));
    assert_eq!(settings.rules.uma, [15, 5, -5, -15]);
    let again: TableSettings = serde_json::from_value(json!(settings)).expect("what is written is read");
    assert_eq!(again, settings);
    let schema = Riichi::schema();
    for (name, value) in json!(TableSettings::default()).as_object().expect("an object") {
        assert_eq!(&schema["properties"][name]["default"], value, "{name}");
    }
}

/// What each decision costs: a turn runs on the bank, a call has its own time and, in `standard`, a least one; a result is
/// confirmed within 15 seconds. Cites 003-25, 003/R6.
#[test]
fn every_ask_has_the_time_of_its_profile() {
    let turn = Scene::new(Settings::ronin()).start();
    let call = Scene::new(Settings::ronin())
        .hands(["", "", "55m123789p1122z3z", ""])
        .draws("5m")
        .start()
        .run("0 discard 5m");
    let over = Scene::new(Settings::ronin()).start().exhaust();
    let fixed = |ms| TimeLimit::Fixed { ms };
    let bank = |base_ms| TimeLimit::Bank { base_ms };
    let (document, standard) = (Pace::document(), Pace::standard());
    let floor = Pace { turn_floor_ms: 900, ..document };
    for (what, play, pace, clock, least, public) in [
        ("a turn", &turn, document, bank(0), 0, true),
        ("a turn", &turn, standard, bank(5000), 0, true),
        ("a turn with a floor", &turn, floor, bank(900), 0, true),
        ("a call", &call, document, fixed(2000), 0, false),
        ("a call", &call, standard, bank(5000), 800, false),
        ("a result", &over, document, fixed(15_000), 0, true),
        ("a result", &over, standard, fixed(15_000), 0, true),
    ] {
        let ask = Served::of(play, pace).ask();
        assert_eq!((ask.clock, ask.min_ms, ask.public), (clock, least, public), "{what}");
    }
}

/// A game starts with its bank and the first round's bonus; every round adds one. Cites 003-25.
#[test]
fn every_round_adds_to_the_banks() {
    for (profile, start, round, cap) in
        [("document", 3000, 2000, u32::MAX), ("standard", 20_000, 10_000, 60_000)]
    {
        let settings = TableSettings::read(&json!({"profile": profile})).expect("right");
        let mut ear = Ear::default();
        let setup = parlor_core::Setup { settings: &settings, seats: 4, carry: None, seated: &[None; 4] };
        let game = Riichi::start(setup, &mut Rng::fast(3), &mut ear).expect("it starts");
        assert_eq!(ear.bonuses, [(start, cap), (round, cap)], "{profile}");
        let mut served = Served { game, ear: Ear::default(), rng: Rng::fast(3) };
        while !matches!(served.game.table().phase(), Phase::RoundEnd { .. }) {
            served.elapse(None);
        }
        assert_eq!(served.ear.bonuses, []);
        served.elapse(None);
        assert_eq!(served.ear.bonuses, [(round, cap)], "{profile}");
    }
}

/// Under a least time a window stands after every discard, and nobody hears whether it was empty. Cites 003/R19.
#[test]
fn a_window_stands_whether_or_not_anybody_may_call() {
    // One can call 5m, and nobody 9s.
    let hands = ["147m258p369s1234z", "147m258p369s1235z", "55m123789p1122z3z", "369m147p258s567z7z"];
    let play = Scene::new(Settings::ronin()).hands(hands).draws("5m").start();
    let mut heard = Vec::new();
    for (text, callers) in [("5m", 1), ("9s", 0)] {
        let mut served = Served::of(&play, Pace::standard());
        let own = play.table.player(crate::scene::seat(0)).tiles();
        let thrown = own.iter().find(|tile| tile.to_string() == text).expect("seat 0 holds it");
        served.answer(0, Action::Discard(thrown));
        assert!(matches!(served.game.table().phase(), Phase::Window(_)), "{text}");
        assert_eq!(served.ask().seats.len(), callers, "{text}");
        for seat in served.ask().seats.iter().collect::<Vec<_>>() {
            served.answer(seat.index() as u8, Action::Pass);
            assert_eq!(served.hearers(), Seats::only(seat), "a pass is heard by nobody else");
        }
        assert!(served.ask().seats.is_empty());
        served.elapse(None);
        heard.push(json!(served.game.view(Viewer::Gallery).table.phase));
    }
    assert_eq!(heard[0], heard[1]);
    let mut served = Served::of(&play, Pace::document());
    let thrown = tile(&play, 0);
    served.answer(0, Action::Discard(thrown));
    served.answer(2, Action::Pass);
    assert!(
        matches!(served.game.table().phase(), Phase::Turn { .. }),
        "the document's window has no least time"
    );
}

fn in_riichi() -> Play {
    let scene = Scene::new(Settings::ronin()).hands(["123456m123p11s78s", "", "", ""]).draws("1z2z3z4z5z9s");
    scene.start().run("0 riichi 1z, 1 discard 2z, 2 discard 3z, 3 discard 4z")
}

/// A seat in riichi with nothing to decide holds its tile for a second and discards it; the document asks it. With a choice it
/// is asked, and its answer is kept until the second is over. Cites 003/R19.
#[test]
fn riichi_holds_a_tile_for_a_second() {
    let idle = in_riichi();
    let mut served = Served::of(&idle, Pace::standard());
    assert_eq!((served.ask().seats, served.ask().min_ms), (Seats::NONE, 1000));
    let drawn = tile(&idle, 0);
    served.elapse(None);
    assert_eq!(served.last_discard(), Some((0, drawn, true)));
    assert_eq!(Served::of(&idle, Pace::document()).ask().seats, Seats::only(Seat::new(0)));

    let winning = in_riichi().run("0 discard, 1 discard, 2 discard, 3 discard");
    let winning =
        if winning.table.turn_options(crate::scene::seat(0)).tsumo { winning } else { winning_tile() };
    let mut served = Served::of(&winning, Pace::standard());
    assert_eq!((served.ask().seats, served.ask().min_ms), (Seats::only(Seat::new(0)), 1000));
    assert!(!served.ask().public, "that it thinks is its own business");
    served.answer(0, Action::Discard(tile(&winning, 0)));
    assert_eq!(served.hearers(), Seats::only(Seat::new(0)));
    assert!(served.ask().seats.is_empty(), "it has answered");
    served.elapse(None);
    assert_eq!(served.last_discard(), Some((0, tile(&winning, 0), true)));
}

/// While the table holds a seat's tile nobody is shown a turn to answer, the seat itself only what it can still decide.
/// Cites 003/R19.
#[test]
fn a_held_tile_is_no_turn_to_answer() {
    let own_turn = |game: &Riichi| game.view(Viewer::Seat(Seat::new(0))).table.own.expect("a seat").turn;
    let idle = Riichi::resumed(in_riichi().table, Pace::standard());
    assert_eq!(own_turn(&idle), None, "nothing to decide");
    assert!(own_turn(&Riichi::resumed(in_riichi().table, Pace::document())).is_some(), "the document asks");
    let mut served = Served::of(&winning_tile(), Pace::standard());
    assert!(own_turn(&served.game).is_some_and(|turn| turn.tsumo), "a win to decide");
    served.answer(0, Action::Discard(tile(&winning_tile(), 0)));
    assert_eq!(own_turn(&served.game), None, "the answer is kept");
    for seat in 1..4 {
        let own = served.game.view(Viewer::Seat(Seat::new(seat))).table.own.expect("a seat");
        assert_eq!((own.turn, own.call), (None, None), "seat {seat}");
    }
}

/// The seat in riichi has drawn what it waits for.
fn winning_tile() -> Play {
    let scene = Scene::new(Settings::ronin()).hands(["123456m123p11s78s", "", "", ""]).draws("1z2z3z4z9s");
    scene.start().run("0 riichi 1z, 1 discard 2z, 2 discard 3z, 3 discard 4z")
}

/// Time runs out: the drawn tile goes, after a call the highest that may; a win is taken under `standard` alone.
/// Cites 003/R4, 003/R6.
#[test]
fn a_timeout_discards_or_wins() {
    let drawn = Scene::new(Settings::ronin()).start();
    let mut served = Served::of(&drawn, Pace::document());
    served.elapse(Some(0));
    assert_eq!(served.last_discard(), Some((0, tile(&drawn, 0), true)));

    let called = Scene::new(Settings::ronin())
        .hands(["", "", "55m123789p1122z6z", ""])
        .draws("5m")
        .start()
        .run("0 discard 5m, 2 pon");
    let mut served = Served::of(&called, Pace::standard());
    served.elapse(Some(2));
    assert_eq!(served.last_discard().map(|(seat, tile, _)| (seat, tile.to_string())), Some((2, "6z".into())));

    for (pace, wins) in [(Pace::document(), false), (Pace::standard(), true)] {
        let mut served = Served::of(&winning_tile(), pace);
        served.elapse(Some(0));
        assert_eq!(served.game.table().round_result().is_some(), wins, "a self-draw");
        let ron = Scene::new(Settings::ronin())
            .hands(["", "123456m123p11s78s", "", ""])
            .draws("1z1z9s")
            .start()
            .run("0 discard 1z, 1 riichi 1z, 2 discard 9s");
        let mut served = Served::of(&ron, pace);
        assert_eq!(served.ask().seats, Seats::only(Seat::new(1)));
        served.elapse(if wins { Some(1) } else { None });
        if wins {
            served.elapse(None);
        }
        assert_eq!(served.game.table().round_result().is_some(), wins, "a discard");
    }
}

/// One caller's time runs out, and the others keep theirs. Cites 003/R4.
#[test]
fn a_timeout_is_one_callers_own() {
    let hands = ["", "46m067p1239s1234z", "55m123789p1122z3z", ""];
    let play = Scene::new(Settings::ronin()).hands(hands).draws("5m").start().run("0 discard 5m");
    let mut served = Served::of(&play, Pace::standard());
    let both: Seats = [1, 2].into_iter().map(Seat::new).collect();
    assert_eq!(served.ask().seats, both);
    served.elapse(Some(1));
    assert_eq!(served.ask().seats, Seats::only(Seat::new(2)));
}

/// Only a tile that the seat held at no time in this hand is forged; what it has discarded, what kuikae forbids and what is out
/// of turn is not. Cites 003-19, 003/R11.
#[test]
fn only_what_no_honest_client_can_send_is_forged() {
    let play = Scene::new(Settings::ronin())
        .hands(["112346m123p1122s", "", "55m123789p1122z6z", ""])
        .draws("5m")
        .start()
        .run("0 discard 5m, 2 pon");
    let game = Riichi::resumed(play.table.clone(), Pace::document());
    let ask = game.open_asks()[0].id;
    let check = |seat: u8, answer: Answer| {
        let refusal = game.check(Seat::new(seat), ask, &TableAnswer::Named(answer)).expect_err("refused");
        (refusal.code().to_owned(), refusal.forged_by.map(Seat::index))
    };
    let named = |text: &str| TileName::Text(text.to_owned());
    assert_eq!(check(2, Answer::Discard(named("9m"))), ("invalid_discard".into(), Some(2)), "never held");
    assert_eq!(check(2, Answer::Discard(named("5m"))), ("invalid_discard".into(), None), "in its meld");
    let called = play.table.player(crate::scene::seat(0)).river()[0].tile;
    let by_id = TileName::Id(called.id().into());
    assert_eq!(check(2, Answer::Discard(by_id)), ("invalid_discard".into(), None), "the tile it called");
    assert_eq!(check(2, Answer::Tsumo), ("invalid_tsumo".into(), None));
    assert_eq!(check(0, Answer::Discard(named("9m"))), ("not_your_turn".into(), None), "out of turn");
    assert_eq!(check(2, Answer::Discard(TileName::Id(999))), ("validation_error".into(), None));
}

/// Waits with the tiles that are left and what they are worth; discards that keep tenpai; why a discard is forbidden.
#[test]
fn a_seat_is_told_what_its_hand_means() {
    let play = Scene::new(Settings::ronin()).hands(["123456m123p11s78s", "", "", ""]).draws("1z").start();
    let game = Riichi::resumed(play.table.clone(), Pace::standard());
    let hints = game.view(Viewer::Seat(Seat::new(0))).hints.expect("a seat has hints");
    assert_eq!(hints.shanten, 0, "with one discard it is tenpai");
    let far = Scene::new(Settings::ronin()).hands(["147m258p369s1234z", "", "", ""]).start();
    let far = Riichi::resumed(far.table, Pace::standard()).view(Viewer::Seat(Seat::new(0)));
    assert!(far.hints.is_some_and(|hints| hints.shanten >= 5), "nothing goes together");
    let waits: Vec<String> = hints.waits.iter().map(|wait| format!("{} {}", wait.kind, wait.left)).collect();
    assert_eq!(waits, ["6s 4", "9s 4"]);
    assert!(hints.waits.iter().all(|wait| wait.ron.is_some() && wait.tsumo.is_some()), "pinfu at least");
    let kept: Vec<(String, bool)> =
        hints.discards.iter().map(|discard| (discard.kind.to_string(), discard.riichi)).collect();
    assert_eq!(kept, [("1z".to_owned(), true)]);
    let worth = |worth: Option<Worth>| worth.map(|worth| (worth.han, worth.points));
    let six = hints.discards[0].waits[0];
    assert_eq!(
        (worth(six.ron), worth(six.riichi)),
        (Some((1, 1500)), Some((3, 5800))),
        "pinfu, double riichi"
    );
    assert_eq!(hints.waits[0].riichi, None, "riichi is declared with a discard");
    let later = play.run("0 discard, 1 discard, 2 discard, 3 discard").passed();
    let later = Riichi::resumed(later.table, Pace::standard()).view(Viewer::Seat(Seat::new(0)));
    let later = later.hints.expect("a seat has hints").discards;
    let later = later.iter().find(|discard| discard.riichi).expect("it may declare riichi");
    assert_eq!(worth(later.waits[0].riichi).map(|(han, _)| han), Some(2), "pinfu and riichi");
    assert_eq!(game.view(Viewer::Seat(Seat::new(1))).table.own.expect("own").tiles.len(), 13);
    assert!(game.view(Viewer::Gallery).hints.is_none());

    let open = Scene::new(Settings::ronin())
        .hands(["", "34m6m123789p1122z", "", ""])
        .draws("5m")
        .start()
        .run("0 discard 5m, 1 chi 34m");
    let game = Riichi::resumed(open.table.clone(), Pace::standard());
    let hints = game.view(Viewer::Seat(Seat::new(1))).hints.expect("a seat has hints");
    let kuikae: Vec<(String, KuikaeReason)> =
        hints.kuikae.iter().map(|kuikae| (kuikae.kind.to_string(), kuikae.reason)).collect();
    assert_eq!(kuikae, [("2m".to_owned(), KuikaeReason::OtherEnd), ("5m".to_owned(), KuikaeReason::Called)]);
    let request = game.request(Seat::new(1), AskId(1));
    let forbidden = request.choices.iter().filter(|choice| choice.why_not.is_some()).count();
    assert_eq!(forbidden, 0, "the hand has neither");

    let no_yaku = Scene::new(Settings::ronin())
        .hands(["", "", "55m123789p1199s2z", ""])
        .draws("5m")
        .start()
        .run("0 discard 5m, 2 pon, 2 discard 2z")
        .passed();
    let game = Riichi::resumed(no_yaku.table.clone(), Pace::standard());
    let hints = game.view(Viewer::Seat(Seat::new(2))).hints.expect("a seat has hints");
    assert!(
        !hints.waits.is_empty() && hints.waits.iter().all(|wait| wait.ron.is_none() && wait.tsumo.is_none())
    );
}

/// When a round is over there is nothing left to wait for.
#[test]
fn waits_are_gone_after_the_round() {
    let hints = |play: &Play| {
        let game = Riichi::resumed(play.table.clone(), Pace::standard());
        game.view(Viewer::Seat(Seat::new(1))).hints.expect("a seat has hints")
    };
    let scene = Scene::new(Settings::ronin()).hands(["", "56m234567p234s88s", "", ""]);
    let tenpai = scene.draws("7m1z").start().run("0 discard 7m, 1 pass");
    assert_eq!(hints(&tenpai).waits.len(), 2);
    assert!(!hints(&tenpai).discards.is_empty(), "its turn: discards that keep tenpai");
    let over = tenpai.exhaust();
    assert_eq!((over.draw_kind().as_str(), hints(&over).shanten), ("Exhaustive", 0));
    assert_eq!((hints(&over).waits.len(), hints(&over).discards.len()), (0, 0));
}

/// Whoever lets a win go by becomes furiten, and nobody else hears of it. Cites 003-5, 003-14.
#[test]
fn furiten_is_told_to_its_seat_alone() {
    let play = Scene::new(Settings::ronin()).hands(["", "56m234567p234s88s", "", ""]).draws("7m").start();
    let mut served = Served::of(&play, Pace::document());
    served.answer(0, Action::Discard(tile(&play, 0)));
    served.answer(1, Action::Pass);
    let told: Vec<&Seats> = (served.ear.told.iter())
        .filter(|(_, event)| matches!(event, TableEvent::Table(Event::Furiten { is_furiten: true, .. })))
        .map(|(to, _)| to)
        .collect();
    assert_eq!(told, [&Seats::only(Seat::new(1))]);
}

/// The same view and luck, the same answer; nothing else is asked. Cites 003-21, 003/R7.
#[test]
fn bots_are_functions_of_their_view_and_their_luck() {
    let play = Scene::new(Settings::ronin()).start();
    let game = Riichi::resumed(play.table.clone(), Pace::document());
    let (seat, ask) = (Seat::new(0), game.open_asks()[0].id);
    let mut legal = Vec::new();
    game.legal(seat, ask, &mut legal);
    for bot in Bot::ALL {
        for seed in 0..20 {
            let choose = || decide(bot, &game.view(seat.into()), &legal, &mut Rng::fast(seed));
            assert_eq!(choose(), choose());
            assert!(legal.contains(&choose()));
        }
    }
    let names: Vec<&str> = Riichi::BOTS.iter().map(|bot| bot.name).collect();
    assert_eq!(names, ["fair", "greedy", "random", "tsumogiri"]);
    assert!(names.iter().all(|name| Bot::from_name(name).is_some()));
}

/// Neither the rules nor what they tell know who is a bot. Cites 003-27, 003/R18.
#[test]
fn the_rules_do_not_know_who_is_a_bot() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/table");
    let mut read = 0;
    for file in std::fs::read_dir(folder).expect("the sources") {
        let path = file.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if ["state.rs", "event.rs", "player.rs", "window.rs", "play.rs", "finish.rs", "result.rs", "view.rs"]
            .contains(&name.as_str())
        {
            read += 1;
            let text = std::fs::read_to_string(&path).expect("text").to_lowercase();
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(!words.into_iter().any(|word| word == "bot" || word == "is_bot"), "{name}");
        }
    }
    assert_eq!(read, 8);
    let game = Riichi::resumed(Scene::new(Settings::ronin()).start().table, Pace::document());
    assert!(!serde_json::to_string(&game).expect("plain data").contains("bot"));
}

/// A match of the house is written in every notation, and read back it plays the same. Cites 003-10.
#[test]
fn a_match_of_the_house_can_be_exported() {
    let settings = json!({"preset": "tenhou", "game_type": "east", "enchousen": "none"});
    let match_ = random_match(Riichi::def(), &settings, 4, 4);
    let log = LogFile::of(&match_).write();
    let mut played = play_log(&log).expect("it plays");
    let written = |name: &str| write_notation(name, &log).map(|text| text.expect("it plays"));
    let (media, text) = written("tenhou6").expect("a notation");
    let files: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let heading = Heading::of_settings(&played.settings);
    let exported = played.run.rounds.iter().filter_map(|round| tenhou6::export_round(round, &heading));
    assert_eq!((media, files), ("application/x-ndjson", exported.collect()));
    let (_, lines) = written("mjai").expect("a notation");
    assert!(lines.ends_with("{\"type\":\"end_game\"}\n") && lines.lines().count() > 100);
    assert_eq!(written("phh"), None);
    assert!(write_notation("tenhou6", "no log").is_some_and(|text| text.is_err()));
    assert!(played.run.rounds.len() >= 4 && played.run.end.is_some());
    for round in &played.run.rounds {
        let file = tenhou6::export_round(round, &Heading::of_settings(&played.settings)).expect("it ended");
        let (standing, script) = tenhou6::import(&file).expect("it is read").remove(0);
        let again = play(played.settings, standing, &[script]).expect("it plays");
        assert_eq!(again.rounds[0].disagreements, Vec::<String>::new());
        assert_eq!(again.rounds[0].end_scores, round.end_scores);
    }
    let lines = mjai::export(&played.run, &seat_names());
    assert_eq!(mjai::import(&lines).expect("it is read").len(), played.run.rounds.len());
    // Furiten is one seat's own and in no record.
    let own = Event::Furiten { seat: crate::scene::seat(1), is_furiten: true };
    played.run.rounds[0].events.push(own);
    let events = dialect::record(&played.run, &seat_names());
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).collect::<Vec<&Json>>();
    assert_eq!(of("round_started").len(), played.run.rounds.len());
    for round in of("round_started") {
        for player in round["view"]["players"].as_array().expect("players") {
            assert_eq!(player["tiles"].as_array().map(Vec::len), Some(13), "all hands are open");
        }
        assert!(round["view"].get("my_tiles").is_none());
    }
    assert!(
        of("draw").iter().all(|draw| draw["tile_id"].is_u64() && draw.get("available_actions").is_none())
    );
    assert_eq!((of("furiten").len(), of("game_end").len()), (0, 1));
}

/// The same input, the same trace; a wall may be given; what the rules refuse is a step with its error. Cites 003-28.
#[test]
fn a_replay_is_the_same_every_time() {
    let actions = json!([
        {"seat": 0, "action": "discard", "data": {"tile_id": 135}},
        {"seat": 0, "action": "discard", "data": {"tile": "1m"}},
        {"seat": 0, "action": "discard", "data": {"tile_id": 0}},
    ]);
    let wall: Vec<u8> = (0..136).collect();
    let input = json!({
        "schema_version": 1, "seed": 7, "names": ["A", "B", "C", "D"], "bots": [1, 2, 3], "actions": actions,
        "wall": wall,
    });
    let trace = replay::trace(&input).expect("it plays");
    assert_eq!(trace, replay::trace(&input).expect("it plays"));
    let steps = trace["steps"].as_array().expect("steps");
    assert_eq!(steps[0]["error"]["code"], "invalid_discard");
    assert_eq!(steps[0]["state_before"], steps[0]["state_after"], "a refusal changes nothing");
    assert_eq!(steps[1].get("error"), None);
    assert_ne!(steps[1]["state_before"], steps[1]["state_after"]);
    assert_eq!(steps[2]["bot"], true, "bots follow a person's action");
    assert_eq!(steps.last().expect("a step")["state_after"], trace["final_state"]);
    let other =
        replay::trace(&json!({"schema_version": 1, "seed": 8, "names": ["A", "B", "C", "D"], "actions": []}));
    let other = other.expect("it plays");
    let seven =
        replay::trace(&json!({"schema_version": 1, "seed": 7, "names": ["A", "B", "C", "D"], "actions": []}));
    assert_ne!(other["final_state"], seven.expect("it plays")["final_state"], "the wall is the seed's");
    assert!(
        replay::trace(&json!({"schema_version": 2, "seed": 8, "names": ["A", "B", "C", "D"], "actions": []}))
            .is_err()
    );
}

/// What is in the way of a whole hanchan of bots through the contract of the house: nothing.
#[test]
fn bots_play_whole_games_through_the_house() {
    for (n, profile) in ["document", "standard"].into_iter().enumerate() {
        let settings = TableSettings::read(&json!({"profile": profile, "game_type": "east"})).expect("right");
        let setup = parlor_core::Setup { settings: &settings, seats: 4, carry: None, seated: &[None; 4] };
        let mut rng = Rng::fast(n as u64);
        let game = Riichi::start(setup, &mut rng, &mut NoOutput).expect("it starts");
        let (game, inputs) = parlor_core::sim::playout(game, true, &mut rng, &mut Vec::new());
        let outcome = game.outcome().expect("it ends");
        assert_eq!(outcome.places.len(), 4);
        assert!(!outcome.winners.is_empty() && inputs > 200, "{profile}: {inputs} inputs");
    }
}
