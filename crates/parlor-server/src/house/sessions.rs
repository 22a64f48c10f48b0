//! Sessions: the tokens with which players return to their seats. Only hashes of tokens are kept.

use parlor_core::{Json, Match, Money, Seat, Seed, Viewer};
use parlor_host::TableSettings;
use parlor_store::PlayerId;
use parlor_wire::SeatInfo;
use serde::{Deserialize, Serialize};

use crate::house::chat::KeptChat;

/// A client's own token gives a right to return from this length on; a shorter one is only echoed.
pub(crate) const TOKEN_CHARS_MIN: usize = 16;

/// The hash of a token, as hexadecimal digits.
pub(crate) fn hash(token: &str) -> String {
    blake3::derive_key("parlor 2026 session token", token.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A new token with 128 random bits.
pub(crate) fn fresh_token() -> String {
    random::<16>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Random bytes from the system.
///
/// # Panics
/// If the system has no random bytes: nothing would be secure without them.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has randomness");
    bytes
}

/// The number by which the rules of a table know a player again: of their account, or else of their token. At another
/// table it is another one.
pub(crate) fn player_number(root: &str, player: Option<&str>, token_hash: Option<&str>) -> u64 {
    // A number that every reader of JSON keeps whole.
    const BITS: u32 = 53;
    let Some(who) = player.or(token_hash) else { return 0 };
    let key = blake3::derive_key("parlor 2026 player at a table", format!("{root} {who}").as_bytes());
    let number = u64::from_le_bytes([key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7]]);
    (number >> (u64::BITS - BITS)).max(1)
}

/// A player who may return to a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) name: String,
    /// The hash of the player's token; `None` if they gave none that is long enough.
    pub(crate) token: Option<String>,
    pub(crate) seat: Seat,
    /// The player's account, if they have one.
    #[serde(default)]
    pub(crate) player: Option<String>,
}

/// What the server stores with a table beside its log. Never sent to a client.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct TableFacts {
    /// The table's root seed, in hexadecimal digits.
    pub(crate) root: String,
    pub(crate) sessions: Vec<Session>,
    /// The hash of the creator's token.
    #[serde(default)]
    pub(crate) owner: Option<String>,
    /// How many seats bots have from the start.
    pub(crate) bots: u8,
    pub(crate) settings: TableSettings,
    /// The account of the creator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) owner_player: Option<String>,
    /// The account behind each seat. Where seats do not change hands it stays when its player leaves: they keep what the
    /// seat wins or loses.
    #[serde(default)]
    pub(crate) players: Vec<Option<String>>,
    /// Players who have left while something of theirs is still at the table: what their seat is paid is theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) leavers: Vec<(Seat, String)>,
    /// Whether the match is played for money of the players' accounts.
    #[serde(default)]
    pub(crate) staked: bool,
    #[serde(default, skip_serializing_if = "is_tokens")]
    pub(crate) money: Money,
    /// Whether the match changes the players' ratings.
    #[serde(default)]
    pub(crate) rated: bool,
    /// The spectator delay, in milliseconds.
    #[serde(default)]
    pub(crate) spectator_delay_ms: u64,
    /// The code without which nobody may watch; `None` for a public table.
    #[serde(default)]
    pub(crate) invite: Option<String>,
    /// The position of another match from which this one continues.
    #[serde(default)]
    pub(crate) continued: Option<Continued>,
    /// How the table ended, for lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<TableResult>,
    /// What the table keeps beside its log ([`parlor_host::RecordWrite::beside`]).
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub(crate) beside: Json,
    /// What was last said at the table.
    #[serde(default, skip_serializing_if = "KeptChat::is_empty")]
    pub(crate) chat: KeptChat,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_tokens(money: &Money) -> bool {
    *money == Money::Tokens
}

/// How the last match of a table ended. Public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TableResult {
    /// Who sat in each seat; nobody in one that was free.
    pub(crate) players: Vec<Option<String>>,
    /// The place of each seat, from 1.
    pub(crate) places: Vec<u8>,
    /// A short code of the cause.
    pub(crate) reason: String,
    /// What each seat had, where the game says where that is ([`parlor_core::Lobby::scores`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scores: Option<Vec<i64>>,
}

impl TableResult {
    /// The result of a table whose match is over. A player who left has the name with which the match began.
    pub(crate) fn of(table: &parlor_host::Table) -> Option<Self> {
        let play = table.current_match();
        let outcome = play.outcome()?;
        let began = play.header().house.json();
        let name = |(seat, info): (usize, SeatInfo)| {
            let left = || began["chairs"][seat]["who"]["name"].as_str().map(str::to_owned);
            Some(info.name).filter(|name| !name.is_empty()).or_else(left).filter(|name| !name.is_empty())
        };
        let players = table.seat_infos().into_iter().enumerate().map(name).collect();
        let scores = public_scores(play).and_then(|scores| scores.into_iter().collect());
        let (places, reason) = (outcome.places.to_vec(), outcome.reason.to_string());
        Some(Self { players, places, reason, scores })
    }
}

/// What each seat has in the eyes of the gallery, where the game says where that is ([`parlor_core::Lobby::scores`]);
/// none for a seat that has nothing.
pub(crate) fn public_scores(play: &Match) -> Option<Vec<Option<i64>>> {
    let place = play.def().lobby.scores?;
    let (list, inside) = place.split_once("/*").unwrap_or((place, ""));
    let view = play.view(Viewer::Gallery);
    let seats = view.pointer(list)?.as_array()?;
    Some(seats.iter().map(|seat| seat.pointer(inside)?.as_i64()).collect())
}

/// A position in a match: the table, the number of the match there, and the number of records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Continued {
    pub(crate) id: String,
    #[serde(rename = "match")]
    pub(crate) match_no: u32,
    pub(crate) at: u32,
}

impl TableFacts {
    /// The account behind a seat: of its player, or of the one who has left it and is still paid.
    pub(crate) fn player_at(&self, seat: Seat) -> Option<PlayerId> {
        let leaver = self.leavers.iter().find(|(other, _)| *other == seat).map(|(_, player)| player);
        let player = leaver.or_else(|| self.players.get(seat.index())?.as_ref())?;
        PlayerId::new(player).ok()
    }

    /// How the table ended, once everybody may know: not before the spectators who are held back.
    pub(crate) fn told_result(&self, ended_ms: u64, now_ms: u64) -> Option<&TableResult> {
        self.result.as_ref().filter(|_| now_ms >= ended_ms.saturating_add(self.spectator_delay_ms))
    }

    /// The session of this player.
    pub(crate) fn seat_of_player(&self, player: &PlayerId) -> Option<&Session> {
        self.sessions.iter().find(|session| session.player.as_deref() == Some(player.as_str()))
    }

    pub(crate) fn root(&self) -> Option<Seed> {
        Seed::from_hex(&self.root)
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::to_value(self).expect("facts are plain data")
    }

    /// The session of this token.
    pub(crate) fn seat_of(&self, token: &str) -> Option<&Session> {
        let hashed = hash(token);
        self.sessions.iter().find(|session| session.token.as_deref() == Some(&hashed))
    }
}
