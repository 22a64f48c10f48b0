//! Tokens: who owns them, and how they move. Double entry by construction: a transfer takes from one account what it
//! gives to another, so that the balances of a currency always add up to nothing. Only the mint is ever below zero:
//! it stands for all tokens in the world.

use std::fmt;

use parlor_core::{Account, Posting};

use crate::id::{Currency, HoldId, PlayerId, TableId};

/// Transfers in one write.
pub const TRANSFERS_MAX: usize = 1024;
/// Tokens in one transfer, and in one account: whole numbers that every client can hold.
pub const AMOUNT_MAX: i64 = (1 << 53) - 1;

/// Whose account.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// A player.
    Player(PlayerId),
    /// What lies on a table: pots and stacks.
    Table(TableId),
    /// What is set aside for a player until they sit down, or get it back.
    Hold(HoldId),
    /// The house: rake and fees.
    House,
    /// Out of the world, on the books. Nothing comes back from here.
    Burn,
    /// Where tokens come from. The only account that may be below zero.
    Mint,
}

impl Owner {
    /// Reads what [`Owner`]'s `Display` wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, name) = text.split_once(':').unwrap_or((text, ""));
        match kind {
            "player" => PlayerId::new(name).ok().map(Self::Player),
            "table" => TableId::new(name).ok().map(Self::Table),
            "hold" => HoldId::new(name).ok().map(Self::Hold),
            "house" => Some(Self::House),
            "burn" => Some(Self::Burn),
            "mint" => Some(Self::Mint),
            _ => None,
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(id) => write!(f, "player:{id}"),
            Self::Table(id) => write!(f, "table:{id}"),
            Self::Hold(id) => write!(f, "hold:{id}"),
            Self::House => f.write_str("house"),
            Self::Burn => f.write_str("burn"),
            Self::Mint => f.write_str("mint"),
        }
    }
}

/// Tokens that move from one account to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// Who pays.
    pub from: Owner,
    /// Who is paid.
    pub to: Owner,
    /// In which currency.
    pub currency: Currency,
    /// How many; more than zero.
    pub amount: i64,
}

impl Transfer {
    /// A game's posting, once the caller has said whose money each side is.
    #[must_use]
    pub fn of(posting: &Posting, currency: &Currency, owner: impl Fn(Account) -> Owner) -> Self {
        let Posting { from, to, amount } = *posting;
        Self { from: owner(from), to: owner(to), currency: currency.clone(), amount }
    }
}
