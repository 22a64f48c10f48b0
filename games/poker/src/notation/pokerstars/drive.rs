//! Driving the lines of a hand through the rules, which say when cards were dealt and hands shown that the text mentions
//! late or not at all.

use super::read::Event;
use crate::hand::{Hand, Phase};
use crate::legal::Action;
use crate::money::{Amount, Scale};
use crate::notation::entry::{Entry, Step};
use crate::row::Row;
use crate::seat::Seat;

/// The rules, fed line by line.
pub(super) struct Driver {
    pub(super) hand: Hand,
    pub(super) scale: Scale,
    pub(super) entries: Vec<Entry>,
    /// Cards a line has shown as dealt, until the rules ask for them.
    pub(super) known: Vec<Option<Row>>,
}

/// Line, player and event as they were read.
type Told = (usize, Option<usize>, Event);

impl Driver {
    pub(super) fn event(
        &mut self,
        seat: Option<Seat>,
        event: &Event,
        later: &[Told],
        place: &impl Fn(usize) -> usize,
    ) -> Result<(), String> {
        match (event, seat) {
            (Event::Chat(text), Some(seat)) => self.entries.push(Step::Chat(seat, text.clone()).into()),
            (Event::Remark(text), _) => {
                self.entries.push(Entry { step: Step::Remark, note: Some(format!(" {text}")) })
            }
            (Event::Dealt(row), Some(seat)) => {
                if self.known[seat].is_some() {
                    self.reveal(later, place)?;
                    self.deal_street()?;
                }
                self.known[seat] = Some(*row);
            }
            (Event::Street, _) => {
                if self.known.iter().any(Option::is_some) {
                    self.reveal(later, place)?;
                    self.deal_street()?;
                }
            }
            (Event::Board(row), _) => {
                self.reveal(later, place)?;
                self.deal_hole()?;
                self.reveal(later, place)?;
                self.play(Action::DealBoard(*row), Step::DealBoard(*row))?;
            }
            (Event::Show(_) | Event::Muck, Some(seat)) => self.showdown(seat, event, later, place)?,
            (_, Some(seat)) => {
                self.deal_hole()?;
                self.act(seat, event)?;
            }
            (_, None) => {}
        }
        Ok(())
    }

    fn play(&mut self, action: Action, step: Step) -> Result<(), String> {
        let mv = self.hand.check_recorded(action).map_err(|refusal| refusal.to_string())?;
        self.hand.apply(mv);
        self.entries.push(step.into());
        Ok(())
    }

    fn act(&mut self, seat: Seat, event: &Event) -> Result<(), String> {
        let chips = |amount: Amount| self.scale.chips(amount).ok_or("an amount too fine or too large");
        let (action, step) = match event {
            Event::Fold => (Action::Fold(seat), Step::Fold(seat)),
            Event::Call => (Action::Call(seat), Step::Call(seat, None)),
            Event::Bet(to) | Event::Raise(to) => (Action::Raise(seat, chips(*to)?), Step::Raise(seat, *to)),
            Event::BringIn(_) => (Action::BringIn(seat), Step::BringIn(seat)),
            Event::Draw(row) => (Action::Draw(seat, *row), Step::Draw(seat, *row)),
            _ => return Ok(()),
        };
        self.play(action, step)
    }

    /// Deals hole cards street by street until something else is waited for.
    fn deal_hole(&mut self) -> Result<(), String> {
        while self.hand.phase() == Phase::Deal && self.hand.board_owed == 0 {
            self.deal_street()?;
        }
        Ok(())
    }

    /// Deals the hole cards that are owed on this street: those a line has shown, the others unseen.
    fn deal_street(&mut self) -> Result<(), String> {
        let street = self.hand.street;
        while self.hand.phase() == Phase::Deal && self.hand.street == street && self.hand.board_owed == 0 {
            let Some(seat) = self.hand.live().iter().find(|&seat| self.hand.owed[seat] > 0) else { break };
            let owed = self.hand.owed[seat] as usize;
            let told = self.known[seat].take().unwrap_or(Row::EMPTY);
            // Of others' first stud cards only the last, face up, is told.
            let unseen = owed.saturating_sub(told.len());
            let from = told.len().saturating_sub(owed);
            let row: Row = (0..unseen).map(|_| None).chain(told.as_slice()[from..].iter().copied()).collect();
            self.play(Action::DealHole(seat, row), Step::DealHole(seat, row))?;
        }
        Ok(())
    }

    /// Hands of an all-in are open before the next card comes, wherever the text shows them.
    fn reveal(&mut self, later: &[Told], place: &impl Fn(usize) -> usize) -> Result<(), String> {
        while self.hand.phase() == Phase::Reveal {
            let Some(seat) = self.hand.turn() else { break };
            let told = later.iter().find_map(|(_, player, event)| match event {
                Event::Show(row) if player.map(place) == Some(seat) => Some(Some(*row)),
                Event::Muck if player.map(place) == Some(seat) => Some(None),
                _ => None,
            });
            match told {
                Some(Some(row)) => self.show(seat, row)?,
                Some(None) => self.play(Action::Muck(seat), Step::Muck(seat))?,
                None => {
                    let unseen: Row = self.hand.hole(seat).as_slice().iter().map(|_| None).collect();
                    self.play(Action::Show(seat, unseen), Step::Show(seat, unseen))?;
                }
            }
        }
        Ok(())
    }

    fn show(&mut self, seat: Seat, row: Row) -> Result<(), String> {
        let held = self.hand.hole(seat).len();
        let row: Row = row.as_slice().iter().take(held).copied().collect();
        self.play(Action::Show(seat, row), Step::Show(seat, row))
    }

    fn showdown(
        &mut self,
        seat: Seat,
        event: &Event,
        later: &[Told],
        place: &impl Fn(usize) -> usize,
    ) -> Result<(), String> {
        // With cards still to come the hand is shown here; else this is the end, and it was shown before them too.
        let cards_follow = later
            .iter()
            .any(|(_, _, event)| matches!(event, Event::Dealt(_) | Event::Board(_) | Event::Street));
        loop {
            self.deal_hole()?;
            if self.hand.phase() != Phase::Reveal || self.hand.is_last_street() || cards_follow {
                break;
            }
            self.reveal(later, place)?;
        }
        let waits = self.hand.phase() == Phase::Reveal && self.hand.pending.contains(seat);
        let late = self.hand.phase() == Phase::Over
            && self.hand.live().contains(seat)
            && !self.hand.holdings[seat].all_up();
        match event {
            Event::Show(row) if waits || late => self.show(seat, *row),
            Event::Muck if waits => self.play(Action::Muck(seat), Step::Muck(seat)),
            _ => Ok(()),
        }
    }

    /// Chips were paid out, so whoever has not shown has mucked.
    pub(super) fn end(&mut self, paid: bool) {
        while paid && self.hand.phase() == Phase::Reveal {
            let Some(seat) = self.hand.turn() else { return };
            if self.play(Action::Muck(seat), Step::Muck(seat)).is_err() {
                return;
            }
        }
    }
}
