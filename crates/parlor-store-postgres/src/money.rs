//! Balances inside one transaction: read once under their locks, judged in memory, written at its end.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use parlor_store::driver::{bear, changes, line_balances};
use parlor_store::{Append, Currency, Owner, Transfer, Write, WriteError};
use tokio_postgres::Row;

use crate::conn::{Conn, Step, step};
use crate::fault::{Result, nonsense};
use crate::{journal, numbers::Numbers};

/// Reads accounts and locks them, all transactions in one order. Of what all nodes share it takes this node's row; the
/// others' as well where the house spends, because only the sum says what it has.
const LOCK: &str = "SELECT a.no, a.owner, a.currency, a.node, a.balance
    FROM account a JOIN unnest($1::text[], $2::text[]) AS i (owner, currency)
      ON a.owner = i.owner AND a.currency = i.currency
    WHERE a.node = 0 OR a.node = $3 OR (a.owner = 'house' AND $4)
    ORDER BY a.owner, a.currency, a.node FOR UPDATE OF a";

struct Account {
    /// None while it is not opened yet: a refused write opens nothing.
    no: Option<i64>,
    /// Whether it is in the database.
    stored: bool,
    /// What this row holds.
    balance: i64,
    /// What the rows of other nodes hold, where it counts.
    others: i64,
    changed: bool,
}

type Key = (Owner, Currency);
/// Balances that a write leads to.
type After = Vec<(Key, i64)>;

/// The accounts of a flush, and what it posts.
#[derive(Default)]
pub(crate) struct Money {
    accounts: BTreeMap<Key, Account>,
    posted: HashMap<String, Vec<Transfer>>,
    postings: Postings,
    node: i32,
}

/// Where a posting is entered.
pub(crate) struct PostedAt<'a> {
    pub(crate) key: Option<&'a str>,
    pub(crate) table_no: Option<i64>,
    pub(crate) at_ms: u64,
}

/// Whether all nodes move it: then each has a row of its own.
fn is_shared(owner: &Owner) -> bool {
    matches!(owner, Owner::House | Owner::Mint | Owner::Burn)
}

/// The transfers of a write.
fn transfers(write: &Write) -> &[Transfer] {
    match write {
        Write::Append(Append { transfers, .. })
        | Write::Post { transfers, .. }
        | Write::PlayerPays { transfers, .. } => transfers,
        _ => &[],
    }
}

/// What a flush needs to know of money before it is judged.
#[derive(Default)]
pub(crate) struct Wanted {
    accounts: BTreeSet<(String, String)>,
    pub(crate) keys: Vec<String>,
    house_spends: bool,
    /// How many postings it may enter.
    pub(crate) postings: usize,
}

impl Wanted {
    pub(crate) fn add(&mut self, write: &Write) {
        let mut account = |owner: &Owner, currency: &Currency| {
            self.accounts.insert((owner.to_string(), currency.to_string()));
        };
        for Transfer { from, to, currency, .. } in transfers(write) {
            account(from, currency);
            account(to, currency);
            self.house_spends |= *from == Owner::House;
        }
        match write {
            Write::Release { hold, currency, to, .. } => {
                account(&Owner::Hold(hold.clone()), currency);
                account(to, currency);
                self.postings += 1;
            }
            Write::Post { key, .. } | Write::PlayerPays { key, .. } => {
                self.keys.push(format!("k/{key}"));
                self.postings += 1;
            }
            Write::Append(append) if !append.transfers.is_empty() => self.postings += 1,
            _ => {}
        }
    }

    /// The step that locks the accounts; none where no token moves.
    pub(crate) fn lock(&self, node: i32) -> Option<Step> {
        let (owners, currencies): (Vec<String>, Vec<String>) = self.accounts.iter().cloned().unzip();
        (!owners.is_empty()).then(|| step!(LOCK, owners, currencies, node, self.house_spends))
    }
}

impl Money {
    pub(crate) fn new(node: i32) -> Self {
        Self { node, ..Self::default() }
    }

    /// Takes in the accounts that were locked.
    pub(crate) fn take_in(&mut self, rows: &[Row]) -> Result<()> {
        for row in rows {
            let owner = journal::owner(row.get(1))?;
            let currency = Currency::new(row.get(2)).map_err(nonsense)?;
            let (no, node, balance): (i64, i32, i64) = (row.get(0), row.get(3), row.get(4));
            let own = node == 0 || node == self.node;
            let account = self.account((owner, currency));
            if own {
                (account.no, account.stored, account.balance) = (Some(no), true, balance);
            } else {
                account.others += balance;
            }
        }
        Ok(())
    }

    /// Gives the postings of this flush their numbers.
    pub(crate) fn number(&mut self, rows: &[Row]) {
        self.postings.free = rows.iter().rev().map(|row| row.get(0)).collect();
    }

    fn account(&mut self, key: Key) -> &mut Account {
        let new = Account { no: None, stored: false, balance: 0, others: 0, changed: false };
        self.accounts.entry(key).or_insert(new)
    }

    /// What an account holds.
    pub(crate) fn balance(&mut self, owner: &Owner, currency: &Currency) -> i64 {
        let account = self.account((owner.clone(), currency.clone()));
        account.balance + account.others
    }

    /// What this flush has posted under a key, if it has.
    pub(crate) fn posted(&self, key: &str) -> Option<&[Transfer]> {
        self.posted.get(key).map(Vec::as_slice)
    }

    /// Takes in what was posted under a key before.
    pub(crate) fn was_posted(&mut self, key: &str, transfers: Vec<Transfer>) {
        self.posted.insert(key.to_owned(), transfers);
    }

    /// Whether these transfers can be borne; the balances they lead to.
    pub(crate) fn judge(&mut self, transfers: &[Transfer]) -> std::result::Result<After, WriteError> {
        let mut after = Vec::new();
        for (key, change) in changes(transfers)? {
            let held = self.balance(&key.0, &key.1);
            let others = self.account(key.clone()).others;
            after.push((key.clone(), bear(&key.0, &key.1, held, change)? - others));
        }
        Ok(after)
    }

    /// Enters judged transfers into the journal.
    pub(crate) async fn enter(
        &mut self,
        conn: &Conn,
        numbers: &mut Numbers,
        place: PostedAt<'_>,
        transfers: &[Transfer],
        after: After,
    ) -> Result<()> {
        let (mut legs, mut held) = (Vec::with_capacity(transfers.len()), BTreeMap::new());
        for Transfer { from, to, currency, amount, .. } in transfers {
            let mut ends = [0; 2];
            for (end, owner) in ends.iter_mut().zip([from, to]) {
                let account = self.account((owner.clone(), currency.clone()));
                if account.no.is_none() {
                    account.no = Some(numbers.account(conn).await?);
                }
                *end = account.no.unwrap_or_default();
                held.insert(*end, account.balance);
            }
            legs.push((ends[0], ends[1], *amount));
        }
        let posting = self.postings.open(&place)?;
        let lines = line_balances(&legs, &mut held);
        for (n, ((leg, line), transfer)) in legs.iter().zip(lines).zip(transfers).enumerate() {
            self.postings.leg(posting, n, *leg, transfer.reason.word(), (line.from, line.to));
        }
        for (key, balance) in after {
            let account = self.account(key);
            (account.balance, account.changed) = (balance, true);
        }
        if let Some(key) = place.key {
            self.posted.insert(key.to_owned(), transfers.to_vec());
        }
        Ok(())
    }

    /// The steps that write what has changed.
    pub(crate) fn steps(&mut self, steps: &mut Vec<Step>) {
        let (mut new, mut old, mut holds) = (Opened::default(), (Vec::new(), Vec::new()), Vec::new());
        for ((owner, currency), account) in self.accounts.iter_mut().filter(|(_, account)| account.changed) {
            account.changed = false;
            let no = account.no.unwrap_or_default();
            if std::mem::replace(&mut account.stored, true) {
                old.0.push(no);
                old.1.push(account.balance);
            } else {
                let node = if is_shared(owner) { self.node } else { 0 };
                new.push(no, owner, currency, node, account.balance);
            }
            if let Owner::Hold(hold) = owner {
                holds.push((hold.to_string(), currency.to_string(), no, account.balance > 0));
            }
        }
        if !new.no.is_empty() {
            steps.push(new.step());
        }
        if !old.0.is_empty() {
            steps.push(step!(
                "UPDATE account a SET balance = i.balance
                 FROM unnest($1::bigint[], $2::bigint[]) AS i (no, balance) WHERE a.no = i.no",
                old.0,
                old.1
            ));
        }
        for (hold, currency, no, has) in holds {
            steps.push(if has {
                step!(
                    "INSERT INTO open_hold VALUES ($1, $2, $3) ON CONFLICT (id, currency) DO NOTHING",
                    hold,
                    currency,
                    no
                )
            } else {
                step!("DELETE FROM open_hold WHERE id = $1 AND currency = $2", hold, currency)
            });
        }
        self.postings.steps(steps);
    }
}

/// Accounts that a flush opens.
#[derive(Default)]
struct Opened {
    no: Vec<i64>,
    owner: Vec<String>,
    currency: Vec<String>,
    node: Vec<i32>,
    balance: Vec<i64>,
}

impl Opened {
    fn push(&mut self, no: i64, owner: &Owner, currency: &Currency, node: i32, balance: i64) {
        self.no.push(no);
        self.owner.push(owner.to_string());
        self.currency.push(currency.to_string());
        self.node.push(node);
        self.balance.push(balance);
    }

    fn step(self) -> Step {
        step!(
            "INSERT INTO account SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::bigint[])",
            self.no,
            self.owner,
            self.currency,
            self.node,
            self.balance
        )
    }
}

/// Postings and their legs, column by column.
#[derive(Default)]
struct Postings {
    /// Numbers that were drawn for this flush, the lowest last.
    free: Vec<i64>,
    no: Vec<i64>,
    key: Vec<Option<String>>,
    table_no: Vec<Option<i64>>,
    at_ms: Vec<i64>,
    legs: Legs,
}

#[derive(Default)]
struct Legs {
    posting: Vec<i64>,
    n: Vec<i64>,
    from: Vec<i64>,
    to: Vec<i64>,
    amount: Vec<i64>,
    reason: Vec<&'static str>,
    from_after: Vec<i64>,
    to_after: Vec<i64>,
}

impl Postings {
    fn open(&mut self, place: &PostedAt<'_>) -> Result<i64> {
        let no = self.free.pop().ok_or_else(|| nonsense("more postings than were counted"))?;
        self.no.push(no);
        self.key.push(place.key.map(str::to_owned));
        self.table_no.push(place.table_no);
        self.at_ms.push(place.at_ms as i64);
        Ok(no)
    }

    fn leg(&mut self, posting: i64, n: usize, leg: (i64, i64, i64), reason: &'static str, after: (i64, i64)) {
        let legs = &mut self.legs;
        legs.posting.push(posting);
        legs.n.push(n as i64);
        legs.from.push(leg.0);
        legs.to.push(leg.1);
        legs.amount.push(leg.2);
        legs.reason.push(reason);
        legs.from_after.push(after.0);
        legs.to_after.push(after.1);
    }

    fn steps(&mut self, steps: &mut Vec<Step>) {
        if self.no.is_empty() {
            return;
        }
        let free = std::mem::take(&mut self.free);
        let Self { no, key, table_no, at_ms, legs, .. } =
            std::mem::replace(self, Self { free, ..Self::default() });
        steps.push(step!(
            "INSERT INTO posting SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])",
            no,
            key,
            table_no,
            at_ms
        ));
        let Legs { posting, n, from, to, amount, reason, from_after, to_after } = legs;
        steps.push(step!(
            "INSERT INTO leg SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[],
               $5::bigint[], $6::text[], $7::bigint[], $8::bigint[])",
            posting,
            n,
            from,
            to,
            amount,
            reason,
            from_after,
            to_after
        ));
    }
}
