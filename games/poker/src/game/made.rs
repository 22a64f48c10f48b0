//! What a hand is called: its class and the cards that make it, for whoever sees all of its cards.

use serde::Serialize;
use ts_rs::TS;

use crate::card::Card;
use crate::rank::strength;
use crate::variant::{HandKind, Variant};

/// Cards of a whole hand; badugi has fewer.
const WHOLE: usize = 5;
const ACE: u8 = 12;

/// How hands are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum MadeKind {
    High,
    /// The lower the better.
    Low,
    /// Cards of different rank and suit, the more the better, then the lower.
    Badugi,
}

/// Classes of hands, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum MadeClass {
    HighCard,
    Pair,
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
}

/// A hand by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Made {
    pub kind: MadeKind,
    pub class: MadeClass,
    /// The cards that make it, those that decide first.
    pub cards: String,
}

/// What these cards make in this game: a high hand, a low one, or both. Nothing where it is too early to say.
pub(super) fn made(variant: Variant, hole: &[Card], board: &[Card]) -> Vec<Made> {
    let (first, second) = variant.kinds();
    let kinds = [Some(first), second];
    kinds.into_iter().flatten().filter_map(|kind| one(kind, hole, board)).collect()
}

fn one(kind: HandKind, hole: &[Card], board: &[Card]) -> Option<Made> {
    use HandKind::{AceFive, Badugi, DeuceSeven, High, LowEight, OmahaHigh, OmahaLowEight, ShortHigh};
    let all = || [hole, board].concat();
    match kind {
        High | ShortHigh if hole.len() + board.len() < WHOLE => {
            (!hole.is_empty()).then(|| named(kind, all()))
        }
        High | ShortHigh | LowEight | AceFive | DeuceSeven => {
            best(kind, subsets(&all(), WHOLE)).map(|cards| named(kind, cards))
        }
        OmahaHigh => best(High, omaha(hole, board)).map(|cards| named(kind, cards)),
        OmahaLowEight => best(LowEight, omaha(hole, board)).map(|cards| named(kind, cards)),
        Badugi => badugi(hole),
    }
}

/// Every choice of so many cards.
fn subsets(cards: &[Card], count: usize) -> Vec<Vec<Card>> {
    let chosen = |set: u32| cards.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1);
    (0..1_u32 << cards.len().min(10))
        .filter(|set| set.count_ones() as usize == count)
        .map(|set| chosen(set).map(|(_, &card)| card).collect())
        .collect()
}

/// Two of the hole cards with three of the board.
fn omaha(hole: &[Card], board: &[Card]) -> Vec<Vec<Card>> {
    let boards = subsets(board, 3);
    let pairs = subsets(hole, 2);
    pairs.iter().flat_map(|pair| boards.iter().map(move |three| [&pair[..], three].concat())).collect()
}

fn best(kind: HandKind, hands: Vec<Vec<Card>>) -> Option<Vec<Card>> {
    let rank = |cards: &Vec<Card>| strength(kind, cards, &[]);
    hands.into_iter().filter(|cards| rank(cards) > 0).max_by_key(rank)
}

/// The most cards of different ranks and suits, then the lowest.
fn badugi(hole: &[Card]) -> Option<Made> {
    let differ = |cards: &[Card]| {
        cards.iter().enumerate().all(|(at, one)| {
            cards[..at].iter().all(|other| other.rank() != one.rank() && other.suit() != one.suit())
        })
    };
    let choices = (1..=hole.len()).rev().map(|count| subsets(hole, count));
    let sets: Vec<Vec<Card>> = choices
        .map(|sets| sets.into_iter().filter(|cards| differ(cards)).collect())
        .find(|sets: &Vec<_>| !sets.is_empty())?;
    let ordered = sets.into_iter().map(|cards| in_order(HandKind::Badugi, cards));
    let low = |cards: &Vec<Card>| cards.iter().map(|card| low_rank(*card)).collect::<Vec<_>>();
    let cards = ordered.min_by_key(low)?;
    Some(Made { kind: MadeKind::Badugi, class: MadeClass::HighCard, cards: text(&cards) })
}

const fn low_rank(card: Card) -> u8 {
    (card.rank() + 1) % 13
}

const fn is_low(kind: HandKind) -> bool {
    matches!(
        kind,
        HandKind::OmahaLowEight
            | HandKind::LowEight
            | HandKind::AceFive
            | HandKind::DeuceSeven
            | HandKind::Badugi
    )
}

fn text(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect()
}

/// Those of which there are most first, then by rank; an ace that is the low end of a straight last.
fn in_order(kind: HandKind, mut cards: Vec<Card>) -> Vec<Card> {
    let all = cards.clone();
    let many = |card: &Card| all.iter().filter(|other| other.rank() == card.rank()).count();
    let ace_low = (is_low(kind) && kind != HandKind::DeuceSeven) || is_wheel(kind, &all);
    let height = |card: &Card| if ace_low { low_rank(*card) } else { card.rank() };
    cards.sort_by_key(|card| std::cmp::Reverse((many(card), height(card), card.suit())));
    cards
}

/// Whether the ace is the low end of a straight.
fn is_wheel(kind: HandKind, cards: &[Card]) -> bool {
    let low_end: [u8; WHOLE] =
        if kind == HandKind::ShortHigh { [4, 5, 6, 7, ACE] } else { [0, 1, 2, 3, ACE] };
    kind != HandKind::DeuceSeven
        && cards.len() == WHOLE
        && low_end.iter().all(|rank| cards.iter().any(|card| card.rank() == *rank))
}

fn named(kind: HandKind, cards: Vec<Card>) -> Made {
    let cards = in_order(kind, cards);
    let made = if is_low(kind) { MadeKind::Low } else { MadeKind::High };
    Made { kind: made, class: class(kind, &cards), cards: text(&cards) }
}

/// The class of cards that are in order.
fn class(kind: HandKind, cards: &[Card]) -> MadeClass {
    let many = |card: &Card| cards.iter().filter(|other| other.rank() == card.rank()).count();
    let first = cards.first().map_or(0, many);
    let second = cards.get(first).map_or(0, many);
    let counts = !is_low(kind) || kind == HandKind::DeuceSeven;
    let whole = cards.len() == WHOLE && counts;
    let flush = whole && cards.iter().all(|card| card.suit() == cards[0].suit());
    let steps = cards.windows(2).all(|pair| pair[0].rank() == pair[1].rank() + 1);
    let straight = whole && (steps || is_wheel(kind, cards));
    match (first, second) {
        (4, _) => MadeClass::FourOfAKind,
        (3, 2) => MadeClass::FullHouse,
        (3, _) => MadeClass::ThreeOfAKind,
        (2, 2) => MadeClass::TwoPair,
        (2, _) => MadeClass::Pair,
        _ if flush && straight => MadeClass::StraightFlush,
        _ if flush => MadeClass::Flush,
        _ if straight => MadeClass::Straight,
        _ => MadeClass::HighCard,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;

    fn cards(text: &str) -> Vec<Card> {
        Row::parse(text).expect("cards").known().collect()
    }

    /// The variant, the hole cards, the board, and each hand that they make: its class and its cards.
    #[test]
    fn a_hand_is_called_by_the_cards_that_decide() {
        use MadeClass::{Flush, FullHouse, HighCard, Pair, Straight, StraightFlush, TwoPair};
        use Variant as V;
        type Fact<'a> = (Variant, &'a str, &'a str, &'a [(MadeClass, &'a str)]);
        let facts: &[Fact<'_>] = &[
            (V::NoLimitHoldem, "AsJs", "Jd8s3sAc", &[(TwoPair, "AsAcJsJd8s")]),
            (V::NoLimitHoldem, "AsAd", "", &[(Pair, "AsAd")]),
            (V::NoLimitHoldem, "As2d", "3h4c5dKhKc", &[(Straight, "5d4c3h2dAs")]),
            (V::NoLimitHoldem, "AsTs", "KsQsJs2d2h", &[(StraightFlush, "AsKsQsJsTs")]),
            (V::NoLimitHoldem, "9c9d", "9hKsKd2c3d", &[(FullHouse, "9h9d9cKsKd")]),
            (V::ShortDeck, "As6d", "7h8c9dKhKc", &[(Straight, "9d8c7h6dAs")]),
            (V::PotLimitOmaha, "AhKcQdJs", "Th9h8h2h", &[(Straight, "QdJsTh9h8h")]),
            (V::PotLimitOmaha, "AhKhQdJs", "", &[]),
            (V::FixedOmahaHiLo, "Ah2hKcKd", "3h4h8hQs", &[(Flush, "Ah8h4h3h2h"), (HighCard, "8h4h3h2hAh")]),
            (V::Razz, "As2d3h4c9cKdKh", "", &[(HighCard, "9c4c3h2dAs")]),
            (V::SingleDraw, "7s5d4h3c2c", "", &[(HighCard, "7s5d4h3c2c")]),
            (V::Badugi, "As2d3h3s", "", &[(HighCard, "3h2dAs")]),
        ];
        for (variant, hole, board, wanted) in facts {
            let found = made(*variant, &cards(hole), &cards(board));
            let found: Vec<_> = found.iter().map(|made| (made.class, made.cards.as_str())).collect();
            assert_eq!(found, *wanted, "{hole} {board}");
        }
    }
}
