//! Kills the real server under load with SIGKILL and starts it again: everything it had accepted must be there.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Every table must be back within this; the soak reports the time itself.
const BACK_MAX: Duration = Duration::from_secs(60);
/// How long one request may take while the machine is busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// Clients that play at the same time, each at its own share of the tables.
const HANDS: usize = 8;

pub(crate) fn size(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A folder that is removed when dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("parlor-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) struct House {
    pub(crate) child: Child,
    pub(crate) addr: SocketAddr,
}

impl House {
    pub(crate) fn open(database: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--database"]).arg(database);
        let unlimited = ["requests_per_second", "requests_burst", "tables_max", "tables_per_address_max"];
        for limit in unlimited {
            command.args(["--set", &format!("{limit}=1000000")]);
        }
        command.args(["--set", "idle_ms=600000"]);
        command.env("RUST_LOG", "error").stdout(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let addr = line.trim().rsplit('/').next().and_then(|addr| addr.parse().ok());
        Self { child, addr: addr.unwrap_or_else(|| panic!("it said: {line}")) }
    }

    pub(crate) fn kill(mut self) {
        // SIGKILL: the server runs no code after this.
        self.child.kill().expect("it was running");
        self.child.wait().expect("it is gone");
    }
}

/// One request on its own connection; `None` if the server is gone.
pub(crate) fn request(
    addr: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: &Value,
) -> Option<(u16, Value)> {
    let (status, text) = exchange(addr, method, path, token, body)?;
    Some((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
}

/// What is answered at this path, as it is.
pub(crate) fn request_text(addr: SocketAddr, path: &str) -> String {
    exchange(addr, "GET", path, "", &Value::Null).expect("the server answers").1
}

fn exchange(addr: SocketAddr, method: &str, path: &str, token: &str, body: &Value) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(addr).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    let status = reply.split(' ').nth(1)?.parse().ok()?;
    let (_, body) = reply.split_once("\r\n\r\n")?;
    Some((status, body.to_owned()))
}

/// A table, its two players, and how many of their answers were accepted.
struct Seated {
    id: String,
    tokens: [String; 2],
    accepted: u32,
}

impl Seated {
    fn make(addr: SocketAddr, n: usize) -> Self {
        let id = format!("kill-{n}");
        let game = if n.is_multiple_of(2) { "grid64" } else { "oxo" };
        let settings = if game == "grid64" { json!({"moves": 1_000_000}) } else { Value::Null };
        let order = json!({"id": id, "game": game, "seats": 2, "bots": 0, "settings": settings});
        let made = request(addr, "POST", "/matches", "", &order).expect("the server answers");
        assert_eq!(made.0, 201, "{made:?}");
        let tokens = ["Ada", "Bo"].map(|name| {
            let path = format!("/matches/{id}/join");
            let joined = request(addr, "POST", &path, "", &json!({"player_name": name}));
            let (status, reply) = joined.expect("the server answers");
            assert_eq!(status, 200, "{reply}");
            reply["session_token"].as_str().expect("a token").to_owned()
        });
        Self { id, tokens, accepted: 0 }
    }

    /// A player with an open request, and the answer to it; `None` if the match is over.
    fn pending(&self, addr: SocketAddr) -> Option<(usize, Value)> {
        for (n, token) in self.tokens.iter().enumerate() {
            let (status, seen) = request(addr, "GET", &format!("/matches/{}", self.id), token, &Value::Null)?;
            assert_eq!(status, 200, "{seen}");
            if let Some(asked) = seen["snapshot"]["requests"].as_array().and_then(|all| all.first()) {
                let pick = &asked["choices"][0]["title"];
                let answer =
                    json!({"inputId": asked["inputId"], "title": asked["title"], "selection": [pick]});
                return Some((n, answer));
            }
        }
        None
    }

    /// Plays one move; returns whether the server accepted it.
    fn step(&mut self, addr: SocketAddr) -> Option<bool> {
        let (n, body) = self.pending(addr)?;
        let path = format!("/matches/{}/responses", self.id);
        let (status, reply) = request(addr, "POST", &path, &self.tokens[n], &body)?;
        let taken = status == 200 && reply["success"] == json!(true);
        self.accepted += u32::from(taken);
        Some(taken)
    }

    /// How many answers are in the table's log.
    fn logged(&self, addr: SocketAddr) -> Option<u32> {
        let (status, seen) =
            request(addr, "GET", &format!("/matches/{}", self.id), &self.tokens[0], &Value::Null)?;
        assert_eq!(status, 200, "{}: {seen}", self.id);
        let view = &seen["snapshot"]["view"];
        let turn = view["turn"].as_u64().unwrap_or_else(|| panic!("{}: no turn in {view}", self.id));
        Some(turn as u32)
    }

    fn over(&self, addr: SocketAddr) -> bool {
        let seen = request(addr, "GET", &format!("/matches/{}", self.id), &self.tokens[0], &Value::Null);
        seen.is_some_and(|(_, seen)| seen["over"] == json!(true))
    }
}

/// Plays at all tables until the server is gone.
fn play_until_gone(addr: SocketAddr, tables: &mut [Seated]) {
    let share = tables.len().div_ceil(HANDS).max(1);
    std::thread::scope(|scope| {
        for hand in tables.chunks_mut(share) {
            scope.spawn(move || {
                loop {
                    let mut moved = false;
                    for table in &mut *hand {
                        match table.step(addr) {
                            Some(taken) => moved |= taken,
                            None if TcpStream::connect(addr).is_err() => return,
                            None => {}
                        }
                    }
                    if !moved {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                }
            });
        }
    });
}

/// The server is back: it has everything it accepted, and every table that is not over continues.
fn all_there(addr: SocketAddr, tables: &mut [Seated]) {
    for table in tables {
        let logged = table.logged(addr).expect("the server answers");
        let accepted = table.accepted;
        assert!(logged >= accepted, "{}: {accepted} were accepted, {logged} are there", table.id);
        // At most one write was pending when the server died: stored, but its sender got no reply.
        assert!(logged <= accepted + 1, "{}: {accepted} were accepted, {logged} are there", table.id);
        table.accepted = logged;
        if !table.over(addr) {
            assert_eq!(table.step(addr), Some(true), "{} does not go on", table.id);
        }
    }
}

#[test]
fn what_was_accepted_survives_kill_9() {
    let (kills, count) = (size("PARLOR_SOAK_KILLS", 2), size("PARLOR_SOAK_TABLES", 100));
    let folder = Folder::new("kill");
    let database = folder.0.join("kill.sqlite");
    let mut house = House::open(&database);
    let mut made = count;
    let mut tables: Vec<Seated> = (0..count).map(|n| Seated::make(house.addr, n)).collect();
    let mut slowest = Duration::ZERO;
    for round in 0..kills {
        let addr = house.addr;
        // An arbitrary moment, a different one each time.
        let moment = Duration::from_micros(200_000 + (round as u64 * 7_919_993) % 800_000);
        let killer = std::thread::spawn(move || {
            std::thread::sleep(moment);
            house.kill();
        });
        play_until_gone(addr, &mut tables);
        killer.join().expect("it was killed");
        let died = Instant::now();
        house = House::open(&database);
        // The server listens only when every running table is in memory again.
        let back = died.elapsed();
        assert!(back < BACK_MAX, "back after {back:?}");
        slowest = slowest.max(back);
        all_there(house.addr, &mut tables);
        for table in &mut tables {
            if table.over(house.addr) {
                *table = Seated::make(house.addr, 2 * made + 1);
                made += 1;
            }
        }
    }
    println!("kill: {kills} kills, {count} tables, back after {} ms at most", slowest.as_millis());
    house.kill();
}

/// What one client was promised about one table.
struct Promised {
    id: String,
    /// Who was told that they have joined.
    joined: Vec<&'static str>,
    started: bool,
}

/// Makes tables, joins and starts them until the server is gone.
fn promises_until_gone(addr: SocketAddr, client: usize) -> Vec<Promised> {
    let mut promised = Vec::new();
    for n in 0.. {
        let id = format!("room-{client}-{n}");
        let game = if n % 2 == 0 { "hearts" } else { "oxo" };
        let order = json!({"id": id, "game": game, "bots": 0});
        let Some((201, _)) = request(addr, "POST", "/matches", "", &order) else { return promised };
        promised.push(Promised { id: id.clone(), joined: Vec::new(), started: false });
        for name in ["Ada", "Bo"] {
            let path = format!("/matches/{id}/join");
            let joined = request(addr, "POST", &path, "", &json!({"player_name": name}));
            let Some((200, joined)) = joined else { return promised };
            let last = promised.last_mut().expect("it was just made");
            last.joined.push(name);
            last.started = joined["started"] == true;
        }
    }
    promised
}

/// Creating, joining and starting a table are stored before they are answered.
#[test]
fn what_was_promised_survives_kill_9() {
    let folder = Folder::new("promised");
    let (mut tables, mut joins, mut starts) = (0, 0, 0);
    for round in 0..size("PARLOR_SOAK_KILLS", 3) {
        let database = folder.0.join(format!("promised-{round}.sqlite"));
        let house = House::open(&database);
        let addr = house.addr;
        let clients = (0..HANDS).map(|n| std::thread::spawn(move || promises_until_gone(addr, n)));
        let clients: Vec<_> = clients.collect();
        std::thread::sleep(Duration::from_micros(150_000 + (round as u64 * 7_919_993) % 250_000));
        house.kill();
        let promised: Vec<Promised> =
            clients.into_iter().flat_map(|client| client.join().expect("it ends")).collect();
        let house = House::open(&database);
        for Promised { id, joined, started } in &promised {
            let path = format!("/matches/{id}");
            let (status, there) = request(house.addr, "GET", &path, "", &Value::Null).expect("it answers");
            assert_eq!(status, 200, "{id} was made: {there}");
            if *started {
                assert_eq!(there["status"], "running", "{id} was started: {there}");
            }
            let text = there.to_string();
            for name in joined {
                assert!(text.contains(name), "{name} has joined {id}: {there}");
            }
        }
        tables += promised.len();
        joins += promised.iter().map(|table| table.joined.len()).sum::<usize>();
        starts += promised.iter().filter(|table| table.started).count();
        house.kill();
    }
    println!("promised: {tables} tables, {joins} joins, {starts} starts");
    assert!(tables > 20 && joins > 20 && starts > 5, "{tables} tables, {joins} joins, {starts} starts");
}

/// Two servers on one store would take each other's tables.
#[test]
fn a_second_server_on_the_same_store_refuses_to_start() {
    let folder = Folder::new("second");
    let database = folder.0.join("second.sqlite");
    let house = House::open(&database);
    let second = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database"])
        .arg(&database)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && said.contains("another process serves this store"), "{said}");
    // Tools look at it and copy it all the same.
    let copy = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .arg("backup")
        .arg(folder.0.join("copy.sqlite"))
        .arg("--database")
        .arg(&database)
        .output()
        .expect("it runs");
    assert!(copy.status.success(), "{}", String::from_utf8_lossy(&copy.stderr));
    house.kill();
    House::open(&database).kill();
}
