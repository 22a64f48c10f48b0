//! The request that a submission names, and the head it may carry.

use parlor_core::{Game, Json, Match, Seat, Undo, Viewer};
use parlor_host::{AnswerTarget, Command, Submit};
use parlor_testkit::probes::sealed::Sealed;
use parlor_testkit::world::{Plan, World};
use serde_json::json;

use crate::asker::{answer, ask, ask_with, pick};

const S0: Seat = Seat::new(0);
const S1: Seat = Seat::new(1);

fn head(play: &Match, seat: Seat) -> u32 {
    play.head(seat.into())
}

fn turns(order: &[u8]) -> Json {
    let stage = |(n, seat): (usize, &u8)| json!({"mode": "single", "id": n, "selectors": [[seat, pick("A", &["x", "y"])]]});
    Json::Array(order.iter().enumerate().map(stage).collect())
}

#[test]
fn a_stale_head_is_refused_with_the_current_one() {
    // cites 000-8, 000/R3
    let mut play = ask(2, turns(&[0, 1, 0]));
    let loaded = head(&play, S1);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    let refusal = play.resolve(S1, AnswerTarget::Head(loaded), None).expect_err("the game has moved on");
    assert_eq!(refusal.code().text(), "stale_head");
    assert_eq!(refusal.faults[0].args["head"], json!(head(&play, S1)));
    assert!(play.resolve(S1, AnswerTarget::Head(head(&play, S1)), None).is_ok());
}

#[test]
fn heads_and_ids_are_counted_for_each_viewer_alone() {
    // cites 000/R4
    let many = json!([{"mode": "many", "id": 1, "selectors":
        [[0, pick("A", &["x", "y"])], [1, pick("A", &["x", "y"])], [2, pick("A", &["x", "y"])]]}]);
    let mut play = ask(4, many);
    let heads: Vec<u32> = Viewer::all(4).map(|viewer| play.head(viewer)).collect();
    answer(&mut play, 1, "A", &["x"]).expect("taken");
    let after: Vec<u32> = Viewer::all(4).map(|viewer| play.head(viewer)).collect();
    assert_eq!(after[0], heads[0], "an answer by another seat inside the same group moves nobody else");
    assert_eq!(after[2..], heads[2..], "nor the bystanders, who were shown nothing");
    assert!(after[1] > heads[1], "what stands for the one who answered has changed");
}

#[test]
fn drafts_offers_chat_and_presence_move_no_head() {
    // cites 000/R4
    let mut world = World::open(Plan::of(Sealed::def(), 2, "heads"));
    let heads = |world: &World| {
        Viewer::all(2).map(|viewer| world.view().current_match().head(viewer)).collect::<Vec<_>>()
    };
    let before = heads(&world);
    let draft = world.view().current_match().open_requests(S0)[1];
    let conn = world.plan.conn(S0.into());
    let submit = Submit { to: AnswerTarget::Input(draft.input), answer: json!({"card": 1}), key: None };
    world.handle(Command::Submit(conn, submit));
    assert_eq!(world.view().current_match().records().len(), 3, "two arrivals and the draft");
    world.handle(Command::Chat { conn, name: String::new(), text: "hi".to_owned() });
    let gone = world.plan.conn(S1.into());
    world.handle(Command::Disconnect { conn: gone, by_server: false });
    assert_eq!(heads(&world), before);
}

#[test]
fn a_draft_is_noticed_by_nobody_else() {
    // cites 000/R4
    let mut world = World::open(Plan::of(Sealed::def(), 2, "draft"));
    let draft = world.view().current_match().open_requests(S0)[1];
    let sent = world.sent.len();
    let conn = world.plan.conn(S0.into());
    let submit = Submit { to: AnswerTarget::Input(draft.input), answer: json!({"card": 2}), key: None };
    world.handle(Command::Submit(conn, submit));
    assert!(world.sent[sent..].iter().all(|sent| sent.conn == conn), "{:?}", &world.sent[sent..]);
    assert_eq!(
        world.view().current_match().open_requests(S0)[1].input,
        draft.input,
        "and it may be sent again"
    );
}

#[test]
fn an_undo_moves_every_head_and_never_back() {
    // cites 000-18, 000/R4, 000/R5
    let mut play = ask_with(2, json!({"stages": turns(&[0, 1, 0])}), Undo::Own);
    let start = [head(&play, S0), head(&play, S1)];
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    let during = [head(&play, S0), head(&play, S1)];
    let watched = play.head(Viewer::Gallery);
    let to = play.last_answer(S0).expect("his last answer");
    let undo = parlor_core::Body::Undo { seat: S0, to };
    play.apply(50, parlor_core::By::Human, None, undo).expect("nobody has answered since");
    let after = [head(&play, S0), head(&play, S1)];
    assert!(after[0] > during[0] && after[1] > during[1], "{start:?} {during:?} {after:?}");
    assert!(play.head(Viewer::Gallery) > watched, "those who are asked nothing too");
    assert_eq!(
        play.resolve(S1, AnswerTarget::Head(during[1]), None).expect_err("stale").code().text(),
        "stale_head"
    );
}

#[test]
fn an_answer_without_head_or_id_is_for_what_was_last_sent_and_never_for_the_next() {
    // cites 000/R3
    let stages = turns(&[0, 0]);
    let mut plan = Plan::of(crate::asker::ASKER, 1, "double click");
    plan.settings = json!({"stages": stages});
    let (table, effects) = parlor_testkit::world::open_table(&plan);
    let mut world = World::around(plan, table, effects, parlor_testkit::world::Commit::ByHand);
    world.commit();
    let conn = world.plan.conn(S0.into());
    let click = || {
        let answer = json!({"title": "A", "selection": ["x"]});
        Command::Submit(conn, Submit { to: AnswerTarget::Latest, answer, key: None })
    };
    world.handle(click());
    world.handle(click());
    world.commit();
    assert_eq!(
        world.view().current_match().records().len(),
        2,
        "an arrival and one answer: the double click did not count"
    );
    assert_eq!(world.clients[&conn].refused, ["stale"]);
    world.handle(click());
    world.commit();
    assert_eq!(world.view().current_match().records().len(), 3, "now the second request has been shown");
}

#[test]
fn whoever_comes_back_and_missed_nothing_still_knows_what_they_were_asked() {
    // cites 000/R3
    let mut plan = Plan::of(crate::asker::ASKER, 1, "come back");
    plan.settings = json!({"stages": turns(&[0, 0])});
    let mut world = World::open(plan);
    let conn = world.plan.conn(S0.into());
    let sent = world.sent.len();
    world.handle(Command::Disconnect { conn, by_server: true });
    world.connect(S0.into());
    let snapshots = world.sent[sent..].iter().filter(|sent| sent.bytes.contains("snapshot")).count();
    assert_eq!(snapshots, 0, "they have everything, and are sent no request again");
    let answer = json!({"title": "A", "selection": ["x"]});
    let submit = Submit { to: AnswerTarget::Latest, answer, key: Some("k".to_owned()) };
    world.handle(Command::Submit(conn, submit));
    assert_eq!(world.clients[&conn].accepted, ["k"]);
}

#[test]
fn a_retry_with_its_key_is_taken_once() {
    // cites 000/R3
    let mut plan = Plan::of(crate::asker::ASKER, 1, "retry");
    plan.settings = json!({"stages": turns(&[0, 0])});
    let mut world = World::open(plan);
    let conn = world.plan.conn(S0.into());
    let send = |world: &mut World, key: &str, pick: &str| {
        let answer = json!({"title": "A", "selection": [pick]});
        world.handle(Command::Submit(
            conn,
            Submit { to: AnswerTarget::Input(1), answer, key: Some(key.to_owned()) },
        ));
    };
    send(&mut world, "k", "x");
    send(&mut world, "k", "x");
    assert_eq!(world.clients[&conn].accepted, ["k", "k"], "the second time it gets the first result");
    assert_eq!(world.view().current_match().records().len(), 2);
    send(&mut world, "k", "y");
    assert_eq!(world.clients[&conn].refused, ["key_reused"]);
    send(&mut world, &"k".repeat(65), "x");
    assert_eq!(world.clients[&conn].refused.len(), 2, "a key has at most 64 characters");
    assert_eq!(world.view().current_match().records().len(), 2);
}

#[test]
fn a_retry_that_comes_before_the_store_has_answered_is_taken_once() {
    // cites 000-12, 000/R3
    let mut plan = Plan::of(crate::asker::ASKER, 1, "quick retry");
    plan.settings = json!({"stages": turns(&[0, 0])});
    let (table, effects) = parlor_testkit::world::open_table(&plan);
    let mut world = World::around(plan, table, effects, parlor_testkit::world::Commit::ByHand);
    world.commit();
    let conn = world.plan.conn(S0.into());
    for _ in 0..2 {
        let answer = json!({"title": "A", "selection": ["x"]});
        let submit = Submit { to: AnswerTarget::Input(1), answer, key: Some("k".to_owned()) };
        world.handle(Command::Submit(conn, submit));
    }
    world.commit();
    let client = &world.clients[&conn];
    assert_eq!((client.accepted.len(), client.refused.len()), (2, 0), "{:?}", client.refused);
    assert_eq!(world.view().current_match().records().len(), 2, "an arrival and one answer");
}

#[test]
fn the_actor_must_be_the_one_who_answers() {
    // cites 000-8, 000/R6
    let mut plan = Plan::of(crate::asker::ASKER, 2, "actor");
    plan.settings = json!({"stages": turns(&[0])});
    let mut world = World::open(plan);
    let conn = world.plan.conn(S0.into());
    let answer = json!({"actor": "P1", "title": "A", "selection": ["x"]});
    world.handle(Command::Submit(conn, Submit { to: AnswerTarget::Latest, answer, key: None }));
    let last = world.sent.last().expect("a refusal");
    let reply: Json = serde_json::from_str(&last.bytes).expect("JSON");
    let text = "Response actor \"P1\" does not match expected actor(s): P0. Response #1, title: \"A\"";
    assert_eq!(reply["message"], json!(text));
    let foreign = world.plan.conn(S1.into());
    let answer = json!({"title": "A", "selection": ["x"]});
    world.handle(Command::Submit(foreign, Submit { to: AnswerTarget::Input(1), answer, key: None }));
    assert_eq!(world.view().current_match().next_seq(), 3, "nor can another seat answer for him");
}

#[test]
fn an_undo_that_is_said_again_takes_back_one_answer() {
    // cites 000/R3, 000-18
    let mut def = crate::asker::ASKER;
    def.undo = Undo::Own;
    let mut plan = Plan::of(def, 1, "undo twice");
    plan.settings = json!({"stages": turns(&[0, 0, 0])});
    let mut world = World::open(plan);
    let conn = world.plan.conn(S0.into());
    let answer = |world: &mut World, key: &str| {
        let answer = json!({"title": "A", "selection": ["x"]});
        let submit = Submit { to: AnswerTarget::Latest, answer, key: Some(key.to_owned()) };
        world.handle(Command::Submit(conn, submit));
    };
    let undo = |world: &mut World, key: &str| {
        world.handle(Command::Undo { conn, to: None, key: Some(key.to_owned()) });
    };
    answer(&mut world, "a");
    answer(&mut world, "b");
    undo(&mut world, "u");
    let once = world.view().current_match().records().len();
    undo(&mut world, "u");
    assert_eq!(
        world.view().current_match().records().len(),
        once,
        "the second time it gets the first result"
    );
    assert_eq!(world.clients[&conn].accepted, ["a", "b", "u", "u"]);
    // A retry key is for one command.
    undo(&mut world, "a");
    answer(&mut world, "u");
    assert_eq!(world.clients[&conn].refused, ["key_reused", "key_reused"]);
    undo(&mut world, "v");
    assert_eq!(world.view().current_match().records().len(), once + 1, "another one is another one");
}
