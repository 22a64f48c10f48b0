//! Retry keys: an input that a seat sends twice under one key counts once, and the key cannot be used for another
//! input.
//!
//! Apart from the table, because no other part of it needs to know what a key was used for: that is kept as a hash,
//! beside the log, and bounded.

use std::collections::VecDeque;

use parlor_core::limits::KEYS_MAX;
use parlor_core::{Body, HouseCode, Json, Record, Refusal, Seat};
use serde::{Deserialize, Serialize};

/// A retry key and what it was used for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Key {
    key: String,
    /// The hash of the answer given with it; [`UNDO`] for an undo.
    said: String,
    /// The hash of the message in a game's dialect that meant this answer: by itself it no longer does after the answer was
    /// taken. None if the process that read it is gone; then the key alone decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// The match and the record that it came with: a record that was not stored has used no key.
    #[serde(default)]
    at: (u32, u32),
}

/// Stands in for the answer's hash if the key was used for an undo.
const UNDO: &str = "undo";

/// The keys that each seat used last, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct RetryKeys(Vec<VecDeque<Key>>);

impl RetryKeys {
    /// Whether no key was used.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(VecDeque::is_empty)
    }

    /// Forgets the keys of a seat: another player has it now.
    pub(super) fn forget(&mut self, seat: Seat) {
        self.0[seat.index()].clear();
    }

    /// The keys that were used before this match.
    pub(super) fn before(mut self, match_no: u32) -> Self {
        self.0.iter_mut().for_each(|keys| keys.retain(|key| key.at.0 < match_no));
        self
    }

    /// These keys, for exactly this many seats.
    pub(super) fn of_seats(mut self, seats: u8) -> Self {
        self.0.resize(seats as usize, VecDeque::new());
        self
    }

    /// Notes the key of a record, if it has one.
    pub(super) fn note(&mut self, match_no: u32, record: &Record) {
        let Some(key) = &record.key else { return };
        let (seat, said) = match &record.body {
            Body::Answer { seat, answer, .. } => (*seat, parlor_core::view::hash(answer)),
            Body::Undo { seat, .. } => (*seat, UNDO.to_owned()),
            _ => return,
        };
        let keys = &mut self.0[seat.index()];
        keys.truncate(KEYS_MAX - 1);
        keys.push_front(Key { key: key.clone(), said, words: None, at: (match_no, record.seq) });
    }

    /// Notes which message in the game's dialect the key came with.
    pub(super) fn note_words(&mut self, seat: Seat, key: Option<&str>, words: &Json) {
        if let Some(used) = key.and_then(|key| self.0[seat.index()].iter_mut().find(|used| used.key == key)) {
            used.words = Some(parlor_core::view::hash(words));
        }
    }

    /// The result of a message in the game's dialect whose key was used before, and that key; none if it is new.
    pub(super) fn heard(&self, seat: Seat, words: &Json) -> Option<(String, Result<(), Refusal>)> {
        let key = words["requestKey"].as_str().or_else(|| words["actionId"].as_str())?;
        let used = self.0.get(seat.index())?.iter().find(|used| used.key == key && used.said != UNDO)?;
        let hash = parlor_core::view::hash(words);
        let same = used.words.as_ref().is_none_or(|words| *words == hash);
        Some((key.to_owned(), if same { Ok(()) } else { Err(reused()) }))
    }

    /// Whether this answer was accepted before under the same key.
    ///
    /// # Errors
    /// `key_reused` if the key was used for something else.
    pub(super) fn answered(&self, seat: Seat, key: Option<&str>, answer: &Json) -> Result<bool, Refusal> {
        self.used(seat, key, |said| said == parlor_core::view::hash(answer))
    }

    /// Whether an undo was accepted before under the same key.
    ///
    /// # Errors
    /// `key_reused` if the key was used for something else.
    pub(super) fn undone(&self, seat: Seat, key: Option<&str>) -> Result<bool, Refusal> {
        self.used(seat, key, |said| said == UNDO)
    }

    fn used(&self, seat: Seat, key: Option<&str>, same: impl Fn(&str) -> bool) -> Result<bool, Refusal> {
        match key.and_then(|key| self.0[seat.index()].iter().find(|used| used.key == key)) {
            None => Ok(false),
            Some(used) if same(&used.said) => Ok(true),
            Some(_) => Err(reused()),
        }
    }
}

fn reused() -> Refusal {
    Refusal::of(HouseCode::KeyReused, "that requestKey was used for another answer")
}

#[cfg(test)]
mod tests {
    use parlor_core::{AskId, By};
    use serde_json::json;

    use super::*;

    const SEAT: Seat = Seat::new(1);

    fn keyed(key: &str, body: Body) -> Record {
        Record { seq: 1, at: 0, by: By::Human, key: Some(key.to_owned()), body }
    }

    fn answer(answer: Json) -> Body {
        Body::Answer { seat: SEAT, ask: AskId(1), answer }
    }

    #[test]
    fn a_key_stands_for_one_thing_of_one_seat() {
        let mut keys = RetryKeys::default().of_seats(2);
        keys.note(1, &keyed("a", answer(json!(1))));
        keys.note(1, &keyed("u", Body::Undo { seat: SEAT, to: 1 }));
        keys.note(1, &keyed("c", Body::Chat { seat: Some(SEAT), name: String::new(), text: String::new() }));
        assert_eq!(keys.answered(SEAT, Some("a"), &json!(1)), Ok(true));
        assert_eq!(keys.undone(SEAT, Some("u")), Ok(true));
        for fresh in [None, Some("b"), Some("c")] {
            assert_eq!(keys.answered(SEAT, fresh, &json!(1)), Ok(false), "{fresh:?}");
        }
        assert_eq!(keys.answered(Seat::new(0), Some("a"), &json!(2)), Ok(false), "another's key");
        let reused = [keys.answered(SEAT, Some("a"), &json!(2)), keys.undone(SEAT, Some("a"))];
        assert!(reused.into_iter().all(|used| used.is_err_and(|why| why.has(HouseCode::KeyReused))));
        assert!(keys.answered(SEAT, Some("u"), &json!(UNDO)).is_err(), "an answer is no undo");
    }

    #[test]
    fn a_message_of_the_dialect_is_known_by_its_key() {
        let mut keys = RetryKeys::default().of_seats(2);
        let words = |what: &str| json!({"type": what, "requestKey": "a"});
        assert!(keys.heard(SEAT, &words("pass")).is_none());
        keys.note(1, &keyed("a", answer(json!(1))));
        keys.note_words(SEAT, Some("a"), &words("pass"));
        assert_eq!(keys.heard(SEAT, &words("pass")), Some(("a".to_owned(), Ok(()))));
        let other = keys.heard(SEAT, &words("attack")).expect("the key is known");
        assert!(other.1.is_err_and(|why| why.has(HouseCode::KeyReused)));
        assert!(keys.heard(Seat::new(0), &words("pass")).is_none(), "another's key");
        // After a restart the message itself is forgotten.
        let mut again = RetryKeys::default().of_seats(2);
        again.note(1, &keyed("a", answer(json!(1))));
        assert_eq!(again.heard(SEAT, &words("pass")), Some(("a".to_owned(), Ok(()))));
    }

    #[test]
    fn only_the_last_keys_are_kept_and_they_go_over_a_link() {
        let mut keys = RetryKeys::default().of_seats(2);
        for n in 0..=KEYS_MAX {
            keys.note(1, &keyed(&n.to_string(), answer(json!(n))));
        }
        assert_eq!(keys.answered(SEAT, Some("0"), &json!(0)), Ok(false), "forgotten");
        let carried: RetryKeys = serde_json::from_value(json!(keys)).expect("plain data");
        assert_eq!(carried.answered(SEAT, Some("1"), &json!(1)), Ok(true));
        assert_eq!(json!(carried)[1][0]["key"], json!(KEYS_MAX.to_string()), "a list for each seat");
    }

    #[test]
    fn a_record_that_was_not_stored_has_used_no_key() {
        let mut keys = RetryKeys::default().of_seats(2);
        keys.note(1, &keyed("a", answer(json!(1))));
        keys.note(2, &keyed("b", answer(json!(1))));
        let kept = keys.before(2);
        assert_eq!(kept.answered(SEAT, Some("a"), &json!(1)), Ok(true));
        assert_eq!(kept.answered(SEAT, Some("b"), &json!(1)), Ok(false), "of a match that was not stored");
    }
}
