//! The codes of refusals: those of the house, and those of games.
//!
//! A client gets a code as text and cannot tell whose it is. Inside the house only [`HouseCode`] decides anything, and a
//! game's text is never turned into one: a game that says `broken` does not stop its table.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What is wrong, for programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
    /// The house says it.
    House(HouseCode),
    /// A game says it, in its own word.
    Game(Cow<'static, str>),
}

impl Code {
    /// The text that clients get.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::House(code) => code.text(),
            Self::Game(text) => text,
        }
    }
}

impl From<HouseCode> for Code {
    fn from(code: HouseCode) -> Self {
        Self::House(code)
    }
}

impl From<&'static str> for Code {
    fn from(text: &'static str) -> Self {
        Self::Game(Cow::Borrowed(text))
    }
}

impl From<String> for Code {
    fn from(text: String) -> Self {
        Self::Game(Cow::Owned(text))
    }
}

impl From<Cow<'static, str>> for Code {
    fn from(text: Cow<'static, str>) -> Self {
        Self::Game(text)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// For clients, which read what a server wrote: a text that the house uses reads as the house's. The house itself decides
/// nothing by a code that it has read.
impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(HouseCode::from_text(&text).map_or(Self::Game(Cow::Owned(text)), Self::House))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Code {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

macro_rules! house_codes {
    ($($(#[$about:meta])* $name:ident = $text:literal,)*) => {
        /// A code of the house: of the engine, the table or the server. A game that means the same says it with the same
        /// code, and then it has the same effect.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        pub enum HouseCode {
            $($(#[$about])* $name,)*
        }

        impl HouseCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The text that clients get.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

house_codes! {
    Actor = "actor",
    AlreadyInGame = "already_in_game",
    AlreadyQueued = "already_queued",
    AtCapacity = "at_capacity",
    AuditorOnly = "auditor_only",
    BadHost = "bad_host",
    Bounds = "bounds",
    Broken = "broken",
    Busy = "busy",
    BuyIn = "buy_in",
    Chat = "chat",
    Count = "count",
    Draining = "draining",
    Ended = "ended",
    Exclusive = "exclusive",
    Exists = "exists",
    Forbidden = "forbidden",
    ForeignHost = "foreign_host",
    ForeignOrigin = "foreign_origin",
    Format = "format",
    Game = "game",
    GameFull = "game_full",
    GameNotFound = "game_not_found",
    GameNotStarted = "game_not_started",
    GameStarted = "game_started",
    HelloFirst = "hello_first",
    HttpsOnly = "https_only",
    IdempotencyKeyReused = "idempotency_key_reused",
    IllegalChoice = "illegal_choice",
    InvalidAvatar = "invalid_avatar",
    InvalidId = "invalid_id",
    InvalidLanguage = "invalid_language",
    InvalidMessage = "invalid_message",
    InvalidName = "invalid_name",
    InvalidNickname = "invalid_nickname",
    InvalidRuleset = "invalid_ruleset",
    KeyReused = "key_reused",
    Kicked = "kicked",
    Killed = "killed",
    Limit = "limit",
    Malformed = "malformed",
    Method = "method",
    NameTaken = "name_taken",
    NeedsRules = "needs_rules",
    NicknameTaken = "nickname_taken",
    NoActions = "no_actions",
    NoItem = "no_item",
    NoMoreActions = "no_more_actions",
    NoRoute = "no_route",
    NoRulesets = "no_rulesets",
    NoUndo = "no_undo",
    NoVisits = "no_visits",
    NobodyHere = "nobody_here",
    NotASocket = "not_a_socket",
    NotAsked = "not_asked",
    NotBroken = "not_broken",
    NotEnoughTokens = "not_enough_tokens",
    NotInGame = "not_in_game",
    NotInvited = "not_invited",
    NotPaused = "not_paused",
    NotQueued = "not_queued",
    NotSeated = "not_seated",
    NotStarted = "not_started",
    NotStored = "not_stored",
    Paused = "paused",
    PeopleMissing = "people_missing",
    PlayerNotFound = "player_not_found",
    PlayersOnly = "players_only",
    RateLimited = "rate_limited",
    ReadOnly = "read_only",
    Refused = "refused",
    RulesetNotFound = "ruleset_not_found",
    Running = "running",
    SeatReserved = "seat_reserved",
    SeatTaken = "seat_taken",
    Seated = "seated",
    Seats = "seats",
    Sequence = "sequence",
    SocketKey = "socket_key",
    SocketVersion = "socket_version",
    Staked = "staked",
    Stale = "stale",
    StaleHead = "stale_head",
    Stopping = "stopping",
    TakenDown = "taken_down",
    Time = "time",
    Title = "title",
    TooBig = "too_big",
    TooManyConnections = "too_many_connections",
    TooManyTables = "too_many_tables",
    TooManyToday = "too_many_today",
    Unauthorized = "unauthorized",
    UndoPending = "undo_pending",
    UnknownAction = "unknown_action",
    UnknownBot = "unknown_bot",
    UnknownChoice = "unknown_choice",
    UnknownGame = "unknown_game",
    UnknownRecord = "unknown_record",
    UnknownSeat = "unknown_seat",
    Writable = "writable",
}

impl HouseCode {
    /// The code with this text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.text() == text)
    }
}

impl fmt::Display for HouseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_text_of_its_own() {
        for code in HouseCode::ALL {
            assert_eq!(HouseCode::from_text(code.text()), Some(*code));
            let word = |c: char| c.is_ascii_lowercase() || c == '_';
            assert!(code.text().chars().all(word), "{code}");
        }
    }

    #[test]
    fn a_game_that_uses_the_text_of_the_house_is_not_the_house() {
        for code in HouseCode::ALL {
            let (ours, theirs) = (Code::from(*code), Code::from(code.text()));
            assert_eq!(ours.text(), theirs.text());
            assert_ne!(ours, theirs);
        }
    }

    #[test]
    fn a_code_takes_no_more_room_than_a_text() {
        assert_eq!(size_of::<Code>(), size_of::<Cow<'static, str>>());
    }
}
