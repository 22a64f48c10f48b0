//! The journal: what moved, why, and what each account held after it.

use std::collections::{BTreeMap, BTreeSet};

use parlor_store::driver::{After, line_balances};
use parlor_store::{Currency, Owner, Reason, Transfer};
use tokio_postgres::Row;

use crate::conn::Conn;
use crate::fault::{Result, nonsense};

/// Legs that are read at once when everything is added up again.
const LEGS_PER_LOOK: i64 = 50_000;

/// Reads an owner.
pub(crate) fn owner(text: &str) -> Result<Owner> {
    Owner::parse(text).ok_or_else(|| nonsense("an unknown kind of owner"))
}

/// Reads a reason.
pub(crate) fn reason(word: &str) -> Result<Reason> {
    Reason::read(word).ok_or_else(|| nonsense("an unknown reason"))
}

/// What was posted under these keys, key by key; nothing for those under which nothing was.
pub(crate) const POSTED: &str = "SELECT p.key, f.owner, t.owner, f.currency, leg.amount, leg.reason
    FROM posting p JOIN leg ON leg.posting_no = p.no
    JOIN account f ON f.no = leg.from_no JOIN account t ON t.no = leg.to_no
    WHERE p.key = ANY($1::text[]) ORDER BY p.no, leg.n";

/// The rows of [`POSTED`].
pub(crate) fn posted(rows: &[Row]) -> Result<BTreeMap<String, Vec<Transfer>>> {
    let mut posted: BTreeMap<String, Vec<Transfer>> = BTreeMap::new();
    for row in rows {
        let transfer = Transfer {
            from: owner(row.get(1))?,
            to: owner(row.get(2))?,
            currency: Currency::new(row.get(3)).map_err(nonsense)?,
            amount: row.get(4),
            reason: reason(row.get(5))?,
        };
        posted.entry(row.get(0)).or_default().push(transfer);
    }
    Ok(posted)
}

/// One posting: its legs, by the numbers of the accounts, and the balances that are stored with them.
#[derive(Default)]
struct Posting {
    no: i64,
    legs: Vec<(i64, i64, i64)>,
    stored: Vec<After>,
}

/// Adds all balances up again from the journal and lists what is wrong, in words.
pub(crate) async fn audit(conn: &Conn) -> Result<Vec<String>> {
    let (mut held, mut faults) = (BTreeMap::new(), Vec::new());
    let mut posting = Posting::default();
    let mut settle = |posting: &mut Posting| {
        if line_balances(&posting.legs, &mut held) != posting.stored {
            faults.push(format!("a line of posting {} has a wrong balance", posting.no));
        }
        posting.legs.clear();
        posting.stored.clear();
    };
    let mut last = (0i64, -1i64);
    loop {
        let sql = "SELECT posting_no, n, from_no, to_no, amount, from_after, to_after FROM leg
                   WHERE (posting_no, n) > ($1, $2) ORDER BY posting_no, n LIMIT $3";
        let rows = conn.query(sql, &[&last.0, &last.1, &LEGS_PER_LOOK]).await?;
        for row in &rows {
            let no = row.get(0);
            if no != posting.no {
                settle(&mut posting);
                posting.no = no;
            }
            posting.legs.push((row.get(2), row.get(3), row.get(4)));
            posting.stored.push(After { from: row.get(5), to: row.get(6) });
        }
        match rows.last() {
            Some(row) => last = (row.get(0), row.get(1)),
            None => break,
        }
    }
    settle(&mut posting);
    balances(conn, &held, &mut faults).await?;
    Ok(faults)
}

/// Compares every account with what the journal leads to.
async fn balances(conn: &Conn, counted: &BTreeMap<i64, i64>, faults: &mut Vec<String>) -> Result<()> {
    let rows = conn.query("SELECT account_no FROM open_hold", &[]).await?;
    let open: BTreeSet<i64> = rows.iter().map(|row| row.get(0)).collect();
    let (mut worlds, mut owners) = (BTreeMap::<String, i64>::new(), BTreeMap::<(String, String), i64>::new());
    for row in conn.query("SELECT no, owner, currency, balance FROM account", &[]).await? {
        let (no, owner, currency): (i64, String, String) = (row.get(0), row.get(1), row.get(2));
        let (balance, counted): (i64, i64) = (row.get(3), counted.get(&no).copied().unwrap_or(0));
        if balance != counted {
            faults.push(format!("{owner} has {balance} {currency}; the journal says {counted}"));
        }
        if open.contains(&no) != (balance > 0 && owner.starts_with("hold:")) {
            faults.push(format!("{owner} has {balance} {currency}; the list of holds says otherwise"));
        }
        *worlds.entry(currency.clone()).or_default() += balance;
        *owners.entry((owner, currency)).or_default() += balance;
    }
    // What all nodes move counts by its sum alone.
    for ((owner, currency), balance) in owners.into_iter().filter(|(_, balance)| *balance < 0) {
        if owner != "mint" {
            faults.push(format!("{owner} has {balance} {currency}"));
        }
    }
    for (currency, sum) in worlds.into_iter().filter(|(_, sum)| *sum != 0) {
        faults.push(format!("all accounts together have {sum} {currency}"));
    }
    Ok(())
}
