//! The Secret store: hidden faces, and who was shown which.
//!
//! A *slot* identifies a card: public, stable, meaningless. Its *face* is the secret. Rules read it with
//! [`Secrets::truth`]; views are built with [`Secrets::face`], which returns only what the viewer was shown. A
//! shuffle moves faces between slots and forgets who knew them, so that a viewer cannot follow a card by its slot.

use serde::{Deserialize, Serialize};

use crate::game::Output;
use crate::rng::Rng;
use crate::seat::{Seats, Viewer};

/// The public id of a hidden card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slot(pub u16);

/// The hidden facts that one viewer was shown, each with its value. Twins are compared by them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts(Vec<(u32, u32)>);

impl Facts {
    /// Adds a fact by the game's own number for it, with the value that the viewer knows.
    pub fn add(&mut self, fact: u32, value: u32) {
        self.0.push((fact, value));
    }

    /// Each fact with its value, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.0.iter().copied()
    }
}

impl Extend<(u32, u32)> for Facts {
    fn extend<T: IntoIterator<Item = (u32, u32)>>(&mut self, facts: T) {
        self.0.extend(facts);
    }
}

impl FromIterator<(u32, u32)> for Facts {
    fn from_iter<T: IntoIterator<Item = (u32, u32)>>(facts: T) -> Self {
        Self(facts.into_iter().collect())
    }
}

/// Hidden faces, with the viewers who were shown each.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Secrets {
    faces: Vec<u16>,
    known: Vec<Seats>,
}

impl Secrets {
    /// One slot for each face, in this order, shown to nobody. The order is not secret before the first shuffle.
    #[must_use]
    pub fn new(faces: impl IntoIterator<Item = u16>) -> Self {
        let faces: Vec<u16> = faces.into_iter().collect();
        let known = vec![Seats::NONE; faces.len()];
        Self { faces, known }
    }

    /// The number of slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Whether there are no slots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// Every slot.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.faces.len() as u16).map(Slot)
    }

    /// Shuffles the faces of these slots among them; no viewer knows any of them afterwards.
    pub fn shuffle(&mut self, slots: &[Slot], rng: &mut Rng) {
        self.permute(slots, rng);
        for slot in slots {
            self.known[slot.0 as usize] = Seats::NONE;
        }
    }

    /// Shows a face to these viewers ([`Seats::ALL`] reveals it). An `own` undo cannot go back past this.
    pub fn show<E>(&mut self, slot: Slot, to: Seats, out: &mut impl Output<E>) {
        let known = &mut self.known[slot.0 as usize];
        if !known.covers(to) {
            *known = known.and(to);
            out.mark_revealed();
        }
    }

    /// The face, for the rules alone, never for a view.
    #[must_use]
    pub fn truth(&self, slot: Slot) -> u16 {
        self.faces[slot.0 as usize]
    }

    /// The face, if this viewer was shown it.
    #[must_use]
    pub fn face(&self, slot: Slot, viewer: Viewer) -> Option<u16> {
        self.known[slot.0 as usize].sees(viewer).then(|| self.truth(slot))
    }

    /// Who was shown this face.
    #[must_use]
    pub fn known_to(&self, slot: Slot) -> Seats {
        self.known[slot.0 as usize]
    }

    /// Turns this into a twin that none of these viewers can tell from it: the faces that none of them was shown
    /// change places.
    pub fn resample(&mut self, viewers: Seats, rng: &mut Rng) {
        let unknown: Vec<Slot> =
            self.slots().filter(|slot| self.known_to(*slot).shared(viewers).is_empty()).collect();
        self.permute(&unknown, rng);
    }

    /// Adds every slot whose face the viewer was shown, with the face, for [`crate::Game::known_facts`].
    pub fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        for slot in self.slots() {
            if let Some(face) = self.face(slot, viewer) {
                facts.add(slot.0.into(), face.into());
            }
        }
    }

    fn permute(&mut self, slots: &[Slot], rng: &mut Rng) {
        for last in (1..slots.len()).rev() {
            let other = rng.below(last as u32 + 1) as usize;
            self.faces.swap(slots[last].0 as usize, slots[other].0 as usize);
        }
    }
}
