//! Loops of an ask with mode `any`: everybody answers in secret and at their own pace, and nobody notices the others.

use std::sync::Arc;

use parlor_core::{Applied, AskKind, Body, By, GameDef, Header, Json, Match, Seat, Seed, TimeLimit};
use parlor_ruleset::{Program, compile, game_def};
use serde_json::{Value, json};

use crate::cases::case;

fn match_of(program: Arc<Program>, name: &str, seats: u8) -> Match {
    let def: GameDef = game_def(program, name);
    let header = Header::seeded(&def, seats, Json::Null, Seed::from_text("any"));
    Match::start(def, header).expect("it starts").0
}

/// A seat answers what it is asked, or drafts an answer.
fn said(play: &mut Match, seat: u8, kind: AskKind, selection: &Value) -> Applied {
    let seat = Seat::new(seat);
    let open = *play.open_requests(seat).iter().find(|open| open.kind == kind).expect("the seat is asked");
    let title = play.request(seat, open.ask).title;
    let body = Body::Answer { seat, ask: open.ask, answer: json!({"title": title, "selection": selection}) };
    play.apply(0, By::Human, None, body).expect("it is taken")
}

/// All that a seat's clients know of their question: its ids, its text, its clock, and the head.
fn stands(play: &Match, seat: u8) -> Json {
    let seat = Seat::new(seat);
    let clock = |ask| {
        let asks = play.open_asks();
        let ask = asks.iter().find(|open| open.id == ask).expect("it is open");
        (
            ask.id.0,
            match ask.clock {
                TimeLimit::Fixed { ms } => ms,
                _ => 0,
            },
        )
    };
    let requests: Vec<Json> = play
        .open_requests(seat)
        .iter()
        .map(|open| json!([open.input, clock(open.ask), play.request(seat, open.ask)]))
        .collect();
    json!([requests, play.head(seat.into()), play.view(seat.into())])
}

fn hears(applied: &Applied, seat: u8) -> bool {
    let seat = Seat::new(seat);
    applied.requests_changed.has(seat) || applied.events.iter().any(|(to, _)| to.has(seat))
}

/// The other seat's question stays word for word: its ids, its clock and its head stay, and nothing is sent to it.
/// Cites 000/R2, 000/R4, 001-10.
#[test]
fn in_a_loop_of_any_the_others_notice_nothing() {
    let mut play = match_of(case("any-loop-leak"), "any-loop", 2);
    let before = stands(&play, 1);
    let mine = play.open_requests(Seat::new(0))[0];
    for card in ["Ant", "Bee", "Ant"] {
        let applied = said(&mut play, 0, AskKind::Request, &json!([card]));
        assert!(!hears(&applied, 1), "seat 1 is told of it: {:?}", applied.events);
        assert_eq!(stands(&play, 1), before, "the question of seat 1 has changed");
    }
    let again = play.open_requests(Seat::new(0))[0];
    assert_eq!(again.ask, mine.ask, "one deadline for the whole loop");
    assert_ne!(again.input, mine.input, "what was answered is not what is asked now");
    // Done in secret, too: whether anybody else is left does not show in the clock.
    let applied = said(&mut play, 0, AskKind::Request, &json!([]));
    assert!(!hears(&applied, 1), "seat 1 is told of it: {:?}", applied.events);
    assert_eq!(stands(&play, 1), before, "the question of seat 1 has changed");
    let mine = play.open_requests(Seat::new(1))[0];
    said(&mut play, 1, AskKind::Request, &json!(["Bee"]));
    assert_eq!(
        play.open_requests(Seat::new(1))[0].ask,
        mine.ask,
        "the last one is asked under the same clock"
    );
    said(&mut play, 1, AskKind::Request, &json!([]));
    assert!(play.outcome().is_some(), "everybody is done");
}

/// A loop with three seats and drafts, in which the answer of seat 0 opens more choices to seat 2, in secret.
fn hints() -> Arc<Program> {
    let ruleset = json!({
        "ir": "parlor-ir/1", "id": "hints", "name": "Hints", "author": "test", "players": {"min": 3, "max": 3},
        "vars": {"open": {"owner": "player", "type": "bool", "visible": "owner"}},
        "zones": {"hand": {"owner": "player", "see": "owner"}},
        "cards": {"ant": {"title": "Ant"}, "bee": {"title": "Bee"}},
        "setup": [{"forEach": {"seats": "all", "as": "p", "do": [
            {"create": {"cards": ["ant", "bee"], "to": {"zone": ["hand", "p"]}}}]}}],
        "flow": [{"loop": {"max": 20, "do": [
            {"ask": {"id": "hint", "mode": "any", "who": "all", "auto": false, "drafts": true, "prompt": "Hint", "as": "h",
                "pick": {"from": {"zones": ["hand"], "of": "asked"}, "min": 0, "max": 1,
                    "where": {"or": [{"var": ["asked", "open"]}, {"isCard": ["it", "bee"]}]}},
                "timeout": {"ms": 9000, "default": "pass"}}},
            {"if": [{"touched": ["h", {"seat": 0}]}, [{"set": {"var": [{"seat": 2}, "open"], "to": true}}]]}
        ]}}],
        "end": {"rank": {"by": 1}}
    });
    Arc::new(compile(&ruleset.to_string()).unwrap_or_else(|findings| panic!("{findings:#?}")).program)
}

/// Where one seat's question changes, the others keep theirs with what they have drafted.
#[test]
fn a_seat_keeps_its_question_and_its_draft_while_anothers_changes() {
    let mut play = match_of(hints(), "hints", 3);
    said(&mut play, 1, AskKind::Draft, &json!(["Bee"]));
    let (one, two) = (stands(&play, 1), stands(&play, 2));
    let applied = said(&mut play, 0, AskKind::Request, &json!(["Bee"]));
    assert!(!hears(&applied, 1), "seat 1 is told of it: {:?}", applied.events);
    assert_eq!(stands(&play, 1), one, "the question of seat 1 has changed");
    assert_ne!(stands(&play, 2), two, "seat 2 has another choice");
    assert!(hears(&applied, 2), "and is told");
    // Under two numbers now.
    let (header, records) = (play.header().clone(), play.records());
    let again = Match::replay(*play.def(), header, records).expect("it replays");
    assert_eq!(stands(&again, 1), one, "a match that is read again asks the same");
    said(&mut play, 2, AskKind::Request, &json!([]));
    assert_eq!(stands(&play, 1), one, "the question of seat 1 has changed");
    let mine = stands(&play, 1)[2]["answer"].clone();
    assert_eq!(mine["said"][0]["card"], "bee", "its draft stays: {mine}");
}

/// A saved state has the older numbers of the open question in it.
#[test]
fn a_state_that_was_saved_asks_under_the_same_numbers() {
    use parlor_core::{DynGame, Rng};
    use parlor_ruleset::RulesetGame;
    use parlor_ruleset::internals::Sink;
    let program = hints();
    let mut game = RulesetGame::start(program.clone(), Vec::new(), 3, &mut Rng::fast(1), &mut Sink::silent());
    crate::harness::say(&mut game, Seat::new(0), &json!(["Bee"]));
    assert!(game.open_asks().len() > 2, "two numbers with their drafts: {:?}", game.open_asks());
    let loaded = RulesetGame::load(program, &game.state()).expect("it is a state");
    assert_eq!(loaded.open_asks(), game.open_asks());
    assert_eq!(loaded.state(), game.state());
}

/// The first edition asked everybody anew with each answer: what is compared above finds that.
#[test]
fn the_first_edition_told_the_others() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/any-loop-leak.json");
    let mut ruleset: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the case")).expect("JSON");
    ruleset["edition"] = json!(1);
    let program = compile(&ruleset.to_string()).unwrap_or_else(|findings| panic!("{findings:#?}")).program;
    let mut play = match_of(Arc::new(program), "any-loop-first", 2);
    let before = stands(&play, 1);
    let applied = said(&mut play, 0, AskKind::Request, &json!(["Ant"]));
    assert!(hears(&applied, 1), "its question has another number");
    assert_ne!(stands(&play, 1), before);
}
