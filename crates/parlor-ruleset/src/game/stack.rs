//! The stack as a viewer may know it: what waits, whose it is, what it is done to, and what put it there.

use parlor_core::{Json, Viewer};
use serde_json::{Map, json};

use super::view::{item_id, thing};
use crate::machine::program::{ActionDef, EVENT_PREVENTED, ITEM, Program, SEAT, Spread, TargetDef};
use crate::machine::stack::window::{Acting, Spec};
use crate::machine::state::{Counter, EventData, Item, ItemKind, State};

/// What an item is called: the card that is played, the action, the trigger or the event.
#[must_use]
pub(crate) fn title(program: &Program, state: &State, item: &Item, viewer: Viewer) -> String {
    named(program, state, &Counter::from(item), viewer)
}

fn named(program: &Program, state: &State, item: &Counter, viewer: Viewer) -> String {
    match item.kind {
        ItemKind::Action(action) => {
            let def = &program.actions[usize::from(action)];
            played(program, state, def, item.this, viewer).unwrap_or_else(|| def.name.clone())
        }
        ItemKind::Event => program.events[usize::from(item.event)].name.clone(),
        ItemKind::Reaction(id) => program.triggers[usize::from(id)].id.clone(),
    }
}

/// The title of the card that an action plays, where it is one that plays a card and the viewer knows it.
fn played(program: &Program, state: &State, def: &ActionDef, this: i64, viewer: Viewer) -> Option<String> {
    if def.hold.is_none() && def.spread != Spread::Card {
        return None;
    }
    let e = usize::try_from(this).ok().filter(|e| *e < state.board.entities.len())?;
    let knows = state.board.entities[e].known.sees(viewer);
    knows.then(|| program.cards[usize::from(state.board.entities[e].def)].title.clone())
}

/// What countered an item, as a viewer may know it: nothing more than was seen of it while it waited itself.
fn countered_by(program: &Program, state: &State, item: &Item, viewer: Viewer) -> Option<(String, Json)> {
    let by = item.counter.as_ref()?;
    let source = if by.this < SEAT { thing(program, state, by.this, viewer) } else { Json::Null };
    let by = json!({
        "id": item_id(by.order.into()),
        "title": named(program, state, by, viewer),
        "seat": State::seat(by.you).map(parlor_core::Seat::index),
        "source": source,
    });
    Some(("counteredBy".to_owned(), by))
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
    map.extend(countered_by(program, state, found, viewer));
}

/// One item on the stack, by its place from the bottom.
pub(super) fn waiting(program: &Program, state: &State, n: usize, viewer: Viewer) -> Json {
    let item = &state.stack[n];
    let (kind, name) = match item.kind {
        ItemKind::Action(action) => ("event", program.actions[usize::from(action)].id.as_str()),
        ItemKind::Event => ("event", program.events[usize::from(item.ev.ty)].name.as_str()),
        ItemKind::Reaction(id) => ("reaction", program.triggers[usize::from(id)].id.as_str()),
    };
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(item_id(item.order.into())));
    map.insert("kind".to_owned(), json!(kind));
    map.insert("refId".to_owned(), json!(name));
    map.insert("title".to_owned(), json!(title(program, state, item, viewer)));
    map.insert("event".to_owned(), json!(item.ev.id));
    map.insert("createdAtOrder".to_owned(), json!(item.order));
    map.insert("flags".to_owned(), json!({"beforeScheduled": !item.before.is_empty()}));
    map.insert("controller".to_owned(), thing(program, state, item.you, viewer));
    map.insert("source".to_owned(), thing(program, state, item.this, viewer));
    map.insert("causedBy".to_owned(), cause(program, state, n, viewer));
    if item.countered {
        map.insert("countered".to_owned(), json!(true));
        map.extend(countered_by(program, state, item, viewer));
    }
    if let ItemKind::Action(action) = item.kind {
        map.insert("action".to_owned(), json!(name));
        chosen(program, state, &program.actions[usize::from(action)], item, viewer, &mut map);
    } else {
        map.insert("targets".to_owned(), json!([]));
    }
    Json::Object(map)
}

/// What was chosen for an action: things as its targets, and a mode or an ability by its name.
fn chosen(
    program: &Program,
    state: &State,
    def: &ActionDef,
    item: &Item,
    viewer: Viewer,
    map: &mut Map<String, Json>,
) {
    let seat = (item.you - SEAT).clamp(0, 15) as u8;
    let acting = Acting { program, state, seat };
    let mut targets = Vec::new();
    for (n, value) in item.targets.iter().enumerate() {
        match acting.spec(def, &item.targets[..n]) {
            Spec::Named(names, what) => {
                let name = names.into_iter().find(|(other, _)| other == value).map(|(_, name)| name);
                map.insert(what, json!(name));
            }
            // What it was paid with is not what it is aimed at.
            Spec::From(TargetDef { price: true, .. }, _) => {}
            Spec::From(TargetDef { name, .. }, _) => {
                let mut target = match thing(program, state, *value, viewer) {
                    Json::Object(target) => target,
                    Json::String(id) => Map::from_iter([("id".to_owned(), json!(id))]),
                    _ => Map::new(),
                };
                if (SEAT..ITEM).contains(value) {
                    target.insert("id".to_owned(), json!(format!("p{}", value - SEAT)));
                }
                target.insert("target".to_owned(), json!(name));
                targets.push(Json::Object(target));
            }
            Spec::Done => break,
        }
    }
    map.insert("targets".to_owned(), Json::Array(targets));
}

/// What put an item there: for a response the item below it, for a reaction the event that it is about, for an event
/// whatever let it happen. The item is named where it still waits.
fn cause(program: &Program, state: &State, n: usize, viewer: Viewer) -> Json {
    let item = &state.stack[n];
    let described = |other: &Item| {
        let id =
            state.stack.iter().any(|waits| waits.order == other.order).then(|| item_id(other.order.into()));
        json!({"id": id, "event": other.ev.id, "title": title(program, state, other, viewer)})
    };
    let of_event = |event: u32| {
        let current = state.current.as_ref().map(|current| &current.item);
        state.stack.iter().chain(current).find(|other| {
            other.ev.id == event && other.order != item.order && !matches!(other.kind, ItemKind::Reaction(_))
        })
    };
    match item.kind {
        ItemKind::Action(_) => n.checked_sub(1).map_or(Json::Null, |below| described(&state.stack[below])),
        ItemKind::Reaction(_) => of_event(item.ev.id).map_or_else(
            || json!({"id": null, "event": item.ev.id, "title": program.events[usize::from(item.ev.ty)].name}),
            described,
        ),
        ItemKind::Event if item.ev.cause == 0 => Json::Null,
        ItemKind::Event => of_event(item.ev.cause)
            .map_or_else(|| json!({"id": null, "event": item.ev.cause, "title": null}), described),
    }
}
