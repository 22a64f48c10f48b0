//! The state of the rules: a game with its random numbers, and the only way to call it.
//!
//! The two are one type because they only change together: a game that is rewound without its random numbers would
//! deal other cards in replay than in play. Apart from the match, so that nothing calls the rules without a budget,
//! or without catching their panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Json;
use crate::ask::AskId;
use crate::bots::BotChoice;
use crate::code::HouseCode;
use crate::dyn_game::{DynGame, OutputBuffer};
use crate::game_def::{GameDef, StartFrom};
use crate::limits::{AUTO_ANSWERS_MAX, FUEL_PER_INPUT_MAX};
use crate::reasons::{OUT_OF_FUEL, RULES_PANICKED};
use crate::record::{Body, Header, JsonText};
use crate::refusal::{Fault, Refusal};
use crate::rng::{OutOfFuel, Purpose, Rng};
use crate::seat::{Seat, Seats};

/// The game after the records so far.
pub(super) struct State {
    game: Box<dyn DynGame>,
    rng: Rng,
    /// Whether seats without a choice are answered for.
    auto: bool,
}

/// Why an input was not applied.
pub(super) enum Unplayed {
    /// The rules refuse it.
    Refused(Refusal),
    /// The rules panicked: this state may be half changed, and must be rebuilt.
    Broken(Refusal),
}

impl State {
    /// Starts the game.
    pub(super) fn start(def: &GameDef, header: &Header) -> Result<(Self, OutputBuffer), Refusal> {
        let mut rng = rng_for(header);
        rng.start_input(FUEL_PER_INPUT_MAX);
        let mut output = OutputBuffer::with_fuel(FUEL_PER_INPUT_MAX);
        let (settings, mut seated) = (header.settings.json(), header.seated.clone());
        if seated.is_empty() {
            seated = vec![Some(0); header.seats.into()];
        }
        let carry = header.carry.as_ref().map(JsonText::json);
        let from =
            StartFrom { settings: &settings, seats: header.seats, seated: &seated, carry: carry.as_ref() };
        let game = guarded(|| def.factory.start(&from, &mut rng, &mut output))??;
        Ok((Self { game, rng, auto: header.rules == def.rules }, output))
    }

    /// Loads the state that these rules saved; none if it cannot be decoded.
    pub(super) fn load(def: &GameDef, header: &Header, rules: u32, bytes: &[u8]) -> Option<Self> {
        Some(Self { game: def.factory.load(rules, bytes)?, rng: rng_for(header), auto: rules == def.rules })
    }

    /// The same with another game in its place; only for tests that compare twins.
    pub(super) fn as_twin(&self, game: Box<dyn DynGame>) -> Self {
        Self { game, rng: self.rng.clone(), auto: self.auto }
    }

    /// A copy.
    pub(super) fn fork(&self) -> Self {
        Self { game: self.game.fork(), rng: self.rng.clone(), auto: self.auto }
    }

    /// The game, for reading.
    pub(super) fn game(&self) -> &dyn DynGame {
        self.game.as_ref()
    }

    /// Applies one record through the rules. The answer to a `draft` must not draw: whoever replays one that was played
    /// need not say so.
    pub(super) fn run(&mut self, body: &Body, draft: bool) -> Result<OutputBuffer, Unplayed> {
        match guarded(|| perform(self.game.as_mut(), &mut self.rng, self.auto, body, draft)) {
            Ok(Ok(output)) => Ok(output),
            Ok(Err(refusal)) => Err(Unplayed::Refused(refusal)),
            Err(broken_invariant) => Err(Unplayed::Broken(broken_invariant)),
        }
    }

    /// Whether the last record drew random numbers.
    pub(super) fn drew(&self) -> bool {
        self.rng.drew()
    }

    /// Makes later draws depend on this number of rewinds.
    pub(super) fn set_rewinds(&mut self, rewinds: u32) {
        self.rng.set_rewinds(rewinds);
    }

    /// Makes later draws depend on the new number of rewinds, and shuffles everything that no seat knows with its
    /// stream.
    pub(super) fn begin_after_rewind(&mut self, rewinds: u32) {
        self.set_rewinds(rewinds);
        if let Some(shuffled) = self.shuffled(rewinds) {
            self.game = shuffled;
        }
    }

    /// Whether everything that no seat knows can be shuffled again.
    pub(super) fn can_shuffle(&self) -> bool {
        self.shuffled(0).is_some()
    }

    fn shuffled(&self, rewinds: u32) -> Option<Box<dyn DynGame>> {
        self.game.resample(Seats::ALL, &mut self.rng.for_purpose(Purpose::Undo, rewinds))
    }

    /// Whether the rules accept an answer.
    pub(super) fn check(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Refusal> {
        guarded(|| self.game.check(seat, ask, answer))?
    }

    /// The answer of a bot in this seat, which has given this many answers so far; it has a random stream of its own.
    pub(super) fn bot(&self, seat: Seat, ask: AskId, bot: &BotChoice, answers: u32) -> Result<Json, Refusal> {
        let mut rng = self.rng.for_purpose(Purpose::Bot(seat.index() as u8), answers);
        guarded(|| self.game.bot(seat, ask, bot, &mut rng))
    }

    /// The same as work for another thread, on a copy of the game.
    pub(super) fn bot_task(&self, seat: Seat, ask: AskId, bot: BotChoice, answers: u32) -> BotTask {
        let copy = self.fork();
        BotTask(Box::new(move || copy.bot(seat, ask, &bot, answers)))
    }

    /// What an answer takes from its sender's account.
    pub(super) fn cost(&self, seat: Seat, ask: AskId, answer: &Json) -> i64 {
        guarded(|| self.game.cost(seat, ask, answer)).unwrap_or(0)
    }

    /// A random legal answer, with the caller's random numbers.
    pub(super) fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Result<Json, Refusal> {
        guarded(|| self.game.sample(seat, ask, rng))
    }
}

/// A bot's decision, as work that may run on any thread and that nothing in the match waits for.
pub struct BotTask(Box<dyn FnOnce() -> Result<Json, Refusal> + Send>);

impl BotTask {
    /// Decides.
    ///
    /// # Errors
    /// If the bot, or the rules it calls, panic.
    pub fn run(self) -> Result<Json, Refusal> {
        (self.0)()
    }
}

impl std::fmt::Debug for BotTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BotTask")
    }
}

fn rng_for(header: &Header) -> Rng {
    Rng::new(header.seed.with_nonces(&header.nonces), header.match_no)
}

/// Calls the rules; a panic or an exhausted budget becomes a refusal, on which the host pauses the table.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        if payload.is::<OutOfFuel>() {
            return Fault::new(HouseCode::Broken, format!("{OUT_OF_FUEL}{{max}})"))
                .arg("max", FUEL_PER_INPUT_MAX)
                .into();
        }
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        Fault::new(HouseCode::Broken, format!("{RULES_PANICKED}{{panic}}")).arg("panic", text).into()
    })
}

/// Applies one record through the rules, with the automatic answers that follow from it at once.
fn perform(
    game: &mut dyn DynGame,
    rng: &mut Rng,
    auto: bool,
    body: &Body,
    draft: bool,
) -> Result<OutputBuffer, Refusal> {
    rng.start_input(FUEL_PER_INPUT_MAX);
    let mut output = OutputBuffer::with_fuel(FUEL_PER_INPUT_MAX);
    match body {
        Body::Answer { seat, ask, answer } => {
            game.answer(*seat, *ask, answer, rng, &mut output)?;
            assert!(!(draft && rng.drew()), "a draft must not draw luck: others would notice");
        }
        Body::Elapsed { ask, seat } => game.elapsed(*ask, *seat, rng, &mut output),
        Body::Visit { visit } => game.visit(*visit, rng, &mut output)?,
        Body::Repair { how, .. } => game.repair(*how, rng, &mut output)?,
        _ => {}
    }
    for _ in 0..if auto { AUTO_ANSWERS_MAX } else { 0 } {
        let Some((seat, ask, answer)) = forced(game) else { break };
        game.answer(seat, ask, &answer, rng, &mut output)?;
    }
    Ok(output)
}

/// The first automatic answer, if any. In each ask the seats are tried in order, up to one that has a choice.
fn forced(game: &dyn DynGame) -> Option<(Seat, AskId, Json)> {
    for ask in game.open_asks().iter().filter(|ask| ask.auto && ask.blocks()) {
        if let Some(seat) = ask.seats.lowest()
            && let Some(response) = game.request(seat, ask.id).forced()
        {
            return Some((seat, ask.id, serde_json::to_value(response).expect("a response is plain data")));
        }
    }
    None
}
