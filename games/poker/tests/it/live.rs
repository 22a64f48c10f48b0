//! Live tables played at random, beside a slow model of blinds, debts and positions that knows nothing of the code.

use std::collections::BTreeMap;

use parlor_poker::notation::seed;
use parlor_poker::replay::Replay;
use parlor_poker::table::{
    Answer, ButtonRule, Event, Intent, MissedBlinds, Newcomers, Order, Positions, Posting, PreAction,
    SeatState, Settings, Table, TimeoutAction, Timer, WrittenBecause,
};
use parlor_poker::{Interpretation, Phase, Variant};

use crate::data::{self, Progress};
use crate::model::{Before, Model, Next, Part};
use crate::random::Random;

/// Most seats a game has cards for.
fn seats_max(variant: Variant) -> usize {
    match variant {
        Variant::SingleDraw | Variant::TripleDraw => 6,
        Variant::Stud | Variant::StudHiLo | Variant::Razz | Variant::Badugi => 8,
        _ => 10,
    }
}

fn settings(random: &mut Random) -> Settings {
    let mut settings = if random.one_in(2) { Settings::document() } else { Settings::standard() };
    let variant = Variant::ALL[random.below(Variant::ALL.len())];
    settings.variants = vec![variant];
    while random.one_in(3) {
        settings.variants.push(Variant::ALL[random.below(Variant::ALL.len())]);
    }
    let most = settings.variants.iter().map(|&variant| seats_max(variant)).min().unwrap();
    settings.seat_count = if random.one_in(4) { 2 + random.below(most - 1) } else { 2 + random.below(5) };
    (settings.small_blind, settings.big_blind) = [(1, 2), (5, 10), (2, 5), (50, 100)][random.below(4)];
    let big = settings.big_blind;
    (settings.buy_in_min, settings.buy_in_max) = (big * 2, big * 100);
    if settings.variants.iter().any(|variant| variant.is_stud()) {
        (settings.ante, settings.bring_in) = (1, 1);
    } else if random.one_in(4) {
        settings.ante = 1;
        settings.big_blind_ante = random.one_in(2);
    }
    if random.one_in(3) {
        settings.button_blind = big;
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
    if random.one_in(4) {
        settings.rake_caps = vec![big, big * 2];
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
    /// The model's own count of the mixed game: which one, and for how many more hands.
    game: usize,
    orbit_left: usize,
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
            game: 0,
            orbit_left: 0,
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
        // Some bring so little that they cannot pay what they will owe.
        let most = if self.random.one_in(4) { 1 } else { 60 };
        let chips = big * (2 + self.random.below(most) as i64);
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
        assert!(self.table.state(seat).is_playing(), "seat {seat} sits out and is asked");
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

    /// The table as the model is shown it: those who leave are gone, and chips that were paid are added.
    fn model(&self) -> Model<'_> {
        let settings = self.table.settings();
        let changes = self.orbit_left == 0 && self.table.number() > 0;
        let variant = settings.variants[(self.game + usize::from(changes)) % settings.variants.len()];
        let every = u64::from(settings.bomb_pot_every);
        let nth = every > 0 && (self.table.number() + 1).is_multiple_of(every);
        let seat = |seat: usize| {
            let (state, stack) = (self.table.state(seat), self.table.stack(seat));
            let added = self.table.to_add(seat).min((settings.buy_in_max - stack).max(0));
            match state {
                SeatState::Leaving => Before { state: SeatState::Empty, stack: 0 },
                SeatState::Broke if added > 0 => {
                    Before { state: SeatState::Returning { debt: 0 }, stack: added }
                }
                state => Before { state, stack: stack + added },
            }
        };
        Model {
            settings,
            variant,
            bomb_pot: nth && variant.has_board(),
            last: self.table.positions(),
            seats: (0..self.count()).map(seat).collect(),
        }
    }

    /// Begins a hand and compares everything about it with the model. Cites 004-7, 004-8, 004-9, 004-16, 004-17, 004/R3,
    /// 004/R5, 004/R6, 004/R7, 004/R11, 004/R14.
    fn begin(&mut self) -> bool {
        let mut model = self.model();
        let (variant, bomb_pot, last) = (model.variant, model.bomb_pot, model.last);
        let expected = model.next();
        let number = self.table.number();
        let before: Vec<SeatState> = (0..self.count()).map(|seat| self.table.state(seat)).collect();
        self.events.clear();
        assert!(self.order(Order::Elapsed(Timer::NextHand)));
        self.are_gone_or_back(&before, self.table.number() != number);
        assert_eq!(self.table.number() != number, expected.is_some(), "a hand is dealt or not");
        let Some(expected) = expected else { return false };
        self.hands += 1;
        assert_eq!((self.table.variant(), self.table.hand().unwrap().setup().bomb_pot), (variant, bomb_pot));
        if self.orbit_left == 0 {
            self.game = self.table.settings().variants.len().min(self.game + usize::from(number > 0))
                % self.table.settings().variants.len();
            self.orbit_left = self.table.hand().unwrap().players();
        }
        let now = self.table.positions();
        match expected.positions {
            Some(positions) => assert_eq!(now, Some(positions), "after {last:?}"),
            None => assert!(last.is_none() || now == last, "nothing moves without blinds"),
        }
        if let Some(big) = expected.positions.map(|positions| positions.big) {
            let account = self.accounts[&big];
            assert_ne!(self.last_big, Some((big, account)), "the big blind twice running");
            self.last_big = Some((big, account));
        }
        self.compare(&expected);
        if !self.table.is_running() {
            self.orbit_left -= 1;
        }
        true
    }

    /// Who was leaving has gone, and who waited for the big blind and is dealt in has been told so.
    fn are_gone_or_back(&self, before: &[SeatState], dealt: bool) {
        for (seat, state) in before.iter().enumerate() {
            if *state == SeatState::Leaving {
                assert_eq!(self.table.state(seat), SeatState::Empty, "seat {seat} is given up");
            }
            let waits = state.flags().is_some_and(|flags| flags.intent == Intent::WaitForBigBlind);
            if dealt && waits && !state.is_playing() && self.table.place(seat).is_some() {
                let because = WrittenBecause::BackOnBigBlind;
                let written = Event::Written { seat, intent: Intent::Play, because };
                assert!(self.events.contains(&written), "seat {seat} is back");
            }
        }
    }

    fn compare(&self, expected: &Next) {
        let (table, hand) = (&self.table, self.table.hand().unwrap());
        for (seat, part) in expected.parts.iter().enumerate() {
            match (*part, table.place(seat)) {
                (Part::Plays { dead, live }, Some(place)) => {
                    assert_eq!(hand.setup().paid_dead[place], dead, "seat {seat} pays dead");
                    let blind = self.blind(seat, live, expected.positions);
                    let posted = hand.setup().blinds[place];
                    let straddles = table.settings().straddle && posted == table.settings().big_blind * 2;
                    assert!(posted == blind || straddles, "seat {seat} posts {posted}, not {blind}");
                    // A hand in which all are all-in by their blinds is over at once.
                    let plays = table.state(seat) == SeatState::PLAYING;
                    let lost = matches!(table.state(seat), SeatState::Broke | SeatState::Leaving);
                    assert!(plays || lost && !table.is_running(), "who plays owes nothing");
                }
                (Part::Owes(debt), None) => assert_eq!(table.state(seat).debt(), debt, "seat {seat} owes"),
                (Part::Leaves, None) => {
                    let because = WrittenBecause::CannotPay;
                    let written = Event::Written { seat, intent: Intent::Leave, because };
                    assert!(self.events.contains(&written), "seat {seat} cannot pay");
                }
                (part, place) => panic!("seat {seat}: {part:?} expected, dealt in: {}", place.is_some()),
            }
        }
    }

    /// The blind that the model gives a seat.
    fn blind(&self, seat: usize, live: i64, positions: Option<Positions>) -> i64 {
        let (settings, hand) = (self.table.settings(), self.table.hand().unwrap());
        let Some(positions) = positions else { return 0 };
        if hand.setup().variant == Variant::ShortDeck && settings.button_blind > 0 {
            let last = self.table.place(seat) == Some(hand.players() - 1);
            return if last { settings.button_blind } else { 0 };
        }
        match seat {
            _ if seat == positions.big => settings.big_blind,
            _ if live > 0 => -live,
            _ if seat == positions.small => settings.small_blind,
            _ => 0,
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
                    self.orbit_left -= 1;
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
            // Nobody waits for ever (R14): with two who want to play a hand is dealt, unless one just could not pay.
            let wants = |seat: &usize| {
                let flags = self.table.state(*seat).flags();
                flags.is_some_and(|flags| flags.intent.number() <= 1) && self.table.stack(*seat) > 0
            };
            let wanting = (0..self.count()).filter(wants).count();
            if self.begin() {
                idle = 0;
            } else {
                let left = self.events.iter().any(|event| matches!(event, Event::Written { .. }));
                assert!(wanting < 2 || left, "the table stalls");
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
    let mut progress = Progress::of("live-tables");
    while progress.done < total {
        let mut game = Game::new(0x7ab1e + progress.next);
        game.play(40);
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
        progress.add(game.hands);
    }
    println!("{} hands at {} live tables", progress.done, progress.next);
}
