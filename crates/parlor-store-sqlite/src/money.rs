//! Balances inside one transaction: read once, judged in memory, written at its end.

use std::collections::BTreeMap;

use parlor_store::driver::{bear, changes};
use parlor_store::{Currency, Owner, Transfer, WriteError};
use rusqlite::{Connection, OptionalExtension, Result, params};

use crate::fault::nonsense;

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

    /// The number of an account; it is opened where there is none.
    fn number(&mut self, conn: &Connection, owner: &Owner, currency: &Currency) -> Result<i64> {
        let account = self.account(conn, owner, currency)?;
        if let Some(no) = account.no {
            return Ok(no);
        }
        conn.prepare_cached("INSERT INTO account (owner, currency, balance) VALUES (?1, ?2, 0)")?
            .execute(params![owner.to_string(), currency.as_str()])?;
        Ok(*account.no.insert(conn.last_insert_rowid()))
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
        for (n, Transfer { from, to, currency, amount }) in transfers.iter().enumerate() {
            let from = self.number(conn, from, currency)?;
            let to = self.number(conn, to, currency)?;
            conn.prepare_cached("INSERT INTO leg VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![posting, n as i64, from, to, amount])?;
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
        for account in self.accounts.values().filter(|account| account.changed) {
            update.execute(params![account.no, account.balance])?;
        }
        Ok(())
    }
}

fn load(conn: &Connection, owner: &Owner, currency: &Currency) -> Result<Account> {
    let found: Option<(i64, i64)> = conn
        .prepare_cached("SELECT no, balance FROM account WHERE owner = ?1 AND currency = ?2")?
        .query_row([&owner.to_string(), currency.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (no, balance) = found.map_or((None, 0), |(no, balance)| (Some(no), balance));
    Ok(Account { no, balance, changed: false })
}

/// What was posted under a key, if anything was.
pub(crate) fn posted(conn: &Connection, key: &str) -> Result<Option<Vec<Transfer>>> {
    let posting: Option<i64> = conn
        .prepare_cached("SELECT no FROM posting WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    let Some(posting) = posting else { return Ok(None) };
    let mut statement = conn.prepare_cached(
        "SELECT f.owner, t.owner, f.currency, leg.amount FROM leg
         JOIN account f ON f.no = leg.from_no JOIN account t ON t.no = leg.to_no
         WHERE leg.posting_no = ?1 ORDER BY leg.n",
    )?;
    let rows = statement.query_map([posting], |row| {
        let owner = |text: String| Owner::parse(&text).ok_or_else(|| nonsense("an unknown kind of owner"));
        let currency = Currency::new(&row.get::<_, String>(2)?).map_err(nonsense)?;
        Ok(Transfer { from: owner(row.get(0)?)?, to: owner(row.get(1)?)?, currency, amount: row.get(3)? })
    })?;
    rows.collect::<Result<_>>().map(Some)
}

/// Adds all balances up again from the journal and lists what is wrong, in words.
pub(crate) fn audit(conn: &Connection) -> Result<Vec<String>> {
    let sums = "WITH side (no, amount) AS (
                  SELECT to_no, amount FROM leg UNION ALL SELECT from_no, -amount FROM leg)
                SELECT a.owner, a.currency, a.balance, coalesce(s.sum, 0) FROM account a
                LEFT JOIN (SELECT no, sum(amount) AS sum FROM side GROUP BY no) s ON s.no = a.no";
    let mut faults = Vec::new();
    let mut worlds: BTreeMap<String, i64> = BTreeMap::new();
    let mut statement = conn.prepare(sums)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (owner, currency): (String, String) = (row.get(0)?, row.get(1)?);
        let (balance, counted): (i64, i64) = (row.get(2)?, row.get(3)?);
        if balance != counted {
            faults.push(format!("{owner} has {balance} {currency}; the journal says {counted}"));
        }
        if balance < 0 && owner != "mint" {
            faults.push(format!("{owner} has {balance} {currency}"));
        }
        *worlds.entry(currency).or_default() += balance;
    }
    for (currency, sum) in worlds.into_iter().filter(|(_, sum)| *sum != 0) {
        faults.push(format!("all accounts together have {sum} {currency}"));
    }
    Ok(faults)
}
