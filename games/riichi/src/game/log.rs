//! Logs of the house as played games: what every viewer was told, put together again.

use parlor_core::logfile::LogFile;
use parlor_core::{Game, Json, Match, Seats};

use super::Riichi;
use crate::pay::Seat;
use crate::table::script::{GameRun, RoundRun};
use crate::table::tenhou6::Heading;
use crate::table::{Event, Settings, mjai, tenhou6};

/// A game from its log.
pub struct Played {
    pub settings: Settings,
    pub run: GameRun,
}

/// Plays a log again.
///
/// # Errors
/// If the text is no log of this game, or does not play as it was recorded.
pub fn play_log(text: &str) -> Result<Played, String> {
    let log: LogFile = LogFile::parse(text).map_err(|error| error.to_string())?;
    let plain = |error: serde_json::Error| error.to_string();
    let given = serde_json::to_value(&log.header.settings).map_err(plain)?;
    let settings = match given {
        Json::Null => super::TableSettings::default(),
        given => serde_json::from_value(given).map_err(plain)?,
    };
    let refused = |refusal: parlor_core::Refusal| refusal.to_string();
    let (mut game, started) = Match::start(Riichi::def(), log.header).map_err(refused)?;
    let mut told = started.events;
    for record in log.records {
        let applied = game.apply(record.at, record.by, record.key, record.body).map_err(refused)?;
        told.extend(applied.events);
    }
    Ok(Played { settings: settings.rules, run: run_of(&merged(&told)) })
}

/// A log in one of the notations `tenhou6` (one file for each round) and `mjai`, as lines of JSON; the media type and the
/// text. `None` if there is no notation of this name.
///
/// # Errors
/// As for [`play_log`].
pub fn write_notation(notation: &str, log: &str) -> Option<Result<(&'static str, String), String>> {
    let write: fn(&Played) -> Vec<Json> = match notation {
        "tenhou6" => |played| {
            let heading = Heading::of_settings(&played.settings);
            // The last round of a match that was stopped has no end, and no file.
            let rounds = played.run.rounds.iter();
            rounds.filter_map(|round| tenhou6::export_round(round, &heading)).collect()
        },
        "mjai" => |played| mjai::export(&played.run, &seat_names()),
        _ => return None,
    };
    let text = |played: &Played| write(played).iter().map(|line| format!("{line}\n")).collect();
    Some(play_log(log).map(|played| ("application/x-ndjson", text(&played))))
}

/// The whole events: what one seat alone was told, and what everybody was; what each seat was told of a deal is put
/// together (003-10).
fn merged(told: &[(Seats, Json)]) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for (to, event) in told {
        let Ok(event) = serde_json::from_value::<Event>(event.clone()) else { continue };
        match (&event, events.last_mut()) {
            (Event::RoundStarted { hands: more, .. }, Some(Event::RoundStarted { hands, .. })) => {
                for (hand, more) in hands.iter_mut().zip(more.iter()).filter(|(_, more)| !more.is_empty()) {
                    hand.clone_from(more);
                }
            }
            (Event::Draw { tile: None, .. }, _) => {}
            _ if *to == Seats::GALLERY => {}
            _ => events.push(event),
        }
    }
    events
}

fn run_of(events: &[Event]) -> GameRun {
    let mut run = GameRun { rounds: Vec::new(), end: None };
    for event in events {
        if let Event::RoundStarted { standing, .. } = event {
            run.rounds.push(RoundRun {
                standing: *standing,
                events: Vec::new(),
                result: None,
                end_scores: standing.scores,
                disagreements: Vec::new(),
            });
        }
        let Some(round) = run.rounds.last_mut() else { continue };
        match event {
            Event::RoundEnd { result, scores } => {
                (round.result, round.end_scores) = (Some((**result).clone()), *scores);
            }
            Event::GameEnd { end } => run.end = Some(*end),
            _ => {}
        }
        round.events.push(event.clone());
    }
    run
}

/// The names of the seats where nobody gave any.
#[must_use]
pub fn seat_names() -> [String; 4] {
    Seat::ALL.map(|seat| format!("Seat {}", seat.index()))
}
