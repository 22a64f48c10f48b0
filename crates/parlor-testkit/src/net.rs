//! A network that drops, repeats and reconnects, and a store that loses unsafe writes: no answer may be lost or
//! applied twice.

use std::collections::{BTreeMap, BTreeSet};

use parlor_core::{AskKind, Body, Rng, Seat, Viewer};
use parlor_host::{AnswerTarget, Command, Submit, Table};

use crate::client::Client;
use crate::world::{Commit, Driven, Logged, Plan, World, open_table, seats, test_luck};

const STEPS: usize = 160;

/// A submission whose reply its client has not received yet.
#[derive(Clone)]
struct Open {
    seat: Seat,
    submit: Submit,
}

/// Clients with unreliable connections retry with their keys until they get a reply. Every key is in the log at most
/// once, every accepted key is there, and in the end every client's folded view equals the server's.
///
/// # Errors
/// What was lost or applied twice.
pub fn faulty_network(plan: &Plan, seed: u64) -> Result<(), String> {
    let mut rng = test_luck(seed ^ 0xbad_cafe);
    let mut world = World::open(plan.clone());
    let mut open: BTreeMap<Seat, Open> = BTreeMap::new();
    let mut keys = 0;
    for _ in 0..STEPS {
        if world.view().finished() {
            break;
        }
        match rng.below(8) {
            0 => break_connection(&mut world, &mut rng),
            1 => world.advance(u64::from(rng.below(900))),
            _ => submit(&mut world, &mut rng, &mut open, &mut keys),
        }
        settle(&world, &mut open);
    }
    for viewer in Viewer::all(plan.seats) {
        world.connect(viewer);
    }
    world.check();
    if let Some(violation) = world.violations.first() {
        return Err(format!("on a faulty network: {violation}"));
    }
    once_each(&world)
}

fn break_connection(world: &mut World, rng: &mut Rng) {
    let viewers: Vec<Viewer> = Viewer::all(world.plan.seats).collect();
    let viewer = *rng.pick(&viewers);
    let conn = world.plan.conn(viewer);
    world.handle(Command::Disconnect { conn, by_server: false });
    world.advance(u64::from(rng.below(300)));
    if rng.below(3) == 0 {
        // A client that has lost its state starts from a snapshot.
        world.clients.insert(conn, Client::new(viewer));
        world.handle(Command::Connect { conn, viewer, last_v: None });
    } else {
        world.connect(viewer);
    }
}

fn submit(world: &mut World, rng: &mut Rng, open: &mut BTreeMap<Seat, Open>, keys: &mut u32) {
    let asked: Vec<Seat> = seats(&world.plan)
        .filter(|seat| {
            world
                .view()
                .current_match()
                .open_requests(*seat)
                .iter()
                .any(|stand| stand.kind == AskKind::Request)
        })
        .collect();
    if asked.is_empty() {
        world.advance_to_wake();
        return;
    }
    let seat = *rng.pick(&asked);
    let tried = match open.get(&seat) {
        Some(again) => again.clone(),
        None => {
            let play = world.view().current_match();
            let Some(stand) =
                play.open_requests(seat).iter().find(|stand| stand.kind == AskKind::Request).copied()
            else {
                return;
            };
            let Ok(answer) = play.sample(seat, stand.ask, rng) else { return };
            *keys += 1;
            let submit =
                Submit { to: AnswerTarget::Input(stand.input), answer, key: Some(format!("key-{keys}")) };
            Open { seat, submit }
        }
    };
    open.insert(seat, tried.clone());
    let conn = world.plan.conn(seat.into());
    // Dropped on the way, delivered, or delivered twice.
    for _ in 0..[0, 1, 1, 2][rng.below(4) as usize] {
        world.handle(Command::Submit(conn, tried.submit.clone()));
    }
}

/// Removes submissions that were accepted or refused.
fn settle(world: &World, open: &mut BTreeMap<Seat, Open>) {
    open.retain(|seat, tried| {
        let Some(client) = world.clients.get(&world.plan.conn((*seat).into())) else { return true };
        let taken = tried.submit.key.as_ref().is_some_and(|key| client.accepted.contains(key));
        let stale =
            client.refused.iter().any(|code| matches!(code.as_str(), "stale" | "not_asked" | "ended"));
        debug_assert_eq!(tried.seat, *seat);
        !(taken || stale)
    });
}

fn once_each<T: Driven>(world: &World<T>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for record in world.log.iter().flat_map(|logged| &logged.records) {
        if let (Some(key), Body::Answer { seat, .. }) = (&record.key, &record.body)
            && !seen.insert((*seat, key.clone()))
        {
            return Err(format!("a retry was taken twice: {key}"));
        }
    }
    for client in world.clients.values() {
        let Viewer::Seat(seat) = client.viewer else { continue };
        if let Some(lost) = client.accepted.iter().find(|key| !seen.contains(&(seat, (*key).clone()))) {
            return Err(format!("a submission was confirmed and is not in the log: {lost}"));
        }
    }
    Ok(())
}

/// The process crashes at random moments and the store has lost what was not safe: accepted answers are there,
/// nothing that a client was shown is undone, and the table goes on. Returns the number of crashes.
///
/// # Errors
/// What was lost.
pub fn crashes(plan: &Plan, seed: u64) -> Result<u32, String> {
    let mut rng = test_luck(seed ^ 0xdead);
    let (table, effects) = open_table(plan);
    let mut world = World::around(plan.clone(), table, effects, Commit::ByHand);
    world.commit();
    let (mut open, mut keys) = (BTreeMap::new(), 1000);
    let mut died = 0;
    for _ in 0..STEPS {
        if world.view().finished() && world.unstored.is_empty() {
            break;
        }
        match rng.below(12) {
            0 => {
                world = crash(world)?;
                died += 1;
            }
            1..=4 => world.commit(),
            5 => world.advance(u64::from(rng.below(900))),
            _ => submit(&mut world, &mut rng, &mut open, &mut keys),
        }
        if let Some(violation) = world.violations.first() {
            return Err(format!("with a slow store: {violation}"));
        }
        settle(&world, &mut open);
    }
    world.commit();
    world.check();
    world.violations.first().map_or(Ok(()), |violation| Err(format!("with a slow store: {violation}")))?;
    once_each(&world).map(|()| died)
}

fn crash(world: World) -> Result<World, String> {
    let Some(Logged { header, records }) = world.log.last().cloned() else { return Ok(world) };
    let now = world.now + 60_000;
    let (table, effects) = Table::load(world.plan.def, world.plan.root(), header, records, world.beside.clone(), now)
        .map_err(|error| format!("after a crash: {error}"))?;
    // Everything that a client was shown must be in the log: its version cannot be ahead of the loaded table.
    for client in world.clients.values() {
        let parlor_wire::ServerMessage::Snapshot { v, .. } = table.snapshot(client.viewer) else { continue };
        if client.v > v {
            return Err(format!(
                "seen_is_durable: {} was shown version {} and the log has {v}",
                client.viewer, client.v
            ));
        }
    }
    let accepted: BTreeMap<Viewer, Vec<String>> =
        world.clients.values().map(|client| (client.viewer, client.accepted.clone())).collect();
    let (log, accounts) = (world.log, world.accounts);
    let mut again = World::around(world.plan, table, effects, Commit::ByHand);
    again.now = now;
    again.log = log;
    again.accounts = accounts;
    for client in again.clients.values_mut() {
        client.accepted = accepted.get(&client.viewer).cloned().unwrap_or_default();
    }
    again.commit();
    Ok(again)
}
