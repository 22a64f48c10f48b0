//! What rulesets send to screens is what its types say, and the TypeScript of the screens is made from these.

use std::any::type_name;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parlor_core::selector::Choice;
use parlor_core::{Body, By, Header, Json, Match, Rng, Seat, Seed, TimeLimit, Viewer};
use parlor_ruleset::internals::{self, AskMeta, ChoiceMeta, Event, Sheet, View, ZoneMoved};
use parlor_ruleset::{Program, compile, game_def, shipped};
use parlor_testkit::typescript::File;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// The names of everything that was compared: `item.mode`, `statement slots`.
#[derive(Default)]
struct Seen(BTreeSet<String>);

/// Reads JSON into a type and writes it back.
fn same<T: DeserializeOwned + Serialize>(json: &Json) {
    let (name, read) = (type_name::<T>(), T::deserialize(json));
    let read = read.unwrap_or_else(|error| panic!("this is no {name}: {error}: {json}"));
    let written = serde_json::to_value(&read).expect("it is plain data");
    assert_eq!(written, *json, "{name} writes something else");
}

impl Seen {
    fn fields(&mut self, of: &str, json: &Json) {
        let names = json.as_object().into_iter().flat_map(|map| map.keys());
        self.0.extend(names.map(|name| format!("{of}.{name}")));
    }

    fn view(&mut self, json: &Json) {
        same::<View>(json);
        self.fields("view", json);
        let players = json["players"].as_array().into_iter().flatten();
        let zones = players.map(|player| &player["zones"]).chain([&json["zones"]]);
        for zone in zones.filter_map(Json::as_object).flat_map(|zones| zones.values()) {
            self.fields("zone", zone);
            for card in zone["cards"].as_array().into_iter().flatten() {
                self.fields("card", card);
            }
        }
        for item in json["stack"].as_array().into_iter().flatten() {
            self.fields("item", item);
            for target in item["targets"].as_array().into_iter().flatten() {
                self.fields("target", target);
            }
        }
    }

    fn event(&mut self, json: &Json) {
        same::<Event>(json);
        if json["type"] == "ZoneMoved" {
            same::<ZoneMoved>(&json["payload"]);
        }
        if json.get("payload").is_some() {
            self.fields("event", json);
        } else {
            self.0.insert(format!("notice {}", json["type"].as_str().unwrap_or_default()));
        }
    }

    fn ask(&mut self, json: &Json) {
        same::<AskMeta>(json);
        let of = match json {
            _ if json.get("ask").is_some() => "statement",
            _ if json.get("action").is_some() => "target",
            _ if json.get("event").is_some() => "rule",
            _ => "window",
        };
        self.0.insert(format!("{of} {}", json["kind"].as_str().unwrap_or_default()));
    }

    fn choices(&mut self, choices: &[Choice]) {
        for choice in choices {
            if let Some(json) = &choice.meta {
                same::<ChoiceMeta>(json);
                self.fields("choice", json);
            }
            self.choices(&choice.choices);
        }
    }

    /// Everything that is sent after an input.
    fn sent(&mut self, play: &Match, events: &[(parlor_core::Seats, Json)]) {
        events.iter().for_each(|(_, event)| self.event(event));
        Viewer::all(play.header().seats).for_each(|viewer| self.view(&play.view(viewer)));
        for ask in &play.open_asks() {
            for seat in ask.seats.iter() {
                let request = play.request(seat, ask.id);
                request.meta.iter().for_each(|meta| self.ask(meta));
                self.choices(&request.choices);
            }
        }
    }

    /// Plays at random with so many inputs, and compares everything that is sent.
    fn play(&mut self, program: &Arc<Program>, settings: &Json, seed: u64, inputs: usize) {
        same::<Sheet>(&program.sheet);
        self.fields("sheet", &program.sheet);
        let def = game_def(program.clone(), "screen");
        let (fewest, most) = program.seats;
        let mut rng = Rng::fast(seed);
        let seats = fewest + rng.below(u32::from(most - fewest) + 1) as u8;
        let header = Header::seeded(&def, seats, settings.clone(), Seed::from_text(&seed.to_string()));
        // A game that a table must bring something to does not start without it.
        let Ok((mut play, started)) = Match::start(def, header) else { return };
        self.sent(&play, &started.events);
        for _ in 0..inputs {
            let Some(body) = input(&play, &mut rng) else { return };
            let at = play.last_at().unwrap_or(0) + 1;
            // To share out something among nothing is a question without an answer: such a match is stuck.
            let Ok(applied) = play.apply(at, By::Human, None, body) else { return };
            self.sent(&play, &applied.events);
        }
    }
}

/// Something that may happen next: questions are answered more often than offers.
fn input(play: &Match, rng: &mut Rng) -> Option<Body> {
    let asks = play.open_asks();
    if play.outcome().is_some() || play.paused().is_some() || asks.is_empty() {
        return None;
    }
    if play.def().visits && rng.below(40) == 0 {
        let seat = Seat::new(rng.below(play.header().seats.into()) as u8);
        return Some(Body::Visit { visit: parlor_core::Visit::leave(seat) });
    }
    let beside = rng.below(8) == 0;
    let stands: Vec<_> =
        asks.iter().filter(|ask| ask.blocks() || (beside && !ask.seats.is_empty())).collect();
    let ask = *rng.pick(&stands);
    let timed = ask.clock != TimeLimit::None && ask.blocks();
    if ask.seats.is_empty() || (timed && rng.below(8) == 0) {
        return Some(Body::Elapsed { ask: ask.id, seat: None });
    }
    let seat = ask.seats.iter().nth(rng.below(ask.seats.len() as u32) as usize)?;
    // Some questions take any answer as a sign of life.
    let here = json!({"selection": "here"});
    let alive = rng.below(8) == 0 && play.check(seat, ask.id, &here).is_ok();
    let answer = if alive { here } else { play.sample(seat, ask.id, rng).expect("the rules can sample") };
    Some(Body::Answer { seat, ask: ask.id, answer })
}

/// A few inputs with a ruleset of another test.
pub(crate) fn check(program: &Arc<Program>) {
    Seen::default().play(program, &Json::Null, 1, 20);
}

fn compiled(text: &str) -> Arc<Program> {
    Arc::new(compile(text).unwrap_or_else(|findings| panic!("{findings:#?}")).program)
}

/// Files of rulesets beside the checkout, where there are any.
fn cases() -> Vec<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3);
    let folder =
        std::env::var_os("PARLOR_DATA_DIR").map(PathBuf::from).or(above.map(|up| up.join("shared/data")));
    let files = folder.and_then(|data| std::fs::read_dir(data.join("../cases/rulesets")).ok());
    let paths = files.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let ruleset = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".json") && !name.ends_with(".tests.json")
    };
    paths.filter(ruleset).collect()
}

#[test]
fn everything_that_is_sent_is_what_the_types_say() {
    let mut seen = Seen::default();
    let shipped = shipped::names().into_iter().map(|name| shipped::program(name).expect("it is shipped"));
    let veil = include_str!("../fixtures/veil.json");
    let atelier = include_str!("../../../../rulesets/atelier.json");
    let others = [veil, atelier, &questions().to_string(), &stacked().to_string()].map(compiled);
    for program in shipped.chain(others) {
        (0..6).for_each(|seed| seen.play(&program, &Json::Null, seed, 150));
    }
    let names = |(of, names): &(&str, &str)| -> Vec<String> {
        names.split(' ').map(|name| format!("{of}{name}")).collect()
    };
    let missing: Vec<String> =
        COMPARED.iter().flat_map(names).filter(|name| !seen.0.contains(name)).collect();
    assert_eq!(missing, [""; 0], "these were never sent, so nothing is known of them");
}

#[test]
fn what_the_cases_beside_the_checkout_send_is_what_the_types_say() {
    let (files, mut seen, mut played) = (cases(), Seen::default(), 0);
    for path in &files {
        let text = std::fs::read_to_string(path).expect("it can be read");
        // Some of them are there to be refused.
        let Ok(compiled) = compile(&text) else { continue };
        let program = Arc::new(compiled.program);
        (0..2).for_each(|seed| seen.play(&program, &Json::Null, seed, 40));
        played += 1;
    }
    match files.len() {
        0 => println!("UNCOMPARED: there are no cases beside this checkout"),
        n => println!("{played} of {n} cases are played"),
    }
}

/// Every question that a ruleset can ask, to teams with a grid.
fn questions() -> Json {
    let mine = json!({"zones": ["hand"], "of": "asked"});
    let kinds = json!([
        {"pick": {"from": mine, "min": 0, "max": 2}},
        {"order": mine},
        {"modes": ["left", "right"]},
        {"confirm": true},
        {"number": {"min": 2, "max": 5}},
        {"number": {"min": 2, "max": 50_000}},
        {"slots": {"n": 4, "from": mine}},
        {"distribute": {"from": mine, "sum": 6}}
    ]);
    let ask = |(n, kind): (usize, &Json)| {
        let mut ask = json!({"id": format!("q{n}"), "who": "all", "mode": "all", "prompt": "Well?", "as": format!("a{n}"),
            "drafts": true, "alive": true, "shown": true});
        ask.as_object_mut().expect("an object").extend(kind.as_object().expect("an object").clone());
        json!({"ask": ask})
    };
    json!({
        "ir": "parlor-ir/1", "name": "Questions", "author": "test", "description": "Every kind of question.",
        "players": {"min": 4, "max": 4, "teams": 2},
        "vars": {"score": {"owner": "team", "type": "int", "default": 0}},
        "zones": {"hand": {"owner": "player", "see": "owner"}, "board": {"owner": "game", "see": "all", "grid": [2, 2]}},
        "cards": {"stone": {"text": "A stone.", "ui": {"art": "stone"}}},
        "actions": {},
        "setup": [
            {"forEach": {"seats": "all", "as": "p", "do": [{"create": {"cards": ["stone", "stone"], "to": {"zone": ["hand", "p"]}}}]}},
            {"move": {"what": {"first": {"zones": ["hand"], "of": {"seat": 0}}}, "to": "board", "cell": 3}}
        ],
        "flow": kinds.as_array().expect("a list").iter().enumerate().map(ask).collect::<Vec<_>>()
    })
}

/// A stack on which things are countered and paid for with cards, and rules that somebody must choose from.
fn stacked() -> Json {
    let theirs = json!([{"id": "s", "from": {"stackItems": {"controller": "opponent"}}}]);
    let mine = json!({"zones": ["table"], "of": "you"});
    let echo = json!({"triggers": [{"id": "echo", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": 1}}]}]});
    let replace = |id: &str, n: i64| json!({"id": id, "event": "Ping", "do": [{"modifyEvent": {"n": n}}]});
    crate::harness::ruleset(&json!({
        "players": {"min": 2, "max": 2},
        "triggerOrder": "controllerChooses", "replaceOrder": "affectedChooses",
        "events": {"Ping": {"n": "int", "who": "seat"}, "Pressed": {}},
        "cards": {"stone": echo},
        "actions": {
            "press": {"timing": "stack", "when": {"<": [{"happened": ["Pressed", "turn"]}, 4]},
                "costs": [{"emit": {"event": "Pressed"}}],
                "do": [{"emit": {"event": "Ping", "payload": {"n": 1, "who": "you"}}}]},
            "stop": {"timing": "instant", "targets": theirs, "do": [{"counterItem": "s"}]},
            "burn": {"timing": "stack",
                "targets": [{"id": "aim", "from": {"zones": ["table"], "of": "each"}}, {"id": "fuel", "from": mine, "price": true}],
                "costs": [{"move": {"what": "fuel", "to": "hand"}}], "do": [{"add": {"var": "n", "by": 1}}]}
        },
        "replaces": [
            replace("more", 2), replace("less", 3),
            {"id": "maybe", "event": "Ping", "optional": true, "do": [{"modifyEvent": {"n": 4}}]}
        ],
        "setup": [{"forEach": {"seats": "all", "as": "p", "do": [
            {"create": {"cards": ["stone", "stone", "stone"], "to": {"zone": ["table", "p"]}}}
        ]}}]
    }))
}

/// Everything that must have been there to be compared, apart from what every view, event and sheet has.
const COMPARED: &[(&str, &str)] = &[
    ("view.", "turn teams stack priority passes waitingFor answer passUntil"),
    ("zone.", "count cards"),
    ("card.", "id card owner controller by keywords counters faceDown cell power"),
    ("item.", "causedBy source countered counteredBy action mode ability targets"),
    ("target.", "id seat card target"),
    ("event.", "item title counteredBy"),
    ("notice ", "changed priority.changed pass_until drafted answered present"),
    ("window ", "action pass_until"),
    ("target ", "target_select pay_cost mode_pick"),
    ("rule ", "confirm mode_pick order_select"),
    ("statement ", "target_select order_select mode_pick confirm number slots distribute"),
    ("choice.", "ref cost action ui mode ability"),
    ("sheet.", "words"),
];

/// Adds these types in this order.
macro_rules! add {
    ($file:ident: $($type:ident),* $(,)?) => { $($file.add::<internals::$type>();)* };
}

#[test]
fn the_typescript_of_the_screens_is_that_of_the_types() {
    let mut file = File::new();
    // Each type comes after those that it contains: ts-rs goes through them in an order that differs between builds.
    file.add::<Json>();
    file.add::<Seat>();
    add!(file: SeatRef, CardRef, Thing, AnswerValue, Answer, PassUntil, Turn);
    add!(file: SeenCard, SeenZone, SeenPlayer, SeenTeam);
    add!(file: ItemKind, ItemFlags, Cause, CounteredBy, SeenTarget, SeenItem, View);
    add!(file: EventStatus, RuleEvent, Notice, Event, ZoneMoved);
    add!(file: UntilOption, WindowMeta, TargetKind, TargetMeta, RuleKind, RuleMeta);
    add!(file: AskOption, Question, StatementMeta, AskMeta, ChoiceMeta);
    add!(file: Named, Owner, SeenBy, ZoneDef, AttrDef, VarDef, StepDef, PhaseDef, CardDef, Labels, Words, Sheet);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/lib/ruleset/types.ts");
    file.matches(path.as_ref(), "PARLOR_BLESS=1 cargo test -p parlor-ruleset typescript");
}
