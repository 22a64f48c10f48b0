//! Live tables played at random, beside a slow model of blinds, debts and positions that knows nothing of the code.

use std::collections::BTreeMap;

use parlor_poker::notation::seed;
use parlor_poker::replay::Replay;
use parlor_poker::table::{
    Answer, ButtonRule, Event, MissedBlinds, Newcomers, Order, Posting, PreAction, Settings, Table,
    TimeoutAction, Timer,
};
use parlor_poker::{Interpretation, Phase, Variant};

use crate::data;
use crate::random::Random;

/// What the model knows of a seat: the document's three numbers and who is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Model {
    inactive: bool,
    intent: u8,
    debt: i64,
    new: bool,
}

/// The seats clockwise after `from` up to `to`.
fn between(from: usize, to: usize, count: usize) -> Vec<usize> {
    let mut seats = Vec::new();
    let mut at = from;
    while at != to {
        at = (at + 1) % count;
        seats.push(at);
    }
    seats
}

fn settings(random: &mut Random) -> Settings {
    let mut settings = if random.one_in(2) { Settings::document() } else { Settings::standard() };
    let variant = Variant::ALL[random.below(Variant::ALL.len())];
    settings.variants = vec![variant];
    if random.one_in(3) {
        settings.variants.push(Variant::ALL[random.below(Variant::ALL.len())]);
    }
    settings.seat_count = 2 + random.below(5);
    (settings.small_blind, settings.big_blind) = [(1, 2), (5, 10), (2, 5), (50, 100)][random.below(4)];
    let big = settings.big_blind;
    (settings.buy_in_min, settings.buy_in_max) = (big * 5, big * 100);
    if settings.variants.iter().any(|variant| variant.is_stud()) {
        (settings.ante, settings.bring_in) = (1, 1);
    } else if random.one_in(4) {
        settings.ante = 1;
        settings.big_blind_ante = random.one_in(2);
    }
    settings.button = [ButtonRule::Dead, ButtonRule::Moving][random.below(2)];
    settings.newcomers =
        [Newcomers::Free, Newcomers::PostBigBlind, Newcomers::WaitForBigBlind][random.below(3)];
    settings.missed_blinds = [MissedBlinds::Dead, MissedBlinds::Live][random.below(2)];
    settings.timeout_action = [TimeoutAction::Check, TimeoutAction::Fold][random.below(2)];
    settings.straddle = random.one_in(3);
    settings.run_it_twice = random.one_in(3);
    if random.one_in(4) {
        (settings.bomb_pot_every, settings.bomb_pot_ante) = (5, big);
    }
    if random.one_in(2) {
        (settings.rake_basis_points, settings.rake_cap) = (500, big);
    }
    settings
}

/// A table, what it told, and the money that went over its edge.
pub(crate) struct Game {
    pub(crate) table: Table,
    random: Random,
    events: Vec<Event>,
    /// Buy-ins less cash-outs and rake.
    booked: i64,
    next_account: u64,
    /// Seat and account of the last big blind, and the number of its hand.
    last_big: Option<(usize, u64)>,
    accounts: BTreeMap<usize, u64>,
    hands: usize,
}

impl Game {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let table = Table::start(settings(&mut random)).unwrap_or_else(|error| panic!("{error}"));
        Self {
            table,
            random,
            events: Vec::new(),
            booked: 0,
            next_account: 1,
            last_big: None,
            accounts: BTreeMap::new(),
            hands: 0,
        }
    }

    fn count(&self) -> usize {
        self.table.settings().seat_count
    }

    fn apply(&mut self, mv: parlor_poker::table::TableMove) {
        let mut told = Vec::new();
        self.table.apply(mv, &mut self.random, &mut |event| told.push(event));
        for event in &told {
            if let Event::Posted(posting) = event {
                self.booked += match posting {
                    Posting::BuyIn { chips, .. } => *chips,
                    Posting::CashOut { chips, .. } | Posting::Rake { chips } => -chips,
                };
            }
        }
        self.events.extend(told);
        assert_eq!(self.table.escrow(), self.booked, "chips are conserved to the unit");
    }

    fn order(&mut self, order: Order) -> bool {
        match self.table.check_order(order) {
            Ok(mv) => {
                self.apply(mv);
                true
            }
            Err(_) => false,
        }
    }

    fn answer(&mut self, seat: usize, answer: &Answer) -> bool {
        match self.table.check(seat, answer) {
            Ok(mv) => {
                self.apply(mv);
                true
            }
            Err(_) => false,
        }
    }

    fn sit(&mut self, seat: usize) {
        let big = self.table.settings().big_blind;
        let chips = big * (5 + self.random.below(60) as i64);
        let account = self.next_account;
        if self.order(Order::Sit { seat, player: account, chips, owned: chips }) {
            self.accounts.insert(seat, account);
            self.next_account += 1;
        }
    }

    /// Something beside the cards: people come, go, pause, return, top up, lose their connection.
    fn disturb(&mut self) {
        let seat = self.random.below(self.count());
        match self.random.below(14) {
            0..=3 => self.sit(seat),
            4..=8 => {
                let intent = [0, 0, 0, 1, 1, 2, 2, 3][self.random.below(8)];
                self.answer(seat, &Answer::Intent { intent });
            }
            9 => {
                let chips = self.table.legal(seat).top_up;
                self.answer(seat, &Answer::TopUp { chips });
            }
            10 => {
                self.order(Order::Away { seat });
            }
            11 => {
                self.order(Order::Back { seat });
            }
            12 => {
                let on = self.random.one_in(2);
                self.answer(seat, &Answer::Straddle { on });
                self.answer(seat, &Answer::RunTwice { on });
                self.answer(seat, &Answer::AutoMuck { on });
                let action = [PreAction::CheckFold, PreAction::Check, PreAction::Call][self.random.below(3)];
                self.answer(seat, &Answer::Prepare { action: Some(action) });
            }
            _ => {
                let timers = self.table.timers();
                if let Some((timer, _)) = timers.get(self.random.below(timers.len().max(1)))
                    && !matches!(timer, Timer::NextHand)
                {
                    self.order(Order::Elapsed(*timer));
                }
            }
        }
    }

    /// One decision of the player whose turn it is.
    pub(crate) fn act(&mut self) {
        let Some(seat) = self.table.turn() else { panic!("a hand runs and nobody is asked") };
        if self.random.one_in(25) {
            assert!(self.order(Order::Elapsed(Timer::Turn)));
            return;
        }
        let options = self.table.legal(seat);
        let answer = if let Some(choices) = options.bet {
            match (self.random.below(8), choices.raise) {
                (0..=1, Some((least, _))) => Answer::Raise { to: least },
                (2, Some((_, most))) => Answer::Raise { to: most },
                (3, _) if choices.fold => Answer::Fold,
                _ if choices.bring_in.is_some() => Answer::BringIn,
                _ => Answer::Call,
            }
        } else if options.draw {
            Answer::Draw { cards: String::new() }
        } else {
            match options.reveal {
                Some(true) if self.random.one_in(2) => Answer::Muck,
                _ => Answer::Show { cards: String::new() },
            }
        };
        assert!(self.answer(seat, &answer), "{answer:?} at {options:?}");
    }

    fn model(&self) -> Vec<Option<Model>> {
        let view = self.table.view(None);
        let one = |(seat, view): (usize, &Option<parlor_poker::table::SeatView>)| {
            view.as_ref().map(|view| Model {
                inactive: view.inactive,
                intent: view.intent,
                debt: view.dead_blinds,
                new: matches!(self.table.state(seat), parlor_poker::table::SeatState::Newcomer(_)),
            })
        };
        view.seats.iter().enumerate().map(one).collect()
    }

    /// Begins a hand and compares blinds and debts with the model. Cites 004-7, 004-8, 004-16, 004-17, 004/R3, 004/R7.
    fn begin(&mut self) -> bool {
        let before = self.model();
        let stacks: Vec<i64> = (0..self.count()).map(|seat| self.table.stack(seat)).collect();
        let last = self.table.positions();
        let number = self.table.number();
        self.events.clear();
        assert!(self.order(Order::Elapsed(Timer::NextHand)));
        if self.table.number() == number {
            return false;
        }
        self.hands += 1;
        self.compare(&before, &stacks, last);
        true
    }

    fn compare(
        &mut self,
        before: &[Option<Model>],
        stacks: &[i64],
        last: Option<parlor_poker::table::Positions>,
    ) {
        let table = &self.table;
        let count = self.count();
        let hand = table.hand().unwrap();
        let now = table.positions().unwrap();
        let is_in = |seat: usize| table.place(seat).is_some();
        let has_blinds = hand.setup().bring_in == 0 && !hand.setup().bomb_pot;
        let big = table.settings().big_blind;
        if !has_blinds {
            assert!(last.is_none_or(|last| last == now), "nothing moves without blinds");
        } else {
            // The big blind is the first seat clockwise that plays now.
            assert!(is_in(now.big));
            assert_eq!(hand.setup().blinds[table.place(now.big).unwrap()], big);
            if let Some(last) = last {
                for seat in between(last.big, now.big, count) {
                    assert!(seat == now.big || !is_in(seat), "the big blind passed a seat that plays");
                    let waits = before[seat].is_some_and(|m| m.inactive && m.intent == 1 && stacks[seat] > 0);
                    assert!(seat == now.big || !waits, "the big blind passed a seat that waits for it");
                }
                let account = self.accounts[&now.big];
                assert_ne!(self.last_big, Some((now.big, account)), "the big blind twice running");
            }
            self.last_big = Some((now.big, self.accounts[&now.big]));
        }
        // Nobody who plays owes (R3), and who sat out owes exactly what went by.
        let after = self.model();
        for seat in 0..count {
            let (Some(old), Some(new)) = (before[seat], after[seat]) else { continue };
            if is_in(seat) {
                // A hand in which all are all-in by their blinds is over at once.
                if table.is_running() {
                    assert_eq!((new.inactive, new.intent, new.debt), (false, 0, 0));
                }
                continue;
            }
            let mut debt = old.debt;
            if let (true, Some(last)) = (has_blinds && old.inactive && !old.new, last)
                && (old.intent == 1 || old.intent == 2)
                && stacks[seat] > 0
            {
                if between(last.big, now.big, count).contains(&seat) {
                    debt += big;
                }
                if between(last.small, now.small, count).contains(&seat) {
                    debt += big / 2;
                }
                debt = debt.min(big * 3 / 2);
            }
            if new.intent != 3 {
                assert_eq!(new.debt, debt, "seat {seat}: {old:?} to {new:?}, {last:?} to {now:?}");
            }
        }
        self.compare_entries(before, last.is_some(), has_blinds);
    }

    /// What came in paid what it owed, and nothing where it was forgiven. Cites 004-9, 004/R5, 004/R6, 004/R11.
    fn compare_entries(&self, before: &[Option<Model>], ran: bool, has_blinds: bool) {
        let table = &self.table;
        let (settings, hand) = (table.settings(), table.hand().unwrap());
        let big = settings.big_blind;
        let playing = before.iter().flatten().filter(|m| !m.inactive).count();
        for (seat, old) in before.iter().enumerate() {
            let (Some(old), Some(place)) = (old, table.place(seat)) else { continue };
            let (dead, blind) = (hand.setup().paid_dead[place], hand.setup().blinds[place]);
            let on_big = has_blinds && seat == table.positions().unwrap().big;
            let free = on_big || playing < 2 && (dead, blind.min(0)) == (0, 0);
            if !old.inactive || free {
                assert_eq!((dead, blind.min(0)), (0, 0), "seat {seat} pays nothing extra");
                continue;
            }
            let live = settings.missed_blinds == MissedBlinds::Live && has_blinds && old.debt >= big;
            let posts = old.new && settings.newcomers == Newcomers::PostBigBlind && has_blinds && ran;
            let expected_live = if live || posts { big } else { 0 };
            assert_eq!(blind.min(0), -expected_live, "seat {seat}: {old:?}");
            assert_eq!(dead, if live { old.debt - big } else { old.debt }, "seat {seat}: {old:?}");
        }
    }

    /// The hand as a record replays to the same chips.
    fn replays(&self) {
        let record = self.table.record(|seat| format!("Player{seat}")).unwrap();
        let hand = self.table.hand().unwrap();
        let replay = Replay::start(&record, Interpretation::House)
            .unwrap_or_else(|error| panic!("{error}: {}", seed::write(&record)));
        let columns: Vec<usize> = (0..record.players()).collect();
        let seats: Vec<usize> = columns.iter().map(|&c| replay.seat(c)).collect();
        let again = replay.finish().unwrap_or_else(|error| panic!("{error}: {}", seed::write(&record)));
        assert_eq!(again.phase(), hand.phase());
        let names: Vec<String> = columns.iter().map(|&c| record.name(c)).collect();
        for (column, name) in names.iter().enumerate() {
            let seat: usize = name[6..].parse().unwrap();
            if let Some(place) = self.table.place(seat) {
                assert_eq!(again.stacks()[seats[column]], hand.stacks()[place], "{}", seed::write(&record));
            }
        }
    }

    /// Plays hands with disturbances; the table never stalls while two want to play.
    pub(crate) fn play(&mut self, hands: usize) {
        let mut idle = 0;
        while self.hands < hands && idle < 400 {
            if self.table.is_running() {
                if self.random.one_in(6) {
                    self.disturb();
                } else {
                    self.act();
                }
                if !self.table.is_running() {
                    self.replays();
                }
                continue;
            }
            for _ in 0..self.random.below(3) {
                self.disturb();
            }
            if self.table.is_running() {
                continue;
            }
            let model = self.model();
            let wanting = model
                .iter()
                .enumerate()
                .filter(|(seat, model)| model.is_some_and(|m| m.intent <= 1) && self.table.stack(*seat) > 0);
            let wanting = wanting.count();
            if self.begin() {
                idle = 0;
            } else {
                // Nobody waits for ever (R14): with two who want to play a hand is dealt, unless one just could not pay.
                let broke = self.events.iter().any(|event| matches!(event, Event::Written { .. }));
                assert!(wanting < 2 || broke, "the table stalls: {:?}", self.model());
                idle += 1;
                self.disturb();
            }
        }
    }
}

/// Random live tables of every variant with people who come and go. Cites 004-1, 004-14, 004-19, 004/R2, 004/R4, 004/R12,
/// 004/R14.
#[test]
fn live_tables_conserve_chips_and_keep_the_blinds_right() {
    let total = data::count("PARLOR_SOAK_HANDS", 5_000);
    let (mut hands, mut number) = (0, 0x7ab1e);
    while hands < total {
        let mut game = Game::new(number);
        game.play(40);
        hands += game.hands;
        number += 1;
        // Everybody goes home with what they have.
        game.order(Order::Close);
        for _ in 0..500 {
            if !game.table.is_running() {
                break;
            }
            game.act();
        }
        assert!(!game.table.is_running());
        assert_eq!((game.table.escrow(), game.booked), (0, 0), "the closed table is empty");
        if let Some(hand) = game.table.hand() {
            assert_eq!(hand.phase(), Phase::Over);
        }
    }
    assert!(hands >= total);
}
