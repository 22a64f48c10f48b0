//! Writing PokerStars' text: the record is played and each thing that happens gets its line.

mod end;
mod head;

use std::fmt::Write as _;

use super::{GAMES, street_name};
use crate::hand::{Hand, Phase};
use crate::money::{Chips, Scale, is_endless};
use crate::notation::entry::{Entry, Step};
use crate::notation::record::Record;
use crate::rank;
use crate::replay::{Replay, ReplayError, book_of};
use crate::row::Row;
use crate::seat::Seat;
use crate::variant::Variant;

/// Why a hand cannot be written as PokerStars' text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// PokerStars does not spread the game.
    #[error("PokerStars' text has no form for {} ({})", .0.code(), .0.name())]
    Variant(Variant),
    /// Two players have the same name, or a name holds a line break.
    #[error("players: expected different names on one line each, got {0:?}")]
    Names(String),
    /// The hand cannot be played.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// Writes a hand.
///
/// # Errors
/// When PokerStars does not spread the variant or the hand cannot be played.
pub fn write(record: &Record) -> Result<String, WriteError> {
    let game = GAMES.iter().find(|(_, variant)| *variant == record.variant);
    let (game, _) = game.ok_or(WriteError::Variant(record.variant))?;
    let mut writer = Writer::new(record)?;
    writer.header(game);
    writer.posts();
    writer.street_header(0);
    writer.play()?;
    writer.summary();
    writer.out.push('\n');
    Ok(writer.out)
}

struct Writer<'a> {
    record: &'a Record,
    replay: Replay<'a>,
    names: Vec<String>,
    seats: Vec<Chips>,
    sign: String,
    scale: Scale,
    out: String,
    shown: bool,
}

/// Adds a line.
macro_rules! put_line {
    ($writer:expr, $($text:tt)*) => {{
        // Writing to a string does not fail.
        let _ = writeln!($writer.out, $($text)*);
    }};
}
use put_line;

impl<'a> Writer<'a> {
    fn new(record: &'a Record) -> Result<Self, WriteError> {
        let replay = Replay::start(record, book_of(record))?;
        let names: Vec<String> = (0..record.players()).map(|player| record.name(player)).collect();
        for (i, name) in names.iter().enumerate() {
            if name.is_empty() || name.contains(['\n', '\r']) || names[..i].contains(name) {
                return Err(WriteError::Names(name.clone()));
            }
        }
        let whole = record.amounts("seats").unwrap_or_default();
        let whole: Vec<Chips> = whole.iter().filter_map(|&seat| Scale::new(0).chips(seat)).collect();
        let distinct = whole.iter().enumerate().all(|(i, seat)| *seat > 0 && !whole[..i].contains(seat));
        let players = record.players();
        // Without seats the players sit in the order of play, the button last.
        let by_place = (0..players).map(|player| replay.seat(player) as Chips + 1).collect();
        let seats = if distinct && whole.len() == players { whole } else { by_place };
        let sign =
            record.text("currency_symbol").filter(|s| !s.contains(|c: char| c.is_ascii_alphanumeric()));
        Ok(Self {
            record,
            scale: replay.scale(),
            replay,
            names,
            seats,
            sign: sign.unwrap_or_default(),
            out: String::new(),
            shown: false,
        })
    }

    fn hand(&self) -> &Hand {
        self.replay.hand()
    }

    /// `$5`, `$0.50`: two decimals or none, more only where they are needed.
    fn money(&self, chips: Chips) -> String {
        if is_endless(chips) {
            return format!("{}inf", self.sign);
        }
        let text = self.scale.text(chips);
        let short = text.split_once('.').is_some_and(|(_, part)| part.len() == 1);
        format!("{}{text}{}", self.sign, if short { "0" } else { "" })
    }

    fn name(&self, seat: Seat) -> &str {
        &self.names[self.replay.player(seat)]
    }

    fn street_header(&mut self, street: usize) {
        let name = street_name(self.record.variant, street);
        put_line!(self, "*** {name} ***");
    }

    fn play(&mut self) -> Result<(), WriteError> {
        let mut street = 0;
        for index in 0..self.record.actions.len() {
            let entry = &self.record.actions[index];
            let before = self.hand().clone();
            // A new street shows its name once something of it is seen; board streets show their cards with it.
            if before.phase() != Phase::Over
                && before.street as usize > street
                && !matches!(entry.step, Step::DealBoard(_))
            {
                street = before.street as usize;
                if !self.record.variant.has_board() {
                    self.street_header(street);
                }
            }
            self.replay.step()?;
            self.tell(entry, &before);
            let after = self.hand();
            if let Some((seat, chips)) = after.uncalled().filter(|now| Some(*now) != before.uncalled()) {
                put_line!(
                    self,
                    "Uncalled bet ({}) returned to {}",
                    self.money(chips),
                    self.name(seat).to_owned()
                );
            }
        }
        self.collected();
        Ok(())
    }

    fn tell(&mut self, entry: &Entry, before: &Hand) {
        let Some(player) = entry.player() else {
            if let Step::DealBoard(row) = entry.step {
                self.board(before, row);
            }
            return;
        };
        let seat = self.replay.seat(player);
        let name = self.names[player].clone();
        let all_in = if self.hand().stacks_after(seat, before) == 0 { " and is all-in" } else { "" };
        match &entry.step {
            Step::DealHole(_, row) => self.dealt(&name, seat, before, *row),
            Step::Fold(_) => put_line!(self, "{name}: folds"),
            Step::Call(..) => match before.call_cost(seat) {
                0 => put_line!(self, "{name}: checks"),
                cost => put_line!(self, "{name}: calls {}{all_in}", self.money(cost)),
            },
            Step::Raise(_, to) => {
                let to = self.scale.chips(*to).unwrap_or(0);
                let top = before.bets().iter().copied().max().unwrap_or(0);
                if top == 0 {
                    put_line!(self, "{name}: bets {}{all_in}", self.money(to));
                } else {
                    put_line!(self, "{name}: raises {} to {}{all_in}", self.money(to - top), self.money(to));
                }
            }
            Step::BringIn(_) => {
                let chips = before.setup().bring_in.min(before.stacks()[seat]);
                put_line!(self, "{name}: brings in for {}{all_in}", self.money(chips));
            }
            Step::Draw(_, row) if row.is_empty() => put_line!(self, "{name}: stands pat"),
            Step::Draw(_, row) => {
                let (count, plural) = (row.len(), if row.len() == 1 { "" } else { "s" });
                let known = if row.unseen() == count { String::new() } else { format!(" {}", brackets(row)) };
                put_line!(self, "{name}: discards {count} card{plural}{known}");
            }
            Step::Show(_, row) => self.show(&name, seat, row),
            Step::ShowAll(_) => {
                let row = *self.hand().hole(seat);
                self.show(&name, seat, &row);
            }
            Step::Muck(_) => {
                self.showdown_header();
                put_line!(self, "{name}: mucks hand");
            }
            Step::Chat(_, text) => put_line!(self, "{name} said, \"{}\"", text.replace(['\n', '\r'], " ")),
            Step::DealBoard(_) | Step::Remark => {}
        }
    }

    fn dealt(&mut self, name: &str, seat: Seat, before: &Hand, row: Row) {
        if row.unseen() == row.len() {
            return;
        }
        let held = before.hole(seat);
        if held.is_empty() {
            put_line!(self, "Dealt to {name} {}", brackets(&row));
        } else {
            put_line!(self, "Dealt to {name} {} {}", brackets(held), brackets(&row));
        }
    }

    fn board(&mut self, before: &Hand, row: Row) {
        let name = street_name(self.record.variant, before.street as usize);
        let held = *before.board(0);
        if held.is_empty() {
            put_line!(self, "*** {name} *** {}", brackets(&row));
        } else {
            put_line!(self, "*** {name} *** {} {}", brackets(&held), brackets(&row));
        }
    }

    fn showdown_header(&mut self) {
        if !std::mem::replace(&mut self.shown, true) {
            put_line!(self, "*** SHOW DOWN ***");
        }
    }

    fn show(&mut self, name: &str, seat: Seat, row: &Row) {
        self.showdown_header();
        let hand = self.hand();
        let hole: Vec<_> = hand.face_up(seat).collect();
        let board: Vec<_> = hand.board(0).known().collect();
        let kind = self.record.variant.kinds().0;
        let strength = rank::strength(kind, &hole, &board);
        let said =
            if strength > 0 { format!(" ({})", rank::class_name(kind, strength)) } else { String::new() };
        put_line!(self, "{name}: shows {}{said}", brackets(row));
    }
}

impl Hand {
    /// What a player had left right after his action, before an uncalled bet came back or a pot was paid.
    fn stacks_after(&self, seat: Seat, before: &Self) -> Chips {
        let back = self
            .uncalled()
            .filter(|now| Some(*now) != before.uncalled() && now.0 == seat)
            .map_or(0, |(_, c)| c);
        self.stacks()[seat] - back - if self.phase() == Phase::Over { self.won()[seat] } else { 0 }
    }
}

fn brackets(row: &Row) -> String {
    let cards: Vec<String> =
        row.as_slice().iter().map(|card| card.map_or_else(|| "??".into(), |card| card.to_string())).collect();
    format!("[{}]", cards.join(" "))
}
