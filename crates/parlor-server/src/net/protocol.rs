//! How a client and the house speak on one connection: in which codec, and in whose words.
//!
//! Both are decided once, by what was agreed on or by the first frame, and never change. Apart from the connection, because
//! nothing here needs a socket: bytes in, what is meant out, and back.

use std::borrow::Cow;

use parlor_core::{Fault, Json};
use parlor_wire::{ClientMessage, Codec, DetectDialect, Dialect, EncodedMessage, Inbound, LobbyNews};
use serde_json::json;

use crate::net::websocket::Opcode;

/// What a frame means to the house.
pub(super) enum Decoded {
    One(Inbound),
    Many(Vec<Inbound>),
}

/// What both have settled on.
pub(super) struct Protocol {
    /// None until the first frame.
    codec: Option<Codec>,
    /// Whether a subprotocol was agreed on.
    agreed: bool,
    heard_anything: bool,
    /// Another document's names for what is said here.
    dialect: Option<Box<dyn Dialect>>,
}

impl Protocol {
    /// With the codec of a subprotocol, where one was agreed on.
    pub(super) fn new(codec: Option<Codec>) -> Self {
        Self { codec, agreed: codec.is_some(), heard_anything: false, dialect: None }
    }

    // ---- in ----

    /// What a frame means. Without a subprotocol the first one decides how both speak.
    pub(super) fn decode(
        &mut self,
        codec: Codec,
        bytes: &[u8],
        dialects: &[DetectDialect],
    ) -> Result<Decoded, Fault> {
        if *self.codec.get_or_insert(codec) != codec {
            return Err(Fault::new("invalid_message", "the other codec was agreed on"));
        }
        let own_words = self.heard_anything && self.dialect.is_none();
        if own_words
            && codec == Codec::MessagePack
            && let Some(answer) = ClientMessage::plain_answer(bytes)
        {
            return Ok(Decoded::One(Inbound::Table(answer)));
        }
        let value = codec.decode(bytes).map_err(|why| Fault::new("invalid_message", why.to_string()))?;
        self.meaning(value, dialects)
    }

    /// What is meant. The first one decides in which words the two speak.
    fn meaning(&mut self, value: Json, dialects: &[DetectDialect]) -> Result<Decoded, Fault> {
        if !std::mem::replace(&mut self.heard_anything, true) {
            // Whoever agreed on a subprotocol of the house speaks as the house does, unless he names a dialect.
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

    /// Whether somebody else's words are spoken here.
    pub(super) fn is_foreign(&self) -> bool {
        self.dialect.is_some()
    }

    /// Whether a match of this game is taken up again by itself when its player says hello.
    pub(super) fn takes_up(&self, game: &str) -> bool {
        self.dialect.as_ref().is_some_and(|dialect| dialect.takes_up(game))
    }

    /// News in the words of this connection.
    pub(super) fn encode_news(&mut self, news: &LobbyNews) -> Vec<Json> {
        match &mut self.dialect {
            Some(dialect) => dialect.news(news),
            None => vec![serde_json::to_value(news).expect("news are plain data")],
        }
    }

    /// A table's message in another document's words; none where the house's own are spoken.
    pub(super) fn translate(&mut self, message: &EncodedMessage, wall_at_zero: i64) -> Option<Vec<Json>> {
        self.dialect.as_mut().map(|dialect| dialect.message(message, wall_at_zero))
    }

    /// A table's message as it was written for somebody else, where this connection gets the same.
    pub(super) fn ready<'a>(&self, message: &'a EncodedMessage) -> Option<(Opcode, Cow<'a, [u8]>)> {
        let packed = message.packed_if_ready().filter(|_| self.is_packed(message))?;
        Some((Opcode::Binary, Cow::Borrowed(packed)))
    }

    /// A table's message in the house's own words.
    pub(super) fn encode<'a>(
        &self,
        message: &'a EncodedMessage,
        wall_at_zero: i64,
    ) -> (Opcode, Cow<'a, [u8]>) {
        if self.is_packed(message) {
            (Opcode::Binary, Cow::Borrowed(&**message.packed()))
        } else if message.has_deadline() {
            let mut value = serde_json::to_value(message).expect("a message is plain data");
            add_wall_clock(&mut value, wall_at_zero);
            self.to_frame(&value)
        } else {
            self.to_frame(message)
        }
    }

    /// Whether all who speak MessagePack get the very same bytes of this.
    fn is_packed(&self, message: &EncodedMessage) -> bool {
        !message.has_deadline() && self.codec_or_packed() == Codec::MessagePack
    }

    /// Before the client has said anything it is spoken to in MessagePack.
    fn codec_or_packed(&self) -> Codec {
        self.codec.unwrap_or(Codec::MessagePack)
    }

    /// Anything as a frame.
    pub(super) fn to_frame(&self, value: &impl serde::Serialize) -> (Opcode, Cow<'static, [u8]>) {
        let codec = self.codec_or_packed();
        let kind = match codec {
            Codec::Json => Opcode::Text,
            Codec::MessagePack => Opcode::Binary,
        };
        (kind, Cow::Owned(codec.encode(value)))
    }
}

/// Adds the wall clock of each deadline, outside of what is numbered and hashed.
fn add_wall_clock(value: &mut Json, wall_at_zero: i64) {
    for prompt in value.get_mut("requests").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(until) = prompt.get("until").and_then(Json::as_u64) {
            prompt["deadlineTs"] = json!(wall_at_zero + until as i64);
        }
    }
}

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;
