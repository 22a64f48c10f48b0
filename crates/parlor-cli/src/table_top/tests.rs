//! Tests what oxo does not have: waits, clocks, free answers, nested choices, offers, and several seats asked at once.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::{SyncSender, sync_channel};

use parlor_core::ask::one;
use parlor_core::{
    Ask, AskId, Asks, Choice, Game, Input, Outcome, Output, Refusal, Response, Rng, Seats, Selector, Setup,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::*;

const WAIT: u8 = 0;
const PACK: u8 = 1;
const SPEAK: u8 = 2;
const TOGETHER: u8 = 3;
const HURRY: u8 = 4;
const OVER: u8 = 5;

/// A game for two that asks every kind of request in turn.
#[derive(Clone, Serialize, Deserialize)]
struct Journey {
    stage: u8,
    open: Seats,
    pace: Pace,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "type")]
enum Event {
    Waited,
    Said { seat: Seat, what: Json },
    Waved { seat: Seat },
    Late,
}

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Pace {
    wait_ms: u32,
    hurry_ms: u32,
}

impl Journey {
    fn go_on(&mut self) {
        self.stage += 1;
        self.open = if self.stage == TOGETHER { Seats::first(2) } else { Seats::only(Seat::new(0)) };
    }
}

impl Game for Journey {
    const NAME: &'static str = "journey";
    const TITLE: &'static str = "Journey";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);

    type Settings = Pace;
    type Answer = Response;
    type Move = Response;
    type Event = Event;
    type Carry = ();
    type View<'a> = u8;

    fn start(setup: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<Event>) -> Result<Self, Refusal> {
        Ok(Self { stage: WAIT, open: Seats::NONE, pace: setup.settings.clone() })
    }

    fn open_asks(&self) -> Asks {
        let mut asks = match self.stage {
            WAIT => one(Ask::wait(0, self.pace.wait_ms)),
            OVER => return Asks::new(),
            HURRY => one(Ask::turn(HURRY.into(), Seat::new(0)).within(self.pace.hurry_ms)),
            stage => one(Ask::request(stage.into(), self.open)),
        };
        if self.stage == TOGETHER {
            asks.push(Ask::offer(99, Seats::only(Seat::new(0))));
        }
        asks
    }

    fn legal(&self, seat: Seat, ask: AskId, moves: &mut Vec<Response>) {
        moves.push(self.request(seat, ask).to_answer(&[0]));
    }

    fn check(&self, seat: Seat, ask: AskId, answer: &Response) -> Result<Response, Refusal> {
        self.request(seat, ask).validate(answer).map(|_| answer.clone())
    }

    fn to_answer(&self, _: Seat, _: AskId, mv: &Response) -> Response {
        mv.clone()
    }

    fn apply(&mut self, input: Input<Response>, _: &mut Rng, out: &mut impl Output<Event>) {
        match input {
            Input::Answer { seat, ask: AskId(99), .. } => out.emit(Seats::ALL, Event::Waved { seat }),
            Input::Answer { seat, mv, .. } => {
                out.emit(Seats::ALL, Event::Said { seat, what: mv.selection });
                self.open = self.open.without(seat);
                if self.open.is_empty() {
                    self.go_on();
                }
            }
            Input::Elapsed { .. } => {
                out.emit(Seats::ALL, if self.stage == WAIT { Event::Waited } else { Event::Late });
                self.go_on();
            }
            Input::Visit(_) => {}
        }
    }

    fn request(&self, _: Seat, ask: AskId) -> Selector {
        let pack = || {
            let bag = Choice::new("bag").nest(vec!["book".into(), "bread".into()], 1, 2);
            Selector::pick("Pack", vec![bag, "stick".into()]).between(1, 2)
        };
        match u8::try_from(ask.0) {
            Ok(PACK) => pack(),
            Ok(SPEAK) => Selector::action("Speak"),
            Ok(99) => Selector::pick("Wave", vec!["wave".into()]),
            _ => Selector::pick("Set out", vec!["left".into(), "right".into()]),
        }
    }

    fn view(&self, _: Viewer) -> u8 {
        self.stage
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stage == OVER).then(|| Outcome::draw(2, "home again"))
    }
}

/// The output, for the test to read.
#[derive(Clone, Default)]
struct Paper(Rc<RefCell<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A table with these lines piped to it. The pipe stays open as long as the sender lives.
fn open(people: &[u8], fast: bool, lines: &[&str]) -> (TableTop, Paper, SyncSender<String>) {
    let (sender, receiver) = sync_channel(lines.len() + 1);
    for line in lines {
        sender.send((*line).to_owned()).expect("there is room for every line");
    }
    let plan = Plan {
        def: GameDef::for_game::<Journey>(),
        seats: 2,
        people: people.iter().copied().collect(),
        seed: Seed::from_text("journey"),
        seeded: true,
        settings: if fast {
            json!({"wait_ms": 3_600_000, "hurry_ms": 1000})
        } else {
            json!({"wait_ms": 5, "hurry_ms": 20})
        },
        record: None,
        fast,
        json: false,
    };
    let paper = Paper::default();
    let top =
        TableTop::open(plan, Keyboard::new(receiver, false), Box::new(paper.clone())).expect("it opens");
    (top, paper, sender)
}

/// The whole output in virtual time, until the lines are used up.
fn evening(people: &[u8], lines: &[&str]) -> String {
    let (top, paper, sender) = open(people, true, lines);
    drop(sender);
    top.run().expect("a quiet evening");
    String::from_utf8(paper.0.take()).expect("text")
}

#[test]
fn a_wait_is_jumped_over_and_every_kind_of_request_is_answered() {
    let shown = evening(&[0], &["1.2 1.1 stick", "2, bag > bread", "hello there", "left", "right"]);
    assert!(shown.contains("· waited\n"), "{shown}");
    assert!(shown.contains("Pack (pick 1 to 2)\n  1) bag (inside: pick 1 to 2)\n    1.1) book"), "{shown}");
    assert!(shown.contains("  - Selection 1.2 1.1 stick didn't exist in the choices\n"), "{shown}");
    assert!(shown.contains("· Player: said, what stick (selection bread, title bag)\n"), "{shown}");
    assert!(shown.contains("Speak (answer with text or JSON)\n> hello there\n"), "{shown}");
    assert!(shown.contains("· Player: said, what hello there\n"), "{shown}");
    assert!(shown.contains("· Bot 1: said, what left\n"), "{shown}");
    assert!(shown.ends_with("Game ended in a draw — home again\n"), "{shown}");
}

#[test]
fn an_offer_stands_beside_a_request_and_is_taken_by_turning_to_it() {
    let shown = evening(&[0], &["2", "hi", "o", "wave", "left"]);
    assert!(shown.contains("  o) show the next request (1 more)\n"), "{shown}");
    assert!(shown.contains("Wave (pick one)\n"), "{shown}");
    assert!(shown.contains("· Player: waved\n"), "{shown}");
}

#[test]
fn two_at_one_terminal_are_asked_in_turn_and_each_reads_all_the_news() {
    let shown = evening(&[0, 1], &["2", "hi", "left", "right"]);
    let (_, second) = shown.split_once("── Player 1 ──").expect("the second is asked");
    assert!(second.contains("Set out (pick one)"), "{second}");
    let before = shown.len() - second.len();
    assert!(shown[..before].contains("· Player 0: said, what left\n"), "{shown}");
}

#[test]
fn in_virtual_time_no_clock_runs_out_on_a_person() {
    let shown = evening(&[0], &["2", "hi", "left", "right"]);
    assert!(!shown.contains("late"), "{shown}");
}

#[test]
fn in_real_time_a_clock_runs_out_on_a_silent_person() {
    let (top, paper, still_open) = open(&[0], false, &["2", "hi", "left"]);
    top.run().expect("the match ends by itself");
    drop(still_open);
    let shown = String::from_utf8(paper.0.take()).expect("text");
    assert!(shown.contains("· waited\n") && shown.contains("· late\n"), "{shown}");
    assert!(shown.ends_with("Game ended in a draw — home again\n"), "{shown}");
}
