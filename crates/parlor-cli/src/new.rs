//! `parlor new NAME`: writes a small complete game to start from, as a folder of its own or, with `--here`, as a game of
//! this checkout with its own screen.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `parlor new`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The name of the game: lowercase letters, digits and hyphens. The folder gets this name
    name: String,
    /// Where to create the folder
    #[arg(long, default_value = ".", conflicts_with = "here")]
    into: PathBuf,
    /// The checkout of Parlor to build the game against
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))]
    parlor: PathBuf,
    /// Create games/NAME in the checkout, with its own screen, and register it: the server offers it after the next build
    #[arg(long)]
    here: bool,
}

/// Files of a game in a folder of its own.
const FILES: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml.txt")),
    ("src/lib.rs", LIB),
    ("src/main.rs", include_str!("../template/src/main.rs.txt")),
    ("tests/it/main.rs", include_str!("../template/tests/it/main.rs.txt")),
];

/// Files of a game of the checkout.
const FILES_HERE: [(&str, &str); 13] = [
    ("Cargo.toml", include_str!("../template/here/Cargo.toml.txt")),
    ("src/lib.rs", LIB),
    ("tests/it/main.rs", include_str!("../template/here/tests.rs.txt")),
    ("web/Art.svelte", include_str!("../template/here/web/Art.svelte.txt")),
    ("web/Table.svelte", include_str!("../template/here/web/Table.svelte.txt")),
    ("web/browser.test.mjs", include_str!("../template/here/web/browser.test.mjs.txt")),
    ("web/fixtures/@name@.json", include_str!("../template/here/web/fixtures/table.json.txt")),
    ("web/screen.ts", include_str!("../template/here/web/screen.ts.txt")),
    ("web/style.css", include_str!("../template/here/web/style.css.txt")),
    ("web/types.ts", include_str!("../template/here/web/types.ts.txt")),
    ("web/words.en.ts", include_str!("../template/here/web/words.en.ts.txt")),
    ("web/words.ja.ts", include_str!("../template/here/web/words.ja.ts.txt")),
    ("web/words.ru.ts", include_str!("../template/here/web/words.ru.ts.txt")),
];

const LIB: &str = include_str!("../template/src/lib.rs.txt");

/// Where a game of the checkout is registered.
const REGISTRY: &str = "crates/parlor-cli/src/registry.rs";
const MANIFEST: &str = "crates/parlor-cli/Cargo.toml";
const LOCK: &str = "Cargo.lock";

/// Why nothing, or not everything, was written, and what to do.
struct Failure {
    why: String,
    hint: &'static str,
    code: u8,
}

impl Failure {
    fn new(why: String, hint: &'static str) -> Self {
        Self { why, hint, code: 1 }
    }
}

/// Runs the sub-command. Exit codes: 0 success, 1 failure, 2 wrong usage.
pub(crate) fn run(args: Args) -> ExitCode {
    match try_run(&args) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(Failure { why, hint, code }) => {
            eprintln!("error: {why}\nhint: {hint}");
            ExitCode::from(code)
        }
    }
}

fn try_run(args: &Args) -> Result<String, Failure> {
    if !is_name(&args.name) {
        let why = format!("{:?} is not a valid name", args.name);
        let hint = "use lowercase letters, digits and hyphens, and begin with a letter";
        return Err(Failure { code: 2, ..Failure::new(why, hint) });
    }
    if args.here { game_here(args) } else { game_apart(args) }
}

/// Whether this can be the name of a game.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && name.len() <= 64
}

/// A game in a folder of its own.
fn game_apart(args: &Args) -> Result<String, Failure> {
    let folder = args.into.join(&args.name);
    must_be_new(&folder, "choose another name or another folder (--into DIR)")?;
    let parlor = args.parlor.canonicalize().map_err(|error| io(&args.parlor, &error))?;
    let fill = Fill { name: &args.name, parlor: &parlor, here: false };
    write_all(&folder, &FILES, &fill)?;
    Ok(format!(
        "Created {0}: a card game for two to four players.\n\n  cd {0}\n  cargo test    # every test that a game must \
         pass\n  cargo run     # play it in this terminal\n\nNext: docs/write-a-game.md",
        folder.display()
    ))
}

/// A game of the checkout: its folder, and the two lines and the lock file that make it part of the binary.
fn game_here(args: &Args) -> Result<String, Failure> {
    let parlor = args.parlor.canonicalize().map_err(|error| io(&args.parlor, &error))?;
    let name = &args.name;
    let folder = parlor.join("games").join(name);
    must_be_new(&folder, "choose another name")?;
    let read = |path: &str| {
        let path = parlor.join(path);
        std::fs::read_to_string(&path).map_err(|error| {
            Failure::new(
                format!("cannot read {}: {error}", path.display()),
                "run this in a checkout of Parlor, or name one (--parlor DIR)",
            )
        })
    };
    let hint = "add the game by hand: docs/write-a-game.md says how";
    let changed = |path: &str, text: Option<String>| {
        text.ok_or_else(|| Failure::new(format!("{path} is not as expected"), hint))
    };
    // Everything is prepared before anything is written.
    let registry = changed(REGISTRY, with_registration(&read(REGISTRY)?, name))?;
    let manifest = changed(MANIFEST, with_dependency(&read(MANIFEST)?, name))?;
    let lock = changed(LOCK, with_package(&read(LOCK)?, name))?;
    write_all(&folder, &FILES_HERE, &Fill { name, parlor: &parlor, here: true })?;
    for (path, text) in [(REGISTRY, registry), (MANIFEST, manifest), (LOCK, lock)] {
        let path = parlor.join(path);
        std::fs::write(&path, text).map_err(|error| io(&path, &error))?;
    }
    Ok(format!(
        "Created games/{name}: a card game for two to four players, with its own screen in games/{name}/web.\nChanged \
         {REGISTRY}, {MANIFEST} and {LOCK} by one entry each.\n\n  cargo test -p parlor-{name}       # every test that a \
         game must pass\n  cargo run --release -- play      # play it in the browser\n\nTo remove it, delete the folder \
         and these entries. Next: docs/write-a-game.md"
    ))
}

fn must_be_new(folder: &Path, hint: &'static str) -> Result<(), Failure> {
    if folder.exists() {
        return Err(Failure::new(format!("{} already exists", folder.display()), hint));
    }
    Ok(())
}

fn io(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()), "check the path and its permissions")
}

/// What takes the place of `@…@` in the templates.
struct Fill<'a> {
    name: &'a str,
    parlor: &'a Path,
    here: bool,
}

impl Fill<'_> {
    fn text(&self, template: &str) -> String {
        let title = title(self.name);
        let parlor = self.parlor.display().to_string().replace('\\', "/");
        let (use_ts, ts, public) =
            if self.here { ("use ts_rs::TS;\n", ", TS", "pub ") } else { ("", "", "") };
        template
            .replace("@name@", self.name)
            .replace("@lib@", &lib(self.name))
            .replace("@title@", &title)
            .replace("@parlor@", &parlor)
            .replace("@use_ts@", use_ts)
            .replace("@ts@", ts)
            .replace("@pub@", public)
    }
}

/// The name of a game for people.
pub(crate) fn title(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    (first.to_uppercase() + rest).replace('-', " ")
}

fn lib(name: &str) -> String {
    name.replace('-', "_")
}

fn write_all(folder: &Path, files: &[(&str, &str)], fill: &Fill<'_>) -> Result<(), Failure> {
    for (path, template) in files {
        let path = folder.join(fill.text(path));
        let parent = path.parent().unwrap_or(folder);
        let written =
            std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, fill.text(template)));
        written.map_err(|error| io(&path, &error))?;
    }
    Ok(())
}

/// The registry with this game after the others.
fn with_registration(registry: &str, name: &str) -> Option<String> {
    let at = registry.find("\n    ];\n")? + 1;
    let line = format!("        Registration::new(parlor_{}::def()),\n", lib(name));
    Some([&registry[..at], &line, &registry[at..]].concat())
}

/// The binary's manifest with this game among the others, in the order of their names.
fn with_dependency(manifest: &str, name: &str) -> Option<String> {
    let line = format!("parlor-{name} = {{ path = \"../../games/{name}\" }}");
    let is_game = |line: &str| line.contains("path = \"../../games/");
    let mut lines: Vec<&str> = manifest.lines().collect();
    let last = lines.iter().rposition(|line| is_game(line))?;
    let at = lines.iter().position(|other| is_game(other) && **other > *line).unwrap_or(last + 1);
    lines.insert(at, &line);
    Some(lines.join("\n") + "\n")
}

/// The lock file with this game as a package, and as a dependency of the binary; both lists are in order.
fn with_package(lock: &str, name: &str) -> Option<String> {
    let package = format!(
        "[[package]]\nname = \"parlor-{name}\"\nversion = \"{}\"\ndependencies = [\n \"parlor-core\",\n \
         \"parlor-script\",\n \"parlor-testkit\",\n \"serde\",\n \"ts-rs\",\n]",
        env!("CARGO_PKG_VERSION")
    );
    let mut packages: Vec<String> = lock.trim_end().split("\n\n").map(str::to_owned).collect();
    let named = |package: &str| {
        let line = package.lines().find(|line| line.starts_with("name = "))?;
        Some(line.trim_start_matches("name = ").trim_matches('"').to_owned())
    };
    let binary = packages.iter_mut().find(|package| named(package).as_deref() == Some("parlor-cli"))?;
    *binary = with_entry(binary, &format!("parlor-{name}"))?;
    let new = format!("parlor-{name}");
    let at = packages.iter().position(|package| named(package).is_some_and(|other| other > new))?;
    packages.insert(at, package);
    Some(packages.join("\n\n") + "\n")
}

/// A package of the lock file with one more dependency.
fn with_entry(package: &str, dependency: &str) -> Option<String> {
    let line = format!(" \"{dependency}\",");
    let mut lines: Vec<&str> = package.lines().collect();
    let start = lines.iter().position(|line| *line == "dependencies = [")? + 1;
    let end = start + lines[start..].iter().position(|line| *line == "]")?;
    let at = start + lines[start..end].iter().position(|other| **other > *line).unwrap_or(end - start);
    lines.insert(at, &line);
    Some(lines.join("\n"))
}
