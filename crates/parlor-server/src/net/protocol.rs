//! The protocol of one connection: its codec and its dialect.
//!
//! Both are decided once, by the subprotocol or by the first frame, and never change. Apart from the connection,
//! because nothing here needs a socket: it decodes and encodes bytes.

use std::borrow::Cow;

use parlor_core::{Fault, HouseCode, Json};
use parlor_wire::{
    ClientMessage, CloseReason, Codec, DetectDialect, Dialect, EncodedMessage, Inbound, LobbyNews,
};

use crate::net::wall_clock;
use crate::net::websocket::Opcode;

/// The messages of a frame.
pub(super) enum Decoded {
    One(Inbound),
    Many(Vec<Inbound>),
}

/// The codec and the dialect of a connection.
pub(super) struct Protocol {
    /// `None` until the first frame.
    codec: Option<Codec>,
    /// Whether a subprotocol was negotiated.
    agreed: bool,
    heard_anything: bool,
    /// Translates for a client of another document; `None` for Parlor's own protocol.
    dialect: Option<Box<dyn Dialect>>,
}

impl Protocol {
    /// Uses the codec of the subprotocol, if one was negotiated.
    pub(super) fn new(codec: Option<Codec>) -> Self {
        Self { codec, agreed: codec.is_some(), heard_anything: false, dialect: None }
    }

    /// Whether a subprotocol was negotiated.
    pub(super) fn agreed(&self) -> bool {
        self.agreed
    }

    /// Whether the first message has yet to decide the dialect.
    pub(super) fn is_undecided(&self) -> bool {
        !self.heard_anything
    }

    // ---- in ----

    /// Decodes a frame. Without a subprotocol the first frame decides the codec and the dialect.
    pub(super) fn decode(
        &mut self,
        codec: Codec,
        bytes: &[u8],
        dialects: &[DetectDialect],
    ) -> Result<Decoded, Fault> {
        if *self.codec.get_or_insert(codec) != codec {
            return Err(Fault::new(HouseCode::InvalidMessage, "the other codec was agreed on"));
        }
        let own_words = self.heard_anything && self.dialect.is_none();
        if own_words
            && codec == Codec::MessagePack
            && let Some(answer) = ClientMessage::plain_answer(bytes)
        {
            return Ok(Decoded::One(Inbound::Table(answer)));
        }
        let value =
            codec.decode(bytes).map_err(|why| Fault::new(HouseCode::InvalidMessage, why.to_string()))?;
        self.meaning(value, dialects)
    }

    /// Decodes a message. The first one decides the dialect.
    fn meaning(&mut self, value: Json, dialects: &[DetectDialect]) -> Result<Decoded, Fault> {
        if !std::mem::replace(&mut self.heard_anything, true) {
            // A client with one of our subprotocols speaks our own protocol, unless its first message names a
            // dialect.
            let own = self.agreed && value.get("dialect").is_none();
            let dialects = if own { &[] } else { dialects };
            self.dialect = dialects.iter().find_map(|detect| detect(&value));
        }
        match &mut self.dialect {
            Some(dialect) => dialect.decode(value).map(Decoded::Many),
            None => Inbound::read(value).map(Decoded::One),
        }
    }

    // ---- out ----

    /// Whether the client speaks a dialect.
    pub(super) fn is_foreign(&self) -> bool {
        self.dialect.is_some()
    }

    /// Whether the dialect returns a player to a match of this game when they say hello.
    pub(super) fn takes_up(&self, game: &str) -> bool {
        self.dialect.as_ref().is_some_and(|dialect| dialect.takes_up(game))
    }

    /// Encodes a lobby message in the connection's dialect.
    pub(super) fn encode_news(&mut self, news: &LobbyNews) -> Vec<Json> {
        match &mut self.dialect {
            Some(dialect) => dialect.news(news),
            None => vec![serde_json::to_value(news).expect("news are plain data")],
        }
    }

    /// Translates a table's message; `None` if the connection has no dialect.
    pub(super) fn translate(&mut self, message: &EncodedMessage, wall_at_zero: i64) -> Option<Vec<Json>> {
        self.dialect.as_mut().map(|dialect| dialect.message(message, wall_at_zero))
    }

    /// How the dialect ends the connection after what was just told; `None` if it goes on.
    pub(super) fn ends(&self) -> Option<(u16, &'static str)> {
        self.dialect.as_ref().and_then(|dialect| dialect.ends())
    }

    /// The close code and reason in the connection's dialect.
    pub(super) fn close(&self, reason: CloseReason) -> (u16, &'static str) {
        self.dialect.as_ref().map_or(reason.frame(), |dialect| dialect.close(reason))
    }

    /// A table's message as encoded for another connection, if the bytes are the same for this one.
    pub(super) fn ready<'a>(&self, message: &'a EncodedMessage) -> Option<(Opcode, Cow<'a, [u8]>)> {
        let packed = if self.is_packed(message) { message.packed_if_ready()? } else { return None };
        Some((Opcode::Binary, packed))
    }

    /// Encodes a table's message in Parlor's own protocol.
    pub(super) fn encode<'a>(
        &self,
        message: &'a EncodedMessage,
        wall_at_zero: i64,
    ) -> (Opcode, Cow<'a, [u8]>) {
        if self.is_packed(message) {
            (Opcode::Binary, message.packed())
        } else if message.has_deadline() {
            if self.codec_or_packed() == Codec::MessagePack
                && let Some(timed) = wall_clock::add_to_packed(&message.packed(), wall_at_zero)
            {
                return (Opcode::Binary, Cow::Owned(timed));
            }
            let mut value = serde_json::to_value(message).expect("a message is plain data");
            wall_clock::add_to_json(&mut value, wall_at_zero);
            self.to_frame(&value)
        } else {
            self.to_frame(message)
        }
    }

    /// Whether every MessagePack client gets the same bytes for this message.
    fn is_packed(&self, message: &EncodedMessage) -> bool {
        !message.has_deadline() && self.codec_or_packed() == Codec::MessagePack
    }

    /// Until the client's first frame the server uses MessagePack.
    fn codec_or_packed(&self) -> Codec {
        self.codec.unwrap_or(Codec::MessagePack)
    }

    /// Encodes a value as a frame.
    pub(super) fn to_frame(&self, value: &impl serde::Serialize) -> (Opcode, Cow<'static, [u8]>) {
        let codec = self.codec_or_packed();
        let kind = match codec {
            Codec::Json => Opcode::Text,
            Codec::MessagePack => Opcode::Binary,
        };
        (kind, Cow::Owned(codec.encode(value)))
    }
}

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "protocol_fuzz.rs"]
mod fuzz;
