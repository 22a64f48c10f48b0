//! Balances inside one transaction: read once, judged in memory, written at its end.

use std::collections::BTreeMap;

use parlor_store::driver::{bear, changes, line_balances};
use parlor_store::{Currency, HoldId, Owner, Transfer, WriteError};
use rusqlite::{Connection, OptionalExtension, Result, params};

struct Account {
    /// None while it is not opened yet: a refused write opens nothing.
    no: Option<i64>,
    balance: i64,
    changed: bool,
}

/// Balances that a write leads to.
type After = Vec<(Owner, Currency, i64)>;

/// The accounts that a transaction has looked at.
#[derive(Default)]
pub(crate) struct Money {
    accounts: BTreeMap<(Owner, Currency), Account>,
}

impl Money {
    /// What an account holds.
    pub(crate) fn balance(&mut self, conn: &Connection, owner: &Owner, currency: &Currency) -> Result<i64> {
        self.account(conn, owner, currency).map(|account| account.balance)
    }

    fn account(&mut self, conn: &Connection, owner: &Owner, currency: &Currency) -> Result<&mut Account> {
        let key = (owner.clone(), currency.clone());
        if !self.accounts.contains_key(&key) {
            let account = load(conn, owner, currency)?;
            self.accounts.insert(key.clone(), account);
        }
        Ok(self.accounts.get_mut(&key).expect("it was put there"))
    }

    /// The number of an account and what it holds; it is opened where there is none.
    fn opened(&mut self, conn: &Connection, owner: &Owner, currency: &Currency) -> Result<(i64, i64)> {
        let account = self.account(conn, owner, currency)?;
        if let Some(no) = account.no {
            return Ok((no, account.balance));
        }
        conn.prepare_cached("INSERT INTO account (owner, currency, balance) VALUES (?1, ?2, 0)")?
            .execute(params![owner.to_string(), currency.as_str()])?;
        Ok((*account.no.insert(conn.last_insert_rowid()), account.balance))
    }

    /// Whether these transfers can be borne; the balances they lead to.
    pub(crate) fn judge(
        &mut self,
        conn: &Connection,
        transfers: &[Transfer],
    ) -> Result<std::result::Result<After, WriteError>> {
        let changes = match changes(transfers) {
            Ok(changes) => changes,
            Err(error) => return Ok(Err(error)),
        };
        let mut after = Vec::with_capacity(changes.len());
        for ((owner, currency), change) in changes {
            let balance = self.balance(conn, &owner, &currency)?;
            match bear(&owner, &currency, balance, change) {
                Ok(balance) => after.push((owner, currency, balance)),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(after))
    }

    /// Enters judged transfers into the journal.
    pub(crate) fn enter(
        &mut self,
        conn: &Connection,
        key: Option<&str>,
        transfers: &[Transfer],
        after: After,
        at_ms: u64,
    ) -> Result<()> {
        conn.prepare_cached("INSERT INTO posting (key, at_ms) VALUES (?1, ?2)")?
            .execute(params![key, at_ms as i64])?;
        let posting = conn.last_insert_rowid();
        let (mut legs, mut held) = (Vec::with_capacity(transfers.len()), BTreeMap::new());
        for Transfer { from, to, currency, amount, .. } in transfers {
            let (from, from_held) = self.opened(conn, from, currency)?;
            let (to, to_held) = self.opened(conn, to, currency)?;
            held.extend([(from, from_held), (to, to_held)]);
            legs.push((from, to, *amount));
        }
        let lines = line_balances(&legs, &mut held);
        let mut insert = conn.prepare_cached("INSERT INTO leg VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        for (n, (((from, to, amount), line), transfer)) in legs.iter().zip(lines).zip(transfers).enumerate() {
            let reason = transfer.reason.word();
            insert.execute(params![posting, n as i64, from, to, amount, reason, line.from, line.to])?;
        }
        for (owner, currency, balance) in after {
            let account = self.account(conn, &owner, &currency)?;
            (account.balance, account.changed) = (balance, true);
        }
        Ok(())
    }

    /// Writes the balances that have changed.
    pub(crate) fn write(self, conn: &Connection) -> Result<()> {
        let mut update = conn.prepare_cached("UPDATE account SET balance = ?2 WHERE no = ?1")?;
        for ((owner, currency), account) in self.accounts.iter().filter(|(_, account)| account.changed) {
            update.execute(params![account.no, account.balance])?;
            if let Owner::Hold(hold) = owner {
                list_hold(conn, hold, currency, account)?;
            }
        }
        Ok(())
    }
}

/// Lists a hold that has something, and no other.
fn list_hold(conn: &Connection, hold: &HoldId, currency: &Currency, account: &Account) -> Result<()> {
    let sql = if account.balance > 0 {
        "INSERT OR REPLACE INTO open_hold VALUES (?1, ?2, ?3)"
    } else {
        "DELETE FROM open_hold WHERE id = ?1 AND currency = ?2 AND account_no = ?3"
    };
    conn.prepare_cached(sql)?.execute(params![hold.as_str(), currency.as_str(), account.no])?;
    Ok(())
}

fn load(conn: &Connection, owner: &Owner, currency: &Currency) -> Result<Account> {
    let found: Option<(i64, i64)> = conn
        .prepare_cached("SELECT no, balance FROM account WHERE owner = ?1 AND currency = ?2")?
        .query_row([&owner.to_string(), currency.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (no, balance) = found.map_or((None, 0), |(no, balance)| (Some(no), balance));
    Ok(Account { no, balance, changed: false })
}
