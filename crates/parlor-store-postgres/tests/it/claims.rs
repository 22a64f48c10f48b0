//! Two processes and one table.

use parlor_store::conformance::{FIRST, append, open_table, said, saying, send, table};
use parlor_store::{Append, Epoch, MatchLog as _, Write, WriteError};

use crate::bench::{bench, open_as};

/// How often two owners race.
const RACES: u32 = 40;

fn by(epoch: u64, append: Append) -> Append {
    Append { epoch: Epoch(epoch), ..append }
}

/// Cites `seen_is_durable`.
#[test]
fn an_epoch_that_another_process_has_raised_fences_the_old_owner_off() {
    let Some(bench) = bench() else { return };
    let (old, new) = (bench.store.clone(), open_as(&bench.url(), "another"));
    for name in ["t", "neighbour"] {
        open_table(&*old, name);
    }
    assert_eq!(old.append(saying("t", 1, "a")), Ok(2));
    assert_eq!(new.claim(&table("t"), Epoch(2)), Ok(2));
    // The old owner's process has heard nothing of it, and its neighbours in the flush are not concerned.
    let sent = [saying("t", 2, "too late"), saying("neighbour", 1, "well")];
    let told = sent.map(|append| send(&*old, Write::Append(append))).map(|told| told.recv().expect("told"));
    assert_eq!(told, [Err(WriteError::Conflict { epoch: Epoch(2), seq: 2 }), Ok(2)]);
    assert_eq!(new.append(by(2, saying("t", 2, "b"))), Ok(3));
    assert_eq!(old.claim(&table("t"), FIRST), Err(WriteError::Conflict { epoch: Epoch(2), seq: 3 }));
    // And it takes the table back, with what the other one has written.
    assert_eq!(old.claim(&table("t"), Epoch(3)), Ok(3));
    assert_eq!(old.append(by(3, saying("t", 3, "c"))), Ok(4));
    assert_eq!(new.append(by(2, saying("t", 4, "too late"))).expect_err("fenced off").code(), "conflict");
    assert_eq!(said(&*old, "t"), ["a", "b", "c"]);
}

#[test]
fn a_claim_has_the_append_in_flight_or_refuses_it() {
    let Some(bench) = bench() else { return };
    let owners = [bench.store.clone(), open_as(&bench.url(), "another").into()];
    open_table(&*owners[0], "t");
    let (mut seq, mut stored) = (1, Vec::new());
    for race in 0..RACES {
        let (owner, thief) = (&owners[race as usize % 2], &owners[(race as usize + 1) % 2]);
        let (epoch, text) = (u64::from(race) + 1, format!("race {race}"));
        let put = send(&**owner, Write::Append(by(epoch, saying("t", seq, &text))));
        let taken = send(&**thief, Write::Claim { table: table("t"), epoch: Epoch(epoch + 1) });
        let (put, taken) = (put.recv().expect("told"), taken.recv().expect("told"));
        match put {
            Ok(_) => {
                seq += 1;
                stored.push(text);
            }
            Err(error) => assert_eq!(error.code(), "conflict"),
        }
        assert_eq!(taken, Ok(u64::from(seq)), "race {race}: the claim says what the table has");
    }
    assert_eq!(said(&*owners[0], "t"), stored);
}

#[test]
fn of_two_claimers_the_higher_epoch_writes() {
    let Some(bench) = bench() else { return };
    let claimers = [bench.store.clone(), open_as(&bench.url(), "another").into()];
    open_table(&*claimers[0], "t");
    for seq in 1..=RACES / 2 {
        let race = u64::from(seq);
        let claims =
            [2 * race, 2 * race + 1].map(|epoch| Write::Claim { table: table("t"), epoch: Epoch(epoch) });
        let mut claims = claims.into_iter();
        let sent = [0, 1].map(|n| send(&*claimers[n], claims.next().expect("there are two")));
        let told = sent.map(|told| told.recv().expect("told"));
        assert_eq!(told[1], Ok(race), "the higher one always gets it");
        let lower = claimers[0].append(by(2 * race, saying("t", seq, "lower")));
        assert_eq!(lower.expect_err("it was outbid").code(), "conflict");
        assert_eq!(claimers[1].append(by(2 * race + 1, saying("t", seq, "higher"))), Ok(race + 1));
    }
    assert_eq!(claimers[0].append(append("t", 0, Vec::new())).expect_err("outbid").code(), "conflict");
}

#[test]
fn what_all_nodes_move_is_summed() {
    use parlor_store::conformance::{balance, chips, fund, move_chips, post, purse};
    use parlor_store::{Accounts as _, Owner};

    let Some(bench) = bench() else { return };
    let (a, b) = (bench.store.clone(), open_as(&bench.url(), "another"));
    fund(&*a, "ann", 100);
    fund(&b, "bob", 100);
    for (store, key, who) in [(&*a, "rake/a", "ann"), (&b, "rake/b", "bob")] {
        store.write(post(key, vec![move_chips(&purse(who), &Owner::House, 30)])).expect("they can pay");
    }
    assert_eq!((balance(&*a, &Owner::Mint), balance(&b, &Owner::House)), (-200, 60));
    // More than either node has taken in: the sum counts, and no more than that.
    let pay = |key, amount| b.write(post(key, vec![move_chips(&Owner::House, &purse("ann"), amount)]));
    assert_eq!(pay("prize", 50), Ok(0));
    let unfunded = WriteError::Unfunded { owner: Owner::House, currency: chips(), balance: 10, needed: 11 };
    assert_eq!(pay("too much", 11), Err(unfunded));
    assert_eq!((balance(&*a, &Owner::House), a.audit()), (10, Ok(Vec::new())));
    let rows = "SELECT count(*) FROM parlor.account WHERE owner = 'house'";
    assert_eq!(bench.admin().number(rows), 2);
}
