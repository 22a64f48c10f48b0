//! Views: what one viewer sees, as canonical JSON, its hash, and the differences between two of them.

use serde_json::{Map, json};
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
    let digest = Sha256::digest(canonical(view).as_bytes());
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    digest.iter().take(8).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A JSON Patch (RFC 6902) that turns `old` into `new`; empty when they are equal.
#[must_use]
pub fn diff(old: &Json, new: &Json) -> Vec<Json> {
    let mut ops = Vec::new();
    diff_at(old, new, &mut String::new(), &mut ops);
    ops
}

fn diff_at(old: &Json, new: &Json, path: &mut String, ops: &mut Vec<Json>) {
    if old == new {
        return;
    }
    let here = path.len();
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            for key in old.keys().filter(|key| !new.contains_key(*key)) {
                push_key(path, key);
                ops.push(json!({"op": "remove", "path": path}));
                path.truncate(here);
            }
            for (key, value) in new {
                push_key(path, key);
                match old.get(key) {
                    Some(before) => diff_at(before, value, path, ops),
                    None => ops.push(json!({"op": "add", "path": path, "value": value})),
                }
                path.truncate(here);
            }
        }
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (n, (before, value)) in old.iter().zip(new).enumerate() {
                push_key(path, &n.to_string());
                diff_at(before, value, path, ops);
                path.truncate(here);
            }
        }
        (Json::Array(old), Json::Array(new)) if new.len() > old.len() && new[..old.len()] == old[..] => {
            for value in &new[old.len()..] {
                ops.push(json!({"op": "add", "path": format!("{path}/-"), "value": value}));
            }
        }
        _ => ops.push(json!({"op": "replace", "path": path, "value": new})),
    }
}

fn push_key(path: &mut String, key: &str) {
    path.push('/');
    path.push_str(&key.replace('~', "~0").replace('/', "~1"));
}

/// Applies a patch made by [`diff`]. `None` when it does not fit.
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

/// Whether a value holds a number that is not an integer: no view, event or answer of the house may.
#[must_use]
pub fn has_fraction(value: &Json) -> bool {
    match value {
        Json::Number(number) => number.as_i64().is_none() && number.as_u64().is_none(),
        Json::Array(items) => items.iter().any(has_fraction),
        Json::Object(map) => map.values().any(has_fraction),
        _ => false,
    }
}
