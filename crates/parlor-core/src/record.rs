//! The log: a header and records. They are the match; everything else follows from them.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::ask::AskId;
use crate::dyn_game::Repair;
use crate::game::{Undo, Visit};
use crate::packing::{pack, unpack};
use crate::reasons::{PauseReason, StopReason};
use crate::rng::Seed;
use crate::seat::Seat;

/// The version of this format. Format 1 has no `seated`, and keeps the table's retry keys in `house`; both are read.
pub const FORMAT: u32 = 2;
/// The oldest format that is still read.
pub const FORMAT_OLDEST: u32 = 1;

/// What a match starts from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    pub format: u32,
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// The hash of rules that are data: 64 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// In the game's own form.
    pub settings: JsonText,
    pub seats: u8,
    /// What each seat brings; none for a free seat. Empty if every seat is taken and brings nothing of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seated: Vec<Option<i64>>,
    /// Who may take an answer back at this table.
    pub undo: Undo,
    /// The secret: 192 hexadecimal digits, never published before the match is over.
    #[serde(with = "seed_hex")]
    pub seed: Seed,
    /// Whether the seed was chosen: then there is no commitment, and no stake.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seeded: bool,
    /// The commitment to the seed, published before the players' nonces came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// What the players added to the seed, in seat order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nonces: Vec<String>,
    /// The number of this match at its table, from 1.
    pub match_no: u32,
    /// What the previous match carried over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carry: Option<JsonText>,
    /// The counters of each viewer, which belong to the table and continue across a link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Counts>,
    /// What the table itself carries over a link: versions, banks, who sits where. The rules never see it.
    #[serde(default, skip_serializing_if = "JsonText::is_empty")]
    pub house: JsonText,
}

/// A JSON value that is kept during the whole match but hardly ever read. It is kept as text, a tenth of the size of
/// the value, and a long text is packed.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct JsonText(Kept);

#[derive(Clone, PartialEq, Eq, Default)]
enum Kept {
    #[default]
    Nothing,
    Text(Box<str>),
    Packed(Box<[u8]>),
}

/// Shorter texts are kept as they are.
const PACKED_BYTES_MIN: usize = 512;

impl JsonText {
    /// Encodes a value.
    ///
    /// # Panics
    /// Never for plain data.
    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        // Through a `Value`, which sorts its keys: equal values give equal texts.
        let value = serde_json::to_value(value).expect("what is set aside is plain data");
        if value.is_null() {
            return Self::default();
        }
        let text = value.to_string();
        Self(if text.len() < PACKED_BYTES_MIN {
            Kept::Text(text.into())
        } else {
            Kept::Packed(pack(text.as_bytes()))
        })
    }

    /// The value; null if empty.
    ///
    /// # Panics
    /// Never: it was JSON when it was encoded.
    #[must_use]
    pub fn json(&self) -> Json {
        let read = match &self.0 {
            Kept::Nothing => return Json::Null,
            Kept::Text(text) => serde_json::from_str(text),
            Kept::Packed(packed) => serde_json::from_slice(&unpack(packed, &[])),
        };
        read.expect("it was written as JSON")
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == Kept::Nothing
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.json())
    }
}

impl Serialize for JsonText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of(&Json::deserialize(deserializer)?))
    }
}

/// The counters of one viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    pub head: u32,
    /// Ids of requests used so far.
    pub inputs: u32,
    /// Requests answered so far: the key of the random stream of a bot in this seat.
    pub answers: u32,
}

impl Header {
    /// The header of a first match with a chosen seed.
    #[must_use]
    pub fn seeded(def: &crate::GameDef, seats: u8, settings: Json, seed: Seed) -> Self {
        Self {
            format: FORMAT,
            game: def.name.to_owned(),
            rules: def.rules,
            identity: def.identity_hex(),
            settings: JsonText::of(&settings),
            seats,
            seated: Vec::new(),
            undo: def.undo,
            seed,
            seeded: true,
            commitment: None,
            nonces: Vec::new(),
            match_no: 1,
            carry: None,
            counts: Vec::new(),
            house: JsonText::default(),
        }
    }

    /// The header of a first match with a secret seed, to which the server commits.
    #[must_use]
    pub fn committed(def: &crate::GameDef, seats: u8, settings: Json, seed: Seed) -> Self {
        let commitment = Some(seed.commitment());
        Self { seeded: false, commitment, ..Self::seeded(def, seats, settings, seed) }
    }
}

mod seed_hex {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::rng::Seed;

    pub(super) fn serialize<S: Serializer>(seed: &Seed, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&seed.to_hex())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        let text = String::deserialize(deserializer)?;
        Seed::from_hex(&text).ok_or_else(|| serde::de::Error::custom("a seed is 192 hexadecimal digits"))
    }
}

/// Who caused a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    Human,
    Bot,
    /// A clock ran out.
    Clock,
    /// The server itself, or an operator.
    House,
}

/// One accepted input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the record in its match, from 1.
    pub seq: u32,
    /// Match time, in milliseconds: it does not pass while the server is down or the table is paused.
    pub at: u64,
    pub by: By,
    /// The sender's retry key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(flatten)]
    pub body: Body,
}

/// A record with its JSON, which is encoded once for the hash chain, the log in memory and the store.
#[derive(Clone, PartialEq, Debug)]
pub struct EncodedRecord {
    record: Record,
    json: String,
}

impl EncodedRecord {
    /// Decodes a record.
    ///
    /// # Errors
    /// Why that is no record.
    pub fn read(json: &[u8]) -> Result<Self, serde_json::Error> {
        let json = std::str::from_utf8(json).map_err(serde::de::Error::custom)?;
        Ok(Self { record: serde_json::from_str(json)?, json: json.to_owned() })
    }

    /// The record's JSON.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The record alone.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record
    }
}

impl From<Record> for EncodedRecord {
    fn from(record: Record) -> Self {
        let json = serde_json::to_string(&record).expect("a record is plain data");
        Self { record, json }
    }
}

impl Deref for EncodedRecord {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

/// The content of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "do")]
pub enum Body {
    /// A seat answered. The log contains the answer, not the move: replay checks it again.
    Answer { seat: Seat, ask: AskId, answer: Json },
    /// An ask elapsed.
    Elapsed {
        ask: AskId,
        /// The seat whose own clock ran out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// A player joined, left, disconnected or reconnected.
    Visit { visit: Visit },
    /// A seat asks to go back to just before this record. Carried out at once, or when all others agree.
    Undo {
        seat: Seat,
        /// The record to take back, with all that follow it.
        to: u32,
    },
    /// A chat message. Tables keep what is said beside their logs; logs written before they did have it.
    Chat {
        /// The sender's seat; none for a spectator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// The sender's name.
        name: String,
        text: String,
    },
    /// The table notes who sits where, or who is connected. The rules never see it.
    Note {
        /// In the table's own form.
        note: Json,
    },
    /// The match is paused.
    Pause { why: PauseReason },
    /// The match is resumed.
    Resume,
    /// The match is over without a result, for good.
    Kill { why: StopReason },
    /// The operator repaired a broken invariant.
    #[serde(rename = "settle")]
    Repair { how: Repair, why: String },
    /// Newer rules took the match over here.
    Migrate {
        /// The version of the newer rules.
        rules: u32,
        /// The state they start from, in hexadecimal digits.
        state: String,
    },
}

impl Body {
    /// Whether the rules see this record.
    #[must_use]
    pub fn reaches_rules(&self) -> bool {
        matches!(
            self,
            Self::Answer { .. }
                | Self::Elapsed { .. }
                | Self::Visit { .. }
                | Self::Repair { .. }
                | Self::Migrate { .. }
        )
    }
}

/// The last line of a log file, after the header and the records: what replay must arrive at.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Footer {
    /// The digest of the state and its outcome.
    pub digest: String,
    /// The hash chain over header and records.
    pub chain: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_set_aside_is_written_as_the_value_it_was() {
        let house = json!({"chairs": [{"who": "Ann"}], "banks": [0, 1], "a": null});
        let long = json!(vec![house.clone(); 30]);
        for house in [house, long] {
            let for_purpose = JsonText::of(&house);
            assert_eq!(for_purpose.json(), house);
            assert_eq!(serde_json::to_string(&for_purpose).expect("plain data"), house.to_string());
            assert_eq!(
                serde_json::from_str::<JsonText>(&house.to_string()).expect("it is JSON"),
                for_purpose
            );
        }
        assert!(JsonText::of(&Json::Null).is_empty() && JsonText::default().json().is_null());
    }
}
