//! Commitments to hidden things, one by one.
//!
//! A match commits to its whole seed, which is published when it is over, or never where that would show what players
//! were free to keep secret. A game that wants to prove single things commits to each with a salt of its own: when a card
//! is shown, its salt is shown with it, and everybody can check that card and no other.
//!
//! The state keeps the commitments alone. The salts follow from the seed and never lie in a state, so that a state that
//! leaks shows nothing that could be tried out against a commitment.

use serde::{Deserialize, Serialize};

use crate::rng::Rng;

/// Commitments to a list of hidden things, in the order in which they were committed to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Commitments {
    /// Which list of the match this is: every list has its own salts.
    list: u32,
    hashes: Vec<[u8; 32]>,
}

/// What opens one commitment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Opened {
    /// Which of the commitments, from 0.
    pub item: u32,
    /// The salt, as 32 hexadecimal digits.
    pub salt: String,
}

/// A commitment as everybody sees it: 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Published([u8; 64]);

impl Published {
    fn of(hash: &[u8; 32]) -> Self {
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(hash) {
            pair.copy_from_slice(&hex_digits(*byte));
        }
        Self(digits)
    }

    /// The digits.
    ///
    /// # Panics
    /// Never: they are digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("hexadecimal digits")
    }
}

impl Serialize for Published {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// The things in one list of commitments.
pub const COMMITMENTS_MAX: usize = 1024;

impl Commitments {
    /// Whether anybody can check what is committed to: not in a simulation.
    #[must_use]
    pub const fn are_made(rng: &Rng) -> bool {
        rng.has_salts()
    }

    /// Commits to these things. `list` tells the lists of one match apart, such as the number of a deal. In a simulation
    /// there is nobody to prove anything to: the list is empty then.
    ///
    /// # Panics
    /// If there are more than [`COMMITMENTS_MAX`].
    #[must_use]
    pub fn to<T: AsRef<[u8]>>(things: &[T], list: u32, rng: &Rng) -> Self {
        assert!(things.len() <= COMMITMENTS_MAX, "commitments_max things can be committed to");
        let hashes = match rng.salts(list) {
            Some(mut salts) => things.iter().map(|thing| hash(&salts.bytes(), thing.as_ref())).collect(),
            None => Vec::new(),
        };
        Self { list, hashes }
    }

    /// The commitments as hexadecimal digits, for everybody.
    #[must_use]
    pub fn published(&self) -> Vec<String> {
        self.each_published().map(|published| published.as_str().to_owned()).collect()
    }

    /// The same one by one, without a list of them.
    pub fn each_published(&self) -> impl ExactSizeIterator<Item = Published> {
        self.hashes.iter().map(Published::of)
    }

    /// Opens one of them: everybody who is shown this and the thing can check it. `None` if there is no such commitment.
    #[must_use]
    pub fn open(&self, item: u32, rng: &Rng) -> Option<Opened> {
        self.hashes.get(item as usize)?;
        let mut salts = rng.salts(self.list)?;
        let salt = (0..=item).map(|_| salts.bytes()).last()?;
        Some(Opened { item, salt: hex(&salt) })
    }
}

/// Whether a thing that was shown is what a published commitment stands for.
#[must_use]
pub fn verify(published: &str, opened: &Opened, thing: &[u8]) -> bool {
    let byte = |n: usize| u8::from_str_radix(opened.salt.get(2 * n..2 * n + 2)?, 16).ok();
    let salt: Option<Vec<u8>> = (0..16).map(byte).collect();
    let salt: Option<[u8; 16]> = salt.and_then(|salt| salt.try_into().ok());
    opened.salt.len() == 32 && salt.is_some_and(|salt| hex(&hash(&salt, thing)) == published)
}

fn hash(salt: &[u8; 16], thing: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("parlor 2026 commitment to one thing");
    hasher.update(salt);
    hasher.update(thing);
    *hasher.finalize().as_bytes()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| hex_digits(*byte).map(char::from)).collect()
}

const fn hex_digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Seed;

    #[test]
    fn each_thing_is_proved_by_itself() {
        let rng = Rng::new(Seed::from_text("commitments"), 3);
        let cards = ["As", "Kd", "2c", "As"];
        let commitments = Commitments::to(&cards, 7, &rng);
        let published = commitments.published();
        assert_ne!(published[0], published[3], "equal things look different");
        for (item, card) in cards.iter().enumerate() {
            let opened = commitments.open(item as u32, &rng).expect("it was committed to");
            assert!(verify(&published[item], &opened, card.as_bytes()));
            assert!(!verify(&published[item], &opened, b"Qh"), "another card does not fit");
            assert!(!verify(&published[(item + 1) % 4], &opened, card.as_bytes()), "nor another place");
        }
        assert_eq!(commitments.open(4, &rng), None);
        assert_ne!(Commitments::to(&cards, 8, &rng).published(), published, "every list has its own salts");
        for salt in ["", "00", "zz", &"g".repeat(32), &"é".repeat(16)] {
            let opened = Opened { item: 0, salt: salt.to_owned() };
            assert!(!verify(&published[0], &opened, b"As"), "{salt:?} is no salt");
        }
    }

    #[test]
    fn a_simulation_commits_to_nothing() {
        let rng = Rng::fast(1);
        let commitments = Commitments::to(&["As"], 0, &rng);
        assert_eq!((commitments.published(), commitments.open(0, &rng)), (Vec::new(), None));
    }
}
