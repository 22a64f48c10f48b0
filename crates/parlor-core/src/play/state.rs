//! The rules at work: a game with the luck it is lent, and the only way in.
//!
//! The two are one thing, because they only move together: a game that went back while its luck did not would deal other
//! cards in replay than in play. Apart from the match, so that nothing of the house reaches the rules without a budget,
//! and without a net under them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Json;
use crate::ask::{AskId, Kind};
use crate::entry::Entry;
use crate::erased::{Hosted, Told};
use crate::limits::{AUTO_ANSWERS_MAX, FUEL_PER_INPUT_MAX};
use crate::luck::{Luck, OutOfFuel, Purpose};
use crate::record::{Body, Header};
use crate::refusal::{Fault, Refusal};
use crate::seat::{Seat, Seats};

/// What the rules have made of the records so far.
pub(super) struct State {
    game: Box<dyn Hosted>,
    luck: Luck,
}

/// Why an input was not played.
pub(super) enum Unplayed {
    /// The rules do not take it.
    Refused(Refusal),
    /// The rules broke down over it: this state may be half changed, and must be made again.
    Broken(Refusal),
}

impl State {
    /// Lets the rules begin.
    pub(super) fn start(entry: &Entry, header: &Header) -> Result<(Self, Told), Refusal> {
        let mut luck = luck_of(header);
        luck.lend(FUEL_PER_INPUT_MAX);
        let mut told = Told::with_fuel(FUEL_PER_INPUT_MAX);
        let carry = header.carry.as_ref();
        let settings = header.settings.json();
        let game = guarded(|| entry.maker.start(&settings, header.seats, carry, &mut luck, &mut told))??;
        Ok((Self { game, luck }, told))
    }

    /// The state that these rules saved; none where it does not decode.
    pub(super) fn load(entry: &Entry, header: &Header, rules: u32, bytes: &[u8]) -> Option<Self> {
        Some(Self { game: entry.maker.load(rules, bytes)?, luck: luck_of(header) })
    }

    /// The same, with another game in its place: only for tests that compare two worlds.
    pub(super) fn in_world(&self, game: Box<dyn Hosted>) -> Self {
        Self { game, luck: self.luck.clone() }
    }

    /// A copy to come back to.
    pub(super) fn fork(&self) -> Self {
        Self { game: self.game.fork(), luck: self.luck.clone() }
    }

    /// The game, to look at.
    pub(super) fn game(&self) -> &dyn Hosted {
        self.game.as_ref()
    }

    /// One record through the rules.
    pub(super) fn play(&mut self, body: &Body) -> Result<Told, Unplayed> {
        match guarded(|| perform(self.game.as_mut(), &mut self.luck, body)) {
            Ok(Ok(told)) => Ok(told),
            Ok(Err(refusal)) => Err(Unplayed::Refused(refusal)),
            Err(broken) => Err(Unplayed::Broken(broken)),
        }
    }

    /// Whether the last record drew luck.
    pub(super) fn drew(&self) -> bool {
        self.luck.drew()
    }

    /// Later draws belong to this line.
    pub(super) fn set_line(&mut self, line: u32) {
        self.luck.set_line(line);
    }

    /// Later draws belong to a new line, and what no seat knows is shuffled from its stream.
    pub(super) fn begin_line(&mut self, line: u32) {
        self.set_line(line);
        if let Some(shuffled) = self.shuffled(line) {
            self.game = shuffled;
        }
    }

    /// Whether what no seat knows can be shuffled again.
    pub(super) fn can_shuffle(&self) -> bool {
        self.shuffled(0).is_some()
    }

    fn shuffled(&self, line: u32) -> Option<Box<dyn Hosted>> {
        self.game.resample(Seats::ALL, &mut self.luck.aside(Purpose::Undo, line))
    }

    /// Whether the rules would take an answer.
    pub(super) fn check(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Refusal> {
        guarded(|| self.game.check(seat, ask, answer))?
    }

    /// What a bot says in this seat, which has answered so often: its luck is its own.
    pub(super) fn bot(&self, seat: Seat, ask: AskId, answers: u32) -> Result<Json, Refusal> {
        let mut luck = self.luck.aside(Purpose::Bot(seat.index() as u8), answers);
        guarded(|| self.game.bot(seat, ask, &mut luck))
    }

    /// A random legal answer, from luck that somebody else brings.
    pub(super) fn sample(&self, seat: Seat, ask: AskId, luck: &mut Luck) -> Result<Json, Refusal> {
        guarded(|| self.game.sample(seat, ask, luck))
    }
}

fn luck_of(header: &Header) -> Luck {
    Luck::new(header.seed.with_nonces(&header.nonces), header.match_no)
}

/// Runs the rules; a panic or an empty budget becomes a refusal that the host answers by pausing the table.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        if payload.is::<OutOfFuel>() {
            return Fault::new("broken", "the rules used up fuel_per_input_max ({max})")
                .arg("max", FUEL_PER_INPUT_MAX)
                .into();
        }
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        Fault::new("broken", "the rules broke down: {panic}").arg("panic", text).into()
    })
}

/// One record through the rules, with the automatic answers that follow from it at once.
fn perform(game: &mut dyn Hosted, luck: &mut Luck, body: &Body) -> Result<Told, Refusal> {
    luck.lend(FUEL_PER_INPUT_MAX);
    let mut told = Told::with_fuel(FUEL_PER_INPUT_MAX);
    match body {
        Body::Answer { seat, ask, answer } => {
            let draft = game.standing().iter().any(|a| a.id == *ask && a.kind == Kind::Draft);
            game.answer(*seat, *ask, answer, luck, &mut told)?;
            assert!(!(draft && luck.drew()), "a draft must not draw luck: others would notice");
        }
        Body::Elapsed { ask, seat } => game.elapsed(*ask, *seat, luck, &mut told),
        Body::Visit { visit } => game.visit(*visit, luck, &mut told)?,
        Body::Settle { how, .. } => game.settle(*how, luck, &mut told)?,
        _ => {}
    }
    for _ in 0..AUTO_ANSWERS_MAX {
        let Some((seat, ask, answer)) = forced(game) else { break };
        game.answer(seat, ask, &answer, luck, &mut told)?;
    }
    Ok(told)
}

/// The first answer that needs no asking. In each ask the seats are tried in order, up to one that has a choice.
fn forced(game: &dyn Hosted) -> Option<(Seat, AskId, Json)> {
    for ask in game.standing().iter().filter(|ask| ask.auto && ask.blocks()) {
        if let Some(seat) = ask.seats.lowest()
            && let Some(response) = game.request(seat, ask.id).forced()
        {
            return Some((seat, ask.id, serde_json::to_value(response).expect("a response is plain data")));
        }
    }
    None
}
