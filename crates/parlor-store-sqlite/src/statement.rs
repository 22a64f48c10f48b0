//! Statements of accounts, and the holds that still have something.

use std::cmp::Reverse;

use parlor_store::driver::LinePlace;
use parlor_store::{Currency, HoldId, OpenHold, Owner, ROWS_PER_PAGE_MAX, StatementLine, TableId};
use rusqlite::{Connection, Result, Row, params};

use crate::fault::nonsense;
use crate::journal::{owner as read_owner, reason};

/// What comes into an account, newest first. The index has the order: no row before the page is looked at.
const INCOMING: &str = "SELECT l.posting_no, l.n, l.amount, l.to_after, o.owner, l.reason, p.at_ms, p.key,
           coalesce(t.id, s.id)
    FROM leg l INDEXED BY leg_to
    CROSS JOIN account o ON o.no = l.from_no
    CROSS JOIN posting p ON p.no = l.posting_no
    LEFT JOIN game_table t ON p.key GLOB 't/*' AND t.no = CAST(substr(p.key, 3) AS INTEGER)
    LEFT JOIN swept_table s ON p.key GLOB 't/*' AND s.no = CAST(substr(p.key, 3) AS INTEGER)
    WHERE l.to_no = ?1 AND l.from_no <> ?1 AND (l.posting_no, l.n) < (?2, ?3)
    ORDER BY l.posting_no DESC, l.n DESC LIMIT ?4";
/// What goes out of an account, newest first.
const OUTGOING: &str = "SELECT l.posting_no, l.n, -l.amount, l.from_after, o.owner, l.reason, p.at_ms, p.key,
           coalesce(t.id, s.id)
    FROM leg l INDEXED BY leg_from
    CROSS JOIN account o ON o.no = l.to_no
    CROSS JOIN posting p ON p.no = l.posting_no
    LEFT JOIN game_table t ON p.key GLOB 't/*' AND t.no = CAST(substr(p.key, 3) AS INTEGER)
    LEFT JOIN swept_table s ON p.key GLOB 't/*' AND s.no = CAST(substr(p.key, 3) AS INTEGER)
    WHERE l.from_no = ?1 AND l.to_no <> ?1 AND (l.posting_no, l.n) < (?2, ?3)
    ORDER BY l.posting_no DESC, l.n DESC LIMIT ?4";

/// Holds that have something, all currencies of each.
const HOLDS: &str = "SELECT h.id, h.currency, h.account_no, a.balance
    FROM open_hold h CROSS JOIN account a ON a.no = h.account_no
    WHERE h.id IN (SELECT DISTINCT id FROM open_hold WHERE id > ?1 ORDER BY id LIMIT ?2)
    ORDER BY h.id, h.currency";
/// The last payment into an account that was empty before it.
const PAYER: &str = "SELECT o.owner, p.at_ms FROM leg l INDEXED BY leg_to
    CROSS JOIN account o ON o.no = l.from_no CROSS JOIN posting p ON p.no = l.posting_no
    WHERE l.to_no = ?1 AND l.posting_no <= ?2 AND l.to_after = l.amount
    ORDER BY l.posting_no DESC, l.n DESC LIMIT 1";

pub(crate) fn statement(
    conn: &Connection,
    owner: &Owner,
    currency: Option<&Currency>,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<StatementLine>> {
    // One look: what a flush adds in between must not show in one currency alone.
    let tx = conn.unchecked_transaction()?;
    let limit = limit.min(ROWS_PER_PAGE_MAX);
    let before = before.map_or(LinePlace { posting: i64::MAX as u64, out: true, n: 0 }, LinePlace::of);
    let mut lines = Vec::new();
    for (no, currency) in accounts(&tx, owner, currency)? {
        for (out, sql) in [(false, INCOMING), (true, OUTGOING)] {
            let (posting, n) = before.bound(out);
            let mut rows = tx.prepare_cached(sql)?;
            let wanted = params![no, posting as i64, n as i64, limit as i64];
            let rows = rows.query_map(wanted, |row| line(row, out, &currency))?;
            lines.extend(rows.collect::<Result<Vec<_>>>()?);
        }
    }
    lines.sort_by_key(|line| Reverse(line.no));
    lines.truncate(limit);
    Ok(lines)
}

/// An owner's accounts, one for each currency.
fn accounts(conn: &Connection, owner: &Owner, currency: Option<&Currency>) -> Result<Vec<(i64, Currency)>> {
    let mut statement = conn.prepare_cached(
        "SELECT no, currency FROM account WHERE owner = ?1 AND (?2 IS NULL OR currency = ?2)",
    )?;
    let wanted = params![owner.to_string(), currency.map(Currency::as_str)];
    let rows = statement.query_map(wanted, |row| {
        Ok((row.get(0)?, Currency::new(&row.get::<_, String>(1)?).map_err(nonsense)?))
    })?;
    rows.collect()
}

fn line(row: &Row<'_>, out: bool, currency: &Currency) -> Result<StatementLine> {
    let (posting, n): (i64, i64) = (row.get(0)?, row.get(1)?);
    let (key, table): (Option<String>, Option<String>) = (row.get(7)?, row.get(8)?);
    Ok(StatementLine {
        no: LinePlace { posting: posting as u64, out, n: n as u64 }.number(),
        at_ms: row.get::<_, i64>(6)? as u64,
        currency: currency.clone(),
        change: row.get(2)?,
        balance: row.get(3)?,
        with: read_owner(&row.get::<_, String>(4)?)?,
        reason: reason(&row.get::<_, String>(5)?)?,
        table: table.map(|id| TableId::new(&id)).transpose().map_err(nonsense)?,
        key: key.and_then(|key| key.strip_prefix("k/").map(str::to_owned)),
    })
}

pub(crate) fn holds(conn: &Connection, after: Option<&HoldId>, limit: usize) -> Result<Vec<OpenHold>> {
    let tx = conn.unchecked_transaction()?;
    let mut statement = tx.prepare_cached(HOLDS)?;
    let wanted = params![after.map_or("", HoldId::as_str), limit.min(ROWS_PER_PAGE_MAX) as i64];
    let rows = statement.query_map(wanted, |row| {
        let (payer, at_ms) = payer(&tx, row.get(2)?, i64::MAX)?;
        Ok(OpenHold {
            hold: HoldId::new(&row.get::<_, String>(0)?).map_err(nonsense)?,
            currency: Currency::new(&row.get::<_, String>(1)?).map_err(nonsense)?,
            amount: row.get(3)?,
            payer,
            at_ms,
        })
    })?;
    rows.collect()
}

/// Who paid first into the account of a hold since it was last empty, up to this posting; and when.
pub(crate) fn payer(conn: &Connection, account_no: i64, posting: i64) -> Result<(Owner, u64)> {
    conn.prepare_cached(PAYER)?.query_row([account_no, posting], |row| {
        Ok((read_owner(&row.get::<_, String>(0)?)?, row.get::<_, i64>(1)? as u64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    /// However many lines an account has: nothing is read from end to end, and nothing is sorted.
    #[test]
    fn a_page_is_found_by_index() {
        let mut conn = Connection::open_in_memory().expect("there is memory");
        schema::migrate(&mut conn).expect("it is SQL");
        for sql in [INCOMING, OUTGOING, HOLDS, PAYER] {
            let mut plan = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect("it is SQL");
            let mut rows = plan.raw_query();
            while let Some(row) = rows.next().expect("there are rows") {
                let step: String = row.get(3).expect("it is text");
                assert!(!step.contains("SCAN") && !step.contains("B-TREE"), "{step} in {sql}");
            }
        }
    }
}
