//! The two codecs, JSON and MessagePack, with the same limits.

use std::fmt;

use parlor_core::Json;
use parlor_core::limits::depth;
use serde::Serialize;

use crate::pack;

/// The maximum number of bytes in one frame from a client.
pub const FRAME_BYTES_MAX: usize = 32 * 1024;
/// The maximum nesting depth of one frame from a client.
pub const FRAME_DEPTH_MAX: usize = 20;

/// Most messages fit into this many bytes, which are reserved at once.
const MESSAGE_BYTES_USUAL: usize = 1024;

/// How messages are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codec {
    /// In text frames.
    Json,
    /// In binary frames.
    MessagePack,
}

/// Why a frame could not be decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// More bytes than [`FRAME_BYTES_MAX`].
    TooLong(usize),
    /// Nested deeper than [`FRAME_DEPTH_MAX`].
    TooDeep,
    /// Not valid in this codec.
    Malformed(String),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(bytes) => {
                write!(f, "a frame has {bytes} bytes, frame_bytes_max is {FRAME_BYTES_MAX}")
            }
            Self::TooDeep => write!(f, "a frame is nested deeper than frame_depth_max ({FRAME_DEPTH_MAX})"),
            Self::Malformed(why) => write!(f, "a frame cannot be read: {why}"),
        }
    }
}

impl std::error::Error for DecodeError {}

impl Codec {
    /// Encodes a message.
    ///
    /// # Panics
    /// Never for messages of this crate: they are plain data.
    #[must_use]
    pub fn encode(self, message: &impl Serialize) -> Vec<u8> {
        match self {
            Self::Json => serde_json::to_vec(message).expect("a message is plain data"),
            Self::MessagePack => {
                let mut bytes = Vec::with_capacity(MESSAGE_BYTES_USUAL);
                pack::write(&mut bytes, message).expect("a message is plain data");
                bytes
            }
        }
    }

    /// Decodes a frame from a client.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn decode(self, frame: &[u8]) -> Result<Json, DecodeError> {
        if frame.len() > FRAME_BYTES_MAX {
            return Err(DecodeError::TooLong(frame.len()));
        }
        let value: Json = match self {
            Self::Json => {
                serde_json::from_slice(frame).map_err(|error| DecodeError::Malformed(error.to_string()))?
            }
            Self::MessagePack => {
                rmp_serde::from_slice(frame).map_err(|error| DecodeError::Malformed(error.to_string()))?
            }
        };
        if depth(&value, FRAME_DEPTH_MAX) > FRAME_DEPTH_MAX { Err(DecodeError::TooDeep) } else { Ok(value) }
    }
}
