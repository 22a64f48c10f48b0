//! The pace of bots says nothing about their cards.

use std::collections::BTreeMap;

use parlor_core::{Body, Game, Json, Record, Seat, Seed, Viewer};
use parlor_host::{Command, ConnId, Effect, NewTable, Occupant, Submit, Table, TableSettings};
use parlor_testkit::probes::window::Window;
use parlor_wire::ServerMessage;

/// Longer than the shortest time of a window: a bot that took its time there would hold the window open.
const BOT_MS: u64 = 900;
const SPECTATOR: ConnId = ConnId(9);

/// A table with one person, driven by a store that is always quick.
struct Driven {
    table: Table,
    now: u64,
    wake: Option<u64>,
    /// What the spectator is told, and when.
    told: Vec<(u64, Json)>,
}

impl Driven {
    fn open(seed: &str) -> Self {
        let chairs = vec![Occupant::human("Ann"), Occupant::bot("Bot 1"), Occupant::bot("Bot 2")];
        let settings = TableSettings { bot_ms: BOT_MS, ..TableSettings::default() };
        let new = NewTable::new(Window::def(), Seed::from_text(seed), chairs).settings(settings);
        let (table, effects) = Table::open(new, 0).expect("it opens");
        let mut driven = Self { table, now: 0, wake: None, told: Vec::new() };
        driven.carry_out(effects);
        driven.handle(Command::Connect { conn: ConnId(0), viewer: Viewer::Seat(Seat::new(0)), last_v: None });
        driven.handle(Command::Connect { conn: SPECTATOR, viewer: Viewer::Gallery, last_v: None });
        driven
    }

    fn handle(&mut self, command: Command) {
        let effects = self.table.handle(self.now, command);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut stored = None;
        for effect in effects {
            match effect {
                Effect::Append(write) => {
                    stored = Some((write.match_no, write.record.map_or(0, |record| record.seq)))
                }
                Effect::Wake { at } => self.wake = Some(at),
                Effect::Send { conn: SPECTATOR, message } => {
                    let message = ServerMessage::clone(&message);
                    self.told.push((self.now, serde_json::to_value(message).expect("plain data")));
                }
                _ => {}
            }
        }
        if let Some((match_no, seq)) = stored {
            self.handle(Command::Appended { match_no, seq });
        }
    }

    fn advance(&mut self, until: u64) {
        while let Some(at) = self.wake.take_if(|at| *at <= until) {
            self.now = self.now.max(at);
            self.handle(Command::Tick);
        }
        self.now = until;
    }
}

/// Inside of a hidden window bots answer at once: it closes at the same time whether one of them could call or both could.
#[test]
fn a_window_closes_at_the_same_time_whatever_the_bots_hold() {
    let mut closed: BTreeMap<(usize, u64), u32> = BTreeMap::new();
    for n in 0..60 {
        let mut driven = Driven::open(&format!("bots {n}"));
        let seat = Seat::new(0);
        let open = driven.table.current_match().open_requests(seat)[0];
        let mut rng = parlor_testkit::world::test_luck(n);
        let answer = driven.table.current_match().sample(seat, open.ask, &mut rng).expect("a discard");
        let to = parlor_host::AnswerTarget::Input(open.input);
        driven.handle(Command::Submit(ConnId(0), Submit { to, answer, key: None }));
        let answers =
            |record: &Record| matches!(record.body, Body::Answer { seat, .. } if seat != Seat::new(0));
        let able = driven.table.current_match().records().iter().filter(|record| answers(record)).count();
        let before = driven.told.len();
        driven.advance(3000);
        let at = driven.told[before..]
            .iter()
            .find(|(_, told)| told.to_string().contains("closed"))
            .map(|(at, _)| *at);
        *closed.entry((able, at.expect("it closes"))).or_default() += 1;
    }
    let times: Vec<&(usize, u64)> = closed.keys().collect();
    assert_eq!(times, [&(1, 800), &(2, 800)], "{closed:?}");
}

/// On its own turn a bot takes its time.
#[test]
fn a_bots_own_turn_takes_its_time() {
    let mut driven = Driven::open("bots");
    driven.advance(20_000);
    let is_discard = |told: &Json| told.to_string().contains("discarded");
    let discards: Vec<u64> =
        driven.told.iter().filter(|(_, told)| is_discard(told)).map(|(at, _)| *at).collect();
    // The person's time runs out, the window is open for 800 ms, and then it is the bot's turn.
    assert_eq!(discards[..2], [5000, 5800 + BOT_MS], "{discards:?}");
}
