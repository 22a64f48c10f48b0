//! The table that a scenario gives, laid before the setup.

use parlor_core::Json;

use super::Wrong;
use super::shape::{unknown, unknown_near};
use crate::machine::board::Delta;
use crate::machine::ids::{ColumnId, CounterId, EnumId, InstanceId, KindId};
use crate::machine::program::{AttrKind, NONE, Program, Ty};
use crate::machine::state::Vm;
use crate::machine::value::seat_value;

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
            lay(vm, def.base.of(seat.into()), card).map_err(|wrong| wrong.inside(n))?;
        }
        Ok(())
    })
}

/// A card of a table that is given: its kind, and how it lies.
pub(super) struct Given<'a> {
    kind: KindId,
    /// The cell of a grid.
    cell: Option<u16>,
    down: bool,
    /// Columns of kept attributes, with their values.
    attrs: Vec<(ColumnId, i64)>,
    counters: Vec<(CounterId, i64)>,
    named: &'a str,
}

/// Reads a card: its name, or `{card, cell?, faceDown?, counters?, …}` with attributes by their names.
pub(super) fn card<'a>(program: &Program, card: &'a Json) -> Result<Given<'a>, Wrong> {
    let Json::Object(fields) = card else {
        let named = card.as_str().unwrap_or_default();
        let (attrs, counters) = (Vec::new(), Vec::new());
        return Ok(Given { kind: kind(program, card)?, cell: None, down: false, attrs, counters, named });
    };
    let kind = kind(program, &card["card"]).map_err(|wrong| wrong.inside("card"))?;
    let named = card["card"].as_str().unwrap_or_default();
    let mut given = Given { kind, cell: None, down: false, attrs: Vec::new(), counters: Vec::new(), named };
    for (name, value) in fields.iter().filter(|(name, _)| *name != "card") {
        field(program, &mut given, name, value).map_err(|wrong| wrong.inside(name))?;
    }
    Ok(given)
}

fn field(program: &Program, given: &mut Given<'_>, name: &str, value: &Json) -> Result<(), Wrong> {
    let number = |value: &Json| value.as_i64().ok_or_else(|| Wrong::new("a number is expected here"));
    match name {
        "cell" => given.cell = Some(number(value)?.clamp(0, i64::from(u16::MAX)) as u16),
        "faceDown" => {
            given.down = value.as_bool().ok_or_else(|| Wrong::new("true or false is expected here"))?;
        }
        "counters" => {
            for (name, n) in value.as_object().into_iter().flatten() {
                let kinds = program.counters.iter().map(|(name, _)| name.as_str());
                let Some(kind) = kinds.clone().position(|other| other == name) else {
                    return Err(unknown("counter", name, kinds).inside(name));
                };
                given.counters.push((CounterId::at(kind), number(n).map_err(|wrong| wrong.inside(name))?));
            }
        }
        _ => {
            let attrs = program.attrs.iter().map(|attr| attr.name.as_str());
            let Some(n) = attrs.clone().position(|other| other == name) else {
                let known = attrs.chain(["card", "cell", "counters", "faceDown"]);
                return Err(unknown("attribute", name, known));
            };
            let AttrKind::Kept(column) = program.attrs[n].kind else {
                return Err(Wrong::new(
                    "this attribute is printed or computed: only one that is kept can be given",
                ));
            };
            given.attrs.push((column, scalar(program, program.attrs[n].ty, value)?));
        }
    }
    Ok(())
}

/// Lays a card where it is given, as `create` does.
fn lay(vm: &mut Vm<'_, '_>, instance: InstanceId, json: &Json) -> Result<(), Wrong> {
    let given = card(vm.program, json)?;
    let cell = vm.cell_of_given(instance, given.cell).map_err(|_| {
        let cell = given.cell.map_or(String::new(), |cell| format!(" in the cell {cell}"));
        Wrong::new(format!("there is no room for {}{cell}", given.named))
    })?;
    let ent = vm.make(given.kind, instance, cell, given.down);
    for (column, value) in given.attrs {
        vm.change(Delta::Attr(ent, column, value));
    }
    for (kind, n) in given.counters {
        vm.change(Delta::Counter(ent, kind, n));
    }
    Ok(())
}

/// A kind of card, by its name.
pub(super) fn kind(program: &Program, card: &Json) -> Result<KindId, Wrong> {
    let name = card.as_str().unwrap_or_default();
    let found = program.cards.iter().position(|def| def.name == name);
    found.map(KindId::at).ok_or_else(|| unknown_near("card", name, program.card_meant(name)))
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
    if let Some(per) = def.per {
        return each_value(program, per, values, |n, value| {
            let value = scalar(program, ty, value)?;
            vm.change(Delta::Var(base.of(n.into()), value));
            Ok(())
        });
    }
    each_seat(vm, places, values, |vm, seat, value| {
        let value = scalar(program, ty, value)?;
        vm.change(Delta::Var(base.of(seat.into()), value));
        Ok(())
    })
}

/// A variable for each value of an enum: `{value: …}`; those that are left out stay as they are.
pub(super) fn each_value(
    program: &Program,
    per: EnumId,
    given: &Json,
    mut f: impl FnMut(u16, &Json) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let names = &program.enums[per].values;
    let Some(map) = given.as_object() else {
        return Err(Wrong::new("there is one for each value: an object with their names"));
    };
    for (name, value) in map {
        let Some(n) = names.iter().position(|other| other == name) else {
            return Err(unknown("value", name, names.iter().map(String::as_str)).inside(name));
        };
        f(n as u16, value).map_err(|wrong| wrong.inside(name))?;
    }
    Ok(())
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
        (Ty::Seat | Ty::Thing, Json::Number(n)) => {
            n.as_i64().map(|n| seat_value(0).saturating_add(n)).ok_or_else(wrong)
        }
        (Ty::Enum(n), Json::String(text)) => {
            let values = &program.enums[n].values;
            let found = values.iter().position(|other| other == text);
            found.map(|n| n as i64).ok_or_else(|| unknown("value", text, values.iter().map(String::as_str)))
        }
        _ => Err(wrong()),
    }
}
