//! The registry's entry for one game: what the house needs to know before a match runs.

use std::marker::PhantomData;

use crate::Json;
use crate::dyn_game::{self, DynGame, GameAdapter, OutputBuffer};
use crate::game::{DisconnectPolicy, Game, Reveal, Undo};
use crate::rating::Rating;
use crate::refusal::Refusal;
use crate::rng::Rng;
use crate::schema::Schema;
use crate::sim::{self, Job, Tally};

/// How matches of a game come into being: everything the house calls before a match runs. Behind it stands a type, or
/// rules that were read when the server was already at work.
pub trait GameFactory: Sync {
    /// Starts a match: settings, seats, what the match before left, luck, and where its effects go.
    ///
    /// # Errors
    /// Why these settings cannot be played.
    fn start(
        &self,
        settings: &Json,
        seats: u8,
        carry: Option<&Json>,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<Box<dyn DynGame>, Refusal>;

    /// The match whose [`DynGame::state`] these rules saved, or that can be brought up from older ones.
    fn load(&self, rules: u32, state: &[u8]) -> Option<Box<dyn DynGame>>;

    /// Plays matches number `from..to` of a simulation.
    ///
    /// # Errors
    /// Why these settings cannot be played.
    fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal>;

    /// The settings a table has when nobody sets anything.
    fn settings(&self) -> Json;

    /// How much patience there is with a lost connection under these settings; `None` leaves it to the house.
    fn disconnect_policy(&self, settings: &Json) -> Option<DisconnectPolicy> {
        let _ = settings;
        None
    }

    /// What can be set, as a JSON Schema.
    fn schema(&self) -> Json {
        Schema::of(&self.settings()).json()
    }

    /// What never changes at a table of rules that are data, in the words of their author: for screens that know nothing
    /// of the game. Public.
    fn sheet(&self) -> Option<Json> {
        None
    }
}

/// A game that can be played here.
#[derive(Clone, Copy)]
pub struct GameDef {
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
    /// What a match does to the ratings of its players.
    pub rating: Option<Rating>,
    /// The hash of rules that are data: every header of a match names it. None for rules that are part of this build.
    pub identity: Option<[u8; 32]>,
    pub(crate) factory: &'static dyn GameFactory,
}

impl GameDef {
    /// The definition of a game; [`Game::def`] where it need not be a constant.
    #[must_use]
    pub const fn for_game<G: Game>() -> Self {
        Self {
            name: G::NAME,
            title: G::TITLE,
            rules: G::RULES,
            seats: G::SEATS,
            undo: G::UNDO,
            reveal: G::REVEAL,
            visits: G::VISITS,
            rating: G::RATING,
            identity: None,
            factory: &OfType::<G>(PhantomData),
        }
    }

    /// The entry of a game that is written in another way and brings its own [`DynGame`]: seed public, no visits.
    #[must_use]
    pub const fn hosted(
        name: &'static str,
        title: &'static str,
        rules: u32,
        seats: (u8, u8),
        undo: Undo,
        factory: &'static dyn GameFactory,
    ) -> Self {
        let (reveal, visits, rating, identity) = (Reveal::Public, false, None, None);
        Self { name, title, rules, seats, undo, reveal, visits, rating, identity, factory }
    }

    /// The identity of the rules as a header writes it.
    #[must_use]
    pub fn identity_hex(&self) -> Option<String> {
        self.identity.map(|hash| hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Plays matches number `from..to` of a simulation.
    ///
    /// # Errors
    /// Why these settings cannot be played.
    pub fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        self.factory.sim(job, from, to)
    }

    /// The settings a table has when nobody sets anything.
    #[must_use]
    pub fn default_settings(&self) -> Json {
        self.factory.settings()
    }

    /// How much patience there is with a lost connection under these settings; `None` leaves it to the house.
    #[must_use]
    pub fn disconnect_policy(&self, settings: &Json) -> Option<DisconnectPolicy> {
        self.factory.disconnect_policy(settings)
    }

    /// What a screen needs to draw a table of rules that are data; none for games that are part of this build.
    #[must_use]
    pub fn sheet(&self) -> Option<Json> {
        self.factory.sheet()
    }

    /// What can be set, as a JSON Schema.
    #[must_use]
    pub fn settings_schema(&self) -> Json {
        self.factory.schema()
    }
}

impl std::fmt::Debug for GameDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GameDef({} rules {})", self.name, self.rules)
    }
}

/// Makes matches of a [`Game`].
struct OfType<G>(PhantomData<fn() -> G>);

impl<G: Game> GameFactory for OfType<G> {
    fn start(
        &self,
        settings: &Json,
        seats: u8,
        carry: Option<&Json>,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<Box<dyn DynGame>, Refusal> {
        dyn_game::start::<G>(settings, seats, carry, rng, output)
    }

    fn load(&self, rules: u32, state: &[u8]) -> Option<Box<dyn DynGame>> {
        let game =
            if rules == G::RULES { postcard::from_bytes(state).ok()? } else { G::migrate(rules, state)? };
        Some(Box::new(GameAdapter::<G>(game)))
    }

    fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        sim::run::<G>(job, from, to)
    }

    fn settings(&self) -> Json {
        serde_json::to_value(G::Settings::default()).expect("settings are plain data")
    }

    fn disconnect_policy(&self, settings: &Json) -> Option<DisconnectPolicy> {
        G::disconnect_policy(&serde_json::from_value(settings.clone()).ok()?)
    }

    fn schema(&self) -> Json {
        G::schema()
    }
}
