//! Checks whether a request is well formed, and whether a response answers it. It lists every fault, in the order of
//! the contract.
//!
//! Apart from the description of a request, which is only data: this is the one place that decides what an answer
//! means.

use serde_json::{Map, json};

use super::{Bounds, Choice, Chosen, Form, Picked, Response, Selector};
use crate::Json;
use crate::code::HouseCode;
use crate::limits::{ANSWER_DEPTH_MAX, CHOICES_MAX, SELECTION_ITEMS_MAX};
use crate::refusal::{Fault, Refusal};

impl Selector {
    /// Checks that the request is well formed: a game that asks with `min > max`, or exceeds a size limit, is refused
    /// when it asks.
    ///
    /// # Errors
    /// Every fault of the description.
    pub fn well_formed(&self) -> Result<(), Refusal> {
        let mut faults = Vec::new();
        bounds_faults(&self.bounds, &mut faults);
        let counted = choices_faults(&self.choices, ANSWER_DEPTH_MAX, &mut faults);
        if counted > CHOICES_MAX {
            faults.push(
                Fault::new(HouseCode::Limit, "a request has {got} choices, the limit choices_max is {max}")
                    .arg("got", counted)
                    .arg("max", CHOICES_MAX),
            );
        }
        Refusal::with(faults).into_result()
    }

    /// Checks a response and lists every fault, in the order of the contract: title, unknown choices, exclusives,
    /// count.
    ///
    /// # Errors
    /// Every fault of the response.
    pub fn validate(&self, response: &Response) -> Result<Chosen, Refusal> {
        let mut faults = Vec::new();
        if response.title.as_deref() != Some(&self.title) {
            faults.push(
                Fault::new(HouseCode::Title, "{expected} !== {got}")
                    .arg("expected", self.title.as_str())
                    .arg("got", response.title.as_deref().unwrap_or("undefined")),
            );
        }
        if self.form == Form::Action {
            Refusal::with(faults).into_result()?;
            return Ok(Chosen::Action(response.selection.clone()));
        }
        if let (Json::Object(data), Some(allowed)) = (&response.selection, &self.allows_action) {
            if !action_allowed(data, allowed) {
                faults.push(
                    Fault::new(HouseCode::UnknownAction, "Action {action} is not allowed here")
                        .arg("action", data.get("action").cloned().unwrap_or(Json::Null)),
                );
            }
            Refusal::with(faults).into_result()?;
            return Ok(Chosen::Action(response.selection.clone()));
        }
        let mut budget = SELECTION_ITEMS_MAX;
        let picks = match &response.selection {
            Json::Array(items) => {
                validate_level(&self.choices, &self.bounds, items, &mut budget, &mut faults)
            }
            _ => {
                faults.push(Fault::new(HouseCode::Malformed, "selection must be a list"));
                Vec::new()
            }
        };
        Refusal::with(faults).into_result()?;
        Ok(Chosen::Picks(picks))
    }
}

/// The number of choices that count towards the bounds.
pub(super) fn countable(choices: &[Choice]) -> usize {
    choices.iter().filter(|choice| !choice.extra && choice.why_not.is_none()).count()
}

fn action_allowed(data: &Map<String, Json>, allowed: &Json) -> bool {
    let Some(action) = data.get("action").and_then(Json::as_str) else { return false };
    match allowed {
        Json::Bool(all) => *all,
        Json::String(one) => one == action,
        Json::Array(names) => names.iter().any(|name| name == action),
        _ => false,
    }
}

fn bounds_faults(bounds: &Bounds, faults: &mut Vec<Fault>) {
    if let (None, Some(min), Some(max)) = (bounds.count, bounds.min, bounds.max)
        && min > max
    {
        faults.push(
            Fault::new(HouseCode::Bounds, "min ({min}) must be <= max ({max})")
                .arg("min", min)
                .arg("max", max),
        );
    }
}

fn choices_faults(choices: &[Choice], depth_left: usize, faults: &mut Vec<Fault>) -> usize {
    if depth_left == 0 {
        faults.push(
            Fault::new(HouseCode::Limit, "choices are nested deeper than answer_depth_max ({max})")
                .arg("max", ANSWER_DEPTH_MAX),
        );
        return 0;
    }
    choices
        .iter()
        .map(|choice| {
            bounds_faults(&choice.bounds, faults);
            let inner = if choice.choices.is_empty() {
                0
            } else {
                choices_faults(&choice.choices, depth_left - 1, faults)
            };
            1 + inner
        })
        .sum()
}

/// One item of a selection, as the client sent it: a bare title, or an object with title, id and inner selection.
struct Item<'a> {
    title: &'a str,
    id: Option<&'a str>,
    inner: Option<&'a Vec<Json>>,
}

fn item(value: &Json) -> Option<Item<'_>> {
    match value {
        Json::String(title) => Some(Item { title, id: None, inner: None }),
        Json::Object(map) => {
            let id = map.get("id").and_then(Json::as_str);
            let title = map.get("title").and_then(Json::as_str).or(id)?;
            let inner = match map.get("selection") {
                None | Some(Json::Null) => None,
                Some(Json::Array(items)) => Some(items),
                Some(_) => return None,
            };
            Some(Item { title, id, inner })
        }
        _ => None,
    }
}

fn fits(choice: &Choice, item: &Item<'_>) -> bool {
    match (&choice.id, item.id) {
        (Some(mine), Some(named)) => mine == named,
        _ => choice.title == item.title,
    }
}

/// Which choice each item names, if any; no choice is named twice.
fn named(choices: &[Choice], items: &[Option<Item<'_>>]) -> Vec<Option<usize>> {
    let mut used = vec![false; choices.len()];
    let mut found = vec![None; items.len()];
    // Items with an id choose first: a bare title must not take the choice that only the id can name.
    for with_id in [true, false] {
        for (slot, item) in found.iter_mut().zip(items) {
            let Some(item) = item.as_ref().filter(|item| item.id.is_some() == with_id) else { continue };
            *slot = choices.iter().enumerate().position(|(n, choice)| !used[n] && fits(choice, item));
            if let Some(n) = *slot {
                used[n] = true;
            }
        }
    }
    found
}

fn validate_level(
    choices: &[Choice],
    bounds: &Bounds,
    items: &[Json],
    budget: &mut usize,
    faults: &mut Vec<Fault>,
) -> Vec<Picked> {
    if items.len() > *budget {
        faults.push(
            Fault::new(
                HouseCode::Limit,
                "a selection has {got} items, the limit selection_items_max is {max}",
            )
            .arg("got", items.len())
            .arg("max", SELECTION_ITEMS_MAX),
        );
        return Vec::new();
    }
    *budget -= items.len();
    let parsed: Vec<Option<Item<'_>>> = items.iter().map(item).collect();
    let found = named(choices, &parsed);
    let mut picks = Vec::new();
    let (mut counted, mut exclusive, mut matched) = (0, false, 0);
    for ((value, item), index) in items.iter().zip(&parsed).zip(&found) {
        let unknown =
            || Fault::new(HouseCode::UnknownChoice, "Selection {choice} didn't exist in the choices");
        let (Some(item), Some(index)) = (item, *index) else {
            let name = item.as_ref().map_or_else(|| value.clone(), |item| json!(item.title));
            faults.push(unknown().arg("choice", name));
            counted += 1;
            continue;
        };
        let choice = &choices[index];
        if let Some(why) = &choice.why_not {
            faults.push(
                Fault::new(HouseCode::IllegalChoice, "{choice} cannot be chosen: {why}")
                    .arg("choice", choice.title.as_str())
                    .arg("why", why.to_string())
                    .arg("reason", why.code.text()),
            );
        }
        let inner = item.inner.map_or(&[][..], Vec::as_slice);
        let nested = if !choice.choices.is_empty() {
            validate_level(&choice.choices, &choice.bounds, inner, budget, faults)
        } else {
            if !inner.is_empty() {
                faults.push(unknown().arg("choice", choice.title.as_str()));
            }
            Vec::new()
        };
        matched += 1;
        counted += usize::from(!choice.extra);
        exclusive |= choice.exclusive;
        picks.push(Picked { index, nested });
    }
    if exclusive && matched > 0 && counted > 1 {
        faults.push(Fault::new(HouseCode::Exclusive, "Exclusive choice mixed with other choices"));
    }
    let (min, max) = bounds.among(countable(choices));
    if !(min..=max).contains(&counted) {
        faults.push(
            Fault::new(
                HouseCode::Count,
                "Invalid number of options selected: expected {min}-{max}, got {got}",
            )
            .arg("min", min)
            .arg("max", max)
            .arg("got", counted),
        );
    }
    picks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_with_an_id_chooses_before_a_bare_title() {
        let choices = [Choice::new("a").id("1"), Choice::new("a").id("2"), Choice::new("b")];
        let names = |items: &[Json]| named(&choices, &items.iter().map(item).collect::<Vec<_>>());
        let by_id = |id: &str| json!({"title": "a", "id": id});
        assert_eq!(names(&[json!("a"), by_id("1")]), [Some(1), Some(0)]);
        assert_eq!(names(&[json!("a"), json!("a"), json!("a")]), [Some(0), Some(1), None], "each once");
        assert_eq!(names(&[by_id("1"), by_id("1"), by_id("3")]), [Some(0), None, None]);
        assert_eq!(names(&[json!({"id": "b"}), json!(7), json!("b")]), [Some(2), None, None]);
    }
}
