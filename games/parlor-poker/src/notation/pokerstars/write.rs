//! Writing PokerStars' text: the record is played and each thing that happens gets its line.

use std::fmt::Write as _;

use super::{GAMES, street_name};
use crate::hand::{Hand, Phase};
use crate::money::{Chips, Scale, is_endless};
use crate::notation::entry::{Entry, Step};
use crate::notation::record::Record;
use crate::notation::value::Value;
use crate::rank;
use crate::replay::{Replay, ReplayError, book_of};
use crate::row::Row;
use crate::seat::{Seat, SeatSet};
use crate::setup::Setup;
use crate::variant::{Limit, Variant};

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
macro_rules! line {
    ($writer:expr, $($text:tt)*) => {{
        // Writing to a string does not fail.
        let _ = writeln!($writer.out, $($text)*);
    }};
}

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

    fn header(&mut self, game: &str) {
        let setup = *self.hand().setup();
        let posted = setup.blinds[..setup.players].iter().copied().filter(|&b| b > 0).min();
        let small = match setup.variant.limit() {
            Limit::Fixed => setup.small_bet,
            _ => posted.filter(|&b| b < setup.small_bet).unwrap_or(setup.small_bet / 2),
        };
        let big = if setup.variant.limit() == Limit::Fixed { setup.big_bet } else { setup.small_bet };
        let mut stakes = format!("{}/{}", self.money(small), self.money(big));
        if let Some(code) = self.record.text("currency") {
            stakes = format!("{stakes} {code}");
        }
        if setup.variant.is_stud() && !self.bring_in_is_told() {
            stakes = format!("{stakes} bring-in {}", self.money(setup.bring_in));
        }
        let number = self.record.text("hand").unwrap_or_else(|| "-".into());
        let date = self.date().map_or(String::new(), |date| format!(" - {date}"));
        line!(self, "PokerStars Hand #{number}:  {game} ({stakes}){date}");
        let table = self.record.text("table").unwrap_or_default();
        let max = self.record.number("seat_count").map_or(String::new(), |count| format!("{count}-max "));
        line!(self, "Table '{table}' {max}Seat #{} is the button", self.seats[self.record.button]);
        for player in self.seat_order() {
            let seat = self.replay.seat(player);
            let stack = self.money(setup.stacks[seat] + setup.paid_dead[seat]);
            let out = if setup.sitting_out.contains(seat) { " is sitting out" } else { "" };
            line!(self, "Seat {}: {} ({stack} in chips){out}", self.seats[player], self.names[player]);
        }
    }

    /// Players by seat. Some real files have seats that contradict the order of play; theirs are listed in the order of
    /// play, by which the reader knows them.
    fn seat_order(&self) -> Vec<usize> {
        let play = self.record.order_of_play();
        let first = play.iter().copied().min_by_key(|&player| self.seats[player]).unwrap_or(0);
        let from = play.iter().position(|&player| player == first).unwrap_or(0);
        let turned: Vec<usize> = play[from..].iter().chain(&play[..from]).copied().collect();
        if turned.is_sorted_by_key(|&player| self.seats[player]) { turned } else { play }
    }

    /// Whether the log shows the full bring-in.
    fn bring_in_is_told(&self) -> bool {
        let posts = self.record.actions.iter().find(|entry| matches!(entry.step, Step::BringIn(_)));
        let setup = self.hand().setup();
        posts.and_then(Entry::player).is_some_and(|player| {
            let seat = self.replay.seat(player);
            setup.stacks[seat] - setup.antes[seat] >= setup.bring_in
        })
    }

    fn date(&self) -> Option<String> {
        let part = |name: &str| self.record.number(name);
        let mut date = format!("{:04}/{:02}/{:02}", part("year")?, part("month")?, part("day")?);
        if let Some(time) = self.record.text("time") {
            let _ = write!(date, " {time}");
            let zone = self.record.text("time_zone_abbreviation").or_else(|| self.record.text("time_zone"));
            if let Some(zone) = zone {
                let _ = write!(date, " {zone}");
            }
        }
        Some(date)
    }

    /// Antes, then blinds and straddles, then posts, dead money last.
    fn posts(&mut self) {
        let setup = *self.hand().setup();
        let live = self.hand().live();
        let mut left = setup.stacks;
        for seat in live.iter().filter(|&seat| setup.antes[seat] > 0) {
            self.post(seat, "the ante", setup.antes[seat], &mut left);
        }
        // An ante beyond all others comes back before the blinds.
        let returned = setup.ante_trimming.then(|| beyond_others(&setup, live)).flatten();
        if let Some((seat, chips)) = returned {
            left[seat] += chips;
            line!(self, "Uncalled bet ({}) returned to {}", self.money(chips), self.name(seat).to_owned());
        }
        let big = setup.small_bet;
        let (mut small_told, mut big_told) = (None, false);
        for seat in live.iter().filter(|&seat| setup.blinds[seat] > 0) {
            let blind = setup.blinds[seat];
            let what = if blind == big && !big_told {
                big_told = true;
                "big blind"
            } else if blind < big && small_told.is_none() {
                small_told = Some(blind);
                "small blind"
            } else {
                "straddle"
            };
            self.post(seat, what, blind, &mut left);
        }
        for seat in live.iter() {
            let (post, dead) = (-setup.blinds[seat].min(0), setup.paid_dead[seat]);
            let full = post == big && left[seat] >= big;
            if full && dead > 0 && big_told {
                left[seat] -= post;
                line!(
                    self,
                    "{}: posts small & big blinds {}",
                    self.name(seat).to_owned(),
                    self.money(post + dead)
                );
                continue;
            }
            if post > 0 {
                let what = if full && big_told { "big blind" } else { "a live blind" };
                self.post(seat, what, post, &mut left);
            }
            if dead > 0 {
                let what = if small_told == Some(dead) { "small blind" } else { "dead blind" };
                line!(self, "{}: posts {what} {}", self.name(seat).to_owned(), self.money(dead));
            }
        }
    }

    fn post(&mut self, seat: Seat, what: &str, chips: Chips, left: &mut [Chips]) {
        let paid = chips.min(left[seat]);
        left[seat] -= paid;
        let all_in = if left[seat] == 0 { " and is all-in" } else { "" };
        let short = if paid < chips { format!(" (of {})", self.money(chips)) } else { String::new() };
        line!(self, "{}: posts {what} {}{all_in}{short}", self.name(seat).to_owned(), self.money(paid));
    }

    fn street_header(&mut self, street: usize) {
        let name = street_name(self.record.variant, street);
        line!(self, "*** {name} ***");
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
                line!(
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
            Step::Fold(_) => line!(self, "{name}: folds"),
            Step::Call(..) => match before.call_cost(seat) {
                0 => line!(self, "{name}: checks"),
                cost => line!(self, "{name}: calls {}{all_in}", self.money(cost)),
            },
            Step::Raise(_, to) => {
                let to = self.scale.chips(*to).unwrap_or(0);
                let top = before.bets().iter().copied().max().unwrap_or(0);
                if top == 0 {
                    line!(self, "{name}: bets {}{all_in}", self.money(to));
                } else {
                    line!(self, "{name}: raises {} to {}{all_in}", self.money(to - top), self.money(to));
                }
            }
            Step::BringIn(_) => {
                let chips = before.setup().bring_in.min(before.stacks()[seat]);
                line!(self, "{name}: brings in for {}{all_in}", self.money(chips));
            }
            Step::Draw(_, row) if row.is_empty() => line!(self, "{name}: stands pat"),
            Step::Draw(_, row) => {
                let (count, plural) = (row.len(), if row.len() == 1 { "" } else { "s" });
                let known = if row.unseen() == count { String::new() } else { format!(" {}", brackets(row)) };
                line!(self, "{name}: discards {count} card{plural}{known}");
            }
            Step::Show(_, row) => self.show(&name, seat, row),
            Step::ShowAll(_) => {
                let row = *self.hand().hole(seat);
                self.show(&name, seat, &row);
            }
            Step::Muck(_) => {
                self.showdown_header();
                line!(self, "{name}: mucks hand");
            }
            Step::Chat(_, text) => line!(self, "{name} said, \"{}\"", text.replace(['\n', '\r'], " ")),
            Step::DealBoard(_) | Step::Remark => {}
        }
    }

    fn dealt(&mut self, name: &str, seat: Seat, before: &Hand, row: Row) {
        if row.unseen() == row.len() {
            return;
        }
        let held = before.hole(seat);
        if held.is_empty() {
            line!(self, "Dealt to {name} {}", brackets(&row));
        } else {
            line!(self, "Dealt to {name} {} {}", brackets(held), brackets(&row));
        }
    }

    fn board(&mut self, before: &Hand, row: Row) {
        let name = street_name(self.record.variant, before.street as usize);
        let held = *before.board(0);
        if held.is_empty() {
            line!(self, "*** {name} *** {}", brackets(&row));
        } else {
            line!(self, "*** {name} *** {} {}", brackets(&held), brackets(&row));
        }
    }

    fn showdown_header(&mut self) {
        if !std::mem::replace(&mut self.shown, true) {
            line!(self, "*** SHOW DOWN ***");
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
        line!(self, "{name}: shows {}{said}", brackets(row));
    }

    fn collected(&mut self) {
        let awards = self.hand().awards();
        let side_pots = awards.iter().map(|award| award.pot).max().unwrap_or(0);
        for award in awards {
            let pot = match (side_pots, award.pot) {
                (0, _) => "pot".to_owned(),
                (_, 0) => "main pot".to_owned(),
                (1, _) => "side pot".to_owned(),
                (_, pot) => format!("side pot-{pot}"),
            };
            line!(
                self,
                "{} collected {} from {pot}",
                self.name(award.seat).to_owned(),
                self.money(award.chips)
            );
        }
    }

    fn summary(&mut self) {
        line!(self, "*** SUMMARY ***");
        let hand = self.hand().clone();
        if hand.phase() == Phase::Over {
            let pots = hand.final_pots();
            let total: Chips = pots.iter().map(|(pot, _)| pot.chips).sum();
            let mut parts = String::new();
            if pots.len() > 1 && hand.live().len() > 1 {
                for (i, (pot, _)) in pots.iter().enumerate() {
                    let name = match (i, pots.len()) {
                        (0, _) => "Main pot".to_owned(),
                        (_, 2) => "Side pot".to_owned(),
                        _ => format!("Side pot-{i}"),
                    };
                    let _ = write!(parts, " {name} {}.", self.money(pot.chips));
                }
            }
            line!(self, "Total pot {}{parts} | Rake {}", self.money(total), self.money(hand.raked()));
        }
        if hand.boards() == 2 {
            line!(self, "Hand was run twice");
            line!(self, "FIRST Board {}", brackets(hand.board(0)));
            line!(self, "SECOND Board {}", brackets(hand.board(1)));
        } else if !hand.board(0).is_empty() {
            line!(self, "Board {}", brackets(hand.board(0)));
        }
        if matches!(self.record.field("_bombPot"), Some(Value::Bool(true))) {
            line!(self, "Hand was a bomb pot");
        }
        for player in self.seat_order() {
            let seat = self.replay.seat(player);
            let button = if player == self.record.button { " (button)" } else { "" };
            let end = match (hand.won()[seat], hand.live().contains(seat)) {
                _ if hand.setup().sitting_out.contains(seat) => continue,
                (0, true) => "lost".to_owned(),
                (0, false) => "folded".to_owned(),
                (won, _) => format!("won ({})", self.money(won)),
            };
            line!(self, "Seat {}: {}{button} {end}", self.seats[player], self.names[player]);
        }
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

/// By how much the largest ante that was paid exceeds the next, and whose it is.
fn beyond_others(setup: &Setup, live: SeatSet) -> Option<(Seat, Chips)> {
    let paid = |seat: Seat| setup.antes[seat].min(setup.stacks[seat]);
    let top = live.iter().max_by_key(|&seat| paid(seat))?;
    let next = live.iter().filter(|&seat| seat != top).map(paid).max().unwrap_or(0);
    (paid(top) > next).then(|| (top, paid(top) - next))
}

fn brackets(row: &Row) -> String {
    let cards: Vec<String> =
        row.as_slice().iter().map(|card| card.map_or_else(|| "??".into(), |card| card.to_string())).collect();
    format!("[{}]", cards.join(" "))
}
