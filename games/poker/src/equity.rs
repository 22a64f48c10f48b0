//! How much of the pot each hand wins on average, when no one folds: counted over every way the cards can fall where that
//! is cheap, else drawn at random with the error that comes with it.
//!
//! purity: shares and errors are estimates to be shown; no state of a hand holds them

use crate::card::{Card, CardSet};
use crate::deal::Rng;
use crate::rank::{Pile, Strength, strength};
use crate::row::Row;
use crate::seat::SEATS_MAX;
use crate::variant::{HandKind, Variant};

/// Most rankings that are counted out; beyond that cards are drawn at random.
const RANKINGS_MAX: u64 = 12_000_000;

/// Hands to compare and what is known of the board.
#[derive(Clone, Debug)]
pub struct Spot {
    variant: Variant,
    hands: Vec<Row>,
    board: Row,
    /// Cards that can still come.
    rest: Vec<Card>,
}

/// What one hand wins, as shares of 1.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Share {
    /// How often it takes the whole pot.
    pub win: f64,
    /// How often it takes a part.
    pub tie: f64,
    /// Its part of the pot on average.
    pub equity: f64,
    /// Standard error of `equity`; 0 when counted out.
    pub error: f64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Equity {
    /// One for each hand.
    pub shares: Vec<Share>,
    /// How many ways the cards fell.
    pub trials: u64,
    /// Whether these were all ways there are.
    pub exact: bool,
}

impl Equity {
    /// Several runs drawn at random as one.
    #[must_use]
    pub fn joined(runs: &[Self]) -> Self {
        let trials: u64 = runs.iter().map(|run| run.trials).sum();
        let hands = runs.first().map_or(0, |run| run.shares.len());
        let mean = |of: &dyn Fn(&Share) -> f64, hand: usize| {
            runs.iter().map(|run| of(&run.shares[hand]) * run.trials as f64).sum::<f64>()
                / trials.max(1) as f64
        };
        let one = |hand: usize| {
            // Errors of independent runs add up by their squares.
            let squares = |run: &Self| (run.shares[hand].error * run.trials as f64).powi(2);
            Share {
                win: mean(&|share| share.win, hand),
                tie: mean(&|share| share.tie, hand),
                equity: mean(&|share| share.equity, hand),
                error: runs.iter().map(squares).sum::<f64>().sqrt() / trials.max(1) as f64,
            }
        };
        Self { shares: (0..hands).map(one).collect(), trials, exact: false }
    }
}

/// Hands that cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpotError {
    /// Too few or too many hands.
    #[error("expected 2 to {SEATS_MAX} hands, got {0}")]
    Hands(usize),
    /// A hand with more cards than the game deals.
    #[error("hand {}: expected {expected} cards or fewer in {variant}, got {got}", index + 1)]
    Count {
        /// Which, counted from 0.
        index: usize,
        variant: Variant,
        /// Cards the game deals.
        expected: usize,
        /// Cards given.
        got: usize,
    },
    /// A board where the game has none, or too long.
    #[error("expected a board of at most {most} known cards, got {got}")]
    Board {
        /// The longest board.
        most: usize,
        /// Cards given.
        got: usize,
    },
    /// A card given twice or not in the deck.
    #[error("{0} is given twice or is not in the deck")]
    Card(Card),
    /// Fewer cards left than are to come.
    #[error("the deck has too few cards for these hands")]
    Deck,
}

/// Sums over trials.
#[derive(Clone)]
struct Tally {
    win: [u64; SEATS_MAX],
    tie: [u64; SEATS_MAX],
    sum: [f64; SEATS_MAX],
    squares: [f64; SEATS_MAX],
    trials: u64,
}

impl Spot {
    /// Checks the hands; cards written `??` or left out are unknown.
    ///
    /// # Errors
    /// When the game does not deal such hands or a card is there twice.
    pub fn new(variant: Variant, hands: &[Row], board: Row) -> Result<Self, SpotError> {
        if !(2..=SEATS_MAX).contains(&hands.len()) {
            return Err(SpotError::Hands(hands.len()));
        }
        let expected = hole_count(variant);
        let most = board_count(variant);
        if board.len() > most || board.unseen() > 0 {
            return Err(SpotError::Board { most, got: board.len() });
        }
        let mut left = variant.deck();
        let mut take = |card: Card| {
            let there = left.contains(card);
            left.remove(card);
            if there { Ok(()) } else { Err(SpotError::Card(card)) }
        };
        board.known().try_for_each(&mut take)?;
        let mut full = Vec::with_capacity(hands.len());
        for (index, hand) in hands.iter().enumerate() {
            if hand.len() > expected {
                return Err(SpotError::Count { index, variant, expected, got: hand.len() });
            }
            hand.known().try_for_each(&mut take)?;
            // Known cards first: the others are drawn behind them.
            full.push(hand.known().map(Some).collect());
        }
        let spot = Self { variant, hands: full, board, rest: left.iter().collect() };
        if spot.missing() > spot.rest.len() { Err(SpotError::Deck) } else { Ok(spot) }
    }

    fn missing_hole(&self) -> usize {
        self.hands.iter().map(|hand| hole_count(self.variant) - hand.len()).sum()
    }

    fn missing_board(&self) -> usize {
        board_count(self.variant) - self.board.len()
    }

    fn missing(&self) -> usize {
        self.missing_hole() + self.missing_board()
    }

    /// How many ways the missing cards of the board can fall; `None` when hands miss cards too.
    #[must_use]
    pub fn ways(&self) -> Option<u64> {
        let (n, k) = (self.rest.len() as u64, self.missing_board() as u64);
        (self.missing_hole() == 0).then(|| (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1)))
    }

    /// Whether counting everything out is cheap.
    #[must_use]
    pub fn is_cheap(&self) -> bool {
        let each = if matches!(self.variant.kinds().0, HandKind::OmahaHigh) { 60 } else { 1 };
        let kinds = if self.variant.kinds().1.is_some() { 2 } else { 1 };
        self.ways().is_some_and(|ways| ways * self.hands.len() as u64 * each * kinds <= RANKINGS_MAX)
    }

    /// Counts every way out. Call it when [`Spot::is_cheap`]; hands that miss cards are compared as they are.
    #[must_use]
    pub fn exact(&self) -> Equity {
        let mut tally = Tally::new();
        let mut board = [Card::at(0); 5];
        let known = self.board.len();
        self.board.known().zip(&mut board).for_each(|(card, place)| *place = card);
        let holes: Vec<Vec<Card>> = self.hands.iter().map(|hand| hand.known().collect()).collect();
        self.fill(&mut board, known, 0, &holes, &mut tally);
        tally.equity(self.hands.len(), true)
    }

    fn fill(&self, board: &mut [Card; 5], at: usize, from: usize, holes: &[Vec<Card>], tally: &mut Tally) {
        if at == board_count(self.variant) {
            return tally.add(self.variant, holes, &board[..at]);
        }
        for next in from..self.rest.len() {
            board[at] = self.rest[next];
            self.fill(board, at + 1, next + 1, holes, tally);
        }
    }

    /// Draws the missing cards so many times.
    #[must_use]
    pub fn simulate(&self, trials: u64, rng: &mut impl Rng) -> Equity {
        let mut tally = Tally::new();
        let hole = hole_count(self.variant);
        let fixed: Vec<Vec<Card>> = self.hands.iter().map(|hand| hand.known().collect()).collect();
        let mut holes = fixed.clone();
        let all: CardSet = self.rest.iter().copied().collect();
        for _ in 0..trials {
            let mut left = all;
            let mut draw = || {
                let card = rng.draw(left);
                left.remove(card);
                card
            };
            for (hand, fixed) in holes.iter_mut().zip(&fixed) {
                hand.truncate(fixed.len());
                hand.resize_with(hole, &mut draw);
            }
            let board: arrayvec::ArrayVec<Card, 5> = self
                .board
                .known()
                .chain(std::iter::from_fn(|| Some(draw())).take(self.missing_board()))
                .collect();
            tally.add(self.variant, &holes, &board);
        }
        tally.equity(self.hands.len(), false)
    }
}

impl Tally {
    const fn new() -> Self {
        let none = [0; SEATS_MAX];
        Self { win: none, tie: none, sum: [0.0; SEATS_MAX], squares: [0.0; SEATS_MAX], trials: 0 }
    }

    fn add(&mut self, variant: Variant, holes: &[Vec<Card>], board: &[Card]) {
        let (high, low) = variant.kinds();
        let mut parts = [0.0; SEATS_MAX];
        let lows: [Strength; SEATS_MAX] = ranks(low, holes, board);
        let has_low = lows.iter().any(|&s| s > 0);
        share(&ranks(Some(high), holes, board), holes.len(), if has_low { 0.5 } else { 1.0 }, &mut parts);
        if has_low {
            share(&lows, holes.len(), 0.5, &mut parts);
        }
        for (i, &part) in parts[..holes.len()].iter().enumerate() {
            self.win[i] += u64::from(part == 1.0);
            self.tie[i] += u64::from(part > 0.0 && part < 1.0);
            self.sum[i] += part;
            self.squares[i] += part * part;
        }
        self.trials += 1;
    }

    fn equity(&self, hands: usize, exact: bool) -> Equity {
        let n = self.trials.max(1) as f64;
        let one = |i: usize| {
            let equity = self.sum[i] / n;
            let variance = (self.squares[i] / n - equity * equity).max(0.0);
            Share {
                win: self.win[i] as f64 / n,
                tie: self.tie[i] as f64 / n,
                equity,
                error: if exact { 0.0 } else { (variance / n).sqrt() },
            }
        };
        Equity { shares: (0..hands).map(one).collect(), trials: self.trials, exact }
    }
}

fn ranks(kind: Option<HandKind>, holes: &[Vec<Card>], board: &[Card]) -> [Strength; SEATS_MAX] {
    let mut all = [0; SEATS_MAX];
    let Some(kind) = kind else { return all };
    if matches!(kind, HandKind::OmahaHigh | HandKind::OmahaLowEight) {
        holes.iter().zip(&mut all).for_each(|(hole, place)| *place = strength(kind, hole, board));
        return all;
    }
    // The board is part of every hand.
    let common: Pile = board.iter().copied().collect();
    for (hole, place) in holes.iter().zip(&mut all) {
        let mut pile = common;
        hole.iter().for_each(|&card| pile.add(card));
        *place = pile.strength(kind);
    }
    all
}

fn share(strengths: &[Strength; SEATS_MAX], hands: usize, part: f64, parts: &mut [f64; SEATS_MAX]) {
    let strengths = &strengths[..hands];
    let best = strengths.iter().copied().max().unwrap_or(0);
    let winners = strengths.iter().filter(|&&s| s == best).count();
    for (i, _) in strengths.iter().enumerate().filter(|(_, s)| **s == best) {
        parts[i] += part / winners as f64;
    }
}

/// Cards each player ends with.
fn hole_count(variant: Variant) -> usize {
    variant.streets().iter().map(|street| usize::from(street.down + street.up)).sum()
}

fn board_count(variant: Variant) -> usize {
    variant.streets().iter().map(|street| usize::from(street.board)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lcg(u64);

    impl Rng for Lcg {
        fn draw(&mut self, from: CardSet) -> Card {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            from.iter().nth((self.0 >> 33) as usize % from.len()).unwrap()
        }
    }

    fn spot(variant: Variant, hands: &[&str], board: &str) -> Spot {
        let hands: Vec<Row> = hands.iter().map(|hand| Row::parse(hand).unwrap()).collect();
        Spot::new(variant, &hands, Row::parse(board).unwrap()).unwrap()
    }

    #[test]
    fn ace_king_suited_against_queens_is_a_known_number() {
        let equity = spot(Variant::NoLimitHoldem, &["AsKs", "QhQd"], "").exact();
        assert_eq!(equity.trials, 1_712_304);
        // 46.2 % against 53.8 %, as every table of hold'em odds has it.
        assert!((equity.shares[0].equity - 0.4622).abs() < 0.0005, "{:?}", equity.shares);
        assert!((equity.shares[0].equity + equity.shares[1].equity - 1.0).abs() < 1e-9);
    }

    #[test]
    fn on_the_turn_outs_are_counted() {
        let equity = spot(Variant::NoLimitHoldem, &["AhKh", "2c2d"], "2h7h9sJc").exact();
        assert_eq!(equity.trials, 44);
        // Nine hearts make the flush, but the nine and the jack of hearts fill the set up.
        assert_eq!(equity.shares[0].win * 44.0, 7.0);
    }

    #[test]
    fn drawn_at_random_the_error_covers_the_exact_number() {
        let spot = spot(Variant::NoLimitHoldem, &["AsKs", "QhQd"], "2c3d4h");
        let (exact, drawn) = (spot.exact(), spot.simulate(20_000, &mut Lcg(1)));
        assert!(drawn.shares[0].error > 0.0);
        assert!((exact.shares[0].equity - drawn.shares[0].equity).abs() < 4.0 * drawn.shares[0].error);
    }

    #[test]
    fn hands_that_cannot_be_are_refused() {
        let refuse = |variant, hands: &[&str], board: &str| {
            let hands: Vec<Row> = hands.iter().map(|hand| Row::parse(hand).unwrap()).collect();
            Spot::new(variant, &hands, Row::parse(board).unwrap()).unwrap_err().to_string()
        };
        assert_eq!(
            refuse(Variant::NoLimitHoldem, &["AsKs", "AsQd"], ""),
            "As is given twice or is not in the deck"
        );
        assert!(
            refuse(Variant::NoLimitHoldem, &["AsKsQs", "AhQd"], "").starts_with("hand 1: expected 2 cards")
        );
        assert!(refuse(Variant::ShortDeck, &["As2s", "AhQd"], "").starts_with("2s"));
        assert!(refuse(Variant::Stud, &["AsKs", "AhQd"], "2c").starts_with("expected a board of at most 0"));
    }
}
