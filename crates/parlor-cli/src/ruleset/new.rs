//! `parlor ruleset new`: writes a small whole ruleset to start from.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::shell::{Done, Failure};

/// Arguments of `parlor ruleset new`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset new mygame\n  parlor ruleset new mygame --into rulesets\n\n\
    The file is a whole game with scenarios: it checks, tests and plays. docs/write-a-ruleset.md is the tutorial."
)]
pub(super) struct Args {
    /// The name of the game: lowercase letters, digits and hyphens. The file is NAME.json
    name: String,
    /// Where to create the file
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    into: PathBuf,
}

const GAME: &str = include_str!("../../template/ruleset/game.json.txt");

pub(super) fn run(args: &Args) -> Done {
    if !crate::new::is_name(&args.name) {
        return Err(Failure::usage(format!("{:?} is not a valid name", args.name))
            .hint("use lowercase letters, digits and hyphens, and begin with a letter"));
    }
    let path = args.into.join(format!("{}.json", args.name));
    let cannot = |error: io::Error| Failure::failed(format!("cannot write {}: {error}", path.display()));
    std::fs::create_dir_all(&args.into).map_err(cannot)?;
    // The file must be new, also when two commands write it at once.
    let mut file = match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::failed(format!("{} already exists", path.display()))
                .hint("choose another name or another folder (--into FOLDER)"));
        }
        opened => opened.map_err(cannot)?,
    };
    let text = GAME.replace("@name@", &args.name).replace("@title@", &crate::new::title(&args.name));
    file.write_all(text.as_bytes()).map_err(cannot)?;
    let shown = path.display();
    writeln!(
        io::stdout().lock(),
        "Created {shown}: a card game for two to four players.\n\n  parlor play {shown}            # a table in the \
         browser; every save opens it anew\n  parlor ruleset check {shown}   # mistakes, each at its place\n  parlor \
         ruleset test {shown}    # its scenarios, random matches, and what never ran\n\nNext: docs/write-a-ruleset.md"
    )?;
    Ok(())
}
