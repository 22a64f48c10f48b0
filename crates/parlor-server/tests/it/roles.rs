//! Authorization: every role at every endpoint.

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House};

/// An endpoint, its body, and the status for a request without a token, with an unknown token, from a player with an
/// account who does not sit here, from a player of this table, and from the owner of another table.
type Row = (&'static str, &'static str, &'static str, Option<Json>, [u16; 5]);

fn rows() -> Vec<Row> {
    let all = |method, path, body, code| -> Row { (method, path, path, body, [code; 5]) };
    let account = |method, path, at, body| -> Row { (method, path, at, body, [401, 401, 200, 401, 401]) };
    let here = |method, path, at, body, code| -> Row { (method, path, at, body, [401, 403, 403, code, 403]) };
    let game = || Some(json!({"game": "oxo"}));
    let answer = json!({"title": "Take a cell", "selection": ["a1"], "inputId": 1});
    let eve = || Some(json!({"player_name": "Eve"}));
    vec![
        all("GET", "/health", None, 200),
        all("GET", "/healthz", None, 200),
        all("GET", "/readyz", None, 200),
        all("GET", "/status", None, 200),
        all("GET", "/metrics", None, 200),
        all("GET", "/openapi.json", None, 200),
        all("GET", "/asyncapi.json", None, 200),
        all("GET", "/catalog", None, 200),
        ("GET", "/catalog/{game}", "/catalog/oxo", None, [200; 5]),
        ("GET", "/catalog/{game}", "/catalog/chess", None, [404; 5]),
        all("GET", "/games", None, 200),
        all("POST", "/games", game(), 201),
        all("GET", "/matches", None, 200),
        all("POST", "/matches", game(), 201),
        ("GET", "/matches/{id}", "/matches/t", None, [200, 403, 403, 200, 403]),
        ("GET", "/matches/{id}", "/matches/nowhere", None, [404; 5]),
        ("GET", "/matches/{id}/log", "/matches/t/log", None, [409; 5]),
        ("GET", "/matches/{id}/log", "/matches/nowhere/log", None, [404; 5]),
        ("GET", "/matches/{id}/replay", "/matches/t/replay", None, [409; 5]),
        ("GET", "/matches/{id}/{document}", "/matches/t/nothing", None, [404; 5]),
        ("POST", "/matches/{id}/{document}", "/matches/t/nothing", None, [404; 5]),
        ("POST", "/matches/{id}/join", "/matches/t/join", eve(), [409; 5]),
        ("POST", "/matches/{id}/start", "/matches/t/start", None, [404; 5]),
        ("POST", "/matches/{id}/start", "/matches/mine/start", None, [401, 403, 403, 403, 409]),
        ("POST", "/matches/{id}/kill", "/matches/t/kill", None, [401, 403, 403, 403, 403]),
        ("POST", "/matches/{id}/reserve", "/matches/t/reserve", None, [401, 409, 409, 409, 409]),
        ("POST", "/matches/{id}/pause", "/matches/t/pause", None, [401, 403, 403, 403, 403]),
        ("POST", "/matches/{id}/resume", "/matches/t/resume", None, [401, 403, 403, 403, 403]),
        (
            "POST",
            "/matches/{id}/remove",
            "/matches/t/remove",
            Some(json!({"seat": 0})),
            [401, 403, 403, 403, 403],
        ),
        (
            "POST",
            "/matches/{id}/settings",
            "/matches/t/settings",
            Some(json!({"settings": null})),
            [401, 403, 403, 403, 403],
        ),
        ("GET", "/matches/{id}/replay", "/matches/t/replay?seat=0", None, [409; 5]),
        ("POST", "/matches/{id}/fork", "/matches/t/fork", Some(json!({"at": 0, "seat": 0})), [409; 5]),
        here("GET", "/matches/{id}/actions", "/matches/t/actions", None, 404),
        here("POST", "/matches/{id}/actions", "/matches/t/actions", Some(json!({"type": "attack"})), 422),
        here("POST", "/matches/{id}/undo", "/matches/t/undo", None, 409),
        here("POST", "/matches/{id}/responses", "/matches/t/responses", Some(answer), 200),
        here("POST", "/matches/{id}/rematch", "/matches/t/rematch", None, 409),
        here("POST", "/matches/{id}/leave", "/matches/t/leave", None, 200),
        all("POST", "/players/guest", None, 201),
        all("POST", "/auth/guest", None, 201),
        account("GET", "/auth/me", "/auth/me", None),
        account("POST", "/account/nickname", "/account/nickname", Some(json!({"nickname": "Another"}))),
        account("POST", "/account/profile", "/account/profile", Some(json!({"language": "ru"}))),
        account("GET", "/players/me", "/players/me", None),
        account("GET", "/players/me/sessions", "/players/me/sessions", None),
        account("POST", "/players/me/nickname", "/players/me/nickname", Some(json!({"nickname": "Other"}))),
        account("POST", "/players/me/profile", "/players/me/profile", Some(json!({"language": "ja"}))),
        account("GET", "/players/me/mutes", "/players/me/mutes", None),
        account("POST", "/players/me/mutes", "/players/me/mutes", Some(json!({"off": true, "names": []}))),
        account("GET", "/players/me/balance", "/players/me/balance", None),
        account("GET", "/players/me/matches", "/players/me/matches", None),
        account("GET", "/players/me/ledger", "/players/me/ledger", None),
        account("GET", "/me/ledger", "/me/ledger", None),
        ("GET", "/players/{id}", "/players/nobody", None, [404; 5]),
        ("GET", "/players/{id}/matches", "/players/nobody/matches", None, [404; 5]),
        all("GET", "/rulesets", None, 200),
        ("POST", "/rulesets", "/rulesets", Some(json!({})), [401, 401, 403, 401, 401]),
        ("POST", "/rulesets/check", "/rulesets/check", Some(json!({})), [401, 401, 403, 401, 401]),
        ("GET", "/rulesets/{name}", "/rulesets/nothing", None, [404; 5]),
        ("GET", "/rulesets/{name}/status", "/rulesets/nothing/status", None, [404; 5]),
        ("DELETE", "/rulesets/{name}", "/rulesets/nothing", None, [401, 401, 404, 401, 401]),
        (
            "POST",
            "/rulesets/{name}/report",
            "/rulesets/nothing/report",
            Some(json!({"text": "rude"})),
            [401, 401, 404, 401, 401],
        ),
        ("GET", "/leaders/{game}", "/leaders/battle", None, [200; 5]),
        account("POST", "/queue/{game}", "/queue/oxo", None),
        account("GET", "/queue/{game}", "/queue/oxo", None),
        account("DELETE", "/queue/{game}", "/queue/oxo", None),
        account("DELETE", "/players/me", "/players/me", None),
        // The account is gone.
        ("POST", "/players/me/token", "/players/me/token", None, [401; 5]),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_gets_its_answer_at_each_endpoint() {
    let house = House::open().await;
    let (_, made) =
        house.rest("POST", "/matches", None, Some(json!({"id": "mine", "game": "oxo", "bots": 0}))).await;
    let owner = made["owner_token"].as_str().unwrap().to_owned();
    let [first, _second] = house.pair("t", "oxo").await;
    let (_, account) = house.player("Account").await;
    let name = first.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    let player = format!("token-of-{name}-0123456789");
    let stranger = "nobodys-token-0123456789".to_owned();
    let mut seen = std::collections::BTreeSet::new();
    for (method, path, at, body, expected) in rows() {
        seen.insert((method.to_lowercase(), path.to_owned()));
        let roles = [None, Some(&stranger), Some(&account), Some(&player), Some(&owner)];
        for (role, code) in roles.into_iter().zip(expected) {
            let (got, reply) = house.rest(method, at, role.map(String::as_str), body.clone()).await;
            assert_eq!(got, code, "{method} {at} as {role:?}: {reply}");
            if code >= 400 {
                assert!(
                    reply["code"].is_string() && reply["message"].is_string(),
                    "a problem says what it is: {reply}"
                );
            }
        }
    }
    // The table is complete: it has every operation of the server.
    let (_, page) = house.rest("GET", "/openapi.json", None, None).await;
    let listed: std::collections::BTreeSet<(String, String)> = page["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(|m| (m.clone(), path.clone())))
        .collect();
    assert_eq!(seen, listed);
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
