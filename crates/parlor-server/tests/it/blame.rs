//! Bad data that shows only when it is used: its sender is expelled then, and nobody else.

use parlor_core::ask::one;
use parlor_core::{
    Ask, AskId, Asks, Game, Input, Json, Outcome, Output, Refusal, Rng, Seat, Seats, Selector, Setup, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Client, House};

const ROUNDS: u32 = 2;
const HIGHEST: u8 = 6;

/// `claims`: both players send a number face down. A number is looked at when both are there, and not before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Claims {
    round: u32,
    claims: [Option<u8>; 2],
    points: [i64; 2],
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Claim {
    number: u8,
}

impl Claims {
    fn waits_for(&self) -> Seats {
        Seats::first(2).iter().filter(|seat| self.claims[seat.index()].is_none()).collect()
    }

    fn resolve(&mut self, out: &mut impl Output<Json>) {
        for seat in Seats::first(2).iter() {
            let claim = self.claims[seat.index()].take().unwrap_or_default();
            if claim > HIGHEST {
                out.blame(seat, "forged_claim");
            } else {
                self.points[seat.index()] += i64::from(claim);
            }
        }
        self.round += 1;
        out.emit(Seats::ALL, json!({"type": "resolved", "round": self.round, "points": self.points}));
    }
}

impl Game for Claims {
    const NAME: &'static str = "claims";
    const TITLE: &'static str = "Claims (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    type Settings = ();
    type Answer = Claim;
    type Move = u8;
    type Event = Json;
    type Carry = ();
    type View<'a> = Json;

    fn start(_: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<Json>) -> Result<Self, Refusal> {
        Ok(Self::default())
    }

    fn open_asks(&self) -> Asks {
        if self.round == ROUNDS { Asks::new() } else { one(Ask::request(self.round, self.waits_for())) }
    }

    fn legal(&self, _: Seat, _: AskId, moves: &mut Vec<u8>) {
        moves.extend(1..=HIGHEST);
    }

    fn check(&self, _: Seat, _: AskId, answer: &Claim) -> Result<u8, Refusal> {
        Ok(answer.number)
    }

    fn to_answer(&self, _: Seat, _: AskId, number: &u8) -> Claim {
        Claim { number: *number }
    }

    fn apply(&mut self, input: Input<u8>, _: &mut Rng, out: &mut impl Output<Json>) {
        if let Input::Answer { seat, mv, .. } = input {
            self.claims[seat.index()] = Some(mv);
            if self.waits_for() == Seats::NONE {
                self.resolve(out);
            }
        }
    }

    fn request(&self, _: Seat, _: AskId) -> Selector {
        Selector::action("Claim a number")
    }

    fn view(&self, _: Viewer) -> Json {
        json!({"round": self.round, "points": self.points})
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.round == ROUNDS).then(|| Outcome::ranked(&self.points, "points"))
    }
}

async fn claim(client: &mut Client, number: u8) {
    client.answer(json!({"number": number})).await;
    client.until("accepted").await;
}

/// The first claim is forged, and shows as such when the second arrives: the one who sent it is expelled, not the one
/// whose answer brought it to light. Cites 003-19, 003/R11.
#[tokio::test(flavor = "multi_thread")]
async fn what_shows_at_the_resolution_is_blamed_on_its_sender() {
    let house = House::open().await;
    let [mut forger, mut honest] = house.pair("c", "claims").await;
    claim(&mut forger, 200).await;
    claim(&mut honest, 5).await;
    assert_eq!(forger.until_closed().await, Some((1008, "forged".to_owned())));
    // The bot has the seat and plays the second round; the honest player has theirs.
    claim(&mut honest, 4).await;
    while !honest.heard.iter().any(|message| message.get("over").is_some()) {
        honest.next().await.expect("the match goes on");
    }
    let (_, seen) = house.rest("GET", "/matches/c", None, None).await;
    let is_bot: Vec<&Json> =
        seen["seats"].as_array().expect("seats").iter().map(|seat| &seat["isBot"]).collect();
    assert_eq!(is_bot, [&json!(true), &json!(false)], "{seen}");
    let points = seen["snapshot"]["view"]["points"].as_array().expect("points");
    assert_eq!(points[1], 5 + 4, "{seen}");
    assert!(
        points[0].as_i64().is_some_and(|points| (1..=6).contains(&points)),
        "what the bot claimed: {seen}"
    );
    house.server.stop().await;
}
