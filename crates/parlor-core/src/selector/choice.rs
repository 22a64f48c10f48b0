//! One choice of a request.
//!
//! A request may have dozens, and most have only a title. Rare fields are therefore boxed separately, so that a plain
//! choice is a quarter of the size, which makes it cheaper to build, encode and drop.

use std::ops::{Deref, DerefMut};

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;

use super::Bounds;
use crate::Json;
use crate::refusal::Fault;

/// A choice, which may have inner choices. It also has the fields of its [`Details`].
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "Whole")]
pub struct Choice {
    /// The title; an answer names it.
    pub title: String,
    /// Distinguishes choices with the same title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(flatten)]
    details: Option<Box<Details>>,
}

/// Fields that few choices have.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Details {
    /// What kind of thing it is: a hint for the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Anything that the screen needs to draw it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
    /// Whether it may be picked in addition to the others and is not counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extra: bool,
    /// Whether it cannot be combined with another choice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exclusive: bool,
    /// Why it is shown but cannot be picked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<Fault>,
    /// Choices inside this choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// How many of the inner choices must be picked.
    #[serde(flatten)]
    pub bounds: Bounds,
}

static NOTHING: Details = Details {
    kind: None,
    meta: None,
    extra: false,
    exclusive: false,
    why_not: None,
    choices: Vec::new(),
    bounds: Bounds { min: None, max: None, count: None },
};

/// A choice as it is serialized.
#[derive(Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
struct Whole {
    title: String,
    id: Option<String>,
    #[serde(flatten)]
    details: Details,
}

impl From<Whole> for Choice {
    fn from(Whole { title, id, details }: Whole) -> Self {
        let details = (details != NOTHING).then(|| Box::new(details));
        Self { title, id, details }
    }
}

impl Deref for Choice {
    type Target = Details;

    fn deref(&self) -> &Details {
        self.details.as_deref().unwrap_or(&NOTHING)
    }
}

impl DerefMut for Choice {
    fn deref_mut(&mut self) -> &mut Details {
        self.details.get_or_insert_default()
    }
}

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        self.title == other.title && self.id == other.id && **self == **other
    }
}

impl Choice {
    /// A plain choice.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), id: None, details: None }
    }

    /// Sets an id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets a kind.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// Adds inner choices, of which `min..=max` must be picked.
    #[must_use]
    pub fn nest(mut self, choices: Vec<Choice>, min: u16, max: u16) -> Self {
        self.choices = choices;
        self.bounds = Bounds { min: Some(min), max: Some(max), count: None };
        self
    }

    /// Makes it impossible to combine with another choice.
    #[must_use]
    pub fn exclusive(mut self) -> Self {
        self.exclusive = true;
        self
    }

    /// Excludes it from the count.
    #[must_use]
    pub fn extra(mut self) -> Self {
        self.extra = true;
        self
    }

    /// Makes it impossible to pick, with the reason; a screen shows it greyed out.
    #[must_use]
    pub fn why_not(mut self, fault: Fault) -> Self {
        self.why_not = Some(fault);
        self
    }

    pub(super) fn named(&self) -> Json {
        match &self.id {
            None => json!(self.title),
            Some(id) => json!({"title": self.title, "id": id}),
        }
    }
}

impl From<&str> for Choice {
    fn from(title: &str) -> Self {
        Self::new(title)
    }
}

/// Writes the present fields. A map of known length is written in one pass. Derived code does not know the length,
/// because of the flattened bounds, and every codec but JSON then writes each choice twice.
macro_rules! write_present {
    ($serializer:expr, $($name:literal: $present:expr => $value:expr,)*) => {{
        let mut map = $serializer.serialize_map(Some(0 $(+ usize::from($present))*))?;
        $(if $present { map.serialize_entry($name, $value)?; })*
        map.end()
    }};
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(details) = &self.details else {
            return write_present!(serializer,
                "title": true => &self.title,
                "id": self.id.is_some() => &self.id,
            );
        };
        write_present!(serializer,
            "title": true => &self.title,
            "id": self.id.is_some() => &self.id,
            "kind": details.kind.is_some() => &details.kind,
            "meta": details.meta.is_some() => &details.meta,
            "extra": details.extra => &true,
            "exclusive": details.exclusive => &true,
            "whyNot": details.why_not.is_some() => &details.why_not,
            "choices": !details.choices.is_empty() => &details.choices,
            "min": details.bounds.min.is_some() => &details.bounds.min,
            "max": details.bounds.max.is_some() => &details.bounds.max,
            "count": details.bounds.count.is_some() => &details.bounds.count,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_small_and_the_same_whether_or_not_it_has_room_for_details() {
        assert!(size_of::<Choice>() <= 56, "{} bytes", size_of::<Choice>());
        let mut roomy = Choice::new("a").id("1");
        roomy.meta = None;
        assert!(roomy.details.is_some());
        assert_eq!(roomy, Choice::new("a").id("1"));
        assert_eq!(json!(roomy), json!({"title": "a", "id": "1"}));
        assert_ne!(roomy, Choice::new("a").id("1").extra());
    }

    #[test]
    fn a_choice_is_read_as_it_was_written() {
        let why = Fault::new("far", "{n} away").arg("n", 2);
        let full = Choice::new("b").id("7").kind("card").nest(vec!["x".into()], 0, 1).why_not(why);
        for choice in [Choice::new("a"), Choice::new("c").exclusive().extra(), full] {
            let read: Choice = serde_json::from_value(json!(choice)).expect("it can be read");
            assert_eq!(read, choice);
            assert_eq!(read.details.is_some(), choice.details.is_some());
        }
    }
}
