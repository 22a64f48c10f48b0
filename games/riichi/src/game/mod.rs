//! The table as the house serves it: who is asked what and for how long, what each viewer sees and hears, what happens
//! when time runs out. The rules are the [`Table`]'s; nothing here knows who is a bot.
//!
//! After every discard and every kan that can be robbed there is one window. Under a minimum time it stands whether or not
//! anybody may call, its answers are kept in silence, and it is resolved when it elapses: nobody can tell an empty window
//! from one in which everybody passed. A seat in riichi holds its tile the same way.

mod answer;
mod asks;
mod automatic;
mod event;
pub mod log;
pub mod replay;
mod request;
mod settings;
mod sheet;
mod statistics;
mod twin;
mod view;

pub use answer::TableAnswer;
pub use event::{OwnEvent, TableEvent};
pub use settings::{PACE_MS_MAX, Profile, TableSettings};
pub use sheet::{FuPart, FuWhat};
pub use view::TableView;

use parlor_core::game::{DisconnectPolicy, OnDisconnect};
use parlor_core::sim::SeatCounts;
use parlor_core::{
    AskId, Asks, BotChoice, BotDef, Facts, Game, Input, Json, Lobby, Outcome, Output, Refusal, Rng, Route,
    Seat as Chair, Seats, Selector, Setup, Viewer as Watcher,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::pay::Seat;
use crate::table::{Action, Automatic, Bot, Pace, Phase, SeatSet, Table};
use automatic::AUTOMATIC;

/// How many seats a table has.
const SEATS: u8 = 4;

/// The document's `POST /games` knows this game only (003/R13); the lobby picks the pace of today (003/R6).
const LOBBY: Lobby = Lobby {
    order: 0,
    hidden: false,
    seats: Some(SEATS),
    settings: Some(|| json!({"profile": "standard"})),
    tags: &["tiles"],
    default_for: &[Route::Games],
    scores: Some("/standing/scores"),
};

const fn bot(name: &'static str, title: &'static str) -> BotDef {
    BotDef { name, title, levels: 1, slow: false }
}

/// The players that fill seats, under the names of [`Bot::from_name`]; the first is who people meet.
const BOTS: [BotDef; 4] = [
    bot("fair", "Fair: counts tiles, calls and folds"),
    bot("greedy", "Greedy: the nearest way to tenpai"),
    bot("random", "Random"),
    bot("tsumogiri", "Tsumogiri: discards what it draws"),
];

/// A game of riichi at a table of the house.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Riichi {
    table: Table,
    pace: Pace,
    /// The number of the open ask.
    ask: u32,
    /// The number of the round, from 1.
    round: u32,
    /// What a seat in riichi has answered while its tile is held, or what the server answers for a seat.
    kept: Option<Action>,
    /// What each seat lets the server do.
    automatic: [Automatic; SEATS as usize],
    /// The server answers the turn that stands; decided when it began.
    automatic_turn: bool,
    /// For each of the last asks, newest lowest, whether it was a turn without a clock that others could see.
    quiet: u64,
    /// How many tiles were laid that could have been called.
    windows: u32,
    /// For each of the last of them, newest lowest, whether a window stood.
    stood: u64,
}

impl Riichi {
    /// A game that goes on from a table as it stands, at this pace.
    #[must_use]
    pub fn resumed(mut table: Table, pace: Pace) -> Self {
        table.hold_windows(pace.call_window_min_ms > 0);
        Self {
            table,
            pace,
            ask: 1,
            round: 1,
            kept: None,
            automatic: [Automatic::default(); 4],
            automatic_turn: false,
            quiet: 0,
            windows: 0,
            stood: 0,
        }
    }

    /// The rules and what they know: everything, so never for a client.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }
}

/// The seat of the rules behind a chair of the house.
fn seat_of(chair: Chair) -> Option<Seat> {
    u8::try_from(chair.index()).ok().and_then(Seat::new)
}

fn chair_of(seat: Seat) -> Chair {
    Chair::new(seat.index() as u8)
}

fn chairs_of(seats: SeatSet) -> Seats {
    seats.iter().map(chair_of).collect()
}

/// What a bot of this name does, chosen among its legal moves. It knows its seat's view and its own luck.
#[must_use]
pub fn decide(bot: Bot, view: &TableView, legal: &[Action], rng: &mut Rng) -> Action {
    if bot == Bot::Random {
        return *rng.pick(legal);
    }
    let seed = rng.below(u32::MAX);
    let chosen = bot.decide(&view.table, seed.into());
    chosen.filter(|action| legal.contains(action)).unwrap_or(legal[0])
}

impl Game for Riichi {
    const NAME: &'static str = "riichi";
    const TITLE: &'static str = "Riichi";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (SEATS, SEATS);
    const BOTS: &'static [BotDef] = &BOTS;
    const LOBBY: Lobby = LOBBY;

    type Settings = TableSettings;
    type Answer = TableAnswer;
    type Move = Action;
    type Event = TableEvent;
    type Carry = ();
    type View<'a> = TableView;

    fn start(
        setup: Setup<'_, Self>,
        rng: &mut Rng,
        out: &mut impl Output<TableEvent>,
    ) -> Result<Self, Refusal> {
        Self::open(setup.settings, rng, out)
    }

    fn open_asks(&self) -> Asks {
        self.asks()
    }

    fn legal(&self, chair: Chair, ask: AskId, moves: &mut Vec<Action>) {
        if ask == AUTOMATIC {
            return moves.extend(automatic::all());
        }
        if let Some(seat) = seat_of(chair) {
            self.table.legal(seat, moves);
        }
    }

    fn check(&self, chair: Chair, ask: AskId, answer: &TableAnswer) -> Result<Action, Refusal> {
        self.checked(chair, ask, answer)
    }

    fn to_answer(&self, _: Chair, _: AskId, mv: &Action) -> TableAnswer {
        TableAnswer::of(*mv)
    }

    fn apply(&mut self, input: Input<Action>, rng: &mut Rng, out: &mut impl Output<TableEvent>) {
        match input {
            Input::Answer { seat, ask, mv } if ask.0 == self.ask || ask == AUTOMATIC => {
                self.answered(seat, mv, rng, out);
            }
            Input::Elapsed { ask, seat } if ask.0 == self.ask => self.elapsed(seat, rng, out),
            Input::Answer { .. } | Input::Elapsed { .. } | Input::Visit(_) => {}
        }
    }

    fn request(&self, chair: Chair, ask: AskId) -> Selector {
        if ask == AUTOMATIC {
            return automatic::selector();
        }
        seat_of(chair).map_or_else(Selector::default, |seat| self.menu(seat).selector)
    }

    fn view(&self, viewer: Watcher) -> TableView {
        self.seen_by(viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        let Phase::Over { end, .. } = self.table.phase() else { return None };
        let winners = (0..SEATS).map(Chair::new).filter(|chair| end.places[chair.index()] == 1).collect();
        Some(Outcome { winners, places: end.places.into_iter().collect(), reason: "points".into() })
    }

    fn bot(view: &TableView, legal: &[Action], rng: &mut Rng) -> Action {
        decide(Bot::Fair, view, legal, rng)
    }

    fn bot_named(bot: &BotChoice, view: &TableView, legal: &[Action], rng: &mut Rng) -> Action {
        decide(Bot::from_name(&bot.bot).unwrap_or(Bot::Fair), view, legal, rng)
    }

    fn count(&self, counts: &mut SeatCounts) {
        self.count_round(counts);
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        Some(self.twin(viewers, rng))
    }

    fn known_facts(&self, viewer: Watcher, facts: &mut Facts) {
        self.facts(viewer, facts);
    }

    fn disconnect_policy(settings: &TableSettings) -> Option<DisconnectPolicy> {
        let pace = &settings.pace;
        Some(DisconnectPolicy {
            on_disconnect: OnDisconnect::Bot,
            grace_ms: pace.away_grace_ms.into(),
            pause: false,
            last_human_grace_ms: Some(pace.last_human_grace_ms.into()),
            stand_in: Some(settings.stand_in_bot.name()),
        })
    }

    fn schema() -> Json {
        TableSettings::schema()
    }
}
