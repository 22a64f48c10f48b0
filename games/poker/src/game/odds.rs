//! How often each open hand wins while the rest of the cards is dealt and nobody can bet any more.
//!
//! purity: a share is computed to be shown and is kept nowhere

use crate::card::{Card, CardSet};
use crate::deal::Rng;
use crate::equity::Spot;
use crate::hand::{Hand, Phase};
use crate::row::Row;
use crate::variant::HandKind;

/// Most rankings for one view; beyond that cards are drawn at random.
const RANKINGS_MAX: u64 = 60_000;
const TRIALS_MIN: u64 = 400;

/// Numbers that are the same every time: all viewers are shown the same shares, and a replay shows them again.
struct Fixed(u64);

impl Rng for Fixed {
    fn draw(&mut self, from: CardSet) -> Card {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (self.0 >> 33) as usize % from.len().max(1);
        from.nth(at).unwrap_or(Card::at(0))
    }
}

/// What each place of the hand wins on average, in thousandths of the pot. Empty where a hand is hidden or the betting goes
/// on: so it is made of nothing that a spectator does not see.
pub(super) fn shares(hand: &Hand) -> Vec<(usize, u16)> {
    let variant = hand.setup().variant;
    let open = |place: usize| {
        let hole = hand.hole(place);
        hole.unseen() == 0 && (0..hole.len()).all(|at| hand.is_up(place, at))
    };
    let runs = hand.is_all_in() && hand.phase() == Phase::Deal && hand.boards() == 1;
    if !runs || variant.is_draw() || !hand.live().iter().all(open) {
        return Vec::new();
    }
    let places: Vec<usize> = hand.live().iter().collect();
    let hands: Vec<Row> = places.iter().map(|&place| *hand.hole(place)).collect();
    let Ok(spot) = Spot::new(variant, &hands, *hand.board(0)) else { return Vec::new() };
    let (high, low) = variant.kinds();
    let each = if high == HandKind::OmahaHigh { 60 } else { 1 } * (1 + u64::from(low.is_some()));
    let all = each * hands.len() as u64;
    let equity = match spot.ways() {
        Some(ways) if ways * all <= RANKINGS_MAX => spot.exact(),
        _ => spot.simulate((RANKINGS_MAX / all / 10).max(TRIALS_MIN), &mut Fixed(1)),
    };
    let share = |equity: f64| (equity * 1_000.0).round() as u16;
    places.into_iter().zip(equity.shares.iter().map(|one| share(one.equity))).collect()
}
