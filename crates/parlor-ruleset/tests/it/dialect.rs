//! The document's messages, in and out.

use parlor_core::{AskId, Body, By, DynGame, Header, Json, Match, Rng, Seat, Seed};
use parlor_ruleset::dialect::{self, DialectAction};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{RulesetGame, shipped};
use serde_json::json;

/// What a seat can do, as clients read it.
fn actions(table: &RulesetGame, seat: Seat, wanted: &Json) -> Json {
    json!(dialect::actions(table, seat, wanted))
}

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

/// A table of skirmish on which these lie, with so much mana, at the first decision of the main step.
fn table(zones: &Json, mana: i64) -> RulesetGame {
    let p = shipped::program("skirmish").expect("it is shipped");
    let config = settings(&p, &json!({"deck": [], "handSize": 0})).expect("good settings");
    let given = json!({"zones": zones, "vars": {"maxMana": [mana - 1, mana]}});
    RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), |vm| {
        parlor_ruleset::internals::given(vm, &given).expect("it can be laid");
    })
}

fn answer(meant: Result<DialectAction, parlor_core::Refusal>) -> Json {
    match meant {
        Ok(DialectAction::Answer { answer, .. }) => answer,
        other => panic!("no answer: {other:?}"),
    }
}

/// Says it, and gives what stands on the stack then.
fn stack(mut table: RulesetGame, answer: &Json) -> Vec<String> {
    let said = table.read(FIRST, AskId(0), answer).unwrap_or_else(|why| panic!("{answer}: {why}"));
    table.say(FIRST, false, said, &mut Rng::fast(1), &mut Sink::silent());
    let events = &table.program().events;
    table.inside().stack.iter().map(|item| events[item.ev.ty].name.clone()).collect()
}

fn lay() -> Json {
    json!({"hand": [["bear", "warder"], []], "battlefield": [[], ["scholar"]], "deck": [["captain", "captain"], ["captain", "captain"]]})
}

/// What clients call the first card of a kind.
fn id(table: &RulesetGame, kind: &str) -> String {
    let (p, s) = (table.program(), table.inside());
    let found = s.board.entities.iter().position(|ent| p.cards[ent.def].name == kind);
    format!("c{}", s.board.entities[found.expect("there is one")].handle)
}

#[test]
fn every_form_of_a_submission_means_the_same() {
    // cites 001/R6, 001-11, 001-32
    let table = table(&lay(), 5);
    let bear = id(&table, "bear");
    let forms = [
        json!({"type": "play_creature", "params": {}, "targets": {"card": bear}}),
        json!({"type": "play_creature", "cardId": bear}),
        json!({"type": "play_creature", "cardId": "c999", "targets": {"card": bear}}),
        json!({"type": "semantic", "action_id": "play_creature", "cardId": bear}),
    ];
    for form in forms {
        let said = answer(dialect::submit(&table, FIRST, &form));
        assert_eq!(stack(table.clone(), &said), ["PlayCreature"], "{form}");
    }
    let message = json!({"type": "action.submit", "matchId": "m", "playerId": 0, "actionType": "play_creature", "params": {"cardId": bear}, "requestKey": "k"});
    match dialect::inbound(&table, FIRST, &message) {
        Ok(DialectAction::Answer { answer, key, .. }) => {
            assert_eq!(key.as_deref(), Some("k"));
            assert_eq!(stack(table.clone(), &answer), ["PlayCreature"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_are_the_document_s() {
    // cites 001-34, 001-16, 001-12
    let table = table(&lay(), 3);
    let code = |body: Json| dialect::submit(&table, FIRST, &body).expect_err("it is wrong");
    assert!(code(json!({"type": "dance"})).to_string().starts_with("Unknown action"));
    assert!(
        code(json!({"type": "play_creature", "cardId": id(&table, "warder")}))
            .to_string()
            .starts_with("Invalid action")
    );
    let error = dialect::error(&code(json!({"type": "dance"})));
    assert_eq!((error["type"].as_str(), error["code"].as_str()), (Some("error"), Some("unknown_action")));
}

#[test]
fn only_what_can_be_done_is_offered_with_its_cost() {
    // cites 001-30, 001-32, 001-35, 001/R15, 001-26
    let table = table(&lay(), 5);
    let all = |table: &RulesetGame| actions(table, FIRST, &Json::Null);
    let body = all(&table);
    let list = body["actions"].as_array().expect("a list");
    let ids: Vec<&str> = list.iter().filter_map(|action| action["id"].as_str()).collect();
    assert_eq!(ids, ["play_creature"], "no attack in the main step, no spell in the hand");
    let play = &list[0];
    assert_eq!(
        (&play["name"], &play["description"]),
        (&json!("Play a creature"), &json!("Play a creature from your hand"))
    );
    assert_eq!(play["cost"], "2–4 mana");
    assert_eq!(play["timing"], "stack");
    assert_eq!(play["ui"], json!({"icon": "play_card", "highlight": "hand_zone", "animation": "card_play"}));
    let options = play["targets"]["card"]["options"].as_array().expect("options");
    let costs: Vec<&str> = options.iter().filter_map(|option| option["cost"].as_str()).collect();
    assert_eq!(costs, ["2 mana", "4 mana", "4 mana"]);
    let his = actions(&table, SECOND, &Json::Null);
    assert_eq!(
        (&his["actions"], &his["whyNot"]["code"]),
        (&json!([]), &json!("priority")),
        "it is not for him to act"
    );
    // With less mana only what is affordable can be had; the rest says what it costs and what there is.
    let poor = self::table(&lay(), 3);
    let options = all(&poor)["actions"][0]["targets"]["card"]["options"].clone();
    assert_eq!(options[0], json!({"id": id(&poor, "bear"), "cost": "2 mana"}));
    let dear = json!({"code": "unaffordable", "text": "costs 4 mana, and there is 3",
        "args": {"cost": 4, "have": 3, "resource": "mana"}});
    assert_eq!(options[1], json!({"id": id(&poor, "warder"), "cost": "4 mana", "whyNot": dear}));
    // Actions that start from the thing that was clicked.
    let of = |thing: &str| actions(&table, FIRST, &json!({"of": id(&table, thing)}));
    assert_eq!(of("bear")["actions"].as_array().map(Vec::len), Some(1));
    assert_eq!(of("scholar")["actions"], json!([]));
}

#[test]
fn a_card_that_is_dragged_is_the_action_with_that_effect_or_nothing() {
    // cites 001-33, 001/R13, 001-34
    let table = table(&lay(), 5);
    let move_of = |card: String, from: &str, to: &str| {
        json!({"type": "direct_manipulation", "action": "move_card", "cardId": card, "from": from, "to": to,
               "metadata": {"drag_drop": true, "ui_context": "hand_to_play"}})
    };
    let drag = |card: String, to: &str| move_of(card, "hand", to);
    let said = answer(dialect::submit(&table, FIRST, &drag(id(&table, "bear"), "battlefield")));
    assert_eq!(stack(table.clone(), &said), ["PlayCreature"]);
    let before = table.state();
    for bad in [
        drag(id(&table, "bear"), "graveyard"),
        drag(id(&table, "scholar"), "battlefield"),
        drag("c999".to_owned(), "battlefield"),
        drag(id(&table, "bear"), "nowhere"),
        // The bear lies in the hand, and nowhere else.
        move_of(id(&table, "bear"), "battlefield", "battlefield"),
        move_of(id(&table, "bear"), "deck", "battlefield"),
    ] {
        let refusal = dialect::submit(&table, FIRST, &bad).expect_err("it is no move");
        assert_eq!(refusal.to_string(), "Invalid manipulation", "{bad}");
    }
    assert_eq!(table.state(), before, "nothing changed");
}

#[test]
fn one_may_concede_for_oneself_and_the_rest_is_the_house_s() {
    // cites 001/R16, 001-11
    let table = table(&lay(), 5);
    let control = |body: Json| dialect::inbound(&table, FIRST, &body);
    assert_eq!(control(json!({"type": "system.control", "control": "concede"})), Ok(DialectAction::Concede));
    for body in [
        json!({"type": "system.control", "control": "concede", "playerId": 1}),
        json!({"type": "system.control", "control": "moderation"}),
        json!({"type": "system.control", "control": "timeout"}),
    ] {
        assert_eq!(control(body).expect_err("forbidden").code().text(), "forbidden");
    }
    let other = json!({"type": "play_creature", "player_id": 1, "cardId": id(&table, "bear")});
    assert_eq!(dialect::submit(&table, FIRST, &other).expect_err("not his seat").code().text(), "forbidden");
}

#[test]
fn what_the_house_tells_becomes_the_document_s_messages() {
    // cites 001-12, 001-23, 001-5, 001/R7, 001-2
    let def = shipped::game_defs().into_iter().find(|def| def.name == "skirmish").expect("it is shipped");
    let header = Header::seeded(&def, 2, json!({"handSize": 3}), Seed::from_text("dialect"));
    let (mut play, _) = Match::start(def, header).expect("it starts");
    let ask = play.open_asks()[0];
    let pass = json!({"title": "Act or pass", "selection": ["Pass"]});
    let applied = play
        .apply(0, By::Human, None, Body::Answer { seat: FIRST, ask: ask.id, answer: pass })
        .expect("a pass");
    let ask = play.open_asks()[0];
    let mut request = serde_json::to_value(play.request(SECOND, ask.id)).expect("JSON");
    request["inputId"] = json!(1);
    let events: Vec<Json> = applied.events.iter().map(|(_, event)| event.clone()).collect();
    let update = json!({"v": 3, "events": events, "patch": [{"op": "replace", "path": "/priority", "value": 1}], "requests": [request]});
    let out = dialect::outbound(&update);
    let kinds: Vec<&str> = out.iter().filter_map(|message| message["type"].as_str()).collect();
    assert_eq!(kinds, ["state.delta", "pending.input", "priority.changed"]);
    assert_eq!((&out[2]["playerId"], &out[2]["window"]), (&json!(1), &json!("empty")));
    assert_eq!(out[1]["kind"], "action");
    assert_eq!(out[1]["prompt"], "Act or pass");
    assert_eq!(out[1]["constraints"]["count"], 1);
    // What he cannot do is told with the reason.
    let refused = out[1]["constraints"]["refused"].as_array().expect("a list");
    let of = |action: &str| refused.iter().find(|row| row["action"] == action).expect("it is refused");
    assert_eq!(of("play_creature")["text"], "it is not your turn");
    assert_eq!(of("attack")["text"], "only in the step Attack");
    // An event is appended with its cause and its status; ids are the document's strings. Cites 001-2, 001/R22.
    let appended = dialect::outbound(
        &json!({"events": [{"type": "Damaged", "id": 9, "causedBy": 4, "status": "applied", "payload": {}}]}),
    );
    assert_eq!(appended[0]["type"], "event.appended");
    assert_eq!((&appended[0]["event"]["id"], &appended[0]["event"]["causedBy"]), (&json!("9"), &json!("4")));
    let payload = json!({"eventId": 4, "damage": 2});
    let told = |ty: &str| {
        let event = json!({"type": ty, "id": 9, "causedBy": null, "status": "applied", "payload": payload});
        dialect::outbound(&json!({"events": [event]})).remove(0)["event"].clone()
    };
    assert_eq!(told("EventPrevented")["payload"], json!({"eventId": "4", "damage": 2}), "it names an event");
    assert_eq!(told("Damaged")["payload"], payload, "this is a number of the author's");
    assert_eq!(told("Damaged")["causedBy"], Json::Null);
}

#[test]
fn a_drawn_card_is_told_to_its_owner_alone() {
    // cites 001-23
    let def = shipped::game_defs().into_iter().find(|def| def.name == "skirmish").expect("it is shipped");
    let (_, applied) =
        Match::start(def, Header::seeded(&def, 2, Json::Null, Seed::from_text("d"))).expect("it starts");
    let drawn: Vec<_> = applied.events.iter().filter(|(_, event)| event["type"] == "CardDrawn").collect();
    assert_eq!(drawn.len(), 2, "one version for the owner, one for everybody else");
    for (to, event) in drawn {
        let shown = !event["payload"]["card"].is_null();
        assert_eq!(shown, to.has(FIRST) && !to.has(SECOND), "{event}");
    }
}

#[test]
fn input_submit_names_its_request_and_its_flat_forms_are_understood() {
    // cites 001/R7, 001-10, 001-11, 001/R6
    let p = shipped::program("skirmish").expect("it is shipped");
    let config = settings(&p, &json!({"deck": [], "handSize": 0})).expect("good settings");
    let given = json!({"zones": {"battlefield": [["scholar"], ["spiker"]], "deck": [["bear", "bear"], ["bear", "bear"]]}, "vars": {}});
    let mut table = RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), |vm| {
        parlor_ruleset::internals::given(vm, &given).expect("it can be laid");
    });
    let mut rng = Rng::fast(2);
    let mut say = |table: &mut RulesetGame, seat: Seat, answer: &Json| {
        let said = table.read(seat, AskId(0), answer).unwrap_or_else(|why| panic!("{answer}: {why}"));
        table.say(seat, false, said, &mut rng, &mut Sink::silent());
    };
    let pass = json!({"title": "Act or pass", "selection": ["Pass"]});
    say(&mut table, FIRST, &pass);
    say(&mut table, SECOND, &pass);
    // Target by target; or the first one as the card that was clicked, whatever the action calls it.
    let attack =
        json!({"type": "attack", "attackerId": id(&table, "scholar"), "defenderId": id(&table, "spiker")});
    let clicked =
        json!({"type": "attack", "cardId": id(&table, "scholar"), "defenderId": id(&table, "spiker")});
    assert_eq!(
        answer(dialect::submit(&table, FIRST, &attack))["selection"],
        answer(dialect::submit(&table, FIRST, &clicked))["selection"]
    );
    let attack = answer(dialect::submit(&table, FIRST, &attack));
    say(&mut table, FIRST, &attack);
    say(&mut table, FIRST, &pass);
    say(&mut table, SECOND, &pass);
    let without = json!({"type": "input.submit", "activate": true});
    assert!(dialect::inbound(&table, SECOND, &without).is_err(), "it must name its inputId");
    let no = json!({"type": "input.submit", "inputId": 4, "activate": false});
    assert_eq!(answer(dialect::inbound(&table, SECOND, &no))["selection"], json!(["no"]));
    let yes = answer(dialect::inbound(
        &table,
        SECOND,
        &json!({"type": "input.submit", "inputId": 4, "activate": true}),
    ));
    say(&mut table, SECOND, &yes);
    let scholar = id(&table, "scholar");
    let at = answer(dialect::inbound(
        &table,
        SECOND,
        &json!({"type": "input.submit", "inputId": 5, "targetId": scholar}),
    ));
    say(&mut table, SECOND, &at);
    let damage = table.program().zones.iter().position(|zone| zone.name == "graveyard").expect("a graveyard");
    let base = table.program().zones[damage].base;
    assert_eq!(table.inside().board.zones[base].len(), 1, "the scholar has died of it");
}

#[test]
fn where_several_actions_have_the_effect_the_player_is_asked_which() {
    // cites 001/R13
    let ruleset = json!({
        "name": "Two ways", "author": "test", "players": {"min": 2, "max": 2},
        "zones": {"hand": {"owner": "player", "see": "owner"}, "table": {"owner": "player", "see": "all"}, "bin": {"owner": "player", "see": "all"}, "shelf": {"owner": "player", "see": "all"}},
        "cards": {"stone": {}},
        "setup": [{"create": {"card": "stone", "to": {"zone": ["hand", {"seat": 0}]}}}],
        "actions": {
            "lay": {"targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you"}}], "do": [{"move": {"what": "card", "to": {"zone": ["table", "you"]}}}]},
            "clear": {"targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you"}}], "do": [{"move": {"what": {"zones": ["bin"], "of": "you"}, "to": {"zone": ["shelf", "you"]}}}]},
            "throw": {"targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you"}}], "do": [{"move": {"what": "card", "to": {"zone": ["table", "you"]}}}]}
        },
        "turnStructure": {"phases": [{"id": "p", "steps": [{"id": "s"}]}]},
        "manipulations": [{"from": "hand", "to": "bin"}]
    });
    let p = std::sync::Arc::new(parlor_ruleset::compile(&ruleset.to_string()).expect("it compiles").program);
    let config = settings(&p, &Json::Null).expect("good settings");
    let asked = parlor_ruleset::internals::ask_everybody;
    let table = RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), asked);
    let stone = id(&table, "stone");
    let drag = |to: &str| json!({"type": "direct_manipulation", "action": "move_card", "cardId": stone, "from": "hand", "to": to});
    let refusal = dialect::submit(&table, FIRST, &drag("table")).expect_err("it is not clear what is meant");
    let asked = dialect::which(&refusal.faults[0]);
    assert_eq!(asked["kind"], "mode_pick");
    let names: Vec<&str> =
        asked["options"].as_array().expect("a list").iter().filter_map(|o| o["id"].as_str()).collect();
    assert_eq!(names, ["lay", "throw"]);
    let chosen = answer(dialect::submit(&table, FIRST, &asked["options"][1]["submit"]));
    assert_eq!(stack(table.clone(), &chosen), ["Throw"]);
    // An action that begins with the card and moves others there is not meant.
    let refused =
        dialect::submit(&table, FIRST, &drag("shelf")).expect_err("the stone itself does not go there");
    assert_eq!(refused.to_string(), "Invalid manipulation");
    // What the ruleset says may be dragged is an action of its own, and resolves at once.
    let dropped = answer(dialect::submit(&table, FIRST, &drag("bin")));
    assert_eq!(dropped["selection"]["action"], "drag_hand_bin");
}

#[test]
fn a_pending_input_has_prompt_targets_highlights_hints_and_the_card_that_asks() {
    // cites 001-23, 001-5, 001-35
    let mut table = table(
        &json!({"battlefield": [["scholar"], ["spiker"]], "deck": [["bear", "bear"], ["bear", "bear"]]}),
        3,
    );
    let mut say = |seat: Seat, selection: Json| {
        let title = table.request(seat, AskId(0)).title;
        let said = table
            .read(seat, AskId(0), &json!({"title": title, "selection": selection}))
            .expect("it can be said");
        table.say(seat, false, said, &mut Rng::fast(1), &mut Sink::silent());
        let mut request = serde_json::to_value(table.request(SECOND, AskId(0))).expect("JSON");
        request["inputId"] = json!(7);
        request["actor"] = json!("Bob");
        request["until"] = json!(5000);
        (dialect::pending(&request), id(&table, "spiker"), id(&table, "scholar"))
    };
    say(FIRST, json!(["Pass"]));
    say(SECOND, json!(["Pass"]));
    say(FIRST, json!({"action": "attack", "targets": {"attacker": "scholar", "defender": "spiker"}}));
    say(FIRST, json!(["Pass"]));
    let (confirm, spiker, _) = say(SECOND, json!(["Pass"]));
    assert_eq!((&confirm["kind"], &confirm["prompt"]), (&json!("confirm"), &json!("Deal 1 damage?")));
    assert_eq!(confirm["hints"], json!(["yes", "no"]));
    assert_eq!(confirm["source"], json!(spiker), "the card that asks");
    let (target, spiker, scholar) = say(SECOND, json!(["yes"]));
    assert_eq!((&target["kind"], &target["prompt"]), (&json!("target_select"), &json!("Damage which card?")));
    assert_eq!(target["allowedTargets"], json!([scholar, spiker]));
    assert_eq!(target["highlights"], target["allowedTargets"]);
    assert_eq!(target["hints"], json!(["Scholar", "Spiker"]));
    assert_eq!(target["constraints"], json!({"count": 1}));
    assert_eq!(
        (&target["inputId"], &target["forPlayerIds"], &target["expiresAt"]),
        (&json!(7), &json!(["Bob"]), &json!(5000))
    );
}
