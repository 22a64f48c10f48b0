//! Luck as a scenario writes it: a line for each shuffle, roll, order and draw by lot, in the order in which they come.
//!
//! `{"shuffle": ZONE, "seat"?: n, "top": [cards]}` puts these cards on top, the first one topmost, and leaves the rest
//! to the seed; `"order": [cards]` names all of them, from the top. `{"roll": n}` gives what `roll` binds, from 0.
//! `{"mix": [names]}` is how the order of a list begins, `{"lot": [names]}` what somebody is answered with by lot.

use parlor_core::Json;
use serde_json::json;

use super::Wrong;
use super::given::kind;
use super::shape::{only, unknown};
use crate::game::request::named;
use crate::machine::Board;
use crate::machine::board::NOBODY;
use crate::machine::exec::chance::Chance;
use crate::machine::ids::{InstanceId, KindId, ZoneId};
use crate::machine::program::{Program, Ty};
use crate::machine::state::State;
use crate::machine::value::seat_value;

/// One line.
#[derive(Clone, Debug)]
enum Line {
    /// A zone of a seat, or of the game; what lies on top, from the top; whether that is all.
    Shuffle(ZoneId, u8, Vec<KindId>, bool),
    Roll(i64),
    Mix(Vec<String>),
    Lot(Vec<String>),
}

/// Scripted luck.
#[derive(Debug)]
pub(super) struct Script {
    lines: Vec<Line>,
    /// The next line.
    at: usize,
    wrong: Option<Wrong>,
}

impl Script {
    /// Reads the lines.
    pub(super) fn read(program: &Program, lines: &Json) -> Result<Self, Wrong> {
        let mut script = Self { lines: Vec::new(), at: 0, wrong: None };
        for (n, line) in lines.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
            let line = read(program, line).map_err(|wrong| wrong.inside(n).inside("chance"))?;
            script.lines.push(line);
        }
        Ok(script)
    }

    /// The first thing that came otherwise than written.
    pub(super) fn wrong(&self) -> Result<(), Wrong> {
        self.wrong.clone().map_or(Ok(()), Err)
    }

    /// Whether everything that is written has come.
    pub(super) fn is_over(&self) -> Result<(), Wrong> {
        let left = self.lines.len() - self.at;
        if left == 0 {
            return Ok(());
        }
        let what = format!("{left} lines of luck are left over: nothing drew them");
        Err(Wrong::new(what).inside(self.at).inside("chance"))
    }

    /// The next line, where it speaks of this; otherwise luck did what nobody wrote.
    fn next<R>(&mut self, came: &str, take: impl FnOnce(&Line) -> Result<R, String>) -> Option<R> {
        let n = self.at;
        let taken = match self.lines.get(n) {
            None => Err(Wrong::new(format!("luck that is not scripted: {came}")).inside("chance")),
            Some(line) => take(line).map_err(|why| {
                let mut wrong = Wrong::new(why).inside(n).inside("chance");
                wrong.got = Some(came.to_owned());
                wrong
            }),
        };
        self.at = (n + 1).min(self.lines.len());
        match taken {
            Ok(taken) => Some(taken),
            Err(wrong) => {
                self.wrong.get_or_insert(wrong);
                None
            }
        }
    }
}

fn read(program: &Program, line: &Json) -> Result<Line, Wrong> {
    only(line, &["shuffle", "seat", "top", "order", "roll", "mix", "lot"])?;
    let names = |field: &str| -> Result<Option<Vec<String>>, Wrong> {
        let Some(list) = line.get(field) else { return Ok(None) };
        let Some(list) = list.as_array() else {
            return Err(Wrong::new("a list of names or numbers is expected here").inside(field));
        };
        let name = |(n, name): (usize, &Json)| match name {
            Json::String(name) => Ok(name.clone()),
            Json::Number(number) => Ok(number.to_string()),
            other => {
                Err(Wrong::new(format!("{other} is neither a name nor a number")).inside(n).inside(field))
            }
        };
        list.iter().enumerate().map(name).collect::<Result<_, _>>().map(Some)
    };
    if let Some(zone) = line["shuffle"].as_str() {
        let zones = program.zones.iter().map(|zone| zone.name.as_str());
        let Some(of) = program.zone_named(zone) else {
            return Err(unknown("zone", zone, zones).inside("shuffle"));
        };
        let seat = match (program.zones[of].per_player, line["seat"].as_u64()) {
            (true, Some(seat)) if seat < 15 => seat as u8,
            (true, _) => return Err(Wrong::new("each player has this zone: `seat` says whose")),
            (false, None) => NOBODY,
            (false, Some(_)) => return Err(Wrong::new("this zone is the game's").inside("seat")),
        };
        let (field, all) = if line.get("order").is_some() { ("order", true) } else { ("top", false) };
        let mut cards = Vec::new();
        for (n, card) in line[field].as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
            cards.push(kind(program, card).map_err(|wrong| wrong.inside(n).inside(field))?);
        }
        return Ok(Line::Shuffle(of, seat, cards, all));
    }
    match (line["roll"].as_i64(), names("mix")?, names("lot")?) {
        (Some(value), _, _) => Ok(Line::Roll(value)),
        (_, Some(names), _) => Ok(Line::Mix(names)),
        (_, _, Some(names)) => Ok(Line::Lot(names)),
        _ => Err(Wrong::new("a line of luck is a shuffle, a roll, a mix or a lot")),
    }
}

/// What a value of this type is called in a scenario: a card by its kind, a value by its name, a seat or a number by its
/// number.
fn called(program: &Program, state: &State, ty: Ty, value: i64) -> String {
    if let Ty::Enum(n) = ty {
        let name = usize::try_from(value).ok().and_then(|n_th| program.enums[n].values.get(n_th));
        return name.cloned().unwrap_or_else(|| value.to_string());
    }
    if matches!(ty, Ty::Int | Ty::Bool) {
        return value.to_string();
    }
    match state.board.entity(value) {
        Some(e) => program.cards[state.board.entities[e].def].name.clone(),
        None if value >= seat_value(0) => named(program, state, value).1,
        None => value.to_string(),
    }
}

/// Takes the values of these names out of a list, in the order of the names.
fn pulled(
    program: &Program,
    state: &State,
    ty: Ty,
    list: &[i64],
    names: &[String],
) -> Result<Vec<i64>, String> {
    let mut left = list.to_vec();
    let mut taken = Vec::new();
    for name in names {
        let found = left.iter().position(|value| called(program, state, ty, *value) == *name);
        let Some(n) = found else { return Err(format!("there is no {name} to come")) };
        taken.push(left.remove(n));
    }
    Ok(taken)
}

impl Chance for Script {
    fn shuffled(&mut self, program: &Program, _: &State, instance: InstanceId, faces: &mut Vec<KindId>) {
        let (zone, owner) = Board::zone_of(program, instance);
        let name = &program.zones[zone].name;
        let came = match owner {
            NOBODY => json!({"shuffle": name}),
            seat => json!({"shuffle": name, "seat": seat}),
        };
        let laid = self.next(&came.to_string(), |line| {
            let Line::Shuffle(of, seat, top, all) = line else {
                return Err("another draw comes here".to_owned());
            };
            if (*of, *seat) != (zone, owner) {
                return Err("another zone is shuffled here".to_owned());
            }
            let mut rest = faces.clone();
            for kind in top {
                let Some(n) = rest.iter().rposition(|face| face == kind) else {
                    return Err(format!("there is no {} in {name} to put on top", program.cards[*kind].name));
                };
                rest.remove(n);
            }
            if *all && !rest.is_empty() {
                return Err(format!("`order` names all cards of {name}: {} are missing", rest.len()));
            }
            rest.extend(top.iter().rev());
            Ok(rest)
        });
        if let Some(laid) = laid {
            *faces = laid;
        }
    }

    fn rolled(&mut self, sides: u32, rng: u32) -> u32 {
        let taken = self.next(&format!("a roll of {sides} sides"), |line| match line {
            Line::Roll(value) if (0..i64::from(sides)).contains(value) => Ok(*value as u32),
            Line::Roll(value) => Err(format!("{value} is not on a die of {sides} sides, 0 to {}", sides - 1)),
            _ => Err("another draw comes here".to_owned()),
        });
        taken.unwrap_or(rng)
    }

    fn mixed(&mut self, program: &Program, state: &State, ty: Ty, list: &mut Vec<i64>) {
        let now: Vec<String> = list.iter().map(|value| called(program, state, ty, *value)).collect();
        let taken = self.next(&json!({"mix": now}).to_string(), |line| match line {
            Line::Mix(names) => pulled(program, state, ty, list, names).map(|mut first| {
                // The rest comes as luck has it.
                let rest: Vec<i64> = list.iter().copied().filter(|value| !first.contains(value)).collect();
                first.extend(rest);
                first
            }),
            _ => Err("another draw comes here".to_owned()),
        });
        if let Some(taken) = taken {
            *list = taken;
        }
    }

    fn drawn(&mut self, program: &Program, state: &State, ty: Ty, from: &[i64], picks: &mut Vec<i64>) {
        let taken = self.next("an answer by lot", |line| match line {
            Line::Lot(names) => pulled(program, state, ty, from, names),
            _ => Err("another draw comes here".to_owned()),
        });
        if let Some(taken) = taken {
            *picks = taken;
        }
    }

    fn place(&self) -> usize {
        self.at
    }

    fn back(&mut self, place: usize) {
        self.at = place;
    }
}
