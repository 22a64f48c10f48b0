//! A table without sockets, and clients that speak the document's words.

use parlor_core::{AnswerTarget, Game, Json, Seat, Seed, Viewer};
use parlor_host::{Command, ConnId, Effect, NewTable, Occupant, Submit, Table, TableSettings};
use parlor_riichi::dialect;
use parlor_riichi::game::Riichi;
use parlor_wire::client::ClientMessage;
use parlor_wire::lobby::{Inbound, LobbyNews, SeatNews};
use parlor_wire::{Dialect, ServerMessage};
use serde_json::json;

/// One player; their connection may drop and come back.
pub(crate) struct Client {
    dialect: Option<Box<dyn Dialect>>,
    conn: ConnId,
    pub(crate) heard: Vec<Json>,
    /// How much of it the player has looked at.
    pub(crate) seen: usize,
}

/// A house with one table. Seats from the lowest on are people, the rest bots.
pub(crate) struct House {
    pub(crate) table: Table,
    pub(crate) clients: Vec<Client>,
    pub(crate) now: u64,
    conns: u64,
}

const NAMES: [&str; 4] = ["Ann", "Bob", "Cem", "Dee"];

impl House {
    pub(crate) fn open(settings: &Json, people: usize, seed: &str) -> Self {
        let def = Riichi::def();
        let sits = |(n, name): (usize, &&str)| {
            if n < people { Occupant::human(name) } else { Occupant::bot(name) }
        };
        let who = NAMES.iter().enumerate().map(sits).collect();
        let rules = TableSettings::default().with(def.disconnect_policy(settings));
        let new = NewTable::new(def, Seed::from_text(seed), who).rules(settings.clone()).settings(rules);
        let (table, effects) = Table::open(new, 0).expect("it opens");
        let client = |n: usize| Client { dialect: None, conn: ConnId(n as u64), heard: Vec::new(), seen: 0 };
        let clients = (0..people).map(client).collect();
        let mut house = Self { table, clients, now: 0, conns: 10 };
        house.carry_out(effects);
        (0..people).for_each(|seat| house.meet(seat));
        house
    }

    /// A new connection of a player: the first one, or a later one after a loss.
    pub(crate) fn meet(&mut self, seat: usize) {
        let join = json!({
            "type": "join_game", "game_id": "g1", "player_name": NAMES[seat], "session_token": "0123456789abcdef",
        });
        let mut dialect = dialect::detect(&join).expect("it is the document's");
        let heard = dialect.decode(join).expect("it is understood");
        assert!(matches!(heard.as_slice(), [Inbound::Table(ClientMessage::JoinGame { .. })]));
        let all = NAMES.map(str::to_owned).to_vec();
        let token = Some("0123456789abcdef".to_owned());
        let joined = LobbyNews::GameJoined { game_id: "g1".to_owned(), players: all, session_token: token };
        let player = |(n, name): (u8, &&str)| SeatNews {
            seat: n,
            name: (*name).to_owned(),
            is_bot: usize::from(n) >= self.clients.len(),
            player_id: None,
        };
        let started = LobbyNews::GameStarted { players: (0..).zip(&NAMES).map(player).collect() };
        let told: Vec<Json> = [joined, started].iter().flat_map(|news| dialect.news(news)).collect();
        self.conns += 1;
        let conn = ConnId(self.conns);
        let client = &mut self.clients[seat];
        client.heard.extend(told);
        (client.dialect, client.conn) = (Some(dialect), conn);
        self.handle(Command::Connect { conn, viewer: Viewer::Seat(Seat::new(seat as u8)), last_v: None });
    }

    pub(crate) fn lose(&mut self, seat: usize) {
        if self.clients[seat].dialect.take().is_some() {
            let conn = self.clients[seat].conn;
            self.handle(Command::Disconnect { conn, by_server: false });
        }
    }

    pub(crate) fn advance(&mut self, ms: u64) {
        let until = self.now + ms;
        while self.now < until && !self.table.finished() {
            self.now = (self.now + 50).min(until);
            self.handle(Command::Tick);
        }
    }

    /// A client sends an action.
    pub(crate) fn act(&mut self, seat: usize, action: &str, data: Json) {
        self.send(seat, json!({"type": "game_action", "action": action, "data": data}));
    }

    /// A client sends a frame; immediate replies are in `heard`.
    pub(crate) fn send(&mut self, seat: usize, frame: Json) {
        let Some(dialect) = &mut self.clients[seat].dialect else { return };
        match dialect.decode(frame) {
            Ok(said) => {
                for said in said {
                    let Inbound::Table(ClientMessage::Answer { names, answer, request_key }) = said else {
                        continue;
                    };
                    let AnswerTarget::Input(input) = names else { panic!("{names:?}") };
                    let to = parlor_host::AnswerTarget::Input(input);
                    let conn = self.clients[seat].conn;
                    self.handle(Command::Submit(conn, Submit { to, answer, key: request_key }));
                }
            }
            Err(fault) => {
                let told = dialect.news(&LobbyNews::from(&fault));
                self.clients[seat].heard.extend(told);
            }
        }
    }

    pub(crate) fn handle(&mut self, command: Command) {
        let effects = self.table.handle(self.now, command);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut last = None;
        for effect in effects {
            match effect {
                Effect::Append(append) => {
                    last = Some((append.match_no, append.record.as_ref().map_or(0, |record| record.seq)));
                }
                Effect::Send { conn, message } => self.deliver(conn, &message),
                _ => {}
            }
        }
        if let Some((match_no, seq)) = last {
            self.handle(Command::Appended { match_no, seq });
        }
    }

    fn deliver(&mut self, conn: ConnId, message: &ServerMessage) {
        let Some(client) = self.clients.iter_mut().find(|client| client.conn == conn) else { return };
        if let Some(dialect) = &mut client.dialect {
            client.heard.extend(dialect.message(message, 0));
        }
    }

    /// How the server would close a client's socket now, if the game is over for it.
    pub(crate) fn ends(&self, seat: usize) -> Option<(u16, &'static str)> {
        self.clients[seat].dialect.as_ref().and_then(|dialect| dialect.ends())
    }

    /// What a client has heard and not looked at yet.
    pub(crate) fn news(&mut self, seat: usize) -> Vec<Json> {
        let client = &mut self.clients[seat];
        let news = client.heard[client.seen..].to_vec();
        client.seen = client.heard.len();
        news
    }

    /// The types of the messages that a client received, in order.
    pub(crate) fn types(&self, seat: usize) -> Vec<&str> {
        self.clients[seat].heard.iter().filter_map(|message| message["type"].as_str()).collect()
    }

    /// The last message of this type that a client received.
    pub(crate) fn last(&self, seat: usize, kind: &str) -> &Json {
        let heard = self.clients[seat].heard.iter().rev();
        heard.into_iter().find(|message| message["type"] == kind).unwrap_or(&Json::Null)
    }

    /// The last draw in which a client was given its turn.
    pub(crate) fn turn(&self, seat: usize) -> &Json {
        let heard = self.clients[seat].heard.iter().rev();
        let own = |message: &&Json| message["type"] == "draw" && message["available_actions"] != Json::Null;
        heard.into_iter().find(own).unwrap_or(&Json::Null)
    }
}
