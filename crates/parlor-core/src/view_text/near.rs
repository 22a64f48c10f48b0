//! A view kept as what tells its text from that of another view.

use std::sync::Arc;

use super::{same, same_string, skip};
use crate::Json;
use crate::view::canonical;

/// A text, as another text and the places where they differ.
#[derive(Debug)]
pub(super) struct Near {
    whole: Arc<str>,
    edits: Box<[Edit]>,
    /// What is put in at all places, one after the other.
    put: Box<str>,
}

/// One place where two texts differ.
#[derive(Clone, Copy, Debug)]
struct Edit {
    /// Where it begins in the whole text.
    at: u32,
    /// How many bytes are left out there.
    cut: u32,
    /// How many bytes are put in instead.
    put: u32,
}

impl Near {
    /// What tells this view from the one with the text `whole`.
    pub(super) fn between(whole: &Arc<str>, view: &Json) -> Self {
        let mut finder = Finder { whole: whole.as_bytes(), edits: Vec::new(), put: String::new() };
        finder.value(whole.as_bytes(), view);
        Self { whole: whole.clone(), edits: finder.edits.into(), put: finder.put.into() }
    }

    pub(super) fn whole(&self) -> &Arc<str> {
        &self.whole
    }

    /// The memory it takes beside the whole text.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.edits) + self.put.len()
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::with_capacity(self.whole.len() + self.put.len());
        let (mut done, mut put) = (0, &*self.put);
        for edit in &self.edits {
            text.push_str(&self.whole[done..edit.at as usize]);
            let (now, later) = put.split_at(edit.put as usize);
            text.push_str(now);
            (done, put) = ((edit.at + edit.cut) as usize, later);
        }
        text.push_str(&self.whole[done..]);
        text
    }
}

/// Finds the places where a text differs from a view.
struct Finder<'t> {
    whole: &'t [u8],
    edits: Vec<Edit>,
    put: String,
}

impl<'t> Finder<'t> {
    /// Compares the value at the start of the text with this one; returns what follows it.
    fn value(&mut self, text: &'t [u8], view: &Json) -> &'t [u8] {
        if let Some(rest) = same(text, view) {
            return rest;
        }
        match (text.first(), view) {
            (Some(b'{'), Json::Object(map)) => {
                let entries = map.iter().map(|(key, value)| (Some(key.as_str()), value));
                self.entries(&text[1..], entries, b'}')
            }
            (Some(b'['), Json::Array(items)) => {
                self.entries(&text[1..], items.iter().map(|item| (None, item)), b']')
            }
            _ => {
                let rest = skip(text);
                self.replace(text, rest, &canonical(view));
                rest
            }
        }
    }

    /// Puts a value in the place of the text between two places, as far as they differ: long texts often do in a few words.
    fn replace(&mut self, from: &'t [u8], to: &'t [u8], value: &str) {
        let old = &from[..from.len() - to.len()];
        let alike = |(one, other): &(&u8, &u8)| one == other;
        let begin = old.iter().zip(value.as_bytes()).take_while(alike).count();
        let begin = value.floor_char_boundary(begin);
        let ends = old[begin..].iter().rev().zip(value.as_bytes()[begin..].iter().rev());
        let end = value.ceil_char_boundary(value.len() - ends.take_while(alike).count());
        let kept = value.len() - end;
        self.edit(&from[begin..], &from[old.len() - kept..], |put| put.push_str(&value[begin..end]));
    }

    /// Compares the entries of an object or an array with these, up to the first that stands only in one of them: all that
    /// follows it is put in anew.
    fn entries<'a>(
        &mut self,
        mut text: &'t [u8],
        entries: impl Iterator<Item = (Option<&'a str>, &'a Json)>,
        close: u8,
    ) -> &'t [u8] {
        let mut entries = entries.enumerate().peekable();
        while let Some((n, (key, value))) = entries.peek() {
            let Some(old) = entry(text, *n, *key).filter(|old| old.first() != Some(&close)) else { break };
            text = self.value(old, value);
            entries.next();
        }
        let end = end(text, close);
        if entries.peek().is_some() || end.len() < text.len() {
            self.edit(text, end, |put| entries.for_each(|entry| write_entry(put, entry)));
        }
        &end[1..]
    }

    /// Notes that the text between two places is another one.
    fn edit(&mut self, from: &[u8], to: &[u8], write: impl FnOnce(&mut String)) {
        let before = self.put.len();
        write(&mut self.put);
        self.edits.push(Edit {
            at: (self.whole.len() - from.len()) as u32,
            cut: (from.len() - to.len()) as u32,
            put: (self.put.len() - before) as u32,
        });
    }
}

/// Where the value of entry number `n` begins, if it has this key.
fn entry<'t>(text: &'t [u8], n: usize, key: Option<&str>) -> Option<&'t [u8]> {
    let text = if n > 0 { text.strip_prefix(b",")? } else { text };
    match key {
        Some(key) => same_string(text, key)?.strip_prefix(b":"),
        None => Some(text),
    }
}

/// The end of an object or array, of which the text is the rest.
fn end(mut text: &[u8], close: u8) -> &[u8] {
    while text.first() != Some(&close) {
        text = skip(text.strip_prefix(b",").or_else(|| text.strip_prefix(b":")).unwrap_or(text));
    }
    text
}

fn write_entry(put: &mut String, (n, (key, value)): (usize, (Option<&str>, &Json))) {
    if n > 0 {
        put.push(',');
    }
    if let Some(key) = key {
        put.push_str(&canonical(&Json::from(key)));
        put.push(':');
    }
    put.push_str(&canonical(value));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_takes_as_much_memory_as_the_difference() {
        let common = vec!["0123456789abcdef"; 100];
        let view = |own: usize| {
            let cards = |seat: usize| if seat == own { json!("AsKd") } else { json!(null) };
            let seats: Vec<Json> = (0..6).map(|seat| json!({"cards": cards(seat), "stack": 200})).collect();
            json!({"common": common, "own": {"seat": own, "debt": 0}, "seats": seats})
        };
        let whole: Arc<str> = canonical(&view(0)).into();
        let near = Near::between(&whole, &view(3));
        assert!(near.bytes() < 150, "{} bytes of {}", near.bytes(), whole.len());
        assert_eq!(near.text(), canonical(&view(3)));
        assert_eq!(&*near.put, "3null\"AsKd\"");
        let said = |cards: &str| json!({"common": common, "log": format!("d dh p1 {cards}\nñ p2 f\n")});
        let whole: Arc<str> = canonical(&said("????")).into();
        let near = Near::between(&whole, &said("As??"));
        assert_eq!((near.text(), &*near.put), (canonical(&said("As??")), "As"));
        let near = Near::between(&whole, &said("????é"));
        assert_eq!(near.text(), canonical(&said("????é")));
        let others = json!({"common": common, "own": null, "z": [1, {}]});
        assert_eq!(Near::between(&whole, &others).text(), canonical(&others));
    }
}
