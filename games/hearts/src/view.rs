//! What one viewer sees of a deal.

use arrayvec::ArrayVec;
use parlor_core::{Seat, Viewer};
use serde::Serialize;
use ts_rs::TS;

use crate::rules::hand;
use crate::{Card, Hearts};

/// What one viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct View {
    /// The number of the deal, from 0.
    pub deal: u32,
    /// Points of the whole match.
    pub scores: [u16; 4],
    /// Whether cards are being passed.
    pub passing: bool,
    /// The viewer's own hand, sorted; nothing for the gallery.
    pub hand: ArrayVec<Card, 13>,
    /// How many cards each hand has.
    pub counts: [u8; 4],
    /// The cards on the table, from the leader on.
    pub trick: ArrayVec<Card, 4>,
    /// Who leads the trick; nobody knows before the cards are passed.
    pub leader: Option<Seat>,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Points taken in this deal.
    pub points: [u8; 4],
    /// Tricks taken in this deal.
    pub tricks: u8,
    /// Whether a heart was played.
    pub broken: bool,
    /// Every card played in this deal before the trick on the table.
    pub gone: ArrayVec<Card, 52>,
}

impl View {
    pub(crate) fn of(game: &Hearts, viewer: Viewer) -> Self {
        let counts = [0, 1, 2, 3].map(|seat| game.cards.zone(hand(Seat::new(seat))).len() as u8);
        Self {
            deal: game.deal,
            scores: game.scores,
            passing: game.passing,
            hand: viewer.seat().map(|seat| game.hand(seat)).unwrap_or_default(),
            counts,
            trick: game.trick(),
            leader: (!game.passing).then_some(game.leader),
            turn: game.turn(),
            points: game.points,
            tricks: game.tricks,
            broken: game.broken,
            gone: game.plays[..4 * usize::from(game.tricks)]
                .iter()
                .map(|play| Card::of(u16::from(play % 64)))
                .collect(),
        }
    }

    /// Whether this card was played.
    #[must_use]
    pub fn gone(&self, card: Card) -> bool {
        self.gone.contains(&card) || self.trick.contains(&card)
    }
}
