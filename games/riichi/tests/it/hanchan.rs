//! Random games under random settings: what holds at every step of every one of them.

use std::collections::BTreeMap;
use std::io::Write as _;

use parlor_riichi::pay::Seat;
use parlor_riichi::sets::TileSet;
use parlor_riichi::shanten::shanten;
use parlor_riichi::table::{
    Action, Answer, Event, KanName, LeftoverRiichiBets, Phase, Preset, RoundResult, Settings, Standing,
    Table, TileName, Wall,
};
use parlor_riichi::tile::Tile;
use serde_json::{Value, json};

use crate::random::Random;

/// More rounds than any random game takes.
const ROUNDS_MAX: usize = 400;

/// A preset with some settings changed; a change that cannot be together with the others is left out.
fn settings(random: &mut Random) -> Settings {
    let changes = [
        json!({ "game_type": "east" }),
        json!({ "open_kan_dora": "immediate" }),
        json!({ "open_kan_dora": "before_discard" }),
        json!({ "closed_kan_dora": "after_discard_passes" }),
        json!({ "multi_ron": "head_bump" }),
        json!({ "multi_ron": "triple" }),
        json!({ "kan_dora": false, "kan_ura_dora": false }),
        json!({ "omote_dora": false, "kan_ura_dora": false }),
        json!({ "kuikae_forbidden": false, "suji_kuikae_forbidden": false }),
        json!({ "ron_caller_may_meld": true }),
        json!({ "abort_four_kans": false }),
        json!({ "abort_four_winds": false, "abort_nine_kinds": false }),
        json!({ "tobi": false }),
        json!({ "nagashi": "win" }),
        json!({ "tie_break": "share" }),
        json!({ "leftover_riichi_bets": "lost" }),
        json!({ "red_fives": false }),
        json!({ "renhou": "yakuman" }),
        json!({ "renchan_on_abort": false, "renchan_on_win": false }),
        json!({ "min_wall_for_riichi": 0 }),
        json!({ "paarenchan": true }),
        json!({ "kokushi_robs_closed_kan": false }),
        json!({ "pao_suukantsu": true, "pao_only_own_yakuman": true }),
        json!({ "enchousen": "none" }),
        json!({ "max_kans": 2, "abort_four_kans": false }),
    ];
    let preset = Preset::ALL[random.below(4)];
    let mut given = json!({ "preset": preset.name() });
    for change in changes {
        if random.below(6) == 0 {
            let mut tried = given.clone();
            tried.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            if Settings::read(&tried).is_ok() {
                given = tried;
            }
        }
    }
    Settings::read(&given).unwrap()
}

fn walls(seed: u64) -> impl FnMut(&Standing) -> Wall {
    let mut random = Random(seed);
    move |_| Wall::shuffled(|n| random.below(n))
}

/// Every tile is in exactly one place.
fn every_tile_once(table: &Table) {
    let mut seen: TileSet = table.wall().undrawn();
    let mut count = seen.len();
    let mut put = |tile: Tile| {
        assert!(seen.insert(tile), "{tile:?} is in two places");
        count += 1;
    };
    for seat in Seat::ALL {
        let player = table.player(seat);
        player.tiles().iter().for_each(&mut put);
        player.melds().iter().for_each(|meld| meld.meld.tiles().iter().copied().for_each(&mut put));
        player.river().iter().filter(|thrown| thrown.called_by.is_none()).for_each(|thrown| put(thrown.tile));
    }
    assert_eq!(count, 136);
}

fn every_point_once(table: &Table, start: i32) {
    let standing = table.standing();
    let sticks = i32::from(standing.sticks) * i32::from(table.settings().riichi_cost);
    assert_eq!(standing.scores.iter().sum::<i32>() + sticks, start);
}

/// Everything a client could send, as far as tiles go.
fn answers() -> Vec<Answer> {
    let id = |tile: Tile| TileName::Id(i64::from(tile.id()));
    let mut answers = vec![Answer::Tsumo, Answer::Ron, Answer::Nine, Answer::Pass, Answer::Confirm];
    for tile in (0..136).filter_map(Tile::new) {
        answers.push(Answer::Discard(id(tile)));
        answers.push(Answer::Riichi(id(tile)));
        answers.push(Answer::Kan(Some(KanName::Closed), Some(id(tile))));
        answers.push(Answer::Kan(Some(KanName::Added), Some(id(tile))));
        for next in (0..136)
            .filter_map(Tile::new)
            .filter(|next| (1..=11).contains(&next.id().wrapping_sub(tile.id())))
        {
            answers.push(Answer::Pon(Some([id(tile), id(next)])));
            answers.push(Answer::Chi(Some([id(tile), id(next)])));
        }
    }
    answers.push(Answer::Kan(Some(KanName::Open), None));
    answers
}

/// Copies of a tile that look alike are one choice in the list of actions.
fn look(action: Action, reds: bool) -> Value {
    let look = |tile: Tile| (tile.kind(), reds && tile.is_red());
    match action {
        Action::Pon(own) => json!(["pon", own.map(look)]),
        Action::Chi(own) => json!(["chi", own.map(look)]),
        other => json!(other),
    }
}

/// How often an answer of each kind was refused, with which code.
type Refused = BTreeMap<(&'static str, &'static str), usize>;

const fn kind(answer: &Answer) -> &'static str {
    match answer {
        Answer::Discard(_) => "discard",
        Answer::Riichi(_) => "riichi",
        Answer::Tsumo => "tsumo",
        Answer::Ron => "ron",
        Answer::Pon(_) => "pon",
        Answer::Chi(_) => "chi",
        Answer::Kan(..) => "kan",
        Answer::Nine => "nine",
        Answer::Pass => "pass",
        Answer::Confirm => "confirm",
    }
}

/// What is refused is exactly what is not legal, and carries a code.
fn only_legal_answers_are_taken(table: &Table, answers: &[Answer], refused: &mut Refused) {
    let reds = table.settings().red_fives;
    for seat in Seat::ALL {
        let legal: Vec<Value> = table.actions(seat).iter().map(|action| look(*action, reds)).collect();
        let mut taken = Vec::new();
        for answer in answers {
            match table.check(seat, answer) {
                Ok(action) => {
                    let seen = look(action, reds);
                    assert!(legal.contains(&seen), "{answer:?} is taken and not legal: {legal:?}");
                    taken.push(seen);
                }
                Err(refusal) => {
                    assert!(!refusal.message.is_empty(), "{answer:?} is refused without a reason");
                    *refused.entry((kind(answer), refusal.code.name())).or_default() += 1;
                }
            }
        }
        for action in legal {
            assert!(taken.contains(&action), "{action} is legal and not taken");
        }
    }
}

/// What happened in one game.
#[derive(Default)]
struct Course {
    steps: Vec<(Seat, Action)>,
    events: Vec<Event>,
    rounds: usize,
    refused: Refused,
}

/// Mostly towards a win, so that there are some; sometimes anything.
fn choose(table: &Table, seat: Seat, actions: &[Action], random: &mut Random) -> Action {
    if random.below(8) == 0 {
        return actions[random.below(actions.len())];
    }
    let eager = |action: &&Action| {
        matches!(
            action,
            Action::Tsumo
                | Action::Ron
                | Action::Nine
                | Action::Riichi(_)
                | Action::Ankan(_)
                | Action::Kakan(_)
        )
    };
    if let Some(action) = actions.iter().find(eager) {
        return *action;
    }
    let after = |action: &Action| match action {
        Action::Discard(tile) => {
            let mut hand = *table.player(seat).hand();
            hand.remove(tile.kind());
            shanten(&hand)
        }
        Action::Pass => 3,
        Action::Confirm => 0,
        _ => 4,
    };
    let best = actions.iter().map(after).min().unwrap();
    let equals: Vec<Action> = actions.iter().copied().filter(|action| after(action) == best).collect();
    equals[random.below(equals.len())]
}

fn play(settings: Settings, seed: u64, answers: &[Answer]) -> (Table, Course) {
    let mut random = Random(seed ^ 0x9e37);
    let (mut walls, mut course) = (walls(seed), Course::default());
    let mut table = Table::start(settings, &mut walls, &mut |event| course.events.push(event)).unwrap();
    let start = table.standing().scores.iter().sum();
    while !table.asked().is_empty() {
        let asked: Vec<Seat> = table.asked().iter().collect();
        let seat = asked[random.below(asked.len())];
        let actions = table.actions(seat);
        let action = choose(&table, seat, &actions, &mut random);
        if random.below(400) == 0 {
            let before = json!(table);
            only_legal_answers_are_taken(&table, answers, &mut course.refused);
            let twin: Table = serde_json::from_value(before.clone()).unwrap();
            assert_eq!(twin, table, "what is written down is the whole state");
            let mut applied = table.clone();
            applied.apply(seat, action, &mut |_| Wall::sorted(), &mut |_| ());
            assert_eq!(
                json!(table),
                before,
                "cites 003/R18: a copy is not changed by what happens to another"
            );
        }
        course.steps.push((seat, action));
        table.apply(seat, action, &mut walls, &mut |event| course.events.push(event));
        every_tile_once(&table);
        let lost = settings.leftover_riichi_bets == LeftoverRiichiBets::Lost && table.game_end().is_some();
        if !lost {
            every_point_once(&table, start);
        }
        course.rounds += usize::from(matches!(table.phase(), Phase::RoundEnd { .. }));
        assert!(course.rounds < ROUNDS_MAX, "the game does not end: {settings:?}");
    }
    (table, course)
}

/// A number from the environment.
fn wanted(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is a number")),
        Err(_) => otherwise,
    }
}

/// The same walls and answers lead to the same bytes and events.
fn replays(settings: Settings, seed: u64, table: &Table, course: &Course) {
    let mut walls = walls(seed);
    let mut events = Vec::new();
    let mut twin = Table::start(settings, &mut walls, &mut |event| events.push(event)).unwrap();
    for (seat, action) in &course.steps {
        twin.apply(*seat, *action, &mut walls, &mut |event| events.push(event));
    }
    assert_eq!(serde_json::to_vec(&twin).unwrap(), serde_json::to_vec(table).unwrap());
    assert_eq!(events, course.events);
}

fn note(event: &Event, seen: &mut BTreeMap<String, usize>) {
    let name = match event {
        Event::RoundEnd { result, .. } => match &**result {
            RoundResult::Wins(wins) => format!("{} win(s)", wins.len()),
            RoundResult::Draw { kind, .. } => format!("{kind:?}"),
        },
        Event::Meld { kind, .. } => kind.name().to_owned(),
        _ => return,
    };
    *seen.entry(name).or_default() += 1;
}

/// `PARLOR_SOAK_HANCHAN` says how many games, `PARLOR_SOAK_HANCHAN_FROM` with which one a run that was broken off goes on.
/// Cites 003-12, 003-18, 003-19, 003-28, 003/R18.
#[test]
fn random_games_keep_every_tile_and_point_and_end() {
    let (games, from) = (wanted("PARLOR_SOAK_HANCHAN", 200), wanted("PARLOR_SOAK_HANCHAN_FROM", 0));
    let answers = answers();
    let (mut seen, mut refused) = (BTreeMap::new(), Refused::new());
    for seed in from..games {
        let settings = settings(&mut Random(seed));
        let (table, course) = play(settings, seed, &answers);
        replays(settings, seed, &table, &course);
        course.events.iter().for_each(|event| note(event, &mut seen));
        for (what, count) in course.refused {
            *refused.entry(what).or_default() += count;
        }
        if (seed + 1) % 1000 == 0 {
            // Past the capture of the test runner: a long run shows how far it has come.
            let _ = writeln!(std::io::stderr(), "{} hanchan: {seen:?}", seed + 1);
        }
    }
    // What is rare is still there, so that the checks above have seen it.
    for what in
        ["1 win(s)", "2 win(s)", "Exhaustive", "NineKinds", "chi", "pon", "daiminkan", "ankan", "kakan"]
    {
        assert!(seen.contains_key(what), "{what}: {seen:?}");
    }
    for what in ["discard", "riichi", "tsumo", "ron", "pon", "chi", "kan", "nine", "pass", "confirm"] {
        assert!(refused.keys().any(|(kind, _)| *kind == what), "{what}: {refused:?}");
    }
}
