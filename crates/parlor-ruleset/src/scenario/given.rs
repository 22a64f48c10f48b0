//! The table that a scenario gives, laid before the setup.

use parlor_core::Json;

use super::Wrong;
use super::shape::{unknown, unknown_near};
use crate::machine::board::{Delta, NOBODY};
use crate::machine::program::{NONE, Program, SEAT, Ty};
use crate::machine::state::Vm;

/// Lays the table that a scenario gives.
///
/// # Errors
/// A zone, card or variable that is not there, and a value that does not fit.
pub fn given(vm: &mut Vm<'_, '_>, given: &Json) -> Result<(), Wrong> {
    for (name, lists) in given["zones"].as_object().into_iter().flatten() {
        zone(vm, name, lists).map_err(|wrong| wrong.inside(name).inside("zones"))?;
    }
    for (name, values) in given["vars"].as_object().into_iter().flatten() {
        variable(vm, name, values).map_err(|wrong| wrong.inside(name).inside("vars"))?;
    }
    Ok(())
}

/// Whose list it is: one for each seat or team, or one for the game.
fn each_seat(
    vm: &mut Vm<'_, '_>,
    places: Option<usize>,
    given: &Json,
    mut f: impl FnMut(&mut Vm<'_, '_>, u16, &Json) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let Some(seats) = places else { return f(vm, 0, given) };
    let Some(list) = given.as_array() else {
        return Err(Wrong::new("each player has one of these: a list with an entry for each seat"));
    };
    if list.len() > seats {
        return Err(Wrong::new(format!("{} entries for {seats} seats", list.len())));
    }
    for (seat, one) in list.iter().enumerate() {
        f(vm, seat as u16, one).map_err(|wrong| wrong.inside(seat))?;
    }
    Ok(())
}

fn zone(vm: &mut Vm<'_, '_>, name: &str, lists: &Json) -> Result<(), Wrong> {
    let program = vm.program;
    let zones = program.zones.iter().map(|zone| zone.name.as_str());
    let Some(def) = program.zones.iter().find(|zone| zone.name == name) else {
        return Err(unknown("zone", name, zones));
    };
    let places = def.per_player.then_some(usize::from(vm.state.board.seats));
    each_seat(vm, places, lists, |vm, seat, list| {
        let Some(cards) = list.as_array() else {
            return Err(Wrong::new("a list of cards is expected here, from the bottom"));
        };
        for (n, card) in cards.iter().enumerate() {
            let kind = kind(program, card).map_err(|wrong| wrong.inside(n))?;
            let (handle, since) = (vm.handle(), vm.order());
            let instance = def.base + seat;
            let owner = if def.per_player { seat as u8 } else { NOBODY };
            let ent = vm.state.board.entities.len() as u16;
            vm.change(Delta::Create(kind, instance, owner, handle, since));
            let sees = vm.sees(instance);
            vm.show(ent, sees);
        }
        Ok(())
    })
}

/// A kind of card, by its name.
pub(super) fn kind(program: &Program, card: &Json) -> Result<u16, Wrong> {
    let name = card.as_str().unwrap_or_default();
    let found = program.cards.iter().position(|def| def.name == name);
    found.map(|n| n as u16).ok_or_else(|| unknown_near("card", name, program.card_meant(name)))
}

fn variable(vm: &mut Vm<'_, '_>, name: &str, values: &Json) -> Result<(), Wrong> {
    let program = vm.program;
    let Some(def) = program.vars.iter().find(|var| var.name == name) else {
        return Err(unknown("variable", name, program.vars.iter().map(|var| var.name.as_str())));
    };
    let (base, ty) = (def.base, def.ty);
    let places = match (def.per_player, def.per_team) {
        (true, _) => Some(usize::from(vm.state.board.seats)),
        (false, true) => Some(program.team_names.len()),
        (false, false) => None,
    };
    each_seat(vm, places, values, |vm, seat, value| {
        let value = scalar(program, ty, value)?;
        vm.change(Delta::Var(base + seat, value));
        Ok(())
    })
}

/// A value as a scenario writes it.
pub(super) fn scalar(program: &Program, ty: Ty, value: &Json) -> Result<i64, Wrong> {
    let wrong = || Wrong::new(format!("{value} is no value that can stand here"));
    match (ty, value) {
        (_, Json::Null) => Ok(NONE),
        (Ty::Bool, Json::Bool(truth)) => Ok(i64::from(*truth)),
        (Ty::Int | Ty::Any, Json::Number(n)) => {
            n.as_i64().map(crate::machine::program::number).ok_or_else(wrong)
        }
        (Ty::Seat | Ty::Thing, Json::Number(n)) => n.as_i64().map(|n| SEAT + n).ok_or_else(wrong),
        (Ty::Enum(n), Json::String(text)) => {
            let values = &program.enums[usize::from(n)].values;
            let found = values.iter().position(|other| other == text);
            found.map(|n| n as i64).ok_or_else(|| unknown("value", text, values.iter().map(String::as_str)))
        }
        _ => Err(wrong()),
    }
}
