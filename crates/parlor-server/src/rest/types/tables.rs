//! Tables and matches.

use std::fmt;

use parlor_core::{BotChoice, Ignored, Json, Money, Outcome};
use parlor_store::TableState;
use parlor_wire::{SeatInfo, ServerMessage};
use serde::de::{Error, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Map;

use super::{OrNull, Publication, Text, UpTo, yes};
use crate::house::room::state::ChosenBot;
use crate::house::sessions::Continued;

/// The longest of the times that the creator of a table sets, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// Tables, in the words of the mahjong document.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Games {
    pub(crate) games: Vec<GameRow>,
    /// There are more: what `after` takes for the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
}

/// A table that waits or runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameRow {
    /// The table.
    pub(crate) game_id: String,
    pub(crate) game: &'static str,
    /// People who are there.
    pub(crate) player_count: usize,
    pub(crate) max_players: u8,
    pub(crate) num_bots: u8,
    pub(crate) started: bool,
}

/// Which page of the tables.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GamesQuery {
    /// The `game_id` of the last row you have.
    pub(crate) after: Option<String>,
    /// How many rows at most.
    pub(crate) limit: Option<u64>,
}

/// A new table, in the words of the mahjong document.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameOrder {
    #[cfg_attr(test, schemars(regex(pattern = "^[A-Za-z0-9_-]+$")))]
    pub(crate) game_id: Option<Text<1, 50>>,
    pub(crate) game: Option<String>,
    pub(crate) num_bots: Option<UpTo<3>>,
    /// Which bots in which seats; `num_bots` counts the others.
    #[serde(default)]
    pub(crate) bots: Vec<ChosenBot>,
    #[serde(default)]
    pub(crate) settings: Json,
}

/// It waits for its people.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameMade {
    pub(crate) game_id: String,
    pub(crate) num_bots: u8,
    pub(crate) status: &'static str,
}

/// A new table.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchOrder {
    pub(crate) game: String,
    /// Made up unless said.
    #[cfg_attr(test, schemars(regex(pattern = "^[A-Za-z0-9_-]+$")))]
    pub(crate) id: Option<Text<1, 50>>,
    /// As few as the game allows unless said.
    pub(crate) seats: Option<u8>,
    /// How many of the seats are bots', or which bots in which seats.
    pub(crate) bots: Option<BotsOrder>,
    /// How many more, where `bots` is a list.
    #[serde(rename = "num_bots")]
    pub(crate) num_bots: Option<u8>,
    #[serde(default)]
    pub(crate) settings: Json,
    /// How long a player who is lost has to come back.
    pub(crate) away_grace_ms: Option<UpTo<HOUR_MS>>,
    /// How long the table waits for its last player.
    pub(crate) last_human_grace_ms: Option<UpTo<HOUR_MS>>,
    /// How long a bot takes for its turn.
    pub(crate) bot_ms: Option<UpTo<HOUR_MS>>,
    /// The bot that plays for a lost player.
    pub(crate) stand_in_bot: Option<StandIn>,
    /// Makes the match repeatable; it is marked `seeded` and never staked.
    pub(crate) seed: Option<Text<0, 200>>,
    /// Only for those who have its invitation.
    #[serde(default)]
    pub(crate) private: bool,
    /// It begins when everybody is ready.
    #[serde(default)]
    pub(crate) ready_check: bool,
    /// How much later the gallery sees it.
    pub(crate) spectator_delay_ms: Option<UpTo<HOUR_MS>>,
}

/// How many bots, or which.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(untagged, inline))]
pub(crate) enum BotsOrder {
    Count(u8),
    Chosen(Vec<ChosenBot>),
}

// By hand, as is the next: serde's own reader of such a type cannot say what is wrong with a bot.
impl<'de> Deserialize<'de> for BotsOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bots;

        impl<'de> Visitor<'de> for Bots {
            type Value = BotsOrder;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 0 to 255, or a list of bots")
            }

            fn visit_u64<E: Error>(self, n: u64) -> Result<BotsOrder, E> {
                let few = u8::try_from(n);
                few.map(BotsOrder::Count)
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Unsigned(n), &self))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<BotsOrder, A::Error> {
                Vec::deserialize(value::SeqAccessDeserializer::new(seq)).map(BotsOrder::Chosen)
            }
        }

        deserializer.deserialize_any(Bots)
    }
}

/// A bot by its name, or by its name and level.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(untagged, inline))]
pub(crate) enum StandIn {
    Name(String),
    Choice(BotChoice),
}

impl<'de> Deserialize<'de> for StandIn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bot;

        impl<'de> Visitor<'de> for Bot {
            type Value = StandIn;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a bot, or its name and level")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<StandIn, E> {
                Ok(StandIn::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StandIn, A::Error> {
                BotChoice::deserialize(value::MapAccessDeserializer::new(map)).map(StandIn::Choice)
            }
        }

        deserializer.deserialize_any(Bot)
    }
}

impl From<StandIn> for BotChoice {
    fn from(stand_in: StandIn) -> Self {
        match stand_in {
            StandIn::Name(name) => Self::named(&name),
            StandIn::Choice(choice) => choice,
        }
    }
}

/// A table that waits for its people.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MatchMade {
    pub(crate) id: String,
    pub(crate) status: MatchState,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    /// Needed to start or kill the table.
    pub(crate) owner_token: String,
    /// What each will stake.
    pub(crate) stake: i64,
    /// Where the web client finds it.
    pub(crate) link: String,
    /// The code of a private table.
    pub(crate) invite: Option<String>,
}

/// How far a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum MatchState {
    Waiting,
    Running,
    Paused,
    Finished,
}

impl From<TableState> for MatchState {
    fn from(state: TableState) -> Self {
        match state {
            TableState::Running => Self::Running,
            TableState::Paused => Self::Paused,
            TableState::Finished => Self::Finished,
        }
    }
}

/// In which order tables are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum TableOrder {
    Name,
    Newest,
}

/// Which tables to list.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchesQuery {
    /// Only tables in this state.
    pub(crate) state: Option<MatchState>,
    /// The `id` of the last row you have.
    pub(crate) after: Option<String>,
    /// How many rows at most.
    pub(crate) limit: Option<u64>,
    /// By name unless said; newest: the last one opened first.
    pub(crate) order: Option<TableOrder>,
    /// Only tables of this game; without `state`, only those at which players come and go.
    pub(crate) game: Option<String>,
    /// Only such tables with this smallest bet.
    pub(crate) min_bet: Option<u64>,
    /// Only such tables with so many free seats at least.
    pub(crate) seats_free: Option<u64>,
}

/// Tables.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Matches {
    pub(crate) matches: Vec<MatchRow>,
    /// There may be more: what `after` takes for the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
}

impl Matches {
    /// One page of tables, cut to its limit; any row beyond that says that there are more.
    pub(crate) fn first(mut matches: Vec<MatchRow>, limit: usize) -> Self {
        let more = matches.len() > limit;
        matches.truncate(limit);
        let next = matches.last().filter(|_| more).map(|row| row.id.clone());
        Self { matches, next }
    }
}

/// A table in a list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchRow {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) status: MatchState,
    pub(crate) seats: u8,
    /// While it waits: who is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) people: Option<usize>,
    /// While it waits: how many bots will be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bots: Option<u8>,
    /// Once it runs: the number of the match.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub(crate) match_no: Option<u32>,
    /// Once it runs: when it last changed, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated: Option<u64>,
    /// Once it runs: the people by their seats, and when it is over the bots too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) players: Option<Vec<Option<String>>>,
    /// When it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<TableResult>,
    /// While it runs: what each seat has, as those who watch see it; null for a free seat. Missing where the game has no
    /// such number, or where those who watch see it later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scores: Option<Vec<Option<i64>>>,
    /// How it is to sit down there, where it was asked for by its stakes.
    #[serde(flatten)]
    pub(crate) stakes: Option<Stakes>,
}

impl MatchRow {
    /// A table with what every list says of it.
    pub(crate) fn new(id: String, game: String, status: MatchState, seats: u8) -> Self {
        Self {
            id,
            game,
            status,
            seats,
            people: None,
            bots: None,
            match_no: None,
            updated: None,
            players: None,
            result: None,
            scores: None,
            stakes: None,
        }
    }
}

/// How it is to sit down at a table at which players come and go.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stakes {
    /// Where it was asked for by its stakes.
    pub(crate) seats_free: usize,
    /// The smallest bet, where it was asked for by its stakes.
    pub(crate) min_bet: i64,
    /// Where it was asked for by its stakes.
    pub(crate) buy_in_min: i64,
    /// Where it was asked for by its stakes.
    pub(crate) buy_in_max: i64,
    /// Where it was asked for by its stakes.
    pub(crate) currency: Money,
}

/// How a table ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TableResult {
    /// Of each seat, from 1.
    pub(crate) places: Vec<u8>,
    /// A short code of the cause.
    pub(crate) reason: String,
    /// What each seat had, where the game has such a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scores: Option<Vec<i64>>,
}

/// What a table that runs shows everybody.
#[derive(Serialize)]
pub(crate) struct RunningTable {
    pub(crate) game: &'static str,
    #[serde(rename = "match")]
    pub(crate) match_no: u32,
    pub(crate) seats: Vec<SeatInfo>,
    pub(crate) paused: Option<String>,
    pub(crate) over: bool,
    pub(crate) seeded: bool,
}

/// What somebody may see of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchInfo {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) status: MatchState,
    /// While it waits, their number; then, who sits there.
    pub(crate) seats: SeatsInfo,
    /// Somebody chose the seed, or may know it: never ranked, never staked.
    pub(crate) seeded: bool,
    /// The version of a published ruleset that it is played by.
    pub(crate) ruleset: Option<Publication>,
    /// While it waits: who is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) players: Option<Vec<String>>,
    /// While it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bots: Option<u8>,
    /// While it waits: what each will stake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stake: Option<i64>,
    /// While it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) settings: Option<Json>,
    /// While it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) private: Option<bool>,
    /// The number of the match.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub(crate) match_no: Option<u32>,
    /// Why it is paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) paused: Option<OrNull<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) over: Option<bool>,
    /// The moment of another match from which this one plays on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) continued_from: Option<OrNull<Continued>>,
    /// What they see, once it has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<OrNull<crate::api::schema::Snapshot>>"))]
    pub(crate) snapshot: Option<OrNull<ServerMessage>>,
}

/// The seats of a table: how many, or who sits in each.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged)]
pub(crate) enum SeatsInfo {
    Count(u8),
    Taken(Vec<SeatInfo>),
}

/// How a table is looked at.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ViewQuery {
    /// The code of a private table.
    pub(crate) invite: Option<String>,
    /// Wait so many milliseconds, at most a minute, for something newer than `v`.
    pub(crate) wait: Option<u64>,
    /// The last version you have.
    pub(crate) v: Option<u64>,
}

/// The invitation to a table.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct InviteQuery {
    /// The code of a private table.
    pub(crate) invite: Option<String>,
}

/// A wish for a seat.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct JoinOrder {
    /// Needed without an account.
    #[serde(rename = "player_name")]
    pub(crate) player_name: Option<Text<1, 50>>,
    pub(crate) invite: Option<String>,
    /// At a table that runs; any free one unless said.
    pub(crate) seat: Option<u8>,
    /// What you bring, where players come and go; the most unless said.
    pub(crate) buy_in: Option<i64>,
}

/// A seat.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Joined {
    /// The table.
    pub(crate) id: String,
    /// The key to the seat.
    pub(crate) session_token: String,
    pub(crate) started: bool,
    /// At a table that runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<usize>,
}

/// A wish to keep a seat.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReserveOrder {
    /// Any free one unless said.
    pub(crate) seat: Option<u8>,
}

/// A seat that is kept while its player chooses what to bring.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeatReserved {
    pub(crate) seat: usize,
    /// For how long, in milliseconds.
    pub(crate) for_ms: u64,
    /// The least that a player brings.
    pub(crate) buy_in_min: i64,
    /// The most that a player brings.
    pub(crate) buy_in_max: i64,
    pub(crate) currency: Money,
}

/// Who leaves when this match is over.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RemoveOrder {
    /// Whose.
    pub(crate) seat: u8,
    /// False lets them stay after all.
    #[serde(default = "yes")]
    pub(crate) remove: bool,
}

/// The settings from the next match on.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SettingsOrder {
    /// In the game's own form.
    pub(crate) settings: Json,
}

/// A wish to take an answer back.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct UndoOrder {
    /// Back to this head; the last answer unless said.
    pub(crate) to: Option<u32>,
    pub(crate) request_key: Option<String>,
}

/// An answer to a request.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("anyOf" = [{"required": ["branchId"]}, {"required": ["inputId"]}])))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseOrder {
    /// The head that the answer was given under.
    pub(crate) branch_id: Option<u32>,
    /// The request that it answers.
    pub(crate) input_id: Option<u32>,
    /// Said twice, it is taken once.
    pub(crate) request_key: Option<String>,
    #[serde(flatten)]
    pub(crate) answer: AnswerOrder,
}

/// An answer as the game reads it: what it has beside these fields is passed on.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnswerOrder {
    /// Of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// What is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) selection: Option<Vec<Json>>,
    /// Of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) actor: Option<String>,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(skip))]
    pub(crate) more: Map<String, Json>,
}

/// It was taken.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answered {
    pub(crate) success: bool,
    /// The head after it.
    pub(crate) branch_id: u32,
    /// The key that was given with it.
    pub(crate) request_key: Option<String>,
    /// What of it was not followed, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ignored: Vec<Ignored>,
}

/// Whether somebody wants another match.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RematchOrder {
    /// False withdraws it.
    #[serde(default = "yes")]
    pub(crate) agree: bool,
}

/// Who wants another match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Agreed {
    pub(crate) agreed: Vec<String>,
    /// The table, once all want it.
    pub(crate) game_id: Option<String>,
}

/// What somebody asks of the actions that they can do.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ActionsQuery {
    /// Your own seat, if you name one.
    pub(crate) player_id: Option<String>,
    /// Only what starts from this thing.
    pub(crate) of: Option<String>,
    /// Only this action.
    pub(crate) action: Option<String>,
    /// What you have chosen for it so far: a JSON object of target and id.
    pub(crate) targets: Option<String>,
}

/// What to do, in the game's own words: it reads the rest.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ActionOrder {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(skip))]
    pub(crate) more: Map<String, Json>,
}

/// Which log, and in which form.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LogQuery {
    /// Which match of the table, from 1; the last unless said.
    #[serde(rename = "match")]
    pub(crate) match_no: Option<u64>,
    /// records; events: what you were told so far, with its causes; or a notation of the game's own.
    #[serde(rename = "as")]
    pub(crate) form: Option<String>,
    /// The code of a private table.
    pub(crate) invite: Option<String>,
}

/// Which match to show again.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReplayQuery {
    /// Which match of the table, from 1; the last unless said.
    #[serde(rename = "match")]
    pub(crate) match_no: Option<u64>,
    /// Through whose eyes; the gallery's unless said.
    pub(crate) seat: Option<u64>,
    /// The code of a private table.
    pub(crate) invite: Option<String>,
}

/// Which match to play on from.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ForkQuery {
    /// Which match of the table, from 1; the last unless said.
    #[serde(rename = "match")]
    pub(crate) match_no: Option<u64>,
    /// The code of a private table.
    pub(crate) invite: Option<String>,
}

/// A match that is over, step by step.
// Here and in the next two: fields in the order of their names, as in every reply. These are written without a detour,
// because they may be large.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Replay {
    pub(crate) id: String,
    #[serde(serialize_with = "sorted")]
    pub(crate) outcome: Option<Outcome>,
    /// The version of a published ruleset that it was played by.
    #[serde(serialize_with = "sorted")]
    pub(crate) ruleset: Option<Publication>,
    pub(crate) steps: Vec<ReplayStep>,
}

/// A moment of a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReplayStep {
    /// When, in milliseconds since the match began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<u64>,
    /// What was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) events: Option<Vec<Json>>,
    /// The record that led to it.
    pub(crate) seq: u32,
    /// What was seen then.
    pub(crate) view: Json,
}

/// What somebody was told of a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Told {
    pub(crate) events: Vec<ToldEvent>,
    /// The table.
    pub(crate) id: String,
    /// Where in their stream the last of it is; null where nobody is at the table.
    pub(crate) v: Option<u64>,
}

/// Something that somebody was told.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ToldEvent {
    /// When, in milliseconds since the match began.
    pub(crate) at: u64,
    /// In the game's own words.
    pub(crate) event: Json,
    /// Counted for them alone.
    pub(crate) n: usize,
}

/// Writes a value with its fields in the order of their names.
fn sorted<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::to_value(value).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

/// From where to play on.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ForkOrder {
    /// The record up to which the log is taken.
    pub(crate) at: u64,
    /// Whose seat is yours.
    pub(crate) seat: u8,
    pub(crate) player_name: Option<Text<0, 50>>,
}

/// A table that plays on from a moment of another.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Forked {
    pub(crate) id: String,
    /// The key to the seat.
    pub(crate) session_token: String,
    pub(crate) seat: u8,
    /// Where the web client finds it.
    pub(crate) link: String,
}
