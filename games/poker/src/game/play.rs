//! What an input does: answers, clocks, visits, and what follows from each.

use std::marker::PhantomData;
use std::sync::Arc;

use parlor_core::{Account, AskId, Code, HouseCode, Output, Refusal, Rng, Seat, Seats, Visit};

use super::answer::{self, Move, PREPARED, Said};
use super::clocks::{Clock, Clocks};
use super::deck::{Dealer, Deck};
use super::settings::{Format, Rules, Settings, fault, usual_buy_in};
use super::{About, Carry, HouseEvent, Poker, Room, Told};
use crate::money::Chips;
use crate::table::{
    Answer, Event, Intent, Order, Posting, SeatState, Settings as TableSettings, SitAndGo, Table, TableMove,
    TableRefusal, Timer, WrittenBecause,
};

/// Milliseconds of a minute.
const MINUTE_MS: u32 = 60_000;

pub(super) fn refusal(why: &TableRefusal) -> Refusal {
    let code: Code = match why {
        TableRefusal::SeatTaken { .. } | TableRefusal::SitsAlready { .. } => HouseCode::SeatTaken.into(),
        TableRefusal::NoSuchSeat { .. } => HouseCode::UnknownSeat.into(),
        TableRefusal::SeatEmpty { .. } => HouseCode::NotSeated.into(),
        TableRefusal::BuyIn { .. } | TableRefusal::TopUp { .. } => HouseCode::BuyIn.into(),
        TableRefusal::NotYourTurn => "not_your_turn".into(),
        TableRefusal::Closing => "closing".into(),
        TableRefusal::Cards(_) => HouseCode::Malformed.into(),
        _ => "illegal".into(),
    };
    Refusal::of(code, why.to_string())
}

/// What happens while the table acts, until it is told to `O`.
struct Happened<'a, O> {
    events: &'a mut Vec<Event>,
    to: PhantomData<O>,
}

impl<O: Output<Told>> Happened<'_, O> {
    /// Where nobody listens only those events are kept from which something follows. Whether somebody does is known when
    /// this is compiled: most of the others are not even made.
    #[inline(always)]
    fn push(&mut self, event: Event) {
        if O::LISTENS || matches!(event, Event::Sat { .. } | Event::Wants { .. } | Event::Written { .. }) {
            self.events.push(event);
        }
    }
}

impl Poker {
    /// The first hand of a table.
    pub(super) fn open(
        settings: &Settings,
        table: Arc<TableSettings>,
        held: Seats,
        stake: impl Fn(Seat) -> i64,
        rng: &mut Rng,
        out: &mut impl Output<Told>,
    ) -> Result<Self, Refusal> {
        let wrong = |error: crate::table::SettingsError| Refusal::with(error.0.iter().map(fault).collect());
        let (rules, seats) = (settings.rules, table.seat_count);
        let mut room = match rules.format {
            Format::Ring => Room::Ring(Box::new(Table::new(table))),
            Format::SitAndGo => {
                if held.len() < seats {
                    return Err(Refusal::of("seats", "a sit-and-go begins when every seat is taken"));
                }
                let accounts: Vec<u64> = (0..seats as u64).collect();
                let tournament = SitAndGo::start(settings.sit_and_go(&table), &accounts);
                Room::SitAndGo(Box::new(tournament.map_err(wrong)?))
            }
        };
        let paced = rules.run_out_ms > 0;
        match &mut room {
            Room::Ring(table) => table.set_paced(paced),
            Room::SitAndGo(tournament) => tournament.table_mut().set_paced(paced),
        }
        let mut game = Self {
            room,
            rules,
            deck: Deck::default(),
            opened: Vec::new(),
            held,
            declined: Seats::NONE,
            beside: (Seats::NONE, Seats::NONE),
            clocks: Clocks::default(),
            players: 0,
            accounts: std::iter::repeat_n(0, seats).collect(),
            waits: 0,
            dealt: false,
            paid: false,
            over: false,
            closed: false,
            events: Vec::new(),
        };
        if game.room.tournament().is_some() {
            held.iter().for_each(|seat| out.post(Account::Seat(seat), Account::Table, game.rules.buy_in));
        } else {
            let usual = usual_buy_in(game.table().settings());
            for seat in held.iter() {
                game.new_player(seat.index(), 0);
                let chips = if stake(seat) == 0 { usual } else { stake(seat) };
                let mv = game.check_sit(seat.index(), chips)?;
                game.apply_move(mv, rng, out);
            }
        }
        held.iter().for_each(|seat| game.give_bank(seat, out));
        Ok(game)
    }

    /// The next hand of a table.
    pub(super) fn resume(
        carry: Carry,
        rules: Rules,
        settings: Arc<TableSettings>,
        held: Seats,
    ) -> Result<Self, Refusal> {
        let mut game = Self {
            rules,
            room: carry.room,
            deck: Deck::default(),
            opened: Vec::new(),
            held,
            declined: carry.declined,
            beside: (Seats::NONE, Seats::NONE),
            clocks: carry.clocks,
            players: carry.players,
            accounts: carry.accounts,
            waits: 0,
            dealt: false,
            paid: carry.paid,
            over: false,
            closed: false,
            events: Vec::new(),
        };
        game.begin_next(rules, settings, held)?;
        Ok(game)
    }

    /// What the next hand begins from: the seats and what follows them, and nothing of the last hand.
    pub(super) fn begin_next(
        &mut self,
        rules: Rules,
        settings: Arc<TableSettings>,
        held: Seats,
    ) -> Result<(), Refusal> {
        match (&mut self.room, rules.format) {
            (Room::Ring(table), Format::Ring) => {
                table.clear();
                table.set_settings(settings);
                table.set_paced(rules.run_out_ms > 0);
            }
            (Room::SitAndGo(tournament), Format::SitAndGo) => tournament.table_mut().clear(),
            _ => return Err(Refusal::of("setting", "format: a table cannot change it")),
        }
        self.deck.clear();
        self.opened.clear();
        self.clocks.restart();
        (self.rules, self.held, self.beside) = (rules, held, (Seats::NONE, Seats::NONE));
        (self.waits, self.dealt, self.over, self.closed) = (0, false, false, false);
        Ok(())
    }

    fn give_bank(&self, seat: Seat, out: &mut impl Output<Told>) {
        let settings = self.table().settings();
        if settings.time_bank_ms > 0 {
            let cap = settings.time_bank_max_ms.max(settings.time_bank_ms);
            out.add_time(Seats::only(seat), settings.time_bank_ms, cap);
        }
    }

    /// Lets the table act, then tells what happened.
    fn drive<O: Output<Told>>(
        &mut self,
        rng: &mut Rng,
        out: &mut O,
        act: impl FnOnce(&mut Room, &mut Dealer<'_>, &mut Happened<'_, O>),
    ) {
        let Self { room, deck, events, .. } = self;
        act(room, &mut Dealer { deck, rng }, &mut Happened { events, to: PhantomData });
        if !self.events.is_empty() {
            self.tell_all(rng, out);
        }
    }

    #[inline(never)]
    fn tell_all<O: Output<Told>>(&mut self, rng: &Rng, out: &mut O) {
        let mut events = std::mem::take(&mut self.events);
        for event in events.drain(..) {
            self.tell(event, rng, out);
        }
        // A simulation tells little, and uses the room again with the next move; a table that waits for people keeps none.
        if !O::LISTENS {
            self.events = events;
        }
    }

    fn apply_move(&mut self, mv: TableMove, rng: &mut Rng, out: &mut impl Output<Told>) {
        self.drive(rng, out, |room, dealer, events| match room {
            Room::Ring(table) => table.apply(mv, dealer, &mut |event| events.push(event)),
            Room::SitAndGo(tournament) => tournament.apply(mv, dealer, &mut |event| events.push(event)),
        });
    }

    fn order(&mut self, order: Order, rng: &mut Rng, out: &mut impl Output<Told>) {
        if let Ok(mv) = self.table().check_order(order) {
            self.apply_move(mv, rng, out);
        }
    }

    /// Books money and tells an event to those who may know.
    fn tell(&mut self, event: Event, rng: &Rng, out: &mut impl Output<Told>) {
        match event {
            Event::Posted(posting) => return self.post(posting, out),
            Event::TimeAdded { seat, ms } => {
                let cap = self.table().settings().time_bank_max_ms;
                return out.add_time(Seats::only(Seat::new(seat as u8)), ms, cap);
            }
            Event::HoleCards { .. } => out.mark_revealed(),
            Event::Dealt { cards, .. } | Event::Board { cards, .. } | Event::Shown { cards, .. } => {
                self.open_cards(cards, rng);
                out.mark_revealed();
            }
            Event::Sat { seat, .. } => self.declined = self.declined.without(Seat::new(seat as u8)),
            Event::Written { seat, intent: Intent::Leave, because } => {
                let seat = Seat::new(seat as u8);
                let asked = because == WrittenBecause::OutOfChips;
                self.declined = if asked { self.declined.without(seat) } else { self.declined.with(seat) };
            }
            Event::Wants { seat, intent: Intent::Leave } => {
                self.declined = self.declined.with(Seat::new(seat as u8));
            }
            _ => {}
        }
        let to = event.only_for().map_or(Seats::ALL, |seat| Seats::only(Seat::new(seat as u8)));
        out.emit(to, Told::Table(event));
    }

    fn open_cards(&mut self, cards: crate::Row, rng: &Rng) {
        if !self.deck.is_committed() {
            return;
        }
        for card in cards.known() {
            let Some(opened) = self.deck.open(card, rng) else { continue };
            if !self.opened.contains(&opened) {
                self.opened.push(opened);
            }
        }
    }

    /// Chips of a sit-and-go are points: only its buy-ins and prizes are money.
    fn post(&self, posting: Posting, out: &mut impl Output<Told>) {
        if self.room.tournament().is_some() {
            return;
        }
        let seat = |seat: usize| Account::Seat(Seat::new(seat as u8));
        match posting {
            Posting::BuyIn { seat: by, chips } => out.post(seat(by), Account::Table, chips),
            Posting::CashOut { seat: to, chips } => out.post(Account::Table, seat(to), chips),
            Posting::Rake { chips } => out.post(Account::Table, Account::House, chips),
        }
    }

    /// Deals the hand of this match, if two can play.
    pub(super) fn deal(&mut self, rng: &mut Rng, out: &mut impl Output<Told>) {
        let ended = match &self.room {
            Room::Ring(table) => table.closing,
            Room::SitAndGo(tournament) => tournament.is_over(),
        };
        if self.dealt || ended {
            return;
        }
        self.deck.clear();
        self.opened.clear();
        let before = self.table().number();
        self.drive(rng, out, |room, dealer, events| {
            let mut out = |event| events.push(event);
            match room {
                Room::Ring(table) => {
                    if let Ok(mv) = table.check_order(Order::Elapsed(Timer::NextHand)) {
                        table.apply(mv, dealer, &mut out);
                    }
                }
                Room::SitAndGo(tournament) => tournament.next_hand(dealer, &mut out),
            }
        });
        self.dealt = self.table().number() != before;
    }

    /// What follows from every input: who has gone is paid, prizes are given, clocks start and stop.
    pub(super) fn settle(&mut self, rng: &mut Rng, out: &mut impl Output<Told>) {
        if !self.table().is_running() && self.table().is_anybody_leaving() {
            let held = self.held;
            self.drive(rng, out, |room, _, events| {
                if let Room::Ring(table) = room {
                    table.send_home(|seat| !held.has(Seat::new(seat as u8)), &mut |event| events.push(event));
                }
            });
        }
        self.dismiss_gone(out);
        self.pay_prizes(out);
        let level_ms = self
            .room
            .tournament()
            .filter(|tournament| !tournament.is_over())
            .map(|tournament| tournament.level().1.minutes.saturating_mul(MINUTE_MS));
        if self.clocks.follow(self.room.table(), level_ms.filter(|ms| *ms > 0)) {
            out.emit(Seats::ALL, Told::House(HouseEvent::Clocks));
        }
        self.beside = self.beside_the_hand();
    }

    /// Whoever the table has sent home, and does not want to buy in again, gives their seat free.
    fn dismiss_gone(&mut self, out: &mut impl Output<Told>) {
        if self.room.tournament().is_some() {
            return;
        }
        let declined = self.held.shared(self.declined);
        if declined.is_empty() {
            return;
        }
        let gone: Seats = declined.iter().filter(|seat| self.may_sit_again(seat.index())).collect();
        for seat in gone.iter() {
            out.dismiss(seat);
        }
        self.held = self.held.but(gone);
    }

    fn pay_prizes(&mut self, out: &mut impl Output<Told>) {
        let Some(tournament) = self.room.tournament().filter(|tournament| tournament.is_over()) else {
            return;
        };
        if self.paid {
            return;
        }
        for standing in tournament.standings() {
            let (seat, tokens) = (standing.seat, standing.prize);
            out.post(Account::Table, Account::Seat(Seat::new(seat as u8)), tokens);
            let place = standing.place.unwrap_or(0);
            out.emit(Seats::ALL, Told::House(HouseEvent::Prize { seat, place, tokens }));
        }
        self.paid = true;
    }

    pub(super) fn answer(&mut self, seat: Seat, mv: Move, rng: &mut Rng, out: &mut impl Output<Told>) {
        let n = seat.index();
        match mv {
            Move::Table(mv) => {
                self.apply_move(mv, rng, out);
                if mv.is_silent() {
                    out.emit(Seats::only(seat), Told::House(HouseEvent::Own { seat: n }));
                }
            }
            Move::Sit(chips) => {
                let player = self.accounts.get(n).copied().unwrap_or(0);
                self.apply_move(TableMove::sit(n, player, chips), rng, out);
            }
            Move::Decline => {
                self.declined = self.declined.with(seat);
                out.emit(Seats::only(seat), Told::House(HouseEvent::Own { seat: n }));
            }
            Move::Here => self.set_presence(seat, false, rng, out),
        }
    }

    fn check_sit(&self, seat: usize, chips: Chips) -> Result<TableMove, Refusal> {
        let player = self.accounts.get(seat).copied().unwrap_or(0);
        let order = Order::Sit { seat, player, chips, owned: chips };
        self.table().check_order(order).map_err(|why| refusal(&why))
    }

    /// Another player has the seat: what the one before left with is not theirs to bring back.
    fn new_player(&mut self, seat: usize, known_as: u64) {
        self.players += 1;
        self.accounts[seat] = if known_as == 0 { self.players } else { known_as };
    }

    pub(super) fn elapsed(&mut self, ask: AskId, rng: &mut Rng, out: &mut impl Output<Told>) {
        match About::of(ask) {
            About::Turn => self.drive(rng, out, |room, dealer, events| {
                let mut out = |event| events.push(event);
                match room {
                    Room::Ring(table) => {
                        if let Ok(mv) = table.check_order(Order::Elapsed(Timer::Turn)) {
                            table.apply(mv, dealer, &mut out);
                        }
                    }
                    Room::SitAndGo(tournament) => tournament.time_out(dealer, &mut out),
                }
            }),
            About::RunOut => self.drive(rng, out, |room, dealer, events| {
                let mut out = |event| events.push(event);
                match room {
                    Room::Ring(table) => table.run_on(dealer, &mut out),
                    Room::SitAndGo(tournament) => tournament.run_on(dealer, &mut out),
                }
            }),
            About::Start => {
                self.waits += 1;
                self.deal(rng, out);
            }
            About::Gap => self.end_hand(rng, out),
            About::Idle if self.rules.idle_close_ms > 0 => self.close(rng, out),
            About::Idle => self.waits += 1,
            About::Tick => self.tick(rng, out),
            About::Rebuy | About::Seat => {}
        }
    }

    fn end_hand(&mut self, rng: &mut Rng, out: &mut impl Output<Told>) {
        let last = self.rules.hands > 0 && self.table().number() >= u64::from(self.rules.hands);
        let ended = self.room.tournament().is_some_and(SitAndGo::is_over);
        if last || ended || self.table().closing {
            return self.close(rng, out);
        }
        self.over = true;
        let number = self.table().number();
        out.emit(Seats::ALL, Told::House(HouseEvent::HandEnd { number, closed: false }));
    }

    /// The last hand was played: everybody is paid out.
    fn close(&mut self, rng: &mut Rng, out: &mut impl Output<Told>) {
        match &mut self.room {
            Room::Ring(_) => self.order(Order::Close, rng, out),
            Room::SitAndGo(tournament) => tournament.end(),
        }
        self.pay_prizes(out);
        (self.over, self.closed) = (true, true);
        let number = self.table().number();
        out.emit(Seats::ALL, Told::House(HouseEvent::HandEnd { number, closed: true }));
    }

    fn tick(&mut self, rng: &mut Rng, out: &mut impl Output<Told>) {
        if self.clocks.shown().next().is_some() {
            out.emit(Seats::ALL, Told::House(HouseEvent::Clocks));
        }
        for clock in self.clocks.ticked() {
            match clock {
                Clock::Seat(timer) => self.order(Order::Elapsed(timer), rng, out),
                Clock::Level => self.level_up(out),
            }
        }
    }

    fn level_up(&mut self, out: &mut impl Output<Told>) {
        let Room::SitAndGo(tournament) = &mut self.room else { return };
        let (before, level) = tournament.level();
        tournament.level_up();
        let level_now = tournament.level().0;
        if level_now != before {
            self.clocks.set_break(level.break_minutes.saturating_mul(MINUTE_MS));
            out.emit(Seats::ALL, Told::House(HouseEvent::LevelUp { level: level_now }));
        }
    }

    pub(super) fn admits(&self, visit: Visit) -> Result<(), Refusal> {
        let ring = self.room.tournament().is_none();
        match visit {
            Visit::Join { .. } if !ring => {
                Err(Refusal::of("started", "a sit-and-go takes nobody after it has begun"))
            }
            Visit::Join { seat, .. } if self.held.has(seat) => {
                Err(Refusal::of(HouseCode::SeatTaken, "that seat is taken"))
            }
            Visit::Join { seat, .. } if self.table().place(seat.index()).is_some() => {
                Err(Refusal::of(HouseCode::SeatTaken, "that seat is free when the hand is over"))
            }
            Visit::Join { seat, stake, player } => {
                let player = if player == 0 { u64::MAX } else { player };
                let order = Order::Sit { seat: seat.index(), player, chips: stake, owned: stake };
                self.table().check_order(order).map(|_| ()).map_err(|why| refusal(&why))
            }
            Visit::Leave { seat, .. } | Visit::Away { seat } | Visit::Back { seat }
                if !self.held.has(seat) =>
            {
                Err(Refusal::of(HouseCode::NotSeated, "nobody sits there"))
            }
            Visit::Leave { .. } | Visit::Away { .. } | Visit::Back { .. } => Ok(()),
        }
    }

    pub(super) fn visit(&mut self, visit: Visit, rng: &mut Rng, out: &mut impl Output<Told>) {
        match visit {
            Visit::Join { seat, stake, player } => {
                self.new_player(seat.index(), player);
                let Ok(mv) = self.check_sit(seat.index(), stake) else { return };
                self.held = self.held.with(seat);
                self.apply_move(mv, rng, out);
                self.give_bank(seat, out);
            }
            Visit::Leave { seat, player } => {
                self.held = self.held.without(seat);
                if let Room::Ring(table) = &mut self.room
                    && player != 0
                {
                    table.know(seat.index(), player);
                }
                if self.room.tournament().is_some() {
                    self.set_presence(seat, true, rng, out);
                } else {
                    self.order(Order::Leave { seat: seat.index() }, rng, out);
                }
            }
            Visit::Away { seat } => self.set_presence(seat, true, rng, out),
            Visit::Back { seat } => self.set_presence(seat, false, rng, out),
        }
    }

    fn set_presence(&mut self, seat: Seat, away: bool, rng: &mut Rng, out: &mut impl Output<Told>) {
        let n = seat.index();
        out.emit(Seats::ALL, Told::House(HouseEvent::Presence { seat: n, away }));
        if self.room.tournament().is_some() {
            self.drive(rng, out, |room, dealer, events| {
                if let Room::SitAndGo(tournament) = room {
                    tournament.set_away(n, away, dealer, &mut |event| events.push(event));
                }
            });
        } else if away {
            self.order(Order::Away { seat: n }, rng, out);
        } else {
            self.order(Order::Back { seat: n }, rng, out);
        }
    }

    /// What somebody buys in for who has no chips left.
    pub(super) fn rebuy_chips(&self, seat: usize) -> Chips {
        let left_with = self.accounts.get(seat).map_or(0, |account| self.table().left_with(*account));
        usual_buy_in(self.table().settings()).max(left_with)
    }

    /// Buying in again for as much as usual.
    pub(super) fn check_usual_rebuy(&self, seat: usize) -> Result<Move, Refusal> {
        self.check_rebuy_answer(seat, &Answer::BuyIn { chips: self.rebuy_chips(seat) })
    }

    pub(super) fn rebuy_moves(&self, seat: usize, moves: &mut Vec<Move>) {
        let chips = self.rebuy_chips(seat);
        let both = [Answer::BuyIn { chips }, Answer::Decline];
        moves.extend(both.iter().filter_map(|answer| self.check_rebuy_answer(seat, answer).ok()));
    }

    pub(super) fn seat_moves(&self, seat: usize, moves: &mut Vec<Move>) {
        let table = self.table();
        let least = table.settings().buy_in_min;
        let chips = match table.state(seat) {
            SeatState::Empty => self.rebuy_chips(seat),
            SeatState::Broke => least,
            _ => table.legal(seat).top_up.min(table.settings().big_blind * 10),
        };
        let intents = (0..4).map(|intent| Answer::Intent { intent });
        let prepared = PREPARED.iter().map(|action| Answer::Prepare { action: *action });
        let switches = [true, false]
            .into_iter()
            .flat_map(|on| [Answer::Straddle { on }, Answer::RunTwice { on }, Answer::AutoMuck { on }]);
        let aside = Answer::AutoTopUp { chips: table.settings().buy_in_max };
        let rest = [Answer::TopUp { chips }, aside, Answer::Show { cards: String::new() }];
        for answer in intents.chain(prepared).chain(switches).chain(rest) {
            moves.extend(self.check_seat_answer(seat, &answer).ok());
        }
    }

    pub(super) fn check_turn(&self, seat: Seat, ask: AskId, said: &Said) -> Result<Move, Refusal> {
        let stale = || Refusal::of("not_your_turn", "it is not this seat's turn");
        let hand = self.table().hand().ok_or_else(stale)?;
        if self.turn_ask() != Some((seat, ask.0)) {
            return Err(stale());
        }
        let answer = match said {
            Said::Plain(answer) => answer.clone(),
            Said::Picked(response) => answer::picked_turn(hand, response)?,
        };
        let mv = match &self.room {
            Room::Ring(table) => table.check(seat.index(), &answer),
            Room::SitAndGo(tournament) => tournament.check(seat.index(), &answer),
        };
        let mv = Move::Table(mv.map_err(|why| refusal(&why))?);
        if mv.is_turn() { Ok(mv) } else { Err(Refusal::of("illegal", "that does not answer the turn")) }
    }

    pub(super) fn check_rebuy(&self, seat: usize, said: &Said) -> Result<Move, Refusal> {
        if !self.rebuyers().has(Seat::new(seat as u8)) {
            return Err(Refusal::of(HouseCode::NotAsked, "you have chips"));
        }
        let answer = match said {
            Said::Plain(answer) => answer.clone(),
            Said::Picked(response) => {
                let settings = self.table().settings();
                let chips = self.rebuy_chips(seat);
                let request = answer::rebuy_request(chips, settings.buy_in_min, settings.buy_in_max);
                answer::picked_rebuy(chips, &request, response)?
            }
        };
        self.check_rebuy_answer(seat, &answer)
    }

    fn check_rebuy_answer(&self, seat: usize, answer: &Answer) -> Result<Move, Refusal> {
        match answer {
            Answer::BuyIn { chips: 0 } => Err(Refusal::of(HouseCode::BuyIn, "expected chips")),
            Answer::BuyIn { chips } => self.check_seat_answer(seat, &Answer::TopUp { chips: *chips }),
            Answer::Decline => self.check_seat_answer(seat, &Answer::Intent { intent: 3 }),
            _ => Err(Refusal::of("illegal", "buy in, or leave")),
        }
    }

    pub(super) fn check_seat(&self, seat: usize, said: &Said) -> Result<Move, Refusal> {
        let answer = match said {
            Said::Plain(answer) => answer.clone(),
            Said::Picked(response) => answer::picked_seat(self.table(), response)?,
        };
        self.check_seat_answer(seat, &answer)
    }

    fn check_seat_answer(&self, seat: usize, answer: &Answer) -> Result<Move, Refusal> {
        let table = self.table();
        let mv = match (&self.room, answer) {
            (Room::SitAndGo(_), Answer::Intent { intent: 0 }) if table.state(seat).is_taken() => {
                return Ok(Move::Here);
            }
            (Room::SitAndGo(tournament), _) => tournament.check(seat, answer),
            (Room::Ring(_), Answer::TopUp { chips }) if self.may_sit_again(seat) => {
                return self.check_sit(seat, *chips).map(|_| Move::Sit(*chips));
            }
            (Room::Ring(_), Answer::Intent { intent: 3 }) if self.may_sit_again(seat) => {
                return Ok(Move::Decline);
            }
            (Room::Ring(table), _) => table.check(seat, answer),
        };
        let mv = Move::Table(mv.map_err(|why| refusal(&why))?);
        if mv.is_turn() { Err(Refusal::of("not_your_turn", "that answers another request")) } else { Ok(mv) }
    }
}
