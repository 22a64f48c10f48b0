//! The bot: it avoids taking tricks. It knows only what its seat sees.

use parlor_script::{CheckedAnswer, Offer};

use crate::{Card, Suit, View};

fn cards(offer: &Offer<'_>) -> impl Iterator<Item = Card> {
    offer.keys.iter().map(|key| Card::of(*key as u16))
}

/// Passes the cards most likely to take points: high spades without cover, then high cards of short suits.
pub(super) fn pass(view: &View, offer: &Offer<'_>) -> CheckedAnswer {
    let length = |suit: Suit| view.hand.iter().filter(|card| card.suit() == suit).count() as i32;
    let danger = |card: Card| {
        let rank = i32::from(card.rank());
        match card.suit() {
            Suit::Spades if length(Suit::Spades) < 5 && card >= Card::QUEEN_OF_SPADES => 100 + rank,
            Suit::Spades => rank - 12,
            Suit::Hearts => rank * 2,
            suit => rank + (5 - length(suit)) * 2,
        }
    };
    let mut order: Vec<usize> = (0..offer.keys.len()).collect();
    order.sort_by_key(|n| std::cmp::Reverse(danger(Card::of(offer.keys[*n] as u16))));
    order.truncate(offer.min);
    CheckedAnswer::picks(order)
}

/// Plays the card that costs least.
pub(super) fn play(view: &View, offer: &Offer<'_>) -> CheckedAnswer {
    let Some(led) = view.trick.first().map(|card| card.suit()) else { return said(offer, lead(view, offer)) };
    let follows = cards(offer).next().is_some_and(|card| card.suit() == led);
    said(offer, if follows { follow(view, offer, led) } else { discard(view, offer) })
}

fn said(offer: &Offer<'_>, card: Option<Card>) -> CheckedAnswer {
    card.and_then(|card| offer.key(card.face().into())).unwrap_or(CheckedAnswer::One(0))
}

/// Leads low, preferably in a suit in which others still hold higher cards; avoids spades above the jack.
fn lead(view: &View, offer: &Offer<'_>) -> Option<Card> {
    let queen_out = !view.gone(Card::QUEEN_OF_SPADES) && !view.hand.contains(&Card::QUEEN_OF_SPADES);
    cards(offer).min_by_key(|card| {
        let above = (card.face() + 1..)
            .take(usize::from(12 - card.rank()))
            .map(Card::of)
            .filter(|higher| !view.gone(*higher) && !view.hand.contains(higher))
            .count() as i32;
        let own_queen = i32::from(*card == Card::QUEEN_OF_SPADES) * 100;
        let risky = i32::from(queen_out && card.suit() == Suit::Spades && *card > Card::QUEEN_OF_SPADES) * 50;
        let unbeatable = i32::from(above == 0) * 20;
        own_queen + risky + unbeatable + i32::from(card.rank()) - above
    })
}

/// Plays the highest card below the best one if it can; takes a trick only if it must, and then with its highest card.
fn follow(view: &View, offer: &Offer<'_>, led: Suit) -> Option<Card> {
    let best = view.trick.iter().filter(|card| card.suit() == led).max().copied()?;
    let under = cards(offer).filter(|card| *card < best).max();
    // First of all, give the queen to a higher spade.
    if under.is_some() && cards(offer).any(|card| card == Card::QUEEN_OF_SPADES && card < best) {
        return Some(Card::QUEEN_OF_SPADES);
    }
    let last = view.trick.len() == 3;
    let cost: u8 = view.trick.iter().map(|card| card.points()).sum();
    let safe = |card: &Card| *card != Card::QUEEN_OF_SPADES;
    if last && cost == 0 {
        return cards(offer).filter(safe).max().or(under);
    }
    under.or_else(|| {
        let over = cards(offer).filter(safe);
        if last { over.max() } else { over.min() }
    })
}

/// Discards the card that is most dangerous to keep.
fn discard(view: &View, offer: &Offer<'_>) -> Option<Card> {
    let queen_out = !view.gone(Card::QUEEN_OF_SPADES);
    cards(offer).max_by_key(|card| match card.suit() {
        _ if *card == Card::QUEEN_OF_SPADES => 100,
        Suit::Spades if queen_out && *card > Card::QUEEN_OF_SPADES => 60 + i32::from(card.rank()),
        Suit::Hearts => 20 + i32::from(card.rank()),
        _ => i32::from(card.rank()),
    })
}
