//! The server's configuration. The name of a limit ends with its unit.

use parlor_host::{OnDisconnect, TableSettings};
use serde::{Deserialize, Serialize};

/// A program that may play as a bot. It reads the server's messages to its seat as lines of JSON from its standard
/// input, and writes its own to its standard output.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BotProgram {
    /// The name by which a table asks for it.
    pub name: String,
    /// The game that it plays.
    pub game: String,
    /// The command and its arguments.
    pub command: Vec<String>,
    /// How long it may take for one answer, in milliseconds. After that the game's own bot takes over.
    pub answer_ms: u64,
}

/// The configuration of a server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The address to listen on.
    pub listen: String,
    /// The file of the certificate, with those that it rests on, in PEM: `listen` then is for HTTPS. Empty: HTTP.
    pub tls_cert: String,
    /// The file of its private key, in PEM.
    pub tls_key: String,
    /// An address at which HTTP is answered by where the same is over HTTPS; empty: none.
    pub http_redirect: String,
    /// The folder into which a client of a certificate authority (certbot, lego) puts its proofs; served at
    /// `http_redirect`. Empty: none.
    pub acme_webroot: String,
    /// For how long browsers may insist on HTTPS once they have been here by it, in seconds; 0: they are told nothing.
    pub hsts_seconds: u64,
    /// The path of the store; or the address of a database, such as `postgres://parlor@db1,db2/parlor`.
    pub database: String,
    /// The largest number of tables, waiting and running.
    pub tables_max: usize,
    /// The largest number of open connections.
    pub connections_max: usize,
    /// The largest number of open connections from one address.
    pub connections_per_address_max: usize,
    /// The largest number of open HTTP connections that are no WebSockets: beyond it the one that has been idle longest
    /// is closed.
    pub http_connections_max: usize,
    /// The same for one address.
    pub http_connections_per_address_max: usize,
    /// How long a client may take for the TLS handshake, and to send a request, and how long a connection may wait for its
    /// next one, in milliseconds.
    pub request_ms: u64,
    /// Messages a connection may send per second, on average.
    pub messages_per_second: u32,
    /// Messages a connection may send in a burst.
    pub messages_burst: u32,
    /// Chat messages a connection may send per second, on average.
    pub chat_per_second: u32,
    /// Chat messages a connection may send in a burst.
    pub chat_burst: u32,
    /// Requests an address may make per second, on average.
    pub requests_per_second: u32,
    /// Requests an address may make in a burst.
    pub requests_burst: u32,
    /// How long a connection may be silent before the server closes it, in milliseconds.
    pub heartbeat_ms: u64,
    /// How long a connection has to join a table, in milliseconds.
    pub join_ms: u64,
    /// The size of a table's mailbox, in commands.
    pub mailbox_max: usize,
    /// The size of a connection's outbox, in messages.
    pub outbox_max: usize,
    /// How long a table without connections stays in memory, in milliseconds.
    pub idle_ms: u64,
    /// How long a table waits for its last human player to return, in milliseconds.
    pub last_human_grace_ms: u64,
    /// How often what nobody uses any more is looked for, in milliseconds.
    pub sweep_ms: u64,
    /// How many days a finished table is kept; 0 for ever.
    pub finished_kept_days: u64,
    /// How many finished tables are kept, the newest; 0 for all.
    pub finished_kept_max: usize,
    /// How long a disconnected player has to come back, in milliseconds.
    pub away_grace_ms: u64,
    /// How long a bot waits before it answers, in milliseconds.
    pub bot_ms: u64,
    /// Guest accounts an address may open per second, on average.
    pub guests_per_second: u32,
    /// Guest accounts an address may open in a burst.
    pub guests_burst: u32,
    /// Tokens given to a new player.
    pub welcome_tokens: i64,
    /// The cost of every change of nickname after the first, in tokens.
    pub rename_tokens: i64,
    /// The largest number of waiting and running tables created by one player.
    pub tables_per_player_max: usize,
    /// The largest number of waiting and running tables created from one address.
    pub tables_per_address_max: usize,
    /// Whether every account may publish rulesets; otherwise only those with the right `publish`.
    pub publish_open: bool,
    /// The largest number of versions of rulesets that are loaded at a time.
    pub rulesets_max: usize,
    /// The largest number of versions of rulesets that one account may publish in a day.
    pub ruleset_versions_per_day_max: usize,
    /// The address of the admin API: a loopback address, or empty for no admin API.
    pub admin_listen: String,
    /// The path of the operator's token; empty means beside the store.
    pub admin_token_file: String,
    /// Programs outside of the server that may play as bots.
    pub bot_programs: Vec<BotProgram>,
    /// Origins of web pages that may connect. Pages of this server may always connect.
    pub origins: Vec<String>,
    /// The names under which this server is reached, beside its own address and the loopback ones: what a browser sends as
    /// `Host`, without the port. `*` stands for any name.
    pub hosts: Vec<String>,
    /// The addresses of proxies that stand in front, as addresses or blocks (`10.0.0.0/8`): whom they name as a request's
    /// sender is its sender, for every limit and in the log.
    pub trusted_proxies: Vec<String>,
    /// The header in which they name them: `X-Forwarded-For` or `Forwarded`.
    pub proxy_header: String,
    /// The token with which programs that are not on this machine read `/metrics`; empty: none may.
    pub metrics_token: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8001".to_owned(),
            tls_cert: String::new(),
            tls_key: String::new(),
            http_redirect: String::new(),
            acme_webroot: String::new(),
            hsts_seconds: 31_536_000,
            database: "parlor.sqlite".to_owned(),
            tables_max: 10_000,
            connections_max: 20_000,
            connections_per_address_max: 10_000,
            http_connections_max: 4_096,
            http_connections_per_address_max: 1_024,
            request_ms: 20_000,
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
            sweep_ms: 30_000,
            finished_kept_days: 0,
            finished_kept_max: 0,
            away_grace_ms: 15_000,
            bot_ms: 400,
            guests_per_second: 1,
            guests_burst: 200,
            welcome_tokens: 10,
            rename_tokens: 3,
            tables_per_player_max: 50,
            tables_per_address_max: 5_000,
            publish_open: false,
            rulesets_max: 2_000,
            ruleset_versions_per_day_max: 100,
            admin_listen: "127.0.0.1:8002".to_owned(),
            admin_token_file: String::new(),
            bot_programs: Vec::new(),
            origins: Vec::new(),
            hosts: Vec::new(),
            trusted_proxies: Vec::new(),
            proxy_header: "X-Forwarded-For".to_owned(),
            metrics_token: String::new(),
        }
    }
}

impl Config {
    /// Whether the name of a store is the address of a database, and not a path.
    #[must_use]
    pub fn is_address(database: &str) -> bool {
        database.contains("://")
    }

    /// The name of the store as it may be shown: an address without its password.
    #[must_use]
    pub fn database_shown(&self) -> String {
        let Some((scheme, rest)) = self.database.split_once("://") else { return self.database.clone() };
        // What follows the question mark may have a password, too.
        let place = rest.split('?').next().unwrap_or_default();
        match place.rsplit_once('@') {
            Some((who, place)) => format!("{scheme}://{}@{place}", who.split(':').next().unwrap_or_default()),
            None if rest.contains('@') => format!("{scheme}://…"),
            None => format!("{scheme}://{place}"),
        }
    }

    /// The settings of tables created here: a bot plays for a player who is away, and returns the seat.
    #[must_use]
    pub fn table(&self) -> TableSettings {
        TableSettings {
            on_disconnect: OnDisconnect::Bot,
            away_grace_ms: self.away_grace_ms,
            pause_while_away: false,
            bot_ms: self.bot_ms,
            ..TableSettings::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_a_database_is_not_shown() {
        let shown =
            |database: &str| Config { database: database.to_owned(), ..Config::default() }.database_shown();
        for (database, expected) in [
            ("games.sqlite", "games.sqlite"),
            ("postgres://db1,db2:5433/parlor", "postgres://db1,db2:5433/parlor"),
            ("postgres://ann@db1/parlor", "postgres://ann@db1/parlor"),
            ("postgres://ann:secret@db1,db2/parlor?password=secret", "postgres://ann@db1,db2/parlor"),
            ("postgres://ann:sec?ret@db1/parlor", "postgres://…"),
        ] {
            assert_eq!(shown(database), expected);
        }
    }
}
