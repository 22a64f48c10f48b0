//! What each seat may do now. Nothing here changes anything, and nothing of another seat's hand is looked at.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::{Action, Actions};
use super::player::Player;
use super::state::{Phase, Table, TurnAfter};
use super::window::{Window, WindowKind};
use crate::calls::{each_chi, each_pon, riichi_discards, riichi_kan_allowed};
use crate::meld::Meld;
use crate::pay::Seat;
use crate::rules::Renhou;
use crate::score::{Score, score};
use crate::sets::{KindSet, TileSet};
use crate::shanten::shanten;
use crate::tile::{Kind, Tile};
use crate::win::{Claim, Flags, Win};
use crate::yaku::{Yaku, YakuSet};

/// What a seat may do in its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct TurnOptions {
    pub discards: TileSet,
    /// What may be discarded with riichi.
    pub riichi: KindSet,
    pub tsumo: bool,
    pub ankan: KindSet,
    /// Tiles that can be added to a pon.
    pub kakan: TileSet,
    pub nine: bool,
}

/// What a seat may call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct Offer {
    pub ron: bool,
    pub pon: bool,
    pub kan: bool,
    pub chi: bool,
}

impl Offer {
    /// Whether nothing can be called.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        !(self.ron || self.pon || self.kan || self.chi)
    }
}

impl Table {
    /// What the seat may do in its turn; nothing if it is not its turn.
    #[must_use]
    pub fn turn_options(&self, seat: Seat) -> TurnOptions {
        let Phase::Turn { seat: turn, after } = self.phase else { return TurnOptions::default() };
        let player = self.player(seat);
        if turn != seat || player.hidden {
            return TurnOptions::default();
        }
        let mut options = TurnOptions { discards: self.discards(player), ..TurnOptions::default() };
        let Some(drawn) = player.drawn else { return options };
        options.tsumo = player.waits.contains(drawn.kind()) && self.tsumo_score(seat, drawn, after).is_some();
        options.riichi = self.riichi_options(seat);
        if self.kan_possible() {
            options.ankan = self.ankan_options(player, drawn);
            options.kakan = kakan_options(player);
        }
        options.nine = self.settings.abort_nine_kinds && self.nine_kinds(player);
        options
    }

    fn discards(&self, player: &Player) -> TileSet {
        match player.drawn {
            Some(drawn) if player.in_riichi() => [drawn].into_iter().collect(),
            _ if player.forbidden.is_empty() => player.tiles(),
            _ => player.tiles().iter().filter(|tile| !player.forbidden.contains(tile.kind())).collect(),
        }
    }

    fn riichi_options(&self, seat: Seat) -> KindSet {
        let player = self.player(seat);
        let can = self.left() >= self.settings.min_wall_for_riichi
            && self.standing.scores[seat.index()] >= i32::from(self.settings.riichi_cost)
            && !player.in_riichi()
            && player.is_closed();
        if !can || shanten(player.hand()) > 0 {
            return KindSet::EMPTY;
        }
        riichi_discards(player.hand(), &player.blocks())
    }

    /// Whether the wall has a kan left.
    pub(super) fn kan_possible(&self) -> bool {
        self.round.wall.kans() < self.settings.max_kans && self.left() >= self.settings.min_wall_for_kan
    }

    fn ankan_options(&self, player: &Player, drawn: Tile) -> KindSet {
        if player.in_riichi() {
            let kind = drawn.kind();
            let allowed = player.hand().count(kind) == 4
                && riichi_kan_allowed(&player.before_draw(), kind, self.settings.riichi_kan);
            return if allowed { KindSet::one(kind) } else { KindSet::EMPTY };
        }
        player.hand().kinds(4)
    }

    fn nine_kinds(&self, player: &Player) -> bool {
        let orphans = player.hand().kinds(1).and(KindSet::ORPHANS).len();
        self.round.untouched && player.river.is_empty() && orphans >= u32::from(self.settings.nine_kinds_min)
    }

    /// What the seat may call now.
    #[must_use]
    pub fn offer(&self, seat: Seat) -> Offer {
        match &self.phase {
            Phase::Window(window) if window.waiting.contains(seat) => window.offers[seat.index()],
            _ => Offer::default(),
        }
    }

    /// What the rules let a seat do with the tile of a window that opens.
    pub(super) fn offer_in(&self, kind: WindowKind, tile: Tile, from: Seat, seat: Seat) -> Offer {
        let player = self.player(seat);
        let mut offer = Offer::default();
        if player.hidden {
            return offer;
        }
        if player.waits.contains(tile.kind()) && !player.furiten().is_furiten() {
            let score = self.ron_score(seat, tile, kind, &[]);
            offer.ron = match kind {
                WindowKind::ClosedKan => score.is_some_and(|(_, score)| is_kokushi(&score)),
                WindowKind::Discard | WindowKind::AddedKan => score.is_some(),
            };
        }
        let meldable = kind == WindowKind::Discard
            && self.left() > 0
            && !player.in_riichi()
            && player.melds.len() < 4
            && !self.four_kans_abort()
            && (!offer.ron || self.settings.ron_caller_may_meld);
        if meldable {
            let count = player.hand().count(tile.kind());
            offer.pon = count >= 2;
            offer.kan = count >= 3 && self.kan_possible();
            let next = from.after(1, self.seats) == seat;
            offer.chi = next && may_run(player, tile.kind()) && !self.chi_options(seat, tile).is_empty();
        }
        offer
    }

    /// The pairs with which a seat may chi a tile.
    #[must_use]
    pub fn chi_options(&self, seat: Seat, tile: Tile) -> ArrayVec<[Tile; 2], 6> {
        let mut options = ArrayVec::new();
        let (tiles, kuikae) = (self.player(seat).tiles(), self.settings.kuikae());
        each_chi(tiles, tile, kuikae, self.settings.red_fives, |option| options.push(option));
        options
    }

    /// The pairs with which a seat may pon a tile.
    #[must_use]
    pub fn pon_options(&self, seat: Seat, tile: Tile) -> ArrayVec<[Tile; 2], 2> {
        let mut options = ArrayVec::new();
        each_pon(self.player(seat).tiles(), tile, self.settings.red_fives, |option| options.push(option));
        options
    }

    /// Every action the seat may take now, added to the list.
    pub fn legal(&self, seat: Seat, actions: &mut impl Extend<Action>) {
        match &self.phase {
            Phase::Turn { seat: turn, .. } if *turn == seat => {
                let options = self.turn_options(seat);
                let player = self.player(seat);
                actions.extend(options.discards.iter().map(Action::Discard));
                let riichi = |tile: &Tile| options.riichi.contains(tile.kind());
                if !options.riichi.is_empty() {
                    actions.extend(player.tiles().iter().filter(riichi).map(Action::Riichi));
                }
                actions.extend(options.ankan.iter().map(Action::Ankan));
                actions.extend(options.kakan.iter().map(Action::Kakan));
                actions.extend(options.tsumo.then_some(Action::Tsumo));
                actions.extend(options.nine.then_some(Action::Nine));
            }
            Phase::Window(window) if window.waiting.contains(seat) => self.legal_calls(window, seat, actions),
            Phase::RoundEnd { waiting, .. } if waiting.contains(seat) => actions.extend([Action::Confirm]),
            _ => {}
        }
    }

    pub(super) fn legal_calls(&self, window: &Window, seat: Seat, actions: &mut impl Extend<Action>) {
        let offer = window.offers[seat.index()];
        actions.extend([Action::Pass]);
        actions.extend(offer.ron.then_some(Action::Ron));
        actions.extend(offer.kan.then_some(Action::Daiminkan));
        if offer.pon {
            actions.extend(self.pon_options(seat, window.tile).into_iter().map(Action::Pon));
        }
        if offer.chi {
            actions.extend(self.chi_options(seat, window.tile).into_iter().map(Action::Chi));
        }
    }

    /// Every action the seat may take now.
    #[must_use]
    pub fn actions(&self, seat: Seat) -> Actions {
        let mut actions = Actions::new();
        self.legal(seat, &mut actions);
        actions
    }

    pub(super) fn tsumo_score(&self, seat: Seat, drawn: Tile, after: TurnAfter) -> Option<(Win, Score)> {
        self.tsumo_score_with(seat, drawn, after, &[])
    }

    pub(super) fn tsumo_score_with(
        &self,
        seat: Seat,
        drawn: Tile,
        after: TurnAfter,
        ura: &[Tile],
    ) -> Option<(Win, Score)> {
        let player = self.player(seat);
        let rinshan = after == TurnAfter::Rinshan;
        let first = self.round.untouched && player.river.is_empty();
        let dealer = seat == self.dealer();
        let mut flags = self.flags(seat).with(Flags::TSUMO);
        for (is_so, flag) in [
            (rinshan, Flags::RINSHAN),
            (!rinshan && self.left() == 0, Flags::HAITEI),
            (first && dealer, Flags::TENHOU),
            (first && !dealer, Flags::CHIIHOU),
        ] {
            flags = if is_so { flags.with(flag) } else { flags };
        }
        self.score_of(player, player.tiles(), drawn, seat, flags, ura)
    }

    pub(super) fn ron_score(
        &self,
        seat: Seat,
        tile: Tile,
        kind: WindowKind,
        ura: &[Tile],
    ) -> Option<(Win, Score)> {
        let player = self.player(seat);
        let robbing = kind != WindowKind::Discard;
        let first = self.round.untouched && player.river.is_empty() && seat != self.dealer() && !robbing;
        let mut flags = self.flags(seat);
        for (is_so, flag) in [
            (robbing, Flags::CHANKAN),
            (!robbing && self.left() == 0, Flags::HOUTEI),
            (first && self.settings.renhou != Renhou::Off, Flags::RENHOU),
        ] {
            flags = if is_so { flags.with(flag) } else { flags };
        }
        let mut tiles = player.tiles();
        tiles.insert(tile);
        self.score_of(player, tiles, tile, seat, flags, ura)
    }

    /// The flags that riichi and the count of wins give.
    pub(super) fn flags(&self, seat: Seat) -> Flags {
        let player = self.player(seat);
        let mut flags = match player.riichi {
            super::RiichiState::Accepted { double: true } => Flags::DOUBLE_RIICHI,
            super::RiichiState::Accepted { double: false } => Flags::RIICHI,
            super::RiichiState::Declared { .. } | super::RiichiState::No => Flags::NONE,
        };
        if player.ippatsu {
            flags = flags.with(Flags::IPPATSU);
        }
        if self.settings.paarenchan && seat == self.dealer() && self.standing.dealer_wins >= 7 {
            flags = flags.with(Flags::PAARENCHAN);
        }
        flags
    }

    /// The indicators that count.
    pub(super) fn counted_dora(&self) -> &[Tile] {
        &self.dora()[usize::from(!self.settings.omote_dora)..]
    }

    pub(super) fn score_of(
        &self,
        player: &Player,
        tiles: TileSet,
        win: Tile,
        seat: Seat,
        flags: Flags,
        ura: &[Tile],
    ) -> Option<(Win, Score)> {
        let hand: ArrayVec<Tile, 15> = tiles.iter().take(15).collect();
        let melds: ArrayVec<Meld, 4> = player.melds.iter().map(|meld| meld.meld).collect();
        let claim = Claim {
            hand: &hand,
            melds: &melds,
            win,
            dora: self.counted_dora(),
            ura,
            seat_wind: self.seat_wind(seat),
            round_wind: self.round_wind(),
            flags,
        };
        let win = Win::new(&claim).ok()?;
        let score = score(&win, &self.settings.rules()).ok()?;
        Some((win, score))
    }
}

/// Whether the two neighbours that a run needs are there.
fn may_run(player: &Player, kind: Kind) -> bool {
    if kind.is_honor() {
        return false;
    }
    let counts = player.hand().counts();
    let (index, rank) = (kind.index(), kind.rank());
    let held = |low: usize, high: usize| counts[low] > 0 && counts[high] > 0;
    (rank >= 3 && held(index - 2, index - 1))
        || ((2..=8).contains(&rank) && held(index - 1, index + 1))
        || (rank <= 7 && held(index + 1, index + 2))
}

fn kakan_options(player: &Player) -> TileSet {
    let mut tiles = TileSet::EMPTY;
    for meld in player.melds.iter().filter(|meld| meld.meld.kind() == crate::meld::MeldKind::Pon) {
        for tile in player.tiles().of_kind(meld.meld.tiles()[0].kind()) {
            tiles.insert(tile);
        }
    }
    tiles
}

fn is_kokushi(score: &Score) -> bool {
    let kokushi: YakuSet = [Yaku::Kokushi, Yaku::KokushiThirteen].into_iter().collect();
    !score.yaku.and(kokushi).is_empty()
}
