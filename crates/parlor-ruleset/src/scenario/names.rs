//! The names in scenarios, looked at before anything is played: `parlor ruleset check` finds what is misspelt in them.

use parlor_core::Json;

use super::chance::Script;
use super::given::{card as given_card, each_value, kind, scalar};
use super::shape::{self, only, unknown};
use super::then::nth;
use super::{Wrong, without_comments};
use crate::language::{Elsewhere, Finding, Level, pointer, syntax as reader};
use crate::machine::program::{Program, STEPS, Spread};

/// What a file of scenarios has beside a ruleset's own sections.
const FILE: &[&str] = &["ruleset", "name", "about", "$schema", "tests"];

/// What is wrong with the scenarios of a ruleset before they are played: in its own text, or in a file beside it.
#[must_use]
pub fn findings(program: &Program, text: &str, beside: Option<&str>) -> Vec<Finding> {
    let root = match reader::read(text) {
        Ok(root) => root,
        Err(finding) => return vec![elsewhere(finding, text, beside)],
    };
    let whole = root.plain();
    let mut wrong = Vec::new();
    if beside.is_some() {
        wrong.extend(of_another(program, &whole));
        wrong.extend(only(&without_comments(&whole), FILE).err());
    }
    match &whole["tests"] {
        Json::Null => {}
        Json::Array(tests) => {
            for (n, test) in tests.iter().enumerate() {
                let all = check(program, &without_comments(test));
                wrong.extend(all.into_iter().map(|wrong| wrong.inside(n).inside("tests")));
            }
        }
        _ => wrong.push(Wrong::new("a list of scenarios is expected here").inside("tests")),
    }
    let finding = |wrong: Wrong| {
        // Players read it in one line; here what to do has a line of its own.
        let (message, help) = match wrong.what.rsplit_once("; ") {
            Some((message, help)) => (message.to_owned(), Some(help.to_owned())),
            None => (wrong.what, wrong.expected.map(|expected| format!("it is {expected}"))),
        };
        Finding {
            level: Level::Error,
            code: "scenario",
            at: pointer::at(&root, &wrong.pointer),
            pointer: wrong.pointer,
            message,
            help,
            elsewhere: None,
        }
    };
    wrong.into_iter().map(|wrong| elsewhere(finding(wrong), text, beside)).collect()
}

fn elsewhere(mut finding: Finding, text: &str, beside: Option<&str>) -> Finding {
    let (line, column) = finding.place(text);
    finding.elsewhere = beside.map(|file| Box::new(Elsewhere { file: file.to_owned(), line, column }));
    finding
}

/// A file of scenarios that names another ruleset is not meant for this one.
#[must_use]
pub fn of_another(program: &Program, file: &Json) -> Option<Wrong> {
    let named = file["ruleset"].as_str().filter(|named| *named != program.id)?;
    Some(
        Wrong::new(format!("these are scenarios of {named}, and the ruleset is {}", program.id))
            .inside("ruleset"),
    )
}

/// Everything in a scenario that cannot be, whatever is played.
pub(super) fn check(program: &Program, scenario: &Json) -> Vec<Wrong> {
    if let Err(wrong) = shape::check(scenario) {
        return vec![wrong];
    }
    let mut all = Vec::new();
    for part in ["given", "then"] {
        let mut inner = Vec::new();
        each(&scenario[part]["zones"], "zones", &mut inner, |name, lists| zone(program, name, lists));
        each(&scenario[part]["vars"], "vars", &mut inner, |name, values| variable(program, name, values));
        each(&scenario[part]["cards"], "cards", &mut inner, |name, wanted| card(program, name, wanted));
        let steps = &program.enums[STEPS].values;
        if let Some(step) = scenario[part]["step"].as_str().filter(|step| !steps.iter().any(|s| s == step)) {
            inner.push(unknown("step", step, steps.iter().map(String::as_str)).inside("step"));
        }
        all.extend(inner.into_iter().map(|wrong| wrong.inside(part)));
    }
    all.extend(Script::read(program, &scenario["chance"]).err());
    let lines = scenario["script"].as_array().map_or(&[][..], Vec::as_slice).iter().enumerate();
    // What is to be refused may be anything.
    for (n, line) in lines.filter(|(_, line)| line.get("refused").is_none()) {
        all.extend(action(program, line).into_iter().map(|wrong| wrong.inside(n).inside("script")));
    }
    all
}

fn each(map: &Json, section: &str, out: &mut Vec<Wrong>, look: impl Fn(&str, &Json) -> Result<(), Wrong>) {
    for (name, value) in map.as_object().into_iter().flatten() {
        out.extend(look(name, value).err().map(|wrong| wrong.inside(name).inside(section)));
    }
}

fn zone(program: &Program, name: &str, lists: &Json) -> Result<(), Wrong> {
    let Some(def) = program.zones.iter().find(|zone| zone.name == name) else {
        return Err(unknown("zone", name, program.zones.iter().map(|zone| zone.name.as_str())));
    };
    let cards = |list: &Json| -> Result<(), Wrong> {
        let Some(list) = list.as_array() else { return Err(Wrong::new("a list of cards is expected here")) };
        list.iter()
            .enumerate()
            .try_for_each(|(n, card)| given_card(program, card).map(drop).map_err(|wrong| wrong.inside(n)))
    };
    if !def.per_player {
        return cards(lists);
    }
    let Some(lists) = lists.as_array() else {
        return Err(Wrong::new("each player has one of these: a list with an entry for each seat"));
    };
    lists.iter().enumerate().try_for_each(|(seat, list)| cards(list).map_err(|wrong| wrong.inside(seat)))
}

fn variable(program: &Program, name: &str, values: &Json) -> Result<(), Wrong> {
    let Some(def) = program.vars.iter().find(|var| var.name == name) else {
        return Err(unknown("variable", name, program.vars.iter().map(|var| var.name.as_str())));
    };
    // Things have no value that could be written down before there are any.
    let fits = |value: &Json| match def.ty {
        crate::machine::program::Ty::Ent | crate::machine::program::Ty::Item => Ok(()),
        ty => scalar(program, ty, value).map(drop),
    };
    if let Some(per) = def.per {
        return each_value(program, per, values, |_, value| fits(value));
    }
    if !def.per_player && !def.per_team {
        return fits(values);
    }
    let Some(list) = values.as_array() else {
        return Err(Wrong::new("each player has one of these: a list with an entry for each seat"));
    };
    list.iter().enumerate().try_for_each(|(seat, value)| fits(value).map_err(|wrong| wrong.inside(seat)))
}

fn card(program: &Program, name: &str, wanted: &Json) -> Result<(), Wrong> {
    kind(program, &Json::String(nth(program, name).0.to_owned()))?;
    let known = || {
        program
            .attrs
            .iter()
            .map(|attr| attr.name.as_str())
            .chain(program.counters.iter().map(|(name, _)| name.as_str()))
    };
    for field in wanted.as_object().into_iter().flatten().map(|(field, _)| field) {
        if !known().any(|other| other == field) {
            return Err(unknown("attribute or counter", field, known()).inside(field));
        }
    }
    Ok(())
}

/// An action by its name, and the names of its targets.
fn action(program: &Program, line: &Json) -> Option<Wrong> {
    if let Some(seat) = line["seat"].as_u64().filter(|seat| *seat >= u64::from(program.seats.1)) {
        return Some(
            Wrong::new(format!("there is no such seat: {seat}, and they are 0 to {}", program.seats.1 - 1))
                .inside("seat"),
        );
    }
    let name = line["act"].as_str().filter(|name| *name != "pass")?;
    let Some(def) = program.actions.iter().find(|action| action.id == name) else {
        return Some(
            unknown("action", name, program.actions.iter().map(|action| action.id.as_str())).inside("act"),
        );
    };
    let mut known: Vec<&str> = def.targets.iter().map(|target| target.name.as_str()).collect();
    match def.spread {
        Spread::None => {}
        Spread::Card => {
            known.push("mode");
            let modes = program.cards.iter().flat_map(|card| &card.modes).flat_map(|mode| &mode.targets);
            let cards = program.cards.iter().flat_map(|card| &card.targets);
            known.extend(cards.chain(modes).map(|target| target.name.as_str()));
        }
        Spread::Ability => {
            known.push("ability");
            let targets = program.abilities.iter().flat_map(|ability| &ability.targets);
            known.extend(targets.map(|target| target.name.as_str()));
        }
    }
    known.sort_unstable();
    known.dedup();
    only(&line["targets"], &known).err().map(|wrong| wrong.inside("targets"))
}
