//! Highest: everybody gets a card and may swap it twice; then all are laid open, and the highest wins.

use parlor_core::{Facts, GameDef, Outcome, Refusal, Rng, Seat, Seats, Viewer};
use parlor_script::{Cards, CheckedAnswer, Interrupt, Next, Offer, Script, Sight, Table, Zone};
use serde::{Deserialize, Serialize};

const DECK: Zone = Zone(0);
const SWAP: &str = "Swap your card?";

fn hand(seat: Seat) -> Zone {
    Zone(1 + seat.index() as u8)
}

/// The whole state. What is hidden lies in `cards`, which knows who was shown what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    cards: Cards,
    /// What each seat decided last.
    swapped: Vec<Option<bool>>,
}

/// What happened. A view changes only together with an event that the viewer is told.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "type")]
enum Event {
    Dealt,
    Swapped { seat: Seat, swapped: bool },
    Open,
}

/// What one viewer sees, by naming what is shown.
#[derive(Serialize)]
pub struct View {
    /// The card before each seat, where the viewer knows it.
    cards: Vec<Option<u16>>,
    /// What each seat decided last.
    swapped: Vec<Option<bool>>,
    /// The viewer's own card.
    mine: Option<u16>,
}

impl Script for Game {
    const NAME: &'static str = "highest";
    const TITLE: &'static str = "Highest";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 4);

    type Settings = ();
    type View<'a> = View;

    fn setup((): &(), seats: u8) -> Result<Self, Refusal> {
        let mut sights = vec![Sight::Hidden];
        sights.extend((0..seats).map(|seat| Sight::Private(Seat::new(seat))));
        Ok(Self { cards: Cards::new(1..=13, &sights), swapped: vec![None; seats.into()] })
    }

    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        deal(t);
        for _ in 0..2 {
            for seat in t.everybody().iter() {
                let swap = t.choose_yes_no(seat, SWAP).await?;
                decide(t, seat, swap);
            }
        }
        Ok(lay_open(t))
    }

    fn view(&self, viewer: Viewer) -> View {
        let seats = || (0..self.swapped.len() as u8).map(Seat::new);
        let card = |seat: Seat| self.cards.faces(hand(seat), viewer).next().flatten();
        View {
            cards: seats().map(card).collect(),
            swapped: self.swapped.clone(),
            mine: viewer.seat().and_then(card),
        }
    }

    fn bot(_: &View, _: &Offer<'_>, _: &mut Rng) -> Option<CheckedAnswer> {
        None
    }

    fn resample(&mut self, viewers: Seats, rng: &mut Rng) -> bool {
        self.cards.resample(viewers, rng);
        true
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        self.cards.known_facts(viewer, facts);
    }
}

fn deal(t: &mut Table<Game>) {
    t.game.cards.gather(DECK);
    t.game.cards.shuffle(DECK, &mut t.rng);
    for seat in t.everybody().iter() {
        t.game.cards.draw(DECK, hand(seat), &mut t.out);
    }
    t.out.emit_all(Event::Dealt);
}

fn decide(t: &mut Table<Game>, seat: Seat, swapped: bool) {
    if let (true, Some(old)) = (swapped, t.game.cards.top(hand(seat))) {
        t.game.cards.put_under(old, DECK, &mut t.out);
        t.game.cards.draw(DECK, hand(seat), &mut t.out);
    }
    t.game.swapped[seat.index()] = Some(swapped);
    t.out.emit_all(Event::Swapped { seat, swapped });
}

fn lay_open(t: &mut Table<Game>) -> Next {
    let mut scores = Vec::new();
    for seat in t.everybody().iter() {
        let card = t.game.cards.top(hand(seat)).expect("everybody has a card");
        t.game.cards.reveal(card, &mut t.out);
        scores.push(i64::from(t.game.cards.truth(card)));
    }
    t.out.emit_all(Event::Open);
    Next::Over(Outcome::ranked(&scores, "highest card"))
}

/// The game as the house takes it: for the registry, the testkit and simulations.
#[must_use]
pub fn def() -> GameDef {
    Game::def()
}
