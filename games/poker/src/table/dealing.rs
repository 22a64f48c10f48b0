//! One hand of the table from its beginning to its end: who is dealt in, what the table plays by itself, who is paid.

use arrayvec::ArrayVec;

use crate::card::Card;
use crate::deal::Rng;
use crate::hand::{Hand, Phase};
use crate::legal::{Action, Legal, Move};
use crate::money::Chips;
use crate::row::Row;
use crate::seat::SEATS_MAX;
use crate::setup::Setup;
use crate::table::event::{Event, Posting, WrittenBecause};
use crate::table::input::PreAction;
use crate::table::live::{NOWHERE, Table};
use crate::table::positions::{Chair, Plan};
use crate::table::seat_state::{Intent, SeatState};

/// Hands after which time is added to a bank.
const BANK_HANDS: u32 = 10;

impl Table {
    /// Whether a hand could begin now.
    pub(crate) fn can_deal(&self) -> bool {
        self.plan_next(&mut self.chairs.clone()).is_some()
    }

    /// Begins the next hand, if two can play.
    pub(crate) fn next_hand(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        self.prepare(out);
        let mut chairs = self.chairs;
        let plan = self.plan_next(&mut chairs);
        for seat in 0..self.settings.seat_count {
            let leaves = |chairs: &[Chair; SEATS_MAX]| chairs[seat].state == SeatState::Leaving;
            if leaves(&chairs) && !leaves(&self.chairs) {
                self.chairs[seat].state = SeatState::Leaving;
                out(Event::Written { seat, intent: Intent::Leave, because: WrittenBecause::CannotPay });
            }
        }
        let Some(plan) = plan else { return };
        let bomb = self.is_bomb_pot();
        self.game = self.next_game();
        let order = self.order(&plan);
        let setup = self.setup(&plan, &order, bomb);
        if !setup.is_sound() {
            return;
        }
        self.take_seats(&plan, &order, out);
        self.hand.insert(Hand::blank(&setup)).begin();
        self.tell_posts(out);
        self.deal(rng, out);
    }

    /// Who plays the next hand and where the blinds are. Seats that can no longer pay are set to leave in `chairs`.
    fn plan_next(&self, chairs: &mut [Chair; SEATS_MAX]) -> Option<Plan> {
        let variant = self.settings.variants[self.next_game()];
        let blinds = !variant.is_stud() && !self.is_bomb_pot();
        Plan::next(&self.settings, self.settings.stakes(variant), blinds, chairs, self.last)
    }

    /// Which of the games is played next: another one after an orbit.
    fn next_game(&self) -> usize {
        let changes = self.orbit_left == 0 && self.number > 0;
        let next = self.game + usize::from(changes);
        if next < self.settings.variants.len() { next } else { 0 }
    }

    fn is_bomb_pot(&self) -> bool {
        let every = u64::from(self.settings.bomb_pot_every);
        if every == 0 {
            return false;
        }
        let variant = self.settings.variants[self.next_game()];
        (self.number + 1).is_multiple_of(every) && variant.has_board()
    }

    /// Seats that are dealt in, in the order of play.
    fn order(&self, plan: &Plan) -> ArrayVec<usize, SEATS_MAX> {
        let after = plan.players.after(plan.positions.button);
        let mut order = ArrayVec::new();
        after.iter().for_each(|seat| order.push(seat));
        plan.players.without(after).iter().for_each(|seat| order.push(seat));
        order
    }

    fn setup(&self, plan: &Plan, order: &[usize], bomb: bool) -> Setup {
        let settings = &self.settings;
        let stakes = settings.stakes(self.variant());
        let mut setup = Setup::empty(self.variant(), order.len());
        (setup.small_bet, setup.big_bet) = (stakes.small_bet, stakes.big_bet);
        (setup.bring_in, setup.rake) = (stakes.bring_in, settings.rake(order.len()));
        setup.bomb_pot = bomb;
        let straddler = self.straddler(plan, order);
        let ante = if bomb { settings.bomb_pot_ante } else { settings.ante };
        let big_pays_all = !bomb && settings.big_blind_ante && plan.has_blinds;
        for (place, &seat) in order.iter().enumerate() {
            let entry = plan.entries[seat];
            setup.stacks[place] = self.chairs[seat].stack - entry.dead;
            setup.paid_dead[place] = entry.dead;
            let is_big = plan.has_blinds && seat == plan.positions.big;
            setup.antes[place] = if is_big || !big_pays_all { ante } else { 0 };
            if plan.has_blinds {
                setup.blinds[place] = match seat {
                    _ if is_big => stakes.big_blind,
                    _ if entry.live > 0 => -entry.live,
                    seat if seat == plan.positions.small => stakes.small_blind,
                    seat if Some(seat) == straddler => stakes.big_blind * 2,
                    _ => 0,
                };
            }
        }
        if plan.has_blinds && settings.has_button_blind(self.variant()) {
            setup.blinds[order.len() - 1] = settings.button_blind;
        }
        setup
    }

    /// The player left of the big blind, if they straddle; between two nobody does.
    fn straddler(&self, plan: &Plan, order: &[usize]) -> Option<usize> {
        if !self.settings.straddle || !plan.has_blinds || order.len() < 3 {
            return None;
        }
        let big = order.iter().position(|&seat| seat == plan.positions.big)?;
        let seat = order[(big + 1) % order.len()];
        let pays = plan.entries[seat] == crate::table::positions::Entry::default();
        let has = self.chairs[seat].stack > self.settings.big_blind * 2;
        (self.players[seat].straddles && pays && has && seat != plan.positions.small).then_some(seat)
    }

    /// Books the plan: states, places, positions, and the number of the hand.
    fn take_seats(&mut self, plan: &Plan, order: &[usize], out: &mut impl FnMut(Event)) {
        if self.orbit_left == 0 {
            self.orbit_left = order.len();
        }
        self.number += 1;
        self.log.clear();
        (self.settled, self.runs_decided, self.told) = (false, false, 0);
        self.places = [NOWHERE; SEATS_MAX];
        for seat in 0..self.settings.seat_count {
            let old = self.chairs[seat].state;
            self.chairs[seat].state = plan.states[seat];
            self.players[seat].lost = false;
            self.players[seat].prepared = None;
            if old.is_playing() || !plan.players.contains(seat) {
                continue;
            }
            if old.flags().is_some_and(|flags| flags.intent == Intent::WaitForBigBlind) {
                let because = WrittenBecause::BackOnBigBlind;
                out(Event::Written { seat, intent: Intent::Play, because });
            }
        }
        for (place, &seat) in order.iter().enumerate() {
            self.seats[place] = seat as u8;
            self.places[seat] = place as u8;
            self.chairs[seat].stack = 0;
        }
        if plan.has_blinds || self.last.is_none() {
            self.last = Some(plan.positions);
        }
        let button = plan.positions.button;
        out(Event::HandStarted { number: self.number, variant: self.variant(), button });
    }

    fn tell_posts(&self, out: &mut impl FnMut(Event)) {
        let Some(hand) = &self.hand else { return };
        let setup = hand.setup();
        for place in 0..hand.players() {
            let seat = self.seats[place] as usize;
            let ante = setup.antes[place].min(setup.stacks[place]);
            if setup.paid_dead[place] + ante > 0 {
                out(Event::Dead { seat, chips: setup.paid_dead[place] + ante });
            }
            if hand.bets()[place] > 0 {
                out(Event::Blind { seat, chips: hand.bets()[place] });
            }
        }
    }

    /// Deals what is owed and tells everybody what they may know of it.
    pub(crate) fn deal(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        let Some(hand) = &mut self.hand else { return };
        let (owed, live) = (hand.owed, hand.live());
        let to_players = owed != [0; SEATS_MAX];
        let mut held = [0_u8; SEATS_MAX];
        if to_players {
            live.iter().for_each(|place| held[place] = hand.hole(place).len() as u8);
        }
        let run = hand.boards() - 1;
        let lay = hand.board(run).len();
        hand.deal(rng);
        if to_players {
            for place in live.iter().filter(|&place| owed[place] > 0) {
                let cards = hand.hole(place).after(held[place].into());
                let seen = cards.masked(hand.holdings[place].up >> held[place]);
                let seat = self.seats[place] as usize;
                out(Event::HoleCards { seat, cards });
                out(Event::Dealt { seat, cards: seen });
                self.log.push(Action::DealHole(place, cards));
            }
        }
        let cards = hand.board(run).after(lay);
        if !cards.is_empty() {
            out(Event::Board { run, lay, cards });
            self.log.push(Action::DealBoard(cards));
        }
    }

    /// What the table does by itself for the player whose turn it is.
    pub(crate) fn automatic(&mut self) -> Option<Move> {
        self.decide_runs();
        let hand = self.hand.as_ref()?;
        let seat = self.turn()?;
        // Who no longer plays is folded in turn and otherwise looked after (ruling 004/R4).
        if !self.chairs[seat].state.is_playing() {
            return match hand.legal() {
                Legal::Bet(choices) => choices.to_fold().or_else(|| choices.to_bring_in()),
                _ => hand.auto(),
            };
        }
        if hand.phase() == Phase::Bet && self.players[seat].prepared.is_none() {
            return None;
        }
        if hand.phase() == Phase::Reveal {
            let decides = hand.may_muck() && self.players[seat].decides_showdown;
            return if decides { None } else { hand.auto() };
        }
        match hand.legal() {
            Legal::Bet(choices) => {
                let (action, price) = self.players[seat].prepared.take()?;
                let free = choices.call == Some(0);
                match action {
                    PreAction::Fold => choices.to_fold(),
                    PreAction::CheckFold if !free => choices.to_fold(),
                    PreAction::CheckFold => choices.to_call(),
                    PreAction::Check => choices.to_call().filter(|_| free),
                    PreAction::Call => choices.to_call().filter(|_| choices.call == Some(price)),
                }
            }
            _ => None,
        }
    }

    /// When all are all-in and agree, the rest of the board is dealt twice. It is settled once, before a card of it is seen.
    fn decide_runs(&mut self) {
        let Some(hand) = &mut self.hand else { return };
        if self.runs_decided || !self.settings.run_it_twice || !hand.is_all_in() {
            return;
        }
        self.runs_decided = true;
        let agree = hand.live().iter().all(|place| self.players[self.seats[place] as usize].runs_twice);
        if agree && hand.setup.variant.has_board() && !hand.is_last_street() {
            hand.setup.runs = 2;
        }
    }

    /// What a call would cost a seat now.
    pub(crate) fn price(&self, seat: usize) -> Chips {
        match (&self.hand, self.place(seat)) {
            (Some(hand), Some(place)) if hand.phase() == Phase::Bet => hand.call_cost(place),
            _ => 0,
        }
    }

    /// Carries a move of the hand out.
    #[inline(always)]
    pub(crate) fn play(&mut self, mv: Move, out: &mut impl FnMut(Event)) {
        let Some(hand) = &mut self.hand else { return };
        let Some(event) = event_of(hand, &self.seats, mv.action()) else { return };
        // What is shown is written as it is held now; later streets may add to it.
        self.log.push(match mv.action() {
            Action::ShowAll(place) => Action::Show(place, *hand.hole(place)),
            action => action,
        });
        hand.apply(mv);
        out(event);
        if std::mem::take(&mut self.any_prepared) {
            self.drop_prepared(out);
        }
    }

    /// Drops prepared actions whose price has changed.
    #[inline(never)]
    fn drop_prepared(&mut self, out: &mut impl FnMut(Event)) {
        for seat in 0..self.settings.seat_count {
            let Some((action, price)) = self.players[seat].prepared else { continue };
            self.any_prepared = true;
            let now = self.price(seat);
            let changed = match action {
                PreAction::Check => now > 0,
                PreAction::Call => now != price,
                PreAction::CheckFold | PreAction::Fold => false,
            };
            if changed || !self.is_live(seat) {
                self.players[seat].prepared = None;
                out(Event::PreActionDropped { seat });
            }
        }
    }

    /// Pays the seats when the hand is over.
    #[inline(never)]
    pub(crate) fn finish(&mut self, out: &mut impl FnMut(Event)) {
        let Some(hand) = &self.hand else { return };
        self.settled = true;
        let least = self.settings.buy_in_min;
        let rake = hand.raked();
        if let Some((place, chips)) = hand.uncalled() {
            out(Event::Uncalled { seat: self.seats[place] as usize, chips });
        }
        for place in 0..hand.players() {
            let seat = self.seats[place] as usize;
            if hand.won()[place] > 0 {
                out(Event::Won { seat, chips: hand.won()[place] });
            }
            let (chair, player) = (&mut self.chairs[seat], &mut self.players[seat]);
            chair.stack = hand.stacks()[place];
            let rebuys = self.settings.rebuy_ms > 0 || player.keeps_full && player.top_up >= least;
            let before = chair.state;
            chair.state = before.after_hand(chair.stack, rebuys);
            if chair.stack == 0 && chair.state != before {
                let intent = if rebuys { Intent::Pause } else { Intent::Leave };
                out(Event::Written { seat, intent, because: WrittenBecause::OutOfChips });
            }
            player.hands += 1;
            player.prepared = None;
            if player.hands.is_multiple_of(BANK_HANDS) && self.settings.time_bank_add_ms > 0 {
                out(Event::TimeAdded { seat, ms: self.settings.time_bank_add_ms });
            }
        }
        self.orbit_left = self.orbit_left.saturating_sub(1);
        if rake > 0 {
            out(Event::Posted(Posting::Rake { chips: rake }));
        }
        out(Event::HandOver { number: self.number, rake });
        for seat in 0..self.settings.seat_count {
            if self.players[seat].keeps_full && self.chairs[seat].state != SeatState::Leaving {
                self.top_up(seat, out);
            }
        }
        if self.closing {
            self.empty(out);
        }
    }

    /// Sends everybody home.
    fn empty(&mut self, out: &mut impl FnMut(Event)) {
        for seat in 0..self.settings.seat_count {
            if self.chairs[seat].state.is_taken() {
                self.remove(seat, out);
            }
        }
    }

    /// Shows cards of a hand that won without being called.
    pub(crate) fn show_after(&mut self, seat: usize, row: Row, out: &mut impl FnMut(Event)) {
        let (Some(place), Some(hand)) = (self.place(seat), &mut self.hand) else { return };
        let shown: Vec<Card> = row.known().collect();
        let hole = *hand.hole(place);
        for (i, card) in hole.as_slice().iter().enumerate() {
            if card.is_some_and(|card| shown.contains(&card)) {
                hand.holdings[place].up |= 1 << i;
            }
        }
        self.log.push(Action::Show(place, row));
        out(Event::Shown { seat, cards: row });
    }
}

/// What everybody is told of a move; nothing of cards that are dealt, which [`Table::deal`] tells.
#[inline(always)]
fn event_of(hand: &Hand, seats: &[u8; SEATS_MAX], action: Action) -> Option<Event> {
    let seat_of = |place: usize| seats[place] as usize;
    Some(match action {
        Action::Fold(place) => Event::Folded { seat: seat_of(place) },
        Action::Call(place) => Event::Called { seat: seat_of(place), chips: hand.call_cost(place) },
        Action::Raise(place, to) => Event::Raised { seat: seat_of(place), to },
        Action::BringIn(place) => {
            let chips = hand.setup.bring_in.min(hand.stacks()[place]);
            Event::BroughtIn { seat: seat_of(place), chips }
        }
        Action::Draw(place, row) => Event::Drew { seat: seat_of(place), count: row.len() },
        Action::Show(place, _) | Action::ShowAll(place) => {
            Event::Shown { seat: seat_of(place), cards: *hand.hole(place) }
        }
        Action::Muck(place) => Event::Mucked { seat: seat_of(place) },
        Action::DealHole(..) | Action::DealBoard(_) => return None,
    })
}
