//! Twins: other states that some seats cannot tell from this one.
//!
//! A twin gives the tiles that none of the viewers sees other places: concealed tiles of the others, the wall, the dead wall
//! and the indicators that lie face down. What follows from them for the others (waits, offers, furiten, answers that are
//! kept) is made anew. Everything that lies open stays.

use arrayvec::ArrayVec;

use super::SEATS_MAX;
use super::action::Action;
use super::player::{Player, RiichiState};
use super::state::{Phase, SeatSet, Table};
use super::window::Window;
use crate::pay::Seat;
use crate::sets::TileSet;
use crate::shanten::shanten;
use crate::tile::{Kind, Suit, TILES, Tile};

/// How often another arrangement is tried before only the wall is shuffled.
const TRIES_MAX: usize = 60;

/// A number from 0 to n - 1.
type Below<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Which tile lies where another lay.
struct Exchange([Tile; TILES]);

impl Exchange {
    fn none() -> Self {
        Self(std::array::from_fn(|id| Tile::new(id as u8).expect("an id of the box")))
    }

    fn of(&self, tile: Tile) -> Tile {
        self.0[usize::from(tile.id())]
    }

    fn of_all(&self, tiles: TileSet) -> TileSet {
        tiles.iter().map(|tile| self.of(tile)).collect()
    }

    fn swap(&mut self, a: Tile, b: Tile) {
        self.0.swap(usize::from(a.id()), usize::from(b.id()));
    }

    fn shuffle(&mut self, among: &[Tile], below: Below<'_>) {
        for last in (1..among.len()).rev() {
            self.swap(among[last], among[below(last + 1)]);
        }
    }

    /// Lays another kind where `tile` lay, by an exchange among these places.
    fn differ_at(&mut self, tile: Tile, among: &[Tile], below: Below<'_>) {
        if self.of(tile).kind() != tile.kind() {
            return;
        }
        let others: Vec<Tile> =
            among.iter().copied().filter(|place| self.of(*place).kind() != tile.kind()).collect();
        if !others.is_empty() {
            self.swap(tile, others[below(others.len())]);
        }
    }

    /// Puts `wanted` where `tile` lay, and what would have lain there where `wanted` would have.
    fn put(&mut self, tile: Tile, wanted: Tile) {
        let holder = self.0.iter().position(|&other| other == wanted);
        if let Some(holder) = holder.and_then(|id| Tile::new(id as u8)) {
            self.swap(tile, holder);
        }
    }
}

impl Table {
    /// A state that the viewers cannot tell from this one and that `accept` takes. The same state but for the wall if
    /// none is found.
    #[must_use]
    pub fn twin(
        &self,
        viewers: SeatSet,
        below: &mut dyn FnMut(usize) -> usize,
        accept: &dyn Fn(&Self) -> bool,
    ) -> Self {
        if matches!(self.phase, Phase::Over { .. }) {
            return self.clone();
        }
        let others: ArrayVec<Seat, SEATS_MAX> =
            self.all_seats().filter(|seat| !viewers.contains(*seat)).collect();
        for _ in 0..TRIES_MAX {
            let exchange = self.exchange(&others, below);
            if let Some(twin) = self.rearranged(&others, &exchange, below).filter(|twin| accept(twin)) {
                return twin;
            }
        }
        let mut only_wall = Exchange::none();
        only_wall.shuffle(&self.face_down(), below);
        self.part_ends(&mut only_wall, below);
        let mut twin = self.clone();
        twin.round.wall = self.round.wall.with(|tile| only_wall.of(tile));
        twin
    }

    /// The tiles that nobody at the table has seen.
    fn face_down(&self) -> Vec<Tile> {
        let open: TileSet = self.dora().iter().copied().collect();
        self.round.wall.undrawn().iter().filter(|tile| !open.contains(*tile)).collect()
    }

    fn exchange(&self, others: &[Seat], below: Below<'_>) -> Exchange {
        let mut exchange = Exchange::none();
        let in_riichi = |seat: &Seat| self.player(*seat).riichi != RiichiState::No;
        let mut free = self.face_down();
        let mut drawn = Vec::new();
        for seat in others {
            let player = self.player(*seat);
            if in_riichi(seat) {
                // Its hand is kept tenpai; the tile just drawn may be any.
                drawn.extend(player.drawn);
            } else {
                free.extend(player.tiles().iter());
            }
        }
        free.extend(drawn);
        if below(2) == 0 {
            exchange.shuffle(&free, below);
        } else {
            for _ in 0..=below(4) {
                exchange.swap(free[below(free.len())], free[below(free.len())]);
            }
        }
        let mut taken = TileSet::EMPTY;
        for seat in others.iter().filter(|seat| in_riichi(seat)) {
            self.another_tenpai(*seat, &free, &mut taken, &mut exchange, below);
        }
        self.part_ends(&mut exchange, below);
        exchange
    }

    /// The last tile to draw and the first ura indicator are always others: few swaps would leave them to luck, and one pair
    /// must show a leak of either.
    fn part_ends(&self, exchange: &mut Exchange, below: Below<'_>) {
        let wall = &self.round.wall;
        let ends: Vec<Tile> = wall.last().into_iter().chain(wall.ura(1).iter().copied()).collect();
        let mut between = self.face_down();
        between.retain(|tile| !ends.contains(tile));
        for tile in ends {
            exchange.differ_at(tile, &between, below);
        }
    }

    /// Gives a seat in riichi a hand of the same shape in other suits, if the tiles for it are not in sight.
    fn another_tenpai(
        &self,
        seat: Seat,
        free: &[Tile],
        taken: &mut TileSet,
        exchange: &mut Exchange,
        below: Below<'_>,
    ) {
        let player = self.player(seat);
        let mut own: Vec<Tile> = player.tiles().iter().collect();
        own.retain(|tile| Some(*tile) != player.drawn);
        let (turn, mirror) = (below(6), below(2) == 1);
        let mut wanted = Vec::new();
        for &tile in &own {
            let kind = moved(tile.kind(), turn, mirror);
            let usable = |other: &Tile| {
                (own.contains(other) || free.contains(other))
                    && !taken.contains(*other)
                    && !wanted.contains(other)
            };
            let Some(found) = kind.tiles().find(usable) else { return };
            wanted.push(found);
        }
        for (tile, other) in own.into_iter().zip(wanted) {
            exchange.put(tile, other);
            taken.insert(other);
        }
    }

    /// This state with tiles exchanged; none if it could not have come to this.
    fn rearranged(&self, others: &[Seat], exchange: &Exchange, below: Below<'_>) -> Option<Self> {
        let mut twin = self.clone();
        twin.round.wall = self.round.wall.with(|tile| exchange.of(tile));
        for seat in others {
            let player = &mut twin.round.players[seat.index()];
            player.concealed = exchange.of_all(player.tiles()).try_into().ok()?;
            player.drawn = player.drawn.map(|tile| exchange.of(tile));
            player.held = exchange.of_all(player.held);
            player.made_anew();
            let tenpai = player.riichi == RiichiState::No || shanten(&player.before_draw()) == 0;
            let may_discard = !twin.asked().contains(*seat)
                || !matches!(twin.phase, Phase::Turn { .. })
                || !twin.turn_options(*seat).discards.is_empty();
            if !tenpai || !may_discard {
                return None;
            }
        }
        if let Phase::Window(window) = twin.phase {
            let window = twin.another_window(window, others, below)?;
            twin.phase = Phase::Window(window);
        }
        Some(twin)
    }

    /// What the others may call now, who of them has answered, and what.
    fn another_window(&self, before: Window, others: &[Seat], below: Below<'_>) -> Option<Window> {
        let mut window = before;
        let open_for_viewer = before.waiting.iter().any(|seat| !others.contains(&seat));
        let open_for_others = before.waiting.iter().any(|seat| others.contains(&seat));
        let mut still: ArrayVec<Seat, SEATS_MAX> = ArrayVec::new();
        for &seat in others.iter().filter(|seat| **seat != window.from) {
            let offer = self.offer_in(window.kind, window.tile, window.from, seat);
            window.offers[seat.index()] = offer;
            window.waiting.remove(seat);
            window.intents[seat.index()] = None;
            if !offer.is_empty() {
                still.push(seat);
            }
        }
        // Time tells whether a window is still open for somebody: that stays as it is.
        let must_wait = open_for_others && !open_for_viewer;
        let may_wait = open_for_viewer || open_for_others;
        if must_wait && still.is_empty() {
            return None;
        }
        for (place, &seat) in still.iter().enumerate() {
            if may_wait && (below(2) == 0 || (must_wait && place == 0)) {
                window.waiting.insert(seat);
            } else {
                let mut legal = Vec::new();
                self.legal_calls(&window, seat, &mut legal);
                let pass = below(3) > 0;
                let chosen = if pass { Action::Pass } else { legal[below(legal.len())] };
                window.intents[seat.index()] = Some(chosen);
            }
        }
        Some(window)
    }
}

impl Player {
    /// What follows from other tiles.
    fn made_anew(&mut self) {
        self.waits = crate::waits::waits(&self.before_draw());
        let waits = self.waits;
        let still = |tile: &Tile| waits.contains(tile.kind());
        self.missed = self.missed.filter(still);
        self.missed_in_riichi = self.missed_in_riichi.filter(still);
        self.told_furiten = self.furiten().is_furiten();
    }
}

/// A kind after the suits have changed places and, in the mirror, ones have become nines.
fn moved(kind: Kind, turn: usize, mirror: bool) -> Kind {
    let suits = [Suit::Man, Suit::Pin, Suit::Sou];
    let order = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][turn % 6];
    let Some(place) = suits.iter().position(|suit| *suit == kind.suit()) else { return kind };
    let rank = if mirror { 10 - kind.rank() } else { kind.rank() };
    Kind::of(suits[order[place]], rank).unwrap_or(kind)
}
