//! Small games that test the contract. Each is killed, undone and twinned, and each has faults that its settings
//! can plant: the kit must catch every one.

pub mod boom;
pub mod cash;
pub mod grid64;
pub mod peek;
pub mod ring;
pub mod sealed;
pub mod slow;
pub mod window;

use parlor_core::Game;
use parlor_core::GameDef;
use serde::{Deserialize, Serialize};

/// A mistake that real games make, planted on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// No fault: the game as it should be.
    #[default]
    None,
    /// The view contains a hash of the whole state.
    StateHash,
    /// Hidden cards have ids that follow from their faces.
    FaceId,
    /// The view lists the seats that the game waits for, although that is secret.
    WaitingFor,
    /// The game pauses only when a seat can act.
    PauseOnlyWhenAsked,
    /// Events are emitted in the order of a hash map.
    HashMapOrder,
    /// The view shows one bit of the next card.
    NextCardBit,
    /// A draft emits an event to every viewer.
    DraftTold,
    /// A request shows the number of requests of the whole table.
    SharedCounter,
    /// After an undo the deck has its old order.
    UndoKeepsDeck,
    /// A payment is made without a posting.
    LostPosting,
}

/// The settings of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The planted fault.
    pub fault: Fault,
}

/// Every probe that has faults to plant.
#[must_use]
pub fn all() -> Vec<GameDef> {
    vec![
        window::Window::def(),
        sealed::Sealed::def(),
        cash::Cash::def(),
        peek::Peek::def(),
        slow::Slow::def(),
        boom::Boom::def(),
    ]
}
