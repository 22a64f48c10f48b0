//! What the screen is made from: its types, and what a seat lets the server do.

use parlor_core::{Account, AskKind, Game, Input, Json, Output, Rng, Seat, Seats};
use parlor_riichi::game::{OwnEvent, Profile, Riichi, TableAnswer, TableEvent, TableView};
use parlor_riichi::table::{Action, Automatic, Event, Pace, Phase, Preset, RoundResult, Settings};
use parlor_riichi::tile::Tile;
use serde_json::json;

use crate::scene::{Play, Scene};

#[test]
fn the_typescript_of_its_screen_is_that_of_its_types() {
    parlor_testkit::typescript::types_match::<TableView, TableEvent>(env!("CARGO_MANIFEST_DIR"));
}

/// Presets and profiles as the screen has them: a view names only what differs. `PARLOR_BLESS=1` writes the file.
#[test]
fn the_typescript_of_its_presets_is_that_of_its_settings() {
    let ronin = json!(Settings::of(Preset::Ronin));
    let mut text = "// Made from the Rust settings by `PARLOR_BLESS=1 cargo test -p parlor-riichi typescript`. Do not edit.\n"
        .to_owned();
    text.push_str("\ntype Fields = Readonly<Record<string, unknown>>;\n");
    text.push_str("\n/** The settings of `ronin`; of the other presets what differs from it. */\n");
    text.push_str("export const PRESETS: Readonly<Record<string, Fields>> = {\n");
    for preset in Preset::ALL {
        let usual = if preset == Preset::Ronin { json!({}) } else { ronin.clone() };
        text.push_str(&fields_text(preset.name(), &json!(Settings::of(preset)), &usual));
    }
    text.push_str(
        "};\n\n/** The pace of each profile. */\nexport const PACES: Readonly<Record<string, Fields>> = {\n",
    );
    for profile in [Profile::Document, Profile::Standard] {
        text.push_str(&fields_text(profile.name(), &json!(profile.pace()), &json!({})));
    }
    text.push_str("};\n");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web/presets.ts");
    if std::env::var_os("PARLOR_BLESS").is_some() {
        return std::fs::write(&path, text).expect("written");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "PARLOR_BLESS=1 writes it anew");
}

/// The fields of an object that another has not, as an entry of TypeScript.
fn fields_text(name: &str, all: &Json, usual: &Json) -> String {
    let mut text = format!("  {name}: {{\n");
    let fields = all.as_object().expect("an object").iter();
    for (field, value) in fields.filter(|(field, value)| usual.get(field.as_str()) != Some(*value)) {
        let value = match value {
            Json::Array(items) => {
                format!("[{}]", items.iter().map(Json::to_string).collect::<Vec<_>>().join(", "))
            }
            Json::Object(inner) => {
                let inner: Vec<String> =
                    inner.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                format!("{{ {} }}", inner.join(", "))
            }
            plain => plain.to_string().replace('"', "'"),
        };
        text.push_str(&format!("    {field}: {value},\n"));
    }
    text + "  },\n"
}

#[derive(Default)]
struct Ear(Vec<(Seats, TableEvent)>);

impl Output<TableEvent> for Ear {
    fn emit(&mut self, to: Seats, event: TableEvent) {
        self.0.push((to, event));
    }
    fn post(&mut self, _: Account, _: Account, _: i64) {}
    fn add_time(&mut self, _: Seats, _: u32, _: u32) {}
    fn mark_revealed(&mut self) {}
}

/// A table at which some seats let the server do something.
struct Served {
    game: Riichi,
    ear: Ear,
    rng: Rng,
}

const WIN: Automatic = Automatic { win: true, no_calls: false, discard_drawn: false };
const NO_CALLS: Automatic = Automatic { win: false, no_calls: true, discard_drawn: false };
const DRAWN: Automatic = Automatic { win: false, no_calls: false, discard_drawn: true };

impl Served {
    fn of(play: &Play, pace: Pace) -> Self {
        Self { game: Riichi::resumed(play.table.clone(), pace), ear: Ear::default(), rng: Rng::fast(1) }
    }

    fn apply(&mut self, input: Input<Action>) {
        self.ear.0.clear();
        self.game.apply(input, &mut self.rng, &mut self.ear);
    }

    fn set(mut self, seat: u8, automatic: Automatic) -> Self {
        let ask = *self.game.open_asks().iter().find(|ask| ask.kind == AskKind::Draft).expect("a draft");
        let answer = TableAnswer::Automatic { automatic };
        let mv = self.game.check(Seat::new(seat), ask.id, &answer).expect("an answer");
        self.apply(Input::Answer { seat: Seat::new(seat), ask: ask.id, mv });
        self
    }

    fn answer(&mut self, seat: u8, mv: Action) {
        let ask = self.game.open_asks()[0].id;
        self.apply(Input::Answer { seat: Seat::new(seat), ask, mv });
    }

    fn elapse(&mut self) {
        let ask = self.game.open_asks()[0].id;
        self.apply(Input::Elapsed { ask, seat: None });
    }

    fn asked(&self) -> Vec<usize> {
        self.game.open_asks()[0].seats.iter().map(Seat::index).collect()
    }

    fn winner(&self) -> Option<usize> {
        match self.game.table().round_result()? {
            RoundResult::Wins(wins) => wins.first().map(|win| win.who.index()),
            RoundResult::Draw { .. } => None,
        }
    }

    fn discards(&self) -> Vec<(usize, Tile, bool)> {
        let discard = |(_, event): &(Seats, TableEvent)| match event {
            TableEvent::Table(Event::Discard { seat, tile, tsumogiri, .. }) => {
                Some((seat.index(), *tile, *tsumogiri))
            }
            _ => None,
        };
        self.ear.0.iter().filter_map(discard).collect()
    }
}

fn drawn(served: &Served, seat: u8) -> Tile {
    served.game.table().player(crate::scene::seat(seat)).drawn().expect("a drawn tile")
}

/// Seat 1 waits for 5p with all simples and may pon 2z; seat 2 may pon 3z.
fn calls() -> Play {
    Scene::new(Settings::ronin())
        .hands(["", "234m678m345s2266p", "33z147m147p147s5z", ""])
        .draws("6p3z")
        .start()
}

#[test]
fn what_a_seat_lets_the_server_do_is_told_to_nobody_else() {
    let served = Served::of(&calls(), Pace::standard()).set(1, WIN);
    let told: Vec<_> = served.ear.0.iter().map(|(to, event)| (*to, event.clone())).collect();
    assert_eq!(told, [(Seats::only(Seat::new(1)), OwnEvent::Automatic { automatic: WIN }.into())]);
    let seen = |seat: u8| served.game.view(Seat::new(seat).into()).automatic;
    assert_eq!((seen(1), seen(0)), (Some(WIN), Some(Automatic::default())));
    assert_eq!(served.game.view(parlor_core::Viewer::Gallery).automatic, None);
}

#[test]
fn nothing_is_automatic_before_somebody_says_so() {
    let mut served = Served::of(&calls(), Pace::standard());
    served.answer(0, Action::Discard(drawn(&served, 0)));
    assert_eq!(served.asked(), [1], "the seat that may win is asked");
}

#[test]
fn a_win_on_a_discard_is_taken_for_a_seat_that_wants_it() {
    for pace in [Pace::standard(), Pace::document()] {
        let mut served = Served::of(&calls(), pace).set(1, WIN);
        served.answer(0, Action::Discard(drawn(&served, 0)));
        if pace.call_window_min_ms > 0 {
            assert_eq!((served.asked(), served.winner()), (vec![], None), "the window stands as long as any");
            served.elapse();
        }
        assert_eq!(served.winner(), Some(1));
    }
}

#[test]
fn a_seat_without_calls_is_still_asked_when_it_may_win() {
    let mut served = Served::of(&calls(), Pace::standard()).set(1, NO_CALLS);
    served.answer(0, Action::Discard(drawn(&served, 0)));
    assert_eq!(served.asked(), [1]);
}

#[test]
fn a_seat_without_calls_passes_what_is_no_win() {
    let play = calls().run("0 discard 6p, 1 pass");
    for (automatic, asked) in [(Automatic::default(), vec![2]), (NO_CALLS, vec![])] {
        let mut served = Served::of(&play, Pace::standard()).set(2, automatic);
        served.answer(1, Action::Discard(drawn(&served, 1)));
        assert_eq!(served.asked(), asked, "{automatic:?}");
        assert!(matches!(served.game.table().phase(), Phase::Window(_)), "the window stands all the same");
    }
}

#[test]
fn a_drawn_tile_is_discarded_after_a_moment_and_only_until_the_hand_is_over() {
    for (pace, held_ms) in [(Pace::standard(), 1000), (Pace::document(), 600)] {
        let play = Scene::new(Settings::ronin()).hands(["19m19p19s1234567z", "", "", ""]).start();
        let mut served = Served::of(&play, pace).set(1, DRAWN);
        let first = drawn(&served, 0);
        served.answer(0, Action::Discard(first));
        while !served.discards().iter().any(|(seat, ..)| *seat == 1) {
            if let Phase::Turn { .. } = served.game.table().phase() {
                let ask = served.game.open_asks()[0];
                assert_eq!((ask.seats.len(), ask.min_ms), (0, held_ms), "nobody is asked");
                let tile = drawn(&served, 1);
                served.elapse();
                assert_eq!(served.discards(), [(1, tile, true)]);
            } else {
                served.elapse();
            }
        }
    }
}

/// What would throw tiles away ends with the hand; what takes wins stays.
#[test]
fn discarding_by_itself_ends_with_the_hand() {
    let over = Scene::new(Settings::ronin()).start().exhaust();
    let mut served = Served::of(&over, Pace::standard()).set(1, Automatic { win: true, ..DRAWN });
    served.elapse();
    assert!(matches!(served.game.table().phase(), Phase::Turn { .. }), "the next hand has begun");
    assert_eq!(served.game.view(Seat::new(1).into()).automatic, Some(WIN));
}

/// Seat 0 draws its wait in its second turn; nobody calls.
fn second_turn(automatic: Automatic) -> Served {
    let scene = Scene::new(Settings::ronin()).hands(["234m678m345s2266p", "", "", ""]);
    let mut served = Served::of(&scene.draws("9s1z2z4z6p").start(), Pace::standard()).set(0, automatic);
    assert_eq!(served.asked(), [0], "it holds from the next question on");
    served.answer(0, Action::Discard(drawn(&served, 0)));
    while !matches!(served.game.table().phase(), Phase::Turn { seat, .. } if seat.index() == 0) {
        match (served.asked().first().copied(), served.game.table().phase()) {
            (Some(seat), Phase::Turn { .. }) => {
                let tile = drawn(&served, seat as u8);
                served.answer(seat as u8, Action::Discard(tile));
            }
            (Some(seat), _) => served.answer(seat as u8, Action::Pass),
            (None, _) => served.elapse(),
        }
    }
    served
}

#[test]
fn a_win_that_is_drawn_is_never_thrown_away() {
    assert_eq!(second_turn(DRAWN).asked(), [0], "it is asked instead");
    for automatic in [WIN, Automatic { win: true, ..DRAWN }] {
        let mut served = second_turn(automatic);
        assert_eq!((served.asked(), served.winner()), (vec![], None), "{automatic:?}");
        served.elapse();
        assert_eq!(served.winner(), Some(0), "{automatic:?}");
    }
}

#[test]
fn the_choices_of_a_draft_are_answered_by_their_names() {
    let served = Served::of(&calls(), Pace::standard());
    let ask = *served.game.open_asks().iter().find(|ask| ask.kind == AskKind::Draft).expect("a draft");
    let picked = |selection: serde_json::Value| {
        let answer = json!({"title": "Automatic", "selection": selection});
        let answer: TableAnswer = serde_json::from_value(answer).expect("an answer");
        served.game.check(Seat::new(3), ask.id, &answer)
    };
    let both = Automatic { win: true, no_calls: true, discard_drawn: false };
    let choice = |title: &str, id: &str| json!({"title": title, "id": id});
    assert_eq!(
        picked(json!([choice("Win", "win"), choice("No calls", "no_calls")])),
        Ok(Action::Automatic(both))
    );
    assert_eq!(picked(json!([])), Ok(Action::Automatic(Automatic::default())));
    assert!(picked(json!(["Fold"])).is_err());
    let turn = served.game.open_asks()[0].id;
    let answer = TableAnswer::Automatic { automatic: both };
    let refusal = served.game.check(Seat::new(0), turn, &answer).expect_err("no answer to a turn");
    assert_eq!(refusal.code().text(), "invalid_action");
}

/// The fu of a win are told line by line, and their sum is the win's.
#[test]
fn fu_are_told_line_by_line() {
    let mut served = Served::of(&calls(), Pace::document()).set(1, WIN);
    served.answer(0, Action::Discard(drawn(&served, 0)));
    let view = served.game.view(parlor_core::Viewer::Gallery);
    let RoundResult::Wins(wins) = served.game.table().round_result().expect("a result") else {
        panic!("a win")
    };
    let sum: u8 = view.fu[0].iter().map(|part| part.fu).sum();
    assert_eq!(sum.div_ceil(10) * 10, wins[0].fu, "{:?}", view.fu);
}
