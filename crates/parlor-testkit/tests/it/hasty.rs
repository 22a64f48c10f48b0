//! The world catches a table that sends messages before their record is stored.

use parlor_core::Game;
use parlor_host::{Command, Effect, Table};
use parlor_testkit::probes::peek::Peek;
use parlor_testkit::random;
use parlor_testkit::world::{Commit, Driven, Plan, World, open_table, test_luck};

/// Confirms its own records instead of waiting for the store.
struct Hasty(Table);

impl Driven for Hasty {
    fn handle(&mut self, now: u64, command: Command) -> Vec<Effect> {
        let mut effects = self.0.handle(now, command);
        let last = effects.iter().rev().find_map(|effect| match effect {
            Effect::Append(append) => {
                Some((append.match_no, append.record.as_ref().map_or(0, |record| record.seq)))
            }
            _ => None,
        });
        if let Some((match_no, seq)) = last {
            effects.extend(self.0.handle(now, Command::Appended { match_no, seq }));
        }
        effects
    }

    fn table(&self) -> &Table {
        &self.0
    }
}

fn violations(plan: Plan, hasty: bool) -> Vec<String> {
    let (table, effects) = open_table(&plan);
    let mut rng = test_luck(5);
    if hasty {
        let mut world = World::around(plan, Hasty(table), effects, Commit::ByHand);
        for _ in 0..20 {
            random::step(&mut world, &mut rng);
            world.commit();
        }
        world.violations
    } else {
        let mut world = World::around(plan, table, effects, Commit::ByHand);
        for _ in 0..20 {
            random::step(&mut world, &mut rng);
            world.commit();
        }
        world.violations
    }
}

#[test]
fn a_message_released_before_its_append() {
    let plan = Plan::of(Peek::def(), 2, "hasty");
    assert_eq!(violations(plan.clone(), false), Vec::<String>::new());
    let found = violations(plan, true);
    assert!(found.iter().any(|why| why.starts_with("seen_is_durable")), "{found:?}");
}

/// Neither messages nor replies leave before their record is stored: `seen_is_durable`.
#[test]
fn what_was_not_stored_has_not_happened() {
    let plan = Plan::of(Peek::def(), 2, "failing store");
    let (table, effects) = open_table(&plan);
    let mut world = World::around(plan, table, effects, Commit::ByHand);
    world.commit();
    let before = world.view().current_match().digest();
    let conn = parlor_host::ConnId(0);
    let answer = serde_json::json!({"title": "Your turn", "selection": ["draw"]});
    let submit = |key: &str| {
        let key = Some(key.to_owned());
        Command::Submit(
            conn,
            parlor_host::Submit { to: parlor_host::AnswerTarget::Latest, answer: answer.clone(), key },
        )
    };
    world.handle(submit("lost"));
    assert_ne!(world.view().current_match().digest(), before);
    // A refusal that rests on it waits for the store too.
    let nonsense = serde_json::json!({"title": "Your turn", "selection": ["nothing"]});
    let (to, key) = (parlor_host::AnswerTarget::Latest, Some("wrong".to_owned()));
    world.handle(Command::Submit(conn, parlor_host::Submit { to, answer: nonsense, key }));
    world.unstored.clear();
    world.handle(Command::AppendFailed);
    assert_eq!(world.view().current_match().digest(), before, "the state is made again from what was stored");
    assert_eq!(
        world.clients[&conn].refused,
        ["not_stored", "not_stored"],
        "and the sender is told, each time"
    );
    world.handle(submit("too early"));
    assert_eq!(world.clients[&conn].refused[2..], ["read_only"]);
    world.handle(Command::StoreBack);
    world.handle(submit("lost"));
    world.commit();
    assert_eq!(
        world.clients[&conn].accepted,
        ["lost"],
        "the same submission is taken when the store is back"
    );
    world.check();
    assert_eq!(world.violations, Vec::<String>::new());
}
