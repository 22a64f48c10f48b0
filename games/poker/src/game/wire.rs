//! The document's client on a socket: it sends whole states and is sent whole states (ruling 004/R9).
//!
//! A connection speaks so if its first frame says `"dialect": "hand"`. It joins as every other does. Then each change of the
//! table is `{"type": "hand", "hand": …}` with the players' names, and what was not taken of a client's own state is in
//! `ignored`, for it alone.

use parlor_core::{Fault, Json, view};
use parlor_wire::{ClientMessage, Dialect, Inbound, LobbyNews, SeatInfo, ServerMessage};
use serde_json::json;

use super::dialect::value;
use crate::notation::{Value, phh, seed};

/// Begins the dialect where a connection's first frame asks for it.
#[must_use]
pub fn detect(first: &Json) -> Option<Box<dyn Dialect>> {
    (first["dialect"] == "hand").then(|| Box::<Hands>::default() as Box<dyn Dialect>)
}

/// The hand for `GET /matches/{id}/hand`: JSON, or PHH where the caller asks for text (ruling 004/R17).
#[must_use]
pub fn show_hand(view: &Json, seats: &[SeatInfo], accept: &str) -> Option<(&'static str, String)> {
    let mut hands = Hands { view: view.clone(), names: Vec::new() };
    hands.sit(seats);
    let hand = hands.hand();
    if !(accept.contains("text/plain") || accept.contains("phh")) {
        return Some(("application/json", hand.to_string()));
    }
    let Value::Table(fields) = value(&hand) else { return None };
    let record = seed::from_fields(fields).ok()?;
    Some(("text/plain; charset=utf-8", phh::write(&record)))
}

/// What one connection has been sent.
#[derive(Default)]
struct Hands {
    view: Json,
    names: Vec<String>,
}

impl Hands {
    /// The hand with the players' names.
    fn hand(&self) -> Json {
        let mut hand = self.view["notation"].clone();
        let name = |seat: u64| {
            let given = usize::try_from(seat).ok().and_then(|seat| self.names.get(seat.checked_sub(1)?));
            given.filter(|name| !name.is_empty()).cloned()
        };
        let label = |text: &str| text.strip_prefix("seat ").and_then(|seat| seat.parse().ok()).and_then(name);
        for player in hand["players"].as_array_mut().into_iter().flatten() {
            if let Some(name) = player.as_str().and_then(label) {
                *player = name.into();
            }
        }
        if let Some(name) = hand["author"].as_str().and_then(label) {
            hand["author"] = name.into();
        }
        hand
    }

    fn told(&self) -> Vec<Json> {
        vec![json!({"type": "hand", "hand": self.hand()})]
    }

    fn sit(&mut self, seats: &[SeatInfo]) {
        self.names = seats.iter().map(|seat| seat.name.clone()).collect();
    }
}

impl Dialect for Hands {
    fn decode(&mut self, frame: Json) -> Result<Vec<Inbound>, Fault> {
        let merges = frame["type"] == "game_action" && frame["action"] == "merge";
        if merges {
            return Ok(vec![Inbound::Table(ClientMessage::Words(frame))]);
        }
        Inbound::read(frame).map(|message| vec![message])
    }

    fn takes_up(&self, _: &str) -> bool {
        false
    }

    fn news(&mut self, news: &LobbyNews) -> Vec<Json> {
        vec![serde_json::to_value(news).unwrap_or_default()]
    }

    fn message(&mut self, message: &ServerMessage, _: i64) -> Vec<Json> {
        match message {
            ServerMessage::Snapshot { view, seats, .. } => {
                self.view = view.clone();
                self.sit(seats);
                self.told()
            }
            ServerMessage::Update { patch, .. } => {
                if let Some(view) = view::patch(&self.view, patch) {
                    self.view = view;
                }
                self.told()
            }
            ServerMessage::Seats { seats, .. } => {
                self.sit(seats);
                self.told()
            }
            ServerMessage::Accepted { ignored, .. } => {
                vec![json!({"type": "hand", "hand": self.hand(), "ignored": ignored})]
            }
            ServerMessage::Refused { faults, .. } => {
                let reasons = faults.iter().map(|fault| json!({"path": "", "reason": fault.to_string()}));
                vec![json!({"type": "hand", "hand": self.hand(), "ignored": reasons.collect::<Json>()})]
            }
            other => vec![serde_json::to_value(other).unwrap_or_default()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(name: &str) -> SeatInfo {
        SeatInfo { name: name.to_owned(), is_bot: false, here: true }
    }

    /// Cites 004/R9.
    #[test]
    fn a_client_of_the_document_is_sent_whole_hands_with_names() {
        let mut client = detect(&json!({"type": "join_game", "dialect": "hand"})).expect("it is asked for");
        assert!(detect(&json!({"type": "join_game"})).is_none());
        let frame = json!({"type": "game_action", "action": "merge", "data": {"players": []}});
        let said = client.decode(frame.clone()).expect("a merge is read");
        assert!(matches!(&said[..], [Inbound::Table(ClientMessage::Words(words))] if *words == frame));
        let seats = ServerMessage::Seats { v: 1, seats: vec![seat("Ann"), seat(""), seat("Bob")] };
        client.message(&seats, 0);
        let patch = vec![json!({"op": "replace", "path": "", "value": {"notation": {
            "players": ["seat 1", "seat 3"], "author": "seat 3", "actions": [],
        }}})];
        let update = ServerMessage::Update {
            v: 2,
            branch_id: 1,
            events: Vec::new(),
            patch,
            view_hash: String::new(),
            requests: None,
            clocks: None,
            over: None,
        };
        let told = client.message(&update, 0);
        assert_eq!(told[0]["hand"]["players"], json!(["Ann", "Bob"]));
        assert_eq!(told[0]["hand"]["author"], "Bob");
        let ignored = vec![parlor_core::Ignored { path: "antes[0]".into(), reason: "no".into() }];
        let accepted = ServerMessage::Accepted { request_key: None, branch_id: 1, ignored };
        assert_eq!(client.message(&accepted, 0)[0]["ignored"][0]["path"], "antes[0]");
    }
}
