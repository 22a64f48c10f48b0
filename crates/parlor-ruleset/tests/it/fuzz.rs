//! Files that nobody wrote: the checker never panics, and what it accepts plays within its fuel.

use std::sync::Arc;

use parlor_core::{Json, Rng};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{Program, RulesetGame, compile, shipped};
use parlor_testkit::fuzz::Fuzz;
use parlor_wire::Codec;
use serde_json::{Value, json};

/// How many places a value has.
fn count(value: &Value) -> u32 {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<u32>(),
        Value::Object(map) => 1 + map.values().map(count).sum::<u32>(),
        _ => 1,
    }
}

/// Does something with the value at place number `n`.
fn with_place<R>(value: &mut Value, n: u32, f: &mut dyn FnMut(&mut Value) -> R) -> Option<R> {
    fn walk<R>(value: &mut Value, n: &mut u32, f: &mut dyn FnMut(&mut Value) -> R) -> Option<R> {
        if *n == 0 {
            return Some(f(value));
        }
        *n -= 1;
        match value {
            Value::Array(items) => items.iter_mut().find_map(|item| walk(item, n, f)),
            Value::Object(map) => map.values_mut().find_map(|item| walk(item, n, f)),
            _ => None,
        }
    }
    let mut n = n;
    walk(value, &mut n, f)
}

/// Statements, expressions and parts that the files may not have: mutations must reach every one of them.
fn grafts() -> Vec<Value> {
    let any = json!({"zones": ["hand", "deck", "battlefield", "field", "left"], "of": "each"});
    vec![
        json!({"later": {"on": {"event": "TurnStarted"}, "do": [{"draw": {"seat": "you"}}], "once": false, "until": {"rounds": 2}}}),
        json!({"later": {"on": {"event": "ZoneMoved", "where": {"!=": [{"ev": "from"}, {"ev": "to"}]}}, "do": [{"later": {"on": {"event": "ZoneMoved"}, "do": []}}]}}),
        json!({"peek": {"what": any, "to": "you", "until": "turnEnd"}}),
        json!({"turnDown": any}),
        json!({"turnUp": any}),
        json!({"copyItem": {"first": {"stackItems": {}}}}),
        json!({"retarget": {"item": {"first": {"stackItems": {}}}, "target": 0, "to": {"first": any}}}),
        json!({"activate": {"of": {"first": any}, "trigger": "reveal", "as": {"last": any}}}),
        json!({"activate": {"of": {"first": any}, "trigger": "study"}}),
        json!({"apply": {"to": any, "silence": true, "until": {"turns": 2}}}),
        json!({"grant": {"to": any, "keyword": "haste", "until": "untilYourNextTurn"}}),
        json!({"apply": {"to": any, "without": "haste"}}),
        json!({"nextRound": true}),
        json!({"move": {"what": {"zones": ["hand"], "of": "you", "random": 2}, "to": {"zone": ["deck", "you"]}, "faceDown": true}}),
        json!({"count": {"zones": ["hand"], "of": "you", "distinctBy": {"card": "it"}}}),
        json!({"was": [{"first": any}, "power"]}),
        json!({"happened": ["ZoneMoved", "round"]}),
        json!({"arrived": {"first": any}}),
        json!({"id": "graft", "event": "ZoneMoved", "optional": true, "do": [{"prevent": true}]}),
        json!({"id": "graft", "event": "Damaged", "optional": true, "chooser": "active", "instead": [{"nextRound": true}]}),
        json!({"id": "graft", "event": "TurnStarted"}),
        json!({"id": "graft", "state": {"<": [{"count": {"zones": ["hand"], "of": "each"}}, 4]}, "do": [{"draw": {"seat": "active"}}]}),
        json!("controllerChooses"),
        json!("affectedChooses"),
        json!({"min": 2, "max": 4, "teams": 2}),
        json!({"owner": "team", "type": "int", "default": 1}),
        json!({"amount": 3, "draw": "burn"}),
        json!({"owner": "player", "see": "owner", "grid": [2, 2]}),
        json!({"partners": {"seat": 0}}),
        json!({"enemies": "you"}),
    ]
}

/// One of the grafts comes somewhere into the file: into a list, in place of a value, or as a section.
fn graft(value: &mut Value, rng: &mut Rng, grafts: &[Value]) {
    let new = rng.pick(grafts).clone();
    let section = ["triggerOrder", "replaceOrder", "players", "stake"].map(str::to_owned);
    if rng.below(8) == 0
        && let Some(map) = value.as_object_mut()
    {
        map.insert(rng.pick(&section).clone(), new);
        return;
    }
    // A statement goes into a list of statements, anything else into a list of its kind or in place of something.
    for _ in 0..20 {
        let n = rng.below(count(value));
        let done = with_place(value, n, &mut |place| match place {
            Value::Array(items) if items.iter().all(Value::is_object) && !items.is_empty() => {
                items.push(new.clone());
                true
            }
            _ => false,
        });
        if done == Some(true) {
            return;
        }
    }
    let n = rng.below(count(value));
    with_place(value, n, &mut |place| *place = new.clone());
}

/// One change: a value is dropped, doubled, replaced by another of the file, or bent.
fn mutate(value: &mut Value, rng: &mut Rng) {
    let all = count(value);
    let (n, other) = (rng.below(all), rng.below(all));
    let donor = with_place(value, other, &mut |value| value.clone()).unwrap_or(Value::Null);
    let kind = rng.below(8);
    let number = i64::from(rng.below(40)) - 20;
    with_place(value, n, &mut |value| match kind {
        0 => *value = donor.clone(),
        1 => {
            if let Value::Array(items) = value {
                items.pop();
            }
        }
        2 => {
            if let Value::Array(items) = value
                && let Some(last) = items.last().cloned()
            {
                items.push(last);
            }
        }
        3 => {
            if let Value::Object(map) = value
                && let Some(key) = map.keys().next().cloned()
            {
                map.remove(&key);
            }
        }
        4 => *value = json!(number),
        5 => *value = json!([value.clone()]),
        6 => {
            if value.is_number() {
                *value = json!(number);
            }
        }
        _ => {
            if let Value::Array(items) = value {
                items.reverse();
            }
        }
    });
}

/// Three random matches, each within its fuel and a number of inputs; what is sent is what its types say.
fn plays(p: &Arc<Program>, seed: u64) {
    crate::screen::check(p);
    let Ok(config) = settings(p, &Json::Null) else { return };
    for n in 0..3 {
        let mut rng = Rng::fast(seed * 3 + n);
        let mut table =
            RulesetGame::start(p.clone(), config.clone(), p.seats.0, &mut rng, &mut Sink::silent());
        for _ in 0..40 {
            let Some(open) = table.inside().open.clone() else { break };
            match open.seats.lowest() {
                None => table.elapse(&mut rng, &mut Sink::silent()),
                Some(seat) => {
                    let said = table.any(seat, &mut rng);
                    table.say(seat, false, said, &mut rng, &mut Sink::silent());
                }
            }
        }
    }
}

#[test]
fn no_file_makes_the_checker_panic_and_what_it_accepts_plays() {
    // cites 001-14
    let files: u64 = std::env::var("PARLOR_SOAK_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(5000);
    let shipped =
        ["skirmish", "orcain", "hearts-rules"].map(|name| shipped::text(name).expect("it is shipped"));
    let [skirmish, orcain, hearts] = shipped;
    let veil = include_str!("../fixtures/veil.json");
    let atelier = include_str!("../../../../rulesets/atelier.json");
    // Most of the language is in these; the others have what is theirs alone.
    let texts = [skirmish, orcain, hearts, veil, atelier, skirmish, veil];
    let (grafts, mut grafted, mut varied) = (grafts(), 0, 0);
    let values: Vec<Value> =
        texts.iter().map(|text| serde_json::from_str(text).expect("it is JSON")).collect();
    let (mut accepted, mut findings) = (0, 0);
    for seed in 0..files {
        let mut rng = Rng::fast(seed);
        let text = if seed % 10 == 9 {
            // Torn text: cut, or with bytes changed.
            let text = texts[(seed % 7) as usize];
            let cut = rng.below(text.len() as u32) as usize;
            let cut = (0..=cut).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0);
            text[..cut].to_owned()
        } else {
            let mut value = values[(seed % 7) as usize].clone();
            if let Some(limits) = value.as_object_mut() {
                limits.insert("limits".to_owned(), json!({"ops": 20000}));
            }
            let graft_it = rng.below(2) == 0;
            if graft_it {
                graft(&mut value, &mut rng, &grafts);
            }
            for _ in 0..rng.below(3) + u32::from(!graft_it) {
                mutate(&mut value, &mut rng);
            }
            if rng.below(12) == 0
                && let Some(map) = value.as_object_mut()
            {
                // A few sections of it, laid over a shipped ruleset.
                map.retain(|_, _| rng.below(4) == 0);
                map.insert("id".to_owned(), json!("variant"));
                map.insert("extends".to_owned(), json!("skirmish"));
                varied += 1;
            }
            grafted += u32::from(graft_it);
            value.to_string()
        };
        match compile(&text) {
            Ok(compiled) => {
                accepted += 1;
                plays(&Arc::new(compiled.program), seed);
            }
            Err(found) => {
                assert!(!found.is_empty(), "{seed}: refused without a word");
                findings += found.len();
            }
        }
    }
    println!("{grafted} with a graft, {varied} variants");
    println!("{files} files: {accepted} accepted and played, {findings} findings in the others, no panic");
    assert!(accepted > files / 20, "too few files are accepted to prove anything");
}

/// Pieces of the language.
const WORDS: [&str; 40] = [
    "name",
    "extends",
    "skirmish",
    "players",
    "vars",
    "zones",
    "cards",
    "actions",
    "events",
    "triggers",
    "setup",
    "settings",
    "turnStructure",
    "phases",
    "steps",
    "limits",
    "ops",
    "invariants",
    "do",
    "forEach",
    "seats",
    "all",
    "each",
    "you",
    "active",
    "if",
    "then",
    "else",
    "repeat",
    "while",
    "move",
    "set",
    "emit",
    "when",
    "where",
    "count",
    "first",
    "it",
    "max",
    "min",
];

/// Cites 001-14.
#[test]
fn the_compiler_takes_any_bytes() {
    let shipped =
        ["skirmish", "orcain", "hearts-rules"].map(|name| shipped::text(name).expect("it is shipped"));
    let seeds = shipped.into_iter().chain([include_str!("../fixtures/veil.json")]);
    let seeds = seeds.map(|text| text.as_bytes().to_vec()).collect();
    let fuzz =
        Fuzz { name: "rulesets", seeds, words: &WORDS, codec: Some(Codec::Json), bytes_max: 64 * 1024 };
    fuzz.run(|bytes| match compile(&String::from_utf8_lossy(bytes)) {
        Ok(compiled) => {
            plays(&Arc::new(compiled.program), 7);
            "plays".to_owned()
        }
        Err(found) => {
            assert!(!found.is_empty(), "refused without a word");
            found.iter().take(3).map(|finding| finding.code).collect::<Vec<_>>().join(" ")
        }
    });
}
