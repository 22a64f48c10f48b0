//! Players to fill seats. Each is a function of what its seat sees and a seed: the same view and seed give the same
//! action. None of them sees more than the [`View`].

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::player::RiichiState;
use super::view::{CallView, OwnView, SeatView, View};
use crate::hand::Hand;
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::sets::{KindSet, TileSet};
use crate::shanten::shanten;
use crate::tile::{KINDS, Kind, Tile};
use crate::ukeire::ukeire;
use crate::waits::waits;

/// The players there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bot {
    /// Discards what it draws, and takes its wins.
    Tsumogiri,
    /// Anything that is allowed.
    Random,
    /// Lowest shanten, ties at random, never calls; riichi and wins whenever it can.
    Greedy,
    /// Counts tiles, calls for a yaku, folds when another is in riichi and its own hand is far.
    Fair,
}

impl Bot {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Tsumogiri, Self::Random, Self::Greedy, Self::Fair];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tsumogiri => "tsumogiri",
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Fair => "fair",
        }
    }

    /// The bot with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bot| bot.name() == name)
    }

    /// What it does; none if its seat is not asked.
    #[must_use]
    pub fn decide(self, view: &View, seed: u64) -> Option<Action> {
        let own = view.own.as_ref()?;
        if own.confirm {
            return Some(Action::Confirm);
        }
        let mut dice = Dice::new(view, own.seat, seed);
        if self == Self::Random {
            return dice.pick(&choices(own));
        }
        if let Some(call) = &own.call {
            return Some(match self {
                _ if call.offer.ron => Action::Ron,
                Self::Fair => fair_call(view, own, call),
                _ => Action::Pass,
            });
        }
        let turn = own.turn?;
        if turn.tsumo {
            return Some(Action::Tsumo);
        }
        match self {
            Self::Greedy => greedy(own, turn.discards, turn.riichi, &mut dice),
            Self::Fair => fair_turn(view, own, &mut dice),
            Self::Tsumogiri | Self::Random => own
                .drawn
                .filter(|tile| turn.discards.contains(*tile))
                .or_else(|| turn.discards.iter().last())
                .map(Action::Discard),
        }
    }
}

/// Everything the view allows.
fn choices(own: &OwnView) -> Vec<Action> {
    let mut actions = Vec::new();
    if let Some(turn) = &own.turn {
        actions.extend(turn.discards.iter().map(Action::Discard));
        actions.extend(own.tiles.iter().filter(|tile| turn.riichi.contains(tile.kind())).map(Action::Riichi));
        actions.extend(turn.ankan.iter().map(Action::Ankan));
        actions.extend(turn.kakan.iter().map(Action::Kakan));
        actions.extend(turn.tsumo.then_some(Action::Tsumo));
        actions.extend(turn.nine.then_some(Action::Nine));
    }
    if let Some(call) = &own.call {
        actions.push(Action::Pass);
        actions.extend(call.offer.ron.then_some(Action::Ron));
        actions.extend(call.offer.kan.then_some(Action::Daiminkan));
        actions.extend(call.pon.iter().copied().map(Action::Pon));
        actions.extend(call.chi.iter().copied().map(Action::Chi));
    }
    actions
}

/// Random numbers that follow from the seed and the moment.
struct Dice(u64);

impl Dice {
    fn new(view: &View, seat: Seat, seed: u64) -> Self {
        let discards: usize = view.players.iter().map(|player| player.river.len()).sum();
        let moment =
            [usize::from(view.standing.kyoku), usize::from(view.standing.honba), discards, seat.index()];
        let mut dice = Self(seed);
        for part in moment {
            dice.0 ^= part as u64;
            dice.next();
        }
        dice
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let place = (u128::from(self.next()) * from.len() as u128) >> 64;
        from.get(place as usize).copied()
    }
}

fn hand_of(tiles: TileSet) -> Hand {
    Hand::from_kinds(tiles.iter().map(Tile::kind)).unwrap_or(Hand::EMPTY)
}

fn greedy(own: &OwnView, discards: TileSet, riichi: KindSet, dice: &mut Dice) -> Option<Action> {
    let hand = hand_of(own.tiles);
    let after = |kind: Kind| {
        let mut rest = hand;
        rest.remove(kind);
        shanten(&rest)
    };
    let best = discards.iter().map(|tile| after(tile.kind())).min()?;
    let equals: Vec<Tile> = discards.iter().filter(|tile| after(tile.kind()) == best).collect();
    let tile = dice.pick(&equals)?;
    Some(if riichi.contains(tile.kind()) { Action::Riichi(tile) } else { Action::Discard(tile) })
}

/// One discard that the fair bot thinks about.
#[derive(Clone, Copy)]
struct Candidate {
    kind: Kind,
    shanten: i32,
    /// Tiles that bring the hand nearer after it, and are not in sight.
    accepts: i32,
    danger: i32,
    /// What the kind is worth in the hand beyond its place: dora, red fives, honors.
    worth: i32,
}

impl Candidate {
    /// In defence: the safest, then what hurts least. Lower is better.
    const fn when_folding(&self) -> (i32, i32, i32) {
        (self.danger, self.shanten, self.worth)
    }

    /// Towards a win: what is in the way of tanyao, then the nearest, then the widest. Lower is better.
    fn when_pushing(&self, plan: Plan) -> (i32, i32, i32) {
        let in_the_way = plan == Plan::Tanyao && self.kind.is_orphan();
        (i32::from(!in_the_way), self.shanten, self.worth + 2 * self.danger - 8 * self.accepts)
    }
}

fn fair_turn(view: &View, own: &OwnView, dice: &mut Dice) -> Option<Action> {
    let turn = own.turn?;
    let hand = hand_of(own.tiles);
    if turn.nine && hand.kinds(1).and(KindSet::ORPHANS).len() < 11 {
        return Some(Action::Nine);
    }
    if let Some(kind) = turn.ankan.iter().find(|kind| harmless_kan(&hand, *kind)) {
        return Some(Action::Ankan(kind));
    }
    let plan = Plan::of(view, own);
    let candidates = candidates(view, own, &hand, turn.discards);
    let nearest = candidates.iter().map(|candidate| candidate.shanten).min()?;
    let folds = folds(view, own.seat, plan, nearest);
    let rank = |candidate: &Candidate| {
        if folds { candidate.when_folding() } else { candidate.when_pushing(plan) }
    };
    let best = candidates.iter().map(rank).min()?;
    let equals: Vec<Kind> = candidates.iter().filter(|one| rank(one) == best).map(|one| one.kind).collect();
    let kind = dice.pick(&equals)?;
    let tile = plainest(turn.discards, kind, own.drawn)?;
    let declares = !folds && turn.riichi.contains(kind) && waits_left(view, &hand, kind) > 0;
    Some(if declares { Action::Riichi(tile) } else { Action::Discard(tile) })
}

/// Whether to give the hand up: somebody is in riichi, and it is far, late, or cannot win at all.
fn folds(view: &View, seat: Seat, plan: Plan, nearest: i32) -> bool {
    let threats = in_riichi(view, seat).count();
    threats > 0 && (nearest >= 2 || plan == Plan::Nothing || nearest == 1 && (threats > 1 || view.left < 16))
}

/// The tile of a kind to part with: the red five last, the drawn one where it makes no difference.
fn plainest(discards: TileSet, kind: Kind, drawn: Option<Tile>) -> Option<Tile> {
    let drawn = drawn.filter(|tile| tile.kind() == kind && !tile.is_red() && discards.contains(*tile));
    drawn
        .or_else(|| discards.of_kind(kind).find(|tile| !tile.is_red()))
        .or_else(|| discards.of_kind(kind).next())
}

/// How many tiles the hand waits for after this discard, as far as can be seen.
fn waits_left(view: &View, hand: &Hand, discard: Kind) -> u32 {
    let mut rest = *hand;
    if !rest.remove(discard) {
        return 0;
    }
    let seen = view.in_sight();
    waits(&rest)
        .iter()
        .map(|kind| 4_u32.saturating_sub(u32::from(seen[kind.index()] + hand.count(kind))))
        .sum()
}

/// A closed kan that brings the hand no further away.
fn harmless_kan(hand: &Hand, kind: Kind) -> bool {
    let before = shanten(hand);
    let mut after = *hand;
    (0..4).for_each(|_| {
        after.remove(kind);
    });
    shanten(&after) <= before
}

fn candidates(view: &View, own: &OwnView, hand: &Hand, discards: TileSet) -> Vec<Candidate> {
    let seen = view.in_sight();
    let kinds: KindSet = discards.iter().map(Tile::kind).collect();
    let candidate = |kind: Kind| {
        let mut rest = *hand;
        rest.remove(kind);
        let mut elsewhere = seen;
        elsewhere[kind.index()] += 1;
        let nearer = ukeire(&rest, &elsewhere);
        Candidate {
            kind,
            shanten: nearer.shanten.into(),
            accepts: nearer.tiles.into(),
            danger: danger(view, own.seat, kind, &seen, hand),
            worth: worth(view, own, kind, &rest),
        }
    };
    kinds.iter().map(candidate).collect()
}

/// What a kind is worth beyond its place in the hand.
fn worth(view: &View, own: &OwnView, kind: Kind, rest: &Hand) -> i32 {
    let dora = view.dora.iter().filter(|tile| tile.kind().dora() == kind).count() as i32;
    let mut copies = own.tiles.of_kind(kind);
    let only_red = view.settings.red_fives && copies.all(|tile| tile.is_red());
    let yakuhai = is_yakuhai(view, own.seat, kind);
    let near_middle = if kind.is_honor() { 0 } else { 4 - (i32::from(kind.rank()) - 5).abs() };
    let pair_of_yaku = yakuhai && rest.count(kind) >= 1;
    12 * dora + 12 * i32::from(only_red) + 2 * i32::from(yakuhai) + near_middle + 6 * i32::from(pair_of_yaku)
}

fn is_yakuhai(view: &View, seat: Seat, kind: Kind) -> bool {
    KindSet::DRAGONS.contains(kind)
        || kind == view.round_wind.kind()
        || kind == view.players[seat.index()].wind.kind()
}

fn is_open(player: &SeatView) -> bool {
    player.melds.iter().any(|meld| meld.meld.kind() != MeldKind::Ankan)
}

/// The others who are in riichi.
fn in_riichi(view: &View, seat: Seat) -> impl Iterator<Item = &SeatView> {
    let others = view.players.iter().enumerate().filter(move |(index, _)| *index != seat.index());
    others.map(|(_, player)| player).filter(|player| player.riichi != RiichiState::No)
}

/// How dangerous a discard is against those in riichi: what they discarded is safe, then suji, then honors by count.
fn danger(view: &View, seat: Seat, kind: Kind, seen: &[u8; KINDS], hand: &Hand) -> i32 {
    let unseen = 4_u8.saturating_sub(seen[kind.index()] + hand.count(kind));
    let against = |player: &SeatView| {
        let river: KindSet = player.river.iter().map(|thrown| thrown.tile.kind()).collect();
        if river.contains(kind) {
            return 0;
        }
        if kind.is_honor() {
            return [1, 4, 8, 12][usize::from(unseen.min(3))];
        }
        let rank = kind.rank();
        let thrown = |step: i8| {
            let other = rank.checked_add_signed(step).and_then(|rank| Kind::of(kind.suit(), rank));
            other.is_none_or(|other| river.contains(other))
        };
        let suji = thrown(-3) && thrown(3);
        let middle = i32::from(rank.min(10 - rank));
        if suji { 2 + middle } else { 10 + 2 * middle }
    };
    in_riichi(view, seat).map(against).sum()
}

/// What an open hand is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// Closed: riichi will do.
    Closed,
    /// A set of dragons or of the right wind is there.
    Yakuhai,
    /// No terminals and no honors.
    Tanyao,
    Nothing,
}

impl Plan {
    fn of(view: &View, own: &OwnView) -> Self {
        let me = &view.players[own.seat.index()];
        if !is_open(me) {
            return Self::Closed;
        }
        let melds: Vec<(Kind, MeldKind)> =
            me.melds.iter().map(|meld| (meld.meld.tiles()[0].kind(), meld.meld.kind())).collect();
        let hand = hand_of(own.tiles);
        let set = |kind: Kind| is_yakuhai(view, own.seat, kind);
        let melded = melds.iter().any(|(kind, how)| *how != MeldKind::Chi && set(*kind));
        if melded || hand.kinds(3).iter().any(set) {
            return Self::Yakuhai;
        }
        let simple =
            me.melds.iter().all(|meld| meld.meld.tiles().iter().all(|tile| !tile.kind().is_orphan()));
        if simple && view.settings.open_tanyao { Self::Tanyao } else { Self::Nothing }
    }
}

/// Calls that keep a yaku and bring the hand nearer.
fn fair_call(view: &View, own: &OwnView, call: &CallView) -> Action {
    let me = &view.players[own.seat.index()];
    let hand = hand_of(own.tiles);
    let now = shanten(&hand);
    let threatened = in_riichi(view, own.seat).next().is_some();
    let plan = Plan::of(view, own);
    let options = call
        .pon
        .iter()
        .map(|own| (Action::Pon(*own), *own))
        .chain(call.chi.iter().map(|own| (Action::Chi(*own), *own)));
    let mut best: Option<(i8, Action)> = None;
    for (action, tiles) in options {
        let after = after_call(&hand, tiles);
        let yakuhai = matches!(action, Action::Pon(_)) && is_yakuhai(view, own.seat, call.tile.kind());
        let simple = tiles.iter().chain([&call.tile]).all(|tile| !tile.kind().is_orphan());
        let keeps = plan == Plan::Yakuhai || yakuhai || (simple && tanyao_hand(view, me, &hand, tiles));
        let wanted = after < now && keeps && (!threatened || after <= 0);
        if wanted && best.is_none_or(|(other, _)| after < other) {
            best = Some((after, action));
        }
    }
    best.map_or(Action::Pass, |(_, action)| action)
}

/// The shanten after a call and the best discard.
fn after_call(hand: &Hand, own: [Tile; 2]) -> i8 {
    let mut rest = *hand;
    own.iter().for_each(|tile| {
        rest.remove(tile.kind());
    });
    let discards = rest.kinds(1);
    let without = |kind: Kind| {
        let mut rest = rest;
        rest.remove(kind);
        shanten(&rest)
    };
    discards.iter().map(without).min().unwrap_or(8)
}

/// Whether the hand can be tanyao after this call: at most two tiles in the way, and not far.
fn tanyao_hand(view: &View, me: &SeatView, hand: &Hand, own: [Tile; 2]) -> bool {
    let melded = me.melds.iter().all(|meld| meld.meld.tiles().iter().all(|tile| !tile.kind().is_orphan()));
    let mut rest = *hand;
    own.iter().for_each(|tile| {
        rest.remove(tile.kind());
    });
    let in_the_way: u8 = KindSet::ORPHANS.iter().map(|kind| rest.count(kind)).sum();
    view.settings.open_tanyao && melded && in_the_way <= 2 && shanten(hand) <= 3
}
