//! What a viewer may know, as JSON: built by naming what is shown, never by deleting from the truth.

use parlor_core::{Json, Seat, Viewer};
use serde_json::{Map, json};

use crate::machine::board::NOBODY;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::ids::{AttrId, CounterId, EntityId, EnumId, ZoneId};
use crate::machine::program::{AttrKind, NONE, Program, See, Ty};
use crate::machine::state::{Question, State};
use crate::machine::value::{Value, seat_number, seat_value};
use crate::screen::{CardRef, SeatRef, Thing};

/// A value as a viewer may know it.
#[must_use]
pub(crate) fn scalar(program: &Program, state: &State, ty: Ty, value: i64, viewer: Viewer) -> Json {
    match ty {
        Ty::Bool => json!(value != 0),
        Ty::Enum(n) => {
            let values = program.enums.get(n.index()).map(|def| &def.values);
            json!(values.and_then(|values| values.get(usize::try_from(value).ok()?)))
        }
        Ty::Int | Ty::Any if value == NONE => Json::Null,
        Ty::Int | Ty::Any => json!(value),
        Ty::Seat if value >= seat_value(0) => json!(seat_number(value)),
        Ty::Seat | Ty::Ent | Ty::Thing | Ty::Item => thing(program, state, value, viewer),
    }
}

/// A seat, an entity or an item.
#[must_use]
pub(crate) fn thing(program: &Program, state: &State, value: i64, viewer: Viewer) -> Json {
    match thing_ref(program, state, value, viewer) {
        None => Json::Null,
        Some(Thing::Item(id)) => Json::String(id),
        Some(Thing::Seat(SeatRef { seat })) => json!({"seat": seat}),
        // Events and views are full of these: nothing is copied.
        Some(Thing::Card(CardRef { id, card })) => {
            let fields = [("id".to_owned(), Json::String(id)), ("card".to_owned(), Json::String(card))];
            Json::Object(Map::from_iter(fields))
        }
    }
}

/// A seat, an entity or an item; none for one that the viewer may not know.
pub(super) fn thing_ref(program: &Program, state: &State, value: i64, viewer: Viewer) -> Option<Thing> {
    if let Value::Item(order) = Value::of(value) {
        return Some(Thing::Item(item_id(order)));
    }
    if let Some(seat) = State::seat(value) {
        return Some(Thing::Seat(SeatRef { seat }));
    }
    card_ref(program, state, value, viewer).map(Thing::Card)
}

/// A card; none for one that the viewer may not know.
pub(super) fn card_ref(program: &Program, state: &State, value: i64, viewer: Viewer) -> Option<CardRef> {
    let e = state.board.entity(value)?;
    let entity = &state.board.entities[e];
    let card = || program.cards[entity.def].name.clone();
    entity.known.sees(viewer).then(|| CardRef { id: card_id(state, e), card: card() })
}

/// What clients call an entity.
#[must_use]
pub(crate) fn card_id(state: &State, ent: EntityId) -> String {
    format!("c{}", state.board.entities[ent].handle)
}

/// What clients call an item.
#[must_use]
pub(crate) fn item_id(order: i64) -> String {
    format!("s{order}")
}

/// One card with everything that is to be seen on it.
fn card(program: &Program, state: &State, scratch: &mut Scratch, e: EntityId, viewer: Viewer) -> Json {
    let def = &program.cards[state.board.entities[e].def];
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(card_id(state, e)));
    map.insert("card".to_owned(), json!(def.name));
    people(program, state, e, &mut map);
    let eval = Eval::outside(program, state, NONE, NONE);
    let in_force = (0..program.keywords.len()).filter(|n| eval.has(scratch, e.value(), *n as u16));
    let keywords: Vec<&str> = in_force.map(|n| program.keywords[n].as_str()).collect();
    if !keywords.is_empty() {
        map.insert("keywords".to_owned(), json!(keywords));
    }
    for (n, attr) in program.attrs.iter().enumerate() {
        if (attr.layered || matches!(attr.kind, AttrKind::Kept(_)))
            && visible(attr.see, state.board.entities[e].ctrl, viewer)
        {
            let value = eval.attr(scratch, e.value(), AttrId::at(n));
            map.insert(attr.name.clone(), scalar(program, state, attr.ty, value, Viewer::Gallery));
        }
    }
    let counters: Map<String, Json> = program
        .counters
        .iter()
        .enumerate()
        .map(|(n, (name, _))| (name.clone(), state.board.counters[program.counter_at(e, CounterId::at(n))]))
        .filter(|(_, n)| *n != 0)
        .map(|(name, n)| (name, json!(n)))
        .collect();
    if state.board.entities[e].down {
        map.insert("faceDown".to_owned(), json!(true));
    }
    cell(state, e, &mut map);
    if !counters.is_empty() {
        map.insert("counters".to_owned(), Json::Object(counters));
    }
    Json::Object(map)
}

/// Whose it is and who controls it, where that is not the zone's owner; who put it into a zone of the game.
fn people(program: &Program, state: &State, e: EntityId, map: &mut Map<String, Json>) {
    let (zone, of) = crate::machine::Board::zone_of(program, state.board.entities[e].at);
    let board = &state.board;
    let mut note = |name: &str, seat: u8| {
        if seat != NOBODY && seat != of {
            map.insert(name.to_owned(), json!(seat));
        }
    };
    note("owner", board.entities[e].owner);
    note("controller", board.entities[e].ctrl);
    if !program.zones[zone].per_player {
        note("by", board.entities[e].by);
    }
}

/// Where a card lies in a grid.
fn cell(state: &State, e: EntityId, map: &mut Map<String, Json>) {
    let cell = state.board.entities[e].cell;
    if cell != crate::machine::board::NO_CELL {
        map.insert("cell".to_owned(), json!(cell));
    }
}

/// A card that lies face down where everybody sees it: it has a name, and no face.
fn back(state: &State, e: EntityId) -> Json {
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(card_id(state, e)));
    map.insert("faceDown".to_owned(), json!(true));
    cell(state, e, &mut map);
    Json::Object(map)
}

fn visible(see: See, owner: u8, viewer: Viewer) -> bool {
    match see {
        See::All => true,
        See::Owner => owner != NOBODY && viewer == Viewer::Seat(Seat::new(owner)),
        See::None => false,
    }
}

fn zone(
    program: &Program,
    state: &State,
    scratch: &mut Scratch,
    zone: ZoneId,
    owner: u8,
    viewer: Viewer,
) -> Option<Json> {
    let def = &program.zones[zone];
    let instance = if def.per_player { def.base.of(owner.into()) } else { def.base };
    let cards = &state.board.zones[instance];
    let mut map = Map::new();
    if visible(def.count, owner, viewer) || visible(def.see, owner, viewer) {
        map.insert("count".to_owned(), json!(cards.len()));
    }
    let knows = |ent: &EntityId| state.board.entities[*ent].known.sees(viewer);
    let sees = visible(def.see, owner, viewer);
    let is_back = |ent: &EntityId| sees && state.board.entities[*ent].down && !knows(ent);
    if def.ordered && visible(def.places, owner, viewer) {
        let list = cards.iter().map(|ent| match ent {
            ent if knows(ent) => card(program, state, scratch, *ent, viewer),
            ent if is_back(ent) => back(state, *ent),
            _ => Json::Null,
        });
        map.insert("cards".to_owned(), Json::Array(list.collect()));
    } else {
        let mut known: Vec<EntityId> = cards.iter().copied().filter(knows).collect();
        known.sort_by_key(|ent| (state.board.entities[*ent].def, state.board.entities[*ent].handle));
        let mut backs: Vec<EntityId> = cards.iter().copied().filter(is_back).collect();
        backs.sort_by_key(|ent| state.board.entities[*ent].handle);
        if !known.is_empty() || sees {
            let mut list: Vec<Json> =
                known.into_iter().map(|ent| card(program, state, scratch, ent, viewer)).collect();
            list.extend(backs.into_iter().map(|ent| back(state, ent)));
            map.insert("cards".to_owned(), Json::Array(list));
        }
    }
    (!map.is_empty()).then_some(Json::Object(map))
}

/// Everything one viewer may know.
#[must_use]
pub(crate) fn seen(program: &Program, state: &State, viewer: Viewer) -> Json {
    let mut scratch = Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
    let board = &state.board;
    let mut view = Map::new();
    view.insert("you".to_owned(), json!(viewer.seat()));
    if !program.steps.is_empty() {
        let name = |n: EnumId, v: usize| program.enums[n].values.get(v).cloned();
        view.insert(
            "turn".to_owned(),
            json!({
                "phase": name(crate::machine::program::PHASES, board.phase.index()),
                "step": name(crate::machine::program::STEPS, board.step.index()),
                "activePlayer": board.active,
                "turnNumber": board.turn,
                "round": board.round_number(program),
            }),
        );
    }
    let mut vars = Map::new();
    for var in
        program.vars.iter().filter(|var| !var.per_player && !var.per_team && visible(var.see, NOBODY, viewer))
    {
        let value = |n: usize| scalar(program, state, var.ty, board.vars[var.base.of(n)], viewer);
        let shown = match var.per {
            None => value(0),
            Some(per) => {
                let names = program.enums[per].values.iter().enumerate();
                Json::Object(names.map(|(n, name)| (name.clone(), value(n))).collect())
            }
        };
        vars.insert(var.name.clone(), shown);
    }
    view.insert("vars".to_owned(), Json::Object(vars));
    let mut zones = Map::new();
    for n in (0..program.zones.len()).map(ZoneId::at).filter(|n| !program.zones[*n].per_player) {
        if let Some(json) = zone(program, state, &mut scratch, n, NOBODY, viewer) {
            zones.insert(program.zones[n].name.clone(), json);
        }
    }
    view.insert("zones".to_owned(), Json::Object(zones));
    let players = (0..board.seats).map(|seat| player(program, state, &mut scratch, seat, viewer)).collect();
    view.insert("players".to_owned(), Json::Array(players));
    if !program.teams.is_empty() {
        let teams =
            (0..program.team_names.len()).map(|team| team_json(program, state, team, viewer)).collect();
        view.insert("teams".to_owned(), Json::Array(teams));
    }
    if !program.actions.is_empty() || !state.stack.is_empty() {
        let stack = (0..state.stack.len()).map(|n| json!(super::stack::waiting(program, state, n, viewer)));
        view.insert("stack".to_owned(), Json::Array(stack.collect()));
        view.insert("priority".to_owned(), json!(state.window.as_ref().map(|window| window.holder)));
        view.insert("passes".to_owned(), json!(passes(state)));
    }
    if let Some(waited) = waited_for(program, state) {
        view.insert("waitingFor".to_owned(), json!(waited));
    }
    if let (Viewer::Seat(seat), Some(open)) = (viewer, &state.open)
        && let Question::Ask(ask) = open.what
    {
        let def = &program.asks[ask];
        if state.touched[def.answer].has(seat) {
            let row = def.answer.index() * usize::from(board.seats) + seat.index();
            let said: Vec<Json> = state.answers[row]
                .iter()
                .map(|value| answer_json(program, state, def, *value, viewer))
                .collect();
            let sealed = state.sealed[def.answer].has(seat);
            view.insert("answer".to_owned(), json!({"ask": def.id, "said": said, "sealed": sealed}));
        }
    }
    if let (Viewer::Seat(seat), true) = (viewer, crate::machine::requests::auto::has_priority(program)) {
        view.insert("passUntil".to_owned(), crate::machine::requests::auto::shown(program, state, seat));
    }
    view.insert("over".to_owned(), json!(state.over.is_some()));
    Json::Object(view)
}

fn answer_json(
    program: &Program,
    state: &State,
    def: &crate::machine::program::AskDef,
    value: i64,
    viewer: Viewer,
) -> Json {
    use crate::machine::program::AskKind;
    match def.kind {
        AskKind::Pick | AskKind::Slots(_) | AskKind::Order => match def.ty {
            Ty::Int | Ty::Bool | Ty::Enum(_) => scalar(program, state, def.ty, value, viewer),
            _ => thing(program, state, value, viewer),
        },
        _ => json!(value),
    }
}

fn team_json(program: &Program, state: &State, team: usize, viewer: Viewer) -> Json {
    let of =
        |seat: &u8| program.teams.get(usize::from(*seat)).is_some_and(|other| usize::from(*other) == team);
    let seats: Vec<u8> = (0..state.board.seats).filter(of).collect();
    let inside = viewer.seat().is_some_and(|seat| seats.contains(&(seat.index() as u8)));
    let shown = |see: See| see == See::All || (see == See::Owner && inside);
    let mut vars = Map::new();
    for var in program.vars.iter().filter(|var| var.per_team && shown(var.see)) {
        let value = state.board.vars[var.base.of(team)];
        vars.insert(var.name.clone(), scalar(program, state, var.ty, value, viewer));
    }
    json!({"name": program.team_names[team], "seats": seats, "vars": vars})
}

fn player(program: &Program, state: &State, scratch: &mut Scratch, seat: u8, viewer: Viewer) -> Json {
    let mut vars = Map::new();
    for var in program.vars.iter().filter(|var| var.per_player && visible(var.see, seat, viewer)) {
        let value = state.board.vars[var.base.of(seat.into())];
        vars.insert(var.name.clone(), scalar(program, state, var.ty, value, viewer));
    }
    let mut zones = Map::new();
    for n in (0..program.zones.len()).map(ZoneId::at).filter(|n| program.zones[*n].per_player) {
        if let Some(json) = zone(program, state, scratch, n, seat, viewer) {
            zones.insert(program.zones[n].name.clone(), json);
        }
    }
    json!({"vars": vars, "zones": zones, "lost": state.lost.has(Seat::new(seat))})
}

/// The seats that have yet to answer, where the ruleset lets everybody see it.
fn waited_for(program: &Program, state: &State) -> Option<Vec<usize>> {
    let open = state.open.as_ref()?;
    let Question::Ask(ask) = open.what else { return None };
    program.asks[ask].shown.then(|| open.seats.iter().map(Seat::index).collect())
}

/// The seats that have passed in the window that is open.
fn passes(state: &State) -> Vec<u8> {
    let Some(window) = &state.window else { return Vec::new() };
    let seats = state.board.seats;
    let before = (1..seats).map(|back| (window.holder + seats - back) % seats);
    let alive = before.filter(|seat| !state.lost.has(Seat::new(*seat)));
    let mut passed: Vec<u8> = alive.take(window.passes.into()).collect();
    passed.reverse();
    passed
}
