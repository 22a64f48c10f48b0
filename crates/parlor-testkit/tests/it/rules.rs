//! Rules are pinned for each match; newer ones take over only if they say how.

use parlor_core::{
    AskId, Asks, Game, Header, Input, Json, Match, Outcome, Output, Refusal, Response, Rng, Seat, Seed,
    Selector, Setup, Viewer,
};
use parlor_testkit::random::random_match;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A counter that one version of the rules counts in ones and the next in tens.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Counter<const RULES: u32> {
    count: u32,
}

impl<const RULES: u32> Game for Counter<RULES> {
    const NAME: &'static str = "counter";
    const TITLE: &'static str = "Counter";
    const RULES: u32 = RULES;
    const SEATS: (u8, u8) = (1, 1);
    type Settings = ();
    type Answer = Response;
    type Move = u32;
    type Event = u32;
    type Carry = ();
    type View<'a> = Json;

    fn start(_: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<u32>) -> Result<Self, Refusal> {
        Ok(Self { count: 0 })
    }

    fn open_asks(&self) -> Asks {
        parlor_core::ask::one(parlor_core::Ask::turn(self.count, Seat::new(0)))
    }

    fn legal(&self, _: Seat, _: AskId, moves: &mut Vec<u32>) {
        moves.push(RULES);
    }

    fn check(&self, _: Seat, _: AskId, answer: &Response) -> Result<u32, Refusal> {
        self.request(Seat::new(0), AskId(0)).validate(answer).map(|_| RULES)
    }

    fn to_answer(&self, _: Seat, _: AskId, _: &u32) -> Response {
        Response::picks("Count", ["on"])
    }

    fn apply(&mut self, _: Input<u32>, _: &mut Rng, out: &mut impl Output<u32>) {
        self.count += if RULES == 1 { 1 } else { 10 };
        out.emit(parlor_core::Seats::ALL, self.count);
    }

    fn request(&self, _: Seat, _: AskId) -> Selector {
        Selector::pick("Count", vec!["on".into(), "off".into()])
    }

    fn view(&self, _: Viewer) -> Json {
        json!(self.count)
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn migrate(rules: u32, state: &[u8]) -> Option<Self> {
        (rules == 1).then_some(Self { count: u32::from(*state.first()?) * 10 })
    }
}

fn answer(play: &mut Match) {
    let answer = json!({"title": "Count", "selection": ["on"]});
    let ask = play.open_requests(Seat::new(0))[0].ask;
    let body = parlor_core::Body::Answer { seat: Seat::new(0), ask, answer };
    play.apply(7, parlor_core::By::Human, None, body).expect("taken");
}

fn old_match() -> Match {
    let def = Counter::<1>::def();
    let (mut play, _) =
        Match::start(def, Header::seeded(&def, 1, Json::Null, Seed::from_text("c"))).expect("starts");
    answer(&mut play);
    answer(&mut play);
    play
}

#[test]
fn a_replay_under_other_rules_is_refused_by_name() {
    // cites 000/R7
    let old = old_match();
    let error = Match::replay(Counter::<2>::def(), old.header().clone(), old.records().to_vec());
    let error = error.err().expect("never silently different");
    assert_eq!(error.why.code().text(), "needs_rules");
    assert_eq!(error.why.to_string(), "this match of counter needs rules 1, this build has rules 2");
}

#[test]
fn newer_rules_take_over_where_they_know_how_and_say_so_in_the_log() {
    // cites 000/R7
    let old = old_match();
    let new = Counter::<2>::def();
    let mut taken = Match::take_over(new, old.header().clone(), old.records().to_vec(), &old.game().state())
        .expect("migrates");
    assert_eq!(taken.view(Viewer::Gallery), json!(20));
    assert!(taken.head(Viewer::Gallery) > old.head(Viewer::Gallery), "heads go on");
    assert!(
        taken.open_requests(Seat::new(0))[0].input > old.open_requests(Seat::new(0))[0].input,
        "so do ids"
    );
    answer(&mut taken);
    let replayed = Match::replay(new, taken.header().clone(), taken.records().to_vec()).expect("replays");
    assert_eq!((replayed.digest(), replayed.view(Viewer::Gallery)), (taken.digest(), json!(30)));
    let third = Match::take_over(Counter::<3>::def(), taken.header().clone(), taken.records().to_vec(), &[]);
    assert_eq!(third.err().expect("no way from there").why.code().text(), "needs_rules");
}

#[test]
fn a_log_of_another_game_or_format_is_refused() {
    let old = old_match();
    let mut header = old.header().clone();
    header.format = 99;
    assert_eq!(Match::start(*old.def(), header).err().expect("format").code().text(), "format");
    let mut header = old.header().clone();
    header.game = "chess".to_owned();
    assert_eq!(Match::start(*old.def(), header).err().expect("game").code().text(), "game");
}

#[test]
fn a_damaged_log_is_refused_at_its_place() {
    let play = random_match(parlor_oxo::Oxo::def(), &Json::Null, 2, 4);
    let replay = |records| Match::replay(*play.def(), play.header().clone(), records).err().expect("damaged");
    let mut missing = play.records().to_vec();
    missing.remove(2);
    assert_eq!((replay(missing.clone()).seq, replay(missing).why.code().text()), (4, "sequence"));
    let mut doubled = play.records().to_vec();
    doubled[3].body = doubled[2].body.clone();
    assert_eq!(replay(doubled).seq, 4);
}
