//! What expressions come to that are worked out from the values of their operands: one function for each, as the table
//! of expressions names it.

use super::{Eval, Scratch};
use crate::machine::board::NO_CELL;
use crate::machine::ids::{CounterId, EntityId};
use crate::machine::program::{Expr, ExprId, NONE};
use crate::machine::state::{Item, State};
use crate::machine::value::{item_value, seat_value};

impl Eval<'_> {
    /// An item that waits on the stack, by its scalar.
    fn waiting(&self, item: i64) -> Option<&Item> {
        self.state.stack.iter().find(|other| item_value(other.order) == item)
    }

    /// The item on the stack that the event is.
    pub(crate) fn event_item(&self) -> i64 {
        let item = self.state.stack.iter().find(|item| item.ev.id == self.ev.id);
        item.map_or(NONE, |item| item_value(item.order))
    }

    /// Whether an item still waits on the stack.
    pub(crate) fn on_stack(&self, item: i64) -> i64 {
        i64::from(self.waiting(item).is_some())
    }

    /// The card that an item on the stack plays, or whose ability it is.
    pub(crate) fn item_card(&self, item: i64) -> i64 {
        let current = self.state.current.as_ref().map(|current| &current.item);
        let mut items = self.state.stack.iter().chain(current);
        let found = items.find(|other| item_value(other.order) == item && other.order != 0);
        found.map(|item| item.this).filter(|this| self.ent(*this).is_some()).unwrap_or(NONE)
    }

    /// Whether the item that resolves is a copy.
    pub(crate) fn is_copy(&self) -> i64 {
        i64::from(self.state.current.as_ref().is_some_and(|current| current.item.copy))
    }

    /// Who moved a card to where it is.
    pub(crate) fn played_by(&self, card: i64) -> i64 {
        self.ent(card).map_or(NONE, |e| Self::owner_seat(self.state.board.entities[e].by))
    }

    /// Whether a card has an activated ability.
    pub(crate) fn has_ability(&self, card: i64, ability: i64) -> i64 {
        let has = |e: EntityId| {
            let parts = self.state.board.abilities(self.program, e);
            parts.flat_map(|part| &part.activated).any(|other| other.value() == ability)
        };
        i64::from(self.ent(card).is_some_and(has))
    }

    /// When a card came to where it is: a number that grows.
    pub(crate) fn arrived(&self, card: i64) -> i64 {
        self.ent(card).map_or(NONE, |e| i64::from(self.state.board.entities[e].since))
    }

    /// Whether a card lies face down.
    pub(crate) fn face_down(&self, card: i64) -> i64 {
        i64::from(self.ent(card).is_some_and(|e| self.state.board.entities[e].down))
    }

    /// The cell of a grid in which a card lies.
    pub(crate) fn cell(&self, card: i64) -> i64 {
        let cell = self.ent(card).map(|e| self.state.board.entities[e].cell);
        cell.filter(|cell| *cell != NO_CELL).map_or(NONE, i64::from)
    }

    /// Whether a seat has lost.
    pub(crate) fn has_lost(&self, seat: i64) -> i64 {
        i64::from(State::seat(seat).is_some_and(|seat| self.state.lost.has(seat)))
    }

    /// The number of the round, from 1.
    pub(crate) fn round(&self) -> i64 {
        i64::from(self.state.board.round_number(self.program))
    }

    /// How many counters of a kind lie on a card.
    pub(super) fn counters(&self, card: i64, kind: CounterId) -> i64 {
        self.ent(card).map_or(0, |e| self.state.board.counters[self.program.counter_at(e, kind)])
    }

    /// The kind of a card.
    pub(super) fn kind_of(&self, card: i64) -> i64 {
        self.ent(card).map_or(NONE, |e| self.state.board.entities[e].def.value())
    }

    /// The zone a card is in.
    pub(super) fn zone_of(&self, card: i64) -> i64 {
        let zone = |e: EntityId| self.program.instances[self.state.board.entities[e].at].zone;
        self.ent(card).map_or(NONE, |e| zone(e).value())
    }

    /// Who owns a card.
    pub(super) fn owner(&self, card: i64) -> i64 {
        self.ent(card).map_or(NONE, |e| Self::owner_seat(self.state.board.entities[e].owner))
    }

    /// The type of the event that an item is.
    pub(super) fn item_event(&self, item: i64) -> i64 {
        self.waiting(item).map_or(NONE, |item| item.ev.ty.value())
    }

    /// The next seat of the same team; nobody where there is none.
    pub(super) fn partner(&self, seat: i64) -> i64 {
        let (Some(n), Some(team)) = (self.seat(seat), self.team_of(seat)) else { return NONE };
        let mut others = self.seats_from(n).skip(1).map(|seat| seat_value(seat.index()));
        others.find(|other| self.team_of(*other) == Some(team)).unwrap_or(NONE)
    }

    /// A value of a small matrix: the keys are expressions whose numbers stand in a row.
    pub(super) fn tabled(
        &self,
        scratch: &mut Scratch,
        table: u16,
        (first, keys): (ExprId, u8),
        default: i64,
    ) -> i64 {
        let mut rows = self.program.tables[usize::from(table)].iter();
        let found = rows.find(|(row, _)| {
            let places = (0..usize::from(keys)).map(|n| (row.get(n), ExprId::at(first.index() + n)));
            let mut keys = places.map(|(key, at)| (key, self.program.exprs[at]));
            keys.all(|(key, expr)| match (key, expr) {
                (Some(key), Expr::Const(expr)) => self.value(scratch, ExprId::at(expr as usize)) == *key,
                _ => false,
            })
        });
        found.map_or(default, |(_, value)| *value)
    }
}
