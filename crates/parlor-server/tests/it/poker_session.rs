//! An evening at a poker table over real sockets: two people, four bots, one clock that the test holds.
//!
//! Ann's client speaks the house's protocol, Bob's is the document's: it is sent whole hands, and all it ever sends is a whole
//! hand with something of its own changed.

use std::time::Duration;

use parlor_core::{Json, Viewer};
use parlor_host::Command;
use parlor_server::{Clock, Config};
use parlor_store::Accounts;
use serde_json::json;

use crate::client::{Client, House, TempFile, config};

const ANN_TOKEN: &str = "token-of-Ann-0123456789";
const BOB_TOKEN: &str = "token-of-Bob-0123456789";

/// What Bob's hand and the public one have in common.
const FRESH: [&str; 4] = ["hand", "_inactive", "_intents", "_deadBlinds"];

/// Steps after which something that should have come counts as lost.
const STEPS_MAX: usize = 2_000;

/// A table on a server whose clock stands still unless it is told to go on.
struct Evening {
    house: House,
    now: u64,
    ann: Client,
    bob: Client,
    /// The seats that the bots leave: Ann's, and the one that Bob takes.
    seats: [usize; 2],
}

impl Evening {
    /// A table with four bots, and Ann.
    async fn open() -> Self {
        let config = Config { last_human_grace_ms: 86_400_000, ..config() };
        let house = House::by_clock(Clock::held(0), config, TempFile::new()).await;
        let settings = json!({"buyInMin": 40, "buyInMax": 100, "runOutMs": 0, "timeLimitMs": 0});
        let bots: Vec<Json> = (1..5).map(|seat| json!({"seat": seat, "bot": "call"})).collect();
        let body = json!({
            "id": "p", "game": "poker", "seats": 6, "bots": bots, "settings": settings, "seed": "evening",
        });
        let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
        assert_eq!(code, 201, "{made}");
        let mut ann = house.client("p", "json").await;
        ann.say(ann_joins(true)).await;
        ann.until("game_joined").await;
        let bob = house.client("p", "json").await;
        let mut evening = Self { house, now: 0, ann, bob, seats: [0, 5] };
        if evening.seat("Ann").await != Some(0) {
            evening.seats = [5, 0];
        }
        evening
    }

    /// The table as everybody sees it.
    async fn seen(&self) -> Json {
        self.house.rest("GET", "/matches/p", None, None).await.1
    }

    async fn view(&self) -> Json {
        self.seen().await["snapshot"]["view"].clone()
    }

    async fn pass(&mut self, ms: u64) {
        self.now += ms;
        let told = self.house.server.tell("p", self.now, Command::Tick, Viewer::Gallery).await;
        told.expect("the table is there");
    }

    async fn seat(&self, name: &str) -> Option<usize> {
        let seen = self.seen().await;
        seen["seats"].as_array()?.iter().position(|seat| seat["name"] == name)
    }

    /// Waits for something that a socket brings about.
    async fn until(&self, is: impl Fn(&Json) -> bool) -> Json {
        for _ in 0..STEPS_MAX {
            let view = self.view().await;
            if is(&view) {
                return view;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it never came to that: {}", self.view().await);
    }

    /// Plays on, people checking or folding, until the table looks so.
    async fn play_until(&mut self, is: impl Fn(&Json) -> bool) -> Json {
        for _ in 0..STEPS_MAX {
            let view = self.view().await;
            if is(&view) {
                return view;
            }
            self.step(&view).await;
        }
        panic!("it never came to that: {}", self.view().await);
    }

    async fn step(&mut self, view: &Json) {
        let turn = view["turn"].as_u64().map(|seat| seat as usize);
        if turn.is_none() {
            return self.pass(3_000).await;
        }
        let free = view["seats"][turn.expect("a turn")]["bet"] == highest_bet(view);
        if turn == self.seat("Ann").await {
            self.ann_acts(if free { "call" } else { "fold" }).await;
        } else if turn == self.seat("Bob").await {
            let line = if free { "cc" } else { "f" };
            let ignored = self.merge(|hand, column| add_line(hand, &format!("p{} {line}", column + 1))).await;
            assert_eq!(ignored, json!([]));
        } else {
            self.pass(1).await;
        }
    }

    /// Plays on to the next hand.
    async fn next_hand(&mut self) -> Json {
        let number = self.view().await["hand"].as_u64().expect("a hand");
        self.play_until(|view| view["hand"].as_u64() > Some(number)).await
    }

    /// Ann answers her open request, or the offer beside it.
    async fn ann_says(&mut self, kind: &str, answer: Json) -> Json {
        let (_, seen) = self.house.rest("GET", "/matches/p", Some(ANN_TOKEN), None).await;
        let open = seen["snapshot"]["requests"].as_array().cloned().unwrap_or_default();
        let open = open.into_iter().find(|one| one["kind"] == kind);
        let input = open.unwrap_or_else(|| panic!("no {kind}: {seen}"))["inputId"].clone();
        let said = json!({"type": "game_action", "action": "answer", "inputId": input, "data": answer});
        self.ann.say(said).await;
        loop {
            let message = self.ann.next().await.expect("open");
            if message["type"] == "accepted" || message["type"] == "refused" {
                return message;
            }
        }
    }

    async fn ann_acts(&mut self, action: &str) {
        let told = self.ann_says("request", json!({"type": action})).await;
        assert_eq!(told["type"], "accepted", "{told}");
    }

    /// The hand that Bob was sent last, once it is as new as the table.
    async fn bobs_hand(&mut self) -> Json {
        let table = self.view().await["notation"].clone();
        let length = |hand: &Json| hand["actions"].as_array().map_or(0, Vec::len);
        loop {
            let last = self.bob.heard.iter().rev().find(|message| message["type"] == "hand");
            if let Some(hand) = last.map(|message| &message["hand"])
                && FRESH.iter().all(|name| hand[*name] == table[*name])
                && length(hand) >= length(&table)
            {
                return hand.clone();
            }
            self.bob.next().await.expect("Bob is sent every change");
        }
    }

    /// Bob sends the whole hand with a change of his own; what was ignored of it.
    async fn merge(&mut self, change: impl FnOnce(&mut Json, usize)) -> Json {
        let mut hand = self.bobs_hand().await;
        let column = column(&hand, "Bob").expect("his column");
        change(&mut hand, column);
        self.bob.say(json!({"type": "game_action", "action": "merge", "data": hand})).await;
        loop {
            let message = self.bob.next().await.expect("open");
            if let Some(ignored) = message.get("ignored") {
                return ignored.clone();
            }
        }
    }

    async fn bob_intends(&mut self, intent: u8) {
        let ignored = self.merge(|hand, column| hand["_intents"][column] = json!(intent)).await;
        assert_eq!(ignored, json!([]), "intent {intent}");
    }

    /// Bob's own entries of the hand: `_inactive`, `_intents`, `_deadBlinds`.
    async fn bobs_flags(&mut self) -> [i64; 3] {
        let hand = self.bobs_hand().await;
        let column = column(&hand, "Bob").expect("his column");
        ["_inactive", "_intents", "_deadBlinds"].map(|name| number(&hand[name][column]))
    }
}

/// The first time Ann brings chips; later she only returns to her seat.
fn ann_joins(brings_chips: bool) -> Json {
    let mut join = json!({"type": "join_game", "player_name": "Ann", "session_token": ANN_TOKEN});
    let (name, value) = if brings_chips { ("buy_in", 100) } else { ("last_v", 1) };
    join[name] = json!(value);
    join
}

fn number(value: &Json) -> i64 {
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

fn highest_bet(view: &Json) -> Json {
    let bets = view["seats"].as_array().into_iter().flatten().map(|seat| number(&seat["bet"]));
    json!(bets.max().unwrap_or(0))
}

fn column(hand: &Json, name: &str) -> Option<usize> {
    hand["players"].as_array()?.iter().position(|player| player == name)
}

fn add_line(hand: &mut Json, line: &str) {
    hand["actions"].as_array_mut().expect("actions").push(json!(line));
}

/// Whether somebody in this column was dealt cards in the hand.
fn is_dealt(hand: &Json, column: usize) -> bool {
    let begins = format!("d dh p{} ", column + 1);
    let lines = hand["actions"].as_array().into_iter().flatten();
    lines.filter_map(Json::as_str).any(|line| line.starts_with(&begins))
}

/// Bob joins by a state with a column of his own, and plays from the next hand. Cites 004-11, 004-12, 004-13.
async fn bob_joins(evening: &mut Evening) {
    let [ann, bob] = evening.seats;
    evening.play_until(|view| view["turn"] == ann).await;
    let join = json!({
        "type": "join_game", "dialect": "hand", "player_name": "Bob", "spectate": true, "session_token": BOB_TOKEN,
    });
    evening.bob.say(join).await;
    let mut hand = evening.bob.until("hand").await["hand"].clone();
    for (field, value) in [
        ("players", json!("Bob")),
        ("startingStacks", json!(100)),
        ("blindsOrStraddles", json!(0)),
        ("antes", json!(0)),
        ("seats", json!(bob + 1)),
        ("_intents", json!(0)),
    ] {
        hand[field].as_array_mut().unwrap_or_else(|| panic!("{field}")).push(value);
    }
    hand["author"] = json!("Bob");
    evening.bob.say(json!({"type": "game_action", "action": "merge", "data": hand})).await;
    evening.bob.until("game_joined").await;
    let view = evening.until(|view| !view["seats"][bob].is_null()).await;
    let newcomer = &view["seats"][bob];
    assert_eq!(
        (&newcomer["inactive"], &newcomer["inHand"], &newcomer["stack"]),
        (&json!(true), &json!(false), &json!(100))
    );
    let view = evening.next_hand().await;
    assert_eq!(
        (&view["seats"][bob]["inactive"], &view["seats"][bob]["inHand"]),
        (&json!(false), &json!(true))
    );
    let hand = evening.bobs_hand().await;
    let own = column(&hand, "Bob").expect("his column");
    let cards = |column: usize| {
        let begins = format!("d dh p{} ", column + 1);
        let lines = hand["actions"].as_array().into_iter().flatten().filter_map(Json::as_str);
        lines.filter_map(|line| line.strip_prefix(&begins)).map(str::to_owned).next().expect("dealt")
    };
    assert!(!cards(own).contains('?'), "he sees his own cards");
    assert!((0..6).filter(|other| *other != own).all(|other| cards(other) == "????"), "and nobody else's");
}

/// Bob waits for his big blind: he sits out, owes nothing when it comes, and pays it. Cites 004-8, 004-16.
async fn pause_until_big_blind(evening: &mut Evening) {
    let [_, bob] = evening.seats;
    evening
        .play_until(|view| {
            view["turn"] == bob || view["blinds"][1] != bob && view["seats"][bob]["inHand"] == true
        })
        .await;
    evening.bob_intends(1).await;
    assert_eq!(evening.bobs_flags().await, [1, 1, 0], "from the next action on");
    let mut missed = 0;
    loop {
        let view = evening.next_hand().await;
        let hand = evening.bobs_hand().await;
        let own = column(&hand, "Bob").expect("he keeps his seat");
        if view["blinds"][1] == bob {
            assert_eq!(evening.bobs_flags().await, [0, 0, 0]);
            assert_eq!((number(&hand["blindsOrStraddles"][own]), is_dealt(&hand, own)), (2, true));
            assert_eq!(number(&hand["_paidDead"][own]), 0, "no dead blinds");
            break;
        }
        missed += 1;
        assert!(missed < 6, "the big blind reaches him within a round");
        assert_eq!(evening.bobs_flags().await[..2], [1, 1]);
        assert!(!is_dealt(&hand, own), "no cards while he waits");
    }
    assert!(missed > 0, "he did sit out");
}

/// Bob pauses, owes a blind and a half after a round, and pays it dead when he returns. Cites 004-7, 004-9, 004-21.
async fn pause_and_pay(evening: &mut Evening) {
    evening.bob_intends(2).await;
    assert_eq!(evening.bobs_flags().await, [1, 2, 0], "who has posted in this hand owes nothing");
    let mut debts = vec![0];
    while debts.last() != Some(&3) {
        evening.next_hand().await;
        let [inactive, intent, debt] = evening.bobs_flags().await;
        assert_eq!((inactive, intent), (1, 2));
        debts.push(debt);
        assert!(debts.len() < 16, "{debts:?}");
    }
    // He has paid the big blind: the small blind goes by first, and the big blind a round later.
    assert!(debts.windows(2).all(|pair| pair[0] <= pair[1]) && debts.contains(&1), "{debts:?}");
    let hand = evening.bobs_hand().await;
    let stack = number(&hand["startingStacks"][column(&hand, "Bob").expect("his column")]);
    evening.bob_intends(0).await;
    assert_eq!(evening.bobs_flags().await, [1, 0, 3], "ready to come back and pay");
    evening.next_hand().await;
    assert_eq!(evening.bobs_flags().await, [0, 0, 0]);
    let hand = evening.bobs_hand().await;
    let own = column(&hand, "Bob").expect("his column");
    assert_eq!((number(&hand["startingStacks"][own]), number(&hand["_paidDead"][own])), (stack - 3, 3));
    assert!(is_dealt(&hand, own));
}

/// A lost socket sits its player out; back before the next deal, nothing has happened; back later, they say when they play
/// again. Cites 004/R12.
async fn lose_and_return(evening: &mut Evening) {
    let [ann, _] = evening.seats;
    evening.play_until(|view| view["turn"] == ann).await;
    for late in [false, true] {
        evening.ann.socket.close(None).await.expect("it closes");
        let view = evening.until(|view| view["seats"][ann]["away"] == true).await;
        assert_eq!(
            (&view["seats"][ann]["inactive"], &view["seats"][ann]["intent"]),
            (&json!(true), &json!(2))
        );
        if late {
            evening.next_hand().await;
            let view = evening.next_hand().await;
            assert_eq!(
                (&view["seats"][ann]["inHand"], &view["seats"][ann]["intent"]),
                (&json!(false), &json!(2))
            );
        }
        evening.ann = evening.house.client("p", "json").await;
        evening.ann.say(ann_joins(false)).await;
        evening.ann.until("snapshot").await;
        let view = evening.until(|view| view["seats"][ann]["away"] == false).await;
        if late {
            assert_eq!(view["seats"][ann]["intent"], 2, "she says herself when she is back");
            let told = evening.ann_says("offer", json!({"type": "intent", "intent": 0})).await;
            assert_eq!(told["type"], "accepted", "{told}");
        }
        evening.until(|view| view["seats"][ann]["intent"] == 0).await;
        let owed = evening.view().await["seats"][ann]["deadBlinds"].clone();
        let view = evening.next_hand().await;
        assert_eq!(
            (&view["seats"][ann]["inHand"], &view["seats"][ann]["inactive"]),
            (&json!(true), &json!(false))
        );
        if number(&owed) > 0 && view["blinds"][1] != ann {
            assert!(
                view["notation"]["_paidDead"].as_array().is_some_and(|paid| paid.contains(&owed)),
                "{view}"
            );
        }
        evening.play_until(|view| view["turn"] == ann).await;
    }
}

/// Chips that are bought during a hand are added when it is over.
async fn top_up(evening: &mut Evening) {
    let [ann, _] = evening.seats;
    let view = evening.play_until(|view| view["turn"] == ann).await;
    let before = number(&view["seats"][ann]["stack"]);
    let chips = 100 - before - number(&view["seats"][ann]["bet"]);
    assert!(chips > 0, "she has paid blinds: {before}");
    let told = evening.ann_says("offer", json!({"type": "topUp", "chips": 1_000})).await;
    assert_eq!(
        (told["type"].as_str(), told["faults"][0]["code"].as_str()),
        (Some("refused"), Some("buy_in")),
        "{told}"
    );
    let told = evening.ann_says("offer", json!({"type": "topUp", "chips": chips})).await;
    assert_eq!(told["type"], "accepted", "{told}");
    assert_eq!(number(&evening.view().await["seats"][ann]["stack"]), before, "not during the hand");
    evening.ann_acts("fold").await;
    let view = evening.next_hand().await;
    let now = number(&view["seats"][ann]["stack"]) + number(&view["seats"][ann]["bet"]);
    assert_eq!(now, before + chips);
}

/// Bob leaves by his intent: he is out of the hand, and out of every array of the next. Cites 004-10, 004-22.
async fn bob_leaves(evening: &mut Evening) {
    let [ann, bob] = evening.seats;
    evening.play_until(|view| view["seats"][bob]["inHand"] == true && view["turn"] == ann).await;
    evening.bob_intends(3).await;
    let view = evening.view().await;
    assert_eq!((&view["seats"][bob]["inactive"], &view["seats"][bob]["intent"]), (&json!(true), &json!(3)));
    let view = evening.next_hand().await;
    assert_eq!(view["seats"][bob], Json::Null);
    let hand = &view["notation"];
    for name in
        ["players", "startingStacks", "blindsOrStraddles", "antes", "_inactive", "_intents", "_deadBlinds"]
    {
        if let Some(entries) = hand[name].as_array() {
            assert_eq!(entries.len(), 5, "{name}");
        }
    }
    assert_eq!(evening.seat("Bob").await, None);
}

/// Join, pause A, pause B, return with debt, disconnect, reconnect, top-up, leave. Cites 004-1, 004/R9.
#[tokio::test(flavor = "multi_thread")]
async fn an_evening_of_two_people_and_four_bots() {
    let mut evening = Evening::open().await;
    bob_joins(&mut evening).await;
    pause_until_big_blind(&mut evening).await;
    pause_and_pay(&mut evening).await;
    lose_and_return(&mut evening).await;
    top_up(&mut evening).await;
    bob_leaves(&mut evening).await;
    assert_eq!(evening.house.store.audit(), Ok(Vec::new()));
    evening.house.server.stop().await;
}

/// Three players with accounts play a sit-and-go until one has everything: places are unique, and the prize pool is paid
/// out to the last token.
#[tokio::test(flavor = "multi_thread")]
async fn a_sit_and_go_is_played_to_its_end() {
    let house = House::by_clock(Clock::held(0), config(), TempFile::new()).await;
    let settings = json!({"format": "sitAndGo", "buyIn": 10, "timeLimitMs": 0, "runOutMs": 0});
    let body = json!({"id": "p", "game": "poker", "seats": 3, "bots": 0, "settings": settings});
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    let mut players = Vec::new();
    for name in ["Ann", "Bob", "Cid"] {
        let (_, token) = house.player(name).await;
        assert_eq!(house.tokens(&token).await, 10);
        let mut client = house.client("p", "json").await;
        client.say(json!({"type": "join_game", "player_name": name, "player_token": token})).await;
        client.until("game_joined").await;
        players.push((name, token, client));
    }
    for (_, _, client) in &mut players {
        client.until("snapshot").await;
    }
    let mut now = 0;
    let mut steps = 0;
    let end = loop {
        steps += 1;
        assert!(steps < STEPS_MAX, "it comes to its end");
        let (_, seen) = house.rest("GET", "/matches/p", None, None).await;
        let view = &seen["snapshot"]["view"];
        if view["closed"] == true {
            break view.clone();
        }
        let Some(turn) = view["turn"].as_u64() else {
            now += 3_000;
            house.server.tell("p", now, Command::Tick, Viewer::Gallery).await.expect("the table is there");
            continue;
        };
        let name = seen["seats"][turn as usize]["name"].as_str().expect("a name");
        let (_, token, client) = players.iter_mut().find(|(known, ..)| *known == name).expect("one of them");
        let (_, own) = house.rest("GET", "/matches/p", Some(token), None).await;
        let open = own["snapshot"]["requests"].as_array().cloned().unwrap_or_default();
        let request = open.iter().find(|one| one["kind"] == "request").unwrap_or_else(|| panic!("{own}"));
        let stack =
            number(&view["seats"][turn as usize]["stack"]) + number(&view["seats"][turn as usize]["bet"]);
        // All-in where it is allowed, else a call.
        let mut told = Json::Null;
        for answer in [json!({"type": "raise", "to": stack}), json!({"type": "call"})] {
            let said = json!({"type": "game_action", "action": "answer", "inputId": request["inputId"], "data": answer});
            client.say(said).await;
            told = loop {
                let message = client.next().await.expect("open");
                if message["type"] == "accepted" || message["type"] == "refused" {
                    break message;
                }
            };
            if told["type"] == "accepted" {
                break;
            }
        }
        assert_eq!(told["type"], "accepted", "{told}");
    };
    let standings = end["tournament"]["standings"].as_array().cloned().expect("standings");
    let mut places: Vec<i64> = standings.iter().map(|one| number(&one["place"])).collect();
    places.sort_unstable();
    assert_eq!(places, [1, 2, 3], "{standings:?}");
    let mut paid = 0;
    for (_, token, _) in &players {
        paid += house.tokens(token).await;
    }
    assert_eq!(paid, 30, "the pool of 30 is paid out");
    let prizes: Vec<i64> = standings.iter().map(|one| number(&one["prize"])).collect();
    assert_eq!(prizes.iter().sum::<i64>(), 30);
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}
