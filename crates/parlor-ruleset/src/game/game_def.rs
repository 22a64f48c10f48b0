//! The definition of a ruleset for the registry, and a table's settings. Its rules are read at run time and named by
//! their content.

use std::sync::Arc;

use parlor_core::game_def::StartFrom;
use parlor_core::schema::Schema;
use parlor_core::sim::{Job, Tally};
use parlor_core::{DynGame, Fault, GameDef, Json, OutputBuffer, Refusal, Rng, Undo};
use serde_json::{Map, json};

use super::dyn_game::RulesetGame;
use crate::language::suggest;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::ids::{EnumId, KindId};
use crate::machine::program::{Config, ExprId, Program, Ty};
use crate::machine::state::Sink;

/// Makes matches of one ruleset.
pub struct GameFactory {
    program: Arc<Program>,
}

/// The entry of a ruleset under a name of its own. The program is kept for as long as the process lives: matches are
/// pinned to it.
#[must_use]
pub fn game_def(program: Arc<Program>, name: &str) -> GameDef {
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    let title: &'static str = Box::leak(program.name.clone().into_boxed_str());
    let (seats, hash, visits) = (program.seats, program.hash, program.on_leave.is_some());
    // The first number of its content names the rules in every log; the whole hash stands beside it.
    let rules = u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]);
    let factory: &'static GameFactory = Box::leak(Box::new(GameFactory { program }));
    let mut game_def = GameDef::hosted(name, title, rules, seats, Undo::None, factory);
    game_def.visits = visits;
    game_def.identity = Some(hash);
    game_def
}

/// Whether so many can play.
pub(super) fn check_seats(program: &Program, seats: u8) -> Result<(), Refusal> {
    let (fewest, most) = program.seats;
    if (fewest..=most).contains(&seats) {
        return Ok(());
    }
    let fault = Fault::new("seats", "{game} is played by {fewest} to {most}, not {got}");
    Err(fault
        .arg("game", program.id.as_str())
        .arg("fewest", fewest)
        .arg("most", most)
        .arg("got", seats)
        .into())
}

/// The most cards in a list that a table brings.
const LIST_MAX: usize = 256;
/// So many of the same kind are told at once.
const FAULTS_MAX: usize = 8;

/// The knobs, from a table's settings.
///
/// # Errors
/// Every setting that is wrong.
pub fn settings(program: &Program, given: &Json) -> Result<Vec<Vec<i64>>, Refusal> {
    let empty = Map::new();
    let map = match given {
        Json::Null => &empty,
        Json::Object(map) => map,
        _ => return Err(Refusal::of("malformed", "settings: an object is expected")),
    };
    let mut faults = Vec::new();
    for name in map.keys() {
        if !program.config.iter().any(|config| config.name == *name) {
            faults.push(Fault::new("setting", "there is no setting {name}").arg("name", name.as_str()));
        }
    }
    let mut values = Vec::new();
    for config in &program.config {
        let value = match map.get(&config.name) {
            None => Some(config.default.clone()),
            Some(Json::Array(items)) if config.list => {
                items.iter().map(|item| value_of(program, config.ty, item)).collect()
            }
            Some(_) if config.list => None,
            Some(value) => value_of(program, config.ty, value).map(|value| vec![value]),
        };
        let fits = |value: &i64| config.list || (config.min..=config.max).contains(value);
        match value {
            Some(value) if value.len() <= LIST_MAX && value.iter().all(fits) => {
                faults.extend(deck_faults(program, config, &value));
                values.push(value);
            }
            _ => {
                faults.extend(wrong(program, config, &map[&config.name]));
                values.push(config.default.clone());
            }
        }
    }
    Refusal::with(faults).into_result().map(|()| values)
}

/// What is wrong with a value that is none of a setting's: what may stand there, and what stands there instead.
fn wrong(program: &Program, config: &Config, given: &Json) -> Vec<Fault> {
    let said = |text: &'static str| Fault::new("setting", text).arg("name", config.name.as_str());
    let shown = |value: &Json| value.to_string().chars().take(40).collect::<String>();
    let names = |n: EnumId| program.enums[n].values.iter().map(String::as_str);
    if let (true, Json::Array(items)) = (config.list, given) {
        if items.len() > LIST_MAX {
            return vec![
                said("{name} has at most {most} cards, not {got}")
                    .arg("most", LIST_MAX)
                    .arg("got", items.len()),
            ];
        }
        let mut strange: Vec<&Json> = Vec::new();
        for item in items.iter().filter(|item| value_of(program, config.ty, item).is_none()) {
            if strange.len() < FAULTS_MAX && !strange.contains(&item) {
                strange.push(item);
            }
        }
        let unknown = |item: &&Json| {
            let cards = program.cards.iter().map(|card| (card.name.as_str(), card.title.as_str()));
            match item.as_str().and_then(|name| suggest::card(name, cards)) {
                Some(near) => said("{name} has {card}, which is no card here; {near} is")
                    .arg("card", shown(item))
                    .arg("near", near),
                None => said("{name} has {card}, which is no card here").arg("card", shown(item)),
            }
        };
        return strange.iter().map(unknown).collect();
    }
    let fault = match config.ty {
        _ if config.list => said("{name} is a list of cards, not {got}"),
        Ty::Int => {
            said("{name} is {least} to {most}, not {got}").arg("least", config.min).arg("most", config.max)
        }
        Ty::Bool => said("{name} is true or false, not {got}"),
        Ty::Enum(n) => said("{name} is one of {values}, not {got}")
            .arg("values", names(n).take(FAULTS_MAX).collect::<Vec<_>>().join(", ")),
        _ => said("{name} is no value that can be set: {got}"),
    };
    vec![fault.arg("got", shown(given))]
}

/// Everything that is wrong with a list of cards that a table brings: its size, and each card that may not be there or
/// is there too often.
#[must_use]
pub fn deck_faults(program: &Program, config: &Config, cards: &[i64]) -> Vec<Fault> {
    let Some(legal) = config.legal else { return Vec::new() };
    let mut faults = Vec::new();
    let name = config.name.as_str();
    if !(usize::from(legal.least)..=usize::from(legal.most)).contains(&cards.len()) {
        let fault = Fault::new("deck_size", "{name} has {least} to {most} cards, not {got}");
        let fault = fault.arg("name", name).arg("least", legal.least).arg("most", legal.most);
        faults.push(fault.arg("got", cards.len()));
    }
    let mut kinds = cards.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let found = usize::try_from(kind).ok().filter(|def| *def < program.cards.len());
        let Some(def) = found.map(KindId::at) else { continue };
        let state = crate::compiler::one_card(program, def);
        let look = |expr: ExprId| {
            let mut scratch = Scratch::new(10_000);
            scratch.its[usize::from(legal.it)] = 0;
            Eval::outside(program, &state, crate::machine::program::NONE, crate::machine::program::NONE)
                .value(&mut scratch, expr)
        };
        let card = program.cards[def].name.as_str();
        if legal.keep.is_some_and(|keep| look(keep) == 0) {
            let fault = Fault::new("deck_card", "{card} may not be in {name}");
            faults.push(fault.arg("card", card).arg("name", name));
        }
        let count = cards.iter().filter(|other| **other == kind).count();
        if let Some(most) = legal.copies.map(look)
            && count as i64 > most
        {
            let fault = Fault::new("deck_copies", "{name} has {got} of {card}, at most {most} are allowed");
            faults.push(fault.arg("name", name).arg("got", count).arg("card", card).arg("most", most));
        }
    }
    faults
}

fn value_of(program: &Program, ty: Ty, value: &Json) -> Option<i64> {
    match (ty, value) {
        (Ty::Int, Json::Number(n)) => n.as_i64().map(crate::machine::program::number),
        (Ty::Bool, Json::Bool(truth)) => Some(i64::from(*truth)),
        (Ty::Enum(n), Json::String(text)) => {
            program.enums[n].values.iter().position(|value| value == text).map(|n| n as i64)
        }
        _ => None,
    }
}

fn plain(program: &Program, ty: Ty, value: i64) -> Json {
    match ty {
        Ty::Bool => json!(value != 0),
        Ty::Enum(n) => {
            json!(usize::try_from(value).ok().and_then(|v| program.enums[n].values.get(v)))
        }
        _ => json!(value),
    }
}

impl parlor_core::game_def::GameFactory for GameFactory {
    fn start(
        &self,
        from: &StartFrom<'_>,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<Box<dyn DynGame>, Refusal> {
        let StartFrom { settings: given, seats, .. } = *from;
        check_seats(&self.program, seats)?;
        let config = settings(&self.program, given)?;
        let mut out = Sink::telling(output);
        Ok(Box::new(RulesetGame::start(self.program.clone(), config, seats, rng, &mut out)))
    }

    fn load(&self, _: u32, state: &[u8]) -> Option<Box<dyn DynGame>> {
        Some(Box::new(RulesetGame::load(self.program.clone(), state)?))
    }

    fn sim(&self, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
        super::sim::run(&self.program, job, from, to)
    }

    fn settings(&self) -> Json {
        let program = &self.program;
        let map: Map<String, Json> = program
            .config
            .iter()
            .map(|config| {
                let value = if config.list {
                    Json::Array(
                        config.default.iter().map(|value| plain(program, config.ty, *value)).collect(),
                    )
                } else {
                    config.default.first().map_or(Json::Null, |value| plain(program, config.ty, *value))
                };
                (config.name.clone(), value)
            })
            .collect();
        Json::Object(map)
    }

    fn sheet(&self) -> Option<Json> {
        Some(self.program.sheet.clone())
    }

    fn schema(&self) -> Json {
        let mut schema = Schema::of(&parlor_core::game_def::GameFactory::settings(self));
        for config in self.program.config.iter().filter(|config| config.ty == Ty::Int && !config.list) {
            schema = schema.range(&config.name, config.min, config.max);
        }
        schema.json()
    }
}
