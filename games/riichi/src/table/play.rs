//! Turns: drawing, discarding, kans of one's own.

use super::action::Action;
use super::event::Event;
use super::player::{Discarded, RiichiState, TableMeld};
use super::result::DrawKind;
use super::settings::KanDora;
use super::state::{Phase, Standing, Surroundings, Table, TurnAfter};
use super::wall::Wall;
use super::window::{WindowKind, player_last};
use crate::meld::{Meld, MeldKind};
use crate::pay::Seat;
use crate::tile::{Kind, Tile};

impl Table {
    /// Applies an action that [`Table::check`] or [`Table::legal`] gave. One that answers nothing is ignored.
    pub fn apply(
        &mut self,
        seat: Seat,
        action: Action,
        walls: &mut dyn FnMut(&Standing) -> Wall,
        emit: &mut dyn FnMut(Event),
    ) {
        let out = &mut Surroundings { walls, emit };
        match &self.phase {
            Phase::Turn { seat: turn, after } if *turn == seat => self.take_turn(seat, action, *after, out),
            Phase::Window(window) if window.waiting.contains(seat) => self.answer_window(seat, action, out),
            Phase::RoundEnd { waiting, .. } if waiting.contains(seat) => self.confirm(seat, out),
            _ => {}
        }
    }

    fn take_turn(&mut self, seat: Seat, action: Action, after: TurnAfter, out: &mut Surroundings<'_>) {
        match action {
            Action::Discard(tile) => self.discard(seat, tile, false, out),
            Action::Riichi(tile) => self.discard(seat, tile, true, out),
            Action::Tsumo => self.end_by_tsumo(seat, after, out),
            Action::Ankan(kind) => self.ankan(seat, kind, out),
            Action::Kakan(tile) => self.kakan(seat, tile, out),
            Action::Nine => self.end_by_draw(DrawKind::NineKinds, Some(seat), &[seat], out),
            Action::Ron
            | Action::Pon(_)
            | Action::Chi(_)
            | Action::Daiminkan
            | Action::Pass
            | Action::Confirm
            | Action::Automatic(_) => {}
        }
    }

    pub(super) fn draw(&mut self, seat: Seat, out: &mut Surroundings<'_>) {
        let tile = self.round.wall.draw();
        self.drew(seat, tile, TurnAfter::Draw, out);
    }

    pub(super) fn draw_rinshan(&mut self, seat: Seat, out: &mut Surroundings<'_>) {
        self.round.players[seat.index()].update_waits();
        let tile = self.round.wall.draw_rinshan();
        self.drew(seat, tile, TurnAfter::Rinshan, out);
    }

    fn drew(&mut self, seat: Seat, tile: Tile, after: TurnAfter, out: &mut Surroundings<'_>) {
        let player = &mut self.round.players[seat.index()];
        player.receive(tile);
        player.drawn = Some(tile);
        self.phase = Phase::Turn { seat, after };
        out.tell(Event::Draw { seat, tile: Some(tile), rinshan: after == TurnAfter::Rinshan });
    }

    fn discard(&mut self, seat: Seat, tile: Tile, riichi: bool, out: &mut Surroundings<'_>) {
        self.turn_due_dora(out);
        let double = self.round.untouched;
        let player = &mut self.round.players[seat.index()];
        let tsumogiri = player.drawn == Some(tile);
        if riichi {
            player.riichi = RiichiState::Declared { double: double && player.river.is_empty() };
        }
        player.give(tile);
        player.drawn = None;
        player.missed = None;
        player.ippatsu = false;
        player.forbidden = Default::default();
        player.discarded.insert(tile.kind());
        player.nagashi &= tile.kind().is_orphan();
        player.river.push(Discarded { tile, tsumogiri, riichi, called_by: None });
        if !tsumogiri {
            player.update_waits();
        }
        out.tell(Event::Discard { seat, tile, tsumogiri, riichi });
        self.tell_furiten(seat, out);
        self.open_window(WindowKind::Discard, tile, seat, out);
    }

    fn ankan(&mut self, seat: Seat, kind: Kind, out: &mut Surroundings<'_>) {
        let tiles: [Tile; 4] = std::array::from_fn(|copy| kind.tiles().nth(copy).expect("four of a kind"));
        let Ok(meld) = Meld::new(MeldKind::Ankan, &tiles) else { unreachable!("four of a kind") };
        let player = &mut self.round.players[seat.index()];
        // Who robs it takes the first of the four: which one was drawn is nobody else's business.
        let tile = tiles[0];
        tiles.iter().for_each(|&tile| player.give(tile));
        player.drawn = None;
        player.melds.push(TableMeld { meld, from: seat, called: None, added: None });
        self.tell_meld(seat, player_last(&self.round.players[seat.index()].melds), None, out);
        self.turn_due_dora(out);
        if self.settings.kokushi_robs_closed_kan {
            self.open_window(WindowKind::ClosedKan, tile, seat, out);
        } else {
            self.complete_kan(seat, WindowKind::ClosedKan, out);
        }
    }

    fn kakan(&mut self, seat: Seat, tile: Tile, out: &mut Surroundings<'_>) {
        let player = &mut self.round.players[seat.index()];
        let Some(place) = player.pon_of(tile.kind()) else { return };
        let mut tiles = player.melds[place].meld.tiles().to_vec();
        tiles.push(tile);
        let Ok(meld) = Meld::new(MeldKind::Kakan, &tiles) else { unreachable!("the fourth of a kind") };
        player.give(tile);
        player.drawn = None;
        player.melds[place] = TableMeld { meld, added: Some(tile), ..player.melds[place] };
        let meld = player.melds[place];
        self.tell_meld(seat, meld, Some(tile), out);
        self.turn_due_dora(out);
        self.open_window(WindowKind::AddedKan, tile, seat, out);
    }

    /// A kan that nobody robbed.
    pub(super) fn complete_kan(&mut self, seat: Seat, kind: WindowKind, out: &mut Surroundings<'_>) {
        self.interrupt();
        self.kan_dora(kind == WindowKind::ClosedKan, out);
        self.draw_rinshan(seat, out);
    }

    /// What a kan of this turn still owes is turned before the discard, or when the next kan is declared: it counts for a
    /// seat that robs that one.
    fn turn_due_dora(&mut self, out: &mut Surroundings<'_>) {
        let due = std::mem::take(&mut self.round.dora_before_discard);
        self.turn_dora(due, out);
    }

    /// A kan earns an indicator.
    pub(super) fn kan_dora(&mut self, closed: bool, out: &mut Surroundings<'_>) {
        if !self.settings.kan_dora {
            return;
        }
        let when = if closed { self.settings.closed_kan_dora } else { self.settings.open_kan_dora };
        match when {
            KanDora::Immediate => self.turn_dora(1, out),
            KanDora::BeforeDiscard => self.round.dora_before_discard += 1,
            KanDora::AfterDiscardPasses => self.round.dora_after_discard += 1,
        }
    }

    pub(super) fn turn_dora(&mut self, count: u8, out: &mut Surroundings<'_>) {
        for _ in 0..count {
            self.round.dora += 1;
            let tile = *self.dora().last().expect("an indicator lies open");
            out.tell(Event::Dora { tile });
        }
    }

    /// A call or a kan: no first turn any more, and nobody's ippatsu.
    pub(super) fn interrupt(&mut self) {
        self.round.untouched = false;
        for player in &mut self.round.players {
            player.ippatsu = false;
        }
    }

    /// Tells a seat when it becomes furiten or is so no longer.
    pub(super) fn tell_furiten(&mut self, seat: Seat, out: &mut Surroundings<'_>) {
        let player = &mut self.round.players[seat.index()];
        let is_furiten = player.furiten().is_furiten();
        if is_furiten != player.told_furiten {
            player.told_furiten = is_furiten;
            out.tell(Event::Furiten { seat, is_furiten });
        }
    }
}
