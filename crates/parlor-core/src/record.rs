//! The log: a header and records. The header and the records are the match; everything else follows from them.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::ask::AskId;
use crate::dyn_game::Repair;
use crate::game::{Undo, Visit};
use crate::rng::Seed;
use crate::seat::Seat;

/// The version of this format.
pub const FORMAT: u32 = 1;

/// What a match starts from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the log format.
    pub format: u32,
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// The hash of the rules, where they are data: 64 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The table's settings, as the game takes them.
    pub settings: JsonText,
    pub seats: u8,
    /// Who may take an answer back at this table.
    pub undo: Undo,
    /// The secret; 192 hexadecimal digits, never shown before the match is over.
    #[serde(with = "seed_hex")]
    pub seed: Seed,
    /// Whether somebody chose the seed: then there is no commitment, and no stake.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seeded: bool,
    /// What was published before the players' nonces came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// What the players added to the seed, in seat order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nonces: Vec<String>,
    /// The number of this match at its table, from 1.
    pub match_no: u32,
    /// What the match before left behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carry: Option<Json>,
    /// The counters of each viewer, which belong to the table and run on across a link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Counts>,
    /// What the house itself carries over a link: versions, banks, who sits where. No business of the rules.
    #[serde(default, skip_serializing_if = "JsonText::is_empty")]
    pub house: JsonText,
}

/// Something that is kept for as long as a match runs and looked at hardly ever: JSON as its text, which is a tenth of
/// the size of the value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JsonText(Option<Box<str>>);

impl JsonText {
    /// This, set aside.
    ///
    /// # Panics
    /// Never for plain data.
    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        // By way of a value: its keys are sorted, so that two texts of the same are the same.
        let value = serde_json::to_value(value).expect("what is set aside is plain data");
        Self((!value.is_null()).then(|| value.to_string().into()))
    }

    /// What was set aside; null for nothing.
    ///
    /// # Panics
    /// Never: it was JSON when it was set aside.
    #[must_use]
    pub fn json(&self) -> Json {
        self.0
            .as_deref()
            .map_or(Json::Null, |text| serde_json::from_str(text).expect("it was written as JSON"))
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
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

/// Where the counters of one viewer stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    pub head: u32,
    /// Ids of requests used so far.
    pub inputs: u32,
    /// Requests answered so far: the luck of a bot in this seat is keyed by it.
    pub answers: u32,
}

impl Header {
    /// The header of a first match whose seed somebody chose.
    #[must_use]
    pub fn seeded(def: &crate::GameDef, seats: u8, settings: Json, seed: Seed) -> Self {
        Self {
            format: FORMAT,
            game: def.name.to_owned(),
            rules: def.rules,
            identity: def.identity_hex(),
            settings: JsonText::of(&settings),
            seats,
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
    /// A person.
    Human,
    /// A bot.
    Bot,
    /// Time ran out.
    Clock,
    /// The house, or an operator.
    House,
}

/// One accepted input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the record in its match, from 1.
    pub seq: u32,
    /// Match time, in milliseconds: it stands still while the server is away or the table is paused.
    pub at: u64,
    /// Who caused it.
    pub by: By,
    /// The sender's key for retries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(flatten)]
    pub body: Body,
}

/// A record with its JSON: written once for everybody who needs it, the chain, the log in memory and the store.
#[derive(Clone, PartialEq, Debug)]
pub struct EncodedRecord {
    record: Record,
    json: String,
}

impl EncodedRecord {
    /// Reads what was written.
    ///
    /// # Errors
    /// Why that is no record.
    pub fn read(json: &[u8]) -> Result<Self, serde_json::Error> {
        let json = std::str::from_utf8(json).map_err(serde::de::Error::custom)?;
        Ok(Self { record: serde_json::from_str(json)?, json: json.to_owned() })
    }

    /// How it is written.
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

/// What a record says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "do")]
pub enum Body {
    /// A seat answered. The log holds the answer, not the move: replay checks it again.
    Answer { seat: Seat, ask: AskId, answer: Json },
    /// An ask elapsed.
    Elapsed {
        ask: AskId,
        /// On whom.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// Somebody came or went.
    Visit { visit: Visit },
    /// A seat asks to go back to just before this record. Carried out at once, or when all others agree.
    Undo {
        seat: Seat,
        /// The record to take back, with all that follow it.
        to: u32,
    },
    /// Somebody said something that is no part of the game.
    Chat {
        /// Who, if he sits at the table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// The name he goes by.
        name: String,
        text: String,
    },
    /// The house notes who sits where, who is present, or that clocks stop and go on. No business of the rules.
    Note {
        /// What is noted, in the house's own terms.
        note: Json,
    },
    /// The table stands still.
    Pause { why: String },
    /// The table goes on.
    Resume,
    /// The match is over without a result, for good.
    Kill { why: String },
    /// The operator settled a match in which something did not hold that must always hold.
    #[serde(rename = "settle")]
    Repair { how: Repair, why: String },
    /// Newer rules took the match over here.
    Migrate {
        /// Their version.
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

/// A whole match in one file: the header line, a line for each record, and a last line that says what came out.
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
        let for_purpose = JsonText::of(&house);
        assert_eq!(for_purpose.json(), house);
        assert_eq!(serde_json::to_string(&for_purpose).expect("plain data"), house.to_string());
        assert_eq!(serde_json::from_str::<JsonText>(&house.to_string()).expect("it is JSON"), for_purpose);
        assert!(JsonText::of(&Json::Null).is_empty() && JsonText::default().json().is_null());
    }
}
