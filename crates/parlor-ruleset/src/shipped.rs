//! Rulesets that come with the engine.

use std::sync::{Arc, OnceLock};

use parlor_core::{GameDef, Lobby, Rating};

use crate::compiler::compile;
use crate::machine::program::Program;

/// A ruleset that is part of the build.
struct Shipped {
    name: &'static str,
    /// Its id in the file, where that is another.
    id: &'static str,
    text: &'static str,
    lobby: Lobby,
    rating: Option<Rating>,
}

/// Rulesets of games that are also here as code: to read and to compare.
const FOR_DEVELOPERS: Lobby = Lobby { order: 20, tags: &["developer"], ..Lobby::DEFAULT };

const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "skirmish",
        id: "skirmish",
        text: include_str!("../../../rulesets/skirmish.json"),
        lobby: Lobby { order: 4, ..Lobby::DEFAULT },
        rating: Some(Rating::DUEL),
    },
    Shipped {
        name: "orcain",
        id: "orcain",
        text: include_str!("../../../rulesets/orcain.json"),
        lobby: FOR_DEVELOPERS,
        rating: None,
    },
    Shipped {
        name: "hearts-rules",
        id: "hearts",
        text: include_str!("../../../rulesets/hearts.json"),
        lobby: FOR_DEVELOPERS,
        rating: None,
    },
];

/// The text of a shipped ruleset, by the name it is played under or by its id.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|shipped| shipped.name == name || shipped.id == name).map(|shipped| shipped.text)
}

/// The names that shipped rulesets are played under.
#[must_use]
pub fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|shipped| shipped.name).collect()
}

/// The program of a shipped ruleset.
#[must_use]
pub fn program(name: &str) -> Option<Arc<Program>> {
    compiled().iter().find(|(other, _, _)| *other == name).map(|(_, program, _)| program.clone())
}

/// The definitions of all shipped rulesets.
#[must_use]
pub fn game_defs() -> Vec<GameDef> {
    compiled().iter().map(|(_, _, game_def)| *game_def).collect()
}

fn compiled() -> &'static [(&'static str, Arc<Program>, GameDef)] {
    static ALL: OnceLock<Vec<(&'static str, Arc<Program>, GameDef)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let one = |shipped: &Shipped| {
            let program = compile(shipped.text).unwrap_or_else(|findings| {
                panic!(
                    "{}: {}",
                    shipped.name,
                    findings.iter().map(|f| f.text(shipped.name, shipped.text)).collect::<String>()
                )
            });
            let program = Arc::new(program.program);
            let mut game_def = crate::game::game_def(program.clone(), shipped.name);
            (game_def.lobby, game_def.rating) = (shipped.lobby, shipped.rating);
            (shipped.name, program, game_def)
        };
        SHIPPED.iter().map(one).collect()
    })
}
