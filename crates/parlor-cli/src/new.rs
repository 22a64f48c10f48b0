//! `parlor new NAME`: writes a folder with a small complete game to start from.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `parlor new`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The name of the game: lowercase letters, digits and hyphens. The folder gets this name
    name: String,
    /// Where to create the folder
    #[arg(long, default_value = ".")]
    into: PathBuf,
    /// The checkout of Parlor to build the game against
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))]
    parlor: PathBuf,
}

const FILES: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml.txt")),
    ("src/lib.rs", include_str!("../template/src/lib.rs.txt")),
    ("src/main.rs", include_str!("../template/src/main.rs.txt")),
    ("tests/it/main.rs", include_str!("../template/tests/it/main.rs.txt")),
];

/// Runs the sub-command. Exit codes: 0 success, 1 failure, 2 wrong usage.
pub(crate) fn run(args: Args) -> ExitCode {
    let folder = args.into.join(&args.name);
    if !is_name(&args.name) {
        eprintln!(
            "error: {:?} is not a valid name\nhint: use lowercase letters, digits and hyphens, and begin with a letter",
            args.name
        );
        return ExitCode::from(2);
    }
    if folder.exists() {
        eprintln!(
            "error: {} already exists\nhint: choose another name or another folder (--into DIR)",
            folder.display()
        );
        return ExitCode::FAILURE;
    }
    match make(&args.name, &folder, &args.parlor) {
        Ok(()) => {
            println!("Created {}: a card game for two to four players.\n", folder.display());
            println!("  cd {}\n  cargo test    # every test that a game must pass", folder.display());
            println!("  cargo run     # play it in this terminal\n\nNext: docs/write-a-game.md");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: cannot write {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && name.len() <= 64
}

/// Writes the template into the folder and fills in the game's name.
fn make(name: &str, folder: &Path, parlor: &Path) -> std::io::Result<()> {
    let parlor = parlor.canonicalize()?.display().to_string().replace('\\', "/");
    let (first, rest) = name.split_at(1);
    let title = (first.to_uppercase() + rest).replace('-', " ");
    for (path, text) in FILES {
        let text = text
            .replace("@name@", name)
            .replace("@lib@", &name.replace('-', "_"))
            .replace("@title@", &title)
            .replace("@parlor@", &parlor);
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, text)?;
    }
    Ok(())
}
