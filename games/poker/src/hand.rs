//! One hand of poker as a value: small, copied without the heap, changed only by [`Hand::apply`].
//!
//! The rules own no generator and no clock. Cards come in as moves (or through [`crate::deal::Rng`]), so a hand can be
//! replayed, searched or dealt by a machine. What may be done is in `legal`, the money in `betting` and `pot`, the order
//! of play in `street`, the end in `showdown`.

use crate::card::{Card, CardSet};
use crate::money::Chips;
use crate::row::Row;
use crate::seat::{SEATS_MAX, Seat, SeatSet};
use crate::setup::{Interpretation, Setup, SetupError};
use crate::variant::Street;

/// What the hand waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    /// Cards are to be dealt.
    Deal,
    /// A player is to exchange cards or stand pat.
    Draw,
    /// A player is to bet, call or fold.
    Bet,
    /// A player is to show or muck.
    Reveal,
    /// Nothing: the chips have been paid out.
    Over,
}

/// A player's own cards; bit i of `up` tells whether card i lies face up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Holding {
    pub(crate) row: Row,
    pub(crate) up: u8,
}

impl Holding {
    pub(crate) fn face_up(&self) -> impl Iterator<Item = Card> {
        self.row.of_bits(self.up)
    }

    #[inline]
    pub(crate) fn add(&mut self, card: Option<Card>, up: bool) {
        self.up |= u8::from(up) << self.row.len();
        self.row.push(card);
    }

    /// Adds cards of which the last `up` lie face up.
    #[inline]
    pub(crate) fn add_all(&mut self, cards: &[Card], up: u8) {
        if up > 0 {
            let down = cards.len() - cards.len().min(up.into());
            let open = (1_u32 << cards.len()) - (1 << down);
            self.up |= (open << self.row.len()) as u8;
        }
        self.row.push_all(cards);
    }

    pub(crate) const fn all_up(&self) -> bool {
        self.up == !(u8::MAX << self.row.len())
    }

    /// Turns every card up that is known.
    pub(crate) fn turn_up_known(&mut self) {
        for (i, card) in self.row.as_slice().iter().enumerate() {
            self.up |= u8::from(card.is_some()) << i;
        }
    }

    pub(crate) const fn turn_up(&mut self) {
        self.up = ((1u16 << self.row.len()) - 1) as u8;
    }
}

/// A hand in progress or over.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Hand {
    pub(crate) setup: Setup,
    pub(crate) phase: Phase,
    pub(crate) street: u8,
    /// Who still has a hand.
    pub(crate) live: SeatSet,
    /// Who is still to act, draw or show in this phase.
    pub(crate) pending: SeatSet,
    pub(crate) actor: u8,
    /// Who opened the street or raised last: the first to show.
    pub(crate) opener: u8,
    /// No more betting is possible, the rest of the cards is dealt.
    pub(crate) all_in: bool,
    pub(crate) betting: crate::betting::Betting,
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) stacks: [Chips; SEATS_MAX],
    /// Bets of this street.
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) bets: [Chips; SEATS_MAX],
    /// Collected from each, apart from dead money.
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) paid: [Chips; SEATS_MAX],
    /// Taken out of pots by each.
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) won: [Chips; SEATS_MAX],
    /// Antes that count for no bet, and dead blinds.
    pub(crate) dead: Chips,
    pub(crate) raked: Chips,
    /// The last bet nobody called: who got how much back.
    pub(crate) uncalled: (u8, Chips),
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) holdings: [Holding; SEATS_MAX],
    /// Cards still to be dealt to each.
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) owed: [u8; SEATS_MAX],
    pub(crate) board_owed: u8,
    pub(crate) boards: [Row; 2],
    /// Which board is being dealt.
    pub(crate) run: u8,
    /// The first street that is dealt twice.
    pub(crate) run_from: u8,
    /// Cards never dealt, as far as they are known.
    pub(crate) deck: CardSet,
    /// Folded and discarded cards, which come back when the deck runs out.
    pub(crate) reserve: CardSet,
    /// Cards left in the deck before it must be reshuffled.
    pub(crate) fresh: u8,
}

impl Hand {
    /// Posts antes and blinds and waits for the first cards.
    ///
    /// # Errors
    /// Everything that is wrong with the setup.
    pub fn start(setup: &Setup) -> Result<Self, SetupError> {
        if !setup.is_sound() {
            return Err(SetupError(setup.faults()));
        }
        let mut hand = Self::blank(setup);
        hand.begin();
        Ok(hand)
    }

    /// Before anything is posted.
    #[inline]
    pub(crate) fn blank(setup: &Setup) -> Self {
        let live = SeatSet::first(setup.players).without(setup.sitting_out);
        Self {
            setup: *setup,
            phase: Phase::Deal,
            street: 0,
            live,
            pending: SeatSet::EMPTY,
            actor: 0,
            opener: 0,
            all_in: false,
            betting: crate::betting::Betting::default(),
            stacks: setup.stacks,
            bets: [0; SEATS_MAX],
            paid: [0; SEATS_MAX],
            won: [0; SEATS_MAX],
            dead: setup.paid_dead[..setup.players].iter().sum(),
            raked: 0,
            uncalled: (0, 0),
            holdings: [Holding::default(); SEATS_MAX],
            owed: [0; SEATS_MAX],
            board_owed: 0,
            boards: [Row::EMPTY; 2],
            run: 0,
            run_from: 0,
            deck: setup.variant.deck(),
            reserve: CardSet::EMPTY,
            fresh: setup.variant.deck().len() as u8,
        }
    }

    /// Posts antes and blinds and owes the first cards.
    pub(crate) fn begin(&mut self) {
        self.post();
        self.open_street();
    }

    /// Antes first, then blinds from what is left.
    fn post(&mut self) {
        let seats = self.live;
        if self.setup.antes[..self.setup.players].iter().any(|&ante| ante > 0) {
            for seat in seats.iter() {
                self.pay(seat, self.setup.antes[seat].min(self.stacks[seat]));
            }
            if self.setup.ante_trimming {
                self.collect();
                self.uncalled = (0, 0);
            } else {
                self.dead += self.bets.iter().sum::<Chips>();
                self.bets = [0; SEATS_MAX];
                self.betting.top = 0;
            }
        }
        let mut nominal = 0;
        for seat in seats.iter() {
            let blind = self.setup.blinds[seat].abs();
            if blind > 0 {
                nominal = nominal.max(blind);
                self.pay(seat, blind.min(self.stacks[seat]));
            }
        }
        // A blind posted short is still a full blind to everyone else.
        if self.setup.interpretation == Interpretation::House {
            self.betting.floor = nominal;
        }
    }

    pub(crate) fn pay(&mut self, seat: Seat, chips: Chips) {
        self.stacks[seat] -= chips;
        self.bets[seat] += chips;
        self.betting.top = self.betting.top.max(self.bets[seat]);
    }

    pub(crate) fn street_rules(&self) -> &'static Street {
        &self.setup.variant.streets()[self.street as usize]
    }

    pub(crate) fn is_last_street(&self) -> bool {
        self.street as usize + 1 == self.setup.variant.streets().len()
    }

    /// What the hand is played under.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What the hand waits for.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The street, counted from 0; `None` once the hand is over.
    #[must_use]
    pub const fn street(&self) -> Option<usize> {
        match self.phase {
            Phase::Over => None,
            _ => Some(self.street as usize),
        }
    }

    /// Number of places.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.setup.players
    }

    /// Who is to bet, draw or show.
    #[must_use]
    pub const fn turn(&self) -> Option<Seat> {
        match self.phase {
            Phase::Bet => Some(self.actor as usize),
            Phase::Draw => self.pending.lowest(),
            Phase::Reveal => self.pending.from(self.opener as usize),
            Phase::Deal | Phase::Over => None,
        }
    }

    /// Who still has a hand.
    #[must_use]
    pub const fn live(&self) -> SeatSet {
        self.live
    }

    /// What each player has left.
    #[must_use]
    pub fn stacks(&self) -> &[Chips] {
        &self.stacks[..self.setup.players]
    }

    /// Bets of this street, not yet collected.
    #[must_use]
    pub fn bets(&self) -> &[Chips] {
        &self.bets[..self.setup.players]
    }

    /// What each player has taken out of the pots.
    #[must_use]
    pub fn won(&self) -> &[Chips] {
        &self.won[..self.setup.players]
    }

    /// What the house took.
    #[must_use]
    pub const fn raked(&self) -> Chips {
        self.raked
    }

    /// The last bet nobody called: whose it was and how much of it went back.
    #[must_use]
    pub fn uncalled(&self) -> Option<(Seat, Chips)> {
        (self.uncalled.1 > 0).then_some((self.uncalled.0 as usize, self.uncalled.1))
    }

    /// A player's own cards.
    #[must_use]
    pub const fn hole(&self, seat: Seat) -> &Row {
        &self.holdings[seat].row
    }

    /// The cards of a player that everyone sees.
    pub fn face_up(&self, seat: Seat) -> impl Iterator<Item = Card> {
        self.holdings[seat].face_up()
    }

    /// Whether card `index` of a player lies face up.
    #[must_use]
    pub const fn is_up(&self, seat: Seat, index: usize) -> bool {
        self.holdings[seat].up >> index & 1 == 1
    }

    /// The board; the second when the rest of it is dealt twice and `run` is 1.
    #[must_use]
    pub const fn board(&self, run: usize) -> &Row {
        &self.boards[run]
    }

    /// How many boards have been begun.
    #[must_use]
    pub const fn boards(&self) -> usize {
        self.run as usize + 1
    }

    /// Whether nobody can bet any more and the rest of the cards is dealt.
    #[must_use]
    pub const fn is_all_in(&self) -> bool {
        self.all_in
    }

    /// Puts other cards in the places of these, everywhere.
    #[cfg(feature = "game")]
    pub(crate) fn map_cards(&mut self, to: impl Fn(Card) -> Card) {
        let row = |row: &mut Row| *row = row.map(&to);
        self.holdings.iter_mut().for_each(|holding| row(&mut holding.row));
        self.boards.iter_mut().for_each(row);
        self.deck = self.deck.iter().map(&to).collect();
        self.reserve = self.reserve.iter().map(&to).collect();
    }

    /// All chips of the hand: stacks, bets, pots and rake. It never changes.
    #[must_use]
    pub fn chips(&self) -> Chips {
        let pots = if self.phase == Phase::Over { 0 } else { self.collected() };
        let at_seats = |chips: &[Chips]| chips[..self.setup.players].iter().sum::<Chips>();
        at_seats(&self.stacks) + at_seats(&self.bets) + pots + self.raked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search copies hands by the million: the state stays within sixteen cache lines and holds nothing on the heap.
    #[test]
    fn a_hand_is_small() {
        assert!(size_of::<Hand>() <= 1024, "{} bytes", size_of::<Hand>());
        assert!(!std::mem::needs_drop::<Hand>());
    }
}
