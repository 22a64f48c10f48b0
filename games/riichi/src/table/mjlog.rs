//! Tenhou's own logs (mjlog XML): reading. Tiles have their ids there, so nothing is guessed but what nobody saw.

use super::SEATS_MAX;
use super::games;
use super::rebuild::KnownTiles;
use super::script::{Closing, Deed, RoundScript};
use super::state::Standing;
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::tile::Tile;

const SEATS: u8 = SEATS_MAX as u8;

/// Reads the rounds of a log.
///
/// # Errors
/// If it is no such log, or not one of a game for four.
pub fn import(text: &str) -> Result<Vec<(Standing, RoundScript)>, String> {
    let mut rounds: Vec<Reader> = Vec::new();
    for tag in text.split('<').skip(1).filter_map(|part| part.split('>').next()) {
        let tag = Tag::new(tag);
        if tag.name == "INIT" {
            rounds.push(Reader::new(&tag)?);
        } else if let Some(round) = rounds.last_mut() {
            let Standing { kyoku, honba, .. } = round.standing;
            round
                .take(&tag)
                .map_err(|fault| format!("hand {kyoku}, honba {honba}, <{}>: {fault}", tag.name))?;
        }
    }
    if rounds.is_empty() {
        return Err("no round begins: <INIT> is missing".into());
    }
    rounds.into_iter().map(Reader::finish).collect()
}

/// A tag: its name and its attributes.
struct Tag<'a> {
    name: &'a str,
    rest: &'a str,
}

impl<'a> Tag<'a> {
    fn new(text: &'a str) -> Self {
        let text = text.trim_end_matches('/');
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Self { name, rest }
    }

    fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.rest;
        while let Some((key, after)) = rest.split_once("=\"") {
            let (value, after) = after.split_once('"')?;
            if key.trim() == name {
                return Some(value);
            }
            rest = after;
        }
        None
    }

    fn numbers(&self, name: &str) -> Result<Vec<i64>, String> {
        let text = self.attribute(name).ok_or_else(|| format!("{name} is missing"))?;
        let read = |part: &str| part.parse().map_err(|_| format!("{name}: {part:?} is no number"));
        text.split(',').filter(|part| !part.is_empty()).map(read).collect()
    }

    fn tiles(&self, name: &str) -> Result<Vec<Tile>, String> {
        self.numbers(name)?.into_iter().map(tile).collect()
    }

    fn seat(&self, name: &str) -> Result<Seat, String> {
        let number = self.numbers(name)?.first().copied().and_then(|number| u8::try_from(number).ok());
        number.and_then(Seat::new).ok_or_else(|| format!("{name} is no seat"))
    }
}

fn tile(id: i64) -> Result<Tile, String> {
    u8::try_from(id).ok().and_then(Tile::new).ok_or_else(|| format!("{id} is no tile"))
}

struct Reader {
    standing: Standing,
    seen: KnownTiles,
    deeds: Vec<Deed>,
    closing: Closing,
    riichi: bool,
    after_kan: bool,
}

impl Reader {
    fn new(tag: &Tag<'_>) -> Result<Self, String> {
        let seed = tag.numbers("seed")?;
        let [kyoku, honba, sticks, _, _, dora] = seed[..] else {
            return Err("seed: six numbers are needed".into());
        };
        let scores: Vec<i32> = tag
            .numbers("ten")?
            .into_iter()
            .map(|hundreds| games::score(hundreds.saturating_mul(100)))
            .collect::<Result<_, _>>()?;
        let (kyoku, oya) = (games::kyoku(kyoku)?, tag.seat("oya")?);
        let mut seen = KnownTiles { dora: vec![tile(dora)?], ..KnownTiles::default() };
        for (seat, hand) in seen.dealt.iter_mut().enumerate() {
            *hand = tag.tiles(&format!("hai{seat}"))?;
        }
        let standing = Standing {
            kyoku,
            honba: games::counter(honba, "honba")?,
            sticks: games::counter(sticks, "sticks")?,
            scores: scores.try_into().map_err(|_| "ten: four scores are needed".to_owned())?,
            first_dealer: oya.after(SEATS - kyoku % SEATS, SEATS),
            dealer_wins: 0,
        };
        let closing = Closing::Nothing;
        Ok(Self { standing, seen, deeds: Vec::new(), closing, riichi: false, after_kan: false })
    }

    fn take(&mut self, tag: &Tag<'_>) -> Result<(), String> {
        match tag.name {
            "N" => self.meld(tag.seat("who")?, tag.numbers("m")?.first().copied().unwrap_or(0) as u32),
            "REACH" => {
                self.riichi |= tag.attribute("step") == Some("1");
                Ok(())
            }
            "DORA" => {
                self.seen.dora.extend(tag.tiles("hai")?);
                Ok(())
            }
            "AGARI" => self.won(tag),
            "RYUUKYOKU" => {
                self.closing = match tag.attribute("type") {
                    Some("yao9") => Closing::Nine,
                    Some("ron3") => Closing::TripleRon,
                    _ => Closing::Nothing,
                };
                Ok(())
            }
            name => self.piece(name),
        }
    }

    /// `T52` is a draw of seat 0, `D52` its discard; U and E are seat 1, and so on.
    fn piece(&mut self, name: &str) -> Result<(), String> {
        let mut letters = name.chars();
        let Some(letter) = letters.next() else { return Ok(()) };
        let Ok(id) = letters.as_str().parse() else { return Ok(()) };
        let tile = tile(id)?;
        if "TUVW".contains(letter) {
            if std::mem::take(&mut self.after_kan) {
                self.seen.rinshan.push(tile)
            } else {
                self.seen.live.push(tile)
            }
        } else if let Some(place) = "DEFG".find(letter) {
            let seat = Seat::ALL[place];
            self.deeds.push(Deed::Discard { seat, tile, riichi: std::mem::take(&mut self.riichi) });
        }
        Ok(())
    }

    fn meld(&mut self, seat: Seat, bits: u32) -> Result<(), String> {
        let (kind, mut tiles, called) = decode(bits)?;
        self.after_kan = kind.is_kan();
        let named = tiles[called];
        if matches!(kind, MeldKind::Chi | MeldKind::Pon) {
            tiles.remove(called);
        }
        self.deeds.push(match kind {
            MeldKind::Chi => Deed::Chi { seat, own: [tiles[0], tiles[1]] },
            MeldKind::Pon => Deed::Pon { seat, own: [tiles[0], tiles[1]] },
            MeldKind::Daiminkan => Deed::Daiminkan { seat },
            MeldKind::Ankan => Deed::Ankan { seat, tile: named },
            MeldKind::Kakan => Deed::Kakan { seat, tile: named },
        });
        Ok(())
    }

    fn won(&mut self, tag: &Tag<'_>) -> Result<(), String> {
        let (who, from) = (tag.seat("who")?, tag.seat("fromWho")?);
        if tag.attribute("doraHaiUra").is_some() {
            let ura = tag.tiles("doraHaiUra")?;
            if ura.len() > self.seen.ura.len() {
                self.seen.ura = ura;
            }
        }
        match &mut self.closing {
            Closing::Won { by, .. } => by.push(who),
            closing => *closing = Closing::Won { by: vec![who], from: (who != from).then_some(from) },
        }
        Ok(())
    }

    fn finish(self) -> Result<(Standing, RoundScript), String> {
        let wall = self.seen.wall(self.standing.dealer(SEATS))?;
        let script = RoundScript { wall, deeds: self.deeds, closing: self.closing, marks: Vec::new() };
        Ok((self.standing, script))
    }
}

/// A meld from its bits: kind, tiles, and which of them was called or added.
fn decode(bits: u32) -> Result<(MeldKind, Vec<Tile>, usize), String> {
    let piece = |kind: u32, copy: u32| tile(i64::from(4 * kind + copy));
    if bits & 0x4 != 0 {
        let packed = bits >> 10;
        let (called, first) = (packed % 3, packed / 3);
        let base = first / 7 * 9 + first % 7;
        let copies = [bits >> 3 & 3, bits >> 5 & 3, bits >> 7 & 3];
        let tiles: Result<Vec<Tile>, String> =
            copies.iter().zip(0..).map(|(copy, step)| piece(base + step, *copy)).collect();
        return Ok((MeldKind::Chi, tiles?, called as usize));
    }
    if bits & 0x18 != 0 {
        let (unused, packed) = (bits >> 5 & 3, bits >> 9);
        let (called, kind) = (packed % 3, packed / 3);
        let mut tiles: Vec<Tile> =
            (0..4).filter(|copy| *copy != unused).map(|copy| piece(kind, copy)).collect::<Result<_, _>>()?;
        if bits & 0x8 != 0 {
            return Ok((MeldKind::Pon, tiles, called as usize));
        }
        tiles.push(piece(kind, unused)?);
        return Ok((MeldKind::Kakan, tiles, 3));
    }
    if bits & 0x20 != 0 {
        return Err("a game for three is not read".into());
    }
    let id = bits >> 8;
    let tiles: Vec<Tile> = (0..4).map(|copy| piece(id / 4, copy)).collect::<Result<_, _>>()?;
    let kind = if bits & 0x3 == 0 { MeldKind::Ankan } else { MeldKind::Daiminkan };
    Ok((kind, tiles, (id % 4) as usize))
}
