//! Plays the matches that become golden logs: random answers and the game's bots, from fixed seeds.

use parlor_core::game::OnDisconnect;
use parlor_core::logfile::LogFile;
use parlor_core::sim::Job;
use parlor_core::{AskId, GameDef, Json, Match, Record, Rng, Seat, Seed, Undo};
use parlor_host::{AnswerTarget, Command, Submit};
use parlor_testkit::random;
use parlor_testkit::world::{Plan, World, seats, test_luck};
use serde_json::json;

use super::ROOT;

/// Steps of a match at a table.
const STEPS: usize = 220;
/// Seats at a table, where the game allows so many.
const SEATS: u8 = 4;
/// Records of a match without a table.
const SAMPLE_RECORDS: usize = 250;
/// Settings other than the game's defaults.
const SETTINGS: [(&str, &str); 7] = [
    ("hearts", r#"{"until": 30}"#),
    ("hearts-rules", r#"{"until": 30}"#),
    ("draft", r#"{"deck": 8, "pack": 6, "packs": 3}"#),
    ("sharing", r#"{"rounds": 6}"#),
    ("battle", r#"{"profile": "standard", "stake": 1}"#),
    ("orcain", r#"{"stake": 1, "roundLimit": 5}"#),
    ("skirmish", r#"{"actMs": 5000, "life": 20}"#),
];
/// Records before and after the migration.
const MIGRATED_RECORDS: usize = 12;

/// The logs of one game, by name: people at a table, bots, other settings, a migrated match, a killed match.
pub(super) fn logs(def: GameDef) -> Vec<(String, LogFile)> {
    let mut logs = Vec::new();
    let world = at_a_table(def);
    for logged in &world.log {
        let name = match logged.header.match_no {
            1 => def.name.to_owned(),
            n => format!("{}.{n}", def.name),
        };
        logs.push((name, whole(def, logged.header.clone(), logged.records.clone())));
    }
    logs.push((format!("{}.bots", def.name), sample(def, Json::Null, true)));
    if let Some((_, settings)) = SETTINGS.iter().find(|(game, _)| *game == def.name) {
        let settings = serde_json::from_str(settings).expect("it is JSON");
        logs.push((format!("{}.settings", def.name), sample(def, settings, false)));
    }
    logs.push((format!("{}.migrated", def.name), LogFile::of(&taken_over(def))));
    logs.push((format!("{}.killed", def.name), killed(def)));
    logs
}

/// A match without a table, with answers by the game's bots or random ones.
fn sample(def: GameDef, settings: Json, bots: bool) -> LogFile {
    let job = Job { settings, seats: def.seats.0, seed: 1, bots };
    let log =
        crate::store::sample_match(def, &job, &Seed::from_text(ROOT)).expect("these settings can be played");
    let records = log.records.into_iter().take(SAMPLE_RECORDS).collect();
    whole(def, log.header, records)
}

/// The log with the footer that a replay gives.
fn whole(def: GameDef, header: parlor_core::Header, records: Vec<Record>) -> LogFile {
    LogFile::of(&Match::replay(def, header, records).expect("it was just played"))
}

fn plan(def: GameDef) -> Plan {
    let mut plan = Plan::of(def, SEATS.clamp(def.seats.0, def.seats.1), ROOT);
    plan.table.on_disconnect = OnDisconnect::Bot;
    plan.table.away_grace_ms = 2_000;
    plan.table.bot_ms = 300;
    plan
}

/// Random play by people who also chat, disconnect, reconnect and undo, at a table that is also paused.
fn at_a_table(def: GameDef) -> World {
    let mut world = World::open(plan(def));
    let mut luck = test_luck(7);
    for step in 0..STEPS {
        if !vote(&mut world, &mut luck) {
            if step % 5 == 3 {
                aside(&mut world, &mut luck, step / 5);
            }
            if !random::step(&mut world, &mut luck) {
                break;
            }
        }
        world.check();
        assert_eq!(world.violations, Vec::<String>::new(), "{}", def.name);
    }
    world
}

/// A player votes on an undo; returns whether a vote was open.
fn vote(world: &mut World, luck: &mut Rng) -> bool {
    let asked = |seat: &Seat| {
        world.view().current_match().open_requests(*seat).iter().any(|stand| stand.ask == AskId::UNDO)
    };
    let Some(seat) = seats(&world.plan).find(asked) else { return false };
    let play = world.view().current_match();
    let stand = play.open_requests(seat).iter().find(|stand| stand.ask == AskId::UNDO).expect("it stands");
    let said = play.request(seat, AskId::UNDO).to_answer(&[usize::from(luck.below(4) == 0)]);
    let answer = serde_json::to_value(said).expect("plain data");
    let submit = Submit { to: AnswerTarget::Input(stand.input), answer, key: None };
    world.handle(Command::Submit(world.plan.conn(seat.into()), submit));
    true
}

/// One command that does not answer the game.
fn aside(world: &mut World, luck: &mut Rng, n: usize) {
    let seat = Seat::new(luck.below(world.plan.seats.into()) as u8);
    let conn = world.plan.conn(seat.into());
    match n % 4 {
        0 if world.plan.def.name == "boom" => break_down(world),
        0 | 2 if world.plan.def.undo != Undo::None => {
            // Under `Undo::Own` only the player who answered last may undo, so all try.
            for seat in seats(&world.plan) {
                let conn = world.plan.conn(seat.into());
                world.handle(Command::Undo { conn, to: None, key: None });
            }
        }
        1 => {
            world.handle(Command::Pause { why: "tea".into() });
            world
                .handle(Command::Chat { conn, name: String::new(), text: "Back in a minute ☕".to_owned() });
            world.advance(1_500);
            world.handle(Command::Resume);
        }
        3 if world.clients.contains_key(&conn) => {
            world.handle(Command::Disconnect { conn, by_server: false });
            world.advance(2_600);
            world.connect(seat.into());
        }
        _ => {}
    }
}

/// The rules panic: the table pauses itself, and an operator resumes it.
fn break_down(world: &mut World) {
    for seat in seats(&world.plan) {
        let answer = json!({"title": "Which?", "selection": ["panic in apply"]});
        let submit = Submit { to: AnswerTarget::Latest, answer, key: None };
        world.handle(Command::Submit(world.plan.conn(seat.into()), submit));
    }
    world.handle(Command::Resume);
}

/// A match with a migration, as newer rules would write it, and more records after it.
fn taken_over(def: GameDef) -> Match {
    let mut play = random::random_match(def, &Json::Null, def.seats.0, 11);
    let records: Vec<Record> =
        play.records().into_iter().take(MIGRATED_RECORDS.min(play.record_count() / 2)).collect();
    play = Match::replay(def, play.header().clone(), records).expect("it was just played");
    let state = play.game().state();
    let mut play =
        Match::take_over(def, play.header().clone(), play.records(), &state).expect("its own state");
    let mut luck = test_luck(13);
    for _ in 0..MIGRATED_RECORDS {
        if play.outcome().is_some() || !random::random_input(&mut play, &mut luck) {
            break;
        }
    }
    play
}

/// A match that an operator killed.
fn killed(def: GameDef) -> LogFile {
    let mut world = World::open(plan(def));
    let mut luck = test_luck(5);
    for _ in 0..3 {
        random::step(&mut world, &mut luck);
    }
    world.handle(Command::Kill { why: "ended by its owner".into() });
    let last = world.log.last().expect("a match was opened").clone();
    whole(def, last.header, last.records)
}
