//! TOML, as far as hand histories go: everything of TOML 1.0 except that dates are kept as text. Reading is made for
//! many small files; writing puts one key on a line.

mod scalar;
mod write;

use std::collections::BTreeSet;

pub use write::{write, write_key};

use scalar::{basic, literal, long, number, word};

use crate::notation::value::{Cursor, DEPTH_MAX, SyntaxError, Table, Value};

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads a document.
///
/// # Errors
/// The place of the first thing that is not TOML.
pub fn read(text: &str) -> Result<Table> {
    read_around(text, &mut |_, _| false)
}

/// Reads a document of which somebody else reads some values: `take` gets the name of each value outside tables, and reads it
/// or leaves the cursor where it is. What was taken stands as [`Value::Null`], which TOML itself does not have.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_around(text: &str, take: &mut impl FnMut(&mut Cursor<'_>, &str) -> bool) -> Result<Table> {
    let mut cursor = start(text);
    let mut root = Table::new();
    let mut path: Vec<String> = Vec::new();
    loop {
        blank_lines(&mut cursor);
        match cursor.peek() {
            None => return Ok(root),
            Some(b'[') => {
                let many;
                (path, many) = header(&mut cursor)?;
                open(&cursor, &mut root, &path, many)?;
            }
            Some(_) if path.is_empty() => pair(&mut cursor, &mut root, 0, take)?,
            Some(_) => pair_at(&mut cursor, &mut root, &path, &mut |_, _| false)?,
        }
        end_of_line(&mut cursor)?;
    }
}

/// Who reads a document of tables.
pub(crate) trait TableReader<E> {
    /// Reads the value of this name in a table of the document, or leaves the cursor where it is; what was taken stands as
    /// [`Value::Null`].
    fn take(&mut self, cursor: &mut Cursor<'_>, name: &str) -> bool;

    /// A table was read as a whole.
    fn table(&mut self, name: String, value: Value) -> std::result::Result<(), E>;
}

/// Reads a document of tables (`[name]`) one by one, so that a long one is never in memory as a whole. A table may hold
/// others, but is not taken up again once another has begun.
///
/// # Errors
/// The place of the first thing that is not TOML, or what the reader says.
pub(crate) fn read_tables<E: From<SyntaxError>>(
    text: &str,
    reader: &mut impl TableReader<E>,
) -> std::result::Result<(), E> {
    let mut cursor = start(text);
    let mut used = BTreeSet::new();
    // One table at a time.
    let mut root = Table::new();
    let mut path: Vec<String> = Vec::new();
    loop {
        blank_lines(&mut cursor);
        match cursor.peek() {
            None => return root.into_iter().try_for_each(|(name, value)| reader.table(name, value)),
            Some(b'[') => {
                let many;
                (path, many) = header(&mut cursor)?;
                if root.first().is_none_or(|(name, _)| *name != path[0]) {
                    root.drain(..).try_for_each(|(name, value)| reader.table(name, value))?;
                    if !used.insert(path[0].clone()) {
                        return Err(cursor.error(NAME_USED).into());
                    }
                }
                open(&cursor, &mut root, &path, many)?;
            }
            Some(_) if path.len() == 1 => {
                pair_at(&mut cursor, &mut root, &path, &mut |cursor, name| reader.take(cursor, name))?;
            }
            Some(_) => pair_at(&mut cursor, &mut root, &path, &mut |_, _| false)?,
        }
        end_of_line(&mut cursor)?;
    }
}

/// Whether the document begins with a table.
pub(crate) fn begins_with_table(text: &str) -> bool {
    let mut cursor = start(text);
    blank_lines(&mut cursor);
    cursor.peek() == Some(b'[')
}

/// What was expected where a name comes twice.
const NAME_USED: &str = "a name that is not used yet";

fn start(text: &str) -> Cursor<'_> {
    Cursor::new(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn pair_at(
    cursor: &mut Cursor<'_>,
    root: &mut Table,
    path: &[String],
    take: &mut impl FnMut(&mut Cursor<'_>, &str) -> bool,
) -> Result<()> {
    let table = find(root, path).ok_or_else(|| cursor.error("a key that is not used yet"))?;
    pair(cursor, table, 0, take)
}

/// `[name]` or `[[name]]`: the path, which has a name at least, and whether it is one of many.
fn header(cursor: &mut Cursor<'_>) -> Result<(Vec<String>, bool)> {
    cursor.at += 1;
    let many = cursor.eat(b'[');
    let path = key_path(cursor)?;
    cursor.expect(b']', "]")?;
    if many {
        cursor.expect(b']', "]]")?;
    }
    Ok((path, many))
}

/// Opens the table that a header names.
fn open(cursor: &Cursor<'_>, root: &mut Table, path: &[String], many: bool) -> Result<()> {
    let Some((last, parents)) = path.split_last() else { return Err(cursor.error("a name")) };
    // Finding a place takes a look at the whole text before it: only for an error.
    let taken = || cursor.error(NAME_USED);
    let parent = make(root, parents).ok_or_else(taken)?;
    match parent.iter_mut().rev().find(|(name, _)| name == last) {
        None if many => parent.push((last.clone(), Value::Array(vec![Value::Table(Table::new())]))),
        None => parent.push((last.clone(), Value::Table(Table::new()))),
        Some((_, Value::Array(tables))) if many && matches!(tables.last(), Some(Value::Table(_))) => {
            tables.push(Value::Table(Table::new()));
        }
        Some((_, Value::Table(table)))
            if !many && table.iter().all(|(_, v)| matches!(v, Value::Table(_))) => {}
        Some(_) => return Err(taken()),
    }
    Ok(())
}

/// The table at `path`, with tables made where there are none yet.
fn make<'a>(mut table: &'a mut Table, path: &[String]) -> Option<&'a mut Table> {
    for name in path {
        let index = table.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
            table.push((name.clone(), Value::Table(Table::new())));
            table.len() - 1
        });
        table = match &mut table[index].1 {
            Value::Table(inner) => inner,
            Value::Array(tables) => match tables.last_mut() {
                Some(Value::Table(inner)) => inner,
                _ => return None,
            },
            _ => return None,
        };
    }
    Some(table)
}

/// The table at `path`, which was made before; the newest name is looked for first.
fn find<'a>(mut table: &'a mut Table, path: &[String]) -> Option<&'a mut Table> {
    for name in path {
        let (_, value) = table.iter_mut().rev().find(|(key, _)| key == name)?;
        table = match value {
            Value::Table(inner) => inner,
            Value::Array(tables) => match tables.last_mut() {
                Some(Value::Table(inner)) => inner,
                _ => return None,
            },
            _ => return None,
        };
    }
    Some(table)
}

fn pair(
    cursor: &mut Cursor<'_>,
    table: &mut Table,
    depth: usize,
    take: &mut impl FnMut(&mut Cursor<'_>, &str) -> bool,
) -> Result<()> {
    let start = cursor.at;
    let (path, name) = match bare_key(cursor) {
        Some(name) => (Vec::new(), name.to_owned()),
        None => {
            let mut path = key_path(cursor)?;
            let name = path.pop().unwrap_or_default();
            (path, name)
        }
    };
    cursor.expect(b'=', "=")?;
    spaces(cursor);
    let taken = path.is_empty() && take(cursor, &name);
    let value = if taken { Value::Null } else { value(cursor, depth)? };
    let target = make(table, &path);
    match target {
        Some(target) if target.iter().all(|(key, _)| *key != name) => target.push((name, value)),
        _ => {
            cursor.at = start;
            return Err(cursor.error("a key that is not used yet"));
        }
    }
    Ok(())
}

/// A single name without quotes and the spaces after it, if that is what stands before the `=`.
fn bare_key<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let start = cursor.at;
    let name = cursor.take_while(is_bare);
    spaces(cursor);
    if !name.is_empty() && cursor.peek() == Some(b'=') {
        return Some(name);
    }
    cursor.at = start;
    None
}

const fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Names with dots between, and the spaces after them.
fn key_path(cursor: &mut Cursor<'_>) -> Result<Vec<String>> {
    let mut path = Vec::with_capacity(1);
    loop {
        spaces(cursor);
        path.push(match cursor.peek() {
            Some(b'"') => basic(cursor)?,
            Some(b'\'') => literal(cursor)?,
            _ => {
                let name = cursor.take_while(is_bare);
                if name.is_empty() {
                    return Err(cursor.error("a key"));
                }
                name.to_owned()
            }
        });
        spaces(cursor);
        if path.len() > DEPTH_MAX {
            return Err(cursor.error("fewer names"));
        }
        if !cursor.eat(b'.') {
            return Ok(path);
        }
    }
}

fn value(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value> {
    if depth > DEPTH_MAX {
        return Err(cursor.error("less nesting"));
    }
    match cursor.peek() {
        Some(b'"') if cursor.starts("\"\"\"") => Ok(Value::Text(long(cursor, "\"\"\"")?)),
        Some(b'\'') if cursor.starts("'''") => Ok(Value::Text(long(cursor, "'''")?)),
        Some(b'"') => Ok(Value::Text(basic(cursor)?)),
        Some(b'\'') => Ok(Value::Text(literal(cursor)?)),
        Some(b'[') => array(cursor, depth),
        Some(b'{') => inline_table(cursor, depth),
        Some(b't' | b'f') => word(cursor),
        _ => number(cursor),
    }
}

/// The lines of an array of plain text, each where it stands; `None`, and the cursor where it was, if it is anything else.
pub(crate) fn each_line(cursor: &mut Cursor<'_>, mut each: impl FnMut(&str) -> bool) -> Option<()> {
    let start = cursor.at;
    let mut read = || {
        cursor.eat(b'[').then_some(())?;
        loop {
            blank_lines(cursor);
            let quote = match cursor.peek()? {
                b']' => {
                    cursor.at += 1;
                    return Some(());
                }
                quote @ (b'\'' | b'"') => quote,
                _ => return None,
            };
            cursor.at += 1;
            let line = cursor.take_while(|byte| byte != quote && byte != b'\\' && byte != b'\n');
            // An empty line may be the beginning of a text over several lines.
            if line.is_empty() || !cursor.eat(quote) || !each(line) {
                return None;
            }
            blank_lines(cursor);
            if !cursor.eat(b',') && cursor.peek() != Some(b']') {
                return None;
            }
        }
    };
    let done = read();
    if done.is_none() {
        cursor.at = start;
    }
    done
}

fn array(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value> {
    cursor.at += 1;
    let mut values = Vec::new();
    loop {
        blank_lines(cursor);
        if cursor.eat(b']') {
            return Ok(Value::Array(values));
        }
        values.push(value(cursor, depth + 1)?);
        blank_lines(cursor);
        if !cursor.eat(b',') && cursor.peek() != Some(b']') {
            return Err(cursor.error(", or ]"));
        }
    }
}

fn inline_table(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value> {
    cursor.at += 1;
    let mut table = Table::new();
    spaces(cursor);
    if cursor.eat(b'}') {
        return Ok(Value::Table(table));
    }
    loop {
        pair(cursor, &mut table, depth + 1, &mut |_, _| false)?;
        spaces(cursor);
        if cursor.eat(b'}') {
            return Ok(Value::Table(table));
        }
        cursor.expect(b',', ", or }")?;
    }
}

fn spaces(cursor: &mut Cursor<'_>) {
    while matches!(cursor.peek(), Some(b' ' | b'\t')) {
        cursor.at += 1;
    }
}

/// Spaces, line breaks and comments.
fn blank_lines(cursor: &mut Cursor<'_>) {
    loop {
        match cursor.peek() {
            Some(b' ' | b'\t' | b'\n' | b'\r') => cursor.at += 1,
            Some(b'#') => {
                cursor.take_while(|b| b != b'\n');
            }
            _ => return,
        }
    }
}

fn end_of_line(cursor: &mut Cursor<'_>) -> Result<()> {
    spaces(cursor);
    if cursor.peek() == Some(b'#') {
        cursor.take_while(|b| b != b'\n');
    }
    cursor.eat(b'\r');
    if cursor.peek().is_none() || cursor.eat(b'\n') {
        Ok(())
    } else {
        Err(cursor.error("the end of the line"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> String {
        let mut out = String::new();
        write(&read(text).unwrap(), &mut out);
        out
    }

    #[test]
    fn what_hand_histories_hold_is_written_back_as_it_was() {
        let text =
            "variant = 'NT'\nantes = [0, 0.50, -0.25, inf]\ntime = 00:12:00\nok = true\nname = \"it's\"\n";
        assert_eq!(round(text), text);
        assert_eq!(round(&round(text)), text);
    }

    #[test]
    fn arrays_may_span_lines_and_hold_comments() {
        let text = "# head\nactions = [\n  'p1 f', # he folds\n  \"p2 cc # why\",\n]\n";
        assert_eq!(round(text), "actions = ['p1 f', 'p2 cc # why']\n");
    }

    #[test]
    fn tables_follow_each_other() {
        let tables = read("[1]\na = 1\n\n[2]\na = '''x'''\n").unwrap();
        assert_eq!(tables.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["1", "2"]);
    }

    #[test]
    fn an_error_names_its_place() {
        let error = read("a = 1\nb = [1, 2\nc = 3\n").unwrap_err();
        assert_eq!(error.to_string(), "line 3, column 1: expected , or ]");
        assert_eq!(read("a = 1\na = 2\n").unwrap_err().place.line, 2);
        assert!(read("a = 01").is_err());
        assert!(read("a = 'x").is_err());
    }
}
