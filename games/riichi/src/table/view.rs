//! What one viewer may know of a table: built from what lies open and the viewer's own tiles, nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use super::event::Viewer;
use super::options::{Offer, TurnOptions};
use super::player::{Discarded, Furiten, RiichiState, TableMeld};
use super::result::{GameEnd, RoundResult};
use super::settings::Settings;
use super::state::{Phase, Standing, Table};
use super::window::WindowKind;
use crate::pay::Seat;
use crate::sets::{KindSet, TileSet};
use crate::tile::{KINDS, Tile, Wind};

/// What one viewer may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(rename = "OpenTable"))]
pub struct View {
    /// The preset, and what differs from it.
    #[serde(serialize_with = "from_preset")]
    #[cfg_attr(feature = "game", ts(type = "{[key: string]: unknown}"))]
    pub settings: Settings,
    pub standing: Standing,
    pub dealer: Seat,
    pub round_wind: Wind,
    /// Tiles left to draw.
    pub left: u8,
    /// The indicators that lie open.
    pub dora: Vec<Tile>,
    /// By seat.
    pub players: Vec<SeatView>,
    /// None for a spectator.
    pub own: Option<OwnView>,
    pub phase: PhaseView,
}

/// The name of the preset and the settings that are not its own: most tables have none, and every viewer has them.
fn from_preset<S: Serializer>(settings: &Settings, serializer: S) -> Result<S::Ok, S::Error> {
    let preset = Settings::of(settings.preset);
    if *settings == preset {
        return [("preset", settings.preset.name())]
            .into_iter()
            .collect::<BTreeMap<_, _>>()
            .serialize(serializer);
    }
    differing(settings, &preset, "preset").serialize(serializer)
}

/// The fields of a value that another one has not, and this field.
pub(crate) fn differing<T: Serialize>(value: &T, usual: &T, always: &str) -> Map<String, Value> {
    let fields = |value: &T| match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let usual = fields(usual);
    let differs = |(name, value): &(String, Value)| name == always || usual.get(name) != Some(value);
    fields(value).into_iter().filter(differs).collect()
}

/// What everybody sees of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct SeatView {
    pub wind: Wind,
    pub score: i32,
    /// How many tiles are concealed.
    pub concealed: u8,
    pub river: Vec<Discarded>,
    pub melds: Vec<TableMeld>,
    pub riichi: RiichiState,
}

/// What a seat sees of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct OwnView {
    pub seat: Seat,
    pub tiles: TileSet,
    pub drawn: Option<Tile>,
    pub waits: KindSet,
    pub furiten: Furiten,
    /// What the last call forbids to discard.
    pub forbidden: KindSet,
    pub turn: Option<TurnOptions>,
    pub call: Option<CallView>,
    /// The seat is asked to confirm the round.
    pub confirm: bool,
}

/// What a seat may call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct CallView {
    pub kind: WindowKind,
    pub tile: Tile,
    pub from: Seat,
    pub offer: Offer,
    /// The ways to pon.
    pub pon: Vec<[Tile; 2]>,
    /// The ways to chi.
    pub chi: Vec<[Tile; 2]>,
}

/// What the table waits for, as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    Turn {
        seat: Seat,
    },
    /// A tile lies there; who may take it, and who has answered, nobody sees.
    Window {
        tile: Tile,
        from: Seat,
    },
    RoundEnd {
        result: RoundResult,
        next: Standing,
    },
    Over {
        result: RoundResult,
        end: GameEnd,
    },
}

impl Table {
    /// What a viewer may know.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => Some(self.own_view(seat)),
            Viewer::Gallery => None,
        };
        let phase = match &self.phase {
            Phase::Turn { seat, .. } => PhaseView::Turn { seat: *seat },
            Phase::Window(window) => PhaseView::Window { tile: window.tile, from: window.from },
            Phase::RoundEnd { result, next, .. } => {
                PhaseView::RoundEnd { result: (**result).clone(), next: *next }
            }
            Phase::Over { result, end } => PhaseView::Over { result: (**result).clone(), end: *end },
        };
        View {
            settings: self.settings,
            standing: self.standing,
            dealer: self.dealer(),
            round_wind: self.round_wind(),
            left: self.left(),
            dora: self.dora().to_vec(),
            players: self.all_seats().map(|seat| self.seat_view(seat)).collect(),
            own,
            phase,
        }
    }

    fn seat_view(&self, seat: Seat) -> SeatView {
        let player = self.player(seat);
        SeatView {
            wind: self.seat_wind(seat),
            score: self.standing.scores[seat.index()],
            concealed: player.hand().len(),
            river: player.river.to_vec(),
            melds: player.melds.to_vec(),
            riichi: player.riichi,
        }
    }

    fn own_view(&self, seat: Seat) -> OwnView {
        let player = self.player(seat);
        let (mut turn, mut call) = (None, None);
        match &self.phase {
            Phase::Turn { seat: asked, .. } if *asked == seat => turn = Some(self.turn_options(seat)),
            Phase::Window(window) if window.waiting.contains(seat) => {
                let offer = window.offers[seat.index()];
                let pon = if offer.pon { self.pon_options(seat, window.tile).to_vec() } else { Vec::new() };
                let chi = if offer.chi { self.chi_options(seat, window.tile).to_vec() } else { Vec::new() };
                call = Some(CallView {
                    kind: window.kind,
                    tile: window.tile,
                    from: window.from,
                    offer,
                    pon,
                    chi,
                });
            }
            _ => {}
        }
        OwnView {
            seat,
            tiles: player.tiles(),
            drawn: player.drawn,
            waits: player.waits,
            furiten: player.furiten(),
            forbidden: player.forbidden,
            turn,
            call,
            confirm: matches!(&self.phase, Phase::RoundEnd { waiting, .. } if waiting.contains(seat)),
        }
    }
}

impl View {
    /// How many tiles of each kind lie open: rivers, melds and indicators. The viewer's own tiles are not among them.
    #[must_use]
    pub fn in_sight(&self) -> [u8; KINDS] {
        let mut counts = [0; KINDS];
        let mut see = |tile: Tile| counts[tile.kind().index()] += 1;
        self.dora.iter().copied().for_each(&mut see);
        for player in &self.players {
            player.melds.iter().for_each(|meld| meld.meld.tiles().iter().copied().for_each(&mut see));
            let thrown = player.river.iter().filter(|thrown| thrown.called_by.is_none());
            thrown.for_each(|thrown| see(thrown.tile));
        }
        counts
    }
}
