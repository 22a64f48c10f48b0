//! The TypeScript of a game's views and events, for its screen.

use std::any::TypeId;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

/// Compares `web/types.ts` in a game's folder with the Rust types of its views and events, and everything that these
/// contain; `PARLOR_BLESS=1` writes it instead. Call it with `env!("CARGO_MANIFEST_DIR")`.
///
/// # Panics
/// If the file is not what the types say.
pub fn types_match<View: TS + 'static, Event: TS + 'static>(game: impl AsRef<Path>) {
    let mut file = File::new();
    file.add::<View>();
    file.add::<Event>();
    file.matches(&game.as_ref().join("web/types.ts"), &command(game.as_ref()));
}

fn command(game: &Path) -> String {
    let name = game.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    format!("PARLOR_BLESS=1 cargo test -p parlor-{name} typescript")
}

/// A file of TypeScript declarations that is made from Rust types.
pub struct File {
    config: Config,
    seen: Vec<TypeId>,
    /// The types that were asked for, in this order.
    roots: Vec<String>,
    /// Names and declarations.
    declarations: Vec<(String, String)>,
}

impl Default for File {
    fn default() -> Self {
        Self::new()
    }
}

impl File {
    /// A file without declarations.
    #[must_use]
    pub fn new() -> Self {
        // Whole numbers come as JSON numbers, whatever their width in Rust.
        let config = Config::new().with_large_int("number");
        Self { config, seen: Vec::new(), roots: Vec::new(), declarations: Vec::new() }
    }

    /// Adds a type and every type it contains.
    ///
    /// # Panics
    /// If two types have the same name.
    pub fn add<T: TS + 'static + ?Sized>(&mut self) {
        self.roots.push(T::ident(&self.config));
        self.gather::<T>();
    }

    fn gather<T: TS + 'static + ?Sized>(&mut self) {
        if self.seen.contains(&TypeId::of::<T>()) {
            return;
        }
        self.seen.push(TypeId::of::<T>());
        // Only types that were derived have a place of their own; numbers, lists and options do not.
        if T::output_path().is_some() {
            let (name, text) = (T::ident(&self.config), declaration::<T>(&self.config));
            let other = self.declarations.iter().find(|(known, _)| *known == name);
            assert!(other.is_none_or(|(_, known)| *known == text), "two types are called {name}: rename one");
            if other.is_none() {
                self.declarations.push((name, text));
            }
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }

    /// Compares a file with these declarations, or writes it with `PARLOR_BLESS=1`.
    ///
    /// # Panics
    /// If it differs; the message says what to type.
    pub fn matches(&self, path: &Path, command: &str) {
        let mut text = format!("// Made from the Rust types by `{command}`. Do not edit.\n");
        // The order in which a derived type names those it contains changes from build to build.
        let place = |name: &String| self.roots.iter().position(|root| root == name).unwrap_or(usize::MAX);
        let mut sorted: Vec<&(String, String)> = self.declarations.iter().collect();
        sorted.sort_by_key(|(name, _)| (place(name), name.clone()));
        for (_, declaration) in sorted {
            text.push('\n');
            text.push_str(declaration);
        }
        if std::env::var_os("PARLOR_BLESS").is_some() {
            std::fs::write(path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            return;
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(found == text, "{} is not what the types say; write it with `{command}`", path.display());
    }
}

impl TypeVisitor for File {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.gather::<T>();
    }
}

/// One declaration with its comment.
fn declaration<T: TS + 'static + ?Sized>(config: &Config) -> String {
    let docs = T::docs().map_or_else(String::new, |docs| format!("{}\n", one_line(&docs)));
    format!("{docs}export {}\n", laid_out(&T::decl(config)))
}

/// A comment on one line.
fn one_line(comment: &str) -> String {
    let inner = comment.trim().trim_start_matches("/**").trim_end_matches("*/");
    let lines = inner.lines().map(|line| line.trim().trim_start_matches('*').trim());
    format!("/** {} */", lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "))
}

/// The declaration with a line for each field, and for each variant that has several fields.
fn laid_out(declaration: &str) -> String {
    let (mut text, mut depth, mut rest) = (String::new(), 0_usize, declaration);
    while let Some(next) = rest.chars().next() {
        if rest.starts_with("/**") {
            let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
            text.push_str(&one_line(&rest[..end]));
            rest = rest[end..].trim_start();
            new_line(&mut text, depth);
            continue;
        }
        rest = &rest[next.len_utf8()..];
        match next {
            '{' if rest.trim_start().starts_with("[key") => {
                let end = rest.find('}').map_or(rest.len(), |at| at + 1);
                text.push('{');
                text.push_str(&rest[..end]);
                rest = &rest[end..];
            }
            '{' => {
                depth += 1;
                text.push('{');
                rest = rest.trim_start();
                new_line(&mut text, depth);
            }
            ',' if depth > 0 && !in_brackets(&text) => {
                text.push(';');
                rest = rest.trim_start();
                if !rest.starts_with('}') {
                    new_line(&mut text, depth);
                }
            }
            '}' => {
                depth = depth.saturating_sub(1);
                text.truncate(text.trim_end().len());
                new_line(&mut text, depth);
                text.push('}');
            }
            _ => text.push(next),
        }
    }
    text
}

fn new_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
}

/// Whether a list or a tuple is open at the end of the text.
fn in_brackets(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or(text);
    line.matches(['[', '<']).count() > line.matches([']', '>']).count()
}
