//! A message on its way: written once, however many clients get it and however long it waits or is kept.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Serialize, Serializer};

use crate::codec::Codec;
use crate::message::{Prompt, ServerMessage, Update};

/// A message as it is sent. What is large is held in its MessagePack form alone, which is a tenth of the size of the
/// message; whoever looks into it has it read back.
#[derive(Clone)]
pub struct Letter {
    message: OnceLock<Box<ServerMessage>>,
    packed: OnceLock<Arc<[u8]>>,
    v: Option<u64>,
    asks: Option<Option<u32>>,
    timed: bool,
}

impl Letter {
    /// The message in MessagePack, without anything that is not in it: a deadline has no wall clock here.
    pub fn packed(&self) -> &Arc<[u8]> {
        self.packed.get_or_init(|| Codec::MessagePack.encode(&**self).into())
    }

    /// The letter that was written so; none when nobody wrote it.
    #[must_use]
    pub fn unpack(packed: Arc<[u8]>) -> Option<Self> {
        let message: ServerMessage = rmp_serde::from_slice(&packed).ok()?;
        let letter = Self::about(&message);
        Some(Self { packed: OnceLock::from(packed), ..letter })
    }

    /// [`ServerMessage::v`], without reading the message.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        self.v
    }

    /// Which request it brings, where it says anything about requests.
    #[must_use]
    pub fn asks(&self) -> Option<Option<u32>> {
        self.asks
    }

    /// Whether it tells of a deadline.
    #[must_use]
    pub fn timed(&self) -> bool {
        self.timed
    }

    fn about(message: &ServerMessage) -> Self {
        Self::titled(message.v(), message.requests())
    }

    fn titled(v: Option<u64>, requests: Option<&[Prompt]>) -> Self {
        let first = |all: &[Prompt]| all.iter().find(|prompt| prompt.kind == "request").map(|p| p.input_id);
        Self {
            message: OnceLock::new(),
            packed: OnceLock::new(),
            v,
            asks: requests.map(first),
            timed: requests.is_some_and(|all| all.iter().any(|prompt| prompt.until.is_some())),
        }
    }
}

impl From<Update<'_>> for Letter {
    fn from(update: Update<'_>) -> Self {
        let packed: Arc<[u8]> = Codec::MessagePack.encode(&update).into();
        Self { packed: OnceLock::from(packed), ..Self::titled(Some(update.v), update.requests) }
    }
}

impl From<ServerMessage> for Letter {
    fn from(message: ServerMessage) -> Self {
        let letter = Self::about(&message);
        if matches!(message, ServerMessage::Update { .. } | ServerMessage::Snapshot { .. }) {
            let packed: Arc<[u8]> = Codec::MessagePack.encode(&message).into();
            return Self { packed: OnceLock::from(packed), ..letter };
        }
        Self { message: OnceLock::from(Box::new(message)), ..letter }
    }
}

impl Deref for Letter {
    type Target = ServerMessage;

    fn deref(&self) -> &ServerMessage {
        self.message.get_or_init(|| {
            let packed = self.packed.get().expect("a letter is a message or is packed");
            Box::new(rmp_serde::from_slice(packed).expect("what was packed can be read"))
        })
    }
}

impl PartialEq for Letter {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for Letter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}
