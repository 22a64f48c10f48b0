//! Tables whose store fails and whose process dies: what was stored is all that has happened, and no chip is lost or made.
//!
//! The rules run ahead of the store, as at a server. What the store takes moves money in the books; what it does not take is
//! gone, and the table comes back from its log. A process that dies leaves text behind, and the next one reads it.

use std::collections::BTreeMap;

use parlor_core::{
    Account, AskKind, Body, By, Game, Header, Json, Match, Posting, Record, Refusal, Seat, Seats, Seed, Visit,
};
use parlor_poker::Poker;
use serde_json::json;

use crate::data::{self, Progress};
use crate::random::Random;

const SEATS: u8 = 6;
/// Hands of one table.
const HANDS: u64 = 40;
/// Inputs after which a table in which no hand ends has stalled.
const INPUTS_MAX: u32 = 3_000;

fn all_games() -> Json {
    json!(["NT", "FT", "NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB"])
}

/// What this table plays under.
fn settings(number: u64) -> Json {
    let mut settings = match number % 4 {
        0 => json!({}),
        1 => {
            json!({"profile": "standard", "rakeBasisPoints": 500, "rakeCap": 3, "straddle": true, "runItTwice": true})
        }
        2 => json!({"ante": 1, "bringIn": 1, "variants": all_games(), "missedBlinds": "live"}),
        _ => {
            json!({"profile": "standard", "bombPotEvery": 3, "bombPotAnte": 4, "button": "moving", "rebuyMs": 10_000})
        }
    };
    let more =
        json!({"buyInMin": 10, "buyInMax": 60, "runOutMs": if number.is_multiple_of(3) { 500 } else { 0 }});
    for (name, value) in more.as_object().into_iter().flatten() {
        settings[name] = value.clone();
    }
    settings
}

/// What an amount does to the chips on the table.
fn flow(posting: &Posting) -> i64 {
    let side = |account| i64::from(account == Account::Table);
    posting.amount * (side(posting.to) - side(posting.from))
}

/// What came of a table so far.
#[derive(Default)]
struct Counts {
    hands: u64,
    failures: u64,
    deaths: u64,
    /// What was done, by its name.
    done: BTreeMap<&'static str, u64>,
}

/// A table, what is stored of it, and the books.
struct House {
    play: Match,
    /// Who holds a seat.
    held: Seats,
    /// Money that moves when the records that caused it are stored.
    unstored: Vec<Posting>,
    /// Records that are stored, the digest of the state after them, and who held a seat then.
    stored: (usize, String, Seats),
    /// Chips on the table, as the books have them.
    booked: i64,
    /// What the house has taken.
    raked: i64,
    /// Brought less taken away, by all players together.
    brought: i64,
}

impl House {
    fn open(number: u64) -> Self {
        let def = Poker::def();
        let seed = Seed::from_text(&format!("deaths {number}"));
        let mut header = Header::committed(&def, SEATS, settings(number), seed);
        header.seated = (0..SEATS).map(|n| (n < 4).then_some(40)).collect();
        let (play, applied) = Match::start(def, header).expect("the settings are right");
        let held = (0..4).map(Seat::new).collect();
        let digest = play.digest();
        let mut house = Self {
            play,
            held,
            unstored: applied.postings,
            stored: (0, digest, held),
            booked: 0,
            raked: 0,
            brought: 0,
        };
        house.store();
        house
    }

    /// The store has everything so far.
    fn store(&mut self) {
        for posting in self.unstored.drain(..) {
            self.booked += flow(&posting);
            match (posting.from, posting.to) {
                (Account::Seat(_), Account::Table) => self.brought += posting.amount,
                (Account::Table, Account::Seat(_)) => self.brought -= posting.amount,
                (Account::Table, Account::House) => self.raked += posting.amount,
                other => panic!("nobody moves money so: {other:?}"),
            }
        }
        assert_eq!(self.booked, self.play.escrow(), "the books agree with the table");
        assert_eq!(self.booked, self.brought - self.raked, "no chip is lost or made");
        let refunds: i64 = (0..SEATS).map(|n| self.play.game().refund(Seat::new(n))).sum();
        assert_eq!(refunds, self.booked, "what is stopped here is paid back");
        self.stored = (self.play.record_count(), self.play.digest(), self.held);
    }

    /// What is not stored has not happened.
    fn fall_back(&mut self, dies: bool) {
        let (count, digest, held) = &self.stored;
        let mut header = self.play.header().clone();
        let mut records: Vec<Record> = self.play.records()[..*count].to_vec();
        if dies {
            let text = json!([header, records]).to_string();
            (header, records) = serde_json::from_str(&text).expect("what is stored can be read");
        }
        self.play = Match::replay(Poker::def(), header, records).expect("what is stored can be played");
        assert_eq!(self.play.digest(), *digest, "the table is as it was stored");
        self.held = *held;
        self.unstored.clear();
    }

    fn apply(&mut self, body: Body) -> Result<(), Refusal> {
        let applied = self.play.apply(0, By::Human, None, body)?;
        self.unstored.extend(applied.postings);
        self.held = self.held.but(applied.dismissed);
        Ok(())
    }

    fn visit(&mut self, visit: Visit) -> Result<(), Refusal> {
        self.apply(Body::Visit { visit })?;
        match visit {
            Visit::Join { seat, .. } => self.held = self.held.with(seat),
            Visit::Leave { seat, .. } => self.held = self.held.without(seat),
            Visit::Away { .. } | Visit::Back { .. } => {}
        }
        Ok(())
    }

    /// The hand goes on: a turn is played or runs out of time, or a wait ends.
    fn play_on(&mut self, random: &mut Random) -> (&'static str, Result<(), Refusal>) {
        let asks = self.play.open_asks();
        let blocking: Vec<_> = asks.iter().filter(|ask| ask.blocks()).collect();
        let ask = *blocking[random.below(blocking.len())];
        let Some(seat) = ask.seats.iter().next() else {
            return ("wait", self.apply(Body::Elapsed { ask: ask.id, seat: None }));
        };
        if ask.clock != parlor_core::TimeLimit::None && random.below(8) == 0 {
            let banked = matches!(ask.clock, parlor_core::TimeLimit::Bank { .. });
            return ("time-out", self.apply(Body::Elapsed { ask: ask.id, seat: banked.then_some(seat) }));
        }
        let mut rng = parlor_core::Rng::fast(random.next());
        let answer = match self.play.sample(seat, ask.id, &mut rng) {
            Ok(answer) if answer["type"] == "buyIn" && random.below(3) == 0 => json!({"type": "decline"}),
            Ok(answer) => answer,
            Err(refusal) => return ("turn", Err(refusal)),
        };
        ("turn", self.apply(Body::Answer { seat, ask: ask.id, answer }))
    }

    /// Somebody does something beside the hand.
    fn beside(&mut self, random: &mut Random) -> (&'static str, Result<(), Refusal>) {
        let seat = Seat::new(random.below(SEATS.into()) as u8);
        let stake = 10 + random.below(51) as i64;
        let player = 1 + random.below(12) as u64;
        match random.below(10) {
            0..2 => ("join", self.visit(Visit::Join { seat, stake, player })),
            2 => ("leave", self.visit(Visit::Leave { seat, player })),
            3 => ("away", self.visit(Visit::Away { seat })),
            4..6 => ("back", self.visit(Visit::Back { seat })),
            _ => {
                let Some(open) =
                    self.play.open_requests(seat).iter().find(|open| open.kind == AskKind::Offer)
                else {
                    return ("offer", Err(Refusal::of("not_asked", "nothing is offered")));
                };
                let ask = open.ask;
                let answer = match random.below(6) {
                    0 => json!({"type": "intent", "intent": 0}),
                    1 => json!({"type": "intent", "intent": 1 + random.below(2)}),
                    2 => json!({"type": "topUp", "chips": random.below(60)}),
                    3 => json!({"type": "autoTopUp", "chips": random.below(200)}),
                    _ => {
                        let mut rng = parlor_core::Rng::fast(random.next());
                        match self.play.sample(seat, ask, &mut rng) {
                            Ok(answer) => answer,
                            Err(refusal) => return ("offer", Err(refusal)),
                        }
                    }
                };
                ("offer", self.apply(Body::Answer { seat, ask, answer }))
            }
        }
    }

    /// The next hand, once the one before is stored.
    fn link(&mut self, seed: &str, loses_it: bool) -> bool {
        let Some(mut header) = self.play.successor(Seed::from_text(seed)) else { return false };
        header.seated = (0..SEATS).map(|n| self.held.has(Seat::new(n)).then_some(0)).collect();
        let (play, applied) = Match::start(Poker::def(), header.clone()).expect("the next hand begins");
        if loses_it {
            // The process died before the new match was stored: it is begun again, and the same.
            let again = serde_json::from_str(&json!(header).to_string()).expect("a header can be read");
            let (again, _) = Match::start(Poker::def(), again).expect("the next hand begins");
            assert_eq!(again.digest(), play.digest());
        }
        self.play = play;
        self.unstored.extend(applied.postings);
        self.held = self.held.but(applied.dismissed);
        self.store();
        true
    }
}

/// One table to its end.
fn play(number: u64, counts: &mut Counts) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (number + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    let mut house = House::open(number);
    let mut inputs = 0;
    let hands_before = counts.hands;
    while counts.hands - hands_before < HANDS {
        inputs += 1;
        assert!(
            inputs < INPUTS_MAX,
            "table {number} stalls: {}",
            house.play.view(parlor_core::Viewer::Gallery)
        );
        if house.play.outcome().is_some() {
            house.store();
            let seed = format!("{number} {}", counts.hands);
            if !house.link(&seed, random.below(4) == 0) {
                return;
            }
            counts.hands += 1;
            inputs = 0;
            continue;
        }
        let seats_free = house.held.len() < 3;
        let (what, result) = match random.below(10) {
            0..3 => house.beside(&mut random),
            _ if seats_free && random.below(3) == 0 => {
                let seat = Seat::new(random.below(SEATS.into()) as u8);
                ("join", house.visit(Visit::Join { seat, stake: 60, player: 100 + inputs as u64 }))
            }
            _ => house.play_on(&mut random),
        };
        if result.is_ok() {
            *counts.done.entry(what).or_default() += 1;
        }
        match random.below(40) {
            0 => {
                house.fall_back(false);
                counts.failures += 1;
            }
            1 => {
                house.fall_back(true);
                counts.deaths += 1;
            }
            2..20 => house.store(),
            _ => {}
        }
    }
}

/// Chips are conserved over tables and books to the unit, whatever fails and whenever, and no table stalls.
#[test]
fn live_tables_survive_failing_stores_and_dying_processes() {
    let total = data::count("PARLOR_SOAK_DEATHS", 400);
    let mut progress = Progress::of("deaths");
    let mut counts = Counts::default();
    while progress.done < total {
        let before = counts.hands;
        play(progress.next, &mut counts);
        progress.add((counts.hands - before) as usize);
    }
    println!(
        "{} hands, {} failures of the store, {} deaths, {:?}",
        counts.hands, counts.failures, counts.deaths, counts.done
    );
    if total >= 400 && counts.hands >= 400 {
        assert!(counts.failures > 100 && counts.deaths > 100);
        for what in ["turn", "time-out", "wait", "join", "leave", "away", "back", "offer"] {
            assert!(counts.done.get(what).copied().unwrap_or(0) > 20, "{what}: {:?}", counts.done);
        }
    }
}
