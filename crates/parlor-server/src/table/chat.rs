//! A table's chat history, for viewers who join later: only stored messages, and only the latest.

use std::collections::VecDeque;

use parlor_core::Body;

use super::store_queue::Entry;
use crate::house::room::state::CHAT_KEPT_MAX;

/// Messages with the names of their authors.
#[derive(Default)]
pub(super) struct ChatHistory {
    kept: VecDeque<(String, String)>,
    /// Messages in the pending write.
    saying: Vec<(String, String)>,
}

impl ChatHistory {
    /// Notes the chat message of a write, if it has one.
    pub(super) fn note(&mut self, entry: &Entry) {
        if let Some(Body::Chat { name, text, .. }) = entry.record().map(|record| &record.body) {
            self.saying.push((name.clone(), text.clone()));
        }
    }

    /// The pending write was stored.
    pub(super) fn stored(&mut self) {
        self.kept.extend(self.saying.drain(..));
        while self.kept.len() > CHAT_KEPT_MAX {
            self.kept.pop_front();
        }
    }

    /// The pending write failed: its messages were never said.
    pub(super) fn unsaid(&mut self) {
        self.saying.clear();
    }

    /// Names and texts, oldest first.
    pub(super) fn lines(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.kept.iter().cloned()
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{By, EncodedRecord, Record};

    use super::*;

    fn line(text: &str) -> Entry {
        let body = Body::Chat { seat: None, name: "ann".to_owned(), text: text.to_owned() };
        let record = EncodedRecord::from(Record { seq: 1, at: 0, by: By::Human, key: None, body });
        Entry::of_record(1, record)
    }

    fn texts(chat: &ChatHistory) -> Vec<String> {
        chat.lines().map(|(_, text)| text).collect()
    }

    #[test]
    fn nobody_hears_what_is_not_stored() {
        let mut chat = ChatHistory::default();
        chat.note(&line("lost"));
        assert!(texts(&chat).is_empty());
        chat.unsaid();
        chat.note(&line("kept"));
        chat.stored();
        chat.stored();
        assert_eq!(texts(&chat), ["kept"]);
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut chat = ChatHistory::default();
        for n in 0..CHAT_KEPT_MAX + 3 {
            chat.note(&line(&n.to_string()));
        }
        chat.stored();
        assert_eq!(texts(&chat).len(), CHAT_KEPT_MAX);
        assert_eq!(texts(&chat)[0], "3");
    }
}
