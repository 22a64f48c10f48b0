//! Riichi among people on real sockets: time that runs out, sockets that are lost and come back, a forged message. The
//! server's clock is held: time passes when a test says so.

use parlor_core::{Json, Viewer};
use parlor_host::Command;
use parlor_server::{Clock, Config};
use serde_json::json;

use crate::client::{Client, House, TempFile, config};

const TABLE: &str = "r";

fn token(name: &str) -> String {
    format!("token-of-{name}-0123456789")
}

fn act(action: &str, data: &Json) -> Json {
    json!({"type": "game_action", "action": action, "data": data})
}

/// One player who knows the document alone.
struct Player {
    name: &'static str,
    socket: Client,
    /// How much of what they heard they have looked at.
    seen: usize,
    seat: u64,
}

impl Player {
    /// Joins, or comes back, with the token of this name.
    async fn join(house: &House, name: &'static str) -> Self {
        let mut socket = house.client(TABLE, "none").await;
        let join =
            json!({"type": "join_game", "game_id": TABLE, "player_name": name, "session_token": token(name)});
        socket.say(join).await;
        Self { name, socket, seen: 0, seat: 0 }
    }

    /// Reads up to the start of a round, which says where they sit.
    async fn sit(&mut self) {
        let started = self.socket.until("round_started").await;
        self.seat = started["view"]["seat"].as_u64().expect("a seat");
        self.seen = 0;
    }

    /// Everything sent so far has been heard when the answer to a ping comes.
    async fn catch_up(&mut self) {
        self.socket.say(json!({"type": "ping"})).await;
        self.socket.until("pong").await;
    }

    fn news(&mut self) -> Vec<Json> {
        let news = self.socket.heard[self.seen..].to_vec();
        self.seen = self.socket.heard.len();
        news
    }

    /// What the player is asked by the messages not yet looked at: the last of them that asks.
    fn question(&mut self) -> Option<Json> {
        let asks = |message: &Json| match message["type"].as_str() {
            Some("draw") => message["available_actions"].as_array().is_some_and(|all| !all.is_empty()),
            Some("call_prompt" | "round_end") => true,
            _ => false,
        };
        self.news().into_iter().rev().find(asks)
    }

    /// Lets go: discards what was drawn (after a call the first that may be), passes, confirms.
    async fn let_go(&mut self, question: &Json) {
        let answer = match question["type"].as_str() {
            Some("draw") => {
                let may = &question["available_actions"].as_array().expect("actions")[0]["tiles"];
                let drawn = Some(&question["tile_id"]).filter(|tile| !tile.is_null());
                act("discard", &json!({"tile_id": drawn.unwrap_or(&may[0])}))
            }
            Some("call_prompt") => act("pass", &json!({})),
            _ => act("confirm_round", &json!({})),
        };
        self.socket.say(answer).await;
    }
}

/// A house with one table, and the people who sit at it.
struct Evening {
    house: House,
    now: u64,
    people: Vec<Player>,
}

impl Evening {
    async fn open(settings: Json, names: &[&'static str], seed: &str) -> Self {
        // The table's clock is held and the limit's is not: a fast machine plays a whole game in a second.
        let config = Config { messages_burst: u32::MAX, ..config() };
        let house = House::by_clock(Clock::held(0), config, TempFile::new()).await;
        let bots = 4 - names.len();
        let body = json!({"id": TABLE, "game": "riichi", "bots": bots, "settings": settings, "seed": seed});
        let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
        assert_eq!(code, 201, "{made}");
        let mut people = Vec::new();
        for name in names {
            people.push(Player::join(&house, name).await);
        }
        for player in &mut people {
            player.sit().await;
        }
        let mut evening = Self { house, now: 0, people };
        evening.pass_time(0).await;
        evening
    }

    /// Time passes; everything that is due happens, and everybody hears of it.
    async fn pass_time(&mut self, ms: u64) {
        // What the players said has reached the table.
        for player in &mut self.people {
            player.catch_up().await;
        }
        self.now += ms;
        self.house.server.tell(TABLE, self.now, Command::Tick, Viewer::Gallery).await.expect("a table");
        for player in &mut self.people {
            player.catch_up().await;
        }
    }

    /// Everybody lets go of everything, in no time, until a player is asked this; returns who, and the question.
    async fn until(&mut self, wanted: impl Fn(&Player, &Json) -> bool) -> (usize, Json) {
        for _ in 0..5000 {
            let mut found = None;
            for n in 0..self.people.len() {
                let Some(question) = self.people[n].question() else { continue };
                if found.is_none() && wanted(&self.people[n], &question) {
                    found = Some((n, question));
                } else {
                    self.people[n].let_go(&question).await;
                }
            }
            self.pass_time(0).await;
            if let Some(found) = found {
                return found;
            }
        }
        panic!("nobody was asked that");
    }

    /// The last message of this type that a player heard.
    fn last(&self, n: usize, kind: &str) -> Json {
        let heard = self.people[n].socket.heard.iter().rev();
        heard.into_iter().find(|message| message["type"] == kind).cloned().unwrap_or_default()
    }

    fn count(&self, n: usize, kind: &str) -> usize {
        self.people[n].socket.heard.iter().filter(|message| message["type"] == kind).count()
    }
}

fn is_turn(question: &Json) -> bool {
    question["type"] == "draw" && !question["tile_id"].is_null()
}

/// Two people and two bots: a turn has the bank of 3 + 2 seconds and then the drawn tile goes; a call has two and is then
/// passed; the rest of the bank is what is left of it. Cites 003-25, 003/R4, 003/R6.
#[tokio::test(flavor = "multi_thread")]
async fn time_runs_out_for_people_at_a_table_with_bots() {
    let mut evening = Evening::open(json!({}), &["Ann", "Bob"], "people 1").await;
    let (who, turn) = evening.until(|_, question| is_turn(question)).await;
    let other = 1 - who;
    let seat = evening.people[who].seat;
    // Two of the five seconds are gone when the player answers.
    evening.pass_time(2000).await;
    let before = evening.count(other, "discard");
    evening.people[who].let_go(&turn).await;
    evening.pass_time(0).await;
    assert!(evening.count(other, "discard") > before);
    let (again, turn) = evening.until(|player, question| player.seat == seat && is_turn(question)).await;
    assert_eq!(again, who);
    let before = evening.count(other, "discard");
    evening.pass_time(2999).await;
    assert_eq!(evening.count(other, "discard"), before, "three seconds are left");
    evening.pass_time(1).await;
    let heard = &evening.people[other].socket.heard;
    let thrown = heard.iter().filter(|message| message["type"] == "discard").nth(before).expect("a discard");
    assert_eq!(
        (&thrown["seat"], &thrown["tile_id"], &thrown["is_tsumogiri"]),
        (&json!(seat), &turn["tile_id"], &json!(true))
    );

    // A call: nothing is heard for two seconds, then the game goes on without it.
    let (who, _) = evening.until(|_, question| question["call_type"] == "meld").await;
    let count =
        |evening: &Evening| evening.people.iter().map(|player| player.socket.heard.len()).sum::<usize>();
    let pings = |evening: &Evening| (0..2).map(|n| evening.count(n, "pong")).sum::<usize>();
    let (before, pinged) = (count(&evening), pings(&evening));
    evening.pass_time(1999).await;
    assert_eq!(count(&evening) - before, pings(&evening) - pinged, "nobody hears anything");
    evening.pass_time(1).await;
    assert!(count(&evening) - before > pings(&evening) - pinged, "the call was passed");
    let meld = evening.last(1 - who, "meld");
    assert_ne!(meld["caller_seat"], json!(evening.people[who].seat));
    evening.house.server.stop().await;
}

/// A socket that is lost in a call prompt: the bot answers at once under the same name, the others hear it, and the same
/// token takes the seat back with the whole table and plays on. Cites 003-23, 003-24, 003/R3, 003/R17.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_lost_in_a_call_prompt_is_played_on_by_a_bot_and_comes_back() {
    let mut evening = Evening::open(json!({}), &["Ann", "Bob"], "people 2").await;
    let (who, prompt) = evening.until(|_, question| question["call_type"] == "meld").await;
    let lost = evening.people.remove(who);
    let (name, seat) = (lost.name, lost.seat);
    drop(lost.socket);
    let left = evening.people[0].socket.until("player_left").await;
    assert_eq!(left["player_name"], name);
    // No time passes: the bot has answered the prompt, and the game goes on.
    evening.pass_time(0).await;
    let heard = &evening.people[0].socket.heard;
    let at = heard.iter().position(|message| *message == left).expect("it was heard");
    assert!(
        heard[at..].iter().any(|message| ["draw", "discard", "meld", "call_prompt", "round_end"]
            .iter()
            .any(|kind| message["type"] == *kind)),
        "the prompt about {prompt} still stands"
    );
    // The bot plays turns of that seat.
    let discards = |evening: &Evening| {
        let heard = &evening.people[0].socket.heard;
        heard[at..].iter().filter(|message| message["type"] == "discard" && message["seat"] == seat).count()
    };
    while discards(&evening) == 0 {
        evening.until(|_, _| true).await;
        let question = evening.people[0].socket.heard.iter().rev().find(|message| {
            message["type"] == "call_prompt"
                || message["type"] == "round_end"
                || is_turn(message)
                || message["available_actions"].is_array()
        });
        let question = question.cloned().expect("a question");
        evening.people[0].let_go(&question).await;
        evening.pass_time(0).await;
    }

    let mut back = Player::join(&evening.house, name).await;
    let joined = back.socket.until("game_joined").await;
    assert_eq!(joined["session_token"], token(name));
    let started = back.socket.until("game_started").await;
    assert_eq!(started["players"][seat as usize]["name"], name);
    back.sit().await;
    assert_eq!(back.seat, seat, "the same seat");
    let view = evening_view(&back);
    assert!(view["tiles_remaining"].as_u64().is_some_and(|left| left < 70), "{view}");
    let rivers = view["players"]
        .as_array()
        .expect("players")
        .iter()
        .map(|player| player["discards"].as_array().map_or(0, Vec::len))
        .sum::<usize>();
    assert!(rivers > 0, "the rivers are there");
    let rejoined = evening.people[0].socket.until("player_joined").await;
    assert_eq!(rejoined["player_name"], name);
    evening.people.push(back);
    evening.pass_time(0).await;

    // The seat is theirs again: their own discard is what the others hear.
    let (n, turn) = evening.until(|player, question| player.seat == seat && is_turn(question)).await;
    assert_eq!(evening.people[n].name, name);
    let (mine, drawn) =
        (turn["available_actions"][0]["tiles"].as_array().expect("tiles").clone(), &turn["tile_id"]);
    let other = mine.iter().find(|tile| *tile != drawn).unwrap_or(drawn).clone();
    evening.people[n].socket.say(act("discard", &json!({"tile_id": other}))).await;
    evening.pass_time(0).await;
    let heard = evening.people[1 - n].socket.heard.iter();
    assert!(heard.into_iter().any(|message| message["type"] == "discard"
        && message["seat"] == seat
        && message["tile_id"] == other));
    evening.house.server.stop().await;
}

fn evening_view(player: &Player) -> Json {
    let heard = player.socket.heard.iter().rev();
    heard.into_iter().find(|message| message["type"] == "round_started").expect("a round")["view"].clone()
}

/// A tile that the seat has never held: 1008, a bot has the seat at once and plays it to the end, the token is no longer
/// good. At the end the sockets are closed. Cites 003-19, 003/R11, 003/R17.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_sends_what_no_honest_client_can_send_loses_the_seat_to_a_bot() {
    let settings = json!({"game_type": "east", "enchousen": "none"});
    let mut evening = Evening::open(settings, &["Ann", "Bob"], "people 3").await;
    let (who, _) = evening.until(|player, question| player.name == "Bob" && is_turn(question)).await;
    let mut bob = evening.people.remove(who);
    let held = evening_view(&bob)["my_tiles"].as_array().expect("tiles").clone();
    let drawn: Vec<Json> = bob
        .socket
        .heard
        .iter()
        .filter(|message| message["type"] == "draw")
        .map(|draw| draw["tile_id"].clone())
        .collect();
    // What a confused client sends costs nothing: a tile that has gone.
    let strange = (0..136)
        .map(|id| json!(id))
        .find(|tile| !held.contains(tile) && !drawn.contains(tile))
        .expect("another tile");
    bob.socket.say(act("tsumo", &json!({}))).await;
    assert_eq!(bob.socket.until("error").await["code"], "invalid_tsumo");
    bob.socket.say(act("discard", &json!({"tile_id": strange}))).await;
    assert_eq!(bob.socket.until_closed().await, Some((1008, "invalid_game_action".to_owned())));
    assert_eq!(evening.people[0].socket.until("player_left").await["player_name"], "Bob");
    evening.pass_time(0).await;
    let turn_of_bob = |message: &Json| message["type"] == "discard" && message["seat"] == bob.seat;
    assert!(
        evening.people[0].socket.heard.iter().filter(|message| turn_of_bob(message)).count() > 0,
        "the bot has discarded for him"
    );

    let mut again = Player::join(&evening.house, "Bob").await;
    let refused = again.socket.until("session_error").await;
    assert_eq!(refused["code"], "game_started", "{refused}");

    // The game goes on to its end, and the end closes the socket.
    let mut ann = evening.people.remove(0);
    ann.seen = 0;
    while ann.socket.closed.is_none() {
        if let Some(question) = ann.question() {
            ann.let_go(&question).await;
        }
        if ann.socket.next().await.is_none() {
            break;
        }
    }
    assert_eq!(ann.socket.closed, Some((1000, "game_ended".to_owned())));
    let end = ann.socket.heard.iter().rev().find(|message| message["type"] == "game_end").expect("an end");
    let standings = end["result"]["standings"].as_array().expect("standings");
    let bots = standings.iter().filter(|player| player["is_bot"] == true).count();
    assert_eq!((standings.len(), bots), (4, 3), "Bob's seat is a bot's");

    // A match that is over can be had in a notation of its game.
    let path = |form: &str| format!("/matches/{TABLE}/log?as={form}");
    let (code, files) = evening.house.rest("GET", &path("tenhou6"), None, None).await;
    assert_eq!(code, 200, "{files}");
    let files = files.as_str().expect("lines").lines();
    let files: Vec<Json> = files.map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let rounds = ann.socket.heard.iter().filter(|message| message["type"] == "round_end").count();
    assert_eq!(files.len(), rounds, "a file for each round");
    assert_eq!(files[0]["log"][0][1], json!([25000, 25000, 25000, 25000]));
    assert_eq!(evening.house.rest("GET", &path("phh"), None, None).await.0, 400);
    evening.house.server.stop().await;
}

/// One person and three bots under `standard`: whoever reloads in a prompt is asked the same again, with the time that was
/// left, and the answer counts. Cites 003/R3, 003/R6, 003/R9.
#[tokio::test(flavor = "multi_thread")]
async fn a_reload_in_a_prompt_under_standard_finds_the_prompt_and_its_time() {
    let settings = json!({"profile": "standard", "callWindowMinMs": 0, "riichiDiscardMs": 0});
    let mut evening = Evening::open(settings, &["Ann"], "people 4").await;
    let (_, prompt) = evening.until(|_, question| question["call_type"] == "meld").await;
    // Five seconds for a call, then the bank of 20 + 10.
    let until = seen_until(&evening.house).await;
    assert_eq!(until, 35_000);
    evening.pass_time(1500).await;
    let gone = evening.people.remove(0);
    let hand = evening_view(&gone);
    drop(gone.socket);
    until_here(&evening.house, false).await;
    // Nobody is at the table: its clocks stand still, and the bots do nothing, not even hers.
    evening.now += 60_000;
    evening.house.server.tell(TABLE, evening.now, Command::Tick, Viewer::Gallery).await.expect("a table");

    let mut back = Player::join(&evening.house, "Ann").await;
    back.sit().await;
    evening.people.push(back);
    evening.pass_time(0).await;
    assert_eq!(evening_view(&evening.people[0])["seat"], hand["seat"]);
    let again = evening.last(0, "call_prompt");
    assert_eq!(again, prompt, "the same prompt stands");
    assert_eq!(evening.count(0, "player_left"), 0);
    assert_eq!(seen_until(&evening.house).await, until, "what was left is left");
    evening.pass_time(until - 1500 - 1).await;
    assert_eq!(evening.count(0, "meld"), 0, "it stands to its last millisecond");
    // It is answered: the meld is the player's.
    let call = &prompt["available_calls"][0];
    let way = &call["options"][0];
    let data = if way.is_null() { json!({}) } else { json!({"tile_ids": way}) };
    evening.people[0].socket.say(act(call["call_type"].as_str().expect("a name"), &data)).await;
    let meld = loop {
        evening.pass_time(0).await;
        let meld = evening.last(0, "meld");
        if !meld.is_null() {
            break meld;
        }
    };
    assert_eq!((&meld["caller_seat"], &meld["called_tile_id"]), (&hand["seat"], &prompt["tile_id"]));
    evening.house.server.stop().await;
}

/// When Ann's open request ends, in match time.
async fn seen_until(house: &House) -> u64 {
    let (_, seen) = house.rest("GET", &format!("/matches/{TABLE}"), Some(&token("Ann")), None).await;
    let requests = seen["snapshot"]["requests"].as_array().expect("requests");
    let request = requests.iter().find(|request| request["kind"] == "request").expect("a request");
    request["until"].as_u64().unwrap_or_else(|| panic!("no end of {request}"))
}

/// Waits until the table knows that Ann is there, or that she is not.
async fn until_here(house: &House, here: bool) {
    loop {
        let (_, seen) = house.rest("GET", &format!("/matches/{TABLE}"), None, None).await;
        let seats = seen["snapshot"]["seats"].as_array().expect("seats");
        if seats.iter().any(|seat| seat["name"] == "Ann" && seat["here"] == here) {
            return;
        }
        tokio::task::yield_now().await;
    }
}
