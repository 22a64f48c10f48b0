//! Replays in the document's form (003-28): a seed, names and the actions of people in; a trace of every step out.
//!
//! The rules never read this. The same input gives the same trace.

use parlor_core::{Game, Input, Json, Output, Rng, Seat as Chair, Seats, Seed};
use serde::Deserialize;
use serde_json::json;

use super::{Riichi, TableAnswer, TableEvent, TableSettings, chair_of, decide, seat_of};
use crate::dialect::answer_of;
use crate::pay::Seat;
use crate::table::{Bot, Phase, Standing, Table, Wall};
use crate::tile::Tile;

/// The version of the input that is understood.
pub const SCHEMA_VERSION: u32 = 1;

/// What is replayed. Unknown fields are ignored.
#[derive(Debug, Deserialize)]
struct ReplayInput {
    schema_version: u32,
    /// A text or a number.
    seed: Json,
    names: [String; 4],
    /// The seats that bots play.
    #[serde(default)]
    bots: Vec<Seat>,
    actions: Vec<RecordedAction>,
    /// The wall of the first round, if it does not follow from the seed.
    #[serde(default)]
    wall: Option<Vec<Tile>>,
    #[serde(default)]
    settings: Option<Json>,
}

/// One action of a person, in the document's words.
#[derive(Debug, Deserialize)]
struct RecordedAction {
    seat: Seat,
    action: String,
    #[serde(default)]
    data: Json,
}

/// Collects what everybody is told.
#[derive(Default)]
struct Heard(Vec<Json>);

impl Output<TableEvent> for Heard {
    fn emit(&mut self, to: Seats, event: TableEvent) {
        let to: Json = if to == Seats::ALL {
            json!("all")
        } else {
            let seats: Vec<usize> = to.iter().map(Chair::index).filter(|seat| *seat < 4).collect();
            json!({"seats": seats})
        };
        self.0.push(json!({"to": to, "event": event}));
    }
    fn post(&mut self, _: parlor_core::Account, _: parlor_core::Account, _: i64) {}
    fn add_time(&mut self, _: Seats, _: u32, _: u32) {}
    fn mark_revealed(&mut self) {}
}

/// Replays an input; gives the trace.
///
/// # Errors
/// If the input is malformed, or its settings or its wall are wrong. An action that the rules refuse is a step of the
/// trace with its error.
pub fn trace(input: &Json) -> Result<Json, String> {
    let input = ReplayInput::deserialize(input).map_err(|error| error.to_string())?;
    if input.schema_version != SCHEMA_VERSION {
        return Err(format!("schema_version: {SCHEMA_VERSION} is understood, not {}", input.schema_version));
    }
    let seed = input.seed.as_str().map_or_else(|| input.seed.to_string(), str::to_owned);
    let mut luck = Rng::new(Seed::from_text(&seed), 0);
    let mut bots = Rng::new(Seed::from_text(&format!("bots of {seed}")), 0);
    let mut startup = Heard::default();
    let mut game = start(&input, &mut luck, &mut startup)?;
    let mut steps = Vec::new();
    let mut actions = input.actions.iter();
    loop {
        let mut step = json!({});
        let bot = input.bots.iter().copied().find(|seat| asked(&game).has(chair_of(*seat)));
        let before = json!(game);
        let mut heard = Heard::default();
        if let Some(seat) = bot {
            let ask = game.open_asks()[0].id;
            let mut legal = Vec::new();
            game.legal(chair_of(seat), ask, &mut legal);
            let view = game.view(chair_of(seat).into());
            let mv = decide(Bot::Fair, &view, &legal, &mut bots);
            step["seat"] = json!(seat);
            step["bot"] = json!(true);
            step["answer"] = json!(TableAnswer::of(mv));
            game.apply(Input::Answer { seat: chair_of(seat), ask, mv }, &mut luck, &mut heard);
        } else {
            let Some(action) = actions.next() else { break };
            step["seat"] = json!(action.seat);
            step["action"] = json!(action.action);
            step["data"] = action.data.clone();
            if let Err((code, message)) = act(&mut game, action, &mut luck, &mut heard) {
                step["error"] = json!({"code": code, "message": message});
            }
        }
        step["state_before"] = before;
        step["events"] = json!(heard.0);
        step["state_after"] = json!(game);
        steps.push(step);
    }
    Ok(json!({
        "schema_version": SCHEMA_VERSION, "seed": input.seed, "names": input.names, "startup_events": startup.0,
        "steps": steps, "final_state": game, "over": matches!(game.table().phase(), Phase::Over { .. }),
    }))
}

fn start(input: &ReplayInput, luck: &mut Rng, heard: &mut Heard) -> Result<Riichi, String> {
    let given = input.settings.clone().unwrap_or_else(|| json!({}));
    let settings = TableSettings::read(&given).map_err(|error| error.to_string())?;
    let first = match &input.wall {
        Some(tiles) => Some(Wall::new(tiles).map_err(|error| format!("wall: {error}"))?),
        None => None,
    };
    let mut walls = |_: &Standing| first.unwrap_or_else(|| Wall::shuffled(|n| luck.below(n as u32) as usize));
    let mut emit = |event| super::event::tell(&event, heard);
    let table = Table::start(settings.rules, &mut walls, &mut emit).map_err(|error| error.to_string())?;
    Ok(Riichi::resumed(table, settings.pace))
}

fn asked(game: &Riichi) -> Seats {
    game.open_asks().first().map_or(Seats::NONE, |ask| ask.seats)
}

fn act(
    game: &mut Riichi,
    action: &RecordedAction,
    luck: &mut Rng,
    heard: &mut Heard,
) -> Result<(), (String, String)> {
    let frame = json!({"action": action.action, "data": action.data});
    let (answer, not_asked) =
        answer_of(&frame).map_err(|fault| (fault.code.to_string(), fault.to_string()))?;
    let chair = chair_of(action.seat);
    let Some(ask) = game.open_asks().first().filter(|ask| ask.seats.has(chair)).map(|ask| ask.id) else {
        return Err((not_asked.to_owned(), "it is not asked".to_owned()));
    };
    let plain = |error: serde_json::Error| ("validation_error".to_owned(), error.to_string());
    let answer: TableAnswer = serde_json::from_value(answer).map_err(plain)?;
    debug_assert!(seat_of(chair).is_some());
    let mv = game
        .check(chair, ask, &answer)
        .map_err(|refusal| (refusal.code().to_string(), refusal.to_string()))?;
    game.apply(Input::Answer { seat: chair, ask, mv }, luck, heard);
    Ok(())
}
