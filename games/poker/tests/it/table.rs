//! The live table, one fact at a time: money between hands, time-outs, lost connections, and the extras of a cash game.

use parlor_poker::table::{
    Answer, Event, Intent, Order, PauseKind, Posting, PreAction, SeatState, Settings, Table, TableRefusal,
    Then, TimeoutAction, Timer, WrittenBecause,
};
use parlor_poker::{Card, Legal, Phase, Stacked, Variant};

/// A table that keeps what it told.
struct Room {
    table: Table,
    deck: Stacked,
    told: Vec<Event>,
}

fn cards(text: &str) -> Vec<Card> {
    parlor_poker::parse_row(text).unwrap().into_iter().map(Option::unwrap).collect()
}

impl Room {
    fn new(settings: Settings, stacks: &[i64]) -> Self {
        let mut room =
            Self { table: Table::start(settings).unwrap(), deck: Stacked::new([]), told: Vec::new() };
        for (seat, &chips) in stacks.iter().enumerate().filter(|(_, chips)| **chips > 0) {
            room.order(Order::Sit { seat, player: seat as u64 + 1, chips, owned: chips });
        }
        room
    }

    fn apply(&mut self, mv: parlor_poker::table::TableMove) {
        self.told.clear();
        let told = &mut self.told;
        self.table.apply(mv, &mut self.deck, &mut |event| told.push(event));
    }

    fn order(&mut self, order: Order) {
        let mv = self.table.check_order(order).unwrap_or_else(|error| panic!("{order:?}: {error}"));
        self.apply(mv);
    }

    fn refused(&self, order: Order) -> String {
        self.table.check_order(order).unwrap_err().to_string()
    }

    fn deal(&mut self) {
        self.order(Order::Elapsed(Timer::NextHand));
    }

    fn deal_from(&mut self, deck: &str) {
        self.deck = Stacked::new(cards(deck));
        self.deal();
    }

    fn answer(&mut self, seat: usize, answer: Answer) {
        let mv = self.table.check(seat, &answer).unwrap_or_else(|error| panic!("{seat} {answer:?}: {error}"));
        self.apply(mv);
    }

    fn intent(&mut self, seat: usize, intent: i64) {
        self.answer(seat, Answer::Intent { intent });
    }

    /// Everybody folds until the hand is over.
    fn fold_round(&mut self) {
        while let Some(seat) = self.table.turn() {
            self.answer(seat, Answer::Fold);
        }
    }

    /// Everybody checks or calls to the end.
    fn call_down(&mut self) {
        while let Some(seat) = self.table.turn() {
            self.answer(seat, Answer::Call);
        }
    }

    fn stacks(&self) -> Vec<i64> {
        (0..self.table.settings().seat_count).map(|seat| self.table.stack(seat)).collect()
    }

    fn written(&self) -> Vec<(usize, Intent, WrittenBecause)> {
        let written = self.told.iter().filter_map(|event| match *event {
            Event::Written { seat, intent, because } => Some((seat, intent, because)),
            _ => None,
        });
        written.collect()
    }

    fn rake(&self) -> i64 {
        let rake = |event: &Event| match event {
            Event::Posted(Posting::Rake { chips }) => *chips,
            _ => 0,
        };
        self.told.iter().map(rake).sum()
    }
}

fn document(seats: usize) -> Settings {
    Settings { seat_count: seats, ..Settings::document() }
}

fn standard(seats: usize) -> Settings {
    Settings { seat_count: seats, ..Settings::standard() }
}

/// Case A in the live table: out until the big blind, back there without paying. Cites 004-6, 004-8, 004-16, 004/R4.
#[test]
fn pausing_until_the_big_blind() {
    let mut room = Room::new(document(3), &[50, 100, 75]);
    room.deal();
    // Seat 3 has the button and opens; seat 1 the small blind, seat 2 the big blind.
    assert_eq!(room.table.turn(), Some(2));
    room.intent(0, 1);
    assert_eq!(room.table.state(0), SeatState::Paused { until: PauseKind::UntilBigBlind, debt: 0 });
    assert!(room.table.view(None).seats[0].as_ref().unwrap().inactive);
    // Never out of turn: still in the hand until the action comes.
    assert!(room.table.view(None).seats[0].as_ref().unwrap().in_hand);
    room.answer(2, Answer::Call);
    assert!(room.told.contains(&Event::Folded { seat: 0 }));
    assert_eq!(room.table.turn(), Some(1));
    room.answer(1, Answer::Call);
    room.call_down();
    room.deal();
    assert_eq!(room.table.place(0), None);
    assert_eq!(room.table.state(0).debt(), 0);
    room.fold_round();
    room.deal();
    assert_eq!(room.table.positions().unwrap().big, 0);
    assert_eq!(room.written(), [(0, Intent::Play, WrittenBecause::BackOnBigBlind)]);
    assert_eq!(room.table.state(0), SeatState::PLAYING);
}

/// A pause taken back in the same hand: the hand cannot be finished, the next one is free. Cites 004-18.
#[test]
fn taking_a_pause_back_starts_with_the_next_hand() {
    let mut room = Room::new(document(3), &[50, 100, 75]);
    room.deal();
    room.intent(1, 2);
    room.intent(1, 0);
    assert_eq!(room.table.state(1), SeatState::Returning { debt: 0 });
    room.answer(2, Answer::Call);
    room.answer(0, Answer::Call);
    assert!(room.told.contains(&Event::Folded { seat: 1 }));
    room.call_down();
    let stack = room.table.stack(1);
    room.deal();
    assert_eq!(room.table.state(1), SeatState::PLAYING);
    // The small blind of the next hand, and nothing else.
    assert_eq!(room.table.stack(1), stack - 1);
}

/// All-in there is nothing left to decide: who pauses stays in and can win. Cites 004/R4.
#[test]
fn an_all_in_player_who_pauses_can_win() {
    let mut room = Room::new(document(2), &[40, 100]);
    // Dealt to seat 2 first (left of the button), then seat 1; then the board.
    room.deal_from("2c7dAsAh3c8d9hJsKc");
    room.answer(0, Answer::Raise { to: 40 });
    room.intent(0, 3);
    assert!(room.table.is_running());
    room.answer(1, Answer::Call);
    assert_eq!(room.table.stack(0), 80);
    // The next hand removes them with what they won, and what they owed is forgotten.
    room.deal();
    assert!(room.told.contains(&Event::Posted(Posting::CashOut { seat: 0, chips: 80 })));
    assert_eq!(room.table.state(0), SeatState::Empty);
}

/// Leaving in mid-hand folds in turn, keeps the bets in the pot and removes the seat at the next hand. Cites 004-10,
/// 004-22.
#[test]
fn leaving_takes_one_out_of_the_hand() {
    let mut room = Room::new(document(3), &[50, 100, 75]);
    room.deal();
    room.intent(0, 3);
    assert_eq!(
        room.table.check(0, &Answer::Intent { intent: 0 }),
        Err(TableRefusal::Intent(parlor_poker::table::IntentRefused::Leaving))
    );
    room.answer(2, Answer::Raise { to: 6 });
    assert!(room.told.contains(&Event::Folded { seat: 0 }));
    room.answer(1, Answer::Fold);
    assert_eq!(room.stacks(), [49, 98, 78]);
    assert_eq!(room.table.state(0), SeatState::Leaving);
    room.deal();
    assert_eq!(room.table.state(0), SeatState::Empty);
    assert!(room.told.contains(&Event::Posted(Posting::CashOut { seat: 0, chips: 49 })));
}

/// Where players finish their hand first, a pause holds afterwards. Cites 004/R4.
#[test]
fn a_hand_is_finished_before_the_pause() {
    let mut room = Room::new(standard(3), &[50, 100, 75]);
    room.deal();
    room.intent(2, 2);
    assert_eq!(room.table.state(2), SeatState::Playing { then: Some(Then::Pause(PauseKind::Plain)) });
    room.answer(2, Answer::Call);
    room.fold_round();
    assert_eq!(room.table.state(2), SeatState::Paused { until: PauseKind::Plain, debt: 0 });
}

/// Time is up: check if it is free, else fold, or fold by the document's word; after two in a row one sits out.
/// Cites 004/R8, 004/R12.
#[test]
fn who_does_nothing_checks_or_folds_and_then_sits_out() {
    for (timeout_action, folds) in [(TimeoutAction::Check, false), (TimeoutAction::Fold, true)] {
        let mut room = Room::new(Settings { timeout_action, ..document(3) }, &[50, 100, 75]);
        room.deal();
        room.answer(2, Answer::Call);
        room.answer(0, Answer::Call);
        room.order(Order::Elapsed(Timer::Turn));
        assert_eq!(room.told.contains(&Event::Folded { seat: 1 }), folds);
    }
    let mut room = Room::new(document(2), &[50, 100]);
    room.deal();
    room.order(Order::Elapsed(Timer::Turn));
    assert!(room.told.contains(&Event::Folded { seat: 0 }));
    assert_eq!(room.written(), []);
    room.deal();
    room.answer(1, Answer::Call);
    room.order(Order::Elapsed(Timer::Turn));
    assert_eq!(room.written(), [(0, Intent::Pause, WrittenBecause::TimedOut)]);
    assert_eq!(room.table.state(0), SeatState::Paused { until: PauseKind::Plain, debt: 0 });
    // An own action in between starts the count anew.
    let mut room = Room::new(document(2), &[50, 100]);
    room.deal();
    room.order(Order::Elapsed(Timer::Turn));
    room.deal();
    room.answer(1, Answer::Call);
    room.answer(0, Answer::Call);
    room.order(Order::Elapsed(Timer::Turn));
    assert_eq!(room.written(), []);
}

/// A lost connection: at once by the document, after its grace elsewhere; back before the next deal undoes it.
/// Cites 004/R12.
#[test]
fn a_lost_connection_sits_out_after_its_grace() {
    let mut room = Room::new(document(3), &[50, 100, 75]);
    room.deal();
    room.order(Order::Away { seat: 0 });
    assert_eq!(room.written(), [(0, Intent::Pause, WrittenBecause::ConnectionLost)]);
    room.order(Order::Back { seat: 0 });
    assert_eq!(room.written(), [(0, Intent::Play, WrittenBecause::ConnectionBack)]);
    room.fold_round();
    room.deal();
    assert_eq!(room.table.state(0), SeatState::PLAYING);

    let mut room = Room::new(standard(3), &[50, 100, 75]);
    room.deal();
    room.order(Order::Away { seat: 0 });
    assert_eq!(room.written(), []);
    assert!(room.table.timers().contains(&(Timer::Away(0), 60_000)));
    room.order(Order::Back { seat: 0 });
    assert_eq!(room.refused(Order::Elapsed(Timer::Away(0))), "this clock does not run");
    room.order(Order::Away { seat: 0 });
    room.order(Order::Elapsed(Timer::Away(0)));
    assert_eq!(room.written(), [(0, Intent::Pause, WrittenBecause::ConnectionLost)]);
    room.fold_round();
    room.deal();
    // A hand was dealt without them: now they have to come back themselves.
    room.order(Order::Back { seat: 0 });
    assert!(matches!(room.table.state(0), SeatState::Paused { .. }));
}

/// Without chips the seat is kept for a rebuy or given up at once; a rebuy is a whole buy-in. Cites 004/R13, 004/R12.
#[test]
fn without_chips_one_buys_in_again_or_goes() {
    let lose = |settings: Settings| {
        let mut room = Room::new(settings, &[40, 100]);
        room.deal_from("AsAh2c7d3c8d9hJsKc");
        room.answer(0, Answer::Raise { to: 40 });
        room.answer(1, Answer::Call);
        assert_eq!(room.table.stack(1), 140);
        room
    };
    let room = lose(document(2));
    assert_eq!(room.table.state(0), SeatState::Leaving);
    let mut room = lose(standard(2));
    assert_eq!(room.written(), [(0, Intent::Pause, WrittenBecause::OutOfChips)]);
    assert_eq!(room.table.state(0), SeatState::Broke);
    assert!(room.table.timers().contains(&(Timer::Rebuy(0), 60_000)));
    let too_few = room.table.check(0, &Answer::TopUp { chips: 39 }).unwrap_err();
    assert_eq!(too_few.to_string(), "expected chips from 40 to 400, got 39");
    let mut other = lose(standard(2));
    other.order(Order::Elapsed(Timer::Rebuy(0)));
    assert_eq!(other.written(), [(0, Intent::Leave, WrittenBecause::NoRebuy)]);
    assert_eq!(other.table.state(0), SeatState::Empty);
    room.answer(0, Answer::TopUp { chips: 40 });
    assert_eq!(room.table.state(0), SeatState::Returning { debt: 0 });
    room.deal();
    assert!(room.table.is_running());
}

/// Chips are added between hands only, and never above the most. Live-table list: top-up.
#[test]
fn a_top_up_waits_for_the_end_of_the_hand() {
    let mut room = Room::new(document(2), &[50, 100]);
    room.deal();
    assert_eq!(
        room.table.check(0, &Answer::TopUp { chips: 352 }).unwrap_err().to_string(),
        "expected at most 351 chips to add, got 352"
    );
    room.answer(0, Answer::TopUp { chips: 351 });
    assert_eq!(room.table.stack(0), 49);
    room.answer(0, Answer::Fold);
    assert_eq!(room.table.stack(0), 49);
    room.deal();
    assert!(room.told.contains(&Event::ToppedUp { seat: 0, chips: 351 }));
    assert_eq!(room.table.stack(0) + 2, 400);
}

/// Who comes back within the window brings at least what they left with. Live-table list: rathole.
#[test]
fn who_comes_back_soon_brings_what_they_left_with() {
    let mut room = Room::new(standard(3), &[50, 300, 75]);
    room.intent(1, 3);
    assert!(room.told.contains(&Event::Posted(Posting::CashOut { seat: 1, chips: 300 })));
    let again = |chips| Order::Sit { seat: 1, player: 2, chips, owned: 1_000 };
    assert_eq!(room.refused(again(40)), "expected chips from 300 to 400, got 40");
    assert!(room.table.check_order(again(300)).is_ok());
    assert!(room.table.timers().contains(&(Timer::Rathole(2), 3_600_000)));
    room.order(Order::Elapsed(Timer::Rathole(2)));
    room.order(again(40));
    let mut document = Room::new(document(3), &[50, 300, 75]);
    document.intent(1, 3);
    assert!(document.table.check_order(again(40)).is_ok());
}

/// A pause that lasts too long ends the stay, where the table says so. Cites 004-23, 004/R12.
#[test]
fn a_pause_has_its_longest_time() {
    let mut room = Room::new(standard(3), &[50, 300, 75]);
    room.deal();
    room.fold_round();
    room.intent(1, 2);
    assert!(room.table.timers().contains(&(Timer::Pause(1), 1_200_000)));
    room.order(Order::Elapsed(Timer::Pause(1)));
    assert_eq!(room.written(), [(1, Intent::Leave, WrittenBecause::PausedTooLong)]);
    assert_eq!(room.table.state(1), SeatState::Empty);
    let mut room = Room::new(document(3), &[50, 300, 75]);
    room.deal();
    room.fold_round();
    room.intent(1, 2);
    assert_eq!(room.refused(Order::Elapsed(Timer::Pause(1))), "this clock does not run");
}

/// A newcomer's stack is lowered to what they own, and they wait for the next hand. Cites 004-12, 004-13, 004-14.
#[test]
fn a_newcomer_is_dealt_in_with_the_next_hand() {
    let settings = Settings {
        decimals: 2,
        small_blind: 100,
        big_blind: 200,
        buy_in_min: 5_000,
        buy_in_max: 40_000,
        ..document(3)
    };
    let mut room = Room::new(settings, &[5_000, 10_000]);
    room.deal();
    room.order(Order::Sit { seat: 2, player: 9, chips: 10_000, owned: 7_525 });
    assert!(room.told.contains(&Event::Posted(Posting::BuyIn { seat: 2, chips: 7_525 })));
    let seat = room.table.view(None).seats[2].clone().unwrap();
    assert_eq!((seat.inactive, seat.intent, seat.stack, seat.in_hand), (true, 0, 7_525, false));
    assert_eq!(
        room.refused(Order::Sit { seat: 2, player: 10, chips: 5_000, owned: 5_000 }),
        "seat 3 is taken"
    );
    assert_eq!(
        room.refused(Order::Sit { seat: 3, player: 10, chips: 5_000, owned: 5_000 }),
        "seat 4: expected a seat from 1 to 3"
    );
    let record = room.table.record(|seat| format!("Player{}", seat + 1)).unwrap();
    let json = parlor_poker::notation::seed::write(&record);
    assert!(json.contains(r#""startingStacks":[50,100,75.25]"#), "{json}");
    assert!(json.contains(r#""_inactive":[0,0,1],"_intents":[0,0,0]"#), "{json}");
    room.fold_round();
    room.deal();
    let seat = room.table.view(None).seats[2].clone().unwrap();
    assert_eq!((seat.inactive, seat.intent, seat.bet, seat.in_hand), (false, 0, 200, true));
}

/// The player left of the big blind may straddle; they act last before the flop. Live-table list: straddle.
#[test]
fn a_straddle_is_a_third_blind() {
    let mut room = Room::new(Settings { straddle: true, ..document(4) }, &[100; 4]);
    room.answer(2, Answer::Straddle { on: true });
    room.deal();
    assert_eq!(room.table.positions().unwrap().big, 1);
    assert!(room.told.contains(&Event::Blind { seat: 2, chips: 4 }));
    assert_eq!(room.table.turn(), Some(3));
    for seat in [3, 0, 1] {
        room.answer(seat, Answer::Call);
    }
    assert_eq!(room.table.legal(2).bet.unwrap().call, Some(0));
    let room = Room::new(document(4), &[100; 4]);
    let refused = room.table.check(2, &Answer::Straddle { on: true }).unwrap_err();
    assert_eq!(refused.to_string(), "this table has no straddles");
}

/// Every so many hands all ante and the betting begins on the flop; the blinds stay where they are. Live-table list: bomb
/// pot.
#[test]
fn a_bomb_pot_begins_on_the_flop() {
    let settings = Settings { bomb_pot_every: 2, bomb_pot_ante: 5, ..document(3) };
    let mut room = Room::new(settings, &[100; 3]);
    room.deal();
    let positions = room.table.positions();
    room.fold_round();
    room.deal();
    let hand = room.table.hand().unwrap();
    assert_eq!((hand.pot_total(), hand.board(0).len(), hand.bets()), (15, 3, &[0, 0, 0][..]));
    assert_eq!(room.table.positions(), positions);
    room.fold_round();
    room.deal();
    assert_eq!(room.table.positions().unwrap().big, (positions.unwrap().big + 1) % 3);
}

/// When all are all-in and all agree, the rest of the board is dealt twice and each board decides half. Live-table list:
/// run it twice.
#[test]
fn the_rest_of_the_board_is_dealt_twice_when_all_agree() {
    for (agree, stacks) in [(true, [100, 100]), (false, [0, 200])] {
        let mut room = Room::new(Settings { run_it_twice: true, ..standard(2) }, &[100, 100]);
        room.answer(0, Answer::RunTwice { on: agree });
        room.answer(1, Answer::RunTwice { on: true });
        // Seat 2 has aces; on the second board seat 1 makes kings full.
        room.deal_from("AsAhKsKh2c3d4h5s7cKcKd8h9sTd");
        room.answer(0, Answer::Raise { to: 100 });
        room.answer(1, Answer::Call);
        assert_eq!(room.stacks(), stacks);
        let boards = room.table.view(None).boards;
        assert_eq!(boards.len(), if agree { 2 } else { 1 });
        let json = parlor_poker::notation::seed::write(&room.table.record(|seat| seat.to_string()).unwrap());
        assert_eq!(json.contains(r#""_boards":["2c3d4h5s7c","KcKd8h9sTd"]"#), agree, "{json}");
    }
}

/// Mixed games change after an orbit: as many hands as players when the game began. Live-table list: mixed games.
#[test]
fn mixed_games_change_after_an_orbit() {
    let settings = Settings {
        variants: vec![Variant::NoLimitHoldem, Variant::Razz, Variant::PotLimitOmaha],
        ante: 1,
        bring_in: 1,
        ..document(3)
    };
    let mut room = Room::new(settings, &[100; 3]);
    let mut games = Vec::new();
    for _ in 0..9 {
        room.deal();
        games.push(room.table.variant().code());
        while let Some(seat) = room.table.turn() {
            let brings = room.table.legal(seat).bet.unwrap().bring_in.is_some();
            room.answer(seat, if brings { Answer::BringIn } else { Answer::Fold });
        }
    }
    assert_eq!(games, ["NT", "NT", "NT", "FR", "FR", "FR", "PO", "PO", "PO"]);
}

/// Rake is a share with a cap, and nothing without a flop. Live-table list: rake cap, no flop no drop.
#[test]
fn rake_has_a_cap_and_needs_a_flop() {
    let settings = Settings { rake_basis_points: 1_000, rake_cap: 3, ..document(2) };
    let mut room = Room::new(settings, &[100, 100]);
    room.deal();
    room.answer(0, Answer::Raise { to: 20 });
    room.answer(1, Answer::Raise { to: 50 });
    room.answer(0, Answer::Fold);
    assert_eq!((room.rake(), room.table.escrow()), (0, 200));
    room.deal();
    room.answer(1, Answer::Raise { to: 10 });
    room.answer(0, Answer::Call);
    room.call_down();
    assert_eq!((room.rake(), room.table.escrow()), (2, 198));
    room.deal();
    room.answer(0, Answer::Raise { to: 60 });
    room.answer(1, Answer::Call);
    room.call_down();
    assert_eq!((room.rake(), room.table.escrow()), (3, 195));
}

/// A prepared call or check is dropped when its price changes; check-or-fold holds. Live-table list: pre-actions.
#[test]
fn a_prepared_action_is_dropped_by_a_raise() {
    let mut room = Room::new(document(3), &[100; 3]);
    room.deal();
    room.answer(1, Answer::Prepare { action: Some(PreAction::Check) });
    room.answer(0, Answer::Prepare { action: Some(PreAction::Call) });
    assert_eq!(room.table.view(Some(0)).own.unwrap().prepared, Some(PreAction::Call));
    assert_eq!(room.table.view(Some(1)).own.unwrap().prepared, Some(PreAction::Check));
    room.answer(2, Answer::Raise { to: 6 });
    let dropped = room.told.iter().filter(|event| matches!(event, Event::PreActionDropped { .. }));
    assert_eq!(dropped.count(), 2);
    assert_eq!(room.table.turn(), Some(0));
    room.answer(1, Answer::Prepare { action: Some(PreAction::CheckFold) });
    room.answer(0, Answer::Call);
    assert!(room.told.contains(&Event::Folded { seat: 1 }));
    // Unchanged, a prepared call is made.
    let mut room = Room::new(document(3), &[100; 3]);
    room.deal();
    room.answer(0, Answer::Prepare { action: Some(PreAction::Call) });
    room.answer(2, Answer::Call);
    assert!(room.told.contains(&Event::Called { seat: 0, chips: 1 }));
}

/// Every ten hands time is added to the bank, where there is one. Live-table list: time bank.
#[test]
fn the_time_bank_grows_every_ten_hands() {
    let mut room = Room::new(standard(2), &[100; 2]);
    for hand in 1..=20 {
        room.deal();
        room.fold_round();
        let added = room.told.contains(&Event::TimeAdded { seat: 0, ms: 5_000 });
        assert_eq!(added, hand % 10 == 0, "hand {hand}");
    }
}

/// A table that closes plays its hand to the end and pays everybody out. Live-table list: table break.
#[test]
fn a_table_that_closes_finishes_its_hand() {
    let mut room = Room::new(document(3), &[50, 100, 75]);
    room.deal();
    room.order(Order::Close);
    assert!(room.table.is_running());
    room.answer(2, Answer::Raise { to: 6 });
    room.answer(0, Answer::Fold);
    assert_eq!(room.table.turn(), Some(1));
    room.answer(1, Answer::Fold);
    let out: i64 = room
        .told
        .iter()
        .map(|event| match event {
            Event::Posted(Posting::CashOut { chips, .. }) => *chips,
            _ => 0,
        })
        .sum();
    assert_eq!((out, room.table.escrow()), (225, 0));
    assert_eq!(room.refused(Order::Sit { seat: 0, player: 1, chips: 50, owned: 50 }), "the table is closing");
}

/// At the showdown a losing hand is mucked by itself or its player is asked; an uncontested winner may show. Cites 004/R8.
#[test]
fn hands_are_mucked_or_shown() {
    let mut room = Room::new(document(2), &[100, 100]);
    room.deal_from("AsAh2c7d3c8d9hJsKc");
    room.call_down();
    // The big blind is first to show; the loser behind mucks and nobody sees the cards.
    assert!(room.told.contains(&Event::Mucked { seat: 0 }));
    assert_eq!(room.table.view(Some(1)).seats[0].as_ref().unwrap().cards, "");
    assert_eq!(room.table.view(Some(1)).seats[1].as_ref().unwrap().cards, "AsAh");
    room.deal_from("AsAh2c7d3c8d9hJsKc");
    room.answer(0, Answer::AutoMuck { on: false });
    for _ in 0..8 {
        let seat = room.table.turn().unwrap();
        room.answer(seat, Answer::Call);
    }
    assert_eq!(room.table.legal(0).reveal, Some(true));
    room.answer(0, Answer::Show { cards: String::new() });
    assert_eq!(room.table.hand().unwrap().phase(), Phase::Over);
    room.deal_from("AsAh2c7d");
    room.answer(0, Answer::Fold);
    assert_eq!(room.table.view(None).seats[1].as_ref().unwrap().cards, "????");
    assert!(room.table.check(0, &Answer::Show { cards: String::new() }).is_err());
    room.answer(1, Answer::Show { cards: "As".into() });
    assert_eq!(room.table.view(None).seats[1].as_ref().unwrap().cards, "As??");
}

/// A viewer sees their own cards and those that lie face up; nobody else's, and nobody's who has no seat. Cites 004-15,
/// 004/R10.
#[test]
fn cards_are_seen_by_their_owner_alone() {
    let settings = Settings { variants: vec![Variant::Stud], ante: 1, bring_in: 1, ..document(3) };
    let mut room = Room::new(settings, &[100; 3]);
    room.deal();
    for viewer in [None, Some(0), Some(1), Some(2)] {
        for (seat, seen) in room.table.view(viewer).seats.iter().enumerate() {
            let cards = &seen.as_ref().unwrap().cards;
            let expected = if viewer == Some(seat) { 0 } else { 2 };
            assert_eq!((cards.len(), cards.matches("??").count()), (6, expected), "{viewer:?} {seat}");
        }
    }
    for event in &room.told {
        match event {
            Event::HoleCards { seat, .. } => assert_eq!(event.only_for(), Some(*seat)),
            Event::Dealt { cards, .. } => assert_eq!(cards.known().count(), 1),
            _ => {}
        }
    }
    assert!(matches!(room.table.hand().unwrap().legal(), Legal::Bet(_)));
}

/// The profiles, setting by setting, and messages that name the field. Ruling 15.
#[test]
fn settings_have_profiles_and_name_what_is_wrong() {
    use parlor_poker::table::{ButtonRule, MissedBlinds, Newcomers};
    let read = |json: &str| {
        let serde_json::Value::Object(map) = serde_json::from_str(json).unwrap() else { panic!("no object") };
        Settings::from_json(&map)
    };
    let (a, b) = (read("{}").unwrap(), read(r#"{"profile":"standard"}"#).unwrap());
    assert_eq!([a.finish_hand_before_pause, b.finish_hand_before_pause], [false, true]);
    assert_eq!([a.newcomers, b.newcomers], [Newcomers::Free, Newcomers::PostBigBlind]);
    assert_eq!([a.missed_blinds, b.missed_blinds], [MissedBlinds::Dead, MissedBlinds::Live]);
    assert_eq!([a.button, b.button], [ButtonRule::Dead, ButtonRule::Dead]);
    assert_eq!([a.time_limit_ms, b.time_limit_ms], [20_000, 20_000]);
    assert_eq!([a.time_bank_ms, b.time_bank_ms], [0, 30_000]);
    assert_eq!([b.time_bank_add_ms, b.time_bank_max_ms], [5_000, 60_000]);
    assert_eq!([a.away_grace_ms, b.away_grace_ms], [0, 60_000]);
    assert_eq!([a.timeouts_to_sit_out, b.timeouts_to_sit_out], [2, 2]);
    assert_eq!([a.rebuy_ms, b.rebuy_ms], [0, 60_000]);
    assert_eq!([a.max_pause_ms, b.max_pause_ms], [0, 1_200_000]);
    assert_eq!([a.rathole_ms, b.rathole_ms], [0, 3_600_000]);
    let one =
        read(r#"{"profile":"standard","newcomers":"free","variants":["PO","F7S"],"ante":1,"bringIn":1}"#)
            .unwrap();
    assert_eq!((one.newcomers, one.missed_blinds), (Newcomers::Free, MissedBlinds::Live));
    let wrong = |json: &str| read(json).unwrap_err().to_string();
    assert_eq!(wrong(r#"{"smallBlind":5}"#), "smallBlind: expected at most bigBlind");
    assert_eq!(wrong(r#"{"blind":5}"#), "blind: there is no such setting");
    assert_eq!(wrong(r#"{"profile":"casino"}"#), "profile: expected document or standard");
    assert_eq!(
        wrong(r#"{"seatCount":9,"variants":["F7S"],"buyInMin":500}"#),
        "buyInMax: expected at least buyInMin; seatCount: expected at most 8 in F7S; ante: expected a positive amount in \
         F7S; bringIn: expected a positive amount below the small bet in F7S"
    );
    assert!(wrong(r#"{"variants":["XX"]}"#).starts_with("variants: expected one of FT"));
    assert!(wrong(r#"{"bigBlind":"two"}"#).starts_with("bigBlind: "));
}
