//! The document's way to talk to a table: a client sends the whole state of the hand, and only its own column and its own
//! actions count (ruling 004/R9).
//!
//! The rules know seats, the notation names. A player is called what the proposal calls them in their column; who they really
//! are the house knows from the connection.

use parlor_core::{DialectAction, Fault, HouseCode, Ignored, Json, Refusal, Seat};
use serde_json::json;

use super::Poker;
use super::answer::SEAT;
use super::view::seat_name;
use crate::money::Scale;
use crate::notation::record::Record;
use crate::notation::{Step, Value, json as text};
use crate::table::{Answer, merge};

/// Answers beside the intent that are taken from one state.
const ACTIONS_MAX: usize = parlor_core::dyn_game::DIALECT_ANSWERS_MAX - 1;

/// The state in a message: `{"action": "merge", "data": {…}}`, or the state alone.
fn proposal(words: &Json) -> Result<(&Json, Option<String>), Refusal> {
    let key = words.get("requestKey").and_then(Json::as_str).map(str::to_owned);
    match (words.get("action").and_then(Json::as_str), words.get("data")) {
        (Some("merge"), Some(data)) => Ok((data, key)),
        (None, _) if words.get("players").is_some() => Ok((words, key)),
        _ => Err(Refusal::of("unknown_action", "expected {\"action\": \"merge\", \"data\": the hand}")),
    }
}

/// The notation's own value of a JSON one: its numbers are exact, also those that a view has as text.
pub(super) fn value(hand: &Json) -> Value {
    let read = text::read_all(&hand.to_string()).ok().and_then(|mut all| all.pop());
    match read {
        Some(Value::Table(mut fields)) => {
            for (name, value) in &mut fields {
                if !matches!(name.as_str(), "players" | "actions" | "author") {
                    exact(value);
                }
            }
            Value::Table(fields)
        }
        other => other.unwrap_or(Value::Null),
    }
}

/// Makes a number of a text that is one.
fn exact(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(exact),
        Value::Text(said) if said.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
            if let Some(number @ Value::Number(_)) = text::read_all(said).ok().and_then(|mut all| all.pop()) {
                *value = number;
            }
        }
        _ => {}
    }
}

/// The name that a proposal gives to a column, if it may stand there.
fn name_at(hand: &Json, column: usize) -> Option<&str> {
    let names = hand.get("players")?.as_array()?;
    let name = names.get(column)?.as_str()?;
    let once = names.iter().filter(|other| other.as_str() == Some(name)).count() == 1;
    (once && !name.is_empty() && name.len() <= 100).then_some(name)
}

impl Poker {
    /// The seats of the record's columns.
    fn column_seats(record: &Record) -> Vec<usize> {
        let seats = record.amounts("seats").unwrap_or_default();
        seats.iter().map(|&seat| Scale::new(0).chips(seat).unwrap_or(1) as usize - 1).collect()
    }

    /// The record with the names that the proposal uses.
    fn named_record(&self, hand: &Json) -> (Record, Vec<usize>) {
        let record = self.record(seat_name);
        let seats = Self::column_seats(&record);
        let name = |seat: usize| {
            let column = seats.iter().position(|&other| other == seat);
            let given = column.and_then(|column| name_at(hand, column));
            given.map_or_else(|| seat_name(seat), str::to_owned)
        };
        (self.record(name), seats)
    }

    /// What a player's state asks for.
    pub(super) fn merge_words(&self, seat: Seat, words: &Json) -> Result<DialectAction, Refusal> {
        let (hand, key) = proposal(words)?;
        let (record, seats) = self.named_record(hand);
        let Some(column) = seats.iter().position(|&other| other == seat.index()) else {
            return Err(Refusal::of(HouseCode::NotSeated, "you have no column in this hand: buy in first"));
        };
        let author = record.name(column);
        let merged = merge(&record, &value(hand), &author, self.table().settings(), None);
        let mut ignored: Vec<Ignored> =
            merged.ignored.into_iter().map(|one| ignored(&one.path, &one.reason)).collect();
        let mut answers = Vec::new();
        let flag = |record: &Record| match record.field("_intents") {
            Some(Value::Array(values)) => match values.get(column) {
                Some(Value::Number(amount)) => Scale::new(0).chips(*amount),
                _ => None,
            },
            _ => None,
        };
        let title = self
            .turn_ask()
            .map(|(seat, id)| parlor_core::Game::request(self, seat, parlor_core::AskId(id)).title);
        for (at, entry) in merged.hand.actions.iter().enumerate().skip(record.actions.len()) {
            let path = format!("actions[{at}]");
            let answer = plain(&entry.step, record.scale());
            match (answer, &title) {
                (Ok(answer), Some(title)) if answers.len() < ACTIONS_MAX => {
                    answers.push((title.clone(), json!(answer)));
                }
                (Ok(_), _) => ignored.push(self::ignored(&path, "it is not your turn")),
                (Err(reason), _) => ignored.push(self::ignored(&path, reason)),
            }
        }
        // The intent comes last: a bet of the same message is made before its player sits out.
        if let Some(intent) = flag(&merged.hand).filter(|intent| Some(*intent) != flag(&record)) {
            answers.push((SEAT.to_owned(), json!(Answer::Intent { intent })));
        }
        Ok(DialectAction::Answers { answers, ignored, key })
    }

    /// The seat that a guest's state asks for.
    pub(super) fn join_words(&self, name: &str, words: &Json) -> Result<DialectAction, Refusal> {
        let (hand, _) = proposal(words)?;
        let (record, _) = self.named_record(hand);
        let merged = merge(&record, &value(hand), name, self.table().settings(), None);
        let joined = merged.hand.players() > record.players();
        let column = merged.hand.players().saturating_sub(1);
        let stack = merged.hand.starting_stacks.get(column).filter(|_| joined);
        let scale = Scale::new(self.table().settings().decimals);
        let chips = stack.and_then(|stack| scale.chips(*stack));
        if let Some(stake) = chips {
            let seat = Self::column_seats(&merged.hand).get(column).copied();
            let seat = seat.and_then(|seat| u8::try_from(seat).ok()).map(Seat::new);
            return Ok(DialectAction::Sit { seat, stake });
        }
        let faults = merged.ignored.iter().map(|one| {
            Fault::new("ignored", "{path}: {reason}")
                .arg("path", one.path.as_str())
                .arg("reason", one.reason.as_str())
        });
        let faults: Vec<Fault> = faults.collect();
        if faults.is_empty() {
            return Err(Refusal::of(HouseCode::BuyIn, "expected a stack of whole chips of this table"));
        }
        Err(Refusal::with(faults))
    }
}

fn ignored(path: &str, reason: &str) -> Ignored {
    Ignored { path: path.to_owned(), reason: reason.to_owned() }
}

/// The table's words for a line of the log.
fn plain(step: &Step, scale: Scale) -> Result<Answer, &'static str> {
    Ok(match step {
        Step::Fold(_) => Answer::Fold,
        Step::Call(..) => Answer::Call,
        Step::Raise(_, to) => Answer::Raise { to: scale.chips(*to).ok_or("expected whole chips")? },
        Step::BringIn(_) => Answer::BringIn,
        Step::Draw(_, cards) => Answer::Draw { cards: cards.to_string() },
        Step::Show(..) | Step::ShowAll(_) => Answer::Show { cards: String::new() },
        Step::Muck(_) => Answer::Muck,
        Step::Chat(..) => return Err("what is said beside the hand goes by the table's chat"),
        _ => return Err("only your own actions are taken"),
    })
}
