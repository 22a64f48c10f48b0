//! Holds: set aside for one purpose, spent by what names them, given back whole.

use super::Rig;
use super::fixture::*;
use crate::accounts::OpenHold;
use crate::error::WriteError;
use crate::id::Currency;
use crate::ledger::{Owner, Reason, Transfer};
use crate::store::Store;
use crate::write::{Append, Epoch, Write};

fn held(name: &str) -> Owner {
    Owner::Hold(hold(name))
}

fn pot(name: &str) -> Owner {
    Owner::Table(table(name))
}

/// Sets chips of Ann aside.
fn hold_for_ann(log: &dyn Store, name: &str, amount: i64) {
    assert_eq!(log.write(Write::hold(&hold(name), &player("ann"), &chips(), amount, 0)), Ok(0));
}

/// Ann sits down at a table with part of a hold, and gets the rest back.
fn sits_down(at: &str, seq: u32, name: &str, buy_in: i64, rest: i64) -> Append {
    let mut transfers = vec![move_for(Reason::BuyIn, &held(name), &pot(at), buy_in)];
    if rest > 0 {
        transfers.push(move_for(Reason::Release, &held(name), &purse("ann"), rest));
    }
    Append { transfers, ..saying(at, seq, "sits down") }
}

/// What Ann, her hold and the table have.
fn shares(log: &dyn Store, name: &str, at: &str) -> (i64, i64, i64) {
    (balance(log, &purse("ann")), balance(log, &held(name)), balance(log, &pot(at)))
}

fn listed(log: &dyn Store) -> Vec<(String, i64)> {
    let holds = log.holds(None, 100).expect("it can be read");
    holds.iter().map(|open| (open.hold.to_string(), open.amount)).collect()
}

/// The buy-in goes to the table and the rest to the player, with the entry that seats them: all or nothing, and once.
pub fn an_append_takes_from_a_hold_and_gives_the_rest_back(rig: &mut dyn Rig) {
    fund(&*rig.store(), "ann", 100);
    open_table(&*rig.store(), "t");
    hold_for_ann(&*rig.store(), "h", 60);
    for _ in 0..2 {
        assert_eq!(rig.store().append(sits_down("t", 1, "h", 50, 10)), Ok(2));
        assert_eq!(shares(&*rig.store(), "h", "t"), (50, 0, 50), "a retry moves nothing");
        rig.crash();
    }
    assert_eq!(listed(&*rig.store()), []);
    hold_for_ann(&*rig.store(), "h", 60);
    assert_eq!(shares(&*rig.store(), "h", "t"), (50, 0, 50), "asking again is no second hold");
    assert_eq!(rig.store().audit(), Ok(Vec::new()));
}

/// A hold pays what is in it, and nothing once it was released.
pub fn a_hold_that_is_too_small_or_gone_pays_nothing(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 100);
    open_table(&*log, "t");
    hold_for_ann(&*log, "h", 60);
    let unfunded =
        |balance, needed| WriteError::Unfunded { owner: held("h"), currency: chips(), balance, needed };
    assert_eq!(log.append(sits_down("t", 1, "h", 61, 0)), Err(unfunded(60, 61)));
    assert_eq!(log.append(sits_down("t", 1, "h", 50, 11)), Err(unfunded(60, 61)));
    assert_eq!((shares(&*log, "h", "t"), said(&*log, "t").len()), ((40, 60, 0), 0));
    let release = Write::Release { hold: hold("h"), currency: chips(), to: purse("ann"), at_ms: 0 };
    assert_eq!(log.write(release), Ok(0));
    assert_eq!(log.append(sits_down("t", 1, "h", 50, 10)), Err(unfunded(0, 60)));
    assert_eq!((shares(&*log, "h", "t"), said(&*log, "t").len()), ((100, 0, 0), 0));
    assert_eq!(log.append(sits_down("t", 1, "never", 1, 0)).expect_err("no such hold").code(), "unfunded");
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// Whatever keeps an append from being stored keeps its hold as it was: a stale place, another owner, a neighbour who
/// cannot pay, a crash.
pub fn a_refused_append_leaves_its_hold_untouched(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 100);
    open_table(&*log, "t");
    hold_for_ann(&*log, "h", 60);
    let good = sits_down("t", 1, "h", 50, 10);
    let mut bob_too = good.clone();
    bob_too.transfers.push(move_for(Reason::Stake, &purse("bob"), &pot("t"), 1));
    let stale = Append { expected_seq: 0, ..good.clone() };
    let early = Append { expected_seq: 5, ..good.clone() };
    let fenced = Append { epoch: Epoch(9), ..good.clone() };
    for (refused, code) in
        [(bob_too, "unfunded"), (stale, "conflict"), (early, "conflict"), (fenced, "conflict")]
    {
        assert_eq!(log.append(refused).expect_err("refused").code(), code);
        assert_eq!(shares(&*log, "h", "t"), (40, 60, 0));
        assert_eq!(listed(&*log), [("h".to_owned(), 60)]);
    }
    rig.hold_back(true);
    drop(send(&*rig.store(), Write::Append(good.clone())));
    rig.crash();
    assert_eq!(shares(&*rig.store(), "h", "t"), (40, 60, 0), "it was never stored");
    assert_eq!(rig.store().append(good), Ok(2));
    assert_eq!(shares(&*rig.store(), "h", "t"), (50, 0, 50));
    assert_eq!(rig.store().audit(), Ok(Vec::new()));
}

/// Two tables want the same hold in the same flush, or one after the other: the first gets it, the other nothing.
pub fn of_two_appends_that_want_one_hold_one_gets_it(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 300);
    for name in ["a", "b"] {
        open_table(&*log, name);
    }
    hold_for_ann(&*log, "h", 60);
    rig.hold_back(true);
    let sent = ["a", "b"].map(|at| send(&*log, Write::Append(sits_down(at, 1, "h", 50, 10))));
    rig.hold_back(false);
    let [a, b] = sent.map(|told| told.recv().expect("it is told"));
    assert_eq!((a, b.expect_err("it is spent").code()), (Ok(2), "unfunded"));
    assert_eq!((shares(&*log, "h", "a"), balance(&*log, &pot("b"))), ((250, 0, 50), 0));
    assert_eq!((said(&*log, "a").len(), said(&*log, "b").len()), (1, 0));

    // An append against a release: the first one is taken.
    hold_for_ann(&*log, "h2", 60);
    let release = Write::Release { hold: hold("h2"), currency: chips(), to: purse("ann"), at_ms: 0 };
    rig.hold_back(true);
    let gone = send(&*log, release);
    let late = send(&*log, Write::Append(sits_down("b", 1, "h2", 50, 10)));
    rig.hold_back(false);
    assert_eq!(gone.recv().expect("it is told"), Ok(0));
    assert_eq!(late.recv().expect("it is told").expect_err("it is released").code(), "unfunded");
    assert_eq!((listed(&*log), log.audit()), (Vec::new(), Ok(Vec::new())));
}

/// A hold is spent by transfers and releases that name it, however short anything else is.
pub fn a_hold_pays_only_for_what_names_it(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 100);
    open_table(&*log, "t");
    hold_for_ann(&*log, "h1", 60);
    hold_for_ann(&*log, "h2", 30);
    let refused = |write: Write| assert_eq!(log.write(write).expect_err("refused").code(), "unfunded");
    refused(post("rent", vec![move_chips(&purse("ann"), &Owner::House, 11)]));
    refused(Write::Append(sits_down("t", 1, "h2", 31, 0)));
    refused(Write::hold(&hold("h3"), &player("ann"), &chips(), 11, 0));
    assert_eq!(log.append(sits_down("t", 1, "h2", 30, 0)), Ok(2));
    refused(Write::Append(Append {
        transfers: vec![move_chips(&pot("t"), &Owner::House, 31)],
        ..saying("t", 2, "more than lies there")
    }));
    let other = Write::Release { hold: hold("h2"), currency: chips(), to: purse("ann"), at_ms: 0 };
    assert_eq!(log.write(other), Ok(0), "nothing is left of that one");
    assert_eq!((shares(&*log, "h1", "t"), listed(&*log)), ((10, 60, 30), vec![("h1".to_owned(), 60)]));
}

/// Play money: the house fills an account up and sets its tokens aside in one write, which is judged by its sum.
pub fn a_hold_may_be_filled_up_by_the_house_first(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 15);
    let refill = move_for(Reason::Refill, &Owner::Mint, &purse("ann"), 85);
    let aside = move_for(Reason::Hold, &purse("ann"), &held("h"), 100);
    let ask = post("hold/h", vec![refill, aside]);
    for _ in 0..2 {
        assert_eq!(log.write(ask.clone()), Ok(0));
        assert_eq!((balance(&*log, &purse("ann")), balance(&*log, &held("h"))), (0, 100));
    }
    // In whatever order, and not for one token more than there is.
    let refill = move_for(Reason::Refill, &Owner::Mint, &purse("ann"), 100);
    let aside = |amount| move_for(Reason::Hold, &purse("ann"), &held("h2"), amount);
    let short = post("hold/h2", vec![aside(101), refill.clone()]);
    assert_eq!(log.write(short).expect_err("one too many").code(), "unfunded");
    assert_eq!(balance(&*log, &Owner::Mint), -100, "a refused refill mints nothing");
    assert_eq!(log.write(post("hold/h2", vec![aside(100), refill])), Ok(0));
    let lines = log.statement(&purse("ann"), None, None, 2).expect("it can be read");
    let told: Vec<_> = lines.iter().map(|line| (line.reason, line.change, line.balance)).collect();
    assert_eq!(told, [(Reason::Hold, -100, 0), (Reason::Refill, 100, 100)]);
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// A server that starts finds every hold that still has something, in pages, and no other.
pub fn holds_that_have_something_are_listed_with_their_payers(rig: &mut dyn Rig) {
    let log = rig.store();
    assert_eq!(log.holds(None, 10), Ok(Vec::new()));
    let gems = Currency::new("gems").expect("a good name");
    for (n, name) in ["ann", "bob"].into_iter().enumerate() {
        fund(&*log, name, 100);
        let gift = Transfer { currency: gems.clone(), ..move_chips(&Owner::Mint, &purse(name), 100) };
        assert_eq!(log.write(post(&format!("gems {n}"), vec![gift])), Ok(0));
    }
    let set = |name: &str, of: &str, amount, at_ms| {
        assert_eq!(log.write(Write::hold(&hold(name), &player(of), &chips(), amount, at_ms)), Ok(0));
    };
    set("c", "bob", 3, 30);
    set("a", "ann", 1, 10);
    set("b", "ann", 2, 20);
    set("spent", "ann", 5, 40);
    let pays = |key: &str, transfer, at_ms| {
        let transfers = vec![transfer];
        assert_eq!(log.write(Write::Post { key: key.to_owned(), transfers, at_ms }), Ok(0));
    };
    // A second currency, and more of the first: the one who paid first is named.
    pays("b gems", Transfer { currency: gems.clone(), ..move_chips(&purse("bob"), &held("b"), 7) }, 50);
    pays("b more", move_chips(&purse("bob"), &held("b"), 2), 60);
    let release = |name: &str| {
        let to = purse("ann");
        assert_eq!(log.write(Write::Release { hold: hold(name), currency: chips(), to, at_ms: 70 }), Ok(0));
    };
    release("spent");
    let open = |name: &str, currency: &Currency, amount, payer: &str, at_ms| OpenHold {
        hold: hold(name),
        currency: currency.clone(),
        amount,
        payer: purse(payer),
        at_ms,
    };
    let mut all = vec![
        open("a", &chips(), 1, "ann", 10),
        open("b", &chips(), 4, "ann", 20),
        open("b", &gems, 7, "bob", 50),
        open("c", &chips(), 3, "bob", 30),
    ];
    assert_eq!(log.holds(None, 10), Ok(all.clone()));
    assert_eq!(log.holds(None, 0), Ok(Vec::new()));
    assert_eq!(log.holds(None, 2), Ok(all[..3].to_vec()), "a hold is not cut");
    assert_eq!(log.holds(Some(&hold("a")), 1), Ok(all[1..3].to_vec()));
    assert_eq!(log.holds(Some(&hold("b")), 9), Ok(all[3..].to_vec()));
    assert_eq!(log.holds(Some(&hold("c")), 9), Ok(Vec::new()));

    // Emptied, and filled by somebody else: theirs from then on.
    release("a");
    assert_eq!(log.holds(None, 10), Ok(all[1..].to_vec()));
    pays("a again", move_chips(&purse("bob"), &held("a"), 9), 80);
    all[0] = open("a", &chips(), 9, "bob", 80);
    rig.crash();
    assert_eq!(rig.store().holds(None, 10), Ok(all));
    assert_eq!(rig.store().audit(), Ok(Vec::new()));
}

/// Who sat down with a hold put it on the table: they get it back when the table stops.
pub fn what_came_out_of_a_hold_is_due_to_its_payer(rig: &mut dyn Rig) {
    let log = rig.store();
    for name in ["ann", "bob"] {
        fund(&*log, name, 100);
    }
    open_table(&*log, "t");
    hold_for_ann(&*log, "h", 60);
    assert_eq!(log.append(sits_down("t", 1, "h", 50, 10)), Ok(2));
    let bob = vec![move_for(Reason::BuyIn, &purse("bob"), &pot("t"), 20)];
    assert_eq!(log.append(Append { transfers: bob, ..saying("t", 2, "bob") }), Ok(3));
    // The name's next owner has nothing to do with what was paid under it before.
    let next = post("h again", vec![move_chips(&purse("bob"), &held("h"), 5)]);
    assert_eq!(log.write(next), Ok(0));
    let due = || log.due(&table("t"), &chips());
    assert_eq!(due(), Ok(vec![(player("ann"), 50), (player("bob"), 20)]));
    let home = vec![move_for(Reason::CashOut, &pot("t"), &purse("ann"), 30)];
    assert_eq!(log.append(Append { transfers: home, ..saying("t", 3, "home") }), Ok(4));
    assert_eq!(due(), Ok(vec![(player("ann"), 20), (player("bob"), 20)]));
}
