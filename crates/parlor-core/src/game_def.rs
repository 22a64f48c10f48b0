//! The definition of a game: what the server needs to know before a match runs.

use std::marker::PhantomData;

use crate::Json;
use crate::bots::{BotChoice, BotDef};
use crate::dyn_game::{self, DynGame, GameAdapter, OutputBuffer};
use crate::game::{DisconnectPolicy, Game, OpenSeating, Reveal, Undo};
use crate::lobby::Lobby;
use crate::rating::Rating;
use crate::refusal::Refusal;
use crate::rng::Rng;
use crate::schema::Schema;
use crate::sim::{self, ArenaJob, ArenaTally, Job, Tally};

/// What a match starts from, before the game has read it.
#[derive(Clone, Copy, Debug)]
pub struct StartFrom<'a> {
    /// In the game's own form.
    pub settings: &'a Json,
    pub seats: u8,
    /// What each seat brings; none for a free seat. As long as `seats`.
    pub seated: &'a [Option<i64>],
    /// What the previous match carried over.
    pub carry: Option<&'a Json>,
}

/// Creates the matches of a game; everything that is called before a match runs. The implementation is a Rust type,
/// or rules that were loaded while the server was running.
pub trait GameFactory: Sync {
    /// Starts a match; `rng` and `output` are for this call.
    ///
    /// # Errors
    /// Why a match with these settings cannot be played.
    fn start(
        &self,
        from: &StartFrom<'_>,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<Box<dyn DynGame>, Refusal>;

    /// Loads a match from the [`DynGame::state`] that these rules saved, or that can be migrated from older ones.
    fn load(&self, rules: u32, state: &[u8]) -> Option<Box<dyn DynGame>>;

    /// Plays matches number `from..to` of a simulation.
    ///
    /// # Errors
    /// Why a match with these settings cannot be played.
    fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal>;

    /// The default settings.
    fn settings(&self) -> Json;

    /// The policy for lost connections under these settings; `None` leaves it to the table.
    fn disconnect_policy(&self, settings: &Json) -> Option<DisconnectPolicy> {
        let _ = settings;
        None
    }

    /// How players take seats while a table with these settings runs; `None` if they do not.
    fn open_seating(&self, settings: &Json) -> Option<OpenSeating> {
        let _ = settings;
        None
    }

    /// A JSON Schema of the settings.
    fn schema(&self) -> Json {
        Schema::of(&self.settings()).json()
    }

    /// The parts of a table that never change, for rules that are data, in the author's own words: for screens that
    /// know nothing of the game. Public.
    fn sheet(&self) -> Option<Json> {
        None
    }
}

/// The definition of a game.
#[derive(Clone, Copy)]
pub struct GameDef {
    /// The name in commands and URLs.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// Raised only when an old log would play differently.
    pub rules: u32,
    /// Older versions that are played as they were: they differ only in that nothing was answered automatically.
    pub rules_without_auto: &'static [u32],
    /// The minimum and the maximum.
    pub seats: (u8, u8),
    pub undo: Undo,
    pub reveal: Reveal,
    /// Whether players may join and leave during a match.
    pub visits: bool,
    /// None if the game is not rated.
    pub rating: Option<Rating>,
    /// The hash of rules that are data; every match header contains it. None for rules that are compiled in.
    pub identity: Option<[u8; 32]>,
    /// The bots that the game ships; the first plays where nobody chose one.
    pub bots: &'static [BotDef],
    pub lobby: Lobby,
    pub(crate) factory: &'static dyn GameFactory,
}

impl GameDef {
    /// The definition of a game, as a constant; elsewhere [`Game::def`] is shorter.
    #[must_use]
    pub const fn for_game<G: Game>() -> Self {
        Self {
            name: G::NAME,
            title: G::TITLE,
            rules: G::RULES,
            rules_without_auto: G::RULES_WITHOUT_AUTO,
            seats: G::SEATS,
            undo: G::UNDO,
            reveal: G::REVEAL,
            visits: G::VISITS,
            rating: G::RATING,
            identity: None,
            bots: G::BOTS,
            lobby: G::LOBBY,
            factory: &OfType::<G>(PhantomData),
        }
    }

    /// The definition of a game that implements [`DynGame`] itself: seed public, no visits.
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
        let (bots, lobby, rules_without_auto) = (BotDef::ONLY_DEFAULT, Lobby::DEFAULT, &[]);
        Self {
            name,
            title,
            rules,
            rules_without_auto,
            seats,
            undo,
            reveal,
            visits,
            rating,
            identity,
            bots,
            lobby,
            factory,
        }
    }

    /// Whether this build plays matches of these rules.
    #[must_use]
    pub fn plays(&self, rules: u32) -> bool {
        rules == self.rules || self.rules_without_auto.contains(&rules)
    }

    /// The identity of the rules as a header contains it.
    #[must_use]
    pub fn identity_hex(&self) -> Option<String> {
        self.identity.map(|hash| hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Plays matches number `from..to` of a simulation.
    ///
    /// # Errors
    /// Why a match with these settings cannot be played.
    pub fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        self.factory.sim(job, from, to)
    }

    /// Lets bots play matches number `from..to` of an arena; `clock` gives nanoseconds.
    ///
    /// # Errors
    /// Why a match with these settings cannot be played.
    pub fn arena(
        &self,
        job: &ArenaJob,
        from: u64,
        to: u64,
        clock: &mut dyn FnMut() -> u64,
    ) -> Result<ArenaTally, Refusal> {
        sim::run_arena(self.factory, job, from, to, clock)
    }

    /// The default settings.
    #[must_use]
    pub fn default_settings(&self) -> Json {
        self.factory.settings()
    }

    /// The policy for lost connections under these settings; `None` leaves it to the table.
    #[must_use]
    pub fn disconnect_policy(&self, settings: &Json) -> Option<DisconnectPolicy> {
        self.factory.disconnect_policy(settings)
    }

    /// How players take seats while a table with these settings runs; `None` if they do not.
    #[must_use]
    pub fn open_seating(&self, settings: &Json) -> Option<OpenSeating> {
        self.factory.open_seating(settings).filter(|_| self.visits)
    }

    /// The bot that is meant by this choice; `None` if the game ships no such bot, or not at this level.
    #[must_use]
    pub fn bot(&self, choice: &BotChoice) -> Option<&'static BotDef> {
        let found = if choice.bot.is_empty() {
            self.bots.first()
        } else {
            self.bots.iter().find(|def| def.name == choice.bot)
        };
        found.filter(|def| choice.level <= def.levels)
    }

    /// Seats of a table that is opened without a number of seats.
    #[must_use]
    pub fn usual_seats(&self) -> u8 {
        self.lobby.seats.unwrap_or(self.seats.0)
    }

    /// What a screen needs to draw a table of rules that are data; none for games that are compiled in.
    #[must_use]
    pub fn sheet(&self) -> Option<Json> {
        self.factory.sheet()
    }

    /// A JSON Schema of the settings.
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

/// Creates matches of a [`Game`].
struct OfType<G>(PhantomData<fn() -> G>);

impl<G: Game> GameFactory for OfType<G> {
    fn start(
        &self,
        from: &StartFrom<'_>,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<Box<dyn DynGame>, Refusal> {
        dyn_game::start::<G>(from, rng, output)
    }

    fn load(&self, rules: u32, state: &[u8]) -> Option<Box<dyn DynGame>> {
        let same = rules == G::RULES || G::RULES_WITHOUT_AUTO.contains(&rules);
        let game = if same { postcard::from_bytes(state).ok()? } else { G::migrate(rules, state)? };
        Some(Box::new(GameAdapter::<G>(game)))
    }

    fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        sim::run::<G>(job, from, to)
    }

    fn settings(&self) -> Json {
        serde_json::to_value(G::Settings::default()).expect("settings are plain data")
    }

    fn disconnect_policy(&self, settings: &Json) -> Option<DisconnectPolicy> {
        // A table without settings of its own has the game's.
        let settings = match settings {
            Json::Null => G::Settings::default(),
            given => serde_json::from_value(given.clone()).ok()?,
        };
        G::disconnect_policy(&settings)
    }

    fn open_seating(&self, settings: &Json) -> Option<OpenSeating> {
        let settings = match settings {
            Json::Null => G::Settings::default(),
            given => serde_json::from_value(given.clone()).ok()?,
        };
        G::open_seating(&settings)
    }

    fn schema(&self) -> Json {
        G::schema()
    }
}
