//! The stack as a viewer may know it: what waits, whose it is, what it is done to, and what put it there.

use parlor_core::{Json, Viewer};
use serde_json::{Map, json};

use super::view::{card_ref, item_id, thing_ref};
use crate::machine::program::{ActionDef, EVENT_PREVENTED, Program, Spread, TargetDef};
use crate::machine::stack::window::{Acting, Spec};
use crate::machine::state::{Counter, EventData, Item, ItemKind, State};
use crate::machine::value::seat_number;
use crate::screen::{self, CardRef, Cause, CounteredBy, ItemFlags, SeatRef, SeenItem, SeenTarget, Thing};

/// What an item is called: the card that is played, the action, the trigger or the event.
#[must_use]
pub(crate) fn title(program: &Program, state: &State, item: &Item, viewer: Viewer) -> String {
    named(program, state, &Counter::from(item), viewer)
}

fn named(program: &Program, state: &State, item: &Counter, viewer: Viewer) -> String {
    match item.kind {
        ItemKind::Action(action) => {
            let def = &program.actions[action];
            played(program, state, def, item.this, viewer).unwrap_or_else(|| def.name.clone())
        }
        ItemKind::Event => program.events[item.event].name.clone(),
        ItemKind::Reaction(id) => program.triggers[id].id.clone(),
    }
}

/// The title of the card that an action plays, where it is one that plays a card and the viewer knows it.
fn played(program: &Program, state: &State, def: &ActionDef, this: i64, viewer: Viewer) -> Option<String> {
    if def.hold.is_none() && def.spread != Spread::Card {
        return None;
    }
    let e = state.board.entity(this)?;
    let knows = state.board.entities[e].known.sees(viewer);
    knows.then(|| program.cards[state.board.entities[e].def].title.clone())
}

/// What countered an item, as a viewer may know it: nothing more than was seen of it while it waited itself.
fn countered_by(program: &Program, state: &State, item: &Item, viewer: Viewer) -> Option<CounteredBy> {
    let by = item.counter.as_ref()?;
    Some(CounteredBy {
        id: item_id(by.order.into()),
        title: named(program, state, by, viewer),
        seat: State::seat(by.you),
        source: card_ref(program, state, by.this, viewer),
    })
}

/// Notes on an event what is known of the item that it is, while that waits or resolves: its name for clients, what it
/// is called, and what countered it.
pub(crate) fn note_item(
    program: &Program,
    state: &State,
    ev: &EventData,
    viewer: Viewer,
    map: &mut Map<String, Json>,
) {
    let prevented = ev.ty == EVENT_PREVENTED;
    let about = if prevented { ev.args[0] } else { ev.id.into() };
    let of = |item: &&Item| i64::from(item.ev.id) == about && item.order != 0;
    // What is told of as prevented while it lies on top: an event, or a reaction to one.
    let stopped = state.stack.last().filter(|top| prevented && top.countered).filter(of);
    let current = state.current.as_ref().map(|current| &current.item);
    let waits = || {
        let mut items = state.stack.iter().chain(current);
        items.find(|item| of(item) && !matches!(item.kind, ItemKind::Reaction(_)))
    };
    let Some(found) = stopped.or_else(waits) else { return };
    map.insert("item".to_owned(), json!(item_id(found.order.into())));
    map.insert("title".to_owned(), json!(title(program, state, found, viewer)));
    if let Some(by) = countered_by(program, state, found, viewer) {
        map.insert("counteredBy".to_owned(), json!(by));
    }
}

/// One item on the stack, by its place from the bottom.
pub(super) fn waiting(program: &Program, state: &State, n: usize, viewer: Viewer) -> SeenItem {
    let item = &state.stack[n];
    let (kind, name) = match item.kind {
        ItemKind::Action(action) => (screen::ItemKind::Event, &program.actions[action].id),
        ItemKind::Event => (screen::ItemKind::Event, &program.events[item.ev.ty].name),
        ItemKind::Reaction(id) => (screen::ItemKind::Reaction, &program.triggers[id].id),
    };
    let mut seen = SeenItem {
        id: item_id(item.order.into()),
        kind,
        ref_id: name.clone(),
        title: title(program, state, item, viewer),
        event: item.ev.id,
        created_at_order: item.order,
        flags: ItemFlags { before_scheduled: !item.before.is_empty() },
        controller: State::seat(item.you).map(|seat| SeatRef { seat }),
        source: thing_ref(program, state, item.this, viewer),
        caused_by: cause(program, state, n, viewer),
        countered: item.countered.then_some(true),
        countered_by: item.countered.then(|| countered_by(program, state, item, viewer)).flatten(),
        action: None,
        mode: None,
        ability: None,
        targets: Vec::new(),
    };
    if let ItemKind::Action(action) = item.kind {
        seen.action = Some(name.clone());
        chosen(program, state, &program.actions[action], item, viewer, &mut seen);
    }
    if let (ItemKind::Reaction(id), Some(kept)) = (item.kind, &item.kept) {
        let names = &program.triggers[id].targets;
        let aimed = names.iter().zip(&kept.locals);
        seen.targets =
            aimed.map(|(name, value)| target(name, thing_ref(program, state, *value, viewer))).collect();
    }
    seen
}

/// What was chosen for an action: things as its targets, and a mode or an ability by its name.
fn chosen(
    program: &Program,
    state: &State,
    def: &ActionDef,
    item: &Item,
    viewer: Viewer,
    seen: &mut SeenItem,
) {
    let seat = seat_number(item.you).clamp(0, 15) as u8;
    let acting = Acting { program, state, seat };
    for (n, value) in item.targets.iter().enumerate() {
        match acting.spec(def, &item.targets[..n]) {
            Spec::Named(names, what) => {
                let name = names.into_iter().find(|(other, _)| other == value).map(|(_, name)| name);
                let field = if what == "mode" { &mut seen.mode } else { &mut seen.ability };
                *field = Some(name);
            }
            // What it was paid with is not what it is aimed at.
            Spec::From(TargetDef { price: true, .. }, _) => {}
            Spec::From(TargetDef { name, number: true, .. }, _) => {
                seen.targets.push(SeenTarget { id: Some(value.to_string()), ..target(name, None) });
            }
            Spec::From(TargetDef { name, .. }, _) => {
                seen.targets.push(target(name, thing_ref(program, state, *value, viewer)));
            }
            Spec::Done => break,
        }
    }
}

fn target(name: &str, thing: Option<Thing>) -> SeenTarget {
    let target = SeenTarget { target: name.to_owned(), id: None, seat: None, card: None };
    match thing {
        None => target,
        Some(Thing::Item(id)) => SeenTarget { id: Some(id), ..target },
        Some(Thing::Seat(SeatRef { seat })) => {
            SeenTarget { id: Some(format!("p{seat}")), seat: Some(seat), ..target }
        }
        Some(Thing::Card(CardRef { id, card })) => SeenTarget { id: Some(id), card: Some(card), ..target },
    }
}

/// What put an item there: for a response the item below it, for a reaction the event that it is about, for an event
/// whatever let it happen. The item is named where it still waits.
fn cause(program: &Program, state: &State, n: usize, viewer: Viewer) -> Option<Cause> {
    let item = &state.stack[n];
    let described = |other: &Item| {
        let waits = state.stack.iter().any(|waits| waits.order == other.order);
        Cause {
            id: waits.then(|| item_id(other.order.into())),
            event: other.ev.id,
            title: Some(title(program, state, other, viewer)),
        }
    };
    let of_event = |event: u32| {
        let current = state.current.as_ref().map(|current| &current.item);
        state.stack.iter().chain(current).find(|other| {
            other.ev.id == event && other.order != item.order && !matches!(other.kind, ItemKind::Reaction(_))
        })
    };
    let gone = |event: u32, title: Option<String>| Cause { id: None, event, title };
    match item.kind {
        ItemKind::Action(_) => n.checked_sub(1).map(|below| described(&state.stack[below])),
        ItemKind::Reaction(_) => Some(
            of_event(item.ev.id)
                .map_or_else(|| gone(item.ev.id, Some(program.events[item.ev.ty].name.clone())), described),
        ),
        ItemKind::Event if item.ev.cause == 0 => None,
        ItemKind::Event => Some(of_event(item.ev.cause).map_or_else(|| gone(item.ev.cause, None), described)),
    }
}
