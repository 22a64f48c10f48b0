//! One line of a hand's log: an action, a chat message or a remark.

use std::fmt;

use crate::money::Amount;
use crate::row::Row;

/// What a line says. Players count from 0 in the order of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `d dh pN cards`
    DealHole(usize, Row),
    /// `d db cards`
    DealBoard(Row),
    /// `pN f`
    Fold(usize),
    /// `pN cc`, in JSON perhaps with the amount.
    Call(usize, Option<Amount>),
    /// `pN cbr total`
    Raise(usize, Amount),
    /// `pN pb`
    BringIn(usize),
    /// `pN sd cards`
    Draw(usize, Row),
    /// `pN sm cards`
    Show(usize, Row),
    /// `pN sm -`
    ShowAll(usize),
    /// `pN sm`
    Muck(usize),
    /// `pN m text`; PHH proper knows only remarks, so it is written there as `# pN m text`.
    Chat(usize, String),
    /// Only a remark.
    Remark,
}

/// A step and what stands after its `#`: a remark or a time in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub step: Step,
    /// The text after `#`, as written.
    pub note: Option<String>,
}

impl From<Step> for Entry {
    fn from(step: Step) -> Self {
        Self { step, note: None }
    }
}

/// Text that is no line of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an action such as \"p1 cbr 300\", got {0:?}")]
pub struct EntryError(pub String);

impl Entry {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is neither an action, a message nor a remark.
    pub fn parse(text: &str) -> Result<Self, EntryError> {
        if let Some(step) = parse_usual(text.as_bytes()) {
            return Ok(step.into());
        }
        let bad = || EntryError(text.chars().take(80).collect());
        if let Some(chat) = parse_chat(text) {
            return Ok(chat);
        }
        let (body, note) = match text.bytes().position(|byte| byte == b'#') {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let mut words = body.split_ascii_whitespace();
        let (who, what) = (words.next(), words.next());
        let (third, fourth) = (words.next(), words.next());
        if words.next().is_some() {
            return Err(bad());
        }
        let row = |text: Option<&str>| Row::parse(text.unwrap_or("")).map_err(|_| bad());
        let amount = |text: &str| Amount::parse(text).ok().filter(|a| !a.is_negative()).ok_or_else(bad);
        let player = |text: &str| parse_player(text).ok_or_else(bad);
        let step = match (who, what, third, fourth) {
            (None, ..) => match note.and_then(|note| parse_chat(note.trim_start())) {
                Some(chat) => return Ok(chat),
                None => Step::Remark,
            },
            (Some("d"), Some("dh"), Some(who), Some(cards)) => {
                Step::DealHole(player(who)?, row(Some(cards))?)
            }
            (Some("d"), Some("db"), Some(cards), None) => Step::DealBoard(row(Some(cards))?),
            (Some(who), Some("f"), None, None) => Step::Fold(player(who)?),
            (Some(who), Some("cc"), paid, None) => Step::Call(player(who)?, paid.map(amount).transpose()?),
            (Some(who), Some("cbr"), Some(to), None) => Step::Raise(player(who)?, amount(to)?),
            (Some(who), Some("pb"), None, None) => Step::BringIn(player(who)?),
            (Some(who), Some("sd"), cards, None) => Step::Draw(player(who)?, row(cards)?),
            (Some(who), Some("sm"), None, None) => Step::Muck(player(who)?),
            (Some(who), Some("sm"), Some("-"), None) => Step::ShowAll(player(who)?),
            (Some(who), Some("sm"), cards, None) => Step::Show(player(who)?, row(cards)?),
            _ => return Err(bad()),
        };
        Ok(Self { step, note: note.map(str::to_owned) })
    }

    /// The line as PHH has it: calls without their amount, messages as remarks.
    #[must_use]
    pub fn to_phh(&self) -> String {
        match &self.step {
            Step::Chat(..) => format!("# {self}"),
            Step::Call(player, Some(_)) => {
                Self { step: Step::Call(*player, None), note: self.note.clone() }.to_string()
            }
            _ => self.to_string(),
        }
    }

    /// The player the line is about.
    #[must_use]
    pub const fn player(&self) -> Option<usize> {
        match self.step {
            Step::DealHole(player, _)
            | Step::Fold(player)
            | Step::Call(player, _)
            | Step::Raise(player, _)
            | Step::BringIn(player)
            | Step::Draw(player, _)
            | Step::Show(player, _)
            | Step::ShowAll(player)
            | Step::Muck(player)
            | Step::Chat(player, _) => Some(player),
            Step::DealBoard(_) | Step::Remark => None,
        }
    }

    /// The same line about another player.
    #[must_use]
    pub fn renumbered(&self, to: impl Fn(usize) -> usize) -> Self {
        let step = match self.step.clone() {
            Step::DealHole(player, row) => Step::DealHole(to(player), row),
            Step::Fold(player) => Step::Fold(to(player)),
            Step::Call(player, amount) => Step::Call(to(player), amount),
            Step::Raise(player, amount) => Step::Raise(to(player), amount),
            Step::BringIn(player) => Step::BringIn(to(player)),
            Step::Draw(player, row) => Step::Draw(to(player), row),
            Step::Show(player, row) => Step::Show(to(player), row),
            Step::ShowAll(player) => Step::ShowAll(to(player)),
            Step::Muck(player) => Step::Muck(to(player)),
            Step::Chat(player, text) => Step::Chat(to(player), text),
            step @ (Step::DealBoard(_) | Step::Remark) => step,
        };
        Self { step, note: self.note.clone() }
    }
}

fn parse_player(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('p')?;
    let plain = digits.len() <= 2 && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse::<usize>().ok().filter(|_| plain)?.checked_sub(1)
}

/// A line as programs write it: single spaces, no remark. Anything else is left to the long way.
fn parse_usual(line: &[u8]) -> Option<Step> {
    let cards = |bytes: &[u8]| Row::from_bytes(bytes).filter(|row| !row.is_empty());
    match line {
        [b'd', b' ', b'd', b'b', b' ', dealt @ ..] => cards(dealt).map(Step::DealBoard),
        [b'd', b' ', b'd', b'h', b' ', rest @ ..] => {
            let (player, rest) = split_player(rest)?;
            cards(rest.strip_prefix(b" ")?).map(|row| Step::DealHole(player, row))
        }
        _ => {
            let (player, rest) = split_player(line)?;
            match rest {
                b" f" => Some(Step::Fold(player)),
                b" cc" => Some(Step::Call(player, None)),
                b" sd" => Some(Step::Draw(player, Row::EMPTY)),
                b" sm" => Some(Step::Muck(player)),
                b" pb" => Some(Step::BringIn(player)),
                [b' ', b'c', b'b', b'r', b' ', digits @ ..] => {
                    let usual =
                        !digits.is_empty() && digits.len() <= 12 && digits.iter().all(u8::is_ascii_digit);
                    let units = || digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
                    usual.then(|| Step::Raise(player, Amount::whole(units())))
                }
                [b' ', b's', b'd', b' ', thrown @ ..] => cards(thrown).map(|row| Step::Draw(player, row)),
                [b' ', b's', b'm', b' ', shown @ ..] => cards(shown).map(|row| Step::Show(player, row)),
                _ => None,
            }
        }
    }
}

/// `pN` at the beginning, and what comes after it.
fn split_player(line: &[u8]) -> Option<(usize, &[u8])> {
    match line {
        [b'p', tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => {
            Some((usize::from((tens - b'0') * 10 + (ones - b'0')).checked_sub(1)?, rest))
        }
        [b'p', ones @ b'1'..=b'9', rest @ ..] => Some((usize::from(ones - b'1'), rest)),
        _ => None,
    }
}

/// `pN m text`; only a time in milliseconds at the end is no part of the text.
fn parse_chat(text: &str) -> Option<Entry> {
    // Players have at most two digits: lines without a message are told apart by their first bytes.
    let space = text.bytes().take(4).position(|byte| byte == b' ')?;
    let rest = text[space..].strip_prefix(" m ")?;
    let player = parse_player(&text[..space])?;
    let timed =
        rest.rsplit_once(" #").filter(|(_, ms)| !ms.is_empty() && ms.bytes().all(|b| b.is_ascii_digit()));
    let (said, note) = timed.map_or((rest, None), |(said, ms)| (said, Some(ms.to_owned())));
    Some(Entry { step: Step::Chat(player, said.to_owned()), note })
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DealHole(player, row) => write!(f, "d dh p{} {row}", player + 1),
            Self::DealBoard(row) => write!(f, "d db {row}"),
            Self::Fold(player) => write!(f, "p{} f", player + 1),
            Self::Call(player, None) => write!(f, "p{} cc", player + 1),
            Self::Call(player, Some(paid)) => write!(f, "p{} cc {paid}", player + 1),
            Self::Raise(player, to) => write!(f, "p{} cbr {to}", player + 1),
            Self::BringIn(player) => write!(f, "p{} pb", player + 1),
            Self::Draw(player, row) if row.is_empty() => write!(f, "p{} sd", player + 1),
            Self::Draw(player, row) => write!(f, "p{} sd {row}", player + 1),
            Self::Show(player, row) => write!(f, "p{} sm {row}", player + 1),
            Self::ShowAll(player) => write!(f, "p{} sm -", player + 1),
            Self::Muck(player) => write!(f, "p{} sm", player + 1),
            Self::Chat(player, text) => write!(f, "p{} m {text}", player + 1),
            Self::Remark => Ok(()),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.step, &self.note) {
            (Step::Remark, Some(note)) => write!(f, "#{note}"),
            (step, Some(note)) => write!(f, "{step} #{note}"),
            (step, None) => write!(f, "{step}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_written_back_as_it_was() {
        for line in [
            "d dh p1 AsKd",
            "d db 2c??4h",
            "p10 f",
            "p1 cc",
            "p1 cc 2.50",
            "p2 cbr 7.50 # why not",
            "p3 pb",
            "p1 sd",
            "p1 sd 4s",
            "p1 sm",
            "p1 sm -",
            "p1 sm ????",
            "p1 m hello #1 fan",
            "p1 f #1690000000000",
            "# a remark",
            "",
            "p1 m hi #1690000000000",
        ] {
            assert_eq!(Entry::parse(line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn in_phh_a_message_is_a_remark_and_a_call_has_no_amount() {
        let chat = Entry::parse("p1 m gg #5").unwrap();
        assert_eq!(chat.to_phh(), "# p1 m gg #5");
        assert_eq!(Entry::parse(&chat.to_phh()).unwrap(), chat);
        assert_eq!(Entry::parse("p1 cc 5 #9").unwrap().to_phh(), "p1 cc #9");
    }

    #[test]
    fn what_is_no_action_is_refused() {
        for line in [
            "p0 f",
            "p1",
            "x f",
            "p1 cbr",
            "p1 cbr -5",
            "p1 cbr ten",
            "d dh p1",
            "d db 1x",
            "p1 f now",
            "p+1 f",
        ] {
            assert!(Entry::parse(line).is_err(), "{line}");
        }
    }
}
