//! Random play: through a whole table, and, faster, through a match alone.

use parlor_core::{Body, By, Entry, Header, Json, Kind, Luck, Match, Seat, Seed, Visit};
use parlor_host::{Answers, Command, Occupant, Submit};

use crate::world::{Driven, World, seats};

/// Steps after which a random match is given up.
pub const STEPS_MAX: usize = 3000;

/// Does one random thing; says whether there was anything left to do.
pub fn step<T: Driven>(world: &mut World<T>, luck: &mut Luck) -> bool {
    if world.view().finished() {
        return false;
    }
    let visits = world.plan.entry.visits;
    if visits && luck.below(24) == 0 {
        visit(world, luck);
        return true;
    }
    if luck.below(40) == 0 {
        let seat = Seat::new(luck.below(world.plan.seats.into()) as u8);
        let conn = world.plan.conn(seat.into());
        world.tell(Command::Chat { conn, name: String::new(), text: "hello".to_owned() });
        return true;
    }
    let stands = standing(world);
    let (asked, beside): (Vec<_>, Vec<_>) =
        stands.into_iter().partition(|(_, _, kind)| *kind == Kind::Request);
    if !beside.is_empty() && luck.below(6) == 0 {
        let (seat, input, _) = *luck.pick(&beside);
        answer(world, luck, seat, input);
        return true;
    }
    if asked.is_empty() || luck.below(5) == 0 {
        let woken = if luck.below(3) == 0 {
            world.advance(u64::from(luck.below(700)));
            true
        } else {
            world.advance_to_wake()
        };
        return woken || !asked.is_empty();
    }
    let (seat, input, _) = *luck.pick(&asked);
    answer(world, luck, seat, input);
    true
}

/// What stands for each seat: seat, `inputId`, kind.
fn standing<T: Driven>(world: &World<T>) -> Vec<(Seat, u32, Kind)> {
    let play = world.view().play();
    let of = |seat: Seat| play.stands(seat).iter().map(move |stand| (seat, stand.input, stand.kind));
    seats(&world.plan).flat_map(of).collect()
}

fn answer<T: Driven>(world: &mut World<T>, luck: &mut Luck, seat: Seat, input: u32) {
    let Some(stand) = world.view().play().stands(seat).iter().find(|stand| stand.input == input).copied()
    else {
        return;
    };
    let Ok(answer) = world.view().play().sample(seat, stand.ask, luck) else { return };
    let conn = world.plan.conn(seat.into());
    let head = world.view().play().head(seat.into());
    let to = match luck.below(3) {
        0 if stand.kind == Kind::Request && only_request(world, seat) => Answers::Latest,
        1 if stand.kind == Kind::Request && only_request(world, seat) => Answers::Head(head),
        _ => Answers::Input(input),
    };
    let key = (luck.below(3) == 0).then(|| format!("k{}", world.script.len()));
    world.tell(Command::Submit(conn, Submit { to, answer, key }));
}

fn only_request<T: Driven>(world: &World<T>, seat: Seat) -> bool {
    world.view().play().stands(seat).iter().filter(|stand| stand.kind == Kind::Request).count() == 1
}

fn visit<T: Driven>(world: &mut World<T>, luck: &mut Luck) {
    let seat = Seat::new(luck.below(world.plan.seats.into()) as u8);
    if luck.below(2) == 0 {
        world.tell(Command::Leave { seat });
    } else {
        let who = Occupant::human(&format!("P{seat}"));
        world.tell(Command::Sit { seat, who, stake: i64::from(luck.roll_die(30)) });
        if !world.clients.contains_key(&world.plan.conn(seat.into())) {
            world.connect(seat.into());
        }
    }
}

/// Plays a table to its end and returns how many steps it took.
pub fn play_out<T: Driven>(world: &mut World<T>, luck: &mut Luck) -> usize {
    for steps in 0..STEPS_MAX {
        if !step(world, luck) {
            return steps;
        }
        world.check();
        if !world.violations.is_empty() {
            return steps;
        }
    }
    world.violations.push(format!("a match of {} does not end", world.plan.entry.name));
    STEPS_MAX
}

/// Plays one match alone, without a table: answers, elapsed asks, offers, drafts and visits in random order.
///
/// # Panics
/// When the rules refuse what they themselves offered.
#[must_use]
pub fn random_match(entry: Entry, settings: &Json, seats: u8, seed: u64) -> Match {
    let header = Header::seeded(&entry, seats, settings.clone(), Seed::from_text(&format!("random {seed}")));
    let (mut play, _) =
        Match::start(entry, header).unwrap_or_else(|refusal| panic!("{}: {refusal}", entry.name));
    let mut luck = crate::world::test_luck(seed);
    for _ in 0..STEPS_MAX {
        if play.outcome().is_some() || !random_input(&mut play, &mut luck) {
            break;
        }
    }
    play
}

/// One random input for a match that runs; says whether there was one.
///
/// # Panics
/// When the rules refuse what they themselves offered.
pub fn random_input(play: &mut Match, luck: &mut Luck) -> bool {
    let at = play.last_at().unwrap_or(0) + u64::from(luck.below(400));
    let asks = play.standing();
    let number = play.header().seats;
    if play.entry().visits && luck.below(16) == 0 {
        let seat = Seat::new(luck.below(number.into()) as u8);
        let visit = [Visit::Leave { seat }, Visit::Join { seat, stake: 20 }][luck.below(2) as usize];
        let _ = play.apply(at, By::House, None, Body::Visit { visit });
        return true;
    }
    if asks.is_empty() {
        return false;
    }
    let ask = *luck.pick(&asks);
    let elapse = ask.seats.is_empty() || (ask.clock != parlor_core::Clock::None && luck.below(8) == 0);
    let body = if elapse {
        let seat = match ask.clock {
            parlor_core::Clock::Bank { .. } => ask.seats.lowest(),
            _ => None,
        };
        Body::Elapsed { ask: ask.id, seat }
    } else {
        let seat =
            ask.seats.iter().nth(luck.below(ask.seats.len() as u32) as usize).expect("the ask has seats");
        let answer = play.sample(seat, ask.id, luck).expect("the rules can sample");
        Body::Answer { seat, ask: ask.id, answer }
    };
    if !ask.blocks() && elapse {
        return true;
    }
    play.apply(at, By::Human, None, body).unwrap_or_else(|why| panic!("{}: {why}", play.entry().name));
    true
}
