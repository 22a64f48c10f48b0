//! Replay and restart: the log alone determines the match.

use parlor_core::{Match, Rng};
use parlor_host::Table;

use crate::random;
use crate::world::{Commit, Driven, Logged, World, moment, open_table};

/// Every match of the log replays to the digests of the original.
///
/// # Errors
/// The first difference.
pub fn replays<T: Driven>(world: &World<T>) -> Result<(), String> {
    for Logged { header, records } in &world.log {
        let replayed =
            Match::replay(world.plan.def, header.clone(), records.clone()).map_err(|e| e.to_string())?;
        let last = world
            .moments
            .iter()
            .rev()
            .find(|m| m.match_no == header.match_no && m.seq as usize == records.len());
        if last.is_some_and(|last| last.digest != replayed.digest()) {
            return Err(format!("same_log_same_bytes: match {} replays to another digest", header.match_no));
        }
        one_step_further(&replayed, header, records)?;
    }
    Ok(())
}

/// A record gives the same result on a copy and on the original.
fn one_step_further(
    done: &Match,
    header: &parlor_core::Header,
    records: &[parlor_core::Record],
) -> Result<(), String> {
    let mut original = Match::start(*done.def(), header.clone()).map_err(|refusal| refusal.to_string())?.0;
    for record in records {
        let mut copy = original.as_twin(original.game().fork());
        let again =
            |play: &mut Match| play.apply(record.at, record.by, record.key.clone(), record.body.clone());
        let (first, second) = (again(&mut original), again(&mut copy));
        // An undo on a copy has no checkpoints and replays from the start: the result must be the same.
        if first != second || original.digest() != copy.digest() {
            return Err(format!("clone = original: record {} changes a copy differently", record.seq));
        }
    }
    if original.digest() != done.digest() {
        return Err("same_log_same_bytes: two replays differ".to_owned());
    }
    Ok(())
}

/// The same commands at the same times send the same bytes to every viewer.
///
/// # Errors
/// The first message that differs.
pub fn same_bytes(world: &World) -> Result<(), String> {
    let (table, effects) = open_table(&world.plan);
    let mut again = World::around(world.plan.clone(), table, effects, Commit::AtOnce);
    let script = &world.script[again.script.len()..];
    for (at, command) in script {
        again.now = *at;
        again.handle(command.clone());
    }
    let differs = world.sent.iter().zip(&again.sent).find(|(a, b)| a != b);
    if let Some((first, second)) = differs {
        return Err(format!("same_log_same_bytes: {} differs from {}", first.bytes, second.bytes));
    }
    if world.sent.len() != again.sent.len() {
        return Err("same_log_same_bytes: a second run sends another number of messages".to_owned());
    }
    Ok(())
}

/// A table that is killed after each record and loaded again has the same state, and goes on to an end.
///
/// # Errors
/// The first difference.
pub fn after_every_record(world: &World, rng: &mut Rng) -> Result<u64, String> {
    let mut restarts = 0;
    for Logged { header, records } in &world.log {
        for cut in 0..=records.len() {
            let loaded = Table::load(
                world.plan.def,
                world.plan.root(),
                header.clone(),
                records[..cut].to_vec(),
                parlor_core::Json::Null,
                1_000_000,
            );
            let (table, effects) = loaded.map_err(|error| format!("restart after record {cut}: {error}"))?;
            restarts += 1;
            let then = world.moments.iter().find(|m| m.match_no == header.match_no && m.seq as usize == cut);
            let now = moment(&table);
            // Loading may start the next match at once, or expire a clock that was due: then the states are not
            // comparable.
            if let Some(then) = then.filter(|then| (then.match_no, then.seq) == (now.match_no, now.seq))
                && *then != now
            {
                return Err(format!("restart after record {cut}: {then:?} comes back as {now:?}"));
            }
            if rng.below(12) == 0 {
                let mut again = World::around(world.plan.clone(), table, effects, Commit::AtOnce);
                again.log = vec![Logged { header: header.clone(), records: records[..cut].to_vec() }];
                goes_on(&mut again, rng)?;
            }
        }
    }
    Ok(restarts)
}

fn goes_on(world: &mut World, rng: &mut Rng) -> Result<(), String> {
    world.now = 1_000_000;
    // The accounts of the world before the restart are not known here: only later postings are compared.
    let before = world.view().current_match().escrow();
    world.accounts.insert("table".to_owned(), before);
    world.accounts.insert("before".to_owned(), -before);
    random::play_out(world, rng);
    match world.violations.first() {
        Some(violation) => Err(format!("after a restart: {violation}")),
        None if !world.view().finished() => Err("after a restart the match does not end".to_owned()),
        None => Ok(()),
    }
}
