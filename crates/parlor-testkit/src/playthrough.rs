//! Playthroughs: a whole match in readable text, kept in the repository. A change of rules is reviewed by reading its
//! diff.

use std::fmt::Write as _;
use std::path::Path;

use parlor_core::{AskKind, Viewer};

use crate::random;
use crate::world::{Plan, World, seats, test_luck};

/// How many steps are shown.
const STEPS: usize = 24;

/// Plays the plan's match and returns its text.
#[must_use]
pub fn write(plan: &Plan) -> String {
    let mut text = String::new();
    let def = plan.def;
    let _ = writeln!(text, "{} (rules {}), {} seats, seed `{}`", def.title, def.rules, plan.seats, plan.seed);
    let _ = writeln!(text, "settings {}", plan.settings);
    let mut world = World::open(plan.clone());
    let mut rng = test_luck(17);
    show_position(&world, &mut text);
    for _ in 0..STEPS {
        let (sent, seq) = (world.sent.len(), world.view().current_match().next_seq());
        if !random::step(&mut world, &mut rng) {
            break;
        }
        let play = world.view().current_match();
        for record in play.records().iter().filter(|record| record.seq >= seq) {
            let line = serde_json::to_string(record).expect("a record is plain data");
            let _ = writeln!(text, "\n== {line}");
        }
        for sent in &world.sent[sent..] {
            let _ = writeln!(text, "  {:>6} ms -> {}: {}", sent.at, name(plan, sent.conn.0), sent.bytes);
        }
        show_position(&world, &mut text);
    }
    let _ = writeln!(text, "\ndigest {}", world.view().current_match().digest());
    text
}

fn name(plan: &Plan, conn: u64) -> String {
    if conn == u64::from(plan.seats) { "gallery".to_owned() } else { format!("seat {conn}") }
}

fn show_position(world: &World, text: &mut String) {
    let play = world.view().current_match();
    let _ = writeln!(text, "\n-- match {} at {} ms", play.header().match_no, world.now);
    for viewer in Viewer::all(world.plan.seats) {
        let _ = writeln!(text, "  {viewer} sees {}", play.view(viewer));
    }
    for seat in seats(&world.plan) {
        for stand in play.open_requests(seat) {
            let request = play.request(seat, stand.ask);
            let titles: Vec<&str> = request.choices.iter().map(|choice| choice.title.as_str()).collect();
            let kind = match stand.kind {
                AskKind::Request => "is asked",
                AskKind::Offer => "may say",
                AskKind::Draft => "may draft",
            };
            let _ = writeln!(text, "  {seat:?} {kind} #{}: {} {titles:?}", stand.input, request.title);
        }
    }
    if let Some(outcome) = play.outcome() {
        let _ = writeln!(text, "  over: {outcome:?}");
    }
}

/// Compares with the file; `PARLOR_BLESS=1` writes it.
///
/// # Errors
/// The first line that differs.
pub fn compare(text: &str, path: &Path) -> Result<(), String> {
    if std::env::var_os("PARLOR_BLESS").is_some() {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        return std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
    }
    let kept = std::fs::read_to_string(path)
        .map_err(|error| format!("{}: {error} (PARLOR_BLESS=1 writes the playthrough)", path.display()))?;
    if kept == text {
        return Ok(());
    }
    let differs = kept.lines().zip(text.lines()).enumerate().find(|(_, (old, new))| old != new);
    Err(match differs {
        Some((n, (old, new))) => {
            format!("{}:{}\n  was {old}\n  is  {new}\n(PARLOR_BLESS=1 writes it anew)", path.display(), n + 1)
        }
        None => format!("{}: the playthrough has become longer or shorter", path.display()),
    })
}
