//! Whether accounts can pay, and what a stopped table owes.

use std::collections::BTreeMap;

use crate::error::WriteError;
use crate::id::{Currency, PlayerId};
use crate::ledger::{AMOUNT_MAX, Owner, Reason, TRANSFERS_MAX, Transfer};

/// What one write changes, account by account.
pub type Changes = BTreeMap<(Owner, Currency), i64>;

/// Adds transfers up. A write is one event: an account is judged by what all its transfers together do to it.
///
/// # Errors
/// [`WriteError::Malformed`] for a transfer that no balance would allow.
pub fn changes(transfers: &[Transfer]) -> Result<Changes, WriteError> {
    if transfers.len() > TRANSFERS_MAX {
        return Err(WriteError::Malformed("too many transfers in one write"));
    }
    let mut changes = Changes::new();
    for Transfer { from, to, currency, amount, .. } in transfers {
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

/// What an account holds after a change.
///
/// # Errors
/// [`WriteError::Unfunded`] where the account cannot pay, [`WriteError::Malformed`] where it would hold too much.
pub fn bear(owner: &Owner, currency: &Currency, balance: i64, change: i64) -> Result<i64, WriteError> {
    let after = balance.checked_add(change).filter(|after| after.abs() <= AMOUNT_MAX);
    let after = after.ok_or(WriteError::Malformed("an account holds at most 2^53 - 1 tokens"))?;
    if after < 0 && *owner != Owner::Mint && change < 0 {
        let (owner, currency) = (owner.clone(), currency.clone());
        return Err(WriteError::Unfunded { owner, currency, balance, needed: -change });
    }
    Ok(after)
}

/// Whether a write that comes again moves what is stored of it. A reason that was not stored, because there were none
/// yet, agrees with every reason.
#[must_use]
pub fn repeats(stored: &[Transfer], again: &[Transfer]) -> bool {
    let same = |(stored, again): (&Transfer, &Transfer)| {
        stored == again
            || stored.reason == Reason::Other
                && *stored == Transfer { reason: Reason::Other, ..again.clone() }
    };
    stored.len() == again.len() && stored.iter().zip(again).all(same)
}

/// What lies on a table, and who put it there since the table was last empty. The driver enters every transfer of the
/// table in order, and closes each posting with [`Stakes::settle`].
#[derive(Default)]
pub struct Stakes {
    lies: i64,
    put: BTreeMap<PlayerId, i64>,
}

impl Stakes {
    /// The owner puts this amount on the table; below zero, they take it. The driver names a hold by its payer.
    pub fn put(&mut self, owner: Owner, amount: i64) {
        self.lies += amount;
        if let Owner::Player(player) = owner {
            *self.put.entry(player).or_default() += amount;
        }
    }

    /// One posting is complete. On an empty table nobody is owed anything.
    pub fn settle(&mut self) {
        if self.lies == 0 {
            self.put.clear();
        }
    }

    /// What each player is due when the table stops here: what they have put in less what they have had back. Where
    /// less lies there than that, as after a rake, the players share the loss in proportion; what cannot be divided
    /// goes to the first ones, one token each.
    #[must_use]
    pub fn due(self) -> Vec<(PlayerId, i64)> {
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
