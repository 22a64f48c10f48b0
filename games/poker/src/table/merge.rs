//! Taking a client's whole state: of everything in it, only the author's own column and own actions are looked at.
//!
//! [`merge`] never fails. Whatever it does not take is listed with its path and the reason (ruling 004/R9), and what it
//! takes is checked as if it had come alone.

use serde::Serialize;

use crate::hand::{Hand, Phase};
use crate::money::{Amount, Scale};
use crate::notation::entry::{Entry, Step};
use crate::notation::record::{Record, amount_of, is_per_player};
use crate::notation::seed;
use crate::notation::value::Value;
use crate::replay::Replay;
use crate::row::Row;
use crate::setup::Interpretation;
use crate::table::advance::personalize;
use crate::table::columns;
use crate::table::seat_state::{Intent, IntentContext};
use crate::table::settings::{Newcomers, Settings};

/// Longest message that is taken from a client, in bytes.
const CHAT_BYTES_MAX: usize = 500;

/// Most things that are listed as ignored.
const IGNORED_MAX: usize = 200;

/// Something in a proposal that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// Where it stands, such as `_intents[2]` or `actions[7]`.
    pub path: String,
    pub reason: String,
}

/// The state after a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    pub hand: Record,
    pub ignored: Vec<Ignored>,
}

const SERVER_ONLY: &str = "only the server changes this";
const OTHERS: &str = "this is another player's";

/// Takes from `new` what `author` may change. `owned` is the most a newcomer can bring.
#[must_use]
pub fn merge(old: &Record, new: &Value, author: &str, table: &Settings, owned: Option<Amount>) -> Merged {
    // Everything is compared with what the author was sent: whether a guess is right must not show.
    let seen = personalize(old, Some(author));
    let mut merge = Merge { old, seen: &seen, hand: old.clone(), ignored: Vec::new(), author, column: None };
    let Value::Table(fields) = new else {
        merge.ignore("", "expected an object");
        return Merged { hand: merge.hand, ignored: merge.ignored };
    };
    merge.column = columns::column_of(old, author);
    let rules = columns::rules_of(old, table);
    let current = seed::to_fields(&seen);
    let find = |name: &str| current.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let own = Own::find(fields, author, old.players(), merge.column);
    for (name, value) in fields {
        match name.as_str() {
            "author" if matches!(value, Value::Text(text) if text == author) => {}
            "author" => merge.ignore("author", "the author is the player who is logged in"),
            "actions" => merge.lines(value),
            _ if is_column(name) => merge.compare_column(name, find(name), value, own.as_ref()),
            _ if find(name).is_some_and(|old| same(old, value)) => {}
            _ => merge.ignore(name, SERVER_ONLY),
        }
    }
    match (merge.column, own) {
        (Some(column), _) => merge.intent(column, fields, &rules),
        (None, Some(own)) => merge.join(&own, &rules, owned),
        (None, None) => merge.ignore("players", "you do not sit here: add your name to join"),
    }
    Merged { hand: merge.hand, ignored: merge.ignored }
}

/// Names of player arrays in JSON.
fn is_column(name: &str) -> bool {
    matches!(
        name,
        "startingStacks" | "blindsOrStraddles" | "antes" | "finishingStacks" | "timeBanks" | "_newcomers"
    ) || is_per_player(name)
}

/// What a newcomer writes into their own column.
struct Own<'a> {
    index: usize,
    stack: Option<&'a Value>,
    seat: Option<&'a Value>,
    intent: Option<&'a Value>,
}

impl<'a> Own<'a> {
    /// The author's own column in a proposal, where they are not in the state yet.
    fn find(
        fields: &'a [(String, Value)],
        author: &str,
        players: usize,
        sits: Option<usize>,
    ) -> Option<Self> {
        if sits.is_some() {
            return None;
        }
        let array = |name: &str| match fields.iter().find(|(key, _)| key == name) {
            Some((_, Value::Array(values))) => Some(values),
            _ => None,
        };
        let names = array("players")?;
        let index = names.iter().position(|name| matches!(name, Value::Text(text) if text == author))?;
        let entry = |name: &str| array(name).and_then(|values| values.get(index));
        let own =
            Self { index, stack: entry("startingStacks"), seat: entry("seats"), intent: entry("_intents") };
        (index >= players).then_some(own)
    }
}

struct Merge<'a> {
    old: &'a Record,
    /// The old state as the author sees it.
    seen: &'a Record,
    hand: Record,
    ignored: Vec<Ignored>,
    author: &'a str,
    /// The author's column, when they sit here.
    column: Option<usize>,
}

impl Merge<'_> {
    fn ignore(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        if self.ignored.len() < IGNORED_MAX {
            self.ignored.push(Ignored { path: path.into(), reason: reason.into() });
        }
    }

    /// Lists every entry of a player array that is not as it was.
    fn compare_column(&mut self, name: &str, old: Option<&Value>, new: &Value, own: Option<&Own<'_>>) {
        let Value::Array(values) = new else {
            return self.ignore(name, "expected an array");
        };
        let zero = Value::Number(Amount::ZERO);
        let in_order: Vec<Value> = columns::seats(self.old).iter().map(|&seat| whole(seat)).collect();
        let before = match old {
            Some(Value::Array(before)) => before.as_slice(),
            _ if name == "seats" => in_order.as_slice(),
            _ => &[],
        };
        for (i, value) in values.iter().enumerate() {
            let path = format!("{name}[{i}]");
            let mine = self.column == Some(i);
            let joins = own.is_some_and(|own| own.index == i);
            let taken = matches!(name, "players" | "startingStacks" | "seats" | "_intents");
            // A newcomer sits out until the next hand: writing that is right, though not theirs to say.
            let waits = joins && matches!(name, "_inactive" | "_newcomers") && same(&whole(1), value);
            let was = before.get(i).unwrap_or(&zero);
            match () {
                () if i < self.old.players() && same(was, value) => {}
                () if mine && name == "_intents"
                    || joins && taken
                    || joins && same(&zero, value)
                    || waits => {}
                () if i >= self.old.players() && !joins => self.ignore(path, "there is no such player"),
                () if mine || joins => self.ignore(path, SERVER_ONLY),
                () => self.ignore(path, OTHERS),
            }
        }
    }

    /// Takes the author's own new lines.
    fn lines(&mut self, new: &Value) {
        let Value::Array(lines) = new else {
            return self.ignore("actions", "expected an array");
        };
        let known = self.old.actions.len();
        for (i, line) in lines.iter().take(known).enumerate() {
            let same = match line {
                Value::Text(text) => {
                    Entry::parse(text).is_ok_and(|entry| same_step(&self.seen.actions[i].step, &entry.step))
                }
                _ => false,
            };
            if !same {
                self.ignore(format!("actions[{i}]"), "the log is not like this");
                return self.skip_from(lines, known);
            }
        }
        let mut player = self.column.and_then(|column| Player::of(&self.hand, column));
        for (i, line) in lines.iter().enumerate().skip(known) {
            match self.line(line, player.as_mut()) {
                Ok(entry) => self.hand.actions.push(entry),
                Err(reason) => {
                    self.ignore(format!("actions[{i}]"), reason);
                    return self.skip_from(lines, i + 1);
                }
            }
        }
    }

    fn skip_from(&mut self, lines: &[Value], from: usize) {
        for i in from..lines.len() {
            self.ignore(format!("actions[{i}]"), "a line before it was not taken");
        }
    }

    /// One new line of the author, checked against the hand as it stands.
    fn line(&self, line: &Value, player: Option<&mut Player>) -> Result<Entry, String> {
        let Value::Text(text) = line else { return Err("expected text".into()) };
        let entry = Entry::parse(text).map_err(|error| error.to_string())?;
        let Some(column) = self.column else { return Err("you have no hand here".into()) };
        if entry.player() != Some(column) || matches!(entry.step, Step::DealHole(..)) {
            return Err("only your own actions are taken".into());
        }
        if let Step::Chat(_, said) = &entry.step {
            if said.len() > CHAT_BYTES_MAX {
                return Err(format!("expected at most {CHAT_BYTES_MAX} bytes of text"));
            }
            return Ok(Entry::from(entry.step));
        }
        if self.old.is_inactive(column) {
            return Err("you are sitting out".into());
        }
        let player = player.ok_or("no hand is being played")?;
        player.act(&self.hand, &entry)?;
        // Times are the server's.
        Ok(Entry::from(entry.step))
    }

    /// Takes the author's own intent.
    fn intent(&mut self, column: usize, fields: &[(String, Value)], rules: &Settings) {
        let Some((_, Value::Array(values))) = fields.iter().find(|(name, _)| name == "_intents") else {
            return;
        };
        let Some(value) = values.get(column) else { return };
        let path = format!("_intents[{column}]");
        let number = amount_of(value).and_then(|amount| Scale::new(0).chips(amount));
        let Some(intent) = number.and_then(Intent::from_number) else {
            return self.ignore(path, "expected 0, 1, 2 or 3");
        };
        if intent == columns::flags(self.old, column).intent {
            return;
        }
        let state = match columns::state(self.old, column) {
            Ok(state) => state,
            Err(error) => return self.ignore(path, error.to_string()),
        };
        let in_hand = columns::play(&self.hand)
            .is_ok_and(|(hand, places)| hand.phase() != Phase::Over && hand.live().contains(places[column]));
        let context = IntentContext {
            in_hand,
            finish_hand: rules.finish_hand_before_pause,
            free_entry: rules.newcomers == Newcomers::Free,
        };
        match state.ask(intent, context) {
            Ok(state) => columns::set_state(&mut self.hand, column, state),
            Err(refused) => self.ignore(path, refused.to_string()),
        }
    }

    /// Adds the author's column.
    fn join(&mut self, own: &Own<'_>, rules: &Settings, owned: Option<Amount>) {
        let path = |name: &str| format!("{name}[{}]", own.index);
        let scale = Scale::new(self.old.scale().decimals().max(2));
        let units = |amount: Amount| scale.chips(amount).filter(|&chips| chips > 0);
        let Some(wanted) = own.stack.and_then(amount_of).filter(|&stack| stack != Amount::Unknown) else {
            return self.ignore(path("startingStacks"), "expected the stack you want to bring");
        };
        let Some(mut chips) = units(wanted) else {
            return self.ignore(path("startingStacks"), "expected a positive stack of the hand's chips");
        };
        if let Some(most) = owned {
            match units(most) {
                Some(most) => chips = chips.min(most),
                None => return self.ignore(path("startingStacks"), "you have no chips to bring"),
            }
        }
        let seat = match own.seat {
            None | Some(Value::Null) => None,
            Some(value) => {
                let seat = amount_of(value).and_then(|seat| Scale::new(0).chips(seat));
                let Some(seat) = seat.and_then(|seat| usize::try_from(seat).ok()) else {
                    return self.ignore(path("seats"), "expected the number of a seat");
                };
                Some(seat)
            }
        };
        let Some(seat) = columns::free_seat(self.old, seat) else {
            let reason = format!("expected a free seat from 1 to {}", columns::seat_count(self.old));
            return self.ignore(path("seats"), reason);
        };
        let intent = match own.intent {
            None => Some(Intent::Play),
            Some(value) => {
                amount_of(value).and_then(|n| Scale::new(0).chips(n)).and_then(Intent::from_number)
            }
        };
        let Some(intent) = intent.filter(|&intent| intent != Intent::Leave) else {
            return self.ignore(path("_intents"), "expected 0, 1 or 2");
        };
        let stack = crate::table::view::trim(scale, chips);
        columns::add_column(&mut self.hand, self.author, stack, seat, rules);
        let column = self.hand.players() - 1;
        let free_entry = rules.newcomers == Newcomers::Free;
        let context = IntentContext { in_hand: false, finish_hand: false, free_entry };
        if let Ok(Ok(state)) = columns::state(&self.hand, column).map(|state| state.ask(intent, context)) {
            columns::set_state(&mut self.hand, column, state);
        }
    }
}

/// The author in the hand as it stands.
struct Player {
    hand: Hand,
    column: usize,
}

impl Player {
    fn of(record: &Record, column: usize) -> Option<Self> {
        columns::play(record).ok().map(|(hand, _)| Self { hand, column })
    }

    /// Carries a line out if the rules allow it now.
    fn act(&mut self, record: &Record, entry: &Entry) -> Result<(), String> {
        let replay = Replay::start(record, Interpretation::House).map_err(|error| error.to_string())?;
        let action = replay.action_in(&self.hand, &entry.step, record.actions.len());
        let action = action.map_err(|error| error.to_string())?.ok_or("expected an action")?;
        debug_assert_eq!(entry.player(), Some(self.column));
        let mv = self.hand.check(action).map_err(|refusal| refusal.to_string())?;
        self.hand.apply(mv);
        Ok(())
    }
}

fn whole(number: usize) -> Value {
    Value::Number(Amount::whole(number as crate::money::Chips))
}

/// Whether two values say the same; numbers by what they are worth.
fn same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
        }
        _ => match (amount_of(old), amount_of(new)) {
            (Some(old), Some(new)) => worth(old) == worth(new),
            _ => old == new,
        },
    }
}

fn worth(amount: Amount) -> Option<Amount> {
    let scale = Scale::new(crate::money::DECIMALS_MAX);
    match amount {
        Amount::Unknown => Some(Amount::Unknown),
        amount => scale.chips(amount).map(Amount::whole).or(Some(amount)),
    }
}

/// Whether a client's line is the one it was sent, cards perhaps left out.
fn same_step(old: &Step, new: &Step) -> bool {
    let hidden = |old: &Row, new: &Row| {
        let cards = old.as_slice().iter().zip(new.as_slice());
        old.len() == new.len() && cards.into_iter().all(|(old, new)| new.is_none() || old == new)
    };
    match (old, new) {
        (Step::DealHole(a, old), Step::DealHole(b, new)) | (Step::Draw(a, old), Step::Draw(b, new)) => {
            a == b && hidden(old, new)
        }
        (Step::Call(a, _), Step::Call(b, _)) => a == b,
        (Step::Raise(a, old), Step::Raise(b, new)) => a == b && worth(*old) == worth(*new),
        _ => old == new,
    }
}
