//! A game of your own, played in this process: no server, no clock, no thread.
//!
//! Nim: players take one to three matches from a heap, and whoever takes the last one wins. The rules are a script. The
//! log is the whole match: replaying it gives the same one.

use parlor::script::{Interrupt, Next, Pick, Script, Table};
use parlor::{Body, By, Header, Match, Outcome, Refusal, Response, Rng, Seat, Seats, Seed, Viewer};
use serde::{Deserialize, Serialize};

/// The whole state.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Nim {
    left: u32,
    turn: u8,
}

/// What everybody sees: nothing is hidden in this game.
#[derive(Serialize)]
struct View {
    left: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "type")]
enum Event {
    Took { seat: Seat, matches: u32 },
}

impl Script for Nim {
    const NAME: &'static str = "nim";
    const TITLE: &'static str = "Nim";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    type Settings = ();
    type View<'a> = View;

    fn setup((): &(), _: u8) -> Result<Self, Refusal> {
        Ok(Self { left: 21, turn: 0 })
    }

    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        let seat = Seat::new(t.game.turn % 2);
        let pick =
            |game: &Self| Pick::one("How many do you take?", (1..=3.min(game.left)).collect::<Vec<u32>>());
        let matches = t.single(seat, pick).await?;
        t.game.left -= matches;
        t.game.turn += 1;
        t.out.emit_all(Event::Took { seat, matches });
        if t.game.left > 0 {
            return Ok(Next::Again);
        }
        Ok(Next::Over(Outcome::win(Seats::only(seat), 2, "took the last match")))
    }

    fn view(&self, _: Viewer) -> View {
        View { left: self.left }
    }
}

pub(crate) fn main() {
    let def = Nim::def();
    let header = Header::seeded(&def, 2, serde_json::json!(null), Seed::from_text("an example"));
    let (mut nim, _) = Match::start(def, header).expect("two can play Nim");
    let mut rng = Rng::fast(7);
    while nim.outcome().is_none() {
        let ask = nim.open_asks()[0];
        let seat = ask.seats.iter().next().expect("Nim asks players");
        let left = nim.view(Viewer::Gallery)["left"].as_u64().expect("the heap is public");
        // The first player knows how to win: leave a multiple of four.
        let answer = match (seat.index(), left % 4) {
            (0, rest @ 1..) => {
                serde_json::to_value(Response::picks("How many do you take?", [rest.to_string()]))
                    .expect("an answer is plain data")
            }
            _ => nim.sample(seat, ask.id, &mut rng).expect("there is a legal answer"),
        };
        println!("{left:2} left; seat {} answers {}", seat.index(), answer["selection"]);
        nim.apply(0, By::Human, None, Body::Answer { seat, ask: ask.id, answer }).expect("it is legal");
    }
    let outcome = nim.outcome().expect("the loop ran until there was one");
    println!("{outcome:?}");
    assert_eq!(outcome, &Outcome::win(Seats::only(Seat::new(0)), 2, "took the last match"));

    let again = Match::replay(def, nim.header().clone(), nim.records()).expect("its log is whole");
    assert_eq!(again.digest(), nim.digest());
}
