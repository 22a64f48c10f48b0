//! Poker hands on the PHH notation: rules, notation, evaluation; with the feature `table` (on by default) the table around
//! them.
//!
//! A hand is a small value: [`Hand::start`] posts the blinds, [`Hand::legal`] says what may be done, [`Hand::check`]
//! makes a move of an action, [`Hand::apply`] carries it out. Luck is lent from outside; there is no clock and no
//! generator in here, no sockets and no files.
//!
//! ```
//! use parlor_poker::{Action, Hand, Row, Setup, Variant};
//!
//! let mut hand = Hand::start(&Setup::simple(Variant::NoLimitHoldem, 2, 100, 10_000)).unwrap();
//! for action in [
//!     Action::DealHole(0, Row::parse("AsAh").unwrap()),
//!     Action::DealHole(1, Row::parse("7c2d").unwrap()),
//!     Action::Fold(1),
//! ] {
//!     hand.apply(hand.check(action).unwrap());
//! }
//! assert_eq!(hand.stacks(), [10_050, 9_950]);
//! ```

mod apply;
mod auto;
mod betting;
mod card;
mod check;
mod compact;
mod deal;
pub mod equity;
pub mod eval;
mod flags;
#[cfg(feature = "game")]
mod game;
mod hand;
mod legal;
mod money;
pub mod notation;
mod opening;
mod pot;
mod rake;
pub mod rank;
pub mod replay;
pub mod report;
mod row;
mod seat;
mod setup;
mod showdown;
pub mod stats;
mod street;
#[cfg(feature = "table")]
pub mod table;
mod variant;

pub use card::{Card, CardError, CardSet, parse_row, row_text};
pub use deal::{Rng, Stacked};
#[cfg(feature = "game")]
pub use game::{
    Carry, Format, HouseEvent, Made, MadeClass, MadeKind, Move as GameMove, OpenedCard, Poker, Said,
    Settings, Shown, Told, View, detect, show_hand,
};
pub use hand::{Hand, Phase};
pub use legal::{Action, Choices, Legal, Move, Refusal};
pub use money::{Amount, AmountError, CHIPS_MAX, Chips, DECIMALS_MAX, ENDLESS, Scale, is_endless};
pub use pot::{Pot, Pots};
pub use rake::Rake;
pub use row::{ROW_MAX, Row};
pub use seat::{SEATS_MAX, Seat, SeatSet};
pub use setup::{Fault, Interpretation, Reveal, Setup, SetupError};
pub use showdown::Award;
pub use variant::{HandKind, Limit, Opening, Street, Variant, VariantError};
