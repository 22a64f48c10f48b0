//! The script of a scenario, line by line.

use std::collections::BTreeMap;
use std::sync::Arc;

use parlor_core::{AskId, DynGame, Json, Refusal, Rng, Seat};
use serde_json::json;

use super::Wrong;
use super::chance::Script;
use super::shape::unknown;
use crate::game::{RulesetGame, game_def, request};
use crate::machine::board::Delta;
use crate::machine::ids::EventType;
use crate::machine::program::{AskKind, Program, STEPS};
use crate::machine::state::{EventData, Faces, Question, Sink, Status};

/// A scenario that is played.
pub(super) struct Play {
    pub(super) program: Arc<Program>,
    pub(super) game: RulesetGame,
    rng: Rng,
    pub(super) log: Vec<(EventData, Status)>,
    /// The kinds of the cards that these events speak of, as they were then.
    pub(super) faces: Vec<Faces>,
    /// The types of all events so far, by their numbers: what later ones name as their cause.
    pub(super) types: BTreeMap<u32, EventType>,
    deltas: Vec<Delta>,
    chance: Option<Script>,
}

/// Why a line was not taken: what it says cannot be, or it was refused.
enum Not {
    Wrong(Wrong),
    Refused(String),
}

impl From<Wrong> for Not {
    fn from(wrong: Wrong) -> Self {
        Self::Wrong(wrong)
    }
}

fn refused(refusal: &Refusal) -> Not {
    Not::Refused(refusal.to_string())
}

impl Play {
    pub(super) fn start(program: &Arc<Program>, scenario: &Json) -> Result<Self, Wrong> {
        let config = game_def::settings(program, &scenario["settings"])
            .map_err(|refusal| Wrong::new(refusal.to_string()).inside("settings"))?;
        let seats = scenario["seats"].as_u64().unwrap_or(program.seats.0.into()).min(255) as u8;
        if !(program.seats.0..=program.seats.1).contains(&seats) {
            return Err(Wrong::new(format!("{seats} cannot play this")).inside("seats"));
        }
        let mut chance = match &scenario["chance"] {
            Json::Null => None,
            lines => Some(Script::read(program, lines)?),
        };
        let seed = blake3::hash(scenario["seed"].as_str().unwrap_or("scenario").as_bytes());
        let mut rng = Rng::fast(u64::from_le_bytes(seed.as_bytes()[..8].try_into().unwrap_or_default()));
        let (mut log, mut faces, mut deltas) = (Vec::new(), Vec::new(), Vec::new());
        let mut laid = Ok(());
        let mut out = sink((&mut log, &mut faces), &mut deltas, &mut chance);
        let full = scenario["fullControl"] != false;
        let game = RulesetGame::start_with(program.clone(), config, seats, &mut rng, &mut out, |vm| {
            if full && !vm.program.is_first_edition() {
                // A script says every pass: nobody is passed over unless it is about that.
                crate::internals::ask_everybody(vm);
            }
            laid = super::given::given(vm, &scenario["given"]);
        });
        laid.map_err(|wrong| wrong.inside("given"))?;
        let types = types(&log);
        let mut play = Self { program: program.clone(), game, rng, log, faces, types, deltas, chance };
        play.luck_is_scripted()?;
        if let Some(step) = scenario["given"]["step"].as_str() {
            play.pass_to(step).map_err(|wrong| wrong.inside("step").inside("given"))?;
        }
        Ok(play)
    }

    /// Everybody passes until the step is reached.
    fn pass_to(&mut self, step: &str) -> Result<(), Wrong> {
        let steps = &self.program.enums[STEPS].values;
        let Some(wanted) = steps.iter().position(|other| other == step) else {
            return Err(unknown("step", step, steps.iter().map(String::as_str)));
        };
        for _ in 0..100 {
            let state = self.game.inside();
            if state.board.step.index() == wanted {
                return Ok(());
            }
            let Some(open) = state.open.as_ref().filter(|open| open.what == Question::Priority) else {
                break;
            };
            let Some(seat) = open.seats.lowest() else { break };
            let pass = json!({"title": "Act or pass", "selection": [request::PASS]});
            self.answer(seat, AskId(0), &pass).map_err(|_| Wrong::new("nobody can pass here"))?;
            self.types.extend(types(&self.log));
            self.luck_is_scripted()?;
        }
        Err(Wrong::new(format!("the step {step} is not reached by passing")))
    }

    /// Luck came as it is written, so far.
    pub(super) fn luck_is_scripted(&self) -> Result<(), Wrong> {
        self.chance.as_ref().map_or(Ok(()), Script::wrong)
    }

    /// At the end: nobody is asked anything that the scenario does not know of, and no luck is left over.
    pub(super) fn nothing_is_left(&self, scenario: &Json) -> Result<(), Wrong> {
        if let Some(chance) = &self.chance {
            chance.is_over()?;
        }
        if scenario["then"].get("broken").is_none() {
            self.stands_still().map_err(|wrong| wrong.inside("script"))?;
        }
        let Some(open) = &self.game.inside().open else { return Ok(()) };
        let choice = !matches!(open.what, Question::Priority | Question::Wait(_));
        if let (true, Some(seat), None) = (choice, open.seats.lowest(), scenario["then"].get("asked")) {
            let title = self.game.request(seat, AskId(open.id)).title;
            let what = format!("a choice that is not scripted: seat {} is asked '{title}'", seat.index());
            return Err(Wrong::new(format!("{what}; answer it, or say `asked`")).inside("script"));
        }
        Ok(())
    }

    /// A match in which something is broken stands still: no line can be played.
    fn stands_still(&self) -> Result<(), Wrong> {
        crate::machine::exec::invariants::broken_now(&self.program, self.game.inside())
            .map_or(Ok(()), |why| Err(Wrong::new(format!("the match stands still: {why}"))))
    }

    /// Plays a line; says how many events were compared. Events that differ are put beside the others: the script goes on.
    pub(super) fn line(&mut self, line: &Json, differ: &mut Vec<Wrong>) -> Result<usize, Wrong> {
        self.log.clear();
        self.faces.clear();
        if let Some(over) = &self.game.inside().over {
            let stop = self.game.stopped().filter(|_| over.reason.starts_with("verdict: "));
            let why =
                stop.map_or(String::new(), |stop| format!(" ({}{})", over.reason, stop.text(&self.program)));
            return Err(Wrong::new(format!("the match is over{why}: this line is left over")));
        }
        self.stands_still()?;
        let before = self.game.state();
        match (self.act(line), line["refused"].as_str()) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => return Err(Wrong::new("it was taken, and should have been refused")),
            (Err(Not::Wrong(wrong)), _) => return Err(wrong),
            (Err(Not::Refused(why)), None) => {
                let why = format!("{why}{}", self.choices(line));
                return Err(Wrong { got: Some(why), ..Wrong::new("it was refused") });
            }
            (Err(Not::Refused(why)), Some(text)) if !why.contains(text) => {
                let wrong = Wrong::not("it was refused for another reason", &json!(text), &json!(why));
                return Err(wrong.inside("refused"));
            }
            (Err(Not::Refused(_)), Some(_)) if self.game.state() != before => {
                return Err(Wrong::new("a refusal changed something"));
            }
            (Err(Not::Refused(_)), Some(_)) => {}
        }
        self.types.extend(types(&self.log));
        let Some(events) = line["events"].as_array() else { return Ok(0) };
        differ.extend(self.compare(events).into_iter().map(|wrong| wrong.inside("events")));
        Ok(events.len())
    }

    /// What could have been said instead, where a line says something to one who is asked.
    fn choices(&self, line: &Json) -> String {
        const MOST: usize = 12;
        let seat = line["seat"].as_u64().and_then(|n| u8::try_from(n).ok()).map(Seat::new);
        let open = self.game.inside().open.as_ref();
        let Some(seat) = seat.filter(|seat| open.is_some_and(|open| open.seats.has(*seat))) else {
            return String::new();
        };
        let mut choices = self.game.request(seat, AskId(0)).choices;
        choices.retain(|choice| choice.why_not.is_none());
        if line.get("say").is_none() || choices.is_empty() {
            return String::new();
        }
        let more = if choices.len() > MOST { ", …" } else { "" };
        let titles: Vec<&str> = choices.iter().take(MOST).map(|choice| choice.title.as_str()).collect();
        format!("; there is: {}{more}", titles.join(", "))
    }

    fn act(&mut self, line: &Json) -> Result<(), Not> {
        if line.get("elapse").is_some() {
            let Some(open) = &self.game.inside().open else {
                return Err(Wrong::new("nothing stands that could elapse").into());
            };
            if open.ms == 0 && !matches!(open.what, Question::Wait(_)) {
                let why = "no clock runs: what is asked has no `timeout`, or one of 0 ms";
                return Err(Wrong::new(why).into());
            }
            let mut out = sink((&mut self.log, &mut self.faces), &mut self.deltas, &mut self.chance);
            self.game.elapse(&mut self.rng, &mut out);
            return Ok(());
        }
        let n = line["seat"].as_u64().filter(|n| *n < self.game.inside().board.seats.into());
        let Some(n) = n else { return Err(Wrong::new("there is no such seat").inside("seat").into()) };
        let seat = Seat::new(n as u8);
        if line.get("leave").is_some() {
            let mut out = sink((&mut self.log, &mut self.faces), &mut self.deltas, &mut self.chance);
            self.game.leave(seat, &mut self.rng, &mut out);
            return Ok(());
        }
        let title = self.game.request(seat, AskId(0)).title;
        let (ask, selection) = match (&line["act"], &line["passUntil"], &line["say"]) {
            (Json::String(action), _, _) => {
                let targets = if line["targets"].is_null() { json!({}) } else { line["targets"].clone() };
                (AskId(0), json!({"action": action, "targets": targets}))
            }
            (_, Json::String(until), _) => {
                return self.offer(seat, json!({"action": request::PASS_UNTIL, "until": until}));
            }
            (_, Json::Object(said), _) => {
                let mut said = said.clone();
                said.insert("action".to_owned(), json!(request::PASS_UNTIL));
                return self.offer(seat, Json::Object(said));
            }
            (_, _, Json::Array(items)) => (AskId(0), items.iter().map(|one| self.said(one)).collect()),
            (_, _, one) => (AskId(0), json!([self.said(one)])),
        };
        self.answer(seat, ask, &json!({"title": title, "selection": selection}))
    }

    /// What a line says of one thing: numbers may be written as numbers, where they are not a distribution.
    fn said(&self, one: &Json) -> Json {
        let open = self.game.inside().open.as_ref();
        let parts = open.is_some_and(|open| match open.what {
            Question::Ask(ask) => self.program.asks[ask].kind == AskKind::Distribute,
            _ => false,
        });
        match one {
            Json::Number(number) if !parts => json!(number.to_string()),
            other => other.clone(),
        }
    }

    fn offer(&mut self, seat: Seat, selection: Json) -> Result<(), Not> {
        self.answer(seat, request::OFFER, &json!({"title": request::OFFER_TITLE, "selection": selection}))
    }

    fn answer(&mut self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Not> {
        let Some(open) = self.game.inside().open.clone() else {
            return Err(Not::Refused("nothing is asked".to_owned()));
        };
        if ask != request::OFFER && !open.seats.has(seat) {
            let asked: Vec<usize> = open.seats.iter().map(Seat::index).collect();
            return Err(Not::Refused(format!("seat {} is not asked; {asked:?} are", seat.index())));
        }
        if answer["selection"]["action"].is_string()
            && ask != request::OFFER
            && open.what != Question::Priority
        {
            let title = self.game.request(seat, AskId(0)).title;
            let what =
                format!("no action is asked of seat {}: '{title}' is; answer it with `say`", seat.index());
            return Err(Not::Refused(what));
        }
        let ask = if ask == request::OFFER { ask } else { AskId(open.id) };
        let said = self.game.read(seat, ask, answer).map_err(|refusal| refused(&refusal))?;
        let mut out = sink((&mut self.log, &mut self.faces), &mut self.deltas, &mut self.chance);
        self.game.say(seat, false, said, &mut self.rng, &mut out);
        Ok(())
    }
}

fn types(log: &[(EventData, Status)]) -> BTreeMap<u32, EventType> {
    log.iter().map(|(ev, _)| (ev.id, ev.ty)).collect()
}

fn sink<'a>(
    (log, faces): (&'a mut Vec<(EventData, Status)>, &'a mut Vec<Faces>),
    deltas: &'a mut Vec<Delta>,
    chance: &'a mut Option<Script>,
) -> Sink<'a> {
    let chance = chance.as_mut().map(|script| script as &mut dyn crate::machine::exec::chance::Chance);
    Sink { output: None, deltas: Some(deltas), log: Some(log), faces: Some(faces), chance }
}
