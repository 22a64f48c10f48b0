//! Streams: what one viewer is sent, numbered. A stream belongs to a seat or to the gallery, never to a connection.

use std::collections::VecDeque;
use std::sync::Arc;

use parlor_core::Json;
use parlor_wire::ServerMessage;

/// Messages of one stream kept for clients that come back.
pub const KEPT_MESSAGES_MAX: usize = 64;

/// One viewer's stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stream {
    /// The number of the newest message.
    v: u64,
    /// What the newest message brings a client's view to; none while nobody has ever listened.
    view: Option<Json>,
    kept: VecDeque<Arc<ServerMessage>>,
}

impl Stream {
    pub(crate) fn new(v: u64) -> Self {
        Self { v, ..Self::default() }
    }

    pub(crate) fn v(&self) -> u64 {
        self.v
    }

    /// The number of one more message. Counted even when nobody listens, so that it never tells who does.
    pub(crate) fn count(&mut self) -> u64 {
        self.v += 1;
        self.v
    }

    pub(crate) fn listens(&self) -> bool {
        self.view.is_some()
    }

    pub(crate) fn listen(&mut self, view: Json) {
        self.view = Some(view);
    }

    /// The view after one more message, and the changes that lead to it.
    pub(crate) fn advance(&mut self, view: Json) -> Vec<Json> {
        let changes = match &self.view {
            Some(old) => parlor_core::view::diff(old, &view),
            None => Vec::new(),
        };
        self.view = Some(view);
        changes
    }

    pub(crate) fn keep(&mut self, message: Arc<ServerMessage>) {
        if self.kept.len() == KEPT_MESSAGES_MAX {
            self.kept.pop_front();
        }
        self.kept.push_back(message);
    }

    /// What a client that has `last_v` is missing; none when that is no longer known.
    pub(crate) fn since(&self, last_v: u64, released_v: u64) -> Option<Vec<Arc<ServerMessage>>> {
        if last_v > released_v {
            return None;
        }
        let missing: Vec<_> =
            self.kept.iter().filter(|message| message.v() > Some(last_v)).cloned().collect();
        (missing.len() as u64 == released_v - last_v).then_some(missing)
    }
}
