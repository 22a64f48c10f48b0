//! A message that is encoded once, however many clients get it and however long it waits or is kept.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Serialize, Serializer};

use crate::codec::Codec;
use crate::message::{Prompt, PromptKind, ServerMessage};
use crate::update::Update;

/// What a message says about the requests that are open for its viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstRequest {
    /// Nothing: they have not changed.
    Unchanged,
    /// No request is open.
    None,
    /// The first open request has this `inputId`.
    Input(u32),
}

/// A message ready to send. A large one is kept only as MessagePack, a tenth of its size in memory, and decoded when
/// its fields are needed.
#[derive(Clone)]
pub struct EncodedMessage {
    message: OnceLock<Box<ServerMessage>>,
    packed: OnceLock<Arc<[u8]>>,
    v: Option<u64>,
    first_request: FirstRequest,
    has_deadline: bool,
}

impl EncodedMessage {
    /// The message in MessagePack, without what the server adds when it sends: a deadline has no wall-clock time
    /// here.
    pub fn packed(&self) -> &Arc<[u8]> {
        self.packed.get_or_init(|| Codec::MessagePack.encode(&**self).into())
    }

    /// The message in MessagePack, if it has been encoded already.
    #[must_use]
    pub fn packed_if_ready(&self) -> Option<&[u8]> {
        self.packed.get().map(|packed| &**packed)
    }

    /// Decodes a message encoded by [`packed`](Self::packed); none if the bytes are not one.
    #[must_use]
    pub fn unpack(packed: Arc<[u8]>) -> Option<Self> {
        let message: ServerMessage = rmp_serde::from_slice(&packed).ok()?;
        let encoded = Self::about(&message);
        Some(Self { packed: OnceLock::from(packed), ..encoded })
    }

    /// [`ServerMessage::v`], without decoding the message.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        self.v
    }

    /// What the message says about open requests.
    #[must_use]
    pub fn first_request(&self) -> FirstRequest {
        self.first_request
    }

    /// Whether it says when time runs out for somebody.
    #[must_use]
    pub fn has_deadline(&self) -> bool {
        self.has_deadline
    }

    fn about(message: &ServerMessage) -> Self {
        Self::titled(message.v(), message.requests(), message.has_deadline())
    }

    fn titled(v: Option<u64>, requests: Option<&[Prompt]>, has_deadline: bool) -> Self {
        let first = |all: &[Prompt]| {
            let request = all.iter().find(|prompt| prompt.kind == PromptKind::Request);
            request.map_or(FirstRequest::None, |prompt| FirstRequest::Input(prompt.input_id))
        };
        Self {
            message: OnceLock::new(),
            packed: OnceLock::new(),
            v,
            first_request: requests.map_or(FirstRequest::Unchanged, first),
            has_deadline,
        }
    }
}

impl From<Update<'_>> for EncodedMessage {
    fn from(update: Update<'_>) -> Self {
        let packed: Arc<[u8]> = update.packed().into();
        let asks = update.requests.is_some_and(|all| all.iter().any(|prompt| prompt.until.is_some()));
        let has_deadline = asks || update.clocks.is_some_and(|clocks| !clocks.is_empty());
        Self { packed: OnceLock::from(packed), ..Self::titled(Some(update.v), update.requests, has_deadline) }
    }
}

impl From<ServerMessage> for EncodedMessage {
    fn from(message: ServerMessage) -> Self {
        let encoded = Self::about(&message);
        if matches!(message, ServerMessage::Update { .. } | ServerMessage::Snapshot { .. }) {
            let packed: Arc<[u8]> = Codec::MessagePack.encode(&message).into();
            return Self { packed: OnceLock::from(packed), ..encoded };
        }
        Self { message: OnceLock::from(Box::new(message)), ..encoded }
    }
}

impl Deref for EncodedMessage {
    type Target = ServerMessage;

    fn deref(&self) -> &ServerMessage {
        self.message.get_or_init(|| {
            let packed = self.packed.get().expect("a letter is a message or is packed");
            Box::new(rmp_serde::from_slice(packed).expect("what was packed can be read"))
        })
    }
}

impl PartialEq for EncodedMessage {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for EncodedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for EncodedMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::view::changes;
    use parlor_core::{Choice, Json, Outcome, Selector};
    use serde_json::json;

    use super::*;
    use crate::message::{Over, SeatClock};
    use crate::update::UpdateBody;

    fn prompts() -> Vec<Prompt> {
        let nested = Choice::new("b").id("7").nest(vec!["x".into()], 0, 1);
        let choices = vec!["a".into(), nested, Choice::new("c").exclusive().extra()];
        let full = Selector {
            actor: Some("Ann".to_owned()),
            allows_action: Some(json!(true)),
            no_auto_respond: true,
            meta: Some(json!({"of": [1, 2]})),
            ..Selector::pick("All", choices).between(1, 2)
        };
        let plain = Selector::action("Say").count(1);
        let prompt =
            |input_id, selector, until| Prompt { input_id, kind: PromptKind::Request, selector, until };
        vec![prompt(3, full, Some(41_000)), prompt(4, plain, None)]
    }

    #[test]
    fn an_update_that_was_never_made_is_written_as_the_message_is() {
        let (old, new) =
            (json!({"a": [1], "b": {"c~/": 2}, "d": 0}), json!({"a": [1, 5], "b": {"c~/": 3}, "e": null}));
        let (event, over) = (
            json!({"type": "taken"}),
            Over { outcome: Outcome::draw(2, "enough"), text: "A draw".to_owned(), seed: None },
        );
        let prompts = prompts();
        let clock = |bank_ms| SeatClock { seat: parlor_core::Seat::new(1), until: 5_000, bank_ms };
        let clocks = [clock(None), clock(Some(30_000))];
        for (requests, clocks, over) in [
            (None, None, None),
            (Some(prompts.as_slice()), None, Some(&over)),
            (Some(&[][..]), Some(&clocks[..]), None),
            (None, Some(&[][..]), None),
        ] {
            let (events, patch): ([&Json; 1], _) = ([&event], changes(&old, &new));
            let view_hash = "0123456789abcdef";
            let body = UpdateBody::new(&events, &patch, view_hash);
            let update = Update { v: 9, branch_id: 4, body: &body, requests, clocks, over };
            let message = ServerMessage::Update {
                v: 9,
                branch_id: 4,
                events: vec![event.clone()],
                patch: parlor_core::view::diff(&old, &new),
                view_hash: view_hash.to_owned(),
                requests: requests.map(<[Prompt]>::to_vec),
                clocks: clocks.map(<[SeatClock]>::to_vec),
                over: over.cloned(),
            };
            let encoded = EncodedMessage::from(update);
            assert_eq!(**encoded.packed(), Codec::MessagePack.encode(&message)[..]);
            assert_eq!(*encoded, message, "and can be read back");
            let whole = EncodedMessage::from(message);
            assert_eq!(
                (encoded.version(), encoded.first_request(), encoded.has_deadline()),
                (whole.version(), whole.first_request(), whole.has_deadline())
            );
        }
    }

    #[test]
    fn a_prompt_is_one_flat_map() {
        let [full, plain] = &prompts()[..] else { panic!("there are two") };
        for prompt in [full, plain] {
            let mut expected = serde_json::to_value(&prompt.selector).expect("plain data");
            expected["inputId"] = json!(prompt.input_id);
            expected["kind"] = json!("request");
            if let Some(until) = prompt.until {
                expected["until"] = json!(until);
            }
            assert_eq!(serde_json::to_value(prompt).expect("plain data"), expected);
            let packed = Codec::MessagePack.encode(prompt);
            assert_eq!(rmp_serde::from_slice::<Prompt>(&packed).expect("it can be read"), *prompt);
        }
    }
}
