//! The call window: one tile, everybody who may take it, their answers kept as intents until all have answered.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::SEATS_MAX;
use super::action::Action;
use super::event::Event;
use super::options::Offer;
use super::player::{RiichiState, TableMeld};
use super::result::DrawKind;
use super::settings::MultiRon;
use super::state::{Phase, SeatSet, Surroundings, Table, TurnAfter};
use crate::meld::{Meld, MeldKind};
use crate::pay::Seat;
use crate::sets::KindSet;
use crate::tile::Tile;

/// What lies there to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WindowKind {
    Discard,
    /// A tile added to a pon: it can be robbed.
    AddedKan,
    /// A closed kan: thirteen orphans may rob it.
    ClosedKan,
}

/// A call window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    pub kind: WindowKind,
    pub tile: Tile,
    pub from: Seat,
    /// What each seat may do with the tile.
    pub offers: [Offer; SEATS_MAX],
    /// Who has not answered yet.
    pub waiting: SeatSet,
    /// What they answered; nobody sees it before the last.
    pub(super) intents: [Option<Action>; SEATS_MAX],
}

impl Table {
    /// Opens the window on a tile. Where nobody may take it and windows are not held, it closes at once.
    pub(super) fn open_window(
        &mut self,
        kind: WindowKind,
        tile: Tile,
        from: Seat,
        out: &mut Surroundings<'_>,
    ) {
        let mut window = Window {
            kind,
            tile,
            from,
            offers: [Offer::default(); SEATS_MAX],
            waiting: SeatSet::EMPTY,
            intents: [None; SEATS_MAX],
        };
        for seat in self.others(from) {
            let offer = self.offer_in(kind, tile, from, seat);
            window.offers[seat.index()] = offer;
            if !offer.is_empty() {
                window.waiting.insert(seat);
            }
        }
        if window.waiting.is_empty() && !self.hold_windows {
            self.close_window(&window, out);
        } else {
            self.phase = Phase::Window(window);
        }
    }

    /// Keeps an answer; the last one closes the window, unless windows are held.
    pub(super) fn answer_window(&mut self, seat: Seat, action: Action, out: &mut Surroundings<'_>) {
        let Phase::Window(window) = &mut self.phase else { return };
        window.intents[seat.index()] = Some(action);
        window.waiting.remove(seat);
        if window.waiting.is_empty() && !self.hold_windows {
            let window = *window;
            self.close_window(&window, out);
        }
    }

    /// Closes a held window in which everybody has answered; seats that have not are taken to pass.
    pub fn elapse(
        &mut self,
        walls: &mut dyn FnMut(&super::Standing) -> super::Wall,
        emit: &mut dyn FnMut(Event),
    ) {
        if let Phase::Window(window) = self.phase {
            self.close_window(&window, &mut Surroundings { walls, emit });
        }
    }

    /// Ron before pon and kan before chi; the nearest in turn order among equals.
    pub(super) fn close_window(&mut self, window: &Window, out: &mut Surroundings<'_>) {
        let order: ArrayVec<Seat, SEATS_MAX> = self.others(window.from).collect();
        let intent = |seat: &Seat| window.intents[seat.index()];
        let mut rons: ArrayVec<Seat, SEATS_MAX> =
            order.iter().filter(|seat| intent(seat) == Some(Action::Ron)).copied().collect();
        match self.settings.multi_ron {
            MultiRon::HeadBump => rons.truncate(1),
            MultiRon::Double if rons.len() > 2 => {
                return self.end_by_draw(DrawKind::TripleRon, None, &rons, out);
            }
            MultiRon::Double | MultiRon::Triple => {}
        }
        if !rons.is_empty() {
            return self.end_by_ron(&rons, window, out);
        }
        self.let_go_by(window, out);
        if window.kind != WindowKind::Discard {
            return self.complete_kan(window.from, window.kind, out);
        }
        if self.discard_has_passed(window.from, out) {
            return;
        }
        let is_set = |seat: &&Seat| matches!(intent(seat), Some(Action::Pon(_) | Action::Daiminkan));
        let is_run = |seat: &&Seat| matches!(intent(seat), Some(Action::Chi(_)));
        let caller = order.iter().find(is_set).or_else(|| order.iter().find(is_run));
        match caller.and_then(|&seat| Some((seat, intent(&seat)?))) {
            Some((seat, action)) => self.call(seat, action, window, out),
            None if self.left() == 0 => self.end_exhausted(out),
            None => self.draw(window.from.after(1, self.seats), out),
        }
    }

    /// The tile was not taken by ron: every seat that waits for it has missed it.
    fn let_go_by(&mut self, window: &Window, out: &mut Surroundings<'_>) {
        for seat in self.others(window.from) {
            // A closed kan concerns only those who may rob it.
            if window.kind == WindowKind::ClosedKan && !window.offers[seat.index()].ron {
                continue;
            }
            self.round.players[seat.index()].miss(window.tile);
            self.tell_furiten(seat, out);
        }
    }

    /// Riichi is accepted, indicators are turned, and what four of something end is ended: true if the round is over.
    fn discard_has_passed(&mut self, seat: Seat, out: &mut Surroundings<'_>) -> bool {
        let player = &mut self.round.players[seat.index()];
        if let RiichiState::Declared { double } = player.riichi {
            player.riichi = RiichiState::Accepted { double };
            player.ippatsu = true;
            self.standing.scores[seat.index()] -= i32::from(self.settings.riichi_cost);
            self.standing.sticks += 1;
            out.tell(Event::RiichiAccepted { seat });
        }
        let due = std::mem::take(&mut self.round.dora_after_discard);
        self.turn_dora(due, out);
        let all: ArrayVec<Seat, SEATS_MAX> = self.all_seats().collect();
        let everyone_in_riichi = all.iter().all(|&seat| self.player(seat).in_riichi());
        let kind = if self.settings.abort_four_riichi && everyone_in_riichi {
            DrawKind::FourRiichi
        } else if self.settings.abort_four_winds && self.four_winds() {
            DrawKind::FourWinds
        } else if self.four_kans_abort() {
            DrawKind::FourKans
        } else {
            return false;
        };
        let shown: &[Seat] = if kind == DrawKind::FourRiichi { &all } else { &[] };
        self.end_by_draw(kind, None, shown, out);
        true
    }

    /// Whether all seats began with the same wind and nobody called.
    fn four_winds(&self) -> bool {
        let mut first = None;
        self.round.untouched
            && self.all_seats().all(|seat| match *self.player(seat).river() {
                [only] => {
                    let kind = only.tile.kind();
                    KindSet::WINDS.contains(kind) && *first.get_or_insert(kind) == kind
                }
                _ => false,
            })
    }

    /// Whether the next discard that passes ends the round because of four kans.
    pub(super) fn four_kans_abort(&self) -> bool {
        self.settings.abort_four_kans && self.round.wall.kans() == 4 && {
            let with = self.all_seats().filter(|&seat| self.player(seat).kan_count() > 0).count();
            with >= usize::from(self.settings.four_kans_min_players)
        }
    }

    /// Chi, pon or an open kan.
    fn call(&mut self, seat: Seat, action: Action, window: &Window, out: &mut Surroundings<'_>) {
        let tile = window.tile;
        let (kind, own): (MeldKind, ArrayVec<Tile, 3>) = match action {
            Action::Pon(own) => (MeldKind::Pon, own.into_iter().collect()),
            Action::Chi(own) => (MeldKind::Chi, own.into_iter().collect()),
            _ => (MeldKind::Daiminkan, self.own_for_kan(seat, tile)),
        };
        self.interrupt();
        let feeder = &mut self.round.players[window.from.index()];
        feeder.nagashi = false;
        if let Some(last) = feeder.river.last_mut() {
            last.called_by = Some(seat);
        }
        let kuikae = self.settings.kuikae();
        let player = &mut self.round.players[seat.index()];
        own.iter().for_each(|&tile| player.give(tile));
        player.held.insert(tile);
        if kind != MeldKind::Daiminkan {
            player.forbidden = kuikae.after(tile.kind(), [own[0].kind(), own[1].kind()]);
        }
        let mut tiles: ArrayVec<Tile, 4> = own.iter().copied().collect();
        tiles.push(tile);
        let Ok(meld) = Meld::new(kind, &tiles) else { unreachable!("only what makes a meld is legal") };
        player.melds.push(TableMeld { meld, from: window.from, called: Some(tile), added: None });
        if let Some(yaku) = self.settings.rules().pao.fed(&player.blocks()) {
            player.liable.get_or_insert((window.from, yaku));
        }
        self.tell_meld(seat, player_last(&self.round.players[seat.index()].melds), Some(tile), out);
        if kind == MeldKind::Daiminkan {
            self.kan_dora(false, out);
            self.draw_rinshan(seat, out);
        } else {
            self.phase = Phase::Turn { seat, after: TurnAfter::Call };
        }
    }

    /// The three tiles for an open kan. A hidden seat has the other three of the kind.
    fn own_for_kan(&self, seat: Seat, tile: Tile) -> ArrayVec<Tile, 3> {
        let player = self.player(seat);
        let has = |own: &Tile| if player.hidden { *own != tile } else { player.tiles().contains(*own) };
        tile.kind().tiles().filter(has).take(3).collect()
    }

    pub(super) fn tell_meld(
        &self,
        seat: Seat,
        meld: TableMeld,
        tile: Option<Tile>,
        out: &mut Surroundings<'_>,
    ) {
        let (kind, from) = (meld.meld.kind(), meld.from);
        out.tell(Event::Meld { seat, kind, tiles: meld.meld.tiles().to_vec(), from, tile });
    }
}

pub(super) fn player_last(melds: &[TableMeld]) -> TableMeld {
    *melds.last().expect("a meld was just laid")
}
