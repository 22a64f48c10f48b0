//! What a viewer may know, as JSON: built by naming what is shown, never by deleting from the truth.

use parlor_core::{Json, Seat, Viewer};
use serde_json::{Map, json};

use crate::program::{AttrKind, ITEM, NONE, Program, SEAT, See, Ty};
use crate::vm::board::NOBODY;
use crate::vm::eval::{Eval, Scratch};
use crate::vm::state::{Question, State};

/// A value as a viewer may know it.
#[must_use]
pub fn scalar(p: &Program, s: &State, ty: Ty, value: i64, viewer: Viewer) -> Json {
    match ty {
        Ty::Bool => json!(value != 0),
        Ty::Enum(n) => {
            let values = p.enums.get(usize::from(n)).map(|def| &def.values);
            json!(values.and_then(|values| values.get(usize::try_from(value).ok()?)))
        }
        Ty::Int | Ty::Any if value == NONE => Json::Null,
        Ty::Int | Ty::Any => json!(value),
        Ty::Seat if value >= SEAT => json!(value - SEAT),
        Ty::Seat | Ty::Ent | Ty::Thing | Ty::Item => thing(p, s, value, viewer),
    }
}

/// A seat, an entity or an item.
#[must_use]
pub fn thing(p: &Program, s: &State, value: i64, viewer: Viewer) -> Json {
    if value >= ITEM {
        return json!(item_id(value - ITEM));
    }
    if value >= SEAT {
        return json!({"seat": value - SEAT});
    }
    let Some(e) = usize::try_from(value).ok().filter(|e| *e < s.board.entities.len()) else {
        return Json::Null;
    };
    if !s.board.entities[e].known.sees(viewer) {
        return Json::Null;
    }
    json!({"id": card_id(s, e), "card": p.cards[usize::from(s.board.entities[e].def)].name})
}

/// What clients call an entity.
#[must_use]
pub fn card_id(s: &State, ent: usize) -> String {
    format!("c{}", s.board.entities[ent].handle)
}

/// What clients call an item.
#[must_use]
pub fn item_id(order: i64) -> String {
    format!("s{order}")
}

/// One card with everything that is to be seen on it.
fn card(p: &Program, s: &State, x: &mut Scratch, e: usize, viewer: Viewer) -> Json {
    let def = &p.cards[usize::from(s.board.entities[e].def)];
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(card_id(s, e)));
    map.insert("card".to_owned(), json!(def.name));
    people(p, s, e, &mut map);
    let eval = Eval::outside(p, s, NONE, NONE);
    let in_force = (0..p.keywords.len()).filter(|n| eval.has(x, e as i64, *n as u16));
    let keywords: Vec<&str> = in_force.map(|n| p.keywords[n].as_str()).collect();
    if !keywords.is_empty() {
        map.insert("keywords".to_owned(), json!(keywords));
    }
    for (n, attr) in p.attrs.iter().enumerate() {
        if (attr.layered || matches!(attr.kind, AttrKind::Kept(_)))
            && visible(attr.see, s.board.entities[e].ctrl, viewer)
        {
            let value = eval.attr(x, e as i64, n as u16);
            map.insert(attr.name.clone(), scalar(p, s, attr.ty, value, Viewer::Gallery));
        }
    }
    let counters: Map<String, Json> = p
        .counters
        .iter()
        .enumerate()
        .map(|(n, (name, _))| (name.clone(), s.board.counters[e * p.counters.len() + n]))
        .filter(|(_, n)| *n != 0)
        .map(|(name, n)| (name, json!(n)))
        .collect();
    if s.board.entities[e].down {
        map.insert("faceDown".to_owned(), json!(true));
    }
    cell(s, e, &mut map);
    if !counters.is_empty() {
        map.insert("counters".to_owned(), Json::Object(counters));
    }
    Json::Object(map)
}

/// Whose it is and who controls it, where that is not the zone's owner; who put it into a zone of the game.
fn people(p: &Program, s: &State, e: usize, map: &mut Map<String, Json>) {
    let (zone, of) = crate::vm::Board::zone_of(p, s.board.entities[e].at);
    let board = &s.board;
    let mut note = |name: &str, seat: u8| {
        if seat != NOBODY && seat != of {
            map.insert(name.to_owned(), json!(seat));
        }
    };
    note("owner", board.entities[e].owner);
    note("controller", board.entities[e].ctrl);
    if !p.zones[usize::from(zone)].per_player {
        note("by", board.entities[e].by);
    }
}

/// Where a card lies in a grid.
fn cell(s: &State, e: usize, map: &mut Map<String, Json>) {
    let cell = s.board.entities[e].cell;
    if cell != crate::vm::board::NO_CELL {
        map.insert("cell".to_owned(), json!(cell));
    }
}

/// A card that lies face down where everybody sees it: it has a name, and no face.
fn back(s: &State, e: usize) -> Json {
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(card_id(s, e)));
    map.insert("faceDown".to_owned(), json!(true));
    cell(s, e, &mut map);
    Json::Object(map)
}

fn visible(see: See, owner: u8, viewer: Viewer) -> bool {
    match see {
        See::All => true,
        See::Owner => owner != NOBODY && viewer == Viewer::Seat(Seat::new(owner)),
        See::None => false,
    }
}

fn zone(p: &Program, s: &State, x: &mut Scratch, zone: usize, owner: u8, viewer: Viewer) -> Option<Json> {
    let def = &p.zones[zone];
    let instance = usize::from(def.base) + if def.per_player { usize::from(owner) } else { 0 };
    let cards = &s.board.zones[instance];
    let mut map = Map::new();
    if visible(def.count, owner, viewer) || visible(def.see, owner, viewer) {
        map.insert("count".to_owned(), json!(cards.len()));
    }
    let knows = |ent: &u16| s.board.entities[usize::from(*ent)].known.sees(viewer);
    let sees = visible(def.see, owner, viewer);
    let is_back = |ent: &u16| sees && s.board.entities[usize::from(*ent)].down && !knows(ent);
    if def.ordered && visible(def.places, owner, viewer) {
        let list = cards.iter().map(|ent| match ent {
            ent if knows(ent) => card(p, s, x, (*ent).into(), viewer),
            ent if is_back(ent) => back(s, (*ent).into()),
            _ => Json::Null,
        });
        map.insert("cards".to_owned(), Json::Array(list.collect()));
    } else {
        let mut known: Vec<u16> = cards.iter().copied().filter(knows).collect();
        known.sort_by_key(|ent| {
            (s.board.entities[usize::from(*ent)].def, s.board.entities[usize::from(*ent)].handle)
        });
        let mut backs: Vec<u16> = cards.iter().copied().filter(is_back).collect();
        backs.sort_by_key(|ent| s.board.entities[usize::from(*ent)].handle);
        if !known.is_empty() || sees {
            let mut list: Vec<Json> =
                known.into_iter().map(|ent| card(p, s, x, ent.into(), viewer)).collect();
            list.extend(backs.into_iter().map(|ent| back(s, ent.into())));
            map.insert("cards".to_owned(), Json::Array(list));
        }
    }
    (!map.is_empty()).then_some(Json::Object(map))
}

/// Everything one viewer may know.
#[must_use]
pub fn seen(p: &Program, s: &State, viewer: Viewer) -> Json {
    let mut x = Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
    let board = &s.board;
    let mut view = Map::new();
    view.insert("you".to_owned(), json!(viewer.seat()));
    if !p.steps.is_empty() {
        let name = |n: u16, v: u16| p.enums[usize::from(n)].values.get(usize::from(v)).cloned();
        view.insert(
            "turn".to_owned(),
            json!({
                "phase": name(crate::program::PHASES, board.phase),
                "step": name(crate::program::STEPS, board.step),
                "activePlayer": board.active,
                "turnNumber": board.turn,
                "round": board.round,
            }),
        );
    }
    let mut vars = Map::new();
    for var in
        p.vars.iter().filter(|var| !var.per_player && !var.per_team && visible(var.see, NOBODY, viewer))
    {
        vars.insert(var.name.clone(), scalar(p, s, var.ty, board.vars[usize::from(var.base)], viewer));
    }
    view.insert("vars".to_owned(), Json::Object(vars));
    let mut zones = Map::new();
    for n in (0..p.zones.len()).filter(|n| !p.zones[*n].per_player) {
        if let Some(json) = zone(p, s, &mut x, n, NOBODY, viewer) {
            zones.insert(p.zones[n].name.clone(), json);
        }
    }
    view.insert("zones".to_owned(), Json::Object(zones));
    let players = (0..board.seats).map(|seat| player(p, s, &mut x, seat, viewer)).collect();
    view.insert("players".to_owned(), Json::Array(players));
    if !p.teams.is_empty() {
        let teams = (0..p.team_names.len()).map(|team| team_json(p, s, team, viewer)).collect();
        view.insert("teams".to_owned(), Json::Array(teams));
    }
    if !p.actions.is_empty() || !s.stack.is_empty() {
        let stack = (0..s.stack.len()).map(|n| super::stack::waiting(p, s, n, viewer)).collect();
        view.insert("stack".to_owned(), Json::Array(stack));
        view.insert("priority".to_owned(), json!(s.window.as_ref().map(|window| window.holder)));
        view.insert("passes".to_owned(), json!(passes(s)));
    }
    if let Some(waited) = waited_for(p, s) {
        view.insert("waitingFor".to_owned(), json!(waited));
    }
    if let (Viewer::Seat(seat), Some(open)) = (viewer, &s.open)
        && let Question::Ask(ask) = open.what
    {
        let def = &p.asks[usize::from(ask)];
        if s.touched[usize::from(def.answer)].has(seat) {
            let row = usize::from(def.answer) * usize::from(board.seats) + seat.index();
            let said: Vec<Json> =
                s.answers[row].iter().map(|value| answer_json(p, s, def, *value, viewer)).collect();
            let sealed = s.sealed[usize::from(def.answer)].has(seat);
            view.insert("answer".to_owned(), json!({"ask": def.id, "said": said, "sealed": sealed}));
        }
    }
    if let (Viewer::Seat(seat), true) = (viewer, crate::vm::auto::has_priority(p)) {
        view.insert("passUntil".to_owned(), crate::vm::auto::shown(p, s, seat));
    }
    view.insert("over".to_owned(), json!(s.over.is_some()));
    Json::Object(view)
}

fn answer_json(p: &Program, s: &State, def: &crate::program::AskDef, value: i64, viewer: Viewer) -> Json {
    use crate::program::AskKind;
    match def.kind {
        AskKind::Pick | AskKind::Slots(_) | AskKind::Order => match def.ty {
            Ty::Int | Ty::Bool | Ty::Enum(_) => scalar(p, s, def.ty, value, viewer),
            _ => thing(p, s, value, viewer),
        },
        _ => json!(value),
    }
}

fn team_json(p: &Program, s: &State, team: usize, viewer: Viewer) -> Json {
    let of = |seat: &u8| p.teams.get(usize::from(*seat)).is_some_and(|other| usize::from(*other) == team);
    let seats: Vec<u8> = (0..s.board.seats).filter(of).collect();
    let inside = viewer.seat().is_some_and(|seat| seats.contains(&(seat.index() as u8)));
    let shown = |see: See| see == See::All || (see == See::Owner && inside);
    let mut vars = Map::new();
    for var in p.vars.iter().filter(|var| var.per_team && shown(var.see)) {
        let value = s.board.vars[usize::from(var.base) + team];
        vars.insert(var.name.clone(), scalar(p, s, var.ty, value, viewer));
    }
    json!({"name": p.team_names[team], "seats": seats, "vars": vars})
}

fn player(p: &Program, s: &State, x: &mut Scratch, seat: u8, viewer: Viewer) -> Json {
    let mut vars = Map::new();
    for var in p.vars.iter().filter(|var| var.per_player && visible(var.see, seat, viewer)) {
        let value = s.board.vars[usize::from(var.base) + usize::from(seat)];
        vars.insert(var.name.clone(), scalar(p, s, var.ty, value, viewer));
    }
    let mut zones = Map::new();
    for n in (0..p.zones.len()).filter(|n| p.zones[*n].per_player) {
        if let Some(json) = zone(p, s, x, n, seat, viewer) {
            zones.insert(p.zones[n].name.clone(), json);
        }
    }
    json!({"vars": vars, "zones": zones, "lost": s.lost.has(Seat::new(seat))})
}

/// The seats that have yet to answer, where the ruleset lets everybody see it.
fn waited_for(p: &Program, s: &State) -> Option<Vec<usize>> {
    let open = s.open.as_ref()?;
    let Question::Ask(ask) = open.what else { return None };
    p.asks[usize::from(ask)].shown.then(|| open.seats.iter().map(Seat::index).collect())
}

/// The seats that have passed in the window that is open.
fn passes(s: &State) -> Vec<u8> {
    let Some(window) = &s.window else { return Vec::new() };
    let seats = s.board.seats;
    let before = (1..seats).map(|back| (window.holder + seats - back) % seats);
    let alive = before.filter(|seat| !s.lost.has(Seat::new(*seat)));
    let mut passed: Vec<u8> = alive.take(window.passes.into()).collect();
    passed.reverse();
    passed
}
