//! Tiles as people write them: `123m406p7z`, with `0` for a red five.

use std::fmt;

use crate::sets::TileSet;
use crate::tile::{Kind, Suit, Tile};

/// Why a text names no tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// A character that is neither a digit nor one of `m p s z`.
    Character {
        /// What was found.
        found: char,
        /// Where, counted from 1.
        place: usize,
    },
    /// Digits with no suit letter after them.
    SuitMissing { digits: String },
    /// A suit letter with no digits before it.
    DigitsMissing {
        /// Where, counted from 1.
        place: usize,
    },
    /// `8z`, `9z` or `0z`.
    NoSuchHonor { digit: char },
    /// More tiles of a kind than the box holds.
    FiveOfAKind { kind: Kind },
    /// A second red five of a suit.
    SecondRed { kind: Kind },
    /// A fourth plain five where one of the four is red.
    FourthPlainFive { kind: Kind },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character { found, place } => {
                write!(f, "unknown character {found:?} at place {place}: tiles are written like 123m406p7z")
            }
            Self::SuitMissing { digits } => write!(f, "no suit letter (m, p, s, z) after {digits}"),
            Self::DigitsMissing { place } => write!(f, "a suit letter without digits at place {place}"),
            Self::NoSuchHonor { digit } => write!(f, "no tile {digit}z: honors are 1z to 7z"),
            Self::FiveOfAKind { kind } => write!(f, "five of a kind: only four {kind} are in the box"),
            Self::SecondRed { kind } => {
                write!(f, "there is one red five 0{} only", kind.suit().letter())
            }
            Self::FourthPlainFive { kind } => {
                let letter = kind.suit().letter();
                write!(f, "three plain 5{letter} are in the box, the fourth is red: write it 0{letter}")
            }
        }
    }
}

impl std::error::Error for TextError {}

/// Reads tiles and gives each a piece that is not yet in `taken`, which then holds it too.
///
/// With `reds` false no five is red: `0m` still names the piece 16, and a fourth `5m` may take it as well.
///
/// # Errors
/// If the text names no tiles, or more of a kind than are left.
pub fn read_tiles(text: &str, taken: &mut TileSet, reds: bool) -> Result<Vec<Tile>, TextError> {
    let mut tiles = Vec::new();
    let mut digits: Vec<char> = Vec::new();
    for (index, found) in text.chars().enumerate() {
        let place = index + 1;
        if found.is_ascii_digit() {
            digits.push(found);
        } else if let Some(suit) = Suit::from_letter(found) {
            if digits.is_empty() {
                return Err(TextError::DigitsMissing { place });
            }
            for digit in digits.drain(..) {
                tiles.push(take(suit, digit, taken, reds)?);
            }
        } else if !found.is_whitespace() {
            return Err(TextError::Character { found, place });
        }
    }
    if digits.is_empty() {
        Ok(tiles)
    } else {
        Err(TextError::SuitMissing { digits: digits.into_iter().collect() })
    }
}

fn take(suit: Suit, digit: char, taken: &mut TileSet, reds: bool) -> Result<Tile, TextError> {
    let red = digit == '0' && suit != Suit::Honor;
    let rank = if red { 5 } else { digit as u8 - b'0' };
    let kind = Kind::of(suit, rank).ok_or(TextError::NoSuchHonor { digit })?;
    let mut free = kind.tiles().filter(|tile| !taken.contains(*tile));
    let tile = if red {
        free.find(|tile| tile.is_red()).ok_or(TextError::SecondRed { kind })?
    } else {
        let plain = free.clone().find(|tile| !tile.is_red());
        match (plain, free.next()) {
            (Some(tile), _) => tile,
            (None, Some(tile)) if !reds => tile,
            (None, Some(_)) => return Err(TextError::FourthPlainFive { kind }),
            (None, None) => return Err(TextError::FiveOfAKind { kind }),
        }
    };
    taken.insert(tile);
    Ok(tile)
}

/// Writes tiles the short way: sorted, one letter per suit, a red five before the plain ones.
#[must_use]
pub fn write_tiles(tiles: &[Tile]) -> String {
    let mut sorted = tiles.to_vec();
    sorted.sort_unstable();
    let mut text = String::new();
    for (i, tile) in sorted.iter().enumerate() {
        let suit = tile.kind().suit();
        text.push(if tile.is_red() { '0' } else { (b'0' + tile.kind().rank()) as char });
        if sorted.get(i + 1).is_none_or(|next| next.kind().suit() != suit) {
            text.push(suit.letter());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, TextError> {
        read_tiles(text, &mut TileSet::default(), true).map(|tiles| tiles.into_iter().map(Tile::id).collect())
    }

    #[test]
    fn zero_is_the_red_five_and_five_a_plain_one() {
        // cites 003/R1
        assert_eq!(read("505m").unwrap(), [17, 16, 18]);
        assert_eq!(read("0p7z").unwrap(), [52, 132]);
        assert_eq!(write_tiles(&read_tiles("7z50m1m", &mut TileSet::default(), true).unwrap()), "105m7z");
    }

    #[test]
    fn a_bad_text_is_refused_with_its_fault() {
        let fault = |text| read(text).unwrap_err().to_string();
        assert!(fault("12x").contains("'x' at place 3"), "{}", fault("12x"));
        assert!(fault("123m45").contains("after 45"));
        assert!(fault("mm").contains("without digits at place 1"));
        assert!(fault("8z").contains("8z"));
        assert!(fault("0z").contains("0z"));
        assert!(fault("11111s").contains("five of a kind"));
        assert!(fault("00p").contains("one red five 0p"));
        assert!(fault("5555p").contains("write it 0p"));
        assert!(
            read_tiles("5555p", &mut TileSet::default(), false).is_ok(),
            "without red fives all four are plain"
        );
    }
}
