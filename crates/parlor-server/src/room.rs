//! Before a table starts: a room that waits for its people.

use std::time::Instant;

use parlor_core::{Entry, Json, Luck, Purpose, Seat, Seed};
use parlor_host::{ConnId, Occupant};

use crate::outbox::{Out, Outbox};
use crate::sessions::{Session, TOKEN_CHARS_MIN, TableFacts, hash, random};
use crate::table_task::JoinError;

/// Somebody who waits.
pub(crate) struct Member {
    pub(crate) conn: Option<ConnId>,
    pub(crate) name: String,
    /// The hash of his token, where it gives a right to return.
    pub(crate) token: Option<String>,
    pub(crate) out: Option<Outbox>,
}

/// A table that has not started.
pub(crate) struct Room {
    pub(crate) entry: Entry,
    pub(crate) settings: Json,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    pub(crate) seed: Option<String>,
    pub(crate) owner: String,
    pub(crate) members: Vec<Member>,
    pub(crate) since: Instant,
}

impl Room {
    /// How many people it waits for in all.
    pub(crate) fn humans(&self) -> usize {
        usize::from(self.seats - self.bots)
    }

    pub(crate) fn full(&self) -> bool {
        self.members.len() >= self.humans()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.members.iter().map(|member| member.name.clone()).collect()
    }

    /// Lets somebody in.
    pub(crate) fn join(
        &mut self,
        name: String,
        token: &str,
        conn: Option<ConnId>,
        out: Option<Outbox>,
    ) -> Result<(), JoinError> {
        let good = (token.len() >= TOKEN_CHARS_MIN).then(|| hash(token));
        let back = self.members.iter_mut().find(|member| good.is_some() && member.token == good);
        if let Some(member) = back {
            (member.conn, member.out) = (conn, out);
            return Ok(());
        }
        if self.members.iter().any(|member| member.name == name) {
            return Err(("name_taken", "That name is already taken in this game"));
        }
        if self.full() {
            return Err(("game_full", "Game is full"));
        }
        self.tell_others(None, &serde_json::json!({"type": "player_joined", "player_name": name}));
        self.members.push(Member { conn, name, token: good, out });
        Ok(())
    }

    /// Lets somebody go, and tells the others.
    pub(crate) fn leave(&mut self, conn: ConnId) -> bool {
        let Some(place) = self.members.iter().position(|member| member.conn == Some(conn)) else {
            return false;
        };
        let member = self.members.remove(place);
        self.tell_others(None, &serde_json::json!({"type": "player_left", "player_name": member.name}));
        true
    }

    pub(crate) fn tell_others(&self, but: Option<ConnId>, message: &Json) {
        for member in self.members.iter().filter(|member| but.is_none() || member.conn != but) {
            if let Some(out) = &member.out {
                out.put(Out::Session(message.clone()));
            }
        }
    }

    /// The table's secret: chosen, where somebody chose it, or random.
    pub(crate) fn root(&self) -> Seed {
        self.seed.as_ref().map_or_else(|| Seed::from_bytes(&random::<96>()), |text| Seed::from_text(text))
    }

    /// Who sits where: people at random seats, bots in the rest.
    pub(crate) fn seating(&self, root: &Seed) -> (Vec<Occupant>, Vec<Seat>) {
        let mut seats: Vec<Seat> = (0..self.seats).map(Seat::new).collect();
        Luck::new(root.clone(), 0).aside(Purpose::Seating, 0).shuffle(&mut seats);
        let mut chairs = vec![Occupant::Empty; self.seats.into()];
        for (member, seat) in self.members.iter().zip(&seats) {
            chairs[seat.index()] = Occupant::human(&member.name);
        }
        for (n, seat) in seats.iter().skip(self.members.len()).enumerate() {
            chairs[seat.index()] = Occupant::bot(&format!("Bot {}", n + 1));
        }
        seats.truncate(self.members.len());
        (chairs, seats)
    }

    pub(crate) fn facts(
        &self,
        root: &Seed,
        seats: &[Seat],
        settings: parlor_host::TableSettings,
    ) -> TableFacts {
        let session = |(member, seat): (&Member, &Seat)| Session {
            name: member.name.clone(),
            token: member.token.clone(),
            seat: *seat,
        };
        TableFacts {
            root: root.to_hex(),
            sessions: self.members.iter().zip(seats).map(session).collect(),
            owner: Some(self.owner.clone()),
            bots: self.seats - self.members.len() as u8,
            settings,
        }
    }
}
