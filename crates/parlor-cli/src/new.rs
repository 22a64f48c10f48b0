//! `parlor new NAME`: a folder with a small whole game in it, to be changed into yours.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `parlor new` takes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The name of the game: small letters, digits and hyphens. A folder of that name is made here
    name: String,
    /// Where to make it, if not here
    #[arg(long, default_value = ".")]
    into: PathBuf,
    /// The checkout of Parlor that the game is built against
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))]
    parlor: PathBuf,
}

const FILES: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml.txt")),
    ("src/lib.rs", include_str!("../template/src/lib.rs.txt")),
    ("src/main.rs", include_str!("../template/src/main.rs.txt")),
    ("tests/it/main.rs", include_str!("../template/tests/it/main.rs.txt")),
];

/// Runs the sub-command; exit code 0 done, 1 failed, 2 wrong usage.
pub(crate) fn run(args: Args) -> ExitCode {
    let folder = args.into.join(&args.name);
    if !is_name(&args.name) {
        eprintln!("{:?} is no name for a game: small letters, digits and hyphens, a letter first", args.name);
        return ExitCode::from(2);
    }
    if folder.exists() {
        eprintln!("{} exists already", folder.display());
        return ExitCode::FAILURE;
    }
    match make(&args.name, &folder, &args.parlor) {
        Ok(()) => {
            println!("{}: a game for two to four.\n", folder.display());
            println!("  cd {}\n  cargo test    # everything a game must pass", folder.display());
            println!("  cargo run     # play it here\n\nNext: docs/write-a-game.md");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && name.len() <= 64
}

/// Writes the template into the folder, with the game's name in it.
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
