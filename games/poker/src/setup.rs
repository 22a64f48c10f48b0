//! What a hand starts from: variant, stakes, stacks and house settings. A [`Setup`] may hold anything; only
//! [`Setup::faults`] finding nothing lets a hand begin.

use crate::money::{CHIPS_MAX, Chips, ENDLESS};
use crate::rake::Rake;
use crate::seat::{SEATS_MAX, Seat, SeatSet};
use crate::variant::Variant;

/// Whose reading of the rules is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Interpretation {
    /// Robert's rules and TDA, as the house plays them.
    #[default]
    House,
    /// PokerKit 0.7.7 with its departures, for comparison only.
    PokerKit,
}

/// How hands are shown down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Reveal {
    /// Each player shows or mucks in turn.
    #[default]
    Ask,
    /// Every hand is compared at once, as a machine does it.
    Auto,
}

/// Everything a hand is played under. Arrays count places in the order of play; entries past `players` are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Setup {
    pub variant: Variant,
    /// How many places, those sitting out included.
    pub players: usize,
    /// Places that take no part in this hand.
    pub sitting_out: SeatSet,
    /// Stacks before antes and blinds; [`ENDLESS`] when unknown.
    #[serde(with = "crate::compact::trimmed")]
    pub stacks: [Chips; SEATS_MAX],
    /// Antes by place.
    #[serde(with = "crate::compact::trimmed")]
    pub antes: [Chips; SEATS_MAX],
    /// Blinds and straddles by place, as each player posts them; below nothing is the post of one who enters.
    #[serde(with = "crate::compact::trimmed")]
    pub blinds: [Chips; SEATS_MAX],
    /// Dead money each place has already paid into the pot, no part of its stack.
    #[serde(with = "crate::compact::trimmed")]
    pub paid_dead: [Chips; SEATS_MAX],
    /// Whether antes that nobody matches are returned and side pots count antes.
    pub ante_trimming: bool,
    /// The bring-in of stud games.
    pub bring_in: Chips,
    /// The small bet in fixed limit, else the minimum bet.
    pub small_bet: Chips,
    /// The big bet in fixed limit.
    pub big_bet: Chips,
    /// Whose rules.
    pub interpretation: Interpretation,
    /// How hands are shown down.
    pub reveal: Reveal,
    /// What the house takes.
    pub rake: Rake,
    /// How often the rest of the board is dealt once all are all-in (1 or 2).
    pub runs: u8,
    /// Whether the first street has no betting.
    pub bomb_pot: bool,
    /// Whether the cap of four bets also holds between two players.
    pub cap_heads_up: bool,
    /// Whether antes count towards the pot in pot limit before the flop.
    pub pot_limit_counts_antes: bool,
}

impl Setup {
    /// A game without antes, everyone with the same stack, blinds of half a bet and a bet (or a bring-in of a quarter
    /// bet and antes of an eighth in stud).
    #[must_use]
    pub fn simple(variant: Variant, players: usize, bet: Chips, stack: Chips) -> Self {
        let mut setup = Self::empty(variant, players);
        setup.stacks[..players].fill(stack);
        (setup.small_bet, setup.big_bet) = (bet, bet * 2);
        if variant.is_stud() {
            setup.bring_in = bet / 4;
            setup.antes[..players].fill(bet / 8);
        } else if players == 2 {
            setup.blinds[..2].copy_from_slice(&[bet, bet / 2]);
        } else {
            setup.blinds[..2].copy_from_slice(&[bet / 2, bet]);
        }
        setup
    }

    /// A setup with no stakes and no stacks yet.
    #[must_use]
    pub const fn empty(variant: Variant, players: usize) -> Self {
        Self {
            variant,
            players,
            sitting_out: SeatSet::EMPTY,
            stacks: [0; SEATS_MAX],
            antes: [0; SEATS_MAX],
            blinds: [0; SEATS_MAX],
            paid_dead: [0; SEATS_MAX],
            ante_trimming: false,
            bring_in: 0,
            small_bet: 0,
            big_bet: 0,
            interpretation: Interpretation::House,
            reveal: Reveal::Ask,
            rake: Rake::NONE,
            runs: 1,
            bomb_pot: false,
            cap_heads_up: true,
            pot_limit_counts_antes: true,
        }
    }

    /// Whether a hand can be dealt.
    pub(crate) fn is_sound(&self) -> bool {
        self.is_plain() || self.faults().is_empty()
    }

    /// A quick look: true only for a setup with blinds and without a limit in which nothing is wrong.
    fn is_plain(&self) -> bool {
        let (players, street) = (self.players, &self.variant.streets()[0]);
        if !(2..=SEATS_MAX).contains(&players) || !self.sitting_out.is_empty() || self.variant.is_stud() {
            return false;
        }
        let (chips, most) = (0..=CHIPS_MAX, CHIPS_MAX as u64);
        let seat_is_fine = |seat: Seat| {
            (1..=CHIPS_MAX).contains(&self.stacks[seat])
                & chips.contains(&self.antes[seat])
                & chips.contains(&self.paid_dead[seat])
                & (self.blinds[seat].unsigned_abs() <= most)
        };
        let staked = |seat: Seat| self.antes[seat] | self.blinds[seat] != 0;
        (0..players).all(seat_is_fine)
            && (0..players).any(staked)
            && players * usize::from(street.down + street.up) <= self.variant.deck().len()
            && self.variant.limit() != crate::variant::Limit::Fixed
            && (1..=CHIPS_MAX).contains(&self.small_bet)
            && self.bring_in == 0
            && (1..=2).contains(&self.runs)
    }

    /// Everything that keeps a hand from being dealt.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !(2..=SEATS_MAX).contains(&self.players) {
            return vec![Fault::Players { players: self.players }];
        }
        let mut refuse = |wrong: bool, fault: Fault| {
            if wrong {
                faults.push(fault);
            }
        };
        let count = SeatSet::first(self.players).iter().filter(|&s| !self.sitting_out.contains(s)).count();
        refuse(count < 2, Fault::Active { active: count });
        let street = &self.variant.streets()[0];
        refuse(
            count * usize::from(street.down + street.up) > self.variant.deck().len(),
            Fault::Deck { active: count },
        );
        for seat in 0..self.players {
            let (stack, ante, blind) = (self.stacks[seat], self.antes[seat], self.blinds[seat]);
            let out = self.sitting_out.contains(seat);
            refuse(
                stack < 0 || stack == 0 && !out || stack > CHIPS_MAX && stack != ENDLESS,
                Fault::Stack { seat },
            );
            refuse(!(0..=CHIPS_MAX).contains(&ante) || out && ante != 0, Fault::Ante { seat });
            refuse(
                blind.abs() > CHIPS_MAX || (out || self.variant.is_stud()) && blind != 0,
                Fault::Blind { seat },
            );
            refuse(!(0..=CHIPS_MAX).contains(&self.paid_dead[seat]), Fault::DeadBlind { seat });
        }
        let bet = 1..=CHIPS_MAX;
        refuse(!bet.contains(&self.small_bet), Fault::SmallBet);
        let fixed = self.variant.limit() == crate::variant::Limit::Fixed;
        refuse(fixed && (!bet.contains(&self.big_bet) || self.big_bet < self.small_bet), Fault::BigBet);
        let brings = if self.variant.is_stud() { self.bring_in < self.small_bet } else { self.bring_in == 0 };
        refuse(self.bring_in < 0 || !brings, Fault::BringIn);
        let staked = (0..self.players).any(|s| self.antes[s] != 0 || self.blinds[s] != 0);
        refuse(!staked && self.bring_in == 0, Fault::NothingStaked);
        refuse(!(1..=2).contains(&self.runs), Fault::Runs);
        faults
    }
}

/// One thing that keeps a hand from being dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Too few or too many places.
    #[error("expected 2 to {SEATS_MAX} players, got {players}")]
    Players {
        /// Places given.
        players: usize,
    },
    /// Too few who play.
    #[error("expected at least 2 players who are not sitting out, got {active}")]
    Active {
        /// Players who take part.
        active: usize,
    },
    /// More cards than the deck has.
    #[error("the deck has too few cards for {active} players")]
    Deck {
        /// Players who take part.
        active: usize,
    },
    /// A stack that is not positive or too large.
    #[error("p{}: expected a positive starting stack", seat + 1)]
    Stack { seat: Seat },
    /// An ante below nothing, or of a player who sits out.
    #[error("p{}: expected an ante of 0 or more, and 0 when sitting out", seat + 1)]
    Ante { seat: Seat },
    /// A blind in a stud game, of a player who sits out, or too large.
    #[error("p{}: expected no blind in a stud game or when sitting out", seat + 1)]
    Blind { seat: Seat },
    /// Dead money below nothing.
    #[error("p{}: expected dead blinds of 0 or more", seat + 1)]
    DeadBlind { seat: Seat },
    /// The small or minimum bet is not positive.
    #[error("expected a positive minimum (or small) bet")]
    SmallBet,
    /// The big bet is below the small bet.
    #[error("expected a big bet of at least the small bet")]
    BigBet,
    /// The bring-in is not below the small bet, or there is one in a game with blinds.
    #[error("expected a bring-in below the small bet in stud games, none in others")]
    BringIn,
    /// No ante, blind or bring-in.
    #[error("expected an ante, a blind or a bring-in")]
    NothingStaked,
    /// A number of boards that is not played.
    #[error("expected the board to be run once or twice")]
    Runs,
}

/// A setup that cannot be dealt, with everything wrong in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<Fault>);

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_is_refused_with_everything_that_is_wrong() {
        let mut setup = Setup::simple(Variant::NoLimitHoldem, 3, 10, 1000);
        assert_eq!(setup.faults(), []);
        setup.stacks[1] = 0;
        setup.small_bet = 0;
        setup.runs = 3;
        assert_eq!(setup.faults(), [Fault::Stack { seat: 1 }, Fault::SmallBet, Fault::Runs]);
    }

    #[test]
    fn a_player_who_sits_out_posts_nothing() {
        let mut setup = Setup::simple(Variant::NoLimitHoldem, 3, 10, 1000);
        setup.sitting_out = SeatSet::only(1);
        assert_eq!(setup.faults(), [Fault::Blind { seat: 1 }]);
    }
}
