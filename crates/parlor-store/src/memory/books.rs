//! Accounts and the journal of all that moved between them, as plain values.

use std::collections::BTreeMap;

use crate::accounts::{OpenHold, ROWS_PER_PAGE_MAX, StatementLine};
use crate::driver::{After, Changes, LinePlace, Stakes, bear, changes, line_balances};
use crate::error::WriteError;
use crate::id::{Currency, HoldId, PlayerId, TableId};
use crate::ledger::{Owner, Transfer};

/// Which write moves tokens.
#[derive(Clone, Default)]
pub(super) struct Cause {
    pub(super) table: Option<TableId>,
    pub(super) key: Option<String>,
    pub(super) at_ms: u64,
}

/// One write that moved tokens.
#[derive(Clone)]
struct Event {
    cause: Cause,
    transfers: Vec<Transfer>,
    /// One for each transfer.
    after: Vec<After>,
}

impl Event {
    /// The lines of one account, oldest first.
    fn lines(&self, posting: u64, owner: &Owner) -> Vec<StatementLine> {
        let both = [false, true].into_iter().flat_map(|out| {
            let numbered = (0..).zip(self.transfers.iter().zip(&self.after));
            numbered.map(move |(n, (transfer, after))| (LinePlace { posting, out, n }, transfer, after))
        });
        let line = |(place, transfer, after): (LinePlace, &Transfer, &After)| {
            let Transfer { from, to, currency, amount, reason } = transfer;
            let (own, with) = if place.out { (from, to) } else { (to, from) };
            (own == owner && from != to).then(|| StatementLine {
                no: place.number(),
                at_ms: self.cause.at_ms,
                currency: currency.clone(),
                change: if place.out { -amount } else { *amount },
                balance: if place.out { after.from } else { after.to },
                with: with.clone(),
                reason: *reason,
                table: self.cause.table.clone(),
                key: self.cause.key.clone(),
            })
        };
        both.filter_map(line).collect()
    }

    /// The holds that this fills from nothing, and who pays into them.
    fn opens<'a>(&'a self, currency: &'a Currency) -> impl Iterator<Item = (&'a HoldId, &'a Owner)> {
        let moved = self.transfers.iter().zip(&self.after).filter(move |(t, _)| t.currency == *currency);
        moved.filter_map(|(transfer, after)| match &transfer.to {
            Owner::Hold(hold) if after.to == transfer.amount => Some((hold, &transfer.from)),
            _ => None,
        })
    }
}

#[derive(Clone, Default)]
pub(super) struct Books {
    /// A hold that is empty has no entry.
    balances: Changes,
    journal: Vec<Event>,
}

impl Books {
    pub(super) fn balance(&self, owner: &Owner, currency: &Currency) -> i64 {
        self.balances.get(&(owner.clone(), currency.clone())).copied().unwrap_or(0)
    }

    /// Moves all of it, or nothing.
    pub(super) fn transfer(&mut self, cause: Cause, transfers: &[Transfer]) -> Result<(), WriteError> {
        let mut held = Changes::new();
        for ((owner, currency), change) in changes(transfers)? {
            let balance = self.balance(&owner, &currency);
            bear(&owner, &currency, balance, change)?;
            held.insert((owner, currency), balance);
        }
        let after = line_balances(&legs(transfers), &mut held);
        for (account, balance) in held {
            if balance == 0 && matches!(account.0, Owner::Hold(_)) {
                self.balances.remove(&account);
            } else {
                self.balances.insert(account, balance);
            }
        }
        self.journal.push(Event { cause, transfers: transfers.to_vec(), after });
        Ok(())
    }

    /// Whether tokens lie on a table.
    pub(super) fn lies_on(&self, table: &TableId) -> bool {
        let on = |owner: &Owner| matches!(owner, Owner::Table(id) if id == table);
        self.balances.iter().any(|((owner, _), balance)| *balance != 0 && on(owner))
    }

    pub(super) fn statement(
        &self,
        owner: &Owner,
        currency: Option<&Currency>,
        before: Option<u64>,
        limit: usize,
    ) -> Vec<StatementLine> {
        let newest_first = self.journal.iter().enumerate().rev();
        let lines = newest_first.flat_map(|(n, event)| event.lines(n as u64 + 1, owner).into_iter().rev());
        let wanted = |line: &StatementLine| {
            currency.is_none_or(|currency| line.currency == *currency)
                && before.is_none_or(|before| line.no < before)
        };
        lines.filter(wanted).take(limit.min(ROWS_PER_PAGE_MAX)).collect()
    }

    pub(super) fn holds(&self, after: Option<&HoldId>, limit: usize) -> Vec<OpenHold> {
        let mut names: Vec<&HoldId> = Vec::new();
        let mut holds = Vec::new();
        for ((owner, currency), amount) in &self.balances {
            let Owner::Hold(hold) = owner else { continue };
            if after.is_some_and(|after| hold <= after) {
                continue;
            }
            if names.last() != Some(&hold) {
                names.push(hold);
            }
            if names.len() > limit.min(ROWS_PER_PAGE_MAX) {
                break;
            }
            let opened = self.journal.iter().rev().find_map(|event| {
                let mut opens = event.opens(currency).filter(|(opened, _)| *opened == hold);
                opens.next().map(|(_, payer)| (payer.clone(), event.cause.at_ms))
            });
            let (payer, at_ms) = opened.expect("what is in a hold was paid into it");
            let (hold, currency) = (hold.clone(), currency.clone());
            holds.push(OpenHold { hold, currency, amount: *amount, payer, at_ms });
        }
        holds
    }

    pub(super) fn due(&self, table: &TableId, currency: &Currency) -> Vec<(PlayerId, i64)> {
        let pot = Owner::Table(table.clone());
        let mut stakes = Stakes::default();
        let mut payers: BTreeMap<HoldId, Owner> = BTreeMap::new();
        for event in &self.journal {
            payers.extend(event.opens(currency).map(|(hold, payer)| (hold.clone(), payer.clone())));
            let whose = |owner: &Owner| match owner {
                Owner::Hold(hold) => payers.get(hold).unwrap_or(owner).clone(),
                owner => owner.clone(),
            };
            for transfer in event.transfers.iter().filter(|t| t.currency == *currency) {
                let Transfer { from, to, amount, .. } = transfer;
                if *to == pot {
                    stakes.put(whose(from), *amount);
                }
                if *from == pot {
                    stakes.put(whose(to), -*amount);
                }
            }
            stakes.settle();
        }
        stakes.due()
    }

    pub(super) fn audit(&self) -> Vec<String> {
        let (mut counted, mut faults) = (Changes::new(), Vec::new());
        for (posting, event) in (1..).zip(&self.journal) {
            if line_balances(&legs(&event.transfers), &mut counted) != event.after {
                faults.push(format!("a line of posting {posting} has a wrong balance"));
            }
        }
        let mut worlds: BTreeMap<&Currency, i64> = BTreeMap::new();
        for ((owner, currency), counted) in &counted {
            let balance = self.balance(owner, currency);
            if *counted != balance {
                faults.push(format!("{owner} has {balance} {currency}; the journal says {counted}"));
            }
            if balance < 0 && *owner != Owner::Mint {
                faults.push(format!("{owner} has {balance} {currency}"));
            }
            *worlds.entry(currency).or_default() += balance;
        }
        for (currency, sum) in worlds.into_iter().filter(|(_, sum)| *sum != 0) {
            faults.push(format!("all accounts together have {sum} {currency}"));
        }
        faults
    }
}

/// Transfers between accounts, of which there is one for each owner and currency.
fn legs(transfers: &[Transfer]) -> Vec<((Owner, Currency), (Owner, Currency), i64)> {
    let leg = |Transfer { from, to, currency, amount, .. }: &Transfer| {
        ((from.clone(), currency.clone()), (to.clone(), currency.clone()), *amount)
    };
    transfers.iter().map(leg).collect()
}
