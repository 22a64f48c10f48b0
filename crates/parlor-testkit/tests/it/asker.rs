//! A game whose settings list its requests, and which keeps their answers: the three requests of document 000, and
//! nothing else.

use std::sync::atomic::{AtomicU64, Ordering};

use parlor_core::{
    Ask, AskId, Asks, Body, By, Game, GameDef, Header, Input, Json, Match, Outcome, Output, Refusal,
    Response, Rng, Seat, Seats, Seed, Selector, Setup, Undo, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How often the rules were applied in this test program: it counts the cost of a replay.
pub(crate) static APPLIED: AtomicU64 = AtomicU64::new(0);

/// One request of document 000.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stage {
    /// `single`, `many` or `any`.
    mode: String,
    /// A selector for each seat that is asked.
    selectors: Vec<(Seat, Selector)>,
    /// Stages with the same id are one ask that continues.
    id: u32,
    #[serde(default)]
    auto: bool,
    #[serde(default)]
    no_undo: bool,
}

/// The game's settings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Settings {
    stages: Vec<Stage>,
    /// Rolls a die after each stage.
    #[serde(default)]
    dice: bool,
}

/// The remaining stages and the answers. Selectors are kept as text: a state is plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Asker {
    stages: String,
    stage: usize,
    dice: bool,
    rolled: Vec<u32>,
    /// The answers in the open stage: seat and selection.
    open: Vec<(Seat, String)>,
    /// The result of each finished stage.
    results: Vec<Vec<(Seat, String)>>,
}

impl Asker {
    fn now(&self) -> Option<Stage> {
        let stages: Vec<Stage> = serde_json::from_str(&self.stages).expect("written by start");
        stages.into_iter().nth(self.stage)
    }

    fn selector(&self, seat: Seat) -> Selector {
        let stage = self.now().expect("a stage stands");
        stage.selectors.into_iter().find(|(other, _)| *other == seat).expect("the seat is asked").1
    }
}

impl Game for Asker {
    const NAME: &'static str = "asker";
    const TITLE: &'static str = "Asker";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (1, 4);
    const UNDO: Undo = Undo::Own;
    type Settings = Settings;
    type Answer = Response;
    type Move = String;
    type Event = Json;
    type Carry = ();
    type View<'a> = Json;

    fn start(setup: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<Json>) -> Result<Self, Refusal> {
        for (_, selector) in setup.settings.stages.iter().flat_map(|stage| &stage.selectors) {
            selector.well_formed()?;
        }
        let stages = serde_json::to_string(&setup.settings.stages).expect("plain data");
        let dice = setup.settings.dice;
        Ok(Self { stages, stage: 0, dice, rolled: Vec::new(), open: Vec::new(), results: Vec::new() })
    }

    fn open_asks(&self) -> Asks {
        let Some(stage) = self.now() else { return Asks::new() };
        let asked = stage.selectors.iter().map(|(seat, _)| *seat);
        let left: Seats = asked.filter(|seat| self.open.iter().all(|(done, _)| done != seat)).collect();
        let mut ask = Ask::request(stage.id, left);
        ask.auto = stage.auto;
        ask.final_answer = stage.no_undo;
        parlor_core::ask::one(ask)
    }

    fn legal(&self, _: Seat, _: AskId, _: &mut Vec<String>) {}

    fn check(&self, seat: Seat, _: AskId, answer: &Response) -> Result<String, Refusal> {
        self.selector(seat).validate(answer)?;
        Ok(answer.selection.to_string())
    }

    fn to_answer(&self, seat: Seat, _: AskId, mv: &String) -> Response {
        let selection = serde_json::from_str(mv).expect("written by check");
        Response { actor: None, title: Some(self.selector(seat).title), selection }
    }

    fn apply(&mut self, input: Input<String>, rng: &mut Rng, out: &mut impl Output<Json>) {
        APPLIED.fetch_add(1, Ordering::Relaxed);
        let Input::Answer { seat, mv, .. } = input else { return };
        let stage = self.now().expect("a stage stands");
        self.open.push((seat, mv));
        if stage.mode == "many" && self.open.len() < stage.selectors.len() {
            return;
        }
        let mut result = std::mem::take(&mut self.open);
        // In selector order, whatever the order of arrival.
        result.sort_by_key(|(seat, _)| stage.selectors.iter().position(|(asked, _)| asked == seat));
        out.emit(Seats::ALL, json!({"stage": self.stage, "result": result}));
        self.results.push(result);
        self.stage += 1;
        if self.dice {
            self.rolled.push(rng.roll_die(6));
        }
    }

    fn request(&self, seat: Seat, _: AskId) -> Selector {
        self.selector(seat)
    }

    fn view(&self, viewer: Viewer) -> Json {
        let mine = self.open.iter().find(|(seat, _)| viewer == Viewer::Seat(*seat)).map(|(_, said)| said);
        json!({"results": self.results, "mine": mine, "rolled": self.rolled})
    }

    fn outcome(&self) -> Option<Outcome> {
        self.now().is_none().then(|| Outcome::draw(1, "asked enough"))
    }

    /// Nothing is hidden, so nothing has to be shuffled.
    fn resample(&self, _: Seats, _: &mut Rng) -> Option<Self> {
        Some(self.clone())
    }
}

pub(crate) const ASKER: GameDef = GameDef::for_game::<Asker>();

/// Starts a match with these stages.
pub(crate) fn ask(seats: u8, stages: Json) -> Match {
    ask_with(seats, json!({"stages": stages}), Undo::Own)
}

pub(crate) fn ask_with(seats: u8, settings: Json, undo: Undo) -> Match {
    let mut header = Header::seeded(&ASKER, seats, settings, Seed::from_text("asker"));
    header.undo = undo;
    Match::start(ASKER, header).expect("the stages make sense").0
}

/// A selector that picks one of these.
pub(crate) fn pick(title: &str, choices: &[&str]) -> Json {
    json!({"title": title, "choices": choices.iter().map(|title| json!({"title": title})).collect::<Vec<_>>()})
}

/// Answers the open request of a seat.
pub(crate) fn answer(play: &mut Match, seat: u8, title: &str, picks: &[&str]) -> Result<(), Refusal> {
    let seat = Seat::new(seat);
    let answer = json!({"title": title, "selection": picks});
    let ask = play.open_requests(seat).first().map_or(AskId(999), |stand| stand.ask);
    let at = play.records().last().map_or(0, |record| record.at) + 10;
    play.apply(at, By::Human, None, Body::Answer { seat, ask, answer }).map(|_| ())
}

/// The result of each finished stage: seat and selection.
pub(crate) fn results(play: &Match) -> Json {
    play.view(Viewer::Gallery)["results"].clone()
}
