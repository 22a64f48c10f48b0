//! Selectors and responses: how a request is described to a client, and how its answer is checked (000-5…7, 19, 21, 22).

mod choice;

pub use choice::{Choice, Details};

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, json};

use crate::Json;
use crate::limits::{ANSWER_DEPTH_MAX, CHOICES_MAX, SELECTION_ITEMS_MAX};
use crate::refusal::{Fault, Refusal};

/// Whether an answer picks from a list or is free in form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Pick from the choices.
    #[default]
    Select,
    /// Say anything; the game checks it.
    Action,
}

/// How many may be picked. `count` wins; with neither `min` nor `max` it is exactly one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Bounds {
    /// At least so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u16>,
    /// At most so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u16>,
    /// Exactly so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u16>,
}

impl Bounds {
    /// The bounds that hold among `choices` choices, both clipped to that number (000/R1).
    #[must_use]
    pub fn among(&self, choices: usize) -> (usize, usize) {
        let (min, max) = match (self.count, self.min, self.max) {
            (Some(count), _, _) => (count.into(), count.into()),
            (None, None, None) => (1, 1),
            (None, Some(min), None) => (min.into(), choices),
            (None, None, Some(max)) => (0, max.into()),
            (None, Some(min), Some(max)) => (min.into(), max.into()),
        };
        (min.min(choices), max.min(choices))
    }
}

/// The full description of a request to one seat.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Selector {
    /// Pick from choices, or say anything.
    #[serde(rename = "type")]
    pub form: Form,
    /// Who must answer; filled in by the house with the player's name.
    pub actor: Option<String>,
    /// The prompt; the answer repeats it.
    pub title: String,
    /// What can be picked.
    pub choices: Vec<Choice>,
    /// How many are to be picked.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// Actions that are accepted instead of a selection: `true`, or a list of names.
    pub allows_action: Option<Json>,
    /// Never answered by itself, although there is no choice.
    pub no_auto_respond: bool,
    /// Whatever the screen needs to draw the request.
    pub meta: Option<Json>,
}

// By hand, as a choice: a map whose length is known is written at once.
impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields()))?;
        self.write(&mut map)?;
        map.end()
    }
}

impl Selector {
    /// How many entries [`Selector::write`] makes.
    #[must_use]
    pub fn fields(&self) -> usize {
        let there = [
            self.actor.is_some(),
            !self.choices.is_empty(),
            self.bounds.min.is_some(),
            self.bounds.max.is_some(),
            self.bounds.count.is_some(),
            self.allows_action.is_some(),
            self.no_auto_respond,
            self.meta.is_some(),
        ];
        2 + there.into_iter().filter(|there| *there).count()
    }

    /// Writes the fields that are there into a map, perhaps beside others.
    ///
    /// # Errors
    /// What the codec says.
    pub fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("type", &self.form)?;
        if let Some(actor) = &self.actor {
            map.serialize_entry("actor", actor)?;
        }
        map.serialize_entry("title", &self.title)?;
        if !self.choices.is_empty() {
            map.serialize_entry("choices", &self.choices)?;
        }
        for (name, bound) in
            [("min", self.bounds.min), ("max", self.bounds.max), ("count", self.bounds.count)]
        {
            if let Some(bound) = bound {
                map.serialize_entry(name, &bound)?;
            }
        }
        if let Some(actions) = &self.allows_action {
            map.serialize_entry("allowsAction", actions)?;
        }
        if self.no_auto_respond {
            map.serialize_entry("noAutoRespond", &true)?;
        }
        match &self.meta {
            Some(meta) => map.serialize_entry("meta", meta),
            None => Ok(()),
        }
    }
}

/// One picked choice: its place in the list, and what was picked inside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picked {
    /// Index into the choices.
    pub index: usize,
    /// What was picked inside this choice.
    pub nested: Vec<Picked>,
}

/// A checked response.
#[derive(Clone, PartialEq, Debug)]
pub enum Chosen {
    /// Picks, in the order of the response.
    Picks(Vec<Picked>),
    /// A free-form answer; the game checks its content.
    Action(Json),
}

impl Chosen {
    /// The index of the only pick.
    #[must_use]
    pub fn single(&self) -> Option<usize> {
        match self {
            Self::Picks(picks) if picks.len() == 1 => Some(picks[0].index),
            _ => None,
        }
    }

    /// The indexes of the picks at the top level.
    #[must_use]
    pub fn indexes(&self) -> Vec<usize> {
        match self {
            Self::Picks(picks) => picks.iter().map(|pick| pick.index).collect(),
            Self::Action(_) => Vec::new(),
        }
    }
}

/// An answer as it comes from outside: checked for nothing but its shape.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Response {
    /// Who says he answers, if he says so.
    pub actor: Option<String>,
    /// The title of the request that is answered.
    pub title: Option<String>,
    /// The picks, or a free-form value.
    pub selection: Json,
}

impl Response {
    /// A response that picks these titles.
    #[must_use]
    pub fn picks<S: Into<String>>(title: &str, picks: impl IntoIterator<Item = S>) -> Self {
        let selection = picks.into_iter().map(|pick| Json::String(pick.into())).collect();
        Self { actor: None, title: Some(title.to_owned()), selection: Json::Array(selection) }
    }
}

impl Serialize for Response {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = Map::new();
        if let Some(actor) = &self.actor {
            map.insert("actor".into(), json!(actor));
        }
        if let Some(title) = &self.title {
            map.insert("title".into(), json!(title));
        }
        map.insert("selection".into(), self.selection.clone());
        map.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Response {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let Json::Object(mut map) = Json::deserialize(deserializer)? else {
            return Err(D::Error::custom("a response is an object with title and selection"));
        };
        let mut text = |name: &str| match map.remove(name) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(D::Error::custom(format_args!("{name} must be text"))),
        };
        let (actor, title) = (text("actor")?, text("title")?);
        let selection = map.remove("selection").ok_or_else(|| D::Error::custom("selection is missing"))?;
        Ok(Self { actor, title, selection })
    }
}

impl Selector {
    /// A request to pick one of these.
    #[must_use]
    pub fn pick(title: impl Into<String>, choices: Vec<Choice>) -> Self {
        Self { title: title.into(), choices, ..Self::default() }
    }

    /// A request for a free-form answer.
    #[must_use]
    pub fn action(title: impl Into<String>) -> Self {
        Self { form: Form::Action, title: title.into(), ..Self::default() }
    }

    /// A request for yes or no.
    #[must_use]
    pub fn yes_no(title: impl Into<String>) -> Self {
        Self::pick(title, vec!["yes".into(), "no".into()])
    }

    /// With exactly `count` picks.
    #[must_use]
    pub fn count(mut self, count: u16) -> Self {
        self.bounds = Bounds { count: Some(count), ..Bounds::default() };
        self
    }

    /// With at least `min` and at most `max` picks.
    #[must_use]
    pub fn between(mut self, min: u16, max: u16) -> Self {
        self.bounds = Bounds { min: Some(min), max: Some(max), count: None };
        self
    }

    /// Whether the request makes sense at all: a game that asks with `min > max` or without bounds on its size is
    /// refused where it asks.
    ///
    /// # Errors
    /// Every fault of the description.
    pub fn well_formed(&self) -> Result<(), Refusal> {
        let mut faults = Vec::new();
        bounds_faults(&self.bounds, &mut faults);
        let counted = choices_faults(&self.choices, ANSWER_DEPTH_MAX, &mut faults);
        if counted > CHOICES_MAX {
            faults.push(
                Fault::new("limit", "a request has {got} choices, the limit choices_max is {max}")
                    .arg("got", counted)
                    .arg("max", CHOICES_MAX),
            );
        }
        Refusal { faults }.into_result()
    }

    /// The answer that needs no asking: every choice, where all must be picked (000-19).
    #[must_use]
    pub fn forced(&self) -> Option<Response> {
        let plain = self.form == Form::Select
            && !self.no_auto_respond
            && self.allows_action.is_none()
            && self.choices.iter().all(|choice| choice.choices.is_empty() && choice.why_not.is_none());
        let (min, _) = self.bounds.among(countable(&self.choices));
        (plain && min >= self.choices.len()).then(|| Response {
            actor: None,
            title: Some(self.title.clone()),
            selection: Json::Array(self.choices.iter().map(Choice::named).collect()),
        })
    }

    /// The response that picks these choices, by index.
    #[must_use]
    pub fn say(&self, indexes: &[usize]) -> Response {
        let selection = indexes.iter().map(|index| self.choices[*index].named()).collect();
        Response { actor: None, title: Some(self.title.clone()), selection: Json::Array(selection) }
    }

    /// Checks a response and lists every fault, in the order of the contract: title, unknown choices, exclusives, count.
    ///
    /// # Errors
    /// Every fault of the response.
    pub fn validate(&self, response: &Response) -> Result<Chosen, Refusal> {
        let mut faults = Vec::new();
        if response.title.as_deref() != Some(&self.title) {
            faults.push(
                Fault::new("title", "{expected} !== {got}")
                    .arg("expected", self.title.as_str())
                    .arg("got", response.title.as_deref().unwrap_or("undefined")),
            );
        }
        if self.form == Form::Action {
            Refusal { faults }.into_result()?;
            return Ok(Chosen::Action(response.selection.clone()));
        }
        if let (Json::Object(data), Some(allowed)) = (&response.selection, &self.allows_action) {
            if !action_allowed(data, allowed) {
                faults.push(
                    Fault::new("unknown_action", "Action {action} is not allowed here")
                        .arg("action", data.get("action").cloned().unwrap_or(Json::Null)),
                );
            }
            Refusal { faults }.into_result()?;
            return Ok(Chosen::Action(response.selection.clone()));
        }
        let mut budget = SELECTION_ITEMS_MAX;
        let picks = match &response.selection {
            Json::Array(items) => {
                validate_level(&self.choices, &self.bounds, items, &mut budget, &mut faults)
            }
            _ => {
                faults.push(Fault::new("malformed", "selection must be a list"));
                Vec::new()
            }
        };
        Refusal { faults }.into_result()?;
        Ok(Chosen::Picks(picks))
    }
}

fn countable(choices: &[Choice]) -> usize {
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
        faults
            .push(Fault::new("bounds", "min ({min}) must be <= max ({max})").arg("min", min).arg("max", max));
    }
}

fn choices_faults(choices: &[Choice], depth_left: usize, faults: &mut Vec<Fault>) -> usize {
    if depth_left == 0 {
        faults.push(
            Fault::new("limit", "choices are nested deeper than answer_depth_max ({max})")
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

/// One item of a selection, as it came: a bare title, or an object with title, id and inner selection.
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

fn validate_level(
    choices: &[Choice],
    bounds: &Bounds,
    items: &[Json],
    budget: &mut usize,
    faults: &mut Vec<Fault>,
) -> Vec<Picked> {
    if items.len() > *budget {
        faults.push(
            Fault::new("limit", "a selection has {got} items, the limit selection_items_max is {max}")
                .arg("got", items.len())
                .arg("max", SELECTION_ITEMS_MAX),
        );
        return Vec::new();
    }
    *budget -= items.len();
    let parsed: Vec<Option<Item<'_>>> = items.iter().map(item).collect();
    let mut used = vec![false; choices.len()];
    let mut found = vec![None; items.len()];
    // Items that carry an id choose first: a bare title must not take the choice that only the id can name.
    for with_id in [true, false] {
        for (slot, item) in found.iter_mut().zip(&parsed) {
            let Some(item) = item.as_ref().filter(|item| item.id.is_some() == with_id) else { continue };
            *slot = choices.iter().enumerate().position(|(n, choice)| !used[n] && fits(choice, item));
            if let Some(n) = *slot {
                used[n] = true;
            }
        }
    }
    let mut picks = Vec::new();
    let (mut counted, mut exclusive, mut matched) = (0, false, 0);
    for ((value, item), index) in items.iter().zip(&parsed).zip(&found) {
        let unknown = || Fault::new("unknown_choice", "Selection {choice} didn't exist in the choices");
        let (Some(item), Some(index)) = (item, *index) else {
            let name = item.as_ref().map_or_else(|| value.clone(), |item| json!(item.title));
            faults.push(unknown().arg("choice", name));
            counted += 1;
            continue;
        };
        let choice = &choices[index];
        if let Some(why) = &choice.why_not {
            faults.push(
                Fault::new("illegal_choice", "{choice} cannot be chosen: {why}")
                    .arg("choice", choice.title.as_str())
                    .arg("why", why.to_string())
                    .arg("reason", why.code.as_ref()),
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
        faults.push(Fault::new("exclusive", "Exclusive choice mixed with other choices"));
    }
    let (min, max) = bounds.among(countable(choices));
    if !(min..=max).contains(&counted) {
        faults.push(
            Fault::new("count", "Invalid number of options selected: expected {min}-{max}, got {got}")
                .arg("min", min)
                .arg("max", max)
                .arg("got", counted),
        );
    }
    picks
}
