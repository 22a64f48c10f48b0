//! Who may do what: every role at every endpoint.

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House};

#[tokio::test(flavor = "multi_thread")]
async fn each_role_gets_its_answer_at_each_endpoint() {
    let house = House::open().await;
    let (_, made) =
        house.rest("POST", "/matches", None, Some(json!({"id": "mine", "game": "oxo", "bots": 0}))).await;
    let owner = made["owner_token"].as_str().unwrap().to_owned();
    let [first, _second] = house.pair("t", "oxo").await;
    let [_other, _fourth] = house.pair("u", "oxo").await;
    let name = first.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    let player = format!("token-of-{name}-0123456789");
    let stranger = "nobodys-token-0123456789".to_owned();
    let move_body = json!({"title": "Take a cell", "selection": ["a1"], "inputId": 1});
    // endpoint, body, nobody, stranger, player of this table, owner of another table
    let table: [(&str, &str, Option<Json>, [u16; 4]); 13] = [
        ("GET", "/matches/t", None, [200, 403, 200, 403]),
        ("GET", "/matches/nowhere", None, [404, 404, 404, 404]),
        ("GET", "/matches/t/log", None, [409, 409, 409, 409]),
        ("GET", "/matches/t/replay", None, [409, 409, 409, 409]),
        ("GET", "/matches/t/replay?seat=0", None, [409, 409, 409, 409]),
        ("GET", "/matches/nowhere/log", None, [404, 404, 404, 404]),
        ("POST", "/matches/t/join", Some(json!({"player_name": "Eve"})), [409, 409, 409, 409]),
        ("POST", "/matches/t/start", None, [404, 404, 404, 404]),
        ("POST", "/matches/mine/start", None, [401, 403, 403, 409]),
        ("POST", "/matches/t/kill", None, [401, 403, 403, 403]),
        ("POST", "/matches/t/undo", None, [401, 403, 409, 403]),
        ("POST", "/matches/t/responses", Some(move_body), [401, 403, 200, 403]),
        ("POST", "/matches/t/leave", None, [401, 403, 200, 403]),
    ];
    for (method, path, body, expected) in table {
        let roles = [None, Some(&stranger), Some(&player), Some(&owner)];
        for (role, code) in roles.into_iter().zip(expected) {
            let (got, reply) = house.rest(method, path, role.map(String::as_str), body.clone()).await;
            assert_eq!(got, code, "{method} {path} as {role:?}: {reply}");
            if code >= 400 {
                assert!(
                    reply["code"].is_string() && reply["message"].is_string(),
                    "a problem says what it is: {reply}"
                );
            }
        }
    }
    assert_eq!(house.rest("POST", "/matches/mine/kill", Some(&owner), None).await.0, 200);
    assert_eq!(house.rest("GET", "/matches/mine", None, None).await.0, 404);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_another_origin_may_not_connect() {
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let foreign = Client::connect(&house, "t", "json", Some("https://evil.example")).await;
    assert!(foreign.err().expect("refused").contains("403"));
    let own = format!("http://{}", house.server.addr);
    assert!(Client::connect(&house, "t", "json", Some(&own)).await.is_ok());
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_request_is_said() {
    let house = House::open().await;
    let bad: [(Json, &str); 6] = [
        (json!({"game": "chess"}), "unknown_game"),
        (json!({"game": "oxo", "seats": 7}), "seats"),
        (json!({"game": "oxo", "seats": -1}), "malformed"),
        (json!({"game": "oxo", "id": "../etc"}), "invalid_id"),
        (json!({"game": "grid64", "settings": {"moves": 0}}), "moves"),
        (json!({"game": "grid64", "settings": 7}), "malformed"),
    ];
    for (body, expected) in bad {
        let (code, reply) = house.rest("POST", "/matches", None, Some(body.clone())).await;
        assert_eq!((code, reply["code"].as_str()), (400, Some(expected)), "{body}");
    }
    house.server.stop().await;
}
