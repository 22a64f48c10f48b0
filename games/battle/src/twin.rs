//! What a viewer does not know: the opponent's layout, whether they have confirmed it, and whether they are present.

use parlor_core::{Facts, Rng, Seat, Seats};

use crate::answer::SlotAnswer;
use crate::card::{Card, Hand};
use crate::end::SEATS;
use crate::layout::{Layout, SLOTS};
use crate::round::AFK_ROUNDS;
use crate::rules::Battle;

/// Facts of one round: a card for each slot of each seat, and whether the round was played.
const FACTS: u32 = 8;
const VERDICT: u32 = 6;

impl Battle {
    /// A match that these viewers cannot distinguish from this one. After the end nothing is hidden.
    pub(crate) fn twin(&self, viewers: Seats, rng: &mut Rng) -> Self {
        let mut twin = *self;
        if self.end.is_some() {
            return twin;
        }
        for seat in SEATS.into_iter().filter(|seat| !viewers.has(*seat)) {
            if self.step == 0 {
                twin.prepare_otherwise(seat, rng);
            } else {
                twin.reveal_otherwise(seat, rng);
            }
        }
        twin
    }

    /// Another PREP of this seat: it may be silent, present without a layout, have drafted, or have confirmed.
    fn prepare_otherwise(&mut self, seat: Seat, rng: &mut Rng) {
        // If PREP ends with the second confirm, it would be over if both had confirmed.
        let both = self.sides.iter().all(|side| side.confirmed);
        let may_confirm = self.waits() || !self.sides[1 - seat.index()].confirmed;
        let hand = self.settings.hands[seat.index()];
        let side = &mut self.sides[seat.index()];
        let said = rng.below(4);
        side.confirmed = if both && !may_confirm { true } else { said == 3 && may_confirm };
        side.present = said > 0 || side.confirmed;
        side.laid = if said > 1 || side.confirmed { any_layout(&hand, rng) } else { Layout::EMPTY };
        // Three empty slots in the round before: only the player knows whether they were present.
        if self.round > 1 && side.last == Layout::EMPTY {
            side.afk = rng.below(AFK_ROUNDS.into()) as u8;
        }
    }

    /// Other cards of this seat in the slots that are not revealed.
    fn reveal_otherwise(&mut self, seat: Seat, rng: &mut Rng) {
        let (shown, hand) = (self.steps_shown(), self.settings.hands[seat.index()]);
        let side = &mut self.sides[seat.index()];
        let mut entries = any_layout(&hand, rng).0.map(SlotAnswer::from);
        for (entry, slot) in entries.iter_mut().zip(side.laid.0).take(shown) {
            *entry = slot.into();
        }
        // Revealed slots come first, from left to right, so `sift` never removes their cards.
        let other = hand.sift(&entries).layout;
        // A player who laid a card was present.
        if other != Layout::EMPTY {
            side.afk = 0;
        }
        side.confirmed = rng.flip_coin() && side.afk == 0;
        side.laid = other;
    }

    /// The public facts of this round and the one before: every revealed card, and whether the round was played or
    /// ended because a player was away.
    pub(crate) fn facts(&self, facts: &mut Facts) {
        let mut round = |round: u32, of: fn(&crate::rules::Side) -> Layout, shown: usize| {
            for seat in SEATS {
                for slot in 0..shown {
                    let card = of(&self.sides[seat.index()]).0[slot];
                    let fact = round * FACTS + (seat.index() * SLOTS + slot) as u32;
                    facts.add(fact, card.map_or(Card::ALL.len() as u32, |card| card as u32));
                }
            }
        };
        round(self.round, |side| side.laid, self.steps_shown());
        if self.round > 1 {
            round(self.round - 1, |side| side.last, SLOTS);
        }
        match self.end {
            Some(end) if self.step == 0 => facts.add(self.round * FACTS + VERDICT, end.code()),
            _ if self.step > 0 => facts.add(self.round * FACTS + VERDICT, 0),
            _ => {}
        }
    }
}

fn any_layout(hand: &Hand, rng: &mut Rng) -> Layout {
    let mut cards = hand.0;
    rng.shuffle(&mut cards);
    let mut layout = Layout::EMPTY;
    for (slot, card) in layout.0.iter_mut().zip(cards) {
        *slot = rng.flip_coin().then_some(card);
    }
    layout
}
