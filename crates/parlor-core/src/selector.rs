//! Selectors and responses: how a request is described to a client, what the client answers, and how the answer is
//! checked (000-5…7, 19, 21, 22).

mod check;
mod choice;
mod response;

pub use choice::{Choice, Details};
pub use response::{Chosen, Picked, Response};

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::Json;
use check::countable;

/// Whether an answer picks from a list or is free-form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Pick from the choices.
    #[default]
    Select,
    /// Answer anything; the game checks it.
    Action,
}

/// How many choices may be picked. `count` takes precedence; with neither `min` nor `max` it is exactly one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// The minimum number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<u16>,
    /// The maximum number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u16>,
    /// The exact number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u16>,
}

impl Bounds {
    /// The bounds that apply to `choices` choices, both clipped to that number (000/R1).
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Selector {
    /// Whether to pick from choices, or answer in free form.
    #[serde(rename = "type")]
    pub form: Form,
    /// The name of the player who must answer; filled in by the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The prompt; the answer repeats it.
    pub title: String,
    /// The choices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// How many must be picked.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// Actions that are accepted instead of a selection: `true`, or a list of names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allows_action: Option<Json>,
    /// Whether the request is never answered automatically, even if there is no choice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_auto_respond: bool,
    /// Anything that the screen needs to draw the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

// By hand, as for a choice: a map of known length is written in one pass.
impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields()))?;
        self.write(&mut map)?;
        map.end()
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

    /// Sets the exact number of picks.
    #[must_use]
    pub fn count(mut self, count: u16) -> Self {
        self.bounds = Bounds { count: Some(count), ..Bounds::default() };
        self
    }

    /// Sets the minimum and the maximum number of picks.
    #[must_use]
    pub fn between(mut self, min: u16, max: u16) -> Self {
        self.bounds = Bounds { min: Some(min), max: Some(max), count: None };
        self
    }

    /// The automatic answer, if all choices must be picked: every choice (000-19).
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
    pub fn to_answer(&self, indexes: &[usize]) -> Response {
        let selection = indexes.iter().map(|index| self.choices[*index].named()).collect();
        Response { actor: None, title: Some(self.title.clone()), selection: Json::Array(selection) }
    }

    /// The first choices that may be picked, as few as are needed: the answer of a client that does not mind.
    #[must_use]
    pub fn first_legal(&self) -> Response {
        let legal = (0..self.choices.len()).filter(|n| self.choices[*n].why_not.is_none());
        self.to_answer(&legal.take(self.bounds.among(self.choices.len()).0).collect::<Vec<usize>>())
    }

    /// The number of entries that [`Selector::write`] writes.
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

    /// Writes the present fields into a map that may have others.
    ///
    /// # Errors
    /// The codec's error.
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
