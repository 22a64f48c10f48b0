//! Tokens: who owns them, and how they move. Double entry by construction: a transfer takes from one account what it
//! gives to another, so that the balances of a currency always add up to nothing. Only the mint is ever below zero:
//! it stands for all tokens in the world.

use std::collections::BTreeMap;
use std::fmt;

use parlor_core::{Account, Posting};

use crate::error::WriteError;
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
    /// What is set aside for a player until he sits down, or gets it back.
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

/// Tokens on their way from one account to another.
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

/// What one write changes, account by account.
pub(crate) type Changes = BTreeMap<(Owner, Currency), i64>;

/// Adds transfers up. A write is one event: an account is judged by what all its transfers together do to it.
pub(crate) fn changes(transfers: &[Transfer]) -> Result<Changes, WriteError> {
    if transfers.len() > TRANSFERS_MAX {
        return Err(WriteError::Malformed("too many transfers in one write"));
    }
    let mut changes = Changes::new();
    for Transfer { from, to, currency, amount } in transfers {
        if !(1..=AMOUNT_MAX).contains(amount) {
            return Err(WriteError::Malformed("a transfer moves between 1 and 2^53 - 1 tokens"));
        }
        if *from == Owner::Burn {
            return Err(WriteError::Malformed("what was burnt does not come back"));
        }
        // At most TRANSFERS_MAX times AMOUNT_MAX (2^10 · 2^53): no overflow.
        *changes.entry((from.clone(), currency.clone())).or_default() -= amount;
        *changes.entry((to.clone(), currency.clone())).or_default() += amount;
    }
    Ok(changes)
}

/// What an account holds after a change, if it can bear it.
pub(crate) fn bear(owner: &Owner, currency: &Currency, balance: i64, change: i64) -> Result<i64, WriteError> {
    let after = balance.checked_add(change).filter(|after| after.abs() <= AMOUNT_MAX);
    let after = after.ok_or(WriteError::Malformed("an account holds at most 2^53 - 1 tokens"))?;
    if after < 0 && *owner != Owner::Mint && change < 0 {
        let (owner, currency) = (owner.clone(), currency.clone());
        return Err(WriteError::Unfunded { owner, currency, balance, needed: -change });
    }
    Ok(after)
}

/// What lies on a table, and who put it there since the last time that nothing did: before that all is settled.
#[derive(Default)]
pub(crate) struct Stakes {
    lies: i64,
    put: BTreeMap<PlayerId, i64>,
}

impl Stakes {
    /// Somebody puts so much on the table, or takes it, below zero.
    pub(crate) fn put(&mut self, owner: Owner, amount: i64) {
        self.lies += amount;
        if let Owner::Player(player) = owner {
            *self.put.entry(player).or_default() += amount;
        }
    }

    /// One event is over.
    pub(crate) fn settle(&mut self) {
        if self.lies == 0 {
            self.put.clear();
        }
    }

    /// What each is due when the table stops here: what he has put in less what he has had back. Where less lies
    /// there than that, as after a rake, everybody bears his share, and what cannot be divided goes round from the
    /// first.
    pub(crate) fn due(self) -> Vec<(PlayerId, i64)> {
        let put: Vec<(PlayerId, i64)> = self.put.into_iter().filter(|(_, put)| *put > 0).collect();
        let all: i128 = put.iter().map(|(_, put)| i128::from(*put)).sum();
        let lies = i128::from(self.lies.max(0)).min(all);
        let share = |put: i64| (i128::from(put) * lies / all.max(1)) as i64;
        let mut rest = lies as i64 - put.iter().map(|(_, put)| share(*put)).sum::<i64>();
        let mut due = Vec::with_capacity(put.len());
        for (player, put) in put {
            let one = i64::from(rest > 0);
            rest -= one;
            due.push((player, share(put) + one));
        }
        due.retain(|(_, due)| *due > 0);
        due
    }
}
