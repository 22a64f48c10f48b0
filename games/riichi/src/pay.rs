//! Who pays what.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rules::{Pao, PaoHonba, Rules};
use crate::score::Score;
use crate::yaku::Yaku;

/// A seat at the table, 0..=3, counted in turn order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(type = "number"))]
#[serde(into = "u8", try_from = "u8")]
pub struct Seat(u8);

impl Seat {
    /// All four.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The seat with this number.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 4 { Some(Self(number)) } else { None }
    }

    /// The number, 0..=3.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat so many steps further in turn order, at a table of so many seats.
    #[must_use]
    pub const fn after(self, steps: u8, seats: u8) -> Self {
        Self((self.0 + steps) % seats)
    }

    /// How many steps in turn order lead from this seat to the other.
    #[must_use]
    pub const fn steps_to(self, other: Self, seats: u8) -> u8 {
        (other.0 + seats - self.0) % seats
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// What lies on the table for the winner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stakes {
    /// Counters.
    pub honba: u16,
    /// Riichi sticks.
    pub sticks: u16,
}

/// Points up to the next hundred.
const fn hundreds(points: u32) -> u32 {
    points.div_ceil(100) * 100
}

/// The price of a win, without honba and sticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// A discard pays it all.
    Ron(u32),
    /// Everyone pays the dealer the same.
    DealerTsumo(u32),
    /// The dealer pays more than the others.
    Tsumo {
        /// From the dealer.
        dealer: u32,
        /// From each of the other two.
        others: u32,
    },
}

impl Price {
    /// The price of a hand with these base points.
    #[must_use]
    pub const fn of(base: u32, dealer: bool, tsumo: bool) -> Self {
        match (tsumo, dealer) {
            (false, true) => Self::Ron(hundreds(6 * base)),
            (false, false) => Self::Ron(hundreds(4 * base)),
            (true, true) => Self::DealerTsumo(hundreds(2 * base)),
            (true, false) => Self::Tsumo { dealer: hundreds(2 * base), others: hundreds(base) },
        }
    }

    /// By the discarder, or by the dealer (by each where the dealer won); then by each of the others.
    #[must_use]
    pub const fn parts(self) -> [u32; 2] {
        match self {
            Self::Ron(points) => [points, 0],
            Self::DealerTsumo(each) => [each, each],
            Self::Tsumo { dealer, others } => [dealer, others],
        }
    }

    /// All payments together.
    #[must_use]
    pub const fn total(self) -> u32 {
        match self {
            Self::Ron(points) => points,
            Self::DealerTsumo(each) => 3 * each,
            Self::Tsumo { dealer, others } => dealer + 2 * others,
        }
    }
}

/// Who won from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parties {
    pub winner: Seat,
    pub dealer: Seat,
    /// Who discarded the winning tile; none for a self-draw.
    pub discarder: Option<Seat>,
    /// The liable seat and the yakuman it fed.
    pub liable: Option<(Seat, Yaku)>,
}

/// What a payment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaidFor {
    /// The hand.
    Hand,
    /// The hand, because of pao.
    Liability,
    /// The counters.
    Honba,
}

/// One payment to the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment {
    pub from: Seat,
    pub points: u32,
    pub paid_for: PaidFor,
}

/// All that moves at a win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    pub winner: Seat,
    /// The payments of the other seats.
    pub payments: Vec<Payment>,
    /// What the sticks on the table are worth.
    pub stick_points: u32,
}

impl Settlement {
    /// What each seat gains or loses.
    #[must_use]
    pub fn deltas(&self) -> [i32; 4] {
        let mut deltas = [0; 4];
        deltas[self.winner.index()] += self.stick_points as i32;
        for payment in &self.payments {
            deltas[payment.from.index()] -= payment.points as i32;
            deltas[self.winner.index()] += payment.points as i32;
        }
        deltas
    }

    fn pay(&mut self, from: Seat, points: u32, paid_for: PaidFor) {
        if points > 0 {
            self.payments.push(Payment { from, points, paid_for });
        }
    }
}

/// Why parties cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartiesError {
    /// The winner discarded the winning tile.
    WinnerDiscarded,
    /// The winner is liable to itself.
    WinnerLiable,
}

impl fmt::Display for PartiesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WinnerDiscarded => write!(f, "the winner cannot be the discarder"),
            Self::WinnerLiable => write!(f, "the winner cannot be the liable seat"),
        }
    }
}

impl std::error::Error for PartiesError {}

/// Settles a win.
///
/// # Errors
/// If the winner is among those who pay.
pub fn settle(
    score: &Score,
    parties: &Parties,
    stakes: Stakes,
    rules: &Rules,
) -> Result<Settlement, PartiesError> {
    let Parties { winner, discarder, .. } = *parties;
    if discarder == Some(winner) {
        return Err(PartiesError::WinnerDiscarded);
    }
    if parties.liable.is_some_and(|(seat, _)| seat == winner) {
        return Err(PartiesError::WinnerLiable);
    }
    let stick_points = u32::from(stakes.sticks) * u32::from(rules.stick_points);
    let mut settlement = Settlement { winner, payments: Vec::new(), stick_points };
    let honba = u32::from(stakes.honba) * u32::from(rules.honba_points);
    let liable = parties.liable.filter(|(_, yaku)| rules.pao.covers(*yaku) && score.yaku.contains(*yaku));
    let Some((liable, fed)) = liable else {
        pay_plain(&mut settlement, parties, score.base, honba);
        return Ok(settlement);
    };
    // What the liable seat answers for, and what is left to the ordinary payers.
    let own = if rules.pao.only_own_yakuman {
        score.base.min(8000 * u32::from(rules.han(fed, false) / 13))
    } else {
        score.base
    };
    let is_dealer = winner == parties.dealer;
    let Price::Ron(whole) = Price::of(own, is_dealer, false) else {
        unreachable!("a ron price was asked for")
    };
    match discarder {
        None => {
            settlement.pay(liable, whole, PaidFor::Liability);
            settlement.pay(liable, 3 * honba, PaidFor::Honba);
        }
        Some(from) if from == liable => {
            settlement.pay(from, whole, PaidFor::Hand);
            settlement.pay(from, 3 * honba, PaidFor::Honba);
        }
        Some(from) => share(&mut settlement, rules.pao, from, liable, whole, 3 * honba),
    }
    pay_plain(&mut settlement, parties, score.base - own, 0);
    Ok(settlement)
}

/// The ordinary payments.
fn pay_plain(settlement: &mut Settlement, parties: &Parties, base: u32, honba: u32) {
    let is_dealer = parties.winner == parties.dealer;
    match (parties.discarder, Price::of(base, is_dealer, parties.discarder.is_none())) {
        (Some(from), price) => {
            settlement.pay(from, price.total(), PaidFor::Hand);
            settlement.pay(from, 3 * honba, PaidFor::Honba);
        }
        (None, price) => {
            for seat in Seat::ALL.into_iter().filter(|seat| *seat != parties.winner) {
                let points = match price {
                    Price::Tsumo { dealer, .. } if seat == parties.dealer => dealer,
                    Price::Tsumo { others, .. } => others,
                    Price::DealerTsumo(each) | Price::Ron(each) => each,
                };
                settlement.pay(seat, points, PaidFor::Hand);
                settlement.pay(seat, honba, PaidFor::Honba);
            }
        }
    }
}

/// Discarder and liable seat go halves.
fn share(settlement: &mut Settlement, pao: Pao, discarder: Seat, liable: Seat, whole: u32, honba: u32) {
    match pao.honba {
        PaoHonba::Shared => {
            let half = (whole + honba) / 200 * 100;
            settlement.pay(discarder, half, PaidFor::Hand);
            settlement.pay(liable, whole + honba - half, PaidFor::Liability);
        }
        PaoHonba::Liable | PaoHonba::Discarder => {
            settlement.pay(discarder, whole / 2, PaidFor::Hand);
            settlement.pay(liable, whole / 2, PaidFor::Liability);
            let payer = if pao.honba == PaoHonba::Liable { liable } else { discarder };
            settlement.pay(payer, honba, PaidFor::Honba);
        }
    }
}

/// What every seat gains or loses by nagashi mangan, each winner paid like a self-drawn mangan, without honba or sticks.
#[must_use]
pub fn nagashi(winners: &[Seat], dealer: Seat) -> [i32; 4] {
    let mut deltas = [0; 4];
    for &winner in winners {
        let parties = Parties { winner, dealer, discarder: None, liable: None };
        let mut settlement = Settlement { winner, payments: Vec::new(), stick_points: 0 };
        pay_plain(&mut settlement, &parties, crate::limit::Limit::Mangan.base(), 0);
        for (sum, delta) in deltas.iter_mut().zip(settlement.deltas()) {
            *sum += delta;
        }
    }
    deltas
}

/// What every seat gains or loses at an exhaustive draw: those who are not tenpai pay those who are.
#[must_use]
pub fn noten(tenpai: [bool; 4], pool: u32) -> [i32; 4] {
    let ready = tenpai.iter().filter(|&&is_ready| is_ready).count() as i32;
    if ready == 0 || ready == 4 {
        return [0; 4];
    }
    tenpai.map(|is_ready| if is_ready { pool as i32 / ready } else { -(pool as i32) / (4 - ready) })
}
