//! Reads the declarations of structs and enums from Rust sources.
//!
//! The sources are formatted (the test command checks that), so it is enough to read line by line. The reader refuses
//! what it does not understand, so that it leaves nothing out silently.

/// A struct or an enum.
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) doc: Vec<String>,
    /// The text of its `#[derive]` and `#[serde]` lines.
    pub(crate) attributes: String,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) doc: Vec<String>,
    pub(crate) attributes: String,
    pub(crate) ty: String,
}

pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) doc: Vec<String>,
    pub(crate) fields: Vec<Field>,
}

/// Doc comments and attributes that belong to the next declaration.
#[derive(Default)]
struct Lead {
    doc: Vec<String>,
    attributes: String,
}

impl Lead {
    /// Takes a line if it is a doc comment or an attribute.
    fn takes(&mut self, line: &str) -> bool {
        if let Some(doc) = line.strip_prefix("///") {
            self.doc.push(doc.trim().to_owned());
        } else if line.starts_with("#[") {
            assert!(line.ends_with(']'), "an attribute on one line was expected: {line}");
            self.attributes.push_str(line);
        } else {
            return false;
        }
        true
    }
}

/// The declaration of this name.
pub(crate) fn declared(source: &str, name: &str) -> Declared {
    let mut lead = Lead::default();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if lead.takes(line) {
            continue;
        }
        let Lead { doc, attributes } = std::mem::take(&mut lead);
        let body: Vec<&str> =
            if line == format!("pub struct {name} {{") || line == format!("pub enum {name} {{") {
                lines.by_ref().take_while(|line| *line != "}").collect()
            } else {
                continue;
            };
        let body = if line.starts_with("pub struct") {
            Body::Struct(fields(&body))
        } else {
            Body::Enum(variants(&body))
        };
        return Declared { name: name.to_owned(), doc, attributes, body };
    }
    panic!("there is no {name}");
}

fn fields(lines: &[&str]) -> Vec<Field> {
    let mut lead = Lead::default();
    let mut found = Vec::new();
    for line in lines.iter().map(|line| line.trim()) {
        if lead.takes(line) {
            continue;
        }
        let (name, ty) = line
            .trim_start_matches("pub ")
            .strip_suffix(',')
            .and_then(|line| line.split_once(": "))
            .unwrap_or_else(|| panic!("a field was expected: {line}"));
        let Lead { doc, attributes } = std::mem::take(&mut lead);
        found.push(Field { name: name.to_owned(), doc, attributes, ty: ty.to_owned() });
    }
    found
}

fn variants(lines: &[&str]) -> Vec<Variant> {
    let mut lead = Lead::default();
    let mut found = Vec::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if lead.takes(line) {
            continue;
        }
        let Lead { doc, .. } = std::mem::take(&mut lead);
        let (name, fields) = match (line.strip_suffix(" {"), line.strip_suffix(',')) {
            (Some(name), _) => {
                let body: Vec<&str> = lines.by_ref().copied().take_while(|line| *line != "    },").collect();
                (name, fields(&body))
            }
            (None, Some(name)) if !name.contains('(') => (name, Vec::new()),
            _ => panic!("a variant was expected: {line}"),
        };
        found.push(Variant { name: name.to_owned(), doc, fields });
    }
    found
}

/// The value of `name = "…"` in serde's attributes.
pub(crate) fn serde<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = attributes.split_once(&format!("{name} = \""))?;
    rest.split('"').next()
}

/// A name as serde writes it.
pub(crate) fn renamed(name: &str, rule: Option<&str>) -> String {
    let snake = |name: &str| {
        let mut text = String::new();
        for encoded in name.chars() {
            if encoded.is_uppercase() && !text.is_empty() {
                text.push('_');
            }
            text.extend(encoded.to_lowercase());
        }
        text
    };
    match rule {
        None => name.to_owned(),
        Some("lowercase") => name.to_lowercase(),
        Some("snake_case") => snake(name),
        Some("camelCase") => {
            let mut parts = name.split('_');
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |text, part| text + &part[..1].to_uppercase() + &part[1..])
        }
        Some(other) => panic!("names in {other} were never needed before"),
    }
}
