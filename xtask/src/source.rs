//! Rust source as the checkers see it: code apart from comments and literals, test code apart from the rest.
//!
//! It is a lexer and a bracket matcher, no parser: enough to find names, test modules and functions in code that
//! compiles and is formatted.

use std::collections::BTreeSet;
use std::ops::Range;

/// One Rust file, taken apart.
pub(crate) struct Source {
    /// The text as it is.
    pub(crate) text: String,
    /// The same bytes with comments and the insides of literals blanked; line breaks stay.
    pub(crate) code: String,
    line_starts: Vec<usize>,
}

/// A word or number of the code, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

/// A function: its name, and the bytes from its first doc comment or attribute to its closing brace.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) range: Range<usize>,
}

impl Source {
    pub(crate) fn new(text: &str) -> Self {
        let code = blank(text);
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { text: text.to_string(), code, line_starts }
    }

    /// The line of a byte, counted from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at)
    }

    /// The bytes of a line, counted from 1, without its line break.
    pub(crate) fn line_range(&self, line: usize) -> Range<usize> {
        let start = self.line_starts.get(line - 1).copied().unwrap_or(self.text.len());
        let end = self.line_starts.get(line).map_or(self.text.len(), |next| next - 1);
        start..end.max(start)
    }

    /// All words, numbers and marks of the code, in order. `::` is one mark.
    pub(crate) fn tokens(&self) -> Vec<Token<'_>> {
        let bytes = self.code.as_bytes();
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let length = match bytes[at] {
                b if b.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b if b.is_ascii_digit() => number_length(bytes, at),
                b if is_word(b) => bytes[at..].iter().take_while(|&&b| is_word(b)).count(),
                b':' if bytes.get(at + 1) == Some(&b':') => 2,
                _ => 1,
            };
            tokens.push(Token { text: &self.code[at..at + length], at });
            at += length;
        }
        tokens
    }

    /// The bytes that exist only in test builds: items under `#[cfg(test)]`, or the whole file.
    pub(crate) fn test_ranges(&self) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for (inner, attribute) in self.cfg_test_attributes() {
            let whole = 0..self.code.len() + 1;
            ranges.push(if inner { whole } else { attribute.start..self.item_end(attribute.end) });
        }
        ranges
    }

    /// The names of modules that exist only in test builds and live in files of their own.
    pub(crate) fn test_modules(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (inner, attribute) in self.cfg_test_attributes() {
            let item = &self.code[attribute.end..self.item_end(attribute.end)];
            let words: Vec<&str> = item.split_whitespace().collect();
            if let (false, Some(at)) = (inner, words.iter().position(|&w| w == "mod"))
                && let Some(name) = words.get(at + 1).and_then(|w| w.strip_suffix(';'))
            {
                names.insert(name.to_string());
            }
        }
        names
    }

    /// Every function with a name, outer before inner.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let tokens = self.tokens();
        let mut functions = Vec::new();
        for pair in tokens.windows(2) {
            if pair[0].text == "fn" && pair[1].text.bytes().all(is_word) {
                let range = self.lead(pair[0].at)..self.item_end(pair[0].at);
                functions.push(Function { name: pair[1].text.to_string(), range });
            }
        }
        functions
    }

    /// Where the item that begins at or after `at` ends: after its `;`, or after the brace that closes it.
    pub(crate) fn item_end(&self, at: usize) -> usize {
        let bytes = self.code.as_bytes();
        let (mut depth, mut at) = (0_i32, at);
        while at < bytes.len() {
            match bytes[at] {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                b'{' if depth <= 0 => return self.close(at),
                b'{' => at = self.close(at) - 1,
                b';' | b'}' if depth <= 0 => return at + 1,
                _ => {}
            }
            at += 1;
        }
        bytes.len()
    }

    /// The byte after the bracket that closes the one at `open`.
    fn close(&self, open: usize) -> usize {
        let mut depth = 0_i32;
        for (offset, byte) in self.code.as_bytes()[open..].iter().enumerate() {
            match byte {
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return open + offset + 1;
            }
        }
        self.code.len()
    }

    /// The start of the comment and attribute lines directly above the line of `at`.
    fn lead(&self, at: usize) -> usize {
        let mut line = self.line(at);
        while line > 1 {
            let above = self.text[self.line_range(line - 1)].trim();
            if !(above.starts_with("//") || above.starts_with("#[") || above.ends_with("*/")) {
                break;
            }
            line -= 1;
        }
        self.line_range(line).start
    }

    /// Every `#[cfg(… test …)]`, with whether it is an inner one (`#!`), which speaks of the whole file.
    fn cfg_test_attributes(&self) -> Vec<(bool, Range<usize>)> {
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices('#') {
            let inner = self.code[at + 1..].starts_with('!');
            let open = at + 1 + usize::from(inner);
            if !self.code[open..].starts_with('[') {
                continue;
            }
            let end = self.close(open);
            let body: String = self.code[open + 1..end - 1].split_whitespace().collect();
            let words: Vec<&str> = body.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            if body.starts_with("cfg(") && words.contains(&"test") && !body.contains("not(test") {
                found.push((inner, at..end));
            }
        }
        found
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// A number with its suffix; a dot belongs to it only in a float, so `0..3` and `x.0.1` stay whole numbers.
fn number_length(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while bytes.get(end).is_some_and(|&b| is_word(b)) {
        end += 1;
    }
    let after_dot = at > 0 && bytes[at - 1] == b'.';
    let next = bytes.get(end + 1).copied().unwrap_or(b' ');
    let fraction = next.is_ascii_digit() || !(is_word(next) || next == b'.');
    if bytes.get(end) == Some(&b'.') && !after_dot && fraction {
        end += 1;
        while bytes.get(end).is_some_and(|&b| is_word(b)) {
            end += 1;
        }
    }
    end - at
}

/// The text with comments and the insides of literals blanked.
fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => block_comment_end(bytes, at),
            b'"' => string_end(bytes, at),
            b'\'' => char_end(text, at),
            b'r' | b'b' | b'c' if at == 0 || !is_word(bytes[at - 1]) => prefixed_end(bytes, at),
            _ => at + 1,
        };
        if end > at + 1 {
            for byte in &mut code[at..end] {
                *byte = if *byte == b'\n' { b'\n' } else { b' ' };
            }
        }
        at = end;
    }
    String::from_utf8(code).unwrap_or_default()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n)
}

fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of a character literal; a lifetime is no literal and is left as it is.
fn char_end(text: &str, quote: usize) -> usize {
    let rest = &text[quote + 1..];
    if rest.starts_with('\\') {
        let body = rest.char_indices().skip(2).find(|&(_, c)| c == '\'');
        return body.map_or(text.len(), |(n, _)| quote + 1 + n + 1);
    }
    let mut chars = rest.char_indices();
    match (chars.next(), chars.next()) {
        (Some((_, c)), Some((n, '\''))) if c != '\'' => quote + 1 + n + 1,
        _ => quote + 1,
    }
}

/// The end of a literal with a prefix (`r"…"`, `br#"…"#`, `b'x'`); of anything else, the end of its first byte.
fn prefixed_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() && at < start + 2 && matches!(bytes[at], b'r' | b'b' | b'c') {
        at += 1;
    }
    let raw = bytes[start..at].contains(&b'r');
    let hashes = bytes[at..].iter().take_while(|&&b| b == b'#').count();
    match bytes.get(at + hashes) {
        Some(b'"') if raw => {
            let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
            let from = at + hashes + 1;
            let found = bytes[from..].windows(close.len()).position(|window| window == close);
            found.map_or(bytes.len(), |n| from + n + close.len())
        }
        Some(b'"') if hashes == 0 => string_end(bytes, at),
        _ => start + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Source::new(text).tokens().iter().map(|t| t.text.to_string()).collect()
    }

    #[test]
    fn comments_and_literals_are_no_code() {
        let text =
            "a // f64\n/* f64 /* f64 */ f64 */ b \"f64 \\\" f64\" r#\"f64 \" f64\"# b\"f64\" 'x' '\\'' c";
        assert_eq!(words(text), ["a", "b", "c"]);
    }

    #[test]
    fn a_lifetime_is_code() {
        assert_eq!(words("fn f<'a>(x: &'a str)").iter().filter(|w| *w == "a").count(), 2);
    }

    #[test]
    fn numbers_keep_their_dots_only_in_floats() {
        assert_eq!(words("1.5 0..3 x.0.1 2.max(3) 1_f64"), {
            ["1.5", "0", ".", ".", "3", "x", ".", "0", ".", "1", "2", ".", "max", "(", "3", ")", "1_f64"]
        });
    }

    #[test]
    fn test_items_are_found_with_their_bodies() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { if x {} } }\nfn c() {}\n";
        let source = Source::new(text);
        let ranges = source.test_ranges();
        assert_eq!(ranges.len(), 1);
        assert_eq!(&text[ranges[0].clone()], "#[cfg(test)]\nmod tests { fn b() { if x {} } }");
    }

    #[test]
    fn not_test_is_not_test_and_an_inner_one_is_the_whole_file() {
        assert!(Source::new("#[cfg(not(test))] fn a() {}").test_ranges().is_empty());
        assert!(Source::new("#[cfg(feature = \"test\")] fn a() {}").test_ranges().is_empty());
        assert_eq!(Source::new("#[cfg(all(test, unix))] fn a() {}").test_ranges().len(), 1);
        let whole = Source::new("#![cfg(test)]\nfn a() {}");
        assert!(whole.test_ranges()[0].contains(&(whole.text.len() - 1)));
    }

    #[test]
    fn test_modules_in_files_of_their_own_are_named() {
        let source =
            Source::new("#[cfg(test)]\nmod tests;\n#[cfg(test)]\npub(crate) mod fixtures;\nmod real;");
        assert_eq!(source.test_modules().into_iter().collect::<Vec<_>>(), ["fixtures", "tests"]);
    }

    #[test]
    fn a_function_begins_at_its_comment() {
        let text = "use x;\n\n/// Why.\n#[test]\nfn rule_in_words() {\n    let a = [0; 3];\n}\n";
        let functions = Source::new(text).functions();
        assert_eq!(functions[0].name, "rule_in_words");
        assert!(text[functions[0].range.clone()].starts_with("/// Why."));
        assert!(text[functions[0].range.clone()].ends_with("}"));
    }

    #[test]
    fn lines_count_from_one() {
        let source = Source::new("a\nb // why\n");
        assert_eq!((source.line(0), source.line(2)), (1, 2));
        assert_eq!(&source.text[source.line_range(2)], "b // why");
    }
}
