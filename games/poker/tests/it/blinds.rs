//! Button, blinds and debts from hand to hand, as tables of facts.
//!
//! A seat is written `P` playing, `-` empty, `b3` paused until the big blind and owing 3, `p3` paused and owing 3, `r3`
//! coming back with a debt of 3, `N` a newcomer, `W` a newcomer who waits for the big blind, `X` without chips, `L`
//! leaving. Positions are seats counted from 1: button, small blind, big blind. Blinds are 1 and 2.

use parlor_poker::table::{
    ButtonRule, Chair, Entry, MissedBlinds, NewcomerWish, Newcomers, PauseKind, Plan, Positions, SeatState,
    Settings,
};
use parlor_poker::{SEATS_MAX, Variant};

const STACK: i64 = 100;

fn read_seat(text: &str) -> SeatState {
    let (kind, debt) = text.split_at(1);
    let debt = debt.parse().unwrap_or(0);
    match kind {
        "P" => SeatState::PLAYING,
        "-" => SeatState::Empty,
        "b" => SeatState::Paused { until: PauseKind::UntilBigBlind, debt },
        "p" => SeatState::Paused { until: PauseKind::Plain, debt },
        "r" => SeatState::Returning { debt },
        "N" => SeatState::Newcomer(NewcomerWish::Play),
        "W" => SeatState::Newcomer(NewcomerWish::WaitForBigBlind),
        "X" => SeatState::Broke,
        "L" => SeatState::Leaving,
        _ => panic!("no seat is written {text}"),
    }
}

fn write_seat(state: SeatState) -> String {
    match state {
        SeatState::Playing { .. } => "P".into(),
        SeatState::Empty => "-".into(),
        SeatState::Paused { until: PauseKind::UntilBigBlind, debt } => format!("b{debt}"),
        SeatState::Paused { until: PauseKind::Plain, debt } => format!("p{debt}"),
        SeatState::Returning { debt } => format!("r{debt}"),
        SeatState::Newcomer(NewcomerWish::Play) => "N".into(),
        SeatState::Newcomer(_) => "W".into(),
        SeatState::Broke => "X".into(),
        SeatState::Leaving => "L".into(),
    }
}

fn chairs(seats: &str) -> [Chair; SEATS_MAX] {
    let mut chairs = [Chair::default(); SEATS_MAX];
    for (chair, text) in chairs.iter_mut().zip(seats.split(' ')) {
        let state = read_seat(text);
        let stack = if matches!(state, SeatState::Empty | SeatState::Broke) { 0 } else { STACK };
        *chair = Chair { state, stack };
    }
    chairs
}

fn positions(text: &str) -> Option<Positions> {
    let seats: Vec<usize> = text.split(' ').filter_map(|seat| seat.parse().ok()).collect();
    match seats[..] {
        [button, small, big] => Some(Positions { button: button - 1, small: small - 1, big: big - 1 }),
        _ => None,
    }
}

fn settings(seats: &str) -> Settings {
    Settings { seat_count: seats.split(' ').count(), ..Settings::document() }
}

fn next(settings: &Settings, last: &str, seats: &str) -> Option<Plan> {
    let stakes = settings.stakes(Variant::NoLimitHoldem);
    Plan::next(settings, stakes, true, &mut chairs(seats), positions(last))
}

/// `(positions before, seats, positions after, seats after)`; `none` where no hand can be dealt.
fn holds(change: impl Fn(&mut Settings), facts: &[(&str, &str, &str, &str)]) {
    for &(last, seats, expected, after) in facts {
        let mut settings = settings(seats);
        change(&mut settings);
        let (got, states) = match next(&settings, last, seats) {
            None => ("none".into(), seats.to_owned()),
            Some(plan) => {
                let Positions { button, small, big } = plan.positions;
                let states = plan.states[..settings.seat_count].iter().map(|&state| write_seat(state));
                (format!("{} {} {}", button + 1, small + 1, big + 1), states.collect::<Vec<_>>().join(" "))
            }
        };
        assert_eq!((got.as_str(), states.as_str()), (expected, after), "after {last:?}: {seats}");
    }
}

/// The big blind moves to the next seat that plays, the small blind to where it was, the button to where the small blind
/// was. Cites 004-15, 004/R7.
#[test]
fn the_blinds_move_on_from_where_they_were() {
    holds(
        |_| {},
        &[
            ("", "P P P P", "4 1 2", "P P P P"),
            ("", "P P - -", "1 1 2", "P P - -"),
            ("4 1 2", "P P P P", "1 2 3", "P P P P"),
            ("1 2 3", "P P P P", "2 3 4", "P P P P"),
            ("2 3 4", "P P P P", "3 4 1", "P P P P"),
            // The small blind left: a dead button.
            ("1 2 3", "P - P P", "2 3 4", "P - P P"),
            // The big blind left: a dead small blind, then a dead button.
            ("1 2 3", "P P - P P", "2 3 4", "P P - P P"),
            ("2 3 4", "P P - P P", "3 4 5", "P P - P P"),
            // Two of three: the button is the small blind and the big blind moves on.
            ("1 2 3", "- P P", "3 3 2", "- P P"),
            ("1 2 3", "P - P", "3 3 1", "P - P"),
            ("1 2 3", "P P -", "2 2 1", "P P -"),
            // Two become three: the newcomer behind the big blind has it next.
            ("1 1 2", "P P N", "1 2 3", "P P P"),
            // Between button and big blind the newcomer takes the button.
            ("1 1 3", "P N P", "2 3 1", "P P P"),
        ],
    );
}

/// With a moving button seats where nobody plays are skipped. Cites 004/R7.
#[test]
fn a_moving_button_skips_seats_where_nobody_plays() {
    holds(
        |settings| settings.button = ButtonRule::Moving,
        &[
            ("4 1 2", "P P P P", "1 2 3", "P P P P"),
            ("1 2 3", "P - P P", "1 3 4", "P - P P"),
            ("1 2 3", "P P - P P", "1 2 4", "P P - P P"),
            ("1 2 3", "P p0 P P", "1 3 4", "P p0 P P"),
            ("1 3 4", "P p0 P P", "3 4 1", "P p0 P P"),
            ("3 4 1", "P p0 P P", "4 1 3", "P p2 P P"),
            ("4 1 3", "P p2 P P", "1 3 4", "P p3 P P"),
        ],
    );
}

/// A seat owes for each blind that goes by, one and a half big blinds at most; the one that waits for the big blind comes
/// back there without paying. Cites 004-7, 004-8, 004-16, 004-17, 004-20, 004/R6, 004/R7.
#[test]
fn missed_blinds_are_counted_and_capped() {
    holds(
        |_| {},
        &[
            // Not on a blind: nothing is owed.
            ("1 2 3", "P p0 P P", "2 3 4", "P p0 P P"),
            // The big blind goes by, then the small blind, then no more than the most.
            ("4 1 2", "P P p0 P", "1 2 4", "P P p2 P"),
            ("1 2 4", "P P p2 P", "2 4 1", "P P p3 P"),
            ("4 1 2", "P P p3 P", "1 2 4", "P P p3 P"),
            ("1 2 4", "P P p1 P", "2 4 1", "P P p2 P"),
            // One who was the big blind and paused misses the small blind, also when waiting.
            ("4 1 2", "P p0 P P", "1 2 3", "P p1 P P"),
            ("4 1 2", "P b0 P P", "1 2 3", "P b1 P P"),
            // Reaching the big blind forgives, whether one waited or has just come back.
            ("4 1 2", "P P b3 P", "1 2 3", "P P P P"),
            ("4 1 2", "P P r3 P", "1 2 3", "P P P P"),
            // Between two players the blinds go round the same way.
            ("1 1 3", "P p0 P", "3 3 1", "P p1 P"),
            ("3 3 1", "P p1 P", "1 1 3", "P p3 P"),
        ],
    );
    for seats in ["P P b3 P", "P P r3 P"] {
        let plan = next(&settings(seats), "4 1 2", seats).unwrap();
        assert_eq!((plan.positions.big, plan.entries[2]), (2, Entry::default()), "{seats}: nothing is paid");
    }
}

/// What coming back and coming in cost, in the document's way and in the card room's. Cites 004-9, 004-21, 004/R5,
/// 004/R11.
#[test]
fn coming_in_has_its_price() {
    type Facts = (Newcomers, MissedBlinds, &'static str, usize, Option<(i64, i64)>);
    let (free, post, wait) = (Newcomers::Free, Newcomers::PostBigBlind, Newcomers::WaitForBigBlind);
    let (dead, live) = (MissedBlinds::Dead, MissedBlinds::Live);
    // Blinds before: button 6, small blind 1, big blind 2. The seat, and what it pays dead and live; none: not dealt in.
    let facts: &[Facts] = &[
        (free, dead, "P P P P r3 P", 5, Some((3, 0))),
        (free, dead, "P P P P r1 P", 5, Some((1, 0))),
        (free, dead, "P P P P r0 P", 5, Some((0, 0))),
        (free, live, "P P P P r3 P", 5, Some((1, 2))),
        (free, live, "P P P P r2 P", 5, Some((0, 2))),
        (free, live, "P P P P r1 P", 5, Some((1, 0))),
        // The card room lets nobody make blinds up between the button and the big blind.
        (free, live, "P r1 P P P P", 2, None),
        (free, live, "P r0 P P P P", 2, Some((0, 0))),
        (free, dead, "P r1 P P P P", 2, Some((1, 0))),
        (free, dead, "P P P P N P", 5, Some((0, 0))),
        (free, dead, "P N P P P P", 2, Some((0, 0))),
        (post, live, "P P P P N P", 5, Some((0, 2))),
        (post, live, "P P N P P P", 3, Some((0, 0))),
        (post, live, "P N P P P P", 2, None),
        (post, live, "P P P P W P", 5, None),
        (post, live, "P P W P P P", 3, Some((0, 0))),
        (wait, live, "P P P P N P", 5, None),
        (wait, live, "P P N P P P", 3, Some((0, 0))),
    ];
    for &(newcomers, missed_blinds, seats, seat, expected) in facts {
        let settings = Settings { newcomers, missed_blinds, ..settings(seats) };
        let plan = next(&settings, "6 1 2", seats).unwrap();
        let Entry { dead, live } = plan.entries[seat - 1];
        let got = plan.players.contains(seat - 1).then_some((dead, live));
        assert_eq!(got, expected, "{newcomers:?} {missed_blinds:?} {seats}");
    }
}

/// With fewer than two playing, seats come in free of debt until two play; where nobody can, no blind is missed.
/// Cites 004/R14.
#[test]
fn a_table_that_runs_dry_lets_people_in_free() {
    holds(
        |settings| settings.newcomers = Newcomers::WaitForBigBlind,
        &[
            ("1 2 3", "P r3 - -", "2 2 1", "P P - -"),
            ("1 2 3", "P b3 p3 -", "2 2 1", "P P p3 -"),
            ("1 2 3", "P p3 p3 X", "none", "P p3 p3 X"),
            ("1 2 3", "P - - -", "none", "P - - -"),
            ("1 2 3", "- N N -", "3 3 2", "- P P -"),
            ("", "W W - -", "1 1 2", "P P - -"),
            ("", "N W - -", "1 1 2", "P P - -"),
            // Play first, then wait for the big blind; the third pays or waits like everybody.
            ("1 2 3", "P N r3 N", "2 3 4", "P N P P"),
        ],
    );
    let forgiven = next(&settings("P r3 - -"), "1 2 3", "P r3 - -").unwrap();
    assert_eq!(forgiven.entries[1], Entry::default());
}

/// Who cannot pay the debt and a blind leaves; who owes nothing may play short. Cites 004-19.
#[test]
fn who_cannot_pay_leaves() {
    let settings = settings("P P P P r3");
    let stakes = settings.stakes(Variant::NoLimitHoldem);
    for (state, stack, is_in, after) in [
        ("r3", 4, false, "L"),
        ("r3", 5, true, "r3"),
        ("r0", 1, true, "r0"),
        ("P", 1, true, "P"),
        ("N", 1, true, "N"),
    ] {
        let mut seats = chairs(&format!("P P P P {state}"));
        seats[4].stack = stack;
        let plan = Plan::next(&settings, stakes, true, &mut seats, positions("5 1 2")).unwrap();
        assert_eq!(plan.players.contains(4), is_in, "{state} with {stack}");
        assert_eq!(write_seat(seats[4].state), after);
    }
    // On the big blind the debt is forgiven, so nothing is too short.
    let mut seats = chairs("P P r3 P P");
    seats[2].stack = 1;
    let plan = Plan::next(&settings, stakes, true, &mut seats, positions("5 1 2")).unwrap();
    assert_eq!((plan.positions.big, plan.entries[2]), (2, Entry::default()));
}

/// The document's hand 9: after a leave its last player has the big blind again. Cites 004/R7.
#[test]
fn strict_seed_repeats_the_big_blind() {
    holds(|settings| settings.strict_seed = true, &[("1 2 3", "- P P", "2 2 3", "- P P")]);
    holds(|_| {}, &[("1 2 3", "- P P", "3 3 2", "- P P")]);
}

/// In a game without blinds the button stays, nobody misses anything, and what is owed is paid dead. Cites 004/R7.
#[test]
fn a_hand_without_blinds_moves_nothing() {
    let settings = Settings { missed_blinds: MissedBlinds::Live, ..settings("P P p0 r3") };
    let stakes = settings.stakes(Variant::NoLimitHoldem);
    let plan = Plan::next(&settings, stakes, false, &mut chairs("P P p0 r3"), positions("4 1 2")).unwrap();
    assert_eq!(Some(plan.positions), positions("4 1 2"));
    assert_eq!(write_seat(plan.states[2]), "p0");
    assert_eq!(plan.entries[3], Entry { dead: 3, live: 0 });
}
