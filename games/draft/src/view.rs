//! What one viewer sees of a draft.

use parlor_core::{Seat, Viewer};
use parlor_script::log;
use serde::Serialize;
use ts_rs::TS;

use crate::{Card, Draft};

/// What one viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct View<'a> {
    /// The round, from 0.
    pub round: u8,
    /// The pack in front of the viewer.
    pub pack: Vec<Card>,
    /// What the viewer has picked.
    pub picked: Vec<Card>,
    /// How many cards each seat has picked.
    pub counts: Vec<usize>,
    /// The decks, once they are laid open.
    pub decks: Vec<Vec<Card>>,
    pub log: Vec<log::View<'a>>,
}

impl<'a> View<'a> {
    pub(crate) fn of(game: &'a Draft, viewer: Viewer) -> Self {
        let own = |cards: fn(&Draft, Seat) -> Vec<Card>| {
            viewer.seat().map(|seat| cards(game, seat)).unwrap_or_default()
        };
        Self {
            round: game.round,
            pack: own(Draft::pack),
            picked: own(Draft::pool),
            counts: game.picked.iter().map(Vec::len).collect(),
            decks: game.decks.iter().map(|deck| game.sorted(deck)).collect(),
            log: game.log.view(viewer),
        }
    }
}
