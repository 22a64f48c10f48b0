use std::collections::BTreeSet;

use parlor_core::{Ignored, Money, Outcome, Seat};
use parlor_wire::lobby::{Profile, SeatNews};
use parlor_wire::message::Over;
use parlor_wire::{Inbound, LobbyNews, SeatClock, ServerMessage};

use super::*;

fn sample(kind: &str) -> Json {
    match kind.strip_suffix('?').unwrap_or(kind) {
        "string" => json!("answer"),
        "integer" => json!(1),
        "boolean" => json!(true),
        "array" => json!([]),
        _ => json!({}),
    }
}

#[test]
fn the_server_reads_every_message_that_the_page_says_it_hears() {
    for message in TO_TABLE.iter().chain(&TO_LOBBY) {
        let mut value = json!({"type": message.kind});
        for (name, kind, _) in message.fields {
            value[*name] = sample(kind);
        }
        Inbound::read(value.clone()).unwrap_or_else(|fault| panic!("{value}: {fault}"));
        for (name, kind, _) in
            message.fields.iter().filter(|(_, kind, _)| ["string", "integer"].contains(kind))
        {
            let mut bad = value.clone();
            bad[*name] = json!([]);
            // The older name of the table, and the newer name of the token if the older one is there too.
            let lenient = ["last_v", "last_chat", "game_id", "token"].contains(name);
            assert!(lenient || Inbound::read(bad).is_err(), "{} must be {kind} in {}", name, message.kind);
        }
    }
}

/// One message of each type, with every field it can have.
fn said() -> Vec<Json> {
    let text = || "x".to_owned();
    let over = || {
        let (outcome, seed) = (Outcome::draw(2, "x"), Some(text()));
        Over { outcome, text: text(), seed }
    };
    let profile = Profile {
        player_id: text(),
        nickname: text(),
        language: text(),
        avatar: text(),
        tokens: 0,
        rating: 0,
        league_key: text(),
        ratings: Vec::new(),
        free_rename: true,
        rights: Vec::new(),
    };
    let clock = || SeatClock { seat: Seat::new(0), until: 1, bank_ms: Some(1) };
    let ignored = || Ignored { path: text(), reason: text() };
    let players = || vec![SeatNews { seat: 0, name: text(), is_bot: false, player_id: Some(text()) }];
    let news = [
        LobbyNews::HelloOk { profile: profile.clone(), token: Some(text()), matches: Vec::new() },
        LobbyNews::Account { profile },
        LobbyNews::QueueOk { tokens: 0, position: 1, waiting: 1 },
        LobbyNews::QueueLeft,
        LobbyNews::MatchFound {
            game_id: text(),
            game: text(),
            seat: 0,
            session_token: text(),
            players: players(),
            stake: 0,
            returning: true,
        },
        LobbyNews::Room { game_id: text(), members: Vec::new(), humans: 2 },
        LobbyNews::GameJoined { game_id: text(), players: Vec::new(), session_token: None },
        LobbyNews::PlayerJoined { player_name: text() },
        LobbyNews::PlayerLeft { player_name: text() },
        LobbyNews::GameStarted { players: players() },
        LobbyNews::GameLeft,
        LobbyNews::Pong,
        LobbyNews::Chat { n: Some(1), player_name: text(), text: text() },
        LobbyNews::Rematch { agreed: Vec::new(), game_id: None },
        LobbyNews::SeatReserved { seat: 0, for_ms: 1, buy_in_min: 1, buy_in_max: 1, currency: Money::Play },
        LobbyNews::notice("x", "x"),
        LobbyNews::error("x", "x"),
    ];
    let messages = [
        ServerMessage::Snapshot {
            v: 1,
            branch_id: 1,
            match_no: 1,
            view: json!({}),
            view_hash: text(),
            requests: Vec::new(),
            seats: Vec::new(),
            clocks: vec![clock()],
            commitment: Some(text()),
            paused: Some(text()),
            over: Some(over()),
        },
        ServerMessage::Update {
            v: 1,
            branch_id: 1,
            events: Vec::new(),
            patch: Vec::new(),
            view_hash: text(),
            requests: Some(Vec::new()),
            clocks: Some(vec![clock()]),
            over: Some(over()),
        },
        ServerMessage::Seats { v: 1, seats: Vec::new() },
        ServerMessage::Paused { v: 1, why: None },
        ServerMessage::Accepted { request_key: Some(text()), branch_id: 1, ignored: vec![ignored()] },
        ServerMessage::Refused {
            request_key: Some(text()),
            code: text(),
            message: text(),
            faults: Vec::new(),
            branch_id: 1,
        },
    ];
    let plain = |value: Json| value;
    let news = news.iter().map(|news| plain(serde_json::to_value(news).expect("plain data")));
    news.chain(messages.iter().map(|message| serde_json::to_value(message).expect("plain data"))).collect()
}

#[test]
fn the_server_says_what_the_page_says_and_nothing_else() {
    let mut kinds = BTreeSet::new();
    for value in said() {
        let kind = value["type"].as_str().expect("a type");
        let message = NEWS.iter().chain(&ABOUT_MATCH).find(|message| message.kind == kind);
        let message = message.unwrap_or_else(|| panic!("{kind} is not on the page"));
        assert_eq!(crate::api::check::fault(&schema(message), &value, kind), None, "{value}");
        let known: BTreeSet<&str> = message.fields.iter().map(|(name, ..)| *name).chain(["type"]).collect();
        let has: BTreeSet<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
        let missing: Vec<_> = known.difference(&has).filter(|name| **name != "v").collect();
        assert!(has.is_subset(&known) && missing.is_empty(), "{kind}: {has:?} but {known:?}");
        kinds.insert(kind.to_owned());
    }
    let listed: BTreeSet<String> = NEWS.iter().chain(&ABOUT_MATCH).map(|m| m.kind.to_owned()).collect();
    assert_eq!(kinds, listed, "one of each was looked at");
}
