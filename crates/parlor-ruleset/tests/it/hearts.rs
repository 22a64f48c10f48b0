//! Hearts as a ruleset and as a script are one game.

use parlor_core::{Body, By, Header, Json, Match, Seat, Seed, Viewer};
use parlor_hearts::Hearts;
use parlor_ruleset::shipped;
use parlor_script::Script;
use parlor_testkit::Kit;
use serde_json::json;

fn ruleset() -> parlor_core::GameDef {
    shipped::game_defs().into_iter().find(|def| def.name == "hearts-rules").expect("hearts is shipped")
}

fn cards(view: &Json) -> Vec<String> {
    let list = view["cards"].as_array().cloned().unwrap_or_default();
    list.iter().map(|card| card["card"].as_str().unwrap_or("?").to_owned()).collect()
}

/// A card's name in the ruleset: `2-clubs` for `2♣`.
fn named(title: &Json) -> String {
    let title = title.as_str().unwrap_or("?");
    let suits = [("♣", "clubs"), ("♦", "diamonds"), ("♠", "spades"), ("♥", "hearts")];
    let (mark, suit) = suits.iter().find(|(mark, _)| title.ends_with(mark)).expect("a suit");
    format!("{}-{suit}", title.trim_end_matches(mark))
}

fn same(script: &Match, rules: &Match, seed: u64) {
    for viewer in Viewer::all(4) {
        let (a, b) = (script.view(viewer), rules.view(viewer));
        let names = |list: &Json| list.as_array().expect("a list").iter().map(named).collect::<Vec<_>>();
        if let Some(seat) = viewer.seat() {
            let hand = &b["players"][seat.index()]["zones"]["hand"];
            assert_eq!(names(&a["hand"]), cards(hand), "{seed}: hand of {viewer}");
        }
        assert_eq!(names(&a["trick"]), cards(&b["zones"]["trick"]), "{seed}: trick");
        for seat in 0..4 {
            let vars = &b["players"][seat]["vars"];
            assert_eq!(a["scores"][seat], vars["score"], "{seed}: score");
            assert_eq!(a["points"][seat], vars["points"], "{seed}: points");
            assert_eq!(a["counts"][seat], b["players"][seat]["zones"]["hand"]["count"], "{seed}: count");
        }
        assert_eq!(a["broken"], b["vars"]["broken"], "{seed}: broken");
        assert_eq!(a["deal"], b["vars"]["deal"], "{seed}: deal");
    }
    assert_eq!(script.outcome(), rules.outcome(), "{seed}: outcome");
}

/// Plays the same answers into both; says how many there were.
fn together(seed: u64, until: u16) -> usize {
    let script = Hearts::def();
    let settings = json!({"until": until});
    let start = |def| {
        let header = Header::seeded(&def, 4, settings.clone(), Seed::from_text(&format!("both {seed}")));
        Match::start(def, header).expect("hearts starts").0
    };
    let (mut a, mut b) = (start(script), start(ruleset()));
    let mut rng = parlor_core::Rng::fast(seed);
    for n in 0.. {
        same(&a, &b, seed);
        let Some(ask) = a.open_asks().first().copied() else { return n };
        let other = *b.open_asks().first().expect("the ruleset asks too");
        assert_eq!(ask.seats, other.seats, "{seed}: somebody else is asked");
        let seats: Vec<Seat> = ask.seats.iter().collect();
        let seat = *rng.pick(&seats);
        let titles = |play: &Match, ask| -> Vec<String> {
            let choices = play.request(seat, ask).choices;
            choices.into_iter().filter(|choice| choice.why_not.is_none()).map(|choice| choice.title).collect()
        };
        let (mut left, mut right) = (titles(&a, ask.id), titles(&b, other.id));
        left.sort();
        right.sort();
        assert_eq!(left, right, "{seed}: other cards can be played");
        let answer = a.sample(seat, ask.id, &mut rng).expect("a legal answer");
        for (play, ask) in [(&mut a, ask.id), (&mut b, other.id)] {
            let body = Body::Answer { seat, ask, answer: answer.clone() };
            play.apply(0, By::Human, None, body).unwrap_or_else(|why| panic!("{seed}: {why}: {answer}"));
        }
    }
    unreachable!()
}

#[test]
fn the_ruleset_and_the_script_agree() {
    // cites 001-1
    let matches = std::env::var("PARLOR_SOAK_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut inputs = 0;
    for seed in 0..matches {
        inputs += together(seed, if seed % 25 == 0 { 60 } else { 0 });
    }
    println!("hearts: {matches} random logs, {inputs} answers, agree");
}

#[test]
fn hearts_passes_the_kit() {
    match Kit::of(ruleset()).matches(8, 2).run() {
        Ok(report) => println!("hearts-rules: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn a_match_of_a_simulation_knows_nothing_of_the_one_before_it() {
    let job = parlor_core::sim::Job { settings: Json::Null, seats: 4, seed: 1, bots: false };
    let sim = |from, to| ruleset().sim(&job, from, to).expect("hearts can be simulated");
    let one_by_one = (0..20).map(|n| sim(n, n + 1)).reduce(parlor_core::sim::Tally::and);
    assert_eq!(one_by_one, Some(sim(0, 20)));
}

#[test]
fn a_simulation_takes_as_many_inputs_as_the_script() {
    let job = parlor_core::sim::Job { settings: Json::Null, seats: 4, seed: 1, bots: false };
    let tally = ruleset().sim(&job, 0, 50).expect("hearts can be simulated");
    assert_eq!(tally.inputs, 50 * 55, "four passes and all plays but the forced first");
    assert_eq!(tally.endless, 0);
}
