//! Accounts: opening, nicknames and their cost, deletion.

use parlor_core::Json;
use parlor_store::Accounts;
use serde_json::json;

use crate::client::{Client, House, call, config};

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_gets_a_name_a_token_and_ten_tokens_once() {
    let house = House::open().await;
    let (code, made) =
        house.rest("POST", "/players/guest", None, Some(json!({"nickname": " Ann  of Arc "}))).await;
    assert_eq!((code, made["nickname"].as_str()), (201, Some("Ann of Arc")));
    assert_eq!((made["tokens"].as_i64(), made["leagueKey"].as_str()), (Some(10), Some("wood")));
    let token = made["token"].as_str().expect("told once").to_owned();
    assert_eq!(token.len(), 32, "128 bits");
    let (code, me) = house.rest("GET", "/players/me", Some(&token), None).await;
    assert_eq!((code, me["tokens"].as_i64(), me.get("token")), (200, Some(10), None));
    let (_, plain) = house.rest("POST", "/players/guest", None, None).await;
    assert!(plain["nickname"].as_str().is_some_and(|name| name.starts_with("Guest-")), "{plain}");
    let (code, face) =
        house.rest("GET", &format!("/players/{}", made["player_id"].as_str().unwrap()), None, None).await;
    assert_eq!((code, face["nickname"].as_str()), (200, Some("Ann of Arc")));
    assert!(face.get("tokens").is_none(), "what he owns is his own business: {face}");
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    // The account outlives the server, and its token is nowhere in the store.
    let bytes = std::fs::read(&house.file.0).expect("the file");
    assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()));
    let house = house.restart(config()).await;
    assert_eq!(house.tokens(&token).await, 10);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nickname_is_changed_once_for_nothing_and_then_for_three_tokens() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let (_, _bob) = house.player("Bob").await;
    let rename = async |token: &str, to: &str| {
        let (code, reply) =
            house.rest("POST", "/players/me/nickname", Some(token), Some(json!({"nickname": to}))).await;
        (code, reply["code"].as_str().unwrap_or_default().to_owned())
    };
    let well = |code| (code, String::new());
    assert_eq!(rename(&ann, "x").await, (400, "invalid_nickname".to_owned()));
    assert_eq!(rename(&ann, "bOB").await, (409, "nickname_taken".to_owned()));
    assert_eq!(rename(&ann, "Anna").await, well(200));
    assert_eq!(house.tokens(&ann).await, 10, "the first change is free");
    for (n, name) in ["Annb", "Annc", "Annd"].into_iter().enumerate() {
        assert_eq!(rename(&ann, name).await, well(200));
        assert_eq!(house.tokens(&ann).await, 7 - 3 * n as i64);
    }
    assert_eq!(rename(&ann, "Anne").await, (402, "not_enough_tokens".to_owned()));
    assert_eq!(rename(&ann, "Annd").await, well(200), "his own name again costs nothing");
    assert_eq!(rename(&ann, "Bob").await.0, 409);
    let (_, me) = house.rest("GET", "/players/me", Some(&ann), None).await;
    assert_eq!((me["nickname"].as_str(), me["tokens"].as_i64()), (Some("Annd"), Some(1)));
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_takes_what_there_is_and_nothing_else() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let set = async |body: Json| house.rest("POST", "/players/me/profile", Some(&ann), Some(body)).await;
    let (code, me) = set(json!({"language": "ja"})).await;
    assert_eq!((code, me["language"].as_str(), me["avatar"].as_str()), (200, Some("ja"), Some("orc")));
    let (_, me) = set(json!({"avatar": "mage"})).await;
    assert_eq!((me["language"].as_str(), me["avatar"].as_str()), (Some("ja"), Some("mage")));
    assert_eq!(set(json!({"language": "tlh"})).await.0, 400);
    assert_eq!(set(json!({"avatar": "dragon"})).await.0, 400);
    house.server.stop().await;
}

/// Whom a player mutes is kept with their account, also over a restart, and told to nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_keeps_whom_its_player_mutes() {
    let house = House::open().await;
    let ((id, ann), (_, bob)) = (house.player("Ann").await, house.player("Bob").await);
    let nobody = json!({"off": false, "names": []});
    let (_, fresh) = house.rest("GET", "/players/me/mutes", Some(&ann), None).await;
    assert_eq!(fresh, nobody);
    let some = json!({"off": true, "names": ["Bram", "Guest 4821"]});
    let set = async |body: Json| house.rest("POST", "/players/me/mutes", Some(&ann), Some(body)).await;
    assert_eq!(set(some.clone()).await, (200, some.clone()));
    assert_eq!(set(json!({"off": true, "names": vec!["a"; 201]})).await.0, 400);
    assert_eq!(set(json!({"off": true, "names": ["a".repeat(65)]})).await.0, 400);
    let (_, others) = house.rest("GET", "/players/me/mutes", Some(&bob), None).await;
    assert_eq!(others, nobody);
    let house = house.restart(crate::client::config()).await;
    let (_, kept) = house.rest("GET", "/players/me/mutes", Some(&ann), None).await;
    assert_eq!(kept, some);
    // What somebody has set for themselves goes with their account.
    let (code, _) = house.rest("DELETE", "/players/me", Some(&ann), None).await;
    assert_eq!(code, 200);
    let player = parlor_store::PlayerId::new(&id).expect("an id");
    let left = parlor_store::Accounts::player(&*house.store, &player).expect("the store").expect("a row");
    assert_eq!(left.preferences, "");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_goes_takes_his_name_and_his_token_with_him_and_leaves_no_tokens_behind() {
    let house = House::open().await;
    let (id, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    // Not while the player has an unfinished match, even if they have left it; one that is rated they would forfeit.
    let made = json!({"id": "t", "game": "draft", "seats": 2, "bots": 0});
    let (_, made) = house.rest("POST", "/matches", None, Some(made)).await;
    let mut clients = Vec::new();
    for token in [&ann, &bob] {
        let mut client = house.client("t", "json").await;
        client.say(json!({"type": "join_game", "player_token": token})).await;
        client.until("game_joined").await;
        clients.push(client);
    }
    for client in &mut clients {
        client.until("snapshot").await;
    }
    clients[0].say(json!({"type": "chat", "text": "I am Ann of Arc"})).await;
    clients[1].until("chat").await;
    let deleting = async || house.rest("DELETE", "/players/me", Some(&ann), None).await;
    let (code, refused) = deleting().await;
    assert_eq!((code, refused["code"].as_str()), (409, Some("seated")));
    clients[0].say(json!({"type": "leave_game"})).await;
    clients[0].until("game_left").await;
    assert_eq!(deleting().await.0, 409);
    let owner = made["owner_token"].as_str().unwrap();
    assert_eq!(house.rest("POST", "/matches/t/kill", Some(owner), None).await.0, 200);
    let mut tries = 0;
    while deleting().await.0 != 200 {
        tries += 1;
        assert!(tries < 100, "the match is over");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let mut spectator_delay = house.client("t", "json").await;
    spectator_delay.say(json!({"type": "join_game", "spectate": true})).await;
    let seen = spectator_delay.until("snapshot").await;
    let (_, view) = house.rest("GET", "/matches/t", None, None).await;
    let (code, log) = house.rest("GET", "/matches/t/log", None, None).await;
    assert_eq!(code, 200);
    for shown in [seen.to_string(), view.to_string(), log.to_string()] {
        assert!(!shown.contains("Ann") && shown.contains("commitment"), "neither name nor words: {shown}");
    }
    assert!(
        seen["seats"].to_string().contains("Bob") && seen["seats"].to_string().contains("Player "),
        "{seen}"
    );
    assert_eq!(house.rest("GET", "/players/me", Some(&ann), None).await.0, 401, "his token opens nothing");
    assert_eq!(house.rest("GET", &format!("/players/{id}"), None, None).await.0, 404);
    house.player("Ann").await;
    let left = house.store.balance(
        &parlor_store::Owner::Player(parlor_store::PlayerId::new(&id).unwrap()),
        &parlor_store::Currency::new("tokens").unwrap(),
    );
    assert_eq!(left, Ok(0));
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_opens_only_so_many_accounts() {
    let config = parlor_server::Config { guests_per_second: 1, guests_burst: 3, ..config() };
    let house = House::with(config).await;
    let mut codes = Vec::new();
    for _ in 0..5 {
        codes.push(house.rest("POST", "/players/guest", None, None).await.0);
    }
    assert_eq!(codes, [201, 201, 201, 429, 429]);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_token_ends_whatever_was_reached_with_the_old_one() {
    let house = House::open().await;
    let (_, old) = house.player("Ann Lee").await;
    let mut lobby = Client::lobby(&house, "json").await;
    lobby.say(json!({"type": "hello", "token": old})).await;
    lobby.until("hello_ok").await;
    let seat = async |id: &str, bots: u8| {
        house.create(id, "hearts", bots).await;
        let join = format!("/matches/{id}/join");
        let (code, joined) = house.rest("POST", &join, Some(&old), Some(json!({}))).await;
        assert_eq!(code, 200, "{joined}");
        joined["session_token"].as_str().expect("a token").to_owned()
    };
    let (running, waiting) = (seat("runs", 3).await, seat("waits", 0).await);
    assert_eq!(house.rest("GET", "/matches/runs", Some(&running), None).await.0, 200);
    let (code, told) = house.rest("GET", "/players/me/sessions", Some(&old), None).await;
    assert_eq!((code, told["sessions"].as_array().map(Vec::len)), (200, Some(1)), "{told}");
    assert_eq!(told["sessions"][0]["address"], "127.0.0.1");
    assert_eq!(told["matches"][0]["game_id"], "runs");

    let key = [("Idempotency-Key", "change-1")];
    let change = async || call(house.server.addr, "POST", "/players/me/token", Some(&old), None, &key).await;
    let (code, changed) = change().await;
    assert_eq!(code, 200, "{changed}");
    let new = changed["token"].as_str().expect("a token").to_owned();
    assert_ne!(new, old);
    assert_eq!(change().await, (200, changed), "an answer that was lost is told again");
    assert_eq!(lobby.until_closed().await.map(|(code, _)| code), Some(4005));
    let code = async |path, token: &str| house.rest("GET", path, Some(token), None).await.0;
    assert_eq!((code("/players/me", &old).await, code("/players/me", &new).await), (401, 200));
    assert_eq!((code("/matches/runs", &running).await, code("/matches/runs", &new).await), (403, 200));
    let mut thief = house.client("waits", "json").await;
    thief.say(json!({"type": "join_game", "player_name": "Thief", "session_token": waiting})).await;
    let joined = thief.until("game_joined").await;
    assert_eq!(joined["players"], json!(["Ann Lee", "Thief"]), "a player of their own, not Ann");
    let mut back = Client::lobby(&house, "json").await;
    back.say(json!({"type": "hello", "token": old})).await;
    assert_eq!(back.until("session_error").await["code"], "unauthorized");
    back.say(json!({"type": "hello", "token": new})).await;
    back.until("hello_ok").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_gone_is_no_session() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann Lee").await;
    let mut clients = Vec::new();
    for _ in 0..3 {
        let mut client = Client::lobby(&house, "json").await;
        client.say(json!({"type": "hello", "token": ann})).await;
        client.until("hello_ok").await;
        clients.push(client);
    }
    clients.truncate(1);
    loop {
        let (_, told) = house.rest("GET", "/players/me/sessions", Some(&ann), None).await;
        if told["sessions"].as_array().map(Vec::len) == Some(1) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    house.server.stop().await;
}
