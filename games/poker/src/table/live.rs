//! The table itself: a chain of hands over seats that fill and empty.
//!
//! [`Table::legal`] says what a seat may do, [`Table::check`] makes a move of an answer, [`Table::apply`] carries it out and
//! goes on until somebody has to decide. Orders of the house (sitting down, lost connections, clocks that ran out) come in
//! the same way through [`Table::check_order`]. How a hand begins is in `dealing`, what a viewer sees in `view`.

use std::sync::Arc;

use crate::deal::Rng;
use crate::hand::{Hand, Phase};
use crate::legal::{self, Action, Legal};
use crate::money::Chips;
use crate::row::Row;
use crate::seat::SEATS_MAX;
use crate::table::event::{Event, Posting, WrittenBecause};
use crate::table::input::{Answer, Checked, Options, Order, PreAction, TableMove, TableRefusal, Timer};
use crate::table::positions::{Chair, Positions};
use crate::table::seat_state::{Intent, IntentContext, IntentRefused, NewcomerWish, SeatState, Then};
use crate::table::settings::{Newcomers, Settings, SettingsError, TimeoutAction};
use crate::variant::Variant;

/// Buy-ins that a player may set aside for being topped up.
const ASIDE_MAX: Chips = 10;

/// Players whose last stack is remembered at most.
const RATHOLES_MAX: usize = 1_000;

/// Room for the moves of a usual hand.
const LOG_USUAL: usize = 32;

/// No place in the running hand.
pub(crate) const NOWHERE: u8 = u8::MAX;

/// The player of a seat, apart from what the blinds look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Player {
    /// The account, as the house numbers it.
    pub(crate) account: u64,
    /// Chips to add before the next hand.
    pub(crate) top_up: Chips,
    /// Whether those that find no room then stay for later hands.
    #[serde(default)]
    pub(crate) keeps_full: bool,
    /// Chips brought so far, since sitting down.
    pub(crate) bought: Chips,
    pub(crate) straddles: bool,
    pub(crate) runs_twice: bool,
    /// Asked at the showdown instead of mucking and showing by itself.
    pub(crate) decides_showdown: bool,
    /// A prepared action and what a call cost then.
    pub(crate) prepared: Option<(PreAction, Chips)>,
    /// Time-outs in a row.
    pub(crate) timeouts: u8,
    pub(crate) away: bool,
    /// Sits out because the connection was lost, and no hand has begun since.
    pub(crate) lost: bool,
    /// Hands played since sitting down.
    pub(crate) hands: u32,
    /// The number of the hand that ran when they sat down.
    pub(crate) sat_at: u64,
}

/// A poker table.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Table {
    #[serde(with = "crate::compact::shared")]
    pub(crate) settings: Arc<Settings>,
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) chairs: [Chair; SEATS_MAX],
    #[serde(with = "crate::compact::trimmed")]
    pub(crate) players: [Player; SEATS_MAX],
    pub(crate) last: Option<Positions>,
    /// The hand that runs, or the last one; its stacks count while it runs.
    pub(crate) hand: Option<Hand>,
    /// The seat of each place of the hand.
    pub(crate) seats: [u8; SEATS_MAX],
    /// The place of each seat in the hand.
    pub(crate) places: [u8; SEATS_MAX],
    /// Moves of the hand, deals included.
    pub(crate) log: Vec<Action>,
    pub(crate) number: u64,
    /// Which of the games is played, and for how many more hands.
    pub(crate) game: usize,
    pub(crate) orbit_left: usize,
    pub(crate) runs_decided: bool,
    /// Whether any seat may have an action prepared.
    pub(crate) any_prepared: bool,
    /// Whether the hand that is over has been paid out to the seats.
    pub(crate) settled: bool,
    /// The length of the log when a turn was last told.
    pub(crate) told: usize,
    pub(crate) closing: bool,
    /// Whether the table stops before each card of a run-out, until [`Table::run_on`].
    pub(crate) paced: bool,
    /// Who left with how much, while that counts.
    pub(crate) ratholes: Vec<(u64, Chips)>,
}

impl Table {
    /// An empty table.
    ///
    /// # Errors
    /// Everything that is wrong with the settings.
    pub fn start(settings: impl Into<Arc<Settings>>) -> Result<Self, SettingsError> {
        let settings = settings.into();
        let faults = settings.faults();
        if !faults.is_empty() {
            return Err(SettingsError(faults));
        }
        Ok(Self::new(settings))
    }

    /// An empty table with settings that have no faults.
    pub(crate) fn new(settings: Arc<Settings>) -> Self {
        Self {
            settings,
            chairs: [Chair::default(); SEATS_MAX],
            players: [Player::default(); SEATS_MAX],
            last: None,
            hand: None,
            seats: [NOWHERE; SEATS_MAX],
            places: [NOWHERE; SEATS_MAX],
            log: Vec::with_capacity(LOG_USUAL),
            number: 0,
            game: 0,
            orbit_left: 0,
            runs_decided: false,
            any_prepared: false,
            settled: true,
            told: 0,
            closing: false,
            paced: false,
            ratholes: Vec::new(),
        }
    }

    /// What the table is played under.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The number of the hand that runs, or of the last one; 0 before the first.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The hand that runs, or the last one.
    #[must_use]
    pub const fn hand(&self) -> Option<&Hand> {
        self.hand.as_ref()
    }

    /// What a seat is.
    #[must_use]
    pub const fn state(&self, seat: usize) -> SeatState {
        self.chairs[seat].state
    }

    /// Where the blinds of the last hand were.
    #[must_use]
    pub const fn positions(&self) -> Option<Positions> {
        self.last
    }

    /// The game that is played.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.settings.variants[self.game]
    }

    /// Whether a hand is being played.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.hand.as_ref().is_some_and(|hand| hand.phase() != Phase::Over)
    }

    /// The place of a seat in the hand that runs or was played last.
    #[must_use]
    pub fn place(&self, seat: usize) -> Option<usize> {
        let place = *self.places.get(seat)?;
        (place != NOWHERE).then_some(place as usize)
    }

    /// What a seat has, bets in the running hand not counted.
    #[must_use]
    pub fn stack(&self, seat: usize) -> Chips {
        match (&self.hand, self.place(seat)) {
            (Some(hand), Some(place)) if self.is_running() => hand.stacks()[place],
            _ => self.chairs[seat].stack,
        }
    }

    /// All chips that lie on the table.
    #[must_use]
    pub fn escrow(&self) -> Chips {
        let on_seats: Chips = self.chairs.iter().map(|chair| chair.stack).sum();
        let in_hand = self.hand.as_ref().filter(|_| self.is_running()).map_or(0, Hand::chips);
        let to_add: Chips = self.players.iter().map(|player| player.top_up).sum();
        on_seats + in_hand + to_add
    }

    /// What is a seat's own if the table stops here: a hand that runs is taken back.
    #[must_use]
    pub fn refund(&self, seat: usize) -> Chips {
        let Some(chair) = self.chairs.get(seat) else { return 0 };
        let in_hand = match (&self.hand, self.place(seat)) {
            (Some(hand), Some(place)) if self.is_running() => {
                hand.setup().stacks[place] + hand.setup().paid_dead[place]
            }
            _ => 0,
        };
        chair.stack + in_hand + self.players[seat].top_up
    }

    /// Chips that a seat has paid and that are added before the next hand.
    #[must_use]
    pub fn to_add(&self, seat: usize) -> Chips {
        self.players.get(seat).map_or(0, |player| player.top_up)
    }

    /// Chips that a seat's player has brought since sitting down, and the hands that they have played.
    #[must_use]
    pub fn brought(&self, seat: usize) -> (Chips, u32) {
        self.players.get(seat).map_or((0, 0), |player| (player.bought, player.hands))
    }

    /// Whether the table stops before each card that is dealt when nobody can bet any more.
    pub const fn set_paced(&mut self, paced: bool) {
        self.paced = paced;
    }

    /// Whether the next card waits for [`Table::run_on`].
    #[must_use]
    pub fn waits_for_cards(&self) -> bool {
        let waits = |hand: &Hand| hand.phase() == Phase::Deal && hand.is_all_in();
        self.paced && self.hand.as_ref().is_some_and(waits)
    }

    /// Deals the next cards of a run-out.
    pub fn run_on(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        if self.waits_for_cards() {
            self.deal(rng, out);
            self.go_on(rng, out);
        }
    }

    /// The table as it is between two hands, without the last one.
    #[must_use]
    pub fn between(&self) -> Self {
        Self {
            settings: Arc::clone(&self.settings),
            hand: None,
            seats: [NOWHERE; SEATS_MAX],
            places: [NOWHERE; SEATS_MAX],
            log: Vec::with_capacity(LOG_USUAL),
            told: 0,
            ratholes: self.ratholes.clone(),
            ..*self
        }
    }

    /// Forgets the last hand: the table is as [`Table::between`] gives it.
    pub(crate) fn clear(&mut self) {
        self.hand = None;
        self.seats = [NOWHERE; SEATS_MAX];
        self.places = [NOWHERE; SEATS_MAX];
        self.log.clear();
        self.told = 0;
    }

    /// Whether a seat is given up as soon as no hand runs.
    pub(crate) fn is_anybody_leaving(&self) -> bool {
        self.chairs.iter().any(|chair| chair.state == SeatState::Leaving)
    }

    /// Takes other settings over between two hands; the seats stay as many as they are.
    pub fn set_settings(&mut self, settings: impl Into<Arc<Settings>>) {
        let seat_count = self.settings.seat_count;
        self.settings = settings.into();
        if self.settings.seat_count != seat_count {
            Arc::make_mut(&mut self.settings).seat_count = seat_count;
        }
        if self.game >= self.settings.variants.len() {
            self.game %= self.settings.variants.len().max(1);
        }
    }

    /// Puts other cards in the places of these, everywhere.
    #[cfg(feature = "game")]
    pub(crate) fn map_cards(&mut self, to: impl Fn(crate::Card) -> crate::Card) {
        if let Some(hand) = &mut self.hand {
            hand.map_cards(&to);
        }
        for action in &mut self.log {
            if let Action::DealHole(_, row)
            | Action::DealBoard(row)
            | Action::Draw(_, row)
            | Action::Show(_, row) = action
            {
                *row = row.map(&to);
            }
        }
    }

    /// Removes those of these who are leaving, between two hands.
    pub fn send_home(&mut self, who: impl Fn(usize) -> bool, out: &mut impl FnMut(Event)) {
        if self.is_running() {
            return;
        }
        for seat in 0..self.settings.seat_count {
            if self.chairs[seat].state == SeatState::Leaving && who(seat) {
                self.remove(seat, out);
            }
        }
    }

    /// Removes those who are leaving and adds the chips that were paid, between two hands.
    pub fn prepare(&mut self, out: &mut impl FnMut(Event)) {
        if self.is_running() {
            return;
        }
        for seat in 0..self.settings.seat_count {
            match self.chairs[seat].state {
                SeatState::Empty => {}
                SeatState::Leaving => self.remove(seat, out),
                _ if self.players[seat].top_up == 0 && !self.players[seat].keeps_full => {}
                _ => self.top_up(seat, out),
            }
        }
    }

    /// Whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Option<usize> {
        let place = self.hand.as_ref()?.turn()?;
        Some(self.seats[place] as usize)
    }

    pub(crate) fn is_live(&self, seat: usize) -> bool {
        let live = |hand: &Hand, place| hand.phase() != Phase::Over && hand.live().contains(place);
        matches!((&self.hand, self.place(seat)), (Some(hand), Some(place)) if live(hand, place))
    }

    fn context(&self, seat: usize) -> IntentContext {
        IntentContext {
            in_hand: self.is_live(seat),
            finish_hand: self.settings.finish_hand_before_pause,
            free_entry: self.settings.newcomers == Newcomers::Free,
        }
    }

    /// What may be added to a seat before the next hand.
    fn room(&self, seat: usize) -> Chips {
        (self.settings.buy_in_max - self.stack(seat)).max(0)
    }

    /// What a seat may do now.
    #[must_use]
    pub fn legal(&self, seat: usize) -> Options {
        let state = self.chairs.get(seat).map_or(SeatState::Empty, |chair| chair.state);
        if !state.is_taken() || state == SeatState::Leaving {
            return Options::default();
        }
        let mut options = Options {
            intents: true,
            top_up: self.room(seat),
            straddle: self.settings.straddle,
            run_twice: self.settings.run_it_twice,
            ..Options::default()
        };
        let Some(hand) = &self.hand else { return options };
        if self.turn() == Some(seat) {
            match hand.legal() {
                Legal::Bet(choices) => options.bet = Some(choices),
                Legal::Draw(_) => options.draw = true,
                Legal::Reveal { may_muck, .. } => options.reveal = Some(may_muck),
                Legal::Deal { .. } | Legal::Nothing => {}
            }
        } else {
            options.prepare = hand.phase() == Phase::Bet && self.is_live(seat);
        }
        options.show_after = self.may_show_after(seat);
        options
    }

    /// Whether the seat won a pot that nobody contested and has not shown.
    fn may_show_after(&self, seat: usize) -> bool {
        let (Some(hand), Some(place)) = (&self.hand, self.place(seat)) else { return false };
        hand.phase() == Phase::Over && hand.live().len() == 1 && hand.live().contains(place)
    }

    /// Makes a move of what a seat answers.
    ///
    /// # Errors
    /// When it is not allowed now; nothing is changed.
    pub fn check(&self, seat: usize, answer: &Answer) -> Result<TableMove, TableRefusal> {
        self.need_seat(seat)?;
        if !self.chairs[seat].state.is_taken() {
            return Err(TableRefusal::SeatEmpty { seat });
        }
        let checked = match *answer {
            Answer::Intent { intent } => {
                let wanted = Intent::from_number(intent).ok_or(TableRefusal::NoSuchIntent(intent))?;
                self.chairs[seat].state.ask(wanted, self.context(seat))?;
                Checked::Intent(seat, wanted)
            }
            Answer::TopUp { chips } => {
                let most = self.room(seat);
                if !(0..=most).contains(&chips) {
                    return Err(TableRefusal::TopUp { most, got: chips });
                }
                self.check_rebuy(seat, chips)?;
                Checked::TopUp(seat, chips)
            }
            Answer::AutoTopUp { chips } => {
                let most = self.settings.buy_in_max * ASIDE_MAX;
                if !(0..=most).contains(&chips) {
                    return Err(TableRefusal::TopUp { most, got: chips });
                }
                self.check_rebuy(seat, chips)?;
                Checked::AutoTopUp(seat, chips)
            }
            Answer::Straddle { .. } if !self.settings.straddle => {
                return Err(TableRefusal::NotHere("straddles"));
            }
            Answer::Straddle { on } => Checked::Straddle(seat, on),
            Answer::RunTwice { .. } if !self.settings.run_it_twice => {
                return Err(TableRefusal::NotHere("second board"));
            }
            Answer::RunTwice { on } => Checked::RunTwice(seat, on),
            Answer::AutoMuck { on } => Checked::AutoMuck(seat, on),
            Answer::Prepare { action } => {
                let may = self.turn() != Some(seat) && self.is_live(seat);
                if action.is_some() && !may {
                    return Err(TableRefusal::NotHere("action to prepare now"));
                }
                Checked::Prepare(seat, action)
            }
            Answer::Show { ref cards } if self.may_show_after(seat) => self.check_show_after(seat, cards)?,
            _ => Checked::Play(self.check_play(seat, answer)?),
        };
        Ok(TableMove(checked))
    }

    fn check_play(&self, seat: usize, answer: &Answer) -> Result<legal::Move, TableRefusal> {
        let (Some(hand), Some(place)) = (&self.hand, self.place(seat)) else {
            return Err(TableRefusal::NotYourTurn);
        };
        if self.turn() != Some(seat) {
            return Err(TableRefusal::NotYourTurn);
        }
        let row =
            |text: &str| Row::parse(text).map_err(|_| TableRefusal::Cards(text.chars().take(20).collect()));
        let action = match answer {
            Answer::Fold => Action::Fold(place),
            Answer::Call => Action::Call(place),
            Answer::Raise { to } => Action::Raise(place, *to),
            Answer::BringIn => Action::BringIn(place),
            Answer::Draw { cards } => Action::Draw(place, row(cards)?),
            Answer::Show { .. } => Action::ShowAll(place),
            Answer::Muck => Action::Muck(place),
            _ => return Err(TableRefusal::NotYourTurn),
        };
        Ok(hand.check(action)?)
    }

    fn check_show_after(&self, seat: usize, cards: &str) -> Result<Checked, TableRefusal> {
        let bad = || TableRefusal::Cards(cards.chars().take(20).collect());
        let (Some(hand), Some(place)) = (&self.hand, self.place(seat)) else {
            return Err(TableRefusal::NotYourTurn);
        };
        let hole = hand.hole(place);
        let row = if cards.is_empty() { *hole } else { Row::parse(cards).map_err(|_| bad())? };
        let held = |card: &Option<crate::card::Card>| card.is_some() && hole.as_slice().contains(card);
        if row.is_empty() || !row.as_slice().iter().all(held) {
            return Err(bad());
        }
        Ok(Checked::ShowAfter(seat, row))
    }

    /// Who has no chips left buys in anew, for at least the least buy-in.
    fn check_rebuy(&self, seat: usize, chips: Chips) -> Result<(), TableRefusal> {
        let least = self.settings.buy_in_min;
        if self.chairs[seat].state == SeatState::Broke && chips != 0 && chips < least {
            return Err(TableRefusal::BuyIn { least, most: self.settings.buy_in_max, got: chips });
        }
        if self.chairs[seat].state == SeatState::Leaving {
            return Err(IntentRefused::Leaving.into());
        }
        Ok(())
    }

    fn need_seat(&self, seat: usize) -> Result<(), TableRefusal> {
        let count = self.settings.seat_count;
        if seat < count { Ok(()) } else { Err(TableRefusal::NoSuchSeat { seat, count }) }
    }

    /// Makes a move of what the house orders.
    ///
    /// # Errors
    /// When it is not possible now; nothing is changed.
    pub fn check_order(&self, order: Order) -> Result<TableMove, TableRefusal> {
        let taken = |seat: usize| {
            self.need_seat(seat)?;
            if self.chairs[seat].state.is_taken() { Ok(seat) } else { Err(TableRefusal::SeatEmpty { seat }) }
        };
        Ok(TableMove(match order {
            Order::Sit { seat, player, chips, owned } => self.check_sit(seat, player, chips.min(owned))?,
            Order::Away { seat } => Checked::Away(taken(seat)?),
            Order::Back { seat } => Checked::Back(taken(seat)?),
            Order::Remove { seat } => Checked::Remove(taken(seat)?),
            Order::Leave { seat } => Checked::Leave(taken(seat)?),
            Order::Close => Checked::Close,
            Order::Elapsed(timer) if self.runs_timer(timer) => Checked::Elapsed(timer),
            Order::Elapsed(_) => return Err(TableRefusal::NoSuchTimer),
        }))
    }

    fn check_sit(&self, seat: usize, player: u64, chips: Chips) -> Result<Checked, TableRefusal> {
        self.need_seat(seat)?;
        if self.closing {
            return Err(TableRefusal::Closing);
        }
        if self.chairs[seat].state.is_taken() {
            return Err(TableRefusal::SeatTaken { seat });
        }
        let sits =
            |other: &usize| self.chairs[*other].state.is_taken() && self.players[*other].account == player;
        if let Some(seat) = (0..self.settings.seat_count).find(sits) {
            return Err(TableRefusal::SitsAlready { seat });
        }
        let brought = self.left_with(player);
        let least = self.settings.buy_in_min.max(brought);
        let most = self.settings.buy_in_max.max(brought);
        if !(least..=most).contains(&chips) {
            return Err(TableRefusal::BuyIn { least, most, got: chips });
        }
        Ok(Checked::Sit { seat, player, chips })
    }

    fn runs_timer(&self, timer: Timer) -> bool {
        match timer {
            Timer::Turn => self.turn().is_some(),
            Timer::NextHand => !self.is_running(),
            _ => self.timers().iter().any(|(running, _)| *running == timer),
        }
    }

    /// The clocks that run, with how long each is in milliseconds. A clock that stays in the list keeps running.
    #[must_use]
    pub fn timers(&self) -> Vec<(Timer, u32)> {
        let settings = &self.settings;
        let mut timers = Vec::new();
        if self.turn().is_some() && settings.time_limit_ms > 0 {
            timers.push((Timer::Turn, settings.time_limit_ms));
        }
        if !self.is_running() && self.can_deal() {
            timers.push((Timer::NextHand, settings.hand_gap_ms));
        }
        timers.extend(self.seat_timers());
        timers
    }

    /// The clocks of single players, with how long each is in milliseconds.
    pub(crate) fn seat_timers(&self) -> impl Iterator<Item = (Timer, u32)> {
        let settings = &self.settings;
        let left = self.ratholes.iter().map(|(account, _)| (Timer::Rathole(*account), settings.rathole_ms));
        let seats = (0..settings.seat_count).filter_map(|seat| {
            let (state, player) = (self.chairs[seat].state, &self.players[seat]);
            match state {
                SeatState::Broke if player.top_up == 0 => Some((Timer::Rebuy(seat), settings.rebuy_ms)),
                SeatState::Paused { .. } if settings.max_pause_ms > 0 => {
                    Some((Timer::Pause(seat), settings.max_pause_ms))
                }
                SeatState::Playing { .. } if player.away && !player.lost => {
                    Some((Timer::Away(seat), settings.away_grace_ms))
                }
                _ => None,
            }
        });
        seats.chain(left)
    }

    /// Whether any of these runs.
    #[cfg(feature = "game")]
    pub(crate) fn runs_seat_timers(&self) -> bool {
        let max_pause_ms = self.settings.max_pause_ms;
        let runs = |seat: usize| match self.chairs[seat].state {
            SeatState::Playing { .. } => self.players[seat].away && !self.players[seat].lost,
            SeatState::Broke => self.players[seat].top_up == 0,
            SeatState::Paused { .. } => max_pause_ms > 0,
            _ => false,
        };
        !self.ratholes.is_empty() || (0..self.settings.seat_count).any(runs)
    }

    /// Who the player in this seat is, by account.
    pub(crate) fn know(&mut self, seat: usize, account: u64) {
        if let Some(player) = self.players.get_mut(seat) {
            player.account = account;
        }
    }

    /// What a player who left has to bring back, by account.
    #[must_use]
    pub fn left_with(&self, account: u64) -> Chips {
        self.ratholes.iter().find(|(other, _)| *other == account).map_or(0, |(_, chips)| *chips)
    }

    /// Carries a move out and goes on until somebody has to decide.
    pub fn apply(&mut self, mv: TableMove, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        match mv.0 {
            Checked::Play(mv) => {
                if let Some(seat) = self.turn() {
                    self.players[seat].timeouts = 0;
                }
                self.play(mv, out);
            }
            Checked::ShowAfter(seat, row) => self.show_after(seat, row, out),
            Checked::Intent(seat, intent) => {
                self.players[seat].lost = false;
                self.ask(seat, intent, None, out);
            }
            Checked::TopUp(seat, chips) => self.set_aside(seat, chips, false, out),
            Checked::AutoTopUp(seat, chips) => self.set_aside(seat, chips, chips > 0, out),
            Checked::Straddle(seat, on) => self.players[seat].straddles = on,
            Checked::RunTwice(seat, on) => self.players[seat].runs_twice = on,
            Checked::AutoMuck(seat, on) => self.players[seat].decides_showdown = !on,
            Checked::Prepare(seat, action) => {
                let price = self.price(seat);
                self.any_prepared |= action.is_some();
                self.players[seat].prepared = action.map(|action| (action, price));
            }
            Checked::Sit { seat, player, chips } => self.sit(seat, player, chips, out),
            Checked::Away(seat) => self.lose(seat, out),
            Checked::Back(seat) => self.find(seat, out),
            Checked::Leave(seat) => self.leave(seat, out),
            Checked::Remove(seat) => self.ask(seat, Intent::Leave, Some(WrittenBecause::Removed), out),
            Checked::Close => self.close(out),
            Checked::Elapsed(timer) => self.elapsed(timer, rng, out),
        }
        self.go_on(rng, out);
    }

    fn sit(&mut self, seat: usize, account: u64, chips: Chips, out: &mut impl FnMut(Event)) {
        self.chairs[seat] = Chair { state: SeatState::Newcomer(NewcomerWish::Play), stack: chips };
        self.players[seat] = Player { account, bought: chips, sat_at: self.number, ..Player::default() };
        self.places[seat] = NOWHERE;
        self.ratholes.retain(|(other, _)| *other != account);
        out(Event::Sat { seat, chips });
        out(Event::Posted(Posting::BuyIn { seat, chips }));
    }

    /// Carries an intent out that a player sent or the table wrote.
    fn ask(
        &mut self,
        seat: usize,
        intent: Intent,
        because: Option<WrittenBecause>,
        out: &mut impl FnMut(Event),
    ) {
        let Ok(state) = self.chairs[seat].state.ask(intent, self.context(seat)) else { return };
        self.chairs[seat].state = state;
        out(match because {
            None => Event::Wants { seat, intent },
            Some(because) => Event::Written { seat, intent, because },
        });
        if state == SeatState::Leaving && !self.is_running() {
            self.remove(seat, out);
        }
    }

    /// A player is gone and will not answer again: folded in turn, whatever the table's rule for pauses is.
    fn leave(&mut self, seat: usize, out: &mut impl FnMut(Event)) {
        if self.chairs[seat].state != SeatState::Leaving {
            self.chairs[seat].state = SeatState::Leaving;
            out(Event::Wants { seat, intent: Intent::Leave });
        }
        if !self.is_running() {
            self.remove(seat, out);
        }
    }

    /// Gives a seat free and pays out what it has.
    pub(crate) fn remove(&mut self, seat: usize, out: &mut impl FnMut(Event)) {
        let Chair { stack, .. } = std::mem::take(&mut self.chairs[seat]);
        let player = std::mem::take(&mut self.players[seat]);
        if stack + player.top_up > 0 {
            out(Event::Posted(Posting::CashOut { seat, chips: stack + player.top_up }));
        }
        if stack > 0 && self.settings.rathole_ms > 0 && self.ratholes.len() < RATHOLES_MAX {
            self.ratholes.push((player.account, stack));
        }
        out(Event::Left { seat });
    }

    /// Chips are paid at once and lie beside the stack until they may be added.
    fn set_aside(&mut self, seat: usize, chips: Chips, keeps_full: bool, out: &mut impl FnMut(Event)) {
        let before = std::mem::replace(&mut self.players[seat].top_up, chips);
        self.players[seat].keeps_full = keeps_full;
        if chips > before {
            out(Event::Posted(Posting::BuyIn { seat, chips: chips - before }));
        } else if chips < before {
            out(Event::Posted(Posting::CashOut { seat, chips: before - chips }));
        }
        if !self.is_running() {
            self.top_up(seat, out);
        }
    }

    /// Adds chips, between hands only.
    pub(crate) fn top_up(&mut self, seat: usize, out: &mut impl FnMut(Event)) {
        let paid = std::mem::take(&mut self.players[seat].top_up);
        let chips = paid.min(self.room(seat));
        if self.players[seat].keeps_full {
            self.players[seat].top_up = paid - chips;
            self.players[seat].keeps_full = paid > chips;
        } else if paid > chips {
            out(Event::Posted(Posting::CashOut { seat, chips: paid - chips }));
        }
        if chips <= 0 {
            return;
        }
        self.chairs[seat].stack += chips;
        self.players[seat].bought += chips;
        if self.chairs[seat].state == SeatState::Broke {
            self.chairs[seat].state = SeatState::Returning { debt: 0 };
        }
        out(Event::ToppedUp { seat, chips });
    }

    fn lose(&mut self, seat: usize, out: &mut impl FnMut(Event)) {
        self.players[seat].away = true;
        if self.settings.away_grace_ms == 0 {
            self.sit_out_lost(seat, out);
        }
    }

    fn sit_out_lost(&mut self, seat: usize, out: &mut impl FnMut(Event)) {
        if self.chairs[seat].state.is_playing() {
            self.players[seat].lost = true;
            self.ask(seat, Intent::Pause, Some(WrittenBecause::ConnectionLost), out);
        }
    }

    fn find(&mut self, seat: usize, out: &mut impl FnMut(Event)) {
        self.players[seat].away = false;
        if std::mem::take(&mut self.players[seat].lost) {
            self.ask(seat, Intent::Play, Some(WrittenBecause::ConnectionBack), out);
        }
    }

    fn close(&mut self, out: &mut impl FnMut(Event)) {
        self.closing = true;
        for seat in 0..self.settings.seat_count {
            if !self.chairs[seat].state.is_taken() {
                continue;
            }
            self.ask(seat, Intent::Leave, Some(WrittenBecause::TableClosed), out);
            // The hand is played to its end whatever the table's rule for pauses is.
            if self.is_live(seat) {
                self.chairs[seat].state = SeatState::Playing { then: Some(Then::Leave) };
            }
        }
    }

    fn elapsed(&mut self, timer: Timer, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        let leave = Intent::Leave;
        match timer {
            Timer::Turn => self.time_out(out),
            Timer::NextHand => self.next_hand(rng, out),
            Timer::Rebuy(seat) => self.ask(seat, leave, Some(WrittenBecause::NoRebuy), out),
            Timer::Pause(seat) => self.ask(seat, leave, Some(WrittenBecause::PausedTooLong), out),
            Timer::Away(seat) => self.sit_out_lost(seat, out),
            Timer::Rathole(account) => self.ratholes.retain(|(other, _)| *other != account),
        }
    }

    /// Acts for the player whose time is up, who sits out after too many of these in a row.
    fn time_out(&mut self, out: &mut impl FnMut(Event)) {
        let (Some(hand), Some(seat)) = (&self.hand, self.turn()) else { return };
        let fold = match hand.legal() {
            Legal::Bet(choices) if self.settings.timeout_action == TimeoutAction::Fold => choices.to_fold(),
            _ => None,
        };
        let Some(mv) = fold.or_else(|| hand.auto()) else { return };
        self.play(mv, out);
        let player = &mut self.players[seat];
        player.timeouts = player.timeouts.saturating_add(1);
        let most = self.settings.timeouts_to_sit_out;
        if most > 0 && player.timeouts >= most && self.chairs[seat].state == SeatState::PLAYING {
            player.timeouts = 0;
            self.ask(seat, Intent::Pause, Some(WrittenBecause::TimedOut), out);
        }
    }

    /// Plays on until somebody has to decide.
    fn go_on(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        loop {
            let Some(hand) = &self.hand else { return };
            match hand.phase() {
                Phase::Over if self.settled => return,
                Phase::Over => return self.finish(out),
                Phase::Deal if self.waits_for_cards() => return,
                Phase::Deal => self.deal(rng, out),
                Phase::Bet if self.bets_freely(hand) => return self.tell_turn(out),
                Phase::Bet | Phase::Draw | Phase::Reveal => match self.automatic() {
                    Some(mv) => self.play(mv, out),
                    None => return self.tell_turn(out),
                },
            }
        }
    }

    /// Whether the player who is to bet decides themselves.
    fn bets_freely(&self, hand: &Hand) -> bool {
        let seat = hand.turn().map_or(0, |place| self.seats[place] as usize);
        self.chairs[seat].state.is_playing() && self.players[seat].prepared.is_none()
    }

    fn tell_turn(&mut self, out: &mut impl FnMut(Event)) {
        if self.told == self.log.len() {
            return;
        }
        self.told = self.log.len();
        if let Some(seat) = self.turn() {
            out(Event::Turn { seat });
        }
    }
}
