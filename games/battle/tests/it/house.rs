//! A table, its ledger, and two clients that use the document's dialect.

use parlor_core::Game;
use std::collections::BTreeMap;

use parlor_battle::{Battle, dialect};
use parlor_core::{Account, AnswerTarget, Header, Json, Record, Seat, Seed, Viewer};
use parlor_host::{Command, ConnId, Effect, NewTable, Occupant, Submit, Table, TableSettings};
use parlor_wire::client::ClientMessage;
use parlor_wire::lobby::{Inbound, LobbyNews, Profile, SeatNews};
use parlor_wire::{Dialect, ServerMessage};
use serde_json::json;

/// The wall clock at match time 0.
pub(crate) const WALL: i64 = 1_700_000_000_000;

/// One player with an account; their connection may drop and come back.
pub(crate) struct Client {
    dialect: Option<Box<dyn Dialect>>,
    conn: ConnId,
    pub(crate) heard: Vec<Json>,
}

/// A house with one table.
pub(crate) struct House {
    pub(crate) table: Table,
    pub(crate) clients: [Client; 2],
    pub(crate) now: u64,
    header: Option<Header>,
    records: Vec<Record>,
    /// The balance of each account; the table's escrow under the table's name.
    pub(crate) books: BTreeMap<String, i64>,
    root: Seed,
    conns: u64,
    /// The process dies at its next write.
    pub(crate) doomed: bool,
}

fn name(account: Account) -> String {
    match account {
        Account::Seat(seat) => ["ann", "bob"][seat.index()].to_owned(),
        Account::Table => "table".to_owned(),
        Account::House => "house".to_owned(),
        Account::Burn => "burn".to_owned(),
    }
}

impl House {
    pub(crate) fn open(settings: &Json, seed: &str) -> Self {
        let def = Battle::def();
        let root = Seed::from_text(seed);
        let people = ["Ann", "Bob"].map(Occupant::human).to_vec();
        let rules = TableSettings::default().with(def.disconnect_policy(settings));
        let new = NewTable::new(def, root.clone(), people).rules(settings.clone()).settings(rules);
        let (table, effects) = Table::open(new, 0).expect("it opens");
        let client = |n: u64| Client { dialect: None, conn: ConnId(n), heard: Vec::new() };
        let books = [("ann".to_owned(), 10), ("bob".to_owned(), 10)].into();
        let mut house = Self {
            table,
            clients: [client(0), client(1)],
            now: 0,
            header: None,
            records: Vec::new(),
            books,
            root,
            conns: 2,
            doomed: false,
        };
        house.carry_out(effects);
        for seat in 0..2 {
            house.meet(seat, true);
        }
        house
    }

    fn profile(&self, seat: usize) -> Profile {
        let id = ["ann", "bob"][seat];
        Profile {
            player_id: id.to_owned(),
            nickname: ["Ann", "Bob"][seat].to_owned(),
            language: "en".to_owned(),
            avatar: "orc".to_owned(),
            tokens: self.books[id],
            rating: 0,
            league_key: "wood".to_owned(),
            ratings: Vec::new(),
            free_rename: true,
            rights: Vec::new(),
        }
    }

    /// A new connection of a player: the first one, or a later one after a loss.
    pub(crate) fn meet(&mut self, seat: usize, first: bool) {
        let hello = json!({"type": "hello", "sessionId": "s", "authToken": "a-token"});
        let mut dialect = dialect::detect(&hello).expect("it is the document's");
        let heard = dialect.decode(hello).expect("it is understood");
        assert!(matches!(heard.as_slice(), [Inbound::Lobby(_)]));
        let profile = self.profile(seat);
        let mut told = dialect.news(&LobbyNews::HelloOk { profile, token: None, matches: Vec::new() });
        if first {
            assert!(matches!(
                dialect.decode(json!({"type": "queue_join"})).as_deref(),
                Ok([Inbound::Lobby(_)])
            ));
            told.extend(dialect.news(&LobbyNews::QueueOk { tokens: 10, position: 1, waiting: 1 }));
        }
        let players = ["Ann", "Bob"].into_iter().zip(["ann", "bob"]).zip(0..);
        let players = players
            .map(|((name, id), seat)| SeatNews {
                seat,
                name: name.to_owned(),
                is_bot: false,
                player_id: Some(id.to_owned()),
            })
            .collect();
        let found = LobbyNews::MatchFound {
            game_id: "m1".to_owned(),
            game: "battle".to_owned(),
            seat: seat as u8,
            session_token: String::new(),
            players,
            stake: 1,
            returning: !first,
        };
        told.extend(dialect.news(&found));
        self.conns += 1;
        let conn = ConnId(self.conns);
        let client = &mut self.clients[seat];
        client.heard.extend(told);
        (client.dialect, client.conn) = (Some(dialect), conn);
        self.handle(Command::Connect { conn, viewer: Viewer::Seat(Seat::new(seat as u8)), last_v: None });
    }

    pub(crate) fn here(&self, seat: usize) -> bool {
        self.clients[seat].dialect.is_some()
    }

    pub(crate) fn lose(&mut self, seat: usize) {
        if self.clients[seat].dialect.take().is_some() {
            let conn = self.clients[seat].conn;
            self.handle(Command::Disconnect { conn, by_server: false });
        }
    }

    pub(crate) fn advance(&mut self, ms: u64) {
        let until = self.now + ms;
        while self.now < until {
            // No clock of the battle is shorter than the pause before the first step.
            self.now = (self.now + 50).min(until);
            self.handle(Command::Tick);
        }
    }

    /// A client sends a frame; immediate replies are in `heard`.
    pub(crate) fn send(&mut self, seat: usize, frame: Json) {
        let Some(dialect) = &mut self.clients[seat].dialect else { return };
        match dialect.decode(frame) {
            Ok(said) => {
                for said in said {
                    if let Inbound::Table(ClientMessage::Answer { names, answer, request_key }) = said {
                        let to = match names {
                            AnswerTarget::Input(input) => parlor_host::AnswerTarget::Input(input),
                            AnswerTarget::Head(head) => parlor_host::AnswerTarget::Head(head),
                            AnswerTarget::Latest => parlor_host::AnswerTarget::Latest,
                        };
                        let conn = self.clients[seat].conn;
                        self.handle(Command::Submit(conn, Submit { to, answer, key: request_key }));
                    }
                }
            }
            Err(fault) => {
                let told = dialect.news(&LobbyNews::from(&fault));
                self.clients[seat].heard.extend(told);
            }
        }
    }

    /// The process dies and a new one starts from what was stored.
    pub(crate) fn die(&mut self) {
        let header = self.header.clone().expect("the table was opened");
        let loaded =
            Table::load(Battle::def(), self.root.clone(), header, self.records.clone(), Json::Null, self.now);
        let (table, effects) = loaded.expect("the log is whole");
        self.table = table;
        let were_here = [self.here(0), self.here(1)];
        for client in &mut self.clients {
            client.dialect = None;
        }
        self.carry_out(effects);
        for (seat, was_here) in were_here.into_iter().enumerate() {
            if was_here {
                self.meet(seat, false);
            }
        }
    }

    pub(crate) fn handle(&mut self, command: Command) {
        let effects = self.table.handle(self.now, command);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        if self.doomed && effects.iter().any(|effect| matches!(effect, Effect::Append(_))) {
            self.doomed = false;
            return self.die();
        }
        let mut last = None;
        for effect in effects {
            match effect {
                Effect::Append(append) => {
                    if let Some(header) = append.opens {
                        self.header = Some(*header);
                    }
                    last = Some((append.match_no, append.record.as_ref().map_or(0, |record| record.seq)));
                    self.records.extend(append.record.map(parlor_core::EncodedRecord::into_record));
                    for posting in append.postings {
                        *self.books.entry(name(posting.from)).or_default() -= posting.amount;
                        *self.books.entry(name(posting.to)).or_default() += posting.amount;
                    }
                }
                Effect::Send { conn, message } => self.deliver(conn, &message),
                Effect::Close { conn, .. } => {
                    for client in &mut self.clients {
                        if client.conn == conn {
                            client.dialect = None;
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some((match_no, seq)) = last {
            self.handle(Command::Appended { match_no, seq });
        }
    }

    fn deliver(&mut self, conn: ConnId, message: &ServerMessage) {
        let Some(seat) = (0..2).find(|seat| self.clients[*seat].conn == conn) else { return };
        let profile = self.profile(seat);
        let wall = WALL + self.now as i64 - self.table.match_now(self.now) as i64;
        let client = &mut self.clients[seat];
        if let Some(dialect) = &mut client.dialect {
            client.heard.extend(dialect.news(&LobbyNews::Account { profile }));
            client.heard.extend(dialect.message(message, wall));
        }
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
}
