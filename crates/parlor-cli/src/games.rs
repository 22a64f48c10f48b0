//! `parlor games`: lists the games of this build.

use std::io::{self, Write};

use parlor_core::game::Undo;
use parlor_core::{GameDef, Json};
use serde_json::json;

use crate::registry;
use crate::shell::Done;

/// Arguments of `parlor games`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  parlor games\n  parlor games --json")]
pub(crate) struct Args {
    /// Print the list as one JSON array
    #[arg(long)]
    json: bool,
}

/// Lists the games.
pub(crate) fn run(args: &Args) -> Done {
    let games = registry::games();
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", games.iter().map(described).collect::<Json>())?;
        return Ok(());
    }
    let head = ["NAME", "TITLE", "SEATS", "UNDO", "RULES", "SETTINGS"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(games.iter().map(row)).collect();
    for line in columns(&rows) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn row(game: &GameDef) -> [String; 6] {
    let settings = match game.default_settings() {
        Json::Null => "none".to_owned(),
        settings => settings.to_string(),
    };
    // A ruleset is identified by a hash of its content, as in the header of every match.
    let rules = game.identity_hex().map_or_else(|| game.rules.to_string(), |hash| hash[..8].to_owned());
    let seats = registry::seats_text(game);
    [game.name.to_owned(), game.title.to_owned(), seats, undo_text(game.undo).to_owned(), rules, settings]
}

/// Pads each column to its widest cell.
fn columns<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let wide = |n: usize| rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(wide).collect();
    let line = |row: &[String; N]| {
        let padded = row.iter().zip(&widths).map(|(def, width)| format!("{def:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn described(game: &GameDef) -> Json {
    json!({
        "name": game.name,
        "title": game.title,
        "seats": {"min": game.seats.0, "max": game.seats.1},
        "undo": game.undo,
        "rules": game.rules,
        "settings": game.default_settings(),
    })
}

/// Who may take an answer back.
fn undo_text(undo: Undo) -> &'static str {
    match undo {
        Undo::None => "none",
        Undo::Own => "own",
        Undo::Consent => "consent",
    }
}
