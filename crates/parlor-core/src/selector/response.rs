//! Answers to a request: a response as a client sends it, and what it chose once it is checked.
//!
//! They are two types, so that an unchecked response cannot be used as a choice:
//! [`Selector::validate`](super::Selector::validate) turns the first into the second.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, json};

use crate::Json;

/// An untrusted answer, of which only the shape was checked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Response {
    /// The name that the sender claims, if any.
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

/// One picked choice: its index in the list, and what was picked inside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picked {
    /// Index into the choices.
    pub index: usize,
    pub nested: Vec<Picked>,
}

/// A checked response.
#[derive(Clone, PartialEq, Debug)]
pub enum Chosen {
    /// In the order of the response.
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
