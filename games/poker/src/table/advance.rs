//! What the server does with a record by itself: deal, act for those who do not, finish; and one viewer's copy of it.

use crate::deal::Rng;
use crate::hand::{Hand, Phase};
use crate::legal::{Action, Legal, Move};
use crate::money::Chips;
use crate::notation::entry::{Entry, Step};
use crate::notation::record::Record;
use crate::notation::value::Value;
use crate::replay::ReplayError;
use crate::row::Row;
use crate::table::columns;
use crate::table::settings::{Settings, TimeoutAction};
use crate::table::view::trim;

/// What is done for the player whose turn it is, or for `player` if it is theirs (ruling 004/R8). `None` when nobody, or
/// somebody else, is to act.
///
/// # Errors
/// When the log does not follow the rules.
pub fn auto(record: &Record, player: Option<usize>, table: &Settings) -> Result<Option<Entry>, ReplayError> {
    let (hand, places) = columns::play(record)?;
    let Some(column) = hand.turn().and_then(|turn| places.iter().position(|&place| place == turn)) else {
        return Ok(None);
    };
    if player.is_some_and(|player| player != column) {
        return Ok(None);
    }
    let fold = match hand.legal() {
        Legal::Bet(choices) if table.timeout_action == TimeoutAction::Fold => choices.to_fold(),
        _ => None,
    };
    Ok(fold.or_else(|| hand.auto()).map(|mv| line(record, &hand, column, mv)))
}

fn line(record: &Record, hand: &Hand, column: usize, mv: Move) -> Entry {
    let scale = record.scale();
    Entry::from(match mv.action() {
        Action::DealHole(_, row) => Step::DealHole(column, row),
        Action::DealBoard(row) => Step::DealBoard(row),
        Action::Fold(_) => Step::Fold(column),
        Action::Call(_) => Step::Call(column, None),
        Action::Raise(_, to) => Step::Raise(column, trim(scale, to)),
        Action::BringIn(_) => Step::BringIn(column),
        Action::Draw(_, row) => Step::Draw(column, row),
        Action::Show(_, row) => Step::Show(column, row),
        Action::ShowAll(place) => Step::Show(column, *hand.hole(place)),
        Action::Muck(_) => Step::Muck(column),
    })
}

/// Deals, folds those who no longer play when it is their turn, shows hands that are all-in, and writes the stacks down
/// when the hand is over; stops where a player has to decide.
///
/// # Errors
/// When the log does not follow the rules.
pub fn advance(record: &Record, rng: &mut impl Rng) -> Result<Record, ReplayError> {
    let mut new = record.clone();
    let active = (0..record.players()).filter(|&column| !record.sits_out(column)).count();
    if active < 2 {
        return Ok(new);
    }
    let (mut hand, places) = columns::play(&new)?;
    let column_of = |place: usize| places.iter().position(|&other| other == place).unwrap_or(0);
    loop {
        let mv = match (hand.legal(), hand.turn()) {
            (Legal::Deal { .. }, _) => hand.next_deal(rng),
            (Legal::Bet(choices), Some(place)) if new.is_inactive(column_of(place)) => {
                choices.to_fold().or_else(|| choices.to_bring_in())
            }
            (Legal::Draw(_) | Legal::Reveal { .. }, Some(place)) if new.is_inactive(column_of(place)) => {
                hand.auto()
            }
            (Legal::Reveal { may_muck: false, .. }, _) => hand.auto(),
            _ => None,
        };
        let Some(mv) = mv else { break };
        let column = match mv.action() {
            Action::DealHole(place, _) => column_of(place),
            _ => hand.turn().map_or(0, column_of),
        };
        new.actions.push(line(&new, &hand, column, mv));
        hand.apply(mv);
    }
    if hand.phase() == Phase::Over && new.field("finishing_stacks").is_none() {
        finish(&mut new, &hand, &places);
    }
    Ok(new)
}

fn finish(record: &mut Record, hand: &Hand, places: &[usize]) {
    let scale = record.scale();
    let all = |of: &[Chips]| {
        Value::Array(places.iter().map(|&place| Value::Number(trim(scale, of[place]))).collect())
    };
    record.set("finishing_stacks", all(hand.stacks()));
    record.set("winnings", all(hand.won()));
    if hand.raked() > 0 {
        record.set("_rake", Value::Number(trim(scale, hand.raked())));
    }
}

/// The record as one viewer may see it: others' cards hidden unless they lie face up or were shown, no seed. A viewer
/// with no name, or with one that does not sit here, sees nobody's cards (ruling 004/R10).
#[must_use]
pub fn personalize(record: &Record, viewer: Option<&str>) -> Record {
    let own = viewer.and_then(|name| columns::column_of(record, name));
    let mut new = record.clone();
    new.take("_seed");
    new.take("_venueIds");
    new.take("author");
    if let Some(name) = viewer {
        new.set("author", Value::Text(name.into()));
    }
    let streets = record.variant.streets();
    let mut dealt = vec![0; record.players()];
    for entry in &mut new.actions {
        match &mut entry.step {
            Step::DealHole(column, row) if Some(*column) != own => {
                let from = dealt[*column];
                dealt[*column] += row.len();
                *row = hide(row, |i| is_face_up(streets, from + i));
            }
            Step::Draw(column, row) if Some(*column) != own => *row = hide(row, |_| false),
            // What a player says beside the hand is everybody's; remarks of the server are nobody's.
            _ => {}
        }
    }
    new
}

/// Whether the nth card dealt to a player lies face up.
fn is_face_up(streets: &[crate::variant::Street], nth: usize) -> bool {
    let mut before = 0;
    for street in streets {
        let (down, up) = (street.down as usize, street.up as usize);
        if nth < before + down + up {
            return nth >= before + down;
        }
        before += down + up;
    }
    false
}

fn hide(row: &Row, stays: impl Fn(usize) -> bool) -> Row {
    row.as_slice().iter().enumerate().map(|(i, &card)| card.filter(|_| stays(i))).collect()
}
