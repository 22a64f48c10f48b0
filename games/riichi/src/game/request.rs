//! How a request is described to the seat that is asked.

use parlor_core::game::Menu;
use parlor_core::{Choice, Fault};
use serde_json::json;

use super::Riichi;
use crate::pay::Seat;
use crate::table::{Action, KuikaeReason, Phase};
use crate::text::write_tiles;

impl Riichi {
    /// Everything the seat may do, and what a call forbids with the reason.
    pub(super) fn menu(&self, seat: Seat) -> Menu<Action> {
        let mut moves = Vec::new();
        self.table.legal(seat, &mut moves);
        let (title, meta) = match self.table.phase() {
            Phase::Turn { .. } => ("Your turn".to_owned(), None),
            Phase::Window(window) => {
                let what = json!({"tile": window.tile, "from": window.from, "kind": window.kind});
                (format!("Call {} of {}", window.tile, window.from), Some(what))
            }
            Phase::RoundEnd { .. } | Phase::Over { .. } => ("Confirm the round".to_owned(), None),
        };
        let mut menu = Menu::new(&title, moves, choice);
        menu.selector.meta = meta;
        menu.selector.no_auto_respond = true;
        menu.selector.choices.extend(self.forbidden(seat));
        menu
    }

    fn forbidden(&self, seat: Seat) -> impl Iterator<Item = Choice> + use<> {
        let player = self.table.player(seat);
        let asked = matches!(self.table.phase(), Phase::Turn { seat: turn, .. } if *turn == seat);
        let hints = if asked { self.table.hints(seat, &[0; 34]).kuikae } else { Vec::new() };
        let tiles = player.tiles();
        hints.into_iter().flat_map(move |kuikae| {
            let why = match kuikae.reason {
                KuikaeReason::Called => Fault::new("kuikae", "the tile just called cannot be discarded"),
                KuikaeReason::OtherEnd => {
                    Fault::new("kuikae", "the other end of the run just called cannot be discarded")
                }
            };
            tiles.of_kind(kuikae.kind).collect::<Vec<_>>().into_iter().map(move |tile| {
                let mut choice = choice(&Action::Discard(tile));
                choice.why_not = Some(why.clone());
                choice
            })
        })
    }
}

/// One action as a choice; the id tells copies of a tile apart.
fn choice(action: &Action) -> Choice {
    let (kind, title, id) = match action {
        Action::Discard(tile) => ("discard", format!("Discard {tile}"), format!("discard:{}", tile.id())),
        Action::Riichi(tile) => ("riichi", format!("Riichi with {tile}"), format!("riichi:{}", tile.id())),
        Action::Tsumo => ("tsumo", "Tsumo".to_owned(), "tsumo".to_owned()),
        Action::Ankan(kind) => {
            ("closed_kan", format!("Closed kan of {kind}"), format!("closed_kan:{}", kind.number()))
        }
        Action::Kakan(tile) => {
            ("added_kan", format!("Added kan of {tile}"), format!("added_kan:{}", tile.id()))
        }
        Action::Nine => ("kyuushu", "Nine kinds".to_owned(), "kyuushu".to_owned()),
        Action::Ron => ("ron", "Ron".to_owned(), "ron".to_owned()),
        Action::Pon(own) => ("pon", format!("Pon with {}", write_tiles(own)), pair_id("pon", own)),
        Action::Chi(own) => ("chi", format!("Chi with {}", write_tiles(own)), pair_id("chi", own)),
        Action::Daiminkan => ("open_kan", "Open kan".to_owned(), "open_kan".to_owned()),
        Action::Pass => ("pass", "Pass".to_owned(), "pass".to_owned()),
        Action::Confirm => ("confirm", "Confirm".to_owned(), "confirm".to_owned()),
        Action::Automatic(_) => ("automatic", "Automatic".to_owned(), "automatic".to_owned()),
    };
    Choice::new(title).id(id).kind(kind)
}

fn pair_id(name: &str, own: &[crate::tile::Tile; 2]) -> String {
    format!("{name}:{}:{}", own[0].id(), own[1].id())
}
