//! The server's own TLS: the same house over https and wss, a certificate that is exchanged while people play, and clients
//! whose handshake is none.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parlor_core::Json;
use parlor_server::{Config, Server, tls_report};
use parlor_store::{OpenError, Store};
use parlor_store_sqlite::{Options, SqliteStore};
use rustls::ClientConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::ServerName;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::certificates::{Certificate, certificate, issued_by, usual};
use crate::client::{Client, House, TempFile, call, config, exchange, play_out};

/// The files of a certificate.
struct Files {
    cert: TempFile,
    key: TempFile,
}

impl Files {
    fn of(certificate: &Certificate) -> Self {
        let files = Self { cert: TempFile::new(), key: TempFile::new() };
        files.put(certificate);
        files
    }

    fn put(&self, certificate: &Certificate) {
        replace(&self.cert.0, &certificate.pem);
        replace(&self.key.0, &certificate.key_pem);
    }

    fn config(&self) -> Config {
        let text = |file: &TempFile| file.0.to_str().expect("UTF-8").to_owned();
        Config { tls_cert: text(&self.cert), tls_key: text(&self.key), ..config() }
    }
}

/// As programs do that fetch certificates: a new file takes the place of the old one.
fn replace(path: &PathBuf, text: &str) {
    let new = path.with_extension("new");
    std::fs::File::create(&new).and_then(|mut file| file.write_all(text.as_bytes())).expect("written");
    std::fs::rename(new, path).expect("renamed");
}

/// How a client that trusts this certificate connects.
fn trusting(certificate: &Certificate) -> ClientConfig {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate.der.clone().into()).expect("a certificate");
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_protocol_versions(&[&rustls::version::TLS12, &rustls::version::TLS13]);
    builder.expect("versions").with_root_certificates(roots).with_no_client_auth()
}

async fn connect(house: &House, with: &ClientConfig) -> std::io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(house.server.addr).await?;
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(with.clone())).connect(name, stream).await
}

/// A request over TLS: the head of the answer, and its body.
async fn ask(
    house: &House,
    with: &ClientConfig,
    method: &str,
    path: &str,
    body: Option<Json>,
) -> (String, Json) {
    let stream = connect(house, with).await.expect("a handshake");
    let (head, body) = exchange(stream, house.server.addr, method, path, None, body, &[]).await;
    (head, serde_json::from_str(&body).unwrap_or(Json::String(body)))
}

async fn client(house: &House, with: &ClientConfig, codec: &str) -> Client {
    let stream = connect(house, with).await.expect("a handshake");
    let url = format!("wss://localhost:{}/ws/t", house.server.addr.port());
    Client::over(stream, &url, codec, None).await.expect("connects")
}

/// Two players at a new table, in the order of their seats.
async fn pair(house: &House, with: &ClientConfig) -> [Client; 2] {
    let order = json!({"id": "t", "game": "oxo", "bots": 0});
    let (head, made) = ask(house, with, "POST", "/matches", Some(order)).await;
    assert!(head.starts_with("HTTP/1.1 201"), "{head} {made}");
    let mut clients = [client(house, with, "json").await, client(house, with, "msgpack").await];
    for (client, name) in clients.iter_mut().zip(["Alice", "Bob"]) {
        client.join(name, None).await;
        client.until("game_joined").await;
    }
    for client in &mut clients {
        client.until("snapshot").await;
    }
    if clients[0].seat() != 0 {
        clients.swap(0, 1);
    }
    clients
}

/// What the server says to these bytes before it closes the connection.
async fn told(house: &House, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(house.server.addr).await.expect("connects");
    let _ = stream.write_all(bytes).await;
    rest_of(&mut stream).await
}

async fn rest_of(stream: &mut TcpStream) -> Vec<u8> {
    let mut heard = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut heard)).await;
    // A connection that is cut may end with a reset.
    let _ = read.expect("the server closes the connection");
    heard
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_played_over_https_and_wss() {
    let certificate = usual();
    let files = Files::of(&certificate);
    let house = House::with(files.config()).await;
    let newest = trusting(&certificate);
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_protocol_versions(&[&rustls::version::TLS12]).expect("a version");
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate.der.clone().into()).expect("a certificate");
    let mut older = builder.with_root_certificates(roots).with_no_client_auth();
    older.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    for with in [&newest, &older] {
        assert_eq!(ask(&house, with, "GET", "/healthz", None).await.1, json!({"status": "ok"}));
    }
    let stream = connect(&house, &older).await.expect("a handshake");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]), "as it was offered");
    let mut only_h2 = newest.clone();
    only_h2.alpn_protocols = vec![b"h2".to_vec()];
    connect(&house, &only_h2).await.expect_err("the server does not speak it");
    let [mut first, mut second] = pair(&house, &newest).await;
    let (one, other) = tokio::join!(play_out(&mut first), play_out(&mut second));
    assert_eq!(one["over"], other["over"]);
    house.server.stop().await;
}

/// A client that takes what it is sent slowly gets all of it: what TLS holds back is sent on.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_answer_arrives_whole() {
    let certificate = usual();
    let house = House::with(Files::of(&certificate).config()).await;
    let mut stream = connect(&house, &trusting(&certificate)).await.expect("a handshake");
    let request = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("writes");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard).await.expect("it ends as TLS does, with a word");
    let text = String::from_utf8(heard).expect("UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    assert!(body.len() > 100_000 && head.contains(&format!("content-length: {}", body.len())), "{head}");
    house.server.stop().await;
}

/// Whoever is connected stays so, whoever comes is shown the new one.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_certificate_is_served_without_a_restart() {
    let [before, after] = [usual(), usual()];
    let files = Files::of(&before);
    let house = House::with(files.config()).await;
    let [mut first, mut second] = pair(&house, &trusting(&before)).await;
    // First one that is not whole: the key is still that of the other.
    replace(&files.cert.0, &after.pem);
    tokio::time::sleep(Duration::from_millis(3500)).await;
    ask(&house, &trusting(&before), "GET", "/healthz", None).await;
    replace(&files.key.0, &after.key_pem);
    let (old, new) = (trusting(&before), trusting(&after));
    let mut tries = 0;
    while connect(&house, &new).await.is_err() {
        tries += 1;
        assert!(tries < 200, "the new certificate is never served");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    connect(&house, &old).await.expect_err("the one from before is not served any more");
    // 2099-01-01T00:00:00Z.
    let (_, metrics) = ask(&house, &new, "GET", "/metrics", None).await;
    let until = "\nparlor_certificate_until_seconds 4070908800\n";
    assert!(metrics.as_str().is_some_and(|text| text.contains(until)), "{metrics}");
    let over = tokio::join!(play_out(&mut first), play_out(&mut second));
    assert!(over.0["over"].is_object(), "they play on over the connections that they had");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_cannot_be_served_stops_the_start() {
    let (good, other) = (usual(), usual());
    let files = Files::of(&good);
    let file = |text: &str| {
        let file = TempFile::new();
        std::fs::write(&file.0, text).expect("written");
        file
    };
    let encrypted = good.key_pem.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    let kept = [file("hello"), file(&other.key_pem), file(&encrypted), file(&good.pem.replace("MII", "AAA"))];
    let [empty, foreign, encrypted, torn] = kept.each_ref().map(|file| file.0.to_str().expect("UTF-8"));
    let usual = files.config();
    for (cert, key, redirect, said) in [
        ("/nowhere/cert.pem", usual.tls_key.as_str(), "", "tls_cert: /nowhere/cert.pem: No such file"),
        (&usual.tls_cert, "/nowhere/key.pem", "", "tls_key: /nowhere/key.pem: No such file"),
        (&usual.tls_cert, "/", "", "tls_key: /: it is not a file"),
        (empty, &usual.tls_key, "", "there is no certificate in it"),
        (torn, &usual.tls_key, "", "its first certificate cannot be read"),
        (&usual.tls_cert, empty, "", "there is no private key in it"),
        (&usual.tls_cert, encrypted, "", "the key is encrypted"),
        (&usual.tls_cert, foreign, "", "the key is not that of the certificate"),
        (&usual.tls_cert, "", "", "tls_key is not"),
        ("", &usual.tls_key, "", "tls_cert is not"),
        ("", "", "127.0.0.1:0", "http_redirect leads to HTTPS"),
    ] {
        let (tls_cert, tls_key, http_redirect) = (cert.to_owned(), key.to_owned(), redirect.to_owned());
        let config = Config { tls_cert, tls_key, http_redirect, ..config() };
        let reported = tls_report(&config).expect("there is something to say").expect_err("nothing good");
        assert!(reported.contains(said), "{reported}");
        let file = TempFile::new();
        let store = Arc::new(SqliteStore::open(&file.0, Options::default()).expect("opens"));
        let started = Server::builder(config, crate::client::games(), store).start().await;
        assert_eq!(started.err(), Some(reported));
    }
    assert_eq!(tls_report(&config()), None, "without a certificate there is nothing to say");
}

/// It is served all the same: the server is worth more with it than not at all.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_clients_may_refuse_is_reported() {
    let long = "20990101000000Z";
    for (certificate, said) in [
        (usual(), Ok("is for localhost, until 2099-01-01")),
        (certificate(&[], "20200101000000Z", long), Ok("is for no name, until 2099-01-01")),
        (certificate(&["localhost"], "20200101000000Z", "20210203000000Z"), Err("has expired on 2021-02-03")),
        (certificate(&["localhost"], "20980203000000Z", long), Err("is good from 2098-02-03 on")),
        (
            issued_by("somebody", &["localhost"], "20200101000000Z", long),
            Err("lacks its issuer's certificate"),
        ),
    ] {
        let files = Files::of(&certificate);
        let report = tls_report(&files.config()).expect("there is one");
        let same = match (&report, said) {
            (Ok(text), Ok(said)) | (Err(text), Err(said)) => text.contains(said),
            _ => false,
        };
        assert!(same, "{report:?} is not {said:?}");
        House::with(files.config()).await.server.stop().await;
    }
}

/// A connection that never shakes hands, does so slowly or says something else costs the others nothing.
#[tokio::test(flavor = "multi_thread")]
async fn handshakes_that_are_none_keep_nobody_out() {
    let certificate = usual();
    let files = Files::of(&certificate);
    let limits = Config { http_connections_per_address_max: 8, ..files.config() };
    let house = House::with(limits).await;
    let with = trusting(&certificate);
    let [first, _second] = pair(&house, &with).await;
    let mut silent = Vec::new();
    for n in 0..40 {
        let mut stream = TcpStream::connect(house.server.addr).await.expect("connects");
        // Some have begun.
        let _ = stream.write_all(&[0x16, 3, 1, 2, 0, 1, 0][..n % 8]).await;
        silent.push(stream);
    }
    ask(&house, &with, "GET", "/healthz", None).await;
    assert_eq!(rest_of(&mut silent[0]).await, b"", "the one that was silent longest gave way");
    assert_eq!(first.closed, None, "a table is played meanwhile");
    let mut random = parlor_testkit::world::test_luck(23);
    for kind in 0..60 {
        let mut bytes: Vec<u8> = (0..random.below(600)).map(|_| random.below(256) as u8).collect();
        // Half of them look like TLS at first.
        bytes.splice(0..0, [&[0x16, 3, 1, 1, 0][..], &[0x00]][kind % 2].iter().copied());
        let mut stream = TcpStream::connect(house.server.addr).await.expect("connects");
        let _ = stream.write_all(&bytes).await;
        let _ = stream.shutdown().await;
        let heard = rest_of(&mut stream).await;
        assert!(heard.is_empty() || heard[0] == 0x15, "nothing, or an alert: {heard:x?}");
    }
    ask(&house, &with, "GET", "/healthz", None).await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_that_does_not_end_is_not_waited_for() {
    let certificate = usual();
    let house = House::with(Config { request_ms: 200, ..Files::of(&certificate).config() }).await;
    for begun in [&b""[..], &[0x16], &[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]] {
        assert_eq!(told(&house, begun).await, b"", "{begun:x?}");
    }
    let mut quiet = connect(&house, &trusting(&certificate)).await.expect("a handshake");
    let mut heard = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(20), quiet.read_to_end(&mut heard)).await;
    assert!(ended.is_ok() && heard.is_empty(), "nor is a request after it: {heard:?}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn http_on_the_port_of_https_is_told_so() {
    let house = House::with(Files::of(&usual()).config()).await;
    let (code, why) = call(house.server.addr, "GET", "/healthz", None, None, &[]).await;
    assert_eq!((code, &why["code"]), (400, &json!("https_only")), "{why}");
    let (code, _) = call(house.server.addr, "POST", "/matches", None, Some(json!({"id": "t"})), &[]).await;
    assert_eq!(code, 400);
    house.server.stop().await;
}

/// TLS 1.1 is not spoken: a client that can do no better gets an alert.
#[tokio::test(flavor = "multi_thread")]
async fn an_old_version_of_tls_is_refused() {
    let house = House::with(Files::of(&usual()).config()).await;
    let hello = [&[3, 2][..], &[7; 32], &[0, 0, 4, 0xc0, 0x13, 0, 0x2f, 1, 0, 0, 0]].concat();
    let hello = [&[1, 0, 0, hello.len() as u8][..], &hello].concat();
    let hello = [&[0x16, 3, 1, 0, hello.len() as u8][..], &hello].concat();
    let heard = told(&house, &hello).await;
    assert!(heard.len() == 7 && heard[0] == 0x15 && heard[5] == 2, "a fatal alert: {heard:x?}");
    house.server.stop().await;
}

/// A handshake costs more than a request: it counts as one.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_does_not_shake_hands_without_end() {
    let certificate = usual();
    let files = Files::of(&certificate);
    let limits = Config { requests_per_second: 1, requests_burst: 20, ..files.config() };
    let house = House::with(limits).await;
    let with = trusting(&certificate);
    let mut refused = 0;
    for _ in 0..60 {
        refused += usize::from(connect(&house, &with).await.is_err());
    }
    assert!((30..60).contains(&refused), "{refused} of 60 were refused");
    house.server.stop().await;
}

/// Browsers that were here by HTTPS are told to come by it again: by the server's own TLS, or by what a trusted proxy says.
#[tokio::test(flavor = "multi_thread")]
async fn https_is_insisted_on_where_it_was_used() {
    const HSTS: &str = "strict-transport-security: max-age=31536000";
    let certificate = usual();
    let files = Files::of(&certificate);
    let house = House::with(files.config()).await;
    for path in ["/healthz", "/", "/matches/none"] {
        let (head, _) = ask(&house, &trusting(&certificate), "GET", path, None).await;
        assert!(head.contains(HSTS), "{path}: {head}");
    }
    house.server.stop().await;
    let house = House::with(Config { hsts_seconds: 0, ..files.config() }).await;
    let (head, _) = ask(&house, &trusting(&certificate), "GET", "/healthz", None).await;
    assert!(!head.contains("strict-transport"), "{head}");
    house.server.stop().await;
    let by_https = ("X-Forwarded-Proto", "https");
    for (trusted, header, told) in [
        ("127.0.0.1", Some(by_https), true),
        ("127.0.0.1", None, false),
        ("127.0.0.1", Some(("X-Forwarded-Proto", "http")), false),
        ("192.0.2.1", Some(by_https), false),
    ] {
        let house = House::with(Config { trusted_proxies: vec![trusted.to_owned()], ..config() }).await;
        let headers: Vec<(&str, &str)> = header.into_iter().collect();
        let stream = TcpStream::connect(house.server.addr).await.expect("connects");
        let (head, _) = exchange(stream, house.server.addr, "GET", "/healthz", None, None, &headers).await;
        assert_eq!(head.contains(HSTS), told, "{trusted} {header:?}: {head}");
        house.server.stop().await;
    }
}

/// Who comes by HTTP is sent on; a certificate authority finds its proofs there, and nobody finds anything else.
#[tokio::test(flavor = "multi_thread")]
async fn http_leads_to_https() {
    let certificate = certificate(
        &["localhost", "play.example.org", "*.wild.example.org"],
        "20200101000000Z",
        "20990101000000Z",
    );
    let files = Files::of(&certificate);
    let root = TempFile::new().0.with_extension("acme");
    let proofs = root.join(".well-known/acme-challenge");
    std::fs::create_dir_all(proofs.join("folder")).expect("made");
    std::fs::write(proofs.join("pro-of_1"), "pro-of_1.thumb").expect("written");
    std::fs::write(root.join("secret"), "secret").expect("written");
    let acme_webroot = root.to_str().expect("UTF-8").to_owned();
    let redirecting = Config { http_redirect: "127.0.0.1:0".to_owned(), acme_webroot, ..files.config() };
    let house = House::with(redirecting).await;
    let addr = house.server.redirects.expect("it listens there, too");
    let port = house.server.addr.port();
    let answered = async |method: &str, path: &str, host: &str| {
        let stream = TcpStream::connect(addr).await.expect("connects");
        exchange(stream, addr, method, path, None, None, &[("Host", host)]).await
    };
    let (head, _) = answered("GET", "/t/abc?invite=x", "localhost:80").await;
    assert!(head.starts_with("HTTP/1.1 308"), "{head}");
    assert!(head.contains(&format!("location: https://localhost:{port}/t/abc?invite=x\r\n")), "{head}");
    let (head, _) = answered("POST", "/matches", "play.example.org").await;
    assert!(
        head.contains(&format!("location: https://play.example.org:{port}/matches")),
        "a name of the certificate: {head}"
    );
    for foreign in ["evil.example", "a.wild.example.org"] {
        assert!(answered("GET", "/", foreign).await.0.starts_with("HTTP/1.1 421"), "{foreign}");
    }
    let proof = "/.well-known/acme-challenge/";
    let (head, text) = answered("GET", &format!("{proof}pro-of_1"), "play.example.org").await;
    assert!(head.starts_with("HTTP/1.1 200") && text == "pro-of_1.thumb", "{head} {text}");
    let long = "x".repeat(200);
    for none in ["missing", "folder", "..%2f..%2fsecret", "%2e%2e", long.as_str()] {
        let (head, text) = answered("GET", &format!("{proof}{none}"), "localhost").await;
        assert!(head.starts_with("HTTP/1.1 404"), "{none}: {head} {text}");
    }
    house.server.stop().await;
    std::fs::remove_dir_all(root).expect("removed");
}

/// Why the store cannot be used is said over TLS, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_ready_says_so_over_tls() {
    let (certificate, file) = (usual(), TempFile::new());
    let files = Files::of(&certificate);
    let addr = crate::durable::free_port();
    let config = Config { listen: addr.to_string(), ..files.config() };
    let store = Arc::new(SqliteStore::open(&file.0, Options::default()).expect("opens"));
    let (full, given) = (Arc::new(std::sync::atomic::AtomicBool::new(true)), store.clone());
    let still = full.clone();
    let open = move || match still.load(std::sync::atomic::Ordering::SeqCst) {
        true => Err(OpenError::Full),
        false => Ok(given.clone() as Arc<dyn Store>),
    };
    let games: [parlor_core::GameDef; 0] = [];
    let starting = tokio::spawn(Server::builder_opening(config, games, Box::new(open)).start());
    let connector = TlsConnector::from(Arc::new(trusting(&certificate)));
    let asked = async |path: &str| {
        let stream = TcpStream::connect(addr).await.ok()?;
        let name = ServerName::try_from("localhost").expect("a name");
        let stream = connector.connect(name, stream).await.ok()?;
        Some(exchange(stream, addr, "GET", path, None, None, &[]).await)
    };
    let mut answer = None;
    for _ in 0..200 {
        answer = asked("/readyz").await;
        if answer.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (head, body) = answer.expect("it answers");
    assert!(head.starts_with("HTTP/1.1 503") && body.contains("the disk is full"), "{head} {body}");
    assert!(asked("/health").await.is_some_and(|(head, _)| head.starts_with("HTTP/1.1 200")));
    full.store(false, std::sync::atomic::Ordering::SeqCst);
    starting.await.expect("no panic").expect("it has started").stop().await;
}
