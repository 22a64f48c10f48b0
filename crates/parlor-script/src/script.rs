//! What the author of a script writes.

use std::future::Future;

use parlor_core::game::{DisconnectPolicy, Reveal};
use parlor_core::schema::Schema;
use parlor_core::{Facts, GameDef, Json, Outcome, Refusal, Rng, Seat, Seats, Undo, Viewer};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::question::{CheckedAnswer, Offer};
use crate::table::Table;

/// What follows a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Another segment: the next hand, the next round.
    Again,
    /// The match is over.
    Over(Outcome),
}

/// Why a request comes back without an answer. Pass it on with `?`; whoever stops it finds that every later request
/// brings it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// This seat has left for good. Only scripts with [`Script::VISITS`] are told.
    Left(Seat),
    /// This run of the script ends here: the match was killed, or went back to before this point. Nothing that is done
    /// now is seen by anybody.
    Stopped,
}

/// A game told as straight-line code. The value itself is the state.
pub trait Script: Clone + Serialize + DeserializeOwned + Send + 'static {
    /// The name in commands and addresses, such as `hearts`.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// The version of the rules; raised only when an old log would play differently.
    const RULES: u32;
    /// The fewest and the most seats.
    const SEATS: (u8, u8);
    /// Who may take an answer back.
    const UNDO: Undo = Undo::None;
    /// When the seed is published.
    const REVEAL: Reveal = Reveal::Public;
    /// Whether the script itself deals with people who leave. If not, whoever leaves forfeits.
    const VISITS: bool = false;

    /// What a table may set.
    type Settings: Serialize + DeserializeOwned + Default + Clone + Send;
    /// What one viewer may know: written by naming what is shown.
    type View<'a>: Serialize
    where
        Self: 'a;

    /// The state before anything has happened. Luck is drawn in the first segment.
    ///
    /// # Errors
    /// Every setting that is wrong.
    fn setup(settings: &Self::Settings, seats: u8) -> Result<Self, Refusal>;

    /// One hand, round or turn. Write it as `async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt>`.
    fn segment(t: &mut Table<Self>) -> impl Future<Output = Result<Next, Interrupt>> + Send;

    /// What this viewer may know. It may change only together with an event that he is told, or with his requests.
    fn view(&self, viewer: Viewer) -> Self::View<'_>;

    /// A bot's answer, from what its seat sees; `None` for a random one.
    fn bot(seen: &Self::View<'_>, offer: &Offer<'_>, rng: &mut Rng) -> Option<CheckedAnswer> {
        let _ = (seen, offer, rng);
        None
    }

    /// Changes everything that none of these viewers knows ([`crate::Cards::resample`] does it for cards); says whether
    /// anything is hidden in this game at all. Sealed answers are changed by the executor.
    fn resample(&mut self, viewers: Seats, rng: &mut Rng) -> bool {
        let _ = (viewers, rng);
        false
    }

    /// Names every hidden fact that the viewer was shown, with its value ([`crate::Cards::known_facts`]).
    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        let _ = (viewer, facts);
    }

    /// What follows when a segment was interrupted because this seat left: the others have won, unless the script says
    /// otherwise.
    fn left(t: &mut Table<Self>, seat: Seat) -> Next {
        let others = Seats::first(t.seats()).without(seat);
        Next::Over(Outcome::win(others, t.seats(), "left"))
    }

    /// Tokens that lie on the table.
    fn escrow(&self) -> i64 {
        0
    }

    /// What of that belongs to this seat if the match is stopped here and nobody has won: all seats together, all of
    /// [`Script::escrow`]. The house pays it back.
    fn refund(&self, seat: Seat) -> i64 {
        let _ = seat;
        0
    }

    /// How much patience there is with a lost connection under these settings; `None` leaves it to the house.
    fn disconnect_policy(settings: &Self::Settings) -> Option<DisconnectPolicy> {
        let _ = settings;
        None
    }

    /// What can be set, as a JSON Schema: names and types by themselves, and what the script adds to them.
    #[must_use]
    fn schema() -> Json {
        Schema::of(&serde_json::to_value(Self::Settings::default()).expect("settings are plain data")).json()
    }

    /// What the house needs to know before a match of this script runs.
    #[must_use]
    fn def() -> GameDef {
        crate::game_def::for_script::<Self>()
    }

    /// The state that these older rules saved between two segments, brought up to date; `None` where that cannot be
    /// done.
    fn migrate(rules: u32, state: &[u8]) -> Option<Self> {
        let _ = (rules, state);
        None
    }
}
