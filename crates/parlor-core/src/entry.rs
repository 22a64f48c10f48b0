//! The registry's entry for one game: what the house needs to know before a match runs.

use crate::Json;
use crate::erased::{self, Erased, Hosted, Told};
use crate::game::{Game, Reveal, Undo};
use crate::luck::Luck;
use crate::refusal::Refusal;
use crate::sim::{self, Job, Tally};

type Start = fn(&Json, u8, Option<&Json>, &mut Luck, &mut Told) -> Result<Box<dyn Hosted>, Refusal>;

type Load = fn(u32, &[u8]) -> Option<Box<dyn Hosted>>;

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
