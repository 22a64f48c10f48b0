//! A message on its way: written once, however many clients get it and however long it is kept for those who come back.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Serialize, Serializer};

use crate::codec::Codec;
use crate::message::ServerMessage;

/// A message and, once somebody has asked for it, its MessagePack form.
#[derive(Clone)]
pub struct Letter {
    message: ServerMessage,
    packed: OnceLock<Arc<[u8]>>,
}

impl Letter {
    /// The message in MessagePack, without anything that is not in it: a deadline has no wall clock here.
    pub fn packed(&self) -> &Arc<[u8]> {
        self.packed.get_or_init(|| Codec::MessagePack.encode(&self.message).into())
    }

    /// The letter that was written so; none when nobody wrote it.
    #[must_use]
    pub fn unpack(packed: Arc<[u8]>) -> Option<Self> {
        let message = rmp_serde::from_slice(&packed).ok()?;
        Some(Self { message, packed: OnceLock::from(packed) })
    }
}

impl From<ServerMessage> for Letter {
    fn from(message: ServerMessage) -> Self {
        Self { message, packed: OnceLock::new() }
    }
}

impl Deref for Letter {
    type Target = ServerMessage;

    fn deref(&self) -> &ServerMessage {
        &self.message
    }
}

impl PartialEq for Letter {
    fn eq(&self, other: &Self) -> bool {
        self.message == other.message
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl Serialize for Letter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.message.serialize(serializer)
    }
}
