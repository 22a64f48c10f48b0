//! Selectors and responses: the rules of seed 000, as tables of cases.

use parlor_core::selector::{Bounds, Chosen, Form};
use parlor_core::{Choice, Json, Refusal, Response, Selector};
use serde_json::json;

fn selector(value: Json) -> Selector {
    serde_json::from_value(value).expect("a selector")
}

fn response(title: &str, selection: Json) -> Response {
    Response { actor: None, title: Some(title.to_owned()), selection }
}

fn check(request: &Json, selection: Json) -> Result<Chosen, Refusal> {
    selector(request.clone()).validate(&response("T", selection))
}

fn texts(result: Result<Chosen, Refusal>) -> Vec<String> {
    result.expect_err("a refusal").faults.iter().map(ToString::to_string).collect()
}

fn abc() -> Json {
    json!([{"title": "a"}, {"title": "b"}, {"title": "c"}])
}

#[test]
fn bounds_depend_on_which_of_min_max_and_count_is_given() {
    // cites 000-5, 000/R1
    let table = [
        (None, None, None, 5, (1, 1)),
        (Some(2), None, None, 5, (2, 5)),
        (None, Some(2), None, 5, (0, 2)),
        (Some(1), Some(3), None, 5, (1, 3)),
        (Some(1), Some(3), Some(2), 5, (2, 2)),
        (None, None, Some(0), 5, (0, 0)),
        (None, None, Some(3), 2, (2, 2)),
        (None, None, None, 0, (0, 0)),
        (Some(4), None, None, 2, (2, 2)),
    ];
    for (min, max, count, choices, expected) in table {
        let bounds = Bounds { min, max, count };
        assert_eq!(bounds.among(choices), expected, "{bounds:?} among {choices}");
    }
}

#[test]
fn select_is_the_default_and_action_is_free_in_form() {
    // cites 000-5
    assert_eq!(selector(json!({"title": "T"})).form, Form::Select);
    let free = selector(json!({"type": "action", "title": "T"}));
    let said = json!({"tile": 3});
    assert_eq!(free.validate(&response("T", said.clone())), Ok(Chosen::Action(said)));
    assert!(
        free.validate(&response("other", json!({}))).is_err(),
        "only the title is checked, and it is checked"
    );
}

#[test]
fn min_above_max_is_refused_where_it_is_asked() {
    // cites 000/R1
    let request = selector(json!({"title": "T", "choices": abc(), "min": 3, "max": 2}));
    let refusal = request.well_formed().expect_err("a request that makes no sense");
    assert_eq!(refusal.to_string(), "min (3) must be <= max (2)");
    let nested =
        selector(json!({"title": "T", "choices": [{"title": "a", "choices": abc(), "min": 2, "max": 1}]}));
    assert!(nested.well_formed().is_err(), "inside a choice too");
    assert!(
        selector(json!({"title": "T", "choices": abc(), "count": 7})).well_formed().is_ok(),
        "3 of 2 becomes 2"
    );
}

#[test]
fn the_title_must_match() {
    // cites 000-7, 000-21
    let request = selector(json!({"title": "T", "choices": abc()}));
    let other = request.validate(&response("U", json!(["a"])));
    assert_eq!(texts(other), ["T !== U"]);
    let none = request.validate(&Response { actor: None, title: None, selection: json!(["a"]) });
    assert_eq!(texts(none), ["T !== undefined"]);
}

#[test]
fn faults_have_the_texts_of_the_contract_and_all_of_them_are_listed() {
    // cites 000-21, 000-22, 000/R9
    let two = json!({"title": "T", "choices": abc(), "count": 2});
    assert_eq!(texts(check(&two, json!(["a"]))), ["Invalid number of options selected: expected 2-2, got 1"]);
    assert_eq!(texts(check(&two, json!(["a", "z"]))), ["Selection z didn't exist in the choices"]);
    let exclusive = json!({"title": "T", "choices": [{"title": "a"}, {"title": "none", "exclusive": true}], "min": 0, "max": 2});
    assert_eq!(texts(check(&exclusive, json!(["a", "none"]))), ["Exclusive choice mixed with other choices"]);
    let all = check(
        &json!({"title": "T", "choices": [{"title": "none", "exclusive": true}, {"title": "a"}]}),
        json!(["none", "a", "x"]),
    );
    assert_eq!(
        texts(all),
        [
            "Selection x didn't exist in the choices",
            "Exclusive choice mixed with other choices",
            "Invalid number of options selected: expected 1-1, got 3",
        ]
    );
}

#[test]
fn the_bounds_in_a_text_are_the_clipped_ones() {
    // cites 000/R1
    let request = json!({"title": "T", "choices": abc(), "min": 2, "max": 9});
    assert_eq!(
        texts(check(&request, json!(["a"]))),
        ["Invalid number of options selected: expected 2-3, got 1"]
    );
}

#[test]
fn each_choice_is_used_once() {
    // cites 000-21
    let twins =
        json!({"title": "T", "choices": [{"title": "a"}, {"title": "a"}, {"title": "b"}], "count": 2});
    let chosen = check(&twins, json!(["a", "a"])).expect("two equal choices take two equal picks");
    assert_eq!(chosen.indexes(), [0, 1]);
    assert_eq!(texts(check(&twins, json!(["b", "b"]))), ["Selection b didn't exist in the choices"]);
}

#[test]
fn an_id_decides_where_both_sides_have_one() {
    // cites 000-21
    let request = json!({"title": "T", "count": 2,
        "choices": [{"title": "Duncan", "id": "card"}, {"title": "Duncan", "id": "leader"}, {"title": "x"}]});
    let by_id = check(&request, json!([{"title": "Duncan", "id": "leader"}, "x"])).expect("picked by id");
    assert_eq!(by_id.indexes(), [1, 2]);
    let bare_first =
        check(&request, json!(["Duncan", {"title": "Duncan", "id": "card"}])).expect("a bare title yields");
    assert_eq!(bare_first.indexes(), [1, 0], "the bare title takes what the id left over");
    assert!(check(&request, json!([{"title": "Duncan", "id": "nobody"}, "x"])).is_err());
}

#[test]
fn extra_choices_are_not_counted() {
    // cites 000-21
    let request =
        json!({"title": "T", "choices": [{"title": "a"}, {"title": "b"}, {"title": "hurry", "extra": true}]});
    assert!(check(&request, json!(["a", "hurry"])).is_ok());
    assert_eq!(
        texts(check(&request, json!(["hurry"]))),
        ["Invalid number of options selected: expected 1-1, got 0"]
    );
    let only_extra = selector(json!({"title": "T", "choices": [{"title": "hurry", "extra": true}]}));
    assert!(only_extra.validate(&response("T", json!([]))).is_ok(), "nothing countable: nothing is required");
}

#[test]
fn nested_choices_are_checked_at_every_level() {
    // cites 000-6, 000-7, 000-21
    let request = json!({"title": "T", "choices": [
        {"title": "Dogma", "choices": [{"title": "Archery"}, {"title": "The Wheel"}]},
        {"title": "Meld", "choices": [{"title": "card-1"}, {"title": "card-2"}], "min": 0, "max": 1}]});
    let chosen =
        check(&request, json!([{"title": "Dogma", "selection": ["The Wheel"]}])).expect("a nested pick");
    let Chosen::Picks(picks) = chosen else { panic!("picks") };
    assert_eq!((picks[0].index, picks[0].nested[0].index), (0, 1));
    assert!(check(&request, json!([{"title": "Meld", "selection": []}])).is_ok(), "min 0 inside");
    assert_eq!(
        texts(check(&request, json!([{"title": "Dogma", "selection": ["Archery", "Pottery"]}]))),
        [
            "Selection Pottery didn't exist in the choices",
            "Invalid number of options selected: expected 1-1, got 2"
        ]
    );
    assert_eq!(
        texts(check(&request, json!(["Dogma"]))),
        ["Invalid number of options selected: expected 1-1, got 0"],
        "a nested choice needs its inner selection"
    );
}

#[test]
fn a_forced_selection_answers_itself_and_nothing_else_does() {
    // cites 000-19, 000/R10
    let forced = |value: Json| selector(value).forced().map(|response| response.selection);
    let two = json!([{"title": "card1"}, {"title": "card2"}]);
    assert_eq!(forced(json!({"title": "T", "choices": two, "count": 2})), Some(json!(["card1", "card2"])));
    assert_eq!(
        forced(json!({"title": "T", "choices": [{"title": "a"}]})),
        Some(json!(["a"])),
        "the only choice"
    );
    assert_eq!(forced(json!({"title": "T", "choices": []})), Some(json!([])), "nothing to choose from");
    assert_eq!(forced(json!({"title": "T", "choices": two})), None, "one of two is a choice");
    assert_eq!(forced(json!({"type": "action", "title": "T"})), None, "a free-form answer is never forced");
    assert_eq!(forced(json!({"title": "T", "choices": two, "count": 2, "noAutoRespond": true})), None);
    assert_eq!(forced(json!({"title": "T", "choices": two, "count": 2, "allowsAction": true})), None);
    let nested = json!([{"title": "a", "choices": two}]);
    assert_eq!(forced(json!({"title": "T", "choices": nested})), None, "nested choices are never forced");
    let ids = json!([{"title": "a", "id": "1"}]);
    let response = selector(json!({"title": "T", "choices": ids})).forced().expect("forced");
    assert!(
        selector(json!({"title": "T", "choices": ids})).validate(&response).is_ok(),
        "what it says is valid"
    );
}

#[test]
fn a_board_click_is_accepted_only_where_it_is_allowed() {
    let click = json!({"action": "move", "to": 4});
    let request = |allowed: Json| json!({"title": "T", "choices": abc(), "allowsAction": allowed});
    for (allowed, fine) in
        [(json!(true), true), (json!("move"), true), (json!(["turn", "move"]), true), (json!("turn"), false)]
    {
        assert_eq!(check(&request(allowed), click.clone()).is_ok(), fine);
    }
    assert!(check(&json!({"title": "T", "choices": abc()}), click).is_err());
    assert!(check(&request(json!(true)), json!(["a"])).is_ok(), "a selection is still fine");
}

#[test]
fn an_illegal_choice_says_why() {
    let mut request = selector(json!({"title": "T", "choices": abc()}));
    let why = parlor_core::Fault::new("furiten", "{tile} is in your river").arg("tile", "3m");
    request.choices[1] = Choice::new("b").why_not(why);
    let refusal = request.validate(&response("T", json!(["b"]))).expect_err("not to be had");
    assert_eq!(refusal.faults[0].to_string(), "b cannot be chosen: 3m is in your river");
    assert_eq!(refusal.faults[0].args["reason"], json!("furiten"));
}

#[test]
fn sizes_are_limited_and_the_limit_is_named() {
    let many: Vec<Choice> = (0..5000).map(|n| Choice::new(n.to_string())).collect();
    let refusal = Selector::pick("T", many).well_formed().expect_err("too many choices");
    assert!(refusal.to_string().contains("choices_max"), "{refusal}");
    let deep =
        (0..40).fold(Choice::new("leaf"), |inner, n| Choice::new(n.to_string()).nest(vec![inner], 1, 1));
    let refusal = Selector::pick("T", vec![deep]).well_formed().expect_err("too deep");
    assert!(refusal.to_string().contains("answer_depth_max"), "{refusal}");
    let long = vec![json!("a"); 5000];
    let refusal = check(&json!({"title": "T", "choices": abc()}), Json::Array(long)).expect_err("too long");
    assert!(refusal.to_string().contains("selection_items_max"), "{refusal}");
}

#[test]
fn a_response_is_read_without_trust() {
    // cites 000-7
    let read = |value: Json| serde_json::from_value::<Response>(value);
    assert!(read(json!([])).is_err());
    assert!(read(json!({"title": 3, "selection": []})).is_err());
    assert!(read(json!({"title": "T"})).is_err(), "a selection is required");
    let whole =
        read(json!({"actor": "a", "title": "T", "selection": [1], "isUserResponse": true})).expect("read");
    assert_eq!(
        (whole.actor.as_deref(), whole.title.as_deref()),
        (Some("a"), Some("T")),
        "the system sets isUserResponse itself"
    );
    assert!(check(&json!({"title": "T", "choices": abc()}), json!([null, {"title": {}}])).is_err());
}
