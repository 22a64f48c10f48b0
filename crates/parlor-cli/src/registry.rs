//! The games this binary can play.

use parlor_core::{Game, GameDef};
use parlor_ruleset::suggest;
use parlor_script::Script as _;
use parlor_server::Registration;

use crate::shell::Failure;

/// Every game that a server offers. A new game is one line here.
pub(crate) fn registrations() -> Vec<Registration> {
    let mut all = vec![
        Registration::new(parlor_oxo::Oxo::def()),
        Registration::new(parlor_hearts::Hearts::def()),
        Registration::new(parlor_draft::Draft::def()),
        Registration::new(parlor_sharing::Sharing::def()),
        Registration::new(parlor_battle::Battle::def()).dialect(parlor_battle::dialect::detect),
        Registration::new(parlor_riichi::game::Riichi::def())
            .table_dialect(parlor_riichi::dialect::detect)
            .notations(parlor_riichi::game::log::write_notation),
        Registration::new(parlor_poker::Poker::def())
            .dialect(parlor_poker::detect)
            .document("hand", parlor_poker::show_hand),
    ];
    let ruleset = |def| Registration::new(def).dialect(parlor_ruleset::dialect::detect);
    all.extend(parlor_ruleset::shipped::game_defs().into_iter().map(ruleset));
    all.push(Registration::new(parlor_testkit::probes::grid64::Grid64::def()));
    all
}

/// The games that people play: all but those that a lobby hides.
pub(crate) fn games() -> Vec<GameDef> {
    let all = registrations().into_iter().map(|registration| registration.def);
    all.filter(|def| !def.lobby.hidden).collect()
}

/// The game of this name, or the ruleset in this file.
pub(crate) fn find(name: &str) -> Result<GameDef, Failure> {
    if name.ends_with(".json") || name.contains('/') {
        return crate::ruleset::def(std::path::Path::new(name));
    }
    // A game that a lobby does not list is played here all the same.
    if let Some(found) = registrations().into_iter().find(|each| each.def.name == name) {
        return Ok(found.def);
    }
    let games = games();
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

#[cfg(test)]
mod tests {
    use parlor_core::{Header, Json, Match, Route, Seed};

    use super::*;

    #[test]
    fn a_request_without_a_game_means_at_most_one() {
        for route in [Route::Games, Route::Queue] {
            let all = registrations();
            let defaults: Vec<&str> = all
                .iter()
                .map(|each| each.def)
                .filter(|def| def.lobby.default_for.contains(&route))
                .map(|def| def.name)
                .collect();
            assert!(defaults.len() <= 1, "{route:?}: {defaults:?}");
        }
    }

    #[test]
    fn every_game_can_be_opened_as_the_lobby_does() {
        for Registration { def, .. } in registrations() {
            let settings = def.lobby.settings.map_or(Json::Null, |settings| settings());
            let header = Header::seeded(&def, def.usual_seats(), settings, Seed::from_text("lobby"));
            if let Err(refusal) = Match::start(def, header) {
                panic!("{}: {refusal}", def.name);
            }
        }
    }
}
