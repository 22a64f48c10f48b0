//! The registry's entry for one game: what the house needs to know before a match runs.

use crate::Json;
use crate::erased::{self, Erased, Hosted, Told};
use crate::game::{Game, Reveal, Undo};
use crate::luck::Luck;
use crate::refusal::Refusal;
use crate::sim::{self, Job, Tally};

/// How a match is started: settings, seats, what the match before left, luck, and where its effects go.
pub type Start = fn(&Json, u8, Option<&Json>, &mut Luck, &mut Told) -> Result<Box<dyn Hosted>, Refusal>;

/// How a saved match is brought back: the version of the rules that saved it, and the bytes.
pub type Load = fn(u32, &[u8]) -> Option<Box<dyn Hosted>>;

/// How a game that is not a [`Game`] is made: everything the house calls before a match runs.
#[derive(Clone, Copy)]
pub struct Make {
    /// Starts a match.
    pub start: Start,
    /// The match whose [`Hosted::state`] these rules saved, or that can be brought up from older ones.
    pub load: Load,
    /// Plays matches number `from..to` of a simulation.
    pub sim: fn(&Job, u64, u64) -> Result<Tally, Refusal>,
    /// The settings a table has when nobody sets anything.
    pub settings: fn() -> Json,
}

/// A game that can be played here.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in commands and addresses.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The version of the rules.
    pub rules: u32,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// Who may take an answer back.
    pub undo: Undo,
    /// When the seed is published.
    pub reveal: Reveal,
    /// Whether people may come and go in the middle of a match.
    pub visits: bool,
    pub(crate) start: Start,
    pub(crate) load: Load,
    sim: fn(&Job, u64, u64) -> Result<Tally, Refusal>,
    settings: fn() -> Json,
}

impl Entry {
    /// The entry of a game.
    #[must_use]
    pub const fn of<G: Game>() -> Self {
        Self {
            name: G::NAME,
            title: G::TITLE,
            rules: G::RULES,
            seats: G::SEATS,
            undo: G::UNDO,
            reveal: G::REVEAL,
            visits: G::VISITS,
            start: erased::start::<G>,
            load: load::<G>,
            sim: sim::run::<G>,
            settings: || serde_json::to_value(G::Settings::default()).expect("settings are plain data"),
        }
    }

    /// The entry of a game that is written in another way and brings its own [`Hosted`]: seed public, no visits.
    #[must_use]
    pub const fn hosted(
        name: &'static str,
        title: &'static str,
        rules: u32,
        seats: (u8, u8),
        undo: Undo,
        make: Make,
    ) -> Self {
        let Make { start, load, sim, settings } = make;
        let (reveal, visits) = (Reveal::Public, false);
        Self { name, title, rules, seats, undo, reveal, visits, start, load, sim, settings }
    }

    /// Plays matches number `from..to` of a simulation.
    ///
    /// # Errors
    /// Why these settings cannot be played.
    pub fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        (self.sim)(job, from, to)
    }

    /// The settings a table has when nobody sets anything.
    #[must_use]
    pub fn default_settings(&self) -> Json {
        (self.settings)()
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Entry({} rules {})", self.name, self.rules)
    }
}

/// A state saved by these rules, or brought up from older ones.
fn load<G: Game>(rules: u32, state: &[u8]) -> Option<Box<dyn Hosted>> {
    let game = if rules == G::RULES { postcard::from_bytes(state).ok()? } else { G::migrate(rules, state)? };
    Some(Box::new(Erased::<G>(game)))
}
