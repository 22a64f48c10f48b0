//! Answers as they come from outside, and what is wrong with them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::options::{Offer, TurnOptions};
use super::player::Player;
use super::state::{Phase, Table, TurnAfter};
use super::window::Window;
use crate::pay::Seat;
use crate::sets::TileSet;
use crate::text::{read_tiles, write_tiles};
use crate::tile::{Kind, Tile};

/// A tile as a client names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TileName {
    Id(i64),
    /// `1m`, `7z`; `5m` is a plain five, `0m` the red one.
    Text(String),
}

/// The kinds of kan as a client names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KanName {
    Open,
    Closed,
    Added,
}

/// An answer that nobody has looked at yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Discard(TileName),
    Riichi(TileName),
    Tsumo,
    Ron,
    /// With two of one's own; without them, plain tiles.
    Pon(Option<[TileName; 2]>),
    /// With two of one's own; they may be left out where there is one way.
    Chi(Option<[TileName; 2]>),
    /// They may be left out where there is one way.
    Kan(Option<KanName>, Option<TileName>),
    Nine,
    Pass,
    Confirm,
}

/// What kind of fault an answer has, as the wire names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    NotYourTurn,
    InvalidDiscard,
    InvalidRiichi,
    InvalidTsumo,
    InvalidRon,
    InvalidPon,
    InvalidChi,
    InvalidKan,
    CannotCallKyuushu,
    InvalidPass,
    InvalidAction,
    ValidationError,
}

impl Code {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotYourTurn => "not_your_turn",
            Self::InvalidDiscard => "invalid_discard",
            Self::InvalidRiichi => "invalid_riichi",
            Self::InvalidTsumo => "invalid_tsumo",
            Self::InvalidRon => "invalid_ron",
            Self::InvalidPon => "invalid_pon",
            Self::InvalidChi => "invalid_chi",
            Self::InvalidKan => "invalid_kan",
            Self::CannotCallKyuushu => "cannot_call_kyuushu",
            Self::InvalidPass => "invalid_pass",
            Self::InvalidAction => "invalid_action",
            Self::ValidationError => "validation_error",
        }
    }
}

/// Why an answer is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub code: Code,
    pub message: String,
    /// It names a tile that the seat held at no time in this hand: no honest client can send that.
    pub forged: bool,
}

impl Refusal {
    fn of(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), forged: false }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Refusal {}

impl Table {
    /// Turns an answer into an action that can be applied.
    ///
    /// # Errors
    /// If it is not this seat's to give, names a tile that is not there, or is against the rules.
    pub fn check(&self, seat: Seat, answer: &Answer) -> Result<Action, Refusal> {
        match &self.phase {
            Phase::Turn { seat: turn, after } if *turn == seat => self.check_turn(seat, *after, answer),
            Phase::Window(window) if window.waiting.contains(seat) => self.check_call(seat, window, answer),
            Phase::RoundEnd { waiting, .. } if waiting.contains(seat) => match answer {
                Answer::Confirm => Ok(Action::Confirm),
                _ => Err(Refusal::of(Code::InvalidAction, "the round is over: confirm it")),
            },
            _ => Err(Refusal::of(not_asked(answer), "it is not your turn")),
        }
    }

    fn check_turn(&self, seat: Seat, after: TurnAfter, answer: &Answer) -> Result<Action, Refusal> {
        let options = self.turn_options(seat);
        let player = self.player(seat);
        match answer {
            Answer::Discard(name) => {
                let tile = own_tile(player, name, Code::InvalidDiscard)?;
                if options.discards.contains(tile) {
                    return Ok(Action::Discard(tile));
                }
                Err(Refusal::of(Code::InvalidDiscard, why_no_discard(player, tile)))
            }
            Answer::Riichi(name) => {
                let tile = own_tile(player, name, Code::InvalidRiichi)?;
                if options.riichi.contains(tile.kind()) {
                    return Ok(Action::Riichi(tile));
                }
                Err(Refusal::of(Code::InvalidRiichi, self.why_no_riichi(seat)))
            }
            Answer::Tsumo if options.tsumo => Ok(Action::Tsumo),
            Answer::Tsumo => Err(Refusal::of(Code::InvalidTsumo, why_no_tsumo(player, after))),
            Answer::Nine if options.nine => Ok(Action::Nine),
            Answer::Nine => Err(Refusal::of(
                Code::CannotCallKyuushu,
                "nine kinds end a round only on an own first draw that no call came before",
            )),
            Answer::Kan(kind, name) => self.check_own_kan(seat, &options, *kind, name.as_ref()),
            Answer::Pass => Err(Refusal::of(Code::InvalidPass, "it is your turn: there is nothing to pass")),
            Answer::Ron | Answer::Pon(_) | Answer::Chi(_) | Answer::Confirm => {
                Err(Refusal::of(code_of(answer), "it is your turn: there is nothing to call"))
            }
        }
    }

    fn why_no_riichi(&self, seat: Seat) -> String {
        let player = self.player(seat);
        let settings = &self.settings;
        if player.drawn.is_none() {
            "riichi needs a tile drawn in this turn".into()
        } else if player.in_riichi() {
            "you are in riichi".into()
        } else if !player.is_closed() {
            "riichi needs a closed hand".into()
        } else if self.standing.scores[seat.index()] < i32::from(settings.riichi_cost) {
            format!("riichi costs {} points", settings.riichi_cost)
        } else if self.left() < settings.min_wall_for_riichi {
            format!(
                "riichi needs {} tiles in the wall, {} are left",
                settings.min_wall_for_riichi,
                self.left()
            )
        } else {
            "the hand is not tenpai without this tile".into()
        }
    }

    fn check_own_kan(
        &self,
        seat: Seat,
        options: &TurnOptions,
        kind: Option<KanName>,
        name: Option<&TileName>,
    ) -> Result<Action, Refusal> {
        let player = self.player(seat);
        let tile = name.map(|name| own_tile(player, name, Code::InvalidKan)).transpose()?;
        let closed = options.ankan.iter().map(Action::Ankan);
        let added = options.kakan.iter().map(Action::Kakan);
        let fits = |action: &Action| match action {
            Action::Ankan(kan) => kind != Some(KanName::Added) && tile.is_none_or(|tile| tile.kind() == *kan),
            Action::Kakan(kan) => kind != Some(KanName::Closed) && tile.is_none_or(|tile| tile == *kan),
            _ => false,
        };
        let mut ways = closed.chain(added).filter(fits);
        match (kind, ways.next(), ways.next()) {
            (Some(KanName::Open), ..) => {
                Err(Refusal::of(Code::InvalidKan, "there is no discard to make an open kan with"))
            }
            (_, Some(action), None) => Ok(action),
            (_, Some(_), Some(_)) => {
                Err(Refusal::of(Code::InvalidKan, "several kans can be made: name a tile"))
            }
            (_, None, _) => Err(Refusal::of(Code::InvalidKan, "no such kan can be made now")),
        }
    }

    fn check_call(&self, seat: Seat, window: &Window, answer: &Answer) -> Result<Action, Refusal> {
        let offer = window.offers[seat.index()];
        let player = self.player(seat);
        match answer {
            Answer::Pass => Ok(Action::Pass),
            Answer::Ron if offer.ron => Ok(Action::Ron),
            Answer::Ron => Err(Refusal::of(Code::InvalidRon, why_no_ron(player, window.tile))),
            Answer::Pon(named) => {
                let named = own_pair(player, named.as_ref(), Code::InvalidPon)?;
                let options =
                    if offer.pon { self.pon_options(seat, window.tile) } else { Default::default() };
                // Plain tiles come last, and are meant where none are named.
                let default = options.last().copied();
                pick(named, &options, default, self.settings.red_fives)
                    .map(Action::Pon)
                    .ok_or_else(|| no_such_call(Code::InvalidPon, offer, &options))
            }
            Answer::Chi(named) => {
                let named = own_pair(player, named.as_ref(), Code::InvalidChi)?;
                let options =
                    if offer.chi { self.chi_options(seat, window.tile) } else { Default::default() };
                let default = if options.len() == 1 { Some(options[0]) } else { None };
                pick(named, &options, default, self.settings.red_fives)
                    .map(Action::Chi)
                    .ok_or_else(|| no_such_call(Code::InvalidChi, offer, &options))
            }
            Answer::Kan(kind, _) if offer.kan && kind.is_none_or(|kind| kind == KanName::Open) => {
                Ok(Action::Daiminkan)
            }
            Answer::Kan(..) => Err(Refusal::of(Code::InvalidKan, "no kan can be made with this discard")),
            Answer::Discard(_) | Answer::Riichi(_) | Answer::Tsumo | Answer::Nine | Answer::Confirm => {
                Err(Refusal::of(not_asked(answer), "it is not your turn: call or pass"))
            }
        }
    }
}

/// The code for an answer that the seat is not asked for.
const fn not_asked(answer: &Answer) -> Code {
    match answer {
        Answer::Pass => Code::InvalidPass,
        Answer::Confirm => Code::InvalidAction,
        Answer::Ron | Answer::Pon(_) | Answer::Chi(_) => code_of(answer),
        _ => Code::NotYourTurn,
    }
}

const fn code_of(answer: &Answer) -> Code {
    match answer {
        Answer::Discard(_) => Code::InvalidDiscard,
        Answer::Riichi(_) => Code::InvalidRiichi,
        Answer::Tsumo => Code::InvalidTsumo,
        Answer::Ron => Code::InvalidRon,
        Answer::Pon(_) => Code::InvalidPon,
        Answer::Chi(_) => Code::InvalidChi,
        Answer::Kan(..) => Code::InvalidKan,
        Answer::Nine => Code::CannotCallKyuushu,
        Answer::Pass => Code::InvalidPass,
        Answer::Confirm => Code::InvalidAction,
    }
}

/// The tile of the seat's own that a client names. A text names a kind: the drawn tile if it is one, else the lowest.
fn own_tile(player: &Player, name: &TileName, code: Code) -> Result<Tile, Refusal> {
    match name {
        TileName::Id(id) => {
            let tile = u8::try_from(*id).ok().and_then(Tile::new);
            let tile = tile.ok_or_else(|| {
                Refusal::of(Code::ValidationError, format!("no tile has the id {id}: ids are 0 to 135"))
            })?;
            if player.tiles().contains(tile) {
                return Ok(tile);
            }
            let forged = !player.held.contains(tile);
            Err(Refusal { code, message: format!("you do not hold tile {id} ({tile})"), forged })
        }
        TileName::Text(text) => {
            let named = read_tiles(text, &mut TileSet::default(), true).ok();
            let Some([named]) = named.as_deref() else {
                let message = format!("{text:?} names no tile: write 1m, 0p or 7z");
                return Err(Refusal::of(Code::ValidationError, message));
            };
            let looks = |tile: &Tile| tile.kind() == named.kind() && tile.is_red() == named.is_red();
            let drawn = player.drawn.filter(looks);
            let found = drawn.or_else(|| player.tiles().of_kind(named.kind()).find(looks));
            found.ok_or_else(|| {
                let ever = player.held.of_kind(named.kind()).any(|tile| looks(&tile));
                Refusal { code, message: format!("you do not hold {text}"), forged: !ever }
            })
        }
    }
}

fn own_pair(
    player: &Player,
    names: Option<&[TileName; 2]>,
    code: Code,
) -> Result<Option<[Tile; 2]>, Refusal> {
    let Some([first, second]) = names else { return Ok(None) };
    let first = own_tile(player, first, code)?;
    let second = own_tile(player, second, code)?;
    Ok(Some(if first <= second { [first, second] } else { [second, first] }))
}

/// The option that looks like the named pair; any copy of a tile will do for it.
fn pick(
    named: Option<[Tile; 2]>,
    options: &[[Tile; 2]],
    default: Option<[Tile; 2]>,
    reds: bool,
) -> Option<[Tile; 2]> {
    let Some(named) = named else { return default };
    let look = |tile: Tile| (tile.kind(), reds && tile.is_red());
    let same = |option: &&[Tile; 2]| {
        let mut looks = option.map(look);
        let mut wanted = named.map(look);
        looks.sort_unstable();
        wanted.sort_unstable();
        looks == wanted && named[0] != named[1]
    };
    options.iter().find(same).map(|_| named)
}

fn no_such_call(code: Code, offer: Offer, options: &[[Tile; 2]]) -> Refusal {
    if options.is_empty() {
        let instead = if offer.ron { ": you may ron it or pass" } else { "" };
        return Refusal::of(code, format!("this discard cannot be called so{instead}"));
    }
    let list: Vec<String> = options.iter().map(|pair| write_tiles(pair)).collect();
    Refusal::of(code, format!("name one of these pairs: {}", list.join(", ")))
}

fn why_no_discard(player: &Player, tile: Tile) -> String {
    let kind: Kind = tile.kind();
    if player.in_riichi() {
        "in riichi only the drawn tile can be discarded".into()
    } else if player.forbidden.contains(kind) {
        format!("{kind} cannot be discarded right after this call")
    } else {
        format!("{kind} cannot be discarded")
    }
}

fn why_no_tsumo(player: &Player, after: TurnAfter) -> String {
    let complete = player.drawn.is_some_and(|drawn| player.waits.contains(drawn.kind()));
    match after {
        TurnAfter::Call => "a called tile cannot be a win".into(),
        _ if complete => "the hand is complete but has no yaku".into(),
        _ => "the hand is not complete".into(),
    }
}

fn why_no_ron(player: &Player, tile: Tile) -> String {
    if !player.waits.contains(tile.kind()) {
        "the hand is not complete".into()
    } else if player.furiten().is_furiten() {
        "you are furiten".into()
    } else {
        "the hand is complete but has no yaku".into()
    }
}
