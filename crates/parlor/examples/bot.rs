//! A bot for a game that you did not write: it sees what its seat sees, and picks from what it is asked.
//!
//! It plays hearts against three players who pick at random, and must take fewer points than they do.

use parlor::script::Script;
use parlor::{Body, By, Header, Json, Match, Rng, Seat, Seed, Selector, Viewer};
use parlor_hearts::Hearts;

const MATCHES: u32 = 40;
const ME: Seat = Seat::new(0);

pub(crate) fn main() {
    let mut points = [0; 4];
    for number in 0..MATCHES {
        let deal = play(&Seed::from_text(&format!("deal {number}")), u64::from(number));
        points = std::array::from_fn(|seat| points[seat] + deal[seat]);
    }
    println!("points after {MATCHES} deals: {points:?}; seat 0 is the bot");
    let others = points[1..].iter().sum::<u64>() / 3;
    assert!(points[0] < others, "a low card is worth more than a random one");
}

/// Plays one deal and returns the points of each seat.
fn play(seed: &Seed, number: u64) -> [u64; 4] {
    let def = Hearts::def();
    let header = Header::seeded(&def, 4, serde_json::json!({"until": 0}), seed.clone());
    let (mut hearts, _) = Match::start(def, header).expect("four can play one deal");
    let mut rng = Rng::fast(number);
    while hearts.outcome().is_none() {
        let ask = hearts.open_asks()[0];
        let seat = ask.seats.iter().next().expect("hearts asks players");
        let answer = if seat == ME {
            decide(&hearts.view(Viewer::Seat(ME)), &hearts.request(ME, ask.id))
        } else {
            hearts.sample(seat, ask.id, &mut rng).expect("there is a legal answer")
        };
        hearts.apply(0, By::Bot, None, Body::Answer { seat, ask: ask.id, answer }).expect("it is legal");
    }
    let scores = &hearts.view(Viewer::Gallery)["scores"];
    std::array::from_fn(|seat| scores[seat].as_u64().expect("every seat has a score"))
}

/// Passes its highest cards, and plays its lowest.
fn decide(view: &Json, request: &Selector) -> Json {
    let rank = |card: &str| "23456789TJQKA".find(|rank| card.starts_with(rank));
    let mut legal: Vec<usize> =
        (0..request.choices.len()).filter(|n| request.choices[*n].why_not.is_none()).collect();
    legal.sort_by_key(|n| rank(&request.choices[*n].title));
    if view["passing"] == true {
        legal.reverse();
    }
    legal.truncate(request.bounds.among(request.choices.len()).0);
    serde_json::to_value(request.to_answer(&legal)).expect("an answer is plain data")
}
