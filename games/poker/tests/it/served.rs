//! The table as a house serves it: seats, money, asks, views and the document's words, one input at a time.

use parlor_core::commitments::{Opened, verify};
use parlor_core::{
    Account, AskKind, Body, BotChoice, By, DialectAction, Game, Header, Json, Match, Posting, Refusal, Seat,
    Seats, Seed, Viewer, Visit,
};
use parlor_poker::Poker;
use serde_json::json;

/// A match with the books of its money.
struct Room {
    play: Match,
    postings: Vec<Posting>,
    /// Whom the rules have sent away.
    dismissed: Seats,
}

fn seat(n: u8) -> Seat {
    Seat::new(n)
}

impl Room {
    fn open(settings: &Json, seated: &[Option<i64>]) -> Result<Self, Refusal> {
        let def = Poker::def();
        let seed = Seed::from_text("served");
        let mut header = Header::committed(&def, seated.len() as u8, settings.clone(), seed);
        header.seated = seated.to_vec();
        let (play, applied) = Match::start(def, header)?;
        Ok(Self { play, postings: applied.postings, dismissed: applied.dismissed })
    }

    fn three(settings: &Json) -> Self {
        Self::open(settings, &[Some(100), Some(100), Some(100), None]).expect("the settings are right")
    }

    fn apply(&mut self, body: Body) -> Result<(), Refusal> {
        let applied = self.play.apply(0, By::Human, None, body)?;
        self.postings.extend(applied.postings);
        self.dismissed = self.dismissed.and(applied.dismissed);
        let booked: i64 = self.postings.iter().map(flow).sum();
        assert_eq!(booked, self.play.escrow(), "the books agree with the table");
        let refunds: i64 = (0..self.play.header().seats).map(|n| self.play.game().refund(seat(n))).sum();
        assert_eq!(refunds, self.play.escrow(), "what is stopped is paid back");
        Ok(())
    }

    fn visit(&mut self, visit: Visit) -> Result<(), Refusal> {
        self.apply(Body::Visit { visit })
    }

    /// Answers the seat's open request or offer.
    fn say(&mut self, n: u8, kind: AskKind, answer: Json) -> Result<(), Refusal> {
        let open = self.play.open_requests(seat(n)).iter().find(|open| open.kind == kind);
        let ask = open.ok_or_else(|| Refusal::of("not_asked", "not asked"))?.ask;
        self.apply(Body::Answer { seat: seat(n), ask, answer })
    }

    fn turn(&self) -> Option<u8> {
        self.play.view(Viewer::Gallery)["turn"].as_u64().map(|n| n as u8)
    }

    fn act(&mut self, answer: Json) {
        let turn = self.turn().expect("somebody's turn");
        self.say(turn, AskKind::Request, answer).expect("a legal action");
    }

    /// Lets the wait pass that everybody waits for.
    fn wait(&mut self) {
        let ask = self.play.open_asks()[0];
        assert!(ask.seats.is_empty(), "nobody is asked: {ask:?}");
        self.apply(Body::Elapsed { ask: ask.id, seat: None }).expect("a wait ends");
    }

    /// Lets the tick pass by which long clocks are counted, while somebody has a turn.
    fn tick(&mut self) {
        let tick = self.play.open_asks().iter().find(|ask| ask.seats.is_empty()).copied().unwrap();
        self.apply(Body::Elapsed { ask: tick.id, seat: None }).unwrap();
    }

    /// The next match of the table.
    fn link(&mut self) {
        assert!(self.play.outcome().is_some(), "the hand is over");
        let mut header = self.play.successor(Seed::from_text("next")).expect("another hand follows");
        let taken = (0..header.seats).map(|n| {
            let gone = self.postings.iter().any(|p| p.to == Account::Seat(seat(n)));
            (!gone && header.seated.get(n as usize).copied().flatten().is_some()).then_some(0)
        });
        header.seated = taken.collect();
        let (play, applied) = Match::start(Poker::def(), header).expect("the next hand begins");
        self.play = play;
        self.postings.extend(applied.postings);
    }

    /// Plays the hand to its end with checks and calls, then the time in which it is shown.
    fn play_out(&mut self) {
        for _ in 0..200 {
            if self.play.outcome().is_some() {
                return;
            }
            match self.turn() {
                Some(_) => self.act(json!({"type": "call"})),
                None => self.wait(),
            }
        }
        panic!("the hand does not end");
    }

    fn seat_view(&self, n: usize) -> Json {
        self.play.view(Viewer::Gallery)["seats"][n].clone()
    }
}

fn flow(posting: &Posting) -> i64 {
    let side = |account| i64::from(account == Account::Table);
    posting.amount * (side(posting.to) - side(posting.from))
}

/// Cites 004/R15.
#[test]
fn settings_are_refused_with_every_wrong_field_by_name() {
    let settings = json!({
        "profile": "document", "bigBlind": 0, "colour": "red", "hands": "many", "newcomers": "never",
        "currency": "tokens", "seatCount": 6,
    });
    let refusal = Room::open(&settings, &[Some(100), Some(100)]).err().expect("refused").to_string();
    for field in ["bigBlind", "colour", "hands", "newcomers", "seatCount"] {
        assert!(refusal.contains(&format!("{field}:")), "{field} is not named: {refusal}");
    }
    let standard = Room::open(&json!({"profile": "standard"}), &[Some(100), Some(100)]);
    assert!(standard.is_ok());
    let tokens = json!({"currency": "tokens", "decimals": 2});
    assert!(Room::open(&tokens, &[Some(100), Some(100)]).is_err(), "tokens are whole");
}

/// Cites 004/R16.
#[test]
fn ring_games_seat_players_while_they_run_and_sit_and_gos_do_not() {
    let seating = |settings: Json| Poker::def().open_seating(&settings);
    let ring = seating(json!({"currency": "tokens", "buyInMin": 20})).expect("open");
    assert_eq!((ring.start_with, ring.buy_in_min, ring.buy_in_max), (2, 20, 400));
    assert_eq!(ring.money, parlor_core::Money::Tokens);
    assert_eq!(seating(Json::Null).expect("open").money, parlor_core::Money::Play);
    assert_eq!(seating(json!({"format": "sitAndGo"})), None);
}

#[test]
fn one_hand_is_one_match_and_the_stacks_go_on() {
    let mut room = Room::three(&json!({}));
    assert_eq!(room.play.escrow(), 300);
    let (button, number) = (room.play.view(Viewer::Gallery)["button"].clone(), 1);
    assert_eq!(room.play.view(Viewer::Gallery)["hand"], number);
    room.play_out();
    let stacks: Vec<Json> = (0..3).map(|n| room.seat_view(n)["stack"].clone()).collect();
    room.link();
    let view = room.play.view(Viewer::Gallery);
    assert_eq!(view["hand"], 2);
    assert_ne!(view["button"], button, "the button moves");
    for (n, stack) in stacks.iter().enumerate() {
        let seat = room.seat_view(n);
        let now = seat["stack"].as_i64().unwrap() + seat["bet"].as_i64().unwrap();
        assert_eq!(Some(now), stack.as_i64(), "seat {n}");
    }
}

/// Cites 004-6, 004-14.
#[test]
fn who_joins_plays_from_the_next_hand() {
    let mut room = Room::three(&json!({}));
    assert!(room.visit(Visit::join(seat(0), 100)).is_err(), "taken");
    assert!(room.visit(Visit::join(seat(3), 5)).is_err(), "too little");
    room.visit(Visit::join(seat(3), 80)).unwrap();
    let newcomer = room.seat_view(3);
    assert_eq!((newcomer["inactive"].clone(), newcomer["inHand"].clone()), (json!(true), json!(false)));
    room.play_out();
    let mut header = room.play.successor(Seed::from_text("next")).unwrap();
    header.seated = vec![Some(0); 4];
    room.play = Match::start(Poker::def(), header).unwrap().0;
    assert_eq!(room.seat_view(3)["inHand"], true);
}

/// Cites 004/R4, 004-22.
#[test]
fn who_leaves_in_a_hand_is_folded_in_turn_and_paid_when_it_is_over() {
    let mut room = Room::three(&json!({"profile": "standard"}));
    let first = room.turn().unwrap();
    let gone = (first + 1) % 3;
    room.visit(Visit::leave(seat(gone))).unwrap();
    let paid = |room: &Room| room.postings.iter().filter(|p| p.to == Account::Seat(seat(gone))).count();
    assert_eq!(paid(&room), 0, "the hand still has their chips");
    assert!(room.visit(Visit::join(seat(gone), 100)).is_err(), "the seat is not free yet");
    room.act(json!({"type": "call"}));
    assert_ne!(room.turn(), Some(gone), "they are folded, not waited for");
    assert_eq!(room.seat_view(gone.into())["inHand"], false, "and do not call");
    room.play_out();
    assert_eq!(paid(&room), 1);
    assert_eq!(room.seat_view(gone.into()), Json::Null);
}

/// Cites 004/R14.
#[test]
fn a_table_without_two_players_waits_and_deals_when_one_comes() {
    let mut room = Room::open(&json!({}), &[Some(100), None, None]).unwrap();
    let asks = room.play.open_asks();
    assert!(asks.iter().filter(|ask| ask.blocks()).all(|ask| ask.min_ms == u32::MAX), "{asks:?}");
    assert!(room.play.outcome().is_none(), "no link after link");
    room.visit(Visit::join(seat(2), 100)).unwrap();
    assert!(room.play.open_asks()[0].min_ms < 10_000, "now it begins");
    room.wait();
    assert!(room.turn().is_some());
    assert_eq!(room.play.view(Viewer::Gallery)["hand"], 1);
}

#[test]
fn a_top_up_is_paid_at_once_and_added_between_hands() {
    let mut room = Room::three(&json!({}));
    let n = room.turn().unwrap();
    let other = (n + 1) % 3;
    let answer = json!({"type": "topUp", "chips": 50});
    let open = room.play.open_requests(seat(other));
    let ask = open.iter().find(|open| open.kind == AskKind::Offer).unwrap().ask;
    assert_eq!(room.play.game().cost(seat(other), ask, &answer), 50);
    room.say(other, AskKind::Offer, answer).unwrap();
    assert_eq!(room.play.escrow(), 350);
    let stack = room.seat_view(other.into())["stack"].as_i64().unwrap();
    assert!(stack <= 100, "not in this hand");
    room.say(other, AskKind::Offer, json!({"type": "topUp", "chips": 20})).unwrap();
    assert_eq!(room.play.escrow(), 320, "less is taken back");
    assert!(room.say(other, AskKind::Offer, json!({"type": "topUp", "chips": 1_000})).is_err());
    room.play_out();
    let before: i64 = (0..3).map(|n| room.seat_view(n)["stack"].as_i64().unwrap()).sum();
    assert_eq!(before, 300);
    room.link();
    let sum = |n| room.seat_view(n)["stack"].as_i64().unwrap() + room.seat_view(n)["bet"].as_i64().unwrap();
    assert_eq!((0..3).map(sum).sum::<i64>(), 320);
}

#[test]
fn a_player_without_chips_is_asked_to_buy_in_again() {
    let settings = json!({"profile": "standard", "runOutMs": 0, "runItTwice": false});
    let mut room = Room::open(&settings, &[Some(100), Some(100)]).unwrap();
    while let Some(turn) = room.turn() {
        let all_in = room.say(turn, AskKind::Request, json!({"type": "raise", "to": 100}));
        if all_in.is_err() {
            room.act(json!({"type": "call"}));
        }
    }
    let broke = (0..2).find(|n| room.seat_view(*n)["stack"] == 0).expect("one has lost everything");
    let asked = room.play.open_requests(seat(broke as u8));
    assert!(asked.iter().any(|open| open.kind == AskKind::Request), "{asked:?}");
    let bot = room.play.bot(seat(broke as u8), asked[0].ask, &BotChoice::default()).unwrap();
    assert_eq!(bot["type"], "buyIn", "a bot buys in");
    room.say(broke as u8, AskKind::Request, bot).unwrap();
    assert_eq!(room.play.escrow(), 400);
}

/// Whoever sees a card can check that it lay in the deck where it was dealt from; of other cards nothing is opened.
#[test]
fn shown_cards_open_their_commitments_and_no_others() {
    let mut room = Room::three(&json!({}));
    assert_eq!(room.play.view(Viewer::Gallery)["opened"], json!([]));
    room.play_out();
    let view = room.play.view(Viewer::Gallery);
    let published = view["commitments"].as_array().unwrap();
    let opened = view["opened"].as_array().unwrap();
    assert_eq!(published.len(), 52);
    assert!(opened.len() >= 5 + 2, "the board and a winning hand");
    for one in opened {
        let (item, card) = (one["item"].as_u64().unwrap(), one["card"].as_str().unwrap());
        let proof = Opened { item: item as u32, salt: one["salt"].as_str().unwrap().to_owned() };
        let commitment = published[item as usize].as_str().unwrap();
        assert!(verify(commitment, &proof, card.as_bytes()), "{card}");
    }
    let shown = view["notation"]["actions"].to_string();
    let text = serde_json::to_string(opened).unwrap();
    for mucked in (0..3).flat_map(|n| {
        let own = room.play.view(Viewer::Seat(seat(n)))["seats"][n as usize]["cards"].clone();
        let own = own.as_str().unwrap().to_owned();
        (0..2).map(move |i| own[2 * i..2 * i + 2].to_owned()).collect::<Vec<_>>()
    }) {
        assert_eq!(shown.contains(&mucked), text.contains(&format!("\"{mucked}\"")), "{mucked}");
    }
}

fn interpret(room: &Room, n: u8, hand: &Json) -> (Vec<(String, Json)>, Vec<String>) {
    let words = json!({"action": "merge", "data": hand});
    match room.play.game().interpret(seat(n), &words) {
        Some(Ok(DialectAction::Answers { answers, ignored, .. })) => {
            (answers, ignored.into_iter().map(|one| one.path).collect())
        }
        other => panic!("{other:?}"),
    }
}

/// The state a player was sent, with names as the house puts them there.
fn state(room: &Room, n: u8) -> Json {
    let mut hand = room.play.view(Viewer::Seat(seat(n)))["notation"].clone();
    let seats: Vec<u64> = hand["seats"].as_array().unwrap().iter().map(|s| s.as_u64().unwrap()).collect();
    hand["players"] = seats.iter().map(|seat| json!(format!("Player{seat}"))).collect();
    hand["author"] = json!(format!("Player{}", n + 1));
    hand
}

/// A bet and a pause in one state become two answers; what is not the author's is named. Cites 004-3, 004-4, 004/R9.
#[test]
fn a_whole_state_becomes_answers_and_the_rest_is_named() {
    let mut room = Room::three(&json!({}));
    let n = room.turn().unwrap();
    let mut hand = state(&room, n);
    let (none, ignored) = interpret(&room, n, &hand);
    assert_eq!((none, ignored), (vec![], Vec::<String>::new()), "nothing was changed");
    hand["_intents"][n as usize] = json!(2);
    hand["_intents"][(n as usize + 1) % 3] = json!(3);
    hand["startingStacks"][n as usize] = json!(9_999);
    let actions = hand["actions"].as_array_mut().unwrap();
    actions.push(json!(format!("p{} cbr 6", n + 1)));
    let (answers, ignored) = interpret(&room, n, &hand);
    assert_eq!(
        answers,
        [
            ("Your turn".to_owned(), json!({"type": "raise", "to": 6})),
            ("At the table".to_owned(), json!({"type": "intent", "intent": 2})),
        ]
    );
    assert_eq!(ignored.len(), 2, "{ignored:?}");
    for (title, answer) in answers {
        let kind = if title == "Your turn" { AskKind::Request } else { AskKind::Offer };
        room.say(n, kind, answer).unwrap();
    }
    let paused = room.seat_view(n.into());
    assert_eq!((paused["inactive"].clone(), paused["intent"].clone()), (json!(true), json!(2)));
}

/// Cites 004-11, 004/R17.
#[test]
fn a_guest_joins_by_merge() {
    let room = Room::three(&json!({}));
    let mut hand = room.play.view(Viewer::Gallery)["notation"].clone();
    hand["players"].as_array_mut().unwrap().push(json!("Player9"));
    hand["startingStacks"].as_array_mut().unwrap().push(json!(75));
    hand["_intents"].as_array_mut().unwrap().push(json!(0));
    let words = json!({"action": "merge", "data": hand});
    let joined = room.play.game().interpret_guest("Player9", &words).unwrap().unwrap();
    assert_eq!(joined, DialectAction::Sit { seat: Some(seat(3)), stake: 75 });
    let stranger = room.play.game().interpret_guest("Somebody", &words).unwrap();
    assert!(stranger.unwrap_err().to_string().contains("players"), "they add another's name");
}

/// Cites 004/R12.
#[test]
fn a_lost_connection_sits_out_after_its_grace_and_is_back_before_the_next_hand() {
    let mut room = Room::three(&json!({"profile": "standard", "awayGraceMs": 8_000}));
    let n = (room.turn().unwrap() + 1) % 3;
    room.visit(Visit::Away { seat: seat(n) }).unwrap();
    assert_eq!(room.seat_view(n.into())["intent"], 0, "the grace runs");
    for _ in 0..2 {
        room.tick();
    }
    assert_eq!(room.seat_view(n.into())["intent"], 2, "the grace is over");
    room.visit(Visit::Back { seat: seat(n) }).unwrap();
    assert_eq!(room.seat_view(n.into())["intent"], 0);
    let mut document = Room::three(&json!({}));
    document.visit(Visit::Away { seat: seat(n) }).unwrap();
    assert_eq!(document.seat_view(n.into())["intent"], 2, "at once");
}

/// Chips that are only posted and folded go round for ever, unless somebody ends it.
#[test]
fn a_sit_and_go_that_nobody_attends_ends_and_pays_its_prizes() {
    let settings = json!({"format": "sitAndGo", "buyIn": 10, "payouts": [7_000, 3_000]});
    let mut room = Room::open(&settings, &[Some(0); 3]).unwrap();
    assert_eq!(room.play.escrow(), 30);
    for n in 0..3 {
        room.visit(Visit::Away { seat: seat(n) }).unwrap();
    }
    for _ in 0..40 {
        room.play_out();
        if room.play.game().carry().is_none() {
            break;
        }
        let header = room.play.successor(Seed::from_text("next")).unwrap();
        let (play, applied) = Match::start(Poker::def(), header).unwrap();
        room.play = play;
        room.postings.extend(applied.postings);
    }
    assert!(room.play.game().carry().is_none(), "it is over");
    let mut prizes: Vec<i64> =
        room.postings.iter().filter(|p| p.from == Account::Table).map(|p| p.amount).collect();
    prizes.sort_unstable();
    assert_eq!(prizes, [9, 21]);
}

/// A table that player 77 has left with all they had, while that is remembered.
fn left_by_77() -> Room {
    let mut room = Room::open(&json!({"ratholeMs": 60_000}), &[Some(300), Some(100), Some(100)]).unwrap();
    room.visit(Visit::Leave { seat: seat(0), player: 77 }).unwrap();
    room.play_out();
    let header = room.play.successor(Seed::from_text("next")).unwrap();
    let seated = vec![None, Some(0), Some(0)];
    room.play = Match::start(Poker::def(), Header { seated, ..header }).unwrap().0;
    assert_eq!(room.seat_view(0), Json::Null, "they have left");
    room
}

/// Who has brought back what they left with owes it no longer, and may leave and come again. Cites 004/R15.
#[test]
fn what_was_brought_back_is_asked_for_once() {
    let mut room = left_by_77();
    let (least, _) = room.play.game().buy_in(77).expect("they left with something");
    room.visit(Visit::Join { seat: seat(0), stake: least, player: 77 }).unwrap();
    assert_eq!(room.play.game().buy_in(77), None);
}

/// A player who leaves and sits down again brings back what they left with; a new player does not. Cites 004/R15.
#[test]
fn who_buys_in_again_within_the_window_brings_what_they_left_with() {
    let mut room = left_by_77();
    let (least, most) = room.play.game().buy_in(77).expect("they left with something");
    assert!(least >= 290 && most >= least, "{least} to {most}");
    assert_eq!(room.play.game().buy_in(88), None);
    let less = Visit::Join { seat: seat(0), stake: 100, player: 77 };
    let refused = room.visit(less).unwrap_err().to_string();
    assert!(refused.contains(&format!("from {least}")), "{refused}");
    room.visit(Visit::Join { seat: seat(0), stake: 100, player: 88 }).unwrap();
}

/// Whoever says that they leave is sent away by the rules when the hand is over: their seat is free. Cites 004-22.
#[test]
fn who_wants_to_leave_is_sent_away() {
    let mut room = Room::open(&json!({}), &[Some(100), Some(100), Some(100)]).unwrap();
    room.say(0, AskKind::Offer, json!({"type": "intent", "intent": 3})).unwrap();
    room.play_out();
    assert!(room.dismissed.is_empty(), "the hand that they were in is still shown");
    let header = room.play.successor(Seed::from_text("next")).unwrap();
    let (play, applied) = Match::start(Poker::def(), header).unwrap();
    assert_eq!(applied.dismissed, Seats::only(seat(0)));
    assert!(play.open_requests(seat(0)).is_empty(), "nobody sits there");
}

/// A pause that lasts too long ends the stay, and what the player has is paid when the hand is over. Cites 004-23, 004/R12.
#[test]
fn a_pause_that_lasts_too_long_ends_the_stay() {
    let mut room = Room::three(&json!({"maxPauseMs": 8_000}));
    let n = (room.turn().unwrap() + 1) % 3;
    room.say(n, AskKind::Offer, json!({"type": "intent", "intent": 2})).unwrap();
    for expected in [2, 3] {
        room.tick();
        assert_eq!(room.seat_view(n.into())["intent"], expected);
    }
    assert!(room.postings.iter().all(|p| p.to != Account::Seat(seat(n))), "the hand still has their chips");
    room.play_out();
    room.link();
    assert_eq!(room.seat_view(n.into()), Json::Null);
    assert!(room.postings.iter().any(|p| p.to == Account::Seat(seat(n))));
}

/// Twenty seconds, and then the bank, where there is one; everybody has it from the start. Cites 004/R15.
#[test]
fn a_turn_has_its_time_and_then_the_bank() {
    use parlor_core::TimeLimit;
    for (settings, clock) in [
        (json!({}), TimeLimit::Fixed { ms: 20_000 }),
        (json!({"profile": "standard"}), TimeLimit::Bank { base_ms: 20_000 }),
        (json!({"timeLimitMs": 0}), TimeLimit::None),
    ] {
        assert_eq!(Room::three(&settings).play.open_asks()[0].clock, clock, "{settings}");
    }
}
