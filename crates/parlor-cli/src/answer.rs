//! Parses one typed line as an answer: numbers, titles, actions, or plain JSON.
//!
//! Titles that are not among the choices are passed on: the rules refuse them and list everything that is wrong.

use parlor_core::selector::Form;
use parlor_core::{Choice, Json, Selector};
use serde_json::json;

use crate::shell::json_arg;

/// How to type an answer; shown for `?`.
pub(crate) const HELP: &str = "  2            the second choice
  1 3          two choices at once
  2.1 2.3      choices inside the second choice
  b3           a choice by its title; `b3, c1` picks two, `cast > fire` picks one inside another
  \"q\"          a title that looks like a number or a command
  -            pick nothing
  !NAME        an action, where the request allows one
  = JSON       send this JSON as the whole answer
";

/// The answer that a line stands for.
///
/// # Errors
/// Why the line cannot be parsed, as text for the player.
pub(crate) fn parse(line: &str, selector: &Selector) -> Result<Json, String> {
    if let Some(raw) = line.strip_prefix('=') {
        return json_arg(raw);
    }
    let selection = match (selector.form, line.strip_prefix('!')) {
        (Form::Action, _) => json_arg(line).unwrap_or_else(|_| Json::String(line.to_owned())),
        (Form::Select, Some(name)) => json!({"action": name.trim()}),
        (Form::Select, None) if line == "-" => json!([]),
        (Form::Select, None) => to_json(&picks(line, &selector.choices)?, &selector.choices),
    };
    Ok(json!({"title": selector.title, "selection": selection}))
}

/// A choice of the list, or a title that is not on it, with the picks inside it.
#[derive(PartialEq, Debug)]
struct Pick {
    what: What,
    inner: Vec<Pick>,
}

#[derive(Clone, PartialEq, Debug)]
enum What {
    Place(usize),
    Unknown(String),
}

fn picks(line: &str, choices: &[Choice]) -> Result<Vec<Pick>, String> {
    let mut picks = Vec::new();
    if let Some(place) = named(line, choices).filter(|_| !is_number(line)) {
        picks.push(Pick { what: What::Place(place), inner: Vec::new() });
        return Ok(picks);
    }
    let tokens = || line.split([',', ' ', '\t']).filter(|token| !token.is_empty());
    if tokens().all(is_number) {
        for token in tokens() {
            add(&mut picks, &token.split('.').collect::<Vec<_>>(), choices)?;
        }
    } else {
        for item in line.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            add(&mut picks, &item.split('>').map(str::trim).collect::<Vec<_>>(), choices)?;
        }
    }
    Ok(picks)
}

/// Whether this is a number such as `3` or `3.1.2`.
fn is_number(token: &str) -> bool {
    token.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Adds one pick; a second path into the same choice joins the first.
fn add(picks: &mut Vec<Pick>, path: &[&str], choices: &[Choice]) -> Result<(), String> {
    let Some((first, rest)) = path.split_first() else { return Ok(()) };
    let what = place(first, choices)?;
    let at = picks.iter().position(|pick| pick.what == what).unwrap_or_else(|| {
        picks.push(Pick { what: what.clone(), inner: Vec::new() });
        picks.len() - 1
    });
    let inside = match &what {
        What::Place(n) => choices[*n].choices.as_slice(),
        What::Unknown(_) => &[],
    };
    add(&mut picks[at].inner, rest, inside)
}

/// A number is a position in the list, anything else a title.
fn place(token: &str, choices: &[Choice]) -> Result<What, String> {
    if is_number(token) {
        let place = token.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < choices.len());
        return place.map(What::Place).ok_or_else(|| match choices.len() {
            0 => format!("there is no choice {token}: nothing can be picked there"),
            most => format!("there is no choice {token}: choices are numbered from 1 to {most}"),
        });
    }
    let title = token.strip_prefix('"').and_then(|token| token.strip_suffix('"')).unwrap_or(token);
    Ok(named(title, choices).map_or_else(|| What::Unknown(title.to_owned()), What::Place))
}

/// The choice with this title or id; failing that, the only one whose title begins with the text.
fn named(text: &str, choices: &[Choice]) -> Option<usize> {
    let exact = |choice: &Choice| choice.title == text || choice.id.as_deref() == Some(text);
    let text_lower = text.to_lowercase();
    let alike = |choice: &Choice| choice.title.to_lowercase() == text_lower;
    let begins = |choice: &Choice| choice.title.to_lowercase().starts_with(&text_lower);
    let only = || choices.iter().filter(|choice| begins(choice)).count() == 1 && !text.is_empty();
    choices
        .iter()
        .position(exact)
        .or_else(|| choices.iter().position(alike))
        .or_else(|| only().then(|| choices.iter().position(begins)).flatten())
}

fn to_json(picks: &[Pick], choices: &[Choice]) -> Json {
    picks.iter().map(|pick| one_to_json(pick, choices)).collect()
}

fn one_to_json(pick: &Pick, choices: &[Choice]) -> Json {
    let choice = match &pick.what {
        What::Place(n) => choices[*n].clone(),
        What::Unknown(title) => Choice::new(title.clone()),
    };
    if choice.id.is_none() && pick.inner.is_empty() {
        return Json::String(choice.title);
    }
    let mut item = json!({"title": choice.title});
    if let Some(id) = &choice.id {
        item["id"] = Json::String(id.clone());
    }
    if !pick.inner.is_empty() {
        item["selection"] = to_json(&pick.inner, &choice.choices);
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(line: &str) -> Json {
        let selector = Selector::pick(
            "Act",
            vec![
                Choice::new("Draw").id("d1"),
                Choice::new("Cast").nest(vec!["fire".into(), "ice".into(), "7".into()], 1, 2),
                Choice::new("Call, then raise"),
                Choice::new("q"),
            ],
        );
        parse(line, &selector).map_or_else(Json::String, |answer| answer["selection"].clone())
    }

    #[test]
    fn a_choice_is_picked_by_its_number_title_id_or_beginning() {
        let draw = json!([{"title": "Draw", "id": "d1"}]);
        for line in ["1", "Draw", "draw", "d1", "dr"] {
            assert_eq!(selection(line), draw, "{line}");
        }
        assert_eq!(selection("call, then raise"), json!(["Call, then raise"]));
    }

    #[test]
    fn choices_inside_a_choice_are_picked_by_path_and_gathered_under_it() {
        assert_eq!(selection("2.2 2.1"), json!([{"title": "Cast", "selection": ["ice", "fire"]}]));
        assert_eq!(
            selection("cast > fire, cast > \"7\""),
            json!([{"title": "Cast", "selection": ["fire", "7"]}])
        );
        assert_eq!(selection("2.3, 4"), json!([{"title": "Cast", "selection": ["7"]}, "q"]));
    }

    #[test]
    fn a_number_that_is_not_there_is_named_and_an_unknown_title_is_left_to_the_rules() {
        assert_eq!(selection("5"), json!("there is no choice 5: choices are numbered from 1 to 4"));
        assert_eq!(selection("1.1"), json!("there is no choice 1: nothing can be picked there"));
        assert_eq!(selection("fold, 4"), json!(["fold", "q"]));
    }

    #[test]
    fn nothing_an_action_and_json_have_spellings_of_their_own() {
        assert_eq!(selection("-"), json!([]));
        assert_eq!(selection("!click"), json!({"action": "click"}));
        assert_eq!(parse("= {\"bet\": 20}", &Selector::default()), Ok(json!({"bet": 20})));
        assert_eq!(
            parse("hello there", &Selector::action("Speak")),
            Ok(json!({"title": "Speak", "selection": "hello there"}))
        );
    }
}
