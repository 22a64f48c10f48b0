//! Playing a recorded game again: walls and actions from a record, everything else by the table's own transitions.
//!
//! A record names what was done; draws, indicators, accepted riichi, results and the next round follow. Where the record
//! says what should follow, it is compared, never believed. Passes are not recorded: whoever the next action does not
//! name has passed.

use super::answer::{Answer, KanName, TileName};
use super::event::Event;
use super::result::{GameEnd, RoundResult};
use super::settings::Settings;
use super::state::{Phase, Standing, Table};
use super::wall::Wall;
use super::window::{Window, WindowKind};
use super::{Action, SEATS_MAX};
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::tile::Tile;

/// One recorded action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Discard { seat: Seat, tile: Tile, riichi: bool },
    Chi { seat: Seat, own: [Tile; 2] },
    Pon { seat: Seat, own: [Tile; 2] },
    Daiminkan { seat: Seat },
    Ankan { seat: Seat, tile: Tile },
    Kakan { seat: Seat, tile: Tile },
}

impl Deed {
    /// Who did it.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        match *self {
            Self::Discard { seat, .. }
            | Self::Chi { seat, .. }
            | Self::Pon { seat, .. }
            | Self::Daiminkan { seat }
            | Self::Ankan { seat, .. }
            | Self::Kakan { seat, .. } => seat,
        }
    }

    fn answer(&self) -> Answer {
        let name = |tile: Tile| TileName::Id(i64::from(tile.id()));
        match *self {
            Self::Discard { tile, riichi: false, .. } => Answer::Discard(name(tile)),
            Self::Discard { tile, riichi: true, .. } => Answer::Riichi(name(tile)),
            Self::Chi { own, .. } => Answer::Chi(Some(own.map(name))),
            Self::Pon { own, .. } => Answer::Pon(Some(own.map(name))),
            Self::Daiminkan { .. } => Answer::Kan(Some(KanName::Open), None),
            Self::Ankan { tile, .. } => Answer::Kan(Some(KanName::Closed), Some(name(tile))),
            Self::Kakan { tile, .. } => Answer::Kan(Some(KanName::Added), Some(name(tile))),
        }
    }
}

/// How a recorded round came to its end: what the actions alone do not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// Nobody did anything more.
    Nothing,
    /// These seats won; from whom, if not by self-draw.
    Won { by: Vec<Seat>, from: Option<Seat> },
    /// Nine kinds.
    Nine,
    /// All others called ron.
    TripleRon,
}

/// Something a record says should have happened; compared in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Draw { seat: Seat, tile: Tile, rinshan: bool },
    Discard { seat: Seat, tile: Tile },
    Meld { seat: Seat, kind: MeldKind },
    Dora { tile: Tile },
    RiichiAccepted { seat: Seat },
}

/// A recorded round.
#[derive(Clone, Debug)]
pub struct RoundScript {
    pub wall: Wall,
    pub deeds: Vec<Deed>,
    pub closing: Closing,
    /// Empty: nothing to compare with.
    pub marks: Vec<Mark>,
}

/// What came of a round.
#[derive(Clone, Debug)]
pub struct RoundRun {
    /// As it was at the start.
    pub standing: Standing,
    pub events: Vec<Event>,
    /// None if the record could not be followed to its end.
    pub result: Option<RoundResult>,
    pub end_scores: [i32; SEATS_MAX],
    pub disagreements: Vec<String>,
}

/// What came of a game.
#[derive(Clone, Debug)]
pub struct GameRun {
    pub rounds: Vec<RoundRun>,
    /// None if the table has not ended the game.
    pub end: Option<GameEnd>,
}

impl GameRun {
    /// Whether nothing disagreed.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.rounds.iter().all(|round| round.disagreements.is_empty())
    }
}

/// Plays a recorded game from the standing of its first round on.
///
/// # Errors
/// If the settings are at fault, or there is no round.
pub fn play(settings: Settings, first: Standing, rounds: &[RoundScript]) -> Result<GameRun, String> {
    let Some(opening) = rounds.first() else { return Err("the record has no round".into()) };
    let mut events = Vec::new();
    let table = Table::start_from(settings, first, &mut |_| opening.wall, &mut |event| events.push(event));
    let mut table = table.map_err(|error| error.to_string())?;
    let mut run = GameRun { rounds: Vec::new(), end: None };
    for (index, script) in rounds.iter().enumerate() {
        let standing = *table.standing();
        let mut disagreements = follow(&mut table, script, &mut events);
        let end = table.game_end().copied();
        let finished = table.round_result().is_some();
        // Leftover sticks go to the winner of the game, not of its last round.
        let end_scores = scores_after(&events).unwrap_or(table.standing().scores);
        if end.is_some() && index + 1 < rounds.len() {
            disagreements.push("the game is over here, but the record goes on".into());
        }
        let result = table.round_result().cloned();
        let told = std::mem::take(&mut events);
        run.rounds.push(RoundRun { standing, events: told, result, end_scores, disagreements });
        run.end = end;
        let Some(next) = rounds.get(index + 1) else { break };
        if !finished || end.is_some() {
            break;
        }
        for seat in table.asked().iter() {
            table.apply(seat, Action::Confirm, &mut |_| next.wall, &mut |event| events.push(event));
        }
    }
    Ok(run)
}

fn scores_after(events: &[Event]) -> Option<[i32; SEATS_MAX]> {
    events.iter().rev().find_map(|event| match event {
        Event::RoundEnd { scores, .. } => Some(*scores),
        _ => None,
    })
}

/// Follows one round to its end; gives what disagreed.
fn follow(table: &mut Table, script: &RoundScript, events: &mut Vec<Event>) -> Vec<String> {
    let mut disagreements = Vec::new();
    let mut deeds = script.deeds.iter().copied().peekable();
    loop {
        let step = match table.phase() {
            Phase::Turn { seat, .. } => turn_answer(*seat, deeds.next(), &script.closing),
            Phase::Window(window) => {
                let answers = window_answers(window, deeds.peek().copied(), &script.closing);
                if answers
                    .iter()
                    .any(|(_, answer)| matches!(answer, Answer::Pon(_) | Answer::Chi(_) | Answer::Kan(..)))
                {
                    deeds.next();
                }
                Ok(answers)
            }
            Phase::RoundEnd { .. } | Phase::Over { .. } => break,
        };
        let done = step.and_then(|answers| give(table, &answers, events));
        if let Err(fault) = done {
            disagreements.push(fault);
            return disagreements;
        }
    }
    if let Some(deed) = deeds.next() {
        disagreements.push(format!("the round is over before {deed:?}"));
    }
    disagreements.extend(compare(&script.marks, events));
    disagreements
}

fn turn_answer(seat: Seat, deed: Option<Deed>, closing: &Closing) -> Result<Vec<(Seat, Answer)>, String> {
    match (deed, closing) {
        (Some(deed), _) if deed.seat() == seat => Ok(vec![(seat, deed.answer())]),
        (Some(deed), _) => Err(format!("it is the turn of {seat}, not time for {deed:?}")),
        (None, Closing::Won { by, from: None }) if by[..] == [seat] => Ok(vec![(seat, Answer::Tsumo)]),
        (None, Closing::Nine) => Ok(vec![(seat, Answer::Nine)]),
        (None, closing) => Err(format!("it is the turn of {seat}, but the record ends with {closing:?}")),
    }
}

/// What the seats answer in a window: the next deed if it is a call on this tile, the wins if nothing follows.
fn window_answers(window: &Window, next: Option<Deed>, closing: &Closing) -> Vec<(Seat, Answer)> {
    let mut answers: Vec<(Seat, Answer)> = match (next, closing) {
        (Some(deed), _) if window.kind == WindowKind::Discard && deed.seat() != window.from => match deed {
            Deed::Chi { .. } | Deed::Pon { .. } | Deed::Daiminkan { .. } => {
                vec![(deed.seat(), deed.answer())]
            }
            _ => Vec::new(),
        },
        (None, Closing::Won { by, from: Some(from) }) if *from == window.from => {
            by.iter().map(|&seat| (seat, Answer::Ron)).collect()
        }
        (None, Closing::TripleRon) => window.waiting.iter().map(|seat| (seat, Answer::Ron)).collect(),
        _ => Vec::new(),
    };
    // The named seats first: the last answer closes the window.
    let named = answers.clone();
    let silent = window.waiting.iter().filter(|seat| named.iter().all(|(named, _)| named != seat));
    answers.extend(silent.map(|seat| (seat, Answer::Pass)));
    answers
}

fn give(table: &mut Table, answers: &[(Seat, Answer)], events: &mut Vec<Event>) -> Result<(), String> {
    for (seat, answer) in answers {
        let action =
            table.check(*seat, answer).map_err(|refusal| format!("{seat}: {answer:?}: {refusal}"))?;
        let mut no_wall = |_: &Standing| Wall::sorted();
        table.apply(*seat, action, &mut no_wall, &mut |event| events.push(event));
    }
    if answers.is_empty() {
        return Err("nobody is asked, and the round goes on".into());
    }
    Ok(())
}

/// The marks that events make.
pub(super) fn marks(events: &[Event]) -> impl Iterator<Item = Mark> + '_ {
    events.iter().filter_map(|event| match event {
        Event::Draw { seat, tile, rinshan } => {
            tile.map(|tile| Mark::Draw { seat: *seat, tile, rinshan: *rinshan })
        }
        Event::Discard { seat, tile, .. } => Some(Mark::Discard { seat: *seat, tile: *tile }),
        Event::Meld { seat, kind, .. } => Some(Mark::Meld { seat: *seat, kind: *kind }),
        Event::Dora { tile } => Some(Mark::Dora { tile: *tile }),
        Event::RiichiAccepted { seat } => Some(Mark::RiichiAccepted { seat: *seat }),
        _ => None,
    })
}

fn compare(expected: &[Mark], events: &[Event]) -> Option<String> {
    if expected.is_empty() {
        return None;
    }
    let found: Vec<Mark> = marks(events).collect();
    let place = (0..found.len().max(expected.len())).find(|&at| found.get(at) != expected.get(at))?;
    let text = |mark: Option<&Mark>| mark.map_or("nothing".into(), |mark| format!("{mark:?}"));
    Some(format!(
        "action {place}: the record has {}, here is {}",
        text(expected.get(place)),
        text(found.get(place))
    ))
}
