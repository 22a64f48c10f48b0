//! Small scripts for the tests, and functions to play them with.

use std::sync::atomic::{AtomicU32, Ordering};

use parlor_core::{
    Applied, AskId, Body, By, Chosen, GameDef, Header, Json, Match, Outcome, Refusal, Seat, Seed, Selector,
    Undo, Viewer,
};
use parlor_script::{Either, Free, Interrupt, Next, Pick, Script, Table, Terms};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A script that does what its settings say and notes the answers it gets.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Small {
    pub(crate) scene: Scene,
    pub(crate) notes: Vec<String>,
    pub(crate) rounds: u32,
}

/// What it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scene {
    #[default]
    Single,
    Many,
    ManyForced,
    ManySecret,
    Any,
    AnyForced,
    AnyThenChanged,
    AnyOverSeam,
    Window,
    Helpers,
    Nested,
    Action,
    FreeForm,
    Join,
    Race,
    Pause,
    Clock,
    BadBounds,
    OneOfNothing,
    NotARequest,
    AsksForEver,
    SegmentsForEver,
    PanicAfterAnswer,
    PanicInCheck,
    Rng,
    Count,
    Rounds,
    Visit,
    Twice,
}

/// How often [`Scene::Count`] went from one request to the next; only one test plays it.
pub(crate) static STEPS: AtomicU32 = AtomicU32::new(0);
/// How often a script was interrupted because it was stopped.
pub(crate) static STOPPED: AtomicU32 = AtomicU32::new(0);

pub(crate) const A: Seat = Seat::new(0);
pub(crate) const B: Seat = Seat::new(1);
pub(crate) const C: Seat = Seat::new(2);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    pub(crate) scene: Scene,
}

impl Script for Small {
    const NAME: &'static str = "small";
    const TITLE: &'static str = "Small";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 4);
    const UNDO: Undo = Undo::Consent;
    const VISITS: bool = true;
    type Settings = Settings;
    type View<'a> = &'a Self;

    fn setup(settings: &Settings, _: u8) -> Result<Self, Refusal> {
        Ok(Self { scene: settings.scene, ..Self::default() })
    }

    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        let result = run(t).await;
        if result == Err(Interrupt::Stopped) {
            STOPPED.fetch_add(1, Ordering::Relaxed);
        }
        t.out.emit_all(json!({"notes": t.game.notes.len()}));
        result
    }

    fn view(&self, _: Viewer) -> Self::View<'_> {
        self
    }
}

fn over(t: &Table<Small>) -> Next {
    Next::Over(Outcome::draw(t.seats(), "done"))
}

fn note(t: &mut Table<Small>, what: impl std::fmt::Debug) {
    t.game.notes.push(format!("{what:?}"));
}

async fn run(t: &mut Table<Small>) -> Result<Next, Interrupt> {
    match t.game.scene {
        Scene::Single => {
            let picked = t.single(A, |_| Pick::of("Colour", ["red", "green", "blue"])).await?;
            note(t, picked);
        }
        Scene::Many | Scene::ManyForced | Scene::ManySecret => many(t).await?,
        Scene::Any | Scene::AnyForced | Scene::AnyThenChanged => any(t).await?,
        Scene::AnyOverSeam => {
            let given = t.any([A, B, C], |_, _| Pick::one("Card", ["ace", "king"])).await?;
            note(t, given.seat.index());
            return Ok(Next::Again);
        }
        Scene::Window => {
            let terms = Terms { at_least_ms: 500, ..Terms::PLAIN };
            let given = t.many([A, B], |_, seat| window(seat).terms(terms)).await?;
            note(t, given.len());
        }
        Scene::Helpers => helpers(t).await?,
        Scene::Nested => {
            let chosen = t.single(A, |_| nested()).await?;
            note(t, chosen);
        }
        Scene::Action => {
            let Chosen::Action(data) = t.single(A, |_| Selector::action("Anything")).await? else {
                return Ok(over(t));
            };
            note(t, data.to_string());
        }
        Scene::FreeForm => {
            let taken = t.single(A, |game| take(game.rounds)).await?;
            note(t, taken);
        }
        Scene::Join | Scene::Race => two(t).await?,
        Scene::Pause => {
            t.pause(900).await?;
            note(t, "paused");
        }
        Scene::Clock => {
            let picked = t.single(A, |_| Pick::one("Quick", ["first", "second"]).within(1000)).await?;
            note(t, picked);
        }
        Scene::Rng => {
            let die = t.roll_die(6);
            note(t, die);
            for _ in 0..3 {
                let picked = t.choose_yes_no(A, "Again?").await?;
                let (coin, die) = (t.flip_coin(), t.roll_die(100));
                note(t, (picked, coin, die));
            }
            t.game.rounds += 1;
            if t.game.rounds < 3 {
                return Ok(Next::Again);
            }
        }
        Scene::Count | Scene::Rounds => {
            for _ in 0..10 {
                t.choose_yes_no(A, "Go on?").await?;
                t.game.rounds += 1;
                STEPS.fetch_add(u32::from(t.game.scene == Scene::Count), Ordering::Relaxed);
            }
            return Ok(if t.game.rounds >= 20_000 { over(t) } else { Next::Again });
        }
        Scene::Visit => {
            let answer = t.choose_yes_no(A, "Stay?").await;
            note(t, answer);
            answer?;
        }
        Scene::SegmentsForEver => {
            if t.game.rounds == 0 {
                t.choose_yes_no(A, "Begin?").await?;
            }
            t.game.rounds = 1;
            return Ok(Next::Again);
        }
        Scene::Twice => {
            t.many([A, A], |_, _| Pick::one("Twice", ["x", "y"])).await?;
        }
        broken => faults(t, broken).await?,
    }
    Ok(over(t))
}

async fn many(t: &mut Table<Small>) -> Result<(), Interrupt> {
    let scene = t.game.scene;
    let question = move |_: &Small, seat: Seat| match scene {
        // Seat B has no choice.
        Scene::ManyForced if seat == B => Pick::of("Card", vec!["only"]),
        Scene::ManySecret if seat == B => Pick::of("Card", vec!["only"]).secret(),
        _ => Pick::of("Card", vec!["ace", "king", "queen"]).count(2),
    };
    // In an order that is neither that of the seats nor that of arrival.
    for given in t.many([C, A, B], question).await? {
        note(t, (given.seat.index(), given.answer, given.auto));
    }
    Ok(())
}

/// Only seat A has a choice.
fn window(seat: Seat) -> Pick<Vec<&'static str>> {
    Pick::of("Call?", if seat == A { vec!["call", "pass"] } else { vec!["pass"] })
}

async fn any(t: &mut Table<Small>) -> Result<(), Interrupt> {
    let scene = t.game.scene;
    let mut left = vec![A, B, C];
    while !left.is_empty() {
        let seats = left.clone();
        let question = move |game: &Small, seat: Seat| match scene {
            Scene::AnyForced => Pick::one("Card", vec!["only"]),
            Scene::AnyThenChanged if seat == B && !game.notes.is_empty() => Pick::one("Card", vec!["ace"]),
            _ => Pick::one("Card", vec!["ace", "king"]),
        };
        let given = t.any(seats, question).await?;
        left.retain(|seat| *seat != given.seat);
        note(t, (given.seat.index(), given.answer));
    }
    Ok(())
}

async fn helpers(t: &mut Table<Small>) -> Result<(), Interrupt> {
    let colour: Vec<&str> = t.choose(A, "Colour", |_| ["red", "green"]).await?;
    note(t, colour);
    let card: u32 = t.choose_card(A, "Card", |_| [7, 8, 9]).await?;
    note(t, card);
    let cards: Vec<u32> = t.choose_cards(A, "Cards", 2, |_| [7, 8, 9]).await?;
    note(t, cards);
    let yes: bool = t.choose_yes_no(A, "Sure?").await?;
    note(t, yes);
    let player: Seat = t.choose_player(A, "Whom?", |_| vec![B, C]).await?;
    note(t, player.index());
    Ok(())
}

fn nested() -> Selector {
    use parlor_core::Choice;
    let dogma = Choice::new("Dogma").nest(vec!["Archery".into(), "Writing".into()], 1, 1);
    let meld = Choice::new("Meld").nest(vec!["card-1".into(), "card-2".into()], 0, 1);
    Selector::pick("Choose Action", vec![dogma, meld, Choice::new("Pass").exclusive()])
}

/// How much is taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Take {
    pub(crate) coins: u32,
}

fn take(rounds: u32) -> Free<Take, impl Fn(&Take) -> Result<(), Refusal>> {
    Free::new("Take coins", vec![Take { coins: 1 }, Take { coins: 3 }], move |take: &Take| {
        if take.coins <= 3 + rounds { Ok(()) } else { Err(Refusal::of("coins", "there are only 3 coins")) }
    })
}

async fn two(t: &mut Table<Small>) -> Result<(), Interrupt> {
    // The second seat first: the answers are in the order of the call.
    let first = (B, |_: &Small| Pick::one("Number", [10, 20]));
    let second = (A, |_: &Small| Pick::one("Word", ["x", "y"]));
    if t.game.scene == Scene::Join {
        let (number, word) = t.join(first, second).await?;
        note(t, (number, word));
    } else {
        let given = t.race(first, second).await?;
        match given.answer {
            Either::Left(number) => note(t, number),
            Either::Right(word) => note(t, word),
        }
    }
    Ok(())
}

async fn faults(t: &mut Table<Small>, scene: Scene) -> Result<(), Interrupt> {
    t.choose_yes_no(A, "Begin?").await?;
    match scene {
        Scene::BadBounds => {
            t.single(A, |_| Pick::of("Bounds", ["x", "y", "z"]).between(3, 2)).await?;
        }
        Scene::OneOfNothing => {
            t.single(A, |_| Pick::one("Nothing", Vec::<u32>::new()).secret()).await?;
        }
        Scene::NotARequest => std::future::pending::<()>().await,
        Scene::AsksForEver => loop {
            t.single(A, |_| Pick::of("Forced", ["only"])).await?;
        },
        Scene::PanicInCheck => {
            let check = |take: &Take| -> Result<(), Refusal> {
                assert!(take.coins != 2, "the check broke down as planned");
                Ok(())
            };
            let question = |_: &Small| Free::new("Coins", vec![Take { coins: 1 }], check).terms(Terms::PLAIN);
            let coins = t.single(A, question).await?.coins;
            note(t, coins);
        }
        _ => panic!("the rules broke down as planned"),
    }
    Ok(())
}

/// A match of the small script with three seats.
pub(crate) fn start(scene: Scene) -> Match {
    let settings = serde_json::to_value(Settings { scene }).expect("settings are plain data");
    start_of(Small::def(), settings)
}

pub(crate) fn start_of(def: GameDef, settings: Json) -> Match {
    let header = Header::seeded(&def, 3, settings, Seed::from_text("small"));
    Match::start(def, header).unwrap_or_else(|why| panic!("{why}")).0
}

/// The only open request of a seat: its title and the id that its clients know.
pub(crate) fn asked(play: &Match, seat: Seat) -> Option<(String, u32)> {
    let stand = play.open_requests(seat).first()?;
    Some((play.request(seat, stand.ask).title, stand.input))
}

/// Answers the open request of the seat.
pub(crate) fn submit(play: &mut Match, seat: Seat, selection: Json) -> Result<Applied, Refusal> {
    let ask = play.open_requests(seat).first().map_or(AskId(9999), |stand| stand.ask);
    let title = play.open_requests(seat).first().map(|stand| play.request(seat, stand.ask).title);
    let answer = json!({"title": title, "selection": selection});
    play.apply(0, By::Human, None, Body::Answer { seat, ask, answer })
}

pub(crate) fn answer(play: &mut Match, seat: Seat, selection: Json) -> Applied {
    submit(play, seat, selection).unwrap_or_else(|why| panic!("{why}"))
}

/// What the script noted.
pub(crate) fn notes(play: &Match) -> Vec<String> {
    let seen = play.view(Viewer::Gallery);
    seen["notes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|note| note.as_str().unwrap_or("").to_owned())
        .collect()
}
