//! The registry's entry for a script.

use std::marker::PhantomData;

use parlor_core::entry::Maker;
use parlor_core::game::Patience;
use parlor_core::sim::{Job, Tally};
use parlor_core::{Entry, Fault, Hosted, Json, Luck, Refusal, Told};

use crate::running::{Footprint, Running};
use crate::script::Script;
use crate::sim;
use crate::tape::Saved;

/// The entry of a script: what the registry, the testkit and the house take.
#[must_use]
pub const fn entry<S: Script>() -> Entry {
    let mut entry =
        Entry::hosted(S::NAME, S::TITLE, S::RULES, S::SEATS, S::UNDO, &OfScript::<S>(PhantomData));
    entry.reveal = S::REVEAL;
    entry.visits = S::VISITS;
    entry
}

/// A match in which nobody listens and `answers` random requests were answered, and what the suspended script takes up.
///
/// # Errors
/// Why these settings cannot be played.
pub fn suspended<S: Script>(
    settings: &Json,
    seats: u8,
    answers: usize,
) -> Result<(Box<dyn Hosted>, Footprint), Refusal> {
    let (mut luck, mut told) = (Luck::fast(7), Told::default());
    let game = S::setup(&sim::settings::<S>(settings)?, seats)?;
    let mut running = Running::silent(game, seats, &mut luck, &mut told);
    for _ in 0..answers {
        let asks = running.asks();
        let Some((ask, seat)) = asks.iter().find_map(|ask| Some((ask.id, ask.seats.lowest()?))) else {
            break;
        };
        let answer = running.sample(seat, ask, &mut luck);
        running.answer_silently(seat, &answer, &mut luck, &mut told)?;
    }
    let footprint = running.footprint();
    Ok((Box::new(running), footprint))
}

/// Makes matches of a [`Script`].
struct OfScript<S>(PhantomData<fn() -> S>);

impl<S: Script> Maker for OfScript<S> {
    fn start(
        &self,
        settings: &Json,
        seats: u8,
        _: Option<&Json>,
        luck: &mut Luck,
        told: &mut Told,
    ) -> Result<Box<dyn Hosted>, Refusal> {
        let (fewest, most) = S::SEATS;
        if !(fewest..=most).contains(&seats) {
            let fault = Fault::new("seats", "{game} is played by {fewest} to {most}, not {got}");
            return Err(fault
                .arg("game", S::NAME)
                .arg("fewest", fewest)
                .arg("most", most)
                .arg("got", seats)
                .into());
        }
        let game = S::setup(&sim::settings::<S>(settings)?, seats)?;
        Ok(Box::new(Running::start(game, seats, luck, told)))
    }

    /// A script saved by these rules anywhere, or by older ones between two segments.
    fn load(&self, rules: u32, state: &[u8]) -> Option<Box<dyn Hosted>> {
        let saved: Saved = postcard::from_bytes(state).ok()?;
        let running = if rules == S::RULES {
            Running::<S>::restored(&saved)?
        } else {
            Running::migrated(&saved, &S::migrate(rules, &saved.tape.start)?)?
        };
        Some(Box::new(running))
    }

    fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        sim::run::<S>(job, from, to)
    }

    fn settings(&self) -> Json {
        serde_json::to_value(S::Settings::default()).expect("settings are plain data")
    }

    fn patience(&self, settings: &Json) -> Option<Patience> {
        S::patience(&serde_json::from_value(settings.clone()).ok()?)
    }

    fn schema(&self) -> Json {
        S::schema()
    }
}
