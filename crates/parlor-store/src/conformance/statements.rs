//! Statements: every transfer once, with what was left after it.

use parlor_core::Rng;

use super::Rig;
use super::fixture::*;
use crate::accounts::{Player, ROWS_PER_PAGE_MAX, StatementLine};
use crate::error::WriteError;
use crate::id::Currency;
use crate::ledger::{Owner, Reason, Transfer};
use crate::store::Store;
use crate::write::{Append, TableState, Write};

fn lines(log: &dyn Store, owner: &Owner) -> Vec<StatementLine> {
    log.statement(owner, None, None, ROWS_PER_PAGE_MAX).expect("it can be read")
}

/// All lines of an account, newest first, in pages of so many.
fn paged(log: &dyn Store, owner: &Owner, currency: Option<&Currency>, limit: usize) -> Vec<StatementLine> {
    let mut all: Vec<StatementLine> = Vec::new();
    loop {
        let before = all.last().map(|line| line.no);
        let page = log.statement(owner, currency, before, limit).expect("it can be read");
        assert!(page.len() <= limit.min(ROWS_PER_PAGE_MAX));
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// Newest first; each balance is the one before it in its currency plus the change, from nothing to what is there.
fn adds_up(log: &dyn Store, owner: &Owner, lines: &[StatementLine], currencies: &[Currency]) {
    assert!(lines.is_sorted_by(|newer, older| newer.no > older.no), "newest first, no line twice");
    for currency in currencies {
        let mut left = log.balance(owner, currency).expect("it can be read");
        for line in lines.iter().filter(|line| line.currency == *currency) {
            assert_eq!(line.balance, left, "{owner}, {line:?}");
            assert!(line.balance >= 0 || *owner == Owner::Mint, "{owner}, {line:?}");
            left -= line.change;
        }
        assert_eq!(left, 0, "{owner} began with nothing");
    }
}

/// A line for every transfer: when, how much, with whom, why, and what it moved with; on both sides.
pub fn a_statement_says_what_moved_with_whom_and_why(rig: &mut dyn Rig) {
    let log = rig.store();
    let (ann, pot) = (purse("ann"), Owner::Table(table("t")));
    let account = Player::new(player("ann"), "Ann", [1; 32], 1);
    let gift = vec![move_for(Reason::Welcome, &Owner::Mint, &ann, 100)];
    let key = "welcome/ann".to_owned();
    assert_eq!(log.write(Write::PlayerPays { player: account, key, transfers: gift, at_ms: 10 }), Ok(0));
    assert_eq!(log.write(Write::hold(&hold("h"), &player("ann"), &chips(), 60, 20)), Ok(0));
    let held = Owner::Hold(hold("h"));
    let buy_in = vec![move_for(Reason::BuyIn, &held, &pot, 50), move_for(Reason::Release, &held, &ann, 4)];
    let opening = append("t", 0, vec![open(1)]);
    assert_eq!(log.append(Append { transfers: buy_in, at_ms: 30, ..opening }), Ok(1));
    let pay = vec![move_for(Reason::CashOut, &pot, &ann, 45), move_for(Reason::Rake, &pot, &Owner::House, 5)];
    assert_eq!(log.append(Append { transfers: pay, at_ms: 40, ..saying("t", 1, "home") }), Ok(2));
    let release = Write::Release { hold: hold("h"), currency: chips(), to: ann.clone(), at_ms: 50 };
    assert_eq!(log.write(release), Ok(0));
    rig.crash();

    let log = rig.store();
    type Told = (u64, i64, i64, Owner, &'static str, Option<&'static str>, Option<&'static str>);
    let check = |owner: &Owner, expected: &[Told]| {
        let lines = lines(&*log, owner);
        let told = lines.iter().map(|line| {
            let StatementLine { at_ms, change, balance, with, reason, table, key, .. } = line;
            let table = table.as_ref().map(crate::TableId::as_str);
            (*at_ms, *change, *balance, with.clone(), reason.word(), table, key.as_deref())
        });
        assert_eq!(told.collect::<Vec<_>>(), expected, "{owner}");
        adds_up(&*log, owner, &lines, &[chips()]);
    };
    check(
        &ann,
        &[
            (50, 6, 95, held.clone(), "release", None, None),
            (40, 45, 89, pot.clone(), "cash_out", Some("t"), None),
            (30, 4, 44, held.clone(), "release", Some("t"), None),
            (20, -60, 40, held.clone(), "hold", None, Some("hold/h")),
            (10, 100, 100, Owner::Mint, "welcome", None, Some("welcome/ann")),
        ],
    );
    check(
        &pot,
        &[
            (40, -5, 0, Owner::House, "rake", Some("t"), None),
            (40, -45, 5, ann.clone(), "cash_out", Some("t"), None),
            (30, 50, 50, held.clone(), "buy_in", Some("t"), None),
        ],
    );
    check(&Owner::Mint, &[(10, -100, -100, ann, "welcome", None, Some("welcome/ann"))]);
    check(&Owner::House, &[(40, 5, 5, pot, "rake", Some("t"), None)]);
    check(&purse("nobody"), &[]);
}

/// A reason is stored by its word and read again as what it was.
pub fn every_reason_is_kept(rig: &mut dyn Rig) {
    let log = rig.store();
    let gifts = Reason::ALL.map(|reason| move_for(reason, &Owner::Mint, &purse("ann"), 1));
    assert_eq!(log.write(post("all", gifts.to_vec())), Ok(0));
    rig.crash();
    let told: Vec<Reason> =
        lines(&*rig.store(), &purse("ann")).iter().rev().map(|line| line.reason).collect();
    assert_eq!(told, Reason::ALL);
    assert_eq!(rig.store().write(post("all", gifts.to_vec())), Ok(0), "the same again");
}

/// The same transfer for another reason is another transfer. Only what has no reason of its own agrees with any.
pub fn a_reason_is_part_of_what_a_key_stands_for(rig: &mut dyn Rig) {
    let log = rig.store();
    let pays = |key: &str, reason| post(key, vec![move_for(reason, &Owner::Mint, &purse("ann"), 1)]);
    assert_eq!(log.write(pays("prize", Reason::Prize)), Ok(0));
    assert_eq!(log.write(pays("prize", Reason::Refund)), Err(WriteError::KeyReused("prize".to_owned())));
    assert_eq!(log.write(pays("prize", Reason::Other)), Err(WriteError::KeyReused("prize".to_owned())));
    assert_eq!(log.write(pays("old", Reason::Other)), Ok(0));
    assert_eq!(log.write(pays("old", Reason::Prize)), Ok(0), "written by a build that knew no reasons");
    open_table(&*log, "t");
    let bet = |reason| Append {
        transfers: vec![move_for(reason, &purse("ann"), &Owner::Table(table("t")), 1)],
        ..saying("t", 1, "bet")
    };
    assert_eq!(log.append(bet(Reason::Stake)), Ok(2));
    assert_eq!(log.append(bet(Reason::TopUp)).expect_err("another").code(), "conflict");
    assert_eq!((log.append(bet(Reason::Stake)), balance(&*log, &purse("ann"))), (Ok(2), 1));
}

/// Over random writes, in two currencies, with crashes in between: every account's lines lead from nothing to what it
/// holds, and none is below zero on the way, in whatever order a write names its transfers.
pub fn a_line_has_the_balance_before_it_and_its_change(rig: &mut dyn Rig) {
    let mut rng = Rng::fast(23);
    let currencies = [chips(), Currency::new("play").expect("a good name")];
    let mut owners: Vec<Owner> = (0..4).map(|n| purse(&format!("p{n}"))).collect();
    owners.extend([Owner::Table(table("t")), Owner::Hold(hold("h")), Owner::House]);
    open_table(&*rig.store(), "t");
    let (mut seq, mut taken) = (0, 0);
    for n in 0..400 {
        let transfer = |rng: &mut Rng| {
            let any = |rng: &mut Rng| owners[rng.below(owners.len() as u32) as usize].clone();
            let from = if rng.below(3) == 0 { Owner::Mint } else { any(rng) };
            let currency = currencies[rng.below(2) as usize].clone();
            Transfer { currency, ..move_for(Reason::Other, &from, &any(rng), i64::from(rng.roll_die(50))) }
        };
        let transfers: Vec<Transfer> = (0..rng.roll_die(5)).map(|_| transfer(&mut rng)).collect();
        let result = if rng.flip_coin() {
            rig.store().write(post(&format!("payment {n}"), transfers))
        } else {
            let result = rig.store().append(Append { transfers, ..saying("t", seq + 1, "x") });
            seq += u32::from(result.is_ok());
            result
        };
        taken += usize::from(result.is_ok());
        if rng.below(100) == 0 {
            rig.crash();
        }
    }
    assert!((100..400).contains(&taken), "{taken} of 400: some are taken and some are refused");
    owners.push(Owner::Mint);
    for owner in &owners {
        let lines = paged(&*rig.store(), owner, None, 7);
        adds_up(&*rig.store(), owner, &lines, &currencies);
        assert!(lines.iter().all(|line| line.with != *owner), "a transfer to oneself has no line");
        for currency in &currencies {
            let own: Vec<_> = lines.iter().filter(|line| line.currency == *currency).cloned().collect();
            assert_eq!(paged(&*rig.store(), owner, Some(currency), 50), own, "{owner} in {currency}");
        }
    }
    assert_eq!(rig.store().audit(), Ok(Vec::new()));
}

/// Pages hang together wherever they are cut, inside a write as well, and however much is added meanwhile.
pub fn a_statement_is_read_in_pages(rig: &mut dyn Rig) {
    let log = rig.store();
    let (ann, house) = (purse("ann"), Owner::House);
    for n in 0..150 {
        // Out and in by turns: in the statement what comes in stands first.
        let transfers = vec![
            move_chips(&ann, &house, 1),
            move_chips(&Owner::Mint, &ann, 2),
            move_chips(&ann, &house, 1),
            move_chips(&Owner::Mint, &ann, 1),
        ];
        assert_eq!(log.write(post(&format!("{n}"), transfers)), Ok(0));
    }
    let whole = paged(&*log, &ann, None, ROWS_PER_PAGE_MAX);
    assert_eq!(whole.len(), 600);
    adds_up(&*log, &ann, &whole, &[chips()]);
    assert_eq!(whole[..4].iter().map(|line| line.change).collect::<Vec<_>>(), [-1, -1, 1, 2]);
    for limit in [1, 3, 199] {
        assert_eq!(paged(&*log, &ann, None, limit), whole, "pages of {limit}");
    }
    let first = log.statement(&ann, None, None, usize::MAX).expect("it can be read");
    assert_eq!(first.len(), ROWS_PER_PAGE_MAX);
    assert_eq!(log.statement(&ann, None, None, 0), Ok(Vec::new()));
    assert_eq!(log.statement(&ann, None, Some(0), 9), Ok(Vec::new()));
    assert_eq!(log.statement(&ann, None, Some(u64::MAX), 9), Ok(first[..9].to_vec()));
    fund(&*log, "ann", 5);
    let before = Some(first[9].no);
    assert_eq!(log.statement(&ann, None, before, 5), Ok(first[10..15].to_vec()), "nothing shifts");
}

/// What is not stored twice is not told twice; what is refused is not told.
pub fn a_retry_or_a_refusal_adds_no_line(rig: &mut dyn Rig) {
    fund(&*rig.store(), "ann", 10);
    open_table(&*rig.store(), "t");
    let pot = Owner::Table(table("t"));
    let bet = |seq, amount| Append {
        transfers: vec![move_for(Reason::Stake, &purse("ann"), &pot, amount)],
        ..saying("t", seq, "bet")
    };
    let rent = post("rent", vec![move_for(Reason::Fee, &purse("ann"), &Owner::House, 2)]);
    for _ in 0..3 {
        assert_eq!(rig.store().append(bet(1, 3)), Ok(2));
        assert_eq!(rig.store().write(rent.clone()), Ok(0));
        fund(&*rig.store(), "ann", 10);
        rig.crash();
    }
    assert_eq!(rig.store().append(bet(2, 6)).expect_err("too much").code(), "unfunded");
    assert_eq!(rig.store().append(bet(1, 4)).expect_err("another").code(), "conflict");
    let told: Vec<i64> = lines(&*rig.store(), &purse("ann")).iter().map(|line| line.change).collect();
    assert_eq!(told, [-2, -3, 10]);
    assert_eq!(lines(&*rig.store(), &pot).len(), 1);
}

/// A table that was swept is still named by the lines of those who played there.
pub fn a_statement_outlives_the_table(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 10);
    let pot = Owner::Table(table("t"));
    let stake = vec![move_for(Reason::Stake, &purse("ann"), &pot, 4)];
    assert_eq!(log.append(Append { transfers: stake, ..append("t", 0, vec![open(1)]) }), Ok(1));
    let transfers = vec![move_for(Reason::Payout, &pot, &purse("ann"), 4)];
    let state = Some(TableState::Finished);
    assert_eq!(log.append(Append { transfers, state, ..saying("t", 1, "end") }), Ok(2));
    // Nothing lies on this one, and tokens move with its entries all the same.
    let fee = vec![move_for(Reason::Fee, &purse("ann"), &Owner::House, 1)];
    let other = append("other", 0, vec![open(1)]);
    assert_eq!(log.append(Append { transfers: fee, state, ..other }), Ok(1));
    let before = lines(&*log, &purse("ann"));
    let tables: Vec<_> = before.iter().map(|line| line.table.clone()).collect();
    assert_eq!(tables, [Some(table("other")), Some(table("t")), Some(table("t")), None]);
    assert_eq!(log.sweep(1_000, 10), Ok(2));
    assert_eq!(lines(&*log, &purse("ann")), before);
    open_table(&*log, "t");
    rig.crash();
    assert_eq!(lines(&*rig.store(), &purse("ann")), before, "the name's next table is another one");
}
