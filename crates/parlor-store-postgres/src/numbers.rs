//! Numbers that the database gives out. They are drawn many at a time; those that are not used are gaps.

use crate::conn::Conn;
use crate::fault::{Result, nonsense};

/// How many numbers of accounts are drawn at once.
const ACCOUNTS_DRAWN: i64 = 64;

/// Numbers that were drawn and not used yet.
#[derive(Default)]
pub(crate) struct Numbers {
    accounts: Vec<i64>,
}

impl Numbers {
    /// The number of a new account. A transaction that is rolled back does not give it back.
    pub(crate) async fn account(&mut self, conn: &Conn) -> Result<i64> {
        if self.accounts.is_empty() {
            let sql = "SELECT nextval('account_no') FROM generate_series(1, $1::bigint)";
            let rows = conn.query(sql, &[&ACCOUNTS_DRAWN]).await?;
            self.accounts = rows.iter().rev().map(|row| row.get(0)).collect();
        }
        self.accounts.pop().ok_or_else(|| nonsense("no number was drawn"))
    }
}
