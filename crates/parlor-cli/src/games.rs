//! `parlor games`: what can be played here.

use std::io::{self, Write};

use parlor_core::game::Undo;
use parlor_core::{Entry, Json};
use serde_json::json;

use crate::registry;
use crate::shell::Done;

/// What `parlor games` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  parlor games\n  parlor games --json")]
pub(crate) struct Args {
    /// Print one JSON array
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
    let line = |name: &str, title: &str, seats: &str, undo: &str, rules: &str, settings: &str| {
        format!("{name:10} {title:24} {seats:7} {undo:10} {rules:6} {settings}")
    };
    writeln!(out, "{}", line("NAME", "TITLE", "SEATS", "UNDO", "RULES", "SETTINGS"))?;
    for game in &games {
        let settings = match game.default_settings() {
            Json::Null => "none".to_owned(),
            settings => settings.to_string(),
        };
        let (seats, rules) = (registry::seats_text(game), game.rules.to_string());
        writeln!(out, "{}", line(game.name, game.title, &seats, undo_text(game.undo), &rules, &settings))?;
    }
    Ok(())
}

fn described(game: &Entry) -> Json {
    json!({
        "name": game.name,
        "title": game.title,
        "seats": {"min": game.seats.0, "max": game.seats.1},
        "undo": game.undo,
        "rules": game.rules,
        "settings": game.default_settings(),
    })
}

/// Who may take an answer back, in a word.
fn undo_text(undo: Undo) -> &'static str {
    match undo {
        Undo::None => "none",
        Undo::Own => "own",
        Undo::Consent => "consent",
    }
}
