//! Views: canonical JSON, its hash, and the differences between two views.

use std::fmt::Write as _;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Map;
use sha2::{Digest, Sha256};

use crate::Json;

/// Canonical JSON: keys sorted, integers, no spaces.
#[must_use]
pub fn canonical(view: &Json) -> String {
    view.to_string()
}

/// `viewHash`: the first 16 hexadecimal digits of SHA-256 over the canonical view (000/R4).
#[must_use]
pub fn hash(view: &Json) -> String {
    hash_text(&canonical(view))
}

/// The same, from the canonical text.
#[must_use]
pub fn hash_text(text: &str) -> String {
    let digest = Sha256::digest(text);
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    digest.iter().take(8).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// One operation of a JSON Patch, with a borrowed value: most are encoded once and dropped.
#[derive(Clone, PartialEq, Debug)]
pub struct Change<'a> {
    /// `add`, `remove` or `replace`.
    pub op: &'static str,
    /// A JSON Pointer.
    pub path: String,
    /// The new value; none for `remove`.
    pub value: Option<&'a Json>,
}

impl Serialize for Change<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2 + usize::from(self.value.is_some())))?;
        map.serialize_entry("op", self.op)?;
        map.serialize_entry("path", &self.path)?;
        if let Some(value) = self.value {
            map.serialize_entry("value", value)?;
        }
        map.end()
    }
}

/// A JSON Patch (RFC 6902) that turns `old` into `new`; empty if they are equal.
#[must_use]
pub fn diff(old: &Json, new: &Json) -> Vec<Json> {
    let json = |change: &Change<'_>| serde_json::to_value(change).expect("a change is plain data");
    changes(old, new).iter().map(json).collect()
}

/// The same as [`diff`], without copying the changed values.
#[must_use]
pub fn changes<'a>(old: &Json, new: &'a Json) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    diff_at(old, new, &mut String::new(), &mut changes);
    changes
}

fn diff_at<'a>(old: &Json, new: &'a Json, path: &mut String, changes: &mut Vec<Change<'a>>) {
    let here = path.len();
    let mut change = |op, path: &str, value| changes.push(Change { op, path: path.to_owned(), value });
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            for key in old.keys().filter(|key| !new.contains_key(*key)) {
                push_key(path, key);
                change("remove", path, None);
                path.truncate(here);
            }
            for (key, value) in new {
                let before = old.get(key);
                if before == Some(value) {
                    continue;
                }
                push_key(path, key);
                match before {
                    Some(before) => diff_at(before, value, path, changes),
                    None => changes.push(Change { op: "add", path: path.clone(), value: Some(value) }),
                }
                path.truncate(here);
            }
        }
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (n, (before, value)) in old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b) {
                let _ = write!(path, "/{n}");
                diff_at(before, value, path, changes);
                path.truncate(here);
            }
        }
        (Json::Array(old), Json::Array(new)) if new.len() > old.len() && new[..old.len()] == old[..] => {
            path.push_str("/-");
            for value in &new[old.len()..] {
                change("add", path, Some(value));
            }
            path.truncate(here);
        }
        _ if old == new => {}
        _ => change("replace", path, Some(new)),
    }
}

/// Appends one step of a JSON Pointer.
pub(crate) fn push_key(path: &mut String, key: &str) {
    path.push('/');
    for char in key.chars() {
        match char {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            other => path.push(other),
        }
    }
}

/// Applies a patch made by [`diff`]. `None` if it does not fit.
#[must_use]
pub fn patch(view: &Json, ops: &[Json]) -> Option<Json> {
    let mut view = view.clone();
    for op in ops {
        let path = op.get("path")?.as_str()?;
        let value = op.get("value").cloned();
        match path.rsplit_once('/') {
            None => view = value?,
            Some((parent, key)) => {
                let key = key.replace("~1", "/").replace("~0", "~");
                match view.pointer_mut(parent)? {
                    Json::Object(map) => patch_object(map, op.get("op")?.as_str()?, key, value)?,
                    Json::Array(items) if key == "-" => items.push(value?),
                    Json::Array(items) => *items.get_mut(key.parse::<usize>().ok()?)? = value?,
                    _ => return None,
                }
            }
        }
    }
    Some(view)
}

fn patch_object(map: &mut Map<String, Json>, op: &str, key: String, value: Option<Json>) -> Option<()> {
    match op {
        "remove" => map.remove(&key).map(|_| ()),
        _ => {
            map.insert(key, value?);
            Some(())
        }
    }
}

/// Whether a value contains a number that is not an integer. No view, event or answer may.
#[must_use]
pub fn has_fraction(value: &Json) -> bool {
    match value {
        Json::Number(number) => number.as_i64().is_none() && number.as_u64().is_none(),
        Json::Array(items) => items.iter().any(has_fraction),
        Json::Object(map) => map.values().any(has_fraction),
        _ => false,
    }
}
