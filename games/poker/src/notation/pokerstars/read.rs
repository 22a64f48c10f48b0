//! Reading PokerStars' text into lines that mean something; `build` makes a record of them.

use super::figures::{last_brackets, less, minus, money};
use super::{GAMES, build};
use crate::money::Amount;
use crate::notation::ReadError;
use crate::notation::record::Record;
use crate::notation::value::{SourcePosition, SyntaxError};
use crate::row::Row;
use crate::variant::{Limit, Variant};

/// Reads all hands of a text, keyed by their number from 1; a single hand has the key `""`.
///
/// # Errors
/// The place of the first line that cannot be right.
pub fn read(text: &str) -> Result<Vec<(String, Record)>, ReadError> {
    let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim_end).collect();
    let is_head = |line: &str| line.starts_with("PokerStars ");
    let starts: Vec<usize> = (0..lines.len()).filter(|&i| is_head(lines[i])).collect();
    let first = starts.first().copied().unwrap_or(lines.len());
    if starts.is_empty() || lines[..first].iter().any(|line| !line.trim().is_empty()) {
        return Err(wrong(0, "a line that begins with \"PokerStars \"").into());
    }
    let mut records = Vec::with_capacity(starts.len());
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(lines.len());
        let key = if starts.len() == 1 { String::new() } else { (i + 1).to_string() };
        let mut draft = Draft::new(lines[start], start)?;
        for (offset, line) in lines[start + 1..end].iter().enumerate() {
            draft.line(line, start + 1 + offset)?;
        }
        records.push((key, build::record(draft)?));
    }
    Ok(records)
}

/// One line of play.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Dealt(Row),
    Board(Row),
    Street,
    Fold,
    Call,
    Bet(Amount),
    Raise(Amount),
    BringIn(Amount),
    Draw(Row),
    Show(Row),
    Muck,
    Chat(String),
    Remark(String),
}

/// One player as the seat lines and posts show him.
#[derive(Clone, Debug)]
pub(super) struct Sitter {
    pub(super) seat: i64,
    pub(super) name: String,
    pub(super) stack: Amount,
    pub(super) out: bool,
    pub(super) ante: Amount,
    pub(super) blind: Amount,
    pub(super) live_post: bool,
    pub(super) dead: Option<Amount>,
    pub(super) collected: Vec<Amount>,
}

/// A hand as far as its lines were read.
pub(super) struct Draft {
    pub(super) variant: Variant,
    pub(super) number: String,
    pub(super) stakes: [Amount; 2],
    pub(super) sign: String,
    pub(super) currency: Option<String>,
    pub(super) bring_in: Option<Amount>,
    pub(super) date: Option<String>,
    pub(super) table: String,
    pub(super) seat_count: Option<i64>,
    pub(super) button: i64,
    pub(super) sitters: Vec<Sitter>,
    /// Line number from 0, player, event.
    pub(super) events: Vec<(usize, Option<usize>, Event)>,
    pub(super) rake: Option<Amount>,
    /// Main and side pots of the summary, or the total where it does not tell them apart.
    pub(super) pots: Vec<Amount>,
    pub(super) second_board: Option<Row>,
    pub(super) bomb_pot: bool,
    pub(super) head_line: usize,
    /// Whether an ante beyond all others came back before the cards.
    pub(super) ante_returned: bool,
    in_summary: bool,
    small_told: bool,
    big_told: bool,
}

pub(super) const fn at(line: usize) -> SourcePosition {
    SourcePosition { line: line + 1, column: 1 }
}

pub(super) const fn wrong(line: usize, expected: &'static str) -> SyntaxError {
    SyntaxError { place: at(line), expected }
}

impl Draft {
    fn new(head: &str, number: usize) -> Result<Self, SyntaxError> {
        let (_, rest) = head.split_once('#').ok_or_else(|| wrong(number, "the number of the hand"))?;
        let (hand, rest) =
            rest.split_once(':').ok_or_else(|| wrong(number, ": after the number of the hand"))?;
        // The longest name that fits: "Omaha Hi/Lo Limit" before "Omaha Limit".
        let game = GAMES.iter().filter(|(name, _)| rest.contains(name)).max_by_key(|(name, _)| name.len());
        let &(name, variant) =
            game.ok_or_else(|| wrong(number, "a game PHH knows, such as Hold'em No Limit"))?;
        let tail = rest.split_once(name).map_or("", |(_, tail)| tail);
        let inside = tail.split_once('(').and_then(|(_, t)| t.split_once(')'));
        let (stakes, after) = inside.ok_or_else(|| wrong(number, "stakes such as ($1/$2)"))?;
        let mut words = stakes.split_ascii_whitespace();
        let (small, big) = words
            .next()
            .and_then(|w| w.split_once('/'))
            .ok_or_else(|| wrong(number, "stakes such as $1/$2"))?;
        let figure = |text: &str| money(text).ok_or_else(|| wrong(number, "stakes such as $1/$2"));
        let sign: String = small.chars().take_while(|c| !c.is_ascii_digit()).collect();
        let words: Vec<&str> = words.collect();
        let bring_in =
            words.iter().position(|w| *w == "bring-in").and_then(|i| words.get(i + 1)).and_then(|w| money(w));
        let currency = words.first().filter(|w| **w != "bring-in").map(|w| (*w).to_owned());
        let date = after.rsplit(" - ").next().map(|d| d.split('[').next().unwrap_or("").trim());
        Ok(Self {
            variant,
            number: hand.trim().to_owned(),
            stakes: [figure(small)?, figure(big)?],
            sign,
            currency,
            bring_in,
            date: date.filter(|d| d.contains('/')).map(str::to_owned),
            table: String::new(),
            seat_count: None,
            button: 0,
            sitters: Vec::new(),
            events: Vec::new(),
            rake: None,
            pots: Vec::new(),
            second_board: None,
            bomb_pot: false,
            head_line: number,
            ante_returned: false,
            in_summary: false,
            small_told: false,
            big_told: false,
        })
    }

    /// The big blind as the header has it.
    pub(super) fn big_blind(&self) -> Amount {
        if self.variant.limit() == Limit::Fixed { self.stakes[0] } else { self.stakes[1] }
    }

    fn line(&mut self, line: &str, number: usize) -> Result<(), SyntaxError> {
        if self.in_summary {
            return self.summary(line, number);
        }
        if let Some(mark) = line.strip_prefix("*** ") {
            return self.street(mark, number);
        }
        if let Some(rest) = line.strip_prefix("Table ") {
            return self.table(rest, number);
        }
        if let Some(rest) = line.strip_prefix("Dealt to ") {
            return self.dealt(rest, number);
        }
        if let Some((player, rest)) = self.player(line) {
            if let Some(said) = rest.strip_prefix(" said, \"") {
                let said = said.strip_suffix('"').unwrap_or(said);
                self.events.push((number, Some(player), Event::Chat(said.to_owned())));
            } else if let Some(rest) = rest.strip_prefix(" collected ") {
                let chips =
                    rest.split(' ').next().and_then(money).ok_or_else(|| wrong(number, "an amount"))?;
                self.sitters[player].collected.push(chips);
            } else if let Some(act) = rest.strip_prefix(": ") {
                return self.act(player, act, number);
            }
            return Ok(());
        }
        if let Some(rest) = line.strip_prefix("Seat ") {
            return self.seat(rest, number);
        }
        if line.starts_with("Uncalled bet (") && self.events.is_empty() {
            self.ante_returned = true;
        }
        if line.contains(" said, \"") {
            self.events.push((number, None, Event::Remark(line.to_owned())));
        }
        Ok(())
    }

    /// The player whose name the line begins with: the longest one that fits.
    fn player<'l>(&self, line: &'l str) -> Option<(usize, &'l str)> {
        let fits = |name: &str| {
            line.strip_prefix(name).filter(|rest| rest.starts_with(": ") || rest.starts_with(' '))
        };
        let found = self.sitters.iter().enumerate().filter_map(|(i, s)| Some((i, fits(&s.name)?)));
        found.min_by_key(|(_, rest)| rest.len())
    }

    fn table(&mut self, rest: &str, number: usize) -> Result<(), SyntaxError> {
        let (name, tail) = rest
            .strip_prefix('\'')
            .and_then(|r| r.rsplit_once("' "))
            .ok_or_else(|| wrong(number, "the table's name in quotes"))?;
        name.clone_into(&mut self.table);
        let words: Vec<&str> = tail.split_ascii_whitespace().collect();
        self.seat_count = words.iter().find_map(|w| w.strip_suffix("-max")).and_then(|n| n.parse().ok());
        let button = words.iter().find_map(|w| w.strip_prefix('#')).and_then(|n| n.parse().ok());
        self.button = button.ok_or_else(|| wrong(number, "Seat #N is the button"))?;
        Ok(())
    }

    /// `N: name ($5 in chips)`
    fn seat(&mut self, rest: &str, number: usize) -> Result<(), SyntaxError> {
        let bad = || wrong(number, "a seat such as Seat 1: name ($5 in chips)");
        let (seat, rest) = rest.split_once(": ").ok_or_else(bad)?;
        let (name, tail) = rest.rsplit_once(" (").ok_or_else(bad)?;
        let (stack, after) = tail.split_once(" in chips").ok_or_else(bad)?;
        let seat: i64 = seat.parse().ok().filter(|s| (1..=99).contains(s)).ok_or_else(bad)?;
        let taken = self.sitters.iter().any(|s| s.seat == seat || s.name == name);
        if taken || name.is_empty() {
            return Err(wrong(number, "a seat and a name that are not taken"));
        }
        self.sitters.push(Sitter {
            seat,
            name: name.to_owned(),
            stack: money(stack).ok_or_else(bad)?,
            out: after.contains("sitting out") || after.contains("out of hand"),
            ante: Amount::ZERO,
            blind: Amount::ZERO,
            live_post: false,
            dead: None,
            collected: Vec::new(),
        });
        Ok(())
    }

    fn dealt(&mut self, rest: &str, number: usize) -> Result<(), SyntaxError> {
        let (player, rest) = self.player(rest).ok_or_else(|| wrong(number, "the name of a player"))?;
        let row = last_brackets(rest).ok_or_else(|| wrong(number, "cards such as [As Kd]"))?;
        self.events.push((number, Some(player), Event::Dealt(row)));
        Ok(())
    }

    fn street(&mut self, mark: &str, number: usize) -> Result<(), SyntaxError> {
        if mark.starts_with("SUMMARY") {
            self.in_summary = true;
        } else if mark.contains('[') && !mark.starts_with("SECOND ") {
            let row = last_brackets(mark).ok_or_else(|| wrong(number, "cards such as [As Kd]"))?;
            self.events.push((number, None, Event::Board(row)));
        } else if !mark.starts_with("SHOW DOWN") {
            self.events.push((number, None, Event::Street));
        }
        Ok(())
    }

    fn summary(&mut self, line: &str, number: usize) -> Result<(), SyntaxError> {
        if let Some((pots, rake)) = line.split_once("| Rake ") {
            // "Total pot 9 Main pot 5. Side pot 4. "
            let total = pots.strip_prefix("Total pot ").and_then(|t| money(t.split(' ').next()?));
            let parts = pots.split_once("Main pot ").map(|(_, parts)| parts.split(". "));
            self.pots = match parts {
                Some(parts) => parts.filter_map(|part| part.rsplit(' ').find_map(money)).collect(),
                None => total.into_iter().collect(),
            };
            let rake = rake.split(' ').next().and_then(money);
            self.rake = Some(rake.ok_or_else(|| wrong(number, "an amount"))?);
        } else if let Some(cards) = line.strip_prefix("SECOND Board ") {
            self.second_board =
                Some(last_brackets(cards).ok_or_else(|| wrong(number, "cards such as [As Kd]"))?);
        } else if line == "Hand was a bomb pot" {
            self.bomb_pot = true;
        }
        Ok(())
    }

    fn act(&mut self, player: usize, act: &str, number: usize) -> Result<(), SyntaxError> {
        let words: Vec<&str> = act.split_ascii_whitespace().collect();
        let amount = |i: usize| words.get(i).and_then(|w| money(w)).ok_or_else(|| wrong(number, "an amount"));
        let cards = || if act.contains('[') { last_brackets(act) } else { Some(Row::EMPTY) };
        let row = || cards().ok_or_else(|| wrong(number, "cards such as [As Kd]"));
        let event = match words.first().copied().unwrap_or("") {
            "folds" => Event::Fold,
            "checks" | "calls" => Event::Call,
            "bets" => Event::Bet(amount(1)?),
            "raises" | "completes" => {
                let to =
                    words.iter().position(|w| *w == "to").ok_or_else(|| wrong(number, "to and an amount"))?;
                Event::Raise(amount(to + 1)?)
            }
            "brings" => Event::BringIn(amount(3)?),
            "stands" => Event::Draw(Row::EMPTY),
            "discards" => {
                let count = words.get(1).and_then(|w| w.parse().ok()).filter(|n| (1..=5).contains(n));
                let count: usize = count.ok_or_else(|| wrong(number, "the number of cards"))?;
                let row = row()?;
                Event::Draw(if row.is_empty() { (0..count).map(|_| None).collect() } else { row })
            }
            "shows" | "showed" => Event::Show(row()?),
            "mucks" => Event::Muck,
            "posts" => return self.post(player, &words, number),
            "doesn't" | "is" | "has" => return Ok(()),
            _ => return Err(wrong(number, "an action such as folds, calls $2 or raises $2 to $4")),
        };
        self.events.push((number, Some(player), event));
        Ok(())
    }

    fn post(&mut self, player: usize, words: &[&str], number: usize) -> Result<(), SyntaxError> {
        let amounts: Vec<Amount> = words
            .iter()
            .filter(|w| w.contains(|c: char| c.is_ascii_digit()))
            .filter_map(|w| money(w))
            .collect();
        let paid = *amounts.first().ok_or_else(|| wrong(number, "an amount"))?;
        // What a short post should have been: said by us, else told by the stakes.
        let said = amounts.get(1).copied();
        let all_in = words.contains(&"all-in");
        let big = self.big_blind();
        let small = self.stakes[0];
        let fixed = self.variant.limit() == Limit::Fixed;
        let (small_told, big_told) = (self.small_told, self.big_told);
        let sitter = &mut self.sitters[player];
        sitter.out = false;
        let text = words.join(" ");
        let nominal = |full: Amount| said.unwrap_or(if all_in && less(paid, full) { full } else { paid });
        if text.contains("the ante") {
            sitter.ante = said.unwrap_or(paid);
        } else if text.contains("small & big") {
            sitter.blind = big;
            sitter.live_post = true;
            sitter.dead = minus(paid, big);
        } else if text.contains("a live blind") {
            sitter.blind = said.unwrap_or(paid);
            sitter.live_post = true;
        } else if text.contains("dead blind") || text.contains("small blind") && small_told {
            sitter.dead = Some(paid);
        } else if text.contains("small blind") {
            sitter.blind = nominal(if fixed { paid } else { small });
            self.small_told = true;
        } else if text.contains("big blind") {
            sitter.blind = nominal(big);
            sitter.live_post = big_told;
            self.big_told = true;
        } else if text.contains("straddle") {
            sitter.blind = said.unwrap_or(paid);
        } else {
            return Err(wrong(number, "an ante, a blind or a straddle"));
        }
        Ok(())
    }
}
