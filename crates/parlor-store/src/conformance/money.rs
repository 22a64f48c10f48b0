//! Tokens: none appears, none vanishes, none is paid twice.

use std::collections::BTreeMap;

use parlor_core::Rng;

use super::Rig;
use super::fixture::*;
use crate::error::WriteError;
use crate::id::Currency;
use crate::ledger::{AMOUNT_MAX, Owner, Reason, Transfer};
use crate::store::Store;
use crate::write::{Append, Write};

/// Entry and tokens are one: both or neither, and once.
pub fn tokens_move_with_their_entries(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 10);
    open_table(&*log, "t");
    let pot = Owner::Table(table("t"));
    let bet = |seq, amount| Append {
        transfers: vec![move_chips(&purse("ann"), &pot, amount)],
        ..saying("t", seq, "bet")
    };
    assert_eq!(log.append(bet(1, 6)), Ok(2));
    let unfunded = WriteError::Unfunded { owner: purse("ann"), currency: chips(), balance: 4, needed: 5 };
    assert_eq!(log.append(bet(2, 5)), Err(unfunded));
    assert_eq!((said(&*log, "t").len(), balance(&*log, &pot)), (1, 6));
    assert_eq!(log.append(bet(1, 6)), Ok(2), "a retry moves nothing");
    assert_eq!(log.append(bet(1, 4)).expect_err("other tokens").code(), "conflict");
    assert_eq!(log.append(saying("t", 1, "bet")).expect_err("no tokens").code(), "conflict");
    // One event: what comes in with it may go out with it.
    let through = vec![move_chips(&pot, &Owner::House, 10), move_chips(&purse("ann"), &pot, 4)];
    assert_eq!(log.append(Append { transfers: through, ..saying("t", 2, "all in") }), Ok(3));
    assert_eq!((balance(&*log, &pot), balance(&*log, &Owner::House)), (0, 10));
    let bare = Append { transfers: vec![move_chips(&Owner::House, &pot, 1)], ..append("t", 3, Vec::new()) };
    assert_eq!(log.append(bare).expect_err("tokens without an entry").code(), "malformed");
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// A buy-in is set aside under a name, may be refused, becomes chips with its record, or goes back.
pub fn a_hold_is_made_once_and_released_whole(rig: &mut dyn Rig) {
    let log = rig.store();
    fund(&*log, "ann", 100);
    open_table(&*log, "t");
    let held = Owner::Hold(hold("h1"));
    let ask = Write::hold(&hold("h1"), &player("ann"), &chips(), 60, 0);
    assert_eq!((log.write(ask.clone()), log.write(ask.clone())), (Ok(0), Ok(0)));
    assert_eq!((balance(&*log, &purse("ann")), balance(&*log, &held)), (40, 60));
    let more = Write::hold(&hold("h2"), &player("ann"), &chips(), 60, 0);
    assert_eq!(log.write(more).expect_err("too much").code(), "unfunded");
    let other = Write::hold(&hold("h1"), &player("ann"), &chips(), 30, 0);
    assert_eq!(log.write(other), Err(WriteError::KeyReused("hold/h1".to_owned())));

    let transfers = vec![move_chips(&held, &Owner::Table(table("t")), 50)];
    assert_eq!(log.append(Append { transfers, ..saying("t", 1, "sits down") }), Ok(2));
    let release = Write::Release { hold: hold("h1"), currency: chips(), to: purse("ann"), at_ms: 0 };
    for _ in 0..2 {
        assert_eq!(log.write(release.clone()), Ok(0));
        assert_eq!((balance(&*log, &purse("ann")), balance(&*log, &held)), (50, 0));
    }
    assert_eq!(log.write(ask), Ok(0), "asking late for a hold that is over is no new one");
    assert_eq!(balance(&*log, &held), 0);
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// A key stands for one event, for ever.
pub fn nothing_is_paid_twice(rig: &mut dyn Rig) {
    fund(&*rig.store(), "ann", 10);
    let pay = post("rent", vec![move_chips(&purse("ann"), &Owner::House, 4)]);
    for _ in 0..3 {
        assert_eq!(rig.store().write(pay.clone()), Ok(0));
        rig.crash();
    }
    assert_eq!(balance(&*rig.store(), &Owner::House), 4);
    let other = post("rent", vec![move_chips(&purse("ann"), &Owner::House, 5)]);
    assert_eq!(rig.store().write(other), Err(WriteError::KeyReused("rent".to_owned())));
    let refused = post("too much", vec![move_chips(&purse("ann"), &Owner::House, 7)]);
    assert_eq!(rig.store().write(refused.clone()).expect_err("he has six").code(), "unfunded");
    let top_up = post("top-up", vec![move_chips(&Owner::Mint, &purse("ann"), 1)]);
    assert_eq!(rig.store().write(top_up), Ok(0));
    assert_eq!(rig.store().write(refused), Ok(0), "a refusal uses no key up");
}

/// Nobody owes anything; what is burnt is gone; amounts have a limit.
pub fn only_the_mint_is_below_zero(rig: &mut dyn Rig) {
    let log = rig.store();
    let refused = |transfer, code: &str| {
        let key = format!("{transfer:?}").chars().take(200).collect::<String>();
        assert_eq!(log.write(post(&key, vec![transfer])).expect_err("refused").code(), code);
    };
    for owner in [Owner::House, purse("ann"), Owner::Table(table("t")), Owner::Hold(hold("h"))] {
        refused(move_chips(&owner, &purse("bob"), 1), "unfunded");
    }
    let give = post("give", vec![move_chips(&Owner::Mint, &Owner::Burn, 5)]);
    assert_eq!(log.write(give), Ok(0));
    refused(move_chips(&Owner::Burn, &purse("ann"), 1), "malformed");
    refused(move_chips(&Owner::Mint, &purse("ann"), 0), "malformed");
    refused(move_chips(&Owner::Mint, &purse("ann"), -1), "malformed");
    refused(move_chips(&Owner::Mint, &purse("ann"), AMOUNT_MAX), "malformed");
    assert_eq!((balance(&*log, &Owner::Mint), balance(&*log, &Owner::Burn)), (-5, 5));
    assert_eq!(log.audit(), Ok(Vec::new()));
}

/// `tokens` and `play` are two worlds of one ledger: after every write each adds up to nothing by itself, and nobody
/// pays in one with the other.
pub fn no_write_turns_one_currency_into_another(rig: &mut dyn Rig) {
    let log = rig.store();
    let worlds = ["tokens", "play"].map(|name| Currency::new(name).expect("a good name"));
    let [tokens, play] = &worlds;
    let names = ["ann", "bob"];
    let pot = Owner::Table(table("t"));
    let held = Owner::Hold(hold("h"));
    let everybody = [purse("ann"), purse("bob"), pot.clone(), held.clone(), Owner::Mint, Owner::House];
    let check = |expected: [i64; 2]| {
        for (currency, minted) in worlds.iter().zip(expected) {
            let of = |owner: &Owner| log.balance(owner, currency).expect("it can be read");
            assert_eq!(everybody.iter().map(of).sum::<i64>(), 0, "all {currency} together");
            assert_eq!(of(&Owner::Mint), -minted, "{currency}");
        }
        assert_eq!(log.audit(), Ok(Vec::new()));
    };
    let pay = |currency: &Currency, from: &Owner, to: &Owner, amount| Transfer {
        currency: currency.clone(),
        ..move_for(Reason::Other, from, to, amount)
    };
    for name in names {
        let gifts =
            vec![pay(tokens, &Owner::Mint, &purse(name), 5), pay(play, &Owner::Mint, &purse(name), 1_000)];
        assert_eq!(log.write(post(&format!("gifts {name}"), gifts)), Ok(0));
    }
    check([10, 2_000]);
    let rich_in_play = post("rich", vec![pay(tokens, &purse("ann"), &Owner::House, 6)]);
    let unfunded =
        WriteError::Unfunded { owner: purse("ann"), currency: tokens.clone(), balance: 5, needed: 6 };
    assert_eq!(log.write(rich_in_play), Err(unfunded));
    let exchange = post(
        "exchange",
        vec![pay(play, &purse("ann"), &Owner::House, 100), pay(tokens, &Owner::House, &purse("ann"), 1)],
    );
    assert_eq!(log.write(exchange).expect_err("the house has no tokens").code(), "unfunded");
    check([10, 2_000]);
    open_table(&*log, "t");
    let both = vec![pay(tokens, &purse("ann"), &pot, 5), pay(play, &purse("bob"), &pot, 40)];
    assert_eq!(log.append(Append { transfers: both, ..saying("t", 1, "stakes") }), Ok(2));
    check([10, 2_000]);
    let crossed = vec![pay(tokens, &pot, &purse("bob"), 40)];
    let crossed = Append { transfers: crossed, ..saying("t", 2, "crossed") };
    assert_eq!(log.append(crossed).expect_err("five tokens lie there").code(), "unfunded");
    assert_eq!(log.write(Write::hold(&hold("h"), &player("bob"), play, 60, 0)), Ok(0));
    let wrong = Write::Release { hold: hold("h"), currency: tokens.clone(), to: purse("ann"), at_ms: 0 };
    assert_eq!(log.write(wrong), Ok(0), "there are no tokens in it");
    assert_eq!((log.balance(&held, play), log.balance(&purse("ann"), tokens)), (Ok(60), Ok(0)));
    check([10, 2_000]);
    let lines = log.statement(&purse("bob"), Some(tokens), None, 9).expect("it can be read");
    assert_eq!(lines.iter().map(|line| line.balance).collect::<Vec<_>>(), [5]);
}

/// A slow twin of the books: what every account must hold.
#[derive(Default)]
struct Twin(BTreeMap<Owner, i64>);

impl Twin {
    fn moves(&mut self, transfers: &[Transfer]) {
        for Transfer { from, to, amount, .. } in transfers {
            *self.0.entry(from.clone()).or_default() -= amount;
            *self.0.entry(to.clone()).or_default() += amount;
        }
    }

    fn agrees(&self, log: &dyn Store) {
        for (owner, expected) in &self.0 {
            assert_eq!(balance(log, owner), *expected, "{owner}");
            let last = log.statement(owner, None, None, 1).expect("it can be read");
            assert_eq!(last.first().map_or(0, |line| line.balance), *expected, "{owner}");
        }
        assert_eq!(self.0.values().sum::<i64>(), 0);
        assert_eq!(log.audit(), Ok(Vec::new()));
    }
}

const TABLES: u32 = 4;
const PLAYERS: u32 = 6;
/// Writes handed in before anybody waits for a word.
const BURST: u32 = 40;

/// Random payments, with and without entries, sent in bursts, some twice, the store crashing in between, every lost
/// one sent again: at every stop all books agree with a twin that saw each payment once.
pub fn tokens_are_conserved_over_random_postings(rig: &mut dyn Rig) {
    let total = size("PARLOR_SOAK_POSTINGS", 10_000);
    let mut rng = Rng::fast(7);
    let mut twin = Twin::default();
    for n in 0..PLAYERS {
        fund(&*rig.store(), &format!("p{n}"), 1_000);
        twin.moves(&[move_chips(&Owner::Mint, &purse(&format!("p{n}")), 1_000)]);
    }
    let mut seqs = [0; TABLES as usize];
    for n in 0..TABLES {
        open_table(&*rig.store(), &format!("t{n}"));
    }
    let (mut sent, mut crashes) = (0, 0);
    while sent < total {
        let burst: Vec<Write> = (0..=rng.below(BURST)).map(|_| payment(&mut rng, &mut sent)).collect();
        let crash = rng.below(8 * rig.crashes_rarer_by()) == 0;
        crashes += usize::from(crash);
        settle(rig, &mut rng, &mut twin, &mut seqs, burst, crash);
    }
    twin.agrees(&*rig.store());
    assert!(crashes > 0, "a run without a crash shows little");
    for (n, seq) in seqs.iter().enumerate() {
        assert_eq!(said(&*rig.store(), &format!("t{n}")).len(), (*seq as usize).min(4095), "table {n}");
    }
}

fn payment(rng: &mut Rng, sent: &mut usize) -> Write {
    *sent += 1;
    let any = |rng: &mut Rng| match rng.below(8) {
        0 => Owner::House,
        n if n < 4 => Owner::Table(table(&format!("t{}", rng.below(TABLES)))),
        _ => purse(&format!("p{}", rng.below(PLAYERS))),
    };
    let transfer = |rng: &mut Rng| {
        let (from, to) = (any(rng), if rng.below(30) == 0 { Owner::Burn } else { any(rng) });
        move_chips(&from, &to, i64::from(rng.roll_die(200)))
    };
    let transfers = (0..rng.roll_die(3)).map(|_| transfer(rng)).collect();
    if rng.flip_coin() {
        return post(&format!("payment {sent}"), transfers);
    }
    // Its place is found when it is sent.
    let name = format!("t{}", rng.below(TABLES));
    Write::Append(Append { transfers, ..saying(&name, 0, &format!("payment {sent}")) })
}

/// Sends a burst, and what was lost of it again, one by one, until every payment is made or refused.
fn settle(
    rig: &mut dyn Rig,
    rng: &mut Rng,
    twin: &mut Twin,
    seqs: &mut [u32],
    burst: Vec<Write>,
    crash: bool,
) {
    let mut open = Vec::new();
    rig.hold_back(crash);
    for write in burst {
        let write = placed(write, seqs);
        let told = send(&*rig.store(), write.clone());
        // One place for each table at a time: the next append waits for this one's end.
        if crash {
            open.push(write);
        } else {
            end(told.recv().expect("it is told"), &write, twin, seqs);
            if rng.below(4) == 0 {
                again(&*rig.store(), &write);
            }
        }
    }
    if crash {
        rig.crash();
        for write in open {
            let write = placed(write, seqs);
            end(rig.store().write(write.clone()), &write, twin, seqs);
        }
        twin.agrees(&*rig.store());
    }
}

/// The same payment, at the place where its table stands.
fn placed(write: Write, seqs: &[u32]) -> Write {
    let Write::Append(append) = write else { return write };
    let n: usize = append.table.as_str()[1..].parse().expect("t and a number");
    let text = format!("{:?}", append.transfers);
    let name = append.table.as_str();
    Write::Append(Append { transfers: append.transfers.clone(), ..saying(name, seqs[n] + 1, &text) })
}

fn end(result: Result<u64, WriteError>, write: &Write, twin: &mut Twin, seqs: &mut [u32]) {
    match (result, write) {
        (Ok(_), Write::Append(append)) => {
            twin.moves(&append.transfers);
            let n: usize = append.table.as_str()[1..].parse().expect("t and a number");
            seqs[n] += 1;
        }
        (Ok(_), Write::Post { transfers, .. }) => twin.moves(transfers),
        (Err(WriteError::Unfunded { .. }), _) => {}
        (result, write) => panic!("{result:?} for {write:?}"),
    }
}

/// The sender missed the acknowledgement and retries: nothing moves, whatever the answer was.
fn again(log: &dyn Store, write: &Write) {
    let before: Vec<i64> = (0..PLAYERS).map(|n| balance(log, &purse(&format!("p{n}")))).collect();
    match log.write(write.clone()) {
        Ok(_) | Err(WriteError::Unfunded { .. }) => {}
        Err(error) => panic!("{error} for {write:?}"),
    }
    let after: Vec<i64> = (0..PLAYERS).map(|n| balance(log, &purse(&format!("p{n}")))).collect();
    assert_eq!(before, after);
}
