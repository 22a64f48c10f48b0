//! Everything that a server does with tokens, at random, with retries and deaths of the process in between: against a
//! twin that saw each thing once.

use std::collections::BTreeMap;

use parlor_core::Rng;

use super::Rig;
use super::fixture::*;
use crate::accounts::Player;
use crate::error::WriteError;
use crate::id::HoldId;
use crate::ledger::{Owner, Transfer};
use crate::write::{Append, TableState, Write};

const PLAYERS: u32 = 8;
/// Tables at which a match runs at once, at most.
const TABLES_MAX: usize = 12;

/// A table at which a match runs.
struct Running {
    name: String,
    seq: u32,
    /// What each player has put there.
    put: BTreeMap<u32, i64>,
}

impl Running {
    fn pot(&self) -> i64 {
        self.put.values().sum()
    }

    fn owner(&self) -> Owner {
        Owner::Table(table(&self.name))
    }
}

/// What every account must hold, and how often each thing was done.
#[derive(Default)]
struct Twin {
    balances: BTreeMap<Owner, i64>,
    running: Vec<Running>,
    made: u32,
    /// The process dies once in so many writes.
    death_in: u32,
    done: BTreeMap<&'static str, u32>,
}

impl Twin {
    /// Whether everybody can pay; then all of it moves.
    fn moves(&mut self, transfers: &[Transfer]) -> bool {
        let mut changes: BTreeMap<&Owner, i64> = BTreeMap::new();
        for Transfer { from, to, amount, .. } in transfers {
            *changes.entry(from).or_default() -= amount;
            *changes.entry(to).or_default() += amount;
        }
        let after = |owner: &Owner, change: i64| self.balances.get(owner).copied().unwrap_or(0) + change;
        let well = changes.iter().all(|(owner, change)| after(owner, *change) >= 0 || **owner == Owner::Mint);
        for (owner, change) in changes.into_iter().filter(|_| well) {
            *self.balances.entry(owner.clone()).or_default() += change;
        }
        // What is empty again is looked at when it is emptied, and not for ever after.
        self.balances.retain(|owner, balance| *balance != 0 || matches!(owner, Owner::Player(_)));
        well
    }

    fn agrees(&self, rig: &dyn Rig) {
        for (owner, expected) in &self.balances {
            assert_eq!(balance(&*rig.store(), owner), *expected, "{owner}");
            assert!(*expected >= 0 || *owner == Owner::Mint, "{owner} owes {expected}");
            let last = rig.store().statement(owner, None, None, 1).expect("it can be read");
            assert_eq!(last.first().map_or(0, |line| line.balance), *expected, "{owner}");
        }
        assert_eq!(self.balances.values().sum::<i64>(), 0, "nothing appears, nothing vanishes");
        assert_eq!(rig.store().holds(None, 1), Ok(Vec::new()), "every hold was released");
        assert_eq!(rig.store().audit(), Ok(Vec::new()));
    }

    fn count(&mut self, what: &'static str, taken: bool) {
        *self.done.entry(if taken { what } else { "refused" }).or_default() += 1;
    }
}

fn somebody(rng: &mut Rng) -> u32 {
    rng.below(PLAYERS)
}

fn account(n: u32) -> Owner {
    purse(&format!("p{n}"))
}

/// Submits a write as a server in trouble does: perhaps the process dies before the write is stored, or after that and
/// before the acknowledgement; perhaps the acknowledgement is missed and the write is sent again. Whether it was taken.
fn press(rig: &mut dyn Rig, rng: &mut Rng, twin: &mut Twin, write: &Write) -> bool {
    if rng.below(twin.death_in) == 0 {
        rig.hold_back(true);
        drop(send(&*rig.store(), write.clone()));
        rig.crash();
        twin.count("death before it was stored", true);
    }
    let taken = |result: Result<u64, WriteError>| match result {
        Ok(_) => true,
        Err(WriteError::Unfunded { .. }) => false,
        Err(error) => panic!("{error} for {write:?}"),
    };
    let first = taken(rig.store().write(write.clone()));
    if rng.below(twin.death_in) == 0 {
        rig.crash();
        twin.count("death before the word", true);
    }
    for _ in 0..rng.below(8).saturating_sub(5) {
        twin.count("retry", true);
        assert_eq!(taken(rig.store().write(write.clone())), first, "the same again: {write:?}");
    }
    first
}

/// One match begins: everybody pays, or nobody does and there is no table.
fn open_staked(rig: &mut dyn Rig, rng: &mut Rng, twin: &mut Twin) {
    twin.made += 1;
    let name = format!("t{}", twin.made);
    let stake = i64::from(rng.roll_die(30));
    let mut put = BTreeMap::new();
    for _ in 0..2 + rng.below(3) {
        put.insert(somebody(rng), stake);
    }
    let running = Running { name: name.clone(), seq: 0, put };
    let pay = |n: &u32| move_chips(&account(*n), &running.owner(), stake);
    let transfers: Vec<Transfer> = running.put.keys().map(pay).collect();
    let write = Write::Append(Append { transfers: transfers.clone(), ..append(&name, 0, vec![open(1)]) });
    let taken = press(rig, rng, twin, &write);
    assert_eq!(twin.moves(&transfers), taken, "all can pay, or nobody does");
    assert_eq!(rig.store().table(&table(&name)).unwrap().is_some(), taken, "no table without its stakes");
    twin.count("stake", taken);
    if taken {
        twin.running.push(running);
    }
}

/// A record of a match with the tokens that move with it; whether it was taken.
fn note(
    rig: &mut dyn Rig,
    rng: &mut Rng,
    twin: &mut Twin,
    n: usize,
    transfers: &[Transfer],
    ends: bool,
) -> bool {
    let running = &mut twin.running[n];
    running.seq += 1;
    let mut append = saying(&running.name, running.seq, "x");
    append.transfers = transfers.to_vec();
    append.state = ends.then_some(TableState::Finished);
    let taken = press(rig, rng, twin, &Write::Append(append));
    assert_eq!(twin.moves(transfers), taken);
    twin.running[n].seq -= u32::from(!taken);
    taken
}

fn end(rig: &mut dyn Rig, rng: &mut Rng, twin: &mut Twin, n: usize) {
    let (pot, from) = (twin.running[n].pot(), twin.running[n].owner());
    let (what, transfers) = match rng.below(5) {
        0 => ("burn", vec![move_chips(&from, &Owner::Burn, pot)]),
        1 => {
            // Stopped: the store says what it owes to whom, and the twin knows.
            let due = rig.store().due(&table(&twin.running[n].name), &chips()).expect("it can be read");
            let owed: Vec<Transfer> = due
                .iter()
                .map(|(player, due)| move_chips(&from, &Owner::Player(player.clone()), *due))
                .collect();
            let expected: Vec<Transfer> =
                twin.running[n].put.iter().map(|(n, put)| move_chips(&from, &account(*n), *put)).collect();
            assert_eq!(owed, expected, "everybody gets back what is theirs");
            ("refund", owed)
        }
        2 if pot >= 10 => {
            let winner = *twin.running[n].put.keys().next().expect("somebody plays");
            let rake = pot / 10;
            let rake_first = move_chips(&from, &Owner::House, rake);
            ("pay-out", vec![rake_first, move_chips(&from, &account(winner), pot - rake)])
        }
        _ => {
            let winner = *twin.running[n].put.keys().last().expect("somebody plays");
            ("pay-out", vec![move_chips(&from, &account(winner), pot)])
        }
    };
    assert!(note(rig, rng, twin, n, &transfers, true), "what lies there can be paid");
    twin.count(what, true);
    assert_eq!(balance(&*rig.store(), &twin.running[n].owner()), 0);
    twin.running.swap_remove(n);
}

fn raise(rig: &mut dyn Rig, rng: &mut Rng, twin: &mut Twin, n: usize) {
    let who = *twin.running[n].put.keys().next().expect("somebody plays");
    let amount = i64::from(rng.roll_die(60));
    let transfers = [move_chips(&account(who), &twin.running[n].owner(), amount)];
    let taken = note(rig, rng, twin, n, &transfers, false);
    if taken {
        *twin.running[n].put.entry(who).or_default() += amount;
    }
    twin.count("raise", taken);
}

/// Set aside, and given back.
fn hold_and_release(rig: &mut dyn Rig, rng: &mut Rng, twin: &mut Twin) {
    twin.made += 1;
    let (n, amount) = (somebody(rng), i64::from(rng.roll_die(40)));
    let hold = HoldId::new(&format!("h{}", twin.made)).expect("a good name");
    let held = Owner::Hold(hold.clone());
    let ask = Write::hold(&hold, &player(&format!("p{n}")), &chips(), amount, 0);
    let taken = press(rig, rng, twin, &ask);
    assert_eq!(twin.moves(&[move_chips(&account(n), &held, amount)]), taken);
    twin.count("hold", taken);
    if taken {
        let back = Write::Release { hold, currency: chips(), to: account(n), at_ms: 0 };
        assert!(press(rig, rng, twin, &back));
        assert!(twin.moves(&[move_chips(&held, &account(n), amount)]));
    }
}

/// A gift with a new account, or a fee with a change of one.
fn account_pays(rig: &mut dyn Rig, rng: &mut Rng, twin: &mut Twin) {
    twin.made += 1;
    let n = somebody(rng);
    let id = player(&format!("p{n}"));
    let person = Player::new(id, &format!("name {}", twin.made), [n as u8; 32], 0);
    let gift = rng.below(3) > 0;
    let transfers = if gift {
        vec![move_chips(&Owner::Mint, &account(n), 10)]
    } else {
        vec![move_chips(&account(n), &Owner::Burn, 3)]
    };
    let key = format!("account {}", twin.made);
    let write = Write::PlayerPays { player: person, key, transfers: transfers.clone(), at_ms: 0 };
    let taken = press(rig, rng, twin, &write);
    assert_eq!(twin.moves(&transfers), taken);
    twin.count(if gift { "gift" } else { "fee" }, taken);
}

/// Stakes, raises, pay-outs, refunds, burns, holds, gifts and fees at random, some sent twice, the process dying in
/// between: conserved, nothing negative, nothing twice.
pub fn stakes_and_pay_outs_are_conserved(rig: &mut dyn Rig) {
    let total = size("PARLOR_SOAK_STAKES", 2_000);
    let mut rng = Rng::fast(11);
    // A death costs a copy of the whole store: in a long run they are rarer, and still hundreds.
    let death_in = (total as u32 / 150).max(24) * rig.crashes_rarer_by();
    let mut twin = Twin { death_in, ..Twin::default() };
    for n in 0..PLAYERS {
        fund(&*rig.store(), &format!("p{n}"), 200);
        assert!(twin.moves(&[move_chips(&Owner::Mint, &account(n), 200)]));
    }
    for step in 0..total {
        let tables = twin.running.len();
        match rng.below(10) {
            _ if tables >= TABLES_MAX => end(rig, &mut rng, &mut twin, 0),
            0..=3 => open_staked(rig, &mut rng, &mut twin),
            4..=6 if tables > 0 => {
                let n = rng.below(tables as u32) as usize;
                end(rig, &mut rng, &mut twin, n);
            }
            7 if tables > 0 => {
                let n = rng.below(tables as u32) as usize;
                raise(rig, &mut rng, &mut twin, n);
            }
            8 => hold_and_release(rig, &mut rng, &mut twin),
            _ => account_pays(rig, &mut rng, &mut twin),
        }
        if step % 200 == 0 {
            twin.agrees(rig);
        }
    }
    twin.agrees(rig);
    println!("{total} steps: {:?}", twin.done);
    for what in ["stake", "raise", "pay-out", "refund", "burn", "hold", "gift", "fee", "refused", "retry"] {
        assert!(twin.done.contains_key(what), "a run without a {what} shows little");
    }
    for what in ["death before it was stored", "death before the word"] {
        assert!(twin.done.contains_key(what), "a run without a {what} shows little");
    }
}
