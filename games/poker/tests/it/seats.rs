//! What a seat can be and what its player may ask for: the document's matrix and every transition, as tables.

use parlor_poker::table::{
    Flags, Impossible, Intent, IntentContext, IntentRefused, NewcomerWish, PauseKind, SeatState, Then,
};

const BB: PauseKind = PauseKind::UntilBigBlind;
const PLAIN: PauseKind = PauseKind::Plain;

const fn flags(inactive: u8, intent: Intent, debt: i64) -> Flags {
    Flags { inactive: inactive != 0, intent, debt }
}

const fn paused(until: PauseKind, debt: i64) -> SeatState {
    SeatState::Paused { until, debt }
}

const fn then(then: Then) -> SeatState {
    SeatState::Playing { then: Some(then) }
}

/// Every row of the matrix has one state and is written back as it was. Cites 004-2, 004-5.
#[test]
fn each_row_of_the_matrix_is_one_state() {
    use Intent::{Leave, Pause, Play, WaitForBigBlind};
    for (row, state) in [
        (flags(0, Play, 0), SeatState::PLAYING),
        (flags(0, WaitForBigBlind, 0), then(Then::Pause(BB))),
        (flags(0, Pause, 0), then(Then::Pause(PLAIN))),
        (flags(0, Leave, 0), then(Then::Leave)),
        (flags(1, Play, 0), SeatState::Returning { debt: 0 }),
        (flags(1, Play, 3), SeatState::Returning { debt: 3 }),
        (flags(1, WaitForBigBlind, 0), paused(BB, 0)),
        (flags(1, WaitForBigBlind, 3), paused(BB, 3)),
        (flags(1, Pause, 0), paused(PLAIN, 0)),
        (flags(1, Pause, 2), paused(PLAIN, 2)),
        (flags(1, Leave, 0), SeatState::Leaving),
    ] {
        assert_eq!(SeatState::from_flags(row, false), Ok(state));
        assert_eq!(state.flags(), Some(row));
    }
    // Who leaves owes nothing any more, whatever was written.
    assert_eq!(SeatState::from_flags(flags(1, Leave, 3), false), Ok(SeatState::Leaving));
    for (i, intent) in Intent::ALL.into_iter().enumerate() {
        assert_eq!(Intent::from_number(i as i64), Some(intent));
        assert_eq!(
            SeatState::from_flags(flags(0, intent, 1), false),
            Err(Impossible::PlayingWithDebt { debt: 1 })
        );
    }
    assert_eq!([Intent::from_number(4), Intent::from_number(-1)], [None, None]);
    assert!(SeatState::from_flags(flags(1, Pause, -1), false).is_err());
}

/// A newcomer is told apart inside and shows the same numbers as one who comes back. Cites 004/R5.
#[test]
fn a_newcomer_looks_like_one_who_comes_back() {
    for (wish, intent) in [
        (NewcomerWish::Play, Intent::Play),
        (NewcomerWish::WaitForBigBlind, Intent::WaitForBigBlind),
        (NewcomerWish::Pause, Intent::Pause),
    ] {
        let state = SeatState::Newcomer(wish);
        assert_eq!(state.flags(), Some(flags(1, intent, 0)));
        assert_eq!(SeatState::from_flags(flags(1, intent, 0), true), Ok(state));
        assert_ne!(SeatState::from_flags(flags(1, intent, 0), false), Ok(state));
    }
    assert_eq!(SeatState::Broke.flags(), Some(flags(1, Intent::Pause, 0)));
    assert_eq!(SeatState::Empty.flags(), None);
}

const MID_HAND: IntentContext = IntentContext { in_hand: true, finish_hand: false, free_entry: true };
const FINISHING: IntentContext = IntentContext { finish_hand: true, ..MID_HAND };
const BETWEEN: IntentContext = IntentContext { in_hand: false, ..MID_HAND };
const PRICED: IntentContext = IntentContext { free_entry: false, ..BETWEEN };

/// Every state with every intent: what it becomes, in the order play, wait for the big blind, pause, leave.
/// Cites 004-6, 004-9, 004-10, 004-18, 004/R4, 004/R6, 004/R13.
#[test]
fn every_intent_in_every_state() {
    let returning = |debt| SeatState::Returning { debt };
    let newcomer = SeatState::Newcomer;
    let play = SeatState::PLAYING;
    let leaving = SeatState::Leaving;
    let table: &[(IntentContext, SeatState, [SeatState; 4])] = &[
        // Mid-hand a pause holds at once (R4), unless the table lets players finish.
        (MID_HAND, play, [play, paused(BB, 0), paused(PLAIN, 0), leaving]),
        (BETWEEN, play, [play, paused(BB, 0), paused(PLAIN, 0), leaving]),
        (FINISHING, play, [play, then(Then::Pause(BB)), then(Then::Pause(PLAIN)), then(Then::Leave)]),
        (
            FINISHING,
            then(Then::Leave),
            [play, then(Then::Pause(BB)), then(Then::Pause(PLAIN)), then(Then::Leave)],
        ),
        // 1 and 2 keep the debt, 0 is ready to pay it (R6).
        (MID_HAND, paused(BB, 3), [returning(3), paused(BB, 3), paused(PLAIN, 3), leaving]),
        (MID_HAND, paused(PLAIN, 2), [returning(2), paused(BB, 2), paused(PLAIN, 2), leaving]),
        (FINISHING, paused(PLAIN, 2), [returning(2), paused(BB, 2), paused(PLAIN, 2), leaving]),
        (BETWEEN, returning(3), [returning(3), paused(BB, 3), paused(PLAIN, 3), leaving]),
        (
            BETWEEN,
            newcomer(NewcomerWish::Play),
            [newcomer(NewcomerWish::Play), paused(BB, 0), paused(PLAIN, 0), leaving],
        ),
        // Where coming in has a price, a pause does not get round it.
        (
            PRICED,
            newcomer(NewcomerWish::Play),
            [
                newcomer(NewcomerWish::Play),
                newcomer(NewcomerWish::WaitForBigBlind),
                newcomer(NewcomerWish::Pause),
                leaving,
            ],
        ),
        (
            PRICED,
            newcomer(NewcomerWish::Pause),
            [
                newcomer(NewcomerWish::Play),
                newcomer(NewcomerWish::WaitForBigBlind),
                newcomer(NewcomerWish::Pause),
                leaving,
            ],
        ),
    ];
    for (context, state, become_) in table {
        for (intent, &expected) in Intent::ALL.into_iter().zip(become_) {
            assert_eq!(state.ask(intent, *context), Ok(expected), "{state:?} {intent:?} {context:?}");
        }
    }
    for intent in &Intent::ALL[..3] {
        assert_eq!(SeatState::Leaving.ask(*intent, BETWEEN), Err(IntentRefused::Leaving));
        assert_eq!(SeatState::Empty.ask(*intent, BETWEEN), Err(IntentRefused::Empty));
    }
    assert_eq!(SeatState::Empty.ask(Intent::Leave, BETWEEN), Err(IntentRefused::Empty));
    assert_eq!(SeatState::Broke.ask(Intent::Play, BETWEEN), Err(IntentRefused::Broke));
    assert_eq!(SeatState::Broke.ask(Intent::Pause, BETWEEN), Ok(SeatState::Broke));
    assert_eq!(SeatState::Broke.ask(Intent::Leave, BETWEEN), Ok(SeatState::Leaving));
}

/// What was asked for while finishing a hand holds when it is over; without chips the seat is kept or given up.
/// Cites 004/R4, 004/R13.
#[test]
fn a_hand_over_settles_what_was_asked_for() {
    for (state, stack, rebuys, after) in [
        (SeatState::PLAYING, 10, true, SeatState::PLAYING),
        (then(Then::Pause(BB)), 10, true, paused(BB, 0)),
        (then(Then::Pause(PLAIN)), 10, true, paused(PLAIN, 0)),
        (then(Then::Leave), 10, true, SeatState::Leaving),
        (SeatState::PLAYING, 0, true, SeatState::Broke),
        (SeatState::PLAYING, 0, false, SeatState::Leaving),
        (paused(BB, 0), 0, true, SeatState::Broke),
        (then(Then::Leave), 0, true, SeatState::Leaving),
        (SeatState::Empty, 0, true, SeatState::Empty),
    ] {
        assert_eq!(state.after_hand(stack, rebuys), after, "{state:?}");
    }
}
