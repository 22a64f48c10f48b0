//! Streams: the numbered messages to one viewer. A stream belongs to a seat or to the gallery, never to a connection.

use std::collections::VecDeque;
use std::sync::Arc;

use parlor_core::ViewText;
use parlor_wire::{EncodedMessage, KeptMessage};

/// How many messages of one stream are kept for clients that reconnect.
pub const KEPT_MESSAGES_MAX: usize = 64;
/// How many bytes of them, as MessagePack. A client that has missed more gets a snapshot.
pub const KEPT_BYTES_MAX: usize = 1024;

/// One viewer's stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stream {
    /// The number of the newest message.
    v: u64,
    /// The view after the newest message; none until a client first listens. Shared with other streams whose viewers
    /// have the same view.
    view: Option<ViewText>,
    /// The last messages, encoded: a fraction of the size of the messages themselves.
    kept: VecDeque<(u64, KeptMessage)>,
    kept_bytes: usize,
}

impl Stream {
    pub(crate) fn new(v: u64) -> Self {
        Self { v, ..Self::default() }
    }

    pub(crate) fn v(&self) -> u64 {
        self.v
    }

    /// The number of the next message. It counts even when no client listens, so that it never reveals who does.
    pub(crate) fn count(&mut self) -> u64 {
        self.v += 1;
        self.v
    }

    pub(crate) fn listens(&self) -> bool {
        self.view.is_some()
    }

    pub(crate) fn listen(&mut self, view: ViewText) {
        self.view = Some(view);
    }

    /// The view after the newest message.
    pub(crate) fn view(&self) -> Option<&ViewText> {
        self.view.as_ref()
    }

    pub(crate) fn keep(&mut self, v: u64, encoded: &EncodedMessage) {
        let kept = encoded.kept().clone();
        self.kept_bytes += kept.len();
        self.kept.push_back((v, kept));
        // The newest is kept whatever its size.
        while self.kept.len() > KEPT_MESSAGES_MAX || (self.kept_bytes > KEPT_BYTES_MAX && self.kept.len() > 1)
        {
            let Some((_, oldest)) = self.kept.pop_front() else { break };
            self.kept_bytes -= oldest.len();
        }
    }

    /// The messages that a client with `last_v` is missing; none if they are no longer kept.
    pub(crate) fn since(&self, last_v: u64, released_v: u64) -> Option<Vec<Arc<EncodedMessage>>> {
        if last_v > released_v {
            return None;
        }
        let missing = self.kept.iter().filter(|(v, _)| *v > last_v);
        let missing: Vec<_> = missing
            .map(|(_, kept)| EncodedMessage::unpack(kept.clone()).map(Arc::new))
            .collect::<Option<_>>()?;
        (missing.len() as u64 == released_v - last_v).then_some(missing)
    }
}

#[cfg(test)]
mod tests {
    use parlor_wire::ServerMessage;

    use super::*;

    /// As many are kept as the limits allow, and no more: `everything_is_bounded`.
    #[test]
    fn the_last_messages_are_kept_and_the_one_before_them_is_not() {
        let message = |v: u64| -> EncodedMessage { ServerMessage::Paused { v, why: None }.into() };
        let bytes = message(1).kept().len();
        let most = (KEPT_BYTES_MAX / bytes).min(KEPT_MESSAGES_MAX) as u64;
        let mut stream = Stream::new(0);
        for v in 1..=most + 1 {
            assert_eq!(stream.count(), v);
            stream.keep(v, &message(v));
        }
        let missed = |last_v: u64| stream.since(last_v, most + 1).map(|missed| missed.len() as u64);
        assert_eq!(missed(1), Some(most), "{bytes} bytes each");
        assert_eq!(missed(0), None, "the first is no longer kept");
        assert_eq!((missed(most + 1), missed(most + 2)), (Some(0), None));
    }
}
