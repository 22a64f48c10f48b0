//! The [`Script`] trait: what the author of a script implements.

use std::future::Future;

use parlor_core::game::{DisconnectPolicy, Reveal};
use parlor_core::schema::Schema;
use parlor_core::{Facts, GameDef, Json, Lobby, Outcome, Refusal, Rng, Seat, Seats, Undo, Viewer};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::question::{CheckedAnswer, Offer};
use crate::table::Table;

/// What follows a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Another segment: the next hand, the next round.
    Again,
    Over(Outcome),
}

/// Why a request returns without an answer. Pass it on with `?`; if a script ignores it, every later request returns
/// it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// This seat has left for good. Only scripts with [`Script::VISITS`] get this.
    Left(Seat),
    /// This run of the script ends here: the match was killed, or rewound to before this point. All further output is
    /// discarded.
    Stopped,
}

/// A game as straight-line code. The value itself is the state.
pub trait Script: Clone + Serialize + DeserializeOwned + Send + 'static {
    /// The name in commands and URLs, such as `hearts`.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// The version of the rules; raised only when an old log would play differently.
    const RULES: u32;
    /// The minimum and maximum number of seats.
    const SEATS: (u8, u8);
    /// Who may take an answer back.
    const UNDO: Undo = Undo::None;
    /// When the seed is published.
    const REVEAL: Reveal = Reveal::Public;
    /// Whether the script itself handles players who leave. If not, a player who leaves forfeits.
    const VISITS: bool = false;
    /// What a lobby knows of the game.
    const LOBBY: Lobby = Lobby::DEFAULT;

    /// The settings of a table.
    type Settings: Serialize + DeserializeOwned + Default + Clone + Send;
    /// What one viewer may know. A view names what it shows; it never hides parts of the state.
    type View<'a>: Serialize
    where
        Self: 'a;

    /// The state before anything has happened. Random numbers are drawn in the first segment.
    ///
    /// # Errors
    /// Every setting that is wrong.
    fn setup(settings: &Self::Settings, seats: u8) -> Result<Self, Refusal>;

    /// One hand, round or turn. Write it as `async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt>`.
    fn segment(t: &mut Table<Self>) -> impl Future<Output = Result<Next, Interrupt>> + Send;

    /// What this viewer may know. It may change only together with an event to the viewer, or with their requests.
    fn view(&self, viewer: Viewer) -> Self::View<'_>;

    /// A bot's answer, from its seat's view; `None` for a random one.
    fn bot(seen: &Self::View<'_>, offer: &Offer<'_>, rng: &mut Rng) -> Option<CheckedAnswer> {
        let _ = (seen, offer, rng);
        None
    }

    /// Changes everything that none of these viewers knows ([`crate::Cards::resample`] does it for cards); returns
    /// whether anything is hidden in this game at all. The executor changes sealed answers itself.
    fn resample(&mut self, viewers: Seats, rng: &mut Rng) -> bool {
        let _ = (viewers, rng);
        false
    }

    /// Names every hidden fact that the viewer was shown, with its value ([`crate::Cards::known_facts`]).
    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        let _ = (viewer, facts);
    }

    /// What follows when a segment was interrupted because this seat left. By default, the others win.
    fn left(t: &mut Table<Self>, seat: Seat) -> Next {
        let others = Seats::first(t.seats()).without(seat);
        Next::Over(Outcome::win(others, t.seats(), "left"))
    }

    /// Tokens in escrow.
    fn escrow(&self) -> i64 {
        0
    }

    /// This seat's part of the escrow if the match is stopped here without a winner. The parts of all seats add up to
    /// [`Script::escrow`]; the engine pays them back.
    fn refund(&self, seat: Seat) -> i64 {
        let _ = seat;
        0
    }

    /// The policy for lost connections under these settings; `None` leaves it to the table.
    fn disconnect_policy(settings: &Self::Settings) -> Option<DisconnectPolicy> {
        let _ = settings;
        None
    }

    /// A JSON Schema of the settings: names and types are derived, and the script may add to them.
    #[must_use]
    fn schema() -> Json {
        Schema::of(&serde_json::to_value(Self::Settings::default()).expect("settings are plain data")).json()
    }

    /// The definition of this script, which the server needs before a match runs.
    #[must_use]
    fn def() -> GameDef {
        crate::game_def::for_script::<Self>()
    }

    /// A state that these older rules saved between two segments, converted to the current ones; `None` if that is
    /// impossible.
    fn migrate(rules: u32, state: &[u8]) -> Option<Self> {
        let _ = (rules, state);
        None
    }
}
