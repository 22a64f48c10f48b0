//! A match without a table: answers go through the same check as at a table, and all events are kept.

use parlor_battle::{Answer, Battle, Event, Move, Settings};
use parlor_core::{
    Account, Ask, AskKind, Game, Input, Json, Output, Refusal, Rng, Seat, Seats, Setup, Viewer, Visit,
};
use serde_json::json;

pub(crate) const A: Seat = Seat::new(0);
pub(crate) const B: Seat = Seat::new(1);

/// Collects all events and keeps accounts of the money.
#[derive(Default)]
pub(crate) struct Ear {
    pub(crate) told: Vec<(Seats, Event)>,
    pub(crate) seats: [i64; 2],
    pub(crate) table: i64,
    pub(crate) burnt: i64,
    pub(crate) postings: usize,
}

impl Ear {
    fn account(&mut self, account: Account) -> &mut i64 {
        match account {
            Account::Seat(seat) => &mut self.seats[seat.index()],
            Account::Table => &mut self.table,
            Account::Burn => &mut self.burnt,
            Account::House => panic!("the house has no part in a battle"),
        }
    }
}

impl Output<Event> for Ear {
    fn emit(&mut self, to: Seats, event: Event) {
        self.told.push((to, event));
    }
    fn post(&mut self, from: Account, to: Account, amount: i64) {
        assert!(amount >= 0);
        *self.account(from) -= amount;
        *self.account(to) += amount;
        self.postings += usize::from(amount > 0);
    }
    fn add_time(&mut self, _: Seats, _: u32, _: u32) {}
    fn mark_revealed(&mut self) {}
}

/// A match and the collector of its output.
pub(crate) struct Ring {
    pub(crate) game: Battle,
    pub(crate) ear: Ear,
    rng: Rng,
}

impl Ring {
    pub(crate) fn with(settings: &Settings) -> Self {
        let (mut ear, mut rng) = (Ear::default(), Rng::fast(1));
        let setup = Setup { settings, seats: 2, seated: &[Some(0); 2], carry: None };
        let game = Battle::start(setup, &mut rng, &mut ear).expect("these settings can be played");
        Self { game, ear, rng }
    }

    /// A match in which each player has staked one token.
    pub(crate) fn staked() -> Self {
        Self::with(&Settings { stake: 1, ..Settings::default() })
    }

    fn answer(&mut self, seat: Seat, kind: AskKind, layout: &Json) -> Result<Move, Refusal> {
        let asks = self.game.open_asks();
        let ask = asks.iter().find(|ask| ask.kind == kind && ask.seats.has(seat));
        let ask = ask.ok_or_else(|| Refusal::of("not_asked", "not asked"))?.id;
        let answer: Answer = serde_json::from_value(json!({"layout": layout})).expect("an answer");
        let mv = self.game.check(seat, ask, &answer)?;
        assert_eq!(self.game.check(seat, ask, &self.game.to_answer(seat, ask, &mv)), Ok(mv));
        self.game.apply(Input::Answer { seat, ask, mv }, &mut self.rng, &mut self.ear);
        Ok(mv)
    }

    pub(crate) fn draft(&mut self, seat: Seat, layout: Json) -> Result<Move, Refusal> {
        self.answer(seat, AskKind::Draft, &layout)
    }

    pub(crate) fn confirm(&mut self, seat: Seat, layout: Json) -> Result<Move, Refusal> {
        self.answer(seat, AskKind::Request, &layout)
    }

    /// The ask that the match waits for.
    pub(crate) fn waits_for(&self) -> Option<Ask> {
        self.game.open_asks().into_iter().find(Ask::blocks)
    }

    /// Lets the time of the current ask run out.
    pub(crate) fn elapse(&mut self) {
        let ask = self.waits_for().expect("the match waits for something");
        self.game.apply(Input::Elapsed { ask: ask.id, seat: None }, &mut self.rng, &mut self.ear);
    }

    /// Ends PREP and plays the reveal, up to the next PREP or the end.
    pub(crate) fn play_round(&mut self) {
        self.elapse();
        while self
            .waits_for()
            .is_some_and(|ask| ask.seats.is_empty() && ask.clock == parlor_core::TimeLimit::None)
        {
            self.elapse();
        }
    }

    /// A round in which both confirm.
    pub(crate) fn round(&mut self, a: Json, b: Json) {
        self.confirm(A, a).expect("taken");
        self.confirm(B, b).expect("taken");
        self.play_round();
    }

    pub(crate) fn visit(&mut self, visit: Visit) -> Result<(), Refusal> {
        self.game.admit(&visit)?;
        self.game.apply(Input::Visit(visit), &mut self.rng, &mut self.ear);
        Ok(())
    }

    pub(crate) fn hp(&self) -> [u8; 2] {
        self.game.view(Viewer::Gallery).hp
    }

    /// The events that this viewer received.
    pub(crate) fn heard(&self, viewer: Viewer) -> Vec<&Event> {
        self.ear.told.iter().filter(|(to, _)| to.sees(viewer)).map(|(_, event)| event).collect()
    }

    /// The names of the events that this viewer received.
    pub(crate) fn names(&self, viewer: Viewer) -> Vec<String> {
        let name =
            |event: &&Event| serde_json::to_value(event).expect("plain")["type"].as_str().map(str::to_owned);
        self.heard(viewer).iter().filter_map(name).collect()
    }

    pub(crate) fn ends(&self) -> usize {
        self.ear.told.iter().filter(|(_, event)| matches!(event, Event::MatchEnd { .. })).count()
    }
}
