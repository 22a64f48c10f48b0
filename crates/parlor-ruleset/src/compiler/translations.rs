//! `words`: what is shown, in other languages, by the author's own words. Nothing in it means anything to the rules, so
//! it is no part of a ruleset's identity: a translation that is mended changes no match.

use std::collections::BTreeSet;

use super::Compiler;
use crate::language::{Node, Value, suggest};

/// Characters in the code of a language: `ja`, `pt-BR`, `zh-Hant-TW`.
const LANGUAGE_CHARS_MAX: usize = 12;
/// So many misspelt words are looked up in a file, each among short texts alone: a file may be made of nothing else.
const LOOKS_MAX: usize = 16;
const LOOK_CHARS_MAX: usize = 64;
/// Sections in which nothing is said to players.
const ASIDE: [&str; 4] = ["words", "tests", "metadata", "$schema"];

impl<'n> Compiler<'n> {
    /// Looks at what a ruleset says in other languages.
    pub(super) fn translations(&mut self, root: &'n Node) {
        if root.get("words").is_none() {
            return;
        }
        let mut shown = BTreeSet::new();
        for (_, node) in root.fields().iter().filter(|(key, _)| !ASIDE.contains(&key.name.as_str())) {
            gather(node, &mut shown);
        }
        shown.extend(self.program.cards.iter().map(|card| card.title.clone()));
        let mut strange = 0;
        self.field(root, "words", |this, words| {
            if !matches!(words.value, Value::Map(_)) {
                return this.expect(words, "an object: a language, and what is said in it");
            }
            this.each_field(words, |this, language, said| {
                let good = |c: char| c.is_ascii_alphanumeric() || c == '-';
                if !(2..=LANGUAGE_CHARS_MAX).contains(&language.len()) || !language.chars().all(good) {
                    let message = format!("'{language}' is no language");
                    this.findings.error_help("words", said.at, message, "write its code: ja, ru, pt-BR");
                }
                if !matches!(said.value, Value::Map(_)) {
                    return this
                        .expect(said, "an object: words as they are shown, and what is said for them");
                }
                this.each_field(said, |this, key, text| this.said(&shown, &mut strange, key, text));
            });
        });
    }

    fn said(&mut self, shown: &BTreeSet<String>, strange: &mut usize, key: &str, node: &Node) {
        let Some(text) = node.as_text() else { return self.expect(node, "a text") };
        if holes(key) != holes(text) {
            let wanted: Vec<&str> = holes(key).into_iter().collect();
            let help = match wanted[..] {
                [] => "leave them out".to_owned(),
                _ => format!("it has {}", wanted.join(", ")),
            };
            self.findings.error_help(
                "words",
                node.at,
                format!("the holes of '{text}' are not those of '{key}'"),
                help,
            );
        }
        if !shown.contains(key) {
            *strange += 1;
            let known = shown.iter().map(String::as_str).filter(|text| text.len() <= LOOK_CHARS_MAX);
            let looked = (*strange <= LOOKS_MAX).then(|| suggest::name(key, known)).flatten();
            let help = match looked {
                Some(near) => format!("'{near}' is shown"),
                None => "write it as players read it, capitals and all".to_owned(),
            };
            self.findings.warn("words", node.at, format!("nothing shows '{key}'"), help);
        }
    }
}

/// Everything that may be shown: texts as they stand, and names as screens write them.
fn gather(node: &Node, shown: &mut BTreeSet<String>) {
    if let Some(text) = node.as_text() {
        shown.insert(text.to_owned());
        shown.insert(read_aloud(text));
    }
    for (key, inner) in node.fields() {
        shown.insert(read_aloud(&key.name));
        gather(inner, shown);
    }
    node.items().iter().for_each(|inner| gather(inner, shown));
}

/// A name as people read it: its words apart, the first with a capital. `declare_attackers`: `Declare attackers`.
fn read_aloud(name: &str) -> String {
    let mut said = String::with_capacity(name.len());
    let mut small = false;
    for c in name.chars() {
        let apart = matches!(c, '_' | '-');
        if (apart || (small && c.is_ascii_uppercase())) && !said.ends_with(' ') {
            said.push(' ');
        }
        if !apart {
            said.extend(c.to_lowercase());
        }
        small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    let mut letters = said.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What is put into a text: `{seat}` and the like.
pub(in crate::compiler) fn holes(text: &str) -> BTreeSet<&str> {
    let ends = text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
    ends.filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .collect()
}
