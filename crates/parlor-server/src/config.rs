//! What a server can be told. Every limit has its unit last.

use parlor_host::{OnDisconnect, TableSettings};
use serde::{Deserialize, Serialize};

/// The settings of a server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where to listen.
    pub listen: String,
    /// The file of the store.
    pub database: String,
    /// Tables at once, waiting and running.
    pub tables_max: usize,
    /// Connections at once.
    pub connections_max: usize,
    /// Connections at once from one address.
    pub connections_per_address_max: usize,
    /// Messages a connection may send in a second, in the long run.
    pub messages_per_second: u32,
    /// Messages it may send at once.
    pub messages_burst: u32,
    /// Things a connection may say in the chat in a second, in the long run.
    pub chat_per_second: u32,
    /// Things it may say at once.
    pub chat_burst: u32,
    /// Requests an address may make in a second, in the long run.
    pub requests_per_second: u32,
    /// Requests it may make at once.
    pub requests_burst: u32,
    /// How long a connection may be silent before it is cut, in milliseconds.
    pub heartbeat_ms: u64,
    /// How long a connection has to join a table, in milliseconds.
    pub join_ms: u64,
    /// Commands that wait for one table.
    pub mailbox_max: usize,
    /// Messages that wait for one connection.
    pub outbox_max: usize,
    /// How long a table without anybody stays in memory, in milliseconds.
    pub idle_ms: u64,
    /// How long a table waits for its last human, in milliseconds.
    pub last_human_grace_ms: u64,
    /// How long a player whose connection is lost has to come back, in milliseconds.
    pub away_grace_ms: u64,
    /// How long a bot thinks, in milliseconds.
    pub bot_ms: u64,
    /// Accounts for guests that an address may open in a second, in the long run.
    pub guests_per_second: u32,
    /// Accounts for guests that it may open at once.
    pub guests_burst: u32,
    /// Tokens that a new player gets.
    pub welcome_tokens: i64,
    /// Tokens that every change of a nickname but the first costs.
    pub rename_tokens: i64,
    /// Tables that wait or run at once, made by one player.
    pub tables_per_player_max: usize,
    /// Tables that wait or run at once, made from one address.
    pub tables_per_address_max: usize,
    /// Where the operator's door listens: on loopback alone; nothing shuts it.
    pub admin_listen: String,
    /// The file with the operator's token; nothing: beside the store.
    pub admin_token_file: String,
    /// Web pages that may connect, by origin; pages of this server itself always may.
    pub origins: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8001".to_owned(),
            database: "parlor.sqlite".to_owned(),
            tables_max: 10_000,
            connections_max: 20_000,
            connections_per_address_max: 10_000,
            messages_per_second: 50,
            messages_burst: 80,
            chat_per_second: 2,
            chat_burst: 20,
            requests_per_second: 200,
            requests_burst: 1000,
            heartbeat_ms: 30_000,
            join_ms: 10_000,
            mailbox_max: 256,
            outbox_max: 64,
            idle_ms: 60_000,
            last_human_grace_ms: 120_000,
            away_grace_ms: 15_000,
            bot_ms: 400,
            guests_per_second: 1,
            guests_burst: 200,
            welcome_tokens: 10,
            rename_tokens: 3,
            tables_per_player_max: 50,
            tables_per_address_max: 5_000,
            admin_listen: "127.0.0.1:8002".to_owned(),
            admin_token_file: String::new(),
            origins: Vec::new(),
        }
    }
}

impl Config {
    /// How tables made here treat people who are away: a bot plays for them and gives the seat back.
    #[must_use]
    pub fn table(&self) -> TableSettings {
        TableSettings {
            on_disconnect: OnDisconnect::Bot,
            away_grace_ms: self.away_grace_ms,
            pause_while_away: false,
            bot_ms: self.bot_ms,
        }
    }
}
