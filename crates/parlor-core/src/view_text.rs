//! A view as text. A table keeps the last view of every viewer who listens: as text it takes a tenth of the memory of the
//! tree, and what has changed since then is found without building the tree again. Views of the same table differ in
//! little, so a long one is kept as what tells it from another, and a very long one is packed.
//!
//! The text is canonical (keys sorted, no spaces) and our own: nothing here reads JSON that came from outside.

use std::borrow::Cow;
use std::sync::Arc;

use crate::Json;
use crate::packing::{Known, pack, unpack};
use crate::view::{Change, canonical, hash_text, push_key};

/// Shorter views are kept whole: what tells two of them apart takes as much memory.
const NEAR_BYTES_MIN: usize = 1024;

/// Longer views are packed.
const PACKED_BYTES_MIN: usize = 4096;

/// A view as canonical JSON.
#[derive(Clone, Debug)]
pub struct ViewText(Kept);

#[derive(Clone, Debug)]
enum Kept {
    Whole(Whole),
    Near(Arc<Near>),
}

/// A whole text.
#[derive(Clone, Debug)]
enum Whole {
    Plain(Arc<str>),
    Packed(Arc<[u8]>),
}

impl Whole {
    fn of(text: &str) -> Self {
        if text.len() < PACKED_BYTES_MIN {
            return Self::Plain(text.into());
        }
        Self::Packed(pack(text.as_bytes()).into())
    }

    fn is_copy_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Plain(one), Self::Plain(other)) => Arc::ptr_eq(one, other),
            (Self::Packed(one), Self::Packed(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// A text as what tells it from another one.
#[derive(Debug)]
struct Near {
    whole: Whole,
    packed: Box<[u8]>,
}

/// The whole text that was last unpacked: views of one table are looked at one after the other, and share theirs.
#[derive(Default)]
pub struct Unpacked(Option<Last>);

struct Last {
    whole: Whole,
    text: Arc<str>,
    known: Option<Known>,
}

impl Unpacked {
    fn last(&mut self, whole: &Whole) -> &mut Last {
        let last = self.0.take().filter(|last| last.whole.is_copy_of(whole));
        self.0.insert(last.unwrap_or_else(|| {
            let text = match whole {
                Whole::Plain(text) => text.clone(),
                Whole::Packed(packed) => text_of(unpack(packed, &[])).into(),
            };
            Last { whole: whole.clone(), text, known: None }
        }))
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("a text was packed")
}

impl ViewText {
    /// The text of a view.
    #[must_use]
    pub fn new(view: &Json) -> Self {
        Self::of_text(&canonical(view))
    }

    /// The same, from the canonical text.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self(Kept::Whole(Whole::of(text)))
    }

    /// The canonical text of another view of the same table, kept as what tells it from this one if that is much shorter.
    #[must_use]
    pub fn of_other(&self, text: &str, unpacked: &mut Unpacked) -> Self {
        if text.len() < NEAR_BYTES_MIN {
            return Self::of_text(text);
        }
        let whole = match &self.0 {
            Kept::Whole(whole) => whole,
            Kept::Near(near) => &near.whole,
        };
        let last = unpacked.last(whole);
        let known = last.known.get_or_insert_with(|| Known::new(last.text.as_bytes()));
        let packed = known.pack(text.as_bytes(), last.text.as_bytes());
        if packed.len() + size_of::<Near>() > text.len() / 2 {
            return Self::of_text(text);
        }
        Self(Kept::Near(Arc::new(Near { whole: whole.clone(), packed })))
    }

    /// The canonical text.
    #[must_use]
    pub fn text(&self) -> String {
        self.unpack(&mut Unpacked::default()).into_owned()
    }

    fn unpack<'a>(&self, unpacked: &'a mut Unpacked) -> Cow<'a, str> {
        match &self.0 {
            Kept::Whole(whole) => Cow::Borrowed(&unpacked.last(whole).text),
            Kept::Near(near) => {
                let known = &unpacked.last(&near.whole).text;
                Cow::Owned(text_of(unpack(&near.packed, known.as_bytes())))
            }
        }
    }

    /// `viewHash`, as [`crate::view::hash`] makes it from the view.
    #[must_use]
    pub fn hash(&self) -> String {
        hash_text(&self.text())
    }

    /// Whether this is the same copy.
    #[must_use]
    pub fn is_copy_of(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Kept::Whole(one), Kept::Whole(other)) => one.is_copy_of(other),
            (Kept::Near(one), Kept::Near(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// What turns the view into a newer one: the same as [`crate::view::changes`] between the two.
    #[must_use]
    pub fn changes<'a>(&self, new: &'a Json, unpacked: &mut Unpacked) -> Vec<Change<'a>> {
        let mut changes = Vec::new();
        diff_at(self.unpack(unpacked).as_bytes(), new, &mut String::new(), &mut changes);
        changes
    }
}

/// Notes what differs between the value at the start of the text and this one; returns what follows it.
fn diff_at<'t, 'a>(
    text: &'t [u8],
    new: &'a Json,
    path: &mut String,
    changes: &mut Vec<Change<'a>>,
) -> &'t [u8] {
    if let Some(rest) = same(text, new) {
        return rest;
    }
    match (text.first(), new) {
        (Some(b'{'), Json::Object(new)) => diff_objects(&text[1..], new, path, changes),
        (Some(b'['), Json::Array(items)) => diff_arrays(text, (new, items), path, changes),
        _ => {
            changes.push(Change { op: "replace", path: path.clone(), value: Some(new) });
            skip(text)
        }
    }
}

fn diff_objects<'t, 'a>(
    mut text: &'t [u8],
    new: &'a serde_json::Map<String, Json>,
    path: &mut String,
    changes: &mut Vec<Change<'a>>,
) -> &'t [u8] {
    let (here, mut removed) = (path.len(), changes.len());
    let mut remove = |key: &str, path: &mut String, changes: &mut Vec<Change<'a>>| {
        push_key(path, key);
        // First of all, so that a patch has the same order however the difference was found.
        changes.insert(removed, Change { op: "remove", path: path.clone(), value: None });
        removed += 1;
        path.truncate(here);
    };
    let mut fresh = new.iter().peekable();
    while let Some((old, value)) = key(text) {
        while let Some((name, added)) = fresh.next_if(|(name, _)| name.as_str() < &*old) {
            add(name, added, path, changes);
        }
        text = match fresh.next_if(|(name, _)| name.as_str() == old) {
            Some((name, now)) => {
                push_key(path, name);
                let rest = diff_at(value, now, path, changes);
                path.truncate(here);
                rest
            }
            None => {
                remove(&old, path, changes);
                skip(value)
            }
        };
        text = text.strip_prefix(b",").unwrap_or(text);
    }
    fresh.for_each(|(name, added)| add(name, added, path, changes));
    &text[1..]
}

fn add<'a>(name: &str, value: &'a Json, path: &mut String, changes: &mut Vec<Change<'a>>) {
    let here = path.len();
    push_key(path, name);
    changes.push(Change { op: "add", path: path.clone(), value: Some(value) });
    path.truncate(here);
}

fn diff_arrays<'t, 'a>(
    text: &'t [u8],
    (whole, new): (&'a Json, &'a [Json]),
    path: &mut String,
    changes: &mut Vec<Change<'a>>,
) -> &'t [u8] {
    let (mut items, mut rest) = (Vec::with_capacity(new.len()), &text[1..]);
    while rest.first() != Some(&b']') {
        items.push(rest);
        rest = skip(rest);
        rest = rest.strip_prefix(b",").unwrap_or(rest);
    }
    let here = path.len();
    if items.len() == new.len() {
        for (n, (item, value)) in items.iter().zip(new).enumerate() {
            path.push('/');
            path.push_str(&n.to_string());
            diff_at(item, value, path, changes);
            path.truncate(here);
        }
    } else if items.len() < new.len()
        && items.iter().zip(new).all(|(item, value)| same(item, value).is_some())
    {
        for value in &new[items.len()..] {
            changes.push(Change { op: "add", path: format!("{path}/-"), value: Some(value) });
        }
    } else {
        changes.push(Change { op: "replace", path: path.clone(), value: Some(whole) });
    }
    &rest[1..]
}

/// What follows the value at the start of the text, if it is this one.
fn same<'t>(text: &'t [u8], value: &Json) -> Option<&'t [u8]> {
    match value {
        Json::Null => text.strip_prefix(b"null"),
        Json::Bool(true) => text.strip_prefix(b"true"),
        Json::Bool(false) => text.strip_prefix(b"false"),
        Json::Number(number) => {
            let (token, rest) = text.split_at(number_len(text));
            same_number(token, number).then_some(rest)
        }
        Json::String(string) => same_string(text, string),
        Json::Array(items) => {
            let mut rest = text.strip_prefix(b"[")?;
            for (n, item) in items.iter().enumerate() {
                rest = if n > 0 { rest.strip_prefix(b",")? } else { rest };
                rest = same(rest, item)?;
            }
            rest.strip_prefix(b"]")
        }
        Json::Object(map) => {
            let mut rest = text.strip_prefix(b"{")?;
            for (n, (key, value)) in map.iter().enumerate() {
                rest = if n > 0 { rest.strip_prefix(b",")? } else { rest };
                rest = same(same_string(rest, key)?.strip_prefix(b":")?, value)?;
            }
            rest.strip_prefix(b"}")
        }
    }
}

fn number_len(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count()
}

fn same_number(token: &[u8], number: &serde_json::Number) -> bool {
    let text = std::str::from_utf8(token).unwrap_or_default();
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => text.parse() == Ok(number),
        (None, Some(number)) => text.parse() == Ok(number),
        (None, None) => !text.is_empty() && text == number.to_string(),
    }
}

fn same_string<'t>(text: &'t [u8], string: &str) -> Option<&'t [u8]> {
    let plain = |byte: &u8| *byte >= b' ' && !matches!(byte, b'"' | b'\\');
    if string.as_bytes().iter().all(plain) {
        return text.strip_prefix(b"\"")?.strip_prefix(string.as_bytes())?.strip_prefix(b"\"");
    }
    text.strip_prefix(Json::from(string).to_string().as_bytes())
}

/// The key of an object's entry at the start of the text, and where its value begins; none at the end of the object.
fn key(text: &[u8]) -> Option<(Cow<'_, str>, &[u8])> {
    if text.first() != Some(&b'"') {
        return None;
    }
    let rest = skip(text);
    let quoted = &text[..text.len() - rest.len()];
    let inside = &quoted[1..quoted.len() - 1];
    let key = if inside.contains(&b'\\') {
        Cow::Owned(serde_json::from_slice(quoted).unwrap_or_default())
    } else {
        Cow::Borrowed(std::str::from_utf8(inside).unwrap_or_default())
    };
    Some((key, rest.strip_prefix(b":")?))
}

/// What follows the value at the start of the text.
fn skip(text: &[u8]) -> &[u8] {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => at += string_len(&text[at..]) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => break,
            b'}' | b']' => depth -= 1,
            b',' | b':' if depth == 0 => break,
            _ => {}
        }
        at += 1;
        if depth == 0 && matches!(byte, b'"' | b'}' | b']') {
            break;
        }
    }
    &text[at..]
}

/// How long the string at the start of the text is, with its quotes.
fn string_len(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_view_takes_as_much_memory_as_what_tells_it_from_another() {
        let own_bytes = |text: &ViewText| match &text.0 {
            Kept::Whole(Whole::Plain(text)) => text.len(),
            Kept::Whole(Whole::Packed(packed)) => packed.len(),
            Kept::Near(near) => near.packed.len(),
        };
        for lines in [100, 400] {
            let common: Vec<String> = (0..lines).map(|n| format!("{n} × 0123456789abcdef")).collect();
            let view = |own: usize| {
                let cards = |seat: usize| if seat == own { json!("AsKd") } else { json!(null) };
                let seats: Vec<Json> =
                    (0..6).map(|seat| json!({"cards": cards(seat), "stack": 200})).collect();
                canonical(&json!({"common": common, "own": {"seat": own, "debt": 0}, "seats": seats}))
            };
            let (first, mut unpacked) = (ViewText::of_text(&view(0)), Unpacked::default());
            for seat in [3, 5, 0] {
                let other = first.of_other(&view(seat), &mut unpacked);
                assert_eq!(other.text(), view(seat));
                assert!(own_bytes(&other) < 100, "{} bytes of {}", own_bytes(&other), view(seat).len());
            }
            assert!(own_bytes(&first) <= view(0).len().min(PACKED_BYTES_MIN), "a long one is packed");
        }
    }
}
