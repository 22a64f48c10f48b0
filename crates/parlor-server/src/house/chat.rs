//! What was last said at a table, for viewers who come later or come back. It is kept beside the log, in a ring: however
//! much is said, a table takes no more room.

use std::collections::VecDeque;

use parlor_wire::LobbyNews;
use serde::{Deserialize, Serialize};

/// How many chat messages of a room or a table are kept for players who join later.
pub(crate) const CHAT_KEPT_MAX: usize = 50;
/// How many bytes of names and texts of them: they are stored anew with each message.
const CHAT_BYTES_MAX: usize = 8 * 1024;

/// The ring of one table.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptChat {
    /// How many messages there were.
    said: u64,
    /// The last of them, oldest first: names and texts.
    lines: VecDeque<(String, String)>,
}

impl KeptChat {
    pub(crate) fn is_empty(&self) -> bool {
        self.said == 0
    }

    /// Keeps a message. Returns its number, from 1.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> u64 {
        self.said += 1;
        self.lines.push_back((name.to_owned(), text.to_owned()));
        while self.lines.len() > CHAT_KEPT_MAX || (self.bytes() > CHAT_BYTES_MAX && self.lines.len() > 1) {
            self.lines.pop_front();
        }
        self.said
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(|(name, text)| name.len() + text.len()).sum()
    }

    /// The kept messages after this number, oldest first.
    pub(crate) fn since(&self, heard: u64) -> impl Iterator<Item = LobbyNews> {
        let before = self.said - self.lines.len() as u64;
        let numbered = self.lines.iter().enumerate().map(move |(at, line)| (before + at as u64 + 1, line));
        numbered.filter(move |(n, _)| *n > heard).map(|(n, (player_name, text))| LobbyNews::Chat {
            n: Some(n),
            player_name: player_name.clone(),
            text: text.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(chat: &KeptChat, heard: u64) -> Vec<u64> {
        let number = |news| match news {
            LobbyNews::Chat { n, .. } => n.expect("a number"),
            other => panic!("{other:?}"),
        };
        chat.since(heard).map(number).collect()
    }

    #[test]
    fn only_the_last_messages_are_kept() {
        let mut chat = KeptChat::default();
        for n in 1..=CHAT_KEPT_MAX as u64 + 3 {
            assert_eq!(chat.add("ann", "hm"), n);
        }
        assert_eq!(numbers(&chat, 0), (4..=CHAT_KEPT_MAX as u64 + 3).collect::<Vec<_>>());
        assert_eq!(numbers(&chat, 51), [52, 53]);
        assert!(numbers(&chat, 99).is_empty(), "a client that has heard more than there was");
    }

    #[test]
    fn long_messages_push_out_more_of_the_old_ones() {
        let mut chat = KeptChat::default();
        for _ in 0..CHAT_KEPT_MAX {
            chat.add("ann", &"x".repeat(1000));
        }
        assert_eq!(numbers(&chat, 0).len(), CHAT_BYTES_MAX / 1003);
        chat.add("ann", &"牌".repeat(CHAT_BYTES_MAX));
        assert_eq!(numbers(&chat, 0), [CHAT_KEPT_MAX as u64 + 1], "the last is kept whatever its size");
    }
}
