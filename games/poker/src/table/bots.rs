//! Players that fill seats: pure functions of what a seat sees, and of luck that is lent.
//!
//! purity: chances are estimates to decide by; no state of a table holds them

use arrayvec::ArrayVec;

use crate::card::{Card, CardSet};
use crate::deal::Rng;
use crate::equity::Spot;
use crate::hand::Phase;
use crate::legal::Choices;
use crate::money::Chips;
use crate::row::{ROW_MAX, Row};
use crate::seat::SEATS_MAX;
use crate::table::input::{Answer, Options};
use crate::table::live::Table;
use crate::variant::{HandKind, Limit, Variant};

/// Hands dealt to estimate a chance; Omaha hands take sixty times as long to rank.
const TRIALS: u64 = 120;
const TRIALS_OMAHA: u64 = 24;

/// Opponents that are dealt to; the chance against more is estimated from these.
const OPPONENTS_MAX: usize = 3;

/// A way of playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bot {
    /// Anything that is legal.
    Random,
    /// Checks and calls.
    Call,
    /// Plays the hands that are worth it: equity against hands it cannot see, pot odds, position.
    Tight,
}

/// What the player whose turn it is sees: their own cards, what lies face up, and the bets.
#[derive(Clone, Debug)]
pub struct Sight {
    pub variant: Variant,
    pub options: Options,
    /// One's own cards.
    pub cards: Row,
    /// Cards of each opponent that still has a hand, as far as they lie face up.
    pub others: ArrayVec<Row, SEATS_MAX>,
    pub board: Row,
    /// All chips in the middle.
    pub pot: Chips,
    /// One's own bet on this street.
    pub bet: Chips,
    /// Whether it is the first street.
    pub is_first_street: bool,
    /// Draws that are still to come.
    pub draws_left: usize,
    /// Opponents who act later on this street, as far as the order of seats tells.
    pub behind: usize,
}

impl Table {
    /// What a seat sees when it is its turn.
    #[must_use]
    pub fn sight(&self, seat: usize) -> Option<Sight> {
        let (hand, place) = (self.hand()?, self.place(seat)?);
        if self.turn() != Some(seat) || hand.phase() == Phase::Over {
            return None;
        }
        let street = hand.street()?;
        let streets = &hand.setup().variant.streets()[street..];
        let drawing = usize::from(hand.phase() != Phase::Draw);
        let others = hand.live().iter().filter(|&other| other != place);
        Some(Sight {
            variant: hand.setup().variant,
            options: self.legal(seat),
            cards: *hand.hole(place),
            others: others.map(|other| hand.face_up(other).map(Some).collect()).collect(),
            board: *hand.board(0),
            pot: hand.pot_total(),
            bet: hand.bets()[place],
            is_first_street: street == 0,
            draws_left: streets.iter().skip(drawing).filter(|street| street.draw).count(),
            behind: hand.live().iter().filter(|&other| other > place).count(),
        })
    }
}

/// A number below `n`, from the luck that deals cards.
fn below(rng: &mut impl Rng, n: usize) -> usize {
    rng.draw(CardSet::FULL).index() as usize % n.max(1)
}

impl Bot {
    /// The bot with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "random" => Self::Random,
            "call" => Self::Call,
            "tight" => Self::Tight,
            _ => return None,
        })
    }

    /// What the bot does.
    #[must_use]
    pub fn decide(self, sight: &Sight, rng: &mut impl Rng) -> Answer {
        match sight.options.bet {
            Some(choices) => match self {
                Self::Random => random_bet(&choices, rng),
                Self::Call => call(&choices),
                Self::Tight => tight_bet(sight, &choices, rng),
            },
            None if sight.options.draw => {
                let keep: Vec<bool> = match self {
                    Self::Random => (0..ROW_MAX).map(|_| below(rng, 2) == 0).collect(),
                    Self::Call => vec![true; ROW_MAX],
                    Self::Tight => kept_cards(sight),
                };
                let cards = sight.cards.as_slice().iter().zip(keep).filter(|(_, keep)| !keep);
                Answer::Draw { cards: cards.map(|(&card, _)| card).collect::<Row>().to_string() }
            }
            None => Answer::Show { cards: String::new() },
        }
    }
}

fn call(choices: &Choices) -> Answer {
    if choices.bring_in.is_some() { Answer::BringIn } else { Answer::Call }
}

fn random_bet(choices: &Choices, rng: &mut impl Rng) -> Answer {
    match (below(rng, 4), choices.raise) {
        (0, _) if choices.fold => Answer::Fold,
        (1, Some((least, _))) => Answer::Raise { to: least },
        (2, Some((_, most))) => Answer::Raise { to: most },
        _ => call(choices),
    }
}

/// The chance to win against everybody who is still in, their unseen cards dealt at random.
fn equity(sight: &Sight, rng: &mut impl Rng) -> f64 {
    let omaha = matches!(sight.variant.kinds().0, HandKind::OmahaHigh);
    let trials = if omaha { TRIALS_OMAHA } else { TRIALS };
    let counted = sight.others.len().min(OPPONENTS_MAX);
    let mut hands: ArrayVec<Row, SEATS_MAX> = ArrayVec::new();
    hands.push(sight.cards);
    hands.extend(sight.others.iter().take(counted).copied());
    // Seventh street may be one card for all, which lies on the board and counts as everybody's.
    let board = if sight.variant.has_board() { sight.board } else { Row::EMPTY };
    let Ok(spot) = Spot::new(sight.variant, &hands, board) else { return 0.5 };
    let share = spot.simulate(trials, rng).shares[0].equity;
    let more = sight.others.len() - counted;
    // Each further opponent takes what one of those counted takes.
    let one = share.max(0.001).powf(1.0 / counted.max(1) as f64);
    share * one.powi(more as i32)
}

/// Bets for value, calls at a price, folds the rest; never folds what costs nothing.
fn tight_bet(sight: &Sight, choices: &Choices, rng: &mut impl Rng) -> Answer {
    let chance = equity(sight, rng);
    let fair = 1.0 / (sight.others.len() + 1) as f64;
    let cost = choices.call.or(choices.bring_in).unwrap_or(0);
    let odds = cost as f64 / (sight.pot + cost).max(1) as f64;
    // With cards to come and people behind it takes more, least on the button.
    let early = if sight.is_first_street { 0.02 * sight.behind as f64 } else { 0.0 };
    let to_call = odds + 0.04 + early * 0.5;
    let to_raise = fair * 1.3 + early;
    if let (true, Some((least, most))) = (chance > to_raise && chance > odds + 0.08, choices.raise) {
        let strong = chance > fair * 1.8;
        let size = if strong { sight.pot + cost } else { (sight.pot + cost) / 2 };
        let to = match sight.variant.limit() {
            Limit::Fixed => least,
            _ => (sight.bet + cost + size).clamp(least, most),
        };
        // More than half the stack at stake is only for hands that stand it.
        if strong || to - sight.bet <= (most - sight.bet) / 2 {
            return Answer::Raise { to };
        }
    }
    match cost {
        0 => call(choices),
        _ if chance > to_call || !choices.fold => call(choices),
        _ => Answer::Fold,
    }
}

/// Which cards a drawing hand keeps: low ones of different rank, in badugi also of different suit.
fn kept_cards(sight: &Sight) -> Vec<bool> {
    let cards: Vec<Card> = sight.cards.known().collect();
    let badugi = sight.variant == Variant::Badugi;
    // The highest rank worth keeping: an eight with draws to come, a ten on the last one.
    let highest = match (badugi, sight.draws_left) {
        (true, _) => 7,
        (false, 0 | 1) => 8,
        (false, _) => 6,
    };
    let height = |card: Card| if badugi { (card.rank() + 1) % 13 } else { card.rank() };
    let mut order: Vec<usize> = (0..cards.len()).collect();
    order.sort_by_key(|&i| height(cards[i]));
    let mut keep = vec![false; cards.len()];
    for i in order {
        let clash = |other: usize| {
            let rank = cards[other].rank() == cards[i].rank();
            keep[other] && (rank || badugi && cards[other].suit() == cards[i].suit())
        };
        let clashes = (0..cards.len()).any(clash);
        keep[i] = !clashes && height(cards[i]) <= highest;
    }
    keep
}
