//! What nobody may know: hole cards, the order of the deck, the seed and the salts of cards that were not shown. Tables
//! are played at random, and at every step each viewer's view, refusals, merges and hand histories are looked through and
//! compared with those of a twin.

use std::collections::BTreeSet;

use parlor_core::{AskKind, Body, By, Game, Header, Json, Match, Rng, Seat, Seats, Seed, Viewer, Visit};
use parlor_poker::notation::{phh, pokerstars, seed};
use parlor_poker::stats::Stats;
use parlor_poker::{Card, Poker};
use serde_json::json;

use crate::data;

fn tables() -> Vec<(u8, Json)> {
    let levels = json!([{"smallBlind": 10, "bigBlind": 20, "ante": 0, "minutes": 1, "breakMinutes": 0}]);
    vec![
        (4, json!({"buyInMin": 10, "buyInMax": 60})),
        (3, json!({"profile": "standard", "runItTwice": true, "straddle": true, "buyInMin": 10})),
        (3, json!({"variants": ["F7S", "FR"], "ante": 1, "bringIn": 1})),
        (3, json!({"variants": ["F2L3D", "FB"]})),
        (3, json!({"variants": ["PO", "FO/8"], "rakeBasisPoints": 500})),
        (3, json!({"format": "sitAndGo", "startingStack": 100, "levels": levels, "payouts": [10_000]})),
    ]
}

struct Room {
    play: Match,
    rng: Rng,
    hands: u32,
    /// Cards of this hand that each seat has held, and after these all that lay open.
    seen: Vec<BTreeSet<String>>,
    /// What the last input told.
    told: Vec<(Seats, Json)>,
}

impl Room {
    fn open(number: u64) -> Self {
        let all = tables();
        let (seats, settings) = all[number as usize % all.len()].clone();
        let seed = Seed::from_text(&format!("secret {number}"));
        let mut header = Header::committed(&Poker::def(), seats, settings, seed);
        header.seated = vec![Some(0); seats.into()];
        let (play, started) = Match::start(Poker::def(), header).expect("the settings are right");
        let seen = vec![BTreeSet::new(); usize::from(seats) + 1];
        Self { play, rng: Rng::fast(number), hands: 0, seen, told: started.events }
    }

    fn viewers(&self) -> Vec<Viewer> {
        let seats = (0..self.play.header().seats).map(|n| Viewer::Seat(Seat::new(n)));
        seats.chain([Viewer::Gallery]).collect()
    }

    /// One random input; `false` when the table has closed.
    fn step(&mut self) -> bool {
        if self.play.outcome().is_some() {
            let seed = Seed::from_text(&format!("next {}", self.hands));
            let Some(mut header) = self.play.successor(seed) else { return false };
            header.seated = vec![Some(0); header.seats.into()];
            self.hands += 1;
            self.seen.iter_mut().for_each(BTreeSet::clear);
            let (play, started) = Match::start(Poker::def(), header).expect("the next hand begins");
            (self.play, self.told) = (play, started.events);
            return true;
        }
        if self.rng.below(12) == 0 {
            let seat = Seat::new(self.rng.below(self.play.header().seats.into()) as u8);
            let visit = if self.rng.flip_coin() { Visit::Away { seat } } else { Visit::Back { seat } };
            self.apply(Body::Visit { visit });
            return true;
        }
        let asks = self.play.open_asks();
        let offers = self.rng.below(6) == 0;
        let wanted = asks.iter().filter(|ask| (ask.kind == AskKind::Offer) == offers).copied();
        let wanted: Vec<_> = wanted.collect();
        if wanted.is_empty() {
            return true;
        }
        let ask = *self.rng.pick(&wanted);
        let seats: Vec<Seat> = ask.seats.iter().collect();
        let body = if seats.is_empty() {
            Body::Elapsed { ask: ask.id, seat: None }
        } else {
            let seat = *self.rng.pick(&seats);
            let Ok(answer) = self.play.sample(seat, ask.id, &mut self.rng) else { return true };
            Body::Answer { seat, ask: ask.id, answer }
        };
        self.apply(body);
        true
    }

    fn apply(&mut self, body: Body) {
        let applied = self.play.apply(0, By::Human, None, body);
        self.told = applied.map(|applied| applied.events).unwrap_or_default();
    }

    /// The cards that a view names; where hashes and salts stand nothing is read.
    fn named_cards(view: &Json) -> BTreeSet<String> {
        let mut cards = BTreeSet::new();
        let mut texts = vec![view];
        while let Some(value) = texts.pop() {
            match value {
                Json::Array(values) => texts.extend(values),
                Json::Object(fields) => {
                    texts.extend(
                        fields
                            .iter()
                            .filter(|(name, _)| *name != "commitments" && *name != "salt")
                            .map(|(_, v)| v),
                    );
                }
                Json::String(text) => {
                    for word in text.split(' ') {
                        if let Ok(row) = parlor_poker::parse_row(word) {
                            cards.extend(row.into_iter().flatten().map(|card: Card| card.to_string()));
                        }
                    }
                }
                _ => {}
            }
        }
        cards
    }

    /// Notes what lies open, and what each seat holds by its own view of itself.
    fn look(&mut self) {
        let seats = usize::from(self.play.header().seats);
        let open = self.play.view(Viewer::Gallery);
        for part in [&open["boards"], &open["seats"]] {
            self.seen[seats].extend(Self::named_cards(part));
        }
        for n in 0..seats {
            let own = self.play.view(Viewer::Seat(Seat::new(n as u8)));
            self.seen[n].extend(Self::named_cards(&own["seats"][n]["cards"]));
        }
        if ["F7S", "FR"].iter().any(|code| open["variant"] == **code) {
            self.look_at_folded_stud();
        }
    }

    /// A card that was dealt face up lay open even if its hand was folded with the same input: the third to the sixth of a
    /// stud hand, whatever an event says.
    fn look_at_folded_stud(&mut self) {
        let mut held: Vec<usize> = self.seen.iter().map(BTreeSet::len).collect();
        for (_, event) in self.told.iter().rev().filter(|(_, event)| event["type"] == "dealt") {
            let seat = event["seat"].as_u64().expect("a seat") as usize;
            let cards = event["cards"].as_str().expect("cards");
            if (3..=6).contains(&held[seat]) {
                let up = cards.get(cards.len() - 2..).expect("a card").to_owned();
                self.seen.last_mut().expect("a list").insert(up);
            }
            held[seat] = held[seat].saturating_sub(cards.len() / 2);
        }
    }

    /// No view names a card that its viewer has not seen, nor opens one that not everybody has.
    fn names_nothing_hidden(&mut self) {
        self.look();
        let public = self.seen.last().expect("a list");
        for viewer in self.viewers() {
            let view = self.play.view(viewer);
            let own = viewer.seat().map(|seat| &self.seen[seat.index()]);
            let named = Self::named_cards(&view);
            let hidden = named
                .iter()
                .find(|card| !public.contains(*card) && !own.is_some_and(|own| own.contains(*card)));
            assert_eq!(hidden, None, "{viewer:?}");
            for (_, event) in self.told.iter().filter(|(to, _)| to.sees(viewer)) {
                let named = Self::named_cards(event);
                let known =
                    |card: &String| public.contains(card) || own.is_some_and(|own| own.contains(card));
                assert!(named.iter().all(known), "{viewer:?} is told {event}");
            }
            for opened in view["opened"].as_array().expect("a list") {
                let card = opened["card"].as_str().expect("a card");
                assert!(public.contains(card), "{viewer:?} can open {card}");
            }
            let text = view.to_string();
            let secret = self.play.header().seed.to_hex();
            assert!(!text.contains(&secret[..16]) && view["notation"].get("seed").is_none());
        }
    }

    /// What a viewer sends is refused or taken with the same words in a twin of the table, and their hand history says the
    /// same.
    fn twins_answer_alike(&mut self) {
        for viewer in self.viewers() {
            let seats = viewer.seat().map_or(Seats::NONE, Seats::only);
            let twin = self.play.game().resample(seats, &mut self.rng).expect("a twin");
            let game = self.play.game();
            let view = game.view(viewer);
            assert_eq!(view, twin.view(viewer), "{viewer:?}");
            assert_eq!(history(&view["notation"]), history(&twin.view(viewer)["notation"]));
            for words in proposals(&view["notation"], &mut self.rng) {
                match viewer.seat() {
                    Some(seat) => assert_eq!(game.interpret(seat, &words), twin.interpret(seat, &words)),
                    None => {
                        assert_eq!(game.interpret_guest("Eve", &words), twin.interpret_guest("Eve", &words));
                    }
                }
            }
            let Some(seat) = viewer.seat() else { continue };
            for ask in game.open_asks().iter().filter(|ask| ask.seats.has(seat)) {
                assert_eq!(game.legal(seat, ask.id), twin.legal(seat, ask.id), "{viewer:?}");
                for answer in guesses(&mut self.rng) {
                    assert_eq!(game.check(seat, ask.id, &answer), twin.check(seat, ask.id, &answer));
                }
            }
        }
    }
}

/// A viewer's hand in every notation, and its figures.
fn history(notation: &Json) -> Vec<String> {
    let Ok(records) = seed::read(&notation.to_string()) else { return Vec::new() };
    let mut texts = Vec::new();
    for (_, record) in records {
        texts.push(phh::write(&record));
        texts.push(pokerstars::write(&record).unwrap_or_else(|error| error.to_string()));
        let mut stats = Stats::default();
        texts.push(format!("{:?}", stats.count(&record)));
        texts.extend(stats.lines().map(|line| format!("{line:?}")));
    }
    texts
}

/// States that try out what the sender was not told: others' cards, the seed, cards to come.
fn proposals(notation: &Json, rng: &mut Rng) -> Vec<Json> {
    let card = |rng: &mut Rng| Card::at(rng.below(52) as u8).to_string();
    let mut guess = notation.clone();
    for line in guess["actions"].as_array_mut().into_iter().flatten() {
        if let Some(text) = line.as_str().filter(|text| text.contains("??")) {
            *line = json!(text.replacen("??", &card(rng), 1));
        }
    }
    let mut more = notation.clone();
    more["seed"] = json!("guess");
    let board = format!("d db {}{}{}", card(rng), card(rng), card(rng));
    let who = rng.below(4) + 1;
    for line in [board, format!("p{who} sd {}", card(rng)), format!("p{who} sm {}{}", card(rng), card(rng))] {
        if let Some(lines) = more["actions"].as_array_mut() {
            lines.push(json!(line));
        }
    }
    [notation.clone(), guess, more].map(|hand| json!({"action": "merge", "data": hand})).to_vec()
}

/// Answers that are refused in words that depend on cards.
fn guesses(rng: &mut Rng) -> Vec<Json> {
    let cards = format!("{}{}", Card::at(rng.below(52) as u8), Card::at(rng.below(52) as u8));
    vec![
        json!({"type": "draw", "cards": cards}),
        json!({"type": "show", "cards": cards}),
        json!({"type": "raise", "to": rng.below(100)}),
        json!({"type": "muck"}),
        json!({"type": "prepare", "action": "call"}),
    ]
}

/// Cites 004-15, 004/R9, 004/R10.
#[test]
fn nobody_learns_what_is_hidden() {
    let total = data::count("PARLOR_SOAK_SECRETS", 18) as u64;
    let mut hands = 0;
    for number in 0..total {
        let mut room = Room::open(number);
        for step in 0..120 {
            if !room.step() {
                break;
            }
            room.names_nothing_hidden();
            if step % 4 == 0 {
                room.twins_answer_alike();
            }
        }
        hands += room.hands;
    }
    assert!(hands >= total as u32, "{hands} hands at {total} tables");
}

/// Cards that were not dealt stay unopened when the hand is over. Cites 004/R18.
#[test]
fn cards_that_were_not_dealt_stay_unopened() {
    let mut header = Header::committed(&Poker::def(), 3, json!({}), Seed::from_text("rabbit"));
    header.seated = vec![Some(100); 3];
    let mut play = Match::start(Poker::def(), header).unwrap().0;
    for answer in ["call", "call", "call", "fold", "fold"] {
        let ask = play.open_asks()[0];
        let seat = ask.seats.iter().next().unwrap();
        let answer = json!({"type": answer});
        play.apply(0, By::Human, None, Body::Answer { seat, ask: ask.id, answer }).unwrap();
    }
    let view = play.view(Viewer::Gallery);
    assert_eq!(view["turn"], Json::Null, "the hand is over");
    assert_eq!(view["commitments"].as_array().unwrap().len(), 52);
    assert_eq!(view["opened"].as_array().unwrap().len(), 3, "the flop, and no card behind it");
    // No answer and no word of the document opens one.
    let refused =
        play.game().check(Seat::new(0), play.open_asks().last().unwrap().id, &json!({"type": "rabbit"}));
    assert!(refused.is_err());
}
