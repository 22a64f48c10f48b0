//! Questions as selectors: what a seat is asked, what it may choose, and why the rest cannot be had.

use parlor_core::{Choice, Json, Seat, Selector, Viewer};
use serde_json::{Map, json};

use super::price::{price, text};
use super::reasons::{Weighed, Why};
use super::view::{card_id, item_id};
use crate::limits::{OPS_PER_LOOK_MAX, OPS_PER_WHY_MAX};
use crate::machine::eval::{Eval, Scratch};
use crate::machine::ids::ActionId;
use crate::machine::program::{AskDef, AskKind, NONE, Program, Ty};
use crate::machine::requests::Asked;
use crate::machine::stack::window::{Acting, Spec};
use crate::machine::state::{Question, State};
use crate::machine::value::{Value, seat_number, seat_value};

/// The choice that passes.
pub(crate) const PASS: &str = "Pass";
/// The choice that gives an action up.
pub(super) const CANCEL: &str = "Cancel";

/// A question to a seat with its choices and their meanings.
#[derive(PartialEq)]
pub(crate) struct Posed {
    /// The description.
    pub selector: Selector,
    /// What each choice means.
    pub meanings: Vec<Meaning>,
}

/// What a choice means.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Meaning {
    /// A value.
    Value(i64),
    /// An action, and the values of its nested choices.
    Action(ActionId, Vec<i64>),
    /// To pass.
    Pass,
    /// To give up.
    Cancel,
}

/// For whom a question is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum For {
    /// For a client: also what cannot be had, with the reason; an id where a title is there twice.
    Client,
    /// For reading an answer: only what is legal, each with its id.
    Reading,
}

/// What a thing is called, and the id that tells it apart from others of that name.
#[must_use]
pub(crate) fn named(program: &Program, state: &State, value: i64) -> (String, String) {
    if let Value::Item(order) = Value::of(value) {
        let item = state.stack.iter().find(|item| i64::from(item.order) == order);
        let name = item.map_or("gone", |item| program.events[item.ev.ty].name.as_str());
        return (name.to_owned(), item_id(order));
    }
    if let Value::Seat(seat) = Value::of(value) {
        return (format!("Seat {seat}"), format!("p{seat}"));
    }
    match state.board.entity(value) {
        Some(e) => (program.cards[state.board.entities[e].def].title.clone(), card_id(state, e)),
        None => ("None".to_owned(), "none".to_owned()),
    }
}

/// What a value of this type is called: things by their names, anything else as it is written.
#[must_use]
pub(super) fn called(program: &Program, state: &State, ty: Ty, value: i64) -> (String, String) {
    match ty {
        Ty::Int => (value.to_string(), value.to_string()),
        Ty::Bool => (if value == 0 { "no" } else { "yes" }.to_owned(), value.to_string()),
        Ty::Enum(n) => {
            let def = &program.enums[n];
            let at = |list: &[String]| usize::try_from(value).ok().and_then(|value| list.get(value).cloned());
            let name = at(&def.values).unwrap_or_else(|| "none".to_owned());
            (at(&def.labels).unwrap_or_else(|| name.clone()), name)
        }
        Ty::Seat | Ty::Ent | Ty::Thing | Ty::Item | Ty::Any => named(program, state, value),
    }
}

/// What a client of this seat calls a thing; nothing for a card that it does not know.
fn reference(program: &Program, state: &State, value: i64, seat: Seat) -> Option<String> {
    let e = state.board.entity(value);
    let known = e.is_none_or(|e| state.board.entities[e].known.sees(Viewer::Seat(seat)));
    (known && value >= 0).then(|| named(program, state, value).1)
}

/// What a seat is asked.
#[must_use]
pub(crate) fn posed(program: &Program, state: &State, seat: Seat, whom: For) -> Posed {
    let nothing = Posed { selector: Selector::action("Nothing is asked"), meanings: Vec::new() };
    let Some(open) = &state.open else { return nothing };
    let scratch = Scratch::new(OPS_PER_LOOK_MAX);
    let mut pose = Pose { program, state, seat, whom, scratch, y: Scratch::new(OPS_PER_WHY_MAX) };
    match &open.what {
        Question::Wait(_) => nothing,
        Question::Priority => pose.priority(),
        Question::Target => pose.target(),
        Question::Choose => super::choose::posed(program, state, seat),
        Question::Ask(ask) => pose.statement(&program.asks[*ask]),
    }
}

struct Pose<'a> {
    program: &'a Program,
    state: &'a State,
    seat: Seat,
    whom: For,
    /// For what is legal.
    scratch: Scratch,
    /// For reasons: however many there are, what is legal stays the same.
    y: Scratch,
}

impl<'a> Pose<'a> {
    fn why(&self) -> Why<'a> {
        Why { program: self.program, state: self.state, seat: self.seat }
    }

    /// Choices for these things, in their order.
    fn choices(&self, weighed: &[Weighed], ty: Ty) -> Vec<Choice> {
        let name = |value: i64| {
            let (title, id) = called(self.program, self.state, ty, value);
            let thing = matches!(ty, Ty::Seat | Ty::Ent | Ty::Thing | Ty::Item | Ty::Any);
            let hidden =
                thing && value >= 0 && reference(self.program, self.state, value, self.seat).is_none();
            (if hidden { "a card".to_owned() } else { title }, id)
        };
        let names: Vec<(String, String)> = weighed.iter().map(|(value, _)| name(*value)).collect();
        let ids = self.whom == For::Reading;
        let mut titles: Vec<&str> = names.iter().map(|(title, _)| title.as_str()).collect();
        titles.sort_unstable();
        let twice = |title: &str| {
            let first = titles.partition_point(|other| *other < title);
            titles.get(first + 1) == Some(&title)
        };
        let choice = |((title, id), (_, fault)): (&(String, String), &Weighed)| {
            let mut choice = Choice::new(title.clone());
            choice.meta = Some(json!({"ref": id}));
            choice.why_not.clone_from(fault);
            if ids || twice(title) { choice.id(id.clone()) } else { choice }
        };
        names.iter().zip(weighed).map(choice).collect()
    }

    fn priority(&mut self) -> Posed {
        let acting = Acting { program: self.program, state: self.state, seat: self.seat.index() as u8 };
        let mut pass = Choice::new(PASS);
        if self.whom == For::Client {
            pass.meta = super::pass_leads::leads(self.program, self.state, self.seat)
                .map(|leads| json!({"leads": leads}));
        }
        let mut selector = Selector::pick("Act or pass", vec![pass]);
        let mut meanings = vec![Meaning::Pass];
        for (n, def) in self.program.actions.iter().enumerate() {
            let can = acting.completable(&mut self.scratch, def, &[]);
            if !can && self.whom == For::Reading {
                continue;
            }
            let legal = if can { acting.options(&mut self.scratch, def, &[]) } else { Vec::new() };
            let mut choice = Choice::new(def.name.clone()).id(def.id.clone());
            choice.meta = Some(json!({"action": def.id, "ui": def.ui}));
            let mut weighed: Vec<Weighed> = legal.iter().map(|value| (*value, None)).collect();
            if self.whom == For::Client {
                let why = self.why();
                weighed = why.targets(&mut self.y, def, &[], &legal);
                choice.why_not = if can { None } else { why.action(&mut self.y, def) };
                for (_, fault) in &mut weighed {
                    // What is wrong with all of it is said once.
                    if fault.is_some() && *fault == choice.why_not {
                        *fault = None;
                    }
                }
            }
            if !weighed.is_empty() {
                let mut nested = self.choices(&weighed, Ty::Thing);
                if self.whom == For::Client {
                    for (choice, (value, _)) in nested.iter_mut().zip(&weighed) {
                        let cost = text(&price(acting, &mut self.y, def, &[*value]));
                        if let (Some(meta), Some(cost)) = (&mut choice.meta, cost) {
                            meta["cost"] = json!(cost);
                        }
                    }
                }
                choice = choice.nest(nested, 1, 1);
            }
            selector.choices.push(choice);
            meanings.push(Meaning::Action(
                ActionId::at(n),
                weighed.into_iter().map(|(value, _)| value).collect(),
            ));
        }
        selector.allows_action = Some(json!(true));
        selector.no_auto_respond = true;
        selector.meta = Some(json!({"kind": "action"}));
        Posed { selector, meanings }
    }

    fn target(&mut self) -> Posed {
        let Some(announce) = &self.state.announce else {
            return Posed { selector: Selector::action("Nothing is asked"), meanings: Vec::new() };
        };
        let acting = Acting { program: self.program, state: self.state, seat: announce.seat };
        let def = &self.program.actions[announce.action];
        let legal = acting.options(&mut self.scratch, def, &announce.targets);
        let mut weighed: Vec<Weighed> = legal.iter().map(|value| (*value, None)).collect();
        if self.whom == For::Client {
            weighed = self.why().targets(&mut self.y, def, &announce.targets, &legal);
        }
        let (title, kind, mut list) = match acting.spec(def, &announce.targets) {
            Spec::Named(names, what) => {
                let list = weighed.iter().map(|(n, fault)| {
                    let name = names.iter().find(|(other, _)| other == n).map_or("?", |(_, name)| name);
                    let mut choice = Choice::new(name);
                    choice.meta = Some(json!({&what: name}));
                    choice.why_not.clone_from(fault);
                    choice
                });
                (format!("{}: choose the {what}", def.name), "mode_pick", list.collect())
            }
            Spec::From(target, _) => {
                let title = match target.prompt.as_str() {
                    "" => format!("{}: choose the {}", def.name, target.name),
                    prompt => prompt.to_owned(),
                };
                let kind = if target.price { "pay_cost" } else { "target_select" };
                let ty = if target.number { Ty::Int } else { Ty::Thing };
                (title, kind, self.choices(&weighed, ty))
            }
            Spec::Done => (def.name.clone(), "target_select", Vec::new()),
        };
        let mut meanings: Vec<Meaning> =
            weighed.into_iter().map(|(value, _)| Meaning::Value(value)).collect();
        list.push(Choice::new(CANCEL).exclusive());
        meanings.push(Meaning::Cancel);
        let mut selector = Selector::pick(title, list);
        selector.no_auto_respond = true;
        let mut meta = json!({"kind": kind, "action": def.id, "actionName": def.name});
        self.so_far(acting, def, &announce.targets, &mut meta);
        selector.meta = Some(meta);
        Posed { selector, meanings }
    }

    /// What was chosen so far, with the names of the targets; where the action starts from.
    fn so_far(
        &self,
        acting: Acting<'_>,
        def: &crate::machine::program::ActionDef,
        targets: &[i64],
        meta: &mut Json,
    ) {
        let (mut chosen, mut names) = (Vec::new(), Vec::new());
        for (n, value) in targets.iter().enumerate() {
            match acting.spec(def, &targets[..n]) {
                Spec::From(target, _) => {
                    let thing = || reference(self.program, self.state, *value, self.seat);
                    chosen.push(if target.number { json!(value.to_string()) } else { json!(thing()) });
                    names.push(target.name.clone());
                }
                Spec::Named(list, what) => {
                    let found = list.into_iter().find(|(other, _)| other == value).map(|(_, name)| name);
                    meta[&what] = json!(found);
                }
                Spec::Done => {}
            }
        }
        if let Spec::From(target, _) = acting.spec(def, targets) {
            names.push(target.name.clone());
        }
        meta["source"] = chosen.first().cloned().unwrap_or(Json::Null);
        meta["chosen"] = Json::Array(chosen);
        meta["names"] = json!(names);
    }

    fn statement(&mut self, def: &AskDef) -> Posed {
        let asked = Asked { program: self.program, state: self.state, seat: self.seat };
        let mut options = Vec::new();
        asked.options(&mut self.scratch, def, &mut options);
        let (min, max) = asked.bounds(&mut self.scratch, def, options.len());
        let mut weighed: Vec<Weighed> = options.iter().map(|value| (*value, None)).collect();
        // Where all that is legal must be picked the house may answer by itself: then nothing else is listed.
        let forced = def.auto && min >= options.len();
        if let (For::Client, AskKind::Pick, Some(from), false) = (self.whom, def.kind, def.from, forced) {
            self.y.its[usize::from(def.asked)] = seat_value(self.seat.index());
            weighed = self.why().picks(&mut self.y, from, &options);
        }
        let prompt = self.prompt(def);
        let mut meta = Map::new();
        let mut selector = match def.kind {
            AskKind::Confirm => Selector::yes_no(prompt.clone()),
            AskKind::Mode => {
                let mode = |name: &String| {
                    let mut choice = Choice::new(name.clone());
                    choice.meta = Some(json!({"mode": name}));
                    choice
                };
                Selector::pick(prompt.clone(), def.modes.iter().map(mode).collect())
            }
            AskKind::Number => {
                meta.insert("min".to_owned(), json!(options.first()));
                meta.insert("max".to_owned(), json!(options.last()));
                if asked.wide(&mut self.scratch, def).is_some() {
                    weighed.clear();
                    options.clear();
                }
                let choices: Vec<Choice> = options.iter().map(|n| Choice::new(n.to_string())).collect();
                let wide = choices.is_empty() && meta["min"] != meta["max"];
                if wide { Selector::action(prompt.clone()) } else { Selector::pick(prompt.clone(), choices) }
            }
            AskKind::Slots(_) | AskKind::Distribute => {
                let option = |value: &i64| {
                    let (title, id) = named(self.program, self.state, *value);
                    json!({"id": id, "ref": id, "title": title})
                };
                meta.insert("options".to_owned(), options.iter().map(option).collect());
                match def.kind {
                    AskKind::Slots(n) => meta.insert("slots".to_owned(), json!(n)),
                    _ => meta.insert("sum".to_owned(), json!(asked.sum(&mut self.scratch, def))),
                };
                Selector::action(prompt.clone())
            }
            AskKind::Pick | AskKind::Order => {
                let selector = Selector::pick(prompt.clone(), self.choices(&weighed, def.ty));
                match (min, max) {
                    (1, 1) => selector,
                    (min, max) if min == max => selector.count(min as u16),
                    (min, max) => selector.between(min as u16, max as u16),
                }
            }
        };
        meta.insert("kind".to_owned(), json!(kind_word(def.kind)));
        meta.insert("ask".to_owned(), json!(def.id));
        self.origin(&mut meta);
        selector.meta = Some(Json::Object(meta));
        selector.no_auto_respond = !def.auto;
        let meanings = weighed.into_iter().map(|(value, _)| Meaning::Value(value)).collect();
        Posed { selector, meanings }
    }

    /// The prompt with its holes filled.
    fn prompt(&mut self, def: &AskDef) -> String {
        let mut prompt = def.prompt.clone();
        for hole in &def.holes {
            self.scratch.its[usize::from(def.asked)] = seat_value(self.seat.index());
            let value = Eval::of(self.program, self.state).value(&mut self.scratch, hole.value);
            let text = match hole.ty {
                _ if value == NONE => "nobody".to_owned(),
                Ty::Seat | Ty::Thing | Ty::Any if State::seat(value).is_some() => {
                    format!("Player {}", seat_number(value))
                }
                Ty::Seat | Ty::Ent | Ty::Thing | Ty::Item | Ty::Any
                    if reference(self.program, self.state, value, self.seat).is_none() =>
                {
                    "a card".to_owned()
                }
                ty => called(self.program, self.state, ty, value).0,
            };
            prompt = prompt.replace(&format!("{{{}}}", hole.name), &text);
        }
        prompt
    }

    /// The card that asks, and the event that made it ask.
    fn origin(&self, meta: &mut Map<String, Json>) {
        let Some(frame) = self.state.frames.last() else { return };
        if let Some(source) = reference(self.program, self.state, frame.this, self.seat) {
            meta.insert("source".to_owned(), json!(source));
        }
        if frame.ev.id != 0 {
            meta.insert("event".to_owned(), json!(frame.ev.id));
        }
    }
}

/// The document's word for a kind of question.
fn kind_word(kind: AskKind) -> &'static str {
    match kind {
        AskKind::Pick => "target_select",
        AskKind::Order => "order_select",
        AskKind::Mode => "mode_pick",
        AskKind::Confirm => "confirm",
        AskKind::Number => "number",
        AskKind::Slots(_) => "slots",
        AskKind::Distribute => "distribute",
    }
}
