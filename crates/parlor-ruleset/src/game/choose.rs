//! Choices that an operation waits for, as selectors.

use parlor_core::{Choice, Seat, Selector, Viewer};
use serde_json::json;

use super::request::{Meaning, Posed};
use crate::machine::ids::EntityId;
use crate::machine::program::Program;
use crate::machine::requests::choose::Kind;
use crate::machine::state::State;

/// What a seat is asked.
pub(super) fn posed(program: &Program, state: &State, seat: Seat) -> Posed {
    let Some(choice) = &state.choice else {
        return Posed { selector: Selector::action("Nothing is asked"), meanings: Vec::new() };
    };
    let event = program.events.get(choice.ev.ty.index()).map_or("this", |def| def.name.as_str());
    let named = |(id, source): &(u16, EntityId)| {
        let rule = match choice.kind {
            Kind::Order => program.triggers[usize::from(*id)].id.as_str(),
            Kind::May | Kind::Next => program.replaces[usize::from(*id)].id.as_str(),
        };
        // Two cards of a name are told apart by their ids; a card that he cannot see has no name.
        match state.board.entities.get(source.index()).filter(|card| card.known.sees(Viewer::Seat(seat))) {
            Some(card) => {
                let title = &program.cards[card.def].title;
                format!("{title}: {rule} ({})", super::view::card_id(state, *source))
            }
            None => rule.to_owned(),
        }
    };
    let mut selector = match choice.kind {
        Kind::May => {
            let asked = choice
                .options
                .first()
                .and_then(|(id, _)| program.replaces[usize::from(*id)].optional.as_ref());
            Selector::yes_no(asked.cloned().unwrap_or_else(|| format!("Replace {event}?")))
        }
        Kind::Next => {
            let title = format!("Which comes first for {event}?");
            Selector::pick(title, numbered(choice.options.iter().map(named)))
        }
        Kind::Order => {
            let title = "In which order do these resolve?";
            Selector::pick(title, numbered(choice.options.iter().map(named)))
                .count(choice.options.len() as u16)
        }
    };
    let kind = match choice.kind {
        Kind::May => "confirm",
        Kind::Next => "mode_pick",
        Kind::Order => "order_select",
    };
    selector.no_auto_respond = true;
    selector.meta = Some(json!({"kind": kind, "event": event}));
    let meanings = choice.values().into_iter().map(Meaning::Value).collect();
    Posed { selector, meanings }
}

/// Choices with a number each as their id: the same rule may be there twice.
fn numbered(titles: impl Iterator<Item = String>) -> Vec<Choice> {
    titles.enumerate().map(|(n, title)| Choice::new(title).id(format!("r{n}"))).collect()
}
