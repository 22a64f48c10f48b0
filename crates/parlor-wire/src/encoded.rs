//! A message that is encoded once, however many clients get it and however long it waits or is kept.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use parlor_core::packing::{Known, pack, unpack};
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

/// The messages of one record are packed together where all of them have so many bytes, those of which each has so many:
/// shorter ones, and few of them, are kept as they are, because what tells two of them apart takes as much memory.
const TOGETHER_BYTES_MIN: usize = 2048;
const ALIKE_BYTES_MIN: usize = 256;
/// A message is packed by itself from this length on.
const PACKED_BYTES_MIN: usize = 2048;

/// A message in MessagePack, as it waits or is kept. Large ones are packed: the viewers of a table are told much the same of
/// a record, each under numbers of their own.
#[derive(Clone, Debug)]
pub struct KeptMessage(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Plain(Arc<[u8]>),
    Packed(Arc<Packed>),
}

#[derive(Debug)]
struct Packed {
    /// The message from which the bytes tell it apart; none if they stand for themselves.
    like: Option<KeptMessage>,
    /// How many bytes the message has.
    len: usize,
    bytes: Box<[u8]>,
}

impl KeptMessage {
    fn plain(packed: impl Into<Arc<[u8]>>) -> Self {
        Self(Kept::Plain(packed.into()))
    }

    /// As these bytes, if they take much less memory than the message has.
    fn of(&self, like: Option<&Self>, bytes: Box<[u8]>) -> Self {
        let len = self.len();
        if bytes.len() + size_of::<Packed>() > len / 4 * 3 {
            return self.clone();
        }
        Self(Kept::Packed(Arc::new(Packed { like: like.cloned(), len, bytes })))
    }

    /// How many bytes the message has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no message is empty")]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Plain(bytes) => bytes.len(),
            Kept::Packed(packed) => packed.len,
        }
    }

    /// The bytes of the message.
    #[must_use]
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.0 {
            Kept::Plain(bytes) => Cow::Borrowed(bytes),
            Kept::Packed(packed) => {
                let known = packed.like.as_ref().map(Self::bytes).unwrap_or_default();
                Cow::Owned(unpack(&packed.bytes, &known))
            }
        }
    }
}

/// A message ready to send. A large one is kept only as MessagePack, a tenth of its size in memory, and decoded when
/// its fields are needed.
#[derive(Clone)]
pub struct EncodedMessage {
    message: OnceLock<Box<ServerMessage>>,
    packed: OnceLock<KeptMessage>,
    v: Option<u64>,
    first_request: FirstRequest,
    has_deadline: bool,
}

impl EncodedMessage {
    /// The message in MessagePack, without what the server adds when it sends: a deadline has no wall-clock time
    /// here.
    pub fn packed(&self) -> Cow<'_, [u8]> {
        self.kept().bytes()
    }

    /// The message in MessagePack, if it has been encoded already.
    #[must_use]
    pub fn packed_if_ready(&self) -> Option<Cow<'_, [u8]>> {
        self.packed.get().map(KeptMessage::bytes)
    }

    /// The message to be kept.
    pub fn kept(&self) -> &KeptMessage {
        self.packed.get_or_init(|| KeptMessage::plain(Codec::MessagePack.encode(&**self)))
    }

    /// Packs the messages of one record, those that are large, as what tells them from the first of these. `message` is
    /// where an item has its message.
    pub fn pack_together<T>(items: &mut [T], message: impl Fn(&mut T) -> &mut Self) {
        let len = |item: &mut T| message(item).packed.get().map_or(0, KeptMessage::len);
        if items.iter_mut().map(len).sum::<usize>() < TOGETHER_BYTES_MIN {
            return;
        }
        let is_large =
            |message: &&mut Self| message.packed.get().is_some_and(|packed| packed.len() >= ALIKE_BYTES_MIN);
        let mut large = items.iter_mut().map(&message).filter(is_large);
        let Some(first) = large.next() else { return };
        let told = first.packed();
        let told = &*told.into_owned();
        if told.len() >= PACKED_BYTES_MIN {
            first.packed = first.kept().of(None, pack(told)).into();
        }
        let (like, known) = (first.kept(), std::cell::OnceCell::new());
        for message in large {
            let known = known.get_or_init(|| Known::new(told));
            let bytes = known.pack(&message.packed(), told);
            message.packed = message.kept().of(Some(like), bytes).into();
        }
    }

    /// The message that was kept; none if the bytes are not one.
    #[must_use]
    pub fn unpack(kept: KeptMessage) -> Option<Self> {
        let message: ServerMessage = rmp_serde::from_slice(&kept.bytes()).ok()?;
        let encoded = Self::about(&message);
        Some(Self { packed: OnceLock::from(kept), ..encoded })
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
        let packed = KeptMessage::plain(update.packed());
        let asks = update.requests.is_some_and(|all| all.iter().any(|prompt| prompt.until.is_some()));
        let has_deadline = asks || update.clocks.is_some_and(|clocks| !clocks.is_empty());
        Self { packed: OnceLock::from(packed), ..Self::titled(Some(update.v), update.requests, has_deadline) }
    }
}

impl From<ServerMessage> for EncodedMessage {
    fn from(message: ServerMessage) -> Self {
        let encoded = Self::about(&message);
        if matches!(message, ServerMessage::Update { .. } | ServerMessage::Snapshot { .. }) {
            let packed = KeptMessage::plain(Codec::MessagePack.encode(&message));
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
            Box::new(rmp_serde::from_slice(&packed.bytes()).expect("what was packed can be read"))
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
            assert_eq!(*encoded.packed(), Codec::MessagePack.encode(&message)[..]);
            assert_eq!(*encoded, message, "and can be read back");
            let whole = EncodedMessage::from(message);
            assert_eq!(
                (encoded.version(), encoded.first_request(), encoded.has_deadline()),
                (whole.version(), whole.first_request(), whole.has_deadline())
            );
        }
    }

    #[test]
    fn a_message_that_is_kept_takes_no_room_beside_its_bytes() {
        assert_eq!(size_of::<KeptMessage>(), size_of::<Arc<[u8]>>());
    }

    #[test]
    fn messages_of_one_record_are_packed_together() {
        let told = |v: u64, cards: &str, lines: usize| {
            let lines: Vec<Json> = (0..lines).map(|n| json!(format!("p{n} cbr {}", n * 7_919))).collect();
            let view = json!({"lines": lines, "cards": cards});
            EncodedMessage::from(ServerMessage::Update {
                v,
                branch_id: 4,
                events: vec![view],
                patch: Vec::new(),
                view_hash: String::new(),
                requests: None,
                clocks: None,
                over: None,
            })
        };
        // A kilobyte each is much together, a third of it is not.
        for (lines, large) in [(1, false), (15, false), (60, true), (200, true)] {
            let mut messages =
                [told(7, "AsKd", lines), told(900, "????", lines), told(70_000, "2c2d", lines)];
            let plain = messages.clone().map(|message| message.packed().into_owned());
            EncodedMessage::pack_together(&mut messages, |message| message);
            for (message, plain) in messages.iter().zip(&plain) {
                assert_eq!(*message.packed(), plain[..]);
                assert_eq!(message.kept().len(), plain.len());
                let again = EncodedMessage::unpack(message.kept().clone()).expect("it can be read");
                assert_eq!((again.version(), &*again), (message.version(), &**message));
            }
            let own = |message: &EncodedMessage| match &message.kept().0 {
                Kept::Plain(bytes) => bytes.len(),
                Kept::Packed(packed) => packed.bytes.len(),
            };
            for (message, plain) in messages[1..].iter().zip(&plain[1..]) {
                assert!(if large { own(message) < 60 } else { own(message) == plain.len() }, "{lines}");
            }
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
