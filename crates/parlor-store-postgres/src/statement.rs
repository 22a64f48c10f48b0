//! Statements of accounts, and the holds that still have something.

use std::cmp::Reverse;

use parlor_store::driver::LinePlace;
use parlor_store::{Currency, HoldId, OpenHold, Owner, ROWS_PER_PAGE_MAX, StatementLine, TableId};
use tokio_postgres::Row;

use crate::conn::Conn;
use crate::fault::{Result, nonsense};
use crate::journal::{owner as read_owner, reason};
use crate::read::at_one_instant;

/// Holds that have something, all currencies of each.
const HOLDS: &str =
    "SELECT h.id, h.currency, h.account_no, a.balance FROM open_hold h JOIN account a ON a.no = h.account_no
    WHERE h.id IN (SELECT DISTINCT id FROM open_hold WHERE id > $1 ORDER BY id LIMIT $2)
    ORDER BY h.id, h.currency";
/// The last payment into an account that was empty before it.
const PAYER: &str = "SELECT o.owner, p.at_ms FROM leg l
    JOIN account o ON o.no = l.from_no JOIN posting p ON p.no = l.posting_no
    WHERE l.to_no = $1 AND l.posting_no <= $2 AND l.to_after = l.amount
    ORDER BY l.posting_no DESC, l.n DESC LIMIT 1";
/// An account's legs that come in, newest first. The index has the order: no row outside the page is looked at.
const LEGS_IN: &str = "SELECT l.posting_no, l.n, l.amount, l.to_after, o.owner, l.reason, p.at_ms, p.key,
      coalesce(t.id, s.id)
    FROM (SELECT * FROM leg WHERE to_no = $1 AND from_no <> $1 AND (posting_no, n) < ($2, $3)
          ORDER BY posting_no DESC, n DESC LIMIT $4) l
    JOIN account o ON o.no = l.from_no JOIN posting p ON p.no = l.posting_no
    LEFT JOIN game_table t ON t.no = p.table_no LEFT JOIN swept_table s ON s.no = p.table_no";
/// Those that go out.
const LEGS_OUT: &str = "SELECT l.posting_no, l.n, -l.amount, l.from_after, o.owner, l.reason, p.at_ms, p.key,
      coalesce(t.id, s.id)
    FROM (SELECT * FROM leg WHERE from_no = $1 AND to_no <> $1 AND (posting_no, n) < ($2, $3)
          ORDER BY posting_no DESC, n DESC LIMIT $4) l
    JOIN account o ON o.no = l.to_no JOIN posting p ON p.no = l.posting_no
    LEFT JOIN game_table t ON t.no = p.table_no LEFT JOIN swept_table s ON s.no = p.table_no";

pub(crate) async fn statement(
    conn: &Conn,
    owner: &Owner,
    currency: Option<&Currency>,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<StatementLine>> {
    let limit = limit.min(ROWS_PER_PAGE_MAX);
    let mut lines = at_one_instant(conn, lines(conn, owner, currency, before, limit)).await?;
    lines.sort_by_key(|line| Reverse(line.no));
    lines.truncate(limit);
    Ok(lines)
}

async fn lines(
    conn: &Conn,
    owner: &Owner,
    currency: Option<&Currency>,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<StatementLine>> {
    let before = before.map_or(LinePlace { posting: i64::MAX as u64, out: true, n: 0 }, LinePlace::of);
    let sql = "SELECT no, currency FROM account WHERE owner = $1 AND ($2::text IS NULL OR currency = $2)";
    let accounts = conn.query(sql, &[&owner.to_string(), &currency.map(Currency::as_str)]).await?;
    let mut lines = Vec::new();
    for account in accounts {
        let no: i64 = account.get(0);
        let currency = Currency::new(account.get(1)).map_err(nonsense)?;
        for (out, sql) in [(false, LEGS_IN), (true, LEGS_OUT)] {
            let (posting, n) = before.bound(out);
            let rows = conn.query(sql, &[&no, &(posting as i64), &(n as i64), &(limit as i64)]).await?;
            for row in &rows {
                lines.push(line(row, out, &currency)?);
            }
        }
    }
    Ok(lines)
}

fn line(row: &Row, out: bool, currency: &Currency) -> Result<StatementLine> {
    let (posting, n): (i64, i64) = (row.get(0), row.get(1));
    let (key, table): (Option<&str>, Option<&str>) = (row.get(7), row.get(8));
    Ok(StatementLine {
        no: LinePlace { posting: posting as u64, out, n: n as u64 }.number(),
        at_ms: row.get::<_, i64>(6) as u64,
        currency: currency.clone(),
        change: row.get(2),
        balance: row.get(3),
        with: read_owner(row.get(4))?,
        reason: reason(row.get(5))?,
        table: table.map(TableId::new).transpose().map_err(nonsense)?,
        key: key.and_then(|key| key.strip_prefix("k/").map(str::to_owned)),
    })
}

pub(crate) async fn holds(conn: &Conn, after: Option<&HoldId>, limit: usize) -> Result<Vec<OpenHold>> {
    at_one_instant(conn, async {
        let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
        let mut holds = Vec::new();
        for row in conn.query(HOLDS, &[&after.map_or("", HoldId::as_str), &limit]).await? {
            let (payer, at_ms) = payer(conn, row.get(2), i64::MAX).await?;
            holds.push(OpenHold {
                hold: HoldId::new(row.get(0)).map_err(nonsense)?,
                currency: Currency::new(row.get(1)).map_err(nonsense)?,
                amount: row.get(3),
                payer,
                at_ms,
            });
        }
        Ok(holds)
    })
    .await
}

/// Who paid first into the account of a hold since it was last empty, up to this posting; and when.
pub(crate) async fn payer(conn: &Conn, account_no: i64, posting: i64) -> Result<(Owner, u64)> {
    let row = conn.find(PAYER, &[&account_no, &posting]).await?;
    let row = row.ok_or_else(|| nonsense("a hold into which nobody has paid"))?;
    Ok((read_owner(row.get(0))?, row.get::<_, i64>(1) as u64))
}
