//! Games as mjai lines, one JSON object for each event: writing and reading.
//!
//! Tiles have no ids there, so reading gives out copies of a kind as they come. Where a table turns the indicator of a kan
//! after the discard, so do the lines; some readers know only the order of Tenhou.

use serde_json::{Value, json};

use super::SEATS_MAX;
use super::event::Event;
use super::games::{between, counter, list, number, scores, seat};
use super::rebuild::KnownTiles;
use super::result::RoundResult;
use super::script::{Closing, Deed, GameRun, RoundRun, RoundScript};
use super::state::Standing;
use super::tenhou6::{Box136, code};
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::sets::TileSet;
use crate::tile::Tile;

const SEATS: u8 = SEATS_MAX as u8;
const HONORS: [&str; 7] = ["E", "S", "W", "N", "P", "F", "C"];

/// The name of a tile: 1m, 5pr, E, C.
#[must_use]
pub fn name(tile: Tile) -> String {
    let kind = tile.kind();
    if kind.is_honor() {
        return HONORS[usize::from(kind.rank() - 1)].into();
    }
    format!("{}{}{}", kind.rank(), kind.suit().letter(), if tile.is_red() { "r" } else { "" })
}

fn names(tiles: &[Tile]) -> Vec<String> {
    tiles.iter().map(|tile| name(*tile)).collect()
}

/// A game as lines.
#[must_use]
pub fn export(run: &GameRun, players: &[String; SEATS_MAX]) -> Vec<Value> {
    let mut lines = vec![json!({ "type": "start_game", "names": players })];
    run.rounds.iter().for_each(|round| export_round(round, &mut lines));
    lines.push(json!({ "type": "end_game" }));
    lines
}

fn export_round(round: &RoundRun, lines: &mut Vec<Value>) {
    for event in &round.events {
        match event {
            Event::RoundStarted { standing, hands, dora } => {
                let tehais: Vec<Vec<String>> = hands.iter().map(|hand| names(hand)).collect();
                lines.push(json!({
                    "type": "start_kyoku", "bakaze": HONORS[usize::from(standing.kyoku / SEATS).min(3)],
                    "dora_marker": name(*dora), "kyoku": standing.kyoku % SEATS + 1, "honba": standing.honba,
                    "kyotaku": standing.sticks, "oya": standing.dealer(SEATS), "scores": standing.scores,
                    "tehais": tehais,
                }));
            }
            Event::RoundEnd { result, .. } => {
                export_result(result, lines);
                lines.push(json!({ "type": "end_kyoku" }));
            }
            other => lines.extend(export_event(other)),
        }
    }
}

fn export_event(event: &Event) -> Vec<Value> {
    match event {
        Event::Draw { seat, tile, .. } => {
            vec![json!({ "type": "tsumo", "actor": seat, "pai": tile.map_or("?".into(), name) })]
        }
        Event::Discard { seat, tile, tsumogiri, riichi } => {
            let reach = riichi.then(|| json!({ "type": "reach", "actor": seat }));
            let dahai = json!({ "type": "dahai", "actor": seat, "pai": name(*tile), "tsumogiri": tsumogiri });
            reach.into_iter().chain([dahai]).collect()
        }
        Event::RiichiAccepted { seat } => vec![json!({ "type": "reach_accepted", "actor": seat })],
        Event::Dora { tile } => vec![json!({ "type": "dora", "dora_marker": name(*tile) })],
        Event::Meld { seat, kind, tiles, from, tile } => {
            let own: Vec<Tile> = tiles.iter().copied().filter(|own| Some(*own) != *tile).collect();
            let mut line = json!({ "type": kind.name(), "actor": seat, "consumed": names(&own) });
            if let Some(tile) = tile {
                line["pai"] = json!(name(*tile));
            }
            if matches!(kind, MeldKind::Chi | MeldKind::Pon | MeldKind::Daiminkan) {
                line["target"] = json!(from);
            }
            vec![line]
        }
        _ => Vec::new(),
    }
}

fn export_result(result: &RoundResult, lines: &mut Vec<Value>) {
    match result {
        RoundResult::Wins(wins) => {
            for win in wins {
                let target = win.from.unwrap_or(win.who);
                lines.push(json!({
                    "type": "hora", "actor": win.who, "target": target, "deltas": win.deltas,
                    "ura_markers": names(&win.ura_indicators),
                }));
            }
        }
        RoundResult::Draw { kind, deltas, .. } => {
            let reason = super::games::draw_name(*kind);
            lines.push(json!({ "type": "ryukyoku", "reason": reason, "deltas": deltas }));
        }
    }
}

/// Reads the rounds of a game.
///
/// # Errors
/// If a line is no mjai event, or the events do not fit.
pub fn import(lines: &[Value]) -> Result<Vec<(Standing, RoundScript)>, String> {
    let mut rounds = Vec::new();
    let mut reader: Option<Reader> = None;
    for (index, line) in lines.iter().enumerate() {
        let done = |fault: String| format!("line {}: {fault}", index + 1);
        match line["type"].as_str() {
            Some("start_kyoku") => reader = Some(Reader::new(line).map_err(done)?),
            Some("end_kyoku") => {
                let reader = reader.take().ok_or_else(|| done("end_kyoku without start_kyoku".into()))?;
                rounds.push(reader.finish().map_err(done)?);
            }
            Some("start_game" | "end_game" | "none") => {}
            _ => match &mut reader {
                Some(reader) => reader.take(line).map_err(done)?,
                None => return Err(done(format!("{line} stands outside a round"))),
            },
        }
    }
    Ok(rounds)
}

/// A round being read.
struct Reader {
    standing: Standing,
    copies: Box136,
    seen: KnownTiles,
    hands: [Vec<Tile>; SEATS_MAX],
    drawn: Option<Tile>,
    deeds: Vec<Deed>,
    closing: Closing,
    riichi: bool,
    after_kan: bool,
}

impl Reader {
    fn new(line: &Value) -> Result<Self, String> {
        let wind = HONORS.iter().position(|name| line["bakaze"] == **name).ok_or("bakaze is no wind")?;
        let hand = between(number(&line["kyoku"], "kyoku")?, 1, SEATS.into(), "kyoku")?;
        let kyoku = wind as u8 * SEATS + hand as u8 - 1;
        let oya = seat(&line["oya"], "oya")?;
        let standing = Standing {
            kyoku,
            honba: counter(number(&line["honba"], "honba")?, "honba")?,
            sticks: counter(number(&line["kyotaku"], "kyotaku")?, "kyotaku")?,
            scores: scores(&line["scores"])?,
            first_dealer: oya.after(SEATS - kyoku % SEATS, SEATS),
            dealer_wins: 0,
        };
        let mut copies = Box136(TileSet::EMPTY);
        let mut seen =
            KnownTiles { dora: vec![copies.take(read(&line["dora_marker"])?)?], ..KnownTiles::default() };
        for (seat, hand) in list(&line["tehais"], "tehais")?.iter().enumerate().take(SEATS_MAX) {
            for tile in list(hand, "tehais")? {
                seen.dealt[seat].push(copies.take(read(tile)?)?);
            }
        }
        let hands = seen.dealt.clone();
        let closing = Closing::Nothing;
        Ok(Self {
            standing,
            copies,
            seen,
            hands,
            drawn: None,
            deeds: Vec::new(),
            closing,
            riichi: false,
            after_kan: false,
        })
    }

    fn take(&mut self, line: &Value) -> Result<(), String> {
        let actor = || seat(&line["actor"], "actor");
        match line["type"].as_str().unwrap_or_default() {
            "tsumo" => self.tsumo(actor()?, read(&line["pai"])?),
            "dahai" => self.dahai(actor()?, line),
            "reach" => {
                self.riichi = true;
                Ok(())
            }
            "reach_accepted" => Ok(()),
            "dora" => {
                let tile = self.copies.take(read(&line["dora_marker"])?)?;
                self.seen.dora.push(tile);
                Ok(())
            }
            "hora" => self.hora(actor()?, line),
            "ryukyoku" => {
                // Whoever draws and does not discard has declared nine kinds.
                self.closing = match line["reason"].as_str() {
                    Some("ron3") => Closing::TripleRon,
                    _ if self.drawn.is_some() => Closing::Nine,
                    _ => Closing::Nothing,
                };
                Ok(())
            }
            other => {
                let kind = MeldKind::from_name(other).ok_or_else(|| format!("{other} is not known"))?;
                self.meld(kind, actor()?, line)
            }
        }
    }

    fn tsumo(&mut self, actor: Seat, wanted: u8) -> Result<(), String> {
        let tile = self.copies.take(wanted)?;
        self.hands[actor.index()].push(tile);
        self.drawn = Some(tile);
        if std::mem::take(&mut self.after_kan) {
            self.seen.rinshan.push(tile)
        } else {
            self.seen.live.push(tile)
        }
        Ok(())
    }

    fn dahai(&mut self, actor: Seat, line: &Value) -> Result<(), String> {
        let wanted = read(&line["pai"])?;
        let drawn = self.drawn.filter(|_| line["tsumogiri"] == true);
        let tile = self.part_with(actor, wanted, drawn)?;
        self.drawn = None;
        self.deeds.push(Deed::Discard { seat: actor, tile, riichi: std::mem::take(&mut self.riichi) });
        Ok(())
    }

    fn meld(&mut self, kind: MeldKind, actor: Seat, line: &Value) -> Result<(), String> {
        let mut own = Vec::new();
        if kind != MeldKind::Kakan {
            for tile in list(&line["consumed"], "consumed")? {
                own.push(self.part_with(actor, read(tile)?, None)?);
            }
        }
        own.sort_unstable();
        self.after_kan = kind.is_kan();
        self.drawn = None;
        let deed = match (kind, own.as_slice()) {
            (MeldKind::Chi, &[low, high]) => Deed::Chi { seat: actor, own: [low, high] },
            (MeldKind::Pon, &[low, high]) => Deed::Pon { seat: actor, own: [low, high] },
            (MeldKind::Daiminkan, &[_, _, _]) => Deed::Daiminkan { seat: actor },
            (MeldKind::Ankan, &[tile, _, _, _]) => Deed::Ankan { seat: actor, tile },
            (MeldKind::Kakan, _) => {
                Deed::Kakan { seat: actor, tile: self.part_with(actor, read(&line["pai"])?, None)? }
            }
            _ => return Err(format!("{line}: a wrong number of tiles")),
        };
        self.deeds.push(deed);
        Ok(())
    }

    fn hora(&mut self, actor: Seat, line: &Value) -> Result<(), String> {
        let target = seat(&line["target"], "target")?;
        for (index, tile) in line["ura_markers"].as_array().into_iter().flatten().enumerate() {
            if index >= self.seen.ura.len() {
                let tile = self.copies.take(read(tile)?)?;
                self.seen.ura.push(tile);
            }
        }
        let from = (actor != target).then_some(target);
        match &mut self.closing {
            Closing::Won { by, .. } => by.push(actor),
            closing => *closing = Closing::Won { by: vec![actor], from },
        }
        Ok(())
    }

    /// A tile of this look leaves a hand: the given one, else the first.
    fn part_with(&mut self, actor: Seat, wanted: u8, given: Option<Tile>) -> Result<Tile, String> {
        let hand = &mut self.hands[actor.index()];
        let tile = given.or_else(|| hand.iter().copied().find(|tile| code(*tile) == wanted));
        let tile = tile.ok_or_else(|| format!("{actor} does not hold that tile"))?;
        hand.retain(|other| *other != tile);
        Ok(tile)
    }

    fn finish(self) -> Result<(Standing, RoundScript), String> {
        let wall = self.seen.wall(self.standing.dealer(SEATS))?;
        let script = RoundScript { wall, deeds: self.deeds, closing: self.closing, marks: Vec::new() };
        Ok((self.standing, script))
    }
}

/// The number that [`code`] gives the tile with this name.
fn read(value: &Value) -> Result<u8, String> {
    let text = value.as_str().unwrap_or_default();
    if let Some(rank) = HONORS.iter().position(|name| *name == text) {
        return Ok(41 + rank as u8);
    }
    let suit = |letter: u8| match letter {
        b'm' => Some(1),
        b'p' => Some(2),
        b's' => Some(3),
        _ => None,
    };
    match *text.as_bytes() {
        [b'5', letter, b'r'] => suit(letter).map(|suit| 50 + suit),
        [rank @ b'1'..=b'9', letter] => suit(letter).map(|suit| 10 * suit + rank - b'0'),
        _ => None,
    }
    .ok_or_else(|| format!("{value} is no tile"))
}
