//! Cards and zones, based on [`Secrets`]: each card records who was shown it, which gives a game its views, twins and
//! the shuffle after an undo.

use parlor_core::{Facts, Json, Output, Rng, Seat, Seats, Secrets, Slot, Viewer};
use serde::{Deserialize, Serialize};

/// Who sees a card that enters a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Sight {
    /// Every viewer.
    Public,
    /// The owner.
    Private(Seat),
    /// No viewer.
    Hidden,
}

/// The index of a zone, in the order in which the zones were given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Zone(pub u8);

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct CardPosition {
    sight: Sight,
    /// From bottom to top.
    cards: Vec<Slot>,
}

/// All cards of a game, each in its zone. A [`Slot`] is a card's public id; its face is the secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cards {
    faces: Secrets,
    zones: Vec<CardPosition>,
    /// The zone of each card, by its slot.
    at: Vec<Zone>,
}

impl Cards {
    /// These faces, all in the first of these zones, in this order, shown to nobody. Shuffle before you deal.
    ///
    /// # Panics
    /// If there is no zone.
    #[must_use]
    pub fn new(faces: impl IntoIterator<Item = u16>, zones: &[Sight]) -> Self {
        let faces = Secrets::new(faces);
        let mut zones: Vec<CardPosition> =
            zones.iter().map(|sight| CardPosition { sight: *sight, cards: Vec::new() }).collect();
        zones[0].cards = faces.slots().collect();
        let at = vec![Zone(0); faces.len()];
        Self { faces, zones, at }
    }

    /// The cards of a zone, from bottom to top.
    #[must_use]
    pub fn zone(&self, zone: Zone) -> &[Slot] {
        &self.zones[usize::from(zone.0)].cards
    }

    /// The card on top of a zone.
    #[must_use]
    pub fn top(&self, zone: Zone) -> Option<Slot> {
        self.zone(zone).last().copied()
    }

    /// The card at the bottom of a zone.
    #[must_use]
    pub fn bottom(&self, zone: Zone) -> Option<Slot> {
        self.zone(zone).first().copied()
    }

    /// The zone of a card.
    #[must_use]
    pub fn place(&self, card: Slot) -> Zone {
        self.at[usize::from(card.0)]
    }

    /// The face of a card, for the rules alone, never for a view.
    #[must_use]
    #[inline]
    pub fn truth(&self, card: Slot) -> u16 {
        self.faces.truth(card)
    }

    /// The face of a card, if this viewer was shown it.
    #[must_use]
    pub fn face(&self, card: Slot, viewer: Viewer) -> Option<u16> {
        self.faces.face(card, viewer)
    }

    /// The faces of a zone, from the bottom, as far as this viewer knows them.
    pub fn faces(&self, zone: Zone, viewer: Viewer) -> impl Iterator<Item = Option<u16>> {
        self.zone(zone).iter().map(move |card| self.face(*card, viewer))
    }

    /// The card with this face in a zone.
    #[must_use]
    pub fn find(&self, zone: Zone, face: u16) -> Option<Slot> {
        self.zone(zone).iter().copied().find(|card| self.truth(*card) == face)
    }

    /// Moves a card to the top of a zone; the viewers of that zone are shown the card.
    pub fn put(&mut self, card: Slot, to: Zone, out: &mut impl Output<Json>) {
        let from = &mut self.zones[usize::from(self.at[usize::from(card.0)].0)].cards;
        let place = from.iter().rposition(|other| *other == card).expect("a card is where it is");
        from.remove(place);
        self.arrive(card, to, out);
    }

    /// Moves a card to the bottom of a zone.
    pub fn put_under(&mut self, card: Slot, to: Zone, out: &mut impl Output<Json>) {
        self.put(card, to, out);
        self.zones[usize::from(to.0)].cards.rotate_right(1);
    }

    /// Moves the top card of one zone to another; `None` if there is none.
    pub fn draw(&mut self, from: Zone, to: Zone, out: &mut impl Output<Json>) -> Option<Slot> {
        let card = self.zones[usize::from(from.0)].cards.pop()?;
        self.arrive(card, to, out);
        Some(card)
    }

    fn arrive(&mut self, card: Slot, to: Zone, out: &mut impl Output<Json>) {
        let place = &mut self.zones[usize::from(to.0)];
        place.cards.push(card);
        self.at[usize::from(card.0)] = to;
        self.faces.show(card, sees(place.sight), out);
    }

    /// Moves every card to one zone. Call [`Cards::shuffle`] next: until then, viewers still know the cards they were
    /// shown.
    pub fn gather(&mut self, to: Zone) {
        for zone in &mut self.zones {
            zone.cards.clear();
        }
        self.zones[usize::from(to.0)].cards.extend(self.faces.slots());
        self.at.fill(to);
    }

    /// Shuffles a zone; no viewer knows any card of it afterwards.
    pub fn shuffle(&mut self, zone: Zone, rng: &mut Rng) {
        self.faces.shuffle(&self.zones[usize::from(zone.0)].cards, rng);
    }

    /// Shuffles the top `n` cards of a zone.
    pub fn shuffle_top(&mut self, zone: Zone, n: usize, rng: &mut Rng) {
        let cards = &self.zones[usize::from(zone.0)].cards;
        self.faces.shuffle(&cards[cards.len().saturating_sub(n)..], rng);
    }

    /// Shuffles the bottom `n` cards of a zone.
    pub fn shuffle_bottom(&mut self, zone: Zone, n: usize, rng: &mut Rng) {
        let cards = &self.zones[usize::from(zone.0)].cards;
        self.faces.shuffle(&cards[..n.min(cards.len())], rng);
    }

    /// Shows a card to these viewers without moving it.
    pub fn show(&mut self, card: Slot, to: Seats, out: &mut impl Output<Json>) {
        self.faces.show(card, to, out);
    }

    /// Shows a card to every viewer.
    pub fn reveal(&mut self, card: Slot, out: &mut impl Output<Json>) {
        self.show(card, Seats::ALL, out);
    }

    /// Shows the top `n` cards of a zone to a seat, from the top.
    pub fn peek(&mut self, zone: Zone, n: usize, seat: Seat, out: &mut impl Output<Json>) -> Vec<Slot> {
        let cards: Vec<Slot> = self.zone(zone).iter().rev().take(n).copied().collect();
        for card in &cards {
            self.faces.show(*card, Seats::only(seat), out);
        }
        cards
    }

    /// The viewers who were shown this card.
    #[must_use]
    pub fn known_to(&self, card: Slot) -> Seats {
        self.faces.known_to(card)
    }

    /// Permutes the cards that none of these viewers was shown: for [`crate::Script::resample`].
    pub fn resample(&mut self, viewers: Seats, rng: &mut Rng) {
        self.faces.resample(viewers, rng);
    }

    /// Adds every card that the viewer was shown: for [`crate::Script::known_facts`].
    pub fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        self.faces.known_facts(viewer, facts);
    }
}

fn sees(sight: Sight) -> Seats {
    match sight {
        Sight::Public => Seats::ALL,
        Sight::Private(owner) => Seats::only(owner),
        Sight::Hidden => Seats::NONE,
    }
}
