//! The web client, as a browser gets it.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::House;

/// The head of the response, in lower case, and its body.
async fn ask(house: &House, line: &str, headers: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(house.server.addr).await.expect("connects");
    let asked =
        format!("{line} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", house.server.addr);
    stream.write_all(asked.as_bytes()).await.expect("writes");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.expect("reads");
    let end = reply.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    (String::from_utf8_lossy(&reply[..end]).to_lowercase(), reply[end + 4..].to_vec())
}

fn value<'a>(head: &'a str, name: &str) -> &'a str {
    let found = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    found.unwrap_or_else(|| panic!("no {name} in {head}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_the_client_is_its_first_page_under_a_strict_policy() {
    let house = House::open().await;
    for path in ["/", "/t/plum-14", "/r/plum-14?at=3", "/p/ann", "/me", "/watch", "/replays", "/leaders"] {
        let (head, body) = ask(&house, &format!("GET {path}"), "").await;
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(String::from_utf8_lossy(&body).contains("<title>Parlor</title>"), "{path}");
        let policy = value(&head, "content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(value(&head, "x-content-type-options"), "nosniff");
        assert_eq!(value(&head, "cache-control"), "no-cache");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_known_is_not_sent_again_and_a_named_file_never_changes() {
    let house = House::open().await;
    let (head, body) = ask(&house, "GET /", "").await;
    let tag = value(&head, "etag").to_owned();
    let (again, empty) = ask(&house, "GET /", &format!("If-None-Match: {tag}\r\n")).await;
    assert!(again.starts_with("http/1.1 304") && empty.is_empty(), "{again}");
    let (headed, none) = ask(&house, "HEAD /", "").await;
    assert!(headed.starts_with("http/1.1 200") && none.is_empty(), "{headed}");
    // A binary without the web client has only the plain page.
    let page = String::from_utf8_lossy(&body).into_owned();
    if let Some((_, asset)) = page.split_once("src=\"/assets/") {
        let asset = asset.split('"').next().expect("a name");
        let (head, plain) = ask(&house, &format!("GET /assets/{asset}"), "").await;
        assert!(value(&head, "cache-control").contains("immutable"), "{head}");
        assert!(value(&head, "content-type").starts_with("text/javascript"), "{head}");
        let packed = async |accepted: &str| {
            ask(&house, &format!("GET /assets/{asset}"), &format!("Accept-Encoding: {accepted}\r\n")).await
        };
        let (head, gzip) = packed("gzip, deflate").await;
        assert_eq!(value(&head, "content-encoding"), "gzip");
        assert!(gzip.len() < plain.len() / 2, "{} of {}", gzip.len(), plain.len());
        let (head, brotli) = packed("gzip, deflate, BR;q=0.9").await;
        assert_eq!(value(&head, "content-encoding"), "br");
        assert!(brotli.len() < gzip.len(), "{} of {}", brotli.len(), gzip.len());
        let (head, _) = packed("gzip, br;q=0").await;
        assert_eq!(value(&head, "content-encoding"), "gzip", "what is refused is not sent");
        let (head, whole) = packed("identity").await;
        assert!(!head.contains("content-encoding") && whole == plain, "{head}");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_without_anything_says_so_in_the_words_of_whoever_asks() {
    let house = House::open().await;
    for path in ["/nowhere", "/assets/none.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/.sources"] {
        let (code, reply) = house.rest("GET", path, None, None).await;
        assert_eq!((code, &reply["code"]), (404, &serde_json::json!("no_route")), "{path}: {reply}");
    }
    assert_eq!(house.rest("POST", "/", None, None).await.0, 404);
    let (head, body) = ask(&house, "GET /nowhere", "Accept: text/html\r\n").await;
    assert!(head.starts_with("http/1.1 404"), "{head}");
    assert!(String::from_utf8_lossy(&body).contains("<title>Parlor</title>"));
    house.server.stop().await;
}

/// A link to a table says where it is pasted which game it is, who plays and who won; that of a private one says nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_table_has_its_card() {
    let house = House::open().await;
    let card = async |path: &str| -> String {
        let (head, body) = ask(&house, &format!("GET {path}"), "").await;
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(value(&head, "content-security-policy").contains("default-src 'none'"), "{head}");
        String::from_utf8_lossy(&body).into_owned()
    };
    let [mut one, mut two] = house.pair("plum", "oxo").await;
    assert!(card("/t/plum").await.contains("Watch this table live."));
    tokio::join!(crate::client::play_out(&mut one), crate::client::play_out(&mut two));
    let page = card("/r/plum?at=3").await;
    assert!(page.contains("og:title") && page.contains("Alice") && page.contains(" won."), "{page}");
    assert!(page.contains("<title>Parlor</title>"), "it is the client's page");
    let order = serde_json::json!({"id": "secret", "game": "oxo", "bots": 1, "private": true});
    let (_, made) = house.rest("POST", "/matches", None, Some(order)).await;
    let mut ann = house.client("secret", "json").await;
    let join = serde_json::json!({"type": "join_game", "player_name": "Ann", "invite": made["invite"]});
    ann.say(join).await;
    ann.until("snapshot").await;
    for path in ["/t/secret", "/t/nothing", "/t", "/r/../plum"] {
        assert!(!card(path).await.contains("og:title"), "{path}");
    }
    house.server.stop().await;
}
