//! The definition of a script as a game.

use std::marker::PhantomData;

use parlor_core::game::DisconnectPolicy;
use parlor_core::game_def::{GameFactory, StartFrom};
use parlor_core::sim::{Job, Tally};
use parlor_core::{DynGame, Fault, GameDef, HouseCode, Json, OutputBuffer, Refusal, Rng};

use crate::journal::Saved;
use crate::running::{Footprint, Running};
use crate::script::Script;
use crate::sim;

/// The definition of a script, as a constant; elsewhere [`Script::def`] is shorter.
#[must_use]
pub(crate) const fn for_script<S: Script>() -> GameDef {
    let mut def =
        GameDef::hosted(S::NAME, S::TITLE, S::RULES, S::SEATS, S::UNDO, &OfScript::<S>(PhantomData));
    def.reveal = S::REVEAL;
    def.visits = S::VISITS;
    def.lobby = S::LOBBY;
    def
}

/// A match without output in which `answers` random requests were answered, and the memory of the suspended script.
///
/// # Errors
/// Why a match with these settings cannot be played.
pub fn suspended<S: Script>(
    settings: &Json,
    seats: u8,
    answers: usize,
) -> Result<(Box<dyn DynGame>, Footprint), Refusal> {
    let (mut rng, mut output) = (Rng::fast(7), OutputBuffer::default());
    let game = S::setup(&sim::settings::<S>(settings)?, seats)?;
    let mut running = Running::silent(game, seats, &mut rng, &mut output);
    for _ in 0..answers {
        let asks = running.asks();
        let Some((ask, seat)) = asks.iter().find_map(|ask| Some((ask.id, ask.seats.lowest()?))) else {
            break;
        };
        let answer = running.sample(seat, ask, &mut rng);
        running.answer_silently(seat, &answer, &mut rng, &mut output)?;
    }
    let footprint = running.footprint();
    Ok((Box::new(running), footprint))
}

/// Creates matches of a [`Script`].
struct OfScript<S>(PhantomData<fn() -> S>);

impl<S: Script> GameFactory for OfScript<S> {
    fn start(
        &self,
        from: &StartFrom<'_>,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<Box<dyn DynGame>, Refusal> {
        let StartFrom { settings, seats, .. } = *from;
        let (fewest, most) = S::SEATS;
        if !(fewest..=most).contains(&seats) {
            let fault = Fault::new(HouseCode::Seats, "{game} is played by {fewest} to {most}, not {got}");
            return Err(fault
                .arg("game", S::NAME)
                .arg("fewest", fewest)
                .arg("most", most)
                .arg("got", seats)
                .into());
        }
        let game = S::setup(&sim::settings::<S>(settings)?, seats)?;
        Ok(Box::new(Running::start(game, seats, rng, output)))
    }

    /// Loads a script that these rules saved at any point, or that older ones saved between two segments.
    fn load(&self, rules: u32, state: &[u8]) -> Option<Box<dyn DynGame>> {
        let saved: Saved = postcard::from_bytes(state).ok()?;
        let running = if rules == S::RULES {
            Running::<S>::restored(&saved)?
        } else {
            Running::migrated(&saved, &S::migrate(rules, &saved.journal.start)?)?
        };
        Some(Box::new(running))
    }

    fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        sim::run::<S>(job, from, to)
    }

    fn settings(&self) -> Json {
        serde_json::to_value(S::Settings::default()).expect("settings are plain data")
    }

    fn disconnect_policy(&self, settings: &Json) -> Option<DisconnectPolicy> {
        // A table without settings of its own has the game's.
        let settings = match settings {
            Json::Null => S::Settings::default(),
            given => serde_json::from_value(given.clone()).ok()?,
        };
        S::disconnect_policy(&settings)
    }

    fn schema(&self) -> Json {
        S::schema()
    }
}
