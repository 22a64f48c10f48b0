//! Six small games that prove the contract, each made to be killed, undone and twinned, and each with faults that can
//! be planted through its settings: the kit must catch every one.

pub mod boom;
pub mod cash;
pub mod peek;
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
    /// None: the game as it should be.
    #[default]
    None,
    /// The view carries a hash of the whole state.
    StateHash,
    /// Hidden cards are listed by ids that follow from their faces.
    FaceId,
    /// The view lists whom the game waits for, although that is secret.
    WaitingFor,
    /// The game pauses only when somebody can act.
    PauseOnlyWhenAsked,
    /// Something is told in the order of a hash map.
    HashMapOrder,
    /// The view shows one bit of the next card.
    NextCardBit,
    /// A draft is announced to everybody.
    DraftTold,
    /// A request shows how many requests the whole table has had.
    SharedCounter,
    /// After an undo the deck is as it was.
    UndoKeepsDeck,
    /// A payment is made without a posting.
    LostPosting,
}

/// The settings of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What is wrong with the game.
    pub fault: Fault,
}

/// Every probe.
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
