//! The journal: what moved, why, and what each account held after it.

use std::collections::{BTreeMap, BTreeSet};

use parlor_store::driver::{After, line_balances};
use parlor_store::{Currency, Owner, Reason, Transfer};
use rusqlite::{Connection, OptionalExtension, Result, params};

use crate::fault::nonsense;

/// The first schema with balances and reasons in the journal, and with a list of holds.
const SCHEMA_WITH_LINES: u32 = 4;

/// Reads an owner.
pub(crate) fn owner(text: &str) -> Result<Owner> {
    Owner::parse(text).ok_or_else(|| nonsense("an unknown kind of owner"))
}

/// Reads a reason.
pub(crate) fn reason(word: &str) -> Result<Reason> {
    Reason::read(word).ok_or_else(|| nonsense("an unknown reason"))
}

/// What was posted under a key, if anything was.
pub(crate) fn posted(conn: &Connection, key: &str) -> Result<Option<Vec<Transfer>>> {
    let posting: Option<i64> = conn
        .prepare_cached("SELECT no FROM posting WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    let Some(posting) = posting else { return Ok(None) };
    let mut statement = conn.prepare_cached(
        "SELECT f.owner, t.owner, f.currency, leg.amount, leg.reason FROM leg
         JOIN account f ON f.no = leg.from_no JOIN account t ON t.no = leg.to_no
         WHERE leg.posting_no = ?1 ORDER BY leg.n",
    )?;
    let rows = statement.query_map([posting], |row| {
        Ok(Transfer {
            from: owner(&row.get::<_, String>(0)?)?,
            to: owner(&row.get::<_, String>(1)?)?,
            currency: Currency::new(&row.get::<_, String>(2)?).map_err(nonsense)?,
            amount: row.get(3)?,
            reason: reason(&row.get::<_, String>(4)?)?,
        })
    })?;
    rows.collect::<Result<_>>().map(Some)
}

/// One posting: its legs, by the numbers of the accounts, and the balances that are stored with them.
#[derive(Default)]
struct Posting {
    no: i64,
    legs: Vec<(i64, i64, i64)>,
    stored: Vec<After>,
}

/// Walks over the whole journal with the balances that the legs of each posting lead to; says what all accounts hold
/// at its end. The rows are a posting's number, who pays, who is paid, how much, and what they hold after it.
fn walk(
    conn: &Connection,
    rows: &str,
    mut each: impl FnMut(&Posting, &[After]) -> Result<()>,
) -> Result<BTreeMap<i64, i64>> {
    let mut held = BTreeMap::new();
    let mut posting = Posting::default();
    let mut settle = |posting: &Posting| each(posting, &line_balances(&posting.legs, &mut held));
    let mut statement = conn.prepare(rows)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let no = row.get(0)?;
        if no != posting.no {
            settle(&posting)?;
            posting.no = no;
            posting.legs.clear();
            posting.stored.clear();
        }
        posting.legs.push((row.get(1)?, row.get(2)?, row.get(3)?));
        posting.stored.push(After { from: row.get(4)?, to: row.get(5)? });
    }
    settle(&posting)?;
    Ok(held)
}

/// The step from schema 3: the journal as it is, with the balances that nobody had stored.
pub(crate) fn fill_lines(conn: &Connection) -> Result<()> {
    let rows = "SELECT posting_no, from_no, to_no, amount, 0, 0 FROM leg_3 ORDER BY posting_no, n";
    let mut insert = conn.prepare("INSERT INTO leg VALUES (?1, ?2, ?3, ?4, ?5, 'other', ?6, ?7)")?;
    walk(conn, rows, |posting, after| {
        for (n, ((from, to, amount), after)) in posting.legs.iter().zip(after).enumerate() {
            insert.execute(params![posting.no, n as i64, from, to, amount, after.from, after.to])?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Adds all balances up again from the journal and lists what is wrong, in words.
pub(crate) fn audit(conn: &Connection) -> Result<Vec<String>> {
    let schema: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let lines = schema >= SCHEMA_WITH_LINES;
    let stored = if lines { "from_after, to_after" } else { "0, 0" };
    let rows = format!("SELECT posting_no, from_no, to_no, amount, {stored} FROM leg ORDER BY posting_no, n");
    let mut faults = Vec::new();
    let counted = walk(conn, &rows, |posting, after| {
        if lines && posting.stored != after {
            faults.push(format!("a line of posting {} has a wrong balance", posting.no));
        }
        Ok(())
    })?;
    let open = if lines { Some(open_holds(conn)?) } else { None };
    let mut worlds: BTreeMap<String, i64> = BTreeMap::new();
    let mut statement = conn.prepare("SELECT no, owner, currency, balance FROM account")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (no, owner, currency): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (balance, counted): (i64, i64) = (row.get(3)?, counted.get(&no).copied().unwrap_or(0));
        if balance != counted {
            faults.push(format!("{owner} has {balance} {currency}; the journal says {counted}"));
        }
        if balance < 0 && owner != "mint" {
            faults.push(format!("{owner} has {balance} {currency}"));
        }
        let listed = open.as_ref().map(|open| open.contains(&no));
        if listed.is_some_and(|listed| listed != (balance > 0 && owner.starts_with("hold:"))) {
            faults.push(format!("{owner} has {balance} {currency}; the list of holds says otherwise"));
        }
        *worlds.entry(currency).or_default() += balance;
    }
    for (currency, sum) in worlds.into_iter().filter(|(_, sum)| *sum != 0) {
        faults.push(format!("all accounts together have {sum} {currency}"));
    }
    Ok(faults)
}

fn open_holds(conn: &Connection) -> Result<BTreeSet<i64>> {
    let mut statement = conn.prepare("SELECT account_no FROM open_hold")?;
    statement.query_map([], |row| row.get(0))?.collect()
}
