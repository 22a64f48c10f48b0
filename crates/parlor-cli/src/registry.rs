//! The games this binary can play.

use parlor_battle::Battle;
use parlor_core::{Game, GameDef};
use parlor_draft::Draft;
use parlor_hearts::Hearts;
use parlor_oxo::Oxo;
use parlor_ruleset::suggest;
use parlor_script::Script as _;
use parlor_sharing::Sharing;
use parlor_testkit::probes::grid64::Grid64;
use parlor_wire::DetectDialect;

use crate::shell::Failure;

/// Every game, in the order in which lists show them. A new game is one line here.
pub(crate) fn games() -> Vec<GameDef> {
    let mut games = vec![
        Oxo::def(), //
        Hearts::def(),
        Draft::def(),
        Sharing::def(),
        Battle::def(),
    ];
    games.extend(parlor_ruleset::shipped::game_defs());
    games
}

/// Every game that a server offers, including those that only serve to measure it.
pub(crate) fn served() -> Vec<GameDef> {
    let mut games = games();
    games.push(Grid64::def());
    games
}

/// The dialects that a client may use instead of the native protocol.
pub(crate) fn dialects() -> Vec<DetectDialect> {
    vec![parlor_battle::dialect::detect, parlor_ruleset::dialect::detect]
}

/// The game of this name, or the ruleset in this file.
pub(crate) fn find(name: &str) -> Result<GameDef, Failure> {
    if name.ends_with(".json") || name.contains('/') {
        return crate::ruleset::def(std::path::Path::new(name));
    }
    let games = games();
    if let Some(def) = games.iter().find(|def| def.name == name) {
        return Ok(*def);
    }
    let names: Vec<&str> = games.iter().map(|def| def.name).collect();
    let unknown = Failure::usage(format!("there is no game '{name}'; games: {}", names.join(", ")));
    Err(match suggest(name, names) {
        Some(near) => unknown.hint(format!("did you mean '{near}'?")),
        None => unknown.hint("run `parlor games` for titles, seats and settings"),
    })
}

/// The number of seats at a table of this game: as many as asked for, else the game's minimum.
pub(crate) fn seats(def: &GameDef, asked: Option<u8>) -> Result<u8, Failure> {
    let (fewest, most) = def.seats;
    let seats = asked.unwrap_or(fewest);
    if (fewest..=most).contains(&seats) {
        return Ok(seats);
    }
    Err(Failure::usage(format!("{} has {} seats, not {seats}", def.name, seats_text(def))))
}

/// `2`, or `2 to 9`.
pub(crate) fn seats_text(def: &GameDef) -> String {
    let (fewest, most) = def.seats;
    if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") }
}
