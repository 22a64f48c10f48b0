//! What a seat says and what it means: requests, offers, and the moves behind them.

use parlor_core::{Choice, Chosen, Fault, Json, Refusal, Response, Selector};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::hand::Hand;
use crate::legal::{Action, Choices, Legal};
use crate::money::Chips;
use crate::row::Row;
use crate::table::{Answer, Checked, PreAction, Table, TableMove};

/// The title of the request to bet.
pub(crate) const TURN: &str = "Your turn";
/// The title of the request to exchange cards.
pub(crate) const DRAW: &str = "Exchange cards";
/// The title of the request to show or muck.
pub(crate) const SHOWDOWN: &str = "Show or muck";
/// The title of the request to buy in again.
pub(crate) const REBUY: &str = "Buy in again";
/// The title of what a seat may do beside the hand.
pub(crate) const SEAT: &str = "At the table";

/// The intents of the offer, in the order of their numbers.
pub(crate) const INTENTS: [&str; 4] = ["Play", "Wait for the big blind", "Sit out", "Leave"];

/// An answer as it was sent: picked from the choices, or in the table's own words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Said {
    Picked(Response),
    Plain(Answer),
}

impl<'de> Deserialize<'de> for Said {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let said = Value::deserialize(from)?;
        if said.get("selection").is_some() {
            serde_json::from_value(said).map(Self::Picked).map_err(D::Error::custom)
        } else {
            serde_json::from_value(said).map(Self::Plain).map_err(D::Error::custom)
        }
    }
}

/// A checked move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A move of the table.
    Table(TableMove),
    /// A player whose seat the table gave up buys in again.
    Sit(Chips),
    /// A player does not buy in again.
    Decline,
    /// A player of a sit-and-go is back.
    Here,
}

impl Move {
    /// The table's move of a hand's move.
    pub(crate) const fn play(mv: crate::legal::Move) -> Self {
        Self::Table(TableMove(Checked::Play(mv)))
    }

    /// Whether it is a turn in the hand.
    pub(crate) const fn is_turn(&self) -> bool {
        matches!(self, Self::Table(TableMove(Checked::Play(_))))
    }

    /// The words for it.
    pub(crate) fn answer(&self) -> Answer {
        match self {
            Self::Table(TableMove(checked)) => words(checked),
            Self::Sit(chips) => Answer::TopUp { chips: *chips },
            Self::Decline => Answer::Intent { intent: 3 },
            Self::Here => Answer::Intent { intent: 0 },
        }
    }
}

fn words(checked: &Checked) -> Answer {
    match *checked {
        Checked::Play(mv) => match mv.action() {
            Action::Fold(_) => Answer::Fold,
            Action::Raise(_, to) => Answer::Raise { to },
            Action::BringIn(_) => Answer::BringIn,
            Action::Draw(_, row) => Answer::Draw { cards: row.to_string() },
            Action::Show(..) | Action::ShowAll(_) => Answer::Show { cards: String::new() },
            Action::Muck(_) => Answer::Muck,
            Action::Call(_) | Action::DealHole(..) | Action::DealBoard(_) => Answer::Call,
        },
        Checked::ShowAfter(_, row) => Answer::Show { cards: row.to_string() },
        Checked::Intent(_, intent) => Answer::Intent { intent: intent.number().into() },
        Checked::TopUp(_, chips) => Answer::TopUp { chips },
        Checked::AutoTopUp(_, chips) => Answer::AutoTopUp { chips },
        Checked::Straddle(_, on) => Answer::Straddle { on },
        Checked::RunTwice(_, on) => Answer::RunTwice { on },
        Checked::AutoMuck(_, on) => Answer::AutoMuck { on },
        Checked::Prepare(_, action) => Answer::Prepare { action },
        // Orders of the house are nobody's answers.
        _ => Answer::Call,
    }
}

/// Everything the player whose turn it is may do; of raises the smallest, half the pot, the pot and the largest.
pub(crate) fn turn_moves(hand: &Hand, moves: &mut Vec<Move>) {
    match hand.legal() {
        Legal::Bet(choices) => bet_moves(hand, &choices, moves),
        Legal::Draw(place) => draw_moves(hand, place, moves),
        Legal::Reveal { seat, may_muck } => {
            let actions = [Some(Action::ShowAll(seat)), may_muck.then_some(Action::Muck(seat))];
            let checked = actions.into_iter().flatten().filter_map(|action| hand.check(action).ok());
            moves.extend(checked.map(Move::play));
        }
        Legal::Deal { .. } | Legal::Nothing => {}
    }
}

fn bet_moves(hand: &Hand, choices: &Choices, moves: &mut Vec<Move>) {
    let plain = [choices.to_fold(), choices.to_bring_in(), choices.to_call()];
    moves.extend(plain.into_iter().flatten().map(Move::play));
    let Some((least, most)) = choices.raise else { return };
    let call = choices.call.or(choices.bring_in).unwrap_or(0);
    let (pot, bet) = (hand.pot_total() + call, hand.bets()[choices.seat] + call);
    let mut before = 0;
    for to in [least, bet + pot / 2, bet + pot, most] {
        if let Some(mv) = choices.to_raise(to).filter(|_| to > before) {
            moves.push(Move::play(mv));
            before = to;
        }
    }
}

fn draw_moves(hand: &Hand, place: usize, moves: &mut Vec<Move>) {
    let held = hand.hole(place).as_slice();
    for set in 0..1_u32 << held.len().min(6) {
        let row: Row = held.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, &c)| c).collect();
        moves.extend(hand.check(Action::Draw(place, row)).ok().map(Move::play));
    }
}

/// What the player whose turn it is is asked.
pub(crate) fn turn_request(hand: &Hand) -> Selector {
    match hand.legal() {
        Legal::Draw(place) => {
            let cards: Vec<Choice> =
                hand.hole(place).known().map(|card| Choice::new(card.to_string())).collect();
            let most = cards.len() as u16;
            Selector::pick(DRAW, cards).between(0, most)
        }
        Legal::Reveal { .. } => Selector::pick(SHOWDOWN, titles(hand)),
        legal => {
            let mut selector = Selector::pick(TURN, titles(hand));
            if let Legal::Bet(Choices { call, raise, bring_in, .. }) = legal {
                selector.allows_action = raise.map(|_| json!(["raise"]));
                let raise = raise.map(|(least, most)| json!({"min": least, "max": most}));
                selector.meta = Some(json!({"call": call, "bringIn": bring_in, "raise": raise}));
            }
            selector
        }
    }
}

fn titles(hand: &Hand) -> Vec<Choice> {
    let mut moves = Vec::new();
    turn_moves(hand, &mut moves);
    moves.iter().map(|mv| Choice::new(title(hand, mv))).collect()
}

fn title(hand: &Hand, mv: &Move) -> String {
    match (mv.answer(), hand.legal()) {
        (Answer::Fold, _) => "Fold".into(),
        (Answer::Call, Legal::Bet(Choices { call: Some(0), .. })) => "Check".into(),
        (Answer::Call, Legal::Bet(Choices { call: Some(cost), .. })) => format!("Call {cost}"),
        (Answer::Raise { to }, _) => format!("Raise to {to}"),
        (Answer::BringIn, Legal::Bet(Choices { bring_in: Some(cost), .. })) => format!("Bring in {cost}"),
        (Answer::Show { .. }, _) => "Show".into(),
        (Answer::Muck, _) => "Muck".into(),
        (other, _) => format!("{other:?}"),
    }
}

/// The words of an answer that was picked from the request of a turn.
pub(crate) fn picked_turn(hand: &Hand, response: &Response) -> Result<Answer, Refusal> {
    let selector = turn_request(hand);
    let chosen = selector.validate(response)?;
    if selector.title == DRAW {
        let Chosen::Picks(picks) = &chosen else { return Err(no_pick()) };
        let cards: String = picks.iter().map(|pick| selector.choices[pick.index].title.as_str()).collect();
        return Ok(Answer::Draw { cards });
    }
    if let Chosen::Action(words) = &chosen {
        return action(words);
    }
    let mut moves = Vec::new();
    turn_moves(hand, &mut moves);
    let index = chosen.single().ok_or_else(no_pick)?;
    Ok(moves[index].answer())
}

fn no_pick() -> Refusal {
    Refusal::of("count", "pick exactly one")
}

/// The words of an action such as `{"action": "raise", "to": 40}`.
fn action(words: &Json) -> Result<Answer, Refusal> {
    let mut words = words.clone();
    if let Some(fields) = words.as_object_mut()
        && let Some(name) = fields.remove("action")
    {
        fields.insert("type".into(), name);
    }
    serde_json::from_value(words)
        .map_err(|error| Fault::new("malformed", "answer: {error}").arg("error", error.to_string()).into())
}

/// What a seat may do beside the hand. It reads the same as long as the table is open.
pub(crate) fn seat_request(table: &Table) -> Selector {
    let mut selector = Selector::pick(SEAT, INTENTS.iter().map(|title| Choice::new(*title)).collect());
    let mut actions = vec!["intent", "topUp", "autoTopUp", "autoMuck", "prepare", "show"];
    if table.settings().straddle {
        actions.push("straddle");
    }
    if table.settings().run_it_twice {
        actions.push("runTwice");
    }
    selector.allows_action = Some(json!(actions));
    selector
}

/// The words of an answer that was picked from the offer.
pub(crate) fn picked_seat(table: &Table, response: &Response) -> Result<Answer, Refusal> {
    match seat_request(table).validate(response)? {
        Chosen::Action(words) => action(&words),
        chosen => Ok(Answer::Intent { intent: chosen.single().ok_or_else(no_pick)? as i64 }),
    }
}

/// Whether a player without chips buys in again, and for how much.
pub(crate) fn rebuy_request(chips: Chips, least: Chips, most: Chips) -> Selector {
    let choices = vec![Choice::new(format!("Buy in for {chips}")), Choice::new("Leave")];
    let mut selector = Selector::pick(REBUY, choices);
    selector.allows_action = Some(json!(["buyIn"]));
    selector.meta = Some(json!({"chips": chips, "min": least, "max": most}));
    selector
}

/// The words of an answer that was picked from the request to buy in again.
pub(crate) fn picked_rebuy(chips: Chips, request: &Selector, response: &Response) -> Result<Answer, Refusal> {
    match request.validate(response)? {
        Chosen::Action(words) => action(&words),
        chosen if chosen.single() == Some(0) => Ok(Answer::BuyIn { chips }),
        _ => Ok(Answer::Decline),
    }
}

/// The same answer in the words of the request to buy in again: an answer to one request never fits another.
pub(crate) fn as_rebuy(answer: Answer) -> Answer {
    match answer {
        Answer::TopUp { chips } => Answer::BuyIn { chips },
        Answer::Intent { .. } => Answer::Decline,
        other => other,
    }
}

/// The prepared actions, and none.
pub(crate) const PREPARED: [Option<PreAction>; 5] =
    [None, Some(PreAction::CheckFold), Some(PreAction::Check), Some(PreAction::Call), Some(PreAction::Fold)];
