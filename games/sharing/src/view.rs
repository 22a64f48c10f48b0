//! What one viewer sees.

use parlor_core::{Seat, Viewer};
use parlor_script::players::Change;
use serde::Serialize;
use ts_rs::TS;

use crate::rules::{DECK, POINTS, hand, table};
use crate::{Animal, Sharing};

/// What one viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct View {
    /// The viewer's own hand.
    pub hand: Vec<Animal>,
    /// What lies before each seat.
    pub seats: Vec<SeatSeen>,
    /// Cards left to draw.
    pub deck: usize,
    /// Whose turn it is, once everybody has laid a card.
    pub active: Option<Seat>,
    /// The round, from 1; 0 while the first cards are laid.
    pub round: u32,
}

/// What lies before one seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct SeatSeen {
    /// How many cards it holds.
    pub hand: usize,
    /// What it laid open.
    pub table: Vec<Animal>,
    /// The symbols that count when a player calls.
    pub symbols: u32,
    pub points: i64,
    /// Where they came from.
    pub history: Vec<Change>,
}

impl View {
    pub(crate) fn of(game: &Sharing, viewer: Viewer) -> Self {
        let seat = |seat: Seat| SeatSeen {
            hand: game.cards.zone(hand(seat)).len(),
            table: game.sorted(game.cards.zone(table(seat))),
            symbols: game.symbols(seat),
            points: game.players.total(seat, POINTS),
            history: game.players.counter(seat, POINTS).map(|c| c.history().to_vec()).unwrap_or_default(),
        };
        Self {
            hand: viewer.seat().map(|seat| game.hand(seat)).unwrap_or_default(),
            seats: (0..game.drawn.len() as u8).map(Seat::new).map(seat).collect(),
            deck: game.cards.zone(DECK).len(),
            active: (game.players.round > 0).then_some(game.active),
            round: game.players.round,
        }
    }
}
