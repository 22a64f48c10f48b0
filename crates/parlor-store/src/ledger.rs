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

/// Why tokens move: what a statement tells its reader. It decides nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// What a match takes at its start.
    Stake,
    /// What a player sits down with.
    BuyIn,
    /// What a player adds to their stack while they sit.
    TopUp,
    /// What a player takes along when they leave.
    CashOut,
    /// What a match pays.
    Payout,
    /// The house's part of a pot.
    Rake,
    /// What the house takes for letting somebody in.
    Fee,
    /// What a tournament pays.
    Prize,
    /// What a stopped match gives back.
    Refund,
    /// Set aside until a player sits down.
    Hold,
    /// Set aside, and given back.
    Release,
    /// What a new account begins with.
    Welcome,
    /// Play money, filled up by the house.
    Refill,
    /// What a new name costs.
    Rename,
    /// Taken out of the world.
    Burn,
    /// Anything else, and everything that was stored before there were reasons.
    Other,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 16] = [
        Self::Stake,
        Self::BuyIn,
        Self::TopUp,
        Self::CashOut,
        Self::Payout,
        Self::Rake,
        Self::Fee,
        Self::Prize,
        Self::Refund,
        Self::Hold,
        Self::Release,
        Self::Welcome,
        Self::Refill,
        Self::Rename,
        Self::Burn,
        Self::Other,
    ];

    /// The reason in stores and for programs. A word is never changed once it is out.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Stake => "stake",
            Self::BuyIn => "buy_in",
            Self::TopUp => "top_up",
            Self::CashOut => "cash_out",
            Self::Payout => "payout",
            Self::Rake => "rake",
            Self::Fee => "fee",
            Self::Prize => "prize",
            Self::Refund => "refund",
            Self::Hold => "hold",
            Self::Release => "release",
            Self::Welcome => "welcome",
            Self::Refill => "refill",
            Self::Rename => "rename",
            Self::Burn => "burn",
            Self::Other => "other",
        }
    }

    /// Reads what [`Reason::word`] wrote.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.word() == word)
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
    /// Why.
    pub reason: Reason,
}

impl Transfer {
    /// A game's posting, once the caller has said whose money each side is.
    #[must_use]
    pub fn of(
        posting: &Posting,
        currency: &Currency,
        reason: Reason,
        owner: impl Fn(Account) -> Owner,
    ) -> Self {
        let Posting { from, to, amount } = *posting;
        Self { from: owner(from), to: owner(to), currency: currency.clone(), amount, reason }
    }
}
