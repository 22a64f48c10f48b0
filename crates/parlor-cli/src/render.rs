//! Renders views, events, records and requests as text. It knows no game: it goes by the shape of the JSON.

use parlor_core::selector::Bounds;
use parlor_core::{Body, Choice, Header, Json, Record, Seats, Selector, Viewer};

/// The longest value that is printed on one line, in characters.
const LINE_CHARS: usize = 88;

/// Fields of these names are drawn as a square if they hold n × n characters.
const BOARDS: [&str; 2] = ["board", "grid"];

// ---- views ----

/// A view, one line for each field.
pub(crate) fn view(view: &Json, indent: &str) -> String {
    lines("", view).iter().map(|line| format!("{indent}{line}\n")).collect()
}

fn lines(name: &str, value: &Json) -> Vec<String> {
    match value {
        Json::String(text) if BOARDS.contains(&name) => square(text).unwrap_or_else(|| vec![scalar(value)]),
        Json::Object(map) if name.is_empty() || !fits(value) => {
            table(map.iter().map(|(k, v)| (k.clone(), v)))
        }
        Json::Array(items) if !fits(value) => {
            table(items.iter().enumerate().map(|(n, v)| (n.to_string(), v)))
        }
        _ => vec![inline(value)],
    }
}

/// Names in one column, values in the next.
fn table<'a>(rows: impl Iterator<Item = (String, &'a Json)>) -> Vec<String> {
    let rows: Vec<(String, &Json)> = rows.collect();
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = Vec::new();
    for (name, value) in rows {
        for (n, line) in lines(&name, value).into_iter().enumerate() {
            let label = if n == 0 { name.as_str() } else { "" };
            text.push(format!("{label:width$}  {line}"));
        }
    }
    text
}

/// A board of n × n characters, row by row; `None` if the text is not a square.
fn square(text: &str) -> Option<Vec<String>> {
    let cells: Vec<String> = text.chars().map(String::from).collect();
    let side = cells.len().isqrt();
    (side >= 2 && side * side == cells.len()).then(|| cells.chunks(side).map(|row| row.join(" ")).collect())
}

/// Whether a value fits on one line: short, and at most one level deep.
fn fits(value: &Json) -> bool {
    let plain = |value: &Json| !value.is_object() && !value.is_array();
    let shallow = match value {
        Json::Array(items) => items.iter().all(plain),
        Json::Object(map) => map.values().all(plain),
        _ => true,
    };
    shallow && inline(value).chars().count() <= LINE_CHARS
}

fn inline(value: &Json) -> String {
    match value {
        Json::Array(items) if !items.is_empty() => items.iter().map(inner).collect::<Vec<_>>().join(" "),
        Json::Object(map) if !map.is_empty() => pairs(map.iter()),
        other => scalar(other),
    }
}

/// An item of a list; in parentheses if it has parts of its own.
fn inner(item: &Json) -> String {
    if item.is_object() || item.is_array() { format!("({})", inline(item)) } else { inline(item) }
}

fn pairs<'a>(pairs: impl Iterator<Item = (&'a String, &'a Json)>) -> String {
    pairs.map(|(name, value)| format!("{name} {}", inline(value))).collect::<Vec<_>>().join(", ")
}

fn scalar(value: &Json) -> String {
    match value {
        Json::String(text) if !text.is_empty() => text.clone(),
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        Json::Number(number) => number.to_string(),
        _ => "-".to_owned(),
    }
}

// ---- events and records ----

/// An event: the seat, the type, and the other fields. A seat without a name is shown by its number.
pub(crate) fn event(event: &Json, names: &[String]) -> String {
    let Json::Object(map) = event else { return inline(event) };
    let what = map.get("type").and_then(Json::as_str);
    let seat = map.get("seat").and_then(Json::as_u64);
    let who = seat.map(|seat| {
        names.get(seat as usize).filter(|name| !name.is_empty()).cloned().unwrap_or(format!("seat {seat}"))
    });
    let told = |name: &str| (name == "type" && what.is_some()) || (name == "seat" && who.is_some());
    let rest = pairs(map.iter().filter(|(name, _)| !told(name)));
    let what = [what.unwrap_or_default().to_owned(), rest];
    let what = what.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    who.into_iter().chain([what]).collect::<Vec<_>>().join(": ")
}

/// Who received an event.
pub(crate) fn audience(to: Seats) -> String {
    let seats = to.iter().map(|seat| format!("seat {seat}"));
    let gallery = to.sees(Viewer::Gallery).then(|| "gallery".to_owned());
    seats.chain(gallery).collect::<Vec<_>>().join(", ")
}

/// The header of a match in one line.
pub(crate) fn heading(header: &Header) -> String {
    let Header { game, rules, seats, match_no, settings, .. } = header;
    let settings =
        if settings.is_empty() { String::new() } else { format!(", settings {}", settings.json()) };
    format!("{game}, rules {rules}, {seats} seats, match {match_no}{settings}\n")
}

/// A record: when, by whom, and what happened.
pub(crate) fn record(record: &Record) -> String {
    let Record { at, by, body, .. } = record;
    let by = serde_json::to_value(by).map(|by| scalar(&by)).unwrap_or_default();
    format!("at {}.{:03} s, by {by}: {}", at / 1000, at % 1000, deed(body))
}

fn deed(body: &Body) -> String {
    match body {
        Body::Answer { seat, answer, .. } => format!("seat {seat} answers {}", said(answer)),
        Body::Elapsed { seat: Some(seat), .. } => format!("time runs out for seat {seat}"),
        Body::Elapsed { seat: None, .. } => "a wait ends".to_owned(),
        Body::Undo { seat, to } => format!("seat {seat} asks to take back record {to} and all after it"),
        Body::Chat { name, text, .. } => format!("{name} says: {text}"),
        Body::Note { note } => format!("note: {}", inline(note)),
        Body::Pause { why } => format!("the table is paused: {why}"),
        Body::Resume => "the table resumes".to_owned(),
        Body::Kill { why } => format!("the match is stopped: {why}"),
        Body::Repair { how, why } => format!("an operator repairs the match ({how:?}): {why}"),
        Body::Migrate { rules, .. } => format!("the match migrates to rules {rules}"),
        Body::Visit { visit } => serde_json::to_value(visit).map(|visit| inline(&visit)).unwrap_or_default(),
    }
}

/// An answer: the request's title and the picks; as JSON if it has another shape.
fn said(answer: &Json) -> String {
    match (answer.get("title").and_then(Json::as_str), answer.get("selection")) {
        (Some(title), Some(selection)) => format!("'{title}': {}", picked(selection)),
        _ => answer.to_string(),
    }
}

fn picked(selection: &Json) -> String {
    let one = |item: &Json| match item {
        Json::Object(map) => {
            let title = map.get("title").map(scalar).unwrap_or_default();
            match map.get("selection") {
                Some(inner) => format!("{title} ({})", picked(inner)),
                None => title,
            }
        }
        other => scalar(other),
    };
    match selection {
        Json::Array(items) if items.is_empty() => "nothing".to_owned(),
        Json::Array(items) => items.iter().map(one).collect::<Vec<_>>().join(", "),
        other => inline(other),
    }
}

// ---- requests ----

/// A request with its numbered choices.
pub(crate) fn request(selector: &Selector) -> String {
    if selector.form == parlor_core::selector::Form::Action {
        if let Some(meta) = selector.meta.as_ref().filter(|meta| meta["kind"] == "number") {
            let (min, max) = (scalar(&meta["min"]), scalar(&meta["max"]));
            return format!("{} (a whole number from {min} to {max})\n", selector.title);
        }
        return format!("{} (answer with text or JSON)\n", selector.title);
    }
    let how_many = how_many(&selector.bounds, &selector.choices);
    let actions = match &selector.allows_action {
        None => String::new(),
        Some(Json::Bool(_)) => "  !NAME  an action instead\n".to_owned(),
        Some(names) => format!("  !NAME  an action instead: {}\n", inline(names)),
    };
    format!("{} ({how_many})\n{}{actions}", selector.title, choices(&selector.choices))
}

fn choices(list: &[Choice]) -> String {
    let mut text = String::new();
    if list.iter().all(is_plain) && in_a_row(list, "").chars().count() <= LINE_CHARS {
        return format!("  {}\n", in_a_row(list, ""));
    }
    numbered(list, "", "  ", &mut text);
    text
}

fn is_plain(choice: &Choice) -> bool {
    choice.choices.is_empty() && remarks(choice).is_empty()
}

fn in_a_row(list: &[Choice], prefix: &str) -> String {
    let each = list.iter().enumerate().map(|(n, choice)| format!("{prefix}{}) {}", n + 1, choice.title));
    each.collect::<Vec<_>>().join("   ")
}

/// Inner choices of which nothing is to be said: as many on a line as there is room for.
fn wrapped(list: &[Choice], prefix: &str, indent: &str, text: &mut String) {
    let mut line = String::new();
    for (n, choice) in list.iter().enumerate() {
        let part = format!("{prefix}{}) {}", n + 1, choice.title);
        if !line.is_empty() && line.chars().count() + 3 + part.chars().count() > LINE_CHARS {
            text.push_str(&format!("{indent}{line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push_str("   ");
        }
        line.push_str(&part);
    }
    text.push_str(&format!("{indent}{line}\n"));
}

/// One line for each choice; inner choices follow, numbered 2.1, 2.2 and so on.
fn numbered(list: &[Choice], prefix: &str, indent: &str, text: &mut String) {
    for (n, choice) in list.iter().enumerate() {
        let number = format!("{prefix}{}", n + 1);
        text.push_str(&format!("{indent}{number}) {}{}\n", choice.title, remarks(choice)));
        // What is inside of something that cannot be had cannot be had either.
        let (prefix, indent) = (format!("{number}."), format!("{indent}  "));
        match &choice.choices {
            inner if choice.why_not.is_some() || inner.is_empty() => {}
            inner if inner.iter().all(is_plain) => wrapped(inner, &prefix, &indent, text),
            inner => numbered(inner, &prefix, &indent, text),
        }
    }
}

fn remarks(choice: &Choice) -> String {
    let mut remarks = Vec::new();
    if !choice.choices.is_empty() {
        remarks.push(format!("inside: {}", how_many(&choice.bounds, &choice.choices)));
    }
    if choice.exclusive {
        remarks.push("only by itself".to_owned());
    }
    if choice.extra {
        remarks.push("extra, not counted".to_owned());
    }
    let remarks = if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join("; ")) };
    match &choice.why_not {
        Some(why) => format!("{remarks} — not now: {why}"),
        None => remarks,
    }
}

fn how_many(bounds: &Bounds, choices: &[Choice]) -> String {
    let counted = choices.iter().filter(|choice| !choice.extra && choice.why_not.is_none()).count();
    match bounds.among(counted) {
        (_, 0) => "nothing to pick".to_owned(),
        (1, 1) => "pick one".to_owned(),
        (min, max) if min == max => format!("pick {min}"),
        (0, max) => format!("pick up to {max}"),
        (min, max) => format!("pick {min} to {max}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor_core::Fault;
    use serde_json::json;

    #[test]
    fn a_square_board_is_drawn_as_a_square_and_other_text_is_not() {
        assert_eq!(
            view(&json!({"board": "xo..x...o", "turn": 4}), "  "),
            "  board  x o .\n         . x .\n         . . o\n  turn   4\n"
        );
        assert_eq!(
            view(&json!({"board": "preflop", "phase": "preflopxx"}), ""),
            "board  preflop\nphase  preflopxx\n"
        );
    }

    #[test]
    fn what_is_deep_hangs_below_its_name() {
        let seen = json!({"seats": [{"name": "Ann", "hand": ["2h", "3s"]}, {"name": "Bob", "hand": []}]});
        assert_eq!(
            view(&seen, ""),
            "seats  0  hand  2h 3s\n          name  Ann\n       1  hand  -\n          name  Bob\n"
        );
    }

    #[test]
    fn an_event_says_who_what_and_the_rest() {
        let taken = json!({"type": "taken", "seat": 1, "cell": "a3"});
        assert_eq!(event(&taken, &[]), "seat 1: taken, cell a3");
        assert_eq!(event(&taken, &["Ann".to_owned(), "Bob".to_owned()]), "Bob: taken, cell a3");
    }

    #[test]
    fn a_request_numbers_its_choices_through_all_levels_and_says_why_not() {
        let selector = Selector::pick(
            "Act",
            vec![
                Choice::new("cast").nest(vec!["fire".into(), "ice".into()], 1, 2),
                Choice::new("flee")
                    .exclusive()
                    .nest(vec!["north".into()], 1, 1)
                    .why_not(Fault::new("rooted", "you are rooted")),
                Choice::new("taunt").extra(),
            ],
        )
        .between(0, 2);
        assert_eq!(
            request(&selector),
            "Act (pick up to 1)\n  1) cast (inside: pick 1 to 2)\n    1.1) fire   1.2) ice\n  \
             2) flee (inside: pick one; only by itself) — not now: you are rooted\n  3) taunt (extra, not counted)\n"
        );
    }
}
