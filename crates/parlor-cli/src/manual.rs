//! `parlor completions` and `parlor man`: generated from the command definitions, so they are never out of date.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Cli;
use crate::shell::{Done, Failure};

/// Arguments of `parlor completions`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor completions bash > ~/.local/share/bash-completion/completions/parlor\n  \
    parlor completions fish > ~/.config/fish/completions/parlor.fish"
)]
pub(crate) struct CompletionsArgs {
    /// The shell to print completions for
    shell: Shell,
}

/// Arguments of `parlor man`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  parlor man | man -l -\n  parlor man --out ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write a page for each command into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Done {
    // Into memory first: the generator panics when its reader closes the pipe.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "parlor", &mut text);
    io::stdout().write_all(&text)?;
    Ok(())
}

/// Prints the page of `parlor`, or writes the page of every command.
pub(crate) fn man(args: &ManArgs) -> Done {
    let Some(dir) = &args.out else {
        let mut text = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut text)?;
        io::stdout().write_all(&text)?;
        return Ok(());
    };
    let failed =
        |error: io::Error| Failure::failed(format!("cannot write pages to {}: {error}", dir.display()));
    std::fs::create_dir_all(dir).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(failed)
}
