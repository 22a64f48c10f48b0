//! Random play: at a whole table, and, faster, in a match alone.

use parlor_core::{AskKind, Body, By, GameDef, Header, Json, Match, Rng, Seat, Seed, Visit};
use parlor_host::{AnswerTarget, Command, ConnId, Occupant, Submit};

use crate::world::{Driven, World, seats};

/// Steps after which a random match is given up.
pub const STEPS_MAX: usize = 3000;

/// Takes one random step; returns false if there is nothing left to do.
pub fn step<T: Driven>(world: &mut World<T>, rng: &mut Rng) -> bool {
    if world.view().finished() {
        return false;
    }
    let visits = world.plan.def.visits;
    if visits && rng.below(24) == 0 {
        visit(world, rng);
        return true;
    }
    if rng.below(40) == 0 {
        let seat = Seat::new(rng.below(world.plan.seats.into()) as u8);
        let conn = world.plan.conn(seat.into());
        world.handle(Command::Chat { conn, name: String::new(), text: "hello".to_owned() });
        return true;
    }
    let stands = standing(world);
    let (asked, beside): (Vec<_>, Vec<_>) =
        stands.into_iter().partition(|(_, _, kind)| *kind == AskKind::Request);
    if !beside.is_empty() && rng.below(6) == 0 {
        let (seat, input, _) = *rng.pick(&beside);
        answer(world, rng, seat, input);
        return true;
    }
    if asked.is_empty() || rng.below(5) == 0 {
        let woken = if rng.below(3) == 0 {
            world.advance(u64::from(rng.below(700)));
            true
        } else {
            world.advance_to_wake()
        };
        return woken || !asked.is_empty();
    }
    let (seat, input, _) = *rng.pick(&asked);
    answer(world, rng, seat, input);
    true
}

/// The open requests: seat, `inputId`, kind.
fn standing<T: Driven>(world: &World<T>) -> Vec<(Seat, u32, AskKind)> {
    let play = world.view().current_match();
    let of = |seat: Seat| play.open_requests(seat).iter().map(move |stand| (seat, stand.input, stand.kind));
    seats(&world.plan).flat_map(of).collect()
}

fn answer<T: Driven>(world: &mut World<T>, rng: &mut Rng, seat: Seat, input: u32) {
    let Some(stand) =
        world.view().current_match().open_requests(seat).iter().find(|stand| stand.input == input).copied()
    else {
        return;
    };
    let Ok(answer) = world.view().current_match().sample(seat, stand.ask, rng) else { return };
    let conn = world.plan.conn(seat.into());
    let head = world.view().current_match().head(seat.into());
    let to = match rng.below(3) {
        0 if stand.kind == AskKind::Request && only_request(world, seat) => AnswerTarget::Latest,
        1 if stand.kind == AskKind::Request && only_request(world, seat) => AnswerTarget::Head(head),
        _ => AnswerTarget::Input(input),
    };
    let key = (rng.below(3) == 0).then(|| format!("k{}", world.script.len()));
    world.handle(Command::Submit(conn, Submit { to, answer, key }));
}

fn only_request<T: Driven>(world: &World<T>, seat: Seat) -> bool {
    world
        .view()
        .current_match()
        .open_requests(seat)
        .iter()
        .filter(|stand| stand.kind == AskKind::Request)
        .count()
        == 1
}

fn visit<T: Driven>(world: &mut World<T>, rng: &mut Rng) {
    let seat = Seat::new(rng.below(world.plan.seats.into()) as u8);
    if rng.below(2) == 0 {
        world.handle(Command::Leave { seat });
    } else {
        let who = Occupant::human(&format!("P{seat}"));
        world.handle(Command::Sit { conn: ConnId(u64::MAX), seat, who, stake: i64::from(rng.roll_die(30)) });
        if !world.clients.contains_key(&world.plan.conn(seat.into())) {
            world.connect(seat.into());
        }
    }
}

/// Plays a table to its end; returns the number of steps.
pub fn play_out<T: Driven>(world: &mut World<T>, rng: &mut Rng) -> usize {
    for steps in 0..STEPS_MAX {
        if !step(world, rng) {
            return steps;
        }
        world.check();
        if !world.violations.is_empty() {
            return steps;
        }
    }
    world.violations.push(format!("a match of {} does not end", world.plan.def.name));
    STEPS_MAX
}

/// Plays one match without a table: answers, elapsed asks, offers, drafts and visits in random order.
///
/// # Panics
/// If the rules refuse an input that they offered.
#[must_use]
pub fn random_match(def: GameDef, settings: &Json, seats: u8, seed: u64) -> Match {
    let header = Header::seeded(&def, seats, settings.clone(), Seed::from_text(&format!("random {seed}")));
    let (mut play, _) = Match::start(def, header).unwrap_or_else(|refusal| panic!("{}: {refusal}", def.name));
    let mut rng = crate::world::test_luck(seed);
    for _ in 0..STEPS_MAX {
        if play.outcome().is_some() || !random_input(&mut play, &mut rng) {
            break;
        }
    }
    play
}

/// Applies one random input to a running match; returns whether there was one.
///
/// # Panics
/// If the rules refuse an input that they offered.
pub fn random_input(play: &mut Match, rng: &mut Rng) -> bool {
    let at = play.last_at().unwrap_or(0) + u64::from(rng.below(400));
    let asks = play.open_asks();
    let number = play.header().seats;
    if play.def().visits && rng.below(16) == 0 {
        let seat = Seat::new(rng.below(number.into()) as u8);
        let visit = [Visit::leave(seat), Visit::join(seat, 20)][rng.below(2) as usize];
        let _ = play.apply(at, By::House, None, Body::Visit { visit });
        return true;
    }
    if asks.is_empty() {
        return false;
    }
    let ask = *rng.pick(&asks);
    let elapse = ask.seats.is_empty() || (ask.clock != parlor_core::TimeLimit::None && rng.below(8) == 0);
    let body = if elapse {
        let seat = match ask.clock {
            parlor_core::TimeLimit::Bank { .. } => ask.seats.lowest(),
            _ => None,
        };
        Body::Elapsed { ask: ask.id, seat }
    } else {
        let seat =
            ask.seats.iter().nth(rng.below(ask.seats.len() as u32) as usize).expect("the ask has seats");
        let answer = play.sample(seat, ask.id, rng).expect("the rules can sample");
        Body::Answer { seat, ask: ask.id, answer }
    };
    if !ask.blocks() && elapse {
        return true;
    }
    play.apply(at, By::Human, None, body).unwrap_or_else(|why| panic!("{}: {why}", play.def().name));
    true
}

/// Random matches, each replayed from its log: 2,000, or `PARLOR_SOAK_MATCHES` of them.
///
/// # Panics
/// If a match does not end, or its replay ends differently.
pub fn replays(def: GameDef, seats: u8) {
    let matches = std::env::var("PARLOR_SOAK_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    for seed in 0..matches {
        let play = random_match(def, &Json::Null, seats, seed);
        assert!(play.outcome().is_some(), "{} {seed}: the match does not end", def.name);
        let again = Match::replay(def, play.header().clone(), play.records().to_vec());
        let again = again.unwrap_or_else(|error| panic!("{} {seed}: {error}", def.name));
        assert_eq!(again.footer(), play.footer(), "{} {seed}", def.name);
    }
    println!("{}: {matches} random matches replay identically", def.name);
}
