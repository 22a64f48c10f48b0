//! The order of events in a tenhou.net/6 round: each seat has its own list of draws and discards, and there is one way
//! for them to fit together.

use serde_json::Value;

use super::SEATS_MAX;
use super::games::list;
use super::rebuild::KnownTiles;
use super::script::Deed;
use super::tenhou6::{Box136, code};
use super::wall::Wall;
use crate::pay::Seat;
use crate::sets::TileSet;
use crate::tile::Tile;

const SEATS: u8 = SEATS_MAX as u8;

/// One entry of a seat's list of draws.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Take {
    Draw(u8),
    /// Chi, pon or an open kan: the letter, the called tile, the own tiles, and how many steps away the feeder sits.
    Call {
        letter: char,
        called: u8,
        own: Vec<u8>,
        steps: u8,
    },
}

/// One entry of a seat's list of discards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Give {
    /// 60 is the drawn tile.
    Discard {
        code: u8,
        riichi: bool,
    },
    Ankan {
        code: u8,
    },
    Kakan {
        code: u8,
    },
    /// The place of the discard that an open kan does not have.
    Nothing,
}

struct Lists {
    takes: [Vec<Take>; SEATS_MAX],
    gives: [Vec<Give>; SEATS_MAX],
}

/// Where the walk through the lists is.
#[derive(Clone)]
struct Walk {
    taken: [usize; SEATS_MAX],
    given: [usize; SEATS_MAX],
    hands: [Vec<Tile>; SEATS_MAX],
    drawn: Option<Tile>,
    unused: TileSet,
    live: Vec<Tile>,
    rinshan: Vec<Tile>,
    deeds: Vec<Deed>,
}

/// The wall of a round and what was done in it.
pub(super) fn order(round: &Value, dealer: Seat) -> Result<(Wall, Vec<Deed>), String> {
    let mut copies = Box136(TileSet::EMPTY);
    let known = |index: usize, copies: &mut Box136| -> Result<Vec<Tile>, String> {
        let codes = list(&round[index], "indicators")?;
        codes.iter().map(|code| copies.take(tile_code(code)?)).collect()
    };
    let (dora, ura) = (known(2, &mut copies)?, known(3, &mut copies)?);
    let mut hands: [Vec<Tile>; SEATS_MAX] = Default::default();
    let mut lists = Lists { takes: Default::default(), gives: Default::default() };
    for seat in 0..SEATS_MAX {
        for code in list(&round[4 + 3 * seat], "hand")? {
            hands[seat].push(copies.take(tile_code(code)?)?);
        }
        let draws = list(&round[5 + 3 * seat], "draws")?;
        lists.takes[seat] = draws.iter().map(read_take).collect::<Result<_, _>>()?;
        let discards = list(&round[6 + 3 * seat], "discards")?;
        lists.gives[seat] = discards.iter().map(read_give).collect::<Result<_, _>>()?;
    }
    let dealt = hands.clone();
    let walk = Walk {
        taken: [0; SEATS_MAX],
        given: [0; SEATS_MAX],
        hands,
        drawn: None,
        unused: copies.0,
        live: Vec::new(),
        rinshan: Vec::new(),
        deeds: Vec::new(),
    };
    let walk = lists.turn(walk, dealer, false).ok_or("the draws and discards fit in no order")?;
    let seen = KnownTiles { dealt, live: walk.live, rinshan: walk.rinshan, dora, ura };
    Ok((seen.wall(dealer)?, walk.deeds))
}

/// The two digits of a tile.
fn tile_code(value: &Value) -> Result<u8, String> {
    let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| format!("{value} is no tile"))
}

/// A number, or digits with a letter in them.
fn read_take(entry: &Value) -> Result<Take, String> {
    if entry.is_number() {
        return tile_code(entry).map(Take::Draw);
    }
    let text = entry.as_str().unwrap_or_default();
    let place = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(|| format!("{entry} is no draw"))?;
    let letter = text.as_bytes()[place] as char;
    let mut codes = codes(text)?;
    if place / 2 >= codes.len() {
        return Err(format!("{entry} is no call"));
    }
    let called = codes.remove(place / 2);
    let steps = match place / 2 {
        0 => 3,
        1 => 2,
        _ => 1,
    };
    Ok(Take::Call { letter, called, own: codes, steps })
}

fn read_give(entry: &Value) -> Result<Give, String> {
    if entry.is_number() {
        return tile_code(entry).map(|code| match code {
            0 => Give::Nothing,
            code => Give::Discard { code, riichi: false },
        });
    }
    let text = entry.as_str().unwrap_or_default();
    let codes = codes(text)?;
    let place = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
    match (text.as_bytes().get(place), codes.get(place / 2)) {
        (Some(b'r'), Some(&code)) => Ok(Give::Discard { code, riichi: true }),
        (Some(b'a'), Some(&code)) => Ok(Give::Ankan { code }),
        (Some(b'k'), Some(&code)) => Ok(Give::Kakan { code }),
        _ => Err(format!("{entry} is no discard")),
    }
}

fn codes(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    if digits.len() % 2 == 1 {
        return Err(format!("{text}: a tile has two digits"));
    }
    Ok(digits.chunks(2).map(|two| two[0] * 10 + two[1]).collect())
}

impl Lists {
    /// The seat draws and gives; none if the rest does not fit.
    fn turn(&self, mut walk: Walk, seat: Seat, rinshan: bool) -> Option<Walk> {
        let at = seat.index();
        let Some(take) = self.takes[at].get(walk.taken[at]) else {
            return self.is_done(&walk).then_some(walk);
        };
        let Take::Draw(code) = take else { return None };
        let mut copies = Box136(walk.unused);
        let tile = copies.take(*code).ok()?;
        walk.unused = copies.0;
        walk.taken[at] += 1;
        walk.hands[at].push(tile);
        walk.drawn = Some(tile);
        if rinshan {
            walk.rinshan.push(tile)
        } else {
            walk.live.push(tile)
        }
        self.give(walk, seat)
    }

    fn give(&self, mut walk: Walk, seat: Seat) -> Option<Walk> {
        let at = seat.index();
        let Some(give) = self.gives[at].get(walk.given[at]) else {
            return self.is_done(&walk).then_some(walk);
        };
        walk.given[at] += 1;
        match *give {
            Give::Nothing => None,
            Give::Ankan { code } => {
                let tile = *walk.hands[at].iter().find(|tile| super::tenhou6::code(**tile) == code)?;
                walk.hands[at].retain(|other| other.kind() != tile.kind());
                walk.deeds.push(Deed::Ankan { seat, tile });
                self.turn(walk, seat, true)
            }
            Give::Kakan { code } => {
                let tile = take_from(&mut walk.hands[at], code, walk.drawn)?;
                walk.deeds.push(Deed::Kakan { seat, tile });
                self.turn(walk, seat, true)
            }
            Give::Discard { code, riichi } => {
                let tile = match code {
                    60 => walk.drawn?,
                    code => take_from(&mut walk.hands[at], code, None)?,
                };
                walk.hands[at].retain(|other| *other != tile);
                walk.drawn = None;
                walk.deeds.push(Deed::Discard { seat, tile, riichi });
                self.after_discard(walk, seat, tile)
            }
        }
    }

    /// Somebody calls, or the next draws. Where both would fit, the call is tried first.
    fn after_discard(&self, walk: Walk, seat: Seat, tile: Tile) -> Option<Walk> {
        for steps in 1..SEATS {
            let caller = seat.after(steps, SEATS);
            if let Some(called) = self.call(&walk, caller, tile, SEATS - steps)
                && let Some(done) = called
            {
                return Some(done);
            }
        }
        self.turn(walk, seat.after(1, SEATS), false)
    }

    /// What follows if this seat calls; none if its next entry is no call of this tile.
    fn call(&self, walk: &Walk, caller: Seat, tile: Tile, from: u8) -> Option<Option<Walk>> {
        let at = caller.index();
        let Take::Call { letter, called, own, steps } = self.takes[at].get(walk.taken[at])? else {
            return None;
        };
        if *called != code(tile) || *steps != from {
            return None;
        }
        let mut walk = walk.clone();
        walk.taken[at] += 1;
        walk.drawn = None;
        let mut tiles = Vec::new();
        for code in own {
            tiles.push(take_from(&mut walk.hands[at], *code, None)?);
        }
        tiles.sort_unstable();
        match (letter, tiles.as_slice()) {
            ('c', &[low, high]) => walk.deeds.push(Deed::Chi { seat: caller, own: [low, high] }),
            ('p', &[low, high]) => walk.deeds.push(Deed::Pon { seat: caller, own: [low, high] }),
            ('m', &[_, _, _]) => {
                walk.deeds.push(Deed::Daiminkan { seat: caller });
                // Its place among the discards is empty.
                if self.gives[at].get(walk.given[at]) == Some(&Give::Nothing) {
                    walk.given[at] += 1;
                }
                return Some(self.turn(walk, caller, true));
            }
            _ => return None,
        }
        Some(self.give(walk, caller))
    }

    fn is_done(&self, walk: &Walk) -> bool {
        let all = |lists: usize, done: usize| lists == done;
        (0..SEATS_MAX)
            .all(|at| all(self.takes[at].len(), walk.taken[at]) && all(self.gives[at].len(), walk.given[at]))
    }
}

/// Takes a tile with this code out of a hand; the preferred one if it has it.
fn take_from(hand: &mut Vec<Tile>, wanted: u8, preferred: Option<Tile>) -> Option<Tile> {
    let preferred = preferred.filter(|tile| code(*tile) == wanted);
    // A discard that is not of the drawn tile is of one held before: those come first in the hand.
    let tile = preferred.or_else(|| hand.iter().copied().find(|tile| code(*tile) == wanted))?;
    hand.retain(|other| *other != tile);
    Some(tile)
}
